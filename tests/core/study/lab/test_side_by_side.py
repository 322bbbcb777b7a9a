"""All answers side by side: they agree where all are right, and a difference has its size, its reason and its step."""

from __future__ import annotations

import subprocess
import sys
from math import pi

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Scene, Shape, Sphere, Verdict, analyse
from core.analysis.algorithm_settings import (
    DEFAULT_SETTINGS,
    SETTING_NAMES,
    AlgorithmSettings,
    SingleSettings,
    changed_settings,
    setting_at,
    with_setting,
)
from core.contact.policies.policy import PLANE_RULES, ContactPolicy
from core.geometry.quaternion import from_axis_angle, normalized
from core.geometry.tolerances import AGREEMENT
from core.gjk.epa import EpaSettings, EpaStep
from core.gjk.gjk import GjkSettings, GjkStep
from core.pair.candidate_axes import AxisKind
from core.query.query import Phase, Query, query
from core.sat.sat import SatStep
from core.shapes import Polygon
from core.study.articles import ARTICLE_VARIANTS, ArticleVariant
from core.study.lab.side_by_side import FLOAT32, FLOAT64, AnswerRow, Reason, methods_of, side_by_side, wrong_in_single
from core.study.lab.side_by_side.row import LAST, Reference
from tests.strategies import (
    FAMILIES,
    SPHERE_FAMILIES,
    Family,
    box_scene,
    cubes,
    general,
    past_failures,
    reported_cases,
    sample,
)
from tests.strategies import read_scene as read

METHODS = ("SAT", "GJK and EPA", "EPA", "closed form", "explicit hull", "contact manifold")
EXPLAINED = set(Reason) - {Reason.UNEXPLAINED}
TETRAHEDRON = Hull(((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)))


