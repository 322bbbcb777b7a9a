"""Pairs the primitives of two draw lists by keys, and interpolates their numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from core.geometry.vector import Array

T = TypeVar("T")


DECIMALS = 9
"""Decimals to which places are compared; those of lines are first divided by the largest coordinate of all lines."""
FADE = 0.3
"""The part of the way, at its start, in which texts that go and their leaders fade out; at its end others fade in."""


def eased(share: float) -> float:
    """The share of the way at a `share` of the time, both 0 to 1; slow at both ends."""
    return share * share * (3.0 - 2.0 * share)


def lerp(first: float, last: float, share: float) -> float:
    """The number at `share` of the way from `first` to `last`."""
    return first + share * (last - first)


def lerp_arrays(first: Array, last: Array, share: float) -> Array:
    """The array at `share` of the way from `first` to `last`."""
    there: Array = first + share * (last - first)
    return there


def in_turn(gain: int, share: float, fade: float = 0.5) -> float:
    """As `opacity`, but fading out takes only the first `fade` of the way, and fading in only the last one.

    `fade`: a share of the way.
    """
    return max(0.0, 1.0 - (1.0 - opacity(gain, share)) / fade)


def opacity(gain: int, share: float) -> float:
    """The opacity at `share` of the way of a thing that fades in (gain +1), fades out (-1) or stays (0)."""
    return 1.0 if gain == 0 else share if gain > 0 else 1.0 - share


def _taken_out(keys: Iterable[tuple[int, Hashable]]) -> dict[Hashable, list[int]]:
    """The numbers of each key, in reversed order, so that `pop` takes the first."""
    found: dict[Hashable, list[int]] = defaultdict(list)
    for number, key in keys:
        found[key].append(number)
    for numbers in found.values():
        numbers.reverse()
    return found


def paired(before: Sequence[T], after: Sequence[T], *keys: Callable[[T], Hashable]) -> list[int]:
    """For each item of `after` the index of the item of `before` with an equal key, or -1; no item is in two pairs.

    The functions `keys` are tried in turn on the items that are still unpaired. An item whose key is None is not
    paired by that function. Of several items with one key the first of `before` is paired with the first of `after`.
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
    """The numbers from 0 to `count` - 1 that are not in `pairs`, ascending."""
    return sorted(set(range(count)) - set(pairs))


def place_key(array: Array | None) -> bytes:
    """A key of coordinates, equal if they are equal to DECIMALS decimals; empty for None."""
    return b"" if array is None else (np.round(array, DECIMALS) + 0.0).tobytes()
