"""MPR in words: the ray, the portal's corners, which of them the new point replaces, and what the depth is worth."""

from __future__ import annotations

from core.geometry.vector import cross
from core.mpr import MprAction, MprResult, MprStep, MprStop
from core.query.query import Query

from ...words.axis_words import listed
from ...words.digits import MINUS, plain, told_together
from ...words.expression import Length, Product, Word, equation, least, symbols
from ...words.formula import Formula
from ...words.names import numbered
from ..stage import At
from ..word_parts import StepText, Stop, found_words, from_a, point_words, sentences

STOPS = {
    MprStop.SURFACE: "The portal lies on the surface of A − B, within the tolerance. Its distance from the origin "
    "is the depth.",
    MprStop.ON_RAY: "v₀, the origin and v₁ are in line, within rounding. The ray leaves A − B at v₁, so |v₁| is the "
    "depth.",
    MprStop.TOUCHING: "v₁ is the origin, within rounding: the bodies touch.",
    MprStop.EXCLUDED: "The origin lies beyond the plane through w: the bodies are apart, and d proves it.",
    MprStop.PLANE_AT_ORIGIN: "The plane through w passes through the origin, within rounding: the bodies touch or "
    "are apart.",
    MprStop.WITHIN_TOLERANCE: "The origin is beyond the portal, and w is farther out by no more than the tolerance. "
    "MPR says apart, but nothing proves it.",
    MprStop.FLAT_DIFFERENCE: "A − B has no volume: the ray has no inside to start from. No verdict.",
    MprStop.DEGENERATE_PORTAL: "The portal's normal cannot be found in double precision.",
    MprStop.ITERATION_LIMIT: "Stopped at the iteration limit.",
    MprStop.HALF_SPACE: "A half-space has no centre and no support points: MPR does not apply. No verdict.",
    MprStop.SPACE_ONLY: "A portal is a triangle in space: MPR does not apply in the plane. No verdict.",
}
"""What each way out means."""

GOOD_STOPS = (MprStop.SURFACE, MprStop.ON_RAY, MprStop.TOUCHING, MprStop.EXCLUDED, MprStop.PLANE_AT_ORIGIN)

_TITLES = {
    MprAction.CENTRE: "the ray",
    MprAction.FIRST: "first corner",
    MprAction.SECOND: "second corner",
    MprAction.SWAP: "exchange",
    MprAction.THIRD: "third corner",
    MprAction.REFINE: "look for the origin",
    MprAction.DEEPEN: "go on to the surface",
    MprAction.STOP: "stop",
}

_WAYS = {
    MprAction.FIRST: "d points from v₀ to the origin.",
    MprAction.SECOND: "d is perpendicular to v₀ and v₁.",
    MprAction.THIRD: "d is perpendicular to the plane of v₀, v₁ and v₂, on the origin's side.",
    MprAction.REFINE: "The origin is beyond the portal, whose normal is d.",
    MprAction.DEEPEN: "The origin is not beyond the portal, whose normal is d.",
}
"""Along which direction each step searches."""

_WHY = {
    MprAction.CENTRE: "The centre of A minus that of B is inside A − B. If the origin is inside as well, the ray "
    "from v₀ passes it before it leaves A − B.",
    MprAction.FIRST: "No point of A − B is farther along d than w. If d·w is negative, the origin is outside.",
    MprAction.SECOND: "v₀, v₁ and the origin are in one plane, and v₂ lies to one side of it.",
    MprAction.SWAP: "With the corners in this order the portal's normal points away from v₀.",
    MprAction.THIRD: "Three corners are a portal if the ray passes between them.",
    MprAction.REFINE: "If the portal is beyond the origin, the origin is inside A − B. If not, w makes three smaller "
    "portals, and the ray passes through one of them.",
    MprAction.DEEPEN: "The bodies overlap. The portal goes on along the ray until it lies on the surface of A − B.",
    MprAction.STOP: "",
}


