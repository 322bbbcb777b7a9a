"""`analyse`: signs, invariants, the reported cases, and the table of pairs that libraries get wrong."""

from __future__ import annotations

from collections import Counter
from math import pi, sqrt
from typing import Any

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from core import (
    Analysis,
    Body,
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    Polygon,
    Provenance,
    Scene,
    Shape,
    Sphere,
    Verdict,
    analyse,
)
from core.analysis import in_plane, in_space, methods
from core.analysis.brief import distance_of
from core.analysis.methods import disagreements
from core.closed_form import Proximity
from core.geometry.quaternion import Quaternion, from_axis_angle, from_matrix
from core.pair.pair import certificate
from tests.oracles import extent_of, support_gap
from tests.selection import some
from tests.strategies import (
    FAMILIES,
    SPHERE_FAMILIES,
    Family,
    box_scene,
    carried,
    cubes,
    general,
    moved,
    near_aligned,
    random_rotation,
    read_scene,
    reported_cases,
    sample,
    scaled,
    sphere_box,
    touching,
    triple,
)

EVERY_FAMILY = (*FAMILIES, *SPHERE_FAMILIES)


# ---- signs: each of these fails when one is flipped ----


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("shapes", ["boxes", "box and sphere", "sphere and box", "spheres"])
def test_normal_from_a_to_b_separation_positive_apart_mtv_moves_b(axis: int, side: float, shapes: str) -> None:
    first = Sphere(0.5) if shapes.startswith("sphere") else Box((1.0, 1.0, 1.0))
    second = Sphere(0.5) if shapes.endswith(("sphere", "spheres")) else Box((1.0, 1.0, 1.0))
    towards = side * np.eye(3)[axis]
    origin = np.array((0.5, 0.25, -2.0))
    for distance in (3.0, 0.75):
        found = analyse(Scene(Body(first, triple(origin)), Body(second, triple(origin + distance * towards))))
        assert found.normal.tolist() == towards.tolist()
        assert found.separation == distance - 1.0
        assert found.nearest.tolist() == (-(distance - 1.0) * towards).tolist()
        assert found.witness_a.tolist() == (origin + 0.5 * towards).tolist()
        assert found.witness_b.tolist() == (origin + (distance - 0.5) * towards).tolist()
        if distance == 3.0:
            assert found.verdict is Verdict.SEPARATED
            assert found.mtv is None
        else:
            assert found.verdict is Verdict.OVERLAPPING
            assert found.mtv is not None
            assert found.mtv.tolist() == (0.25 * towards).tolist()


# ---- invariants ----


def _numbers(value: Any) -> list[np.ndarray]:
    """Every number inside a result, without the rows that say DEGENERATE."""
    if isinstance(value, float | np.ndarray):
        return [np.asarray(value, dtype=float)]
    if isinstance(value, Struct) and not isinstance(value, Scene):
        return [n for field in value.__struct_fields__ for n in _numbers(getattr(value, field))]
    if isinstance(value, tuple):
        return [n for item in value for n in _numbers(item)]
    return []


@pytest.mark.parametrize("family", EVERY_FAMILY)
def test_of_every_scene_the_answer_is_finite_and_goes_with_its_bodies(family: Family) -> None:
    rng = np.random.default_rng(17)
    for scene in sample(family, 80, seed=41):
        found = analyse(scene)
        check_finite(found)
        check_mtv(found)
        check_exchanged(found)
        check_carried(found, random_rotation(rng), rng.normal(size=3))


def check_finite(found: Analysis) -> None:
    known = [status != "DEGENERATE" for status in found.sat.statuses]
    every = (found.answer, found.sat, found.difference, found.gjk, found.epa, found.contacts, found.contact_vertices)
    own = (found.normal, found.nearest, found.witness_a, found.witness_b, found.band)
    loose = [n for part in (*every, *own) for n in _numbers(part) if not np.isfinite(n).all()]
    for array in loose:
        assert len(array) == len(known)
        assert np.isfinite(array[known]).all()


