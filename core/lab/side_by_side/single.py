"""The rows in single precision."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import numpy as np

from ...analysis.analysis import Analysis
from ...float32 import DoubleAnswer, SingleAnswer, analyse_single
from ...query.query import Phase
from ...verdict import Provenance, uncertified
from .row import SINGLE, TURNED, AnswerRow, Reason, Reference, angle, silent

AGREEMENT = 64.0 * 2.0**-23
"""Single answers further from the reference than this fraction of L + |T| differ by more than the algorithms' own
rounding (tests/core/test_single_precision.py holds them to it): the rounding of positions far away, or lost digits."""

WHY_NOT = {
    "SAT": "Single precision has it for two polyhedra.",
    "EPA": "Single precision runs it together with GJK: see there.",
    "closed form": "Double only: single precision has spheres, boxes against spheres, and half-spaces.",
    "explicit hull": "Double only: the hull is found with doubles and exact signs.",
    "contact manifold": "Double only.",
}


def single_rows(to: Reference, doubles: tuple[AnswerRow, ...], *, world_space: bool) -> Iterator[AnswerRow]:
    """One row in single precision for each of `doubles`, the same methods in the same order.

    `world_space`: as in analyse_single.
    """
    found = analyse_single(to.analysis.scene, world_space=world_space, known=known_doubles(to.analysis))
    answers = {answer.algorithm: answer for answer in found.answers}
    for double in doubles:
        if not double.applies:
            yield silent(double.method, SINGLE, double.words)
        elif double.method in answers:
            yield _row(to, answers[double.method], double)
        else:
            yield silent(double.method, SINGLE, WHY_NOT[double.method])


def known_doubles(analysis: Analysis) -> dict[str, DoubleAnswer]:
    """Double's answers that the analysis has found."""
    known = {}
    if analysis.sat.applies:
        known["SAT"] = DoubleAnswer(analysis.sat.separation, analysis.sat.normal)
    if analysis.closing is not None and analysis.closing.result is not None:
        closing = analysis.closing.result
        known["GJK and EPA"] = DoubleAnswer(closing.separation, closing.normal)
    return known


def _row(to: Reference, found: SingleAnswer, double: AnswerRow) -> AnswerRow:
    reason, words = _judged(to, found)
    phase, index = double.phase, double.index
    if found.verdict is None:
        return AnswerRow(double.method, SINGLE, reason, words, phase=phase, index=index, needs=double.needs)
    if phase is Phase.SAT:
        # The axis of the table that lies nearest to single precision's winner: where the two part.
        index = int(np.argmax(np.abs(to.analysis.sat.axes @ found.normal)))
    bound = double.certainty is not None and double.certainty.provenance is Provenance.BOUND
    return AnswerRow(
        method=double.method,
        precision=SINGLE,
        reason=reason,
        words=words,
        verdict=found.verdict,
        separation=found.separation,
        normal=found.normal,
        certainty=uncertified(found.gap, bound=bound),
        difference=found.separation - to.analysis.separation,
        turned=angle(found.normal, to.analysis.normal),
        phase=phase,
        index=index,
        needs=double.needs,
    )


def _judged(to: Reference, found: SingleAnswer) -> tuple[Reason, str]:
    analysis = to.analysis
    if found.verdict is None:
        return Reason.NO_NUMBER, found.words
    difference = found.separation - analysis.separation
    tolerance = AGREEMENT * to.scale.extent + to.tolerance
    if found.verdict is not analysis.verdict and found.verdict is not found.double_verdict:
        return Reason.ROUNDING, f"{found.words}{_far_out(to, found)}"
    if abs(difference) <= tolerance:
        return _by_the_normal(to, found, difference, tolerance)
    if abs(found.error) <= tolerance:
        rounds = f"single precision itself is off by {abs(found.error):.2g}"
        return Reason.BOUND, f"A lower bound of the distance, {-difference:.4g} less, as in double; {rounds}."
    if found.gap > tolerance and abs(found.error) <= found.gap + tolerance:
        return Reason.LIMIT, f"{abs(difference):.4g} off: its bounds are still {found.gap:.4g} apart."
    return Reason.ROUNDING, f"{found.words}{_far_out(to, found)}"


def _by_the_normal(to: Reference, found: SingleAnswer, difference: float, tolerance: float) -> tuple[Reason, str]:
    """The number agrees; the normal may, or be as good, or cost some."""
    turned = angle(found.normal, to.analysis.normal)
    # Close to touching the direction is rounding's share of the distance: worth a word only if it costs some.
    if turned <= TURNED:
        return Reason.AGREES, f"Rounding: {abs(difference):.2g} apart." if difference else "The same number."
    if to.analysis.separation - found.proven > tolerance:
        return Reason.ROUNDING, found.words
    return Reason.TIE, f"Another normal, {degrees(turned):.3g}° away, is as good in single precision."


def _far_out(to: Reference, found: SingleAnswer) -> str:
    """A sentence more where rounding the positions alone explains the error."""
    scene = to.analysis.scene
    farthest = max(map(abs, (*scene.a.position, *scene.b.position)))
    step = float(np.spacing(np.float32(farthest)))
    if not AGREEMENT * to.scale.extent < step or abs(found.error) > 2.0 * step:
        return ""
    return f" Positions of {farthest:.3g} are {step:.3g} apart in single precision."
