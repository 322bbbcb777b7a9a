"""The Minkowski difference, built by hand."""

from __future__ import annotations

from core.minkowski.difference import BuildAction, BuildStep
from core.pair.candidate_axes import AxisKind

from ..stage import Listing, Stage
from .picture import draw_difference, draw_world
from .words import build_text

_IN_SPACE = Listing(
    "The difference built by hand",
    {
        "vertex": "for each vertex a of A:",
        BuildAction.SUBTRACT: "    for each vertex b of B:  add the point a − b",
        "close": "close the hull round all these points:",
        AxisKind.FACE_A: "    faces of A, moved by the vertex of −B farthest out",
        AxisKind.FACE_B: "    faces of −B, moved by the vertex of A farthest out",
        AxisKind.EDGES: "    a parallelogram for each crossing pair of edges",
        "done": "points inside the hull were computed for nothing",
        "answer": "the bodies meet if the origin is inside",
    },
)
_IN_PLANE = Listing(
    _IN_SPACE.title,
    {
        **_IN_SPACE.lines,
        AxisKind.FACE_A: "    edges of A, moved by the vertex of −B farthest out",
        AxisKind.FACE_B: "    edges of −B, moved by the vertex of A farthest out",
        AxisKind.EDGES: "    all of them in the order in which they turn",
    },
)


def _line(step: BuildStep) -> str:
    if step.action is BuildAction.SUBTRACT:
        return BuildAction.SUBTRACT
    return step.family or "done"


STAGE = Stage({2: _IN_PLANE, 3: _IN_SPACE}.__getitem__, _line, build_text, draw_world, draw_difference)
