"""The cards at the top of the viewport: the verdict, what is not computed yet, panes' names, Gauss map, frame times."""

from __future__ import annotations

from functools import partial

from imgui_bundle import ImVec2, imgui
from msgspec import Struct
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.sat.sat import AxisKind
from core.toi.motion import moves
from core.verdict import Verdict

from ..draw.placed import Rect
from ..overlays import globe
from ..stages import spec_of, stage_of
from ..state.ask import Ask, Press
from ..state.panel_state import PanelState
from ..state.view import GAUSS_BODY, Panes
from ..words.axis_words import NAMED_TIES, distance_words, listed, verdict_line
from ..words.contact_words import EARLIER
from ..words.digits import full, sentence_text
from ..words.glossary import term_of
from ..words.names import axis_name
from .cards import CARDS, OVERLAY, QUIET, Card, cramped
from .panel import CARD_WINDOWS, MAP_WINDOW
from .rows import Button, Flow, Own, Row, Size, Words, command
from .step_icons import eye, forth
from .text import em, explain, hand
from .widgets import HEAD_GAP, family_mark, mark, u32, verdict_colour

VERDICT_WINDOW = "##verdict"
MARGIN_EMS = 0.6
"""Distance from the viewport's edges, ems."""
MOST_TIES = 14
"""A tooltip names at most this many tied axes."""
MOST_EMS = 3.0
"""A verdict at least this high, ems, has three lines, which would cover the picture: it is told in short."""


class VerdictBar:
    """The verdict's bar over the viewport, at most as wide as it; long sentences wrap."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the bar, which is always shown."""
        widest = widest_at_top(ui.viewport)
        inner = widest - 2.0 * imgui.get_style().window_padding.x
        rows: list[Row] = [_verdict_line(ui, inner)]
        if ui.reveal.verdict:
            if _under_way(ui):
                from .motion_bar import motion_verdict

                rows.append(motion_verdict(ui, inner))
            said = ui.analysis.disagreements
            rows += [Words(f"Algorithms disagree: {sentence_text(sentence)}", ui.theme.overlap) for sentence in said]
        draw_at_top(ui.viewport, Card(VERDICT_WINDOW, rows, widest), ask)


def widest_at_top(area: Rect) -> float:
    """The largest width of a card at the viewport's upper edge."""
    return max(8.0 * em(), area.width - 2.0 * MARGIN_EMS * em())


def draw_at_top(area: Rect, card: Card, ask: Ask, below: float = MARGIN_EMS) -> None:
    """Draws a card in the middle of the viewport's upper edge, `below` ems under the edge."""
    card.draw(ImVec2(area.x + 0.5 * area.width, area.y + below * em()), ask, (0.5, 0.0))


def _verdict_line(ui: PanelState, inner: float) -> Row:
    """The verdict with its number, or what is known so far, and buttons that open steps and lessons."""
    so_far = _so_far(ui)
    first: tuple[Row, ...] = ()
    if so_far is not None and ui.lesson is None:
        # A lesson decides by itself when the verdict is shown.
        first = (Own((1.2 * em(), imgui.get_text_line_height()), partial(_draw_eye, ui)),)
    space = imgui.calc_text_size(" ").x / em()
    if so_far is not None and not ui.reveal.verdict:
        head, rest = so_far
        ink = ui.theme.gap if ui.sat_progress.separates else ui.theme.dim_text
        return Flow((*first, Words(head, ink), Words(rest)), (HEAD_GAP, space))
    if not cramped(ui.viewport):
        whole = _told_line(ui, inner, first, space, brief=False)
        if whole.measure(inner)[1] < MOST_EMS * em():
            return whole
    return _told_line(ui, inner, first, space, brief=True)


