"""The card of the shown step: the texts So far, This step and Why, the bounds, the formulas with numbers, the stop.

The panel Algorithm lists the algorithm of the step's phase in about a dozen lines, and marks the line at which the step
ended.
"""

from __future__ import annotations

from functools import partial

from imgui_bundle import ImVec2, imgui

from core.query.query import Moment, Phase, Query

from ..draw.theme import faded
from ..stages import part_of, spec_of, stage_of, step_text
from ..stages.stage import At
from ..stages.word_parts import StepText, Stop
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.view import WHOLE
from ..words.digits import Digits, written_with
from .bounds_chart import ALONE_EMS, HEIGHT_EMS, BoundsChart, bounds_words
from .defined_text import say_defined
from .formula import Formulas
from .panel import Docked
from .step_room import StepRoom
from .style import ASIDE, LARGE, TITLE
from .symbols import write_symbols
from .text import coloured, em, sized, wrapped_at, write
from .widgets import HEAD_GAP, u32
from .wrapped import wrapped_lines

HEAD_EMS = 4.4
"""Height of the chart's head and the space around it if nothing else is in the card, ems."""
NARROW_EMS = 17.5
"""In a card narrower than this, ems, names are above their texts, and "So far" and "Why" are folded."""
NAME_EMS = 4.2
"""Width of the column with the names of the parts, ems."""
MOST_FOR_STOP = 0.4
"""The stop stays visible at the card's foot if it takes at most this share of the card's height."""
FORMULA_GAP = 0.1
"""Extra space above the formulas, ems."""


class StepCard(Docked):
    """The docked card of the step, shown during steps whether or not the other panels are shown."""

    def __init__(self) -> None:
        self._formulas = Formulas()
        self._chart = BoundsChart()
        self._shown: tuple[Moment, str] | None = None
        self._text: StepText | None = None
        self._steady = Steady()
        self._room = StepRoom()

    def unseen(self, _ui: PanelState, _ask: Ask, *, wanted: bool) -> None:
        """Gives the space back to the other panels, unless the card is `wanted`."""
        self._room.update("Axes", "Step", "Bodies", shown=wanted)

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the step in words, formulas and a chart of the bounds; draws nothing without a step."""
        of_sat = ui.moment is not None and ui.moment.phase is Phase.SAT
        self._room.update("Axes", "Step", "Bodies", shown=True, of_sat=of_sat)
        if ui.query is None or ui.moment is None:
            return
        if self._text is None or self._shown is None or self._shown != (ui.moment, ui.part):
            self._shown, self._text = (ui.moment, ui.part), step_text(ui.query, ui.moment, ui.part)
        listed = ("step",) if ui.lesson is None or ui.lesson.step is None else ui.lesson.step.look.panels
        if not {"step", "words"} & set(listed):
            # The lesson's step shows the bounds alone: the words would give its answer away.
            room = imgui.get_content_region_avail().y / em() - HEAD_EMS
            self._chart.draw(ui, ui.query, ui.moment, ask, max(HEIGHT_EMS, min(ALONE_EMS, room)))
            return
        self._draw_text(ui, ui.query, ui.moment, self._text, ask, numbers="step" in listed)

    def _draw_text(
        self, ui: PanelState, query: Query, moment: Moment, text: StepText, ask: Ask, *, numbers: bool
    ) -> None:
        """Draws the sentences, and with `numbers` the chart and the formulas as well."""
        # The stop stays visible below the part that scrolls, unless the card is too low for both.
        foot = 0.0 if text.stop is None else _stop_height(text.stop)
        room = imgui.get_content_region_avail()
        pinned = 0.0 < foot <= MOST_FOR_STOP * room.y
        highest = max(1.0, room.y - (foot if pinned else 0.0))
        self._formulas.begin(imgui.get_cursor_screen_pos().y + highest)
        imgui.set_next_window_size_constraints(ImVec2(room.x, 1.0), ImVec2(room.x, highest))
        imgui.begin_child("##step", ImVec2(room.x, 0.0), imgui.ChildFlags_.auto_resize_y)
        self._draw_body(ui, query, moment, text, ask)
        if numbers:
            self._draw_numbers(ui, query, moment, text, ask)
        self._steady.fill("formulas")
        if text.stop is not None and not pinned:
            _draw_stop(text, text.stop, ui, ask)
        imgui.end_child()
        if text.stop is not None and pinned:
            _draw_stop(text, text.stop, ui, ask)

    def _draw_numbers(self, ui: PanelState, query: Query, moment: Moment, text: StepText, ask: Ask) -> None:
        # The bounds are above the formulas, so that they stay visible in a low card.
        self._chart.draw(ui, query, moment, ask)
        imgui.dummy(ImVec2(0.0, FORMULA_GAP * em()))
        width = imgui.get_content_region_avail().x
        for number, formula in enumerate(text.formulas):
            in_full = partial(_in_full, query, moment, ui.part, number)
            self._formulas.draw(formula, ui, width, ask, in_full)

    def _draw_body(self, ui: PanelState, query: Query, moment: Moment, text: StepText, ask: Ask) -> None:
        theme = ui.theme
        self._steady.begin((moment.phase, type(moment.step), len(text.formulas) > 1, ui.part == WHOLE))
        _draw_title(text, spec_of(moment.phase).colour(theme))
        # At a sub-step the number would give away what follows.
        number = (text.number or bounds_words(query, moment)) if ui.part == WHOLE else ""
        if number:
            with sized(LARGE):
                write_symbols(wrapped_lines(number, imgui.get_content_region_avail().x, em()), ui, ask)
        texts = _texts(text)
        for place, name in enumerate(("Double", "So far", "This step", "Why")):
            if not texts[place]:
                continue
            if _named(name, folds=name in ("So far", "Why")):
                say_defined(texts, place, ui, ask)
            self._steady.fill(name)


def _indent() -> float:
    """Width of the names' column beside the sentences, pixels; 0 in a narrow card, where the sentences are below."""
    return NAME_EMS * em() if imgui.get_window_width() >= NARROW_EMS * em() else 0.0


