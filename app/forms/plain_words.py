"""Plain words: two bodies described in a grammar that refuses any other word.

    pair   = body body
    body   = [name] shape [name] part* | [name] min v max v
    shape  = box | cube | cuboid | aabb | sphere | ball | capsule | cylinder | cone | ellipsoid | point | plane
             | half-space | triangle | hull | circle | square | rectangle | polygon
    name   = one letter, or a letter and digits
    part   = centre v | radius r | diameter r | radii v | size v | side r | half extents v | height r | length r
             | p0 v p1 v | min v max v | normal v | offset r | points v+
             | quaternion (wxyz | xyzw | w x y z | x y z w) q
             | axis (v | x | y | z) angle r (degrees | radians) | along (x | y | z)

The points of a hull have three numbers, those of a polygon of the plane two, each point in brackets.

A word may have synonyms (SHAPES, WORD_MEANINGS). Brackets, commas, semicolons, colons, equals signs and the words of
NOISE only separate. Right-handed, y up. Lengths are in scene units; a unit (m, cm, mm) is named in a note, and all
lengths must have the same one. Capsules, cylinders and cones lie along y, with a note, unless `along` names the axis; a
capsule's `length` is the distance between the centres of its caps, its `height` includes the caps. A plane is solid
where normal · p <= offset. The grammar is Separatrix's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import isfinite, radians, sqrt
from typing import Any

import numpy as np
from msgspec import Struct, field

from core.geometry.vector import dot, dots

from .bodies import (
    UPRIGHT,
    Given,
    World,
    ball_of,
    box,
    by_axis,
    by_quaternion,
    capsule,
    capsule_between,
    capsule_in_all,
    cone,
    cylinder,
    ellipsoid,
    half_space,
    hull,
    pair_of,
)
from .form import Form, NotUnderstoodError, ReadPair, checked_length
from .writer import Writer, WrittenBody, each

SHAPES = {
    **dict.fromkeys(("box", "cube", "cuboid", "aabb", "obb", "block"), "box"),
    **dict.fromkeys(("sphere", "ball"), "sphere"),
    **dict.fromkeys(("plane", "half-space", "halfspace", "ground"), "plane"),
    **{word: word for word in ("capsule", "cylinder", "cone", "ellipsoid", "point", "triangle", "circle")},
    **{word: word for word in ("hull", "polygon")},
    **dict.fromkeys(("square", "rectangle"), "rectangle"),
}
WORD_MEANINGS = {
    **dict.fromkeys(("centre", "center", "position", "pos", "at", "translation", "origin", "location"), "centre"),
    **dict.fromkeys(("radius", "r"), "radius"),
    **dict.fromkeys(("size", "sizes", "dimensions", "dims"), "size"),
    **dict.fromkeys(("half-extents", "half-extent", "half-size", "half-sizes", "halfextents", "halfsize"), "half"),
    **dict.fromkeys(("points", "vertices", "verts", "corners"), "points"),
    **dict.fromkeys(("p0", "start", "from"), "p0"),
    **dict.fromkeys(("p1", "end", "to"), "p1"),
    **dict.fromkeys(("min", "minimum", "lower"), "min"),
    **dict.fromkeys(("max", "maximum", "upper"), "max"),
    **dict.fromkeys(("offset", "d"), "offset"),
    **dict.fromkeys(("quaternion", "quat", "orientation"), "quaternion"),
    **{word: word for word in ("diameter", "radii", "side", "height", "length", "normal", "axis", "angle", "along")},
}
"""The grammar's word for a part, by each synonym."""
COUNTS = {
    "centre": 3,
    "radius": 1,
    "diameter": 1,
    "radii": 3,
    "size": 3,
    "side": 1,
    "half": 3,
    "height": 1,
    "length": 1,
}
COUNTS |= {"p0": 3, "p1": 3, "min": 3, "max": 3, "normal": 3, "offset": 1, "quaternion": 4, "angle": 1}
"""The count of numbers of each part; in the plane 2 instead of 3."""
WITHOUT_UNIT = ("normal", "quaternion", "axis", "angle")
"""Parts that are no lengths."""
FLAT = ("circle", "rectangle", "polygon")
NOISE = {"a", "an", "the", "and", "with", "of", "is", "its", "body", "shape", "vs", "versus", "against", "has", "pair"}
UNITS = {"m": "m", "cm": "cm", "mm": "mm", "meter": "m", "meters": "m", "metre": "m", "metres": "m"}
ANGLES = {"degrees": True, "degree": True, "deg": True, "°": True, "radians": False, "radian": False, "rad": False}
EXAMPLES = (
    "plane 0 1 0 0; sphere center (0, 0.4, 0) radius 0.5",
    "capsule A p0 (0,0,0) p1 (1,0,0) radius 0.1\ncapsule B p0 (0,0.15,0) p1 (1,0.15,0) radius 0.1",
    "box size 1 1 1 at 0 0 0\nbox half extents 0.5 0.5 0.5 at 1.1 0 0 axis z angle 45 degrees",
    "A: min (0, 0, 0) max (1, 1, 1)\nB: min (0.9, 0, 0) max (2, 1, 1)",
)
_ORDER = re.compile(
    r"(?i)\b(quaternion|quat|orientation)[ \t]*[:=]?[ \t]*[(\[]?[ \t]*(x[\s,]+y[\s,]+z[\s,]+w|w[\s,]+x[\s,]+y[\s,]+z)\b"
)
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[-+]?(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?\d++)?+)"
    r"|(?P<word>[^\W\d_][\w-]*|°)|(?P<gap>[\s,;:=()\[\]{}|]+)|(?P<note>\#[^\n]*)"
)


