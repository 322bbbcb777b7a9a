"""What a notebook shows of an answer: the line, and a drawing whose every point is where the bodies' points are seen.

The view is told by the drawings themselves: of balls along each axis, whose witness points are known. All other points
must then lie where that view puts them.
"""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec import Struct

from core import (
    Analysis,
    Body,
    Box,
    Capsule,
    Circle,
    Cone,
    Cylinder,
    HalfSpace,
    Hull,
    Polygon,
    Rounded,
    Scene,
    Sphere,
    analyse,
)
from core.analysis.brief import Collision, Distance, collision_of, distance_of
from core.geometry.quaternion import from_axis_angle
from core.verdict import Provenance

SVG = "{http://www.w3.org/2000/svg}"
BLUE, ORANGE, GREEN = "#3f8fe0", "#e8913a", "#2f9e6e"
ROUNDED = 0.11
"""Pixels: two numbers of one decimal each may be off by so much together."""
Answer = Analysis | Distance | Collision
ASK = (analyse, distance_of, collision_of)


class Drawing(Struct, frozen=True):
    """What is drawn, pixels from the middle, y up: loops and dots by colour, lines from start to end."""

    loops: dict[str, list[np.ndarray]]
    dots: dict[str, list[np.ndarray]]
    lines: dict[str, np.ndarray]


def drawn(answer: Answer) -> Drawing:
    root = ElementTree.fromstring(answer._repr_html_())
    svg = root.find(f"{SVG}svg")
    assert (svg.attrib["width"], svg.attrib["height"], svg.attrib["viewBox"]) == ("360", "240", "0 0 360 240")
    found = Drawing({}, {}, {})

    def at(x: str, y: str) -> np.ndarray:
        return np.array((float(x) - 180.0, 120.0 - float(y)))

    for loop in svg.iter(f"{SVG}polygon"):
        assert loop.attrib["fill"] == loop.attrib["stroke"]
        points = [at(*pair.split(",")) for pair in loop.attrib["points"].split()]
        found.loops.setdefault(loop.attrib["fill"], []).append(np.array(points))
    for dot in svg.iter(f"{SVG}circle"):
        found.dots.setdefault(dot.attrib["fill"], []).append(at(dot.attrib["cx"], dot.attrib["cy"]))
    for line in svg.iter(f"{SVG}line"):
        ends = [at(line.attrib[f"x{k}"], line.attrib[f"y{k}"]) for k in "12"]
        found.lines[line.attrib["stroke"]] = np.array(ends)
    return found


@cache
def view() -> np.ndarray:
    """Rows: where the world's axes go to the right and up, and the direction towards the viewer."""
    seen = []
    for axis in np.eye(3):
        picture = drawn(distance_of(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), tuple(4.0 * axis)))))
        (a,), (b,) = picture.dots[BLUE], picture.dots[ORANGE]
        (loop,) = picture.loops[BLUE]
        radius = float(np.linalg.norm(loop - loop.mean(axis=0), axis=1).mean())
        seen.append((b - a) / (2.0 * radius))  # the witness points are 2 apart, and the radius is 1
    right, up = np.array(seen).T
    assert np.allclose((right @ right, up @ up, right @ up), (1.0, 1.0, 0.0), atol=0.01)
    right, up = (row / np.linalg.norm(row) for row in (right, up))
    assert right[0] > 0.5  # x runs to the right, and y straight up
    assert abs(right[1]) < 0.005
    assert up[1] > 0.5
    towards = np.cross(right, up)
    assert min(towards) > 0.1  # from above, and from where all three axes point
    return np.array((right, up, towards))


def turned(x: float, y: float, z: float, angle: float) -> tuple[float, float, float, float]:
    return from_axis_angle((x, y, z), angle)


