"""Steps that only the plane has in words: the planes test, the article's GJK with its slip, EPA's polygon."""

from __future__ import annotations

import numpy as np

from core.geometry.vec2 import Vec2, dot, sub
from core.geometry.vector import Array
from core.gjk.article_gjk import ArticleStep, ArticleStop, EdgeTest
from core.gjk.plane_epa import EpaPolygonStep
from core.minkowski.plane import pair_name
from core.pair.plane_cores import PlanePair
from core.pair.support import DifferencePoint
from core.query.query import Moment, Phase, Query
from core.sat.planes_test import PlaneStep
from core.shapes import ball_radius
from core.trace import PlanarStep
from core.verdict import Verdict

from ..words.axis_words import MINUS, listed, plain
from ..words.terms import terms_of
from .epa.words import STOPS as EPA_STOPS
from .epa.words import depth_before, lower_formula, upper_formula
from .listings import line_of
from .word_parts import (
    Formula,
    StepText,
    Stop,
    counted,
    difference_formula,
    dot_formula,
    from_a,
    numbered,
    own_step_before,
    radius_note,
    row,
    sentences,
    tex_row,
)

_SIMPLICES = ("", "a point", "a segment", "a triangle")


def planar_text(query: Query, moment: Moment, step: PlanarStep) -> StepText:
    """Words about a step that only the plane has."""
    match step:
        case PlaneStep():
            return _planes(query, moment, step)
        case ArticleStep():
            return _article(query, moment, step)
        case EpaPolygonStep():
            return _epa(query, moment, step)
        case _:
            raise TypeError(f"{type(step).__name__} has no words")


def _vector(point: Vec2) -> Array:
    return np.array(point)


def letters(query: Query, point: DifferencePoint) -> str:
    """`BE`: the vertices of A and B that a point of the difference comes from, as in its table.

    Of an arc `w₃`, by the step of the article's GJK that found it.
    """
    if point.vertex_a < 0 or point.vertex_b < 0:
        steps = (moment.step for moment in query.moments)
        found_by = (step.number for step in steps if isinstance(step, ArticleStep) and step.support == point)
        return numbered("w", next(found_by, None))
    difference = query.analysis.polygon
    assert difference is not None
    counts = (1 + core.listed_numbers[-1] for core in (difference.core_a, difference.core_b))
    return pair_name(point.vertex_a, point.vertex_b, *counts)


def _tex_letters(name: str) -> str:
    """`letters` as TeX."""
    if not name.startswith("w"):
        return rf"\mathit{{{name}}}"
    return f"w_{{{''.join(str(ord(digit) - ord('₀')) for digit in name[1:])}}}"


def _source(query: Query, point: DifferencePoint) -> str:
    scene = query.analysis.scene
    names = []
    for letter, body, vertex in (("A", scene.a, point.vertex_a), ("B", scene.b, point.vertex_b)):
        point_of = f"v{vertex}" if ball_radius(body.shape) is None else "centre"
        names.append(f"{letter}.{point_of}" if vertex >= 0 else letter)
    return f"{names[0]} {MINUS} {names[1]}"


# The planes test.


def _planes(query: Query, moment: Moment, step: PlaneStep) -> StepText:
    other = "BA"[step.body]
    least = f"{other}.v{step.nearest}"
    if step.verdict is Verdict.SEPARATED:
        decided = f"All of {other} is in front, {least} the least, by {plain(step.gap)}: this line parts them."
    elif step.verdict is Verdict.TOUCHING:
        decided = f"No point of {other} is behind; {least} is on the line, within the band of rounding."
    else:
        decided = f"{least} is behind by {plain(-step.gap)}, so this line does not part them."
    return StepText(
        title=f"Planes test, edge {moment.index + 1} of {moment.count}: {step.label}",
        known=f"{step.label}, whose first end is e, gives a line; in front of it is the side on which "
        f"{'AB'[step.body]} is not.",
        decided=decided,
        why="Two convex polygons overlap unless some edge's line of one has all points of the other in front. The "
        "article takes a point on the line for one in front, and so calls touching apart.",
        formulas=(
            Formula("n", f"n = {tex_row(step.plane.normal)}", f"n = {row(step.plane.normal)}"),
            dot_formula(
                r"\min_p\; n\cdot(p - e)",
                f"n·({least} {MINUS} e)",
                rf"n\cdot(\mathrm{{{least}}} - e)",
                (_vector(step.plane.normal), _from_edge(query, step)),
                step.gap,
            ),
        ),
        stop=_planes_stop(query, moment),
        line=line_of(moment),
    )


