"""Lines on the faces of the difference by where they come from, which tell the families apart in grey as well."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from core.geometry.vector import Array
from core.sat.sat import AxisKind

from ..draw.draw_list import DrawList, Hatch, Subject
from ..draw.theme import faded
from ..state.view import HATCH
from .context import Context, Overlay
from .style import family_style

WIDTH = 1.0
"""Of a line, points."""


def draw_hatches(
    context: Context, draw: DrawList, faces: Iterable[tuple[int, Array]], *, solid: int = -1, rim: float = inf
) -> None:
    """Each family's lines on `faces`: rows of the axis table, and loops as of Hatch; `solid` and `rim` likewise.

    None on faces that are lit, and on those whose axes are not known yet.
    """
    if HATCH not in context.view.shown:
        return
    sat, lit = context.analysis.sat, context.lit
    families: dict[AxisKind, tuple[list[Array], list[Subject]]] = {}
    for row, loop in faces:
        if context.tried.has(row) and (lit is None or sat.same_as[lit] != sat.same_as[row]):
            loops, subjects = families.setdefault(sat.candidates[row].kind, ([], []))
            loops.append(loop)
            subjects.append(Subject("axis", row))
    for kind, (loops, subjects) in families.items():
        style = family_style(kind, context.theme)
        draw.hatches.append(
            Hatch(
                loops=loops,
                angles=style.hatch,
                rgba=faded(style.rgba, 0.9),
                width=WIDTH,
                subjects=subjects,
                solid=solid,
                rim=rim,
            )
        )


OVERLAY = Overlay(
    HATCH,
    "Hatches",
    "",
    "Lines on the faces of A − B by where they come from: rising of A, falling of B, crossed of two edges, none on "
    "the face that decides",
)
"""Switched like an overlay; what draws the difference draws it."""
