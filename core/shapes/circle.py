"""Circle: a disc of the plane z = 0, which is all that a sphere is there."""

from __future__ import annotations

from typing import ClassVar

from .sphere import Sphere


class Circle(Sphere, frozen=True):
    """A disc of `radius` > 0 about the body's position. Raises ValueError for anything else."""

    dimension: ClassVar[int] = 2
    word: ClassVar[str] = "circle"
