"""Motions of the plane to try, and a judge of their answers that knows none of the algorithms for motion.

Distances are by brute force (`planar_samples`). Of bodies that do not turn the distance is a convex function of time:
it falls and then rises. So a little before a first contact it is positive, and a search finds the least there is.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from core.scene import Body, Scene
from core.shapes import Circle, Polygon
from core.toi.motion import MotionOutcome, MotionResult
from tests.core.planar_samples import Rng, brute_forces, moved, outline, polygon, regular, size_of

Make = Callable[[Rng], Polygon | Circle]
Family = Callable[[Rng, Make, Make], Scene]


def circle(rng: Rng) -> Circle:
    return Circle(float(rng.uniform(0.1, 1.0)))


def needle(rng: Rng) -> Polygon:
    return Polygon(((-1.0, 0.0), (1.0, 0.0), (float(rng.uniform(-1.0, 1.0)), 10.0 ** rng.uniform(-6, -2))))


def standing(scene: Scene, time: float) -> Scene:
    """Both bodies at a time."""

    def there(body: Body) -> Body:
        (x, y, _), (dx, dy, _) = body.position, body.displacement
        turned = body.angle + time * body.angular_displacement[2]
        return Body.in_plane(body.shape, (x + time * dx, y + time * dy), turned)

    return Scene(there(scene.a), there(scene.b))


def distance(scene: Scene, time: float) -> float:
    """Signed, with A's own motion taken off beforehand, so that it costs no digits."""
    return float(distances(scene, np.array([time]))[0])


def distances(scene: Scene, times: np.ndarray) -> np.ndarray:
    """The same at many times."""
    outlines = []
    for body, way in ((scene.a, np.zeros(2)), (scene.b, relative_way(scene))):
        offset = np.subtract(body.position, scene.a.position)[:2] + times[:, None] * way
        if isinstance(body.shape, Circle):
            outlines += [offset[:, None], body.shape.radius]
            continue
        angles = body.angle + times * body.angular_displacement[2]
        c, s = np.cos(angles)[:, None], np.sin(angles)[:, None]
        x, y = np.array([body.shape.points[k] for k in body.shape.ring]).T
        outlines += [np.stack((c * x - s * y, s * x + c * y), axis=2) + offset[:, None], 0.0]
    return brute_forces(*outlines)


def larger(scene: Scene) -> float:
    """L."""
    return max(scene.a.shape.bounding_radius, scene.b.shape.bounding_radius)


def relative_way(scene: Scene) -> np.ndarray:
    return np.subtract(scene.b.displacement, scene.a.displacement)[:2]


def least(scene: Scene) -> tuple[float, float]:
    """When the bodies, which do not turn, are nearest, and how near."""
    low, high = 0.0, 1.0
    for _ in range(15):  # by 16 each time, to the last place and beyond
        times = np.linspace(low, high, 33)
        nearest = int(distances(scene, times).argmin())
        low, high = times[max(nearest - 1, 0)], times[min(nearest + 1, 32)]
    times = np.array((0.0, low, high, 1.0))
    found = distances(scene, times)
    nearest = int(found.argmin())
    return float(times[nearest]), float(found[nearest])


def turns(scene: Scene) -> bool:
    return any((*scene.a.angular_displacement, *scene.b.angular_displacement))


def faults(scene: Scene, result: MotionResult, tolerance: float) -> list[str]:
    """What is wrong with an answer, in words; `tolerance` in scene units."""
    if turns(scene) and result.outcome in (MotionOutcome.HIT, MotionOutcome.SEPARATED):
        until = 1.0 if result.time is None else result.time
        left = 0.0 if result.time is None else distance(scene, until)
        said = [f"separation {left:.3g} left at {until:.17g}"] if abs(left) > tolerance else []
        deep = overlap_before(scene, until, tolerance)
        return said if deep is None else [*said, f"late: {deep[1]:.3g} at {deep[0]:.17g}"]
    if result.outcome is MotionOutcome.INITIAL_OVERLAP:
        start = distance(scene, 0.0)
        return [] if start <= tolerance and result.time == 0.0 else [f"no overlap at the start: {start:.3g}"]
    if result.outcome is MotionOutcome.SEPARATED:
        time, near = least(scene)
        said = [] if near >= -tolerance else [f"tunnelled: {near:.3g} at {time:.17g}"]
        if result.normal is not None:
            # Nothing turns: who is apart along it at both ends is so all the time.
            kept = min(_certified(standing(scene, end), result.normal[:2]) for end in (0.0, 1.0))
            said += [f"kept apart by {kept:.3g}"] if kept < -tolerance else []
        return said
    if result.outcome is MotionOutcome.HIT:
        return _of_a_hit(scene, result, tolerance)
    proved = 0.999 * min(result.free, 1.0)
    return [] if result.free == 0.0 or distance(scene, proved) >= -tolerance else [f"free until {result.free:.17g}"]


