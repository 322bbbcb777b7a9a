"""Four contacts of many: no slide, no order and no rounding decides which; and what a slide must not cut off."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from core.contact.contact import Contact
from core.contact.manifold import manifold
from core.contact.reduction import reduced
from core.geometry.quaternion import from_axis_angle
from core.scene import Body
from core.shapes import Box, Hull
from tests.core.contact_oracle import contact_area

from .test_overlap_region import CUBE, DISC, GROUND, answer, contacts, depths, moved, names, off_both, positions, prism


def test_slides_change_no_choice_of_four() -> None:
    rng, worst = np.random.default_rng(67), 1.0
    quarter = from_axis_angle((0.0, 1.0, 0.0), np.pi / 4)
    for a, b in (
        (Body(CUBE), Body(CUBE, (0.0, 0.99, 0.0), quarter)),
        (Body(CUBE), Body(CUBE, (0.1, 0.99, 0.05), quarter)),
        (GROUND, Body(Hull.of(prism(12)), (0.0, 0.49, 0.0))),
        (GROUND, Body(DISC, (0.0, 0.49, 0.0))),
        # It touches all four sides of the face: a slide by 1e-10 cut a sliver off, and all other points moved.
        (Body(CUBE), Body(DISC, (0.0, 0.99, 0.0))),
    ):
        chosen = set()
        for k in range(20):
            slid = moved(b, 1e-10 * rng.normal(size=3) * (k > 0))
            found = manifold(a, slid, answer(a, slid), reduce=True)
            chosen.add(tuple(names(found)))
            assert len(found.contacts) == 4
            everything = (*found.contacts, *found.dropped)
            assert max(depths(found)) == pytest.approx(max(contact.depth for contact in everything), abs=1e-9)
            all_of_it = contact_area(np.array([contact.position for contact in everything]), found.normal)
            worst = min(worst, contact_area(positions(found), found.normal) / all_of_it)
        assert len(chosen) == 1
    assert worst >= 0.6


def test_the_order_of_contacts_has_no_say() -> None:
    rng = np.random.default_rng(68)
    found = contacts(GROUND, Body(Hull.of(prism(12)), (0.0, 0.49, 0.0)))
    first = {contact.name for contact in reduced(found.contacts, found.normal)[0]}
    for _ in range(20):
        mixed = tuple(found.contacts[k] for k in rng.permutation(len(found.contacts)))
        assert {contact.name for contact in reduced(mixed, found.normal)[0]} == first


@pytest.mark.parametrize(("out", "count"), [(0.0, 8), (5e-7, 8), (2e-6, 9)])
def test_a_disc_is_cut_by_a_side_that_it_passes_by_more_than_the_lateral_tolerance(out: float, count: int) -> None:
    disc = Body(DISC, (out * 0.5**0.5, 0.99, 0.0))
    found = contacts(Body(Box((1.0, 1.0, 3.0))), disc)
    assert len(found.contacts) == count
    assert off_both(Body(Box((1.0, 1.0, 3.0))), disc, found) <= 1e-6


@pytest.mark.parametrize("seed", range(20))
def test_the_first_chosen_is_the_deepest_and_the_others_span_the_largest_area(seed: int) -> None:
    rng = np.random.default_rng(seed)
    flat, deep = rng.normal(size=(9, 2)), rng.uniform(0.0, 1.0, size=9)
    many = tuple(
        Contact(np.array((x, 0.0, z)), float(depth), f"v{k}", "f")
        for k, ((x, z), depth) in enumerate(zip(flat, deep, strict=True))
    )
    kept, dropped, order = reduced(many, np.array((0.0, 1.0, 0.0)))
    chosen = [kept[place] for place in order]
    # Of three corners two are next to the first, and nothing is on the other side of the line to either.
    assert sorted(order) == list(range(4 if len(ConvexHull(flat).vertices) > 3 else 3))
    assert len(kept) + len(dropped) == len(many)
    assert chosen[0].depth == deep.max()
    first, spots = int(deep.argmax()), [contact.position[[0, 2]] for contact in chosen]
    if first not in ConvexHull(flat).vertices:
        # A deepest contact inside goes with the largest triangle.
        largest = max(ConvexHull(flat[list(three)]).volume for three in combinations(range(9), 3))
        assert ConvexHull(spots[1:]).volume == pytest.approx(largest, rel=1e-9)
        return
    largest = max(ConvexHull(flat[[first, *three]]).volume for three in combinations(range(9), 3) if first not in three)
    assert ConvexHull(spots).volume == pytest.approx(largest, rel=1e-9)
    if len(kept) == 3:
        return
    # The second lies opposite the first: the other two are on either side of the line through both.
    across = [np.linalg.det(np.array((spots[1] - spots[0], side - spots[0]))) for side in spots[2:]]
    assert across[0] * across[1] < 0.0
