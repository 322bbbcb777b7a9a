"""A deck is made in the window: views become slides, are ordered, written on, saved, and lost by no kill."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.io.deck_file import LONGEST_TEXTS, MOST_SLIDES, NEW_DECK, deck_of, read_deck, slide_line_of, slide_of
from app.io.lesson_index import LECTURE
from app.io.scene_file import SceneError, load, save
from app.io.scene_log import SceneLog
from app.lessons.shelf import shelf
from app.state.deck import OpenDeck
from app.state.playback import at_place
from app.state.prediction import QuestionKind
from app.state.view import Panes, View
from app.storage.files import SCENE_LIMIT
from app.storage.strict_json import DataError
from core.scene import Scene

from .asked import asks
from .deck_samples import HEAD, SLIDES, deck, slide
from .panel_rig import PAIR
from .test_window_deck import drawn_texts
from .window_rig import Driver, driver

__all__ = ["driver"]

TEXT = 'Überlappung \u2014 "A − B"\n\n\tzwei  Zeilen \\ 衝突 🙂\n'


def names(driver: Driver) -> list[str]:
    return [line.name for line in opened(driver).slides]


def opened(driver: Driver) -> OpenDeck:
    assert driver.app.work.deck is not None
    return driver.app.work.deck


def seen(driver: Driver) -> tuple[Scene, View, QuestionKind | None]:
    """What a slide is to bring back."""
    work, asked = driver.app.work, driver.app.quiz.asked
    kept = driver.app.steps.kept_view
    return work.scene, replace(kept, hover=None), None if asked is None else asked.question.kind


def put_aside(driver: Driver) -> Path:
    """The deck's autosave, as a process that is killed now would leave it."""
    file = driver.app.autosaves.deck.autosave.file
    return Path(shutil.copy(file, file.with_name("autosave-1-dead.jsonl")))


def test_a_deck_is_made_from_nothing_saved_and_opened_again(driver: Driver, tmp_path: Path) -> None:
    app, path, shown = driver.app, tmp_path / "mine.jsonl", []

    def add() -> None:
        driver.frame(2)
        app.invoke("deck.add")
        driver.frame(2)
        shown.append(seen(driver))

    app.invoke("deck.new")
    assert app.files.log_position is None
    assert not app.work.unsaved
    app.files.load_preset("skew-edges")
    app.cameras.look(replace(app.work.view, panes=Panes.DIFFERENCE, shown=app.work.view.shown ^ {"grid"}).turned(1, 1))
    add()
    app.files.load_preset("flat-inside")
    app.steps.play(at_place(replace(app.work.playback, open=True), app.steps.all, 4))
    add()
    app.files.load_preset("two-spheres")
    driver.frame(2)
    assert app.quiz.pose(QuestionKind.VERDICT)
    add()
    app.files.load_preset("tunnelling")
    app.cameras.look(replace(app.work.view, time=0.25))
    add()
    assert len({scene for scene, _, _ in shown}) == 4
    assert app.title.startswith("*")
    driver.key("Ctrl+S")
    assert app.dialogs.deck, "a new deck asks for a name"
    app.ask.save_deck(path)
    assert not app.work.unsaved
    assert read_deck(path) == opened(driver).deck

    app.invoke("deck.close")
    app.files.load_preset("stacked-cubes")
    app.ask.open(path)
    for k, was in enumerate(shown):
        app.ask.show_entry(k)
        driver.frame(2)
        assert seen(driver) == was
    assert shown[1][1].step == 5
    assert [question for _, _, question in shown] == [None, None, QuestionKind.VERDICT, None]
    assert shown[3][1].time == 0.25
    log = SceneLog(path)
    assert [log.scene(k).scene for k in range(4)] == [scene for scene, _, _ in shown], "and so does everyone else"
    log.close()


