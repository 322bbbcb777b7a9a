"""The graphics book's mistakes about a box that moves against a plane, each alone.

The box's effective radius takes the place of a sphere's, so the sphere's mistakes come with it. The question is when
they first meet, from 0 to 1, infinite for never; 0 where they meet at the start. The plane is B, a half-space.
"""

from __future__ import annotations

import numpy as np

from ..geometry.quaternion import from_euler_xyz
from ..geometry.vector import dot
from ..scene import Scene
from ..shapes import Box
from ..toi.motion import Motion
from ..toi.planes import plane_motion, plane_setting
from .comparison import ArticleVariant, half_extents
from .moving_rounds import article_plane_outcome, article_plane_time, falling, right_plane_outcome, right_plane_time


def p2_backwards(scene: Scene) -> float:
    """The test along `u1 + (u0 - u1) t`: from the end of the motion to its start, which is taken for the way there."""
    distance, speed, radius = _against_plane(scene)
    return article_plane_time(distance + speed, -speed, radius)


def p2_without_initial_overlap(scene: Scene) -> float:
    """The test that does not ask whether the box meets the plane at the start."""
    return article_plane_time(*_against_plane(scene))


def p2_without_zero_motion(scene: Scene) -> str:
    """The test that divides by a speed of 0: for a box that slides on the plane 0/0, which passes as in range."""
    return article_plane_outcome(*_against_plane(scene))


def _against_plane(scene: Scene) -> tuple[float, float, float]:
    """Signed distance of the box A's centre from B's plane, its speed along the normal, and its effective radius."""
    half = half_extents(scene.a)
    setting = plane_setting(Motion.of(scene.a, scene.b))
    radius = dot(np.abs(scene.a.pose.direction_to_local(setting.normal)), half)
    return setting.distance, dot(setting.normal, setting.velocity), radius


_BRICK = Box((2.0, 1.0, 3.0))
_TURNED = from_euler_xyz(0.3, 0.2, 0.6)
_DROPPED = falling("A turned box falls on the ground", _BRICK, 4.0, (0.0, -3.0, 0.0), rotation=_TURNED)
_THROUGH = falling("A box falls as far below the ground as it was above", _BRICK, 3.0, (0.0, -6.0, 0.0))
_FLYING = falling("A box flies over the ground", _BRICK, 3.0, (5.0, 0.0, 0.0), rotation=_TURNED)
_LEAVING = falling("A box half in the ground leaves it", _BRICK, 0.25, (0.0, 2.0, 0.0))
_SLIDING = falling("A box slides along the ground", _BRICK, 0.5, (2.0, 0.0, 0.0))

MOVING_BOX_PLANE = (
    ArticleVariant(
        "P2-backwards",
        "A box's way to a plane from its end to its start",
        p2_backwards,
        right_plane_time,
        plane_motion,
        "The motion is written as u1 + (u0 - u1) t, so t counts from the end, and the plane is reached from behind.",
        (_DROPPED,),
        (_THROUGH, _FLYING),
    ),
    ArticleVariant(
        "P2-initial-overlap",
        "Nobody asks whether the box is in the plane already",
        p2_without_initial_overlap,
        right_plane_time,
        plane_motion,
        "If the box starts in the plane, its time lies before the start or it moves away: both count as no contact.",
        (_LEAVING, falling("A box sinks on into the ground", _BRICK, 0.25, (0.0, -0.25, 0.0))),
        (_DROPPED, _FLYING),
    ),
    ArticleVariant(
        "P2-zero-motion",
        "Nobody asks whether the box moves towards the plane",
        p2_without_zero_motion,
        right_plane_outcome,
        plane_motion,
        "A box that slides on the plane gives 0/0, which is no number and passes every test of its range.",
        (_SLIDING,),
        (_DROPPED, _FLYING, _LEAVING),
    ),
)
