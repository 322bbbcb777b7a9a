"""GJK, the distance of the cores: the simplex round or beside the origin, and on the bodies the points that make it.

What the step knew is drawn filled, what it found is ringed in the colour of the search direction, and what it let go
of is hollow, once more as a ghost in the step after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from core.geometry.vector import Array, unit
from core.gjk.gjk import GjkStep, GjkStop
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import Theme, faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ...state.prediction import Asked, Kind
from ...words.digits import plain
from ...words.names import numbered
from .. import picture_parts as parts
from ..part_pictures import across, ring_reach, search_reach
from ..stage import VISIBLE, Bounds, Leaving, Listing, Questions, Search, Stage, steps_of
from ..word_parts import point_words
from .words import POOR_STOPS, gjk_text

REGIONS = {1: "vertex", 2: "edge", 3: "face"}


def region_name(region: tuple[int, ...]) -> str:
    """The Voronoi region that holds the origin: `vertex w₀`, `edge w₀w₂`, `face w₀w₁w₃`, or `inside`."""
    if len(region) == 4:
        return "inside"
    return f"{REGIONS[len(region)]} {''.join(numbered('w', k) for k in region)}"


def draw_difference(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The simplex, its point nearest the origin, the search from there and what it found."""
    corners = np.array([point.w for point in step.simplex])
    _draw_ghosts(context, draw, step)
    draw_simplex(context, draw, step, corners)
    draw_names(context, draw, step.simplex, corners)
    draw_closest(context, draw, step)
    if step.support is not None:
        bounds = ((step.upper, "distance ≤"), (step.lower, "distance ≥"))
        parts.draw_bounds(draw, context.theme, -step.support.direction, bounds)
        name = parts.found_name(context, step.support, step.simplex)
        parts.draw_search(context, draw, step.closest, step.support, "d", name)
    draw_origin(context, draw)


def draw_simplex(context: Context, draw: DrawList, step: GjkStep, corners: Array, *, answered: bool = True) -> None:
    """The simplex, corners (k, 3): what holds its nearest point is strong, unless that is not to be `answered` yet."""
    theme, region = context.theme, set(step.region) if answered else set()
    draw_sides(draw, theme, corners, region)
    for number, point in enumerate(step.simplex):
        kept = number in region or not answered
        fill, rim = (theme.winner, theme.halo) if kept else (theme.halo, theme.winner)
        draw.spots(point.w, fill, 5.0, rim, 1.5 if kept else 2.0)


def draw_sides(draw: DrawList, theme: Theme, corners: Array, region: set[int]) -> None:
    """Faces and edges of a simplex, corners (k, 3): the one that spans the `region` is strong."""
    for face in combinations(range(len(corners)), 3):
        draw.sheet(corners[list(face)], faded(theme.winner, 0.34 if region == set(face) else 0.13))
    for edge in combinations(range(len(corners)), 2):
        (first, second), width = corners[list(edge)], 4.0 if region == set(edge) else 2.0
        draw.lines(first, second, theme.winner, width, hidden=Hidden.SHOW)


def draw_names(
    context: Context, draw: DrawList, points: Sequence[DifferencePoint], corners: Array, *, outward: bool = True
) -> None:
    """What the simplex's points are called and made of; those in one place together, in the plane `outward`."""
    sources = [(point.vertex_a, point.vertex_b) for point in points]
    for place, same in parts.together(corners, sources, parts.CLOSE * context.extent.radius).items():
        names = [numbered("w", number) for number in same[:-1]]
        word = ", ".join((*names, point_words(context.scene, "w", same[-1], points[place])))
        # Above the corner, or in the plane away from the edges that meet there; a lone one's away from the origin.
        middle = corners.mean(axis=0) if len(corners) > 1 else np.zeros(3)
        way = corners[place] - middle if outward else np.zeros(3)
        offset = parts.clear_of(context, way, len(word), (0.0, -14.0))
        draw.label(word, corners[place], context.theme.winner, size=PLAIN, offset=offset, priority=66)


