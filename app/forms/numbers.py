"""Texts of numbers alone, in an order that the user chooses.

Two things are recognised without a choice: a sphere without a rotation, by the count of numbers, and vectors with a
fourth number as padding, by the values of that number.

    A's numbers, then B's: size, position and rotation each, in one of ORDERS

A text of numbers alone has only numbers, and spaces, commas, semicolons, bars or brackets between the numbers. A number
is decimal, with or without C's suffix `f`, or hexadecimal as `%a` prints the number.
"""

from __future__ import annotations

import re
from itertools import product as combined
from math import isfinite

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry import quaternion
from core.geometry.vector import Array

from ..io.scene_file import nearest_rotation, unit_rotation
from ..storage.strict_json import DataError
from .bodies import (
    PRINTED_SLACK,
    UPRIGHT,
    Given,
    World,
    ball_of,
    box,
    by_angles,
    by_quaternion,
    capsule,
    capsule_in_all,
    cone,
    cylinder,
    ellipsoid,
    half_space,
    pair_of,
)
from .form import MOST_CHARACTERS, NotUnderstoodError, ReadPair

ORDERS = (
    ("size", "position", "rotation"),
    ("size", "rotation", "position"),
    ("position", "rotation", "size"),
    ("position", "size", "rotation"),
    ("rotation", "position", "size"),
    ("rotation", "size", "position"),
)
"""Orders of a body's fields. A 3x4 or 4x4 matrix includes the position; the field `position` then takes no numbers."""
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
"""Intrinsic orders: in XYZ the body turns about x, then about the body's turned y, then about the body's turned z."""
SIZES = {
    "box": ("size", 3),
    "sphere": ("radius", 1),
    "capsule": ("radius and height", 2),
    "cylinder": ("radius and height", 2),
    "cone": ("radius and height", 2),
    "ellipsoid": ("radii", 3),
    "halfspace": ("normal and offset", 4),
}
"""The shapes, each with the name and the count of the numbers of the shape's size."""
ROTATIONS = {"quaternion": 4, "Euler angles": 3, "matrix 3x3": 9, "matrix 3x4": 12, "matrix 4x4": 16, "none": 0}
"""The ways to give a rotation, each with the count of the rotation's numbers."""
UNITS = {"scene units": 1.0, "centimetres": 0.01, "millimetres": 0.001}
"""The length of each unit of a text in scene units; for centimetres and millimetres a scene unit is a metre."""
FOURTH = "Vectors of four numbers were read without their last number, 0 or 1."
_POSED = ("matrix 3x4", "matrix 4x4")
_PADDINGS = (
    ("size", "position"),
    ("position",),
    ("size",),
    ("size", "position", "rotation"),
    ("position", "rotation"),
    ("rotation",),
)
"""Combinations of fields whose vectors have a fourth number, as engines with four-wide vectors print (Bullet)."""
_TOKEN = re.compile(
    r"(?P<number>[-+]?(?:0[xX][\da-fA-F]+\.?[\da-fA-F]*[pP][-+]?\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?)"
    r"(?=[\s,;|()\[\]{}<>]|\Z))|(?P<gap>[\s,;|()\[\]{}<>]+)|(?P<other>[^\s,;|()\[\]{}<>]+)"
)


