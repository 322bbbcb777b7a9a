"""One method's answer beside the others, and how it is judged against the reference."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ....analysis.analysis import Analysis
from ....geometry.vector import Array
from ....gjk.gjk_epa import SignedDistance
from ....pair.pair import PairScale, certificate, half_space_of
from ....query.query import Phase, Query
from ....verdict import Certainty, Sentence, Verdict

DOUBLE, SINGLE = "float64", "float32"

IN_DOUBLE, IN_SINGLE = ((("single.steps", precise),) for precise in (False, True))
"""The knob that chooses between the steps of GJK and EPA in double precision and those in single."""

LAST = -1
"""The index of a phase's last step, whatever its number: of a phase that other knobs would add."""

TURNED = 1e-3
"""Radians between two normals that are worth a word: certified curved answers may differ by 1e-5."""


class Reason(StrEnum):
    """Why an answer differs from the reference, or that it does not."""

    AGREES = "agrees"
    BOUND = "a bound, not the distance"
    TIE = "another normal, as good"
    ROUNDING = "rounding"
    NO_NUMBER = "no number"
    LIMIT = "iteration limit"
    KNOB = "a changed setting"
    ARTICLE = "the article's mistake"
    TWO_VERDICTS = "knows no touching"
    UNEXPLAINED = "unexplained"
    SILENT = "does not apply"


class AnswerRow(Struct, frozen=True, eq=False):
    """What one method says about the pair.

    `precision`: float64 or float32. `verdict`, `separation` (signed, scene units), `normal` (3,) unit from A to B,
    `contacts` (a count, of an article that counts them): None where the method does not say. `stop` and `iterations`
    of GJK and EPA, else "" and None. `certainty`: how the method itself knows its number, None where it does not say.
    `difference`: separation less the reference's; `turned`: radians between the normals. `reason` and `words`, one
    sentence: why it differs, or why it does not apply. `phase`, `index`: the moment of the query where the answer
    arises, index LAST for the last of its phase; phase None where no step shows it but the answer itself. `needs`: the
    knobs, by path with their values, under which the query has that moment. `article`: the variant's id, or "".
    """

    method: str
    precision: str
    reason: Reason
    words: Sentence
    verdict: Verdict | None = None
    separation: float | None = None
    normal: Array | None = None
    contacts: int | None = None
    iterations: int | None = None
    stop: str = ""
    certainty: Certainty | None = None
    difference: float | None = None
    turned: float | None = None
    phase: Phase | None = None
    index: int = 0
    needs: tuple[tuple[str, object], ...] = ()
    article: str = ""

    @property
    def applies(self) -> bool:
        """Whether the method answers about this pair."""
        return self.reason is not Reason.SILENT

    @property
    def agrees(self) -> bool:
        """Whether there is nothing to explain."""
        return self.reason in (Reason.AGREES, Reason.SILENT)


class Truth(Struct, frozen=True, eq=False):
    """The analysis' answer, which every other is held against. `tolerance`: two doubles further apart disagree."""

    analysis: Analysis
    scale: PairScale
    tolerance: float

    @staticmethod
    def of(analysis: Analysis) -> Truth:
        """Of a pair."""
        scale = PairScale.of(analysis.scene.a, analysis.scene.b)
        return Truth(analysis, scale, scale.agreement + analysis.certainty.gap)

    def proven(self, normal: Array) -> float:
        """The separation along a unit normal (3,); along a half-space's own only there is one, so the reference's."""
        a, b = self.analysis.scene.a, self.analysis.scene.b
        if half_space_of(a, b) is not None:
            return self.analysis.separation
        return certificate(a, b, normal)


class Reference(Truth, frozen=True, eq=False):
    """The same with every step about the pair, among which rows have their places."""

    query: Query

    @staticmethod
    def asked(query: Query) -> Reference:
        """Of the analysis that the query is about."""
        truth = Truth.of(query.analysis)
        return Reference(truth.analysis, truth.scale, truth.tolerance, query)

    def last(self, phase: Phase) -> tuple[Phase | None, int]:
        """Where a phase ends; (None, 0) if the query has none of its steps."""
        counts = {name: count for name, _, count in self.query.phases}
        return (phase, counts[phase] - 1) if phase in counts else (None, 0)

    @property
    def distance(self) -> SignedDistance | None:
        """What GJK and EPA found in double precision; None with a half-space."""
        double = self.query.in_double
        return self.query.distance if double is None else double.result

    def closing_place(self, phase: Phase) -> tuple[tuple[Phase | None, int], tuple[tuple[str, object], ...]]:
        """Where GJK or EPA in double precision ends, and under which knobs the query has that moment."""
        if self.query.in_double is None:
            return self.last(phase), ()
        return (phase, LAST), IN_DOUBLE

    def plane_of(self, label: str) -> tuple[Phase | None, int]:
        """Where the planes test tries the plane with this label."""
        for moment in self.query.moments:
            if moment.phase is Phase.PLANES and getattr(moment.step, "label", "") == label:
                return moment.phase, moment.index
        return None, 0

    def sat_row(self, row: int) -> tuple[Phase | None, int]:
        """Where SAT tries a row of its table."""
        last = self.last(Phase.SAT)
        return (last[0], min(row, last[1]))


def silent(method: str, precision: str, why: str) -> AnswerRow:
    """A row for a method that does not apply; `why` is one sentence."""
    return AnswerRow(method, precision, Reason.SILENT, Sentence(why))


def off_by(difference: float, than: str = "the reference") -> Sentence:
    """`0.25 more than the reference`, with two more digits than rounding leaves sure; the beginning of a sentence."""
    return Sentence(f"{{:.4g}} {'more' if difference > 0.0 else 'less'} than {than}", (abs(difference),))
