"""Rounds the numbers that the layout's choices depend on, so that every processor makes the same choices.

Choices are, for example, the cheaper of two places, the farther solid, or the side of a rail. They compare rounded
numbers; of equal ones the first is taken. Positions that are drawn stay exact.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array

PART = 64.0
"""Places on the screen are rounded to 1 / PART pixel: too fine to be seen, far coarser than rounding errors."""
DECIMALS = 9
"""Decimals to which view-frame lengths, shares and cosines are rounded."""


def steady_pixels(pixels: Array) -> Array:
    """Places or lengths on the screen, in pixels, rounded to the nearest 1 / PART pixel."""
    return np.rint(pixels * PART) / PART


def steady_shares(values: Array) -> Array:
    """Numbers of magnitude about 1, such as view-frame lengths, shares and cosines, rounded to DECIMALS decimals."""
    return np.round(values, DECIMALS)
