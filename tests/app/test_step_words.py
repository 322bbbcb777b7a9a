"""The words about every step: no text with a hole in it, and every formula true by its own numbers and the step's."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.stages import ALGORITHMS, stage_of, step_text
from app.stages.article import edge_name, point_name
from app.stages.epa.steps import STOPS as EPA_STOPS
from app.stages.gjk.steps import STOPS as GJK_STOPS
from app.stages.stage import At, size_of
from app.stages.word_parts import SIMPLICES, StepText
from app.words.digits import MINUS, ROUNDING_LENGTH
from app.words.names import lettered, numbered
from core.contact.contact import (
    ClipStep,
    CornerDepthsStep,
    CutStep,
    DepthStep,
    EdgesStep,
    EndsStep,
    FeaturesStep,
    FlatStep,
    LevelStep,
    NormalStep,
    ReduceStep,
    ShadowsStep,
    WitnessStep,
)
from core.gjk.article_gjk import ArticleStep
from core.gjk.epa import EpaAction, EpaStep, EpaStop
from core.gjk.gjk import GjkStep, GjkStop
from core.gjk.plane_epa import EpaPolygonStep
from core.minkowski.difference import BuildAction, BuildStep
from core.pair.candidate_axes import AxisKind
from core.query.query import MOTION_PHASES, Moment, Phase, Query
from core.sat.sat import SatStep
from core.sat.separating_planes import PlanesTestStep
from core.scene import Body, Scene
from core.trace import PlanarStep

from .formula_reader import half_units, name_and_rest, off, parts, read, shown_values, sizes, tex_sizes, within
from .point_oracle import name_of
from .step_word_samples import CLIPPED, SAMPLES, asked, check_lines, every_text, line_of


@pytest.mark.parametrize(("name", "variant"), SAMPLES)
@pytest.mark.sampled(4, "scenes")
def test_every_text_is_whole_and_its_numbers_are_true(name: str, variant: str) -> None:
    for found, moment, text in every_text(name, variant):
        check_whole(found, moment, text)
        check_formulas(text)
        check_tex(text)
        check_numbers(found, moment, text)
        check_line(found, moment, text)


def check_whole(found: Query, moment: Moment, text: StepText) -> None:
    """Its lines are, and it has a stop where the phase stops."""
    check_lines(text, longest=400, title=60)
    assert max(len(word) for sentence in (text.known, text.decided, text.why) for word in sentence.split()) <= 40
    assert (text.stop is not None) is (moment.last or getattr(moment.step, "stop", None) is not None) or (
        (moment.phase in (Phase.BUILD, Phase.CONTACTS) and found.manifold is None) or moment.phase is Phase.BUILD
    )


def check_formulas(text: StepText) -> None:
    """The numbers in a formula give the number shown, and no formula is there twice."""
    assert len(set(text.formulas)) == len(text.formulas)
    for formula in text.formulas:
        _, expression, sign, result = parts(formula)
        if expression is None:
            continue
        value, shown = read(expression), read(result)
        largest = max((size for size in sizes(expression) if np.isfinite(size)), default=0.0)
        # Four digits of every number: of the result, or where digits cancel (≈) of the largest product.
        # Both ends 0 to rounding: what is left of it is shown, and told by ≈.
        largest = largest or 1e-9
        allowed = half_units(shown) + 1e-14 * largest if sign == "=" else 2e-3 * max(largest, largest * largest)
        assert within(value, shown, allowed), formula.plain
        # And where they do give it, it says so: ≈ is for digits that cancel. Just below 1 the last digit is finer.
        assert sign == "=" or not within(value, shown, 0.0999 * half_units(shown)), formula.plain


def check_tex(text: StepText) -> None:
    """TeX and plain text show the same numbers."""
    for formula in text.formulas:
        assert tex_sizes(formula) == set(sizes(name_and_rest(formula)[1])), (formula.tex, formula.plain)


def near(shown: object, value: object, scale: float) -> bool:
    return off(shown, value) <= 6e-4 * float(np.max(np.abs(value))) + 1e-14 * scale


def check_numbers(found: Query, moment: Moment, text: StepText) -> None:
    """Each is the step's own, worked out anew from the arrays of the step and of the bodies, not from the text."""
    shown, step = shown_values(text), moment.step
    scene, size = found.analysis.scene, 2 if is_flat(found) else 3
    if isinstance(step, SatStep) and step.separation is not None:
        axis = found.analysis.sat.sides[step.row] * found.analysis.sat.axes[step.row]
        (low_a, high_a), (low_b, high_b) = (interval(scene, body, axis) for body in (scene.a, scene.b))
        scale = max(abs(v) for v in (low_a, high_a, low_b, high_b) if np.isfinite(v))
        assert near(shown["s"], low_b - high_a, 10 * scale)
        assert near(shown["n"], axis[:size], 1.0)
    elif isinstance(step, GjkStep):
        points = np.array([step.simplex[k].a - step.simplex[k].b for k in step.region])[:, :size]
        # A float32 is rounded 2^29 times as coarsely.
        coarser = 1.0 if found.in_double is None else 2.0**29
        v, scale = np.asarray(step.weights) @ points, 10.0 * coarser * float(np.abs(points).max())
        assert near(shown["v"], v, scale)
        if any(formula.plain == "|v| ≈ 0" for formula in text.formulas):
            # Rounding beside the bodies, and not exactly 0.
            assert 0.0 < np.linalg.norm(v) < ROUNDING_LENGTH * size_of(found.analysis)
        else:
            assert near(shown["|v|"], np.linalg.norm(v), scale)
        if step.support is not None and step.direction is not None:
            direction = step.direction[:size]
            assert near(shown["d"], direction, 1.0)
            straight = any("-v /" in formula.tex for formula in text.formulas)
            rounded, least = (2e-9, 1e-7) if found.in_double is None else (1e-6, 0.1)
            assert straight is bool(np.abs(direction + v / np.linalg.norm(v)).max() <= rounded) or step.upper < least
            bound = -(step.direction @ (step.support.a - step.support.b))
            assert near(shown[f"{MINUS}d·{name_of(found, step.support)}"], bound, scale)
            assert near(shown["lower"], step.lower, scale)
    elif isinstance(step, EpaStep) and step.nearest is not None:
        corners = np.array([step.vertices[k].w for k in step.nearest.vertices])
        normal, scale = np.array(step.nearest.normal), 100.0 * max(np.abs(p.w).max() for p in step.vertices)
        first = step.vertices[step.nearest.vertices[0]]
        assert near(shown[f"n·{name_of(found, first)}"], corners[0] @ normal, scale)
        assert step.support is not None
        assert near(shown[f"n·{name_of(found, step.support)}"], step.support.w @ normal, scale)
        assert near(shown["upper"], step.upper, scale)
        assert near(shown.get(f"{MINUS}lower", -(step.lower or 0.0)), -(step.lower or 0.0), scale)
    elif isinstance(step, BuildStep) and step.action is BuildAction.SUBTRACT:
        assert near(shown["w"], step.points[len(step.points) - step.newest][:size], 1.0)
    elif isinstance(step, PlanarStep):
        check_planar(found, step, shown)


