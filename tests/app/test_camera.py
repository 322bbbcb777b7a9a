"""The camera: what goes to which pixel, back again, and that its movements keep what they promise to keep."""

from __future__ import annotations

from math import pi, radians

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.camera import NAMED_VIEWS, Camera, Projection, Sight

WIDTH, HEIGHT = 640, 480


def cameras():
    rng = np.random.default_rng(7)
    for index in range(24):
        scale = (1.0, 1e-6, 1e6)[index % 3]
        away = (0.0, 1e6 * scale)[index // 3 % 2]
        yield Camera(
            target=tuple((away * rng.normal(size=3) + scale * rng.normal(size=3)).tolist()),
            distance=scale * rng.uniform(3.0, 9.0),
            yaw=rng.uniform(-pi, pi),
            pitch=rng.uniform(-1.5, 1.5),
            field_of_view=radians(rng.uniform(20.0, 70.0)),
            orthographic=bool(index % 2),
            z_up=bool(index // 2 % 2),
        )


def near_target(camera, count=20, seed=1):
    return np.array(camera.target) + 0.3 * camera.distance * np.random.default_rng(seed).uniform(-1, 1, (count, 3))


def close(camera):
    """How far positions near the target may be off: the last digits of coordinates far from the origin."""
    return 1e-9 * camera.distance + 1e-15 * max(abs(c) for c in camera.target)


@pytest.mark.parametrize("camera", list(cameras()))
def test_basis_is_a_right_handed_rotation(camera):
    basis = camera.basis()
    assert np.allclose(basis @ basis.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(basis) == pytest.approx(1.0)


def test_front_view_has_x_to_the_right_and_up_upwards():
    right, up, back = Camera(yaw=0.0, pitch=0.0).basis()
    assert np.allclose((right, up, back), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    right, up, back = Camera(yaw=0.0, pitch=0.0, z_up=True).basis()
    assert np.allclose((right, up, back), ((1, 0, 0), (0, 0, 1), (0, -1, 0)))


@pytest.mark.parametrize("z_up", [False, True])
def test_up_is_drawn_upwards_from_everywhere(z_up):
    axis = np.eye(3)[2 if z_up else 1]
    for yaw in np.linspace(-3.0, 3.0, 7):
        for pitch in np.linspace(-1.5, 1.5, 7):
            projection = Projection(Camera(yaw=yaw, pitch=pitch, z_up=z_up), WIDTH, HEIGHT)
            foot, tip = projection.project(np.array((-0.1 * axis, 0.1 * axis)))
            assert tip[1] < foot[1]
            assert tip[0] == pytest.approx(foot[0], abs=1e-9)


def test_positive_pitch_looks_down_from_above():
    assert Camera(pitch=0.5).eye()[1] > 0.0
    assert Camera(pitch=0.5, z_up=True).eye()[2] > 0.0


@pytest.mark.parametrize("camera", list(cameras()))
def test_target_is_in_the_middle_and_the_eye_at_its_distance(camera):
    projection = Projection(camera, WIDTH, HEIGHT)
    x, y, _ = projection.project(np.array(camera.target)[None])[0]
    assert (x, y) == (WIDTH / 2, HEIGHT / 2)
    eye = camera.eye() - np.array(camera.target)
    assert np.sqrt(eye @ eye) == pytest.approx(camera.distance, abs=close(camera))


@pytest.mark.parametrize("camera", list(cameras()))
def test_ray_through_a_points_pixel_meets_the_point(camera):
    projection = Projection(camera, WIDTH, HEIGHT)
    points = near_target(camera)
    for point, (x, y, _) in zip(points, projection.project(points), strict=True):
        origin, direction = projection.ray(x, y)
        assert direction @ direction == pytest.approx(1.0)
        along = (point - origin) @ direction
        assert along > 0.0
        assert np.abs(origin + along * direction - point).max() < close(camera)
        assert np.abs(Sight.through(projection, x, y).on_plane(point, projection.basis[2]) - point).max() < close(
            camera
        )


@pytest.mark.parametrize("camera", list(cameras()))
def test_unprojecting_another_pixel_stays_in_the_plane_parallel_to_the_screen(camera):
    projection = Projection(camera, WIDTH, HEIGHT)
    for point in near_target(camera, 5):
        moved = Sight.through(projection, 100.0, 300.0).on_plane(point, projection.basis[2])
        assert abs((moved - point) @ camera.basis()[2]) < close(camera)
        x, y, _ = projection.project(moved[None])[0]
        assert (x, y) == pytest.approx((100.0, 300.0), abs=1e-3)


@pytest.mark.parametrize("camera", list(cameras()))
def test_depth_grows_away_from_the_viewer_within_0_and_1(camera):
    projection = Projection(camera, WIDTH, HEIGHT)
    steps = np.linspace(-0.95, 50.0, 60)[:, None] * camera.distance
    depth = projection.project(np.array(camera.target) - steps * camera.basis()[2])[:, 2]
    assert (np.diff(depth) > 0.0).all()
    assert depth.min() >= 0.0
    assert depth.max() <= 1.0


@pytest.mark.parametrize("camera", list(cameras()))
def test_pixels_per_unit_is_what_projection_does(camera):
    projection = Projection(camera, WIDTH, HEIGHT)
    step = 1e-3 * camera.distance
    for point in near_target(camera, 5):
        pair = projection.project(np.array((point, point + step * camera.basis()[0])))
        assert (pair[1, 0] - pair[0, 0]) / step == pytest.approx(projection.pixels_per_unit(point), rel=1e-4)


def test_points_behind_the_eye_project_to_finite_numbers():
    camera = Camera(target=(0, 0, 0), distance=1.0)
    behind = camera.eye() + np.array((0.0, 0.3, 0.0)) + 2.0 * camera.basis()[2]
    x, y, depth = Projection(camera, WIDTH, HEIGHT).project(behind[None])[0]
    assert np.isfinite((x, y)).all()
    assert depth == 0.0
    assert not Projection(camera, WIDTH, HEIGHT).in_front(behind)


@pytest.mark.parametrize("camera", list(cameras()))
def test_zoom_keeps_the_point_under_the_pointer(camera):
    pixel = (120.0, 400.0)
    seen = Projection(camera, WIDTH, HEIGHT)
    kept = Sight.through(seen, *pixel).on_plane(np.array(camera.target), seen.basis[2])
    for factor in (1.25, 0.5):
        zoomed = camera.zoomed_to(factor, *pixel, WIDTH, HEIGHT)
        assert zoomed.distance == pytest.approx(camera.distance / factor)
        x, y, _ = Projection(zoomed, WIDTH, HEIGHT).project(kept[None])[0]
        assert (x, y) == pytest.approx(pixel, abs=1e-3)


def test_zoom_stops_at_its_limits():
    camera = Camera()
    for _ in range(400):
        camera = camera.zoomed_to(2.0, 10.0, 10.0, WIDTH, HEIGHT)
    assert camera.distance > 0.0
    assert np.isfinite(Projection(camera, WIDTH, HEIGHT).project(np.ones((1, 3)))).all()


@pytest.mark.parametrize("camera", list(cameras()))
def test_panning_carries_the_target_with_the_pointer(camera):
    target = np.array(camera.target)
    x, y, _ = Projection(camera.panned(30.0, -12.0, HEIGHT), WIDTH, HEIGHT).project(target[None])[0]
    assert (x - WIDTH / 2, y - HEIGHT / 2) == pytest.approx((30.0, -12.0), abs=1e-3)


def test_orbit_turns_about_the_target_and_stops_short_of_the_poles():
    camera = Camera(target=(1.0, 2.0, 3.0)).orbited(0.3, 9.0)
    assert camera.target == (1.0, 2.0, 3.0)
    assert camera.pitch < 0.5 * pi
    assert camera.orbited(0.0, -20.0).pitch > -0.5 * pi
    assert -pi <= camera.orbited(100.0, 0.0).yaw <= pi


@pytest.mark.parametrize("z_up", [False, True])
@pytest.mark.parametrize("preset", NAMED_VIEWS)
def test_named_views_look_from_where_they_say(preset, z_up):
    back = Camera(z_up=z_up).looking(preset).basis()[2]
    up, front = (np.array((0, 0, 1)), np.array((0, -1, 0))) if z_up else (np.array((0, 1, 0)), np.array((0, 0, 1)))
    right = np.array((1, 0, 0))
    expected = {"front": front, "back": -front, "right": right, "left": -right, "top": up, "bottom": -up}
    assert np.allclose(back, expected[preset])


@pytest.mark.parametrize("camera", list(cameras()))
def test_the_other_projection_keeps_sizes_at_the_target(camera):
    other = camera.with_other_projection()
    target = np.array(camera.target)
    here, there = (Projection(c, WIDTH, HEIGHT).pixels_per_unit(target) for c in (camera, other))
    assert here == pytest.approx(there)
    assert other.with_other_projection() == camera


@pytest.mark.parametrize("camera", list(cameras()))
@pytest.mark.parametrize("aspect", [0.6, 2.0])
def test_framing_shows_every_point_and_wastes_no_room(camera, aspect):
    points = np.array(camera.target) + camera.distance * np.random.default_rng(3).normal(size=(30, 3))
    width = HEIGHT * aspect
    seen = Projection(camera.framed(points, aspect), width, HEIGHT).project(points)
    share = np.abs(seen[:, :2] / (width, HEIGHT) - 0.5) * 2.0
    assert share.max() == pytest.approx(1.0 / 1.15, rel=1e-3)


@pytest.mark.parametrize("camera", list(cameras()))
def test_framing_a_ball_shows_its_outline(camera):
    centre, radius = np.array(camera.target) + camera.distance, 0.37 * camera.distance
    directions = np.random.default_rng(5).normal(size=(4000, 3))
    directions /= np.sqrt((directions**2).sum(axis=1))[:, None]
    framed = camera.framed_ball(centre, radius, 1.3)
    seen = Projection(framed, 1.3 * HEIGHT, HEIGHT).project(centre + radius * directions)
    share = np.abs(seen[:, :2] / (1.3 * HEIGHT, HEIGHT) - 0.5) * 2.0
    assert share.max() == pytest.approx(1.0 / 1.15, rel=1e-2)


def test_framing_one_point_only_moves_the_target():
    framed = Camera(distance=3.0).framed(np.array(((4.0, 5.0, 6.0),)), 1.0)
    assert framed == replace(Camera(distance=3.0), target=pytest.approx((4.0, 5.0, 6.0)))
    assert Camera().framed(np.zeros((0, 3)), 1.0) == Camera()
