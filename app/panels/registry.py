"""Every panel, in the order in which they are drawn: one entry each; and what imports and makes each.

To add one: its file, its entry here, and its two lines in `made`. A docked panel with a command needs no more: command,
menu, default place, kept state and what a question covers come from the entry. A panel's module is imported when it
first opens. Where nobody has moved them the docked panels stand on the right, the table above.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import ImVec2, imgui

from core.analysis.knobs import DEFAULT_KNOBS

from ..state.panel_state import PanelState
from ..state.requests import Invoke
from . import viewport_bottom, viewport_top
from .panel import Entry, Opens, Panel
from .step_room import STEP_SHARE
from .text import em

WIDE_EMS = 64.0
"""In a window narrower than this no step card stands beside a question: the picture needs the room."""


def made(name: str) -> Panel:
    """The panel of this name, imported; of an entry, or of what stands in its place. Raises LookupError without one."""
    match name:
        case "menu_bar":
            from .menu_bar import MenuBar

            return MenuBar()
        case "timeline":
            from .timeline import Timeline

            return Timeline()
        case "motion_bar":
            from .motion_bar import MotionBar

            return MotionBar()
        case "without_verdict":
            from .question import WithoutVerdict

            return WithoutVerdict()
        case "lesson_card":
            from .lesson_card import LessonCard

            return LessonCard()
        case "question_card":
            from .question import QuestionCard

            return QuestionCard()
        case "axes_to_choose":
            from .question import AxesToChoose

            return AxesToChoose()
        case "knob_chip":
            from .knobs import KnobChip

            return KnobChip()
        case "knob_panel":
            from .knobs import KnobPanel

            return KnobPanel()
        case "free_axis_card":
            from .probe import FreeAxisCard

            return FreeAxisCard()
        case "probe_card":
            from .probe import ProbeCard

            return ProbeCard()
        case "side_by_side":
            from .side_by_side import SideBySide

            return SideBySide()
        case "edge_tools":
            from .edge_tools import EdgeTools

            return EdgeTools()
        case "through_zero":
            from .through_zero import ThroughZero

            return ThroughZero()
        case "contact_times":
            from .contact_times import ContactTimesPanel

            return ContactTimesPanel()
        case "engines":
            from .engines import EnginesPanel

            return EnginesPanel()
        case "deck":
            from .deck import DeckPanel

            return DeckPanel()
        case "sources":
            from .sources import Sources

            return Sources()
        case "glossary":
            from .glossary import Glossary

            return Glossary()
        case "motion_panel":
            from .motion import MotionPanel

            return MotionPanel()
        case "bodies":
            from .bodies import Bodies

            return Bodies()
        case "answers":
            from .answers import Answers

            return Answers()
        case "vertex_pairs":
            from .answers import VertexPairs

            return VertexPairs()
        case "algorithm":
            from .step_card import Algorithm

            return Algorithm()
        case "step_card":
            from .step_card import StepCard

            return StepCard()
        case "axis_table":
            from .axis_table import AxisTable

            return AxisTable()
        case "preset_gallery":
            from .preset_gallery import PresetGallery

            return PresetGallery()
        case "help":
            from .dialogs import Help

            return Help()
        case "about":
            from .dialogs import About

            return About()
        case "palette":
            from .dialogs import Palette

            return Palette()
        case "question":
            from .dialogs import Question

            return Question()
        case "view_options":
            from .view_options import ViewOptions

            return ViewOptions()
        case "screenshot":
            from .screenshot import ScreenshotPanel

            return ScreenshotPanel()
        case "picture_progress":
            from .screenshot import PictureProgress

            return PictureProgress()
        case "film":
            from .film import FilmPanel

            return FilmPanel()
        case "film_progress":
            from .film import FilmProgress

            return FilmProgress()
        case "loading":
            from .film import LoadingProgress

            return LoadingProgress()
        case "paste_pair":
            from .paste_pair import PastePair

            return PastePair()
        case "file_browser":
            from .file_browser import FileBrowser

            return FileBrowser()
        case "pane_titles":
            return viewport_top.PaneTitles()
        case "verdict_bar":
            return viewport_top.VerdictBar()
        case "map_card":
            return viewport_top.MapCard()
        case "waiting_note":
            return viewport_top.WaitingNote()
        case "frame_times":
            return viewport_top.FrameTimes()
        case "hint_line":
            return viewport_bottom.HintLine()
        case "picture_fault":
            return viewport_bottom.PictureFault()
        case "notes":
            return viewport_bottom.Notes()
        case "log_stepper":
            return viewport_bottom.LogStepper()
        case "stage":
            from .stage import Stage

            return Stage()
        case "notices":
            return viewport_bottom.Notices()
    raise LookupError(name)


def motion_stands(ui: PanelState) -> bool:
    """Whether the bodies' motion is shown at all."""
    return ui.view.shows_motion(ui.document.scene)