def check_mtv(found: Analysis) -> None:
    """Added to B it just removes the overlap; of bodies apart there is none."""
    scene = found.scene
    if found.mtv is None:
        assert found.verdict is Verdict.SEPARATED
        return
    place = 4e-16 * float(np.abs([scene.a.position, scene.b.position]).max())
    freed = analyse(Scene(scene.a, moved(scene.b, found.mtv)))
    assert abs(freed.separation) <= 4e-12 * extent_of(scene) + 2 * place


def check_exchanged(found: Analysis) -> None:
    """With the bodies exchanged the answer is turned round."""
    scene, size = found.scene, extent_of(found.scene)
    other = analyse(scene.swapped())
    assert other.separation == pytest.approx(found.separation, abs=2e-12 * size)
    # Where the direction is not unique the other one may be named; it must prove the same separation.
    assert support_gap(scene, -other.normal) == pytest.approx(found.separation, abs=2e-12 * size)
    assert other.sat.separation == pytest.approx(found.sat.separation, abs=2e-14 * size)


def check_carried(found: Analysis, turn: Quaternion, by: np.ndarray) -> None:
    """A rigid motion of both bodies carries the answer along."""
    scene = found.scene
    other = analyse(carried(scene, turn, by))
    place = 8e-16 * float(np.abs([scene.a.position, scene.b.position, by]).max())
    # Turning again rounds the rotation itself, which nearly parallel edges feel by its last place.
    assert other.separation == pytest.approx(found.separation, abs=4e-12 * extent_of(scene) + 4 * place)


@pytest.mark.parametrize("factor", [2.0, 1e-6, 1e6])
@pytest.mark.parametrize("family", [general, near_aligned, touching, sphere_box])
def test_scaling_scales_the_answer(factor: float, family: Family) -> None:
    for scene in sample(family, 30, seed=47):
        one, other = analyse(scene), analyse(scaled(scene, factor))
        assert other.separation == pytest.approx(factor * one.separation, abs=2e-12 * factor * extent_of(scene))
        if abs(one.separation) > 1e-11:
            assert other.verdict is one.verdict


def test_scaling_by_a_power_of_two_changes_no_digit() -> None:
    for scene in [*sample(general, 50), *sample(sphere_box, 50)]:
        one, other = analyse(scene), analyse(scaled(scene, 2.0**20))
        assert other.separation == one.separation * 2.0**20
        assert other.normal.tolist() == one.normal.tolist()
        assert other.sat.winner == one.sat.winner


@pytest.mark.parametrize("family", [general, near_aligned, sphere_box])
def test_the_separation_changes_no_faster_than_the_body_moves(family: Family) -> None:
    rng = np.random.default_rng(23)
    crossed = 0
    for scene in sample(family, 80, seed=53):
        start, direction = analyse(scene), rng.normal(size=3)
        direction /= np.linalg.norm(direction)
        before = start.separation
        for _ in range(25):
            scene = Scene(scene.a, moved(scene.b, 0.05 * direction))
            after = analyse(scene).separation
            assert abs(after - before) <= 0.05 + 1e-11
            crossed += (after > 0.0) != (before > 0.0)
            before = after
    assert crossed >= some(20)


def test_results_are_read_only() -> None:
    found = analyse(next(sample(general, 1)))
    for array in (found.normal, found.nearest, found.sat.axes, found.sat.separations, found.difference.core.vertices):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


# ---- provenance and cross-checks ----


def test_box_and_sphere_answers_are_exact() -> None:
    for scene in [*sample(general, 5), *sample(sphere_box, 5)]:
        certainty = analyse(scene).certainty
        assert certainty.provenance is Provenance.EXACT
        assert certainty.gap == 0.0