def mpr_text(at: At[MprStep]) -> StepText:
    """Words about one step."""
    query, step, before = at.query, at.step, at.before
    bounds = ""
    if before is not None and before.upper is not None:
        bounds = "The origin is inside A − B. " if before.inside else ""
        bounds += f"So far the depth is at most {plain(before.upper)}." if before.upper >= 0.0 else ""
    return StepText(
        title=f"MPR, step {at.of}: {_TITLES[step.action]}",
        known=sentences(_points_words(query, step), bounds),
        decided=sentences(_found_words(query, step), _kept_words(step)),
        why=sentences(_WHY[step.action], from_a(query) if step.action is MprAction.CENTRE else ""),
        formulas=_formulas(at),
        stop=_stop(at),
    )


def _points_words(query: Query, step: MprStep) -> str:
    if not step.points:
        return "So far nothing is known." if step.action is MprAction.CENTRE else ""
    corners = [
        point_words(query.analysis.scene, "v", number, point) for number, point in enumerate(step.points) if number
    ]
    if not corners:
        return "The ray starts at v₀."
    are = "corner is" if len(corners) == 1 else "corners are"
    return f"The ray starts at v₀, and the {are} {listed(corners)}."


def _found_words(query: Query, step: MprStep) -> str:
    """What was sought and found."""
    if step.action is MprAction.CENTRE:
        start = "v₀ is the centre of A minus the centre of B."
        if step.nudge is None:
            return f"{start} The ray goes from there through the origin."
        return f"{start} Both coincide, so v₀ is moved by {plain(step.nudge[0])} along x: the ray needs a direction."
    if step.action is MprAction.SWAP:
        return "v₁ and v₂ are exchanged."
    if step.support is None:
        return ""
    return f"{_WAYS[step.action]} The support point along d is {found_words(query, step.support)}."


def _kept_words(step: MprStep) -> str:
    """What became of the support point."""
    if step.support is None or step.stop is not None or step.placed is None:
        return ""
    name = numbered("v", step.placed)
    if step.placed >= len(step.points):
        passes = " The ray passes between v₁, v₂ and v₃: a portal." if step.action is MprAction.THIRD else ""
        return f"It becomes {name}.{passes}"
    if step.action is MprAction.THIRD:
        return f"The ray misses the triangle, so w replaces {name}."
    return f"The ray passes through the smaller portal without {name}, so w replaces it."


def _stop(at: At[MprStep]) -> Stop | None:
    stop, found = at.step.stop, at.result
    if stop is None:
        return None
    answer = "" if found is None else _answer(at.query, found)
    return Stop(stop.value, sentences(STOPS[stop], answer), stop in GOOD_STOPS)


def _answer(query: Query, found: MprResult) -> str:
    """MPR's number beside the least depth, and why they differ.

    It may be below: the portal is inside A - B, by up to the tolerance.
    """
    least = -query.analysis.separation
    if found.depth is not None and found.upper is not None:
        told, upper, nearest = told_together(found.depth, found.upper, least)
        depth = f"MPR's depth is {told}. Its planes prove that the least depth is at most {upper}."
        if found.depth <= least * (1.0 + 1e-4):
            return f"{depth} Here it is the least depth, within the tolerance."
        return (
            f"{depth} The least depth is {nearest}: the surface of A {MINUS} B is nearer to the origin elsewhere "
            "than where the ray leaves it."
        )
    if found.stop is MprStop.WITHIN_TOLERANCE and found.upper is not None:
        missed = f" They do overlap, by {plain(least)}." if least > query.analysis.band else ""
        return f"An overlap of up to {plain(found.upper)} would be missed.{missed}"
    return ""


_D, _W, _A, _B, _V0, _V1, _NUDGE = symbols("d w a b v_0 v_1 ε")
_ACROSS, _UPPER = Product(_V0, "×", _W), Word("upper")


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
        found.append(Formula.of(Length(_ACROSS), size, {_ACROSS: across}))
    if len(step.points) == 4:
        corner = step.points[1].w
        reach = next(test.value for test in step.tests if test.name == "d·v1")
        found.insert(0, Formula.of(_D @ _V1, reach, {_D: step.direction, _V1: corner}))
    if before is not None and before.upper is not None and step.upper is not None:
        values = {_UPPER: before.upper, _D @ _W: step.value}
        found.append(Formula.of(equation(_UPPER, least(_UPPER, _D @ _W)), step.upper, values))
    return tuple(found)
