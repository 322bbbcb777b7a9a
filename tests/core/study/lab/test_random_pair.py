"""Random pairs are what they say: sizes within their range, half of them overlapping, at the distance asked for."""

from __future__ import annotations

import numpy as np
import pytest

from core import Box, Capsule, Circle, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Polygon, Scene, Shape, Sphere
from core.analysis.analysis import separation_of
from core.study.lab.random_pair import FLAT_MAKERS, MAKERS, pair_at, random_flat_pair, random_pair


def numbers_of(shape: Shape) -> dict[str, list[float]]:
    """Half extents, and distances of points from the position, by what they are."""
    match shape:
        case Box(size):
            return {"half": [0.5 * x for x in size]}
        case Sphere(radius) | Circle(radius):
            return {"half": [radius]}
        case Capsule(radius, length):
            return {"half": [2.0 * radius, 0.5 * length]}
        case Cylinder(radius, height) | Cone(radius, height):
            return {"half": [radius, 0.5 * height]}
        case Ellipsoid(radii):
            return {"half": list(radii)}
        case Hull(points) | Polygon(points):
            return {"far": np.linalg.norm(np.array(points), axis=1).tolist()}
    return {}


@pytest.mark.parametrize("kind", [*MAKERS, *FLAT_MAKERS])
def test_sizes_fill_their_range_and_do_not_leave_it(kind: str) -> None:
    rng = np.random.default_rng(3)
    made = [(MAKERS | FLAT_MAKERS)[kind](rng) for _ in range(40 if kind == "hull" else 150)]
    assert {type(shape).__name__.lower() for shape in made} == {kind}
    for name, low, high in (("half", 0.5, 1.5), ("far", 0.7, 1.3)):
        rows = [row for shape in made if (row := numbers_of(shape).get(name))]
        found = [x for row in rows for x in row]
        if not found:
            continue
        assert low - 1e-3 <= min(found) < low + 0.05
        assert high - 0.05 < max(found) <= high + 1e-3
        assert all(round(x, 3) == pytest.approx(x, abs=1e-9) for x in found) or name == "far"
        if name == "half" and len(rows[0]) > 1:  # each is drawn for itself
            assert all(len({*row}) > 1 for row in rows[:20])
    if kind == "hull":
        assert {len(shape.points) for shape in made} == {12}
    if kind == "polygon":
        # Three to eight points near a circle, an even step apart but for a fifth of it either way.
        assert {len(shape.points) for shape in made} <= set(range(3, 9))
        assert len({len(shape.points) for shape in made}) >= 5
        for shape in made:
            x, y = np.array(shape.points).T
            steps = np.diff(np.sort(np.arctan2(y, x)))
            assert steps.max() < 2.0 * np.pi * 1.4 / 3.0 + 0.01
            assert steps.min() > 0.0
        triangles = [np.array(shape.points) for shape in made if len(shape.points) == 3]
        turns = [np.sort(np.arctan2(t[:, 1], t[:, 0])) for t in triangles]
        assert all((np.diff(np.append(t, t[0] + 2 * np.pi)) > 2 * np.pi / 3 * 0.59).all() for t in turns)
    if kind == "halfspace":
        assert {*made} == {HalfSpace((0.0, 1.0, 0.0), 0.0)}


PAIRED = [("box", "sphere"), ("cone", "capsule"), ("hull", "box"), ("halfspace", "cone"), ("polygon", "circle")]


@pytest.mark.parametrize("kinds", PAIRED)
def test_a_pair_stands_at_a_multiple_of_where_it_touches(kinds: tuple[str, str]) -> None:
    """Bisection knows the touching place to 1/2048, and places have four digits."""
    for seed in range(2):
        pairs = {factor: pair_at(np.random.default_rng(seed), kinds, factor) for factor in (0.5, 1.0, 2.0)}
        far = {factor: float(np.linalg.norm(scene.b.position)) for factor, scene in pairs.items()}
        one = pairs[1.0]
        assert {scene.a for scene in pairs.values()} == {one.a}
        assert one.a.position == (0.0, 0.0, 0.0)
        assert [type(body.shape).__name__.lower() for body in (one.a, one.b)] == list(kinds)
        for factor, scene in pairs.items():
            assert far[factor] == pytest.approx(factor * far[1.0], abs=3e-4)
            assert separation_of(scene) == pytest.approx(0.0, abs=1e-3) or (separation_of(scene) > 0.0) is (
                factor > 1.0
            )
        assert 0.0 <= separation_of(one) + 2e-4 <= 2e-3 * far[1.0] + 4e-4
        assert separation_of(pairs[2.0]) > 0.05
        assert separation_of(pairs[0.5]) < -0.05


@pytest.mark.parametrize("make", [random_pair, random_flat_pair])
def test_half_of_the_pairs_overlap_and_none_is_far_from_touching(make: type) -> None:
    rng = np.random.default_rng(5)
    scenes: list[Scene] = [make(rng) for _ in range(36)]
    meets = [separation_of(scene) < 0.0 for scene in scenes]
    assert 9 <= sum(meets) <= 27
    for scene in scenes:
        assert scene.a.position == (0.0, 0.0, 0.0)
        assert scene.name == "Random pair"
        assert all(round(x, 4) == x for x in scene.b.position)
        assert scene.a.shape.plane is None or scene.b.shape.plane is None
    if make is random_pair:
        turns = {scene.a.rotation for scene in scenes} | {scene.b.rotation for scene in scenes}
        assert len(turns) == 72
        assert {type(body.shape).__name__.lower() for scene in scenes for body in _both(scene)} == {*MAKERS}
    else:
        assert len({scene.a.angle for scene in scenes}) == 36
        assert min(scene.a.angle for scene in scenes) < -2.0 < 2.0 < max(scene.a.angle for scene in scenes)


@pytest.mark.parametrize(
    ("make", "kinds", "said"),
    [
        (random_pair, ("halfspace",), "There is no random pair of halfspace."),
        (random_pair, (), "There is no random pair of nothing."),
        (random_pair, ("box", "circle", "polygon"), "There is no random pair of circle and polygon."),
        (random_flat_pair, ("circle", "box"), "There is no random pair of box."),
        (random_flat_pair, (), "There is no random pair of nothing."),
    ],
)
def test_of_other_kinds_there_is_none(make: type, kinds: tuple[str, ...], said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        make(np.random.default_rng(1), kinds)
    space = {
        type(body.shape)
        for k in range(6)
        for body in _both(random_pair(np.random.default_rng(k), ("halfspace", "cone")))
    }
    assert space == {HalfSpace, Cone}


def _both(scene: Scene) -> tuple:
    return scene.a, scene.b
