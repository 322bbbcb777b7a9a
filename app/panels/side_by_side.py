"""Every method's answer beside the others, in double and single precision, and the articles' mistaken versions.

A sentence gives the size and reason of each difference; a click shows the step where it arises. The answers take 1 to
4 ms for polyhedra of few vertices. While the panel is visible, they are computed once for each pair and settings: in
every frame of a drag, or, if they take longer than LIVE_SECONDS, after the drag. Until then the panel says that it
still shows the previous pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import thread_time

from imgui_bundle import imgui
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.algorithm_settings import SETTING_NAMES, AlgorithmSettings, setting_at, with_setting
from core.analysis.analysis import Analysis
from core.query.query import Query, query
from core.study.lab.side_by_side import FLOAT64, IN_SINGLE, LAST, AnswerRow, Reason, articles_of, methods_of
from core.verdict import Provenance

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.playback import STOP, Playback, at_parting
from ..words.axis_words import known_words, provenance_words, shown_part
from ..words.digits import column_number, full, sentence_text
from ..words.quantities import QUANTITIES
from .algorithm_settings import setting_words
from .numbers import vector17
from .panel import Docked
from .single import draw_single
from .text import (
    ARTICLES_TITLE,
    coloured,
    draw_right,
    draw_sentence,
    em,
    explain,
    explain_row,
    hand,
    say,
    wrapped_at,
    write,
)
from .timeline import counter
from .widgets import HEAD_GAP, verdict_colour, verdict_mark

LIVE_SECONDS = 0.01
"""Seconds of processor time; if the last computation took longer, the next waits for the end of the drag."""
REASON_MARKS = {Reason.AGREES: "✓", Reason.BOUND: "≥", Reason.TIE: "↔"}
"""The mark before a number, so that the reason is not shown by colour alone; all other reasons have ≠."""
CALM = (Reason.BOUND, Reason.TIE, Reason.SETTING, Reason.TWO_VERDICTS, Reason.LIMIT)
"""Reasons of differences that are expected, or that a setting causes."""


class SideBySide(Docked):
    """The docked panel: every method's answer beside the others; outside of lessons the articles' answers too."""

    def __init__(self) -> None:
        self._of: tuple[Analysis, AlgorithmSettings] | None = None
        self._query: Query | None = None
        self._methods: tuple[AnswerRow, ...] = ()
        self._articles: tuple[AnswerRow, ...] = ()
        self._articles_of: Query | None = None
        self._too_slow = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the table, then every difference in words, then the articles."""
        waits = self._too_slow and ui.document.preview is not None
        if not (ui.analysis.beyond_limits or waits) or self._query is None:
            self._compute(ui)
        self._draw(ui, self._query is None or not self._query.analysis.same_as(ui.analysis), ask)

    def _compute(self, ui: PanelState) -> None:
        """Computes the methods' answers again if the pair or the settings have changed."""
        known = self._of
        if known is not None and known[0].same_as(ui.analysis) and known[1] == ui.algorithm_settings:
            return
        since = thread_time()
        self._of = (ui.analysis, ui.algorithm_settings)
        self._query = ui.query if ui.query is not None else query(ui.analysis, ui.algorithm_settings)
        self._methods = methods_of(self._query)
        self._too_slow = thread_time() - since > LIVE_SECONDS

    def _compute_articles(self, ui: PanelState) -> None:
        """Computes the articles' answers; during a drag only if they are visible."""
        seen = imgui.get_cursor_screen_pos().y < imgui.get_window_pos().y + imgui.get_window_height()
        if self._articles_of is self._query or not (seen or ui.document.preview is None):
            return
        assert self._query is not None
        since = thread_time()
        self._articles_of, self._articles = self._query, articles_of(self._query)
        self._too_slow |= thread_time() - since > LIVE_SECONDS

    def _draw(self, ui: PanelState, late: bool, ask: Ask) -> None:
        asked = self._query
        assert asked is not None
        imgui.begin_disabled(late)
        _draw_reference(asked.analysis, ui.theme)
        if late:
            say("Still the previous pair: this is updated when all answers are computed.", ui.theme.dim_text)
        go = Go(ui, asked, ask)
        _draw_table(self._methods, ui.theme, go)
        draw_single(ui, asked, self._methods, ask)
        differing = [row for row in self._methods if not row.agrees]
        _draw_sentences("Differences and their reasons", differing, ui.theme, go)
        if not differing:
            say("None: all methods that apply agree.")
        if ui.lesson is None:
            self._compute_articles(ui)
        if self._articles and ui.lesson is None:
            wrong = [row for row in self._articles if not row.agrees]
            _draw_sentences(ARTICLES_TITLE, wrong, ui.theme, go)
            draw_right([heading(row) for row in self._articles if row.agrees], len(wrong), "this pair", ui.theme)
        imgui.end_disabled()


