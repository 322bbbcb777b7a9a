"""What rooms say that neither `check` nor `steps` prints, about every scene of a log, a line each.

`python -m tests.faults.asked ROOM LOG`: by the room's public functions, as the window, `hunt` and callers ask them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from app.io.scene_file import read
from core import Body, Scene
from core.analysis.analysis import analyse
from core.analysis.brief import distance_of
from core.analysis.motion_answers import sweep
from core.batch import Boxes, Hulls, Positive, Spheres, analyse_pairs
from core.closed_form import closed_form
from core.float32 import analyse_single
from core.geometry.vector import vec
from core.mpr import mpr
from core.pair.pair import PairScale
from core.query.motion_steps import with_motion
from core.query.query import MotionStep, query
from core.rays.raycast import gjk_raycast, raycast
from core.shapes import Box, Hull, Sphere
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.certificates import certified
from core.study.differential.classes import Truth, judge
from core.study.differential.hunt import features_of
from core.study.lab import edge_cases, through_zero
from core.trace import run

ENGINE = Engine("engine")
OFF = (0.0, 1e-7, -1e-3, 0.1, -0.3)
"""What an engine's number is off by, in units of 1 + its size."""
ENOUGH = 8
"""Of fewer pairs of a kind a batch makes no arrays."""
FAR = 1e101
"""Farther than any pair that is answered."""
EVENTS = 7
"""Every so many scenes B is slid through a stretch of its way, which takes hundreds of answers."""


def _closed_form(scene: Scene, _: int) -> Iterator[object]:
    for body in (scene.a, scene.b):
        found = closed_form(Body(Sphere(1.0), body.position), body)
        yield None if found is None else (found.separation, found.normal, found.witness_a, found.witness_b)


def _pair(scene: Scene, _: int) -> Iterator[object]:
    found = PairScale.of(scene.a, scene.b)
    yield (
        found.largest_radius,
        found.least_half_extent,
        found.extent,
        found.band,
        found.rounding,
        found.tie,
        found.agreement,
    )
    yield PairScale.of_limited(scene.a, Body(Sphere(1.0), (FAR, 0.0, 0.0))).extent


def _mpr(scene: Scene, _: int) -> Iterator[object]:
    found = mpr(scene.a, scene.b)
    yield found.stop, found.overlapping, found.depth, found.normal, found.upper, found.proved, found.certainty


def _rays(scene: Scene, _: int) -> Iterator[object]:
    for body, other in ((scene.a, scene.b), (scene.b, scene.a)):
        way = body.pose.position - other.pose.position + vec(0.01, 0.0, 0.0)
        size = min(body.shape.bounding_radius, 1e3)
        beside, before = vec(size, 0.0, 0.0), vec(0.0, -size, -3.0 * size)
        starts = [other.pose.position, body.pose.position + beside, body.pose.position + before]
        for start, heading in zip(starts, (way, vec(0.0, 0.0, 1.0), vec(0.0, 0.0, 1.0)), strict=True):
            found = raycast(body, start, heading)
            yield None if found is None else (found.inside, found.entry and found.entry.t, found.exit and found.exit.t)
            if body.shape.bounding_radius < inf:
                cast = gjk_raycast(body, start, heading)
                yield cast.stop, cast.free, None if cast.hit is None else (cast.hit.t, cast.hit.normal)


def _batch(scene: Scene, _: int) -> Iterator[object]:
    if not all(isinstance(body.shape, Box | Sphere | Hull) for body in (scene.a, scene.b)):
        return  # asked about alone, as by `check`
    hulls = any(isinstance(body.shape, Hull) for body in (scene.a, scene.b))
    for first, second in ((scene.a, scene.b), (scene.b, scene.a)):
        for positive in Positive:
            found = [analyse_pairs(ENOUGH * [first], ENOUGH * [second], positive=positive)]
            if not (hulls and any(isinstance(body.shape, Sphere) for body in (first, second))):
                arrays = _array(first, hulls=hulls), _array(second, hulls=hulls)
                found.append(analyse_pairs(*arrays, positive=positive, single=True))
            for answers in found:
                yield [getattr(answers, name)[:2].tolist() for name in answers.__struct_fields__]