def docked(
    name: str, title: str, dock: str, tab: int, wanted: Callable[[PanelState], bool] = lambda _ui: True, **known: Any
) -> Entry:
    """The entry of a docked panel that is there with the side, while it is `wanted`."""
    return Entry(name, lambda ui: ui.settings.panels and wanted(ui), title=title, dock=dock, tab=tab, **known)


def opened(name: str, title: str, dock: str, tab: int, opens: Opens, **known: Any) -> Entry:
    """The entry of a docked panel that a command opens."""
    return docked(name, title, dock, tab, lambda ui: opens.id in ui.dialogs.docked, opens=opens, front=True, **known)


COMPARE = Opens(
    "compare", "Answers side by side", "Compare every method in double and single precision, and the published versions"
)
KNOBS = Opens("knobs", "Algorithm settings", "Tolerances, limits and methods, live")
EDGE_TOOLS = Opens(
    "edge_tools", "Edge-case tools", "Move B by one floating-point step, make the bodies touch, align faces or edges"
)
THROUGH_ZERO = Opens("through_zero", "Through-zero plot", "Slide or turn B, and see where each method's answer breaks")
GLOSSARY = Opens("glossary", "Glossary", "Every term in one sentence, and the lesson that shows it", "Help")
CONTACT_TIMES = Opens(
    "contact_times",
    "Contacts over time",
    "Which contacts stay, come, go and jump while a body is dragged",
)
ENGINES = Opens("engines", "Engines", "What other collision engines say about this pair, beside the truth")
DECK = Opens("deck", "Deck", "The slides of the deck: show, order, remove, and write on them", "Window")
SOURCES = Opens("sources", "Sources", "Authors of the algorithms, with full citations", "Help")

