"""Scenes of the plane to try: random ones by family, and answers that do not come from the core's planar algorithms."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec.structs import replace

from core import Body, Box, Hull, Scene, analyse
from core.gjk.article_gjk import FIRST_DIRECTION, ArticleResult, ArticleStep, article_gjk_steps
from core.gjk.gjk import GjkResult, GjkSettings, GjkStep, gjk_steps
from core.pair.support import support_maps
from core.shapes import Circle, Polygon
from core.study.articles.plane import WORKED_EXAMPLE
from core.trace import Recording, record
from tests.selection import some
from tests.strategies import SCENES

Rng = np.random.Generator
Family = Callable[[Rng], Scene]


def worked_example() -> tuple[Recording[ArticleStep, ArticleResult], Recording[GjkStep, GjkResult]]:
    """The article's way through its worked example, and ours from the same first direction."""
    difference = support_maps(WORKED_EXAMPLE.a, WORKED_EXAMPLE.b)
    own = GjkSettings(first_direction=(*FIRST_DIRECTION, 0.0))
    return record(article_gjk_steps(difference, FIRST_DIRECTION)), record(gjk_steps(difference, own))


def polygon(rng: Rng, size: float = 1.0) -> Polygon:
    """The hull of random points, listed from any vertex on, either way round."""
    while True:
        try:
            hull = Polygon.hull_of(
                [tuple((size * rng.uniform(-1.0, 1.0, 2)).tolist()) for _ in range(rng.integers(3, 10))]
            )
        except ValueError:
            continue
        points = np.roll(np.array(hull.points), int(rng.integers(9)), axis=0)
        return Polygon.of(points if rng.random() < 0.5 else points[::-1])


def regular(count: int, radius: float = 1.0) -> Polygon:
    """A regular polygon about the origin."""
    return Polygon.of(
        (radius * math.cos(math.tau * k / count), radius * math.sin(math.tau * k / count)) for k in range(count)
    )


def shape(rng: Rng) -> Polygon | Circle:
    return polygon(rng) if rng.random() < 0.7 else Circle(float(rng.uniform(0.1, 1.0)))


def body(rng: Rng, of: Polygon | Circle, spread: float = 1.2) -> Body:
    x, y = rng.uniform(-spread, spread, 2).tolist()
    return Body.in_plane(of, (x, y), float(rng.uniform(-4.0, 4.0)))


def general(rng: Rng) -> Scene:
    return Scene(body(rng, shape(rng)), body(rng, shape(rng)))


def needles(rng: Rng) -> Scene:
    """Triangles 1e-9 to 1e-2 thin."""
    thin = [10.0 ** rng.uniform(-9, -2) for _ in range(2)]
    one, two = (Polygon(((-1.0, 0.0), (1.0, 0.0), (float(rng.uniform(-1, 1)), height))) for height in thin)
    return Scene(body(rng, one, 0.5), body(rng, two, 0.5))


def contained(rng: Rng) -> Scene:
    small = polygon(rng, 0.1) if rng.random() < 0.7 else Circle(0.05)
    return Scene(Body.in_plane(regular(int(rng.integers(3, 9)))), body(rng, small, 0.2))


def centred(rng: Rng) -> Scene:
    """Both about one point: squares, regular polygons and circles."""
    shapes = [regular(4), regular(6), Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)]), Circle(1.0), Circle(0.3)]
    one, two = (shapes[int(rng.integers(len(shapes)))] for _ in range(2))
    turn = float(rng.choice([0.0, math.pi / 4, math.pi / 2, 1e-15, 1e-9]))
    return Scene(Body.in_plane(one), Body.in_plane(two, angle=turn))


def lattice(rng: Rng) -> Scene:
    """Integer corners and positions: touching, coincident corners and parallel edges all the time."""
    found: list[Body] = []
    while len(found) < 2:
        try:
            of = Polygon.hull_of([tuple(map(float, rng.integers(-3, 4, 2))) for _ in range(5)])
        except ValueError:
            continue
        found.append(Body.in_plane(of, tuple(map(float, rng.integers(-3, 4, 2)))))
    return Scene(found[0], found[1])


