"""Texts that are made to break a reader: each is a pair or earns one sentence, in a time that its length allows."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.forms.code import statements
from app.forms.form import NotUnderstoodError, ReadPair
from app.forms.numbers import ROTATIONS, SIZES, Conventions, numbers_alone, read_numbers
from app.forms.points import read_points
from app.forms.registry import BY_NAME, read_text
from core.geometry import quaternion

from ..conftest import ROOT
from .patience import PATIENCE

WORDS = (
    "A B box capsule hull plane size radius halfHeight pos quat matrix points center convexRadius x y z w X O v s"
    " ( ) [ ] { } , ; : = ' 0 1 -1 0.5 1e-3 1e300 0 0 0 1 nan inf 1.#IND 1e999 é − #7 m[0] <geom type= <robot> vec3"
)
SOUP = st.lists(st.sampled_from([*WORDS.split(), '"', "\n"]), max_size=80).map(" ".join)
FIGURES = "0 1 -1 0.5 1e300 -1e300 1e-300 0.6 0.8 | , ("
NUMBERS = st.lists(st.sampled_from([*FIGURES.split(), "\n"]), max_size=44).map(" ".join)


def assert_is_sound(pair: ReadPair) -> None:
    for body in (pair.scene.a, pair.scene.b):
        assert np.isfinite((*body.position, *body.rotation)).all()
        assert quaternion.norm(body.rotation) == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(SOUP | st.text(max_size=200))
@pytest.mark.nightly("commands")
def test_any_text_is_a_pair_or_one_clear_sentence(text: str) -> None:
    reading = read_text(text)
    for pair in reading.pairs.values():
        assert_is_sound(pair)
    if not reading.pairs:
        with pytest.raises(NotUnderstoodError) as refusal:
            _ = reading.pair
        assert len(str(refusal.value).splitlines()) == 1


@settings(max_examples=300, deadline=None)
@given(NUMBERS, st.sampled_from([*SIZES]), st.sampled_from([*SIZES]), st.sampled_from([*ROTATIONS]), st.booleans())
@pytest.mark.nightly("commands")
def test_any_numbers_are_a_pair_or_one_clear_sentence(text: str, a: str, b: str, rotation: str, caps: bool) -> None:
    assert numbers_alone(text) or not any(digit in text for digit in "01")
    sentence = "one"
    try:
        assert_is_sound(read_numbers(text, Conventions(a, b, rotation=rotation, caps=caps, z_up=caps)))
    except NotUnderstoodError as refusal:
        sentence = str(refusal)
    assert len(sentence.splitlines()) == 1


LONG = ("(", "a", "a.", "1", "1.1.", '"', "a\n", "<!--", "1, ", "[", "{}", " ", "\n", "import ", "<?x ?>", "[[1,")


@pytest.mark.nightly("commands")
def test_a_long_text_ends() -> None:
    """In a process with a limit: each of these would keep a reader busy for hours that looks at every part again."""
    program = f"""
from app.forms.registry import read_text
for part in {LONG!r}:
    for begin in ("", "size 1 ", "<a>"):
        read_text(begin + part * (190_000 // len(part)))
    print(repr(part))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout.splitlines(), done.stderr) == ([repr(part) for part in LONG], "")


BALL = "new CANNON.Body({ shape: new CANNON.Sphere(1) })"
LARGE = "too large for double precision"


@pytest.mark.parametrize(
    ("form", "text", "why"),
    [
        ("rapier", "let a = ColliderBuilder::ball(0.5).position();", "needs one value, got 0"),
        ("rapier", "let a = ColliderBuilder::halfspace(Vector::y_axis(), 2);", "needs one value, got 2"),
        ("rapier", "const a = RAPIER.ColliderDesc.ball(0.5).setRotation(1, 2);", "needs one value, got 2"),
        ("matlab", "a = collisionBox(1, 1, 1);\na.Pose = eul2tform();", "a vector of 3 numbers is expected"),
        ("matlab", f"a = {'-' * 5000}1;", "a is 1×1"),
        ("matlab", "a = collisionBox(1e308 * 10, 1, 1);", f"the result of * is {LARGE}"),
        ("json_bodies", '[{"type": "box", "size": [1e308 * 10, 1, 1]}]', f"the result of * is {LARGE}"),
        ("ros_code", "p = Point(x=1e308 + 1e308, y=0, z=0)", f"the result of + is {LARGE}"),
        ("matter", "const a = Bodies.rectangle(0, 0, 1, 1, { angle: 1e308 / 1e-9 });", f"the result of / is {LARGE}"),
        (
            "json_bodies",
            '[{"type": "box", "half_extents": [1e308, 1, 1]}, {"type": "sphere", "radius": 1}]',
            f"a number of A's shape is {LARGE}",
        ),
        (
            "matter",
            "const a = Bodies.rectangle(0, 0, 1, 1, { angle: 1e308 });\nBody.rotate(a, 1e308);",
            f"an angle is {LARGE}",
        ),
        (
            "cannon",
            f"{BALL};\nnew CANNON.Body({{ shape: new CANNON.ConvexPolyhedron({{ vertices: [] }}) }})",
            "a hull needs at least one point",
        ),
        ("code", f"{'a.' * 100}a = 1", "more than 100 names stand in one path"),
    ],
)
def test_each_of_these_once_ended_the_program(form: str, text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(why)):
        list(statements(text)) if form == "code" else BY_NAME[form].read(text)


def test_a_path_may_have_as_many_names_as_the_limit_says() -> None:
    assert len(list(statements(f"{'a.' * 99}a = 1"))) == 1


@pytest.mark.parametrize("text", ["a = [[[1, 2, 3], 4]]", "a = [[[[1, 2], [3, 4]]]]"])
def test_points_beside_lists_of_points_are_refused(text: str) -> None:
    with pytest.raises(NotUnderstoodError, match="lists of different depth"):
        read_points(text, 3)


def test_a_harmless_variable_may_change_while_another_waits_for_its_use() -> None:
    text = (
        "PxReal friction = 1.0f; PxVec3 place(0, 0, 0); friction = 2.0f;"
        " PxSphereGeometry a(1); PxTransform ta(place); PxSphereGeometry b(1); PxTransform tb(PxVec3(3, 0, 0));"
    )
    assert BY_NAME["physx"].read(text).scene.b.position == (3.0, 0.0, 0.0)


def test_a_plane_of_godot_without_numbers_is_the_default_one() -> None:
    text = (
        '[sub_resource type="WorldBoundaryShape3D" id="1"]\n[sub_resource type="SphereShape3D" id="2"]\nradius = 1.0\n'
        '[node name="A" type="CollisionShape3D"]\nshape = SubResource("1")\n'
        '[node name="B" type="CollisionShape3D"]\nshape = SubResource("2")'
    )
    pair = BY_NAME["godot"].read(text)
    plane = pair.scene.a.shape.plane
    assert plane is not None
    assert (*plane.normal, plane.offset) == (0.0, 1.0, 0.0, 0.0)
    assert "The normal of the plane 1 is left out: Godot's default." in pair.notes
