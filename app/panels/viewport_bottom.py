"""The cards at the bottom of the viewport: one hint, the scene's notes, notices, the read-out of a drag, a log's bar.

If the picture could not be drawn because of a fault in the program, a sentence is in the middle of the viewport.
"""

from __future__ import annotations

from functools import partial

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.query.query import MOTION_PHASES

from ..draw.placed import Rect
from ..probes import Aim, ScaleProbe
from ..state.ask import Ask
from ..state.panel_state import LogPosition, Notice, PanelState
from ..state.work import Document
from ..words.contact_words import CONTACT, contact_numbers, contact_text
from ..words.names import axis_name
from ..words.right_angles import right_angle_words
from ..words.terms import terms_of
from .cards import CARDS, QUIET, Card, cramped
from .defined_text import Defined
from .key_buttons import Keyed
from .panel import CHIP_WINDOW
from .rows import Button, Ends, Flow, Own, Row, Rule, Words, command
from .text import em, explain
from .viewport_top import MARGIN_EMS, below_titles
from .widgets import button_width, usable_button

CARD_EMS = 24.0
"""Largest width of a card, ems."""
MOST_OPEN_SHARE = 0.1
"""Notes that would cover a larger share of the viewport than this are folded at first."""
OFFER_EMS = 6.0
"""Height of folded notes with the offer of a lesson, ems."""
HINT_WINDOW = "##hint"
NOTES_WINDOW = "##notes"
MOVED_WINDOW = "##notes, moved"
MOVED = "You have changed the pair. The note speaks of it as it was opened."
QUESTION_WINDOW = "##question"
LOG_WINDOW = "##log"
NOTICES_WINDOW = "##notices"
LEAST_NOTICE = 5.0
"""Least height available to the notices, ems."""
LOG_EMS = 40.0
"""Largest width of a log's bar, ems."""
_FLAT_HINT = "Drag a body to move it, Shift-drag to turn it. Drag the background to pan. Tab: tables. F1: help."
_CALM_HINT = "Drag a body to move it, Shift-drag to turn it. Drag the background to turn the view. Tab: axes. F1: help."
CALM_HINTS = {2: _FLAT_HINT, 3: _CALM_HINT}
"""The hint if no other applies and the panels are hidden, by dimension."""
PANELS_HINT = "Point at a row to see its axis everywhere; click to pin it. Tab hides the panels. F1: help."
AIM_HINT = "Click a pixel of the world to shoot a ray through it. Esc cancels."
SCALING_HINT = "Play, or drag s in the card, to scale space until the ellipsoid is a unit sphere. Esc closes the probe."
PROBE_HINT = "Drag a handle of the probe. Ctrl snaps; X, Y or Z restricts the drag to an axis. Esc closes the probe."
AXIS_HINT = "Drag an end of your axis to turn it. Ctrl snaps to candidates; X, Y or Z sets it along that world axis."
MOTION_HINT = (
    "Drag an arrow's tip to change the motion, or the time bar below. Shift+Space plays, Shift+End jumps to the impact."
)
LET_GO = "“Drag freely again” in the menu Tools ends that."
STEPS_HINT = "← → step, Space plays. You can drag a body at any step."
MOTION_STEPS_HINT = "← → step, Space plays. Ghosts show the bodies at this step's time."


