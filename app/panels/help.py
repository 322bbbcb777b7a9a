"""Mouse and keys, and what one is looking at. Both come from the tables that are acted on, so what is listed works."""

from __future__ import annotations

from imgui_bundle import imgui

from ..input.bindings import mouse_help
from ..state.panel_state import PanelState
from .menu_bar import grouped
from .panel import Ask
from .widgets import FLOATING, centred, em, say

PICTURE = (
    "On the left are two convex bodies, A and B. The separating axis theorem projects both onto a handful of candidate "
    "axes. If the two intervals miss each other on one axis, the bodies are apart, and that axis proves it; if they "
    "overlap on every axis, the bodies overlap, and the axis of least overlap is the shortest way out.",
    "On the right is the Minkowski difference A − B: every point of A minus every point of B. The bodies meet exactly "
    "when it holds the origin. Each pair of its opposite faces is one candidate axis, and the depth is the origin's "
    "distance to the nearest face: the same axis, the same number, seen from the other side.",
    "Of bodies that move, t runs from 0 to 1. As long as neither turns A − B stays as it is, and the origin moves "
    "through it instead: they first meet where its path enters A − B.",
    "Separation is signed: positive apart, negative overlapping, in scene units. Touching is a thin band about zero.",
)
"""What am I looking at, a paragraph for each kind of thing."""


class Help:
    """A window over the viewport."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Shown while `dialogs.help` is set."""
        if not ui.dialogs.help:
            return
        centred(44.0, 44.0)
        shown, still_open = imgui.begin("Mouse and keys###help", True, FLOATING)
        if shown:
            imgui.separator_text("What you see")
            for paragraph in PICTURE:
                say(paragraph)
            imgui.separator_text("Mouse")
            _draw_rows("mouse", mouse_help())
            for group, commands in grouped(ui.commands).items():
                rows = tuple(("  ".join(c.keys), c.title) for c in commands if c.keys)
                if rows:
                    imgui.separator_text(group)
                    _draw_rows(group, rows)
        imgui.end()
        ui.dialogs.help = bool(still_open)


def _draw_rows(name: str, rows: tuple[tuple[str, str], ...]) -> None:
    if not imgui.begin_table(name, 2, imgui.TableFlags_.row_bg):
        return
    width = min(15.5 * em(), 0.45 * imgui.get_content_region_avail().x)
    imgui.table_setup_column("input", imgui.TableColumnFlags_.width_fixed, width)
    imgui.table_setup_column("effect", imgui.TableColumnFlags_.width_stretch)
    for left, right in rows:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_wrapped(left)
        imgui.table_next_column()
        imgui.text_wrapped(right)
    imgui.end_table()
