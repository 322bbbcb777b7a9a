"""The panel of contacts over time: each policy's number of contacts, births, deaths and jumps.

A chart shows the lives of the active policy's contacts. Contacts are recorded only while the panel is visible
(`dialogs.meter_panel`).
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from core.contact.policies.policy import refusal
from core.contact.tracking import JUMP_RATIO

from ..draw.theme import Theme, contact_colour, faded
from ..state.ask import Ask
from ..state.contact_times import SPAN, ContactLife, ContactTimes, PolicyTimes
from ..state.panel_state import PanelState
from ..words.digits import plain
from ..words.names import numbered
from .panel import Docked
from .rows import Button, Flow, Row, command, draw_rows
from .table import Column, TableRow, draw_table
from .text import em, explain, say, tell_beside
from .widgets import u32

EMPTY = {
    False: "Drag a body, type its numbers, or open a log. From then on each row counts the contacts that come, go and "
    "jump.",
    True: "Turn the log's pages with PageDown. From then on each row counts the contacts that come, go and jump.",
}
"""The text while nothing is recorded, without and with a log."""
NOTES = {
    "policy": "A rule that makes contacts, as engines do. Click a row to show its contacts in the picture.",
    "now": "Contacts of the pair as it stands",
    "births": "Contacts that were not there one frame before",
    "deaths": "Contacts that are gone one frame later. A contact keeps its id as long as its features' names stay, or "
    "it stays in its place on a body.",
    "jumps": f"Contacts that kept their id, but moved or changed in depth more than {JUMP_RATIO:g} times as far as the "
    "bodies moved relative to each other. A page turned back counts too.",
}
BRACKETS_EMS = 22.0
"""A table narrower than this, in ems, leaves out the mean counts per page."""
ROW_EMS, HIGHEST_EMS = 1.15, 11.0
"""The largest height of a contact's line, and of the whole chart, in ems."""


class ContactTimesPanel(Docked):
    """The table of policies, and the chart of the active one."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the table, the buttons and the chart once there is a record; sets `meter_panel`, which starts it."""
        ui.dialogs.meter_panel = True
        times = ui.contact_times
        if times is None:
            # The recording begins with the next frame.
            return
        say(caption(times, brackets=_brackets(times)), ui.theme.dim_text)
        _draw_table(ui, times, ask)
        draw_rows([_buttons(times)], ask)
        _draw_behind(times, ui.theme)
        if times.shown is None:
            say(refusal(times.active, times.scene.a, times.scene.b), ui.theme.overlap)
        elif times.frames:
            _draw_lives(ui, times, times.shown)

    def unseen(self, ui: PanelState, ask: Ask, *, wanted: bool) -> None:  # noqa: ARG002 - as all docked panels
        """Stops recording while the panel is not visible."""
        ui.dialogs.meter_panel = False


def caption(times: ContactTimes, *, brackets: bool) -> str:
    """A sentence on the table's numbers; if nothing is recorded, on how to begin.

    `brackets`: there is room for the means.
    """
    if not times.frames:
        return EMPTY[times.pages]
    if not times.pages:
        return "Counts of the last second in which something moved."
    pages = "1 page" if times.frames == 1 else f"{times.frames} pages"
    return f"Sums over {pages} compared with the one before{'; in brackets, the mean per page' if brackets else ''}."


def counts(own: PolicyTimes, times: ContactTimes, *, brackets: bool) -> tuple[str, str, str]:
    """The births, deaths and jumps as text: over a log's pages (`brackets`: also means), else of the last second."""
    if not times.pages:
        born, died, jumped = map(str, own.rates(times.now))
    else:
        sums, pages = (own.born, own.died, own.jumped), max(1, own.compared)
        born, died, jumped = (f"{count} ({plain(count / pages)})" if brackets else str(count) for count in sums)
    return born, died, jumped


def _brackets(times: ContactTimes) -> bool:
    return times.pages and imgui.get_content_region_avail().x >= BRACKETS_EMS * em()


def as_text(times: ContactTimes) -> str:
    """The table as CSV, with a heading and a line for each policy."""
    lines = ["policy,contacts,births,deaths,jumps,frames,births/s,deaths/s,jumps/s"]
    for own in times.policies:
        now = "" if own.frame is None else len(own.frame.ids)
        rates = ("", "", "") if times.pages else own.rates(times.now)
        cells = (f'"{own.policy}"', now, own.born, own.died, own.jumped, own.compared, *rates)
        lines.append(",".join(map(str, cells)))
    return "\n".join(lines) + "\n"


def _draw_table(ui: PanelState, times: ContactTimes, ask: Ask) -> None:
    brackets = _brackets(times)
    widest = "888 (8.88)" if brackets else "deaths"
    fits = {"policy": "", "now": "none"}
    columns = [Column(title, note, fits.get(title, widest)) for title, note in NOTES.items()]
    lines = [_line(ui, times, own, brackets=brackets) for own in times.policies]
    clicked = draw_table("policies", columns, lines)
    for own in times.policies:
        if own.policy.value == clicked and own is not times.shown:
            ask.tune(replace(ui.algorithm_settings, preference=own.policy))


def _buttons(times: ContactTimes) -> Row:
    forget = "Forget what was counted, and begin with the next change."
    copies = "Copies the table as CSV: sums, frames and the last second's counts."
    return Flow(
        (
            Button("Clear", command("contact_times.clear"), forget, times.frames > 0, small=False),
            Button("Copy table", lambda ask: ask.copy(as_text(times), "the contacts over time"), copies, small=False),
        )
    )


