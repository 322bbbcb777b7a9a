"""Scene files: what is read is what was written, and every fault has its path, its value and one sentence."""

from __future__ import annotations

import json
import os
from math import radians
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import force_setattr

from app.draw.camera import Camera
from app.draw.draw_list import Subject
from app.io.scene_file import SceneError, load, read, save, write
from app.shapes import LARGEST_NUMBER, SMALLEST_NUMBER
from app.state.view import AxisView, Panes, StepPlace, View
from app.storage.files import LOST, png_bytes
from core.geometry import quaternion
from core.geometry.vector import length
from core.query.query import Phase
from core.scene import Body, Scene
from core.shapes import Box, Sphere


def tree(**changes: Any) -> dict[str, Any]:
    """A good scene; `changes` replace parts of it by dotted paths (a__shape__size), None takes a key out."""
    scene: dict[str, Any] = {
        "separatrix": 1,
        "a": {"shape": {"type": "box", "size": [2, 1, 1]}, "position": [0, 0, 0], "rotation": [1, 0, 0, 0]},
        "b": {"shape": {"type": "sphere", "radius": 0.5}, "position": [1.2, 0, 0]},
    }
    for path, value in changes.items():
        *parents, key = path.split("__")
        place = scene
        for parent in parents:
            place = place[parent]
        if value is None:
            del place[key]
        else:
            place[key] = value
    return scene


def refusal(text: str) -> str:
    with pytest.raises(SceneError) as caught:
        read(text)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_the_scene_of_the_design_is_read() -> None:
    loaded = read(json.dumps(tree(name="pair", notes="look", a__displacement=[0, 0, 1])))
    assert loaded.scene == Scene(
        Body(Box((2.0, 1.0, 1.0)), displacement=(0.0, 0.0, 1.0)), Body(Sphere(0.5), (1.2, 0.0, 0.0)), "pair", "look"
    )
    assert loaded.view is None
    assert loaded.remarks == ()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"a__shape__size": [2, -1, 1]}, "a.shape.size[1]: must be > 0, got -1"),
        ({"a__shape__size": [2, 0, 1]}, "a.shape.size[1]: must be > 0, got 0"),
        ({"b__shape__radius": -0.0}, "b.shape.radius: must be > 0, got -0.0"),
        ({"b__shape__radius": "1"}, 'b.shape.radius: must be a number, got "1"'),
        ({"b__shape__radius": True}, "b.shape.radius: must be a number, got true"),
        ({"b__position": [1, 2]}, "b.position: must be a list of 3, got 2: [1, 2]"),
        ({"b__position": [1, 2, "x"]}, 'b.position[2]: must be a number, got "x"'),
        ({"b__position": 7}, "b.position: must be a list, got 7"),
        ({"b__position": None}, "b.position: missing (or a matrix in its place)"),
        ({"b": None}, "b: missing"),
        ({"b__shape": None}, "b.shape: missing"),
        ({"b__shape__type": None}, "b.shape.type: missing"),
        ({"b__shape__type": 3}, "b.shape.type: must be text, got 3"),
        ({"b__shape": "box"}, 'b.shape: must be an object, got "box"'),
        ({"b__colour": "red"}, 'b.colour: unknown key, got "red"'),
        ({"b__shape__size": 1}, "b.shape.size: unknown key, got 1"),
        ({"extra": [1]}, "extra: unknown key, got [1]"),
        ({"name": 5}, "name: must be text, got 5"),
        ({"separatrix": None}, "separatrix: missing: a scene starts with its format version, 1"),
        ({"separatrix": "1"}, 'separatrix: must be the whole number 1, got "1"'),
        ({"separatrix": True}, "separatrix: must be the whole number 1, got true"),
        ({"separatrix": 1.0}, "separatrix: must be the whole number 1, got 1.0"),
        ({"separatrix": 0}, "separatrix: must be 1, got 0"),
        ({"separatrix": 2}, "separatrix: written by a newer version of the program: this one reads 1, got 2"),
        ({"dimension": 2}, 'a.shape.type: must be polygon or circle in a 2D scene, got "box"'),
        ({"dimension": 4}, "dimension: must be the whole number 2 or 3, got 4"),
        ({"dimension": "3"}, 'dimension: must be the whole number 2 or 3, got "3"'),
        ({"a__rotation": [0, 0, 0, 0]}, "a.rotation: must not be the zero quaternion, got [0, 0, 0, 0]"),
        ({"a__rotation": [1, 0, 0]}, "a.rotation: must be a list of 4, got 3: [1, 0, 0]"),
        (
            {"a__shape": {"type": "torus"}},
            "a.shape.type: must be one of box, sphere, capsule, cylinder, cone, ellipsoid, hull, halfspace; "
            'got "torus"',
        ),
        ({"a__position": [1e31, 0, 0]}, "a.position[0]: must lie within ±1e+30, got 1e+31"),
        ({"a__shape__size": [1, 1e-31, 1]}, "a.shape.size[1]: must lie between 1e-30 and 1e+30, got 1e-31"),
        ({"view": {"yaw": 0}}, "view.pitch: missing"),
        ({"view": 3}, "view: must be an object, got 3"),
    ],
)
def test_a_fault_is_told_with_path_and_value(changes: dict[str, Any], sentence: str) -> None:
    scene = tree(**changes) if "extra" not in changes else tree() | changes
    assert refusal(json.dumps(scene)).endswith(sentence)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty"),
        (" \n ", "is empty"),
        ("{", "is not JSON: Expecting property name enclosed in double quotes, line 1 column 2"),
        ("[1]", "must be an object with the key separatrix, got [1]"),
        ("[" * 100_000, "must be nested at most 64 levels deep, got more at line 1 column 65"),
        ('{"separatrix": 1, "a": {"position": [0, NaN, 0]}}', "a.position[1]: must be a finite number, got NaN"),
        ('{"separatrix": 1, "a": -Infinity}', "a: must be a finite number, got -Infinity"),
        ('{"separatrix": 1, "a": {"x": [1e999]}}', "a.x[0]: must be a finite number, got 1e999"),
        ('{"separatrix": 1, "a": ' + "9" * 400 + "}", "a: must be a finite number, got " + "9" * 59 + "…"),
        ('{"separatrix": 1, "a": 1, "a": 2}', "a: key given twice"),
        ('{"separatrix": 1, "b": {"shape": {"type": "box", "type": "box"}}}', "b.shape.type: key given twice"),
    ],
)
def test_what_is_not_strict_json_is_refused(text: str, sentence: str) -> None:
    assert refusal(text) == sentence