class Conventions(Struct, frozen=True):
    """The meaning of each number. The defaults are the conventions of a scene file, but Euler angles are in degrees.

    `order`: one of ORDERS. `rotation`: one of ROTATIONS. `w_first`: quaternions are wxyz, else xyzw. `by_rows`:
    matrices are listed by rows, else by columns. `euler`: one of EULER_ORDERS; the angles are listed about x, y and z.
    `degrees`: angles are in degrees, else in radians.

    `half_sizes`: a box's numbers are half its size. `half_heights`: heights of capsules, cylinders and cones are half
    ones. `caps`: a capsule's height includes both caps. `radius_first`: a radius precedes its height. `axis`: the axis
    along which capsules, cylinders and cones lie.

    `z_up`: the text's world has z up, else y. `left_handed`: the text's world is left-handed. `unit`: one of UNITS.
    """

    shape_a: str = "box"
    shape_b: str = "box"
    order: tuple[str, ...] = ORDERS[0]
    rotation: str = "quaternion"
    w_first: bool = True
    by_rows: bool = True
    euler: str = "XYZ"
    degrees: bool = True
    half_sizes: bool = False
    half_heights: bool = False
    caps: bool = False
    radius_first: bool = True
    axis: str = "y"
    z_up: bool = False
    left_handed: bool = False
    unit: str = "scene units"


def numbers_alone(text: str) -> bool:
    """Whether a text has numbers, and nothing else but separators."""
    found = [match.lastgroup for match in _TOKEN.finditer(text.replace("\u2212", "-"))]
    return "number" in found and "other" not in found


def numbers_in(text: str) -> list[tuple[float, int]]:
    """The numbers of a text, each with its line number, from 1.

    Raises NotUnderstoodError for another word, an over-long text or a number beyond doubles.
    """
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}.")
    found, line = list[tuple[float, int]](), 1
    for match in _TOKEN.finditer(text.replace("\u2212", "-")):
        said = match.group()
        if match["other"] is not None:
            raise NotUnderstoodError(f"{said[:40]} is no number", line)
        if match["number"] is not None:
            found.append((_value(said, line), line))
        line += said.count("\n")
    return found


def _value(digits: str, line: int) -> float:
    try:
        number = float.fromhex(digits) if "x" in digits.lower() else float(digits.rstrip("fF"))
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise NotUnderstoodError(f"{digits[:40]} is too large for double precision", line)
    return number


def read_numbers(text: str, conventions: Conventions) -> ReadPair:
    """The pair in a text of numbers alone. Raises NotUnderstoodError."""
    found = numbers_in(text)
    numbers = [number for number, _ in found]
    (one, two), end, padded = _split(numbers, conventions)
    bodies = [
        _given(one, conventions.shape_a, "A", conventions, found[0][1]),
        _given(two, conventions.shape_b, "B", conventions, found[end][1]),
    ]
    if padded:
        bodies[0].notes.insert(0, FOURTH)
    unit = UNITS[conventions.unit]
    return pair_of(bodies, World("the text", conventions.z_up, conventions.left_handed, unit, conventions.unit))


def expected(conventions: Conventions) -> str:
    """The names and counts of the expected numbers in words: `A: size 3, position 3, rotation 4; B: ...`."""
    shapes = (("A", conventions.shape_a), ("B", conventions.shape_b))
    return "; ".join(f"{letter}: {_fields_in_words(shape, conventions)}" for letter, shape in shapes)


def with_article(shape: str) -> str:
    """The name of a shape of SIZES after an article: `a box`, `an ellipsoid`."""
    return f"{'an' if shape == 'ellipsoid' else 'a'} {'half-space' if shape == 'halfspace' else shape}"


def _fields_in_words(shape: str, conventions: Conventions) -> str:
    names = {"size": SIZES[shape][0], "position": "position", "rotation": conventions.rotation}
    if shape in UPRIGHT and not conventions.radius_first:
        names["size"] = "height and radius"
    if conventions.rotation == "quaternion":
        names["rotation"] = "rotation"
    elif conventions.rotation == "Euler angles":
        names["rotation"] = f"angles in {'degrees' if conventions.degrees else 'radians'}"
    return ", ".join(f"{names[key]} {count}" for key, count in _counts(shape, conventions).items() if count)


def _counts(shape: str, conventions: Conventions) -> dict[str, int]:
    """The count of numbers for each field, in the conventions' order."""
    counts = {
        "size": SIZES[shape][1],
        "position": 0 if conventions.rotation in _POSED else 3,
        "rotation": ROTATIONS[conventions.rotation],
    }
    return {key: counts[key] for key in conventions.order}


