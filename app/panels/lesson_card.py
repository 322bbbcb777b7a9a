"""The lesson card: at the left over the full height; in a narrow window that is not low a sheet at the bottom.

From top to bottom: the title and the buttons that leave, a dot for each step, the step's text, its options or answers,
its goals with measured values, and the closing words. Back, Hint, Skip and Next have fixed places at the bottom.
"""

from __future__ import annotations

from math import inf

from imgui_bundle import ImVec2, imgui

from ..draw.theme import faded
from ..state.ask import Ask
from ..state.lesson import LessonOption, LessonStep
from ..state.lesson_shown import LessonShown
from ..state.panel_state import PanelState
from ..state.prediction import CurrentQuestion, Outcome
from .key_buttons import Keyed
from .lesson_text import flow_text
from .question import answer_buttons
from .rows import draw_rows
from .style import LARGE, accent
from .text import TIPS, em, explain, flow, hand, say, sized, write
from .widgets import SIDE_BAR, button_width, u32

LESSON_WINDOW = "##lesson"
WIDTH_EMS = 21.7
"""Width of the card at the left, ems: 304 points at the default text size."""
NARROW_EMS = 71.0
"""In a window narrower than this, ems, the card is a sheet at the bottom, if the window is high enough for it."""
SHEET_SHARE = 0.38
"""The sheet's height, as a share of the window's."""
LOW_EMS, MOST_SHARE = 12.5, 0.4
"""The least height of the sheet, ems, and the share of the width that the card may take in a window too low for it."""
OFFERED_ALPHA, ASKED_ALPHA = 0.3, 0.55
"""Opacity of the accent colour behind the button of an offered hint, and behind Next once the goals are met."""
PAGE = 0.8
"""The share of the words in sight by which a page is turned."""
GO_ON_EMS = 5.0
"""The least width of Skip, Next and Finish, ems."""
FEEDBACK_LINES = 3
"""Lines reserved for measured values, so that the lines below do not move."""


MENU_LABEL, MENU_ID = "…", "##lesson menu"
MENU_COMMANDS = (
    ("lessons.restart", "Start this step again"),
    ("lessons.anew", "Begin this lesson again"),
    ("lessons.explore", "Explore this scene"),
    ("presets.gallery", "All lessons"),
    ("lessons.leave", "Leave the lesson"),
)
"""The commands of the card's menu."""


class LessonCard:
    """The lesson card, shown while a lesson is open."""

    def __init__(self) -> None:
        self._step, self._met = "", False
        self.needed = 0.0
        """Height of the card with all its content, in imgui's units."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card while a lesson is open."""
        lesson = ui.lesson
        if lesson is None:
            return
        viewport = imgui.get_main_viewport()
        height = SHEET_SHARE * viewport.size.y
        low = height < LOW_EMS * em()
        sheet = viewport.size.x < NARROW_EMS * em() and not low
        if sheet:
            side, size = imgui.Dir.down, height
        else:
            width = WIDTH_EMS * em()
            side, size = imgui.Dir.left, min(width, MOST_SHARE * viewport.size.x) if low else width
        imgui.push_style_var(imgui.StyleVar_.window_padding, ImVec2(0.9 * em(), 0.6 * em()))
        if imgui.internal.begin_viewport_side_bar(LESSON_WINDOW, viewport, side, round(size), SIDE_BAR):
            self._draw_inside(ui, lesson, ask, sheet=sheet, low=low)
        imgui.end()
        imgui.pop_style_var()

    def _draw_inside(self, ui: PanelState, lesson: LessonShown, ask: Ask, *, sheet: bool, low: bool) -> None:
        _draw_head(ui, lesson, ask)
        step = lesson.step
        gap = imgui.get_style().item_spacing.y
        foot = _foot_rows() * (imgui.get_frame_height() + gap) + (0.0 if low else em() + gap)
        above = imgui.get_cursor_pos_y()
        imgui.begin_child("##words", ImVec2(0.0, -foot))
        name = lesson.lesson.id if step is None else f"{lesson.lesson.id} {step.id}"
        if name != self._step:
            self._step, self._met = name, lesson.met
            TIPS.hold()
            imgui.set_scroll_y(0.0)
        if step is None:
            closing = 0.0
            _draw_end(ui, lesson, ask)
        elif sheet and imgui.begin_table("##columns", 2):
            imgui.table_next_column()
            terms = _draw_words(ui, lesson, step, ask)
            imgui.table_next_column()
            closing = _draw_doing(ui, lesson, step, ask, terms)
            imgui.end_table()
        else:
            closing = _draw_doing(ui, lesson, step, ask, _draw_words(ui, lesson, step, ask))
        if lesson.met and not self._met:
            # In a low card, scrolls to the words that close the step, from their first line.
            imgui.set_scroll_y(closing)
        self._met = lesson.met
        _scroll_by_keys()
        self.needed = above + imgui.get_cursor_pos_y() + foot + 0.6 * em()
        imgui.end_child()
        if not low:
            # On one line: the height below the words is reserved for one.
            Keyed("F2: all lessons. Esc leaves, and F2 comes back.", ui, ui.theme.dim_text).draw(inf, ask)
        _draw_foot(ui, lesson, ask)


