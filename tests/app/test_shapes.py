"""The table of shapes: what each becomes, what its fields take, and how it is told in words."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from msgspec.structs import fields

from app.shapes import (
    FLAT_KINDS,
    SHAPE_KINDS,
    extents_of,
    kind_named,
    kind_of,
    shape_digits,
    shape_fault,
    shape_words,
)
from core.shapes import SHAPES as OF_CORE
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Rounded, Shape, Sphere
from tests.app.shape_samples import SHAPES

EXTENTS = (2.0, 3.0, 1.4)


def converted(shape: Shape, name: str) -> Shape:
    return kind_named(name).like(shape, extents_of(shape) or EXTENTS)


def test_the_table_holds_every_shape_with_every_field() -> None:
    assert [kind.shape.dimension for kind in SHAPE_KINDS] == [3] * 8
    assert [kind.shape.dimension for kind in FLAT_KINDS] == [2, 2]
    # A border stands beside the parameters of any of them.
    assert {kind.shape for kind in (*SHAPE_KINDS, *FLAT_KINDS)} == set(OF_CORE) - {Rounded}
    for kind in (*SHAPE_KINDS, *FLAT_KINDS):
        own = [] if kind.shape in (Hull, Polygon) else [field.name for field in fields(kind.shape)]
        assert own == [parameter.key for parameter in kind.parameters]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sphere", Sphere(0.7)),
        ("capsule", Capsule(0.7, 1.6)),
        ("cylinder", Cylinder(0.7, 3.0)),
        ("cone", Cone(0.7, 3.0)),
        ("ellipsoid", Ellipsoid((1.0, 1.5, 0.7))),
        ("halfspace", HalfSpace((0.0, 1.0, 0.0), 1.5)),
        ("box", Box(EXTENTS)),
    ],
)
def test_a_box_becomes_a_shape_of_its_extents(name: str, expected: Shape) -> None:
    assert converted(Box(EXTENTS), name) == expected


@pytest.mark.parametrize(("start", "name"), list(product(SHAPES, SHAPES)))
def test_every_shape_becomes_every_other(start: str, name: str) -> None:
    shape = converted(SHAPES[start], name)
    assert kind_of(shape).name == name
    assert shape_fault(shape) == ("", "")
    # A hull whose extents are none of a solid's is refused by its own constructor.
    if name not in ("hull", "halfspace") and start != "halfspace":
        assert np.all(np.array(extents_of(shape)) <= np.array(extents_of(SHAPES[start])) * (1.0 + 1e-12))


def test_the_hull_of_a_box_has_its_corners_and_of_a_round_shape_points_on_it() -> None:
    hull = converted(Box(EXTENTS), "hull")
    assert isinstance(hull, Hull)
    assert extents_of(hull) == pytest.approx(EXTENTS)
    assert len(hull.points) == 8
    ball = converted(Sphere(0.5), "hull")
    assert isinstance(ball, Hull)
    assert np.linalg.norm(ball.polyhedron.vertices, axis=1) == pytest.approx(0.5)


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "hull"])
def test_each_parameter_changes_alone(name: str) -> None:
    shape = SHAPES[name]
    for parameter in kind_of(shape).parameters:
        assert len(parameter.values(shape)) == len(parameter.names)
        for index in range(len(parameter.names)):
            changed = parameter.changed(shape, index, 0.25)
            assert parameter.values(changed)[index] == 0.25
            assert parameter.changed(changed, index, parameter.values(shape)[index]) == shape


def test_limits_are_told_to_follow_the_name() -> None:
    (size,) = kind_named("box").parameters
    assert size.fault(0.0) == "must be > 0"
    assert size.fault(1e31) == "must lie between 1e-30 and 1e+30"
    assert size.fault(1.0) == ""
    normal, offset = kind_named("halfspace").parameters
    assert offset.fault(-1.0) == normal.fault(0.0) == ""
    assert normal.fault(-1e31) == "must lie within ±1e+30"


def test_words_and_digits() -> None:
    assert shape_words(Box((2.0, 1.0, 0.5))) == "box, size 2 × 1 × 0.5"
    assert shape_words(Cone(0.5, 2.0)) == "cone, radius 0.5, height 2"
    assert shape_words(SHAPES["hull"]) == "hull of 5 points"
    assert shape_digits(Sphere(0.1)) == "0.10000000000000001"
    assert shape_digits(Capsule(0.5, 2.0)) == '"radius": 0.5, "length": 2'
    assert shape_digits(SHAPES["hull"]).startswith("[[0.10000000000000001, 0, 0], [")
