"""Four contacts of many, such that no order in an array and no rounding decides which.

The deepest first: every contact that is as deep but for rounding may be it. Of the best quadrilaterals through one of
those, which may again be several, the smallest tuple of names is taken.
"""

from __future__ import annotations

from itertools import product as pairs

import numpy as np

from ..geometry.vector import Array, cross, dot, length, product
from .contact import Contact
from .region import hull_of

DEPTH_TIE = 1e-6
"""Depths within this fraction of their range are equally deep."""

SIZE_TIE = 1e-9
"""So are depths within this fraction of the contacts' extent."""

AREA_TIE = 1e-6
"""Quadrilaterals within this fraction of the largest are as large. Smaller, and rounding chooses; larger, and visibly
smaller ones are kept."""


def reduced(
    contacts: tuple[Contact, ...], normal: Array
) -> tuple[tuple[Contact, ...], tuple[Contact, ...], tuple[int, ...]]:
    """The four kept and the others, both in the order given; all are kept of four or fewer. Unit `normal` (3,).

    Then the places of the kept ones in the order in which they are chosen: the deepest; the one opposite it and the
    two on either side of the line between both, or where the deepest is inside, the corners of the triangle about it.
    """
    if len(contacts) <= 4:
        return contacts, (), tuple(range(len(contacts)))
    flat, depths = _across(contacts, normal), np.array([contact.depth for contact in contacts])
    names = [contact.name for contact in contacts]
    size = float(np.ptp(flat, axis=0).max())
    tie = max(DEPTH_TIE * float(np.ptp(depths)), SIZE_TIE * size)
    hull = hull_of([(u, v) for u, v in flat.tolist()])
    candidates: list[tuple[float, tuple[int, ...]]] = []
    for deepest in np.flatnonzero(depths >= depths.max() - tie).tolist():
        if len(hull) < 3:
            candidates.append((0.0, tuple(dict.fromkeys((deepest, *hull)))))
        else:
            candidates += _through(flat, hull, deepest) if deepest in hull else _around(flat, hull, deepest)
    best = max(area for area, _ in candidates)
    # Of one set of four found in several orders the one whose names come first.
    chosen = min(
        (four for area, four in candidates if area >= (1.0 - AREA_TIE) * best),
        key=lambda four: (tuple(sorted(names[k] for k in four)), tuple(names[k] for k in four)),
    )
    kept = sorted(chosen)
    return (
        tuple(contacts[k] for k in kept),
        tuple(contact for k, contact in enumerate(contacts) if k not in kept),
        tuple(kept.index(k) for k in chosen),
    )


def _across(contacts: tuple[Contact, ...], normal: Array) -> Array:
    """The contacts (k, 2) seen along the normal."""
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(normal)))] = 1.0
    u = cross(normal, helper)
    u = u / length(u)
    first = contacts[0].position
    arms = np.array([contact.position - first for contact in contacts])
    across = product(arms, np.stack((u, cross(normal, u)), axis=1))
    assert dot(u, normal) < 0.5
    return across


def _through(flat: Array, hull: list[int], deepest: int) -> list[tuple[float, tuple[int, ...]]]:
    """The best quadrilaterals with this contact and each other of the hull as a diagonal, with twice their areas."""
    found: list[tuple[float, tuple[int, ...]]] = []
    for other in hull:
        if other == deepest:
            continue
        way = flat[other] - flat[deepest]
        areas = way[0] * (flat[:, 1] - flat[deepest, 1]) - way[1] * (flat[:, 0] - flat[deepest, 0])
        left, right = areas.max(), areas.min()
        tie = AREA_TIE * (left - right)
        lefts = np.flatnonzero(areas >= left - tie).tolist()
        rights = np.flatnonzero(areas <= right + tie).tolist()
        found += [
            (float(areas[one] - areas[two]), tuple(dict.fromkeys((deepest, other, one, two))))
            for one, two in pairs(lefts, rights)
        ]
    return found


def _around(flat: Array, hull: list[int], deepest: int) -> list[tuple[float, tuple[int, ...]]]:
    """A contact inside, and each triangle of the hull that is as large as any with two of its corners."""
    found: list[tuple[float, tuple[int, ...]]] = []
    for place, one in enumerate(hull):
        for other in hull[place + 1 :]:
            way = flat[other] - flat[one]
            areas = np.abs(way[0] * (flat[:, 1] - flat[one, 1]) - way[1] * (flat[:, 0] - flat[one, 0]))
            largest = areas.max()
            thirds = np.flatnonzero(areas >= (1.0 - AREA_TIE) * largest).tolist()
            found += [(float(areas[third]), tuple(dict.fromkeys((deepest, one, other, third)))) for third in thirds]
    return found
