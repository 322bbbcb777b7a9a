"""Numbers extracted from a text that another program printed."""

from __future__ import annotations

import pytest

from app.io.printed_numbers import PastedPairError, extract_numbers


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
