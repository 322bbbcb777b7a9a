"""Both bodies on any direction: the table's own projection, and what no direction can do."""

import numpy as np
import pytest

from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.sat.table import projections
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere
from core.verdict import Verdict

TURNED = quaternion.from_euler_xyz(0.4, 0.7, 0.2)
CORNERS = np.array(((1.0, 0.0, 0.0), (-1.0, 0.2, 0.0), (0.0, 1.0, 0.3), (0.1, -0.2, 1.0), (0.6, 0.5, 0.9)))
SHAPES = (
    Box((2.0, 1.0, 1.0)),
    Sphere(0.7),
    Capsule(0.3, 1.0),
    Cylinder(0.5, 1.2),
    Cone(0.5, 1.0),
    Ellipsoid((0.5, 0.3, 0.8)),
    Hull.of(CORNERS),
)
PLACES = {"overlapping": (0.6, 0.3, 0.1), "apart": (2.6, 1.4, 0.9)}
SPHERE = np.random.default_rng(7).normal(size=(4000, 3))
SPHERE /= np.sqrt((SPHERE**2).sum(axis=1))[:, None]


PAIRS = tuple(
    Scene(Body(first, (0.2, -0.1, 0.4)), Body(second, place, TURNED))
    for first in SHAPES
    for second in SHAPES
    for place in PLACES.values()
)


@pytest.mark.parametrize("scene", PAIRS)
def test_a_row_of_the_table_is_the_projection_on_its_axis(scene):
    table = analyse(scene).sat
    known = ~np.isnan(table.separations)
    # One row at a time: the sums may run in another order than over the whole table, and no more than that differs.
    for row in np.flatnonzero(known).tolist():
        alone = projections(scene.a, scene.b, table.axes[row : row + 1])
        for found, listed in (
            (alone.interval_a[0], table.interval_a[row]),
            (alone.interval_b[0], table.interval_b[row]),
            (alone.separations[0], table.separations[row]),
        ):
            assert np.allclose(found, listed, rtol=0.0, atol=1e-14)
        assert alone.sides[0] == table.sides[row] or np.isclose(
            table.interval_b[row].sum(), table.interval_a[row].sum(), atol=1e-13
        )


@pytest.mark.parametrize("scene", PAIRS)
def test_no_direction_shows_more_than_the_separation(scene):
    answer = analyse(scene)
    found = projections(scene.a, scene.b, SPHERE)
    # 1e-12 for rounding; a bound or a certificate may lie its gap beside the truth.
    room = 1e-12 + answer.certainty.gap
    assert found.separations.max() <= answer.separation + room
    along = projections(scene.a, scene.b, answer.normal[None]).separations[0]
    assert along == pytest.approx(answer.separation, abs=room)


def test_every_end_is_that_of_a_farthest_point():
    for scene in PAIRS:
        found = projections(scene.a, scene.b, SPHERE[:50])
        origin = scene.a.pose.position
        for body, interval in ((scene.a, found.interval_a), (scene.b, found.interval_b)):
            for axis, (low, high) in zip(SPHERE[:50], interval, strict=True):
                for end, way in ((low, -axis), (high, axis)):
                    far = body.pose.to_world(body.shape.support(body.pose.direction_to_local(way))) - origin
                    assert far @ axis == pytest.approx(end, abs=1e-12)


def test_turned_round_an_axis_says_the_same():
    scene = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Cone(0.5, 1.0), (1.4, 0.3, 0.1), TURNED))
    there, back = projections(scene.a, scene.b, SPHERE), projections(scene.a, scene.b, -SPHERE)
    assert np.array_equal(there.separations, back.separations)
    assert np.array_equal(there.sides, -back.sides)


def test_a_half_space_ends_along_its_normal_only():
    scene = Scene(Body(HalfSpace((0.0, 2.0, 0.0), 1.0)), Body(Sphere(0.5), (0.0, 1.25, 0.0)))
    answer = analyse(scene)
    assert answer.verdict is Verdict.SEPARATED
    found = projections(scene.a, scene.b, np.array(((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.6, 0.8, 0.0))))
    assert found.interval_a.tolist() == [[-np.inf, 0.5], [-0.5, np.inf], [-np.inf, np.inf]]
    assert found.separations.tolist() == [0.25, 0.25, -np.inf]
    assert found.sides.tolist()[:2] == [1, -1]