def _from_edge(query: Query, step: PlaneStep) -> Array:
    """The way (2,) from the edge's first end e to the corner that is least in front."""
    scene = query.analysis.scene
    pair = PlanePair.of(scene.a, scene.b)
    own, other = (pair.a, pair.b) if step.body == 0 else (pair.b, pair.a)
    return _vector(sub(other.corner(step.nearest), own.edge(step.edge)[0]))


def _planes_stop(query: Query, moment: Moment) -> Stop | None:
    found = query.analysis.planes
    if not moment.last or found is None:
        return None
    if found.verdict is Verdict.SEPARATED:
        words = f"{found.first} parts them first; the widest gap, {plain(found.gap)}, is at {found.best.label}."
    elif found.verdict is Verdict.TOUCHING:
        words = f"At {found.best.label} no point is behind, and none is in front by more than the band."
    else:
        words = f"No edge's line parts them. The least depth is {plain(-found.gap)}, at {found.best.label}."
    return Stop(found.verdict.value, words, True)


# The article's GJK.


def _article(query: Query, moment: Moment, step: ArticleStep) -> StepText:
    name = letters(query, step.support)
    older = [letters(query, point) for point in step.simplex[1:]]
    known = f"The simplex: {listed(older)}, the newest first." if older else "The simplex is empty."
    found = f"Farthest along {row(step.direction)} lies {name} = {row(step.support.xy)}."
    return StepText(
        title=f"The article's GJK, step {step.number} of {moment.count}: {_SIMPLICES[len(step.simplex)]}",
        known=sentences(known, f"The direction is {row(step.direction)}, of any length."),
        decided=sentences(found, _article_next(query, step)),
        why=sentences(_article_why(step), _slip_words(query, step), from_a(query)),
        formulas=_article_formulas(query, step),
        stop=_article_stop(query, step),
        line=line_of(moment),
    )


def _article_next(query: Query, step: ArticleStep) -> str:
    if step.stop is not None:
        return ""
    kept = [letters(query, point) for point in step.kept]
    assert step.next_direction is not None
    stays = "" if len(kept) == len(step.simplex) else f"{listed(kept)} stay. "
    return f"{stays}Next direction {row(step.next_direction)}."


def _article_why(step: ArticleStep) -> str:
    if step.number == 1:
        return "The second support is sought straight against the first direction."
    if step.stop is ArticleStop.NOT_PAST_ORIGIN:
        return (
            "The support does not pass the origin, says the article, so they do not meet. Touching ends here as well."
        )
    if len(step.simplex) == 2:
        turned = (
            " It was turned round, its product with the way to the origin being 0 or less."
            if step.tests[0].turned_round
            else ""
        )
        return f"The perpendicular is the segment's, turned right, on the origin's side.{turned}"
    return "Each edge at the newest point is asked whether the origin is beyond it."


def _slip_words(query: Query, step: ArticleStep) -> str:
    """What the article has printed here, where the scene is its own example."""
    from core.articles.worked_example import slips_about

    slips = [slip for slip in slips_about(query.analysis.scene) if slip.step == step.number]
    return sentences(
        *(f"The article prints {row(slip.printed)} here: a slip. {slip.why.replace('-', MINUS)}" for slip in slips)
    )


def _article_formulas(query: Query, step: ArticleStep) -> tuple[Formula, ...]:
    name = letters(query, step.support)
    point = step.support
    made = difference_formula("w = a - b", (name, _tex_letters(name)), point.a[:2], point.b[:2])
    if step.number == 1:
        return (made,)
    passed = dot_formula(
        r"w\cdot d",
        f"{name}·d",
        rf"{_tex_letters(name)}\cdot d",
        (_vector(point.xy), _vector(step.direction)),
        step.product,
    )
    return (made, passed, *(_test_formula(query, test) for test in step.tests))


def _test_formula(query: Query, test: EdgeTest) -> Formula:
    name = f"{letters(query, test.start)}{letters(query, test.end)}"
    way = _vector((0.0 - test.start.xy[0], 0.0 - test.start.xy[1]))
    return dot_formula(r"n\cdot(0 - w)", f"{name}: n·(−w)", r"n\cdot(-w)", (_vector(test.direction), way), test.product)