def hint_for(ui: PanelState) -> str:
    """The hint: one line on what the user can do now."""
    if ui.drag_readout is not None and not ui.drag_holdable:
        return "Ctrl snaps. Esc cancels."
    if ui.drag_readout is not None:
        return f"Ctrl snaps. {_axis_keys(ui)} restricts the drag to an axis. Esc cancels."
    if ui.asked is not None and ui.asked.open:
        return f"{ui.asked.question.how} Esc stops the questions."
    if isinstance(ui.view.probe, Aim):
        return AIM_HINT
    if ui.over is not None and ui.over.kind == "body":
        letter = "AB"[ui.over.number]
        if ui.view.hold is not None:
            return f"Drag {letter}: it {ui.view.hold.words}. Ctrl snaps. {LET_GO}"
        return f"Drag to move {letter}, Shift-drag to turn it, click to select it."
    for subject, ending in ((ui.view.hover, "Click to pin it."), (ui.view.pin, "Pinned; Esc unpins it.")):
        if subject is None:
            continue
        if subject.kind == "axis" and subject.number < len(ui.analysis.sat.candidates):
            # SAT's table is of the bodies at the start; with a motion, the picture may show another time.
            label = axis_name(ui.analysis.sat, subject.number) + ("" if ui.sweep is None else " at the start")
            if subject is ui.view.hover:
                label += f", {right_angle_words(ui.scene, ui.analysis.sat, subject.number)}"
            words = f"{label}: {ui.sat_progress.reason(ui.analysis, subject.number)}."
            return f"{words} {ending}" if not ui.sat_progress.stepping else words
        if subject.kind == CONTACT and (told := _contact_words(ui, subject.number)):
            return f"{told}. {ending}"
        if subject.kind == "free_axis":
            return AXIS_HINT
        if subject.kind == "probe":
            return PROBE_HINT
        if subject.kind == "motion":
            letter = "AB"[subject.number]
            return (
                f"Drag the tip to where {letter} should go. Ctrl snaps; {_axis_keys(ui)} restricts the drag to an axis."
            )
    if ui.playback.open:
        return MOTION_STEPS_HINT if ui.moment is not None and ui.moment.phase in MOTION_PHASES else STEPS_HINT
    if ui.sweep is not None:
        return MOTION_HINT
    if ui.view.probe is not None:
        return SCALING_HINT if isinstance(ui.view.probe, ScaleProbe) else PROBE_HINT
    if ui.view.hold is not None:
        return f"Drag a body: it {ui.view.hold.words}. {LET_GO}"
    if ui.settings.panels:
        return PANELS_HINT
    return CALM_HINTS[ui.document.scene.dimension]


def _contact_words(ui: PanelState, number: int) -> str:
    """Contact `number` in words: of the query if one is open, else of the answer; "" if there is no such contact."""
    found = ui.analysis.contacts if ui.query is None else ui.query.manifold
    contacts = () if found is None else (*found.contacts, *found.dropped)
    numbers = range(len(contacts)) if ui.query is None else [contact_numbers(ui.query)[it.name] for it in contacts]
    contact = dict(zip(numbers, contacts, strict=True)).get(number)
    return "" if contact is None else contact_text(ui.analysis.scene, number, contact)


def _axis_keys(ui: PanelState) -> str:
    *first, last = (name.upper() for name in terms_of(ui.document.scene.dimension).axes)
    return f"{', '.join(first)} or {last}"


class HintLine:
    """The hint, a line at the bottom of the viewport, wrapped in a narrow viewport."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the hint if the setting `hint` is on and the window is not small, and the values of a drag always."""
        if ui.drag_readout is not None:
            _draw_readout(ui, ui.drag_readout, ask)
        if not ui.settings.hint or cramped(ui.viewport):
            return
        widest = max(8.0 * em(), ui.viewport.width - 2.0 * MARGIN_EMS * em())
        words = Keyed(hint_for(ui), ui, ui.theme.dim_text)

        def paint(ask: Ask) -> None:
            words.draw(widest - 1.4 * em(), ask)
            if imgui.begin_popup_context_window():
                if imgui.menu_item("Hide hints", "", False)[0]:
                    ask.configure(replace(ui.settings, hint=False))
                imgui.end_popup()

        row = Own(words.measure(widest - 1.4 * em()), paint)
        imgui.push_style_color(imgui.Col_.border, imgui.ImVec4(0.0, 0.0, 0.0, 0.0))
        _draw_low(ui.viewport, Card(HINT_WINDOW, [row], widest, padding=(0.7, 0.3), alpha=0.55), ask, 0.5)
        imgui.pop_style_color()


