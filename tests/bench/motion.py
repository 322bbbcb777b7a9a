"""When bodies first meet: every method judged on many motions of every pair of shapes, of space (tests/motion_judge.py)
and of the plane (tests/core/planar_motions.py).

    tests/bench/run motion [--motions 10000] [--seconds 600] [--only cone box-hull] [--save FOLDER] [--write]

Motions are general, aligned, fast, grazing, resting, far from the origin, and turning, in equal shares. `--seconds`
bounds the processor time of one pair of shapes. For each: how many were judged and how they ended, the most that any
method left at the time it reported, against what it promises (1e-9 (L + |T|), advancement 1e-6 L), the contradictions
between methods, and the time of one whole answer with every step. What fails is saved as a scene, three of a kind.
"""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
from msgspec import field

from core.analysis.motion_answers import sweep
from core.scene import Scene
from core.toi import MotionMethod, MotionOutcome, MotionResult
from tests import motion_judge as space
from tests.core import planar_motions as plane
from tests.core.planar_samples import size_of

from .judging import Faults, Judging

KINDS_OF_MOTION = (*space.FAMILIES, space.turning)
KINDS_IN_PLANE = (*plane.FAMILIES, plane.turning)
FLAT_PAIRS = tuple((a, b) for k, a in enumerate(plane.MAKERS) for b in tuple(plane.MAKERS)[k:])
PAIRS = (*space.PAIRS, *FLAT_PAIRS)


class Tally(Faults):
    """What was seen of one pair of shapes. `left`: worst distance at a reported time, in units of what was promised."""

    outcomes: Counter[str] = field(default_factory=Counter)
    left: dict[str, float] = field(default_factory=dict)
    undecided: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)

    def merge(self, other: Tally) -> None:
        """Adds another tally of the same pair of shapes."""
        self.outcomes += other.outcomes
        for name, value in other.left.items():
            self.left[name] = max(self.left.get(name, 0.0), value)
        self.undecided += other.undecided
        self.merge_faults(other)
        self.milliseconds += other.milliseconds


def motion(pair: int, family: int, number: int) -> Scene:
    """The scene of that number: the same one every time."""
    rng = np.random.default_rng((77, pair, family, number))
    if pair < len(space.PAIRS):
        return KINDS_OF_MOTION[family](rng, *PAIRS[pair])
    return KINDS_IN_PLANE[family](rng, *(plane.MAKERS[kind] for kind in PAIRS[pair]))


def promised(scene: Scene, method: MotionMethod) -> float:
    """What a method may leave at the time that it reports, scene units."""
    if scene.dimension == 2:
        extent, larger = size_of(scene), plane.larger(scene)
    else:
        extent, larger = space.extent(scene), space.larger(scene)
    return 1e-6 * larger if method is MotionMethod.ADVANCEMENT else 1e-9 * extent


def faults(scene: Scene, result: MotionResult, tolerance: float) -> list[str]:
    """What is wrong with an answer, by the judge of its world."""
    if scene.dimension == 2:
        return plane.faults(scene, result, tolerance)
    return space.faults(scene, result, tolerance)


def _judge(tally: Tally, pair: int, family: int, number: int) -> None:
    scene, began = motion(pair, family, number), time.perf_counter()
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
        times = np.array(it.milliseconds or [0.0])
        cells = [", ".join(PAIRS[pair]), f"{sum(outcomes):,}", *map(str, outcomes), *(f"{value:.0e}" for value in left)]
        cells += [undecided, it.words, f"{np.median(times):.1f} ms", f"{times.max():.0f} ms"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


main = Judging(
    "motion", "motions", PAIRS, tuple(family.__name__ for family in KINDS_OF_MOTION), Tally, _judge, motion, table
).main
