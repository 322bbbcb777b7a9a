"""Clipping of a face against the sides of another (Sutherland, Hodgman 1974); each corner keeps its feature pair.

At a corner of the clipped polygon a feature of one face meets a feature of the other. It is a vertex of the incident
face over the reference face, a crossing of two edges, or a vertex of the reference face under the incident face. A
corner is named by both features, so its name is the same whichever face is the reference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...geometry.triple import ZERO, Triple, cross, dot, length, point_along, scaled, sub, triple
from ...geometry.vector import Array, cross_rows, dots, following, length_rows
from ...pair.cores import Core


class Feature(NamedTuple):
    """A "vertex", "edge" or "face" of a core by its number; a half-space's plane is its face 0.

    In `ClipPoint.along` the kind may also be "side": a side of the reference face by its place in the loop.
    """

    kind: str
    number: int

    def name(self, core: Core | None) -> str:
        """The feature's name on its body, `plane` without a core."""
        if core is None:
            return "plane"
        if self.kind == "vertex":
            return core.vertex_name(self.number)
        return core.edge_name(self.number) if self.kind == "edge" else core.face_name(self.number)


class Outline(Struct, frozen=True, eq=False):
    """The closed outline of a face, of an edge (there and back) or of a vertex (one point).

    `loop`: vertex numbers, counter-clockwise seen from outside. `edges`: the number of the edge from each vertex to the
    next; empty for a vertex. `corners` (k, 3): the vertices, relative to A's position.
    """

    loop: tuple[int, ...]
    edges: tuple[int, ...]
    corners: Array

    @staticmethod
    def of(core: Core, feature: Feature) -> Outline:
        """The outline of a feature of `core`."""
        solid, number = core.solid, feature.number
        loop: tuple[int, ...] = (number,)
        edges: tuple[int, ...] = ()
        if feature.kind == "edge":
            loop = tuple(solid.edges[number].tolist())
            edges = (number, number)
        elif feature.kind == "face":
            loop = solid.faces[number]
            beside = np.flatnonzero((solid.edge_faces == number).any(axis=1))
            ends = map(frozenset, solid.edges[beside].tolist())
            between = dict(zip(ends, beside.tolist(), strict=True))
            edges = tuple(between[frozenset(side)] for side in zip(loop, loop[1:] + loop[:1], strict=True))
        return Outline(loop, edges, solid.vertices[list(loop)])


class ClipPoint(Struct, frozen=True, eq=False):
    """A corner of the clipped polygon: `point`, relative to A's position, and the features that meet there.

    `along`: the feature that the side to the next corner runs along: an edge of the incident face, or (kind "side") a
    side of the reference face by its index in the loop.
    """

    point: Triple
    incident: Feature
    reference: Feature
    along: Feature


class Side(Struct, frozen=True, eq=False):
    """A side of the reference face: `start`, `end` vertex numbers, `edge` number.

    The plane through the side, perpendicular to the face, has the unit `normal`, outwards, and `offset`.
    """

    start: int
    end: int
    edge: int
    normal: Triple
    offset: float


def sides_of(core: Core, face: int, outline: Outline) -> tuple[Side, ...]:
    """The sides of a face with the given outline, in loop order."""
    up, loop = triple(core.solid.normals[face]), outline.loop
    # The edges' own directions are used: far away, the differences of their vertices may have no correct digit.
    units = core.edge_units[list(outline.edges)].tolist()
    starts = core.solid.edges[list(outline.edges), 0].tolist()
    sides = []
    for place, (start, point) in enumerate(zip(loop, outline.corners.tolist(), strict=True)):
        outward = cross(units[place], up) if starts[place] == start else cross(up, units[place])
        normal = scaled(outward, 1.0 / length(outward))
        sides.append(Side(start, loop[(place + 1) % len(loop)], outline.edges[place], normal, dot(normal, point)))
    return tuple(sides)


