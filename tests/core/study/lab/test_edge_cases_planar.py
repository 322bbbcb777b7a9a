"""The edge-case tools in the plane: B alone moves and stays in it, and each does exactly what it says."""

from __future__ import annotations

from collections import Counter
from math import asin, atan2, inf, nextafter, pi

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.analysis import analyse
from core.geometry.tolerances import EPS
from core.geometry.vec2 import cross, dot, negated
from core.pair.candidate_axes import AxisKind
from core.pair.cores import PlanePair
from core.pair.features import facing_edge
from core.sat.plane import plane_sat
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.lab.edge_cases import centres_together, edges_parallel, faces_aligned, nudged, shifted, touching
from core.study.lab.random_pair import random_flat_pair
from core.verdict import Verdict
from tests.core.planar_samples import FAMILIES, Family, brute_force, exact_verdict, general, scenes, size_of
from tests.selection import some

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
POLYGONS = [
    scene
    for scene in scenes(40, 91, (general,))
    if isinstance(scene.a.shape, Polygon) and isinstance(scene.b.shape, Polygon)
]


def squares(x: float, y: float, angle: float = 0.0) -> Scene:
    return Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (x, y), angle))


def only_b_moved(before: Scene, after: Scene) -> None:
    assert after.dimension == 2
    assert after.a == before.a
    assert after.b.shape == before.b.shape
    assert after.b.position[2] == 0.0
    assert (after.name, after.notes) == (before.name, before.notes)


def test_a_nudge_is_one_last_place_and_is_seen() -> None:
    kissing = squares(2.0, 0.3)
    for axis in (0, 1):
        up = nudged(kissing, axis, 1)
        only_b_moved(kissing, up)
        assert up.b.position[axis] == nextafter(kissing.b.position[axis], inf)
        assert nudged(up, axis, -1) == kissing
    assert analyse(kissing).separation == 0.0
    assert analyse(nudged(kissing, 0, 1)).separation > 0.0
    assert analyse(nudged(kissing, 0, -1)).separation < 0.0


def test_a_shift_is_a_power_of_ten_of_the_size() -> None:
    scene = shifted(squares(3.0, 0.0), (0.0, 2.0, 0.0), -3)
    assert scene.b.position == (3.0, pytest.approx(1e-3 * 2.0**0.5), 0.0)
    with pytest.raises(ValueError, match="cannot move"):
        shifted(squares(3.0, 0.0), (0.0, 0.0, 1.0), -3)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.sampled(3, "random")
def test_touching_leaves_no_more_than_rounding(family: Family) -> None:
    for scene in scenes(5, 92, (family,)):
        found = touching(scene)
        only_b_moved(scene, found.scene)
        after = analyse(found.scene)
        assert after.separation == found.separation
        reach = max(abs(c) for c in (*scene.a.position, *found.scene.b.position)) + size_of(scene)
        assert abs(found.separation) <= 16.0 * EPS * reach
        assert abs(brute_force(found.scene)) <= 1e-12 * reach
        moved = float(np.hypot(*np.subtract(found.scene.b.position, scene.b.position)[:2]))
        # Along the normal the way is the distance.
        assert moved == pytest.approx(abs(analyse(scene).separation), rel=1e-6, abs=1e-9 * reach)


def test_touching_of_squares_that_are_not_turned_is_exact() -> None:
    for x, y in ((3.0, 0.3), (0.7, 0.2), (2.5, 2.5), (0.1, -0.3)):
        found = touching(squares(x, y))
        if x != y:
            assert found.separation == 0.0
            assert exact_verdict(found.scene) == "TOUCHING"
        assert abs(found.separation) <= 2.0 * EPS


def test_touching_along_a_given_line() -> None:
    inside = squares(0.25, 0.5)
    assert touching(inside, (2.0, 0.0, 0.0)).scene.b.position == (2.0, 0.5, 0.0)
    assert touching(inside, (-1.0, 0.0, 0.0)).scene.b.position == (-2.0, 0.5, 0.0)
    assert touching(squares(5.0, 0.5), (1.0, 0.0, 0.0)).scene.b.position == (2.0, 0.5, 0.0)
    with pytest.raises(ValueError, match="passes A at a distance of 3"):
        touching(squares(5.0, 0.5), (0.0, 1.0, 0.0))


