"""Compares an answer with an earlier answer of `check --json`.

Verdicts must be equal, and so must the motions' outcomes. Separations may differ by the tolerance plus the gap of
today's answer; the earlier answer's gap is not added. Today's gap may exceed the earlier gap by the tolerance. Another
normal or mtv is accepted if its direction proves today's separation; of tied axes any is accepted.

Two times agree if the bodies touch at the earlier answer's time and midway between both, or barely move between the
times: if the bodies graze each other, no method finds the time to many digits. Witnesses and contacts are not
compared, since they may slide along a face.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist, hypot, isfinite
from typing import Any

import msgspec
import numpy as np
from msgspec import UNSET, Struct, UnsetType

from core.analysis.analysis import of
from core.analysis.motion_answers import slack
from core.geometry.triple import Triple
from core.pair.pair import PairScale, certificate
from core.scene import Scene

from ..storage.strict_json import DataError, require
from ..words.digits import column_number
from .facts import MotionFacts, SceneFacts

SLACK = 1e-9
"""The default tolerance as a fraction of `PairScale.extent`, L + |T|. Certified gaps of today's methods are smaller."""

DOUBLE_TOLERANCE, SINGLE_TOLERANCE = 1e-15, 1e-6
"""The tolerances of the distance between two normals, and of a normal's length from 1, in double and single precision.

An earlier normal whose length is within DOUBLE_TOLERANCE of 1 has that tolerance, any other SINGLE_TOLERANCE.
"""


class ExpectedMotion(Struct, frozen=True):
    """The motion in an earlier answer: the key `sweep` of the JSON."""

    outcome: str
    time: float | UnsetType | None = UNSET
    free_until: float | UnsetType = UNSET


class Expected(Struct, frozen=True):
    """An earlier answer about the scene `name`, in the log `file`; a key that the answer lacks is UNSET or None.

    `refused`: the scene had no answer, and `verdict` is empty. `normal`: unit; `precision`: the normal's tolerance.
    `mtv`: None for bodies without one. `gap`: the largest error of the separation.
    """

    name: str
    file: str | None = None
    refused: bool = False
    verdict: str = ""
    separation: float | None = None
    normal: Triple | None = None
    precision: float = DOUBLE_TOLERANCE
    mtv: Triple | UnsetType | None = UNSET
    gap: float | None = None
    motion: ExpectedMotion | UnsetType | None = UNSET


class _KnownGap(Struct):
    gap: float | None = None


class _Provenance(Struct):
    separation: _KnownGap = msgspec.field(default_factory=_KnownGap)


class _EarlierAnswer(Struct):
    verdict: str
    separation: float | None
    normal: tuple[float, ...] = ()
    mtv: tuple[float, ...] | UnsetType | None = UNSET
    provenance: _Provenance = msgspec.field(default_factory=_Provenance)
    sweep: ExpectedMotion | UnsetType | None = UNSET


def expected_of(tree: dict[str, Any]) -> Expected:
    """The earlier answer in a JSON object that has a `name`.

    Raises DataError, with the key, for a value that no answer has.
    """
    name, file = tree["name"], tree.get("file")
    file = file if isinstance(file, str) else None
    if "error" in tree:
        return Expected(name, file, refused=True)
    try:
        answer = msgspec.convert(tree, _EarlierAnswer)
    except msgspec.ValidationError as error:
        raise DataError("", f"must be an answer of check --json: {error}") from None
    off = abs(hypot(*answer.normal) - 1.0) if answer.normal else 0.0
    require(len(answer.normal) in (0, 2, 3) and off <= SINGLE_TOLERANCE, "normal", "must be unit", tree.get("normal"))
    if isinstance(answer.mtv, tuple):
        require(len(answer.mtv) in (2, 3), "mtv", "must have two or three numbers", tree["mtv"])
    return Expected(
        name,
        file,
        verdict=answer.verdict,
        separation=answer.separation,
        normal=_unit(answer.normal) if answer.normal else None,
        precision=DOUBLE_TOLERANCE if off <= DOUBLE_TOLERANCE else SINGLE_TOLERANCE,
        mtv=_in_space(answer.mtv) if isinstance(answer.mtv, tuple) else answer.mtv,
        gap=answer.provenance.separation.gap,
        motion=answer.sweep,
    )


def _in_space(numbers: tuple[float, ...]) -> Triple:
    x, y, z = (*numbers, 0.0)[:3]
    return x, y, z


def _unit(numbers: tuple[float, ...]) -> Triple:
    x, y, z = _in_space(numbers)
    size = hypot(x, y, z)
    return x / size, y / size, z / size