def is_flat(found: Query) -> bool:
    return found.analysis.polygon is not None


def check_planar(found: Query, step: PlanesTestStep | ArticleStep | EpaPolygonStep, shown: dict[str, object]) -> None:
    """The same of the steps that only the plane has."""
    if isinstance(step, PlanesTestStep):
        other = found.analysis.scene.body(1 - step.body)
        corners = other.pose.to_world(other.shape.core.points)[list(step.numbers), :2]
        along = np.array(step.end) - step.start
        normal = np.array((along[1], -along[0])) / np.linalg.norm(along)
        least = numbered("ba"[step.body], step.nearest)
        assert near(shown["n"], normal, 1.0)
        assert near(shown[f"n·({least} {MINUS} e)"], ((corners - step.start) @ normal).min(), 10.0)
    elif isinstance(step, ArticleStep):
        name = point_name(found, step.support) if lettered(found.analysis.scene) else "w"
        w = np.subtract(step.support.a, step.support.b)[:2]
        assert near(shown[name], w, 10.0)
        if step.number > 1:
            assert near(shown[f"{name}·d"], w @ step.direction, 10.0)
        for test in step.tests:
            ends = edge_name(found, test.start, test.end)
            assert near(shown[f"{ends}: n·({MINUS}w)"], -np.dot(test.direction, test.start.w[:2]), 10.0)
    elif step.nearest is not None:
        p, q = (step.vertices[end].w[:2] for end in (step.nearest.start, step.nearest.end))
        normal = np.array(((q - p)[1], (p - q)[0])) / np.linalg.norm(q - p)
        assert step.support is not None
        assert near(shown["n"], normal, 1.0)
        assert near(shown[f"n·{name_of(found, step.vertices[step.nearest.start])}"], p @ normal, 10.0)
        assert near(shown[f"n·{name_of(found, step.support)}"], normal @ step.support.w[:2], 10.0)
        assert near(shown["upper"], step.upper, 10.0)


