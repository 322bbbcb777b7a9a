"""Why a row differs from the reference: the changed settings by name and value, limits, and what rounding costs."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Circle, Cone, Cylinder, Ellipsoid, Polygon, Scene, Sphere
from core.analysis.algorithm_settings import AlgorithmSettings, SingleSettings
from core.analysis.analysis import LIMITED, analyse
from core.geometry.quaternion import from_axis_angle
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.query.query import query
from core.study.lab.side_by_side import FLOAT32, FLOAT64, AnswerRow, Reason, methods_of, wrong_in_single
from core.verdict import Provenance
from tests.strategies import cubes

TILTED = from_axis_angle((1.0, 0.0, 0.0), 0.7)
DEEP = Scene(Body(Cylinder(0.7, 1.4)), Body(Cone(0.8, 1.5), (0.5, 0.4, 0.2), TILTED))
APART = Scene(DEEP.a, replace(DEEP.b, position=(2.2, 1.4, 0.9)))
FLAT = Scene(Body.in_plane(Polygon.of([(-1, -1), (1, -1), (0, 1)])), Body.in_plane(Circle(0.5), (0.3, 0.2)))
RING = Scene(Body(Ellipsoid((0.5, 3.0, 0.5))), Body(Cylinder(0.2, 2.0)))


def row_of(scene: Scene, settings: AlgorithmSettings, method: str, precision: str = FLOAT64) -> AnswerRow:
    rows = methods_of(query(analyse(scene), settings))
    return next(row for row in rows if row.method == method and row.precision == precision)


@pytest.mark.parametrize(
    ("scene", "settings", "listed"),
    [
        (APART, AlgorithmSettings(gjk=GjkSettings(iterations=1)), "GJK iteration limit 1"),
        (
            *(APART, AlgorithmSettings(gjk=GjkSettings(iterations=1, first_direction=(1.0, -2.0, 0.25)))),
            "GJK iteration limit 1, first direction (1, -2, 0.25)",
        ),
        (DEEP, AlgorithmSettings(epa=EpaSettings(iterations=2, gap=1e-6)), "EPA iteration limit 2, EPA gap 1e-06"),
        (
            DEEP,
            AlgorithmSettings(epa=EpaSettings(iterations=2), rounded="full"),
            "EPA iteration limit 2, curved shapes as full",
        ),
        # Settings of contacts do not concern GJK and EPA, and are not blamed.
        (DEEP, AlgorithmSettings(epa=EpaSettings(iterations=2), reduce=True, mpr=True), "EPA iteration limit 2"),
        # A direction of the plane has two numbers; round bodies as full curves take EPA some steps.
        (
            *(
                FLAT,
                AlgorithmSettings(
                    epa=EpaSettings(iterations=1), gjk=GjkSettings(first_direction=(1.0, 2.0, 7.0)), rounded="full"
                ),
            ),
            "first direction (1, 2), EPA iteration limit 1, curved shapes as full",
        ),
    ],
)
def test_a_changed_setting_is_blamed_by_name_and_value(scene: Scene, settings: AlgorithmSettings, listed: str) -> None:
    row = row_of(scene, settings, "GJK and EPA")
    assert row.reason is Reason.SETTING
    assert row.difference is not None
    more = "more" if row.difference > 0.0 else "less"
    start = f"{abs(row.difference):.4g} {more} than the reference, because of a changed setting ({listed}): "
    assert str(row.words) == f"{start}{row.stop}."
    assert row.separation - analyse(scene).separation == row.difference


def test_a_bound_that_is_not_met_is_a_limits_fault_and_says_how_far_its_bounds_are_apart() -> None:
    """Within LIMITED EPA stops early; asked without a setting it says so, and no setting is blamed."""
    known = analyse(RING)
    assert known.certainty.provenance is Provenance.BOUND
    live = query(analyse(RING, LIMITED))
    for row in methods_of(live):
        if row.precision == FLOAT64 and row.method in ("GJK and EPA", "EPA"):
            assert row.reason in (Reason.AGREES, Reason.LIMIT)
    single = [row for row in methods_of(query(known)) if row.precision == FLOAT32 and row.method == "GJK and EPA"]
    (row,) = single
    assert row.reason in (Reason.LIMIT, Reason.AGREES, Reason.TIE)
    assert row.certainty is not None
    assert row.certainty.provenance is Provenance.BOUND
    if row.reason is Reason.LIMIT:
        assert str(row.words).endswith(f"off: its bounds are still {row.certainty.gap:.4g} apart.")


def far(scene: Scene, by: float) -> Scene:
    a, b = (replace(body, position=tuple(by + x for x in body.position)) for body in (scene.a, scene.b))
    return Scene(a, b)


@pytest.mark.parametrize(
    "scene",
    [
        cubes(1.0, 1.0, (2.01, 0.3, 0.2)),
        far(cubes(1.0, 1.0, (2.01, 0.3, 0.2)), 3e5),
        far(cubes(1.0, 1.0, (1.3, 0.3, 0.2)), 3e6),
        far(DEEP, 1e6),
        far(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (2.003, 0.0, 0.0))), 2e6),
        far(Scene(Body(Sphere(1.0)), Body(Box((1.0, 1.0, 1.0)), (2.003, 0.0, 0.0))), 2e5),
    ],
)
def test_the_first_row_that_rounding_spoils_is_the_one_told_alone(scene: Scene) -> None:
    asked = query(analyse(scene))
    row = next((row for row in methods_of(asked) if row.reason is Reason.ROUNDING), None)
    found = wrong_in_single(asked.analysis)
    assert (found is None) is (row is None)
    if found is not None and row is not None:
        assert (found.algorithm, found.verdict, found.separation) == (row.method, row.verdict, row.separation)
        assert np.array_equal(found.normal, row.normal)
        assert str(row.words).startswith(str(found.words))


def test_what_is_lost_away_from_the_origin_is_told_under_its_setting() -> None:
    scene = cubes(1.0, 1.0, (2.01, 0.3, 0.2))
    known = analyse(scene)
    assert wrong_in_single(known) is None
    away = SingleSettings(away=1e6)
    found = wrong_in_single(known, away)
    assert found is not None
    row = row_of(scene, AlgorithmSettings(single=away), "SAT", FLOAT32)
    assert row.reason is Reason.ROUNDING
    assert row.separation == found.separation
    assert str(row.words).endswith("Positions of 1e+06 are 0.0625 apart in single precision.")
