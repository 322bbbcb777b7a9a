"""Where the docked panels stand when nobody has moved them, all on the right, the table above."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from .registry import DOCKED
from .widgets import em

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
