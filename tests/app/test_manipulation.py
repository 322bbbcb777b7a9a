"""Drags as pure functions of the line of sight: what they move, what they leave alone, and what they say."""

from __future__ import annotations

from math import cos, pi, radians, sin, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import Camera, Projection, Sight
from app.draw.draw_list import DrawList
from app.draw.theme import DARK
from app.input.gizmo import Gizmo, GizmoTool, Handle
from app.input.grips import Grip, grips
from app.input.manipulation import Assist, BallTool, MoveTool, SizeTool, TurnTool, moving
from app.input.picking import hit_body, hit_difference
from app.overlays.context import Extent, patch
from app.shapes import kind_of, shape_fault
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.geometry.vector import any_perpendicular, length_rows, vec
from core.scene import Body, Scene
from core.shapes import Box, Cylinder, HalfSpace, Hull, Sphere
from tests.app.shape_samples import SHAPES as SAMPLES

SCENE = Scene(
    Body(Box((2.0, 1.0, 1.0)), (0.0, 0.0, 0.0)),
    Body(Box((1.0, 1.0, 2.0)), (1.5, 0.3, -0.2), quaternion.from_axis_angle((1.0, 2.0, 3.0), 0.7)),
    "pair",
)
SHAPES = {**SAMPLES, "cylinder": Cylinder(0.4, 1.2)}
CAMERA = Camera(target=(0.5, 0.0, 0.0), distance=9.0)
PANE = Projection(CAMERA, 800, 600)


def seen(point) -> tuple[float, float]:
    x, y, _ = PANE.project(np.array([point], dtype=float))[0]
    return float(x), float(y)


def sight_of(point) -> Sight:
    return Sight.through(PANE, *seen(point))


def assert_only_moved(before: Scene, after: Scene) -> None:
    assert after.a == before.a
    assert replace(after.b, position=before.b.position) == before.b


@pytest.mark.parametrize("camera", [CAMERA, replace(CAMERA, orthographic=True), replace(CAMERA, z_up=True)])
def test_a_dragged_point_stays_under_the_pointer_and_in_its_plane(camera: Camera) -> None:
    pane = Projection(camera, 800, 600)
    grabbed = np.array(SCENE.b.position) + vec(0.2, 0.1, 0.3)
    x, y, _ = pane.project(grabbed[None])[0]
    change = MoveTool(SCENE, 1, grabbed).at(Sight.through(pane, x + 40.0, y - 25.0), Assist())
    assert change is not None
    assert_only_moved(SCENE, change.scene)
    shift = np.array(change.scene.b.position) - SCENE.b.position
    assert abs(shift @ pane.basis[2]) < 1e-12
    assert pane.project((grabbed + shift)[None])[0, :2] == pytest.approx((x + 40.0, y - 25.0), abs=1e-6)


def test_a_click_changes_nothing_at_all() -> None:
    grabbed = np.array(SCENE.b.position)
    still = sight_of(grabbed)
    ball = BallTool(SCENE, 1, grabbed + 0.4 * still.towards, 1.2)
    sight = sight_of(ball.grabbed)
    for tool, where in (
        (TurnTool(SCENE, 1, still.on_plane(grabbed, still.towards), still.towards), still),
        (ball, sight),
    ):
        change = tool.at(where, Assist(snap_angle=radians(15.0)))
        assert change is not None
        assert change.scene is SCENE
    change = MoveTool(SCENE, 1, grabbed).at(still, Assist(snap_length=0.1))
    assert change is not None
    assert change.scene is SCENE


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_an_axis_key_keeps_the_drag_to_that_world_axis(axis: int) -> None:
    grabbed = np.array(SCENE.b.position)
    target = grabbed + 0.7 * np.eye(3)[axis]
    change = MoveTool(SCENE, 1, grabbed).at(sight_of(target), Assist(axis=axis))
    assert change is not None
    assert np.array(change.scene.b.position) == pytest.approx(target, abs=1e-9)
    others = [k for k in range(3) if k != axis]
    assert [change.scene.b.position[k] for k in others] == [SCENE.b.position[k] for k in others]


