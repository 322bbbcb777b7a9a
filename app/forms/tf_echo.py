"""The output of tf_echo and tf2_echo, once for each body, after a line that names the body's shape (`lines`).

    box 1 1 1
    At time 82.601
    - Translation: [-1.798, 3.280, 0.784]
    - Rotation: in Quaternion [0.008, -0.008, 0.001, 1.000]
                in RPY (radian) [0.017, -0.017, 0.003]

Quaternions are xyzw. RPY, in radians or degrees, and the matrix may stand alone; after a quaternion they repeat it and
must agree with it. Of the matrix only the rotation is read. The axis of
shapes is z, as in ROS. Sources, read in November 2026: ROS 2 documentation (Introducing tf2: tf2_echo), published
output of ROS 1's tf_echo, shape_msgs/SolidPrimitive for the axis.
"""

from __future__ import annotations

import re

import numpy as np

from core.geometry.vector import Array

from .bodies import Given, World, by_matrix, by_quaternion, pair_of
from .form import Form, NotUnderstoodError, ReadPair
from .lines import TextLine, lines_of, not_understood, numbers_in_line, shape_in
from .robots import by_rpy

WORLD = World("tf", z_up=True)
AGREE = 0.03
"""The largest difference between the matrices of two prints of one rotation, which have two or three decimals."""
PASSED_OVER = re.compile(r"At time [-\d.]+$|\[INFO\] .*|\$ (?:ros2 run|rosrun) .*|---$|Waiting for transform .*")
EXAMPLES = (
    "box 1 1 1\n- Translation: [0.000, 0.000, 0.000]\n- Rotation: in Quaternion [0.000, 0.000, 0.000, 1.000]\n"
    "box 1 1 1\nAt time 82.601\n- Translation: [0.900, 0.000, 0.000]\n"
    "- Rotation: in Quaternion [0.000, 0.000, 0.000, 1.000]\n            in RPY (radian) [0.000, -0.000, 0.000]\n"
    "            in RPY (degree) [0.000, -0.000, 0.000]",
)


def read(text: str) -> ReadPair:
    """The pair of two shapes, each followed by its transform.

    Raises NotUnderstoodError for a line that is not understood, for other than two bodies, for a transform that is
    missing or disagrees with itself, for a second translation, and for a quaternion after another rotation.
    """
    lines, bodies, at = lines_of(text), list[Given](), 0
    while at < len(lines):
        line = lines[at]
        at += 1
        said = re.sub(r"^-\s*", "", line.text)
        if (given := shape_in(line, "z")) is not None:
            bodies.append(given)
        elif match := re.fullmatch(r"Translation:\s*(\[.*\])", said):
            values = numbers_in_line(match[1], "a translation", line.number, 3)
            _of(bodies, line).give("position", np.array(values), line.number)
        elif match := re.fullmatch(r"(?:Rotation:\s*)?in (Quaternion|RPY)\s*+(?:(\(\w+\))\s*+)?(\[.*\])", said):
            _turn(_of(bodies, line), match[1], match[2] or "", match[3], line)
        elif re.fullmatch(r"Matrix:", said):
            given = _of(bodies, line)
            # A matrix that repeats a rotation is only compared with it.
            notes = given.notes if given.rotation is None else []
            _check(given, _rows(lines[at : at + 4], line, notes), line)
            at += 4
        elif not PASSED_OVER.fullmatch(line.text):
            raise not_understood(line)
    for given in bodies:
        for value, what in ((given.position, "Translation"), (given.rotation, "Rotation")):
            if value is None:
                raise NotUnderstoodError(f"no {what} follows this shape", given.line)
    return pair_of(bodies, WORLD)


def _of(bodies: list[Given], line: TextLine) -> Given:
    if not bodies:
        raise NotUnderstoodError("a line such as box 1 1 1 must name the shape before its transform", line.number)
    return bodies[-1]


def _turn(given: Given, kind: str, unit: str, said: str, line: TextLine) -> None:
    if kind == "Quaternion":
        if unit not in ("", "(xyzw)"):
            raise NotUnderstoodError(f"a quaternion in {unit} is not understood", line.number)
        x, y, z, w = numbers_in_line(said, "a quaternion", line.number, 4)
        given.give("rotation", by_quaternion((w, x, y, z), line.number), line.number)
        return
    if unit not in ("(radian)", "(degree)"):
        raise NotUnderstoodError("RPY needs (radian) or (degree)", line.number)
    angles = numbers_in_line(said, "RPY", line.number, 3)
    _check(given, by_rpy(angles, degrees=unit == "(degree)"), line)


def _check(given: Given, turn: Array, line: TextLine) -> None:
    """Sets the body's rotation if it has none. Raises NotUnderstoodError if `turn` differs from the one it has."""
    if given.rotation is None:
        given.rotation = turn
    elif float(np.abs(given.rotation - turn).max()) > AGREE:
        raise NotUnderstoodError("this rotation is another one than the line before it gives", line.number)


def _rows(rows: list[TextLine], line: TextLine, notes: list[str]) -> Array:
    if len(rows) < 4:
        raise NotUnderstoodError("a matrix needs four rows", line.number)
    matrix = np.array([numbers_in_line(row.text, "a row of the matrix", row.number, 4) for row in rows])
    return by_matrix(matrix[:3, :3], line.number, notes)


FORM = Form(
    "tf_echo",
    "ROS 2 documentation: Introducing tf2 (tf2_echo); output of ROS 1's tf_echo; shape_msgs/SolidPrimitive",
    re.compile(r"(?m)^[ \t]*+(?:-[ \t]*+)?Translation:[ \t]*+\[|in Quaternion"),
    read,
    EXAMPLES,
)
