"""The part that the forms of python-fcl and Coal share: shapes with full sizes and the axis z, and objects.

A half-space is n·x <= d. Each form has its own transforms.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from msgspec import Struct, structs

from core.geometry.vector import Array
from core.shapes import Shape

from .bodies import Given, World, ball_of, box, by_matrix, capsule, cone, cylinder, ellipsoid, half_space, hull
from .code import Assign, Call, Items, Name, Number, Value, number_in, numbers_in, value_name
from .form import NotUnderstoodError
from .ordered import Ordered
from .program import only, vector_in
from .writer import Writer, WrittenBody, each, no_limit

ARRAYS = {"array", "asarray", "list", "tuple"}
SHAPES = re.compile(r"(?:\w+\.)?(Box|Sphere|Ellipsoid|Capsule|Cone|Cylinder|Halfspace|Convex|Convex\.convexHull)")
ASKED = {"collide", "distance", "print", "CollisionRequest", "CollisionResult", "DistanceRequest", "DistanceResult"}
"""Queries and their settings: calls that neither place nor size a body."""


class Pose(Struct, frozen=True, eq=False):
    """A transform: its position (3,), its rotation (3, 3), and notes on that."""

    position: Array
    rotation: Array
    notes: tuple[str, ...] = ()


def reader_of(world: World, pose: Callable[[Value], Pose | None]) -> type[Ordered]:
    """The reader of a form. `pose`: returns the pose of a transform, None for another value."""

    class Reader(Ordered):
        def __init__(self) -> None:
            super().__init__()
            self.vectors = set[str]()

        def known(self, one: Assign) -> bool:
            target, value = one.target, one.value
            found = pose(value)
            if found is not None:
                self.add_pose(target, value.line, found.position, found.rotation, found.notes)
            elif isinstance(value, Call) and SHAPES.fullmatch(value.path) and value.of is None:
                self.add_shape(shape(target, value))
            elif isinstance(value, Call) and value.path.endswith(("StdVec_Vec3s", "StdVec_Vec3f")) and not value.args:
                self.vectors.add(target)
            elif isinstance(value, Call) and value.path.removesuffix(".extend") in self.vectors:
                if len(value.args) != 1:
                    return False
                self.vectors.remove(value.path.removesuffix(".extend"))
                self.variables.keep(value.path.removesuffix(".extend"), value.args[0], one.line)
            elif isinstance(value, Call) and value.last in ("setTranslation", "setRotation") and self._placed(value):
                pass
            elif isinstance(value, Call) and value.last == "setSweptSphereRadius" and (given := self.owner(value)):
                (border,) = numbers_in(value.args, 1, value_name(value), value.line)
                given.shape = {**(given.shape or {}), "border_radius": border}
            elif isinstance(value, Call) and value.last in ("collide", "distance") and self._asked(value):
                pass
            elif isinstance(value, Call) and value.last == "CollisionObject" and value.of is None:
                self.bodies.append(_object(self, target, value, pose))
            elif target and (isinstance(value, Items | Number) or (isinstance(value, Call) and value.last in _DATA)):
                self.variables.keep(target, value, one.line)
            else:
                return False
            return True

        def _asked(self, call: Call) -> bool:
            """Reads a query `collide(shape, transform, shape, transform, …)` of named parts, and adds the two bodies.

            Returns False for other arguments.
            """
            names = [one.path if isinstance(one, Name) else "" for one in call.args[:4]]
            shapes = [one for name in names[::2] for one in self.shapes if name and one.name == name]
            poses = [one for name in names[1::2] for one in self.poses if name and one.name == name]
            if len(shapes) != 2 or len(poses) != 2:
                return False
            for given, placed in zip(shapes, poses, strict=True):
                # A copy: both shapes of the query may be the same object.
                notes = [*given.notes, *placed.notes]
                self.bodies.append(
                    structs.replace(given, position=placed.position, rotation=placed.rotation, notes=notes)
                )
            self.shapes = [one for one in self.shapes if not any(one is given for given in shapes)]
            self.poses = [one for one in self.poses if not any(one is placed for placed in poses)]
            return True

        def _placed(self, call: Call) -> bool:
            """Reads setTranslation or setRotation of a named transform or object. Returns False if there is none.

            Raises NotUnderstoodError for a value that is no position or no rotation.
            """
            name = call.path.rpartition(".")[0]
            owner = next((one for one in (*self.poses, *self.bodies) if name and one.name == name), None)
            if owner is None:
                return False
            if call.last == "setTranslation":
                owner.position = position(only(call))
            else:
                owner.notes.clear()
                owner.rotation = matrix(only(call), owner.notes)
            return True

    Reader.world, Reader.passed_over = world, ASKED
    return Reader


_DATA = {*ARRAYS, "eye", "identity", "zeros", "Quaternion"}


def _object(order: Ordered, target: str, call: Call, pose: Callable[[Value], Pose | None]) -> Given:
    if not 1 <= len(call.args) <= 2 or call.named:
        raise NotUnderstoodError("CollisionObject(…) needs a shape and a transform", call.line)
    given = Given(call.line, target)
    first = call.args[0]
    known = order.taken(first)
    if known is None:
        if not (isinstance(first, Call) and SHAPES.fullmatch(first.path)):
            raise NotUnderstoodError(f"{value_name(first)} is no shape here", call.line)
        known = shape("", first)
    given.shape, given.axis = known.shape, known.axis
    given.position, given.rotation = np.zeros(3), np.eye(3)
    if len(call.args) == 2:
        found = pose(call.args[1])
        if found is None:
            named = [one for one in order.poses if isinstance(call.args[1], Name) and one.name == call.args[1].path]
            if len(named) != 1:
                raise NotUnderstoodError(f"{value_name(call.args[1])} is no transform here", call.line)
            order.poses.remove(named[0])
            given.position, given.rotation, given.notes = named[0].position, named[0].rotation, named[0].notes
        else:
            given.position, given.rotation, given.notes = found.position, found.rotation, list(found.notes)
    return given


def shape(name: str, call: Call) -> Given:
    """The body of a shape's call, without a pose. Raises NotUnderstoodError for arguments that size no such shape."""
    match = SHAPES.fullmatch(call.path)
    assert match is not None
    given = Given(call.line, name)
    if call.named:
        raise NotUnderstoodError(f"{next(iter(call.named))} of {value_name(call)} is not understood", call.line)

    def sizes(count: int) -> list[float]:
        if count == 3 and len(call.args) == 1:
            return vector_in(call.args[0], ARRAYS, "sizes")
        return numbers_in(call.args, count, value_name(call), call.line)

    match match[1]:
        case "Box":
            given.shape = box(sizes(3))
        case "Sphere":
            given.shape = ball_of(*sizes(1))
        case "Ellipsoid":
            given.shape = ellipsoid(sizes(3))
        case "Halfspace":
            if len(call.args) != 2:
                raise NotUnderstoodError("Halfspace(…) needs its normal and its offset", call.line)
            normal = vector_in(call.args[0], ARRAYS, "a normal")
            given.shape = half_space(normal, number_in(call.args[1], "an offset"))
        case "Convex":
            points = unwrapped(call.args[0]) if len(call.args) == 3 else None
            if not isinstance(points, Items):
                raise NotUnderstoodError("Convex(…) needs its points, the count of faces, and the faces", call.line)
            given.shape = hull([vector_in(point, ARRAYS, "a point") for point in points.items])
        case "Convex.convexHull":
            points = unwrapped(call.args[0]) if len(call.args) == 3 else None
            if not isinstance(points, Items):
                raise NotUnderstoodError(
                    "convexHull(…) needs its points, whether triangles stay, Qhull's words", call.line
                )
            given.shape = hull([vector_in(point, ARRAYS, "a point") for point in points.items])
        case kind:
            given.shape = {"Capsule": capsule, "Cone": cone, "Cylinder": cylinder}[kind](*sizes(2))
            given.axis = "z"
    return given


