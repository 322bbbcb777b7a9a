"""Judging many scenes in several processes, each pair of shapes within its time: what `accuracy` and `motion` share.

A scene is told by three numbers, its pair of shapes, its family and its number in that, and is the same one every time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from app.io.scene_file import save
from core.scene import Scene

from .table import keep, machine

CHUNK = 50
"""Scenes of one task at the most."""
SAVED_OF_A_KIND = 3
"""Failing scenes of one kind of fault and pair of shapes that are written to files."""


class Task(Struct, frozen=True):
    """Scenes `start` to `end` of a family of a pair of shapes, as long as `seconds` of processor time allow."""

    pair: int
    family: int
    start: int
    end: int
    seconds: float


class Faults(Struct):
    """What was plainly wrong, counted by its first word; `failed` says where: family, number, and the words."""

    faults: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[int, int, str]] = field(default_factory=list)

    def fail(self, family: int, number: int, words: str) -> None:
        """Counts a fault."""
        self.faults[words.split(maxsplit=1)[0].rstrip(":")] += 1
        self.failed.append((family, number, words))

    def merge_faults(self, other: Faults) -> None:
        """Adds those of another tally."""
        self.faults += other.faults
        self.failed += other.failed

    @property
    def words(self) -> str:
        """How many of each kind."""
        return ", ".join(f"{count} {name}" for name, count in self.faults.items()) or "none"


class Judging(Struct, frozen=True):
    """One part of the benchmark that judges: `things` of every one of `pairs`, in equal shares of the `families`.

    `tally` begins the tally of a pair, which has a `merge`; `judge` adds a scene to one; `scene` makes the scene anew,
    for its file; `table` is what is printed.
    """

    name: str
    things: str
    pairs: Sequence[tuple[str, str]]
    families: Sequence[str]
    tally: Callable[[], Any]
    judge: Callable[[Any, int, int, int], None]
    scene: Callable[[int, int, int], Scene]
    table: Callable[[dict[int, Any]], str]

    def main(self, arguments: list[str]) -> int:
        """Prints the table, and writes it with --write; 1 if anything failed."""
        # One thread a process: the processes share the cores between them.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        folder = Path("tests/scenes") / self.things
        options = argparse.ArgumentParser(prog=f"tests/bench/run {self.name}")
        options.add_argument(f"--{self.things}", dest="count", type=int, default=10_000, help="of each pair of shapes")
        options.add_argument(
            "--seconds", type=float, default=600.0, help="processor time for a pair of shapes, at most"
        )
        options.add_argument("--only", nargs="*", default=[], help="pairs of shapes: cone, or box-hull")
        options.add_argument("--save", type=Path, default=folder, help="folder for failing scenes")
        options.add_argument("--write", action="store_true", help="the table to core/README.md")
        options.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
        said = options.parse_args(arguments)
        chosen = [k for k, pair in enumerate(self.pairs) if not said.only or {*pair, "-".join(pair)} & {*said.only}]
        tallies = self._run(chosen, said.count, said.seconds, said.workers)
        print(self.table(tallies))
        if said.write:
            how = f"`tests/bench/run {self.name} {' '.join(arguments)}`: {machine()}."
            keep(self.name, f"{how}\n\n{self.table(tallies)}")
        failures = self._save_failures(tallies, said.save)
        print("\n" + "\n".join(failures) if failures else "", end="")
        return 1 if failures else 0

    def work(self, task: Task) -> tuple[int, Any]:
        """One task's tally; in a process of its own."""
        tally, began = self.tally(), time.process_time()
        for number in range(task.start, task.end):
            self.judge(tally, task.pair, task.family, number)
            if time.process_time() - began > task.seconds:
                break
        return task.pair, tally

    def _tasks(self, pairs: list[int], count: int, seconds: float) -> Iterator[Task]:
        families = len(self.families)
        each = -(-count // families)
        for pair in pairs:
            for start in range(0, each, CHUNK):
                end = min(start + CHUNK, each)
                for family in range(families):
                    yield Task(pair, family, start, end, seconds * (end - start) / (each * families))

    def _run(self, pairs: list[int], count: int, seconds: float, workers: int) -> dict[int, Any]:
        """Judges about `count` scenes of each pair of shapes, with a line of progress on standard error."""
        tallies = {pair: self.tally() for pair in pairs}
        tasks = list(self._tasks(pairs, count, seconds))
        began = time.monotonic()
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            for done, (pair, tally) in enumerate(pool.imap_unordered(self.work, tasks), 1):
                tallies[pair].merge(tally)
                gone = time.monotonic() - began
                faults = sum(sum(it.faults.values()) for it in tallies.values())
                print(
                    f"\r{done}/{len(tasks)} {' and '.join(self.pairs[pair]):26} {gone:5.0f} s, about "
                    f"{gone / done * (len(tasks) - done):5.0f} s to go, {faults} faults ",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
        print(file=sys.stderr)
        return tallies

    def _save_failures(self, tallies: dict[int, Any], folder: Path) -> list[str]:
        """Writes failing scenes to files, three of a kind; a line about each."""
        lines = []
        for pair, tally in tallies.items():
            kinds: Counter[str] = Counter()
            for family, number, fault in tally.failed:
                kind = fault.split(maxsplit=1)[0]
                kinds[kind] += 1
                if kinds[kind] > SAVED_OF_A_KIND:
                    continue
                folder.mkdir(parents=True, exist_ok=True)
                name = f"{'-'.join(self.pairs[pair])}-{self.families[family].replace('_', '-')}-{number}"
                save(folder / f"{name}.json", replace(self.scene(pair, family, number), name=name, notes=fault[:200]))
                lines.append(f"{folder / name}.json: {fault}")
        return lines
