"""Every panel, one row each, in the order of drawing: a card comes after those that it makes room for.

A new panel needs only its file and its row. For a docked panel the row also gives the command that opens it, its menu,
its default place, its saved state, and the part of the answer that it shows. A panel's module is imported when it first
opens. By default the docked panels are on the right, with the axis table at the top.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from imgui_bundle import ImVec2, imgui

from core.analysis.algorithm_settings import DEFAULT_SETTINGS

from ..state.panel_state import PanelState
from . import viewport_top
from .panel import Opens, PanelSpec
from .step_room import STEP_SHARE
from .text import em

WIDE_EMS = 64.0
"""In a window narrower than this, ems, a question hides the step card, since the picture needs the space."""


def motion_stands(ui: PanelState) -> bool:
    """Whether the bodies' motion is shown."""
    return ui.view.shows_motion(ui.document.scene)


def docked(
    name: str,
    panel: str,
    title: str,
    dock: str,
    tab: int,
    wanted: Callable[[PanelState], bool] = lambda _ui: True,
    **known: Any,
) -> PanelSpec:
    """The row of a docked panel that is shown while the side is shown (`Settings.panels`) and the panel is `wanted`.

    `tab`: 0 for the window whose tabs the others of the dock join; the rest is as in PanelSpec.
    """
    return PanelSpec(
        name, panel, lambda ui: ui.settings.panels and wanted(ui), title=title, dock=dock, tab=tab, **known
    )


def opened_panel(
    name: str, panel: str, title: str, dock: str, tab: int, opens: Opens, *, lesson: tuple[str, ...] = (), **known: Any
) -> PanelSpec:
    """The row of a docked panel that a command opens; a lesson's step shows it if it lists a name of `lesson`."""
    return docked(
        *(name, panel, title, dock, tab, lambda ui: opens.id in ui.dialogs.docked),
        opens=opens,
        front=True,
        lesson=lesson,
        **known,
    )


COMPARE = Opens(
    "compare", "Answers side by side", "Compare every method in double and single precision, and the published versions"
)
ALGORITHM_SETTINGS = Opens("knobs", "Algorithm settings", "Tolerances, limits and methods, live")
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