def _draw_head(ui: PanelState, lesson: LessonShown, ask: Ask) -> None:
    write(lesson.lesson.title, ui.theme.dim_text)
    about = [f"about {lesson.lesson.minutes} minutes"]
    about += [f"{key}: {value}" for key in ("author", "licence") if (value := getattr(lesson.lesson, key))]
    if lesson.lesson.teaches:
        about.append("You meet: " + ", ".join(lesson.lesson.teaches))
    explain("\n".join(about))
    across = imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - 1.2 * em()
    first = across - button_width("All") - button_width(MENU_LABEL) - 0.6 * em()
    if imgui.get_cursor_pos_x() + imgui.calc_text_size(lesson.lesson.title).x < first:
        imgui.same_line(first)
    else:
        imgui.set_cursor_pos_x(first)
    if imgui.small_button(MENU_LABEL):
        imgui.open_popup(MENU_ID)
    explain("This step again, this lesson again, and more")
    _draw_menu(ask)
    imgui.same_line(across - button_width("All") - 0.3 * em())
    if imgui.small_button("All"):
        ask.invoke("presets.gallery")
    explain("All lessons, in the gallery (F2)")
    imgui.same_line(across)
    if imgui.small_button("×"):
        ask.invoke("lessons.leave")
    explain("Leave the lesson (Esc). It goes on where you left it.")
    _draw_dots(ui, lesson, ask)


def _scroll_by_keys() -> None:
    """Scrolls the words by PageDown and PageUp, by less than what is in sight."""
    pages = imgui.is_key_pressed(imgui.Key.page_down) - imgui.is_key_pressed(imgui.Key.page_up)
    if pages:
        imgui.set_scroll_y(imgui.get_scroll_y() + pages * PAGE * imgui.get_window_height())


def _draw_menu(ask: Ask) -> None:
    """Draws the menu of the card if it is open."""
    if imgui.begin_popup(MENU_ID):
        for name, words in MENU_COMMANDS:
            if imgui.menu_item(words, "", False)[0]:
                ask.invoke(name)
        imgui.end_popup()


def _draw_dots(ui: PanelState, lesson: LessonShown, ask: Ask) -> None:
    """Draws a dot for each step; dots of steps already seen can be clicked."""
    count = len(lesson.lesson.steps)
    across = min(1.25 * em(), imgui.get_content_region_avail().x / max(count, 1))
    draw, at = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
    radius, height = min(0.3 * em(), 0.3 * across), 1.1 * em()
    for number, step in enumerate(lesson.lesson.steps):
        middle = ImVec2(at.x + (number + 0.5) * across, at.y + 0.5 * height)
        seen = number <= lesson.reached
        done = step.id in lesson.alone_in or (not step.goals and number < lesson.reached)
        colour = ui.theme.gap if done else faded(ui.theme.text, 0.55 if seen else 0.22)
        colour = accent(ui.theme) if number == lesson.number else colour
        if number == lesson.number or not seen:
            (draw.add_circle_filled if seen else draw.add_circle)(middle, radius, u32(colour))
        else:
            draw.add_circle_filled(middle, 0.8 * radius, u32(colour))
        imgui.set_cursor_screen_pos(ImVec2(at.x + number * across, at.y))
        imgui.push_id(number)
        if imgui.invisible_button("##dot", ImVec2(across, height)) and seen:
            ask.go_to_step(number)
        how = ": done" if done else ": shown to you" if step.id in lesson.shown_in else ""
        explain(f"{number + 1}. {step.title}{how}" if seen else f"{number + 1}. Not seen yet")
        if seen:
            hand()
        imgui.pop_id()
    imgui.set_cursor_screen_pos(ImVec2(at.x, at.y + height + 0.4 * em()))
    imgui.dummy(ImVec2(0.0, 0.0))


