"""Contacts: what lies just on either side of each tolerance of the patch, of its corners and of their reduction."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.closed_form import Proximity
from core.contact.contact import Contact, ContactCase, ContactSettings, FeaturesStep, Manifold
from core.contact.manifold import DEFAULTS, manifold
from core.contact.policies.jolt import jolt_steps
from core.contact.policies.policy import POLICIES, ContactPolicy, settings_for
from core.contact.reduction import reduced
from core.contact.tracking import Change, first_frame, next_frame
from core.geometry.quaternion import from_axis_angle, multiply
from core.geometry.vector import Array, vec
from core.pair.pair import certificate
from core.query.query import query
from core.scene import Body, Scene
from core.shapes import Box, Capsule, Cone, Cylinder, HalfSpace, Hull, Polygon, Rounded, Shape, Sphere
from core.trace import record, run
from tests.core.contact_oracle import off_surface

CUBE = Box((1.0, 1.0, 1.0))
RADIUS = CUBE.bounding_radius
UP = vec(0.0, 1.0, 0.0)
GROUND = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
DISC = Cylinder(0.5, 1.0)


def on(a: Body, b: Body, depth: float, settings: ContactSettings = DEFAULTS) -> Manifold:
    """The contacts along y, B moved so that it overlaps A by `depth` at its lowest point."""
    x, y, z = b.position
    b = Body(b.shape, (x, y - certificate(a, b, UP) - depth, z), b.rotation)
    lowest = b.pose.to_world(b.shape.support(b.pose.direction_to_local(-UP))) - a.pose.position
    return manifold(a, b, Proximity(-depth, UP, lowest + depth * UP, lowest), settings)


def leaning(shape: Shape, angle: float, way: float = 0.0) -> Body:
    return Body(shape, rotation=from_axis_angle((float(np.cos(way)), 0.0, float(np.sin(way))), angle))


def depths(found: Manifold) -> list[float]:
    return sorted(contact.depth for contact in found.contacts)


def names(found: Manifold) -> set[str]:
    return {contact.name for contact in found.contacts}


@pytest.mark.parametrize(("share", "gaps"), [(0.4, 2), (4.0, 0)])
def test_a_gap_of_half_a_thousandth_is_a_contact(share: float, gaps: int) -> None:
    # The far edge of the face is `share` δ above the ground: a contact, or cut where δ is reached.
    found = on(GROUND, leaning(CUBE, share * 5e-4 + 1e-4), 1e-4)
    assert sum("v" in name and "level" not in name and depth < -1e-5 for name, depth in told(found)) == gaps


def told(found: Manifold) -> list[tuple[str, float]]:
    return [(contact.name, contact.depth) for contact in found.contacts]


@pytest.mark.parametrize("thick", [1e-4, 1e-3])
def test_a_plate_has_contacts_within_a_tenth_of_it(thick: float) -> None:
    found = on(GROUND, Body(Box((1.0, thick, 1.0))), 1e-5)
    assert found.flatness is not None
    assert found.flatness.delta == pytest.approx(0.1 * thick)


@pytest.mark.parametrize(("share", "corners"), [(0.4, 4), (4.0, 1)])
def test_corners_are_one_to_a_millionth(share: float, corners: int) -> None:
    shift = share * 1e-6 * RADIUS
    found = on(Body(CUBE), Body(CUBE, (shift, 0.0, shift)), 0.01)
    assert sum(name.count("-") == 0 and name.count("v") == 2 for name in names(found)) == corners * (share < 1.0)


@pytest.mark.parametrize(("share", "count"), [(0.4, 4), (4.0, 5)])
def test_a_corner_within_a_millionth_of_the_depth_has_it(share: float, count: int) -> None:
    low = share * 1e-6 * RADIUS
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    pointed = Body(Hull.of([*corners, (0.0, -0.5 - low, 0.0)]))
    assert len(on(GROUND, pointed, 1e-4).contacts) == count


@pytest.mark.parametrize(("tilt", "count"), [(1e-3, 4), (3e-3, 2)])
def test_narrow_is_a_sixth_of_a_hundredth(tilt: float, count: int) -> None:
    settings = settings_for(ContactPolicy.NARROW, ContactSettings())
    assert len(on(Body(CUBE), leaning(Box((0.4, 0.4, 0.4)), tilt), 1e-2, settings).contacts) == count


@pytest.mark.parametrize(("tilt", "alone"), [(0.4e-9, True), (4e-9, False)])
def test_a_flat_cone_on_its_axis_meets_with_its_apex(tilt: float, alone: bool) -> None:
    found = on(GROUND, leaning(Cone(0.5, 0.01), np.pi + tilt), 1e-4)
    assert (len(found.contacts) == 1) is alone


def test_a_flat_cone_is_a_pyramid_as_round_as_contacts_may_be() -> None:
    found = on(GROUND, leaning(Cone(0.5, 1e-4), np.pi + 1e-6), 1e-4)
    assert found.flatness is not None
    assert found.flatness.dropped == 0
    assert area(found) >= 0.95 * np.pi * 0.25


def area(found: Manifold) -> float:
    x, _, z = np.array([contact.position for contact in found.contacts]).T
    order = np.argsort(np.arctan2(z - z.mean(), x - x.mean()))
    x, z = x[order], z[order]
    return float(0.5 * abs(x @ np.roll(z, -1) - z @ np.roll(x, -1)))


@pytest.mark.parametrize(("sides", "count"), [(30, 30), (40, 32), (500, 32)])
def test_a_patch_has_32_corners_and_those_that_hold_its_area(sides: int, count: int) -> None:
    turns = 2.0 * np.pi * np.arange(sides) / sides
    prism = Hull.of([(0.5 * np.cos(t), y, 0.5 * np.sin(t)) for y in (0.0, 1.0) for t in turns])
    found = on(GROUND, Body(prism), 1e-3)
    assert len(found.contacts) == count
    assert area(found) >= 0.98 * 0.125 * sides * np.sin(2.0 * np.pi / sides)


def test_a_disc_has_eight_points_and_a_lens_eight() -> None:
    assert len(on(GROUND, Body(DISC), 1e-3).contacts) == 8
    assert len(on(Body(DISC), Body(DISC, (0.4, 0.0, 0.1)), 1e-3).contacts) == 8


def test_a_short_arc_beyond_the_level_is_seen() -> None:
    # The farthest of the rim is beyond δ over 40 degrees.
    found = on(GROUND, leaning(DISC, 6.2e-4), 1e-4)
    assert min(depths(found)) >= -5.01e-4
    assert sum("level" in name for name in names(found)) == 2


def test_a_rounded_body_ends_where_the_gap_is_delta() -> None:
    found = on(GROUND, leaning(Rounded(Box((1.0, 0.2, 1.0)), 0.1), 0.02), 1e-3)
    assert min(depths(found)) == pytest.approx(-found.flatness.delta, rel=1e-4)
    lying = Body(Hull.of([(x, 0.3 * abs(z), z) for x in (-0.5, 0.5) for z in (-1.0, 0.0, 1.0)]))
    found = on(GROUND, Body(lying.shape, rotation=from_axis_angle((0.0, 0.0, 1.0), 0.01)), 1e-3)
    assert min(depths(found)) == pytest.approx(-found.flatness.delta, rel=1e-5)


def test_a_rounded_rim_is_as_high_as_its_balls() -> None:
    body = leaning(Rounded(DISC, 0.1), 0.05)
    found = on(GROUND, body, 0.1)
    low = moved_down(body, 0.1)
    for contact in found.contacts:
        assert off_surface(low, contact.position - 0.5 * contact.depth * UP) == pytest.approx(0.0, abs=1e-12)


def moved_down(body: Body, depth: float) -> Body:
    """The body where `on` puts it on the ground."""
    return Body(body.shape, (0.0, -certificate(GROUND, body, UP) - depth, 0.0), body.rotation)


# ---- four of many ----


def five(*points: tuple[str, float, float, float]) -> tuple[Contact, ...]:
    """Contacts by name, place and depth."""
    return tuple(Contact(vec(x, 0.0, z), depth, name, "f") for name, x, z, depth in points)


def kept(contacts: tuple[Contact, ...], normal: Array = UP) -> set[str]:
    return {contact.feature_a for contact in reduced(contacts, normal)[0]}


@pytest.mark.parametrize(("share", "wins"), [(0.4, "b"), (4.0, "z")])
def test_areas_tie_to_a_millionth(share: float, wins: str) -> None:
    # The quadrilateral with b has the area 1.005, the one with z `share` millionths more.
    square = (("a", 0.0, 0.0, 1.0), ("b", 1.0, 1.01, 0.0), ("c", 1.0, 0.0, 0.0), ("d", 0.0, 1.0, 0.0))
    assert wins in kept(five(*square, ("z", 1.01 + 2.01 * share * 1e-6, 1.0, 0.0)))


@pytest.mark.parametrize(("share", "inner"), [(0.4, False), (4.0, True)])
@pytest.mark.parametrize(("tie", "others"), [(1e-6, 0.0), (1e-9, 1.0)])
def test_the_deepest_is_so_to_a_millionth_of_their_range_and_a_billionth_of_their_extent(
    share: float, inner: bool, tie: float, others: float
) -> None:
    low = 1.0 - share * tie
    square = [("a", 0.0, 0.0, low), ("b", 1.0, 1.0, min(low, others)), ("c", 1.0, 0.0, min(low, others))]
    square.append(("d", 0.0, 1.0, min(low, others)))
    assert ("e" in kept(five(*square, ("e", 0.4, 0.45, 1.0)))) is inner


# ---- Jolt's own ----


def jolt(a: Body, b: Body, depth: float) -> Manifold:
    """Jolt's contacts along y, B moved so that it overlaps A by `depth` at its lowest point."""
    x, y, z = b.position
    b = Body(b.shape, (x, y - certificate(a, b, UP) - depth, z), b.rotation)
    lowest = b.pose.to_world(b.shape.support(b.pose.direction_to_local(-UP))) - a.pose.position
    return run(jolt_steps(a, b, Proximity(-depth, UP, lowest + depth * UP, lowest), 0.0))


