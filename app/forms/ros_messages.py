"""ROS messages as `rostopic echo` and `ros2 topic echo` print them, one after the other.

Shapes are shape_msgs/SolidPrimitive: type 1 is a box with full sizes, 2 a sphere with its radius, 3 a cylinder and 4 a
cone, each with height and then radius, along z, centred, a cone's tip at +z. The poses of the shapes of a
moveit_msgs/CollisionObject are relative to its own pose. A visualization_msgs/Marker has full sizes in `scale`; its
type 1 is a cube, 2 a sphere or an ellipsoid, 3 a cylinder along z. A shape may also have a line of its own (`lines`).
Of shapes and poses outside bodies, the n-th belong together. Quaternions have keys; z is up. Sources, read in November
2026: shape_msgs/SolidPrimitive.msg and visualization_msgs/Marker.msg (docs.ros.org, noetic),
moveit_msgs/CollisionObject.msg ("The shapes and subframe poses are defined relative to this pose"; MoveIt 1.1.6 and
later does so, MoveIt's issue 3080), MoveIt 1's planning_scene.cpp (poseMsgToEigen: a quaternion of zeros is no turn,
any other is normalised).
"""

from __future__ import annotations

import re

import numpy as np

from core.geometry import quaternion
from core.geometry.vector import Array

from .blocks import BlockNode, documents
from .bodies import Given, World, ball_of, box, by_quaternion, cone, cylinder, ellipsoid, pair_of
from .form import Form, NotUnderstoodError, ReadPair
from .lines import SHAPE, TextLine, shape_in
from .program import matched
from .robots import Frame

WORLD = World("ROS", z_up=True)
SOLIDS = {"1": "box", "2": "sphere", "3": "cylinder", "4": "cone"}
SOLIDS |= {"BOX": "box", "SPHERE": "sphere", "CYLINDER": "cylinder", "CONE": "cone"}
MARKERS = {"1": "cube", "2": "sphere", "3": "cylinder", "CUBE": "cube", "SPHERE": "sphere", "CYLINDER": "cylinder"}
COUNTS = {"box": 3, "sphere": 1, "cylinder": 2, "cone": 2}
PASSED_OVER = {
    *("header", "id", "type", "key", "db", "subframe_names", "subframe_poses", "color", "colors", "ns", "lifetime"),
    *("frame_locked", "stamp", "seq", "covariance", "weight", "touch_links", "link_name", "child_frame_id", "name"),
    *("texture_resource", "texture", "uv_coordinates", "text", "mesh_resource", "mesh_use_embedded_materials"),
    *("object_colors", "robot_model_name", "detach_posture", "mesh_file"),
}
"""Fields that neither place nor size a body. `header` is read for its frame, and `type` if it is a shape's."""
EMPTY = {"meshes", "mesh_poses", "planes", "plane_poses", "points", "polygon"}
"""Fields that must be empty."""
EXAMPLES = (
    "header:\n  frame_id: world\nid: a\nprimitives:\n- type: 1\n  dimensions: [1.0, 1.0, 1.0]\nprimitive_poses:\n"
    "- position: {x: 0.0, y: 0.0, z: 0.0}\n  orientation: {x: 0.0, y: 0.0, z: 0.0, w: 1.0}\noperation: 0\n---\n"
    "header:\n  frame_id: world\nid: b\nprimitives:\n  -\n    type: 3\n    dimensions:\n    - 2.0\n    - 0.5\n"
    "primitive_poses:\n  -\n    position:\n      x: 0.9\n      y: 0.0\n      z: 0.0\n    orientation:\n"
    "      x: 0.0\n      y: 0.0\n      z: 0.0\n      w: 1.0\n---",
    "box 1 1 1\nposition:\n  x: 0.0\n  y: 0.0\n  z: 0.0\norientation:\n  x: 0.0\n  y: 0.0\n  z: 0.0\n  w: 1.0\n"
    "sphere 0.5\nposition:\n  x: 0.9\n  y: 0.0\n  z: 0.0\norientation:\n  x: 0.0\n  y: 0.0\n  z: 0.0\n  w: 1.0",
)
_WORDS = re.compile(r"[ \t]*(?:\$ .*|WARNING: .*|Publishing #\d+:.*)|[ \t]*(?:publisher: )?[Bb]eginning loop[ \t]*")