def _of_a_hit(scene: Scene, result: MotionResult, tolerance: float) -> list[str]:
    time, normal = result.time, result.normal
    assert time is not None
    assert normal is not None
    said = []
    if not 0.0 <= time <= 1.0 or result.free > time:
        said.append(f"time {time:.17g}, free until {result.free:.17g}")
    left, before = distance(scene, time), distance(scene, 0.999 * time)
    if abs(left) > tolerance:
        said.append(f"separation {left:.3g} left at {time:.17g}")
    if before < -tolerance:
        said.append(f"late: {before:.3g} before")
    if abs(math.hypot(*normal[:2]) - 1.0) > 1e-12 or normal[2] != 0.0:
        said.append(f"normal {normal}")
    # The normal's certificate: along it they are as far apart as they are.
    there = standing(scene, time)
    gap = _certified(there, normal[:2])
    if abs(gap - left) > 10.0 * tolerance + 1e-12 * size_of(scene):
        said.append(f"the normal proves {gap:.3g}, the separation is {left:.3g}")
    return said


def _certified(scene: Scene, normal: np.ndarray) -> float:
    (p, ra), (q, rb) = (outline(body, scene.a.position) for body in (scene.a, scene.b))
    return float((q @ normal).min() - rb - (p @ normal).max() - ra)


def general(rng: Rng, first: Make, second: Make) -> Scene:
    """Two bodies anywhere about each other, and a relative motion aimed past A's position by about a size."""
    start = rng.normal(size=2)
    start *= rng.uniform(1.8, 5.0) / np.linalg.norm(start)
    aim, drift = 0.7 * rng.normal(size=2), rng.normal(size=2)
    way = (aim - start) * rng.uniform(0.6, 2.0)
    place = rng.normal(size=2)
    a = Body.in_plane(first(rng), pair(place), float(rng.uniform(-4, 4)), pair(drift))
    b = Body.in_plane(second(rng), pair(place + start), float(rng.uniform(-4, 4)), pair(drift + way))
    return Scene(a, b)


def aligned(rng: Rng, first: Make, second: Make) -> Scene:
    """Frames turned by right angles, squares among them, and ways along an axis: l·d = 0 on many an axis."""
    scene = general(rng, first, second)
    shapes = [
        Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)]) if isinstance(body.shape, Polygon) else body.shape
        for body in (scene.a, scene.b)
    ]
    way = relative_way(scene)
    way[int(rng.integers(2))] = 0.0
    offset = np.round(2.0 * np.subtract(scene.b.position, scene.a.position)[:2]) / 2.0
    a = Body.in_plane(shapes[0], scene.a.position[:2], float(rng.integers(4)) * math.pi / 2.0)
    b = Body.in_plane(
        shapes[1], pair(np.array(scene.a.position[:2]) + offset), float(rng.integers(4)) * math.pi / 2.0, pair(way)
    )
    return Scene(a, b)


def fast(rng: Rng, first: Make, second: Make) -> Scene:
    """Hundreds of sizes in one interval."""
    return with_way(scene := general(rng, first, second), 300.0 * relative_way(scene))


def grazing(rng: Rng, first: Make, second: Make) -> Scene:
    """Along a tangent: they come to touch, or to a hair's breadth, and part again."""
    scene = general(rng, first, second)
    normal = _towards(scene, rng)
    scene = touching(scene, normal, float(rng.choice((0.0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-5))))
    beside = np.array((-normal[1], normal[0])) * rng.uniform(0.5, 3.0)
    back = replace(scene.b, position=(*pair(np.array(scene.b.position[:2]) - beside), 0.0))
    return with_way(replace(scene, b=back), 2.0 * beside)


