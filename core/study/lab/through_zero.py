"""Through zero: moves B along a line or turns it about an axis, samples every method, and locates events on the path.

`sweep` is a generator, so that a panel can run it in slices. It yields after every scene that it has analysed, and
returns the samples with their marks. A mark is an event between two neighbouring samples, located by bisection: the
verdict or the deciding axis changes, the normal or a separation jumps, a contact appears or disappears.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from itertools import pairwise
from math import degrees, inf, nan, radians

from msgspec import Struct
from msgspec.structs import replace

from ...analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from ...analysis.analysis import LIMITED, analyse, gjk_epa_of
from ...geometry.elementary import atan2
from ...geometry.quaternion import angle_between, conjugate, multiply, to_axis_angle
from ...geometry.triple import Triple, line_direction
from ...geometry.vector import Array, length
from ...scene import Scene
from ...trace import Steps
from ...verdict import Sentence, Verdict

METHODS = ("answer", "SAT", "planes test", "GJK and EPA", "closed form", "explicit hull")
"""The methods whose separations a sample has. "answer" is the analysis's answer; the planes test is 2D only."""

NORMAL_JUMP = radians(5.0)
"""The normal jumps if it turns by more than this angle, radians, between two neighbouring samples."""

RESOLUTION = 1e-12
"""The length of the interval to which an event is bisected, as a share of the gap's length or of its place's size.

The larger of the two is used.
"""

NEARBY = 1e-9
"""A scene is on the path if B is this close to it: in position, as a share of B's size plus its coordinates, and in
rotation, radians."""

EVENTS_BETWEEN = 4
"""The most events of one kind that are located between two neighbouring samples."""


class BodyPath(Struct, frozen=True):
    """The path of B in `scene`: along the unit `direction`, or with `turning` about that axis through B's position."""

    scene: Scene
    direction: Triple
    turning: bool

    def at(self, value: float) -> Scene:
        """The scene at `value`: scene units along the direction, or radians about it; 0 is the start."""
        b = self.scene.b
        if value == 0.0:
            return self.scene
        if self.turning:
            x, y, z = (value * part for part in self.direction)
            return replace(self.scene, b=b.turned((x, y, z)))
        x, y, z = (coordinate + value * part for coordinate, part in zip(b.position, self.direction, strict=True))
        return replace(self.scene, b=replace(b, position=(x, y, z)))

    def value_of(self, scene: Scene) -> float | None:
        """The value at which `scene` is on the path; None if it is not. For a turning path it is in [-π, π]."""
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

    def most_moved(self, value: float) -> float:
        """An upper bound of how far any point of B moves over a step of `value`; no distance changes by more.

        Infinite for a half-space that turns.
        """
        return abs(value) * (self.scene.b.shape.bounding_radius if self.turning else 1.0)


def sliding(scene: Scene, direction: Triple) -> BodyPath:
    """The path of B along a direction of any length but zero. Raises ValueError if it is zero or not finite."""
    return BodyPath(scene, line_direction(direction), turning=False)


def turning(scene: Scene, axis: Triple) -> BodyPath:
    """The path of B about an axis through its position, right-handed; in 2D the axis is ±z.

    Raises ValueError if the axis is zero or not finite.
    """
    return BodyPath(scene, line_direction(axis), turning=True)


class Sample(Struct, frozen=True, eq=False):
    """The answers of every method at one place of the path.

    `place`: on the path, scene units or radians. `separations`: in the order of METHODS, NaN for a method that does not
    apply. `winner`: the label of the deciding axis. `normal` (3,): the analysis's. `contacts`: the number of contacts,
    None for a pair without a manifold. `gjk`, `epa`: the iterations of each, None if it did not run. `slack`: a bound
    of the error of this sample's numbers, by rounding or by a bound's gap.
    """

    place: float
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
        """The separation of the analysis's answer."""
        return self.separations[0]


class MarkKind(StrEnum):
    """The kind of an event."""

    VERDICT = "verdict"
    WINNER = "axis that decides"
    NORMAL = "normal jumps"
    CONTACTS = "contacts"
    SEPARATION = "separation jumps"


class Mark(Struct, frozen=True, eq=False):
    """An event between the places `before` and `after` on the path, as near to each other as bisection brings them.

    `words`: the change in words. `method`: the method whose separation jumps, else "".
    """

    kind: MarkKind
    before: float
    after: float
    words: Sentence
    method: str = ""


class Sweep(Struct, frozen=True, eq=False):
    """The samples and the marks of a path, both in increasing order of place."""

    path: BodyPath
    samples: tuple[Sample, ...]
    marks: tuple[Mark, ...]


class SweepProgress(Struct, frozen=True, eq=False):
    """The progress of a sweep, which first takes samples and then locates events.

    First, `done` of `count` samples are taken and `sample` is the newest. Then events are located in gap number `done`,
    from 1, of the `count` gaps between samples, and `sample` is None.
    """

    done: int
    count: int
    sample: Sample | None


