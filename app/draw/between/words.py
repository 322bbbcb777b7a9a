"""Marks and labels between two draw lists."""

from __future__ import annotations

import re
from collections.abc import Hashable

from msgspec import Struct
from msgspec.structs import replace

from ..draw_list import Label, Marks, equal
from ..theme import faded, mixed
from .pairing import FADE, in_turn, lerp, lerp_arrays, paired, place_key, unpaired


class LabelPair(Struct, frozen=True):
    """A label between two draw lists: its number in the list before and in the one after, -1 if it is not there.

    `gain`: +1 if it fades in, -1 if it fades out, 0 if it is in both with the same text. A label whose text changes has
    two pairs: the old text fades out in the first half of the way, the new one fades in during the second half. A
    label that is in one list alone fades within FADE, so that others do not pass over it.
    """

    before: int
    after: int
    gain: int

    def alpha(self, share: float) -> float:
        """The label's opacity at `share` of the way, 0 to 1."""
        return in_turn(self.gain, share, FADE if self.before < 0 or self.after < 0 else 0.5)


def paired_marks(before: list[Marks], after: list[Marks]) -> list[tuple[Marks, Marks]]:
    """The marks of both lists as pairs (first, last) of states; a batch that does not change is the same object twice.

    All others are divided into batches of one mark each.
    """
    olds, found = list(before), []
    left: list[Marks] = []
    for batch in after:
        twin = next((old for old in olds if len(old.subjects) == len(batch.subjects) and equal(old, batch)), None)
        if twin is None:
            left += _single(batch)
        else:
            olds = [old for old in olds if old is not twin]
            found.append((batch, batch))

    def name(mark: Marks) -> Hashable:
        return (mark.name, mark.shape, mark.hidden) if mark.name else None

    def place(mark: Marks) -> Hashable:
        return None if mark.name else (place_key(mark.points), mark.shape, mark.hidden)

    singles = [mark for batch in olds for mark in _single(batch)]
    pairs = paired(singles, left, name, place)
    for pair, mark in zip(pairs, left, strict=True):
        found.append((singles[pair] if pair >= 0 else _unseen(mark), mark))
    return found + [(mark, _unseen(mark)) for mark in (singles[k] for k in unpaired(pairs, len(singles)))]


def _single(batch: Marks) -> list[Marks]:
    return [
        replace(batch, points=batch.points[row : row + 1], subjects=[subject])
        for row, subject in enumerate(batch.subjects)
    ]


def _unseen(mark: Marks) -> Marks:
    return replace(mark, fill=faded(mark.fill, 0.0), stroke=faded(mark.stroke, 0.0))


def mark_between(first: Marks, last: Marks, share: float) -> Marks:
    """The mark at `share` of the way, 0 to 1."""
    return replace(
        last,
        points=lerp_arrays(first.points, last.points, share),
        radius=lerp(first.radius, last.radius, share),
        fill=mixed(first.fill, last.fill, share),
        stroke=mixed(first.stroke, last.stroke, share),
        stroke_width=lerp(first.stroke_width, last.stroke_width, share),
    )


def paired_labels(before: list[Label], after: list[Label]) -> list[LabelPair]:
    """Pairs the labels of both lists by name, by text and place, or by the words before the number and place."""

    def name(label: Label) -> Hashable:
        return (label.name, stem(label.text)) if label.name else None

    def only_name(label: Label) -> Hashable:
        return label.name or None

    def exact(label: Label) -> Hashable:
        return label.text, label.subject, place_key(label.point), label.group >= 0

    def place(label: Label) -> Hashable:
        return stem(label.text), place_key(label.point), label.group >= 0

    pairs = paired(before, after, name, only_name, exact, place)
    found = []
    for number, pair in enumerate(pairs):
        if pair >= 0 and before[pair].text == after[number].text:
            found.append(LabelPair(pair, number, 0))
            continue
        found.append(LabelPair(pair, number, 1))
        if pair >= 0:
            found.append(LabelPair(pair, number, -1))
    return found + [LabelPair(number, -1, -1) for number in unpaired(pairs, len(before))]


def stem(text: str) -> str:
    """A label's text before "=" or ":", without numbers: `w₃` of `w₃ = a₁ − b₅`, `gap` of `gap 0.3`."""
    return re.sub(r"[-−+]?\d[\d.,e]*", "", text.partition("=")[0].partition(":")[0]).strip()
