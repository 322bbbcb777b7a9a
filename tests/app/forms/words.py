"""Plain words, by the grammar in the reader's docstring: whole sizes, a capsule's length between its caps' centres."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Shape, Sphere

from .sample import Sample, decimal, listed, turned


def _shape(rng: np.random.Generator) -> tuple[Shape, str]:
    a, b, c = rng.uniform(0.1, 2.0, 3).tolist()
    return (
        (Box((a, b, c)), f"box size ({listed([a, b, c])})"),
        (Box((2 * a, 2 * b, 2 * c)), f"box half extents {listed([a, b, c], ' ')}"),
        (Box((a, a, a)), f"cube side {decimal(a)}"),
        (Sphere(a), f"sphere radius {decimal(a)}"),
        (Sphere(a), f"sphere diameter {decimal(2 * a)}"),
        (Capsule(a, b), f"capsule radius {decimal(a)} length {decimal(b)}"),
        (Capsule(a, b), f"capsule radius {decimal(a)} height {decimal(b + 2 * a)}"),
        (Cylinder(a, b), f"cylinder radius {decimal(a)} height {decimal(b)}"),
        (Cone(a, b), f"cone radius {decimal(a)} height {decimal(b)} along y"),
        (Ellipsoid((a, b, c)), f"ellipsoid radii {listed([a, b, c])}"),
    )[int(rng.integers(10))]


def sorted_ends(low: tuple[float, ...], size: list[float]) -> tuple[list[float], list[float]]:
    """The ends of a box, as their own decimals give them."""
    return [*low], [a + b for a, b in zip(low, size, strict=True)]


def pair(rng: np.random.Generator) -> tuple[str, Scene]:
    lines, bodies = [], []
    for _ in range(2):
        (shape, said), place, q = _shape(rng), tuple(rng.uniform(-2.0, 2.0, 3).tolist()), turned(rng)
        bodies.append(Body(shape, place, q))
        w, x, y, z = q
        axis, angle = quaternion.to_axis_angle(q)
        turn = (
            f"quaternion wxyz {listed([w, x, y, z])}",
            f"quaternion xyzw ({listed([x, y, z, w])})",
            f"axis ({listed(axis)}) angle {decimal(angle)} radians",
        )[int(rng.integers(3))]
        if rng.random() < 0.1:
            low, high = sorted_ends(place, rng.uniform(0.1, 2.0, 3).tolist())
            bodies[-1] = Body(Box(tuple(np.subtract(high, low).tolist())), tuple((0.5 * np.add(low, high)).tolist()))
            lines.append(f"aabb min ({listed(low)}) max ({listed(high)})")
            continue
        lines.append(f"{said} at ({listed(place)}) {turn}")
    return "\n".join(lines), Scene(bodies[0], bodies[1])


def variants(rng: np.random.Generator, text: str) -> Iterator[str]:
    yield text.upper()
    yield text.replace(" at ", " with its center at: ").replace("its center at:", "its center =")
    yield text.replace("\n", "; ")
    yield text.replace("(", "[").replace(")", "]")
    yield f"a {text}".replace("\n", " and a ")
    yield f"A: {text}".replace("\n", "\nB: ")
    yield text.replace("wxyz", "(w x y z)").replace("xyzw", "[x, y, z, w] =")


BALL = "sphere radius 0.5 at 0 0 0\n"
REFUSED = (
    (f"{BALL}capsule p0 0 0 0 p1 0 0 1 radius 0.5 at 1 0 0", "a capsule with p0 and p1 needs no centre"),
    (f"{BALL}capsule p0 0 0 0 p1 0 0 1 radius 1 axis x angle 1 radians", "a capsule with p0 and p1 needs no angle"),
    (f"{BALL}hull points 0 0 0 1 0 0 0 1 0 0 0 1", "a hull needs its points, 3 numbers in brackets each"),
    ("circle radius 1 at 0 0\npolygon points (0 0) (1 0 0)", "a polygon needs its points, 2 numbers in brackets each"),
    (f"{BALL}polygon points (0 0) (1 0) (0 1)", "a polygon beside a body of space is not understood"),
    ("box size 1 1 1 at 0 0 0\nbox size 1 1 1 at 1 0 0 tilted by 30", "Line 2: tilted is not understood"),
    (f"{BALL}sphere radius 50 cm at 0 0 0", "radius has no unit, and other lengths have one"),
    ("sphere radius 0.5 m at 1 m 0 m 0 m\nsphere radius 50 cm", "lengths are in m and in cm"),
    (f"{BALL}box extents 1 1 1 at 0 0 0", "Line 2: extents may be half or whole"),
    (f"{BALL}box size 1 1 at 0 0 0", "Line 2: size needs 3 numbers, got 2"),
    (f"{BALL}box size 1 1 1 angle 30 degrees", "an angle needs its axis"),
    (f"{BALL}box size 1 1 1 axis z angle 30", "an angle needs degrees or radians"),
    (f"{BALL}capsule radius 0.1 length 1 axis z", "an axis needs its angle"),
    (f"{BALL}box size 1 1 1 along z", "along of this box is not understood"),
    (f"{BALL}box size 1 1 1 quaternion 1 0 0 0", "a quaternion needs its order"),
    (f"{BALL}sphere radius 1/2", "'/' is not understood"),
    (f"{BALL}box size 1 1 1 radius 2", "radius of a box is not understood"),
    (f"{BALL}plane 0 1 0 0.5", "the fourth number of a plane may be d"),
    ("circle radius 1 at 0 0\nsquare side 1 at 1 0 axis x angle 30 degrees", "a rotation in the plane is about z"),
    (BALL, "Found one body, expected two"),
    ("min 0 0 0 max 1 1 1 radius 3; sphere radius 1", "radius of a box is not understood"),
    ("min 0 0 0 max 1 1 1 at 3 0 0; sphere radius 1", "the position of this body is given twice"),
    ("A min 0 0 0; B min 1 0 0 max 2 1 1", "the size of this box is missing"),
    (f"{BALL.strip()} min -0.5 -0.5 -0.5 max 0.5 0.5 0.5", "max of a sphere is not understood"),
    (f"{BALL}box size 1 1 1 quaternion (x y w z) 0 0 0 1", "x is not understood"),
)
SAMPLE = Sample("words", pair, variants, REFUSED)
