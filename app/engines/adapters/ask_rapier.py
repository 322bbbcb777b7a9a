"""Adapter of Rapier through rapier3d: the contact manifold of its narrow phase, single precision."""

from importlib.metadata import version

from protocol_loop import QuestionBody, answer, pairs_of, plus, serve

import rapier3d as rapier

KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "hull", "halfspace")


def collider_of(body: QuestionBody):
    """The body's collider: half sizes, shapes of revolution along y. A half-space's plane goes through its position."""
    sizes, make = body.shape, rapier.Collider
    match body.kind:
        case "box":
            shape = make.cuboid(*(0.5 * x for x in sizes["size"]))
        case "sphere":
            shape = make.ball(sizes["radius"])
        case "capsule":
            shape = make.capsule_y(0.5 * sizes["length"], sizes["radius"])
        case "cylinder":
            shape = make.cylinder(0.5 * sizes["height"], sizes["radius"])
        case "cone":
            shape = make.cone(0.5 * sizes["height"], sizes["radius"])
        case "halfspace":
            return active(make.halfspace(body.plane()[0]), position_of(body), (1.0, 0.0, 0.0, 0.0))
        case _:
            shape = make.convex_hull(sizes["points"])
    return active(shape, body.position, body.rotation)


def position_of(body: QuestionBody):
    """The position of the collider's frame; a half-space's is the foot of the body's position on the plane."""
    if body.kind != "halfspace":
        return body.position
    normal, offset = body.plane()
    return plus(body.position, normal, offset - sum(x * y for x, y in zip(normal, body.position, strict=True)))


def active(builder, position, rotation):
    """The collider at its pose, compared with all types of colliders."""
    w, x, y, z = rotation
    pose = rapier.Isometry3(rapier.Vec3(*position), rapier.Rotation3(w, x, y, z))
    return builder.active_collision_types(rapier.ActiveCollisionTypes.all()).position(pose).build()


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of Rapier about a pair: the least of the manifold's distances, an upper bound for separated bodies."""
    bodies, colliders = rapier.RigidBodySet(), rapier.ColliderSet()
    islands, broad, narrow = rapier.IslandManager(), rapier.BroadPhaseBvh(), rapier.NarrowPhase()
    handles = [colliders.insert(collider_of(body)) for body in (a, b)]
    offset = plus(position_of(b), position_of(a), -1.0)
    far = 2.0 * (sum(map(abs, offset)) + a.reach() + b.reach())
    rapier.CollisionPipeline().step(far, islands, broad, narrow, bodies, colliders)
    found = narrow.contact_pair(*handles)
    points = [(m, p) for m in found.manifolds for p in m.points] if found else []
    if not points:
        return answer(None)
    manifold, deepest = min(points, key=lambda entry: entry[1].dist)
    swapped = found.collider1 != handles[0]
    first, second = (b, a) if swapped else (a, b)
    sign = -1.0 if swapped else 1.0
    ends = [placed(first, deepest.local_p1), placed(second, deepest.local_p2)]
    contacts = [(placed(first, p.local_p1), p.dist) for _, p in points]
    normal = manifold.data.normal
    n = [sign * float(part) for part in (normal.x, normal.y, normal.z)]
    return answer(deepest.dist, n, *(reversed(ends) if swapped else ends), contacts)


def placed(body: QuestionBody, point):
    """A point of a collider's frame in the world."""
    row = [float(point.x), float(point.y), float(point.z)]
    return plus(position_of(body), row) if body.kind == "halfspace" else body.world(row)


if __name__ == "__main__":
    serve("rapier3d", version("rapier3d"), ask, pairs_of(KINDS), precision=32, kind="contacts")