def test_a_quaternion_that_is_not_unit_is_normalised_and_said_so() -> None:
    loaded = read(json.dumps(tree(a__rotation=[0, 0, 3e200, 0])))
    assert loaded.scene.a.rotation == (0.0, 0.0, 1.0, 0.0)
    assert loaded.remarks == ("a.rotation: had length 3e+200 instead of 1 and was normalised",)


def matrix_of(rotation: tuple[float, ...], position: tuple[float, ...]) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3] = quaternion.to_matrix(quaternion.normalized(rotation))
    matrix[:3, 3] = position
    return matrix


TURN = (0.9, 0.1, -0.3, 0.2)


def with_matrix(matrix: np.ndarray, **more: Any) -> str:
    return json.dumps(tree(a={"shape": {"type": "box", "size": [1, 1, 1]}, "matrix": matrix.tolist(), **more}))


def test_a_matrix_stands_for_position_and_rotation() -> None:
    loaded = read(with_matrix(matrix_of(TURN, (1.0, 2.0, 3.0))))
    assert loaded.scene.a.position == (1.0, 2.0, 3.0)
    assert loaded.scene.a.rotation == pytest.approx(quaternion.normalized(TURN), abs=1e-15)
    assert loaded.remarks == ()


def test_a_matrix_a_hair_off_is_replaced_by_the_nearest_rotation_and_said_so() -> None:
    matrix = matrix_of(TURN, (0.0, 0.0, 0.0))
    matrix[0, 1] += 5e-7
    loaded = read(with_matrix(matrix))
    assert loaded.scene.a.rotation == pytest.approx(quaternion.normalized(TURN), abs=1e-6)
    assert len(loaded.remarks) == 1
    assert loaded.remarks[0].startswith("a.matrix: was ")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda m: m.__setitem__((0, 0), m[0, 0] + 1e-3), "a.matrix: must be a rotation, got a matrix that is off by"),
        (lambda m: m.__setitem__((slice(None), 0), -m[:, 0]), "a.matrix: must be a rotation, got a mirror image"),
        (
            lambda m: m.__setitem__((slice(None), 0), m[:, 1]),
            "a.matrix: must be a rotation, got a matrix that flattens",
        ),
        (lambda m: m.__setitem__((3, 0), 1.0), "a.matrix[3]: must be [0, 0, 0, 1], got [1, 0, 0, 1]"),
        (lambda m: m.__setitem__((1, 1), 1e300), "a.matrix: must be a rotation, got an entry of 1e+300"),
        (lambda m: m.__setitem__((1, 3), -1e300), "a.matrix[1][3]: must lie within ±1e+30, got -1e+300"),
    ],
)
def test_a_matrix_that_is_no_rotation_is_refused(change: Any, sentence: str) -> None:
    matrix = matrix_of(TURN, (0.0, 0.0, 0.0))
    change(matrix)
    assert refusal(with_matrix(matrix)).startswith(sentence)


