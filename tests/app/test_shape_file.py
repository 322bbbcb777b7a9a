"""Every shape in scene files: digit for digit, and each refusal with its path and what was expected."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.io.scene_file import SceneError, read, write
from app.io.shape_file import MOST_POINTS
from app.shapes import LARGEST_NUMBER, SHAPE_KINDS, SMALLEST_NUMBER
from core.scene import Body, Scene
from core.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    Ellipsoid,
    HalfSpace,
    Hull,
    MeshSource,
    Shape,
    Sphere,
    mesh_source,
    with_border,
)
from core.shapes.polygon import MOST_CORNERS

from .shape_samples import SHAPES


def refusal(shape: Any, other: Any = None) -> str:
    other = {"type": "sphere", "radius": 1} if other is None else other
    bodies = {"a": {"shape": shape, "position": [0, 0, 0]}, "b": {"shape": other, "position": [0, 0, 0]}}
    with pytest.raises(SceneError) as caught:
        read(json.dumps({"separatrix": 1, **bodies}))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_there_is_an_example_of_every_shape() -> None:
    assert list(SHAPES) == [kind.name for kind in SHAPE_KINDS]


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_survives_digit_for_digit(name: str) -> None:
    scene = Scene(Body(SHAPES[name]), Body(Sphere(1.0)))
    text = write(scene)
    assert f'"shape": {{"type": "{name}", ' in text
    assert repr(read(text).scene) == repr(scene)


def test_too_many_points_are_refused_in_a_sentence() -> None:
    many = [[float(k), 0.0, 0.0] for k in range(MOST_POINTS + 1)]
    assert "a.shape.points: must have at most 100,000 points, got 100,001" in refusal({"type": "hull", "points": many})
    corners = [[float(k), float(k * k)] for k in range(MOST_CORNERS + 1)]
    for count, kept in ((MOST_CORNERS, True), (MOST_CORNERS + 1, False)):
        body = {"shape": {"type": "polygon", "points": corners[:count]}, "position": [0, 0]}
        text = json.dumps({"separatrix": 1, "dimension": 2, "a": body, "b": body})
        if kept:
            assert len(read(text).scene.a.shape.polyhedron.vertices) == count
        else:
            with pytest.raises(SceneError, match=r"a.shape.points: must have at most 2,000 points, got 2,001"):
                read(text)


extents = st.floats(SMALLEST_NUMBER, LARGEST_NUMBER)
triples = st.tuples(extents, extents, extents)
coordinates = st.floats(-1e6, 1e6)
shapes = st.one_of(
    st.builds(Capsule, extents, extents),
    st.builds(Cylinder, extents, extents),
    st.builds(Cone, extents, extents),
    st.builds(Ellipsoid, triples),
    st.builds(HalfSpace, st.tuples(st.floats(0.1, 9.0), coordinates, coordinates), coordinates),
    st.builds(
        lambda points: Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), *points)),
        st.lists(st.tuples(coordinates, coordinates, coordinates), max_size=6).map(tuple),
    ),
)


@settings(max_examples=100)
@given(shapes)
def test_every_double_survives(shape: Shape) -> None:
    scene = Scene(Body(Box((1.0, 1.0, 1.0))), Body(shape))
    assert repr(read(write(scene)).scene) == repr(scene)


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        ({"type": "capsule", "radius": 0, "length": 1}, "a.shape.radius: must be > 0, got 0"),
        ({"type": "capsule", "radius": 1, "length": 0}, "a.shape.length: must be > 0, got 0"),
        ({"type": "capsule", "radius": 1}, "a.shape.length: missing"),
        ({"type": "capsule", "radius": 1, "height": 1}, "a.shape.height: unknown key, got 1"),
        ({"type": "cylinder", "radius": 1, "height": -2}, "a.shape.height: must be > 0, got -2"),
        (
            {"type": "cylinder", "radius": 1e31, "height": 2},
            "a.shape.radius: must lie between 1e-30 and 1e+30, got 1e+31",
        ),
        ({"type": "cone", "radius": True, "height": 1}, "a.shape.radius: must be a number, got true"),
        ({"type": "cone", "radius": 1e-31, "height": 1}, "a.shape.radius: must lie between 1e-30 and 1e+30, got 1e-31"),
        ({"type": "ellipsoid", "radii": [1, 2]}, "a.shape.radii: must be a list of 3, got 2: [1, 2]"),
        ({"type": "ellipsoid", "radii": [1, 0, 2]}, "a.shape.radii[1]: must be > 0, got 0"),
        ({"type": "halfspace", "normal": [0, 0, 0], "offset": 1}, "a.shape.normal: must have a direction and a length"),
        ({"type": "halfspace", "normal": [0, 1e-200, 0], "offset": 1}, "a.shape.normal: must have a direction"),
        ({"type": "halfspace", "normal": [0, 1e31, 0], "offset": 1}, "a.shape.normal[1]: must lie within ±1e+30"),
        ({"type": "halfspace", "normal": [0, 1e-5, 0], "offset": 1e28}, "a.shape.offset: must put the plane within"),
        ({"type": "halfspace", "normal": [0, 1, 0]}, "a.shape.offset: missing"),
        ({"type": "hull", "points": 7}, "a.shape.points: must be a list, got 7"),
        ({"type": "hull", "points": [[0, 0]]}, "a.shape.points[0]: must be a list of 3, got 2: [0, 0]"),
        ({"type": "hull", "points": [[0, "0", 0]]}, 'a.shape.points[0][1]: must be a number, got "0"'),
        ({"type": "hull", "points": []}, "a.shape.points: must make a hull: a hull needs at least one point"),
        (
            {"type": "hull", "points": [[0, 0, 0], [1e-32, 0, 0]]},
            "a.shape.points: must span more than 1e-30, got [[0, 0, 0]",
        ),
        (
            {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1e31]]},
            "a.shape.points[3][2]: must lie within ±1e+30, got -1e+31",
        ),
        (
            {"type": "hull", "points": [[0, 0, 0], [1e-32, 0, 0], [0, 1e-32, 0], [0, 0, 1e-32]]},
            "a.shape.points: must span more than 1e-30, got [[0, 0, 0]",
        ),
    ],
)
def test_a_shape_that_is_none_is_refused_with_its_path(shape: Any, sentence: str) -> None:
    assert refusal(shape).startswith(sentence)


def test_points_that_are_not_finite_are_refused_with_their_path() -> None:
    text = '{"separatrix": 1, "a": {"shape": {"type": "hull", "points": [[0, 0, 0], [0, NaN, 1]]}}}'
    with pytest.raises(SceneError, match=r"^a\.shape\.points\[1\]\[1\]: must be a finite number, got NaN$"):
        read(text)


def test_only_one_of_the_two_is_a_half_space() -> None:
    floor = {"type": "halfspace", "normal": [0, 1, 0], "offset": 0}
    assert refusal(floor, floor).startswith("b.shape.type: must not be a half-space if the other body is one")


MESH = MeshSource("two_cubes.obj", 2)


@pytest.mark.parametrize("border", [0.0, 0.25])
def test_the_mesh_that_a_hull_stands_for_is_kept_in_the_scene(border: float) -> None:
    hull = SHAPES["hull"]
    assert isinstance(hull, Hull)
    scene = Scene(Body(with_border(hull.standing_for(MESH), border)), Body(Sphere(1.0)))
    text = write(scene)
    assert '"hull_of": {"file": "two_cubes.obj", "parts": 2}' in text
    assert read(text).scene == scene
    assert mesh_source(read(text).scene.a.shape) == MESH
    assert "hull_of" not in write(Scene(Body(hull), Body(Sphere(1.0))))


@pytest.mark.parametrize(
    ("mesh", "sentence"),
    [
        ({"file": "", "parts": 2}, "a.shape.hull_of.file: must be a file's name of 1 to 80 characters"),
        ({"file": "x" * 81, "parts": 2}, "a.shape.hull_of.file: must be a file's name of 1 to 80 characters"),
        ({"file": "a\nb.obj", "parts": 2}, "a.shape.hull_of.file: must be a file's name"),
        ({"file": "a\u202eb.obj", "parts": 2}, "a.shape.hull_of.file: must be a file's name"),
        ({"file": "a\x1b[31m.obj", "parts": 2}, "a.shape.hull_of.file: must be a file's name"),
        ({"file": "\ud800.obj", "parts": 2}, "a.shape.hull_of.file: must be text, got half a surrogate pair"),
        ({"file": 3, "parts": 2}, "a.shape.hull_of.file: must be"),
        ({"file": ["a.obj"], "parts": 2}, "a.shape.hull_of.file: must be"),
        ({"file": "a.obj", "parts": 0}, "a.shape.hull_of.parts: must be a whole number from 1 to 1,000,000, got 0"),
        ({"file": "a.obj", "parts": -1}, "a.shape.hull_of.parts: must be a whole number from 1"),
        ({"file": "a.obj", "parts": 10**30}, "a.shape.hull_of.parts: must be"),
        ({"file": "a.obj", "parts": 1.5}, "a.shape.hull_of.parts: must be"),
        ({"file": "a.obj", "parts": True}, "a.shape.hull_of.parts: must be"),
        ({"file": "a.obj", "parts": "2"}, "a.shape.hull_of.parts: must be"),
        ({"file": "a.obj"}, "a.shape.hull_of.parts: missing"),
        ({"parts": 2}, "a.shape.hull_of.file: missing"),
        ({"file": "a.obj", "parts": 2, "faces": []}, "a.shape.hull_of.faces: unknown key"),
        ("two_cubes.obj", "a.shape.hull_of: must be"),
        ([], "a.shape.hull_of: must be"),
    ],
)
def test_a_mesh_that_no_hull_can_stand_for_is_refused(mesh: Any, sentence: str) -> None:
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert refusal({"type": "hull", "points": points, "hull_of": mesh}).startswith(sentence)


def test_only_a_hull_stands_for_a_mesh() -> None:
    told = refusal({"type": "box", "size": [1, 1, 1], "hull_of": {"file": "a.obj", "parts": 2}})
    assert told.startswith("a.shape.hull_of: unknown key")
