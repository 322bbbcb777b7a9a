"""Hypothesis looks for pairs that nobody thought of, and makes what it finds as simple as it can.

    tests/bench/run explore [--minutes 10] [--seed 1234] [--save .cache/failures]

Another seed every time unless told one: it is printed, and finds the same again. What a pair is judged by is what
`accuracy` and `corpus` judge by. A failing pair is shrunk and written as a scene; three of a kind of fault, which is
then passed over.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path
from random import SystemRandom
from time import monotonic

import hypothesis
import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from app.io.scene_file import save
from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Scene, Shape, Sphere
from core.geometry.quaternion import Quaternion, from_axis_angle, multiply, normalized
from tests.strategies import ANGLES, CUBE_TURNS, GAPS, WORLD_AXES, moved, triple

from .families import Posed, placed, size_of_pair
from .judge import judge

OF_A_KIND = 3
"""Scenes of one kind of fault that are written."""
EXAMPLES = 500
"""Pairs of a round, which begins afresh with the next seed."""

LENGTHS = st.one_of(
    st.sampled_from((1.0, 0.5, 2.0, 0.25)),
    st.floats(0.01, 2.0),
    st.builds(lambda digits, power: digits * 10.0**power, st.floats(1.0, 10.0), st.integers(-12, 2)),
)
NUMBERS = st.one_of(st.sampled_from((0.0, 1.0, -1.0, 0.5)), st.floats(-2.0, 2.0))
TRIPLES = st.tuples(NUMBERS, NUMBERS, NUMBERS)
UNITS = st.one_of(st.sampled_from(WORLD_AXES), TRIPLES.filter(lambda row: sum(c * c for c in row) > 1e-3))


def _hull(points: list[tuple[float, float, float]], noise: float) -> Hull:
    rng = np.random.default_rng(len(points))
    return Hull.of(np.array(points) + noise * rng.normal(size=(len(points), 3)))


HULLS = st.builds(
    _hull,
    st.lists(TRIPLES, min_size=1, max_size=12, unique=True),
    st.sampled_from((0.0, 0.0, 1e-16, 1e-13, 1e-10, 1e-7)),
)
SHARP: st.SearchStrategy[Shape] = st.one_of(
    st.builds(Box, st.tuples(LENGTHS, LENGTHS, LENGTHS)),
    st.builds(Cylinder, LENGTHS, LENGTHS),
    st.builds(Cone, LENGTHS, LENGTHS),
    st.builds(Ellipsoid, st.tuples(LENGTHS, LENGTHS, LENGTHS)),
    HULLS,
)
SHAPES: st.SearchStrategy[Shape] = st.one_of(
    SHARP, st.builds(Sphere, LENGTHS), st.builds(Capsule, LENGTHS, LENGTHS), st.builds(Rounded, SHARP, LENGTHS)
)


@st.composite
def turns(draw: st.DrawFn) -> Quaternion:
    """One of the cube's turns, and up to two more about an axis of the world or any, by one of ANGLES or any."""
    turn = draw(st.sampled_from(CUBE_TURNS))
    for _ in range(draw(st.integers(0, 2))):
        x, y, z = draw(UNITS)
        angle = draw(st.one_of(st.sampled_from(ANGLES), st.floats(-3.2, 3.2)))
        turn = multiply(turn, from_axis_angle(triple(np.array((x, y, z)) / np.linalg.norm((x, y, z))), angle))
    return normalized(turn)


@st.composite
def pairs(draw: st.DrawFn) -> Posed:
    """Two bodies laid against each other at one of GAPS along some direction, or B somewhere about A; A anywhere."""
    frame = draw(turns())
    a = Body(draw(SHAPES), rotation=frame)
    b = Body(draw(SHAPES), rotation=normalized(multiply(frame, draw(turns()))) if draw(st.booleans()) else frame)
    direction = a.pose.matrix @ np.array(draw(UNITS))
    direction /= np.linalg.norm(direction)
    if draw(st.booleans()):
        posed = placed(a, b, direction, draw(st.sampled_from(GAPS)) * size_of_pair(a, b))
        scene = replace(posed.scene, b=moved(posed.scene.b, draw(st.sampled_from((0.0, 0.1))) * a.pose.matrix[:, 0]))
    else:
        scene = Scene(a, moved(b, np.multiply(draw(TRIPLES), size_of_pair(a, b))))
    if draw(st.integers(0, 7)) == 7:
        ground = Body(HalfSpace(triple(draw(UNITS)), draw(NUMBERS)))
        normal = np.array(ground.shape.normal) / np.linalg.norm(ground.shape.normal)  # type: ignore[union-attr]
        return Posed(Scene(ground, scene.b), normal)
    by = draw(st.sampled_from((0.0, 0.0, 0.0, 1e3, 1e8))) * np.array(draw(UNITS))
    return Posed(Scene(moved(scene.a, by), moved(scene.b, by)), direction)


class WrongError(AssertionError):
    """What the judge found fault with."""


class Found:
    """What was found so far, by kind of fault, and the pair at work."""

    def __init__(self, ends: float) -> None:
        self.ends = ends
        self.kinds: Counter[str] = Counter()
        self.tried = 0
        self.kind = ""
        self.scene: Scene | None = None
        self.words = ""

    def check(self, posed: Posed) -> None:
        """Raises WrongError for a fault; of the one kind that is made simpler, once there is one."""
        if not self.kind and monotonic() > self.ends:
            return
        self.tried += 1
        for words in judge(posed).faults:
            kind = words.split(maxsplit=1)[0].rstrip(":")
            if kind == self.kind or (not self.kind and self.kinds[kind] < OF_A_KIND):
                self.kind, self.scene, self.words = kind, posed.scene, words
                raise WrongError(words)


def one_round(found: Found, seed: int) -> bool:
    """Tries EXAMPLES pairs; whether one failed, which `found` then has at its simplest."""
    found.kind = ""
    still = hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=False,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
    )
    try:
        hypothesis.seed(seed)(still(hypothesis.given(pairs())(found.check)))()
    except WrongError:
        found.kinds[found.kind] += 1
        return True
    return False


def main(arguments: list[str]) -> int:
    """Explores for so many minutes; 1 if anything failed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = argparse.ArgumentParser(prog="tests/bench/run explore")
    options.add_argument("--minutes", type=float, default=10.0, help="how long to look; shrinking may take longer")
    options.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32), help="the same finds the same")
    options.add_argument("--save", type=Path, default=Path(".cache/failures"), help="folder for failing scenes")
    said = options.parse_args(arguments)
    print(f"seed {said.seed}", flush=True)
    found, number = Found(monotonic() + 60.0 * said.minutes), 0
    while monotonic() < found.ends:
        if one_round(found, said.seed + number):
            print(f"{_keep(found, said.save / f'explore-{said.seed}-{number}.json')}: {found.words}", flush=True)
        number += 1
        print(f"\r{found.tried:,} pairs, {sum(found.kinds.values())} faults ", end="", file=sys.stderr, flush=True)
    print(f"\n{found.tried:,} pairs in {said.minutes:g} minutes: {dict(found.kinds) or 'nothing was wrong'}")
    return int(bool(found.kinds))


def _keep(found: Found, path: Path) -> str:
    """Writes the failing scene; says where, or what it is if no file can hold it."""
    assert found.scene is not None
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        save(path, replace(found.scene, name=path.stem, notes=found.words[:200]))
    except ValueError as refusal:
        return f"not written ({refusal}): {found.scene}"
    return str(path)
