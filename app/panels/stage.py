"""Stage mode: a slide's words, the name of the key last pressed, the table of keys, and the black screen."""

from __future__ import annotations

from functools import partial

from imgui_bundle import ImVec2, imgui

from ..stages import step_text
from ..state.ask import Ask
from ..state.panel_state import OnStage, PanelState
from .cards import OVERLAY, QUIET, Card
from .panel import STAGE_WINDOW
from .rows import Button, Flow, Own, Row, Words, command
from .text import em
from .viewport_top import MARGIN_EMS

WORDS_SCALE = 1.6
"""Size of the words relative to other text, which stage mode already enlarges: readable from the last row."""
LONG_TEXT, LONG_TEXT_SCALE = 110, 1.2
"""A step's sentences with more letters than LONG_TEXT have the size LONG_TEXT_SCALE: the picture needs the room."""
WIDEST_SHARE = 0.9
"""Largest width of the words, as a share of the viewport's."""
KEY_HELP = (
    ("PageDown  PageUp", "next slide, the one before"),
    ("→  ←", "a step on, a step back; a slide if no steps are open"),
    ("Space", "play the steps, pause"),
    ("B  .", "black screen"),
    ("F11", "full screen"),
    ("Ctrl++  Ctrl+−  Ctrl+0", "larger text, smaller, as it was"),
    ("?", "these keys"),
    ("Esc", "leaves"),
)


class StagePanel:
    """The words, keys and black screen of stage mode, over the picture, which leaves space for the words."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the black screen, or words, pressed key and table of keys; nothing while the mode is off."""
        if ui.stage is None:
            return
        if ui.stage.black:
            size = imgui.get_io().display_size
            imgui.get_foreground_draw_list().add_rect_filled(ImVec2(0.0, 0.0), size, 0xFF000000)
            return
        _draw_words(ui, ask)
        _draw_echo(ui, ui.stage, ask)
        if ui.stage.keys:
            _draw_keys(ui, ask)


def _draw_words(ui: PanelState, ask: Ask) -> None:
    """Draws the slide's text; while a question is asked also the button that answers it, then the explanation.

    At another step than the slide's, or without a slide, the step's own words take its place.
    """
    words = ui.name_and_notes[1] if ui.log is not None and not ui.log.fault and not ui.log.away else ""
    asked = ui.asked
    if asked is None and (ui.stepped or not words):
        rows = _words_of_step(ui)
    else:
        rows = [Words(words or ("" if asked is None else asked.question.text), size=WORDS_SCALE)]
    if not rows:
        return
    area = ui.viewport
    inner = WIDEST_SHARE * area.width
    if asked is not None and asked.words:
        rows.append(Words(asked.words))
    if asked is not None and asked.open:
        rows.append(Button("Show the answer", command("predict.show"), small=False))
    widest = inner + 2.0 * imgui.get_style().window_padding.x
    card = Card(STAGE_WINDOW, rows, widest, alpha=0.7, flags=QUIET if asked is None else OVERLAY)
    card.draw(ImVec2(area.x + 0.5 * area.width, area.y + area.height - MARGIN_EMS * em()), ask, (0.5, 1.0))


def _words_of_step(ui: PanelState) -> list[Row]:
    """The title and the sentences of the step shown, without its reasons; none while no steps are open."""
    if ui.query is None or ui.moment is None:
        return []
    text = step_text(ui.query, ui.moment, ui.part)
    size = WORDS_SCALE if len(text.decided) <= LONG_TEXT else LONG_TEXT_SCALE
    rows: list[Row] = [Words(text.title, ui.theme.dim_text), Words(text.decided or text.known, size=size)]
    if text.stop is not None:
        rows.append(Words(text.stop.meaning, size=LONG_TEXT_SCALE))
    return rows


def _draw_echo(ui: PanelState, stage: OnStage, ask: Ask) -> None:
    if not stage.echo:
        return
    area = ui.viewport
    at = ImVec2(area.x + area.width - MARGIN_EMS * em(), area.y + MARGIN_EMS * em())
    Card("##stage key", [Words(stage.echo)], 1e6, flags=QUIET).draw(at, ask, (1.0, 0.0))


def _draw_keys(ui: PanelState, ask: Ask) -> None:
    area = ui.viewport
    at = ImVec2(area.x + 0.5 * area.width, area.y + 0.5 * area.height)
    wide = max(imgui.calc_text_size(keys).x for keys, _ in KEY_HELP), imgui.get_text_line_height()
    rows = [Flow((Own(wide, partial(Words(keys).draw, wide[0])), Words(effect))) for keys, effect in KEY_HELP]
    Card("##stage keys", rows, 1e6, alpha=0.96, flags=QUIET).draw(at, ask, (0.5, 0.5))
