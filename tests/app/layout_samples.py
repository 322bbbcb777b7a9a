"""Draw lists, cameras and a plain oracle for what hides what, shared by the tests of layout and picking."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from msgspec.structs import asdict, replace

from app.draw.camera import Camera
from app.draw.draw_list import Subject
from app.draw.layout import STAY, layout
from app.draw.meshes.mesh import ball_mesh
from app.draw.placed import PlacedPane
from app.overlays.solids import draw_polyhedron
from core.geometry.quaternion import Pose
from core.shapes import Box

WIDTH, HEIGHT = 800, 600
BODY = Subject("body", 0)
LINE = Subject("line")
FRONT = Camera(yaw=0.0, pitch=0.0, distance=10.0)
ORANGE = (0.9, 0.5, 0.2, 0.5)
WHITE = (1.0, 1.0, 1.0, 1.0)
HALO = (0.0, 0.0, 0.0, 0.8)


def measure(text, size, bold):
    return (0.55 * size * len(text), 1.3 * size)


def random_rotation(rng):
    quaternion = rng.normal(size=4)
    return Pose.of((0.0, 0.0, 0.0), tuple(quaternion / np.sqrt(quaternion @ quaternion))).matrix


def random_box(rng, position, scale=1.0):
    size = tuple((scale * rng.uniform(0.6, 2.0, 3)).tolist())
    return Box(size).polyhedron.placed(random_rotation(rng), np.asarray(position, dtype=np.float64))


def add_box(draw, polyhedron, subject=BODY):
    return draw_polyhedron(draw, polyhedron, ORANGE, WHITE, subject)


def add_ball(draw, centre, radius, subject=BODY):
    mesh = ball_mesh(np.asarray(centre, dtype=np.float64), radius)
    return draw.solid(
        mesh.corners, mesh.normals, ORANGE, subject=subject, ball=(*centre, radius), smooth=True, outline=WHITE
    )


def random_camera(rng, target=(0.0, 0.0, 0.0), scale=1.0, orthographic=False):
    return Camera(
        target=tuple(np.asarray(target, dtype=np.float64).tolist()),
        distance=scale * rng.uniform(4.0, 9.0),
        yaw=rng.uniform(-pi, pi),
        pitch=rng.uniform(-1.5, 1.5),
        orthographic=orthographic,
        z_up=bool(rng.integers(2)),
    )


def way_to_viewer(camera, point):
    """From a point to the eye, or as far as matters towards an orthographic viewer."""
    if camera.orthographic:
        return 100.0 * camera.distance * camera.basis()[2]
    return camera.eye() - point


def hidden_by_planes(camera, normals, offsets, point):
    """Whether the way from a point to the viewer enters the solid n·p <= offset: one plane after the other."""
    way = way_to_viewer(camera, point)
    low, high = 0.0, 1.0
    for normal, offset in zip(normals, offsets, strict=True):
        height, climb = normal @ point - offset, normal @ way
        if climb > 0.0:
            high = min(high, -height / climb)
        elif climb < 0.0:
            low = max(low, -height / climb)
        elif height > 0.0:
            return False
    return low < high


def hidden_by_ball(camera, centre, radius, point):
    way = way_to_viewer(camera, point)
    nearest = np.clip((centre - point) @ way / (way @ way), 0.0, 1.0)
    gap = point + nearest * way - centre
    return gap @ gap < radius * radius


def laid(draw, camera=FRONT, density=1.0, width=WIDTH, height=HEIGHT, previous=(), taken=(), stay=STAY):
    return layout(draw, camera, width, height, density, measure, HALO, previous, taken, stay)


def lines_of(placed, subject=LINE):
    return [row for row, found in enumerate(placed.lines.subjects) if found == subject]


def assert_same(one: PlacedPane, other: PlacedPane) -> None:
    for part, its in ((one.triangles, other.triangles), (one.lines, other.lines), (one.marks, other.marks)):
        for name, values in asdict(part).items():
            if isinstance(values, np.ndarray):
                np.testing.assert_allclose(getattr(its, name), values, rtol=1e-9, atol=1e-9, err_msg=name)
            elif name == "crowded":
                assert getattr(its, name) == pytest.approx(values)
            else:
                assert getattr(its, name) == values, name
    assert [replace(label, x=round(label.x, 6), y=round(label.y, 6)) for label in other.labels] == [
        replace(label, x=round(label.x, 6), y=round(label.y, 6)) for label in one.labels
    ]
    assert (one.width, one.height, one.labels_dropped) == (other.width, other.height, other.labels_dropped)
