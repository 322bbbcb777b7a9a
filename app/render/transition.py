"""Pictures between two steps: the lines and faces of both drawings in transition, and their labels.

Labels are not laid out again in between. A label moves from its place in the picture before to its place in the picture
after, relative to its anchor, which moves too, if no other label stands or passes there. Else it stands still while it
fades out, and fades in at its next place when the others have arrived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, nan
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.draw_list import DrawList, Rgba
from ..draw.layout import Viewport, anchored, anchors, lay_out, with_groups_laid_out
from ..draw.placed import PlacedLabel, PlacedPane, box_about, boxes_overlap, middle_of, placed_about
from ..draw.steady import steady_pixels
from ..draw.text import measure
from ..draw.theme import faded
from ..state.view import Pane
from .moving_labels import ShownLabel, boxes_of, shown_labels, with_labels

if TYPE_CHECKING:
    from ..draw.between import Tween

MOMENTS = 12
"""Moments on the way at which the boxes of labels are compared."""


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

    @property
    def views(self) -> list[LaidPane | LaidInset]:
        """The pane itself, then its insets."""
        return [self, *self.insets]


class _Passage(Struct, frozen=True, eq=False):
    """The labels that a pair shows.

    `slides`: the label moves to its next place; else `old` fades out and `new` fades in where they stand. `shown`: the
    text that slides. `first`, `last` (3,): from its anchor to its middle, and its leader's opacity, before and after.
    `length`: from its first place to its last, pixels.
    """

    old: ShownLabel | None
    new: ShownLabel | None
    slides: bool = False
    shown: PlacedLabel | None = None
    first: Array = np.zeros(3)
    last: Array = np.zeros(3)
    length: float = 0.0

    @staticmethod
    def of(old: ShownLabel | None, new: ShownLabel | None, gain: int) -> _Passage:
        """The passage of a label from one picture to the next; it slides if both pictures have it.

        `old`, `new`: the label in each, None where it is missing. `gain`: as in LabelPair.
        """
        goes, comes = None if gain > 0 else old, None if gain < 0 else new
        if old is None or new is None or (gain == 0 and old.label.text != new.label.text):
            return _Passage(goes, comes)
        first, last = (np.array((*(middle_of(each.label) - each.anchor), each.lead)) for each in (old, new))
        shown, far = (comes or old).label, hypot(*(middle_of(new.label) - middle_of(old.label)).tolist())
        return _Passage(goes, comes, True, shown, first, last, far)

    def sliding(self, anchor: Array, share: float, rgba: Rgba) -> ShownLabel:
        """The label that slides, in a colour, at a share of its way."""
        assert self.shown is not None
        across, down, lead = (self.first + share * (self.last - self.first)).tolist()
        return ShownLabel(replace(placed_about(self.shown, anchor + np.array((across, down))), rgba=rgba), anchor, lead)

    def at(self, anchor: Array, share: float, rgba: Rgba) -> ShownLabel | None:
        """The label that is seen at a share of the way, if any; `anchor`, `rgba`: those of the label that slides."""
        from ..draw.between import FADE, in_turn

        if self.slides:
            return self.sliding(anchor, share, rgba) if rgba[3] > 0.0 else None
        for still, gain in ((self.old, -1), (self.new, 1)):
            if still is not None and (alpha := in_turn(gain, share, FADE)) > 0.0:
                return replace(still, label=replace(still.label, rgba=faded(still.label.rgba, alpha)))
        return None


class _Way(Struct, frozen=True, eq=False):
    """The transition of one viewport: the panes laid out before and after, and what each pair of labels shows."""

    tween: Tween
    viewport: Viewport
    after: PlacedPane
    passages: list[_Passage]

    @staticmethod
    def of(first: LaidPane | LaidInset, last: LaidPane | LaidInset) -> _Way:
        from ..draw.between import Tween

        tween = Tween.of(*(anchored(with_groups_laid_out(of.viewport), of.placed.labels) for of in (first, last)))
        olds, news = (
            {each.label.number: each for each in shown_labels(of.viewport, of.placed)} for of in (first, last)
        )
        passages = [_Passage.of(olds.get(pair.before), news.get(pair.after), pair.gain) for pair in tween.labels]
        way = _Way(tween, last.viewport, last.placed, passages)
        return replace(way, passages=way._apart(boxes_of(first.viewport.room.taken)))

    def _apart(self, taken: Array) -> list[_Passage]:
        """The passages, without the slides on which a label would meet another one, or a box of `taken` (n, 4).

        Short ways are tried before long ones.
        """
        found = list(self.passages)
        standing = [replace(passage, slides=False) for passage in found]
        sliding = np.full((len(found), MOMENTS, 4), nan)
        boxes = sliding.copy()
        for moment, share in enumerate(np.linspace(0.0, 1.0, MOMENTS + 2)[1:-1].tolist()):
            draw = self.tween.labels_at(share)
            for table, passages in ((sliding, found), (boxes, standing)):
                for row, shown in enumerate(self._seen(passages, draw, share)):
                    if shown is not None:
                        table[row, moment] = box_about(middle_of(shown.label), shown.label)
        taken = np.repeat(taken[:, None], MOMENTS, axis=1)
        ways = steady_pixels(np.array([passage.length for passage in found])).tolist()
        for row in sorted(range(len(found)), key=ways.__getitem__):
            if not found[row].slides:
                continue
            others = np.concatenate((np.delete(boxes, row, axis=0), taken))
            if found[row].length > 0.0 and boxes_overlap(sliding[row], others):
                found[row] = standing[row]
            else:
                boxes[row] = sliding[row]
        return found

    def _seen(self, passages: Sequence[_Passage], draw: DrawList, share: float) -> Iterator[ShownLabel | None]:
        each = zip(passages, draw.labels, anchors(replace(self.viewport, draw=draw)), strict=True)
        return (passage.at(anchor, share, label.rgba) for passage, label, anchor in each)

    def at(self, share: float) -> Viewport:
        return replace(self.viewport, draw=self.tween.at(share))

    def finished(self, placed: PlacedPane, there: Viewport, share: float) -> PlacedPane:
        """The pane `placed` with the labels and leaders at a share of the time."""
        seen = [shown for shown in self._seen(self.passages, there.draw, share) if shown is not None]
        return replace(with_labels(placed, seen, there.density), labels_dropped=self.after.labels_dropped)


class PictureTransition(Struct, frozen=True, eq=False):
    """The transition from the panes of one step to those of another, which have the same cameras."""

    ways: list[_Way]
    insets: list[list[_Way]]
    before: Sequence[LaidPane]
    after: Sequence[LaidPane]

    @staticmethod
    def of(before: Sequence[LaidPane], after: Sequence[LaidPane]) -> PictureTransition:
        """The transition between two lists of panes; the things in both are paired."""
        ways, insets = [], []
        for first, last in zip(before, after, strict=True):
            ways.append(_Way.of(first, last))
            both = zip(first.insets, last.insets, strict=False)
            insets.append([_Way.of(*each) for each in both] if len(first.insets) == len(last.insets) else [])
        return PictureTransition(ways, insets, before, after)

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
