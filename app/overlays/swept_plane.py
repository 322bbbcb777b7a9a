"""What the plane of a moving half-space passes: the square of it that is drawn, where it ends, and the band between.

The solid side has no end, so only the plane itself sweeps something that can be drawn.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.geometry.vector import Array, dot
from core.scene import Scene

from ..draw.draw_list import DrawList, Rgba
from ..draw.theme import faded
from ..state.playback import body_at
from .context import Context
from .extent import patch
from .text_sizes import PLAIN

EDGE_WIDTH = 1.3
BAND_FILL = 0.09
"""Opacity of each side of the band."""
TURN_STEPS = 6
"""Of a plane that turns so many squares stand on its way."""
IN_ITSELF = 1e-12
"""Share of its displacement below which the way across the plane is rounding."""


def squares_on_the_way(scene: Scene, index: int) -> Array:
    """Corners (k, 4, 3) of the square that is drawn of a half-space's plane, at its start first and at its end last.

    Between two of them its ghosts stand; of a plane that keeps its direction two do.
    """
    body, other = scene.body(index), scene.body(1 - index)
    steps = TURN_STEPS if any(body.angular_displacement) else 1
    times = np.linspace(0.0, 1.0, steps + 1).tolist()
    return np.array([patch(body_at(body, time), body_at(other, time)) for time in times])


def draw_swept_plane(context: Context, draw: DrawList, index: int) -> None:
    """Nothing is swept by a plane that moves along itself: that is said instead."""
    body, rgba = context.scene.body(index), context.theme.edge(index)
    plane = body.shape.plane
    assert plane is not None
    squares = squares_on_the_way(context.scene, index)
    if not any(body.angular_displacement):
        across = dot(np.array(body.displacement), body.pose.matrix @ plane.normal)
        if abs(across) <= IN_ITSELF * float(np.abs(body.displacement).max()):
            words = "along its own plane: it passes nothing"
            tip = squares[0].mean(axis=0) + np.array(body.displacement)
            draw.label(words, tip, rgba, size=PLAIN, offset=(0.0, 16.0), priority=58)
            return
    _draw_band(draw, squares, rgba)
    end = squares[-1]
    draw.label("its plane at t = 1", end[1], rgba, size=PLAIN, offset=(0.0, -12.0), priority=56)


def _draw_band(draw: DrawList, squares: Array, rgba: Rgba) -> None:
    """The squares after the first, which is the body's own, and what their sides pass."""
    for before, after in pairwise(squares):
        for k in range(4):
            following = (k + 1) % 4
            side = np.array((before[k], before[following], after[following], after[k]))
            draw.sheet(side, faded(rgba, BAND_FILL))
    for number, square in enumerate(squares[1:], start=1):
        last = number == len(squares) - 1
        draw.polyline(square, faded(rgba, 0.75 if last else 0.35), EDGE_WIDTH if last else 1.0, closed=True)
    ways = squares.transpose(1, 0, 2)
    for way in ways:
        draw.polyline(way, faded(rgba, 0.55), EDGE_WIDTH)