def near_aligned(rng: Rng) -> Scene:
    box = Polygon.of([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)])
    turn = float(rng.choice([1e-16, 1e-15, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6]))
    gap = float(rng.choice([0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-6, 1e-3, 0.2, -0.2]))
    side = float(rng.choice([-2.0, -1.0, 0.0, 0.3, 2.0]))
    return Scene(Body.in_plane(box), Body.in_plane(box, (side, 1.0 + gap), turn))


def resized(scene: Scene, factor: float) -> Scene:
    def larger(one: Body) -> Body:
        of = one.shape
        grown: Polygon | Circle = (
            Circle(of.radius * factor)
            if isinstance(of, Circle)
            else Polygon(tuple((x * factor, y * factor) for x, y in of.points))
        )
        x, y, _ = one.position
        return replace(one, shape=grown, position=(x * factor, y * factor, 0.0))

    return replace(scene, a=larger(scene.a), b=larger(scene.b))


def moved(scene: Scene, by: tuple[float, float], angle: float = 0.0) -> Scene:
    c, s = math.cos(angle), math.sin(angle)

    def there(one: Body) -> Body:
        x, y, _ = one.position
        return replace(one, position=(c * x - s * y + by[0], s * x + c * y + by[1], 0.0), angle=one.angle + angle)

    return replace(scene, a=there(scene.a), b=there(scene.b))


def vertex_kiss(rng: Rng) -> Scene:
    """Two vertices 1e-17 to 1e-6 apart, the bodies on either side or not."""
    a, b = body(rng, polygon(rng)), body(rng, polygon(rng))
    one, _ = outline(a, (0.0, 0.0, 0.0))
    other, _ = outline(b, b.position)
    between = one[rng.integers(len(one))] - other[rng.integers(len(other))]
    x, y = (between + 10.0 ** rng.uniform(-17, -6) * rng.normal(size=2)).tolist()
    return Scene(a, replace(b, position=(x, y, 0.0)))


def slivers(rng: Rng) -> Scene:
    """Polygons thinner along either axis by up to 1e-14, and of every size down to that."""
    found: list[Body] = []
    while len(found) < 2:
        scale = 10.0 ** rng.uniform(-14, 0, 2)
        try:
            of = Polygon.hull_of([tuple((rng.uniform(-1, 1, 2) * scale).tolist()) for _ in range(rng.integers(3, 8))])
        except ValueError:
            continue
        found.append(body(rng, of, 10.0 ** rng.uniform(-9, 0)))
    return Scene(found[0], found[1])


def tiny(rng: Rng) -> Scene:
    return resized(general(rng), 1e-6)


def huge(rng: Rng) -> Scene:
    return resized(general(rng), 1e6)


def far(rng: Rng) -> Scene:
    return moved(general(rng), (1e6, -1e6))


FAMILIES: tuple[Family, ...] = (
    general, needles, contained, centred, lattice, near_aligned, tiny, huge, far,
    vertex_kiss, slivers,
)  # fmt: skip


def scenes(count: int, seed: int, families: tuple[Family, ...] = FAMILIES) -> Iterator[Scene]:
    rng = np.random.default_rng(seed)
    for k in range(max(some(count), min(count, len(families)))):
        yield families[k % len(families)](rng)


def size_of(scene: Scene) -> float:
    """L + |T|."""
    (ax, ay, _), (bx, by, _) = scene.a.position, scene.b.position
    return max(scene.a.shape.bounding_radius, scene.b.shape.bounding_radius) + math.hypot(bx - ax, by - ay)


def outline(one: Body, about: tuple[float, float, float]) -> tuple[np.ndarray, float]:
    """Corners (k, 2) counter-clockwise about a point of the plane, and the radius that they are grown by."""
    offset = np.array(one.position[:2]) - np.array(about[:2])
    if isinstance(one.shape, Circle):
        return offset[None, :], one.shape.radius
    c, s = math.cos(one.angle), math.sin(one.angle)
    points = np.array([one.shape.points[k] for k in one.shape.ring])
    return points @ np.array(((c, s), (-s, c))) + offset, 0.0


def brute_force(scene: Scene) -> float:
    """The signed separation from every vertex against every edge, without any algorithm to speak of."""
    (p, ra), (q, rb) = (outline(one, scene.a.position) for one in (scene.a, scene.b))
    return float(brute_forces(p[None], ra, q[None], rb)[0])


