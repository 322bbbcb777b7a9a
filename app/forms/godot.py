"""Godot's scene files: shapes as sub-resources, and nodes with their transforms, also one inside another.

Axes are right-handed with y up. A box's size is full, a capsule's height includes its caps. `Transform3D` in a file has
its basis by rows, then its origin; a node's transform is relative to its parent. An uneven scale stretches boxes and
hulls, with a note; for round shapes it is refused. A missing size is its class's default, with a note.
Sources, read in November 2026: docs.godotengine.org, 4.3 (CapsuleShape3D and CylinderShape3D: height 2, radius 0.5;
SphereShape3D: radius 0.5; a capsule's height "including the hemispheres" in the next version; CollisionShape3D: a
non-uniformly scaled one "will likely not behave as expected"); godotengine/godot, variant_parser.cpp at 008683a
(`m3.rows[i][j]`), BoxShape3D.xml at 0b1536f (width, height and depth; 1, 1, 1), WorldBoundaryShape3D.xml at 088e801
(Plane(0, 1, 0, 0)).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field

from core.geometry.vector import Array, dot, dots, length, product

from .bodies import Given, World, by_matrix, half_space, pair_of
from .form import Form, NotUnderstoodError, ReadPair, checked_length
from .markup import numbers_of
from .objects import Thing
from .writer import Writer, WrittenBody

WORLD = World("Godot")
SLACK = 5e-4
"""The largest error of a printed basis (0.707 for √½): of the axes' dot products, and of their lengths, relative."""
SHAPES = {
    "BoxShape3D": "box",
    "SphereShape3D": "sphere",
    "CapsuleShape3D": "capsule",
    "CylinderShape3D": "cylinder",
    "ConvexPolygonShape3D": "hull",
    "WorldBoundaryShape3D": "plane",
}
EVEN = ("sphere", "capsule", "cylinder")
"""Shapes that are refused if their scale is uneven."""
NODES = {
    *("Node3D", "StaticBody3D", "RigidBody3D", "CharacterBody3D", "AnimatableBody3D", "Area3D", "CollisionShape3D"),
    *("Camera3D", "DirectionalLight3D", "Node"),
}
PASSED_OVER = {
    *("disabled", "collision_layer", "collision_mask", "mass", "visible", "unique_name_in_owner", "gravity_scale"),
    *("freeze", "custom_solver_bias", "margin", "debug_color", "debug_fill", "resource_name"),
}
"""Properties that neither place nor size a body."""
EXAMPLES = (
    '[sub_resource type="BoxShape3D" id="1"]\nsize = Vector3(1, 1, 1)\n'
    '[node name="A" type="StaticBody3D"]\n[node name="S" type="CollisionShape3D" parent="A"]\n'
    'shape = SubResource("1")\n[node name="B" type="CollisionShape3D"]\n'
    'transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0, 0)\nshape = SubResource("1")',
)
_HEADER = re.compile(r"\[(\w+)((?:\s+\w+\s*=\s*(?:\"[^\"]*\"|\d+))*)\s*\]")
_KEY = re.compile(r"(\w+)\s*=\s*(.*)")


class _Node(Struct):
    line: int
    name: str
    kind: str
    parent: str | None
    basis: Array = field(default_factory=lambda: np.eye(3))
    origin: Array = field(default_factory=lambda: np.zeros(3))
    shape: str = ""
    given: set[str] = field(default_factory=set)


def _numbers(call: str, said: str, count: int | None, line: int) -> Array:
    match = re.fullmatch(call + r"\(([^()]*)\)", said)
    if match is None:
        raise NotUnderstoodError(f"{said[:40]} is not understood", line)
    return np.array(numbers_of(match[1], call, line, count))