def _line(ui: PanelState, times: ContactTimes, own: PolicyTimes, *, brackets: bool) -> TableRow:
    name, shown, dim = own.policy.value, own is times.shown, ui.theme.dim_text
    if own.frame is None:
        why = refusal(own.policy, times.scene.a, times.scene.b)
        return TableRow(name, ((name, None), ("none", dim)), why, shown)
    counted = counts(own, times, brackets=brackets)
    cells = [(cell if times.frames else "–", dim if cell.startswith("0") else ui.theme.overlap) for cell in counted]
    return TableRow(name, ((name, None), (str(len(own.frame.ids)), None), *cells), _whole_row(own, times), shown)


def _whole_row(own: PolicyTimes, times: ContactTimes) -> str:
    counts = ((own.born, "birth"), (own.died, "death"), (own.jumped, "jump"))
    births, deaths, jumps = (_counted(number, noun) for number, noun in counts)
    compared = _counted(own.compared, "page" if times.pages else "frame")
    return f"{births}, {deaths} and {jumps} in {compared}.\n" + (
        "Its contacts are shown." if own is times.shown else "Click to show its contacts."
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _draw_behind(times: ContactTimes, theme: Theme) -> None:
    """Draws a note if other policies were not compared in every frame, so that some changes are not counted."""
    late = [own.compared for own in times.policies if own.frame is not None and own.compared < times.frames]
    if late:
        each = f"each was compared in at least {min(late)} of {times.frames} frames"
        say(f"The other policies take turns, to keep the drag quick: {each}.", theme.dim_text)


def _draw_lives(ui: PanelState, times: ContactTimes, own: PolicyTimes) -> None:
    """Draws a line for each contact of the active policy, from birth to death, with marks at its jumps."""
    theme, span = ui.theme, SPAN[times.pages]
    imgui.separator_text(f"Contacts by id: {own.policy.value}")
    explain(
        "Each line is a contact, from its birth to its death, in the colour of its dot in the picture. × is a jump."
    )
    since = max(0.0, times.now - span)
    runs = [run for run in (*own.ended, *own.alive) if run.end >= since]
    slots = max((run.slot + 1 for run in runs), default=1)
    row = min(ROW_EMS * em(), HIGHEST_EMS * em() / slots)
    names = imgui.calc_text_size(numbered("c", 888)).x + 0.6 * em()
    corner = imgui.get_cursor_screen_pos()
    width = max(imgui.get_content_region_avail().x - names, 4.0 * em())
    imgui.invisible_button("##lives", ImVec2(width + names, max(1.0, slots * row)))
    scale = width / max(times.now - since, 1e-9)
    for at in times.cuts:
        x = corner.x + (at - since) * scale
        imgui.get_window_draw_list().add_line(
            ImVec2(x, corner.y), ImVec2(x, corner.y + slots * row), u32(faded(theme.text, 0.4)), 1.0
        )
    named = {run.id for run in own.alive} if row >= 0.9 * em() else ()
    for run in runs:
        _draw_life(run, since, scale, row, corner, theme, named=run.id in named)
    if imgui.is_item_hovered():
        place = imgui.get_mouse_pos()
        slot = int((place.y - corner.y) / row)
        _tell_life(runs, since + (place.x - corner.x) / scale, slot, times, own.alive)
    back = times.now - since
    says = f"{_counted(round(back), 'page')} ago" if times.pages else f"−{back:.1f} s"
    imgui.text_disabled(says)
    imgui.same_line(max(width - imgui.calc_text_size("now").x, imgui.calc_text_size(says).x + em()))
    imgui.text_disabled("now")


def _draw_life(
    run: ContactLife, since: float, scale: float, row: float, corner: ImVec2, theme: Theme, *, named: bool
) -> None:
    draw, rgba = imgui.get_window_draw_list(), contact_colour(run.id)
    y = corner.y + (run.slot + 0.5) * row
    left = corner.x + (max(run.start, since) - since) * scale
    right = max(corner.x + (run.end - since) * scale, left + 2.0)
    thick = 0.28 * row
    draw.add_rect_filled(ImVec2(left, y - thick), ImVec2(right, y + thick), u32(rgba))
    size = 0.38 * row
    for at in run.jumps:
        x = corner.x + (at - since) * scale
        if at >= since:
            for way in (-1.0, 1.0):
                draw.add_line(ImVec2(x - size, y - way * size), ImVec2(x + size, y + way * size), u32(theme.text), 1.5)
    if named:
        at_name = ImVec2(right + 0.3 * em(), y - 0.5 * imgui.get_text_line_height())
        draw.add_text(at_name, u32(theme.text), numbered("c", run.id))


def _tell_life(
    runs: list[ContactLife], at: float, slot: int, times: ContactTimes, alive: tuple[ContactLife, ...]
) -> None:
    """Draws the tooltip of the contact whose line is under the pointer, if any."""
    here = [run for run in runs if run.slot == slot and run.start <= at <= run.end]
    if not here:
        return
    run = here[-1]
    ago = (times.now - run.start, times.now - run.end)
    born, died = (_counted(round(time), "page") if times.pages else f"{time:.2f} s" for time in ago)
    lasts = "still there" if run in alive else f"gone {died} ago"
    jumps = f"\nJumps: {len(run.jumps)}" if run.jumps else ""
    tell_beside(f"{numbered('c', run.id)}: born {born} ago, {lasts}.{jumps}")
