"""Picking: the subject drawn under the pointer, the solid that the line of sight meets, and that solid's face.

`pick` reads the placed pane, the same arrays that the renderer draws. Its order is: markers, lines, labels, faces, and
edges of solids, which are last so that a faint edge behind a face never wins over the face. Primitives without a
subject are skipped. `hit_body`, `hit_difference` and `axis_under` use the scene's float64 numbers instead of the placed
pane. `hit_body` and `hit_difference` can hit a half-space only on the drawn square, and `hit_body` treats the arcs of a
rounded polygon as the drawn chords.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from math import hypot

import numpy as np
from msgspec.structs import replace

from core.geometry import triple
from core.geometry.plane import Plane
from core.geometry.vector import Array, dot, dots, length, length_rows
from core.pair.candidate_axes import AxisKind
from core.pair.cores import core_of, to_local
from core.pair.support import support_maps
from core.rays.raycast import raycast, support_raycast_steps
from core.sat.table import SatTable
from core.scene import Z_AXIS, Body, Scene
from core.shapes import ball_radius
from core.toi.ray import DifferenceMap
from core.trace import run

from ..draw.camera import Sight
from ..draw.draw_list import IntArray, Subject
from ..draw.meshes.mesh import flat_outline
from ..draw.placed import PlacedLabel, PlacedLines, PlacedMarks, PlacedPane, PlacedTriangles
from ..overlays.context import Context, Extent, difference_square, patch
from ..state.view import Seen

LINE_RANKS = {"gizmo": 0, "axis": 1}
"""The order of kinds of lines near the pointer: these come before other lines, even before nearer ones."""
EDGE_KINDS = frozenset({"body", "difference"})
"""Kinds of lines that are edges and outlines of solids."""


def pick(
    placed: PlacedPane, x: float, y: float, radius: float = 6.0, kinds: Collection[str] | None = None
) -> Subject | None:
    """The subject at the pixel (x, y) of the pane, if any.

    `radius`: the reach in pixels from a line's border, and from a marker's centre unless the marker is larger. `kinds`:
    the allowed kinds of subjects, None for all; others are skipped.
    """
    return next(_candidates(placed, x, y, radius, kinds), None)


def _candidates(
    placed: PlacedPane, x: float, y: float, radius: float, kinds: Collection[str] | None
) -> Iterator[Subject]:
    pointer = np.array((x, y))
    on_lines = [placed.lines.subjects[row] for row in _lines_at(placed.lines, pointer, radius)]
    for subject in (
        *(placed.marks.subjects[row] for row in _marks_at(placed.marks, pointer, radius)),
        *(subject for subject in on_lines if subject.kind not in EDGE_KINDS),
        *(label.subject for label in placed.labels if _holds(label, x, y)),
        *(placed.triangles.subjects[row] for row in _faces_at(placed.triangles, pointer)),
        *(subject for subject in on_lines if subject.kind in EDGE_KINDS),
    ):
        if subject.kind != "none" and (kinds is None or subject.kind in kinds):
            yield subject


def _marks_at(marks: PlacedMarks, pointer: Array, radius: float) -> list[int]:
    offset = marks.centre - pointer
    distance = np.sqrt(dots(offset, offset))
    near = np.nonzero(distance <= np.maximum(marks.radius, radius))[0]
    # Among markers at equal distances the one drawn last, on top, comes first.
    order: list[int] = near[np.lexsort((-near, distance[near]))].tolist()
    return order


def _lines_at(lines: PlacedLines, pointer: Array, radius: float) -> list[int]:
    distance = np.maximum(_line_distances(lines, pointer) - 0.5 * lines.width, 0.0)
    near = np.nonzero(distance <= radius)[0]
    rank = _ranks(lines.subjects, near, LINE_RANKS)
    order: list[int] = near[np.lexsort((-near, distance[near], rank))].tolist()
    return order


def _line_distances(lines: PlacedLines, pointer: Array) -> Array:
    way, offset = lines.end - lines.start, pointer - lines.start
    square = dots(way, way)
    along = dots(offset, way) / np.maximum(square, 1e-12)
    gap = offset - np.clip(along, 0.0, 1.0)[:, None] * way
    distances: Array = np.sqrt(dots(gap, gap))
    return distances


def _holds(label: PlacedLabel, x: float, y: float) -> bool:
    return label.x <= x <= label.x + label.width and label.y <= y <= label.y + label.height


def _faces_at(triangles: PlacedTriangles, pointer: Array) -> list[int]:
    """The rows of front faces under the pointer: faces of axes, then others, then sheets; each group nearest first."""
    rows = np.nonzero(triangles.front)[0]
    corners = triangles.corners[rows]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    offset = pointer - corners[:, 0, :2]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    flat = area == 0.0
    area = np.where(flat, 1.0, area)
    u = (offset[:, 0] * second[:, 1] - offset[:, 1] * second[:, 0]) / area
    v = (first[:, 0] * offset[:, 1] - first[:, 1] * offset[:, 0]) / area
    # A small tolerance closes the gap between two triangles of one face.
    inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & ~flat
    hit = np.nonzero(inside)[0]
    depth = corners[hit, 0, 2] + u[hit] * first[hit, 2] + v[hit] * second[hit, 2]
    found = rows[hit]
    rank = np.where(triangles.sheet[found] == 1, 2, _ranks(triangles.subjects, found, {"axis": -1}))
    order: list[int] = found[np.lexsort((depth, rank))].tolist()
    return order


def _ranks(subjects: Sequence[Subject], rows: IntArray, ranks: dict[str, int]) -> IntArray:
    """The rank of each row's subject by its kind; the last rank for kinds not in `ranks`."""
    last = max(ranks.values()) + 1
    return np.array([ranks.get(subjects[row].kind, last) for row in rows.tolist()], dtype=np.int64)


