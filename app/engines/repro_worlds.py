"""More calls for the scripts of bug reports: engines with a world (Drake, PhysX, Jolt), 2D engines, Box3D's GJK."""

from __future__ import annotations

from collections.abc import Callable

from core.scene import Scene

from .repro_call import SILENT, UPRIGHT, EngineCall, NoScriptError, Shape, exact_arguments, half_space_places


def _drake(scene: Scene, *shapes: Shape) -> EngineCall:
    made = ", ".join(_drake_shape(shape) for shape in shapes)
    return EngineCall(
        "from pydrake import geometry\nfrom pydrake.math import RigidTransform, RotationMatrix",
        f"""{half_space_places(scene.a, scene.b)}graph, ids, poses = geometry.SceneGraph(), [], []
source = graph.RegisterSource("pair")
for name, shape, (axes, at) in zip("ab", ({made}), (place_a, place_b)):
    poses.append(RigidTransform(RotationMatrix(axes), at))
    placed = geometry.GeometryInstance(poses[-1], shape, name)
    placed.set_proximity_properties(geometry.ProximityProperties())
    ids.append(graph.RegisterAnchoredGeometry(source, placed))
query = graph.get_query_output_port().Eval(graph.CreateDefaultContext())
found = query.ComputeSignedDistancePairClosestPoints(*ids)
d, normal = found.distance, -found.nhat_BA_W
on_a, on_b = poses[0] @ found.p_ACa, poses[1] @ found.p_BCb""",
    )


