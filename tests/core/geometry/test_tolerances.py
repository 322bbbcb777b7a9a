"""What tolerances are measured by: which of a pair's lengths moves them, and which does not until it is rounding."""

from __future__ import annotations

from core.geometry.tolerances import CERTIFIED, EXACT, TOUCHING, certified_within, touching_band


def test_bodies_far_apart_are_certified_no_more_loosely_until_rounding_is_more() -> None:
    near = certified_within(1.0, 1.0)
    assert near == CERTIFIED
    assert certified_within(1.0, 100.0) == near
    assert certified_within(2.0, 100.0) == 2.0 * near
    assert certified_within(1.0, 1e9) == EXACT * 1e9 > near
    assert certified_within(1.0, 1.0, share=1e-3) == 1e-3


def test_the_touching_band_goes_by_the_smaller_body_and_grows_with_a_gap_or_rounding() -> None:
    band = touching_band(1.0, 1.0, 0.0)
    assert band == TOUCHING == touching_band(1.0, 10.0, 10.0)
    assert touching_band(0.1, 1.0, 0.0) < band
    assert touching_band(1.0, 1.0, 0.0, gap=1e-6) == 1e-6
    assert touching_band(1.0, 1.0, 1e9) > 1e-7
