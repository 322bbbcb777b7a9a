"""The bodies' motion: arrows to drag, outlines of the space they pass, ghosts at the time shown, and where they meet.

In the difference the origin moves instead, along `t d` with d = v_B - v_A. If neither body turns, A - B keeps its
shape, and the bodies meet when the origin enters it. For a half-space only the space that its plane sweeps is drawn,
because its solid side is unbounded. A body that moves against a half-space shows its effective radius, which is how far
it reaches towards the plane. For a box it has three parts, `h |u·n|` for each half extent.

An axis that is pointed at or pinned keeps the rail that it has at the start, and the bars slide along it. They meet at
the axis's entry and separate at its exit.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import degrees, isfinite

import numpy as np
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer
from core.geometry.plane import Plane
from core.geometry.vector import Array, dot, dots, length, product, unit
from core.sat.sat import AxisStatus, SatTable
from core.sat.table import Directed
from core.scene import Body, Scene
from core.shapes import ball_radius
from core.toi import MotionMethod
from core.toi.half_spaces import PlaneStep
from core.toi.intervals import MovingAxes
from core.toi.motion import Motion, MotionOutcome, moves

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Subject
from ..draw.meshes.mesh import flat_outline
from ..draw.meshes.shape_mesh import curved_look
from ..draw.theme import faded
from ..state.playback import at_impact, body_at, impact_of, scene_at, shown_time
from ..words.digits import in_degrees, instant, plain
from ..words.names import named_axis
from .bodies import NAME_WAYS, draw_body, draw_half_space
from .contacts import draw_feature
from .context import Context, Overlay, patch
from .difference import draw_other_difference, shell_points
from .rail import Spans, family_look, rail_beside, separation_words
from .regions import draw_regions
from .solids import draw_hull_outline, round_points
from .style import PLAIN, STRONG

ARROW_KIND = "motion"
"""Kind of the subjects that are the arrows' tips: dragging `Subject("motion", 0)` changes A's displacement."""
TIMES = 6
"""Number of times after the start at which the outline of a turning body is drawn."""
TICKS = 10
"""Parts into which the origin's path is divided."""
_near = lru_cache(maxsize=2)(Motion.near)
"""Cached, because pointing at anything draws the same motion again."""

GHOST_FILL = 0.16
STRONG_FILL = 0.42
"""Opacity of ghosts: in general, and of the pair at the impact."""
EDGE_WIDTH = 1.3
"""Width of the outlines of a plane's squares, points."""
BAND_FILL = 0.09
"""Opacity of each side of the band that a plane sweeps."""
TURNED_SQUARES = 6
"""Number of squares drawn on the way of a plane that turns."""
LEAST_APART = 0.1
"""The share of its size by which A − B of turning bodies must reach farther or less far than at the start, in some
direction, before both have names."""
IN_ITSELF = 1e-12
"""If the part of a plane's displacement across the plane is below this share of it, that part is rounding."""


def arrow_start(bodies: tuple[Body, Body], index: int) -> Array:
    """The start (3,) of the arrow of A (0) or B (1), world: its position; for a half-space the middle of its square."""
    body = bodies[index]
    if body.shape.plane is not None:
        middle: Array = patch(body, bodies[1 - index]).mean(axis=0)
        return middle
    return body.pose.position


def _shown_answer(context: Context) -> SweepAnswer | None:
    return None if context.asked is not None or context.reveal.veiled else context.sweep


def _world(context: Context, draw: DrawList) -> None:
    # A lesson that hides the answer shows the bodies on their way, but not where they meet.
    sweep = _shown_answer(context)
    sat, row = context.analysis.sat, context.focus
    time = shown_time(context.view, sweep)
    moving = [index for index in (0, 1) if moves(context.scene.body(index))]
    for index in moving:
        draw_swept(context, draw, index)
    if time > 0.0 and (sweep is not None or context.view.time is not None):
        for index in moving:
            draw_ghost(context, draw, index, time, strong=context.filmed or at_impact(context.view, sweep))
    if sweep is not None:
        _draw_meeting(context, draw, sweep, time)
        draw_regions(context, draw, sweep, time)
        _draw_effective_radius(context, draw, sweep, time)
        # A rail is drawn only if no body turns: the axes of turning bodies turn too.
        meant = time > 0.0 and context.axis_pointed_at and not sweep.motion.rotates
        if meant and sat.statuses[row] is not AxisStatus.DEGENERATE:
            draw_rail_at(context, draw, sat, row, sweep.motion.band, time)
    for index in (0, 1):
        draw_displacement(context, draw, index)


