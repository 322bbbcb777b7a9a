"""Pairs that the bench of the corpus found wrong, as small as they get."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Scene, Sphere, analyse
from core.geometry.quaternion import from_axis_angle, normalized
from tests.bench.contact_judge import _off, contact_faults
from tests.bench.corpus import posed
from tests.bench.families import Posed
from tests.bench.judge import judge
from tests.core.contact_oracle import off_surface
from tests.oracles import support_gap

SLIVER = Hull(((-0.000144906, 0.0, 0.036159411), (0.000286699, 0.0, 0.055147139), (0.000140914, 0.0, 0.38299234)))


def off_both(scene: Scene) -> float:
    """How far the worst contact is from either surface."""
    found = analyse(scene).contacts
    assert found is not None
    assert found.contacts
    return max(
        abs(off_surface(body, contact.position + side * contact.depth * found.normal))
        for contact in found.contacts
        for body, side in ((scene.a, 0.5), (scene.b, -0.5))
    )


@pytest.mark.parametrize("size", [1.0, 0.3, 1e-6])
def test_discs_whose_rims_touch_share_a_point_and_not_the_whole_of_one(size: float) -> None:
    """Between their two crossings, which rounding alone has made, neither lay inside the other."""
    for angle in np.linspace(0.0, 6.2, 60):
        x, z = (1.0 + size) * np.cos(angle), (1.0 + size) * np.sin(angle)
        pair = Scene(Body(Cylinder(1.0, 1.0)), Body(Cylinder(size, size), (float(x), 0.5 + 0.5 * size, float(z))))
        assert off_both(pair) <= 2e-6
        assert off_both(pair.swapped()) <= 2e-6


def test_a_contact_reaches_no_farther_past_the_tip_of_a_sliver_than_past_any_other_corner() -> None:
    triangle = Hull(
        ((0.070754127, 0.0, 0.188207942), (0.080000747, 0.0, -0.101992441), (-0.150754874, 0.0, -0.086215501))
    )
    tip = np.subtract(SLIVER.points[0], triangle.points[0])
    turn = normalized((0.64423347, -0.33817125, -0.595195437, 0.34109505))
    x, y, z = (Body(SLIVER, rotation=turn).pose.matrix @ tip).tolist()
    assert off_both(Scene(Body(triangle, (x, y, z), turn), Body(SLIVER, rotation=turn))) <= 1e-6
    # A line that runs along the sliver, out at its tip.
    thin = Hull(((0.0, 0.06280803, 3.4e-06), (0.0, 0.08731989, -2.2e-06), (0.0, -0.15012793, -1.2e-06)))
    for angle in (-3.1e-4, 3.1e-4):
        along = from_axis_angle((0.488, 0.0, 0.8727), angle)
        assert off_both(Scene(Body(thin), Body(Capsule(0.075, 0.5), (0.0288, 0.0, -0.0161), along))) <= 1e-6


def test_a_triangle_nearly_on_edge_has_contacts() -> None:
    """No face of it lies flat, nor steep: its walls are its only planes."""
    blade = Hull(((0.0, 0.0, 0.48), (0.026, 0.0, 0.11), (0.018, 0.0, -0.37), (-0.026, 0.0, -0.11)))
    for lean in (1e-3, 1e-2, 0.02):
        for way in ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)):
            b = Body(Box((1.0, 1.0, 1.0)), (0.51, 0.0, 0.0))
            scene = Scene(b, Body(blade, (1.03, 0.0, 0.0), from_axis_angle(way, lean)))
            assert off_both(scene) <= 2e-6
    pair = posed(12, 568)
    assert judge(pair).faults == ()


def test_bodies_side_by_side_keep_their_contacts_when_nudged() -> None:
    """A patch as thin as rounding counts as none, and its sides meet in a line."""
    for over in (1e-15, 1e-13, 1e-12, 1e-10, 1e-9):
        scene = Scene(Body(Box((2.0, 0.25, 2.0))), Body(Cone(0.125, 1.0), (1.125 - over, 0.625, 0.25)))
        found = analyse(scene)
        assert found.normal.tolist() == pytest.approx([0.0, 1.0, 0.0], abs=1e-9)
        assert found.contacts is not None
        assert len(found.contacts.contacts) == 2


TURNED = (0.7071067811865476, -0.7071067811865475, 0.0, 0.0)
ROUNDED_AWAY = {
    "the plane is at 1, where a number is good to five millionths of the ball": Scene(
        Body(HalfSpace((1.0, 0.0, 0.0), 1.0)), Body(Sphere(1e-11), (0.00100000001, 0.0, 0.0))
    ),
    "the plane is 7,000 times as far out as the point": Scene(
        Body(HalfSpace((0.0, 1.0, 1.0), 1.0)), Body(Hull(((0.0, 0.0, 0.0),)), (0.0001, 5e-06, 0.0))
    ),
    "places at 1e8 are 1.5e-8 apart, and the disc is 2e-8 thick": Scene(
        Body(Cylinder(1.0, 1.0), (1e8, 0.0, 0.0)), Body(Ellipsoid((1e-8, 1.0, 1.0)), (1e8, 0.0, 0.0))
    ),
    "the same, turned": Scene(
        Body(Cylinder(1.0, 1.0), (0.0, 1e8, 0.0), TURNED), Body(Ellipsoid((1.0, 1.0, 1e-8)), (0.0, 1e8, 0.0), TURNED)
    ),
}


@pytest.mark.parametrize("why", ROUNDED_AWAY)
def test_what_no_number_at_that_place_can_say_is_no_fault(why: str) -> None:
    assert judge(Posed(ROUNDED_AWAY[why], np.array((1.0, 0.0, 0.0)))).faults == ()


def test_a_chord_is_as_high_as_the_body_over_it() -> None:
    """Where a wall steeper than any of the planes runs beside it."""
    assert contact_faults(analyse(posed(0, 5281).scene)) == []


@pytest.mark.parametrize("number", [576, 1074, 2353, 2503])
def test_witness_points_of_a_speck_are_its_separation_apart(number: int) -> None:
    """An ellipsoid's rolling ball is kept apart as a radius: beside a large body it was laid along a noisy normal."""
    found = analyse(posed(9, number).scene)
    apart = float(np.linalg.norm(found.witness_b - found.witness_a))
    assert apart == pytest.approx(abs(found.separation), abs=1e-13)


