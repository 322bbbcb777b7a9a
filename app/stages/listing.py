"""What an algorithm's lines are: shared by the listings of all algorithms."""

from __future__ import annotations

from msgspec import Struct


class Listing(Struct, frozen=True):
    """An algorithm: its name and its lines, indented by four spaces a level."""

    title: str
    lines: tuple[str, ...]
