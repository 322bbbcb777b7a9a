"""The contact manifold in words: the features that meet, each cut, the depths, and the contacts kept."""

from __future__ import annotations

import numpy as np

from core.contact.contact import (
    ClipStep,
    ContactCase,
    CutStep,
    DepthStep,
    EdgesStep,
    EndsStep,
    FeaturesStep,
    LevelStep,
    ManifoldStep,
    ReduceStep,
)
from core.contact.policies.box2d import LINEAR_SLOP, SLOP_SHARE
from core.contact.policies.policy import ContactPolicy
from core.geometry.vector import Array, dot, dots
from core.query.query import Query

from ...words.contact_words import EARLIER, flatness_words, in_words_of
from ...words.digits import plain
from ...words.expression import Hat, Identifier, Node, Quotient, Symbol, equation, symbols
from ...words.formula import Formula, NumberOrVector, Values
from ...words.names import feature_name, pair_name
from ..stage import At
from ..word_parts import StepText, Stop, counted, far_out, from_a, sentences, shown
from .cut import cut_text
from .region_words import ManifoldWords, first_few, reduce_words, region_words


def contacts_text(at: At[ManifoldStep]) -> StepText:
    """The text of one step of the manifold."""
    query, step = at.query, at.step
    match step:
        case CutStep() | LevelStep():
            text = cut_text(at, step)
            title, known, decided, why, formulas = text.title, text.known, text.decided, text.why, text.formulas
        case FeaturesStep():
            title, known, decided, why, formulas = _features(query, step)
        case ClipStep():
            title, known, decided, why, formulas = _clip(at, step)
        case DepthStep():
            title, known, decided, why, formulas = _depth(query, step)
        case EdgesStep():
            title, known, decided, why, formulas = _edges(at, step)
        case EndsStep():
            title, known, decided, why, formulas = _ends(query, step)
        case ReduceStep() if isinstance(at.first, FeaturesStep):
            chosen = "Of {rest}, the 2nd is the farthest from it, the next ones from the line through both."
            title, known, decided, why, formulas = reduce_words(query, step, chosen)
        case _:
            title, known, decided, why, formulas = region_words(query, step)
    if query.analysis.contacts_earlier:
        known = f"{EARLIER} {known}"
    plane = query.analysis.polygon is not None
    known, decided, why = (in_words_of(words, plane=plane) for words in (known, decided, why))
    return StepText(
        title=f"Contacts, step {at.of}: {title}",
        known=known,
        decided=decided,
        why=why,
        formulas=formulas,
        stop=_stop(at),
    )


def _features(query: Query, step: FeaturesStep) -> ManifoldWords:
    along = shown(query, step.normal)
    normal = Formula.of(Hat(_N), along, lying=True)
    known = "The normal points from A to B. Contacts are made where the bodies reach farthest along it."
    scene = query.analysis.scene
    a, b = feature_name(scene, 0, step.feature_a), feature_name(scene, 1, step.feature_b)
    if step.case in (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B):
        reference, incident = (a, b) if step.case is ContactCase.FACE_OF_A else (b, a)
        why = _CHOICES.get(
            query.settings.preference,
            "The face most perpendicular to the normal is the reference. The face opposite it, on the other body, "
            "is the incident face and gets clipped.",
        )
        return "features", known, f"Reference: {reference}. Incident: {incident}.", why, (normal,)
    why = (
        "No face is perpendicular to the normal, so there is nothing to clip. The closest points of the two "
        "features give the contact."
    )
    if step.case is ContactCase.EDGES and query.analysis.polygon is not None:
        why = _CHOICES[ContactPolicy.CHIPMUNK]
    elif query.settings.preference is ContactPolicy.BOX2D and step.feature_a[0] == step.feature_b[0] == "v":
        why = "The two edges are apart, and nearest at a corner of each: these two corners give the contact."
    return "features", known, f"{a} faces {b}.", why, (normal,)


_LARGEST = (
    "The reference is the edge that the other polygon is farthest in front of; {which} The incident edge is the one "
    "that is most against it. It gets clipped whatever the angle between both."
)
_MORE_PERPENDICULAR = "Each is the more perpendicular of the two edges at its body's farthest vertex. "
_CHOICES = {
    ContactPolicy.BOX2D: _LARGEST.format(which="of equal ones A's."),
    ContactPolicy.BOX2D_2: _LARGEST.format(which=f"B's only if it is better by {SLOP_SHARE * LINEAR_SLOP:g}."),
    ContactPolicy.DYN4J: _MORE_PERPENDICULAR + "The one that leads less along the normal is the reference. The other "
    "gets clipped whatever the angle between both.",
    ContactPolicy.CHIPMUNK: _MORE_PERPENDICULAR + "Neither is the reference, and nothing is clipped.",
}
"""The sentences on how each 2D engine chooses its reference and incident edge."""


