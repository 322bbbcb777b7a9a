"""The plane through three points, and where both bodies stand to it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from core.geometry.plane import Plane, plane_through
from core.geometry.vector import Array, cross
from core.scene import Body, Scene, Triple

from . import PlaneProbe


class BodySide(Struct, frozen=True, eq=False):
    """A body's signed distances to a plane: of its position, and the `lowest` and `highest` of all its points.

    `vertices` (n,): of a polyhedron's, in order, else empty. A half-space ends along its normal only.
    """

    centre: float
    lowest: float
    highest: float
    vertices: Array

    @property
    def words(self) -> str:
        """Which side the body is on."""
        if self.lowest >= 0.0:
            return "in front of the plane"
        return "behind the plane" if self.highest <= 0.0 else "cut by the plane"


class ThreePoints(Struct, frozen=True, eq=False):
    """What three points span. `product` (3,): `(b − a) × (c − a)` as it comes; `plane`: None where they span none.

    `fault`: why they do not, as a sentence. `sides`: both bodies against the plane.
    """

    probe: PlaneProbe
    points: Array
    product: Array
    plane: Plane | None
    fault: str
    sides: tuple[BodySide, ...]


def through(scene: Scene, probe: PlaneProbe) -> ThreePoints:
    """The plane of a probe against both bodies of a scene."""
    points = np.array(probe.points)
    product = cross(points[1] - points[0], points[2] - points[0]) * (-1.0 if probe.flipped else 1.0)
    try:
        plane = plane_through(*points)
    except ValueError as refusal:
        return ThreePoints(probe, points, product, None, f"{str(refusal).capitalize()}.", ())
    if probe.flipped:
        plane = plane.flipped()
    return ThreePoints(probe, points, product, plane, "", tuple(_side(b, plane) for b in (scene.a, scene.b)))


def start_of(scene: Scene) -> PlaneProbe:
    """Where three points begin: on three corners' directions about the first bounded body, its size apart."""
    bounded = next(body for body in (scene.a, scene.b) if body.shape.plane is None)
    middle, half = bounded.pose.position, bounded.shape.largest_half_extent
    a, b, c = (middle + half * np.array(corner) for corner in ((-1.2, 0.9, 1.1), (1.3, 1.0, 0.9), (0.1, 1.4, -1.2)))
    return PlaneProbe((_triple(a), _triple(b), _triple(c)))


def _side(body: Body, plane: Plane) -> BodySide:
    centre = plane.signed_distance(body.pose.position)
    along = body.pose.direction_to_local(plane.normal)
    up, down = (float(body.shape.reach(way)) for way in (along, -along))
    solid = body.shape.polyhedron
    local = np.zeros((0, 3)) if solid is None else solid.vertices
    return BodySide(centre, centre - down, centre + up, centre + local @ along)


def _triple(point: Array) -> Triple:
    x, y, z = point.tolist()
    return x, y, z
