"""One name in site-packages, from a wheel, from the sdist and editable; the program and the library run from each."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

pytestmark = pytest.mark.nightly("commands")

ROOT = Path(__file__).resolve().parent.parent
SCENE = ROOT / "assets" / "scenes" / "skew-edges.json"
KINDS = ("wheel", "sdist", "editable")

EDITABLE = "from hatchling.build import build_editable; build_editable({!r})"


def _run(*command: str | Path, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _unpack_wheel(folder: Path) -> Path:
    """What pip would lay into site-packages from the one wheel in `folder`."""
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """For each kind of installation, a folder that stands for its site-packages."""
    folders = {kind: tmp_path_factory.mktemp(kind) for kind in KINDS}
    _run("-m", "hatchling", "build", "-t", "wheel", "-d", folders["wheel"], cwd=ROOT)
    _run("-m", "hatchling", "build", "-t", "sdist", "-d", folders["sdist"], cwd=ROOT)
    (sdist,) = folders["sdist"].glob("*.tar.gz")
    _run("-m", "tarfile", "-e", sdist, folders["sdist"], cwd=ROOT)
    source = sdist.with_name(sdist.name.removesuffix(".tar.gz"))
    _run("-m", "hatchling", "build", "-t", "wheel", "-d", folders["sdist"], cwd=source)
    _run("-c", EDITABLE.format(str(folders["editable"])), cwd=ROOT)
    return {kind: _unpack_wheel(folder) for kind, folder in folders.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_only_one_name_lands_in_site_packages(sites: dict[str, Path], kind: str) -> None:
    names = {path.name for path in sites[kind].iterdir() if path.suffix != ".dist-info"}
    assert names == ({"_separatrix.pth"} if kind == "editable" else {"separatrix"})


def test_the_editable_path_offers_nothing_else(sites: dict[str, Path]) -> None:
    folder = Path((sites["editable"] / "_separatrix.pth").read_text().strip())
    assert {path.name for path in folder.iterdir()} == {"separatrix"}


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_everything_that_the_program_needs_is_in_the_wheel(sites: dict[str, Path], kind: str) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for folder in ("app", "core", "shaders", "assets")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
        and not {"__pycache__", "packaging", "readme", "pictures"} & set(path.parts)
        and path.name not in ("run", "run.py")
    }
    home = sites[kind] / "separatrix"
    shipped = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
    assert shipped == wanted | {"__init__.py", "__main__.py", "py.typed"}


@pytest.mark.parametrize("kind", KINDS)
def test_an_installation_offers_library_and_program(sites: dict[str, Path], kind: str, tmp_path: Path) -> None:
    program = (
        "import site, sys; site.addsitedir(sys.argv.pop(1)); import separatrix, separatrix.core.scene;"
        "print(separatrix.__file__, separatrix.core.scene.__file__, sep='\\n'); sys.exit(separatrix.main())"
    )
    first = "" if kind == "editable" else str(sites[kind])
    printed = _run("-c", program, sites[kind], "check", "--json", SCENE, cwd=tmp_path, PYTHONPATH=first)
    origin, library, answer = printed.splitlines()
    home = ROOT if kind == "editable" else sites[kind]
    assert Path(origin).is_relative_to(home)
    assert Path(library).is_relative_to(home)
    assert json.loads(answer)["verdict"] == "OVERLAPPING"


def test_the_commands_lead_to_the_program(sites: dict[str, Path]) -> None:
    (listing,) = sites["wheel"].glob("*.dist-info/entry_points.txt")
    assert "[console_scripts]\nseparatrix = separatrix:main" in listing.read_text()
    assert "[gui_scripts]\nseparatrix-gui = separatrix:main" in listing.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_it_runs_as_a_module(sites: dict[str, Path], kind: str, tmp_path: Path) -> None:
    path = (sites["editable"] / "_separatrix.pth").read_text().strip() if kind == "editable" else str(sites[kind])
    assert _run("-m", "separatrix", "--version", cwd=tmp_path, PYTHONPATH=path).startswith("separatrix 0.")


def test_the_wheel_says_what_it_is_and_what_it_needs(sites: dict[str, Path]) -> None:
    (file,) = sites["wheel"].glob("*.dist-info/METADATA")
    said = message_from_string(file.read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (said["Name"], said["Version"]) == ("separatrix", project["version"])
    assert said["Requires-Python"] == ">=3.11"
    needed = {re.split("[<>=]", one)[0] for one in said.get_all("Requires-Dist", []) if "extra ==" not in one}
    assert needed == {re.split("[<>=]", one)[0] for one in project["dependencies"]}


def test_the_wheel_finds_its_own_files(sites: dict[str, Path], tmp_path: Path) -> None:
    program = "import runpy, sys; sys.argv = ['separatrix', 'doctor', '--json']; runpy.run_module('separatrix')"
    lines = json.loads(_run("-c", program, cwd=tmp_path, PYTHONPATH=str(sites["wheel"])))["lines"]
    (found,) = [line["found"] for line in lines if line["what"] == "Fonts and files"]
    assert found == str(sites["wheel"] / "separatrix" / "assets")


def test_the_tree_runs_without_an_installation(tmp_path: Path) -> None:
    assert _run("-m", "app", "check", SCENE, cwd=tmp_path, PYTHONPATH=str(ROOT))
