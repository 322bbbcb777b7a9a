"""The overlap region in the plane: of two nearly level edges the stretch that both have, to where they are δ apart."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from core import analyse
from core.closed_form import Proximity
from core.contact.contact import ContactCase, CornerDepthsStep, FlatStep, NormalStep
from core.contact.manifold import DEFAULTS, manifold, manifold_steps
from core.pair.pair import PairScale
from core.scene import Body, Scene
from core.shapes import Circle, Polygon, Rounded
from core.trace import record
from tests.core.planar_samples import brute_force

from .test_plane_policy import Ring


def box(rng: np.random.Generator, *, border: bool) -> Polygon | Rounded:
    """A box, listed from any corner on, either way round."""
    w, h = rng.uniform(0.3, 1.0, 2).tolist()
    points = np.roll(np.array(((-w, -h), (w, -h), (w, h), (-w, h))), int(rng.integers(4)), axis=0)
    sharp = Polygon.of(points if rng.random() < 0.5 else points[::-1])
    return Rounded(sharp, float(rng.uniform(0.05, 0.3))) if border else sharp


def off(one: Body, at: np.ndarray) -> float:
    """How far a point of the plane is from the body's surface, negative inside."""
    sharp, border = (one.shape.sharp, one.shape.border_radius) if isinstance(one.shape, Rounded) else (one.shape, 0.0)
    point = Body.in_plane(Circle(1e-30), (float(at[0]), float(at[1])))
    return brute_force(Scene(Body.in_plane(sharp, one.position[:2], one.angle), point)) - border


def stacked(rng: np.random.Generator, tilt: float, deep: float, *, border: bool) -> Scene:
    """A box on another, askew by `tilt` and `deep` in it, the whole turned at random and the bodies in any order."""
    a, b = (Body.in_plane(box(rng, border=border and bool(rng.random() < 0.7))) for _ in range(2))
    turned = float(rng.uniform(-3.0, 3.0))
    way = np.array((-math.sin(turned), math.cos(turned)))
    aside = rng.uniform(-0.7, 0.7) * np.array((way[1], -way[0]))
    a = Body.in_plane(a.shape, (2.0, -1.0), turned + math.pi * int(rng.integers(2)))
    b = Body.in_plane(b.shape, (0.0, 0.0), turned + tilt)
    one, other = Ring.of(a), Ring.of(b)
    up = (one.corners @ way).max() + one.border - (other.corners @ way).min() + other.border - deep
    at = up * way + aside + (np.array(a.position[:2]) @ np.array((way[1], -way[0]))) * np.array((way[1], -way[0]))
    b = Body.in_plane(b.shape, (float(at[0]), float(at[1])), b.angle)
    return Scene(*((a, b) if rng.random() < 0.5 else (b, a)))


