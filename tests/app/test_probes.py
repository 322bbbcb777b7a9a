"""What the probes find: numbers against independent sums, and what a file keeps of them."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from app.camera import Camera, Projection
from app.files.scene_file import SceneError, read, write
from app.probes import Aim, Lens, PlaneProbe, PointProbe, RayLook, RayProbe, ScaleProbe
from app.probes.plane import start_of as plane_start
from app.probes.plane import through
from app.probes.point import point_against, start_of, verdict_words
from app.probes.ray import (
    article_answers,
    crossing,
    gjk_cast,
    lens_of,
    nearest_body,
    one_axis,
    picked_pixel,
    ray_of,
    shifts,
    unprojection,
    with_lens,
    with_shift,
)
from app.probes.scaling import Scaling
from app.view import View
from core.algorithms.features import contact_vertices
from core.algorithms.gjk_raycast import GjkRaycastStop
from core.analysis import analyse
from core.article_variants import p11_symmetric_perspective
from core.article_variants.picking import pixel_ray
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
BOX = Body(Box((2.0, 1.0, 1.5)), (0.3, -0.2, 0.1), TURNED)
OCTAHEDRON = tuple(tuple((sign * np.eye(3)[axis]).tolist()) for axis in range(3) for sign in (1.0, -1.0))
HULL = Body(Hull(OCTAHEDRON), (2.5, 0.4, 0.3), quaternion.from_euler_xyz(0.1, 0.4, 0.3))
GROUND = Body(HalfSpace((0.0, 2.0, 0.0), 1.0), (0.0, -1.5, 0.0), quaternion.from_euler_xyz(0.1, 0.0, 0.2))
PAIR = Scene(BOX, HULL)


def triple(point) -> tuple[float, float, float]:
    x, y, z = np.asarray(point, dtype=float).tolist()
    return x, y, z


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
            "Inside A: none of 6 planes has it in front. Nearest: +y, 0.5 away.",
        ),
        (Body(Box((2.0, 2.0, 2.0))), (2.0, 0.5, 0.0), "Outside A: 1 of 6 planes has it in front."),
        (Body(Box((2.0, 2.0, 2.0))), (2.0, 2.0, 3.0), "Outside A: 3 of 6 planes have it in front."),
        (
            Body(Box((2.0, 2.0, 2.0))),
            (1.0, 0.5, 0.0),
            "On the surface of A: no plane has it in front, +x has it on itself.",
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
        at = start_of(scene)
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


# A ray.

CAMERAS = {
    "perspective": Camera((0.4, 0.1, -0.2), 9.0, 0.5, 0.3),
    "from above, z up": Camera((0.4, 0.1, -0.2), 9.0, -2.5, 1.1, z_up=True),
    "orthographic": Camera((0.4, 0.1, -0.2), 9.0, 0.5, 0.3, orthographic=True),
    "wide": Camera((0.0, 0.0, 0.0), 3.0, 0.1, -0.4, field_of_view=1.6),
    "tiny": Camera((1e-7, 0.0, 0.0), 1e-6, 0.7, 0.2),
}
SIZE = (800.0, 600.0)
PIXELS = [(400.0, 300.0), (12.5, 590.0), (700.0, 20.0), (0.0, 0.0)]


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("pixel", PIXELS)
def test_the_unprojected_points_are_seen_at_the_pixel(camera: Camera, pixel: tuple[float, float]) -> None:
    ray = unprojection(camera, pixel, SIZE)
    projection = Projection(camera, *SIZE)
    for point in (ray.near, ray.far, ray.origin + 2.0 * camera.distance * ray.direction):
        assert projection.project(point[None])[0, :2] == pytest.approx(pixel, abs=1e-6)
    for corner, place in zip(ray.corners, ((0, 600), (800, 600), (800, 0), (0, 0)), strict=True):
        assert projection.project(corner[None])[0, :2] == pytest.approx(place, abs=1e-6)
    # Two ways to the one ray: the inverse matrices and the camera's own line of sight.
    along = (ray.far - ray.near) / np.linalg.norm(ray.far - ray.near)
    assert along == pytest.approx(ray.direction, abs=1e-10)
    beside = np.cross(ray.near - ray.origin, ray.direction)
    assert np.linalg.norm(beside) <= 1e-10 * camera.distance
    ahead = -camera.basis()[2]
    assert (ray.near - camera.eye()) @ ahead == pytest.approx(0.25 * camera.distance, rel=1e-12)
    assert ray.device == pytest.approx((pixel[0] / 400.0 - 1.0, 1.0 - pixel[1] / 300.0), abs=1e-15)


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_the_articles_shortcut_is_right_in_perspective_only(camera: Camera) -> None:
    ray = unprojection(camera, (610.0, 120.0), SIZE)
    assert ray.shortcut_differs == camera.orthographic
    mark = Body(Sphere(1.0), triple(ray.eye), quaternion.from_matrix(camera.basis().T))
    hits = set()
    for away in (0.0, 0.1, 0.2, 0.4):
        ball = Body(
            Sphere(0.1 * camera.distance), triple(ray.eye + camera.distance * (ray.shortcut + away * camera.basis()[1]))
        )
        picked = picked_pixel(camera, ray.device, SIZE[0] / SIZE[1])
        says = p11_symmetric_perspective(Scene(ball, mark), picked)
        to_ball = ball.pose.position - ray.eye
        off = np.linalg.norm(np.cross(to_ball, ray.shortcut))
        assert says == (off <= 0.1 * camera.distance)
        hits.add(says)
    assert hits == {True, False}


# A window off centre.

STRAIGHT = [name for name, camera in CAMERAS.items() if not camera.orthographic]


@pytest.mark.parametrize("name", STRAIGHT)
@pytest.mark.parametrize("shift", [-1.0, -0.3, 0.5, 1.0])
@pytest.mark.parametrize("pixel", PIXELS)
def test_the_ray_of_an_off_centre_window_is_cores(name: str, shift: float, pixel: tuple[float, float]) -> None:
    camera = CAMERAS[name]
    ray = unprojection(camera, pixel, SIZE, shift)
    # By the sheared matrix and its inverse, as core has it for article P.
    picked = picked_pixel(camera, ray.device, SIZE[0] / SIZE[1], shift)
    assert (picked.left + picked.right) / (picked.right - picked.left) == pytest.approx(shift, abs=1e-14)
    eye = Body(Sphere(1.0), triple(ray.eye), quaternion.from_matrix(camera.basis().T)).pose
    _, way = pixel_ray(picked, eye)
    assert way / np.linalg.norm(way) == pytest.approx(ray.direction, abs=1e-10)
    assert ray.origin == pytest.approx(ray.eye, rel=1e-14)
    # And as a pinhole sees it: in proportion between the window's corners.
    across, up = 0.5 * (ray.device[0] + 1.0), 0.5 * (ray.device[1] + 1.0)
    left_low, right_low, _, left_high = ray.corners
    on_window = left_low + across * (right_low - left_low) + up * (left_high - left_low)
    assert np.linalg.norm(np.cross(on_window - ray.eye, ray.direction)) <= 1e-10 * camera.distance
    assert ray.near == pytest.approx(on_window, abs=1e-10 * camera.distance)
    assert ray.shortcut_differs
    assert ray.supposed.mean(axis=0) == pytest.approx(
        ray.eye - 0.25 * camera.distance * camera.basis()[2], abs=1e-10 * camera.distance
    )
    centred = unprojection(camera, pixel, SIZE)
    assert ray.shortcut == pytest.approx(centred.direction, abs=1e-10)
    assert ray.supposed == pytest.approx(centred.corners, abs=1e-10 * camera.distance)


@pytest.mark.parametrize("x", [0.0, 150.0, 400.0, 650.0, 800.0])
def test_putting_the_window_aside_keeps_the_ray(x: float) -> None:
    probe = RayProbe(CAMERAS["perspective"], (x, 222.0), SIZE, step=3)
    before = ray_of(probe)
    assert lens_of(probe) is Lens.PERSPECTIVE
    aside = with_lens(probe, Lens.OFF_CENTRE)
    assert lens_of(aside) is Lens.OFF_CENTRE
    assert aside.shift == (0.5 if x >= 200.0 else -0.5)
    assert aside.step == 0
    assert ray_of(aside).direction == pytest.approx(before.direction, abs=1e-12)
    low, high = shifts(aside)
    for shift in np.linspace(low, high, 5).tolist():
        moved = with_shift(aside, shift)
        assert 0.0 <= moved.pixel[0] <= SIZE[0]
        assert moved.pixel[0] == pytest.approx(x - 400.0 * shift, abs=1e-9)
        assert ray_of(moved).direction == pytest.approx(before.direction, abs=1e-12)
    back = with_lens(aside, Lens.PERSPECTIVE)
    assert (back.shift, back.camera) == (0.0, probe.camera)
    assert back.pixel == pytest.approx(probe.pixel)
    assert not ray_of(back).shortcut_differs
    flat = with_lens(aside, Lens.ORTHOGRAPHIC)
    assert (flat.shift, flat.camera.orthographic) == (0.0, True)
    assert lens_of(flat) is Lens.ORTHOGRAPHIC
    assert with_lens(flat, Lens.PERSPECTIVE).camera == probe.camera


def test_a_ray_beside_the_window_goes_to_its_edge() -> None:
    probe = RayProbe(CAMERAS["perspective"], (790.0, 10.0), SIZE, shift=0.8)
    assert with_shift(probe, -0.8).pixel == (800.0, 10.0)


def rays(count: int, seed: int):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        camera = Camera(triple(0.6 * rng.normal(size=3)), 8.0, float(rng.uniform(-3, 3)), float(rng.uniform(-1.4, 1.4)))
        yield unprojection(camera, tuple(rng.uniform((300, 200), (500, 400)).tolist()), SIZE)


SHAPES = {
    "box": Box((2.0, 1.0, 1.5)),
    "sphere": Sphere(0.9),
    "capsule": Capsule(0.4, 1.2),
    "cylinder": Cylinder(0.6, 1.4),
    "hull": Hull(OCTAHEDRON),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_ray_is_in_the_body_between_entry_and_exit(shape) -> None:
    body = Body(shape, (0.2, 0.1, -0.3), TURNED)
    hits = 0
    for ray in rays(60, 4):
        cast = crossing(body, ray)
        gjk = gjk_cast(body, ray)
        assert gjk is not None
        assert gjk.result is not None
        if cast is None:
            assert gjk.result.hit is None
            continue
        hits += 1
        assert cast.entry is not None
        assert cast.exit is not None
        assert gjk.result.stop is GjkRaycastStop.HIT
        assert gjk.result.hit.t == pytest.approx(cast.entry.t, abs=1e-6)
        # A point is in a convex body when no support plane has it in front.
        for share, within in ((0.02, True), (0.5, True), (0.98, True), (-0.3, False), (1.3, False)):
            t = cast.entry.t + share * (cast.exit.t - cast.entry.t)
            local = body.pose.to_local(ray.origin + t * ray.direction)
            ways = np.random.default_rng(5).normal(size=(4000, 3))
            ways /= np.linalg.norm(ways, axis=1)[:, None]
            out = max(float((ways @ local - shape.reach(ways)).max()), _planes_ahead(shape, local))
            # The sampled planes miss what is outside by a sliver.
            assert out <= 1e-12 if within else out > 0.0 or cast.exit.t - cast.entry.t < 0.5
    assert hits > 8


def _planes_ahead(shape, local: np.ndarray) -> float:
    if shape.polyhedron is None:
        return -np.inf
    return float((shape.polyhedron.normals @ local - shape.polyhedron.offsets).max())


def test_the_bounds_of_the_gjk_cast_never_pass_the_hit() -> None:
    for ray in rays(40, 6):
        cast, exact = gjk_cast(BOX, ray), crossing(BOX, ray)
        times = [step.t for step in cast.steps]
        assert times == sorted(times)
        if exact is not None:
            assert times[-1] <= exact.t + 1e-9


def test_three_slabs_decide_and_one_axis_does_not() -> None:
    fooled = 0
    for ray in rays(1500, 7):
        test, hit = one_axis(BOX, ray), crossing(BOX, ray) is not None
        assert test is not None
        assert (test.enters <= test.leaves and test.leaves >= 0.0) == hit
        says = test.distance <= test.radius
        answer = next(a for a in article_answers(BOX, ray) if a.id == "P12-box-one-axis")
        assert (answer.says, answer.hit) == (says, hit)
        # Necessary, not sufficient.
        assert says or not hit
        fooled += says and not hit
        assert test.away @ ray.direction == pytest.approx(0.0, abs=1e-12)
    assert fooled > 5


def test_the_slabs_of_a_ray_along_a_face_have_no_end() -> None:
    cube = Body(Box((2.0, 2.0, 2.0)))
    across = unprojection(Camera((0.5, 0.25, 0.0), 5.0, 0.0, 0.0), (400.0, 300.0), SIZE)
    beside = unprojection(Camera((1.5, 0.25, 0.0), 5.0, 0.0, 0.0), (400.0, 300.0), SIZE)
    assert one_axis(cube, across).spans.tolist() == [[-np.inf, np.inf], [-np.inf, np.inf], [4.0, 6.0]]
    assert one_axis(cube, beside).enters == np.inf
    assert one_axis(HULL, across) is None


def test_a_half_space_has_a_closed_form_and_no_cast() -> None:
    ray = unprojection(CAMERAS["perspective"], (400.0, 300.0), SIZE)
    assert gjk_cast(GROUND, ray) is None
    cast = crossing(GROUND, ray)
    assert cast is not None
    assert cast.exit is None
    assert article_answers(GROUND, ray) == ()


def test_the_body_in_front_is_the_one_looked_at() -> None:
    camera = Camera((0.0, 0.0, 0.0), 8.0, 0.0, 0.0)
    ray = unprojection(camera, (400.0, 300.0), SIZE)
    near, far = Body(Sphere(0.5), (0.0, 0.0, 2.0)), Body(Sphere(0.5), (0.0, 0.0, -2.0))
    aside = Body(Sphere(0.5), (3.0, 0.0, 0.0))
    assert [nearest_body(Scene(*pair), ray) for pair in ((near, far), (far, near), (aside, far), (near, aside))] == [
        0,
        1,
        1,
        0,
    ]


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


# In a file.

EYE = Camera((0.1, 0.2, 0.3), 1.0 / 3.0, 0.1, -0.7, 0.9, True, True)
PROBES = {
    "point": PointProbe((0.1, 1.0 / 3.0, -1e-7)),
    "plane": PlaneProbe(((0.1, 0.2, 0.3), (1.0 / 7.0, 0.0, 0.0), (0.0, 5.0, 1e6))),
    "flipped plane": PlaneProbe(((0.1, 0.2, 0.3), (1.0, 0.0, 0.0), (0.0, 5.0, 1.0)), True),
    "ray": RayProbe(CAMERAS["perspective"], (400.5, 299.25), SIZE),
    "ray's cast": RayProbe(EYE, (0.0, 600.0), SIZE, RayLook.CAST, 1, 3),
    "ray's axis": RayProbe(EYE, (800.0, 0.0), SIZE, RayLook.ONE_AXIS),
    "ray off centre": RayProbe(CAMERAS["perspective"], (400.5, 299.25), SIZE, shift=-1.0 / 3.0),
    "scaling": ScaleProbe(1.0 / 3.0),
}


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
def test_a_probe_keeps_every_digit(probe) -> None:
    text = write(PAIR, View(probe=probe))
    loaded = read(text)
    assert loaded.view is not None
    assert loaded.view.probe == probe
    assert write(loaded.scene, loaded.view) == text


def test_no_probe_and_an_aim_are_not_written() -> None:
    for probe in (None, Aim()):
        text = write(PAIR, View(probe=probe))
        assert "probe" not in json.loads(text)["view"]


def ray_tree(**changes: object) -> dict[str, object]:
    eye = {"target": [0, 0, 0], "distance": 5, "yaw": 0, "pitch": 0}
    return {"kind": "ray", "camera": eye, "pixel": [1, 2], "size": [10, 10], **changes}


@pytest.mark.parametrize(
    ("probe", "complaint"),
    [
        ({"kind": "point"}, "view.probe.at: missing"),
        ({"kind": "point", "at": [0, 0]}, "view.probe.at: "),
        ({"kind": "point", "at": [0, 0, 1e31]}, "view.probe.at: must lie within 1e+30 of the origin"),
        ({"kind": "point", "at": [0, 0, 0], "more": 1}, "view.probe.more: unknown key"),
        ({"kind": "dart", "at": [0, 0, 0]}, "view.probe"),
        ({"at": [0, 0, 0]}, "view.probe"),
        ({"kind": "plane", "points": [[0, 0, 0], [1, 0, 0]]}, "view.probe.points: "),
        ({"kind": "plane", "points": [[0, 0, 0], [1, 0, 0], [0, 1e31, 0]]}, "view.probe.points[2]: must lie within"),
        ({"kind": "scaling", "share": 1.5}, "view.probe.share: must lie between 0 and 1, got 1.5"),
        (ray_tree(pixel=[11, 2]), "view.probe.pixel[0]: must lie within the size"),
        (ray_tree(size=[0, 10]), "view.probe.size[0]: must lie between 1 and"),
        (ray_tree(look="back"), "view.probe.look: must be one of crossings, one axis, cast"),
        (ray_tree(body="c"), "view.probe.body: must be one of a, b"),
        (ray_tree(step=-1), "view.probe.step: must lie between 0 and"),
        (ray_tree(shift=1.5), "view.probe.shift: must lie between -1 and 1, got 1.5"),
        (
            ray_tree(
                shift=0.5,
                camera={"target": [0, 0, 0], "distance": 1, "yaw": 0, "pitch": 0, "orthographic": True},
            ),
            "view.probe.shift: must be 0 if orthographic, got 0.5",
        ),
        (ray_tree(camera={"target": [0, 0, 0], "distance": 0, "yaw": 0, "pitch": 0}), "view.probe.camera.distance: "),
        (ray_tree(camera={"target": [0, 0, 0], "distance": 1, "yaw": 0, "pitch": 2}), "view.probe.camera.pitch: "),
        (ray_tree(camera={"target": [0, 0, 0], "distance": 1, "yaw": 0}), "view.probe.camera.pitch: missing"),
    ],
)
def test_a_faulty_probe_is_refused_with_its_path(probe: object, complaint: str) -> None:
    tree = json.loads(write(PAIR, View()))
    tree["view"]["probe"] = probe
    with pytest.raises(SceneError) as refusal:
        read(json.dumps(tree))
    assert str(refusal.value).startswith(complaint)


def test_the_ray_of_a_probe_is_the_cameras() -> None:
    probe = RayProbe(CAMERAS["perspective"], (123.0, 45.0), SIZE)
    assert ray_of(probe) is unprojection(probe.camera, probe.pixel, probe.size, 0.0)
