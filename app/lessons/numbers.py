"""Formats numbers for lessons: counts with their noun, and the live numbers in texts."""

from __future__ import annotations

from collections.abc import Callable

from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.query.query import Phase

from ..state.playback import impact_of
from ..words.digits import full, plain
from ..words.names import axis_name
from .situation import Situation


def count(number: int, noun: str) -> str:
    """The number with its noun: `1 contact`, `4 contacts`, `no contacts`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def contact_count(now: Situation) -> int:
    """The number of contacts under the settings; 0 where the pair has no manifold."""
    found = now.analysis.contacts if now.algorithm_settings == DEFAULT_SETTINGS else now.query.manifold
    return 0 if found is None else len(found.contacts)


def live_number(name: str, now: Situation) -> tuple[str, str]:
    """A live number as text, with the digits of a sentence and with all digits; `–` and "" if there is no number.

    `name`: a key of markup.LIVE_NUMBERS. Raises KeyError for another name.
    """
    value = _LIVE[name](now)
    if value is None:
        return "–", ""
    if isinstance(value, float):
        return plain(value), full(value)
    return str(value), str(value)


def _steps(phase: Phase) -> Callable[[Situation], int]:
    return lambda now: next((count for known, _, count in now.query.phases if known is phase), 0)


def _winner(now: Situation) -> str:
    table = now.analysis.sat
    return axis_name(table, table.winner)


_LIVE: dict[str, Callable[[Situation], float | int | str | None]] = {
    "depth": lambda now: max(0.0, -now.analysis.separation),
    "distance": lambda now: max(0.0, now.analysis.separation),
    "gap": lambda now: max(0.0, now.analysis.sat.separation),
    "contacts": contact_count,
    "moved_a": lambda now: now.moved(0),
    "moved_b": lambda now: now.moved(1),
    "winner": _winner,
    "gjk_steps": _steps(Phase.GJK),
    "epa_steps": _steps(Phase.EPA),
    "impact": lambda now: impact_of(now.sweep),
    "time": lambda now: now.time,
}
