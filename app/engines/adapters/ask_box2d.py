"""Adapter of Box2D: b2Distance for separated bodies, its contact manifolds for overlapping ones; single precision."""

from protocol_loop import QuestionBody, UnsupportedShape, answer, dot, pairs_of, plus, serve, unit

import Box2D
from Box2D import b2CircleShape, b2Distance, b2Manifold, b2PolygonShape, b2Transform

MOST_VERTICES = 16


def shape_of(body: QuestionBody):
    """The body's shape in Box2D. Box2D adds a radius of 0.01 to polygons, which `ask` leaves out.

    Raises UnsupportedShape for more than MOST_VERTICES points.
    """
    if body.kind == "circle":
        return b2CircleShape(radius=body.shape["radius"])
    points = body.shape["points"]
    if len(points) > MOST_VERTICES:
        raise UnsupportedShape(f"polygon of {len(points)} vertices")
    return b2PolygonShape(vertices=[tuple(point) for point in points])


def pose_of(body: QuestionBody):
    """The body's position and angle as Box2D's transform."""
    pose = b2Transform()
    pose.Set(tuple(body.position), body.angle)
    return pose


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """Box2D's answer about a pair. It includes the radii of circles, but not the radii that Box2D adds to polygons.

    Raises as `shape_of`.
    """
    shapes, poses = [shape_of(a), shape_of(b)], [pose_of(a), pose_of(b)]
    radii = [body.shape.get("radius", 0.0) for body in (a, b)]
    found = b2Distance(shapeA=shapes[0], shapeB=shapes[1], transformA=poses[0], transformB=poses[1], useRadii=False)
    gap, on_a, on_b = found.distance, list(found.pointA), list(found.pointB)
    normal = unit(plus(on_b, on_a, -1.0)) if gap > 1e-6 else None
    if normal is not None and gap >= sum(radii):
        return answer(gap - sum(radii), normal, plus(on_a, normal, radii[0]), plus(on_b, normal, -radii[1]))
    return overlapping(a, b, shapes, poses)


def overlapping(a: QuestionBody, b: QuestionBody, shapes, poses):
    """The answer from the contact manifold. Box2D's function for a polygon and a circle takes the polygon first."""
    swapped = a.kind == "circle" and b.kind == "polygon"
    first, second = (b, a) if swapped else (a, b)
    args = [shapes[1], poses[1], shapes[0], poses[0]] if swapped else [shapes[0], poses[0], shapes[1], poses[1]]
    manifold = b2Manifold()
    if second.kind == "polygon":
        manifold = called(Box2D.b2CollidePolygons, manifold, args)
    elif first.kind == "polygon":
        manifold = called(Box2D.b2CollidePolygonAndCircle, manifold, args)
    else:
        manifold = called(Box2D.b2CollideCircles, manifold, args)
    count = manifold.pointCount
    if not count:
        return answer(None)
    normal, contacts = contacts_of(manifold, count, first, second)
    if normal is None:
        return answer(None, contacts=contacts)
    least = min(depth for _, depth in contacts)
    return answer(least, [-x for x in normal] if swapped else normal, contacts=contacts)


def called(collide, manifold, args):
    """The manifold after a call that fills it."""
    collide(manifold, *args)
    return manifold


def contacts_of(manifold, count, first: QuestionBody, second: QuestionBody):
    """The normal from the first to the second body, and each contact point with its separation.

    The normal is None for concentric circles.
    """
    radii = [body.shape.get("radius", 0.0) for body in (first, second)]
    if manifold.type_ == b2Manifold.e_circles:
        p, q = first.world(manifold.localPoint), second.world(manifold.points[0].localPoint)
        normal = unit(plus(q, p, -1.0))
        gap = 0.0 if normal is None else dot(normal, plus(q, p, -1.0))
        return normal, [(p if normal is None else plus(p, normal, radii[0]), gap - sum(radii))]
    flipped = manifold.type_ == b2Manifold.e_faceB
    face, other = (second, first) if flipped else (first, second)
    normal = plus(face.world(manifold.localNormal), face.position, -1.0)
    plane = face.world(manifold.localPoint)
    contacts = []
    for index in range(count):
        point = other.world(manifold.points[index].localPoint)
        depth = dot(normal, plus(point, plane, -1.0)) - sum(radii)
        contacts.append((plus(point, normal, -radii[0 if flipped else 1]), depth))
    return ([-x for x in normal] if flipped else normal), contacts


if __name__ == "__main__":
    serve("box2d", Box2D.__version__, ask, pairs_of(("polygon", "circle")), precision=32)
