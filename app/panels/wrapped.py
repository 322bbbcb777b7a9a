"""Text wrapped into lines of a largest width, and the places of its characters."""

from __future__ import annotations

from functools import lru_cache

from imgui_bundle import imgui

from .text import unbroken


@lru_cache(maxsize=64)
def wrapped_lines(words: str, width: float, _size: float) -> str:
    """The words in lines at most `width` pixels wide, unless one word is wider; names and differences are not broken.

    imgui itself breaks after every full stop, as in A.v3. Each character keeps its index in the text.
    `_size`: the font size, a key of the cache.
    """
    whole = (
        unbroken(words)
        .replace(" × ", "\u00a0×\u00a0")
        .replace(" → ", "\u00a0→\u00a0")
        .replace(" = ", "\u00a0=\u00a0")
        .replace(" | ", "\u00a0|\u00a0")
    )
    return "\n".join(_wrapped(line, width) for line in whole.split("\n"))


def _wrapped(line: str, width: float) -> str:
    lines = [""]
    for word in line.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and imgui.calc_text_size(longer).x > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


@lru_cache(maxsize=256)
def letter_positions(lines: str, start: int, end: int, _size: float) -> tuple[tuple[float, int, float], ...]:
    """The places of the characters from `start` to `end`: x, line number and width of the part in each line."""
    found, begin = [], 0
    for number, line in enumerate(lines.split("\n")):
        low, high = max(start - begin, 0), min(end - begin, len(line))
        if low < high:
            x = imgui.calc_text_size(line[:low]).x
            found.append((x, number, imgui.calc_text_size(line[:high]).x - x))
        begin += len(line) + 1
    return tuple(found)
