"""The move of "Show me": from where the learner stands to where the solution ends; it turns the shorter way."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.controllers.lesson_demonstration import (
    MOVE_SECONDS,
    Demonstration,
    DemonstrationPose,
    arc,
    eased,
    pose_between,
)
from core.geometry.quaternion import angle_between, from_axis_angle
from core.scene import Body, Scene
from core.shapes import Box, Polygon

CUBE = Box((1.0, 1.0, 1.0))
SQUARE = Polygon.of([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def test_it_takes_its_time_from_the_first_frame_and_ends() -> None:
    start, end = (DemonstrationPose(Scene(Body(CUBE), Body(CUBE, (x, 0.0, 0.0)))) for x in (2.0, 4.0))
    move = Demonstration(start, end)
    assert move.at(5.0) == start
    half = move.at(5.0 + 0.5 * MOVE_SECONDS)
    assert half is not None
    assert half.scene.b.position == pytest.approx((3.0, 0.0, 0.0))
    assert move.at(5.0 + MOVE_SECONDS) is None


def test_bodies_of_space_turn_the_shorter_way_whatever_the_quaternions_sign() -> None:
    quarter = from_axis_angle((0.0, 0.0, 1.0), 0.5 * pi)
    for sign in (1.0, -1.0):
        there = tuple(sign * q for q in quarter)
        poses = (
            DemonstrationPose(Scene(Body(CUBE), Body(CUBE, rotation=turn))) for turn in ((1.0, 0.0, 0.0, 0.0), there)
        )
        half = pose_between(*poses, 0.5).scene.b.rotation
        assert angle_between(half, from_axis_angle((0.0, 0.0, 1.0), 0.25 * pi)) == pytest.approx(0.0, abs=1e-7)


def test_bodies_of_the_plane_turn_the_shorter_way() -> None:
    start, end = (
        DemonstrationPose(Scene(Body(SQUARE), Body.in_plane(SQUARE, (2.0, 0.0), angle))) for angle in (3.0, -3.0)
    )
    assert pose_between(start, end, 0.5).scene.b.angle == pytest.approx(pi)


def test_a_free_axis_follows_the_great_circle_and_the_time_the_bar() -> None:
    scene = Scene(Body(CUBE), Body(CUBE, (3.0, 0.0, 0.0)))
    half = pose_between(
        DemonstrationPose(scene, (1.0, 0.0, 0.0), 0.0), DemonstrationPose(scene, (0.0, 1.0, 0.0), 0.4), 0.5
    )
    assert half.free == pytest.approx((sqrt(0.5), sqrt(0.5), 0.0))
    assert half.time == pytest.approx(0.2)


units = st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda v: np.linalg.norm(v) > 1e-3)


@given(units, units, st.floats(0.0, 1.0))
def test_an_arc_keeps_its_length_and_goes_evenly(p: tuple[float, ...], q: tuple[float, ...], share: float) -> None:
    start, end = (tuple(np.array(v) / np.linalg.norm(v)) for v in (p, q))
    at = np.array(arc(start, end, share))
    assert np.linalg.norm(at) == pytest.approx(1.0, abs=1e-6)
    whole = np.arccos(np.clip(np.dot(start, end), -1.0, 1.0))
    if whole < pi - 1e-3:
        assert np.arccos(np.clip(np.dot(start, at), -1.0, 1.0)) == pytest.approx(share * whole, abs=1e-4)


def test_opposite_directions_have_a_way_too() -> None:
    assert arc((1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 0.5) == pytest.approx((0.0, 1.0, 0.0))
    assert arc((0.0, 0.0, 1.0), (0.0, 0.0, -1.0), 0.25) == pytest.approx((sin(pi / 4), 0.0, cos(pi / 4)))


def test_it_is_slow_at_both_ends() -> None:
    assert (eased(0.0), eased(0.5), eased(1.0)) == (0.0, 0.5, 1.0)
    assert eased(0.1) < 0.1
    assert eased(0.9) > 0.9