def draw_displacement(context: Context, draw: DrawList, index: int, *, named: bool = True) -> None:
    """Draws a body's displacement as an arrow, with a handle at its tip; for a body that stays only the handle, a ring.

    `named`: with its length and the angle of its turn in words. A body that is not among `context.handles` has no
    handle.
    """
    theme, subject = context.theme, Subject(ARROW_KIND, index)
    body = context.scene.body(index)
    displacement, turn = body.displacement, length(np.array(body.angular_displacement))
    start = arrow_start((context.scene.a, context.scene.b), index)
    tip, moved = start + np.array(displacement), any(displacement)
    hot = context.view.hover == subject
    rgba = theme.hover if hot else theme.edge(index)
    if moved:
        draw.strong(start, tip, rgba, 3.0, arrow_end=13.0)
    told = [f"moves {plain(length(tip - start))}"] * moved + [f"turns {in_degrees(degrees(turn))}"] * (turn > 0.0)
    if told and named:
        name = f"{'AB'[index]} {' and '.join(told)}"
        draw.label(name, tip, rgba, size=PLAIN, offset=(0.0, -20.0), priority=72, subject=subject, kind="time-words")
    if index not in context.handles:
        return
    fill, rim, shape = (rgba, theme.halo, Marker.DISC) if moved else (faded(rgba, 0.0), rgba, Marker.RING)
    draw.spots(tip, fill, 8.0 if hot else 6.0, rim, 2.0, shape=shape, subject=subject)


def draw_swept(context: Context, draw: DrawList, index: int) -> None:
    """Draws the outline of the space that a body passes.

    For a turning body that is no ball it draws the body's outlines at some times, for a half-space its plane's squares.
    """
    body, rgba = context.scene.body(index), faded(context.theme.edge(index), 0.55)
    if body.shape.plane is not None:
        _draw_swept_plane(context, draw, index, body.shape.plane)
    elif not any(body.angular_displacement) or ball_radius(body.shape) is not None:
        ends = np.concatenate((outer_points(body), outer_points(body_at(body, 1.0))))
        draw_hull_outline(draw, ends, rgba, 1.3)
    else:
        for part in range(1, TIMES + 1):
            draw_hull_outline(draw, outer_points(body_at(body, part / TIMES)), faded(rgba, 0.55), 1.0)


def swept_points(motion: Motion) -> Array:
    """Points (n, 3), relative to A's position, whose hull looks like the space that B passes relative to A.

    Only for bodies that do not turn.
    """
    points = outer_points(motion.b)
    return np.concatenate((points, points + motion.displacement))


def outer_points(body: Body) -> Array:
    """Points (n, 3) of a bounded body, world, whose hull looks like the body."""
    shape, pose = body.shape, body.pose
    outline, radius = flat_outline(shape), ball_radius(shape)
    if outline is not None:
        return pose.to_world(outline)
    if radius is not None:
        return pose.position + radius * round_points()
    return pose.to_world(curved_look(shape).points if shape.polyhedron is None else shape.polyhedron.vertices)


def squares_on_the_way(scene: Scene, index: int) -> Array:
    """Corners (k, 4, 3) of the squares drawn for a half-space's plane, from the start to the end of the motion.

    There are two if the plane keeps its direction. Raises TypeError if the body is no half-space.
    """
    body, other = scene.body(index), scene.body(1 - index)
    steps = TURNED_SQUARES if any(body.angular_displacement) else 1
    times = np.linspace(0.0, 1.0, steps + 1).tolist()
    return np.array([patch(body_at(body, time), body_at(other, time)) for time in times])


