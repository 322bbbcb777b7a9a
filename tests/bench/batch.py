"""Arrays of pairs against a Python loop over Coal, on the same arrays and in the same run; and the growth up to 1e6.

    python -m tests.bench.batch [largest]

Coal gets its shapes and transforms built from the rows, as whoever has arrays must, in the quickest way its bindings
offer; "shapes ready" leaves the building of shapes out of the loop. Every figure is processor time on one core, the
best of several rounds taken in turn.
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import coal
import numpy as np

from core.batch import Boxes, Hulls, Positive, Spheres, analyse_pairs
from core.batch.answers import axes_of
from core.batch.pairs import Bodies

PAIRS = 5_000
ROUNDS = 5
SPREAD = {
    "boxes": 0.5,
    "boxes far apart": 2.0,
    "sphere and box": 0.7,
    "spheres": 0.7,
    "hulls of 8": 1.0,
    "hulls of 16": 1.2,
}
"""How far apart the centres are; mostly so that a third to two thirds of the pairs meet."""


def matrices(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations (n, 3, 3)."""
    return np.ascontiguousarray(axes_of(rng.normal(size=(count, 4)), np.float64).transpose(2, 1, 0))


def bodies(kind: str, rng: np.random.Generator, count: int, spread: float) -> Bodies:
    at = spread * rng.normal(size=(count, 3))
    if kind == "sphere":
        return Spheres(rng.uniform(0.3, 1.0, count), at)
    if kind == "box":
        return Boxes(rng.uniform(0.3, 1.0, (count, 3)), at, matrices(rng, count))
    vertices = int(kind.split()[-1])
    return Hulls(0.5 * rng.normal(size=(count, vertices, 3)), at, matrices(rng, count))


KINDS = {
    "boxes": ("box", "box"),
    "boxes far apart": ("box", "box"),
    "sphere and box": ("sphere", "box"),
    "spheres": ("sphere", "sphere"),
    "hulls of 8": ("hull 8", "hull 8"),
    "hulls of 16": ("hull 16", "hull 16"),
}


def pairs_of(name: str, count: int) -> tuple[Bodies, Bodies]:
    rng = np.random.default_rng(5)
    first, second = KINDS[name]
    return bodies(first, rng, count, 0.0), bodies(second, rng, count, SPREAD[name])


def _hull(points: np.ndarray) -> coal.ConvexBase:
    rows = coal.StdVec_Vec3s()
    rows.extend(list(points))
    return coal.Convex.convexHull(rows, False, "Qt")


def shapes(it: Bodies) -> Iterator[object]:
    """Coal's shapes, made one by one."""
    if isinstance(it, Boxes):
        return map(coal.Box, it.sizes)
    return map(coal.Sphere, it.radii.tolist()) if isinstance(it, Spheres) else map(_hull, it.points)


def transforms(it: Bodies) -> Iterator[object]:
    if isinstance(it, Spheres):
        return map(coal.Transform3s, it.positions)
    return map(coal.Transform3s, it.rotations, it.positions)


def coal_loop(query: str, a: Bodies, b: Bodies, ready: tuple[list[object], list[object]] | None) -> list[float]:
    """`collide` or `distance` for each pair; its number kept."""
    call, request, result = {
        "collide": (coal.collide, coal.CollisionRequest(), coal.CollisionResult),
        "distance": (coal.distance, coal.DistanceRequest(), coal.DistanceResult),
    }[query]
    first, second = ready or (shapes(a), shapes(b))
    return [
        call(shape_a, at_a, shape_b, at_b, request, result())
        for shape_a, at_a, shape_b, at_b in zip(first, transforms(a), second, transforms(b), strict=True)
    ]


def best_ns(calls: dict[str, Callable[[], object]], count: int) -> dict[str, float]:
    """Nanoseconds a pair of each call, best of the rounds, in turn."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            gc.collect()
            began = time.process_time()
            call()
            best[name] = min(best[name], (time.process_time() - began) / count * 1e9)
    return best


@dataclass(frozen=True)
class Comparison:
    """Nanoseconds a pair: ours for a bound and for the distance, Coal's, and Coal's without building shapes."""

    name: str
    meeting: float
    bound: float
    distance: float
    coal_collide: float
    coal_distance: float
    ready_collide: float
    ready_distance: float


def compare(name: str) -> Comparison:
    a, b = pairs_of(name, PAIRS)
    ready = (list(shapes(a)), list(shapes(b)))
    found = best_ns(
        {
            "bound": lambda: analyse_pairs(a, b, positive=Positive.BOUND),
            "collide": lambda: coal_loop("collide", a, b, None),
            "distance": lambda: analyse_pairs(a, b),
            "coal distance": lambda: coal_loop("distance", a, b, None),
            "ready collide": lambda: coal_loop("collide", a, b, ready),
            "ready distance": lambda: coal_loop("distance", a, b, ready),
        },
        PAIRS,
    )
    return Comparison(
        name,
        float((analyse_pairs(a, b).separations <= 0.0).mean()),
        found["bound"],
        found["distance"],
        found["collide"],
        found["coal distance"],
        found["ready collide"],
        found["ready distance"],
    )


def growth(largest: int) -> list[str]:
    """Nanoseconds a pair and memory beyond answers, from 1e3 pairs on."""
    lines = [
        "| pairs | boxes | memory | spheres | memory | hulls of 8 | memory |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    count = 1_000
    while count <= largest:
        cells = [f"{count:,}"]
        for name in ("boxes", "spheres", "hulls of 8"):
            if name.startswith("hulls") and count > 100_000:
                cells += ["", ""]
                continue
            a, b = pairs_of(name, count)
            times = []
            for _ in range(3 if count < 1_000_000 else 1):
                began = time.process_time()
                analyse_pairs(a, b)
                times.append(time.process_time() - began)
            tracemalloc.start()
            kept = analyse_pairs(a, b)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            own = sum(getattr(kept, field).nbytes for field in kept.__struct_fields__)
            cells += [f"{min(times) / count * 1e9:,.0f} ns", f"{(peak - own) / 1e6:.1f} MB"]
        lines.append("| " + " | ".join(cells) + " |")
        count *= 10
    return lines


def main(largest: int) -> None:
    print(f"{PAIRS:,} pairs, ns of processor time a pair; ratio: Coal over ours\n")
    print("| pairs | meeting | bound | coal.collide | ratio | distance | coal.distance | ratio | Coal, shapes ready |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in KINDS:
        it = compare(name)
        print(
            f"| {it.name} | {it.meeting:.0%} | {it.bound:,.0f} | {it.coal_collide:,.0f} "
            f"| {it.coal_collide / it.bound:.1f} | {it.distance:,.0f} | {it.coal_distance:,.0f} "
            f"| {it.coal_distance / it.distance:.1f} | {it.ready_collide:,.0f} / {it.ready_distance:,.0f} |",
            flush=True,
        )
    print()
    print("\n".join(growth(largest)))


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)
