"""Makes a body from an engine's numbers: its shape, and its pose in our world (right-handed, Y up)."""

from __future__ import annotations

from math import radians, sqrt

import numpy as np

from core.geometry import quaternion
from core.geometry.quaternion import Quaternion
from core.geometry.vector import Array, cross, dot, dots, length, product
from core.scene import Body, Triple
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere

from ..shapes import LARGEST, SMALLEST
from ..storage.strict_json import DataError
from .engines import ENGINES, Conventions, body_axes, world_axes
from .pair_fields import Fields, with_article
from .scene_file import nearest_rotation, unit_rotation
from .shape_file import MOST_POINTS, check_count, hull_of

PRINTED_SLACK = 1e-2
"""The tolerance of a quaternion's length from 1, and of a matrix from a rotation: printed numbers have few digits."""
CENTRES = ("centre", "centre1", "centre2")
UPRIGHT = ("capsule", "cylinder", "cone")
"""Shapes with an axis, whose direction differs between engines."""


def body_of(fields: Fields, conventions: Conventions, name: str, remarks: list[str]) -> Body:
    """The body that the fields describe; `name` is its name in refusals and remarks. Raises DataError."""
    position, rotation = _pose(fields, conventions, name, remarks)
    upright = fields.shape in UPRIGHT
    axes = body_axes(conventions, upright=upright)
    shape, offset, along = _shape(fields, conventions, name, axes)
    turn = quaternion.to_matrix(rotation)
    place = np.array(position) + dots(turn, offset)
    if along is not None:
        turn = product(turn, onto(axes.T[:, 1], along))
    world = world_axes(conventions)
    if isinstance(shape, Sphere):
        # A sphere's rotation does not matter, and would only fill the panel with numbers.
        rotation = quaternion.IDENTITY
    elif not (np.array_equal(world, np.eye(3)) and np.array_equal(axes, np.eye(3)) and along is None):
        rotation = quaternion.from_matrix(product(product(world, turn), axes.T))
    place = dots(world, place * conventions.unit) + 0.0
    for value in place.tolist():
        if abs(value) > LARGEST:
            raise DataError(f"{name}'s position", f"must lie within ±{LARGEST:g}, got {value:g}")
    x, y, z = place.tolist()
    return Body(shape, (x, y, z), rotation)


def onto(start: Array, end: Array) -> Array:
    """A rotation matrix (3, 3) that takes the unit vector `start` to the unit vector `end`."""
    axis, cosine = cross(start, end), dot(start, end)
    if cosine < -0.5:
        # The formula below fails near half a turn: first half a turn about an axis at right angles to `start`.
        side = cross(start, np.eye(3)[int(np.abs(start).argmin())])
        side /= length(side)
        half = 2.0 * np.outer(side, side) - np.eye(3)
        rest: Array = product(onto(-start, end), half)
        return rest
    skew = np.array(((0.0, -axis[2], axis[1]), (axis[2], 0.0, -axis[0]), (-axis[1], axis[0], 0.0)))
    turn: Array = np.eye(3) + skew + product(skew, skew) / (1.0 + cosine)
    return turn


def _shape(fields: Fields, conventions: Conventions, name: str, axes: Array) -> tuple[Shape, Array, Array | None]:
    """The shape, its centre in the engine's body frame, and its axis there where the text gives two cap centres."""
    sizes = _Sizes(fields, conventions, name)
    offset, along = np.zeros(3), None
    sent = fields.centres or [value for key in CENTRES for value in sizes.given(key)]
    centres = np.array(sent).reshape(-1, 3)
    if len(centres) == 2:
        offset, way = 0.5 * (centres[0] + centres[1]), centres[1] - centres[0]
        long = float(length(way))
        if long > 0.0:
            fields.sizes["segment"], along = [long], way / long
    elif len(centres) == 1:
        offset = centres[0]
    match fields.shape:
        case "box":
            x, y, z = sizes.edges()
            return Box((x, y, z)), offset, None
        case "sphere":
            return Sphere(sizes.radius()), offset, None
        case "capsule":
            return Capsule(sizes.radius(), sizes.length(caps=conventions.caps)), offset, along
        case "cylinder":
            return Cylinder(sizes.radius(), sizes.length()), offset, None
        case "cone":
            return Cone(sizes.radius(), sizes.length()), offset, None
        case "ellipsoid":
            x, y, z = sizes.triple("radii")
            return Ellipsoid((x, y, z)), offset, None
        case "hull":
            return sizes.hull(axes), offset, None
        case _:
            return sizes.half_space(axes), offset, None