@pytest.mark.parametrize("border", [False, True])
@pytest.mark.parametrize("tilt", [0.0, 1e-3, 0.02, 0.08])
def test_two_nearly_level_edges_meet_from_end_to_end_of_what_they_share(tilt: float, border: bool) -> None:
    rng, seen = np.random.default_rng(71), Counter[str]()
    for _ in range(40):
        scene = stacked(
            rng, tilt * float(rng.choice((-1.0, 1.0))), float(rng.choice((0.0, rng.uniform(0.0, 0.01)))), border=border
        )
        a, b = scene.a, scene.b
        answer = analyse(scene)
        assert answer.proximity is not None
        recording = record(manifold_steps(a, b, answer.proximity))
        found = recording.result
        assert found is not None
        if found.flatness is None:
            assert answer.separation > PairScale.of(scene.a, scene.b).touching_band()
            continue
        n, one, other, scale = found.normal[:2], Ring.of(a), Ring.of(b), PairScale.of(a, b)
        across, lateral = np.array((n[1], -n[0])), 1e-6
        edges = [int((ring.normals @ way).argmax()) for ring, way in ((one, n), (other, -n))]
        angles = [math.acos(min(float((ring.normals @ way).max()), 1.0)) for ring, way in ((one, n), (other, -n))]
        if max(angles) > 0.3:
            continue
        seen["all"] += 1
        # How flat the bodies lie, and by which tolerances.
        flatness, delta = found.flatness, 1e-3 * scale.least_half_extent
        assert flatness.kinds == ("segment", "segment")
        assert flatness.angles == pytest.approx(angles, abs=1e-7)
        assert (flatness.alpha, flatness.dropped) == (DEFAULTS.alpha, 0)
        assert flatness.delta == pytest.approx(delta, rel=1e-9)
        assert flatness.gaps == sum(contact.gap for contact in found.contacts)
        if angles[0] > angles[1] + 1e-6:
            assert found.case is ContactCase.FACE_OF_B
        elif angles[1] > angles[0] + 1e-6 or max(angles) < 1e-10:
            assert found.case is ContactCase.FACE_OF_A
        # Each contact lies midway between both surfaces along the normal, where these face the other body.
        rows = sorted(found.contacts, key=lambda contact: float(contact.position[:2] @ across))
        for contact in rows:
            for body, way in ((a, n), (b, -n)):
                at = contact.position[:2] + 0.5 * contact.depth * way
                assert abs(off(body, at)) < 1e-9
                assert off(body, at + 1e-4 * way) > 5e-5
            assert -delta - 1e-9 <= contact.depth <= -answer.separation + 1e-9
            assert contact.gap is (contact.depth < -scale.rounding)
        assert max(contact.depth for contact in rows) == pytest.approx(
            -answer.separation, abs=1e-6 * scale.largest_radius
        )
        # The first and the last are an end of an edge or lie at the level; what is between them is the deepest.
        ends = [np.sort(ring.edge(k) @ across) for ring, k in zip((one, other), edges, strict=True)]
        low, high = max(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1])
        assert len(rows) in {2, 3}
        for contact, end in ((rows[0], low), (rows[-1], high)):
            u, names = float(contact.position[:2] @ across), (contact.feature_a, contact.feature_b)
            assert low - lateral <= u <= high + lateral
            small = 0 if a.shape.bounding_radius <= b.shape.bounding_radius else 1
            for body, ring, k in ((0, one, edges[0]), (1, other, edges[1])):
                if "level" in names and body != small:
                    assert names[body] == "level"
                    continue
                places = np.abs(ring.edge(k) @ across - u)
                name = f"v{ring.ends(k)[int(places.argmin())]}" if places.min() < 1e-7 else f"edge{k}"
                if contact.depth > -answer.separation - 1e-9 and len(rows) == 3:
                    continue
                assert names[body].rstrip("+-") == name
            if "level" in names:
                seen["level"] += 1
                assert contact.depth == pytest.approx(-delta, abs=1e-9)
            else:
                seen["end"] += 1
                assert u == pytest.approx(end, abs=lateral) or contact.depth == pytest.approx(-answer.separation)
        for contact in rows[1:-1]:
            assert contact.depth == pytest.approx(-answer.separation, abs=1e-9)
        # The steps tell the same.
        first, flat_a, flat_b, *_ = recording.steps
        assert isinstance(first, NormalStep)
        assert (first.separation, first.normal.tolist()) == (answer.separation, found.normal.tolist())
        for number, (step, ring, k, way) in enumerate(((flat_a, one, edges[0], n), (flat_b, other, edges[1], -n))):
            assert isinstance(step, FlatStep)
            assert (step.body, step.kind, step.name) == (number, "segment", f"edge{k}")
            assert (step.angle, step.alpha) == (flatness.angles[number], DEFAULTS.alpha)
            assert step.point == pytest.approx((first.witness_a, first.witness_b)[number], abs=0.0)
            corners = sorted((*(corner + ring.border * way).tolist(), 0.0) for corner in ring.edge(k))
            assert np.array(sorted(step.outline.points.tolist())) == pytest.approx(np.array(corners), abs=1e-9)
        needles = next(step for step in recording.steps if isinstance(step, CornerDepthsStep))
        on_b, on_a = needles.ends
        for contact, at_a, at_b in zip(needles.contacts, on_a, on_b, strict=True):
            assert abs(off(a, at_a[:2])) < 1e-9
            assert abs(off(b, at_b[:2])) < 1e-9
            assert at_a - at_b == pytest.approx(contact.depth * found.normal, abs=1e-12)
    assert seen["all"] >= 15
    assert (seen["end"] if tilt < 0.01 else seen["level"]) >= 10


@pytest.mark.parametrize("wider", [1, 2, 1000])
def test_of_corners_that_are_one_seen_along_the_normal_the_upper_one_meets(wider: int) -> None:
    """A box whose foot is wider by a few roundings: over its ends, foot and top are as near."""
    rng = np.random.default_rng(72)
    for _ in range(20):
        left, right, shift = (float(number) for number in rng.uniform(0.5, 1.0, 3))
        foot_left, foot_right = left * (1.0 + wider * 2.0**-52), right * (1.0 + wider * 2.0**-52)
        a = Body.in_plane(Polygon(((-foot_left, -1.0), (foot_right, -1.0), (right, 1.0), (-left, 1.0))))
        b = Body.in_plane(Polygon(((-2.0, -1.0), (2.0, -1.0), (2.0, 1.0), (-2.0, 1.0))), (shift, 1.99))
        for pair, expected in (((a, b), {"v2|edge0", "v3|edge0"}), ((b, a), {"edge0|v2", "edge0|v3"})):
            found = analyse(Scene(*pair)).contacts
            assert found is not None
            assert {contact.name for contact in found.contacts} == expected
            assert [contact.depth for contact in found.contacts] == pytest.approx([0.01, 0.01])


