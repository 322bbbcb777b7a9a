"""Which steps a query has: those of the settings, of an earlier moment's contacts, and where single precision parts."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Circle, Cone, HalfSpace, Polygon, Scene, Sphere
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, SingleSettings
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.contact.policies.policy import ContactPolicy
from core.gjk.gjk import GjkSettings
from core.pair.candidate_axes import AxisKind
from core.query.motion_steps import with_motion
from core.query.query import GJK_EPA, MOTION_PHASES, Phase, Query, query
from tests.strategies import cubes

BOXES = cubes(1.0, 1.0, (1.3, 1.2, 1.1))
TURNED = Scene(BOXES.a, replace(BOXES.b, rotation=(0.9, 0.1, 0.3, 0.2)))
ROUND = Scene(Body(Cone(1.0, 2.0)), Body(Capsule(0.5, 1.0), (0.4, 0.3, 0.2)))
FLOOR = Scene(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), Body(Box((1.0, 1.0, 1.0)), (0.0, 0.4, 0.0)))
SQUARE = Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])
PLANE = Scene(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (1.5, 1.2), 0.4))
DISCS = Scene(Body.in_plane(SQUARE), Body.in_plane(Circle(0.5), (1.2, 0.3)))


def phases(found: Query) -> list[Phase]:
    return [phase for phase, _, _ in found.phases]


@pytest.mark.parametrize(
    ("scene", "settings", "wanted"),
    [
        (TURNED, AlgorithmSettings(), ["SAT", "GJK", "EPA", "CONTACTS"]),
        (TURNED, AlgorithmSettings(build=True, mpr=True), ["BUILD", "SAT", "GJK", "EPA", "MPR", "CONTACTS"]),
        (ROUND, AlgorithmSettings(build=True), ["SAT", "GJK", "EPA", "CONTACTS"]),
        (FLOOR, AlgorithmSettings(build=True), ["SAT", "CONTACTS"]),
        (PLANE, AlgorithmSettings(), ["PLANES", "SAT", "ARTICLE", "GJK", "EPA", "CONTACTS"]),
        (
            PLANE,
            AlgorithmSettings(article=False, mpr=True, build=True),
            ["BUILD", "PLANES", "SAT", "GJK", "EPA", "CONTACTS"],
        ),
        (DISCS, AlgorithmSettings(), ["SAT", "ARTICLE", "GJK", "CONTACTS"]),
        (ROUND, AlgorithmSettings(preference=ContactPolicy.EXACT), ["SAT", "GJK", "EPA"]),
    ],
)
def test_the_settings_choose_the_phases_in_one_order(
    scene: Scene, settings: AlgorithmSettings, wanted: list[str]
) -> None:
    found = query(analyse(scene), settings)
    assert [phase.name for phase in phases(found)] == wanted
    assert found.settings is settings
    place = 0
    for phase, first, count in found.phases:
        assert first == place
        some = found.moments[first : first + count]
        assert [(moment.phase, moment.index, moment.count) for moment in some] == [
            (phase, k, count) for k in range(count)
        ]
        assert [moment.last for moment in some] == [False] * (count - 1) + [True]
        assert phase in found.results
        place += count
    assert place == len(found.moments)
    assert (found.support_maps is None) is (scene is FLOOR)
    assert (found.distance is None) is (found.warm_start is None) is (scene is FLOOR)
    assert (found.manifold is None) is ("CONTACTS" not in wanted)
    assert (found.in_double, found.parted, found.single) == (None, None, None)
    assert all(found.origin_of(phase).tolist() == [0.0, 0.0, 0.0] for phase in Phase)


def test_by_faces_alone_sat_looks_at_no_products_of_edges() -> None:
    known = analyse(TURNED)
    every, faces = (query(known, AlgorithmSettings(faces_only=flag)) for flag in (False, True))
    rows = [[m.step.row for m in found.moments if m.phase is Phase.SAT] for found in (every, faces)]
    kinds = [candidate.kind for candidate in known.sat.candidates]
    assert rows[0] == list(range(len(kinds)))
    assert rows[1] == [row for row, kind in enumerate(kinds) if kind is not AxisKind.EDGES]
    assert len(rows[1]) == 6 < len(rows[0])
    best = max(float(known.sat.separations[row]) for row in rows[1])
    improved = [m.step for m in faces.moments if m.phase is Phase.SAT and m.step.improved]
    assert improved[-1].separation == best
    # It is of space alone.
    flat = query(analyse(PLANE), AlgorithmSettings(faces_only=True))
    assert [m.step.row for m in flat.moments if m.phase is Phase.SAT] == list(range(8))


def test_contacts_of_an_earlier_moment_keep_their_steps() -> None:
    first = query(analyse(BOXES))
    later = replace(analyse(TURNED), earlier=first.analysis.contacts)
    found = query(later, before=first)
    steps = [[m.step for m in it.moments if m.phase is Phase.CONTACTS] for it in (first, found)]
    assert steps[0]
    assert all(one is other for one, other in zip(*steps, strict=True))
    assert found.manifold is first.manifold
    # Without a query before it, or with contacts of its own, they are made anew.
    fresh = query(analyse(TURNED))
    for it in (query(later), query(analyse(TURNED), before=first)):
        assert it.manifold is not first.manifold
        assert [c.depth for c in it.manifold.contacts] == [c.depth for c in fresh.manifold.contacts]


@pytest.mark.parametrize("world", [False, True])
def test_steps_of_single_precision_stand_in_their_frame_and_part_from_doubles(world: bool) -> None:
    place = (1e5, 2e5, -1e5)
    scene = Scene(*(replace(body, position=tuple(np.add(body.position, place))) for body in (TURNED.a, TURNED.b)))
    known = analyse(scene)
    found = query(known, AlgorithmSettings(single=SingleSettings(steps=True, world=world)))
    assert found.single is not None
    assert found.single.steps is not None
    assert found.in_double is known.gjk_epa
    steps = tuple(m.step for m in found.moments if m.phase in GJK_EPA)
    assert steps == found.single.steps.steps
    assert found.support_maps is found.single.maps
    assert found.distance is found.single.steps.result
    wanted = list(place) if world else [0.0, 0.0, 0.0]
    assert [found.origin_of(phase).tolist() for phase in GJK_EPA] == [wanted, wanted]
    assert found.origin_of(Phase.SAT).tolist() == [0.0, 0.0, 0.0]
    if world:
        assert found.parted is not None
        assert found.parted.step is found.single.steps.steps[found.single.parting.index]
    else:
        assert (found.parted is None) is (found.single.parting is None)


def test_the_maps_and_the_run_are_of_the_settings() -> None:
    known = analyse(ROUND)
    full = query(known, AlgorithmSettings(rounded="full"))
    assert full.support_maps.radius == 0.0 < query(known).support_maps.radius
    one = query(known, AlgorithmSettings(gjk=GjkSettings(iterations=1)))
    assert one.distance.gjk.iterations == 1


def test_a_motions_steps_come_last_in_the_order_of_the_phases_whatever_answers_best() -> None:
    ball = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Sphere(0.5), (4.0, 0.3, 0.2), displacement=(-5.0, 0.0, 0.0)))
    boxes = Scene(ball.a, replace(ball.b, shape=Box((1.0, 1.0, 1.0))))
    for scene, wanted in (
        (ball, ["REGIONS", "INTERVALS", "RAY", "ADVANCEMENT"]),
        (boxes, ["INTERVALS", "SWEPT", "RAY", "ADVANCEMENT"]),
    ):
        still, moves = query(analyse(scene)), sweep(scene)
        found = with_motion(still, moves)
        assert found.moments[: len(still.moments)] == still.moments
        assert [phase.name for phase in phases(found) if phase in MOTION_PHASES] == wanted
        assert found.sweep is moves
        for trace in moves.traces:
            assert any(result is trace.result for result in found.results.values())
        assert {m.phase for m in still.moments}.isdisjoint(MOTION_PHASES)
        assert all(0.0 <= m.step.time <= 1.0 for m in found.moments if m.phase in MOTION_PHASES)
    assert with_motion(still, None) is still
    assert query(analyse(boxes), DEFAULT_SETTINGS).sweep is None
