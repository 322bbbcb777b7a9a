"""The windows for screenshots and films, and how far they have come."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.state.film import FilmShown, FilmSource
from app.state.panel_state import Dialogs
from app.state.requests import CancelFilm, CancelPicture, Invoke, MakeFilm, Screenshot

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
