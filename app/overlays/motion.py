"""The bodies' motion: arrows to drag, outlines of all that they pass, ghosts at the time shown, where they meet.

In the difference the origin moves instead, along `t d` with d = v_B - v_A, and the bodies meet where it enters A - B:
as long as neither turns, for then A - B stays as it is.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from core.analysis.motion_answers import SweepAnswer
from core.geometry.vector import Array, length, unit
from core.scene import Body
from core.shapes import ball_radius
from core.toi import Motion, MotionOutcome
from core.toi.relative import Nearness

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Subject
from ..draw.meshes.mesh import flat_outline
from ..draw.meshes.shape_mesh import curved_look
from ..draw.theme import faded
from ..state.playback import at_impact, body_at, impact_of, moves, scene_at, shown_time
from ..words.axis_words import instant, plain
from .bodies import draw_body, draw_half_space
from .contacts import draw_feature
from .context import Context, Overlay
from .effective_radius import draw_effective_radius
from .extent import patch
from .moving_rail import draw_moving_rail
from .outline import draw_outline, round_points
from .regions import draw_regions
from .swept_plane import draw_swept_plane
from .text_sizes import PLAIN, STRONG

ARROW = "motion"
"""Kind of the subjects that are the arrows' tips: `Subject("motion", 0)` displaces A."""

TIMES = 6
"""Of a body that turns the outline stands at as many times between its start and its end."""
TICKS = 10
"""Parts into which the origin's path is divided."""

GHOST_FILL = 0.16
STRONG_FILL = 0.42
"""Opacity of ghosts in general, and of the pair where it meets."""


def arrow_start(context_scene_bodies: tuple[Body, Body], index: int) -> Array:
    """Where a body's arrow begins (3,), world: at its position, of a half-space in the middle of its square."""
    body = context_scene_bodies[index]
    if body.shape.plane is not None:
        middle: Array = patch(body, context_scene_bodies[1 - index]).mean(axis=0)
        return middle
    return body.pose.position


def _world(context: Context, draw: DrawList) -> None:
    scene, sweep = context.scene, context.sweep
    time = shown_time(context.view, sweep)
    bodies = (scene.a, scene.b)
    for index, body in enumerate(bodies):
        if moves(body):
            draw_swept(context, draw, index)
    if time > 0.0 and (sweep is not None or context.view.time is not None):
        strong = at_impact(context.view, sweep)
        for index, body in enumerate(bodies):
            if moves(body):
                draw_ghost(context, draw, index, time, strong=strong)
    if sweep is not None:
        _draw_meeting(context, draw, sweep, time)
        draw_regions(context, draw, sweep, time)
        draw_effective_radius(context, draw, sweep, time)
        if time > 0.0:
            draw_moving_rail(context, draw, sweep, time)
    for index in (0, 1):
        draw_arrow(context, draw, index)


def draw_arrow(context: Context, draw: DrawList, index: int, *, named: bool = True) -> None:
    """A body's way, to be dragged by its tip; of one at rest only the ring that begins one."""
    theme, subject = context.theme, Subject(ARROW, index)
    bodies = (context.scene.a, context.scene.b)
    start = arrow_start(bodies, index)
    tip = start + np.array(bodies[index].displacement)
    hot = context.view.hover == subject
    rgba = theme.hover if hot else theme.edge(index)
    moved = any(bodies[index].displacement)
    if moved:
        draw.strong(start, tip, rgba, 3.0, arrow_end=13.0)
    if moved and named:
        name = f"{'AB'[index]} moves {plain(length(tip - start))}"
        draw.label(name, tip, rgba, size=PLAIN, offset=(0.0, -20.0), priority=72, subject=subject)
    fill, rim, shape = (rgba, theme.halo, Marker.DISC) if moved else (faded(rgba, 0.0), rgba, Marker.RING)
    draw.spots(tip, fill, 8.0 if hot else 6.0, rim, 2.0, shape=shape, subject=subject)


def draw_swept(context: Context, draw: DrawList, index: int) -> None:
    """The outline of what a body passes; of one that turns, its outlines at some times on the way."""
    scene = context.scene
    body, rgba = scene.body(index), faded(context.theme.edge(index), 0.55)
    if body.shape.plane is not None:
        draw_swept_plane(context, draw, index)
        return
    if not any(body.angular_displacement) or ball_radius(body.shape) is not None:
        ends = np.concatenate((outer_points(body), outer_points(body_at(body, 1.0))))
        draw_outline(draw, ends, rgba, 1.3)
        return
    for part in range(1, TIMES + 1):
        draw_outline(draw, outer_points(body_at(body, part / TIMES)), faded(rgba, 0.55), 1.0)


def swept_points(motion: Motion) -> Array:
    """Points (n, 3) whose hull looks like what B passes as A sees it, from A's position: of bodies that do not turn."""
    points = outer_points(motion.b)
    found: Array = np.concatenate((points, points + motion.displacement))
    return found


def outer_points(body: Body) -> Array:
    """Points (n, 3) of a bounded body, world, whose hull looks like it."""
    shape, pose = body.shape, body.pose
    outline, radius = flat_outline(shape), ball_radius(shape)
    if outline is not None:
        return pose.to_world(outline)
    if radius is not None:
        found: Array = pose.position + radius * round_points()
        return found
    return pose.to_world(curved_look(shape).points if shape.polyhedron is None else shape.polyhedron.vertices)


