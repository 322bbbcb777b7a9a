"""EPA's sub-steps: the nearest face or edge, both bounds, the support point, and how the polytope grows by it.

Everything is read off the step. In the plane the nearest edge makes room for two, and there is no horizon.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.gjk.epa import EpaStop
from core.gjk.plane_epa import EpaPolygonStep

from ...words.digits import MINUS, plain, told_together
from ...words.terms import terms_of
from .. import part_pictures as pictures
from ..stage import At, SubStep, given
from ..word_parts import counted, sentences
from . import STAGE
from .pictures import Drawn, Step
from .words import epa_text

NEEDED = {2: "a triangle", 3: "a tetrahedron"}
SIMPLICES = ("", "a point", "a segment", "a triangle", "a tetrahedron")
STOPS = {
    EpaStop.CONVERGED: "No point of A − B lies beyond the nearest face: its distance is the depth of the cores.",
    EpaStop.REPEATED_SUPPORT: "w is a corner already: only rounding is left.",
    EpaStop.FLAT_POLYTOPE: "A − B has no volume here: the cores touch, and their depth is 0.",
    EpaStop.ORIGIN_OUTSIDE: "The origin lies beyond the plane at w: the cores are apart.",
    EpaStop.ITERATION_LIMIT: "The iterations allowed are used up. The bounds hold.",
}


def epa_parts(at: At[Step]) -> tuple[SubStep, ...]:
    """The sub-steps of the hand-over, or of one expansion as far as it went."""
    step, drawn = at.step, Drawn(at)
    parts = list(_expansion(at, drawn)) if step.nearest is not None else [_hand_over(at, drawn)]
    if step.stop is not None:
        world, difference = pictures.whole(STAGE, step) if step.nearest is None else (drawn.moved, drawn.answer)
        parts.append(SubStep("stop", _said(at, STOPS[step.stop]), step.stop, world, difference))
    return tuple(parts)


def _said(at: At[Step], words: str) -> str:
    """A sentence about the cores in space: for bodies that are not rounded, and for the plane."""
    words = terms_of(at.dimension).said(words).replace("nearest face", f"nearest {terms_of(at.dimension).face}")
    if at.radius:
        return words
    return words.replace("the depth of the cores", "the depth").replace("the cores", "the bodies")


def _hand_over(at: At[Step], drawn: Drawn) -> SubStep:
    step, needed = at.step, NEEDED[at.dimension]
    added = len(step.vertices) - step.given
    sentence = f"GJK leaves {SIMPLICES[step.given]}. EPA grows it."
    if added and step.stop is None:
        sentence = f"GJK leaves {SIMPLICES[step.given]}. {counted(added, 'point')} more make {needed}, which EPA grows."
        sentence = sentence.replace("1 point more make", "One point more makes")
    elif step.stop is not None:
        sentence = f"GJK leaves {SIMPLICES[step.given]}, and no direction leads off it."
    formulas, moves = epa_text(at).formulas, bool(added)
    return SubStep(
        "hand-over", sentence, "start", pictures.whole(STAGE, step)[0], drawn.handed_over, formulas, moves=moves
    )


def _expansion(at: At[Step], drawn: Drawn) -> Iterator[SubStep]:
    step, formulas, face = at.step, epa_text(at).formulas, terms_of(at.dimension).face
    offset, value, upper = drawn.offset, drawn.value, given(step.upper)
    closest = f"The nearest {face} is {plain(offset)} from the origin."
    if offset < 0.0:
        closest = f"The origin lies {plain(-offset)} outside of one {face}: EPA grows there first."
    measured = formulas[: 1 + isinstance(step, EpaPolygonStep)]
    yield SubStep("closest", closest, "nearest", drawn.nothing, drawn.closest, measured, moves=True)
    lower = f"The polytope lies within A − B, so the depth of the cores is at least {plain(given(step.lower))}."
    if offset < 0.0:
        lower = "The origin is not inside the polytope: nothing bounds the depth from below yet."
    yield SubStep("lower", _said(at, lower), "bounds", drawn.nothing, drawn.lower)
    names = drawn.search.names
    found = f"Beyond it, farthest along n, lies w = {names[0]} {MINUS} {names[1]}."
    if step.stop is not None:
        found = f"Farthest along n lies w = {names[0]} {MINUS} {names[1]}."
    found = sentences(found, drawn.search.tie_words(0, 1))
    yield SubStep("support", found, "support", drawn.search.on_both, drawn.support, moves=True)
    yield SubStep("upper", _upper_words(at, value, upper), "bounds", drawn.moved, drawn.upper, formulas[-2:-1])
    if step.stop is None:
        yield from _growth(at, drawn)
    bounds = f"Between {' and '.join(told_together(given(step.lower), upper))}."
    following = f"Next: the {face} that is nearest then." if step.stop is None else "EPA ends with these bounds."
    said = sentences(bounds, following, _radii_words(at))
    yield SubStep("bounds", said, "bounds", drawn.nothing, drawn.bounds, formulas[-1:])


def _radii_words(at: At[Step]) -> str:
    """That the radii of rounded bodies are kept apart, if there are any."""
    return f"The radii, {plain(at.radius)} together, are added in the end." if at.radius else ""


def _upper_words(at: At[Step], value: float, upper: float) -> str:
    if at.step.stop is EpaStop.ORIGIN_OUTSIDE:
        return _said(at, f"w stays {plain(-value)} behind the origin: this plane separates the cores.")
    words = f"Moving B by {plain(value)} along n separates the cores, so the depth of the cores is at most that."
    earlier = None if at.before is None else at.before.upper
    if earlier is not None and value > earlier:
        now, best = told_together(value, upper)
        words = f"Moving B by {now} along n separates the cores: no better than {best}, which stays."
    return _said(at, words)


def _growth(at: At[Step], drawn: Drawn) -> Iterator[SubStep]:
    step = at.step
    if isinstance(step, EpaPolygonStep):
        room = "The edge makes room for two edges through w."
        yield SubStep("join", room, "grow", drawn.nothing, drawn.joined, moves=True)
        return
    one = len(step.removed) == 1
    sees = f"w sees {counted(len(step.removed), 'face')}. {'It is' if one else 'They are'} inside the new polytope and "
    yield SubStep("visible", f"{sees}{'goes' if one else 'go'}.", "horizon", drawn.nothing, drawn.visible)
    rim = f"Their rim is the horizon: {counted(len(step.horizon), 'edge')}."
    yield SubStep("horizon", rim.replace("Their", "Its") if one else rim, "horizon", drawn.nothing, drawn.horizon)
    joined = f"Each edge of the rim is joined to w: {counted(len(step.added), 'new face')}."
    yield SubStep("join", joined, "grow", drawn.nothing, drawn.joined, moves=True)
