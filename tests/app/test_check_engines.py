"""`check --engines`: what other engines say beside the answer, with the class in words."""

from __future__ import annotations

import json
from pathlib import Path

import fastjsonschema
import pytest

from app.io import scene_file
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
    assert "no normal  agrees: within" in fcl


def test_json_has_an_object_an_engine_that_holds_to_the_schema(flat_cylinder: Path) -> None:
    pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    (answer,) = objects(run("check", flat_cylinder, "--json", "--engines", "fcl,coal"))
    VALID(answer)
    fcl, coal = answer["engines"]
    assert [fcl["engine"], fcl["class"], fcl["fault"], fcl["normal"]] == ["fcl", "agrees", False, None]
    assert [coal["engine"], coal["class"], coal["fault"]] == ["coal", "depth too large", True]
    assert coal["difference"] == pytest.approx(-0.3)
    assert "engines" not in objects(run("check", flat_cylinder, "--json"))[0]


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