class Notes:
    """The scene's notes as a card at the bottom left, until they are dismissed.

    In a viewport with little room the card shows only its title and buttons, until it is unfolded; with less room also
    not the offer of a lesson.
    """

    def __init__(self) -> None:
        self._dismissed: tuple[str, str] | None = None
        self._unfolded: tuple[str, str] | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the notes, if any, if there is room; those that were dismissed last stay away.

        To dismiss them also declines the lesson that they offer.
        """
        name, notes = key = ui.name_and_notes
        if not notes.strip() or key == self._dismissed or cramped(ui.viewport):
            return
        width = min(CARD_EMS * em(), ui.viewport.width - 2.0 * MARGIN_EMS * em())
        padding = imgui.get_style().window_padding.x
        tall = imgui.calc_text_size(notes, False, width - 2.0 * padding).y + 3.0 * em()
        highest = MOST_OPEN_SHARE * ui.viewport.width * ui.viewport.height / width
        folded = key != self._unfolded and tall > highest

        def unfold(_ask: Ask) -> None:
            self._unfolded = key

        def dismiss(ask: Ask) -> None:
            self._dismissed = key
            if ui.offer:
                ask.decline_lesson()

        title, close = Words(name or "Notes"), Button("×", dismiss, "Close these notes")
        rows: list[Row]
        if folded:
            # The title gets the width that the buttons do not need.
            buttons = Flow((Button("…", unfold, notes), close))
            room = width - 2.0 * padding - buttons.measure(width)[0] - imgui.get_style().item_spacing.x
            rows = [Flow((Own(title.measure(room), partial(title.draw, room)), buttons))]
        else:
            rows = [Ends(title, (close,)), Defined((notes,), ui, rgba=ui.theme.dim_text)]
        if ui.offer and ui.log is None and not (folded and OFFER_EMS * em() > highest):
            offer = Words("New to this?"), Button(ui.offer, command("lessons.open"))
            rows += offer if folded else [Flow(offer)]
        _draw_low(ui.viewport, Card(NOTES_WINDOW, rows, width), ask, 0.0, _below_cards(ui.viewport))
        if has_moved(ui.document):
            _draw_moved(ui, width, ask, short=folded)


def has_moved(document: Document) -> bool:
    """Whether the pair differs from the one opened or last saved, which the notes describe; not during a drag."""
    now, then = document.committed, document.saved
    return (now.a, now.b) != (then.a, then.b)


def _draw_moved(ui: PanelState, width: float, ask: Ask, *, short: bool) -> None:
    """Draws a card above the notes' card, with a button that puts the pair back; `short`: the button alone.

    A separate card keeps the height of the notes' card unchanged, beside which the picture is framed.
    """
    saved = ui.document.saved

    def back(ask: Ask) -> None:
        ask.edit(replace(ui.document.committed, a=saved.a, b=saved.b), "Put the pair back")

    tip = f"{MOVED + ' ' if short else ''}A and B as they were opened or last saved. Ctrl+Z undoes it."
    rows: list[Row] = [*([] if short else [Words(MOVED)]), Button("Put it back", back, tip)]
    above = _below_cards(ui.viewport) + CARDS.height(NOTES_WINDOW) + 0.5 * MARGIN_EMS * em()
    _draw_low(ui.viewport, Card(MOVED_WINDOW, rows, width), ask, 0.0, above)


class NoticesCard:
    """Short messages at the bottom right, the newest below; errors stay until dismissed."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws nothing if there are no notices."""
        if not ui.notices:
            return
        width = min(CARD_EMS * em(), ui.viewport.width - 2.0 * MARGIN_EMS * em())
        rows: list[Row] = []
        for notice in ui.notices:
            rows += [Rule()] * bool(rows)
            rows += _notice_rows(ui, notice)
        # The notices scroll, so that they do not cover the verdict and the chip of changed settings. Without room
        # beside the notes they are above them, or cover them if too little height is left.
        above, notes = _below_cards(ui.viewport), 0.0
        if 2.0 * width + 3.0 * MARGIN_EMS * em() > ui.viewport.width:
            notes = max(CARDS.height(NOTES_WINDOW) + CARDS.height(MOVED_WINDOW), CARDS.height(QUESTION_WINDOW))
        top = below_titles() + (CARDS.height(CHIP_WINDOW) + MARGIN_EMS * em() if CARDS.height(CHIP_WINDOW) else 0.0)
        room = ui.viewport.height - top - above - 2.0 * MARGIN_EMS * em()
        if room - notes >= LEAST_NOTICE * em():
            above, room = above + notes, room - notes
        highest = max(LEAST_NOTICE * em(), room)
        _draw_low(ui.viewport, Card(NOTICES_WINDOW, rows, width, highest=highest, alpha=0.94), ask, 1.0, above)


