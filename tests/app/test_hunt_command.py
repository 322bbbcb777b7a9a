"""`separatrix hunt` and `separatrix shrink` as a user runs them."""

from __future__ import annotations

import json
import signal
import sys
import zipfile
from pathlib import Path

import pytest

from app.io import scene_file
from core.analysis.analysis import separation_of
from core.differential.numbers import numbers_left
from tests.app.command_rig import GOOD, objects, run, start
from tests.core.engine_faults import fault


@pytest.fixture
def flat_cylinder(tmp_path: Path) -> Path:
    pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    scene_file.save(tmp_path / "scene.json", fault("coal-sphere-cylinder-depth-too-large")[0])
    return tmp_path / "scene.json"


def test_a_hunt_near_a_scene_finds_its_fault_and_writes_a_bundle(flat_cylinder: Path, tmp_path: Path) -> None:
    words = ("hunt", "--engines", "coal", "--around", flat_cylinder, "--questions", "32", "--json")
    done = run(*words, "--out", tmp_path / "found")
    assert done.returncode == 3, done.stderr
    found = objects(done)
    assert {"depth too large"} <= {one["class"] for one in found}
    for one in found:
        assert one["seed"] == 1
        assert one["new"]
        scene = scene_file.from_tree(one["scene"]).scene
        assert numbers_left(scene) <= 6
        with zipfile.ZipFile(one["bundle"]) as archive:
            assert scene_file.read(archive.read("scene.json").decode()).scene == scene
            assert ("unshrunk.json" in archive.namelist()) == (one["unshrunk"] is not None)
    again = objects(run(*words))
    for one in (*found, *again):
        one.update(bundle=None, us=None)
    assert json.dumps(again) == json.dumps(found)


def test_nothing_found_is_status_0_and_bad_words_are_2() -> None:
    pytest.importorskip("fcl")
    quiet = run("hunt", "--engines", "fcl", "--questions", "8", "--families", "general")
    assert (quiet.returncode, quiet.stdout) == (0, "")
    assert quiet.stderr.splitlines()[-1] == "0 kinds of wrong answers were found."
    for words in (
        ("--engines", "nobody"),
        ("--engines", "fcl", "--families", "none"),
        ("--engines", "fcl", "--questions", "0"),
        ("--engines", "fcl", "--seconds", "-1"),
        ("--engines", "fcl", "--seconds", "1", "--questions", "1"),
    ):
        assert run("hunt", *words).returncode == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_in_one_sentence() -> None:
    pytest.importorskip("fcl")
    process = start("hunt", "--engines", "fcl", "--seconds", "60", "--families", "general")
    assert process.stderr is not None
    assert "questions" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert said.splitlines()[-1].startswith("Stopped: ")
    assert process.returncode in (0, 3)


def test_a_condition_of_check_is_kept_while_it_shrinks(tmp_path: Path) -> None:
    out = tmp_path / "small.json"
    done = run("shrink", GOOD, "--fail-on", "depth:0.05", "-o", out)
    assert done.returncode == 0, done.stderr
    small = scene_file.load(out).scene
    assert separation_of(small) < -0.05
    assert numbers_left(small) < numbers_left(scene_file.load(GOOD).scene)
    refused = run("shrink", GOOD, "--fail-on", "depth:50", "-o", out)
    assert refused.returncode == 1
    assert "does not fail these conditions" in refused.stderr


def test_an_engines_fault_is_kept_while_it_shrinks(flat_cylinder: Path, tmp_path: Path) -> None:
    out = tmp_path / "small.json"
    assert run("shrink", flat_cylinder, "--engine", "coal", "-o", out).returncode == 0
    (answer,) = objects(run("check", out, "--json", "--engines", "coal"))
    assert answer["engines"][0]["class"] == "depth too large"
    agrees = run("shrink", flat_cylinder, "--engine", "fcl", "-o", out)
    assert agrees.returncode == 1
    assert "nothing to shrink: fcl agrees" in agrees.stderr
