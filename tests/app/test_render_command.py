"""`separatrix picture`, and the program without a display: pictures that carry their scene."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from app.cli.picture import draw_pictures, show_without_window
from app.io.scene_file import load, read, save
from app.render import GraphicsUnavailable
from app.state.export_options import ExportOptions
from app.state.view import WHOLE, StepPlace, View
from app.storage import memory
from core.analysis.analysis import analyse
from core.query.query import Phase, query

from .command_rig import GOOD, ROOT, SCENES, line, run, run_alone

NO_DISPLAY = "No window could be opened here: there is no display."


def test_render_writes_a_picture_that_carries_its_scene(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    done = run("render", GOOD, "-o", out, "--size", "64x40", "--scale", "2", "--theme", "light", "--step", "0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with Image.open(out) as image:
        assert image.size == (128, 80)
    assert load(out).scene == load(GOOD).scene
    assert list(tmp_path.iterdir()) == [out]


def test_a_triangle_thinner_than_a_subpixel_leaves_no_pixel_without_a_number(tmp_path: Path) -> None:
    """Two pixels of this picture were no numbers, which numpy warns of, and black in the middle of a yellow line."""
    out = tmp_path / "out.png"
    scene = SCENES / "float32-radius-form.json"
    view = ("--size", "1280x720", "--scale", "1.5", "--theme", "dark", "--hide", "titles")
    done = run("render", scene, "-o", out, *view)
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(out) as image:
        assert [image.getpixel(place)[:3] for place in ((1421, 703), (1453, 749))] == [(255, 226, 122)] * 2


@pytest.mark.slow
def test_render_draws_one_step_and_the_picture_carries_it(tmp_path: Path) -> None:
    pictures = []
    for name, step in (("answer", "0"), ("first", "1"), ("gjk", "17")):
        out = tmp_path / f"{name}.png"
        done = run("render", GOOD, "-o", out, "--size", "120x80", "--step", step)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        view = load(out).view
        assert (0 if view is None else view.step) == int(step)
        with Image.open(out) as image:
            pictures.append(image.tobytes())
    assert len(set(pictures)) == 3
    # Rendered again the picture shows its step, unless another is asked for.
    for words, wanted in (((), 2), (("--step", "0"), 0)):
        again = tmp_path / "again.png"
        assert run("render", tmp_path / "gjk.png", "-o", again, "--size", "120x80", *words).returncode == 0
        with Image.open(again) as image:
            assert image.tobytes() == pictures[wanted]


def test_a_phase_behind_a_setting_is_drawn_and_kept_by_its_place(tmp_path: Path) -> None:
    first, again = tmp_path / "a.svg", tmp_path / "b.svg"
    assert run("picture", GOOD, "-o", first, "--step", "mpr:2").returncode == 0
    assert run("picture", first, "-o", again).returncode == 0
    assert first.read_bytes() == again.read_bytes()
    view = load(first).view
    assert view is not None
    assert view.at == StepPlace(Phase.MPR, 2, WHOLE)


@pytest.mark.parametrize(("name", "step"), [("gjk:3", "18"), ("sat:1", "1"), ("sat:stop", "15")])
def test_a_step_is_named_by_its_phase_too(tmp_path: Path, name: str, step: str) -> None:
    pictures = []
    for words in (name, step):
        out = tmp_path / "out.png"
        assert run("render", GOOD, "-o", out, "--size", "40x40", "--step", words).returncode == 0
        view = load(out).view
        assert view is not None
        assert view.step == int(step)
        pictures.append(out.read_bytes())
    assert pictures[0] == pictures[1]


def test_a_named_step_that_is_not_there_is_refused_with_what_there_is(tmp_path: Path) -> None:
    found = query(analyse(load(GOOD).scene))
    count = next(count for phase, _, count in found.phases if phase is Phase.GJK)
    for step, why in (
        ("gjk:0", f"has no step gjk:0: there are {count}, from gjk:1 to gjk:{count}"),
        (f"gjk:{count + 1}", f"has no step gjk:{count + 1}: there are {count}, from gjk:1 to gjk:{count}"),
        ("sat:first-gap", "has no step sat:first-gap: no axis has a gap"),
        ("ray:1", "has no steps of ray: its query has those of sat, gjk, epa and contacts"),
    ):
        done = run("render", GOOD, "-o", tmp_path / "out.png", "--step", step, "--size", "40x40")
        assert (done.returncode, done.stderr) == (1, f"{GOOD}: {why}\n")


def test_a_step_beyond_the_last_is_refused_with_their_number(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    count = len(query(analyse(load(GOOD).scene)).moments)
    done = run("render", GOOD, "-o", out, "--step", str(count + 1), "--size", "40x40")
    assert (done.returncode, done.stdout) == (1, "")
    sentence = f"{GOOD}: has no step {count + 1}: its query has {count}, from 1 to {count}; step 0 is the answer\n"
    assert done.stderr == sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_scene_kept_at_a_step_that_is_no_more_is_drawn_at_the_last(tmp_path: Path) -> None:
    loaded = load(GOOD)
    count = len(query(analyse(loaded.scene)).moments)
    pictures = []
    for step in (count, 10**6):
        save(tmp_path / "kept.json", loaded.scene, View(step=step))
        done = run("render", tmp_path / "kept.json", "-o", tmp_path / "out.png", "--size", "120x80")
        assert (done.returncode, done.stderr) == (0, "")
        with Image.open(tmp_path / "out.png") as image:
            pictures.append(image.tobytes())
    assert pictures[0] == pictures[1]


def test_render_into_nowhere_says_so(tmp_path: Path) -> None:
    for out in (tmp_path / "none" / "out.png", tmp_path / "folder.png"):
        (tmp_path / "folder.png").mkdir(exist_ok=True)
        done = run("render", GOOD, "-o", out, "--size", "40x40")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(f"{out}: ")
        assert done.stderr.count("\n") == 1


def test_render_takes_no_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line())
    done = run("render", log, "-o", tmp_path / "out.png")
    assert (done.returncode, done.stderr) == (1, f"{log}: is a log; a picture shows one scene\n")


def test_without_a_display_the_answers_are_printed_and_the_picture_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    alone = run_alone(GOOD, cwd=tmp_path)
    assert (alone.returncode, alone.stderr) == (0, "")
    said = [alone.stdout]
    # What the program does then, a second time and without a file's name.
    for file in (str(GOOD), None):
        assert show_without_window(file, NO_DISPLAY) == 0
        said.append(capsys.readouterr().out)
    for told, name in zip(said, ("skew-edges.png", "skew-edges-1.png", "separatrix.png"), strict=True):
        assert told.startswith("Two boxes, edge against edge")
        last = told.splitlines()[-1]
        assert last.startswith(f"{NO_DISPLAY} The picture is in ")
        assert name in last
        assert load(tmp_path / name).scene == load(GOOD).scene
    assert len(list(tmp_path.iterdir())) == 3


def test_without_a_display_a_scene_of_the_plane_has_its_own_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = GOOD.parent / "flat-round-corner.json"
    monkeypatch.chdir(tmp_path)
    assert show_without_window(str(scene), NO_DISPLAY) == 0
    told = capsys.readouterr().out
    assert told.startswith(run("check", scene).stdout)
    assert "by closed form against the difference" in told


def test_without_a_display_a_bad_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert show_without_window(str(tmp_path / "none.json"), NO_DISPLAY) == 1
    assert tuple(capsys.readouterr()) == ("", f"{tmp_path / 'none.json'}: no such file or folder\n")
    assert list(tmp_path.iterdir()) == []


def test_without_a_display_a_log_shows_its_first_scene(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text("\n" + line("first") + line("second"))
    assert show_without_window("log.jsonl", NO_DISPLAY) == 0
    assert capsys.readouterr().out.startswith("first\n")
    assert load(tmp_path / "log.png").scene == read(line("first")).scene
    (tmp_path / "log.jsonl").write_text("\n")
    assert show_without_window("log.jsonl", NO_DISPLAY) == 1
    assert capsys.readouterr().err == "log.jsonl: is empty\n"


def test_a_picture_beyond_the_memory_is_refused_before_it_is_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(memory, "free_memory", lambda: 1_000_000)
    assert draw_pictures([(str(GOOD), tmp_path / "big.png")], ExportOptions(size=(640, 400), scale=2.0)) == 1
    said = capsys.readouterr().err
    assert said.endswith("big.png: a picture of 1280x800 pixels takes 9 MB of memory, and 1 MB are free\n")
    assert list(tmp_path.iterdir()) == []
    assert draw_pictures([(str(GOOD), tmp_path / "small.png")], ExportOptions(size=(64, 40))) == 0


def test_no_window_and_no_picture_is_no_success(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def none() -> None:
        raise GraphicsUnavailable("no driver")

    monkeypatch.setattr("app.cli.picture.Stills", none)
    assert show_without_window(None, "No window.") == 1
    assert capsys.readouterr().out.endswith("No window. No picture could be drawn either.\n")


def test_a_lesson_without_a_window_says_what_can_be_had(capsys) -> None:
    lesson = str(ROOT / "assets" / "lessons" / "01-one-gap-is-proof.md")
    assert show_without_window(lesson, "No window could be opened.") == 1
    said = capsys.readouterr().out
    assert said.startswith("No window could be opened. A lesson needs one; separatrix handout ")
    assert said.endswith("-o lesson.html makes a page of it.\n")
