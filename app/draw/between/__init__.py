"""Draw lists between two others. Primitives of both are paired; unpaired ones fade in if new and fade out if gone.

Two primitives are paired if they have the same name, or else the same place. A pair with a name moves from the first
place to the second. In a pair without a name only colour and width change. New lines and sheets with a `sweep` grow
from that point. A turned group moves as a rigid body from its first place to its second, and its primitives with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..draw_list import DrawList, Hatch, Label, Marks, Segments, Sheet, Solid, TurnedGroup
from ..theme import faded, mixed
from .faces import GrowingSolid, MovingSolid, paired_hatches, paired_sheets, paired_solids, sheet_between
from .groups import MovingGroup, along_axis, paired_groups
from .lines import MovingLines, paired_segments
from .pairing import FADE, eased, in_turn, lerp, lerp_arrays, opacity
from .words import LabelPair, mark_between, paired_labels, paired_marks, stem

__all__ = ["FADE", "Tween", "between", "eased", "in_turn", "stem"]


def between(before: DrawList, after: DrawList, share: float) -> DrawList:
    """The draw list at `share` of the way, 0 to 1: exactly `before` at 0, exactly `after` at 1."""
    return Tween.of(before, after).at(share)


class Tween(Struct, frozen=True, eq=False):
    """Two draw lists whose primitives are paired once, for all draw lists between them."""

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
    """For each group of `before`: its number in the draw lists between."""

    @staticmethod
    def of(before: DrawList, after: DrawList) -> Tween:
        """Pairs the primitives of both draw lists."""
        groups, group_of = paired_groups(before, after)
        solids, solid_of = paired_solids(before, after)
        return Tween(
            before=before,
            after=after,
            groups=groups,
            solids=solids,
            segments=paired_segments(before, after, group_of, solid_of, groups),
            sheets=paired_sheets(before.sheets, after.sheets),
            hatches=paired_hatches(before, after, solid_of),
            marks=paired_marks(before.marks, after.marks),
            labels=paired_labels(before.labels, after.labels),
            group_of=group_of,
        )

    def at(self, share: float) -> DrawList:
        """The draw list at `share` of the way, 0 to 1."""
        if share <= 0.0 or share >= 1.0:
            return self.before if share <= 0.0 else self.after
        named = self.labels_at(share)
        groups = named.groups
        return DrawList(
            segments=[each.at(share, groups) if isinstance(each, MovingLines) else each for each in self.segments],
            solids=[each if isinstance(each, Solid) else each.at(share) for each in self.solids],
            sheets=[sheet_between(first, last, share) for first, last in self.sheets],
            hatches=[replace(each, rgba=faded(each.rgba, opacity(gain, share))) for each, gain in self.hatches],
            marks=[first if first is last else mark_between(first, last, share) for first, last in self.marks],
            labels=named.labels,
            groups=groups,
        )

    def labels_at(self, share: float) -> DrawList:
        """The labels and turned groups at `share` of the way, without the rest: enough for the labels' anchors."""
        groups = [each.at(share) if isinstance(each, MovingGroup) else each for each in self.groups]
        return DrawList(labels=[self._label(pair, share, groups) for pair in self.labels], groups=groups)

    def _label(self, pair: LabelPair, share: float, groups: Sequence[TurnedGroup]) -> Label:
        old = None if pair.before < 0 else self.before.labels[pair.before]
        new = None if pair.after < 0 else self.after.labels[pair.after]
        shown = old if pair.gain < 0 else new
        assert shown is not None
        first, last = old or shown, new or shown
        group_before = self.group_of[first.group] if old is not None and first.group >= 0 else first.group
        group = group_before if new is None else last.group
        point, lift = lerp_arrays(first.point, last.point, share), lerp(first.lift, last.lift, share)
        if group_before != group:
            # The label changes its group, or leaves it: it is at its last place from the start.
            point, lift = last.point, last.lift
        elif group >= 0 and isinstance(moving := self.groups[group], MovingGroup):
            ends = (
                (moving.before if old is not None else moving.after),
                (moving.after if new is not None else moving.before),
            )
            (here, on_here), (there, on_there) = (
                along_axis(label.point[None], end) for label, end in zip((first, last), ends, strict=True)
            )
            if on_here[0] and on_there[0]:
                point = groups[group].origin + lerp(float(here[0]), float(there[0]), share) * groups[group].axis
        rgba = faded(mixed(first.rgba, last.rgba, share), pair.alpha(share))
        return replace(shown, point=point, rgba=rgba, lift=lift, group=group)
