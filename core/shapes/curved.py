"""What the curved shapes have in common: no topology."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..geometry.vector import Array


class Curved:
    """A shape without numbered vertices, edges and faces."""

    __slots__ = ()

    dimension: ClassVar[int] = 3
    half_extents: ClassVar[None] = None

    @property
    def face_normals(self) -> Array:
        """(0, 3): no flat faces."""
        return np.zeros((0, 3))

    @property
    def polyhedron(self) -> None:
        """None: there are no vertices, edges and faces."""
        return None

    def support_vertex(self, direction: Array) -> int:  # noqa: ARG002 (a polyhedron's needs it)
        """Always -1: there are no numbered vertices."""
        return -1
