"""The deck's own title and author, and a deck that another program writes while it is open."""

from __future__ import annotations

from pathlib import Path

import pypdfium2 as pdfium
import pytest

from app.io.deck_file import LONGEST_TEXTS, read_deck
from app.state.deck import OpenDeck

from .command_rig import run
from .deck_samples import HEAD, deck
from .window_rig import Driver, driver

__all__ = ["driver"]


def opened(driver: Driver) -> OpenDeck:
    assert driver.app.work.deck is not None
    return driver.app.work.deck


def names(driver: Driver) -> list[str]:
    return [line.name for line in opened(driver).slides]


def written_over(path: Path, data: bytes) -> None:
    """As another program writes: with another time and size."""
    path.write_bytes(data)


@pytest.fixture
def file(driver: Driver, tmp_path: Path) -> Path:
    path = deck(tmp_path / "talk.jsonl")
    driver.app.ask.open(path)
    return path


def test_title_and_author_are_the_first_lines_and_can_be_undone(driver: Driver, file: Path) -> None:
    before = opened(driver).deck
    driver.app.ask.write_deck("Überlappung", "A. Noether")
    assert opened(driver).unsaved
    driver.app.invoke("deck.save")
    found = read_deck(file)
    assert found is not None
    assert (found.title, found.author) == ("Überlappung", "A. Noether")
    assert found.slides == before.slides
    driver.app.invoke("deck.undo")
    assert opened(driver).deck == before
    driver.app.ask.write_deck("x" * 201, "")
    assert opened(driver).deck.title == "x" * LONGEST_TEXTS["title"]
    assert "keeps the first 200" in driver.app.notices.now()[-1].message


def test_the_author_stands_in_handout_and_pdf(tmp_path: Path) -> None:
    path = deck(tmp_path / "talk.jsonl", head=HEAD | {"author": "A. <Noether>"})
    assert run("render", path, "-o", tmp_path / "talk.html").returncode == 0
    page = (tmp_path / "talk.html").read_text("utf-8")
    assert "<h1>Three pairs, A. &lt;Noether&gt;</h1>" in page
    assert '<meta name="author" content="A. &lt;Noether&gt;">' in page
    assert run("render", path, "-o", tmp_path / "talk.pdf").returncode == 0
    details = pdfium.PdfDocument(tmp_path / "talk.pdf").get_metadata_dict()
    assert (details["Title"], details["Author"]) == ("Three pairs", "A. <Noether>")


def test_a_deck_that_another_program_wrote_can_be_reloaded_and_that_undone(driver: Driver, file: Path) -> None:
    app, mine = driver.app, opened(driver).deck
    theirs = mine.slides[:1]
    app.ask.show_entry(len(mine.slides) - 1)
    written_over(file, b"\n".join((b'{"separatrix_deck": 1, "title": "Theirs"}', *(line.data for line in theirs))))
    app.look_at_disk()
    assert app.questions.pending is not None
    assert app.questions.pending.title == "File changed"
    # What is open stands nowhere else by now.
    assert opened(driver).unsaved
    app.ask.answer("reload")
    assert opened(driver).deck.title == "Theirs"
    assert names(driver) == [line.name for line in theirs]
    assert opened(driver).index == 0
    assert not opened(driver).unsaved
    assert app.work.document.scene.name == theirs[0].name
    app.invoke("deck.undo")
    assert opened(driver).deck == mine
    assert opened(driver).unsaved


def test_the_deck_shown_can_be_kept_and_saved_over_the_other(driver: Driver, file: Path) -> None:
    app, mine = driver.app, opened(driver).deck
    written_over(file, b'{"separatrix_deck": 1}\n')
    app.look_at_disk()
    app.ask.answer("keep")
    assert opened(driver).deck == mine
    app.look_at_disk()
    assert app.questions.pending is None
    app.invoke("deck.save")
    assert read_deck(file) == mine
    app.look_at_disk()
    assert app.questions.pending is None
    assert not opened(driver).unsaved


@pytest.mark.parametrize("data", [b"", b"nonsense", b'{"separatrix_deck": 2}\n'])
def test_a_file_that_is_no_deck_any_more_is_told_and_the_deck_stays(driver: Driver, file: Path, data: bytes) -> None:
    app, mine = driver.app, opened(driver).deck
    written_over(file, data)
    app.look_at_disk()
    app.ask.answer("reload")
    assert opened(driver).deck == mine
    assert opened(driver).unsaved
    assert app.notices.now()[-1].error


def test_the_same_bytes_written_again_ask_nothing(driver: Driver, file: Path) -> None:
    app = driver.app
    app.ask.write_slide("Mine", "", "")
    written_over(file, file.read_bytes())
    app.look_at_disk()
    assert app.questions.pending is None
    app.invoke("deck.save")
    app.look_at_disk()
    assert app.questions.pending is None
