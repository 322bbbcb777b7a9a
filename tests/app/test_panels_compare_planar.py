"""The panels of comparison beside a scene of the plane: the same panels, with what the plane has and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.controllers.edits import EDGE_ACTIONS, random_pair
from app.panels.panel import CHIP_WINDOW
from app.panels.setting_rows import GROUPS
from app.panels.side_by_side import Go
from app.panels.through_zero import path_of, path_titles
from app.state.playback import moment_of
from core.analysis.algorithm_settings import (
    DEFAULT_SETTINGS,
    WITHOUT_EFFECT,
    AlgorithmSettings,
    acting,
    changed_settings,
)
from core.analysis.analysis import analyse
from core.contact.policies.policy import POLICIES, ContactPolicy
from core.gjk.gjk import GjkSettings
from core.query.query import Phase, query
from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.study.lab.side_by_side import side_by_side
from tests.app.panel_rig import PAIR, Rig, panel_named, panel_state

from .asked import Kept, asks, of
from .compare_rig import drawn_texts, opened, plotted

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
TURNED = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (1.5, 0.3), 0.4))
ROUND = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (1.5, 0.25)))


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1000.0)
    yield made
    made.close()


def test_side_by_side_has_the_methods_of_the_plane(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = drawn_texts(rig, opened("compare", TURNED), monkeypatch)
    for method in ("SAT", "planes test", "GJK and EPA", "EPA", "closed form", "explicit hull", "contact manifold"):
        assert method in texts
    assert "None: all methods that apply agree." in texts or "Differences and their reasons" in rig.rects


def test_an_articles_path_is_stepped_to_with_its_setting(rig: Rig) -> None:
    from core.study.articles.plane import PLANAR_VARIANTS

    variant = next(one for one in PLANAR_VARIANTS if one.id == "G4-perpendicular-by-third-point")
    ui = opened("compare", variant.breaks[0])
    rig.settle(ui)
    asked = query(ui.analysis)
    row = next(row for row in side_by_side(asked) if row.article == variant.id)
    go = Go(ui, asked, Kept())
    assert "perpendicular by the third point itself on" in go.words(row)
    go(row)
    tune, play = go.ask.taken()
    assert tune == asks.tune(AlgorithmSettings(third_point=True))
    assert play.kind == "play"
    moment = moment_of(play.playback, query(ui.analysis, AlgorithmSettings(third_point=True)))
    assert (moment.phase, moment.last) == (Phase.ARTICLE, True)


def test_a_contact_policy_of_space_is_refused_in_a_sentence(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "Jolt makes contacts in space; in the plane the policies are tolerant, narrow, exact, Box2D, Box2D 2.4, "
    for policy, refused in ((ContactPolicy.JOLT, True), (ContactPolicy.DYN4J, False)):
        ui = opened("knobs", TURNED, algorithm_settings=AlgorithmSettings(preference=policy))
        texts = drawn_texts(rig, ui, monkeypatch)
        assert any(text.startswith(told) for text in texts) is refused
    ui = opened("knobs", PAIR, algorithm_settings=AlgorithmSettings(preference=ContactPolicy.DYN4J))
    assert any(text.startswith("dyn4j makes contacts in the plane") for text in drawn_texts(rig, ui, monkeypatch))


def test_the_contact_policies_to_choose_from_are_those_of_the_plane(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[list[str]] = []

    def choose(_label: str, titles: dict[object, str], value: object, *_: object) -> object:
        offered.append(list(titles.values()))
        return value

    monkeypatch.setattr("app.panels.algorithm_settings.choice", choose)
    for scene, dimension in ((TURNED, 2), (PAIR, 3)):
        offered.clear()
        rig.settle(opened("knobs", scene))
        assert [policy.value for policy in POLICIES[dimension]] in offered


def test_settings_are_those_of_the_plane(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = set(drawn_texts(rig, opened("knobs", TURNED), monkeypatch))
    for row in (row for rows in GROUPS.values() for row in rows):
        assert (row.name in texts) == (row.path not in WITHOUT_EFFECT[2]), row.path


def test_a_first_direction_of_the_plane_has_two_numbers(rig: Rig) -> None:
    ui = opened("knobs", TURNED, algorithm_settings=AlgorithmSettings(gjk=GjkSettings(first_direction=(1.0, 2.0, 3.0))))
    rig.settle(ui)
    assert "##part2" not in rig.rects
    rig.click(ui, "##part1")
    asked = rig.type(ui, "0.5") + rig.press(ui, imgui.Key.enter)
    assert asks.tune(AlgorithmSettings(gjk=GjkSettings(first_direction=(1.0, 0.5, 0.0)))) in asked


def test_the_chip_names_only_what_acts_on_the_scene(rig: Rig) -> None:
    rig.settle(panel_state(TURNED, algorithm_settings=AlgorithmSettings(reduce=True, gjk=GjkSettings(iterations=3))))
    assert not imgui.internal.find_window_by_name(CHIP_WINDOW).hidden
    assert [one.path for one in changed_settings(acting(AlgorithmSettings(reduce=True), 2))] == []
    assert [one.path for one in changed_settings(acting(AlgorithmSettings(third_point=True), 2))] == ["third_point"]
    assert acting(AlgorithmSettings(third_point=True), 3) == DEFAULT_SETTINGS
    up = AlgorithmSettings(gjk=GjkSettings(first_direction=(0.0, 0.0, 1.0)))
    assert acting(up, 2) == DEFAULT_SETTINGS
    assert acting(up, 3) == up


def test_changed_settings_are_those_of_the_planes_steps() -> None:
    settings = AlgorithmSettings(gjk=GjkSettings(iterations=1, first_direction=(0.0, -1.0, 0.0)), rounded="full")
    asked = query(analyse(ROUND), settings)
    (first, *_) = [moment.step for moment in asked.moments if moment.phase is Phase.GJK]
    assert first.simplex[0].direction[1] == -1.0
    assert len([moment for moment in asked.moments if moment.phase is Phase.GJK]) == 1


@pytest.mark.parametrize("label", ["+x##ulp", "−y##power", "along the normal", "+x##touch", "Align edges"])
def test_an_edge_tool_is_one_edit_of_b_in_the_plane(rig: Rig, label: str) -> None:
    ui = opened("edge_tools", TURNED)
    rig.settle(ui)
    (edit,) = of("edit", rig.click(ui, label))
    assert edit.kind == "edit"
    assert edit.scene.dimension == 2
    assert edit.scene.a == TURNED.a
    assert edit.scene.b != TURNED.b


def test_nothing_leads_out_of_the_plane(rig: Rig) -> None:
    rig.settle(opened("edge_tools", TURNED))
    assert not [label for label in rig.rects if label.startswith(("+z", "−z"))]
    assert {"Polygon", "Circle"} <= set(rig.rects)
    assert "Box" not in rig.rects
    assert path_titles(TURNED) == {0: "B along x", 1: "B along y", 3: "B along the normal", 6: "B turned"}
    assert len(path_titles(PAIR)) == 8
    for line in path_titles(TURNED):
        there = path_of(TURNED, line, analyse(TURNED).normal).at(0.25)
        assert there.dimension == 2
        assert there.b != TURNED.b
        assert there.b.position[2] == 0.0


def test_a_circle_is_refused_in_a_sentence(rig: Rig) -> None:
    ui = opened("edge_tools", ROUND)
    rig.settle(ui)
    asked = rig.click(ui, "Align edges")
    assert of("edit", asked) == []
    assert of("notify", asked) == [asks.notify("B has no edges.")]


def test_random_pairs_stay_in_the_plane() -> None:
    made = [random_pair(TURNED, ()).scene for _ in range(30)]
    assert all(scene.dimension == 2 for scene in made)
    assert {type(scene.b.shape) for scene in made} == {Polygon, Circle}
    assert {type(random_pair(TURNED, ("circle",)).scene.a.shape) for _ in range(5)} == {Circle}
    assert random_pair(PAIR, ()).scene.dimension == 3


@pytest.mark.parametrize("action", EDGE_ACTIONS, ids=lambda action: action.id)
def test_every_action_of_the_menu_works_in_the_plane(action: object) -> None:
    made = action.make(TURNED)
    assert made.scene.dimension == 2
    assert made.scene != TURNED


def test_the_plot_of_a_turn_is_taken_and_a_mark_takes_b_there(rig: Rig) -> None:
    ui = opened("through_zero", replace(TURNED, b=replace(TURNED.b, position=(2.2, 0.0, 0.0), angle=0.0)))
    rig.settle(ui)
    panel_named(rig.panels, "through_zero")._line = 6
    plotted(rig, ui)
    marks = [label for label in rig.rects if label.endswith("°##mark")]
    assert marks
    (edit,) = of("edit", rig.click(ui, marks[0]))
    assert edit.kind == "edit"
    assert edit.scene.b.shape.dimension == 2
    assert edit.scene.b.position == (2.2, 0.0, 0.0)
    assert edit.label.startswith("Turn B by ")
