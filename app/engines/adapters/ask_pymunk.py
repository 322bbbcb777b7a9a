"""Adapter of Chipmunk through pymunk: contact points of two shapes, double precision."""

from protocol_loop import QuestionBody, answer, pairs_of, serve

import pymunk


def shape_of(body: QuestionBody):
    """The shape on a body at its pose, with its bounding box updated, and the body, which must be kept alive."""
    holder = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    holder.position, holder.angle = tuple(body.position), body.angle
    if body.kind == "circle":
        shape = pymunk.Circle(holder, body.shape["radius"])
    else:
        shape = pymunk.Poly(holder, [tuple(point) for point in body.shape["points"]])
    shape.cache_bb()
    return shape, holder


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of Chipmunk about a pair.

    Its own `distance` is wrong for a circle and a polygon. Separations are computed from the points and the normal.
    """
    (one, _kept), (other, _also) = shape_of(a), shape_of(b)
    try:
        found = one.shapes_collide(other)
    except AssertionError:  # this is how pymunk says that they are apart
        return answer(None)
    normal = found.normal
    points = [(p.point_a, p.point_b, float((p.point_b - p.point_a).dot(normal))) for p in found.points]
    if not points:
        return answer(None)
    on_a, on_b, least = min(points, key=lambda point: point[2])
    return answer(least, normal, on_a, on_b, [(point, depth) for point, _, depth in points])


if __name__ == "__main__":
    serve("pymunk", pymunk.version, ask, pairs_of(("polygon", "circle")), kind="contacts")
