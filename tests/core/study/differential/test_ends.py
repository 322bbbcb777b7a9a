"""Numbers of contacts, points off on either side, and shrinking that carries both bodies of the plane along."""

from __future__ import annotations

import numpy as np
import pytest

from core import Body, Box, Polygon, Scene, Sphere
from core.analysis.analysis import separation_of
from core.analysis.brief import distance_of
from core.study.differential.answers import Engine, EngineAnswer, EngineContact
from core.study.differential.certificates import Inside, Outside, certified
from core.study.differential.classes import Kind, Truth, judge
from core.study.differential.numbers import short_rotation
from core.study.differential.shrink import shrunk


@pytest.mark.parametrize(
    ("separation", "contacts", "signed"),
    [
        (None, (), None),
        (0.5, (), 0.5),
        (0.5, (-1.0, -2.0), 0.5),
        (None, (-1.0, -2.0, 0.25), -2.0),
        (None, (None, 0.25), 0.25),
        (None, (None,), None),
    ],
)
def test_the_number_is_the_engines_own_or_that_of_its_deepest_contact(
    separation: float | None, contacts: tuple[float | None, ...], signed: float | None
) -> None:
    answer = EngineAnswer(separation, contacts=tuple(EngineContact((0.0, 0.0, 0.0), one) for one in contacts))
    assert answer.signed == signed


SCENE = Scene(Body(Box((2.0, 2.0, 2.0)), (5.0, 0.0, 0.0)), Body(Sphere(1.0), (8.0, 0.0, 0.0)))


@pytest.mark.parametrize(
    ("off_a", "off_b", "body", "height"),
    [(0.1, None, "a", 0.1), (None, 0.1, "b", 0.1), (0.1, 0.2, "b", 0.2), (0.2, 0.1, "a", 0.2), (-0.1, 0.05, "a", -0.1)],
)
def test_of_two_points_off_their_surfaces_the_worse_is_proved(
    off_a: float | None, off_b: float | None, body: str, height: float
) -> None:
    """By hand: along x A ends at 6 and B begins at 7; a point off by h outwards lies h above its body."""
    truth = Truth.of(distance_of(SCENE))
    on_a = None if off_a is None else (6.0 + off_a, 0.0, 0.0)
    on_b = None if off_b is None else (7.0 - off_b, 0.0, 0.0)
    answer = EngineAnswer(1.0, (1.0, 0.0, 0.0), on_a, on_b)
    judgement = judge(SCENE, truth, Engine("exact"), answer)
    assert (judgement.kind, judgement.off) == (Kind.POINTS_OFF, pytest.approx(abs(height)))
    found = certified(SCENE, truth, answer, judgement)
    assert found is not None
    assert found.body == body
    if height > 0.0:
        assert isinstance(found, Outside)
        assert found.height - found.reach == pytest.approx(height)
    else:
        assert isinstance(found, Inside)
        assert found.inside == pytest.approx(-height)


@pytest.mark.parametrize(
    "q", [(1.0, 0.5, 0.0, 0.0), (1.0, 0.0, 0.5, 0.0), (1.0, 0.0, 0.0, -0.25), (0.0, 1.0, -0.5, 0.1)]
)
def test_a_short_quaternion_is_found_again_of_either_sign(q: tuple[float, float, float, float]) -> None:
    unit = np.array(q) / np.linalg.norm(q)
    for sign in (1.0, -1.0):
        w, x, y, z = (sign * unit).tolist()
        short = np.array(short_rotation((w, x, y, z)))
        assert abs(short / np.linalg.norm(short) @ unit) == pytest.approx(1.0, abs=1e-15)
        assert max(len(repr(abs(part))) for part in short.tolist()) <= 5


def test_a_pair_of_the_plane_is_carried_home_with_both_its_angles() -> None:
    """A condition that rigid motions alone keep: A's angle goes, and B's relative to it stays."""
    shape = Polygon.of([(0.0, 0.0), (1.0, 0.0), (0.0, 0.5)])
    turn = 0.4123456789
    x, y = 1.5 * np.cos(turn) - 0.25 * np.sin(turn), 1.5 * np.sin(turn) + 0.25 * np.cos(turn)
    at = (0.71 + float(x), 0.33 + float(y))
    scene = Scene(Body.in_plane(shape, (0.71, 0.33), turn), Body.in_plane(shape, at, turn + 0.25))
    wanted = separation_of(scene)

    def still(other: Scene) -> bool:
        turned = other.b.angle - other.a.angle
        return abs(separation_of(other) - wanted) < 1e-9 and abs(turned - 0.25) < 1e-9

    found = shrunk(scene, still).scene
    assert (found.a.position, found.a.angle) == ((0.0, 0.0, 0.0), 0.0)
    assert found.b.angle == pytest.approx(0.25)
    assert found.b.position == pytest.approx((1.5, 0.25, 0.0))
