"""The convex shapes. Sizes follow the scene file: a box has full edge lengths, a sphere a radius.

All are frozen and compared by value, and all offer the same, in the body's frame: `dimension` (2 for polygon and
circle, which lie in the plane z = 0), `bounding_radius` and `largest_half_extent` (infinite for a half-space),
`support`, `support_vertex`, `support_feature`, `reach`, `polyhedron` (None for curved shapes) and `core` (None where no
core grown by a radius exists).
"""

from __future__ import annotations

from .box import Box
from .capsule import Capsule
from .circle import Circle
from .cone import Cone
from .cylinder import Cylinder
from .ellipsoid import Ellipsoid
from .feature import SupportFeature
from .half_space import HalfSpace
from .hull import Hull
from .polygon import Polygon
from .polyhedron import Polyhedron
from .rounded import RoundedCore
from .sphere import Sphere

Shape = Box | Sphere | Capsule | Cylinder | Cone | Ellipsoid | Hull | HalfSpace | Polygon | Circle

__all__ = [
    "Box",
    "Capsule",
    "Circle",
    "Cone",
    "Cylinder",
    "Ellipsoid",
    "HalfSpace",
    "Hull",
    "Polygon",
    "Polyhedron",
    "RoundedCore",
    "Shape",
    "Sphere",
    "SupportFeature",
]
