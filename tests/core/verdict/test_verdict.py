"""What the words of an answer promise: the verdict's band, and how a number is known by its bounds."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from core import Body, Cylinder, Ellipsoid, Scene, Verdict, analyse
from core.geometry.quaternion import normalized
from core.pair.pair import PairScale
from core.verdict import Bounded, Certainty, Provenance, Sentence, certainty_of, formula, uncertified, verdict_of

EXACT, CERTIFIED, BOUND, FALLBACK = Provenance


@pytest.mark.parametrize(
    ("separation", "verdict"),
    [
        (0.2, Verdict.SEPARATED),
        (0.1000001, Verdict.SEPARATED),
        (0.1, Verdict.TOUCHING),
        (0.0, Verdict.TOUCHING),
        (-0.1, Verdict.TOUCHING),
        (-0.1000001, Verdict.OVERLAPPING),
        (-inf, Verdict.OVERLAPPING),
    ],
)
def test_the_band_belongs_to_touching_on_both_sides(separation: float, verdict: Verdict) -> None:
    assert verdict_of(separation, 0.1) is verdict


@pytest.mark.parametrize(
    ("lower", "upper", "known"),
    [
        (1.0, 1.0, Certainty(EXACT)),
        (1.0, 1.0 + 1e-13, Certainty(EXACT)),
        (1.0, 1.25, Certainty(CERTIFIED, 0.25)),
        (1.25, 1.0, Certainty(CERTIFIED, 0.25)),
        (1.0, 1.5, Certainty(CERTIFIED, 0.5)),
        (1.0, 1.75, Certainty(BOUND, 0.75)),
        (-inf, 1.0, Certainty(FALLBACK)),
        (1.0, inf, Certainty(FALLBACK)),
        (nan, 1.0, Certainty(FALLBACK)),
    ],
)
def test_two_bounds_say_how_a_number_is_known(lower: float, upper: float, known: Certainty) -> None:
    assert certainty_of(lower, upper, 0.5, exact=1e-12) == known


def test_an_iterated_number_is_never_exact() -> None:
    assert certainty_of(1.0, 1.0, 0.5) == Certainty(CERTIFIED, 0.0)


def test_a_number_by_formula_is_exact_where_it_is_reached() -> None:
    assert formula(0.5) == Certainty(EXACT)
    assert formula(0.5, reached=False) == Certainty(BOUND)
    assert formula(nan) == formula(inf, reached=False) == Certainty(FALLBACK)


def test_a_number_whose_bounds_are_good_to_nothing_known_is_a_bound_or_nothing() -> None:
    assert uncertified(0.5, bound=False) == Certainty(BOUND, 0.5)
    assert uncertified(0.0, bound=True) == Certainty(BOUND, 0.0)
    assert uncertified(0.0, bound=False) == Certainty(FALLBACK, 0.0)


@pytest.mark.parametrize("provenance", [EXACT, CERTIFIED, BOUND])
def test_bounds_that_are_good_to_a_gap_prove_no_more_than_it(provenance: Provenance) -> None:
    assert Certainty(provenance, 0.0).at_least(0.25) == Certainty(provenance, 0.25)
    assert Certainty(provenance, 0.5).at_least(0.25) == Certainty(provenance, 0.5)


def test_where_nothing_is_proved_no_gap_is_told() -> None:
    assert Certainty(FALLBACK).at_least(0.25) == Certainty(FALLBACK)


def test_of_curved_bodies_no_number_is_said_to_be_known_better_than_rounding_lets_it() -> None:
    """Bounds may meet to the last place: the sums that made them are good to rounding all the same."""
    rng = np.random.default_rng(7)
    for _ in range(60):
        a, b = (
            Body(shape, place, normalized(tuple(rng.normal(size=4).tolist())))
            for shape, place in (
                (Ellipsoid(tuple(rng.uniform(0.3, 1.0, 3).tolist())), (0.0, 0.0, 0.0)),
                (Cylinder(0.5, 1.0), tuple((2.0 * rng.normal(size=3)).tolist())),
            )
        )
        assert analyse(Scene(a, b)).certainty.gap >= PairScale.of(a, b).rounding


def test_a_sentence_writes_its_numbers_with_its_own_digits_and_is_continued() -> None:
    told = Sentence("{:.3g} apart", (0.123456,)) + Sentence(", {:.1f} deep", (2.0,))
    assert str(told) == "0.123 apart, 2.0 deep"
    assert told.numbers == (0.123456, 2.0)


@pytest.mark.parametrize(
    ("upper", "known"),
    [
        (1.0, Certainty(CERTIFIED)),
        (1.5, Certainty(CERTIFIED, 0.5)),
        (1.75, Certainty(BOUND, 0.75)),
        (inf, Certainty(FALLBACK)),
    ],
)
def test_a_result_between_bounds_is_certified_if_these_are_as_close_as_it_asks_for(
    upper: float, known: Certainty
) -> None:
    class Found(Bounded):
        lower, within = 1.0, 0.5

    found = Found()
    found.upper = upper
    assert (found.gap, found.certainty) == (upper - 1.0, known)
    assert found.certified is (known.provenance is CERTIFIED)