def hit_body(scene: Scene, index: int, sight: Sight) -> float | None:
    """The distance along the line of sight at which it enters body `index`; None if it misses the body.

    If the eye is inside a solid, the distance is to the point where the line leaves the solid. A half-space can be hit
    only on its drawn square: otherwise hardly any empty space would remain for turning the view.
    """
    body = scene.body(index)
    if flat_outline(body.shape) is not None:
        return _through_plane(sight, lambda x, y: flat_body_holds(body, (x, y)))
    found = raycast(body, sight.origin, sight.direction)
    met = None if found is None else found.exit if found.inside else found.entry
    if met is None:
        return None
    if body.shape.plane is not None and not _in_square(met.point, patch(body, scene.body(1 - index))):
        return None
    return met.t


NORMAL_TOLERANCE = 1e-9
"""A line of sight meets a face if the cosine between the face's normal and the surface's normal exceeds 1 -
NORMAL_TOLERANCE."""


def face_pointed_at(body: Subject, pane: str, sight: Sight, beside: Sight, seen: Seen) -> Subject:
    """The subject for the pointer on a body: the axis of its face there, else the body itself.

    In the difference's pane, or with a probe, a free axis, an open question or bodies in motion, it is the body itself.
    `beside`: a line of sight near `sight`; the distance between the two is the reach of a 2D edge.
    """
    tool = seen.view.probe is not None or seen.view.free is not None
    if pane == "difference" or seen.reveal.question is not None or tool or Context(**seen.facts).under_way:
        return body
    row = axis_under(seen.scene, seen.analysis.sat, body.number, sight, beside)
    return body if row is None else Subject("axis", row)


def axis_under(scene: Scene, table: SatTable, index: int, sight: Sight, beside: Sight) -> int | None:
    """The row of the `table` whose axis is the normal of the face of body `index` under the line of sight.

    In 2D the face is the edge nearest to `sight`, at most as far from `sight` as `beside` is. None on a round border,
    on a body without faces, and if the table has no axes of the body's faces.
    """
    kind = (AxisKind.FACE_A, AxisKind.FACE_B)[index]
    first = next((row for row, candidate in enumerate(table.candidates) if candidate.kind is kind), None)
    if first is None:
        return None
    body = scene.body(index)
    if flat_outline(body.shape) is not None:
        line = _edge_near(body, sight, beside)
    elif body.shape.plane is not None:
        line = 0
    else:
        line = _face_line(scene, index, sight)
    return None if line is None else first + line