class Messages:
    """The messages that were read so far. `bodies`: those with shape and pose; `shapes`, `poses`: parts outside bodies.

    `frame`: the frame_id of the poses, "" if none is named.
    """

    def __init__(self) -> None:
        self.shapes: list[Given] = []
        self.poses: list[Given] = []
        self.bodies: list[Given] = []
        self.frame = ""

    def take(self, node: BlockNode, name: str = "") -> None:
        """Reads a message, or a list or mapping of messages. `name`: its key.

        Raises NotUnderstoodError for a field that is not understood, and for poses in two frames.
        """
        if isinstance(node.value, list):
            for one in node.value:
                self.take(one, name)
            return
        if not isinstance(node.value, dict):
            raise NotUnderstoodError(f"{node.value or name or 'nothing'} is not understood", node.line)
        self._frame_of(node)
        keys = node.keys
        if "primitives" in keys:
            self._object(node)
        elif {"scale", "type"} <= keys:
            self._marker(node)
        elif {"type", "dimensions"} <= keys:
            self.shapes.append(_solid(node, name))
            self._rest(node, {"type", "dimensions", "polygon"}, name)
        elif keys & {"position", "translation"}:
            place, turn = pose_of(node)
            self.poses.append(Given(node.line, name, position=place, rotation=turn))
        else:
            self._rest(node, set(), name)

    def every(self, nodes: list[BlockNode]) -> None:
        """Reads messages one after the other. Raises as `take`."""
        for node in nodes:
            self.take(node)

    def _rest(self, node: BlockNode, done: set[str], name: str) -> None:
        """Reads the other fields than `done`: a pose, or messages by their names.

        Raises NotUnderstoodError for a field that is neither.
        """
        assert isinstance(node.value, dict)
        left = {key: one for key, one in node.value.items() if key not in done}
        if done and "position" in left:
            self.take(
                BlockNode(node.line, {key: left.pop(key) for key in ("position", "orientation") if key in left}), name
            )
        for key, one in left.items():
            if key in EMPTY:
                _nothing_in(key, one)
            elif key in PASSED_OVER and key != "type":
                continue
            elif isinstance(one.value, str):
                raise NotUnderstoodError(f"{key} is not understood", one.line)
            else:
                self.take(one, key)

    def _frame_of(self, node: BlockNode) -> None:
        """Raises NotUnderstoodError for poses in two frames, because the text does not relate the frames.

        A message without a frame changes nothing.
        """
        header = node.at("header")
        frame = None if header is None else header.at("frame_id")
        if frame is None or not isinstance(frame.value, str) or not frame.value:
            return
        if self.frame and frame.value != self.frame:
            raise NotUnderstoodError(f"this pose is in {frame.value}, and one before it in {self.frame}", frame.line)
        self.frame = frame.value

    def _object(self, node: BlockNode) -> None:
        """Reads a moveit_msgs/CollisionObject.

        Raises NotUnderstoodError for another field, another operation than ADD, and unless each primitive has a pose or
        none has.
        """
        assert isinstance(node.value, dict)
        known = {"primitives", "primitive_poses", "pose", "operation"}
        for key, one in node.value.items():
            if key in EMPTY:
                _nothing_in(key, one)
            elif key not in known and key not in PASSED_OVER:
                raise NotUnderstoodError(f"{key} of a collision object is not understood", one.line)
        operation = node.at("operation")
        if operation is not None and operation.value not in ("0", "ADD", "\\x00", ""):
            raise NotUnderstoodError(f"the operation {operation.value} is not ADD", operation.line)
        outer, notes = Frame(), list[str]()
        if (own := node.at("pose")) is not None:
            place, turn = pose_of(own, notes)
            outer = Frame(np.eye(3) if turn is None else turn, place)
        shapes, poses = node.at("primitives"), node.at("primitive_poses")
        first = [] if shapes is None or not isinstance(shapes.value, list) else shapes.value
        second = [] if poses is None or not isinstance(poses.value, list) else poses.value
        if second and len(second) != len(first):
            told = f"{len(first)} primitives have {len(second)} primitive_poses"
            raise NotUnderstoodError(told, node.line)
        name = node.at("id")
        for k, shape in enumerate(first):
            given = _solid(shape, name.value if name is not None and isinstance(name.value, str) else "")
            if shape.keys - {"type", "dimensions", "polygon"}:
                raise NotUnderstoodError("a primitive has type and dimensions alone", shape.line)
            place, turn = pose_of(second[k], notes) if second else (np.zeros(3), None)
            outer.of(Frame(np.eye(3) if turn is None else turn, place)).stand(given, shape.line)
            given.notes += notes
            self.bodies.append(given)

    def _marker(self, node: BlockNode) -> None:
        """Reads a visualization_msgs/Marker.

        Raises NotUnderstoodError for another field, action or type, and an oval cylinder.
        """
        assert isinstance(node.value, dict)
        for key, one in node.value.items():
            if key in EMPTY:
                _nothing_in(key, one)
            elif key not in {"type", "pose", "scale", "action", *PASSED_OVER}:
                raise NotUnderstoodError(f"{key} of a marker is not understood", one.line)
        action, kind, scale = node.at("action"), node.at("type"), node.at("scale")
        if action is not None and action.value not in ("0", "ADD"):
            raise NotUnderstoodError(f"the action {action.value} is not ADD", action.line)
        assert kind is not None
        assert scale is not None
        said = kind.value if isinstance(kind.value, str) else ""
        if said not in MARKERS:
            raise NotUnderstoodError(f"the type {said} of a marker is not understood", kind.line)
        x, y, z = scale.named("xyz", "a scale")
        given = Given(node.line, "")
        if MARKERS[said] == "cube":
            given.shape = box([x, y, z])
        elif MARKERS[said] == "sphere":
            given.shape = ball_of(0.5 * x) if x == y == z else ellipsoid([0.5 * x, 0.5 * y, 0.5 * z])
        elif x != y:
            raise NotUnderstoodError(f"a cylinder must have one diameter, got {x:g} and {y:g}", scale.line)
        else:
            given.shape, given.axis = cylinder(0.5 * x, z), "z"
        if (own := node.at("pose")) is not None:
            given.position, given.rotation = pose_of(own)
        self.bodies.append(given)

    def all(self) -> list[Given]:
        """The bodies; if there are none, the shapes with their poses. Raises NotUnderstoodError if a part is left."""
        if self.bodies and not (self.shapes or self.poses):
            return self.bodies
        if self.bodies:
            left = (*self.shapes, *self.poses)[0]
            raise NotUnderstoodError("this stands apart from the bodies before or after it", left.line)
        if not self.shapes and self.poses:
            raise NotUnderstoodError("a shape is missing: write a line such as box 1 1 1 before", self.poses[0].line)
        return matched(self.shapes, self.poses)


