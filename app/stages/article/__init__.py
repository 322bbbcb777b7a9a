"""The stage of the article's GJK in the plane, as printed: a yes-or-no test by perpendiculars.

If the scene is the article's worked example, the texts point out the misprint in its numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, length, unit
from core.gjk.article_gjk import ArticleStep, ArticleStop, EdgeTest
from core.gjk.gjk import GjkStep
from core.minkowski.plane import pair_name
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...draw.draw_list import DrawList, Hidden
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.flat_shapes import outwards
from ...overlays.style import PLAIN
from ...state.prediction import CurrentQuestion, QuestionKind
from ...words.axis_words import listed
from ...words.digits import MINUS, signed
from ...words.expression import Identifier, Node, Numeral, Said, equation, symbols
from ...words.formula import Formula, Values
from ...words.names import difference_name, lettered, numbered
from ..stage import AlgorithmListing, At, Leaving, Stage, StepQuestions, SupportSearch, given, steps_of
from ..step_drawing import ARROW_LENGTH, CORNER_WORDS, draw_arrow, draw_sources, spread_out
from ..word_parts import SIMPLICES, StepText, Stop, counted, from_a, sentences, vector_text

_ANSWERS = {
    ArticleStop.ENCLOSED: "overlap",
    ArticleStop.NOT_PAST_ORIGIN: "no overlap",
    ArticleStop.ITERATION_LIMIT: "no answer",
}
"""The article's answer, the title of its last step."""


def article_text(at: At[ArticleStep]) -> StepText:
    """The text of a step: its support point and the next direction."""
    query, step = at.query, at.step
    name = point_name(query, step.support)
    older = [point_name(query, point) for point in step.simplex[1:]]
    known = f"The simplex: {listed(older)}, the newest first." if older else "The simplex is empty."
    found = f"The support point along {vector_text(step.direction)} is {name} = {vector_text(step.support.xy)}."
    title = SIMPLICES[len(step.simplex)] if step.stop is None else _ANSWERS[step.stop]
    return StepText(
        title=f"A published GJK, step {step.number} of {at.moment.count}: {title}",
        known=sentences(known, f"The direction is {vector_text(step.direction)}, of any length."),
        decided=sentences(found, _next_words(query, step)),
        why=sentences(_why(step), _slip_words(query, step), from_a(query)),
        formulas=_formulas(query, step),
        stop=_stop(query, step),
    )


def _next_words(query: Query, step: ArticleStep) -> str:
    if step.stop is not None:
        return ""
    kept = [point_name(query, point) for point in step.kept]
    stays = "" if len(kept) == len(step.simplex) else f"{listed(kept)} stay. "
    return f"{stays}Next direction {vector_text(given(step.next_direction))}."


def _why(step: ArticleStep) -> str:
    if step.number == 1:
        return "The second direction is the opposite of the first."
    if step.stop is ArticleStop.NOT_PAST_ORIGIN:
        return (
            "The support point does not pass the origin, so the article answers: no overlap. Touching bodies can "
            "end here as well."
        )
    if len(step.simplex) == 2:
        turned = "It was reversed, because its dot product with the direction to the origin was not positive."
        words = "d is perpendicular to the segment, on the origin's side."
        return sentences(words, turned if step.tests[0].turned_round else "")
    return "For each edge at the newest point, the article tests whether the origin is beyond it."


def _slip_words(query: Query, step: ArticleStep) -> str:
    """The sentences on the article's misprint at this step; "" unless the scene is its worked example."""
    from core.study.articles.plane import slips_about

    slips = [slip for slip in slips_about(query.analysis.scene) if slip.step == step.number]
    return sentences(
        *(
            f"The article prints {vector_text(slip.printed)} here: a slip. {slip.why.replace('-', MINUS)}"
            for slip in slips
        )
    )


_W, _A, _B, _D, _N = symbols("w a b d n")
_ORIGIN = Numeral("0", None, 0.0)


def _formulas(query: Query, step: ArticleStep) -> tuple[Formula, ...]:
    name, point = _in_formula(query, step.support), step.support
    made = Formula.of(equation(_W, _A - _B), point.w[:2], {_A: point.a[:2], _B: point.b[:2]}, name=name)
    if step.number == 1:
        return (made,)
    found = [made, Formula.of(_W @ _D, step.product, {_W: point.xy, _D: step.direction}, name=name @ _D)]
    for test in step.tests:
        product = Said(f"{edge_name(query, test.start, test.end)}: ", _N @ -_W)
        away = _ORIGIN - _W
        values: Values = {_N: test.direction, away: 0.0 - np.array(test.start.xy)}
        found.append(Formula.of(_N @ away, test.product, values, name=product))
    return tuple(found)


