"""The closed forms' steps about a motion: a plane with its distance and reach, scaled space, and two spheres."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array, any_perpendicular, dot, unit
from core.toi import Motion, PlaneStage, PlaneStep, ScaledPlaneStage, ScaledPlaneStep, SpheresStage, SpheresStep

from ...draw.draw_list import Dash, DrawList, Hidden, Marker
from ...overlays.context import Context
from ...overlays.probe_scaling import draw_scaled
from ...overlays.style import PLAIN, STRONG
from ...probes import ScaleProbe
from ...probes.scaling import Scaling
from ...words.axis_words import plain, signed
from .picture_parts import (
    SHORTEST,
    dotted,
    draw_bodies_on_their_way,
    draw_path,
    draw_way_marks,
    measured,
    position_at,
    time_words,
)

ASIDE = 0.05
"""How far two lengths along one line stand apart, as a share of the pair's radius."""
LINE_OF_SPEED = 2.8
"""Width of the arrow of a motion's part along the normal."""


# Against a plane.


def draw_plane_world(context: Context, draw: DrawList, step: PlaneStep, _: Motion, time: float) -> None:
    """The distance of the body's position, what the body takes of it, its speed along the normal, its arrival."""
    draw_bodies_on_their_way(context, draw, time)
    index = _bounded(context)
    centre = position_at(context, index, time)
    far = step.distance + time * (step.speed or 0.0)
    foot = centre - far * step.normal
    theme = context.theme
    if step.stage is PlaneStage.DISTANCE:
        measured(draw, context, centre, foot, theme.gap, f"s₀ {signed(step.distance)}")
        _draw_normal(context, draw, foot, step.normal)
        return
    assert step.radius is not None
    reached = centre - step.radius * step.normal
    if step.arms is not None:
        _draw_arms(context, draw, centre, step)
    else:
        draw.strong(centre, reached, theme.text, 3.0)
    draw.points(np.array((centre, reached)), theme.text, 3.4, shape=Marker.SQUARE, hidden=Hidden.SHOW)
    draw.label(f"r {plain(step.radius)}", centre, theme.text, size=STRONG, offset=(-40.0, 8.0), priority=78, bold=True)
    if step.stage is PlaneStage.RADIUS:
        words = f"s₀ − r {signed(step.distance - step.radius)}"
        measured(draw, context, reached, foot, theme.gap if far > step.radius else theme.overlap, words)
    elif step.stage is PlaneStage.SPEED:
        dotted(draw, reached, foot, theme.gap)
        assert step.speed is not None
        _draw_speed(context, draw, centre, step.normal, step.velocity, f"n·v {signed(step.speed)}")
    else:
        words = time_words(step.time or 0.0)
        draw.label(words, reached, theme.winner, size=STRONG, offset=(46.0, 14.0), priority=82, bold=True)
        draw.spots(reached, theme.winner, 5.0, theme.halo, 2.0)
        if far - step.radius > 0.0:
            dotted(draw, reached, foot, theme.gap)


def draw_plane_difference(context: Context, draw: DrawList, step: PlaneStep, motion: Motion, time: float) -> None:
    """The origin before the plane of the difference, which the reach has moved out."""
    draw_path(context, draw, motion, time)
    if step.radius is not None:
        known = step.speed is not None
        _draw_gap(context, draw, motion, step.normal, step.distance - step.radius, time, step.time if known else None)


def _bounded(context: Context) -> int:
    """Number of the body that is not the half-space."""
    return 0 if context.scene.a.shape.plane is None else 1


def _draw_arms(context: Context, draw: DrawList, centre: Array, step: PlaneStep) -> None:
    """A box's reach in three parts, one for each half extent."""
    theme, start = context.theme, centre
    assert step.arms is not None
    for share, rgba in zip(step.arms.tolist(), (theme.world_x, theme.world_y, theme.world_z), strict=True):
        end = start - share * step.normal
        draw.strong(start, end, rgba, 3.4)
        start = end


def _draw_normal(context: Context, draw: DrawList, foot: Array, normal: Array) -> None:
    theme = context.theme
    tip = foot + 0.35 * context.extent.radius * normal
    draw.strong(foot, tip, theme.normal, 2.2, arrow_end=10.0)
    draw.label("n", tip, theme.normal, size=PLAIN, offset=(-12.0, -4.0), priority=74, bold=True)


def _draw_speed(context: Context, draw: DrawList, start: Array, normal: Array, velocity: Array, words: str) -> None:
    """The part of a body's motion along the normal, as an arrow from its position."""
    theme, along = context.theme, dot(normal, velocity) * normal
    aside = velocity - along
    side = unit(aside) if aside.any() else None
    begin = start - ASIDE * context.extent.radius * (any_perpendicular(normal) if side is None else side)
    tip = begin + along
    draw.strong(begin, tip, theme.overlap, LINE_OF_SPEED, arrow_end=12.0)
    dotted(draw, start + velocity, tip, theme.overlap)
    draw.label(words, 0.5 * (begin + tip), theme.overlap, size=STRONG, offset=(-54.0, 0.0), priority=82, bold=True)


