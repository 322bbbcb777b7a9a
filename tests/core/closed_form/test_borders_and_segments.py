"""Closed forms of rounded shapes, points and segments, and of balls inside solids: no direction is better."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.closed_form import Proximity, box_plane_contact, box_region, closed_form
from core.geometry.plane import Plane
from core.geometry.quaternion import Pose, from_axis_angle
from core.geometry.tolerances import SUPPORT
from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Shape, Sphere
from core.shapes.box import VERTEX_SIGNS
from tests.core.closed_form.test_closed_form_pairs import support_gaps
from tests.core.closed_form_samples import MAKERS, directions, rotation
from tests.selection import some
from tests.shape_truths import truth_of

WAYS = directions(1500)


def off_surface(shape: Shape, point: np.ndarray) -> float:
    """How far a point of the shape's frame is from the surface of a sharp shape, by the definition of each."""
    if isinstance(shape, Hull) and len(shape.points) <= 2:
        start, way = np.array(shape.points[0]), np.subtract(shape.points[-1], shape.points[0])
        square = float(way @ way)
        share = min(max(float((point - start) @ way) / square, 0.0), 1.0) if square > 0.0 else 0.0
        return float(np.linalg.norm(point - start - share * way))
    return abs(truth_of(shape).height(point))


def prove(a: Body, b: Body) -> Proximity:
    """The closed form: its certificate, its points on both surfaces, and no better direction, also of the swapped."""
    found, other = closed_form(a, b), closed_form(b, a)
    assert found is not None
    assert other is not None
    offset = np.subtract(b.position, a.position)
    bounded = [it.shape.bounding_radius for it in (a, b) if it.shape.plane is None]
    tolerance = 1e-14 * (max(bounded) + float(np.linalg.norm(offset)) + 1.0)
    assert np.linalg.norm(found.normal) == pytest.approx(1.0, abs=1e-15)
    assert found.witness_b - found.witness_a == pytest.approx(found.separation * found.normal, abs=tolerance)
    assert other.separation == pytest.approx(found.separation, abs=tolerance)
    for it, point, side in ((a, found.witness_a, 1.0), (b, found.witness_b - offset, -1.0)):
        local, out = point @ it.pose.matrix, side * found.normal @ it.pose.matrix
        sharp, border = (it.shape.sharp, it.shape.border_radius) if isinstance(it.shape, Rounded) else (it.shape, 0.0)
        assert off_surface(sharp, local - border * out) <= tolerance
        if sharp.plane is None:
            # It lies farthest out along the normal.
            assert float(it.shape.reach(out)) == pytest.approx(float(out @ local), abs=tolerance)
    if len(bounded) == 2:
        assert float(support_gaps(a, b, WAYS).max()) <= found.separation + tolerance
    return found


def segment(rng: np.random.Generator) -> Hull:
    """Anywhere about its position."""
    return Hull.of(rng.normal(size=(2, 3)))


SMALL = {**MAKERS, "segment": segment, "point": lambda rng: Hull.of(rng.normal(size=(1, 3)))}
BY_CORES = [
    *(("sphere", name) for name in ("segment", "point")),
    *(("point", name) for name in SMALL if name != "hull"),
    *product(("capsule", "segment"), repeat=2),
]


@pytest.mark.parametrize(("first", "second"), BY_CORES)
def test_points_and_segments_wherever_they_lie_about_their_position(first: str, second: str) -> None:
    rng = np.random.default_rng(21)
    for k in range(8):
        a = Body(SMALL[first](rng), tuple(rng.normal(size=3).tolist()), rotation(rng))
        b = Body(SMALL[second](rng), tuple((rng.normal(size=3) * (0.3, 3.0)[k % 2]).tolist()), rotation(rng))
        prove(a, b)


