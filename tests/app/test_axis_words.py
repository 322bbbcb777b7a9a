"""The numbers in words: signs, provenance, verdicts and the reason beside each axis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.draw.theme import DARK
from app.io.presets import load_preset
from app.lessons.shelf import shelf
from app.overlays.context import Context
from app.render.pictures import build
from app.state.view import View
from app.words.axis_words import (
    epa_words,
    gjk_words,
    listed,
    provenance_words,
    reason,
    reasons,
    sat_words,
    verdict_line,
)
from app.words.digits import column_number, full, instant, plain
from core.analysis.analysis import Analysis, analyse
from core.scene import Body, Scene
from core.shapes import Box, Cone, Cylinder, Ellipsoid, HalfSpace, Sphere
from core.verdict import Certainty, Provenance


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "+0.500000"),
        (-0.5, "−0.500000"),
        (0.0, "0"),
        (-0.0, "0"),
        (123456.7, "+123457"),
        (1234567.0, "+1.23457e6"),
        (1e7, "+1.00000e7"),
        (-1.5e-17, "−1.50000e−17"),
        (0.000012345678, "+1.23457e−5"),
        (0.00012345678, "+0.000123457"),
        (float("nan"), "–"),
        (float("inf"), "+∞"),
        (float("-inf"), "−∞"),
    ],
)
def test_numbers_have_six_digits_and_a_true_minus(value: float, text: str) -> None:
    assert column_number(value) == text


def test_inside_a_sentence_zeros_and_plus_are_left_out() -> None:
    assert [plain(v) for v in (0.5, -2.0, 1e-17, 100.0, 0.0)] == ["0.5", "−2", "≈ 0 (1e−17)", "100", "0"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_full_numbers_read_back_as_the_same_double(value: float) -> None:
    assert repr(float(full(value))) == repr(value)


def test_provenance_in_words() -> None:
    assert provenance_words(Certainty(Provenance.EXACT)) == "exact"
    assert provenance_words(Certainty(Provenance.CERTIFIED, 1e-10)) == "certified within 1 × 10⁻¹⁰"
    assert provenance_words(Certainty(Provenance.BOUND, 0.5)) == "a bound, within 0.5"
    assert provenance_words(Certainty(Provenance.BOUND)) == "a bound"
    assert provenance_words(Certainty(Provenance.FALLBACK)) == "not certified"


def test_lists_in_words() -> None:
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def preset(name: str) -> Analysis:
    return analyse(load_preset(name).scene)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("skew-edges", "Overlapping: 0.313 units along A.z × B.y, exact"),
        (
            "stacked-cubes",
            "Overlapping: 0.1 units along A.y (tied with B.y, A.x × B.z and A.z × B.x), exact",
        ),
        ("crossed-edges", "Separated: 0.05 units apart along A.x × B.z, exact"),
        (
            "gap-between-corners",
            "Separated: 0.52 units apart, exact; SAT's largest gap is only 0.3, along A.x",
        ),
        ("corner-touch", "Touching: a gap of 0 along A.x (tied with 11 others), within the tolerance of ±5 × 10⁻¹³"),
    ],
)
def test_the_verdict_is_one_sentence(name: str, line: str) -> None:
    assert verdict_line(preset(name)) == line


def test_a_gap_inside_the_band_is_told_with_its_sign() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (1.0 + 2.0**-52, 0.3, 0.0)))
    assert verdict_line(analyse(scene)).startswith("Touching: a gap of ≈ 0 (2e−16) units along A.x")


def row(analysis: Analysis, label: str) -> int:
    return next(k for k, candidate in enumerate(analysis.sat.candidates) if candidate.label == label)


@pytest.mark.parametrize(
    ("name", "label", "words"),
    [
        ("skew-edges", "A.z×B.y", "decides: least overlap"),
        ("skew-edges", "A.x", "overlaps 0.374 more than A.z × B.y"),
        ("stacked-cubes", "A.y", "decides: least overlap, tied with B.y, A.x × B.z and A.z × B.x"),
        ("stacked-cubes", "B.y", "tied with A.y; same direction"),
        ("stacked-cubes", "B.x", "same direction as A.x"),
        ("stacked-cubes", "A.x×B.x", "edges parallel, no direction, covered by A.y and A.z"),
        ("crossed-edges", "A.x×B.z", "decides: largest gap"),
        ("gap-between-corners", "A.y", "tied with A.x"),
        ("gap-between-corners", "B.y", "tied with A.x; same direction as A.y"),
        ("corner-touch", "A.x", "decides: least overlap, tied with 11 others"),
        ("sphere-edge-region", "A.z", "no gap; worse than A.v4v7 → B by 1.13"),
    ],
)
def test_every_axis_has_its_reason(name: str, label: str, words: str) -> None:
    analysis = preset(name)
    assert reason(analysis, row(analysis, label)) == words


def test_a_nearly_parallel_axis_names_the_faces_that_stand_in_for_it() -> None:
    analysis = preset("nearly-parallel-edges")
    words = reason(analysis, row(analysis, "A.y×B.y"))
    assert words.startswith("edges nearly parallel (sin 0.0012")
    assert ", covered by " in words


def test_an_axis_that_separates_less_says_so() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (3.0, 2.0, 0.0)))
    analysis = analyse(scene)
    assert reason(analysis, row(analysis, "A.y")) == "also separates; gap smaller by 1"


def test_coincident_spheres_have_a_way_out_in_every_direction() -> None:
    analysis = analyse(Scene(Body(Sphere(1.0)), Body(Sphere(0.5))))
    assert verdict_line(analysis) == "Overlapping: 1.5 units in any direction, exact"
    assert reasons(analysis) == ("the centres coincide: every direction is equally short",)


def test_a_curved_pair_speaks_of_the_final_normal_and_of_its_gap() -> None:
    analysis = analyse(Scene(Body(Ellipsoid((0.5, 0.5, 0.5))), Body(Cone(0.5, 1.0), (0.3, 0.9, 0.0))))
    assert verdict_line(analysis).startswith("Overlapping: 0.1 units along the normal, certi")
    assert sat_words(analysis).startswith("SAT does not apply")
    assert reason(analysis, 0) == "the normal that GJK or EPA found; SAT does not apply here"
    apart = analyse(Scene(Body(Ellipsoid((0.5, 0.5, 0.5))), Body(Cone(0.5, 1.0), (0.3, 2.0, 0.0))))
    assert verdict_line(apart).startswith("Separated: 1 unit apart, certified within ")
    assert epa_words(apart) == "not needed: the cores are apart, so GJK's distance minus the radii is the answer"
    assert gjk_words(apart).endswith("separation +1.00000, certified")


def test_a_bound_is_called_one_with_its_gap() -> None:
    analysis = analyse(Scene(Body(Ellipsoid((0.5, 3.0, 0.5))), Body(Cylinder(0.2, 2.0))))
    assert "0.7 units along the normal, a bound, within 0.000" in verdict_line(analysis)
    assert epa_words(analysis).startswith("ITERATION_LIMIT after 256 iterations: depth +0.700025, a bound, within 0")
    assert gjk_words(analysis).endswith(": the cores touch or overlap")


def test_a_half_space_is_nothing_for_gjk_and_epa() -> None:
    analysis = analyse(Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Box((1.0, 1.0, 1.0)), (0.0, 2.0, 0.0))))
    assert gjk_words(analysis) == "does not apply: a half-space is unbounded and has no support points"
    assert epa_words(analysis) == "does not apply to a half-space"
    assert sat_words(analysis) == ""


@pytest.mark.parametrize(
    ("time", "told"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.25, "0.25"),
        (0.4224469, "0.422"),
        (1.31353e-7, "1.31 × 10⁻⁷"),
        (-0.00002, "−2 × 10⁻⁵"),
        (0.99998, "0.99998"),
        (-1.037644, "−1.04"),
    ],
)
def test_a_time_that_is_not_the_start_or_the_end_never_reads_as_such(time: float, told: str) -> None:
    assert instant(time) == told


def test_a_gap_below_the_distance_never_reads_as_the_distance() -> None:
    """SAT's largest gap is 1.115 and the distance 1.118: three digits would show one number for both."""
    pair = next(known for known in shelf() if known.id == "one-point-tells-all").scenes["apart"].scene
    found = analyse(pair)
    drawn = {label.text for label in build(Context(pair, found, View(), DARK)).world.labels}
    assert {"distance 1.118", "gap 1.115"} <= drawn
    assert verdict_line(found).startswith("Separated: 1.118 units apart")
    assert "only 1.115," in verdict_line(found)
