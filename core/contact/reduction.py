"""Four contacts of many: the deepest, the farthest from it, and the two that span the largest area with them.

As most engines do; it keeps the outline that carries a resting body and the depth that pushes it out.
"""

from __future__ import annotations

import numpy as np

from ..geometry.vector import Array, cross_rows


def spread_of_four(positions: Array, depths: Array, normal: Array) -> frozenset[int]:
    """Which four of the contacts to keep: `positions` (k, 3), `depths` (k,), unit `normal` (3,); of ties the first."""
    deepest = int(np.argmax(depths))
    arms = positions - positions[deepest]
    flat = arms - (arms @ normal)[:, None] * normal
    farthest = int(np.argmax(np.einsum("ki,ki->k", flat, flat)))
    # Twice the signed area over the line through the first two: the widest point on either side.
    areas = cross_rows(flat[farthest], flat) @ normal
    return frozenset((deepest, farthest, int(np.argmax(areas)), int(np.argmin(areas))))
