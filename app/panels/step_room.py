"""Room for the step's card between the axis table and the panels below: more of the side's height while it is there.

The heights that the user has set with the card and without it are kept separately.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

STEP_SHARE = 0.465
"""The card's share of the height of table and card: fifteen axes are in sight above it, and it scrolls."""
WITH_CARD = 0.88
"""Share of the side's height that table and card take at first."""


class StepRoom:
    """Divides the side again when the card appears and when it disappears."""

    def __init__(self) -> None:
        self._shown = False
        self._shares = {True: WITH_CARD}

    def update(self, card: str, below: str, *, shown: bool) -> None:
        """`card`, `below`: titles of the card's window and of one below it; inside a frame, in each one."""
        if shown == self._shown:
            return
        nodes = _divided(card, below)
        self._shown = shown
        if nodes is None:
            return
        upper, lower = nodes
        whole = upper.size_ref.y + lower.size_ref.y
        self._shares[not shown] = upper.size_ref.y / whole
        share = self._shares.get(shown)
        if share is not None:
            upper.size_ref = ImVec2(upper.size_ref.x, share * whole)
            lower.size_ref = ImVec2(lower.size_ref.x, (1.0 - share) * whole)


def _divided(card: str, below: str) -> tuple[imgui.internal.DockNode, imgui.internal.DockNode] | None:
    """The node of table and card, and the one below them; None where the user has arranged them otherwise."""
    upper, lower = (_node(title) for title in (card, below))
    upper = None if upper is None else upper.parent_node
    if upper is None or lower is None or upper.parent_node is None or lower.parent_node is None:
        return None
    same = upper.parent_node.id_ == lower.parent_node.id_
    return (upper, lower) if same and upper.id_ != lower.id_ else None


def _node(title: str) -> imgui.internal.DockNode | None:
    window = imgui.internal.find_window_by_name(title)
    return None if window is None or not window.dock_id else imgui.internal.dock_builder_get_node(window.dock_id)
