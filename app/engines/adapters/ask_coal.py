"""Coal, formerly HPP-FCL: signed distance by GJK and EPA in double precision."""

from functools import lru_cache

from protocol_loop import Body, answer, pairs_of, serve

import coal
import numpy as np

KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull", "halfspace")


@lru_cache(maxsize=64)
def hull(points):
    """The convex hull of rows of points."""
    rows = coal.StdVec_Vec3s()
    rows.extend([np.array(point, dtype=float) for point in points])
    return coal.Convex.convexHull(rows, False, "Qt")


def shape_of(body: Body):
    """Coal's shape: full sizes, shapes of revolution along z."""
    sizes = body.shape
    match body.kind:
        case "box":
            return coal.Box(*sizes["size"])
        case "sphere":
            return coal.Sphere(sizes["radius"])
        case "capsule":
            return coal.Capsule(sizes["radius"], sizes["length"])
        case "cylinder":
            return coal.Cylinder(sizes["radius"], sizes["height"])
        case "cone":
            return coal.Cone(sizes["radius"], sizes["height"])
        case "ellipsoid":
            return coal.Ellipsoid(*sizes["radii"])
        case "halfspace":
            normal = np.array(sizes["normal"], dtype=float)
            size = float(np.sqrt(normal @ normal))
            return coal.Halfspace(normal / size, sizes["offset"] / size)
    return hull(tuple(map(tuple, sizes["points"])))


def ask(a: Body, b: Body, _margin):
    """Coal has no margin."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    poses = [coal.Transform3s(np.array(body.matrix()), np.array(body.position)) for body in (a, b)]
    found = coal.distance(shape_of(a), poses[0], shape_of(b), poses[1], request, result)
    return answer(found, result.normal, result.getNearestPoint1(), result.getNearestPoint2())


if __name__ == "__main__":
    serve("coal", coal.__version__, ask, pairs_of(KINDS))
