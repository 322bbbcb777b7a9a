"""What stands at the top of the viewport: the verdict, what is still missing of it, the panes' names, frame times."""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.sat.sat import AxisKind
from core.verdict import Verdict

from ..draw.placed import Rect
from ..overlays import globe
from ..stages import spec_of, stage_of
from ..state.panel_state import PanelState
from ..state.playback import moves
from ..state.requests import Configure, Invoke, Look
from ..state.view import Panes
from ..words.axis_words import size_words, verdict_line
from ..words.contact_words import EARLIER
from ..words.digits import full, told
from .panel import CARD_WINDOWS, MAP_WINDOW, Ask
from .step_icons import eye, forth
from .text import coloured, copies_on_click, em, explain, flow, hand, wrapped_at, write
from .widgets import HEAD_GAP, OVERLAY, card, cramped, drawn_height, family_mark, u32, verdict_colour, verdict_mark

VERDICT_WINDOW = "##verdict"
MARGIN = 0.6
"""Distance from the viewport's edges, ems."""


class VerdictBar:
    """Floats over the viewport, never wider than it: long sentences wrap."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Always shown."""
        area, margin = ui.viewport, MARGIN * em()
        so_far = _so_far(ui)
        line = verdict_in_short(ui.analysis) if cramped(area) else verdict_line(ui.analysis)
        if so_far is not None and not ui.reveal.verdict:
            line = " ".join(so_far)
        widest = max(8.0 * em(), area.width - 2.0 * margin)
        inner = widest - 2.0 * imgui.get_style().window_padding.x
        imgui.set_next_window_size_constraints(ImVec2(0.0, 0.0), ImVec2(widest, 1e6))
        with card(VERDICT_WINDOW, ImVec2(area.x + 0.5 * area.width, area.y + margin), ImVec2(0.5, 0.0)):
            self._draw_line(ui, line, so_far, inner, ask)
            with wrapped_at(imgui.get_cursor_pos_x() + inner):
                if _under_way(ui) and ui.reveal.verdict:
                    from .motion_bar import draw_motion_verdict

                    draw_motion_verdict(ui, inner, ask)
                for sentence in ui.analysis.disagreements if ui.reveal.verdict else ():
                    write(f"Algorithms disagree: {told(sentence)}", ui.theme.overlap)

    def _draw_line(self, ui: PanelState, line: str, so_far: tuple[str, str] | None, inner: float, ask: Ask) -> None:
        if so_far is not None:
            _draw_eye(ui, ask)
            imgui.same_line(0.0, HEAD_GAP * em())
            if not ui.reveal.verdict:
                _draw_so_far(ui, *so_far, inner)
                return
        verdict_mark(ui.analysis.verdict, ui.theme)
        imgui.same_line(0.0, HEAD_GAP * em())
        word, colon, rest = line.partition(":")
        if _under_way(ui):
            word, line = f"{word} at the start", f"{word} at the start:{rest}"
        rgba = verdict_colour(ui.analysis.verdict, ui.theme)
        whole = imgui.calc_text_size(line).x + (1.0 + HEAD_GAP) * em()
        write(word + colon, rgba)
        if whole + imgui.get_style().item_spacing.x <= inner:
            imgui.same_line(0.0, imgui.calc_text_size(" ").x)
        with wrapped_at(imgui.get_style().window_padding.x + inner):
            imgui.text_unformatted(rest.strip())
        note = "Signed separation in scene units: positive when apart, negative when overlapping."
        if cramped(ui.viewport):
            note = f"{verdict_line(ui.analysis)}\n{note}"
        copies_on_click(full(ui.analysis.separation), "separation", ask, note, alone=True)
        if not ui.playback.open and ui.lesson is None:
            self._draw_ways_in(ui, whole, inner, ask)

    def _draw_ways_in(self, ui: PanelState, line: float, inner: float, ask: Ask) -> None:
        """To the steps; and to the lessons, where there is room for both on the line."""
        small, room = cramped(ui.viewport), line + 2.4 * em()
        _draw_way_in("" if small else "Step through", line, inner, ask)
        learn = imgui.calc_text_size("Learn").x + 1.2 * em()
        both = room + imgui.calc_text_size("Step through").x + 2.4 * em() + learn
        if small:
            return
        if both <= inner:
            imgui.same_line(0.0, 0.6 * em())
        else:
            flow(learn)
        if imgui.button("##learn", ImVec2(learn, imgui.get_text_line_height())):
            ask.append(Invoke("lessons.open"))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        at = ImVec2(round(low.x + 0.6 * em()), round(0.5 * (low.y + high.y) - 0.5 * em()))
        imgui.get_window_draw_list().add_text(at, imgui.get_color_u32(imgui.Col_.text), "Learn")
        explain("Lessons for the hand and the eye: the last one you had open, or the first. (F2)")


