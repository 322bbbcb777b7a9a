"""Pairs of numbers alone, read by the chosen conventions."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.spatial.transform import Rotation

from app.forms.form import NotUnderstoodError
from app.forms.numbers import (
    EULER_ORDERS,
    ORDERS,
    Conventions,
    expected,
    numbers_alone,
    numbers_in,
    read_numbers,
)
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Sphere


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1 2.5 -3 .5 4. 1e-3 -2E+4 +7", [1, 2.5, -3, 0.5, 4, 1e-3, -2e4, 7]),
        ("1.0f, -2.f, .5F", [1, -2, 0.5]),
        ("((1, 2, 3), [0, 0]) {4; 5} <6 | 7>", [1, 2, 3, 0, 0, 4, 5, 6, 7]),
        ("0x1.8p+1 -0x1p-2", [3, -0.25]),
        ("(0.707, 0.0, −0.707)", [0.707, 0, -0.707]),
    ],
)
def test_numbers_alone_are_read_in_every_notation(text: str, numbers: list[float]) -> None:
    assert numbers_alone(text)
    assert [number for number, _ in numbers_in(text)] == numbers


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 2\nnan 3", "Line 2: nan is no number"),
        ("-inf", "Line 1: -inf is no number"),
        ("1.#QNAN", "Line 1: 1.#QNAN is no number"),
        ("1 2 size 3", "Line 1: size is no number"),
        ("A: 1 2", "Line 1: A: is no number"),
        ("2024-05-06", "Line 1: 2024-05-06 is no number"),
        ("1.5-2.5", "Line 1: 1.5-2.5 is no number"),
        ("45deg", "Line 1: 45deg is no number"),
        ("1 # a comment", "Line 1: # is no number"),
        ("\n1e999", "Line 2: 1e999 is too large for double precision"),
        ("0x1p+9999", "Line 1: 0x1p+9999 is too large for double precision"),
        ("1 " * 150_000, "The text has 300,000 characters; a pair has at most 200,000."),
    ],
)
def test_what_is_no_number_is_named_with_its_line(text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        numbers_in(text)
    assert str(refusal.value) == why


@pytest.mark.parametrize("text", ["", "  \n", "no numbers", "( , )", "1 2 size 3"])
def test_a_text_with_words_or_without_numbers_is_not_numbers_alone(text: str) -> None:
    assert not numbers_alone(text)


A = Body(Box((2.0, 1.0, 0.5)), (1.0, 2.0, 3.0), quaternion.normalized((0.9, 0.1, -0.3, 0.2)))
B = Body(Box((1.0, 4.0, 0.25)), (-1.0, 0.5, 0.0), quaternion.normalized((0.1, 0.7, 0.2, -0.6)))


def fields(body: Body, conventions: Conventions) -> dict[str, list[float]]:
    """What an engine with these conventions would print of a body."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = quaternion.to_matrix(body.rotation), body.position
    posed = conventions.rotation in ("matrix 3x4", "matrix 4x4")
    shape = {"matrix 3x3": (3, 3), "matrix 3x4": (3, 4), "matrix 4x4": (4, 4)}.get(conventions.rotation)
    if shape:
        part = matrix[: shape[0], : shape[1]]
        rotation = (part if conventions.by_rows else part.T).ravel().tolist()
    else:
        w, x, y, z = body.rotation
        rotation = [w, x, y, z] if conventions.w_first else [x, y, z, w]
    size = [body.shape.radius] if isinstance(body.shape, Sphere) else list(body.shape.size)
    if conventions.half_sizes and isinstance(body.shape, Box):
        size = [0.5 * edge for edge in size]
    return {"size": size, "position": [] if posed else list(body.position), "rotation": rotation}


def printed(scene: Scene, conventions: Conventions) -> str:
    numbers = [
        number
        for body in (scene.a, scene.b)
        for field in conventions.order
        for number in fields(body, conventions)[field]
    ]
    return " | ".join(repr(number) for number in numbers)


