"""The words below the pictures of a film: each step's title and its decision, in a strip of the same height for all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.query.query import Moment, Query

from ..draw.label_names import renamed
from ..draw.placed import Rect
from ..stages import parts_of, step_text
from ..state.view import WHOLE, Seen
from ..words.axis_words import verdict_line
from . import PositionedPane
from .legend import LEADING, SIDE_MARGIN, LegendEntry, legend_height, legend_strip, words_strip, wrapped
from .panes_by_room import titles_of
from .still import Plan

MOST_SENTENCE_LINES = 2
"""Most lines of sentences below the title of a step."""
_SENTENCES = re.compile(r"(?<=[.!?]) ")


class Captions(Struct, frozen=True):
    """The captions of a film whose pictures are `across` fine pixels wide, `density` of them to the point.

    `lines`: the number of lines of the longest caption. `named`: the panes' names are on a line above the words.
    `legend`: the highest of the pictures' legends, below the words.
    """

    across: int
    density: float
    lines: int
    named: bool
    legend: tuple[LegendEntry, ...] = ()

    @staticmethod
    def of(shown: Sequence[Seen], across: int, density: float, *, named: bool) -> Captions:
        """The captions of a film that shows these contents.

        `across`: width in pixels; `density`: pixels to the point. `named`: as in the record.
        """
        # The animation of a step shows the step many times.
        steps = {(id(seen.query), seen.place, seen.part): seen for seen in shown}
        return Captions(
            across, density, max(len(caption_lines(seen, across, density)) for seen in steps.values()), named
        )

    @property
    def height(self) -> float:
        """The height of the strip in points."""
        words = (self.lines + self.named) * LEADING + 2.0 * SIDE_MARGIN if self.lines or self.named else SIDE_MARGIN
        return words + (legend_height(self.legend, self.across, self.density) if self.legend else 0.0)

    def below(self, plan: Plan, seen: Seen, size: tuple[int, int], legend: Sequence[LegendEntry] = ()) -> Plan:
        """The picture of `plan` with the words about `seen` and its `legend` below it, in `size` pixels."""
        (width, height), top = size, plan.size[1]
        text = "\n".join(caption_lines(seen, self.across, self.density)) if self.lines else ""

        def lay_out(fineness: int) -> Sequence[PositionedPane]:
            panes, density, y = plan.lay_out(fineness), plan.scale * fineness, top * fineness
            dim = replace(seen.theme, text=seen.theme.dim_text)
            names: list[PositionedPane] = []
            for title, (rect, _) in zip(titles_of(seen) if self.named else (), panes, strict=False):
                name = words_strip(title, rect.width, density, dim, middle=True)
                names.append((Rect(rect.x, y, rect.width, name.height), name))
            y += max((rect.height for rect, _ in names), default=0)
            strip = replace(words_strip(text, width * fineness, density, seen.theme), height=height * fineness - y)
            below = [(Rect(0, y, strip.width, strip.height), strip)]
            if legend:
                entries = legend_strip(legend, width * fineness, density, seen.theme)
                y = height * fineness - round(legend_height(self.legend, self.across, self.density) * density)
                below.append((Rect(0, y, entries.width, entries.height), entries))
            return [*panes, *names, *below]

        # Each pane has the background's whole gradient: with it the strips would look like bands.
        theme = seen.theme
        ground = theme.background_bottom if theme.dark_panels else theme.background_top
        return replace(plan, size=size, lay_out=lay_out, background=(ground, ground))


def caption_lines(seen: Seen, across: int, density: float) -> list[str]:
    """The lines of the shown step's title, and of at most MOST_SENTENCE_LINES of sentences; for the answer the verdict.

    The sentences keep their order. The step's result is chosen first, then the others from the beginning. The first
    chosen sentence is kept even if it takes more lines. `across`: the picture's width in pixels; `density`: pixels to
    the point.
    """
    room, renames = across - 2.0 * SIDE_MARGIN * density, seen.view.renames
    if seen.query is None or seen.moment is None:
        return wrapped(renamed(f"{verdict_line(seen.analysis)}.", renames), room, density)
    text = step_text(seen.query, seen.moment, seen.part)
    told = "" if text.stop is None else text.stop.meaning
    sentences = [_sentences(renamed(words, renames)) for words in (text.decided, told)]
    whole = [*sentences[0], *sentences[1]]
    ends = sentences[1] or _sentences(renamed(_outcome(seen.query, seen.moment, seen.part, text.decided), renames))
    first = len(whole) - len(ends)
    kept: list[int] = []
    lines: list[str] = []
    for number in (*range(first, len(whole)), *range(first)):
        more = wrapped(" ".join(whole[k] for k in sorted([*kept, number])), room, density)
        if len(more) > MOST_SENTENCE_LINES and lines:
            break
        kept, lines = [*kept, number], more
    return [*wrapped(renamed(text.title, renames), room, density), *lines]


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _SENTENCES.split(" ".join(text.split())) if sentence]


def _outcome(query: Query, moment: Moment, name: str, decided: str) -> str:
    """The sentences at the end of `decided` with the outcome of a whole step; "" for a sub-step.

    They are those of the last sub-step under "This step" if `decided` ends with them, else the last sentence.
    """
    if name != WHOLE:
        return ""
    # Imported with the first film of steps.
    from ..stages.stage import Heading

    names = [part.name for part in parts_of(query, moment) if part.heading is Heading.THIS_STEP and part.sentence]
    told = step_text(query, moment, names[-1]).decided if names else ""
    return told if told and decided.endswith(told) else (_sentences(decided) or [""])[-1]
