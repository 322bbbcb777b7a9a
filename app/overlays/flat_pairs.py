"""The pair of vertices pointed at in the table of differences, shown on the bodies."""

from __future__ import annotations

from ..draw.draw_list import DrawList
from .context import Context, Overlay
from .flat_shapes import draw_pair_sources


def _world(context: Context, draw: DrawList) -> None:
    if context.analysis.polygon is not None:
        draw_pair_sources(context, draw, context.analysis.polygon)


OVERLAY = Overlay("flat_pairs", "Pair of vertices", "", "The two vertices whose difference is pointed at", world=_world)
