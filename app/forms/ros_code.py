"""Code that fills ROS messages, in C++ and Python, and the messages as Python prints them (`repr`).

Declarations, assignments to fields, `push_back` and `append` become messages, which `ros_messages` reads.
`primitive.dimensions[primitive.BOX_X]` is the dimension 0, `CYLINDER_HEIGHT` and `CONE_HEIGHT` are 0 and the radius 1,
as in shape_msgs/SolidPrimitive.msg (docs.ros.org, noetic, read in November 2026). A field that the code does not set
has the message's default: 0 for a position; for a quaternion zeros in ROS 1, and w = 1 in ROS 2. A quaternion of zeros
is refused, except in MoveIt's objects, where it is no rotation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy

from .blocks import BlockNode
from .bodies import pair_of
from .code import (
    Assign,
    Call,
    Declare,
    Items,
    Name,
    Number,
    Record,
    Statement,
    StringLiteral,
    Value,
    statements,
    value_name,
)
from .form import Form, NotUnderstoodError, ReadPair
from .program import without_imports
from .ros_messages import WORLD, Messages
from .writer import Writer, WrittenBody, each

MESSAGES = {"SolidPrimitive", "Pose", "PoseStamped", "CollisionObject", "Marker", "Point", "Quaternion", "Vector3"}
MESSAGES |= {"Header", "Transform", "TransformStamped"}
INDICES = {"BOX_X": 0, "BOX_Y": 1, "BOX_Z": 2, "SPHERE_RADIUS": 0}
INDICES |= {f"{kind}_{part}": k for kind in ("CYLINDER", "CONE") for k, part in enumerate(("HEIGHT", "RADIUS"))}
ADDS = {"push_back", "emplace_back", "append"}
LISTS = re.compile(r"(?:std\.)?vector|list")
DEFAULTS = {**dict.fromkeys(("position", "translation", "scale", "Point", "Vector3"), "xyz")}
DEFAULTS |= dict.fromkeys(("orientation", "rotation", "Quaternion"), "xyzw")
PASSED_OVER = {
    *("applyCollisionObject", "applyCollisionObjects", "addCollisionObjects", "publish", "now", "Time", "resize"),
    *("reserve", "print", "sleep", "getPlanningFrame", "get_planning_frame", "PlanningSceneInterface"),
}
"""Calls that neither place nor size a body."""
_INDEX = re.compile(r"\[\s*(?:(?:\w+\s*(?:\.|->|::)\s*)*(?P<name>[A-Z]+_[A-Z]+)|(?P<digit>\d))\s*\](?=\s*=[^=])")
_BYTES = re.compile(r"\bb(?=['\"])")
EXAMPLES = (
    "shape_msgs::SolidPrimitive primitive;\nprimitive.type = primitive.BOX;\nprimitive.dimensions.resize(3);\n"
    "primitive.dimensions[primitive.BOX_X] = 1.0;\nprimitive.dimensions[primitive.BOX_Y] = 1.0;\n"
    "primitive.dimensions[primitive.BOX_Z] = 1.0;\ngeometry_msgs::Pose pose;\npose.orientation.w = 1.0;\n"
    "shape_msgs::SolidPrimitive ball;\nball.type = ball.SPHERE;\nball.dimensions = {0.5};\n"
    "geometry_msgs::Pose ball_pose;\nball_pose.orientation.w = 1.0;\nball_pose.position.x = 0.9;",
    "a = CollisionObject(id='a', primitives=[SolidPrimitive(type=1, dimensions=[1.0, 1.0, 1.0])],\n"
    "  primitive_poses=[Pose(position=Point(x=0.0, y=0.0, z=0.0), orientation=Quaternion(w=1.0))])\n"
    "b = CollisionObject(id='b', primitives=[SolidPrimitive(type=2, dimensions=[0.5])],\n"
    "  primitive_poses=[Pose(position=Point(x=0.9, y=0.0, z=0.0), orientation=Quaternion(w=1.0))])",
)


class _Program:
    """The messages of a text. `by_name`: those with a name; `loose`: those without.

    `used`: the names of messages that are part of another one, each with the line of its use. Those are not bodies.
    """

    def __init__(self, *, copies: bool, newer: bool) -> None:
        """`copies`: a message put into another one is copied, as in C++. `newer`: the default of w is 1 (ROS 2)."""
        self.by_name: dict[str, BlockNode] = {}
        self.loose: list[BlockNode] = []
        self.used: dict[str, int] = {}
        self._copies, self._w = copies, "1" if newer else "0"

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError for one that is not understood."""
        if isinstance(statement, Declare):
            kind = statement.kind.split()[-1]
            last = kind.rpartition(".")[2]
            if last in MESSAGES or LISTS.fullmatch(kind):
                if statement.value is not None and (statement.value.args or statement.value.named):
                    raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)
                self._keep(statement.target, self._empty(last, statement.line), statement.line)
                return
            if last in PASSED_OVER:
                return
        elif isinstance(statement, Assign):
            self._set(statement.target, statement.value, statement.line)
            return
        elif isinstance(statement, Call):
            if statement.last in ADDS and len(statement.args) == 1 and not statement.named:
                self._append(statement)
                return
            if statement.last in PASSED_OVER:
                return
            if statement.last.lstrip("_") in MESSAGES:
                self.loose.append(self.tree(statement))
                return
        raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)

    def _set(self, target: str, value: Value, line: int) -> None:
        root, *path = target.split(".")
        if isinstance(value, Call) and value.last in PASSED_OVER:
            return
        if not path:
            self._keep(root, self.tree(value), line)
            return
        if root not in self.by_name:
            raise NotUnderstoodError(f"{root} is no message here", line)
        if root in self.used and not self._copies:
            raise NotUnderstoodError(f"{root} changes after it was put into another message", line)
        self.used.pop(root, None)
        node = self.by_name[root]
        for key in path[:-1]:
            if not isinstance(node.value, dict):
                raise NotUnderstoodError(f"{target} is not understood", line)
            node = node.value.setdefault(key, self._empty(key, line))
        if isinstance(node.value, list) and (match := re.fullmatch(r"at_(\d)", path[-1])):
            index = int(match[1])
            if index != len(node.value):
                raise NotUnderstoodError(f"the number {len(node.value)} is expected first", line)
            node.value.append(self.tree(value))
        elif isinstance(node.value, dict):
            node.value[path[-1]] = self.tree(value)
        else:
            raise NotUnderstoodError(f"{target} is not understood", line)

    def _keep(self, name: str, node: BlockNode, line: int) -> None:
        """Stores a message. Raises NotUnderstoodError if it replaces an unused one that is not empty."""
        if name in self.by_name and name not in self.used and self.by_name[name].value:
            raise NotUnderstoodError(f"{name} is given twice", line)
        self.by_name[name] = node
        self.used.pop(name, None)

    def _append(self, call: Call) -> None:
        root, *path = call.path.split(".")[:-1]
        if root not in self.by_name:
            raise NotUnderstoodError(f"{root} is no message here", call.line)
        node = self.by_name[root]
        for key in path:
            if not isinstance(node.value, dict):
                raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
            node = node.value.setdefault(key, BlockNode(call.line, []))
        if node.value == "":
            node.value = []
        if not isinstance(node.value, list):
            raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
        node.value.append(self.tree(call.args[0]))

    def tree(self, value: Value) -> BlockNode:
        """A value as a message. Raises NotUnderstoodError for an unknown call, and for a field that a message lacks."""
        line = value.line
        match value:
            case Number(number):
                return BlockNode(line, repr(int(number)) if number == int(number) else repr(number))
            case StringLiteral(said):
                return BlockNode(line, said)
            case Name(path) if path.split(".")[0] in self.by_name and not path.isupper():
                return self._message_at(path, line)
            case Name(path):
                return BlockNode(line, path.rpartition(".")[2])
            case Items(items):
                return BlockNode(line, [self.tree(one) for one in items])
            case Record(named):
                return BlockNode(line, {key: self.tree(one) for key, one in named.items()})
            case Call(_, args, named) if value.of is None:
                return self._call(value.last.lstrip("_"), args, named, line)
        raise NotUnderstoodError(f"{value_name(value)} is not understood", line)

    def _message_at(self, path: str, line: int) -> BlockNode:
        root, *rest = path.split(".")
        node: BlockNode | None = self.by_name[root]
        if rest and rest[-1].isupper():
            return BlockNode(line, rest[-1])
        for key in rest:
            node = None if node is None else node.at(key)
        if node is None:
            raise NotUnderstoodError(f"{path} is not understood", line)
        self.used[root] = line
        return deepcopy(node)

    def _call(self, kind: str, args: tuple[Value, ...], named: dict[str, Value], line: int) -> BlockNode:
        if kind == "array" and len(args) == 2:
            return self.tree(args[1])
        if LISTS.fullmatch(kind) and len(args) <= 1 and not named:
            return self.tree(args[0]) if args else BlockNode(line, [])
        orders = {"Point": "xyz", "Vector3": "xyz", "Quaternion": "xyzw", "Pose": ("position", "orientation")}
        found = {key: self.tree(one) for key, one in named.items() if key != "check_fields"}
        if kind not in MESSAGES or (args and (kind not in orders or len(args) != len(orders[kind]) or named)):
            raise NotUnderstoodError(f"{kind}(…) is not understood", line)
        if args:
            found = {key: self.tree(one) for key, one in zip(orders[kind], args, strict=True)}
        node = self._empty(kind, line)
        assert isinstance(node.value, dict)
        node.value.update(found)
        return node

    def _empty(self, kind: str, line: int) -> BlockNode:
        """The empty message or list of a kind or field. Vectors and quaternions have their default numbers."""
        names = DEFAULTS.get(kind)
        if names is not None:
            return BlockNode(line, {name: BlockNode(line, self._w if name == "w" else "0") for name in names})
        if kind in ("dimensions", "primitives", "primitive_poses") or LISTS.fullmatch(kind):
            return BlockNode(line, [])
        if kind in ("Pose", "pose"):
            return BlockNode(line, {key: self._empty(key, line) for key in ("position", "orientation")})
        return BlockNode(line, {})


