"""What the screen has of a pane's lines, arrow heads and marks: what solids hide of them, and which way heads point.

    line edge_a w1.5 of body 0: 812.345 px
    line edge_a@0.25 w1.5 of body 0: 96.0412 px
    head overlap of mtv 0: 210.5 133.2 towards 0.9231 -0.3846
    mark edge_a disc: 4

Lines that look alike and belong to one thing are told by their length together: it does not change with the order in
which they are drawn, nor where they are cut. Labels are left out, as are colours of triangles.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.draw.camera import Projection
from app.draw.draw_list import Dash, DrawList, Marker, Subject
from app.draw.layout.frame import lines_of, pane_of
from app.draw.layout.lines import lay_lines
from app.draw.layout.marks import lay_marks
from app.draw.placed import PlacedLines

from .roles import role_of

SIZE = (960, 480)
"""Pixels of the viewport, which both panes share."""
DUST = 0.05
"""Pixels: lines shorter than that all together are rounding."""


def on_screen(draw: DrawList, projection: Projection) -> list[str]:
    """The pieces of a pane."""
    pane = pane_of(draw, projection, 1.0)
    lines = lines_of(draw, pane)
    laid = lay_lines(lines, pane)
    marks = lay_marks(draw, lines, laid.heads, pane)
    heads = len(laid.heads.line)
    told = _lengths(laid.placed)
    for row in range(heads):
        (x, y), angle = marks.centre[row].tolist(), float(marks.angle[row])
        ways = " ".join(f"{round(way, 4) + 0.0:.4f}" for way in (np.cos(angle), np.sin(angle)))
        name = f"{role_of(tuple(marks.fill[row].tolist()))}{_of(marks.subjects[row])}"
        told.append(f"head {name}: {round(x, 1) + 0.0:.1f} {round(y, 1) + 0.0:.1f} towards {ways}")
    looks = zip(marks.fill[heads:].tolist(), marks.shape[heads:].tolist(), strict=True)
    counts = Counter(f"{role_of(tuple(fill))} {Marker(shape).name.lower()}" for fill, shape in looks)
    return told + [f"mark {look}: {count}" for look, count in counts.items()]


def _lengths(placed: PlacedLines) -> list[str]:
    way = placed.end - placed.start
    lengths: dict[str, float] = {}
    rows = zip(
        placed.start_rgba.tolist(), placed.width.tolist(), placed.dash.tolist(), placed.subjects, way, strict=True
    )
    for rgba, width, dash, subject, (x, y) in rows:
        dashed = "" if dash == Dash.SOLID else f" {Dash(dash).name.lower()}"
        role = role_of(tuple(rgba))
        if role == "clear":
            continue
        # The grid fades out: every line of it has an alpha of its own.
        role = "grid" if role.startswith("grid@") else role
        look = f"{role} w{width:.4g}{dashed}{_of(subject)}"
        lengths[look] = lengths.get(look, 0.0) + float(np.hypot(x, y))
    return [f"line {look}: {length:.6g} px" for look, length in lengths.items() if length > DUST]


def _of(subject: Subject) -> str:
    return "" if subject.kind == "none" else f" of {subject.kind} {subject.number}"
