"""The caption of a step, and the words and legends of a film: words below its picture, a legend beside or below them.

All pictures of a film have one size. So the words and the legends get as much room as the longest of them need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.query.query import Moment, Query

from ..draw.label_names import renamed
from ..draw.placed import PlacedPane, Rect
from ..draw.theme import PRINT
from ..stages import parts_of, step_text
from ..state.export_options import MOST_STEP_SECONDS, STEP_SECONDS, WORD_SECONDS
from ..state.view import WHOLE, Panes, Seen, panes_stacked
from . import PositionedPane
from .legend import LEADING, SIDE_MARGIN, LegendEntry, answer_words, legend_strip, words_strip, wrapped
from .panes_by_room import titles_of
from .still import SUPERSAMPLING, Plan, pixels

MOST_LINES = 2
"""Most lines of words below a picture."""
BELOW_WORDS = 0.5 * SIDE_MARGIN
"""Points between the last line of words and the lower edge, and round a legend below them."""
COLUMNS = tuple(0.01 * percent for percent in range(14, 36))
"""Widths of a legend at the right, as shares of the film's, of which the least that is wide enough is taken."""
_SENTENCES = re.compile(r"(?<=[.!?]) ")

Legend = tuple[LegendEntry, ...]


class Captions(Struct, frozen=True):
    """The words and legends round the pictures of a film that is `width` by `height` points at `scale` pixels a point.

    `both`: the film shows both panes. `line_count`: the number of lines of the longest caption. `named`: the panes'
    names are on a line above the words. `column`, `highest`: the width of the legends at the right and the height of
    the highest one, points; 0 for none. `spread`: the words also take the width below these legends. `below`: the
    height of the highest legend below the words, points; 0 for none.
    """

    width: float
    height: float
    scale: float
    both: bool
    line_count: int = 0
    named: bool = False
    column: float = 0.0
    highest: float = 0.0
    spread: bool = False
    below: float = 0.0

    def with_legends(self, legends: Sequence[Legend]) -> list[Captions]:
        """Captions with room for any of the legends: below the words, and at the right if one fits there."""
        below = replace(self, below=max(self._strip(each, self.width).height for each in legends) / self._density)
        found = [replace(below, below=below.below + BELOW_WORDS)]
        for share in COLUMNS:
            column = share * self.width
            highest = max(self._strip(each, column, column=True).height for each in legends)
            if highest <= self.height * self._density:
                return [*found, replace(self, column=column, highest=highest / self._density)]
        return found

    def with_words(self, shown: Sequence[Seen]) -> Captions:
        """Captions with room for the words about any of these contents, and for the panes' names."""
        # The animation of a step shows the step many times.
        steps = {(id(seen.query), seen.place, seen.part): seen for seen in shown}
        named = shown[0].view.panes is not Panes.WORLD and not panes_stacked(Rect(0, 0, *self.picture_pixels))

        def with_lines(words: Captions) -> Captions:
            return replace(words, line_count=max(len(words._lines(seen)) for seen in steps.values()))

        below_legends = with_lines(replace(self, named=named, spread=True))
        return below_legends if self.highest <= below_legends.top else with_lines(replace(below_legends, spread=False))

    @property
    def _density(self) -> float:
        """Fine pixels to the point, of which all measures of words are."""
        return SUPERSAMPLING * self.scale

    @property
    def _words(self) -> float:
        """Height in points of the names and words below a picture."""
        lines = self.line_count + self.named
        return lines * LEADING + 0.5 * SIDE_MARGIN + BELOW_WORDS if lines else 0.0

    @property
    def top(self) -> float:
        """The place of the words: points between them and the upper edge."""
        return self.picture[1] + self.named * LEADING

    @property
    def picture(self) -> tuple[float, float]:
        """Width and height in points that are left for the picture: at least half of the height."""
        return self.width - self.column, max(0.5 * self.height, self.height - self._words - self.below)

    @property
    def picture_pixels(self) -> tuple[int, int]:
        """The size of the picture in pixels."""
        return pixels(*self.picture, self.scale)

    @property
    def room(self) -> float:
        """The shorter side of a pane in points."""
        width, height = self.picture
        stacked = panes_stacked(Rect(0, 0, *self.picture_pixels))
        return min(width / (1 + (self.both and not stacked)), height / (1 + (self.both and stacked)))

    def reading_seconds(self, seen: Seen) -> float:
        """The seconds that the words about `seen` take to read, at least STEP_SECONDS."""
        words = [word for word in " ".join(self._lines(seen)).split() if any(letter.isalnum() for letter in word)]
        return min(max(WORD_SECONDS * len(words), STEP_SECONDS), MOST_STEP_SECONDS)

    def around(self, plan: Plan, seen: Seen, legend: Legend = ()) -> Plan:
        """The picture of `plan` with the words about `seen` below it, and with its `legend`."""
        size, (across, top) = pixels(self.width, self.height, self.scale), plan.size

        def lay_out(fineness: int) -> Sequence[PositionedPane]:
            panes, density, y = plan.lay_out(fineness), plan.scale * fineness, top * fineness
            (width, height), wide = (side * fineness for side in size), across * fineness
            dim = replace(seen.theme, text=seen.theme.dim_text)
            names: list[PositionedPane] = []
            for title, (rect, _) in zip(titles_of(seen) if self.named else (), panes, strict=False):
                name = words_strip(renamed(title, seen.view.renames), rect.width, density, dim, middle=True)
                names.append((Rect(rect.x, y, rect.width, name.height), name))
            y += max((rect.height for rect, _ in names), default=0)
            text = "\n".join(self._lines(seen)) if self.line_count else ""
            across_words = width if self.spread else wide
            strip = words_strip(text, across_words, density, seen.theme)
            under: list[PositionedPane] = [(Rect(0, y, across_words, height - y), replace(strip, height=height - y))]
            if legend:
                # At the right it begins at the top, below the words where the highest one ends at the lower edge.
                bottom = y if self.spread and self.column else height
                x, y = (wide, 0) if self.column else (0, height - round(self.below * density))
                entries = legend_strip(legend, width - x, density, seen.theme, column=bool(self.column))
                under.append((Rect(x, y, width - x, bottom - y), replace(entries, height=bottom - y)))
            return [*panes, *names, *under]

        return replace(plan, size=size, lay_out=lay_out)

    def _strip(self, legend: Legend, width: float, *, column: bool = False) -> PlacedPane:
        """A legend as a pane `width` points wide, in fine pixels."""
        return legend_strip(legend, round(width * self._density), self._density, PRINT, column=column)

    def _lines(self, seen: Seen) -> list[str]:
        width = pixels(self.width, self.height, self.scale)[0] if self.spread else self.picture_pixels[0]
        room = SUPERSAMPLING * width - 2.0 * SIDE_MARGIN * self._density
        return caption_lines(seen, room, self._density)


