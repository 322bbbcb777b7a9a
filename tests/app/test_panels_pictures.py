"""The windows for screenshots and films, and how far they have come."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.theme import Palette
from app.panels import screenshot
from app.state.figure import Figure, PictureChoices, Preview
from app.state.film import FilmShown, FilmSource
from app.state.panel_state import Dialogs, PanelState
from app.state.requests import CancelFilm, CancelPicture, Configure, Invoke, MakeFilm, PreviewPicture, Screenshot
from app.state.settings import Settings

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
    for known in (None, ("xclip",)):
        monkeypatch.setattr(screenshot, "clipboard_program", lambda known=known: known)
        ui = previewed()
        rig.settle(ui)
        copied = [request.copy for request in rig.click(ui, "Copy picture") if isinstance(request, Screenshot)]
        assert copied == ([] if known is None else [True])


@pytest.mark.parametrize(
    ("choices", "fault"),
    [
        ({"scale": 9}, ("scale", "must lie between 1 and 4, got 9")),
        ({"width": -1.0}, ("width", "must lie between 10 and 2000, got -1")),
        ({"size": (20000, 10)}, ("size", "must be at most 16384 points each way, got [20000, 10]")),
        ({"panes": "none"}, ("panes", "must be one of both, world, difference, overlaid, gauss, got none")),
        ({"theme": "pink"}, ("theme", "must be one of dark, light, print, got pink")),
        ({}, None),
    ],
)
def test_kept_choices_are_checked(choices: dict[str, object], fault: tuple[str, str] | None) -> None:
    assert PictureChoices(**choices).fault() == fault
