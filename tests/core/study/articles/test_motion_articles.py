"""The articles' mistakes about one motion in words: the scenes that break each, in either order of the bodies."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.motion_answers import sweep
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Sphere
from core.study.articles import MOTION_VARIANTS, ArticleAnswer, ArticleVariant, motion_articles
from core.toi.motion import MotionStop
from tests.motion_judge import general

by_id = pytest.mark.parametrize("variant", MOTION_VARIANTS, ids=lambda variant: variant.id)


def answers(scene: Scene) -> dict[str, ArticleAnswer]:
    found = sweep(scene)
    return {} if found is None else {answer.id: answer for answer in motion_articles(scene, found)}


def moved_along(scene: Scene) -> Scene:
    """The same relative motion, with both bodies moving: what rests has no answer at all."""
    way = (0.0, 0.0, 0.25)
    return replace(
        scene,
        a=replace(scene.a, displacement=tuple(np.add(scene.a.displacement, way).tolist())),
        b=replace(scene.b, displacement=tuple(np.add(scene.b.displacement, way).tolist())),
    )


@by_id
def test_it_is_wrong_where_it_breaks_and_right_where_it_agrees(variant: ArticleVariant) -> None:
    for scene in variant.breaks:
        shown = scene if sweep(scene) is not None else moved_along(scene)
        answer = answers(shown)[variant.id]
        assert not answer.right
        assert variant.why in str(answer.words)
        assert answer.title == variant.title
    for scene in variant.agrees:
        assert answers(scene)[variant.id].right


@pytest.mark.parametrize("name", ["P1-backwards", "P5-backwards", "P13-normal"])
def test_the_bodies_may_stand_in_either_order(name: str) -> None:
    variant = next(variant for variant in MOTION_VARIANTS if variant.id == name)
    for scene in variant.breaks:
        assert answers(scene.swapped())[name] == answers(scene)[name]


def test_the_wrong_ones_come_first_with_the_size_of_their_error() -> None:
    balls = Scene(
        Body(Sphere(1.0), displacement=(2.0, 0.0, 0.0)),
        Body(Sphere(1.0), (6.0, 0.0, 0.0), displacement=(-2.0, 0.0, 0.0)),
    )
    rows = list(answers(balls).values())
    assert [row.right for row in rows] == sorted(row.right for row in rows)
    assert str(answers(balls)["P4-sum"].words).startswith("No contact instead of t = 1.")


def test_a_time_beyond_the_end_is_told_as_such_and_cannot_be_shown() -> None:
    cubes = Scene(
        Body(Box((1.0, 1.0, 1.0))),
        Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0), displacement=(-3.0, 0.5, 0.0)),
    )
    late = answers(cubes)["P9-as-printed"]
    # By hand: along y the boxes part at (1 - 0) / 0.5.
    assert str(late.words).startswith("t = 2, after the end, instead of t = 0.666667.")
    assert late.time is None
    # By hand: from x = 0, where they overlap, back to 3.
    backwards = answers(cubes)["P9-backwards"]
    assert str(backwards.words).startswith("t = 0 instead of t = 0.666667.")
    assert backwards.time == 0.0


def test_a_mere_touch_is_told_beside_the_mistake() -> None:
    grazing = Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (5.0, 2.0 + 1e-14, 0.0), displacement=(-8.0, 0.0, 0.0)))
    found = sweep(grazing)
    assert found is not None
    assert found.result.stop is MotionStop.GRAZING
    wrong = [answer for answer in answers(grazing).values() if not answer.right]
    assert len(wrong) == 4
    assert all("only touch" in str(answer.words) for answer in wrong)


def test_of_bodies_that_turn_and_of_other_shapes_no_article_speaks() -> None:
    cube = Body(Box((1.0, 1.0, 1.0)))
    turning = Scene(cube, Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0), angular_displacement=(0.0, 1.0, 0.0)))
    assert answers(turning) == {}
    rod = Body(Capsule(0.5, 1.0), (4.0, 0.0, 0.0), displacement=(-1.0, 0.0, 0.0))
    assert answers(Scene(cube, rod)) == {}
    # A sphere that turns is none the wiser for it.
    spun = Body(Sphere(1.0), (5.0, 0.2, 0.0), displacement=(-5.0, 0.0, 0.0), angular_displacement=(0.0, 3.0, 0.0))
    assert set(answers(Scene(Body(Sphere(1.0)), spun))) == {v.id for v in MOTION_VARIANTS if v.system == "P4"}


@pytest.mark.parametrize(
    ("pair", "systems"),
    [
        (("sphere", "halfspace"), {"P1"}),
        (("box", "halfspace"), {"P2"}),
        (("sphere", "sphere"), {"P4"}),
        (("box", "sphere"), {"P5"}),
        (("box", "box"), {"P8", "P9", "P10"}),
        (("ellipsoid", "halfspace"), {"P13"}),
    ],
)
@pytest.mark.sampled(3, "random")
def test_whatever_the_motion_they_answer_in_numbers(pair: tuple[str, str], systems: set[str]) -> None:
    rng = np.random.default_rng(81)
    for scale in (1.0, 1e-9, 1e9):
        for _ in range(12):
            drawn = general(rng, *pair)
            scene = replace(drawn, a=_way(drawn.a, scale), b=_way(drawn.b, scale))
            for either in (scene, scene.swapped()):
                rows = answers(either)
                assert {row.id.partition("-")[0] for row in rows.values()} == systems
                for row in rows.values():
                    assert not {"nan", "inf", "-inf"} & set(str(row.words).replace(",", "").split())
                    assert row.time is None or 0.0 <= row.time <= 1.0 < inf


def _way(body: Body, scale: float) -> Body:
    x, y, z = (scale * part for part in body.displacement)
    return replace(body, displacement=(x, y, z))