TETRAHEDRON = Hull(((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)))
SCENES = {
    "boxes": Scene(
        Body(Box((1.0, 2.0, 3.0)), (5.0, 1.0, 2.0)), Body(Box((2.0, 1.0, 1.0)), (7.5, 1.5, 2.0), turned(1, 2, 0, 0.7))
    ),
    "deep": Scene(Body(TETRAHEDRON), Body(Box((1.0, 1.0, 1.0)), (0.75, 0.4, 0.25))),
    "round": Scene(
        Body(Cylinder(0.5, 2.0), (0.0, 1.0, 0.0), turned(1, 0, 1, 0.5)), Body(Cone(1.0, 2.0), (2.5, 0.0, 0.0))
    ),
    "border": Scene(Body(Rounded(Box((1.0, 1.0, 1.0)), 0.25)), Body(Capsule(0.25, 1.0), (0.0, 1.25, 0.0))),
    "plane": Scene(
        Body(HalfSpace((0.0, 1.0, 0.0), 0.5), (9.0, 0.0, 4.0), turned(0, 0, 1, 0.4)), Body(Sphere(0.5), (1.0, 2.0, 0.0))
    ),
    "wall": Scene(Body(Box((1.0, 2.0, 1.0)), (3.0, 0.0, 0.0)), Body(HalfSpace((-1.0, 0.0, 0.0), -3.25))),
    "flat": Scene(
        Body.in_plane(Polygon.of([(0, 0), (3, 0), (0, 1)]), (2.0, 1.0), 0.3), Body.in_plane(Circle(0.5), (3.0, 3.0))
    ),
    "flat deep": Scene(
        Body.in_plane(Polygon.of([(0, 0), (2, 0), (2, 1), (0, 1)])),
        Body.in_plane(Polygon.of([(0, 0), (1, 0), (0, 1)]), (1.5, 0.75)),
    ),
}


@pytest.mark.parametrize("ask", ASK)
@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
def test_everything_is_drawn_where_it_is_seen(scene: Scene, ask: type) -> None:
    answer = ask(scene)
    picture, rows = drawn(answer), np.eye(3) if scene.dimension == 2 else view()
    (a,), (b,) = picture.dots[BLUE], picture.dots[ORANGE]
    points = np.array((answer.witness_a, answer.witness_b))
    outline = np.concatenate([loop for loops in picture.loops.values() for loop in loops])
    scale = scale_of(picture, scene)
    shift = a - scale * (rows[:2] @ points[0])

    def at(point: np.ndarray) -> np.ndarray:
        return scale * (rows[:2] @ point) + shift

    close = 0.3 + 0.01 * scale * float(np.abs(points[1] - points[0]).max())  # of the view, known to half a percent
    assert b == pytest.approx(at(points[1]), abs=close)
    # The line between the points, and the normal: 28 pixels long, shorter by as much as it points to the viewer.
    assert picture.lines["currentColor"] == pytest.approx(np.array((a, b)), abs=ROUNDED)
    start, tip = picture.lines[GREEN]
    assert start == pytest.approx(a, abs=ROUNDED)
    assert tip - start == pytest.approx(28.0 * (rows[:2] @ answer.normal), abs=0.3)
    assert np.array(picture.dots[GREEN]) == pytest.approx(tip[None], abs=ROUNDED)
    # Contacts come with the answers that have them.
    found = () if isinstance(answer, Distance) else _contacts(answer)
    seen = picture.dots.get("currentColor", [])
    assert len(seen) == len(found)
    for dot, contact in zip(seen, found, strict=True):
        assert dot == pytest.approx(at(contact.position), abs=0.3 + 0.01 * scale * 3.0)
    # All of it fits into the frame less its margin, one way to the last pixel.
    every = np.concatenate((outline, [a, b]))
    room, size = np.array((296.0, 176.0)), every.max(axis=0) - every.min(axis=0)
    assert (size <= room + ROUNDED).all()
    assert (size / room).max() == pytest.approx(1.0, abs=2e-3)
    assert 0.5 * (every.max(axis=0) + every.min(axis=0)) == pytest.approx((0.0, 0.0), abs=ROUNDED)


def _contacts(answer: Analysis | Collision) -> tuple:
    manifold = answer.contacts if isinstance(answer, Analysis) else answer.manifold
    return () if manifold is None else manifold.contacts


def scale_of(picture: Drawing, scene: Scene) -> float:
    """Pixels a unit: by the extent of A, or of B beside a half-space, along the picture's right."""
    colour, body = (BLUE, scene.a) if scene.a.shape.plane is None else (ORANGE, scene.b)
    right = np.array((1.0, 0.0, 0.0)) if scene.dimension == 2 else view()[0]
    width = float(
        body.shape.reach(body.pose.direction_to_local(right)) + body.shape.reach(-body.pose.direction_to_local(right))
    )
    xs = np.concatenate(picture.loops[colour])[:, 0]
    return float(np.ptp(xs)) / width


@pytest.mark.parametrize("name", ["boxes", "deep"])
def test_of_a_polyhedron_the_faces_towards_the_viewer_are_drawn(name: str) -> None:
    scene, (_, _, towards) = SCENES[name], view()
    picture = drawn(distance_of(scene))
    scale = scale_of(picture, scene)
    for colour, body in ((BLUE, scene.a), (ORANGE, scene.b)):
        solid = body.shape.polyhedron
        corners = body.pose.to_world(solid.vertices)
        normals = body.pose.direction_to_world(solid.normals)
        faces = [corners[list(loop)] for loop, n in zip(solid.faces, normals, strict=True) if n @ towards > 0.0]
        loops = picture.loops[colour]
        assert len(loops) == len(faces)
        # Each face's middle and corners, about the middle of all: the order of the faces is the solid's.
        about = np.concatenate(faces).mean(axis=0), np.concatenate(loops).mean(axis=0)
        for face, loop in zip(faces, loops, strict=True):
            assert loop - about[1] == pytest.approx(scale * ((face - about[0]) @ view()[:2].T), abs=0.03 * scale)