@pytest.mark.parametrize("key", ["position", "rotation"])
def test_a_matrix_stands_alone(key: str) -> None:
    value = [0, 0, 0] if key == "position" else [1, 0, 0, 0]
    sentence = f"a.{key}: must not be given together with matrix, got {value}"
    assert refusal(with_matrix(np.eye(4), **{key: value})) == sentence


coordinates = st.tuples(*[st.floats(-LARGEST_NUMBER, LARGEST_NUMBER)] * 3)
extents = st.floats(SMALLEST_NUMBER, LARGEST_NUMBER)
shapes = st.one_of(st.builds(Sphere, extents), st.builds(Box, st.tuples(extents, extents, extents)))


@st.composite
def rotations(draw: st.DrawFn) -> tuple[float, float, float, float]:
    parts = draw(st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: sum(c * c for c in q) > 1e-3))
    return quaternion.normalized(parts)


bodies = st.builds(Body, shapes, coordinates, rotations(), coordinates, coordinates)
texts = st.text(st.characters(exclude_categories=["Cs"]))
scenes = st.builds(Scene, bodies, bodies, texts, texts)


@settings(max_examples=150)
@given(scenes, st.booleans())
@pytest.mark.nightly("random")
def test_every_double_survives_digit_for_digit(scene: Scene, ascii_only: bool) -> None:
    text = write(scene, ascii_only=ascii_only)
    loaded = read(text)
    assert repr(loaded.scene) == repr(with_plain_defaults(scene))
    assert loaded.remarks == ()
    assert not ascii_only or text.isascii()


def with_plain_defaults(scene: Scene) -> Scene:
    """A displacement of zeros is left out of the file, and with it the sign of a zero."""

    def plain(body: Body) -> Body:
        moved = [v if any(v) else (0.0, 0.0, 0.0) for v in (body.displacement, body.angular_displacement)]
        return Body(body.shape, body.position, body.rotation, moved[0], moved[1])

    return Scene(plain(scene.a), plain(scene.b), scene.name, scene.notes)


def test_what_is_written_is_stable_and_short() -> None:
    scene = Scene(Body(Box((2.0, 1.0, 0.1))), Body(Sphere(0.5), (1e300 * 1e-250, -0.0, 1e16)), "Größe")
    assert write(scene) == (
        '{\n  "separatrix": 1,\n  "name": "Größe",\n'
        '  "a": {\n    "shape": {"type": "box", "size": [2, 1, 0.1]},\n'
        '    "position": [0, 0, 0],\n    "rotation": [1, 0, 0, 0]\n  },\n'
        '  "b": {\n    "shape": {"type": "sphere", "radius": 0.5},\n'
        '    "position": [1e+50, -0.0, 1e+16],\n    "rotation": [1, 0, 0, 0]\n  }\n}\n'
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_is_not_finite_is_never_written(tmp_path: Path, value: float) -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0)))
    force_setattr(scene.a, "position", (value, 0.0, 0.0))  # a body refuses it
    with pytest.raises(ValueError, match="must be finite"):
        save(tmp_path / "scene.json", scene)
    assert list(tmp_path.iterdir()) == []


