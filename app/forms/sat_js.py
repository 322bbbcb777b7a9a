"""SAT.js: polygons, circles and boxes of the plane.

A polygon's points are relative to `pos`; `setOffset` moves them before `setAngle` turns them about `pos`,
counter-clockwise, by radians. A Box has its corner at `pos` and full sizes. SAT.js does not define the direction of y:
it points up here unless the text says "y down". Sources: jriecken/sat-js, README 0.4 at 044387c and SAT.js (`_recalc`).
The written text was run in sat 0.9: the verdicts of 60 pairs equal Separatrix's.
"""

from __future__ import annotations

import re

import numpy as np

from core.shapes import Shape

from ..shapes import polygon_corners
from .bodies import Given, World, pair_of
from .code import Assign, Call, Items, Name, Value, number_in, numbers_in
from .form import Form, NotUnderstoodError, ReadPair
from .plane import in_space, moved, plane_rotation, point, polygon
from .program import BodyReader, chained
from .vertices import Y_DOWN, Y_DOWN_LINE
from .writer import Writer, WrittenBody, each

ALIASES = {"V": "Vector", "C": "Circle", "P": "Polygon", "B": "Box"}
"""The README's short names."""
TESTS = re.compile(r"SAT\.(?:test\w+|Response|pointIn\w+)|SAT\.Response|console\.log|require")
"""Calls that neither place nor size a body."""
EXAMPLES = (
    "new SAT.Polygon(new SAT.Vector(0,0), [new SAT.Vector(0,0), new SAT.Vector(40,0), new SAT.Vector(40,40)])\n"
    "new SAT.Circle(new SAT.Vector(50,50), 20)",
    "var V = SAT.Vector;\nvar a = new SAT.Box(new V(0,0), 20, 20).toPolygon();\na.setAngle(0.5);\n"
    "var b = new SAT.Box(new V(10,10), 20, 20).toPolygon();",
)


class _Reader(BodyReader):
    real_quotients = True

    def __init__(self) -> None:
        super().__init__()
        self.offsets: dict[int, list[float]] = {}

    def known(self, one: Assign) -> bool:
        target, value = one.target, one.value
        if isinstance(value, Name) and target in ALIASES and value.path == f"SAT.{ALIASES[target]}":
            return True
        if not isinstance(value, Call):
            return False
        if value.of is None and TESTS.fullmatch(value.path):
            return True
        first, *rest = chain = chained(value)
        owner, _, last = first.path.rpartition(".")
        kind = ALIASES.get(last, last)
        if first.of is None and owner in ("", "SAT") and kind in ("Polygon", "Circle", "Box"):
            self.bodies.append(_shape(kind, first, target))
            chain, k = rest, len(self.bodies) - 1
        else:
            k = next((k for k, given in enumerate(self.bodies) if owner and given.name == owner), -1)
        for call in chain if k >= 0 else ():
            _change(self.bodies[k], k, call, self.offsets)
        return k >= 0

    def all(self) -> list[Given]:
        """The bodies, with their offsets applied. Without setAngle a body has no rotation.

        Raises NotUnderstoodError for an offset of a circle, and for an unused variable.
        """
        for k, offset in self.offsets.items():
            shape = self.bodies[k].shape
            if shape is None or "points" not in shape:
                raise NotUnderstoodError("setOffset(…) of a circle is not understood", self.bodies[k].line)
            self.bodies[k].shape = {**shape, "points": moved(shape["points"], offset)}
        for given in super().all():
            given.rotation = np.eye(3) if given.rotation is None else given.rotation
        return self.bodies


def read(text: str) -> ReadPair:
    """The pair of two shapes of SAT.js.

    Raises NotUnderstoodError as `BodyReader.read`, and for an offset of a circle.
    """
    world = World("SAT.js", flat=True, y_down=bool(Y_DOWN.search(text)))
    return pair_of(_Reader.of(Y_DOWN_LINE.sub("", text)).all(), world)


def _change(given: Given, k: int, call: Call, offsets: dict[int, list[float]]) -> None:
    match call.last:
        case "toPolygon" if not call.args:
            return
        case "setAngle":
            given.give("rotation", plane_rotation(*numbers_in(call.args, 1, "setAngle(…)", call.line)), call.line)
        case "setOffset" if len(call.args) == 1 and k not in offsets:
            offsets[k] = point(call.args[0], "an offset")
        case _:
            raise NotUnderstoodError(f"{call.last}(…) is not understood", call.line)


def _shape(kind: str, call: Call, name: str) -> Given:
    given = Given(call.line, name)
    count = {"Polygon": 2, "Circle": 2, "Box": 3}[kind]
    if len(call.args) != count or call.named:
        raise NotUnderstoodError(f"{kind}(…) needs {count} values, got {len(call.args)}", call.line)
    given.give("position", in_space(point(call.args[0], "a position")), call.line)
    if kind == "Circle":
        given.shape = {"type": "circle", "radius": number_in(call.args[1], "a radius")}
    elif kind == "Box":
        w, h = numbers_in(call.args[1:], 2, "a box's size", call.line)
        given.shape = polygon([[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]], call.line)
    else:
        given.shape = polygon(_points(call.args[1]), call.line)
    return given


def _points(value: Value) -> list[list[float]]:
    if not isinstance(value, Items):
        raise NotUnderstoodError("a polygon needs its points in the call", value.line)
    return [point(one, "a point") for one in value.items]


def _vector(values: str) -> str:
    return f"new SAT.Vector({values})"


def _body(body: WrittenBody) -> str:
    turn = f"\n{body.letter}.setAngle({body.text([body.angle])});" if body.kind == "polygon" else ""
    place = _vector(body.text(body.position[:2]))
    return f"const {body.letter} = new SAT.{body.shape.format(place=place)};{turn}"


def _limit(shape: Shape) -> str:
    corners = polygon_corners(shape)
    return f"has {len(corners)} corners; a polygon of SAT.js has at least 3." if 0 < len(corners) < 3 else ""


WRITE = Writer(
    World("SAT.js", flat=True),
    {
        "polygon": lambda body: f"Polygon({{place}}, [{body.listed(_vector('{}'))}])",
        "circle": lambda body: f"Circle({{place}}, {body.of('radius')})",
    },
    each(_body),
    limit=_limit,
    dimensions=(2,),
    comment="// {}",
    about=("Angles are radians, counter-clockwise where y points up.",),
)


FORM = Form(
    "sat_js",
    "jriecken/sat-js: README 0.4 at 044387c, SAT.js (_recalc)",
    re.compile(r"\bSAT\.(?:Vector|V|Polygon|Circle|Box)\b"),
    read,
    EXAMPLES,
    WRITE,
)
