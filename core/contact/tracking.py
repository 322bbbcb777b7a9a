"""Contacts from frame to frame: contacts that persist, are born, die or jump.

An engine starts its solver from each contact's impulse in the previous frame. A contact that comes and goes, or jumps,
loses its impulse, and the body shakes though it hardly moves. This file compares two manifolds of one pair a frame
apart; nothing is simulated.

Contacts are matched by name first, as Box2D does by features (`b2ContactID`): names are unique and stay the same while
bodies slide. The contacts left over are matched by position, as Bullet (`btPersistentManifold::getCacheEntry`, within
its breaking threshold) and PhysX do. If a vertex lies on a side up to rounding, its name may change while the contact
stays in place. A change of name alone is therefore neither a birth nor a death.

The position is compared with the contact's previous position carried along with A, and with B; the smaller distance
counts. A corner of A that moves with A has thus not moved, and a motion that both bodies share does not count.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.tolerances import ROUNDING
from ..geometry.vector import Array, length, length_rows, product
from ..pair.pair import PairScale
from ..scene import Body
from .contact import Contact

JUMP_RATIO = 10.0
"""A contact jumps if its position or depth changes by more than this many times `relative_motion`, plus the error of
its position.

The crossing of two edges moves at most 1 / sin(angle between them) times as fast as the edges. At 6° or more this is no
jump, at smaller angles it can be one. A contact where the level crosses a nearly parallel face can jump for the same
reason.
"""

MATCH_DISTANCE = 0.02
"""The largest distance at which contacts of different names are matched, in units of the smaller bounding radius.

If the bodies' relative motion is less than this distance, it is the limit instead. The error of a contact's position is
added to either. MATCH_DISTANCE is Bullet's breaking threshold: two centimetres for a radius of one metre.
"""

MERGED = 1e-6
"""The error of a contact's position, in units of the smaller bounding radius: corners this close are merged into one
(`lateral` in ContactSettings)."""


class TrackedFrame(Struct, frozen=True, eq=False):
    """A pair in one frame, with its contacts and their ids, numbers in the order of birth.

    `next_id`: the id of the next contact to be born.
    """

    a: Body
    b: Body
    contacts: tuple[Contact, ...]
    ids: tuple[int, ...]
    next_id: int


class Change(Struct, frozen=True, eq=False):
    """The change from one frame to the next: the new `frame`, and the ids of contacts that were born, died or jumped.

    A contact that jumped has kept its id.
    """

    frame: TrackedFrame
    born: tuple[int, ...]
    died: tuple[int, ...]
    jumped: tuple[int, ...]


def first_frame(a: Body, b: Body, contacts: tuple[Contact, ...], next_id: int = 1) -> TrackedFrame:
    """The first frame of a sequence: all its contacts are new, with ids from `next_id`."""
    return _named(a, b, contacts, {}, next_id)


def next_frame(before: TrackedFrame, a: Body, b: Body, contacts: tuple[Contact, ...]) -> Change:
    """The change from the frame `before` to the same pair a frame later. The shapes must be those of `before`.

    If A and B are exchanged and have not moved, no contact is born, dies or jumps.
    """
    if (before.a, before.b) == (b, a):
        swapped = (replace(c, feature_a=c.feature_b, feature_b=c.feature_a) for c in before.contacts)
        before = replace(before, a=a, b=b, contacts=tuple(swapped))
    moved, noise = relative_motion(before, a, b), _noise(before, a, b)
    radius = min(a.shape.bounding_radius, b.shape.bounding_radius)
    near, limit = min(moved, MATCH_DISTANCE * radius) + noise, JUMP_RATIO * moved + noise
    away = _away(before, a, b, contacts)
    pairs = [
        (was.name != now.name, float(away[i, j]), _order(now), i, j)
        for i, was in enumerate(before.contacts)
        for j, now in enumerate(contacts)
        if was.name == now.name or away[i, j] <= near
    ]
    matches: dict[int, int] = {}
    for _, _, _, i, j in sorted(pairs):
        if i not in matches.values() and j not in matches:
            matches[j] = i
    frame = _named(a, b, contacts, {j: before.ids[i] for j, i in matches.items()}, before.next_id)
    jumped = [
        frame.ids[j]
        for j, i in matches.items()
        if away[i, j] > limit or abs(contacts[j].depth - before.contacts[i].depth) > limit
    ]
    return Change(
        frame,
        tuple(sorted(identity for identity in frame.ids if identity >= before.next_id)),
        tuple(sorted(set(before.ids) - set(frame.ids))),
        tuple(sorted(jumped)),
    )


def relative_motion(before: TrackedFrame, a: Body, b: Body) -> float:
    """An upper bound of how far a point of the smaller body moved relative to the other, scene units.

    The bound is the distance that the body's position moved, plus its bounding radius times its rotation as a chord. It
    exceeds the largest motion of a point in the bounding sphere by a factor of 2 at most.
    """
    small_is_a = a.shape.bounding_radius <= b.shape.bounding_radius
    places, turns = [], []
    for first, second in ((before.a, before.b), (a, b)):
        small, other = (first.pose, second.pose) if small_is_a else (second.pose, first.pose)
        places.append(other.to_local(small.position))
        turns.append(product(other.matrix.T, small.matrix))
    radius = (a if small_is_a else b).shape.bounding_radius
    # The difference of two rotations an angle t apart has the norm 2 sqrt(2) sin(t / 2), and a chord is 2 sin(t / 2).
    chord = length(length_rows(turns[1] - turns[0])) / sqrt(2.0)
    return length(places[1] - places[0]) + radius * chord


def _noise(before: TrackedFrame, a: Body, b: Body) -> float:
    """The error of a contact's position: MERGED, and the rounding of world coordinates; scene units."""
    radius = min(a.shape.bounding_radius, b.shape.bounding_radius)
    far = max(length(body.pose.position) for body in (a, b, before.a, before.b))
    return MERGED * radius + ROUNDING * (PairScale.of(a, b).extent + far)


def _away(before: TrackedFrame, a: Body, b: Body, contacts: tuple[Contact, ...]) -> Array:
    """Distances (k, m) from each previous contact to each present one.

    The previous contact is carried along with A, and with B; the smaller distance counts.
    """
    if not (before.contacts and contacts):
        return np.zeros((len(before.contacts), len(contacts)))
    was = np.array([contact.position for contact in before.contacts])
    now = np.array([contact.position for contact in contacts])
    carried = [new.pose.to_world(old.pose.to_local(was)) for old, new in ((before.a, a), (before.b, b))]
    nearest: Array = np.minimum(*(length_rows(now[None] - rows[:, None]) for rows in carried))
    return nearest


def _order(contact: Contact) -> tuple[object, ...]:
    """The key that contacts are sorted by: both features in the order of their names, then the position."""
    return (*sorted((contact.feature_a, contact.feature_b)), *contact.position.tolist())


def _named(a: Body, b: Body, contacts: tuple[Contact, ...], kept: dict[int, int], next_id: int) -> TrackedFrame:
    """The frame with `contacts`. `kept`: old ids by index in `contacts`; the others get new ids from `next_id`."""
    new = sorted((j for j in range(len(contacts)) if j not in kept), key=lambda j: _order(contacts[j]))
    ids = kept | {j: next_id + k for k, j in enumerate(new)}
    return TrackedFrame(a, b, contacts, tuple(ids[j] for j in range(len(contacts))), next_id + len(new))
