"""MATLAB's collision geometry with its poses, and matrices of points, as MATLAB and Octave write them.

A box has its three side lengths. A cylinder and a capsule lie along z and have a radius and a length; a capsule's is
the distance between the centres of its caps. A mesh is the hull of its vertices, one a row. `Pose` is a matrix (4, 4)
that multiplies column vectors from the left. Euler angles are intrinsic, [z y x] in the order "ZYX" unless the call
gives another; quaternions are w, x, y, z; an axis precedes its angle; angles are radians. Without bodies, matrices with
rows of two or three numbers are points in the world frame.
Sources, read in November 2026: mathworks.com, Navigation Toolbox: collisionBox, collisionSphere, collisionCylinder,
collisionCapsule ("The total length of the capsule is Length+2(Radius)"), eul2tform ("intrinsic Euler rotation angles"),
Coordinate Transformation Conversion (the forms of each vector).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite, pi, radians
from typing import Any

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, product

from .bodies import (
    Given,
    World,
    ball_of,
    box,
    by_angles,
    by_axis,
    by_matrix,
    by_quaternion,
    capsule,
    cylinder,
    hull,
    pair_of,
)
from .form import MOST_CHARACTERS, Form, NotUnderstoodError, ReadPair
from .vertices import MOVES
from .writer import Writer, WrittenBody, each

WORLD = World("MATLAB", z_up=True)
SHAPES = {"collisionBox": 3, "collisionSphere": 1, "collisionCylinder": 2, "collisionCapsule": 2, "collisionMesh": 1}
PASSED_OVER = {
    *("show", "showCollisionArray", "figure", "hold", "title", "clear", "close", "clc", "disp", "fprintf", "axis"),
    *("view", "grid", "xlabel", "ylabel", "zlabel", "checkCollision", "drawnow", "clearvars", "format"),
}
"""First words of statements that neither place nor size a body."""
DEEPEST = 40
EXAMPLES = (
    "a = collisionBox(1, 1, 1);\nb = collisionSphere(0.5);\nb.Pose = trvec2tform([0.9 0 0]);\n"
    "[hit, d, points] = checkCollision(a, b);",
    "A = [0 0 0; 1 0 0; 0 1 0; 0 0 1];\nB = [0.2 0.2 1; 1.2 0.2 1; 0.2 1.2 1; 0.2 0.2 2];",
)
_TOKEN = re.compile(
    r"(?P<space>[ \t]+|\.\.\.[^\n]*\n)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?)(?!\w|\.(?!\.\.))"
    r"|(?P<name>[A-Za-z]\w*(?:\.\w+)*)"
    r"|(?P<text>\"[^\"\n]*\"|(?<![\w\])'.])'[^'\n]*')|(?P<sign>\.\*|\./|[-+*/=,;()\[\]'\n])"
)
"""The tokens. Three dots at the end of a line continue it on the next one, and are a space."""
Value = Array | Given | str


class _Token(Struct, frozen=True):
    kind: str
    text: str
    line: int


def _tokens(text: str) -> list[_Token]:
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstoodError(f"The text has {len(text):,} characters; a pair has at most {MOST_CHARACTERS:,}.")
    found, place, line = [], 0, 1
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotUnderstoodError(f"{text[place : place + 20].split()[0]} is not understood", line)
        found.append(_Token(match.lastgroup or "", match.group(), line))
        line += match.group().count("\n")
        place = match.end()
    found.append(_Token("end", "", line))
    return found


def _plain(text: str) -> str:
    """The text without comments and prompts. The line numbers stay the same."""
    said = text.replace("\r\n", "\n").replace("\u2212", "-")
    said = re.sub(r"(?m)(?:%|#|//).*$", "", said)
    said = re.sub(r"(?m)^[ \t]*>>[ \t]?", "", said)
    return re.sub(r"/\*.*?\*/", lambda found: "\n" * found.group().count("\n"), said, flags=re.DOTALL)


class _Program:
    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        # `_depth` is 1 where spaces separate values, else 0; `_open` is the count of open brackets.
        self._at = self._depth = self._open = 0
        self.named: dict[str, Value] = {}
        self.bodies: list[Given] = []
        self.unused: dict[str, int] = {}

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _next(self, *, lines: bool = False) -> _Token:
        """The next token, after spaces. `lines`: ends of lines are passed over too."""
        while self._now.kind == "space" or (lines and self._now.text == "\n"):
            self._at += 1
        return self._now

    def _take(self) -> _Token:
        token = self._next()
        self._at += token.kind != "end"
        return token

    def _refuse(self, token: _Token) -> NotUnderstoodError:
        said = {"": "the end of the text", "\n": "the end of the line"}.get(token.text, token.text[:40])
        return NotUnderstoodError(f"{said} is not understood here", token.line)

    def run(self) -> None:
        """Reads all statements. Raises NotUnderstoodError for one that is not understood."""
        while (token := self._next(lines=True)).kind != "end":
            if token.text in ";,":
                self._at += 1
                continue
            self._statement()
            after = self._take()
            if after.kind != "end" and after.text not in (";", ",", "\n"):
                raise self._refuse(after)

    def _statement(self) -> None:
        token = self._next()
        if token.text == "[":
            # A list of results on the left of a query: `[hit, d] = checkCollision(a, b)`.
            while self._now.text not in ("]", "\n", ""):
                self._at += 1
            self._take()
            if self._take().text != "=" or self._next().text not in PASSED_OVER:
                raise NotUnderstoodError("a list without a name is not understood", token.line)
            self._pass_over()
            return
        if token.kind != "name":
            raise self._refuse(token)
        if token.text in PASSED_OVER:
            self._pass_over()
            return
        self._take()
        if self._next().text != "=":
            raise NotUnderstoodError(f"{token.text} is not understood", token.line)
        self._take()
        if self._next().text in PASSED_OVER:
            self._pass_over()
            return
        value = self._sum()
        owner, _, key = token.text.partition(".")
        if not key:
            self._keep(owner, value, token.line)
        elif key == "Pose" and isinstance(given := self.named.get(owner), Given) and isinstance(value, np.ndarray):
            _stand(given, value, token.line)
        else:
            raise NotUnderstoodError(f"{token.text} is not understood", token.line)

    def _keep(self, name: str, value: Value, line: int) -> None:
        if name in self.unused or isinstance(self.named.get(name), Given):
            raise NotUnderstoodError(f"{name} is given twice", line)
        self.named[name] = value
        if isinstance(value, Given):
            value.name = name
            self.bodies.append(value)
        else:
            self.unused[name] = line

    def _pass_over(self) -> None:
        while self._now.text not in (";", "\n", ""):
            self._at += 1

    def _sum(self) -> Value:
        first: Value = self._product()
        while self._next().text in ("+", "-") and not self._parted():
            sign = self._take()
            other = self._product()
            left, right = _numbers(first, sign.line), _numbers(other, sign.line)
            if left.shape != right.shape and 1 not in (left.size, right.size):
                raise NotUnderstoodError("matrices of different size are added", sign.line)
            first = _finite(left + right if sign.text == "+" else left - right, sign)
        return first

    def _parted(self) -> bool:
        """Whether a sign within square brackets begins a new value: `[1 -2]`."""
        if not self._depth:
            return False
        before, after = self._tokens[self._at - 1], self._tokens[self._at + 1]
        return before.kind == "space" and after.kind != "space"

    def _product(self) -> Value:
        first: Value = self._signed()
        while self._next().text in ("*", "/", ".*", "./"):
            sign = self._take()
            left, right = _numbers(first, sign.line), _numbers(self._signed(), sign.line)
            if "/" in sign.text:
                if right.size != 1 or float(right.flat[0]) == 0.0:
                    raise NotUnderstoodError("only a number that is not zero may divide", sign.line)
                first = _finite(left / float(right.flat[0]), sign)
            elif 1 in (left.size, right.size):
                first = _finite(left * right, sign)
            elif sign.text == "*" and left.shape[1] == right.shape[0]:
                first = _finite(product(left, right), sign)
            else:
                raise NotUnderstoodError("the matrices cannot be multiplied", sign.line)
        return first

    def _signed(self) -> Value:
        signs: list[_Token] = []
        while self._next().text in ("-", "+"):
            signs.append(self._take())
        value = self._single()
        while self._now.text == "'":
            value = _numbers(value, self._take().line).T
        for token in reversed(signs):
            value = _numbers(value, token.line) * (-1.0 if token.text == "-" else 1.0)
        return value

    def _single(self) -> Value:
        token = self._take()
        before = self._depth
        if token.kind == "number":
            value = float(re.sub("[dD]", "e", token.text))
            if not isfinite(value):
                raise NotUnderstoodError(f"{token.text[:40]} is too large for double precision", token.line)
            return np.array([[value]])
        if token.kind == "text":
            return token.text[1:-1]
        if token.text in ("(", "["):
            self._open_one(token)
        if token.text == "(":
            self._depth = 0
            inner = self._sum()
            self._close(")", token)
            self._depth = before
            return inner
        if token.text == "[":
            return self._matrix(token)
        if token.kind == "name":
            if self._now.text == "(":
                return self._call(token)
            if token.text == "pi":
                return np.array([[pi]])
            if token.text in self.named:
                self.unused.pop(token.text, None)
                return self.named[token.text]
        raise self._refuse(token)

    def _open_one(self, token: _Token) -> None:
        self._open += 1
        if self._open > DEEPEST:
            raise NotUnderstoodError(f"more than {DEEPEST} brackets stand inside each other", token.line)

    def _close(self, mark: str, opened: _Token) -> None:
        self._open -= 1
        if self._next().text != mark:
            raise NotUnderstoodError(f"the bracket {opened.text} is not closed", opened.line)
        self._at += 1

    def _matrix(self, opened: _Token) -> Array:
        before, self._depth = self._depth, 1
        rows: list[list[Array]] = [[]]
        fresh = True
        while (token := self._next()).text != "]":
            if token.kind == "end":
                raise NotUnderstoodError("the bracket [ is not closed", opened.line)
            if token.text in (";", "\n"):
                self._at += 1
                rows += [[]] if rows[-1] else []
                fresh = True
            elif token.text == ",":
                if fresh:
                    raise NotUnderstoodError("a value is missing before a comma", token.line)
                self._at += 1
                fresh = True
            else:
                rows[-1].append(_numbers(self._sum(), token.line))
                fresh = False
        if fresh and self._tokens[self._at - 1].text == ",":
            raise NotUnderstoodError("a value is missing after a comma", self._now.line)
        self._close("]", opened)
        self._depth = before
        try:
            return np.vstack([np.hstack(row) for row in rows if row]) if rows[0] else np.zeros((0, 0))
        except ValueError:
            raise NotUnderstoodError("the rows of a matrix have different lengths", opened.line) from None

    def _call(self, name: _Token) -> Value:
        before, self._depth = self._depth, 0
        opened = self._take()
        self._open_one(opened)
        args: list[Value] = []
        options: dict[str, Value] = {}
        while self._next(lines=True).text != ")":
            if self._now.kind == "end":
                raise NotUnderstoodError("the bracket ( is not closed", opened.line)
            token, after = self._now, self._tokens[self._at + 1]
            if token.kind == "name" and after.text == "=":
                self._at += 2
                options[token.text] = self._sum()
            else:
                args.append(self._sum())
            if self._next(lines=True).text == ",":
                self._at += 1
                if self._next(lines=True).text in (")", ","):
                    raise NotUnderstoodError("a value is missing beside a comma", self._now.line)
            elif self._now.text != ")":
                raise self._refuse(self._now)
        self._close(")", opened)
        self._depth = before
        while len(args) > 1 and isinstance(args[-2], str) and args[-2] == "Pose":
            options["Pose"] = args[-1]
            args = args[:-2]
        if name.text in SHAPES:
            return _geometry(name, args, options)
        if options or name.text not in CALLS:
            raise NotUnderstoodError(f"{name.text}(…) is not understood", name.line)
        order = args.pop() if name.text in ("eul2tform", "eul2rotm") and args and isinstance(args[-1], str) else "ZYX"
        values = [_numbers(value, name.line) for value in args]
        return CALLS[name.text](values, str(order), name.line)


def _numbers(value: Value, line: int) -> Array:
    if not isinstance(value, np.ndarray):
        raise NotUnderstoodError(f"{value if isinstance(value, str) else 'a body'} is no matrix", line)
    return value


def _finite(matrix: Array, sign: _Token) -> Array:
    if not np.isfinite(matrix).all():
        raise NotUnderstoodError(f"the result of {sign.text} is too large for double precision", sign.line)
    return matrix


def _vector(values: list[Array], count: int, line: int) -> list[float]:
    """The `count` numbers of the one vector in `values`. Raises NotUnderstoodError for another count of either."""
    if len(values) != 1 or values[0].size != count:
        raise NotUnderstoodError(f"a vector of {count} numbers is expected", line)
    found: list[float] = values[0].ravel().tolist()
    return found


def _frame(turn: Array | None = None, way: list[float] | None = None) -> Array:
    found = np.eye(4)
    if turn is not None:
        found[:3, :3] = turn
    if way is not None:
        found[:3, 3] = way
    return found


def _euler(values: list[Array], order: str, line: int) -> Array:
    angles = _vector(values, 3, line)
    if sorted(order.upper()) != ["X", "Y", "Z"]:
        raise NotUnderstoodError(f'the order "{order}" is not understood', line)
    by_letter = dict(zip(order.upper(), angles, strict=True))
    return by_angles([by_letter[letter] for letter in "XYZ"], order.upper())


def _axis(values: list[Array], line: int) -> Array:
    *axis, angle = _vector(values, 4, line)
    return by_axis(axis, angle, line)


def _matrix_of(values: list[Array], line: int) -> Array:
    if len(values) != 1 or values[0].shape != (3, 3):
        raise NotUnderstoodError("a rotation matrix of 3×3 numbers is expected", line)
    return values[0]


def _square(values: list[Array], line: int) -> Array:
    sizes = [float(value.flat[0]) for value in values if value.size == 1]
    if len(sizes) != len(values) or not 1 <= len(sizes) <= 2 or sizes[0] not in (3.0, 4.0) or len(set(sizes)) != 1:
        raise NotUnderstoodError("eye(…) needs 3 or 4", line)
    return np.eye(int(sizes[0]))


def _degrees(values: list[Array], line: int) -> Array:
    if len(values) != 1:
        raise NotUnderstoodError("deg2rad(…) needs one value", line)
    return np.array([[radians(value) for value in row] for row in values[0].tolist()])


def _se3(values: list[Array], line: int) -> Array:
    if len(values) == 1 and values[0].shape == (4, 4):
        return values[0]
    if len(values) == 2 and values[0].shape == (3, 3):
        return _frame(values[0], _vector(values[1:], 3, line))
    raise NotUnderstoodError("se3(…) needs a matrix of 4×4, or one of 3×3 and a position", line)


CALLS: dict[str, Callable[[list[Array], str, int], Array]] = {
    "trvec2tform": lambda values, _, line: _frame(None, _vector(values, 3, line)),
    "rotm2tform": lambda values, _, line: _frame(_matrix_of(values, line)),
    "axang2tform": lambda values, _, line: _frame(_axis(values, line)),
    "axang2rotm": lambda values, _, line: _axis(values, line),
    "quat2tform": lambda values, _, line: _frame(by_quaternion(_vector(values, 4, line), line, normalised=True)),
    "quat2rotm": lambda values, _, line: by_quaternion(_vector(values, 4, line), line, normalised=True),
    "eul2tform": lambda values, order, line: _frame(_euler(values, order, line)),
    "eul2rotm": _euler,
    "eye": lambda values, _, line: _square(values, line),
    "deg2rad": lambda values, _, line: _degrees(values, line),
    "se3": lambda values, _, line: _se3(values, line),
}


def _geometry(name: _Token, args: list[Value], options: dict[str, Value]) -> Given:
    given, line = Given(name.line), name.line
    if len(args) != SHAPES[name.text] or set(options) - {"Pose"}:
        raise NotUnderstoodError(f"{name.text}(…) needs {SHAPES[name.text]} values, got {len(args)}", line)
    values = [_numbers(value, line) for value in args]
    if name.text == "collisionMesh":
        if values[0].ndim != 2 or values[0].shape[1] != 3:
            raise NotUnderstoodError("a mesh needs its vertices, three numbers a row", line)
        given.shape = hull(values[0].tolist())
    else:
        sizes = [_vector([value], 1, line)[0] for value in values]
        shape: dict[str, Any] = {
            "collisionBox": lambda: box(sizes),
            "collisionSphere": lambda: ball_of(*sizes),
            "collisionCylinder": lambda: cylinder(*sizes),
            "collisionCapsule": lambda: capsule(*sizes),
        }[name.text]()
        given.shape, given.axis = shape, "z" if name.text in ("collisionCylinder", "collisionCapsule") else "y"
    if "Pose" in options:
        _stand(given, _numbers(options["Pose"], line), line)
    return given


def _stand(given: Given, pose: Array, line: int) -> None:
    if pose.shape != (4, 4) or pose[3].tolist() != [0.0, 0.0, 0.0, 1.0]:
        raise NotUnderstoodError("a pose must be 4×4 numbers with the last row 0 0 0 1", line)
    # A pose may be set several times: the last one is used.
    given.position, given.rotation = pose[:3, 3], by_matrix(pose[:3, :3], line, given.notes)


def read(text: str) -> ReadPair:
    """The pair of two geometries, or of two matrices of points.

    Raises NotUnderstoodError for a statement that is not understood, for an unused variable beside geometries, and for
    bodies that are no pair.
    """
    program = _Program(_plain(text))
    # Results that are not finite are refused with their line. Numpy must not warn about them.
    with np.errstate(all="ignore"):
        program.run()
    if program.bodies:
        for name, line in program.unused.items():
            raise NotUnderstoodError(f"{name} is given and nothing uses it", line)
        for given in program.bodies:
            given.position = np.zeros(3) if given.position is None else given.position
            given.rotation = np.eye(3) if given.rotation is None else given.rotation
        return pair_of(program.bodies, WORLD)
    found = []
    for name, line in program.unused.items():
        if MOVES.search(name):
            raise NotUnderstoodError(f"{name} is not understood beside lists of points", line)
        found.append(_cloud(name, _numbers(program.named[name], line), line))
    sizes = {len(points[0]) for _, points in found}
    if len(sizes) > 1:
        raise NotUnderstoodError("points of two and of three numbers stand in one pair", found[1][0].line)
    for given, points in found:
        given.shape = {"type": "polygon", "points": points} if sizes == {2} else hull(points)
    if found:
        told = "The points are taken as those of the world: no position or rotation is in the text."
        found[0][0].notes.append(told)
    return pair_of([given for given, _ in found], World("the text", flat=sizes == {2}))


def _cloud(name: str, matrix: Array, line: int) -> tuple[Given, list[list[float]]]:
    if matrix.shape[1] not in (2, 3) or len(matrix) < 2:
        told = f"{name} is {matrix.shape[0]}×{matrix.shape[1]}; points are rows of two or three numbers"
        raise NotUnderstoodError(told, line)
    return Given(line, name, position=np.zeros(3), rotation=np.eye(3)), matrix.tolist()


def _placed(body: WrittenBody) -> str:
    rows = [
        body.text([*turn, place]) for turn, place in zip(body.rotation.tolist(), body.position.tolist(), strict=True)
    ]
    pose = "; ".join([*rows, body.text((0.0, 0.0, 0.0, 1.0))])
    return f"{body.letter} = {body.shape};\n{body.letter}.Pose = [{pose}];"


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"collisionBox({body.of('size')})",
        "sphere": lambda body: f"collisionSphere({body.of('radius')})",
        "capsule": lambda body: f"collisionCapsule({body.of('radius')}, {body.of('length')})",
        "cylinder": lambda body: f"collisionCylinder({body.of('radius')}, {body.of('height')})",
        "hull": lambda body: f"collisionMesh([{'; '.join(map(body.text, body.points))}])",
    },
    each(_placed),
    axis="z",
    comment="% {}",
    about=("Capsules and cylinders lie along z, a capsule's length is without its caps.",),
)


FORM = Form(
    "matlab",
    "mathworks.com: collisionBox, collisionSphere, collisionCylinder, collisionCapsule, eul2tform",
    re.compile(
        r"\bcollision(?:Box|Sphere|Cylinder|Capsule|Mesh)\b|\b\w+2tform\b"
        r"|(?:^|\n)[ \t>]*[A-Za-z]\w*[ \t]*=[ \t]*\[[-+\d.eE \t,]*[;\n][-+\d.eE \t,;\n]*\]"
    ),
    read,
    EXAMPLES,
    WRITE,
)
