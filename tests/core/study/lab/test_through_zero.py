"""Sliding and turning B: samples are the analysis' numbers, and marks stand where something breaks and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isnan, nan, pi

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Cylinder, HalfSpace, Scene, Sphere, Verdict, analyse
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.closed_form import closed_form
from core.geometry.quaternion import angle_between, from_axis_angle
from core.gjk.epa import EpaSettings
from core.shapes import Polygon
from core.study.lab import through_zero as module
from core.study.lab.edge_cases import centres_together
from core.study.lab.through_zero import METHODS, BodyPath, MarkKind, Sample, Sweep, sample, sliding, sweep, turning
from core.trace import record, run
from tests.core import planar_samples
from tests.core.planar_samples import regular
from tests.strategies import cubes, general
from tests.strategies import sample as scenes_of

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
KISS = cubes(1.0, 1.0, (0.0, 0.3, 0.2))


def swept(path: BodyPath, low: float, high: float, count: int = 41) -> Sweep:
    return run(sweep(path, tuple(np.linspace(low, high, count).tolist())))


def marks(found: Sweep, kind: MarkKind) -> list[tuple[float, str]]:
    return [(mark.after, str(mark.words)) for mark in found.marks if mark.kind is kind]


def test_sliding_and_turning_move_b_alone() -> None:
    scenes = list(map(sliding(KISS, (0.0, 0.0, 2.0)).at, (-1.0, 0.0, 0.5)))
    assert [scene.b.position for scene in scenes] == [(0.0, 0.3, -0.8), (0.0, 0.3, 0.2), (0.0, 0.3, 0.7)]
    turned = list(map(turning(KISS, (0.0, 3.0, 0.0)).at, (0.0, 0.25)))
    assert turned[0] is KISS
    assert angle_between(KISS.b.rotation, turned[1].b.rotation) == pytest.approx(0.25)
    assert turned[1].b.rotation == pytest.approx(from_axis_angle((0.0, 1.0, 0.0), 0.25))
    assert all(scene.a == KISS.a for scene in (*scenes, *turned))
    with pytest.raises(ValueError, match="direction"):
        sliding(KISS, (0.0, 0.0, 0.0))


def test_a_sample_has_the_analysis_numbers() -> None:
    for scene in [
        *scenes_of(general, 10, seed=61),
        Scene(Body(Sphere(1.0)), Body(Box((1.0, 1.0, 1.0)), (1.4, 0.2, 0.1))),
    ]:
        found, analysis = sample(scene), analyse(scene)
        assert found.separation == analysis.separation
        assert found.verdict is analysis.verdict
        assert found.winner == analysis.sat.candidates[analysis.sat.winner].label
        assert analysis.contacts is not None
        assert found.contacts == len(analysis.contacts.contacts)
        assert analysis.gjk is not None
        assert found.gjk == analysis.gjk.iterations
        assert found.epa == (None if analysis.epa is None else analysis.epa.iterations)
        numbers = dict(zip(METHODS, found.separations, strict=True))
        assert numbers["SAT"] == analysis.sat.separation
        closed = closed_form(scene.a, scene.b)
        assert isnan(numbers["closed form"]) if closed is None else numbers["closed form"] == closed.separation


def test_what_does_not_apply_is_no_number() -> None:
    found = sample(Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Cylinder(0.5, 1.0), (0.0, 0.6, 0.0))))
    assert found.gjk is None
    assert isnan(found.separations[METHODS.index("GJK and EPA")])
    assert found.separation == pytest.approx(0.1)


def test_cubes_slid_through_each_other() -> None:
    """Verdicts change at ±2, the way out along x wins beyond where it is as short as along y: 2 - |x| = 2 - 0.3."""
    found = swept(sliding(KISS, (1.0, 0.0, 0.0)), -2.93, 2.93)
    assert [sample.place for sample in found.samples] == np.linspace(-2.93, 2.93, 41).tolist()
    verdicts = marks(found, MarkKind.VERDICT)
    assert [words for _, words in verdicts] == [
        "SEPARATED → TOUCHING",
        "TOUCHING → OVERLAPPING",
        "OVERLAPPING → TOUCHING",
        "TOUCHING → SEPARATED",
    ]
    assert [at for at, _ in verdicts] == pytest.approx([-2.0, -2.0, 2.0, 2.0], abs=1e-11)
    assert [at for at, _ in marks(found, MarkKind.WINNER)] == pytest.approx([-0.3, 0.3], abs=1e-11)
    normals = marks(found, MarkKind.NORMAL)
    assert [at for at, _ in normals] == pytest.approx([-0.3, 0.3], abs=1e-11)
    assert {words for _, words in normals} == {"by 90°"}
    contacts = marks(found, MarkKind.CONTACTS)
    assert [at for at, _ in contacts if abs(abs(at) - 2.0) < 1e-9]
    assert marks(found, MarkKind.SEPARATION) == []
    for mark in found.marks:
        assert 0.0 < mark.after - mark.before <= 1e-11


@pytest.mark.slow
def test_marks_are_true_on_both_sides() -> None:
    for seed in (62, 63):
        scene = next(iter(scenes_of(general, 1, seed=seed)))
        path = turning(scene, (0.3, 1.0, 0.2))
        for mark in swept(path, -1.5, 1.5, 31).marks:
            before, after = sample(path.at(mark.before)), sample(path.at(mark.after))
            if mark.kind is MarkKind.WINNER:
                assert str(mark.words) == f"{before.winner} → {after.winner}"
                assert before.winner != after.winner
            elif mark.kind is MarkKind.CONTACTS:
                assert str(mark.words) == f"{before.contacts} → {after.contacts}"
            elif mark.kind is MarkKind.VERDICT:
                assert before.verdict is not after.verdict


def test_a_smooth_way_has_no_jumps() -> None:
    """A ball past a ball: the normal turns fast and never jumps; the number is the distance of the centres."""
    path = sliding(Scene(Body(Sphere(0.5)), Body(Sphere(0.5), (0.0, 1e-3, 0.0))), (1.0, 0.0, 0.0))
    found = swept(path, -0.3, 0.3, 8)
    assert found.marks == ()
    for one in found.samples:
        assert one.separation == pytest.approx(np.hypot(one.place, 1e-3) - 1.0, abs=1e-12)


def test_a_ball_through_a_ball_turns_the_normal_round() -> None:
    path = sliding(Scene(Body(Sphere(0.5)), Body(Sphere(0.5))), (1.0, 0.0, 0.0))
    found = swept(path, -0.3, 0.41, 8)
    normals = marks(found, MarkKind.NORMAL)
    assert len(normals) == 1
    assert normals[0][0] == pytest.approx(0.0, abs=1e-11)
    assert normals[0][1] == "by 180°"


@pytest.mark.slow
def test_no_separation_changes_faster_than_b_moves() -> None:
    for scene in scenes_of(general, 6, seed=64):
        for path in (sliding(scene, (1.0, 2.0, -1.0)), turning(scene, (0.0, 1.0, 0.3))):
            found = swept(path, -0.8, 0.8, 9)
            jumps = [mark for mark in found.marks if mark.kind is MarkKind.SEPARATION]
            # SAT's number of bodies apart is a bound that may jump as edges come to be parallel; distances may not.
            assert {mark.method for mark in jumps} <= {"SAT"}


def faked(monkeypatch: pytest.MonkeyPatch, number: object) -> BodyPath:
    """A path on which the answer's separation is `number(x)`, x being B's."""
    real = sample(KISS)
    assert callable(number)

    def fake(scene: Scene, place: float = 0.0, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> Sample:
        return replace(real, place=place, separations=(number(place), *(nan for _ in METHODS[1:])), slack=1e-12)

    monkeypatch.setattr(module, "sample", fake)
    return sliding(KISS, (1.0, 0.0, 0.0))


def test_a_jump_of_a_number_is_found_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    path = faked(monkeypatch, lambda at: at + (0.5 if at >= 0.123456789 else 0.0))
    found = swept(path, -1.0, 1.0, 11).marks
    assert [mark.kind for mark in found] == [MarkKind.SEPARATION]
    assert found[0].before < 0.123456789 <= found[0].after
    assert found[0].after == pytest.approx(0.123456789, abs=1e-11)
    assert found[0].method == "answer"
    assert str(found[0].words) == "answer: 0.123457 → 0.623457"


def test_a_jump_less_than_the_step_is_not_seen_and_a_slope_of_one_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert swept(faked(monkeypatch, abs), -1.0, 1.0, 11).marks == ()


def test_a_steep_but_continuous_number_is_no_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    path = faked(monkeypatch, lambda at: 3.0 * at)
    found = swept(path, -1.0, 1.0, 3)
    # Three times as fast as B moves at every scale, down to the slack.
    assert all(mark.after - mark.before <= 1e-11 for mark in found.marks)
    assert len(found.marks) <= 2 * module.EVENTS_BETWEEN


def test_two_flips_between_samples_are_both_found() -> None:
    """A thin plate through a cube from below the samples' spacing: in and out again."""
    scene = Scene(Body(Box((0.02, 2.0, 2.0))), Body(Box((0.02, 1.0, 1.0)), (0.0, 0.2, 0.1)))
    found = swept(sliding(scene, (1.0, 0.0, 0.0)), -0.5, 0.015, 3)
    verdicts = [words for _, words in marks(found, MarkKind.VERDICT)]
    assert verdicts == ["SEPARATED → TOUCHING", "TOUCHING → OVERLAPPING"]


