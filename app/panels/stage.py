"""Stage mode: a slide's words, the name of the key last pressed, the table of keys, and the black screen."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..state.panel_state import OnStage, PanelState
from ..state.requests import Invoke
from .panel import STAGE_WINDOW, Ask
from .text import em, sized, wrapped_at
from .viewport_top import MARGIN
from .widgets import OVERLAY, card

WORDS = 1.6
"""Size of the words beside other text, which is larger already: read from the last row."""
WIDEST = 0.9
"""Share of the viewport's width that the words take."""
KEYS = (
    ("PageDown  PageUp", "next slide, the one before"),
    ("→  ←", "a step on, a step back; a slide if no steps are open"),
    ("Space", "play the steps, pause"),
    ("B  .", "black screen"),
    ("F11", "full screen"),
    ("?", "these keys"),
    ("Esc", "leaves"),
)
_QUIET = OVERLAY | imgui.WindowFlags_.no_inputs


class Stage:
    """Over the picture, which keeps room for the words."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Nothing while the mode is off."""
        if ui.stage is None:
            return
        if ui.stage.black:
            size = imgui.get_io().display_size
            imgui.get_foreground_draw_list().add_rect_filled(ImVec2(0.0, 0.0), size, 0xFF000000)
            return
        _draw_words(ui, ask)
        _draw_echo(ui, ui.stage)
        if ui.stage.keys:
            _draw_keys(ui)


def _draw_words(ui: PanelState, ask: Ask) -> None:
    """What stands on the slide; while a question is asked also the button that answers it, then what is said of it."""
    words = ui.name_and_notes[1] if ui.log is not None and not ui.log.fault and not ui.log.away else ""
    asked = ui.asked
    if not words and asked is None:
        return
    area = ui.viewport
    at = ImVec2(area.x + 0.5 * area.width, area.y + area.height - MARGIN * em())
    widest = WIDEST * area.width
    with card(STAGE_WINDOW, at, ImVec2(0.5, 1.0), alpha=0.7, flags=_QUIET if asked is None else OVERLAY):
        with sized(WORDS):
            _write(words or ("" if asked is None else asked.question.text), widest)
        if asked is not None and asked.words:
            _write(asked.words, widest)
        if asked is not None and asked.open and imgui.button("Show the answer"):
            ask.append(Invoke("predict.show"))


def _write(words: str, widest: float) -> None:
    wide = min(imgui.calc_text_size(words).x, widest)
    with wrapped_at(imgui.get_cursor_pos_x() + wide + 1.0):
        imgui.text_unformatted(words)


def _draw_echo(ui: PanelState, stage: OnStage) -> None:
    if not stage.echo:
        return
    area = ui.viewport
    at = ImVec2(area.x + area.width - MARGIN * em(), area.y + MARGIN * em())
    with card("##stage key", at, ImVec2(1.0, 0.0), flags=_QUIET):
        imgui.text_unformatted(stage.echo)


def _draw_keys(ui: PanelState) -> None:
    area = ui.viewport
    at = ImVec2(area.x + 0.5 * area.width, area.y + 0.5 * area.height)
    with card("##stage keys", at, ImVec2(0.5, 0.5), alpha=0.96, flags=_QUIET):
        if imgui.begin_table("keys", 2, imgui.TableFlags_.sizing_fixed_fit):
            for keys, effect in KEYS:
                imgui.table_next_column()
                imgui.text_unformatted(keys)
                imgui.table_next_column()
                imgui.text_unformatted(effect)
            imgui.end_table()