def unwrapped(value: Value) -> Value:
    """The argument of `np.array(…)` and the like; another value unchanged."""
    if isinstance(value, Call) and value.last in ARRAYS and len(value.args) == 1 and value.of is None:
        return value.args[0]
    return value


def count_of_numbers(value: Value) -> int:
    """The length of a list of numbers; 9 for a list of rows or an identity matrix; 0 for another value."""
    plain = unwrapped(value)
    if isinstance(plain, Call) and plain.last in ("eye", "identity") and plain.of is None and len(plain.args) <= 1:
        return 9
    if not isinstance(plain, Items):
        return 0
    return 9 if plain.items and all(isinstance(row, Items) for row in plain.items) else len(plain.items)


def _three(call: Call) -> bool:
    return call.of is None and not call.named and len(call.args) == 1 and number_in(call.args[0], "a count") == 3.0


def position(value: Value) -> Array:
    """The position (3,) of a list of three numbers, or of `np.zeros(3)`.

    Raises NotUnderstoodError for another value.
    """
    if isinstance(value, Call) and value.last == "zeros" and _three(value):
        return np.zeros(3)
    return np.array(vector_in(value, ARRAYS, "a position"))


def matrix(value: Value, notes: list[str]) -> Array:
    """The rotation matrix (3, 3) of a list of three rows, or of `np.eye(3)`. Appends to `notes` as `by_matrix` does.

    Raises NotUnderstoodError for another value, and for a matrix that is no rotation.
    """
    plain = unwrapped(value)
    if isinstance(plain, Call) and plain.last in ("eye", "identity") and _three(plain):
        return np.eye(3)
    if not isinstance(plain, Items) or len(plain.items) != 3:
        raise NotUnderstoodError(f"a rotation must be three rows of three numbers, got {value_name(value)}", value.line)
    rows = [vector_in(row, ARRAYS, "a row") for row in plain.items]
    return by_matrix(np.array(rows), value.line, notes)


