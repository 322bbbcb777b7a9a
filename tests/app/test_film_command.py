"""`separatrix film`, pictures of several scenes, and `separatrix steps`."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest
from PIL import Image

from app.__main__ import main
from app.io.scene_file import load
from app.stages import step_text
from app.state.view import StepPlace
from app.storage import memory
from core.analysis.analysis import analyse
from core.query.query import phase_named, query, settings_for

from .command_rig import BAD, GOOD, SCENES, line, start
from .film_samples import opened
from .patience import wait_for

FLAT = SCENES / "flat-round-corner.json"
SMALL = ("--size", "60x40")
Told = pytest.CaptureFixture[str]


def run(*words: str | Path) -> int:
    """As the command line does, in this process: a film is half a second then."""
    return main([str(word) for word in words])


def refused(told: Told, *words: str | Path) -> str:
    """The sentence of a usage error."""
    with pytest.raises(SystemExit) as ended:
        run("render", *words)
    assert ended.value.code == 2
    return told.readouterr().err.splitlines()[0].partition("error: ")[2]


def test_steps_are_listed_by_the_numbers_and_names_that_render_takes(capsys: Told, tmp_path: Path) -> None:
    assert run("steps", GOOD) == 0
    lines = capsys.readouterr().out.splitlines()
    moments = query(analyse(load(GOOD).scene)).moments
    assert len(lines) == len(moments)
    number, name, title = lines[17].split(maxsplit=2)
    assert (number, name, title) == ("18", "gjk:3", "GJK, step 3 of 4: a triangle")
    for step in (number, name):
        assert run("render", GOOD, "-o", tmp_path / "out.png", "--step", step, *SMALL) == 0
        view = load(tmp_path / "out.png").view
        assert view is not None
        assert view.step == 18


def test_sub_steps_are_listed_on_request_and_render_takes_each(capsys: Told, tmp_path: Path) -> None:
    assert run("steps", GOOD, "--sub-steps") == 0
    assert "      gjk:3:support-A" in capsys.readouterr().out.splitlines()
    assert run("steps", GOOD, "--json") == 0
    told = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
    assert [row["number"] for row in told] == list(range(1, len(told) + 1))
    assert told[17]["step"] == "gjk:3"
    for name in told[17]["sub_steps"]:
        assert run("render", GOOD, "-o", tmp_path / "out.png", "--step", name, "--size", "20x20") == 0
    view = load(tmp_path / "out.png").view
    assert view is not None
    assert view.at == StepPlace(query(analyse(load(GOOD).scene)).moments[17].phase, 3, "drop")


def test_steps_of_a_motion_are_listed_where_it_is_shown(capsys: Told) -> None:
    assert run("steps", SCENES / "tunnelling.json") == 0
    assert "advancement:1" in capsys.readouterr().out


def test_steps_that_a_setting_turns_on_are_listed_and_shown_by_their_phase(capsys: Told, tmp_path: Path) -> None:
    scene = load(GOOD).scene
    for name in ("build", "mpr", "gjk"):
        phase = phase_named(name)
        asked = query(analyse(scene), settings_for(phase))
        mine = [moment for moment in asked.moments if moment.phase is phase]
        assert run("steps", GOOD, "--of", name, "--json") == 0
        rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
        assert [row["step"] for row in rows] == [f"{name}:{number}" for number in range(1, len(mine) + 1)]
        assert [row["number"] is None for row in rows] == [name != "gjk"] * len(mine)
        assert [row["title"] for row in rows] == [step_text(asked, moment).title for moment in mine]
        folder = tmp_path / name
        assert run("render", GOOD, "--frames", folder, "--steps", name, *SMALL) == 0
        assert len(list(folder.glob(f"*-{name}-*.png"))) == len(mine)
        assert run("render", GOOD, "-o", tmp_path / "sheet.svg", "--steps", name, "--columns", "4") == 0
    assert "mpr" not in str([path.name for path in (tmp_path / "gjk").iterdir()])


def test_steps_of_a_phase_that_is_not_there_are_refused_with_those_that_are(capsys: Told) -> None:
    for name in ("ray", "article", "nonsense"):
        assert run("steps", GOOD, "--of", name) == 1
        assert capsys.readouterr().err == (
            f"{GOOD}: has no steps of {name}: its query has those of sat, gjk, epa and contacts\n"
        )


@pytest.mark.parametrize(("words", "why"), [("none.json", "no such file or folder"), ("log.jsonl", "is a log; ")])
def test_steps_of_what_is_no_scene_are_refused(capsys: Told, words: str, why: str) -> None:
    assert run("steps", words) == 1
    assert capsys.readouterr().err.startswith(f"{words}: {why}")


def test_several_scenes_are_drawn_in_one_call(tmp_path: Path, capsys: Told) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text(BAD)
    scenes = [GOOD, bad, FLAT]
    assert run("render", *scenes, "-o", tmp_path / "{name}-p.png", *SMALL) == 1
    assert capsys.readouterr().err.startswith(f"{bad}: b: must be")
    assert {path.name for path in tmp_path.glob("*.png")} == {f"{GOOD.stem}-p.png", f"{FLAT.stem}-p.png"}
    assert run("render", GOOD, "-o", tmp_path / "alone.png", *SMALL) == 0
    with Image.open(tmp_path / "alone.png") as alone, Image.open(tmp_path / f"{GOOD.stem}-p.png") as first:
        assert alone.tobytes() == first.tobytes()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((GOOD, FLAT, "-o", "a.png"), "several scenes need {name} in the file's name, such as 'DIR/{name}.png'"),
        ((GOOD, FLAT, "-o", "{step}.png"), "of names in braces {name} is the only one, got { in '{step}.png'"),
        ((GOOD, GOOD, "-o", "{name}.png"), f"{GOOD} and {GOOD} would both become {GOOD.stem}.png"),
    ],
)
def test_names_that_several_files_cannot_have_are_refused(
    capsys: Told, words: tuple[str | Path, ...], why: str
) -> None:
    told = refused(capsys, *words)
    assert why in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--steps", "ray"), "has no steps of ray: its query has those of sat, gjk, epa and contacts"),
        (("--steps", "3-999"), "has no steps 3-999: there are "),
        (("--steps", "4-2"), "has no steps 4-2: there are "),
        (("--times", "5"), "has no motion for --times"),
    ],
)
def test_what_a_scene_does_not_have_is_refused(capsys: Told, tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    assert run("render", GOOD, "-o", tmp_path / "film.gif", *words, *SMALL) == 1
    assert capsys.readouterr().err.startswith(f"{GOOD}: {why}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("ending", "takes"), [(".gif", 40), (".webp", 50), (".avif", 64)])
@pytest.mark.sampled(2, "pictures")
def test_a_film_that_takes_more_memory_than_there_is_is_refused_before_it_is_spent(
    capsys: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, takes: int
) -> None:
    out, free = tmp_path / f"out{ending}", 60 * 40 * takes
    monkeypatch.setattr(memory, "free_memory", lambda: free)
    assert run("render", GOOD, "-o", out, "--steps", "1-2", *SMALL) == 0
    out.unlink()
    monkeypatch.setattr(memory, "free_memory", lambda: free - 1)
    assert run("render", GOOD, "-o", out, "--steps", "1-2", *SMALL) == 1
    told = f"{out}: a film of 60x40 pixels takes 0 MB of memory, and 0 MB are free\n"
    assert capsys.readouterr().err == told
    assert list(tmp_path.iterdir()) == []


def test_a_webp_has_no_more_pixels_than_the_format_allows(capsys: Told, tmp_path: Path) -> None:
    assert run("render", GOOD, "-o", tmp_path / "out.webp", "--steps", "1-2", "--size", "16384x10") == 1
    assert "WebP has at most 16383 pixels a side, got 16384x10" in capsys.readouterr().err


def test_free_memory_is_that_of_the_machine_or_of_its_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "GROUP", tmp_path)
    assert memory.free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal:  9 kB\nMemAvailable:     8 kB\n")
    assert memory.free_memory() == 8192
    (tmp_path / "memory.current").write_text("1500\n")
    for limit, free in (("5000\n", 3500), ("99999\n", 8192), ("max\n", 8192)):
        (tmp_path / "memory.max").write_text(limit)
        assert memory.free_memory() == free


def test_a_film_of_steps_and_its_pictures_as_files(tmp_path: Path) -> None:
    film, folder = tmp_path / "film.webp", tmp_path / "frames"
    words = ("--steps", "gjk", "--seconds-per-step", "0.8", "--loop", "2", "--frames", folder)
    assert run("render", GOOD, "-o", film, *words, *SMALL) == 0
    pictures, durations, size, info = opened(film)
    between = [40] * 9
    assert (durations, size, info["loop"]) == ([*[800, *between] * 3, 800], (60, 40), 2)
    pictures = [picture for picture, stands in zip(pictures, durations, strict=True) if stands == 800]
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"{GOOD.stem}-{15 + k}-gjk-{k}.png" for k in range(1, 5)]
    for file, picture in zip(files, pictures, strict=True):
        with Image.open(file) as single:
            assert single.convert("RGB").tobytes() == picture.tobytes()
    view = load(files[2]).view
    assert view is not None
    assert (view.step, view.fitted) == (18, False)


@pytest.mark.nightly("pictures")
def test_the_films_of_several_scenes_with_sub_steps_motion_or_a_turn(tmp_path: Path, capsys: Told) -> None:
    assert run("render", GOOD, "--frames", tmp_path, "--steps", "18-19", "--slow", "--size", "20x20") == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names[0] == f"{GOOD.stem}-18-01-gjk-3-nearest.png"
    assert len(names) == 9 + 3
    moving = SCENES / "tunnelling.json", SCENES / "turning-boxes.json"
    assert run("render", *moving, "-o", tmp_path / "{name}.gif", "--times", "3", "--fps", "10", *SMALL) == 0
    for scene in moving:
        # It stands at the impact, and at its end.
        assert opened(tmp_path / f"{scene.stem}.gif")[1] == [100, 1000, 1000]
    assert run("render", GOOD, "-o", tmp_path / "turn.avif", "--turn", "4", "--step", "gjk:2", *SMALL) == 0
    assert opened(tmp_path / "turn.avif")[1] == [40] * 4
    assert run("render", FLAT, "-o", tmp_path / "flat.gif", "--turn", *SMALL) == 1
    assert capsys.readouterr().err == f"{FLAT}: is a scene of the plane, which is looked at straight on: no --turn\n"


def test_a_log_is_a_film_of_its_scenes(tmp_path: Path, capsys: Told) -> None:
    log, film = tmp_path / "drag.jsonl", tmp_path / "drag.webp"
    log.write_text("".join(line(x=1.5 + 0.1 * k) for k in range(5)))
    assert run("render", log, "-o", film, *SMALL) == 0
    pictures, durations, *_ = opened(film)
    assert durations == [40] * 5
    assert len({picture.tobytes() for picture in pictures}) == 5
    log.write_text(line() + BAD + "\n")
    assert run("render", log, "-o", tmp_path / "other.webp", *SMALL) == 1
    assert capsys.readouterr().err.startswith(f"{log}:2: b: must be")
    log.write_text("\n")
    assert run("render", log, "-o", tmp_path / "other.webp", *SMALL) == 1
    assert capsys.readouterr().err == f"{log}: holds no scene\n"
    assert not (tmp_path / "other.webp").exists()


def test_no_film_is_written_where_there_is_no_folder_or_no_ffmpeg(
    tmp_path: Path, capsys: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "none" / "film.gif"
    assert run("render", GOOD, "-o", out, "--steps", "gjk", *SMALL) == 1
    assert capsys.readouterr().err == f"{out}: no such folder\n"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run("render", GOOD, "-o", tmp_path / "film.mp4", "--steps", "gjk", *SMALL) == 1
    assert capsys.readouterr().err.startswith(f"{tmp_path / 'film.mp4'}: MP4 needs the program ffmpeg, ")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl+C")
def test_ctrl_c_leaves_no_half_film(tmp_path: Path) -> None:
    going = start("render", GOOD, "-o", tmp_path / "film.gif", "--turn", "200", "--frames", tmp_path / "f", *SMALL)
    wait_for(lambda: bool(list((tmp_path / "f").glob("*.png"))), "the first picture")
    going.send_signal(signal.SIGINT)
    _, said = going.communicate(timeout=60)
    assert (going.returncode, said) == (130, "")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert all(path.suffix == ".png" and load(path) for path in (tmp_path / "f").iterdir())