def asked(scene: Scene, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> Query:
    return query(analyse(scene), settings)


def row_of(rows: tuple[AnswerRow, ...], method: str, precision: str = FLOAT64) -> AnswerRow:
    return next(row for row in rows if row.method == method and row.precision == precision and not row.article)


def moment_of(query_: Query, row: AnswerRow) -> object:
    """The step that a row points at; it must be there."""
    found = [moment for moment in query_.moments if moment.phase is row.phase and moment.index == row.index]
    assert len(found) == 1, row
    return found[0].step


def check(query_: Query, rows: tuple[AnswerRow, ...]) -> None:
    """What holds for every row of every pair."""
    analysis = query_.analysis
    assert [(row.method, row.precision) for row in rows if not row.article] == [
        (method, precision) for method in METHODS for precision in (FLOAT64, FLOAT32)
    ]
    for row in rows:
        assert str(row.words).endswith("."), row
        assert row.applies == (row.reason is not Reason.SILENT)
        if row.phase is not None and not row.needs:
            moment_of(query_, row)
        if not row.applies:
            assert row.separation is None
            assert row.phase is None
        if row.separation is not None and not row.article:
            assert row.difference == row.separation - analysis.separation
            assert row.turned is not None
            assert row.normal is not None
            assert np.linalg.norm(row.normal) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("family", [*FAMILIES, *SPHERE_FAMILIES])
def test_doubles_agree_or_say_why_on_every_family(family: Family) -> None:
    for scene in sample(family, 12, seed=41):
        query_ = asked(scene)
        rows = side_by_side(query_)
        check(query_, rows)
        reach = AGREEMENT * 100.0 * (1.0 + max(abs(c) for c in (*scene.a.position, *scene.b.position)))
        for row in rows:
            assert row.reason in EXPLAINED, row
            if row.precision == FLOAT64 and not row.article and row.agrees and row.difference is not None:
                assert abs(row.difference) <= max(reach, query_.analysis.certainty.gap + 1e-8)


def test_generic_overlapping_boxes_agree_everywhere() -> None:
    hits = 0
    for scene in sample(general, 20, seed=42):
        query_ = asked(scene)
        rows = side_by_side(query_)
        if query_.analysis.separation > -1e-2:
            continue
        hits += 1
        assert all(row.agrees for row in rows if not row.article and row.precision == FLOAT64)
        assert all(abs(row.difference or 0.0) < 1e-5 for row in rows if row.precision == FLOAT32)
    assert hits >= 5


SHAPES: tuple[Shape, ...] = (
    Box((1.0, 0.7, 0.5)),
    Sphere(0.4),
    Capsule(0.2, 0.6),
    Cylinder(0.3, 0.8),
    Cone(0.4, 0.7),
    Ellipsoid((0.3, 0.5, 0.2)),
    TETRAHEDRON,
    HalfSpace((0.0, 1.0, 0.0), 0.0),
)


@pytest.mark.parametrize("first", SHAPES, ids=lambda shape: type(shape).__name__)
def test_every_pair_of_shapes_has_its_rows(first: Shape) -> None:
    turns = normalized((1.0, 0.2, 0.3, 0.4)), normalized((0.4, 0.2, -0.6, 0.1))
    for second in SHAPES:
        if isinstance(first, HalfSpace) and isinstance(second, HalfSpace):
            continue
        for offset in ((0.3, 0.5, 0.1), (1.5, 1.1, -0.8)):
            query_ = asked(Scene(Body(first, rotation=turns[0]), Body(second, offset, turns[1])))
            rows = side_by_side(query_)
            check(query_, rows)
            assert not [row for row in rows if row.reason is Reason.UNEXPLAINED]
            assert any(row.applies for row in rows)


@pytest.mark.parametrize("scene", [*past_failures(), *(read(case["scene"]) for case in reported_cases()[::4])])
def test_scenes_that_were_once_wrong_are_explained(scene: Scene) -> None:
    query_ = asked(scene)
    rows = side_by_side(query_)
    check(query_, rows)
    assert not [row for row in rows if row.reason is Reason.UNEXPLAINED]


def test_corner_to_corner_sat_gives_a_bound_and_points_at_its_axis() -> None:
    query_ = asked(cubes(1.0, 1.0, (2.3, 2.3, 2.3)))
    row = row_of(side_by_side(query_), "SAT")
    assert row.reason is Reason.BOUND
    assert row.difference == pytest.approx(0.3 - 0.3 * 3**0.5)
    assert "0.2196 smaller" in str(row.words)
    step = moment_of(query_, row)
    assert isinstance(step, SatStep)
    assert step.row == query_.analysis.sat.winner
    single = row_of(side_by_side(query_), "SAT", FLOAT32)
    assert single.reason is Reason.BOUND


def test_gjk_and_epa_point_at_the_step_they_stop_with() -> None:
    apart, deep = asked(cubes(1.0, 1.0, (2.3, 2.2, 2.1))), asked(cubes(1.0, 1.0, (1.3, 1.2, 1.1)))
    step = moment_of(apart, row_of(side_by_side(apart), "GJK and EPA"))
    assert isinstance(step, GjkStep)
    assert step.stop is not None
    assert row_of(side_by_side(apart), "EPA").reason is Reason.SILENT
    for method in ("GJK and EPA", "EPA"):
        step = moment_of(deep, row_of(side_by_side(deep), method))
        assert isinstance(step, EpaStep)
        assert step.stop is not None


def test_the_explicit_hull_points_at_the_end_of_the_building_and_says_that_a_setting_opens_it() -> None:
    scene = cubes(1.0, 1.0, (1.3, 1.2, 1.1))
    row = row_of(side_by_side(asked(scene)), "explicit hull")
    assert (row.phase, row.index, row.needs) == (Phase.BUILD, LAST, (("build", True),))
    query_ = asked(scene, AlgorithmSettings(build=True))
    assert Phase.BUILD in {phase for phase, _, _ in query_.phases}
    # What cannot be built by hand has no step.
    plane = Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Box((1.0, 1.0, 1.0)), (0.0, 0.4, 0.0)))
    row = row_of(side_by_side(asked(plane, AlgorithmSettings(build=True))), "explicit hull")
    assert (row.phase, row.needs) == (None, ())


