"""Ten engines' own texts, read as each prints them, against plain definitions of the shapes.

The oracle shares no code with the reader: it has the engines' axes by hand and the surfaces of a box, a capsule and a
cylinder by formula. Points of a surface in the engine's world, turned into ours, must lie on the body that was read.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from app.io.engine_pair import read_pair
from app.io.engines import ENGINES, OTHER, Conventions, engine_of
from app.io.printed_numbers import PastedPairError
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.scene import Body
from core.shapes import Box, Capsule, Sphere

from ..conftest import ROOT
from .engine_prints import PRINTS, WITHOUT_CYLINDER, vector, wxyz
from .patience import PATIENCE


def surface(kind, size, axis, rng):
    """Points (60, 3) of a surface in the body's own frame: half sizes of a box, else radius and half length."""
    way = rng.normal(size=(60, 3))
    if kind == "box":
        return size * way / np.abs(way).max(axis=1, keepdims=True)
    radius, half, _ = size
    across, height = np.delete(way, axis, axis=1), way[:, axis]
    if kind == "capsule":
        points = radius * way / np.linalg.norm(way, axis=1, keepdims=True)
        points[:, axis] += half * np.sign(height)
        return points
    points = np.empty_like(way)
    rim = across / np.linalg.norm(across, axis=1, keepdims=True)
    points[:, [k for k in range(3) if k != axis]] = radius * rim
    points[:, axis] = half * np.tanh(height)
    return points


def off_surface(body, points):
    """How far points of the world are from a body's surface, by its formula."""
    x, y, z = ((points - body.position) @ Rotation.from_quat(np.roll(body.rotation, -1)).as_matrix()).T
    shape = body.shape
    if isinstance(shape, Box):
        return np.max(np.abs(np.stack((x, y, z), axis=1)) - 0.5 * np.array(shape.size), axis=1)
    if isinstance(shape, Capsule):
        above = np.maximum(np.abs(y) - 0.5 * shape.length, 0.0)
        return np.sqrt(x * x + above * above + z * z) - shape.radius
    return np.maximum(np.hypot(x, z) - shape.radius, np.abs(y) - 0.5 * shape.height)


@pytest.mark.parametrize("kind", ["box", "capsule", "cylinder"])
@pytest.mark.parametrize("engine", PRINTS)
def test_an_engine_is_read_as_it_prints(engine: str, kind: str) -> None:
    if kind == "cylinder" and engine in WITHOUT_CYLINDER:
        assert "cylinder" not in ENGINES[engine].forms
        return
    prints, world, axis = PRINTS[engine]
    rng = np.random.default_rng(sum(map(ord, engine + kind)))
    bodies, texts = [], []
    for which in (kind, "box"):
        size, at, turn = rng.uniform(0.3, 2.0, 3), rng.normal(size=3), Rotation.random(random_state=rng)
        texts.append(prints(which, size, at, turn))
        points = at + surface(which, size, axis, rng) @ turn.as_matrix().T
        bodies.append((points @ world.T, size))
    text = "\n".join(texts)
    assert engine_of(text) in (engine, OTHER)
    scene = read_pair(text, ENGINES[engine].conventions).scene
    for body, (points, size) in zip((scene.a, scene.b), bodies, strict=True):
        assert np.abs(off_surface(body, points)).max() <= 1e-6 * size.max()


def reach(body, direction):
    """How far a body extends along a direction of the world; of a half-space its plane, as four numbers."""
    turn = quaternion.to_matrix(body.rotation)
    if (plane := body.shape.plane) is not None:
        normal = turn @ plane.normal
        return np.array((*normal, plane.offset + normal @ np.array(body.position)))
    return direction @ (turn @ body.shape.support(turn.T @ direction) + np.array(body.position))


def test_a_number_is_never_shifted_into_another_field() -> None:
    """The convex radius, read as x of the position, made z the w of a rotation: a pair without a word of doubt."""
    text = "\n".join(f"size 1 1 1 convexRadius 0.05 pos {x} 0 1 rot 0 0 0" for x in (2, 4))
    with pytest.raises(PastedPairError, match=r"A's rotation: has 3 numbers.*Not used: convexRadius 0.05\.$"):
        read_pair(text, Conventions())
    pair = read_pair(text, Conventions(rotation="Euler angles"))
    assert (pair.scene.a.position, pair.scene.b.position) == ((2.0, 0.0, 1.0), (4.0, 0.0, 1.0))
    assert pair.remarks == ("Not used: convexRadius 0.05.",)


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ("convexRadius 0.05", "convexRadius 0.05"),
        ("contactOffset: 0.02", "contactOffset 0.02"),
        ("linearVelocity (1, 2, 3)", "linearVelocity 1 2 3"),
        ("mass = 3", "mass 3"),
        ("rgba 1 0 0 1", "rgba 1 0 0 1"),
        ("userData: 7", "userData 7"),
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (1, 0, 2, 3), (3, 2, 1, 0), (2, 1, 3, 0)])
def test_what_means_nothing_here_is_named_wherever_it_stands(beside: str, named: str, order: tuple[int, ...]) -> None:
    parts = ["box half extents 0.5 1 1.5", beside, "pos (1, 2, 3)", "quat (1, 0, 0, 0)"]
    body = "\n".join(parts[k] for k in order)
    pair = read_pair(f"A\n{body}\nB\n{body}", Conventions())
    assert pair.scene.a == pair.scene.b == Body(Box((1.0, 2.0, 3.0)), (1.0, 2.0, 3.0))
    assert pair.remarks == (f"Not used: {named}.",)


