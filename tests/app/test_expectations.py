"""`check --expect`: which part of an earlier answer today's must equal, within what, and whose answer it is."""

from __future__ import annotations

import json
import os
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.io.presets import presets
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Box

from .command_rig import SCENES, line, objects, run

Changed = dict[str, Any]


def told(scenes: list[str | Path], changed: Changed, folder: Path, *words: str) -> list[str]:
    """What fails of the first scene if its own answer is expected with other values."""
    first, *others = objects(run("check", "--json", *scenes))
    earlier = folder / "earlier.jsonl"
    earlier.write_text("".join(json.dumps(answer) + "\n" for answer in (first | changed, *others)))
    done = run("check", "--json", *scenes, "--expect", earlier, *words)
    brief = run("check", "--brief", *scenes, "--expect", earlier, *words)
    failures = [answer.get("failures", []) for answer in objects(done)]
    assert done.returncode == brief.returncode == (3 if any(failures) else 0), done.stderr
    assert brief.stderr == done.stderr
    assert not any(failures[1:])
    return failures[0]


@pytest.fixture
def overlapping(tmp_path: Path) -> Path:
    """A box and a ball that overlap by 0.5 along x."""
    path = tmp_path / "pair.json"
    path.write_text(line("pair", 1.0))
    return path


@pytest.mark.nightly("commands")
def test_every_answer_is_as_expected_of_itself_without_any_tolerance(tmp_path: Path) -> None:
    files = [preset.path for preset in presets()]
    for words in ([], ["--single"]):
        earlier = tmp_path / "earlier.jsonl"
        earlier.write_text(run("check", "--json", *words, *files).stdout)
        done = run("check", "--brief", *files, "--expect", earlier, "--tolerance", "0")
        assert (done.returncode, done.stderr.count("\n")) == (0, 1), done.stderr


@pytest.mark.parametrize(
    ("mtv", "sentence"),
    [
        ([0.5, 0.0, 0.0], []),
        ([0.5 + 1e-10, 1e-10, 0.0], []),
        ([0.5 + 1e-6, 0.0, 0.0], ["mtv (+0.500000, 0, 0), expected (+0.500001, 0, 0)"]),
        ([0.0, 0.5, 0.0], ["mtv (+0.500000, 0, 0), expected (0, +0.500000, 0)"]),
        ([-0.5, 0.0, 0.0], ["mtv (+0.500000, 0, 0), expected (−0.500000, 0, 0)"]),
        ([0.0, 0.0, 0.0], ["mtv (+0.500000, 0, 0), expected (0, 0, 0)"]),
        (None, ["mtv (+0.500000, 0, 0), expected none"]),
    ],
)
def test_an_mtv_is_compared(overlapping: Path, tmp_path: Path, mtv: list[float] | None, sentence: list[str]) -> None:
    assert told([overlapping], {"mtv": mtv}, tmp_path) == sentence


def test_an_mtv_along_a_tied_axis_is_as_good(tmp_path: Path) -> None:
    cubes = tmp_path / "cubes.json"
    cubes.write_text(json.dumps({"separatrix": 1, "a": CUBE, "b": CUBE}))
    for mtv in ([1, 0, 0], [0, -1, 0], [0, 0, 1]):
        assert told([cubes], {"mtv": mtv}, tmp_path) == []
    slanted = [sqrt(0.5), sqrt(0.5), 0.0]
    assert told([cubes], {"mtv": slanted}, tmp_path)[0].startswith("mtv ")


CUBE: Changed = {"shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, 0, 0]}


def test_the_mtv_of_bodies_that_touch_within_the_band_is_compared_whatever_its_sign(tmp_path: Path) -> None:
    touching = tmp_path / "touching.json"
    touching.write_text(line("touching", 1.5 + 4e-13))
    answer = objects(run("check", "--json", touching))[0]
    assert (answer["verdict"], answer["separation"] > 0.0, answer["mtv"][0] < 0.0) == ("TOUCHING", True, True)
    assert told([touching], {}, tmp_path, "--tolerance", "0") == []


@pytest.mark.parametrize("gap", [1.0, 1e300])
def test_an_expected_gap_widens_nothing(overlapping: Path, tmp_path: Path, gap: float) -> None:
    known = {"provenance": {"separation": {"kind": "bound", "gap": gap}}}
    (sentence,) = told([overlapping], known | {"separation": -0.5 + 1e-6}, tmp_path)
    assert sentence.startswith("separation −0.500000, expected −0.499999 within ")
    assert told([overlapping], known | {"separation": -0.5 + 1e-10}, tmp_path) == []
    (sentence,) = told([overlapping], known | {"normal": [0.6, 0.8, 0.0]}, tmp_path)
    assert sentence.startswith("the expected normal proves only ")


def test_a_separation_must_be_known_as_well_as_expected(tmp_path: Path) -> None:
    """Two coaxial cones, whose depth is a bound."""
    loose = next(
        preset.path
        for preset in presets()
        if objects(run("check", "--json", preset.path))[0]["provenance"]["separation"]["gap"] > 0.0
    )
    exact = {"provenance": {"separation": {"kind": "exact", "gap": 0.0}}}
    assert told([loose], {}, tmp_path) == []
    assert told([loose], exact, tmp_path) == []  # its gap is smaller than the tolerance
    (sentence,) = told([loose], exact, tmp_path, "--tolerance", "0")
    assert sentence.startswith("the separation is known to within ")


@pytest.fixture
def on_a_slope(tmp_path: Path) -> Path:
    """A half-space proves something along its own normal only."""
    slope = {"shape": {"type": "halfspace", "normal": [0.1, 0.7, 0.3], "offset": 0}, "position": [0, 0, 0]}
    ball = {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0.9, 0]}
    path = tmp_path / "slope.json"
    path.write_text(json.dumps({"separatrix": 1, "name": "slope", "a": slope, "b": ball}))
    return path


