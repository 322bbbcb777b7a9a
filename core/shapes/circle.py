"""Circle: a disc of the plane z = 0, which is all that a sphere is there."""

from __future__ import annotations

from math import isfinite
from typing import ClassVar

from .sphere import Sphere


class Circle(Sphere, frozen=True):
    """A disc about the body's position. Raises ValueError for a radius that is not positive and finite."""

    dimension: ClassVar[int] = 2
    word: ClassVar[str] = "circle"

    def __post_init__(self) -> None:
        """Refuses what is none."""
        if not (self.radius > 0.0 and isfinite(self.radius)):
            raise ValueError(f"a circle needs a positive radius, got {self.radius:g}")