ENTRIES = (
    Entry("menu_bar"),
    Entry("lesson_card", lambda ui: ui.lesson is not None),
    Entry("timeline", lambda ui: ui.query is not None),
    Entry("motion_bar", motion_stands),
    Entry("pane_titles"),
    Entry("verdict_bar", covers="verdict", cover="without_verdict"),
    Entry("waiting_note", lambda ui: bool(ui.analysis.left_out) or ui.analysis.contacts_earlier),
    Entry("hint_line", lesson=()),
    Entry("map_card", viewport_top.map_stands, dimension=3),
    Entry("picture_fault", lambda ui: ui.picture_fault, on_stage=True),
    # They may tell the answer, and the question's card takes their place.
    Entry("notes", away=lambda _ui: True, lesson=()),
    Entry("question_card", lambda ui: ui.asked is not None, lesson=()),
    Entry("log_stepper", lambda ui: ui.log is not None, lesson=()),
    Entry("notices", on_stage=True),
    Entry("stage", lambda ui: ui.stage is not None, on_stage=True),
    Entry("frame_times", lambda ui: ui.settings.show_frame_times),
    Entry("knob_chip", lambda ui: ui.knobs != DEFAULT_KNOBS, lesson=()),
    Entry("free_axis_card", lambda ui: ui.view.free is not None),
    Entry("probe_card", lambda ui: ui.view.probe is not None, dimension=3),
    opened("side_by_side", "Side by side", "above", 3, COMPARE, covers="answers", lesson=("side_by_side",)),
    opened("knob_panel", "Settings", "below", 3, KNOBS, lesson=("settings",)),
    opened("edge_tools", "Edge cases", "below", 4, EDGE_TOOLS, lesson=("edge_tools",)),
    opened("through_zero", "Through zero", "above", 4, THROUGH_ZERO, covers="answers", lesson=("through_zero",)),
    opened("contact_times", "Contacts", "above", 6, CONTACT_TIMES, covers="answers", lesson=()),
    opened("engines", "Engines", "above", 8, ENGINES, covers="answers", lesson=()),
    opened("sources", "Sources", "below", 5, SOURCES, lesson=()),
    opened("glossary", "Glossary", "below", 6, GLOSSARY, lesson=()),
    docked(
        "motion_panel",
        "Motion",
        "above",
        5,
        motion_stands,
        front=True,
        close=lambda _ui, ask: ask.append(Invoke("motion.show")),
        lesson=("motion",),
    ),
    opened("deck", "Deck", "above", 7, DECK, lesson=()),
    docked("bodies", "Bodies", "below", 0, lesson=("bodies",)),
    docked("answers", "Answers", "below", 1, covers="answers", lesson=("answers",)),
    docked(
        "vertex_pairs",
        "Pairs",
        "above",
        1,
        lambda ui: ui.analysis.polygon is not None,
        dimension=2,
        behind=True,
        covers="pairs",
        lesson=("pairs",),
    ),
    # The two are there with the steps, whether the side is or not.
    Entry(
        "algorithm",
        lambda ui: ui.moment is not None and ui.settings.algorithm,
        title="Algorithm",
        dock="below",
        tab=2,
        lesson=(),
    ),
    Entry(
        "step_card",
        lambda ui: ui.moment is not None,
        title="Step",
        dock="step",
        tab=2,
        front=True,
        covers="steps",
        lesson=("step", "bounds"),
        away=lambda _ui: bool(imgui.get_main_viewport().size.x < WIDE_EMS * em()),
    ),
    # Last of the docked: where imgui sends the focus when a window closes, which brings a tab to the front.
    docked("axis_table", "Axes", "above", 0, covers="table", cover="axes_to_choose", lesson=("axes",)),
    Entry("preset_gallery", lambda ui: ui.dialogs.presets),
    Entry("help", lambda ui: ui.dialogs.help),
    Entry("view_options", lambda ui: ui.dialogs.settings),
    Entry("screenshot", lambda ui: ui.dialogs.screenshot),
    Entry("film", lambda ui: ui.dialogs.film),
    Entry("paste_pair", lambda ui: ui.dialogs.paste),
    Entry("file_browser", lambda ui: ui.dialogs.open or ui.dialogs.naming),
    Entry("about", lambda ui: ui.dialogs.about),
    Entry("palette", lambda ui: ui.dialogs.palette),
    Entry("picture_progress", lambda ui: ui.picture is not None),
    Entry("film_progress", lambda ui: ui.film is not None),
    Entry("loading", lambda ui: ui.loading is not None),
    Entry("question", lambda ui: ui.pending is not None, on_stage=True),
)


DOCKED = tuple(entry for entry in ENTRIES if entry.title)
"""The docked panels, in drawing order."""
SIDE_EMS = 27.0
"""Width of the docked side in a window that has room for it."""
SIDE_SHARE = 1.0 / 3.0
"""The side takes at most this share of a narrow window …"""
SIDE_LEAST, SIDE_MOST = 16.0, 0.45
"""… unless its text is large: so many ems it has up to this share."""
TABLE_SHARE = 0.56
"""Share of the side's height that the axis table takes; with the step's card under it more (step_room.py)."""
HIGH_EMS = 46.0
"""From this height on the side has room for table, card and bodies above one another."""


def build_default_layout(dockspace_id: int, size: tuple[float, float]) -> None:
    """Docks the panels anew in a dock space of `size` in imgui's units; inside a frame, before the dock space."""
    builder = imgui.internal
    builder.dock_builder_remove_node(dockspace_id)
    builder.dock_builder_add_node(dockspace_id, builder.DockNodeFlagsPrivate_.dock_space.value)
    viewport = imgui.get_main_viewport()
    builder.dock_builder_set_node_pos(dockspace_id, viewport.work_pos)
    builder.dock_builder_set_node_size(dockspace_id, ImVec2(*size))
    wide = em() / max(size[0], 1.0)
    share = min(SIDE_EMS * wide, max(SIDE_SHARE, min(SIDE_LEAST * wide, SIDE_MOST)))
    _, side, _ = builder.dock_builder_split_node_py(dockspace_id, imgui.Dir.right, share)
    _, above, below = builder.dock_builder_split_node_py(side, imgui.Dir.up, TABLE_SHARE)
    places = {"above": above, "step": above, "below": below}
    if size[1] >= HIGH_EMS * em():
        _, places["step"], places["above"] = builder.dock_builder_split_node_py(above, imgui.Dir.down, STEP_SHARE)
    for entry in sorted(DOCKED, key=lambda entry: entry.tab):
        builder.dock_builder_dock_window(entry.title, places[entry.dock])
    builder.dock_builder_finish(dockspace_id)
