"""Sliding and turning B in the plane: samples are the analysis' numbers, marks stand where something breaks."""

from __future__ import annotations

from math import cos, isnan, radians, sin

import numpy as np
import pytest

from core.analysis.analysis import analyse
from core.query.query import query
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.lab.through_zero import METHODS, BodyPath, MarkKind, Sample, Sweep, sample, sliding, sweep, turning
from core.trace import run
from tests.core.planar_samples import brute_force, general, scenes, size_of

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
KISS = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.0, 0.3)))
X, Z = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def swept(path: BodyPath, low: float, high: float, count: int = 41) -> Sweep:
    return run(sweep(path, tuple(np.linspace(low, high, count).tolist())))


def marks(found: Sweep, kind: MarkKind) -> list[tuple[float, str]]:
    return [(mark.after, str(mark.words)) for mark in found.marks if mark.kind is kind]


def number(found: Sample, method: str) -> float:
    return found.separations[METHODS.index(method)]


def test_a_sample_has_the_analysis_numbers() -> None:
    for scene in scenes(40, 61, (general,)):
        found, analysis = sample(scene), analyse(scene)
        circles = all(isinstance(one.shape, Circle) for one in (scene.a, scene.b))
        # The headline's method: the first that its own normal proves.
        assert found.separation == analysis.separation == number(found, "closed form" if circles else "explicit hull")
        assert found.verdict is analysis.verdict
        assert found.winner == analysis.sat.candidates[analysis.sat.winner].label
        assert analysis.contacts is not None
        assert found.contacts == len(analysis.contacts.contacts)
        asked = query(analysis)
        assert asked.distance is not None
        assert number(found, "GJK and EPA") == asked.distance.separation
        assert found.gjk == asked.distance.gjk.iterations
        assert found.epa == (None if asked.distance.epa is None else asked.distance.epa.iterations)
        assert number(found, "SAT") == analysis.sat.separation
        both = all(isinstance(one.shape, Polygon) for one in (scene.a, scene.b))
        assert isnan(number(found, "planes test")) != both
        assert isnan(number(found, "closed form")) != circles


@pytest.mark.slow
def test_every_method_is_the_distance_or_a_bound_all_along_the_way() -> None:
    for scene in scenes(8, 62, (general,)):
        for path in (sliding(scene, (0.6, 0.8, 0.0)), turning(scene, Z)):
            for found in swept(path, -1.0, 1.0, 9).samples:
                there = path.at(found.place)
                right, slack = brute_force(there), 1e-9 * size_of(scene)
                for method, value in zip(METHODS, found.separations, strict=True):
                    if isnan(value):
                        continue
                    if method in ("SAT", "planes test") and right > 0.0:
                        assert value <= right + slack
                    else:
                        assert value == pytest.approx(right, abs=slack)


def test_squares_slid_through_each_other() -> None:
    """Verdicts change at ±2; the way out along x wins beyond where it is as short as along y: 2 - |x| = 2 - 0.3."""
    found = swept(sliding(KISS, X), -2.93, 2.93)
    verdicts = marks(found, MarkKind.VERDICT)
    assert [words for _, words in verdicts] == [
        "SEPARATED → TOUCHING",
        "TOUCHING → OVERLAPPING",
        "OVERLAPPING → TOUCHING",
        "TOUCHING → SEPARATED",
    ]
    assert [at for at, _ in verdicts] == pytest.approx([-2.0, -2.0, 2.0, 2.0], abs=1e-11)
    normals = marks(found, MarkKind.NORMAL)
    assert [at for at, _ in normals] == pytest.approx([-0.3, 0.3], abs=1e-11)
    assert {words for _, words in normals} == {"by 90°"}
    assert [at for at, _ in marks(found, MarkKind.WINNER)] == pytest.approx([-0.3, 0.3], abs=1e-11)
    assert marks(found, MarkKind.SEPARATION) == []


def test_a_turned_square_meets_where_trigonometry_says() -> None:
    """A corner of the turned square reaches √2 cos(45° - angle) towards the other's side, which is 1.2 away."""
    scene = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.2, 0.0)))
    path = turning(scene, Z)
    found = swept(path, 0.0, radians(40.0), 17)
    verdicts = marks(found, MarkKind.VERDICT)
    assert [words for _, words in verdicts] == ["SEPARATED → TOUCHING", "TOUCHING → OVERLAPPING"]
    at = verdicts[0][0]
    assert cos(at) + sin(at) == pytest.approx(1.2, abs=1e-11)
    there = path.at(at)
    assert there.b.angle == at
    assert abs(analyse(there).separation) < 1e-11


def test_the_axis_turns_as_the_sign_says_and_back() -> None:
    there, back = (turning(KISS, axis).at(0.3).b for axis in (Z, (0.0, 0.0, -2.0)))
    assert (there.angle, back.angle) == (0.3, -0.3)


def test_a_circle_through_a_circle_turns_the_normal_round() -> None:
    scene = Scene(Body.in_plane(Circle(0.5)), Body.in_plane(Circle(0.5)))
    found = swept(sliding(scene, X), -0.3, 0.41, 8)
    assert [words for _, words in marks(found, MarkKind.NORMAL)] == ["by 180°"]
    assert marks(found, MarkKind.NORMAL)[0][0] == pytest.approx(0.0, abs=1e-11)
    for one in found.samples:
        assert number(one, "closed form") == pytest.approx(abs(one.place) - 1.0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.nightly("random")
def test_no_distance_changes_faster_than_b_moves() -> None:
    for scene in scenes(12, 64, (general,)):
        for path in (sliding(scene, (1.0, 2.0, 0.0)), turning(scene, Z)):
            jumps = [mark for mark in swept(path, -1.4, 1.4, 15).marks if mark.kind is MarkKind.SEPARATION]
            # Of a circle apart SAT's number is a bound, which jumps where another vertex comes to be the closest.
            assert {mark.method for mark in jumps} <= {"SAT"}
