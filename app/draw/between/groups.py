"""Turned groups between two draw lists: each moves as a rigid body from its first place to its second."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from msgspec import Struct

from core.geometry.quaternion import conjugate, from_axis_angle, from_matrix, multiply, to_axis_angle, to_matrix
from core.geometry.vector import Array, cross, dot, dots, length, length_rows, unit

from ..draw_list import BoolArray, DrawList, TurnedGroup
from .pairing import lerp, lerp_arrays, paired, place_key, unpaired


class MovingGroup(Struct, frozen=True, eq=False):
    """A turned group that changes its place; both states have the sides that the layout chose for a camera."""

    before: TurnedGroup
    after: TurnedGroup

    def at(self, share: float) -> TurnedGroup:
        """The group at `share` of the way, 0 to 1."""
        first, last = _frame(self.before), _frame(self.after)
        turn = multiply(from_matrix(last), conjugate(from_matrix(first)))
        axis, angle = to_axis_angle(turn)
        turned = np.eye(3) if angle == 0.0 else to_matrix(from_axis_angle(axis, share * angle))
        long = lerp(_length(self.before), _length(self.after), share)
        return TurnedGroup(
            origin=lerp_arrays(self.before.origin, self.after.origin, share),
            axis=dots(turned, first[:, 0]),
            ball=lerp(self.before.ball, self.after.ball, share),
            name=self.after.name,
            side=long * dots(turned, first[:, 1]),
            stretch=lerp(self.before.stretch, self.after.stretch, share),
            shift=lerp_arrays(_shift(self.before), _shift(self.after), share),
        )


def _frame(group: TurnedGroup) -> Array:
    """The rotation (3, 3) whose columns are the group's axis, its side and their cross product."""
    assert group.side is not None
    axis = group.axis
    side = unit(group.side - dot(group.side, axis) * axis)
    assert side is not None
    return np.column_stack((axis, side, cross(axis, side)))


def _length(group: TurnedGroup) -> float:
    return 1.0 if group.side is None else length(group.side)


def _shift(group: TurnedGroup) -> Array:
    return np.zeros(3) if group.shift is None else group.shift


def _can_turn(group: TurnedGroup) -> bool:
    """Whether the group's side is known and not parallel to its axis."""
    return group.side is not None and length(cross(group.side, group.axis)) > 1e-6 * length(group.side)


def paired_groups(before: DrawList, after: DrawList) -> tuple[list[TurnedGroup | MovingGroup], list[int]]:
    """The groups of the draw lists between, those of `after` first; and for each group of `before` its number there."""

    def place(group: TurnedGroup) -> Hashable:
        moved = group.stretch, place_key(_shift(group))
        return (place_key(group.origin), place_key(group.axis), group.ball, place_key(group.side), moved, group.name)

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
    for number in unpaired(pairs, len(before.groups)):
        group_of[number] = len(groups)
        groups.append(before.groups[number])
    return groups, group_of


def along_axis(points: Array, group: TurnedGroup) -> tuple[Array, BoolArray]:
    """The signed distances (n,) of points (n, 3) along a group's axis from its origin, and which points are on it."""
    arms = points - group.origin
    along = dots(arms, group.axis)
    off = length_rows(arms - along[:, None] * group.axis)
    return along, off <= 1e-9 * (1.0 + np.abs(along))
