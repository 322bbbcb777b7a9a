"""Circle: a disc of the plane z = 0, a sphere of two dimensions."""

from __future__ import annotations

from typing import ClassVar

from .sphere import Sphere


class Circle(Sphere, frozen=True):
    """A disc about the body's position, of a `radius` > 0, else ValueError."""

    dimension: ClassVar[int] = 2
    word: ClassVar[str] = "circle"
