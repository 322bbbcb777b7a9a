"""Every panel, in the order in which they are drawn: one entry each, with the function that imports and makes it.

To add one: its file, and its entry here. A docked panel with a command needs no more: command, menu, default place,
kept state and what a question covers come from the entry. A panel's module is imported when it first opens. Where
nobody has moved them the docked panels stand on the right, the table above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from imgui_bundle import ImVec2, imgui

from core.analysis.knobs import DEFAULT_KNOBS

from ..state.panel_state import PanelState
from ..state.requests import Invoke
from .panel import Entry, Opens, Panel
from .viewport_bottom import HintLine, LogStepper, Notes, Notices, PictureFault
from .viewport_top import FrameTimes, PaneTitles, VerdictBar, WaitingNote
from .widgets import em

ENTRIES: list[Entry] = []

WIDE_EMS = 64.0
"""In a window narrower than this no step card stands beside a question: the picture needs the room."""
_Load = TypeVar("_Load", bound=Callable[[], Panel])
_Wanted = Callable[[PanelState], bool]


def side(ui: PanelState) -> bool:
    """Whether the docked side is shown."""
    return ui.settings.panels


def motion_stands(ui: PanelState) -> bool:
    """Whether the bodies' motion is shown at all."""
    return ui.view.shows_motion(ui.document.scene)


def always(_ui: PanelState) -> bool:
    """It has something to show at any time."""
    return True


def enter(name: str, load: Callable[[], Panel], wanted: _Wanted = always, **known: Any) -> None:
    """Enters a panel; `known`: other fields of Entry."""
    ENTRIES.append(Entry(name, load, wanted, **known))


def panel(wanted: _Wanted = always, **known: Any) -> Callable[[_Load], _Load]:
    """Enters the panel that the function under it makes, by the function's name."""

    def entered(load: _Load) -> _Load:
        enter(load.__name__.strip("_"), load, wanted, **known)
        return load

    return entered


def docked(title: str, dock: str, tab: int, wanted: _Wanted = side, **known: Any) -> Callable[[_Load], _Load]:
    """Enters a docked panel."""
    return panel(wanted, title=title, dock=dock, tab=tab, **known)


def opened(title: str, dock: str, tab: int, opens: Opens, **known: Any) -> Callable[[_Load], _Load]:
    """Enters a docked panel that a command opens."""

    def wanted(ui: PanelState) -> bool:
        return ui.settings.panels and opens.id in ui.dialogs.docked

    return docked(title, dock, tab, wanted, opens=opens, front=True, **known)


@panel()
def _menu_bar() -> Panel:
    from .menu_bar import MenuBar

    return MenuBar()


@panel(lambda ui: ui.query is not None)
def _timeline() -> Panel:
    from .timeline import Timeline

    return Timeline()


@panel(motion_stands)
def _motion_bar() -> Panel:
    from .motion_bar import MotionBar

    return MotionBar()


enter("pane_titles", PaneTitles)


def _without_verdict() -> Panel:
    from .question import WithoutVerdict

    return WithoutVerdict()


enter("verdict_bar", VerdictBar, covers="verdict", cover=_without_verdict)
enter("waiting_note", WaitingNote, lambda ui: bool(ui.analysis.left_out))
enter("hint_line", HintLine)
enter("picture_fault", PictureFault, lambda ui: ui.picture_fault)


# They may tell the answer, and the question's card takes their place.
enter("notes", Notes, away=always)


@panel(lambda ui: ui.asked is not None)
def _question_card() -> Panel:
    from .question import QuestionCard

    return QuestionCard()


enter("log_stepper", LogStepper, lambda ui: ui.log is not None)
enter("notices", Notices)
enter("frame_times", FrameTimes, lambda ui: ui.settings.show_frame_times)


@panel(lambda ui: ui.knobs != DEFAULT_KNOBS)
def _knob_chip() -> Panel:
    from .knobs import KnobChip

    return KnobChip()


@panel(lambda ui: ui.view.free is not None, dimension=3)
def _free_axis_card() -> Panel:
    from .probe import FreeAxisCard

    return FreeAxisCard()


@panel(lambda ui: ui.view.probe is not None, dimension=3)
def _probe_card() -> Panel:
    from .probe import ProbeCard

    return ProbeCard()


@opened(
    "Side by side",
    "above",
    3,
    Opens("compare", "Answers side by side", "Every method in double and single precision, and the articles'"),
    covers="answers",
)
def _side_by_side() -> Panel:
    from .side_by_side import SideBySide

    return SideBySide()


@opened("Knobs", "below", 3, Opens("knobs", "Knobs of the algorithms", "Tolerances, limits and methods, live"))
def _knob_panel() -> Panel:
    from .knobs import KnobPanel

    return KnobPanel()


@opened(
    "Edge cases", "below", 4, Opens("edge_tools", "Edge-case tools", "Nudge by a last place, bring to touching, align")
)
def _edge_tools() -> Panel:
    from .edge_tools import EdgeTools

    return EdgeTools()


