"""The articles' mistakes about the motion shown, beside what is right; a click shows the bodies at a mistaken time.

Of two boxes it takes 2 ms: computed once for each motion, while nothing is dragged.
"""

from __future__ import annotations

from imgui_bundle import imgui
from msgspec.structs import replace

from core.analysis.motion_answers import SweepAnswer
from core.articles import ArticleAnswer, motion_articles

from ..state.panel_state import PanelState
from ..state.requests import Look
from .article_rows import ARTICLES_TITLE, draw_right, draw_sentence
from .panel import Ask
from .widgets import em, explain, hand, say


class MotionArticles:
    """The last part of the panel of the motion."""

    def __init__(self) -> None:
        self._of: SweepAnswer | None = None
        self._answers: tuple[ArticleAnswer, ...] = ()

    def draw(self, ui: PanelState, sweep: SweepAnswer, ask: Ask) -> None:
        """Those that are wrong with their reasons, and how many are right; nothing where none is about such bodies."""
        dragged = ui.document.preview is not None
        if self._of is not sweep and not dragged:
            self._of, self._answers = sweep, motion_articles(ui.document.scene, sweep)
        if not self._answers:
            return
        imgui.separator_text(ARTICLES_TITLE)
        late = self._of is not sweep
        imgui.begin_disabled(late)
        if late:
            say("Of the motion before: this follows when you let go.", ui.theme.dim_text)
        wrong = [answer for answer in self._answers if not answer.right]
        for answer in wrong:
            _draw_wrong(ui, answer, ask)
        right = [answer.title for answer in self._answers if answer.right]
        draw_right(right, len(wrong), "this motion", ui.theme)
        imgui.end_disabled()


def _draw_wrong(ui: PanelState, answer: ArticleAnswer, ask: Ask) -> None:
    draw_sentence(answer.title, answer.words, ui.theme.overlap)
    if answer.time is not None:
        hand()
        explain("Click: the bodies at that time")
        if imgui.is_item_clicked():
            ask.append(Look(replace(ui.view, time=answer.time)))
    imgui.dummy(imgui.ImVec2(0.0, 0.15 * em()))
