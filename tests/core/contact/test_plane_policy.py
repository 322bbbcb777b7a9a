"""Contacts of the plane by clipping, told anew: an edge's stretch over the reference edge, and its heights."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from msgspec import Struct

from core.contact.contact import ClipStep, ContactCase, DepthStep, FeaturesStep, Manifold, ManifoldStep
from core.contact.policies.plane import contact_steps_of
from core.minkowski.plane import minkowski_difference, nearest_point
from core.pair.cores import PlanePair
from core.scene import Body, Scene
from core.shapes import Circle, Polygon, Rounded
from core.trace import Recording, record
from tests.core.planar_samples import body, polygon

SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))


class Ring(Struct, frozen=True, eq=False):
    """A body's corners (k, 2) counter-clockwise, world, their numbers, edges' outward normals (k, 2), border radius."""

    corners: np.ndarray
    numbers: tuple[int, ...]
    normals: np.ndarray
    border: float

    @staticmethod
    def of(one: Body) -> Ring:
        sharp, border = (
            (one.shape.sharp, one.shape.border_radius) if isinstance(one.shape, Rounded) else (one.shape, 0.0)
        )
        if isinstance(sharp, Circle):
            return Ring(np.array([one.position[:2]]), (0,), np.zeros((0, 2)), sharp.radius)
        assert isinstance(sharp, Polygon)
        c, s = math.cos(one.angle), math.sin(one.angle)
        corners = np.array([sharp.points[k] for k in sharp.ring]) @ np.array(((c, s), (-s, c))) + one.position[:2]
        ways = np.roll(corners, -1, axis=0) - corners
        normals = np.column_stack((ways[:, 1], -ways[:, 0])) / np.hypot(*ways.T)[:, None]
        return Ring(corners, tuple(sharp.ring), normals, border)

    def edge(self, k: int) -> np.ndarray:
        return self.corners[[k, (k + 1) % len(self.corners)]]

    def ends(self, k: int) -> tuple[int, int]:
        return self.numbers[k], self.numbers[(k + 1) % len(self.numbers)]

    def along(self, way: np.ndarray) -> int | None:
        """The edge whose normal is a way, if one's is."""
        off = np.hypot(*(self.normals - way).T) if len(self.normals) else np.array([1.0])
        return int(off.argmin()) if off.min() < 1e-9 else None

    def opposed(self, way: np.ndarray) -> int:
        """Of the edges at the corner least far along a way the one most against it."""
        low = int((self.corners @ way).argmin())
        return min((low, (low - 1) % len(self.corners)), key=lambda k: float(self.normals[k] @ way))


Row = tuple[tuple[str, str], np.ndarray, float]
"""A contact's names, A's first, its place in the plane, and its depth."""


def told(a: Body, b: Body, speculative: float = 0.0) -> tuple[Recording[ManifoldStep, Manifold], float]:
    """The contacts' steps, and the touching band."""
    pair, difference = PlanePair.of(a, b), minkowski_difference(a, b)
    nearest = nearest_point(difference, pair.offset, pair.scale.rounding)
    return record(contact_steps_of(a, b, difference, nearest, speculative)), pair.scale.touching_band()


def clipped(a: Ring, b: Ring, n: np.ndarray, *, of_a: bool) -> tuple[int, int, list[Row]]:
    """The reference edge, the incident edge, and each end of the stretch that it has over the reference edge."""
    reference, incident, out = (a, b, n) if of_a else (b, a, -n)
    edge = reference.along(out)
    assert edge is not None
    other = incident.opposed(out)
    start, end = reference.edge(edge)
    run = (end - start) / np.hypot(*(end - start))
    (p, q), rows = incident.edge(other), []
    shares = sorted((((corner - p) @ run) / ((q - p) @ run), number) for corner, number in
                    zip((start, end), reference.ends(edge), strict=True))  # fmt: skip
    low, high = shares
    for share, made in ((max(low[0], 0.0), low[1]), (min(high[0], 1.0), high[1])):
        own = {0.0: 0, 1.0: 1}.get(share)
        pair = (f"v{made}", f"edge{other}") if own is None else (f"edge{edge}", f"v{incident.ends(other)[own]}")
        at = p + share * (q - p) - incident.border * out
        depth = float((start - at) @ out) + reference.border
        rows.append((pair if of_a else pair[::-1], at + 0.5 * depth * out, depth))
    return edge, other, rows


def same(found: Manifold, rows: list[Row], near: float) -> None:
    """The contacts are the rows, in any order."""
    contacts = {(contact.feature_a, contact.feature_b): contact for contact in found.contacts}
    assert contacts.keys() == {names for names, _, _ in rows}
    assert len(contacts) == len(found.contacts)
    for names, at, depth in rows:
        contact = contacts[names]
        assert contact.position == pytest.approx((*at, 0.0), abs=near)
        assert contact.depth == pytest.approx(depth, abs=near)


