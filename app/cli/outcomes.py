"""Decides which scenes of a `check` run fail (`--fail-on`, `--expect`); gives exit status, summary and JUnit report."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree

from msgspec import Struct

from core.verdict import Provenance

from ..storage.files import reason_of, write_atomic
from ..storage.strict_json import DataError
from ..words.digits import plain
from .differences import differences
from .expectations import Expectations
from .facts import SceneFacts
from .report import printable

FAILED = 3
"""The exit status if a scene failed or an expected scene is missing; if a scene was refused, it is 1 instead."""


class Conditions(Struct, frozen=True):
    """The conditions under which a scene fails.

    `disagreement`: methods contradict one another. `single`: the verdict in single precision differs from that in
    double. `bound`: the separation is only a bound. `verdict_change`: the verdict differs from the previous scene's.
    `depth`: the bodies overlap by more than this, scene units.
    """

    disagreement: bool = False
    single: bool = False
    bound: bool = False
    verdict_change: bool = False
    depth: float | None = None

    @staticmethod
    def of(words: str) -> Conditions:
        """Parses `disagreement,single,bound,verdict-change,depth:0.1` or a part of it.

        Raises ValueError for other words.
        """
        found: dict[str, bool | float] = {}
        for word in words.split(","):
            key, colon, value = word.partition(":")
            if key == "depth" and colon:
                found["depth"] = _depth(value)
            elif word in ("disagreement", "single", "bound", "verdict-change"):
                found[word.replace("-", "_")] = True
            else:
                raise ValueError(f"must be of disagreement, single, bound, verdict-change and depth:X, got {word!r}")
        return Conditions(**found)  # type: ignore[arg-type]  # the loop gives each key a value of its field's type


def _depth(text: str) -> float:
    try:
        depth = float(text)
    except ValueError:
        depth = -1.0
    if not (isfinite(depth) and depth >= 0.0):
        raise ValueError(f"must be depth: and a number from 0 in scene units, got {text!r}")
    return depth


class SceneOutcome(Struct, frozen=True):
    """The result of one scene.

    `refused`: the refusal's sentence, or "". `failures`: a sentence for each failure. `seconds`: since the previous
    scene was recorded.
    """

    file: str
    name: str
    verdict: str
    refused: str
    failures: tuple[str, ...]
    seconds: float


def asked_for(conditions: Conditions, expect: str | None, tolerance: float | None) -> Outcomes | None:
    """An empty Outcomes for a run. If the file of expectations `expect` is refused, prints why and returns None."""
    try:
        return Outcomes(conditions, Expectations(expect) if expect else None, tolerance)
    except DataError as error:
        print(printable(str(error)), file=sys.stderr)
        return None


class Outcomes:
    """The outcomes of a run's scenes, in order, with the run's exit status, summary and JUnit report."""

    def __init__(
        self, conditions: Conditions, expectations: Expectations | None = None, tolerance: float | None = None
    ) -> None:
        """`tolerance`: for lengths compared with the expectations, scene units; None: the default of `differences`."""
        self._conditions = conditions
        self._expectations, self._tolerance = expectations, tolerance
        self._before: str | None = None
        self._all: list[SceneOutcome] = []
        self._since = perf_counter()

    @property
    def needs_disagreements(self) -> bool:
        """Whether the facts must include the disagreements."""
        return self._conditions.disagreement

    @property
    def needs_scenes(self) -> bool:
        """Whether the facts must include the scene."""
        return self._expectations is not None

    def judged(self, file: str, line: int | None, name: str, error: str, facts: SceneFacts | None) -> tuple[str, ...]:
        """Records a scene; returns a sentence for each of its failures.

        A refused scene has no `facts`, only `error`, and no failures. The condition `verdict_change` compares with the
        last scene that was answered; it is not tested in a run with expectations, which compare the verdict themselves.
        `line`: of a log, from 1; None for another file.
        """
        if facts is None:
            if self._expectations is not None:
                self._expectations.take(file, line, name)
            self._keep(file, name, "", error, ())
            return ()
        failures = tuple(self._failures(file, line, name, facts))
        self._before = facts.verdict
        self._keep(file, name, facts.verdict, "", failures)
        return failures

    def _failures(self, file: str, line: int | None, name: str, facts: SceneFacts) -> Iterator[str]:
        asked, before = self._conditions, self._before
        if self._expectations is not None:
            expected = self._expectations.take(file, line, name)
            if expected is None:
                yield "is not among the expected answers"
            elif facts.scene is not None:
                yield from differences(expected, facts, facts.scene, self._tolerance)
        elif asked.verdict_change and before not in (None, facts.verdict):
            yield f"verdict {facts.verdict}, in the scene before {before}"
        if asked.disagreement:
            yield from facts.disagreements
        if asked.single and facts.single not in ("", facts.verdict):
            yield f"single precision says {facts.single}, double {facts.verdict}"
        if asked.bound and facts.certainty.provenance in (Provenance.BOUND, Provenance.FALLBACK):
            yield f"the separation is a bound, known to within {plain(facts.certainty.gap)}"
        if asked.depth is not None and -facts.separation > asked.depth:
            yield f"depth {plain(-facts.separation)}, more than {plain(asked.depth)}"

    def _keep(self, file: str, name: str, verdict: str, refused: str, failures: tuple[str, ...]) -> None:
        now = perf_counter()
        self._all.append(SceneOutcome(file, name, verdict, refused, failures, now - self._since))
        self._since = now

    @property
    def missing(self) -> list[str]:
        """The names of the expected answers that no scene of this run matched."""
        return [] if self._expectations is None else self._expectations.unused()

    @property
    def status(self) -> int:
        """The exit status: 1 if a scene was refused, 3 if one failed or is missing, else 0."""
        if any(outcome.refused for outcome in self._all):
            return 1
        return FAILED if self.missing or any(outcome.failures for outcome in self._all) else 0

    def summary(self) -> str:
        """The run in one line: `4 scenes: 3 OVERLAPPING, 1 SEPARATED; 1 failed`."""
        verdicts = Counter(outcome.verdict for outcome in self._all if not outcome.refused)
        refused, failed = (
            sum(bool(getattr(outcome, kind)) for outcome in self._all) for kind in ("refused", "failures")
        )
        parts = [f"{count} {verdict}" for verdict, count in sorted(verdicts.items())]
        parts += [f"{refused} refused"] if refused else []
        line = f"{len(self._all)} scene{'s' * (len(self._all) != 1)}: {', '.join(parts) or 'none'}; {failed} failed"
        return line + (f", {len(self.missing)} expected and not there" if self.missing else "")

    def write_junit(self, path: Path) -> int:
        """Writes the report as JUnit XML for build servers; returns `status`.

        If the file cannot be written, prints why and returns 1.
        """
        missing = [SceneOutcome("", name, "", "", ("was expected, and is not there",), 0.0) for name in self.missing]
        cases = [*self._all, *missing]
        counts = {
            "tests": len(cases),
            "failures": sum(bool(case.failures) for case in cases),
            "errors": sum(bool(case.refused) for case in cases),
            "time": f"{sum(case.seconds for case in cases):.3f}",
        }
        attributes = {"name": "separatrix check"} | {key: str(value) for key, value in counts.items()}
        root = ElementTree.Element("testsuites", attributes)
        suite = ElementTree.SubElement(root, "testsuite", attributes)
        for case in cases:
            about = {"classname": printable(case.file), "name": printable(case.name), "time": f"{case.seconds:.6f}"}
            element = ElementTree.SubElement(suite, "testcase", about)
            if case.refused:
                ElementTree.SubElement(element, "error", {"message": printable(case.refused)})
            for failure in case.failures:
                ElementTree.SubElement(element, "failure", {"message": printable(failure)})
        ElementTree.indent(root)
        try:
            write_atomic(path, ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))
        except OSError as error:
            print(printable(f"{path}: {reason_of(error)}"), file=sys.stderr)
            return 1
        return self.status
