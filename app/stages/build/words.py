"""The words of the difference built by hand: the points or faces added at each step, and the points that GJK needs."""

from __future__ import annotations

from core.analysis.in_space import placed_vertices
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.gjk.plane_epa import EpaPolygonStep
from core.minkowski.difference import BuildAction, BuildStep
from core.pair.candidate_axes import AxisKind
from core.pair.support import DifferencePoint
from core.query.query import Query
from core.shapes import corners_of

from ...words.axis_words import shown_part
from ...words.digits import plain
from ...words.expression import equation, symbols
from ...words.formula import Formula
from ...words.names import difference_symbols, vertex_name
from ...words.terms import terms_of
from ..stage import At, steps_of
from ..word_parts import StepText, counted, from_a, sentences

_OF_SPACE = {
    AxisKind.FACE_A: (
        "faces of A",
        "A face of A appears in A − B unchanged, only shifted: by the vertex of B that lies farthest against it.",
    ),
    AxisKind.FACE_B: (
        "faces of −B",
        "B is mirrored in the origin, so each of its faces appears on the opposite side, shifted by a vertex of A.",
    ),
    AxisKind.EDGES: (
        "faces made by edges",
        "An edge of A and an edge of B that face each other span a parallelogram. Its normal is an edge × edge axis "
        "of SAT.",
    ),
}


_OF_PLANE = {
    AxisKind.FACE_A: (
        "edges of A",
        "An edge of A appears in A − B unchanged, only shifted: by the vertex of B that lies farthest against it.",
    ),
    AxisKind.FACE_B: (
        "edges of −B",
        "B is mirrored in the origin, so each of its edges appears on the opposite side, shifted by a vertex of A.",
    ),
}


_FAMILIES = {2: _OF_PLANE, 3: _OF_SPACE}
"""By dimension, the name of each family of faces or edges, and why A - B has it."""


def build_text(at: At[BuildStep]) -> StepText:
    """The text of a step of the construction."""
    query, step, place = at.query, at.step, f"Difference, step {at.of}"
    if step.action is BuildAction.SUBTRACT:
        return _subtract(query, step, place)
    if step.family is not None:
        return _close(query, step, place)
    return _done(query, step, place)


def verdict_so_far(at: At[BuildStep]) -> tuple[str, str] | None:
    """The verdict line before the last step: head and rest; None at the last step, where the verdict is known."""
    if at.moment.last:
        return None
    return "Difference:", f"step {at.of}. Whether the origin is inside is not known yet."


def _subtract(query: Query, step: BuildStep, place: str) -> StepText:
    scene = query.analysis.scene
    sizes = len(corners_of(scene.a.shape)), len(corners_of(scene.b.shape))
    first = len(step.points) - step.newest
    subtracted = step.newest // sizes[1]
    own = vertex_name(scene.a, "A", int(step.sources[first, 0]))
    whom = own if subtracted == 1 else f"{own} and {counted(subtracted - 1, 'more vertex', 'more vertices')} of A"
    return StepText(
        title=f"{place}: subtract",
        known=f"A has {counted(sizes[0], 'vertex', 'vertices')} and B has {sizes[1]}. "
        f"That makes {counted(sizes[0] * sizes[1], 'difference')} of a vertex of A and a vertex of B.",
        decided=f"Every vertex of B was subtracted from {whom}: {counted(step.newest, 'new point')}, "
        f"{len(step.points)} so far.",
        why=sentences(
            "A − B is the set of all a − b. Its corners are differences of corners. It contains the origin exactly "
            "when A and B share a point.",
            from_a(query),
        ),
        formulas=(_difference_formula(query, step, first),),
        stop=None,
    )


_W, _A, _B, _N, _COUNT_A, _COUNT_B = symbols("w a b N n_A n_B")


def _difference_formula(query: Query, step: BuildStep, number: int) -> Formula:
    scene = query.analysis.scene
    source_a, source_b = step.sources[number].tolist()
    apart = scene.b.pose.position - scene.a.pose.position
    a = placed_vertices(scene.a, 0.0 * apart)[source_a]
    b = placed_vertices(scene.b, apart)[source_b]
    first, second = (shown_part(query.analysis, one) for one in (a, b))
    on_a, on_b = difference_symbols(scene, source_a, source_b)
    return Formula.of(equation(_W, _A - _B, on_a - on_b), first - second, {on_a: first, on_b: second})


