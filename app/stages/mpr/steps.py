"""MPR's sub-steps: the portal, the ray, the support point and its use.

The sentences of the sub-steps also make up the text of a whole step.
"""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from core.geometry.vector import cross
from core.mpr import MprAction, MprResult, MprStep, MprStop
from core.query.query import Query

from ...words.axis_words import listed
from ...words.digits import MINUS, plain, told_together
from ...words.expression import Identifier, Norm, Product, equation, least, symbols
from ...words.formula import Formula
from ...words.names import numbered
from ..stage import At, Heading, SubStep, whole_text
from ..sub_step_drawing import SearchPictures
from ..word_parts import StepText, Stop, from_a, point_words, sentences
from .pictures import draw_corners, draw_difference, draw_known, draw_world, start_of


class _ActionWords(Struct, frozen=True):
    """The words of one action's steps: the title's end, the listing's line, the search direction, the reason."""

    title: str
    line: str
    direction: str
    why: str


_KINDS = {
    MprAction.CENTRE: _ActionWords(
        "the ray",
        "centre",
        "v₀ is the centre of A minus the centre of B.",
        "The centre of A minus that of B is inside A − B. If the origin is inside as well, the ray from v₀ passes it "
        "before it leaves A − B.",
    ),
    MprAction.FIRST: _ActionWords(
        "first corner",
        "first",
        "d points along the ray, from v₀ to the origin.",
        "No point of A − B is farther along d than w. If d·w is negative, the origin is outside.",
    ),
    MprAction.SECOND: _ActionWords(
        "second corner",
        "second",
        "d is at right angles to v₀ and v₁.",
        "v₀, v₁ and the origin are in one plane, and v₂ lies to one side of it.",
    ),
    MprAction.SWAP: _ActionWords(
        "exchange", "second", "", "With the corners in this order the portal's normal points away from v₀."
    ),
    MprAction.THIRD: _ActionWords(
        "third corner",
        "third",
        "d is at right angles to the plane of v₀, v₁ and v₂, on the origin's side.",
        "Three corners are a portal if the ray passes between them.",
    ),
    MprAction.REFINE: _ActionWords(
        "look for the origin",
        "replace",
        "The origin lies beyond the portal, whose normal is d.",
        "If the portal is beyond the origin, the origin is inside A − B. If not, w makes three smaller portals, and "
        "the ray passes through one of them.",
    ),
    MprAction.DEEPEN: _ActionWords(
        "go on to the surface",
        "replace",
        "The origin lies between v₀ and the portal, whose normal is d: the bodies overlap.",
        "The portal goes on along the ray until it lies on the surface of A − B.",
    ),
    MprAction.STOP: _ActionWords("stop", "", "", ""),
}


class StopWords(Struct, frozen=True):
    """A stop of MPR: the listing's line and the meaning. `good`: there is a verdict, and a depth if they overlap.

    False if the verdict is missing or unproved, or if the run was cut short.
    """

    line: str
    meaning: str
    good: bool = False


STOPS = {
    MprStop.SURFACE: StopWords(
        "near",
        "The portal lies on the surface of A − B, within the tolerance. Its distance from the origin is the depth.",
        good=True,
    ),
    MprStop.ON_RAY: StopWords(
        "in line",
        "v₀, the origin and v₁ are in line, within rounding. The ray leaves A − B at v₁, so |v₁| is the depth.",
        good=True,
    ),
    MprStop.TOUCHING: StopWords("in line", "v₁ is the origin, within rounding: the bodies touch.", good=True),
    MprStop.EXCLUDED: StopWords(
        "beyond", "The origin lies beyond the plane through w: the bodies are apart, and d proves it.", good=True
    ),
    MprStop.PLANE_AT_ORIGIN: StopWords(
        "beyond",
        "The plane through w passes through the origin, within rounding: the bodies touch or are apart.",
        good=True,
    ),
    MprStop.WITHIN_TOLERANCE: StopWords(
        "near",
        "The origin is beyond the portal, and w is farther out by no more than the tolerance. MPR says apart, but "
        "nothing proves it.",
    ),
    MprStop.FLAT_DIFFERENCE: StopWords("flat", "A − B has no volume: the ray has no inside to start from. No verdict."),
    MprStop.DEGENERATE_PORTAL: StopWords("give up", "The portal's normal cannot be found in double precision."),
    MprStop.ITERATION_LIMIT: StopWords("give up", "Stopped at the iteration limit."),
    MprStop.HALF_SPACE: StopWords(
        "no centre", "A half-space has no centre and no support points: MPR does not apply. No verdict."
    ),
    MprStop.SPACE_ONLY: StopWords(
        "no centre", "A portal is a triangle in space: MPR does not apply in the plane. No verdict."
    ),
}