def assert_same(scene: Scene, other: Scene) -> None:
    for one, two in ((scene.a, other.a), (scene.b, other.b)):
        assert one.shape == two.shape
        assert one.position == pytest.approx(two.position, abs=1e-15)
        assert quaternion.angle_between(one.rotation, two.rotation) < 1e-14


conventions_of_boxes = st.builds(
    Conventions,
    order=st.sampled_from(ORDERS),
    rotation=st.sampled_from(["quaternion", "matrix 3x3", "matrix 3x4", "matrix 4x4"]),
    w_first=st.booleans(),
    by_rows=st.booleans(),
    half_sizes=st.booleans(),
)


@settings(max_examples=150)
@given(conventions_of_boxes)
def test_every_convention_reads_what_it_prints(conventions: Conventions) -> None:
    pair = read_numbers(printed(Scene(A, B), conventions), conventions)
    assert pair.notes == ()
    assert_same(pair.scene, Scene(A, B))


@pytest.mark.parametrize("rotation", ["quaternion", "matrix 4x4"])
def test_a_sphere_needs_no_rotation(rotation: str) -> None:
    ball = Body(Sphere(0.5), (1.0, 0.0, 2.0))
    conventions = Conventions(shape_b="sphere", rotation=rotation, half_sizes=True)
    assert_same(read_numbers(printed(Scene(A, ball), conventions), conventions).scene, Scene(A, ball))
    numbers = [number for field in fields(A, conventions).values() for number in field]
    text = " ".join(map(repr, numbers)) + " 0.5 1 0 2"
    assert_same(read_numbers(text, conventions).scene, Scene(A, ball))


def test_two_spheres_are_eight_numbers() -> None:
    conventions = Conventions(shape_a="sphere", shape_b="sphere", rotation="none", order=ORDERS[2])
    scene = read_numbers("0 0 0 1, 2 0 0 0.5", conventions).scene
    assert (scene.a, scene.b) == (Body(Sphere(1.0)), Body(Sphere(0.5), (2.0, 0.0, 0.0)))


def test_one_rotation_for_two_spheres_is_refused() -> None:
    conventions = Conventions(shape_a="sphere", shape_b="sphere", rotation="quaternion")
    with pytest.raises(NotUnderstoodError, match="One of the two spheres has no rotation, and nothing says which"):
        read_numbers("1 0 0 0  0.5 3 2 1 1 0 0 0", conventions)


def test_z_up_is_turned_into_our_frame_with_the_bodies_own_axes_untouched() -> None:
    conventions = Conventions(rotation="quaternion", z_up=True)
    scene = read_numbers(printed(Scene(A, B), conventions), conventions).scene
    quarter = quaternion.from_axis_angle((1.0, 0.0, 0.0), -np.pi / 2)
    assert scene.a.shape == A.shape
    assert scene.a.position == (1.0, 3.0, -2.0)
    assert quaternion.angle_between(scene.a.rotation, quaternion.multiply(quarter, A.rotation)) < 1e-14


