"""The large Gauss map: alone in its pane, as wide as high, with a legend and a way back."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Layer, Subject
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.overlays.context import Context
from app.overlays.style import FINE
from app.panels.panel import MAP_WINDOW
from app.panels.viewport_top import CROSSING, LEGEND
from app.render.pictures import build
from app.render.still import planned
from app.state.export_options import GAUSS, ExportOptions
from app.state.view import Seen, View
from app.words.names import row_of
from core.analysis.analysis import analyse

from .asked import asks
from .panel_rig import Rig, drawn_place, panel_state, rig
from .window_rig import Driver, driver

__all__ = ["driver", "rig"]


def subjects(driver: Driver, pane: int) -> set[str]:
    placed = driver.app.builder.placed[pane]
    return {subject.kind for subject in placed.lines.subjects if subject is not None}


def test_it_has_a_pane_to_itself_and_keeps_its_shape(driver: Driver) -> None:
    app = driver.app
    driver.frame(3)
    before = [{label.text for label in placed.labels} for placed in app.builder.placed]
    app.invoke("overlay.gauss_large")
    driver.frame(4)
    world, difference = app.builder.placed
    said = {label.text for label in world.labels}
    # The map's own words, and nothing of the bodies; the difference stays.
    assert {"A.y", "A.z × B.y"} <= said
    assert not any("depth" in text or "overlap" in text for text in said)
    assert before[1] & {label.text for label in difference.labels}
    # As a ball it is as wide as high, and fills most of the pane.
    corners = world.triangles.corners[..., :2].reshape(-1, 2)
    wide, high = np.ptp(corners[:, 0]), np.ptp(corners[:, 1])
    rect = app.builder.panes[0].rect
    assert wide == pytest.approx(high, rel=0.02)
    assert wide > 0.6 * min(rect.width, rect.height)
    app.invoke("overlay.gauss_large")
    driver.frame(4)
    assert {label.text for label in app.builder.placed[0].labels} == before[0]


@pytest.mark.parametrize(("size", "ui_scale"), [((1280, 800), 1.0), ((1024, 768), 1.5), ((1024, 768), 2.0)])
def test_its_words_are_never_smaller_than_those_of_other_pictures(
    driver: Driver, size: tuple[int, int], ui_scale: float
) -> None:
    app = driver.app
    driver.window.set_size(*size)
    app.ask.configure(replace(app.preferences.settings, ui_scale=ui_scale))
    app.invoke("overlay.gauss_large")
    driver.frame(5)
    sizes = [label.size for label in app.builder.placed[0].labels]
    assert len(sizes) > 5
    assert min(sizes) >= FINE * app.window.extent.scale - 1e-6


@pytest.mark.parametrize("size", [(1920.0, 1080.0), (600.0, 900.0)])
def test_in_a_picture_it_is_in_the_middle_and_fills_the_shorter_side(size: tuple[float, float]) -> None:
    scene = load_preset("skew-edges").scene
    seen = Seen(scene, analyse(scene), ExportOptions(panes=GAUSS).looked_at(View()), DARK)
    ((rect, placed),) = planned(seen, *size, 1.0, titled=False).lay_out(1)
    corners = placed.triangles.corners[..., :2].reshape(-1, 2)
    low, high = corners.min(axis=0), corners.max(axis=0)
    assert 0.5 * (low + high) == pytest.approx((0.5 * rect.width, 0.5 * rect.height), abs=0.01 * min(size))
    assert (high - low).min() > 0.72 * min(size)


@pytest.mark.parametrize("shown", [frozenset({"gauss"}), frozenset({"gauss_large"}), frozenset({"globe"})])
def test_the_card_explains_the_large_map_and_switches(rig: Rig, shown: frozenset[str]) -> None:
    rig.watch("text_unformatted", "small_button")
    ui = panel_state(view=View(shown=shown))
    rig.settle(ui)
    large = "gauss_large" in shown
    assert (drawn_place(MAP_WINDOW) is not None) is (shown != {"globe"})
    assert all((words in rig.rects) is large for _, words in LEGEND)
    if shown != {"globe"}:
        assert asks.invoke("overlay.gauss_large") in rig.click(ui, "Smaller map" if large else "Larger map")
    rig.settle(panel_state(view=View(shown=frozenset())))
    assert drawn_place(MAP_WINDOW) is None, "it goes with the map"


def test_while_a_step_hides_its_answer_the_legend_stands_but_does_not_tell_what_a_crossing_builds(rig: Rig) -> None:
    rig.watch("text_unformatted")
    rig.settle(panel_state(view=View(shown=frozenset({"gauss_large"})), veil=frozenset({"mtv"})))
    (_, face_a), (_, face_b), (_, crossing) = LEGEND
    assert {face_a, face_b, CROSSING} <= rig.rects.keys()
    assert crossing not in rig.rects


@pytest.mark.parametrize(("pinned", "lit"), [("A.y", 0), ("A.x×B.x", 1)])
def test_a_alone_has_no_b_and_one_arc_with_its_edge_where_the_axis_lights_one(pinned: str, lit: int) -> None:
    """One thing more a step: points of faces first, then the arcs with one of them lit."""
    analysis = analyse(load_preset("skew-edges").scene)
    row = row_of(analysis.sat, pinned)
    assert row is not None
    shown = frozenset({"gauss_large", "gauss_body"})
    view = View(shown=shown, pin=Subject("axis", row))
    draw = build(Context(analysis.scene, analysis, view, DARK)).globe
    assert {label.text for label in draw.labels} == {"A.x", "A.y", "A.z"}
    subjects = {subject.number for marks in draw.marks for subject in marks.subjects if subject.kind == "axis"}
    assert subjects <= {0, 1, 2}, "the rows of A's faces"
    rgba = np.array(DARK.winner)
    chosen = [lines for lines in draw.segments if not lines.arrow_end and np.array_equal(lines.start_rgba[0], rgba)]
    assert [lines.layer for lines in chosen] == [Layer.NORMAL, Layer.STRONG][: 2 * lit], "the arc, and the edge on A"
