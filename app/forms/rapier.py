"""Rapier's and Parry's builders, in Rust and JavaScript.

Sizes are halves. A capsule has its half height, without its caps, and then its radius. The axis of capsules, cylinders
and cones is y, except `capsule_x` and `capsule_z`; a cone's apex is up. The normal of a half-space points outwards. In
Rust `rotation` takes a rotation vector; in JavaScript `setRotation` takes {x, y, z, w}. Sources, read in
November 2026: docs.rs/rapier3d 0.22 (ColliderBuilder, RigidBodyBuilder), docs.rs/parry3d 0.17 (SharedShape);
dimforge/parry, cylinder.rs at 008517e, cone.rs at 015069a, half_space.rs at 0887849; rapier.rs/javascript3d 0.14
(ColliderDesc.capsule: "half-height of the capsule, along the `y` axis").
round_cone and round_convex_hull are in Rapier's and Parry's sources. "Copy as" writes Rust. In Parry versions that use
glam a Point is a Vector.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from core.geometry.vector import Array

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_vector,
    by_xyzw,
    capsule,
    cone,
    cylinder,
    half_space,
    hull,
)
from .code import Assign, Call, Items, Record, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError
from .program import BodyReader, chained, only
from .writer import Writer, WrittenBody, each

WORLD = World("Rapier")
BUILDERS = {"ColliderBuilder", "ColliderDesc", "SharedShape"}
PASSED_OVER = {
    *("build", "mass", "density", "friction", "restitution", "sensor", "user_data", "collision_groups"),
    *("solver_groups", "active_events", "active_hooks", "enabled", "setMass", "setDensity", "setFriction"),
    *("setRestitution", "setSensor", "setCollisionGroups", "setSolverGroups", "setActiveEvents", "setEnabled"),
    *("friction_combine_rule", "restitution_combine_rule", "active_collision_types", "contact_skin", "unwrap"),
}
"""Calls that neither place nor size a body."""
EXAMPLES = (
    "let floor = ColliderBuilder::cuboid(10.0, 0.1, 10.0).translation(vector![0.0, -0.1, 0.0]);\n"
    "let crate_ = ColliderBuilder::cuboid(0.5, 0.5, 0.5).translation(vector![0.0, 0.45, 0.0]);",
    "RAPIER.ColliderDesc.ball(0.5).setTranslation(0.0, 0.0, 0.0)\n"
    "RAPIER.ColliderDesc.capsule(0.5, 0.2).setTranslation(0.9, 0.0, 0.0).setRotation({x: 0, y: 0, z: 0, w: 1})",
    "let shape_a = SharedShape::ball(0.5);\nlet pose_a = Isometry::translation(0.0, 0.0, 0.0);\n"
    "let shape_b = SharedShape::cuboid(1.0, 0.5, 0.5);\n"
    "let pose_b = Isometry { rotation: [0.0, 0.0, 0.0, 1.0], translation: [1.4, 0.0, 0.0] };",
)


class _Reader(BodyReader):
    """The bodies of builders, or of shapes each followed by its isometry."""

    world = WORLD
    real_quotients = True

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        if isinstance(value, Call):
            first, *rest = chain = chained(value)
            owner, _, last = first.path.rpartition(".")
            if owner.rpartition(".")[2] in BUILDERS:
                self.bodies.append(_built(Given(line=first.line, name=target), last, first, rest))
            elif "Isometry" in first.path.split(".") and self.bodies:
                _place(self.bodies[-1], chain)
            else:
                return False
            return True
        if isinstance(value, Items) and target:
            # A list of points is a hull.
            self.bodies.append(
                Given(
                    value.line, target, hull([vector_of_args((point,), "a point", value.line) for point in value.items])
                )
            )
            return True
        return False


def _built(given: Given, kind: str, call: Call, rest: list[Call]) -> Given:
    """Gives `given` the shape of a builder's `call` and the pose of the calls `rest` that follow it; returns `given`.

    Calls in PASSED_OVER are ignored. Raises NotUnderstoodError for other calls that are not understood, and for a pose
    that is given twice.
    """
    give_shape(given, kind, call)
    for other in rest:
        match other.path:
            case "translation" | "setTranslation":
                given.give("position", np.array(vector_of_args(other.args, "a translation", other.line)), other.line)
            case "rotation":
                given.give(
                    "rotation", by_vector(vector_of_args(other.args, "a rotation vector", other.line)), other.line
                )
            case "setRotation":
                given.give("rotation", rotation_matrix(other), other.line)
            case "position":
                value = only(other)
                if not isinstance(value, Call):
                    raise NotUnderstoodError(f"{value_name(value)} is not understood", other.line)
                _place(given, chained(value))
            case name if name not in PASSED_OVER:
                raise NotUnderstoodError(f"{name}(…) is not understood", other.line)
    return given


def give_shape(given: Given, kind: str, call: Call) -> None:
    """Gives a body the shape, and the capsule's axis, of a builder's call; `kind`: the builder's name.

    Raises NotUnderstoodError for a shape that is not understood, and for a body that has one already.
    """

    def sizes(count: int) -> list[float]:
        return numbers_in(call.args, count, f"{kind}(…)", call.line)

    match kind:
        case "cuboid":
            shape = box(sizes(3), half=True)
        case "round_cuboid" | "roundCuboid":
            *halves, border = sizes(4)
            shape = box(halves, half=True) | {"border_radius": border}
        case "ball":
            shape = ball_of(*sizes(1))
        case "capsule" | "capsule_x" | "capsule_y" | "capsule_z":
            half, radius = sizes(2)
            shape, given.axis = capsule(radius, 2.0 * half), kind[-1] if kind[-2] == "_" else "y"
        case "cylinder" | "cone":
            half, radius = sizes(2)
            shape = (cylinder if kind == "cylinder" else cone)(radius, 2.0 * half)
        case "round_cylinder" | "roundCylinder" | "round_cone" | "roundCone":
            half, radius, border = sizes(3)
            shape = (cone if "one" in kind else cylinder)(radius, 2.0 * half) | {"border_radius": border}
        case "halfspace":
            shape = half_space(_normal(call), 0.0)
        case "convex_hull" | "convexHull":
            shape = hull(_points(call.args, call.line))
        case "round_convex_hull" | "roundConvexHull" if len(call.args) == 2:
            shape = hull(_points(call.args[:1], call.line))
            shape |= {"border_radius": number_in(call.args[1], "a border radius")}
        case _:
            raise NotUnderstoodError(f"{kind}(…) is not understood", call.line)
    given.give("shape", shape, call.line)


def vector_of_args(args: tuple[Value, ...], what: str, line: int) -> list[float]:
    """The three numbers in `args`: the arguments themselves, or those of one vector. `what`, `line`: for the error.

    A vector is a list, a record of x, y and z, a call such as `vector![x, y, z]` or `Point3::new(x, y, z)`, or one such
    as `Vector::zeros()`, which is zero. Raises NotUnderstoodError for other arguments.
    """
    if len(args) == 1:
        (one,) = args
        if isinstance(one, Record) and set(one.items) == set("xyz"):
            return [number_in(one.items[key], what) for key in "xyz"]
        if isinstance(one, Items):
            return numbers_in(one.items, 3, what, line)
        if (
            isinstance(one, Call)
            and one.of is None
            and re.fullmatch(
                r"(?:\w+\.)*(?:vector!|point!|(?:Vector|Vector3|Vec3|Point|Point3|Translation|Translation3)\.new|Vec3|Vector3)",
                one.path,
            )
        ):
            return numbers_in(one.args, 3, what, line)
        if isinstance(one, Call) and one.last in ("zeros", "identity", "zero") and not one.args:
            return [0.0, 0.0, 0.0]
    return numbers_in(args, 3, what, line)


def _normal(call: Call) -> list[float]:
    value = only(call)
    axes = {"x_axis": (1.0, 0.0, 0.0), "y_axis": (0.0, 1.0, 0.0), "z_axis": (0.0, 0.0, 1.0)}
    if isinstance(value, Call) and value.last in axes and not value.args:
        return list(axes[value.last])
    if isinstance(value, Call) and value.last == "new_normalize":
        return vector_of_args(value.args, "a normal", call.line)
    raise NotUnderstoodError("a half-space needs its normal, as Vector::y_axis()", call.line)


def _points(args: tuple[Value, ...], line: int) -> list[list[float]]:
    value = args[0] if len(args) == 1 else None
    if not isinstance(value, Items):
        raise NotUnderstoodError("a hull needs its points in the call", line)
    return [vector_of_args((point,), "a point", line) for point in value.items]


def rotation_matrix(call: Call) -> Array:
    """The rotation matrix (3, 3) of `setRotation({x, y, z, w})`.

    Raises NotUnderstoodError for other arguments, and for a length that is not 1 within what a printed quaternion may
    lack.
    """
    value = only(call)
    if not isinstance(value, Record) or set(value.items) != set("wxyz"):
        raise NotUnderstoodError("setRotation(…) needs {x, y, z, w}", call.line)
    return by_xyzw([number_in(value.items[key], "a quaternion") for key in "xyzw"], call.line)


def _place(given: Given, chain: list[Call]) -> None:
    """Gives a body the pose of an isometry, a chain of one call; `rotation` alone gives no position.

    Raises NotUnderstoodError for another chain or isometry, for a quaternion that is not a unit one, and for a pose
    that is given twice.
    """
    (call,) = chain if len(chain) == 1 else (None,)
    if call is None:
        raise NotUnderstoodError(f"{chain[1].path}(…) is not understood", chain[1].line)
    if call.last == "Isometry" and set(call.named) == {"rotation", "translation"}:
        rotation, place = call.named["rotation"], call.named["translation"]
        if not isinstance(rotation, Items):
            raise NotUnderstoodError(f"{value_name(rotation)} is not understood", rotation.line)
        given.give("rotation", by_xyzw(numbers_in(rotation.items, 4, "a rotation", call.line), call.line), call.line)
        given.give("position", np.array(vector_of_args((place,), "a translation", call.line)), call.line)
    elif call.last == "translation":
        given.give("position", np.array(numbers_in(call.args, 3, "a translation", call.line)), call.line)
        given.give("rotation", np.eye(3), call.line)
    elif call.last == "rotation":
        given.give("rotation", by_vector(vector_of_args(call.args, "a rotation vector", call.line)), call.line)
    elif call.last == "identity" and not call.args:
        given.give("position", np.zeros(3), call.line)
        given.give("rotation", np.eye(3), call.line)
    elif call.last == "new" and len(call.args) == 2:
        given.give("position", np.array(vector_of_args(call.args[:1], "a translation", call.line)), call.line)
        given.give("rotation", by_vector(vector_of_args(call.args[1:], "a rotation vector", call.line)), call.line)
    else:
        raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)


def _builder(call: str, *sizes: tuple[str, float]) -> Callable[[WrittenBody], str]:
    """The words for a builder. With a border radius it is the round builder, whose last number is that radius."""

    def words_for(body: WrittenBody) -> str:
        numbers = [body.of(key, factor) for key, factor in sizes]
        if body.border:
            return f"round_{call}({', '.join((*numbers, body.text([body.border])))})"
        return f"{call}({', '.join(numbers)})"

    return words_for


def _hull_words(body: WrittenBody) -> str:
    points = f"&[{body.listed('Point::new({})')}]"
    if body.border:
        return f"round_convex_hull({points}, {body.text([body.border])}).unwrap()"
    return f"convex_hull({points}).unwrap()"


def _body(body: WrittenBody) -> str:
    return (
        f"let {body.letter} = ColliderBuilder::{body.shape}\n"
        f"    .translation(Vector::new({body.text(body.position)}))\n"
        f"    .rotation(Vector::new({body.text(body.vector)}));"
    )


WRITE = Writer(
    WORLD,
    {
        "box": _builder("cuboid", ("size", 0.5)),
        "sphere": lambda body: f"ball({body.of('radius')})",
        "capsule": lambda body: f"capsule_y({body.of('length', 0.5)}, {body.of('radius')})",
        "cylinder": _builder("cylinder", ("height", 0.5), ("radius", 1.0)),
        "cone": _builder("cone", ("height", 0.5), ("radius", 1.0)),
        "hull": _hull_words,
        "halfspace": lambda _: "halfspace(Vector::y_axis())",
    },
    each(_body),
    plane=(0.0, 1.0, 0.0),
    borders=frozenset({"box", "cylinder", "cone", "hull"}),
    comment="// {}",
    about=("rapier3d 0.22. Half extents, half heights without the caps, rotations as vectors in radians.",),
)


FORM = Form(
    "rapier",
    "docs.rs: rapier3d 0.22, parry3d 0.17; rapier.rs: JavaScript 0.14",
    re.compile(r"ColliderBuilder|ColliderDesc|SharedShape|Isometry"),
    _Reader.read,
    EXAMPLES,
    WRITE,
)
