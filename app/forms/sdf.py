"""Snippets of SDFormat: two collisions, alone or in links, models and worlds, whose poses are composed.

Sizes are full; shapes lie along z; a capsule's `length` excludes its caps; a plane is solid behind its normal. A pose
is x y z roll pitch yaw, radians about the fixed axes x, y and z in this order; `degrees` and
`rotation_format="quat_xyzw"` change that. It is relative to the element around; the default is the identity. Joints do
not move links. Sources, read in November 2026: SDFormat 1.9 and 1.12 (pose.sdf), plane_shape.sdf at 5e24f49 (a normal
and the lengths of its sides; the solid side is not verified), capsule_shape.sdf, and the tutorials that pose.sdf names
("Specifying pose", "Pose frame semantics").
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from core.geometry.vector import length

from .bodies import Given, World, ball_of, box, by_quaternion, capsule, cylinder, ellipsoid, half_space, pair_of
from .form import Form, NotUnderstoodError, ReadPair
from .markup import Element, elements, numbers_of
from .robots import Frame, by_rpy, rpy_of
from .writer import Writer, WrittenBody, each

WORLD = World("SDF", z_up=True)
INSIDE = {
    "sdf": {"world", "model"},
    "world": {"model"},
    "model": {"model", "link", "pose"},
    "link": {"collision", "pose"},
    "collision": {"geometry", "pose"},
}
"""For each element that is read, its child elements that place or size a body."""
PASSED_OVER = {
    *("static", "self_collide", "allow_auto_disable", "enable_wind", "joint", "visual", "inertial", "gravity"),
    *("kinematic", "must_be_base_link", "velocity_decay", "surface", "max_contacts", "laser_retro", "light", "sensor"),
    *("physics", "scene", "plugin", "material", "magnetic_field", "atmosphere", "wind", "gui", "audio"),
    *("spherical_coordinates", "density", "auto_inertia_params", "particle_emitter", "projector", "battery"),
}
"""Elements that neither place nor size a collision."""
SIZES = {
    "box": {"size": 3},
    "sphere": {"radius": 1},
    "cylinder": {"radius": 1, "length": 1},
    "capsule": {"radius": 1, "length": 1},
    "ellipsoid": {"radii": 3},
    "plane": {"normal": 3, "size": 2},
}
EXAMPLES = (
    '<collision name="a"><pose>0 0 0 0 0 0.7853981633974483</pose><geometry><box><size>1 1 1</size></box></geometry>'
    "</collision>\n"
    '<collision name="b"><pose>1.1 0 0 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>',
    '<sdf version="1.9"><world name="w">\n'
    '<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane>'
    "<normal>0 0 1</normal><size>10 10</size></plane></geometry></collision></link></model>\n"
    '<model name="m"><pose>0 0 0.45 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere>'
    "<radius>0.5</radius></sphere></geometry></collision></link></model>\n</world></sdf>",
)


def read(text: str) -> ReadPair:
    """The pair of two collisions.

    Raises NotUnderstoodError for an element that is not understood, and another count of them.
    """
    found: list[Given] = []
    for element in elements(text):
        _walk(element, Frame(), found)
    return pair_of(found, WORLD)


def _walk(element: Element, outer: Frame, found: list[Given]) -> None:
    """Adds the collisions in an element to `found`. `outer`: the pose of the frame around the element.

    Raises NotUnderstoodError for an element that is not understood, and for a collision without exactly one geometry.
    """
    if element.tag not in INSIDE:
        raise NotUnderstoodError(f"<{element.tag}> is not understood", element.line)
    element.only(frozenset({"name", "version", "canonical_link"}))
    frame = outer.of(_pose(element))
    if element.tag == "collision":
        given = Given(element.line, element.attribute("name") or "")
        shapes = [child for child in element.children if child.tag == "geometry"]
        if len(shapes) != 1:
            raise NotUnderstoodError("<collision> needs one geometry", element.line)
        _geometry(shapes[0], given)
        frame.stand(given, element.line)
        found.append(given)
    for child in element.children:
        if child.tag in INSIDE[element.tag]:
            if child.tag not in ("pose", "geometry"):
                _walk(child, frame, found)
        elif child.tag not in PASSED_OVER:
            raise NotUnderstoodError(f"<{child.tag}> in <{element.tag}> is not understood", child.line)


def _pose(element: Element) -> Frame:
    poses = [child for child in element.children if child.tag == "pose"]
    if len(poses) > 1:
        raise NotUnderstoodError(f"<{element.tag}> has more than one pose", poses[1].line)
    if not poses:
        return Frame()
    (pose,) = poses
    for name in ("relative_to", "frame"):
        if frame := (pose.attribute(name) or "").strip():
            raise NotUnderstoodError(f'the frame "{frame}" of <pose> is not understood', pose.line)
    kind, degrees = pose.attribute("rotation_format") or "euler_rpy", pose.attribute("degrees") or "false"
    if kind not in ("euler_rpy", "quat_xyzw") or degrees not in ("true", "false", "1", "0"):
        raise NotUnderstoodError("a pose needs euler_rpy or quat_xyzw, and degrees true or false", pose.line)
    said = pose.inside()
    pose.only()
    if pose.children:
        raise NotUnderstoodError(f"<{pose.children[0].tag}> in <pose> is not understood", pose.children[0].line)
    if not said.strip():
        return Frame()
    quat, turned = kind == "quat_xyzw", degrees in ("true", "1")
    if quat and turned:
        raise NotUnderstoodError("a pose by quaternion has no degrees", pose.line)
    values = numbers_of(said, "a pose", pose.line, 7 if quat else 6)
    if quat:
        x, y, z, w = values[3:]
        return Frame(by_quaternion((w, x, y, z), pose.line), np.array(values[:3]))
    return Frame(by_rpy(values[3:], degrees=turned), np.array(values[:3]))


def _geometry(element: Element, given: Given) -> None:
    element.only()
    if len(element.children) != 1:
        raise NotUnderstoodError("<geometry> needs one shape", element.line)
    (shape,) = element.children
    tag, line = shape.tag, shape.line
    if tag == "mesh":
        raise NotUnderstoodError("a mesh stands in a file of its own, which the text does not hold", line)
    if tag not in SIZES:
        raise NotUnderstoodError(f"<{tag}> in <geometry> is not understood", line)
    shape.only()
    found: dict[str, list[float]] = {}
    for child in shape.children:
        if child.tag not in SIZES[tag] or child.tag in found or child.children:
            raise NotUnderstoodError(f"<{child.tag}> in <{tag}> is not understood", child.line)
        found[child.tag] = numbers_of(child.inside(), f"{tag} {child.tag}", child.line, SIZES[tag][child.tag])
        child.only()
    for name in SIZES[tag]:
        if name not in found and tag != "plane":
            raise NotUnderstoodError(f"<{tag}> needs its {name}", line)
    if tag in ("cylinder", "capsule"):
        given.axis = "z"
    given.give("shape", _sized(tag, found, line), line)


def _sized(tag: str, found: dict[str, list[float]], line: int) -> dict[str, object]:
    match tag:
        case "box":
            return box(found["size"])
        case "sphere":
            return ball_of(*found["radius"])
        case "cylinder" | "capsule":
            return (cylinder if tag == "cylinder" else capsule)(*found["radius"], *found["length"])
        case "ellipsoid":
            return ellipsoid(found["radii"])
        case _:
            normal = np.array(found.get("normal", [0.0, 0.0, 1.0]))
            size = float(length(normal))
            if not size > 0.0:
                raise NotUnderstoodError("the normal of a plane must not be zero", line)
            return half_space((normal / size).tolist(), 0.0)


def _element(kind: str, **sizes: str) -> Callable[[WrittenBody], str]:
    """The words for a shape of the element `kind`. `sizes`: the name of the size by child element."""
    return lambda body: f"<{kind}>{''.join(f'<{key}>{body.of(size)}</{key}>' for key, size in sizes.items())}</{kind}>"


def _model(body: WrittenBody) -> str:
    n, still = body.letter, "<static>true</static>" if body.kind == "halfspace" else ""
    return (
        f'<model name="{n}">{still}<pose>{body.text(body.position)} {body.text(rpy_of(body.rotation))}</pose>'
        f'<link name="{n}">'
        f'<collision name="{n}"><geometry>{body.shape}</geometry></collision></link></model>'
    )


WRITE = Writer(
    WORLD,
    {
        "box": _element("box", size="size"),
        "sphere": _element("sphere", radius="radius"),
        "capsule": _element("capsule", radius="radius", length="length"),
        "cylinder": _element("cylinder", radius="radius", length="height"),
        "ellipsoid": _element("ellipsoid", radii="radii"),
        "halfspace": lambda _: "<plane><normal>0 0 1</normal><size>10 10</size></plane>",
    },
    each(_model, '<sdf version="1.9"><world name="pair">\n', "</world></sdf>\n"),
    axis="z",
    plane=(0.0, 0.0, 1.0),
    between=" ",
    comment="<!-- {} -->",
    about=("Full sizes along z, a capsule's length without its caps; a pose is x y z roll pitch yaw, radians.",),
)


FORM = Form(
    "sdf",
    "SDFormat 1.12: pose, collision, geometry; tutorials on poses and frames",
    re.compile(r"<sdf\b|<pose[\s>]|<(?:size|radius|radii|normal)\s*>"),
    read,
    EXAMPLES,
    WRITE,
)
