"""Adapter of Drake: ComputeSignedDistancePairClosestPoints of its scene graph, double precision."""

from functools import lru_cache
from importlib.metadata import version

from protocol_loop import QuestionBody, answer, pairs_of, serve, upward

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.common.value import Value
from pydrake.geometry import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Ellipsoid,
    FramePoseVector,
    GeometryFrame,
    GeometryInstance,
    HalfSpace,
    ProximityProperties,
    SceneGraph,
    Sphere,
)
from pydrake.math import RigidTransform

KINDS = ("box", "sphere", "capsule", "cylinder", "ellipsoid", "hull")


def shape_of(kind, sizes):
    """The shape in Drake: full sizes, shapes of revolution along z."""
    match kind:
        case "box":
            return Box(*sizes)
        case "sphere":
            return Sphere(*sizes)
        case "capsule":
            return Capsule(*sizes)
        case "cylinder":
            return Cylinder(*sizes)
        case "ellipsoid":
            return Ellipsoid(*sizes)
        case "halfspace":
            return HalfSpace()
    return Convex(np.asfortranarray(np.array(sizes, dtype=float).T), "hull")


def sizes_of(body: QuestionBody):
    """The shape's numbers in Drake's order, as a hashable tuple."""
    sizes = body.shape
    keys = {"box": "size", "ellipsoid": "radii", "hull": "points"}
    if body.kind in keys:
        return tuple(tuple(x) if isinstance(x, list) else x for x in sizes[keys[body.kind]])
    return tuple(sizes[key] for key in ("radius", "length", "height") if key in sizes)


class PairGraph:
    """A scene graph of two geometries."""

    def __init__(self, shapes):
        self.graph = SceneGraph()
        self.source = self.graph.RegisterSource("pair")
        self.frames, self.geometries = [], []
        for name, shape in zip("ab", shapes, strict=True):
            frame = self.graph.RegisterFrame(self.source, GeometryFrame(name))
            instance = GeometryInstance(RigidTransform(), shape_of(*shape), name)
            geometry = self.graph.RegisterGeometry(self.source, frame, instance)
            self.graph.AssignRole(self.source, geometry, ProximityProperties())
            self.frames.append(frame)
            self.geometries.append(geometry)
        self.context = self.graph.CreateDefaultContext()

    def ask(self, poses):
        """Drake's signed distance, nearest points and normal with the geometries at the poses."""
        places = FramePoseVector()
        for frame, pose in zip(self.frames, poses, strict=True):
            places.set_value(frame, pose)
        self.graph.get_source_pose_port(self.source).FixValue(self.context, Value(places))
        query = self.graph.get_query_output_port().Eval(self.context)
        return query.ComputeSignedDistancePairClosestPoints(*self.geometries)


@lru_cache(maxsize=64)
def pair(shapes):
    """The scene graph of these shapes, cached because making one takes milliseconds."""
    return PairGraph(shapes)


def pose_of(body: QuestionBody):
    """The body's pose in Drake, whose half-space has a plane normal to z."""
    if body.kind == "halfspace":
        normal, offset = body.plane()
        return RigidTransform(Quaternion(np.array(upward(normal))), offset * np.array(normal))
    return RigidTransform(Quaternion(np.array(body.turned_z())), np.array(body.position))


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of Drake about a pair. Its normal, from B to A, is negated; its points are moved to the world.

    Drake has no margin.
    """
    poses = [pose_of(a), pose_of(b)]
    found = pair(tuple((body.kind, sizes_of(body)) for body in (a, b))).ask(poses)
    return answer(found.distance, -found.nhat_BA_W, poses[0] @ found.p_ACa, poses[1] @ found.p_BCb)


if __name__ == "__main__":
    serve("drake", version("drake"), ask, [*pairs_of(KINDS), ("sphere", "halfspace")])
