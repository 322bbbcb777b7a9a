"""A pair pasted from somebody's engine: numbers in any layout of text, read by conventions that the user chooses.

Every engine prints a pose in its own way, and no text says whether its quaternion starts with w, its matrix is stored
by rows, or its sizes are halves. So only the numbers are taken from the text, in their order, and the conventions say
what they are; a preview shows whether the choice was right. A left-handed world (Unity, Unreal) needs no choice:
the same numbers read as right-handed give the mirror image, with the same verdict, depth and axis labels.

What only looks like a number is passed over: digits in names (vec3, box-2, #7), indices (m[0]), keys (0: ...), times,
dates and places in source files that logs put before and behind, and what is printed beside a pose without being part
of it (rgba, mass, time stamps).
"""

from __future__ import annotations

import re
from itertools import product
from math import isfinite, radians, sqrt

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry import quaternion
from core.geometry.quaternion import Quaternion
from core.geometry.vector import Array
from core.scene import Body, Scene, Triple
from core.shapes import Box, Shape, Sphere

from ..draw.meshes.shape_kinds import LARGEST, SMALLEST
from ..storage.strict_json import DataError
from .scene_file import Loaded, SceneError, claims_to_be_scene, nearest_rotation, read, unit_rotation

# A digit string is taken whole or not at all: `1.5xyz` must not become 1. The suffixes are those of literals in C++, C#
# and Rust, metres, and i, j, k of a quaternion; a sign may follow the digits of the number before.
_DECIMAL = r"(?>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_HEXADECIMAL = r"0[xX][\da-fA-F]+\.?[\da-fA-F]*[pP][-+]?\d+"
_SUFFIX = r"(?:[fFdDlLmMijk]|_?f(?:32|64)|_r)?"
_NUMBER = re.compile(
    r"(?:(?<![\w.#])(?<![A-Za-z_]-)|(?<=[\d.])(?=[-+]\d))"
    rf"([-+]?(?:{_HEXADECIMAL}|{_DECIMAL})){_SUFFIX}(?!\w)(?!\.\d)(?!\s*[:=])"
)
_NOT_FINITE = re.compile(r"(?<![\w.])[-+]?(?:nan(?:\(\w*\))?|inf(?:inity)?|1\.#(?:inf|ind|qnan))(?!\w)", re.IGNORECASE)
_FACT = "mass|density|friction|restitution|margin|seq|stamp|n?secs?|nanosec|id|layer"
_NAMED = r"\b[\"']?[ \t]*[:=]?[ \t]*"
_GROUP = r"(?:\w+(?=\())?[\"'\[({][^\"'\])}]*[\"'\])}]"
_BESIDE = (
    r"(?<=[\w\]])\[\d+\]",
    r"\b\d{4}-\d\d-\d\d\b",
    r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b",
    r"[\w/\\]\.[A-Za-z]\w*:\d+(?::\d+)?",
    rf"\b(?:rgba?|colou?r){_NAMED}(?:{_GROUP}|{_DECIMAL}{_SUFFIX}(?:[ \t,]+{_DECIMAL}{_SUFFIX}){{2,3}})",
    rf"\b(?:{_FACT}){_NAMED}(?:{_GROUP}|[-+]?{_DECIMAL}{_SUFFIX}(?!\w))",
)
_SPURIOUS = re.compile("|".join(_BESIDE), re.IGNORECASE)


class PairError(ValueError):
    """Why the text is no pair under the chosen conventions: one sentence."""


def extract_numbers(text: str) -> list[float]:
    """The numbers of a text in their order. Raises PairError for NaN, infinities and what doubles cannot hold."""
    plain = text.replace("−", "-")
    if match := _NOT_FINITE.search(plain):
        raise PairError(f"The text holds {match.group().strip()}, which is not a number that a scene can have.")
    numbers = [_value(match.group(1)) for match in _NUMBER.finditer(_SPURIOUS.sub(" ", plain))]
    if not all(isfinite(number) for number in numbers):
        raise PairError("The text holds a number that is too large for double precision.")
    return numbers


def _value(digits: str) -> float:
    try:
        return float.fromhex(digits) if "x" in digits.lower() else float(digits)
    except OverflowError:
        return float("inf")


