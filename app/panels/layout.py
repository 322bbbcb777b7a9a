"""Where the docked panels stand when nobody has moved them, all on the right, the table above; names of windows."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from .widgets import em

AXES_TITLE = "Axes"
BODIES_TITLE = "Bodies"
ANSWERS_TITLE = "Answers"
COMPARE_TITLE = "Side by side"
THROUGH_ZERO_TITLE = "Through zero"
KNOBS_TITLE = "Knobs"
EDGE_TOOLS_TITLE = "Edge cases"
STEP_TITLE = "Step"
PAIRS_TITLE = "Pairs"
ALGORITHM_TITLE = "Algorithm"
MOTION_TITLE = "Motion"
"""Names of the docked panels' windows; kept layouts know them by these."""

PROBE_WINDOW = "##probe"
"""The card of a probe."""
CARD_WINDOWS = (PROBE_WINDOW, "##free axis", "##knobs changed")
"""Cards over the panes, whose modules are imported late."""

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
    for title in (AXES_TITLE, PAIRS_TITLE, STEP_TITLE, COMPARE_TITLE, THROUGH_ZERO_TITLE, MOTION_TITLE):
        builder.dock_builder_dock_window(title, above)
    for title in (BODIES_TITLE, ANSWERS_TITLE, ALGORITHM_TITLE, KNOBS_TITLE, EDGE_TOOLS_TITLE):
        builder.dock_builder_dock_window(title, below)
    builder.dock_builder_finish(dockspace_id)


def dock_beside(neighbour: str) -> None:
    """The next window joins the tabs of `neighbour`, unless it has a place already: for layouts kept before it was."""
    known = imgui.internal.find_window_settings_by_id(imgui.internal.im_hash_str(neighbour))
    if known is not None and known.dock_id:
        imgui.set_next_window_dock_id(known.dock_id, imgui.Cond_.first_use_ever)
