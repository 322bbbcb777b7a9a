"""Shrinking ends at a scene with few digits of which the same is true, and slides into no other fault."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Circle, HalfSpace, Hull, Polygon, Rounded, Scene, Sphere
from core.analysis.analysis import separation_of
from core.analysis.brief import distance_of
from core.study.differential.answers import Engine, EngineAnswer
from core.study.differential.classes import Kind, Truth, judge
from core.study.differential.hunt import Ask, Finding, hunt
from core.study.differential.numbers import (
    digits_of,
    numbers_left,
    resized,
    scaled,
    short_rotation,
    sizes,
    without_points,
)
from core.study.differential.shrink import SameFault, shrunk
from core.study.lab.random_pair import random_flat_pair, random_pair
from tests.core.coal_engine import COAL, ask_coal
from tests.core.mujoco_engine import MUJOCO, ask_mujoco
from tests.core.own_engine import OURS, ask_ours
from tests.selection import some


def test_digits_are_counted_as_a_reader_counts_them() -> None:
    scene = Scene(Body(Sphere(1.0)), Body(Box((1.0, 2.0, 0.25)), (0.0, -1.0, 1e-9)))
    assert numbers_left(scene) == 3
    # 1 | w of A; 1, 2, 25 | -1, 1e-9 | w of B; what is not 1 counts one more
    assert digits_of(scene) == 1 + 1 + (1 + 2 + 3) + (1 + 2) + 1
    turned = replace(scene, b=replace(scene.b, rotation=(-1.0, 0.41, 0.0, -0.2)))
    assert numbers_left(turned) == 5
    assert short_rotation(turned.b.rotation) == (1.0, -0.41, 0.0, 0.2)


@pytest.mark.parametrize("seed", range(12))
def test_every_shape_is_made_again_of_its_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = random_flat_pair(rng) if seed % 3 == 0 else random_pair(rng)
    for shape in (scene.a.shape, scene.b.shape, Rounded(Box((1.0, 2.0, 3.0)), 0.1)):
        numbers = sizes(shape)
        assert resized(shape, numbers) == shape
        for path, number in numbers.items():
            assert sizes(resized(shape, {path: 1.001 * number + 1e-4}))[path] == 1.001 * number + 1e-4


def test_a_scene_grows_as_a_whole() -> None:
    for seed in range(8):
        scene = random_pair(np.random.default_rng(seed))
        assert separation_of(scaled(scene, 3.0)) == pytest.approx(3.0 * separation_of(scene), rel=1e-9)
    ground = Scene(Body(HalfSpace((0.0, 2.0, 0.0), 1.0)), Body(Sphere(1.0), (0.0, 4.0, 0.0)))
    assert separation_of(scaled(ground, 3.0)) == pytest.approx(7.5)


def test_points_are_left_out_in_rows() -> None:
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    left = without_points(Hull(corners), 1, 3)
    assert isinstance(left, Hull)
    assert left.points == (corners[0], corners[3])
    assert without_points(Hull(corners), 0, 4) is None
    assert without_points(Sphere(1.0), 0, 1) is None


def deeper_than(share: float) -> Callable[[Scene], bool]:
    return lambda scene: separation_of(scene) < -share


@pytest.mark.parametrize("kind", ["hull", "cone", "ellipsoid"])
@pytest.mark.sampled(3, "random")
def test_any_condition_is_kept(kind: str) -> None:
    rng = np.random.default_rng(5)
    scenes = [random_pair(rng, (kind,)) for _ in range(6)]
    for scene in (scene for scene in scenes if separation_of(scene) < -0.1):
        asked: list[Scene] = []

        def still(other: Scene, asked: list[Scene] = asked) -> bool:
            asked.append(other)
            return separation_of(other) < -0.1

        found = shrunk(scene, still)
        assert separation_of(found.scene) < -0.1
        assert len(asked) == found.calls <= 200
        assert digits_of(found.scene) < 0.25 * digits_of(scene)
        assert found.scene.a.position == (0.0, 0.0, 0.0)
        assert found.numbers_left <= 3


def test_it_stops_at_the_questions_allowed_with_what_it_has() -> None:
    scene = random_pair(np.random.default_rng(2), ("hull",))
    for most in (0, 1, 7):
        found = shrunk(scene, lambda _: True, most)
        assert found.calls == most
    assert shrunk(scene, lambda _: False).scene == scene


def test_the_plane_stays_in_it() -> None:
    square = Polygon.of([(-1.137, -1.0), (1.0, -1.0), (1.0, 1.3), (-1.137, 1.3)])
    scene = Scene(Body.in_plane(square, (3.7, 1.23), 0.4), Body.in_plane(Circle(1.27), (4.9, 1.5), 0.7))
    found = shrunk(scene, deeper_than(0.3)).scene
    assert found.dimension == 2
    assert separation_of(found) < -0.3
    assert found.a.angle == found.b.angle == 0.0
    assert numbers_left(found) <= 1


def test_small_and_large_scenes_come_to_the_size_of_one() -> None:
    scene = scaled(random_pair(np.random.default_rng(4), ("box",)), 1.37e-3)
    found = shrunk(scene, lambda other: separation_of(other) < 0.0).scene
    assert all(size == (1.0, 1.0, 1.0) for size in (found.a.shape.size, found.b.shape.size))  # type: ignore[union-attr]


def two_faults(scene: Scene) -> EngineAnswer:
    """Boxes: a tenth too shallow where two edges meet; and half too shallow where a centre lies near the other."""
    answer = ask_ours(scene)
    assert answer.separation is not None
    near = float(np.linalg.norm(np.subtract(scene.b.position, scene.a.position))) < 0.3
    wrong = 0.5 if near else 0.9
    return replace(answer, separation=wrong * answer.separation) if answer.separation < 0.0 else answer


def fault_of(engine: Engine, ask: Ask, scene: Scene) -> SameFault:
    truth = Truth.of(distance_of(scene))
    return SameFault.of(engine, ask, scene, truth, judge(scene, truth, engine, ask(scene)))


def test_it_slides_into_no_other_fault() -> None:
    tried = 0
    for seed in range(some(40)):
        scene = random_pair(np.random.default_rng(seed), ("box",))
        if separation_of(scene) > -0.05:
            continue
        tried += 1
        same = fault_of(OURS, two_faults, scene)
        assert same(scene)
        found = shrunk(scene, same).scene
        now = fault_of(OURS, two_faults, found)
        assert now.judgement.kind is same.judgement.kind is Kind.DEPTH_SMALL
        assert now.features == same.features
        assert not now.concentric
        assert now.judgement.severity >= 0.4 * same.judgement.severity
        assert 1 / 2.5 <= now.depth / same.depth <= 2.5
        assert numbers_left(found) < numbers_left(scene)
    assert tried >= some(10)


def worst_of(engine: Engine, ask: Ask, kinds: tuple[str, ...], shapes: tuple[str, str], kind: Kind) -> Finding:
    found = [one.found for one in hunt(engine, ask, kinds, most=400) if one.found is not None]
    wanted = [one for one in found if one.key.shapes == shapes and one.key.kind is kind and not one.key.degenerate]
    return max(wanted, key=lambda one: one.judgement.severity)


def test_coals_sphere_and_cylinder_come_to_six_numbers() -> None:
    coal = pytest.importorskip("coal", reason="Coal has no wheel for Windows")

    def ask(scene: Scene) -> object:
        return ask_coal(coal, scene)

    worst = worst_of(COAL, ask, ("sphere", "cylinder"), ("cylinder", "sphere"), Kind.DEPTH_LARGE)  # type: ignore[arg-type]
    same = SameFault.of(COAL, ask, worst.question.scene, worst.truth, worst.judgement)  # type: ignore[arg-type]
    found = shrunk(worst.question.scene, same)
    assert found.calls <= 200
    assert found.numbers_left == numbers_left(found.scene) <= 6
    assert same(found.scene)


def test_mujocos_box_and_capsule_come_to_nine_numbers() -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")

    def ask(scene: Scene) -> object:
        return ask_mujoco(mujoco, scene)

    worst = worst_of(MUJOCO, ask, ("box", "capsule"), ("box", "capsule"), Kind.DEPTH_SMALL)  # type: ignore[arg-type]
    same = SameFault.of(MUJOCO, ask, worst.question.scene, worst.truth, worst.judgement)  # type: ignore[arg-type]
    found = shrunk(worst.question.scene, same)
    assert found.calls <= 200
    assert found.numbers_left <= 9
    assert same(found.scene)
