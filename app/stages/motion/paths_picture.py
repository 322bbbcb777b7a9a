"""The GJK ray cast of the origin and conservative advancement: how far the way is proved free, and by what."""

from __future__ import annotations

from math import isfinite

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array, cross, dot, length, unit
from core.pair.support import DifferencePoint, Support
from core.rays.gjk_raycast import GjkRaycastStep
from core.toi import AdvancementStep, DifferenceSupport, Motion

from ...draw.draw_list import DrawList, Hidden, Layer, Marker
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.extent import square_of
from ...overlays.motion import outer_points
from ...overlays.outline import draw_outline
from ...overlays.text_sizes import PLAIN, STRONG
from ...state.playback import body_at, moves
from ...words.axis_words import plain, signed
from ..gjk.picture import draw_sides, region_name
from ..picture_parts import ARROW, CLOSE, draw_body_directions, draw_sources, draw_witnesses, point_name, together
from ..word_parts import numbered
from .picture_parts import (
    SHORTEST,
    draw_bodies_on_their_way,
    draw_path,
    draw_turned_difference,
    draw_way_marks,
    measured,
    time_words,
)
from .word_parts import point_of

FREE_WIDTH = 4.4
"""Of the part of the path that is proved free."""


# The ray cast.


def draw_ray_world(context: Context, draw: DrawList, step: GjkRaycastStep, motion: Motion, time: float) -> None:
    """On the bodies, where they are then, the points that made the simplex, and the two that are nearest."""
    draw_bodies_on_their_way(context, draw, time)
    points: list[tuple[int | None, DifferencePoint]] = [
        (number, _moved(motion, support, time)) for number, support in enumerate(step.simplex)
    ]
    if step.support is not None and step.normal is not None:
        newest = _moved(motion, step.support, time, step.normal)
        draw_body_directions(context, draw, newest, "n")
        if not _again(step):
            points.append((None, newest))
    draw_sources(context, draw, points, len(points) - 1 if len(points) > len(step.simplex) else None)
    if len(step.region) < 4:
        rows = [points[k][1] for k in step.region]
        on_a, on_b = (step.weights @ np.array(ends) for ends in zip(*((p.a, p.b) for p in rows), strict=True))
        if length(on_a - on_b) > CLOSE * 0.05 * context.extent.radius:
            draw_witnesses(context, draw, on_a, on_b, None)


def _moved(motion: Motion, support: Support, time: float, direction: Array | None = None) -> DifferencePoint:
    """A point of the difference with its sources where the bodies are at that time, from A's position at the start."""
    point = point_of(support, direction)
    drift = time * motion.drift
    return replace(point, a=point.a + drift, b=point.b + drift + time * motion.displacement)


def _again(step: GjkRaycastStep) -> bool:
    """Whether the support point is a corner of the simplex already."""
    support = step.support
    return support is not None and any(bool((support.point == corner.point).all()) for corner in step.simplex)


