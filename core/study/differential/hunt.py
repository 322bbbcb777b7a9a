"""The hunt: asks an engine about random pairs, proves its wrong answers, and keeps the worst of each kind.

Four values determine each pair: the seed, the engine's name, the family and the index in the family. So a hunt asks
the same list of questions every time; a time budget only ends the list earlier. Nothing here starts an engine. The
caller passes a function from a scene to an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from decimal import Decimal
from itertools import islice
from math import isfinite, pi
from types import MappingProxyType
from zlib import crc32

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...analysis.brief import distance_of
from ...batch import analyse_pairs
from ...geometry.quaternion import Quaternion, from_rotation_vector, multiply, normalized
from ...geometry.tolerances import SUPPORT
from ...geometry.triple import Triple, triple
from ...geometry.vector import Array, length, product, unit
from ...pair.pair import PairScale, half_space_of
from ...scene import Body, Scene
from ...shapes import Shape
from ..lab.random_pair import FLAT_MAKERS, MAKERS
from .answers import Answer, Engine, EngineAnswer
from .certificates import Certificate, certified
from .classes import Failure, Judgement, Kind, Truth, judge
from .numbers import power_of_ten, resized, scaled, sizes

Ask = Callable[[Scene], Answer]

QUESTIONS_AT_ONCE = 32
"""The number of questions whose true answers are computed together."""

TRIES = 3
"""After this many faults with one key that could not be proved, no more proofs are tried: each takes about 0.1 s."""

COINCIDENT = 1e-9
"""Positions at most this far apart, in units of L, coincide; axes with at most this sine are parallel."""


class HuntQuestion(Struct, frozen=True):
    """A pair to ask an engine about, and the four values that determine it."""

    seed: int
    engine: str
    family: str
    index: int
    scene: Scene


Guard = Callable[[Sequence[HuntQuestion]], AbstractContextManager[object, bool]]
"""Returns a context manager for the work on some questions; it may suppress exceptions."""


class Key(Struct, frozen=True):
    """The properties by which two findings count as the same. For each key the worst finding is kept.

    `shapes`: the shapes' words, in alphabetical order. `failure`: the kind of failure, such as a hang or a crash, for
    the class FAILED. `power`: the severity's power of ten. `features`: the kinds of the bodies' supporting features
    along the true normal, in the order of `shapes`. `degenerate`: whether the bodies are concentric or have parallel
    axes.
    """

    engine: str
    version: str
    shapes: tuple[str, str]
    kind: Kind
    failure: Failure
    power: int
    features: tuple[str, str]
    degenerate: bool

    @property
    def title(self) -> str:
        """The class in words; for a failure its kind."""
        return self.failure or self.kind.value


class Finding(Struct, frozen=True):
    """A wrong answer with its certificate; the certificate is None for the class FAILED, which needs none."""

    question: HuntQuestion
    answer: Answer
    truth: Truth
    judgement: Judgement
    certificate: Certificate | None
    key: Key


class HuntProgress(Struct, frozen=True):
    """The report after one question: the answer and its class `kind`, and the finding, if any.

    `asked`: the number of questions so far, including those of the class NOT_ASKED. `found`: a new finding, worse than
    an earlier one with the same key, which it replaces; None without one. `unproved`: the number of faults so far
    whose proof failed; these are no findings.
    """

    asked: int
    question: HuntQuestion
    answer: Answer
    kind: Kind
    found: Finding | None
    unproved: int


def questions(
    engine: str, kinds: Sequence[str], seed: int = 1, around: Scene | None = None, of: Sequence[str] = ()
) -> Iterator[HuntQuestion]:
    """Yields questions without end, one of each family in turn.

    `kinds`: the kinds of shapes, by their names in files. `around`: yields only pairs near this scene. `of`: yields
    only these families, if any is given. The first `next` raises ValueError if no pair can be made of the kinds. A
    `next` raises KeyError if the turn is that of an unknown family.
    """
    families = ["around"] if around is not None else of or list(FAMILIES)
    for index in _numbers():
        for family in families:
            yield question(engine, kinds, seed, family, index, around)


def question(
    engine: str, kinds: Sequence[str], seed: int, family: str, index: int, around: Scene | None = None
) -> HuntQuestion:
    """The question that these values determine.

    `around`: the scene near which its pair is, whatever the kinds; None for a pair of the `family`. Without it, raises
    ValueError if no pair can be made of the kinds, KeyError for an unknown family.
    """
    make = _around(around) if around is not None else FAMILIES[family]
    words = (seed, crc32(engine.encode()), crc32(family.encode()), index)
    rng = np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))
    return HuntQuestion(seed, engine, family, index, make(rng, kinds))


def hunt(
    engine: Engine,
    ask: Ask,
    kinds: Sequence[str],
    *,
    seed: int = 1,
    most: int | None = None,
    around: Scene | None = None,
    of: Sequence[str] = (),
    going: Callable[[], bool] = lambda: True,
    around_judging: Guard = lambda _: ExitStack(),
) -> Iterator[HuntProgress]:
    """Asks an engine and yields a report about each question.

    The engine answers up to QUESTIONS_AT_ONCE questions before they are judged and reported, one by one.
    The hunt ends after `most` questions (None: no limit), when `going` returns False, or when the iterator is closed.
    `ask`: returns an answer and never raises. `around_judging`: returns the context manager in which the answers to
    some questions are judged. If it suppresses an exception, the question is counted but not reported. Raises as
    `questions`.
    """
    listed = islice(questions(engine.name, kinds, seed, around, of), most)
    worst: dict[Key, float] = {}
    unproved: Counter[Key] = Counter()
    asked = 0
    while going() and (some := list(islice(listed, QUESTIONS_AT_ONCE))):
        answers = []
        for one in some:
            if not going():
                break
            answers.append(ask(one.scene))
        for one, answer, truth in zip(some, answers, _truths(some[: len(answers)], around_judging), strict=False):
            asked += 1
            if truth is None:
                continue
            judgement, found = None, None
            with around_judging([one]):
                judgement = judge(one.scene, truth, engine, answer)
                if judgement.is_fault and isfinite(truth.separation):
                    key = _key(engine, one.scene, truth, judgement)
                    if judgement.severity > worst.get(key, -1.0) and unproved[key] < TRIES:
                        found = _proved(one, answer, truth, judgement, key)
                        if found is None:
                            unproved[key] += 1
                        else:
                            worst[key] = judgement.severity
            if judgement is not None:
                yield HuntProgress(asked, one, answer, judgement.kind, found, unproved.total())


def _proved(one: HuntQuestion, answer: Answer, truth: Truth, judgement: Judgement, key: Key) -> Finding | None:
    certificate = None
    if judgement.kind is not Kind.FAILED:
        assert isinstance(answer, EngineAnswer)
        certificate = certified(one.scene, truth, answer, judgement)
        if certificate is None:
            return None
    return Finding(one, answer, truth, judgement, certificate, key)


def _truths(some: Sequence[HuntQuestion], guard: Guard) -> list[Truth | None]:
    """The true answers, computed together. If that fails, they are computed one by one, with None for a failure."""
    with guard(some):
        found = analyse_pairs([one.scene.a for one in some], [one.scene.b for one in some])
        rows = zip(found.separations, found.gaps, found.normals, found.witnesses_a, found.witnesses_b, strict=True)
        return [Truth(float(separation), float(gap), *more) for separation, gap, *more in rows]
    return [_truth(one, guard) for one in some]


def _truth(one: HuntQuestion, guard: Guard) -> Truth | None:
    with guard([one]):
        return Truth.of(distance_of(one.scene))
    return None


def _key(engine: Engine, scene: Scene, truth: Truth, judgement: Judgement) -> Key:
    shapes = (scene.a.shape.word, scene.b.shape.word)
    features = features_of(scene, truth.normal)
    if shapes[0] > shapes[1]:
        shapes, features = shapes[::-1], features[::-1]
    power = power_of_ten(judgement.severity) if judgement.severity > 0.0 else 0
    kind = judgement.kind, judgement.failure
    return Key(engine.name, engine.version, shapes, *kind, power, features, is_degenerate(scene))


def features_of(scene: Scene, normal: Array) -> tuple[str, str]:
    """The kinds of A's and B's supporting features along a unit normal (3,) from A to B, such as `vertex` or `rim`."""
    within = SUPPORT * PairScale.of(scene.a, scene.b).largest_radius
    pairs = ((scene.a, normal), (scene.b, -normal))
    first, second = (body.shape.support_feature(body.pose.direction_to_local(way), within).kind for body, way in pairs)
    return first, second


def is_concentric(scene: Scene) -> bool:
    """Whether both positions coincide, to a billionth of L."""
    scale = PairScale.of(scene.a, scene.b)
    return length(scale.offset) <= COINCIDENT * scale.largest_radius


def is_degenerate(scene: Scene) -> bool:
    """Whether the bodies are concentric, or an axis of one's frame is parallel to an axis of the other's."""
    squares = np.square(scene.a.pose.direction_to_local(scene.b.pose.matrix.T))[: scene.dimension, : scene.dimension]
    sines = product(squares, 1.0 - np.eye(scene.dimension))
    return is_concentric(scene) or bool((sines <= COINCIDENT * COINCIDENT).any())


Maker = Callable[[np.random.Generator, Sequence[str]], Scene]


def _numbers() -> Iterator[int]:
    index = 0
    while True:
        yield index
        index += 1


def _shapes(rng: np.random.Generator, kinds: Sequence[str]) -> tuple[Shape, Shape]:
    """Two random shapes of the kinds, at most one a half-space; both 3D if any kind is 3D, else both 2D.

    Raises ValueError if no kind is known and bounded.
    """
    makers = MAKERS if any(kind in MAKERS for kind in kinds) else FLAT_MAKERS
    known = [kind for kind in kinds if kind in makers]
    bounded = [kind for kind in known if kind != "halfspace"]
    if not bounded:
        raise ValueError(f"There is no pair of {' and '.join(kinds) or 'nothing'} to ask about.")
    first = known[int(rng.integers(len(known)))]
    rest = bounded if first == "halfspace" else known
    second = rest[int(rng.integers(len(rest)))]
    return makers[first](rng), makers[second](rng)


def _randomly_turned(rng: np.random.Generator, shape: Shape, quarters: bool) -> Body:
    """A body at the origin with a random rotation; with `quarters`, with random quarter turns about the axes."""
    if not quarters:
        w, x, y, z = rng.normal(size=4).tolist()
        return Body(shape, rotation=normalized((w, x, y, z)), angle=float(rng.uniform(-pi, pi)))
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    for axis in range(3):
        by = [0.0, 0.0, 0.0]
        by[axis] = 0.5 * pi * float(rng.integers(4))
        turn = multiply(from_rotation_vector((by[0], by[1], by[2])), turn)
    return Body(shape, rotation=normalized(turn), angle=0.5 * pi * float(rng.integers(4)))


def _pair(rng: np.random.Generator, kinds: Sequence[str], *, quarters: bool = False) -> Scene:
    first, second = _shapes(rng, kinds)
    return Scene(_randomly_turned(rng, first, quarters), _randomly_turned(rng, second, quarters))


def _direction(rng: np.random.Generator, scene: Scene, wanted: Triple | None = None) -> Array:
    """A random unit vector, or `wanted` normalised. For a pair with a half-space, always its normal, from A to B."""
    space = half_space_of(scene.a, scene.b)
    if space is not None:
        out: Array = space.side * space.space.pose.direction_to_world(space.plane.normal)
        return out
    way = np.array(rng.normal(size=3).tolist() if wanted is None else wanted)
    way[scene.dimension :] = 0.0
    found = unit(way)
    return np.array((1.0, 0.0, 0.0)) if found is None else found


def _placed(scene: Scene, way: Array, gap: float) -> Scene:
    """The scene with B moved so that its support point along `-way` is `gap` beyond A's support point along `way`.

    `way`: a unit vector. `gap`: in units of L, negative for an overlap.
    """
    a, b = (
        body.pose.direction_to_world(body.shape.support(body.pose.direction_to_local(sign * way)))
        for body, sign in ((scene.a, 1.0), (scene.b, -1.0))
    )
    larger = PairScale.of(scene.a, scene.b).largest_radius
    return replace(scene, b=replace(scene.b, position=triple(a - b + gap * larger * way)))


def _power(rng: np.random.Generator, low: float, high: float) -> float:
    # Decimal arithmetic: the last digit of a floating-point power differs between platforms.
    return float(Decimal(10) ** Decimal(float(rng.uniform(low, high))))


def _signed_power(rng: np.random.Generator, low: float, high: float) -> float:
    return _power(rng, low, high) * float(rng.choice((-1.0, 1.0)))


def _general(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A pair in random poses; more than half of the pairs overlap."""
    scene = _pair(rng, kinds)
    return _placed(scene, _direction(rng, scene), float(rng.uniform(-1.0, 0.6)))