NUMBERS = st.floats(-1e3, 1e3, allow_nan=False).map(lambda value: round(value, 6))
SIZES = st.floats(0.01, 1e3).map(lambda value: round(value, 6))
STYLES = st.sampled_from(["{:.17g}", "{:.12e}", "{:+.12E}", "{:.9f}f", "{:.10g}"])
GAPS = st.sampled_from([" ", ", ", "\t", "\n ", " , "])
LABELS = {
    "size": ("half_extents", "halfExtents:", "m_halfExtents =", "Box half extents"),
    "position": ("pos", "origin:", "translation =", "m_position", "location:"),
    "rotation": ("quat_wxyz", "orientation wxyz:", "rot (w,x,y,z) wxyz ="),
}


@settings(max_examples=200, deadline=None)
@given(st.data())
@pytest.mark.nightly("commands")
def test_order_space_signs_exponents_and_units_change_nothing(data: st.DataObject) -> None:
    centimetres = data.draw(st.booleans())
    conventions = Conventions(unit=0.01 if centimetres else 1.0, w_first=data.draw(st.booleans()))
    scale, texts, bodies = (100.0 if centimetres else 1.0), [], []
    for name in "AB":
        size = data.draw(st.tuples(SIZES, SIZES, SIZES))
        position = data.draw(st.tuples(NUMBERS, NUMBERS, NUMBERS))
        turn = wxyz(Rotation.random(random_state=data.draw(st.integers(0, 99))))
        fields = {"size": np.array(size) * scale, "position": np.array(position) * scale, "rotation": turn}
        parts = []
        for key in data.draw(st.permutations(list(fields))):
            style, gap = data.draw(STYLES), data.draw(GAPS)
            parts.append(f"{data.draw(st.sampled_from(LABELS[key]))} ({gap.join(map(style.format, fields[key]))})")
        texts.append(f"{name}: " + data.draw(GAPS).join(parts))
        bodies.append((2.0 * np.array(size), position, turn))
    scene = read_pair("\n".join(texts), conventions).scene
    for body, (size, position, turn) in zip((scene.a, scene.b), bodies, strict=True):
        assert body.shape.size == pytest.approx(size, rel=1e-7, abs=1e-8)
        assert body.position == pytest.approx(position, rel=1e-7, abs=1e-8)
        assert abs(np.dot(body.rotation, turn)) == pytest.approx(1.0, abs=1e-8)


WORDS = (
    "A B box capsule hull plane size radius halfHeight pos quat matrix points center convexRadius x y z w X O v s"
    " ( ) [ ] { } , ; : = ' 0 1 -1 0.5 1e-3 1e300 0 0 0 1 nan inf 1.#IND 1e999 é − #7 m[0]"
)
SOUP = st.lists(st.sampled_from([*WORDS.split(), '"', "\n"]), max_size=80).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(SOUP | st.text(max_size=200), st.sampled_from([OTHER, *ENGINES]))
@pytest.mark.nightly("commands")
def test_any_text_is_a_pair_or_one_clear_sentence(text: str, engine: str) -> None:
    conventions = ENGINES[engine].conventions if engine in ENGINES else Conventions()
    sentence, bodies = "one", ()
    try:
        scene = read_pair(text, conventions).scene
        bodies = (scene.a, scene.b)
    except PastedPairError as error:
        sentence = str(error)
    assert len(sentence.splitlines()) == 1
    for body in bodies:
        assert np.isfinite((*body.position, *body.rotation)).all()
        assert quaternion.norm(body.rotation) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pos 1 2 3\nsize nan 1 1", "The text holds nan in line 2, which is not a number that a scene can have."),
        ("1 " * 150_000, "The text has 300,000 characters; a pair has at most 200,000."),
        ("size " + "[" * 70 + "1", "The text has brackets more than 60 deep."),
        (
            "size 1 1 1 pos 0 0 0",
            "Found 6 numbers of one body, expected two bodies: a size, a position and a rotation each.",
        ),
        (
            "box size 1 1 1 quat 1 0 0 0 box size 1 1 1 pos 1 0 0 quat 1 0 0 0",
            "A's position: is not in the text",
        ),
        ("A size 1 1 pos 0 0 0 quat 1 0 0 0 B size 1 1 1 pos 0 0 0", "A's size: needs 3 numbers (size), got 2 numbers"),
        (
            "A size 1 1 1 pos 0 0 quat 1 0 0 0 B size 1 1 1 pos 0 0 0",
            "A's position: needs 3 numbers, got 2",
        ),
        (
            "A cylinder radius 1 pos 0 0 0 B sphere radius 1 pos 0 0 0 scene 4",
            "A's height: is not in the text (A is read as a cylinder). Not used: scene 4.",
        ),
        (
            "plane normal 0 1 0 offset 0 pos 0 0 0\nplane normal 0 1 0 offset 0 pos 0 0 0",
            "Both bodies are half-spaces; one of them must be another shape.",
        ),
        (
            "A capsule radius 1 height 2 pos 0 0 0 B sphere radius 1 pos 0 0 0",
            "A's height: includes both caps and must be > 2, got 2",
        ),
    ],
)
def test_a_text_that_is_no_pair_is_refused_with_the_place(text: str, sentence: str) -> None:
    with pytest.raises(PastedPairError) as caught:
        read_pair(text, Conventions(caps=True))
    assert str(caught.value) == sentence