def _parallel_words(query: Query, step: BuildStep) -> str:
    """In the plane, the sentence on edges of A that are joined with a parallel edge of -B; "" without any."""
    if query.analysis.polygon is None or step.family is not AxisKind.FACE_A:
        return ""
    edges = query.analysis.polygon.edges
    both = sum(edges[k].edge_a is not None and edges[k].edge_b is not None for k in step.faces)
    if not both:
        return ""
    return (
        f"{both} of them {'is' if both == 1 else 'are'} joined with a parallel edge of −B and as long as both together."
    )


def _close(query: Query, step: BuildStep, place: str) -> StepText:
    assert step.family is not None
    dimension = query.analysis.scene.dimension
    name, why = _FAMILIES[dimension][step.family]
    return StepText(
        title=f"{place}: {name}",
        known=f"All {counted(len(step.points), 'difference')} are drawn. Now the convex hull closes around them.",
        decided=sentences(
            f"The {name} are added: {counted(len(step.faces), terms_of(dimension).face)} of the hull so far.",
            _parallel_words(query, step),
        ),
        why=why,
        formulas=(),
        stop=None,
    )


def _done(query: Query, step: BuildStep, place: str) -> StepText:
    computed = len(step.points)
    corners = 0 if step.on_hull is None else int(step.on_hull.sum())
    overlapping = query.analysis.separation < 0.0
    radius = 0.0 if query.support_maps is None else query.support_maps.radius
    count_a = len(corners_of(query.analysis.scene.a.shape))
    inside = "inside or within the radii of" if radius else "inside"
    return StepText(
        title=f"{place}: the hull is closed",
        known=f"{counted(computed, 'difference')} computed.",
        decided=_hull_words(computed, corners, terms_of(query.analysis.scene.dimension).worded("a face")),
        why=sentences(
            f"The origin is {inside} the hull: the bodies overlap."
            if overlapping
            else f"The origin is not {inside} the hull: the bodies do not overlap.",
            f"A − B itself is this hull of the cores' differences, grown by both radii, {plain(radius)}."
            if radius
            else "",
            asked_sentence(query, computed),
        ),
        formulas=(
            Formula.of(equation(_N, _COUNT_A @ _COUNT_B), computed, {_COUNT_A: count_a, _COUNT_B: computed // count_a}),
        ),
        stop=None,
    )


def _hull_words(computed: int, corners: int, side: str) -> str:
    """The sentence on how many of the `computed` points are corners of the hull."""
    if computed == 1:
        return "The hull is this one point."
    if computed == corners:
        return f"All {computed} of them are corners of the hull."
    inside = "lies" if computed - corners == 1 else "lie"
    return (
        f"{corners} of them are corners of the hull; the other {computed - corners} {inside} inside, on {side}, or "
        "on another corner."
    )


def asked_sentence(query: Query, computed: int) -> str:
    """The sentence on how many of the `computed` differences GJK and EPA asked for.

    "" without steps of GJK, or if a point that they asked for lies on a curved surface.
    """
    gjk, epa = asked_points(query)
    if not gjk or any(vertex < 0 for pair in gjk | epa for vertex in pair):
        return ""
    more = len(epa - gjk)
    spared = computed - len(gjk) - more
    asked = f"GJK asked for {len(gjk)} of all these" + (f", EPA for {more} more" if more else "")
    return f"{asked}: {spared} were not needed." if spared else f"{asked}."


def asked_points(query: Query) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The source vertices of all points that GJK asked for, and of those of EPA: GJK's last simplex among them."""
    gjk: set[tuple[int, int]] = set()
    epa: set[tuple[int, int]] = set()
    for _, step in steps_of(query, GjkStep):
        gjk |= _sources(step.simplex) | _sources(() if step.support is None else (step.support,))
    steps: list[tuple[int, EpaStep | EpaPolygonStep]] = [*steps_of(query, EpaStep), *steps_of(query, EpaPolygonStep)]
    for _, grown in steps:
        epa |= _sources(grown.vertices) | _sources(() if grown.support is None else (grown.support,))
    return gjk, epa


def _sources(points: tuple[DifferencePoint, ...]) -> set[tuple[int, int]]:
    return {(point.vertex_a, point.vertex_b) for point in points}
