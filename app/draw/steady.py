"""Rounds the numbers that choices of the layout depend on: no last digit decides where a label or a rail stands.

Positions that are drawn stay exact. Choices (which of two places is cheaper, which solid is farther, on which side a
rail stands) compare rounded numbers, which are the same on every processor; of equal ones the first is taken.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array

PART = 64.0
"""Parts of a pixel to which places on the screen are rounded: too fine to be seen, far coarser than rounding errors."""
DIGITS = 9
"""Decimals to which lengths in the view frame, whose unit is the camera's distance, and unit vectors are rounded."""


def steady_pixels(pixels: Array) -> Array:
    """Places or lengths on the screen, in pixels, to the nearest part of a pixel."""
    return np.rint(pixels * PART) / PART


def steady_shares(values: Array) -> Array:
    """Numbers about 1, such as view-frame lengths, shares and cosines, to DIGITS decimals."""
    return np.round(values, DIGITS)
