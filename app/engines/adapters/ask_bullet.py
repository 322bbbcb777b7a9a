"""Adapter of Bullet through pybullet: getClosestPoints, double precision. Margin "zero" sets both margins to 0."""

from functools import lru_cache
from importlib.metadata import version

from protocol_loop import QuestionBody, answer, pairs_of, plus, serve, upward

import pybullet

KINDS = ("box", "sphere", "capsule", "cylinder", "hull", "halfspace")

client = pybullet.connect(pybullet.DIRECT)


@lru_cache(maxsize=256)
def thing(_which, kind, sizes, margin):
    """A Bullet body of the shape: half sizes, shapes of revolution along z; a capsule's height is its segment's."""
    match kind:
        case "box":
            shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[0.5 * x for x in sizes])
        case "sphere":
            shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=sizes[0])
        case "capsule":
            shape = pybullet.createCollisionShape(pybullet.GEOM_CAPSULE, radius=sizes[0], height=sizes[1])
        case "cylinder":
            shape = pybullet.createCollisionShape(pybullet.GEOM_CYLINDER, radius=sizes[0], height=sizes[1])
        case "halfspace":
            shape = pybullet.createCollisionShape(pybullet.GEOM_PLANE, planeNormal=[0, 0, 1])
        case _:
            shape = pybullet.createCollisionShape(pybullet.GEOM_MESH, vertices=[list(p) for p in sizes])
    body = pybullet.createMultiBody(baseMass=0.0, baseCollisionShapeIndex=shape)
    if margin == "zero":
        pybullet.changeDynamics(body, -1, collisionMargin=0.0)
    return body


def placed(which, body: QuestionBody, margin):
    """The Bullet body at its pose. Bullet's plane is normal to z."""
    sizes = body.shape
    if body.kind == "halfspace":
        normal, offset = body.plane()
        made, place, turn = thing(which, body.kind, (), margin), [offset * x for x in normal], upward(normal)
    else:
        keys = {"box": ("size",), "hull": ("points",), "sphere": ("radius",), "capsule": ("radius", "length")}
        values = [sizes[key] for key in keys.get(body.kind, ("radius", "height"))]
        rows = values[0] if body.kind in ("box", "hull") else values
        row = tuple(tuple(x) if isinstance(x, list) else x for x in rows)
        made, place, turn = thing(which, body.kind, row, margin), body.position, body.turned_z()
    w, x, y, z = turn
    pybullet.resetBasePositionAndOrientation(made, place, [x, y, z, w])
    return made


def ask(a: QuestionBody, b: QuestionBody, margin):
    """Bullet's answer about a pair. Bullet's normal points from B to A and is negated.

    The query takes bodies: for bare shapes Bullet exchanges A and B if B is a hull or A is a plane.
    """
    one, other = placed(0, a, margin), placed(1, b, margin)
    offsets = abs(a.shape.get("offset", 0.0)) + abs(b.shape.get("offset", 0.0))
    far = 2.0 * (sum(map(abs, plus(b.position, a.position, -1.0))) + a.reach() + b.reach() + offsets + 1.0)
    found = pybullet.getClosestPoints(one, other, far)
    if not found:
        return answer(None)
    least = min(found, key=lambda point: point[8])
    return answer(least[8], [-x for x in least[7]], least[5], least[6])


if __name__ == "__main__":
    serve("pybullet", version("pybullet"), ask, pairs_of(KINDS))