@pytest.mark.parametrize("name", ["skew-edges", "two-hulls", "flat-round-corner", "slope"])
def test_a_normal_in_single_precision_is_as_good(name: str, tmp_path: Path, on_a_slope: Path) -> None:
    path = on_a_slope if name == "slope" else SCENES / f"{name}.json"
    normal = objects(run("check", "--json", path))[0]["normal"]
    single, printed = [float(np.float32(part)) for part in normal], [round(part, 7) for part in normal]
    assert single != normal != printed
    for given in (single, printed):
        assert told([path], {"normal": given}, tmp_path) == []
    x, y, *z = normal
    turned = [x * sqrt(0.99) - 0.1 * y, y * sqrt(0.99) + 0.1 * x, *z]
    (sentence,) = told([path], {"normal": turned}, tmp_path)
    assert sentence.startswith("the expected normal proves only ")


def test_a_normal_of_doubles_is_judged_as_one(overlapping: Path, tmp_path: Path) -> None:
    """Its length is 1 to the last digit, and it is 1e-7 off."""
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.9, 0.0, 0.0)))
    assert analyse(scene).normal.tolist() == [1.0, 0.0, 0.0]
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps({"separatrix": 1, "a": CUBE, "b": CUBE | {"position": [0.9, 0, 0]}}))
    off = 1e-7
    (sentence,) = told([path], {"normal": [sqrt(1.0 - off * off), off, 0.0]}, tmp_path)
    assert sentence.startswith("the expected normal proves only ")


