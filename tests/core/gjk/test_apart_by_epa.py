"""Where GJK ends too early, EPA may find the origin outside: the closer of both bounds counts, on each side."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body
from core.gjk.epa import EpaSettings, EpaStop
from core.gjk.gjk import GjkSettings
from core.gjk.gjk_epa import SignedDistance, signed_distance
from core.pair.support import support_maps
from core.shapes import Capsule, Hull, Shape


def found(seed: int) -> list[tuple[Body, Body, SignedDistance]]:
    """Pairs apart whose search ended after one or two iterations of GJK, and went on with EPA."""
    rng, kept = np.random.default_rng(seed), list[tuple[Body, Body, SignedDistance]]()
    while len(kept) < 40:
        shapes: list[Shape] = [
            Hull(tuple(map(tuple, rng.normal(size=(9, 3)).tolist()))) if rng.random() < 0.6 else Capsule(0.3, 1.0)
            for _ in range(2)
        ]
        q = rng.normal(size=4)
        place, turn = (1.5 * rng.normal(size=3)).tolist(), (q / np.sqrt((q * q).sum())).tolist()
        a, b = Body(shapes[0]), Body(shapes[1], tuple(place), tuple(turn))
        for iterations, expansions in ((1, 1), (1, 5), (2, 1), (2, 2)):
            answer = signed_distance(
                support_maps(a, b), GjkSettings(iterations=iterations), EpaSettings(iterations=expansions)
            )
            deep = answer.epa
            if deep is not None and deep.stop is EpaStop.ORIGIN_OUTSIDE and not answer.gjk.overlapping:
                kept.append((a, b, answer))
    return kept


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_each_bound_is_the_closer_of_both_and_holds_the_truth(seed: int) -> None:
    nearer = set()
    for a, b, answer in found(seed):
        deep, radius = answer.epa, support_maps(a, b).radius
        assert deep is not None
        best = min(answer.gjk.upper, -deep.lower)
        nearer.add(best == answer.gjk.upper)
        assert answer.upper == answer.separation == best - radius
        assert answer.lower == max(answer.gjk.lower, -deep.upper) - radius
        truth = signed_distance(support_maps(a, b)).separation
        assert answer.lower - 1e-12 <= truth <= answer.upper + 1e-12
        # The witness points are those of the bound that counts, on the bodies grown by their radii.
        assert answer.witness_a is not None
        assert answer.witness_b is not None
        between = np.array(answer.witness_b) - np.array(answer.witness_a)
        if radius == 0.0:
            assert float(np.sqrt((between * between).sum())) == pytest.approx(answer.separation, abs=1e-9)
    assert False in nearer
