"""A sphere's steps past a box: the region its centre is in, the piece of the grown box there, and how near it comes."""

from __future__ import annotations

import numpy as np

from core.geometry.vector import length
from core.toi import GrownPiece, Motion, MotionStop, SphereBoxStep

from ...draw.draw_list import DrawList
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.regions import box_of, draw_regions_step, piece_rgba, region_words
from ...overlays.solids import draw_outline, round_points
from ...overlays.style import STRONG
from ...words.axis_words import plain, signed
from .picture_parts import draw_bodies_on_their_way, draw_path, draw_way_marks, measured, position_at, time_words


def draw_regions_world(context: Context, draw: DrawList, step: SphereBoxStep, _: Motion, time: float) -> None:
    """The bounding spheres; then the cells up to the step's own, lit, with the piece that is tested."""
    draw_bodies_on_their_way(context, draw, time)
    if step.crossing is None:
        _draw_bounding(context, draw, step, time)
        return
    draw_regions_step(context, draw, step, time)
    box = box_of(context)
    centre = step.centre + time * step.velocity
    nearest = np.clip(centre, -step.half_extents, step.half_extents)
    ends = box.pose.to_world(np.array((nearest, centre)))
    theme = context.theme
    if step.crossing.piece is not GrownPiece.INSIDE:
        hit = step.stop in (MotionStop.HIT, MotionStop.GRAZING)
        words = f"|y| {plain(length(centre - nearest))}, r {plain(step.radius)}"
        measured(draw, context, ends[0], ends[1], theme.winner if hit else theme.gap, words)


def _draw_bounding(context: Context, draw: DrawList, step: SphereBoxStep, time: float) -> None:
    """The ball round the box and the sphere where they are nearest, with what is between them."""
    theme = context.theme
    boxed = 0 if box_of(context) is context.scene.a else 1
    middle, centre = position_at(context, boxed, time), position_at(context, 1 - boxed, time)
    if step.stop in (MotionStop.OVERLAPPING_AT_START, MotionStop.TOUCHING_AT_START):
        # Answered before any ball is looked at.
        words = f"separation {signed(step.nearest)} at the start"
        draw.label(words, centre, theme.overlap, size=STRONG, offset=(0.0, -20.0), priority=82, bold=True)
        return
    around = length(step.half_extents)
    for place, radius, rgba in ((middle, around, theme.edge(boxed)), (centre, step.radius, theme.edge(1 - boxed))):
        draw_outline(draw, place + radius * round_points(), rgba, 1.6)
    apart = centre - middle
    far = length(apart)
    if far == 0.0:
        return
    ends = middle + around * apart / far, centre - step.radius * apart / far
    clear = step.nearest > 0.0
    words = f"{'gap' if clear else 'overlap'} of the balls {signed(step.nearest)}"
    measured(draw, context, *ends, theme.gap if clear else theme.overlap, words)


def draw_regions_difference(context: Context, draw: DrawList, step: SphereBoxStep, motion: Motion, time: float) -> None:
    """The stretch of the origin's path that lies in the step's region, and where it meets the grown box."""
    theme = context.theme
    draw_path(context, draw, motion, time)
    way = motion.displacement
    for crossing in step.crossings:
        current = crossing is step.crossing
        rgba = piece_rgba(theme, crossing.piece)
        draw.strong(
            crossing.enter * way, crossing.leave * way, rgba if current else faded(rgba, 0.5), 5.0 if current else 2.4
        )
    if step.crossing is None:
        return
    if step.time is not None and step.stop in (MotionStop.HIT, MotionStop.GRAZING):
        draw_way_marks(draw, context, (step.time * way)[None], [f"enters at {time_words(step.time)}"], theme.winner)
        return
    middle = 0.5 * (step.crossing.enter + step.crossing.leave) * way
    words = f"in {region_words(step.crossing)}"
    draw.label(words, middle, piece_rgba(theme, step.crossing.piece), offset=(0.0, 18.0), priority=80, bold=True)
