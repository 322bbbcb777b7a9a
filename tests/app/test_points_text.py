"""Points as "Paste points" takes them: read whole, or refused with the sentence that names why."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from app.forms.form import NotUnderstoodError
from app.forms.points import read_points

CORNERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
ROWS = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
FLAT = "0,0,0, 1,0,0, 0,1,0, 0,0,1"
LINES = "0,0,0,\n 1,0,0,\n 0,1,0,\n 0,0,1"
HEADER = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
FACES = "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
STL = (
    "solid s\nfacet normal 0 0 -9\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 9 9 9\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"
)
OBJ = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 3 2\nf 1//1 2//1 4//1\n"
OFF = f"OFF\n# a tetrahedron\n4 2 0\n\n{ROWS}3 0 2 1\n3 0 1 3 255 0 0\n"


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        f"4\n{ROWS}",
        f"Points: 4\n{ROWS}",
        ROWS.replace(" ", ", "),
        ROWS.replace(" ", "\t"),
        ROWS.replace(" ", ";"),
        ROWS.replace("\n", "\r\n"),
        ROWS.replace("\n", "\n\n"),
        ROWS.replace("\n", "  # a corner\n"),
        re.sub(r"(?m)^(.+)$", r"(\1)", ROWS.replace(" ", ", ")),
        re.sub(r"(?m)^(.+)$", r"[\1],", ROWS.replace(" ", ", ")),
        re.sub(r"(?m)^(.+)$", r"Vector3(\1)", ROWS.replace(" ", ", ")),
        "(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)",
        "P = [0 0 0; 1 0 0; 0 1 0; 0 0 1];",
        "x: 0 y: 0 z: 0\nx: 1 y: 0 z: 0\nx: 0 y: 1 z: 0\nx: 0 y: 0 z: 1\n",
        "X=0.000 Y=0.000 Z=0.000\nX=1.0 Y=0.0 Z=0.0\nX=0.0 Y=1.0 Z=0.0\nX=0.0 Y=0.0 Z=1.0\n",
        "x,y,z\n" + ROWS.replace(" ", ","),
        '[{"x":0,"y":0,"z":0},{"x":1,"y":0,"z":0},{"x":0,"y":1,"z":0},{"x":0,"y":0,"z":1}]',
        "[[0. 0. 0.]\n [1. 0. 0.]\n [0. 1. 0.]\n [0. 0. 1.]]",
        "points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])",
        "double verts[4][3] = {{0,0,0},{1,0,0},{0,1,0},{0,0,1}};",
        "const v = [new Vector3(0,0,0), new Vector3(1,0,0), new THREE.Vector3(0,1,0), new THREE.Vector3(0,0,1)];",
        f"float vertices[] = {{\n {LINES.replace(',', '.0f,')}.0f\n}};",
        f"const vertices = new Float32Array([\n {LINES}\n]);",
    ],
)
def test_points_of_space_are_read(text: str) -> None:
    found = read_points(text, 3)
    assert np.array_equal(found.points, CORNERS)
    assert found.notes == ()


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (OBJ, "2 faces are passed over. 1 normal is passed over."),
        (OBJ.replace("f 1//1 2//1 4//1", "f -4 -3 -1"), "2 faces are passed over. 1 normal is passed over."),
        (f"{HEADER}{FACES}{ROWS}3 0 2 1\n3 0 1 3\n", "2 faces are passed over."),
        (STL, "2 normals are passed over."),
        (OFF, "2 faces are passed over."),
        (f'{{"verts": [{FLAT}], "faces": [0,2,1, 0,1,3], "offset": [0,0,0]}}', "Passed over: faces (6 numbers)."),
        (f'{{"faces": [[0,2,1]], "vertices": {json.dumps(CORNERS)}}}', "Passed over: faces (3 numbers)."),
        (
            f'{{"vertices": {json.dumps(CORNERS)}, "normals": {json.dumps(CORNERS)}}}',
            "Passed over: normals (12 numbers).",
        ),
        (
            f'{{"position": [{FLAT}], "normal": [{FLAT}], "uv": [0,0,0,1,1,0,1,1], "index": [0,2,1, 0,1,3]}}',
            "Passed over: normal (12 numbers), uv (8 numbers), index (6 numbers).",
        ),
        (
            f"float vertices[12] = {{{FLAT}}};\nunsigned int indices[] = {{0,2,1, 0,1,3}};",
            "Passed over: indices (6 numbers).",
        ),
        (f"verts = {CORNERS}\ntris = [[0,2,1],[0,1,3]]", "Passed over: tris (6 numbers)."),
        (
            "vertices:\n[[0. 0. 0.]\n [1. 0. 0.]\n [0. 1. 0.]\n [0. 0. 1.]]\nfaces:\n[[0 2 1]\n [0 1 3]]\n",
            "Passed over: faces (6 numbers).",
        ),
        ("1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "The first number of each row is the row's number."),
        ("1. 0 0 0\n2. 1 0 0\n3. 0 1 0\n4. 0 0 1\n", "The first number of each row is the row's number."),
        ("id,x,y,z\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n", "Passed over: id."),
        ("     x    y    z\n0  0.0  0.0  0.0\n1  1.0  0.0  0.0\n2  0.0  1.0  0.0\n3  0.0  0.0  1.0\n", ""),
        ("0: 0 0 0\n1: 1 0 0\n2: 0 1 0\n3: 0 0 1\n", ""),
        ("1) 0 0 0\n2) 1 0 0\n3) 0 1 0\n4) 0 0 1\n", ""),
        ("[0] (0, 0, 0)\n[1] (1, 0, 0)\n[2] (0, 1, 0)\n[3] (0, 0, 1)\n", ""),
        ("v0 = (0, 0, 0)\nv1 = (1, 0, 0)\nv2 = (0, 1, 0)\nv3 = (0, 0, 1)\n", ""),
        ("Vertex 0: 0 0 0\nVertex 1: 1 0 0\nVertex 2: 0 1 0\nVertex 3: 0 0 1\n", ""),
        ("vertices[0] = {0, 0, 0};\nvertices[1] = {1,0,0};\nvertices[2] = {0,1,0};\nvertices[3] = {0,0,1};", ""),
        ("0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n", "The last number of each row is a homogeneous 1."),
        ("[[0,0,0,1],[1,0,0,1],[0,1,0,1],[0,0,1,1]]", "The last number of each row is a homogeneous 1."),
        ("x y z w\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n", "Passed over: w."),
        (
            "0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n0 0 1 1 0 0\n",
            "The last three numbers of each row are its normal.",
        ),
        ("x,y,z,nx,ny,nz\n0,0,0,0,0,1\n1,0,0,0,0,1\n0,1,0,0,0,1\n0,0,1,1,0,0\n", "Passed over: nx, ny, nz."),
    ],
)
def test_faces_normals_and_numbers_of_rows_are_no_points(text: str, note: str) -> None:
    found = read_points(text, 3)
    assert np.array_equal(found.points, CORNERS)
    assert " ".join(found.notes) == note


@pytest.mark.parametrize(
    "text",
    [
        "[(0, 0), (4, 0), (4, 3)]",
        "0 0\n4 0\n4 3\n",
        "x,y\n0,0\n4,0\n4,3\n",
        "POLYGON((0 0, 4 0, 4 3, 0 0))",
        "A (0, 0)\nB (4, 0)\nC (4, 3)",
        '[{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 4, "y": 3}]',
        "1 0.0 0.0\n2 4.0 0.0\n3 4.0 3.0",
        "1 0 0\n2 4 0\n3 4 3",
        "0 0 1\n4 0 1\n4 3 1",
    ],
)
def test_points_of_two_numbers_are_of_the_plane_alone(text: str) -> None:
    assert read_points(text, 2).points == [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]]
    if text != "0 0 1\n4 0 1\n4 3 1":
        with pytest.raises(NotUnderstoodError, match=r"2 numbers, and the scene is of space|or its number and x y$"):
            read_points(text, 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[0. 0. 0.]\n ...\n [1. 0. 0.]]", "Line 2: the print is cut"),
        ("array([[0., 0., 0.],\n       ...,\n       [0., 0., 1.]])", "Line 2: the print is cut"),
        ("0 0 0\n1 0 0\n...\n0 0 1\n", "Line 3: the print is cut"),
        ("v 0 0 0\n…\nv 0 0 1\n", "Line 2: the print is cut"),
        ("     x  y  z\n0    0  0  0\n..  .. .. ..\n9    0  0  1\n", "Line 3: the print is cut"),
        ("0 0 0\n1 0\n", "Line 2: a row has 2 numbers, and the first has 3"),
        ("0 0 0\n1 0 O\n", "Line 2: 1 0 O is not understood as a point"),
        ("0 0 0\nscale 2\n", "Line 2: scale 2 is not understood as a point"),
        ("2 0 0 2\n1 0 0 2\n", "a point has three numbers, got 4"),
        ("0 0 0  1 0 0  0 1 0", "a point has three numbers, got 9: write each point in a line of its own"),
        ("0,5 0,5 0,5\n1,5 0,5 0,5\n", "a comma between digits may be a decimal point"),
        ("0 0 0\n1 0 0\n2 1 0\n", "a row may be x y z, or its number and x y"),
        ("1 0 0 1\n2 0 0 1\n3 1 0 1\n", "a row may be x y z 1, or its number and x y z"),
        ("1 0 0 0 1 0\n0 1 0 0 0 1\n", "a row may be a point and its normal, or two points"),
        (f"{ROWS}\n0 2 1\n0 1 3\n", "Line 6: empty lines divide the rows into 2 lists, expected one"),
        ("v 0 0 0\nshear 1 2 3\n", "Line 2: shear is not understood in an OBJ"),
        ("v 0 0 nan\n", "nan is not a finite number"),
        ("0 0 nan\n", "Line 1: nan is not a finite number"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "Line 4: a face names point 8, and the text has 3 (0 to 2)"),
        ("f 1 2 3\nf 1 3 4\n", "f is not understood"),
        ("f0: 1 2 3\nf1: 1 3 4\n", "f is not understood before a point"),
        ("X: 0 1 0\nY: 0 0 1\nZ: 0 0 0\n", "X is not understood before a point"),
        ("size: (1, 1, 1)\n", "size is not understood before a point"),
        ("x,y,z,speed\n0,0,0,1\n", "the column speed is not understood"),
        ("5\n0 0 0\n1 0 0\n", "5 points are expected by the count, got 2"),
        (f"{HEADER}{FACES}0 0 0\n", "the header tells of 6 rows, got 1"),
        (HEADER.replace("ascii", "binary_little_endian"), "a PLY in letters (ascii) is expected"),
        (OFF.replace("4 2 0", "5 2 0"), "the header tells of 5 vertices and 2 faces, got 6 rows"),
        (OFF.replace("3 0 2 1", "3 0 2 7"), "a face names point 7"),
        (STL.replace("endsolid", ""), "the STL has no endsolid"),
        (STL.replace("vertex 0 0 0\n", ""), "2 facets need 6 vertices, got 5"),
        ("", "The text has no points."),
        (f"a = {CORNERS}\nb = {CORNERS}", "Line 2: found 2 lists of points, expected one"),
        (f"vertices = {CORNERS}\nscale = 2", "Line 2: scale is not understood"),
        (f'{{"verts": {json.dumps(CORNERS)}, "offset": [1,0,0]}}', "offset is not understood"),
        (f'{{"verts": {json.dumps(CORNERS)}, "normal": [0,1,0]}}', "normal is not understood"),
        ("pts = [0,0,4,0,4,3]", "a point has three numbers, got 6"),
        ("[0,0,1,0,0,1]", "a point has three numbers, got 6"),
        (f"float vertices[] = {{{FLAT}}};", "which may be points of two or of three"),
    ],
)
def test_what_is_no_list_of_points_is_named(text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(why)):
        read_points(text, 3)


@pytest.mark.parametrize("text", [OBJ, OFF, STL, ROWS, "[[0,0,0],[1,0,0],[0,1,0]]"])
def test_points_of_three_numbers_are_refused_in_the_plane(text: str) -> None:
    with pytest.raises(NotUnderstoodError, match="3 numbers, and the scene is of the plane"):
        read_points(text, 2)
