"""Lines between two draw lists, paired by name or else by place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw_list import BoolArray, DrawList, IntArray, Segments, TurnedGroup, equal
from .groups import MovingGroup, along_axis
from .pairing import DECIMALS, lerp_arrays, paired, unpaired


class MovingLines(Struct, frozen=True, eq=False):
    """A batch of n lines with two states, the first index of all arrays; `looks`: the fields that do not change.

    `start`, `end` (2, n, 3); `rgba` (2, n, 8): at both ends; `width` (2, n); `lift` (2, n, 2). `along` (2, n, 2):
    distances of start and end along the axis of a moving group. `on_axis` (n, 2), without states: the ends that are
    placed by these distances. `group` (n,): numbers of groups between, -1 for none.
    """

    looks: Segments
    start: Array
    end: Array
    rgba: Array
    width: Array
    lift: Array
    along: Array
    on_axis: BoolArray
    group: IntArray

    def at(self, share: float, groups: Sequence[TurnedGroup]) -> Segments:
        """The lines at `share` of the way, 0 to 1; `groups`: the groups at the same share."""
        ends = [lerp_arrays(places[0], places[1], share) for places in (self.start, self.end)]
        along = lerp_arrays(self.along[0], self.along[1], share)
        for column, places in enumerate(ends):
            for row in np.flatnonzero(self.on_axis[:, column]).tolist():
                group = groups[self.group[row]]
                places[row] = group.origin + along[row, column] * group.axis
        rgba, lift = (lerp_arrays(states[0], states[1], share) for states in (self.rgba, self.lift))
        return replace(
            self.looks,
            start=ends[0],
            end=ends[1],
            start_rgba=rgba[:, :4],
            end_rgba=rgba[:, 4:],
            width=lerp_arrays(self.width[0], self.width[1], share),
            start_lift=lift[:, 0],
            end_lift=lift[:, 1],
        )


class _LineTable(Struct, frozen=True, eq=False):
    """The lines of several batches as one table of n rows; `batch`, `row` (n,): each line's batch and its row there.

    The other columns are as in Segments; `rgba` (n, 8) and `lift` (n, 2): those of start and end.
    """

    batches: list[Segments]
    batch: IntArray
    row: IntArray
    start: Array
    end: Array
    rgba: Array
    width: Array
    lift: Array
    dash: IntArray
    group: IntArray

    @staticmethod
    def of(batches: list[Segments]) -> _LineTable:
        counts = [len(batch.subjects) for batch in batches]

        def column(name: str, *shape: int) -> Array:
            each = [
                np.broadcast_to(np.asarray(getattr(batch, name), dtype=np.float64), (count, *shape))
                for batch, count in zip(batches, counts, strict=True)
            ]
            return np.concatenate([np.zeros((0, *shape)), *each])

        return _LineTable(
            batches=batches,
            batch=np.repeat(np.arange(len(batches)), counts),
            row=np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(count) for count in counts)]),
            start=column("start", 3),
            end=column("end", 3),
            rgba=np.concatenate((column("start_rgba", 4), column("end_rgba", 4)), axis=1),
            width=column("width"),
            lift=np.column_stack((column("start_lift"), column("end_lift"))),
            dash=column("dash").astype(np.int64),
            group=column("group").astype(np.int64),
        )

    def of_row(self, number: int) -> Segments:
        return self.batches[int(self.batch[number])]


def _renumbered(batch: Segments, group_of: list[int], solid_of: list[int]) -> Segments:
    """The batch with the numbers that its groups and its solid have in the draw lists between."""
    if isinstance(batch.group, int):
        group: int | IntArray = group_of[batch.group] if batch.group >= 0 else -1
    else:
        group = np.where(batch.group >= 0, np.array([*group_of, -1])[batch.group], -1)
    return replace(batch, group=group, solid_number=solid_of[batch.solid_number] if batch.solid_number >= 0 else -1)


def paired_segments(
    before: DrawList,
    after: DrawList,
    group_of: list[int],
    solid_of: list[int],
    groups: list[TurnedGroup | MovingGroup],
) -> list[Segments | MovingLines]:
    """The batches of the draw lists between.

    `group_of`, `solid_of`: for each group and solid of `before` its number there; `groups`: the groups there.
    """
    olds = [_renumbered(batch, group_of, solid_of) for batch in before.segments]
    moving = {number for number, group in enumerate(groups) if isinstance(group, MovingGroup)}

    def still(batch: Segments) -> bool:
        held = {batch.group} if isinstance(batch.group, int) else set(batch.group.tolist())
        return not held & moving

    waiting = [number for number, batch in enumerate(olds) if still(batch)]
    found: list[Segments | MovingLines | None] = []
    for batch in after.segments:
        twin = next((number for number in waiting if _alike(olds[number], batch)), None)
        found.append(None if twin is None else batch)
        if twin is not None:
            waiting.remove(twin)
    left = {*waiting, *(number for number, batch in enumerate(olds) if not still(batch))}
    old = _LineTable.of([batch for number, batch in enumerate(olds) if number in left])
    new = _LineTable.of([batch for batch, twin in zip(after.segments, found, strict=True) if twin is None])
    pairs = np.array(_line_pairs(old, new), dtype=np.int64)
    lines = iter(_coming(old, new, pairs, groups))
    going = _going(old, np.array(unpaired(pairs.tolist(), len(old.width)), dtype=np.int64), groups)
    return [*(next(lines) if each is None else each for each in found), *going]


def _alike(first: Segments, second: Segments) -> bool:
    return len(first.subjects) == len(second.subjects) and first.layer == second.layer and equal(first, second)


_LineRow = tuple[_LineTable, int, bytes, bytes]
"""A table, a line's row in it, the key of the line's place, and the key of its place and look."""


def _line_pairs(old: _LineTable, new: _LineTable) -> list[int]:
    """For each row of `new` the row of `old` that it is paired with, or -1."""
    size = max(float(np.abs(rows).max(initial=1e-300)) for rows in (old.start, old.end, new.start, new.end))
    tables = []
    for rows in (old, new):
        hidden = np.array([batch.hidden for batch in rows.batches], dtype=np.float64)[rows.batch]
        places = np.column_stack(
            (
                np.round(np.column_stack((rows.start, rows.end, rows.lift)) / size, DECIMALS),
                rows.group,
                rows.dash,
                hidden,
            )
        )
        looks = np.column_stack((places, rows.rgba, rows.width))
        tables.append(
            [
                (rows, number, place.tobytes(), whole.tobytes())
                for number, (place, whole) in enumerate(zip(places + 0.0, looks + 0.0, strict=True))
            ]
        )

    def name(each: _LineRow) -> Hashable:
        rows, number, _, _ = each
        batch = rows.of_row(number)
        if not batch.name:
            return None
        look = batch.hidden, batch.layer, batch.arrow_end > 0.0, int(rows.dash[number]), float(rows.width[number])
        return batch.name, int(rows.group[number]), *look

    def exact(each: _LineRow) -> Hashable:
        rows, number, _, whole = each
        batch = rows.of_row(number)
        return None if batch.creases is not None else (whole, batch.subjects[rows.row[number]])

    def place(each: _LineRow) -> Hashable:
        rows, number, where, _ = each
        batch = rows.of_row(number)
        return None if batch.creases is not None or batch.name else where

    return paired(tables[0], tables[1], name, exact, place)


def _coming(
    old: _LineTable, new: _LineTable, pairs: IntArray, groups: list[TurnedGroup | MovingGroup]
) -> list[Segments | MovingLines]:
    """The batches of `new`; paired lines change from their old state, others fade in.

    `pairs` (n,): for each row of `new` its row of `old`, or -1.
    """
    there = pairs >= 0
    source = np.where(there, pairs, 0)

    def from_old(mine: Array, theirs: Array) -> Array:
        return (
            np.where(there.reshape(-1, *[1] * (mine.ndim - 1)), theirs.take(source, axis=0), mine)
            if len(theirs)
            else mine
        )

    start, end, rgba = from_old(new.start, old.start), from_old(new.end, old.end), from_old(new.rgba, old.rgba)
    rgba = rgba.copy()
    rgba[~there, 3] = rgba[~there, 7] = 0.0
    start, end = start.copy(), end.copy()
    for number in np.flatnonzero(~there).tolist():
        sweep = new.of_row(number).sweep
        if sweep is not None:
            start[number] = end[number] = sweep
    width, lift = from_old(new.width, old.width), from_old(new.lift, old.lift)
    found: list[Segments | MovingLines] = []
    for number, batch in enumerate(new.batches):
        rows = np.flatnonzero(new.batch == number)
        states = [np.stack((a[rows], b[rows])) for a, b in ((start, new.start), (end, new.end))]
        along, on_axis = _on_axes(states, there[rows], new.group[rows], groups, coming=True)
        found.append(
            MovingLines(
                looks=batch,
                start=states[0],
                end=states[1],
                rgba=np.stack((rgba[rows], new.rgba[rows])),
                width=np.stack((width[rows], new.width[rows])),
                lift=np.stack((lift[rows], new.lift[rows])),
                along=along,
                on_axis=on_axis,
                group=new.group[rows],
            )
        )
    return found


def _going(old: _LineTable, gone: IntArray, groups: list[TurnedGroup | MovingGroup]) -> list[Segments | MovingLines]:
    """The rows `gone` (k,) of `old` as batches that fade out at their place or on their moving group."""
    found: list[Segments | MovingLines] = []
    for number, batch in enumerate(old.batches):
        rows = gone[old.batch[gone] == number]
        if not len(rows):
            continue
        own = old.row[rows]
        states = [np.stack((places[rows], places[rows])) for places in (old.start, old.end)]
        group = old.group[rows]
        along, on_axis = _on_axes(states, np.zeros(len(rows), dtype=bool), group, groups, coming=False)
        rgba = np.stack((old.rgba[rows], old.rgba[rows]))
        rgba[1, :, 3] = rgba[1, :, 7] = 0.0
        looks = replace(
            batch,
            dash=old.dash[rows],
            group=group,
            subjects=[batch.subjects[row] for row in own.tolist()],
            normals=None if batch.normals is None else batch.normals[own],
            creases=None if batch.creases is None else batch.creases[own],
        )
        width, lift = (np.stack((column[rows], column[rows])) for column in (old.width, old.lift))
        found.append(MovingLines(looks, states[0], states[1], rgba, width, lift, along, on_axis, group))
    return found


def _on_axes(
    states: Sequence[Array], there: BoolArray, group: IntArray, groups: list[TurnedGroup | MovingGroup], *, coming: bool
) -> tuple[Array, BoolArray]:
    """The distances (2, n, 2) of starts and ends along their moving groups' axes, and the ends placed by them (n, 2).

    `states`: the two states of the starts, and of the ends, (2, n, 3) each. `there` (n,): the lines that are paired;
    others keep one distance all the way, the last one if `coming`, else the first.
    """
    along, on_axis = np.zeros((2, len(group), 2)), np.zeros((len(group), 2), dtype=bool)
    for number in set(group.tolist()):
        moving = groups[number] if number >= 0 else None
        if not isinstance(moving, MovingGroup):
            continue
        rows = np.flatnonzero(group == number)
        alone = moving.after if coming else moving.before
        for column, (first, last) in enumerate(states):
            here, on_here = along_axis(first[rows], moving.before)
            over, on_over = along_axis(last[rows], moving.after)
            own, on_own = along_axis((last if coming else first)[rows], alone)
            both = there[rows]
            along[:, rows, column] = np.where(both, here, own), np.where(both, over, own)
            on_axis[rows, column] = np.where(both, on_here & on_over, on_own)
    return along, on_axis
