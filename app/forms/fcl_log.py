"""The configuration that FCL and Drake print with an exception of their solver.

Sizes are full; the axis of shapes is z, with the origin in the middle; a capsule's `lz` excludes its caps; a half-space
is n · x < d. `X_FS1` and `X_FS2` are the shapes' poses, matrices (4, 4) by rows. Sources, read in November 2026: FCL
0.7 (failed_at_this_configuration.h; box.h, capsule.h, cone.h, halfspace.h: operator<< and representation), and logs of
FCL's issue 529 and Drake's issues 18704, 21234 and 21673. Lengths are in the unit of the program that printed them.
"""

from __future__ import annotations

import re

import numpy as np

from core.geometry.vector import Array, length

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_matrix,
    capsule,
    cone,
    cylinder,
    ellipsoid,
    half_space,
    hull,
    pair_of,
)
from .form import Form, NotUnderstoodError, ReadPair
from .lines import TextLine, lines_of, not_understood, numbers_in_line

WORLD = World("FCL")
BEFORE = re.compile(
    r"(?:C\+\+ exception with description \")?Error with configuration|Original error message:|terminate called"
    r"|what\(\):|[\w.]*+(?:(?<=Error)|(?<=Exception)|(?<=error)).*:|```"
)
"""The beginnings of the message's lines before the shapes."""
SETTINGS = re.compile(
    r"Solver:|(?:collision_tolerance|max collision iterations|distance[ _]tolerance|max distance iterations):"
    r"|\" ?thrown in the test body\.?$|```$|\"$"
)
"""The beginnings of the lines with the solver's settings, and the end of a message."""
COUNTS = {"Box": 3, "Sphere": 1, "Ellipsoid": 3, "Cylinder": 2, "Capsule": 2, "Cone": 2, "Halfspace": 4}
EXAMPLES = (
    "  Shape 1: Box0.25 0.25 0.25\n  X_FS1\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n"
    "  Shape 2: Cylinder(r: 0.1, lz: 1)\n  X_FS2\n0 -1 0 0.2\n1 0 0 0\n0 0 1 0\n0 0 0 1\n  Solver: GjkSolver_libccd\n"
    "    collision_tolerance:      2.0097183471152322134e-14\n",
    "RuntimeError: Error with configuration\n  Shape 1:\nCylinder<double>(0.041, 0.17);\n  X_FS1\n"
    "1, 0, 0, 0.2,\n0, 1, 0, 0,\n0, 0, 1, 0.3,\n0, 0, 0, 1;\n  Shape 2:\nBox<double>(0.3, 0.6, 0.016);\n  X_FS2\n"
    "1, 0, 0, 0.4,\n0, 1, 0, 0,\n0, 0, 1, 0.27,\n0, 0, 0, 1;\n",
)


def read(text: str) -> ReadPair:
    """The pair of Shape 1 and Shape 2.

    Raises NotUnderstoodError for a line that is not understood, and for a shape or a pose that is missing.
    """
    lines, bodies = lines_of(text), dict[str, Given]()
    poses = set[str]()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := re.fullmatch(r"Shape ([12]):(.*)", line.text):
            number, said = match[1], [match[2].strip()]
            if number in bodies:
                raise NotUnderstoodError(f"Shape {number} is given twice", line.number)
            while at < len(lines) and not re.match(r"X_FS|Shape|Solver", lines[at].text):
                said.append(lines[at].text)
                at += 1
            bodies[number] = _shape(" ".join(said).strip(), TextLine(line.text, line.number))
        elif match := re.fullmatch(r"X_FS([12]):?", line.text):
            number = match[1]
            if number not in bodies or number in poses:
                raise NotUnderstoodError(f"X_FS{number} does not follow its shape", line.number)
            poses.add(number)
            _place(bodies[number], _matrix(lines[at : at + 4], line), line)
            at += 4
        elif not (SETTINGS if bodies else BEFORE).match(line.text):
            raise not_understood(line)
    for number, given in bodies.items():
        if number not in poses:
            raise NotUnderstoodError(f"Shape {number} has no X_FS{number}", given.line)
    return pair_of([bodies[number] for number in sorted(bodies)], WORLD)


def _matrix(rows: list[TextLine], line: TextLine) -> Array:
    if len(rows) < 4:
        raise NotUnderstoodError("a matrix needs four rows", line.number)
    matrix = np.array([numbers_in_line(row.text, "a row of the matrix", row.number, 4) for row in rows])
    if matrix[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        raise NotUnderstoodError("the last row of a pose must be 0 0 0 1", rows[3].number)
    return matrix


def _place(given: Given, matrix: Array, line: TextLine) -> None:
    given.give("position", matrix[:3, 3], line.number)
    given.give("rotation", by_matrix(matrix[:3, :3], line.number, given.notes), line.number)


def _shape(said: str, line: TextLine) -> Given:
    given, match = Given(line.number), re.match(r"([A-Z][a-z]+)(?:<\w+>)?(.*)", said)
    kind, rest = (match[1], match[2]) if match else (said[:40], "")
    if kind == "Convex":
        given.give("shape", hull(_vertices(rest, line)), line.number)
        return given
    if kind not in COUNTS:
        raise NotUnderstoodError(f"the shape {kind or 'after the colon'} is not understood", line.number)
    plain = re.sub(r"\b(?:r|lz|radii|radius|n|d):", " ", rest)
    values = numbers_in_line(plain, kind, line.number, COUNTS[kind])
    given.axis = "z" if kind in ("Cylinder", "Capsule", "Cone") else "y"
    given.give("shape", _sized(kind, values, line), line.number)
    return given


def _sized(kind: str, values: list[float], line: TextLine) -> dict[str, object]:
    match kind:
        case "Box":
            return box(values)
        case "Sphere":
            return ball_of(*values)
        case "Ellipsoid":
            return ellipsoid(values)
        case "Halfspace":
            if abs(float(length(np.array(values[:3]))) - 1.0) > 1e-2:
                raise NotUnderstoodError("a half-space's normal must have length 1", line.number)
            return half_space(values[:3], values[3])
        case _:
            return {"Cylinder": cylinder, "Capsule": capsule, "Cone": cone}[kind](*values)


def _vertices(rest: str, line: TextLine) -> list[list[float]]:
    """The points of a hull that is printed as code. Its faces are passed over.

    Raises NotUnderstoodError without points, and for other words.
    """
    points = re.findall(r"Vector3<\w+>\(([^()]*)\)", rest)
    left = re.sub(r"Vector3<\w+>\(([^()]*)\)", "", rest)
    left = re.sub(r"std::(?:make_shared|initializer_list|vector)|Vector3|int|double|float|true|false", "", left)
    if not points or re.sub(r"[\s\d<>(){},;]", "", left):
        raise NotUnderstoodError("a Convex is printed without its vertices", line.number)
    return [numbers_in_line(point, "a vertex", line.number, 3) for point in points]


FORM = Form(
    "fcl_log",
    "FCL 0.7: failed_at_this_configuration.h and the shapes' operator<<; FCL issue 529, Drake issues 21234, 21673",
    re.compile(r"X_FS[12]"),
    read,
    EXAMPLES,
)
