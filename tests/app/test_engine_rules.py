"""What each engine does by design, on either side of its bound; and the table of shares."""

from __future__ import annotations

from math import sqrt

import pytest

from app.engines.catalogue import ENGINES
from core import Body, Box, Capsule, Cylinder, Hull, Scene, Shape, Sphere
from core.analysis.brief import distance_of
from core.study.differential.answers import Engine, EngineAnswer, EngineContact, NotAsked, Unsupported
from core.study.differential.classes import Judgement, Kind, Truth, judge
from tests.bench import shares
from tests.core.own_engine import OURS, ask_ours

X = (1.0, 0.0, 0.0)
CUBE = Box((2.0, 2.0, 2.0))
CORNERS = tuple((x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0))
BY_NAME = {entry.name: entry for entry in ENGINES}
CONTACT = (EngineContact((1.0, 0.0, 0.0)),)


def beside(shape: Shape, other: Shape, apart: float) -> Scene:
    """Two shapes that reach 1 along x, side by side."""
    return Scene(Body(shape), Body(other, (2.0 + apart, 0.0, 0.0)))


def judged(name: str, scene: Scene, answer: EngineAnswer) -> Judgement:
    return judge(scene, Truth.of(distance_of(scene)), BY_NAME[name].engine("1"), answer)


HULLS, BOXES, CYLINDERS = ((shape, shape) for shape in (Hull(CORNERS), CUBE, Cylinder(1.0, 2.0)))
ROUND = sqrt(3.0) - 1.0
GRID = 2e-4 * sqrt(3.0)
RANGES = [
    # an engine, the shapes, how far the number may be below and above the true one
    ("pybullet", HULLS, 2 * (0.001 + GRID), 2 * GRID),
    ("pybullet", BOXES, 0.0, 2 * ROUND * 0.001),
    ("pybullet", CYLINDERS, 0.0, 2 * ROUND * 0.001),
    ("dart-bullet", BOXES, 0.0, 2 * ROUND * 0.04),
    ("sapien", CYLINDERS, 0.0, 2 * 5e-3 * sqrt(2.0)),
]


@pytest.mark.parametrize(("name", "shapes", "less", "more"), RANGES)
@pytest.mark.parametrize("apart", [-0.5, 0.5])
def test_a_number_is_by_design_up_to_its_bound(
    name: str, shapes: tuple[Shape, Shape], less: float, more: float, apart: float
) -> None:
    if name == "sapien" and apart > 0.0:
        pytest.skip("apart its number is that of a manifold")
    scene = beside(*shapes, apart)
    outside = 2e-4
    for off, inside in ((-0.95 * less, True), (0.95 * more, True), (-less - outside, False), (more + outside, False)):
        kind = judged(name, scene, EngineAnswer(apart + off, X)).kind
        assert (kind in (Kind.DESIGN, Kind.AGREES)) is inside, off


def test_the_curved_have_no_margin_in_bullet() -> None:
    scene = beside(Sphere(1.0), Capsule(1.0, 1.0), -0.5)
    assert judged("pybullet", scene, EngineAnswer(-0.5 + 2e-5, X)).kind is Kind.DEPTH_SMALL


@pytest.mark.parametrize("name", ["box3d", "sapien", "culverin"])
def test_contacts_are_told_up_to_two_hundredths_apart(name: str) -> None:
    spheres = Sphere(1.0), Sphere(1.0)
    answer = EngineAnswer(normal=X, contacts=CONTACT)
    assert judged(name, beside(*spheres, 0.0199), answer).kind is Kind.DESIGN
    assert judged(name, beside(*spheres, 0.0203), answer).kind is Kind.FALSE


def test_jolt_may_miss_what_its_round_edges_leave_out() -> None:
    out = 2.0 * ROUND * 0.05
    assert judged("culverin", beside(*BOXES, -0.99 * out), EngineAnswer()).kind is Kind.AGREES
    assert judged("culverin", beside(*BOXES, -1.01 * out), EngineAnswer()).kind is Kind.MISSED
    assert judged("culverin", beside(Sphere(1.0), Sphere(1.0), -0.001), EngineAnswer()).kind is Kind.MISSED


