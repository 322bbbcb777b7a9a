"""How fast the core is: one full analysis, GJK and EPA with every step kept beside distance3d, growth with vertices.

    tests/bench/run growth

Every figure is processor time, the best of several calls of each pair, and the median over pairs, half of which
overlap. Each call has B turned and moved a little, as a drag does: nothing that the core remembers of the last pose
helps it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core import Body, Box, Hull, Scene, analyse
from core.closed_form import Proximity
from core.contact.manifold import manifold
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.gjk.epa import epa
from core.gjk.gjk import gjk
from core.gjk.gjk_epa import signed_distance, signed_distance_steps
from core.minkowski.difference import difference
from core.pair.support import support_maps
from core.sat.sat import sat
from core.trace import record
from tests.strategies import random_rotation, triple

from . import children, table

COUNTS = (8, 20, 50, 100, 200, 500, 1000)
PAIRS = 12
ROUNDS = 5
PATIENCE = 2.0
"""Seconds after which a call is not repeated."""
AIM_BOXES, AIM_HULLS = 3.0, 15.0


def _pairs(shape: Callable[[np.random.Generator], Box | Hull], count: int, seed: int) -> list[Scene]:
    rng = np.random.default_rng(seed)
    scenes = []
    for number in range(count):
        a, b = (Body(shape(rng), (0.0, 0.0, 0.0), random_rotation(rng)) for _ in range(2))
        direction = rng.normal(size=3)
        # Bodies of size about 1: the even ones overlap, the odd ones are apart.
        away = direction / np.linalg.norm(direction) * (0.6 if number % 2 == 0 else 2.4)
        scenes.append(Scene(a, Body(b.shape, triple(away), b.rotation)))
    return scenes


def box_pairs(count: int = PAIRS) -> list[Scene]:
    """Boxes with edges from 0.5 to 1.5."""
    return _pairs(lambda rng: Box(triple(rng.uniform(0.5, 1.5, size=3))), count, 1)


def hull_pairs(vertices: int, count: int = PAIRS) -> list[Scene]:
    """Hulls of points on a unit sphere."""

    def shape(rng: np.random.Generator) -> Hull:
        points = rng.normal(size=(vertices, 3))
        return Hull.of(points / np.linalg.norm(points, axis=1)[:, None])

    return _pairs(shape, count, vertices)


def _nudged(scene: Scene, rng: np.random.Generator) -> Scene:
    by = 1e-6 * rng.normal(size=3)
    turn = normalized(multiply(from_axis_angle(triple(rng.normal(size=3)), 1e-6), scene.b.rotation))
    return Scene(scene.a, replace(scene.b, position=triple(np.add(scene.b.position, by)), rotation=turn))


Call = Callable[[], object]


def milliseconds(prepare: Callable[[Scene], Call], scenes: Sequence[Scene]) -> float:
    """Median over scenes of the best of ROUNDS calls; what `prepare` does is not measured."""
    rng = np.random.default_rng(3)
    figures = []
    for scene in scenes:
        best, spent = float("inf"), 0.0
        for _ in range(ROUNDS):
            call = prepare(_nudged(scene, rng))
            began = time.process_time()
            call()
            took = time.process_time() - began
            best, spent = min(best, took), spent + took
            if spent > PATIENCE:
                break
        figures.append(best * 1e3)
    return median(figures)


def _analysed(scene: Scene) -> Call:
    return lambda: analyse(scene)


def _traced(scene: Scene) -> Call:
    return lambda: record(signed_distance_steps(support_maps(scene.a, scene.b)))


def _gjk(scene: Scene) -> Call:
    return lambda: gjk(support_maps(scene.a, scene.b))


def _deepened(scene: Scene) -> Call:
    maps = support_maps(scene.a, scene.b)
    found = gjk(maps)
    return lambda: epa(maps, found.simplex)


def _axes(scene: Scene) -> Call:
    return lambda: sat(scene.a, scene.b)


def _difference(scene: Scene) -> Call:
    return lambda: difference(scene.a, scene.b)


def _contacts(scene: Scene) -> Call:
    near = signed_distance(support_maps(scene.a, scene.b))
    found = Proximity(near.separation, near.normal, near.witness_a, near.witness_b)
    return lambda: manifold(scene.a, scene.b, found)


def _cell(figure: float) -> str:
    return f"{figure:.2g} ms" if figure < 100.0 else f"{figure:,.0f} ms"


def growth() -> str:
    """Milliseconds by number of vertices of each body."""
    lines = [
        "| vertices each | GJK | EPA | SAT | difference | manifold | full analysis |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for count in COUNTS:
        scenes = hull_pairs(count, PAIRS if count <= 100 else 4)
        cells = [milliseconds(_gjk, scenes), milliseconds(_deepened, scenes[::2])]
        cells += [milliseconds(prepare, scenes) for prepare in (_axes, _difference)]
        cells += [milliseconds(_contacts, scenes[::2]), milliseconds(_analysed, scenes)]
        lines.append(f"| {count:,} | " + " | ".join(map(_cell, cells)) + " |")
        print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


class Peer(Struct, frozen=True):
    """distance3d's milliseconds, and how many pairs it failed on; None where it is not installed."""

    figure: float | None
    failed: int


