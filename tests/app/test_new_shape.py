"""A shape that no list holds is drawn by what it offers: its support, its reach and its core."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from msgspec import Struct

from app.draw.draw_list import DrawList, Subject
from app.draw.meshes.mesh import corner_loop, flat_outline, points_about
from app.draw.meshes.shape_mesh import curved_look
from app.overlays.bodies import ball_about, draw_body
from app.overlays.context import Extent
from app.overlays.motion import outer_points
from app.probes.planes import point_against, verdict_words
from app.shapes import face_name
from core.geometry import quaternion
from core.geometry.triple import Triple, triple
from core.geometry.vector import Array, cross_rows, length_rows, unit
from core.scene import Body, Scene
from core.shapes import (
    Box,
    Capsule,
    Circle,
    HalfSpace,
    Hull,
    Polygon,
    RoundedCore,
    Sphere,
    SupportFeature,
    ball_radius,
    corners_of,
)
from core.shapes.contract import offered
from core.shapes.curved import Curved

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
RGBA = (0.5, 0.5, 0.5, 1.0)


class Pebble(Curved, Struct, frozen=True):
    """An ellipsoid grown by a ball: without a core, as it is no polyhedron that is grown."""

    dimension: ClassVar[int] = 3
    word: ClassVar[str] = "pebble"
    plane: ClassVar[None] = None
    core: ClassVar[RoundedCore | None] = None
    radii: ClassVar[None] = None
    line_span: ClassVar[None] = None

    half_axes: tuple[float, float, float]
    grown: float

    @property
    def bounding_radius(self) -> float:
        return max(self.half_axes) + self.grown

    @property
    def largest_half_extent(self) -> float:
        return self.bounding_radius

    def farthest(self, x: float, y: float, z: float) -> Triple:
        direction = np.array((x, y, z))
        stretched = np.array(self.half_axes) * direction
        return triple(np.array(self.half_axes) * unit(stretched) + self.grown * unit(direction))

    def support_feature(self, direction: Array, tolerance: float) -> SupportFeature:  # noqa: ARG002 (the common contract)
        return SupportFeature("surface", self.support(direction)[None], (), "surface")

    def reach(self, directions: Array) -> Array:
        return length_rows(directions * self.half_axes) + self.grown * length_rows(directions)


class Disc(Pebble, frozen=True):
    """The same in the plane."""

    dimension: ClassVar[int] = 2
    word: ClassVar[str] = "oval"

    def farthest(self, x: float, y: float, z: float) -> Triple:
        return (*super().farthest(x, y, z)[:2], 0.0)


PEBBLE: Any = Pebble((0.8, 0.3, 0.5), 0.1)
OVAL: Any = Disc((0.8, 0.3, 1.0), 0.1)
SPHERE, BALL = Sphere(0.5), Body(Sphere(0.5), (3.0, 0.0, 0.0))


def drawn(body: Body) -> DrawList:
    draw = DrawList()
    draw_body(draw, body, RGBA, RGBA, Subject("body", 0))
    return draw


def test_both_offer_all_that_a_shape_must() -> None:
    assert offered(Pebble, Disc) == (Pebble, Disc)


def test_its_mesh_is_closed_faces_outwards_and_lies_on_its_surface() -> None:
    mesh = curved_look(PEBBLE).mesh
    a, b, c = np.moveaxis(mesh.corners, 1, 0)
    outward = cross_rows(b - a, c - a)
    assert np.abs(outward.sum(axis=0)).max() < 1e-12
    assert np.all(np.einsum("ij,ij->i", outward, mesh.normals.mean(axis=1)) > 0.0)
    normals, corners = mesh.normals.reshape(-1, 3), mesh.corners.reshape(-1, 3)
    assert np.allclose(np.einsum("ij,ij->i", normals, corners), PEBBLE.reach(normals), atol=1e-2)
    smooth = np.einsum("ij,ij->i", normals, corners) > PEBBLE.reach(normals) - 1e-9
    assert smooth.mean() > 0.9


def test_it_is_drawn_named_and_measured_where_it_stands() -> None:
    body = Body(PEBBLE, (0.3, -0.2, 0.1), TURNED)
    (solid,) = drawn(body).solids
    ways = body.pose.direction_to_local(solid.corners.reshape(-1, 3) - body.position)
    assert length_rows(ways).max() == pytest.approx(0.9, rel=1e-3)
    middle, radius = ball_about(body)
    assert (middle.tolist(), radius) == ([0.3, -0.2, 0.1], 0.9)
    extent = Extent.of(Scene(body, BALL))
    reach = PEBBLE.reach(body.pose.direction_to_local(np.eye(3)))
    assert np.allclose(extent.low, np.array(body.position) - reach, atol=2e-2)
    assert np.allclose(outer_points(body).max(axis=0), np.array(body.position) + reach, atol=2e-2)


def test_one_of_the_plane_is_drawn_as_its_outline() -> None:
    (sheet,) = drawn(Body.in_plane(OVAL, (1.0, 2.0), 0.3)).sheets
    outline = flat_outline(OVAL)
    assert outline is not None
    assert np.allclose(sheet.points, Body.in_plane(OVAL, (1.0, 2.0), 0.3).pose.to_world(outline))
    assert outline.max(axis=0) == pytest.approx((0.9, 0.4, 0.0))
    following = np.roll(outline, -1, axis=0)
    assert np.all(outline[:, 0] * following[:, 1] - outline[:, 1] * following[:, 0] > 0.0)
    assert corner_loop(OVAL) == ()


def test_what_each_shape_answers_about_its_look() -> None:
    points = ((0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 1.0))
    polygon, hull = Polygon(points), Hull.of(((1.0, 0.0, 0.0), (-1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.1, -0.2, 1.0)))
    assert [ball_radius(shape) for shape in (SPHERE, Circle(0.3), Box((1.0, 1.0, 1.0)), PEBBLE)] == [
        0.5,
        0.3,
        None,
        None,
    ]
    assert corner_loop(polygon) == polygon.ring
    assert corners_of(polygon) == (0, 2, 3)
    assert corners_of(hull) == (0, 1, 2, 3)
    assert corners_of(Capsule(0.1, 1.0)) == (0, 1)
    assert corners_of(PEBBLE) == ()
    assert [points_about(shape) is None for shape in (hull, polygon, Box((1.0, 1.0, 1.0)), SPHERE)] == [
        False,
        False,
        True,
        True,
    ]
    names = [face_name(shape, 1) for shape in (Box((1.0, 1.0, 1.0)), hull, HalfSpace((0.0, 1.0, 0.0), 0.0))]
    assert names == ["−x", "face1", "plane"]


def test_a_point_probe_finds_the_nearest_point_of_its_surface() -> None:
    body = Body(PEBBLE, (0.3, -0.2, 0.1), TURNED)
    for local, distance in (((0.0, 1.4, 0.0), 1.0), ((0.0, -0.3, 0.0), -0.1), ((-1.0, 0.0, 0.0), 0.1)):
        x, y, z = body.pose.to_world(np.array(local)).tolist()
        against = point_against(body, (x, y, z))
        assert against.nearest is not None
        assert against.nearest.distance == pytest.approx(distance, abs=1e-6)
        assert against.nearest.point + distance * against.nearest.normal == pytest.approx((x, y, z), abs=1e-3)
        assert "which is round" in verdict_words(0, against)
