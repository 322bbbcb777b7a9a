"""Poses by matrix, as numpy, Eigen and Pinocchio print them, each after a line that names the body's shape (`lines`).

    box 1 1 1                         box 1 1 1
    [[1.  0.  0.  0.9]                  R =
     [0.  1.  0.  0. ]                1 0 0
     [0.  0.  1.  0. ]                0 1 0
     [0.  0.  0.  1. ]]               0 0 1
                                        p = 0.9 0 0

Rows are printed one a line; the last column of a matrix (4, 4) or (3, 4) is the position. A text with lines `R =` and
`p =` is Pinocchio's SE3: Z is up, and the axes of shapes are along z, as in Coal. In other texts the line of a capsule,
cylinder or cone must name its axis. Sources, read in November 2026: Pinocchio's SE3 (disp_impl), numpy's printed
arrays; Coal's axes from Separatrix's comparison of engines.
"""

from __future__ import annotations

import re

import numpy as np
from msgspec import Struct, field

from .bodies import Given, World, by_matrix, pair_of
from .form import Form, NotUnderstoodError, ReadPair
from .lines import TextLine, lines_of, not_understood, numbers_in_line, shape_in

ROW = re.compile(r"(?:[A-Za-z_][\w.]*\s*=\s*)?(?:(?:np|numpy)\.)?(?:array|matrix|Matrix|SE3)?[\s\[\](),;]*[-+.\d].*")
BEFORE = re.compile(r"^(?:[A-Za-z_][\w.]*\s*[:=]\s*)?(?:(?:np\.|numpy\.)?(?:array|matrix|Matrix|SE3)\s*)?(?=[\[(])")
"""A name and a call, either or both, before the brackets of a matrix."""
EXAMPLES = (
    "box 1 1 1\n  R =\n1 0 0\n0 1 0\n0 0 1\n  p = 0 0 0\nbox 1 1 1\n  R =\n0.70710678 -0.70710678 0\n"
    "0.70710678 0.70710678 0\n0 0 1\n  p = 1.1 0 0",
    "A: box 1 1 1\n[[1. 0. 0. 0.]\n [0. 1. 0. 0.]\n [0. 0. 1. 0.]\n [0. 0. 0. 1.]]\nB: sphere 0.5\n"
    "array([[1. , 0. , 0. , 0.9],\n       [0. , 1. , 0. , 0. ],\n       [0. , 0. , 1. , 0. ],\n"
    "       [0. , 0. , 0. , 1. ]])",
)


class _Pose(Struct):
    """A body and the pose that follows it, with line numbers. `rows`: the rows of its matrix.

    `position`: the position (3,) if it is printed outside the matrix. `now`: the part that the next row belongs to:
    "matrix", "place" or "" for none. `open_brackets`: the count of brackets that are not closed yet.
    """

    given: Given
    rows: list[tuple[list[float], int]] = field(default_factory=list)
    position: tuple[list[float], int] | None = None
    now: str = "matrix"
    open_brackets: int = 0


def read(text: str) -> ReadPair:
    """The pair of two shapes, each followed by its matrix.

    Raises NotUnderstoodError for a line that is not understood, and for a matrix that is no pose.
    """
    lines, poses = lines_of(text), list[_Pose]()
    marks = (r"(?m)^[ \t]*+R[ \t]*+=[ \t\r]*+$", r"(?m)^[ \t]*+p[ \t]*+=")
    pinocchio = all(re.search(mark, text) for mark in marks)
    for line in lines:
        if (given := shape_in(line, "z" if pinocchio else "")) is not None:
            poses.append(_Pose(given))
        elif not poses:
            raise NotUnderstoodError("a line such as box 1 1 1 must name the shape before its matrix", line.number)
        else:
            _row(poses[-1], line)
    for pose in poses:
        _place(pose)
    return pair_of([pose.given for pose in poses], World("Pinocchio" if pinocchio else "the text", z_up=pinocchio))


def _row(pose: _Pose, line: TextLine) -> None:
    """Adds the content of a line to the pose.

    Raises NotUnderstoodError for a second matrix or position, and for a line that belongs to no pose.
    """
    pose.open_brackets += sum((letter in "[(") - (letter in "])") for letter in line.text)
    if match := re.fullmatch(r"(R|rotation|T|M|X|pose)\w*\s*[:=]\s*(?:(?:np\.)?array\(|\[)?", line.text):
        if pose.rows:
            raise NotUnderstoodError("a second matrix follows one shape", line.number)
        pose.now = "matrix"
    elif match := re.fullmatch(r"(?:p|t|translation|position)\s*[:=]\s*(.*)", line.text):
        if pose.position is not None:
            raise NotUnderstoodError("a second position follows one shape", line.number)
        pose.now = "place"
        if match[1]:
            said = BEFORE.sub("", match[1])
            pose.position = numbers_in_line(said, "a position", line.number, 3), line.number
            pose.now = ""
    elif pose.now and ROW.fullmatch(line.text):
        said = BEFORE.sub("", line.text)
        if pose.now == "place":
            pose.position, pose.now = (numbers_in_line(said, "a position", line.number, 3), line.number), ""
        else:
            for row in re.split(r"\]\s*+(?:,\s*+)?\[", said):
                pose.rows.append((numbers_in_line(row, "a row of a matrix", line.number), line.number))
    elif not re.fullmatch(r"[\[\](),;\s]+", line.text):
        raise not_understood(line)


def _place(pose: _Pose) -> None:
    given, line = pose.given, pose.rows[0][1] if pose.rows else pose.given.line
    if pose.open_brackets:
        raise NotUnderstoodError("the brackets of this matrix are not closed", line)
    widths = {len(values) for values, _ in pose.rows}
    shape = (len(pose.rows), next(iter(widths))) if len(widths) == 1 else (len(pose.rows), 0)
    if shape not in ((4, 4), (3, 4), (3, 3)):
        for values, number in pose.rows:
            if len(values) not in (3, 4) or len(values) != len(pose.rows[0][0]):
                raise NotUnderstoodError(f"a row of a matrix has {len(values)} numbers", number)
        raise NotUnderstoodError(f"a pose needs a matrix of 3×3, 3×4 or 4×4 numbers, got {shape[0]} rows", line)
    matrix = np.array([values for values, _ in pose.rows])
    if shape == (4, 4) and matrix[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        raise NotUnderstoodError("the last row of a pose must be 0 0 0 1", pose.rows[3][1])
    if (shape[1] == 4) == (pose.position is not None):
        said = "has its position in it and apart" if pose.position else "of 3×3 has no position (p = …)"
        raise NotUnderstoodError(f"the matrix {said}", line)
    given.give("position", matrix[:3, 3] if pose.position is None else np.array(pose.position[0]), line)
    given.give("rotation", by_matrix(matrix[:3, :3], line, given.notes), line)


FORM = Form(
    "matrices",
    "Pinocchio: spatial/se3-tpl.hpp (disp_impl); numpy's printed arrays",
    re.compile(
        r"(?im)^(?=[^\n]*?\b(?:box|sphere|ellipsoid|cylinder|capsule|cone)\b)[^\n]*+\n\s*+"
        r"(?:[RTMXp]\w*+\s*+=|\[\[|(?:\w++\s*+=\s*+)?(?:array|np\.|numpy\.))"
    ),
    read,
    EXAMPLES,
)
