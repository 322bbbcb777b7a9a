"""The protocol of all adapters in this folder. It needs only the standard library of Python 3.10.

An adapter imports this file before its engine: standard output is then reserved for the protocol, and the engine's own
output goes to standard error. A question is one line of JSON, `{"id", "a", "b", "margin": "zero"|"default"}`, with
bodies as in a scene file (a hull also has its `faces`); `margin`: the engine's collision margin. An answer is one line:

    {"id", "separation": number|null, "normal", "on_a", "on_b": vector|null,
     "contacts": [{"point", "separation": number|null}], "features": text|null, "us",
     "simplexes": the simplexes of a search in order, if the engine tells them: [[point of A - B, ...], ...]}

or `{"id", "unsupported": shape}` or `{"id", "error": sentence}`. `normal` is a unit vector from A to B; separations are
negative if the bodies overlap; coordinates are in the world, in scene units; in the plane a vector's third number is
0. `features` are the engine's own names; `us` is the time in microseconds. Before the first question the adapter writes
`{"ready": name, "version", "python", "precision": 32|64, "kind": "distance"|"contacts", "pairs": [[shape, shape]]}`;
`kind`: whether the engine gives a separation or only contacts; `pairs`: the pairs of kinds of shape that it supports.
"""

import faulthandler
import json
import math
import os
import sys
import time
from itertools import combinations_with_replacement

_out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)

HANG_SECONDS = 10.0
"""Seconds after which an adapter whose engine hangs ends itself.

Separatrix ends such an adapter earlier, unless Separatrix itself has ended.
"""

UPRIGHT = ("capsule", "cylinder", "cone")
"""Shapes whose axis is y in a scene and another axis in most engines."""

Z_TO_Y = (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0)
X_TO_Y = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
"""Quaternions (w, x, y, z) that rotate an engine's axis to the scene's y, for `QuestionBody.turned`."""


class UnsupportedShape(Exception):  # noqa: N818 (an answer rather than an error)
    """The engine has no such shape or pair; the message names it."""


class QuestionBody:
    """A body of a question.

    `kind`: the shape's word; `shape`: its sizes, by the keys of a scene file; `key`: the shape as text, for caches;
    `position`: (3,), or (2,) in the plane; `rotation`: a unit quaternion (w, x, y, z), the identity in the plane;
    `angle`: of a body in the plane, radians, else 0. Raises ValueError for bad numbers, and UnsupportedShape for a
    rounded shape.
    """

    def __init__(self, data, name):
        self.shape = data["shape"]
        self.kind = self.shape["type"]
        self.key = json.dumps(self.shape, sort_keys=True)
        self.position = [float(x) for x in data["position"]]
        flat = len(self.position) == 2
        turned = data.get("rotation", 0.0 if flat else (1.0, 0.0, 0.0, 0.0))
        self.angle = float(turned) if flat else 0.0
        self.rotation = (1.0, 0.0, 0.0, 0.0) if flat else tuple(float(x) for x in turned)
        _finite([self.shape, self.position, list(self.rotation), self.angle], name)
        size = math.sqrt(sum(x * x for x in self.rotation))
        if not size > 0.0:
            raise ValueError(name + ".rotation must not be the zero quaternion")
        self.rotation = tuple(x / size for x in self.rotation)
        if self.shape.get("border_radius"):
            raise UnsupportedShape("rounded " + self.kind)

    def turned(self, to_y):
        """The rotation for an engine, a quaternion. `to_y` rotates the axis of the engine's shapes to the scene's y.

        Shapes that are not in UPRIGHT keep the body's rotation.
        """
        return product(self.rotation, to_y) if self.kind in UPRIGHT else self.rotation

    def turned_z(self):
        """The rotation for engines whose shapes have the axis z, as in most."""
        return self.turned(Z_TO_Y)

    def matrix(self, to_y=Z_TO_Y):
        """The rotation matrix of `turned`, as three rows."""
        w, x, y, z = self.turned(to_y)
        return (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )

    def world(self, point):
        """A point of the body's frame in the world; two coordinates in the plane."""
        if len(self.position) == 2:
            c, s = math.cos(self.angle), math.sin(self.angle)
            x, y = point[0], point[1]
            return [self.position[0] + c * x - s * y, self.position[1] + s * x + c * y]
        return plus(self.position, times(self.matrix((1.0, 0.0, 0.0, 0.0)), point))

    def own_plane(self):
        """A half-space's outward unit normal and offset, n.p = offset, in its own frame."""
        size = math.sqrt(sum(x * x for x in self.shape["normal"]))
        return [x / size for x in self.shape["normal"]], self.shape["offset"] / size

    def plane(self):
        """The half-space's normal and offset in the world."""
        normal, offset = self.own_plane()
        normal = times(self.matrix(), normal)
        return normal, offset + dot(normal, self.position)

    def reach(self):
        """An upper bound of the distance from the body's position to its farthest point; 0 for a half-space."""
        sizes = self.shape
        if self.kind in ("hull", "polygon"):
            return max(math.sqrt(dot(p, p)) for p in sizes["points"])
        spans = [*sizes.get("size", ()), *sizes.get("radii", ())]
        return sum(map(abs, spans)) + sizes.get("radius", 0.0) + sizes.get("length", 0.0) + sizes.get("height", 0.0)


