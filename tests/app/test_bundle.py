"""A bundle's script, run alone with its engine and numpy, shows the fault; the zip is the same whenever it is made."""

from __future__ import annotations

import ast
import io
import os
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from app.cli.bundle import bundle_bytes
from app.engines.asked import EngineSession, Judged
from app.engines.bug_report import NAMES_NOTE, can_be_reported, known_report, proof_of, report
from app.engines.catalogue import ENGINES, found_engines
from app.engines.repro import script
from app.io import scene_file
from core import Body, Box, HalfSpace, Scene, Sphere
from core.analysis.brief import distance_of
from core.shapes import Shape
from core.study.differential.answers import Failed
from core.study.differential.classes import Kind, Truth, judge
from tests.app.command_rig import run
from tests.core.engine_faults import BY_DESIGN, FAULTS, FOUND, fault

HERE = {"box3d_manifold": "box3d", "fcl_collide": "fcl-collide", "dart_own": "dart-dart", "bullet": "pybullet"}


@cache
def engines() -> dict[str, EngineSession]:
    pythons = [python for python in os.environ.get("ENGINE_PYTHONS", "").split(os.pathsep) if python]
    return {one.entry.name: EngineSession(one) for one in found_engines(pythons)[0]}


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    for asked in engines().values():
        asked.worker.close()
    engines.cache_clear()


def asked_about(name: str) -> tuple[Judged, EngineSession]:
    engine = HERE.get(FOUND[name]["engine"], FOUND[name]["engine"])
    if engine not in engines():
        pytest.skip(f"{engine} is not installed")
    return engines()[engine].judged(fault(name)[0]), engines()[engine]


def ran(text: str, asked: EngineSession, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "repro.py").write_text(text, "utf-8")
    command = [asked.python, "-I", "repro.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.sampled(4, "commands")
def test_the_script_of_every_fault_shows_it(name: str, tmp_path: Path) -> None:
    judged, asked = asked_about(name)
    assert judged.judgement.kind == FOUND[name]["klass"]
    certificate = proof_of(judged)
    assert can_be_reported(judged, certificate)
    text = script(judged, certificate)
    done = ran(text, asked, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("The fault shows.")
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [])
        + ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [])
    }
    assert imported == {"sys", "numpy", asked.entry.module}
    assert NAMES_NOTE in report(judged, certificate)


@pytest.mark.parametrize("name", BY_DESIGN)
def test_the_script_of_what_is_by_design_says_so(name: str, tmp_path: Path) -> None:
    judged, asked = asked_about(name)
    assert judged.judgement.kind is Kind.DESIGN
    done = ran(script(judged, proof_of(judged)), asked, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "This is by design" in done.stdout
    assert "It is by design, and no fault." in report(judged, proof_of(judged))


def test_the_script_tells_when_the_fault_is_gone(tmp_path: Path) -> None:
    judged, asked = asked_about("coal-sphere-cylinder-depth-too-large")
    text = script(judged, proof_of(judged)).replace("coal.distance(a", "-1.5 + 0 * coal.distance(a")
    done = ran(text, asked, tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "It does not show.")


@pytest.mark.nightly("commands")
def test_the_script_of_a_crash_survives_it(tmp_path: Path) -> None:
    judged, asked = asked_about("coal-sphere-cylinder-depth-too-large")
    crash = Failed("crash", "crashed: SIGABRT")
    judged = replace(judged, answer=crash, judgement=judge(judged.scene, judged.truth, judged.engine, crash))
    assert can_be_reported(judged, None)
    text = script(judged, None)
    done = ran(text, asked, tmp_path)
    assert (done.returncode, "It ended with 0" in done.stdout) == (1, True), done.stderr
    for ending in ("import os; os.abort()", "d = np.nan", "import time; time.sleep(60)"):
        done = ran(text.replace("said = [", f"{ending}\nsaid = ["), asked, tmp_path)
        assert (done.returncode, "It ended with" in done.stdout) == (0, True)


def test_the_zip_is_the_same_twice_and_its_picture_carries_the_scene(tmp_path: Path) -> None:
    judged, asked = asked_about("coal-sphere-cylinder-depth-too-large")
    other = fault("coal-ellipsoid-ellipsoid-depth-too-small")[0]
    first, second = (bundle_bytes(judged, asked, other) for _ in range(2))
    assert first == second
    with ZipFile(io.BytesIO(first)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert list(files)[:5] == ["report.md", "repro.py", "scene.json", "unshrunk.json", "versions.txt"]
    assert scene_file.read(files["scene.json"].decode()).scene == judged.scene
    assert b"Coal (coal) 3.0.3" in files["versions.txt"]
    (tmp_path / "picture.png").write_bytes(files["picture.png"])
    assert scene_file.load(tmp_path / "picture.png").scene == judged.scene


def test_new_is_said_only_where_nothing_like_it_is_known() -> None:
    cone, _ = asked_about("fcl_collide-cone-halfspace-missed-contact")
    assert known_report(cone) == "https://github.com/flexible-collision-library/fcl/issues/256"
    assert "new to us" not in report(cone, proof_of(cone))
    cylinder, _ = asked_about("coal-sphere-cylinder-depth-too-large")
    assert known_report(cylinder) is None
    assert "new to us" in report(cylinder, proof_of(cylinder))


SPHERE, BOX = Sphere(1.0), Box((1.0, 1.0, 1.0))
FCL = "https://github.com/flexible-collision-library/fcl/issues/"


@pytest.mark.parametrize(
    ("a", "b", "x", "place"),
    [
        (SPHERE, SPHERE, 0.0, FCL + "346"),
        (BOX, SPHERE, 0.0, FCL + "346"),
        (SPHERE, SPHERE, 1e-6, FCL + "392"),
        (BOX, SPHERE, 1e-6, None),
        (BOX, HalfSpace((0.0, 1.0, 0.0), 0.0), 1.0, FCL + "623"),
    ],
)
def test_a_call_of_fcl_that_does_not_return_is_known_where_it_was_reported(
    a: Shape, b: Shape, x: float, place: str | None
) -> None:
    (entry,) = (entry for entry in ENGINES if entry.name == "fcl")
    scene, hang = Scene(Body(a), Body(b, (x, 0.0, 0.0))), Failed("hang", "hung: no answer in 2 s")
    truth = Truth.of(distance_of(scene))
    found = Judged(entry, entry.engine("0.7"), scene, hang, truth, judge(scene, truth, entry.engine("0.7"), hang))
    assert known_report(found) == place


def test_an_engine_that_agrees_has_nothing_to_report(tmp_path: Path) -> None:
    pytest.importorskip("fcl")
    scene_file.save(tmp_path / "scene.json", fault("coal-sphere-cylinder-depth-too-large")[0])
    done = run("bundle", tmp_path / "scene.json", "--engine", "fcl", "-o", tmp_path / "x.zip")
    assert done.returncode == 1
    assert done.stderr.startswith("There is nothing to report: FCL")
    assert not (tmp_path / "x.zip").exists()