def differences(expected: Expected, found: SceneFacts, scene: Scene, tolerance: float | None) -> Iterator[str]:
    """Yields one sentence for each part of today's answer that is not as expected.

    `tolerance`: for lengths, in scene units; None stands for SLACK times the pair's extent.
    """
    if expected.refused:
        yield "expected to be refused"
        return
    extent = PairScale.of(scene.a, scene.b).extent
    allowed = SLACK * extent if tolerance is None else tolerance
    if found.verdict != expected.verdict:
        yield f"verdict {found.verdict}, expected {expected.verdict}"
    yield from _of_separation(expected, found, allowed)
    allowed += found.certainty.gap
    if expected.normal is not None and dist(expected.normal, found.normal) > expected.precision:
        proved = _proved(scene, expected.normal)
        # A direction off by ε proves a separation lower by at most ε (2 L + |T|), at most 2 ε times the extent.
        if not proved >= found.separation - allowed - 2.0 * expected.precision * extent:
            yield (
                f"the expected normal proves only {column_number(proved)}, "
                f"but the separation is {column_number(found.separation)}"
            )
    if found.verdict == expected.verdict and not isinstance(expected.mtv, UnsetType):
        yield from _of_mtv(expected.mtv, found, scene, allowed)
    if not isinstance(expected.motion, UnsetType):
        yield from _of_motion(expected.motion, found.motion, scene, allowed)


def _of_separation(expected: Expected, found: SceneFacts, allowed: float) -> Iterator[str]:
    here, there, gap = found.separation, expected.separation, found.certainty.gap
    if there is None:
        if isfinite(here):
            yield f"separation {column_number(here)}, expected no number"
        return
    if not abs(here - there) <= allowed + gap:
        yield f"separation {column_number(here)}, expected {column_number(there)} within {column_number(allowed + gap)}"
    if expected.gap is not None and not gap <= expected.gap + allowed:
        yield f"the separation is known to within {column_number(gap)}, expected within {column_number(expected.gap)}"


def _of_mtv(expected: Triple | None, found: SceneFacts, scene: Scene, allowed: float) -> Iterator[str]:
    """Yields a sentence unless the expected mtv equals today's, or has its length and proves the separation.

    All within `allowed`, scene units.
    """
    if expected is None or found.mtv is None:
        if expected is not found.mtv:
            yield f"mtv {_written(found.mtv)}, expected {_written(expected)}"
        return
    if dist(expected, found.mtv) <= allowed:
        return
    size, depth = hypot(*expected), -found.separation
    x, y, z = (part / size if depth > 0.0 else -part / size for part in expected) if size else found.normal
    if not (abs(size - abs(depth)) <= allowed and _proved(scene, (x, y, z)) >= found.separation - allowed):
        yield f"mtv {_written(found.mtv)}, expected {_written(expected)}"


def _of_motion(
    expected: ExpectedMotion | None, found: MotionFacts | None, scene: Scene, allowed: float
) -> Iterator[str]:
    here, there = ("none" if one is None else one.outcome for one in (found, expected))
    if here != there:
        yield f"motion {here}, expected {there}"
    if here != there or found is None or expected is None:
        return
    for words, now, before in (
        ("the bodies touch at time", found.time, expected.time),
        ("the bodies are free until time", found.free, expected.free_until),
    ):
        if not isinstance(before, UnsetType) and not _same_time(now, before, scene, allowed):
            yield f"{words} {_time(now)}, expected {_time(before)}"


def _same_time(first: float | None, second: float | None, scene: Scene, allowed: float) -> bool:
    """Whether two times are equal, or the bodies barely move between both, or touch at the second time and midway."""
    if first == second:
        return True
    if first is None or second is None or not 0.0 <= second <= 1.0:
        return False
    motion = of(scene.dimension).motion_of(scene.a, scene.b)
    allowed += slack(motion)
    if abs(first - second) * motion.travel <= allowed and not motion.rotates:
        return True
    # Without turning the signed distance is convex in time: zero at both times and midway, the distance is zero
    # between both. With turning the two times are a sample.
    near = (motion.near(time) for time in (second, 0.5 * (first + second)))
    return all(abs(one.separation) <= allowed + one.certainty.gap for one in near)


def _proved(scene: Scene, normal: Triple) -> float:
    return certificate(scene.a, scene.b, np.array(normal))


def _time(time: float | None) -> str:
    return "none" if time is None else column_number(time)


def _written(vector: Triple | None) -> str:
    return "none" if vector is None else f"({', '.join(map(column_number, vector))})"
