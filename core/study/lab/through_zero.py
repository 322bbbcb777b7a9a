"""Through zero: B slid along a line or turned about an axis, every method's numbers on the way, and where they break.

`sweep` is a generator, so that a panel can take it in slices: it yields after every pair of bodies it has looked at,
and returns the samples with their marks. A mark is an event between two neighbouring samples, bisected to where it
happens: the verdict or the winning axis changes, the normal or a number jumps, a contact comes or goes.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from itertools import pairwise
from math import degrees, inf, nan, radians

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.analysis import LIMITED, analyse, closing_of
from ...analysis.knobs import DEFAULT_KNOBS, Knobs
from ...geometry.elementary import atan2
from ...geometry.quaternion import angle_between, conjugate, multiply, to_axis_angle
from ...geometry.triple import line_direction
from ...geometry.vector import Array, length
from ...scene import Scene, Triple
from ...trace import Steps
from ...verdict import Sentence, Verdict

METHODS = ("answer", "SAT", "planes test", "GJK and EPA", "closed form", "explicit hull")
"""Whose separations a sample holds; "answer" is the analysis'. The planes test is of the plane only."""

NORMAL_JUMP = radians(5.0)
"""The normal of a smooth way turns on; one that turns by more than this at one place has jumped."""

RESOLUTION = 1e-12
"""An event is bisected to this fraction of the way."""

NEARBY = 1e-9
"""A scene is on the way if B is this close to it: a fraction of its size and place, and radians."""

EVENTS_BETWEEN = 4
"""At most so many events of one kind are looked for between two neighbouring samples."""


class Path(Struct, frozen=True):
    """B on its way: slid along the unit `direction`, or turned about it (`turning`) through its own position."""

    scene: Scene
    direction: Triple
    turning: bool

    def at(self, value: float) -> Scene:
        """The scene after `value` scene units along, or radians about; 0 is where it began."""
        b = self.scene.b
        if value == 0.0:
            return self.scene
        if self.turning:
            x, y, z = (value * part for part in self.direction)
            return replace(self.scene, b=b.turned((x, y, z)))
        x, y, z = (place + value * part for place, part in zip(b.position, self.direction, strict=True))
        return replace(self.scene, b=replace(b, position=(x, y, z)))

    def place_of(self, scene: Scene) -> float | None:
        """The value at which `scene` lies on the way; None if it does not. Turned, within half a turn either way."""
        a, b, start = scene.a, scene.b, self.scene.b
        if a != self.scene.a or b.shape != start.shape:
            return None
        if self.turning:
            (x, y, z), angle = to_axis_angle(multiply(b.rotation, conjugate(start.rotation)))
            value = angle * sum(p * q for p, q in zip((x, y, z), self.direction, strict=True))
        else:
            offset = [p - q for p, q in zip(b.position, start.position, strict=True)]
            value = sum(p * q for p, q in zip(offset, self.direction, strict=True))
        there = self.at(value).b
        size = start.shape.bounding_radius if start.shape.bounding_radius < inf else a.shape.bounding_radius
        near = NEARBY * (size + max(map(abs, (*b.position, *start.position))))
        moved = max(abs(p - q) for p, q in zip(there.position, b.position, strict=True))
        return value if moved <= near and angle_between(there.rotation, b.rotation) <= NEARBY else None

    def reach(self, value: float) -> float:
        """The farthest that any point of B moves over a step of `value`: no distance changes by more. Maybe inf."""
        return abs(value) * (self.scene.b.shape.bounding_radius if self.turning else 1.0)


def sliding(scene: Scene, direction: Triple) -> Path:
    """B slid along a direction of any length but zero. Raises ValueError for the zero vector."""
    return Path(scene, line_direction(direction), turning=False)


def turning(scene: Scene, axis: Triple) -> Path:
    """B turned about an axis through its position, right-handed; in the plane the axis is ±z.

    Raises ValueError for the zero vector.
    """
    return Path(scene, line_direction(axis), turning=True)


class Sample(Struct, frozen=True, eq=False):
    """What every method says at one place of the way.

    `at`: scene units or radians. `separations`: by METHODS, NaN where one does not apply. `winner`: label of the
    winning axis. `normal` (3,). `contacts`: how many, None for pairs without a manifold. `gjk`, `epa`: iterations, None
    where they did not run. `slack`: what rounding, and the gap of a bound, may make two samples' numbers differ by.
    """

    at: float
    verdict: Verdict
    separations: tuple[float, ...]
    winner: str
    normal: Array
    contacts: int | None
    gjk: int | None
    epa: int | None
    slack: float

    @property
    def separation(self) -> float:
        """The answer's."""
        return self.separations[0]


class MarkKind(StrEnum):
    """What happens."""

    VERDICT = "verdict"
    WINNER = "axis that decides"
    NORMAL = "normal jumps"
    CONTACTS = "contacts"
    SEPARATION = "separation jumps"


class Mark(Struct, frozen=True, eq=False):
    """An event between the places `before` and `after`. `words`: what changes into what; `method`: whose number jumps.

    `after` is the first place at which it has happened, as far as bisection tells.
    """

    kind: MarkKind
    before: float
    after: float
    words: Sentence
    method: str = ""


class Sweep(Struct, frozen=True, eq=False):
    """The samples in the order of the way, and the marks likewise."""

    path: Path
    samples: tuple[Sample, ...]
    marks: tuple[Mark, ...]


class Progress(Struct, frozen=True, eq=False):
    """`done` of `count` samples are there, `sample` the newest; then events are bisected, `sample` None.

    Then `done` of `count` gaps between samples are looked at.
    """

    done: int
    count: int
    sample: Sample | None


