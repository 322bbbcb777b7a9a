"""Bodies as JSON objects: a named shape with its sizes, a position and a rotation.

Keys are those of KEY_MEANINGS, in any case and with or without underscores: `halfExtents` is `half_extents`. A position
is three numbers or {x, y, z}. A rotation is a quaternion {x, y, z, w}, or four numbers under a key that names their
order (`quaternion_xyzw`), or an axis and an angle under a key that names its unit; four numbers without an order are
refused.
A capsule's `length` is the distance between the centres of its caps, its `height` includes the caps; capsules,
cylinders and cones need their `axis`. Right-handed, y up. The grammar is Separatrix's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import radians
from typing import Any

import numpy as np

from core.geometry.vector import Array

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_axis,
    by_quaternion,
    capsule,
    capsule_in_all,
    cone,
    cylinder,
    ellipsoid,
    hull,
    pair_of,
)
from .code import Items, Record, StringLiteral, Value, number_in, numbers_in, statements, value_name
from .form import Form, NotUnderstoodError, ReadPair
from .writer import Writer, WrittenBody

WORLD = World("the text")
KEY_MEANINGS = {
    **dict.fromkeys(("type", "shape", "kind", "geometry", "collider"), "type"),
    **dict.fromkeys(("position", "pos", "center", "centre", "translation", "location"), "position"),
    **dict.fromkeys(("size", "sizes", "dimensions", "fullsize", "fullextents"), "size"),
    **dict.fromkeys(("halfextents", "halfextent", "halfsize", "halfsizes"), "half"),
    **dict.fromkeys(("radius", "r"), "radius"),
    **dict.fromkeys(("vertices", "points", "verts"), "points"),
    **dict.fromkeys(("rotation", "orientation", "quaternion", "quat"), "rotation"),
    **dict.fromkeys(("rotationxyzw", "orientationxyzw", "quaternionxyzw", "quatxyzw"), "xyzw"),
    **dict.fromkeys(("rotationwxyz", "orientationwxyz", "quaternionwxyz", "quatwxyz"), "wxyz"),
    **dict.fromkeys(("angledegrees", "angledeg"), "degrees"),
    **dict.fromkeys(("angleradians", "anglerad"), "radians"),
    **{key: key for key in ("radii", "height", "length", "axis", "rotationaxis")},
}
PASSED_OVER = {"name", "id", "label", "mass", "friction", "restitution", "color", "colour", "density", "faces"}
KINDS = {
    **dict.fromkeys(("box", "cube", "cuboid"), "box"),
    **dict.fromkeys(("sphere", "ball"), "sphere"),
    **dict.fromkeys(("hull", "convex", "convexhull", "polyhedron", "mesh"), "hull"),
    **{name: name for name in ("capsule", "cylinder", "cone", "ellipsoid")},
}
SIZES = {
    "box": ("size", "half"),
    "sphere": ("radius",),
    "ellipsoid": ("radii",),
    "hull": ("points",),
    **dict.fromkeys(("capsule", "cylinder", "cone"), ("radius", "height", "length", "axis")),
}
EXAMPLES = (
    '[{"type": "box", "size": [1, 1, 1], "position": {"x": 0, "y": 0, "z": 0}},\n'
    ' {"type": "sphere", "radius": 0.5, "position": {"x": 0.9, "y": 0, "z": 0}}]',
    '{"a": {"shape": "box", "halfExtents": [0.5, 0.5, 0.5], "position": [0, 0, 0]},\n'
    ' "b": {"shape": {"type": "capsule", "radius": 0.2, "length": 1, "axis": "y"}, "position": [0.6, 0, 0],\n'
    '  "rotation": {"x": 0, "y": 0, "z": 0.6, "w": 0.8}}}',
)


def read(text: str) -> ReadPair:
    """The pair of two objects.

    Raises NotUnderstoodError for anything but lists and objects, and for objects that make no pair.
    """
    bodies: list[Given] = []
    for statement in statements(text, real_quotients=True):
        if not isinstance(statement, Items | Record):
            raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)
        _walk(statement, "", bodies)
    return pair_of(bodies, WORLD)


def _plain(key: str) -> str:
    return re.sub(r"[_\s-]", "", key).lower()


def _walk(value: Value, name: str, bodies: list[Given]) -> None:
    """Adds the objects that have a shape, in lists and under names, to `bodies`.

    Raises NotUnderstoodError for a value that is neither a list nor an object, and for an object that makes no body.
    """
    if isinstance(value, Items):
        for one in value.items:
            _walk(one, name, bodies)
        return
    if not isinstance(value, Record):
        raise NotUnderstoodError(f"{name or value_name(value)} is not understood", value.line)
    if any(KEY_MEANINGS.get(_plain(key)) == "type" for key in value.items):
        bodies.append(_body(value, name))
        return
    for key, one in value.items.items():
        if _plain(key) not in PASSED_OVER:
            _walk(one, key, bodies)


def _body(record: Record, name: str) -> Given:
    fields: dict[str, Value] = {}
    _gather(record, fields)
    kind = fields.pop("type")
    said = _plain(kind.value) if isinstance(kind, StringLiteral) else ""
    if said not in KINDS:
        raise NotUnderstoodError(f"the shape {value_name(kind)} is not understood", kind.line)
    given = Given(record.line, name)
    given.shape, given.axis = _shape(KINDS[said], fields, record.line)
    if "position" in fields:
        given.position = np.array(_three(fields.pop("position"), "a position"))
    given.rotation = _turn(fields, record.line)
    if fields:
        key, value = next(iter(fields.items()))
        raise NotUnderstoodError(f"{key} of a {KINDS[said]} is not understood", value.line)
    return given


def _gather(record: Record, fields: dict[str, Value]) -> None:
    """Stores the fields of a body in `fields` by their meaning in KEY_MEANINGS.

    A shape may be an object inside the body's. Raises NotUnderstoodError for an unknown key, one that is
    given twice, and a missing type.
    """
    for key, value in record.items.items():
        plain = _plain(key)
        if plain in PASSED_OVER:
            continue
        if plain not in KEY_MEANINGS:
            raise NotUnderstoodError(f"{key} is not understood", value.line)
        meaning = KEY_MEANINGS[plain]
        if meaning == "type" and isinstance(value, Record):
            _gather(value, fields)
        elif meaning in fields:
            raise NotUnderstoodError(f"{key} is given twice", value.line)
        else:
            fields[meaning] = value
    if "type" not in fields:
        raise NotUnderstoodError("the type of a shape is missing", record.line)


def _three(value: Value, what: str) -> list[float]:
    if isinstance(value, Record) and set(value.items) == set("xyz"):
        return [number_in(value.items[key], what) for key in "xyz"]
    if isinstance(value, Items):
        return numbers_in(value.items, 3, what, value.line)
    raise NotUnderstoodError(f"{what} must be three numbers, got {value_name(value)}", value.line)


def _shape(kind: str, fields: dict[str, Value], line: int) -> tuple[dict[str, Any], str]:
    sizes = {key: fields.pop(key) for key in SIZES[kind] if key in fields}

    def one(key: str) -> float:
        if key not in sizes:
            raise NotUnderstoodError(f"the {key} of this {kind} is missing", line)
        return number_in(sizes[key], key)

    match kind:
        case "box":
            if len(sizes) != 1:
                raise NotUnderstoodError("a box needs its size or its half extents", line)
            key, value = next(iter(sizes.items()))
            return box(_three(value, "a size"), half=key == "half"), "y"
        case "sphere":
            return ball_of(one("radius")), "y"
        case "ellipsoid" | "hull" if not sizes:
            raise NotUnderstoodError(f"the {SIZES[kind][0]} of this {kind} are missing", line)
        case "ellipsoid":
            return ellipsoid(_three(sizes["radii"], "radii")), "y"
        case "hull":
            points = sizes["points"]
            if not isinstance(points, Items):
                raise NotUnderstoodError("points must be a list", points.line)
            return hull([_three(point, "a point") for point in points.items]), "y"
    axis = sizes.get("axis")
    letter = axis.value.lower() if isinstance(axis, StringLiteral) else ""
    if letter not in ("x", "y", "z"):
        raise NotUnderstoodError(f'a {kind} needs its axis, "x", "y" or "z"', line)
    if ("height" in sizes) == ("length" in sizes):
        raise NotUnderstoodError(f"a {kind} needs its height or its length", line)
    long = one("height" if "height" in sizes else "length")
    if kind == "capsule":
        made = capsule_in_all(one("radius"), long, line) if "height" in sizes else capsule(one("radius"), long)
    else:
        made = (cylinder if kind == "cylinder" else cone)(one("radius"), long)
    return made, letter


def _turn(fields: dict[str, Value], line: int) -> Array | None:
    found = [key for key in ("rotation", "xyzw", "wxyz", "degrees", "radians") if key in fields]
    if len(found) > 1:
        raise NotUnderstoodError("the rotation is given twice", line)
    if not found:
        return None
    (key,) = found
    value = fields.pop(key)
    if key in ("degrees", "radians"):
        axis = fields.pop("rotationaxis", None)
        if axis is None:
            raise NotUnderstoodError("an angle needs its rotation_axis", value.line)
        angle = number_in(value, "an angle")
        return by_axis(_three(axis, "an axis"), radians(angle) if key == "degrees" else angle, value.line)
    if key == "rotation":
        if not isinstance(value, Record) or set(value.items) != set("wxyz"):
            raise NotUnderstoodError("a rotation needs x, y, z, w by their names, or a key such as xyzw", value.line)
        return by_quaternion([number_in(value.items[name], "a quaternion") for name in "wxyz"], value.line)
    if not isinstance(value, Items):
        raise NotUnderstoodError("a quaternion must be four numbers", value.line)
    numbers = numbers_in(value.items, 4, "a quaternion", value.line)
    return by_quaternion(numbers if key == "wxyz" else [numbers[3], *numbers[:3]], value.line)


def _round(kind: str, length: str) -> Callable[[WrittenBody], str]:
    return lambda body: f'"type": "{kind}", "radius": {body.of("radius")}, "{length}": {body.of(length)}, "axis": "y"'


def _object(body: WrittenBody) -> str:
    place = f'"position": [{body.text(body.position)}], "quaternion_xyzw": [{body.text(body.xyzw)}]'
    return f' "{body.letter}": {{{body.shape},\n  {place}}}'


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f'"type": "box", "size": [{body.of("size")}]',
        "sphere": lambda body: f'"type": "sphere", "radius": {body.of("radius")}',
        "capsule": _round("capsule", "length"),
        "cylinder": _round("cylinder", "height"),
        "cone": _round("cone", "height"),
        "ellipsoid": lambda body: f'"type": "ellipsoid", "radii": [{body.of("radii")}]',
        "hull": lambda body: f'"type": "hull", "points": [{body.listed()}]',
    },
    lambda bodies: "{" + ",\n".join(map(_object, bodies))[1:] + "}\n",
    name="JSON",
)


FORM = Form(
    "json_bodies",
    "the grammar in app/forms/json_bodies.py",
    re.compile(r"[{,]\s*\"(?:type|shape|kind|geometry|collider)\"\s*:\s*(?:\"\w+\"|\{)"),
    read,
    EXAMPLES,
    WRITE,
)