def test_slides_are_ordered_removed_and_brought_back(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, deck(tmp_path / "d.jsonl")
    app.ask.open(path)
    driver.frame(2)
    before = path.read_bytes().splitlines()
    app.invoke("deck.down")
    assert (names(driver), opened(driver).index) == (["Which axis?", "Apart", "Step three"], 1)
    assert app.work.scene.name == "Apart", "the slide shown goes along"
    app.invoke("deck.remove")
    assert names(driver) == ["Which axis?", "Step three"]
    assert app.work.scene.name == "Step three"
    app.invoke("deck.undo")
    assert (names(driver)[1], app.work.scene.name) == ("Apart", "Apart")
    app.invoke("deck.redo")
    assert names(driver) == ["Which axis?", "Step three"]
    app.invoke("deck.undo")
    app.invoke("deck.undo")
    assert names(driver) == ["Apart", "Which axis?", "Step three"]
    assert not app.work.unsaved, "nothing differs from the file"
    app.invoke("deck.up")
    assert names(driver)[0] == "Apart", "the first stays the first"
    app.invoke("deck.down")
    driver.key("Ctrl+S")
    assert path.read_bytes().splitlines() == [before[k] for k in (0, 2, 1, 3)], "what was not changed stays as written"
    for _ in range(3):
        app.invoke("deck.remove")
    assert app.files.log_position is None
    app.invoke("deck.undo")
    assert len(names(driver)) == 1


def test_a_drag_belongs_to_a_slide_only_when_it_is_replaced(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, deck(tmp_path / "d.jsonl")
    app.ask.open(path)
    driver.frame(2)
    scene = app.work.scene
    app.ask.edit(scene.swapped(), "Swap A and B")
    app.invoke("deck.back")
    assert app.work.scene == scene
    app.ask.edit(scene.swapped(), "Swap A and B")
    driver.key("Ctrl+S")
    assert slide_of(read_deck(path).slides[0]).scene == scene
    assert any("What you changed on this slide is not in it" in notice.message for notice in app.notices.now())
    app.invoke("deck.replace")
    driver.key("PageDown")
    driver.key("PageUp")
    assert app.work.scene == scene.swapped()
    assert (opened(driver).line.words, opened(driver).line.notes) == ("A gap.", "Say why.")
    app.close_asked()
    assert app.questions.pending is not None, "the deck's changes are asked about"
    app.ask.answer("cancel")
    assert slide_of(read_deck(path).slides[0]).scene == scene
    driver.key("Ctrl+S")
    assert slide_of(read_deck(path).slides[0]).scene == scene.swapped()


def test_a_scene_keeps_its_file_and_the_deck_stays_while_others_are_open(driver: Driver, tmp_path: Path) -> None:
    app, pair = driver.app, tmp_path / "pair.json"
    app.ask.open(deck(tmp_path / "d.jsonl"))
    save(pair, PAIR)
    app.ask.open(pair)
    driver.frame(2)
    position = app.files.log_position
    assert (position.index, position.away) == (0, True)
    assert "A gap." not in drawn_texts(driver)
    app.ask.edit(PAIR.swapped(), "Swap A and B")
    app.invoke("deck.add")
    assert names(driver) == ["Apart", "Pair", "Which axis?", "Step three"]
    assert not app.files.log_position.away
    assert app.work.document.path == pair
    assert app.work.document.unsaved, "the file's changes are the file's"
    app.invoke("deck.undo")
    assert app.work.scene == PAIR.swapped(), "and stay in sight"
    app.invoke("deck.redo")
    app.ask.show_entry(2)
    assert app.questions.pending is not None, "and are asked about"
    app.ask.answer("save")
    assert load(pair).scene == PAIR.swapped()
    assert app.work.scene.name == "Which axis?"
    app.ask.show_entry(1)
    assert app.work.scene == PAIR.swapped()
    app.files.load_preset("stacked-cubes")
    driver.key("PageDown")
    assert app.work.scene.name == "Which axis?"


def test_texts_are_kept_letter_for_letter_up_to_their_limit(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, deck(tmp_path / "d.jsonl")
    app.ask.open(path)
    driver.frame(2)
    full = (TEXT * 300)[: LONGEST_TEXTS["notes"]]
    app.ask.write_slide("Größer", TEXT, full)
    assert app.notices.now() == ()
    assert app.title == "*Größer - Separatrix"
    driver.key("Ctrl+S")
    first = slide_of(read_deck(path).slides[0])
    assert (first.scene.name, first.scene.notes, first.printed) == ("Größer", TEXT, full)
    assert slide_of(slide_line_of(first)) == first
    driver.key("F5")
    assert TEXT.replace("\n", "⏎") in drawn_texts(driver)
    driver.key("Escape")
    app.ask.write_slide("Größer", "x" * 601, full)
    assert [notice.message for notice in app.notices.now() if notice.error] == [
        "The words of a slide can have 600 characters: the slide keeps the first 600."
    ]
    assert opened(driver).line.words == "x" * 600
    app.invoke("deck.undo")
    assert opened(driver).line.words == TEXT


def test_long_notes_of_a_scene_are_for_the_lecturer_and_too_long_ones_are_refused(
    driver: Driver, tmp_path: Path
) -> None:
    app = driver.app
    for length in (600, 601, 6000, 6001):
        save(tmp_path / "pair.json", replace(PAIR, notes="x" * length))
        app.files.open_now(tmp_path / "pair.json")
        app.invoke("deck.add")
    assert [(len(line.words), len(line.notes)) for line in opened(driver).slides] == [(600, 0), (0, 601), (0, 6000)]
    assert "notes: must have at most 6000 characters, got 6001" in app.notices.now()[-1].message


def test_a_lesson_keeps_the_deck_as_it_is(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl"))
    app.invoke("panel.deck")
    before = opened(driver)
    app.lessons.begin(shelf()[0])
    app.invoke("panel.deck")
    driver.frame(6)
    assert "Words to show" not in drawn_texts(driver)
    for name in ("add", "remove", "down"):
        app.invoke(f"deck.{name}")
    assert opened(driver) == before
    app.ask.show_entry(1)
    assert not app.lessons.open
    assert app.work.scene.name == "Which axis?"


def test_typing_is_one_change_a_text(driver: Driver, tmp_path: Path) -> None:
    app, long = driver.app, "long " * 50
    app.ask.open(deck(tmp_path / "d.jsonl", slide(long, 2.0, words="A gap.")))
    app.ask.write_slide(long, "Words", "")
    assert (opened(driver).line.name, app.notices.now()) == (long, ()), "only what was typed has a limit"
    app.ask.open(deck(tmp_path / "d.jsonl"))
    app.ask.answer("discard")
    for end in range(1, 6):
        app.ask.write_slide("Apart", "Words"[:end], "Say why.")
    app.ask.write_slide("Apart", "Words", "Notes")
    app.invoke("deck.undo")
    assert (opened(driver).line.words, opened(driver).line.notes) == ("Words", "Say why.")
    app.invoke("deck.undo")
    assert opened(driver).line.words == "A gap."
    assert not app.work.unsaved


def test_a_kill_after_any_change_loses_nothing(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, deck(tmp_path / "d.jsonl")
    app.ask.open(path)
    driver.frame(2)
    written = path.read_bytes()
    commands = [asks.invoke(f"deck.{name}") for name in ("down", "remove", "add", "replace", "up")]
    for change in (*commands, asks.write_slide("Neu", TEXT, TEXT)):
        change.put(app.ask)
        before, left = opened(driver), put_aside(driver)
        app.files.decks.leave()
        app.files.recovery.offer()
        assert app.questions.pending.message.startswith("d.jsonl, last changed ")
        app.ask.answer("recover")
        assert (opened(driver).deck, opened(driver).index) == (before.deck, before.index)
        assert opened(driver).path == path
        assert opened(driver).unsaved
        assert not left.exists(), "as soon as the work is kept anew, the old copy goes"
        assert app.work.scene == slide_of(before.line).scene
        app.invoke("deck.undo")
        assert opened(driver).deck.data == written, "what is recovered is a change of the file"
        app.invoke("deck.redo")
    driver.key("Ctrl+S")
    assert not app.autosaves.deck.autosave.file.exists()


def test_a_new_deck_is_recovered_beside_a_scene(driver: Driver) -> None:
    app = driver.app
    app.invoke("deck.add")
    app.files.recovery.offer()
    assert app.questions.pending is None, "of a process that lives nothing is offered"
    app.ask.edit(PAIR, "Change")
    deck_left, scene_left = put_aside(driver), app.autosaves.scene.autosave.file
    shutil.copy(scene_left, scene_left.with_name("autosave-1-dead.json"))
    before = opened(driver).deck
    app.files.decks.leave()
    app.files.load_preset("stacked-cubes")
    app.ask.answer("discard")
    app.files.recovery.offer()
    assert app.questions.pending.message.startswith("A new deck, last changed ")
    app.ask.answer("recover")
    app.ask.answer("recover")
    assert app.work.scene == PAIR
    assert opened(driver).deck == before
    assert not deck_left.exists()


def test_leaving_asks_about_the_slide_then_about_the_deck(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, path, left = driver.app, deck(tmp_path / "d.jsonl"), []
    monkeypatch.setattr(app, "leave", lambda: left.append(app.work.deck))
    app.ask.open(path)
    driver.frame(2)
    scene = app.work.scene
    app.ask.edit(scene.swapped(), "Swap A and B")
    app.close_asked()
    assert app.questions.pending.message == "The slide Apart has changes that are not saved."
    app.ask.answer("save")
    assert app.questions.pending.message == "The deck Three pairs has changes that are not saved."
    with monkeypatch.context() as patch:
        patch.setattr("app.controllers.deck.write_atomic", full_disk)
        app.ask.answer("save")
    assert not left, "what could not be written ends nothing"
    assert "no space left" in app.notices.now()[-1].message
    assert app.work.unsaved
    app.close_asked()
    app.ask.answer("save")
    assert left
    assert slide_of(read_deck(path).slides[0]).scene == scene.swapped()


def test_discarding_a_slides_changes_still_asks_about_the_deck(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, left = driver.app, []
    monkeypatch.setattr(app, "leave", lambda: left.append(app.work.deck))
    app.ask.open(deck(tmp_path / "d.jsonl"))
    app.invoke("deck.down")
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    app.close_asked()
    app.ask.answer("discard")
    assert not left
    assert app.questions.pending.message == "The deck Three pairs has changes that are not saved."
    app.ask.answer("discard")
    assert left


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_name_that_is_not_given_leaves_the_deck_open(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
    app, other = driver.app, deck(tmp_path / "other.jsonl")
    app.invoke("deck.add")
    app.ask.open(other)
    app.ask.answer("save")
    driver.frame(2)
    assert app.dialogs.deck
    driver.key("Escape")  # the name's field lets go
    driver.key("Escape")
    assert not app.dialogs.deck
    app.ask.save_deck(tmp_path / "mine.jsonl")
    driver.frame(2)
    assert opened(driver).path == tmp_path / "mine.jsonl", "what was to follow the saving follows no later one"
    app.invoke("deck.remove")
    app.ask.open(other)
    app.ask.answer("save")
    assert opened(driver).path == other
    assert read_deck(tmp_path / "mine.jsonl").slides == ()
    app.ask.open(tmp_path / "mine.jsonl")
    driver.frame(6)
    assert "No slide yet. Open a scene, look at it, and add the view." in drawn_texts(driver)


def test_a_line_that_is_refused_stays_as_it_is(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, deck(tmp_path / "d.jsonl", *SLIDES, slide("Long", 2.0, words="x" * 601))
    long = b'{"separatrix": 1, "name": "Endless", "notes": "' + b"x" * SCENE_LIMIT + b'"}'
    path.write_bytes(path.read_bytes() + b"{ no scene \xff\n\n" + long)
    lines = path.read_bytes().splitlines()
    app.ask.open(path)
    driver.frame(2)
    assert app.files.log_position.count == 6
    for k, why in ((3, "words: must have at most 600"), (5, "is longer than 16 MB"), (4, "is not UTF-8")):
        app.ask.show_entry(k)
        assert f"d.jsonl, slide {k + 1}: {why}" in app.files.log_position.fault
        assert app.work.scene.name == "Apart"
        app.ask.write_slide("", "", "")
        app.invoke("deck.replace")
    app.files.load_preset("stacked-cubes")
    app.invoke("deck.up")
    app.invoke("deck.undo")
    app.ask.write_slide("x", "", "")
    assert app.notices.now()[-1].message.startswith("Slide 5 cannot be written on: ")
    assert not app.work.unsaved
    app.ask.show_entry(0)
    assert app.files.log_position.fault == ""
    app.invoke("deck.down")
    app.ask.save_deck(tmp_path / "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_bytes().splitlines() == [*(lines[k] for k in (0, 2, 1, 3, 4, 5, 7))]


def test_the_lecture_that_ships_is_not_written_over(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
    monkeypatch.chdir(tmp_path)
    app, before = driver.app, LECTURE.read_bytes()
    app.invoke("lecture.open")
    app.invoke("deck.remove")
    driver.key("Ctrl+S")
    driver.frame(3)
    driver.key("Enter")
    assert LECTURE.read_bytes() == before
    (mine,) = tmp_path.glob("*.jsonl")
    assert len(read_deck(mine).slides) == 11
    assert opened(driver).path == mine


def test_a_deck_has_an_end(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.ask.open(deck(tmp_path / "d.jsonl", *[SLIDES[0]] * MOST_SLIDES))
    app.invoke("deck.add")
    assert not app.work.unsaved
    assert app.notices.now()[-1].message == f"A deck has at most {MOST_SLIDES} slides."


def test_a_plain_log_and_a_scene_stay_what_they_are(driver: Driver, tmp_path: Path) -> None:
    app, log, pair = driver.app, tmp_path / "log.jsonl", tmp_path / "pair.json"
    log.write_text("".join(json.dumps(slide(name, 3.0)) + "\n" for name in "xy"))
    app.ask.open(log)
    assert app.work.deck is None
    assert not app.commands.named("deck.remove").enabled(app)
    app.ask.edit(app.work.scene.swapped(), "Swap A and B")
    app.ask.show_entry(1)
    assert app.questions.pending is not None
    app.ask.answer("discard")
    save(pair, PAIR)
    app.ask.open(pair)
    assert app.files.log_position is None
    app.ask.edit(PAIR.swapped(), "Swap A and B")
    app.ask.save(pair)
    assert load(pair).scene == PAIR.swapped()
    app.ask.open(log)
    app.invoke("deck.add")
    assert app.files.log_position.deck, "the log waits until the deck that was begun beside it is closed"
    app.invoke("deck.close")
    app.ask.answer("discard")
    assert (app.files.log_position.deck, app.files.log_position.count) == (False, 2)
    app.ask.open(deck(tmp_path / "d.jsonl"))
    app.ask.open(log)
    assert (app.work.deck, app.files.log_position.deck) == (None, False)


@pytest.mark.parametrize("unsaved", [False, True])
def test_a_deck_saved_before_its_first_slide_opens_whether_or_not_there_is_unsaved_work(
    driver: Driver, tmp_path: Path, unsaved: bool
) -> None:
    app, path = driver.app, tmp_path / "begun.jsonl"
    app.invoke("deck.new")
    app.files.decks.entitle("Lecture 3", "")
    app.files.decks.save_to(path)
    app.invoke("deck.close")
    if unsaved:
        app.ask.edit(PAIR.swapped(), "Swap A and B")
    app.ask.open(path)
    if unsaved:
        app.ask.answer("discard")
    assert (opened(driver).deck.title, opened(driver).slides) == ("Lecture 3", ())


def test_the_first_line_says_what_a_deck_is(tmp_path: Path) -> None:
    assert deck_of(NEW_DECK.data, "new") == NEW_DECK
    assert read_deck(deck(tmp_path / "d.jsonl")).title == HEAD["title"]
    with pytest.raises(SceneError, match=r"d\.jsonl:1: separatrix_deck: must be the whole number 1, got 2"):
        read_deck(deck(tmp_path / "d.jsonl", head={"separatrix_deck": 2}))
    with pytest.raises(SceneError, match="no such file"):
        read_deck(tmp_path / "none.jsonl")
    with pytest.raises(SceneError, match=f"at most {MOST_SLIDES} slides, got {MOST_SLIDES + 1}"):
        read_deck(deck(tmp_path / "d.jsonl", *[SLIDES[0]] * (MOST_SLIDES + 1)))
    with pytest.raises(DataError, match="separatrix_deck: must be the whole number 1, got null"):
        deck_of(b"", "empty")