def _draw_swept_plane(context: Context, draw: DrawList, index: int, plane: Plane) -> None:
    """Draws the squares after the first, which the overlay of the bodies draws, and the bands that their sides sweep.

    A plane that moves along itself sweeps nothing and has a label that says so.
    """
    body, rgba = context.scene.body(index), context.theme.edge(index)
    squares = squares_on_the_way(context.scene, index)
    if not any(body.angular_displacement):
        across = dot(np.array(body.displacement), dots(body.pose.matrix, plane.normal))
        if abs(across) <= IN_ITSELF * float(np.abs(body.displacement).max()):
            words = "along its own plane: it sweeps nothing"
            tip = squares[0].mean(axis=0) + np.array(body.displacement)
            draw.label(words, tip, rgba, size=PLAIN, offset=(0.0, 16.0), priority=58)
            return
    for before, after in pairwise(squares):
        for k in range(4):
            following = (k + 1) % 4
            side = np.array((before[k], before[following], after[following], after[k]))
            draw.sheet(side, faded(rgba, BAND_FILL))
    for number, square in enumerate(squares[1:], start=1):
        last = number == len(squares) - 1
        draw.polyline(square, faded(rgba, 0.75 if last else 0.35), EDGE_WIDTH if last else 1.0, closed=True)
    for path in squares.transpose(1, 0, 2):
        draw.polyline(path, faded(rgba, 0.55), EDGE_WIDTH)
    draw.label(
        "its plane at t = 1", squares[-1, 1], rgba, size=PLAIN, offset=(0.0, -12.0), priority=56, kind="time-words"
    )


def draw_ghost(context: Context, draw: DrawList, index: int, time: float, *, strong: bool) -> None:
    """Draws a body at its pose at a time of the motion, as a ghost; `strong`: more opaque."""
    theme, scene = context.theme, context.scene
    body = body_at(scene.body(index), time)
    alpha = theme.face_alpha * (STRONG_FILL if strong else GHOST_FILL) / 0.42
    fill, edge = faded(theme.body(index), alpha), faded(theme.edge(index), 1.0 if strong else 0.6)
    plane, none = body.shape.plane, Subject("ghost", index)
    if plane is not None:
        normal = dots(body.pose.matrix, plane.normal)
        square = patch(body, body_at(scene.body(1 - index), time))
        draw_half_space(draw, square, normal, fill, edge, none)
    else:
        draw_body(draw, body, fill, edge, none, 1.8 if strong else 1.1, glass=True)


def _has_met(context: Context, sweep: SweepAnswer | None) -> bool:
    """Whether the impact is named: at its time, and in a film of the motion from then on."""
    impact, time = impact_of(sweep), shown_time(context.view, sweep)
    return impact is not None and (time == impact or (context.filmed and time > impact))


