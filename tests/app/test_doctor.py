"""`separatrix doctor`: nothing missing here, and every thing that may be missing is told with what mends it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from app.__main__ import main
from app.storage import doctor

from .patience import wait_for

ROOT = Path(__file__).resolve().parents[2]
WELL = {"window": "a card, OpenGL 4.6", "pictures": "a card, OpenGL 4.6"}


def told(graphics: doctor.Graphics = WELL) -> dict[str, doctor.DoctorLine]:
    return {line.what: line for line in doctor.examined(graphics)}


def without_libraries(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-m", "app", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.slow
def test_nothing_is_missing_where_the_tests_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    lines = {line["what"]: line for line in said["lines"]}
    assert said["missing"] == []
    assert "OpenGL" in lines["Window"]["found"]
    assert "OpenGL" in lines["Pictures"]["found"]
    assert lines["numpy"]["found"] == metadata.version("numpy")


@pytest.mark.slow
def test_it_answers_where_no_library_is_there() -> None:
    done = without_libraries("doctor")
    assert (done.returncode, done.stderr) == (1, "")
    for wanted in doctor.requirements():
        name = re.split("[<>=]", wanted)[0]
        mend = f"pip install .*{re.escape(wanted)}"
        assert re.search(rf"^missing  {name} +not found; mend it: .*{mend}", done.stdout, re.M)
    assert done.stdout.splitlines()[-1].startswith("Missing: ")


def test_what_needs_a_missing_library_leads_to_it() -> None:
    done = without_libraries("check", "assets/scenes/skew-edges.json")
    assert done.returncode == 1
    assert re.fullmatch(r"separatrix: No module named '\w+'; `separatrix doctor` says .*\n", done.stderr)


def test_a_library_that_is_too_old_or_too_new_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ("numpy>=99", "msgspec>=0.1,<0.2", "pillow>=1")
    monkeypatch.setattr(doctor, "requirements", lambda: wanted)
    lines = told()
    assert [lines[name].state for name in ("numpy", "msgspec", "pillow")] == ["missing", "missing", "ok"]
    assert lines["numpy"].mend.endswith('install "numpy>=99"') or "uv pip install" in lines["numpy"].mend


@pytest.mark.parametrize("check", ["platform", "python_version"])
def test_a_check_that_raises_is_told_and_ends_no_other(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def raises() -> str:
        raise OSError("no answer")

    monkeypatch.setattr(doctor.platform, check, raises)
    found = doctor.examined(WELL)
    told = [line for line in found if line.what == "Doctor"]
    assert [(line.found, line.state) for line in told] == [("could not look everywhere (OSError: no answer)", "note")]
    whole = {line.what for line in found}
    assert {"Separatrix", "Fonts and files"} <= whole
    assert ("Python" in whole) != ("System" in whole)


def test_a_driver_that_crashes_or_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = doctor.asked_graphics([sys.executable, "-c", "import os; os._exit(7)"])
    assert crashed == {"window": "!it ended with status 7", "pictures": "!it ended with status 7"}
    monkeypatch.setattr(doctor, "GRAPHICS_SECONDS", 0.2)
    hung = doctor.asked_graphics([sys.executable, "-c", "import time; time.sleep(60)"])
    assert set(hung.values()) == {"!no answer in 0 seconds"}


def test_what_a_driver_has_started_is_not_waited_for(tmp_path: Path) -> None:
    alive, told_to_end = tmp_path / "alive", tmp_path / "end"
    helper = (
        "import sys, time; from pathlib import Path; Path(sys.argv[1]).touch()\n"
        "for _ in range(1200): Path(sys.argv[2]).exists() or time.sleep(0.05)\n"
        "Path(sys.argv[1]).unlink()"
    )
    driver = (
        f"import subprocess, sys; from pathlib import Path; alive = {str(alive)!r} + sys.argv[1]\n"
        f"subprocess.Popen([sys.executable, '-c', {helper!r}, alive, {str(told_to_end)!r}])\n"
        "while not Path(alive).exists(): pass\n"
        "print('a card')"
    )
    assert doctor.asked_graphics([sys.executable, "-c", driver]) == {"window": "a card", "pictures": "a card"}
    assert len(list(tmp_path.glob("alive*"))) == 2
    told_to_end.touch()
    wait_for(lambda: not list(tmp_path.glob("alive*")), "the end of what was started")


@pytest.mark.parametrize(
    ("system", "display", "state", "mend"),
    [
        ("linux", ":0", "missing", "libgl1-mesa-dri"),
        ("linux", "", "note", "ssh -X"),
        ("win32", "", "missing", "driver of the graphics card"),
        ("darwin", "", "missing", "driver of the graphics card"),
    ],
)
def test_what_mends_a_window_depends_on_the_system(
    system: str, display: str, state: str, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    window, pictures = doctor._graphics({"window": "!no context", "pictures": "!no context"}, system)
    assert window.state == state
    assert mend in window.mend
    assert pictures.state == "missing"


def test_a_file_in_place_of_the_folder_of_kept_work_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = tmp_path / "file"
    taken.touch()
    monkeypatch.setenv("SEPARATRIX_HOME", str(taken / "inside"))
    lines = told()
    assert str(taken) in lines["Settings"].found
    assert lines["Settings"].state == lines["Kept work, fault.txt"].state == "missing"


def test_lost_files_and_libraries_of_the_system_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SHIPPED", (*doctor.SHIPPED, "assets/lost.ttf"))
    monkeypatch.setattr(doctor, "SYSTEM_LIBRARIES", {"libnowhere.so.3": "libnowhere3"})
    monkeypatch.setattr(sys, "platform", "linux")
    lines = told()
    assert lines["assets/lost.ttf"].state == lines["libnowhere.so.3"].state == "missing"
    assert "libnowhere3" in lines["libnowhere.so.3"].mend


@pytest.mark.skipif(sys.platform != "linux", reason="the programs of Linux")
@pytest.mark.parametrize(("display", "package"), [("DISPLAY", "xclip"), ("WAYLAND_DISPLAY", "wl-clipboard")])
def test_what_copies_pictures_is_a_note(
    display: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path))
    for other in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(other, raising=False)
    assert "Copy picture" not in told(), "where no window opens none is copied"
    monkeypatch.setenv(display, "here")
    note = told()["Copy picture"]
    assert note.state == "note"
    assert package in note.mend


def test_the_set_up_looks_for_the_same_libraries() -> None:
    script = (ROOT / "app" / "packaging" / "prepare.sh").read_text("utf-8")
    for_the_program = script.partition("command -v Xvfb")[0]
    found = re.findall(r"loads (\S+) \|\| packages\+=\(([^)]*)\)", for_the_program)
    assert dict(found) == doctor.SYSTEM_LIBRARIES