def _clip(at: At[ManifoldStep], step: ClipStep) -> ManifoldWords:
    scene, body = at.query.analysis.scene, 0 if _first(at).case is ContactCase.FACE_OF_A else 1
    side = feature_name(scene, body, step.side)
    known = f"{counted(len(step.before), 'corner')} left. Clip against the plane through side {side}."
    why = (
        "Corners behind the plane lie above the reference face and stay. An edge that crosses it, with end "
        "distances d₁ and d₂, is cut at t = d₁ / (d₁ − d₂)."
    )
    crossings = crossings_of(step)
    fresh = [pair_name(scene, name) for name, cut in zip(step.names, step.cut, strict=True) if cut]
    gone = len(step.before) - sum(not cut for cut in step.cut)
    if not gone and not fresh:
        decided = "Everything lies behind the plane: nothing is cut."
    elif not len(step.after):
        decided = "Everything lies in front of the plane: nothing is left."
    else:
        new = f" New: {first_few(fresh)}." if fresh else ""
        decided = f"{counted(gone, 'corner')} cut off, {counted(len(step.after), 'corner')} left.{new}"
    # One formula for each new corner, in the order of their names; numbered if there are more than one.
    numbers = [""] if len(crossings) == 1 else [str(k + 1) for k in range(len(crossings))]
    formulas = tuple(_cut_formula(Symbol("t", number), *ends) for number, ends in zip(numbers, crossings, strict=True))
    return f"cut by {side}", known, decided, why, formulas


def _cut_formula(name: Symbol, d1: float, d2: float) -> Formula:
    """The formula of the share t of an edge at which it crosses the plane (Sutherland, Hodgman 1974)."""
    return Formula.of(equation(name, Quotient(_D1, _D1 - _D2)), d1 / (d1 - d2), {_D1: d1, _D2: d2})


def crossings_of(step: ClipStep) -> tuple[tuple[float, float], ...]:
    """Signed distances to the plane of both ends of every edge that was cut, in the polygon's order, each once."""
    survivors = iter([point.tolist() for point, cut in zip(step.after, step.cut, strict=True) if not cut])
    following = next(survivors, None)
    kept = []
    for point in step.before.tolist():
        kept.append(point == following)
        if kept[-1]:
            following = next(survivors, None)
    heights = (dots(step.before, step.normal) - step.offset).tolist()
    found: list[tuple[float, float]] = []
    for k in range(len(kept)):
        ends = (heights[k], heights[(k + 1) % len(kept)])
        if kept[k] is not kept[(k + 1) % len(kept)] and ends[::-1] not in found and ends[0] != ends[1]:
            found.append(ends)
    return tuple(found) if any(step.cut) else ()


def _depth(query: Query, step: DepthStep) -> ManifoldWords:
    kept = [k for k, stays in enumerate(step.kept) if stays]
    known = sentences(f"{counted(len(step.points), 'corner')} left of the incident feature.", _measured(query))
    listing = first_few(
        [f"{pair_name(query.analysis.scene, step.names[k])} ({plain(float(step.depths[k]))})" for k in kept]
    )
    decided = (
        f"{counted(len(kept), 'point')} kept, with depths: {listing}."
        if kept
        else "No point is kept: all lie above the reference face."
    )
    why = (
        "Points above the reference face are dropped. The others are contacts; d − n·p is their depth below its plane."
    )
    if query.settings.preference is ContactPolicy.BOX2D:
        why = "Box2D keeps both, also above the reference face: contacts before they touch. d − n·p is their depth."
    if step.axis is not None:
        why += " Jolt measures along the contact normal a: that is the share n·a of it."
    if query.settings.preference is not ContactPolicy.BOX2D and any(float(step.depths[k]) < 0.0 for k in kept):
        why = f"{why} Points a little above it are contacts before they touch (speculative)."
    if not len(step.points):
        return "depths", known, decided, why, ()
    deepest = int(np.argmax(step.depths))
    return "depths", known, decided, why, (_depth_formula(query, step, deepest),)


def _measured(query: Query) -> str:
    return from_a(query) if far_out(query) else ""


def _near(query: Query, point: Array) -> Array:
    """The point (3,) as it is shown: in the world, or relative to A's position for scenes far from the origin."""
    shown: Array = point - query.analysis.scene.a.pose.position if far_out(query) else point
    return shown


_N, _A, _B, _P, _D, _R, _D1, _D2 = symbols("n a b p d r d_1 d_2")
_DEPTH = Identifier("depth")