def _notice_rows(ui: PanelState, notice: Notice) -> list[Row]:
    told = f"Error: {notice.message}" if notice.error else notice.message
    ink, key = ui.theme.overlap if notice.error else ui.theme.text, str(notice.number)
    rows: list[Row] = [Ends(Keyed(told, ui, ink), (Button("×", lambda ask: ask.dismiss(notice.number), key=key),))]
    if notice.report:
        rows.append(Button("Copy report", lambda ask: ask.copy(notice.report, "the report"), small=False, key=key))
    return rows


def _below_cards(area: Rect) -> float:
    """Height below the cards in the corners: of the hint, and of a log's bar if they have no room beside it; pixels."""
    log = 0.0 if beside_log(area) else CARDS.height(LOG_WINDOW)
    return CARDS.height(HINT_WINDOW) + (log + MARGIN_EMS * em() if log else 0.0)


def beside_log(area: Rect) -> bool:
    """Whether the cards in the corners have room beside the bar of a log."""
    return (LOG_EMS + 2.0 * CARD_EMS + 4.0 * MARGIN_EMS) * em() <= area.width


def _draw_readout(ui: PanelState, readout: str, ask: Ask) -> None:
    """Draws the change of the current drag beside the pointer, inside the viewport."""
    area, (x, y) = ui.viewport, ui.pointer
    card = Card("##readout", [Words(readout)], 1e6, padding=(0.6, 0.35), flags=QUIET)
    room = area.x + area.width - card.size[0], area.y + area.height - card.size[1]
    card.draw(ImVec2(min(x + 1.4 * em(), room[0]), min(y + 1.2 * em(), room[1])), ask)


def draw_in_corner(area: Rect, card: Card, ask: Ask) -> None:
    """Draws a card in the notes' place."""
    _draw_low(area, card, ask, 0.0, _below_cards(area))


def _draw_low(area: Rect, card: Card, ask: Ask, side: float, above: float = 0.0) -> None:
    """Draws a card at the viewport's bottom: left (0), middle (0.5) or right (1), raised by `above` pixels."""
    margin = MARGIN_EMS * em()
    x = area.x + margin + side * (area.width - 2.0 * margin)
    y = area.y + area.height - margin - (above + 0.5 * margin if above else 0.0)
    card.draw(ImVec2(x, y), ask, (side, 1.0))


class LogStepper:
    """A bar at the bottom of the viewport, above the hint, while a log is open."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws nothing without a log."""
        if ui.log is None:
            return
        area = ui.viewport
        width = min(LOG_EMS * em(), area.width - 1.2 * em())
        inner = width - 2.0 * imgui.get_style().window_padding.x
        controls = Own((inner, imgui.get_frame_height()), partial(_draw_controls, ui.log))
        rows: list[Row] = [controls, Words(ui.log.fault or ui.log.title, ui.theme.overlap if ui.log.fault else None)]
        at = ImVec2(area.x + 0.5 * area.width, area.y + area.height - em() - CARDS.height(HINT_WINDOW))
        Card(LOG_WINDOW, rows, width, alpha=0.92).draw(at, ask, (0.5, 1.0))


def _draw_controls(log: LogPosition, ask: Ask) -> None:
    previous, following = "‹ Previous", "Next ›"
    if usable_button(previous, log.index > 0):
        ask.show_entry(log.index - 1)
    imgui.same_line()
    imgui.set_next_item_width(
        imgui.get_content_region_avail().x - button_width(following) - imgui.get_style().item_spacing.x
    )
    moved, number = imgui.slider_int("##entry", log.index + 1, 1, max(1, log.count), f"%d of {log.count}")
    explain("Drag, or Ctrl-click to type a number")
    number = min(max(number, 1), log.count)
    if moved and number - 1 != log.index:
        ask.show_entry(number - 1)
    imgui.same_line()
    if usable_button(following, log.index < log.count - 1):
        ask.show_entry(log.index + 1)


WIDEST_EMS = 26.0
SENTENCE = (
    "The picture cannot be drawn because of a fault in the program. Undo the last change, or look at something else."
)


class PictureFault:
    """A message in the middle of the viewport if drawing failed; the notice has the report."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the message while there is a fault."""
        if not ui.picture_fault:
            return
        area = ui.viewport
        card = Card("##picture fault", [Words(SENTENCE)], min(WIDEST_EMS * em(), 0.9 * area.width), alpha=1.0)
        card.draw(ImVec2(area.x + 0.5 * area.width, area.y + 0.5 * area.height), ask, (0.5, 0.5))