class Go(Struct, frozen=True, eq=False):
    """A click on a row: shows the step where the row's answer arises, or closes the steps to show the answer."""

    ui: PanelState
    asked: Query
    ask: Ask

    def words(self, row: AnswerRow) -> str:
        """The tooltip's last lines: what a click does, or that no step shows the row; "" if neither applies."""
        if not row.applies:
            return ""
        if row.phase is None:
            shown = "" if row.article else "No step shows this: it is compared with the answer itself."
            return f"{shown}\nClick to go from the steps back to the answer" if self.possible(row) else shown
        dimension = self.asked.analysis.scene.dimension
        turned = [f"{SETTING_NAMES[path]} {setting_words(value, dimension)}" for path, value in self._unmet(row)]
        if self._unmet(row) == list(IN_SINGLE):
            return "Click to step through it in single precision, from where it differs from double's"
        if turned:
            return f"Click to go to the step where it arises, with the setting {' and '.join(turned)}"
        place = self._place(row)
        return "" if place is None else f"Click to go to {counter(self.asked.moments[place])}"

    def possible(self, row: AnswerRow) -> bool:
        """Whether a click does anything."""
        if row.phase is None:
            return row.applies and not row.article and self.ui.query is not None
        return row.applies and (bool(self._unmet(row)) or self._place(row) is not None)

    def __call__(self, row: AnswerRow) -> None:
        """Does what `words` describes, if `possible`."""
        if not self.possible(row):
            return
        settings, playback, unmet = self.ui.algorithm_settings, stepped_to(self.ui.playback, row), self._unmet(row)
        for path, value in unmet:
            settings = with_setting(settings, path, value)
        if unmet == list(IN_SINGLE):
            playback = at_parting(playback, query(self.asked.analysis, settings))
        if settings != self.ui.algorithm_settings:
            self.ask.tune(settings)
        self.ask.play(playback)

    def _unmet(self, row: AnswerRow) -> list[tuple[str, object]]:
        return [(path, value) for path, value in row.needs if setting_at(self.ui.algorithm_settings, path) != value]

    def _place(self, row: AnswerRow) -> int | None:
        """Place of the row's step among the query's moments; None if the query lacks the row's phase."""
        for phase, first, count in self.asked.phases:
            if phase is row.phase:
                return first + (count - 1 if row.index == LAST else min(row.index, count - 1))
        return None


def stepped_to(playback: Playback, row: AnswerRow) -> Playback:
    """The playback, paused, with the timeline open at the row's step; closed if the row has no phase."""
    if row.phase is None:
        return replace(playback, open=False, playing=False)
    return replace(playback, open=True, phase=row.phase, index=STOP if row.index == LAST else row.index, playing=False)


def _draw_reference(analysis: Analysis, theme: Theme) -> None:
    verdict_mark(analysis.verdict, theme)
    imgui.same_line(0.0, HEAD_GAP * em())
    write(column_number(analysis.separation), verdict_colour(analysis.verdict, theme))
    explain(
        f"{full(analysis.separation)}\nThe answer that all others are compared with: the signed separation in scene "
        "units, positive when apart."
    )
    imgui.same_line()
    with wrapped_at(), coloured(theme.dim_text):
        imgui.text_unformatted(f"is the answer, {known_words(analysis)}")


