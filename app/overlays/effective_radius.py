"""A body that moves against a plane: how far it reaches towards it, its effective radius, as a line from its centre.

Of a box the line is made of three: the share `h |u·n|` that each half extent has in it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.analysis.motion_answers import SweepAnswer
from core.toi import PlaneStep
from core.toi.methods import MotionMethod

from ..draw.draw_list import DrawList, Hidden, Marker
from ..state.playback import body_at
from ..words.axis_words import plain
from .context import Context
from .text_sizes import PLAIN


def draw_effective_radius(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """Nothing where neither body is a half-space."""
    steps = next((trace.steps for trace in sweep.traces if trace.method is MotionMethod.PLANE), ())
    known = [step for step in steps if isinstance(step, PlaneStep) and step.radius is not None]
    if not known:
        return
    scene, theme, last = context.scene, context.theme, known[-1]
    body = scene.a if scene.a.shape.plane is None else scene.b
    centre = body_at(body, time).pose.position
    assert last.radius is not None
    arms = [last.radius] if last.arms is None else last.arms.tolist()
    colours = [theme.text] if last.arms is None else [theme.world_x, theme.world_y, theme.world_z]
    heights = np.concatenate(([0.0], np.cumsum(arms)))
    points = centre - heights[:, None] * last.normal
    for (start, end), rgba in zip(pairwise(points), colours, strict=True):
        draw.strong(start, end, rgba, 3.0)
    draw.points(points[[0, -1]], theme.text, 3.4, shape=Marker.SQUARE, hidden=Hidden.SHOW)
    words = f"effective radius {plain(last.radius)}"
    draw.label(words, points[0], theme.text, size=PLAIN, offset=(70.0, 0.0), priority=66)
