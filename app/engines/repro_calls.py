"""The calls to each engine in a bug report's script, as Python text with the scene's numbers.

The docstring of `repro_call.py` lists the variables that a call sets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.geometry.quaternion import multiply, normalized
from core.geometry.vector import dots
from core.scene import Body, Scene

from .questions import OWN_MARGIN, engine_question
from .repro_call import SILENT, UPRIGHT, Z_TO_Y, EngineCall, NoScriptError, Shape, exact_arguments, half_space_places
from .repro_worlds import WORLDS


def call_of(name: str, scene: Scene) -> EngineCall:
    """The call of the engine with this name in the catalogue.

    Raises NoScriptError for an engine or a kind of shape without a script, and for a border radius.
    """
    if name not in CALLS:
        raise NoScriptError(f"there is no script for {name}; there is one for {', '.join(CALLS)}")
    question = engine_question(scene, OWN_MARGIN)
    shapes = [question[key]["shape"] for key in ("a", "b")]
    if any(shape.get("border_radius") for shape in shapes):
        raise NoScriptError("there is no script for shapes with a border radius")
    return CALLS[name](scene, *shapes)


def mjcf(scene: Scene) -> str:
    """The pair as a MuJoCo model (MJCF). Raises NoScriptError for a shape that MuJoCo lacks."""
    shapes = [engine_question(scene, OWN_MARGIN)[key]["shape"] for key in ("a", "b")]
    meshes = [
        f'    <mesh name="{name}" vertex="{_row([x for point in shape["points"] for x in point])}"/>\n'
        for name, shape in zip("ab", shapes, strict=True)
        if shape["type"] == "hull"
    ]
    assets = f"  <asset>\n{''.join(meshes)}  </asset>\n" if meshes else ""
    geoms = [_geom(*parts) for parts in zip("ab", (scene.a, scene.b), shapes, strict=True)]
    return f"<mujoco>\n{assets}  <worldbody>\n{''.join(geoms)}  </worldbody>\n</mujoco>\n"


def _geom(name: str, body: Body, shape: Shape) -> str:
    kind, position = shape["type"], body.position
    turn = multiply(body.rotation, Z_TO_Y) if kind in UPRIGHT else body.rotation
    if kind == "halfspace":
        plane = body.shape.plane
        assert plane is not None
        normal = dots(body.pose.matrix, plane.normal)
        x, y, z = (body.pose.position + plane.offset * normal).tolist()
        position, (i, j, k) = (x, y, z), normal.tolist()
        turn = normalized((1.0 + k, -j, i, 0.0)) if k > -1.0 + 1e-12 else (0.0, 1.0, 0.0, 0.0)
    sizes: dict[str, Callable[[], Any]] = {
        "box": lambda: [0.5 * x for x in shape["size"]],
        "sphere": lambda: [shape["radius"]],
        "capsule": lambda: [shape["radius"], 0.5 * shape["length"]],
        "cylinder": lambda: [shape["radius"], 0.5 * shape["height"]],
        "ellipsoid": lambda: shape["radii"],
        "halfspace": lambda: [0.0, 0.0, 1.0],
    }
    if kind == "hull":
        what = f'type="mesh" mesh="{name}"'
    elif kind in sizes:
        what = f'type="{"plane" if kind == "halfspace" else kind}" size="{_row(sizes[kind]())}"'
    else:
        raise NoScriptError(f"MuJoCo has no {kind}")
    return f'    <geom {what} pos="{_row(position)}" quat="{_row(turn)}"/>\n'


def _row(numbers: Any) -> str:
    return " ".join(repr(float(x)) for x in numbers)


def _full(library: str, shape: Shape) -> str:
    """The constructor call of a shape of Coal or FCL, whose sizes are full. Raises NoScriptError for another shape."""
    match shape["type"]:
        case "box":
            return f"{library}.Box({exact_arguments(shape['size'])})"
        case "sphere":
            return f"{library}.Sphere({shape['radius']!r})"
        case "capsule":
            return f"{library}.Capsule({shape['radius']!r}, {shape['length']!r})"
        case "cylinder" | "cone":
            return f"{library}.{shape['type'].capitalize()}({shape['radius']!r}, {shape['height']!r})"
        case "ellipsoid":
            return f"{library}.Ellipsoid({exact_arguments(shape['radii'])})"
        case "halfspace":
            size = sum(x * x for x in shape["normal"]) ** 0.5
            normal = [x / size for x in shape["normal"]]
            return f"{library}.Halfspace(np.array({normal!r}), {shape['offset'] / size!r})"
    raise NoScriptError(f"there is no script for {shape['type']}")


def _coal(_: Scene, *shapes: Shape) -> EngineCall:
    made = []
    for name, shape in zip("ab", shapes, strict=True):
        if shape["type"] == "hull":
            rows = f"rows_{name} = coal.StdVec_Vec3s()\nrows_{name}.extend([np.array(p) for p in {shape['points']!r}])"
            made.append(f'{rows}\n{name} = coal.Convex.convexHull(rows_{name}, False, "Qt")')
        else:
            made.append(f"{name} = {_full('coal', shape)}")
    return EngineCall(
        "import coal",
        f"""{made[0]}
{made[1]}
request, result = coal.DistanceRequest(), coal.DistanceResult()
request.enable_signed_distance = True
d = coal.distance(a, coal.Transform3s(*place_a), b, coal.Transform3s(*place_b), request, result)
normal, on_a, on_b = result.normal, result.getNearestPoint1(), result.getNearestPoint2()""",
    )


def _fcl_objects(*shapes: Shape) -> str:
    lines = []
    for name, shape in zip("ab", shapes, strict=True):
        made = ""
        if shape["type"] == "hull":
            flat = [x for face in shape["faces"] for x in (len(face), *face)]
            count = len(shape["faces"])
            made = f"fcl.Convex(np.array({shape['points']!r}), {count}, np.array({flat!r}))"
        lines.append(f"{name} = fcl.CollisionObject({made or _full('fcl', shape)}, fcl.Transform(*place_{name}))")
    return "\n".join(lines)


def _fcl(_: Scene, *shapes: Shape) -> EngineCall:
    return EngineCall(
        "import fcl",
        f"""{_fcl_objects(*shapes)}