def incident_polygon(outline: Outline, reference: Feature) -> tuple[ClipPoint, ...]:
    """The corners of an incident face, edge or vertex before any cut; each meets the `reference` face."""
    # For a vertex any edge number will do: it is not read, as no side cuts a single point.
    edges = outline.edges or (0,)
    return tuple(
        ClipPoint((x, y, z), Feature("vertex", vertex), reference, Feature("edge", edge))
        for vertex, edge, (x, y, z) in zip(outline.loop, edges, outline.corners.tolist(), strict=True)
    )


def clipped(
    polygon: tuple[ClipPoint, ...], sides: tuple[Side, ...], place: int, incident: Feature, tolerance: float
) -> tuple[ClipPoint, ...]:
    """The part of `polygon` behind side `place` of the reference face; the same object if nothing is cut off.

    Corners at most `tolerance` in front count as behind. `incident`: the incident face or edge; a new corner that lies
    on none of its edges gets its name.
    """
    side = sides[place]
    heights = [dot(side.normal, corner.point) - side.offset for corner in polygon]
    if max(heights, default=0.0) <= tolerance:
        return polygon
    kept = []
    for k, (corner, height) in enumerate(zip(polygon, heights, strict=True)):
        after, next_height = polygon[(k + 1) % len(polygon)], heights[(k + 1) % len(polygon)]
        if height <= tolerance:
            kept.append(corner)
        if (height <= tolerance) is (next_height <= tolerance):
            continue
        share = min(max(height / (height - next_height), 0.0), 1.0)
        point = point_along(corner.point, share, sub(after.point, corner.point))
        cut = replace(_crossing(corner.along, sides, place, incident), point=point)
        kept.append(cut if height <= tolerance else replace(cut, along=corner.along))
    return tuple(kept)


def _crossing(along: Feature, sides: tuple[Side, ...], place: int, incident: Feature) -> ClipPoint:
    """The corner, without its point, at which the polygon's side `along` crosses side `place` and then follows it."""
    side = sides[place]
    onwards, edge = Feature("side", place), Feature("edge", side.edge)
    if along.kind == "edge":
        return ClipPoint(ZERO, along, edge, onwards)
    shared = {side.start, side.end} & {sides[along.number].start, sides[along.number].end}
    corner = Feature("vertex", shared.pop()) if shared else edge
    return ClipPoint(ZERO, incident, corner, onwards)


def smallest_features(
    outline: Outline, features: list[Feature], points: Array, up: Array, tolerance: float
) -> list[Feature]:
    """For each of `points` (p, 3) the smallest feature of the outlined face or edge at it, seen along `up` (3,).

    `features`: those that made the points; each is kept if no smaller one is within `tolerance`. If a vertex of one
    face lies over an edge or a vertex of the other up to rounding, several cuts may make the same corner. Named by the
    smallest features, it has one name.
    """
    loop, corners = outline.loop, outline.corners
    if len(loop) == 1 or all(feature.kind == "vertex" for feature in features):
        return features
    offsets = points[:, None] - corners
    at_corner = (length_rows(offsets - dots(offsets, up)[..., None] * up) <= tolerance).tolist()
    outward = cross_rows(following(corners) - corners, up)
    misses = np.abs(dots(offsets, outward))
    at_side = (misses <= tolerance * length_rows(outward)).tolist()
    return [
        _smallest(outline, feature, near, beside)
        for feature, near, beside in zip(features, at_corner, at_side, strict=True)
    ]


def _smallest(outline: Outline, feature: Feature, near: list[bool], beside: list[bool]) -> Feature:
    """The first corner that is `near`; else, for a point within the face, the first side it lies `beside`; else itself.

    A `feature` that is a vertex is returned unchanged.
    """
    if feature.kind != "vertex" and any(near):
        return Feature("vertex", outline.loop[near.index(True)])
    if feature.kind == "face" and any(beside):
        return Feature("edge", outline.edges[beside.index(True)])
    return feature
