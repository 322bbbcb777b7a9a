"""What is said and drawn is what was said and drawn: every preset and kept scene against its snapshots.

How they are made: tests/snapshot_kit/__main__.py. Whoever means a change says so with tests/bless.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tests.snapshot_kit.__main__ import summary
from tests.snapshot_kit.rounding import ROUNDING
from tests.snapshot_kit.store import LARGEST_ALL, LARGEST_FILE, ROOT, STORED, collect, compared, names_of, unbinding

from .faults.table import FAULTS
from .snapshot_kit.scenes import scenes

NAMES = [scene.name for scene in scenes()]


@pytest.fixture(scope="session")
def collected(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the books of the scenes that this run asks for, which all workers share: the first collects."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "snapshots"
    folder.mkdir(exist_ok=True)
    asked = {item.callspec.params["name"] for item in request.session.items if _of_a_scene(item)}
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            collect(folder, [] if asked == set(NAMES) else sorted(asked))
            (folder / "done").touch()
    return folder


def _of_a_scene(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and item.originalname == test_it_is_said_and_drawn_as_before.__name__


@pytest.mark.parametrize("name", NAMES)
def test_it_is_said_and_drawn_as_before(name, collected):
    found = list(compared(name, collected))
    if found and (why := unbinding()):
        pytest.skip(f"reported only, since {why}: {summary(found)}")
    near = f"\nIt is decided by rounding: {ROUNDING[name]}." if name in ROUNDING else ""
    assert not found, f"{summary(found)}{near}\nIf this is meant: tests/bless {name}"


def test_there_is_a_snapshot_of_every_scene_and_of_no_other():
    assert names_of(STORED) == sorted(NAMES)


def test_what_rounding_decides_is_told_of_scenes_that_exist():
    assert set(ROUNDING) <= set(NAMES)


def test_every_fault_of_the_table_can_be_applied():
    for fault in FAULTS:
        assert (ROOT / fault.file).read_text("utf-8").count(fault.old) == 1, fault
        assert fault.old != fault.new


def test_they_stay_small_enough_to_read():
    sizes = [path.stat().st_size for path in STORED.glob("*.txt")]
    assert max(sizes) <= LARGEST_FILE
    assert sum(sizes) <= LARGEST_ALL
