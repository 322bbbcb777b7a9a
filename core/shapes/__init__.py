"""The convex shapes. Sizes follow the scene file: a box has full edge lengths, a sphere a radius.

All are frozen and compared by value. All have the members that `contract.Contract` lists.
"""

from __future__ import annotations

from .box import Box
from .capsule import Capsule
from .circle import Circle
from .cone import Cone
from .contract import Contract, SupportFeature, ball_radius, corners_of, is_shape, offered
from .cylinder import Cylinder
from .ellipsoid import Ellipsoid
from .half_space import HalfSpace
from .hull import Hull, MeshSource
from .polygon import Polygon
from .polyhedron import Polyhedron
from .rounded import Rounded, Shape, mesh_source, sharp_of, with_border
from .rounded_core import RoundedCore
from .sphere import Sphere

SHAPES = offered(Box, Sphere, Capsule, Cylinder, Cone, Ellipsoid, Hull, HalfSpace, Polygon, Circle, Rounded)
"""All classes of shapes."""


__all__ = [
    "SHAPES",
    "Box",
    "Capsule",
    "Circle",
    "Cone",
    "Contract",
    "Cylinder",
    "Ellipsoid",
    "HalfSpace",
    "Hull",
    "MeshSource",
    "Polygon",
    "Polyhedron",
    "Rounded",
    "RoundedCore",
    "Shape",
    "Sphere",
    "SupportFeature",
    "ball_radius",
    "corners_of",
    "is_shape",
    "mesh_source",
    "sharp_of",
    "with_border",
]
