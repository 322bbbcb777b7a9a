"""Divides the labelled numbers of a text between A and B."""

from __future__ import annotations

from msgspec import Struct, field

from .labels import POSE_KEYS, SIZE_KEYS, Slot
from .printed_numbers import PastedPairError


class Draft(Struct):
    """The labelled numbers of one body."""

    shape: str = ""
    slots: list[Slot] = field(default_factory=list)

    def has(self, key: str) -> bool:
        """Whether the body has numbers with this key."""
        return any(slot.key == key for slot in self.slots)

    @property
    def sized(self) -> bool:
        """Whether the body has a size; a half-space needs none."""
        return self.shape == "halfspace" or any(slot.key in SIZE_KEYS for slot in self.slots)

    @property
    def placed(self) -> bool:
        """Whether the body has a position and a rotation."""
        return self.has("pose") or (self.has("position") and (self.has("rotation") or self.has("angles")))

    @property
    def whole(self) -> bool:
        """Whether the body has a size and a position; numbers without a label may be either."""
        bare = self.has("")
        return (self.sized or bare) and (self.has("pose") or self.has("position") or self.has("centre") or bare)


def bodies_of(slots: list[Slot]) -> tuple[Draft, Draft]:
    """Divides the slots into A and B: by their letters where the text has both, else in printed order.

    All sizes may stand before all poses. Raises PastedPairError where the numbers are not those of two bodies.
    """
    if {slot.body for slot in slots} >= {"a", "b"}:
        named = _by_letter(slots)
        if all(draft.whole for draft in named):
            return named
    drafts = _in_order(slots)
    if len(drafts) == 2 and all(draft.whole for draft in drafts):
        return drafts[0], drafts[1]
    sizes = _in_order([slot for slot in slots if slot.key in SIZE_KEYS])
    poses = _in_order([slot for slot in slots if slot.key in POSE_KEYS])
    bare = any(slot.key == "" and slot.numbers for slot in slots)
    if len(sizes) == len(poses) == 2 and not bare:
        one, two = (Draft(size.shape, size.slots + pose.slots) for size, pose in zip(sizes, poses, strict=True))
        if one.whole and two.whole:
            return one, two
    if len(drafts) == 2:
        return drafts[0], drafts[1]
    count = sum(len(slot.numbers) for slot in slots)
    found = "one body" if len(drafts) == 1 else f"{len(drafts)} bodies"
    raise PastedPairError(
        f"Found {count} numbers of {found}, expected two bodies: a size, a position and a rotation each."
    )


def _by_letter(slots: list[Slot]) -> tuple[Draft, Draft]:
    drafts, current = {"a": Draft(), "b": Draft()}, "a"
    for slot in slots:
        current = slot.body or current
        draft = drafts[current]
        draft.shape = draft.shape or slot.shape
        if slot.numbers:
            draft.slots.append(slot)
    return drafts["a"], drafts["b"]


def _in_order(slots: list[Slot]) -> list[Draft]:
    """The bodies in printed order: a repeated field, or another shape's size, begins the next body."""
    drafts, shape = [Draft()], ""
    for slot in slots:
        draft = drafts[-1]
        if not slot.numbers:
            if draft.sized and not draft.shape:
                draft.shape = slot.shape
            else:
                shape = slot.shape or shape
            continue
        if _begins(slot, draft, shape):
            draft = Draft()
            drafts.append(draft)
        if slot.key in SIZE_KEYS:
            draft.shape = draft.shape or slot.shape or shape
            shape = ""
        elif shape == "halfspace" and not draft.sized:
            draft.shape, shape = shape, ""
        draft.slots.append(slot)
    return [draft for draft in drafts if draft.slots]


def _begins(slot: Slot, draft: Draft, shape: str) -> bool:
    """Whether a slot begins a new body. `shape`: a shape named since the size of the body so far."""
    if slot.key == "":
        return draft.placed and (draft.sized or draft.has(""))
    if slot.key == "centre":
        return sum(other.key == "centre" for other in draft.slots) == 2
    if slot.key in SIZE_KEYS:
        other = bool(slot.shape and draft.shape and slot.shape != draft.shape)
        return draft.has(slot.key) or (draft.sized and (bool(shape) or other or slot.key in ("shape", "points")))
    return draft.has(slot.key)
