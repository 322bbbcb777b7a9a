"""The chart of bounds against steps: its numbers, and the limits and ticks of its axes."""

from __future__ import annotations

import numpy as np
import pytest

from app.draw.theme import DARK
from app.io.presets import load_preset
from app.overlays.context import Context
from app.panels.bounds_chart import (
    BoundsChart,
    BoundsSeries,
    band_limits,
    band_ticks,
    comes_before_bounds,
    log_ticks,
    on_log_scale,
)
from app.render.pictures import build
from app.stages import parts_of
from app.state.view import WHOLE, View
from core.analysis.analysis import analyse
from core.query.query import Phase, Query, query


def asked(preset: str) -> Query:
    return query(analyse(load_preset(preset).scene))


@pytest.mark.parametrize(("phase", "what"), [(Phase.GJK, "distance"), (Phase.EPA, "depth")])
def test_the_band_is_that_of_the_steps(phase: Phase, what: str) -> None:
    found = asked("skew-edges")
    bounds = BoundsSeries.of(found, phase)
    assert bounds is not None
    assert bounds.what == what
    for k, place in enumerate(bounds.places):
        step = found.moments[place].step
        assert (bounds.lower[k], bounds.upper[k]) == (step.lower, step.upper)
        assert bounds.numbers[k] == found.moments[place].index + 1, "as on the timeline and the card"
    assert np.all(bounds.uncertainty >= 0.0)
    count = len(bounds.places)
    assert bounds.nearest(-5.0, count) == 0
    assert bounds.nearest(1e9, count) == count - 1
    assert bounds.nearest(1e9, 1) == 0, "what is not known yet is not pointed at"


def test_at_a_step_the_iterations_after_it_are_not_known() -> None:
    """The lesson asks where the bounds go: the chart must not show it before the learner has walked there."""
    found = asked("flat-inside")
    bounds = BoundsSeries.of(found, Phase.EPA)
    assert bounds is not None
    start = next(place for place, moment in enumerate(found.moments) if moment.phase is Phase.EPA)
    assert bounds.known_at(start) == 0, "the hand-over has no bounds"
    assert [bounds.known_at(place) for place in bounds.places] == [1, 2, 3, 4, 5]


def test_the_steps_of_the_chart_begin_at_1_as_on_the_timeline() -> None:
    """EPA's first step, the hand-over, has no bounds: its place stays empty."""
    bounds = BoundsSeries.of(asked("flat-inside"), Phase.EPA)
    assert bounds is not None
    assert bounds.numbers[0] == 2.0
    level, _ = BoundsChart()._axes(bounds, 6, log=False)
    assert min(level.ticks) == 1.0


@pytest.mark.parametrize("phase", [Phase.GJK, Phase.EPA])
def test_a_steps_bounds_are_known_from_the_sub_step_on_that_tells_them(phase: Phase) -> None:
    found = asked("skew-edges")
    for moment in (moment for moment in found.moments if moment.phase is phase):
        names = [part.name for part in parts_of(found, moment)]
        early = [comes_before_bounds(phase, name) for name in names]
        if "bounds" in names:
            assert early == [k < names.index("bounds") for k in range(len(names))]
    assert not comes_before_bounds(phase, WHOLE)
    assert not comes_before_bounds(Phase.SAT, "axis"), "SAT has no bounds"


def test_epa_in_the_plane_has_its_bounds_too() -> None:
    found = asked("flat-inside")
    bounds = BoundsSeries.of(found, Phase.EPA)
    assert bounds is not None
    assert bounds.what == "depth"
    steps = [found.moments[place].step for place in bounds.places]
    assert bounds.lower.tolist() == [step.lower for step in steps]
    assert bounds.upper.tolist() == [step.upper for step in steps]
    assert bounds.numbers.tolist() == [2.0, 3.0, 4.0, 5.0, 6.0]
    assert bounds.uncertainty[-1] <= 1e-12
    assert bounds.lower[-1] == pytest.approx(-found.analysis.separation)
    assert BoundsSeries.of(found, Phase.PLANES) is None


def test_phases_without_bounds_have_no_chart() -> None:
    found = asked("skew-edges")
    assert BoundsSeries.of(found, Phase.SAT) is None
    assert BoundsSeries.of(found, Phase.CONTACTS) is None


def test_an_uncertainty_of_0_stands_below_the_others_on_the_log_scale() -> None:
    shown = on_log_scale(np.array([1.0, 1e-3, 0.0]))
    assert shown.tolist() == [1.0, 1e-3, 1e-4]
    assert on_log_scale(np.zeros(2)).min() > 0.0


@pytest.mark.parametrize(("low", "high"), [(1e-17, 10.0), (0.3, 40.0), (2e-9, 3e-1), (0.5, 2.0)])
def test_the_log_scale_has_few_whole_powers(low: float, high: float) -> None:
    ticks = log_ticks(low, high, 4)
    assert 1 <= len(ticks) <= 4
    assert all(low <= tick <= high for tick in ticks)
    assert np.allclose(np.log10(ticks), np.round(np.log10(ticks)))


@pytest.mark.parametrize("most", [2, 3, 6])
@pytest.mark.parametrize(("low", "high"), [(0.408, 0.601), (-0.13, 1.76), (123.4, 123.48), (0.99, 10.01), (2e-7, 9e-7)])
def test_the_band_has_few_round_numbers_at_equal_steps(low: float, high: float, most: int) -> None:
    ticks = band_ticks(low, high, most)
    assert 1 <= len(ticks) <= most
    assert all(low <= tick <= high for tick in ticks)
    assert np.allclose(np.diff(ticks, 2), 0.0, atol=1e-9 * (high - low))
    assert len({f"{tick:.6g}" for tick in ticks}) == len(ticks)
    assert len(band_ticks(low, high, 6)) >= 3


@pytest.mark.parametrize("size", [1e-6, 0.51969, 1.0, 3e6])
def test_bounds_that_differ_by_rounding_lie_on_one_another(size: float) -> None:
    """Else the band would look wide open where GJK stops at once, with the same number at both of its ends."""
    low, high = band_limits(size, np.nextafter(size, np.inf))
    assert low < 0.95 * size < 1.05 * size < high
    low, high = band_limits(-size, size)
    assert -1.2 * size < low < -size < size < high < 1.2 * size
    assert band_limits(0.0, 0.0) == (-0.1, 0.1)


@pytest.mark.parametrize(
    ("preset", "phase"), [("skew-edges", Phase.GJK), ("flat-corner-gap", Phase.GJK), ("flat-inside", Phase.EPA)]
)
def test_a_bound_has_one_colour_in_the_chart_and_in_every_picture(preset: str, phase: Phase) -> None:
    found, told = asked(preset), 0
    bounds = BoundsSeries.of(found, phase)
    assert bounds is not None
    lower, upper = DARK.lower, DARK.upper
    colours = {"distance ≥": lower, "depth ≥": lower, "at least": lower, "distance ≤": upper, "depth ≤": upper}
    for place in bounds.places:
        for part in (WHOLE, *(part.name for part in parts_of(found, found.moments[place]))):
            seen = Context(found.analysis.scene, found.analysis, View(), DARK, found, place, part=part)
            for label in build(seen).difference.labels:
                for words, rgba in colours.items():
                    if label.text.startswith(words):
                        assert label.rgba == rgba, (place, part, label.text)
                        told += 1
    assert told