def test_a_plane_key_keeps_the_drag_in_that_plane() -> None:
    grabbed = np.array(SCENE.b.position)
    target = grabbed + vec(0.4, 0.0, -0.3)
    change = MoveTool(SCENE, 1, grabbed).at(sight_of(target), Assist(axis=1, plane=True))
    assert change is not None
    assert np.array(change.scene.b.position) == pytest.approx(target, abs=1e-9)


def test_snapping_moves_by_whole_steps_and_says_so() -> None:
    grabbed = np.array(SCENE.b.position)
    change = MoveTool(SCENE, 1, grabbed).at(sight_of(grabbed + vec(0.31, 0.0, 0.0)), Assist(snap_length=0.1, axis=0))
    assert change is not None
    assert change.scene.b.position[0] == SCENE.b.position[0] + 0.3
    assert change.readout == "move B: +0.3 x, 0 y, 0 z"


def test_dragging_the_difference_moves_b_the_other_way() -> None:
    grabbed = np.array((1.0, 0.5, 0.2))
    change = MoveTool(SCENE, 1, grabbed, sign=-1.0).at(sight_of(grabbed + vec(0.25, 0.0, 0.0)), Assist(axis=0))
    assert change is not None
    assert change.scene.b.position[0] == pytest.approx(SCENE.b.position[0] - 0.25, abs=1e-9)


def test_far_from_the_origin_a_drag_loses_no_more_than_a_rounding() -> None:
    far = 1e6
    scene = replace(SCENE, b=replace(SCENE.b, position=(far, 0.0, 0.0)))
    pane = Projection(replace(CAMERA, target=(far, 0.0, 0.0)), 800, 600)
    grabbed = np.array(scene.b.position)
    x, y, _ = pane.project((grabbed + vec(0.0, 0.5, 0.0))[None])[0]
    change = MoveTool(scene, 1, grabbed).at(Sight.through(pane, x, y), Assist(axis=1))
    assert change is not None
    assert change.scene.b.position == pytest.approx((far, 0.5, 0.0), abs=1e-8)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_ring_turns_by_the_angle_between_the_two_sights(axis: int) -> None:
    turn = np.eye(3)[axis]
    centre = np.array(SCENE.b.position)
    first, second = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
    there = centre + cos(0.6) * first + sin(0.6) * second
    change = TurnTool(SCENE, 1, centre + first, turn).at(sight_of(there), Assist())
    assert change is not None
    expected = quaternion.multiply(quaternion.from_axis_angle(tuple(turn), 0.6), SCENE.b.rotation)
    assert change.scene.b.rotation == pytest.approx(expected, abs=1e-9)
    assert change.scene.b.position == SCENE.b.position
    assert change.readout == "turn B: +34°"


def test_snapped_angles_are_whole_steps() -> None:
    centre = np.array(SCENE.b.position)
    towards = PANE.basis[2]
    side = PANE.basis[0]
    up = PANE.basis[1]
    there = centre + cos(radians(40.0)) * side + sin(radians(40.0)) * up
    change = TurnTool(SCENE, 1, centre + side, towards).at(sight_of(there), Assist(snap_angle=radians(15.0)))
    assert change is not None
    assert quaternion.angle_between(SCENE.b.rotation, change.scene.b.rotation) == pytest.approx(radians(45.0), abs=1e-9)


def test_a_ring_seen_edge_on_rolls_like_a_wheel() -> None:
    pane = Projection(Camera(yaw=0.0, pitch=0.0, orthographic=True), 800, 600)
    centre = np.array(SCENE.a.position)
    grabbed = centre + vec(0.0, 0.0, 1.0)
    x, y, _ = pane.project((grabbed + vec(0.3, 0.0, 0.0))[None])[0]
    change = TurnTool(SCENE, 0, grabbed, np.array((0.0, 1.0, 0.0))).at(Sight.through(pane, x, y), Assist())
    assert change is not None
    axis, angle = quaternion.to_axis_angle(change.scene.a.rotation)
    assert axis == pytest.approx((0.0, 1.0, 0.0))
    assert angle == pytest.approx(0.3, abs=1e-9)


