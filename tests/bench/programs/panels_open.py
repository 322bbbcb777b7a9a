"""Every panel of our window opened at once, each docked panel in a place of its own, so that no tab hides its work."""

from __future__ import annotations

from typing import Any

from separatrix_frame import draw, settle  # isort: skip - the order counts there

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from app.application import Application

VIEWPORT = 0.37
"""Share of the window's width that is left for the pictures: the panels want three columns."""

COLUMNS = (
    ("Axes", "Step", "Algorithm"),
    ("Side by side", "Through zero", "Answers", "Pairs"),
    ("Bodies", "Settings", "Edge cases", "Motion"),
)
"""Every docked panel; those that a scene has no use for leave their room to the others in the column."""


def spread(dockspace: int, size: tuple[float, float]) -> None:
    """Docks every panel by itself, in three columns."""
    builder = imgui.internal
    builder.dock_builder_remove_node(dockspace)
    builder.dock_builder_add_node(dockspace, builder.DockNodeFlagsPrivate_.dock_space.value)
    builder.dock_builder_set_node_pos(dockspace, imgui.get_main_viewport().work_pos)
    builder.dock_builder_set_node_size(dockspace, ImVec2(*size))
    _, rest, _ = builder.dock_builder_split_node_py(dockspace, imgui.Dir.right, 1.0 - VIEWPORT)
    for left in range(len(COLUMNS), 0, -1):
        column = rest
        if left > 1:
            _, column, rest = builder.dock_builder_split_node_py(rest, imgui.Dir.left, 1.0 / left)
        titles = COLUMNS[len(COLUMNS) - left]
        for below in range(len(titles), 0, -1):
            place = column
            if below > 1:
                _, place, column = builder.dock_builder_split_node_py(column, imgui.Dir.up, 1.0 / below)
            builder.dock_builder_dock_window(titles[len(titles) - below], place)
    builder.dock_builder_finish(dockspace)


def visible() -> list[str]:
    """Titles of the docked panels that were drawn in the last frame, and not behind another one's tab."""
    return [name for name, window in _drawn().items() if not window.hidden]


def hidden() -> list[str]:
    """Titles of those that stand behind another one's tab."""
    return [name for name, window in _drawn().items() if window.hidden]


def _drawn() -> dict[str, Any]:
    found = {name: imgui.internal.find_window_by_name(name) for column in COLUMNS for name in column}
    return {name: window for name, window in found.items() if window is not None and window.was_active}


def open_panels(application: Application, how: str) -> None:
    """Every panel, and a finished plot through zero. `how`: `spread`, `tabs` as they open, or `none`."""
    everything = how != "none"
    application.ask.configure(replace(application.preferences.settings, panels=everything, algorithm=everything))
    for name in ("compare", "knobs", "edge_tools", "through_zero"):
        application.dialogs.dock(name, shown=everything)
    if how == "spread":
        application.host._build_layout = spread
        application.host.restore_default_layout()
    settle(application)
    if everything and not application.work.flat:
        plot(application)
    settle(application)


def plot(application: Application) -> None:
    """Samples B's way through A to the end."""
    panel: Any = next(p for p in application.panels if p.spec.name == "through_zero").panel
    panel._begin(application.panel_state(), [])
    while panel._steps is not None:
        draw(application)