class _Reader:
    def __init__(self) -> None:
        self.shapes: dict[str, Thing] = {}
        self.nodes: list[_Node] = []

    def read(self, text: str) -> list[Given]:
        current: Thing | _Node | None = None
        for line, said in enumerate(text.splitlines(), 1):
            said = said.strip()
            if not said or said.startswith(";"):
                continue
            if said.startswith("["):
                current = self._header(said, line)
            elif (match := _KEY.fullmatch(said)) and isinstance(current, Thing):
                _shape_key(current, match[1], match[2], line)
            elif match and isinstance(current, _Node):
                _node_key(current, match[1], match[2], line)
            else:
                raise NotUnderstoodError(f"{said[:40]} is not understood", line)
        found = [node for node in self.nodes if node.kind == "CollisionShape3D"]
        # pair_of refuses more than two bodies, which therefore need no poses.
        return [self._body(node) if len(found) <= 2 else Given(node.line, node.name) for node in found]

    def _header(self, said: str, line: int) -> Thing | _Node | None:
        match = _HEADER.fullmatch(said)
        if match is None:
            raise NotUnderstoodError(f"{said[:40]} is not understood", line)
        values = {key: value.strip('"') for key, value in re.findall(r"(\w+)\s*=\s*(\"[^\"]*\"|\d+)", match[2])}
        kind, name = values.get("type", ""), values.get("name", "")
        match match[1]:
            case "gd_scene":
                return None
            case "sub_resource" if kind in SHAPES and "id" in values and set(values) <= {"type", "id"}:
                if values["id"] in self.shapes:
                    raise NotUnderstoodError(f"the resource {values['id']} is given twice", line)
                thing = Thing(line, values["id"], SHAPES[kind])
                self.shapes[values["id"]] = thing
                return thing
            case "node" if kind in NODES and name and set(values) <= {"name", "type", "parent", "unique_id"}:
                node = _Node(line, name, kind, values.get("parent"))
                self.nodes.append(node)
                return node
        raise NotUnderstoodError(f"{match[1]} {kind or name} is not understood", line)

    def _paths(self, node: _Node) -> set[str]:
        """The paths by which a child may name this node as its parent."""
        if node.parent is None:
            return {".", node.name}
        return {node.name if node.parent == "." else f"{node.parent}/{node.name}"}

    def _world(self, node: _Node, depth: int = 0) -> tuple[Array, Array]:
        if node.parent is None:
            return node.basis, node.origin
        found = [one for one in self.nodes if node.parent in self._paths(one)]
        if not found and node.parent == "." and all(one.parent is not None for one in self.nodes):
            # The root is not in the text: its frame is taken as the world frame.
            return node.basis, node.origin
        if len(found) != 1 or depth > 40:
            raise NotUnderstoodError(f"the parent {node.parent} of {node.name} is not one node", node.line)
        basis, origin = self._world(found[0], depth + 1)
        return product(basis, node.basis), dots(basis, node.origin) + origin

    def _body(self, node: _Node) -> Given:
        if node.shape not in self.shapes:
            raise NotUnderstoodError(f"the shape of {node.name} is missing", node.line)
        notes: list[str] = []
        basis, origin = self._world(node)
        scale, turn = _parts(basis, node, notes)
        shape = self.shapes[node.shape]
        thing = Thing(node.line, node.name, shape.kind, _with_defaults(shape, notes), even=EVEN)
        if shape.kind == "plane":
            if not (scale == 1.0).all():
                raise NotUnderstoodError("a plane with a scale is not understood", node.line)
            given = Given(node.line, node.name, half_space(thing.sizes["normal"], thing.sizes["offset"]))
        else:
            thing.values["scale"] = scale
            if not scale[0] == scale[1] == scale[2]:
                notes.append(f"{node.name} is scaled unevenly, which Godot warns against; here its shape is stretched.")
            given = thing.given()
        given.position, given.rotation, given.notes = origin, turn, notes
        return given


def _with_defaults(shape: Thing, notes: list[str]) -> dict[str, Any]:
    """The sizes of a shape; a missing one has its class's default, with a note."""
    every: dict[str, dict[str, Any]] = {
        "box": {"size": np.ones(3)},
        "sphere": {"radius": 0.5},
        "capsule": {"radius": 0.5, "height": 2.0},
        "cylinder": {"radius": 0.5, "height": 2.0},
        "plane": {"normal": [0.0, 1.0, 0.0], "offset": 0.0},
    }
    defaults = every.get(shape.kind, {})
    notes += [
        f"The {key} of the {shape.kind} {shape.name} is left out: Godot's default."
        for key in defaults
        if key not in shape.sizes
    ]
    return {**defaults, **shape.sizes}


def _parts(basis: Array, node: _Node, notes: list[str]) -> tuple[Array, Array]:
    """The scale (3,) and the rotation (3, 3) of a basis.

    Raises NotUnderstoodError if the basis shears, mirrors or flattens.
    """
    columns = [basis[:, k] for k in range(3)]
    scale = np.array([float(length(column)) for column in columns])
    if not (scale > 0.0).all() or not np.isfinite(scale).all():
        raise NotUnderstoodError(f"the basis of {node.name} has a scale of zero", node.line)
    axes = [column / size for column, size in zip(columns, scale, strict=True)]
    if any(abs(float(dot(axes[i], axes[j]))) > SLACK for i, j in ((0, 1), (1, 2), (2, 0))):
        raise NotUnderstoodError(f"the basis of {node.name} is sheared", node.line)
    # Printed numbers are rounded: scales that differ by SLACK or less count as equal.
    for k in range(3):
        same = [size for size in (1.0, *scale[:k]) if abs(scale[k] - size) <= SLACK * size]
        if same and abs(scale[k] - same[0]) > 1e-6:
            notes.append(f"The basis of {node.name} is rounded: a scale of {scale[k]:.6g} is read as {same[0]:g}.")
        scale[k] = same[0] if same else scale[k]
    return scale, by_matrix(np.stack(axes, axis=1), node.line, notes)


