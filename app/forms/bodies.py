"""The bodies of a text in the text's axes and unit, and their conversion to a pair in the scene's axes and unit.

A scene is right-handed with Y up.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, radians, sqrt
from typing import Any

import numpy as np
from msgspec import Struct, field

from core.geometry import quaternion
from core.geometry.elementary import atan2
from core.geometry.vector import Array, cross, dot, dots, length, product
from core.scene import Body, Scene

from ..io.scene_file import nearest_rotation
from ..io.shape_file import shape_of
from ..shapes import LARGEST_NUMBER, kind_of
from ..storage.strict_json import DataError
from .form import NotUnderstoodError, ReadPair

PRINTED_SLACK = 1e-2
"""The largest error of a printed quaternion's length and of a printed rotation's entries: prints have few digits."""
UPRIGHT = ("capsule", "cylinder", "cone")
"""Shapes with an axis, which is Y in a scene."""
Numbers = Sequence[float]

_FROM_Y = {
    "x": ((0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "y": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "z": ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)),
}
"""For each axis the rotation matrix (3, 3) that takes Y to it."""


def upright(axis: str) -> Array:
    """The rotation (3, 3) that takes Y to `axis`: "x", "y" or "z"."""
    return np.array(_FROM_Y[axis])


class World(Struct, frozen=True):
    """The axes and the unit of a text. `unit`: the text's unit in scene units, called `unit_name` in the notes.

    `name`: the engine's name in the notes. `flat`: the bodies are in the plane; `y_down`: the text's y points down.
    """

    name: str
    z_up: bool = False
    left_handed: bool = False
    unit: float = 1.0
    unit_name: str = ""
    flat: bool = False
    y_down: bool = False

    @property
    def axes(self) -> Array:
        """The matrix (3, 3) from the text's axes to the scene's.

        Its determinant is -1 if exactly one of `left_handed` and `y_down` is true, else 1.
        """
        rows = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))) if self.z_up else np.eye(3)
        if self.left_handed:
            rows = product(rows, np.diag((1.0, -1.0, 1.0) if self.z_up else (1.0, 1.0, -1.0)))
        return product(np.diag((1.0, -1.0, 1.0)), rows) if self.y_down else rows

    @property
    def mirror(self) -> Array:
        """The matrix (3, 3) that mirrors a body's own frame if the world is left-handed; else the identity.

        It negates z and keeps y, the axis of capsules, cylinders and cones. In a world with y up, a body without
        rotation has none in the scene either.
        """
        return np.diag((1.0, 1.0, -1.0)) if self.left_handed else np.eye(3)

    def words(self) -> list[str]:
        """Sentences for the notes on the conversion of axes and unit; none if they equal the scene's."""
        told, axes = [], self.axes
        if self.unit != 1.0:
            told.append(f"{self.name[:1].upper()}{self.name[1:]} counts in {self.unit_name}; lengths here are metres.")
        if not np.array_equal(axes, np.eye(3)) and not self.flat:
            names = ", ".join(f"{'−' if row.sum() < 0.0 else ''}{'XYZ'[int(np.abs(row).argmax())]}" for row in axes)
            mirrored = "Left-handed: the pair is mirrored, the separation stays. " if self.left_handed else ""
            told.append(f"{mirrored}x, y, z here are {names} of {self.name}.")
        if self.y_down:
            told.append("y points down in the text; here it points up.")
        return told


class Given(Struct):
    """A body as a text gives it, in the text's axes and unit; fields that the text does not give stay None.

    `line`: the number of the line that names the body. `shape`: a scene file's shape with full sizes and hull points in
    the body's frame. `axis`: the axis ("x", "y" or "z") of a capsule, cylinder or cone. `local`: the shape's rotation
    (3, 3) in the body's frame; `centre` (3,): the shape's centre there. `position` (3,) and `rotation` (3, 3): the pose
    of the body's frame.
    """

    line: int = 0
    name: str = ""
    shape: dict[str, Any] | None = None
    axis: str = "y"
    local: Array | None = None
    centre: Array = field(default_factory=lambda: np.zeros(3))
    position: Array | None = None
    rotation: Array | None = None
    notes: list[str] = field(default_factory=list)

    def give(self, key: str, value: Any, line: int) -> None:
        """Sets the field `key`: shape, position or rotation. Raises NotUnderstoodError if it is already set."""
        if getattr(self, key) is not None:
            called = {"shape": "the shape", "position": "the position", "rotation": "the rotation"}[key]
            raise NotUnderstoodError(f"{called} of {self.name or 'this body'} is given twice", line)
        setattr(self, key, value)


