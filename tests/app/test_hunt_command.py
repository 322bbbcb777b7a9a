"""`separatrix hunt` and `separatrix shrink` as a user runs them."""

from __future__ import annotations

import json
import signal
import sys
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from app.cli.hunt import Budget, OutputFormat, hunt_engines
from app.cli.shrink import shrink
from app.engines.asked import EngineSession
from app.engines.catalogue import EngineSpec, FoundEngine
from app.io import scene_file
from core.analysis.analysis import separation_of
from core.study.differential.hunt import is_concentric
from core.study.differential.numbers import numbers_left
from tests.app.command_rig import GOOD, objects, objects_of, run, start
from tests.core.engine_faults import fault

SPHERES = Path(__file__).with_name("stand_in_spheres.py")
Hunted = Callable[..., tuple[list[dict[str, Any]], str]]


@pytest.fixture
def spheres(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Hunted:
    """Hunts the engine of spheres that does so to balls with one centre: what is told, and the words beside it."""

    def hunted(
        deed: str, told: OutputFormat = OutputFormat.JSON, out: Path | None = None
    ) -> tuple[list[dict[str, Any]], str]:
        entry = EngineSpec("spheres", "Spheres", str(SPHERES), "m", "p", (deed, str(tmp_path / "counter")))

        def asking(_names: object, stack: ExitStack) -> tuple[EngineSession, ...]:
            return (stack.enter_context(EngineSession(FoundEngine(entry, sys.executable))),)

        for command in ("hunt", "shrink"):
            monkeypatch.setattr(f"app.cli.{command}.engine_sessions", asking)
        budget = Budget(questions=24, seconds=None)
        assert hunt_engines(("spheres",), 1, budget, ("concentric", "general"), None, out, told) == 3
        said = capsys.readouterr()
        return objects_of(said.out), said.err

    return hunted


@pytest.mark.parametrize("deed", ["crash", pytest.param("hang", marks=pytest.mark.slow)])
@pytest.mark.sampled(2, "commands")
def test_a_pair_that_was_never_asked_about_is_no_finding(
    spheres: Hunted, deed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("app.engines.workers.ANSWER_LIMIT", 1.0)
    found, words = spheres(deed)
    # Twelve pairs have one centre: three end the engine, nine and all others after them are not asked about.
    counts = "3 crashes" if deed == "crash" else "3 hangs"
    (not_asked,) = [line for line in words.splitlines() if "not asked" in line]
    assert not_asked == f"Spheres: 19 questions not asked: sphere and sphere have ended it before, by {counts}"
    assert found
    for one in found:
        assert (one["class"], one["failure"], one["repeats"]) == ("failed", deed, True)
        assert one["words"].startswith("crashed: SIGSEGV" if deed == "crash" else "hung: no answer in")
        scene = scene_file.from_tree(one["scene"]).scene
        assert is_concentric(scene), "what it was shrunk to does so as well"
        assert numbers_left(scene) == 0
    assert f"sphere and sphere, {deed}" in words
    path = tmp_path / "whole.json"
    path.write_text(json.dumps(found[0]["unshrunk"]), "utf-8")
    assert shrink(str(path), None, "spheres", tmp_path / "small.json") == 0
    assert numbers_left(scene_file.load(tmp_path / "small.json").scene) == 0


def test_what_does_not_happen_again_is_told_so_and_has_no_bundle(spheres: Hunted, tmp_path: Path) -> None:
    found, _ = spheres("once", out=tmp_path / "out")
    assert [(one["class"], one["repeats"], one["bundle"]) for one in found] == [("failed", False, None)]


def test_the_live_lines_say_how_many_questions_were_not_asked(spheres: Hunted) -> None:
    lines, _ = spheres("crash", OutputFormat.LIVE)
    counts = [(line["asked"], line["not_asked"]) for line in lines if "asked" in line]
    assert counts == [(8, 3), (16, 11), (24, 19)]


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
@pytest.mark.nightly("commands")
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
