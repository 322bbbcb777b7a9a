"""A sphere that moves past a box: the 27 regions about the box, the path that crosses them, and the grown box.

The planes of the box's faces cut space into cells. A cell is named by the coordinates that lie outside: `<+1, 0, -1>`.
The sphere's centre is a point that moves through them, relative to the box. The box is grown by the radius: its faces
are moved out, each edge gets a quarter cylinder and each corner an octant of a sphere. Everything is drawn about the
box at its start.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
from msgspec import Struct

from core.analysis.motion_answers import SweepAnswer
from core.geometry.quaternion import Pose
from core.geometry.vector import Array
from core.scene import Body
from core.shapes import Box
from core.toi import MotionMethod
from core.toi.spheres import Crossing, GrownPiece, SphereBoxStep, region_name

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Rgba
from ..draw.meshes.mesh import Mesh, grown_mesh, sphere_triangles
from ..draw.theme import Theme, faded
from ..state.playback import impact_of
from ..words.digits import MINUS
from .context import Context
from .style import FINE, PLAIN, STRONG

Sides = tuple[int, int, int]

ALL_SIDES: tuple[Sides, ...] = tuple((x, y, z) for x, y, z in product((-1, 0, 1), repeat=3))

ALL = "regions"
"""Id of the overlay that shows all 27 cells."""

CELL_REACH = 1.6
"""Cells extend by this many radii of the sphere beyond the box, and farther if the path does."""
ARC_PIECES = 8
"""Pieces of a quarter circle."""
BOX_OPACITY, MET_OPACITY = 0.13, 0.3
"""Opacities of the grown box and of its piece that the sphere meets."""
OCTANT = 5
"""Divisions of an octant's side, for the octant that the sphere meets."""
LEAST_COORDINATE = 1e-9
"""A smaller coordinate of a unit normal counts as 0, because it is rounding."""
CELL_EDGES = ((0, 1), (1, 3), (3, 2), (2, 0), (4, 5), (5, 7), (7, 6), (6, 4), (0, 4), (1, 5), (2, 6), (3, 7))
"""Edges of a cell by the numbers of its corners. A number's binary digits are 0 for low and 1 for high, in x, y, z."""
CELL_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Faces of a cell by the numbers of its corners, in loop order."""


class _BoxRegions(Struct, frozen=True, eq=False):
    """The box's pose and half extents (3,), the sphere's radius, and the cells' farthest coordinates `outer` (3,)."""

    pose: Pose
    half: Array
    radius: float
    outer: Array
    box: Box

    def corners(self, sides: Sides) -> Array:
        """Corners (8, 3) of a cell, world."""
        levels = ((-self.outer, -self.half), (-self.half, self.half), (self.half, self.outer))
        low, high = (np.array([levels[side + 1][end][k] for k, side in enumerate(sides)]) for end in (0, 1))
        picked = np.array(tuple(product((0, 1), repeat=3)))
        return self.pose.to_world(np.where(picked == 1, high, low))


def draw_regions(context: Context, draw: DrawList, sweep: SweepAnswer, time: float) -> None:
    """Draws regions, grown box and path at a time; nothing unless the pair is a sphere and a box that do not turn."""
    steps = next((trace.steps for trace in sweep.traces if trace.method is MotionMethod.SPHERE_BOX), ())
    if not steps:
        return
    first: SphereBoxStep = steps[0]
    about, impact = _about(context, first), impact_of(sweep)
    _draw_grown(context.theme, draw, about, None if impact is None else _crossing_at(first.crossings, impact).sides)
    if ALL in context.view.shown:
        _draw_all(context.theme, draw, about, {crossing.sides for crossing in first.crossings})
    _draw_cells(context.theme, draw, about, first.crossings, _crossing_at(first.crossings, time))
    _draw_path(context, draw, about, first, time)


def draw_regions_step(context: Context, draw: DrawList, step: SphereBoxStep, time: float) -> None:
    """Draws a step of the walk: the cells so far, its own lit, and the tested piece of the grown box.

    Draws nothing for a step without a cell.
    """
    if step.crossing is None:
        return
    about = _about(context, step)
    _draw_grown(context.theme, draw, about, step.crossing.sides)
    walked = step.crossings[: step.crossings.index(step.crossing) + 1]
    _draw_cells(context.theme, draw, about, walked, step.crossing)
    _draw_path(context, draw, about, step, time)


def box_of(context: Context) -> Body:
    """The body that is the box, of a sphere and a box."""
    core = context.scene.a.shape.core
    return context.scene.a if core is not None and core.boxed else context.scene.b


