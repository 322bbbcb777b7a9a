"""Decks in the running application: a slide stands by itself, whatever was shown before."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from app.io.lesson_index import LECTURE
from app.state.playback import at_place
from app.state.requests import Open, Step
from app.state.view import Panes

from .deck_samples import SLIDES, deck
from .window_rig import Driver, driver

__all__ = ["driver"]


def test_a_slide_stands_by_itself(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.apply(Open(deck(tmp_path / "d.jsonl", *SLIDES, SLIDES[0])))
    driver.frame(2)
    assert app.files.log_position.title == "Three pairs: Apart"
    assert not app.work.playback.open
    assert app.work.scene.notes == "A gap."
    driver.key("PageDown")
    driver.frame(2)
    assert app.quiz.asked is not None
    assert app.quiz.asked.open
    driver.key("PageDown")
    driver.frame(2)
    assert app.quiz.asked is None
    assert app.work.view.panes is Panes.WORLD
    assert (app.work.playback.open, app.steps.place) == (True, 2)
    app.steps.play(at_place(app.work.playback, app.steps.all, 7))
    app.cameras.look(replace(app.work.view, panes=Panes.DIFFERENCE).turned(1.0, 1.0))
    driver.key("PageDown")
    driver.frame(2)
    assert not app.work.playback.open, "a slide without a step shows the answer"
    assert app.work.view.panes is Panes.BOTH
    assert app.work.view.world.yaw != 1.0
    app.apply(Step(2))
    driver.frame(2)
    assert (app.work.playback.open, app.steps.place) == (True, 2)


def test_the_lecture_opens_from_the_menu_help_and_plays_to_its_end(driver: Driver) -> None:
    app = driver.app
    app.invoke("lecture.open")
    shown = []
    for number in range(12):
        driver.frame(2)
        position = app.files.log_position
        assert (position.path, position.index, position.count, position.fault) == (LECTURE, number, 12, "")
        shown.append((app.work.playback.open, app.quiz.asked is not None))
        driver.key("PageDown")
    assert app.files.log_position.index == 11
    steps = [number for number, (stepping, _) in enumerate(shown) if stepping]
    assert steps == [3, 6, 7, 8, 9, 10]
    assert [number for number, (_, asked) in enumerate(shown) if asked] == [1]
    assert app.notices.now() == ()
    assert not driver.faults
