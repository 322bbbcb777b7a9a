"""The kinds of shapes: names, parameters with their limits, and the conversion of one kind into another.

One table for files, panels, handles and texts. A parameter's key is the shape's field and the key in files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import isfinite
from typing import Any, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from core.geometry.triple import Triple, triple
from core.geometry.vec2 import Vec2
from core.geometry.vector import length
from core.shapes import (
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Shape,
    Sphere,
    sharp_of,
    with_border,
)

from .words.digits import full, tabular, written

BOX_FACES = ("+x", "−x", "+y", "−y", "+z", "−z")
"""Names of a box's faces, in the order of its polyhedron's faces."""
LARGEST_NUMBER = 1e30
SMALLEST_NUMBER = 1e-30
"""Bounds of coordinates and sizes. The core answers beyond them, but drawing takes fourth powers of a coordinate
divided by the camera's distance, and these must stay in the range of doubles at any zoom."""


FLAT_FRACTION = 1e-12
"""An extent smaller than this fraction of the largest counts as zero: turning a flat hull leaves rounding errors."""


class Parameter(Struct, frozen=True):
    """One parameter of a shape: a number or a triple.

    `key`: the shape's field; `names`: a name for each number; `note`: a sentence on what the parameter means; `size`:
    whether its numbers are lengths, > 0, or any coordinates.
    """

    key: str
    title: str
    names: tuple[str, ...]
    note: str
    size: bool = True

    @property
    def row_title(self) -> str:
        """The heading of the parameter's row in a panel: the title, or a shorter word where the title has no room."""
        return self.title

    def values(self, shape: Shape) -> tuple[float, ...]:
        """The parameter's numbers in this shape."""
        value = getattr(sharp_of(shape)[0], self.key)
        return value if isinstance(value, tuple) else (value,)

    def changed(self, shape: Shape, index: int, value: float) -> Shape:
        """The shape with the number at `index` replaced."""
        values = self.values(shape)
        values = (*values[:index], value, *values[index + 1 :])
        sharp, border = sharp_of(shape)
        changed: Shape = replace(cast("Any", sharp), **{self.key: values if len(values) > 1 else value})
        return with_border(changed, border)

    def fault(self, value: float) -> str:
        """Why the value is refused, as words that follow the parameter's name; empty when it is allowed."""
        if SMALLEST_NUMBER <= value <= LARGEST_NUMBER:
            return ""
        if self.size:
            return "must be > 0" if value <= 0.0 else f"must lie between {SMALLEST_NUMBER:g} and {LARGEST_NUMBER:g}"
        return "" if abs(value) <= LARGEST_NUMBER else f"must lie within ±{LARGEST_NUMBER:g}"


class BorderRadius(Parameter, frozen=True):
    """The radius of the ball that any shape may be grown by; 0 for none."""

    @property
    def row_title(self) -> str:
        """`Border`: the title has no room in the row."""
        return "Border"

    def values(self, shape: Shape) -> tuple[float, ...]:
        """The border's radius alone."""
        return (sharp_of(shape)[1],)

    def changed(self, shape: Shape, index: int, value: float) -> Shape:  # noqa: ARG002 - it is one number
        """The shape with this border radius; 0 removes the border."""
        return with_border(shape, value)

    def fault(self, value: float) -> str:
        """Why the value is refused, as words that follow the parameter's name; empty when it is allowed."""
        fits = value == 0.0 or SMALLEST_NUMBER <= value <= LARGEST_NUMBER
        return "" if fits else f"must be 0 or lie between {SMALLEST_NUMBER:g} and {LARGEST_NUMBER:g}"


BORDER = BorderRadius(
    "border_radius",
    "Border radius",
    ("ρ",),
    "The shape is grown by a ball of this radius, like the margin in many engines; 0 for none.",
)


class Pull(Struct, frozen=True):
    """The number that a handle changes: number `index` of parameter `parameter`, by `share` for a pull of 1."""

    parameter: int = 0
    index: int = 0
    share: float = 1.0


