"""Panes: how the viewport is divided, and which camera looks into each part."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from .camera import Camera, Projection
from .manipulation import Sight
from .placed import Rect
from .view import Panes, View

NARROWEST = 0.15
"""Share of the viewport below which the divider does not shrink a pane."""


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


def arrange(view: View, area: Rect, divider: float) -> tuple[Pane, ...]:
    """The panes of `area`; `divider`: share of the width that the world takes when both are shown."""
    if view.panes is Panes.WORLD:
        return (Pane("world", "World", area, view.world),)
    if view.panes is Panes.OVERLAID:
        return (Pane("world", "World, with A − B at its origin", area, view.world),)
    if view.panes is Panes.DIFFERENCE:
        return (Pane("difference", "Difference A − B", area, view.difference),)
    share = min(max(divider, NARROWEST), 1.0 - NARROWEST)
    left = max(1, round(area.width * share))
    right = max(1, area.width - left)
    return (
        Pane("world", "World", Rect(area.x, area.y, left, area.height), view.world),
        Pane(
            "difference",
            "Difference A − B",
            Rect(area.x + left, area.y, right, area.height),
            view.difference,
        ),
    )
