"""Makes .venv ready to `run` the program or to `check` it: `python -I app/packaging/prepare.py ready|make PURPOSE`.

`ready` says by its exit status whether that is done; `make` does it and says what it does. Stands on the standard
library alone. What the system needs besides is seen to by prepare.sh.
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
"""Has the list of the system's packages: where it has changed they are asked for anew."""
ONLY_TO_CHECK = "# --- to check it ---"
"""Where the part of the lock begins that the program itself does not need."""

QUICK = ("--timeout", "7", "--retries", "1")
PATIENT = ("--timeout", "60")
PAUSES = (5, 30)
"""Seconds before a second and a third try: what a server refuses now it gives a little later."""
MACHINES = {"linux-x86_64", "win-amd64", "macosx-arm64"}
"""For which every library has a wheel."""
NO_NETWORK = (
    "ConnectTimeoutError",
    "NewConnectionError",
    "NameResolutionError",
    "ProxyError",
    "Failed to establish a new connection",
    "Network is unreachable",
)
"""What pip says where nobody answers at all."""


def say(words: str) -> None:
    """One line to the user."""
    sys.stderr.write(f"separatrix: {words}\n")
    sys.stderr.flush()


def state(purpose: str) -> str:
    """What .venv is made from: it holds for one lock, project file and list of packages, one Python and one place."""
    made_from = hashlib.sha256(LOCK.read_bytes() + PROJECT.read_bytes() + SYSTEM.read_bytes()).hexdigest()
    return f"{made_from} {sys.version_info[0]}.{sys.version_info[1]} {ROOT} {purpose}"


def ready(purpose: str) -> bool:
    """Whether .venv, whose Python runs this, has all; what is enough to check is enough to run."""
    return STAMP.is_file() and STAMP.read_text("utf-8") in (state("check"), state(purpose))


def unfit() -> bool:
    """Whether .venv as it stands belongs to another Python or another place, or was left half made."""
    asked = "import sys, pip; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([PYTHON, "-I", "-c", asked], capture_output=True, text=True, check=True)
        made = (HOME / "pyvenv.cfg").read_text("utf-8").splitlines()
    except (OSError, subprocess.SubprocessError):
        return True
    here = any(line.startswith("command = ") and line.endswith(f" {HOME}") for line in made)
    return not here or done.stdout.split() != [str(part) for part in sys.version_info[:2]]


def machine() -> str:
    """The system and the processor that this Python is made for, as the names of wheels have them."""
    told = sysconfig.get_platform()
    # One for both of a Mac's processors says so, and not on which it runs.
    return f"macosx-{platform.machine()}" if told.startswith("macosx") else told


def make(purpose: str) -> int:
    """Makes it; the exit status."""
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever starts it may well have an older one
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
    """Installs, with patience for a server that hiccups and none for a network that is not there."""
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
    """Installs, or says why not."""
    done = pip(PATIENT, *arguments)
    sys.stderr.write(done.stderr)
    return done.returncode == 0


def pip(patience: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    """What became of `pip install`, with what it said."""
    quiet = ("--disable-pip-version-check", "--no-input", "--quiet")
    command: list[str | Path] = [PYTHON, "-m", "pip", *quiet, *patience, "install", *arguments]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )


if __name__ == "__main__":
    what, purpose = sys.argv[1:]
    sys.exit(make(purpose) if what == "make" else not ready(purpose))