result = fcl.DistanceResult()
d = fcl.distance(a, b, fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True), result)
normal, (on_a, on_b) = None, result.nearest_points""",
    )


def _fcl_collide(_: Scene, *shapes: Shape) -> EngineCall:
    return EngineCall(
        "import fcl",
        f"""{_fcl_objects(*shapes)}
result = fcl.CollisionResult()
fcl.collide(a, b, fcl.CollisionRequest(enable_contact=True, num_max_contacts=64), result)
{SILENT}
if result.contacts:
    deepest = max(result.contacts, key=lambda contact: contact.penetration_depth)
    d, normal = -deepest.penetration_depth, deepest.normal""",
    )


def _mujoco(scene: Scene, *shapes: Shape) -> EngineCall:
    # Writes the axes bit for bit as in the question: from a quaternion MuJoCo would compute slightly different axes.
    exact = not {"hull", "halfspace"} & {shape["type"] for shape in shapes}
    placed = "data.geom_xpos[:], data.geom_xmat[:] = zip(*((at, axes.ravel()) for axes, at in (place_a, place_b)))\n"
    return EngineCall(
        "import mujoco",
        f'''MJCF = """{mjcf(scene)}"""
model = mujoco.MjModel.from_xml_string(MJCF)
data, ends = mujoco.MjData(model), np.zeros(6)
mujoco.mj_kinematics(model, data)
{placed if exact else ""}d = mujoco.mj_geomDistance(model, data, 0, 1, 1e6, ends)
normal, on_a, on_b = None, ends[:3], ends[3:]''',
    )


def _rapier(scene: Scene, *shapes: Shape) -> EngineCall:
    made = [_rapier_shape(shape) for shape in shapes]
    planes = half_space_places(scene.a, scene.b)
    return EngineCall(
        "import rapier3d as rapier",
        f"""{planes}def collider(shape, axes, at):
    w, x, y, z = quaternion(axes)
    pose_there = rapier.Isometry3(rapier.Vec3(*at), rapier.Rotation3(w, x, y, z))
    return shape.active_collision_types(rapier.ActiveCollisionTypes.all()).position(pose_there).build()


