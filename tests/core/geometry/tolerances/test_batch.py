"""Batches, single precision and the rows side by side: where the careful way begins, and what is worth a word."""

from __future__ import annotations

from itertools import product
from math import cos, sin, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Hull, Scene, analyse_single
from core.analysis.analysis import LIMITED, analyse
from core.batch import Boxes, Hulls, analyse_pairs, pairs
from core.batch.answers import Scale
from core.batch.gjk import PointClouds, gjk
from core.float32 import DoubleAnswer, answers
from core.geometry.quaternion import from_axis_angle, multiply, normalized, to_matrix
from core.geometry.tolerances import EPS
from core.pair.pair import PairScale
from core.query.query import query
from core.sat.sat import sat
from core.study.lab.side_by_side import FLOAT32, AnswerRow, Reason, articles_of, methods, methods_of

BAR = Box((4.0, 1.0, 1.0))
RIDGE = from_axis_angle((1.0, 0.0, 0.0), np.pi / 4)


@pytest.mark.parametrize("sine", [0.0035, 0.005, 0.02])
def test_axes_of_nearly_parallel_edges_keep_their_digits_in_a_batch(sine: float) -> None:
    # Bars crossed ridge over ridge: the plain product is good to eps over the sine, and three digits would go.
    rng = np.random.default_rng(1)
    worst = 0.0
    for _ in range(40):
        frame = normalized(tuple(rng.normal(size=4).tolist()))
        turn = multiply(from_axis_angle((0.0, 1.0, 0.0), sine), RIDGE)
        up = Body(BAR, rotation=frame).pose.matrix[:, 1]
        a = Body(BAR, rotation=normalized(multiply(frame, RIDGE)))
        b = Body(BAR, tuple(((sqrt(2.0) + 0.1) * up).tolist()), normalized(multiply(frame, turn)))
        table = sat(a, b)
        found = analyse_pairs(*([Boxes([BAR.size], [body.position], [body.rotation]) for body in (a, b)]))
        worst = max(worst, abs(float(found.separations[0]) - table.separation))
    assert worst < 16 * EPS


def cloud(rng: np.random.Generator, count: int) -> np.ndarray:
    points = rng.normal(size=(count, 3))
    return points / np.sqrt((points * points).sum(axis=1))[:, None]


def hull_pairs(count: int, vertices: int, apart: float):
    rng = np.random.default_rng(vertices)
    points = np.array([cloud(rng, vertices) for _ in range(2 * count)])
    ways = rng.normal(size=(count, 3))
    ways *= apart / np.sqrt((ways * ways).sum(axis=1))[:, None]
    turns = rng.normal(size=(2 * count, 4))
    turns /= np.sqrt((turns * turns).sum(axis=1))[:, None]
    a = Hulls(points[:count], np.zeros((count, 3)), turns[:count])
    b = Hulls(points[count:], ways, turns[count:])
    return a, b


def test_a_batch_has_the_steps_and_the_room_that_hulls_need() -> None:
    # In single precision nobody is asked a second time: what is left open stays a gap.
    for vertices, apart in ((8, 2.5), (60, 2.5), (60, 0.8)):
        found = analyse_pairs(*hull_pairs(200, vertices, apart), single=True)
        assert found.gaps.max() < 1e-4


@pytest.mark.parametrize("gap", [3e-8, 3e-7])
def test_close_by_a_batch_takes_the_direction_of_the_feature_too(gap: float) -> None:
    # A turned box's corner over another one's face: by the nearest point's own direction the bounds of GJK would stay
    # rounding over the distance apart.
    rng = np.random.default_rng(8)
    count = 50
    clouds_a, clouds_b, offsets = np.zeros((3, 8, count)), np.zeros((3, 8, count)), np.zeros((3, count))
    corners = np.array(list(product((-1.0, 1.0), repeat=3)))
    for row in range(count):
        frame, other = (to_matrix(normalized(tuple(rng.normal(size=4).tolist()))) for _ in range(2))
        up, placed = frame[:, 1], corners @ other.T
        offsets[:, row] = (1.0 + gap * sqrt(3.0) - (placed @ up).min()) * up + 0.1 * frame[:, 0]
        clouds_a[:, :, row], clouds_b[:, :, row] = (corners @ frame.T).T, (placed + offsets[:, row]).T
    sizes = np.full(count, sqrt(3.0))
    scale = Scale.of(offsets, sizes, sizes, np.ones(count), np.ones(count))
    found = gjk(PointClouds(np.concatenate((clouds_a, -clouds_b), axis=1), 8), offsets, scale)
    assert (found.upper - found.lower).max() < 2e-13