def test_the_ball_turns_the_grabbed_point_towards_the_pointer() -> None:
    pane = Projection(replace(CAMERA, orthographic=True), 800, 600)
    centre = np.array(SCENE.b.position)
    grabbed = centre + pane.basis[2]
    x, y, _ = pane.project((centre + 0.3 * pane.basis[0])[None])[0]
    change = BallTool(SCENE, 1, grabbed, 1.0).at(Sight.through(pane, x, y), Assist())
    assert change is not None
    turn = quaternion.multiply(change.scene.b.rotation, quaternion.conjugate(SCENE.b.rotation))
    axis, angle = quaternion.to_axis_angle(turn)
    assert np.array(axis) == pytest.approx(pane.basis[1], abs=1e-9)
    assert sin(angle) == pytest.approx(0.3, abs=1e-9)


def test_the_pointer_may_leave_the_ball() -> None:
    centre = np.array(SCENE.b.position)
    ball = BallTool(SCENE, 1, centre + PANE.basis[2], 1.0)
    angles = []
    for reach in (0.5, 0.9, 2.0, 6.0):
        change = ball.at(sight_of(centre + reach * PANE.basis[0]), Assist())
        assert change is not None
        angles.append(quaternion.angle_between(SCENE.b.rotation, change.scene.b.rotation))
    assert angles == sorted(angles)
    assert angles[-1] < pi


def grip_of(scene: Scene, axis: int, side: float) -> Grip:
    return next(grip for grip in grips(scene.b.shape) if grip.axis == axis and grip.outward[axis] == side)


@pytest.mark.parametrize(("index", "side"), [(0, 1.0), (1, -1.0), (2, 1.0)])
def test_pulling_a_face_grows_the_box_about_its_centre(index: int, side: float) -> None:
    grip = grip_of(SCENE, index, side)
    outward = SCENE.b.pose.matrix @ grip.outward
    grabbed = np.array(SCENE.b.position) + outward
    change = SizeTool(SCENE, 1, grabbed, grip).at(sight_of(grabbed + 0.25 * outward), Assist())
    assert change is not None
    size = list(SCENE.b.shape.size)
    size[index] += 0.5
    assert change.scene.b.shape.size == pytest.approx(size, abs=1e-9)
    assert change.scene.b.position == SCENE.b.position


def test_a_size_never_reaches_zero() -> None:
    scene = replace(SCENE, b=Body(Sphere(0.5), SCENE.b.position))
    outward = np.array((1.0, 0.0, 0.0))
    grabbed = np.array(SCENE.b.position) + 0.5 * outward
    change = SizeTool(scene, 1, grabbed, grip_of(scene, 0, 1.0)).at(sight_of(grabbed - 3.0 * outward), Assist())
    assert change is not None
    assert change.scene.b.shape.radius == pytest.approx(0.005)


@pytest.mark.parametrize("tool", list(GizmoTool))
@pytest.mark.parametrize("local", [False, True])
def test_every_handle_changes_nothing_until_the_pointer_moves(tool: GizmoTool, local: bool) -> None:
    gizmo = Gizmo(SCENE, 1, tool, local)
    numbers = {
        GizmoTool.MOVE: range(Handle.ARROW, Handle.RING),
        GizmoTool.ROTATE: range(Handle.RING, Handle.OUTER_RING + 1),
        GizmoTool.SIZE: range(Handle.SIZE, Handle.SIZE + 6),
    }[tool]
    x, y = seen(SCENE.b.position)
    for number in numbers:
        sight = Sight.through(PANE, x + 30.0, y - 20.0)
        drag = gizmo.grab(number, sight)
        assert drag is not None
        change = drag.at(sight, Assist())
        assert change is not None
        before, after = SCENE.b, change.scene.b
        assert after.position == pytest.approx(before.position, abs=1e-12)
        assert after.rotation == pytest.approx(before.rotation, abs=1e-12)
        assert after.shape.size == pytest.approx(before.shape.size, abs=1e-12)


def test_pressing_an_axis_key_twice_frees_the_drag() -> None:
    assert Assist().pressed(0, False) == Assist(axis=0)
    assert Assist(axis=0).pressed(0, True) == Assist(axis=0, plane=True)
    assert Assist(axis=0, plane=True).pressed(0, True) == Assist()


