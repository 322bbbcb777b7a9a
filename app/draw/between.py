"""The drawing between two others: what stands in both moves, what is new fades in, what is gone fades out.

Two primitives are one thing if they have one name, or else one place. A named thing moves from its place to the next;
what has no name stands still, and only its colour and width change. Lines and sheets that come anew with a `sweep`
grow from that point. Things on a turned group ride with it: the group turns rigidly from one place to the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.quaternion import conjugate, from_axis_angle, from_matrix, multiply, to_axis_angle, to_matrix
from core.geometry.vector import Array, cross, dot, dots, length, length_rows, unit

from .draw_list import (
    BoolArray,
    DrawList,
    Hatch,
    IntArray,
    Label,
    Marks,
    Rgba,
    Segments,
    Sheet,
    Solid,
    TurnedGroup,
    same,
)

T = TypeVar("T")

DIGITS = 9
"""Decimals, as shares of the drawing's size, to which places are compared."""


def eased(share: float) -> float:
    """The share of the way at a share of the time, both 0 to 1; slow at both ends."""
    return share * share * (3.0 - 2.0 * share)


def between(before: DrawList, after: DrawList, share: float) -> DrawList:
    """The drawing at a share of the way, 0 to 1: exactly `before` at 0, exactly `after` at 1."""
    return Tween.of(before, after).at(share)


class MovingGroup(Struct, frozen=True, eq=False):
    """A turned group that turns from one place to another, with the sides that a camera gives it at both."""

    before: TurnedGroup
    after: TurnedGroup

    def at(self, share: float) -> TurnedGroup:
        """The group on its way."""
        first, last = _frame(self.before), _frame(self.after)
        turn = multiply(from_matrix(last), conjugate(from_matrix(first)))
        axis, angle = to_axis_angle(turn)
        turned = np.eye(3) if angle == 0.0 else to_matrix(from_axis_angle(axis, share * angle))
        long = _on(_length(self.before), _length(self.after), share)
        return TurnedGroup(
            origin=_way(self.before.origin, self.after.origin, share),
            axis=dots(turned, first[:, 0]),
            ball=_on(self.before.ball, self.after.ball, share),
            name=self.after.name,
            side=long * dots(turned, first[:, 1]),
        )


class LabelPair(Struct, frozen=True):
    """A label on its way: its number in the drawing before and in the one after, -1 for none.

    `gain`: +1 if it comes, -1 if it goes, 0 if it stands in both with one text. A label whose text changes is two, of
    which one comes after the other has gone.
    """

    before: int
    after: int
    gain: int

    def alpha(self, share: float) -> float:
        """The label's opacity at a share of the way."""
        if self.gain == 0 or self.before < 0 or self.after < 0:
            return _alpha(self.gain, share)
        return _in_turn(self.gain, share)


