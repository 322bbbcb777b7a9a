"""What a panel is: something that draws itself from the state and asks for changes; and its row in the table."""

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
"""Cards over the panes, whose modules are imported late."""


class Panel(Protocol):
    """One window or bar. It may keep what is half typed between frames, never anything of the document."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws one frame inside a running imgui frame."""


class Docked:
    """What stands in a docked window, which is begun and ended for it."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws one frame inside its window."""

    def unseen(self, ui: PanelState, ask: Ask, *, wanted: bool) -> None:
        """A frame in which nothing of it is seen: its tab is behind another one, or it is not `wanted`."""


SEARCH = "What breaks near here?"
SEARCH_TIP = "Ask every engine about pairs near this one, and list those about which one is provably wrong"
BUNDLE = "Make a bundle …"
BUNDLE_TIP = "A zip to report the answer of the engine chosen in the panel Engines: scene, script, picture and proof"
"""Commands that stand in the panel of engines as well."""


class Opens(Struct, frozen=True):
    """The command that opens and closes a docked panel: its id after `panel.`, title, tip and menu."""

    id: str
    title: str
    tip: str
    menu: Literal["Compare", "Help", "Window"] = "Compare"


class PanelSpec(Struct, frozen=True, eq=False):
    """All that is known of a panel while its module is not imported.

    `name`: unique. `panel`: where its class is, as `pkgutil.resolve_name` reads it. `wanted`: whether it has something
    to show. `dimension`: 2 or 3 where it has nothing to say about scenes of the other.
    A docked panel has a `title`, by which kept layouts know its window, and a place: `dock` "above", "step" or "below"
    on the side, `tab` its number there, 0 in front. `opens`: the command, if one opens it; then it can be closed;
    `close`: what closing it does where no command of its own opened it. `behind`: it leaves the tab in front that was
    there. `tells`: what it tells of the answer, a word of `Reveal.panels`; while that is hidden the panel at
    `instead` stands in its place (in a docked window a sentence, without one). `yields`: it is away while a question is
    asked and this says so.
    `lesson`: the names by which a step of a lesson lists it, none if it cannot; None for what is there as always.
    `on_stage`: it is there in stage mode. `bar`: it stands along an edge of the window, and takes room of the viewport.
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
        """Whether it may be there in the lesson under way: its step lists it, or the learner has opened it."""
        if ui.lesson is None or self.lesson is None:
            return True
        if self.opens is not None and self.opens.id in ui.dialogs.docked:
            return True
        step = ui.lesson.step
        return step is not None and any(name in step.look.panels for name in self.lesson)

    @property
    def closable(self) -> bool:
        """Whether its window has a button that closes it."""
        return self.opens is not None or self.close is not None
