"""`check --expect FILE`: earlier answers (`check --json`), and where today's differ from them.

A pair goes by its line in a log and its name, several of one name in their order. Verdicts must be equal, separations
within a tolerance and what either is known to. A normal is judged by what it proves about the pair as it stands: of
axes that tie any is right. Witnesses and contacts are not compared, since they may slide along a face.
"""

from __future__ import annotations

from collections import defaultdict, deque
from math import hypot
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from core.pair.pair import PairScale, certificate
from core.scene import Scene

from ..storage.files import MEGABYTE, SCENE_LIMIT, open_file, reason_of
from ..storage.strict_json import DataError, parse, require
from ..words.digits import number

SLACK = 1e-9
"""Of L + |T|: the tolerance where none is given. A certified gap of today's methods is smaller."""

UNIT = 1e-6
"""An expected normal's length may be off 1 by so much: files of other programs hold single precision."""


class Expected(Struct, frozen=True):
    """An earlier answer. `verdict`: None where the scene was refused. `normal`: unit, of two or three numbers."""

    verdict: str | None
    separation: float = 0.0
    normal: tuple[float, ...] = ()
    gap: float = 0.0


class Expectations:
    """The answers of a file, each met once."""

    def __init__(self, file: str, tolerance: float | None) -> None:
        """Reads the file. `tolerance`: of separations, scene units. Raises DataError with the place."""
        self._tolerance = tolerance
        self._waiting: dict[tuple[int | None, str], deque[Expected]] = defaultdict(deque)
        try:
            with open_file(file) as lines:
                for place, data in enumerate(iter(lambda: lines.readline(SCENE_LIMIT + 1), b""), 1):
                    require_short(data, f"{file}:{place}")
                    if data.strip():
                        self._read(data, f"{file}:{place}")
        except OSError as error:
            raise DataError(file, reason_of(error)) from None
        if not self._waiting:
            raise DataError(file, "must hold the answers of check --json, one a line; it is empty")

    def _read(self, data: bytes, place: str) -> None:
        try:
            tree = parse(data.decode("utf-8"))
            require(isinstance(tree, dict) and isinstance(tree.get("name"), str), "name", "must be text", tree)
            self._waiting[tree.get("line"), tree["name"]].append(_expected(tree))
        except UnicodeDecodeError:
            raise DataError(place, "must be UTF-8") from None
        except DataError as error:
            raise DataError(place, str(error)) from None

    def take(self, line: int | None, name: str) -> Expected | None:
        """What was expected of a pair; None where nothing was."""
        waiting = self._waiting.get((line, name))
        return waiting.popleft() if waiting else None

    def left(self) -> list[str]:
        """The names of those that were expected and did not come."""
        return [name for (_, name), waiting in self._waiting.items() for _ in waiting]

    def differences(self, expected: Expected, scene: Scene, verdict: str, found: float, gap: float) -> list[str]:
        """One sentence for each part of an answer that is not as expected: the separation `found`, to within `gap`."""
        if expected.verdict is None:
            return ["expected to be refused"]
        told = []
        if verdict != expected.verdict:
            told.append(f"verdict {verdict}, expected {expected.verdict}")
        slack = _slack(scene) if self._tolerance is None else self._tolerance
        allowed = slack + expected.gap + gap
        if not abs(found - expected.separation) <= allowed:
            told.append(f"separation {number(found)}, expected {number(expected.separation)} within {number(allowed)}")
        if expected.normal:
            normal = np.zeros(3)
            normal[: len(expected.normal)] = expected.normal
            proved = certificate(scene.a, scene.b, normal / np.sqrt(normal @ normal))
            if not proved >= found - allowed:
                told.append(f"the expected normal proves only {number(proved)}, but the separation is {number(found)}")
        return told


def require_short(line: bytes, place: str) -> None:
    """Raises DataError for a line longer than any answer."""
    if len(line) > SCENE_LIMIT:
        raise DataError(place, f"is longer than {SCENE_LIMIT // MEGABYTE} MB, no answer is")


def _slack(scene: Scene) -> float:
    return SLACK * PairScale.of(scene.a, scene.b).extent


class _Gap(Struct):
    gap: float = 0.0


class _Provenance(Struct):
    separation: _Gap = msgspec.field(default_factory=_Gap)


class _Answer(Struct):
    verdict: str
    separation: float
    normal: tuple[float, ...] = ()
    provenance: _Provenance = msgspec.field(default_factory=_Provenance)


def _expected(tree: dict[str, Any]) -> Expected:
    if "error" in tree:
        return Expected(None)
    try:
        answer = msgspec.convert(tree, _Answer)
    except msgspec.ValidationError as error:
        raise DataError("", f"must be an answer of check --json: {error}") from None
    size = hypot(*answer.normal) if answer.normal else 1.0
    require(len(answer.normal) in (0, 2, 3) and abs(size - 1.0) <= UNIT, "normal", "must be unit", tree.get("normal"))
    return Expected(answer.verdict, answer.separation, answer.normal, answer.provenance.separation.gap)