@pytest.mark.parametrize(("row", "number"), [(9, 7716), (6, 481), (6, 1301)])
def test_which_points_of_an_arc_are_left_out_is_not_for_rounding_to_say(row: int, number: int) -> None:
    """Of three as near their chords the middle one went, or both others."""
    assert contact_faults(analyse(posed(row, number).scene)) == []


@pytest.mark.filterwarnings("error")
def test_a_line_that_misses_the_other_body_has_no_contact_at_its_height() -> None:
    """Which is none: it was minus infinity."""
    assert contact_faults(analyse(posed(9, 15730).scene)) == []


def test_a_sliver_and_a_segment_that_leaves_its_plane_have_the_difference_that_their_points_have() -> None:
    """The sliver's own normal, good to its thickness only, had put the difference 1e-7 L beside its vertices."""
    assert analyse(posed(12, 1371).scene).disagreements == ()


@pytest.mark.parametrize("number", [261, 979])
def test_the_end_of_a_line_along_a_side_is_as_high_as_the_side(number: int) -> None:
    """As far beside it as the tolerance reaches, to the last place, a steep wall was asked in its stead."""
    assert contact_faults(analyse(posed(2, number).scene)) == []


@pytest.mark.parametrize("number", [7958, 11405, 11505, 16775, 17293, 18428, 18750])
def test_a_flat_part_that_reaches_over_a_steep_wall_is_as_low_as_the_wall(number: int) -> None:
    """The end of a prism seen nearly on edge: the rim is flat, and its chords bridge the end.

    Its planes, as steep as 0.01, were left out: over it the contacts stood a thousandth off the body.
    """
    assert contact_faults(analyse(posed(1, number).scene)) == []


@pytest.mark.parametrize("number", [3667, 12099])
def test_past_the_end_of_a_side_the_next_one_has_the_height(number: int) -> None:
    """Where two sides run nearly on, the endless line of the one was as near as the other side itself."""
    assert contact_faults(analyse(posed(1, number).scene)) == []