def line_of(step: MprStep) -> str:
    """The listing's line at which a step ended."""
    return _KINDS[step.action].line if step.stop is None else STOPS[step.stop].line


def gave_up(step: MprStep) -> bool:
    """Whether the run ended with this step and without a verdict, with an unproved verdict, or before the surface."""
    return step.stop is not None and not STOPS[step.stop].good


def mpr_parts(at: At[MprStep]) -> tuple[SubStep, ...]:
    """The sub-steps of a step, as far as the step went."""
    step, line, formulas = at.step, line_of(at.step), _formulas(at)
    parts: list[SubStep] = []
    known = partial(draw_corners, points=step.points), partial(draw_known, points=step.points)
    after = partial(draw_corners, points=step.after), partial(draw_known, points=step.after)
    if len(step.points) > 1:
        parts.append(SubStep("portal", _portal_words(at), line, *known, heading=Heading.SO_FAR))
    if step.action is MprAction.CENTRE:
        parts.append(SubStep("origin-ray", _ray_words(step), line, *after, formulas))
    if step.support is not None:
        centre, (world, difference) = step.points[0], known
        search = SearchPictures(
            at=at,
            point=step.support,
            letter="d",
            line=line,
            world=world,
            difference=difference,
            named=step.points,
            start=start_of(step.points),
        )
        parts.append(search.direction("origin-ray", _KINDS[step.action].direction, line, (centre.a, centre.b)))
        parts += search.parts(formulas)
        if step.stop is None and step.placed is not None:
            deeper = step.action in (MprAction.REFINE, MprAction.DEEPEN)
            parts.append(SubStep("refine" if deeper else "discover", _placed_words(step, step.placed), line, *after))
        if step.inside and step.value is not None and step.value > 0.0:
            depth = f"A − B reaches {plain(step.value)} along d, so the depth is at most that."
            parts.append(search.reached("depth", depth, line))
    if step.action is MprAction.SWAP:
        swapped = "v₁ and v₂ are exchanged, so that the plane's normal points to the origin's side."
        parts.append(SubStep("discover", swapped, line, *after))
    if step.stop is not None:
        whole = partial(draw_world, step=step), partial(draw_difference, step=step)
        parts.append(SubStep("stop", STOPS[step.stop].meaning, line, *whole, heading=Heading.RESULT))
    return tuple(parts)


def mpr_text(at: At[MprStep]) -> StepText:
    """The text of one step: the sentences of its sub-steps, and the reason."""
    step, kind = at.step, _KINDS[at.step.action]
    begun = "The ray starts at v₀." if step.points else ""
    stop = None
    if step.stop is not None:
        meaning = sentences(STOPS[step.stop].meaning, _answer(at.query, at.result))
        stop = Stop(step.stop.value, meaning, STOPS[step.stop].good)
    return whole_text(
        mpr_parts(at),
        title=f"MPR, step {at.of}: {kind.title}",
        known="So far nothing is known." if step.action is MprAction.CENTRE else begun,
        why=sentences(kind.why, from_a(at.query) if step.action is MprAction.CENTRE else ""),
        stop=stop,
    )


