"""Reduction of many contacts to four; neither their order in an array nor rounding changes the choice.

The deepest contact is kept. Contacts that are equally deep, up to rounding, are candidates for it. The result is the
largest quadrilateral through a candidate; a candidate inside the hull is kept with the hull's largest triangle. Of
equally large ones, that with the smallest tuple of names is taken.
"""

from __future__ import annotations

from itertools import product as pairs

import numpy as np

from ..geometry.vector import Array, cross, dot, length, product
from .contact import Contact
from .region import hull_of

DEPTH_TIE = 1e-6
"""Depths that differ by less than this fraction of their range are equal."""

SIZE_TIE = 1e-9
"""Depths that differ by less than this fraction of the contacts' extent across the normal are equal too."""

AREA_TIE = 1e-6
"""Quadrilaterals whose areas differ from the largest by less than this fraction are equally large.

With a smaller value rounding would choose; with a larger one visibly smaller quadrilaterals could win.
"""


def reduced(
    contacts: tuple[Contact, ...], normal: Array
) -> tuple[tuple[Contact, ...], tuple[Contact, ...], tuple[int, ...]]:
    """Reduces `contacts` to at most four; `normal` (3,): unit. Returns (kept, dropped, order).

    `kept` and `dropped` are in the given order. `order`: indices in `kept` in the order of choice: the deepest; then
    the other end of a diagonal, and the farthest contact on either side of the diagonal. If the deepest lies inside the
    hull, the corners of the hull's largest triangle follow instead, which need not enclose it; for contacts on one
    line, both ends of the line. Four contacts or fewer are all kept, in the given order.
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
    # One set of four may be found in several orders: the order whose names come first is taken.
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
    """The contacts' positions (k, 2) across the normal, relative to the first."""
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
    """The largest quadrilaterals on each diagonal from the contact `deepest`, a corner of the hull, to another corner.

    Returns twice the area of each and its corners' indices. A diagonal has several if they are equally large.
    """
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
    """The largest triangles on each two corners of the hull; they need not enclose `deepest`, inside the hull.

    Returns twice the area of each and four indices: of `deepest` and the corners.
    """
    found: list[tuple[float, tuple[int, ...]]] = []
    for place, one in enumerate(hull):
        for other in hull[place + 1 :]:
            way = flat[other] - flat[one]
            areas = np.abs(way[0] * (flat[:, 1] - flat[one, 1]) - way[1] * (flat[:, 0] - flat[one, 0]))
            largest = areas.max()
            thirds = np.flatnonzero(areas >= (1.0 - AREA_TIE) * largest).tolist()
            found += [(float(areas[third]), tuple(dict.fromkeys((deepest, one, other, third)))) for third in thirds]
    return found