class _Token(Struct, frozen=True):
    """A word or a number. `opens_group`: a bracket or a semicolon precedes it; `begins`: a semicolon or a new line."""

    word: str
    number: float | None
    line: int
    opens_group: bool = False
    begins: bool = True


class _Body(Struct):
    """A body. `kind`: its shape, by a value of SHAPES; `parts`: the numbers of each part, "" for those after the shape.

    `groups`: for each part the counts of its numbers between brackets; `lines`: the line number of each part. `axis`:
    after "x" the letter of the rotation's axis, after "l" that of `along`. `degrees`: None if the text gives no unit.
    `united`: the parts that have a unit of length.
    """

    kind: str
    line: int
    name: str = ""
    parts: dict[str, list[float]] = field(default_factory=dict)
    groups: dict[str, list[int]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    axis: str = ""
    w_first: bool = True
    degrees: bool | None = None
    united: set[str] = field(default_factory=set)


def _tokens(text: str) -> Iterator[_Token]:
    plain, place, line = checked_length(text).replace("\u2212", "-"), 0, 1
    plain = re.sub(r"(?i)\bhalf[ _](extents?|sizes?)\b", r"half-\1", plain)
    plain = re.sub(r"(?i)\b(at|centred at|centered at|position)\s+(?:the\s+)?origin\b", r"\1 0 0 0", plain)
    plain = _ORDER.sub(lambda found: f"{found[1]} {re.sub('[^wxyz]', '', found[2].lower())}", plain)
    plain = re.sub(r"(?<=\d)[ \t]*[x×][ \t]*(?=[\d.])", " ", plain)
    opens_group = begins = True
    while place < len(plain):
        match = _TOKEN.match(plain, place)
        if match is None:
            raise NotUnderstoodError(f"{plain[place]!r} is not understood", line)
        if match["number"] is not None:
            value = float(match["number"])
            if not isfinite(value):
                raise NotUnderstoodError(f"{match['number'][:40]} is too large for double precision", line)
            yield _Token("", value, line, opens_group, begins)
            opens_group = begins = False
        elif match["word"] is not None:
            yield _Token(match["word"].lower(), None, line, opens_group, begins)
            opens_group = begins = False
        else:
            opens_group = opens_group or bool(set(match.group()) & set(";()[]{}"))
            begins = begins or bool(set(match.group()) & set(";\n"))
        line += match.group().count("\n")
        place = match.end()


def read(text: str) -> ReadPair:
    """The pair that plain words describe.

    Raises NotUnderstoodError for a word that is not in the grammar, and for a missing or wrong part.
    """
    bodies, units = _bodies(list(_tokens(text)))
    flat = bool(bodies) and all(body.kind in FLAT for body in bodies)
    for body in bodies if units else ():
        _one_unit(body)
    given = [_given(body, flat=flat) for body in bodies]
    if units and given:
        given[0].notes.append(f"Lengths are in {next(iter(units))}, as in the text.")
    return pair_of(given, World("the text", flat=flat))


def _bodies(tokens: list[_Token]) -> tuple[list[_Body], dict[str, int]]:
    bodies: list[_Body] = []
    units: dict[str, int] = {}
    part = ""
    for k, token in enumerate(tokens):
        before = tokens[k - 1].word if k else ""
        if token.number is not None:
            if not bodies:
                raise NotUnderstoodError(f"{token.number:g} stands before any shape", token.line)
            bodies[-1].parts.setdefault(part, []).append(token.number)
            bodies[-1].lines.setdefault(part, token.line)
            groups = bodies[-1].groups.setdefault(part, [])
            if token.opens_group or not groups:
                groups.append(0)
            groups[-1] += 1
        elif token.word in SHAPES or _begins_a_box(tokens, k):
            bodies.append(_Body(SHAPES.get(token.word, "box"), token.line))
            part = WORD_MEANINGS.get(token.word, "")
        elif not bodies and (token.word in NOISE or _names_the_next(tokens, k)):
            continue
        elif not bodies:
            raise NotUnderstoodError(f"{token.word} stands before any shape", token.line)
        elif token.word in UNITS and k and tokens[k - 1].number is not None:
            units.setdefault(UNITS[token.word], token.line)
            bodies[-1].united.add(part)
            if len(units) > 1:
                raise NotUnderstoodError(f"lengths are in {' and in '.join(units)}: one unit is expected", token.line)
        elif before in SHAPES and re.fullmatch(r"[a-z]\d*", token.word) and not _names_a_number(tokens, k):
            bodies[-1].name = token.word
        elif token.word in ("x", "y", "z") and part in ("axis", "along"):
            bodies[-1].axis = bodies[-1].axis + part[1] + token.word
        elif token.word in ("wxyz", "xyzw") and part == "quaternion":
            bodies[-1].w_first = token.word == "wxyz"
            bodies[-1].lines["order"] = token.line
        elif token.word in ANGLES and part == "angle":
            bodies[-1].degrees = ANGLES[token.word]
        elif _names_the_next(tokens, k):
            continue
        elif token.word in ("extent", "extents"):
            raise NotUnderstoodError(f"{token.word} may be half or whole: write half extents or size", token.line)
        elif token.word in WORD_MEANINGS:
            part = WORD_MEANINGS[token.word]
            if part in bodies[-1].lines:
                raise NotUnderstoodError(f"{token.word} of this {bodies[-1].kind} is given twice", token.line)
            bodies[-1].lines[part] = token.line
        elif token.word not in NOISE:
            raise NotUnderstoodError(f"{token.word} is not understood", token.line)
    return bodies, units


def _names_the_next(tokens: list[_Token], k: int) -> bool:
    """Whether the word with index `k` is a name before a shape, as in `B sphere`."""
    name = re.fullmatch(r"[a-z]\d*", tokens[k].word) and tokens[k].word not in WORD_MEANINGS
    following = tokens[k + 1].word if name and k + 1 < len(tokens) else ""
    return following in SHAPES or WORD_MEANINGS.get(following) == "min"


def _begins_a_box(tokens: list[_Token], k: int) -> bool:
    """Whether the word with index `k` is a `min` that begins a new body, a box.

    It does after a semicolon or a new line, if only a name or words of NOISE come between.
    """
    first = k
    while first and not tokens[first].begins:
        if tokens[first - 1].word not in NOISE and not _names_the_next(tokens, first - 1):
            return False
        first -= 1
    return WORD_MEANINGS.get(tokens[k].word) == "min"


def _names_a_number(tokens: list[_Token], k: int) -> bool:
    """Whether the word with index `k` is the short name of a part (r, d), because a number follows it."""
    return tokens[k].word in WORD_MEANINGS and k + 1 < len(tokens) and tokens[k + 1].number is not None


def _one_unit(body: _Body) -> None:
    """Raises NotUnderstoodError for a length without a unit, except 0, and for a unit of a part that is no length."""
    for name, values in body.parts.items():
        if name not in (*WITHOUT_UNIT, *body.united) and any(values):
            line = body.lines.get(name, body.line)
            raise NotUnderstoodError(f"{name or body.kind} has no unit, and other lengths have one", line)
    if wrong := body.united & set(WITHOUT_UNIT):
        name = sorted(wrong)[0]
        raise NotUnderstoodError(f"{name} is no length and has a unit", body.lines.get(name, body.line))


def _given(body: _Body, *, flat: bool) -> Given:
    given = Given(body.line, body.name)
    parts = _Parts(body, flat=flat)
    parts.shape(given)
    for name in body.lines:
        if name in COUNTS and name not in body.parts:
            raise NotUnderstoodError(f"{name} of this {body.kind} has no number", body.lines[name])
    if "axis" in body.lines and "angle" not in body.parts:
        raise NotUnderstoodError("an axis needs its angle; along z says which way a shape lies", body.lines["axis"])
    if "along" in body.lines and (body.kind not in UPRIGHT or parts.has("p0") or not re.search(r"l[xyz]", body.axis)):
        raise NotUnderstoodError(f"along of this {body.kind} is not understood", body.lines["along"])
    if flat and any(abs(value) > 0.0 for value in _tilt(body)):
        raise NotUnderstoodError("a rotation in the plane is about z", body.line)
    if "offset" in body.parts and "centre" in body.parts:
        raise NotUnderstoodError("a plane with an offset needs no centre", body.lines["centre"])
    if "centre" in body.parts:
        given.give("position", np.array(parts.numbers("centre")), body.line)
    if "quaternion" in body.parts:
        if "order" not in body.lines:
            raise NotUnderstoodError("a quaternion needs its order, wxyz or xyzw", body.lines["quaternion"])
        q = parts.numbers("quaternion")
        q = q if body.w_first else [q[3], *q[:3]]
        given.give("rotation", by_quaternion(q, body.lines["quaternion"]), body.line)
    if "angle" in body.parts:
        given.give("rotation", parts.turn(), body.line)
    if body.kind == "plane":
        # The normal and offset place a plane fully, so the missing pose is no assumption.
        given.position = np.zeros(3) if given.position is None else given.position
        given.rotation = np.eye(3) if given.rotation is None else given.rotation
    if left := set(body.parts) - parts.read:
        name = sorted(left)[0]
        what = f"{name} of a {body.kind}" if name else f"{body.parts[''][0]:g} after {body.kind}"
        raise NotUnderstoodError(f"{what} is not understood", body.lines.get(name, body.line))
    return given


def _tilt(body: _Body) -> list[float]:
    """Numbers that are all 0 if the rotation's axis is z: the x and y of its quaternion or axis."""
    if "quaternion" in body.parts:
        values = body.parts["quaternion"]
        return values[1:3] if body.w_first else values[:2]
    if re.search(r"x[xy]", body.axis):
        return [1.0]
    return body.parts.get("axis", [])[:2]


class _Parts:
    """The numbers of a body's parts. `read`: the names of the parts that were read."""

    def __init__(self, body: _Body, *, flat: bool) -> None:
        self._body, self._flat, self.read = body, flat, set[str]()

    def has(self, *names: str) -> bool:
        """Whether the text gives all of these parts."""
        return all(name in self._body.parts for name in names)

    def numbers(self, name: str) -> list[float]:
        """The numbers of a part; of a vector in the plane with a third, 0.

        Raises NotUnderstoodError if the part is missing, or has another count of numbers.
        """
        values, line = self._body.parts.get(name), self._body.lines.get(name, self._body.line)
        if values is None:
            raise NotUnderstoodError(f"the {name} of this {self._body.kind} is missing", line)
        count = 2 if self._flat and COUNTS[name] == 3 else COUNTS[name]
        if len(values) != count:
            raise NotUnderstoodError(f"{name} needs {count} number{'s' * (count != 1)}, got {len(values)}", line)
        self.read.add(name)
        return [*values, 0.0] if count == 2 else values

    def radius(self) -> float:
        """The radius, or half of the diameter. Raises NotUnderstoodError without either."""
        return 0.5 * self.numbers("diameter")[0] if self.has("diameter") else self.numbers("radius")[0]

    def turn(self) -> Any:
        """The rotation matrix (3, 3) of an angle about an axis. Raises NotUnderstoodError without a unit or an axis."""
        body = self._body
        (angle,) = self.numbers("angle")
        if body.degrees is None:
            raise NotUnderstoodError("an angle needs degrees or radians", body.lines["angle"])
        if self.has("axis"):
            axis = self.numbers_of_axis()
        elif self._flat and "axis" not in body.lines:
            axis = [0.0, 0.0, 1.0]
        else:
            letter = re.search(r"x([xyz])", body.axis)
            if letter is None:
                raise NotUnderstoodError("an angle needs its axis", body.lines["angle"])
            axis = np.eye(3)["xyz".index(letter[1])].tolist()
        return by_axis(axis, radians(angle) if body.degrees else angle, body.lines["angle"])

    def numbers_of_axis(self) -> list[float]:
        """The three numbers of an axis. Raises NotUnderstoodError for another count."""
        values = self._body.parts["axis"]
        if len(values) != 3:
            raise NotUnderstoodError(f"axis needs 3 numbers, got {len(values)}", self._body.lines["axis"])
        self.read.add("axis")
        return values

    def shape(self, given: Given) -> None:
        """Gives a body its shape, and a position or turn that the shape's parts imply.

        Raises NotUnderstoodError for a missing or wrong size.
        """
        body = self._body
        if (letter := re.search(r"l([xyz])", body.axis)) is not None:
            given.axis = letter[1]
        elif body.kind in UPRIGHT and not self.has("p0"):
            given.notes.append(
                f"The {body.kind} of line {body.line} lies along y, as the text does not say along what."
            )
        match body.kind:
            case "box" | "rectangle":
                self._box(given)
            case "sphere":
                given.shape = ball_of(self.radius())
            case "circle":
                given.shape = {"type": "circle", "radius": self.radius()}
            case "capsule":
                self._capsule(given)
            case "cylinder":
                given.shape = cylinder(self.radius(), self._height())
            case "cone":
                given.shape = cone(self.radius(), self._height())
            case "ellipsoid":
                given.shape = ellipsoid(self.numbers("radii"))
            case "plane":
                self._plane(given)
            case "point":
                self._points(given, 1)
            case "triangle":
                self._points(given, 3)
            case _:
                self._corners(given)

    def _height(self) -> float:
        return self.numbers("height" if self.has("height") else "length")[0]

    def _box(self, given: Given) -> None:
        if self.has("min", "max"):
            low, high = np.array(self.numbers("min")), np.array(self.numbers("max"))
            sizes = (high - low).tolist()
            given.give("position", 0.5 * (low + high), self._body.line)
        elif self.has("half"):
            sizes = [2.0 * value for value in self.numbers("half")]
        elif self.has("side"):
            sizes = 3 * self.numbers("side")
        elif self.has(""):
            self._bare("size")
            given.notes.append("The numbers after box are taken as its whole size.")
            sizes = self.numbers("size")
        else:
            sizes = self.numbers("size")
        if self._flat:
            x, y = 0.5 * sizes[0], 0.5 * sizes[1]
            given.shape = {"type": "polygon", "points": [[-x, -y], [x, -y], [x, y], [-x, y]]}
        else:
            given.shape = box(sizes)

    def _bare(self, name: str) -> None:
        """Takes the numbers after the shape's word as those of the part `name`."""
        self._body.parts[name] = self._body.parts.pop("")

    def _capsule(self, given: Given) -> None:
        if self.has("p0", "p1"):
            for other in ("centre", "quaternion", "angle"):
                if self.has(other):
                    raise NotUnderstoodError(f"a capsule with p0 and p1 needs no {other}", self._body.lines[other])
            capsule_between(given, self.numbers("p0"), self.numbers("p1"), self.radius(), self._body.line)
            self._placed_by_points(given)
        elif self.has("height"):
            given.shape = capsule_in_all(self.radius(), self.numbers("height")[0], self._body.line)
        else:
            given.shape = capsule(self.radius(), self.numbers("length")[0])

    def _plane(self, given: Given) -> None:
        line = self._body.line
        if self.has(""):
            values = self._body.parts.pop("")
            if len(values) not in (3, 4):
                raise NotUnderstoodError(f"a plane needs its normal and its offset, got {len(values)} numbers", line)
            if len(values) == 4 and values[3] != 0.0:
                raise NotUnderstoodError(
                    "the fourth number of a plane may be d of n·p = d or of n·p + d = 0: write offset d for the first",
                    line,
                )
            normal, offset = values[:3], 0.0
        else:
            normal = self.numbers("normal")
            offset = self.numbers("offset")[0] if self.has("offset") else 0.0
        size = sqrt(sum(value * value for value in normal))
        if abs(size - 1.0) > 1e-6 and offset != 0.0:
            raise NotUnderstoodError(f"a normal with an offset must have length 1, got {size:g}", line)
        given.shape = half_space(normal, offset)

    def _points(self, given: Given, count: int) -> None:
        name = "points" if self.has("points") else ""
        if count == 1 and not name and self.has("centre"):
            given.shape = hull([(0.0, 0.0, 0.0)])
            return
        values = self._body.parts.get(name, [])
        if len(values) != 3 * count:
            raise NotUnderstoodError(
                f"a {self._body.kind} needs {3 * count} numbers, got {len(values)}",
                self._body.lines.get(name, self._body.line),
            )
        self.read.add(name)
        given.shape = hull(np.array(values).reshape(-1, 3).tolist())
        given.give("position", np.zeros(3), self._body.line)

    def _corners(self, given: Given) -> None:
        """Gives a body the shape of a hull or a polygon, whose points each have brackets.

        Raises NotUnderstoodError for a polygon in space, and for rows of another width.
        """
        body, count = self._body, 2 if self._flat else 3
        name = "points" if self.has("points") else ""
        line = body.lines.get(name, body.line)
        if not self._flat and body.kind == "polygon":
            raise NotUnderstoodError("a polygon beside a body of space is not understood", body.line)
        if set(body.groups.get(name, [])) != {count}:
            raise NotUnderstoodError(f"a {body.kind} needs its points, {count} numbers in brackets each", line)
        self.read.add(name)
        points = np.array(body.parts[name]).reshape(-1, count).tolist()
        given.shape = {"type": "polygon", "points": points} if self._flat else hull(points)
        self._placed_by_points(given)

    def _placed_by_points(self, given: Given) -> None:
        """Sets the missing position and turn, without notes: points in the world frame imply them."""
        if not self.has("centre"):
            given.give("position", np.zeros(3), self._body.line)
        if not (self.has("quaternion") or self.has("angle")):
            given.give("rotation", np.eye(3), self._body.line)


def _plane_words(body: WrittenBody) -> str:
    """The words for a plane, with its normal and offset in the world frame."""
    normal = dots(body.rotation, body.normal)
    return f"plane normal {body.text(normal)} offset {body.text([body.offset + dot(normal, body.position)])}"


def _words_for(body: WrittenBody) -> str:
    match body.kind:
        case "halfspace":
            return body.shape
        case "polygon" | "circle":
            return f"{body.shape} at {body.text(body.position[:2])} angle {body.text([body.angle])} radians"
        case "sphere":
            return f"{body.shape} at {body.text(body.position)}"
    return f"{body.shape} at {body.text(body.position)} quaternion wxyz {body.text(body.wxyz)}"


def _sized(kind: str, *sizes: tuple[str, str]) -> Callable[[WrittenBody], str]:
    return lambda body: " ".join((kind, *(f"{word} {body.of(key)}" for word, key in sizes)))


def _upright(kind: str, *sizes: tuple[str, str]) -> Callable[[WrittenBody], str]:
    return lambda body: f"{_sized(kind, *sizes)(body)} along y"


WRITE = Writer(
    World("the text"),
    {
        "box": _sized("box", ("size", "size")),
        "sphere": _sized("sphere", ("radius", "radius")),
        "capsule": _upright("capsule", ("radius", "radius"), ("length", "length")),
        "cylinder": _upright("cylinder", ("radius", "radius"), ("height", "height")),
        "cone": _upright("cone", ("radius", "radius"), ("height", "height")),
        "ellipsoid": _sized("ellipsoid", ("radii", "radii")),
        "hull": lambda body: f"hull points {body.listed('({})')}",
        "halfspace": _plane_words,
        "polygon": lambda body: f"polygon points {body.listed('({})')}",
        "circle": _sized("circle", ("radius", "radius")),
    },
    each(_words_for),
    dimensions=(2, 3),
    between=" ",
    comment="# {}",
    name="plain words",
)


FORM = Form(
    "words",
    "the grammar in app/forms/plain_words.py",
    re.compile(
        rf"(?i)^\W{{0,20}}(?:(?:{'|'.join(NOISE)})\s+)*(?:[a-z]\d?\s*[:=]?\s+)?"
        rf"(?:(?:{'|'.join(SHAPES)})\b(?!\(|\s*[<.])|(?:min|minimum|lower)\b(?![(<.\[]))"
    ),
    read,
    EXAMPLES,
    WRITE,
)
