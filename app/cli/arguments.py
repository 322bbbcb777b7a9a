"""Words of the command line that several commands take; each raises ArgumentTypeError with a sentence."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

FEWEST = 4
"""Corners of a hull that has an inside."""

if TYPE_CHECKING:
    from .outcomes import Conditions

MOST_JOBS = 256
"""Processes of `check` at once."""


def file_name(text: str) -> str:
    """A file's name."""
    # An unset variable of a script: as a path it would mean the current folder.
    if not text:
        raise argparse.ArgumentTypeError("must be a file's name, got an empty one")
    return text


def corners(text: str) -> int:
    """How many corners a simplified hull may have."""
    if not text.isascii() or not text.isdigit() or int(text) < FEWEST:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least {FEWEST}, got {text}")
    return int(text)


def engine_names(text: str) -> tuple[str, ...]:
    """Names of engines, with commas."""
    from ..engines.asked import known_name

    try:
        return tuple(known_name(name) for name in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def conditions(text: str) -> Conditions:
    """Conditions of `check --fail-on`."""
    from .outcomes import Conditions

    try:
        return Conditions.of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def jobs(text: str) -> int:
    """How many processes at once."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MOST_JOBS):
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_JOBS}, got {text!r}")
    return int(text)
