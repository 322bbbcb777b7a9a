"""Four contacts of many: no slide, no order and no rounding decides which; and what a slide must not cut off."""

from __future__ import annotations

import numpy as np
import pytest

from core.contact.manifold import manifold
from core.contact.reduction import reduced
from core.geometry.quaternion import from_axis_angle
from core.scene import Body
from core.shapes import Box, Hull

from .contact_oracle import contact_area
from .test_contact_patch import CUBE, DISC, GROUND, answer, contacts, depths, moved, names, off_both, positions, prism


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
