"""GJK's steps: the simplex round or beside the origin, and on the bodies the points that it is made of.

What the step knew is drawn filled, what it found is ringed in the colour of the search direction, and what it let go
of is hollow, once more as a ghost in the step after.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from core.geometry.vector import Array
from core.gjk.gjk import GjkStep
from core.pair.support import DifferencePoint

from ...draw.draw_list import Dash, DrawList, Hidden, Layer, Marker
from ...draw.theme import Theme, faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ..picture_parts import (
    CLOSE,
    clear_of,
    draw_body_directions,
    draw_bounds,
    draw_search,
    draw_sources,
    draw_witnesses,
    point_name,
    together,
)
from ..word_parts import numbered

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
    draw_names(context, draw, step, corners)
    draw_closest(context, draw, step)
    if step.support is not None:
        _draw_search(context, draw, step, step.support)
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


def draw_names(context: Context, draw: DrawList, step: GjkStep, corners: Array) -> None:
    """What the simplex's points are called and made of; those in one place together."""
    sources = [(point.vertex_a, point.vertex_b) for point in step.simplex]
    for place, same in together(corners, sources, CLOSE * context.extent.radius).items():
        names = [numbered("w", number) for number in same[:-1]]
        word = ", ".join((*names, point_name(context, "w", same[-1], step.simplex[place])))
        # Above the corner, or in the plane away from the edges that meet there.
        offset = clear_of(context, corners[place] - corners.mean(axis=0), len(word), (0.0, -14.0))
        draw.label(word, corners[place], context.theme.winner, size=PLAIN, offset=offset, priority=66)


def _draw_ghosts(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The points of the step before that are gone, tied to those that stayed."""
    gone, stayed = _gone(context, step)
    rgba = faded(context.theme.winner, 0.5)
    for point in gone:
        draw.spots(point.w, context.theme.halo, 4.0, rgba, 1.6)
        for other in stayed:
            draw.lines(point.w, other.w, rgba, 1.2, dash=Dash.DOTTED, hidden=Hidden.SHOW, layer=Layer.BACK)


def _gone(context: Context, step: GjkStep) -> tuple[list[DifferencePoint], list[DifferencePoint]]:
    before = None if context.query is None or context.place == 0 else context.query.moments[context.place - 1].step
    if not isinstance(before, GjkStep):
        return [], []
    held = {point.xyz for point in step.simplex}
    return (
        [point for point in before.simplex if point.xyz not in held],
        [point for point in before.simplex if point.xyz in held],
    )


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


def _draw_search(context: Context, draw: DrawList, step: GjkStep, support: DifferencePoint) -> None:
    theme = context.theme
    draw_bounds(draw, theme, -support.direction, ((step.upper, "distance ≤"), (step.lower, "distance ≥")))
    draw_search(context, draw, step.closest, support, "d")
    again = any(support.xyz == point.xyz for point in step.simplex)
    word = "w: again" if again else point_name(context, "w", None, support)
    draw.label(word, support.w, theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=80, bold=True)


def draw_world(context: Context, draw: DrawList, step: GjkStep) -> None:
    """The sources of the simplex, the directions searched and the witness points."""
    points: list[tuple[int | None, DifferencePoint]] = list(enumerate(step.simplex))
    if step.support is not None:
        draw_body_directions(context, draw, step.support, "d")
        if not any(step.support.xyz == point.xyz for point in step.simplex):
            points.append((None, step.support))
    draw_sources(context, draw, points, len(points) - 1 if len(points) > len(step.simplex) else None)
    rows = [step.simplex[k] for k in step.region]
    on_a, on_b = (step.weights @ np.array(ends) for ends in zip(*((p.a, p.b) for p in rows), strict=True))
    if not step.encloses:
        draw_witnesses(context, draw, on_a, on_b, step.direction)
