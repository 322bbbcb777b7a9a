"""Contacts from frame to frame: which persist, which are born, which die, and which jump.

An engine starts its solver from the impulses of the frame before, contact by contact. A contact that comes and goes, or
jumps, loses its impulse, and the body shakes, though it hardly moved. Here two manifolds of one pair are compared a
frame apart, before anything is simulated.

First by name, as Box2D matches (`b2ContactID`, by features), since names are unique and outlive a slide. Then, of the
contacts left over, by place, as Bullet (`btPersistentManifold::getCacheEntry`, within its breaking threshold) and PhysX
do: where a vertex lies on a side to within rounding, the name changes though the contact stays where it is, and no
engine that matches by place would notice. So a change of name alone is neither a birth nor a death.

A contact has stayed where it is if it lies where a point fixed to A would, or one fixed to B, had it been at the
contact before: a corner of A goes with A, and neither a motion of the camera nor one that both bodies share counts.
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

JUMP = 10.0
"""A contact jumps if it, or its depth, goes more than this many times as far as the bodies did against each other.

A crossing of two edges goes 1 / sin as fast as they do at the angle between them: from 6° on that is no jump. Below,
and where a level ends on a face that is nearly parallel, it is one, and a solver sees it so.
"""

PLACE = 0.02
"""Contacts of two names are one only within this fraction of the smaller body's bounding radius, however fast the
bodies go: Bullet's breaking threshold, two centimetres of a body of a metre."""

MERGED = 1e-6
"""In units of the smaller bounding radius; what contacts are off by, as corners this close are one (`lateral`)."""


class TrackedFrame(Struct, frozen=True, eq=False):
    """A pair in one frame, with its contacts and their ids, from 1 in the order of their births.

    `fresh`: the id of the next contact to be born.
    """

    a: Body
    b: Body
    contacts: tuple[Contact, ...]
    ids: tuple[int, ...]
    fresh: int


class Change(Struct, frozen=True, eq=False):
    """From one frame to the next: the new `frame`, and ids of the contacts `born`, `died`, and kept but `jumped`."""

    frame: TrackedFrame
    born: tuple[int, ...]
    died: tuple[int, ...]
    jumped: tuple[int, ...]


def first_frame(a: Body, b: Body, contacts: tuple[Contact, ...], fresh: int = 1) -> TrackedFrame:
    """The frame that others are compared with: all its contacts are new, the first with the id `fresh`."""
    return _named(a, b, contacts, {}, fresh)


def next_frame(before: TrackedFrame, a: Body, b: Body, contacts: tuple[Contact, ...]) -> Change:
    """The same pair a frame later: which contacts kept their ids. Its shapes must be those of `before`.

    A and B exchanged, and otherwise as they stood, are no change.
    """
    if (before.a, before.b) == (b, a):
        swapped = (replace(c, feature_a=c.feature_b, feature_b=c.feature_a) for c in before.contacts)
        before = replace(before, a=a, b=b, contacts=tuple(swapped))
    moved, noise = relative_motion(before, a, b), _noise(before, a, b)
    radius = min(a.shape.bounding_radius, b.shape.bounding_radius)
    near, limit = min(moved, PLACE * radius) + noise, JUMP * moved + noise
    away = _away(before, a, b, contacts)
    pairs = [
        (was.name != now.name, float(away[i, j]), _order(now), i, j)
        for i, was in enumerate(before.contacts)
        for j, now in enumerate(contacts)
        if was.name == now.name or away[i, j] <= near
    ]
    kept: dict[int, int] = {}
    for _, _, _, i, j in sorted(pairs):
        if i not in kept.values() and j not in kept:
            kept[j] = i
    frame = _named(a, b, contacts, {j: before.ids[i] for j, i in kept.items()}, before.fresh)
    jumped = [
        frame.ids[j]
        for j, i in kept.items()
        if away[i, j] > limit or abs(contacts[j].depth - before.contacts[i].depth) > limit
    ]
    return Change(
        frame,
        tuple(sorted(identity for identity in frame.ids if identity >= before.fresh)),
        tuple(sorted(set(before.ids) - set(frame.ids))),
        tuple(sorted(jumped)),
    )


def relative_motion(before: TrackedFrame, a: Body, b: Body) -> float:
    """The farthest, but for a factor of 2, that any point of the smaller body went as seen from the other one.

    Scene units: how far its position went, and its turn times its bounding radius.
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
    """The error of a contact's place: corners that are one, and the rounding of coordinates in the world."""
    radius = min(a.shape.bounding_radius, b.shape.bounding_radius)
    far = max(length(body.pose.position) for body in (a, b, before.a, before.b))
    return MERGED * radius + ROUNDING * (PairScale.of(a, b).extent + far)


def _away(before: TrackedFrame, a: Body, b: Body, contacts: tuple[Contact, ...]) -> Array:
    """How far (k, m) each contact now is from where each of before would be, fixed to A or to B, whichever is less."""
    if not (before.contacts and contacts):
        return np.zeros((len(before.contacts), len(contacts)))
    was = np.array([contact.position for contact in before.contacts])
    now = np.array([contact.position for contact in contacts])
    carried = [new.pose.to_world(old.pose.to_local(was)) for old, new in ((before.a, a), (before.b, b))]
    nearest: Array = np.minimum(*(length_rows(now[None] - rows[:, None]) for rows in carried))
    return nearest


def _order(contact: Contact) -> tuple[object, ...]:
    """In which order contacts are told apart: by their features, whichever body is A, then by where they are."""
    return (*sorted((contact.feature_a, contact.feature_b)), *contact.position.tolist())


def _named(a: Body, b: Body, contacts: tuple[Contact, ...], kept: dict[int, int], fresh: int) -> TrackedFrame:
    """The frame with the ids `kept` by place in `contacts`, and new ones for the others."""
    new = sorted((j for j in range(len(contacts)) if j not in kept), key=lambda j: _order(contacts[j]))
    ids = kept | {j: fresh + k for k, j in enumerate(new)}
    return TrackedFrame(a, b, contacts, tuple(ids[j] for j in range(len(contacts))), fresh + len(new))
