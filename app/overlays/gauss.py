"""The Gauss map's inset: every face normal of A and of −B on one sphere, and the arcs of the edges between them.

Where an arc of A crosses one of −B, those two edges build a face of the difference: they are the edge pairs that count.
"""

from __future__ import annotations

from ..draw.draw_list import DrawList
from .context import Context, Overlay

ID = "gauss"


def _gauss(context: Context, draw: DrawList) -> None:
    from .gauss_drawing import draw_gauss_map

    draw_gauss_map(context, draw)


OVERLAY = Overlay(
    ID,
    "Gauss map",
    "Shift+J",
    "Normals of A and −B on one sphere, in the globe's place; edges whose arcs cross build a face of A − B",
    globe=_gauss,
    of_answer=True,
)