SHAPES = ("box", "sphere")
ROTATIONS = ("quaternion", "Euler angles", "matrix 3x3", "matrix 3x4", "matrix 4x4", "none")
EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
"""Intrinsic orders: in XYZ the body turns about x, then about its turned y, then about its turned z."""
ORDERS = (
    ("size", "position", "rotation"),
    ("size", "rotation", "position"),
    ("position", "rotation", "size"),
    ("position", "size", "rotation"),
    ("rotation", "position", "size"),
    ("rotation", "size", "position"),
)
"""Orders of a body's fields. A matrix of 3x4 or 4x4 holds the position, so there `position` stands for nothing."""

PRINTED_SLACK = 1e-2
"""Pasted rotations may be this far from unit length or from a rotation: prints are rounded to a few digits."""
_COUNTS = {"quaternion": 4, "Euler angles": 3, "matrix 3x3": 9, "matrix 3x4": 12, "matrix 4x4": 16, "none": 0}
_POSED = ("matrix 3x4", "matrix 4x4")

_PADDINGS = (
    ("size", "position"),
    ("position",),
    ("size",),
    ("size", "position", "rotation"),
    ("position", "rotation"),
    ("rotation",),
)
"""Fields whose vectors may have a fourth number, as engines that compute by fours print them (Bullet)."""


_Fields = dict[str, list[float]]
"""The numbers of a body by the field that they are of."""


class Conventions(Struct, frozen=True):
    """What the numbers mean. `rotation`: of ROTATIONS; `order`: of ORDERS, the same for both bodies.

    `w_first`: quaternions are wxyz, else xyzw. `euler`: of EULER_ORDERS, for angles about x, y and z, listed so, in
    `degrees` or else radians. `by_rows`: a matrix is listed row by row, else column by column.
    `half_sizes`: a box's size is given by half extents (a sphere has its radius either way). `z_up`: the world's up is
    Z; the pair is then turned into our frame, its bodies' own axes untouched.
    """

    shape_a: str = "box"
    shape_b: str = "box"
    order: tuple[str, ...] = ORDERS[0]
    rotation: str = "quaternion"
    w_first: bool = True
    euler: str = EULER_ORDERS[0]
    degrees: bool = True
    by_rows: bool = True
    half_sizes: bool = False
    z_up: bool = False


def read_pair(text: str, conventions: Conventions) -> Loaded:
    """The pair in a text: a scene as JSON is known at once, anything else is read by its numbers. Raises PairError."""
    if claims_to_be_scene(text):
        try:
            return read(text)
        except SceneError as error:
            raise PairError(f"The text is a scene, but {error}") from None
    numbers = extract_numbers(text)
    remarks: list[str] = []
    first, second = _split(numbers, conventions, remarks)
    try:
        a = _body(first, conventions.shape_a, conventions, "A", remarks)
        b = _body(second, conventions.shape_b, conventions, "B", remarks)
    except DataError as error:
        raise PairError(str(error)) from None
    return Loaded(Scene(a, b, "Pasted pair"), None, tuple(remarks))


def expected(conventions: Conventions) -> str:
    """What the conventions expect, in words: `A: size 3, position 3, rotation 4; B: ...`."""
    return "; ".join(
        f"{name}: {_fields_in_words(shape, conventions)}"
        for name, shape in (("A", conventions.shape_a), ("B", conventions.shape_b))
    )


def _counts(shape: str, conventions: Conventions) -> dict[str, int]:
    """Numbers per field, in the order of the fields."""
    counts = {
        "size": 3 if shape == "box" else 1,
        "position": 0 if conventions.rotation in _POSED else 3,
        "rotation": _COUNTS[conventions.rotation],
    }
    return {field: counts[field] for field in conventions.order}


def _fields_in_words(shape: str, conventions: Conventions) -> str:
    names = {"size": "size" if shape == "box" else "radius", "position": "position"}
    names["rotation"] = "rotation" if conventions.rotation == "quaternion" else conventions.rotation
    if conventions.rotation == "Euler angles":
        names["rotation"] = f"angles in {'degrees' if conventions.degrees else 'radians'}"
    counts = _counts(shape, conventions)
    return ", ".join(f"{names[field]} {count}" for field, count in counts.items() if count)


