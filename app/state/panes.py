"""Panes: how the viewport is divided, and which camera looks into each part."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from ..draw.camera import Camera, Projection
from ..draw.placed import Rect
from ..draw.sight import Sight
from .view import Panes, View

NARROWEST = 0.15
"""Share of the viewport below which the divider does not shrink a pane."""

STACKED_FROM = 1.1
"""Height over width of a viewport from which on two panes stand one above the other."""


class Pane(Struct, frozen=True, eq=False, dict=True):
    """Part of the viewport: `kind` is "world" or "difference"; `rect` in framebuffer pixels."""

    kind: str
    title: str
    rect: Rect
    camera: Camera

    @cached_property
    def projection(self) -> Projection:
        """The camera's mapping onto this pane."""
        return Projection(self.camera, self.rect.width, self.rect.height)

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.rect.width / max(1, self.rect.height)

    def sight(self, x: float, y: float) -> Sight:
        """The line of sight through a pixel of the framebuffer."""
        return Sight.through(self.projection, x - self.rect.x, y - self.rect.y)


def stacked(area: Rect) -> bool:
    """Whether two panes in `area` stand one above the other: side by side both would be too narrow."""
    return area.height > STACKED_FROM * area.width


def arrange(view: View, area: Rect, divider: float) -> tuple[Pane, ...]:
    """The panes of `area`; `divider`: share that the world takes when both are shown, at the left or above."""
    if view.panes is Panes.WORLD:
        return (Pane("world", "World", area, view.world),)
    if view.panes is Panes.OVERLAID:
        return (Pane("world", "World, with A − B at its origin", area, view.world),)
    if view.panes is Panes.DIFFERENCE:
        return (Pane("difference", "Difference A − B", area, view.difference),)
    first, second = _halves(area, min(max(divider, NARROWEST), 1.0 - NARROWEST))
    return (Pane("world", "World", first, view.world), Pane("difference", "Difference A − B", second, view.difference))


def _halves(area: Rect, share: float) -> tuple[Rect, Rect]:
    if stacked(area):
        above = max(1, round(area.height * share))
        below = max(1, area.height - above)
        return Rect(area.x, area.y, area.width, above), Rect(area.x, area.y + above, area.width, below)
    left = max(1, round(area.width * share))
    right = max(1, area.width - left)
    return Rect(area.x, area.y, left, area.height), Rect(area.x + left, area.y, right, area.height)
