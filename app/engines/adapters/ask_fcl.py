"""FCL: signed distance, or with the argument `collide` its contacts; double precision."""

import sys
from importlib.metadata import version

from protocol_loop import Body, answer, pairs_of, serve

import fcl
import numpy as np

KINDS = ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "hull")


def shape_of(body: Body):
    """FCL's shape: full sizes, shapes of revolution along z."""
    sizes = body.shape
    match body.kind:
        case "box":
            return fcl.Box(*sizes["size"])
        case "sphere":
            return fcl.Sphere(sizes["radius"])
        case "capsule":
            return fcl.Capsule(sizes["radius"], sizes["length"])
        case "cylinder":
            return fcl.Cylinder(sizes["radius"], sizes["height"])
        case "cone":
            return fcl.Cone(sizes["radius"], sizes["height"])
        case "ellipsoid":
            return fcl.Ellipsoid(*sizes["radii"])
        case "halfspace":
            normal = np.array(sizes["normal"], dtype=float)
            size = float(np.sqrt(normal @ normal))
            return fcl.Halfspace(normal / size, sizes["offset"] / size)
    faces = sizes["faces"]
    flat = np.array([number for face in faces for number in (len(face), *face)], dtype=np.int64)
    return fcl.Convex(np.array(sizes["points"], dtype=float), len(faces), flat)


def things(a: Body, b: Body):
    """Both bodies as FCL has them, each in its place."""
    return [
        fcl.CollisionObject(shape_of(body), fcl.Transform(np.array(body.matrix()), np.array(body.position)))
        for body in (a, b)
    ]


def distance(a: Body, b: Body, _margin):
    """No normal. FCL has no margin."""
    result = fcl.DistanceResult()
    request = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    found = fcl.distance(*things(a, b), request, result)
    on_a, on_b = result.nearest_points
    return answer(found, None, on_a, on_b)


def collide(a: Body, b: Body, _margin):
    """The deepest contact is the separation."""
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
        # Beside a half-space fcl.distance ends the process.
        serve("fcl", version("python-fcl"), distance, pairs_of(KINDS))
