"""The planes test: which edge parts two polygons first, and what the widest gap says."""

from __future__ import annotations

import numpy as np
import pytest

from core.sat.separating_planes import planes_test, planes_test_steps
from core.scene import Body
from core.shapes import Polygon
from core.trace import record
from core.verdict import Verdict

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
WEDGE = Polygon(((-1.0, -1.0), (1.5, -0.5), (0.0, 1.2)))


def test_the_first_plane_that_parts_is_named_and_the_widest_gap_is_the_result() -> None:
    rng = np.random.default_rng(3)
    several = 0
    for _ in range(60):
        x, y = rng.uniform(-4.0, 4.0, size=2).tolist()
        a, b = Body(SQUARE, angle=float(rng.normal())), Body(WEDGE, (x, y, 0.0), angle=float(rng.normal()))
        recording = record(planes_test_steps(a, b))
        found, steps = recording.result, recording.steps
        # By the bodies' own corners, and no line of the test.
        for step in steps:
            own, other = (a, b) if step.body == 0 else (b, a)
            normal = own.pose.direction_to_world(own.shape.face_normals[step.edge])
            reach = float(own.shape.reach(own.pose.direction_to_local(normal)))
            back = float(other.shape.reach(other.pose.direction_to_local(-normal)))
            away = float(normal @ (other.pose.position - own.pose.position))
            assert abs(step.gap - (away - reach - back)) <= 1e-14
        parting = [step.label for step in steps if step.gap > 1e-9]
        assert found.first == (parting[0] if parting else None)
        assert found.gap == max(step.gap for step in steps)
        assert (found.verdict is Verdict.SEPARATED) == bool(parting)
        several += len(parting) > 1
    assert several > 10


def corners(own: Body) -> np.ndarray:
    """The corners (k, 2) in the world, by number."""
    cos, sin = np.cos(own.angle), np.sin(own.angle)
    return np.array(own.shape.points) @ np.array(((cos, sin), (-sin, cos))) + own.position[:2]


def test_each_step_tells_its_edge_its_plane_and_the_other_bodys_corners_before_it() -> None:
    """And the result's normal runs from A to B, whichever body's edge is the best."""
    rng, best = np.random.default_rng(4), set[int]()
    for _ in range(30):
        places = rng.uniform(-2.0, 2.0, size=(2, 2)).tolist()
        a, b = (
            Body(shape, (x, y, 0.0), angle=float(rng.normal()))
            for shape, (x, y) in zip((SQUARE, WEDGE), places, strict=True)
        )
        recording, parted = record(planes_test_steps(a, b)), False
        for step in recording.steps:
            own, other = (a, b) if step.body == 0 else (b, a)
            ring, seen = corners(own), corners(other)
            start, end = ring[step.edge], ring[(step.edge + 1) % len(ring)]
            normal = np.array((end[1] - start[1], start[0] - end[0])) / np.hypot(*(end - start))
            away = (seen - start) @ normal
            assert step.label == f"{'AB'[step.body]}.edge{step.edge}"
            assert (*step.start, *step.end) == pytest.approx((*start, *end), abs=1e-12)
            assert (*step.plane.normal, step.plane.offset) == pytest.approx((*normal, normal @ start), abs=1e-12)
            assert step.distances == pytest.approx(away[list(step.numbers)], abs=1e-12)
            assert (step.nearest, step.gap) == (int(away.argmin()), min(step.distances))
            assert step.verdict is (Verdict.SEPARATED if step.gap > 0.0 else Verdict.OVERLAPPING)
            parted = parted or step.gap > 0.0
            assert step.apart is parted
        found = recording.result
        assert planes_test(a, b).gap == found.gap
        along = (corners(b) @ found.normal).min() - (corners(a) @ found.normal).max()
        assert along == pytest.approx(found.gap, abs=1e-12)
        best.add(found.best.body)
    assert best == {0, 1}


def test_two_segments_are_refused_since_on_one_line_no_edge_parts_them() -> None:
    segment = Polygon(((-0.5, 0.0), (0.5, 0.0)))
    with pytest.raises(TypeError, match="two segments"):
        planes_test(Body(segment), Body(segment, (3.0, 0.0, 0.0)))
