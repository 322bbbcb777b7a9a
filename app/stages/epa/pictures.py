"""Pictures of EPA's steps and sub-steps: the polytope or polygon, and how a new point makes it grow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from core.geometry import triple
from core.geometry.vec2 import raised
from core.geometry.vector import Array, dot
from core.gjk.epa import EpaStep
from core.gjk.plane_epa import EpaPolygonStep, PolygonEdge
from core.gjk.polytope import PolytopeFace
from core.gjk.simplex import NearestOnSimplex, nearest_on_simplex
from core.pair.support import DifferencePoint
from core.query.query import Phase, Query

from ...draw.between import eased
from ...draw.draw_list import NO_SUBJECT, Dash, DrawList, Hidden, Layer, Marker, Rgba, Subject
from ...draw.theme import faded
from ...overlays.context import Context
from ...overlays.difference import draw_origin
from ...overlays.flat_shapes import outwards
from ...overlays.style import PLAIN, STRONG
from ...words.digits import plain
from .. import step_drawing, sub_step_drawing
from ..radii import answer_label
from ..stage import given, steps_of
from ..sub_step_drawing import fit_points_of_move, fit_points_of_ring, fit_points_of_search

Step: TypeAlias = EpaStep | EpaPolygonStep


MOST_NAMED = 8
"""With more vertices, only those of the nearest face or edge have names; a whole step's polygon names all, unless
`few_names`. A vertex that is found again is named by its ring."""


MOST_SEEN_THROUGH = 24
"""A polytope with more faces is drawn without its hidden edges and with thinner visible ones."""


def draw_difference(context: Context, draw: DrawList, step: Step) -> None:
    """Draws the polytope or polygon, its nearest face or edge, and its growth by one more point.

    Of points without volume it draws their polygon or segment.
    """
    points = np.array([point.w for point in step.vertices])
    if isinstance(step, EpaPolygonStep):
        _draw_polygon(context, draw, step, points)
    else:
        if step.faces:
            _draw_polytope(context, draw, step)
        else:
            draw_span(context, draw, points, 0.3)
        _draw_vertices(context, draw, step, points)
    if step.closest is not None and step.support is not None:
        _draw_growth(context, draw, step, step.support, points, step.closest)
    draw_origin(context, draw)


def _draw_polygon(context: Context, draw: DrawList, step: EpaPolygonStep, points: Array) -> None:
    theme = context.theme
    draw_span(context, draw, points[[edge.start for edge in step.edges]] if step.edges else points, 0.22)
    draw.spots(points, theme.winner, 4.4, theme.halo, 1.2)
    for number in _named(step, few=context.few_names):
        name = _corner_name(context, step, step.vertices[number])
        offset = outwards(points[number] - points.mean(axis=0), len(name))
        draw.label(name, points[number], theme.winner, size=PLAIN, offset=offset, priority=50, kind="point-names")


def _draw_polytope(context: Context, draw: DrawList, step: EpaStep, *, lit: bool = True) -> None:
    """Draws all faces; if `lit`, the nearest is strong, and those that the new point removes are in `theme.overlap`."""
    theme = context.theme
    removed = {face.number for face in step.removed} if lit else set()
    nearest = step.nearest.number if lit and step.nearest is not None else None
    # On a light ground `theme.winner` is dark: marks and words on a stronger face could not be read.
    strong = 0.62 if theme.dark_panels else 0.34
    rgba = np.zeros((len(step.faces), 4))
    for row, face in enumerate(step.faces):
        colour, share = (theme.overlap, 0.34) if face.number in removed else (theme.winner, 0.14)
        rgba[row] = faded(colour, strong if face.number == nearest else share)
    many = len(step.faces) > MOST_SEEN_THROUGH
    share, width, hidden = (0.75, 1.0, Hidden.DROP) if many else (1.0, 1.8, Hidden.FAINT)
    draw_polytope(draw, step, rgba, Subject("difference"), faded(theme.winner, share), width, hidden)


def draw_polytope(
    draw: DrawList,
    step: EpaStep,
    rgba: Array,
    subject: Subject | Sequence[Subject],
    edge: Rgba,
    width: float = 1.8,
    hidden: Hidden = Hidden.FAINT,
) -> None:
    """Draws the polytope's faces, coloured by the rows of `rgba` (f, 4), and the edges between them.

    `subject`: of all faces, or of each. `edge`, `width`, `hidden`: colour, points and hidden parts of the edges.
    """
    points = np.array([point.w for point in step.vertices])
    corners = points[np.array([face.vertices for face in step.faces])]
    normals = np.array([face.normal for face in step.faces])
    edges, beside = edges_of(step.faces)
    planes = np.column_stack((normals, [face.offset for face in step.faces]))
    flat = np.repeat(normals[:, None], 3, axis=1)
    with draw.named("polytope"):
        solid = draw.solid(corners, flat, rgba, subject=subject, planes=planes, plane_pairs=beside)
    start, end, sides = points[edges[:, 0]], points[edges[:, 1]], normals[beside]
    draw.lines(start, end, edge, width, hidden=hidden, layer=Layer.EDGES, solid_number=solid, normals=sides)


def edges_of(faces: tuple[PolytopeFace, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The edges (e, 2) of a closed surface by vertex, and the two faces (e, 2) of each by their index in `faces`."""
    owner = {}
    for row, face in enumerate(faces):
        i, j, k = face.vertices
        owner[i, j] = owner[j, k] = owner[k, i] = row
    pairs = [(start, end) for start, end in owner if start < end]
    return np.array(pairs), np.array([(owner[start, end], owner[end, start]) for start, end in pairs])


