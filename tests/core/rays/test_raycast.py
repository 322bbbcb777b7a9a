"""Rays: every hit is proved by its point and its supporting normal, every miss by the nearest the ray comes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from core.geometry.quaternion import from_axis_angle
from core.rays.raycast import RayCast, RayHit, raycast, support_span
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Shape, Sphere
from core.shapes.line_spans import Line
from tests.core.closed_form_samples import MAKERS, body, stretched
from tests.selection import some
from tests.shape_truths import truth_of

Vector = np.ndarray


def middle_of(it: Body) -> Vector:
    """A point well inside."""
    return it.pose.to_world(it.shape.polyhedron.vertices.mean(axis=0) if isinstance(it.shape, Hull) else np.zeros(3))


def prove_hit(it: Body, hit: RayHit, origin: Vector, direction: Vector, facing: float) -> None:
    """On the ray, on the surface, with a normal that supports the body there and faces as it should."""
    far = float(np.linalg.norm(origin - it.position))
    size = it.shape.bounding_radius if not isinstance(it.shape, HalfSpace) else 10.0
    tolerance = 4e-15 * (size + far) + 4e-16 * float(np.abs(it.position).max())
    local = it.pose.to_local(hit.point)
    assert hit.t >= 0.0
    across = np.cross(hit.point - origin, direction / np.linalg.norm(direction))
    assert np.linalg.norm(across) <= 20 * tolerance
    assert float(np.linalg.norm(hit.point - origin - hit.t * direction)) <= 100 * tolerance
    assert abs(truth_of(it.shape).height(local)) <= 20 * tolerance
    assert np.linalg.norm(hit.normal) == pytest.approx(1.0, abs=1e-14)
    assert facing * float(hit.normal @ direction) >= -1e-7 * np.linalg.norm(direction)
    if not isinstance(it.shape, HalfSpace):
        along = it.pose.direction_to_local(hit.normal)
        assert float(it.shape.reach(along[None])[0] - along @ local) <= 100 * tolerance


def nearest_approach(it: Body, origin: Vector, direction: Vector) -> float:
    """The least excess along the ray, a convex function of t."""

    def along(t: float) -> float:
        return truth_of(it.shape).height(it.pose.to_local(origin + t * direction))

    speed = np.linalg.norm(direction)
    middle = max(0.0, float((it.pose.position - origin) @ direction / speed**2))
    width = 2.0 * it.shape.bounding_radius / speed
    found = minimize_scalar(along, bounds=(max(0.0, middle - width), middle + width), options={"xatol": 1e-12})
    return min(float(found.fun), along(middle), along(0.0))


def prove(it: Body, origin: Vector, direction: Vector) -> RayCast | None:
    """The ray cast, once it is proved."""
    found = raycast(it, origin, direction)
    scene = Scene(it, Body(Sphere(1e-3), tuple(origin.tolist()), displacement=tuple(direction.tolist())))
    if found is None:
        far = float(np.linalg.norm(origin - it.position))
        assert nearest_approach(scene.a, origin, direction) > -1e-7 * (it.shape.bounding_radius + 1e-7 * far)
        return None
    assert found.exit is not None
    prove_hit(scene.a, found.exit, origin, direction, 1.0)
    assert found.inside == (found.entry is None)
    if found.entry is None:
        assert truth_of(scene.a.shape).height(it.pose.to_local(origin)) <= 0.0
        assert found.t == 0.0
    else:
        prove_hit(scene.a, found.entry, origin, direction, -1.0)
        assert found.t == found.entry.t <= found.exit.t
    return found


@pytest.mark.parametrize("far", [0.5, 4.0, 1e6])
@pytest.mark.parametrize("name", MAKERS)
def test_random_rays(name: str, far: float) -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(some(150)):
        it = body(rng, MAKERS[name](rng), 1.0)
        away = rng.normal(size=3)
        origin = it.pose.position + far * away / np.linalg.norm(away)
        target = it.pose.position + rng.normal(size=3) * it.shape.bounding_radius * 0.4
        hits += prove(it, origin, (target - origin) * rng.uniform(0.01, 3.0)) is not None
        prove(it, origin, rng.normal(size=3))
    assert hits >= 0.3 * some(150)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@pytest.mark.parametrize("name", MAKERS)
def test_tiny_and_huge_shapes(name: str, scale: float) -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(some(40)):
        it = body(rng, truth_of(MAKERS[name](rng)).scaled(scale), 0.0)
        origin = rng.normal(size=3) * 3.0 * scale
        target = rng.normal(size=3) * it.shape.bounding_radius * 0.3
        hits += prove(it, origin, target - origin) is not None
    assert hits >= some(10)


@pytest.mark.parametrize("name", MAKERS)
def test_needles_and_plates_aimed_at_their_rims_and_corners_from_anywhere(name: str) -> None:
    rng = np.random.default_rng(14)
    for k in range(some(150)):
        it = body(rng, stretched(rng, MAKERS[name](rng)), 1.0)
        origin = it.pose.position + rng.normal(size=3) * it.shape.bounding_radius * 10.0 ** rng.uniform(-1.0, 4.0)
        target = it.pose.to_world(it.shape.support(rng.normal(size=3))) if k % 2 else middle_of(it)
        prove(it, origin, target - origin)
        prove(it, origin, it.pose.matrix[:, k % 3])


def test_the_needles_apex_faces_the_ray() -> None:
    it = Body(Cone(0.1, 1e5), (-1.2, -0.1, 0.3), (0.7415256071312994, 0.18839516340757043, -0.6104623362700207, -0.2))
    apex = it.pose.to_world(np.array((0.0, 5e4, 0.0)))
    for origin in (np.zeros(3), np.array((34571.0, -1764.0, 44471.0))):
        prove(it, origin, apex - origin)


@pytest.mark.parametrize("name", MAKERS)
def test_grazing_rays_touch_and_others_do_not(name: str) -> None:
    rng = np.random.default_rng(3)
    for k in range(80):
        it = body(rng, MAKERS[name](rng))
        normal = np.eye(3)[k % 3] if k % 4 == 0 else rng.normal(size=3)
        normal = it.pose.matrix @ normal / np.linalg.norm(normal)
        touch = it.pose.to_world(it.shape.support(it.pose.direction_to_local(normal)))
        along = np.cross(normal, rng.normal(size=3))
        along /= np.linalg.norm(along)
        origin = touch - 5.0 * along
        found = raycast(it, origin, 2.0 * along)
        assert found is not None
        assert found.t <= 2.5 + 1e-6
        assert found.exit is not None
        assert found.exit.t >= 2.5 - 1e-6
        assert raycast(it, origin + 1e-9 * normal, along) is None
        # A sharp tip's normal may point out of the body backwards too: the middle does not.
        inwards = middle_of(it) - touch
        inwards -= (inwards @ along) * along
        assert raycast(it, origin + 1e-9 * inwards, along) is not None
        assert raycast(it, origin, -along) is None


@pytest.mark.parametrize("name", MAKERS)
def test_starts_inside_and_on_the_surface(name: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(some(60)):
        it = body(rng, MAKERS[name](rng))
        direction = rng.normal(size=3)
        out = prove(it, middle_of(it), direction)
        assert out is not None
        assert out.inside
        assert out.entry is None
        assert out.exit is not None
        back = raycast(it, out.exit.point, -direction)
        assert back is not None
        assert back.entry is not None
        assert back.entry.t == pytest.approx(0.0, abs=1e-14)
        assert back.entry.normal == pytest.approx(out.exit.normal, abs=1e-6)
        away = raycast(it, out.exit.point, direction)
        assert away is not None
        assert away.exit is not None
        assert away.exit.t == pytest.approx(0.0, abs=1e-14)
        assert raycast(it, out.exit.point + 1e-9 * direction, direction) is None


@pytest.mark.parametrize("name", MAKERS)
def test_rays_along_and_across_the_axes(name: str) -> None:
    rng = np.random.default_rng(5)
    steps = np.concatenate((np.eye(3), -np.eye(3)))
    for _ in range(10):
        it = Body(MAKERS[name](rng))
        for direction in steps:
            for shift in (0.0, 1e-17, 1e-12, 0.05):
                for noise in (0.0, 1e-17, 1e-12, 1e-8):
                    aside = np.roll(direction, 1) * shift
                    prove(it, aside - 6.0 * direction, direction + noise * np.roll(direction, 2))


def test_a_hull_of_a_box_is_that_box() -> None:
    rng = np.random.default_rng(6)
    hits = 0
    for k in range(some(300)):
        box = MAKERS["box"](rng)
        it = body(rng, box)
        hull = Body(Hull.of(box.polyhedron.vertices), it.position, it.rotation)
        origin = it.pose.position + rng.normal(size=3) * 2.0
        target = it.pose.to_world(box.polyhedron.vertices[k % 8]) if k % 3 == 0 else it.pose.position
        direction = target - origin + (rng.normal(size=3) * 0.4 if k % 3 else 0.0)
        one, other = raycast(it, origin, direction), raycast(hull, origin, direction)
        assert (one is None) == (other is None)
        if one is None or other is None:
            continue
        hits += 1
        for first, second in ((one.entry, other.entry), (one.exit, other.exit)):
            assert (first is None) == (second is None)
            if first is not None and second is not None:
                assert first.t == pytest.approx(second.t, abs=1e-13)
                assert first.point == pytest.approx(second.point, abs=1e-13)
                assert k % 3 == 0 or first.normal == pytest.approx(second.normal, abs=1e-13)
    assert hits >= some(150)


def test_round_shapes_agree_where_they_are_one() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        origin, direction = rng.normal(size=3) * 2.0, rng.normal(size=3)
        casts = [
            raycast(Body(shape), origin, direction)
            for shape in (Sphere(1.0), Ellipsoid((1.0, 1.0, 1.0)), Capsule(1.0, 1e-300))
        ]
        assert len({found is None for found in casts}) == 1
        for found in casts[1:]:
            if found is not None and casts[0] is not None:
                assert found.t == pytest.approx(casts[0].t, abs=1e-13)
                assert found.exit is not None
                assert casts[0].exit is not None
                assert found.exit.t == pytest.approx(casts[0].exit.t, abs=1e-12)
                assert found.exit.normal == pytest.approx(casts[0].exit.normal, abs=1e-12)


CONE = Body(Cone(1.0, 2.0))


@pytest.mark.parametrize(
    ("origin", "direction", "enter", "leave"),
    [
        ((0.0, 3.0, 0.0), (0.0, -1.0, 0.0), 2.0, 4.0),  # down through the apex
        ((0.0, -3.0, 0.0), (0.0, 1.0, 0.0), 2.0, 4.0),  # up to the apex
        ((-2.0, 1.0, 0.0), (1.0, 0.0, 0.0), 2.0, 2.0),  # level, past the apex
        ((-2.0, 1.5, 0.0), (1.0, 0.0, 0.0), None, None),  # level, above it: the other nappe is not the cone
        ((-1.0, 3.0, 0.0), (1.0, -2.0, 0.0), 1.0, 2.0),  # along a line of the side
        ((-1.5, 3.0, 0.0), (1.0, -2.0, 0.0), 1.25, 2.0),  # parallel to one line, in through the other
        ((-2.0, -1.0, 0.0), (1.0, 0.0, 0.0), 1.0, 3.0),  # along the base
        ((-2.0, 0.0, 0.0), (1.0, 0.0, 0.0), 1.5, 2.5),  # level through the middle
        ((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), None, 1.0),  # from inside
        ((5.0, 2.0, 0.0), (1.0, 0.0, 0.0), None, None),  # away
    ],
)
def test_the_cone_has_one_nappe(
    origin: tuple[float, ...], direction: tuple[float, ...], enter: float | None, leave: float | None
) -> None:
    found = raycast(CONE, np.array(origin), np.array(direction))
    if leave is None:
        assert found is None
        return
    assert found is not None
    assert found.exit is not None
    assert (found.entry.t if found.entry else None) == (None if enter is None else pytest.approx(enter, abs=1e-7))
    assert found.exit.t == pytest.approx(leave, abs=1e-7)


@pytest.mark.parametrize("far", [1e3, 1e9, 1e12, 1e15])
@pytest.mark.parametrize("aside", [0.25, 5.0])
def test_a_ray_leaves_every_bounded_body(far: float, aside: float) -> None:
    """So far away all walls of a needle are parallel to a ray along it, but for its noise: none of them ends it."""
    needle = Hull(((0.0, 0.0, 0.0), (1e-4, 0.0, 0.0), (0.0, 1e-4, 0.0), (0.0, 0.0, 1.0)))
    for sign in (1.0, -1.0):
        found = raycast(Body(needle), np.array((aside * 1e-4, 2.5e-5, -sign * far)), np.array((0.0, 0.0, sign)))
        assert found is not None or aside > 1.0
        if found is not None:
            assert not found.inside
            assert found.entry is not None
            assert found.exit is not None
            assert far - 1.01 - 1e-15 * far <= found.entry.t <= found.exit.t <= far + 1.01 + 1e-15 * far


def test_half_spaces() -> None:
    ground = Body(HalfSpace((0.0, 2.0, 0.0), 2.0))
    down = raycast(ground, np.array((3.0, 5.0, 0.0)), np.array((0.0, -2.0, 0.0)))
    assert down is not None
    assert down.entry is not None
    assert down.entry.t == 2.0
    assert down.entry.point.tolist() == [3.0, 1.0, 0.0]
    assert down.entry.normal.tolist() == [0.0, 1.0, 0.0]
    assert down.exit is None
    up = raycast(ground, np.zeros(3), np.array((0.0, 0.5, 0.0)))
    assert up is not None
    assert up.inside
    assert up.exit is not None
    assert up.exit.t == 2.0
    assert raycast(ground, np.array((0.0, 2.0, 0.0)), np.array((1.0, 0.0, 0.0))) is None
    assert raycast(ground, np.array((0.0, 2.0, 0.0)), np.array((0.0, 1.0, 0.0))) is None
    along = raycast(ground, np.array((0.0, 1.0, 0.0)), np.array((1.0, 0.0, 0.0)))
    assert along is not None
    assert along.exit is None
    nearly = raycast(ground, np.array((0.0, 1.5, 0.0)), np.array((1.0, -1e-9, 0.0)))
    assert nearly is not None
    assert nearly.t == pytest.approx(5e8)


@pytest.mark.parametrize("direction", [(0.0, 0.0, 0.0), (np.nan, 1.0, 0.0), (np.inf, 0.0, 0.0)])
@pytest.mark.parametrize("shape", [Sphere(1.0), HalfSpace((0.0, 1.0, 0.0), 0.0)])
def test_a_ray_needs_a_direction(shape: Shape, direction: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="direction"):
        raycast(Body(shape), np.zeros(3), np.array(direction))


@pytest.mark.parametrize("shape", [Box((2.0, 2.0, 2.0)), Cylinder(1.0, 2.0), Sphere(1.0), Capsule(0.5, 1.0)])
def test_clean_numbers_stay_clean(shape: Shape) -> None:
    found = raycast(Body(shape), np.array((-4.0, 0.0, 0.0)), np.array((2.0, 0.0, 0.0)))
    assert found is not None
    assert found.entry is not None
    assert found.entry.normal.tolist() == [-1.0, 0.0, 0.0]
    assert found.entry.t == (1.75 if isinstance(shape, Capsule) else 1.5)


def line_past(rng: np.random.Generator, shape: Shape) -> Line:
    """A line of the shape's frame, its origin nearest the centre: through the shape, or past it."""
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    at = rng.normal(size=3) * 0.4 * shape.bounding_radius
    return Line(at - (at @ way) * way, way, 1e-15 * shape.bounding_radius)


