"""The windows for screenshots and films, and how far they have come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.theme import Palette
from app.io.presets import load_preset
from app.panels import screenshot
from app.state.figure import FILE, TURNED, Figure, PictureChoices, Preview
from app.state.film import FilmShown, FilmSource
from app.state.panel_state import Dialogs, PanelState
from app.state.requests import CancelFilm, CancelPicture, Configure, Invoke, MakeFilm, PreviewPicture, Screenshot
from app.state.settings import Settings, load_settings, save_settings
from app.state.work import Document
from core.query.query import query

from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]


@pytest.mark.parametrize("typed", ["/", "//", ".", "..", "~", "/tmp/"])
def test_a_folder_typed_as_the_name_of_a_picture_is_said_to_be_one(rig: Rig, typed: str) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True))
    rig.settle(ui)
    rig.click(ui, "##name")
    rig.type(ui, typed)
    asked = rig.click(ui, "Take picture")
    assert not any(isinstance(request, Screenshot) for request in asked)
    rig.type(ui, "/no-such-folder/picture")


def test_a_large_picture_shows_how_far_it_is_and_a_way_out(rig: Rig) -> None:
    rig.frame(panel_state(picture=0.1))
    assert "Cancel" not in rig.rects
    asked = rig.settle(panel_state(picture=0.4), 40)
    assert "Cancel" in rig.rects
    asked += rig.click(panel_state(picture=0.5), "Cancel")
    assert CancelPicture() in asked
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
    (asked,) = [request for request in rig.click(ui, "Make film") if isinstance(request, MakeFilm)]
    assert (asked.source, asked.ending, asked.path) == (FilmSource.TURN, ".gif", tmp_path / "round.gif")
    assert (asked.scale, asked.step_seconds) == (1.0, 1.5)
    assert not ui.dialogs.film


def test_a_film_plays_once_if_one_wants(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES)
    rig.settle(ui)
    rig.click(ui, "Play once")
    (asked,) = [request for request in rig.click(ui, "Make film") if isinstance(request, MakeFilm)]
    assert (asked.ending, asked.loop, asked.fps, asked.quality) == (".gif", 1, 25, None)


def test_a_new_recording_is_what_the_film_dialog_begins_with(rig: Rig) -> None:
    rig.settle(panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES[:2]))
    ui = panel_state(dialogs=Dialogs(film=True), film_sources=ALL_SOURCES)
    rig.settle(ui)
    (asked,) = [request for request in rig.click(ui, "Make film") if isinstance(request, MakeFilm)]
    assert (asked.source, asked.path) == (FilmSource.RECORDING, None)


@pytest.mark.parametrize("busy", [False, True])
def test_one_film_at_a_time_and_none_into_a_folder(rig: Rig, tmp_path: Path, busy: bool) -> None:
    ui = panel_state(dialogs=Dialogs(film=True), film=FilmShown(count=3) if busy else None)
    rig.settle(ui)
    if not busy:
        rig.click(ui, "##film name")
        rig.type(ui, f"{tmp_path}/")
    assert not any(isinstance(request, MakeFilm) for request in rig.click(ui, "Make film"))
    assert ui.dialogs.film


def test_the_sign_of_a_recording_stops_it_and_a_film_being_made_is_given_up(rig: Rig) -> None:
    ui = panel_state(film=FilmShown(recorded=3.0, pictures=12))
    rig.settle(ui)
    assert Invoke("file.record") in rig.click(ui, "Stop")
    ui = panel_state(film=FilmShown(drawn=2, count=29))
    rig.settle(ui)
    assert CancelFilm() in rig.click(ui, "Cancel")
    rig.settle(panel_state())
    assert not {"Stop", "Cancel"} & set(rig.rects)


def previewed(**shown: object) -> PanelState:
    return panel_state(
        dialogs=Dialogs(screenshot=True), preview=Preview((640, 400), np.zeros((4, 6, 4), np.uint8)), **shown
    )


def test_the_preview_is_asked_for_once_and_again_when_something_changes(rig: Rig) -> None:
    ui = previewed()
    *_, preview = [request for request in rig.settle(ui) if isinstance(request, PreviewPicture)]
    assert preview.picture.figure == Figure()
    assert not rig.settle(ui)
    asked = rig.click(ui, "Legend")
    (preview,) = [request for request in asked if isinstance(request, PreviewPicture)]
    assert preview.picture.figure == Figure(legend=True)
    asked = rig.click(ui, "Hatches")
    (preview,) = [request for request in asked if isinstance(request, PreviewPicture)]
    assert preview.picture.figure == Figure(legend=True, hatch=True)


def test_what_was_chosen_is_kept_and_asked_for(rig: Rig) -> None:
    chosen = PictureChoices(on_paper=True, width=120.0, crop=True, caption="auto", palette=Palette.PRINT_SAFE, digits=6)
    ui = previewed(settings=Settings(picture=chosen))
    rig.settle(ui)
    assert not [request for request in rig.click(ui, "Legend") if isinstance(request, Configure)]
    asked = rig.click(ui, "Take picture")
    (kept,) = [request.settings.picture for request in asked if isinstance(request, Configure)]
    assert kept == replace(chosen, legend=True)
    (picture,) = [request for request in asked if isinstance(request, Screenshot)]
    assert picture.palette is Palette.PRINT_SAFE
    assert picture.figure == Figure(width=120.0, crop=True, caption="auto", digits=6, legend=True)


def test_a_picture_that_cannot_be_is_told_and_not_taken(rig: Rig) -> None:
    ui = panel_state(dialogs=Dialogs(screenshot=True), preview=Preview((100, 0), fault="It leaves no room."))
    rig.settle(ui)
    assert not [request for request in rig.click(ui, "Take picture") if isinstance(request, Screenshot)]


def test_a_picture_is_copied_where_there_is_a_program_for_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    for why in ("No program copies pictures", ""):
        monkeypatch.setattr(screenshot, "why_no_copy", lambda why=why: why)
        ui = previewed()
        rig.settle(ui)
        copied = [request.copy for request in rig.click(ui, "Copy picture") if isinstance(request, Screenshot)]
        assert copied == ([] if why else [True])


@pytest.mark.parametrize(
    ("choices", "fault"),
    [
        ({"scale": 9}, ("scale", "must lie between 1 and 4, got 9")),
        ({"width": -1.0}, ("width", "must lie between 10 and 2000, got -1")),
        ({"size": (20000, 10)}, ("size", "must be at most 16384 points each way, got [20000, 10]")),
        ({"panes": "none"}, ("panes", "must be one of both, world, difference, overlaid, gauss, got none")),
        ({"camera": "up"}, ("camera", "must be one of turned, file, got up")),
        ({"yaw": 400.0}, ("yaw", "must lie between -360 and 360, got 400")),
        ({"distance": 1e-40}, ("distance", "must be 0 or at least 1e-36, got 1e-40")),
        ({"columns": 9}, ("columns", "must be one of 1, 2, 3, 4, 5, 6, got 9")),
        ({"theme": "pink"}, ("theme", "must be one of dark, light, print, got pink")),
        ({}, None),
    ],
)
def test_kept_choices_are_checked(choices: dict[str, object], fault: tuple[str, str] | None) -> None:
    assert PictureChoices(**choices).fault() == fault


def asked_picture(rig: Rig, chosen: PictureChoices, **shown: object) -> Screenshot:
    ui = previewed(settings=Settings(picture=chosen), **shown)
    rig.settle(ui)
    (picture,) = [request for request in rig.click(ui, "Take picture") if isinstance(request, Screenshot)]
    return picture


TURN = PictureChoices(camera=TURNED, yaw=30.0, pitch=-10.0, panes="gauss")


def test_angles_are_asked_for_and_a_distance_only_where_there_is_one(rig: Rig) -> None:
    assert asked_picture(rig, TURN).figure == Figure(camera=(30.0, -10.0), panes="gauss")


def test_a_distance_is_asked_for(rig: Rig) -> None:
    assert asked_picture(rig, replace(TURN, distance=9.0)).figure.camera == (30.0, -10.0, 9.0)


def test_in_the_plane_the_camera_does_not_turn_and_there_is_no_gauss_map(rig: Rig) -> None:
    assert asked_picture(rig, TURN, document=Document.new(load_preset("flat-inside").scene)).figure == Figure()


def test_a_view_file_brings_its_own_overlays(rig: Rig, tmp_path: Path) -> None:
    chosen = PictureChoices(camera=FILE, view_file=str(tmp_path / "view.json"), hide=frozenset({"grid"}))
    picture = asked_picture(rig, chosen)
    assert (picture.view_file, picture.figure) == (tmp_path / "view.json", Figure())


def test_overlays_are_shown_and_hidden_and_unknown_ones_passed_over(rig: Rig) -> None:
    rig.watch("collapsing_header")
    ui = previewed(settings=Settings(picture=PictureChoices(show=frozenset({"of-another-version"}))))
    rig.settle(ui)
    for fold in ("Size###Size", "Look###Look", "Words###Words", "Shown: 1 changed###Shown"):
        rig.click(ui, fold)
    rig.click(ui, "Ground grid##shown", at=0.05)
    rig.click(ui, "Face normals##shown", at=0.05)
    (picture,) = [request for request in rig.click(ui, "Take picture") if isinstance(request, Screenshot)]
    assert picture.figure == Figure(show=frozenset({"normals"}), hide=frozenset({"grid"}))


def test_steps_of_a_sheet_are_typed_or_added(rig: Rig) -> None:
    rig.watch("collapsing_header")
    ui = previewed(query=query(previewed().analysis), place=4, settings=Settings(picture=PictureChoices(label="(x)")))
    rig.settle(ui)
    for fold in ("Size###Size", "Look###Look", "Words###Words", "Sheet: one picture###Sheet"):
        rig.click(ui, fold)
    rig.click(ui, "Steps")
    rig.type(ui, "0,3")
    rig.click(ui, "Add step 5")
    (picture,) = [request for request in rig.click(ui, "Take picture") if isinstance(request, Screenshot)]
    assert (picture.steps, picture.figure) == ("0,3,5", Figure(columns=3))


def test_what_is_chosen_outlives_the_run(tmp_path: Path) -> None:
    chosen = replace(TURN, show=frozenset({"normals", "grid"}), steps="16-24", columns=4, view_file="a.json")
    assert save_settings(Settings(picture=chosen), tmp_path / "settings.json") is None
    assert load_settings(tmp_path / "settings.json") == (Settings(picture=chosen), None)