def _so_far(ui: PanelState) -> tuple[str, str] | None:
    """Head and rest of what is known at a step that leads up to the verdict; None anywhere else."""
    if ui.query is None or ui.moment is None:
        return None
    # Imported with the first step: nothing of it is wanted at the start.
    from ..stages.stage import At

    return stage_of(ui.moment.phase).verdict_so_far(At[object](ui.query, ui.moment, ui.part))


def _draw_so_far(ui: PanelState, head: str, rest: str, inner: float) -> None:
    write(head, ui.theme.gap if ui.tried.separates else ui.theme.dim_text)
    if imgui.calc_text_size(f"{head} {rest}").x + (2.0 + 2.0 * HEAD_GAP) * em() <= inner:
        imgui.same_line(0.0, imgui.calc_text_size(" ").x)
    with wrapped_at(imgui.get_style().window_padding.x + inner):
        imgui.text_unformatted(rest)


def _draw_eye(ui: PanelState, ask: Ask) -> None:
    """Opens and shuts the verdict at the steps that lead up to it."""
    told = ui.settings.verdict_told
    at, size = imgui.get_cursor_screen_pos(), 1.2 * em()
    if imgui.invisible_button("##eye", ImVec2(size, imgui.get_text_line_height())):
        ask.append(Configure(replace(ui.settings, verdict_told=not told)))
    hand()
    colour = imgui.get_color_u32(imgui.Col_.text if told or imgui.is_item_hovered() else imgui.Col_.text_disabled)
    middle = round(at.y + 0.5 * imgui.get_text_line_height())
    eye(imgui.get_window_draw_list(), round(at.x + 0.5 * size), middle, round(0.42 * em()), colour, shut=not told)
    explain("Hide the verdict until the last step" if told else "Show the verdict now: it comes with the last step")


def _under_way(ui: PanelState) -> bool:
    """Whether a motion is shown, and there is any: then the verdict is about the start alone."""
    scene = ui.document.scene
    return ui.view.shows_motion(scene) and (moves(scene.a) or moves(scene.b))


def verdict_in_short(analysis: Analysis) -> str:
    """The verdict with its number alone."""
    word = verdict_line(analysis).partition(":")[0]
    return word if analysis.verdict is Verdict.TOUCHING else f"{word}: {size_words(analysis)}"


def _draw_way_in(text: str, line: float, inner: float, ask: Ask) -> None:
    """The button that opens the timeline: after the line, or under it where there is no room; without text its icon."""
    icon, padding = (1.2 if text else 0.7) * em(), 0.6 * em()
    width = icon + imgui.calc_text_size(text).x + 2.0 * padding
    if line + 1.2 * em() + width + imgui.get_style().item_spacing.x <= inner:
        imgui.same_line(0.0, 1.2 * em())
    elif not text:
        return
    if imgui.button("##step through", ImVec2(width, imgui.get_text_line_height())):
        ask.append(Invoke("steps.timeline"))
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    draw, colour, middle = imgui.get_window_draw_list(), imgui.get_color_u32(imgui.Col_.text), 0.5 * (low.y + high.y)
    forth(draw, round(low.x + padding + 0.35 * em()), round(middle), round(0.32 * em()), colour)
    draw.add_text(ImVec2(round(low.x + padding + icon), round(middle - 0.5 * em())), colour, text)
    explain("Watch SAT, GJK, EPA and the contacts work, step by step. (Space plays.)")


TITLE_WINDOWS = ("##pane0", "##pane1")
"""The names of the first and the second pane."""


