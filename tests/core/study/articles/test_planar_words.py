"""The planar article's answers in words, against corners looked up one by one."""

from __future__ import annotations

from itertools import product
from string import ascii_uppercase

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Circle, Polygon, Scene, Sphere, Verdict
from core.analysis.analysis import analyse
from core.study.articles.comparison import compared, polygon_of
from core.study.articles.plane import PLANAR_VARIANTS, SLIPS, WORKED_EXAMPLE, is_worked_example, slips_about

VARIANTS = {variant.id: variant for variant in PLANAR_VARIANTS}
SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def triangles(count: int, seed: int = 3) -> list[Scene]:
    """Two triangles whose corners have few digits, placed and turned by quarters, so that all words are exact."""
    rng, made = np.random.default_rng(seed), []
    while len(made) < count:
        bodies = []
        for _ in range(2):
            points = [(float(x), float(y)) for x, y in rng.integers(-4, 5, (3, 2))]
            (x, y), (p, q), (r, s) = points
            if (p - x) * (s - y) - (q - y) * (r - x) == 0:
                break
            bodies.append(
                Body.in_plane(Polygon(tuple(points)), (float(rng.integers(-3, 4)), float(rng.integers(-3, 4))))
            )
        if len(bodies) == 2:
            made.append(Scene(*bodies))
    return made


def world(body: Body) -> np.ndarray:
    return np.array(body.shape.points) + np.array(body.position)[:2]


def words(point: np.ndarray) -> str:
    x, y = (f"{value + 0.0:.6g}".replace("-", "−") for value in point.tolist())
    return f"({x}, {y})"


def named(i: int, j: int) -> str:
    """Corners of A are A, B, C and those of B go on from D."""
    return ascii_uppercase[i] + ascii_uppercase[3 + j]


def test_the_second_support_is_the_lowest_difference_and_its_mistake_one_corner_more() -> None:
    """Against +y: A's lowest corner less B's highest; of equals the first listed."""
    moved = 0
    for scene in triangles(60):
        of_a, of_b = world(scene.a), world(scene.b)
        i, j = int(np.argmin(of_a[:, 1])), int(np.argmax(of_b[:, 1]))
        variant = VARIANTS["G5-second-support"]
        assert variant.right(scene) == f"{named(i, j)} {words(of_a[i] - of_b[j])}"
        assert variant.article(scene) == f"{named(i, j)} {words(of_a[i] - of_b[j] + of_b[0])}"
        moved += variant.compare(scene).agree is False
    assert moved > 50


def test_the_tables_entry_is_a_difference_and_its_mistake_a_sign() -> None:
    for scene in triangles(40, 4):
        x, y = world(scene.a)[1] - world(scene.b)[0]
        variant = VARIANTS["G5-sign-in-the-table"]
        assert variant.right(scene) == f"BD {words(np.array((x, y)))}"
        assert variant.article(scene) == f"BD {words(np.array((-x, y)))}"


@pytest.mark.parametrize("variant", ["G4-perpendicular-by-third-point", "G4-touching-by-path"])
def test_paths_name_supports_and_end_with_the_answer(variant: str) -> None:
    seen = set()
    for scene in [*triangles(40, 5), Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(1.0), (1.5, 0.25)))]:
        verdict = analyse(scene).verdict
        if verdict is Verdict.TOUCHING:
            continue
        told, meet = VARIANTS[variant].right(scene), "no" if verdict is Verdict.SEPARATED else "yes"
        seen.add(meet)
        if variant == "G4-touching-by-path":
            assert told == VARIANTS[variant].article(scene) == f"+x {meet}, +y {meet}, −x {meet}, −y {meet}"
            continue
        names, _, answer = told.partition(": ")
        assert answer == meet
        of_a, of_b = (len(getattr(body.shape, "points", ((0.0, 0.0),))) for body in (scene.a, scene.b))
        known = {ascii_uppercase[i] + ascii_uppercase[of_a + j] for i, j in product(range(of_a), range(of_b))}
        assert {*names.split(" ")} <= known or isinstance(scene.b.shape, Circle)
        if of_b == 3:
            # The first two supports are the highest and the lowest difference.
            a, b = world(scene.a), world(scene.b)
            wanted = [named(int(np.argmax(s * a[:, 1])), int(np.argmin(s * b[:, 1]))) for s in (1.0, -1.0)]
            assert names.split(" ")[:2] == wanted[: len(names.split(" "))]
    assert seen == {"yes", "no"}


def test_touching_is_what_both_tests_get_wrong_and_nothing_else() -> None:
    """Squares at places of a lattice: apart, touching or overlapping by the larger distance of their middles."""
    for x, y in product((0.0, 0.5, 1.5, 2.0, 2.5), repeat=2):
        scene = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (x, y)))
        verdict = "TOUCHING" if max(x, y) == 2.0 else "SEPARATED" if max(x, y) > 2.0 else "OVERLAPPING"
        for name, wrong in (("V5-touching-apart", "SEPARATED"), ("V6-touching-overlapping", "OVERLAPPING")):
            assert VARIANTS[name].right(scene) == verdict
            assert VARIANTS[name].article(scene) == (wrong if verdict == "TOUCHING" else verdict)


def test_slips_are_told_about_the_worked_example_alone_and_it_is_known_in_any_pose() -> None:
    assert slips_about(WORKED_EXAMPLE) == SLIPS
    assert is_worked_example(WORKED_EXAMPLE)
    a, b = WORKED_EXAMPLE.a, WORKED_EXAMPLE.b
    for body in (replace(b, position=(7.0, 0.0, 0.0)), replace(b, angle=1.0)):
        moved = Scene(a, body)
        assert slips_about(moved) == ()
        assert is_worked_example(moved)
    # Where the points are moved and the body back again, every corner is where it was.
    back = Body.in_plane(Polygon(tuple((x + 2.0, y - 1.0) for x, y in b.shape.points)), (-2.0, 1.0))
    there = replace(back, position=(b.position[0] - 2.0, b.position[1] + 1.0, 0.0))
    assert slips_about(Scene(a, there)) == SLIPS
    assert is_worked_example(Scene(a, there))
    for other in (WORKED_EXAMPLE.swapped(), Scene(a, Body.in_plane(Circle(1.0))), Scene(Body.in_plane(Circle(1.0)), b)):
        assert slips_about(other) == ()
        assert not is_worked_example(other)


def test_versions_are_not_about_other_shapes() -> None:
    triangle, square, disc = WORKED_EXAMPLE.a, Body.in_plane(SQUARE, (3.0, 0.0)), Body.in_plane(Circle(1.0))
    for name in ("G5-second-support", "G5-sign-in-the-table"):
        for scene in (Scene(triangle, square), Scene(square, triangle), Scene(square, square)):
            assert compared(VARIANTS[name], scene) is None
            with pytest.raises(TypeError, match="triangles"):
                VARIANTS[name].article(scene)
    for scene in (Scene(triangle, disc), Scene(disc, triangle)):
        for name in ("V5-touching-apart", "V6-touching-overlapping"):
            if name.startswith("V6"):
                assert compared(VARIANTS[name], scene) is None
    for shape in (Circle(1.0), Sphere(1.0)):
        with pytest.raises(TypeError, match=r"polygons|2D shape"):
            polygon_of(Body(shape))
    assert polygon_of(square) == [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
    assert compared(VARIANTS["V5-touching-apart"], Scene(Body(Box((1.0, 1.0, 1.0))), Body(Sphere(1.0)))) is None