@pytest.mark.parametrize(("gap", "count"), [(0.015, 4), (0.0205, 4), (0.0215, 2), (0.04, 2)])
def test_jolt_has_contacts_within_two_centimetres_and_a_millimetre(gap: float, count: int) -> None:
    found = jolt(Body(Box((4.0, 1.0, 4.0))), leaning(CUBE, gap), 1e-4)
    assert len(found.contacts) == count


@pytest.mark.parametrize(("slope", "count"), [(0.015, 2), (0.04, 1)])
def test_a_capsule_of_jolts_lies_where_its_ends_are_as_far_to_two_centimetres(slope: float, count: int) -> None:
    capsule = Body(Capsule(0.2, 1.0), rotation=from_axis_angle((0.0, 0.0, 1.0), np.pi / 2 + slope))
    assert len(jolt(capsule, Body(Box((4.0, 1.0, 4.0)), (0.0, 1.0, 0.0)), 0.1).contacts) == count


def test_a_disc_of_jolts_is_eight_points_that_turn_with_the_body() -> None:
    below = Body(Box((4.0, 1.0, 4.0)))
    still, turned = (
        jolt(below, Body(DISC), 0.01),
        jolt(below, Body(DISC, rotation=from_axis_angle((0, 1, 0), 0.2)), 0.01),
    )
    assert len(still.contacts) == len(turned.contacts) == 8
    assert depths(still) == pytest.approx([0.01] * 8)
    places = [sorted((round(c.position[0], 6), round(c.position[2], 6)) for c in it.contacts) for it in (still, turned)]
    assert places[0] != places[1]


