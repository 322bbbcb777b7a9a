"""Adapter of FCL: signed distance, or contacts with the argument `collide`; double precision."""

import sys
from importlib.metadata import version

from protocol_loop import QuestionBody, answer, full_sized, pairs_of, serve

import fcl
import numpy as np

KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull")


def shape_of(body: QuestionBody):
    """The body's shape in FCL."""
    if body.kind == "halfspace":
        normal, offset = body.own_plane()
        return fcl.Halfspace(np.array(normal), offset)
    if body.kind != "hull":
        return full_sized(fcl, body)
    faces = body.shape["faces"]
    flat = np.array([number for face in faces for number in (len(face), *face)], dtype=np.int64)
    return fcl.Convex(np.array(body.shape["points"], dtype=float), len(faces), flat)


def things(a: QuestionBody, b: QuestionBody):
    """Both bodies as FCL's collision objects at their poses."""
    return [
        fcl.CollisionObject(shape_of(body), fcl.Transform(np.array(body.matrix()), np.array(body.position)))
        for body in (a, b)
    ]


def distance(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of FCL's distance about a pair, without a normal; FCL has no margin."""
    result = fcl.DistanceResult()
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    found = fcl.distance(*things(a, b), request, result)
    on_a, on_b = result.nearest_points
    return answer(found, None, on_a, on_b)


def collide(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of FCL's contacts about a pair; the deepest contact gives the separation."""
    result = fcl.CollisionResult()
    fcl.collide(*things(a, b), fcl.CollisionRequest(enable_contact=True, num_max_contacts=64), result)
    if not result.contacts:
        return answer(None)
    deepest = max(result.contacts, key=lambda contact: contact.penetration_depth)
    contacts = [(contact.pos, -contact.penetration_depth) for contact in result.contacts]
    return answer(-deepest.penetration_depth, deepest.normal, contacts=contacts)


if __name__ == "__main__":
    if sys.argv[1:] == ["collide"]:
        serve("fcl-collide", version("python-fcl"), collide, pairs_of((*KINDS, "halfspace")), kind="contacts")
    else:
        # fcl.distance crashes the process for pairs with a half-space.
        serve("fcl", version("python-fcl"), distance, pairs_of(KINDS))
