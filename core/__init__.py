"""The collision core: algorithms on two convex bodies, with numpy and the standard library only.

Conventions. Right-handed, Y up; lengths in scene units, angles in radians; float64; rows are points `(n, 3)`;
quaternions `(w, x, y, z)`, unit; faces counter-clockwise seen from outside; a plane is `n·p = offset`. Inputs and
outputs are in world space and are computed relative to A's position. A comes first, B second, suffixes `_a`, `_b`.
A Minkowski point is `w = a - b`. `normal` is a unit vector from A towards B, in every algorithm. `separation` is
signed: positive apart, negative overlapping; `depth = -separation`; `mtv = depth * normal`, added to B, just removes
the overlap (None when separated). The point of the difference nearest the origin is `-separation * normal`.
"""

from .analysis import Analysis, analyse
from .answer import Certainty, Provenance, Verdict
from .methods import Detail
from .scene import Body, Scene
from .shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere

__all__ = [
    "Analysis",
    "Body",
    "Box",
    "Capsule",
    "Certainty",
    "Cone",
    "Cylinder",
    "Detail",
    "Ellipsoid",
    "HalfSpace",
    "Hull",
    "Provenance",
    "Scene",
    "Shape",
    "Sphere",
    "Verdict",
    "analyse",
]