def grown(rng: np.random.Generator) -> Polygon | Rounded:
    """A polygon, half of the time with a border."""
    return polygon(rng) if rng.random() < 0.5 else Rounded(polygon(rng, 0.7), float(rng.uniform(0.05, 0.3)))


@pytest.mark.parametrize("speculative", [0.0, 0.2])
def test_an_edge_of_one_body_cuts_the_other_bodys_edge_and_what_is_below_it_is_a_contact(speculative: float) -> None:
    rng, cases, counts = np.random.default_rng(61), Counter[ContactCase](), Counter[int]()
    while min(cases[ContactCase.FACE_OF_A], cases[ContactCase.FACE_OF_B], counts[1], counts[2]) < 15:
        scene = Scene(body(rng, grown(rng)), body(rng, grown(rng)))
        recording, band = told(scene.a, scene.b, speculative)
        found = recording.result
        assert found is not None
        a, b, n = Ring.of(scene.a), Ring.of(scene.b), found.normal[:2]
        of_a = a.along(n) is not None
        if not found.contacts or not (of_a or b.along(-n) is not None):
            continue
        cases[found.case] += 1
        assert found.case is (ContactCase.FACE_OF_A if of_a else ContactCase.FACE_OF_B)
        edge, other, rows = clipped(a, b, n, of_a=of_a)
        kept = [row for row in rows if row[2] >= -max(band, speculative)]
        same(found, kept, 1e-9)
        assert [contact.gap for contact in found.contacts] == [contact.depth < -band for contact in found.contacts]
        counts[len(kept)] += 1
        # And the steps on the way to it.
        first, *cuts, last = recording.steps
        assert isinstance(first, FeaturesStep)
        assert isinstance(last, DepthStep)
        names = (f"edge{edge}", f"edge{other}")
        assert (first.case, first.feature_a, first.feature_b) == (found.case, *(names if of_a else names[::-1]))
        assert first.normal == pytest.approx(found.normal, abs=0.0)
        reference, incident, out = (a, b, n) if of_a else (b, a, -n)
        for ring, number, points in ((a, edge if of_a else other, first.points_a),
                                     (b, other if of_a else edge, first.points_b)):  # fmt: skip
            assert points == pytest.approx(np.column_stack((ring.edge(number), np.zeros(2))), abs=1e-12)
        start, end = reference.edge(edge)
        run, before = (end - start) / np.hypot(*(end - start)), first.points_b if of_a else first.points_a
        for cut, corner, number, way in zip(cuts, (start, end), reference.ends(edge), (-run, run), strict=True):
            assert isinstance(cut, ClipStep)
            assert cut.side == f"v{number}"
            assert cut.normal == pytest.approx((*way, 0.0), abs=1e-12)
            assert cut.offset == pytest.approx(corner @ way, abs=1e-12)
            assert cut.before == pytest.approx(before, abs=0.0)
            assert (cut.after @ cut.normal <= cut.offset + 2.0 * band).all()
            assert [bool(it) for it in cut.cut] == [
                not any((point == old).all() for old in cut.before) for point in cut.after
            ]
            # Of each point: a new one lies at the side, and its name says so; an old one has its name from before.
            for point, pair, new in zip(cut.after, cut.names, cut.cut, strict=True):
                on_reference, on_incident = pair if of_a else pair[::-1]
                assert new is ((on_reference, on_incident) == (cut.side, f"edge{other}"))
                assert not new or point @ cut.normal == pytest.approx(cut.offset, abs=1e-9)
            before = cut.after
        assert last.normal == pytest.approx((*out, 0.0), abs=1e-12)
        assert last.offset == pytest.approx(start @ out + reference.border, abs=1e-12)
        assert last.points == pytest.approx(before - incident.border * np.array((*out, 0.0)), abs=1e-12)
        assert last.depths == pytest.approx(last.offset - last.points @ last.normal, abs=1e-12)
        assert sorted(last.names) == sorted(names for names, _, _ in rows)
        assert last.kept == tuple(depth >= -max(band, speculative) for depth in last.depths)
        assert [(c.feature_a, c.feature_b) for c in found.contacts] == [
            pair for pair, keep in zip(last.names, last.kept, strict=True) if keep
        ]


def nearest_feature(ring: Ring, at: np.ndarray) -> str:
    """The edge, or the vertex, of an outline that lies nearest a point of it."""
    if not len(ring.normals):
        return "centre"
    away = np.hypot(*(ring.corners - at).T)
    if away.min() < 1e-9:
        return f"v{ring.numbers[int(away.argmin())]}"
    heights = np.abs(((ring.corners - at) * ring.normals).sum(axis=1))
    return f"edge{int(heights.argmin())}"


