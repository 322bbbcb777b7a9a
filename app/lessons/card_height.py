"""How high a step's card becomes, from the letters' widths: no text of a lesson is to be scrolled for.

Points, at the usual size of the text. The card itself is drawn by a toolkit that needs a window; this is a bound from
above, which `tests/app/test_lesson_card.py` holds against the real card of every step that ships.
"""

from __future__ import annotations

from ..draw.text import measure
from ..state.lesson import Step
from ..state.prediction import Kind
from .goal_words import in_words
from .markup import shown_text

ROOM = 778.0
"""The card's in a window 800 points high, below the menu."""
EM, GAP = 14.0, 6.0
"""Height of a line of text, and what stands between two things."""
SPACED = EM + GAP
"""A line of a lesson's own text, which is set wider."""
TITLE = 1.15 * EM
WIDTH = 276.0
"""Of the text; the card is 304 wide."""
INDENTED, INSET = WIDTH - 1.4 * EM, WIDTH - 1.2 * EM
"""Of what stands behind a circle, and of the words at the end on their own ground."""
AROUND = 120.0
"""Margins, the lesson's title and its dots above; a line and the buttons below."""
QUESTION = 6.0 * EM
"""What a question asks for, and its explanation."""
BUTTONS, CANDIDATES = 3, 5
"""Lines that a question's buttons take; and nine candidates, in two columns."""


def card_height(step: Step) -> float:
    """Height of the whole card with all hints shown, before the goals are met or afterwards, whichever is larger."""
    height = AROUND + _lines(step.title, WIDTH, TITLE) * TITLE + 2.0 * GAP + _flow(step.text, WIDTH)
    height += sum(SPACED + 2.0 * GAP + _flow(hint, WIDTH) for hint in step.hints) + 2.0 * GAP
    height += sum(_lines(choice.label, INDENTED) * EM + GAP for choice in step.choices)
    if step.ask is not None:
        buttons = step.ask.kind in (Kind.VERDICT, Kind.CONTACTS)
        height += QUESTION + (BUTTONS if buttons else CANDIDATES) * SPACED
    listed = (goal for goal in step.goals if goal.name not in ("chose", "answered"))
    height += sum(_lines(in_words(goal), INDENTED) * EM + GAP for goal in listed)
    before = 3.0 * EM + GAP if step.goals else 0.0
    after = _flow(step.then, INSET) + SPACED + 4.0 * GAP if step.then else 0.0
    return height + max(before, after)


def _flow(text: str, width: float) -> float:
    return _lines(shown_text(text), width) * SPACED + GAP


def _lines(text: str, width: float, size: float = EM) -> int:
    """How many lines a text takes if it is broken between words."""
    space, count, x = measure(" ", size)[0], 0, width
    for paragraph in text.split("\n"):
        count, x = count + 1, 0.0
        for word in paragraph.split():
            wide = measure(word, size)[0]
            if x and x + space + wide > width:
                count, x = count + 1, wide
            else:
                x += wide + (space if x else 0.0)
    return count
