"""Turns that end at rest: an edge or face parallel to the world's axes or to the other body's."""

from __future__ import annotations

from math import degrees, radians, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from app.input.alignment import MOST_ALIGNED, directions_of, marks_of, to_rest, to_rest_about
from app.input.manipulation import Assist, turned_about
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, HalfSpace, Hull, Polygon, Sphere

UP = np.array((0.0, 1.0, 0.0))
CUBE, ALONE = Box((1.0, 1.0, 1.0)), Sphere(0.3)
STEPS = Assist(snap_angle=radians(15.0))


def turned_cube(axis: tuple[float, float, float], angle: float) -> Scene:
    return Scene(Body(ALONE, (5.0, 0.0, 0.0)), Body(CUBE, (0.0, 0.0, 0.0), quaternion.from_axis_angle(axis, angle)))


def test_the_lines_of_each_shape() -> None:
    assert len(directions_of(Body(CUBE))) == 3, "edges and faces of a box are the same three lines"
    assert directions_of(Body(Sphere(1.0))).shape == (0, 3)
    assert np.allclose(directions_of(Body(Capsule(0.2, 1.0))), [UP])
    assert len(directions_of(Body(Cylinder(0.4, 1.2)))) == 3
    assert len(directions_of(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))) == 1
    tetrahedron = Hull(((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)))
    assert len(directions_of(Body(tetrahedron))) == 4 + 6
    rng = np.random.default_rng(1)
    many = rng.normal(size=(60, 3))
    ball = Hull(tuple(map(tuple, (many / np.linalg.norm(many, axis=1)[:, None]).tolist())))
    assert len(ball.polyhedron.edges) > MOST_ALIGNED
    assert directions_of(Body(ball)).shape == (0, 3), "one of so many would always be near"


@pytest.mark.parametrize("away", [-4.9, -0.3, 0.0, 2.0, 4.9])
@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_turn_near_rest_ends_there(away: float, quarter: int) -> None:
    """A start that is no multiple of a step: by steps alone the cube would never lie flat again."""
    scene = turned_cube((0.0, 1.0, 0.0), radians(37.3))
    wanted = radians(90.0 * quarter - 37.3)
    change = turned_about(scene, 1, UP, wanted + radians(away), STEPS)
    rotation = quaternion.to_matrix(change.scene.b.rotation)
    assert np.allclose(np.abs(rotation).max(axis=0), 1.0, atol=1e-12)
    assert change.readout.endswith("parallel")


def test_a_turn_far_from_rest_goes_by_steps_from_the_start() -> None:
    scene = turned_cube((0.0, 1.0, 0.0), radians(10.0))
    change = turned_about(scene, 1, UP, radians(28.0), STEPS)
    angle = quaternion.angle_between(scene.b.rotation, change.scene.b.rotation)
    assert degrees(angle) == pytest.approx(30.0, abs=1e-9)
    assert not change.readout.endswith("parallel")
    free = turned_about(scene, 1, UP, radians(-9.0), Assist())
    assert degrees(quaternion.angle_between(scene.b.rotation, free.scene.b.rotation)) == pytest.approx(9.0)


def test_the_other_bodys_edges_are_rest_too() -> None:
    other = Body(CUBE, (5.0, 0.0, 0.0), quaternion.from_axis_angle((0.0, 1.0, 0.0), radians(22.0)))
    scene = replace(turned_cube((0.0, 1.0, 0.0), 0.0), a=other)
    change = turned_about(scene, 1, UP, radians(24.5), STEPS)
    assert degrees(quaternion.angle_between(other.rotation, change.scene.b.rotation)) == pytest.approx(0.0, abs=1e-6)


def test_a_box_turned_anyhow_is_laid_flat_when_it_is_nearly_flat() -> None:
    axis = np.array((1.0, -2.0, 0.5)) / sqrt(5.25)
    scene = turned_cube(tuple(axis.tolist()), radians(4.0))
    lines = directions_of(scene.b)
    turns = to_rest(lines, marks_of(scene, 1))
    for turn in turns:
        x, y, z = turn.tolist()
        lines = lines @ quaternion.to_matrix(quaternion.from_rotation_vector((x, y, z))).T
    assert np.allclose(np.abs(lines).max(axis=1), 1.0, atol=1e-12)
    far = turned_cube((1.0, 1.0, 1.0), radians(40.0))
    assert to_rest(directions_of(far.b), marks_of(far, 1)) == ()


def test_in_the_plane_an_edge_comes_to_lie_along_x() -> None:
    triangle = Polygon(((0.0, 0.0), (2.0, 0.0), (0.3, 1.0)))
    scene = Scene(Body.in_plane(triangle, (3.0, 0.0)), Body.in_plane(triangle, (0.0, 0.0), 0.4))
    marks = marks_of(scene, 1)
    assert len(directions_of(scene.b)) == 6, "three edges and their normals"
    rest = to_rest_about(np.array((0.0, 0.0, 1.0)), directions_of(replace(scene.b, angle=radians(3.0))), marks)
    assert rest == pytest.approx(-radians(3.0))


def test_a_line_along_the_axis_is_never_turned_onto_anything() -> None:
    assert to_rest_about(UP, np.array((UP,)), np.eye(3)) is None
    assert to_rest_about(UP, np.zeros((0, 3)), np.eye(3)) is None
    slanted = np.array(((0.6, 0.8, 0.0),))
    assert to_rest_about(UP, slanted, np.eye(3)) is None, "at another height than every mark"
    turned = np.array(((0.6 * np.cos(0.05), 0.8, 0.6 * np.sin(0.05)),))
    for line in (turned, -turned):
        angle = to_rest_about(UP, line, slanted)
        assert angle is not None
        x, y, z = (angle * UP).tolist()
        laid = quaternion.to_matrix(quaternion.from_rotation_vector((x, y, z))) @ line[0]
        assert np.allclose(np.abs(laid), slanted[0], atol=1e-12)


def test_a_body_that_rolls_freely_snaps_from_farther_than_a_turn_about_an_axis() -> None:
    """Of free turns with Ctrl one in 25 ended at rest where 5 degrees in each of three angles had to be met."""
    scene = turned_cube((0.6, 0.0, 0.8), radians(20.0))
    lines, marks = directions_of(scene.b), marks_of(scene, 1)
    for turn in to_rest(lines, marks):
        x, y, z = turn.tolist()
        lines = lines @ quaternion.to_matrix(quaternion.from_rotation_vector((x, y, z))).T
    assert np.allclose(np.abs(lines).max(axis=1), 1.0, atol=1e-12)
    assert to_rest_about(UP, directions_of(turned_cube((0.0, 1.0, 0.0), radians(20.0)).b), np.eye(3)) is None
