"""MPR: yes or no by portals, and the depth along the ray through both centres.

In the picture the ray from v0 through the origin, the portal that it passes through, and the point found beyond it;
asked can be which corner of the portal the new point replaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from core.geometry.vector import Array, unit
from core.mpr import MprAction, MprResult, MprStep, MprStop
from core.pair.support import DifferencePoint
from core.query.query import Phase, Query

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ...state.prediction import Asked
from ...words.names import numbered
from ..part_pictures import moved_reach, search_reach
from ..picture_parts import draw_bounds, draw_found_sources, draw_search, draw_witnesses, found_name
from ..stage import Bounds, Leaving, Listing, Questions, Stage, steps_of
from ..word_parts import point_words
from .words import GOOD_STOPS, mpr_text


def draw_difference(context: Context, draw: DrawList, step: MprStep) -> None:
    """The ray, the portal, the search and what it found; at the end the depth."""
    points = step.points or step.after
    if points:
        draw_ray(context, draw, points[0].w)
        draw_portal(context, draw, points)
    if step.support is not None:
        start = points[0].w if len(points) < 4 else np.array([point.w for point in points[1:]]).mean(axis=0)
        if step.upper is not None:
            draw_bounds(draw, context.theme, step.support.direction, ((step.upper, "depth ≤"),))
        name = found_name(context, step.support, step.points)
        draw_search(context, draw, start, step.support, "d", name, cores=False)
    if step.stop is not None:
        _draw_answer(context, draw)
    draw_origin(context, draw)


def draw_ray(context: Context, draw: DrawList, start: Array) -> None:
    """From v0 through the origin and on."""
    rgba, way = context.theme.normal, unit(-start)
    if way is None:
        return
    end = ray_end(context, way)
    draw.lines(start, end, rgba, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_end=9.0)
    draw.label("ray", end, rgba, size=PLAIN, offset=(14.0, 0.0), priority=48)


def ray_end(context: Context, way: Array) -> Array:
    """Where the ray along the unit `way` is drawn to, beyond the origin."""
    end: Array = 0.5 * context.extent.radius * way
    return end


def draw_portal(context: Context, draw: DrawList, named: tuple[DifferencePoint, ...]) -> None:
    """v0 and the corners: the triangle of three is the portal, that of two with v0 the plane beside the ray."""
    theme, points = context.theme, np.array([point.w for point in named])
    corners = points[1:]
    if len(corners) == 3:
        draw.sheet(corners, faded(theme.winner, 0.34))
    elif len(corners) == 2:
        draw.sheet(points, faded(theme.winner, 0.13))
    for first, second in combinations(range(len(corners)), 2):
        draw.lines(corners[first], corners[second], theme.winner, 3.0, hidden=Hidden.SHOW, layer=Layer.STRONG)
    for corner in corners:
        draw.lines(points[0], corner, faded(theme.winner, 0.6), 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW)
    for number, point in enumerate(named):
        fill, rim = (theme.winner, theme.halo) if number else (theme.halo, theme.winner)
        draw.spots(point.w, fill, 5.0, rim, 1.5 if number else 2.0)
        word = point_words(context.scene, "v", number, point) if number else numbered("v", 0)
        draw.label(word, point.w, theme.winner, size=PLAIN, offset=(0.0, -14.0), priority=66)


def _result(context: Context) -> MprResult | None:
    return None if context.query is None else context.query.results.get(Phase.MPR)


def _draw_answer(context: Context, draw: DrawList) -> None:
    """The way from the origin to the portal's nearest point, which MPR calls the depth."""
    found = _result(context)
    if found is None or found.depth is None or found.normal is None or found.depth <= 0.0:
        return
    rgba, tip = context.theme.gap, found.depth * found.normal
    draw.strong(np.zeros(3), tip, rgba, 2.8)
    draw.points(tip, rgba, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
    draw.label("MPR's depth", tip, rgba, size=STRONG, offset=(40.0, 14.0), priority=82, bold=True)


def draw_world(context: Context, draw: DrawList, step: MprStep) -> None:
    """The points of A and B behind the corners; at the end those behind the portal's nearest point."""
    points, number = list(enumerate(step.points or step.after)), step.placed if step.action is MprAction.FIRST else None
    draw_found_sources(context, draw, points, step.support, "d", number)
    found = _result(context)
    if step.stop is not None and found is not None and found.witness_a is not None and found.witness_b is not None:
        draw_witnesses(context, draw, found.witness_a, found.witness_b, None)


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    """The arrows on the bodies and B moved out; in the difference the ray, and what lies across d."""
    steps = [step for _, step in steps_of(query, MprStep)]
    world, difference = search_reach(context, [step.support for step in steps])
    for step in steps:
        points, way = step.points or step.after, None
        if points and (way := unit(-points[0].w)) is not None:
            difference.append(ray_end(context, way)[None])
    inside = [(step.support, step.value) for step in steps if step.inside and step.support is not None and step.value]
    ways = [value * point.direction for point, value in inside if value > 0.0]
    return np.concatenate((*world, moved_reach(context, ways))), np.concatenate(difference)


def _leavings(query: Query) -> Iterator[Leaving]:
    """The steps at which w replaces a corner of a portal."""
    names = tuple(numbered("v", k) for k in (1, 2, 3))
    for place, step in steps_of(query, MprStep):
        if len(step.points) < 4 or step.placed is None:
            continue
        gone = step.placed - 1
        left = " and ".join(name for k, name in enumerate(names) if k != gone)
        why = f"stays: the ray passes through the portal of {left} and w, which has it as a corner."
        yield Leaving(
            place,
            names,
            np.array([point.w for point in step.points[1:]]),
            stays={k: f"{name} {why}" for k, name in enumerate(names) if k != gone},
            hint="w splits the portal into three smaller ones, each with w and two of the corners. The ray passes "
            "through one of them; the corner that it lacks leaves.",
            explanation=f"{names[gone]} leaves: the ray passes through the portal of {left} and w.",
            overlay="step_mpr",
            text="Which corner of the portal does w replace?",
        )


def _draw(context: Context, draw: DrawList, asked: Asked, step: MprStep) -> None:  # noqa: ARG001 - as every stage's
    """The ray, the portal, and the new point."""
    draw_ray(context, draw, step.points[0].w)
    draw_portal(context, draw, step.points)
    if step.support is not None:
        draw.spots(step.support.w, context.theme.overlap, 5.0, context.theme.halo, 1.5)
        draw.label("w", step.support.w, context.theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)
    draw_origin(context, draw)


QUESTIONS = Questions(_draw, leavings=_leavings, rank=-1)
"""Before those of GJK, as MPR is there only if somebody asked for it."""
_LISTING = Listing(
    "MPR: Minkowski portal refinement",
    {
        "centre": "v0 ← centre of A − centre of B, nudged if it is 0",
        "no centre": "    a half-space has none:  HALF_SPACE",
        "first": "v1 ← support along d = −v0",
        "in line": "    if v0, origin and v1 are in line:  ON_RAY, or TOUCHING",
        "second": "v2 ← support along d = v0 × v1",
        "discover": "repeat until the ray passes between v1, v2 and v3:",
        "third": "    v3 ← support in front of the plane of v0, v1, v2",
        "refine": "repeat, d the normal of the portal v1 v2 v3:",
        "support": "    w ← support along d,  overlapping once d·v1 ≥ 0",
        "near": "    if w is near the portal:  SURFACE, or WITHIN_TOLERANCE",
        "replace": "    w replaces a corner: the ray passes the new portal",
        "beyond": "at any w:  d·w < 0 is EXCLUDED, 0 is PLANE_AT_ORIGIN,",
        "flat": "    or FLAT_DIFFERENCE if A − B is flat along d",
        "give up": "no normal: DEGENERATE_PORTAL, too many: ITERATION_LIMIT",
    },
)
_LINES = {
    MprAction.CENTRE: "centre",
    MprAction.FIRST: "first",
    MprAction.SECOND: "second",
    MprAction.SWAP: "second",
    MprAction.THIRD: "third",
    MprAction.REFINE: "replace",
    MprAction.DEEPEN: "replace",
    MprStop.SURFACE: "near",
    MprStop.WITHIN_TOLERANCE: "near",
    MprStop.ON_RAY: "in line",
    MprStop.TOUCHING: "in line",
    MprStop.EXCLUDED: "beyond",
    MprStop.PLANE_AT_ORIGIN: "beyond",
    MprStop.FLAT_DIFFERENCE: "flat",
    MprStop.DEGENERATE_PORTAL: "give up",
    MprStop.ITERATION_LIMIT: "give up",
    MprStop.HALF_SPACE: "no centre",
    MprStop.SPACE_ONLY: "no centre",
}


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: _LINES[step.stop or step.action],
    mpr_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop is not None and at.step.stop not in GOOD_STOPS,
    # Once the origin is inside: MPR knows no lower bound but 0.
    bounds=Bounds("depth", lambda step: (0.0, step.upper) if step.inside else (None, None)),
    reach=_reach,
    questions=QUESTIONS,
    colours={
        "winner": "portal",
        "gap": "MPR's depth",
        "overlap": "direction d, support point w and its plane, upper bound",
        "normal": "ray from v₀ to the origin, border radius",
    },
)
