"""Windows over the viewport: modal questions, About, the help on mouse and keys, and the command palette.

Help and palette are made from the tables of bindings and commands, so every listed entry works.
"""

from __future__ import annotations

from imgui_bundle import ImVec2, imgui

from ..input.bindings import mouse_help
from ..state.ask import Ask
from ..state.panel_state import MenuEntry, PanelState, Pending
from ..words.glossary import Term, term_begun
from ..words.key_names import as_on_keys
from .defined_text import definition
from .menu_bar import grouped
from .text import em, explain, flow, say
from .widgets import button_width, centred, dialog, enter_pressed

QUESTION_EMS = 30.0
ABOUT = (
    "Separatrix shows how collision algorithms work: SAT's axes with both projections, the Minkowski difference, "
    "GJK, EPA and contacts, step by step.",
    "Drag two convex bodies and watch. Every number says how it is known. If two algorithms disagree, a line under "
    "the verdict says so.",
)
REFERENCES = (
    "Gottschalk, Lin, Manocha: OBBTree (1996), the fifteen axes.",
    "Gregorius: The Separating Axis Test between Convex Polyhedra (GDC 2013), the Gauss map.",
    "Ericson: Real-Time Collision Detection (2005).",
)


class QuestionDialog:
    """The pending question as a modal: Enter gives the first choice, Escape the last."""

    def __init__(self) -> None:
        self._asked: Pending | None = None

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the pending question, if any."""
        title = f"{ui.pending.title}###question" if ui.pending is not None else "###question"
        appearing = ui.pending is not None and ui.pending != self._asked
        self._asked = ui.pending
        if ui.pending is not None and not imgui.is_popup_open("###question"):
            imgui.open_popup("###question")
        width = min(QUESTION_EMS * em(), 0.94 * imgui.get_main_viewport().work_size.x)
        centred(QUESTION_EMS, 0.0, imgui.Cond_.always)
        imgui.set_next_window_size(ImVec2(width, 0.0), imgui.Cond_.always)
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
        if not imgui.begin_popup_modal(title, None, flags)[0]:
            return
        if ui.pending is None:
            imgui.close_current_popup()
        else:
            _draw_question(ui.pending, appearing, ask)
        imgui.end_popup()


def _draw_question(pending: Pending, appearing: bool, ask: Ask) -> None:
    say(pending.message)
    imgui.dummy(ImVec2(0.0, 0.3 * em()))
    answer = None
    for k, choice in enumerate(pending.choices):
        if k:
            flow(button_width(choice.label))
        else:
            imgui.push_style_color(imgui.Col_.button, imgui.get_color_u32(imgui.Col_.button_active))
        if imgui.button(f"{choice.label}##{choice.id}"):
            answer = choice.id
        if not k:
            imgui.pop_style_color()
    # The key press that opened the question must not answer it.
    if answer is None and not appearing and pending.choices:
        if enter_pressed():
            answer = pending.choices[0].id
        elif imgui.is_key_pressed(imgui.Key.escape, False):
            answer = pending.choices[-1].id
    if answer is not None:
        ask.answer(answer)


class About:
    """The window About: what the program is, and its sources."""

    def draw(self, ui: PanelState, ask: Ask) -> None:  # noqa: ARG002 - every panel is asked alike
        """Draws the window while `dialogs.about` is true."""
        with dialog(ui, "about", "About Separatrix", (32.0, 0.0), imgui.WindowFlags_.no_resize) as shown:
            if shown:
                for paragraph in ABOUT:
                    say(paragraph)
                imgui.separator_text("After")
                for source in REFERENCES:
                    say(source, ui.theme.dim_text)
                say("MIT licence.", ui.theme.dim_text)


PICTURE_WORDS = (
    "On the left are two convex bodies, A and B. The separating axis test (SAT) projects both onto a handful of "
    "candidate axes. A gap between the two intervals on any axis proves the bodies apart. If the intervals overlap "
    "on every axis, the bodies overlap, and the axis of least overlap is the shortest way out.",
    "On the right is the Minkowski difference A − B: every point of A minus every point of B. The bodies touch or "
    "overlap exactly when it contains the origin. Each pair of its opposite faces is one candidate axis, and the "
    "depth is the origin's distance to the nearest face: the same axis and the same number, in another picture.",
    "When bodies move, t runs from 0 to 1. If neither turns, A − B keeps its shape and the origin moves instead. "
    "They first touch when its path enters A − B.",
    "The separation is signed: positive when apart, negative when overlapping. Lengths are in scene units. The "
    'verdict is "touching" if the separation is zero within the touching tolerance.',
)
"""The paragraphs of the help on what the window shows."""


class Help:
    """The window with the help on mouse and keys."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the window while `dialogs.help` is true."""
        with dialog(ui, "help", "Mouse and keys", (44.0, 44.0)) as shown:
            if shown:
                imgui.separator_text("What you see")
                for paragraph in PICTURE_WORDS:
                    say(paragraph)
                imgui.separator_text("Mouse")
                _draw_rows("mouse", tuple((as_on_keys(hand), effect) for hand, effect in mouse_help()))
                for group, commands in grouped(ui.commands()).items():
                    keyed = tuple(entry for entry in commands if entry.keys)
                    if keyed:
                        imgui.separator_text(group)
                        _draw_commands(group, keyed, ask)


