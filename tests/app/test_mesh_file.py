"""Hulls from OBJ and STL files and from pasted points: the file's own doubles, and one sentence for what is none."""

from __future__ import annotations

import struct
from itertools import product
from pathlib import Path

import pytest

from app.io.mesh_file import is_mesh, load_hull, pasted_hull
from app.io.scene_file import SceneError
from app.storage.strict_json import DataError
from core.shapes import Hull

CORNERS = [(x, y, z) for x, y, z in product((0.1, 0.30000000000000004), (0.0, 1.0), (-1.0, 1e-3))]
TETRAHEDRON = [(0.0, 0.0, 0.0), (1.5, 0.0, 0.0), (0.0, 0.25, 0.0), (0.0, 0.0, 3.0)]


def obj(points: list[tuple[float, ...]], head: str = "") -> bytes:
    lines = [head, *(f"v {x!r} {y!r} {z!r}" for x, y, z in points)]
    lines += [f"f {k} {k + 1} {k + 2}" for k in range(1, len(points) - 1)]
    return "\n".join(lines).encode("latin-1")


def binary_stl(points: list[tuple[float, ...]]) -> bytes:
    triangles = [(points[i], points[j], points[k]) for i, j, k in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))]
    packed = b"".join(struct.pack("<12fH", 0, 0, 0, *(v for p in corners for v in p), 0) for corners in triangles)
    return bytes(80) + struct.pack("<I", len(triangles)) + packed


def text_stl(points: list[tuple[float, ...]]) -> bytes:
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in (points[i], points[j], points[k]))
        + "endloop\nendfacet\n"
        for i, j, k in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
    ]
    return ("solid thing\n" + "".join(facets) + "endsolid thing\n").encode()


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_names_tell() -> None:
    assert is_mesh("a/b.OBJ")
    assert is_mesh(Path("b.stl"))
    assert not is_mesh("b.json")


def test_an_obj_gives_its_own_doubles(tmp_path: Path) -> None:
    middle = (0.2, 0.5, 0.0)
    found = load_hull(written(tmp_path, "cube.obj", obj([*CORNERS, middle, CORNERS[0]])))
    assert set(found.hull.points) == set(CORNERS)
    assert found.points == 9


def test_an_obj_of_parts_with_materials_and_names_in_any_encoding(tmp_path: Path) -> None:
    head = "mtllib none.mtl\no Größe\nusemtl red"
    assert set(load_hull(written(tmp_path, "a.obj", obj(CORNERS, head))).hull.points) == set(CORNERS)


def test_an_obj_of_bare_points(tmp_path: Path) -> None:
    data = b"\n".join(b"v %r %r %r" % point for point in TETRAHEDRON)
    assert set(load_hull(written(tmp_path, "a.obj", data)).hull.points) == set(TETRAHEDRON)


@pytest.mark.parametrize("write", [binary_stl, text_stl])
def test_an_stl_of_either_kind(tmp_path: Path, write) -> None:
    found = load_hull(written(tmp_path, "a.STL", write(TETRAHEDRON)))
    assert set(found.hull.points) == set(TETRAHEDRON)
    assert found.points == 4


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.obj", b"", ": holds no points"),
        ("a.obj", b"\x00\xff garbage", ": holds no points"),
        ("a.obj", b"v a b c\nf 1 2 3\n", ": line 1: a vertex must have three numbers, got"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ": is not an OBJ mesh that can be read"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 nan 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", ": points["),
        ("a.stl", b"", ": holds no points"),
        ("a.stl", b"solid x\n", ": holds no points"),
        ("a.stl", bytes(84), ": holds no points"),
        ("a.stl", bytes(80) + b"\xff\xff\xff\xee" + bytes(50), ": is not an STL mesh that can be read"),
    ],
)
def test_what_is_no_mesh_gets_one_sentence(tmp_path: Path, name: str, data: bytes, sentence: str) -> None:
    path = written(tmp_path, name, data)
    with pytest.raises(SceneError) as caught:
        load_hull(path)
    assert str(caught.value).startswith(f"{path}{sentence}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("points", "word"),
    [
        ([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.5)], "triangle"),
        ([(float(x), float(y), 7.0) for x in (0, 1) for y in (0, 1)], "polygon"),
        ([(float(x), 2.0 * x, 7.0) for x in (0, 1, 3)], "segment"),
    ],
)
def test_a_mesh_without_volume_is_a_flat_hull(tmp_path: Path, points: list[tuple[float, ...]], word: str) -> None:
    hull = load_hull(written(tmp_path, "a.obj", obj(points))).hull
    assert hull.word == word
    assert set(hull.points) <= set(points)
    assert pasted_hull(" ".join(map(str, sum(points, ())))).word == word


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="no such file or folder"):
        load_hull(tmp_path / "none.obj")


def test_points_are_pasted_in_any_layout() -> None:
    text = "{0, 0, 0}\n1.5f 0 0;\n[0 0.25 0], p3 = (0, 0, 3)"
    assert pasted_hull(text) == Hull(tuple(TETRAHEDRON))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2 3 4", "Found 4 numbers"),
        ("", "must make a hull: a hull needs at least one point"),
        ("0 0 nan", "The text holds nan"),
    ],
)
def test_pasted_points_that_are_no_hull_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(DataError) as caught:
        pasted_hull(text)
    assert caught.value.message.startswith(sentence)