def sample(scene: Scene, at: float = 0.0, knobs: Knobs = DEFAULT_KNOBS) -> Sample:
    """What every method says about the scene, GJK and EPA under the knobs, the others and the answer as always.

    Very large hulls go without SAT and the explicit hull, as while dragging.
    """
    analysis = analyse(scene, LIMITED)
    methods, table, contacts = analysis.methods, analysis.sat, analysis.contacts
    distance = methods.distance if knobs == DEFAULT_KNOBS or methods.distance is None else closing_of(scene, knobs)
    gap = 0.0 if distance is None else distance.certainty.gap
    numbers = (
        analysis.separation,
        nan if methods.table is None else methods.table.separation,
        nan if methods.planes is None else methods.planes.gap,
        nan if distance is None else distance.separation,
        nan if methods.closed is None else methods.closed.separation,
        # That of a difference which has lost a corner, and is outdone, is no number.
        nan if methods.explicit is None or analysis.answer.iterated else methods.explicit,
    )
    return Sample(
        at=at,
        verdict=analysis.verdict,
        separations=numbers,
        winner=table.candidates[table.winner].label,
        normal=analysis.normal,
        contacts=None if contacts is None else len(contacts.contacts),
        gjk=None if distance is None else distance.gjk.iterations,
        epa=None if distance is None or distance.epa is None else distance.epa.iterations,
        slack=2.0 * (methods.scale.agreement + max(analysis.certainty.gap, gap)),
    )


def sweep(path: Path, values: tuple[float, ...], knobs: Knobs = DEFAULT_KNOBS) -> Steps[Progress, Sweep]:
    """Samples at the increasing `values`, and every event between them. Yields after each look at a pair of bodies."""
    samples: list[Sample] = []
    for value in values:
        samples.append(sample(path.at(value), value, knobs))
        yield Progress(len(samples), len(values), samples[-1])
    found: list[Mark] = []
    for number, (low, high) in enumerate(pairwise(samples), start=1):
        gap = _Gap(path, knobs, Progress(number, len(samples) - 1, None), {})
        for event in _events(path):
            found += yield from _between(gap, event, low, high)
    return Sweep(path, tuple(samples), tuple(sorted(found, key=lambda mark: mark.after)))


class _Gap(Struct, frozen=True, eq=False):
    """What lies between two samples. `known`: looked at already, by place; events at one place are bisected alike."""

    path: Path
    knobs: Knobs
    progress: Progress
    known: dict[float, Sample]

    def look(self, at: float) -> Steps[Progress, Sample]:
        """The sample at a place, taken if it is not known."""
        if at not in self.known:
            self.known[at] = sample(self.path.at(at), at, self.knobs)
            yield self.progress
        return self.known[at]


class _Event(Struct, frozen=True, eq=False):
    """A kind of event: whether it lies between two samples, given how far they are apart, and how it is told."""

    kind: MarkKind
    happened: Callable[[Sample, Sample], bool]
    words: Callable[[Sample, Sample], Sentence]
    method: str = ""


def _events(path: Path) -> tuple[_Event, ...]:
    def change(of: Callable[[Sample], object]) -> Callable[[Sample, Sample], Sentence]:
        return lambda p, q: Sentence(f"{of(p)} → {of(q)}")

    def turn(p: Sample, q: Sample) -> Sentence:
        return Sentence("by {:.3g}°", (degrees(_angle(p, q)),))

    return (
        _Event(MarkKind.VERDICT, lambda p, q: p.verdict is not q.verdict, change(lambda p: p.verdict)),
        _Event(MarkKind.WINNER, lambda p, q: p.winner != q.winner, change(lambda p: p.winner)),
        _Event(MarkKind.NORMAL, _normal_jumped, turn),
        _Event(MarkKind.CONTACTS, lambda p, q: p.contacts != q.contacts, change(lambda p: p.contacts)),
        *(_jump(path, number, method) for number, method in enumerate(METHODS)),
    )


def _jump(path: Path, number: int, method: str) -> _Event:
    """A method's number changes by more than B moves, which no distance does."""

    def happened(p: Sample, q: Sample) -> bool:
        change = abs(q.separations[number] - p.separations[number])
        # NaN, where the method does not apply, is no change.
        return change > path.reach(q.at - p.at) + p.slack + q.slack

    def words(p: Sample, q: Sample) -> Sentence:
        return Sentence(f"{method}: {{:.6g}} → {{:.6g}}", (p.separations[number], q.separations[number]))

    return _Event(MarkKind.SEPARATION, happened, words, method)


def _between(gap: _Gap, event: _Event, low: Sample, high: Sample) -> Steps[Progress, list[Mark]]:
    """Every event of one kind between two samples, from the lower to the upper."""
    marks: list[Mark] = []
    while len(marks) < EVENTS_BETWEEN and event.happened(low, high):
        before, after = low, high
        smallest = RESOLUTION * max(abs(before.at), abs(after.at), after.at - before.at)
        while (middle := 0.5 * (before.at + after.at)) not in (before.at, after.at):
            if after.at - before.at <= smallest:
                break
            half = yield from gap.look(middle)
            # A step that was steep and no jump has shrunk below what is allowed on both sides.
            if event.happened(before, half):
                after = half
            elif event.happened(half, after):
                before = half
            else:
                return marks
        marks.append(Mark(event.kind, before.at, after.at, event.words(before, after), event.method))
        low = after
    return marks


def _angle(p: Sample, q: Sample) -> float:
    """Radians between two samples' normals."""
    return 2.0 * atan2(length(p.normal - q.normal), length(p.normal + q.normal))


def _normal_jumped(p: Sample, q: Sample) -> bool:
    return _angle(p, q) > NORMAL_JUMP
