"""MoveIt's .scene files: a name, then objects of shapes with their poses.

Each object has a line `* name`, in newer files its own pose, a count of shapes, and for each shape its kind, sizes,
position, quaternion xyzw and colour; newer files end an object with its subframes. A file is a newer one if the line
after the first object's name contains a space. Sizes are full; a cylinder or cone has a radius and a length along z. A
shape's pose is relative to the object's. Sources, read in November 2026: MoveIt 1 planning_scene.cpp
(saveGeometryToStream, loadGeometryFromStream) and geometric_shapes' shape_operations.cpp (saveAsText).
"""

from __future__ import annotations

import re

import numpy as np

from .bodies import Given, World, ball_of, box, by_quaternion, cone, cylinder, pair_of
from .form import Form, NotUnderstoodError, ReadPair
from .lines import TextLine, lines_of, not_understood
from .markup import numbers_of
from .robots import Frame
from .writer import Writer, each

WORLD = World("MoveIt", z_up=True)
SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "cone": 2}
EXAMPLES = (
    "(noname)+\n* a\n1\nbox\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n* b\n1\nsphere\n0.5\n0.9 0 0\n0 0 0 1\n0 0 0 0\n.",
    "(noname)+\n* a\n0 0 0\n0 0 0 1\n1\nbox\n1 1 1\n0 0 0\n0 0 0 1\n0 0 0 0\n0\n"
    "* b\n0.9 0 0\n0 0 0 1\n1\ncylinder\n0.5 2\n0 0 0\n0 0 0 1\n0 0 0 0\n0\n.",
)


class _Lines:
    """The lines of a file, read one after the other."""

    def __init__(self, lines: list[TextLine]) -> None:
        self._lines, self._at = lines, 0

    @property
    def now(self) -> TextLine | None:
        return self._lines[self._at] if self._at < len(self._lines) else None

    def take(self, what: str) -> TextLine:
        line = self.now
        if line is None:
            last = self._lines[-1].number if self._lines else 0
            raise NotUnderstoodError(f"the text ends before {what}", last)
        self._at += 1
        return line

    def numbers(self, what: str, count: int) -> list[float]:
        line = self.take(what)
        return numbers_of(line.text, what, line.number, count)

    def count(self, what: str) -> int:
        line = self.take(what)
        if not re.fullmatch(r"\d{1,6}", line.text):
            raise NotUnderstoodError(f"{line.text[:40]} is no {what}", line.number)
        return int(line.text)

    def pose(self) -> Frame:
        place, line = self.numbers("a position", 3), self.now
        x, y, z, w = self.numbers("a quaternion xyzw", 4)
        return Frame(by_quaternion((w, x, y, z), line.number if line else 0), np.array(place))


def read(text: str) -> ReadPair:
    """The pair of two shapes.

    Raises NotUnderstoodError for a line that is not understood, and for shapes that are no pair.
    """
    lines, found = _Lines(lines_of(text)), list[Given]()
    if lines.now is not None and not lines.now.text.startswith("*"):
        lines.take("the scene's name")
    newer: bool | None = None
    while (line := lines.now) is not None:
        lines.take("an object")
        if line.text == ".":
            break
        if not line.text.startswith("*"):
            raise not_understood(line)
        if newer is None:
            newer = lines.now is not None and " " in lines.now.text
        _object(lines, line, found, newer=newer)
    if (line := lines.now) is not None:
        raise not_understood(line)
    return pair_of(found, WORLD)


def _object(lines: _Lines, line: TextLine, found: list[Given], *, newer: bool) -> None:
    """Adds the shapes of an object to `found`. `line`: the object's first line, which is already read.

    Raises NotUnderstoodError for a line that is not understood.
    """
    outer, name = lines.pose() if newer else Frame(), line.text[1:].strip()
    found.extend(_shape(lines, name, outer) for _ in range(lines.count("count of shapes")))
    for _ in range(lines.count("count of subframes") if newer else 0):
        lines.take("a subframe's name")
        lines.pose()


def _shape(lines: _Lines, name: str, outer: Frame) -> Given:
    kind = lines.take("a shape")
    given = Given(kind.number, name)
    if kind.text not in SIZES:
        raise NotUnderstoodError(f"the shape {kind.text[:40]} is not understood", kind.number)
    sizes = lines.numbers(f"a {kind.text}'s size", SIZES[kind.text])
    match kind.text:
        case "box":
            shape = box(sizes)
        case "sphere":
            shape = ball_of(*sizes)
        case _:
            shape, given.axis = (cylinder if kind.text == "cylinder" else cone)(*sizes), "z"
    given.give("shape", shape, kind.number)
    outer.of(lines.pose()).stand(given, kind.number)
    lines.numbers("a colour", 4)
    return given


WRITE = Writer(
    WORLD,
    {
        "box": lambda body: f"box\n{body.of('size')}",
        "sphere": lambda body: f"sphere\n{body.of('radius')}",
        "cylinder": lambda body: f"cylinder\n{body.of('radius')} {body.of('height')}",
        "cone": lambda body: f"cone\n{body.of('radius')} {body.of('height')}",
    },
    each(
        lambda body: (
            f"* {body.letter}\n0 0 0\n0 0 0 1\n1\n{body.shape}\n"
            f"{body.text(body.position)}\n{body.text(body.xyzw)}\n0 0 0 0\n0"
        ),
        "(noname)+\n",
        ".\n",
    ),
    axis="z",
    between=" ",
)


FORM = Form(
    "moveit",
    "MoveIt 1: planning_scene.cpp; geometric_shapes: shape_operations.cpp",
    re.compile(r"(?m)^[ \t]*\*[ \t]+\S[^\n]*\n\s*[-+.\d]"),
    read,
    EXAMPLES,
    WRITE,
)
