"""Adapter of PhysX 5 on the CPU, through sapien: contacts of one step of a nanosecond, single precision."""

import math

from protocol_loop import X_TO_Y, QuestionBody, answer, pairs_of, product, serve, upward

import numpy as np
import sapien

from sapien import physx

KINDS = ("box", "sphere", "capsule", "cylinder", "hull", "halfspace")
STEP = 1e-9
X_TO_Z = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)


def shape_of(body: QuestionBody, material):
    """The body's shape in PhysX: half sizes, shapes of revolution along x. SAPIEN makes a cylinder a mesh."""
    sizes = body.shape
    match body.kind:
        case "box":
            return physx.PhysxCollisionShapeBox([0.5 * x for x in sizes["size"]], material)
        case "sphere":
            return physx.PhysxCollisionShapeSphere(sizes["radius"], material)
        case "capsule":
            return physx.PhysxCollisionShapeCapsule(sizes["radius"], 0.5 * sizes["length"], material)
        case "cylinder":
            return physx.PhysxCollisionShapeCylinder(sizes["radius"], 0.5 * sizes["height"], material)
        case "halfspace":
            return physx.PhysxCollisionShapePlane(material)
    return physx.PhysxCollisionShapeConvexMesh(np.array(sizes["points"], np.float32), np.ones(3, np.float32), material)


def pose_of(body: QuestionBody):
    """The body's pose in PhysX, whose plane has the normal x."""
    if body.kind == "halfspace":
        normal, offset = body.plane()
        return sapien.Pose([offset * x for x in normal], list(product(upward(normal), X_TO_Z)))
    return sapien.Pose(body.position, list(body.turned(X_TO_Y)))


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of PhysX about a pair, with contacts up to its contact offset of 0.02."""
    system = physx.PhysxCpuSystem()
    system.set_timestep(STEP)
    scene = sapien.Scene([system])
    material = physx.PhysxMaterial(0.0, 0.0, 0.0)
    components = []
    for body in (a, b):
        fixed = body.kind == "halfspace"
        component = physx.PhysxRigidStaticComponent() if fixed else physx.PhysxRigidDynamicComponent()
        component.attach(shape_of(body, material))
        if not fixed:
            component.set_disable_gravity(True)
        entity = sapien.Entity()
        entity.add_component(component)
        entity.set_pose(pose_of(body))
        scene.add_entity(entity)
        components.append(component)
    system.step()
    rows = []
    for contact in system.get_contacts():
        if all(x in components for x in contact.bodies):
            # PhysX's normals point from the second body to the first.
            sign = -1.0 if contact.bodies[0] == components[0] else 1.0
            rows += [(point.position, point.separation, sign * np.array(point.normal)) for point in contact.points]
    if not rows:
        return answer(None)
    deepest = min(rows, key=lambda row: row[1])
    return answer(deepest[1], deepest[2], contacts=[row[:2] for row in rows])


if __name__ == "__main__":
    serve("sapien", sapien.__version__, ask, pairs_of(KINDS), precision=32, kind="contacts")