def test_far_from_the_origin_floats_lose_the_answer_and_it_is_said() -> None:
    at = 1_000_000.0
    a = Body(Box((1.0, 1.0, 1.0)), (at, 0.0, 0.0))
    query_ = asked(Scene(a, Body(Box((1.0, 1.0, 1.0)), (at + 1.02, 0.0, 0.0))))
    rows = side_by_side(query_)
    for method in ("SAT", "GJK and EPA"):
        assert row_of(rows, method).agrees
        single = row_of(rows, method, FLOAT32)
        assert single.reason is Reason.ROUNDING
        assert single.difference is not None
        assert abs(single.difference) > 0.005
        assert "off by" in str(single.words)
        assert str(single.words).endswith("Positions of 1e+06 are 0.0625 apart in single precision.")
        assert single.phase is (Phase.SAT if method == "SAT" else Phase.GJK)


@pytest.mark.nightly("random")
def test_the_first_answer_that_single_precision_gets_wrong_is_that_of_the_rows() -> None:
    wrong = 0
    for case in reported_cases():
        scene = read(case["scene"])
        far = [replace(body, position=tuple(3e4 + x for x in body.position)) for body in (scene.a, scene.b)]
        for pair in (scene, Scene(*far)):
            query_ = asked(pair)
            if query_.analysis.beyond_limits or query_.analysis.refused:
                continue
            row = next((row for row in methods_of(query_) if row.reason is Reason.ROUNDING), None)
            found = wrong_in_single(query_.analysis)
            assert (found is None) == (row is None)
            if found is not None and row is not None:
                wrong += 1
                assert (found.algorithm, found.verdict, found.separation) == (row.method, row.verdict, row.separation)
                assert np.array_equal(found.normal, row.normal)
    assert 20 < wrong < 140


def test_what_floats_cannot_hold_has_no_number() -> None:
    rows = side_by_side(asked(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (1e30, 0.0, 0.0)))))
    row = row_of(rows, "closed form", FLOAT32)
    assert row.reason is Reason.NO_NUMBER
    assert row.separation is None
    # GJK's lengths are scaled where their squares run over.
    assert row_of(rows, "GJK and EPA", FLOAT32).reason is Reason.AGREES


def test_axes_that_tie_are_no_fault() -> None:
    rows = side_by_side(asked(box_scene((2.0, 2.0, 2.0), (0.5, 0.5, 0.5), (0.0, 0.0, 0.0))))
    ours = [row for row in rows if row.precision == FLOAT64 and not row.article and row.applies]
    assert len(ours) >= 3
    for row in ours:
        assert row.reason in (Reason.AGREES, Reason.TIE)
        assert row.difference == pytest.approx(0.0, abs=1e-12)


def test_an_iteration_limit_is_found_out_and_blamed_on_the_setting() -> None:
    tilted = from_axis_angle((1.0, 0.0, 0.0), 0.7)
    scene = Scene(Body(Cylinder(0.7, 1.4)), Body(Cone(0.8, 1.5), (0.5, 0.4, 0.2), tilted))
    settings = AlgorithmSettings(epa=EpaSettings(iterations=2))
    query_ = asked(scene, settings)
    row = row_of(side_by_side(query_), "GJK and EPA")
    assert row.reason is Reason.SETTING
    assert "EPA iteration limit 2" in str(row.words)
    assert row.stop == "ITERATION_LIMIT"
    assert row.difference is not None
    assert row.difference < -1e-3
    assert f"{abs(row.difference):.4g} less" in str(row.words)
    apart = Scene(scene.a, replace(scene.b, position=(2.2, 1.4, 0.9)))
    row = row_of(side_by_side(asked(apart, AlgorithmSettings(gjk=GjkSettings(iterations=1)))), "GJK and EPA")
    assert row.reason is Reason.SETTING
    assert "GJK iteration limit 1" in str(row.words)


