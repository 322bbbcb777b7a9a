"""The words below the pictures of a film: each step's title and what it decides, in a strip of one height."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..draw.label_names import renamed
from ..draw.placed import Rect
from ..stages import step_text
from ..state.view import Seen
from ..words.axis_words import verdict_line
from . import PositionedPane
from .legend import LEADING, MARGIN, words_strip, wrapped
from .still import Plan

MOST_LINES = 2
"""The most lines below the title of a step."""
_SENTENCES = re.compile(r"(?<=[.!?]) ")


class Captions(Struct, frozen=True):
    """The captions of a film whose pictures are `across` fine pixels wide, `density` of them to the point.

    `lines`: those of the longest.
    """

    across: int
    density: float
    lines: int

    @staticmethod
    def of(shown: Sequence[Seen], across: int, density: float) -> Captions:
        """The captions of all that is shown."""
        # A step's motion shows the step many times.
        steps = {(id(seen.query), seen.place, seen.part): seen for seen in shown}
        return Captions(across, density, max(len(lines_of(seen, across, density)) for seen in steps.values()))

    @property
    def height(self) -> float:
        """The height of the strip in points."""
        return self.lines * LEADING + 2.0 * MARGIN

    def below(self, plan: Plan, seen: Seen, size: tuple[int, int]) -> Plan:
        """The picture of `plan` with the words of what is seen below it, in `size` pixels."""
        (width, height), top = size, plan.size[1]
        text = "\n".join(lines_of(seen, self.across, self.density))

        def lay_out(fineness: int) -> Sequence[PositionedPane]:
            strip = words_strip(text, width * fineness, plan.scale * fineness, seen.theme)
            strip = replace(strip, height=(height - top) * fineness)
            return [*plan.lay_out(fineness), (Rect(0, top * fineness, strip.width, strip.height), strip)]

        return replace(plan, size=size, lay_out=lay_out)


def lines_of(seen: Seen, across: int, density: float) -> list[str]:
    """The title of the step shown, and as many sentences as have room in MOST_LINES; of the answer the verdict."""
    room, renames = across - 2.0 * MARGIN * density, seen.view.renames
    if seen.query is None or seen.moment is None:
        return wrapped(renamed(f"{verdict_line(seen.analysis)}.", renames), room, density)
    text = step_text(seen.query, seen.moment, seen.part)
    lines: list[str] = []
    sentences = _SENTENCES.split(renamed(" ".join(text.decided.split()), renames))
    for count in range(1, len(sentences) + 1):
        more = wrapped(" ".join(sentences[:count]), room, density)
        if len(more) > MOST_LINES and lines:
            break
        lines = more
    return [*wrapped(renamed(text.title, renames), room, density), *lines]