def test_the_line_of_sight_finds_the_surface() -> None:
    body = SCENE.b
    for corner in body.pose.to_world(body.shape.polyhedron.vertices * 0.999):
        sight = sight_of(corner)
        distance = hit_body(SCENE, 1, sight)
        assert distance is not None
        local = body.pose.to_local(sight.origin + distance * sight.direction)
        assert np.max(np.abs(local) / body.shape.half_extents) == pytest.approx(1.0)
    inside = Sight(np.zeros(3), np.array((1.0, 0.0, 0.0)), np.array((-1.0, 0.0, 0.0)))
    assert hit_body(SCENE, 0, inside) == pytest.approx(1.0), "an eye inside sees the far side"
    assert hit_body(SCENE, 0, sight_of((-3.0, 2.0, 0.0))) is None


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_met_on_its_surface(name: str) -> None:
    scene = replace(SCENE, b=replace(SCENE.b, shape=SHAPES[name]))
    shape, pose = scene.b.shape, scene.b.pose
    middle = patch(scene.b, scene.a).mean(axis=0) if name == "halfspace" else pose.position
    if name == "hull":
        middle = pose.to_world(shape.polyhedron.vertices.mean(axis=0))
    distance = hit_body(scene, 1, sight_of(middle))
    assert distance is not None
    met = pose.to_local(sight_of(middle).origin + distance * sight_of(middle).direction)
    # On the surface: no direction has the point beyond the shape, and one has it at its very end.
    directions = np.random.default_rng(1).normal(size=(4000, 3))
    directions = np.vstack((directions, shape.polyhedron.normals)) if shape.polyhedron is not None else directions
    if name == "halfspace":
        assert met @ shape.normal == pytest.approx(shape.offset, abs=1e-12)
    else:
        gaps = (shape.reach(directions) - directions @ met) / length_rows(directions)
        assert gaps.min() == pytest.approx(0.0, abs=0.02 * shape.bounding_radius)
        assert gaps.min() > -1e-12


def test_a_half_space_is_met_only_where_it_is_drawn() -> None:
    scene = replace(SCENE, b=Body(HalfSpace((0.0, 1.0, 0.0), 0.0), (7.0, -1.0, 0.0)))
    square = patch(scene.b, scene.a)
    assert hit_body(scene, 1, sight_of(square.mean(axis=0))) is not None
    beyond = square.mean(axis=0) + 1.01 * (square[0] - square.mean(axis=0))
    assert hit_body(scene, 1, sight_of(beyond)) is None


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "halfspace"])
def test_the_difference_is_met_where_its_support_planes_say(name: str) -> None:
    scene = replace(SCENE, b=replace(SCENE.b, shape=SHAPES[name]))
    middle = np.array(scene.a.position) - np.array(scene.b.position)
    eye = middle + 40.0 * vec(0.0, 0.6, 0.8)
    sight = Sight(eye, -vec(0.0, 0.6, 0.8), vec(0.0, 0.6, 0.8))
    distance = hit_difference(scene, sight, None)
    assert distance is not None
    met = eye + distance * sight.direction
    directions = np.random.default_rng(2).normal(size=(4000, 3))
    reach_a = scene.a.shape.reach(directions @ scene.a.pose.matrix)
    reach_b = scene.b.shape.reach(-directions @ scene.b.pose.matrix)
    gaps = (reach_a + reach_b - directions @ (met - middle)) / length_rows(directions)
    assert -1e-9 < gaps.min() < 0.1
    assert hit_difference(scene, replace(sight, origin=eye + vec(40.0, 0.0, 0.0)), None) is None


def test_the_difference_with_a_half_space_is_met_on_the_square_that_is_drawn() -> None:
    scene = replace(SCENE, b=replace(SCENE.b, shape=SHAPES["halfspace"]))
    solid = analyse(scene).difference
    assert solid is not None
    plane = solid.plane
    assert plane is not None
    eye = plane.point() + 5.0 * plane.normal + 0.1 * any_perpendicular(plane.normal)
    sight = Sight(eye, -plane.normal, plane.normal)
    assert hit_difference(scene, sight, plane) == pytest.approx(5.0, abs=1e-12)
    side = any_perpendicular(plane.normal)
    away = 1.5 * sqrt(2.0) * Extent.of(scene).radius
    assert hit_difference(scene, replace(sight, origin=eye + 1.01 * away * side), plane) is None


# Every shape has handles.

BOUNDED = [name for name in SHAPES if name != "halfspace"]


