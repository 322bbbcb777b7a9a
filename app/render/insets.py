"""The insets of the first pane: where the triad of world axes and the globe of candidate axes stand, in pixels.

Both stand at the right edge of the world, or of the difference where that is alone; the Gauss map takes the globe's
place. An inset is left out of a pane of which less than twice its size is clear.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from core.scene import Scene

from ..draw.placed import Rect
from ..overlays import globe
from ..overlays.registry import STRANGE
from ..state.panes import arrange
from ..state.view import View
from .framing import Covered

TRIAD = 84.0
TRIAD_BELOW = 34.0
GLOBE = 150.0
GAUSS_MAP = 220.0
GLOBE_ABOVE = 52.0
INSET_MARGIN = 8.0
LEAST_GLOBE = 96.0
"""Sizes in points; `*_BELOW` and `*_ABOVE` leave room for the hint and the verdict that panels put there."""
GLOBE_SHARE, MAP_SHARE = 0.36, 0.4
"""Of the pane's shorter side, at the most."""


def triad_fits(side: int, rect: Rect, area: Rect, covered: Covered) -> bool:
    """Whether a pane has room for the triad, clear of bars and cards."""
    return 2 * side <= min(rect.width, rect.height - sum(covered.above_and_below(rect, area)))


def globe_fits(side: int, rect: Rect, area: Rect, covered: Covered) -> bool:
    """Whether a pane has room for the globe or the map, clear of bars; the card is in another corner."""
    return triad_fits(side, rect, area, replace(covered, card=(0.0, 0.0)))


def triad_top(rect: Rect, area: Rect, density: float, covered: Covered) -> int:
    """Where the triad begins in a pane: above the hint, and above any bar or card that would hide it."""
    left = rect.width - (TRIAD + INSET_MARGIN) * density
    below = TRIAD_BELOW * density + covered.above_hint(left, rect, area)
    return rect.height - round(TRIAD * density + below)


def globe_top(density: float, covered: Covered) -> int:
    """Where the globe begins in a pane: below the verdict, however many lines that has."""
    return round(max(GLOBE_ABOVE * density, covered.top))


def globe_side(rect: Rect, area: Rect, density: float, covered: Covered, overlays: Collection[str]) -> int:
    """Side of the globe or of the Gauss map in its place, both smaller where the pane is small."""
    across = min(rect.width, rect.height)
    side = round(min(GLOBE * density, max(LEAST_GLOBE * density, GLOBE_SHARE * across)))
    if globe.GAUSS.id not in overlays:
        return side
    room = triad_top(rect, area, density, covered) - globe_top(density, covered)
    return max(side, round(min(GAUSS_MAP * density, MAP_SHARE * across, room)))


def taken_corner(
    scene: Scene, view: View, area: Rect, density: float, divider: float, covered: Covered
) -> tuple[float, float]:
    """Width and height of the first pane's upper right corner that the globe or the map takes, with its margin."""
    if not ({globe.OVERLAY.id, globe.GAUSS.id} & view.shown) - STRANGE[scene.dimension]:
        return 0.0, 0.0
    rect = arrange(view, area, divider)[0].rect
    side = globe_side(rect, area, density, covered, view.shown)
    if not globe_fits(side, rect, area, covered):
        return 0.0, 0.0
    return side + 2.0 * INSET_MARGIN * density, float(globe_top(density, covered) + side)