def test_a_preferred_face_is_told_from_the_exact_depth() -> None:
    settings = AlgorithmSettings(preference=ContactPolicy.MUJOCO)
    rng, seen = np.random.default_rng(5), 0
    for _ in range(60):
        turn = from_axis_angle((1.0, 0.0, 0.0), pi / 4 - 0.05 * rng.random())
        other = from_axis_angle((0.0, 0.0, 1.0), 0.05 * rng.random())
        scene = box_scene((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (0.05 * rng.random(), 1.15, 0.1), turn, other)
        row = row_of(side_by_side(asked(scene, settings)), "contact manifold")
        seen += row.reason is Reason.SETTING and "MuJoCo" in str(row.words)
        assert row.reason in EXPLAINED
    assert seen >= 1


ABOUT_PAIRS = tuple(variant for variant in ARTICLE_VARIANTS if variant.system not in ("P11", "P12"))


FLAT = Scene(
    Body(Polygon(((-0.5, -0.25), (0.5, -0.25), (0.5, 0.25), (-0.5, 0.25)))),
    Body.in_plane(Polygon(((-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25))), (-0.5, -0.5), pi / 18.0),
)


def test_the_planes_engines_agree_or_say_that_the_rule_is_theirs() -> None:
    for policy in PLANE_RULES:
        row = row_of(side_by_side(asked(FLAT, AlgorithmSettings(preference=policy))), "contact manifold")
        assert row.reason is Reason.AGREES
    # B's edge is the better one by 0.0004, and Box2D 2.4 keeps A's: along that the deepest contact is deeper.
    wide, square = (Polygon(((-x, -0.5), (x, -0.5), (x, 0.5), (-x, 0.5))) for x in (1.0, 0.5))
    y = 0.5 + 0.5 * (0.75**0.5 + 0.5) - 0.1
    x = 1.0 + (0.5 - 0.1 + 0.0004 + 0.5 * (0.5 - y)) / 0.75**0.5
    tied = Scene(Body(wide), Body.in_plane(square, (x, y), pi / 6.0))
    row = row_of(side_by_side(asked(tied, AlgorithmSettings(preference=ContactPolicy.BOX2D_2))), "contact manifold")
    assert row.reason is Reason.SETTING
    assert str(row.words).startswith("The rule of Box2D 2.4 builds it on edges that it chooses itself: the deepest")
    touching = Scene(FLAT.a, Body(FLAT.b.shape, (0.75, 0.5, 0.0)))
    row = row_of(side_by_side(asked(touching, AlgorithmSettings(preference=ContactPolicy.DYN4J))), "contact manifold")
    assert str(row.words) == "The rule of dyn4j keeps no point here."
    row = row_of(side_by_side(asked(FLAT, AlgorithmSettings(preference=ContactPolicy.JOLT))), "contact manifold")
    assert str(row.words).startswith("Jolt makes contacts in space; in the plane the policies are tolerant, ")


@pytest.mark.parametrize("variant", ABOUT_PAIRS, ids=lambda variant: variant.id)
def test_an_articles_mistake_is_shown_where_it_breaks(variant: ArticleVariant) -> None:
    for scene in variant.breaks:
        query_ = asked(scene)
        row = next(row for row in side_by_side(query_) if row.article == variant.id)
        assert row.reason is Reason.ARTICLE
        assert str(row.words).endswith(variant.why)
        assert " off." in str(row.words) or "instead of" in str(row.words)
        assert row.phase is (Phase.CONTACTS if variant.system == "P3" else Phase.SAT)
        if row.needs:
            assert (row.needs, row.index) == ((("faces_only", True),), LAST)
            assert asked(scene, AlgorithmSettings(faces_only=True)).phases[0][0] is Phase.SAT
        else:
            moment_of(query_, row)
        assert row.precision == (FLOAT32 if variant.id == "P7-float32-radius-form" else FLOAT64)
        assert sum(value is not None for value in (row.verdict, row.separation, row.normal, row.contacts)) == 1
    for scene in variant.agrees:
        row = next(row for row in side_by_side(asked(scene)) if row.article == variant.id)
        assert row.reason in (Reason.AGREES, Reason.TWO_VERDICTS)


def test_a_row_of_sat_points_at_its_own_step_where_edge_pairs_are_left_out() -> None:
    scene = Scene(
        Body(Capsule(0.3, 1.0), (0.0, 1.4, 0.0), from_axis_angle((0.0, 0.0, 1.0), 0.3)), Body(Box((1.0, 1.0, 1.0)))
    )
    to = Reference.asked(asked(scene, AlgorithmSettings(faces_only=True)))
    kinds = [candidate.kind for candidate in to.analysis.sat.candidates]
    assert kinds.index(AxisKind.EDGES) < kinds.index(AxisKind.CENTRES)
    tried = [moment for moment in to.query.moments if isinstance(moment.step, SatStep)]
    for row, kind in enumerate(kinds):
        place = to.sat_row(row)
        if kind is AxisKind.EDGES:
            assert place == (Phase.SAT, len(tried) - 1)
        else:
            assert [moment.step.row for moment in tried if (moment.phase, moment.index) == place] == [row]


def test_the_middle_ends_point_at_the_axis_that_misleads_them() -> None:
    scene = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Box((0.6, 0.4, 0.5)), (0.3, 0.0, 0.0)))
    query_ = asked(scene)
    row = next(row for row in side_by_side(query_) if row.article == "S6-middle-ends")
    step = moment_of(query_, row)
    assert isinstance(step, SatStep)
    # B's extent along y, the least, is what the mistake takes for a depth.
    assert query_.analysis.sat.candidates[step.row].label in ("A.y", "B.y")
    assert row.separation == pytest.approx(-0.4)


