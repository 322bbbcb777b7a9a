"""The words about every step of a motion: none with a hole in it, and every formula true by the step's own numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.stages import stage_of, step_text
from app.stages.motion.word_parts import MEANINGS, RAY_MEANINGS
from app.stages.stage import At
from core.query.query import MOTION_PHASES, MotionStep, Phase
from core.rays.raycast import GjkRaycastStep, GjkRaycastStop
from core.scene import Body
from core.shapes import HalfSpace
from core.toi.advancement import AdvancementStep
from core.toi.half_spaces import PlaneStep
from core.toi.intervals import IntervalStep, SweptAxisStep
from core.toi.motion import MotionStop
from core.toi.spheres import SphereBoxStep, SpheresStep

from .formula_reader import half_units, name_and_rest, off, parts, read, shown_values, sizes, tex_sizes, within
from .motion_step_samples import ALL, asked, every_text, flat
from .step_word_samples import check_lines, line_of


@pytest.mark.parametrize("name", ALL)
def test_every_text_is_whole(name: str) -> None:
    for found, moment, _, text in every_text(name):
        check_lines(text, longest=420, title=62)
        assert not any(sentence[0].islower() for sentence in (text.known, text.decided, text.why))
        assert (text.stop is not None) is moment.last
        assert line_of(found, moment).strip()
        assert stage_of(moment.phase).label(At(found, moment))
        if text.stop is not None and moment.phase in found.results:
            assert text.stop.good is (found.results[moment.phase].outcome.value != "ITERATION_LIMIT")


@pytest.mark.parametrize("name", ALL)
def test_the_numbers_in_a_formula_give_the_number_shown(name: str) -> None:
    for _, _, _, text in every_text(name):
        for formula in text.formulas:
            _, expression, sign, result = parts(formula)
            if expression is None:
                continue
            value, shown = read(expression), read(result)
            largest = max((size for size in sizes(expression) if np.isfinite(size)), default=0.0)
            # Four digits of every number: of the result, or where digits cancel (≈) of the largest product.
            allowed = half_units(shown) + 1e-14 * largest if sign == "=" else 2e-3 * max(largest, largest * largest)
            # Divided by a small number they cancel the more.
            below = expression.rpartition(" / ")[2] if sign == "≈" and " / " in expression else "1"
            allowed /= min(abs(read(below)), 1.0)
            assert within(value, shown, allowed), formula.plain


@pytest.mark.parametrize("name", ALL)
def test_tex_and_text_show_the_same_numbers(name: str) -> None:
    for _, _, _, text in every_text(name):
        for formula in text.formulas:
            assert tex_sizes(formula) == set(sizes(name_and_rest(formula)[1])), (formula.tex, formula.plain)


def near(shown: object, value: object, scale: float = 1.0) -> bool:
    return off(shown, value) <= 6e-4 * float(np.max(np.abs(value))) + 1e-13 * scale


@pytest.mark.parametrize("name", [name for name in ALL if not flat(name)])
def test_the_number_shown_is_the_steps_own(name: str) -> None:
    """Worked out anew from the bodies and the step, not from the text."""
    for found, _, of, text in every_text(name):
        shown, step = shown_values(text), of.motion
        assert found.sweep is not None
        motion = found.sweep.motion
        way = motion.displacement
        if isinstance(step, IntervalStep) and "entry" in shown:
            axis = step.table.axes[step.row]
            low_a, high_a = reach(motion.a, axis)
            low_b, high_b = reach(motion.b, axis)
            speed = float(axis @ way)
            first = ((low_b - high_a) if speed < 0.0 else (low_a - high_b)) / abs(speed)
            last = ((high_b - low_a) if speed < 0.0 else (high_a - low_b)) / abs(speed)
            assert near(shown["entry"], first, 1.0 / abs(speed))
            assert near(shown["exit"], last, 1.0 / abs(speed))
        elif isinstance(step, SweptAxisStep) and "s" in shown:
            low_a, high_a = reach(motion.a, step.axis)
            ends = [np.array(reach(motion.b, step.axis)) + t * float(step.axis @ way) for t in (0.0, 1.0)]
            low, high = min(e[0] for e in ends), max(e[1] for e in ends)
            assert near(shown["s"], max(low - high_a, low_a - high), 10.0)
        elif isinstance(step, GjkRaycastStep):
            assert near(shown["x"], step.t * way)
            if step.clipped:
                assert near(shown["t′"], step.next_t)
        elif isinstance(step, AdvancementStep):
            gap = np.linalg.norm(step.witness_b - step.witness_a)
            assert abs(gap - abs(step.distance)) <= 1e-7 + 1e-12 * np.abs(step.witness_a).max()
            assert near(shown["n"], step.normal)
            if "t′" in shown:
                assert step.time < float(shown["t′"]) + 5e-5
        elif isinstance(step, SpheresStep) and "m" in shown:
            times = np.linspace(0.0, 1.0, 2001)
            least = np.linalg.norm(step.offset + times[:, None] * step.velocity, axis=1).min()
            assert float(shown["m"]) <= least + 6e-4 * (1.0 + least)
            assert float(shown["m"]) >= least - 1e-3 * (1.0 + np.linalg.norm(way))
        elif isinstance(step, SphereBoxStep) and "t" in shown:
            centre = step.centre + float(shown["t"]) * step.velocity
            beside = np.linalg.norm(np.maximum(np.abs(centre) - step.half_extents, 0.0))
            assert beside == pytest.approx(step.radius, abs=1e-4 * (1.0 + np.abs(step.velocity).max()))
        elif isinstance(step, PlaneStep) and "gap" in shown:
            body = motion.b if isinstance(motion.a.shape, HalfSpace) else motion.a
            assert near(
                shown["gap"], float(step.normal @ body.pose.position) - step.offset - reach_of(body, step), 10.0
            )


def reach(body: Body, axis: np.ndarray) -> tuple[float, float]:
    """A body's shadow on an axis, from A's position."""
    local, at = axis @ body.pose.matrix, float(axis @ np.array(body.position))
    return at - float(body.shape.reach(-local)), at + float(body.shape.reach(local))


def reach_of(body: Body, step: PlaneStep) -> float:
    return float(body.shape.reach(-step.normal @ body.pose.matrix))


def test_the_sample_has_every_phase_and_most_ways_out() -> None:
    moments = [moment for name in ALL for _, moment, _, _ in every_text(name)]
    assert {moment.phase for moment in moments} == MOTION_PHASES
    stops = {asked(name).sweep.result.stop for name in ALL}
    assert stops >= {
        MotionStop.HIT,
        MotionStop.OVERLAPPING_AT_START,
        MotionStop.TOUCHING_AT_START,
        MotionStop.NO_MOTION,
        MotionStop.MOVING_AWAY,
        MotionStop.PASSES_BY,
        MotionStop.OUT_OF_TIME,
    }
    assert set(MEANINGS) == set(MotionStop)
    assert set(RAY_MEANINGS) == set(GjkRaycastStop)


@pytest.mark.parametrize("stop", GjkRaycastStop)
def test_every_way_out_of_the_ray_cast_has_its_line(stop: GjkRaycastStop) -> None:
    found = asked("tunnelling")
    last = next(m for m in found.moments if m.phase is Phase.RAY and m.last)
    assert isinstance(last.step, MotionStep)
    assert isinstance(last.step.motion, GjkRaycastStep)
    from msgspec.structs import replace

    made = replace(last, step=replace(last.step, motion=replace(last.step.motion, stop=stop)))
    text = step_text(found, made)
    assert text.stop is not None
    assert text.stop.name == stop.value
    assert text.stop.meaning.startswith(RAY_MEANINGS[stop])
    assert stop.value in line_of(found, made)


def test_a_hit_says_when_and_what_is_left_signed_and_with_its_unit() -> None:
    for name in ("tunnelling", "turning-boxes", "balls-head-on", "tilted-egg-falls", "sphere-past-a-box"):
        found = asked(name)
        stops = [text.stop for _, moment, _, text in every_text(name) if moment.phase is Phase.ADVANCEMENT]
        assert stops[-1] is not None
        left = r"(\+\S+( × 10\S+)?|0|≈ 0) units left\."
        assert re.search(rf"They touch at t = 0\.\d+, with a separation of {left}", stops[-1].meaning), stops[-1]
        assert found.sweep is not None