SQUARE = Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("swapped", [False, True])
def test_on_a_ridge_the_level_is_reached_on_either_side_and_the_ends_are_told_apart(turns: int, swapped: bool) -> None:
    """The minus lies towards the end of the box's edge whose name comes first, whichever body is A."""
    roof = Polygon(((-2.0, -1.0), (2.0, -1.0), (2.0, 0.0), (0.0, 0.1), (-2.0, 0.0)))
    c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[turns]
    for points in (SQUARE.points, SQUARE.points[::-1], SQUARE.points[1:] + SQUARE.points[:1]):
        minus = next(x for x, y in points if y < 0.0)
        up = 1.1 - 0.02
        bodies = [
            Body.in_plane(roof, (0.0, 0.0), turns * math.pi / 2.0),
            Body.in_plane(Polygon.of(points), (-s * up, c * up), turns * math.pi / 2.0),
        ]
        found = analyse(Scene(*(bodies[::-1] if swapped else bodies))).contacts
        assert found is not None
        assert found.flatness is not None
        rows = {contact.feature_a if swapped else contact.feature_b: contact for contact in found.contacts}
        others = sorted(contact.feature_b if swapped else contact.feature_a for contact in found.contacts)
        edge = next(name for name in rows if name[-1] not in "+-")
        assert rows.keys() == {edge, f"{edge}-", f"{edge}+"}
        assert others == ["level", "level", "v3"]
        reach = (0.02 + found.flatness.delta) / 0.05
        for name, u in ((f"{edge}-", minus * reach), (f"{edge}+", -minus * reach), (edge, 0.0)):
            contact = rows[name]
            assert contact.depth == pytest.approx(0.02 - 0.05 * abs(u), abs=1e-9)
            assert contact.position[:2] @ (c, s) == pytest.approx(u, abs=1e-6)
            assert contact.gap is (u != 0.0)


def test_two_tips_are_a_point_and_a_tip_on_an_edge_is_that_edges_face() -> None:
    tip, square = Polygon(((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))), Body.in_plane(SQUARE, (0.0, 1.99))
    low, high = Body.in_plane(tip), Body.in_plane(tip, (0.0, 1.99))
    cases = []
    for a, b in ((low, square), (square, low), (low, high)):
        # Along the upright, also of two tips, whose shortest way is another.
        way = np.array((0.0, 1.0 if a is low else -1.0, 0.0))
        ends = np.array(((0.0, 1.0, 0.0), (0.0, 0.99, 0.0))) - a.position
        found = manifold(a, b, Proximity(-0.01, way, *(ends if a is low else ends[::-1])))
        (contact,) = found.contacts
        cases.append(found.case)
        assert contact.depth == pytest.approx(0.01, abs=1e-12)
        assert found.flatness is not None
        assert found.flatness.kinds == tuple("point" if one.shape is tip else "segment" for one in (a, b))
    assert cases == [ContactCase.FACE_OF_B, ContactCase.FACE_OF_A, ContactCase.POINT]


@pytest.mark.parametrize("thin", [0, 1])
def test_the_level_is_no_more_than_a_tenth_of_the_thinner_bodys_width(thin: int) -> None:
    plate = Polygon(((-1.0, -0.001), (1.0, -0.001), (1.0, 0.001), (-1.0, 0.001)))
    bodies = [Body.in_plane(SQUARE), Body.in_plane(plate, (0.2, 1.001))]
    found = analyse(Scene(*(bodies if thin else bodies[::-1]))).contacts
    assert found is not None
    assert found.flatness is not None
    assert found.flatness.delta == pytest.approx(0.1 * 0.002)


@pytest.mark.parametrize(("share", "count"), [(2e-5, 2), (5e-6, 2), (1e-7, 1)])
def test_a_stretch_shorter_than_the_lateral_tolerance_is_one_contact(share: float, count: int) -> None:
    for side in (1.0, -1.0):
        a, b = Body.in_plane(SQUARE), Body.in_plane(SQUARE, (side * (2.0 - share), 2.0 - 1e-8))
        found = analyse(Scene(a, b)).contacts
        assert found is not None
        assert len(found.contacts) == count
        middle = sum(float(contact.position[0]) for contact in found.contacts) / count
        assert middle == pytest.approx(side * (1.0 - 0.5 * share), abs=1e-9)
