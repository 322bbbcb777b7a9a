"""Decks: read strictly, a slide a line, and made into pictures, pages and films."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from app.__main__ import main
from app.io.deck_file import MOST_SLIDES, DeckHead, Slide, head_tree, read_slide, slide_tree
from app.io.scene_file import SceneError, load
from app.io.scene_log import SceneLog
from app.state.prediction import QuestionKind
from app.storage.strict_json import json_line

from .deck_samples import HEAD, SLIDES, deck, slide

Told = pytest.CaptureFixture[str]
Opening = Callable[[Path], SceneLog]
SMALL = ("--size", "90x60")


@pytest.fixture
def opened() -> Iterator[Opening]:
    """Opens logs, and closes them after the test."""
    with ExitStack() as logs:
        yield lambda path: logs.enter_context(closing(SceneLog(path)))


def run(*words: str | Path) -> int:
    return main([str(word) for word in words])


def test_a_deck_has_slides_with_words_notes_and_a_question(tmp_path: Path, opened: Opening) -> None:
    log = opened(deck(tmp_path / "d.jsonl"))
    assert log.deck == DeckHead("Three pairs", "A. Lecturer")
    slides = [log.scene(k) for k in range(len(log))]
    assert all(isinstance(one, Slide) for one in slides)
    assert [one.scene.name for one in slides] == ["Apart", "Which axis?", "Step three"]
    assert [one.scene.notes for one in slides] == ["A gap.", "Guess.", ""], "its words are what the window shows"
    assert [one.printed for one in slides if isinstance(one, Slide)] == ["Say why.", "", "The third axis."]
    assert [one.question for one in slides if isinstance(one, Slide)] == [None, QuestionKind.AXIS, None]
    assert slides[2].view is not None
    assert slides[2].view.step == 3


def test_what_is_written_is_read_again(tmp_path: Path, opened: Opening) -> None:
    path = deck(tmp_path / "d.jsonl")
    log = opened(path)
    slides = [log.scene(k) for k in range(len(log))]
    assert log.deck is not None
    lines = [json_line(head_tree(log.deck))]
    lines += [json_line(slide_tree(one)) for one in slides if isinstance(one, Slide)]
    assert [read_slide(line) for line in lines[1:]] == slides
    path.write_text("\n".join(lines))
    again = opened(path)
    assert [again.scene(k) for k in range(3)] == slides
    assert again.deck == log.deck


@pytest.mark.parametrize(
    ("head", "sentence"),
    [
        ({"separatrix_deck": 2}, r"d\.jsonl:1: separatrix_deck: must be the whole number 1, got 2"),
        ({"separatrix_deck": True}, r"d\.jsonl:1: separatrix_deck: must be the whole number 1, got true"),
        (HEAD | {"theme": "light"}, r"d\.jsonl:1: theme: "),
        (HEAD | {"title": 3}, r"d\.jsonl:1: title: must be text, got 3"),
        (HEAD | {"author": "x" * 201}, r"d\.jsonl:1: author: must have at most 200 characters, got 201"),
    ],
)
def test_a_first_line_that_is_wrong_is_refused(tmp_path: Path, head: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence):
        SceneLog(deck(tmp_path / "d.jsonl", head=head))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"words": 1}, r"d\.jsonl:2: words: must be text, got 1"),
        ({"words": "x" * 601}, r"d\.jsonl:2: words: must have at most 600 characters, got 601"),
        ({"notes": "x" * 6001}, r"d\.jsonl:2: notes: must have at most 6000 characters, got 6001"),
        ({"question": "why"}, r"d\.jsonl:2: question: must be one of verdict, axis, .*, got \"why\""),
        ({"wordz": ""}, r"d\.jsonl:2: wordz: "),
        ({"view": {"yaw": 0, "pitch": 9}}, r"d\.jsonl:2: view\.pitch: must lie between"),
    ],
)
def test_a_slide_that_is_wrong_is_refused_and_the_next_is_read(
    tmp_path: Path, opened: Opening, wrong: dict[str, Any], sentence: str
) -> None:
    log = opened(deck(tmp_path / "d.jsonl", slide("x", 2.0, **wrong), slide("y", 2.0)))
    with pytest.raises(SceneError, match=sentence):
        log.scene(0)
    assert log.scene(1).scene.name == "y"


def test_a_deck_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(HEAD) + "\n" + (json.dumps(SLIDES[0]) + "\n") * (MOST_SLIDES + 1))
    with pytest.raises(SceneError, match=f"must have at most {MOST_SLIDES} slides, got {MOST_SLIDES + 1}"):
        SceneLog(path)


def test_a_plain_log_knows_no_words(tmp_path: Path, opened: Opening) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (slide("separatrix_deck", 2.0), SLIDES[0])))
    log = opened(path)
    assert log.deck is None
    assert log.scene(0).scene.name == "separatrix_deck"
    with pytest.raises(SceneError, match=r"log\.jsonl:2: words: "):
        log.scene(1)


def test_check_passes_over_the_first_line(tmp_path: Path, capsys: Told) -> None:
    assert run("check", "--json", deck(tmp_path / "d.jsonl")) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(answer["line"], answer["verdict"]) for answer in answers] == [
        (2, "SEPARATED"),
        (3, "SEPARATED"),
        (4, "OVERLAPPING"),
    ]
    assert run("check", deck(tmp_path / "d.jsonl", head={"separatrix_deck": 3})) == 1
    assert "d.jsonl:1: separatrix_deck: must be the whole number 1, got 3" in capsys.readouterr().err
    assert run("check", deck(tmp_path / "d.jsonl", {"separatrix": 2}, SLIDES[0])) == 1
    assert "d.jsonl:2: " in capsys.readouterr().err


def test_pictures_are_files_a_slide_with_the_scene_at_its_step(tmp_path: Path) -> None:
    path = deck(tmp_path / "three.jsonl")
    assert run("render", path, "-o", tmp_path / "{name}.svg", *SMALL) == 0
    assert run("render", path, "-o", tmp_path / "out.png", *SMALL) == 0
    names = [f"{name}-{number}" for name in ("out.png", "three.svg") for number in (1, 2, 3)]
    assert sorted(found.name for found in tmp_path.iterdir()) == sorted(
        [*(f"{name.partition('.')[0]}-{name[-1]}.{name.partition('.')[2][:3]}" for name in names), "three.jsonl"]
    )
    for picture in ("three-3.svg", "out-3.png"):
        loaded = load(tmp_path / picture)
        assert loaded.scene.name == "Step three"
        assert loaded.view is not None
        assert loaded.view.step == 3


def test_a_question_is_not_answered_by_its_picture(tmp_path: Path) -> None:
    told = slide("Which axis?", 1.5, view={"yaw": 0.5, "pitch": 0.3})
    path = deck(tmp_path / "d.jsonl", told | {"question": "axis"}, told)
    assert run("render", path, "-o", tmp_path / "d.svg", "--size", "1200x800") == 0
    asked, answered = ((tmp_path / f"d-{number}.svg").read_text() for number in (1, 2))
    assert "decides" in answered
    assert "decides" not in asked


def test_a_pdf_has_a_page_a_slide(tmp_path: Path) -> None:
    out = tmp_path / "d.pdf"
    path = deck(tmp_path / "d.jsonl")
    assert run("render", path, "-o", out, "--size", "600x400") == 0
    first = out.read_bytes()
    document = pypdfium2.PdfDocument(first)
    assert (len(document), document.get_metadata_dict()["Title"]) == (3, "Three pairs")
    assert {page.get_size() for page in document} == {(450.0, 300.0)}
    attached = [document.get_attachment(k) for k in range(document.count_attachments())]
    assert [json.loads(bytes(one.get_data()))["name"] for one in attached] == [one["name"] for one in SLIDES]
    pages = [page.render(scale=2.0).to_pil().convert("RGB") for page in document]
    for number, page in enumerate(pages, start=1):
        alone = tmp_path / "alone.pdf"
        assert run("render", deck(tmp_path / "one.jsonl", SLIDES[number - 1]), "-o", alone, "--size", "600x400") == 0
        only = pypdfium2.PdfDocument(alone.read_bytes())[0].render(scale=2.0).to_pil().convert("RGB")
        assert page.tobytes() == only.tobytes()
    assert load(out).scene.name == "Apart"
    assert run("render", path, "-o", out, "--size", "600x400") == 0
    assert out.read_bytes() == first, "equal decks, equal bytes"


def test_a_film_shows_slide_after_slide(tmp_path: Path) -> None:
    path, out = deck(tmp_path / "d.jsonl"), tmp_path / "d.webp"
    # The theme whose ground is plain in pictures as in films.
    plain = *SMALL, "--theme", "print"
    assert run("render", path, "-o", out, "--frames", tmp_path / "f", "--seconds-per-step", "2", *plain) == 0
    with Image.open(out) as film:
        assert getattr(film, "n_frames", 1) == 3
    wordless = [{key: value for key, value in one.items() if key != "words"} for one in SLIDES]
    run("render", deck(tmp_path / "p.jsonl", *wordless), "-o", tmp_path / "p.png", *plain)
    for number in (1, 2, 3):
        with Image.open(tmp_path / "f" / f"d-{number}.png") as frame, Image.open(tmp_path / f"p-{number}.png") as still:
            assert frame.convert("RGB").tobytes() == still.convert("RGB").tobytes(), "each with cameras of its own"


def test_a_step_does_not_go_with_a_deck(tmp_path: Path, capsys: Told) -> None:
    assert run("render", deck(tmp_path / "d.jsonl"), "-o", tmp_path / "o.png", "--step", "3") == 1
    sentence = "is a deck: each of its slides has its own step, so --step does not go with it"
    assert sentence in capsys.readouterr().err


def test_a_deck_without_slides_has_no_picture(tmp_path: Path, capsys: Told) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(HEAD))
    assert run("render", path, "-o", tmp_path / "o.pdf") == 1
    assert "holds no scene" in capsys.readouterr().err


@pytest.mark.nightly("pictures")
def test_words_stand_below_the_slide_on_pages_and_pictures(tmp_path: Path, capsys: Told) -> None:
    slides = (
        slide("Two lines", 2.0, words="Here is a gap.\nauto"),
        slide("Bare", 2.0),
        slide("Which axis?", 1.5, question="axis", words="auto"),
    )
    path, size = deck(tmp_path / "d.jsonl", *slides), ("--size", "600x400")
    assert run("render", path, "-o", tmp_path / "d.pdf", *size) == 0
    document = pypdfium2.PdfDocument((tmp_path / "d.pdf").read_bytes())
    assert {page.get_size() for page in document} == {(450.0, 300.0)}, "the words take room from the picture"
    texts = [page.get_textpage().get_text_bounded().splitlines() for page in document]
    below = [{"Here is a gap.", "auto"} & set(text) for text in texts]
    assert below == [{"Here is a gap.", "auto"}, set(), {"auto"}]
    assert run("render", path, "-o", tmp_path / "d.svg", *size) == 0
    asked = (tmp_path / "d-3.svg").read_text()
    assert "auto" in asked
    assert "Separated" not in asked, "and say nothing of the answer"
    assert re.search(r"[AB]\.\S+\s+decides", asked) is None
    assert run("render", path, "-o", tmp_path / "d.svg", *size, "--caption", "Mine") == 0
    assert "Here is a gap." not in re.sub("<metadata.*</metadata>", "", (tmp_path / "d-1.svg").read_text(), flags=re.S)
    assert capsys.readouterr().err == ""
    assert run("render", path, "-o", tmp_path / "d.png", *SMALL) == 0
    assert "Two lines leaves no room for the picture above its words" in capsys.readouterr().err
    odd = deck(tmp_path / "odd.jsonl", slide("Odd", 2.0, words="衝突"))
    assert run("render", odd, "-o", tmp_path / "o.svg", *size) == 0
    assert capsys.readouterr().err == "Odd: its words are left out, the program's font has no letters for 衝突\n"