def caption_lines(seen: Seen, room: float, density: float, name: str = "") -> list[str]:
    """The shown step's title and as many sentences as MOST_LINES hold, `room` wide; for the answer the verdict.

    `name`: words before them, "" for none.

    The sentences keep their order. The step's result is chosen first, of it the answer (`Stop.answer`), then the others
    from the beginning. The first chosen sentence is kept even if it takes more lines. `room`: pixels, `density` of them
    to the point.
    """
    renames = seen.view.renames
    if seen.query is None or seen.moment is None:
        return wrapped(renamed(f"{name} {answer_words(seen)}.".lstrip(), renames), room, density)
    text = step_text(seen.query, seen.moment, seen.part)
    told = "" if text.stop is None else text.stop.meaning
    sentences = [_sentences(renamed(words, renames)) for words in (text.decided, told)]
    whole = [*sentences[0], *sentences[1]]
    ends = sentences[1] or _sentences(renamed(_outcome(seen.query, seen.moment, seen.part, text.decided), renames))
    first = len(whole) - len(ends)
    title = renamed(f"{name} {text.title}.".lstrip(), renames)
    kept, lines = list[int](), wrapped(title, room, density)
    answer = () if text.stop is None or not text.stop.answer else (len(whole) - 1,)
    for number in dict.fromkeys((*answer, *range(first, len(whole)), *range(first))):
        more = wrapped(" ".join((title, *(whole[k] for k in sorted([*kept, number])))), room, density)
        if len(more) > MOST_LINES and kept:
            break
        kept, lines = [*kept, number], more
    return lines


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
