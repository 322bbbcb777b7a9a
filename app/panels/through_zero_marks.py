"""The marks of a sweep as lines of its list: those at one place together, with what they say as one chain."""

from __future__ import annotations

from msgspec import Struct

from core.lab.through_zero import Mark, Sweep


class Event(Struct, frozen=True, eq=False):
    """The marks at one place, as one line: `at` in scene units or radians."""

    at: float
    marks: tuple[Mark, ...]
    words: str


def events_of(found: Sweep) -> tuple[Event, ...]:
    """Marks that lie within a billionth of the way of each other happen together."""
    near = 1e-9 * (found.samples[-1].at - found.samples[0].at)
    groups: list[list[Mark]] = []
    for mark in found.marks:
        if groups and mark.after - groups[-1][-1].after <= near:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return tuple(Event(group[-1].after, tuple(group), _told(group)) for group in groups)


def _told(marks: list[Mark]) -> str:
    """`verdict SEPARATED → TOUCHING → OVERLAPPING; contacts 0 → 4`."""
    chains: dict[str, list[str]] = {}
    for mark in marks:
        steps = mark.words.split(" → ")
        chain = chains.setdefault(f"{mark.kind} {mark.method}".strip() if mark.method else str(mark.kind), [])
        chain += steps[1:] if chain and chain[-1] == steps[0] else steps
    return "; ".join(f"{kind.partition(' jumps ')[0]} {' → '.join(chain)}" for kind, chain in chains.items())
