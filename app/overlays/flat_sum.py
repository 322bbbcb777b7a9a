"""The Minkowski sum A + B of a scene of the plane, where the sums of world points lie."""

from __future__ import annotations

from ..draw.draw_list import DrawList
from .context import Context, Overlay


def _world(context: Context, draw: DrawList) -> None:
    if context.analysis.polygon is not None:
        from .flat_shapes import draw_flat_sum

        draw_flat_sum(context, draw)


OVERLAY = Overlay(
    "sum",
    "Minkowski sum",
    "Shift+A",
    "A + B of a scene of the plane: the sums of all points of A and B, and of every pair of vertices",
    world=_world,
)
