"""Scenes to try: random ones by family, and the hard ones that MuJoCo's and Jolt's tests taught.

Every family is a function of a seeded generator; `FAMILIES` lists those of two boxes, `SPHERE_FAMILIES` the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from core import (
    Body,
    Box,
    Scene,
    Shape,
    Sphere,
    analyse,
)
from core.geometry.quaternion import (
    IDENTITY,
    Quaternion,
    from_axis_angle,
    from_matrix,
    multiply,
    normalized,
)
from tests.selection import some
from tests.shape_truths import TRUTHS, WORLD_AXES, triple, truth_of

Triple = tuple[float, float, float]
Family = Callable[[np.random.Generator], Scene]

ANGLES = (0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 2e-12, 1e-11, 1e-10, 1e-8, 3e-8, 1e-6, 1e-4, 1e-3, 0.3, pi / 4)
"""Turns away from alignment, radians: through and about every tolerance of the core."""

GAPS = (0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-10, 1e-8, -1e-8, 1e-6, -1e-6, 1e-3, -1e-3, 0.1)
"""Separations to move pairs to, in units of their size."""

CUBE_TURNS: tuple[Quaternion, ...] = tuple(
    from_matrix(np.array((x, y, np.cross(x, y))))
    for x in np.vstack((np.eye(3), -np.eye(3)))
    for y in np.vstack((np.eye(3), -np.eye(3)))
    if x @ y == 0.0
)
"""The 24 rotations that take a cube to itself."""


def random_rotation(rng: np.random.Generator) -> Quaternion:
    w, x, y, z = (float(c) for c in rng.normal(size=4))
    return normalized((w, x, y, z))


def random_size(rng: np.random.Generator, spread: float = 10.0) -> Triple:
    """Edge lengths within a factor `spread`, at most 1."""
    return triple(spread ** -rng.random(3))


def random_box(rng: np.random.Generator, spread: float = 10.0) -> Body:
    return Body(Box(random_size(rng, spread)), (0.0, 0.0, 0.0), random_rotation(rng))


def moved(body: Body, by: Any) -> Body:
    return replace(body, position=triple(np.add(body.position, by)))


def at_gap(scene: Scene, gap: float) -> Scene:
    """B moved along the normal until the separation is about `gap` (exactly, where the nearest features stay)."""
    found = analyse(scene)
    return replace(scene, b=moved(scene.b, (gap - found.separation) * found.normal))


def general(rng: np.random.Generator) -> Scene:
    """Any pose and any offset, about half of them overlapping."""
    a, b = random_box(rng, 3.0), random_box(rng, 3.0)
    return Scene(a, moved(b, 0.45 * rng.normal(size=3)))


def near_aligned(rng: np.random.Generator) -> Scene:
    """One of the cube's turns, up to three of `ANGLES` about axes of the frame or any, and any offset."""
    start = random_rotation(rng) if rng.random() < 0.5 else IDENTITY
    turn = multiply(start, CUBE_TURNS[rng.integers(24)])
    for _ in range(rng.integers(0, 4)):
        axis = triple(rng.normal(size=3)) if rng.random() < 0.3 else WORLD_AXES[rng.integers(3)]
        angle = float(rng.choice(ANGLES)) * (rng.uniform(0.5, 2.0) if rng.random() < 0.5 else 1.0)
        turn = multiply(turn, from_axis_angle(axis, angle))
    a = Body(Box(random_size(rng)), (0.0, 0.0, 0.0), normalized(start))
    b = Body(Box(random_size(rng)), (0.0, 0.0, 0.0), normalized(turn))
    return Scene(a, moved(b, rng.normal(size=3) * rng.choice((0.0, 0.1, 0.5))))


def touching(rng: np.random.Generator) -> Scene:
    """A general or nearly aligned pair at one of `GAPS`."""
    scene = general(rng) if rng.random() < 0.5 else near_aligned(rng)
    return at_gap(scene, float(rng.choice(GAPS)))


def cubes_on_a_lattice(rng: np.random.Generator) -> Scene:
    """Aligned unit cubes whose faces, edges or corners meet exactly, cover each other or coincide."""
    offset = rng.choice((-1.0, -0.5, 0.0, 0.5, 1.0), size=3)
    a = Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0), CUBE_TURNS[rng.integers(24)])
    return Scene(a, Body(Box((1.0, 1.0, 1.0)), triple(offset), CUBE_TURNS[rng.integers(24)]))


def contained(rng: np.random.Generator) -> Scene:
    """A small box inside a large one; one in three with the same centre."""
    a, b = random_box(rng, 2.0), random_box(rng, 3.0)
    inner = replace(b, shape=Box(triple(0.1 * np.array(random_size(rng)))))
    return Scene(a, moved(inner, rng.uniform(-0.2, 0.2, size=3) * float(rng.random() > 1 / 3)))


def needles(rng: np.random.Generator) -> Scene:
    """Rods and plates with edges up to 1 to 10,000."""
    a, b = random_box(rng, 1e4), random_box(rng, 1e4)
    return at_gap(Scene(a, moved(b, 0.3 * rng.normal(size=3))), float(rng.choice(GAPS)) * 1e-3)