def test_it_can_be_taken_in_slices_and_left() -> None:
    steps = sweep(sliding(KISS, (1.0, 0.0, 0.0)), tuple(np.linspace(-2.5, 2.5, 21).tolist()))
    first = [next(steps) for _ in range(3)]
    assert [(one.done, one.count) for one in first] == [(k, 21) for k in (1, 2, 3)]
    assert [one.sample.place for one in first if one.sample is not None] == [-2.5, -2.25, -2.0]
    steps.close()
    told = record(sweep(sliding(KISS, (1.0, 0.0, 0.0)), tuple(np.linspace(-2.5, 2.5, 21).tolist()))).steps
    assert [one.done for one in told] == sorted(one.done for one in told if one.sample is not None) + [
        one.done for one in told if one.sample is None
    ]
    assert told[-1].sample is None
    assert told[-1].done <= told[-1].count == 20


@pytest.mark.parametrize(
    ("scene", "axis"),
    [
        (cubes(1.0, 0.5, (1.6, 0.1, 0.0)), (0.0, 1.0, 0.0)),
        (Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.0, 0.3))), (0.0, 0.0, 1.0)),
    ],
    ids=["space", "plane"],
)
def test_a_full_turn_comes_back(scene: Scene, axis: tuple[float, float, float]) -> None:
    found = swept(turning(scene, axis), -pi, pi, 9)
    assert found.samples[0].separation == pytest.approx(found.samples[-1].separation, abs=1e-12)
    assert found.samples[4].separation == analyse(scene).separation
    assert nan not in [one.separation for one in found.samples]
    assert found.samples[0].verdict in tuple(Verdict)


