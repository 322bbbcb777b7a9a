"""The stage of the planes test: the line of an edge separates two polygons if the other one is in front of it."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import raised, sub
from core.geometry.vector import Array
from core.pair.cores import PlanePair
from core.query.query import Moment, Query
from core.sat.separating_planes import PlanesTestStep
from core.verdict import Verdict

from ...draw.draw_list import Dash, DrawList, Hidden
from ...overlays.context import Context
from ...overlays.difference import LIT_FACE, draw_origin
from ...overlays.flat_shapes import outwards
from ...overlays.style import PLAIN, STRONG
from ...words.digits import plain, signed
from ...words.expression import Over, Symbol, symbols
from ...words.formula import Formula, vector
from ...words.names import shown_name
from ..stage import AlgorithmListing, At, Stage, given, steps_of
from ..word_parts import StepText, Stop, gap_so_far

_N, _P, _E = symbols("n p e")


def planes_text(at: At[PlanesTestStep]) -> StepText:
    """The text of one edge's line."""
    query, step = at.query, at.step
    other = "BA"[step.body]
    least, nearest = f"{other}.v{step.nearest}", Symbol(other.lower(), str(step.nearest))
    if step.verdict is Verdict.SEPARATED:
        decided = (
            f"All of {other} is in front of the line; {least} is closest, at {plain(step.gap)}. The line "
            "separates them."
        )
    elif step.verdict is Verdict.TOUCHING:
        decided = f"No point of {other} is behind the line; {least} is on it, within the touching tolerance."
    else:
        decided = f"{least} is {plain(-step.gap)} behind the line, so it does not separate them."
    return StepText(
        title=f"Planes test, edge {at.of}: {shown_name(step.label)}",
        known=f"Extend {shown_name(step.label)} to a line; e is its first end. Its front side is the one away from "
        f"{'AB'[step.body]}.",
        decided=decided,
        why="Two convex polygons are apart exactly when the line of one edge has all of the other polygon in front. "
        "A published version counts a point on the line as in front, so it reports touching as apart.",
        formulas=(
            Formula.of(_N, step.plane.normal, lying=True),
            Formula.of(
                Over("min", _N @ (_P - _E), "p"),
                step.gap,
                name=_N @ (nearest - _E),
                worked=vector(step.plane.normal) @ vector(_from_edge(query, step)),
            ),
        ),
        stop=_stop(query, at.moment),
    )


def verdict_so_far(at: At[PlanesTestStep]) -> tuple[str, str] | None:
    """The verdict line before the last step, as for SAT: head and rest; None at the last step."""
    if at.moment.last:
        return None
    steps = [step for _, step in steps_of(at.query, PlanesTestStep)][: at.moment.index + 1]
    gaps = [(step.gap, f"in front of {shown_name(step.label)}") for step in steps if step.verdict is Verdict.SEPARATED]
    gap = max(gaps, key=lambda found: found[0], default=None)
    first = len(gaps) == 1 and at.step.verdict is Verdict.SEPARATED
    return gap_so_far("Planes test", f"{at.of} edges tried", gap, first=first)


def _from_edge(query: Query, step: PlanesTestStep) -> Array:
    """The vector (2,) from the edge's first end e to the corner that is least in front."""
    scene = query.analysis.scene
    pair = PlanePair.of(scene.a, scene.b)
    own, other = (pair.a, pair.b) if step.body == 0 else (pair.b, pair.a)
    return np.array(sub(other.corner(step.nearest), own.edge(step.edge)[0]))


def _stop(query: Query, moment: Moment) -> Stop | None:
    found = query.analysis.planes
    if not moment.last or found is None:
        return None
    best = shown_name(found.best.label)
    if found.verdict is Verdict.SEPARATED:
        first = shown_name(given(found.first))
        words = f"{first} is the first to separate them; the widest gap, {plain(found.gap)}, is at {best}."
    elif found.verdict is Verdict.TOUCHING:
        words = f"At {best} no point is behind the line, and the closest is on it, within the touching tolerance."
    else:
        words = f"No edge's line separates them. The least depth is {plain(-found.gap)}, at {best}."
    return Stop(found.verdict.value, words, True)