def _layouts(shape: str, conventions: Conventions) -> list[dict[str, int]]:
    """How the numbers of one body may be laid out: a sphere is often printed without a rotation."""
    full = _counts(shape, conventions)
    if shape == "box":
        return [full]
    return [full, {field: {"size": 1, "position": 3, "rotation": 0}[field] for field in conventions.order}]


def _split(numbers: list[float], conventions: Conventions, remarks: list[str]) -> tuple[_Fields, _Fields]:
    """The numbers of A and of B by field."""
    layouts = _layouts_of_both(len(numbers), conventions)
    if layouts is not None:
        end = sum(layouts[0].values())
        return _by_field(numbers[:end], layouts[0]), _by_field(numbers[end:], layouts[1])
    padded = _split_by_fours(numbers, conventions)
    if padded is not None:
        remarks.append("Vectors of four numbers were read without their last number, 0 or 1.")
        return padded
    total = sum(sum(_counts(shape, conventions).values()) for shape in (conventions.shape_a, conventions.shape_b))
    found = f"Found {len(numbers)} number{'' if len(numbers) == 1 else 's'}"
    raise PairError(f"{found}, expected {total} ({expected(conventions)}).{_advice(numbers, conventions)}")


def _split_by_fours(numbers: list[float], conventions: Conventions) -> tuple[_Fields, _Fields] | None:
    """The same where vectors have a fourth number that says nothing; None where they do not, or in more ways than one.

    In `1 1 1 0 2 0 0` nobody knows whether the fourth number belongs to the size or to the position.
    """
    found = []
    both = list(product(_layouts(conventions.shape_a, conventions), _layouts(conventions.shape_b, conventions)))
    for padding, (one, two) in product(_PADDINGS, both):
        first, second = (_padded(layout, padding) for layout in (one, two))
        if (first, second) == (one, two) or sum(first.values()) + sum(second.values()) != len(numbers):
            continue
        end = sum(first.values())
        halves = _by_field(numbers[:end], first), _by_field(numbers[end:], second)
        plain = [_without_padding(half, layout) for half, layout in zip(halves, (one, two), strict=True)]
        if plain[0] is not None and plain[1] is not None:
            found += [(plain[0], plain[1])] if (plain[0], plain[1]) not in found else []
    return found[0] if len(found) == 1 else None