def _draw_words(ui: PanelState, lesson: LessonShown, step: LessonStep, ask: Ask) -> int | None:
    """Draws the step's text and hints; returns the number of terms and names of keys in them, never None."""
    with sized(LARGE):
        say(step.title)
    imgui.dummy(ImVec2(0.0, 0.1 * em()))
    terms = flow_text(step.text, ui, ask, terms=0)
    for hint in step.hints[: lesson.hints]:
        imgui.dummy(ImVec2(0.0, 0.1 * em()))
        write("Hint", accent(ui.theme))
        terms = flow_text(hint, ui, ask, rgba=ui.theme.dim_text, terms=terms)
    imgui.dummy(ImVec2(0.0, 0.2 * em()))
    return terms


def _draw_doing(ui: PanelState, lesson: LessonShown, step: LessonStep, ask: Ask, terms: int | None) -> float:
    """Draws the options or answers, the goals and measured values, and the closing words once all goals are met.

    Returns the y coordinate at which the closing words begin, imgui units from the top of the card's scrolled part.
    `terms`: as in flow_text.
    """
    for number, option in enumerate(step.options, 1):
        _draw_option(ui, lesson, number, option, ask)
    asked = ui.asked if step.ask is not None else None
    if asked is not None:
        _draw_question(ui, asked, ask, told=bool(step.then))
    from ..lessons.goal_words import in_words

    for goal, met in zip(step.goals, lesson.ticks, strict=False):
        # Choices and answers show by themselves that they are done.
        if goal.name not in ("chose", "answered"):
            _draw_goal(ui, in_words(goal), met=met)
    top = imgui.get_cursor_pos_y()
    if lesson.feedback and not lesson.met:
        wrong = lesson.chosen in lesson.wrong_options
        flow_text(lesson.feedback, ui, ask, rgba=ui.theme.overlap if wrong else ui.theme.text)
    if step.goals and not lesson.met:
        rest = top + FEEDBACK_LINES * imgui.get_text_line_height() - imgui.get_cursor_pos_y()
        if rest > 0.0:
            imgui.dummy(ImVec2(1.0, rest))
    closing = imgui.get_cursor_pos_y()
    if lesson.met and step.then:
        _draw_then(ui, lesson, step, ask, terms)
    return closing


def _draw_option(ui: PanelState, lesson: LessonShown, number: int, option: LessonOption, ask: Ask) -> None:
    """Draws a ring, the number of the key that chooses the answer, and the answer; the number is dim."""
    settled = lesson.met or (option.right and option.id == lesson.chosen)
    wrong, chosen = option.id in lesson.wrong_options, settled and option.right
    rgba = ui.theme.gap if chosen else ui.theme.dim_text if wrong or settled else ui.theme.text
    line, at, draw = imgui.get_text_line_height(), imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    indent = 2.6 * em()
    height = imgui.calc_text_size(option.label, False, imgui.get_content_region_avail().x - indent).y
    if imgui.selectable(f"##{option.id}", False, 0, ImVec2(0.0, height))[0] and not settled:
        ask.choose(option.id)
    if not settled:
        hand()
    middle = ImVec2(at.x + 0.6 * em(), at.y + 0.5 * line)
    draw.add_circle(middle, 0.4 * em(), u32(rgba), thickness=1.3)
    if chosen or wrong:
        draw.add_circle_filled(middle, 0.2 * em(), u32(rgba))
    below = imgui.get_cursor_screen_pos()
    imgui.set_cursor_screen_pos(ImVec2(at.x + 1.4 * em(), at.y))
    write(str(number), ui.theme.dim_text)
    imgui.set_cursor_screen_pos(ImVec2(at.x + indent, at.y))
    say(option.label, rgba)
    imgui.set_cursor_screen_pos(below)
    imgui.dummy(ImVec2(0.0, 0.0))


