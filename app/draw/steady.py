"""Numbers that choices are made by, rounded: so that no last digit decides where a label or a rail stands.

What is drawn keeps its exact place. What is only weighed (which of two places is cheaper, which solid is farther, on
which side a rail stands) is weighed by numbers that are the same on every processor: equals are equals, and the first
of them is taken.
"""

from __future__ import annotations

import numpy as np

from core.geometry.vector import Array

PART = 64.0
"""Parts of a pixel to which places on the screen are rounded: what nobody sees, and far more than rounding errors."""
DIGITS = 9
"""Decimals to which lengths in the view frame, whose unit is the camera's distance, and unit vectors are rounded."""


def steady_pixels(pixels: Array) -> Array:
    """Places or lengths on the screen, in pixels, to the nearest part of a pixel."""
    return np.rint(pixels * PART) / PART


def steady_shares(values: Array) -> Array:
    """Numbers about 1, such as view-frame lengths, shares and cosines, to DIGITS decimals."""
    return np.round(values, DIGITS)