@pytest.mark.parametrize("name", MAKERS)
def test_the_support_map_knows_where_a_line_runs_of_a_shape_without_a_formula(name: str) -> None:
    rng = np.random.default_rng(7)
    hits = 0
    for k in range(some(120)):
        shape = MAKERS[name](rng)
        line, grow = line_past(rng, shape), 0.0 if k % 2 else 0.1 * shape.bounding_radius
        own, found = shape.line_span(line, 0.0), support_span(shape, line, grow)
        assert own is None or found is not None
        if own is None or found is None:
            continue
        hits += 1
        assert found.enter <= own.enter + 1e-9 * shape.bounding_radius
        assert found.leave >= own.leave - 1e-9 * shape.bounding_radius
        for t, normal in ((found.enter, found.enter_normal), (found.leave, found.leave_normal)):
            # The plane there supports the shape, and grown the point lies as far outside it.
            beyond = float(normal @ line.at(t) - shape.reach(normal))
            assert beyond == pytest.approx(grow, abs=1e-6 * shape.bounding_radius)
    assert hits >= some(50)


class Egg(Ellipsoid, frozen=True):
    """An ellipsoid that has lost its formula."""

    line_span = None


def test_a_ray_hits_a_shape_that_has_no_formula() -> None:
    egg, like = Body(Egg((1.0, 2.0, 0.5)), (1.0, 0.0, 0.0)), Body(Ellipsoid((1.0, 2.0, 0.5)), (1.0, 0.0, 0.0))
    start, way = np.array((-4.0, 0.5, 0.125)), np.array((2.0, 0.0, 0.0))
    found, wanted = raycast(egg, start, way), raycast(like, start, way)
    assert found is not None
    assert wanted is not None
    assert found.entry is not None
    assert wanted.entry is not None
    assert found.entry.point == pytest.approx(wanted.entry.point, abs=1e-9)
    assert found.entry.normal == pytest.approx(wanted.entry.normal, abs=1e-6)
    assert found.t == pytest.approx(wanted.t, abs=1e-9)
    assert raycast(egg, start, -way) is None