@pytest.mark.parametrize("scene", POLYGONS)
def test_the_winning_edge_and_the_other_bodys_nearest_become_parallel_by_the_least_turn(scene: Scene) -> None:
    winner = plane_sat(scene.a, scene.b).candidates[plane_sat(scene.a, scene.b).winner]
    assert winner.kind is not AxisKind.CENTRES
    before, of_a = PlanePair.of(scene.a, scene.b), winner.kind is AxisKind.FACE_A
    fixed, others = (before.a, before.b) if of_a else (before.b, before.a)
    edge = winner.feature_a if of_a else winner.feature_b
    assert edge is not None
    sines = [abs(cross(fixed.normals[edge], normal)) for normal in others.normals]
    turned = edges_parallel(scene)
    only_b_moved(scene, turned)
    assert turned.b.position == scene.b.position
    after = PlanePair.of(turned.a, turned.b)
    fixed, others = (after.a, after.b) if of_a else (after.b, after.a)
    assert min(abs(cross(fixed.normals[edge], normal)) for normal in others.normals) <= 4.0 * EPS
    assert abs(turned.b.angle - scene.b.angle) == pytest.approx(asin(min(1.0, min(sines))), abs=1e-9)


@pytest.mark.parametrize("scene", POLYGONS)
def test_the_nearest_edges_come_to_face_each_other(scene: Scene) -> None:
    x, y, _ = analyse(scene).normal.tolist()
    pair = PlanePair.of(scene.a, scene.b)
    one, other = facing_edge(pair.a, (x, y)), facing_edge(pair.b, (-x, -y))
    turned = faces_aligned(scene)
    only_b_moved(scene, turned)
    after = PlanePair.of(turned.a, turned.b)
    np.testing.assert_allclose(after.b.normals[other], negated(after.a.normals[one]), atol=8.0 * EPS)
    wanted = negated(pair.a.normals[one])
    angle = atan2(cross(pair.b.normals[other], wanted), dot(pair.b.normals[other], wanted))
    assert turned.b.angle - scene.b.angle == pytest.approx(angle, abs=1e-9)


def test_a_whole_turn_back_is_found_to_the_last_place() -> None:
    for angle in (0.3, -0.7, 1e-9, 0.6):
        turned = edges_parallel(squares(2.6, 0.1, angle))
        assert turned.b.angle == 0.0
        assert faces_aligned(squares(2.6, 0.1, angle)).b.shape == SQUARE


def test_what_is_there_already_and_what_has_no_edges_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^These edges are parallel already\.$"):
        edges_parallel(squares(1.5, 0.2))
    with pytest.raises(ValueError, match=r"^The nearest edges are parallel already\.$"):
        faces_aligned(squares(1.5, 0.2))
    circle = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (1.5, 0.25)))
    for tool in (edges_parallel, faces_aligned):
        with pytest.raises(ValueError, match=r"^B has no edges\.$"):
            tool(circle)
        with pytest.raises(ValueError, match=r"^A has no edges\.$"):
            tool(circle.swapped())


def test_random_pairs_are_representative_and_repeatable() -> None:
    rng = np.random.default_rng(93)
    verdicts: Counter[Verdict] = Counter()
    kinds: Counter[type] = Counter()
    for _ in range(some(150)):
        scene = random_flat_pair(rng)
        assert -pi <= scene.a.angle <= pi
        verdicts[analyse(scene).verdict] += 1
        kinds.update((type(scene.a.shape), type(scene.b.shape)))
    assert 0.3 <= verdicts[Verdict.OVERLAPPING] / some(150) <= 0.7
    assert verdicts[Verdict.TOUCHING] <= some(3)
    assert set(kinds) == {Polygon, Circle}
    first, second = (random_flat_pair(np.random.default_rng(7), ("polygon",)) for _ in range(2))
    assert first == second
    for kinds_ in ((), ("polygon", "box")):
        with pytest.raises(ValueError, match="no random pair"):
            random_flat_pair(rng, kinds_)


def test_displacement_and_name_stay() -> None:
    scene = squares(1.5, 0.2, 0.4)
    moving = replace(scene, name="Moving", b=replace(scene.b, displacement=(1.0, 0.0, 0.0)))
    for tool in (edges_parallel, faces_aligned, centres_together):
        after = tool(moving)
        only_b_moved(moving, after)
        assert after.b.displacement == (1.0, 0.0, 0.0)
