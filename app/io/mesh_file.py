"""Makes convex hulls from mesh files (OBJ, STL), which trimesh reads.

The hull is that of the mesh's points as they are in the file. The triangles are used only to find whether the mesh is
convex. trimesh is imported when the first file is read, as its import takes a second.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.triple import Triple
from core.geometry.vector import Array, cross_rows, dots, length_rows
from core.shapes import Hull, Polyhedron
from core.shapes.simplified import extreme, simplified

from ..shapes import LARGEST_NUMBER
from ..storage.files import MEGABYTE, open_file, readable, reason_of
from ..storage.strict_json import DataError, excerpt
from .scene_file import MESH_SUFFIXES, SceneError
from .shape_file import MOST_POINTS, check_coordinates, hull_of, mesh_named

LIMIT = 256 * MEGABYTE


_GAP, _NUMBER = rb"(?:[ \t]|\\\r?\n)+", rb"[-+]?(?:\d|\.\d|nan|inf)[^\s\\]*"
_SHORT_VERTEX = rb"(?mi)^[ \t]*v(?=\s|\Z)(?!" + 2 * (_GAP + _NUMBER) + _GAP + _NUMBER + rb"(?:\s|\\|\Z))[^\n]*"
"""Matches a vertex of an OBJ file without three numbers; trimesh would go on in the next line, or accept two."""
_BLANKS = bytes.maketrans(b"\t\v\f", b"   ")
_UNREAD, _CAPITAL = rb"(?m)^ +|#[^\n]*", rb"(?m)^V(?= )"
_VERTEX, _FACE = (rb"(?mi)^[ \t]*" + key + rb"[ \t]+([^\n]*)" for key in (b"v", b"f"))
MOST_VERTICES = MOST_TRIANGLES = 500_000
"""Limits of a mesh file. Reading takes 2 kB and 40 μs for each triangle."""
CONVEX = 1e-6
"""A closed mesh of one part counts as convex if its volume, of a flat one its area, differs from its hull's by at most
this fraction: STL has seven digits."""


READING, FINDING_POINTS, HULL, SIMPLER = STAGES = (
    "reading the file",
    "looking for its points",
    "building the hull",
    "choosing corners",
)
"""The stages of the work on a mesh, in order; the last only if the hull is simplified."""


class TooManyCornersError(SceneError):
    """A mesh whose hull has more corners than a scene may have."""


class MeshHull(Struct, frozen=True):
    """The hull of a mesh, with only its corners as points.

    `point_count`: of the different points in the file, or of all points given to `simpler_hull`.

    If the mesh is not convex, the hull's `hull_of` is set: if the mesh has several parts, a surface that is not closed,
    or a volume other than the hull's. `fills`: the mesh's volume divided by its hull's, 0 to 1; None for a simplified
    hull, without triangles, and as in `Surface`.

    `moved_by`: for a simplified hull, the largest distance of the true hull from it, scene units; else None.
    `corner_count`: of the true hull, of which a simplified hull keeps some; 0 if not counted.
    """

    hull: Hull
    point_count: int
    fills: float | None
    corner_count: int = 0
    moved_by: float | None = None

    @property
    def remark(self) -> str:
        """One or two sentences on the difference between hull and mesh.

        "" for the whole hull of a convex mesh or of points alone.
        """
        return " ".join(one for one in (self._not_convex(), self._simplified()) if one)

    def _simplified(self) -> str:
        if self.moved_by is None:
            return ""
        return (
            f"Simplified from {self.corner_count}: it lies inside the true hull, at most {self.moved_by:.3g} from it."
        )

    def _not_convex(self) -> str:
        mesh = self.hull.hull_of
        if mesh is None:
            return ""
        why = f"has {mesh.parts} parts" if mesh.parts > 1 else "is not convex"
        if self.fills is None and self.moved_by is None and mesh.parts == 1:
            why = "is not closed, or meets itself"
        if self.fills is None or self.fills >= 1.0 - CONVEX:
            return f"The mesh {why}: its hull is used."
        share = f"{100.0 * self.fills:.3g}" if self.fills < 0.995 else "more than 99"
        return f"The mesh {why}: its hull is used, of which the mesh fills {share} %."


def is_mesh(path: Path | str) -> bool:
    """Whether the file's name has the ending of a mesh file."""
    return Path(path).suffix.lower() in MESH_SUFFIXES