def test_an_edge_down_a_wall_on_edge_is_not_as_high_as_the_outline_above_it() -> None:
    """The end of a prism along the normal: an edge across it stood in for the rim, and a nudge took a contact away."""
    assert contact_faults(analyse(posed(1, 10745).scene)) == []


@pytest.mark.parametrize("angle", [2e-6, 1e-5])
@pytest.mark.parametrize("thin", [6e-15, 1e-9])
def test_beside_a_needle_its_walls_have_no_height(angle: float, thin: float) -> None:
    """A line that missed it, within the tolerance of its diagonal, was given that of the wall's plane."""
    crossing = Body(Cylinder(1.0, 1.0), (0.13, 0.02, 0.05), from_axis_angle((1.0, 0.0, 0.0), angle))
    needle = Body(Box((thin, 1.0, thin)))
    assert off_both(Scene(needle, crossing)) <= 5e-7
    assert off_both(Scene(crossing, needle)) <= 5e-7
    assert contact_faults(analyse(posed(3, 8403).scene)) == []


def test_witness_points_of_a_speck_near_an_axis_are_apart_along_the_normal() -> None:
    """The short way between cores is known to a turn of 3e-5, which a radius must not carry out to the surface."""
    a = Body(
        Cone(3.927884053601988e-06, 3.927884053601988e-06),
        rotation=(-0.11183278781152275, 0.7397468045994914, -0.1546976542593575, 0.6452416046891251),
    )
    b = Body(
        Capsule(0.12578859593716488, 0.4241147216729787),
        (3.0956248966713902e-06, 1.53789213967948e-07, -3.3202774705186933e-06),
        (-0.11190992561165646, 0.7397577177399223, -0.15471723718081778, 0.6452110229319936),
    )
    for scene in (Scene(a, b), Scene(b, a)):
        found = analyse(scene)
        between = found.witness_b - found.witness_a
        assert float(between @ found.normal) == pytest.approx(found.separation, abs=2e-12)
        assert float(np.linalg.norm(between)) == pytest.approx(abs(found.separation), abs=2e-12)


def test_a_box_with_a_corner_on_the_rim_cuts_half_a_circle_off_whatever_rounding_says() -> None:
    """Its right angle stands on a diameter: a hair more than a half circle had one point more."""
    disc, box = Body(Cylinder(1.5e-5, 1.0)), Body(Box((0.4, 0.4, 0.4)))
    counts = set()
    for hair in (-1e-12, -1e-14, 0.0, 1e-14, 1e-12):
        corner = 1.5e-5 * np.array((np.cos(0.7), np.sin(0.7)))
        x, z = (corner - 0.2 + hair).tolist()
        found = analyse(Scene(disc, replace(box, position=(x, 0.7 - 1e-9, z)))).contacts
        assert found is not None
        counts.add(len(found.contacts))
    assert len(counts) == 1
    assert contact_faults(analyse(posed(5, 2187).scene)) == []


@pytest.mark.filterwarnings("error")
def test_the_middle_of_an_ellipsoid_is_as_far_inside_as_its_least_radius() -> None:
    """The judge divided 0 by 0 there, and no fault is found in what is no number."""
    assert off_surface(Body(Ellipsoid((1.0, 2.0, 1e-12))), np.zeros(3)) == -1e-12


def test_contacts_that_stay_where_they_were_do_not_jitter_however_they_are_counted() -> None:
    """A patch about as wide as what counts as one place: the judge's count hung on the contacts' order."""
    assert contact_faults(analyse(posed(5, 18987).scene)) == []


def test_a_contact_that_comes_with_a_nudge_is_a_fault() -> None:
    """Lest the judge lets everything pass: two contacts are there and, nudged, only one of them."""
    assert _off(np.zeros((1, 3)), np.array(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)))) == 1.0
    assert _off(np.array(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))), np.zeros((1, 3))) == 1.0


