"""The types of panels: a panel draws itself from the state and asks for changes, and has a row in registry.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from ..state.ask import Ask
from ..state.panel_state import PanelState

PROBE_WINDOW, FREE_AXIS_WINDOW, CHIP_WINDOW = "##probe", "##free axis", "##knobs changed"
MAP_WINDOW = "##gauss map"
STAGE_WINDOW = "##stage words"
CARD_WINDOWS = (PROBE_WINDOW, FREE_AXIS_WINDOW, CHIP_WINDOW, MAP_WINDOW)
"""Windows of the cards over the panes; their modules are imported when they first open."""


class Panel(Protocol):
    """One window or bar. It may keep unfinished input between frames, but nothing of the document."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws one frame inside a running imgui frame."""


class Docked:
    """The content of a docked window; the caller begins and ends the window."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws one frame inside its window."""

    def unseen(self, ui: PanelState, ask: Ask, *, wanted: bool) -> None:
        """Called instead of `draw` while the panel is not visible: behind another tab, or not `wanted`."""


SEARCH = "What breaks near here?"
SEARCH_TIP = "Ask every engine about pairs near this one, and list those about which one is provably wrong"
BUNDLE = "Make a bundle …"
BUNDLE_TIP = "A zip to report the answer of the engine chosen in the panel Engines: scene, script, picture and proof"
"""Titles and tips of commands that the engines panel shows too."""


class Opens(Struct, frozen=True):
    """The command that opens and closes a docked panel: its id after `panel.`, title, tip and menu."""

    id: str
    title: str
    tip: str
    menu: Literal["Compare", "Help", "Window"] = "Compare"


class PanelSpec(Struct, frozen=True, eq=False):
    """A panel's row: the facts known before its module is imported.

    `name` is unique; `panel` is the location of its class for `pkgutil.resolve_name`. `wanted`: whether it has
    something to show. `dimension`: 2 or 3 if it is only for scenes of that dimension.

    A docked panel has a `title`, by which saved layouts identify its window, and a place: `dock` is "above", "step" or
    "below", and `tab` its number there, 0 in front. `opens`: the command that opens it, if any; then it can be closed.
    `close`: called when its window is closed, in place of that command. `front`: it comes to the front when it opens;
    `behind`: it opens behind the tab in front.

    `tells`: which part of the answer it shows, a word of `Reveal.panels`; while that is hidden, the panel at `instead`
    takes its place (without one, a docked window shows a sentence). `yields`: whether it is hidden during a question,
    and while a lesson hides the answer.
    `lesson`: the names by which a lesson's step lists it, empty if none can; None if lessons do not affect it.
    `on_stage`: it is shown in stage mode. `bar`: it lies along an edge of the window and takes space from the viewport.
    """

    name: str
    panel: str
    wanted: Callable[[PanelState], bool] = lambda _ui: True
    dimension: int | None = None
    title: str = ""
    dock: str = ""
    tab: int = 0
    opens: Opens | None = None
    close: Callable[[PanelState, Ask], None] | None = None
    front: bool = False
    behind: bool = False
    tells: str = ""
    instead: str = ""
    yields: Callable[[PanelState], bool] | None = None
    lesson: tuple[str, ...] | None = None
    on_stage: bool = False
    bar: bool = False

    def in_lesson(self, ui: PanelState) -> bool:
        """Whether the panel may be shown in the open lesson: the step lists it, or the learner has opened it."""
        if ui.lesson is None or self.lesson is None:
            return True
        if self.opens is not None and self.opens.id in ui.dialogs.docked:
            return True
        step = ui.lesson.step
        return step is not None and any(name in step.look.panels for name in self.lesson)

    @property
    def closable(self) -> bool:
        """Whether the panel's window has a close button."""
        return self.opens is not None or self.close is not None
