"""A pane for an exported picture that its reader can turn: the parts that stay, and the parts that turn."""

from __future__ import annotations

from msgspec import Struct

from .layout import Viewport
from .placed import PlacedPane, Rect


class TurnablePane(Struct, frozen=True, eq=False):
    """One pane at the place `rect` of a picture.

    `still`: the laid-out pane without its draw list, such as its name and border. `placed`: all of it, as first shown.
    `inside`: the pane's own viewport, then its insets' viewports, each after its left and top edge in the pane, pixels.
    """

    rect: Rect
    still: PlacedPane
    placed: PlacedPane
    inside: tuple[tuple[int, int, Viewport], ...]
