"""The mistakes of the engine's manual on vectors and planes, each alone; any convex polyhedra."""

from __future__ import annotations

from ..geometry.vector import Array, cross_rows, length_rows
from ..scene import Body, Scene
from ..shapes import Hull, Polyhedron
from ..verdict import Verdict, verdict_of
from .comparison import ArticleVariant
from .separating_axes import CUBE, cubes, offset, touching_band, upright_against_lying


def v5_faces_only(scene: Scene) -> str:
    """Overlapping unless some face's plane of one body has all points of the other in front: its planes test, in 3D."""
    a, b = _polyhedra(scene)
    return (Verdict.SEPARATED if _faces_gap(a, b) > 0.0 else Verdict.OVERLAPPING).value


def v6_touching_faces_called_apart(scene: Scene) -> str:
    """Both tests, whose face test takes a point on the plane for one in front; the edges are judged rightly."""
    a, b = _polyhedra(scene)
    if _faces_gap(a, b) >= 0.0:
        return Verdict.SEPARATED.value
    return verdict_of(max(_faces_gap(a, b), _edges_gap(a, b)), touching_band(scene)).value


def v6_touching_edges_called_overlapping(scene: Scene) -> str:
    """Both, whose edge test takes intervals that share one point for overlapping; the faces are judged rightly."""
    a, b = _polyhedra(scene)
    on_faces, on_edges = verdict_of(_faces_gap(a, b), touching_band(scene)), _edges_gap(a, b)
    if on_faces is Verdict.SEPARATED or on_edges > 0.0:
        return Verdict.SEPARATED.value
    return on_faces.value


def planes_and_edges(scene: Scene) -> str:
    """Both put right: faces and edge products, a touch is a touch on either."""
    a, b = _polyhedra(scene)
    return verdict_of(max(_faces_gap(a, b), _edges_gap(a, b)), touching_band(scene)).value


def _polyhedra(scene: Scene) -> tuple[Polyhedron, Polyhedron]:
    """Both bodies relative to A's position."""
    found = []
    for body, at in ((scene.a, 0.0 * offset(scene)), (scene.b, offset(scene))):
        solid = body.shape.polyhedron
        if solid is None or len(solid.faces) <= 2:
            raise TypeError("the manual's version is about polyhedra that have a volume")
        found.append(solid.placed(body.pose.matrix, at))
    return found[0], found[1]


def _faces_gap(a: Polyhedron, b: Polyhedron) -> float:
    """The farthest that all points of one body lie in front of some face of the other; negative if none do."""
    gaps = [(other.vertices @ own.normals.T).min(axis=0) - own.offsets for own, other in ((a, b), (b, a))]
    return max(float(gap.max()) for gap in gaps)


def _edges_gap(a: Polyhedron, b: Polyhedron) -> float:
    """The largest gap between the projections on the products of all pairs of edges; negative if they overlap."""
    products = cross_rows(a.edge_directions()[:, None], b.edge_directions()[None]).reshape(-1, 3)
    sizes = length_rows(products)
    axes: Array = products[sizes > 0.0] / sizes[sizes > 0.0, None]
    on_a, on_b = a.vertices @ axes.T, b.vertices @ axes.T
    gaps = [on_b.min(axis=0) - on_a.max(axis=0), on_a.min(axis=0) - on_b.max(axis=0)]
    return max(float(gap.max(initial=-float("inf"))) for gap in gaps)


_UPRIGHT = Hull(((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (-1.0, 0.0, 1.0), (-1.0, 0.0, -1.0)))
_LEVEL = Hull(((0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 1.0, 0.0), (1.0, -1.0, 0.0)))
_APART = cubes("Two cubes apart", (3.0, 0.5, 0.25))
_DEEP = cubes("Two cubes, one in the other's corner", (1.75, 1.5, 1.25))
_KISS = cubes("Two cubes kiss face to face", (2.0, 0.0, 0.0))
_EDGES_KISS = Scene(Body(_UPRIGHT), Body(_LEVEL), "Two tetrahedra kiss edge on edge")

ENGINE_MANUAL = (
    ArticleVariant(
        "V5-faces-only",
        "Only the faces' planes, in three dimensions",
        v5_faces_only,
        planes_and_edges,
        planes_and_edges,
        "Edge before edge, no face of either box has all of the other in front: only the edges' product separates.",
        (upright_against_lying("Edge before edge", 2.875),),
        (_APART, _DEEP, Scene(Body(CUBE), Body(_UPRIGHT, (4.0, 0.0, 0.0)), "A cube and a tetrahedron")),
    ),
    ArticleVariant(
        "V6-touching-faces-apart",
        "The face test calls touching apart",
        v6_touching_faces_called_apart,
        planes_and_edges,
        planes_and_edges,
        "Points exactly on a face's plane are not in front of it.",
        (_KISS,),
        (_APART, _DEEP, _EDGES_KISS),
    ),
    ArticleVariant(
        "V6-touching-edges-overlapping",
        "The edge test calls touching overlapping",
        v6_touching_edges_called_overlapping,
        planes_and_edges,
        planes_and_edges,
        "Intervals that share one point leave no gap and no overlap, and only the gap is asked for.",
        (_EDGES_KISS,),
        (_APART, _DEEP, _KISS),
    ),
)