def test_beside_an_edge_a_batch_takes_its_perpendicular() -> None:
    # By the nearest point's own direction rounding over the distance would be left, more than counts as certified.
    rng = np.random.default_rng(9)
    edges, ways = rng.normal(size=(2, 3, 200)), rng.normal(size=(3, 200))
    side = edges[1] - edges[0]
    ways -= (ways * side).sum(axis=0) / (side * side).sum(axis=0) * side
    offsets = 0.3 * edges[0] + 0.7 * edges[1] + 3e-5 * ways / np.sqrt((ways * ways).sum(axis=0))
    sizes = np.sqrt((edges * edges).sum(axis=1).max(axis=0))
    found = gjk(PointClouds(np.stack((*edges, -offsets), axis=1), 2), offsets, Scale.of(offsets, *[sizes] * 4))
    assert (found.upper - found.lower).max() < 2e-13


@pytest.mark.parametrize(("share", "again"), [(0.3, False), (4.0, True)])
def test_a_hull_pair_that_is_less_than_certified_is_asked_about_once_more(
    share: float, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A tenth of what counts as certified; rounding seldom leaves as much, so the gap is put in here.
    found, scale = pairs.hull_pairs(*hull_pairs(3, 12, 2.5), slice(0, 3), np.float64)
    left = share * 1e-11 * scale.largest_radius
    monkeypatch.setattr(pairs, "gjk_and_epa", lambda *_: replace(found, gaps=left.copy()))
    second, _ = pairs.hull_pairs(*hull_pairs(3, 12, 2.5), slice(0, 3), np.float64)
    assert (second.gaps < 0.5 * left).all() == again


def off_row(monkeypatch: pytest.MonkeyPatch, scene: Scene, method: str, **changes: object) -> AnswerRow:
    """The row of a method in single precision whose answer is replaced."""
    asked = query(analyse(scene))
    found = analyse_single(scene)
    answers = tuple(replace(one, **changes) if one.algorithm == method else one for one in found.answers)
    monkeypatch.setattr(methods, "analyse_single", lambda *_, **__: replace(found, answers=answers))
    return next(row for row in methods_of(asked) if row.precision == FLOAT32 and row.method == method)


APART = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Box((2.0, 2.0, 2.0)), (3.0, 0.25, 0.125)))


@pytest.mark.parametrize(("share", "reason"), [(0.4, Reason.AGREES), (3.0, Reason.ROUNDING)])
def test_single_precision_agrees_to_its_algorithms_own_rounding(
    share: float, reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = share * 64 * 2.0**-23 * PairScale.of(APART.a, APART.b).extent
    row = off_row(monkeypatch, APART, "SAT", separation=1.0 + off, error=off, normal=analyse(APART).normal)
    assert row.reason is reason


@pytest.mark.parametrize(("angle", "reason"), [(0.3e-3, Reason.AGREES), (4e-3, Reason.TIE)])
def test_a_turned_normal_is_worth_a_word_from_a_thousandth_on(
    angle: float, reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    normal = np.array((cos(angle), sin(angle), 0.0))
    row = off_row(monkeypatch, APART, "SAT", separation=1.0, error=0.0, normal=normal, proven=1.0)
    assert row.reason is reason


@pytest.mark.parametrize(("count", "tried"), [(26, True), (70, False)])
def test_the_manuals_versions_are_tried_on_bodies_of_some_vertices(count: int, tried: bool) -> None:
    # Products of two edges, each on every vertex: a quarter of a million of 26 points each, six of 70.
    rng = np.random.default_rng(count)
    scene = Scene(Body(Hull.of(cloud(rng, count))), Body(Hull.of(cloud(rng, count)), (2.5, 0.2, 0.1)))
    rows = articles_of(query(analyse(scene, LIMITED)))
    assert any(row.article.startswith("V") for row in rows) is tried


def words(monkeypatch: pytest.MonkeyPatch, angle: float, error: float, lost: float) -> str:
    """What is said of single precision's SAT if it is off by `error`, and its normal, `angle` off, costs `lost`."""
    known = {"SAT": DoubleAnswer(1.0 - error, np.array((cos(angle), sin(angle), 0.0)))}
    monkeypatch.setattr(answers, "certificate", lambda *_: 1.0 - error - lost)
    return next(str(one.words) for one in analyse_single(APART, known=known).answers if one.algorithm == "SAT")


@pytest.mark.parametrize(("share", "said"), [(1.5, False), (10.0, True)])
def test_a_normal_that_costs_several_times_the_error_is_said(
    share: float, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ("its normal is turned" in words(monkeypatch, 0.1, 0.01, share * 0.01)) is said


@pytest.mark.parametrize(("angle", "said"), [(0.3e-3, False), (4e-3, True)])
def test_and_only_if_one_could_see_it(angle: float, said: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ("its normal is turned" in words(monkeypatch, angle, 0.01, 0.5)) is said
