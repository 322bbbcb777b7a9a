"""The common parts of the stages of the methods for two bodies' motion.

Each module of this package but `word_parts` has one or two stages. The bodies are drawn solid at their start, and those
that move also as ghosts at the step's time. If they do not turn, A - B keeps its shape and place, and the origin has
moved to `x = t d` with d = v_B - v_A. If they turn, A - B is drawn as it is at that time, and the origin keeps its
place. Functions that draw a step take its time, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array, unit
from core.query.motion_steps import axis_of, time_of
from core.query.query import MotionStep, Query
from core.toi.intervals import IntervalStep
from core.toi.motion import Motion, MotionOutcome, moves
from core.toi.spheres import SphereBoxStep

from ...draw.draw_list import Dash, DrawList, Hidden, Marker, Rgba, Subject
from ...draw.meshes.shape_mesh import support_mesh
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.motion import draw_displacement, draw_ghost, draw_origins_path, draw_swept
from ...overlays.style import STRONG
from ...state.playback import body_at, scene_at
from ...words.digits import MINUS, instant
from ...words.names import axis_name, shown_name
from ..stage import AlgorithmListing, At, Stage, StepBounds, TimelineFlag
from ..word_parts import StepText

if TYPE_CHECKING:
    MotionPicture = Callable[[Context, DrawList, Any, Any, float], None]


MAIN_WIDTH = 2.6
"""Width of a step's main lines, points."""
SHORTEST_DRAWN = 1e-9
"""A length below this share of the pair's radius is rounding and is not drawn."""
PATH_OVERHANG = 0.25
"""Crossings are marked on the path, and beyond its ends up to this share of its length."""
FREE_WIDTH, PLACE_RADIUS = 4.4, 7.5
"""Width of the part of the path that is proved free, and radius of the origin's place on the path, points."""
DISTANCE_LEFT = ("distance left", lambda step: (0.0, max(float(step.distance), 0.0)), "scene units")


def _drawn(part: MotionPicture) -> Callable[[Context, DrawList, Any], None]:
    """Makes a picture of a stage from one that needs the motion and the step's time."""

    def draw_step(context: Context, draw: DrawList, step: Any) -> None:
        assert context.query is not None
        assert context.query.sweep is not None
        part(context, draw, step, context.query.sweep.motion, time_of(step))

    return draw_step


def _label(at: At[Any]) -> str:
    """A short name of a step: its axis, its region, or its time."""
    step = at.step
    if isinstance(step, IntervalStep):
        return axis_name(step.table, step.row)
    if isinstance(step, SphereBoxStep) and step.crossing is not None:
        return step.crossing.name.replace("-", MINUS)
    return shown_name(getattr(step, "label", "")) or f"t = {instant(time_of(step))}"


def _focus(context: Context) -> int:
    """Row of the axis that the step follows, in the table of SAT at the start.

    The winner's row if the step follows no axis, or if the table does not have it.
    """
    axis = axis_of(context.of_motion) if isinstance(context.of_motion, MotionStep) else None
    return context.analysis.sat.winner if axis is None else context.row_along(axis)


def stage(
    title: str,
    lines: dict[str, str],
    line: Callable[[Any], str],
    words: Callable[[At[Any]], StepText],
    pictures: tuple[MotionPicture, MotionPicture],
    *,
    bounds: StepBounds | None = None,
    flag: Callable[[At[Any]], TimelineFlag | None] | None = None,
    fit_points: Callable[[Context, Query], tuple[Array, Array]] | None = None,
    hides: Callable[[Context], frozenset[str]] = lambda _context: frozenset(),
    colours: Mapping[str, str] = {},
) -> Stage:
    """Makes the stage of a method. `title`, `lines`: of its listing; `pictures`: in the world and in the difference.

    The other arguments are as in Stage.
    """
    listing = AlgorithmListing(title, lines)

    def stop(at: At[Any]) -> str:
        text = words(at) if at.moment.last else None
        return "" if text is None or text.stop is None else text.stop.name

    def gave_up(at: At[Any]) -> bool:
        return at.moment.last and at.result is not None and at.result.outcome is MotionOutcome.ITERATION_LIMIT

    world, difference = map(_drawn, pictures)
    always = Stage(
        listing=lambda _: listing,
        line=line,
        words=words,
        world=world,
        difference=difference,
        stop=stop,
        gave_up=gave_up,
        label=_label,
        focus=_focus,
    )
    return replace(always, flag=flag, bounds=bounds, fit_points=fit_points, hides=hides, colours=colours)


