"""Rectangles and circles of the plane, as in canvas tutorials, p5.collide2D, pygame and other libraries.

A rectangle has its corner of least coordinates, then its width and height, and no rotation; a circle has its centre and
radius. `collideRectRect`, `collideCircleCircle` and `collideRectCircle` have their values in this order too, but with
diameters; `collidePolyPoly`, `collideCirclePoly` and `collideRectPoly` have their vertices last, in the world frame.
Which way y points is not given, and changes no distance. Sources, read in November 2026: the canvas tutorial on
collisions ("The x-coordinate of the rectangle's top-left corner"), pygame.org ("Rect(left, top, width, height)"), and
the comment on p5.collide2D's calls in public sketches ("collideRectCircle(x1, y1, width1, height1, cx, cy, diameter)");
p5.collide2d.js of June 2020 (collideCirclePoly: cx, cy, diameter, vertices, interior).
"""

from __future__ import annotations

import re

import numpy as np

from .bodies import Given, World, pair_of
from .code import (
    Call,
    Items,
    Name,
    Number,
    Record,
    Statement,
    Value,
    number_in,
    numbers_in,
    statements,
    value_name,
)
from .form import Form, NotUnderstoodError, ReadPair
from .plane import in_space, point, polygon, rectangle
from .program import Variables, target_and_value, without_imports

CORNER = {"Rect", "FRect", "Rectangle", "FloatRect", "IntRect", "QRectF", "QRect", "RectF"}
"""Calls with left, top, width and height."""
BOX_KEYS = (("x", "y", "width", "height"), ("x", "y", "w", "h"), ("left", "top", "width", "height"))
CIRCLE_KEYS = (("x", "y", "radius"), ("x", "y", "r"))
SIDES = ("left", "top", "right", "bottom")
PASSED_OVER = {"name", "id", "color", "colour", "label", "fill", "stroke"}
ASKED = re.compile(r"(?:[\w.]+\.)?(?:colliderect|intersects|Intersects|Overlaps|print|log|println|WriteLine|overlaps)")
"""Calls that query or print."""
EXAMPLES = (
    "const rect1 = { x: 5, y: 5, width: 50, height: 50 };\nconst rect2 = { x: 20, y: 10, width: 10, height: 10 };",
    "a = pygame.Rect(0, 0, 50, 50)\nb = pygame.Rect(40, 0, 50, 50)\nprint(a.colliderect(b))",
    "collideRectCircle(0, 0, 50, 50, 70, 25, 60)",
)


class _Reader:
    def __init__(self) -> None:
        self.variables = Variables()
        self.bodies: list[Given] = []

    def take(self, statement: Statement) -> None:
        """Reads a statement. Raises NotUnderstoodError for one that is not understood."""
        target, value = target_and_value(statement)
        value = self.variables.put(value)
        if isinstance(value, Record):
            self.bodies.append(_record(target, value))
        elif isinstance(value, Items) and value.items and all(isinstance(one, Record) for one in value.items):
            self.bodies += [_record("", one) for one in value.items if isinstance(one, Record)]
        elif isinstance(value, Call) and value.of is None and value.last in CORNER:
            self.bodies.append(_corner(target, value))
        elif isinstance(value, Call) and value.of is None and value.last in CALLS:
            self.bodies += _asked(value)
        elif isinstance(value, Call) and value.of is None and value.last in POLYGONS:
            self.bodies += _asked_polygons(value)
        elif (isinstance(value, Items) and target and "." not in target and value.items and _corners(value)) or (
            isinstance(value, Number) and target and "." not in target
        ):
            self.variables.keep(target, value, statement.line)
        elif not (isinstance(value, Call) and ASKED.fullmatch(value.path)):
            raise NotUnderstoodError(f"{value_name(statement)} is not understood", statement.line)


def _rectangle(name: str, line: int, values: list[float]) -> Given:
    x, y, width, height = values
    given = Given(line, name, polygon(rectangle(0.5 * width, 0.5 * height), line))
    given.position, given.rotation = in_space([x + 0.5 * width, y + 0.5 * height]), np.eye(3)
    given.notes.append("A rectangle's x and y are taken as its corner of least coordinates, as on a canvas.")
    return given


def _circle(name: str, line: int, values: list[float]) -> Given:
    x, y, radius = values
    return Given(line, name, {"type": "circle", "radius": radius}, position=in_space([x, y]), rotation=np.eye(3))


