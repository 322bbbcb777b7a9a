"""Pairs the things of two drawings by keys, and mixes their numbers and colours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from core.geometry.vector import Array

from ..draw_list import Rgba

T = TypeVar("T")


DIGITS = 9
"""Decimals, as shares of the drawing's size, to which places are compared."""


def eased(share: float) -> float:
    """The share of the way at a share of the time, both 0 to 1; slow at both ends."""
    return share * share * (3.0 - 2.0 * share)


def on(first: float, last: float, share: float) -> float:
    """The number at a share of the way."""
    return first + share * (last - first)


def way(first: Array, last: Array, share: float) -> Array:
    """The array at a share of the way."""
    there: Array = first + share * (last - first)
    return there


def mixed(first: Rgba, last: Rgba, share: float) -> Rgba:
    """The colour at a share of the way."""
    red, green, blue, alpha = (on(p, q, share) for p, q in zip(first, last, strict=True))
    return red, green, blue, alpha


def dimmed(rgba: Rgba, share: float) -> Rgba:
    """The colour with a share of its opacity."""
    return (*rgba[:3], rgba[3] * share)


def in_turn(gain: int, share: float) -> float:
    """The opacity of what comes only after another thing has gone, or of that."""
    return max(0.0, 2.0 * opacity(gain, share) - 1.0)


def opacity(gain: int, share: float) -> float:
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


def unpaired(pairs: Sequence[int], count: int) -> list[int]:
    """The numbers, of `count`, that are in no pair."""
    return sorted(set(range(count)) - set(pairs))


def place_key(array: Array | None) -> bytes:
    """A key that equal places have."""
    return b"" if array is None else (np.round(array, DIGITS) + 0.0).tobytes()