VIEW = View(
    world=Camera(
        target=(1.0, 2.0, 3.0),
        distance=0.1,
        yaw=1.0,
        pitch=-1.5,
        field_of_view=radians(20.0),
        orthographic=True,
        z_up=True,
    ),
    difference=Camera(
        target=(-1.0, 0.0, 0.0),
        distance=1e6,
        yaw=1.0,
        pitch=-1.5,
        field_of_view=radians(50.0),
        orthographic=False,
        z_up=True,
    ),
    panes=Panes.OVERLAID,
    axis_view=AxisView.FAMILY,
    family="face of B",
    shown=frozenset({"bodies"}),
    pin=Subject("axis", 7),
    fitted=False,
    step=26,
    at=StepPlace(Phase.GJK, 3, "support A"),
    free=(0.48, -0.6, 0.64),
)


def test_a_place_in_the_steps_is_one_line_of_the_file() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0)))
    whole = json.loads(write(scene, View(step=17, at=StepPlace(Phase.GJK, 2))))["view"]
    assert (whole["step"], whole["at"]) == (17, {"phase": "GJK", "index": 2})
    part = json.loads(write(scene, View(step=17, at=StepPlace(Phase.GJK, 2, "support A"))))["view"]
    assert part["at"] == {"phase": "GJK", "index": 2, "part": "support A"}
    assert "at" not in json.loads(write(scene, View(step=17)))["view"]


def test_the_view_survives() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0)))
    assert read(write(scene, VIEW)).view == VIEW
    assert read(write(scene, View())).view == View()


@pytest.mark.parametrize("seed", range(20))
def test_a_free_axis_keeps_every_digit(seed: int) -> None:
    vector = np.random.default_rng(seed).normal(size=3)
    x, y, z = (vector / length(vector)).tolist()
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0)))
    assert read(write(scene, View(free=(x, y, z)))).view == View(free=(x, y, z))


def test_a_free_axis_written_by_hand_is_made_a_unit_vector() -> None:
    loaded = read(json.dumps(tree(view={"yaw": 0, "pitch": 0, "free_axis": [0.577, 0.577, 0.577]})))
    assert loaded.view is not None
    assert loaded.view.free == pytest.approx((1 / 3**0.5,) * 3, abs=1e-15)


def test_the_pointer_is_not_saved() -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0)))
    assert read(write(scene, View(hover=Subject("axis", 3)))).view == View()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"panes": "three"}, 'view.panes: must be one of both, world, difference, overlaid, got "three"'),
        ({"shown": ["bodies", "shadows"]}, "view.shown[1]: must be one of "),
        ({"shown": ["bodies", "bodies"]}, 'view.shown[1]: must not repeat an overlay, got "bodies"'),
        (
            {"world": {"target": [0, 0, 0], "distance": 0}},
            "view.world.distance: must lie between 1e-36 and 1e+36, got 0",
        ),
        ({"world": {"distance": 1}}, "view.world.target: missing beside distance"),
        ({"world": {"target": [0, 0, 0]}}, "view.world.distance: missing beside target"),
        ({"difference": {"zoom": 1}}, "view.difference.zoom: unknown key, got 1"),
        ({"pitch": 2}, "view.pitch: must lie between -pi/2 and pi/2, got 2"),
        ({"pin": {"kind": "axis", "number": -1}}, "view.pin.number: must be a row number, 0 or more, got -1"),
        ({"pin": {"kind": "planet", "number": 1}}, "view.pin.kind: must be one of "),
        ({"family": "cousins"}, "view.family: must be one of "),
        ({"step": 0}, "view.step: must be a step's number, from 1 to 1000000, got 0"),
        ({"step": -1}, "view.step: must be a step's number"),
        ({"step": 10**7}, "view.step: must be a step's number"),
        ({"step": 2.5}, "view.step: must be a whole number, got 2.5"),
        ({"step": True}, "view.step: must be a whole number, got true"),
        ({"at": 3}, "view.at: must be an object"),
        ({"at": None}, "view.at: must be an object"),
        ({"at": {"phase": "GJK"}}, "view.at.index: missing"),
        ({"at": {"phase": "gjk", "index": 1}}, "view.at.phase: must be one of BUILD, PLANES, SAT, "),
        ({"at": {"phase": "GJK", "index": 0}}, "view.at.index: must lie between 1 and 1000000, got 0"),
        ({"at": {"phase": "GJK", "index": 10**7}}, "view.at.index: must lie between 1 and 1000000"),
        ({"at": {"phase": "GJK", "index": 1.5}}, "view.at.index: must be a whole number, got 1.5"),
        ({"at": {"phase": "GJK", "index": 1, "part": "upper"}}, "view.at.part: must be one of start, "),
        (
            {"at": {"phase": "SAT", "index": 1, "part": "nearest"}},
            'view.at.part: must be one of axis, project A, project B, compare, whole, got "nearest"',
        ),
        ({"at": {"phase": "GJK", "index": 1, "sub": ""}}, "view.at.sub: unknown key"),
        ({"hover": None}, "view.hover: unknown key, got null"),
        ({"free_axis": [0, 0, 0]}, "view.free_axis: must be a unit vector, got [0"),
        ({"free_axis": [1, 1, 0]}, "view.free_axis: must be a unit vector, got [1"),
        ({"free_axis": [1, 0]}, "view.free_axis: "),
        ({"free_axis": [1, 0, "0"]}, "view.free_axis[2]: must be a number"),
    ],
)
def test_the_view_is_as_strict_as_the_rest(change: dict[str, Any], sentence: str) -> None:
    assert refusal(json.dumps(tree(view={"yaw": 0, "pitch": 0} | change))).startswith(sentence)


