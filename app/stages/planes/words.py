"""The planes test in words: an edge's line, and whether the other polygon has all its corners in front of it."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import sub
from core.geometry.vector import Array
from core.pair.cores import PlanePair
from core.query.query import Moment, Query
from core.sat.planes_test import PlaneStep
from core.verdict import Verdict

from ...words.axis_words import MINUS, plain
from ..stage import At
from ..word_parts import Formula, StepText, Stop, dot_formula, row, tex_row


def planes_text(at: At[PlaneStep]) -> StepText:
    """Words about one edge's line."""
    query, step = at.query, at.step
    other = "BA"[step.body]
    least = f"{other}.v{step.nearest}"
    if step.verdict is Verdict.SEPARATED:
        decided = f"All of {other} is in front, {least} the least, by {plain(step.gap)}: this line parts them."
    elif step.verdict is Verdict.TOUCHING:
        decided = f"No point of {other} is behind; {least} is on the line, within the band of rounding."
    else:
        decided = f"{least} is behind by {plain(-step.gap)}, so this line does not part them."
    return StepText(
        title=f"Planes test, edge {at.of}: {step.label}",
        known=f"{step.label}, whose first end is e, gives a line; in front of it is the side on which "
        f"{'AB'[step.body]} is not.",
        decided=decided,
        why="Two convex polygons overlap unless some edge's line of one has all points of the other in front. The "
        "article takes a point on the line for one in front, and so calls touching apart.",
        formulas=(
            Formula("n", f"n = {tex_row(step.plane.normal)}", f"n = {row(step.plane.normal)}"),
            dot_formula(
                r"\min_p\; n\cdot(p - e)",
                f"n·({least} {MINUS} e)",
                rf"n\cdot(\mathrm{{{least}}} - e)",
                (np.array(step.plane.normal), _from_edge(query, step)),
                step.gap,
            ),
        ),
        stop=_stop(query, at.moment),
    )


def _from_edge(query: Query, step: PlaneStep) -> Array:
    """The way (2,) from the edge's first end e to the corner that is least in front."""
    scene = query.analysis.scene
    pair = PlanePair.of(scene.a, scene.b)
    own, other = (pair.a, pair.b) if step.body == 0 else (pair.b, pair.a)
    return np.array(sub(other.corner(step.nearest), own.edge(step.edge)[0]))


def _stop(query: Query, moment: Moment) -> Stop | None:
    found = query.analysis.planes
    if not moment.last or found is None:
        return None
    if found.verdict is Verdict.SEPARATED:
        words = f"{found.first} parts them first; the widest gap, {plain(found.gap)}, is at {found.best.label}."
    elif found.verdict is Verdict.TOUCHING:
        words = f"At {found.best.label} no point is behind, and none is in front by more than the band."
    else:
        words = f"No edge's line parts them. The least depth is {plain(-found.gap)}, at {found.best.label}."
    return Stop(found.verdict.value, words, True)