def test_a_line_meets_a_polygon_at_one_point_and_runs_in_its_plane() -> None:
    it = Body.in_plane(Polygon(((0.0, 0.0), (2.0, 0.0), (0.0, 1.0))), (1.0, 1.0))
    down = raycast(it, np.array((1.5, 1.25, 2.0)), np.array((0.0, 0.0, -1.0)))
    assert down is not None
    assert down.entry is not None
    assert down.exit is not None
    assert down.entry.point == pytest.approx((1.5, 1.25, 0.0))
    assert down.exit.point == pytest.approx((1.5, 1.25, 0.0))
    assert raycast(it, np.array((2.5, 1.75, 2.0)), np.array((0.0, 0.0, -1.0))) is None
    along = raycast(it, np.array((-1.0, 1.5, 0.0)), np.array((1.0, 0.0, 0.0)))
    assert along is not None
    assert along.exit is not None
    assert (along.t, along.exit.t) == pytest.approx((2.0, 3.0))


@pytest.mark.parametrize("turn", [0.1, 0.5, 0.8, 1.4])
def test_a_ray_from_afar_that_grazes_an_edge_touches_where_it_is_nearest_to_the_box(turn: float) -> None:
    """From 1e10 away rounding is 1e-5: the edge's two sides are met at different slopes, and the edge lies between."""
    cube = Body(Box((2.0, 2.0, 2.0)), rotation=from_axis_angle((0.0, 0.0, 1.0), turn))
    top = max(y for _, y, _ in cube.pose.to_world(cube.shape.polyhedron.vertices).tolist())
    hit = raycast(cube, np.array((-1e10, top + 1e-5, 0.3)), np.array((1.0, 0.0, 0.0)))
    assert hit is not None
    assert hit.entry is not None

    def outside(x: float) -> float:
        return float(np.abs(cube.pose.to_local(np.array((x, top + 1e-5, 0.3)))).max()) - 1.0

    nearest = minimize_scalar(outside, bounds=(-1.5, 1.5), method="bounded", options={"xatol": 1e-12}).fun
    assert outside(float(hit.entry.point[0])) <= nearest + 3e-6