def _told_line(ui: PanelState, inner: float, first: tuple[Row, ...], space: float, *, brief: bool) -> Row:
    """The verdict behind the rows `first`, with the buttons for which there is room; in `brief` its number alone."""
    line = verdict_in_short(ui.analysis) if brief else verdict_line(ui.analysis)
    word, colon, rest = line.partition(":")
    word = f"{word} at the start" if _under_way(ui) else word
    signs = "Signed separation in scene units: positive when apart, negative when overlapping."
    note = "\n".join((*((verdict_line(ui.analysis),) if brief else ()), signs, *verdict_notes(ui.analysis)))
    copied = full(ui.analysis.separation)
    told_line = (
        *first,
        mark(ui.analysis.verdict, ui.theme),
        Words(word + colon, verdict_colour(ui.analysis.verdict, ui.theme)),
        Words(rest.strip(), tip=note, copied=copied, what="separation"),
    )
    gaps = (*(HEAD_GAP for _ in first), HEAD_GAP, space)
    if ui.playback.open or ui.lesson is not None:
        return Flow(told_line, gaps)
    if brief:
        with_icon = Flow((*told_line, _way_in("")), (*gaps, 1.2))
        return with_icon if with_icon.measure(inner)[1] < 2.0 * em() else Flow(told_line, gaps)
    tip = "Lessons for the hand and the eye: the last one you had open, or the first. (F2)"
    learn = Plate("learn", "Learn", command("lessons.open"), tip)
    return Flow((*told_line, _way_in("Step through"), learn), (*gaps, 1.2, 0.6))


def _so_far(ui: PanelState) -> tuple[str, str] | None:
    """The known part of the verdict, head and rest, at a step that leads up to it; None at any other time."""
    if ui.query is None or ui.moment is None:
        return None
    # Imported when the first step is shown, which keeps the start fast.
    from ..stages.stage import At

    return stage_of(ui.moment.phase).verdict_so_far(At[object](ui.query, ui.moment, ui.part))


def _draw_eye(ui: PanelState, ask: Ask) -> None:
    """Draws the button that shows or hides the verdict at the steps before it."""
    told = ui.settings.verdict_told
    at, size = imgui.get_cursor_screen_pos(), 1.2 * em()
    if imgui.invisible_button("##eye", ImVec2(size, imgui.get_text_line_height())):
        ask.configure(replace(ui.settings, verdict_told=not told))
    hand()
    colour = imgui.get_color_u32(imgui.Col_.text if told or imgui.is_item_hovered() else imgui.Col_.text_disabled)
    middle = round(at.y + 0.5 * imgui.get_text_line_height())
    eye(imgui.get_window_draw_list(), round(at.x + 0.5 * size), middle, round(0.42 * em()), colour, shut=not told)
    explain("Hide the verdict until the last step" if told else "Show the verdict now: it comes with the last step")


def _under_way(ui: PanelState) -> bool:
    """Whether the motion is shown and a body moves; the verdict is then about the start of the motion."""
    scene = ui.document.scene
    return ui.view.shows_motion(scene) and (moves(scene.a) or moves(scene.b))


def verdict_notes(analysis: Analysis) -> list[str]:
    """The meaning of the verdict's words for provenance, and the names of tied axes: lines of the tooltip."""
    table, word = analysis.sat, analysis.certainty.provenance.value
    notes = [f"{word.capitalize()}: {term.sentence}" if (term := term_of(word)) is not None else ""]
    if table.applies and len(table.ties) > NAMED_TIES:
        names = [axis_name(table, row) for row in table.ties[:MOST_TIES]]
        more = len(table.ties) - len(names)
        named = listed([*names, f"{more} more"] if more else names)
        notes.append(f"Tied: {named}. On each the separation is the same within rounding.")
    return [note for note in notes if note]


def verdict_in_short(analysis: Analysis) -> str:
    """The verdict's word and number, TOUCHING without a number, and the note that it is about hulls, if it is."""
    word = verdict_line(analysis).partition(":")[0]
    short = word if analysis.verdict is Verdict.TOUCHING else f"{word}: {distance_words(analysis)}"
    return f"{short} {analysis.scene.of_hulls}".rstrip()


class Plate(Struct, frozen=True):
    """A button as high as a line of text, with room at both ends; `forwards`: with an arrow before the label."""

    key: str
    label: str
    press: Press
    tip: str
    forwards: bool = False

    def measure(self, room: float) -> Size:  # noqa: ARG002 - as all rows
        """The label's size, with room at both ends."""
        icon = (1.2 if self.label else 0.7) * em() if self.forwards else 0.0
        return imgui.calc_text_size(self.label).x + icon + 1.2 * em(), imgui.get_text_line_height()

    def draw(self, room: float, ask: Ask) -> None:
        """Draws the button."""
        size = self.measure(room)
        if imgui.button(f"##{self.key}", ImVec2(*size)):
            self.press(ask)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        draw, colour, middle = (
            imgui.get_window_draw_list(),
            imgui.get_color_u32(imgui.Col_.text),
            0.5 * (low.y + high.y),
        )
        if self.forwards:
            forth(draw, round(low.x + 0.95 * em()), round(middle), round(0.32 * em()), colour)
        at = high.x - 0.6 * em() - imgui.calc_text_size(self.label).x
        draw.add_text(ImVec2(round(at), round(middle - 0.5 * em())), colour, self.label)
        explain(self.tip)


