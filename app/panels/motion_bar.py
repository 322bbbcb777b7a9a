"""The bar of the motion: a scrubber from t = 0 to 1, with marks at the impact, the latest entry and earliest exit.

With the timeline open, the scrubber shows the time of the step, 0 for a step that is not about the motion, and a drag
shows the step nearest to the pointer's time. `motion_verdict` makes the verdict's row on the motion.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.query.query import MotionStep, Phase, Query
from core.toi.motion import MotionOutcome, moves
from core.verdict import Verdict

from ..draw.draw_list import Rgba
from ..draw.theme import Theme, faded
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..state.playback import impact_of, place_of, scrubbed
from ..words.digits import full, instant
from ..words.motion_words import verdict_of_motion
from ..words.names import axis_name
from . import step_icons as icons
from .cards import cramped
from .motion_charts import TIME_DECIMALS, deciding_ends, end_colour
from .rows import Flow, Row, Words
from .text import em, explain, hand, tell_beside
from .widgets import HEAD_GAP, SIDE_BAR, mark, u32, verdict_colour

BAR_WINDOW = "##motion"
LEAST_TRACK = 9.0
"""If the track would be narrower than this, ems, the words beside it are shortened or left out."""
TALL_EMS = 40.0
"""A window lower than this, ems, has no room for both the bar and the timeline."""
TRACK_MARGIN_EMS = 0.7
"""Space beyond the track's ends, ems: half of a mark."""
WIDEST_TIME = "t = 0.0000"
TEXT_GAP = "   "
WIDEST_TEXT = f"{WIDEST_TIME}{TEXT_GAP}impact at {WIDEST_TIME}"
"""Space is reserved for this text beside the track: the track's length must not change during a drag."""

NO_MOTION = "Drag the ring in the middle of a body to give it a motion."
WAITS = "The answer follows when you let go"
COMPUTING = "The answer is being computed"


