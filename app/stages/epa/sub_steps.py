"""EPA's sub-steps: the nearest face or edge, both bounds, the support point, and how the polytope grows by it.

Everything is read off the step. In the plane the nearest edge makes room for two, and there is no horizon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.geometry.vec2 import raised
from core.geometry.vector import Array, dot
from core.gjk.epa import EpaStep, EpaStop
from core.gjk.plane_epa import EpaPolygonStep, PolygonEdge
from core.gjk.polytope import PolytopeFace

from ...draw.draw_list import DrawList, Hidden, Layer, Marker, Rgba, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.style import PLAIN, STRONG
from ...words.digits import MINUS, plain, told_together
from ...words.names import numbered
from ...words.terms import terms_of
from .. import part_pictures as pictures
from .. import picture_parts as shared
from ..stage import At, SubStep, given
from ..word_parts import counted, sentences
from . import MOST_SEEN_THROUGH, STAGE, Step, draw_difference, draw_polytope, draw_span
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


class Drawn(pictures.Drawn[Step], frozen=True, eq=False):
    """The pictures of an expansion's sub-steps, each with what was known by then and no more."""

    @property
    def _piece(self) -> PolytopeFace | PolygonEdge:
        nearest: PolytopeFace | PolygonEdge | None = self._step.nearest
        assert nearest is not None
        return nearest

    @property
    def offset(self) -> float:
        """How far the nearest face's plane, or edge's line, is from the origin; negative with the origin outside."""
        return self._piece.offset

    @property
    def _normal(self) -> Array:
        piece = self._piece
        return np.array(piece.normal) if isinstance(piece, PolytopeFace) else raised(piece.normal)

    @property
    def search(self) -> pictures.Search:
        """The search along n."""
        return pictures.Search(self.at, self._support, "n", "support", self.support, self._step.vertices)

    @property
    def value(self) -> float:
        """How far A − B reaches along the nearest one's normal."""
        return dot(self._normal, self._support.w)

    # In the difference.

    def handed_over(self, context: Context, draw: DrawList) -> None:
        """The polytope, with the points ringed that GJK did not leave; these pop up one after the other."""
        step, theme = self._step, context.theme
        rgba, added = theme.overlap, step.vertices[step.given :]
        if context.progress < 1.0:
            known = np.array([point.w for point in step.vertices[: step.given]]).reshape(-1, 3)
            draw.spots(known, theme.winner, 5.0, theme.halo, 1.5)
            draw_span(context, draw, known, 0.3)
            for number, point in enumerate(added):
                share = context.progress * len(added) - number
                if share > 0.0:
                    pictures.draw_popping(context, draw, point.w, min(share, 1.0))
            draw_origin(context, draw)
            return
        draw_difference(context, draw, step)
        for point in added:
            draw.spots(point.w, faded(rgba, 0.0), 8.0, rgba, 2.4, shape=Marker.RING)

    def closest(self, context: Context, draw: DrawList) -> None:
        """How far each face or edge is from the origin; then the nearest one alone, filled."""
        step, theme = self._step, context.theme
        self._polytope(context, draw)
        if context.progress == 1.0:
            self._nearest(context, draw)
            self._way(context, draw)
        else:
            pieces = step.edges if isinstance(step, EpaPolygonStep) else step.faces
            normals = np.array([np.resize((*piece.normal, 0.0), 3) for piece in pieces])
            feet = normals * np.array([piece.offset for piece in pieces])[:, None]
            grown = pictures.eased(min(2.0 * context.progress, 1.0)) * feet
            draw.lines(np.zeros((len(feet), 3)), grown, faded(theme.gap, 0.7), 1.0, hidden=Hidden.SHOW)
        draw_origin(context, draw)

    def lower(self, context: Context, draw: DrawList) -> None:
        """The ring about the origin that the nearest one touches: the polytope holds it."""
        self._polytope(context, draw)
        self._nearest(context, draw)
        self._rings(context, draw, ((0.0, "depth ≤"), (self.offset, "depth ≥")))
        self._way(context, draw)
        draw_origin(context, draw)

    def support(self, context: Context, draw: DrawList) -> None:
        """The normal n of the nearest one, and the farthest point along it."""
        theme, start = context.theme, given(self._step.closest)
        self._polytope(context, draw)
        self._nearest(context, draw)
        # It sweeps out from the nearest one.
        missing = (1.0 - pictures.eased(context.progress)) * (self.value - self.offset)
        shared.draw_support_plane(context, draw, self._normal, self._support.w - missing * self._normal)
        shared.draw_arrow(draw, start, start + shared.ARROW * context.extent.radius * self._normal, theme.overlap, "n")
        draw_origin(context, draw)
        if context.progress == 1.0:
            pictures.draw_found(context, draw, self._support, self.search.name(context))

    def upper(self, context: Context, draw: DrawList) -> None:
        """How far the plane or line through w is from the origin."""
        self._polytope(context, draw)
        pictures.draw_reach(context, draw, self._support, "n")
        draw_origin(context, draw)

    def visible(self, context: Context, draw: DrawList) -> None:
        """The faces that w sees, each with a line from w to its middle."""
        step = self._space_step
        self._faces(draw, step.faces, faded(context.theme.winner, 0.12), context.theme.winner)
        red = context.theme.overlap
        self._faces(draw, step.removed, faded(red, 0.4), red)
        for face in step.removed:
            middle = self._corners(face).mean(axis=0)
            draw.lines(self._support.w, middle, faded(red, 0.8), 1.2, hidden=Hidden.SHOW)
        self._found(context, draw)

    def horizon(self, context: Context, draw: DrawList) -> None:
        """Without them, their rim with its sense of turning."""
        self._without_removed(context, draw)
        step, rgba = self._space_step, context.theme.overlap
        for i, j in step.horizon:
            draw.strong(step.vertices[i].w, step.vertices[j].w, rgba, 3.0, arrow_end=10.0)
        self._found(context, draw)

    def joined(self, context: Context, draw: DrawList) -> None:
        """What w is joined to, one after the other round the rim."""
        step, rgba = self._step, context.theme.overlap
        come = int(context.progress * len(step.added))
        if isinstance(step, EpaPolygonStep):
            self._polytope(context, draw)
            points = (*step.vertices, self._support)
            for edge in step.added[:come]:
                draw.strong(points[edge.start].w, points[edge.end].w, rgba, 3.0)
        else:
            self._without_removed(context, draw)
            self._faces(draw, self.round_the_rim[:come], faded(rgba, 0.22), rgba)
        self._found(context, draw)

    def bounds(self, context: Context, draw: DrawList) -> None:
        """Both bounds as rings about the origin."""
        step = self._step
        self._polytope(context, draw)
        self._rings(context, draw, ((given(step.upper), "depth ≤"), (given(step.lower), "depth ≥")))
        draw_origin(context, draw)

    def answer(self, context: Context, draw: DrawList) -> None:
        """The nearest one with its distance, the depth."""
        self._polytope(context, draw)
        self._nearest(context, draw)
        self._way(context, draw)
        draw_origin(context, draw)

    @property
    def _space_step(self) -> EpaStep:
        step = self._step
        assert not isinstance(step, EpaPolygonStep)
        return step

    @property
    def round_the_rim(self) -> list[PolytopeFace]:
        """The new faces, each next to the one before."""
        step, found = self._space_step, []
        following = {start: (end, face) for (start, end), face in zip(step.horizon, step.added, strict=True)}
        at = step.horizon[0][0]
        for _ in step.added:
            at, face = following[at]
            found.append(face)
        return found

    def _polytope(self, context: Context, draw: DrawList) -> None:
        """The polytope or polygon before the step, with the names of its nearest corners."""
        step, theme = self._step, context.theme
        points = np.array([point.w for point in step.vertices])
        if isinstance(step, EpaPolygonStep):
            loop = points[[edge.start for edge in step.edges]]
            draw.sheet(loop, faded(theme.winner, 0.22))
            draw.polyline(loop, theme.winner, 2.0, closed=True, hidden=Hidden.SHOW)
        else:
            fill = np.tile(faded(theme.winner, 0.14), (len(step.faces), 1))
            many = len(step.faces) > MOST_SEEN_THROUGH
            width, hidden = (1.0, Hidden.DROP) if many else (1.8, Hidden.FAINT)
            draw_polytope(draw, step, fill, Subject("difference"), theme.winner, width, hidden)
        ends = self._numbers
        draw.spots(points[ends], theme.winner, 4.4, theme.halo, 1.2)
        middle = points.mean(axis=0)
        for number in ends:
            name = numbered("p", number)
            offset = shared.clear_of(context, points[number] - middle, len(name), (0.0, -13.0))
            draw.label(name, points[number], theme.winner, size=PLAIN, offset=offset, priority=50)

    @property
    def _numbers(self) -> list[int]:
        """The corners of the nearest face or edge."""
        piece = self._piece
        return sorted(piece.vertices) if isinstance(piece, PolytopeFace) else [piece.start, piece.end]

    def _nearest(self, context: Context, draw: DrawList) -> None:
        theme, corners = context.theme, np.array([self._step.vertices[k].w for k in self._numbers])
        if len(corners) == 3:
            draw.sheet(corners, faded(theme.winner, 0.5))
        draw.polyline(corners, theme.winner, 3.4, closed=len(corners) > 2, hidden=Hidden.SHOW, layer=Layer.STRONG)

    def _way(self, context: Context, draw: DrawList) -> None:
        """From the origin to the nearest one, with its distance."""
        theme, foot = context.theme, self.offset * self._normal
        draw.strong(np.zeros(3), foot, theme.gap, 2.6)
        draw.points(foot, theme.gap, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
        draw.label(
            f"distance {plain(self.offset)}", foot, theme.gap, size=STRONG, offset=(34.0, 14.0), priority=83, bold=True
        )

    def _rings(self, context: Context, draw: DrawList, bounds: Sequence[tuple[float, str]]) -> None:
        shared.draw_rings(context, draw, self._normal, bounds)

    def _without_removed(self, context: Context, draw: DrawList) -> None:
        step = self._space_step
        gone = {face.number for face in step.removed}
        kept = [face for face in step.faces if face.number not in gone]
        self._faces(draw, kept, faded(context.theme.winner, 0.12), context.theme.winner)

    def _faces(self, draw: DrawList, faces: Sequence[PolytopeFace], fill: Rgba, edge: Rgba) -> None:
        """Faces of a surface that may be open: each with its three sides."""
        for face in faces:
            loop = self._corners(face)
            draw.sheet(loop, fill)
            draw.polyline(loop, faded(edge, 0.7), 1.2, closed=True, hidden=Hidden.SHOW)

    def _corners(self, face: PolytopeFace) -> Array:
        points = (*self._step.vertices, self._support)
        return np.array([points[k].w for k in face.vertices])

    def _found(self, context: Context, draw: DrawList) -> None:
        pictures.draw_found(context, draw, self._support, self.search.name(context))
        draw_origin(context, draw)

    # On the bodies.

    def nothing(self, context: Context, draw: DrawList) -> None:
        """The points that make the nearest face or edge."""
        shared.draw_sources(context, draw, [(k, self._step.vertices[k]) for k in self._numbers])

    def moved(self, context: Context, draw: DrawList) -> None:
        """B moved so far along n that it is just free."""
        pictures.draw_moved(context, draw, (self.value + self.at.radius) * self._normal)