def _depth_formula(query: Query, step: DepthStep, number: int) -> Formula:
    """The formula of a point's depth below the reference plane, divided by n·a if depths are measured along a."""
    point, depth = _near(query, step.points[number]), float(step.depths[number])
    offset = step.offset - dot(step.normal, step.points[number] - point)
    below = _D - _N @ _P
    values: dict[Node, NumberOrVector] = {_D: offset, _N: shown(query, step.normal), _P: shown(query, point)}
    if step.axis is None:
        return Formula.of(equation(_DEPTH, below), depth, values)
    values[_A] = shown(query, step.axis)
    return Formula.of(equation(_DEPTH, Quotient(below, _N @ _A)), depth, values)


def _edges(at: At[ManifoldStep], step: EdgesStep) -> ManifoldWords:
    query, count = at.query, len(step.names)
    scene = query.analysis.scene
    chosen = pair_name(scene, step.names[step.chosen])
    known = (
        f"One pair of features touches: {chosen}."
        if count == 1
        else f"Several edges are equally deep, within rounding: {counted(count, 'pair')} tried, "
        f"{first_few([pair_name(scene, name) for name in step.names])}."
    )
    decided = f"Chosen: {chosen}. Its closest points make the contact, midway between the surfaces."
    why = (
        "Of all pairs, its closest points lie most nearly along the normal."
        if count > 1
        else "The closest points of the two features are where the bodies touch first."
    )
    normal = _first(at).normal
    return "closest points", sentences(known, _measured(query)), decided, why, _edge_formulas(query, step, normal)


def _ends(query: Query, step: EndsStep) -> ManifoldWords:
    known = "Seen along the normal, both edges share a stretch. Each of its ends is a point on either edge."
    kept = [k for k, stays in enumerate(step.kept) if stays]
    listing = first_few(
        [f"{pair_name(query.analysis.scene, step.names[k])} ({plain(float(step.depths[k]))})" for k in kept]
    )
    decided = (
        f"{counted(len(kept), 'contact')} kept, midway between both points, with depths: {listing}."
        if kept
        else "None is kept: the edges are apart at both."
    )
    why = "Where the edges are not apart along the normal, the end is a contact, whatever the angle between both."
    deepest = int(np.argmax(step.depths))
    a, b = (shown(query, _near(query, points[deepest])) for points in (step.points_a, step.points_b))
    points = Formula.of(_A - _B, a - b, {_A: a, _B: b})
    along: Values = {_N: shown(query, step.normal), _A - _B: a - b}
    depth = Formula.of(equation(_DEPTH, _N @ (_A - _B)), float(step.depths[deepest]), along)
    return "ends", sentences(known, _measured(query)), decided, why, (points, depth)


def _first(at: At[ManifoldStep]) -> FeaturesStep:
    """The manifold's first step, with the normal."""
    assert isinstance(at.first, FeaturesStep)
    return at.first


def _edge_formulas(query: Query, step: EdgesStep, normal: Array) -> tuple[Formula, ...]:
    scene = query.analysis.scene
    radius = sum(body.shape.core.radius for body in (scene.a, scene.b) if body.shape.core is not None)
    a, b = _near(query, step.points_a[step.chosen]), _near(query, step.points_b[step.chosen])
    between = a - b
    depth = dot(normal, between) + radius
    along = _N @ (_A - _B)
    values: Values = {_N: normal, _A - _B: between, _R: radius}
    return (
        Formula.of(_A - _B, between, {_A: a, _B: b}),
        Formula.of(equation(_DEPTH, along + _R if radius else along), depth, values),
    )


def _stop(at: At[ManifoldStep]) -> Stop | None:
    query = at.query
    if not at.moment.last or query.manifold is None:
        return None
    count = len(query.manifold.contacts)
    if not count and query.analysis.separation <= query.analysis.band:
        rule = f"The rule of {query.settings.preference} keeps no point here, though the bodies meet."
        return Stop("NO CONTACT", rule, True)
    if not count:
        return Stop("NO CONTACT", "The features are apart along the normal: nothing touches.", True)
    depths = [contact.depth for contact in query.manifold.contacts]
    deepest = max(depths)
    told = flatness_words(query.manifold, query.analysis.polygon is not None) or f"{counted(count, 'contact')}."
    how_many, _, more = told.partition(". ")
    which = "The deepest is" if deepest - min(depths) > query.analysis.band else "Each is" if count > 1 else "It is"
    size = f"{which} {plain(deepest)} deep."
    if all(contact.gap for contact in query.manifold.contacts):
        size = f"The bodies are apart by {plain(-deepest)}: engines call these contacts speculative."
    found = sentences(f"{how_many.rstrip('.')}.", size, more)
    return Stop(in_words_of(query.manifold.case.value, plane=query.analysis.polygon is not None), found, True)