def time_words(time: float) -> str:
    """`t = 0.4224`, short enough for a label."""
    return f"t = {instant(time)}"


def draw_measured_line(
    draw: DrawList, context: Context, start: Array, end: Array, rgba: Rgba, words: str, *, side: float = 1.0
) -> None:
    """Draws a strong line between two points (3,), a spot at each, and `words` beside the middle.

    `side`: 1 for words at the right, -1 at the left.
    """
    draw.strong(start, end, rgba, MAIN_WIDTH)
    draw.spots(np.array((start, end)), rgba, 3.6, context.theme.halo, 1.4)
    draw.label(
        words,
        0.5 * (start + end),
        rgba,
        size=STRONG,
        offset=(side * 46.0, -12.0),
        priority=82,
        bold=True,
        kind="distance",
    )


def draw_bodies_on_their_way(context: Context, draw: DrawList, time: float) -> None:
    """Draws the moving bodies' arrows, and after time 0 their ghosts at a time, stronger at the impact.

    Also draws the space that they pass, but not of a body that turns.
    """
    hit = context.query is not None and context.query.sweep is not None and context.query.sweep.result.time == time
    for index, body in enumerate((context.scene.a, context.scene.b)):
        if not moves(body):
            continue
        if not any(body.angular_displacement):
            # Not for a turning body: its ghost shows enough. A ball's turn counts too, although nobody sees it.
            draw_swept(context, draw, index)
        if any(body.displacement):
            draw_displacement(context, draw, index, named=False)
        if time > 0.0:
            draw_ghost(context, draw, index, time, strong=hit)


def draw_path(context: Context, draw: DrawList, motion: Motion, time: float) -> None:
    """Draws the origin, and unless it stays its path with tenths marked and its place at a time.

    The place is a ring, as the origin, so that other marks can be seen in it.
    """
    theme, way = context.theme, motion.displacement
    draw_origin(context, draw)
    if unit(way) is None:
        return
    draw_origins_path(context, draw, way, 1.6, 2.0, 56)
    if time > 0.0:
        draw.spots(time * way, theme.origin, PLACE_RADIUS, theme.origin, 2.0, shape=Marker.RING)


def draw_turned_difference(context: Context, draw: DrawList, time: float) -> None:
    """Draws A - B of turning bodies at a time of the motion, as a shell, and the origin; no shell with a half-space."""
    scene, theme = scene_at(context.scene, time), context.theme
    if scene.a.shape.plane is not None or scene.b.shape.plane is not None:
        draw_origin(context, draw)
        return
    if context.analysis.polygon is not None:
        # Imported with the first scene of the plane, not needed in space.
        from ...overlays.flat_shapes import draw_flat_shell

        draw_flat_shell(context, draw, scene)
        draw_origin(context, draw)
        return
    mesh, fill, edge = support_mesh(scene.a, scene.b), faded(theme.difference, 0.14), theme.difference_edge
    subject = Subject("difference")
    draw.solid(mesh.corners, mesh.normals, fill, subject=subject, smooth=True, outline=edge, glass=True)
    draw_origin(context, draw)


def draw_way_marks(draw: DrawList, context: Context, points: Array, words: list[str], rgba: Rgba) -> None:
    """Marks places (n, 3) on the origin's path, each with a label, alternately above and below it."""
    theme = context.theme
    draw.spots(points, rgba, 5.0, theme.halo, 1.6, shape=Marker.DIAMOND)
    for place, (point, word) in enumerate(zip(points, words, strict=True)):
        offset = (0.0, 16.0 if place % 2 else -16.0)
        draw.label(word, point, rgba, size=STRONG, offset=offset, priority=81 - place, bold=True, kind="time-words")


def position_at(context: Context, index: int, time: float) -> Array:
    """A body's position (3,) at a time of the motion, world."""
    return body_at(context.scene.body(index), time).pose.position


def dotted(draw: DrawList, start: Array, end: Array, rgba: Rgba) -> None:
    """Draws a thin dotted line between two points (3,)."""
    draw.lines(start, end, rgba, 1.3, dash=Dash.DOTTED, hidden=Hidden.SHOW)


def draw_free(context: Context, draw: DrawList, way: Array, time: float) -> None:
    """Draws the part of the path up to a time, which is proved free. `way` (3,): the whole path, from the origin."""
    if time > 0.0:
        draw.strong(np.zeros(3), time * way, context.theme.gap, FREE_WIDTH)