@pytest.mark.parametrize("name", BOUNDED)
def test_grips_stand_on_the_surface_and_pull_the_size_they_show(name: str) -> None:
    shape = SHAPES[name]
    found = grips(shape)
    assert len(found) >= (3 if name == "hull" else 6)
    for grip in found:
        assert grip.pulled(0.0, 0.0) == shape
        reach = float(shape.reach(grip.outward))
        assert grip.anchor @ grip.outward == pytest.approx(reach)
        grown = grip.pulled(0.25 * reach, 0.0)
        assert float(grown.reach(grip.outward)) == pytest.approx(1.25 * reach, rel=1e-9), grip.number
        assert shape_fault(grip.pulled(-5.0 * reach, 0.0)) == ("", "")


@pytest.mark.parametrize("name", BOUNDED)
def test_a_hull_scales_evenly_and_others_change_one_size(name: str) -> None:
    shape = SHAPES[name]
    for grip in grips(shape):
        grown = grip.pulled(0.1, 0.0)
        if isinstance(shape, Hull):
            factor = grown.bounding_radius / shape.bounding_radius
            assert np.array(grown.points) == pytest.approx(np.array(shape.points) * factor)
        else:
            pairs = [(p.values(shape), p.values(grown)) for p in kind_of(shape).parameters]
            assert sum(a != b for old, new in pairs for a, b in zip(old, new, strict=True)) == 1


def test_snapped_sizes_are_whole_steps() -> None:
    top = next(grip for grip in grips(Cylinder(0.5, 1.0)) if grip.number == 2)
    assert top.pulled(0.123, 0.1) == Cylinder(0.5, 1.2)


def test_a_half_space_moves_along_its_normal_alone() -> None:
    floor = Body(HalfSpace((0.0, 2.0, 0.0), 0.5), (0.3, 0.1, 0.2))
    scene = replace(SCENE, b=floor)
    gizmo = Gizmo(scene, 1, GizmoTool.MOVE, False)
    tool = gizmo.grab(Handle.NORMAL, sight_of(gizmo.centre))
    assert tool is not None
    change = tool.at(sight_of(gizmo.centre + vec(0.0, 0.4, 0.0)), Assist())
    assert change is not None
    assert change.scene.b.position == pytest.approx((0.3, 0.5, 0.2), abs=1e-9)
    body = moving(scene, 1, gizmo.centre).at(sight_of(gizmo.centre + vec(0.7, 0.0, 0.0)), Assist())
    assert body is not None
    assert np.array(body.scene.b.position)[[0, 2]] == pytest.approx((0.3, 0.2), abs=1e-12)


def test_a_half_space_turns_about_what_is_drawn_of_it() -> None:
    scene = replace(SCENE, b=Body(HalfSpace((0.0, 1.0, 0.0), 0.5), (9.0, 0.1, 0.2)))
    gizmo = Gizmo(scene, 1, GizmoTool.ROTATE, False)
    sight = sight_of(gizmo.centre + vec(0.5, 0.3, 0.0))
    tool = gizmo.grab(Handle.RING + 2, sight)
    assert tool is not None
    still = tool.at(sight, Assist())
    assert still is not None
    change = tool.at(sight_of(gizmo.centre + vec(-0.3, 0.5, 0.0)), Assist())
    assert change is not None
    plane = change.scene.b.shape.plane.placed(change.scene.b.pose.matrix, change.scene.b.pose.position)
    assert plane.signed_distance(gizmo.centre) == pytest.approx(0.0, abs=1e-12)
    assert quaternion.angle_between(scene.b.rotation, change.scene.b.rotation) == pytest.approx(pi / 2, abs=1e-9)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("tool", list(GizmoTool))
def test_handles_of_every_shape_are_drawn(name: str, tool: GizmoTool) -> None:
    scene = replace(SCENE, b=replace(SCENE.b, shape=SHAPES[name]))
    draw = DrawList()
    Gizmo(scene, 1, tool, False).draw(draw, PANE, 1.0, None, DARK)
    assert draw.segments
    subjects = {subject for segments in draw.segments for subject in segments.subjects}
    for subject in subjects:
        if subject.kind == "gizmo":
            assert Gizmo(scene, 1, tool, False).grab(subject.number, sight_of(scene.b.position)) is not None