class _Sizes:
    """The numbers of a shape's size by name; notes which names were used."""

    def __init__(self, fields: Fields, conventions: Conventions, name: str) -> None:
        self._fields, self._conventions, self._name = fields, conventions, name

    def given(self, key: str) -> list[float]:
        """The numbers under a name; empty where the text does not give it."""
        self._fields.used.add(key)
        return self._fields.sizes.get(key, [])

    def _missing(self, what: str) -> DataError:
        return DataError(
            f"{self._name}'s {what}", f"is not in the text ({self._name} is read as {with_article(self._fields.shape)})"
        )

    def _length(self, value: float, what: str, factor: float = 1.0) -> float:
        if not SMALLEST <= value <= LARGEST:
            raise DataError(f"{self._name}'s {what}", f"must be > 0, got {value:g}{self._fields.advice}")
        return factor * value * self._conventions.unit

    def triple(self, key: str, factor: float = 1.0) -> list[float]:
        """Three lengths, multiplied by `factor` and the unit."""
        values = self.given(key)
        what = "radii" if key == "radii" else "size"
        if not values:
            raise self._missing(what)
        if len(values) != 3:
            raise DataError(f"{self._name}'s {what}", f"needs 3 numbers, got {len(values)}")
        return [self._length(value, what, factor) for value in values]

    def edges(self) -> list[float]:
        """A box's full edge lengths."""
        sizes = self._fields.sizes
        if "half_size" in sizes:
            return self.triple("half_size", 2.0)
        if {"width", "long", "depth"} <= sizes.keys():
            return [self.number(key, "size") for key in ("width", "long", "depth")]
        return self.triple("size" if "size" in sizes else "scale")

    def number(self, key: str, what: str, factor: float = 1.0) -> float:
        """One length, multiplied by `factor` and the unit."""
        values = self.given(key)
        if len(values) != 1:
            raise DataError(f"{self._name}'s {what}", f"needs 1 number, got {len(values)}")
        return self._length(values[0], what, factor)

    def radius(self) -> float:
        """A radius, or half of a diameter."""
        for key, factor in (("radius", 1.0), ("radii", 1.0), ("diameter", 0.5)):
            if key in self._fields.sizes:
                return self.number(key, "radius", factor)
        raise self._missing("radius")

    def length(self, *, caps: bool = False) -> float:
        """The length along the axis, a capsule's without its caps; `caps`: a given height includes the caps."""
        sizes = self._fields.sizes
        for key, factor, whole in (
            ("segment", 1.0, False),
            ("half_segment", 2.0, False),
            ("total", 1.0, True),
            ("half_total", 2.0, True),
            ("long", 1.0, caps),
            ("half_long", 2.0, caps),
        ):
            if key in sizes:
                length = self.number(key, "height", factor)
                if whole and length <= 2.0 * self.radius():
                    raise DataError(
                        f"{self._name}'s height",
                        f"includes both caps and must be > {2.0 * self.radius():g}, got {length:g}",
                    )
                return length - 2.0 * self.radius() if whole else length
        raise self._missing("height")

    def hull(self, axes: Array) -> Shape:
        """The hull of the points."""
        values = self.given("points")
        if not values:
            raise self._missing("list of points")
        if len(values) % 3:
            raise DataError(f"{self._name}'s points", f"need three numbers each, got {len(values)}")
        check_count(len(values) // 3, MOST_POINTS, f"{self._name}'s points")
        points = product(np.array(values).reshape(-1, 3) * self._conventions.unit, axes.T) + 0.0
        return hull_of(tuple((x, y, z) for x, y, z in points.tolist()), f"{self._name}'s points")

    def half_space(self, axes: Array) -> Shape:
        """The half-space below a plane."""
        engine = ENGINES.get(self._conventions.engine)
        normal = self.given("normal") or (list(engine.plane) if engine else [0.0, 1.0, 0.0])
        if len(normal) != 3 or not 0.0 < float(length(np.array(normal))) <= LARGEST:
            raise DataError(f"{self._name}'s normal", "must be three numbers, not all 0")
        offset = (self.given("offset") or [-value for value in self.given("minus_offset")] or [0.0])[0]
        if abs(offset) > LARGEST:
            raise DataError(f"{self._name}'s offset", f"must lie within ±{LARGEST:g}, got {offset:g}")
        x, y, z = (dots(axes, np.array(normal)) + 0.0).tolist()
        return HalfSpace((x, y, z), offset * self._conventions.unit + 0.0)


def _pose(fields: Fields, conventions: Conventions, name: str, remarks: list[str]) -> tuple[Triple, Quaternion]:
    """The position and rotation in the engine's own world."""
    numbers, where = fields.rotation, f"{name}'s rotation"
    by_rows = conventions.by_rows if fields.columns is None else not fields.columns
    position = fields.position
    turn = quaternion.IDENTITY
    if len(numbers) > 4:
        matrix, moved = _matrix(numbers, where, by_rows=by_rows)
        position = moved or position
        turn = nearest_rotation(matrix, where, remarks, PRINTED_SLACK)
    elif fields.angles:
        if conventions.rotation != "Euler angles" and conventions.engine != "Unreal":
            raise DataError(
                where, "has 3 numbers, expected 4 of a quaternion; if they are angles, choose other and Euler angles"
            )
        turn = _euler(numbers, conventions)
    elif numbers:
        w_first = conventions.w_first if fields.w_first is None else fields.w_first
        turn = _quaternion(numbers, where, remarks, w_first=w_first, advice=fields.advice)
    elif conventions.rotation != "none" and fields.shape != "sphere":
        remarks.append(f"{name} has no rotation in the text and stands unturned.")
    if not position:
        raise DataError(f"{name}'s position", "is not in the text")
    x, y, z = position
    return (x, y, z), turn


def _euler(angles: list[float], conventions: Conventions) -> Quaternion:
    """The rotation by angles about x, y and z, in the conventions' Euler order."""
    turn = quaternion.IDENTITY
    for letter in conventions.euler:
        number = "XYZ".index(letter)
        angle = radians(angles[number]) if conventions.degrees else angles[number]
        axis = (float(number == 0), float(number == 1), float(number == 2))
        turn = quaternion.multiply(turn, quaternion.from_axis_angle(axis, angle))
    return quaternion.normalized(turn)


def _quaternion(numbers: list[float], where: str, remarks: list[str], *, w_first: bool, advice: str) -> Quaternion:
    first, second, third, fourth = numbers
    q = (first, second, third, fourth) if w_first else (fourth, first, second, third)
    length = sqrt(sum(component * component for component in q))
    if abs(length - 1.0) > PRINTED_SLACK:
        raise DataError(where, f"must have length 1, got {length:g}{advice}")
    return unit_rotation(q, where, remarks)


def _matrix(numbers: list[float], where: str, *, by_rows: bool) -> tuple[Array, list[float] | None]:
    """The 3x3 rotation, and the translation if the matrix has one."""
    values = np.array(numbers)
    rows, columns = {9: (3, 3), 12: (3, 4), 16: (4, 4)}[len(numbers)]
    matrix = values.reshape(rows, columns) if by_rows else values.reshape(columns, rows).T
    if rows == 4 and not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), rtol=0.0, atol=PRINTED_SLACK):
        given, other = ("rows", "columns") if by_rows else ("columns", "rows")
        advice = f" when read by {given}; by {other} it does" if np.allclose(matrix[:, 3], (0, 0, 0, 1)) else ""
        raise DataError(where, f"its matrix must end in 0, 0, 0, 1 and does not{advice}")
    return matrix[:3, :3], None if columns == 3 else [float(value) for value in matrix[:3, 3]]