def brute_forces(p: np.ndarray, ra: float, q: np.ndarray, rb: float) -> np.ndarray:
    """The signed separations (n,) of n pairs of outlines (n, corners, 2) that are grown by radii.

    Apart, the least distance of a vertex of one outline to an edge of the other; else, over both bodies' edges, the
    least that some edge's line has to move to have all of the other in front.
    """
    if p.shape[1] == q.shape[1] == 1:
        return np.hypot(*(q - p)[:, 0].T) - ra - rb
    found = -np.min([_depths(own, other) for own, other in ((p, q), (q, p)) if own.shape[1] > 1], axis=0)
    apart = found > 0.0
    if apart.any():
        p, q = p[apart], q[apart]
        found[apart] = np.minimum(_to_outline(p, q), _to_outline(q, p))
    return found - ra - rb


def _depths(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    ways = own[:, _next(own)] - own
    x, y = ways[..., 0], ways[..., 1]
    lengths = np.hypot(x, y)
    between = other[:, None] - own[:, :, None]
    heights = between[..., 0] * (y / lengths)[..., None] - between[..., 1] * (x / lengths)[..., None]
    return -heights.min(axis=2).max(axis=1)


def _next(outlines: np.ndarray) -> np.ndarray:
    return np.arange(1, outlines.shape[1] + 1) % outlines.shape[1]


def _to_outline(points: np.ndarray, other: np.ndarray) -> np.ndarray:
    starts = other[:, None]
    ways = other[:, _next(other)][:, None] - starts
    squares = np.maximum((ways**2).sum(axis=3), 1e-300)
    points = points[:, :, None]
    shares = (((points - starts) * ways).sum(axis=3) / squares).clip(0.0, 1.0)
    feet = starts + shares[..., None] * ways
    return np.sqrt(((points - feet) ** 2).sum(axis=3).min(axis=(1, 2)))


def prism_separation(scene: Scene) -> float:
    """The separation of both polygons as prisms so tall that the way out is never upwards, by the core of space."""
    solids = []
    for one in (scene.a, scene.b):
        points, _ = outline(one, scene.a.position)
        height = 8.0 * size_of(scene)
        hull = Hull.of([(x, y, z) for x, y in points.tolist() for z in (-height, height)])
        solids.append(Body(hull))
    return analyse(Scene(solids[0], solids[1])).separation


def box_pair(rng: Rng) -> tuple[Scene, Scene]:
    """Two boxes turned about z, flat and solid."""
    flat, solid = [], []
    for _ in range(2):
        w, h = rng.uniform(0.2, 2.0, 2).tolist()
        x, y = rng.uniform(-1.2, 1.2, 2).tolist()
        angle = float(rng.uniform(-3.0, 3.0))
        corners = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
        flat.append(Body.in_plane(Polygon(corners), (x, y), angle))
        turned = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
        solid.append(Body(Box((w, h, 40.0)), (x, y, 0.0), turned))
    return Scene(*flat), Scene(*solid)


def past_failures() -> list[Scene]:
    """Every scene of the plane that once got a wrong answer."""

    def read(one: dict[str, Any]) -> Body:
        of = one["shape"]
        laid = Circle(of["radius"]) if of["type"] == "circle" else Polygon.of(of["points"])
        ways = tuple(one.get("displacement", (0.0, 0.0))), one.get("angular_displacement", 0.0)
        return Body.in_plane(laid, tuple(one["position"]), one.get("rotation", 0.0), *ways)

    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((SCENES / "planar").glob("*.json"))]
    return [Scene(read(it["a"]), read(it["b"]), it["name"], it["notes"]) for it in records]


def exact_verdict(scene: Scene) -> str:
    """The verdict for polygons that are not turned, in whole fractions: the planes test without a square root."""
    loops = []
    for one in (scene.a, scene.b):
        assert isinstance(one.shape, Polygon)
        assert not one.angle
        x, y, _ = (Fraction(value) for value in one.position)
        points = one.shape.points
        loops.append([(Fraction(points[k][0]) + x, Fraction(points[k][1]) + y) for k in one.shape.ring])
    apart, touching = False, False
    for own, other in (loops, loops[::-1]):
        for (ax, ay), (bx, by) in zip(own, own[1:] + own[:1], strict=True):
            least = min((by - ay) * (px - ax) - (bx - ax) * (py - ay) for px, py in other)
            apart, touching = apart or least > 0, touching or least == 0
    return "SEPARATED" if apart else "TOUCHING" if touching else "OVERLAPPING"