class ShapeKind(Struct, frozen=True):
    """A kind of shape. `name`: as in files. `like(shape, extents)`: makes one of this kind in another shape's size.

    `extents` are full lengths along the other shape's own axes; the caller chooses them where that shape has none.
    Raises ValueError where no such shape exists: the hull of a needle thinner than rounding.

    `pulls`: what handles along x, y and z change; empty for a kind without handles. `scaled(shape, factor)`: multiplies
    all lengths, for a kind that handles resize as a whole; raises ValueError where that leaves the range of sizes.
    `point`: the type of a point, for a kind that has `points` for parameters.
    """

    name: str
    title: str
    shape: type
    parameters: tuple[Parameter, ...]
    like: Callable[[Shape, Triple], Shape]
    pulls: tuple[Pull, ...] = ()
    scaled: Callable[[Shape, float], Shape] | None = None
    point: Any = None


def _radius(note: str = "In scene units.") -> Parameter:
    return Parameter("radius", "Radius", ("r",), note)


def _height(note: str) -> Parameter:
    return Parameter("height", "Height", ("h",), note)


def _capsule_like(_: Shape, extents: Triple) -> Shape:
    x, y, z = extents
    # The segment takes at least half of the height: a cube would otherwise leave it no length.
    radius = min(0.5 * x, 0.25 * y, 0.5 * z)
    return Capsule(radius, y - 2.0 * radius)


def _hull_like(shape: Shape, extents: Triple) -> Shape:
    if shape.plane is not None:
        shape = Box(extents)
    if shape.polyhedron is not None:
        return Hull.of(shape.polyhedron.vertices)
    directions = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])
    points = (tuple((shape.support(direction) + 0.0).tolist()) for direction in directions)
    return Hull.of(dict.fromkeys(points))


def _hull_scaled(shape: Shape, factor: float) -> Shape:
    hull, border = sharp_of(shape)
    if not isinstance(hull, Hull) or factor == 1.0:
        return shape
    point = len(hull.polyhedron.vertices) == 1
    large_enough = point or factor * hull.largest_half_extent >= SMALLEST_NUMBER
    if not (factor * np.abs(np.array(hull.points)).max() <= LARGEST_NUMBER and large_enough):
        raise ValueError(f"Its size must lie between {SMALLEST_NUMBER:g} and {LARGEST_NUMBER:g}.")
    return with_border(hull.scaled(factor), border)


def _polygon_like(shape: Shape, _: Triple) -> Shape:
    r = shape.bounding_radius or 1.0
    half, high = 0.5 * r, 0.75**0.5 * r
    return Polygon(((r, 0.0), (half, high), (-half, high), (-r, 0.0), (-half, -high), (half, -high)))


def _circle_like(shape: Shape, _: Triple) -> Shape:
    return Circle(shape.bounding_radius or 1.0)


def _half_space_like(shape: Shape, extents: Triple) -> Shape:
    up = float(shape.reach(np.array((0.0, 1.0, 0.0)))) if shape.plane is None else 0.5 * extents[1]
    return HalfSpace((0.0, 1.0, 0.0), up)


AXES = ("x", "y", "z")
ROUND_PULLS = (Pull(), Pull(), Pull())
UPRIGHT_PULLS = (Pull(), Pull(1, share=2.0), Pull())
"""Pulls for a radius, and for a radius and a full height along y."""

