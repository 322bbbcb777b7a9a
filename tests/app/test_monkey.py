"""Thousands of random events, and after each one whole copy of the work is on disk.

MONKEY=10000 asks for more of them, MONKEY_SEED for others; MONKEY_FILE repeats those that a failure has written.
"""

from __future__ import annotations

import os
from ast import literal_eval
from pathlib import Path

import pytest

from .monkey import Monkey, events, run
from .window_rig import Driver, driver

__all__ = ["driver"]

EVENTS = 1_000
SEED = 1


@pytest.mark.slow
@pytest.mark.painted
@pytest.mark.nightly("windows")
def test_whatever_is_done_one_whole_copy_is_on_disk(
    driver: Driver, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    seed, count = (int(os.environ.get(name, usual)) for name, usual in (("MONKEY_SEED", SEED), ("MONKEY", EVENTS)))
    wanted = events(seed, count)
    if again := os.environ.get("MONKEY_FILE"):
        wanted = map(literal_eval, Path(again).read_text("utf-8").splitlines())
    assert run(Monkey(driver, folder, monkeypatch), wanted, str(seed)) > 0
