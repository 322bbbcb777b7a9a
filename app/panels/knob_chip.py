"""A chip over the viewport that names every changed knob, so that no step is taken for what the defaults would do."""

from __future__ import annotations

from imgui_bundle import ImVec2, ImVec4, imgui

from core.analysis.knobs import DEFAULT_KNOBS, ChangedKnob, acting, changed_knobs

from ..draw.theme import mixed, readable_on
from ..state.panel_state import PanelState
from ..state.requests import Tune
from .knob_words import value_words
from .panel import Ask
from .verdict_bar import MARGIN, VERDICT_WINDOW
from .widgets import OVERLAY, drawn_height, em, explain, hand, wrapped_at

CHIP_WINDOW = "##knobs changed"
PANE_TITLE_EMS = 1.9
"""Room for the panes' names above the chip."""


class KnobChip:
    """At the top left under the verdict, in the colour of what stands out; a click puts every knob back."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing while all knobs that act on the scene stand at their defaults."""
        dimension = ui.document.scene.dimension
        changed = changed_knobs(acting(ui.knobs, dimension))
        if not changed:
            return
        area, margin = ui.viewport, MARGIN * em()
        below = 2.0 * margin + drawn_height(VERDICT_WINDOW) + PANE_TITLE_EMS * em()
        ground = mixed(ui.theme.winner, ui.theme.background_top, 0.1)
        imgui.set_next_window_pos(ImVec2(area.x + margin, area.y + below), imgui.Cond_.always)
        imgui.push_style_color(imgui.Col_.window_bg, ImVec4(*ground[:3], 0.95))
        imgui.push_style_color(imgui.Col_.text, ImVec4(*readable_on(ground)))
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0.7 * em(), 0.35 * em()))
        if imgui.begin(CHIP_WINDOW, None, OVERLAY)[0]:
            inner = max(8.0 * em(), area.width - 4.0 * margin)
            imgui.begin_group()
            with wrapped_at(imgui.get_cursor_pos_x() + inner):
                imgui.text_unformatted(chip_words(changed, dimension))
            imgui.end_group()
            hand()
            if imgui.is_item_clicked():
                ask.append(Tune(DEFAULT_KNOBS))
            imgui.push_style_color(imgui.Col_.text, ImVec4(*ui.theme.text))
            explain("The steps and the answers side by side are computed so. Click: all knobs to their defaults.")
            imgui.pop_style_color()
        imgui.end()
        imgui.pop_style_var()
        imgui.pop_style_color(2)


def chip_words(changed: tuple[ChangedKnob, ...], dimension: int = 3) -> str:
    """`Knobs changed: EPA iteration limit 2, curved shapes as full support  ×`; directions have `dimension` parts."""
    values = [knob.value[:dimension] if isinstance(knob.value, tuple) else knob.value for knob in changed]
    listed = ", ".join(f"{knob.name} {value_words(value)}" for knob, value in zip(changed, values, strict=True))
    return f"{'Knob' if len(changed) == 1 else 'Knobs'} changed: {listed}   ×"