def test_articles_about_rays_and_other_shapes_are_left_out() -> None:
    rows = side_by_side(asked(Scene(Body(Sphere(1.0)), Body(Cone(1.0, 1.0), (3.0, 0.0, 0.0)))))
    assert not [row for row in rows if row.article]
    rows = side_by_side(asked(cubes(1.0, 1.0, (1.5, 0.2, 0.1))))
    assert not [row for row in rows if row.article.startswith(("P11", "P12"))]


def test_touching_is_no_mistake_of_tests_with_two_answers() -> None:
    rows = side_by_side(asked(cubes(1.0, 1.0, (2.0, 0.0, 0.0))))
    plain = next(row for row in rows if row.article == "V5-faces-only")
    assert plain.verdict is Verdict.OVERLAPPING
    assert plain.reason is Reason.TWO_VERDICTS
    assert next(row for row in rows if row.article == "S5-touching-apart").reason is Reason.ARTICLE


def test_settings_by_path() -> None:
    assert changed_settings(DEFAULT_SETTINGS) == ()
    settings = with_setting(with_setting(DEFAULT_SETTINGS, "gjk.iterations", 3), "rounded", "full")
    assert settings.gjk.iterations == 3
    assert setting_at(settings, "rounded") == "full"
    assert [(one.path, one.value, one.default) for one in changed_settings(settings)] == [
        ("gjk.iterations", 3, 128),
        ("rounded", "full", "core"),
    ]
    fields = {f"gjk.{name}" for name in GjkSettings.__struct_fields__}
    fields |= {f"epa.{name}" for name in EpaSettings.__struct_fields__}
    fields |= {"contacts.alpha", "contacts.delta", "contacts.speculative"}
    fields |= {f"single.{name}" for name in SingleSettings.__struct_fields__}
    fields |= set(AlgorithmSettings.__struct_fields__) - {"gjk", "epa", "contacts", "single"}
    assert set(SETTING_NAMES) == fields


def test_the_query_does_not_bring_it_along() -> None:
    code = (
        "import sys, core.query.query\n"
        "print(any(m.startswith(('core.study.lab', 'core.float32')) for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_it_does_not_bring_scipy_along_which_would_hold_the_window_for_half_a_second() -> None:
    code = "import sys, core.study.lab.side_by_side\nprint('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_single_precision_in_the_worlds_frame_is_worse_far_out() -> None:
    at = 65536.0
    a = Body(Box((1.0, 1.0, 1.0)), (at, 0.0, 0.0), normalized((1.0, 0.2, 0.3, 0.4)))
    query_ = asked(Scene(a, Body(Box((1.0, 1.0, 1.0)), (at + 1.25, 0.5, 0.25), normalized((1.0, 0.1, -0.2, 0.6)))))
    relative, world = (
        row_of(
            side_by_side(replace(query_, settings=with_setting(query_.settings, "single.world", flag))), "SAT", FLOAT32
        )
        for flag in (False, True)
    )
    assert relative.difference is not None
    assert world.difference is not None
    assert abs(relative.difference) < 1e-5 < abs(world.difference)
    assert world.reason is Reason.ROUNDING
