"""What stands on the timeline's track in words and marks: names of the phases, stops, first proofs, what failed."""

from __future__ import annotations

from msgspec import Struct

from core.gjk.epa import EpaStep, EpaStop
from core.gjk.gjk import GjkStep, GjkStop
from core.query.query import Moment, MotionStep, Phase, Query
from core.sat.steps import SatStep

NAMES = {
    Phase.BUILD: "Difference",
    Phase.PLANES: "Planes",
    Phase.SAT: "SAT",
    Phase.ARTICLE: "Article's GJK",
    Phase.GJK: "GJK",
    Phase.EPA: "EPA",
    Phase.MPR: "MPR",
    Phase.CONTACTS: "Contacts",
    Phase.SCALED: "Scaled space",
    Phase.PLANE: "Plane",
    Phase.SPHERES: "Spheres",
    Phase.REGIONS: "Regions",
    Phase.ROUNDED: "Grown A − B",
    Phase.INTERVALS: "Entry and exit",
    Phase.SWEPT: "21 axes",
    Phase.RAY: "Ray cast",
    Phase.ADVANCEMENT: "Advancement",
}

ABOUT = {
    Phase.SCALED: "Space is scaled until the ellipsoid is a unit sphere; the time is the same in both.",
    Phase.PLANE: "How far the body reaches towards the plane, and when it has come that near.",
    Phase.SPHERES: "The closest approach of both centres, and the smaller root before it.",
    Phase.REGIONS: "The sphere's centre walks through the 27 regions about the box.",
    Phase.ROUNDED: "The origin's path against A − B grown by the radius, edge by edge and corner by corner.",
    Phase.INTERVALS: "From entry to exit on each axis: they meet at the latest entry, if no exit comes before.",
    Phase.SWEPT: "Yes or no: does some axis part A from all that B passes?",
    Phase.RAY: "The origin's path cast against A − B: each plane proves a part of it free.",
    Phase.ADVANCEMENT: "As far in time as the distance there allows, and again.",
}
"""What the methods about a motion do, in a sentence."""

_POOR_STOPS = (GjkStop.DEGENERATE_SIMPLEX, GjkStop.ITERATION_LIMIT, EpaStop.ITERATION_LIMIT)


class Marks(Struct, frozen=True):
    """Places on the track that mean something: the first gap, where phases stop, and why one failed.

    `proofs`: where an axis first proves of moving bodies that they never meet.
    """

    first_gap: int | None
    stops: frozenset[int]
    failures: dict[int, str]
    proofs: frozenset[int] = frozenset()

    @staticmethod
    def of(query: Query) -> Marks:
        """The marks of a query; a step that GJK or EPA gave up at is a failure as well."""
        gaps = (k for k, m in enumerate(query.moments) if isinstance(m.step, SatStep) and m.step.first_gap)
        ends = {first + count - 1: query.moments[first + count - 1] for _, first, count in query.phases}
        failures = {place: _failure(query, moment) for place, moment in ends.items()}
        known = {place: why for place, why in failures.items() if why}
        return Marks(next(gaps, None), frozenset(ends), known, _proofs(query))


def _proofs(query: Query) -> frozenset[int]:
    if query.sweep is None:
        return frozenset()
    # Imported with the first motion: nothing of it is wanted at the start.
    from core.query.motion_steps import first_proofs

    return first_proofs(query)


def _failure(query: Query, moment: Moment) -> str:
    """Why the phase that ends with this moment failed, in a sentence; "" when it did not."""
    if isinstance(moment.step, MotionStep):
        # Imported with the first motion: nothing of it is wanted at the start.
        from ..stages.motion.words import undecided

        return f"{NAMES[moment.phase]} gave up here: {_words(query, moment)}" if undecided(query, moment) else ""
    if isinstance(moment.step, GjkStep | EpaStep):
        if moment.step.stop in _POOR_STOPS:
            return f"{NAMES[moment.phase]} gave up here: {_words(query, moment)}"
        failed = moment.step.stop is None and query.distance is None
    else:
        failed = moment.phase is Phase.CONTACTS and query.manifold is None
    return " ".join(query.failures) if failed else ""


def _words(query: Query, moment: Moment) -> str:
    if isinstance(moment.step, MotionStep):
        from ..stages.motion.words import stop_name

        return stop_name(query, moment).replace("_", " ").lower()
    stop = moment.step.stop if isinstance(moment.step, GjkStep | EpaStep) else None
    return "" if stop is None else stop.value.replace("_", " ").lower()


def counter(moment: Moment) -> str:
    """`GJK 3 of 4`."""
    return f"{NAMES[moment.phase]} {moment.index + 1:,} of {moment.count:,}"


def described(query: Query, place: int, marks: Marks) -> str:
    """A step's tooltip: which it is, and what is marked there."""
    moment = query.moments[place]
    lines = [counter(moment)]
    if isinstance(moment.step, SatStep):
        lines[0] += f": {query.analysis.sat.candidates[moment.step.row].label}"
    if isinstance(moment.step, MotionStep):
        from ..stages.motion.words import looked_at

        lines[0] += f": {looked_at(moment.step)}"
        lines.append(ABOUT[moment.phase])
    if place == marks.first_gap:
        lines.append("The first gap: a program that only asks whether the bodies meet ends here.")
    if place in marks.proofs:
        lines.append("They never meet: a program that only asks whether they do ends here.")
    if place in marks.failures:
        lines.append(marks.failures[place])
    elif place in marks.stops and (words := _words(query, moment)):
        lines.append(f"{NAMES[moment.phase]} stops here: {words}.")
    return "\n".join(lines)
