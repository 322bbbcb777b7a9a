"""The windows for screenshots and films, and how far they have come."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from imgui_bundle import imgui
from msgspec.structs import replace as replaced

from app.io.presets import load_preset
from app.panels import screenshot
from app.state.export_options import ExportOptions
from app.state.export_shown import FilmShown, FilmSource, PreviewImage, PreviewLabel
from app.state.panel_state import Dialogs, PanelState
from app.state.settings import Settings
from app.state.work import Document
from core.query.query import Phase, query

from .asked import Asked, asks, of
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]


@pytest.mark.parametrize("typed", ["/", "//", ".", "..", "~", "/tmp/"])
def test_a_folder_typed_as_the_name_of_a_picture_is_said_to_be_one(rig: Rig, typed: str) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True))
    rig.settle(ui)
    rig.click(ui, "##name")
    rig.type(ui, typed)
    asked = rig.click(ui, "Take picture")
    assert not any(request.kind == "take_picture" for request in asked)
    rig.type(ui, "/no-such-folder/picture")


def test_a_large_picture_shows_how_far_it_is_and_a_way_out(rig: Rig) -> None:
    rig.frame(panel_state(picture=0.1))
    assert "Cancel" not in rig.rects
    asked = rig.settle(panel_state(picture=0.4), 40)
    assert "Cancel" in rig.rects
    asked += rig.click(panel_state(picture=0.5), "Cancel")
    assert asks.cancel_picture() in asked
    rig.settle(panel_state(picture=1.0))
    assert "Cancel" not in rig.rects
    rig.settle(panel_state())


ALL_SOURCES = tuple(FilmSource)


def test_the_film_dialog_asks_for_what_was_chosen(rig: Rig, tmp_path: Path) -> None:
    ui = panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES[:3])
    rig.settle(ui)
    rig.click(ui, "Turn")
    rig.click(ui, "##film name")
    rig.type(ui, str(tmp_path / "round"))
    (asked,) = of("make_film", rig.click(ui, "Make film"))
    assert (asked.source, asked.ending, asked.path) == (FilmSource.TURN, ".gif", tmp_path / "round.gif")
    assert asked.options == ExportOptions(size=asked.options.size)
    assert not ui.dialogs.film


def test_a_film_plays_once_if_one_wants_and_that_is_kept(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES)
    rig.settle(ui)
    rig.click(ui, "Plays once", at=0.1)
    requests = rig.click(ui, "Make film")
    (asked,) = of("make_film", requests)
    assert (asked.ending, asked.options.loop, asked.options.fps, asked.options.quality) == (".gif", 1, 25, None)
    (kept,) = [request.settings.film_options for request in requests if request.kind == "configure"]
    assert kept == ExportOptions(loop=1)


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        (FilmSource.STEPS, {"Seconds for each step", "Sub-steps", "10 a second"}),
        (FilmSource.MOTION, {"10 a second"}),
        (FilmSource.TURN, {"10 a second"}),
        (FilmSource.RECORDING, {"10 a second"}),
    ],
)
def test_each_source_of_a_film_has_its_own_fields(rig: Rig, source: FilmSource, fields: set[str]) -> None:
    rig.watch("input_double", "collapsing_header")
    ui = panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES)
    rig.settle(ui)
    rig.click(ui, source.value, at=0.1)
    rig.settle(ui)
    assert {"Seconds for each step", "Sub-steps", "10 a second"} & set(rig.rects) == fields


@pytest.mark.parametrize("sources", [ALL_SOURCES[:1], ALL_SOURCES[:3]])
def test_a_source_is_asked_for_where_there_is_more_than_one(rig: Rig, sources: tuple[FilmSource, ...]) -> None:
    rig.settle(panel_state(dialogs=Dialogs(film=True), film_sources=sources))
    assert ("Turn" in rig.rects) == (len(sources) > 1)


def test_a_film_is_made_of_a_phase_or_of_typed_steps_in_panes_and_colours_of_its_own(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(film=True), phases=(Phase.SAT, Phase.GJK))
    rig.watch("begin_combo", "collapsing_header")
    rig.settle(ui)
    rig.click(ui, "Steps", at=0.1)
    rig.click(ui, "GJK")
    rig.click(ui, "Look: as in the window###Look", at=0.1)
    rig.click(ui, "Panes", at=0.1)
    rig.click(ui, "Difference")
    rig.click(ui, "Theme", at=0.1)
    rig.click(ui, "Light")
    (asked,) = of("make_film", rig.click(ui, "Make film"))
    chosen = ExportOptions(steps="gjk", panes="difference", theme="light", size=asked.options.size)
    assert asked.options == chosen
    rig.settle(ui := panel_state(dialogs=Dialogs(film=True), phases=ui.phases))
    rig.click(ui, "Steps", at=0.1)
    rig.click(ui, "Range or list")
    (asked,) = of("make_film", rig.click(ui, "Make film"))
    assert asked.options == chosen.having(steps="gjk:1-stop")


def test_a_new_recording_is_what_the_film_dialog_begins_with(rig: Rig) -> None:
    rig.settle(panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES[:2]))
    ui = panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES)
    rig.settle(ui)
    (asked,) = of("make_film", rig.click(ui, "Make film"))
    assert (asked.source, asked.path) == (FilmSource.RECORDING, None)


@pytest.mark.parametrize("busy", [False, True])
def test_one_film_at_a_time_and_none_into_a_folder(rig: Rig, tmp_path: Path, busy: bool) -> None:
    ui = panel_state(dialogs=Dialogs(film=True), film=FilmShown(count=3) if busy else None)
    rig.settle(ui)
    if not busy:
        rig.click(ui, "##film name")
        rig.type(ui, f"{tmp_path}/")
    assert not any(request.kind == "make_film" for request in rig.click(ui, "Make film"))
    assert ui.dialogs.film


def test_the_sign_of_a_recording_stops_it_and_a_film_being_made_is_given_up(rig: Rig) -> None:
    ui = panel_state(film=FilmShown(recorded=3.0, pictures=12))
    rig.settle(ui)
    assert asks.invoke("file.record") in rig.click(ui, "Stop")
    ui = panel_state(film=FilmShown(drawn=2, count=29))
    rig.settle(ui)
    assert asks.cancel_film() in rig.click(ui, "Cancel")
    rig.settle(panel_state())
    assert not {"Stop", "Cancel"} & set(rig.rects)


USUAL = {"size", "scale", "columns"}


def previewed(**shown: object) -> PanelState:
    return panel_state(
        dialogs=Dialogs(screenshot=True), preview=PreviewImage((640, 400), np.zeros((4, 6, 4), np.uint8)), **shown
    )


def test_the_preview_is_asked_for_once_and_again_when_something_changes(rig: Rig) -> None:
    ui = previewed()
    *_, preview = of("preview_picture", rig.settle(ui))
    assert not preview.options.figured
    assert not rig.settle(ui)
    asked = rig.click(ui, "Legend")
    (preview,) = of("preview_picture", asked)
    assert preview.options.given().keys() - USUAL == {"legend"}
    asked = rig.click(ui, "Hatches")
    (preview,) = of("preview_picture", asked)
    assert preview.options.given().keys() - USUAL == {"legend", "hatch"}


def test_what_was_chosen_is_kept_and_asked_for(rig: Rig) -> None:
    chosen = ExportOptions(width=120.0, crop=True, caption="auto", palette="print-safe", digits=6)
    ui = previewed(settings=Settings(picture_options=chosen))
    rig.settle(ui)
    assert not of("configure", rig.click(ui, "Legend"))
    asked = rig.click(ui, "Take picture")
    (kept,) = [request.settings.picture_options for request in asked if request.kind == "configure"]
    assert kept == replace(chosen, legend=True)
    (picture,) = of("take_picture", asked)
    assert picture.options == replace(chosen, legend=True, size=picture.options.size)


def test_a_label_is_dragged_in_the_preview_or_moved_by_points_and_the_command_line_is_told(rig: Rig) -> None:
    rig.watch("invisible_button", "input_double", "collapsing_header")
    labels = (PreviewLabel("A.v4", (0.4, 0.4, 0.6, 0.6)), PreviewLabel("depth", (0.0, 0.0, 0.1, 0.1)))
    image = PreviewImage((640, 400), np.zeros((100, 160, 4), np.uint8), labels=labels, points=640.0)
    ui = replaced(previewed(), preview=image)
    rig.settle(ui)
    rig.click(ui, "Larger preview###large")
    rig.settle(ui)
    left, _, right, _ = rig.rects["##preview"][0]
    rig.point_at("##preview")
    rig.settle(ui, 2)
    imgui.get_io().add_mouse_button_event(0, True)
    rig.frame(ui)
    rig.point_at("##preview", at=0.5 + 20.0 / (right - left))
    rig.settle(ui, 2)
    imgui.get_io().add_mouse_button_event(0, False)
    (preview,) = of("preview_picture", rig.settle(ui))
    assert preview.large
    ((name, (across, down)),) = preview.options.move
    assert name == "A.v4"
    # The height of the preview decides its scale: 400 points are as high as the preview.
    _, top, _, bottom = rig.rects["##preview"][0]
    shown = min(right - left, (bottom - top) * 1.6)
    assert (across, down) == (round(20.0 * 640.0 / shown), 0.0)
    assert f"Shown: --move A.v4={across:g},0###Shown" in rig.rects
    rig.click(ui, "points down", at=0.1)
    (preview,) = of("preview_picture", [*rig.type(ui, "-7"), *rig.press(ui, imgui.Key.enter), *rig.settle(ui)])
    assert dict(preview.options.move)["A.v4"][1] != 0.0
    (preview,) = of("preview_picture", rig.click(ui, "Labels back to their places"))
    assert preview.options.move == ()


def test_a_picture_that_cannot_be_is_told_and_not_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True), preview=PreviewImage((100, 0), fault="It leaves no room."))
    rig.settle(ui)
    assert not of("take_picture", rig.click(ui, "Take picture"))


def test_a_picture_is_copied_where_there_is_a_program_for_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    for why in ("No program copies pictures", ""):
        monkeypatch.setattr(screenshot, "why_no_copy", lambda why=why: why)
        ui = previewed()
        rig.settle(ui)
        copied = [request.copy for request in rig.click(ui, "Copy picture") if request.kind == "take_picture"]
        assert copied == ([] if why else [True])


def asked_picture(rig: Rig, chosen: ExportOptions, **shown: object) -> Asked:
    ui = previewed(settings=Settings(picture_options=chosen), **shown)
    rig.settle(ui)
    (picture,) = of("take_picture", rig.click(ui, "Take picture"))
    return picture


TURN = ExportOptions(camera=(30.0, -10.0), panes="gauss")


def test_angles_are_asked_for_and_a_distance_only_where_there_is_one(rig: Rig) -> None:
    assert asked_picture(rig, TURN).options.given().keys() == {"camera", "panes", "size"}


def test_a_distance_is_asked_for(rig: Rig) -> None:
    turn = (30.0, -10.0, 9.0)
    assert asked_picture(rig, replace(TURN, camera=turn)).options.camera == turn


def test_in_the_plane_the_camera_does_not_turn_and_there_is_no_gauss_map(rig: Rig) -> None:
    flat = Document.new(load_preset("flat-inside").scene)
    assert not asked_picture(rig, TURN, document=flat).options.figured


def test_a_view_file_brings_its_own_overlays(rig: Rig, tmp_path: Path) -> None:
    chosen = ExportOptions(view=str(tmp_path / "view.json"), hide=frozenset({"grid"}), panes="world", camera=(1.0, 2.0))
    picture = asked_picture(rig, chosen)
    assert picture.options == ExportOptions(view=str(tmp_path / "view.json"), size=picture.options.size)


def test_overlays_are_shown_and_hidden_and_unknown_ones_passed_over(rig: Rig) -> None:
    rig.watch("collapsing_header")
    ui = previewed(settings=Settings(picture_options=ExportOptions(show=frozenset({"of-another-version"}))))
    rig.settle(ui)
    for fold in ("Size###Size", "Look###Look", "Words###Words", "Shown: --show of-another-version###Shown"):
        rig.click(ui, fold)
    rig.click(ui, "Ground grid##shown", at=0.05)
    rig.click(ui, "Face normals##shown", at=0.05)
    (picture,) = of("take_picture", rig.click(ui, "Take picture"))
    assert (picture.options.show, picture.options.hide) == ({"normals"}, {"grid"})


def test_steps_of_a_sheet_are_typed_or_added(rig: Rig) -> None:
    rig.watch("collapsing_header")
    ui = previewed(
        query=query(previewed().analysis),
        place=4,
        settings=Settings(picture_options=ExportOptions(label="(x)", columns=3)),
    )
    rig.settle(ui)
    for fold in ("Size###Size", "Look###Look", "Words###Words", "Steps: one picture###Steps"):
        rig.click(ui, fold)
    rig.click(ui, "Steps", at=0.1)
    rig.click(ui, "Range or list")
    rig.click(ui, "##own")
    rig.type(ui, "0,3")
    rig.click(ui, "Add sat:5")
    (picture,) = of("take_picture", rig.click(ui, "Take picture"))
    assert picture.options == ExportOptions(steps="0,3,sat:5", columns=3, size=picture.options.size)
