"""Examines this machine: what the program needs, what is found, and commands that install missing things.

This module needs only the standard library, and starts GL in separate processes. So it works on a machine without the
program's libraries, or with a driver that crashes.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import metadata, util
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Literal, NamedTuple

from .clipboard import why_no_copy

HOME = Path(__file__).resolve().parents[2]
OLDEST_PYTHON = "3.11"
SYSTEM_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1 libgl1-mesa-dri",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXi.so.6": "libxi6",
    "libXrandr.so.2": "libxrandr2",
    "libXinerama.so.1": "libxinerama1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
}
"""The system libraries that the program loads on Linux, and Debian's packages for them."""
SHIPPED = (
    "assets/fonts/SeparatrixSans-Regular.ttf",
    "assets/fonts/SeparatrixSans-SemiBold.ttf",
    "assets/glossary.json",
    "assets/handout/turning.js",
    "assets/handout/turning_lines.js",
    "assets/handout/turning_solids.js",
    "assets/scenes/index.json",
    "assets/lessons",
    "shaders",
)
GRAPHICS_SECONDS = 20.0
"""The timeout of a driver's start, in seconds."""

State = Literal["ok", "note", "missing"]


class DoctorLine(NamedTuple):
    """The finding about one thing. `mend`: a command or advice that repairs it; "" if nothing is wrong.

    `state`: "missing" for a thing that the program needs, "note" for one that a small part of it needs.
    """

    what: str
    found: str
    state: State = "ok"
    mend: str = ""


Graphics = Mapping[str, str]
"""GL's renderer and version, for the keys "window" and "pictures"; or "!" and the reason why there is no GL."""


def examined(graphics: Graphics) -> tuple[DoctorLine, ...]:
    """All findings, in a fixed order. Never raises."""
    lines: list[DoctorLine] = []
    shown = partial(_graphics, graphics)
    for part in (_program, _python, _system, shown, _system_libraries, _libraries, _files, _folders, _helpers):
        try:
            lines += part()
        except Exception as error:  # the list is most needed on a machine where a check raises
            lines.append(DoctorLine("Doctor", f"could not look everywhere ({type(error).__name__}: {error})", "note"))
    return tuple(lines)


def text_of(lines: Sequence[DoctorLine]) -> str:
    """The findings as text, one on each line, and a summary."""
    wide = max(len(line.what) for line in lines)
    rows = [
        f"{line.state:8} {line.what:{wide}}  {line.found}" + (f"; mend it: {line.mend}" if line.mend else "")
        for line in lines
    ]
    missing = [line.what for line in lines if line.state == "missing"]
    return "\n".join([*rows, f"Missing: {', '.join(missing)}." if missing else "All that is needed is here."]) + "\n"


def asked_graphics(program: Sequence[str] | None = None) -> Graphics:
    """Starts GL in separate processes and returns its descriptions. `program`: in tests, their command line.

    Raises OSError if a process cannot be started.
    """
    command = program or [sys.executable, "-m", "app.platform.graphics"]
    path = os.pathsep.join(filter(None, (str(HOME), os.environ.get("PYTHONPATH"))))
    env, silent = os.environ | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}, subprocess.DEVNULL
    asked = {}
    with ExitStack() as files:
        for what in ("window", "pictures"):
            # Files instead of pipes: a process that a driver starts could keep a pipe open.
            out, errors = (files.enter_context(TemporaryFile()) for _ in range(2))
            process = subprocess.Popen([*command, what], env=env, stdin=silent, stdout=out, stderr=errors)
            asked[what] = process, out, errors
        return {what: _answer(*one) for what, one in asked.items()}