def _draw_table(rows: Sequence[AnswerRow], theme: Theme, go: Go) -> None:
    flags = imgui.TableFlags_.borders_inner_h | imgui.TableFlags_.sizing_stretch_same
    if not imgui.begin_table("answers", 3, flags):
        return
    name = max(imgui.calc_text_size(row.method).x for row in rows)
    imgui.table_setup_column("method", imgui.TableColumnFlags_.width_fixed, name)
    imgui.table_setup_column("float64")
    imgui.table_setup_column("float32")
    imgui.table_headers_row()
    for row in rows:
        if row.precision == FLOAT64:
            imgui.table_next_row()
            imgui.table_next_column()
            imgui.text_unformatted(row.method)
        imgui.table_next_column()
        imgui.push_id(f"{row.method} {row.precision}")
        _draw_cell(row, theme, go)
        imgui.pop_id()
    imgui.end_table()


def _draw_cell(row: AnswerRow, theme: Theme, go: Go) -> None:
    """Draws the number with its mark; a verdict of the row's own is in the tooltip."""
    room = imgui.get_content_region_avail().x
    shown = next((words for words in shorter_words(row) if imgui.calc_text_size(words).x <= room), "…")
    with coloured(ink(row, theme)):
        if not row.applies:
            imgui.text_unformatted("–")
        elif not go.possible(row):
            imgui.text_unformatted(shown)
        elif imgui.selectable(shown, False)[0]:
            go(row)
    if imgui.is_item_hovered(imgui.HoveredFlags_.allow_when_disabled):
        explain_row(_tooltip(row, go))


def cell_words(row: AnswerRow) -> str:
    """The text of a cell: `✓ −0.313120`, `≥ +0.300000`, `≠ no number`."""
    shown = "no number" if row.separation is None else column_number(row.separation)
    return f"{REASON_MARKS.get(row.reason, '≠')} {shown}"


def shorter_words(row: AnswerRow) -> Iterator[str]:
    """`cell_words`, then shorter texts for a narrow column: with fewer digits, at last the mark alone."""
    yield cell_words(row)
    mark = REASON_MARKS.get(row.reason, "≠")
    if (value := row.separation) is not None:
        yield from (f"{mark} {column_number(value, digits)}" for digits in range(5, 1, -1))
    yield mark


def ink(row: AnswerRow, theme: Theme) -> Rgba:
    """The colour of the row's text: the theme's text if it agrees, faint if it does not apply.

    The winner's colour for a difference of one of the CALM reasons, the overlap's for any other.
    """
    if not row.applies:
        return faded(theme.dim_text, 0.7)
    if row.agrees:
        return theme.text
    return theme.winner if row.reason in CALM else theme.overlap


def _tooltip(row: AnswerRow, go: Go) -> str:
    lines = [sentence_text(row.words), *reported(row, go.asked.analysis)]
    if row.verdict is not None:
        lines.append(str(row.verdict))
    if row.difference:
        lines.append(f"{full(row.difference)} from the answer")
    if row.certainty is not None and row.certainty.provenance is not Provenance.FALLBACK:
        lines.append(provenance_words(row.certainty))
    if row.stop:
        lines.append(f"{row.stop} after {row.iterations or 0} iterations")
    return "\n".join(line for line in (*lines, go.words(row)) if line)


def reported(row: AnswerRow, analysis: Analysis) -> Iterator[str]:
    """Title and full value of each of `QUANTITIES` that the row has."""
    for quantity in QUANTITIES:
        value = getattr(row, quantity.key, None)
        if value is not None:
            shown = full(value) if isinstance(value, float) else vector17(shown_part(analysis, value))
            yield f"{quantity.title} {shown}"


def _draw_sentences(title: str, rows: list[AnswerRow], theme: Theme, go: Go) -> None:
    imgui.separator_text(title)
    for number_, row in enumerate(rows):
        imgui.push_id(f"{title} {number_}")
        draw_sentence(heading(row), sentence_text(row.words), ink(row, theme))
        if go.possible(row):
            hand()
            explain_row(go.words(row))
            if imgui.is_item_clicked():
                go(row)
        imgui.dummy(imgui.ImVec2(0.0, 0.15 * em()))
        imgui.pop_id()


def heading(row: AnswerRow) -> str:
    """The title of a row: `Depth by the two middle ends`, `GJK and EPA, float32: rounding`."""
    return row.method if row.article else f"{row.method}, {row.precision}: {row.reason}"