def draw_world(context: Context, draw: DrawList, step: PlanesTestStep) -> None:
    """Draws the edge's line with its normal, and the distances of the other polygon's corners from it."""
    theme, reach = context.theme, 1.5 * context.extent.radius
    rgba = theme.gap if step.verdict is not Verdict.OVERLAPPING else theme.overlap
    start, end, normal = raised(step.start), raised(step.end), raised(step.plane.normal)
    middle, along = 0.5 * (start + end), np.array((-step.plane.normal[1], step.plane.normal[0], 0.0))
    draw.lines(middle - reach * along, middle + reach * along, rgba, 1.4, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.strong(start, end, theme.edge(step.body), 4.0)
    tip = _plane_tip(context, step)
    draw.strong(middle, tip, theme.normal, 2.4, arrow_end=12.0)
    draw.label(
        f"{shown_name(step.label)}: in front",
        tip,
        theme.normal,
        size=PLAIN,
        offset=(0.0, -12.0),
        priority=80,
        kind="face-names" if context.analysis.polygon is None else "edge-names",
    )
    _draw_distances(context, draw, step, normal)


def _hides(context: Context) -> frozenset[str]:
    """Hides the overlay `axis_sources`, as the step draws its edge itself, unless another axis is pointed at."""
    own = context.moment is not None and context.source == context.moment.index
    return frozenset({"axis_sources"}) if own else frozenset()


def _plane_tip(context: Context, step: PlanesTestStep) -> Array:
    """The end (3,) of an edge's normal as it is drawn."""
    middle: Array = 0.5 * (raised(step.start) + raised(step.end))
    return middle + 0.3 * context.extent.radius * raised(step.plane.normal)


def _fit_points(context: Context, query: Query) -> tuple[Array, Array]:
    tips = [_plane_tip(context, step) for _, step in steps_of(query, PlanesTestStep)]
    return np.array(tips).reshape(-1, 3), np.zeros((0, 3))


def _draw_distances(context: Context, draw: DrawList, step: PlanesTestStep, normal: Array) -> None:
    """Draws every corner of the other polygon with its signed distance, the one least in front strong.

    `normal` (3,): of the edge, unit, outwards.
    """
    theme, other = context.theme, context.scene.body(1 - step.body)
    corners = other.pose.to_world(other.shape.core.points) if other.shape.core is not None else np.zeros((0, 3))
    for number, distance in zip(step.numbers, step.distances, strict=True):
        point, least = corners[number], number == step.nearest
        rgba = theme.gap if distance >= 0.0 else theme.overlap
        if least:
            draw.strong(point - distance * normal, point, rgba, 2.8)
        draw.spots(point, rgba, 5.0 if least else 3.6, theme.halo, 1.2)
        words = f"{'BA'[step.body]}.v{number} {signed(distance)}"
        offset, size = outwards(point - corners.mean(axis=0), len(words)), STRONG if least else PLAIN
        draw.label(words, point, rgba, size=size, offset=offset, priority=78 if least else 40, kind="distance")


_LISTING = AlgorithmListing(
    "The planes test",
    {
        "edge": "for each edge of A, then of B:",
        "line": "    n, d ← the edge's line, n outward",
        "gap": "    gap ← least n·p − d over the other's corners p",
        Verdict.SEPARATED: "    if gap > 0:  apart (a yes-or-no test stops here)",
        Verdict.TOUCHING: "    if gap is 0 within rounding:  they may touch",
        Verdict.OVERLAPPING: "    else:  this line does not separate them",
        "answer": "the widest gap answers: apart, touching, or how deep",
    },
)


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: step.verdict,
    planes_text,
    draw_world,
    lambda context, draw, _step: draw_origin(context, draw),
    # An edge's line has the row of its normal: A's edges come first in both.
    focus=lambda context: None if context.moment is None else context.moment.index,
    fit_points=_fit_points,
    verdict_so_far=verdict_so_far,
    hides=_hides,
    colours=LIT_FACE | {"gap": "in front of the plane", "overlap": "behind the plane", "normal": "the plane's normal"},
)
