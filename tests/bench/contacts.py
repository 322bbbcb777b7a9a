"""Contacts at length: every pair of shapes, tilts and slides, many more than the tests try.

    .venv/bin/python -m tests.bench.contacts [PAIRS]

Says what was tried, what was wrong, and the worst of each figure; exit status 1 if anything was.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

from core import Body, Box, Hull, Scene
from core.analysis.analysis import LIMITED, analyse
from core.contact.manifold import manifold
from core.contact.policies.exact import exact_manifold
from core.geometry.quaternion import from_axis_angle
from tests.core.contact.test_overlap_region import (
    CUBE,
    DISC,
    GROUND,
    answer,
    contacts,
    depths,
    moved,
    names,
    off_both,
    overlapping,
    positions,
    prism,
    random_pair,
    turned,
)
from tests.core.contact_oracle import contact_area, faces_overlap

TILTS = (0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
POSES = 150


def pairs(count: int) -> list[str]:
    """Random pairs of all shapes: never without a contact, on both surfaces, as deep as they are, names unique."""
    rng, wrong, tried, times = np.random.default_rng(1), [], 0, []
    worst, deepest = 0.0, 0.0
    while tried < count:
        pair = random_pair(rng)
        if pair is None:
            continue
        a, b, size = pair
        gap = analyse(Scene(a, b), LIMITED).certainty.gap
        near = answer(a, b)
        start = process_time()
        found = manifold(a, b, near)
        words = f"pair {tried}, {a.shape.word} and {b.shape.word}"
        times.append((process_time() - start, words))
        tried += 1
        if not found.contacts:
            wrong.append(f"{words}: no contact")
            continue
        off = off_both(a, b, found) - gap
        worst = max(worst, off / size)
        if off > 2e-6 * size:
            wrong.append(f"{words}: {off / size:.2g} L off a surface")
        deepest = max(deepest, (abs(max(depths(found)) + near.separation) - gap) / size)
        if abs(max(depths(found)) + near.separation) > 1e-6 * size + gap:
            wrong.append(f"{words}: the deepest is {max(depths(found)):.17g}, the depth {-near.separation:.17g}")
        if len(set(names(found))) < len(found.contacts):
            wrong.append(f"{words}: two contacts of one name")
    print(f"{tried} random pairs, {len(wrong)} faults, at most {worst:.2g} L off a surface,")
    middle, (longest, slowest) = float(np.median([time for time, _ in times])), max(times)
    print(f"deepest at most {deepest:.2g} L from the depth, {1e3 * middle:.2g} ms in the middle")
    print(f"and {1e3 * longest:.2g} ms at most: {slowest}")
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


def slides(count: int = 782) -> list[str]:
    """Pairs that slide by 1e-10: the choice of four of their contacts, its deepest, and its share of the area."""
    rng, wrong, least = np.random.default_rng(3), [], 1.0
    tried = 0
    while tried < count:
        shape = (CUBE, Hull.of(prism(int(rng.integers(5, 13)))), DISC)[tried % 3]
        turn = from_axis_angle((0.0, 1.0, 0.0), float(rng.choice((0.0, np.pi / 4, rng.uniform(0.0, 3.0)))))
        x, z = rng.uniform(-0.3, 0.3, 2) * rng.integers(0, 2)
        a = (GROUND, Body(CUBE, rotation=turn))[int(rng.integers(0, 2))]
        height = 0.49 if a is GROUND else 0.99
        b = Body(shape, (float(x), height, float(z)), turn if rng.random() < 0.5 else from_axis_angle((0, 1, 0), 0.0))
        resting = manifold(a, b, answer(a, b), reduce=True)
        if not resting.dropped:
            continue
        tried += 1
        slid = moved(b, 1e-10 * rng.normal(size=3))
        after = manifold(a, slid, answer(a, slid), reduce=True)
        if names(after) != names(resting):
            wrong.append(f"slide {tried}, {a.shape.word} and {shape.word}: {names(resting)} became {names(after)}")
        every = (*after.contacts, *after.dropped)
        if max(depths(after)) < max(contact.depth for contact in every) - 1e-9:
            wrong.append(f"slide {tried}: the deepest was dropped")
        whole = contact_area(np.array([contact.position for contact in every]), after.normal)
        least = min(least, contact_area(positions(after), after.normal) / whole)
    print(f"{tried} slides, {len(wrong)} changed a choice of four, which holds at least {least:.3f} of the area")
    return wrong if least >= 0.6 else [*wrong, f"only {least:.3f} of the area"]


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
    wrong = [*tilts(), *slides(), *pairs(int(words[0]) if words else 10_000)]
    print("\n".join(wrong) or "Nothing was wrong.")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