class MovingLines(Struct, frozen=True, eq=False):
    """A batch of lines with two states; `looks`: all that does not change.

    `start`, `end` (2, n, 3), `rgba` (2, n, 8), `width` (2, n), `lift` (2, n, 2). `along` (2, n, 2): distances of start
    and end on the axis of a moving group, `on_axis` (n, 2): which ends are placed by them.
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
        """The lines on their way, on `groups` as they are there."""
        ends = [_way(places[0], places[1], share) for places in (self.start, self.end)]
        along = _way(self.along[0], self.along[1], share)
        for column, places in enumerate(ends):
            for row in np.flatnonzero(self.on_axis[:, column]).tolist():
                group = groups[self.group[row]]
                places[row] = group.origin + along[row, column] * group.axis
        rgba, lift = (_way(states[0], states[1], share) for states in (self.rgba, self.lift))
        return replace(
            self.looks,
            start=ends[0],
            end=ends[1],
            start_rgba=rgba[:, :4],
            end_rgba=rgba[:, 4:],
            width=_way(self.width[0], self.width[1], share),
            start_lift=lift[:, 0],
            end_lift=lift[:, 1],
        )


class MovingSolid(Struct, frozen=True, eq=False):
    """A solid whose triangles (m) change from the colours `first` to `last`, (m, 4) each; or comes, or goes.

    `gain`: as of a label. Front faces hide what is behind them, however faint they are: so a solid that goes has gone
    before one comes. Glass hides nothing, and fades all the way.
    """

    solid: Solid
    first: Array
    last: Array
    gain: int = 0

    def at(self, share: float) -> Solid:
        """The solid on its way."""
        alpha = _alpha(self.gain, share) if self.gain == 0 or self.solid.glass else _in_turn(self.gain, share)
        rgba, outline = _way(self.first, self.last, share) * (1.0, 1.0, 1.0, alpha), _dimmed(self.solid.outline, alpha)
        return replace(self.solid, rgba=rgba, outline=outline, glass=self.solid.glass or alpha == 0.0)


class GrowingSolid(Struct, frozen=True, eq=False):
    """A solid that has some triangles of another one, as EPA's polytope after an expansion.

    First the triangles go that it has no more, then the new ones come. `goes`, `comes` (m,): which of each solid's.
    """

    before: MovingSolid
    after: MovingSolid
    goes: BoolArray
    comes: BoolArray

    def at(self, share: float) -> Solid:
        """The solid on its way."""
        gain, moving, rows = (-1, self.before, self.goes) if share < 0.5 else (1, self.after, self.comes)
        found = moving.at(share)
        found.rgba[rows, 3] *= _in_turn(gain, share)
        return found


class Tween(Struct, frozen=True, eq=False):
    """Two drawings whose things are paired once, for every picture between them."""

    before: DrawList
    after: DrawList
    groups: list[TurnedGroup | MovingGroup]
    solids: list[Solid | MovingSolid | GrowingSolid]
    segments: list[Segments | MovingLines]
    sheets: list[tuple[Sheet, Sheet]]
    hatches: list[tuple[Hatch, int]]
    marks: list[tuple[Marks, Marks]]
    labels: list[LabelPair]
    group_of: list[int]
    """By the number of a group before: its number in the drawings between."""

    @staticmethod
    def of(before: DrawList, after: DrawList) -> Tween:
        """Pairs the things of both drawings."""
        groups, group_of = _groups(before, after)
        solids, solid_of = _solids(before, after)
        return Tween(
            before=before,
            after=after,
            groups=groups,
            solids=solids,
            segments=_segments(before, after, group_of, solid_of, groups),
            sheets=_sheets(before.sheets, after.sheets),
            hatches=_hatches(before, after, solid_of),
            marks=_marks(before.marks, after.marks),
            labels=_labels(before.labels, after.labels),
            group_of=group_of,
        )

    def at(self, share: float) -> DrawList:
        """The drawing at a share of the way, 0 to 1."""
        if share <= 0.0 or share >= 1.0:
            return self.before if share <= 0.0 else self.after
        groups = [each.at(share) if isinstance(each, MovingGroup) else each for each in self.groups]
        return DrawList(
            segments=[each.at(share, groups) if isinstance(each, MovingLines) else each for each in self.segments],
            solids=[each if isinstance(each, Solid) else each.at(share) for each in self.solids],
            sheets=[_sheet_between(first, last, share) for first, last in self.sheets],
            hatches=[replace(each, rgba=_dimmed(each.rgba, _alpha(gain, share))) for each, gain in self.hatches],
            marks=[first if first is last else _mark_between(first, last, share) for first, last in self.marks],
            labels=[self._label(pair, share, groups) for pair in self.labels],
            groups=groups,
        )

    def _label(self, pair: LabelPair, share: float, groups: Sequence[TurnedGroup]) -> Label:
        old = None if pair.before < 0 else self.before.labels[pair.before]
        new = None if pair.after < 0 else self.after.labels[pair.after]
        shown = old if pair.gain < 0 else new
        assert shown is not None
        first, last = old or shown, new or shown
        group_before = self.group_of[first.group] if old is not None and first.group >= 0 else first.group
        group = group_before if new is None else last.group
        point, lift = _way(first.point, last.point, share), _on(first.lift, last.lift, share)
        if group_before != group:
            # From one group to another, or to none: it stands where it will be.
            point, lift = last.point, last.lift
        elif group >= 0 and isinstance(moving := self.groups[group], MovingGroup):
            ends = (
                (moving.before if old is not None else moving.after),
                (moving.after if new is not None else moving.before),
            )
            (here, on_here), (there, on_there) = (
                _along(label.point[None], end) for label, end in zip((first, last), ends, strict=True)
            )
            if on_here[0] and on_there[0]:
                point = groups[group].origin + _on(float(here[0]), float(there[0]), share) * groups[group].axis
        rgba = _dimmed(_mixed(first.rgba, last.rgba, share), pair.alpha(share))
        return replace(shown, point=point, rgba=rgba, lift=lift, group=group)


def _on(first: float, last: float, share: float) -> float:
    return first + share * (last - first)


def _way(first: Array, last: Array, share: float) -> Array:
    way: Array = first + share * (last - first)
    return way


def _mixed(first: Rgba, last: Rgba, share: float) -> Rgba:
    red, green, blue, alpha = (_on(p, q, share) for p, q in zip(first, last, strict=True))
    return red, green, blue, alpha


def _dimmed(rgba: Rgba, share: float) -> Rgba:
    return (*rgba[:3], rgba[3] * share)


def _in_turn(gain: int, share: float) -> float:
    """The opacity of what comes only after another thing has gone, or of that."""
    return max(0.0, 2.0 * _alpha(gain, share) - 1.0)


def _alpha(gain: int, share: float) -> float:
    """The opacity at a share of the way of what comes, goes, or stays."""
    return 1.0 if gain == 0 else share if gain > 0 else 1.0 - share


def _taken_out(keys: Iterable[tuple[int, Hashable]]) -> dict[Hashable, list[int]]:
    """The numbers by their key, the last first."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for number, key in keys:
        found[key].append(number)
    for numbers in found.values():
        numbers.reverse()
    return found