def draw_ghost(context: Context, draw: DrawList, index: int, time: float, *, strong: bool) -> None:
    """A body as it stands at a time of its motion."""
    theme, scene = context.theme, context.scene
    body = body_at(scene.body(index), time)
    alpha = theme.face_alpha * (STRONG_FILL if strong else GHOST_FILL) / 0.42
    fill, edge = faded(theme.body(index), alpha), faded(theme.edge(index), 1.0 if strong else 0.6)
    plane, none = body.shape.plane, Subject("ghost", index)
    if plane is not None:
        normal = body.pose.matrix @ plane.normal
        square = patch(body, body_at(scene.body(1 - index), time))
        draw_half_space(draw, square, normal, fill, edge, none)
    else:
        draw_body(draw, body, fill, edge, none, 1.8 if strong else 1.1, glass=True)


@lru_cache(maxsize=2)
def _near(sweep: SweepAnswer, time: float) -> Nearness:
    return sweep.motion.near(time)


def _draw_meeting(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """At the impact the two features with the normal; at other times the shortest way between the surfaces."""
    theme, result = context.theme, sweep.result
    if at_impact(context.view, sweep) and result.contact is not None and result.normal is not None:
        if time > 0.0:
            draw_feature(context, draw, 0, result.contact.a)
            draw_feature(context, draw, 1, result.contact.b)
        for contact in sweep.contacts:
            draw.spots(contact.position, theme.winner, 5.0, theme.halo, 2.0)
        middle = np.mean([contact.position for contact in sweep.contacts], axis=0)
        reach = 0.5 * sweep.motion.scale.smaller
        draw.strong(middle, middle + reach * result.normal, theme.winner, 2.6, arrow_end=11.0)
        words = f"impact at t = {plain(time)}" if sweep.outcome is MotionOutcome.HIT else "they meet at the start"
        draw.label(words, middle, theme.winner, size=STRONG, offset=(0.0, 30.0), priority=82, bold=True)
        return
    if time == 0.0:
        return
    near = _near(sweep, time)
    ends = sweep.motion.world(np.array((near.proximity.point_first, near.proximity.point_second)), time)
    inside = near.separation < -sweep.motion.band
    rgba = theme.overlap if inside else theme.gap
    draw.strong(ends[0], ends[1], rgba, 2.2)
    draw.spots(ends, rgba, 4.0, theme.halo, 1.5)
    if abs(near.separation) <= sweep.motion.band:
        what = "touching"
    else:
        what = f"{'depth' if inside else 'distance'} {plain(abs(near.separation))}"
    words = f"{what} at t = {instant(time)}"
    draw.label(words, ends.mean(axis=0), rgba, size=STRONG, offset=(52.0, -16.0), priority=80, bold=True)


def _difference(context: Context, draw: DrawList) -> None:
    sweep = context.sweep
    if sweep is None:
        return
    theme, way = context.theme, sweep.motion.displacement
    along = unit(way)
    if along is None:
        return
    if sweep.motion.rotates:
        words = "A − B at the start: it turns too"
        draw.label(words, way, theme.text, size=PLAIN, offset=(0.0, 18.0), priority=70)
        draw.lines(np.zeros(3), way, faded(theme.origin, 0.4), 1.4, dash=Dash.DASHED, arrow_end=10.0)
        _draw_turned(context, draw, shown_time(context.view, sweep))
        return
    impact, time = impact_of(sweep), shown_time(context.view, sweep)
    draw.lines(np.zeros(3), way, theme.origin, 1.8, hidden=Hidden.DASHED, layer=Layer.STRONG, arrow_end=11.0)
    draw.label("the origin's path", way, theme.origin, size=PLAIN, offset=(0.0, -16.0), priority=70)
    ticks = np.arange(1, TICKS)[:, None] / TICKS * way
    draw.points(ticks, faded(theme.origin, 0.8), 2.2, hidden=Hidden.SHOW)
    if impact is not None:
        rgba = theme.winner
        draw.spots(impact * way, rgba, 6.0, theme.halo, 2.0, shape=Marker.DIAMOND)
        if time == impact:
            hit = sweep.outcome is MotionOutcome.HIT
            words = f"enters A − B at t = {plain(impact)}" if hit else "in A − B from the start"
            draw.label(words, impact * way, rgba, size=STRONG, offset=(0.0, 18.0), priority=82, bold=True)
    if 0.0 < time != impact:
        draw.spots(time * way, theme.origin, 5.0, theme.halo, 2.0)
        words = f"t = {instant(time)}"
        draw.label(words, time * way, theme.origin, size=PLAIN, offset=(0.0, 16.0), priority=78)


def _draw_turned(context: Context, draw: DrawList, time: float) -> None:
    """A - B of bodies of the plane as it is at that time, when it touches the origin if they meet then."""
    scene = scene_at(context.scene, time)
    if time == 0.0 or context.analysis.polygon is None:
        return
    from .flat_shapes import draw_flat_shell

    outline = draw_flat_shell(context, draw, scene)
    lowest = outline[outline[:, 1].argmin()]
    words = f"A − B at t = {instant(time)}"
    draw.label(words, lowest, context.theme.text, size=PLAIN, offset=(0.0, 16.0), priority=71)


OVERLAY = Overlay(
    "motion",
    "Motion",
    "",
    "The bodies on their way: ghosts, what they pass, and where they meet",
    world=_world,
    difference=_difference,
    of_answer=True,
)
OVERLAYS = (OVERLAY,)
