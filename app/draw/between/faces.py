"""Solids, sheets and hatches between two draw lists."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.vector import Array

from ..draw_list import BoolArray, DrawList, Hatch, Sheet, Solid, equal
from ..theme import faded, mixed
from .pairing import in_turn, lerp_arrays, opacity, paired, place_key, unpaired


class MovingSolid(Struct, frozen=True, eq=False):
    """A solid whose m triangles change from the colours `first` to `last`, (m, 4) each.

    `gain`: +1 if the solid fades in, -1 if it fades out, 0 if it stays. Front faces hide what is behind them, however
    faint they are. So solids fade out in the first half of the way, and others fade in during the second half. Glass
    hides nothing and fades during the whole way.
    """

    solid: Solid
    first: Array
    last: Array
    gain: int = 0

    def at(self, share: float) -> Solid:
        """The solid at `share` of the way, 0 to 1."""
        alpha = opacity(self.gain, share) if self.gain == 0 or self.solid.glass else in_turn(self.gain, share)
        rgba, outline = (
            lerp_arrays(self.first, self.last, share) * (1.0, 1.0, 1.0, alpha),
            faded(self.solid.outline, alpha),
        )
        return replace(self.solid, rgba=rgba, outline=outline, glass=self.solid.glass or alpha == 0.0)


class GrowingSolid(Struct, frozen=True, eq=False):
    """A solid that keeps some triangles of another one, such as EPA's polytope after an expansion.

    `goes` (m,) bool: the triangles of `before` that are gone; they fade out in the first half of the way. `comes` (n,)
    bool: the triangles of `after` that are new; they fade in during the second half.
    """

    before: MovingSolid
    after: MovingSolid
    goes: BoolArray
    comes: BoolArray

    def at(self, share: float) -> Solid:
        """The solid at `share` of the way, 0 to 1."""
        gain, moving, rows = (-1, self.before, self.goes) if share < 0.5 else (1, self.after, self.comes)
        found = moving.at(share)
        found.rgba[rows, 3] *= in_turn(gain, share)
        return found


def paired_solids(before: DrawList, after: DrawList) -> tuple[list[Solid | MovingSolid | GrowingSolid], list[int]]:
    """The solids of the draw lists between, those of `after` first; and for each solid of `before` its number there."""

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
        if equal(old, solid):
            solids.append(solid)
        elif place(old) == place(solid):
            solids.append(MovingSolid(solid, old.rgba, solid.rgba))
        else:
            solids.append(_growing(old, solid))
    for number in unpaired(pairs, len(before.solids)):
        old, solid_of[number] = before.solids[number], len(solids)
        solids.append(MovingSolid(old, old.rgba, old.rgba, -1))
    return solids, solid_of


def _growing(old: Solid, new: Solid) -> GrowingSolid:
    def key(triangle: Array) -> Hashable:
        return frozenset(place_key(corner) for corner in triangle)

    pairs = np.array(paired(list(old.corners), list(new.corners), key), dtype=np.int64)
    there = np.flatnonzero(pairs >= 0)
    ahead, back = old.rgba.copy(), new.rgba.copy()
    ahead[pairs[there]], back[there] = new.rgba[there], old.rgba[pairs[there]]
    goes = np.ones(len(old.rgba), dtype=bool)
    goes[pairs[there]] = False
    return GrowingSolid(MovingSolid(old, old.rgba, ahead), MovingSolid(new, back, new.rgba), goes, pairs < 0)


def paired_sheets(before: list[Sheet], after: list[Sheet]) -> list[tuple[Sheet, Sheet]]:
    """The sheets of both lists as pairs (first, last) of the states between which each changes."""

    def name(sheet: Sheet) -> Hashable:
        return (sheet.name, len(sheet.points)) if sheet.name else None

    def place(sheet: Sheet) -> Hashable:
        return None if sheet.name else place_key(sheet.points)

    pairs = paired(before, after, name, place)
    found = []
    for pair, sheet in zip(pairs, after, strict=True):
        if pair >= 0:
            first = before[pair]
        else:
            points = sheet.points if sheet.sweep is None else np.broadcast_to(sheet.sweep, sheet.points.shape)
            first = replace(sheet, rgba=faded(sheet.rgba, 0.0), points=points)
        found.append((first, sheet))
    return found + [
        (sheet, replace(sheet, rgba=faded(sheet.rgba, 0.0)))
        for sheet in (before[k] for k in unpaired(pairs, len(before)))
    ]


def sheet_between(first: Sheet, last: Sheet, share: float) -> Sheet:
    """The sheet at `share` of the way, 0 to 1."""
    return replace(last, points=lerp_arrays(first.points, last.points, share), rgba=mixed(first.rgba, last.rgba, share))


def paired_hatches(before: DrawList, after: DrawList, solid_of: list[int]) -> list[tuple[Hatch, int]]:
    """The hatches of both draw lists, each with its gain: +1 fades in, -1 fades out, 0 stays.

    `solid_of`: for each solid of `before` its number in the draw lists between.
    """
    olds = [
        replace(hatch, solid_number=solid_of[hatch.solid_number] if hatch.solid_number >= 0 else -1)
        for hatch in before.hatches
    ]
    found: list[tuple[Hatch, int]] = []
    for hatch in after.hatches:
        twin = next((old for old in olds if equal(old, hatch)), None)
        found.append((hatch, 1 if twin is None else 0))
        if twin is not None:
            olds = [old for old in olds if old is not twin]
    return found + [(hatch, -1) for hatch in olds]