def interval(scene: Scene, body: Body, axis: np.ndarray) -> tuple[float, float]:
    """The body's shadow on the axis, from A's position."""
    away = float(axis @ np.subtract(body.position, scene.a.position))
    local = axis @ body.pose.matrix
    return away - float(body.shape.reach(-local)), away + float(body.shape.reach(local))


@pytest.mark.parametrize(("name", "variant"), CLIPPED)
def test_cuts_and_depths_are_the_polygons_own(name: str, variant: str) -> None:
    cuts = 0
    for found, moment, text in every_text(name, variant):
        step = moment.step
        if isinstance(step, ClipStep):
            fresh = [new for new, cut in zip(step.after, step.cut, strict=True) if cut]
            for number, formula in enumerate(text.formulas):
                cuts += 1
                share, new = read(parts(formula)[3]), fresh[number]
                corners = step.before.tolist()
                edges = [(np.array(p), np.array(q)) for p, q in zip(corners, corners[1:] + corners[:1], strict=True)]
                # The new corner of that number lies at that share of the way along an edge.
                assert any(
                    np.abs(p + share * (q - p) - new).max() <= 2e-3 * np.abs(q - p).max() + 1e-9 * np.abs(p).max()
                    for p, q in edges
                )
        elif isinstance(step, DepthStep) and text.formulas:
            assert near(shown_values(text)["depth"], step.depths.max(), 1.0)
        elif isinstance(step, EndsStep):
            scale = 10.0 * float(np.abs(step.points_a - scene_origin(found)).max() + 1.0)
            assert near(shown_values(text)["depth"], step.depths.max(), scale)
        elif isinstance(step, EdgesStep):
            assert found.manifold is not None
            depths = [contact.depth for contact in found.manifold.contacts]
            scale = 10.0 * float(np.abs(step.points_a - scene_origin(found)).max() + 1.0)
            assert not depths or any(near(shown_values(text)["depth"], depth, scale) for depth in depths)
    assert cuts > 0 or name != "a clipped face"


def scene_origin(found: Query) -> np.ndarray:
    return found.analysis.scene.a.pose.position


def test_the_sample_has_every_kind_of_step_and_stop() -> None:
    moments = [moment for name, variant in SAMPLES for _, moment, _ in every_text(name, variant)]
    steps = [moment.step for moment in moments]
    assert {type(step) for step in steps} == {
        BuildStep,
        SatStep,
        GjkStep,
        EpaStep,
        FeaturesStep,
        ClipStep,
        DepthStep,
        EdgesStep,
        EndsStep,
        ReduceStep,
        NormalStep,
        FlatStep,
        ShadowsStep,
        CutStep,
        LevelStep,
        CornerDepthsStep,
        WitnessStep,
        PlanesTestStep,
        ArticleStep,
        EpaPolygonStep,
    }
    assert {step.dimension for step in steps if isinstance(step, GjkStep)} == {2, 3}
    assert {moment.phase for moment in moments} == set(Phase) - {Phase.MPR} - MOTION_PHASES
    assert {step.action for step in steps if isinstance(step, BuildStep)} == set(BuildAction)
    assert {step.family for step in steps if isinstance(step, BuildStep)} >= {None, *AxisKind} - {AxisKind.CENTRES}
    assert {step.action for step in steps if isinstance(step, EpaStep)} == set(EpaAction)
    met = {step.stop for step in steps if isinstance(step, GjkStep) and step.stop is not None}
    assert met >= set(GjkStop) - {GjkStop.DEGENERATE_SIMPLEX, GjkStop.NO_PROGRESS}
    assert {step.stop for step in steps if isinstance(step, EpaStep) and step.stop is not None} >= set(EpaStop) - {
        EpaStop.ORIGIN_OUTSIDE,
        EpaStop.REPEATED_SUPPORT,
    }