def _padded(layout: dict[str, int], padding: tuple[str, ...]) -> dict[str, int]:
    """How many numbers the fields take when each three of those in `padding` have a fourth."""
    return {field: count * 4 // 3 if field in padding and count in (3, 9) else count for field, count in layout.items()}


def _without_padding(fields: _Fields, layout: dict[str, int]) -> _Fields | None:
    """The fields without their fourth numbers; None where one of those is not 0 (a position's may be 1)."""
    plain = {}
    for field, values in fields.items():
        if len(values) == layout[field]:
            plain[field] = values
            continue
        if any(value not in ((0.0, 1.0) if field == "position" else (0.0,)) for value in values[3::4]):
            return None
        plain[field] = [value for k, value in enumerate(values) if k % 4 != 3]
    return plain


def _layouts_of_both(count: int, conventions: Conventions) -> tuple[dict[str, int], dict[str, int]] | None:
    """How `count` numbers are laid out as A and B; None when they cannot be."""
    pairs = product(_layouts(conventions.shape_a, conventions), _layouts(conventions.shape_b, conventions))
    return next((pair for pair in pairs if sum(map(sum, (half.values() for half in pair))) == count), None)


def _advice(numbers: list[float], conventions: Conventions) -> str:
    """The one choice with which so many numbers would be a pair, as a sentence; "" when there is none."""
    others = [
        *((f"rotation as {rotation}", replace(conventions, rotation=rotation)) for rotation in ROTATIONS),
        *((f"A as a {shape}", replace(conventions, shape_a=shape)) for shape in SHAPES),
        *((f"B as a {shape}", replace(conventions, shape_b=shape)) for shape in SHAPES),
    ]
    fitting = (
        words
        for words, other in others
        if _layouts_of_both(len(numbers), other) is not None or _split_by_fours(numbers, other) is not None
    )
    return next((f" It would fit with {words}." for words in fitting), "")


def _by_field(numbers: list[float], layout: dict[str, int]) -> _Fields:
    fields, start = {}, 0
    for field, count in layout.items():
        fields[field] = numbers[start : start + count]
        start += count
    return fields


def _body(fields: _Fields, kind: str, conventions: Conventions, name: str, remarks: list[str]) -> Body:
    shape = _shape(fields["size"], kind, conventions, name)
    position, rotation = _pose(fields, conventions, name, remarks)
    if isinstance(shape, Sphere):
        # How a sphere is turned is nobody's business, and would only clutter the panel.
        rotation = quaternion.IDENTITY
    for value in position:
        if abs(value) > LARGEST:
            raise DataError(f"{name}'s position", f"must lie within ±{LARGEST:g}, got {value:g}")
    if conventions.z_up:
        position, rotation = _turned_upright(position, rotation, isinstance(shape, Sphere))
    return Body(shape, position, rotation)


def _shape(size: list[float], kind: str, conventions: Conventions, name: str) -> Shape:
    field = f"{name}'s {'size' if kind == 'box' else 'radius'}"
    for value in size:
        if not SMALLEST <= value <= LARGEST:
            raise DataError(field, f"must be > 0, got {value:g}: is the order of the fields right?")
    if kind == "sphere":
        return Sphere(size[0])
    factor = 2.0 if conventions.half_sizes else 1.0
    x, y, z = (factor * value for value in size)
    return Box((x, y, z))


def _pose(fields: _Fields, conventions: Conventions, name: str, remarks: list[str]) -> tuple[Triple, Quaternion]:
    numbers, where = fields["rotation"], f"{name}'s rotation"
    if len(numbers) > 4:
        matrix, moved = _matrix(numbers, conventions, where)
        x, y, z = moved or fields["position"]
        return (x, y, z), nearest_rotation(matrix, where, remarks, PRINTED_SLACK)
    x, y, z = fields["position"]
    if len(numbers) == 3:
        return (x, y, z), _euler(numbers, conventions)
    return (x, y, z), _quaternion(numbers, conventions, where, remarks) if numbers else quaternion.IDENTITY


def _euler(angles: list[float], conventions: Conventions) -> Quaternion:
    """The rotation about x, y and z by three angles, in the order that the conventions give."""
    turn = quaternion.IDENTITY
    for letter in conventions.euler:
        number = "XYZ".index(letter)
        angle = radians(angles[number]) if conventions.degrees else angles[number]
        axis = (float(number == 0), float(number == 1), float(number == 2))
        turn = quaternion.multiply(turn, quaternion.from_axis_angle(axis, angle))
    return quaternion.normalized(turn)


def _quaternion(numbers: list[float], conventions: Conventions, where: str, remarks: list[str]) -> Quaternion:
    first, second, third, fourth = numbers
    q = (first, second, third, fourth) if conventions.w_first else (fourth, first, second, third)
    length = sqrt(sum(component * component for component in q))
    if abs(length - 1.0) > PRINTED_SLACK:
        raise DataError(where, f"must have length 1, got {length:g}: is the order of the fields right?")
    return unit_rotation(q, where, remarks)


def _matrix(numbers: list[float], conventions: Conventions, where: str) -> tuple[Array, list[float] | None]:
    """The 3x3 rotation, and the translation if the matrix holds one."""
    values = np.array(numbers)
    rows, columns = {9: (3, 3), 12: (3, 4), 16: (4, 4)}[len(numbers)]
    matrix = values.reshape(rows, columns) if conventions.by_rows else values.reshape(columns, rows).T
    if rows == 4 and not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), rtol=0.0, atol=PRINTED_SLACK):
        given, other = ("rows", "columns") if conventions.by_rows else ("columns", "rows")
        advice = f" when read by {given}; by {other} it does" if np.allclose(matrix[:, 3], (0, 0, 0, 1)) else ""
        raise DataError(where, f"its matrix must end in 0, 0, 0, 1 and does not{advice}")
    return matrix[:3, :3], None if columns == 3 else [float(value) for value in matrix[:3, 3]]


def _turned_upright(position: Triple, rotation: Quaternion, round_body: bool) -> tuple[Triple, Quaternion]:
    """From a world with Z up into ours, by a quarter turn about X: (x, y, z) becomes (x, z, -y), digit for digit."""
    x, y, z = position
    half = sqrt(0.5)
    turned = quaternion.normalized(quaternion.multiply((half, -half, 0.0, 0.0), rotation))
    return (x, z, 0.0 - y), quaternion.IDENTITY if round_body else turned
