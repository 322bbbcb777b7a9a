"""The planes test: which edge parts two polygons first, and what the widest gap says."""

from __future__ import annotations

import numpy as np

from core.sat.separating_planes import planes_test_steps
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