@pytest.mark.nightly("commands")
def test_a_long_text_ends() -> None:
    """In a process with a limit: each of these would keep a reader busy for hours that looks at every part again."""
    program = """
from app.io.engine_pair import Conventions, PastedPairError, read_pair
for part, count in (("(", 50_000), ("a", 199_000), ("a.", 99_000), ("1", 199_000), ("1.1.", 49_000), ('"', 99_000)):
    try:
        read_pair("size 1 " + part * count, Conventions())
    except PastedPairError:
        print(part)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout.split(), done.stderr) == (["(", "a", "a.", "1", "1.1.", '"'], "")


def test_a_mirrored_world_is_told() -> None:
    ball = "SphereCollider radius: 1 position: (0, 0, 0)\nSphereCollider radius: 1 position: (0, 0, 5)"
    pair = read_pair(ball, ENGINES["Unity"].conventions)
    assert pair.remarks == (
        "Left-handed: the pair is mirrored, the separation stays. x, y, z here are X, Y, −Z of Unity.",
    )
    assert (pair.scene.b.position, analyse(pair.scene).separation) == ((0.0, 0.0, -5.0), 3.0)
    assert read_pair(ball, ENGINES["Unreal"].conventions).remarks[0].endswith("x, y, z here are X, Z, Y of Unreal.")


def test_all_sizes_may_stand_before_all_poses() -> None:
    text = "box half extents 1 1 1 sphere radius 2 pos 0 0 0 quat 1 0 0 0 pos 5 0 0"
    scene = read_pair(text, Conventions()).scene
    assert (scene.a, scene.b) == (Body(Box((2.0, 2.0, 2.0))), Body(Sphere(2.0), (5.0, 0.0, 0.0)))


@pytest.mark.parametrize(
    ("text", "body", "named"),
    [
        ("box size 1 2 3 radius 4 pos 0 0 0", Body(Box((1.0, 2.0, 3.0))), "radius 4"),
        ("box size 1 2 3 localScale 5 5 5 pos 0 0 0", Body(Box((1.0, 2.0, 3.0))), "localScale 5 5 5"),
        ("pos 1 0 0 localPosition 2 0 0 sphere radius 1", Body(Sphere(1.0), (1.0, 0.0, 0.0)), "localPosition 2 0 0"),
        ("sphere radius 1 height 2 pos 0 0 0", Body(Sphere(1.0)), "height 2"),
        ("box size 1 1 1 pos 0 0 0 eulerAngles 9 9 9 quat 1 0 0 0", Body(Box((1.0, 1.0, 1.0))), "eulerAngles 9 9 9"),
        ("box size {z: 3, x: 1, y: 2} pos {y: 5, z: 6, x: 4}", Body(Box((1.0, 2.0, 3.0)), (4.0, 5.0, 6.0)), ""),
        (
            "box size 1 1 1 pos 0 0 0 quat {x: 0, w: 0, y: 1, z: 0}",
            Body(Box((1.0, 1.0, 1.0)), rotation=(0, 0, 1, 0)),
            "",
        ),
        ("sphere radius 1 center 1 2 3", Body(Sphere(1.0), (1.0, 2.0, 3.0)), ""),
        ("sphere radius 1 center 1 0 0 pos 1 2 3", Body(Sphere(1.0), (2.0, 2.0, 3.0)), ""),
        ("capsule radius 1 center1 0 -1 0 center2 0 3 0 pos 0 0 0", Body(Capsule(1.0, 4.0), (0.0, 1.0, 0.0)), ""),
        ("sphere diameter 2 pos 0 0 0", Body(Sphere(1.0)), ""),
    ],
)
def test_a_field_takes_what_is_its_own_and_the_rest_is_named(text: str, body: Body, named: str) -> None:
    pair = read_pair(f"A {text}\nB sphere radius 1 pos 0 0 0 quat 1 0 0 0", Conventions(w_first=True))
    assert pair.scene.a == body
    assert [remark for remark in pair.remarks if "Not used" in remark] == [f"Not used: {named}."] * bool(named)


@pytest.mark.parametrize("z_up", [False, True])
@pytest.mark.parametrize("left_handed", [False, True])
@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
def test_the_tip_of_a_cone_goes_where_its_axis_does(axis: str, left_handed: bool, z_up: bool) -> None:
    conventions = Conventions(axis=axis, left_handed=left_handed, z_up=z_up)
    text = "cone radius 1 height 2 pos 0 0 0 quat 1 0 0 0 sphere radius 0.1 pos "
    tip = read_pair(text + vector(np.eye(3)["XYZ".index(axis)], " "), conventions).scene
    assert reach(tip.a, np.array(tip.b.position)) == pytest.approx(1.0, abs=1e-12)
    assert quaternion.rotate(tip.a.rotation, (0.0, 1.0, 0.0)) == pytest.approx(tip.b.position, abs=1e-12)


UNREAL_POSES = (
    "Location: X=100.0 Y=200.0 Z=-50.0 Rotation: P={p} Y={y} R={r}",
    "Rotation: (Pitch={p},Yaw={y},Roll={r}) Location: (X=100.0,Y=200.0,Z=-50.0)",
    "FRotator rotation({p}, {y}, {r}); FVector location(100.0, 200.0, -50.0);",
    "Yaw: {y} Roll: {r} Pitch: {p} Location: X=100.0 Y=200.0 Z=-50.0",
)


def unreal_quaternion(pitch: float, yaw: float, roll: float) -> np.ndarray:
    """`FRotator::Quaternion` of Unreal's UnrealMath.cpp, x, y, z, w in its own left-handed world."""
    sp, sy, sr = (np.sin(np.radians(angle) / 2.0) for angle in (pitch, yaw, roll))
    cp, cy, cr = (np.cos(np.radians(angle) / 2.0) for angle in (pitch, yaw, roll))
    return np.array(
        [
            cr * sp * sy - sr * cp * cy,
            -cr * sp * cy - sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        ]
    )


