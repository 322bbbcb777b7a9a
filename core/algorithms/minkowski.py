"""The Minkowski difference A - B = { a - b } as an explicit solid (Gregorius 2013; theory.md, "SAT").

Its faces are the faces of A, the faces of B and the crossings of their edges in the Gauss map: the fifteen pairs of
opposite faces of two boxes are the fifteen candidate axes, and each face is born knowing its axis. The origin lies
in the difference exactly when the bodies meet; the boundary point nearest the origin is `-separation * normal`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..shapes.polyhedron import Polyhedron


@dataclass(frozen=True, eq=False, slots=True)
class MinkowskiDifference:
    """A core polyhedron grown by `radius` (0 for two boxes). The frame's origin is the difference's origin.

    With a sphere the core is the other body's polyhedron about the centre, for two spheres a single vertex without
    faces. `sources_a`, `sources_b` (v,): the vertex of A and of B that made each core vertex (0 for a sphere).
    `face_axes` (f,): row of the SAT table each face belongs to (the lowest, if several coincide);
    `face_sides` (f,): +1 or -1, outward normal = face_sides * axes[face_axes].
    """

    core: Polyhedron
    radius: float
    sources_a: NDArray[np.int64]
    sources_b: NDArray[np.int64]
    face_axes: NDArray[np.int64]
    face_sides: NDArray[np.int64]