def _stop(query: Query, step: ArticleStep) -> Stop | None:
    meaning = {
        ArticleStop.ENCLOSED: "The origin is beyond no edge, so it is inside the triangle or on it: the answer is "
        "an overlap.",
        ArticleStop.NOT_PAST_ORIGIN: "w·d is not above 0, so the article answers: no overlap. If the bodies touch, "
        "its answer depends on the path taken.",
        ArticleStop.ITERATION_LIMIT: "It repeats itself and gives no answer.",
    }
    if step.stop is None:
        return None
    ours = len(steps_of(query, GjkStep))
    beside = f" Our GJK, shown next, takes {counted(ours, 'step')} and also bounds the distance."
    return Stop(step.stop.value, meaning[step.stop] + beside, step.stop is ArticleStop.ENCLOSED)


def point_name(query: Query, point: DifferencePoint) -> str:
    """`a₁ − b₂`: a point of the difference by its vertices; in the worked example `BE`, as in the article's table.

    A point with a source on an arc is `w₃`, by the number of the step that found it.
    """
    if point.vertex_a < 0 or point.vertex_b < 0:
        found_by = (step.number for _, step in steps_of(query, ArticleStep) if step.support == point)
        return numbered("w", next(found_by, None))
    if not lettered(query.analysis.scene):
        return difference_name(query.analysis.scene, point)
    difference = given(query.analysis.polygon)
    counts = (1 + core.listed_numbers[-1] for core in (difference.core_a, difference.core_b))
    return pair_name(point.vertex_a, point.vertex_b, *counts)


def edge_name(query: Query, start: DifferencePoint, end: DifferencePoint) -> str:
    """An edge of the triangle by its ends: `a₁ − b₂ to a₀ − b₁`, in the worked example `BEAD`."""
    return f"{point_name(query, start)}{'' if lettered(query.analysis.scene) else ' to '}{point_name(query, end)}"


def _in_formula(query: Query, point: DifferencePoint) -> Node:
    """A point in a formula, where it is the newest: `w`, in the worked example its letters."""
    return Identifier(point_name(query, point)) if lettered(query.analysis.scene) else _W


