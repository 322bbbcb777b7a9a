"""Normals of a ray's hits at every kind of place: within a face, and at rims, edges, corners and tips.

A normal at a surface point is right if nothing of the body lies farther along it than the point; at an entry one is
told that faces the ray, at an exit one that goes with it.
"""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, raycast
from core.geometry.vector import Array
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Shape, Sphere

TIP: Shape = Cone(1.0, 2.0)
SHAPES: dict[str, tuple[Shape, list[tuple[float, float, float]]]] = {
    "box": (Box((2.0, 4.0, 6.0)), [(1.0, 2.0, 3.0), (1.0, 2.0, 0.5), (-1.0, 0.3, 3.0), (0.0, 2.0, 0.0)]),
    "sphere": (Sphere(1.0), [(0.0, 1.0, 0.0), (0.6, 0.0, 0.8)]),
    "capsule": (Capsule(1.0, 2.0), [(0.0, 2.0, 0.0), (1.0, 1.0, 0.0), (0.0, 0.2, -1.0)]),
    "cylinder": (Cylinder(1.0, 2.0), [(0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (0.6, -1.0, 0.8), (1.0, 0.2, 0.0)]),
    "cone": (TIP, [(0.0, 1.0, 0.0), (1.0, -1.0, 0.0), (0.6, -1.0, -0.8), (0.0, -1.0, 0.0), (0.5, 0.0, 0.0)]),
    "ellipsoid": (Ellipsoid((1.0, 2.0, 3.0)), [(0.0, 2.0, 0.0), (0.6, 0.0, 2.4)]),
    "hull": (
        Hull(((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 2.0))),
        [(0.0, 0.0, 2.0), (1.0, 1.0, 0.0), (0.0, 0.5, 0.5), (0.0, 0.0, 0.0)],
    ),
    "rounded cone": (Rounded(TIP, 0.25), [(0.0, 1.0 + 0.25 * 5.0**0.5, 0.0), (0.0, -1.25, 0.0)]),
}
WAYS = [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (1.0, -1.0, 0.0), (-1.0, -2.0, 0.5), (0.25, 1.0, -1.0)]


def farthest(shape: Shape, normal: Array) -> float:
    return float(shape.support(normal) @ normal)


@pytest.mark.parametrize("name", SHAPES)
def test_a_normal_is_one_of_the_surface_at_its_point_and_faces_the_ray_where_it_enters(name: str) -> None:
    shape, places = SHAPES[name]
    met = 0
    for place in places:
        for way in WAYS:
            # Powers of two: the ray goes through the place but for the last digit.
            start = tuple(float(x - 4.0 * w) for x, w in zip(place, way, strict=True))
            found = raycast(Body(shape), start, way)
            if found is None:
                continue
            met += 1
            for hit, side in ((found.entry, -1.0), (found.exit, 1.0)):
                if hit is None:
                    continue
                normal = np.array(hit.normal)
                point = np.array(start) + hit.t * np.array(way)
                assert float(normal @ normal) == pytest.approx(1.0, abs=1e-12)
                assert float(normal @ point) == pytest.approx(farthest(shape, normal), abs=1e-6), (place, way, side)
                assert side * float(normal @ np.array(way)) >= -1e-6, (place, way, side)
    assert met >= len(places) * len(WAYS) // 2


@pytest.mark.parametrize("height", [0.0, -(2.0**-40), 0.5])
def test_a_ray_along_a_half_spaces_surface_is_in_it(height: float) -> None:
    found = raycast(Body(HalfSpace((0.0, 1.0, 0.0), 1.0)), (3.0, 1.0 + height, 0.0), (1.0, 0.0, 0.0))
    assert (found is None) == (height > 0.0)
    if found is not None:
        assert found.t == 0.0
        assert found.exit is None