def _shape_key(thing: Thing, key: str, said: str, line: int) -> None:
    match thing.kind, key:
        case "box", "size":
            thing.size(key, _numbers("Vector3", said, 3, line), line)
        case "sphere" | "capsule" | "cylinder", "radius" | "height":
            thing.size(key, numbers_of(said, key, line, 1)[0], line)
        case "hull", "points":
            points = _numbers("PackedVector3Array", said, None, line)
            if len(points) % 3:
                raise NotUnderstoodError(f"points need three numbers each, got {len(points)} numbers", line)
            thing.size(key, points.reshape(-1, 3), line)
        case "plane", "plane":
            x, y, z, offset = _numbers("Plane", said, 4, line).tolist()
            thing.size("normal", [x, y, z], line)
            thing.size("offset", offset, line)
        case _, other if other not in PASSED_OVER:
            raise NotUnderstoodError(f"{key} is not understood", line)


def _node_key(node: _Node, key: str, said: str, line: int) -> None:
    if key in node.given:
        raise NotUnderstoodError(f"the {key} of {node.name} is given twice", line)
    node.given.add(key)
    if key == "transform":
        numbers = _numbers("Transform3D", said, 12, line)
        node.basis, node.origin = numbers[:9].reshape(3, 3), numbers[9:]
    elif key == "shape" and (match := re.fullmatch(r"SubResource\(\s*\"?(\w+)\"?\s*\)", said)):
        node.shape = match[1]
    elif key not in PASSED_OVER:
        raise NotUnderstoodError(f"{key} is not understood", line)


def read(text: str) -> ReadPair:
    """The pair of two collision shapes of a scene file.

    Raises NotUnderstoodError for a line that is not understood, a node whose shape or parent is missing, and shapes
    that are no pair.
    """
    return pair_of(_Reader().read(checked_length(text)), WORLD)


def _resource(kind: str, *keys: tuple[str, Callable[[WrittenBody], str]]) -> Callable[[WrittenBody], str]:
    """The words for a shape as a sub-resource."""
    return lambda body: (
        f'[sub_resource type="{kind}Shape3D" id="{body.letter}"]\n'
        + "".join(f"{key} = {said(body)}\n" for key, said in keys)
    )


def _height(body: WrittenBody) -> str:
    return body.text([body.number("length") + 2.0 * body.number("radius")])


def _node(body: WrittenBody) -> str:
    n = body.letter
    return (
        f'[node name="{n}" type="StaticBody3D" parent="."]\n'
        f"transform = Transform3D({body.text(body.rotation)}, {body.text(body.position)})\n\n"
        f'[node name="shape" type="CollisionShape3D" parent="{n}"]\nshape = SubResource("{n}")\n'
    )


def _scene_file(bodies: Sequence[WrittenBody]) -> str:
    resources, nodes = [body.shape for body in bodies], [_node(body) for body in bodies]
    return "\n".join(("[gd_scene load_steps=3 format=3]\n", *resources, '[node name="pair" type="Node3D"]\n', *nodes))


WRITE = Writer(
    WORLD,
    {
        "box": _resource("Box", ("size", lambda body: f"Vector3({body.of('size')})")),
        "sphere": _resource("Sphere", ("radius", lambda body: body.of("radius"))),
        "capsule": _resource("Capsule", ("radius", lambda body: body.of("radius")), ("height", _height)),
        "cylinder": _resource(
            "Cylinder", ("radius", lambda body: body.of("radius")), ("height", lambda body: body.of("height"))
        ),
        "hull": _resource("ConvexPolygon", ("points", lambda body: f"PackedVector3Array({body.listed('{}')})")),
        "halfspace": _resource(
            "WorldBoundary", ("plane", lambda body: f"Plane({body.text(body.normal)}, {body.text([body.offset])})")
        ),
    },
    _scene_file,
)


FORM = Form(
    "godot",
    "docs.godotengine.org, 4.3",
    re.compile(r"\b\w+Shape3D\b|\bTransform3D\("),
    read,
    EXAMPLES,
    WRITE,
)