@pytest.mark.parametrize(("tilt", "steepest"), [(radians(4.0), False), (radians(6.0), True)])
def test_beyond_five_degrees_a_point_of_jolts_disc_is_the_farthest(tilt: float, steepest: bool) -> None:
    # Turned by 0.2 about its axis, so that none of the eight is where the disc is lowest but by alignment.
    leans = from_axis_angle((1.0, 0.0, 0.0), tilt)
    disc = Body(DISC, rotation=multiply(leans, from_axis_angle((0.0, 1.0, 0.0), 0.2)))
    found = jolt(Body(Box((4.0, 1.0, 4.0))), disc, 0.05)
    assert (max(depths(found)) == pytest.approx(0.05, abs=1e-12)) is steepest


@pytest.mark.parametrize(("slope", "name"), [(40.0, "rim"), (50.0, "side")])
def test_jolt_takes_a_cylinders_side_beyond_45_degrees_whatever_its_sizes(slope: float, name: str) -> None:
    flat = Body(Cylinder(0.5, 0.1), rotation=from_axis_angle((0.0, 0.0, 1.0), radians(slope)))
    below = Body(Box((4.0, 1.0, 4.0)))
    steps = record(jolt_steps(below, flat, Proximity(-0.01, UP, np.zeros(3), np.zeros(3)), 0.0)).steps
    assert isinstance(steps[0], FeaturesStep)
    assert steps[0].feature_b == ("side" if name == "side" else "cap -y")