# The distances by brute force over all corners and edges, with 60 digits (mpmath).
NEARLY_IN_ONE_PLANE = (
    (
        Body(
            Hull(
                (
                    (-0.015463746360338648, 0.0, 0.22984101417377614),
                    (-0.08519193510730483, 0.0, -0.5248007719114282),
                    (0.10065568146764348, 0.0, 0.29495975773765193),
                )
            ),
            (0.459740282545451, 0.023513071328781165, -0.6337804986896945),
            (-0.6507088347649177, 0.24220063282267548, -0.7185495444558947, -0.04004270197433043),
        ),
        Body(
            Hull(
                (
                    (0.49633744522151263, 3.655520333526182e-13, 0.0),
                    (-0.06040811593637029, 3.0035229458386145e-12, 0.0),
                    (-0.49633744522151263, -3.655520333526169e-13, 0.0),
                    (0.060408115936370126, -3.0035229458386145e-12, 0.0),
                )
            ),
            (0.0, 0.0, 0.0),
            (-0.6507088348304908, 0.24220063281902127, -0.7185495443965125, -0.04004270199643309),
        ),
        4.891747731449285e-08,
    ),
    (
        Body(
            Hull(
                (
                    (0.0, -0.0034003806386505575, -4.3705954136149544e-09),
                    (0.0, -0.2378542143431307, -6.763728788731866e-10),
                    (0.0, 0.38304081487837194, 1.4638564993806914e-09),
                )
            ),
            (-0.45749358710781457, 0.14414824503144014, -0.0699093026922065),
            (0.5229120067421199, 0.38657862568506535, 0.6049595835923993, -0.4595039734192579),
        ),
        Body(
            Hull(((0.13778094930602935, 0.0, -0.26317817991673553),)),
            (0.0, 0.0, 0.0),
            (0.5229121663612266, 0.3865785044445193, 0.6049594456215797, -0.45950407541835664),
        ),
        3.830408147774721e-07,
    ),
    (
        Body(
            Hull(
                (
                    (2.0426912941687806e-10, 0.0, -0.10911269372314218),
                    (-1.0650870868905461e-10, 0.0, 0.48836614984211996),
                    (-1.0606987377587645e-10, 0.0, 0.08408200088182714),
                )
            ),
            (0.0367749840285419, 0.12007038194061359, -0.5841332659919469),
            (0.09471340591871932, -0.7229594200187174, 0.6827601586769834, 0.046878710187637174),
        ),
        Body(
            Hull(
                (
                    (2.0426912941687806e-10, 0.0, -0.10911269372314218),
                    (-9.776042072782344e-11, 0.0, -0.3792534561189778),
                    (-1.0650870868905461e-10, 0.0, 0.48836614984211996),
                )
            ),
            (0.0, 0.0, 0.0),
            (0.09471340592218605, -0.7229594200184793, 0.6827601586765024, 0.046878710191308015),
        ),
        4.8836621820013083e-11,
    ),
    (
        Body(
            Hull(
                (
                    (-1.094855074249724e-12, 0.0, 0.23350094378740732),
                    (1.1826382238553734e-12, 0.0, 0.1132945900894821),
                    (-8.778314960564927e-14, 0.0, -0.3467955338768894),
                )
            ),
            (0.0, 0.0, 0.0),
            (0.4983258144425574, 0.8033760251213161, 0.05972897604968451, 0.32045404403828714),
        ),
        Body(
            Hull(
                (
                    (0.22720195503517923, -2.0356354017146217e-13, 0.0),
                    (-0.2454925843007625, 2.2497881622070576e-13, 0.0),
                    (0.018290629265583308, -2.1415276049243598e-14, 0.0),
                )
            ),
            (0.25839989771126154, 0.015589127490443305, 0.078030411108027),
            (0.4983258144425573, 0.8033760251213161, 0.05972897604968421, 0.3204540440382873),
        ),
        6.557029010411755e-18,
    ),
)


@pytest.mark.parametrize(("a", "b", "distance"), NEARLY_IN_ONE_PLANE)
def test_the_normal_of_slivers_beside_each_other_proves_their_distance(a: Body, b: Body, distance: float) -> None:
    """The difference of polygons nearly in one plane may lack a side: the normal told was that of their plane."""
    for scene in (Scene(a, b), Scene(b, a)):
        found = analyse(scene)
        assert found.separation == pytest.approx(distance, abs=1e-13)
        assert support_gap(scene, found.normal) == pytest.approx(distance, abs=1e-13)
        assert found.witness_b - found.witness_a == pytest.approx(distance * found.normal, abs=1e-13)
        assert found.disagreements == ()
