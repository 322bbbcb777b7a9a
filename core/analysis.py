"""`analyse(scene)`: every answer about one scene, from the algorithms; no ideas of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .algorithms.certificate import certificate
from .algorithms.closed_form import Proximity, distance_sphere_box, distance_sphere_sphere
from .algorithms.distance import BoundaryPoint, nearest_boundary_point, witness_points
from .algorithms.features import ContactVertices, contact_vertices
from .algorithms.minkowski import MinkowskiDifference, difference
from .algorithms.pair import PairScale
from .algorithms.sat import SatTable, sat
from .answer import Certainty, Provenance, Verdict, verdict_of
from .geometry.transform import Pose
from .geometry.vector import Array, frozen, length
from .scene import Body, Scene
from .shapes import Box, Sphere


@dataclass(frozen=True, eq=False, slots=True)
class Analysis:
    """The answers for `scene`, in world space.

    `separation` signed (positive apart); `normal` unit, from A towards B; `mtv` = depth * normal, None when
    separated; witnesses with `|b - a| = |separation|` on the two surfaces; `certainty` of the separation and
    `band`, the half width of the touching band; `nearest` (3,): the boundary point of the difference nearest the
    origin, `-separation * normal`; `disagreements`: one sentence per pair of algorithms that differ beyond tolerance.
    """

    scene: Scene
    verdict: Verdict
    separation: float
    normal: Array
    mtv: Array | None
    witness_a: Array
    witness_b: Array
    nearest: Array
    certainty: Certainty
    band: float
    sat: SatTable
    difference: MinkowskiDifference
    contact_vertices: ContactVertices
    disagreements: tuple[str, ...]


def analyse(scene: Scene) -> Analysis:
    """All answers about the scene's two bodies as they stand; pure."""
    a, b = scene.a, scene.b
    scale = PairScale.of(a, b)
    table = sat(a, b)
    solid = difference(a, b)
    winning_face = int(solid.axis_faces[table.winner, 0 if table.sides[table.winner] > 0 else 1])
    point = nearest_boundary_point(solid, winning_face if winning_face >= 0 else None)
    if isinstance(a.shape, Box) and isinstance(b.shape, Box):
        answer = _box_answer(a, a.shape, b, b.shape, table, solid, point)
    else:
        answer = _sphere_answer(a, b, scale)
    table = table.against(answer.separation, scale.agreement)
    verdict = verdict_of(answer.separation, scale.band)
    origin = a.pose.position
    return Analysis(
        scene=scene,
        verdict=verdict,
        separation=answer.separation,
        normal=frozen(answer.normal),
        mtv=None if verdict is Verdict.SEPARATED else frozen(-answer.separation * answer.normal),
        witness_a=frozen(origin + answer.point_first),
        witness_b=frozen(origin + answer.point_second),
        nearest=frozen(-answer.separation * answer.normal),
        certainty=Certainty(Provenance.EXACT),
        band=scale.band,
        sat=table,
        difference=solid,
        contact_vertices=contact_vertices(a, b, answer.normal),
        disagreements=_disagreements(a, b, scale, answer, table, point),
    )


def _box_answer(
    a: Body, box_a: Box, b: Body, box_b: Box, table: SatTable, solid: MinkowskiDifference, point: BoundaryPoint
) -> Proximity:
    """SAT's depth when overlapping, the difference's distance when apart; points relative to A's position.

    The normal is the face's that holds the nearest point: of axes that rounding cannot tell apart, the one whose
    direction the witness points have.
    """
    at_a = box_a.polyhedron.vertices @ a.pose.matrix.T
    at_b = box_b.polyhedron.vertices @ b.pose.matrix.T + (b.pose.position - a.pose.position)
    witness_a, witness_b = witness_points(solid, point, at_a, at_b)
    # SAT's gap is proven, and merged faces of the difference are flat to 1e-12 only.
    separation = table.separation if table.separation <= 0.0 else max(table.separation, point.separation)
    return Proximity(separation, point.normal, witness_a, witness_b)


def _sphere_answer(a: Body, b: Body, scale: PairScale) -> Proximity:
    """The closed form; points relative to A's position."""
    here = np.zeros(3)
    if isinstance(a.shape, Sphere):
        if isinstance(b.shape, Sphere):
            return distance_sphere_sphere(here, a.shape.radius, scale.offset, b.shape.radius)
        return distance_sphere_box(here, a.shape.radius, Pose(scale.offset, b.pose.matrix), b.shape.half_extents)
    if isinstance(b.shape, Sphere):
        found = distance_sphere_box(scale.offset, b.shape.radius, Pose(here, a.pose.matrix), a.shape.half_extents)
        return Proximity(found.separation, -found.normal, found.point_second, found.point_first)
    raise TypeError("two boxes have no closed form")


def _disagreements(
    a: Body, b: Body, scale: PairScale, answer: Proximity, table: SatTable, point: BoundaryPoint
) -> tuple[str, ...]:
    """One sentence for each two ways to one number that differ by more than rounding explains."""
    sentences = []

    def compare(name: str, value: float, other: str, against: float) -> None:
        # Written so that a NaN on either side is a disagreement too.
        if not abs(value - against) <= scale.agreement:
            sentences.append(f"{name} says {value:.17g}, {other} says {against:.17g}.")

    compare("The answer", answer.separation, "the Minkowski difference", point.separation)
    compare("The answer", answer.separation, "the support along its normal", certificate(a, b, answer.normal))
    apart = length(answer.point_second - answer.point_first)
    compare("The answer's size", abs(answer.separation), "the distance of the witness points", apart)
    if table.exact or answer.separation <= 0.0:
        compare("The answer", answer.separation, "SAT", table.separation)
    elif not table.separation <= answer.separation + scale.agreement:
        sentences.append(f"SAT's gap {table.separation:.17g} exceeds the distance {answer.separation:.17g}.")
    return tuple(sentences)
