"""The gallery: presets with what to look at, reported pairs, and the articles' mistakes, each beside what is right."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from imgui_bundle import ImVec2, imgui

from ..io.presets import ReportedCase, presets, reported_cases
from ..state.panel_state import PanelState
from ..state.requests import Invoke, Load
from ..words.axis_words import full, number, plain
from .panel import Ask
from .text import copyable, em, explain, flow, say
from .viewport_top import VERDICT_WINDOW
from .widgets import FLOATING, drawn_height

if TYPE_CHECKING:
    from ..io.presets import ArticleCase

T = TypeVar("T")

PAD = 0.35
"""Air inside a card, ems."""


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    head, stop, _ = text.strip().partition(". ")
    return head + "." if stop else head


class Shelf(StrEnum):
    """What the gallery shows."""

    PRESETS = "Presets"
    REPORTED = "Reported"
    ARTICLES = "Published mistakes"


class PresetGallery:
    """A window beside the picture that stays open while one looks through the presets."""

    def __init__(self) -> None:
        self._filter = ""
        self.shelf = Shelf.PRESETS

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while `dialogs.presets` is set."""
        if not ui.dialogs.presets:
            return
        viewport = imgui.get_main_viewport()
        # At the right: the bodies stand at the left, and one wants to see them change.
        area = ui.viewport
        corner = ImVec2(area.x + area.width - em(), area.y + em() + drawn_height(VERDICT_WINDOW))
        imgui.set_next_window_pos(corner, imgui.Cond_.first_use_ever, ImVec2(1.0, 0.0))
        size = ImVec2(min(26.0 * em(), 0.9 * viewport.work_size.x), min(36.0 * em(), 0.8 * viewport.work_size.y))
        imgui.set_next_window_size(size, imgui.Cond_.first_use_ever)
        shown, still_open = imgui.begin("Presets###presets", True, FLOATING)
        if shown:
            imgui.set_next_item_width(-1.0)
            _, self._filter = imgui.input_text_with_hint("##filter", "Search", self._filter)
            for shelf in Shelf:
                if shelf is not Shelf.PRESETS:
                    flow(imgui.calc_text_size(shelf.value).x + 1.5 * imgui.get_frame_height())
                if imgui.radio_button(shelf.value, self.shelf is shelf):
                    self.shelf = shelf
            if imgui.begin_child("##cards"):
                self._draw_shelf(ui, ask)
            imgui.end_child()
        imgui.end()
        ui.dialogs.presets = bool(still_open)

    def _draw_shelf(self, ui: PanelState, ask: Ask) -> None:
        match self.shelf:
            case Shelf.PRESETS:
                found = self._matching((f"{c.title} {c.text} {c.group} {c.keywords}", c) for c in presets())
                for card, before in zip(found, (None, *found), strict=False):
                    if before is None or card.group != before.group:
                        imgui.separator_text(card.group)
                    if _card(card.id, card.title, first_sentence(card.text), card.id == ui.preset):
                        ask.append(Invoke(f"preset.{card.id}"))
                    explain(card.text)
            case Shelf.REPORTED:
                cases = reported_cases()
                for case in self._matching((f"{c.title} {c.source} {c.story} {c.lesson}", c) for c in cases):
                    _draw_case(ui, case, ask)
            case Shelf.ARTICLES:
                from ..io.presets import article_cases

                for mistake in self._matching(
                    (f"{c.system} {c.title} {c.scene.name} {c.why}", c) for c in article_cases()
                ):
                    _draw_article(ui, mistake, ask)

    def _matching(self, entries: Iterable[tuple[str, T]]) -> list[T]:
        """Those whose words hold what is searched for; says so where there are none."""
        found = [entry for words, entry in entries if self._filter.lower() in words.lower()]
        if not found:
            imgui.text_disabled("Nothing matches.")
        return found


def _draw_case(ui: PanelState, case: ReportedCase, ask: Ask) -> None:
    """One reported pair; the two answers stand under the one that is shown in the viewport."""
    current = ui.document.scene == case.scene
    if _card(case.id, case.title, case.source, current):
        ask.append(Load(case.scene, None, case.title))
    if not current:
        explain(case.story)
    else:
        imgui.indent(PAD * em())
        say(case.story)
        if case.lesson:
            say(case.lesson, ui.theme.dim_text)
        for wrong in case.wrong_today:
            say(f"Wrong today: {wrong}", ui.theme.overlap)
        exact, ours = case.answer.separation, ui.analysis.separation
        copyable(f"exact  {number(exact)}  {case.answer.state}", case.answer.digits, "exact separation", ask)
        copyable(f"ours    {number(ours)}  {ui.analysis.verdict}", full(ours), "our separation", ask)
        say(f"They differ by {plain(abs(exact - ours))}.", ui.theme.dim_text)
        imgui.unindent(PAD * em())


def _draw_article(ui: PanelState, case: ArticleCase, ask: Ask) -> None:
    """One mistake; both answers and the reason stand under the one whose scene is shown."""
    current = ui.document.scene == case.scene
    if _card(case.id, case.title, case.scene.name, current):
        ask.append(Load(case.scene, case.view, case.title))
    if not current:
        explain(case.why)
    else:
        imgui.indent(PAD * em())
        say(f"article  {case.article}", ui.theme.overlap)
        say(f"right  {case.right}")
        say(case.why, ui.theme.dim_text)
        imgui.unindent(PAD * em())


def _card(id_: str, title: str, below: str, current: bool) -> bool:
    """A title over a wrapped dim sentence, the whole of it one place to click."""
    width, pad = imgui.get_content_region_avail().x, PAD * em()
    inner = width - 2.0 * pad
    head = imgui.calc_text_size(title, False, inner).y
    tall = head + imgui.calc_text_size(below, False, inner).y + 2.5 * pad
    origin = imgui.get_cursor_screen_pos()
    imgui.push_id(id_)
    clicked, _ = imgui.selectable("##card", current, 0, ImVec2(width, tall))
    imgui.pop_id()
    draw, font, size = imgui.get_window_draw_list(), imgui.get_font(), imgui.get_font_size()
    ink, dim = imgui.get_color_u32(imgui.Col_.text), imgui.get_color_u32(imgui.Col_.text_disabled)
    left = origin.x + pad
    draw.add_text(font, size, ImVec2(left, origin.y + pad), ink, title, wrap_width=inner)
    draw.add_text(font, size, ImVec2(left, origin.y + 1.5 * pad + head), dim, below, wrap_width=inner)
    return bool(clicked)
