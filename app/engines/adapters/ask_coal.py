"""Adapter of Coal, formerly HPP-FCL: signed distance by GJK and EPA in double precision."""

from functools import lru_cache

from protocol_loop import QuestionBody, answer, full_sized, pairs_of, serve

import coal
import numpy as np

KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull", "halfspace")


@lru_cache(maxsize=64)
def hull(points):
    """The convex hull of the points in Coal."""
    rows = coal.StdVec_Vec3s()
    rows.extend([np.array(point, dtype=float) for point in points])
    return coal.Convex.convexHull(rows, False, "Qt")


def shape_of(body: QuestionBody):
    """The body's shape in Coal."""
    if body.kind == "halfspace":
        normal, offset = body.own_plane()
        return coal.Halfspace(np.array(normal), offset)
    if body.kind == "hull":
        return hull(tuple(map(tuple, body.shape["points"])))
    return full_sized(coal, body)


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of Coal about a pair; Coal has no margin."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    poses = [coal.Transform3s(np.array(body.matrix()), np.array(body.position)) for body in (a, b)]
    found = coal.distance(shape_of(a), poses[0], shape_of(b), poses[1], request, result)
    return answer(found, result.normal, result.getNearestPoint1(), result.getNearestPoint2())


if __name__ == "__main__":
    serve("coal", coal.__version__, ask, pairs_of(KINDS))