@opened(
    "Through zero",
    "above",
    4,
    Opens("through_zero", "Through-zero plot", "Slide or turn B, and see where each method's answer breaks"),
    covers="answers",
)
def _through_zero() -> Panel:
    from .through_zero import ThroughZero

    return ThroughZero()


@opened("Sources", "below", 5, Opens("sources", "Sources", "Whose the algorithms are, with full citations", "Help"))
def _sources() -> Panel:
    from .sources import Sources

    return Sources()


@docked(
    "Motion",
    "above",
    5,
    lambda ui: ui.settings.panels and motion_stands(ui),
    close=lambda _ui, ask: ask.append(Invoke("motion.show")),
    front=True,
)
def _motion_panel() -> Panel:
    from .motion import MotionPanel

    return MotionPanel()


@docked("Bodies", "below", 0)
def _bodies() -> Panel:
    from .bodies import Bodies

    return Bodies()


@docked("Answers", "below", 1, covers="answers")
def _answers() -> Panel:
    from .answers import Answers

    return Answers()


@docked(
    "Pairs",
    "above",
    1,
    lambda ui: ui.settings.panels and ui.analysis.polygon is not None,
    dimension=2,
    behind=True,
    covers="pairs",
)
def _vertex_pairs() -> Panel:
    from .answers import VertexPairs

    return VertexPairs()


@docked("Algorithm", "below", 2, lambda ui: ui.moment is not None and ui.settings.algorithm)
def _algorithm() -> Panel:
    from .step_card import Algorithm

    return Algorithm()


def _narrow(_ui: PanelState) -> bool:
    return bool(imgui.get_main_viewport().size.x < WIDE_EMS * em())


@docked("Step", "above", 2, lambda ui: ui.moment is not None, front=True, covers="steps", away=_narrow)
def _step_card() -> Panel:
    from .step_card import StepCard

    return StepCard()


def _axes_to_choose() -> Panel:
    from .question import AxesToChoose

    return AxesToChoose()


# Last of the docked: where imgui sends the focus when a window closes, which brings a tab to the front.
@docked("Axes", "above", 0, covers="table", cover=_axes_to_choose)
def _axis_table() -> Panel:
    from .axis_table import AxisTable

    return AxisTable()


@panel(lambda ui: ui.dialogs.presets)
def _preset_gallery() -> Panel:
    from .preset_gallery import PresetGallery

    return PresetGallery()


@panel(lambda ui: ui.dialogs.help)
def _help() -> Panel:
    from .dialogs import Help

    return Help()


@panel(lambda ui: ui.dialogs.settings)
def _view_options() -> Panel:
    from .view_options import ViewOptions

    return ViewOptions()


@panel(lambda ui: ui.dialogs.screenshot)
def _screenshot() -> Panel:
    from .screenshot import ScreenshotPanel

    return ScreenshotPanel()


@panel(lambda ui: ui.dialogs.paste)
def _paste_pair() -> Panel:
    from .paste_pair import PastePair

    return PastePair()


@panel(lambda ui: ui.dialogs.open or ui.dialogs.save)
def _file_browser() -> Panel:
    from .file_browser import FileBrowser

    return FileBrowser()


@panel(lambda ui: ui.dialogs.about)
def _about() -> Panel:
    from .dialogs import About

    return About()


@panel(lambda ui: ui.dialogs.palette)
def _palette() -> Panel:
    from .dialogs import Palette

    return Palette()


@panel(lambda ui: ui.picture is not None)
def _picture_progress() -> Panel:
    from .screenshot import PictureProgress

    return PictureProgress()


@panel(lambda ui: ui.pending is not None)
def _question() -> Panel:
    from .dialogs import Question

    return Question()


DOCKED = tuple(entry for entry in ENTRIES if entry.title)
"""The docked panels, in drawing order."""
SIDE_EMS = 27.0
"""Width of the docked side in a window that has room for it."""
SIDE_SHARE = 0.42
"""The side takes at most this share of a narrow window."""
TABLE_SHARE = 0.56
"""Share of the side's height that the axis table takes."""


def build_default_layout(dockspace_id: int, size: tuple[float, float]) -> None:
    """Docks the panels anew in a dock space of `size` in imgui's units; inside a frame, before the dock space."""
    builder = imgui.internal
    builder.dock_builder_remove_node(dockspace_id)
    builder.dock_builder_add_node(dockspace_id, builder.DockNodeFlagsPrivate_.dock_space.value)
    viewport = imgui.get_main_viewport()
    builder.dock_builder_set_node_pos(dockspace_id, viewport.work_pos)
    builder.dock_builder_set_node_size(dockspace_id, ImVec2(*size))
    share = min(SIDE_EMS * em() / max(size[0], 1.0), SIDE_SHARE)
    _, side, _ = builder.dock_builder_split_node_py(dockspace_id, imgui.Dir.right, share)
    _, above, below = builder.dock_builder_split_node_py(side, imgui.Dir.up, TABLE_SHARE)
    places = {"above": above, "below": below}
    for entry in sorted(DOCKED, key=lambda entry: entry.tab):
        builder.dock_builder_dock_window(entry.title, places[entry.dock])
    builder.dock_builder_finish(dockspace_id)