def load_hull(path: Path | str, most: int | None = None, tell: Callable[[str], None] = lambda _: None) -> MeshHull:
    """The convex hull of the points in a file, with at most `most` >= 4 corners; None: simplifies nothing.

    `tell` is called with each of `STAGES` when it begins; an exception from `tell` ends the work. Raises SceneError,
    with the file's name, for a file that cannot be read and for points without a hull, and TooManyCornersError for a
    hull of more corners than a scene may have. Points in one plane are not simplified: more than `most` raise
    SceneError.
    """
    try:
        tell(READING)
        data = _read(path)
        tell(FINDING_POINTS)
        # Numpy must not warn about numbers that are not finite.
        with np.errstate(all="ignore"):
            vertices, faces = _mesh(data, Path(path).suffix.lower().removeprefix("."))
        if not (np.abs(vertices) <= LARGEST_NUMBER).all():
            check_coordinates(tuple((x, y, z) for x, y, z in vertices.tolist()), "points")
        points, numbers = np.unique(vertices, axis=0, return_inverse=True)
        tell(HULL)
        corners = points
        if len(points) > min(most or MOST_POINTS, MOST_POINTS):
            corners = points[extreme(points)]
            if most is not None and len(corners) > most:
                tell(SIMPLER)
                mesh = _simpler(corners, most, len(points))
                return _standing_for(
                    mesh, path, surface_of(points, numbers.reshape(-1)[faces], _six_hull_volumes(corners))
                )
            if len(corners) > MOST_POINTS:
                words = f"its hull must have at most {MOST_POINTS:,} corners, got {len(corners):,}"
                raise TooManyCornersError("", words, str(path))
        whole = _hull_of(corners)
        surface = surface_of(points, numbers.reshape(-1)[faces], _size_of(whole.polyhedron))
        mesh = MeshHull(whole.of_corners(), len(points), None if surface is None else surface.fills)
        return _standing_for(mesh, path, surface)
    except SceneError:
        raise
    except DataError as error:
        raise SceneError(error.path, error.message, str(path)) from None


def simpler_hull(points: Sequence[Triple], most: int, tell: Callable[[str], None]) -> MeshHull:
    """The hull of the points, simplified to at most `most` >= 4 corners. `tell`: as in `load_hull`.

    Raises DataError for more than `most` points in one plane, and for points that `hull_of` refuses.
    """
    tell(SIMPLER)
    rows = np.array(points)
    corners = rows[extreme(rows)]
    if len(corners) <= most:
        return MeshHull(_hull_of(corners).of_corners(), len(rows), None, len(corners))
    return _simpler(corners, most, len(rows))


def _simpler(corners: Array, most: int, point_count: int) -> MeshHull:
    try:
        found = simplified(corners, most)
    except ValueError as error:
        raise DataError("", str(error)) from None
    return MeshHull(_hull_of(corners[found.kept]).of_corners(), point_count, None, len(corners), found.distance)


def _hull_of(points: Array) -> Hull:
    return hull_of(tuple((x, y, z) for x, y, z in points.tolist()))


def _read(path: Path | str) -> bytes:
    try:
        with open_file(path) as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as error:
        raise DataError("", reason_of(error)) from None
    if len(data) > LIMIT:
        raise DataError("", f"is larger than {LIMIT // MEGABYTE} MB")
    return data


class Surface(Struct, frozen=True):
    """The triangles of a mesh: the number of connected `parts`, and the share of the hull that they enclose.

    `fills`: that share; None if the surface is flat, is not closed, or encloses more than the hull. `convex`: whether
    the mesh equals its hull.
    """

    parts: int
    fills: float | None
    convex: bool


def _standing_for(mesh: MeshHull, path: Path | str, surface: Surface | None) -> MeshHull:
    """The hull with the file's mesh as its `hull_of`, unless the mesh is convex or has no triangles."""
    if surface is None or surface.convex:
        return mesh
    return replace(mesh, hull=mesh.hull.standing_for(mesh_named(readable(Path(path).name), surface.parts)))


def surface_of(points: Array, triangles: Array, size: float) -> Surface | None:
    """Compares triangles (k, 3), indices into points (n, 3), with their hull.

    None if every triangle repeats an index, or if the hull has no area.

    `size`: as `_size_of` returns it. In a closed surface, each edge is in an even number of triangles. The volume is
    the sum over the triangles of their tetrahedra with the points' mean. If neighbours are consistently oriented, the
    signed volumes are added, so that a part that faces inwards is a cavity. Else the absolute volumes are added, which
    is right for a convex mesh.
    """
    triangles = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
    if not len(triangles) or size == 0.0:
        return None
    # A triangle that is listed twice, once for each side, counts once.
    triangles = triangles[np.sort(np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)[1])]
    parts = _parts(len(points), triangles)
    a, b, c = ((points - points.mean(axis=0))[triangles[:, k]] for k in range(3))
    if size < 0.0:
        share = float(length_rows(cross_rows(b - a, c - a)).sum()) / -size
        return Surface(parts, None, parts == 1 and abs(share - 1.0) <= CONVEX)
    edges = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    there, back = edges[:, 0] * len(points) + edges[:, 1], edges[:, 1] * len(points) + edges[:, 0]
    if (np.unique(np.minimum(there, back), return_counts=True)[1] % 2).any():
        return Surface(parts, None, convex=False)
    volumes = dots(a, cross_rows(b, c))
    alike = np.array_equal(np.sort(there), np.sort(back))
    share = float(abs(volumes.sum()) if alike else np.abs(volumes).sum()) / size
    return Surface(parts, min(share, 1.0) if share < 1.0 + CONVEX else None, parts == 1 and abs(share - 1.0) <= CONVEX)