def full_sized(library, body):
    """A new shape of Coal or FCL, whose constructors are the same: full sizes and heights, axes along z.

    Raises UnsupportedShape for another kind.
    """
    sizes = body.shape
    match body.kind:
        case "box":
            return library.Box(*sizes["size"])
        case "sphere":
            return library.Sphere(sizes["radius"])
        case "capsule":
            return library.Capsule(sizes["radius"], sizes["length"])
        case "cylinder":
            return library.Cylinder(sizes["radius"], sizes["height"])
        case "cone":
            return library.Cone(sizes["radius"], sizes["height"])
        case "ellipsoid":
            return library.Ellipsoid(*sizes["radii"])
    raise UnsupportedShape(body.kind)


def product(p, q):
    """The quaternion of the rotation by q, then by p."""
    a, b, c, d = p
    w, x, y, z = q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


def upward(normal):
    """A quaternion that takes z to the unit normal."""
    x, y, z = normal
    size = math.sqrt(x * x + y * y + (1.0 + z) ** 2)
    return ((1.0 + z) / size, -y / size, x / size, 0.0) if size > 1e-9 else (0.0, 1.0, 0.0, 0.0)


def dot(u, v):
    """The scalar product."""
    return sum(x * y for x, y in zip(u, v, strict=True))


def plus(u, v, by=1.0):
    """The vector u + by * v."""
    return [x + by * y for x, y in zip(u, v, strict=True)]


def times(rows, v):
    """The product of a matrix's rows with a column."""
    return [dot(row, v) for row in rows]


def unit(v):
    """The unit vector along v; None for zero."""
    size = math.sqrt(sum(float(x) * float(x) for x in v))
    return [float(x) / size for x in v] if size > 0.0 else None


def floats(v):
    """The vector as three floats, the third 0 in the plane; None for None."""
    return None if v is None else [*[float(x) for x in v], 0.0][:3]


def answer(separation, normal=None, on_a=None, on_b=None, contacts=(), features=None, simplexes=()):
    """The fields of an answer. `contacts`: pairs of a point and its separation.

    `features`, `simplexes`: as in the module's docstring.
    """
    return {
        "separation": None if separation is None else float(separation),
        "normal": floats(normal),
        "on_a": floats(on_a),
        "on_b": floats(on_b),
        "contacts": [
            {"point": floats(point), "separation": None if depth is None else float(depth)} for point, depth in contacts
        ],
        "features": features,
        "simplexes": [[floats(point) for point in simplex] for simplex in simplexes],
    }


def pairs_of(kinds, but=()):
    """All unordered pairs of the kinds, without two half-spaces and without those in `but`."""
    left_out = {frozenset(pair) for pair in (*but, ("halfspace", "halfspace"))}
    return [pair for pair in combinations_with_replacement(kinds, 2) if frozenset(pair) not in left_out]


def serve(name, version, ask, pairs, precision=64, kind="distance"):
    """Answers questions until the input ends.

    `ask(a, b, margin)` returns `answer(...)`, or raises UnsupportedShape for a shape or a pair that the engine lacks.
    The other parameters are those of the first line, which the module's docstring describes. Another exception of `ask`
    becomes an error in words. If `ask` takes more than HANG_SECONDS, the process ends.
    """
    if hasattr(os, "nice"):
        os.nice(5)  # so that dragging in Separatrix's window stays smooth
    python = ".".join(map(str, sys.version_info[:3]))
    ready = {"ready": name, "version": version, "python": python, "precision": precision, "kind": kind}
    _say({**ready, "pairs": pairs})
    known = {frozenset(pair) for pair in pairs}
    shapes = {shape for pair in pairs for shape in pair}
    for line in sys.stdin:
        question = json.loads(line)
        _say({"id": question["id"], **_answered(question, ask, known, shapes)})


def _answered(question, ask, known, shapes):
    try:
        a, b = (QuestionBody(question[name], name) for name in ("a", "b"))
        for body in (a, b):
            if body.kind not in shapes:
                raise UnsupportedShape(body.kind)
        if frozenset((a.kind, b.kind)) not in known:
            raise UnsupportedShape(a.kind + " and " + b.kind)
        faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
        began = time.perf_counter()
        found = ask(a, b, question.get("margin", "default"))
        found["us"] = found.get("us") or 1e6 * (time.perf_counter() - began)
    except UnsupportedShape as shape:
        return {"unsupported": str(shape)}
    except Exception as error:
        return {"error": type(error).__name__ + ": " + " ".join(str(error).split())[:500]}
    finally:
        faulthandler.cancel_dump_traceback_later()
    return found


def _say(line):
    _out.write(json.dumps(line) + "\n")
    _out.flush()


def _finite(tree, name):
    """Raises ValueError if a number in the tree is not finite."""
    for part in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(part, dict | list | tuple):
            _finite(part, name)
        elif isinstance(part, float) and not math.isfinite(part):
            raise ValueError(name + " has a number that is not finite")
