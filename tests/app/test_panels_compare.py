"""The panels of comparison: side by side, algorithm settings and their chip, edge-case tools, the through-zero plot."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan, pi

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.commands.command_list import compare_commands
from app.controllers.edits import EDGE_ACTIONS
from app.panels import through_zero
from app.panels.algorithm_settings import DIRECTION_WORDS, chip_words
from app.panels.numbers import vector17
from app.panels.setting_rows import GROUPS
from app.panels.side_by_side import Go, cell_words, reported, shorter_words
from app.panels.through_zero import LINES, default_length, path_of, place_words
from app.panels.through_zero_chart import events_of, reading, winners
from app.state.panel_state import Dialogs, PanelState
from app.state.playback import moment_of
from app.state.settings import Settings
from app.words.digits import Digits, full, written_with
from app.words.quantities import QUANTITIES
from core.analysis.algorithm_settings import (
    DEFAULT_SETTINGS,
    SETTING_NAMES,
    WITHOUT_EFFECT,
    AlgorithmSettings,
    changed_settings,
)
from core.analysis.analysis import analyse
from core.gjk.gjk import GjkSettings
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box, HalfSpace, Sphere
from core.study.lab.side_by_side import articles_of, methods_of, side_by_side
from core.study.lab.through_zero import Sweep, sliding, sweep
from core.trace import run
from core.verdict import Verdict
from tests.app.panel_rig import PAIR, Rig, panel_state
from tests.strategies import cubes

from .asked import Kept, asks, of
from .compare_rig import drawn_texts, opened, plotted

CORNERS = cubes(1.0, 1.0, (2.3, 2.3, 2.3))


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1000.0)
    yield made
    made.close()


def test_closed_panels_draw_nothing_and_hidden_sides_hide_them(rig: Rig) -> None:
    rig.settle(panel_state())
    for title in ("Side by side", "Settings", "Edge cases", "Through zero"):
        assert imgui.internal.find_window_by_name(title) is None
    ui = panel_state(dialogs=Dialogs(docked=("compare", "knobs")), settings=Settings(panels=False))
    rig.settle(ui)
    assert imgui.internal.find_window_by_name("Settings") is None
    assert "compare" in ui.dialogs.docked


@pytest.mark.parametrize(
    ("name", "title", "beside"),
    [
        ("compare", "Side by side", "Axes"),
        ("through_zero", "Through zero", "Axes"),
        ("knobs", "Settings", "Bodies"),
        ("edge_tools", "Edge cases", "Bodies"),
    ],
)
def test_an_opened_panel_is_a_tab_in_front(rig: Rig, name: str, title: str, beside: str) -> None:
    rig.settle(panel_state())
    rig.settle(opened(name))
    window, neighbour = (imgui.internal.find_window_by_name(one) for one in (title, beside))
    assert window.dock_id == neighbour.dock_id
    assert not window.hidden
    assert neighbour.hidden


def test_a_panel_stays_in_front_when_another_window_closes(rig: Rig) -> None:
    # All of the docked panels come in one frame, as by a command while they were hidden.
    rig.settle(panel_state(settings=Settings(panels=False)))
    rig.settle(opened("compare"))
    rig.settle(panel_state(PAIR, dialogs=Dialogs(docked=("compare",), palette=True)))
    rig.settle(opened("compare"))
    side, axes = (imgui.internal.find_window_by_name(one) for one in ("Side by side", "Axes"))
    assert not side.hidden
    assert axes.hidden


def test_numbers_of_a_narrow_column_lose_digits_and_never_their_exponent() -> None:
    rows = side_by_side(query(analyse(PAIR)))
    tiny = [replace(row, separation=value) for row, value in zip(rows, (-0.3131202, 6.10325e-17, 4e10), strict=False)]
    assert [list(shorter_words(row))[1:-1] for row in tiny] == [
        ["✓ −0.31312", "✓ −0.3131", "✓ −0.313", "✓ −0.31"],
        ["✓ +6.1032e−17", "✓ +6.103e−17", "✓ +6.10e−17", "✓ +6.1e−17"],
        ["✓ +4.0000e10", "✓ +4.000e10", "✓ +4.00e10", "✓ +4.0e10"],
    ]


def test_side_by_side_tells_the_difference_and_a_click_steps_there(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ui = opened("compare", CORNERS)
    texts = drawn_texts(rig, ui, monkeypatch)
    assert "SAT, float64: a bound, not the distance" in texts
    assert any("0.22 smaller" in text for text in texts)
    with written_with(Digits.SIX):
        assert any("0.219615 smaller" in text for text in drawn_texts(rig, ui, monkeypatch))
    asked = rig.click(ui, "≥ +0.300000")
    (play,) = of("play", asked)
    assert play.kind == "play"
    assert play.playback.open
    assert play.playback.phase is Phase.SAT
    assert play.playback.index == ui.analysis.sat.winner
    assert not play.playback.playing


def test_the_explicit_hull_steps_to_its_building_which_the_click_opens(rig: Rig) -> None:
    ui = opened("compare", cubes(1.0, 1.0, (1.3, 1.2, 1.1)))
    rig.settle(ui)
    # SAT, GJK and EPA, EPA, the explicit hull and the contacts, in double and three of them in single precision.
    hull = next(row for row in side_by_side(query(ui.analysis)) if row.method == "explicit hull")
    go = Go(ui, query(ui.analysis), Kept())
    assert go.words(hull) == "Click to go to the step where it arises, with the setting difference built by hand on"
    go(hull)
    tune, play = go.ask.taken()
    assert tune == asks.tune(AlgorithmSettings(build=True))
    assert play.kind == "play"
    assert (play.playback.open, play.playback.phase) == (True, Phase.BUILD)
    built = query(ui.analysis, AlgorithmSettings(build=True))
    assert moment_of(play.playback, built).last
    assert moment_of(play.playback, built).phase is Phase.BUILD
    # Built already, nothing is turned.
    go = Go(replace(ui, algorithm_settings=AlgorithmSettings(build=True)), built, Kept())
    assert go.words(hull).startswith("Click to go to Difference ")
    go(hull)
    assert [asked.kind for asked in go.ask.taken()] == ["play"]


def test_a_closed_form_has_no_step_and_says_so(rig: Rig) -> None:
    scene = Scene(Body(Sphere(1.0)), Body(Sphere(0.5), (1.2, 0.0, 0.0)))
    ui = opened("compare", scene)
    rig.settle(ui)
    asked = query(ui.analysis)
    closed = next(row for row in side_by_side(asked) if row.method == "closed form")
    assert Go(ui, asked, Kept()).words(closed) == "No step shows this: it is compared with the answer itself."
    assert not Go(ui, asked, Kept()).possible(closed)
    # From the steps a click goes back to the answer.
    go = Go(replace(ui, query=asked, playback=replace(ui.playback, open=True)), asked, Kept())
    assert go.words(closed).endswith("Click to go from the steps back to the answer")
    go(closed)
    (play,) = go.ask.taken()
    assert play.kind == "play"
    assert not play.playback.open


def test_side_by_side_is_computed_once_for_each_pair(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.panels import side_by_side as panel

    counted: list[Query] = []
    monkeypatch.setattr(panel, "methods_of", lambda asked, **how: (counted.append(asked), methods_of(asked, **how))[1])
    ui = opened("compare", CORNERS)
    rig.settle(ui, 6)
    assert len(counted) == 1
    rig.settle(replace(ui, algorithm_settings=AlgorithmSettings(build=True)), 3)
    assert len(counted) == 2
    # A drag is followed in every frame; where the first one took too long, the others wait and say so.
    said: list[str] = []
    monkeypatch.setattr(panel, "say", lambda text, *_: said.append(text))
    monkeypatch.setattr(panel, "LIVE_SECONDS", 60.0)
    for offset in (0.0, 0.25, 0.5):
        rig.settle(dragged(ui, offset), 2)
    assert len(counted) == 5
    assert not any(text.startswith("Still the previous pair") for text in said)
    rig.settle(ui, 2)
    assert len(counted) == 6
    monkeypatch.setattr(panel, "LIVE_SECONDS", 0.0)
    said.clear()
    for offset in (0.25, 0.5, 0.75):
        rig.settle(dragged(ui, offset), 2)
        assert any(text.startswith("Still the previous pair") for text in said) == (offset > 0.25)
    assert len(counted) == 7
    rig.settle(ui, 2)
    assert len(counted) == 8
    assert counted[-1].analysis is ui.analysis
    said.clear()
    rig.settle(ui, 2)
    assert not any(text.startswith("Still the previous pair") for text in said)
    # It took too long at rest: the next drag waits from its first frame.
    rig.settle(dragged(ui, 0.25), 2)
    assert len(counted) == 8
    assert any(text.startswith("Still the previous pair") for text in said)


def test_articles_out_of_sight_wait_until_a_drag_rests(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.panels import side_by_side as panel

    counted: list[Query] = []
    monkeypatch.setattr(panel, "articles_of", lambda asked: (counted.append(asked), articles_of(asked))[1])
    monkeypatch.setattr(panel, "LIVE_SECONDS", 60.0)
    ui = opened("compare", CORNERS)
    rig.settle(ui, 6)
    for offset in (0.25, 0.5):
        rig.settle(dragged(ui, offset), 2)
    assert len(counted) == 3
    # As where the methods fill the whole height.
    monkeypatch.setattr(panel.imgui, "get_window_height", lambda: 40.0)
    moved = dragged(ui, 0.75)
    rig.settle(moved, 2)
    assert len(counted) == 3
    rig.settle(replace(moved, document=moved.document.edited(moved.document.scene, "Move")), 2)
    assert len(counted) == 4
    assert counted[-1].analysis is moved.analysis


def dragged(ui: PanelState, offset: float) -> PanelState:
    """B on its way, `offset` from where it stands."""
    b = ui.document.committed.b
    x, y, z = b.position
    scene = replace(ui.document.committed, b=replace(b, position=(x + offset, y, z)))
    return replace(ui, document=ui.document.previewed(scene), analysis=analyse(scene))


def test_side_by_side_uses_the_query_that_is_shown(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.panels import side_by_side as panel

    counted: list[object] = []
    monkeypatch.setattr(panel, "methods_of", lambda asked, **how: (counted.append(asked), methods_of(asked, **how))[1])
    analysis = analyse(PAIR)
    shown = query(analysis)
    rig.settle(opened("compare", analysis=analysis, query=shown))
    assert counted == [shown]


def test_cells_carry_a_mark_beside_the_colour() -> None:
    rows = side_by_side(query(analyse(CORNERS)))
    assert cell_words(rows[0]) == "≥ +0.300000"
    assert cell_words(rows[2]) == "✓ +0.519615"
    kiss = side_by_side(query(analyse(cubes(1.0, 1.0, (2.0, 0.0, 0.0)))))
    wrong = next(row for row in kiss if row.article == "S5-touching-apart")
    assert wrong.verdict is Verdict.SEPARATED
    assert cell_words(wrong).startswith("≠")


def test_every_setting_has_its_row_and_its_note() -> None:
    rows = [row for rows in GROUPS.values() for row in rows]
    assert sorted(row.path for row in rows) == sorted(SETTING_NAMES)
    assert all(row.note.endswith(".") for row in rows)
    assert DIRECTION_WORDS[None] == "towards B"


def test_a_typed_setting_takes_hold_and_a_wrong_one_is_refused(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ui = opened("knobs")
    rig.settle(ui)
    rig.click(ui, "##number")
    asked = rig.type(ui, "7") + rig.press(ui, imgui.Key.enter)
    assert asks.tune(AlgorithmSettings(gjk=GjkSettings(iterations=7))) in asked
    rig.click(ui, "##number")
    asked = rig.type(ui, "0.5") + rig.press(ui, imgui.Key.enter)
    assert of("tune", asked) == []
    assert any("A whole number from 1" in text for text in drawn_texts(rig, ui, monkeypatch))


def test_one_setting_and_all_settings_go_back_with_a_click(rig: Rig) -> None:
    settings = AlgorithmSettings(gjk=GjkSettings(iterations=3), warm_start=True)
    ui = opened("knobs", algorithm_settings=settings)
    rig.settle(ui)
    assert len(rig.rects["↺"]) == 2
    assert of("tune", rig.click(ui, "↺", 0)) == [asks.tune(AlgorithmSettings(warm_start=True))]
    assert of("tune", rig.click(ui, "All defaults")) == [asks.tune(DEFAULT_SETTINGS)]


def test_the_chip_names_what_is_changed_and_puts_it_back(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = AlgorithmSettings(gjk=GjkSettings(iterations=3, first_direction=(0.0, 1.0, 0.0)), rounded="full")
    words = chip_words(changed_settings(settings))
    assert words.startswith(
        "Settings changed: GJK iteration limit 3, first direction (0, 1, 0), curved shapes as full support"
    )
    ui = panel_state(settings=Settings(panels=False), algorithm_settings=settings)
    rig.watch("text_unformatted")
    rig.settle(ui)
    assert words in rig.rects
    assert of("tune", rig.click(ui, words)) == [asks.tune(DEFAULT_SETTINGS)]
    assert words not in drawn_texts(rig, panel_state(), monkeypatch)


@pytest.mark.parametrize("label", ["+x##ulp", "−y##power", "along the normal", "+z##touch", "Make edges parallel"])
def test_an_edge_tool_is_one_edit_of_b(rig: Rig, label: str) -> None:
    ui = opened("edge_tools")
    rig.settle(ui)
    asked = of("edit", rig.click(ui, label))
    assert len(asked) == 1
    assert asked[0].kind == "edit"
    assert asked[0].scene.a == PAIR.a
    assert asked[0].scene.b != PAIR.b
    assert asked[0].label


def test_a_refusal_is_told_in_a_sentence(rig: Rig) -> None:
    ui = opened("edge_tools", Scene(Body(Sphere(1.0)), Body(Box((1.0, 1.0, 1.0)), (2.0, 0.0, 0.0))))
    rig.settle(ui)
    asked = rig.click(ui, "Align faces")
    assert of("edit", asked) == []
    assert of("notify", asked) == [asks.notify("A has no faces.")]


def test_random_pairs_are_of_the_kinds_that_are_ticked(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(monkeypatch, 1280.0, 1800.0)
    try:
        ui = opened("edge_tools")
        rig.settle(ui)
        for title in ("Sphere", "Capsule", "Cylinder", "Cone", "Ellipsoid", "Convex hull", "Half-space"):
            rig.click(ui, title)
        for _ in range(5):
            (edit,) = of("edit", rig.click(ui, "Random pair"))
            assert edit.kind == "edit"
            assert {type(edit.scene.a.shape), type(edit.scene.b.shape)} == {Box}
    finally:
        rig.close()


def test_the_way_of_every_line() -> None:
    normal = analyse(PAIR).normal
    for line, (title, turns) in enumerate(LINES):
        path = path_of(PAIR, line, normal)
        assert path.turning == turns == ("turned" in title)
        if "normal" in title:
            assert path.direction == pytest.approx(tuple(normal))
        else:
            assert path.direction["xyz".index(title[-1])] == 1.0
    assert place_words(path_of(PAIR, 0, normal), 0.25) == "+0.250000"
    assert place_words(path_of(PAIR, 4, normal), -pi / 6) == "−30.0000°"
    ground = Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Box((1.0, 1.0, 1.0))))
    assert default_length(ground) == pytest.approx(1.7)


def test_marks_at_one_place_are_one_line() -> None:
    found = run(sweep(sliding(cubes(1.0, 1.0, (0.0, 0.3, 0.2)), (1.0, 0.0, 0.0)), (-2.9, -1.1, 0.13, 1.1, 2.9)))
    events = events_of(found)
    assert [event.place for event in events] == pytest.approx([-2.0, -0.3, 0.3, 2.0], abs=1e-9)
    assert events[0].words.startswith("verdict SEPARATED → TOUCHING → OVERLAPPING; contacts 0 → ")
    assert events[1].words == "axis A.x, then A.y; normal jumps by 90°"
    assert sum(len(event.marks) for event in events) == len(found.marks)
    assert events_of(Sweep(found.path, found.samples, ())) == ()


def test_the_plot_is_taken_in_slices_and_a_mark_takes_b_there(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through_zero, "SLICE_SECONDS", 0.004)  # many slices, on a fast machine too
    scene = cubes(1.0, 1.0, (1.5, 0.3, 0.2))
    ui = opened("through_zero", scene)
    assert plotted(rig, ui) > 3
    marks = [label for label in rig.rects if label.endswith("##mark")]
    assert "+0.500000##mark" in marks
    (edit,) = of("edit", rig.click(ui, "+0.500000##mark"))
    assert edit.kind == "edit"
    assert edit.scene.b.position == pytest.approx((2.0, 0.3, 0.2), abs=1e-9)
    assert edit.label == "Slide B by +0.500000"


def test_a_click_on_a_name_hides_its_line(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.panels import through_zero_chart as chart

    ui = opened("through_zero", cubes(1.0, 1.0, (1.5, 0.3, 0.2)))
    rig.settle(ui)
    rig.click(ui, "Plot")
    while ui.dialogs.busy:
        rig.frame(ui)
    rig.watch("text_unformatted")
    rig.settle(ui)
    drawn: list[str] = []
    original = chart.implot.plot_line
    monkeypatch.setattr(chart.implot, "plot_line", lambda name, *rest: (drawn.append(name), original(name, *rest)))
    for wanted in (False, True):
        rig.click(ui, "explicit hull")
        drawn.clear()
        rig.frame(ui)
        assert ("explicit hull" in drawn) is wanted
        assert {"answer", "SAT", "GJK and EPA"} <= set(drawn)


def test_a_plot_can_be_cancelled_and_ends_with_its_panel(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(through_zero, "SLICE_SECONDS", 0.004)
    ui = opened("through_zero")
    rig.settle(ui)
    rig.click(ui, "Plot")
    assert ui.dialogs.busy
    for _ in range(4):
        rig.frame(ui)
    rig.click(ui, "Cancel")
    rig.settle(ui)
    assert not ui.dialogs.busy
    # That no mark was found is not said of a way that was not looked through.
    texts = drawn_texts(rig, ui, monkeypatch)
    assert any("the marks are not known" in text for text in texts)
    rig.click(ui, "Plot")
    assert ui.dialogs.busy
    ui.dialogs.dock("through_zero", shown=False)
    rig.settle(ui)
    assert not ui.dialogs.busy


def test_the_commands_open_panels_and_make_cases() -> None:
    ids = [command.id for command in compare_commands()]
    assert {"panel.compare", "panel.knobs", "panel.edge_tools", "panel.through_zero", "knobs.default"} <= set(ids)
    assert {f"edge.{action.id}" for action in EDGE_ACTIONS} <= set(ids)


def test_the_strip_of_winners_ends_at_the_marks() -> None:
    found = run(sweep(sliding(cubes(1.0, 1.0, (0.0, 0.3, 0.2)), (1.0, 0.0, 0.0)), (-2.9, -1.1, 0.13, 1.1, 2.9)))
    runs = winners(found.samples, events_of(found))
    assert [label for _, _, label in runs] == ["A.x", "A.y", "A.x"]
    assert [end for _, end, _ in runs] == pytest.approx([-0.3, 0.3, 2.9], abs=1e-9)
    assert [start for start, _, _ in runs] == pytest.approx([-2.9, -0.3, 0.3], abs=1e-9)
    # Before the marks are known, midway between the samples.
    assert [end for _, end, _ in winners(found.samples, ())] == pytest.approx([-0.485, 0.615, 2.9])


def test_the_reading_tells_every_number() -> None:
    found = run(sweep(sliding(cubes(1.0, 1.0, (0.0, 0.3, 0.2)), (1.0, 0.0, 0.0)), (1.5, 2.5)))
    lines = reading(found.samples[0], 1.0).splitlines()
    assert lines[0] == "at +1.50000 units: OVERLAPPING, A.x decides"
    said = reading(found.samples[0], 1.0, {"Coal": -0.25, "FCL": nan})
    assert "Coal −0.250000" in said.splitlines()
    assert "FCL" not in said
    assert "SAT −0.500000" in lines
    assert "contacts 4" in lines
    assert not any(line.startswith("closed form") for line in lines)


def test_no_settings_name_runs_into_its_field(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = set(drawn_texts(rig, opened("knobs"), monkeypatch))
    names = {row.path: row.name for rows in GROUPS.values() for row in rows}
    of_plane = {names.pop(path) for path in WITHOUT_EFFECT[3]}
    assert set(names.values()) <= texts
    assert not of_plane & texts
    assert max(map(len, (*names.values(), *of_plane))) <= 18


def test_any_first_direction_can_be_typed(rig: Rig) -> None:
    ui = opened("knobs", algorithm_settings=AlgorithmSettings(gjk=GjkSettings(first_direction=(1.0, 2.0, 3.0))))
    rig.settle(ui)
    rig.click(ui, "##part1")
    asked = rig.type(ui, "0.5") + rig.press(ui, imgui.Key.enter)
    assert asks.tune(AlgorithmSettings(gjk=GjkSettings(first_direction=(1.0, 0.5, 3.0)))) in asked


def test_a_cell_tells_in_full_each_number_of_the_answer_that_its_method_says() -> None:
    made = query(analyse(PAIR))
    titles = {quantity.key: quantity.title for quantity in QUANTITIES}
    told = [line for row in methods_of(made) for line in reported(row, made.analysis)]
    assert {line.split()[0] for line in told} == {titles["separation"], titles["normal"]}
    gjk = next(row for row in methods_of(made) if row.normal is not None and row.separation is not None)
    assert list(reported(gjk, made.analysis)) == [
        f"separation {full(gjk.separation)}",
        f"normal {vector17(gjk.normal)}",
    ]
