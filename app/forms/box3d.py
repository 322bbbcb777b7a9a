"""Box3D's shapes and transforms, in C and C++.

Boxes have half widths. A sphere has its centre and radius, a capsule the centres of its two caps and its radius, in the
body's frame. A transform is `{p, q}`, a quaternion `{v, s}`: x, y, z, then w. Angles are radians. Sources:
erincatto/box3d, include/box3d/math_functions.h at 47b57d05; sizes from the table of `core/README.md`;
b3CreateHull(points, count, most) and its limits in hull.c and its constants.
"""

from __future__ import annotations

import re

import numpy as np

from core.geometry.vector import Array, length
from core.shapes import Shape

from ..shapes import hull_points
from .bodies import Given, World, ball_of, box, by_quaternion, by_unit_axis, capsule, onto
from .code import Assign, Call, Items, Name, Record, Value, number_in, numbers_in, value_name
from .form import Form, NotUnderstoodError, ReadPair
from .ordered import Ordered, check_count, points_of
from .program import vector_in
from .writer import Writer, WrittenBody, each

WORLD = World("Box3D")
MOST_CORNERS = 128
"""B3_MAX_HULL_VERTICES."""
_CAST = re.compile(r"\(\s*b3(?:Vec3|Pos|Quat|Transform|WorldTransform|Sphere|Capsule)\s*\)(?=\s*\{)")
AXES = {"b3Vec3_axisX": (1.0, 0.0, 0.0), "b3Vec3_axisY": (0.0, 1.0, 0.0), "b3Vec3_axisZ": (0.0, 0.0, 1.0)}
ZERO = {"b3Vec3_zero", "b3Pos_zero"}
VECTORS = {"b3Vec3", "b3Pos"}
RECORDS = {"b3Sphere", "b3Capsule", "b3Transform", "b3WorldTransform", "b3Quat"}
EXAMPLES = (
    "b3BoxHull a = b3MakeBoxHull(0.5f, 0.5f, 0.5f);\n"
    "b3Transform ta = {.p = {0, 0, 0}, .q = {.v = {0, 0, 0}, .s = 1}};\n"
    "b3BoxHull b = b3MakeCubeHull(0.5f);\n"
    "b3Transform tb = {.p = {1.1f, 0, 0}, .q = b3MakeQuatFromAxisAngle(b3Vec3_axisZ, 0.25f * B3_PI)};",
    "b3Sphere a = {{0, 0, 0}, 0.5f};\nb3Capsule b = {{0, -0.5f, 0}, {0, 0.5f, 0}, 0.2f};\n"
    "b3Transform ta = b3Transform_identity;\nb3Transform tb = {{0.6f, 0, 0}, b3Quat_identity};",
)


class _Reader(Ordered):
    world = WORLD

    def known(self, one: Assign) -> bool:
        target, kind, value = one.target, one.kind, one.value
        called = value.path if isinstance(value, Call) else ""
        if isinstance(value, Call) and value.last in ("b3MakeBoxHull", "b3MakeCubeHull"):
            count = 1 if value.last == "b3MakeCubeHull" else 3
            sizes = numbers_in(value.args, count, value_name(value), value.line)
            self.add_shape(Given(value.line, target, box(3 * sizes if count == 1 else sizes, half=True)))
        elif isinstance(value, Call) and called == "b3CreateHull" and len(value.args) == 3:
            points = self.taken(value.args[0])
            if points is None:
                raise NotUnderstoodError("a hull needs its points before it, as b3Vec3 points[] = {…}", value.line)
            check_count(value.args[1], len((points.shape or {}).get("points", ())))
            self.add_shape(Given(value.line, target, points.shape))
        elif "b3Sphere" in (kind, called):
            self.add_shape(_sphere(target, value))
        elif "b3Capsule" in (kind, called):
            self.add_shape(_capsule(target, value))
        elif kind in ("b3Transform", "b3WorldTransform") or called == "b3Transform":
            self.add_pose(target, value.line, *pose(value))
        elif kind == "b3Vec3" and isinstance(value, Items) and points_of(value, Items):
            self.add_points(target, [vector(point, "a point") for point in value.items], one.line)
        elif kind in ("b3Vec3", "b3Quat", "b3Pos"):
            self.variables.keep(target, value, one.line)
        else:
            return False
        return True


def _fields(value: Value, names: tuple[str, ...], what: str) -> list[Value]:
    """The values of a record in the order of `names`; in the text they have these names, or only this order.

    Raises NotUnderstoodError for other names or another count.
    """
    if isinstance(value, Call) and value.path in RECORDS and value.of is None:
        value = Record(value.named, value.line) if value.named else Items(value.args, value.line)
    if isinstance(value, Record) and set(value.items) == set(names):
        return [value.items[name] for name in names]
    if isinstance(value, Items) and len(value.items) == len(names):
        return list(value.items)
    raise NotUnderstoodError(f"{what} needs {', '.join(names)}", value.line)


