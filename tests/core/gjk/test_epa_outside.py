"""EPA's bounds where the origin lies outside: the bodies are apart, by a distance that plain geometry knows."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from core.geometry.quaternion import normalized, rotate
from core.gjk.epa import EpaStep, epa_steps
from core.pair.support import support_maps
from core.scene import Body
from core.shapes import Box
from core.trace import record
from tests.core.gjk_samples import directions


@pytest.mark.parametrize("axes", [axes for count in (1, 2, 3) for axes in combinations(range(3), count)])
def test_they_hold_at_every_step(axes: tuple[int, ...]) -> None:
    """Boxes with the same rotation, apart along some of their axes: face, edge or corner are nearest.

    The plane of the nearest face proves less than the way to the face does, where an edge or a corner is nearest.
    """
    rng = np.random.default_rng(axes)
    ways = directions(rng, 20)
    steps = 0
    for turn in range(20):
        sizes = rng.uniform(0.5, 2.0, (2, 3))
        gaps = np.where([axis in axes for axis in range(3)], rng.uniform(0.2, 2.0, 3), rng.uniform(-0.4, -0.1, 3))
        rotation = normalized(tuple(rng.normal(size=4).tolist()))
        offset = rotate(rotation, tuple(((0.5 * sizes.sum(axis=0) + gaps) * rng.choice((-1.0, 1.0), 3)).tolist()))
        a, b = (Body(Box(tuple(size.tolist())), rotation=rotation) for size in sizes)
        difference = support_maps(a, Body(b.shape, offset, rotation))
        distance = float(np.linalg.norm(np.maximum(gaps, 0.0)))
        recording = record(epa_steps(difference, (difference.support(tuple(ways[turn].tolist())),)))
        assert recording.result is not None
        for told in (
            *(step for step in recording.steps if isinstance(step, EpaStep) and step.number),
            recording.result,
        ):
            assert told.lower is not None
            assert told.upper is not None
            assert told.lower <= -distance + 1e-13 <= told.upper + 2e-13
            steps += 1
    assert steps >= 40