def _layouts(shape: str, conventions: Conventions) -> list[dict[str, int]]:
    """The possible layouts of one body's numbers: a sphere is often printed without a rotation."""
    full = _counts(shape, conventions)
    if shape != "sphere":
        return [full]
    without = {key: full["size"] if key == "size" else 3 * (key == "position") for key in full}
    return [full] if without == full else [full, without]


_Half = dict[str, list[float]]


def _split(numbers: list[float], conventions: Conventions) -> tuple[tuple[_Half, _Half], int, bool]:
    """The numbers of A and of B by field, the count of A's numbers, and whether vectors had a fourth number.

    Raises NotUnderstoodError.
    """
    fitting = _layouts_of_both(len(numbers), conventions)
    if len(fitting) > 1:
        raise NotUnderstoodError("One of the two spheres has no rotation, and nothing says which.")
    if fitting:
        (layouts,) = fitting
        end = sum(layouts[0].values())
        return (_by_field(numbers[:end], layouts[0]), _by_field(numbers[end:], layouts[1])), end, False
    if (by_fours := _split_by_fours(numbers, conventions)) is not None:
        return *by_fours, True
    total = sum(sum(_counts(shape, conventions).values()) for shape in (conventions.shape_a, conventions.shape_b))
    found = f"Found {len(numbers)} number{'' if len(numbers) == 1 else 's'}, expected {total}"
    raise NotUnderstoodError(f"{found} ({expected(conventions)}).{_advice(numbers, conventions)}")


def _split_by_fours(numbers: list[float], conventions: Conventions) -> tuple[tuple[_Half, _Half], int] | None:
    """The numbers by field, and the count of A's, read with padding fourth numbers; None without one clear reading.

    For example, the fourth number of `1 1 1 0 2 0 0` may belong to the size or to the position.
    """
    found = []
    both = list(combined(_layouts(conventions.shape_a, conventions), _layouts(conventions.shape_b, conventions)))
    for padding, (one, two) in combined(_PADDINGS, both):
        first, second = (_padded(layout, padding) for layout in (one, two))
        if (first, second) == (one, two) or sum(first.values()) + sum(second.values()) != len(numbers):
            continue
        end = sum(first.values())
        halves = _by_field(numbers[:end], first), _by_field(numbers[end:], second)
        plain = [_without_padding(half, layout) for half, layout in zip(halves, (one, two), strict=True)]
        if plain[0] is not None and plain[1] is not None:
            found.append(((plain[0], plain[1]), end))
    return found[0] if found and all(other[0] == found[0][0] for other in found) else None


