"""Choosing another shape for a body: of like extents, and the way back brings the old numbers back."""

from __future__ import annotations

from core.shapes import Shape, sharp_of, with_border

from ..draw.meshes.shape_kinds import ShapeKind, extents_like, kind_of


class Reshaping:
    """Remembers the shapes that a body has gone through, as long as none of them was edited on the way."""

    def __init__(self) -> None:
        self._made: Shape | None = None
        self._past: dict[str, Shape] = {}

    def become(self, kind: ShapeKind, shape: Shape, other: Shape) -> Shape:
        """`shape` as another kind; `other`: the other body's, whose extents serve where the shape has none.

        Raises ValueError where the kind has none like it.
        """
        if shape != self._made:
            self._past = {}
        known = self._past.get(kind.name)
        sharp, border = sharp_of(shape)
        extents = extents_like(sharp) or extents_like(other) or (1.0, 1.0, 1.0)
        made = with_border(kind.like(sharp, extents), border) if known is None else known
        self._past[kind_of(shape).name] = shape
        self._made = made
        return made