@pytest.mark.parametrize(("sides", "corners"), [(15, 15), (16, 8)])
def test_jolt_thins_a_face_with_sixteen_vertices(sides: int, corners: int) -> None:
    turn = 2.0 * np.pi * np.arange(sides) / sides
    rows = np.stack((np.cos(turn), np.zeros(sides), np.sin(turn)), axis=1)
    found = jolt(Body(Box((4.0, 1.0, 4.0))), Body(Hull.of(np.vstack((rows, rows + UP)))), 0.01)
    assert len(found.contacts) == corners


def test_jolt_clips_by_whichever_face_has_three_points() -> None:
    # Since 5.4.0: before, a line that was the second body's gave one contact.
    lying = Body(Capsule(0.2, 1.0), rotation=from_axis_angle((0.0, 0.0, 1.0), np.pi / 2))
    found = jolt(Body(Box((4.0, 1.0, 4.0))), lying, 0.1)
    assert depths(found) == pytest.approx([0.1, 0.1])
    assert sorted(contact.position[0] for contact in found.contacts) == pytest.approx([-0.5, 0.5])
    assert {contact.feature_a for contact in found.contacts} == {"+y-", "+y+"}


def test_jolt_measures_along_the_normal_and_stands_a_body_on_a_plane() -> None:
    # The cube's face leans by 0.01: its points lie on the ground's plane along the normal, not square to the face.
    found = jolt(GROUND, leaning(CUBE, 0.01), 0.02)
    assert depths(found) == pytest.approx([0.02 - np.sin(0.01)] * 2 + [0.02] * 2, abs=1e-12)
    for contact in found.contacts:
        assert contact.position[1] == pytest.approx(-0.5 * contact.depth, abs=1e-12)
    box = jolt(leaning(CUBE, 0.01), Body(Box((4.0, 1.0, 4.0))), 0.02)
    assert depths(box) == pytest.approx([0.02 - np.sin(0.01)] * 2 + [0.02] * 2, abs=1e-12)


# ---- speculative ----


@pytest.mark.parametrize(("dimension", "preference"), [(d, policy) for d in POLICIES for policy in POLICIES[d]])
def test_apart_within_the_speculative_distance_there_are_gaps(preference: ContactPolicy, dimension: int) -> None:
    shape: Shape = CUBE if dimension == 3 else Polygon(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))
    scene = Scene(Body(shape), Body(shape, (0.3, 1.01, 0.0)))
    for distance, count in ((0.0, 0), (0.009, 0), (0.02, 4 if dimension == 3 else 2)):
        settings = AlgorithmSettings(preference=preference, contacts=ContactSettings(speculative=distance))
        found = query(analyse(scene), settings).manifold
        assert found is not None
        assert len(found.contacts) == count
        assert all(contact.gap for contact in found.contacts)
        assert [contact.depth for contact in found.contacts] == pytest.approx([-0.01] * count, abs=1e-12)
    assert analyse(scene).contacts is not None
    assert not analyse(scene).contacts.contacts


# ---- Box2D's slop ----


def by_box2d(scene: Scene, policy: ContactPolicy, speculative: float = 0.0) -> Manifold:
    settings = AlgorithmSettings(preference=policy, contacts=ContactSettings(speculative=speculative))
    found = query(analyse(scene), settings).manifold
    assert found is not None
    return found