def _nothing_in(key: str, node: BlockNode) -> None:
    filled = any(one.value for one in node.value.values()) if isinstance(node.value, dict) else bool(node.value)
    if filled:
        raise NotUnderstoodError(f"{key} are not understood", node.line)


def _solid(node: BlockNode, name: str) -> Given:
    """The body of a SolidPrimitive, without a pose.

    Raises NotUnderstoodError for an unknown type, and for wrong dimensions.
    """
    kind, sizes = node.at("type"), node.at("dimensions")
    said = kind.value.rpartition(".")[2] if kind is not None and isinstance(kind.value, str) else ""
    if said not in SOLIDS:
        raise NotUnderstoodError(f"the type {said or 'of this shape'} is not understood", node.line)
    if sizes is None:
        raise NotUnderstoodError("a shape needs its dimensions", node.line)
    numbers, called = sizes.numbers("dimensions"), SOLIDS[said]
    if len(numbers) != COUNTS[called]:
        raise NotUnderstoodError(f"a {called} needs {COUNTS[called]} dimensions, got {len(numbers)}", sizes.line)
    given = Given(node.line, name)
    if called == "box":
        given.shape = box(numbers)
    elif called == "sphere":
        given.shape = ball_of(*numbers)
    else:
        height, radius = numbers
        given.shape, given.axis = (cylinder if called == "cylinder" else cone)(radius, height), "z"
    return given


def pose_of(node: BlockNode, notes: list[str] | None = None) -> tuple[Array, Array | None]:
    """The position (3,) and turn (3, 3) of a Pose, a PoseStamped or a Transform; the turn is None if it is not given.

    `notes`: if not None, a quaternion of zeros is no rotation, as in MoveIt, with a note; else it is refused. Raises
    NotUnderstoodError for another field, and for a quaternion whose length is not 1 ± PRINTED_SLACK.
    """
    keys = node.keys
    if "pose" in keys and keys <= {"pose", "header", "covariance"}:
        inner = node.at("pose")
        assert inner is not None
        return pose_of(inner, notes)
    names = ("translation", "rotation") if "translation" in keys else ("position", "orientation")
    if not keys or keys - {*names, "header", "child_frame_id"} or names[0] not in keys:
        wrong = sorted(keys - {"position", "orientation"})
        raise NotUnderstoodError(f"{wrong[0] if wrong else 'this'} is no part of a pose", node.line)
    place, turn = node.at(names[0]), node.at(names[1])
    assert place is not None
    position = np.array(place.named("xyz", names[0]))
    if turn is None:
        return position, None
    x, y, z, w = turn.named("xyzw", names[1])
    if notes is not None and (x, y, z, w) == (0.0, 0.0, 0.0, 0.0):
        notes.append("A quaternion of zeros is no turn, as MoveIt takes it.")
        return position, quaternion.to_matrix(quaternion.IDENTITY)
    return position, by_quaternion((w, x, y, z), turn.line)


def read(text: str) -> ReadPair:
    """The pair of two messages.

    Raises NotUnderstoodError for a part that is not understood, and for bodies that are no pair.
    """
    scene, part, lines = Messages(), list[str](), text.replace("\r\n", "\n").split("\n")
    for number, said in enumerate(lines, 1):
        match = SHAPE.match(said)
        if match is not None and said[:1] not in " \t" and re.search(r"\d", match["rest"]):
            # Empty lines before a part keep its line numbers right.
            scene.every(documents("\n" * (number - 1 - len(part)) + "\n".join(part)))
            given = shape_in(TextLine(said.strip(), number), "z")
            assert given is not None
            scene.shapes.append(given)
            part = []
        else:
            part.append("" if _WORDS.fullmatch(said) else said)
    scene.every(documents("\n" * (len(lines) - len(part)) + "\n".join(part)))
    return pair_of(scene.all(), WORLD)


FORM = Form(
    "ros_messages",
    "shape_msgs/SolidPrimitive, visualization_msgs/Marker, moveit_msgs/CollisionObject: docs.ros.org, noetic",
    re.compile(r"(?m)^[ \t-]*(?:dimensions|primitives|primitive_poses|orientation|rotation)[ \t]*:[ \t\r]*(?:$|[\[{])"),
    read,
    EXAMPLES,
)