def vector(value: Value, what: str) -> list[float]:
    """The three numbers of a b3Vec3 or b3Pos. `what`: its name in the error.

    Raises NotUnderstoodError for another value.
    """
    if isinstance(value, Name) and value.path in AXES:
        return list(AXES[value.path])
    if isinstance(value, Name) and value.path in ZERO:
        return [0.0, 0.0, 0.0]
    if isinstance(value, Call) and value.named and value.path in VECTORS:
        value = Record(value.named, value.line)
    return vector_in(value, VECTORS, what)


def _sphere(name: str, value: Value) -> Given:
    centre, radius = _fields(value, ("center", "radius"), "a sphere")
    given = Given(value.line, name, ball_of(number_in(radius, "a radius")))
    given.centre = np.array(vector(centre, "a centre"))
    return given


def _capsule(name: str, value: Value) -> Given:
    first, second, radius = _fields(value, ("center1", "center2", "radius"), "a capsule")
    one, other = (np.array(vector(centre, "a centre")) for centre in (first, second))
    between = other - one
    far = length(between)
    given = Given(value.line, name, capsule(number_in(radius, "a radius"), float(far)))
    given.centre = 0.5 * (one + other)
    if far > 0.0:
        given.local = onto(np.array((0.0, 1.0, 0.0)), between / far)
    return given


def rotation_matrix(value: Value) -> Array:
    """The rotation matrix (3, 3) of a b3Quat.

    Raises NotUnderstoodError for another value, and for a quaternion or an axis whose length is not 1.
    """
    if isinstance(value, Name) and value.path == "b3Quat_identity":
        return np.eye(3)
    if isinstance(value, Call) and value.last == "b3MakeQuatFromAxisAngle":
        if len(value.args) != 2:
            raise NotUnderstoodError("b3MakeQuatFromAxisAngle(…) needs an axis and an angle", value.line)
        axis = vector(value.args[0], "an axis")
        return by_unit_axis(axis, number_in(value.args[1], "an angle"), "Box3D", value.line)
    if isinstance(value, Call) and value.last.startswith("b3") and value.last != "b3Quat":
        raise NotUnderstoodError(f"{value_name(value)} is not understood", value.line)
    imaginary, real = _fields(value, ("v", "s"), "a quaternion")
    x, y, z = vector(imaginary, "a quaternion's v")
    return by_quaternion((number_in(real, "a quaternion's s"), x, y, z), value.line)


def pose(value: Value) -> tuple[Array, Array]:
    """The position (3,) and the turn (3, 3) of a b3Transform. Raises NotUnderstoodError for another value."""
    if isinstance(value, Name) and value.path in ("b3Transform_identity", "b3WorldTransform_identity"):
        return np.zeros(3), np.eye(3)
    place, rotation = _fields(value, ("p", "q"), "a transform")
    return np.array(vector(place, "a position")), rotation_matrix(rotation)


def read(text: str) -> ReadPair:
    """The pair of two shapes with their transforms. Raises NotUnderstoodError as `BodyReader.read`."""
    return _Reader.read(_CAST.sub("", text))


def _hull(body: WrittenBody) -> str:
    n, count = body.letter, len(body.corners)
    return (
        f"b3Vec3 points_{n}[] = {{{body.listed('{{{}}}', body.corners)}}};\n"
        f"b3HullData* shape_{n} = b3CreateHull(points_{n}, {count}, {count});"
    )


def _capsule_words(body: WrittenBody) -> str:
    half = 0.5 * body.number("length")
    ends = (body.text((0.0, y, 0.0)) for y in (-half, half))
    return f"b3Capsule shape_{body.letter} = {{{', '.join(f'{{{end}}}' for end in ends)}, {body.of('radius')}}};"


def _pose_words(body: WrittenBody) -> str:
    *v, s = body.xyzw
    place, turn = body.text(body.position), f"{{.v = {{{body.text(v)}}}, .s = {body.text([s])}}}"
    return f"{body.shape}\nb3Transform pose_{body.letter} = {{.p = {{{place}}}, .q = {turn}}};"


def _limit(shape: Shape) -> str:
    if shape.polyhedron is None or not hull_points(shape):
        return ""
    count = len(shape.polyhedron.vertices)
    if len(shape.polyhedron.faces) < 4:
        return "is flat; a hull of Box3D is solid."
    return f"has {count} corners; a hull of Box3D has at most {MOST_CORNERS}." if count > MOST_CORNERS else ""


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"b3BoxHull shape_{body.letter} = b3MakeBoxHull({body.of('size', 0.5)});",
        "sphere": lambda body: (
            f"b3Sphere shape_{body.letter} = {{{{{body.text((0.0, 0.0, 0.0))}}}, {body.of('radius')}}};"
        ),
        "capsule": _capsule_words,
        "hull": _hull,
    },
    each(_pose_words),
    limit=_limit,
    suffix="f",
    comment="// {}",
    about=(
        "Half widths; a capsule is the centres of its two caps and their radius; v, s are x, y, z and w.",
        "Box3D rounds to single precision.",
    ),
)


FORM = Form(
    "box3d",
    "erincatto/box3d, its headers, 2026",
    re.compile(r"\bb3[A-Z]\w+"),
    read,
    EXAMPLES,
    WRITE,
)
