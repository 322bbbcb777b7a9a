"""Our bodies as Coal and FCL have them: the witnesses of tests and of the benchmark's judge."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.scene import Body
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Hull, Shape, Sphere
from tests.oracles import axes_of

ALONG_Y = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)))
"""Their shapes of revolution stand along z, ours along y: takes z to y."""


def axes_there(body: Body) -> np.ndarray:
    """The axes, as columns, of the body as both libraries hold it."""
    return axes_of(body) @ ALONG_Y if isinstance(body.shape, Capsule | Cylinder | Cone) else axes_of(body)


def shape_there(library: Any, shape: Shape) -> Any:
    """The shape in `coal` or `fcl`; TypeError for one that is not asked about: FCL's hulls, half-spaces."""
    match shape:
        case Box(size):
            return library.Box(*size)
        case Sphere(radius):
            return library.Sphere(radius)
        case Capsule(radius, length):
            return library.Capsule(radius, length)
        case Cylinder(radius, height):
            return library.Cylinder(radius, height)
        case Cone(radius, height):
            return library.Cone(radius, height)
        case Ellipsoid(radii):
            return library.Ellipsoid(*radii)
        case Hull(points) if library.__name__ == "coal":
            rows = library.StdVec_Vec3s()
            rows.extend(list(np.array(points)))
            return library.Convex.convexHull(rows, False, "Qt")
    raise TypeError(f"{library.__name__} is not asked about {type(shape).__name__}")