def _draw_ghosts(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The points of the step before that are gone, tied to those that stayed."""
    before = None if context.query is None or context.place == 0 else context.query.moments[context.place - 1].step
    if not isinstance(before, GjkStep):
        return
    rgba, held = faded(context.theme.winner, 0.5), {point.xyz for point in step.simplex}
    stayed = [point for point in before.simplex if point.xyz in held]
    for point in before.simplex:
        if point.xyz in held:
            continue
        draw.spots(point.w, context.theme.halo, 4.0, rgba, 1.6)
        for other in stayed:
            draw.lines(point.w, other.w, rgba, 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW, layer=Layer.BACK)


def draw_closest(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The simplex's point nearest the origin with the way to it, or that the origin is inside."""
    theme, closest = context.theme, step.closest
    if step.encloses:
        draw.label("the origin is inside", np.zeros(3), theme.gap, size=STRONG, offset=(0.0, -18.0), priority=82)
        return
    draw.strong(closest, np.zeros(3), theme.gap, 2.4)
    draw.points(closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
    where = region_name(step.region)
    draw.label(f"v on {where}", closest, theme.gap, size=STRONG, offset=(34.0, 14.0), priority=82, bold=True)


def draw_world(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The sources of the simplex, the directions searched and the witness points."""
    parts.draw_found_sources(context, draw, list(enumerate(step.simplex)), step.support, "d")
    if not step.encloses:
        witnesses = parts.weighted_sources([step.simplex[k] for k in step.region], step.weights)
        parts.draw_witnesses(context, draw, *witnesses, step.direction)


def _reach(context: Context, query: Query) -> tuple[Array, Array]:
    """The arrows on the bodies; in the difference what lies across d, and the rings of the bounds."""
    steps = [step for _, step in steps_of(query, GjkStep)]
    world, difference = search_reach(context, [step.support for step in steps])
    for step in steps:
        towards = unit(step.closest)
        if step.support is not None:
            difference.append(across(context, step.closest, step.support.direction, step.closest))
            if towards is not None:
                difference.append(ring_reach(context, towards, step.upper))
    return np.concatenate(world), np.concatenate(difference)


def _searches(query: Query) -> tuple[Search, ...]:
    steps = steps_of(query, GjkStep)
    return tuple(Search(place, step.direction, "step_gjk") for place, step in steps if step.direction is not None)


def _leavings(query: Query) -> Iterator[Leaving]:
    """The steps whose nearest spot does not need every point of the simplex, and needs the others plainly."""
    for place, step in steps_of(query, GjkStep):
        if not 0 < len(step.region) < len(step.simplex) or step.weights.min() < VISIBLE:
            continue
        names = tuple(numbered("w", k) for k in range(len(step.simplex)))
        weights = dict(zip(step.region, step.weights.tolist(), strict=True))
        gone = [name for k, name in enumerate(names) if k not in weights]
        shares = ", ".join(f"{names[k]} {plain(weight)}" for k, weight in weights.items())
        made = f"made of {shares} (weights that add up to 1), without {' and '.join(gone)}"
        if len(weights) == 1:
            made = f"{names[step.region[0]]} itself"
        leaves = f"{' and '.join(gone)} {'leaves' if len(gone) == 1 else 'leave'}"
        why = "stays: it has weight"
        yield Leaving(
            place,
            names,
            np.array([point.w for point in step.simplex]),
            stays={
                k: f"{names[k]} {why} {plain(weight)} in the nearest point v. A corner that leaves has weight 0."
                for k, weight in weights.items()
            },
            hint=f"{len(names)} points make the simplex. Find its spot nearest the origin. A corner that is not "
            "needed for that spot leaves.",
            explanation=f"{leaves}: the nearest point v is {made}.",
            overlay="step_gjk",
        )


def _draw(context: Context, draw: DrawList, asked: Asked, step: GjkStep) -> None:
    """The simplex; where its nearest point is not what is asked, with that and the direction towards the origin."""
    corners, leaves = np.array([point.w for point in step.simplex]), asked.question.kind is Kind.LEAVES
    draw_simplex(context, draw, step, corners, answered=not leaves)
    draw_names(context, draw, step.simplex, corners)
    if not leaves:
        draw_closest(context, draw, step)
        if step.direction is not None:
            tip = step.closest + parts.ARROW * context.extent.radius * step.direction
            parts.draw_arrow(draw, step.closest, tip, context.theme.overlap, "d")
    draw_origin(context, draw)


QUESTIONS = Questions(_draw, _searches, _leavings)


_LISTING = Listing(
    "GJK: distance of the cores",
    {
        "start": "W ← { support point in the first direction }",
        "repeat": "repeat:",
        "nearest": "    v ← point of W nearest the origin",
        GjkStop.OVERLAP_ENCLOSED: "    if W encloses the origin:  OVERLAP_ENCLOSED",
        GjkStop.DEGENERATE_SIMPLEX: "        (but proved apart before:  DEGENERATE_SIMPLEX)",
        GjkStop.OVERLAP_TOUCHING: "    if |v| is 0 within rounding:  OVERLAP_TOUCHING",
        GjkStop.NO_PROGRESS: "    if |v| no longer shrinks:  NO_PROGRESS",
        "direction": "    d ← −v / |v|",
        "support": "    w ← support of A along d − support of B along −d",
        "bounds": "    lower ← max(lower, −d·w),  upper ← |v|",
        GjkStop.CONVERGED: "    if upper − lower is 0 within rounding:  CONVERGED",
        GjkStop.REPEATED_SUPPORT: "    if w is in W already:  REPEATED_SUPPORT",
        GjkStop.ITERATION_LIMIT: "    if that was the last one allowed:  ITERATION_LIMIT",
        "grow": "    W ← corners of W that hold v, and w",
    },
)


STAGE = Stage(
    lambda _dimension: _LISTING,
    lambda step: step.stop or "grow",
    gjk_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    gave_up=lambda at: at.step.stop in POOR_STOPS,
    bounds=Bounds("distance", lambda step: (step.lower, step.upper)),
    reach=_reach,
    questions=QUESTIONS,
    colours={
        "winner": "simplex",
        "gap": "nearest point v, lower bound",
        "overlap": "direction d, support point w and its plane, upper bound",
        "normal": "border radius",
    },
)
