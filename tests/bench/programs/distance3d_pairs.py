"""Times distance3d's GJK and EPA on hulls: `distance3d_pairs.py FILE.npz`, with arrays a0, b0, a1, b1, ... (n, 3).

The last line is JSON: for each pair the milliseconds of one call, best of several, or null where it failed.
"""

from __future__ import annotations

import json
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")

from distance3d import colliders, epa, gjk  # noqa: E402 (its import warns)

REPEATS = 20


def _once(a: colliders.ConvexHullVertices, b: colliders.ConvexHullVertices) -> float:
    began = time.process_time()
    distance, _, _, simplex = gjk.gjk(a, b)
    if distance < 1e-9:
        epa.epa(simplex, a, b)
    return (time.process_time() - began) * 1e3


def _best(a: np.ndarray, b: np.ndarray) -> float | None:
    bodies = colliders.ConvexHullVertices(a), colliders.ConvexHullVertices(b)
    try:
        return min(_once(*bodies) for _ in range(REPEATS))
    except Exception:  # a pair that it cannot answer has no time
        return None


arrays = np.load(sys.argv[1])
count = len(arrays.files) // 2
_best(arrays["a0"], arrays["b0"])  # compiles
print(json.dumps([_best(arrays[f"a{k}"], arrays[f"b{k}"]) for k in range(count)]))
