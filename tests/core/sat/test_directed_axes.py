"""Every row of the axis table turned from A towards B: one formula for the separation, and the normal's direction."""

from __future__ import annotations

import numpy as np
import pytest

from app.io.presets import load_preset, presets
from core.analysis.analysis import Analysis, analyse
from core.sat.table import AxisStatus, Directed
from core.scene import Body, Scene
from core.shapes import Box
from tests.oracles import support_gap

NAMES = [preset.id for preset in presets()]


def analysed(name: str) -> Analysis:
    return analyse(load_preset(name).scene)


def rows_of(found: Analysis) -> list[int]:
    return [row for row, status in enumerate(found.sat.statuses) if status is not AxisStatus.DEGENERATE]


@pytest.mark.parametrize("name", NAMES)
def test_the_separation_is_min_b_less_max_a_to_the_last_digit(name: str) -> None:
    found = analysed(name)
    turned = found.sat.directed
    for row in rows_of(found):
        assert turned.interval_b[row, 0] - turned.interval_a[row, 1] == found.sat.separations[row]
        assert (turned.interval_a[row, 0] <= turned.interval_a[row, 1]).all()
        assert abs(turned.axes[row]).tolist() == abs(found.sat.axes[row]).tolist()
        assert (turned.axes[row] == found.sat.sides[row] * found.sat.axes[row]).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_gap_seen_along_the_direction_by_support_points_alone_is_the_separation(name: str) -> None:
    found = analysed(name)
    if any(body.shape.plane is not None for body in (found.scene.a, found.scene.b)):
        return
    size = max(float(np.abs(found.sat.directed.interval_b[rows_of(found)]).max(initial=1.0)), 1.0)
    for row in rows_of(found):
        seen = support_gap(found.scene, found.sat.directed.axes[row])
        assert seen == pytest.approx(found.sat.separations[row], abs=1e-12 * size)


@pytest.mark.parametrize("name", NAMES)
def test_where_the_table_is_exact_the_winners_direction_is_the_normal(name: str) -> None:
    found = analysed(name)
    if not found.sat.exact or found.sat.winner not in rows_of(found):
        return
    assert found.sat.directed.axes[found.sat.winner] == pytest.approx(found.sat.normal, abs=0.0)
    if not found.sat.ties:
        assert found.sat.directed.axes[found.sat.winner] == pytest.approx(found.normal, abs=1e-9)


def test_the_presets_have_rows_of_both_sides_and_exact_tables_apart_and_overlapping() -> None:
    tables = [analysed(name).sat for name in NAMES]
    assert sum(int((table.sides < 0).sum()) for table in tables) > 50
    assert sum(int((table.sides > 0).sum()) for table in tables) > 50
    assert {table.separation > 0.0 for table in tables if table.exact} == {True, False}


def test_b_to_the_left_turns_axis_intervals_and_offset() -> None:
    found = analyse(Scene(Body(Box((2.0, 2.0, 2.0)), (10.0, 0.0, 0.0)), Body(Box((1.0, 1.0, 1.0)), (7.0, 0.0, 0.0))))
    turned = found.sat.directed
    assert turned.axes[0].tolist() == [-1.0, 0.0, 0.0]
    assert turned.interval_a[0].tolist() == [-1.0, 1.0]
    assert turned.interval_b[0].tolist() == [2.5, 3.5]
    assert (turned.interval_b[0] + turned.offset[0]).tolist() == [-7.5, -6.5]
    assert not np.signbit(turned.axes[turned.axes == 0.0]).any()


def test_an_end_without_end_keeps_its_sign_by_the_turn() -> None:
    ends = np.array((-np.inf, 0.5)), np.array((1.0, 2.0))
    turned = Directed.of(np.array((0.0, 1.0, 0.0)), -1, *ends)
    assert turned.interval_a.tolist() == [-0.5, np.inf]
    assert turned.interval_b.tolist() == [-2.0, -1.0]