def _draw_question(ui: PanelState, asked: CurrentQuestion, ask: Ask, *, told: bool) -> None:
    """Draws the answers while the question is open, and the feedback on the last answer.

    `told`: the step's closing words explain the right answer, so the feedback disappears once the question is closed.
    """
    question = asked.question
    if asked.open:
        if question.buttons:
            say(question.how, ui.theme.dim_text)
            draw_rows([answer_buttons(asked)], ask)
        else:
            _draw_candidates(ui, asked, ask)
    if asked.words and (asked.open or not told):
        settled = ui.theme.text if asked.prediction.outcome is Outcome.SHOWN else ui.theme.gap
        say(f"No. {asked.words}" if asked.open else asked.words, ui.theme.overlap if asked.open else settled)


def _draw_candidates(ui: PanelState, asked: CurrentQuestion, ask: Ask) -> None:
    """Draws a list of the subjects that answer: pointing at one highlights it in the picture, a click answers."""
    say("Click it in the picture or in this list, or press its number.", ui.theme.dim_text)
    for number, subject in enumerate(asked.question.numbered, 1):
        name = asked.question.candidates[subject]
        words = f"{number}  {name}" if number < 10 else f"    {name}"
        tried = subject in asked.prediction.tried
        width = max(imgui.calc_text_size(words).x + em(), 6.0 * em())
        if number > 1:
            flow(width)
        imgui.push_style_color(imgui.Col_.text, imgui.ImVec4(*(ui.theme.dim_text if tried else ui.theme.text)))
        if imgui.selectable(f"{words}##candidate{number}", subject == ui.view.hover, 0, ImVec2(width, 0.0))[0]:
            ask.guess(subject)
        imgui.pop_style_color()
        if imgui.is_item_hovered():
            ask.point(subject)


def _draw_goal(ui: PanelState, words: str, *, met: bool) -> None:
    draw, at = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
    middle = ImVec2(at.x + 0.45 * em(), at.y + 0.5 * imgui.get_text_line_height())
    if met:
        draw.add_circle_filled(middle, 0.36 * em(), u32(ui.theme.gap))
    else:
        draw.add_circle(middle, 0.36 * em(), u32(ui.theme.dim_text), thickness=1.3)
    imgui.dummy(ImVec2(0.95 * em(), imgui.get_text_line_height()))
    imgui.same_line()
    say(words, ui.theme.gap if met else ui.theme.dim_text)


def _draw_then(ui: PanelState, lesson: LessonShown, step: LessonStep, ask: Ask, terms: int | None) -> None:
    """Draws the closing words on a background of the accent colour. `terms`: as in flow_text."""
    draw, at = imgui.get_window_draw_list(), imgui.get_cursor_screen_pos()
    width, pad = imgui.get_content_region_avail().x, 0.6 * em()
    draw.channels_split(2)
    draw.channels_set_current(1)
    imgui.begin_group()
    imgui.dummy(ImVec2(0.0, 0.1 * em()))
    imgui.indent(pad)
    flow_text(step.then, ui, ask, inset=pad, terms=terms)
    if lesson.helped:
        say("Shown to you: come back and try it alone.", ui.theme.dim_text)
    imgui.dummy(ImVec2(0.0, 0.2 * em()))
    imgui.unindent(pad)
    imgui.end_group()
    bottom = imgui.get_item_rect_max().y
    draw.channels_set_current(0)
    draw.add_rect_filled(at, ImVec2(at.x + width, bottom), u32(faded(accent(ui.theme), 0.12)), 0.4 * em())
    draw.channels_merge()


def _foot_rows() -> int:
    """2 where the buttons of the foot do not stand in one row."""
    buttons = sum(button_width(label) for label in ("Back", "Hint", "Show me")) + GO_ON_EMS * em()
    return 1 if buttons + 3.0 * imgui.get_style().item_spacing.x <= imgui.get_content_region_avail().x else 2


