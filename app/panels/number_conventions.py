"""The fields that give a text of numbers its meaning: shapes, order, rotation, sizes, axes and unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from imgui_bundle import imgui
from msgspec.structs import replace

from ..forms.bodies import UPRIGHT
from ..forms.numbers import EULER_ORDERS, ORDERS, ROTATIONS, SIZES, UNITS, Conventions, with_article
from .text import em, explain, flow
from .widgets import choice

SHAPE_TITLES = {shape: with_article(shape).partition(" ")[2] for shape in SIZES}


def draw_conventions(old: Conventions) -> Conventions:
    """Draws the choices that apply to the shapes and the rotation; returns those after this frame."""
    new = replace(old, shape_a=titled("A is a", SHAPE_TITLES, old.shape_a, 7.0))
    flow(12.0 * em())
    new = replace(new, shape_b=titled("B is a", SHAPE_TITLES, new.shape_b, 7.0))
    words = [", ".join(order) for order in ORDERS]
    chosen = _combo("in this order", words, ", ".join(new.order), 13.0)
    new = replace(new, order=ORDERS[words.index(chosen)])
    flow(18.0 * em())
    new = replace(new, rotation=_combo("rotation as", ROTATIONS, new.rotation, 9.0))
    return _draw_world(_draw_sizes(_draw_rotation(new)))


def _draw_rotation(new: Conventions) -> Conventions:
    if new.rotation == "quaternion":
        new = replace(new, w_first=_either("Quaternion", ("w x y z", "x y z w"), new.w_first))
        explain("wxyz: MuJoCo, ODE, python-fcl, Eigen. xyzw: Bullet, PhysX, Jolt, glTF, ROS, Unity, Godot.")
    elif new.rotation.startswith("matrix"):
        new = replace(new, by_rows=_either("Matrix by", ("rows", "columns"), new.by_rows))
    elif new.rotation == "Euler angles":
        new = replace(new, degrees=_either("Angles in", ("degrees", "radians"), new.degrees))
        flow(18.0 * em())
        new = replace(new, euler=_combo("about x, y, z in the order", EULER_ORDERS, new.euler, 4.5))
        explain(
            "Intrinsic: XYZ turns about x, then about the turned y, then about the turned z.\n"
            "XYZ: three.js, MuJoCo. YXZ: Unity, Godot. ZYX: ROS and URDF (roll, pitch, yaw), Blender's XYZ."
        )
    return new


def _draw_sizes(new: Conventions) -> Conventions:
    shapes = {new.shape_a, new.shape_b}
    if "box" in shapes:
        if new.rotation != "none":
            flow(11.0 * em())
        new = replace(new, half_sizes=not _either("Box sizes", ("full", "half"), not new.half_sizes))
        explain("Full: FCL, Coal, Drake, ODE, DART, trimesh. Half: Bullet, PhysX, Jolt, Parry, MuJoCo, Box3D.")
    if not shapes.isdisjoint(UPRIGHT):
        new = replace(new, half_heights=not _either("Heights", ("full", "half"), not new.half_heights))
        explain("Half: PhysX, Jolt, Parry, MuJoCo. Full: Bullet's capsules and cones, FCL, Coal, three.js, Godot.")
        flow(18.0 * em())
        new = replace(new, radius_first=_either("Begin with", ("the radius", "the height"), new.radius_first))
        new = replace(new, axis=_choose("Long axis", ("x", "y", "z"), new.axis))
    if "capsule" in shapes:
        flow(22.0 * em())
        new = replace(new, caps=not _either("Capsules are", ("without caps", "with both caps"), not new.caps))
    return new


def _draw_world(new: Conventions) -> Conventions:
    new = replace(new, z_up=not _either("Up is", ("Y", "Z"), not new.z_up))
    flow(20.0 * em())
    new = replace(new, left_handed=not _either("Axes are", ("right-handed", "left-handed"), not new.left_handed))
    flow(14.0 * em())
    return replace(new, unit=_combo("Lengths in", UNITS, new.unit, 8.0))


def titled(label: str, options: Mapping[str, str], current: str, width: float) -> str:
    """Draws a combo `width` ems wide after its label; returns the value after this frame."""
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(label)
    imgui.same_line()
    return choice(f"##{label}", options, current, width * em())


def _combo(label: str, options: Iterable[str], current: str, width: float) -> str:
    return titled(label, {option: option for option in options}, current, width)


def _either(label: str, options: tuple[str, str], first: bool) -> bool:
    return _choose(label, options, options[not first]) == options[0]


def _choose(label: str, options: Sequence[str], current: str) -> str:
    imgui.align_text_to_frame_padding()
    imgui.text_disabled(label)
    for option in options:
        imgui.same_line()
        if imgui.radio_button(f"{option}##{label}", option == current):
            current = option
    return current
