"""The glossary: every term defined in one sentence, with a button for its lesson."""

from __future__ import annotations

from imgui_bundle import imgui

from ..io.lesson_index import lesson_titles
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.glossary import Term, glossary
from .lesson_text import flow_text
from .panel import Docked
from .text import em, say


class Glossary(Docked):
    """The terms, with a search field above them."""

    def __init__(self) -> None:
        self._wanted = ""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the terms whose name, aliases or sentence contain the searched text."""
        imgui.set_next_item_width(-1.0)
        self._wanted = imgui.input_text_with_hint("##search", "Search the terms", self._wanted)[1]
        wanted = self._wanted.strip().casefold()
        titles = {lesson.id: lesson for lesson in lesson_titles()}
        shown = [term for term in glossary() if wanted in _searched(term)]
        for term in shown:
            say(", ".join((term.term, *term.aliases)), ui.theme.winner if wanted == term.term.casefold() else None)
            flow_text(term.sentence, ui, ask, rgba=ui.theme.dim_text)
            lesson = titles.get(term.lesson)
            if lesson is not None and imgui.small_button(f"Lesson {lesson.order} shows this##{term.term}"):
                ask.open_lesson(lesson.id)
            imgui.dummy(imgui.ImVec2(0.0, 0.15 * em()))
        if not shown:
            say("No term has these letters.", ui.theme.dim_text)


def _searched(term: Term) -> str:
    return " ".join((term.term, *term.aliases, term.sentence)).casefold()
