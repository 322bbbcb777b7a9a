"""Pairs pasted from engines: numbers in any layout, read by the chosen conventions."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.spatial.transform import Rotation

from app.io.engine_pair import read_pair
from app.io.engines import EULER_ORDERS, ORDERS, Conventions
from app.io.pair_fields import expected
from app.io.printed_numbers import PastedPairError, extract_numbers
from app.io.scene_file import write
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Sphere


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1 2.5 -3 .5 4. 1e-3 -2E+4 +7", [1, 2.5, -3, 0.5, 4, 1e-3, -2e4, 7]),
        ("Vec3(1.0f, -2.f, .5F), float32x4", [1, -2, 0.5]),
        ("btVector3 half(0.5, 0.25, 1.5); // box2", [0.5, 0.25, 1.5]),
        ("Vec3 { x: 1.5, y: -0.0, z: 3e2 }", [1.5, -0.0, 300]),
        ("Isometry { translation: [1.0_f32, 2.0f64, 3.0] }", [1, 2, 3]),
        ("x=1 y= 2 z =3", [1, 2, 3]),
        ('{"pos": [1, 2, 3], "rot": [0, 0, 0, 1]}', [1, 2, 3, 0, 0, 0, 1]),
        ("array([[ 1.,  0.],\n       [ 0., -1.]])", [1, 0, 0, -1]),
        ("(0.707, 0.0, −0.707)", [0.707, 0, -0.707]),
        ("m[0][1] = 0.5; size[3] = {1, 2, 3};", [0.5, 1, 2, 3]),
        ("Body 1: 5 6\nBody 2: 7 8", [5, 6, 7, 8]),
        ("body-2 at 4, shape #7", [4]),
        ("m00=1 m01=0 e_12=3", [1, 0, 3]),
        ("Matrix4x4 1.00000\t0.00000", [1, 0]),
        ("1.5-2.5-3", [1.5, -2.5, -3]),
        ("position=(1;2;3) rotation=<0 0 0 1>", [1, 2, 3, 0, 0, 0, 1]),
        ("pos: 1.0m, 2.0m; 0x3f 45deg", [1, 2]),
        ("no numbers", []),
        ("RVec3(1.2_r, 0.5_r, 0.0_r) Quat(0, 0, 0, 1)", [1.2, 0.5, 0, 0, 0, 0, 1]),
        ("1.5xyz 2.25 version 1.2.3", [2.25]),
        ("0x1.8p+1 -0x1p-2 0x7ffd", [3, -0.25]),
        ("0.5i + 0j + -0.5k + 0.7", [0.5, 0, -0.5, 0.7]),
        ("[12:34:56] size 2 (at Assets/Box.cs:42)", [2]),
        ("2024-05-06 07:08:09.123 [src/main.rs:10:5] 1.0-2.0", [1, -2]),
        ('<geom size="1 .5 .5" rgba="1 0 0 1" mass="3" pos="0 0 4"/>', [1, 0.5, 0.5, 0, 0, 4]),
        ("seq: 12\nstamp:\n  secs: 1611\n  nsecs: 45\nposition: 1 2 3", [1, 2, 3]),
        ("color = Color(1, 0, 0), rgba 1 0 0 0.5 size 1 2 3", [1, 2, 3]),
        ("x y z id\n1 2 3", [1, 2, 3]),
        ("id=7 1 2 3; mass 2.5, 4 5", [1, 2, 3, 4, 5]),
    ],
)
def test_numbers_are_found_in_any_layout(text: str, numbers: list[float]) -> None:
    assert extract_numbers(text) == numbers


@pytest.mark.parametrize("text", ["1 nan 2", "-nan(ind)", "Infinity", "-inf", "1.#INF", "1.#QNAN"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(PastedPairError, match="not a number that a scene can have"):
        extract_numbers(text)


def test_a_number_beyond_doubles_is_refused() -> None:
    with pytest.raises(PastedPairError, match="too large"):
        extract_numbers("1e999")


def test_words_that_only_look_like_nan_are_passed_over() -> None:
    assert extract_numbers("nanometre info_3 infinite 1") == [1]


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
    pair = read_pair(printed(Scene(A, B), conventions), conventions)
    assert pair.remarks == ()
    assert_same(pair.scene, Scene(A, B))


@pytest.mark.parametrize("rotation", ["quaternion", "matrix 4x4"])
def test_a_sphere_needs_no_rotation(rotation: str) -> None:
    ball = Body(Sphere(0.5), (1.0, 0.0, 2.0))
    conventions = Conventions(shape_b="sphere", rotation=rotation, half_sizes=True)
    assert_same(read_pair(printed(Scene(A, ball), conventions), conventions).scene, Scene(A, ball))
    numbers = [number for field in fields(A, conventions).values() for number in field]
    text = " ".join(map(repr, numbers)) + " 0.5 1 0 2"
    assert_same(read_pair(text, conventions).scene, Scene(A, ball))


def test_two_spheres_are_eight_numbers() -> None:
    conventions = Conventions(shape_a="sphere", shape_b="sphere", rotation="none", order=ORDERS[2])
    scene = read_pair("0 0 0 1, 2 0 0 0.5", conventions).scene
    assert (scene.a, scene.b) == (Body(Sphere(1.0)), Body(Sphere(0.5), (2.0, 0.0, 0.0)))


def test_z_up_is_turned_into_our_frame_with_the_bodies_own_axes_untouched() -> None:
    conventions = Conventions(rotation="quaternion", z_up=True)
    scene = read_pair(printed(Scene(A, B), conventions), conventions).scene
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
    pair = read_pair(text, conventions)
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
    pair = read_pair(" ".join(map(repr, shown)), conventions)
    assert_same(pair.scene, Scene(A, B))
    assert (len(pair.remarks) == 1) == (len(shown) > plain)


def test_a_fourth_number_that_may_belong_to_either_neighbour_is_refused() -> None:
    text = "1 1 1 0  5 0 0  1 0 0 0   1 1 1 0  2 0 0  1 0 0 0"
    with pytest.raises(PastedPairError, match="Found 22 numbers, expected 20"):
        read_pair(text, Conventions())


def test_a_fourth_number_that_says_something_is_not_thrown_away() -> None:
    text = "1 1 1 0.04  0 0 0 0  1 0 0 0   1 1 1 0.04  2 0 0 0  1 0 0 0"
    with pytest.raises(PastedPairError, match="Found 24 numbers, expected 20"):
        read_pair(text, Conventions())


def test_rounded_prints_are_mended_and_said_so() -> None:
    text = "1 1 1  0 0 0  0.707 0.707 0 0   1 1 1  2 0 0  1 0 0 0"
    pair = read_pair(text, Conventions())
    assert pair.scene.a.rotation == pytest.approx((sqrt(0.5), sqrt(0.5), 0.0, 0.0), abs=1e-15)
    assert pair.remarks == ("A's rotation: had length 0.999849 instead of 1 and was normalised",)


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
            "A's size: must be > 0, got -1: is the order of the fields right?",
        ),
        (
            "1 1 1  0 0 0  1 0 0 0   1 1 1  2 0 0  1 2 0 0",
            {},
            "B's rotation: must have length 1, got 2.23607: is the order of the fields right?",
        ),
        (
            "1 1 1 0 0 0  2 0 0 0 1 0 0 0 1   1 1 1  2 0 0  1 0 0 0 1 0 0 0 1",
            {"rotation": "matrix 3x3"},
            "A's rotation: must be a rotation, got a matrix that is off by 1 (at most 0.01)",
        ),
        (
            "1 1 1  1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1   1 1 1  1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 1",
            {"rotation": "matrix 4x4"},
            "A's rotation: its matrix must end in 0, 0, 0, 1 and does not when read by rows; by columns it does",
        ),
        (
            "1 1 1 0  0 0 0 1  10 20 30   1 2 1 0  2 0 0 1  0 0 0",
            {},
            "Found 22 numbers, expected 20 (A: size 3, position 3, rotation 4; B: size 3, position 3, rotation 4). "
            "It would fit with rotation as Euler angles.",
        ),
        ('{"separatrix": 1}', {}, "The text is a scene, but a: missing"),
    ],
)
def test_a_refusal_is_one_sentence(text: str, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PastedPairError) as caught:
        read_pair(text, replace(Conventions(), **changes))
    assert str(caught.value) == sentence


def test_a_scene_is_known_at_once_whatever_the_conventions() -> None:
    assert read_pair("\n" + write(Scene(A, B, "named")), Conventions(rotation="matrix 3x3")).scene == Scene(
        A, B, "named"
    )


def test_what_is_expected_is_said_before_anything_is_pasted() -> None:
    assert expected(Conventions(shape_a="sphere", rotation="none")) == "A: radius 1, position 3; B: size 3, position 3"