colliders, narrow = rapier.ColliderSet(), rapier.NarrowPhase()
a = colliders.insert(collider(rapier.Collider.{made[0]}, *place_a))
b = colliders.insert(collider(rapier.Collider.{made[1]}, *place_b))
rest = rapier.IslandManager(), rapier.BroadPhaseBvh(), narrow, rapier.RigidBodySet(), colliders
rapier.CollisionPipeline().step(100.0, *rest)
{SILENT}
found = narrow.contact_pair(a, b)
said = [(point.dist, m.data.normal) for m in (found.manifolds if found else ()) for point in m.points]
if said:
    d, n = min(said, key=lambda entry: entry[0])
    normal = np.array((n.x, n.y, n.z)) * (1 if found.collider1 == a else -1)""",
        upright=False,
    )


def _rapier_shape(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            return f"cuboid({exact_arguments(0.5 * x for x in shape['size'])})"
        case "sphere":
            return f"ball({shape['radius']!r})"
        case "capsule":
            return f"capsule_y({0.5 * shape['length']!r}, {shape['radius']!r})"
        case "cylinder" | "cone":
            return f"{shape['type']}({0.5 * shape['height']!r}, {shape['radius']!r})"
        case "hull":
            return f"convex_hull({shape['points']!r})"
        case "halfspace":
            return "halfspace((0.0, 0.0, 1.0))"
    raise NoScriptError(f"there is no script for Rapier's {shape['type']}")


def _bullet(scene: Scene, *shapes: Shape) -> EngineCall:
    made = [_bullet_shape(shape) for shape in shapes]
    return EngineCall(
        "import pybullet",
        f"""{half_space_places(scene.a, scene.b)}pybullet.connect(pybullet.DIRECT)
bodies = []
for shape, (axes, at) in (({made[0]}, place_a), ({made[1]}, place_b)):
    bodies.append(pybullet.createMultiBody(0.0, pybullet.createCollisionShape(**shape)))
    w, x, y, z = quaternion(axes)
    pybullet.resetBasePositionAndOrientation(bodies[-1], at, (x, y, z, w))
found = min(pybullet.getClosestPoints(*bodies, 100.0), key=lambda point: point[8])
d, normal, on_a, on_b = found[8], -np.array(found[7]), found[5], found[6]""",
    )


def _bullet_shape(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            return f"dict(shapeType=pybullet.GEOM_BOX, halfExtents={[0.5 * x for x in shape['size']]!r})"
        case "sphere":
            return f"dict(shapeType=pybullet.GEOM_SPHERE, radius={shape['radius']!r})"
        case "capsule" | "cylinder":
            height = shape.get("length", shape.get("height"))
            kind = shape["type"].upper()
            return f"dict(shapeType=pybullet.GEOM_{kind}, radius={shape['radius']!r}, height={height!r})"
        case "hull":
            return f"dict(shapeType=pybullet.GEOM_MESH, vertices={shape['points']!r})"
        case "halfspace":
            return "dict(shapeType=pybullet.GEOM_PLANE, planeNormal=(0, 0, 1))"
    raise NoScriptError(f"there is no script for Bullet's {shape['type']}")


BOX3D = {
    ("box", "box"): ("b3CollideHulls", "b3SATCache"),
    ("box", "capsule"): ("b3CollideHullAndCapsule", "b3SimplexCache"),
    ("box", "sphere"): ("b3CollideHullAndSphere", "b3SimplexCache"),
    ("capsule", "capsule"): ("b3CollideCapsules", None),
    ("capsule", "sphere"): ("b3CollideCapsuleAndSphere", None),
    ("sphere", "sphere"): ("b3CollideSpheres", None),
}
"""The function and its cache for each pair of kinds of shape in this order; a hull counts as a box."""


def _box3d(_: Scene, *shapes: Shape) -> EngineCall:
    kinds = ["box" if shape["type"] == "hull" else shape["type"] for shape in shapes]
    first, second = kinds
    swapped = (second, first) in BOX3D and first != second
    names = "ba" if swapped else "ab"
    if (kinds[swapped], kinds[not swapped]) not in BOX3D:
        raise NoScriptError(f"there is no script for Box3D's {shapes[0]['type']} and {shapes[1]['type']}")
    call, cache = BOX3D[kinds[swapped], kinds[not swapped]]
    more = f', ffi.new("{cache}*")' if cache else ""
    made = "\n".join(f"{name} = {_box3d_shape(shape)}" for name, shape in zip("ab", shapes, strict=True))
    one, two = (
        f'ffi.addressof({name}, "base")' if shapes["ab".index(name)]["type"] == "box" else name for name in names
    )
    return EngineCall(
        "from robox3d._ffi import ffi, lib",
        f"""{made}