def draw_span(context: Context, draw: DrawList, loop: Array, alpha: float) -> None:
    """Draws a loop (k, 3) as a polygon, or the segment between two points; nothing for one point."""
    rgba = context.theme.winner
    if len(loop) > 2:
        draw.sheet(loop, faded(rgba, alpha))
    if len(loop) > 1:
        draw.polyline(loop, rgba, 2.0, closed=len(loop) > 2, hidden=Hidden.SHOW)


def _draw_vertices(context: Context, draw: DrawList, step: EpaStep, points: Array) -> None:
    theme, many = context.theme, len(points) > MOST_NAMED
    size, hidden = (2.6, Hidden.DROP) if many else (4.4, Hidden.FAINT)
    draw.points(points, theme.winner, size, stroke=theme.halo, stroke_width=1.2, hidden=hidden)
    for number in _named(step, few=many or context.few_names):
        name = _corner_name(context, step, step.vertices[number])
        draw.label(name, points[number], theme.winner, size=PLAIN, offset=(0.0, -13.0), priority=50, kind="point-names")


def _named(step: Step, *, few: bool) -> list[int]:
    """Indices of the step's vertices that have names; if `few`, those of the nearest face or edge, if there is one."""
    again = step.support.xyz if step.support is not None and step.closest is not None else None
    shown = corners_of(step.nearest) if few and step.nearest is not None else range(len(step.vertices))
    return [number for number in shown if step.vertices[number].xyz != again]


def corners_of(piece: PolytopeFace | PolygonEdge) -> list[int]:
    """Indices of a face's corners, ascending, or of an edge's, from start to end."""
    return sorted(piece.vertices) if isinstance(piece, PolytopeFace) else [piece.start, piece.end]


def _corner_name(context: Context, step: Step, point: DifferencePoint) -> str:
    """A corner's name, at the hand-over with its sources."""
    names = step_drawing.names_in(context)
    return names.words(context.scene, point) if step.nearest is None else names.name(point)


def _draw_growth(
    context: Context, draw: DrawList, step: Step, support: DifferencePoint, points: Array, closest: Array
) -> None:
    """Draws the nearest face or edge, its distance, both bounds, the search along its normal, and the growth.

    `points` (n, 3): the step's vertices; `closest` (3,): the nearest point v.
    """
    theme = context.theme
    assert step.nearest is not None
    corners: Sequence[int]
    if isinstance(step, EpaPolygonStep):
        kind, subject, corners = "edge", Subject("difference"), (step.nearest.start, step.nearest.end)
        draw.strong(points[corners[0]], points[corners[1]], theme.winner, 4.0)
    else:
        kind, subject, corners = "face", NO_SUBJECT, sorted(step.nearest.vertices)
        loop = points[list(step.nearest.vertices)]
        draw.polyline(loop, theme.winner, 3.0, closed=True, hidden=Hidden.SHOW, layer=Layer.STRONG)
    with draw.named("v"):
        draw.strong(np.zeros(3), closest, theme.lower, 2.8)
        draw.points(closest, theme.lower, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW, subject=subject)
    names = step_drawing.names_in(context)
    brief = f"{kind} {''.join(names.of(step.vertices[k] for k in corners))}"
    word = f"nearest {brief}"
    with draw.named("v"):
        draw.label(
            word,
            closest,
            theme.lower,
            size=STRONG,
            offset=(40.0, 14.0),
            priority=82,
            bold=True,
            brief=brief,
            kind="point-names",
        )
    if step.lower is not None and step.upper is not None:
        step_drawing.draw_bounds(draw, theme, support.direction, _bounds(context, step.lower, step.upper))
    name, stopped = step_drawing.found_name(context, support, step.vertices), step.stop is not None
    answer = answer_label(context, Phase.EPA) if stopped else ""
    step_drawing.draw_search(context, draw, closest, support, "n", name, answer=answer)
    if isinstance(step, EpaStep) and step.horizon:
        horizon = np.array(step.horizon)
        draw.strong(points[horizon[:, 0]], points[horizon[:, 1]], theme.overlap, 4.0)
        corners = np.unique(horizon).tolist()
    if step.added:
        ends = points[list(corners)]
        new = np.broadcast_to(support.w, ends.shape)
        draw.lines(ends, new, theme.winner, 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)