def _edge_near(body: Body, sight: Sight, beside: Sight) -> int | None:
    # Imported on demand: the program's start does not need the module.
    from ..overlays.axis_sources import edge_in_plane

    met, reach = (one.on_plane(np.zeros(3), np.array(Z_AXIS)) for one in (sight, beside))
    core = body.shape.core
    if met is None or reach is None or core is None or core.solid is None:
        return None
    ends = np.array([edge_in_plane(body, edge)[0] for edge in range(len(body.shape.face_normals))])
    way = ends[:, 1] - ends[:, 0]
    along = dots(met - ends[:, 0], way) / dots(way, way)
    gaps = length_rows(ends[:, 0] + along[:, None] * way - met)
    gaps[(along < 0.0) | (along > 1.0)] = np.inf
    nearest = int(np.argmin(gaps))
    return nearest if gaps[nearest] <= length(reach - met) else None


def _face_line(scene: Scene, index: int, sight: Sight) -> int | None:
    body = scene.body(index)
    found = raycast(body, sight.origin, sight.direction)
    if found is None or found.entry is None:
        return None
    core = core_of(body, "AB"[index], body.pose.position)
    facing = dots(core.solid.normals[: core.area_faces], found.entry.normal)
    face = int(np.argmax(facing))
    return int(core.face_lines[face]) if facing[face] > 1.0 - NORMAL_TOLERANCE else None


def hit_difference(scene: Scene, sight: Sight, plane: Plane | None) -> float | None:
    """The distance along the line of sight, in the difference's frame, to A - B.

    None if the line misses A - B, or if the eye is inside a bounded A - B. `plane`: the plane that bounds the
    difference with a half-space, which can be hit only on its drawn square; None for other differences.
    """
    if flat_outline(scene.a.shape) is not None:
        return _through_plane(sight, lambda x, y: flat_difference_holds(scene, (x, y)))
    if plane is not None:
        met = sight.on_plane(plane.point(), plane.normal)
        seen = met is not None and _in_square(met, difference_square(Extent.of(scene), plane))
        return dot(met - sight.origin, sight.direction) if met is not None and seen else None
    maps = support_maps(scene.a, scene.b, rounded="full")
    radius = scene.a.shape.bounding_radius + scene.b.shape.bounding_radius + triple.length(maps.offset)
    found = run(support_raycast_steps(DifferenceMap(maps), 0.0, radius, sight.origin, sight.direction)).hit
    return None if found is None else found.t


def _through_plane(sight: Sight, holds: Callable[[float, float], bool]) -> float | None:
    """The distance along the line of sight to the plane z = 0; None unless `holds(x, y)` is True of the point there."""
    met = sight.on_plane(np.zeros(3), np.array(Z_AXIS))
    if met is None or not holds(float(met[0]), float(met[1])):
        return None
    return dot(met - sight.origin, sight.direction)


def flat_body_holds(body: Body, point: tuple[float, float]) -> bool:
    """Whether a 2D body contains a world point (x, y). The arcs of a rounded polygon count as the drawn chords."""
    x, y = to_local(body, point)
    outline, radius = flat_outline(body.shape), ball_radius(body.shape)
    if outline is None or radius is not None:
        return hypot(x, y) <= body.shape.bounding_radius
    ways = np.roll(outline, -1, axis=0) - outline
    across = ways[:, 0] * (y - outline[:, 1]) - ways[:, 1] * (x - outline[:, 0])
    return bool((across >= 0.0).all())


def flat_difference_holds(scene: Scene, point: tuple[float, float]) -> bool:
    """Whether the difference of two 2D bodies contains a point (x, y) of its own frame."""
    from core.sat.plane import plane_sat

    x, y, _ = scene.b.position
    # B moved by the point meets A exactly if the difference contains the point.
    moved = replace(scene.b, position=(x + point[0], y + point[1], 0.0))
    return plane_sat(scene.a, moved).separation <= 0.0


def _in_square(point: Array, square: Array) -> bool:
    """Whether a point (3,) of the square's plane lies in the square with these corners (4, 3)."""
    inward = np.roll(square, -2, axis=0) - np.roll(square, -1, axis=0)
    return all(dot(point - corner, way) >= 0.0 for corner, way in zip(square, inward, strict=True))
