"""The timeline: where the steps stand on its track, what is marked, and what mouse and buttons ask for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.commands.command_list import command_table
from app.panels.timeline import (
    TIMELINE_WINDOW,
    TrackMarks,
    TrackSegment,
    counter,
    place_at,
    segments,
    step_tooltip,
    x_of,
)
from app.state.panel_state import MenuEntry, PanelState
from app.state.playback import SPEEDS, Playback, at_place, place_of
from app.state.settings import Settings
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Ellipsoid
from tests.app.panel_rig import PAIR, Rig, drawn_size, panel_state

from .asked import Asked, asks

CALM = Settings(panels=False)
TURNED = quaternion.from_euler_xyz(0.3, 0.4, 0.5)
APART = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.2, 1.5, 0.3), TURNED))
SMOOTH = Scene(Body(Ellipsoid((1.0, 1.0, 1.0))), Body(Ellipsoid((0.7, 0.7, 0.7)), (0.0, 0.01, 0.0)))
MEETING = query(analyse(PAIR))
BUTTONS = ("steps.first", "steps.back", "steps.play", "steps.next", "steps.last", "steps.stop", "steps.loop")
COMMANDS = tuple(
    MenuEntry(id=c.id, title=c.title, group=c.group, keys=c.keys, tip=c.tip, enabled=True, checked=None)
    for c in command_table(()).commands
)


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch)
    made.watch("invisible_button")
    yield made
    made.close()


def shown(asked: Query = MEETING, place: int = 0, **playback: object) -> PanelState:
    there = replace(at_place(Playback(open=True), asked, place), **playback)
    return panel_state(
        asked.analysis.scene, settings=CALM, commands=lambda: COMMANDS, playback=there, query=asked, place=place
    )


def played(asked: list[Asked]) -> list[Playback]:
    return [request.playback for request in asked if request.kind == "play"]


# The track.


def track_of(counts: dict[Phase, int], width: float) -> list[TrackSegment]:
    phases, first = [], 0
    for phase, count in counts.items():
        phases.append((phase, first, count))
        first += count
    return segments(phases, [40.0] * len(phases), 10.0, 10.0 + width, 3.0, 5.0)


@pytest.mark.parametrize("width", [80.0, 300.0, 1280.0, 4000.0])
@pytest.mark.parametrize("sat", [1, 15, 381, 20000])
def test_the_track_is_filled_in_order_and_no_phase_is_lost(sat: int, width: float) -> None:
    track = track_of({Phase.SAT: sat, Phase.GJK: 3, Phase.EPA: 6, Phase.CONTACTS: 2}, width)
    assert track[0].left == 10.0
    assert track[-1].right == pytest.approx(10.0 + width)
    for one, other in pairwise(track):
        assert other.left - one.right == pytest.approx(3.0)
        assert one.right > one.left
    if width >= 300.0:
        assert all(segment.named for segment in track)
        assert min(segment.right - segment.left for segment in track) >= 40.0


def test_every_step_is_found_where_it_stands_and_outside_are_the_ends() -> None:
    track = track_of({Phase.SAT: 15, Phase.GJK: 3, Phase.EPA: 6}, 600.0)
    places = [x_of(track, place) for place in range(24)]
    assert places == sorted(places)
    assert [place_at(track, x) for x in places] == list(range(24))
    assert (place_at(track, -1e6), place_at(track, 1e6)) == (0, 23)
    border = 0.5 * (track[0].right + track[1].left)
    assert place_at(track, border) == 14


def test_ticks_are_thinned_out_to_stand_apart() -> None:
    track = track_of({Phase.SAT: 20000, Phase.GJK: 3}, 1000.0)
    many, few = track[0], track[1]
    ticks = many.ticks(5.0)
    assert 20 < len(ticks) < 300
    assert many.x_of(ticks[1]) - many.x_of(ticks[0]) >= 5.0
    assert list(few.ticks(5.0)) == [0, 1, 2]


# Marks and words.


def test_the_first_gap_is_marked_where_an_early_out_ends() -> None:
    asked = query(analyse(APART))
    (place,) = TrackMarks.of(asked).flags
    separations = asked.analysis.sat.separations[: place + 1]
    assert (separations[:-1] <= 0.0).all()
    assert separations[-1] > 0.0
    assert "stops here" in step_tooltip(asked, place, TrackMarks.of(asked))
    assert step_tooltip(asked, place, TrackMarks.of(asked), reached=False) == "SAT 2 of 15: A.y"
    assert TrackMarks.of(MEETING).flags == {}


def test_every_phase_ends_with_a_stop_and_a_limit_is_a_failure() -> None:
    marks = TrackMarks.of(MEETING)
    assert marks.stops == {first + count - 1 for _, first, count in MEETING.phases}
    assert marks.failures == {}
    limited = query(analyse(SMOOTH), replace(DEFAULT_SETTINGS, rounded="full", epa=EpaSettings(iterations=5)))
    last = next(first + count - 1 for phase, first, count in limited.phases if phase is Phase.EPA)
    assert TrackMarks.of(limited).failures == {last: "EPA gave up here: iteration limit"}
    assert "iteration limit" in step_tooltip(limited, last, TrackMarks.of(limited))
    tired = query(MEETING.analysis, AlgorithmSettings(gjk=GjkSettings(iterations=1)))
    assert any("GJK gave up here" in why for why in TrackMarks.of(tired).failures.values())


def test_a_step_is_named_with_its_number_and_its_axis() -> None:
    assert counter(MEETING.moments[2]) == "SAT 3 of 15"
    label = MEETING.analysis.sat.candidates[2].label
    assert step_tooltip(MEETING, 2, TrackMarks.of(MEETING)) == f"SAT 3 of 15: {label}"


# Mouse and buttons.


def test_the_timeline_takes_its_room_from_the_viewport_and_gives_it_back(rig: Rig) -> None:
    heights = []
    for ui in (panel_state(settings=CALM), shown(), panel_state(settings=CALM)):
        rig.settle(ui)
        assert ("##track" in rig.rects) == (ui.query is not None)
        heights.append(imgui.get_main_viewport().work_size.y)
        assert heights[0] - heights[-1] == drawn_size(TIMELINE_WINDOW)[1]
    assert heights[0] == heights[2]
    assert 40.0 < heights[0] - heights[1] < 110.0


def test_a_press_on_the_track_goes_there_and_a_drag_scrubs(rig: Rig) -> None:
    ui = shown(place=3, playing=True)
    rig.settle(ui)
    left, top, right, bottom = rig.rects["##track"][0]
    io, y = imgui.get_io(), 0.5 * (top + bottom)
    seen = []
    io.add_mouse_pos_event(left + 2.0, y)
    rig.settle(ui, 2)
    io.add_mouse_button_event(0, True)
    for x in (left + 2.0, 0.5 * (left + right), right - 2.0, right + 500.0):
        io.add_mouse_pos_event(x, y)
        for playback in played(rig.frame(ui)):
            ui = replace(ui, playback=playback)
        seen.append(place_of(ui.playback, MEETING))
    io.add_mouse_button_event(0, False)
    rig.settle(ui)
    assert (seen[0], seen[2], seen[3]) == (0, len(MEETING.moments) - 1, len(MEETING.moments) - 1)
    assert seen[0] < seen[1] < seen[2]
    assert not ui.playback.playing


def test_the_wheel_steps_on_the_track_and_parts_of_notches_add_up(rig: Rig) -> None:
    ui = shown(place=5)
    rig.settle(ui)
    rig.point_at("##track")
    rig.settle(ui)
    for notches, wanted in ((-1.0, [6]), (1.0, [4]), (-0.5, []), (-0.5, [6])):
        imgui.get_io().add_mouse_wheel_event(0.0, notches)
        assert [place_of(p, MEETING) for p in played(rig.frame(ui))] == wanted


def test_every_button_asks_for_its_command(rig: Rig) -> None:
    ui = shown(place=5)
    rig.settle(ui)
    for name in (*BUTTONS, "steps.timeline"):
        assert rig.click(ui, f"##{name}") == [asks.invoke(name)]


def test_what_leads_nowhere_cannot_be_pressed(rig: Rig) -> None:
    for place, dead in ((0, BUTTONS[:2]), (len(MEETING.moments) - 1, BUTTONS[3:6])):
        ui = shown(place=place)
        rig.settle(ui)
        for name in BUTTONS:
            assert rig.click(ui, f"##{name}") == ([] if name in dead else [asks.invoke(name)])


def test_the_speed_is_chosen_from_a_list(rig: Rig) -> None:
    ui = shown()
    rig.settle(ui)
    rig.click(ui, "##speed")
    rig.settle(ui)
    assert [playback.speed for playback in played(rig.click(ui, "8 steps/s"))] == [SPEEDS[-1]]


@pytest.mark.parametrize(("width", "lost"), [(1280.0, set()), (330.0, {"steps.loop"}), (240.0, {"steps.first"})])
def test_a_narrow_window_keeps_what_matters_most(monkeypatch: pytest.MonkeyPatch, width: float, lost: set[str]) -> None:
    rig = Rig(monkeypatch, width, 480.0)
    rig.watch("invisible_button")
    ui = shown(place=5)
    rig.settle(ui)
    there = {name for name in (*BUTTONS, "steps.timeline") if f"##{name}" in rig.rects}
    assert {"steps.back", "steps.play", "steps.next", "steps.timeline"} <= there
    assert not lost & there
    if not lost:
        assert there == {*BUTTONS, "steps.timeline"}
    boxes = sorted(rig.rects[f"##{name}"][0] for name in there)
    assert all(one[2] < other[0] for one, other in pairwise(boxes)), "controls overlap"
    assert boxes[-1][2] <= width
    rig.close()


def test_the_way_in_stands_by_the_verdict_until_it_is_taken(rig: Rig) -> None:
    ui = panel_state(settings=CALM)
    rig.settle(ui)
    assert rig.click(ui, "##step through") == [asks.invoke("steps.timeline")]
    rig.settle(shown())
    assert "##step through" not in rig.rects
