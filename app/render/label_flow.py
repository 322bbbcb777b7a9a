"""The labels of a film that flows, such as a turn: the places that the layout chose, with calm changes between them.

A label whose place changes from one picture to the next slides there, unless another label or a mark is in its way.
Else in a turn it fades out before the change and in after it, as does a label that has room in some of the pictures
only. In other films, whose labels change their words too, it changes at once, so that each picture can be read; there
the distance has the places that change most seldom (`kept_places`). In the first picture of a turn, which stands for
the film, no label is faded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import nan

import numpy as np
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw.between import eased, stem
from ..draw.draw_list import Subject
from ..draw.layout import in_view
from ..draw.layout.frame import screen_outlines
from ..draw.layout.labels import marker_boxes
from ..draw.placed import box_about, boxes_overlap, middle_of, placed_about
from ..draw.steady import steady_pixels
from ..draw.theme import faded
from .kept_places import Surroundings, kept_places
from .moving_labels import ShownLabel, boxes_of, shown_labels
from .transition import LaidInset, LaidPane

LabelName = tuple[int, Subject, str, int]
"""A label's name in all pictures: its view's number, its subject, its text without numbers, and its number among labels
that agree in these. Labels of MEASURE have the kind in place of the text."""
MEASURE = "distance"
"""The kind of labels that are one and the same while bodies move: a distance turns into a depth when they meet."""
JUMP = 12.0
"""Points that a label moves about its anchor from a picture to the next if it changes its place; a rail that turns with
the camera moves its labels less."""
MOST_PLACES = 1000
"""More than the places that a label has at one anchor."""


def _not_to_cover(view: LaidPane | LaidInset) -> Array:
    """The boxes (n, 4) in a view that no label slides over, pixels."""
    return np.concatenate((boxes_of(view.viewport.room.taken), marker_boxes(view.placed.marks)))


def _surroundings(view: LaidPane | LaidInset, taken: Array) -> Surroundings:
    size, placed = np.array((view.placed.width, view.placed.height)), view.placed
    measured = any(label.kind == MEASURE for label in view.viewport.draw.labels)
    bodies = screen_outlines(in_view(view.viewport)) if measured else ()
    return Surroundings.of(placed.lines, placed.leaders, size, taken, view.viewport.density, bodies)


class LabelFlow:
    """Gets all laid-out pictures in their order by `add`; `at` then has the labels of each.

    `half_change`: pictures before and after a change in which it takes place. `closed`: the first picture follows the
    last. A view is a pane or an inset.
    """

    def __init__(self, count: int, half_change: int, *, closed: bool) -> None:
        self._count, self._half_change, self._closed = count, min(half_change, count // 2), closed
        self._labels: dict[LabelName, list[ShownLabel | None]] = {}
        self._taken: list[list[Array]] = []
        self._around: list[list[Surroundings]] = []
        self._number, self._density = 0, 1.0
        self._settled: tuple[Array, Array] | None = None

    def add(self, panes: Sequence[LaidPane]) -> None:
        """Adds the next picture."""
        views = [view for pane in panes for view in pane.views]
        self._density = panes[0].viewport.density
        self._taken.append([_not_to_cover(view) for view in views])
        self._around.append([_surroundings(view, boxes) for view, boxes in zip(views, self._taken[-1], strict=True)])
        for number, view in enumerate(views):
            times = Counter[tuple[object, ...]]()
            for shown in shown_labels(view.viewport, view.placed):
                kind = view.viewport.draw.labels[shown.label.number].kind
                words = kind if kind == MEASURE else stem(shown.label.whole or shown.label.text)
                name = number, shown.label.subject, words
                times[name] += 1
                self._labels.setdefault((*name, times[name]), [None] * self._count)[self._number] = shown
        self._number += 1

    def at(self, number: int) -> list[list[ShownLabel]]:
        """The labels of each view of picture `number`, from 0."""
        if self._settled is None:
            self._settled = self._settle()
        away, alpha = (each[:, number] for each in self._settled)
        found: list[list[ShownLabel]] = [[] for _ in self._taken[number]]
        for row, (name, pictures) in enumerate(self._labels.items()):
            shown = pictures[number]
            if shown is not None:
                label = placed_about(shown.label, steady_pixels(shown.anchor + away[row, :2]))
                moved = replace(label, rgba=faded(label.rgba, float(alpha[row])))
                found[name[0]].append(ShownLabel(moved, shown.anchor, float(away[row, 2])))
        return found

    def _keep(self) -> None:
        """Gives labels of MEASURE the places that change most seldom."""
        for name, pictures in self._labels.items():
            if name[2] == MEASURE:
                view = name[0]
                rows = [row for other, row in self._labels.items() if other[0] == view and other != name]
                others = np.full((len(rows), self._count, 4), nan)
                for number, row in enumerate(rows):
                    for picture, shown in enumerate(row):
                        if shown is not None:
                            others[number, picture] = box_about(middle_of(shown.label), shown.label)
                around = [each[view] for each in self._around]
                self._labels[name] = kept_places(pictures, around, others, self._density)

    def _settle(self) -> tuple[Array, Array]:
        """For each label and picture the way to it from its anchor with its leader's opacity (l, n, 3), and its own."""
        if not self._closed:
            self._keep()
        size = len(self._labels), self._count
        places, away, boxes = np.full(size, -1), np.full((*size, 3), nan), np.full((*size, 4), nan)
        anchors = np.full((*size, 2), nan)
        for row, pictures in enumerate(self._labels.values()):
            for number, shown in enumerate(pictures):
                if shown is not None:
                    middle = middle_of(shown.label)
                    place = shown.label.place + MOST_PLACES * shown.label.anchor
                    places[row, number] = 2 * place + bool(shown.label.whole)
                    away[row, number] = *(middle - shown.anchor), shown.lead
                    boxes[row, number], anchors[row, number] = box_about(middle, shown.label), shown.anchor
        view, alpha = np.array([name[0] for name in self._labels]), np.ones(size)
        earlier = np.roll(places, 1, axis=1)
        jumps, drifts = (each - np.roll(each, 1, axis=1) for each in (away, anchors))
        # An anchor that goes on as before the change, or as after it, does not jump.
        swerves = [drifts, *(drifts - np.roll(drifts, by, axis=1) for by in (1, -1))]
        far, *drift = (np.hypot(each[..., 0], each[..., 1]) for each in (jumps, *swerves))
        far, drift = np.nan_to_num(far), np.nan_to_num(np.fmin.reduce(drift))
        changed = (places != earlier) | (far > JUMP * self._density)
        # A label whose anchor jumps, as with a rail that changes sides, does not slide.
        steady = (places % 2 == earlier % 2) & (drift <= 0.5 * far)
        changed[:, 0] &= self._closed
        rows, numbers = np.nonzero(changed)
        shares = (np.arange(2 * self._half_change) + 0.5) / (2 * self._half_change)
        lag = np.array([eased(share) - (share > 0.5) for share in shares.tolist()])
        for each in np.argsort(steady_pixels(far[rows, numbers]), kind="stable").tolist():
            row, number = int(rows[each]), int(numbers[each])
            around = np.arange(number - self._half_change, number + self._half_change)
            inside = (around >= 0) & (around < self._count) | self._closed
            around = around[inside] % self._count
            moves = lag[inside, None] * jumps[row, number]
            moved = boxes[row, around] + np.tile(moves[:, :2], 2)
            others = boxes[np.nonzero((view == view[row]) & (np.arange(len(view)) != row))[0][:, None], around]
            taken = self._taken_in(around.tolist(), int(view[row]))
            if (
                steady[row, number]
                and not np.isnan(moved).any()
                and not boxes_overlap(moved, np.concatenate((others, taken)))
            ):
                boxes[row, around], away[row, around] = moved, away[row, around] + moves
            elif self._closed:
                alpha[row, around] = np.minimum(alpha[row, around], self._fade(number)[inside])
        return away, alpha

    def _taken_in(self, numbers: Sequence[int], view: int) -> Array:
        """The boxes (k, n, 4) in a view of n pictures that no label slides over; nan where a picture has fewer."""
        boxes = [self._taken[number][view] for number in numbers]
        found = np.full((max(map(len, boxes)), len(boxes), 4), nan)
        for column, here in enumerate(boxes):
            found[: len(here), column] = here
        return found

    def _fade(self, number: int) -> Array:
        """The opacities of a label in the pictures round its change at picture `number`.

        A change near the first picture is quicker on that picture's side, so that all labels are whole there.
        """
        before = min(self._half_change, number or self._count)
        after = min(self._half_change, (self._count - number) % self._count + 1)
        distances = np.arange(self._half_change) + 0.5
        out: Array = np.minimum(2.0 * np.concatenate((distances[::-1] / before, distances / after)), 1.0)
        return out
