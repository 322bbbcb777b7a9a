"""Adapter of MuJoCo: mj_geomDistance, double precision, except that MuJoCo stores hulls in single precision."""

from functools import lru_cache

from protocol_loop import QuestionBody, answer, pairs_of, serve, unit

import mujoco
import numpy as np

KINDS = ("box", "sphere", "capsule", "cylinder", "ellipsoid", "hull", "halfspace")
TYPES = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "halfspace": mujoco.mjtGeom.mjGEOM_PLANE,
    "hull": mujoco.mjtGeom.mjGEOM_MESH,
}


def sizes_of(body: QuestionBody):
    """The geom's sizes: half sizes, shapes of revolution along z; None for a hull."""
    sizes = body.shape
    match body.kind:
        case "box":
            return [0.5 * x for x in sizes["size"]]
        case "sphere":
            return [sizes["radius"], 0.0, 0.0]
        case "capsule":
            return [sizes["radius"], 0.5 * sizes["length"], 0.0]
        case "cylinder":
            return [sizes["radius"], 0.5 * sizes["height"], 0.0]
        case "ellipsoid":
            return list(sizes["radii"])
        case "halfspace":
            return [0.0, 0.0, 1.0]
    return None


class PairModel:
    """A compiled model of two geoms. `shapes`: for each its kind, and the points of a hull or None."""

    def __init__(self, shapes):
        spec = mujoco.MjSpec()
        for index, (kind, points) in enumerate(shapes):
            geom = spec.worldbody.add_geom(type=TYPES[kind], size=[1.0, 1.0, 1.0])
            if points is not None:
                geom.meshname = spec.add_mesh(name=str(index), uservert=np.array(points).ravel()).name
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_kinematics(self.model, self.data)

    def place(self, geom, body: QuestionBody):
        """Writes the size, position and axes of a geom. MuJoCo stores a mesh in the mesh's frame of inertia."""
        place, axes = np.array(body.position), np.array(body.matrix())
        sizes = sizes_of(body)
        if sizes is not None:
            self.model.geom_size[geom] = sizes
            self.model.geom_rbound[geom] = 0.0 if body.kind == "halfspace" else body.reach()
            self.model.geom_aabb[geom] = [0.0, 0.0, 0.0, *3 * [body.reach()]]
        else:
            mesh, inner = self.model.geom_dataid[geom], np.zeros(9)
            mujoco.mju_quat2Mat(inner, self.model.mesh_quat[mesh])
            place = place + axes @ self.model.mesh_pos[mesh]
            axes = axes @ inner.reshape(3, 3)
        if body.kind == "halfspace":
            normal, offset = (np.array(part) for part in body.plane())
            place, axes = offset * normal, frame(normal)
        self.data.geom_xpos[geom], self.data.geom_xmat[geom] = place, axes.ravel()


def frame(normal):
    """A rotation matrix whose third column is the normal."""
    side = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    side = np.array(unit(side))
    return np.column_stack((side, np.cross(normal, side), normal))


@lru_cache(maxsize=64)
def pair(shapes):
    """The compiled model of these shapes, cached because compiling takes milliseconds. `place` writes the sizes."""
    return PairModel(shapes)


def ask(a: QuestionBody, b: QuestionBody, _margin):
    """The answer of MuJoCo about a pair, without a normal; its margin is always zero."""
    bodies = (a, b)
    rows = [tuple(map(tuple, x.shape["points"])) if x.kind == "hull" else None for x in bodies]
    both = pair(tuple((body.kind, points) for body, points in zip(bodies, rows, strict=True)))
    for geom, body in enumerate(bodies):
        both.place(geom, body)
    ends = np.zeros(6)
    offset = np.array(b.position) - np.array(a.position)
    far = 2.0 * (float(np.sqrt(offset @ offset)) + a.reach() + b.reach() + abs(a.shape.get("offset", 0.0)) + 1.0)
    far += abs(b.shape.get("offset", 0.0))
    found = mujoco.mj_geomDistance(both.model, both.data, 0, 1, far, ends)
    if found >= far:
        return answer(None)
    return answer(found, None, ends[:3], ends[3:])


if __name__ == "__main__":
    serve("mujoco", mujoco.__version__, ask, pairs_of(KINDS))
