"""A shape of every kind, by the name that files use, with numbers that no few digits tell."""

from __future__ import annotations

from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere

THIRD = 1.0 / 3.0
CORNERS = ((0.1, 0.0, 0.0), (THIRD, 0.0, 1.0), (0.0, 0.7, 0.0), (0.0, 0.0, -0.0), (0.1, 0.0, 0.0))

SHAPES: dict[str, Shape] = {
    "box": Box((0.1, 0.2, THIRD)),
    "sphere": Sphere(0.1),
    "capsule": Capsule(0.1, THIRD),
    "cylinder": Cylinder(0.1, 1e3),
    "cone": Cone(0.1, 0.2),
    "ellipsoid": Ellipsoid((0.1, THIRD, 7.0)),
    "hull": Hull(CORNERS),
    "halfspace": HalfSpace((0.3, -0.0, THIRD), -0.1),
}