def _portal_words(at: At[MprStep]) -> str:
    """The sentences on the corners known before the step, and on the bound of the depth."""
    step, before = at.step, at.before
    corners = [point_words(at.query.analysis.scene, "v", number, point) for number, point in enumerate(step.points)]
    upper = None if before is None else before.upper
    return sentences(
        f"The ray starts at v₀. {'Corner' if len(corners) == 2 else 'Corners'} known: {listed(corners[1:])}.",
        "The origin is inside A − B." if before is not None and upper is not None and before.inside else "",
        f"The depth is at most {plain(upper)}." if upper is not None and upper >= 0.0 else "",
    )


def _ray_words(step: MprStep) -> str:
    start = _KINDS[MprAction.CENTRE].direction
    if step.nudge is None:
        return f"{start} The ray goes from there through the origin."
    return f"{start} Both coincide, so v₀ is moved by {plain(step.nudge[0])} along x: the ray needs a direction."


def _placed_words(step: MprStep, placed: int) -> str:
    """The sentence on the corner that the support point becomes."""
    name = numbered("v", placed)
    if step.action in (MprAction.REFINE, MprAction.DEEPEN):
        return f"Of the three triangles at w the ray passes through the one without {name}: w replaces {name}."
    if placed < len(step.points):
        return f"The ray misses the triangle with w: w replaces {name}."
    passes = " The ray passes between v₁, v₂ and v₃: this triangle is the portal." if placed == 3 else ""
    return f"w becomes {name}.{passes}"


def _answer(query: Query, found: MprResult | None) -> str:
    """The sentences that compare MPR's depth with the least depth, or warn of an overlap that MPR may miss; else "".

    MPR's depth may be below the least depth, because the portal lies up to the tolerance inside A - B. `found`: the
    run's result, None if it has none.
    """
    if found is None or found.upper is None:
        return ""
    least_depth = -query.analysis.separation
    if found.depth is not None:
        told, upper, nearest = told_together(found.depth, found.upper, least_depth)
        depth = f"MPR's depth is {told}. Its planes prove that the least depth is at most {upper}."
        if found.depth <= least_depth * (1.0 + 1e-4):
            return f"{depth} Here it is the least depth, within the tolerance."
        return (
            f"{depth} The least depth is {nearest}: the surface of A {MINUS} B is nearer to the origin elsewhere "
            "than where the ray leaves it."
        )
    if found.stop is MprStop.WITHIN_TOLERANCE:
        missed = f" They do overlap, by {plain(least_depth)}." if least_depth > query.analysis.band else ""
        return f"An overlap of up to {plain(found.upper)} would be missed.{missed}"
    return ""


_D, _W, _A, _B, _V0, _V1, _NUDGE = symbols("d w a b v_0 v_1 ε")
_ACROSS, _UPPER = Product(_V0, "×", _W), Identifier("upper")


def _formulas(at: At[MprStep]) -> tuple[Formula, ...]:
    step, before = at.step, at.before
    if step.action is MprAction.CENTRE:
        centre = step.after[0]
        if step.nudge is None:
            return (Formula.of(equation(_V0, _A - _B), centre.w, {_A: centre.a, _B: centre.b}),)
        return (Formula.of(equation(_V0, _A - _B + _NUDGE), step.nudge, lying=True),)
    if step.support is None or step.direction is None or step.value is None:
        return ()
    found = [Formula.of(_D @ _W, step.value, {_D: step.direction, _W: step.support.w})]
    if step.action is MprAction.FIRST:
        across = cross(step.points[0].w, step.support.w)
        size = next(test.value for test in step.tests if test.name == "|v0 × w|")
        found.append(Formula.of(Norm(_ACROSS), size, {_ACROSS: across}))
    if len(step.points) == 4:
        corner = step.points[1].w
        reach = next(test.value for test in step.tests if test.name == "d·v1")
        found.insert(0, Formula.of(_D @ _V1, reach, {_D: step.direction, _V1: corner}))
    if before is not None and before.upper is not None and step.upper is not None:
        values = {_UPPER: before.upper, _D @ _W: step.value}
        found.append(Formula.of(equation(_UPPER, least(_UPPER, _D @ _W)), step.upper, values))
    return tuple(found)