@pytest.mark.parametrize("order", EULER_ORDERS)
@pytest.mark.parametrize("in_degrees", [True, False])
def test_euler_angles_are_read_in_any_order(order: str, in_degrees: bool) -> None:
    angles = {"X": 20.0, "Y": -35.0, "Z": 100.0}
    # An intrinsic order in scipy's words: capital letters, the angles listed in that order.
    turn = Rotation.from_euler(order, [angles[letter] for letter in order], degrees=True)
    shown = [angle if in_degrees else float(np.radians(angle)) for angle in angles.values()]
    text = " ".join(map(repr, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, *shown, 1.0, 1.0, 1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    conventions = Conventions(rotation="Euler angles", euler=order, degrees=in_degrees)
    pair = read_numbers(text, conventions)
    assert quaternion.to_matrix(pair.scene.a.rotation) == pytest.approx(turn.as_matrix(), abs=1e-15)
    assert pair.scene.b.rotation == quaternion.IDENTITY


@pytest.mark.parametrize("rotation", ["quaternion", "matrix 3x3"])
@pytest.mark.parametrize("padded", [("size",), ("position",), ("size", "position"), ("size", "position", "rotation")])
@pytest.mark.parametrize("fourth", [0.0, 1.0])
def test_vectors_of_four_numbers_are_read_without_the_last(
    rotation: str, padded: tuple[str, ...], fourth: float
) -> None:
    conventions = Conventions(rotation=rotation, w_first=False, half_sizes=True)
    shown: list[float] = []
    for body in (A, B):
        for field, values in fields(body, conventions).items():
            threes = field in padded and len(values) in (3, 9)
            last = fourth if field == "position" else 0.0
            for k, value in enumerate(values):
                shown += [value, last] if threes and k % 3 == 2 else [value]
    plain = sum(len(values) for body in (A, B) for values in fields(body, conventions).values())
    pair = read_numbers(" ".join(map(repr, shown)), conventions)
    assert_same(pair.scene, Scene(A, B))
    assert (len(pair.notes) == 1) == (len(shown) > plain)


def test_a_fourth_number_that_may_belong_to_either_neighbour_is_refused() -> None:
    text = "1 1 1 0  5 0 0  1 0 0 0   1 1 1 0  2 0 0  1 0 0 0"
    with pytest.raises(NotUnderstoodError, match="Found 22 numbers, expected 20"):
        read_numbers(text, Conventions())


def test_a_fourth_number_that_says_something_is_not_thrown_away() -> None:
    text = "1 1 1 0.04  0 0 0 0  1 0 0 0   1 1 1 0.04  2 0 0 0  1 0 0 0"
    with pytest.raises(NotUnderstoodError, match="Found 24 numbers, expected 20"):
        read_numbers(text, Conventions())


def test_rounded_prints_are_mended_and_said_so() -> None:
    text = "1 1 1  0 0 0  0.707 0.707 0 0   1 1 1  2 0 0  1 0 0 0"
    pair = read_numbers(text, Conventions())
    assert pair.scene.a.rotation == pytest.approx((sqrt(0.5), sqrt(0.5), 0.0, 0.0), abs=1e-15)
    assert pair.notes == ("A's rotation: had length 0.999849 instead of 1 and was normalised",)


@pytest.mark.parametrize(
    ("text", "changes", "sentence"),
    [
        (
            "1 2 3",
            {},
            "Found 3 numbers, expected 20 (A: size 3, position 3, rotation 4; B: size 3, position 3, rotation 4).",
        ),
        (
            "1 " * 38,
            {},
            "Found 38 numbers, expected 20 (A: size 3, position 3, rotation 4; B: size 3, position 3, rotation 4). "
            "It would fit with rotation as matrix 4x4.",
        ),
        (
            "1",
            {"shape_b": "sphere", "rotation": "matrix 4x4", "order": ("rotation", "position", "size")},
            "Found 1 number, expected 36 (A: matrix 4x4 16, size 3; B: matrix 4x4 16, radius 1).",
        ),
        (
            "1 1 -1  0 0 0  1 0 0 0   1 1 1  2 0 0  1 0 0 0",
            {},
            "Line 1: A's shape.size[2]: must be > 0, got -1",
        ),
        (
            "1 1 1  0 0 0  1 0 0 0   1 1 1  2 0 0  1 2 0 0",
            {},
            "Line 1: a rotation's quaternion must have length 1, got 2.23607",
        ),
        (
            "1 1 1 0 0 0  2 0 0 0 1 0 0 0 1   1 1 1  2 0 0  1 0 0 0 1 0 0 0 1",
            {"rotation": "matrix 3x3"},
            "Line 1: A's rotation: must be a rotation, got a matrix that is off by 1 (at most 0.01)",
        ),
        (
            "1 1 1  1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1   1 1 1  1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1",
            {"rotation": "matrix 4x4"},
            "Line 1: A's rotation: its matrix must end in 0, 0, 0, 1 and does not when read by rows; "
            "by columns it does",
        ),
        (
            "1 1 1 0  0 0 0 1  10 20 30   1 2 1 0  2 0 0 1  0 0 0",
            {},
            "Found 22 numbers, expected 20 (A: size 3, position 3, rotation 4; B: size 3, position 3, rotation 4). "
            "It would fit with rotation as Euler angles.",
        ),
        (
            "1 1 1  0 0 0  1 0 0 0 \n  1 1 1  2 0 0  0 0 0 0",
            {},
            "Line 2: a rotation's quaternion must have length 1, got 0",
        ),
        (
            "1 3  0 0 0  1 0 0 0\n1 1 1  2 0 0  1 0 0 0",
            {"shape_a": "capsule", "caps": True, "radius_first": False},
            "Line 1: a capsule's height includes both caps and is 1, below 2 × 3",
        ),
        (
            "0 1 0 0  0 0 0  1 0 0 0\n0 1 0 0  2 0 0  1 0 0 0",
            {"shape_a": "halfspace", "shape_b": "halfspace"},
            "Line 2: both bodies are half-spaces; one of them must be another shape",
        ),
    ],
)
def test_a_refusal_is_one_sentence(text: str, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NotUnderstoodError) as caught:
        read_numbers(text, replace(Conventions(), **changes))
    assert str(caught.value) == sentence


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("radius_first", [False, True])
def test_the_numbers_of_an_upright_shape_are_radius_and_height(half: bool, radius_first: bool) -> None:
    tall = [0.5 * 3.0 if half else 3.0]
    numbers = [0.25, *tall] if radius_first else [*tall, 0.25]
    text = " ".join(map(repr, [*numbers, 1.0, 2.0, 3.0, 0.25, 0.0, 5.0, 0.0]))
    conventions = Conventions("capsule", "sphere", rotation="none", half_heights=half, radius_first=radius_first)
    assert read_numbers(text, conventions).scene.a == Body(Capsule(0.25, 3.0), (1.0, 2.0, 3.0))
    with_caps = read_numbers(text, replace(conventions, caps=True)).scene.a
    assert with_caps.shape == Capsule(0.25, 2.5)
    assert read_numbers(text, replace(conventions, shape_a="cylinder")).scene.a.shape == Cylinder(0.25, 3.0)
    assert read_numbers(text, replace(conventions, shape_a="cone")).scene.a.shape == Cone(0.25, 3.0)


def reach(body: Body, direction: tuple[float, ...]) -> float:
    """How far a body extends along a direction of the world."""
    turn = quaternion.to_matrix(body.rotation)
    return float(direction @ (turn @ body.shape.support(turn.T @ direction) + np.array(body.position)))


@pytest.mark.parametrize("z_up", [False, True])
@pytest.mark.parametrize("left_handed", [False, True])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_the_tip_of_a_cone_goes_where_its_axis_does(axis: str, left_handed: bool, z_up: bool) -> None:
    conventions = Conventions("cone", "sphere", axis=axis, left_handed=left_handed, z_up=z_up)
    tip = " ".join(map(repr, np.eye(3)["xyz".index(axis)].tolist()))
    pair = read_numbers(f"1 2  0 0 0  1 0 0 0\n0.1  {tip}", conventions)
    assert reach(pair.scene.a, np.array(pair.scene.b.position)) == pytest.approx(1.0, abs=1e-12)
    assert bool(pair.notes) == (left_handed or z_up)


def test_a_unit_is_converted_and_told() -> None:
    pair = read_numbers("100 200 300  0 0 0  1 0 0 0\n50 100 0 0", Conventions(shape_b="sphere", unit="centimetres"))
    assert (pair.scene.a, pair.scene.b) == (Body(Box((1.0, 2.0, 3.0))), Body(Sphere(0.5), (1.0, 0.0, 0.0)))
    assert pair.notes == ("The text counts in centimetres; lengths here are metres.",)
    assert pair.scene.notes == pair.notes[0]


def test_what_is_expected_is_said_before_anything_is_pasted() -> None:
    assert expected(Conventions(shape_a="sphere", rotation="none")) == "A: radius 1, position 3; B: size 3, position 3"
    tall = Conventions(shape_a="cone", rotation="Euler angles", radius_first=False)
    assert expected(tall).startswith("A: height and radius 2, position 3, angles in degrees 3; B: ")