def far_or_scaled(rng: np.random.Generator) -> Scene:
    """A pair of another family, a million times larger, smaller, or as far from the world's origin."""
    scene = (general, near_aligned, touching)[rng.integers(3)](rng)
    if rng.random() < 0.5:
        return scaled(scene, float(rng.choice((1e-6, 1e6))))
    far = 1e6 * rng.normal(size=3)
    return replace(scene, a=moved(scene.a, far), b=moved(scene.b, far))


def sphere_box(rng: np.random.Generator) -> Scene:
    """A sphere in any of the box's 27 regions, either body first, at any gap."""
    box = random_box(rng, 3.0)
    assert isinstance(box.shape, Box)
    region = rng.integers(-1, 2, size=3)
    reach = np.array(box.shape.size) / 2
    local = region * reach + np.where(region == 0, rng.uniform(-1, 1, size=3) * reach, region * rng.random(3) * 0.5)
    centre = box.pose.to_world(local)
    ball = Body(Sphere(float(rng.uniform(0.05, 0.8))), triple(centre), random_rotation(rng))
    scene = Scene(box, ball) if rng.random() < 0.5 else Scene(ball, box)
    return at_gap(scene, float(rng.choice(GAPS))) if rng.random() < 0.3 else scene


def sphere_sphere(rng: np.random.Generator) -> Scene:
    """Two spheres: apart, touching, overlapping, one inside the other, coincident."""
    a, b = (Body(Sphere(float(rng.uniform(0.1, 1.0)))) for _ in range(2))
    scene = Scene(a, moved(b, rng.normal(size=3) * rng.choice((0.0, 1e-9, 0.3, 1.0))))
    return at_gap(scene, float(rng.choice(GAPS))) if rng.random() < 0.3 else scene


FAMILIES: tuple[Family, ...] = (
    general,
    near_aligned,
    touching,
    cubes_on_a_lattice,
    contained,
    needles,
    far_or_scaled,
)
SPHERE_FAMILIES: tuple[Family, ...] = (sphere_box, sphere_sphere)


def sample(family: Family, count: int, seed: int = 1) -> Iterator[Scene]:
    """`count` scenes of a family, or a share of them, the same ones every time."""
    rng = np.random.default_rng(seed)
    for _ in range(some(count)):
        yield family(rng)


def scaled(scene: Scene, factor: float) -> Scene:
    """The scene with every length multiplied."""

    def grown(body: Body) -> Body:
        return replace(
            body, shape=truth_of(body.shape).scaled(factor), position=triple(np.multiply(body.position, factor))
        )

    return replace(scene, a=grown(scene.a), b=grown(scene.b))


def carried(scene: Scene, rotation: Quaternion, by: Any) -> Scene:
    """The scene turned about the world's origin and moved, as one rigid body."""
    turned = Body(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.0), rotation).pose

    def placed(body: Body) -> Body:
        position = triple(turned.matrix @ np.array(body.position) + by)
        return replace(body, position=position, rotation=normalized(multiply(rotation, body.rotation)))

    return replace(scene, a=placed(scene.a), b=placed(scene.b))


def box_scene(size_a: Any, size_b: Any, at: Any, turn_a: Quaternion = IDENTITY, turn_b: Quaternion = IDENTITY) -> Scene:
    """Box A at the origin and box B at `at`."""
    return Scene(Body(Box(triple(size_a)), (0.0, 0.0, 0.0), turn_a), Body(Box(triple(size_b)), triple(at), turn_b))


def cubes(half_a: float, half_b: float, at: Any, turn_a: Quaternion = IDENTITY, turn_b: Quaternion = IDENTITY) -> Scene:
    """Cube A at the origin and cube B at `at`, by their half edges."""
    return box_scene((2 * half_a,) * 3, (2 * half_b,) * 3, at, turn_a, turn_b)


SHAPES = {truth.kind: shape for shape, truth in TRUTHS.items() if truth.kind}
"""Classes of shapes by their names in files."""


def body_of(record: dict[str, Any]) -> Body:
    """A body from its JSON object, without the app; its shape's parameters are called as the fields are."""

    def value(data: Any) -> Any:
        return tuple(value(item) for item in data) if isinstance(data, list) else float(data)

    parameters = {key: value(data) for key, data in record["shape"].items() if key != "type"}
    w, x, y, z = (float(c) for c in record.get("rotation", IDENTITY))
    shape: Shape = SHAPES[record["shape"]["type"]](**parameters)
    ways = (triple(record.get(name, (0.0, 0.0, 0.0))) for name in ("displacement", "angular_displacement"))
    return Body(shape, triple(record["position"]), normalized((w, x, y, z)), *ways)


def read_scene(record: dict[str, Any]) -> Scene:
    """A scene from its JSON object, without the app."""
    return Scene(body_of(record["a"]), body_of(record["b"]), record.get("name", ""), record.get("notes", ""))


SCENES = Path(__file__).parent / "scenes"
CASES = Path(__file__).parent.parent / "assets" / "cases" / "cases.json"


def past_failures() -> list[Scene]:
    """Every scene that once got a wrong answer."""
    return [read_scene(json.loads(path.read_text(encoding="utf-8"))) for path in sorted(SCENES.glob("*.json"))]


def past_motions() -> list[Scene]:
    """Every motion that once got a wrong answer."""
    return [read_scene(json.loads(path.read_text(encoding="utf-8"))) for path in sorted(SCENES.glob("motion/*.json"))]


def reported_cases() -> list[dict[str, Any]]:
    """The records of cases.json: `scene` and `truth` besides the story."""
    records: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))["cases"]
    return records