def paired(before: Sequence[T], after: Sequence[T], *keys: Callable[[T], Hashable]) -> list[int]:
    """For each thing after the number of the thing before that has one key with it, or -1; the first key counts most.

    A key of None is the key of nothing; of things with one key the first goes to the first.
    """
    found = [-1] * len(after)
    free = set(range(len(before)))
    for key in keys:
        of_before = _taken_out((number, which) for number in sorted(free) if (which := key(before[number])) is not None)
        for number, each in enumerate(after):
            if found[number] < 0 and (which := key(each)) is not None and (numbers := of_before.get(which)):
                found[number] = numbers.pop()
                free.discard(found[number])
    return found


def _gone(pairs: Sequence[int], count: int) -> list[int]:
    return sorted(set(range(count)) - set(pairs))


# Turned groups.


def _frame(group: TurnedGroup) -> Array:
    """The rotation (3, 3) whose columns are the group's axis, its side and their cross product."""
    assert group.side is not None
    axis = group.axis
    side = unit(group.side - dot(group.side, axis) * axis)
    assert side is not None
    return np.column_stack((axis, side, cross(axis, side)))


def _length(group: TurnedGroup) -> float:
    return 1.0 if group.side is None else length(group.side)


def _can_turn(group: TurnedGroup) -> bool:
    """Whether the side that a camera gave to the group is known, and is no part of its axis."""
    return group.side is not None and length(cross(group.side, group.axis)) > 1e-6 * length(group.side)


def _groups(before: DrawList, after: DrawList) -> tuple[list[TurnedGroup | MovingGroup], list[int]]:
    """The groups of both drawings, those after first, and by the number of a group before its number there."""

    def place(group: TurnedGroup) -> Hashable:
        return (_key(group.origin), _key(group.axis), group.ball, _key(group.side), group.name)

    def name(group: TurnedGroup) -> Hashable:
        return (group.name, group.ball > 0.0) if group.name and _can_turn(group) else None

    pairs = paired(before.groups, after.groups, place, name)
    groups: list[TurnedGroup | MovingGroup] = []
    group_of = [-1] * len(before.groups)
    for number, pair in enumerate(pairs):
        group = after.groups[number]
        if pair >= 0:
            group_of[pair] = number
        still = pair < 0 or place(before.groups[pair]) == place(group)
        groups.append(group if still else MovingGroup(before.groups[pair], group))
    for number in _gone(pairs, len(before.groups)):
        group_of[number] = len(groups)
        groups.append(before.groups[number])
    return groups, group_of