def draw_difference(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """Draws the simplex with its letters, the perpendiculars that the step tests, and the next direction."""
    assert context.query is not None
    theme, corners = context.theme, np.array([point.w for point in step.simplex])
    if len(corners) == 3:
        draw.sheet(corners, faded(theme.winner, 0.25))
    if len(corners) > 1:
        draw.polyline(corners, theme.winner, 2.4, closed=len(corners) > 2, hidden=Hidden.SHOW)
    for place, point in enumerate(step.simplex):
        rgba = theme.overlap if place == 0 else theme.winner
        draw.spots(point.w, rgba, 5.4, theme.halo, 1.5)
        if point.xy in [newer.xy for newer in step.simplex[:place]]:
            continue
        x, y = point.xy
        name = point_name(context.query, point)
        if lettered(context.scene):
            name = f"{name} = {difference_name(context.scene, point)}"
        words, bold = f"{name} ({signed(x).lstrip('+')}, {signed(y).lstrip('+')})", place == 0
        # Away from the other corners, to be clear of the edges that meet here.
        offset = outwards(corners[place] - corners.mean(axis=0), len(words))
        draw.label(
            words, point.w, rgba, size=PLAIN, offset=offset, priority=82, bold=bold, brief=name, kind="point-names"
        )
    for test in step.tests:
        chosen = test.direction == step.next_direction
        edge = edge_name(context.query, test.start, test.end)
        word = f"beyond {edge}" if test.product > 0.0 else f"not beyond {edge}"
        if len(step.tests) == 1 and chosen:
            word = "next d"
        _arrow(context, draw, _middle(test), raised(test.direction), word, strong=chosen)
    if step.next_direction is not None and not step.tests:
        _arrow(context, draw, np.zeros(3), raised(step.next_direction), "next d", strong=True)
    draw_origin(context, draw)


def _middle(test: EdgeTest) -> Array:
    return 0.5 * (test.start.w + test.end.w)


def _tip(context: Context, start: Array, way: Array) -> Array:
    """The end (3,) of the arrow from `start` (3,) along `way` (3,), which may have any length but 0."""
    return start + (ARROW_LENGTH * context.extent.radius / length(way)) * way


def _arrow(context: Context, draw: DrawList, start: Array, way: Array, word: str, *, strong: bool) -> None:
    if not way.any():
        return
    rgba, tip = context.theme.overlap if strong else context.theme.dim_text, _tip(context, start, way)
    draw.strong(start, tip, rgba, 2.6 if strong else 1.6, arrow_end=11.0)
    draw.label(word, tip, rgba, size=PLAIN, offset=(0.0, 12.0), priority=70, kind="direction-names")


def article_tips(context: Context, query: Query) -> Array:
    """The ends (n, 3) of the arrows at the edges that the steps of the article's GJK test, in the difference."""
    ways = [(_middle(t), raised(t.direction)) for _, step in steps_of(query, ArticleStep) for t in step.tests]
    return np.array([_tip(context, start, way) for start, way in ways if way.any()]).reshape(-1, 3)


def draw_world(context: Context, draw: DrawList, step: ArticleStep) -> None:
    """Draws the sources of the simplex on the bodies, the newest ringed."""
    newest = len(step.simplex) - 1
    points = [(newest - place, point) for place, point in enumerate(step.simplex)]
    draw_sources(context, draw, points, 0)


def _searches(query: Query) -> tuple[SupportSearch, ...]:
    """All steps whose direction is not zero, with their directions as unit vectors."""
    ways = ((place, unit(raised(step.direction))) for place, step in steps_of(query, ArticleStep))
    return tuple(SupportSearch(place, way, "step_article") for place, way in ways if way is not None)


def _leavings(query: Query) -> Iterator[Leaving]:
    """Yields the steps that drop a point of a triangle."""
    for place, step in steps_of(query, ArticleStep):
        if len(step.kept) == len(step.simplex):
            continue
        names = tuple(point_name(query, point) for point in step.simplex)
        ends = {k: name for k, name in enumerate(names) if step.simplex[k] in step.kept}
        start, end = (step.simplex[k] for k in ends)
        edge, gone = edge_name(query, start, end), listed([name for k, name in enumerate(names) if k not in ends])
        why = f"stays: it is an end of the edge {edge}, and the origin is beyond that edge."
        yield Leaving(
            place,
            names,
            np.array([point.w for point in step.simplex]),
            stays={k: f"{name} {why}" for k, name in ends.items()},
            hint=f"{names[0]} is the newest point of the triangle. If the origin is beyond one of the two edges "
            "there, both ends of that edge stay and the third point leaves.",
            explanation=f"{gone} leaves: the origin is beyond the edge {edge}, on the other side of it than {gone}.",
            overlay="step_article",
        )


def _draw_question(context: Context, draw: DrawList, asked: CurrentQuestion, step: ArticleStep) -> None:
    """Draws the simplex for an open question about this step.

    If the question is which point leaves, all points look alike. Otherwise the simplex is the one before the support
    point, with the direction.
    """
    theme, leaves = context.theme, asked.question.kind is QuestionKind.LEAVES
    points = step.simplex if leaves else step.simplex[1:]
    corners = np.array([point.w for point in points]).reshape(-1, 3)
    if leaves:
        draw.sheet(corners, faded(theme.winner, 0.25))
    if len(corners) > 1:
        draw.polyline(corners, theme.winner, 2.4, closed=leaves, hidden=Hidden.SHOW)
    for point, corner, offset in zip(points, corners, spread_out(corners), strict=True):
        draw.spots(corner, theme.winner, 5.0, theme.halo, 1.5)
        if context.query is not None:
            word = point_name(context.query, point)
            draw.label(word, corner, theme.winner, size=PLAIN, offset=offset, priority=82, kind="point-names")
    way = None if leaves else unit(raised(step.direction))
    if way is not None:
        start = corners.mean(axis=0) if len(corners) else np.zeros(3)
        draw_arrow(draw, start, start + ARROW_LENGTH * context.extent.radius * way, theme.overlap, "d")
    draw_origin(context, draw)


QUESTIONS = StepQuestions(_draw_question, _searches, _leavings, rank=1)


_LISTING = AlgorithmListing(
    "A published GJK: do they overlap?",
    {
        "start": "w ← support in the first direction;  d ← −first direction",
        "repeat": "repeat:",
        "support": "    w ← support along d",
        ArticleStop.NOT_PAST_ORIGIN: "    if w·d ≤ 0:  NOT_PAST_ORIGIN, no overlap",
        "segment": "    if a segment:  d ← its perpendicular, towards the origin",
        "triangle": "    if a triangle, for both edges at w:",
        "beyond": "        if the origin is beyond it:  drop the third point,",
        "turn": "            d ← the edge's perpendicular, away from that point",
        ArticleStop.ENCLOSED: "        if beyond neither:  ENCLOSED, an overlap",
    },
)


def _line(step: ArticleStep) -> str:
    if step.stop is not None:
        return ArticleStop.NOT_PAST_ORIGIN if step.stop is ArticleStop.NOT_PAST_ORIGIN else ArticleStop.ENCLOSED
    return ("start", "start", "segment", "turn")[len(step.simplex)]


STAGE = Stage(
    lambda _dimension: _LISTING,
    _line,
    article_text,
    draw_world,
    draw_difference,
    stop=lambda at: at.step.stop or "",
    fit_points=lambda context, query: (np.zeros((0, 3)), article_tips(context, query)),
    questions=QUESTIONS,
    colours=CORNER_WORDS
    | {"winner": "simplex", "winner.disc": "corner of the simplex", "overlap": "direction d, new point"},
)