def pair_of(bodies: Sequence[Given], world: World, title: str = "Pasted pair") -> ReadPair:
    """The pair of two bodies, with notes on assumptions.

    Raises NotUnderstoodError for another count of bodies, for two half-spaces, for a body without a shape, and for a
    size or a position that a scene cannot have.
    """
    if len(bodies) != 2:
        found = ("no body", "one body")[len(bodies)] if len(bodies) < 2 else f"{len(bodies)} bodies"
        line = bodies[2].line if len(bodies) > 2 else 0
        raise NotUnderstoodError(f"found {found}, expected two" if line else f"Found {found}, expected two.", line)
    notes: list[str] = []
    a, b = (_body(given, world, letter, notes) for given, letter in zip(bodies, "AB", strict=True))
    if a.shape.plane is not None and b.shape.plane is not None:
        raise NotUnderstoodError("both bodies are half-spaces; one of them must be another shape", bodies[1].line)
    told = tuple(dict.fromkeys((*notes, *world.words())))
    return ReadPair(Scene(a, b, title, " ".join(told)), told)


def _body(given: Given, world: World, letter: str, notes: list[str]) -> Body:
    if given.shape is None:
        raise NotUnderstoodError(f"the shape of {letter} is missing", given.line)
    if not all(np.isfinite(value).all() for key, value in given.shape.items() if key != "type"):
        raise NotUnderstoodError(f"a number of {letter}'s shape is too large for double precision", given.line)
    notes += given.notes
    if given.position is None:
        notes.append(f"{letter} has no position in the text and stands at the origin.")
    if given.rotation is None and given.shape["type"] not in ("sphere", "circle"):
        notes.append(f"{letter} has no rotation in the text and is not turned.")
    turn = np.eye(3) if given.rotation is None else given.rotation
    place = np.zeros(3) if given.position is None else given.position
    place = dots(world.axes, place + dots(turn, given.centre)) * world.unit + 0.0
    if not float(np.abs(place).max()) <= LARGEST_NUMBER:
        raise NotUnderstoodError(f"the position of {letter} must lie within ±{LARGEST_NUMBER:g}", given.line)
    local = product(np.eye(3) if given.local is None else given.local, np.array(_FROM_Y[given.axis]))
    try:
        return _flat(given, world, turn, place) if world.flat else _solid(given, world, product(turn, local), place)
    except DataError as error:
        raise NotUnderstoodError(f"{letter}'s {error}", given.line) from None


def _flat(given: Given, world: World, turn: Array, place: Array) -> Body:
    sign = -1.0 if world.y_down else 1.0
    shape = dict(given.shape or {})
    if "points" in shape:
        shape["points"] = [[x * world.unit, sign * y * world.unit] for x, y in shape["points"]]
    else:
        shape["radius"] *= world.unit
    angle = 0.0 if given.rotation is None else sign * atan2(float(turn[1, 0]), float(turn[0, 0]))
    x, y, _ = place.tolist()
    return Body.in_plane(shape_of(shape, "shape", 2), (x, y), angle)


def _solid(given: Given, world: World, turn: Array, place: Array) -> Body:
    axes, mirror = world.axes, world.mirror
    shape = shape_of(_scaled(given.shape or {}, world.unit, mirror), "shape", 3)
    turned = product(product(axes, turn), mirror)
    rotation = quaternion.IDENTITY
    # A sphere needs no rotation, and its numbers would only fill the panel.
    if kind_of(shape).name != "sphere" and not np.array_equal(turned, np.eye(3)):
        rotation = quaternion.from_matrix(turned)
    x, y, z = place.tolist()
    return Body(shape, (x, y, z), rotation)