@pytest.mark.parametrize(("name", "colour", "other"), [("plane", BLUE, ORANGE), ("wall", ORANGE, BLUE)])
def test_a_half_space_is_a_square_of_its_plane_below_the_other_body(name: str, colour: str, other: str) -> None:
    scene = SCENES[name]
    near = distance_of(scene)
    picture = drawn(near)
    scale, (loop,) = scale_of(picture, scene), picture.loops[colour]
    space, body = (scene.a, scene.b) if scene.a.shape.plane is not None else (scene.b, scene.a)
    foot = near.witness_a if space is scene.a else near.witness_b
    (dot,) = picture.dots[colour]
    assert loop.mean(axis=0) == pytest.approx(dot, abs=0.2)  # the square's middle is the point of the plane
    # From two coordinates in the picture and the plane, the corners in the world.
    normal = space.pose.direction_to_world(np.array(space.shape.plane.normal))
    system = np.vstack((view()[:2], normal))
    corners = np.array([np.linalg.solve(system, (*(corner - dot) / scale, 0.0)) for corner in loop])
    assert abs(normal @ (foot - space.pose.to_world(space.shape.plane.point()))) < 1e-12
    sides = np.diff(corners, axis=0, append=corners[:1])
    size = 3.0 * body.shape.bounding_radius
    assert np.linalg.norm(sides, axis=1) == pytest.approx(np.full(4, size), rel=0.02)
    assert (sides * np.roll(sides, 1, axis=0)).sum(axis=1) == pytest.approx(np.zeros(4), abs=0.02 * size * size)
    assert picture.loops[other]


@pytest.mark.parametrize(("name", "points"), [("round", 72), ("border", 72), ("flat", 72)])
def test_the_outline_of_a_round_body_is_where_it_ends(name: str, points: int) -> None:
    """Along every direction in the picture the loop reaches as far as the body does."""
    scene = SCENES[name]
    picture = drawn(distance_of(scene))
    rows = np.eye(3) if scene.dimension == 2 else view()
    scale, body = scale_of(picture, scene), scene.b
    (loop,) = picture.loops[ORANGE]
    assert len(loop) == points
    for turn in np.linspace(0.0, 2.0 * np.pi, 9):
        flat = np.array((np.cos(turn), np.sin(turn)))
        way = body.pose.direction_to_local(flat @ rows[:2])
        width = float(body.shape.reach(way) + body.shape.reach(-way))
        assert np.ptp(loop @ flat) == pytest.approx(scale * width, rel=0.01, abs=0.3)


# ---- the line ----


@pytest.mark.parametrize(
    ("scene", "line"),
    [
        (
            Scene(Body(Sphere(0.5)), Body(Sphere(0.5), (0.0, 3.0, 0.0))),
            "SEPARATED, separation 2 (exact), normal (0, 1, 0)",
        ),
        (
            Scene(Body(Sphere(0.5)), Body(Sphere(0.5), (-0.75, 0.0, 0.0))),
            "OVERLAPPING, separation -0.25 (exact), normal (-1, 0, 0), 1 contact",
        ),
        (
            Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 1.0))),
            "TOUCHING, separation 0 (exact), normal (0, 0, 1), 4 contacts",
        ),
    ],
)
def test_the_line_has_verdict_number_normal_and_contacts(scene: Scene, line: str) -> None:
    assert repr(analyse(scene)) == f"Analysis({line})"
    assert repr(collision_of(scene)) == f"Collision({line})"
    assert repr(distance_of(scene)) == f"Distance({line[: line.rindex(')') + 1]})"


def test_the_line_says_within_what_a_number_is_known_unless_it_is_exact() -> None:
    scene = Scene(Body(Cone(1.0, 2.0)), Body(Cylinder(0.5, 1.0), (0.2, 0.3, 0.1), turned(1, 2, 3, 0.8)))
    found = analyse(scene)
    assert found.certainty.provenance is not Provenance.EXACT
    assert f"({found.certainty.provenance} within {found.certainty.gap:.2g})" in repr(found)
    assert f"separation {found.separation:.6g} (" in repr(distance_of(scene))