class PaneTitles:
    """Small and dim, over the picture."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """One title for each pane that is shown."""
        for number, (title, area) in enumerate(ui.panes):
            _draw_title(ui, number, title, area, ask)


def _draw_title(ui: PanelState, number: int, title: str, area: Rect, ask: Ask) -> None:
    # Under the verdict; a pane below another has its name at its own upper edge.
    below = MARGIN * em() + drawn_height(VERDICT_WINDOW) if area.y == ui.viewport.y else 0.0
    imgui.set_next_window_pos(ImVec2(area.x + 0.4 * em(), area.y + below), imgui.Cond_.always)
    imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0.4 * em(), 0.2 * em()))
    if imgui.begin(TITLE_WINDOWS[number], None, OVERLAY | imgui.WindowFlags_.no_background)[0]:
        large = number == 0 and globe.LARGE.id in ui.view.shown and map_stands(ui)
        write("Gauss map" if large else title, ui.theme.dim_text)
        hand()
        alone = len(ui.panes) == 1
        explain("Click to show both panes" if alone else "Click to show this pane alone")
        if imgui.is_item_clicked():
            panes = Panes.BOTH if alone else (Panes.WORLD, Panes.DIFFERENCE)[min(number, 1)]
            ask.append(Look(replace(ui.view, panes=panes)))
    imgui.end()
    imgui.pop_style_var()


LEGEND = (
    (AxisKind.FACE_A, "face of A"),
    (AxisKind.FACE_B, "face of −B"),
    (AxisKind.EDGES, "crossing: a face of A − B"),
)
"""The points of the Gauss map, by the families of axes that they stand for."""


def map_stands(ui: PanelState) -> bool:
    """Whether the Gauss map is in the picture."""
    kept = ui.moment is None or globe.GAUSS.id in spec_of(ui.moment.phase).answer_overlays
    # A lesson chooses the map's size.
    maps = globe.MAPS if ui.lesson is None else {globe.LARGE.id}
    return (
        bool(maps & ui.view.shown)
        and kept
        and ui.view.panes is not Panes.DIFFERENCE
        and ui.asked is None
        and not ui.reveal.veiled
    )


class MapCard:
    """Under the first pane's name: what the Gauss map's marks are, while it is large, and what makes it so."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown with the map."""
        if not map_stands(ui):
            return
        large = globe.LARGE.id in ui.view.shown
        area, below = ui.viewport, 2.0 * MARGIN * em() + drawn_height(VERDICT_WINDOW) + PANE_TITLE_EMS * em()
        with card(MAP_WINDOW, ImVec2(area.x + MARGIN * em(), area.y + below), alpha=0.7):
            if large:
                for kind, words in LEGEND:
                    at = imgui.get_cursor_screen_pos()
                    imgui.dummy(ImVec2(1.4 * em(), em()))
                    family_mark(ImVec2(at.x + 0.6 * em(), at.y + 0.5 * em()), 0.32 * em(), kind, ui.theme)
                    imgui.same_line(0.0, 0.4 * em())
                    imgui.text_unformatted(words)
                for index, words in enumerate(("edge of A", "edge of −B")):
                    at = imgui.get_cursor_screen_pos()
                    imgui.dummy(ImVec2(1.4 * em(), em()))
                    y, gap = at.y + 0.5 * em(), 0.35 * em() * index
                    for start, end in ((0.0, 0.6 * em() - 0.5 * gap), (0.6 * em() + 0.5 * gap, 1.2 * em())):
                        ends = ImVec2(at.x + start, y), ImVec2(at.x + end, y)
                        imgui.get_window_draw_list().add_line(*ends, u32(ui.theme.edge(index)), 0.14 * em())
                    imgui.same_line(0.0, 0.4 * em())
                    imgui.text_unformatted(words)
                write("large: the axis that is lit", ui.theme.winner)
            if ui.lesson is None:
                if imgui.small_button("Smaller map" if large else "Larger map"):
                    ask.append(Invoke("overlay.gauss_large"))
                explain("Also in the menu Overlays and in Ctrl+K")


NOTE_EMS = 1.8
"""Room for the panes' names between the verdict and the note, ems."""
COMPUTING = "Computing SAT's table and the Minkowski difference…"
WHY = "With so many vertices this takes longer than one frame. The verdict, GJK and EPA are already up to date."


class WaitingNote:
    """A small line; what it announces comes by itself."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Shown while something is left out."""
        told = [COMPUTING if ui.computing else ui.analysis.beyond_limits] if ui.analysis.beyond_limits else []
        told += [EARLIER] if ui.analysis.contacts_earlier else []
        if not told:
            return
        area, words = ui.viewport, " ".join(told)
        widest = max(8.0 * em(), area.width - 2.0 * MARGIN * em())
        below = area.y + (MARGIN + NOTE_EMS) * em() + drawn_height(VERDICT_WINDOW)
        imgui.set_next_window_size_constraints(ImVec2(0.0, 0.0), ImVec2(widest, 1e6))
        with card("##waiting", ImVec2(area.x + 0.5 * area.width, below), ImVec2(0.5, 0.0), alpha=0.7):
            with wrapped_at(widest - imgui.get_style().window_padding.x):
                write(words, ui.theme.winner if ui.computing else ui.theme.dim_text)
            explain(WHY)


PANE_TITLE_EMS = 1.9
"""Height of the panes' names, which the cards stand below."""


class FrameTimes:
    """A small card at the top right of the viewport, under the verdict and the cards that may reach as far."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Shown by the setting `show_frame_times`."""
        if not ui.settings.show_frame_times:
            return
        area, margin = ui.viewport, MARGIN * em()
        cards = sum(height + margin for window in CARD_WINDOWS if (height := drawn_height(window)))
        below = 2.0 * margin + drawn_height(VERDICT_WINDOW) + (cards + PANE_TITLE_EMS * em() if cards else 0.0)
        at, flags = ImVec2(area.x + area.width - margin, area.y + below), OVERLAY | imgui.WindowFlags_.no_inputs
        with card("##frame times", at, ImVec2(1.0, 0.0), alpha=0.7, flags=flags), coloured(ui.theme.dim_text):
            for part, milliseconds in ui.frame_times.items():
                imgui.text_unformatted(f"{milliseconds:6.2f} ms  {part}")
            imgui.text_unformatted(f"{sum(ui.frame_times.values()):6.2f} ms  in all")
            if ui.labels_dropped:
                imgui.text_unformatted(f"{ui.labels_dropped} labels left out: no room")