def resting(rng: Rng, first: Make, second: Make) -> Scene:
    """In contact at the start, or nearly: moving on, apart, along the surface, or not at all."""
    scene = general(rng, first, second)
    normal = _towards(scene, rng)
    scene = touching(scene, normal, float(rng.choice((0.0, 1e-15, -1e-15, 1e-10, 1e-7))))
    ways = (np.zeros(2), normal, -normal, np.array((-normal[1], normal[0])))
    return with_way(scene, ways[int(rng.integers(4))])


def far_away(rng: Rng, first: Make, second: Make) -> Scene:
    """A million sizes from the world's origin."""
    return moved(general(rng, first, second), (1e6, -1e6))


FAMILIES: tuple[Family, ...] = (general, aligned, fast, grazing, resting, far_away)


def turning(rng: Rng, first: Make, second: Make) -> Scene:
    """A general pair that turns as well, either body or both."""
    scene = general(rng, first, second)
    spun = [replace(body, angular_displacement=(0.0, 0.0, float(2.0 * rng.normal()))) for body in (scene.a, scene.b)]
    which = int(rng.integers(3))
    return Scene(spun[0] if which != 1 else scene.a, spun[1] if which != 0 else scene.b)


def with_way(scene: Scene, way: np.ndarray) -> Scene:
    """The scene with B moving by `way` relative to A."""
    return replace(scene, b=replace(scene.b, displacement=(*pair(np.add(scene.a.displacement[:2], way)), 0.0)))


def touching(scene: Scene, normal: np.ndarray, gap: float) -> Scene:
    """B moved to where the two outermost points along the unit `normal` are one, and `gap` L on."""
    (p, ra), (q, rb) = (outline(body, scene.a.position) for body in (scene.a, scene.b))
    on_a, on_b = p[(p @ normal).argmax()] + ra * normal, q[(q @ normal).argmin()] - rb * normal
    place = np.array(scene.b.position[:2]) + (on_a - on_b) + gap * larger(scene) * normal
    return replace(scene, b=replace(scene.b, position=(*pair(place), 0.0)))


def _towards(scene: Scene, rng: Rng) -> np.ndarray:
    """A unit vector in which the bodies may touch: an edge's normal, or any."""
    points, _ = outline(scene.a, scene.a.position)
    if len(points) > 1 and rng.random() < 0.5:
        way = points[1] - points[0]
        return np.array((way[1], -way[0])) / np.hypot(*way)
    angle = rng.uniform(0.0, math.tau)
    return np.array((math.cos(angle), math.sin(angle)))


def pair(vector: np.ndarray) -> tuple[float, float]:
    x, y = np.asarray(vector, dtype=float).tolist()
    return (x, y)


MAKERS: dict[str, Make] = {
    "polygon": polygon,
    "circle": circle,
    "regular": lambda rng: regular(int(rng.integers(3, 9))),
    "needle": needle,
}


def overlap_before(scene: Scene, until: float, tolerance: float, grain: float = 1e-3) -> tuple[float, float] | None:
    """A time before `until` at which bodies that may turn overlap by more than `tolerance`, and the separation there.

    None where they are proved apart but for stretches on which they move by less than `grain` L: between two times at
    distances d0 and d1 nothing happens that moves by less than d0 + d1.
    """
    swings = sum(abs(body.angular_displacement[2]) * body.shape.bounding_radius for body in (scene.a, scene.b))
    speed = float(np.hypot(*relative_way(scene))) + swings
    times = np.linspace(0.0, until, 2 if until > 0.0 else 0)
    found = distances(scene, times)
    starts, stretch = times[:-1], until
    before, after = found[:-1], found[1:]
    while True:
        if (found < -tolerance).any():
            first = int((found < -tolerance).argmax())
            return float(times[first]), float(found[first])
        # All the stretches of one length that are not proved yet are halved at once.
        open_yet = before + after <= speed * stretch
        if speed * stretch <= grain * larger(scene) or not open_yet.any():
            return None
        starts, before, after = starts[open_yet], before[open_yet], after[open_yet]
        stretch *= 0.5
        times = starts + stretch
        found = distances(scene, times)
        starts = np.concatenate((starts, times))
        before, after = np.concatenate((before, found)), np.concatenate((found, after))
