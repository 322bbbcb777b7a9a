"""GJK's sub-steps: v, the direction, each body's support point, w, what it proves, the bounds, and what leaves.

Everything is read off the step, and what leaves off the next one. Until w is found nothing shows it.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.gjk.gjk import GjkStep, GjkStop

from ...words.axis_words import listed
from ...words.digits import plain, told_together
from ...words.names import numbered
from ...words.terms import terms_of
from .. import part_pictures as pictures
from ..stage import At, SubStep
from ..word_parts import sentences
from . import STAGE
from .pictures import Beginning, Drawn
from .words import feature_words, gjk_text

STOPS = {
    GjkStop.OVERLAP_ENCLOSED: "The simplex encloses the origin, so the origin is in A − B: the cores overlap.",
    GjkStop.OVERLAP_TOUCHING: "The origin is on the simplex: the cores share a point.",
    GjkStop.CONVERGED: "Both bounds are one: this is the distance of the cores.",
    GjkStop.REPEATED_SUPPORT: "w is in the simplex already: nothing of A − B is nearer than v.",
    GjkStop.NO_PROGRESS: "v came no nearer than before. Only rounding is left.",
    GjkStop.DEGENERATE_SIMPLEX: "This simplex is too flat for doubles. The nearest one before it stands.",
    GjkStop.ITERATION_LIMIT: "The iterations allowed are used up. The bounds hold.",
}


def gjk_parts(at: At[GjkStep]) -> tuple[SubStep, ...]:
    """The sub-steps of an iteration, as far as it went."""
    step, drawn = at.step, Drawn(at)
    formulas = gjk_text(at).formulas
    parts = [] if at.before is not None else list(_starts(at))
    parts.append(
        SubStep("nearest", _nearest_words(at), "nearest", drawn.sources_of_v, drawn.regions_and_v, formulas[:1])
    )
    if step.stop is GjkStop.OVERLAP_TOUCHING:
        none = "v is the origin itself: no direction is left to search."
        parts.append(SubStep("direction", none, step.stop, drawn.sources_of_v, drawn.v))
    elif step.support is not None:
        parts += _search(at, drawn)
    if step.stop is not None:
        # Bounds that have met, or what is left of them; else the simplex that ended it.
        world, difference = pictures.whole(STAGE, step) if step.support is None else (drawn.sources_of_v, drawn.rings)
        parts.append(SubStep("stop", _said(at, STOPS[step.stop]), step.stop, world, difference))
    elif at.after is not None:
        parts.append(SubStep("drop", _drop_words(at, at.after), "grow", drawn.kept_sources, drawn.kept, moves=True))
    return tuple(parts)


def _said(at: At[GjkStep], words: str) -> str:
    """A sentence about the cores, which are the bodies where nothing is rounded."""
    return (
        words
        if at.radius_note
        else words.replace("the distance of the cores", "the distance").replace("the cores", "the bodies")
    )


def _starts(at: At[GjkStep]) -> Iterator[SubStep]:
    """What the first simplex is made of, point by point."""
    simplex = at.step.simplex
    for number, point in enumerate(simplex):
        known = simplex[: number + 1]
        name = numbered("w", number)
        sentence = f"Begin anywhere: here with {name}, the farthest point along a first direction."
        if at.query.knobs.warm_start and len(simplex) > 1:
            sentence = f"A warm start: {name} is farthest along a direction that the query before ended with."
        beginning = Beginning(known, point)
        yield SubStep("start" if not number else f"start {number + 1}", sentence, "start", *beginning.draws, moves=True)


def _nearest_words(at: At[GjkStep]) -> str:
    step = at.step
    if step.encloses:
        return f"The origin is inside the {terms_of(at.dimension).simplex}: no spot of it is nearer than the origin."
    where = feature_words(step.region).replace("the vertex ", "")
    return f"v is the spot of the simplex nearest the origin: {plain(step.upper)} away, on {where}."


def _search(at: At[GjkStep], drawn: Drawn) -> Iterator[SubStep]:
    """From the direction to the bounds."""
    step, formulas, line = at.step, gjk_text(at).formulas, terms_of(at.dimension).plane
    yield SubStep(
        "direction",
        "Look from v towards the origin: that is d.",
        "direction",
        drawn.directions_at_v,
        drawn.direction,
        formulas[2:3],
    )
    yield from drawn.search.parts()
    proved, earlier = drawn.proved, 0.0 if at.before is None else at.before.lower
    least, better = told_together(proved, earlier)
    lower = f"Nothing of A − B lies beyond this {line}, so the distance of the cores is at least {least}."
    if proved <= 0.0:
        lower = f"The origin is not beyond this {line}: w proves no distance."
    elif proved < earlier:
        lower += f" {better} was better and stays."
    yield SubStep("lower", _said(at, lower), "bounds", drawn.gap_between, drawn.lower, formulas[3:4])
    bounds = f"Between {' and '.join(told_together(step.lower, step.upper))}."
    on = "They have not met: go on." if step.stop is None else "GJK ends with these bounds."
    yield SubStep(
        "bounds",
        sentences(bounds, on, at.radius_note),
        "bounds",
        drawn.sources_of_v,
        drawn.rings,
        (formulas[1], *formulas[4:5]),
    )


def _drop_words(at: At[GjkStep], after: GjkStep) -> str:
    """What is not needed for v and leaves, and whether w joins; read off the next step."""
    kept = {id(point) for point in after.simplex}
    gone = [numbered("w", k) for k, point in enumerate(at.step.simplex) if id(point) not in kept]
    joins = "w joins." if id(at.step.support) in kept else "w is a corner already and does not join again."
    if not gone:
        return f"Every corner is needed for v and stays. {joins}"
    one = len(gone) == 1
    return f"{listed(gone)} {'is' if one else 'are'} not needed for v and {'leaves' if one else 'leave'}. {joins}"
