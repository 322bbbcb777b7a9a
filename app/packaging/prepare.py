"""Makes .venv ready to `run` the program or to `check` it: `python -I app/packaging/prepare.py ready|make PURPOSE`.

`ready` tells by its exit status whether .venv is ready; `make` makes it ready and prints what it does. It needs the
standard library alone. prepare.sh installs what the system lacks.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".venv"
PYTHON = HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = HOME / ".prepared"
LOCK, PROJECT = ROOT / "requirements.lock", ROOT / "pyproject.toml"
SYSTEM = ROOT / "app" / "packaging" / "prepare.sh"
"""The script with the list of system packages; when it changes, .venv is made ready anew."""
ONLY_TO_CHECK = "# --- to check it ---"
"""The line in the lock file after which come packages that only the checks need."""

QUICK = ("--timeout", "7", "--retries", "1")
PATIENT = ("--timeout", "60")
PAUSES = (5, 30)
"""Seconds before a second and a third try, since a server may be overloaded for a moment."""
MACHINES = {"linux-x86_64", "win-amd64", "macosx-arm64"}
"""The platforms for which every library has a wheel."""
NO_NETWORK = (
    "ConnectTimeoutError",
    "NewConnectionError",
    "NameResolutionError",
    "ProxyError",
    "Failed to establish a new connection",
    "Network is unreachable",
)
"""Parts of pip's messages where there is no network."""


def say(words: str) -> None:
    """Prints one line to the user."""
    sys.stderr.write(f"separatrix: {words}\n")
    sys.stderr.flush()


def state(purpose: str) -> str:
    """A text that identifies the sources of .venv: lock, project file, package list, Python, folder and purpose."""
    made_from = hashlib.sha256(LOCK.read_bytes() + PROJECT.read_bytes() + SYSTEM.read_bytes()).hexdigest()
    return f"{made_from} {sys.version_info[0]}.{sys.version_info[1]} {ROOT} {purpose}"


def ready(purpose: str) -> bool:
    """Whether .venv, whose Python runs this, is complete for the purpose; one made to check is also ready to run."""
    return STAMP.is_file() and STAMP.read_text("utf-8") in (state("check"), state(purpose))


def unfit() -> bool:
    """Whether .venv belongs to another Python or another folder, or is incomplete."""
    asked = "import sys, pip; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([PYTHON, "-I", "-c", asked], capture_output=True, text=True, check=True)
        made = (HOME / "pyvenv.cfg").read_text("utf-8").splitlines()
    except (OSError, subprocess.SubprocessError):
        return True
    here = any(line.startswith("command = ") and line.endswith(f" {HOME}") for line in made)
    return not here or done.stdout.split() != [str(part) for part in sys.version_info[:2]]


def machine() -> str:
    """The system and the processor of this Python, as in the names of wheels."""
    system = sysconfig.get_platform()
    # A universal Python on a Mac does not tell on which processor it runs.
    return f"macosx-{platform.machine()}" if system.startswith("macosx") else system


def make(purpose: str) -> int:
    """Makes .venv ready; returns the exit status, 1 after a refusal or a failure, whose reason it prints."""
    if sys.version_info < (3, 11):  # noqa: UP036 - the user may start it with an older Python
        say(f"needs Python 3.11 or newer; this is {sys.version_info[0]}.{sys.version_info[1]}")
        return 1
    if machine() not in MACHINES:
        say(
            f"runs on x86-64 Linux and Windows and on Apple silicon; for {machine()} moderngl and others have no wheels"
        )
        return 1
    if unfit():
        say(f"making .venv with Python {sys.version.split()[0]}…")
        venv.create(HOME, clear=True, with_pip=True, symlinks=os.name != "nt")
    STAMP.unlink(missing_ok=True)
    say("installing what requirements.lock names (once)…")
    wanted = HOME / "requirements.txt"
    lock = LOCK.read_text("utf-8")
    wanted.write_text(lock.partition(ONLY_TO_CHECK)[0] if purpose == "run" else lock, encoding="utf-8")
    named = ("--require-hashes", "--no-deps", "--only-binary", ":all:", "-r", str(wanted))
    if not (tried_again(*named) and installed("--no-deps", "--no-build-isolation", "--editable", str(ROOT))):
        return 1
    STAMP.write_text(state(purpose), encoding="utf-8")
    return 0


def tried_again(*arguments: str) -> bool:
    """Installs; tries three times, but only once where there is no network. Returns whether it worked."""
    for pause in PAUSES:
        done = pip(QUICK if pause == PAUSES[0] else PATIENT, *arguments)
        if done.returncode == 0:
            return True
        if any(words in done.stderr for words in NO_NETWORK):
            say("there is no network, or the proxy does not answer; nothing could be fetched. Connect, then try again.")
            return False
        sys.stderr.write(done.stderr)
        say(f"that did not work; trying again in {pause} seconds…")
        time.sleep(pause)
    return installed(*arguments)


def installed(*arguments: str) -> bool:
    """Installs, or prints pip's reason; returns whether it worked."""
    done = pip(PATIENT, *arguments)
    sys.stderr.write(done.stderr)
    return done.returncode == 0


def pip(patience: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `pip install`; returns its exit status and standard error."""
    quiet = ("--disable-pip-version-check", "--no-input", "--quiet")
    command: list[str | Path] = [PYTHON, "-m", "pip", *quiet, *patience, "install", *arguments]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )


if __name__ == "__main__":
    what, purpose = sys.argv[1:]
    sys.exit(make(purpose) if what == "make" else not ready(purpose))