def test_half_a_surrogate_pair_is_refused_before_no_file_can_hold_it() -> None:
    assert refusal(json.dumps(tree(name="\ud800"))).startswith("name: must be text, got half a surrogate pair")


# Files.


def test_saved_is_loaded(tmp_path: Path) -> None:
    scene = read(json.dumps(tree())).scene
    save(tmp_path / "scene.json", scene, VIEW)
    loaded = load(tmp_path / "scene.json")
    assert (loaded.scene, loaded.view) == (scene, VIEW)


def file_refusal(path: Path) -> str:
    with pytest.raises(SceneError) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path))


def test_every_file_that_is_no_scene_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    assert file_refusal(path) == ": no such file or folder"
    assert file_refusal(tmp_path) == ": is a folder"
    for data, sentence in (
        (b"", ": is empty"),
        (b"{\xc3(", ": is not UTF-8 text: byte 0xc3 at offset 1"),
        (b"\xff\xfe{", ": is a text in UTF-16, which is not read here"),
        (b"\x89PNG\r\n\x1a\n", f": is a picture without a scene inside: {LOST}"),
        (b"\xff\xd8\xff\xe0", f": is a picture without a scene inside: {LOST}"),
        (b"RIFF\x94\x00\x00\x00WEBPVP8 ", f": is a picture without a scene inside: {LOST}"),
        (b" " * (16 * 1024 * 1024 + 1), ": is larger than 16 MB, no scene is"),
        (json.dumps(tree(a__shape__size=[1, 1, -2])).encode(), ": a.shape.size[2]: must be > 0, got -2"),
    ):
        path.write_bytes(data)
        assert file_refusal(path) == sentence
    assert file_refusal(Path("null\0byte.json")) == ": no file can be named so: there is a NUL character in it"
    mesh = tmp_path / "mesh.OBJ"
    mesh.write_text("v 0 0 0\n")
    assert file_refusal(mesh) == ": is a mesh, not a scene: the window opens it, and saves it in one"


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(tree()).encode())
    assert load(path).scene.b.shape == Sphere(0.5)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_one_may_not_read_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_text("{}")
    path.chmod(0)
    assert file_refusal(path) == ": permission denied"


def test_a_picture_that_carries_a_scene_opens(tmp_path: Path) -> None:
    from PIL import Image

    scene = read(json.dumps(tree(name="Größe × 2", notes="x" * 3_000_000))).scene
    path = tmp_path / "shot.png"
    path.write_bytes(png_bytes(Image.new("RGBA", (3, 2)), write(scene, VIEW)))
    loaded = load(path)
    assert (loaded.scene, loaded.view) == (scene, VIEW)


def test_damaged_pictures_are_refused(tmp_path: Path) -> None:
    from PIL import Image

    good = png_bytes(Image.new("RGB", (3, 2)), write(read(json.dumps(tree())).scene))
    path = tmp_path / "shot.png"
    path.write_bytes(good[:100])
    assert file_refusal(path) == ": is a damaged picture: it ends in the middle"
    path.write_bytes(good.replace(b'"box"', b'"bax"'))
    assert file_refusal(path) == ": is a damaged picture: the checksum of its text is wrong"
    path.write_bytes(png_bytes(Image.new("RGB", (3, 2))))
    assert file_refusal(path) == f": is a picture without a scene inside: {LOST}"