def test_a_circle_and_two_corners_meet_in_one_point_midway_between_the_surfaces() -> None:
    rng, seen = np.random.default_rng(62), Counter[str]()
    while min((seen[kind] for kind in ("edge", "v", "centre", "corners")), default=0) < 8:
        shapes = [Circle(float(rng.uniform(0.1, 0.8))) if rng.random() < 0.5 else polygon(rng) for _ in range(2)]
        a, b = (body(rng, shape, 1.8) for shape in shapes)
        recording, band = told(a, b, 1.5)
        found = recording.result
        assert found is not None
        if found.case is not ContactCase.POINT or not found.contacts:
            continue
        (step,), (contact,) = recording.steps, found.contacts
        assert isinstance(step, FeaturesStep)
        assert (step.case, step.feature_a, step.feature_b) == (found.case, contact.feature_a, contact.feature_b)
        assert step.normal == pytest.approx(found.normal, abs=0.0)
        assert contact.gap is (contact.depth < -band)
        n = found.normal
        (on_a,), (on_b,) = step.points_a, step.points_b
        assert on_b - on_a == pytest.approx(-contact.depth * n, abs=1e-12)
        assert contact.position == pytest.approx(0.5 * (on_a + on_b), abs=1e-12)
        # Each point lies at its body's surface, on the side towards the other, at the feature that it is told by.
        for one, at, way, name in ((a, on_a, n, contact.feature_a), (b, on_b, -n, contact.feature_b)):
            ring = Ring.of(one)
            core = at[:2] - ring.border * way[:2]
            assert name == nearest_feature(ring, core)
            assert (ring.corners @ way[:2]).max() == pytest.approx(core @ way[:2], abs=1e-9)
        both = (contact.feature_a[0], contact.feature_b[0])
        seen["corners" if both == ("v", "v") else min(both, key="cev".index) if both == ("c", "c") else max(both)] += 1
        seen["centre"] += both == ("c", "c")
        seen["edge"] += "e" in both


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize(("across", "kept"), [(0.0, 2), (0.5, 2), (-0.5, 2), (2.0, 1), (-2.0, 1)])
def test_of_two_level_edges_there_are_as_many_contacts_as_what_they_share_has_ends(
    turns: int, across: float, kept: int
) -> None:
    """Squares side by side, touching; at a corner alone as well: then both ends are one, and are told once."""
    c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[turns]
    other = (3.0 + 2.0 * c - across * s, -1.0 + 2.0 * s + across * c)
    for a, b in ((SQUARE, SQUARE), (Polygon(SQUARE.points[::-1]), SQUARE)):
        recording, _ = told(Body.in_plane(a, (3.0, -1.0)), Body.in_plane(b, other))
        found = recording.result
        assert found is not None
        assert found.case is ContactCase.FACE_OF_A
        # At a corner alone the other side is as near.
        assert kept == 1 or found.normal == pytest.approx((c, s, 0.0), abs=0.0)
        low, high = max(-1.0, across - 1.0), min(1.0, across + 1.0)
        places = [(3.0 + c - w * s, -1.0 + s + w * c) for w in ((low, high) if kept == 2 else (low,))]
        assert sorted(tuple(contact.position[:2]) for contact in found.contacts) == sorted(places)
        assert [contact.depth for contact in found.contacts] == [0.0] * kept
        assert not any(contact.gap for contact in found.contacts)


@pytest.mark.parametrize(("gap", "speculative", "count"), [(0.1, 0.0, 0), (0.1, 0.0999, 0), (0.1, 0.1001, 2)])
def test_bodies_apart_have_contacts_up_to_the_speculative_distance_all_of_them_gaps(
    gap: float, speculative: float, count: int
) -> None:
    recording, _ = told(Body.in_plane(SQUARE), Body.in_plane(SQUARE, (0.5, 2.0 + gap)), speculative)
    found = recording.result
    assert found is not None
    assert len(found.contacts) == count
    assert found.normal == pytest.approx((0.0, 1.0, 0.0), abs=0.0)
    assert found.case is (ContactCase.FACE_OF_A if count else ContactCase.POINT)
    assert bool(recording.steps) is bool(count)
    for contact in found.contacts:
        assert contact.gap
        assert contact.depth == pytest.approx(-gap)
        assert contact.position[1] == pytest.approx(1.0 + gap / 2.0)


DIAMOND = Polygon(((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)))


