"""The rows of the methods, in double and in single precision.

The methods are SAT, GJK and EPA, EPA alone, closed form, explicit hull, contact manifold. GJK, EPA and the manifold run
under the query's settings. In 2D the planes test comes after SAT, and the explicit hull is the polygon of the
difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees

import numpy as np
from msgspec import Struct

from ....analysis.algorithm_settings import DEFAULT_SETTINGS, SingleSettings, acting, changed_settings
from ....analysis.analysis import Analysis, gjk_epa_of
from ....closed_form import closed_form
from ....contact.policies.policy import BY_OVERLAP_REGION, ContactPolicy, refusal
from ....float32 import DoubleAnswer, SingleAnswer, analyse_single, farthest_coordinate, spacing_at
from ....geometry.tolerances import SUPPORT
from ....geometry.vec2 import raised
from ....geometry.vector import Array, angle, dots
from ....gjk.epa import EpaStop
from ....gjk.gjk import GjkStop
from ....minkowski.difference import has_difference
from ....minkowski.distance import nearest_boundary_point
from ....pair.cores import has_core
from ....query.query import GJK_EPA, Phase
from ....verdict import Certainty, Provenance, Sentence, formula, uncertified, verdict_of
from .row import (
    FLOAT32,
    FLOAT64,
    IN_SINGLE,
    LAST,
    TURNED,
    AnswerRow,
    Reason,
    Reference,
    ReferenceAnswer,
    off_by,
    silent,
)

BUILT = (("build", True),)
"""The setting under which the query has the steps that build the difference, with its value."""


class _Answer(Struct, frozen=True, eq=False):
    """A method's answer before it is judged.

    `slack`: an error that is allowed in addition to the tolerance, scene units. Other fields: see `AnswerRow`; `place`
    is its `phase` and `index`.
    """

    method: str
    separation: float
    normal: Array
    certainty: Certainty
    place: tuple[Phase | None, int]
    slack: float = 0.0
    iterations: int | None = None
    stop: str = ""
    needs: tuple[tuple[str, object], ...] = ()


def double_rows(to: Reference) -> Iterator[AnswerRow]:
    """Yields the rows of SAT, in 2D the planes test, GJK and EPA, EPA, closed form, explicit hull, manifold."""
    yield _sat(to)
    if to.analysis.polygon is not None:
        yield _planes_test(to)
    yield _gjk_and_epa(to)
    yield _epa(to)
    yield _closed_form(to)
    yield _explicit_hull(to)
    yield _manifold(to)


def _sat(to: Reference) -> AnswerRow:
    analysis, table = to.analysis, to.analysis.sat
    if not table.applies:
        return silent(
            "SAT",
            FLOAT64,
            analysis.beyond_limits or analysis.refused or "A curved body has infinitely many candidate axes.",
        )
    certainty = formula(table.separation, reached=table.exact)
    return _axis_judged(to, _Answer("SAT", table.separation, table.normal, certainty, to.sat_row(table.winner)))


def _planes_test(to: Reference) -> AnswerRow:
    test = to.analysis.planes
    if test is None:
        return silent("planes test", FLOAT64, "It needs two polygons: a circle or a border is round.")
    certainty = formula(test.gap, reached=test.gap <= 0.0)
    answer = _Answer("planes test", test.gap, raised(test.normal), certainty, to.plane_of(test.best.label))
    return _axis_judged(to, answer)


def _axis_judged(to: Reference, found: _Answer) -> AnswerRow:
    """The row of a separation along one of finitely many axes; for bodies apart it may be only a lower bound."""
    less = to.analysis.separation - found.separation
    if not (found.certainty.provenance is Provenance.BOUND and less > to.tolerance):
        return _judged(to, found)
    where = "corners" if to.analysis.polygon is not None else "corners or edges"
    lie = f"the closest points lie on {where}, and no candidate axis joins them."
    return _row(to, found, Reason.BOUND, Sentence(f"A lower bound of the distance, {{:.4g}} smaller: {lie}", (less,)))


NO_SUPPORT = "A half-space has no support points."


def _gjk_and_epa(to: Reference) -> AnswerRow:
    found = to.distance
    if found is None:
        return silent("GJK and EPA", FLOAT64, NO_SUPPORT)
    stop: str = found.gjk.stop
    last, iterations = Phase.GJK, found.gjk.iterations
    if found.epa is not None:
        last, iterations, stop = Phase.EPA, iterations + found.epa.iterations, found.epa.stop
    answer = _Answer(
        method="GJK and EPA",
        separation=found.separation,
        normal=found.normal,
        certainty=found.certainty,
        place=to.closing_place(last)[0],
        slack=_gap(found.certainty),
        iterations=iterations,
        stop=stop,
        needs=to.closing_place(last)[1],
    )
    return _judged(to, answer)


def _epa(to: Reference) -> AnswerRow:
    distance = to.distance
    if distance is None:
        return silent("EPA", FLOAT64, NO_SUPPORT)
    if distance.epa is None:
        return silent(
            "EPA", FLOAT64, "Not needed: the cores are apart, so GJK's distance minus the radii is the answer."
        )
    found = distance.epa
    certainty = found.certainty
    place, needs = to.closing_place(Phase.EPA)
    gap, iterations = _gap(certainty), found.iterations
    answer = _Answer("EPA", -found.depth, found.normal, certainty, place, gap, iterations, found.stop, needs)
    if found.stop is EpaStop.ORIGIN_OUTSIDE and -found.depth < to.analysis.separation - to.tolerance:
        less = to.analysis.separation + found.depth
        words = "EPA found the bodies apart: its number is a lower bound of the distance, {:.4g} smaller."
        return _row(to, answer, Reason.BOUND, Sentence(words, (less,)))
    return _judged(to, answer)


def _gap(certainty: Certainty) -> float:
    """The gap of a certified number, which is an allowed error; 0 for others. A bound's gap is given as a reason."""
    return certainty.gap if certainty.provenance is Provenance.CERTIFIED else 0.0


