"""Hatches on the faces of the difference, one pattern for each family, so that families differ without colour too."""

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

HATCH_WIDTH = 1.0
"""Width of a line, points."""


def draw_hatches(
    context: Context, draw: DrawList, faces: Iterable[tuple[int, Array]], *, solid_number: int = -1, strip: float = inf
) -> None:
    """Hatches `faces`, each a row of the axis table and a loop (k, 3); loops, `solid_number` and `strip` as in Hatch.

    Lit faces, and faces whose axes are not known yet, have no hatches. Draws nothing while hatches are switched off.
    """
    if HATCH not in context.view.shown:
        return
    sat, lit = context.analysis.sat, context.lit
    families: dict[AxisKind, tuple[list[Array], list[Subject]]] = {}
    for row, loop in faces:
        if context.sat_progress.has(row) and (lit is None or sat.same_as[lit] != sat.same_as[row]):
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
                width=HATCH_WIDTH,
                subjects=subjects,
                solid_number=solid_number,
                strip=strip,
            )
        )


OVERLAY = Overlay(
    HATCH,
    "Hatches",
    "",
    "Lines on the faces of A − B by where they come from: rising of A, falling of B, crossed of two edges, none on "
    "the face that decides",
)
"""Switched like an overlay, and drawn with the difference."""