def _draw_foot(ui: PanelState, lesson: LessonShown, ask: Ask) -> None:
    """Draws Back, and at the right Skip, Next or Finish in the same place; at the lesson's end only Back.

    While goals of the step are not met it also draws Hint, or "Show me" once all hints are shown; in a narrow card in a
    row of their own, above the others.
    """
    step, rows = lesson.step, _foot_rows()
    helped = step is not None and bool(step.goals) and not lesson.met
    if rows > 1:
        if step is not None and helped:
            _draw_help(ui, lesson, step, ask)
        else:
            imgui.dummy(ImVec2(0.0, imgui.get_frame_height()))
    imgui.begin_disabled(lesson.number == 0)
    if imgui.button("Back"):
        ask.invoke("lessons.back")
    imgui.end_disabled()
    if step is None:
        return
    if rows == 1 and helped:
        imgui.same_line()
        _draw_help(ui, lesson, step, ask)
    last = lesson.number == len(lesson.lesson.steps) - 1
    label = ("Finish" if last else "Next") if lesson.met else "Skip"
    width = max(button_width(label), GO_ON_EMS * em())
    imgui.same_line(imgui.get_cursor_pos_x() + imgui.get_content_region_avail().x - width)
    if _asked_button(ui, label, ImVec2(width, 0.0)) if lesson.met else imgui.button(label, ImVec2(width, 0.0)):
        ask.invoke("lessons.next" if lesson.met else "lessons.skip")
    explain("Enter" if lesson.met else "Shift+Enter: on without the goal")


def _asked_button(ui: PanelState, label: str, size: ImVec2) -> bool:
    """Draws the button that `Enter` presses, on a background of the accent colour; returns whether it was clicked."""
    imgui.push_style_color(imgui.Col_.button, imgui.ImVec4(*faded(accent(ui.theme), ASKED_ALPHA)))
    clicked = imgui.button(label, size)
    imgui.pop_style_color()
    return clicked


def _draw_help(ui: PanelState, lesson: LessonShown, step: LessonStep, ask: Ask) -> None:
    """Draws Hint, or "Show me" once all hints are shown."""
    hinted = lesson.hints >= len(step.hints)
    if step.hints and hinted:
        # "Show me" is right of the place of "Hint": the second click of a double click must not show the solution.
        imgui.dummy(ImVec2(button_width("Hint"), 0.0))
        imgui.same_line()
    label = "Show me" if hinted else "Hint"
    offered = lesson.offers_hint
    if offered:
        # A background, like that of "Next": an outline means keyboard focus.
        imgui.push_style_color(imgui.Col_.button, imgui.ImVec4(*faded(accent(ui.theme), OFFERED_ALPHA)))
    if imgui.button(label):
        ask.invoke("lessons.hint")
    explain("One hint at a time" if label == "Hint" else "Does it for you")
    if offered:
        imgui.pop_style_color()


def _draw_end(ui: PanelState, lesson: LessonShown, ask: Ask) -> None:
    with sized(LARGE):
        say("Done")
    minutes = "1 minute" if lesson.minutes == 1 else f"{lesson.minutes} minutes"
    say(f"Done in {minutes}. You did {len(lesson.alone_in)} of {lesson.goals} steps yourself.")
    imgui.dummy(ImVec2(0.0, 0.4 * em()))
    size = ImVec2(imgui.get_content_region_avail().x, 0.0)
    if lesson.following:
        if _asked_button(ui, f"Next lesson: {lesson.following}", size):
            ask.invoke("lessons.following")
        explain("Enter")
    if imgui.button("Explore this scene", size):
        ask.invoke("lessons.explore")
    explain("Keeps the scene as an ordinary one, in place of what you had.")
    if imgui.button("All lessons", size) if lesson.following else _asked_button(ui, "All lessons", size):
        ask.invoke("presets.gallery")
    explain("In the gallery (F2)" if lesson.following else "In the gallery (Enter)")
    if imgui.button("Close", size):
        ask.invoke("lessons.leave")