def _way_in(text: str) -> Plate:
    """The button that opens the timeline; without text its icon alone."""
    tip = "Watch SAT, GJK, EPA and the contacts work, step by step. (Space plays.)"
    return Plate("step through", text, command("steps.timeline"), tip, forwards=True)


TITLE_WINDOWS = ("##pane0", "##pane1")
"""The windows with the names of the first and the second pane."""


class PaneTitles:
    """The panes' titles, small and dim, over the picture."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws a title for each pane shown."""
        for number, (title, area) in enumerate(ui.panes):
            _draw_title(ui, number, title, area, ask)


def _draw_title(ui: PanelState, number: int, title: str, area: Rect, ask: Ask) -> None:
    # Under the verdict; a pane below another has its name at its own upper edge.
    below = MARGIN_EMS * em() + CARDS.height(VERDICT_WINDOW) if area.y == ui.viewport.y else 0.0
    large = number == 0 and globe.LARGE.id in ui.view.shown and map_stands(ui)
    alone = len(ui.panes) == 1
    tip = "Click to show both panes" if alone else "Click to show this pane alone"
    panes = Panes.BOTH if alone else (Panes.WORLD, Panes.DIFFERENCE)[min(number, 1)]

    def show(ask: Ask) -> None:
        ask.look(replace(ui.view, panes=panes))

    words = Words("Gauss map" if large else title, ui.theme.dim_text, tip, press=show)
    flags = OVERLAY | imgui.WindowFlags_.no_background
    card = Card(TITLE_WINDOWS[number], [words], 1e6, padding=(0.4, 0.2), flags=flags)
    card.draw(ImVec2(area.x + 0.4 * em(), area.y + below), ask)


LEGEND = (
    (AxisKind.FACE_A, "face of A"),
    (AxisKind.FACE_B, "face of B, mirrored"),
    (AxisKind.EDGES, "crossing: a face of A − B"),
)
"""The families of axes, with the words for their points in the Gauss map."""
CROSSING = "crossing of two arcs"
"""The words for a crossing while a step of a lesson hides its answer."""


def map_stands(ui: PanelState) -> bool:
    """Whether the picture contains the Gauss map; in a lesson only the large map counts."""
    kept = ui.moment is None or globe.GAUSS.id in spec_of(ui.moment.phase).answer_overlays
    # A lesson chooses the map's size, so its small map needs no card with a button.
    maps = globe.MAPS if ui.lesson is None else {globe.LARGE.id}
    return bool(maps & ui.view.shown) and kept and ui.view.panes is not Panes.DIFFERENCE and ui.asked is None


class MapCard:
    """The card of the Gauss map, under the first pane's name: its legend if it is large, and a button for its size.

    A lesson has no such button.
    """

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card while the map is shown."""
        if not map_stands(ui):
            return
        large, rows = globe.LARGE.id in ui.view.shown, list[Row]()
        if large:
            size = 1.4 * em(), em()
            alone, edges = GAUSS_BODY in ui.view.shown, _pins_edges(ui)
            for kind, words in LEGEND[: 1 if alone else None]:
                name = CROSSING if kind is AxisKind.EDGES and ui.reveal.veiled else words
                rows.append(Flow((Own(size, partial(_draw_point, ui, kind)), Words(name)), (0.4,)))
            for index, words in enumerate(("edge of A", "edge of B, mirrored")[: int(edges) if alone else None]):
                rows.append(Flow((Own(size, partial(_draw_edge, ui, index)), Words(words)), (0.4,)))
            lit = "lit: an edge and its arc" if alone and edges else "large: the axis that is lit"
            rows.append(Words(lit, ui.theme.winner))
        if ui.lesson is None:
            label, tip = "Smaller map" if large else "Larger map", "Also in the menu Overlays and in Ctrl+K"
            rows.append(Button(label, command("overlay.gauss_large"), tip))
        if rows:
            draw_under_titles(ui.viewport, Card(MAP_WINDOW, rows, 1e6, alpha=0.7), ask)


def _pins_edges(ui: PanelState) -> bool:
    """Whether the axis that is pinned comes from two edges; without one A's own map has no arcs."""
    pin, candidates = ui.view.pin, ui.analysis.sat.candidates
    return pin is not None and pin.number < len(candidates) and candidates[pin.number].kind is AxisKind.EDGES


