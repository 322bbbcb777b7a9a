"""What the screen has of a pane's lines, arrow heads and marks: what solids hide of them, and which way heads point.

    line edge_a w1.5 of body 0: 812.345 px
    line edge_a@0.25 w1.5 of body 0: 96.0412 px
    head overlap of mtv 0: 210.5 133.2 towards 0.9231 -0.3846
    mark edge_a disc: 4
    label “depth 0.2” of mtv 0: 231 104
    leader overlap@0.6 of mtv 0: 210 133 to 229 112

Lines that look alike and belong to one thing are told by their length together: it does not change with the order in
which they are drawn, nor where they are cut. Labels are told by their corners, leaders by both ends, in whole pixels,
and only where it is told in full: in some symmetric pictures rounding chooses between two equally good places, of which
a digest would only say that something is otherwise. Colours of triangles are left out.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.draw.camera import Projection
from app.draw.draw_list import Dash, DrawList, Marker, Subject
from app.draw.layout.frame import LayoutFrame, pane_of
from app.draw.layout.joined_lines import join_lines
from app.draw.layout.labels import LabelRoom, LaidLabels, lay_labels
from app.draw.layout.lines import lay_lines, lay_marks
from app.draw.placed import PlacedLines

from .roles import role_of

SIZE = (960, 480)
"""Pixels of the viewport, which both panes share."""
DUST = 0.05
"""Pixels: lines shorter than that all together are rounding."""


def on_screen(draw: DrawList, projection: Projection, *, labels: bool = False) -> list[str]:
    """The pieces of a pane, with where its `labels` stand if they are wanted."""
    frame = LayoutFrame.of([pane_of(draw, projection, 1.0)])
    lines = join_lines(frame)
    laid = lay_lines(lines, frame)
    (marks,) = lay_marks(lines, laid.heads, frame)
    heads = len(laid.heads.line)
    told = _lengths(laid.placed)
    for row in range(heads):
        (x, y), angle = marks.centre[row].tolist(), float(marks.angle[row])
        ways = " ".join(f"{round(way, 4) + 0.0:.4f}" for way in (np.cos(angle), np.sin(angle)))
        name = f"{role_of(tuple(marks.fill[row].tolist()))}{_of(marks.subjects[row])}"
        told.append(f"head {name}: {round(x, 1) + 0.0:.1f} {round(y, 1) + 0.0:.1f} towards {ways}")
    looks = zip(marks.fill[heads:].tolist(), marks.shape[heads:].tolist(), strict=True)
    counts = Counter(f"{role_of(tuple(fill))} {Marker(shape).name.lower()}" for fill, shape in looks)
    told += [f"mark {look}: {count}" for look, count in counts.items()]
    return told + (_labels(lay_labels(laid, [marks], frame, room_of, [LabelRoom()])[0]) if labels else [])


def room_of(text: str, size: float, bold: bool) -> tuple[float, float]:
    """The box of a text by the number of its letters: that of a font would bind the snapshots to its rasteriser.

    No box has edges that fall between two pixels when its anchor stands on a whole one.
    """
    return (0.5713 if bold else 0.5317) * size * len(text), 1.2071 * size


def _labels(laid: LaidLabels) -> list[str]:
    told = [f"label “{label.text}”{_of(label.subject)}: {round(label.x)} {round(label.y)}" for label in laid.placed]
    leaders = laid.leaders
    ends = np.concatenate((leaders.start, leaders.end), axis=1)
    for row, rgba, subject in zip(ends.tolist(), leaders.start_rgba.tolist(), leaders.subjects, strict=True):
        x, y, end_x, end_y = map(round, row)
        told.append(f"leader {role_of(tuple(rgba))}{_of(subject)}: {x} {y} to {end_x} {end_y}")
    return told + ([f"labels without room: {laid.dropped}"] if laid.dropped else [])


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