def _closed_form(to: Reference) -> AnswerRow:
    a, b = to.analysis.scene.a, to.analysis.scene.b
    found = closed_form(a, b)
    if found is None:
        kinds = [body.shape.word for body in (a, b)]
        first, second = (f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" for kind in kinds)
        return silent("closed form", FLOAT64, f"There is none for {first} and {second}.")
    return _judged(to, _Answer("closed form", found.separation, found.normal, formula(found.separation), (None, 0)))


def _explicit_hull(to: Reference) -> AnswerRow:
    analysis = to.analysis
    if analysis.polygon is not None:
        # In 2D the analysis takes its answer from this polygon.
        known = formula(analysis.separation)
        own = _Answer("explicit hull", analysis.separation, analysis.normal, known, (Phase.BUILD, LAST), needs=BUILT)
        return _judged(to, own)
    if analysis.difference is None:
        left_out = (
            analysis.beyond_limits or analysis.refused if has_difference(analysis.scene.a, analysis.scene.b) else ""
        )
        return silent("explicit hull", FLOAT64, left_out or "The difference of a curved body has no finite hull.")
    point = nearest_boundary_point(analysis.difference)
    # Without steps that build the difference, no step shows the hull.
    place, needs = ((Phase.BUILD, LAST), BUILT) if has_build(analysis) else ((None, 0), ())
    known = formula(point.separation)
    return _judged(to, _Answer("explicit hull", point.separation, point.normal, known, place, needs=needs))


def has_build(analysis: Analysis) -> bool:
    """Whether the query can build the difference step by step, which needs two cores."""
    solid, scene = analysis.difference, analysis.scene
    return solid is not None and solid.plane is None and has_core(scene.a) and has_core(scene.b)


CHOSEN = {2: "edges that it chooses itself", 3: "a face instead of the edges that decide"}
"""The features on which engines' rules build a manifold, in words, by dimension."""


def _manifold(to: Reference) -> AnswerRow:
    """The row of the contact manifold: its deepest contact's depth, along the manifold's own normal."""
    analysis, found = to.analysis, to.query.manifold
    scene, preference = analysis.scene, to.query.settings.preference
    if found is None:
        return silent("contact manifold", FLOAT64, refusal(preference, scene.a, scene.b))
    if not found.contacts:
        apart = analysis.separation > analysis.band
        why = "No contacts: the bodies are apart." if apart else f"The rule of {preference} keeps no point here."
        return silent("contact manifold", FLOAT64, why)
    depth = max(contact.depth for contact in found.contacts)
    # The depth's possible error: the contacts' own tolerance or, by clipping about the normal, SUPPORT times L.
    smaller = min(body.shape.bounding_radius for body in (scene.a, scene.b))
    slack = max(to.query.settings.contacts.witness * smaller, SUPPORT * to.scale.largest_radius)
    answer = _Answer("contact manifold", -depth, found.normal, formula(-depth), to.last(Phase.CONTACTS), slack)
    turned = angle(found.normal, analysis.normal) > TURNED
    differs = abs(-depth - analysis.separation) > to.tolerance + slack
    if preference not in (ContactPolicy.EXACT, *BY_OVERLAP_REGION) and (differs or turned):
        rule = f"The rule of {preference} builds it on {CHOSEN[scene.dimension]}: the deepest contact is "
        words = Sentence(rule) + off_by(depth + analysis.separation, "the depth") + Sentence(".")
        return _row(to, answer, Reason.SETTING, words)
    return _judged(to, answer)


def _judged(to: Reference, found: _Answer) -> AnswerRow:
    """The row of an answer, with the reason for its difference from the reference if it differs."""
    analysis = to.analysis
    difference = found.separation - analysis.separation
    if abs(difference) > to.tolerance + found.slack:
        return _row(to, found, *_why(to, found, difference))
    if angle(found.normal, analysis.normal) > TURNED:
        turned, proven = degrees(angle(found.normal, analysis.normal)), to.proven(found.normal)
        if abs(proven - analysis.separation) <= to.tolerance + found.slack:
            words = Sentence("Another normal, {:.3g}° away, is as good: the axes tie.", (turned,))
            return _row(to, found, Reason.TIE, words)
        words = Sentence("The normal is {:.3g}° off: along it the separation is {:.6g}.", (turned, proven))
        return _row(to, found, Reason.UNEXPLAINED, words)
    return _row(to, found, Reason.AGREES, _rounding("The same within rounding", difference))


def _rounding(words: str, difference: float) -> Sentence:
    """The sentence about a number that agrees with the reference."""
    return Sentence(f"{words}: {{:.2g}} apart.", (abs(difference),)) if difference else Sentence("The same number.")


def _why(to: Reference, found: _Answer, difference: float) -> tuple[Reason, Sentence]:
    off = off_by(difference)
    concerned = ("gjk", "epa", "rounded")
    settings = acting(to.query.settings, to.analysis.scene.dimension)
    changed = [setting for setting in changed_settings(settings) if setting.path.partition(".")[0] in concerned]
    if found.stop and changed and _defaults_agree(to):
        listed = ", ".join(f"{setting.name} {_shown(to, setting.value)}" for setting in changed)
        return Reason.SETTING, off + Sentence(f", because of a changed setting ({listed}): {found.stop}.")
    if found.stop in (GjkStop.ITERATION_LIMIT, EpaStop.ITERATION_LIMIT) or (
        found.certainty.provenance is Provenance.BOUND and abs(difference) <= found.certainty.gap + to.tolerance
    ):
        stopped = Sentence(f": it stopped with {found.stop}, its bounds {{:.4g}} apart.", (found.certainty.gap,))
        return Reason.LIMIT, off + stopped
    return Reason.UNEXPLAINED, off + Sentence(", beyond every tolerance: one of the two is wrong.")


def _shown(to: Reference, value: object) -> str:
    """A setting's value in words; a direction as its coordinates, two in 2D."""
    if not isinstance(value, tuple):
        return f"{value:g}" if isinstance(value, float) else str(value)
    numbers = value[: to.analysis.scene.dimension]
    return f"({', '.join(f'{number:g}' for number in numbers)})"


def _defaults_agree(to: Reference) -> bool:
    """Whether GJK and EPA return the reference's number under their default settings."""
    default = gjk_epa_of(to.analysis.scene)
    return abs(default.separation - to.analysis.separation) <= to.tolerance + default.certainty.gap


def _row(to: Reference, found: _Answer, reason: Reason, words: Sentence) -> AnswerRow:
    analysis = to.analysis
    phase, index = found.place
    return AnswerRow(
        method=found.method,
        precision=FLOAT64,
        reason=reason,
        words=words,
        verdict=verdict_of(found.separation, analysis.band),
        separation=found.separation,
        normal=found.normal,
        iterations=found.iterations,
        stop=found.stop,
        certainty=found.certainty,
        difference=found.separation - analysis.separation,
        turned=angle(found.normal, analysis.normal),
        phase=phase,
        index=index,
        needs=found.needs,
    )


SINGLE_AGREEMENT = 64.0 * 2.0**-23
"""The largest error of the algorithms' own rounding in single precision, as a share of L + |T|.

Tested in tests/core/float32/test_single_precision.py. A larger error comes from the rounding of positions far away, or
from lost digits.
"""

WHY_NOT = {
    "SAT": "Single precision has it for two polyhedra.",
    "EPA": "Single precision runs it together with GJK: see there.",
    "closed form": "Double only: single precision has spheres, boxes against spheres, and half-spaces.",
    "explicit hull": "Double only: the hull is found with doubles and exact signs.",
    "contact manifold": "Double only.",
}


def single_rows(to: Reference, doubles: tuple[AnswerRow, ...]) -> Iterator[AnswerRow]:
    """Yields one row in single precision for each of `doubles`, for the same methods in the same order."""
    settings, known = to.query.settings.single, known_doubles(to.analysis)
    found = analyse_single(to.analysis.scene, world_space=settings.world, away=settings.away, known=known)
    answers = {answer.algorithm: answer for answer in found.answers}
    for double in doubles:
        if not double.applies:
            yield silent(double.method, FLOAT32, str(double.words))
        elif double.method in answers:
            yield _single_row(to, answers[double.method], double)
        else:
            yield silent(double.method, FLOAT32, WHY_NOT[double.method])


def wrong_in_single(analysis: Analysis, settings: SingleSettings = DEFAULT_SETTINGS.single) -> SingleAnswer | None:
    """The first single-precision answer whose rounding changes its verdict, separation or normal; None without one.

    The order is that of `single_rows`. The rows themselves are not made: they take longer than these answers.
    """
    to = ReferenceAnswer.of(analysis)
    known = known_doubles(analysis)
    found = analyse_single(analysis.scene, world_space=settings.world, away=settings.away, known=known).answers
    # The closed form comes last, as in `single_rows`.
    ordered = sorted(found, key=lambda answer: answer.algorithm == "closed form")
    return next((answer for answer in ordered if _single_reason(to, answer)[0] is Reason.ROUNDING), None)


def known_doubles(analysis: Analysis) -> dict[str, DoubleAnswer]:
    """The answers in double precision that the analysis has, by algorithm."""
    known = {}
    if analysis.sat.applies:
        known["SAT"] = DoubleAnswer(analysis.sat.separation, analysis.sat.normal)
    if analysis.gjk_epa is not None and analysis.gjk_epa.result is not None:
        run = analysis.gjk_epa.result
        known["GJK and EPA"] = DoubleAnswer(run.separation, run.normal)
    return known


def _single_row(to: Reference, found: SingleAnswer, double: AnswerRow) -> AnswerRow:
    reason, words = _single_reason(to, found, to.query.settings.single.away)
    phase, index = double.phase, double.index
    if found.verdict is None:
        return AnswerRow(double.method, FLOAT32, reason, words, phase=phase, index=index, needs=double.needs)
    if phase is Phase.SAT:
        # The row of SAT's table whose axis is nearest to the normal in single precision.
        index = int(np.argmax(np.abs(dots(to.analysis.sat.axes, found.normal))))
    needs = double.needs
    if phase in GJK_EPA:
        # The step at which the runs in single and double precision first differ, in the steps of the former.
        needs, parted = IN_SINGLE, to.query.parted
        phase, index = (phase, LAST) if parted is None else (parted.phase, parted.index)
    bound = double.certainty is not None and double.certainty.provenance is Provenance.BOUND
    return AnswerRow(
        method=double.method,
        precision=FLOAT32,
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
        needs=needs,
    )


def _single_reason(to: ReferenceAnswer, found: SingleAnswer, away: float = 0.0) -> tuple[Reason, Sentence]:
    analysis = to.analysis
    if found.verdict is None:
        return Reason.NO_NUMBER, found.words
    difference = found.separation - analysis.separation
    tolerance = SINGLE_AGREEMENT * to.scale.extent + to.tolerance
    if found.verdict is not analysis.verdict and found.verdict is not found.double_verdict:
        return Reason.ROUNDING, found.words + _far_out(to, found, away)
    if abs(difference) <= tolerance:
        return _by_the_normal(to, found, difference, tolerance)
    if abs(found.error) <= tolerance:
        words = "A lower bound of the distance, {:.4g} smaller, as in double; single precision itself is off by {:.2g}."
        return Reason.BOUND, Sentence(words, (-difference, abs(found.error)))
    if found.gap > tolerance and abs(found.error) <= found.gap + tolerance:
        return Reason.LIMIT, Sentence("{:.4g} off: its bounds are still {:.4g} apart.", (abs(difference), found.gap))
    return Reason.ROUNDING, found.words + _far_out(to, found, away)


def _by_the_normal(
    to: ReferenceAnswer, found: SingleAnswer, difference: float, tolerance: float
) -> tuple[Reason, Sentence]:
    """The reason for an answer whose number agrees: its normal agrees, is as good, or proves less."""
    turned = angle(found.normal, to.analysis.normal)
    # Near touching, rounding turns the normal. This is an error only if the normal proves less.
    if turned <= TURNED:
        return Reason.AGREES, _rounding("Rounding", difference)
    if to.analysis.separation - found.proven > tolerance:
        return Reason.ROUNDING, found.words
    return Reason.TIE, Sentence("Another normal, {:.3g}° away, is as good in single precision.", (degrees(turned),))


def _far_out(to: ReferenceAnswer, found: SingleAnswer, away: float) -> Sentence:
    """A further sentence if the rounding of the positions alone explains the error, else an empty one."""
    farthest = farthest_coordinate(to.analysis.scene, away)
    step = spacing_at(farthest)
    if not SINGLE_AGREEMENT * to.scale.extent < step or abs(found.error) > 2.0 * step:
        return Sentence("")
    return Sentence(" Positions of {:.3g} are {:.3g} apart in single precision.", (farthest, step))