def _key(array: Array | None) -> bytes:
    return b"" if array is None else (np.round(array, DIGITS) + 0.0).tobytes()


def _along(points: Array, group: TurnedGroup) -> tuple[Array, BoolArray]:
    """The distances (n,) of points (n, 3) along a group's axis, and which of them lie on it."""
    arms = points - group.origin
    along = dots(arms, group.axis)
    off = length_rows(arms - along[:, None] * group.axis)
    return along, off <= 1e-9 * (1.0 + np.abs(along))


# Lines.


class _Rows(Struct, frozen=True, eq=False):
    """The lines of several batches as one table, n rows; `batch`, `row` (n,): where each came from."""

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
    def of(batches: list[Segments]) -> _Rows:
        counts = [len(batch.subjects) for batch in batches]

        def column(name: str, *shape: int) -> Array:
            each = [
                np.broadcast_to(np.asarray(getattr(batch, name), dtype=np.float64), (count, *shape))
                for batch, count in zip(batches, counts, strict=True)
            ]
            return np.concatenate([np.zeros((0, *shape)), *each])

        return _Rows(
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
    """The batch with the numbers that its groups and its solid have in the drawings between."""
    if isinstance(batch.group, int):
        group: int | IntArray = group_of[batch.group] if batch.group >= 0 else -1
    else:
        group = np.where(batch.group >= 0, np.array([*group_of, -1])[batch.group], -1)
    return replace(batch, group=group, solid=solid_of[batch.solid] if batch.solid >= 0 else -1)


def _segments(
    before: DrawList,
    after: DrawList,
    group_of: list[int],
    solid_of: list[int],
    groups: list[TurnedGroup | MovingGroup],
) -> list[Segments | MovingLines]:
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
    old = _Rows.of([batch for number, batch in enumerate(olds) if number in left])
    new = _Rows.of([batch for batch, twin in zip(after.segments, found, strict=True) if twin is None])
    pairs = np.array(_line_pairs(old, new), dtype=np.int64)
    lines = iter(_coming(old, new, pairs, groups))
    going = _going(old, np.array(_gone(pairs.tolist(), len(old.width)), dtype=np.int64), groups)
    return [*(next(lines) if each is None else each for each in found), *going]


def _alike(first: Segments, second: Segments) -> bool:
    return len(first.subjects) == len(second.subjects) and first.layer == second.layer and same(first, second)


Line = tuple[_Rows, int, bytes, bytes]
"""A table with a line's number in it, the key of its place, and that of its place and look."""


def _line_pairs(old: _Rows, new: _Rows) -> list[int]:
    """For each line after the number of the line before that is the same thing, or -1."""
    size = max(float(np.abs(rows).max(initial=1e-300)) for rows in (old.start, old.end, new.start, new.end))
    tables = []
    for rows in (old, new):
        hidden = np.array([batch.hidden for batch in rows.batches], dtype=np.float64)[rows.batch]
        places = np.column_stack(
            (np.round(np.column_stack((rows.start, rows.end, rows.lift)) / size, DIGITS), rows.group, rows.dash, hidden)
        )
        looks = np.column_stack((places, rows.rgba, rows.width))
        tables.append(
            [
                (rows, number, place.tobytes(), whole.tobytes())
                for number, (place, whole) in enumerate(zip(places + 0.0, looks + 0.0, strict=True))
            ]
        )

    def name(each: Line) -> Hashable:
        rows, number, _, _ = each
        batch = rows.of_row(number)
        if not batch.name:
            return None
        look = batch.hidden, batch.layer, batch.arrow_end > 0.0, int(rows.dash[number]), float(rows.width[number])
        return batch.name, int(rows.group[number]), *look

    def exact(each: Line) -> Hashable:
        rows, number, _, whole = each
        batch = rows.of_row(number)
        return None if batch.creases is not None else (whole, batch.subjects[rows.row[number]])

    def place(each: Line) -> Hashable:
        rows, number, where, _ = each
        batch = rows.of_row(number)
        return None if batch.creases is not None or batch.name else where

    return paired(tables[0], tables[1], name, exact, place)


def _coming(
    old: _Rows, new: _Rows, pairs: IntArray, groups: list[TurnedGroup | MovingGroup]
) -> list[Segments | MovingLines]:
    """The batches after, each line from where it stood before, or fading in."""
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


def _going(old: _Rows, gone: IntArray, groups: list[TurnedGroup | MovingGroup]) -> list[Segments | MovingLines]:
    """The lines before that are no more, fading out where they stand, or on their moving group."""
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
    """The distances (2, n, 2) of starts and ends along their moving groups' axes, and which are placed by them (n, 2).

    `states`: of the starts and of the ends, (2, n, 3). What only comes or goes keeps its distance on the way.
    """
    along, on_axis = np.zeros((2, len(group), 2)), np.zeros((len(group), 2), dtype=bool)
    for number in set(group.tolist()):
        moving = groups[number] if number >= 0 else None
        if not isinstance(moving, MovingGroup):
            continue
        rows = np.flatnonzero(group == number)
        alone = moving.after if coming else moving.before
        for column, (first, last) in enumerate(states):
            here, on_here = _along(first[rows], moving.before)
            over, on_over = _along(last[rows], moving.after)
            own, on_own = _along((last if coming else first)[rows], alone)
            both = there[rows]
            along[:, rows, column] = np.where(both, here, own), np.where(both, over, own)
            on_axis[rows, column] = np.where(both, on_here & on_over, on_own)
    return along, on_axis


# Faces.


def _solids(before: DrawList, after: DrawList) -> tuple[list[Solid | MovingSolid | GrowingSolid], list[int]]:
    """The solids of both drawings, those after first, and by the number of a solid before its number there."""

    def place(solid: Solid) -> Hashable:
        return len(solid.corners), solid.smooth, solid.glass, solid.corners.tobytes()

    def exact(solid: Solid) -> Hashable:
        return place(solid), solid.subjects[0] if solid.subjects else None

    pairs = paired(before.solids, after.solids, exact, lambda solid: solid.name or None)
    solids: list[Solid | MovingSolid | GrowingSolid] = []
    solid_of = [-1] * len(before.solids)
    for number, pair in enumerate(pairs):
        solid = after.solids[number]
        if pair < 0:
            solids.append(MovingSolid(solid, solid.rgba, solid.rgba, 1))
            continue
        solid_of[pair], old = number, before.solids[pair]
        if same(old, solid):
            solids.append(solid)
        elif place(old) == place(solid):
            solids.append(MovingSolid(solid, old.rgba, solid.rgba))
        else:
            solids.append(_growing(old, solid))
    for number in _gone(pairs, len(before.solids)):
        old, solid_of[number] = before.solids[number], len(solids)
        solids.append(MovingSolid(old, old.rgba, old.rgba, -1))
    return solids, solid_of


def _growing(old: Solid, new: Solid) -> GrowingSolid:
    def key(triangle: Array) -> Hashable:
        return frozenset(_key(corner) for corner in triangle)

    pairs = np.array(paired(list(old.corners), list(new.corners), key), dtype=np.int64)
    there = np.flatnonzero(pairs >= 0)
    ahead, back = old.rgba.copy(), new.rgba.copy()
    ahead[pairs[there]], back[there] = new.rgba[there], old.rgba[pairs[there]]
    goes = np.ones(len(old.rgba), dtype=bool)
    goes[pairs[there]] = False
    return GrowingSolid(MovingSolid(old, old.rgba, ahead), MovingSolid(new, back, new.rgba), goes, pairs < 0)


def _sheets(before: list[Sheet], after: list[Sheet]) -> list[tuple[Sheet, Sheet]]:
    def name(sheet: Sheet) -> Hashable:
        return (sheet.name, len(sheet.points)) if sheet.name else None

    def place(sheet: Sheet) -> Hashable:
        return None if sheet.name else _key(sheet.points)

    pairs = paired(before, after, name, place)
    found = []
    for pair, sheet in zip(pairs, after, strict=True):
        if pair >= 0:
            first = before[pair]
        else:
            points = sheet.points if sheet.sweep is None else np.broadcast_to(sheet.sweep, sheet.points.shape)
            first = replace(sheet, rgba=_dimmed(sheet.rgba, 0.0), points=points)
        found.append((first, sheet))
    return found + [
        (sheet, replace(sheet, rgba=_dimmed(sheet.rgba, 0.0)))
        for sheet in (before[k] for k in _gone(pairs, len(before)))
    ]


def _sheet_between(first: Sheet, last: Sheet, share: float) -> Sheet:
    return replace(last, points=_way(first.points, last.points, share), rgba=_mixed(first.rgba, last.rgba, share))


def _hatches(before: DrawList, after: DrawList, solid_of: list[int]) -> list[tuple[Hatch, int]]:
    olds = [replace(hatch, solid=solid_of[hatch.solid] if hatch.solid >= 0 else -1) for hatch in before.hatches]
    found: list[tuple[Hatch, int]] = []
    for hatch in after.hatches:
        twin = next((old for old in olds if same(old, hatch)), None)
        found.append((hatch, 1 if twin is None else 0))
        if twin is not None:
            olds = [old for old in olds if old is not twin]
    return found + [(hatch, -1) for hatch in olds]


# Points and words.


def _marks(before: list[Marks], after: list[Marks]) -> list[tuple[Marks, Marks]]:
    olds, found = list(before), []
    left: list[Marks] = []
    for batch in after:
        twin = next((old for old in olds if len(old.subjects) == len(batch.subjects) and same(old, batch)), None)
        if twin is None:
            left += _single(batch)
        else:
            olds = [old for old in olds if old is not twin]
            found.append((batch, batch))

    def name(mark: Marks) -> Hashable:
        return (mark.name, mark.shape, mark.hidden) if mark.name else None

    def place(mark: Marks) -> Hashable:
        return None if mark.name else (_key(mark.points), mark.shape, mark.hidden)

    singles = [mark for batch in olds for mark in _single(batch)]
    pairs = paired(singles, left, name, place)
    for pair, mark in zip(pairs, left, strict=True):
        found.append((singles[pair] if pair >= 0 else _unseen(mark), mark))
    return found + [(mark, _unseen(mark)) for mark in (singles[k] for k in _gone(pairs, len(singles)))]


def _single(batch: Marks) -> list[Marks]:
    return [
        replace(batch, points=batch.points[row : row + 1], subjects=[subject])
        for row, subject in enumerate(batch.subjects)
    ]


def _unseen(mark: Marks) -> Marks:
    return replace(mark, fill=_dimmed(mark.fill, 0.0), stroke=_dimmed(mark.stroke, 0.0))


def _mark_between(first: Marks, last: Marks, share: float) -> Marks:
    return replace(
        last,
        points=_way(first.points, last.points, share),
        radius=_on(first.radius, last.radius, share),
        fill=_mixed(first.fill, last.fill, share),
        stroke=_mixed(first.stroke, last.stroke, share),
        stroke_width=_on(first.stroke_width, last.stroke_width, share),
    )


def _labels(before: list[Label], after: list[Label]) -> list[LabelPair]:
    def name(label: Label) -> Hashable:
        return (label.name, stem(label.text)) if label.name else None

    def only_name(label: Label) -> Hashable:
        return label.name or None

    def exact(label: Label) -> Hashable:
        return label.text, label.subject, _key(label.point), label.group >= 0

    def place(label: Label) -> Hashable:
        return stem(label.text), _key(label.point), label.group >= 0

    pairs = paired(before, after, name, only_name, exact, place)
    found = []
    for number, pair in enumerate(pairs):
        if pair >= 0 and before[pair].text == after[number].text:
            found.append(LabelPair(pair, number, 0))
            continue
        found.append(LabelPair(pair, number, 1))
        if pair >= 0:
            found.append(LabelPair(pair, number, -1))
    return found + [LabelPair(number, -1, -1) for number in _gone(pairs, len(before))]


def stem(text: str) -> str:
    """The name in a label without its numbers: `w₃` of `w₃ = a₁ − b₅`, `gap` of `gap 0.3`."""
    return re.sub(r"[-−+]?\d[\d.,e]*", "", text.partition("=")[0].partition(":")[0]).strip()