@pytest.mark.parametrize("name", SMALL)
def test_every_small_shape_against_a_half_space_and_with_a_border(name: str) -> None:
    rng = np.random.default_rng(22)
    for k in range(8):
        shape = SMALL[name](rng)
        it = Body(Rounded(shape, 0.25) if k % 2 else shape, tuple(rng.normal(size=3).tolist()), rotation(rng))
        space = HalfSpace(tuple(rng.normal(size=3).tolist()), float(rng.normal()))
        floor = Body(Rounded(space, 0.125) if k % 4 > 1 else space, tuple(rng.normal(size=3).tolist()), rotation(rng))
        found = closed_form(it, floor)
        assert found is not None
        plane = space.plane.placed(floor.pose.matrix, floor.pose.position)
        lowest = float(it.shape.reach(it.pose.direction_to_local(-plane.normal)))
        lift = 0.125 if k % 4 > 1 else 0.0
        height = plane.signed_distance(it.pose.position) - lowest - lift
        assert found.separation == pytest.approx(height, abs=1e-14)
        assert found.normal == pytest.approx(-plane.normal, abs=1e-15)
        on_floor = plane.signed_distance(found.witness_b + it.pose.position)
        assert (on_floor, plane.signed_distance(found.witness_a + it.pose.position)) == pytest.approx(
            (lift, lift + height), abs=1e-14
        )


ROUNDED = [("sphere", "box"), ("sphere", "cone"), ("capsule", "capsule"), ("segment", "segment"), ("point", "cylinder")]


@pytest.mark.parametrize(("first", "second"), [*ROUNDED, ("sphere", "ellipsoid"), ("segment", "point")])
@pytest.mark.parametrize(("border_a", "border_b"), [(0.25, 0.0), (0.0, 0.125), (0.25, 0.125)])
def test_a_border_comes_off_the_distance_and_moves_the_points_out(
    first: str, second: str, border_a: float, border_b: float
) -> None:
    rng = np.random.default_rng(23)
    for k in range(6):
        a = Body(SMALL[first](rng), tuple(rng.normal(size=3).tolist()), rotation(rng))
        b = Body(SMALL[second](rng), tuple((rng.normal(size=3) * (0.5, 3.0)[k % 2]).tolist()), rotation(rng))
        sharp = closed_form(a, b)
        assert sharp is not None
        grown_a = Body(Rounded(a.shape, border_a) if border_a else a.shape, a.position, a.rotation)
        grown_b = Body(Rounded(b.shape, border_b) if border_b else b.shape, b.position, b.rotation)
        found = prove(grown_a, grown_b)
        assert found.separation == pytest.approx(sharp.separation - border_a - border_b, abs=1e-14)
        assert found.normal == pytest.approx(sharp.normal, abs=1e-13)
        assert found.witness_a == pytest.approx(sharp.witness_a + border_a * sharp.normal, abs=1e-13)
        assert found.witness_b == pytest.approx(sharp.witness_b - border_b * sharp.normal, abs=1e-13)


UPRIGHT = (Capsule(0.4, 1.5), Cylinder(0.6, 1.2), Cone(0.7, 1.6))


