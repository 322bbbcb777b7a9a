"""The article's GJK in words: its support points by letters, its perpendiculars, and its slip."""

from __future__ import annotations

import numpy as np

from core.gjk.article_gjk import ArticleStep, ArticleStop, EdgeTest
from core.gjk.gjk import GjkStep
from core.minkowski.plane import pair_name
from core.pair.support import DifferencePoint
from core.query.query import Query

from ...words.axis_words import MINUS, listed
from ..stage import At, steps_of
from ..word_parts import (
    Formula,
    StepText,
    Stop,
    counted,
    difference_formula,
    dot_formula,
    from_a,
    numbered,
    row,
    sentences,
)

_SIMPLICES = ("", "a point", "a segment", "a triangle")


def article_text(at: At[ArticleStep]) -> StepText:
    """Words about one support point and what follows from it."""
    query, step = at.query, at.step
    name = letters(query, step.support)
    older = [letters(query, point) for point in step.simplex[1:]]
    known = f"The simplex: {listed(older)}, the newest first." if older else "The simplex is empty."
    found = f"Farthest along {row(step.direction)} lies {name} = {row(step.support.xy)}."
    return StepText(
        title=f"The article's GJK, step {step.number} of {at.moment.count}: {_SIMPLICES[len(step.simplex)]}",
        known=sentences(known, f"The direction is {row(step.direction)}, of any length."),
        decided=sentences(found, _next_words(query, step)),
        why=sentences(_why(step), _slip_words(query, step), from_a(query)),
        formulas=_formulas(query, step),
        stop=_stop(query, step),
    )


def _next_words(query: Query, step: ArticleStep) -> str:
    if step.stop is not None:
        return ""
    kept = [letters(query, point) for point in step.kept]
    assert step.next_direction is not None
    stays = "" if len(kept) == len(step.simplex) else f"{listed(kept)} stay. "
    return f"{stays}Next direction {row(step.next_direction)}."


def _why(step: ArticleStep) -> str:
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
    from core.articles.plane import slips_about

    slips = [slip for slip in slips_about(query.analysis.scene) if slip.step == step.number]
    return sentences(
        *(f"The article prints {row(slip.printed)} here: a slip. {slip.why.replace('-', MINUS)}" for slip in slips)
    )


def _formulas(query: Query, step: ArticleStep) -> tuple[Formula, ...]:
    name = letters(query, step.support)
    point = step.support
    made = difference_formula("w = a - b", (name, _tex_letters(name)), point.a[:2], point.b[:2])
    if step.number == 1:
        return (made,)
    passed = dot_formula(
        r"w\cdot d",
        f"{name}·d",
        rf"{_tex_letters(name)}\cdot d",
        (np.array(point.xy), np.array(step.direction)),
        step.product,
    )
    return (made, passed, *(_test_formula(query, test) for test in step.tests))


def _test_formula(query: Query, test: EdgeTest) -> Formula:
    name = f"{letters(query, test.start)}{letters(query, test.end)}"
    way = np.array((0.0 - test.start.xy[0], 0.0 - test.start.xy[1]))
    return dot_formula(
        r"n\cdot(0 - w)", f"{name}: n·(−w)", r"n\cdot(-w)", (np.array(test.direction), way), test.product
    )


def _stop(query: Query, step: ArticleStep) -> Stop | None:
    meaning = {
        ArticleStop.ENCLOSED: "The origin is beyond no edge of the triangle, inside or on it: they meet.",
        ArticleStop.NOT_PAST_ORIGIN: "w·d is not above 0: they do not meet, says the article. Where they touch, that "
        "depends on the path taken.",
        ArticleStop.ITERATION_LIMIT: "It runs in circles, and has no answer.",
    }
    if step.stop is None:
        return None
    ours = len(steps_of(query, GjkStep))
    beside = f" Our GJK, after it, takes {counted(ours, 'step')}, and knows bounds of the distance as well."
    return Stop(step.stop.value, meaning[step.stop] + beside, step.stop is ArticleStop.ENCLOSED)


def letters(query: Query, point: DifferencePoint) -> str:
    """`BE`: the vertices of A and B that a point of the difference comes from, as in its table.

    Of an arc `w₃`, by the step of the article's GJK that found it.
    """
    if point.vertex_a < 0 or point.vertex_b < 0:
        found_by = (step.number for _, step in steps_of(query, ArticleStep) if step.support == point)
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