@pytest.mark.parametrize("name", ["rapier3d", "box3d", "sapien"])
def test_apart_a_manifold_is_no_nearer_than_the_bodies(name: str) -> None:
    scene = beside(*BOXES, 0.5)
    assert judged(name, scene, EngineAnswer(0.7, X)).kind is Kind.DESIGN
    assert judged(name, scene, EngineAnswer(0.4, X)).kind is Kind.DISTANCE_SMALL


@pytest.mark.parametrize("name", ["fcl-collide", "dart-fcl"])
@pytest.mark.parametrize(("depth", "kind"), [(2.001, Kind.DEPTH_LARGE), (2.0, Kind.DESIGN), (1.999, Kind.DEPTH_LARGE)])
def test_fcl_may_move_out_any_way_but_no_farther_than_to_touch(name: str, depth: float, kind: Kind) -> None:
    """Out along y a cube is moved by 2, where along x half of it would do."""
    assert judged(name, beside(*BOXES, -0.5), EngineAnswer(-depth, (0.0, 1.0, 0.0))).kind is kind


def test_a_move_along_no_plane_of_support_separates_as_well() -> None:
    """Out at an angle to x two balls' centres are 2 apart when they touch, though no plane square to it is between."""
    scene = beside(Sphere(1.0), Sphere(1.0), -0.5)
    way = (0.6, 0.8, 0.0)
    depth = sqrt(4.0 - (1.5 * 0.8) ** 2) - 1.5 * 0.6
    found = judged("fcl-collide", scene, EngineAnswer(-depth, way))
    assert found.kind is Kind.DESIGN
    assert found.proves < -depth - 0.1


def test_engines_that_mean_the_distance_have_no_rule() -> None:
    for name in ("coal", "fcl", "mujoco", "drake", "box3d-distance", "pymunk"):
        engine = BY_NAME[name].engine("2")
        assert (engine.version, engine.margins, engine.by_design) == ("2", {}, ())


def not_turned(scene: Scene) -> EngineAnswer:
    """Our own answer, but for a normal that always points along the first body's x."""
    found = ask_ours(scene)
    sign = 1.0 if found.normal is not None and found.normal[0] >= 0.0 else -1.0
    return EngineAnswer(found.separation, tuple(sign * x for x in found.normal or ()), found.on_a, found.on_b)  # type: ignore[arg-type]


def test_the_shares_count_each_answer_once_and_tell_what_exchanging_changes() -> None:
    engines = [
        (OURS, ask_ours),
        (Engine("not turned"), not_turned),
        (Engine("no cones"), lambda scene: Unsupported("cone") if "cone" in _words(scene) else ask_ours(scene)),
    ]
    pairs = [("box", "cone"), ("sphere", "box")]
    found = shares.tallies(engines, pairs, 6, 1)
    ours, wrong, some = found
    assert ours.total == {Kind.AGREES: 12}
    assert (ours.swapped, ours.told) == (0, {})
    assert wrong.swapped > 0
    assert wrong.total.total() == 12
    assert wrong.total[Kind.WRONG] > 0
    assert any("points the other way" in one and "normal by support values" in one for one in wrong.told[pairs[1]])
    assert some.total == {Kind.AGREES: 6}
    table = shares.by_engine(found).splitlines()
    assert table[0] == "| engine | version | pairs of shapes | asked | agrees | wrong normal | exchanged |"
    assert table[2] == "| ours |  | 2 | 12 | 100 |  |  |"
    assert table[4] == "| no cones |  | 1 | 6 | 100 |  |  |"
    assert shares.by_pair(found).splitlines()[2].endswith("| – |")


def test_what_was_not_asked_is_in_no_share_and_is_told() -> None:
    asked: list[Scene] = []

    def given_up(scene: Scene) -> EngineAnswer | NotAsked:
        asked.append(scene)
        return ask_ours(scene) if len(asked) <= 5 else NotAsked("given up", "ended before")

    (found,) = shares.tallies([(OURS, given_up)], [("sphere", "box")], 6, 1)
    assert (found.total, found.swapped) == ({Kind.AGREES: 3}, 0)
    assert shares.by_engine([found]).splitlines()[2] == "| ours |  | 1 | 3 | 100 |  |"
    assert list(shares.told([found])) == ["- ours, sphere and box: 3 not asked: ended before"]


def _words(scene: Scene) -> tuple[str, str]:
    return scene.a.shape.word, scene.b.shape.word