def _bounds(context: Context, lower: float, upper: float) -> tuple[step_drawing.Bound, ...]:
    """Both bounds of the depth."""
    quantity = step_drawing.of_cores(context, "depth")
    return ((upper, quantity, "≤"), (lower, quantity, "≥"))


def draw_world(context: Context, draw: DrawList, step: Step) -> None:
    """Draws on the bodies the sources of the nearest face or edge and of the point found, and the witness points.

    At the hand-over it draws the sources of all points.
    """
    numbers: Sequence[int] = range(len(step.vertices))
    if isinstance(step, EpaPolygonStep):
        held: tuple[tuple[int, ...], NearestOnSimplex] | None = None
        if step.nearest is not None:
            numbers = ends = (step.nearest.start, step.nearest.end)
            held = ends, nearest_on_simplex([step.vertices[k].xyz for k in ends])
    else:
        held = step.held
        numbers = numbers if step.nearest is None else step.nearest.vertices
        if held is not None:
            numbers = sorted({*numbers, *(held[0][k] for k in held[1].region)})
    names = step_drawing.names_in(context)
    points = names.numbered([step.vertices[k] for k in numbers])
    number = None if step.support is None else names.number(step.support)
    step_drawing.draw_found_sources(context, draw, points, step.support, "n", number)
    if held is not None and step.support is not None:
        rows = [step.vertices[held[0][k]] for k in held[1].region]
        step_drawing.draw_witnesses(
            context, draw, *step_drawing.weighted_sources(rows, held[1].weights), step.support.direction
        )


def fit_points(context: Context, query: Query) -> tuple[Array, Array]:
    """The points of all steps that fitted cameras keep in view, in the world and in the difference: (n, 3) each."""
    steps: list[Step] = [step for _, step in steps_of(query, EpaStep)]
    steps += [step for _, step in steps_of(query, EpaPolygonStep)]
    world, difference = fit_points_of_search(context, [step.support for step in steps], query.origin_of(Phase.EPA))
    found = [(step.support, step.upper) for step in steps if step.support is not None and step.upper is not None]
    difference += [fit_points_of_ring(context, point.direction, upper) for point, upper in found]
    radius = 0.0 if query.support_maps is None else query.support_maps.radius
    ways = [(dot(point.direction, point.w) + radius) * point.direction for point, _ in found]
    return np.concatenate((*world, fit_points_of_move(context, ways))), np.concatenate(difference)


