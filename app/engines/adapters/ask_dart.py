"""Adapter of DART's collision detectors, named by the argument dart, fcl, bullet or ode: contacts, double precision."""

import sys

from protocol_loop import QuestionBody, answer, pairs_of, serve

import dartpy
import numpy as np

from dartpy import collision, dynamics, math

DETECTORS = {
    # Only shapes that a detector really supports: DART with FCL silently treats a capsule as a sphere of radius 0.1;
    # DART with ODE silently ignores cones and ellipsoids.
    "dart": (collision.DARTCollisionDetector, ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid")),
    "fcl": (collision.FCLCollisionDetector, ("box", "sphere", "cylinder", "cone", "ellipsoid", "halfspace")),
    "bullet": (
        collision.BulletCollisionDetector,
        ("box", "sphere", "capsule", "cylinder", "cone", "ellipsoid", "halfspace"),
    ),
    "ode": (collision.OdeCollisionDetector, ("box", "sphere", "capsule", "cylinder", "halfspace")),
}


def shape_of(body: QuestionBody):
    """The body's shape in DART: full sizes, diameters of an ellipsoid, shapes of revolution along z."""
    sizes = body.shape
    match body.kind:
        case "box":
            return dynamics.BoxShape(np.array(sizes["size"], dtype=float))
        case "sphere":
            return dynamics.SphereShape(sizes["radius"])
        case "capsule":
            return dynamics.CapsuleShape(sizes["radius"], sizes["length"])
        case "cylinder":
            return dynamics.CylinderShape(sizes["radius"], sizes["height"])
        case "cone":
            return dynamics.ConeShape(sizes["radius"], sizes["height"])
        case "ellipsoid":
            return dynamics.EllipsoidShape(2.0 * np.array(sizes["radii"], dtype=float))
    normal, offset = body.own_plane()
    return dynamics.PlaneShape(np.array(normal), offset)


def frame_of(body: QuestionBody):
    """A frame at the body's pose with its shape."""
    pose = math.Isometry3()
    pose.set_rotation(np.array(body.matrix()))
    pose.set_translation(np.array(body.position))
    frame = dynamics.SimpleFrame(dynamics.Frame.World(), "", pose)
    frame.setShape(shape_of(body))
    return frame


def asker(make, sign):
    """The function that asks a detector. `sign`: -1 if the detector's normals point from B to A, else 1."""

    def ask(a: QuestionBody, b: QuestionBody, _margin):
        detector = make()
        if isinstance(detector, collision.FCLCollisionDetector):
            detector.setPrimitiveShapeType(collision.FCLCollisionDetector.PRIMITIVE)
        one, other = frame_of(a), frame_of(b)
        groups = [detector.createCollisionGroup(), detector.createCollisionGroup()]
        groups[0].addShapeFrame(one)
        groups[1].addShapeFrame(other)
        result = collision.CollisionResult()
        groups[0].collide(groups[1], collision.CollisionOption(True, 100), result)
        found = result.getContacts()
        if not found:
            return answer(None)
        deepest = max(found, key=lambda contact: contact.penetrationDepth)
        contacts = [(contact.point, -contact.penetrationDepth) for contact in found]
        first = deepest.collisionObject1.getShapeFrame() is one
        normal = (sign if first else -sign) * np.array(deepest.normal)
        return answer(-deepest.penetrationDepth, normal if normal.any() else None, contacts=contacts)

    return ask


if __name__ == "__main__":
    name = sys.argv[1]
    detector, kinds = DETECTORS[name]
    serve("dart-" + name, dartpy.__version__, asker(detector, -1.0), pairs_of(kinds), kind="contacts")
