"""The worst error per pair of shapes, judged without the core's algorithms (see judge.py), as a table.

    tests/bench/run accuracy [--pairs 10000] [--seconds 60] [--only cone box-hull] [--save FOLDER]

Every pair of shapes gets the same share of eight families (families.py). `--seconds` bounds the processor time of one
pair of shapes; the table says how many pairs were judged. A failing pair is saved as a scene, at most three of a
kind, in tests/scenes/pairs unless told otherwise: what lies there is tested.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from app.files.scene_file import save
from core import Provenance

from .families import FAMILIES, PAIRS, posed
from .judge import Judgement, judge

CHUNK = 125
SAVED_OF_A_KIND = 3
SHARES = (Provenance.EXACT, Provenance.CERTIFIED, Provenance.BOUND, Provenance.FALLBACK)


class Task(Struct, frozen=True):
    """Scenes `start` to `end` of a family of a pair of shapes, as long as `seconds` of processor time allow."""

    pair: int
    family: int
    start: int
    end: int
    seconds: float


class Tally(Struct):
    """What was seen of one pair of shapes. Errors in units of L + |T|, gaps in units of L, by provenance."""

    count: int = 0
    deep: int = 0
    provenance: Counter[Provenance] = field(default_factory=Counter)
    separation: dict[Provenance, float] = field(default_factory=dict)
    gap: dict[Provenance, float] = field(default_factory=dict)
    normal: float = 0.0
    witness: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[int, int, str]] = field(default_factory=list)

    def add(self, family: int, number: int, found: Judgement) -> None:
        """Counts one judgement. Normals and witnesses of mere bounds are off by their gap, and left out."""
        self.count += 1
        for fault in found.faults:
            self.faults[fault.split(maxsplit=1)[0].rstrip(":")] += 1
            self.failed.append((family, number, fault))
        if (how := found.provenance) is None:
            return
        self.deep += found.deep
        self.provenance[how] += 1
        self.separation[how] = max(self.separation.get(how, 0.0), found.separation)
        self.gap[how] = max(self.gap.get(how, 0.0), found.gap)
        if how is not Provenance.BOUND:
            self.normal, self.witness = max(self.normal, found.normal), max(self.witness, found.witness)

    def merge(self, other: Tally) -> None:
        """Adds another tally of the same pair of shapes."""
        self.count += other.count
        self.deep += other.deep
        self.provenance += other.provenance
        for mine, theirs in ((self.separation, other.separation), (self.gap, other.gap)):
            for key, value in theirs.items():
                mine[key] = max(mine.get(key, 0.0), value)
        self.normal, self.witness = max(self.normal, other.normal), max(self.witness, other.witness)
        self.faults += other.faults
        self.failed += other.failed


def _work(task: Task) -> tuple[int, Tally]:
    tally, began = Tally(), time.process_time()
    for number in range(task.start, task.end):
        tally.add(task.family, number, judge(posed(task.pair, task.family, number)))
        if time.process_time() - began > task.seconds:
            break
    return task.pair, tally


def _tasks(pairs: list[int], count: int, seconds: float) -> Iterator[Task]:
    each = -(-count // len(FAMILIES))
    for pair in pairs:
        for start in range(0, each, CHUNK):
            end = min(start + CHUNK, each)
            for family in range(len(FAMILIES)):
                yield Task(pair, family, start, end, seconds * (end - start) / (each * len(FAMILIES)))


def run(pairs: list[int], count: int, seconds: float, workers: int) -> dict[int, Tally]:
    """Judges about `count` pairs of bodies of each pair of shapes, with a line of progress on standard error."""
    tallies = {pair: Tally() for pair in pairs}
    tasks = list(_tasks(pairs, count, seconds))
    began = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for done, (pair, tally) in enumerate(pool.imap_unordered(_work, tasks), 1):
            tallies[pair].merge(tally)
            gone = time.monotonic() - began
            faults = sum(sum(it.faults.values()) for it in tallies.values())
            print(
                f"\r{done}/{len(tasks)} {' and '.join(PAIRS[pair]):26} {gone:5.0f} s, about "
                f"{gone / done * (len(tasks) - done):5.0f} s to go, {faults} faults ",
                end="",
                file=sys.stderr,
                flush=True,
            )
    print(file=sys.stderr)
    return tallies


def _size(value: float | None) -> str:
    return "" if value is None else "0" if value == 0.0 else f"{value:.0e}"


def table(tallies: dict[int, Tally]) -> str:
    """A Markdown table, one row a pair of shapes."""
    lines = [
        "| pair | judged | exact | worst | certified | worst | gap | bound | gap | normal | witness | faults |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for pair, it in tallies.items():
        share = {how: f"{it.provenance[how] / it.count:.1%}" if it.provenance[how] else "" for how in SHARES}
        exact, certified, bound = Provenance.EXACT, Provenance.CERTIFIED, Provenance.BOUND
        faults = ", ".join(f"{count} {name}" for name, count in it.faults.items()) or "none"
        cells = [", ".join(PAIRS[pair]), f"{it.count:,}", share[exact], _size(it.separation.get(exact))]
        cells += [share[certified], _size(it.separation.get(certified)), _size(it.gap.get(certified))]
        cells += [share[bound], _size(it.gap.get(bound)), _size(it.normal), _size(it.witness), faults]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def save_failures(tallies: dict[int, Tally], folder: Path) -> list[str]:
    """Writes failing scenes to files; a line about each."""
    lines = []
    folder.mkdir(parents=True, exist_ok=True)
    for pair, tally in tallies.items():
        kinds: Counter[str] = Counter()
        for family, number, fault in tally.failed:
            kind = fault.split(maxsplit=1)[0]
            kinds[kind] += 1
            if kinds[kind] > SAVED_OF_A_KIND:
                continue
            name = f"{'-'.join(PAIRS[pair])}-{FAMILIES[family].__name__.replace('_', '-')}-{number}"
            scene = replace(posed(pair, family, number).scene, name=name, notes=fault[:200])
            save(folder / f"{name}.json", scene)
            lines.append(f"{folder / name}.json: {fault}")
    return lines


def main(arguments: list[str]) -> int:
    """Prints the table; 1 if anything failed."""
    # One thread a process: the processes share the cores between them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = argparse.ArgumentParser(prog="tests/bench/run accuracy")
    options.add_argument("--pairs", type=int, default=10_000, help="pairs of bodies for each pair of shapes")
    options.add_argument("--seconds", type=float, default=600.0, help="processor time for one pair of shapes, at most")
    options.add_argument("--only", nargs="*", default=[], help="pairs of shapes: cone, or box-hull")
    options.add_argument("--save", type=Path, default=Path("tests/scenes/pairs"), help="folder for failing scenes")
    options.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    said = options.parse_args(arguments)
    chosen = [k for k, pair in enumerate(PAIRS) if not said.only or {*pair, "-".join(pair)} & {*said.only}]
    tallies = run(chosen, said.pairs, said.seconds, said.workers)
    print(table(tallies))
    failures = save_failures(tallies, said.save)
    print("\n" + "\n".join(failures) if failures else "", end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