def _scaled(shape: dict[str, Any], unit: float, mirror: Array) -> dict[str, Any]:
    """The shape in scene units, mirrored by the matrix `mirror`, which changes only hulls and half-spaces."""
    found: dict[str, Any] = {}
    for key, value in shape.items():
        if key == "points":
            found[key] = (product(np.array(value, dtype=float).reshape(-1, 3), mirror) * unit + 0.0).tolist()
        elif key == "normal":
            found[key] = (dots(mirror, np.array(value, dtype=float)) + 0.0).tolist()
        elif key == "type":
            found[key] = value
        elif isinstance(value, (list, tuple)):
            found[key] = [float(number) * unit for number in value]
        else:
            found[key] = float(value) * unit
    return found


def box(sizes: Numbers, *, half: bool = False) -> dict[str, Any]:
    """A box by its edge lengths (3,). `half`: the numbers are half edge lengths."""
    return {"type": "box", "size": [(2.0 if half else 1.0) * size for size in sizes]}


def ball_of(radius: float) -> dict[str, Any]:
    """A sphere."""
    return {"type": "sphere", "radius": radius}


def capsule(radius: float, segment: float) -> dict[str, Any]:
    """A capsule by the distance `segment` between the centres of its caps; a sphere if that is 0."""
    return {"type": "capsule", "radius": radius, "length": segment} if segment != 0.0 else ball_of(radius)


def capsule_in_all(radius: float, height: float, line: int) -> dict[str, Any]:
    """A capsule by its height with both caps. Raises NotUnderstoodError for a height below twice the radius."""
    if height < 2.0 * radius:
        raise NotUnderstoodError(f"a capsule's height includes both caps and is {height:g}, below 2 × {radius:g}", line)
    return capsule(radius, height - 2.0 * radius)


def cylinder(radius: float, height: float) -> dict[str, Any]:
    """A cylinder by its full height."""
    return {"type": "cylinder", "radius": radius, "height": height}


def cone(radius: float, height: float) -> dict[str, Any]:
    """A cone by its full height; its centre is at half of it."""
    return {"type": "cone", "radius": radius, "height": height}


def ellipsoid(radii: Numbers) -> dict[str, Any]:
    """An ellipsoid by its radii (3,)."""
    return {"type": "ellipsoid", "radii": list(radii)}


def hull(points: Sequence[Numbers]) -> dict[str, Any]:
    """The hull of points (n, 3), also of none, which `pair_of` refuses."""
    return {"type": "hull", "points": [list(point) for point in points]}


def half_space(normal: Numbers, offset: float) -> dict[str, Any]:
    """The half-space normal · p <= offset, with `normal` (3,) in the text's axes. Its body must have the `axis` y.

    `normal`: of any length but zero; `offset` scales with it.
    """
    return {"type": "halfspace", "normal": list(normal), "offset": offset}


def capsule_between(given: Given, first: Numbers, second: Numbers, radius: float, line: int) -> None:
    """Gives a body the capsule between two points (3,) of its frame. Sets its `shape`, `centre` and `local`.

    Raises NotUnderstoodError if the body has a shape already.
    """
    way = np.array(second, dtype=float) - np.array(first, dtype=float)
    long = float(length(way))
    given.give("shape", capsule(radius, long), line)
    given.centre = 0.5 * (np.array(first, dtype=float) + np.array(second, dtype=float))
    if long > 0.0:
        given.local = onto(np.array((0.0, 1.0, 0.0)), way / long)


def onto(start: Array, end: Array) -> Array:
    """A rotation matrix (3, 3) that takes the unit vector `start` (3,) to the unit vector `end` (3,)."""
    axis, cosine = cross(start, end), dot(start, end)
    if cosine < -0.5:
        # The formula below fails near a half turn. Here a half turn takes `start` to -start, and a rotation of at most
        # 60 degrees follows.
        side = cross(start, np.eye(3)[int(np.abs(start).argmin())])
        side /= length(side)
        rest: Array = product(onto(-start, end), 2.0 * np.outer(side, side) - np.eye(3))
        return rest
    skew = np.array(((0.0, -axis[2], axis[1]), (axis[2], 0.0, -axis[0]), (-axis[1], axis[0], 0.0)))
    turn: Array = np.eye(3) + skew + product(skew, skew) / (1.0 + cosine)
    return turn