@pytest.mark.parametrize(
    ("draw", "way", "axis"),
    [
        (lambda: scenes_of(general, 4, seed=65), (1.0, -2.0, 0.5), (0.2, 1.0, -0.4)),
        (lambda: planar_samples.scenes(6, 63, (planar_samples.general,)), (0.6, -0.8, 0.0), (0.0, 0.0, 1.0)),
    ],
    ids=["space", "plane"],
)
def test_the_place_of_a_scene_on_the_way(
    draw: Callable[[], Iterator[Scene]], way: tuple[float, float, float], axis: tuple[float, float, float]
) -> None:
    for scene in draw():
        for path in (sliding(scene, way), turning(scene, axis)):
            for value in (-2.5, -1e-3, 0.0, 0.7, 1.25):
                assert path.value_of(path.at(value)) == pytest.approx(value, abs=1e-12)
            assert path.value_of(replace(scene, b=replace(scene.b, position=(9.0, 7.0, 0.0)))) is None
            assert path.value_of(scene.swapped()) is None


@pytest.mark.parametrize(
    "deep",
    [
        next(scenes_of(lambda rng: centres_together(general(rng)), 1, seed=66)),
        Scene(Body.in_plane(regular(24)), Body.in_plane(regular(23, 0.8), (0.4, 0.1), 0.1)),
    ],
    ids=["space", "plane"],
)
def test_gjk_and_epa_follow_the_settings_and_the_answer_does_not(deep: Scene) -> None:
    settings = AlgorithmSettings(epa=EpaSettings(iterations=1))
    plain, tuned = sample(deep), sample(deep, 0.0, settings)
    assert tuned.separation == plain.separation
    assert tuned.epa == 1
    place = METHODS.index("GJK and EPA")
    assert tuned.separations[place] < plain.separations[place]
    found = run(sweep(sliding(deep, (1.0, 0.0, 0.0)), (0.0, 0.01), settings))
    assert {one.epa for one in found.samples} == {1}