def _distance3d(scenes: Sequence[Scene]) -> Peer:
    """The same scenes in distance3d, in the benchmark's own environment."""
    arrays = {}
    for number, scene in enumerate(scenes):
        for name, body in (("a", scene.a), ("b", scene.b)):
            solid = body.shape.polyhedron
            assert solid is not None
            arrays[f"{name}{number}"] = body.pose.to_world(solid.vertices)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.npz"
        np.savez(path, **arrays)
        try:
            said = children.run(children.PEER, "distance3d_pairs.py", path).answer
        except (OSError, RuntimeError, ValueError, IndexError, subprocess.SubprocessError):
            return Peer(None, 0)
    assert isinstance(said, list)
    figures = [figure for figure in said if figure is not None]
    return Peer(median(figures) if figures else None, len(said) - len(figures))


def _row(name: str, ours: float, peer: Peer | None, aim: str) -> str:
    if peer is None:
        return f"| {name} | {ours:.2f} ms | | | {aim} |"
    if peer.figure is None:
        return f"| {name} | {ours:.2f} ms | not installed | | {aim} |"
    failed = f", fails on {peer.failed}" if peer.failed else ""
    return f"| {name} | {ours:.2f} ms | {peer.figure:.2f} ms{failed} | {ours / peer.figure:.1f} | {aim} |"


def main(arguments: list[str]) -> int:
    """Prints both tables, and writes them with --write; 1 if an aim is missed, 2 for other arguments."""
    if arguments not in ([], ["--write"]):
        print(f"growth takes no argument but --write: {' '.join(arguments)}", file=sys.stderr)
        return 2
    boxes, hulls = box_pairs(40), hull_pairs(100)
    full = milliseconds(_analysed, boxes), milliseconds(_analysed, hulls)
    lines = ["| figure | Separatrix | distance3d | ratio | aim |", "|---|---:|---:|---:|---|"]
    lines.append(_row("full analysis, two boxes", full[0], None, f"at most {AIM_BOXES:g} ms"))
    lines.append(_row("full analysis, two hulls of 100 vertices", full[1], None, f"at most {AIM_HULLS:g} ms"))
    for name, scenes in (("boxes", boxes), ("hulls of 100 vertices", hulls)):
        traced, peer = milliseconds(_traced, scenes), _distance3d(scenes)
        lines.append(_row(f"GJK and EPA, every step kept, two {name}", traced, peer, ""))
    told = "\n".join([*lines, "", growth()])
    print(told)
    if arguments:
        table.keep("growth", f"{table.machine()}.\n\n{told}")
    return int(full[0] > AIM_BOXES or full[1] > AIM_HULLS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
