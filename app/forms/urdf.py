"""Snippets of URDF: two collisions, alone, in links or in a robot whose joints are composed.

Sizes are full; shapes lie along z; a capsule's `length` excludes its caps; `rpy` are radians about the fixed axes x, y
and z in this order. The default pose of a collision is its link's, that of a link without a joint is the identity. A
joint's origin is the child's pose in the parent for the joint position 0; joints that move are taken to be at 0, with a
note. Sources, read in November 2026: urdfdom_headers (urdf_model/pose.h: setFromRPY; link.h, joint.h), published files
of the URDF tutorial; for the capsule, Bullet 3.21 (data/capsule.urdf) and btCapsuleShapeZ, which its importer makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from msgspec import Struct, field

from .bodies import Given, World, ball_of, box, capsule, cylinder, pair_of
from .form import Form, NotUnderstoodError, ReadPair
from .markup import Element, elements
from .robots import Frame, by_rpy, rpy_of
from .writer import Writer, WrittenBody, each

WORLD = World("URDF", z_up=True)
LINK = frozenset({"visual", "inertial", "contact", "self_collision_checking"})
"""Elements of a link that are passed over."""
ROBOT = frozenset({"material", "transmission", "gazebo"})
JOINT = frozenset({"axis", "dynamics", "safety_controller", "calibration"})
PASSED_OVER_ATTRIBUTES = frozenset({"name", "group", "verbose", "version", "xmlns", "xmlns:xacro"})
"""Attributes that neither place nor size a body."""
MOVING = ("revolute", "continuous", "prismatic")
EXAMPLES = (
    '<link name="a"><collision><origin xyz="0 0 0"/><geometry><cylinder radius="0.1" length="2"/></geometry>'
    "</collision></link>\n"
    '<link name="b"><collision><origin xyz="0 0 1.05"/><geometry><sphere radius="0.1"/></geometry></collision></link>',
    '<robot name="two">\n<link name="a"><collision><geometry><box size="1 1 1"/></geometry></collision></link>\n'
    '<link name="b"><collision><geometry><box size="1 1 1"/></geometry></collision></link>\n'
    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0.9 0 0" rpy="0 0 0"/></joint>\n'
    "</robot>",
)


class _Joint(Struct, frozen=True):
    parent: str
    frame: Frame
    line: int
    note: str = ""


class _Tree(Struct):
    """The links and joints of a robot. `joints`: each joint by the name of its child link.

    `bodies`: each after the name of its link ("" for none) and before its pose in the link.
    """

    links: set[str] = field(default_factory=set)
    joints: dict[str, _Joint] = field(default_factory=dict)
    bodies: list[tuple[str, Given, Frame]] = field(default_factory=list)


def read(text: str) -> ReadPair:
    """The pair of two collisions.

    Raises NotUnderstoodError for a part that is not understood, and another count of them.
    """
    outer, loose, found = elements(text), _Tree(), list[Given]()
    for element in outer:
        if element.tag == "robot":
            tree = _Tree()
            element.only(PASSED_OVER_ATTRIBUTES)
            for child in element.children:
                _part(child, tree)
            found += _stood(tree)
        else:
            _part(element, loose)
    return pair_of(found + _stood(loose), WORLD)


def _part(element: Element, tree: _Tree) -> None:
    match element.tag:
        case "link":
            name = element.attribute("name") or ""
            if name and name in tree.links:
                raise NotUnderstoodError(f"the link {name} is given twice", element.line)
            tree.links.add(name)
            _link(element, name, tree)
        case "joint":
            _joint(element, tree)
        case "collision":
            tree.bodies.append(("", *_collision(element, "")))
        case tag if tag not in ROBOT:
            raise NotUnderstoodError(f"<{tag}> is not understood", element.line)


def _link(element: Element, name: str, tree: _Tree) -> None:
    element.only(PASSED_OVER_ATTRIBUTES | {"type"})
    tags = [child.tag for child in element.children]
    if "visual" in tags and "collision" not in tags:
        raise NotUnderstoodError(f"the link {name} has a visual but no collision", element.line)
    for child in element.children:
        if child.tag == "collision":
            tree.bodies.append((name, *_collision(child, name)))
        elif child.tag not in LINK:
            raise NotUnderstoodError(f"<{child.tag}> in <link> is not understood", child.line)


def _collision(element: Element, name: str) -> tuple[Given, Frame]:
    given, frame = Given(element.line, name or element.attribute("name") or ""), Frame()
    tags = [child.tag for child in element.children]
    for tag in ("origin", "geometry"):
        if tags.count(tag) > 1:
            raise NotUnderstoodError(f"<collision> has more than one {tag}", element.line)
    for child in element.children:
        if child.tag == "origin":
            frame = _origin(child)
        elif child.tag == "geometry":
            _geometry(child, given)
        elif child.tag not in ("contact_coefficients", "material"):
            raise NotUnderstoodError(f"<{child.tag}> in <collision> is not understood", child.line)
    element.only(PASSED_OVER_ATTRIBUTES)
    return given, frame


def _origin(element: Element) -> Frame:
    place, angles = element.numbers("xyz", 3), element.numbers("rpy", 3)
    element.only()
    if element.children:
        raise NotUnderstoodError(f"<{element.children[0].tag}> in <origin> is not understood", element.line)
    return Frame(
        np.eye(3) if angles is None else by_rpy(angles),
        np.zeros(3) if place is None else np.array(place),
    )


def _geometry(element: Element, given: Given) -> None:
    element.only()
    if len(element.children) != 1:
        raise NotUnderstoodError("<geometry> needs one shape", element.line)
    (shape,) = element.children

    def number(name: str) -> float:
        values = shape.numbers(name, 1)
        if values is None:
            raise NotUnderstoodError(f"<{shape.tag}> needs its {name}", shape.line)
        return values[0]

    match shape.tag:
        case "box":
            size = shape.numbers("size", 3)
            if size is None:
                raise NotUnderstoodError("<box> needs its size", shape.line)
            given.give("shape", box(size), shape.line)
        case "sphere":
            given.give("shape", ball_of(number("radius")), shape.line)
        case "cylinder" | "capsule":
            form = cylinder if shape.tag == "cylinder" else capsule
            given.give("shape", form(number("radius"), number("length")), shape.line)
            given.axis = "z"
        case "mesh":
            raise NotUnderstoodError("a mesh stands in a file of its own, which the text does not hold", shape.line)
        case tag:
            raise NotUnderstoodError(f"<{tag}> in <geometry> is not understood", shape.line)
    shape.only()
    if shape.children:
        raise NotUnderstoodError(f"<{shape.children[0].tag}> in <{shape.tag}> is not understood", shape.line)


def _joint(element: Element, tree: _Tree) -> None:
    kind, name = element.attribute("type") or "", element.attribute("name") or ""
    if kind != "fixed" and kind not in MOVING:
        raise NotUnderstoodError(f'a joint of type "{kind}" is not understood', element.line)
    ends, frame = dict[str, str](), Frame()
    for child in element.children:
        if child.tag in ("parent", "child"):
            ends[child.tag] = child.attribute("link") or ""
            child.only()
        elif child.tag == "origin":
            frame = _origin(child)
        elif child.tag == "limit":
            lower, upper = child.numbers("lower", 1) or [0.0], child.numbers("upper", 1) or [0.0]
            if kind in ("revolute", "prismatic") and not lower[0] <= 0.0 <= upper[0]:
                raise NotUnderstoodError(f"the joint {name} cannot be at 0, and its position is not given", child.line)
        elif child.tag not in JOINT:
            raise NotUnderstoodError(f"<{child.tag}> in <joint> is not understood", child.line)
    element.only()
    if set(ends) != {"parent", "child"}:
        raise NotUnderstoodError(f"the joint {name} needs a parent and a child", element.line)
    if ends["child"] in tree.joints:
        raise NotUnderstoodError(f"the link {ends['child']} has more than one joint to a parent", element.line)
    note = "" if kind == "fixed" else f"The joint {name} ({kind}) is taken to be at 0."
    tree.joints[ends["child"]] = _Joint(ends["parent"], frame, element.line, note)


def _stood(tree: _Tree) -> list[Given]:
    """The bodies, with poses in the frame of their robot.

    Raises NotUnderstoodError for a joint of a link that the text lacks, and for joints in a ring.
    """
    for child, joint in tree.joints.items():
        for name in (child, joint.parent):
            if name not in tree.links:
                raise NotUnderstoodError(f"the link {name} of a joint is not in the text", joint.line)
    # pair_of refuses more than two bodies, which therefore need no poses.
    for name, given, frame in tree.bodies if len(tree.bodies) <= 2 else ():
        passed = set[str]()
        while name in tree.joints:
            if name in passed:
                raise NotUnderstoodError(f"the joints of the link {name} make a ring", tree.joints[name].line)
            passed.add(name)
            joint = tree.joints[name]
            frame, name = joint.frame.of(frame), joint.parent
            given.notes += [joint.note] if joint.note else []
        frame.stand(given, given.line)
    return [given for _, given, _ in tree.bodies]


def _element(kind: str, **sizes: str) -> Callable[[WrittenBody], str]:
    """The words for a shape of the element `kind`. `sizes`: for each attribute the name of its size in WrittenBody."""

    def words_for(body: WrittenBody) -> str:
        said = " ".join(f'{key}="{body.of(size)}"' for key, size in sizes.items())
        return f"<{kind} {said}/>"

    return words_for


def _link_words(body: WrittenBody) -> str:
    pose = f'<origin xyz="{body.text(body.position)}" rpy="{body.text(rpy_of(body.rotation))}"/>'
    return f'<link name="{body.letter}"><collision>{pose}<geometry>{body.shape}</geometry></collision></link>'


WRITE = Writer(
    WORLD,
    {
        "box": _element("box", size="size"),
        "sphere": _element("sphere", radius="radius"),
        "capsule": _element("capsule", radius="radius", length="length"),
        "cylinder": _element("cylinder", radius="radius", length="height"),
    },
    each(
        _link_words,
        '<robot name="pair">\n',
        '<joint name="a_to_b" type="fixed"><parent link="a"/><child link="b"/></joint>\n</robot>\n',
    ),
    axis="z",
    between=" ",
    comment="<!-- {} -->",
    about=("Full sizes along z; a capsule, which URDF itself lacks, is without its caps; rpy in radians.",),
)


FORM = Form(
    "urdf",
    "urdfdom_headers: urdf_model/pose.h, link.h, joint.h; Bullet 3.21 for the capsule",
    re.compile(r"<robot\b|<box\s+size\s*=|<(?:sphere|cylinder|capsule)\s+(?:radius|length)\s*="),
    read,
    EXAMPLES,
    WRITE,
)