def by_quaternion(wxyz: Numbers, line: int, *, normalised: bool = False) -> Array:
    """The rotation matrix (3, 3) of a quaternion. Raises NotUnderstoodError unless its length is 1 ± PRINTED_SLACK.

    `normalised`: any finite length except 0 is accepted, as by engines that normalise.
    """
    w, x, y, z = wxyz
    size = sqrt(w * w + x * x + y * y + z * z)
    if not (isfinite(size) and size > 0.0) or (not normalised and abs(size - 1.0) > PRINTED_SLACK):
        raise NotUnderstoodError(f"a rotation's quaternion must have length 1, got {size:g}", line)
    return quaternion.to_matrix((w / size, x / size, y / size, z / size))


def by_xyzw(numbers: Numbers, line: int) -> Array:
    """The rotation matrix (3, 3) of a quaternion with w last.

    Raises NotUnderstoodError unless its length is 1 ± PRINTED_SLACK.
    """
    x, y, z, w = numbers
    return by_quaternion((w, x, y, z), line)


def by_axis(axis: Numbers, angle: float, line: int) -> Array:
    """The rotation matrix (3, 3) about an axis (3,) of any length by an angle in radians.

    Raises NotUnderstoodError for a zero or infinite axis, and for an infinite angle.
    """
    x, y, z = axis
    size = sqrt(x * x + y * y + z * z)
    if not (isfinite(size) and size > 0.0):
        raise NotUnderstoodError("an axis of rotation must not be zero", line)
    if not isfinite(angle):
        raise NotUnderstoodError("an angle is too large for double precision", line)
    return quaternion.to_matrix(quaternion.from_axis_angle((x / size, y / size, z / size), angle))


def by_unit_axis(axis: Numbers, angle: float, engine: str, line: int) -> Array:
    """The rotation matrix (3, 3) about a unit axis (3,) by an angle in radians.

    `engine`: the name in the error. Raises NotUnderstoodError if the axis' squared length is not 1 ± PRINTED_SLACK.
    """
    if abs(sum(one * one for one in axis) - 1.0) > PRINTED_SLACK:
        raise NotUnderstoodError(f"an axis must have length 1 in {engine}", line)
    return by_axis(axis, angle, line)


def by_vector(vector: Numbers) -> Array:
    """The rotation matrix (3, 3) of a rotation vector (3,): its direction is the axis, its length the radians.

    Raises NotUnderstoodError for an infinite vector.
    """
    x, y, z = vector
    angle = sqrt(x * x + y * y + z * z)
    return by_axis(vector, angle, 0) if angle > 0.0 else np.eye(3)


def by_angles(angles: Numbers, order: str, *, degrees: bool = False) -> Array:
    """The rotation matrix (3, 3) of `angles` about x, y and z, in radians unless `degrees`.

    `order`: the order of the rotations, such as "XYZ"; each is about an axis turned by those before it (intrinsic).
    Raises NotUnderstoodError for an infinite angle.
    """
    turn: Array = np.eye(3)
    for letter in order:
        number = "XYZ".index(letter)
        angle = radians(angles[number]) if degrees else angles[number]
        turn = product(turn, by_axis(np.eye(3)[number].tolist(), angle, 0))
    return turn


def by_matrix(matrix: Array, line: int, notes: list[str]) -> Array:
    """The rotation (3, 3) nearest to a printed matrix (3, 3). Appends to `notes` if an entry changed noticeably.

    Raises NotUnderstoodError if an entry would change by more than PRINTED_SLACK, or if the matrix mirrors.
    """
    try:
        return quaternion.to_matrix(nearest_rotation(matrix, "the rotation", notes, PRINTED_SLACK))
    except DataError as error:
        raise NotUnderstoodError(str(error), line) from None
