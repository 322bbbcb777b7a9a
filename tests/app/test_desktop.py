"""`separatrix desktop`: an entry, an icon and a file type that the desktop's own tools accept; gone when removed."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.__main__ import main
from app.cli import desktop

ROOT = Path(__file__).resolve().parents[2]
ENTRY, ICON = "applications/separatrix.desktop", "icons/hicolor/scalable/apps/separatrix.svg"
FILE_TYPE = "mime/packages/separatrix.xml"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "share"


def command_of(entry: Path) -> list[str]:
    """What a desktop starts: the value's escapes first, then those of the command line, then the signs for files."""
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(entry, "utf-8")
    value = parser["Desktop Entry"]["Exec"].replace("\\\\", "\\")
    quoted = re.fullmatch(r'"((?:[^"\\`$]|\\["\\`$])*)" (.*) %f', value)
    assert quoted is not None, value
    return [re.sub(r"\\(.)", r"\1", quoted[1]).replace("%%", "%"), *quoted[2].split()]


@pytest.mark.slow
def test_what_is_installed_starts_the_program_and_is_gone_when_removed(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = data / "applications" / "other.desktop"
    other.parent.mkdir(parents=True)
    other.touch()
    assert main(["desktop", "--install"]) == 0
    assert capsys.readouterr().out == "".join(f"wrote {data / one}\n" for one in (ICON, FILE_TYPE, ENTRY))
    started = [*command_of(data / ENTRY), "--version"]
    env = os.environ | {"PYTHONPATH": str(ROOT / "app" / "packaging" / "site")}  # as an installation here has it
    done = subprocess.run(started, env=env, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.startswith("separatrix 0.")
    assert main(["desktop", "--install"]) == 0, "once more, over what is there"
    capsys.readouterr()
    assert main(["desktop", "--remove"]) == 0
    assert capsys.readouterr().out == "".join(f"removed {data / one}\n" for one in (ENTRY, FILE_TYPE, ICON))
    left = [path for path in data.rglob("*") if path.is_file()]
    assert other in left
    assert not [path for path in left if "separatrix" in path.name or b"separatrix" in path.read_bytes()]
    assert not (data / "icons").exists()
    assert main(["desktop", "--remove"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_the_desktops_tools_accept_it(data: Path) -> None:
    list(desktop.install())
    icon = ElementTree.parse(data / ICON).getroot()
    assert icon.get("width") == icon.get("height")
    glob = ElementTree.parse(data / FILE_TYPE).getroot().find(".//{*}glob")
    assert glob is not None
    assert glob.get("pattern") == "*.separatrix.json"
    if validator := shutil.which("desktop-file-validate"):
        done = subprocess.run([validator, data / ENTRY], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")
    if shutil.which("update-mime-database"):
        assert "application/x-separatrix+json:*.separatrix.json" in (data / "mime" / "globs2").read_text("utf-8")


@pytest.mark.parametrize("python", ["/opt/my python/bin/python", '/a"b\\c$d`e%f/python'])
def test_any_path_of_python_comes_through_the_entrys_escapes(
    python: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    entry = tmp_path / "entry"
    entry.write_text(desktop._entry(), "utf-8")
    assert command_of(entry) == [python, "-m", "separatrix"]


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_elsewhere_it_says_what_to_do(
    system: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert main(["desktop", "--install"]) == 1
    assert "separatrix-gui" in capsys.readouterr().err