@pytest.mark.parametrize("shape", [*UPRIGHT, Rounded(Cylinder(0.6, 1.2), 0.2)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_segment_beside_its_position_and_along_an_axis(shape: Shape, sign: float) -> None:
    rng = np.random.default_rng(24)
    for k in range(12):
        middle = rng.normal(size=3)
        half = np.array((0.0, sign * rng.uniform(0.1, 1.0), 0.0))
        turn = rotation(rng)
        a = Body(Hull.of(np.array((middle - half, middle + half))), tuple(rng.normal(size=3).tolist()), turn)
        # Its middle, in the frame of both, lies above, below, beside or within the other.
        aside = rng.normal(size=3) * ((0.2, 0.3, 0.2), (0.0, 2.5, 0.0), (1.5, 0.5, 1.5), (1.0, 2.0, 1.0))[k % 4]
        b = Body(shape, tuple((a.pose.to_world(middle + aside)).tolist()), turn)
        prove(a, b)


def test_of_crossing_segments_about_one_place_the_normal_is_the_product_of_their_directions() -> None:
    along_x, along_y = Hull(((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))), Hull(((0.0, -1.0, 0.0), (0.0, 1.0, 0.0)))
    for place in ((0.0, 0.0, 0.0), (0.25, 0.5, 0.0)):
        for first, second, up in ((along_x, along_y, 1.0), (along_y, along_x, -1.0)):
            found = closed_form(Body(first), Body(second, place))
            assert found is not None
            assert found.separation == 0.0
            assert found.normal.tolist() == [0.0, 0.0, up]
    # However far a position lies beside the segment, it is on the side that the normal leads to.
    for height in (1e-9, -1e-9, 3.0, -3.0, 1e6, -1e6):
        far = Hull(((0.0, -1.0, -height), (0.0, 1.0, -height)))
        found = closed_form(Body(along_x), Body(far, (0.0, 0.0, height)))
        assert found is not None
        assert found.normal.tolist() == [0.0, 0.0, 1.0 if height > 0.0 else -1.0]


@pytest.mark.parametrize(
    "shape",
    [Box((1.0, 2.0, 1.5)), *UPRIGHT, Cone(2.0, 0.5), Cylinder(2.0, 0.3), Ellipsoid((0.5, 1.5, 1.0))],
    ids=lambda shape: shape.word,
)
def test_a_ball_inside_a_solid_leaves_by_the_shortest_way_wherever_it_is(shape: Shape) -> None:
    rng = np.random.default_rng(25)
    inside = 0
    while inside < some(120):
        place = rng.uniform(-1.0, 1.0, 3) * (shape.reach(np.eye(3)) + shape.reach(-np.eye(3))) / 2.0
        if truth_of(shape).height(place) < 0.0:
            inside += 1
            found = prove(Body(shape), Body(Sphere(0.25), tuple(place.tolist())))
            assert found.separation < -0.25


@pytest.mark.parametrize("turn", [0.0, 1.0])
def test_inside_a_box_the_region_is_the_nearest_faces(turn: float) -> None:
    pose = Body(Box((2.0, 4.0, 6.0)), (1.0, 2.0, 3.0), from_axis_angle((1.0, 2.0, 2.0), turn)).pose
    half = np.array((1.0, 2.0, 3.0))
    for axis, side in product(range(3), (-1.0, 1.0)):
        out = side * np.eye(3)[axis]
        region = box_region(pose, half, pose.to_world(out * (half - 0.25) + 0.1 * (1.0 - np.abs(out))))
        assert (region.name, region.face) == (("+" if side > 0.0 else "-") + "xyz"[axis], axis)
        assert (region.sides, region.outside) == ((0, 0, 0), False)
        assert region.distance == pytest.approx(-0.25, abs=1e-14)
        assert region.normal == pytest.approx(pose.matrix @ out, abs=1e-15)
        assert pose.to_local(region.closest) == pytest.approx(out * half + 0.1 * (1.0 - np.abs(out)), abs=1e-14)
    for sides in product((-1, 0, 1), repeat=3):
        if sum(map(abs, sides)) > 1:
            assert box_region(pose, half, pose.to_world(2.0 * half * sides)).face is None


@pytest.mark.parametrize(("height", "kind"), [(0.5, "edge"), (2.0, "vertex")])
def test_a_boxs_edge_rests_whose_ends_are_level_to_the_supporting_tolerance(height: float, kind: str) -> None:
    """The box stands on the edge along z, whose ends are `height` tolerances apart."""
    half = np.array((1.0, 2.0, 3.0))
    tilt = height * SUPPORT * float(np.linalg.norm(half)) / (2.0 * half[2])
    normal = np.array((0.6, 0.8, tilt))
    contact = box_plane_contact(Pose(np.zeros(3), np.eye(3)), half, Plane(normal / np.linalg.norm(normal), 0.0))
    assert contact.kind == kind
    assert contact.signs == ((-1, -1, 0) if kind == "edge" else (-1, -1, -1))
    for index, point in zip(contact.indices, contact.points, strict=True):
        assert (VERTEX_SIGNS[index] * half == point).all()
        assert all(sign in (0, own) for sign, own in zip(contact.signs, VERTEX_SIGNS[index].tolist(), strict=True))


def test_the_shortest_capsule_of_all_is_a_sphere() -> None:
    """Its ends fall into one place."""
    for place in ((3.0, 0.0, 0.0), (0.0, 3.0, 0.0), (0.0, 0.0, -0.5)):
        for other in (Sphere(0.5), Capsule(0.5, 1.0)):
            ball, found = (
                closed_form(Body(shape), Body(other, place)) for shape in (Sphere(1.0), Capsule(1.0, 5e-324))
            )
            assert found is not None
            assert ball is not None
            assert found.separation == ball.separation
            assert found.witness_b - found.witness_a == pytest.approx(found.separation * found.normal, abs=1e-15)


def test_a_box_thinner_than_the_supporting_tolerance_lies_on_its_face_all_the_same() -> None:
    for axis in range(3):
        half = np.where(np.arange(3) == axis, 1e-12, 1.0)
        contact = box_plane_contact(Pose(np.zeros(3), np.eye(3)), half, Plane(np.eye(3)[axis], 0.0))
        assert (contact.kind, contact.signs) == ("face", tuple(-1 if k == axis else 0 for k in range(3)))


def test_of_solids_about_one_axis_the_way_through_the_side_is_along_the_first_ones_x() -> None:
    rng = np.random.default_rng(26)
    for first, second in ((Cylinder(0.6, 1.2), Cylinder(0.3, 90.0)), (Capsule(0.4, 1.5), Cylinder(0.3, 90.0))):
        a = Body(first, rotation=rotation(rng))
        for pair in ((first, second), (second, first)):
            found = prove(*(Body(shape, rotation=a.rotation) for shape in pair))
            assert found.normal == pytest.approx(a.pose.matrix[:, 0], abs=1e-15)


@pytest.mark.parametrize("shape", [Cylinder(0.5, 4.0), Cone(3.0, 4.0), Cone(0.5, 4.0)])
def test_a_ball_on_the_axis_that_leaves_through_the_side_goes_along_x(shape: Shape) -> None:
    """Of all directions about the axis, in the solid's own frame, whichever body is first."""
    for height in (0.25, 1.0):
        solid = Body(shape, (1.0, 2.0, 3.0), from_axis_angle((0.0, 1.0, 0.0), 0.7))
        ball = Body(Sphere(0.125), (1.0, 2.0 + height, 3.0))
        for pair, sign in (((ball, solid), -1.0), ((solid, ball), 1.0)):
            found = closed_form(*pair)
            assert found is not None
            x, y, z = sign * solid.pose.direction_to_local(found.normal)
            assert x > 0.5
            assert z == pytest.approx(0.0, abs=1e-14)
            slope = 0.0 if isinstance(shape, Cylinder) else shape.radius / shape.height
            assert y / x == pytest.approx(slope, abs=1e-12)


def test_a_ball_in_a_cone_leaves_through_the_base_where_the_side_is_as_near() -> None:
    """The cone of slant 5: heights over the base, and the way to the side, by the same numbers."""
    ties = 0
    for rho in np.linspace(0.0, 2.0, 33):
        height = (2.4 - 0.8 * rho) / 1.6
        for _ in range(40):
            height = float(np.nextafter(height, 0.0))
        for _ in range(80):
            height = float(np.nextafter(height, np.inf))
            y = height - 2.0
            below, beyond = -(y + 2.0), 0.8 * (float(rho) - 3.0) + 0.6 * (y + 2.0)
            if below != beyond:
                continue
            found = closed_form(Body(Sphere(0.125), (float(rho), y, 0.0)), Body(Cone(3.0, 4.0)))
            assert found is not None
            ties += 1
            assert found.normal.tolist() == [0.0, 1.0, 0.0]
            assert found.separation == below - 0.125
    assert ties >= 5