@pytest.mark.parametrize(("gap", "corners"), [(0.0006, False), (0.0008, True), (0.01, True)])
def test_two_tips_apart_have_one_contact_in_box2d_beyond_a_tenth_of_its_slop(gap: float, corners: bool) -> None:
    # The edges' own separation is less than the tips' distance, by the root of two.
    diamond = Polygon(((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)))
    found = by_box2d(Scene(Body(diamond), Body(diamond, (2.0 + gap, 0.0, 0.0))), ContactPolicy.BOX2D, 0.02)
    assert (found.case is ContactCase.POINT) is corners
    assert len(found.contacts) == (1 if corners else 2)
    if corners:
        (contact,) = found.contacts
        assert contact.gap
        assert contact.name == "v0|v2"
        assert contact.depth == pytest.approx(-gap, abs=1e-12)
        assert contact.position == pytest.approx((1.0 + 0.5 * gap, 0.0, 0.0), abs=1e-12)
        assert found.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize(("better", "of_a"), [(0.0004, True), (0.0006, False)])
def test_box2d_2_takes_bs_edge_if_it_is_better_by_a_tenth_of_a_slop(better: float, of_a: bool) -> None:
    # A square turned by 30 degrees is 0.1 deep in A's upper edge, and A's corner (1, 0.5) `better` less in its edge.
    wide, square = (Polygon(((-x, -0.5), (x, -0.5), (x, 0.5), (-x, 0.5))) for x in (1.0, 0.5))
    c, s = np.sqrt(0.75), 0.5
    y = 0.5 + 0.5 * (c + s) - 0.1
    x = 1.0 + (0.5 - 0.1 + better + s * (0.5 - y)) / c
    scene = Scene(Body(wide), Body.in_plane(square, (float(x), float(y)), np.pi / 6.0))
    assert analyse(scene).separation == pytest.approx(better - 0.1, abs=1e-12)
    assert (by_box2d(scene, ContactPolicy.BOX2D_2).case is ContactCase.FACE_OF_A) is of_a
    assert by_box2d(scene, ContactPolicy.BOX2D).case is ContactCase.FACE_OF_B


def test_speculative_contacts_are_those_of_the_level_that_much_higher() -> None:
    # Leaning by 1e-3 and 0.01 apart, the far edge is 0.011 away: beyond the level of s + δ = 0.0105, which cuts it.
    tilted, far = leaning(CUBE, 1e-3), np.sin(1e-3)
    for depth, spread in ((-0.01, 5e-4), (0.01, far)):
        found = on(GROUND, tilted, depth, ContactSettings(speculative=0.02))
        assert all(contact.gap for contact in found.contacts) is (depth < 0.0)
        assert max(depths(found)) == pytest.approx(depth, abs=1e-12)
        assert max(depths(found)) - min(depths(found)) == pytest.approx(spread, rel=1e-6)


def test_the_nearest_points_of_round_bodies_apart_are_a_gap() -> None:
    balls = Scene(Body(Sphere(0.5)), Body(Sphere(0.5), (0.0, 1.01, 0.0)))
    found = query(analyse(balls), AlgorithmSettings(contacts=ContactSettings(speculative=0.02))).manifold
    assert found is not None
    (contact,) = found.contacts
    assert contact.gap
    assert contact.depth == pytest.approx(-0.01, abs=1e-12)


def step(moved: float, contact: float, *names: str) -> Change:
    """A cube goes `moved` along the ground, and a contact at its middle `contact`, in scene units."""
    cubes = [Body(CUBE, (x, 0.49, 0.0)) for x in (0.0, moved)]
    first, last = (
        Contact(vec(x, 0.0, 0.0), 0.01, "plane", name) for x, name in zip((0.0, contact), names, strict=True)
    )
    return next_frame(first_frame(GROUND, cubes[0], (first,)), GROUND, cubes[1], (last,))


@pytest.mark.parametrize(("times", "jumps"), [(5.0, 0), (20.0, 1)])
def test_a_contact_that_goes_ten_times_as_far_as_the_bodies_jumps(times: float, jumps: int) -> None:
    assert len(step(0.01, 0.01 * (1.0 + times), "v0", "v0").jumped) == jumps


@pytest.mark.parametrize(("share", "born"), [(0.5, 0), (2.0, 1)])
def test_another_name_within_a_fiftieth_is_the_same_contact(share: float, born: int) -> None:
    assert len(step(0.5, 0.5 + share * 0.02 * RADIUS, "v0", "v0v1").born) == born


@pytest.mark.parametrize(("share", "jumps"), [(0.5, 0), (2.0, 1)])
def test_within_a_millionth_a_contact_has_not_moved(share: float, jumps: int) -> None:
    assert len(step(0.0, share * 1e-6 * RADIUS, "v0", "v0").jumped) == jumps