def _record(name: str, record: Record) -> Given:
    """The rectangle or the circle of a record, by its keys.

    Raises NotUnderstoodError for other keys, and for a value that is no number.
    """
    keys = [key for key in record.items if key not in PASSED_OVER]
    for wanted, make in (*((keys_, _rectangle) for keys_ in BOX_KEYS), *((keys_, _circle) for keys_ in CIRCLE_KEYS)):
        if set(keys) == set(wanted):
            return make(name, record.line, [number_in(record.items[key], key) for key in wanted])
    if set(keys) == set(SIDES):
        left, top, right, bottom = (number_in(record.items[key], key) for key in SIDES)
        low, high = min(top, bottom), max(top, bottom)
        return _rectangle(name, record.line, [left, low, right - left, high - low])
    if set(keys) == {"min", "max"}:
        (x, y), (u, v) = point(record.items["min"], "min"), point(record.items["max"], "max")
        return _rectangle(name, record.line, [x, y, u - x, v - y])
    known = {key for wanted in (*BOX_KEYS, *CIRCLE_KEYS, SIDES, ("min", "max")) for key in wanted}
    wrong = next((key for key in keys if key not in known), "")
    told = f"{wrong} is not understood" if wrong else "x, y, width and height, or x, y and radius are expected"
    raise NotUnderstoodError(told, record.line)


def _corner(name: str, call: Call) -> Given:
    args: tuple[Value, ...] = call.args
    if len(args) == 2 and all(isinstance(one, Items | Call) for one in args):
        corner, size = point(args[0], "a corner"), point(args[1], "a size")
        return _rectangle(name, call.line, [*corner, *size])
    if call.named:
        raise NotUnderstoodError(f"{value_name(call)} is not understood", call.line)
    return _rectangle(name, call.line, numbers_in(args, 4, f"{call.last}(…)", call.line))


CALLS = {"collideRectRect": 8, "collideCircleCircle": 6, "collideRectCircle": 7}


def _asked(call: Call) -> list[Given]:
    """The two bodies of a call of p5.collide2D in CALLS. Its circles have diameters.

    Raises NotUnderstoodError for other arguments.
    """
    values = numbers_in(call.args, CALLS[call.last], f"{call.last}(…)", call.line)
    line = call.line

    def circle(three: list[float]) -> Given:
        return _circle("", line, [*three[:2], 0.5 * three[2]])

    match call.last:
        case "collideRectRect":
            return [_rectangle("", line, values[:4]), _rectangle("", line, values[4:])]
        case "collideCircleCircle":
            return [circle(values[:3]), circle(values[3:])]
        case _:
            return [_rectangle("", line, values[:4]), circle(values[4:])]


POLYGONS = {"collidePolyPoly": 0, "collideCirclePoly": 3, "collideRectPoly": 4}
"""The count of numbers before the polygons of a call."""


def _corners(value: Value) -> list[list[float]]:
    """The corners in a list of createVector calls; none for another value.

    Raises NotUnderstoodError for a createVector without two numbers.
    """
    items = value.items if isinstance(value, Items) else ()
    if not all(isinstance(one, Call) and one.last == "createVector" for one in items):
        return []
    # p5's createVector also takes three numbers or none, which are refused here.
    return [numbers_in(one.args, 2, "createVector(…)", one.line) for one in items if isinstance(one, Call)]


def _asked_polygons(call: Call) -> list[Given]:
    """The two bodies of a call in POLYGONS. A last argument, true or false for the interior, is passed over.

    Raises NotUnderstoodError for other arguments.
    """
    args, count = list(call.args), POLYGONS[call.last]
    if args and isinstance(args[-1], Name) and args[-1].path in ("true", "false"):
        args.pop()
    if len(args) != max(count + 1, 2):
        raise NotUnderstoodError(f"{call.last}(…) needs {max(count + 1, 2)} values, got {len(args)}", call.line)
    line, found = call.line, list[Given]()
    if count == 4:
        found.append(_rectangle("", line, numbers_in(tuple(args[:4]), 4, "a rectangle", line)))
    elif count == 3:
        x, y, diameter = numbers_in(tuple(args[:3]), 3, "a circle", line)
        found.append(_circle("", line, [x, y, 0.5 * diameter]))
    for value in args[count:]:
        corners = _corners(value)
        if not corners:
            raise NotUnderstoodError(f"{value_name(value)} of {call.last}(…) is no list of createVector(x, y)", line)
        found.append(Given(line, "", polygon(corners, line), position=np.zeros(3), rotation=np.eye(3)))
    return found


def read(text: str) -> ReadPair:
    """The pair of two rectangles, circles or polygons.

    Raises NotUnderstoodError for a statement that is not understood, an unused variable, and shapes that are no pair.
    """
    reader = _Reader()
    for statement in statements(without_imports(text), real_quotients=True):
        reader.take(statement)
    reader.variables.finish()
    return pair_of(reader.bodies, World("the text", flat=True))


FORM = Form(
    "rects",
    "a canvas tutorial on collisions; pygame.org: Rect; p5.collide2D's calls",
    re.compile(
        r"[{,]\s*[\"']?(?:width|w)[\"']?\s*:(?=[^}]*[\s,\"'](?:height|h)[\"']?\s*:)|[{,]\s*[\"']?(?:radius|r)[\"']?\s*:|[{,]\s*[\"']?(?:right|bottom)[\"']?\s*:"
        r"|\b(?:pygame\.|sf::|new )?(?:F?Rect|Rectangle|FloatRect|IntRect|QRectF?|RectF)\s*\("
        r"|\bcollide(?:Rect|Circle|Poly)"
    ),
    read,
    EXAMPLES,
)