def _begin_rows(name: str) -> bool:
    if not imgui.begin_table(name, 2, imgui.TableFlags_.row_bg):
        return False
    width = min(15.5 * em(), 0.45 * imgui.get_content_region_avail().x)
    imgui.table_setup_column("input", imgui.TableColumnFlags_.width_fixed, width)
    imgui.table_setup_column("effect", imgui.TableColumnFlags_.width_stretch)
    return True


def _draw_commands(name: str, entries: tuple[MenuEntry, ...], ask: Ask) -> None:
    """Draws a row for each command, unless the table is out of sight; its keys are buttons that run it."""
    if not _begin_rows(name):
        return
    for entry in entries:
        imgui.table_next_row()
        imgui.table_next_column()
        for number, chord in enumerate(entry.keys):
            if number:
                flow(button_width(chord))
            imgui.begin_disabled(not entry.enabled)
            if imgui.small_button(f"{chord}##{entry.id}"):
                ask.invoke(entry.id)
            imgui.end_disabled()
            explain(entry.tip or entry.title)
        imgui.table_next_column()
        imgui.text_wrapped(entry.title)
    imgui.end_table()


def _draw_rows(name: str, rows: tuple[tuple[str, str], ...]) -> None:
    if not _begin_rows(name):
        return
    for left, right in rows:
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.text_wrapped(left)
        imgui.table_next_column()
        imgui.text_wrapped(right)
    imgui.end_table()


WIDTH_EMS = 34.0
ROWS = 12
"""The most rows shown at once; the rest scrolls."""


def fuzzy_score(query: str, text: str) -> float | None:
    """The score of `text` for `query`, larger for a better match; None if `text` lacks the query's letters in order.

    A letter counts more at the start of a word, and right after the previous match. A text that contains the whole
    query scores more, and a long text a little less.
    """
    letters, target = query.lower().replace(" ", ""), text.lower()
    score, position, previous = float(len(letters) if query.lower().strip() in target else 0), 0, -2
    for letter in letters:
        found = _best_place(target, letter, position, previous)
        if found < 0:
            return None
        starts_word = found == 0 or not target[found - 1].isalnum()
        score += 1.0 + (2.0 if starts_word else 0.0) + (1.5 if found == previous + 1 else 0.0)
        previous, position = found, found + 1
    return score - 0.01 * len(target)


def palette_score(query: str, text: str) -> float | None:
    """The larger score of a text: for the whole query, or for its words in any order; None if neither matches."""
    whole, words = fuzzy_score(query, text), [fuzzy_score(word, text) for word in query.split()]
    known = [score for score in words if score is not None]
    apart = sum(known) if len(words) > 1 and len(known) == len(words) else None
    return max((score for score in (whole, apart) if score is not None), default=None)


def matches(query: str, commands: tuple[MenuEntry, ...]) -> list[MenuEntry]:
    """The enabled commands that match, best first; without a query all enabled ones, in the order of the table."""
    enabled = [command for command in commands if command.enabled]
    if not query.strip():
        return enabled
    scored = [(palette_score(query, f"{c.title} {c.group}"), c) for c in enabled]
    return [c for score, c in sorted(((s, c) for s, c in scored if s is not None), key=lambda pair: -pair[0])]


