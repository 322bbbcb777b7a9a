"""The collision core: algorithms on two convex bodies. Needs numpy and msgspec, and scipy's Qhull for hulls of points.

Conventions. Right-handed, Y up; lengths in scene units, angles in radians; float64; rows are points `(n, 3)`;
quaternions `(w, x, y, z)`, unit; faces counter-clockwise seen from outside; a plane is `n·p = offset`. Inputs and
answers are in world space; the results of single algorithms (`gjk`, `epa`, `proximity` ...) are relative to A's
position. A comes first, B second, suffixes `_a`, `_b`.
A Minkowski point is `w = a - b`. `normal` is a unit vector from A towards B, in every algorithm. `separation` is
signed: positive apart, negative overlapping; `depth = -separation`; `mtv = depth * normal`, added to B, just removes
the overlap (None when separated). The point of the difference nearest the origin is `-separation * normal`.

Every shape is given in its body's frame. Boxes have full edge lengths. Capsules, cylinders and cones lie along Y: a
capsule's `length` is its segment's; a cone's apex is up and its position at half height. Hulls are given by points, a
half-space as `normal·p <= offset`; a pair has one half-space at most. Every number comes with its `Certainty`: exact,
certified within its gap, a bound, or a fallback. A verdict is TOUCHING if the separation is within `band` of zero.

`distance`, `collide`, `raycast` and `sweep` each answer one question. `analyse` answers everything about two bodies at
their positions, and `steps` returns each algorithm's steps. `analyse_single` compares answers in single precision with
those in double. Algorithms are in packages (`core.sat`, `core.toi`, `core.gjk` with EPA ...) or in modules of their own
(`core.mpr`): `name(...)` returns the answer and `name_steps(...)` yields the steps. `core.batch` takes many pairs at
once. `core.study.articles` has the articles' mistakes beside the right answers. Polygons and circles lie in the plane z
= 0; the same functions take them. `Rounded` grows any shape by a ball.
"""

from typing import TYPE_CHECKING, Any
from warnings import warn

from .analysis.analysis import Analysis
from .scene import Body, Scene
from .shapes import Box, Capsule, Circle, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Rounded, Shape, Sphere
from .verdict import Certainty, Provenance, Verdict

if TYPE_CHECKING:
    from .analysis.brief import Collision, Distance
    from .analysis.motion_answers import SweepAnswer
    from .float32 import SingleAnswer, SinglePrecision, analyse_single
    from .library import analyse, collide, distance, raycast, steps, sweep

__all__ = [
    "Analysis",
    "Body",
    "Box",
    "Capsule",
    "Certainty",
    "Circle",
    "Collision",
    "Cone",
    "Cylinder",
    "Distance",
    "Ellipsoid",
    "HalfSpace",
    "Hull",
    "Polygon",
    "Provenance",
    "Rounded",
    "Scene",
    "Shape",
    "SingleAnswer",
    "SinglePrecision",
    "Sphere",
    "SweepAnswer",
    "Verdict",
    "analyse",
    "analyse_single",
    "collide",
    "distance",
    "raycast",
    "steps",
    "sweep",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    # Imported on first use. Single precision, with the batch module that it needs, takes a tenth of the core's import
    # time, and the window needs neither. The window needs the motion answers only once a body moves.
    if name in ("SingleAnswer", "SinglePrecision", "analyse_single"):
        from . import float32 as single_precision

        return getattr(single_precision, name)
    if name == "Detail":
        warn("Detail changes nothing: each answer is computed when it is read", DeprecationWarning, stacklevel=2)
    if name in (*__all__, "Detail"):
        from . import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