def draw_ray_difference(context: Context, draw: DrawList, step: GjkRaycastStep, motion: Motion, _time: float) -> None:
    """The path as far as it is proved free, the simplex with its point nearest x, and the plane that cuts it off."""
    theme, way = context.theme, motion.displacement
    draw_path(context, draw, motion, step.t)
    _draw_free(context, draw, way, min(step.t, 1.0))
    _draw_simplex(context, draw, step)
    if len(step.region) < 4 and length(step.point - step.closest) > 0.0:
        draw.strong(step.point, step.closest, theme.gap, 2.4)
        draw.points(step.closest, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
        where = region_name(step.region)
        draw.label(f"v on {where}", step.closest, theme.gap, size=STRONG, offset=(34.0, 14.0), priority=80, bold=True)
    words = f"x, {time_words(step.t)}" if step.t > 0.0 else "x"
    draw.label(words, step.point, theme.origin, size=PLAIN, offset=(30.0, -12.0), priority=83, bold=True)
    if step.normal is not None and step.support is not None:
        _draw_clip(context, draw, step, step.normal, step.support, way)


def _draw_free(context: Context, draw: DrawList, way: Array, time: float) -> None:
    if time > 0.0:
        draw.strong(np.zeros(3), time * way, context.theme.gap, FREE_WIDTH)


def _draw_simplex(context: Context, draw: DrawList, step: GjkRaycastStep) -> None:
    theme, region = context.theme, set(step.region)
    corners = np.array([support.point for support in step.simplex])
    draw_sides(draw, theme, corners, region)
    for number, corner in enumerate(corners):
        kept = number in region
        fill, stroke = (theme.winner, theme.halo) if kept else (theme.halo, theme.winner)
        draw.spots(corner, fill, 5.0, stroke, 1.6)
    points = [point_of(support) for support in step.simplex]
    sources = [(point.vertex_a, point.vertex_b) for point in points]
    for place, same in together(corners, sources, CLOSE * context.extent.radius).items():
        names = [numbered("w", number) for number in same[:-1]]
        word = ", ".join((*names, point_name(context, "w", same[-1], points[place])))
        draw.label(word, corners[place], theme.winner, size=PLAIN, offset=(0.0, -14.0), priority=66)


def _draw_clip(
    context: Context, draw: DrawList, step: GjkRaycastStep, normal: Array, support: Support, way: Array
) -> None:
    """The plane through the farthest point along n, moved out by the radii, and where the path goes through it."""
    theme, size = context.theme, context.extent.radius
    assert isinstance(support, DifferenceSupport)
    cores = [body.shape.core for body in (context.scene.a, context.scene.b)]
    radius = sum(core.radius for core in cores if core is not None)
    through = support.point + radius * normal
    # About the place that the path is cut off at, or else x itself comes down on it.
    onto = step.next_t * way if step.clipped else step.point - dot(step.point - through, normal) * normal
    plane = _strip(onto, through, normal, 0.16 * size)
    draw.sheet(plane, faded(theme.overlap, 0.13))
    draw.polyline(plane, faded(theme.overlap, 0.65), 1.2, closed=True, hidden=Hidden.SHOW, layer=Layer.BACK)
    tip = through + ARROW * size * normal
    draw.strong(through, tip, theme.overlap, 2.6, arrow_end=12.0)
    draw.label("n", tip, theme.overlap, size=PLAIN, offset=(12.0, -6.0), priority=72, bold=True)
    ring = faded(theme.overlap, 0.0)
    draw.spots(support.point, ring, 8.0, theme.overlap, 2.6, shape=Marker.RING)
    if not _again(step):
        word = point_name(context, "w", None, point_of(support))
        draw.label(word, support.point, theme.overlap, size=PLAIN, offset=(0.0, 16.0), priority=68, bold=True)
    if step.clipped:
        word = f"free until {time_words(step.next_t)}"
        draw_way_marks(draw, context, (step.next_t * way)[None], [word], theme.overlap)


def _strip(start: Array, end: Array, normal: Array, margin: float) -> Array:
    """Corners (4, 3) of a piece of the plane across the unit `normal` with both points in it, `margin` beyond them."""
    along = unit(end - start) if length(end - start) > 1e-6 * margin else None
    if along is None:
        return square_of(start, normal, 1.6 * margin)
    across = cross(normal, along)
    low, high = start - margin * along, end + margin * along
    return np.array((low - margin * across, high - margin * across, high + margin * across, low + margin * across))


# Conservative advancement.


def draw_advancement_world(
    context: Context, draw: DrawList, step: AdvancementStep, motion: Motion, time: float
) -> None:
    """The distance at that time with its direction, and outlines of where time may go without a touch."""
    theme = context.theme
    draw_bodies_on_their_way(context, draw, time)
    rgba = theme.gap if step.stop is None else theme.winner
    touching = abs(step.distance) <= motion.band
    words = f"{'touching' if touching else f'distance {signed(step.distance)}'}, {time_words(time)}"
    measured(draw, context, step.point_a, step.point_b, rgba, words)
    tip = step.point_a - ARROW * context.extent.radius * step.normal
    draw.strong(tip, step.point_a, theme.overlap, 2.4, arrow_end=11.0)
    draw.label("n", tip, theme.overlap, size=PLAIN, offset=(-10.0, -8.0), priority=74, bold=True)
    if step.stop is None:
        _draw_next(context, draw, min(step.next_time, 1.0))


def _draw_next(context: Context, draw: DrawList, time: float) -> None:
    """Dashed in the colour of what was found: where the bodies are when time has gone on."""
    theme = context.theme
    for body in (context.scene.a, context.scene.b):
        if moves(body) and isfinite(body.shape.bounding_radius):
            draw_outline(draw, outer_points(body_at(body, time)), faded(theme.overlap, 0.85), 1.5)
    free = body_at(context.scene.b if moves(context.scene.b) else context.scene.a, time)
    words = f"free until {time_words(time)}"
    draw.label(words, free.pose.position, theme.overlap, size=STRONG, offset=(0.0, 26.0), priority=79, bold=True)


def draw_advancement_difference(
    context: Context, draw: DrawList, step: AdvancementStep, motion: Motion, time: float
) -> None:
    """The origin and the point of A - B nearest to it; while nothing turns the plane there, and the path up to it."""
    theme = context.theme
    apart = step.point_a - step.point_b
    if motion.rotates:
        draw_turned_difference(context, draw, time)
        start = np.zeros(3)
    else:
        draw_path(context, draw, motion, time)
        _draw_free(context, draw, motion.displacement, time)
        start = time * motion.displacement
    words = f"distance {plain(abs(step.distance))}"
    if length(apart) > SHORTEST * context.extent.radius:
        measured(draw, context, start, start + apart, theme.gap, words)
    if motion.rotates:
        words = f"A − B at {time_words(time)}: it turns"
        draw.label(words, start + apart, theme.dim_text, size=PLAIN, offset=(0.0, 22.0), priority=60)
        return
    corners = square_of(start + apart, step.normal, 0.45 * context.extent.radius)
    draw.sheet(corners, faded(theme.overlap, 0.12))
    draw.polyline(corners, faded(theme.overlap, 0.6), 1.2, closed=True, hidden=Hidden.FAINT, layer=Layer.BACK)
    if step.stop is None and step.next_time <= 1.0:
        place = (step.next_time * motion.displacement)[None]
        draw_way_marks(draw, context, place, [f"free until {time_words(step.next_time)}"], theme.overlap)
    elif step.stop is not None:
        draw.label(f"{time_words(time)}", start, theme.winner, size=STRONG, offset=(0.0, 18.0), priority=81, bold=True)
