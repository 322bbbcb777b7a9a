"""The fields of two pasted bodies, and the layout of numbers without labels by the conventions."""

from __future__ import annotations

from itertools import product

from msgspec import Struct, field
from msgspec.structs import replace

from .engines import COUNTS, SHAPES, Conventions, size_names
from .labels import Slot
from .printed_numbers import PastedPairError

ROTATIONS = ("quaternion", "Euler angles", "matrix 3x3", "matrix 3x4", "matrix 4x4", "none")
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
"""Combinations of fields whose vectors have a fourth number, as engines with four-wide vectors print them (Bullet)."""
FOURTH = "Vectors of four numbers were read without their last number, 0 or 1."
_ORDERED = ": is the order of the fields right?"


class Fields(Struct):
    """The numbers of one body. `sizes`: numbers by the names of `engines`; `texts`: their labels.

    `used`: the names that the shape has read. `centres`: a sphere's, or those of both caps. `w_first`, `columns`:
    whether the quaternion begins with w, and whether `rotation` lists a matrix by columns; None where the text does not
    say it. `angles`: `rotation` holds three angles. `advice`: the end of a refusal.
    """

    shape: str
    sizes: dict[str, list[float]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    centres: list[float] = field(default_factory=list)
    position: list[float] = field(default_factory=list)
    rotation: list[float] = field(default_factory=list)
    w_first: bool | None = None
    columns: bool | None = None
    angles: bool = False
    advice: str = ""

    def left_over(self) -> list[Slot]:
        """The sizes that the shape did not read."""
        return [
            Slot("unknown", "", self.texts.get(key, key), "", numbers)
            for key, numbers in self.sizes.items()
            if key not in self.used
        ]


def expected(conventions: Conventions) -> str:
    """The numbers that the conventions expect without labels: `A: size 3, position 3, rotation 4; B: ...`."""
    return "; ".join(
        f"{name}: {_fields_in_words(shape, conventions)}"
        for name, shape in (("A", conventions.shape_a), ("B", conventions.shape_b))
    )


def with_article(shape: str) -> str:
    """A shape of SHAPES with its article: `a box`, `an ellipsoid`."""
    return f"{'an' if shape == 'ellipsoid' else 'a'} {'half-space' if shape == 'halfspace' else shape}"


def size_counts(shape: str, conventions: Conventions) -> dict[str, int]:
    """The count of numbers for each name of a shape's size, in the order of the engine's call."""
    return {name: COUNTS.get(name, 1) for name in size_names(shape, conventions)}


def counts_of(shape: str, conventions: Conventions) -> dict[str, int]:
    """The count of numbers for each field, in the conventions' order."""
    counts = {
        "size": sum(size_counts(shape, conventions).values()),
        "position": 0 if conventions.rotation in _POSED else 3,
        "rotation": _COUNTS[conventions.rotation],
    }
    return {field: counts[field] for field in conventions.order}


def _fields_in_words(shape: str, conventions: Conventions) -> str:
    if shape == "hull":
        return "a hull, whose points need a label (points or vertices)"
    names = {"size": "radius" if shape == "sphere" else "size", "position": "position"}
    names["rotation"] = "rotation" if conventions.rotation == "quaternion" else conventions.rotation
    if conventions.rotation == "Euler angles":
        names["rotation"] = f"angles in {'degrees' if conventions.degrees else 'radians'}"
    counts = counts_of(shape, conventions)
    return ", ".join(f"{names[field]} {count}" for field, count in counts.items() if count)


def _layouts(shape: str, conventions: Conventions) -> list[dict[str, int]]:
    """The possible layouts of one body's numbers: a sphere is often printed without a rotation."""
    full = counts_of(shape, conventions)
    if shape != "sphere":
        return [full]
    return [full, {field: full["size"] if field == "size" else 3 * (field == "position") for field in full}]


def split(numbers: list[float], conventions: Conventions, remarks: list[str]) -> list[Fields]:
    """The fields of A and of B from numbers without labels. Raises PastedPairError where no layout fits."""
    layouts = _layouts_of_both(len(numbers), conventions)
    shapes = (conventions.shape_a, conventions.shape_b)
    halves: tuple[dict[str, list[float]], dict[str, list[float]]] | None = None
    if layouts is not None:
        end = sum(layouts[0].values())
        halves = by_field(numbers[:end], layouts[0]), by_field(numbers[end:], layouts[1])
    elif (halves := _split_by_fours(numbers, conventions)) is not None:
        remarks.append(FOURTH)
    else:
        total = sum(sum(counts_of(shape, conventions).values()) for shape in shapes)
        found = f"Found {len(numbers)} number{'' if len(numbers) == 1 else 's'}"
        wanted = "a label for the points" if "hull" in shapes else str(total)
        raise PastedPairError(f"{found}, expected {wanted} ({expected(conventions)}).{_advice(numbers, conventions)}")
    return [_ordered_fields(half, shape, conventions) for half, shape in zip(halves, shapes, strict=True)]


def _ordered_fields(half: dict[str, list[float]], shape: str, conventions: Conventions) -> Fields:
    sizes = by_field(half["size"], size_counts(shape, conventions))
    position, rotation = half["position"], half["rotation"]
    return Fields(shape, sizes, position=position, rotation=rotation, angles=len(rotation) == 3, advice=_ORDERED)


def _split_by_fours(
    numbers: list[float], conventions: Conventions
) -> tuple[dict[str, list[float]], dict[str, list[float]]] | None:
    """The numbers of A and of B by field where vectors have a padding fourth number; None unless there is one way.

    In `1 1 1 0 2 0 0` nobody knows whether the fourth number belongs to the size or to the position.
    """
    found = []
    both = list(product(_layouts(conventions.shape_a, conventions), _layouts(conventions.shape_b, conventions)))
    for padding, (one, two) in product(_PADDINGS, both):
        first, second = (_padded(layout, padding) for layout in (one, two))
        if (first, second) == (one, two) or sum(first.values()) + sum(second.values()) != len(numbers):
            continue
        end = sum(first.values())
        halves = by_field(numbers[:end], first), by_field(numbers[end:], second)
        plain = [_without_padding(half, layout) for half, layout in zip(halves, (one, two), strict=True)]
        if plain[0] is not None and plain[1] is not None:
            found += [(plain[0], plain[1])] if (plain[0], plain[1]) not in found else []
    return found[0] if len(found) == 1 else None


def _padded(layout: dict[str, int], padding: tuple[str, ...]) -> dict[str, int]:
    """The layout with a fourth number after each three in the fields of `padding`."""
    return {field: count * 4 // 3 if field in padding and count in (3, 9) else count for field, count in layout.items()}


def _without_padding(fields: dict[str, list[float]], layout: dict[str, int]) -> dict[str, list[float]] | None:
    """The fields without the padding numbers; None where one of these is not 0 (a position's may be 1)."""
    plain = {}
    for key, values in fields.items():
        if len(values) == layout[key]:
            plain[key] = values
            continue
        if any(value not in ((0.0, 1.0) if key == "position" else (0.0,)) for value in values[3::4]):
            return None
        plain[key] = [value for k, value in enumerate(values) if k % 4 != 3]
    return plain


def _layouts_of_both(count: int, conventions: Conventions) -> tuple[dict[str, int], dict[str, int]] | None:
    """The layouts of A and B that take `count` numbers together; None where there are none."""
    if "hull" in (conventions.shape_a, conventions.shape_b):
        return None
    pairs = product(_layouts(conventions.shape_a, conventions), _layouts(conventions.shape_b, conventions))
    return next((pair for pair in pairs if sum(map(sum, (half.values() for half in pair))) == count), None)


def _advice(numbers: list[float], conventions: Conventions) -> str:
    """A sentence on the first other choice that would fit the count of numbers; "" where none fits."""
    plain = [shape for shape in SHAPES if shape != "hull"]
    others = [
        *((f"rotation as {rotation}", replace(conventions, rotation=rotation)) for rotation in ROTATIONS),
        *((f"A as {with_article(shape)}", replace(conventions, shape_a=shape)) for shape in plain),
        *((f"B as {with_article(shape)}", replace(conventions, shape_b=shape)) for shape in plain),
    ]
    fitting = (
        words
        for words, other in others
        if _layouts_of_both(len(numbers), other) is not None or _split_by_fours(numbers, other) is not None
    )
    return next((f" It would fit with {words}." for words in fitting), "")


def by_field(numbers: list[float], layout: dict[str, int]) -> dict[str, list[float]]:
    """The numbers cut into fields by the layout's counts, in its order."""
    fields, start = {}, 0
    for key, count in layout.items():
        fields[key] = numbers[start : start + count]
        start += count
    return fields
