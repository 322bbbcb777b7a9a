"""The axis table: rows that light and pin their axes, their order, and bars on one scale."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.io.presets import load_preset
from app.panels.axis_row import ScreenScale
from app.panels.axis_table import count_words, focus_of, row_order
from app.panels.numbers import vector17
from app.state.sat_progress import SatProgress
from app.state.view import View
from app.words.digits import full
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Circle, HalfSpace, Hull, Sphere

from .asked import asks, of
from .panel_rig import PAIR, Rig, panel_state, rig

__all__ = ["rig"]


def test_pointing_at_a_row_points_at_its_axis_and_a_click_pins_it(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    asked = rig.click(ui, "##row", 7, at=0.1)
    assert {one.subject for one in of("point", asked)} == {Subject("axis", 7)}
    assert [look.view.pin for look in of("look", asked)] == [Subject("axis", 7)]
    pinned = replace(ui, view=View(pin=Subject("axis", 7)))
    assert [look.view.pin for look in of("look", rig.click(pinned, "##row", 7, at=0.1))] == [None]
    rig.point_away()
    rig.settle(ui)
    assert not of("point", rig.frame(ui))


def test_a_click_on_the_number_copies_it_and_pins_nothing(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    asked = rig.click(ui, "##row", 4, at=0.8)
    assert of("copy", asked) == [asks.copy(full(float(ui.analysis.sat.separations[4])), "separation on B.y")]
    assert not of("look", asked)


def test_the_axis_in_focus_copies_its_direction_and_its_intervals(rig: Rig) -> None:
    rig.watch("text_unformatted")
    ui = panel_state(view=View(pin=Subject("axis", 4)))
    rig.settle(ui)
    turned = ui.analysis.sat.directed
    copied = {}
    for label in [text for text in rig.rects if text.startswith(("A −", "B −", "axis ("))]:
        (copy,) = of("copy", rig.click(ui, label, at=0.1))
        copied[copy.what] = copy.text
    assert copied == {
        "A of B.y": vector17(turned.interval_a[4] + turned.offset[4]),
        "B of B.y": vector17(turned.interval_b[4] + turned.offset[4]),
        "axis of B.y": vector17(turned.axes[4]),
    }


def test_pointing_at_a_number_still_points_at_its_row(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    rig.point_at("##row", 4, at=0.8)
    assert asks.point(Subject("axis", 4)) in rig.settle(ui)


def test_the_focus_is_hover_then_pin_then_winner() -> None:
    ui = panel_state()
    assert focus_of(ui) == ui.analysis.sat.winner
    assert focus_of(replace(ui, view=View(pin=Subject("axis", 2)))) == 2
    assert focus_of(replace(ui, view=View(pin=Subject("axis", 2), hover=Subject("axis", 5)))) == 5
    assert focus_of(replace(ui, view=View(pin=Subject("axis", 99)))) == ui.analysis.sat.winner


def test_rows_sort_by_separation_with_the_directionless_last() -> None:
    table = analyse(load_preset("stacked-cubes").scene).sat
    order = row_order(table, by_separation=True, descending=True)
    values = [float(table.separations[k]) for k in order]
    known = [v for v in values if not np.isnan(v)]
    assert known == sorted(known, reverse=True)
    assert all(np.isnan(v) for v in values[len(known) :])
    assert sorted(order) == list(range(len(values)))
    assert row_order(table, by_separation=False, descending=False).tolist() == list(range(len(values)))


def many_axes() -> Scene:
    """Two hulls with some hundreds of axes, the winner far down in the order of the families."""
    rng = np.random.default_rng(7)
    hulls = [Hull.of(row / np.sqrt((row * row).sum(axis=1))[:, None]) for row in rng.normal(size=(2, 40, 3))]
    return Scene(Body(hulls[0]), Body(hulls[1], (1.0, 0.5, 0.2)))


def test_a_long_table_opens_at_the_winner(rig: Rig) -> None:
    ui = panel_state(many_axes())
    winner = ui.analysis.sat.winner
    assert winner > 30
    rig.watch("selectable")
    rig.settle(ui)
    rig.point_at("##row", 0)
    assert asks.point(Subject("axis", winner)) in rig.settle(ui)
    assert len(rig.rects["##row"]) < 40 < len(ui.analysis.sat.candidates)


def test_a_short_table_keeps_the_order_of_the_families_and_shows_the_winner(rig: Rig) -> None:
    ui = panel_state()
    rig.settle(ui)
    rig.point_at("##row", 0)
    assert asks.point(Subject("axis", 0)) in rig.settle(ui)


def test_the_heading_says_how_many_axes_there_are() -> None:
    table = analyse(many_axes()).sat
    assert count_words(panel_state().sat_progress) == "15 axes"
    assert count_words(SatProgress(table)) == f"{len(table.candidates):,} axes"
    many = replace(table, candidates=table.candidates * 9)
    assert count_words(SatProgress(many)) == f"{9 * len(table.candidates):,} axes"
    assert count_words(SatProgress(replace(table, candidates=table.candidates[:1]))) == "axis"


def test_of_equal_separations_the_winner_comes_first() -> None:
    table = analyse(load_preset("stacked-cubes").scene).sat
    equal = replace(table, separations=np.where(np.isnan(table.separations), np.nan, -1.0), winner=3)
    assert row_order(equal, by_separation=True, descending=True)[0] == 3


def test_every_interval_fits_the_common_scale() -> None:
    table = analyse(load_preset("stacked-cubes").scene).sat
    scale = ScreenScale.of(table)
    ends = [
        scale.at(float(v), 100.0, 50.0)
        for v in np.concatenate([table.directed.interval_a, table.directed.interval_b]).ravel()
    ]
    finite = [x for x in ends if not np.isnan(x)]
    assert min(finite) == pytest.approx(100.0)
    assert max(finite) == pytest.approx(150.0)


def test_an_interval_without_end_goes_to_the_columns_edge() -> None:
    scene = replace(PAIR, b=Body(HalfSpace((0.0, 1.0, 0.0), 0.0)))
    table = analyse(scene).sat
    scale = ScreenScale.of(table)
    turned = table.directed
    assert scale.at(float(turned.interval_b[0, 1]), 100.0, 50.0) == 150.0
    assert [100.0 <= scale.at(float(end), 100.0, 50.0) < 145.0 for end in turned.interval_a[0]] == [True, True]


@pytest.mark.parametrize(
    "scene",
    [
        Scene(Body(Sphere(1.0)), Body(Sphere(0.5))),
        Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5))),
    ],
)
def test_two_balls_about_one_centre_have_a_row_without_bars(rig: Rig, scene: Scene) -> None:
    ui = panel_state(scene)
    rig.settle(ui)
    assert len(rig.rects["##row"]) == 1
    assert ScreenScale.of(ui.analysis.sat).span > 0.0


def test_a_row_pointed_at_in_the_viewport_comes_into_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Rig(monkeypatch, 900.0, 400.0)
    try:
        ui = panel_state()
        low.settle(ui)
        assert len(low.rects["##row"]) < 15, "rows out of sight are not drawn"
        low.settle(replace(ui, view=View(hover=Subject("axis", 14))))
        low.settle(ui)
        (pinned,) = of("look", low.click(ui, "##row", len(low.rects["##row"]) - 1, at=0.1))
        assert pinned.view.pin == Subject("axis", 14)
    finally:
        low.close()
