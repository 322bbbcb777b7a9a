"""The features of two bodies that face each other along a normal, with the reference face (Gregorius 2015).

The reference face is the face best aligned with the normal. A face takes part only if it is perpendicular to the normal
within LEVEL_SIN and all its vertices are level within SUPPORT. So an edge contact beside a nearly parallel face stays
an edge contact. The incident face is the most opposed of the faces at the farthest vertex. On a hull of many faces the
most opposed of all may lie elsewhere, and the deepest point would be lost.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from msgspec import Struct

from ...geometry.tolerances import FRAME_ROUNDING, LEVEL_SIN, SUPPORT
from ...geometry.vector import Array, cross, dot, dots, frozen, length
from ...pair.cores import Core, CoreKind, core_of
from ...pair.pair import PairScale
from ...scene import Body
from ..contact import ContactCase, FeaturesStep
from .clipping import Feature, Outline


class Participant(Struct, frozen=True, eq=False, dict=True):
    """One body of a manifold, with its feature that faces the other body.

    `core`: relative to A's position; None for the half-space behind `plane_normal·p = plane_offset`. `radius`: of the
    core. `plane_normal` (3,), `plane_offset`: of the feature's plane if it is a face, else zero.
    """

    core: Core | None
    feature: Feature
    radius: float
    plane_normal: Array
    plane_offset: float

    @cached_property
    def outline(self) -> Outline:
        """The outline of the feature; of a half-space, the one point of its plane nearest A's position."""
        if self.core is None:
            return Outline((0,), (), (self.plane_normal * self.plane_offset).reshape(1, 3))
        return Outline.of(self.core, self.feature)

    def name(self, feature: Feature) -> str:
        """The name of a feature of this body."""
        return feature.name(self.core)


class FacingFeatures(Struct, frozen=True, eq=False):
    """The features of A and B that face each other along the unit `normal` (3,), from A to B.

    With a reference face, `normal` is that face's. `origin` (3,): A's position, world; everything else is relative to
    it. `tolerance`: points closer than this are one in clipping. `band`: surfaces no farther apart than this touch.
    `margin`: surfaces no farther apart than this have contacts. All three are in scene units.
    """

    case: ContactCase
    normal: Array
    a: Participant
    b: Participant
    origin: Array
    tolerance: float
    band: float
    margin: float

    @staticmethod
    def of(a: Body, b: Body, normal: Array, scale: PairScale, speculative: float = 0.0) -> FacingFeatures:
        """The features along the unit `normal` (3,) from A to B; `speculative`: the least `margin`, scene units.

        Raises TypeError for two half-spaces.
        """
        tolerance = max(SUPPORT * scale.least_half_extent, scale.rounding)
        side_a = _side_of(a, "A", np.zeros(3), normal, scale)
        side_b = _side_of(b, "B", scale.offset, -normal, scale)
        case = _case(side_a, side_b, normal)
        if case is ContactCase.FACE_OF_A:
            normal, side_b = side_a.plane_normal, _opposed(side_b, side_a.plane_normal)
        elif case is ContactCase.FACE_OF_B:
            normal, side_a = -side_b.plane_normal, _opposed(side_a, side_b.plane_normal)
        margin = max(scale.touching_band(), speculative)
        return FacingFeatures(
            case=case,
            normal=frozen(normal.copy()),
            a=side_a,
            b=side_b,
            origin=a.pose.position,
            tolerance=tolerance,
            band=scale.touching_band(),
            margin=margin,
        )

    def step(self) -> FeaturesStep:
        """The step that shows the features."""
        a, b, origin = self.a, self.b, self.origin
        return FeaturesStep(
            self.case,
            self.normal,
            a.name(a.feature),
            b.name(b.feature),
            frozen(a.outline.corners + origin),
            frozen(b.outline.corners + origin),
        )

    @property
    def reference_first(self) -> tuple[Participant, Participant]:
        """The body of the reference face, then the other."""
        return (self.a, self.b) if self.case is ContactCase.FACE_OF_A else (self.b, self.a)

    def names(self, reference: Feature, incident: Feature) -> tuple[str, str]:
        """The names of two features that face each other, A's first."""
        first, second = (reference, incident) if self.case is ContactCase.FACE_OF_A else (incident, reference)
        return self.a.name(first), self.b.name(second)