def _array(body: Body, *, hulls: bool) -> Boxes | Spheres | Hulls:
    """The body several times over, as single precision takes it; a box beside a hull as one."""
    positions, rotations = np.tile(body.position, (ENOUGH, 1)), np.tile(body.rotation, (ENOUGH, 1))
    if isinstance(body.shape, Sphere):
        return Spheres(np.full(ENOUGH, body.shape.radius), positions)
    if isinstance(body.shape, Box) and not hulls:
        return Boxes(np.tile(body.shape.size, (ENOUGH, 1)), positions, rotations)
    solid = body.shape.polyhedron
    assert solid is not None
    return Hulls(np.tile(solid.vertices, (ENOUGH, 1, 1)), positions, rotations)


def _float32(scene: Scene, _: int) -> Iterator[object]:
    for world_space in (False, True):
        found = analyse_single(scene, world_space=world_space)
        yield found.band
        for answer in found.answers:
            yield [getattr(answer, name) for name in answer.__struct_fields__]


def _query(scene: Scene, _: int) -> Iterator[object]:
    found, moves = query(analyse(scene)), sweep(scene)
    yield [moment.sentence for moment in found.moments]
    steps = [] if moves is None else with_motion(found, moves).moments
    yield [(moment.phase, moment.index, moment.step.time) for moment in steps if isinstance(moment.step, MotionStep)]


def _toi(scene: Scene, _: int) -> Iterator[object]:
    moves = sweep(scene)
    if moves is not None:
        yield [(trace.method, len(trace.steps), trace.result) for trace in moves.traces]
        yield moves.contacts, moves.disagreements


def _differential(scene: Scene, _: int) -> Iterator[object]:
    truth = Truth.of(distance_of(scene))
    yield features_of(scene, truth.normal)
    for way in (truth.normal, -truth.normal, np.roll(truth.normal, 1)):
        for off in OFF:
            told = truth.separation + off * (1.0 + abs(truth.separation))
            on_a, on_b = ((x, y, z) for x, y, z in (truth.witness_a.tolist(), truth.witness_b.tolist()))
            x, y, z = way.tolist()
            answer = EngineAnswer(told, (x, y, z), on_a, on_b)
            judgement = judge(scene, truth, ENGINE, answer)
            yield judgement, certified(scene, truth, answer, judgement)


def _lab(scene: Scene, number: int) -> Iterator[object]:
    for axis in range(3):
        yield edge_cases.nudged(scene, axis, 1).b.position
    yield edge_cases.touching(scene).scene.b.position
    if number % EVENTS == 0:
        size = min(scene.a.shape.bounding_radius, scene.b.shape.bounding_radius)
        path = through_zero.sliding(scene, (1.0, 0.25, 0.5))
        found = run(through_zero.sweep(path, (-0.5 * size, -0.2 * size, 0.1 * size, 0.4 * size)))
        yield [(mark.kind, mark.before, mark.after, str(mark.words)) for mark in found.marks]


ROOMS: dict[str, Callable[[Scene, int], Iterator[Any]]] = {
    "closed_form": _closed_form,
    "pair": _pair,
    "mpr": _mpr,
    "rays": _rays,
    "batch": _batch,
    "float32": _float32,
    "query": _query,
    "toi": _toi,
    "differential": _differential,
    "lab": _lab,
}


def main(room: str, log: str) -> None:
    """Prints the lines; where a room refuses a scene or fails, its sentence."""
    np.set_printoptions(precision=17, threshold=sys.maxsize, linewidth=sys.maxsize)
    for number, line in enumerate(Path(log).read_text("utf-8").splitlines()):
        said: list[str] = []
        try:
            said += map(repr, ROOMS[room](read(line).scene, number))
        except Exception as error:
            said.append(repr(error))
        print(" ".join(said).replace("\n", " "), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
