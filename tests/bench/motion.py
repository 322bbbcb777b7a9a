"""When bodies first meet: every method judged on many motions of every pair of shapes, of space (tests/motion_judge.py)
and of the plane (tests/core/planar_motions.py).

    tests/bench/run motion [--motions 10000] [--seconds 600] [--only cone box-hull] [--save FOLDER]

Motions are general, aligned, fast, grazing, resting, far from the origin, and turning, in equal shares. `--seconds`
bounds the processor time of one pair of shapes. For each: how many were judged and how they ended, the most that any
method left at the time it reported, against what it promises (1e-9 (L + |T|), advancement 1e-6 L), the contradictions
between methods, and the time of one whole answer with every step. What fails is saved as a scene, three of a kind.
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

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from app.files.scene_file import save
from core.algorithms.motion import MotionOutcome, MotionResult
from core.flat import FlatScene
from core.motion_answers import MotionMethod
from core.scene import Scene
from core.worlds import sweep
from tests import motion_judge as space
from tests.core import planar_motions as plane
from tests.core.planar_samples import size_of

KINDS_OF_MOTION = (*space.FAMILIES, space.turning)
KINDS_IN_PLANE = (*plane.FAMILIES, plane.turning)
FLAT_PAIRS = tuple((a, b) for k, a in enumerate(plane.MAKERS) for b in tuple(plane.MAKERS)[k:])
PAIRS = (*space.PAIRS, *FLAT_PAIRS)
CHUNK = 50
SAVED_OF_A_KIND = 3


class Task(Struct, frozen=True):
    """Motions `start` to `end` of a family of a pair of shapes, as long as `seconds` of processor time allow."""

    pair: int
    family: int
    start: int
    end: int
    seconds: float


class Tally(Struct):
    """What was seen of one pair of shapes. `left`: worst distance at a reported time, in units of what was promised."""

    outcomes: Counter[str] = field(default_factory=Counter)
    left: dict[str, float] = field(default_factory=dict)
    undecided: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[int, int, str]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def merge(self, other: Tally) -> None:
        """Adds another tally of the same pair of shapes."""
        self.outcomes += other.outcomes
        for name, value in other.left.items():
            self.left[name] = max(self.left.get(name, 0.0), value)
        self.undecided += other.undecided
        self.faults += other.faults
        self.failed += other.failed
        self.milliseconds += other.milliseconds

    def fail(self, family: int, number: int, words: str) -> None:
        """Counts a fault by its first word."""
        self.faults[words.split(maxsplit=1)[0].rstrip(":")] += 1
        self.failed.append((family, number, words))


def motion(pair: int, family: int, number: int) -> Scene:
    """The scene of that number: the same one every time."""
    rng = np.random.default_rng((77, pair, family, number))
    if pair < len(space.PAIRS):
        return KINDS_OF_MOTION[family](rng, *PAIRS[pair])
    return FlatScene.of(KINDS_IN_PLANE[family](rng, *(plane.MAKERS[kind] for kind in PAIRS[pair])))


def promised(scene: Scene, method: MotionMethod) -> float:
    """What a method may leave at the time that it reports, scene units."""
    if isinstance(scene, FlatScene):
        extent, larger = size_of(scene.planar), plane.larger(scene.planar)
    else:
        extent, larger = space.extent(scene), space.larger(scene)
    return 1e-6 * larger if method is MotionMethod.ADVANCEMENT else 1e-9 * extent


def faults(scene: Scene, result: MotionResult, tolerance: float) -> list[str]:
    """What is wrong with an answer, by the judge of its world."""
    if isinstance(scene, FlatScene):
        return plane.faults(scene.planar, result, tolerance)
    return space.faults(scene, result, tolerance)


def _judge(tally: Tally, family: int, number: int, scene: Scene) -> None:
    began = time.perf_counter()
    try:
        found = sweep(scene)
    except Exception as error:
        tally.fail(family, number, f"exception: {error!r}")
        return
    if found is None:
        return
    tally.milliseconds.append(1e3 * (time.perf_counter() - began))
    tally.outcomes[found.outcome.value] += 1
    for sentence in found.disagreements:
        tally.fail(family, number, f"disagreement: {sentence}")
    for trace in found.traces:
        method, result = trace.method, trace.result
        allowed = promised(scene, method)
        for fault in faults(scene, result, allowed):
            tally.fail(family, number, f"{fault} ({method.name})")
        if result.outcome is MotionOutcome.HIT and result.separation is not None:
            share = abs(result.separation) / allowed
            tally.left[method.name] = max(tally.left.get(method.name, 0.0), share)
        if result.outcome is MotionOutcome.ITERATION_LIMIT and method is not MotionMethod.INTERVALS:
            tally.undecided[method.name] += 1


def _work(task: Task) -> tuple[int, Tally]:
    tally, began = Tally(), time.process_time()
    for number in range(task.start, task.end):
        _judge(tally, task.family, number, motion(task.pair, task.family, number))
        if time.process_time() - began > task.seconds:
            break
    return task.pair, tally


def _tasks(pairs: list[int], count: int, seconds: float) -> Iterator[Task]:
    each = -(-count // len(KINDS_OF_MOTION))
    for pair in pairs:
        for start in range(0, each, CHUNK):
            end = min(start + CHUNK, each)
            for family in range(len(KINDS_OF_MOTION)):
                share = (end - start) / (each * len(KINDS_OF_MOTION))
                yield Task(pair, family, start, end, seconds * share)


def run(pairs: list[int], count: int, seconds: float, workers: int) -> dict[int, Tally]:
    """Judges about `count` motions of each pair of shapes, with a line of progress on standard error."""
    tallies = {pair: Tally() for pair in pairs}
    tasks = list(_tasks(pairs, count, seconds))
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for done, (pair, tally) in enumerate(pool.imap_unordered(_work, tasks), 1):
            tallies[pair].merge(tally)
            failed = sum(sum(it.faults.values()) for it in tallies.values())
            print(f"\r{done}/{len(tasks)} {failed} faults ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tallies


def table(tallies: dict[int, Tally]) -> str:
    """A Markdown table, one row a pair of shapes."""
    lines = [
        "| pair | judged | hit | at the start | apart | undecided | exact, left | ray, left | advancement, left "
        "| methods undecided | faults | median | worst |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|---:|---:|",
    ]
    closed = ("PLANE", "SCALED_PLANE", "SPHERES", "SPHERE_BOX", "DIFFERENCE", "INTERVALS")
    for pair, it in tallies.items():
        outcomes = [it.outcomes[outcome.value] for outcome in MotionOutcome]
        exact = max((it.left.get(name, 0.0) for name in closed), default=0.0)
        left = [exact * 1e-9, it.left.get("RAY", 0.0) * 1e-9, it.left.get("ADVANCEMENT", 0.0) * 1e-6]
        undecided = ", ".join(f"{count} {name.lower()}" for name, count in it.undecided.items())
        said = ", ".join(f"{count} {name}" for name, count in it.faults.items()) or "none"
        times = np.array(it.milliseconds or [0.0])
        cells = [", ".join(PAIRS[pair]), f"{sum(outcomes):,}", *map(str, outcomes), *(f"{value:.0e}" for value in left)]
        cells += [undecided, said, f"{np.median(times):.1f} ms", f"{times.max():.0f} ms"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def save_failures(tallies: dict[int, Tally], folder: Path) -> list[str]:
    """Writes failing scenes to files; a line about each."""
    lines = []
    for pair, tally in tallies.items():
        kinds: Counter[str] = Counter()
        for family, number, fault in tally.failed:
            kind = fault.split(maxsplit=1)[0]
            kinds[kind] += 1
            if kinds[kind] > SAVED_OF_A_KIND:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{'-'.join(PAIRS[pair])}-{KINDS_OF_MOTION[family].__name__.replace('_', '-')}-{number}"
            save(folder / f"{name}.json", replace(motion(pair, family, number), name=name, notes=fault[:200]))
            lines.append(f"{folder / name}.json: {fault}")
    return lines


def main(arguments: list[str]) -> int:
    """Prints the table; 1 if anything failed."""
    # One thread a process: the processes share the cores between them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = argparse.ArgumentParser(prog="tests/bench/run motion")
    options.add_argument("--motions", type=int, default=10_000, help="motions of each pair of shapes")
    options.add_argument("--seconds", type=float, default=600.0, help="processor time for one pair of shapes, at most")
    options.add_argument("--only", nargs="*", default=[], help="pairs of shapes: cone, or box-hull")
    options.add_argument("--save", type=Path, default=Path("tests/scenes/motions"), help="folder for failing scenes")
    options.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    said = options.parse_args(arguments)
    chosen = [k for k, pair in enumerate(PAIRS) if not said.only or {*pair, "-".join(pair)} & {*said.only}]
    tallies = run(chosen, said.motions, said.seconds, said.workers)
    print(table(tallies))
    failures = save_failures(tallies, said.save)
    print("\n" + "\n".join(failures) if failures else "", end="")
    return 1 if failures else 0