@pytest.mark.parametrize("stop", GjkStop)
def test_every_stop_of_gjk_has_its_meaning(stop: GjkStop) -> None:
    found = asked("skew-edges")
    last = next(m for m in found.moments if m.phase is Phase.GJK and m.last)
    assert isinstance(last.step, GjkStep)
    made = replace(last, step=replace(last.step, stop=stop))
    text = step_text(found, made)
    assert text.stop is not None
    assert text.stop.name == stop.value
    # The title of a step that ends GJK says so, not which simplex it ends with.
    assert text.title.rpartition(": ")[2] not in SIMPLICES
    assert step_text(found, replace(made, step=replace(made.step, stop=None))).title.endswith(SIMPLICES[4])
    assert text.stop.meaning.startswith(At(found, made).worded(GJK_STOPS[stop]))
    assert text.stop.good is (stop not in (GjkStop.ITERATION_LIMIT, GjkStop.DEGENERATE_SIMPLEX))
    assert stop.value in line_of(found, made)


@pytest.mark.parametrize("stop", EpaStop)
def test_every_stop_of_epa_has_its_meaning(stop: EpaStop) -> None:
    found = asked("skew-edges")
    last = next(m for m in found.moments if m.phase is Phase.EPA and m.last)
    assert isinstance(last.step, EpaStep)
    made = replace(last, step=replace(last.step, stop=stop))
    text = step_text(found, made)
    assert text.stop is not None
    assert text.stop.name == stop.value
    assert text.stop.meaning.startswith(At(found, made).worded(EPA_STOPS[stop]))
    assert text.stop.good is (stop is not EpaStop.ITERATION_LIMIT)
    assert stop.value in line_of(found, made)


def test_what_ran_out_of_iterations_is_no_good_answer() -> None:
    texts = [text for _, _, text in every_text("box and cylinder", "few iterations")]
    stops = [text.stop for text in texts if text.stop is not None and text.stop.name == "ITERATION_LIMIT"]
    assert stops
    assert not any(stop.good for stop in stops)


def check_line(found: Query, moment: Moment, text: StepText) -> None:
    """Each moment has one line of its listing, which names what it stops by."""
    line = line_of(found, moment)
    assert line.strip()
    if moment.phase in (Phase.GJK, Phase.EPA) and text.stop is not None:
        assert text.stop.name in line


def test_listings_are_short_enough_to_take_in() -> None:
    assert [entry.phase for entry in ALGORITHMS] == list(Phase)
    for listing in (stage_of(phase).listing(dimension) for phase in Phase for dimension in (2, 3)):
        assert 7 <= len(listing.lines) <= 14
        assert all(len(line) <= 62 for line in listing.lines.values())


def test_a_formula_of_two_sub_steps_is_written_once() -> None:
    # The last support point is a corner of the nearest edge, so that n · w is both its distance and the upper bound.
    found = asked("flat-epa-growth", "defaults")
    place = next(first + count - 1 for phase, first, count in found.phases if phase is Phase.EPA)
    value = step_text(found, found.moments[place], "upper").formulas
    assert value == step_text(found, found.moments[place], "closest").formulas[-1:]
    assert step_text(found, found.moments[place]).formulas.count(value[0]) == 1
