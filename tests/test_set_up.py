"""The set-up of a checkout: what it says without a network, how often it tries, and when .venv has to be made anew."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOWHERE = "http://127.0.0.1:9"
"""The port of the service that throws everything away; nobody answers there."""


@pytest.fixture
def prepare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The set-up of a checkout in `tmp_path`."""
    spec = importlib.util.spec_from_file_location("prepare", ROOT / "app" / "packaging" / "prepare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    home = tmp_path / ".venv"
    home.mkdir()
    for name, path in {
        "HOME": home,
        "STAMP": home / ".prepared",
        "LOCK": tmp_path / "lock",
        "PROJECT": tmp_path / "toml",
        "SYSTEM": tmp_path / "sh",
    }.items():
        monkeypatch.setattr(module, name, path)
    module.LOCK.write_text("numpy\n# --- to check it ---\npytest\n")
    module.PROJECT.write_text("[project]")
    module.SYSTEM.write_text("xvfb")
    return module


def said_by_pip(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch, *answers: tuple[int, str]) -> list[float]:
    """Stands in for pip; the pauses between its tries."""
    left, pauses = iter(answers), []
    monkeypatch.setattr(
        prepare, "pip", lambda *_: subprocess.CompletedProcess([], *(lambda a: (a[0], "", a[1]))(next(left)))
    )
    monkeypatch.setattr(prepare.time, "sleep", pauses.append)
    return pauses


@pytest.mark.slow
def test_without_a_network_one_sentence_says_so(
    prepare: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prepare, "PYTHON", sys.executable)
    for name in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(name, NOWHERE)
        monkeypatch.setenv(name.upper(), NOWHERE)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    monkeypatch.setattr(prepare.time, "sleep", lambda _: pytest.fail("waits for a network that is not there"))
    assert not prepare.tried_again("--dry-run", "--ignore-installed", "--no-deps", "separatrix-that-nobody-has==1")
    said = capfd.readouterr().err
    assert said.startswith("separatrix: there is no network")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("told", "processor", "named"),
    [
        ("linux-aarch64", "aarch64", "linux-aarch64"),
        ("win-arm64", "ARM64", "win-arm64"),
        ("win32", "AMD64", "win32"),
        ("macosx-10.9-universal2", "x86_64", "macosx-x86_64"),
    ],
)
def test_a_machine_without_wheels_is_told_so_in_one_sentence(
    prepare: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    told: str,
    processor: str,
    named: str,
) -> None:
    monkeypatch.setattr(prepare.sysconfig, "get_platform", lambda: told)
    monkeypatch.setattr(prepare.platform, "machine", lambda: processor)
    monkeypatch.setattr(prepare, "unfit", lambda: pytest.fail("makes an environment that nothing can be put into"))
    assert prepare.make("run") == 1
    said = capfd.readouterr().err
    assert said.count("\n") == 1
    assert "x86-64 Linux and Windows" in said
    assert f"for {named} moderngl" in said


@pytest.mark.parametrize(
    ("told", "processor"),
    [
        ("linux-x86_64", "x86_64"),
        ("win-amd64", "ARM64"),
        ("macosx-11.0-arm64", "arm64"),
        ("macosx-10.9-universal2", "arm64"),
    ],
)
def test_machines_with_wheels_are_known(
    prepare: ModuleType, monkeypatch: pytest.MonkeyPatch, told: str, processor: str
) -> None:
    monkeypatch.setattr(prepare.sysconfig, "get_platform", lambda: told)
    monkeypatch.setattr(prepare.platform, "machine", lambda: processor)
    assert prepare.machine() in prepare.MACHINES


def test_a_server_that_hiccups_is_asked_again(prepare: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = (1, "503 Server Error\n")
    assert said_by_pip(prepare, monkeypatch, refused, refused, (0, "")) == []
    pauses = said_by_pip(prepare, monkeypatch, refused, refused, (0, ""))
    assert prepare.tried_again("numpy")
    assert pauses == [5, 30]
    said_by_pip(prepare, monkeypatch, refused, refused, refused)
    assert not prepare.tried_again("numpy")


def test_what_is_enough_to_check_is_enough_to_run(prepare: ModuleType) -> None:
    assert not prepare.ready("run")
    prepare.STAMP.write_text(prepare.state("run"))
    assert prepare.ready("run")
    assert not prepare.ready("check")
    prepare.STAMP.write_text(prepare.state("check"))
    assert prepare.ready("run")
    prepare.LOCK.write_text("numpy==3\n")
    assert not prepare.ready("run")


def test_a_new_package_of_the_system_is_asked_for_where_all_was_ready(prepare: ModuleType) -> None:
    prepare.STAMP.write_text(prepare.state("check"))
    prepare.SYSTEM.write_text("xvfb librsvg2-bin")
    assert not prepare.ready("check")
    assert not prepare.ready("run")


def test_an_environment_of_another_place_or_without_pip_is_made_anew(
    prepare: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prepare.unfit(), "no Python in it"
    monkeypatch.setattr(prepare, "PYTHON", sys.executable)
    told = prepare.HOME / "pyvenv.cfg"
    told.write_text(f"command = python3 -m venv {prepare.HOME}\n")
    assert not prepare.unfit()
    told.write_text(f"command = python3 -m venv /elsewhere{prepare.HOME}\n")
    assert prepare.unfit()