def _about(context: Context, step: SphereBoxStep) -> _BoxRegions:
    box = box_of(context)
    ends = np.abs(np.array((step.centre, step.centre + step.velocity)))
    outer = np.maximum(step.half_extents + CELL_REACH * step.radius, ends.max(axis=0) + 0.3 * step.radius)
    x, y, z = (2.0 * step.half_extents).tolist()
    return _BoxRegions(box.pose, step.half_extents, step.radius, outer, Box((x, y, z)))


@lru_cache(maxsize=2)
def _grown(box: Box, radius: float) -> tuple[Mesh, Array]:
    """The grown box in its frame, and the sides (m, 3) of the piece that each triangle belongs to."""
    mesh = grown_mesh(box.polyhedron, radius)
    # A face's normal has one coordinate, a quarter cylinder's two, an octant's three.
    outward = mesh.normals.mean(axis=1)
    return mesh, np.where(np.abs(outward) < LEAST_COORDINATE, 0.0, np.sign(outward))


def _crossing_at(crossings: tuple[Crossing, ...], time: float) -> Crossing:
    return next((crossing for crossing in crossings if time <= crossing.leave), crossings[-1])


def piece_rgba(theme: Theme, piece: GrownPiece) -> Rgba:
    """Colour of a region by the piece of the grown box that lies in it."""
    return {
        GrownPiece.INSIDE: theme.overlap,
        GrownPiece.FACE: theme.family_a,
        GrownPiece.EDGE: theme.family_edges,
        GrownPiece.CORNER: theme.family_closest,
    }[piece]


def _draw_cells(
    theme: Theme, draw: DrawList, about: _BoxRegions, crossings: tuple[Crossing, ...], current: Crossing
) -> None:
    for crossing in crossings:
        lit, rgba = crossing is current, piece_rgba(theme, crossing.piece)
        corners = about.corners(crossing.sides)
        start, end = (corners[[edge[k] for edge in CELL_EDGES]] for k in (0, 1))
        draw.lines(start, end, faded(rgba, 0.95 if lit else 0.4), 1.8 if lit else 1.0, layer=Layer.BACK)
        if lit:
            for face in CELL_FACES:
                draw.sheet(corners[list(face)], faded(rgba, 0.07))
        outside = about.pose.to_world(np.array(crossing.sides) * about.outer)
        words = crossing_words(crossing) if lit else _name(crossing.sides)
        size, priority = (STRONG, 79) if lit else (PLAIN, 58)
        draw.label(
            words, outside, rgba, size=size, offset=(0.0, -12.0), priority=priority, bold=lit, kind="region-names"
        )


def _draw_path(context: Context, draw: DrawList, about: _BoxRegions, step: SphereBoxStep, time: float) -> None:
    """Draws the centre's path relative to the box, marked where it passes from one region to the next."""
    theme = context.theme
    if any(box_of(context).displacement):
        # If the box rests, the path is the sphere's own arrow.
        start, end = (about.pose.to_world(step.centre + t * step.velocity) for t in (0.0, 1.0))
        draw.lines(start, end, theme.text, 1.5, dash=Dash.DASHED, hidden=Hidden.SHOW, layer=Layer.NORMAL)
        draw.label(
            "its path, seen from the box",
            end,
            theme.text,
            size=PLAIN,
            offset=(0.0, 16.0),
            priority=57,
            kind="time-words",
        )
    cuts = [about.pose.to_world(crossing.start) for crossing in step.crossings[1:]]
    if cuts:
        draw.spots(np.array(cuts), theme.background_top, 4.2, theme.text, 1.6, shape=Marker.SQUARE)
    now = about.pose.to_world(step.centre + time * step.velocity)
    draw.spots(now, theme.text, 4.6, theme.halo, 1.5)


def _draw_all(theme: Theme, draw: DrawList, about: _BoxRegions, named: set[Sides]) -> None:
    """Draws all cells; `named`: cells that have their names already."""
    levels = [(-o, -h, h, o) for o, h in zip(about.outer.tolist(), about.half.tolist(), strict=True)]
    lines = []
    for axis, along in enumerate(levels):
        others = [level if k != axis else (0.0,) for k, level in enumerate(levels)]
        for place in product(*others):
            line = np.array((place, place))
            line[:, axis] = along[0], along[3]
            lines.append(line)
    start, end = (about.pose.to_world(np.array([line[k] for line in lines])) for k in (0, 1))
    draw.lines(start, end, faded(theme.dim_text, 0.5), 0.8, layer=Layer.BACK)
    for sides in ALL_SIDES:
        if sides not in named:
            middle = about.corners(sides).mean(axis=0)
            draw.label(
                _name(sides), middle, theme.dim_text, size=FINE, offset=(0.0, 0.0), priority=20, kind="region-names"
            )


