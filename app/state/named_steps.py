"""The grammar of typed names of steps, for options, dialogs, the command `steps` and lessons.

A list has items between commas. `12` is a step by its number, 0 the answer, `3-7` a range. `gjk` is a phase; `gjk:3`,
`epa:stop`, `sat:first-gap` and `sat:⊥A.e1` (by its axis) are steps of a phase. `gjk:1-4` and `gjk:2-stop` are ranges in
a phase, `gjk:3:support-A` is a sub-step, and `all` means all steps.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .lesson import FIRST_GAP, STOP
from .view import WHOLE

ALL = "all"
"""The word for all steps."""
SAT = "sat"
"""The phase whose steps have axes."""
STEPS_WANTED = "steps such as 12, 3-7, gjk, gjk:1-4, epa:stop or gjk:1,gjk:2"
STEP_WANTED = "one step such as 12, gjk:3, epa:stop or gjk:3:support-A, or 0 for the answer"
MOST_ITEMS = 1000
"""The most parts of a text that names steps."""

_PART = r"(?::(?P<part>[A-Za-z0-9-]{1,20}))?"
_PLACE = rf"(?:(?P<phase>[a-z]+):)?(?P<first>\d{{1,6}}|stop|first[_-]gap)(?:-(?P<last>\d{{1,6}}|stop))?{_PART}"
_AXIS = rf"{SAT}:(?P<axis>(?:[⊥⟂]|_\|_)?[ABd](?=[.×→])[^:]*){_PART}"
"""Patterns of an item. They are compiled at the first use, as the start reads no steps."""


class NamedSteps(Struct, frozen=True):
    """One item of a list: the steps from `first` to `last` of a phase, or of the whole query if `phase` is "".

    `first`, `last`: numbers from 1, or without a phase from 0, the answer; or STOP, FIRST_GAP, or an axis' name; None
    for all steps. `part`: the part of a single step, as typed.
    """

    phase: str = ""
    first: int | str | None = None
    last: int | str | None = None
    part: str = WHOLE

    @property
    def single(self) -> bool:
        """Whether the item is one step or a sub-step."""
        return self.first is not None and self.first == self.last


def read_steps(text: str) -> tuple[NamedSteps, ...]:
    """Reads a list of steps.

    Raises ValueError for another text, with the words that follow the subject of a sentence: `must be …`.
    """
    items = "".join(text.split()).split(",")
    found = [_item(item) for item in items[:MOST_ITEMS]]
    if None in found or len(items) > MOST_ITEMS:
        raise ValueError(f"must be {STEPS_WANTED}; got {text!r}")
    return tuple([item for item in found if item is not None])


def read_step(text: str) -> NamedSteps:
    """Reads one step, or a sub-step. Raises ValueError as read_steps does."""
    found = _item("".join(text.split()))
    if found is None or not found.single:
        raise ValueError(f"must be {STEP_WANTED}; got {text!r}")
    return found


def _item(text: str) -> NamedSteps | None:
    if text == ALL:
        return NamedSteps()
    if re.fullmatch("[a-z]+", text, re.ASCII) and text != STOP:
        return NamedSteps(text)
    if (named := re.fullmatch(_AXIS, text)) is not None:
        return NamedSteps(SAT, named["axis"], named["axis"], named["part"] or WHOLE)
    if (found := re.fullmatch(_PLACE, text, re.ASCII)) is None:
        return None
    phase, first = found["phase"] or "", found["first"].replace("-", "_")
    words, part = not first.isdigit(), found["part"] or WHOLE
    if (words and not phase) or (first == FIRST_GAP and phase != SAT) or (part != WHOLE and not phase):
        return None
    if found["last"] is None:
        return NamedSteps(phase, _place(first), _place(first), part)
    return None if words or part != WHOLE else NamedSteps(phase, _place(first), _place(found["last"]))


def _place(text: str) -> int | str:
    return int(text) if text.isdigit() else text