def read(text: str) -> ReadPair:
    """The pair of two messages that code fills.

    Raises NotUnderstoodError for a statement that is not understood, and for messages that are no pair.
    """

    def index(match: re.Match[str]) -> str:
        name, digit = match["name"], match["digit"]
        return f".at_{digit if digit is not None else INDICES.get(name, name)}"

    plain = _BYTES.sub("", _INDEX.sub(index, without_imports(text)))
    program = _Program(copies="::" in text, newer=bool(re.search(r"::msg::|\brcl(?:py|cpp)\b", text)))
    for statement in statements(plain):
        program.take(statement)
    messages = Messages()
    for name, node in (*program.by_name.items(), *(("", node) for node in program.loose)):
        if name not in program.used and node.value:
            messages.take(node, name)
    return pair_of(messages.all(), WORLD)


def _numbers_message(kind: str, names: str, values: Sequence[float], body: WrittenBody) -> str:
    """The words for a message of numbers, each with its name."""
    return f"{kind}({', '.join(f'{name}={body.text([value])}' for name, value in zip(names, values, strict=True))})"


def _object(body: WrittenBody) -> str:
    place = _numbers_message("Point", "xyz", body.position.tolist(), body)
    turn = _numbers_message("Quaternion", "xyzw", body.xyzw, body)
    return (
        f"{body.letter} = CollisionObject(id='{body.letter}', primitives=[SolidPrimitive({body.shape})],\n"
        f"    primitive_poses=[Pose(position={place},\n    orientation={turn})])"
    )


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"type=SolidPrimitive.BOX, dimensions=[{body.of('size')}]",
        "sphere": lambda body: f"type=SolidPrimitive.SPHERE, dimensions=[{body.of('radius')}]",
        "cylinder": lambda body: f"type=SolidPrimitive.CYLINDER, dimensions=[{body.of('height')}, {body.of('radius')}]",
        "cone": lambda body: f"type=SolidPrimitive.CONE, dimensions=[{body.of('height')}, {body.of('radius')}]",
    },
    each(
        _object,
        "from geometry_msgs.msg import Point, Pose, Quaternion\nfrom moveit_msgs.msg import CollisionObject\n"
        "from shape_msgs.msg import SolidPrimitive\n",
    ),
    axis="z",
    comment="# {}",
    about=("Cylinders and cones lie along z, with height and then radius.",),
)


FORM = Form(
    "ros_code",
    "shape_msgs/SolidPrimitive.msg, moveit_msgs/CollisionObject.msg: docs.ros.org, noetic",
    re.compile(r"\bSolidPrimitive\b|\b(?:shape|moveit|visualization)_msgs\b"),
    read,
    EXAMPLES,
    WRITE,
)
