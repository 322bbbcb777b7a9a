"""SAT in the plane: of opposite edges of a body, which lie on one axis, the one that faces the other body is named."""

from __future__ import annotations

import numpy as np
import pytest

from core.sat.plane import plane_sat
from core.sat.sat import AxisKind
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from tests.core.planar_samples import body, regular


def outward(one: Body, edge: int) -> np.ndarray:
    """The unit normal (2,) of an edge in the world, away from the middle of the corners."""
    assert isinstance(one.shape, Polygon)
    corners = np.array(one.shape.points)
    start, end = corners[edge], corners[(edge + 1) % len(corners)]
    way = np.array((end[1] - start[1], start[0] - end[0]))
    way *= np.sign(way @ (start - corners.mean(axis=0))) / np.hypot(*way)
    turn = np.array(((np.cos(one.angle), -np.sin(one.angle)), (np.sin(one.angle), np.cos(one.angle))))
    return np.asarray(turn @ way)


def test_the_edge_that_wins_faces_the_other_body() -> None:
    rng = np.random.default_rng(11)
    named = {AxisKind.FACE_A: 0, AxisKind.FACE_B: 0}
    for _ in range(60):
        scene = Scene(*(body(rng, regular(int(rng.choice((4, 6, 8))), rng.uniform(0.5, 1.0))) for _ in range(2)))
        table = plane_sat(scene.a, scene.b)
        winner = table.candidates[table.winner]
        if winner.kind not in named:
            continue
        named[winner.kind] += 1
        of_a = winner.kind is AxisKind.FACE_A
        own, edge, side = (scene.a, winner.feature_a, 1.0) if of_a else (scene.b, winner.feature_b, -1.0)
        assert edge is not None
        np.testing.assert_allclose(outward(own, edge), side * np.asarray(table.normal)[:2], atol=1e-12)
    assert min(named.values()) >= 10


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("first", range(4))
def test_of_corners_as_close_to_a_circle_the_one_with_the_lowest_number_names_the_axis(first: int, way: int) -> None:
    """A circle over the middle of each side, and in that of the square, where all four are as close."""
    square = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    corners = tuple(square[(first + way * k) % 4] for k in range(4))
    box = Body(Polygon(corners))
    for centre in ((3.0, 0.0), (0.0, 3.0), (-3.0, 0.0), (0.0, -3.0), (0.0, 0.0)):
        circle = Body(Circle(0.5), (*centre, 0.0))
        away = [(x - centre[0]) ** 2 + (y - centre[1]) ** 2 for x, y in corners]
        lowest = away.index(min(away))
        labels = [plane_sat(*pair).candidates[-1].label for pair in ((box, circle), (circle, box))]
        assert labels == [f"A.v{lowest}→B", f"A→B.v{lowest}"]


def test_a_row_names_the_edge_whose_normal_it_is_and_holds_both_bodies_corners_along_it() -> None:
    rng = np.random.default_rng(12)
    for _ in range(20):
        a, b = (body(rng, regular(int(rng.choice((3, 5, 6))), rng.uniform(0.5, 1.0))) for _ in range(2))
        table, rows = plane_sat(a, b), iter(range(20))
        for own, name, kind in ((a, "A", AxisKind.FACE_A), (b, "B", AxisKind.FACE_B)):
            for edge in range(len(own.shape.points)):
                row = next(rows)
                candidate, axis = table.candidates[row], table.axes[row, :2]
                of_a = kind is AxisKind.FACE_A
                assert (candidate.label, candidate.kind) == (f"{name}.edge{edge}", kind)
                assert (candidate.feature_a, candidate.feature_b) == ((edge, None) if of_a else (None, edge))
                np.testing.assert_allclose(axis, outward(own, edge), atol=1e-12)
                for one, interval in ((a, table.interval_a[row]), (b, table.interval_b[row])):
                    turn = np.array(((np.cos(one.angle), -np.sin(one.angle)), (np.sin(one.angle), np.cos(one.angle))))
                    corners = np.array(one.shape.points) @ turn.T + one.position[:2]
                    heights = corners @ axis - table.offset[row]
                    assert interval == pytest.approx((heights.min(), heights.max()), abs=1e-12)
                assert table.offset[row] == pytest.approx(np.array(a.position[:2]) @ axis, abs=1e-12)
        assert next(rows) == len(table.candidates)