def crossing_words(crossing: Crossing) -> str:
    """`<+1, +1, −1> octant`."""
    return f"{_name(crossing.sides)} {crossing.piece.value}"


def _name(sides: Sides) -> str:
    return region_name(sides).replace("-", MINUS)


def _draw_grown(theme: Theme, draw: DrawList, about: _BoxRegions, met: Sides | None) -> None:
    """Draws the grown box as glass, because the bodies are inside it; pieces by colour, and any piece `met` strong."""
    mesh, sides = _grown(about.box, about.radius)
    # In the order of the number of coordinates outside.
    pieces = (GrownPiece.INSIDE, GrownPiece.FACE, GrownPiece.EDGE, GrownPiece.CORNER)
    fills = np.array([faded(piece_rgba(theme, piece), BOX_OPACITY) for piece in pieces])
    rgba = fills[np.abs(sides).sum(axis=1).astype(np.int64)]
    corners, normals = about.pose.to_world(mesh.corners), about.pose.direction_to_world(mesh.normals)
    edge, faint = faded(theme.difference_edge, 0.7), faded(theme.difference_edge, 0.4)
    draw.solid(corners, normals, rgba, smooth=True, outline=edge, outline_width=1.2, glass=True)
    start, end = _rims(about.box, about.radius)
    draw.lines(about.pose.to_world(start), about.pose.to_world(end), faint, 0.8, layer=Layer.BACK)
    if met is None or not any(met):
        return
    # Sheets are painted over the bodies, glass behind them.
    for triangle in _surface(about.box, about.radius, met):
        draw.sheet(about.pose.to_world(triangle), faded(theme.winner, MET_OPACITY))
    for points in _piece_lines(about.box, about.radius, met):
        draw.polyline(about.pose.to_world(points), theme.winner, 2.6, hidden=Hidden.FAINT, layer=Layer.STRONG)


def _surface(box: Box, radius: float, sides: Sides) -> Array:
    """Triangles (m, 3, 3) of a piece of the grown box, in its frame."""
    if all(sides):
        rounds = sphere_triangles(OCTANT)
        octant = (np.sign(rounds.mean(axis=1)) == sides).all(axis=1)
        corner: Array = np.array(sides) * box.half_extents + radius * rounds[octant]
        return corner
    mesh, pieces = _grown(box, radius)
    found: Array = mesh.corners[(pieces == sides).all(axis=1)]
    return found


@lru_cache(maxsize=2)
def _rims(box: Box, radius: float) -> tuple[Array, Array]:
    """Starts and ends (n, 3) of the lines between the pieces of the grown box, in its frame."""
    # The edges' own lines are the rims of faces and corners.
    rims = [rim for sides in ALL_SIDES if sum(map(abs, sides)) in (1, 3) for rim in _piece_lines(box, radius, sides)]
    return np.concatenate([rim[:-1] for rim in rims]), np.concatenate([rim[1:] for rim in rims])


def _piece_lines(box: Box, radius: float, sides: Sides) -> list[Array]:
    """The rim of a piece of the grown box, in its frame: lines of points (n, 3)."""
    outside = [k for k in range(3) if sides[k]]
    inside = [k for k in range(3) if not sides[k]]
    half = box.half_extents
    corner = np.array(sides) * half
    if len(outside) == 1:
        rim = np.repeat((corner + radius * np.array(sides))[None], 5, axis=0)
        rim[:, inside] = half[inside] * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)))
        return [rim]
    if len(outside) == 3:
        return [_arc(radius, corner, sides, first, second) for first, second in ((0, 1), (1, 2), (2, 0))]
    along = inside[0]
    ends = []
    for side in (-1.0, 1.0):
        at = corner.copy()
        at[along] = side * half[along]
        ends.append(_arc(radius, at, sides, outside[0], outside[1]))
    return [*ends, np.array((ends[0][0], ends[1][0])), np.array((ends[0][-1], ends[1][-1]))]


def _arc(radius: float, centre: Array, sides: Sides, first: int, second: int) -> Array:
    """A quarter circle about `centre` (3,) from the outward side of one axis to that of another."""
    turn = np.linspace(0.0, 0.5 * np.pi, ARC_PIECES + 1)
    out = np.repeat(centre[None], ARC_PIECES + 1, axis=0)
    out[:, first] += radius * sides[first] * np.cos(turn)
    out[:, second] += radius * sides[second] * np.sin(turn)
    return out
