"""The gallery of presets: each with its name and the first sentence on what to look at."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..panel_state import PanelState, PresetCard
from ..requests import Invoke
from .panel import Ask
from .widgets import FLOATING, em, explain


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    head, stop, _ = text.strip().partition(". ")
    return head + "." if stop else head


class PresetGallery:
    """A window beside the picture that stays open while one looks through the presets."""

    def __init__(self) -> None:
        self._filter = ""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while `dialogs.presets` is set."""
        if not ui.dialogs.presets:
            return
        viewport = imgui.get_main_viewport()
        left = ImVec2(viewport.work_pos.x + em(), viewport.work_pos.y + 3.6 * em())
        imgui.set_next_window_pos(left, imgui.Cond_.first_use_ever)
        size = ImVec2(min(26.0 * em(), 0.9 * viewport.work_size.x), min(36.0 * em(), 0.8 * viewport.work_size.y))
        imgui.set_next_window_size(size, imgui.Cond_.first_use_ever)
        shown, still_open = imgui.begin("Presets###presets", True, FLOATING)
        if shown:
            imgui.set_next_item_width(-1.0)
            _, self._filter = imgui.input_text_with_hint("##filter", "Search", self._filter)
            self._draw_cards(ui, ask)
        imgui.end()
        ui.dialogs.presets = bool(still_open)

    def _draw_cards(self, ui: PanelState, ask: Ask) -> None:
        wanted = self._filter.lower()
        cards = [c for c in ui.presets if wanted in f"{c.title} {c.text} {c.group}".lower()]
        if not cards:
            imgui.text_disabled("Nothing matches.")
        group = None
        for card in cards:
            if card.group != group:
                group = card.group
                imgui.separator_text(group)
            _draw_card(card, card.id == ui.preset, ask)


def _draw_card(card: PresetCard, current: bool, ask: Ask) -> None:
    """The whole card is one place to click; its height follows its wrapped sentence."""
    sentence = first_sentence(card.text)
    width = imgui.get_content_region_avail().x
    pad = 0.35 * em()
    tall = imgui.calc_text_size(sentence, False, width - 2.0 * pad).y + imgui.get_text_line_height() + 2.5 * pad
    imgui.push_id(card.id)
    at = imgui.get_cursor_pos()
    clicked, _ = imgui.selectable("##card", current, 0, ImVec2(width, tall))
    explain(card.text)
    if clicked:
        ask.append(Invoke(f"preset.{card.id}"))
    after = imgui.get_cursor_pos()
    imgui.set_cursor_pos(ImVec2(at.x + pad, at.y + pad))
    imgui.text_unformatted(card.title)
    imgui.set_cursor_pos(ImVec2(at.x + pad, at.y + 1.5 * pad + imgui.get_text_line_height()))
    imgui.push_text_wrap_pos(at.x + width - pad)
    imgui.text_disabled(sentence)
    imgui.pop_text_wrap_pos()
    imgui.set_cursor_pos(after)
    imgui.dummy(ImVec2(0.0, 0.0))
    imgui.pop_id()