PANELS = (
    PanelSpec("menu_bar", "app.panels.menu_bar:MenuBar", bar=True),
    PanelSpec("lesson_card", "app.panels.lesson_card:LessonCard", lambda ui: ui.lesson is not None, bar=True),
    PanelSpec("timeline", "app.panels.timeline:Timeline", lambda ui: ui.query is not None, bar=True),
    PanelSpec("motion_bar", "app.panels.motion_bar:MotionBar", motion_stands, bar=True),
    PanelSpec(
        "verdict_bar",
        "app.panels.viewport_top:VerdictBar",
        tells="verdict",
        instead="app.panels.question:WithoutVerdict",
    ),
    PanelSpec("pane_titles", "app.panels.viewport_top:PaneTitles"),
    PanelSpec(
        "waiting_note",
        "app.panels.viewport_top:WaitingNote",
        lambda ui: bool(ui.analysis.beyond_limits) or ui.analysis.contacts_earlier,
    ),
    PanelSpec("hint_line", "app.panels.viewport_bottom:HintLine", lesson=()),
    PanelSpec("map_card", "app.panels.viewport_top:MapCard", viewport_top.map_stands, dimension=3),
    PanelSpec(
        "changed_settings",
        "app.panels.algorithm_settings:ChangedSettingsChip",
        lambda ui: ui.algorithm_settings != DEFAULT_SETTINGS,
        lesson=(),
    ),
    PanelSpec("picture_fault", "app.panels.viewport_bottom:PictureFault", lambda ui: ui.picture_fault, on_stage=True),
    PanelSpec("log_stepper", "app.panels.viewport_bottom:LogStepper", lambda ui: ui.log is not None, lesson=()),
    # The notes may give the answer away, and the question's card takes their place.
    PanelSpec("notes", "app.panels.viewport_bottom:Notes", yields=lambda _ui: True, lesson=()),
    PanelSpec("question_card", "app.panels.question:QuestionCard", lambda ui: ui.asked is not None, lesson=()),
    PanelSpec("notices", "app.panels.viewport_bottom:NoticesCard", on_stage=True),
    PanelSpec("stage", "app.panels.stage:StagePanel", lambda ui: ui.stage is not None, on_stage=True),
    PanelSpec("free_axis_card", "app.panels.probe:FreeAxisCard", lambda ui: ui.view.free is not None),
    PanelSpec("probe_card", "app.panels.probe:ProbeCard", lambda ui: ui.view.probe is not None, dimension=3),
    PanelSpec("frame_times", "app.panels.viewport_top:FrameTimes", lambda ui: ui.settings.show_frame_times),
    opened_panel(
        "side_by_side",
        "app.panels.side_by_side:SideBySide",
        "Side by side",
        "above",
        3,
        COMPARE,
        tells="answers",
        lesson=("side_by_side",),
    ),
    opened_panel(
        "algorithm_settings",
        "app.panels.algorithm_settings:AlgorithmSettingsPanel",
        "Settings",
        "below",
        3,
        ALGORITHM_SETTINGS,
        lesson=("settings",),
    ),
    opened_panel(
        "edge_tools", "app.panels.edge_tools:EdgeTools", "Edge cases", "below", 4, EDGE_TOOLS, lesson=("edge_tools",)
    ),
    opened_panel(
        "through_zero",
        "app.panels.through_zero:ThroughZero",
        "Through zero",
        "above",
        4,
        THROUGH_ZERO,
        tells="answers",
        lesson=("through_zero",),
    ),
    opened_panel(
        "contact_times",
        "app.panels.contact_times:ContactTimesPanel",
        "Contacts",
        "above",
        6,
        CONTACT_TIMES,
        tells="answers",
    ),
    opened_panel("engines", "app.panels.engines:EnginesPanel", "Engines", "above", 8, ENGINES, tells="answers"),
    opened_panel("sources", "app.panels.sources:Sources", "Sources", "below", 5, SOURCES),
    opened_panel("glossary", "app.panels.glossary:Glossary", "Glossary", "below", 6, GLOSSARY),
    docked(
        "motion_panel",
        "app.panels.motion:MotionPanel",
        "Motion",
        "above",
        5,
        motion_stands,
        front=True,
        close=lambda _ui, ask: ask.invoke("motion.show"),
        lesson=("motion",),
    ),
    opened_panel("deck", "app.panels.deck:DeckPanel", "Deck", "above", 7, DECK),
    docked("bodies", "app.panels.bodies:Bodies", "Bodies", "below", 0, lesson=("bodies",)),
    docked("answers", "app.panels.answers:AnswersPanel", "Answers", "below", 1, tells="answers", lesson=("answers",)),
    docked(
        "vertex_pairs",
        "app.panels.answers:VertexPairs",
        "Pairs",
        "above",
        1,
        lambda ui: ui.analysis.polygon is not None,
        dimension=2,
        behind=True,
        tells="pairs",
        lesson=("pairs",),
    ),
    # Both rows below are shown with the steps, even without the side.
    PanelSpec(
        "algorithm",
        "app.panels.step_card:Algorithm",
        lambda ui: ui.moment is not None and ui.settings.algorithm,
        title="Algorithm",
        dock="below",
        tab=2,
        lesson=(),
    ),
    PanelSpec(
        "step_card",
        "app.panels.step_card:StepCard",
        lambda ui: ui.moment is not None,
        title="Step",
        dock="step",
        tab=2,
        front=True,
        tells="steps",
        lesson=("step", "words", "bounds"),
        yields=lambda _ui: bool(imgui.get_main_viewport().size.x < WIDE_EMS * em()),
    ),
    # Last of the docked panels: when a window closes, imgui gives the focus to the last one and shows its tab.
    docked(
        "axis_table",
        "app.panels.axis_table:AxisTable",
        "Axes",
        "above",
        0,
        tells="table",
        instead="app.panels.question:AxesToChoose",
        lesson=("axes",),
    ),
    PanelSpec("preset_gallery", "app.panels.preset_gallery:PresetGallery", lambda ui: ui.dialogs.presets),
    PanelSpec("help", "app.panels.dialogs:Help", lambda ui: ui.dialogs.help),
    PanelSpec("view_options", "app.panels.view_options:ViewOptions", lambda ui: ui.dialogs.settings),
    PanelSpec("screenshot", "app.panels.screenshot:ScreenshotPanel", lambda ui: ui.dialogs.screenshot),
    PanelSpec("film", "app.panels.film:FilmPanel", lambda ui: ui.dialogs.film),
    PanelSpec("paste_pair", "app.panels.paste_pair:PastePair", lambda ui: ui.dialogs.paste),
    PanelSpec("file_browser", "app.panels.file_browser:FileBrowser", lambda ui: ui.dialogs.open or ui.dialogs.naming),
    PanelSpec("about", "app.panels.dialogs:About", lambda ui: ui.dialogs.about),
    PanelSpec("palette", "app.panels.dialogs:PaletteDialog", lambda ui: ui.dialogs.palette),
    PanelSpec("picture_progress", "app.panels.screenshot:PictureProgress", lambda ui: ui.picture is not None),
    PanelSpec("film_progress", "app.panels.film:FilmProgress", lambda ui: ui.film is not None),
    PanelSpec("loading", "app.panels.film:LoadingProgress", lambda ui: ui.loading is not None),
    PanelSpec("question", "app.panels.dialogs:QuestionDialog", lambda ui: ui.pending is not None, on_stage=True),
)


DOCKED = tuple(panel for panel in PANELS if panel.title)
"""The docked panels, in drawing order."""
SIDE_EMS = 27.0
"""Width of the docked side, ems, in a window wide enough for it."""
SIDE_SHARE = 1.0 / 3.0
"""Largest share of a narrower window for the side, unless SIDE_LEAST needs more."""
SIDE_LEAST, SIDE_MOST = 16.0, 0.4
"""Least width of the side, ems, and the largest share of the window that this may take."""
TABLE_SHARE = 0.56
"""Share of the side's height for the axis table; table and step card together get more (step_room.py)."""
HIGH_EMS = 46.0
"""A side at least this high, ems, has room for the table, the step card and the bodies one below the other."""


def build_default_layout(dockspace_id: int, size: tuple[float, float]) -> None:
    """Builds the default layout of a dock space of `size`, imgui's units; called in a frame before the dock space."""
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
    for panel in sorted(DOCKED, key=lambda panel: panel.tab):
        builder.dock_builder_dock_window(panel.title, places[panel.dock])
    builder.dock_builder_finish(dockspace_id)
