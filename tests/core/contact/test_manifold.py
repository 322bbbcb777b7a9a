"""Contacts by clipping, the policy `exact` and the engines: which points, how deep, what they are called, the steps."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cylinder, HalfSpace, Hull, Scene, Shape, Sphere
from core.closed_form import Proximity
from core.contact.contact import ClipStep, ContactCase, DepthStep, EdgesStep, FeaturesStep, Manifold, ReduceStep
from core.contact.manifold import manifold
from core.contact.policies.exact import clips, exact_manifold, exact_steps
from core.contact.policies.policy import BY_OVERLAP_REGION, POLICIES, ContactPolicy, axis_normal, preferred_row
from core.geometry.quaternion import IDENTITY, from_axis_angle, multiply, normalized
from core.geometry.vector import Array, length, length_rows
from core.sat.sat import AxisKind, sat
from core.trace import record
from tests.core.explicit import explicit_distance
from tests.core.polyhedra_samples import (
    POLYHEDRAL,
    PairFamily,
    ball_hull,
    boxed,
    extent,
    offset,
    prism,
    rounded,
    same_twice,
    sample,
    turn,
)
from tests.selection import some

CUBE = Box((1.0, 1.0, 1.0))
UP = np.array((0.0, 1.0, 0.0))
QUARTER = from_axis_angle((0, 1, 0), np.pi / 4)


def contacts_of(scene: Scene) -> Manifold:
    return exact_manifold(scene.a, scene.b, explicit_distance(scene.a, scene.b).normal)


def names(found: Manifold, deeper_than: float = -np.inf) -> list[str]:
    return sorted(contact.name for contact in found.contacts if contact.depth > deeper_than)


def outside(body: Body, point: Array) -> float:
    """How far a world point is from the body; 0 within."""
    speck = Body(Sphere(1e-9 * body.shape.bounding_radius), tuple(point.tolist()))
    return max(explicit_distance(body, speck).separation, 0.0)


# ---- which points ----


@pytest.mark.parametrize(
    ("place", "turned", "count"),
    [
        ((0.0, 0.9, 0.0), IDENTITY, 4),
        ((0.2, 0.9, 0.3), IDENTITY, 4),
        ((0.0, 0.9, 0.0), QUARTER, 8),
        ((0.1, 0.9, 0.05), QUARTER, 8),
        ((1.0, 0.9, 1.0), IDENTITY, 4),  # corner over corner: a patch without area
    ],
)
@pytest.mark.parametrize("make", [Box, boxed])
def test_stacked_boxes(
    place: tuple[float, float, float], turned: tuple[float, float, float, float], count: int, make: type[Box]
) -> None:
    cube: Shape = make((1.0, 1.0, 1.0))
    found = exact_manifold(Body(cube), Body(cube, place, turned), UP)
    if place[0] == 1.0:
        assert len(found.contacts) == 1
        assert found.contacts[0].position == pytest.approx((0.5, 0.45, 0.5))
        return
    assert found.case is ContactCase.FACE_OF_A
    assert len(found.contacts) == count
    for contact in found.contacts:
        assert contact.depth == pytest.approx(0.1)
        assert contact.position[1] == pytest.approx(0.45)


def test_names_say_which_features_meet() -> None:
    found = exact_manifold(Body(CUBE), Body(CUBE, (0.2, 0.9, 0.3)), UP)
    assert names(found) == ["+y|v0", "v4-v5|v0-v3", "v4-v7|v0-v1", "v4|-y"]
    crossed = Scene(
        Body(CUBE, (0, 0, 0), from_axis_angle((0, 0, 1), np.pi / 4)),
        Body(CUBE, (0.1, 1.3, 0.1), from_axis_angle((1, 0, 0), np.pi / 4)),
    )
    single = contacts_of(crossed)
    assert single.case is ContactCase.EDGES
    assert names(single) == ["v4-v7|v3-v6"]


def test_two_edges_meet_in_one_point_midway() -> None:
    a = Body(CUBE, (0, 0, 0), from_axis_angle((0, 0, 1), np.pi / 4))
    b = Body(CUBE, (0.1, 1.3, 0.1), from_axis_angle((1, 0, 0), np.pi / 4))
    (contact,) = contacts_of(Scene(a, b)).contacts
    assert contact.position == pytest.approx((0.0, 0.65, 0.1))
    assert contact.depth == pytest.approx(np.sqrt(2.0) - 1.3)


def test_a_capsule_lying_on_a_box_has_two_points_and_a_standing_one() -> None:
    lying, capsule = from_axis_angle((0, 0, 1), np.pi / 2), Capsule(0.3, 0.6)
    found = exact_manifold(Body(CUBE), Body(capsule, (0.0, 0.7, 0.0), lying), UP)
    assert names(found) == ["+y|end0", "+y|end1"]
    assert [contact.depth for contact in found.contacts] == pytest.approx([0.1, 0.1])
    overhanging = exact_manifold(Body(CUBE), Body(Capsule(0.3, 3.0), (0.0, 0.7, 0.0), lying), UP)
    assert sorted(contact.position[0] for contact in overhanging.contacts) == pytest.approx([-0.5, 0.5])
    standing = contacts_of(Scene(Body(CUBE), Body(capsule, (0.1, 1.0, 0.2))))
    assert names(standing) == ["+y|end0"]


def test_round_pairs() -> None:
    capsule, sphere = Capsule(0.3, 1.0), Sphere(0.3)
    beside = contacts_of(Scene(Body(capsule), Body(capsule, (0.5, 0.2, 0.0))))
    assert names(beside) == ["axis|end0", "end1|axis"]
    assert [contact.depth for contact in beside.contacts] == pytest.approx([0.1, 0.1])
    assert names(contacts_of(Scene(Body(capsule), Body(sphere, (0.5, 0.2, 0.0))))) == ["axis|centre"]
    (single,) = contacts_of(Scene(Body(sphere), Body(sphere, (0.5, 0.0, 0.0)))).contacts
    assert single.position == pytest.approx((0.25, 0.0, 0.0))
    assert single.depth == pytest.approx(0.1)
    assert not contacts_of(Scene(Body(sphere), Body(sphere, (0.7, 0.0, 0.0)))).contacts


@pytest.mark.parametrize("first", [True, False])
def test_anything_polyhedral_on_a_half_space(first: bool) -> None:
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.0), (5.0, 0.0, 3.0))

    def on_ground(body: Body) -> Manifold:
        pair = (ground, body) if first else (body, ground)
        return exact_manifold(*pair, UP if first else -UP)

    flat = on_ground(Body(prism(6), (0.0, 0.7, 0.0)))
    assert len(flat.contacts) == 6
    assert all("plane" in contact.name for contact in flat.contacts)
    assert [contact.depth for contact in flat.contacts] == pytest.approx([0.05] * 6)
    assert [contact.position[1] for contact in flat.contacts] == pytest.approx([-0.025] * 6)
    corner = Body(CUBE, (0.0, 0.8, 0.0), from_axis_angle((1, 0, 1), np.arctan(np.sqrt(2.0))))
    assert len(on_ground(corner).contacts) == 1
    lying = Body(Capsule(0.3, 1.0), (0.0, 0.2, 0.0), from_axis_angle((0, 0, 1), np.pi / 2))
    assert len(on_ground(lying).contacts) == 2
    assert len(on_ground(Body(Sphere(1.0), (0.0, 0.9, 0.0))).contacts) == 1
    assert len(on_ground(Body(Sphere(1.0), (0.0, 1.1, 0.0))).contacts) == 0


def test_where_there_is_none() -> None:
    assert clips(Body(CUBE), Body(Capsule(1, 1)))
    assert not clips(Body(CUBE), Body(Cylinder(1, 1)))
    assert not clips(Body(HalfSpace((0, 1, 0), 0.0)), Body(HalfSpace((0, 1, 0), 0.0)))
    assert not clips(Body(HalfSpace((0, 1, 0), 0.0)), Body(Cylinder(1, 1)))


# ---- what holds for every pair ----


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
@pytest.mark.sampled(2, "random")
def test_overlapping_bodies_touch_and_the_deepest_point_has_the_depth(family: PairFamily) -> None:
    hits = 0
    for scene in sample(family, 120, seed=31):
        found, size = explicit_distance(scene.a, scene.b), extent(scene)
        if found.separation > 0.0:
            continue
        hits += 1
        contacts = exact_manifold(scene.a, scene.b, found.normal).contacts
        assert max(contact.depth for contact in contacts) == pytest.approx(-found.separation, abs=1e-9 * size)
        assert len({contact.name for contact in contacts}) == len(contacts)
        assert all(np.isfinite(contact.position).all() for contact in contacts)
    assert hits >= some(25)


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
def test_every_point_lies_within_both_bodies_but_for_half_its_depth(family: PairFamily) -> None:
    for scene in sample(family, 30, seed=32):
        found, size = explicit_distance(scene.a, scene.b), extent(scene)
        if found.separation > 0.0:
            continue
        for contact in exact_manifold(scene.a, scene.b, found.normal).contacts:
            for body in (scene.a, scene.b):
                assert outside(body, contact.position) <= 0.5 * contact.depth + 2e-8 * size


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
def test_swapping_the_bodies_swaps_the_names_and_keeps_the_points(family: PairFamily) -> None:
    for scene in sample(family, 60, seed=33):
        found, size = explicit_distance(scene.a, scene.b), extent(scene)
        if found.separation > 0.0:
            continue
        there = exact_manifold(scene.a, scene.b, found.normal)
        back = exact_manifold(scene.b, scene.a, -found.normal)
        assert back.normal == pytest.approx(-there.normal, abs=1e-8)
        turned = {f"{contact.feature_b}|{contact.feature_a}": contact for contact in back.contacts}
        if there.case is ContactCase.POINT or there.case is ContactCase.EDGES:
            assert len(turned) == len(there.contacts)
            continue
        assert set(turned) == {contact.name for contact in there.contacts}
        for contact in there.contacts:
            # Edges that cross at a hair's angle meet somewhere along both.
            assert turned[contact.name].position == pytest.approx(contact.position, abs=1e-5 * size)
            assert turned[contact.name].depth == pytest.approx(contact.depth, abs=1e-7 * size)


def test_reference_and_incident_swap_keeps_the_names() -> None:
    """Faces that are parallel but for a hair: whichever is the reference, the points are called the same."""
    rng = np.random.default_rng(34)
    for _ in range(40):
        place = (float(rng.uniform(-0.4, 0.4)), 0.95, float(rng.uniform(-0.4, 0.4)))
        spin = from_axis_angle((0, 1, 0), float(rng.uniform(0.0, 1.5)))
        a, b = Body(CUBE), Body(prism(5, 0.6, 1.0), place, spin)
        tilt = UP + np.array((1.0, 0.0, 0.5)) * 2e-7
        of_a = exact_manifold(a, b, UP)
        # Turned a little, B's face is better aligned with the normal that turned along.
        tilted = replace(b, rotation=_tilted(spin, tilt))
        of_b = exact_manifold(a, tilted, tilt / length(tilt))
        assert of_a.case is ContactCase.FACE_OF_A
        assert of_b.case is ContactCase.FACE_OF_B
        assert names(of_a) == names(of_b)


def _tilted(spin: tuple[float, float, float, float], tilt: Array) -> tuple[float, float, float, float]:
    axis = (float(tilt[2]), 0.0, -float(tilt[0]))
    return normalized(multiply(from_axis_angle(axis, float(np.hypot(tilt[0], tilt[2]))), spin))


@pytest.mark.parametrize("family", [*POLYHEDRAL, rounded])
@pytest.mark.sampled(2, "random")
def test_names_hold_under_tiny_motion(family: PairFamily) -> None:
    rng = np.random.default_rng(35)
    kept = tried = 0
    for scene in sample(family, 240, seed=36):
        found, size = explicit_distance(scene.a, scene.b), extent(scene)
        if found.separation > -1e-6 * size:
            continue
        before = exact_manifold(scene.a, scene.b, found.normal)
        smaller = min(scene.a.shape.largest_half_extent, scene.b.shape.largest_half_extent)
        slide = rng.normal(size=3) * 1e-12 * smaller
        moved = replace(scene.b, position=tuple((np.array(scene.b.position) + slide).tolist()))
        after = exact_manifold(scene.a, moved, found.normal)
        tried += 1
        # A point at no depth at all may come and go.
        kept += names(before, 1e-9 * size) == names(after, 1e-9 * size)
    assert tried >= 10
    assert kept == tried


def test_the_incident_face_holds_the_deepest_vertex_of_a_fine_hull() -> None:
    rng, slab = np.random.default_rng(37), Body(Box((4.0, 1.0, 4.0)))
    for _ in range(30):
        ball = Body(ball_hull(rng, 60), (0.0, 1.2, 0.0), turn(rng))
        lowest = ball.pose.to_world(_hull(ball).polyhedron.vertices)[:, 1].min()
        found = exact_manifold(slab, ball, UP)
        assert max(contact.depth for contact in found.contacts) == pytest.approx(0.5 - lowest, abs=1e-12)


def _hull(body: Body) -> Hull:
    assert isinstance(body.shape, Hull)
    return body.shape


# ---- the steps ----


def test_the_steps_show_every_cut() -> None:
    trace = record(exact_steps(Body(CUBE), Body(CUBE, (0.2, 0.9, 0.3)), UP))
    assert [type(step) for step in trace.steps] == [FeaturesStep] + [ClipStep] * 4 + [DepthStep]
    first, *cuts, depths = trace.steps
    assert isinstance(first, FeaturesStep)
    assert (first.feature_a, first.feature_b, first.points_a.shape) == ("+y", "-y", (4, 3))
    for cut, following in zip(cuts, [*cuts[1:], None], strict=True):
        assert isinstance(cut, ClipStep)
        assert (cut.after @ cut.normal <= cut.offset + 1e-9).all()
        assert len(cut.names) == len(cut.cut) == len(cut.after)
        if isinstance(following, ClipStep):
            assert following.before == pytest.approx(cut.after)
    assert isinstance(depths, DepthStep)
    assert depths.kept == (True,) * 4
    assert depths.depths == pytest.approx([0.1] * 4)


def test_points_above_the_reference_face_are_shown_and_not_kept() -> None:
    tilted = Body(CUBE, (0.0, 0.97, 0.0), from_axis_angle((0, 0, 1), 0.1))
    trace = record(exact_steps(Body(CUBE), tilted, UP))
    depths = trace.steps[-1]
    assert isinstance(depths, DepthStep)
    assert sorted(depths.kept) == [False, False, True, True]
    assert trace.result is not None
    assert len(trace.result.contacts) == 2


def test_edges_that_are_level_but_for_noise_are_all_tried() -> None:
    """The normal is perpendicular to another edge of A but for 1e-8, and its noise prefers an edge that B misses."""
    a = Body(CUBE, (0, 0, 0), from_axis_angle((0, 0, 1), -1e-8))
    b = Body(CUBE, (0.3, 1.1, 0.0), from_axis_angle((1, 0, 0), np.pi / 4))
    steps = record(exact_steps(a, b, UP)).steps
    assert [type(step) for step in steps] == [FeaturesStep, EdgesStep]
    (step,) = (step for step in steps if isinstance(step, EdgesStep))
    assert len(step.names) > 1
    assert step.misses[0] > 0.2
    assert step.misses[step.chosen] == pytest.approx(0.0, abs=1e-7)
    assert step.points_a[step.chosen] == pytest.approx((0.5, 0.5, 0.0), abs=1e-7)


def test_reduction_keeps_four_and_shows_what_it_drops() -> None:
    a, b = Body(CUBE), Body(CUBE, (0.1, 0.9, 0.05), QUARTER)
    trace = record(exact_steps(a, b, UP, reduce=True))
    assert trace.result is not None
    assert len(trace.result.contacts) == 4
    assert len(trace.result.dropped) == 4
    last = trace.steps[-1]
    assert isinstance(last, ReduceStep)
    assert last.kept == trace.result.contacts
    spread = np.array([contact.position for contact in last.kept])
    assert length_rows(spread - spread.mean(axis=0)).min() > 0.3
    assert not exact_manifold(a, b, UP).dropped


# ---- whose axis ----


def test_exact_preference_is_the_winner() -> None:
    for scene in sample(same_twice, 30, seed=38):
        table = sat(scene.a, scene.b)
        assert preferred_row(scene.a, scene.b, table, ContactPolicy.EXACT) == table.winner
        assert axis_normal(table, table.winner) == pytest.approx(table.normal, abs=0.0)


def test_engines_prefer_faces_each_in_its_way() -> None:
    rng = np.random.default_rng(39)
    swapped = dict.fromkeys(POLICIES[3], 0)
    for _ in range(300):
        a, b = Body(CUBE), Body(CUBE, offset(rng, 0.9), turn(rng))
        table = sat(a, b)
        if table.separation >= 0.0 or table.candidates[table.winner].kind is not AxisKind.EDGES:
            continue
        for preference in swapped:
            row = preferred_row(a, b, table, preference)
            swapped[preference] += row != table.winner
            assert row == table.winner or table.candidates[row].kind is not AxisKind.EDGES
            if preference is ContactPolicy.ODE:
                faces = max(table.separations[:6])
                assert (row == table.winner) is bool(1.05 * table.separation > faces)
    assert swapped[ContactPolicy.EXACT] == 0
    assert all(swapped[other] > 0 for other in (ContactPolicy.ODE, ContactPolicy.BOX3D, ContactPolicy.MUJOCO))


@pytest.mark.slow
def test_a_preferred_face_gives_more_contacts_than_the_exact_edges() -> None:
    rng = np.random.default_rng(39)
    counts = dict.fromkeys((it for it in POLICIES[3] if it not in (ContactPolicy.JOLT, *BY_OVERLAP_REGION)), 0)
    for _ in range(some(300)):
        a, b = Body(CUBE), Body(CUBE, offset(rng, 0.9), turn(rng))
        table = sat(a, b)
        if table.separation >= 0.0:
            continue
        assert preferred_row(a, b, table, ContactPolicy.EXACT) == table.winner
        for preference in counts:
            normal = axis_normal(table, preferred_row(a, b, table, preference))
            counts[preference] += len(exact_manifold(a, b, normal).contacts)
            assert 1 <= len(exact_manifold(a, b, normal, reduce=True).contacts) <= 4
    assert all(counts[other] > counts[ContactPolicy.EXACT] for other in counts if other != "exact")


def test_of_an_answer_without_a_normal_there_are_no_contacts() -> None:
    """As of bodies of 1e-230 and 1e36: products of their sizes are lost, and contacts ended in a ValueError."""
    nowhere = np.full(3, np.nan)
    a, b = Body(Hull(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))), Body(Capsule(0.5, 1.0))
    assert manifold(a, b, Proximity(-1.0, nowhere, nowhere, nowhere)).contacts == ()