def _padded(layout: dict[str, int], padding: tuple[str, ...]) -> dict[str, int]:
    """The layout in which the fields of `padding` with 3 or 9 numbers have a fourth number after each three."""
    return {key: count * 4 // 3 if key in padding and count in (3, 9) else count for key, count in layout.items()}


def _without_padding(fields: _Half, layout: dict[str, int]) -> _Half | None:
    """The fields without the padding numbers; None if a padding number is not 0 (a position's padding may be 1)."""
    plain = {}
    for key, values in fields.items():
        if len(values) == layout[key]:
            plain[key] = values
            continue
        if any(value not in ((0.0, 1.0) if key == "position" else (0.0,)) for value in values[3::4]):
            return None
        plain[key] = [value for k, value in enumerate(values) if k % 4 != 3]
    return plain


def _layouts_of_both(count: int, conventions: Conventions) -> list[tuple[dict[str, int], dict[str, int]]]:
    """The layouts of A and B with `count` numbers together. Two fit if either of two spheres may have no rotation."""
    pairs = combined(_layouts(conventions.shape_a, conventions), _layouts(conventions.shape_b, conventions))
    return [pair for pair in pairs if sum(map(sum, (half.values() for half in pair))) == count]


def _advice(numbers: list[float], conventions: Conventions) -> str:
    """A sentence on the first other choice that would fit the count of numbers; "" if no choice fits."""
    others = [
        *((f"rotation as {rotation}", replace(conventions, rotation=rotation)) for rotation in ROTATIONS),
        *((f"A as {with_article(shape)}", replace(conventions, shape_a=shape)) for shape in SIZES),
        *((f"B as {with_article(shape)}", replace(conventions, shape_b=shape)) for shape in SIZES),
    ]
    fitting = (
        words
        for words, other in others
        if len(_layouts_of_both(len(numbers), other)) == 1 or _split_by_fours(numbers, other) is not None
    )
    return next((f" It would fit with {words}." for words in fitting), "")


def _by_field(numbers: list[float], layout: dict[str, int]) -> _Half:
    """The numbers cut into fields by the layout's counts, in the layout's order."""
    fields, start = {}, 0
    for key, count in layout.items():
        fields[key] = numbers[start : start + count]
        start += count
    return fields


def _given(fields: _Half, shape: str, letter: str, conventions: Conventions, line: int) -> Given:
    given = Given(line, letter, axis=conventions.axis if shape in UPRIGHT else "y")
    given.shape = _shape(fields["size"], shape, conventions, line)
    rotation, position, where = fields["rotation"], fields["position"], f"{letter}'s rotation"
    try:
        if len(rotation) > 4:
            matrix, moved = _matrix(rotation, where, by_rows=conventions.by_rows)
            given.rotation = quaternion.to_matrix(nearest_rotation(matrix, where, given.notes, PRINTED_SLACK))
            position = moved or position
        elif len(rotation) == 4:
            w, x, y, z = rotation if conventions.w_first else (rotation[3], *rotation[:3])
            by_quaternion((w, x, y, z), line)
            given.rotation = quaternion.to_matrix(unit_rotation((w, x, y, z), where, given.notes))
        elif rotation:
            given.rotation = by_angles(rotation, conventions.euler, degrees=conventions.degrees)
    except DataError as error:
        raise NotUnderstoodError(str(error), line) from None
    given.position = np.array(position)
    return given


def _shape(sizes: list[float], shape: str, conventions: Conventions, line: int) -> dict[str, object]:
    if shape == "box":
        return box(sizes, half=conventions.half_sizes)
    if shape == "sphere":
        return ball_of(sizes[0])
    if shape == "ellipsoid":
        return ellipsoid(sizes)
    if shape == "halfspace":
        return half_space(sizes[:3], sizes[3])
    radius, height = sizes if conventions.radius_first else (sizes[1], sizes[0])
    height *= 2.0 if conventions.half_heights else 1.0
    if shape == "capsule":
        return capsule_in_all(radius, height, line) if conventions.caps else capsule(radius, height)
    return (cylinder if shape == "cylinder" else cone)(radius, height)


def _matrix(numbers: list[float], where: str, *, by_rows: bool) -> tuple[Array, list[float] | None]:
    """The 3x3 part as printed, and the translation, None for a 3x3 matrix. Raises DataError for a wrong last row."""
    values = np.array(numbers)
    rows, columns = {9: (3, 3), 12: (3, 4), 16: (4, 4)}[len(numbers)]
    matrix = values.reshape(rows, columns) if by_rows else values.reshape(columns, rows).T
    if rows == 4 and not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), rtol=0.0, atol=PRINTED_SLACK):
        given, other = ("rows", "columns") if by_rows else ("columns", "rows")
        advice = f" when read by {given}; by {other} it does" if np.allclose(matrix[:, 3], (0, 0, 0, 1)) else ""
        raise DataError(where, f"its matrix must end in 0, 0, 0, 1 and does not{advice}")
    return matrix[:3, :3], None if columns == 3 else [float(value) for value in matrix[:3, 3]]