def moving(way: tuple[float, float, float], height: float = 0.0, turn: float = 0.0) -> str:
    """A unit ball 4 from another, that moves by `way`, `height` above it; with a turn a box."""
    ball = {"shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 0]}
    other = ball | {"position": [4, height, 0], "displacement": way}
    if turn:
        other |= {"shape": {"type": "box", "size": [2, 1, 1]}, "angular_displacement": [0, 0, turn]}
    return json.dumps({"separatrix": 1, "name": "moving", "a": ball, "b": other}) + "\n"


@pytest.fixture
def hit(tmp_path: Path) -> Path:
    """They touch at 0.5."""
    path = tmp_path / "moving.json"
    path.write_text(moving((-4.0, 0.0, 0.0)))
    return path


@pytest.mark.parametrize(
    ("changed", "sentences"),
    [
        ({"time": 0.5 + 1e-10, "free_until": 0.5 + 1e-10}, []),
        ({"time": 0.4}, ["the bodies touch at time +0.500000, expected +0.400000"]),
        ({"time": 0.5 + 1e-5}, ["the bodies touch at time +0.500000, expected +0.500010"]),
        ({"time": 1.0}, ["the bodies touch at time +0.500000, expected +1.00000"]),
        ({"time": 7.0}, ["the bodies touch at time +0.500000, expected +7.00000"]),
        ({"time": None}, ["the bodies touch at time +0.500000, expected none"]),
        ({"free_until": 0.25}, ["the bodies are free until time +0.500000, expected +0.250000"]),
        ({"outcome": "SEPARATED", "time": None, "free_until": 1.0}, ["motion HIT, expected SEPARATED"]),
        ({"axis": "other", "normal": [0, 1, 0], "contacts": None, "method": "other", "stop": "other"}, []),
    ],
)
def test_a_motion_is_compared(hit: Path, tmp_path: Path, changed: Changed, sentences: list[str]) -> None:
    moved = objects(run("check", "--json", hit))[0]["sweep"]
    assert told([hit], {"sweep": moved | changed}, tmp_path) == sentences


def test_a_motion_that_is_there_or_not_is_told(hit: Path, overlapping: Path, tmp_path: Path) -> None:
    moved = objects(run("check", "--json", hit))[0]["sweep"]
    assert told([hit], {"sweep": None}, tmp_path) == ["motion HIT, expected none"]
    assert told([overlapping], {"sweep": moved}, tmp_path) == ["motion none, expected HIT"]


def test_times_of_a_grazing_contact_are_compared_by_the_distance(tmp_path: Path) -> None:
    """Two balls pass 1e-12 deep: within a millionth of the way they touch as well as at the time that is told."""
    path = tmp_path / "grazing.json"
    path.write_text(moving((-8.0, 0.0, 0.0), 2.0 - 1e-12))
    moved = objects(run("check", "--json", path))[0]["sweep"]
    assert moved["outcome"] == "HIT"
    assert told([path], {"sweep": moved | {"time": moved["time"] + 1e-7}}, tmp_path) == []
    (sentence,) = told([path], {"sweep": moved | {"time": moved["time"] + 1e-2}}, tmp_path)
    assert sentence.startswith("the bodies touch at time ")


def test_a_time_at_which_they_leave_each_other_is_not_that_of_the_contact(tmp_path: Path) -> None:
    path = tmp_path / "through.json"
    path.write_text(moving((-8.0, 0.0, 0.0)))
    moved = objects(run("check", "--json", path))[0]["sweep"]
    assert moved["time"] == 0.25
    for time in (0.75, 1.0):  # they leave; they are as far apart as at the start
        assert told([path], {"sweep": moved | {"time": time}}, tmp_path)


def test_a_turning_bodys_time_is_compared_by_the_distance(tmp_path: Path) -> None:
    path = tmp_path / "turning.json"
    path.write_text(moving((-4.0, 0.0, 0.0), 0.2, 1.0))
    moved = objects(run("check", "--json", path))[0]["sweep"]
    assert moved["method"] == "conservative advancement"
    assert told([path], {"sweep": moved | {"time": moved["time"] + 1e-11}}, tmp_path) == []
    assert told([path], {"sweep": moved | {"time": moved["time"] + 1e-3}}, tmp_path)


# Whose answer it is.


def expecting(file: str | Path, earlier: Path) -> tuple[int, str]:
    done = run("check", "--brief", file, "--expect", earlier, cwd=earlier.parent)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", ["pair.json", "log.jsonl"])
def test_a_scene_without_a_name_goes_by_its_file_however_it_is_spelled(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "scenes"
    folder.mkdir()
    (folder / name).write_text(line() if name == "pair.json" else line() + line("named") + line(x=1.0))
    spellings = [f"scenes/{name}", f"./scenes/{name}", f"scenes/../scenes/{name}", str(folder / name)]
    if os.name == "posix":
        (tmp_path / "link").symlink_to(folder, target_is_directory=True)
        spellings.append(f"link/{name}")
    earlier = tmp_path / "earlier.jsonl"
    for written in spellings:
        earlier.write_text(run("check", "--json", written, cwd=tmp_path).stdout)
        for read in spellings:
            status, said = expecting(read, earlier)
            assert (status, said.count("\n")) == (0, 1), (written, read, said)
    answers = objects(run("check", "--json", f"scenes/{name}", cwd=tmp_path))
    windows = [answer | {"name": answer["name"].replace("/", "\\")} for answer in answers]
    earlier.write_text("".join(json.dumps(answer) + "\n" for answer in windows))
    assert expecting(f"scenes/{name}", earlier)[0] == 0
    (folder / f"other-{name}").write_bytes((folder / name).read_bytes())
    status, said = expecting(f"scenes/other-{name}", earlier)
    assert status == 3
    assert "is not among the expected answers" in said


def test_lines_of_one_name_in_two_logs_go_by_their_log(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line("pair", 2.0))
    (tmp_path / "b.jsonl").write_text(line("pair", 1.0))
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text(run("check", "--json", "a.jsonl", "b.jsonl", cwd=tmp_path).stdout)
    done = run("check", "--brief", "./b.jsonl", tmp_path / "a.jsonl", "--expect", earlier, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "2 scenes: 1 OVERLAPPING, 1 SEPARATED; 0 failed\n")


def test_a_log_that_was_moved_goes_by_lines_and_names(tmp_path: Path) -> None:
    log, earlier = tmp_path / "log.jsonl", tmp_path / "earlier.jsonl"
    log.write_text(line("one") + line("two", 1.0))
    earlier.write_text(run("check", "--json", log).stdout)
    moved = log.rename(tmp_path / "moved.jsonl")
    assert expecting(moved, earlier)[0] == 0


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "C:\\", "~", "", "-:1"])
def test_a_name_that_no_file_has_is_a_name(name: str, tmp_path: Path) -> None:
    log, earlier = tmp_path / "log.jsonl", tmp_path / "earlier.jsonl"
    log.write_text(line(name))
    earlier.write_text(run("check", "--json", log).stdout)
    assert expecting(log, earlier)[0] == 0


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"mtv": [1, 2, 3, 4]}, "mtv: must have two or three numbers, got [1, 2, 3, 4]"),
        ({"line": [1]}, "line: must be a whole number, got [1]"),
        ({"mtv": "long"}, "must be an answer of check --json"),
        ({"sweep": {"time": 0.5}}, "must be an answer of check --json"),
        ({"provenance": {"separation": {"gap": "wide"}}}, "must be an answer of check --json"),
    ],
)
def test_what_is_no_answer_is_refused(overlapping: Path, tmp_path: Path, changed: Changed, sentence: str) -> None:
    earlier = tmp_path / "earlier.jsonl"
    earlier.write_text(json.dumps(objects(run("check", "--json", overlapping))[0] | changed) + "\n")
    done = run("check", overlapping, "--expect", earlier)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{earlier}:1: {sentence}")
