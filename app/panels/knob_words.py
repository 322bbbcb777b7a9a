"""The values of knobs in words."""

from __future__ import annotations

from ..words.axis_words import plain
from .numbers import short_vector


def value_words(value: object) -> str:
    """`128`, `1e−10`, `on`, `(1, 0, 0)`, `signed volumes`, `towards B` for the first direction that is none."""
    if value is None:
        return "towards B"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return plain(value)
    if isinstance(value, tuple):
        return short_vector(value)
    return "full support" if value == "full" else str(value)
