"""Hulls from OBJ and STL files and from pasted points: the file's own doubles, and one sentence for what is none."""

from __future__ import annotations

import struct
from itertools import product
from pathlib import Path

import pytest

from app.forms.points import shape_of_points
from app.io.mesh_file import MOST_TRIANGLES, MOST_VERTICES, is_mesh, load_hull
from app.io.scene_file import SceneError, read, write
from core.scene import Body, Scene
from core.shapes import MeshSource, Sphere

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
    assert found.point_count == 9


def test_an_obj_of_parts_with_materials_and_names_in_any_encoding(tmp_path: Path) -> None:
    head = "mtllib none.mtl\no Größe\nusemtl red"
    assert set(load_hull(written(tmp_path, "a.obj", obj(CORNERS, head))).hull.points) == set(CORNERS)


def test_an_obj_of_bare_points(tmp_path: Path) -> None:
    data = b"\n".join(b"v %r %r %r" % point for point in TETRAHEDRON)
    assert set(load_hull(written(tmp_path, "a.obj", data)).hull.points) == set(TETRAHEDRON)


@pytest.mark.parametrize(
    "line",
    [
        "v\t0\t0\t3",
        "  v 0 0 3",
        "\tv 0 0 3",
        "V 0 0 3",
        "v 0 0 3 # the tip",
        "v 0 0 3\x0c",
        "v 0 \\\n0 3",
        "v 0 0 3\r4",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_no_vertex_of_an_obj_is_lost_however_its_line_is_written(tmp_path: Path, line: str, end: str) -> None:
    lines = [*(f"v {x} {y} {z}" for x, y, z in TETRAHEDRON[:3]), line, "f 1 2 3 # a face", "f 1 2 4"]
    data = "\n".join(lines).replace("\n", end).encode()
    assert set(load_hull(written(tmp_path, "a.obj", data)).hull.points) == {*TETRAHEDRON[:3], (0.0, 0.0, 3.0)}


@pytest.mark.parametrize("made", [binary_stl, text_stl])
def test_an_stl_of_either_kind(tmp_path: Path, made) -> None:
    found = load_hull(written(tmp_path, "a.STL", made(TETRAHEDRON)))
    assert set(found.hull.points) == set(TETRAHEDRON)
    assert found.point_count == 4


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("a.obj", b"", ": holds no points"),
        ("a.obj", b"\x00\xff garbage", ": holds no points"),
        ("a.obj", b"v a b c\nf 1 2 3\n", ": line 1: a vertex must have three numbers, got"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ": is not an OBJ mesh that can be read"),
        ("a.obj", b"v 0 0 0\nv 1 0 0\nv 0 nan 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n", ": points[2][1]: must"),
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
    assert shape_of_points([list(point) for point in points]).word == word


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="no such file or folder"):
        load_hull(tmp_path / "none.obj")


def solid(name: str, points: list[tuple[float, ...]], faces: list[tuple[int, ...]], folder: Path) -> Path:
    text = "".join(f"v {x} {y} {z}\n" for x, y, z in points)
    return written(
        folder, name, (text + "".join(f"f {' '.join(str(k + 1) for k in face)}\n" for face in faces)).encode()
    )


def prism(outline: list[tuple[float, float]]) -> tuple[list[tuple[float, ...]], list[tuple[int, ...]]]:
    """A polygon seen from all of whose sides corner 0 is in sight, from z = 0 to 1."""
    n = len(outline)
    points = [(x, y, float(z)) for z in (0, 1) for x, y in outline]
    fans = [face for k in range(1, n - 1) for face in ((0, k + 1, k), (n, n + k, n + k + 1))]
    return points, [*fans, *((k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n))]


def test_a_concave_mesh_says_what_share_of_its_hull_it_fills(tmp_path: Path) -> None:
    # Three unit squares as an L: area 3, and its hull cuts half a square off the square of side 2: 3.5.
    ell = [(1.0, 1.0), (1.0, 2.0), (0.0, 2.0), (0.0, 0.0), (2.0, 0.0), (2.0, 1.0)]
    found = load_hull(solid("ell.obj", *prism(ell), tmp_path))
    assert found.fills == pytest.approx(3.0 / 3.5, abs=1e-12)
    assert found.remark == "The mesh is not convex: its hull is used, of which the mesh fills 85.7 %."
    box = load_hull(solid("box.obj", *prism([(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (0.0, 1.0)]), tmp_path))
    assert (box.fills, box.remark) == (pytest.approx(1.0, abs=1e-12), "")
    points, faces = prism(ell)
    far = [(x + 100.0, y - 70.0, z) for x, y, z in points]
    assert load_hull(solid("far.obj", far, faces, tmp_path)).fills == pytest.approx(3.0 / 3.5, abs=1e-12)
    open_one = load_hull(solid("open.obj", points, faces[1:], tmp_path))
    assert (open_one.fills, open_one.remark) == (None, "The mesh is not closed, or meets itself: its hull is used.")


CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
Corners, Faces = list[tuple[float, ...]], list[tuple[int, ...]]


def cubes(*places: float, size: float = 1.0) -> tuple[Corners, Faces]:
    """Cubes along x, their centres at these places."""
    unit = [(0.5 * size * x, 0.5 * size * y, 0.5 * size * z) for x, y, z in product((-1.0, 1.0), repeat=3)]
    points = [(at + x, y, z) for at in places for x, y, z in unit]
    return points, [tuple(8 * k + corner for corner in face) for k in range(len(places)) for face in CUBE_FACES]


ONE, TWO = cubes(0.0), cubes(0.0, 3.0)
NESTED = (ONE[0] + cubes(0.0, size=0.5)[0], ONE[1] + [tuple(8 + k for k in face) for face in CUBE_FACES])


@pytest.mark.parametrize(
    ("points", "faces", "parts", "remark"),
    [
        (*TWO, 2, "The mesh has 2 parts: its hull is used, of which the mesh fills 50 %."),
        (*cubes(0.0, 3.0, 6.0), 3, "The mesh has 3 parts: its hull is used, of which the mesh fills 42.9 %."),
        (*NESTED, 2, "The mesh has 2 parts: its hull is used."),
        (ONE[0], ONE[1][1:], 1, "The mesh is not closed, or meets itself: its hull is used."),
        (*ONE, None, ""),
        (ONE[0], [face[::-1] for face in ONE[1]], None, ""),
        (ONE[0], [*ONE[1][:3], *(face[::-1] for face in ONE[1][3:])], None, ""),
        (ONE[0], ONE[1] * 2, None, ""),
        (ONE[0], [*ONE[1], *((face[0], *face[:0:-1]) for face in ONE[1])], None, ""),
        (ONE[0], [], None, ""),
        (ONE[0][:4], [(0, 1, 3, 2)], None, ""),
        (ONE[0][:4], [(0, 1, 3)], 1, "The mesh is not closed, or meets itself: its hull is used."),
        # A point that no face names belongs to the hull, and not to the mesh.
        (
            [*ONE[0], (4.0, 0.0, 0.0)],
            ONE[1],
            1,
            "The mesh is not convex: its hull is used, of which the mesh fills 46.2 %.",
        ),
    ],
)
def test_the_hull_of_a_mesh_that_is_not_convex_says_what_it_stands_for(
    tmp_path: Path, points: Corners, faces: Faces, parts: int | None, remark: str
) -> None:
    found = load_hull(solid("mesh.obj", points, faces, tmp_path))
    assert found.hull.hull_of == (None if parts is None else MeshSource("mesh.obj", parts))
    assert found.remark == remark


def test_a_simplified_hull_stands_for_its_mesh_too(tmp_path: Path) -> None:
    found = load_hull(solid("two.obj", *TWO, tmp_path), 6)
    assert (len(found.hull.points), found.hull.hull_of) == (6, MeshSource("two.obj", 2))
    assert found.remark.startswith("The mesh has 2 parts: its hull is used. Simplified from 8")
    assert load_hull(solid("one.obj", *ONE, tmp_path), 6).hull.hull_of is None


def test_the_name_of_a_mesh_is_one_that_a_scene_may_have(tmp_path: Path) -> None:
    long = load_hull(solid(f"{'n' * 200}.obj", *TWO, tmp_path)).hull
    odd = load_hull(solid("a\u202eb\nc.obj", *TWO, tmp_path)).hull
    assert odd.hull_of == MeshSource("a?b?c.obj", 2)
    for hull in (long, odd):
        scene = Scene(Body(hull), Body(Sphere(1.0)))
        assert read(write(scene)).scene == scene


@pytest.mark.parametrize("made", [binary_stl, text_stl])
def test_a_convex_stl_says_nothing_of_its_hull(tmp_path: Path, made) -> None:
    assert load_hull(written(tmp_path, "a.stl", made(TETRAHEDRON))).remark == ""


def test_a_byte_order_mark_takes_no_vertex(tmp_path: Path) -> None:
    found = load_hull(written(tmp_path, "a.obj", b"\xef\xbb\xbf" + obj(TETRAHEDRON).lstrip()))
    assert set(found.hull.points) == set(TETRAHEDRON)


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("a.obj", b"v 0 0 0\n" * (MOST_VERTICES + 1), "vertices"),
        ("a.obj", b"v 0 0 0\n" * 3 + b"f 1 2 3\n" * (MOST_TRIANGLES + 1), "triangles"),
        ("a.stl", bytes(80) + struct.pack("<I", MOST_TRIANGLES + 1) + bytes(50 * (MOST_TRIANGLES + 1)), "triangles"),
        ("a.stl", b"solid a\n" + b"vertex 0 0 0\n" * (3 * MOST_TRIANGLES + 3), "triangles"),
    ],
)
def test_a_mesh_beyond_the_limits_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, what: str
) -> None:
    monkeypatch.setattr("trimesh.load_scene", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(SceneError, match=f"must have at most 500,000 {what}, got 500,001"):
        load_hull(written(tmp_path, name, data))
