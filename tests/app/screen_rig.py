"""The real program in a real window on the virtual screen, driven from outside as a user would.

Nothing here counts frames or seconds: a test waits for a state, up to a limit that no machine needs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import ROOT, Screen

from .patience import PATIENCE, wait_for

TURNS = 3
"""Turns of the program's event loop after which it has dealt with all that had come before."""


class Program:
    """The running program, and how it says that it stands (watched_program.py)."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self.process = process
        self.log = log

    def _told(self) -> tuple[int, int, bool]:
        """Number of the last turn, frames drawn, whether it rests. What is no such line was said by others."""
        told = re.findall(r"^(\d+) (\d+) ([01])\n", self.log.read_text("utf-8", "replace"), re.MULTILINE)
        turn, frames, rests = told[-1] if told else ("0", "0", "0")
        return int(turn), int(frames), rests == "1"

    @property
    def frames(self) -> int:
        return self._told()[1]

    def alive(self) -> bool:
        return self.process.poll() is None

    def settle(self) -> None:
        """Waits until everything that was sent to the window is dealt with, and it has drawn all that it wants to."""
        since = self._told()[0]

        def settled() -> bool:
            turn, _, rests = self._told()
            return rests and turn >= since + TURNS

        try:
            wait_for(settled, "the window to rest", self.alive)
        except (AssertionError, TimeoutError) as error:
            raise AssertionError(f"{error}; it said:\n{self.log.read_text('utf-8', 'replace')[-2000:]}") from None


@contextmanager
def running(screen: Screen, log: Path, *arguments: str, env: dict[str, str]) -> Iterator[Program]:
    screen.xdotool("mousemove", 640, 400)
    with log.open("w") as out:
        command = [sys.executable, "-m", "tests.app.watched_program", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=out, stderr=out, text=True)
    try:
        yield Program(process, log)
    finally:
        process.kill()
        process.wait(timeout=PATIENCE)


@pytest.fixture
def program_env(screen: Screen, home: Path) -> dict[str, str]:
    """The environment of a program with a home of its own, patient with other programs, its notices soon gone."""
    return screen.env | {"SEPARATRIX_HOME": str(home), "CLIPBOARD_SECONDS": str(PATIENCE), "NOTICE_SECONDS": "0.1"}