def _draw_gap(
    context: Context, draw: DrawList, motion: Motion, normal: Array, gap: float, time: float, arrives: float | None
) -> None:
    """From the origin, where it is at that time, to the nearest point of A - B, which a plane bounds."""
    theme, way = context.theme, motion.displacement
    facing = -normal if context.scene.a.shape.plane is None else normal
    left = gap + time * dot(facing, way)
    start = time * way
    if abs(left) > SHORTEST * context.extent.radius:
        rgba = theme.gap if left > 0.0 else theme.overlap
        measured(draw, context, start, start - left * facing, rgba, signed(left))
    if arrives is not None and 0.0 <= arrives <= 1.0:
        draw_way_marks(draw, context, (arrives * way)[None], [f"enters at {time_words(arrives)}"], theme.winner)


# In scaled space.


def shows_scaled_space(context: Context) -> bool:
    """Whether the picture of the world is that of the scaled space: then the world itself is not drawn."""
    step = context.of_motion
    return (
        step is not None
        and isinstance(step.motion, ScaledPlaneStep)
        and step.motion.stage is ScaledPlaneStage.SCALED
        and Scaling.of(context.scene) is not None
    )


def draw_scaled_world(context: Context, draw: DrawList, step: ScaledPlaneStep, _: Motion, time: float) -> None:
    """The ellipsoid with its radii; space scaled; the arrival in time; the point of contact in the world."""
    if shows_scaled_space(context):
        draw_scaled(context, draw, ScaleProbe(1.0))
        return
    draw_bodies_on_their_way(context, draw, time)
    index, theme = _bounded(context), context.theme
    centre = position_at(context, index, time)
    axes = context.scene.body(index).pose.matrix
    if step.stage is ScaledPlaneStage.ELLIPSOID:
        for place, (radius, rgba) in enumerate(
            zip(step.radii.tolist(), (theme.world_x, theme.world_y, theme.world_z), strict=True)
        ):
            tip = centre + radius * axes[:, place]
            draw.strong(centre, tip, rgba, 2.8)
            words = f"S{'₁₂₃'[place]} {plain(radius)}"
            draw.label(words, tip, rgba, size=PLAIN, offset=(0.0, -10.0), priority=76 - place)
        normal = axes @ step.normal
        _draw_normal(context, draw, centre + step.offset * normal, normal)
        return
    words = time_words(step.time) if step.time is not None else "n′·v′ is not towards the plane"
    if step.contact is None:
        draw.label(words, centre, theme.winner, size=STRONG, offset=(0.0, -22.0), priority=82, bold=True)
        return
    # Scaled back it is measured from where the centre sets out.
    touching = position_at(context, index, 0.0) + axes @ step.contact
    draw.lines(centre, touching, theme.winner, 2.0, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.spots(touching, theme.winner, 5.4, theme.halo, 2.0)
    draw.label(f"q, {words}", touching, theme.winner, size=STRONG, offset=(0.0, 18.0), priority=82, bold=True)


def draw_scaled_difference(
    context: Context, draw: DrawList, step: ScaledPlaneStep, motion: Motion, time: float
) -> None:
    """The origin before the plane of the difference, in the world's own lengths."""
    draw_path(context, draw, motion, time)
    if step.stretch is None:
        return
    index = _bounded(context)
    normal = context.scene.body(index).pose.matrix @ step.normal
    _draw_gap(context, draw, motion, normal, -step.offset - step.stretch, time, step.time)


# Two spheres.


def draw_spheres_world(context: Context, draw: DrawList, step: SpheresStep, _: Motion, time: float) -> None:
    """From centre to centre: at the start, where they are nearest, and where they meet."""
    theme = context.theme
    draw_bodies_on_their_way(context, draw, time)
    ends = [position_at(context, index, time) for index in (0, 1)]
    if step.stage is SpheresStage.START:
        words = f"|c| {plain(float(np.sqrt(step.offset @ step.offset)))}"
        measured(draw, context, ends[0], ends[1], theme.gap, words)
    elif step.stage is SpheresStage.CLOSEST:
        clear = (step.closest or 0.0) > step.reach
        words = f"m {plain(step.closest or 0.0)} at {time_words(time)}"
        measured(draw, context, ends[0], ends[1], theme.gap if clear else theme.overlap, words)
    else:
        measured(draw, context, ends[0], ends[1], theme.winner, f"r {plain(step.reach)} at {time_words(time)}")


def draw_spheres_difference(context: Context, draw: DrawList, step: SpheresStep, motion: Motion, time: float) -> None:
    """The path past the middle of the ball of both radii: nearest at right angles, met at the smaller root."""
    theme = context.theme
    draw_path(context, draw, motion, time)
    middle, way = -step.offset, step.velocity
    draw.points(middle, theme.difference_edge, 3.6, hidden=Hidden.SHOW)
    if step.closest_time is None:
        measured(draw, context, np.zeros(3), middle, theme.gap, f"|c| {plain(float(np.sqrt(middle @ middle)))}")
        return
    nearest = step.closest_time * way
    if step.time is None or step.closest_time != step.time:
        # Dotted where the step is about the root, which lies before it.
        if step.stage is SpheresStage.CLOSEST:
            clear = (step.closest or 0.0) > step.reach
            rgba = theme.gap if clear else theme.overlap
            measured(draw, context, nearest, middle, rgba, f"m {plain(step.closest or 0.0)}")
        else:
            dotted(draw, nearest, middle, theme.overlap)
    if step.time is not None:
        entered = step.time * way
        draw.strong(middle, entered, theme.winner, 2.6)
        words, beside = f"r {plain(step.reach)}", 0.5 * (middle + entered)
        draw.label(words, beside, theme.winner, size=PLAIN, offset=(30.0, 10.0), priority=74)
        draw_way_marks(draw, context, entered[None], [f"enters at {time_words(step.time)}"], theme.winner)