def with_lesson(found: list[MenuEntry], term: Term, commands: tuple[MenuEntry, ...]) -> list[MenuEntry]:
    """The found commands, with the command that opens the term's lesson, if any, in second place.

    It is in first place if no other command was found.
    """
    shown = [command for command in commands if term.lesson and command.id == f"lesson.{term.lesson}"]
    others = [command for command in found if command not in shown]
    return [*others[:1], *shown, *others[1:]]


class PaletteDialog:
    """The command palette: arrows choose, Enter runs; Escape, or a click elsewhere, closes it.

    A glossary term is defined above the list.
    """

    def __init__(self) -> None:
        self._query = ""
        self._chosen = 0
        self._open = False

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the palette while `dialogs.palette` is true."""
        appearing = ui.dialogs.palette and not self._open
        self._open = ui.dialogs.palette
        if not self._open:
            return
        if appearing:
            self._query, self._chosen = "", 0
        viewport = imgui.get_main_viewport()
        width = min(WIDTH_EMS * em(), 0.94 * viewport.work_size.x)
        top = ImVec2(viewport.work_pos.x + 0.5 * viewport.work_size.x, viewport.work_pos.y + 3.0 * em())
        imgui.set_next_window_pos(top, imgui.Cond_.always, ImVec2(0.5, 0.0))
        imgui.set_next_window_size(ImVec2(width, 0.0), imgui.Cond_.always)
        if appearing:
            imgui.set_next_window_focus()
        flags = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
        if imgui.begin("##palette", None, flags | imgui.WindowFlags_.no_nav)[0]:
            self._draw_inside(ui, appearing, ask)
            lost = not appearing and not imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows)
            if lost or imgui.is_key_pressed(imgui.Key.escape, False):
                ui.dialogs.palette = False
        imgui.end()

    def _draw_inside(self, ui: PanelState, appearing: bool, ask: Ask) -> None:
        if appearing:
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(-1.0)
        changed, self._query = imgui.input_text_with_hint("##query", "What do you want to do?", self._query)
        if changed:
            self._chosen = 0
        found = matches(self._query, ui.commands())
        term = term_begun(self._query)
        if term is not None:
            say(definition(term), ui.theme.dim_text)
            found = with_lesson(found, term, ui.commands())
        if not found:
            imgui.text_disabled("No command matches.")
            return
        step = int(imgui.is_key_pressed(imgui.Key.down_arrow)) - int(imgui.is_key_pressed(imgui.Key.up_arrow))
        self._chosen = (self._chosen + step) % len(found)
        row = imgui.get_text_line_height_with_spacing()
        rows = min(ROWS, len(found), int(0.7 * imgui.get_main_viewport().work_size.y // row))
        picked = found[self._chosen] if enter_pressed() and not appearing else None
        if imgui.begin_child("##found", ImVec2(0.0, max(1, rows) * row)):
            for k, command in enumerate(found):
                if _draw_entry(command, k == self._chosen, scroll=bool(step)):
                    picked = command
        imgui.end_child()
        if picked is not None:
            ui.dialogs.palette = False
            ask.invoke(picked.id)


def _draw_entry(command: MenuEntry, chosen: bool, *, scroll: bool) -> bool:
    imgui.push_id(command.id)
    clicked, _ = imgui.selectable(command.title, chosen)
    if chosen and scroll:
        imgui.set_scroll_here_y()
    explain(command.tip)
    side = f"{command.group}   {command.keys[0]}" if command.keys else command.group
    room = imgui.get_content_region_avail().x
    imgui.same_line(max(0.0, room - imgui.calc_text_size(side).x))
    imgui.text_disabled(side)
    imgui.pop_id()
    return clicked


def _best_place(target: str, letter: str, start: int, previous: int) -> int:
    """The index at which to match `letter`: right after the previous one, else at a word's start, else the first."""
    first = target.find(letter, start)
    if first < 0 or first == previous + 1:
        return first
    place = first
    while place >= 0:
        if place == 0 or not target[place - 1].isalnum():
            return place
        place = target.find(letter, place + 1)
    return first