class EpaPictures(sub_step_drawing.SubStepPictures[Step], frozen=True, eq=False):
    """The pictures of an expansion's sub-steps, each showing only what is known at that sub-step."""

    @property
    def _piece(self) -> PolytopeFace | PolygonEdge:
        nearest: PolytopeFace | PolygonEdge | None = self._step.nearest
        assert nearest is not None
        return nearest

    @property
    def offset(self) -> float:
        """Distance of the nearest face's plane, or edge's line, from the origin; negative if the origin is outside."""
        return self._piece.offset

    @property
    def corner(self) -> int:
        """Index in the step's vertices of the first corner of the nearest face or edge, in loop order."""
        piece = self._piece
        return piece.vertices[0] if isinstance(piece, PolytopeFace) else piece.start

    @property
    def normal(self) -> Array:
        """The outward unit normal n (3,) of the nearest face or edge."""
        piece = self._piece
        return np.array(piece.normal) if isinstance(piece, PolytopeFace) else raised(piece.normal)

    @property
    def search(self) -> sub_step_drawing.SearchPictures:
        """The search along n."""
        step = self._step
        return sub_step_drawing.SearchPictures(
            at=self.at,
            point=self._support,
            letter="n",
            line="support",
            world=self.sources,
            difference=self._before,
            named=step.vertices,
            start=given(step.closest),
            radius=self.at.radius,
        )

    @property
    def value(self) -> float:
        """The reach of A − B along n, without radii: n·w."""
        return triple.dot(self._support.xyz_direction, self._support.xyz)

    # In the difference.

    def handed_over(self, context: Context, draw: DrawList) -> None:
        """Draws GJK's simplex and, one by one, the points that EPA adds; at the end the polytope, with these ringed."""
        step, theme = self._step, context.theme
        rgba, added = theme.overlap, step.vertices[step.given :]
        if context.progress < 1.0:
            known = np.array([point.w for point in step.vertices[: step.given]]).reshape(-1, 3)
            draw.spots(known, theme.winner, 5.0, theme.halo, 1.5)
            draw_span(context, draw, known, 0.3)
            for number, point in enumerate(added):
                share = context.progress * len(added) - number
                if share > 0.0:
                    sub_step_drawing.draw_popping(context, draw, point.w, min(share, 1.0))
            draw_origin(context, draw)
            return
        draw_difference(context, draw, step)
        for point in added:
            draw.spots(point.w, faded(rgba, 0.0), 8.0, rgba, 2.4, shape=Marker.RING)

    def closest(self, context: Context, draw: DrawList) -> None:
        """Draws the distance of each face or edge from the origin, growing; at the end only the nearest one's."""
        step, theme = self._step, context.theme
        self._polytope(context, draw)
        if context.progress == 1.0:
            self._nearest(context, draw)
            self._way(context, draw)
        else:
            pieces = step.edges if isinstance(step, EpaPolygonStep) else step.faces
            normals = np.array([np.resize((*piece.normal, 0.0), 3) for piece in pieces])
            feet = normals * np.array([piece.offset for piece in pieces])[:, None]
            grown = eased(min(2.0 * context.progress, 1.0)) * feet
            draw.lines(np.zeros((len(feet), 3)), grown, faded(theme.lower, 0.7), 1.0, hidden=Hidden.SHOW)
        draw_origin(context, draw)

    def lower(self, context: Context, draw: DrawList) -> None:
        """Draws the ring about the origin that touches the nearest face or edge; none with the origin outside."""
        self._polytope(context, draw)
        self._nearest(context, draw)
        self._rings(context, draw, _bounds(context, self.offset, 0.0))
        self._way(context, draw)
        draw_origin(context, draw)

    def support(self, context: Context, draw: DrawList) -> None:
        """Draws the normal n of the nearest face or edge, and the farthest point along it."""
        theme, start = context.theme, given(self._step.closest)
        self._polytope(context, draw)
        self._nearest(context, draw)
        # The support plane moves out from the nearest face or edge.
        missing = (1.0 - eased(context.progress)) * (self.value - self.offset)
        step_drawing.draw_support_plane(context, draw, self.normal, self._support.w - missing * self.normal)
        step_drawing.draw_arrow(
            draw, start, start + step_drawing.ARROW_LENGTH * context.extent.radius * self.normal, theme.upper, "n"
        )
        draw_origin(context, draw)
        if context.progress == 1.0:
            step_drawing.draw_found(context, draw, self._support, self.search.name(context))

    def visible(self, context: Context, draw: DrawList) -> None:
        """Draws the faces that w sees, each with a line from w to its middle."""
        step = self._space_step
        self._faces(draw, step.faces, faded(context.theme.winner, 0.12), context.theme.winner)
        red = context.theme.overlap
        self._faces(draw, step.removed, faded(red, 0.4), red)
        for face in step.removed:
            middle = self._corners(face).mean(axis=0)
            draw.lines(self._support.w, middle, faded(red, 0.8), 1.2, hidden=Hidden.SHOW)
        self._found(context, draw)

    def horizon(self, context: Context, draw: DrawList) -> None:
        """Draws the polytope without the faces that w sees, and the horizon as a loop of arrows."""
        self._without_removed(context, draw)
        step, rgba = self._space_step, context.theme.overlap
        for i, j in step.horizon:
            draw.strong(step.vertices[i].w, step.vertices[j].w, rgba, 3.0, arrow_end=10.0)
        self._found(context, draw)

    def joined(self, context: Context, draw: DrawList) -> None:
        """Draws the new faces or edges that join w, one after the other round the horizon."""
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
        """Draws both bounds as rings about the origin."""
        step = self._step
        self._polytope(context, draw)
        self._rings(context, draw, _bounds(context, given(step.lower), given(step.upper)))
        draw_origin(context, draw)

    def answer(self, context: Context, draw: DrawList) -> None:
        """Draws the nearest face or edge with its distance, the depth of the cores, and with radii the answer."""
        self._polytope(context, draw)
        self._nearest(context, draw)
        self._way(context, draw)
        draw_origin(context, draw)
        foot = self.offset * self.normal
        step_drawing.draw_radius(context, draw, foot, self.normal, answer_label(context, Phase.EPA))

    @property
    def _space_step(self) -> EpaStep:
        step = self._step
        assert not isinstance(step, EpaPolygonStep)
        return step

    @property
    def round_the_rim(self) -> list[PolytopeFace]:
        """The new faces in order round the horizon, each beside the one before."""
        step, found = self._space_step, []
        following = {start: (end, face) for (start, end), face in zip(step.horizon, step.added, strict=True)}
        at = step.horizon[0][0]
        for _ in step.added:
            at, face = following[at]
            found.append(face)
        return found

    def _before(self, context: Context, draw: DrawList) -> None:
        self._polytope(context, draw)
        draw_origin(context, draw)

    def _polytope(self, context: Context, draw: DrawList) -> None:
        """Draws the polytope or polygon before the step, with its corners' names.

        One of more than MOST_NAMED corners has those of the nearest face's or edge's alone.
        """
        step, theme = self._step, context.theme
        points = np.array([point.w for point in step.vertices])
        shown = self.corners if context.few_names or len(points) > MOST_NAMED else list(range(len(points)))
        if isinstance(step, EpaPolygonStep):
            draw_span(context, draw, points[[edge.start for edge in step.edges]], 0.22)
        else:
            _draw_polytope(context, draw, step, lit=False)
        draw.spots(points[shown], theme.winner, 4.4, theme.halo, 1.2)
        middle = points.mean(axis=0)
        for number in shown:
            name = self.at.names.name(step.vertices[number])
            offset = step_drawing.clear_of(context, points[number] - middle, len(name), (0.0, -13.0))
            draw.label(name, points[number], theme.winner, size=PLAIN, offset=offset, priority=50, kind="point-names")

    @property
    def corners(self) -> list[int]:
        """Indices in the step's vertices of the nearest face's or edge's corners, as `corners_of` gives them."""
        return corners_of(self._piece)

    def _nearest(self, context: Context, draw: DrawList) -> None:
        theme, corners = context.theme, np.array([self._step.vertices[k].w for k in self.corners])
        if len(corners) == 3:
            draw.sheet(corners, faded(theme.winner, 0.5))
        draw.polyline(corners, theme.winner, 3.4, closed=len(corners) > 2, hidden=Hidden.SHOW, layer=Layer.STRONG)

    def _way(self, context: Context, draw: DrawList) -> None:
        """Draws the line from the origin to the nearest face or edge, with its distance."""
        theme, foot = context.theme, self.offset * self.normal
        kind = "edge" if isinstance(self._step, EpaPolygonStep) else "face"
        draw.strong(np.zeros(3), foot, theme.lower, 2.6)
        draw.points(foot, theme.lower, 5.2, shape=Marker.DIAMOND, hidden=Hidden.SHOW)
        draw.label(
            f"nearest {kind} {plain(self.offset)}",
            foot,
            theme.lower,
            size=STRONG,
            offset=(34.0, 14.0),
            priority=83,
            bold=True,
            kind="distance",
        )

    def _rings(self, context: Context, draw: DrawList, bounds: Sequence[step_drawing.Bound]) -> None:
        step_drawing.draw_rings(context, draw, self.normal, bounds)

    def _without_removed(self, context: Context, draw: DrawList) -> None:
        step = self._space_step
        gone = {face.number for face in step.removed}
        kept = [face for face in step.faces if face.number not in gone]
        self._faces(draw, kept, faded(context.theme.winner, 0.12), context.theme.winner)

    def _faces(self, draw: DrawList, faces: Sequence[PolytopeFace], fill: Rgba, edge: Rgba) -> None:
        """Draws faces of a surface that may be open, each with its three edges."""
        for face in faces:
            loop = self._corners(face)
            draw.sheet(loop, fill)
            draw.polyline(loop, faded(edge, 0.7), 1.2, closed=True, hidden=Hidden.SHOW)

    def _corners(self, face: PolytopeFace) -> Array:
        points = (*self._step.vertices, self._support)
        return np.array([points[k].w for k in face.vertices])

    def _found(self, context: Context, draw: DrawList) -> None:
        step_drawing.draw_found(context, draw, self._support, self.search.name(context))
        draw_origin(context, draw)

    # On the bodies.

    def sources(self, context: Context, draw: DrawList) -> None:
        """Draws on the bodies the sources of the nearest face or edge."""
        step_drawing.draw_sources(context, draw, self.at.names.numbered([self._step.vertices[k] for k in self.corners]))