def _side_of(body: Body, name: str, offset: Array, direction: Array, scale: PairScale) -> Participant:
    """The body's feature that is farthest along the unit `direction` (3,)."""
    plane = body.shape.plane
    if plane is not None:
        outward = body.pose.direction_to_world(plane.normal)
        return Participant(None, Feature("face", 0), 0.0, outward, plane.offset + dot(outward, offset))
    core = core_of(body, name, offset)
    tolerance = max(SUPPORT * body.shape.bounding_radius, scale.rounding)
    return _with_feature(core, _supporting(core, direction, tolerance))


def _with_feature(core: Core, feature: Feature) -> Participant:
    if feature.kind != "face":
        return Participant(core, feature, core.radius, np.zeros(3), 0.0)
    normal = core.solid.normals[feature.number]
    return Participant(core, feature, core.radius, normal, float(core.solid.offsets[feature.number]))


def _supporting(core: Core, direction: Array, tolerance: float) -> Feature:
    """The feature farthest along `direction`: a face, else an edge, else a vertex.

    All vertices of a face or edge must be within `tolerance` of the farthest vertex; a face must also be perpendicular
    to `direction` within LEVEL_SIN.
    """
    solid = core.solid
    heights = dots(solid.vertices, direction)
    level = heights >= heights.max() - tolerance
    if core.area_faces:
        facing = dots(solid.normals[: core.area_faces], direction)
        face = int((facing >= facing.max() - FRAME_ROUNDING).argmax())
        square = length(cross(solid.normals[face], direction)) <= LEVEL_SIN
        if square and level[list(solid.faces[face])].all():
            return Feature("face", face)
    edges = np.flatnonzero(level[solid.edges].all(axis=1)) if len(solid.edges) else np.zeros(0, dtype=np.int64)
    if len(edges):
        sums = heights[solid.edges[edges]].sum(axis=1)
        return Feature("edge", int(edges[(sums >= sums.max() - tolerance).argmax()]))
    return Feature("vertex", int(np.argmax(heights)))


def _case(a: Participant, b: Participant, normal: Array) -> ContactCase:
    """The case: a half-space's plane is the reference, else the face best aligned with the normal; A's if equal."""
    if a.core is None or b.core is None:
        return ContactCase.FACE_OF_A if a.core is None else ContactCase.FACE_OF_B
    off_a = length(cross(a.plane_normal, normal)) if a.feature.kind == "face" else np.inf
    off_b = length(cross(b.plane_normal, normal)) if b.feature.kind == "face" else np.inf
    if min(off_a, off_b) < np.inf:
        return ContactCase.FACE_OF_A if off_a <= off_b + SUPPORT else ContactCase.FACE_OF_B
    both = a.feature.kind == b.feature.kind == "edge"
    return ContactCase.EDGES if both else ContactCase.POINT


def _opposed(body: Participant, reference: Array) -> Participant:
    """The body with its incident feature, the one most opposed to the `reference` normal (3,).

    It is a face with an area, at the farthest vertex; of a core without such faces, its edge or vertex. Raises
    TypeError for a half-space.
    """
    core = body.core
    if core is None:
        raise TypeError("two half-spaces have no manifold")
    if core.area_faces:
        solid = core.solid
        deepest = int(np.argmin(dots(solid.vertices, reference)))
        around = solid.edge_faces[(solid.edges == deepest).any(axis=1)].ravel()
        around = around[around < core.area_faces]
        slopes = zip(dots(solid.normals[around], reference).tolist(), around.tolist(), strict=True)
        return _with_feature(core, Feature("face", min(slopes)[1]))
    return _with_feature(core, Feature("vertex" if core.kind is CoreKind.POINT else "edge", 0))