class MotionBar:
    """The motion's bar, shown while the motion is shown.

    With the timeline open, only if the query has the motion's steps and the window is not lower than TALL_EMS.
    """

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the buttons, the track, and the words beside it while the motion is shown.

        With an open timeline it is not drawn without the answer about the motion, or in a low window.
        """
        scene, viewport = ui.document.scene, imgui.get_main_viewport()
        if not ui.view.shows_motion(scene):
            return
        if ui.query is not None and (ui.query.sweep is None or viewport.size.y < TALL_EMS * em()):
            return
        padding = ImVec2(0.8 * em(), 0.3 * em())
        height = round(imgui.get_frame_height() + 2.0 * padding.y)
        imgui.push_style_var(imgui.StyleVar_.window_padding, padding)
        if imgui.internal.begin_viewport_side_bar(BAR_WINDOW, viewport, imgui.Dir.down, height, SIDE_BAR):
            if not (moves(scene.a) or moves(scene.b)):
                imgui.align_text_to_frame_padding()
                imgui.text_disabled(NO_MOTION)
            else:
                if ui.query is None:
                    _draw_buttons(ui, ask)
                self._draw_time(ui, ask)
            _draw_close(ask)
        imgui.end()
        imgui.pop_style_var()

    def _draw_time(self, ui: PanelState, ask: Ask) -> None:
        words, room = readings(ui), imgui.get_content_region_avail().x - (icons.BUTTON_EMS + 1.0) * em()
        widest = max(imgui.calc_text_size(WIDEST_TEXT).x, imgui.calc_text_size(words).x)
        if room - widest < LEAST_TRACK * em():
            words, widest = words.partition(TEXT_GAP)[0], imgui.calc_text_size(WIDEST_TIME).x
        told = room - widest >= LEAST_TRACK * em()
        self._draw_track(ui, ui.time, room - (widest + em() if told else 0.0), ask)
        if told:
            imgui.same_line()
            imgui.align_text_to_frame_padding()
            imgui.text_unformatted(words)

    def _draw_track(self, ui: PanelState, time: float, width: float, ask: Ask) -> None:
        at, height = imgui.get_cursor_screen_pos(), imgui.get_frame_height()
        width = max(width, 2.0 * em())
        imgui.invisible_button("##motion track", ImVec2(width, height))
        left, right = at.x + TRACK_MARGIN_EMS * em(), at.x + width - TRACK_MARGIN_EMS * em()
        _draw_marks(ui, time, left, right, at.y, height)
        if imgui.is_item_active():
            wanted = min(max((imgui.get_io().mouse_pos.x - left) / (right - left), 0.0), 1.0)
            _go_to(ui, wanted, 0.35 * em() / (right - left), ask)
        hand()
        if imgui.is_item_hovered() and not imgui.is_item_active():
            what = "the bodies at that time" if ui.query is None else "the step nearest to that time"
            tell_beside("\n".join((f"Drag: {what}.", *mark_words(ui))))


def _go_to(ui: PanelState, wanted: float, near: float, ask: Ask) -> None:
    """Requests the bodies at the time `wanted`, or with the timeline open the step nearest to it.

    `near`: the distance in time at which the impact is taken instead.
    """
    if ui.query is not None:
        place = nearest_step(ui.query, ui.playback.phase, wanted)
        if place is not None and place != place_of(ui.playback, ui.query):
            ask.play(scrubbed(ui.playback, ui.query, place))
        return
    chosen = caught(ui, wanted, near)
    if ui.motion_playing:
        ask.invoke("motion.play")
    if chosen != ui.view.time:
        ask.look(replace(ui.view, time=chosen))


def nearest_step(query: Query, phase: Phase, time: float) -> int | None:
    """Place of the step whose time is nearest, in `phase` or, if that has no step with a time, in the last phase.

    None if neither has one.
    """
    found = [
        (moment.phase is phase, moment.phase is query.moments[-1].phase, place, moment.step.time)
        for place, moment in enumerate(query.moments)
        if isinstance(moment.step, MotionStep)
    ]
    own = [entry for entry in found if entry[0]] or [entry for entry in found if entry[1]]
    return min(own, key=lambda entry: abs(entry[3] - time))[2] if own else None


def caught(ui: PanelState, wanted: float, near: float) -> float | None:
    """The time `wanted`, rounded; None, which stands for the impact, if that is shown and at most `near` away."""
    impact = impact_of(ui.sweep)
    if impact is not None and abs(wanted - impact) <= near and ui.reveal.numbers:
        return None
    return round(wanted, TIME_DECIMALS)


def mark_words(ui: PanelState) -> list[str]:
    """A line of text for each mark on the track; none while the numbers are hidden."""
    if not ui.reveal.numbers:
        return []
    impact, lines = impact_of(ui.sweep), []
    if impact is not None:
        lines.append(f"Diamond: the impact, t = {instant(impact)}")
    if ui.sweep is not None and ui.sweep.axes is not None:
        for row, time, name in deciding_ends(ui.sweep.axes):
            if abs(time) < 1e6:
                lines.append(f"The {name}: t = {instant(time)}, {axis_name(ui.sweep.axes, row)}")
    return lines


def waiting_words(ui: PanelState) -> str:
    """Why there is no answer yet, in words."""
    return COMPUTING if ui.document.preview is None else WAITS


def readings(ui: PanelState) -> str:
    """The words beside the track: `t = 0.25   impact at t = 0.412`; while the numbers are hidden only the time."""
    time = f"t = {instant(ui.time)}"
    if not ui.reveal.numbers:
        return time
    if ui.sweep is None:
        return f"{time}{TEXT_GAP}{waiting_words(ui) if ui.sweep_waits else ''}".rstrip()
    result = ui.sweep.result
    told = {
        MotionOutcome.HIT: f"impact at t = {instant(result.time or 0.0)}",
        MotionOutcome.INITIAL_OVERLAP: "they touch or overlap at the start",
        MotionOutcome.SEPARATED: "no impact",
        MotionOutcome.ITERATION_LIMIT: f"free until {instant(result.free)}",
    }
    return f"{time}{TEXT_GAP}{told[ui.sweep.outcome]}"


def _draw_marks(ui: PanelState, time: float, left: float, right: float, top: float, height: float) -> None:
    theme, draw = ui.theme, imgui.get_window_draw_list()
    middle, impact = round(top + 0.5 * height), impact_of(ui.sweep)

    def x_of(t: float) -> float:
        return left + min(max(t, 0.0), 1.0) * (right - left)

    def line(x0: float, x1: float, colour: int, half: float) -> None:
        draw.add_rect_filled(ImVec2(x0, middle - half), ImVec2(x1, middle + half), colour, half)

    line(left, right, u32(faded(theme.text, 0.25)), 0.16 * em())
    line(left, x_of(time), u32(faded(theme.text, 0.6)), 0.16 * em())
    for tenth in range(11):
        x, tall = round(x_of(tenth / 10.0)), (0.42 if tenth % 5 == 0 else 0.26) * em()
        draw.add_line(ImVec2(x, middle), ImVec2(x, middle + tall), u32(faded(theme.text, 0.45)), 1.0)
    if ui.sweep is not None and ui.sweep.axes is not None and ui.reveal.numbers:
        for _, end, name in deciding_ends(ui.sweep.axes):
            if 0.0 <= end <= 1.0:
                x, tall, colour = round(x_of(end)), 0.55 * em(), u32(end_colour(name, theme))
                draw.add_line(ImVec2(x, middle - tall), ImVec2(x, middle + tall), colour, max(2.0, 0.13 * em()))
    x, half, tall = round(x_of(time)), max(2.0, round(0.15 * em())), 0.72 * em()
    draw.add_rect_filled(ImVec2(x - half, middle - tall), ImVec2(x + half, middle + tall), u32(theme.text), half)
    if impact is not None and ui.reveal.numbers:
        at, r = x_of(impact), 0.48 * em()
        sides = ImVec2(at, middle - r), ImVec2(at + r, middle), ImVec2(at, middle + r), ImVec2(at - r, middle)
        draw.add_quad_filled(*sides, u32(theme.winner))


def _draw_buttons(ui: PanelState, ask: Ask) -> None:
    _button("motion.play", icons.pause if ui.motion_playing else icons.play, "Play the motion (Shift+Space)", ask)
    imgui.same_line()
    _button("motion.start", icons.first, "To the start (Shift+Home)", ask)
    imgui.same_line()
    _button("motion.impact", icons.stop, "To the impact, also while you drag an arrow (Shift+End)", ask)
    imgui.same_line()


def _button(name: str, icon: icons.Icon, tip: str, ask: Ask) -> None:
    if icons.icon_button(name, icon):
        ask.invoke(name)
    explain(tip)


def _draw_close(ask: Ask) -> None:
    imgui.same_line(imgui.get_window_width() - imgui.get_style().window_padding.x - icons.BUTTON_EMS * em())
    if icons.icon_button("close motion", icons.cross, flat=True):
        ask.invoke("motion.show")
    explain("Hide the motion (Shift+M)")


MARK_VERDICTS = {
    MotionOutcome.HIT: Verdict.OVERLAPPING,
    MotionOutcome.INITIAL_OVERLAP: Verdict.OVERLAPPING,
    MotionOutcome.SEPARATED: Verdict.SEPARATED,
    MotionOutcome.ITERATION_LIMIT: Verdict.TOUCHING,
}
"""For each outcome the verdict whose mark and colour it has."""
NOTE = "The bodies move from t = 0 to t = 1. Separations are signed: positive when apart, negative when overlapping."


def outcome_colour(outcome: MotionOutcome, theme: Theme) -> Rgba:
    """The colour of an outcome, which is always drawn with a word and a mark."""
    return verdict_colour(MARK_VERDICTS[outcome], theme)


def motion_verdict(ui: PanelState, inner: float) -> Row:
    """The verdict about moving bodies as a row; a note while the answer is computed. `inner`: width in pixels."""
    sweep = ui.sweep
    if sweep is None:
        words = waiting_words(ui)
        return Words(f"In motion: {words[0].lower()}{words[1:]}.", ui.theme.dim_text)
    head, rest = verdict_of_motion(sweep)
    # Text longer than one line is in the tooltip.
    short = cramped(ui.viewport) or imgui.calc_text_size(rest).x > inner
    note = f"{head}: {rest}\n{NOTE}" if short else NOTE
    hit = sweep.result.time
    copied = full(sweep.motion.start.separation if hit is None else hit)
    what = "separation at the start" if hit is None else "time of impact"
    ink = outcome_colour(sweep.outcome, ui.theme)
    named = Words(head if short else f"{head}:", ink, note, copied=copied, what=what)
    line: tuple[Row, ...] = (mark(MARK_VERDICTS[sweep.outcome], ui.theme), named, *([] if short else [Words(rest)]))
    return Flow(line, (HEAD_GAP, imgui.calc_text_size(" ").x / em()))