def _deep(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A pair with positions at most L / 2 apart, or a body deep in a half-space; rotations random or quarter turns."""
    scene = _pair(rng, kinds, quarters=bool(rng.random() < 0.5))
    if half_space_of(scene.a, scene.b) is not None:
        return _placed(scene, _direction(rng, scene), -float(rng.uniform(0.5, 5.0)))
    away = float(rng.uniform(0.0, 0.5)) * PairScale.of(scene.a, scene.b).largest_radius * _direction(rng, scene)
    return replace(scene, b=replace(scene.b, position=triple(away)))


def _aligned(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A pair rotated by quarter turns, with B's position on a lattice or at a gap along an axis."""
    scene = _pair(rng, kinds, quarters=True)
    axis = [0.0, 0.0, 0.0]
    axis[int(rng.integers(scene.dimension))] = float(rng.choice((-1.0, 1.0)))
    if half_space_of(scene.a, scene.b) is not None or rng.random() < 0.5:
        return _placed(scene, _direction(rng, scene, (axis[0], axis[1], axis[2])), 0.125 * float(rng.integers(-6, 5)))
    x, y, z = (0.25 * rng.integers(-6, 7, size=3)).tolist()
    return replace(scene, b=replace(scene.b, position=(x, y, z)))


def _near_aligned(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """An aligned pair with B turned by another 1e-9 to 1e-2 radians."""
    scene = _aligned(rng, kinds)
    by = _power(rng, -9.0, -2.0) * _direction(rng, replace(scene, a=scene.b))
    return replace(scene, b=scene.b.turned(triple(by)))


def _kissing(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A pair that nearly touches: with a gap or an overlap of 1e-9 to 1e-2 of L along a direction."""
    scene = _pair(rng, kinds, quarters=bool(rng.random() < 0.3))
    return _placed(scene, _direction(rng, scene), _signed_power(rng, -9.0, -2.0))


def _thin(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A pair with one size of each body multiplied by 0.001 to 0.1."""
    scene = _pair(rng, kinds, quarters=bool(rng.random() < 0.3))
    a, b = _thinned(rng, scene.a), _thinned(rng, scene.b)
    scene = replace(scene, a=a, b=b)
    return _placed(scene, _direction(rng, scene), float(rng.uniform(-0.3, 0.2)))


def _thinned(rng: np.random.Generator, body: Body) -> Body:
    if body.shape.plane is not None:
        return body
    numbers = sizes(body.shape)
    last = sorted({str(path[-1]) for path in numbers})
    chosen, factor = last[int(rng.integers(len(last)))], _power(rng, -3.0, -1.0)
    thinner = {path: factor * x for path, x in numbers.items() if str(path[-1]) == chosen}
    try:
        return replace(body, shape=resized(body.shape, thinner))
    except ValueError:  # a hull that is too thin to have faces
        return body


def _scales(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A general pair scaled by 0.001 to 1000."""
    return scaled(_general(rng, kinds), _power(rng, -3.0, 3.0))


def _far(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A general pair moved by 1000 to 1,000,000 scene units."""
    scene = _general(rng, kinds)
    by = _power(rng, 3.0, 6.0) * _direction(rng, replace(scene, a=scene.b))
    bodies = [replace(body, position=triple(body.pose.position + by)) for body in (scene.a, scene.b)]
    return replace(scene, a=bodies[0], b=bodies[1])


def _concentric(rng: np.random.Generator, kinds: Sequence[str]) -> Scene:
    """A pair with both positions at the origin, with random rotations or quarter turns."""
    return _pair(rng, kinds, quarters=bool(rng.random() < 0.5))


FAMILIES: Mapping[str, Maker] = MappingProxyType(
    {
        "general": _general,
        "deep": _deep,
        "aligned": _aligned,
        "near-aligned": _near_aligned,
        "kissing": _kissing,
        "thin": _thin,
        "scales": _scales,
        "far": _far,
        "concentric": _concentric,
    }
)
"""The families of pairs by name, in the order in which a hunt asks."""


def _around(scene: Scene) -> Maker:
    """Returns a maker of pairs near a scene: B moved, B turned, sizes changed; each only in some of the pairs.

    Moves are about 1e-9 to 0.5 of L, turns about 1e-9 to 0.5 radians, changes of sizes 1e-9 to 0.1 of the size.
    """

    def near(rng: np.random.Generator, _: Sequence[str]) -> Scene:
        larger = PairScale.of(scene.a, scene.b).largest_radius
        bodies = [_resized_a_little(rng, body) if rng.random() < 0.3 else body for body in (scene.a, scene.b)]
        ways = [_signed_power(rng, -9.0, -0.3) * rng.normal(size=3) for _ in range(2)]
        at = triple(scene.b.pose.position + larger * ways[0])
        moved = bodies[1] if rng.random() < 0.2 else replace(bodies[1], position=at)
        return replace(scene, a=bodies[0], b=moved if rng.random() < 0.3 else moved.turned(triple(ways[1])))

    return near


def _resized_a_little(rng: np.random.Generator, body: Body) -> Body:
    changed = {path: x * (1.0 + _signed_power(rng, -9.0, -1.0)) for path, x in sizes(body.shape).items()}
    try:
        return replace(body, shape=resized(body.shape, changed))
    except ValueError:  # the points are no longer a convex polygon
        return body
