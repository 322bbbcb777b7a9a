"""Applies every fault of a table in turn to a copy of the tree and says what catches it.

    [FILTER]...              faults of picture and word: whether the snapshots alone catch them
    --rooms [FILTER]...      faults of the core: whether they change an answer, and whether their rooms catch them

FILTER: a part of a fault's sentence or file.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .core import CORE
from .rooms import judged
from .table import FAULTS, Fault
from .tree import copied, made

FIRST = (
    *("skew-edges", "face-touch", "tunnelling", "flat-worked-example", "flat-tunnelling", "corner-touch"),
    *("ball-along-an-edge", "a-ball-a-unit-deep", "ball-a-hair-above"),
)
"""Scenes that are looked at first; where they show nothing, all are."""


def main() -> int:
    """1 when a fault survived."""
    parser = argparse.ArgumentParser(prog="tests/faults/run", description=__doc__)
    parser.add_argument("--rooms", action="store_true", help="faults of the core, by the tests of their rooms")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="rooms at once; one a core")
    parser.add_argument("filters", nargs="*", metavar="FILTER")
    asked = parser.parse_args()
    table = CORE if asked.rooms else FAULTS
    chosen = [f for f in table if not asked.filters or any(word in f.why or word in f.file for word in asked.filters)]
    return _by_rooms(chosen, asked.jobs) if asked.rooms else _by_snapshots(chosen)


def _by_rooms(chosen: Sequence[Fault], jobs: int) -> int:
    caught = survived = 0
    for found in judged(chosen, jobs):
        print(found, flush=True)
        caught += bool(found.caught)
        survived += found.verdict.startswith("SURVIVED")
    print(f"{caught} of {len(chosen)} faults caught, {survived} survived")
    return int(survived > 0)


def _by_snapshots(chosen: Sequence[Fault]) -> int:
    survived = 0
    with tempfile.TemporaryDirectory() as place:
        tree = copied(Path(place))
        for fault in chosen:
            verdict = _tried(fault, tree)
            survived += verdict.startswith("SURVIVED")
            print(f"{fault.why} ({fault.file})\n    {verdict}", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} faults caught")
    return int(survived > 0)


def _tried(fault: Fault, tree: Path) -> str:
    """Whether the snapshots differ with the fault in the copy, and what they say of it first."""
    command = [sys.executable, "-m", "tests.snapshot_kit", "compare"]
    try:
        with made(fault, tree):
            for scenes in (FIRST, ()):
                done = subprocess.run([*command, *scenes], cwd=tree, capture_output=True, text=True, check=False)
                if done.stderr:
                    return f"caught, the program fails: {done.stderr.strip().splitlines()[-1]}"
                if done.returncode:
                    return "caught: " + "\n        ".join(line[:160] for line in done.stdout.splitlines()[:5])
    except ValueError as error:
        return f"SURVIVED: {error}"
    return "SURVIVED: nothing differs"


if __name__ == "__main__":
    sys.exit(main())
