"""Contacts at length: every pair of shapes, tilts, noise and slides, many more than the tests try.

    .venv/bin/python -m tests.bench.contacts [PAIRS]

Says what was tried, what was wrong, and the worst of each figure; exit status 1 if anything was.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from core import Body, Box
from core.analysis.in_space import methods_of
from core.analysis.methods import Detail, headline
from core.contact.exact import exact_manifold
from core.contact.manifold import manifold
from core.geometry.quaternion import from_axis_angle
from core.pair.pair import PairScale
from tests.core.contact_oracle import contact_area, faces_overlap
from tests.core.test_contact_patch import (
    CUBE,
    answer,
    contacts,
    depths,
    names,
    off_both,
    overlapping,
    positions,
    random_pair,
    turned,
)

TILTS = (0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
POSES = 150


def pairs(count: int) -> list[str]:
    """Random pairs of all shapes: never without a contact, on both surfaces, as deep as they are, names unique."""
    rng, wrong, tried, worst, times = np.random.default_rng(1), [], 0, 0.0, []
    for number in range(count):
        pair = random_pair(rng)
        if pair is None:
            continue
        a, b, size = pair
        gap = headline(a, b, PairScale.of(a, b), methods_of(a, b, Detail.LIVE)).certainty.gap
        near = answer(a, b)
        start = process_time()
        found = manifold(a, b, near)
        times.append(process_time() - start)
        tried += 1
        words = f"pair {number}, {a.shape.word} and {b.shape.word}"
        if not found.contacts:
            wrong.append(f"{words}: no contact")
            continue
        off = off_both(a, b, found) - gap
        worst = max(worst, off / size)
        if off > 2e-6 * size:
            wrong.append(f"{words}: {off / size:.2g} L off a surface")
        if abs(max(depths(found)) + near.separation) > 1e-6 * size + gap:
            wrong.append(f"{words}: the deepest is {max(depths(found)):.17g}, the depth {-near.separation:.17g}")
        if len(set(names(found))) < len(found.contacts):
            wrong.append(f"{words}: two contacts of one name")
    print(f"{tried} pairs, at most {worst:.2g} L off a surface, {1e3 * float(np.median(times)):.2g} ms in the middle,")
    print(f"{1e3 * max(times):.2g} ms at most")
    return wrong


def tilts() -> list[str]:
    """Cubes on a cube at every tilt: as many contacts as without, and their area."""
    rng, wrong, least = np.random.default_rng(2), [], 1.0
    for number in range(POSES):
        yaw = from_axis_angle((0.0, 1.0, 0.0), float(rng.choice((0.0, rng.uniform(0.0, 3.0)))))
        way, (x, z) = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(-0.6, 0.6, 2)
        for depth in (1e-3, 1e-2):
            counts = []
            for tilt in TILTS:
                rotation = turned((float(np.cos(way)), 0.0, float(np.sin(way))), tilt, yaw)
                b = overlapping(Body(CUBE), Body(CUBE, (float(x), 1.0, float(z)), rotation), depth)
                found = contacts(Body(CUBE), b)
                counts.append(len(found.contacts))
                true = faces_overlap(Body(CUBE), b, found.normal, 0.1)
                least = min(least, contact_area(positions(found), found.normal) / true)
            if len(set(counts)) > 1:
                wrong.append(f"pose {number}, {depth:g} deep: {counts} contacts by tilt")
    print(f"{POSES} poses at {len(TILTS)} tilts and two depths: at least {least:.5f} of the area")
    return wrong if least >= 0.999 else [*wrong, f"only {least:.5f} of the area"]


def cost() -> None:
    """Two boxes, by the patch and by clipping."""
    a, b = Body(CUBE), Body(Box((1.0, 1.0, 1.0)), (0.2, 0.9, 0.3))
    near = answer(a, b)
    for name, call in (
        ("the patch", lambda: manifold(a, b, near)),
        ("clipping", lambda: exact_manifold(a, b, near.normal)),
    ):
        times = []
        for _ in range(1000):
            start = process_time()
            call()
            times.append(process_time() - start)
        print(f"two boxes by {name}: {1e3 * float(np.median(times)):.3g} ms")


def main(words: list[str]) -> int:
    """All of it; the number of random pairs is the first word, 10,000 without."""
    cost()
    wrong = [*tilts(), *pairs(int(words[0]) if words else 10_000)]
    print("\n".join(wrong) or "Nothing was wrong.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