@pytest.mark.parametrize("gap", [0.25, 0.375])
@pytest.mark.parametrize(("side", "corner"), [(1.0, 0), (-1.0, 1)])
def test_over_the_end_of_a_level_edge_a_corner_meets_that_edge_and_a_level_edge_too(
    gap: float, side: float, corner: int
) -> None:
    """The difference's nearest point is its corner, but an edge of either body is square to the way there."""
    low, high = Body.in_plane(DIAMOND, (2.0, 1.0)), Body.in_plane(SQUARE, (2.0 + side, 3.0 + gap))
    for a, b, case in ((low, high, ContactCase.FACE_OF_B), (high, low, ContactCase.FACE_OF_A)):
        found = told(a, b, 0.5)[0].result
        assert found is not None
        (contact,) = found.contacts
        assert (found.case, contact.depth, contact.gap) == (case, -gap, True)
        assert contact.position == pytest.approx((2.0, 2.0 + gap / 2.0, 0.0), abs=1e-12)
        names = ("v2", "edge0") if a is low else ("edge0", "v2")
        assert (contact.feature_a, contact.feature_b) == names
    # Two squares, corner over corner, have two level edges: A's is the reference.
    low, high = Body.in_plane(SQUARE, (2.0, 1.0)), Body.in_plane(SQUARE, (2.0 + 2.0 * side, 3.0 + gap))
    for a, b in ((low, high), (high, low)):
        found = told(a, b, 0.5)[0].result
        assert found is not None
        (contact,) = found.contacts
        assert (found.case, contact.depth) == (ContactCase.FACE_OF_A, -gap)
        assert contact.position == pytest.approx((2.0 + side, 2.0 + gap / 2.0, 0.0), abs=1e-12)
        assert contact.name == (f"edge2|v{corner}" if a is low else f"edge0|v{(2, 3)[corner]}")


@pytest.mark.parametrize("times", [-0.5, 0.0, 0.5, 0.9, 1.5])
@pytest.mark.parametrize("speculative", [0.0, 0.1])
def test_no_farther_apart_than_the_touching_band_is_no_gap(times: float, speculative: float) -> None:
    for shape, turned in ((SQUARE, 0.0), (Circle(1.0), 0.0)):
        a = Body.in_plane(SQUARE)
        band = told(a, Body.in_plane(shape, (0.3, 2.0), turned))[1]
        found = told(a, Body.in_plane(shape, (0.3, 2.0 + times * band), turned), speculative)[0].result
        assert found is not None
        within = times <= 1.0
        assert bool(found.contacts) is (within or speculative > 0.0)
        assert [contact.gap for contact in found.contacts] == [not within] * len(found.contacts)


@pytest.mark.parametrize("times", [-0.9, 0.0, 0.9, 1.1, 100.0])
def test_a_corner_beyond_the_end_of_the_reference_edge_by_no_more_than_the_band_is_not_cut_off(times: float) -> None:
    for way in (1.0, -1.0):
        a = Body.in_plane(SQUARE)
        band = told(a, Body.in_plane(SQUARE, (0.0, 1.9)))[1]
        recording, _ = told(a, Body.in_plane(SQUARE, (way * times * band, 1.9)))
        found, cuts = recording.result, [step for step in recording.steps if isinstance(step, ClipStep)]
        assert found is not None
        over, under = (("edge2|v1", "edge2|v0") if way > 0.0 else ("edge2|v0", "edge2|v1")), "v3|edge0"
        beyond = over[0] if times <= 1.0 else ("v2|edge0" if way > 0.0 else under)
        assert {contact.name for contact in found.contacts} == {beyond, over[1]}
        assert sum(sum(cut.cut) for cut in cuts) == (times > 1.0)


@pytest.mark.parametrize("past", [5e-8, -5e-8])
def test_where_level_edges_pass_by_each_other_the_corners_alone_meet(past: float) -> None:
    """Square on square, the one beyond the other's end by more than the band, yet square to the way to rounding."""
    a, b = Body.in_plane(SQUARE, (2.0, 1.0)), Body.in_plane(SQUARE, (2.0 + math.copysign(2.0, past) + past, 3.25))
    for first, second in ((a, b), (b, a)):
        recording, band = told(first, second, 0.5)
        found = recording.result
        assert band < abs(past)
        assert found is not None
        (contact,) = found.contacts
        assert (found.case, contact.gap) == (ContactCase.POINT, True)
        assert contact.depth == pytest.approx(-0.25, abs=1e-12)
        assert contact.position == pytest.approx((2.0 + math.copysign(1.0, past) + past / 2.0, 2.125, 0.0), abs=1e-12)
        names = ("v2", "v0") if past > 0.0 else ("v3", "v1")
        assert (contact.feature_a, contact.feature_b) == (names if first is a else names[::-1])
