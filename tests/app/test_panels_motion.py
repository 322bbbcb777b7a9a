"""The bar and the panel of the motion: what they ask for, and that they stand in any window."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.io.presets import load_preset
from app.panels import motion as motion_panel
from app.panels.motion import axes_note
from app.panels.motion_bar import BAR_WINDOW, NO_MOTION, caught, mark_words, readings
from app.panels.text import ARTICLES_TITLE, right_words
from app.panels.viewport_bottom import hint_for
from app.state.panel_state import PanelState
from app.state.playback import DistanceCurve, Playback
from app.state.settings import Settings
from app.state.view import View
from app.words.digits import plain
from core.analysis.motion_answers import sweep
from core.query.query import query
from core.scene import Scene
from core.study.articles import motion_articles
from tests.app.panel_rig import PAIR, Rig, drawn_size, panel_state
from tests.app.test_motion import PRESETS, scene_of

from .asked import asks, of

CALM = Settings(panels=False)


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1000.0)
    made.watch("invisible_button")
    yield made
    made.close()


def moving(scene: Scene, **changes: object) -> PanelState:
    found = sweep(scene)
    curve = None if found is None else DistanceCurve(found.motion)
    while curve is not None and not curve.complete:
        curve.work(0.01)
    return panel_state(scene, **({"sweep": found, "curve": curve} | changes))


def looks(asked: list[object]) -> list[float | None]:
    return [request.view.time for request in asked if request.kind == "look"]


def test_the_bar_stands_only_while_the_motion_is_shown(rig: Rig) -> None:
    scene = scene_of("tunnelling")
    rig.settle(moving(scene, settings=CALM))
    assert drawn_size(BAR_WINDOW)[1] > 20.0
    rig.settle(moving(scene, settings=CALM, view=View(motion=False)))
    assert drawn_size(BAR_WINDOW)[1] == 0.0


@pytest.mark.parametrize("at", [0.05, 0.5, 0.95])
def test_the_track_is_scrubbed_and_the_impact_is_caught(rig: Rig, at: float) -> None:
    state = moving(scene_of("tunnelling"), settings=CALM)
    rig.settle(state)
    asked = looks(rig.click(state, "##motion track", at=at))
    assert asked
    assert asked[-1] == pytest.approx(at, abs=0.02)
    impact = state.sweep.result.time
    assert caught(state, impact + 0.001, 0.004) is None
    assert caught(state, impact + 0.01, 0.004) == round(impact + 0.01, 4)


def test_the_track_keeps_its_length_whatever_stands_beside_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: set[float] = set()
    monkeypatch.setattr(
        "app.panels.motion_bar.MotionBar._draw_track", lambda _bar, _ui, _time, width, _ask: lengths.add(width)
    )
    scene = scene_of("tunnelling")
    for state in (
        *(moving(scene, settings=CALM, view=View(time=time)) for time in (0.0, 0.4061, 1.0)),
        panel_state(scene, settings=CALM, sweep=None, view=View(time=0.5)),
    ):
        rig.settle(state)
    assert len(lengths) == 1


def test_a_press_on_the_track_ends_the_playing(rig: Rig) -> None:
    state = moving(scene_of("tunnelling"), settings=CALM, motion_playing=True)
    rig.settle(state)
    assert asks.invoke("motion.play") in rig.click(state, "##motion track", at=0.7)


@pytest.mark.parametrize("name", ["motion.play", "motion.start", "motion.impact"])
def test_every_button_asks_for_its_command(rig: Rig, name: str) -> None:
    state = moving(scene_of("tunnelling"), settings=CALM)
    rig.settle(state)
    assert rig.click(state, f"##{name}").count(asks.invoke(name)) == 1


def test_the_cross_hides_the_motion(rig: Rig) -> None:
    state = moving(scene_of("tunnelling"), settings=CALM)
    rig.settle(state)
    assert rig.click(state, "##close motion").count(asks.invoke("motion.show")) == 1


def test_the_motion_stays_in_front_when_the_plane_brings_another_tab(rig: Rig) -> None:
    for preset in ("turning-boxes", "flat-turning"):
        rig.settle(moving(load_preset(preset).scene))
        motion, axes = (imgui.internal.find_window_by_name(title) for title in ("Motion", "Axes"))
        assert motion.dock_id == axes.dock_id
        assert (motion.hidden, axes.hidden) == (False, True)


def test_the_hint_about_an_axis_is_of_the_start_while_the_bodies_move() -> None:
    state = moving(scene_of("tunnelling"), view=View(hover=Subject("axis", 0)))
    assert hint_for(state).startswith("A.x at the start, at right angles to A's faces +x and −x: decides: largest gap")
    assert hint_for(replace(state, sweep=None)).startswith("A.x, at right angles to A's faces +x and −x: decides")


def test_the_bar_says_what_is_marked_and_read() -> None:
    state = moving(scene_of("tunnelling"))
    assert readings(state) == "t = 0.422   impact at t = 0.422"
    assert readings(replace(state, view=View(time=0.25))) == "t = 0.25   impact at t = 0.422"
    # A contact soon after the start is no contact at the start.
    body = replace(state.document.scene.b, displacement=(4.2e5, 0.0, 0.0))
    soon = moving(replace(state.document.scene, b=body))
    assert soon.sweep is not None
    assert soon.sweep.result.time is not None
    assert readings(soon).endswith(f"impact at t = {plain(soon.sweep.result.time)}")
    assert soon.sweep.result.time > 0.0
    waits = replace(state, sweep=None, sweep_waits=True)
    assert readings(waits) == "t = 1   The answer is being computed"
    dragged = replace(waits, document=waits.document.previewed(waits.document.scene))
    assert readings(dragged) == "t = 1   The answer follows when you let go"
    marks = mark_words(state)
    assert [line.split(":")[0] for line in marks] == ["Diamond", "The latest entry", "The earliest exit"]
    assert mark_words(moving(scene_of("turning-boxes")))[0].startswith("Diamond")


@pytest.mark.parametrize("size", [(1280.0, 1000.0), (640.0, 480.0), (320.0, 240.0)])
@pytest.mark.parametrize("name", [*PRESETS, "skew-edges", "two-hulls"])
@pytest.mark.sampled(3, "windows")
def test_bar_and_panel_stand_in_any_window(
    monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[float, float]
) -> None:
    scene = load_preset(name).scene
    if name == "two-hulls":
        scene = replace(scene, b=replace(scene.b, displacement=(-3.0, 0.2, 0.1)))
    rig = Rig(monkeypatch, *size)
    try:
        for view in (View(motion=True), View(motion=True, time=0.3)):
            assert not [request for request in rig.settle(moving(scene, view=view)) if request.kind != "point"]
    finally:
        rig.close()


def test_pointing_at_a_bar_lights_its_axis_and_a_click_pins_it(rig: Rig) -> None:
    state = moving(scene_of("tunnelling"))
    rig.settle(state)
    window = imgui.internal.find_window_by_name("Motion")
    io = imgui.get_io()
    lit = set()
    for y in range(int(window.pos.y) + 40, int(window.pos.y + window.size.y), 6):
        io.add_mouse_pos_event(window.pos.x + 0.6 * window.size.x, y)
        lit |= {request.subject for request in rig.settle(state, 2) if request.kind == "point"}
        if lit == {Subject("axis", 3)}:
            break
        if Subject("axis", 2) in lit:
            io.add_mouse_button_event(0, True)
            asked = rig.frame(state)
            io.add_mouse_button_event(0, False)
            rig.frame(state)
            pins = [request.view.pin for request in asked if request.kind == "look"]
            assert len(pins) == 1
            assert pins[0] in lit
            break
    assert {subject.kind for subject in lit} == {"axis"}
    assert len(lit) >= 3


def test_an_entry_before_the_impact_is_explained() -> None:
    assert axes_note(sweep(scene_of("sphere-past-a-box"))).startswith("Round surfaces")
    for name in ("tunnelling", "turning-boxes", "resting-and-sliding"):
        assert axes_note(sweep(scene_of(name))) == ""


def test_while_the_answer_waits_the_panel_says_so(rig: Rig) -> None:
    rig.watch("text_unformatted")
    waits = moving(scene_of("tunnelling"), sweep=None, curve=None, sweep_waits=True)
    rig.settle(waits)
    assert any("is being computed" in text for text in rig.rects)
    rig.settle(replace(waits, document=waits.document.previewed(waits.document.scene)))
    assert any("follows when you let go" in text for text in rig.rects)


def test_without_any_motion_it_is_told_where_to_begin(rig: Rig) -> None:
    rig.watch("text_unformatted", "text_disabled")
    rig.settle(moving(PAIR, view=View(motion=True)))
    assert NO_MOTION in rig.rects


@pytest.mark.parametrize(
    ("field", "typed", "expected"),
    [("##displacement0", "1.5", (1.5, 0.0, 0.0)), ("##turn2", "90", (0.0, 0.0, 90.0))],
)
def test_the_motion_is_typed_in_units_and_degrees(
    rig: Rig, field: str, typed: str, expected: tuple[float, ...]
) -> None:
    state = moving(PAIR, view=View(motion=True))
    rig.settle(state)
    rig.click(state, field)
    rig.type(state, typed)
    edits = of("edit", rig.press(state, imgui.Key.enter))
    assert len(edits) == 1
    body = edits[0].scene.a
    found = body.displacement if "displacement" in field else tuple(degrees(v) for v in body.angular_displacement)
    assert found == expected
    assert edits[0].label == "Type motion of A"


def test_the_fields_stand_only_with_the_motion(rig: Rig) -> None:
    rig.settle(moving(PAIR))
    assert "##displacement0" not in rig.rects
    rig.settle(moving(PAIR, view=View(motion=True)))
    assert "##displacement0" in rig.rects


def test_the_bar_gives_way_to_the_timeline(rig: Rig) -> None:
    state = moving(scene_of("tunnelling"), settings=CALM)
    rig.settle(state)
    asked = query(state.analysis)
    rig.settle(replace(state, query=asked, playback=Playback(open=True)))
    assert drawn_size(BAR_WINDOW)[1] == 0.0


def test_the_articles_mistakes_stand_beside_the_right_answer(rig: Rig) -> None:
    rig.watch("text_unformatted")
    state = moving(scene_of("latest-axis-by-one-sign"))
    rig.settle(state)
    assert "The latest axis with a fixed sign" in rig.rects
    assert any("instead of t\u00a0=\u00a0" in text and "fixed sign" in text for text in rig.rects)
    assert "3 more are correct for this motion." in rig.rects
    # A motion that all are right about counts them.
    assert right_words(2, 0, "this motion") == "All 2 are correct for this motion."
    assert right_words(1, 3, "this motion") == "One more is correct for this motion."


def test_a_click_on_a_mistake_shows_the_bodies_at_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # High enough for the whole panel: what is scrolled away cannot be clicked.
    rig = Rig(monkeypatch, 1280.0, 2400.0)
    rig.watch("text_unformatted")
    try:
        state = moving(scene_of("latest-axis-by-one-sign"))
        rig.settle(state)
        answers = motion_articles(state.document.scene, state.sweep)
        wrong = next(answer for answer in answers if answer.id == "P9-as-printed")
        assert looks(rig.click(state, "The latest axis with a fixed sign", at=0.1)) == [wrong.time]
    finally:
        rig.close()


def test_the_articles_are_asked_once_for_each_motion_and_wait_while_it_is_dragged(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Scene] = []
    monkeypatch.setattr(
        motion_panel, "motion_articles", lambda *given: (asked.append(given[0]), motion_articles(*given))[1]
    )
    rig.watch("text_unformatted")
    state = moving(scene_of("balls-head-on"))
    rig.settle(state, 6)
    assert len(asked) == 1
    moved = replace(state.document.scene.a, displacement=(2.0, 0.0, 0.0))
    dragged = replace(state.document.scene, a=moved)
    document = replace(state.document, preview=dragged)
    rig.settle(moving(dragged, document=document))
    assert len(asked) == 1
    assert any("updated when you let go" in text for text in rig.rects)
    rig.settle(moving(dragged))
    assert len(asked) == 2
    assert not any("updated when you let go" in text for text in rig.rects)


def test_of_bodies_that_turn_no_article_is_quoted(rig: Rig) -> None:
    rig.watch("separator_text")
    rig.settle(moving(scene_of("turning-boxes")))
    assert "Every method" in rig.rects
    assert ARTICLES_TITLE not in rig.rects
