"""Divides the side's height between the axis table, the step's card and the panels below.

While the card is shown, table and card together get more of the height.

The heights that the user has set with the card and without it are kept separately.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

DockNode = imgui.internal.DockNode

STEP_SHARE = 0.66
"""The card's share of the height of table and card."""
STEP_OF_SAT_SHARE = 0.46
"""The card's share at SAT's steps: the table shows the fifteen axes of two boxes at once."""
WITH_CARD = 0.88
"""Share of the side's height that table and card take at first."""


class StepRoom:
    """Divides the side when the card appears or disappears, and table and card when SAT's steps begin or end."""

    def __init__(self) -> None:
        self._shown = False
        self._shares = {True: WITH_CARD}
        self._of_sat = False
        self._card_shares = {False: STEP_SHARE, True: STEP_OF_SAT_SHARE}

    def update(self, table: str, card: str, below: str, *, shown: bool, of_sat: bool = False) -> None:
        """Divides the heights if `shown` or `of_sat` has changed; called in every frame.

        `table`, `card`, `below`: titles of the windows from top to bottom. `of_sat`: the step is one of SAT.
        """
        if shown != self._shown:
            self._shown = shown
            if (nodes := _divided(card, below)) is not None:
                share = _share(*nodes)
                self._shares[not shown] = share
                _divide(*nodes, self._shares.get(shown, share))
        # In its first frame the card has no node yet.
        if shown and of_sat != self._of_sat and (nodes := _table_and_card(table, card)) is not None:
            self._of_sat = of_sat
            self._card_shares[not of_sat] = 1.0 - _share(*nodes)
            _divide(*nodes, 1.0 - self._card_shares[of_sat])


def _share(upper: DockNode, lower: DockNode) -> float:
    """The upper node's share of the height of both."""
    return float(upper.size_ref.y / (upper.size_ref.y + lower.size_ref.y))


def _divide(upper: DockNode, lower: DockNode, share: float) -> None:
    whole = upper.size_ref.y + lower.size_ref.y
    upper.size_ref = ImVec2(upper.size_ref.x, share * whole)
    lower.size_ref = ImVec2(lower.size_ref.x, (1.0 - share) * whole)


def _table_and_card(table: str, card: str) -> tuple[DockNode, DockNode] | None:
    """The table's node and the card's below it; None if the user has arranged them otherwise."""
    upper, lower = _node(table), _node(card)
    if upper is None or lower is None or upper.parent_node is None or lower.parent_node is None:
        return None
    same = upper.parent_node.id_ == lower.parent_node.id_
    return (upper, lower) if same and upper.id_ != lower.id_ else None


def _divided(card: str, below: str) -> tuple[DockNode, DockNode] | None:
    """The node of table and card, and the one below them; None if the user has arranged them otherwise."""
    upper, lower = (_node(title) for title in (card, below))
    upper = None if upper is None else upper.parent_node
    if upper is None or lower is None or upper.parent_node is None or lower.parent_node is None:
        return None
    same = upper.parent_node.id_ == lower.parent_node.id_
    return (upper, lower) if same and upper.id_ != lower.id_ else None


def _node(title: str) -> DockNode | None:
    window = imgui.internal.find_window_by_name(title)
    return None if window is None or not window.dock_id else imgui.internal.dock_builder_get_node(window.dock_id)
