"""A short digest of many pieces, for the moments that are not told in full: how many of each kind, and a check sum.

Numbers are cut before they are summed up: rounding in the last digits must not change the sum. They are cut at odd
places, since a coordinate such as 0.5 would lie exactly between two rounded ones.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from hashlib import blake2b
from math import floor, isfinite

from .book import BAR

SHARE = 1e-4
"""Of the pair's size: how finely places are cut; in words, how finely numbers."""
NOTHING = 1e-9
"""Numbers in words below this share of the pair's size are rounding."""
ODD = 0.31369
_REAL = re.compile(r"(?<![\w.])[-−]?(?:\d+\.\d+|\d+(?=e))(?:e[-−+]?\d+)?")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def digest(places: dict[str, Counter[str]], size: float) -> dict[str, str]:
    """`12 x7Qa` by place and kind, as in `world:line`: how many, and their check sum."""
    found: dict[str, str] = {}
    for place, pieces in places.items():
        sums: dict[str, int] = {}
        counts: Counter[str] = Counter()
        for piece, count in pieces.items():
            kind, number = _sum(piece, size)
            sums[kind] = (sums.get(kind, 0) + count * number) % 62**4
            counts[kind] += count
        found |= {f"{place}:{kind}": f"{counts[kind]} {_word(sums[kind])}" for kind in sorted(sums)}
    return found


@lru_cache(maxsize=100_000)
def _sum(piece: str, size: float) -> tuple[str, int]:
    look, bar, _ = piece.partition(BAR)
    if bar:
        front, _, path = piece.rpartition(BAR)
        text = _cut(front, size) + " ".join(
            _place(word, size) for word in path.replace(">", " ").replace("^", " ").split()
        )
        kind = look.split(" ", 1)[0]
    else:
        text, kind = _cut(piece, size), "words"
    return kind, int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big") % 62**4


def _place(word: str, size: float) -> str:
    try:
        value = float(word)
    except ValueError:
        return word
    return str(floor(value / (SHARE * size) + ODD)) if isfinite(value) else word


def _cut(text: str, size: float) -> str:
    def cut(found: re.Match[str]) -> str:
        value = float(found[0].replace("−", "-"))
        return "0" if abs(value) < NOTHING * size else f"{value * (1.0 + 0.1 * SHARE * ODD):.4g}"

    return _REAL.sub(cut, text)


def _word(number: int) -> str:
    return "".join(_LETTERS[number // 62**place % 62] for place in range(4))