def sample(scene: Scene, place: float = 0.0, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> Sample:
    """The answers of every method about the scene; the settings apply to GJK and EPA only.

    Very large hulls get no SAT and no explicit hull: the analysis is `LIMITED`, as during a drag. Raises as `analyse`.
    """
    analysis = analyse(scene, LIMITED)
    methods, table, contacts = analysis.methods, analysis.sat, analysis.contacts
    distance = (
        methods.distance if settings == DEFAULT_SETTINGS or methods.distance is None else gjk_epa_of(scene, settings)
    )
    gap = 0.0 if distance is None else distance.certainty.gap
    numbers = (
        analysis.separation,
        nan if methods.table is None else methods.table.separation,
        nan if methods.planes is None else methods.planes.gap,
        nan if distance is None else distance.separation,
        nan if methods.closed is None else methods.closed.separation,
        # If the answer is iterated, the explicit hull may lack a vertex: its number is left out.
        nan if methods.explicit is None or analysis.answer.iterated else methods.explicit,
    )
    return Sample(
        place=place,
        verdict=analysis.verdict,
        separations=numbers,
        winner=table.candidates[table.winner].label,
        normal=analysis.normal,
        contacts=None if contacts is None else len(contacts.contacts),
        gjk=None if distance is None else distance.gjk.iterations,
        epa=None if distance is None or distance.epa is None else distance.epa.iterations,
        slack=2.0 * (methods.scale.agreement + max(analysis.certainty.gap, gap)),
    )


def sweep(
    path: BodyPath, values: tuple[float, ...], settings: AlgorithmSettings = DEFAULT_SETTINGS
) -> Steps[SweepProgress, Sweep]:
    """Takes samples at the increasing `values` and locates the events between them. Yields after each analysis.

    Raises as `sample`.
    """
    samples: list[Sample] = []
    for value in values:
        samples.append(sample(path.at(value), value, settings))
        yield SweepProgress(len(samples), len(values), samples[-1])
    found: list[Mark] = []
    for number, (low, high) in enumerate(pairwise(samples), start=1):
        gap = _Gap(path, settings, SweepProgress(number, len(samples) - 1, None), {})
        for event in _events(path):
            found += yield from _between(gap, event, low, high)
    return Sweep(path, tuple(samples), tuple(sorted(found, key=lambda mark: mark.after)))


class _Gap(Struct, frozen=True, eq=False):
    """The path between two samples. `known`: the samples taken in the gap so far, by place, for use by all events."""

    path: BodyPath
    settings: AlgorithmSettings
    progress: SweepProgress
    known: dict[float, Sample]

    def look(self, place: float) -> Steps[SweepProgress, Sample]:
        """The sample at a place. Computes it, and yields, only if it is not in `known`."""
        if place not in self.known:
            self.known[place] = sample(self.path.at(place), place, self.settings)
            yield self.progress
        return self.known[place]


class _Event(Struct, frozen=True, eq=False):
    """A kind of event, with a test whether it happened between two samples, and a function for its words."""

    kind: MarkKind
    happened: Callable[[Sample, Sample], bool]
    words: Callable[[Sample, Sample], Sentence]
    method: str = ""


def _events(path: BodyPath) -> tuple[_Event, ...]:
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


def _jump(path: BodyPath, number: int, method: str) -> _Event:
    """The event that a method's separation changes by more than B moves, which no true separation does."""

    def happened(p: Sample, q: Sample) -> bool:
        change = abs(q.separations[number] - p.separations[number])
        # False if the method does not apply to p or q: the change is NaN.
        return change > path.most_moved(q.place - p.place) + p.slack + q.slack

    def words(p: Sample, q: Sample) -> Sentence:
        return Sentence(f"{method}: {{:.6g}} → {{:.6g}}", (p.separations[number], q.separations[number]))

    return _Event(MarkKind.SEPARATION, happened, words, method)


def _between(gap: _Gap, event: _Event, low: Sample, high: Sample) -> Steps[SweepProgress, list[Mark]]:
    """Locates the events of one kind between two samples, in increasing order, at most EVENTS_BETWEEN."""
    marks: list[Mark] = []
    while len(marks) < EVENTS_BETWEEN and event.happened(low, high):
        before, after = low, high
        smallest = RESOLUTION * max(abs(before.place), abs(after.place), after.place - before.place)
        while (middle := 0.5 * (before.place + after.place)) not in (before.place, after.place):
            if after.place - before.place <= smallest:
                break
            half = yield from gap.look(middle)
            if event.happened(before, half):
                after = half
            elif event.happened(half, after):
                before = half
            else:
                # Neither half has the event: the change was steep, but no jump.
                return marks
        marks.append(Mark(event.kind, before.place, after.place, event.words(before, after), event.method))
        low = after
    return marks


def _angle(p: Sample, q: Sample) -> float:
    """The angle between two samples' normals, radians."""
    return 2.0 * atan2(length(p.normal - q.normal), length(p.normal + q.normal))


def _normal_jumped(p: Sample, q: Sample) -> bool:
    return _angle(p, q) > NORMAL_JUMP
