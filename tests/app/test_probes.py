"""What the probes find: numbers against independent sums."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from app.probes import PlaneProbe
from app.probes.planes import Scaling, plane_start, point_against, point_start, through, verdict_words
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.pair.features import contact_vertices
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Sphere

from .probe_samples import BOX, GROUND, HULL, PAIR, TURNED, triple

# A point.


def test_a_box_sees_a_point_inside_exactly_when_it_is() -> None:
    rng = np.random.default_rng(1)
    inside = 0
    for point in rng.uniform(-1.5, 1.5, (400, 3)):
        local = BOX.pose.matrix.T @ (point - BOX.pose.position)
        over = np.abs(local) - BOX.shape.half_extents
        found = point_against(BOX, triple(point))
        assert (len(found.outside) == 0) == bool((over <= 0.0).all())
        assert len(found.outside) == int((over > 0.0).sum())
        assert found.worst is not None
        assert found.worst.distance == pytest.approx(over.max(), abs=1e-14)
        inside += not found.outside
    assert 40 < inside < 360


def test_every_plane_has_its_own_distance_and_normal() -> None:
    point = (1.7, 0.9, -0.4)
    found = point_against(HULL, point)
    solid = HULL.shape.polyhedron.placed(HULL.pose.matrix, HULL.pose.position)
    assert len(found.sides) == 8
    for side in found.sides:
        normal, corner = solid.normals[side.face], solid.vertices[solid.faces[side.face][0]]
        assert side.distance == pytest.approx(normal @ (np.array(point) - corner), abs=1e-14)
        assert side.normal == pytest.approx(normal, abs=1e-15)
    distances = [side.distance for side in found.sides]
    assert distances == sorted(distances, reverse=True)


def test_convex_combinations_of_the_vertices_are_inside() -> None:
    rng = np.random.default_rng(2)
    vertices = HULL.pose.to_world(HULL.shape.polyhedron.vertices)
    for weights in rng.dirichlet(np.ones(len(vertices)), 100):
        assert not point_against(HULL, triple(weights @ vertices)).outside
    for vertex in vertices:
        found = point_against(HULL, triple(vertex))
        assert found.on
        assert not found.outside
        beyond = HULL.pose.position + 1.001 * (vertex - HULL.pose.position)
        assert len(point_against(HULL, triple(beyond)).outside) == 4


def test_a_half_space_has_one_plane_with_both_signs() -> None:
    normal, on_plane = GROUND.pose.matrix[:, 1], GROUND.pose.position + 0.5 * GROUND.pose.matrix[:, 1]
    for height in (-2.0, 3.5):
        (side,) = point_against(GROUND, triple(on_plane + height * normal + GROUND.pose.matrix[:, 0])).sides
        assert side.distance == pytest.approx(height, abs=1e-14)
        assert side.name == "plane"


@pytest.mark.parametrize(
    ("body", "point", "words"),
    [
        (
            Body(Box((2.0, 2.0, 2.0))),
            (0.0, 0.5, 0.0),
            "Inside A: it is behind all 6 planes. Nearest: A.+y, 0.5 away.",
        ),
        (Body(Box((2.0, 2.0, 2.0))), (2.0, 0.5, 0.0), "Outside A: it is in front of 1 of 6 planes."),
        (Body(Box((2.0, 2.0, 2.0))), (2.0, 2.0, 3.0), "Outside A: it is in front of 3 of 6 planes."),
        (
            Body(Box((2.0, 2.0, 2.0))),
            (1.0, 0.5, 0.0),
            "On the surface of A: it is in front of no plane and lies on A.+x.",
        ),
        (Body(HalfSpace((0.0, 1.0, 0.0), 0.5)), (0.0, 1.0, 0.0), "On the positive side of A's plane: outside."),
        (
            Body(HalfSpace((0.0, 1.0, 0.0), 0.5)),
            (0.0, 0.0, 0.0),
            "On the negative side of A's plane: inside the half-space.",
        ),
        (Body(HalfSpace((0.0, 1.0, 0.0), 0.5)), (3.0, 0.5, 0.0), "On the plane of A."),
        (Body(Sphere(1.0)), (0.0, 0.0, 0.25), "Inside A, which is round: 0.75 from its nearest tangent plane."),
        (Body(Sphere(1.0)), (0.0, 3.0, 4.0), "Outside A, which is round: 4 from its nearest tangent plane."),
        (Body(Sphere(1.0)), (0.0, 1.0, 0.0), "On the surface of A, which is round."),
        (
            Body(Cone(1.0, 2.0)),
            (0.0, 1.5, 0.0),
            "Outside A, which is round: 0.5 from its nearest plane at its rim or apex.",
        ),
    ],
)
def test_it_is_said_in_words(body: Body, point, words: str) -> None:
    assert verdict_words(0, point_against(body, point)) == words


ROUND = {
    "sphere": Sphere(0.9),
    "capsule": Capsule(0.4, 1.2),
    "cylinder": Cylinder(0.6, 1.4),
    "cone": Cone(0.7, 1.1),
    "ellipsoid": Ellipsoid((0.5, 1.1, 0.8)),
    "needle": Ellipsoid((1e-3, 2.0, 1.0)),
}


@pytest.mark.parametrize("shape", ROUND.values(), ids=ROUND)
@pytest.mark.parametrize("place", [(0.3, -0.2, 0.1), (300.0, -2000.0, 100.0)])
def test_no_plane_of_a_round_body_has_the_point_farther_in_front_than_the_nearest(shape, place) -> None:
    rng = np.random.default_rng(5)
    body = Body(shape, place, TURNED)
    directions = rng.normal(size=(3000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    reach = shape.reach(directions @ body.pose.matrix)
    inside = 0
    slack = 1e-12 + 4e-16 * np.abs(place).max()
    for local in rng.normal(scale=0.6, size=(60, 3)) * shape.bounding_radius:
        point = body.pose.to_world(local)
        found = point_against(body, triple(point))
        nearest = found.nearest
        assert nearest is not None
        assert not found.sides
        # The signed distance from a convex body is the most that any of its tangent planes has the point in front.
        arm = point - body.pose.position
        assert (directions @ arm - reach).max() <= nearest.distance + slack
        own = nearest.normal @ arm - float(shape.reach(nearest.normal @ body.pose.matrix))
        assert own == pytest.approx(nearest.distance, abs=slack)
        assert np.linalg.norm(nearest.normal) == pytest.approx(1.0, abs=1e-14)
        assert nearest.point + nearest.distance * nearest.normal == pytest.approx(point, abs=slack)
        assert (directions @ (nearest.point - body.pose.position) <= reach + slack).all(), "it is no part of the body"
        assert not found.on
        inside += nearest.distance < 0.0
    assert shape is ROUND["needle"] or 4 < inside < 56


def test_on_the_surface_the_distance_is_nothing() -> None:
    rng = np.random.default_rng(6)
    for shape in ROUND.values():
        body = Body(shape, (3.0, -0.2, 0.1), TURNED)
        for way in (*rng.normal(size=(20, 3)), *np.eye(3), *-np.eye(3)):
            found = point_against(body, triple(body.pose.to_world(shape.support(way))))
            assert found.on
            assert not found.outside


def test_a_rim_and_an_apex_are_told_from_smooth_places() -> None:
    for shape, local, sharp in (
        (Cylinder(0.5, 1.0), (1.0, 1.0, 0.0), True),
        (Cylinder(0.5, 1.0), (1.0, 0.2, 0.0), False),
        (Cylinder(0.5, 1.0), (0.1, 2.0, 0.0), False),
        (Cone(0.5, 1.0), (0.0, 2.0, 0.0), True),
        (Cone(0.5, 1.0), (0.0, 0.0, -1.0), False),
        (Cone(0.5, 1.0), (0.0, -0.9, -1.0), True),
        (Capsule(0.5, 1.0), (0.3, 2.0, 0.1), False),
        (Ellipsoid((0.5, 1.0, 2.0)), (0.0, 2.0, 0.0), False),
        (Sphere(1.0), (0.0, 0.0, 0.0), False),
    ):
        assert point_against(Body(shape), local).nearest.sharp == sharp


def test_far_from_the_origin_a_point_on_a_face_is_on_it() -> None:
    far = replace(BOX, position=(1e6, -2e6, 3e6))
    for corner in far.pose.to_world(far.shape.polyhedron.vertices):
        assert point_against(far, triple(corner)).on


def test_a_point_begins_outside() -> None:
    for scene in (PAIR, Scene(GROUND, BOX), Scene(BOX, GROUND)):
        at = point_start(scene)
        assert any(point_against(body, at).outside for body in (scene.a, scene.b))


# Three points.


def test_the_plane_holds_its_points_and_its_product_is_the_triangle() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        a, b, c = rng.normal(size=(3, 3))
        found = through(PAIR, PlaneProbe((triple(a), triple(b), triple(c))))
        assert found.plane is not None
        # The normal is the direction in which the three points do not spread.
        _, _, rows = np.linalg.svd(np.array((a, b, c)) - (a + b + c) / 3.0)
        assert abs(found.plane.normal @ rows[2]) == pytest.approx(1.0, abs=1e-12)
        assert found.plane.normal @ np.cross(b - a, c - a) > 0.0
        assert found.product == pytest.approx(np.cross(b - a, c - a), abs=1e-15)
        assert [found.plane.signed_distance(p) for p in (a, b, c)] == pytest.approx([0.0] * 3, abs=1e-13)
        for body, side in zip((BOX, HULL), found.sides, strict=True):
            world = body.pose.to_world(body.shape.polyhedron.vertices)
            assert side.vertices == pytest.approx(world @ found.plane.normal - found.plane.offset, abs=1e-14)
            assert (side.lowest, side.highest) == pytest.approx((side.vertices.min(), side.vertices.max()), abs=1e-13)
            expected = "in front of" if side.lowest > 0 else "behind" if side.highest < 0 else "cut by"
            assert side.words == f"{expected} the plane"


def test_flipping_negates_normal_offset_and_distances() -> None:
    probe = plane_start(PAIR)
    one, other = through(PAIR, probe), through(PAIR, replace(probe, flipped=True))
    assert one.plane is not None
    assert other.plane is not None
    assert np.array_equal(one.plane.normal, -other.plane.normal)
    assert one.plane.offset == -other.plane.offset
    assert np.array_equal(one.product, -other.product)
    assert [side.centre for side in one.sides] == [-side.centre for side in other.sides]


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        (((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (3.0, 3.0, 3.0)), "Three points on one line span no plane."),
        (((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), "Three points of which two coincide span no plane."),
    ],
)
def test_points_that_span_no_plane_say_so(points, fault: str) -> None:
    found = through(PAIR, PlaneProbe(points))
    assert (found.plane, found.sides, found.fault) == (None, (), fault)


def test_a_half_space_beside_the_plane_is_cut_without_end() -> None:
    found = through(Scene(GROUND, BOX), plane_start(Scene(GROUND, BOX)))
    assert found.sides[0].words == "cut by the plane"
    assert (found.sides[0].lowest, found.sides[0].highest) == (-np.inf, np.inf)


# Space scaled.


def ellipsoids(count: int):
    rng = np.random.default_rng(8)
    for _ in range(count):
        turn = quaternion.from_euler_xyz(*rng.uniform(-3, 3, 3).tolist())
        body = Body(Ellipsoid(triple(np.exp(rng.uniform(-1.5, 1.0, 3)))), triple(rng.normal(size=3)), turn)
        ground = Body(
            HalfSpace(triple(rng.normal(size=3)), float(rng.normal())), triple(0.3 * rng.normal(size=3)), TURNED
        )
        yield Scene(body, ground) if rng.random() < 0.5 else Scene(ground, body)


def test_scaled_space_maps_points_planes_and_answers() -> None:
    rng = np.random.default_rng(9)
    opposite = 0
    for scene in ellipsoids(40):
        scaling, analysis = Scaling.of(scene), analyse(scene)
        assert scaling is not None
        assert scaling.distance - scaling.stretch == pytest.approx(analysis.separation, abs=1e-12)
        body, ground = scene.body(scaling.index), scene.body(1 - scaling.index)
        directions = rng.normal(size=(200, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        surface = body.pose.to_world(directions * scaling.radii) - scaling.centre
        plane = ground.shape.plane.placed(ground.pose.matrix, ground.pose.position)
        tangents = np.cross(plane.normal, rng.normal(size=(200, 3)))
        flat = plane.point() + tangents - scaling.centre
        for share in (0.0, 0.35, 1.0):
            space = scaling.at(share)
            heights = flat @ space.matrix.T @ space.normal
            assert heights == pytest.approx(np.full(200, -space.distance), abs=1e-11 * (1.0 + np.abs(flat).max()))
            mapped = surface @ space.matrix.T
            assert (mapped @ space.normal).min() >= -space.reach - 1e-12
            deepest = space.contact - scaling.centre
            assert deepest @ space.normal == pytest.approx(-space.reach, abs=1e-12)
            assert np.sign(space.gap) == np.sign(analysis.separation)
            # Cauchy and Schwarz: the mistaken normal never finds less between them.
            assert space.mistaken_distance * np.sign(space.distance) >= abs(space.distance) - 1e-12
        unit_ball = surface @ scaling.at(1.0).matrix.T
        assert np.linalg.norm(unit_ball, axis=1) == pytest.approx(np.ones(200), abs=1e-12)
        assert scaling.at(1.0).reach == pytest.approx(1.0, abs=1e-14)
        opposite += scaling.at(1.0).gap < 0.0 < scaling.at(1.0).mistaken_distance - 1.0
    assert opposite > 0


def test_at_the_start_nothing_is_scaled() -> None:
    scene = next(iter(ellipsoids(1)))
    scaling = Scaling.of(scene)
    space = scaling.at(0.0)
    assert space.matrix == pytest.approx(np.eye(3), abs=1e-15)
    assert space.angle == pytest.approx(0.0, abs=1e-5)
    assert space.magnified == 1.0
    assert (space.distance, space.reach) == pytest.approx((scaling.distance, scaling.stretch), abs=1e-14)
    assert Scaling.of(PAIR) is None


# Contact vertices of a box on a plane.


def test_every_quarter_turn_of_a_box_lies_on_a_face() -> None:
    ground, up = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), np.array((0.0, 1.0, 0.0))
    quarter = np.pi / 2
    for steps in product(range(4), repeat=3):
        rotation = quaternion.from_euler_xyz(*(quarter * step for step in steps))
        box = Body(Box((2.0, 1.0, 3.0)), (0.0, 2.0, 0.0), rotation)
        met = contact_vertices(ground, box, up).b
        assert (met.kind, len(met.points)) == ("face", 4)
        for axis, count in (((0.0, 0.0, 1.0), 2), ((0.6, 0.0, 0.8), 1)):
            tipped = replace(box, rotation=quaternion.multiply(quaternion.from_axis_angle(axis, 0.3), rotation))
            assert len(contact_vertices(ground, tipped, up).b.points) == count
