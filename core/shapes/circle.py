"""Circle: a disc in the plane z = 0, the 2D counterpart of a sphere."""

from __future__ import annotations

from typing import ClassVar

from .sphere import Sphere


class Circle(Sphere, frozen=True):
    """A disc of `radius` about the body's position. Raises as `Sphere`."""

    dimension: ClassVar[int] = 2
    word: ClassVar[str] = "circle"