def _draw_meeting(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """At the impact draws the two features, the contacts and the normal; at other times the distance or depth.

    In a film of the motion the contacts stay, with the impact's time. At time 0 an impact has no features, and there is
    no distance or depth but in a film of the motion.
    """
    theme, result, now = context.theme, sweep.result, at_impact(context.view, sweep)
    if _has_met(context, sweep) and result.contact is not None and result.normal is not None:
        if now and time > 0.0:
            draw_feature(context, draw, 0, result.contact.a)
            draw_feature(context, draw, 1, result.contact.b)
        for contact in sweep.contacts:
            fill, rim = (theme.halo, theme.winner) if contact.gap else (theme.winner, theme.halo)
            draw.spots(contact.position, fill, 5.0, rim, 2.0)
        middle = np.mean([contact.position for contact in sweep.contacts], axis=0)
        if now:
            reach = 0.5 * sweep.motion.scale.least_half_extent
            draw.strong(middle, middle + reach * result.normal, theme.winner, 2.6, arrow_end=11.0)
        hit = sweep.outcome is MotionOutcome.HIT
        words = f"impact at t = {instant(result.time or 0.0)}" if hit else "contact at the start"
        draw.label(
            words, middle, theme.winner, size=STRONG, offset=(0.0, 30.0), priority=82, bold=True, kind="time-words"
        )
    if now or not context.under_way:
        return
    near = _near(sweep.motion, time)
    ends = sweep.motion.world(np.array((near.proximity.witness_a, near.proximity.witness_b)), time)
    inside = near.separation < -sweep.motion.band
    rgba = theme.overlap if inside else theme.gap
    draw.strong(ends[0], ends[1], rgba, 2.2)
    draw.spots(ends, rgba, 4.0, theme.halo, 1.5)
    touching = abs(near.separation) <= sweep.motion.band
    what = "touching" if touching else f"{'depth' if inside else 'distance'} {plain(abs(near.separation))}"
    words = f"{what} at t = {instant(time)}"
    draw.label(
        words, ends.mean(axis=0), rgba, size=STRONG, offset=(52.0, -16.0), priority=80, bold=True, kind="distance"
    )


def _draw_effective_radius(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """Draws the effective radius of the body that moves against a half-space; nothing without a half-space."""
    steps = next((trace.steps for trace in sweep.traces if trace.method is MotionMethod.PLANE), ())
    known = [step for step in steps if isinstance(step, PlaneStep) and step.radius is not None]
    if not known:
        return
    scene, theme, last = context.scene, context.theme, known[-1]
    centre = body_at(scene.a if scene.a.shape.plane is None else scene.b, time).pose.position
    assert last.radius is not None
    arms = [last.radius] if last.arms is None else last.arms.tolist()
    colours = [theme.text] if last.arms is None else [theme.world_x, theme.world_y, theme.world_z]
    heights = np.concatenate(([0.0], np.cumsum(arms)))
    points = centre - heights[:, None] * last.normal
    for (start, end), rgba in zip(pairwise(points), colours, strict=True):
        draw.strong(start, end, rgba, 3.0)
    draw.points(points[[0, -1]], theme.text, 3.4, shape=Marker.SQUARE, hidden=Hidden.SHOW)
    words = f"effective radius {plain(last.radius)}"
    draw.label(words, points[0], theme.text, size=PLAIN, offset=(70.0, 0.0), priority=66, kind="time-words")


def draw_rail_at(
    context: Context, draw: DrawList, table: SatTable | MovingAxes, row: int, band: float, time: float
) -> None:
    """Draws A's bar and B's on an axis of the table at a time of the motion, and the gap or overlap between them.

    `band`: the half width of the touching band, scene units.
    """
    axis, candidate, scene, theme = table.axes[row], table.candidates[row], context.scene, context.theme
    interval_a = table.interval_a[row] + time * dot(axis, np.array(scene.a.displacement))
    interval_b = table.interval_b[row] + time * dot(axis, np.array(scene.b.displacement))
    ahead, behind = float(interval_b[0] - interval_a[1]), float(interval_a[0] - interval_b[1])
    separation, side = (ahead, 1) if ahead >= behind else (behind, -1)
    turned = Directed.of(axis, side, interval_a, interval_b)
    spans = Spans.on_axis(context, turned.axes, turned.interval_a, turned.interval_b)
    look = family_look(context, candidate.kind)
    rail, lift, pitch = rail_beside(context, draw, spans, Subject("axis", row), look)
    rail.bars(replace(context, scene=scene_at(scene, time)), spans, lift, pitch)
    words, middle, at = named_axis(candidate.label), 0.0, lift + 2.6 * pitch
    if isfinite(separation):
        rgba = theme.overlap if separation < -band else theme.gap
        words = f"{named_axis(candidate.label)} {separation_words(separation, band)} at t = {instant(time)}"
        middle, at = 0.5 * sum(spans.between), lift
        rail.mark(spans.between, lift, pitch, rgba)
    offset = (0.0, 16.0)
    rail.label(
        words,
        middle,
        at,
        theme.text,
        size=STRONG,
        offset=offset,
        priority=84,
        bold=True,
        clear=True,
        kind="interval-numbers",
    )


def _difference(context: Context, draw: DrawList) -> None:
    sweep = context.sweep
    # The path is told from the origin, which the difference has.
    if sweep is None or "difference" not in context.view.shown:
        return
    theme, way = context.theme, sweep.motion.displacement
    if unit(way) is None:
        return
    turns, told = sweep.motion.rotates, _shown_answer(context)
    impact, time = impact_of(told), shown_time(context.view, told)
    if turns:
        if not context.under_way:
            words, at = "A − B at the start: it also turns", context.analysis.nearest
            draw.label(words, at, theme.text, size=PLAIN, offset=(0.0, 18.0), priority=70, kind="time-words")
        draw.lines(np.zeros(3), way, faded(theme.origin, 0.4), 1.4, dash=Dash.DASHED, arrow_end=10.0)
        if context.under_way:
            _draw_turned(context, draw, time)
    else:
        draw_origins_path(context, draw, way, 1.8, 2.2, 70)
    met = _has_met(context, told)
    # On the path the impact is always marked, but in a film before its time. If A - B turns, it comes to the origin.
    if impact is not None and (met or not (turns or context.filmed)):
        rgba, at = theme.winner, np.zeros(3) if turns else impact * way
        draw.spots(at, rgba, 6.0, theme.halo, 2.0, shape=Marker.DIAMOND)
        if met:
            hit = sweep.outcome is MotionOutcome.HIT
            words = f"enters A − B at t = {instant(impact)}" if hit else "in A − B from the start"
            draw.label(words, at, rgba, size=STRONG, offset=(0.0, 18.0), priority=82, bold=True, kind="time-words")
    if 0.0 < time != impact and not turns:
        draw.spots(time * way, theme.origin, 5.0, theme.halo, 2.0)
        words = f"t = {instant(time)}"
        draw.label(words, time * way, theme.origin, size=PLAIN, offset=(0.0, 16.0), priority=78, kind="time-words")


def draw_origins_path(context: Context, draw: DrawList, way: Array, width: float, tick: float, priority: int) -> None:
    """Draws the path of the origin along `way` (3,) in the difference, with its tenths marked.

    `width` of the line and `tick`, the radius of the marks: points. `priority`: its label's.
    """
    rgba = context.theme.origin
    draw.lines(np.zeros(3), way, rgba, width, hidden=Hidden.DASHED, layer=Layer.STRONG, arrow_end=11.0)
    ticks = np.arange(1, TICKS)[:, None] / TICKS * way
    draw.points(ticks, faded(rgba, 0.8), tick, hidden=Hidden.SHOW)
    draw.label("the origin's path", way, rgba, size=PLAIN, offset=(0.0, -16.0), priority=priority, kind="time-words")


def _draw_turned(context: Context, draw: DrawList, time: float) -> None:
    """Draws A - B of turning bodies at a time of the motion, which touches the origin when they meet, and names it.

    That of the start has its name too, once both are seen.
    """
    scene = scene_at(context.scene, time)
    if context.analysis.polygon is None:
        turned = draw_other_difference(context, draw, scene)
    else:
        from .flat_shapes import draw_flat_shell

        turned = draw_flat_shell(context, draw, scene)
    _name_difference(context, draw, f"A − B at t = {instant(time)}", turned, 71)
    start = shell_points(context)
    if len(start) and np.abs(_reaches(start) - _reaches(turned)).max() > LEAST_APART * np.ptp(start, axis=0).max():
        _name_difference(context, draw, "A − B at the start", start, 70)


def _reaches(points: Array) -> Array:
    """The largest distances along each of NAME_WAYS of points (n, 3) from the origin."""
    reaches: Array = product(points, NAME_WAYS.T).max(axis=0)
    return reaches


def _name_difference(context: Context, draw: DrawList, words: str, points: Array, priority: int) -> None:
    """Names one of two differences, the hull of points (n, 3), at one of its outermost points that is off the other."""
    outermost = points[product(points, NAME_WAYS.T).argmax(axis=0)]
    draw.label(
        words,
        outermost[0],
        context.theme.text,
        size=PLAIN,
        offset=(0.0, 16.0),
        priority=priority,
        kind="time-words",
        other_anchors=outermost[1:],
        alone=True,
    )


OVERLAY = Overlay(
    "motion",
    "Motion",
    "",
    "The moving bodies: ghosts, the space they pass, and where they touch",
    world=_world,
    difference=_difference,
    of_answer=True,
)