def _parts(count: int, triangles: Array) -> int:
    """The number of connected parts of the triangles (k, 3): different parts have no point in common."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = triangles[:, [0, 0]].ravel(), triangles[:, 1:].ravel()
    _, labels = connected_components(coo_array((np.ones(len(ends[0])), ends), (count, count)), directed=False)
    return len(np.unique(labels[triangles[:, 0]]))


def _size_of(hull: Polyhedron) -> float:
    """Six times the volume of a hull; minus twice the area of a flat hull; 0 for a segment or a point."""
    outer = np.array([(face[0], *pair) for face in hull.faces for pair in pairwise(face[1:])])
    if not len(outer):
        return 0.0
    vertices = np.array(hull.vertices)
    if len(hull.faces) < 4:
        a, b, c = (vertices[outer[:, k]] for k in range(3))
        return -0.5 * float(length_rows(cross_rows(b - a, c - a)).sum())
    return abs(_six_volumes(vertices, outer))


def _six_hull_volumes(corners: Array) -> float:
    """Six times the volume of the hull of very many corners (n, 3)."""
    from scipy.spatial import ConvexHull

    return 6.0 * float(ConvexHull(corners - corners.mean(axis=0)).volume)


def _six_volumes(points: Array, triangles: Array) -> float:
    """Six times the volume inside triangles (k, 3), indices into points (n, 3); positive if they face outwards.

    It is the sum of the signed volumes of the triangles' tetrahedra with the points' mean.
    """
    a, b, c = ((points - points.mean(axis=0))[triangles[:, k]] for k in range(3))
    return float(dots(a, cross_rows(b, c)).sum())


def _check_counts(data: bytes, kind: str) -> None:
    """Raises DataError for a mesh that is too large, before its numbers are read."""
    if kind == "obj":
        vertices = sum(1 for _ in re.finditer(_VERTEX, data))
        triangles = sum(max(len(face[1].split()) - 2, 1) for face in re.finditer(_FACE, data))
    else:
        said = int.from_bytes(data[80:84], "little")
        triangles = said if len(data) == 84 + 50 * said else (data.count(b"vertex") + data.count(b"VERTEX")) // 3
        vertices = 0
    for count, most, what in ((vertices, MOST_VERTICES, "vertices"), (triangles, MOST_TRIANGLES, "triangles")):
        if count > most:
            raise DataError("", f"must have at most {most:,} {what}, got {count:,}")


def _mesh(data: bytes, kind: str) -> tuple[Array, Array]:
    """Returns all vertices (n, 3), and the triangles (k, 3) as vertex indices.

    Raises DataError for a mesh that is too large, has no points, or cannot be read.
    """
    import trimesh

    if kind == "obj":
        data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    _check_counts(data, kind)
    if kind == "obj":
        if short := re.search(_SHORT_VERTEX, data):
            line = data.count(b"\n", 0, short.start()) + 1
            got = excerpt(short[0].decode("utf-8", "replace").strip())
            raise DataError(f"line {line}", f"a vertex must have three numbers, got {got}")
        # Names in the file may be in any encoding; the numbers are ASCII.
        data = data.decode("ascii", "replace").encode()
        # Removes blanks at a line's start and comments, and makes tabs blanks and V a v: trimesh skips a vertex after a
        # blank, before a tab or with a capital, and refuses a comment after a blank.
        data = re.sub(_CAPITAL, b"v", re.sub(_UNREAD, b"", data.translate(_BLANKS)))
    options: dict[str, Any] = {"maintain_order": True, "skip_materials": True} if kind == "obj" else {}
    try:
        # trimesh's parsers raise numpy's errors and others, from IndexError to UnicodeDecodeError.
        scene = trimesh.load_scene(io.BytesIO(data), file_type=kind, process=False, **options)
        parts = [np.asarray(part.vertices, dtype=np.float64) for part in scene.geometry.values()]
        begins = np.cumsum([0, *map(len, parts)])
        faces = [
            np.asarray(getattr(part, "faces", ())).reshape(-1, 3) + begin
            for part, begin in zip(scene.geometry.values(), begins, strict=False)
        ]
    except Exception:
        raise DataError("", f"is not an {kind.upper()} mesh that can be read") from None
    if not parts:
        raise DataError("", "holds no points")
    if any(part.ndim != 2 or part.shape[1] != 3 for part in parts):
        raise DataError("", f"is not an {kind.upper()} mesh that can be read")
    return np.concatenate(parts), np.concatenate(faces).astype(np.int64)