def _answer(process: subprocess.Popen[bytes], out: IO[bytes], errors: IO[bytes]) -> str:
    try:
        process.wait(GRAPHICS_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return f"!no answer in {GRAPHICS_SECONDS:.0f} seconds"
    answer, said = (_written(file) for file in (out, errors))
    if process.returncode == 0 and answer:
        return answer
    return f"!it ended with status {process.returncode}" + (f": {said.splitlines()[-1]}" if said else "")


def _written(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").strip()


def _program() -> Iterator[DoctorLine]:
    try:
        from .files import version

        found = f"{version()} in {HOME}"
    except ImportError:
        found = f"in {HOME}"
    yield DoctorLine("Separatrix", found)


def _python() -> Iterator[DoctorLine]:
    found, here = platform.python_version(), f"{platform.python_version()}, {sys.executable}"
    if _numbers(found) < _numbers(OLDEST_PYTHON):
        yield DoctorLine("Python", here, "missing", f"install Python {OLDEST_PYTHON} or newer")
    else:
        yield DoctorLine("Python", here)


def _system() -> Iterator[DoctorLine]:
    yield DoctorLine("System", platform.platform())


def _graphics(graphics: Graphics, system: str = sys.platform) -> Iterator[DoctorLine]:
    window, pictures = graphics["window"], graphics.get("pictures", "")
    driver = "install the driver of the graphics card"
    if system.startswith("linux"):
        driver = _install("libegl1 libgl1 libgl1-mesa-dri")
    if "ModuleNotFoundError" in window + pictures:
        driver = "install the library, see below"
    if not window.startswith("!"):
        yield DoctorLine("Window", window)
    elif system.startswith("linux") and not os.environ.get("DISPLAY"):
        found = "none can be opened: DISPLAY is not set. `check` and `picture` work without one"
        yield DoctorLine("Window", found, "note", "start it on a desktop, or by `ssh -X`")
    else:
        yield DoctorLine("Window", f"none can be opened: {window[1:]}", "missing", driver)
    if pictures.startswith("!"):
        yield DoctorLine("Pictures", f"only .svg and .pdf: {pictures[1:]}", "missing", driver)
    elif pictures:
        yield DoctorLine("Pictures", pictures)


def _system_libraries() -> Iterator[DoctorLine]:
    system = sys.platform
    if not system.startswith("linux"):
        return
    lacking = [name for name in SYSTEM_LIBRARIES if not _loads(name)]
    if not lacking:
        yield DoctorLine("System libraries", f"{len(SYSTEM_LIBRARIES)} of {len(SYSTEM_LIBRARIES)}")
    for name in lacking:
        yield DoctorLine(name, "not found", "missing", _install(SYSTEM_LIBRARIES[name]))


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def _install(packages: str) -> str:
    """The command that installs Debian's `packages`; on a system without apt-get, advice."""
    if not shutil.which("apt-get"):
        return f"install what Debian calls {packages}"
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return f"{'' if as_root else 'sudo '}apt-get install {packages}"


def requirements() -> tuple[str, ...]:
    """The program's requirements, such as `numpy>=2.0,<3`; () if they are not known."""
    project = HOME / "pyproject.toml"
    if project.is_file():
        import tomllib

        return tuple(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"])
    try:
        return tuple(one for one in metadata.requires("separatrix") or () if ";" not in one)
    except metadata.PackageNotFoundError:
        return ()


def _libraries() -> Iterator[DoctorLine]:
    for wanted in requirements():
        name = re.split(r"[<>=!~ ]", wanted, maxsplit=1)[0]
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield DoctorLine(name, "not found", "missing", _pip(wanted))
            continue
        limits = re.findall(r"(>=|<)([\d.]+)", wanted)
        fits = all((_numbers(found) >= _numbers(at)) is (sign == ">=") for sign, at in limits)
        yield (
            DoctorLine(name, found)
            if fits
            else DoctorLine(name, f"{found}, but {wanted} is needed", "missing", _pip(wanted))
        )


def _pip(wanted: str) -> str:
    if util.find_spec("pip") is None:  # environments made by uv have no pip
        return f'uv pip install --python "{sys.executable}" "{wanted}"'
    return f'"{sys.executable}" -m pip install "{wanted}"'


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _files() -> Iterator[DoctorLine]:
    lacking = [name for name in SHIPPED if not (HOME / name).exists()]
    if not lacking:
        yield DoctorLine("Fonts and files", f"{HOME / 'assets'}")
    for name in lacking:
        yield DoctorLine(name, f"not in {HOME}", "missing", "install Separatrix anew")


def _folders() -> Iterator[DoctorLine]:
    try:
        from .files import config_folder, state_folder
    except ImportError:
        return  # `_libraries` reports the missing library
    for what, folder in (("Settings", config_folder()), ("Kept work, fault.txt", state_folder())):
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if there.is_dir() and os.access(there, os.W_OK):
            yield DoctorLine(what, str(folder))
        else:
            mend = "make it a folder that you may write to, or name another in SEPARATRIX_HOME"
            yield DoctorLine(what, f"nothing can be written to {there}", "missing", mend)


def _helpers() -> Iterator[DoctorLine]:
    if not shutil.which("ffmpeg"):
        mend = _install("ffmpeg") if sys.platform.startswith("linux") else "install ffmpeg and put it on the PATH"
        yield DoctorLine("ffmpeg", "not found: no MP4; the other films need nothing", "note", mend)
    if sys.platform.startswith("linux") and not shutil.which("fc-match"):
        found = "not found: letters that the program's font lacks are boxes in the panels"
        yield DoctorLine("fc-match", found, "note", _install("fontconfig"))
    wayland = bool(os.environ.get("WAYLAND_DISPLAY"))
    if (wayland or os.environ.get("DISPLAY")) and (why := why_no_copy()):
        yield DoctorLine("Copy picture", why, "note", _install("wl-clipboard" if wayland else "xclip"))
