"""Pictures between two steps: the lines and faces of both drawings in transition, and their labels.

Labels are not laid out again in between. A label moves from its place in the picture before to its place in the picture
after, relative to its anchor, which moves too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.draw_list import Rgba
from ..draw.layout import Viewport, anchors, lay_out, settled
from ..draw.placed import PlacedLabel, PlacedLines, PlacedPane, joined_rows
from ..draw.text import measure
from ..state.view import Pane

if TYPE_CHECKING:
    from ..draw.between import Tween

LEADERS = 0.3
"""The share of the time in which the leaders of the labels before fade out, at the start, and those of the labels after
fade in, at the end."""


class LaidInset(Struct, frozen=True, eq=False):
    """A laid-out inset, with its upper left corner in its pane, pixels."""

    viewport: Viewport
    placed: PlacedPane
    left: int
    top: int


class LaidPane(Struct, frozen=True, eq=False):
    """A laid-out pane, before its insets, its name and its border are drawn into it."""

    pane: Pane
    viewport: Viewport
    placed: PlacedPane
    insets: list[LaidInset]


class _Way(Struct, frozen=True, eq=False):
    """The transition of one viewport: the panes laid out before and after, and their labels' anchors."""

    tween: Tween
    viewport: Viewport
    before: PlacedPane
    after: PlacedPane
    anchors: tuple[Array, Array]

    @staticmethod
    def of(first: LaidPane | LaidInset, last: LaidPane | LaidInset) -> _Way:
        from ..draw.between import Tween

        tween = Tween.of(settled(first.viewport), settled(last.viewport))
        both = anchors(first.viewport), anchors(last.viewport)
        return _Way(tween, last.viewport, first.placed, last.placed, both)

    def at(self, share: float) -> Viewport:
        return replace(self.viewport, draw=self.tween.at(share))

    def finished(self, placed: PlacedPane, there: Viewport, share: float) -> PlacedPane:
        """The pane `placed` with the labels and leaders at a share of the time."""
        lines = placed.lines
        for pane, left in ((self.before, 1.0 - share / LEADERS), (self.after, 1.0 - (1.0 - share) / LEADERS)):
            if pane.leaders and left > 0.0:
                lines = joined_rows(lines, _last(pane.lines, pane.leaders, left))
        labels = tuple(self._labels(there, share))
        return replace(placed, lines=lines, labels=labels, labels_dropped=self.after.labels_dropped)

    def _labels(self, there: Viewport, share: float) -> Iterator[PlacedLabel]:
        olds, news = ({label.number: label for label in pane.labels} for pane in (self.before, self.after))
        here = anchors(there)
        for pair, label, anchor in zip(self.tween.labels, there.draw.labels, here, strict=True):
            old, new = olds.get(pair.before), news.get(pair.after)
            shown = old if pair.gain < 0 else new if pair.gain > 0 or new is not None else old
            if shown is None:
                continue
            rgba: Rgba = label.rgba
            if pair.gain == 0 and (old is None or new is None):
                # The label found room in only one of the pictures.
                rgba = (*rgba[:3], rgba[3] * (share if old is None else 1.0 - share))
            if old is not None and new is not None:
                away = _from(old, self.anchors[0][pair.before])
                away += share * (_from(new, self.anchors[1][pair.after]) - away)
            elif old is not None:
                away = _from(old, self.anchors[0][pair.before])
            else:
                away = _from(shown, self.anchors[1][pair.after])
            x, y = (anchor + away - (0.5 * shown.width, 0.5 * shown.height)).tolist()
            yield replace(shown, x=x, y=y, rgba=rgba)


class PictureMotion(Struct, frozen=True, eq=False):
    """The transition from the panes of one step to those of another, which have the same cameras."""

    ways: list[_Way]
    insets: list[list[_Way]]
    before: Sequence[LaidPane]
    after: Sequence[LaidPane]

    @staticmethod
    def of(before: Sequence[LaidPane], after: Sequence[LaidPane]) -> PictureMotion:
        """The transition between two lists of panes; the things in both are paired."""
        ways, insets = [], []
        for first, last in zip(before, after, strict=True):
            ways.append(_Way.of(first, last))
            both = zip(first.insets, last.insets, strict=False)
            insets.append([_Way.of(*each) for each in both] if len(first.insets) == len(last.insets) else [])
        return PictureMotion(ways, insets, before, after)

    def at(self, share: float) -> list[LaidPane]:
        """The panes at a share of the time, 0 to 1, eased."""
        from ..draw.between import eased

        share = eased(share)
        if share <= 0.0 or share >= 1.0:
            return list(self.before if share <= 0.0 else self.after)
        ways = [*self.ways, *(way for inside in self.insets for way in inside)]
        there = [way.at(share) for way in ways]
        bare = [replace(viewport, draw=replace(viewport.draw, labels=[])) for viewport in there]
        laid = lay_out(bare, measure, self.after[0].placed.halo)
        done = zip(ways, laid, there, strict=True)
        every = iter([way.finished(placed, viewport, share) for way, placed, viewport in done])
        panes = [next(every) for _ in self.ways]
        found = []
        for last, placed, inside in zip(self.after, panes, self.insets, strict=True):
            insets = [replace(inset, placed=next(every)) for inset, _ in zip(last.insets, inside, strict=False)]
            found.append(replace(last, placed=placed, insets=insets or last.insets))
        return found


def _from(label: PlacedLabel, anchor: Array) -> Array:
    """The vector (2,) from an anchor to the middle of its label, pixels."""
    return np.array((label.x + 0.5 * label.width, label.y + 0.5 * label.height)) - anchor


def _last(lines: PlacedLines, count: int, alpha: float) -> PlacedLines:
    """The last `count` lines, with their opacity multiplied by `alpha`."""
    fade = np.array((1.0, 1.0, 1.0, alpha))
    return PlacedLines(
        start=lines.start[-count:],
        end=lines.end[-count:],
        width=lines.width[-count:],
        start_rgba=lines.start_rgba[-count:] * fade,
        end_rgba=lines.end_rgba[-count:] * fade,
        dash=lines.dash[-count:],
        phase=lines.phase[-count:],
        subjects=lines.subjects[-count:],
    )