@pytest.mark.parametrize("form", UNREAL_POSES)
@pytest.mark.parametrize("angles", [(90.0, 0.0, 0.0), (0.0, 90.0, 0.0), (0.0, 0.0, 90.0), (10.0, -70.0, 150.0)])
def test_unreals_angles_are_those_of_its_own_quaternion(form: str, angles: tuple[float, float, float]) -> None:
    pitch, yaw, roll = angles
    box, ball = "FVector BoxExtent(50.0, 100.0, 25.0)", "SphereRadius: 30.0 Location: X=0.0 Y=0.0 Z=0.0"
    given = read_pair(f"{box} {form.format(p=pitch, y=yaw, r=roll)}\n{ball}", ENGINES["Unreal"].conventions).scene.a
    i, j, k, w = unreal_quaternion(*angles).tolist()
    pose = f"Location: X=100.0 Y=200.0 Z=-50.0 Rotation: X={i} Y={j} Z={k} W={w}"
    wanted = read_pair(f"{box} {pose}\n{ball}", ENGINES["Unreal"].conventions).scene.a
    assert given.position == wanted.position == (1.0, -0.5, 2.0)
    assert np.abs(given.pose.matrix - wanted.pose.matrix).max() < 1e-12


def test_angles_that_could_mean_two_turns_are_refused() -> None:
    box, ball = "box half extents 1 1 1", "sphere radius 1 pos 3 0 0"
    with pytest.raises(PastedPairError, match=r"A's rotation: has 3 angles without names, expected FRotator\("):
        read_pair(f"{box} Location: 0 0 0 Rotation: 10 20 30\n{ball}", ENGINES["Unreal"].conventions)
    for conventions in (ENGINES["Bullet"].conventions, Conventions(rotation="Euler angles")):
        with pytest.raises(PastedPairError, match=r"A's rotation: has pitch, yaw and roll, which turn differently"):
            read_pair(f"{box} pos 0 0 0 rotation: Pitch=10 Yaw=20 Roll=30\n{ball}", conventions)
