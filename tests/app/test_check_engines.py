"""`check --engines`: what other engines say beside the answer, with the class in words."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import fastjsonschema
import pytest

from app.cli.engines import engines_text, list_engines
from app.engines.asked import Asked, answer_object
from app.engines.catalogue import Entry, Found
from app.io import scene_file
from core.scene import Body, Scene
from core.shapes import Sphere
from core.study.differential.answers import NotAsked
from tests.app import stand_in_modes as told
from tests.app.command_rig import GOOD, ROOT, objects, run
from tests.core.engine_faults import fault

VALID = fastjsonschema.compile(json.loads((ROOT / "assets" / "check.schema.json").read_text("utf-8")))


@pytest.fixture
def flat_cylinder(tmp_path: Path) -> Path:
    scene_file.save(tmp_path / "scene.json", fault("coal-sphere-cylinder-depth-too-large")[0])
    return tmp_path / "scene.json"


def test_each_engine_has_a_line_with_its_class_and_bound(flat_cylinder: Path) -> None:
    pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    done = run("check", flat_cylinder, "--engines", "coal,fcl")
    assert done.returncode == 0, done.stderr
    coal, fcl = done.stdout.rstrip().splitlines()[-2:]
    assert coal.split()[:3] == ["Coal", "3.0.3", "\u22121.80000"]
    assert "depth too large: by 0.3, more than 1.31803 × 10⁻⁶" in coal
    assert coal.endswith("µs")
    assert "no normal  agrees: off by less than 0.0001 % of the answer, within 0.000131803, by number" in fcl


def test_json_has_an_object_an_engine_that_holds_to_the_schema(flat_cylinder: Path) -> None:
    pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    (answer,) = objects(run("check", flat_cylinder, "--json", "--engines", "fcl,coal"))
    VALID(answer)
    fcl, coal = answer["engines"]
    assert [fcl["engine"], fcl["class"], fcl["fault"], fcl["normal"]] == ["fcl", "agrees", False, None]
    assert [coal["engine"], coal["class"], coal["fault"]] == ["coal", "depth too large", True]
    assert coal["difference"] == pytest.approx(-0.3)
    assert coal["share"] == pytest.approx(0.2)
    assert 0.0 <= fcl["share"] < 1e-6
    assert "engines" not in objects(run("check", flat_cylinder, "--json"))[0]


STAND_IN = Entry("stand-in", "Stand-in", str(Path(__file__).with_name("stand_in_engine.py")), "m", "p")


def test_a_pair_that_is_not_asked_about_is_told_so_and_is_no_fault() -> None:
    def pair(mode: int) -> Scene:
        return Scene(Body(Sphere(1.0)), Body(Sphere(float(mode)), (3.0, 0.0, 0.0)))

    with Asked(Found(STAND_IN, sys.executable)) as asked:
        crashed, *_ = [asked.judged(pair(told.CRASH)) for _ in range(3)]
        not_asked = asked.judged(pair(told.ANSWER))
    assert isinstance(not_asked.answer, NotAsked)
    words = "not asked: sphere and sphere have ended it before, by 3 crashes"
    keys = ("class", "failure", "fault", "words", "separation")
    assert [answer_object(not_asked)[key] for key in keys] == ["not asked", None, False, words, None]
    assert [answer_object(crashed)[key] for key in keys] == ["failed", "crash", True, "crashed: SIGSEGV", None]
    assert engines_text((crashed, not_asked)).splitlines()[1:] == [
        "  Stand-in 1                 no answer  crashed: SIGSEGV",
        f"  Stand-in 1                 no answer  {words}",
    ]


def test_the_list_counts_what_it_could_not_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every ball that the list asks about has a radius between a half and one and a half: of one it is answered."""
    monkeypatch.setattr("app.cli.engines.found_engines", lambda _pythons: ((Found(STAND_IN, sys.executable),), ()))
    ball = Scene(Body(Sphere(1.0)), Body(Sphere(float(told.CRASH)), (9.0, 0.0, 0.0)))
    monkeypatch.setattr("app.cli.engines.sample_pair", lambda *_: ball)
    assert list_engines() == 0
    said = capsys.readouterr().out
    assert "asked about 2 pairs: 2 without an answer (crashed: SIGSEGV); 8 not asked: sphere and sphere" in said


def test_the_list_has_what_is_found_and_how_to_get_the_rest() -> None:
    pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    done = run("engines")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found, missing = done.stdout.split("Not found:\n")
    assert "Coal (coal) 3.0.3: distance, double precision" in found
    assert found.count("asked about 10 pairs: ") == found.count(" pairs of shapes: ")
    assert "  pip install drake       Drake; in a Python from 3.12 of its own\n" in missing


def test_an_unknown_engine_is_bad_usage_and_a_missing_one_is_told_how_to_get() -> None:
    wrong = run("check", GOOD, "--engines", "coal,nobody")
    assert wrong.returncode == 2
    assert "must be of coal, fcl" in wrong.stderr
    assert "got 'nobody'" in wrong.stderr
    missing = run("check", GOOD, "--engines", "drake")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith("drake is not found: pip install drake in a Python from 3.12")