def draw_under_titles(area: Rect, card: Card, ask: Ask) -> None:
    """Draws a card at the viewport's left edge, under the verdict and the panes' names."""
    card.draw(ImVec2(area.x + MARGIN_EMS * em(), area.y + below_titles()), ask)


def below_titles() -> float:
    """The distance in pixels from the viewport's upper edge to the lower edge of the panes' names."""
    return (2.0 * MARGIN_EMS + BELOW_TITLES_EMS) * em() + CARDS.height(VERDICT_WINDOW)


def _draw_point(ui: PanelState, kind: AxisKind, _ask: Ask) -> None:
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(1.4 * em(), em()))
    family_mark(ImVec2(at.x + 0.6 * em(), at.y + 0.5 * em()), 0.32 * em(), kind, ui.theme)


def _draw_edge(ui: PanelState, index: int, _ask: Ask) -> None:
    at = imgui.get_cursor_screen_pos()
    imgui.dummy(ImVec2(1.4 * em(), em()))
    y, gap = at.y + 0.5 * em(), 0.35 * em() * index
    for start, end in ((0.0, 0.6 * em() - 0.5 * gap), (0.6 * em() + 0.5 * gap, 1.2 * em())):
        ends = ImVec2(at.x + start, y), ImVec2(at.x + end, y)
        imgui.get_window_draw_list().add_line(*ends, u32(ui.theme.edge(index)), 0.14 * em())


NOTE_EMS = 1.8
"""Room for the panes' names between the verdict and the note, ems."""
COMPUTING = "Computing SAT's table and the Minkowski difference…"
WHY = "With so many vertices this takes longer than one frame. The verdict, GJK and EPA are already up to date."


class WaitingNote:
    """A note that a part of the answer is not computed yet, or is of an earlier pose."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the note while the analysis leaves something out, or its contacts are earlier ones."""
        told = [COMPUTING if ui.computing else ui.analysis.beyond_limits] if ui.analysis.beyond_limits else []
        told += [EARLIER] if ui.analysis.contacts_earlier else []
        if not told:
            return
        widest = widest_at_top(ui.viewport)
        words = Words(" ".join(told), ui.theme.winner if ui.computing else ui.theme.dim_text, WHY)
        below = MARGIN_EMS + NOTE_EMS + CARDS.height(VERDICT_WINDOW) / em()
        draw_at_top(ui.viewport, Card("##waiting", [words], widest, alpha=0.7), ask, below)


BELOW_TITLES_EMS = 1.9
"""Height from the verdict to the cards below the panes' names, ems, with air between names and cards."""


class FrameTimes:
    """A small card at the top right of the viewport, under the verdict and the cards that may be that wide."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card if the setting `show_frame_times` is on."""
        if not ui.settings.show_frame_times:
            return
        area, margin = ui.viewport, MARGIN_EMS * em()
        cards = sum(height + margin for window in CARD_WINDOWS if (height := CARDS.height(window)))
        below = 2.0 * margin + CARDS.height(VERDICT_WINDOW) + (cards + BELOW_TITLES_EMS * em() if cards else 0.0)
        lines = [f"{milliseconds:6.2f} ms  {part}" for part, milliseconds in ui.frame_times.items()]
        lines.append(f"{sum(ui.frame_times.values()):6.2f} ms  in all")
        lines += [f"{ui.labels_dropped} labels left out: no room"] * bool(ui.labels_dropped)
        rows = [Words(line, ui.theme.dim_text) for line in lines]
        card = Card("##frame times", rows, 1e6, alpha=0.7, flags=QUIET)
        card.draw(ImVec2(area.x + area.width - margin, area.y + below), ask, (1.0, 0.0))
