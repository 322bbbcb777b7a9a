"""The panes that a figure has room for, and their names."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..draw.placed import Rect
from ..stages import spec_of
from ..state.export_options import GAUSS_LARGE
from ..state.purposes import ONE_PANE_WIDTH, STACK
from ..state.view import Panes, Seen, arrange


def by_room(shots: Sequence[Seen], across: float, shape: float) -> list[Seen]:
    """The shots of a figure with both panes, or, if there is no room, with the pane that most of the shots are about.

    They are unchanged if the first shot does not show both panes, or shows the large Gauss map. `across`: the width of
    one picture in points of the layout. `shape`: its height over its width.
    """
    first = shots[0].view
    if first.panes is not Panes.BOTH or GAUSS_LARGE in first.shown or across >= ONE_PANE_WIDTH or shape >= STACK:
        return list(shots)
    in_world = sum(_in_world(shot) for shot in shots)
    panes = Panes.WORLD if 2 * in_world > len(shots) else Panes.DIFFERENCE
    return [replace(shot, view=replace(shot.view, panes=panes)) for shot in shots]


def _in_world(seen: Seen) -> bool:
    """Whether the step shown is about the bodies; True for the answer."""
    return seen.moment is None or spec_of(seen.moment.phase).in_world


def titles_of(seen: Seen, *, told: bool = False) -> list[str]:
    """The names of the panes; none for the world alone. `told`: two names also have their places, left and right."""
    if seen.view.panes is Panes.WORLD:
        return []
    panes = arrange(seen.view, Rect(0, 0, 2, 1), 0.5)
    titles = [pane.title for pane in panes]
    if not told or len(titles) < 2:
        return titles
    return [f"Left: {titles[0][0].lower()}{titles[0][1:]}", f"right: {titles[1][0].lower()}{titles[1][1:]}"]