def _article_stop(query: Query, step: ArticleStep) -> Stop | None:
    meaning = {
        ArticleStop.ENCLOSED: "The origin is beyond no edge of the triangle, inside or on it: they meet.",
        ArticleStop.NOT_PAST_ORIGIN: "w·d is not above 0: they do not meet, says the article. Where they touch, that "
        "depends on the path taken.",
        ArticleStop.ITERATION_LIMIT: "It runs in circles, and has no answer.",
    }
    if step.stop is None:
        return None
    ours = sum(moment.phase is Phase.GJK for moment in query.moments)
    beside = f" Our GJK, after it, takes {counted(ours, 'step')}, and knows bounds of the distance as well."
    return Stop(step.stop.value, meaning[step.stop] + beside, step.stop is ArticleStop.ENCLOSED)


# EPA.


def _epa(query: Query, moment: Moment, step: EpaPolygonStep) -> StepText:
    if step.nearest is None or step.support is None:
        return _hand_over(query, moment, step)
    before = own_step_before(query, moment, EpaPolygonStep)
    ends = f"{numbered('p', step.nearest.start)} and {numbered('p', step.nearest.end)}"
    grown = (
        f"The support along its normal, {_source(query, step.support)}, goes between them."
        if step.stop is None
        else "The support along its normal ends the search."
    )
    return StepText(
        title=f"EPA, step {moment.index + 1} of {moment.count}: " + ("expand" if step.stop is None else "stop"),
        known=f"A polygon of {counted(len(step.edges), 'edge')} within A − B. {depth_before(before)}",
        decided=f"The edge from {ends} is nearest the origin, at {plain(step.nearest.offset)}. {grown}",
        why=sentences(
            "The nearest edge bounds the depth from below; moving B by n·w along n parts the bodies, which bounds it "
            "from above. The plane needs no horizon.",
            radius_note(query),
        ),
        formulas=_epa_formulas(before, step),
        stop=_epa_stop(query, step),
        line=line_of(moment),
    )


def _hand_over(query: Query, moment: Moment, step: EpaPolygonStep) -> StepText:
    corners = [f"{numbered('p', k)} = {_source(query, point)}" for k, point in enumerate(step.vertices)]
    added, newest = len(step.vertices) - step.given, len(step.vertices) - 1
    point, name = step.vertices[newest], rf"p_{{{newest}}}"
    return StepText(
        title=f"EPA, step {moment.index + 1} of {moment.count}: " + ("hand-over" if step.stop is None else "stop"),
        known=f"GJK ended without a distance, and left {counted(step.given, 'point')} to begin with.",
        decided=f"{'No point' if not added else counted(added, 'point')} added: {listed(corners)}.",
        why=sentences("EPA grows a polygon, so it begins with three points that are not on one line.", from_a(query)),
        formulas=(difference_formula(f"{name} = a - b", (numbered("p", newest), name), point.a[:2], point.b[:2]),),
        stop=_epa_stop(query, step),
        line=line_of(moment),
    )


def _epa_formulas(before: EpaPolygonStep | None, step: EpaPolygonStep) -> tuple[Formula, ...]:
    assert step.nearest is not None
    assert step.support is not None
    assert step.closest is not None
    assert step.upper is not None
    start, offset = step.nearest.start, step.nearest.offset
    normal, value = _vector(step.nearest.normal), dot(step.nearest.normal, step.support.xy)
    symbol, corner = rf"n\cdot p_{{{start}}}", _vector(step.vertices[start].xy)
    return (
        Formula("n", f"n = {tex_row(normal)}", f"n = {row(normal)}"),
        dot_formula(symbol, f"n·{numbered('p', start)}", symbol, (normal, corner), offset),
        *lower_formula(offset, step.closest[:2]),
        dot_formula(r"n\cdot w", "n·w", r"n\cdot w", (normal, _vector(step.support.xy)), value),
        upper_formula(None if before is None else before.upper, value, step.upper),
    )


def _epa_stop(query: Query, step: EpaPolygonStep) -> Stop | None:
    if step.stop is None:
        return None
    result = None if query.distance is None else query.distance.epa
    meaning = terms_of(2).said(EPA_STOPS[step.stop])
    if result is not None:
        meaning += f" Depth {plain(result.depth)}, to within {plain(result.gap)}."
    return Stop(step.stop.value, meaning, result is None or result.certified)
