"""Playback: which step of the query is shown, and whether it runs by itself. Pure; the timeline panel and the keys ask.

The place is kept as phase and index, and resolved anew for every query: while a body is dragged a phase may grow,
shrink or go, and the place comes back with it. Who stands on a phase's stop stays on it, however long the phase gets.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from core.query.query import Moment, Phase, Query

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Steps a second that the speed control offers."""

STOP = -1
"""The index of a phase's last step, whatever its number."""


class Playback(Struct, frozen=True):
    """`open`: the timeline is shown, and the pictures with it. `phase`, `index`: the place wished for, `STOP` the last.

    `speed`: steps a second. `loop`: begins anew after the last step.
    """

    open: bool = False
    phase: Phase = Phase.SAT
    index: int = 0
    playing: bool = False
    speed: float = 2.0
    loop: bool = False


def place_of(playback: Playback, query: Query) -> int:
    """Number of the moment to show: the one wished for, or the nearest before it that this query has."""
    order = tuple(Phase)
    place = 0
    for phase, first, count in query.phases:
        if phase is playback.phase:
            return first + (count - 1 if playback.index == STOP else min(playback.index, count - 1))
        if order.index(phase) < order.index(playback.phase):
            place = first + count - 1
    return place


def moment_of(playback: Playback, query: Query) -> Moment:
    """The moment to show."""
    return query.moments[place_of(playback, query)]


def at_place(playback: Playback, query: Query, place: int) -> Playback:
    """The playback moved to a moment by its number; numbers past the ends mean the ends."""
    moment = query.moments[min(max(place, 0), len(query.moments) - 1)]
    return replace(playback, phase=moment.phase, index=STOP if moment.last and moment.index else moment.index)


def at_start(playback: Playback) -> Playback:
    """As another scene begins: at SAT's first axis, at rest."""
    return replace(playback, phase=Phase.SAT, index=0, playing=False)


def scrubbed(playback: Playback, query: Query, place: int) -> Playback:
    """Moved to a moment by hand, which ends the playing."""
    return replace(at_place(playback, query, place), playing=False)


def stepped(playback: Playback, query: Query, count: int) -> Playback:
    """`count` steps on (back if negative), from what is shown; a step by hand ends the playing."""
    return scrubbed(playback, query, place_of(playback, query) + count)


def to_stop(playback: Playback, query: Query) -> Playback:
    """To the step where the phase shown stops, by hand; from there to the next phase's stop."""
    place = place_of(playback, query)
    stops = [first + count - 1 for _, first, count in query.phases]
    return scrubbed(playback, query, next((stop for stop in stops if stop > place), stops[-1]))


def to_phase(playback: Playback, query: Query, count: int) -> Playback:
    """To the first step of the next phase (`count` 1), or of the one before (-1), by hand.

    Back goes to the beginning of the phase shown first; without a next phase on goes to its stop.
    """
    place = place_of(playback, query)
    firsts = [first for _, first, _ in query.phases]
    if count > 0:
        return scrubbed(playback, query, next((first for first in firsts if first > place), len(query.moments) - 1))
    return scrubbed(playback, query, max((first for first in firsts if first < place), default=0))


def with_speed(playback: Playback, count: int) -> Playback:
    """The speed that stands `count` further on in SPEEDS, as far as there are any."""
    nearest = min(range(len(SPEEDS)), key=lambda k: abs(SPEEDS[k] - playback.speed))
    return replace(playback, speed=SPEEDS[min(max(nearest + count, 0), len(SPEEDS) - 1)])


def advanced(playback: Playback, query: Query) -> Playback:
    """The next step of a run: past the last one it begins anew when looping, else it ends there."""
    place = place_of(playback, query)
    if place + 1 < len(query.moments):
        return at_place(playback, query, place + 1)
    return at_place(playback, query, 0) if playback.loop else replace(playback, playing=False)


def toggled(playback: Playback, query: Query) -> Playback:
    """Play or pause; playing from the last step begins at the first."""
    if playback.playing:
        return replace(playback, playing=False)
    ended = place_of(playback, query) == len(query.moments) - 1
    return replace(at_place(playback, query, 0) if ended else playback, open=True, playing=True)