def writer(
    world: World,
    name: str,
    hull: Callable[[WrittenBody], str],
    pose: Callable[[WrittenBody], str],
    *,
    borders: frozenset[str] = frozenset(),
    limit: Callable[[Shape], str] = no_limit,
) -> Writer:
    """The writer of calls of the Python module `name`. `hull`, `pose`: return the words for a hull and a transform.

    `borders`: the kinds of shape that can have a border; `limit`: as in `Writer`.
    """

    def call(kind: str, *sizes: str) -> Callable[[WrittenBody], str]:
        return lambda body: f"shape_{body.letter} = {name}.{kind}({', '.join(body.of(size) for size in sizes)})"

    def half_space_words(body: WrittenBody) -> str:
        normal, offset = body.text(body.normal), body.text([body.offset])
        return f"shape_{body.letter} = {name}.Halfspace(np.array([{normal}]), {offset})"

    def swept(body: WrittenBody) -> str:
        border = body.text([body.border])
        return f"shape_{body.letter}.setSweptSphereRadius({border})\n" if body.border else ""

    return Writer(
        world,
        {
            "box": call("Box", "size"),
            "sphere": call("Sphere", "radius"),
            "ellipsoid": call("Ellipsoid", "radii"),
            "capsule": call("Capsule", "radius", "length"),
            "cone": call("Cone", "radius", "height"),
            "cylinder": call("Cylinder", "radius", "height"),
            "hull": hull,
            "halfspace": half_space_words,
        },
        each(
            lambda body: f"{body.shape}\n{swept(body)}transform_{body.letter} = {pose(body)}",
            f"import {name}\nimport numpy as np\n",
        ),
        axis="z",
        borders=borders,
        limit=limit,
        comment="# {}",
        about=("Full sizes along z, a capsule's length without its caps; a half-space is n·x <= d.",),
    )
