"""Answers about scenes of the plane side by side: methods agree where they are right, and each difference is told."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, with_setting
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStop
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.articles import ArticleVariant
from core.study.articles.plane import PLANAR_VARIANTS
from core.study.lab.side_by_side import FLOAT32, FLOAT64, AnswerRow, Reason, side_by_side
from core.study.lab.side_by_side.row import LAST
from core.verdict import Sentence
from tests.core.planar_samples import (
    FAMILIES,
    Family,
    brute_force,
    general,
    moved,
    polygon,
    regular,
    scenes,
    size_of,
)

METHODS = ("SAT", "planes test", "GJK and EPA", "EPA", "closed form", "explicit hull", "contact manifold")
SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
APART = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (3.0, 3.0), 0.3))
DEEP = Scene(Body.in_plane(SQUARE), Body.in_plane(regular(5), (1.2, 0.3), 0.2))
IN_SIDE = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (1.5, 0.25)))
CIRCLES = Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5), (3.0, 4.0)))


def asked(scene: Scene, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> Query:
    return query(analyse(scene), settings)


def rows_of(scene: Scene, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> tuple[AnswerRow, ...]:
    return side_by_side(asked(scene, settings))


def row_of(rows: Iterable[AnswerRow], method: str, precision: str = FLOAT64) -> AnswerRow:
    return next(row for row in rows if row.method == method and row.precision == precision and not row.article)


def moments_of(query_: Query, row: AnswerRow) -> list[object]:
    """The step that a row points at."""
    ends = {phase: count - 1 for phase, _, count in query_.phases}
    index = ends.get(row.phase, 0) if row.phase is not None and row.index == LAST else row.index
    return [moment.step for moment in query_.moments if moment.phase is row.phase and moment.index == index]


@pytest.mark.parametrize("family", FAMILIES)
def test_every_method_has_its_rows_and_tells_every_difference(family: Family) -> None:
    for scene in scenes(20, 81, (family,)):
        query_ = asked(scene)
        rows, right = side_by_side(query_), brute_force(scene)
        assert [(row.method, row.precision) for row in rows if not row.article] == [
            (method, precision) for method in METHODS for precision in (FLOAT64, FLOAT32)
        ]
        for row in rows:
            assert str(row.words).endswith("."), row
            assert row.reason is not Reason.UNEXPLAINED, row
            if row.phase is not None and not row.needs:
                assert len(moments_of(query_, row)) == 1, row
            if row.article or row.separation is None:
                continue
            assert row.difference == row.separation - query_.analysis.separation
            if row.precision == FLOAT64 and row.agrees:
                assert abs(row.separation - right) <= 1e-9 * size_of(scene)
            if row.reason is Reason.BOUND:
                assert row.separation < right


def test_swapped_bodies_have_the_same_rows() -> None:
    for scene in scenes(60, 82, (general,)):
        one, other = (
            {(row.method, row.precision): row for row in rows_of(there) if not row.article and row.precision == FLOAT64}
            for there in (scene, scene.swapped())
        )
        for key, row in one.items():
            back = other[key]
            assert (back.separation is None) == (row.separation is None)
            if row.separation is not None and back.separation is not None:
                assert back.separation == pytest.approx(row.separation, abs=1e-9 * size_of(scene))


def test_a_turned_frame_changes_no_number() -> None:
    for scene in scenes(40, 83, (general,)):
        there = moved(scene, (0.7, -0.4), 1.1)
        for row, turned in zip(rows_of(scene), rows_of(there), strict=False):
            if row.separation is None or row.article or row.precision == FLOAT32:
                continue
            assert turned.separation == pytest.approx(row.separation, abs=1e-9 * size_of(scene))


def test_what_does_not_apply_says_why() -> None:
    rows = rows_of(IN_SIDE)
    assert row_of(rows, "planes test").words == Sentence("It needs two polygons: a circle or a border is round.")
    assert row_of(rows, "closed form").words == Sentence("There is none for a polygon and a circle.")
    assert (
        str(row_of(rows_of(APART), "EPA").words)
        == "Not needed: the cores are apart, so GJK's distance minus the radii is the answer."
    )
    assert row_of(rows_of(APART), "contact manifold").words == Sentence("No contacts: the bodies are apart.")
    assert not any(row.phase for row in rows if not row.applies)


def test_two_circles_have_a_closed_form() -> None:
    row = row_of(rows_of(CIRCLES), "closed form")
    assert row.separation == 5.0 - 1.5
    assert row.normal is not None
    np.testing.assert_allclose(row.normal, (0.6, 0.8, 0.0), atol=1e-16)
    # No step shows it: a click goes to the answer itself.
    assert row.phase is None
    assert row.applies
    single = row_of(rows_of(CIRCLES), "closed form", FLOAT32)
    assert single.separation == 3.5


def test_each_row_points_at_its_step() -> None:
    for scene in (APART, DEEP, IN_SIDE):
        query_ = asked(scene)
        rows = side_by_side(query_)
        analysis = query_.analysis
        phases = {row.method: row.phase for row in rows if row.precision == FLOAT64 and row.applies and not row.article}
        assert phases["SAT"] is Phase.SAT
        assert phases["GJK and EPA"] is (Phase.EPA if analysis.epa is not None else Phase.GJK)
        assert phases["explicit hull"] is Phase.BUILD
        for precision in (FLOAT64, FLOAT32):
            hull = row_of(rows, "explicit hull", precision)
            assert (hull.index, hull.needs) == (LAST, (("build", True),))
            (step,) = moments_of(asked(scene, AlgorithmSettings(build=True)), hull)
            assert step.on_hull is not None  # type: ignore[attr-defined]
        sat = row_of(rows, "SAT")
        assert sat.index == analysis.sat.winner
        if analysis.planes is not None:
            (step,) = moments_of(query_, row_of(rows, "planes test"))
            assert step.label == analysis.planes.best.label


def test_corner_to_corner_axes_give_a_bound() -> None:
    rows = rows_of(Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (2.3, 2.4))))
    for method in ("SAT", "planes test"):
        row = row_of(rows, method)
        assert row.reason is Reason.BOUND
        assert row.separation == pytest.approx(0.4)
        assert f"{math.hypot(0.3, 0.4) - 0.4:.4g} smaller" in str(row.words)
        assert row_of(rows, method, FLOAT32).reason is Reason.BOUND


def test_an_iteration_limit_is_blamed_on_the_setting() -> None:
    deep = Scene(Body.in_plane(regular(24)), Body.in_plane(regular(23, 0.8), (0.4, 0.1), 0.1))
    row = row_of(rows_of(deep, AlgorithmSettings(epa=EpaSettings(iterations=1))), "GJK and EPA")
    assert row.reason is Reason.SETTING
    assert "EPA iteration limit 1" in str(row.words)
    assert row.difference is not None
    assert row.difference < -1e-3
    away = replace(deep, b=replace(deep.b, position=(2.0, 1.3, 0.0)))
    row = row_of(rows_of(away, AlgorithmSettings(gjk=GjkSettings(iterations=1))), "GJK and EPA")
    assert row.reason is Reason.SETTING
    assert "GJK iteration limit 1" in str(row.words)


def test_circles_as_curves_end_with_a_gap_and_are_explained() -> None:
    for scene in (IN_SIDE, CIRCLES, Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.7), (0.3, 0.2)))):
        query_ = asked(scene, AlgorithmSettings(rounded="full"))
        row = row_of(side_by_side(query_), "GJK and EPA")
        assert row.reason in (Reason.AGREES, Reason.SETTING, Reason.LIMIT)
        assert row.separation == pytest.approx(brute_force(scene), abs=1e-4)


@pytest.mark.parametrize("variant", PLANAR_VARIANTS, ids=lambda variant: variant.id)
def test_an_articles_mistake_is_shown_where_it_breaks(variant: ArticleVariant) -> None:
    for scene in variant.breaks:
        row = next(row for row in rows_of(scene) if row.article == variant.id)
        assert row.reason is Reason.ARTICLE
        assert str(row.words).endswith(variant.why)
        assert "instead of" in str(row.words)
        settings = DEFAULT_SETTINGS
        for path, value in row.needs:
            settings = with_setting(settings, path, value)
        if row.phase is not None:
            assert len(moments_of(asked(scene, settings), row)) == 1
    for scene in variant.agrees:
        row = next(row for row in rows_of(scene) if row.article == variant.id)
        assert row.reason in (Reason.AGREES, Reason.TWO_VERDICTS)


def test_touching_by_path_is_stepped_to_from_a_first_direction_that_fails() -> None:
    variant = next(one for one in PLANAR_VARIANTS if one.id == "G4-touching-by-path")
    failed = 0
    for scene in (*variant.breaks, *(one.swapped() for one in variant.breaks)):
        row = next(row for row in rows_of(scene) if row.article == variant.id)
        if row.agrees:
            continue
        failed += 1
        settings = DEFAULT_SETTINGS
        for path, value in row.needs:
            settings = with_setting(settings, path, value)
        (step,) = moments_of(asked(scene, settings), row)
        # They touch, and from there the article says that they do not.
        assert step.stop is ArticleStop.NOT_PAST_ORIGIN
    assert failed >= 2


def test_articles_about_other_shapes_are_left_out() -> None:
    found = {row.article for row in rows_of(CIRCLES) if row.article}
    assert {article.partition("-")[0] for article in found} == {"G4"}


def test_the_two_precisions_part_where_floats_end() -> None:
    rng = np.random.default_rng(84)
    at = 1e6
    scene = Scene(Body.in_plane(polygon(rng), (at, 0.0)), Body.in_plane(polygon(rng), (at + 2.51, 0.3)))
    rows = rows_of(scene)
    for method in ("SAT", "planes test", "GJK and EPA", "explicit hull"):
        row = row_of(rows, method, FLOAT32)
        assert row.reason is Reason.ROUNDING
        assert str(row.words).endswith("Positions of 1e+06 are 0.0625 apart in single precision.")
