"""GJK and EPA in single precision, step by step: double's own step records, and no digit in them but float32's."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Rounded, Scene, Shape, Sphere
from core.analysis.analysis import analyse
from core.float32 import analyse_single, single_gjk_epa
from core.geometry.quaternion import normalized
from core.geometry.tolerances import DOUBLE, EPS, EXACT, FLAT, ROUNDING, SINGLE, Precision
from core.gjk.epa import EpaSettings, EpaStep
from core.gjk.gjk import GjkSettings, GjkStep
from core.gjk.simplex import SubDistance
from core.pair.support import DifferencePoint
from tests.core import planar_samples

SHAPES: tuple[Shape, ...] = (
    Box((1.0, 0.7, 0.5)),
    Sphere(0.4),
    Capsule(0.2, 0.6),
    Cylinder(0.3, 0.8),
    Cone(0.4, 0.7),
    Ellipsoid((0.3, 0.5, 0.2)),
    Hull(((1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0))),
    Hull(((0.1, 0.2, 0.3), (0.4, 0.1, 0.2))),
    Rounded(Cone(0.4, 0.7), 0.05),
    Rounded(Box((1.0, 0.7, 0.5)), 0.1),
    # More corners than are looked at one by one.
    Hull.of(np.random.default_rng(5).normal(size=(60, 3))),
)
OFFSETS = ((0.0, 0.0, 0.0), (0.03, 0.02, 0.01), (0.3, 0.5, 0.1), (1.5, 1.1, -0.8), (0.0, 0.6, 0.0), (3e4, -2e4, 1e4))
FLAT_ON = normalized((1.0, 0.0, 0.0, 0.0))
TURNS = (FLAT_ON, normalized((0.4, 0.2, -0.6, 0.1)))


def scenes_of(first: Shape, second: Shape) -> Iterator[Scene]:
    for offset in OFFSETS:
        for turn in TURNS:
            a = Body(first, (0.1, 0.0, 0.0), TURNS[1] if turn is TURNS[1] else FLAT_ON)
            yield Scene(a, Body(second, tuple(np.add(offset, (0.1, 0.0, 0.0)).tolist()), turn))


def numbers(value: Any) -> Iterator[Any]:
    """Every number that is not a count, in the fields of a record and of those in it."""
    if isinstance(value, np.ndarray):
        yield from value.ravel()
    elif isinstance(value, tuple):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, Struct) and not isinstance(value, Precision):
        for name in value.__struct_fields__:
            yield from numbers(getattr(value, name))
    elif value is not None and not isinstance(value, int | str | Enum | Precision):
        yield value


def points_of(step: Any) -> tuple[DifferencePoint, ...]:
    found = step.simplex if isinstance(step, GjkStep) else step.vertices
    return found if step.support is None else (*found, step.support)


def assert_single(scene: Scene, *, world_space: bool, **settings: Any) -> None:
    """Zeros and ones that the code writes itself have no digits to lose."""
    recording = single_gjk_epa(scene, world_space=world_space, **settings)
    for step in recording.steps:
        for number in numbers(step):
            assert type(number) is np.float32 or number in (0.0, 1.0), (step, number)
        for point in points_of(step):
            for array in (point.a, point.b, point.w):
                assert array.dtype == np.float32
            np.testing.assert_array_equal(np.subtract(point.a, point.b), point.w)
        closest = step.closest
        if closest is not None:
            np.testing.assert_array_equal(closest.astype(np.float32), closest)
    for number in numbers(recording.result):
        assert np.isnan(number) or np.float32(number) == number, (recording.result, number)
    told = [answer for answer in analyse_single(scene, world_space=world_space).answers if answer.algorithm[0] == "G"]
    if not settings:
        assert [answer.separation for answer in told] == [float(recording.result.separation)]


@pytest.mark.parametrize("world_space", [False, True])
@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(SHAPES, 2)))
@pytest.mark.sampled(16, "random")
def test_every_number_of_every_step_is_a_float32(first: Shape, second: Shape, world_space: bool) -> None:
    for scene in scenes_of(first, second):
        assert_single(scene, world_space=world_space)


@pytest.mark.parametrize("world_space", [False, True])
def test_every_number_of_every_step_in_the_plane_is_a_float32(world_space: bool) -> None:
    for scene in planar_samples.scenes(60, 72):
        assert_single(scene, world_space=world_space)


def test_the_settings_are_those_of_doubles() -> None:
    scene = Scene(Body(Cylinder(0.3, 0.8)), Body(Cone(0.4, 0.7), (0.1, 0.2, 0.1), TURNS[1]))
    for method in SubDistance:
        assert_single(scene, world_space=False, gjk_settings=GjkSettings(sub_distance=method))
    few = single_gjk_epa(scene, epa_settings=EpaSettings(iterations=3))
    assert sum(isinstance(step, EpaStep) for step in few.steps) == 4
    loose, tight = (single_gjk_epa(scene, epa_settings=EpaSettings(gap=gap)) for gap in (1e9 * EPS, ROUNDING))
    assert len(loose.steps) < len(tight.steps)


@pytest.mark.parametrize(("first", "second"), list(combinations_with_replacement(SHAPES, 2)))
@pytest.mark.sampled(4, "random")
def test_the_steps_begin_as_doubles_do(first: Shape, second: Shape) -> None:
    """So both runs can be laid side by side up to the step where they part."""
    for scene in scenes_of(first, second):
        closing = analyse(scene).gjk_epa
        assert closing is not None
        double, single = closing.steps[0], single_gjk_epa(scene).steps[0]
        assert type(double) is type(single)
        assert double.number == single.number
        size = 1.0 + np.abs(scene.b.position).max()
        # Of points as far off either may come first.
        near = [double.simplex[0].direction @ (double.simplex[0].w - single.simplex[0].w)]
        assert abs(near[0]) <= 16.0 * SINGLE.spacing * size


def test_a_half_space_has_no_steps() -> None:
    with pytest.raises(ValueError, match="half-space"):
        single_gjk_epa(Scene(Body(Sphere(1.0)), Body(HalfSpace((0.0, 1.0, 0.0), 0.0))))


def test_tolerances_count_in_the_spacing_of_the_numbers() -> None:
    assert Precision(1.0, EPS, ROUNDING, FLAT, EXACT) == DOUBLE
    assert SINGLE.coarser == np.finfo(np.float32).eps / np.finfo(np.float64).eps == 2.0**29
    for name in ("spacing", "rounding", "flat", "exact"):
        assert getattr(SINGLE, name) == 2.0**29 * getattr(DOUBLE, name)
