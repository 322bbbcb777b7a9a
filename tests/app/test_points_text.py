"""Points as "Paste points" takes them: read whole, or refused with the sentence that names why."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.forms.form import NotUnderstoodError
from app.forms.points import read_points

CORNERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
ROWS = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
HEADER = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
FACES = "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
STL = (
    "solid s\nfacet normal 0 0 -9\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 9 9 9\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"
)


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        f"4\n{ROWS}",
        ROWS.replace(" ", ", "),
        ROWS.replace("\n", "\r\n"),
        "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 3 2\nf 1//1 2//1 4//1\n",
        '{"verts": [0,0,0, 1,0,0, 0,1,0, 0,0,1], "faces": [0,2,1, 0,1,3, 0,3,2, 1,2,3], "offset": [0,0,0]}',
        '{"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3]]}',
        f"{HEADER}{FACES}{ROWS}3 0 2 1\n3 0 1 3\n",
        STL,
        "[[0. 0. 0.]\n [1. 0. 0.]\n [0. 1. 0.]\n [0. 0. 1.]]",
        "points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])",
        "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n",
        "0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n",
        "[[0,0,0,1],[1,0,0,1],[0,1,0,1],[0,0,1,1]]",
        "0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n0 0 1 1 0 0\n",
    ],
)
def test_points_of_space_are_read(text: str) -> None:
    assert np.array_equal(read_points(text, 3).points, CORNERS)


@pytest.mark.parametrize("text", ["[(0, 0), (4, 0), (4, 3)]", "0 0\n4 0\n4 3\n", "1 0.0 0.0\n2 4.0 0.0\n3 4.0 3.0"])
def test_points_of_two_numbers_are_of_the_plane_alone(text: str) -> None:
    assert read_points(text, 2).points == [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0]]
    with pytest.raises(NotUnderstoodError, match="the points have 2 numbers, and the scene is of space"):
        read_points(text, 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[[0. 0. 0.]\n ...\n [1. 0. 0.]]", "the print is cut"),
        ("0 0 0\n1 0\n", "Line 2: a row has 2 numbers, and the first has 3"),
        ("2 0 0 2\n1 0 0 2\n", "a point has two or three numbers, got 4"),
        ("1 0 0 1\n2 0 0 1\n3 1 0 1\n", "a row may be x y z 1, or its number and x y z"),
        ("v 0 0 0\nshear 1 2 3\n", "Line 2: shear is not understood in an OBJ"),
        ("v 0 0 nan\n", "nan is not a finite number"),
        ("5\n0 0 0\n1 0 0\n", "5 points are expected by the count, got 2"),
        (f"{HEADER}{FACES}0 0 0\n", "the header tells of 4 vertices, got 1"),
        (HEADER.replace("ascii", "binary_little_endian"), "a PLY in letters (ascii) is expected"),
        (STL.replace("endsolid", ""), "the STL has no endsolid"),
        ("", "The text has no points."),
        (f"a = {CORNERS}\nb = {CORNERS}", "Line 2: found 2 lists of points, expected one"),
        ("[0,0,4,0,4,3]", "which may be points of two or of three"),
    ],
)
def test_what_is_no_list_of_points_is_named(text: str, why: str) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(why)):
        read_points(text, 3)