SHAPE_KINDS: tuple[ShapeKind, ...] = (
    ShapeKind(
        "box",
        "Box",
        Box,
        (Parameter("size", "Size", AXES, "Full edge lengths along the body's own axes, in scene units."),),
        lambda _, extents: Box(extents),
        tuple(Pull(0, k, 2.0) for k in range(3)),
    ),
    ShapeKind("sphere", "Sphere", Sphere, (_radius(),), lambda _, extents: Sphere(0.5 * min(extents)), ROUND_PULLS),
    ShapeKind(
        "capsule",
        "Capsule",
        Capsule,
        (
            _radius("Radius of the side and of both caps, in scene units."),
            Parameter(
                "length",
                "Length",
                ("l",),
                "Length of the inner segment along the body's y. The caps come on top of it.",
            ),
        ),
        _capsule_like,
        UPRIGHT_PULLS,
    ),
    ShapeKind(
        "cylinder",
        "Cylinder",
        Cylinder,
        (_radius(), _height("Full height along the body's y, centred at its position.")),
        lambda _, extents: Cylinder(0.5 * min(extents[0], extents[2]), extents[1]),
        UPRIGHT_PULLS,
    ),
    ShapeKind(
        "cone",
        "Cone",
        Cone,
        (
            _radius("Radius of the base, in scene units."),
            _height("Along the body's y, apex up; its position is at half height."),
        ),
        lambda _, extents: Cone(0.5 * min(extents[0], extents[2]), extents[1]),
        UPRIGHT_PULLS,
    ),
    ShapeKind(
        "ellipsoid",
        "Ellipsoid",
        Ellipsoid,
        (Parameter("radii", "Radii", AXES, "Radii along the body's own axes, in scene units."),),
        lambda _, extents: Ellipsoid((0.5 * extents[0], 0.5 * extents[1], 0.5 * extents[2])),
        tuple(Pull(0, k) for k in range(3)),
    ),
    ShapeKind("hull", "Convex hull", Hull, (), _hull_like, scaled=_hull_scaled, point=Triple),
    ShapeKind(
        "halfspace",
        "Half-space",
        HalfSpace,
        (
            Parameter(
                "normal", "Normal", AXES, "Points out of the solid, in the body's frame; any length.", size=False
            ),
            Parameter(
                "offset", "Offset", ("d",), "The solid side is normal · p <= offset, in the body's frame.", size=False
            ),
        ),
        _half_space_like,
    ),
)
"""Every kind of shape in space, in the order of menus. A hull has points for parameters, which have no row here."""

FLAT_KINDS: tuple[ShapeKind, ...] = (
    ShapeKind("polygon", "Polygon", Polygon, (), _polygon_like, point=Vec2),
    ShapeKind("circle", "Circle", Circle, (_radius(),), _circle_like, ROUND_PULLS),
)
"""Every kind of shape in the plane. A polygon has points for parameters, and each of its vertices is a handle."""

_BY_NAME = {kind.name: kind for kind in (*SHAPE_KINDS, *FLAT_KINDS)}
_BY_SHAPE = {kind.shape: kind for kind in _BY_NAME.values()}


def kind_named(name: str) -> ShapeKind:
    """The kind of this name. Raises KeyError for another name."""
    return _BY_NAME[name]


def kind_of(shape: Shape) -> ShapeKind:
    """The kind of a shape, its border ignored."""
    return next(_BY_SHAPE[kind] for kind in type(sharp_of(shape)[0]).__mro__ if kind in _BY_SHAPE)


def parameters_of(shape: Shape) -> tuple[Parameter, ...]:
    """The parameters of the shape's kind, and BORDER for a shape that has one."""
    return (*kind_of(shape).parameters, BORDER) if sharp_of(shape)[1] else kind_of(shape).parameters


def hull_points(shape: Shape) -> tuple[Triple, ...]:
    """A hull's points, in its body's frame; empty for other shapes."""
    sharp, _ = sharp_of(shape)
    return sharp.points if isinstance(sharp, Hull) else ()


def polygon_points(shape: Shape) -> tuple[Vec2, ...]:
    """A polygon's points, in its body's frame; empty for other shapes."""
    sharp, _ = sharp_of(shape)
    return sharp.points if isinstance(sharp, Polygon) else ()


def polygon_corners(shape: Shape) -> tuple[Vec2, ...]:
    """A polygon's corners, counter-clockwise, in its body's frame; empty for other shapes."""
    sharp, _ = sharp_of(shape)
    return tuple(sharp.points[k] for k in sharp.ring) if isinstance(sharp, Polygon) else ()