(axes_1, at_1), (axes_2, at_2) = place_{names[0]}, place_{names[1]}
w, x, y, z = quaternion(axes_1.T @ axes_2)
there = ffi.new("b3Transform*", {{"p": list((at_2 - at_1) @ axes_1), "q": {{"v": [x, y, z], "s": w}}}})[0]
contacts = ffi.new("b3LocalManifoldPoint[64]")
found = ffi.new("b3LocalManifold*", {{"points": contacts}})
lib.{call}(found, 64, {one}, {two}, there{more})
{SILENT}
if found.pointCount:
    d = min(point.separation for point in contacts[0 : found.pointCount])
    normal = {"-" if swapped else ""}(axes_1 @ np.array((found.normal.x, found.normal.y, found.normal.z)))""",
        upright=False,
    )


def _box3d_shape(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            return f'ffi.new("b3BoxHull*", lib.b3MakeBoxHull({exact_arguments(0.5 * x for x in shape["size"])}))'
        case "sphere":
            return f'ffi.new("b3Sphere*", [[0, 0, 0], {shape["radius"]!r}])'
        case "capsule":
            low, high = ([0.0, sign * 0.5 * shape["length"], 0.0] for sign in (-1.0, 1.0))
            ends = f'"center1": {low!r}, "center2": {high!r}'
            return f'ffi.new("b3Capsule*", {{{ends}, "radius": {shape["radius"]!r}}})'
        case "hull":
            points = shape["points"]
            return f'lib.b3CreateHull(ffi.new("b3Vec3[]", {points!r}), {len(points)}, 255)'
    raise NoScriptError(f"Box3D has no {shape['type']}")


def _dart(detector: str) -> Callable[..., EngineCall]:
    def call(_: Scene, *shapes: Shape) -> EngineCall:
        made = ", ".join(_dart_shape(shape) for shape in shapes)
        primitive = "\ndetector.setPrimitiveShapeType(collision.FCLCollisionDetector.PRIMITIVE)"
        return EngineCall(
            "from dartpy import collision, dynamics, math",
            f"""detector = collision.{detector}CollisionDetector(){primitive if detector == "FCL" else ""}
frames, groups = [], []
for shape, (axes, at) in zip(({made}), (place_a, place_b)):
    there = math.Isometry3()
    there.set_rotation(axes)
    there.set_translation(at)
    frames.append(dynamics.SimpleFrame(dynamics.Frame.World(), "", there))
    frames[-1].setShape(shape)
    groups.append(detector.createCollisionGroup())
    groups[-1].addShapeFrame(frames[-1])
result = collision.CollisionResult()
groups[0].collide(groups[1], collision.CollisionOption(True, 100), result)
{SILENT}
if result.getContacts():
    deepest = max(result.getContacts(), key=lambda contact: contact.penetrationDepth)
    first = deepest.collisionObject1.getShapeFrame() is frames[0]
    d, normal = -deepest.penetrationDepth, np.array(deepest.normal) * (-1 if first else 1)""",
        )

    return call


def _dart_shape(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            return f"dynamics.BoxShape(np.array({shape['size']!r}))"
        case "ellipsoid":
            return f"dynamics.EllipsoidShape(2 * np.array({shape['radii']!r}))"
        case "sphere" | "capsule" | "cylinder" | "cone":
            kind = shape["type"].capitalize()
            return f"dynamics.{_full('', shape)[1:].replace(kind, kind + 'Shape')}"
        case "halfspace":
            size = sum(x * x for x in shape["normal"]) ** 0.5
            normal = [x / size for x in shape["normal"]]
            return f"dynamics.PlaneShape(np.array({normal!r}), {shape['offset'] / size!r})"
    raise NoScriptError(f"there is no script for DART's {shape['type']}")


CALLS: dict[str, Callable[..., EngineCall]] = {
    "coal": _coal,
    "fcl": _fcl,
    "fcl-collide": _fcl_collide,
    "mujoco": _mujoco,
    "rapier3d": _rapier,
    "pybullet": _bullet,
    "box3d": _box3d,
    **WORLDS,
    **{f"dart-{name.lower()}": _dart(name) for name in ("DART", "FCL", "Bullet", "Ode")},
}