def _drake_shape(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            made = f"Box({exact_arguments(shape['size'])})"
        case "sphere":
            made = f"Sphere({shape['radius']!r})"
        case "capsule":
            made = f"Capsule({shape['radius']!r}, {shape['length']!r})"
        case "cylinder":
            made = f"Cylinder({shape['radius']!r}, {shape['height']!r})"
        case "ellipsoid":
            made = f"Ellipsoid({exact_arguments(shape['radii'])})"
        case "hull":
            made = f'Convex(np.array({shape["points"]!r}).T, "hull")'
        case "halfspace":
            made = "HalfSpace()"
        case _:
            raise NoScriptError(f"there is no script for Drake's {shape['type']}")
    return f"geometry.{made}"


def _physx(scene: Scene, *shapes: Shape) -> EngineCall:
    made = "\n".join(
        f"add({_physx_shape(shape)}, {shape['type'] == 'halfspace'}, {_along_x(name, shape)}, at_{name}_)"
        for name, shape in zip("ab", shapes, strict=True)
    )
    return EngineCall(
        "import sapien\nfrom sapien import physx",
        f"""{half_space_places(scene.a, scene.b, axis=0)}(axes_a_, at_a_), (axes_b_, at_b_) = place_a, place_b
system, material, added = physx.PhysxCpuSystem(), physx.PhysxMaterial(0.0, 0.0, 0.0), []
system.set_timestep(1e-9)
world = sapien.Scene([system])


def add(shape, fixed, axes, at):
    added.append(physx.PhysxRigidStaticComponent() if fixed else physx.PhysxRigidDynamicComponent())
    added[-1].attach(shape)
    if not fixed:
        added[-1].set_disable_gravity(True)
    entity = sapien.Entity()
    entity.add_component(added[-1])
    entity.set_pose(sapien.Pose(at, quaternion(axes)))
    world.add_entity(entity)


{made}
system.step()
{SILENT}
for contact in system.get_contacts():  # its normals point from the second body to the first
    for point in contact.points:
        if d is None or point.separation < d:
            d, normal = point.separation, np.array(point.normal) * (-1 if contact.bodies[0] == added[0] else 1)""",
        upright=False,
    )


def _along_x(name: str, shape: Shape) -> str:
    """The words for a body's axes. Those of a shape of revolution are turned, because its axis is x in PhysX."""
    return f"axes_{name}_ @ ((0, -1, 0), (1, 0, 0), (0, 0, 1))" if shape["type"] in UPRIGHT else f"axes_{name}_"


def _physx_shape(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            made = f"Box([{exact_arguments(0.5 * x for x in shape['size'])}], material)"
        case "sphere":
            made = f"Sphere({shape['radius']!r}, material)"
        case "capsule":
            made = f"Capsule({shape['radius']!r}, {0.5 * shape['length']!r}, material)"
        case "cylinder":
            made = f"Cylinder({shape['radius']!r}, {0.5 * shape['height']!r}, material)"
        case "halfspace":
            made = "Plane(material)"
        case "hull":
            made = f"ConvexMesh(np.array({shape['points']!r}, np.float32), np.ones(3, np.float32), material)"
        case _:
            raise NoScriptError(f"there is no script for PhysX's {shape['type']}")
    return f"physx.PhysxCollisionShape{made}"


def _jolt(_: Scene, *shapes: Shape) -> EngineCall:
    made = "\n".join(
        f"(w, x, y, z), at = quaternion(place_{name}[0]), tuple(place_{name}[1])\n"
        f"body_{name} = world.{_jolt_body(shape)}"
        for name, shape in zip("ab", shapes, strict=True)
    )
    return EngineCall(
        "import culverin",
        f"""settings = {{"gravity": (0.0, 0.0, 0.0), "num_threads": 1, "max_bodies": 16}}
world = culverin.PhysicsWorld(settings=settings)
{made}
world.step(1e-6)
found = world.get_contact_events_ex()
{SILENT}
touches = bool(found)  # it tells contacts without a depth
if found:
    normal = np.array(found[0]["normal"]) * (1 if found[0]["bodies"][0] == body_a else -1)""",
        upright=False,
        touches=True,
    )


def _jolt_body(shape: Shape) -> str:
    match shape["type"]:
        case "box":
            size: object = tuple(0.5 * x for x in shape["size"])
        case "sphere":
            size = shape["radius"]
        case "capsule" | "cylinder":
            size = (0.5 * (shape["length"] if "length" in shape else shape["height"]), shape["radius"])
        case "hull":
            points = f"np.array({shape['points']!r}, np.float32).tobytes()"
            return f"create_convex_hull(at, (x, y, z, w), {points})"
        case _:
            raise NoScriptError(f"there is no script for Jolt's {shape['type']}")
    kinds = f"shape=culverin.SHAPE_{shape['type'].upper()}, motion=culverin.MOTION_DYNAMIC"
    return f"create_body(pos=at, rot=(x, y, z, w), size={size!r}, {kinds})"


BOX2D = """{made}
poses = []
for axes, at in (place_a, place_b):
    poses.append(Box2D.b2Transform())
    poses[-1].Set(tuple(at[:2]), np.arctan2(axes[1, 0], axes[0, 0]))
radii = {radii}  # that Box2D gives polygons is no part of them
found = Box2D.b2Distance(shapeA=a, shapeB=b, transformA=poses[0], transformB=poses[1], useRadii=False)
{silent}
if found.distance > max(1e-6, {apart}):
    d, normal = found.distance - radii, np.append(np.subtract(found.pointB, found.pointA), 0.0) / found.distance"""
BOX2D_DEEP = """
else:
    manifold = Box2D.b2Manifold()
    Box2D.{call}(manifold, {order})
    flipped = {flipped}
    (axes, at), (others, there) = (place_b, place_a) if flipped else (place_a, place_b)
    n, plane = axes[:2, :2] @ manifold.localNormal, axes[:2, :2] @ manifold.localPoint + at[:2]
    points = [others[:2, :2] @ manifold.points[k].localPoint + there[:2] for k in range(manifold.pointCount)]
    if points:
        d, normal = min(n @ (point - plane) for point in points) - radii, np.append(-n if flipped else n, 0.0)"""
BOX2D_ROUND = """
else:
    d = -radii"""


def _box2d(_: Scene, *shapes: Shape) -> EngineCall:
    """The call for b2Distance, and for the manifold if the bodies overlap, which takes a polygon before a circle."""
    kinds, radii = [shape["type"] for shape in shapes], sum(shape.get("radius", 0.0) for shape in shapes)
    made = "\n".join(
        f"{name} = Box2D.b2CircleShape(radius={shape['radius']!r})"
        if shape["type"] == "circle"
        else f"{name} = Box2D.b2PolygonShape(vertices={[tuple(point) for point in shape['points']]!r})"
        for name, shape in zip("ab", shapes, strict=True)
    )
    second_first = kinds == ["circle", "polygon"]
    order = "b, poses[1], a, poses[0]" if second_first else "a, poses[0], b, poses[1]"
    both = kinds == ["polygon", "polygon"]
    call = "b2CollidePolygons" if both else "b2CollidePolygonAndCircle"
    flipped = "manifold.type_ == Box2D.b2Manifold.e_faceB" if both else str(second_first)
    around = kinds == ["circle", "circle"]
    deep = BOX2D_ROUND if around else BOX2D_DEEP.format(call=call, order=order, flipped=flipped)
    apart = "0.0" if around else "radii"
    return EngineCall("import Box2D", BOX2D.format(made=made, radii=repr(radii), silent=SILENT, apart=apart) + deep)


def _pymunk(_: Scene, *shapes: Shape) -> EngineCall:
    made = "\n".join(
        f"{name} = pymunk.Circle(holder(*place_{name}), {shape['radius']!r})"
        if shape["type"] == "circle"
        else f"{name} = pymunk.Poly(holder(*place_{name}), {[tuple(point) for point in shape['points']]!r})"
        for name, shape in zip("ab", shapes, strict=True)
    )
    return EngineCall(
        "import pymunk",
        f"""def holder(axes, at):
    body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
    body.position, body.angle = tuple(at[:2]), float(np.arctan2(axes[1, 0], axes[0, 0]))
    return body


{made}
a.cache_bb(), b.cache_bb()
{SILENT}
try:
    found = a.shapes_collide(b)
    if found.points:
        d = min((point.point_b - point.point_a).dot(found.normal) for point in found.points)
        normal = np.array((*found.normal, 0.0))
except AssertionError:  # this is how pymunk says that they are apart
    pass""",
    )


def _box3d_distance(_: Scene, *shapes: Shape) -> EngineCall:
    made = "\n".join(
        f'points_{name} = ffi.new("b3Vec3[]", {_proxy(shape)!r})' for name, shape in zip("ab", shapes, strict=True)
    )
    proxies = ", ".join(
        f'"proxy{name.upper()}": {{"points": points_{name}, "count": len(points_{name}), '
        f'"radius": {shape.get("radius", 0.0)!r}}}'
        for name, shape in zip("ab", shapes, strict=True)
    )
    return EngineCall(
        "from robox3d._ffi import ffi, lib",
        f"""{made}
(axes_1, at_1), (axes_2, at_2) = place_a, place_b
w, x, y, z = quaternion(axes_1.T @ axes_2)
there = ffi.new("b3Transform*", {{"p": list((at_2 - at_1) @ axes_1), "q": {{"v": [x, y, z], "s": w}}}})[0]
given = {{{proxies}, "transform": there, "useRadii": True}}
found = lib.b3ShapeDistance(ffi.new("b3DistanceInput*", given), ffi.new("b3SimplexCache*"), ffi.NULL, 0)
{SILENT}
touches = not found.distance > 0.0  # then it tells no depth
normal = axes_1 @ np.array((found.normal.x, found.normal.y, found.normal.z))
if not touches:
    d = found.distance
    on_a, on_b = (axes_1 @ np.array((p.x, p.y, p.z)) + at_1 for p in (found.pointA, found.pointB))""",
        upright=False,
        touches=True,
    )


def _proxy(shape: Shape) -> list[list[float]]:
    match shape["type"]:
        case "box":
            x, y, z = (0.5 * size for size in shape["size"])
            return [[i * x, j * y, k * z] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        case "sphere":
            return [[0.0, 0.0, 0.0]]
        case "capsule":
            return [[0.0, -0.5 * shape["length"], 0.0], [0.0, 0.5 * shape["length"], 0.0]]
        case "hull":
            return [list(point) for point in shape["points"]]
    raise NoScriptError(f"there is no script for Box3D's {shape['type']}")


WORLDS: dict[str, Callable[..., EngineCall]] = {
    "drake": _drake,
    "sapien": _physx,
    "culverin": _jolt,
    "box2d": _box2d,
    "pymunk": _pymunk,
    "box3d-distance": _box3d_distance,
}
"""The functions that make the calls, by the engines' names in the catalogue."""