def face_name(shape: Shape, face: int) -> str:
    """The name of a face: `+x` or `−x` of a box, `plane` of a half-space, `face7` of a hull."""
    if shape.plane is not None:
        return "plane"
    return f"face{face}" if sharp_of(shape)[0].half_extents is None else BOX_FACES[face]


def extents_of(shape: Shape) -> Triple | None:
    """The full extents along the shape's own axes; None for a half-space, which has none."""
    if shape.plane is not None:
        return None
    return triple(shape.reach(np.eye(3)) + shape.reach(-np.eye(3)))


def extents_like(shape: Shape) -> Triple | None:
    """The extents for another shape of the same size: those of a flat shape that are zero become its largest.

    None for a half-space and a point, which have no size.
    """
    extents = extents_of(shape)
    largest = 0.0 if extents is None else max(extents)
    if extents is None or largest == 0.0:
        return None
    x, y, z = (extent if extent > FLAT_FRACTION * largest else largest for extent in extents)
    return x, y, z


def shape_fault(shape: Shape) -> tuple[str, str]:
    """The key of the parameter that is not valid beside the others, and why; both empty when the shape is valid."""
    shape, _ = sharp_of(shape)
    if type(shape) is HalfSpace:
        size = length(np.array(shape.normal))
        if not size >= SMALLEST_NUMBER:
            return "normal", f"must have a direction and a length of at least {SMALLEST_NUMBER:g}"
        if not (isfinite(shape.offset / size) and abs(shape.offset / size) <= LARGEST_NUMBER):
            return "offset", f"must put the plane within ±{LARGEST_NUMBER:g} of the body's position"
    if type(shape) in (Hull, Polygon) and 0.0 < shape.largest_half_extent < SMALLEST_NUMBER:
        return "points", f"must span more than {SMALLEST_NUMBER:g}"
    return "", ""


def shape_words(shape: Shape) -> str:
    """The shape in words on one line: `box, size 2 × 1 × 1`."""
    kind = kind_of(shape)
    parts = [f"{parameter.title.lower()} {_words(parameter.values(shape))}" for parameter in parameters_of(shape)]
    points = hull_points(shape)
    return ", ".join((hull_title(shape) if points else kind.title.lower(), *parts))


def hull_title(shape: Shape) -> str:
    """`hull of 8 points`, `triangle`, `segment of 5 points`: the hull's kind, and the number of points if not plain."""
    count, flat = len(hull_points(shape)), {"point": 1, "segment": 2, "triangle": 3}
    return shape.word if flat.get(shape.word) == count else f"{shape.word} of {count} points"


def size_words(shape: Shape) -> str:
    """The shape's sizes to four digits, for the read-out of a drag: a hull's extents, else its parameters.

    "" for a polygon, which has none.
    """
    if hull_points(shape):
        return f"extents {_words(extents_of(shape) or (), 4)}"
    parameters = parameters_of(shape)
    return ", ".join(f"{parameter.title.lower()} {_words(parameter.values(shape), 4)}" for parameter in parameters)


def shape_digits(shape: Shape) -> str:
    """A shape's parameters with 17 digits: the value alone if there is one, else keys and values as in a scene file."""
    points = hull_points(shape) or polygon_points(shape)
    parts = [("points", "[" + ", ".join(_digits(point) for point in points) + "]")] if points else []
    parts += [(parameter.key, _digits(parameter.values(shape))) for parameter in parameters_of(shape)]
    return parts[0][1] if len(parts) == 1 else ", ".join(f'"{key}": {value}' for key, value in parts)


def _words(values: Sequence[float], digits: int | None = None) -> str:
    return " × ".join(tabular(value) if digits is None else written(value, digits) for value in values)


def _digits(values: Sequence[float]) -> str:
    return full(values[0]) if len(values) == 1 else "[" + ", ".join(full(value) for value in values) + "]"
