"""A pane before it is laid out, for a picture that whoever reads it turns: what stands still, and what turns."""

from __future__ import annotations

from msgspec import Struct

from .layout import Viewport
from .placed import PlacedPane, Rect


class TurnablePane(Struct, frozen=True, eq=False):
    """A pane's parts by where they are drawn.

    `still`: the pane with nothing but its name and its border. `placed`: all of it, as the first view shows it.
    `inside`: the pane's own list and then its insets', each with the left and top edge of its place in the pane.
    """

    rect: Rect
    still: PlacedPane
    placed: PlacedPane
    inside: tuple[tuple[int, int, Viewport], ...]
