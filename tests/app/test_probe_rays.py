"""The ray through a pixel: its way back into the world, what it meets, and what a file keeps of the probes."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app.draw.camera import Camera, Projection
from app.io.scene_file import SceneError, read, write
from app.probes import Aim, Lens, PlaneProbe, PointProbe, RayLook, RayProbe, ScaleProbe
from app.probes.ray import (
    article_answers,
    crossing,
    gjk_cast,
    lens_of,
    nearest_body,
    one_axis,
    picked_pixel,
    ray_of,
    shifts,
    unprojection,
    with_lens,
    with_shift,
)
from app.state.view import View
from core.geometry import quaternion
from core.rays.raycast import GjkRaycastStop
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cylinder, HalfSpace, Hull, Sphere
from core.study.articles.picking import p11_symmetric_perspective, pixel_ray

from .probe_samples import BOX, GROUND, HULL, OCTAHEDRON, PAIR, TURNED, triple

CAMERAS = {
    "perspective": Camera((0.4, 0.1, -0.2), 9.0, 0.5, 0.3),
    "from above, z up": Camera((0.4, 0.1, -0.2), 9.0, -2.5, 1.1, z_up=True),
    "orthographic": Camera((0.4, 0.1, -0.2), 9.0, 0.5, 0.3, orthographic=True),
    "wide": Camera((0.0, 0.0, 0.0), 3.0, 0.1, -0.4, field_of_view=1.6),
    "tiny": Camera((1e-7, 0.0, 0.0), 1e-6, 0.7, 0.2),
}
SIZE = (800.0, 600.0)
PIXELS = [(400.0, 300.0), (12.5, 590.0), (700.0, 20.0), (0.0, 0.0)]


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
@pytest.mark.parametrize("pixel", PIXELS)
def test_the_unprojected_points_are_seen_at_the_pixel(camera: Camera, pixel: tuple[float, float]) -> None:
    ray = unprojection(camera, pixel, SIZE)
    projection = Projection(camera, *SIZE)
    for point in (ray.near, ray.far, ray.origin + 2.0 * camera.distance * ray.direction):
        assert projection.project(point[None])[0, :2] == pytest.approx(pixel, abs=1e-6)
    for corner, place in zip(ray.corners, ((0, 600), (800, 600), (800, 0), (0, 0)), strict=True):
        assert projection.project(corner[None])[0, :2] == pytest.approx(place, abs=1e-6)
    # Two ways to the one ray: the inverse matrices and the camera's own line of sight.
    along = (ray.far - ray.near) / np.linalg.norm(ray.far - ray.near)
    assert along == pytest.approx(ray.direction, abs=1e-10)
    beside = np.cross(ray.near - ray.origin, ray.direction)
    assert np.linalg.norm(beside) <= 1e-10 * camera.distance
    ahead = -camera.basis()[2]
    assert (ray.near - camera.eye()) @ ahead == pytest.approx(0.25 * camera.distance, rel=1e-12)
    assert ray.device == pytest.approx((pixel[0] / 400.0 - 1.0, 1.0 - pixel[1] / 300.0), abs=1e-15)


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_the_articles_shortcut_is_right_in_perspective_only(camera: Camera) -> None:
    ray = unprojection(camera, (610.0, 120.0), SIZE)
    assert ray.shortcut_differs == camera.orthographic
    mark = Body(Sphere(1.0), triple(ray.eye), quaternion.from_matrix(camera.basis().T))
    hits = set()
    for away in (0.0, 0.1, 0.2, 0.4):
        ball = Body(
            Sphere(0.1 * camera.distance), triple(ray.eye + camera.distance * (ray.shortcut + away * camera.basis()[1]))
        )
        picked = picked_pixel(camera, ray.device, SIZE[0] / SIZE[1])
        says = p11_symmetric_perspective(Scene(ball, mark), picked)
        to_ball = ball.pose.position - ray.eye
        off = np.linalg.norm(np.cross(to_ball, ray.shortcut))
        assert says == (off <= 0.1 * camera.distance)
        hits.add(says)
    assert hits == {True, False}


# A window off centre.

STRAIGHT = [name for name, camera in CAMERAS.items() if not camera.orthographic]


@pytest.mark.parametrize("name", STRAIGHT)
@pytest.mark.parametrize("shift", [-1.0, -0.3, 0.5, 1.0])
@pytest.mark.parametrize("pixel", PIXELS)
def test_the_ray_of_an_off_centre_window_is_cores(name: str, shift: float, pixel: tuple[float, float]) -> None:
    camera = CAMERAS[name]
    ray = unprojection(camera, pixel, SIZE, shift)
    # By the sheared matrix and its inverse, as core has it for the graphics book.
    picked = picked_pixel(camera, ray.device, SIZE[0] / SIZE[1], shift)
    assert (picked.left + picked.right) / (picked.right - picked.left) == pytest.approx(shift, abs=1e-14)
    eye = Body(Sphere(1.0), triple(ray.eye), quaternion.from_matrix(camera.basis().T)).pose
    _, way = pixel_ray(picked, eye)
    assert way / np.linalg.norm(way) == pytest.approx(ray.direction, abs=1e-10)
    assert ray.origin == pytest.approx(ray.eye, rel=1e-14)
    # And as a pinhole sees it: in proportion between the window's corners.
    across, up = 0.5 * (ray.device[0] + 1.0), 0.5 * (ray.device[1] + 1.0)
    left_low, right_low, _, left_high = ray.corners
    on_window = left_low + across * (right_low - left_low) + up * (left_high - left_low)
    assert np.linalg.norm(np.cross(on_window - ray.eye, ray.direction)) <= 1e-10 * camera.distance
    assert ray.near == pytest.approx(on_window, abs=1e-10 * camera.distance)
    assert ray.shortcut_differs
    assert ray.supposed.mean(axis=0) == pytest.approx(
        ray.eye - 0.25 * camera.distance * camera.basis()[2], abs=1e-10 * camera.distance
    )
    centred = unprojection(camera, pixel, SIZE)
    assert ray.shortcut == pytest.approx(centred.direction, abs=1e-10)
    assert ray.supposed == pytest.approx(centred.corners, abs=1e-10 * camera.distance)


@pytest.mark.parametrize("x", [0.0, 150.0, 400.0, 650.0, 800.0])
def test_putting_the_window_aside_keeps_the_ray(x: float) -> None:
    probe = RayProbe(CAMERAS["perspective"], (x, 222.0), SIZE, step=3)
    before = ray_of(probe)
    assert lens_of(probe) is Lens.PERSPECTIVE
    aside = with_lens(probe, Lens.OFF_CENTRE)
    assert lens_of(aside) is Lens.OFF_CENTRE
    assert aside.shift == (0.5 if x >= 200.0 else -0.5)
    assert aside.step == 0
    assert ray_of(aside).direction == pytest.approx(before.direction, abs=1e-12)
    low, high = shifts(aside)
    for shift in np.linspace(low, high, 5).tolist():
        moved = with_shift(aside, shift)
        assert 0.0 <= moved.pixel[0] <= SIZE[0]
        assert moved.pixel[0] == pytest.approx(x - 400.0 * shift, abs=1e-9)
        assert ray_of(moved).direction == pytest.approx(before.direction, abs=1e-12)
    back = with_lens(aside, Lens.PERSPECTIVE)
    assert (back.shift, back.camera) == (0.0, probe.camera)
    assert back.pixel == pytest.approx(probe.pixel)
    assert not ray_of(back).shortcut_differs
    flat = with_lens(aside, Lens.ORTHOGRAPHIC)
    assert (flat.shift, flat.camera.orthographic) == (0.0, True)
    assert lens_of(flat) is Lens.ORTHOGRAPHIC
    assert with_lens(flat, Lens.PERSPECTIVE).camera == probe.camera


def test_a_ray_beside_the_window_goes_to_its_edge() -> None:
    probe = RayProbe(CAMERAS["perspective"], (790.0, 10.0), SIZE, shift=0.8)
    assert with_shift(probe, -0.8).pixel == (800.0, 10.0)


def rays(count: int, seed: int):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        camera = Camera(triple(0.6 * rng.normal(size=3)), 8.0, float(rng.uniform(-3, 3)), float(rng.uniform(-1.4, 1.4)))
        yield unprojection(camera, tuple(rng.uniform((300, 200), (500, 400)).tolist()), SIZE)


SHAPES = {
    "box": Box((2.0, 1.0, 1.5)),
    "sphere": Sphere(0.9),
    "capsule": Capsule(0.4, 1.2),
    "cylinder": Cylinder(0.6, 1.4),
    "hull": Hull(OCTAHEDRON),
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_ray_is_in_the_body_between_entry_and_exit(shape) -> None:
    body = Body(shape, (0.2, 0.1, -0.3), TURNED)
    hits = 0
    for ray in rays(60, 4):
        cast = crossing(body, ray)
        gjk = gjk_cast(body, ray)
        assert gjk is not None
        assert gjk.result is not None
        if cast is None:
            assert gjk.result.hit is None
            continue
        hits += 1
        assert cast.entry is not None
        assert cast.exit is not None
        assert gjk.result.stop is GjkRaycastStop.HIT
        assert gjk.result.hit.t == pytest.approx(cast.entry.t, abs=1e-6)
        # A point is in a convex body when no support plane has it in front.
        for share, within in ((0.02, True), (0.5, True), (0.98, True), (-0.3, False), (1.3, False)):
            t = cast.entry.t + share * (cast.exit.t - cast.entry.t)
            local = body.pose.to_local(ray.origin + t * ray.direction)
            ways = np.random.default_rng(5).normal(size=(4000, 3))
            ways /= np.linalg.norm(ways, axis=1)[:, None]
            out = max(float((ways @ local - shape.reach(ways)).max()), _planes_ahead(shape, local))
            # The sampled planes miss what is outside by a sliver.
            assert out <= 1e-12 if within else out > 0.0 or cast.exit.t - cast.entry.t < 0.5
    assert hits > 8


def _planes_ahead(shape, local: np.ndarray) -> float:
    if shape.polyhedron is None:
        return -np.inf
    return float((shape.polyhedron.normals @ local - shape.polyhedron.offsets).max())


def test_the_bounds_of_the_gjk_cast_never_pass_the_hit() -> None:
    for ray in rays(40, 6):
        cast, exact = gjk_cast(BOX, ray), crossing(BOX, ray)
        times = [step.t for step in cast.steps]
        assert times == sorted(times)
        if exact is not None:
            assert times[-1] <= exact.t + 1e-9


@pytest.mark.slow
def test_three_slabs_decide_and_one_axis_does_not() -> None:
    fooled = 0
    for ray in rays(1500, 7):
        test, hit = one_axis(BOX, ray), crossing(BOX, ray) is not None
        assert test is not None
        assert (test.enters <= test.leaves and test.leaves >= 0.0) == hit
        says = test.distance <= test.radius
        answer = next(a for a in article_answers(BOX, ray) if a.id == "P12-box-one-axis")
        assert (answer.says, answer.hits) == (says, hit)
        # Necessary, not sufficient.
        assert says or not hit
        fooled += says and not hit
        assert test.away @ ray.direction == pytest.approx(0.0, abs=1e-12)
    assert fooled > 5


def test_the_slabs_of_a_ray_along_a_face_have_no_end() -> None:
    cube = Body(Box((2.0, 2.0, 2.0)))
    across = unprojection(Camera((0.5, 0.25, 0.0), 5.0, 0.0, 0.0), (400.0, 300.0), SIZE)
    beside = unprojection(Camera((1.5, 0.25, 0.0), 5.0, 0.0, 0.0), (400.0, 300.0), SIZE)
    assert one_axis(cube, across).spans.tolist() == [[-np.inf, np.inf], [-np.inf, np.inf], [4.0, 6.0]]
    assert one_axis(cube, beside).enters == np.inf
    assert one_axis(HULL, across) is None


def test_a_half_space_has_a_closed_form_and_no_cast() -> None:
    ray = unprojection(CAMERAS["perspective"], (400.0, 300.0), SIZE)
    assert gjk_cast(GROUND, ray) is None
    cast = crossing(GROUND, ray)
    assert cast is not None
    assert cast.exit is None
    assert article_answers(GROUND, ray) == ()


def test_the_body_in_front_is_the_one_looked_at() -> None:
    camera = Camera((0.0, 0.0, 0.0), 8.0, 0.0, 0.0)
    ray = unprojection(camera, (400.0, 300.0), SIZE)
    near, far = Body(Sphere(0.5), (0.0, 0.0, 2.0)), Body(Sphere(0.5), (0.0, 0.0, -2.0))
    aside = Body(Sphere(0.5), (3.0, 0.0, 0.0))
    assert [nearest_body(Scene(*pair), ray) for pair in ((near, far), (far, near), (aside, far), (near, aside))] == [
        0,
        1,
        1,
        0,
    ]
    above = unprojection(Camera((0.0, 5.0, 0.0), 8.0, 0.0, 0.0), (400.0, 300.0), SIZE)
    high = Body(Sphere(0.5), (20.0, 9.0, 0.0))
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
    assert crossing(ground, above) is None
    assert [nearest_body(Scene(*pair), above) for pair in ((ground, high), (high, ground))] == [1, 0]


@pytest.mark.parametrize("swapped", [False, True])
def test_a_ray_that_misses_both_looks_at_the_bounded_body(swapped: bool) -> None:
    camera = Camera((0.0, 8.0, 0.0), 8.0, 0.0, 0.0)
    ray = unprojection(camera, (400.0, 0.0), SIZE)
    ground, ball = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Sphere(0.5), (30.0, 2.0, 0.0))
    pair = Scene(ball, ground) if swapped else Scene(ground, ball)
    assert all(crossing(body, ray) is None for body in (ground, ball))
    assert nearest_body(pair, ray) == int(not swapped)


# In a file.

EYE = Camera(
    target=(0.1, 0.2, 0.3), distance=1.0 / 3.0, yaw=0.1, pitch=-0.7, field_of_view=0.9, orthographic=True, z_up=True
)
PROBES = {
    "point": PointProbe((0.1, 1.0 / 3.0, -1e-7)),
    "plane": PlaneProbe(((0.1, 0.2, 0.3), (1.0 / 7.0, 0.0, 0.0), (0.0, 5.0, 1e6))),
    "flipped plane": PlaneProbe(((0.1, 0.2, 0.3), (1.0, 0.0, 0.0), (0.0, 5.0, 1.0)), True),
    "ray": RayProbe(CAMERAS["perspective"], (400.5, 299.25), SIZE),
    "ray's cast": RayProbe(EYE, (0.0, 600.0), SIZE, RayLook.CAST, 1, 3),
    "ray's axis": RayProbe(EYE, (800.0, 0.0), SIZE, RayLook.ONE_AXIS),
    "ray off centre": RayProbe(CAMERAS["perspective"], (400.5, 299.25), SIZE, shift=-1.0 / 3.0),
    "scaling": ScaleProbe(1.0 / 3.0),
}


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
def test_a_probe_keeps_every_digit(probe) -> None:
    text = write(PAIR, View(probe=probe))
    loaded = read(text)
    assert loaded.view is not None
    assert loaded.view.probe == probe
    assert write(loaded.scene, loaded.view) == text


def test_no_probe_and_an_aim_are_not_written() -> None:
    for probe in (None, Aim()):
        text = write(PAIR, View(probe=probe))
        assert "probe" not in json.loads(text)["view"]


def ray_tree(**changes: object) -> dict[str, object]:
    eye = {"target": [0, 0, 0], "distance": 5, "yaw": 0, "pitch": 0}
    return {"kind": "ray", "camera": eye, "pixel": [1, 2], "size": [10, 10], **changes}


@pytest.mark.parametrize(
    ("probe", "complaint"),
    [
        ({"kind": "point"}, "view.probe.at: missing"),
        ({"kind": "point", "at": [0, 0]}, "view.probe.at: "),
        ({"kind": "point", "at": [0, 0, 1e31]}, "view.probe.at: must lie within 1e+30 of the origin"),
        ({"kind": "point", "at": [0, 0, 0], "more": 1}, "view.probe.more: unknown key"),
        ({"kind": "dart", "at": [0, 0, 0]}, "view.probe"),
        ({"at": [0, 0, 0]}, "view.probe"),
        ({"kind": "plane", "points": [[0, 0, 0], [1, 0, 0]]}, "view.probe.points: "),
        ({"kind": "plane", "points": [[0, 0, 0], [1, 0, 0], [0, 1e31, 0]]}, "view.probe.points[2]: must lie within"),
        ({"kind": "scaling", "share": 1.5}, "view.probe.share: must lie between 0 and 1, got 1.5"),
        (ray_tree(pixel=[11, 2]), "view.probe.pixel[0]: must lie within the size"),
        (ray_tree(size=[0, 10]), "view.probe.size[0]: must lie between 1 and"),
        (ray_tree(look="back"), "view.probe.look: must be one of crossings, one axis, cast"),
        (ray_tree(body="c"), "view.probe.body: must be one of a, b"),
        (ray_tree(step=-1), "view.probe.step: must lie between 0 and"),
        (ray_tree(shift=1.5), "view.probe.shift: must lie between -1 and 1, got 1.5"),
        (
            ray_tree(
                shift=0.5,
                camera={"target": [0, 0, 0], "distance": 1, "yaw": 0, "pitch": 0, "orthographic": True},
            ),
            "view.probe.shift: must be 0 if orthographic, got 0.5",
        ),
        (ray_tree(camera={"target": [0, 0, 0], "distance": 0, "yaw": 0, "pitch": 0}), "view.probe.camera.distance: "),
        (ray_tree(camera={"target": [0, 0, 0], "distance": 1, "yaw": 0, "pitch": 2}), "view.probe.camera.pitch: "),
        (ray_tree(camera={"target": [0, 0, 0], "distance": 1, "yaw": 0}), "view.probe.camera.pitch: missing"),
    ],
)
def test_a_faulty_probe_is_refused_with_its_path(probe: object, complaint: str) -> None:
    tree = json.loads(write(PAIR, View()))
    tree["view"]["probe"] = probe
    with pytest.raises(SceneError) as refusal:
        read(json.dumps(tree))
    assert str(refusal.value).startswith(complaint)


def test_the_ray_of_a_probe_is_the_cameras() -> None:
    probe = RayProbe(CAMERAS["perspective"], (123.0, 45.0), SIZE)
    assert ray_of(probe) is unprojection(probe.camera, probe.pixel, probe.size, 0.0)
