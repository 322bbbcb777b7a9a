"""Clipping a face against the sides of another (Sutherland, Hodgman 1974), feature pairs carried through every cut.

A corner of the clipped polygon is where a feature of the one face meets a feature of the other: a vertex of the
incident face over the reference face, a crossing of two edges, or a vertex of the reference face under the incident
one. Named like that, a point has the same name whichever face is the reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..geometry.vector import Array, cross, cross_rows, dot, length, length_rows
from .cores import Core


class Feature(NamedTuple):
    """A vertex, edge or face of a core by its number; a half-space's plane is its face 0."""

    kind: str
    number: int

    def name(self, core: Core | None) -> str:
        """The feature's name on its body, `plane` without a core."""
        if core is None:
            return "plane"
        return {"vertex": core.vertex_name, "edge": core.edge_name, "face": core.face_name}[self.kind](self.number)


class ClipPoint(Struct, frozen=True, eq=False):
    """A corner of the polygon: `point` (3,), relative to A's position, with the features that meet there.

    `along`: what the side to the next corner runs along: an edge of the incident face, or (kind "side") a side of the
    reference face by its place in the loop.
    """

    point: Array
    incident: Feature
    reference: Feature
    along: Feature


class Side(Struct, frozen=True, eq=False):
    """A side of the reference face: `start`, `end` vertex numbers, `edge` number.

    The plane through it, upright on the face, has the unit `normal` (3,), outwards, and `offset`.
    """

    start: int
    end: int
    edge: int
    normal: Array
    offset: float


def sides_of(core: Core, face: int) -> tuple[Side, ...]:
    """The sides of a face in loop order."""
    loop, up = core.solid.faces[face], core.solid.normals[face]
    sides = []
    for start, end in zip(loop, loop[1:] + loop[:1], strict=True):
        edge = edge_between(core, start, end)
        # From the edge's own direction: far away, the difference of its vertices may have lost every digit.
        along = core.edge_units[edge] * (1.0 if core.solid.edges[edge, 0] == start else -1.0)
        outward = cross(along, up)
        normal = outward / length(outward)
        sides.append(Side(start, end, edge, normal, dot(normal, core.solid.vertices[start])))
    return tuple(sides)


def edge_between(core: Core, first: int, second: int) -> int:
    """Number of the edge between two vertices."""
    edges = core.solid.edges
    here = (edges == (first, second)).all(axis=1) | (edges == (second, first)).all(axis=1)
    return int(np.argmax(here))


def incident_polygon(core: Core, feature: Feature, reference: Feature) -> tuple[ClipPoint, ...]:
    """The corners of an incident face, edge or vertex, before any cut; all over the `reference` face."""
    loop: Sequence[int]
    if feature.kind == "vertex":
        loop = (feature.number,)
    elif feature.kind == "edge":
        loop = core.solid.edges[feature.number].tolist()
    else:
        loop = core.solid.faces[feature.number]
    corners = []
    for place, vertex in enumerate(loop):
        following = loop[(place + 1) % len(loop)]
        edge = edge_between(core, vertex, following) if len(loop) > 1 else 0
        point = core.solid.vertices[vertex]
        corners.append(ClipPoint(point, Feature("vertex", vertex), reference, Feature("edge", edge)))
    return tuple(corners)


def clipped(
    polygon: tuple[ClipPoint, ...], sides: tuple[Side, ...], place: int, incident: Feature, tolerance: float
) -> tuple[ClipPoint, ...]:
    """What lies behind side `place` of the reference face; no more than `tolerance` in front counts as behind.

    `incident`: the incident face or edge, to which points belong that no edge or vertex of it made.
    """
    side = sides[place]
    if not polygon:
        return polygon
    heights = (np.array([corner.point for corner in polygon]) @ side.normal - side.offset).tolist()
    if max(heights) <= tolerance:
        return polygon
    kept = []
    for k, (corner, height) in enumerate(zip(polygon, heights, strict=True)):
        following, next_height = polygon[(k + 1) % len(polygon)], heights[(k + 1) % len(polygon)]
        if height <= tolerance:
            kept.append(corner)
        if (height <= tolerance) is (next_height <= tolerance):
            continue
        share = min(max(height / (height - next_height), 0.0), 1.0)
        point = corner.point + share * (following.point - corner.point)
        cut = replace(_crossing(corner.along, sides, place, incident), point=point)
        kept.append(cut if height <= tolerance else replace(cut, along=corner.along))
    return tuple(kept)


def _crossing(along: Feature, sides: tuple[Side, ...], place: int, incident: Feature) -> ClipPoint:
    """The features that meet where a side of the polygon crosses side `place`, which the polygon then runs along."""
    side, nowhere = sides[place], np.zeros(3)
    onwards, edge = Feature("side", place), Feature("edge", side.edge)
    if along.kind == "edge":
        return ClipPoint(nowhere, along, edge, onwards)
    shared = {side.start, side.end} & {sides[along.number].start, sides[along.number].end}
    corner = Feature("vertex", shared.pop()) if shared else edge
    return ClipPoint(nowhere, incident, corner, onwards)


def settled(core: Core, feature: Feature, within: Feature, point: Array, up: Array, tolerance: float) -> Feature:
    """The smallest feature of the face or edge `within` that `point` (3,) lies at, seen along `up` (3,).

    Where a vertex of one face lies over an edge or a vertex of the other to rounding, either cut could have made it:
    named by all it touches, it has one name.
    """
    if feature.kind == "vertex" or within.kind == "vertex":
        return feature
    loop = core.solid.faces[within.number] if within.kind == "face" else tuple(core.solid.edges[within.number].tolist())
    corners = core.solid.vertices[list(loop)]
    offsets = point - corners
    near = np.flatnonzero(length_rows(offsets - (offsets @ up)[:, None] * up) <= tolerance)
    if len(near):
        return Feature("vertex", loop[int(near[0])])
    if feature.kind == "face":
        outward = cross_rows(np.roll(corners, -1, axis=0) - corners, up)
        misses = np.abs(np.einsum("ki,ki->k", outward, offsets))
        beside = np.flatnonzero(misses <= tolerance * length_rows(outward))
        if len(beside):
            place = int(beside[0])
            return Feature("edge", edge_between(core, loop[place], loop[(place + 1) % len(loop)]))
    return feature
