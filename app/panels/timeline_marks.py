"""What stands on the timeline's track in words and marks: stops, flags, what failed, and each step's tooltip."""

from __future__ import annotations

from msgspec import Struct

from core.query.query import Moment, Query

from ..stages import entry_of, stage_of
from ..stages.stage import At, Flag


class Marks(Struct, frozen=True):
    """Places on the track that mean something: where phases stop, why one failed, and flags."""

    stops: frozenset[int]
    failures: dict[int, str]
    flags: dict[int, Flag]

    @staticmethod
    def of(query: Query) -> Marks:
        """The marks of a query; a step that an algorithm gave up at is a failure as well."""
        lasts = (first + count - 1 for _, first, count in query.phases)
        ends = {place: At[object](query, query.moments[place]) for place in lasts}
        failures = {place: why for place, at in ends.items() if (why := _failure(at))}
        flags = {
            place: flag
            for phase, first, count in query.phases
            if (flag_at := stage_of(phase).flag) is not None
            for place in range(first, first + count)
            if (flag := flag_at(At(query, query.moments[place]))) is not None
        }
        return Marks(frozenset(ends), failures, flags)


def _failure(at: At[object]) -> str:
    """Why the phase that ends with this step failed, in a sentence; "" when it did not."""
    phase = at.moment.phase
    if stage_of(phase).gave_up(at):
        return f"{entry_of(phase).name} gave up here: {_stop_words(at)}"
    failed = phase in at.query.results and at.result is None and not _stop_words(at)
    return " ".join(at.query.failures) if failed else ""


def _stop_words(at: At[object]) -> str:
    return stage_of(at.moment.phase).stop(at).replace("_", " ").lower()


def counter(moment: Moment) -> str:
    """`GJK 3 of 4`."""
    return f"{entry_of(moment.phase).name} {moment.index + 1:,} of {moment.count:,}"


def described(query: Query, place: int, marks: Marks) -> str:
    """A step's tooltip: which it is, and what is marked there."""
    at: At[object] = At(query, query.moments[place])
    entry, stage = entry_of(at.moment.phase), stage_of(at.moment.phase)
    label = stage.label(at)
    lines = [f"{counter(at.moment)}: {label}" if label else counter(at.moment)]
    if entry.about:
        lines.append(entry.about)
    if place in marks.flags:
        lines.append(marks.flags[place].tip)
    if place in marks.failures:
        lines.append(marks.failures[place])
    elif place in marks.stops and (words := _stop_words(at)):
        lines.append(f"{entry.name} stops here: {words}.")
    return "\n".join(lines)