ASKED = {
    "closed": (methods, "closed_form"),
    "SAT": (in_space, "sat"),
    "difference": (in_space, "difference"),
    "planes": (in_plane, "planes_test"),
    "polygon": (in_plane, "minkowski_difference"),
    "GJK": (methods, "signed_distance_steps"),
}
"""What each method is asked by."""

CRATE = Box((1.0, 1.0, 1.0))
BESIDE = (0.8, 0.3, 0.1)


@pytest.mark.parametrize(
    ("a", "b", "asked"),
    [
        (Sphere(1.0), Sphere(0.5), {"closed"}),
        (CRATE, Sphere(0.5), {"closed"}),
        (Capsule(0.3, 1.0), Capsule(0.5, 1.0), {"closed"}),
        (CRATE, Box((1.0, 2.0, 1.0)), {"closed", "SAT", "difference"}),
        (Cone(0.5, 1.0), Ellipsoid((0.5, 0.6, 0.7)), {"closed", "GJK"}),
        (Circle(1.0), Circle(0.5), {"closed"}),
        (Circle(1.0), Polygon.of([(0, 0), (1, 0), (0, 1)]), {"closed", "polygon"}),
    ],
)
def test_no_method_is_asked_once_one_is_proved(
    a: Shape, b: Shape, asked: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()
    for name, (room, function) in ASKED.items():
        ask = getattr(room, function)
        monkeypatch.setattr(room, function, lambda *a, _n=name, _a=ask, **k: (seen.add(_n), _a(*a, **k))[1])
    place = BESIDE if a.dimension == 3 else (0.8, 0.3, 0.0)
    scene = Scene(Body(a), Body(b, place))
    found = analyse(scene)
    assert distance_of(scene).separation == found.separation
    assert seen == asked
    # Read, every answer is there, and read again it is the same one.
    found.complete()
    assert seen >= asked | {"GJK"}
    assert found.sat is found.sat
    assert found.contacts is found.contacts
    assert found.gjk_epa is found.gjk_epa
    assert found.disagreements == ()


def test_where_no_method_is_proved_to_rounding_the_best_proved_one_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cylinder along a spheroid has a bound only: a formula that proves more is taken, one that proves less, not."""
    scene = Scene(Body(Ellipsoid((0.5, 3.0, 0.5))), Body(Cylinder(0.2, 2.0)))
    honest = analyse(scene)
    assert honest.certainty.provenance is Provenance.BOUND
    for share, iterated in ((0.5, False), (2.0, True)):
        off, normal = share * honest.answer.off, honest.normal
        there = honest.answer.proven + off
        formula = Proximity(there, normal, np.zeros(3), there * normal)
        monkeypatch.setattr(methods, "closed_form", lambda _a, _b, formula=formula: formula)
        found = analyse(scene)
        assert found.answer.iterated is iterated
        assert found.answer.off <= honest.answer.off
        assert found.certainty.gap <= honest.certainty.gap


def changed(found: Analysis, **changes: Any) -> list[str]:
    """What the methods say of an answer that is changed so."""
    proximity = replace(found.proximity, **changes)
    proven = certificate(found.scene.a, found.scene.b, proximity.normal)
    wrong = replace(found.answer, proximity=proximity, proven=proven)
    return [str(one) for one in disagreements(found.methods, found.contacts, wrong)]


def test_a_wrong_answer_is_contradicted_by_name() -> None:
    found = analyse(cubes(0.5, 0.5, (0.9, 0.1, 0.1)))
    assert changed(found) == []
    sentences = changed(found, separation=found.separation - 1e-6)
    assert len(sentences) == 6
    assert "-0.1000009" in sentences[0]
    assert "-0.0999999" in sentences[0]


def test_a_flipped_normal_is_contradicted() -> None:
    found = analyse(cubes(0.5, 0.5, (0.9, 0.1, 0.1)))
    assert any("support" in sentence for sentence in changed(found, normal=-found.normal))


def test_a_formula_that_is_outdone_bounds_the_answer_from_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference that has lost a corner is too small, and its number too large; one that is too small is wrong."""
    scene, honest = cubes(0.5, 0.5, (0.9, 0.1, 0.1)), in_space._explicit
    for off, said in ((1e-6, 0), (-1e-6, 1)):

        def wrong(*arguments: Any, off: float = off) -> Proximity:
            right = honest(*arguments)
            return replace(right, separation=right.separation + off)

        monkeypatch.setattr(in_space, "_explicit", wrong)
        found = analyse(scene)
        assert found.separation == pytest.approx(-0.1, abs=1e-13)
        assert found.answer.iterated
        sentences = [str(one) for one in found.disagreements if "at most -0.10000" in str(one)]
        assert (len(sentences), len(found.disagreements)) == (said, said)


def test_the_certificate_is_what_a_direction_proves() -> None:
    for scene in [*sample(general, 30), *sample(sphere_box, 30)]:
        direction = np.array((0.6, 0.0, 0.8))
        assert certificate(scene.a, scene.b, direction) == pytest.approx(support_gap(scene, direction), abs=1e-14)


# ---- pairs with known answers ----


@pytest.mark.parametrize("record", reported_cases(), ids=lambda record: record["id"])
def test_reported_case(record: dict[str, Any]) -> None:
    scene, truth = read_scene(record["scene"]), record["truth"]
    found, size = analyse(scene), extent_of(scene)
    gap = found.certainty.gap
    assert found.verdict.value == truth["state"]
    assert found.certainty.provenance in (Provenance.EXACT, Provenance.CERTIFIED)
    assert gap <= 2e-14 * size
    assert found.separation == pytest.approx(truth["separation"], abs=1e-15 * size + gap, rel=1e-14)
    assert found.disagreements == ()
    # A direction is right when it proves the separation.
    assert support_gap(scene, found.normal) == pytest.approx(truth["separation"], abs=1e-14 * size + gap)
    # Where a curved surface leaves it, what a direction proves changes with the square of its error, and so does the
    # distance with that of a point's: known to 1e-15, it tells either to the root of that.
    loose = 1e-12 if found.certainty.provenance is Provenance.EXACT else 2e-7
    doubts = " ".join(record.get("uncertain", ()))
    if truth["direction_unique"] and "tied" not in doubts:
        assert found.normal == pytest.approx(truth["direction_A_to_B"], abs=loose)
    if truth["points_unique"] and "tied" not in doubts and "exact arithmetic only" not in doubts:
        assert found.witness_a == pytest.approx(truth["point_A"], abs=loose * size)
        assert found.witness_b == pytest.approx(truth["point_B"], abs=loose * size)


def test_the_reported_cases_are_all_there() -> None:
    records = reported_cases()
    assert len(records) == 81
    states = Counter(record["truth"]["state"] for record in records)
    assert states == {"OVERLAPPING": 57, "SEPARATED": 16, "TOUCHING": 8}


EIGHTH = pi / 4
ABOUT_Y, ABOUT_Z = from_axis_angle((0, 1, 0), EIGHTH), from_axis_angle((0, 0, 1), EIGHTH)


@pytest.mark.parametrize(
    ("scene", "separation", "ties"),
    [
        (cubes(0.5, 0.05, (0.4, 0.4, 0.4)), -0.15, 12),
        (cubes(0.5, 0.1, (0, 0, 0)), -0.6, 12),
        (cubes(0.5, 0.5, (sqrt(2) - 0.05, 0, 0), ABOUT_Y, ABOUT_Y), -0.05 / sqrt(2), None),
        (cubes(0.5, 0.5, (sqrt(2) - 0.05, 0, 0), ABOUT_Y, ABOUT_Z), -0.05, None),
        (cubes(1.0, 1.0, (0, 0, 1.9)), -0.1, None),
        (cubes(0.5, 0.5, (0, 0, 0)), -1.0, 12),
    ],
    ids=["fcl-545", "concentric", "both turned", "crossed", "libccd-25", "coincident"],
)
def test_pairs_that_libraries_get_wrong(scene: Scene, separation: float, ties: int | None) -> None:
    found = analyse(scene)
    assert found.separation == pytest.approx(separation, abs=4e-16)
    assert found.verdict is Verdict.OVERLAPPING
    assert found.disagreements == ()
    if ties is not None:
        assert len(found.sat.ties) + 1 == ties


def test_crossed_cubes_win_on_an_edge_pair() -> None:
    found = analyse(cubes(0.5, 0.5, (sqrt(2) - 0.05, 0, 0), ABOUT_Y, ABOUT_Z))
    assert found.sat.candidates[found.sat.winner].label == "A.y×B.z"
    assert found.contact_vertices.a.kind == found.contact_vertices.b.kind == "edge"


@pytest.mark.parametrize("at", [(1, 0.2, 0.1), (1, 1, 0.1), (1, 1, 1), (-1, 0.2, 0), (0, -1, 1)])
def test_unit_cubes_touch_by_face_edge_and_corner(at: tuple[float, float, float]) -> None:
    found = analyse(cubes(0.5, 0.5, at))
    assert found.verdict is Verdict.TOUCHING
    assert found.separation == 0.0
    assert found.witness_a == pytest.approx(found.witness_b)
    assert support_gap(found.scene, found.normal) == 0.0


def _fcl_493() -> tuple[Quaternion, Scene]:
    rows = np.array(
        (
            (0.96193976625564348, 0.15401279915737359, 0.22572537250328920),
            (-0.19134171618254486, 0.96936494951283914, 0.15401279915737359),
            (-0.19509032201612822, -0.19134171618254486, 0.96193976625564348),
        )
    )
    turn = from_matrix(rows)
    at_a, at_b = (2.0770063995786869, 0.48468247475641951, 1.1543291419087276), (2.0, 0.0, 1.25)
    size = Box((0.5, 0.5, 0.5))
    return turn, Scene(Body(size, at_a, turn), Body(size, at_b, turn))


def test_fcl_493_touches_with_four_axes_tied() -> None:
    _, scene = _fcl_493()
    found = analyse(scene)
    assert found.verdict is Verdict.TOUCHING
    assert abs(found.separation) <= 4e-16
    assert found.sat.candidates[found.sat.winner].label == "A.y"
    tied = [found.sat.candidates[row].label for row in found.sat.ties]
    assert tied == ["B.y", "A.x×B.z", "A.z×B.x"]
    assert found.contact_vertices.a.kind == found.contact_vertices.b.kind == "face"


def test_far_from_the_origin_the_answer_is_the_same() -> None:
    # Powers of two, so that the positions themselves lose nothing out there.
    near = box_scene((1, 1, 1), (1, 2, 1), (0.75, 0.5, 0.25), turn_b=from_axis_angle((1, 2, 3), 0.5))
    far = Scene(moved(near.a, (2.0**20,) * 3), moved(near.b, (2.0**20,) * 3))
    one, other = analyse(near), analyse(far)
    assert other.separation == one.separation
    assert other.normal.tolist() == one.normal.tolist()
    assert isinstance(other, Analysis)
    assert other.witness_a - 2.0**20 == pytest.approx(one.witness_a, abs=1e-9)


@pytest.mark.slow
def test_representative_families() -> None:
    for family in (general, near_aligned, touching):
        verdicts = Counter(analyse(scene).verdict for scene in sample(family, 200, seed=71))
        hits = verdicts[Verdict.OVERLAPPING] + verdicts[Verdict.TOUCHING]
        assert 0.3 <= hits / some(200) <= 0.8, family.__name__
    assert verdicts[Verdict.TOUCHING] >= some(20)
