"""The convex shapes. Sizes follow the scene file: a box has full edge lengths, a sphere a radius."""

from __future__ import annotations

from .box import Box
from .sphere import Sphere

Shape = Box | Sphere

__all__ = ["Box", "Shape", "Sphere"]
