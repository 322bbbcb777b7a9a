"""One method's answer in the comparison, and the reference with which it is compared."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from ....analysis.analysis import Analysis
from ....geometry.vector import Array
from ....gjk.gjk_epa import SignedDistance
from ....pair.pair import PairScale, certificate, half_space_of
from ....query.query import Phase, Query
from ....verdict import Certainty, Sentence, Verdict

FLOAT64, FLOAT32 = "float64", "float32"

IN_DOUBLE, IN_SINGLE = ((("single.steps", precise),) for precise in (False, True))
"""The setting under which the query has the steps of GJK and EPA in double precision, and in single precision."""

LAST = -1
"""The index that means a phase's last step; used for phases that the query has only under other settings."""

TURNED = 1e-3
"""Two normals differ if their angle is above this, radians; certified answers about curved bodies differ by 1e-5."""


class Reason(StrEnum):
    """Why an answer differs from the reference; AGREES if it does not, SILENT if there is no answer."""

    AGREES = "agrees"
    BOUND = "a bound, not the distance"
    TIE = "another normal, as good"
    ROUNDING = "rounding"
    NO_NUMBER = "no number"
    LIMIT = "iteration limit"
    SETTING = "a changed setting"
    ARTICLE = "the article's mistake"
    TWO_VERDICTS = "knows no touching"
    UNEXPLAINED = "unexplained"
    SILENT = "does not apply"


class AnswerRow(Struct, frozen=True, eq=False):
    """The answer of one method about the pair.

    `precision`: FLOAT64 or FLOAT32. `reason`, `words`: why it differs or does not apply. `verdict`; `separation`,
    signed, scene units; `normal` (3,), unit, from A to B; `contacts`, an article's count of them: each None if the
    method does not give it.

    `iterations`, `stop`: of GJK and EPA, else None and "". `certainty`: how the method knows its number, or None.
    `difference`: `separation` minus the reference's, or None. `turned`: the angle between the normals, radians, or None
    without a normal. `phase`, `index`: the step of the query where the answer arises, `index` LAST for the last of its
    phase; `phase` None if no step shows it. `needs`: the settings, pairs of path and value, under which the query has
    that step. `article`: the variant's id, or "".
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
        """Whether the method applies to this pair."""
        return self.reason is not Reason.SILENT

    @property
    def agrees(self) -> bool:
        """Whether the row needs no explanation: it agrees, or does not apply."""
        return self.reason in (Reason.AGREES, Reason.SILENT)


class ReferenceAnswer(Struct, frozen=True, eq=False):
    """The analysis's answer, with which every other answer is compared.

    `tolerance`: separations in double precision that differ by more disagree, scene units.
    """

    analysis: Analysis
    scale: PairScale
    tolerance: float

    @staticmethod
    def of(analysis: Analysis) -> ReferenceAnswer:
        """The record for an analysis."""
        scale = PairScale.of(analysis.scene.a, analysis.scene.b)
        return ReferenceAnswer(analysis, scale, scale.agreement + analysis.certainty.gap)

    def proven(self, normal: Array) -> float:
        """The separation along a unit normal (3,).

        For a pair with a half-space the reference's, as other directions have no finite separation.
        """
        a, b = self.analysis.scene.a, self.analysis.scene.b
        if half_space_of(a, b) is not None:
            return self.analysis.separation
        return certificate(a, b, normal)


class Reference(ReferenceAnswer, frozen=True, eq=False):
    """The analysis's answer with the query, whose steps the rows refer to."""

    query: Query

    @staticmethod
    def asked(query: Query) -> Reference:
        """The record for a query and its analysis."""
        truth = ReferenceAnswer.of(query.analysis)
        return Reference(truth.analysis, truth.scale, truth.tolerance, query)

    def last(self, phase: Phase) -> tuple[Phase | None, int]:
        """Returns a phase and the index of its last step; (None, 0) if the query has no step of the phase."""
        counts = {name: count for name, _, count in self.query.phases}
        return (phase, counts[phase] - 1) if phase in counts else (None, 0)

    @property
    def distance(self) -> SignedDistance | None:
        """The answer of GJK and EPA in double precision; None with a half-space."""
        double = self.query.in_double
        return self.query.distance if double is None else double.result

    def closing_place(self, phase: Phase) -> tuple[tuple[Phase | None, int], tuple[tuple[str, object], ...]]:
        """Returns phase and index of the last step of GJK or EPA in double precision, and the settings for it.

        The place is (None, 0) if the algorithm has no steps.
        """
        if self.query.in_double is None:
            return self.last(phase), ()
        return (phase, LAST), IN_DOUBLE

    def plane_of(self, label: str) -> tuple[Phase | None, int]:
        """Returns phase and index of the planes test's step about the plane with this label; (None, 0) without one."""
        for moment in self.query.moments:
            if moment.phase is Phase.PLANES and getattr(moment.step, "label", "") == label:
                return moment.phase, moment.index
        return None, 0

    def sat_row(self, row: int) -> tuple[Phase | None, int]:
        """Returns phase and index of SAT's step about a row of its table; of the last step if no step is about it.

        (None, 0) if SAT has no steps.
        """
        for moment in self.query.moments:
            if moment.phase is Phase.SAT and getattr(moment.step, "row", None) == row:
                return moment.phase, moment.index
        return self.last(Phase.SAT)


def silent(method: str, precision: str, why: str) -> AnswerRow:
    """A row for a method that does not apply; `why` is one sentence."""
    return AnswerRow(method, precision, Reason.SILENT, Sentence(why))


def off_by(difference: float, than: str = "the reference") -> Sentence:
    """The beginning of a sentence, such as `0.25 more than the reference`, with four significant digits."""
    return Sentence(f"{{:.4g}} {'more' if difference > 0.0 else 'less'} than {than}", (abs(difference),))
