"""`separatrix lesson`: what it prints, its exit status, the skeleton; and what is kept of a learner's progress."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import app.__main__ as door
from app.draw.text import lacking
from app.lessons.progress import LearnerProgress, LessonProgress, load_progress, progress_path, save_progress
from app.lessons.shelf import shipped_files

from .lesson_samples import LESSON, small


@pytest.fixture
def lesson_file(tmp_path: Path) -> Path:
    file = tmp_path / "mine.md"
    file.write_text(LESSON, encoding="utf-8")
    return file


def test_a_good_lesson_passes(lesson_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["lesson", str(lesson_file)]) == 0
    assert capsys.readouterr().out == f"{lesson_file}: A small lesson, 2 steps, all goals are reached\n"


def test_a_wrong_one_is_refused_with_its_lines(lesson_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lesson_file.write_text(small(("[0.8, 0.2]", "[0.95, 0.2]"), ("Drag B", "Drag 猫 B")), encoding="utf-8")
    assert door.main(["lesson", str(lesson_file), str(shipped_files()[0])]) == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        f"{lesson_file}:29: goal depth >= 0.1 is not reached by the solution: 0.05 deep: 0.05 too little. Go on.",
        f"{lesson_file}:32: warning: the program's font has no letter for 猫",
    ]
    assert told.out == f"{shipped_files()[0]}: One gap is proof, 11 steps, all goals are reached\n"


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["lesson", str(tmp_path / "none.md")]) == 1
    assert capsys.readouterr().err.endswith(":1: the file cannot be read: no such file or folder\n")


def test_the_skeleton_passes_its_own_check_and_overwrites_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "new.md"
    assert door.main(["lesson", "--new", str(file)]) == 0
    assert door.main(["lesson", str(file)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "My lesson, 3 steps, all goals are reached" in told.out
    assert door.main(["lesson", "--new", str(file)]) == 1
    assert capsys.readouterr().err == f"{file}: there is a file already; give a new name\n"
    assert door.main(["lesson", "--new", str(tmp_path / "none" / "new.md")]) == 1
    assert "no such file or folder" in capsys.readouterr().err


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    found: list[Path | None] = []

    def open_window(path: Path | None) -> int:
        found.append(path)
        return 0

    monkeypatch.setattr(door, "_open_window", open_window)
    return found


def test_a_lesson_is_opened_once_it_is_right(
    lesson_file: Path, opened: list[Path | None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert door.main(["lesson", str(lesson_file), "--open"]) == 0
    assert opened == [lesson_file]
    lesson_file.write_text(small(("minutes: 5", "minutes: 0")), encoding="utf-8")
    assert door.main(["lesson", str(lesson_file), "--open"]) == 1
    assert opened == [lesson_file]
    assert f"{lesson_file}:5: minutes: must be a whole number from 1 to 30" in capsys.readouterr().err


def test_a_number_opens_the_lesson_of_the_shelf(opened: list[Path | None], capsys: pytest.CaptureFixture[str]) -> None:
    assert door.main(["lesson", "4"]) == 0
    assert opened == [shipped_files()[3]]
    assert door.main(["lesson", "40"]) == 1
    assert capsys.readouterr().err == "there is no lesson 40: there are 1, 2, 3, 4, 5, 6, 7, 8 and 9\n"


@pytest.mark.parametrize("words", [[], ["a.md", "--new", "b.md"], ["a.md", "b.md", "--open"], [""]])
def test_bad_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        door.main(["lesson", *words])
    sentence, help_line = capsys.readouterr().err.splitlines()
    assert sentence.startswith("separatrix lesson: error: ")
    assert help_line == "`separatrix lesson --help` has every option."


def test_letters_that_the_font_has() -> None:
    assert lacking("A − B, 60° × √2 ⁻¹³ → “x” äöß αβ") == ""
    assert lacking("猫 and ع and 猫") == "猫ع"


# Progress.


PROGRESS = LearnerProgress(
    lessons={"gjk-walks": LessonProgress("bounds", ("support-a",), ("leaves",), "2026-05-01"), "epa": LessonProgress()},
    last="gjk-walks",
    offered=True,
)


def test_progress_is_kept_in_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEPARATRIX_HOME", str(tmp_path / "home"))
    assert load_progress() == (LearnerProgress(), None)
    assert save_progress(PROGRESS) is None
    assert progress_path() == tmp_path / "home" / "progress.json"
    assert load_progress() == (PROGRESS, None)
    kept = json.loads(progress_path().read_text())["lessons"]["gjk-walks"]
    assert kept == {"step": "bounds", "done": ["support-a"], "shown": ["leaves"], "finished": "2026-05-01"}


def test_keys_of_another_version_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    file.write_text('{"lessons": {"x": {"step": "a", "stars": 3}}, "streak": 9}')
    assert load_progress(file) == (LearnerProgress(lessons={"x": LessonProgress("a")}), None)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"{", "is not JSON"),
        (b"\xff", "is not UTF-8 text"),
        (b'{"lessons": {"x": {"done": "a"}}}', "done: must be a list"),
        (b" " * (2 << 20), "is larger than 1 MB"),
    ],
)
def test_a_broken_one_is_put_aside_with_a_sentence(tmp_path: Path, data: bytes, why: str) -> None:
    file = tmp_path / "progress.json"
    for number in (1, 2):
        file.write_bytes(data)
        progress, sentence = load_progress(file)
        assert progress == LearnerProgress()
        assert sentence is not None
        assert why in sentence
        assert f"It is kept as progress-broken-{number}.json, and the lessons begin anew." in sentence
        assert (tmp_path / f"progress-broken-{number}.json").read_bytes() == data
        assert not file.exists()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    sentence = save_progress(PROGRESS, tmp_path / "file" / "progress.json")
    assert sentence is not None
    assert sentence.startswith("The progress of the lessons is not kept: ")


def test_steps_are_done_or_shown() -> None:
    begun = LessonProgress().at("a").met("a", shown=True).met("b", shown=False)
    assert (begun.step, begun.done, begun.shown) == ("a", ("b",), ("a",))
    alone = begun.met("a", shown=False)
    assert (alone.done, alone.shown) == (("b", "a"), ())
    assert alone.met("a", shown=True) == alone
    whole = LearnerProgress().having("x", alone)
    assert (whole.of("x"), whole.last) == (alone, "x")
    assert whole.without("x").of("x") == LessonProgress()
