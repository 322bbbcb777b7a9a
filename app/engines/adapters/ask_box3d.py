"""Adapter of Box3D through robox3d: contact manifolds, or b3ShapeDistance with the argument `distance`.

Single precision.
"""

import sys
from functools import lru_cache
from importlib.metadata import version

from protocol_loop import QuestionBody, UnsupportedShape, answer, dot, pairs_of, plus, product, serve, times

from robox3d._ffi import ffi, lib

KINDS = ("box", "sphere", "capsule", "hull")
ORDER = {"box": 0, "hull": 0, "capsule": 1, "sphere": 2}
"""The order of a function's arguments: hulls and boxes before capsules before spheres."""

CALLS = {
    (0, 0): (lib.b3CollideHulls, "b3SATCache"),
    (0, 1): (lib.b3CollideHullAndCapsule, "b3SimplexCache"),
    (0, 2): (lib.b3CollideHullAndSphere, "b3SimplexCache"),
    (1, 1): (lib.b3CollideCapsules, None),
    (1, 2): (lib.b3CollideCapsuleAndSphere, None),
    (2, 2): (lib.b3CollideSpheres, None),
}
MOST_POINTS = 64
MOST_SIMPLEXES = 32
"""The most simplexes kept, as in Box3D's own samples."""


def ends(body: QuestionBody):
    """The centres of a capsule's caps, in the body's frame."""
    half = 0.5 * body.shape["length"]
    return [[0.0, -half, 0.0], [0.0, half, 0.0]]


@lru_cache(maxsize=64)
def hull(points):
    """The hull that Box3D builds from the points. Raises UnsupportedShape if Box3D returns NULL."""
    made = lib.b3CreateHull(ffi.new("b3Vec3[]", [list(p) for p in points]), len(points), 255)
    if made == ffi.NULL:
        raise UnsupportedShape("hull that b3CreateHull refuses")
    return ffi.gc(made, lib.b3DestroyHull)


def shape_of(body: QuestionBody):
    """A pointer to Box3D's shape, and the object that must be kept alive with it. Raises UnsupportedShape."""
    sizes = body.shape
    match body.kind:
        case "box":
            kept = ffi.new("b3BoxHull*", lib.b3MakeBoxHull(*(0.5 * x for x in sizes["size"])))
            return ffi.addressof(kept, "base"), kept
        case "sphere":
            kept = ffi.new("b3Sphere*", {"center": [0.0, 0.0, 0.0], "radius": sizes["radius"]})
            return kept, kept
        case "capsule":
            low, high = ends(body)
            kept = ffi.new("b3Capsule*", {"center1": low, "center2": high, "radius": sizes["radius"]})
            return kept, kept
    kept = hull(tuple(map(tuple, sizes["points"])))
    return kept, kept


def relative(a: QuestionBody, b: QuestionBody):
    """The pose of B in A's frame."""
    w, x, y, z = a.rotation
    back = (w, -x, -y, -z)
    s, i, j, k = product(back, b.rotation)
    columns = list(zip(*a.matrix((1.0, 0.0, 0.0, 0.0)), strict=True))
    place = times(columns, plus(b.position, a.position, -1.0))
    return ffi.new("b3Transform*", {"p": place, "q": {"v": [i, j, k], "s": s}})[0]


def row(vector):
    """The coordinates of a b3Vec3."""
    return [vector.x, vector.y, vector.z]


def outward(a: QuestionBody, vector):
    """A direction of A's frame, turned into the world."""
    return plus(a.world(row(vector)), a.position, -1.0)


def manifold(a: QuestionBody, b: QuestionBody, _margin):
    """The answer from the contact manifold, which has contacts up to the speculative distance of 0.02.

    Raises UnsupportedShape.
    """
    swapped = ORDER[a.kind] > ORDER[b.kind]
    first, second = (b, a) if swapped else (a, b)
    call, cache = CALLS[ORDER[first.kind], ORDER[second.kind]]
    points = ffi.new(f"b3LocalManifoldPoint[{MOST_POINTS}]")
    found = ffi.new("b3LocalManifold*", {"points": points})
    (one, _kept), (other, _also) = shape_of(first), shape_of(second)
    call(found, MOST_POINTS, one, other, relative(first, second), *([ffi.new(cache + "*")] if cache else []))
    if not found.pointCount:
        return answer(None)
    contacts = [(first.world(row(p.point)), p.separation) for p in points[0 : found.pointCount]]
    normal = outward(first, found.normal)
    least = min(depth for _, depth in contacts)
    return answer(least, [-x for x in normal] if swapped else normal, contacts=contacts)


def proxy(body: QuestionBody):
    """The proxy of b3ShapeDistance, its points and radius, and the object that must be kept alive with it."""
    sizes = body.shape
    match body.kind:
        case "box":
            x, y, z = (0.5 * size for size in sizes["size"])
            rows = [[i * x, j * y, k * z] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        case "sphere":
            rows = [[0.0, 0.0, 0.0]]
        case "capsule":
            rows = ends(body)
        case _:
            rows = sizes["points"]
    kept = ffi.new("b3Vec3[]", rows)
    return {"points": kept, "count": len(rows), "radius": sizes.get("radius", 0.0)}, kept


def distance(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of b3ShapeDistance. Its distance 0 means overlap, which is answered as a contact without a depth."""
    (one, _kept), (other, _also) = proxy(a), proxy(b)
    given = {"proxyA": one, "proxyB": other, "transform": relative(a, b), "useRadii": True}
    kept = ffi.new(f"b3Simplex[{MOST_SIMPLEXES}]")
    cache = ffi.new("b3SimplexCache*")
    found = lib.b3ShapeDistance(ffi.new("b3DistanceInput*", given), cache, kept, MOST_SIMPLEXES)
    on_a, on_b, normal = a.world(row(found.pointA)), a.world(row(found.pointB)), outward(a, found.normal)
    # Box3D stores each simplex before and after its search for the nearest point, as points of B - A in A's frame.
    corners = [[v.w for v in simplex.vertices[0 : simplex.count]] for simplex in kept[0 : found.simplexCount]]
    rows = [[[-x for x in outward(a, w)] for w in simplex] for simplex in corners]
    more = {
        "features": f"{found.iterations} iterations",
        "simplexes": [simplex for simplex, before in zip(rows, [None, *rows], strict=False) if simplex != before],
    }
    if found.distance > 0.0:
        return answer(found.distance, normal, on_a, on_b, **more)
    return answer(None, normal if dot(normal, normal) else None, contacts=[(on_a, None)], **more)


if __name__ == "__main__":
    if sys.argv[1:] == ["distance"]:
        serve("box3d-distance", version("robox3d"), distance, pairs_of(KINDS), precision=32)
    else:
        serve("box3d", version("robox3d"), manifold, pairs_of(KINDS), precision=32, kind="contacts")