def _named(name: str, *, folds: bool) -> bool:
    """Draws a part's name; returns whether its text follows: in a narrow card a part that `folds` must be opened."""
    beside = _indent()
    with sized(ASIDE):
        if folds and not beside:
            return imgui.tree_node_ex(
                name, imgui.TreeNodeFlags_.no_tree_push_on_open | imgui.TreeNodeFlags_.span_avail_width
            )
        imgui.text_disabled(name)
    if beside:
        imgui.same_line(imgui.get_cursor_start_pos().x + beside)
    return True


def _in_full(query: Query, moment: Moment, part: str, number: int) -> str:
    """Formula `number` of the step with all digits, on one line."""
    with written_with(Digits.FULL):
        return step_text(query, moment, part).formulas[number].plain


class Steady:
    """Keeps each part of the card as high as it has been for this kind of step, so that parts do not move at a step."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._heights: dict[str, float] = {}
        self._top = 0.0

    def begin(self, kind: tuple[object, ...]) -> None:
        """Begins the card; another kind of step, or another width, starts without heights."""
        key = (*kind, imgui.get_content_region_avail().x, em())
        if key != self._key:
            self._key, self._heights = key, {}
        self._top = imgui.get_cursor_pos_y()

    def fill(self, name: str) -> None:
        """Ends the part, with empty space up to the greatest height it has had."""
        height = imgui.get_cursor_pos_y() - self._top
        highest = self._heights[name] = max(self._heights.get(name, 0.0), height)
        if highest > height:
            imgui.dummy(ImVec2(0.0, highest - height - imgui.get_style().item_spacing.y))
        self._top = imgui.get_cursor_pos_y()


def _draw_title(text: StepText, rgba: tuple[float, float, float, float]) -> None:
    with sized(TITLE), coloured(rgba):
        at, height = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
        bar = 0.3 * em()
        imgui.get_window_draw_list().add_rect_filled(at, ImVec2(at.x + bar, at.y + height), u32(rgba), 0.5 * bar)
        imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + bar + HEAD_GAP * em())
        imgui.text_unformatted(wrapped_lines(text.title, imgui.get_content_region_avail().x, em()))


def _stop_height(stop: Stop) -> float:
    """Height that `_draw_stop` takes, with the space above it."""
    width = imgui.get_content_region_avail().x - _indent()
    lines = wrapped_lines(stop.meaning, width, em()).count("\n") + 1
    air = 4.0 * imgui.get_style().item_spacing.y
    return (1 + (not _indent()) + lines) * imgui.get_text_line_height() + air


def _texts(text: StepText) -> tuple[str, ...]:
    """The card's sentences, top down: double's step, so far, this step, why, and what the stop means."""
    return text.beside, text.known, text.decided, text.why, "" if text.stop is None else text.stop.meaning


def _draw_stop(text: StepText, stop: Stop, ui: PanelState, ask: Ask) -> None:
    """Draws what the end of the algorithm means, and below it the code's name for the reason.

    Both have the colour of an overlap if the answer is not a good one; otherwise the name has that of a gap.
    """
    imgui.separator()
    left = imgui.get_cursor_start_pos().x + _indent()
    _named("Result", folds=False)
    with coloured(ui.theme.text if stop.good else ui.theme.overlap):
        say_defined(_texts(text), 4, ui, ask)
    imgui.set_cursor_pos_x(left)
    with sized(ASIDE):
        write(stop.name, ui.theme.gap if stop.good else ui.theme.overlap)


INDENT = 1.2
"""Width of a level of indentation, ems."""
LINE_GAP = 0.22
"""Space between lines, ems."""
LEVEL_SPACES = 4
"""Number of spaces of a level of indentation in the listing."""


class Algorithm(Docked):
    """The docked panel of the listing, shown during steps if the setting `algorithm` is on."""

    def draw(self, ui: PanelState, _ask: Ask) -> None:
        """Draws the listing, with a background for the current line; draws nothing without a step."""
        if ui.query is None or ui.moment is None:
            return
        stage, at = stage_of(ui.moment.phase), At[object](ui.query, ui.moment)
        listing, rgba = stage.listing_of(at), spec_of(ui.moment.phase).colour(ui.theme)
        write(listing.title, rgba)
        part = part_of(ui.query, ui.moment, ui.part)
        current = stage.line(at.step) if part is None else part.line
        imgui.push_style_var(imgui.StyleVar_.item_spacing, ImVec2(0.0, LINE_GAP * em()))
        for name, line in listing.lines.items():
            _draw_line(line, faded(rgba, 0.30) if name == current else None)
            if name == current and not imgui.is_item_visible():
                imgui.set_scroll_here_y()
        imgui.pop_style_var()


def _draw_line(line: str, ground: tuple[float, float, float, float] | None) -> None:
    """Draws a line of the listing, wrapped under its own indentation, on the background `ground` if there is one."""
    code = line.lstrip(" ")
    left = imgui.get_cursor_pos_x() + (len(line) - len(code)) // LEVEL_SPACES * INDENT * em()
    width = imgui.get_content_region_avail().x
    right = imgui.get_cursor_pos_x() + width
    at = imgui.get_cursor_screen_pos()
    if ground is not None:
        height = imgui.calc_text_size(code, False, right - left).y
        pad = 0.5 * imgui.get_style().item_spacing.y
        imgui.get_window_draw_list().add_rect_filled(
            ImVec2(at.x - pad, at.y - pad), ImVec2(at.x + width + pad, at.y + height + pad), u32(ground), 0.25 * em()
        )
    imgui.set_cursor_pos_x(left)
    with wrapped_at(right):
        imgui.text_unformatted(code)
