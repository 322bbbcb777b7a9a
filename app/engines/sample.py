"""Sample pairs to try engines on: most nearly touch, some overlap deeply, some are far apart."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from core.geometry.triple import Triple
from core.scene import Body, Scene
from core.study.lab.random_pair import FLAT_MAKERS, pair_at

RANGES = ((0.4, 0.65, 0.999), (0.3, 1.001, 1.4), (0.1, 1.4, 3.0), (0.2, 0.02, 0.65))
"""For each range its share of the pairs, and its ends, as multiples of the distance at which the bodies touch."""

AWAY = 2.0
"""The largest move of the pair along each axis, in either direction, scene units."""


def sample_pair(seed: int, kinds: tuple[str, str], index: int) -> Scene:
    """The pair with this index, of two kinds of shape. An odd index exchanges A and B.

    The same `seed`, kinds and index give the same pair.
    """
    rng = np.random.default_rng([seed, index, *"/".join(kinds).encode()])
    _, low, high = RANGES[int(rng.choice(len(RANGES), p=[share for share, _, _ in RANGES]))]
    scene = pair_at(rng, kinds, float(rng.uniform(low, high)))
    base = rng.uniform(-AWAY, AWAY, 3) * ((1.0, 1.0, 0.0) if kinds[0] in FLAT_MAKERS else (1.0, 1.0, 1.0))
    a, b = (_moved(body, tuple(base.tolist())) for body in (scene.a, scene.b))
    return replace(scene, a=b, b=a) if index % 2 else replace(scene, a=a, b=b)


def _moved(body: Body, by: Triple) -> Body:
    x, y, z = (p + q for p, q in zip(body.position, by, strict=True))
    return replace(body, position=(x, y, z))
