"""The policies of the plane's engines: dyn4j's published numbers, and each rule told anew from its source."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse, contact_steps, contacts_by
from core.contact.contact import ClipStep, ContactCase, ContactSettings, DepthStep, EndsStep, FeaturesStep, Manifold
from core.contact.policies.policy import PLANE_RULES, POLICIES, ContactPolicy, refusal
from core.scene import Body, Scene
from core.shapes import Box, Circle, Polygon, Rounded
from core.trace import record
from tests.core.planar_samples import FAMILIES, Family, body, polygon
from tests.selection import some

from .test_plane_policy import Ring

Point = np.ndarray
Row = tuple[tuple[str, str], Point, float]
"""A contact's names, A's first, its place midway between the surfaces, and its depth."""

ENGINES = (ContactPolicy.BOX2D, ContactPolicy.BOX2D_2, ContactPolicy.DYN4J, ContactPolicy.CHIPMUNK)
SLOP = 0.005
SEGMENT = Polygon(((-0.7, 0.1), (0.6, -0.2)))


def manifold(scene: Scene, policy: ContactPolicy, speculative: float = 0.0) -> Manifold:
    """The contacts of a scene by a policy."""
    settings = AlgorithmSettings(preference=policy, contacts=ContactSettings(speculative=speculative))
    found = contacts_by(analyse(scene), settings)
    assert found is not None
    return found


def rectangle(width: float, height: float) -> Polygon:
    x, y = 0.5 * width, 0.5 * height
    return Polygon(((-x, -y), (x, -y), (x, y), (-x, y)))


# ---- dyn4j's own numbers ----

SQUARE = rectangle(0.5, 0.5)

# Scenarios 1 to 5 of ClippingManifoldSolverTest (dyn4j/dyn4j, src/test/java/org/dyn4j/collision/manifold, commit
# 5e6fcc8): a rectangle of 1 x 0.5 at the origin beside the other shape, its place and degrees; the normal, which there
# leads from the second shape to the first; depth and place of each contact, and the places in the reverse order.
PUBLISHED = [
    (Circle(0.5), (0.5, 0.5), 0.0, (0.0, -1.0), [(0.250, 0.500, 0.000)], [(0.500, 0.000)]),
    (
        SQUARE,
        (-0.5, -0.35),
        0.0,
        (0.0, 1.0),
        [(0.150, -0.250, -0.100), (0.150, -0.500, -0.100)],
        [(-0.500, -0.250), (-0.250, -0.250)],
    ),
    (
        SQUARE,
        (-0.5, -0.5),
        10.0,
        (0.0, 1.0),
        [(0.039, -0.297, -0.210), (0.003, -0.500, -0.246)],
        [(-0.297, -0.210), (-0.500, -0.246)],
    ),
    (SQUARE, (-0.5, -0.5), 60.0, (0.500, 0.866), [(0.033, -0.500, -0.250)], [(-0.500, -0.250)]),
    (
        SQUARE,
        (0.0, -0.35),
        0.0,
        (0.0, 1.0),
        [(0.150, 0.250, -0.100), (0.150, -0.250, -0.100)],
        [(0.250, -0.250), (-0.250, -0.250)],
    ),
]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("shape", "place", "degrees", "normal", "contacts", "reverse"), PUBLISHED)
def test_dyn4j_gives_the_contacts_of_its_own_tests(
    shape: Polygon | Circle,
    place: tuple[float, float],
    degrees: float,
    normal: tuple[float, float],
    contacts: list[tuple[float, float, float]],
    reverse: list[tuple[float, float]],
    swapped: bool,
) -> None:
    scene = Scene(Body(rectangle(1.0, 0.5)), Body.in_plane(shape, place, math.radians(degrees)))
    found = manifold(scene.swapped() if swapped else scene, ContactPolicy.DYN4J)
    sign = 1.0 if swapped else -1.0
    assert found.normal[:2] * sign == pytest.approx(normal, abs=1e-3)
    # A contact of dyn4j lies on the incident edge, or on the circle.
    on_a = swapped if isinstance(shape, Circle) else found.case is ContactCase.FACE_OF_B
    onto = (0.5 if on_a else -0.5) * found.normal
    places = reverse if swapped else [at for _, *at in contacts]
    told = [(c.depth, *(c.position + c.depth * onto)[:2].tolist()) for c in found.contacts]
    assert len(told) == len(contacts)
    for row, (depth, *_), (x, y) in zip(told, contacts, places, strict=True):
        assert row == pytest.approx((depth, x, y), abs=1e-3)


def test_every_policy_of_the_plane_that_clips_has_both_contacts_at_ten_degrees() -> None:
    scene = Scene(Body(rectangle(1.0, 0.5)), Body.in_plane(SQUARE, (-0.5, -0.5), math.radians(10.0)))
    for policy in PLANE_RULES:
        depths = sorted(contact.depth for contact in manifold(scene, policy).contacts)
        assert depths == pytest.approx([0.003, 0.039], abs=1e-3), policy
    # The default counts as flat what is within 5.1°; with a larger angle it has both, in the same places.
    (one,) = manifold(scene, ContactPolicy.TOLERANT).contacts
    assert one.depth == pytest.approx(0.039, abs=1e-3)
    wide = contacts_by(analyse(scene), AlgorithmSettings(contacts=ContactSettings(alpha=math.radians(11.0))))
    assert wide is not None
    exact = {c.name: c.position for c in manifold(scene, ContactPolicy.EXACT).contacts}
    assert {c.name for c in wide.contacts} == set(exact)
    for contact in wide.contacts:
        assert contact.position == pytest.approx(exact[contact.name], abs=1e-12)


# ---- each rule told anew ----


def over(ring: Ring, other: Ring) -> np.ndarray:
    """How far the other polygon's core is in front of each edge of a polygon's core."""
    return np.array([((other.corners - ring.corners[k]) @ n).min() for k, n in enumerate(ring.normals)])


def by_dyn4j(a: Ring, b: Ring, n: Point) -> list[Row]:
    """getManifold: the farthest features, both clips, the depths."""

    def feature(ring: Ring, way: Point) -> int:
        far = int((ring.corners @ way).argmax())
        return far if ring.normals[far - 1] @ way < ring.normals[far] @ way else (far - 1) % len(ring.corners)

    def clip(points: list[tuple[Point, int]], way: Point, offset: float) -> list[tuple[Point, int]]:
        (p1, i1), (p2, i2) = points
        d1, d2 = way @ p1 - offset, way @ p2 - offset
        kept = [point for point, d in zip(points, (d1, d2), strict=True) if d <= 0.0]
        if d1 * d2 < 0.0:
            kept.append((p1 + d1 / (d1 - d2) * (p2 - p1), i1 if d1 > 0.0 else i2))
        return kept

    edges = feature(a, n), feature(b, -n)
    leans = [abs(np.subtract(*ring.edge(k)[::-1]) @ n) for ring, k in zip((a, b), edges, strict=True)]
    flipped = leans[0] > leans[1]
    reference, incident = (b, a) if flipped else (a, b)
    edge, other = edges[::-1] if flipped else edges
    v1, v2 = reference.edge(edge)
    along = (v2 - v1) / math.hypot(*(v2 - v1))
    points = list(zip(incident.edge(other), incident.ends(other), strict=True))
    for way, offset in ((-along, -along @ v1), (along, along @ v2)):
        points = clip(points, way, offset)
        if len(points) < 2:
            return []
    inwards = np.array((-along[1], along[0]))
    rows: list[Row] = []
    for point, number in points:
        depth = float(inwards @ (point - v1))
        if depth >= 0.0:
            names = (f"edge{edge}", f"v{number}")
            rows.append((names[::-1] if flipped else names, point - 0.5 * depth * inwards, depth))
    return rows


def by_chipmunk(a: Ring, b: Ring, n: Point) -> list[Row]:
    """ContactPoints on both support edges."""

    def support(ring: Ring, way: Point) -> int:
        far = int((ring.corners @ way).argmax())
        return (far - 1) % len(ring.corners) if ring.normals[far - 1] @ way > ring.normals[far] @ way else far

    def at(edge: np.ndarray, place: float) -> Point:
        d_a, d_b = (float(p[0] * n[1] - p[1] * n[0]) for p in edge)
        share = min(max((place - d_a) / (d_b - d_a), 0.0), 1.0)
        return edge[0] * (1.0 - share) + edge[1] * share

    k1, k2 = support(a, n), support(b, -n)
    e1, e2 = a.edge(k1), b.edge(k2)
    (p1a, p1b), (p2a, p2b) = ([float(p[0] * n[1] - p[1] * n[0]) for p in edge] for edge in (e1, e2))
    rows: list[Row] = []
    for to_1, to_2, end_1, end_2 in ((p2b, p1a, 0, 1), (p2a, p1b, 1, 0)):
        p1, p2 = at(e1, to_1) + a.border * n, at(e2, to_2) - b.border * n
        distance = float((p2 - p1) @ n)
        if distance <= 0.0:
            rows.append(((f"v{a.ends(k1)[end_1]}", f"v{b.ends(k2)[end_2]}"), 0.5 * (p1 + p2), -distance))
    return rows


def box2d_edges(a: Ring, b: Ring, better: float) -> tuple[Ring, Ring, int, int, bool]:
    """b2FindMaxSeparation of both, the reference by `better`, and the edge most against it."""
    on_a, on_b = over(a, b), over(b, a)
    flip = bool(on_b.max() > on_a.max() + better)
    reference, incident, edge = (b, a, int(on_b.argmax())) if flip else (a, b, int(on_a.argmax()))
    return reference, incident, edge, int((incident.normals @ reference.normals[edge]).argmin()), flip


def by_box2d_2(a: Ring, b: Ring, _n: Point) -> list[Row]:
    """b2CollidePolygons of version 2, and b2WorldManifold::Initialize."""
    reference, incident, edge, other, flip = box2d_edges(a, b, 0.1 * SLOP)
    radius, (v11, v12), normal = a.border + b.border, reference.edge(edge), reference.normals[edge]
    tangent = np.array((-normal[1], normal[0]))
    numbers = incident.ends(other)
    points = [(p, (f"edge{edge}", f"v{k}")) for p, k in zip(incident.edge(other), numbers, strict=True)]
    for way, offset, end in ((-tangent, radius - tangent @ v11, 0), (tangent, radius + tangent @ v12, 1)):
        d = [float(way @ p) - offset for p, _ in points]
        kept = [point for point, height in zip(points, d, strict=True) if height <= 0.0]
        if d[0] * d[1] < 0.0:
            (p0, _), (p1, _) = points
            kept.append((p0 + d[0] / (d[0] - d[1]) * (p1 - p0), (f"v{reference.ends(edge)[end]}", f"edge{other}")))
        if len(kept) < 2:
            return []
        points = kept
    rows: list[Row] = []
    for point, names in points:
        separation = float(normal @ (point - v11))
        if separation <= radius:
            on_one = point + (reference.border - separation) * normal
            on_two = point - incident.border * normal
            rows.append((names[::-1] if flip else names, 0.5 * (on_one + on_two), radius - separation))
    return rows


def nearest_shares(p1: Point, q1: Point, p2: Point, q2: Point) -> tuple[float, float]:
    """b2SegmentDistance's fractions."""
    d1, d2, r = q1 - p1, q2 - p2, p1 - p2
    denominator = (d1 @ d1) * (d2 @ d2) - (d1 @ d2) ** 2
    f1 = float(np.clip(((d1 @ d2) * (r @ d2) - (r @ d1) * (d2 @ d2)) / denominator, 0.0, 1.0)) if denominator else 0.0
    f2 = float(((d1 @ d2) * f1 + r @ d2) / (d2 @ d2))
    if f2 < 0.0:
        return float(np.clip(-(r @ d1) / (d1 @ d1), 0.0, 1.0)), 0.0
    return (float(np.clip((d1 @ d2 - r @ d1) / (d1 @ d1), 0.0, 1.0)), 1.0) if f2 > 1.0 else (f1, f2)


def by_box2d(a: Ring, b: Ring, _n: Point) -> list[Row]:
    """b2CollidePolygons and b2ClipPolygons of version 3."""
    reference, incident, edge, other, flip = box2d_edges(a, b, 0.0)
    radius, edge_a, edge_b = a.border + b.border, *((other, edge) if flip else (edge, other))
    if max(over(a, b).max(), over(b, a).max()) > 0.1 * SLOP:
        shares = nearest_shares(*a.edge(edge_a), *b.edge(edge_b))
        if all(share in (0.0, 1.0) for share in shares):
            ends = [int(share) for share in shares]
            c1, c2 = a.edge(edge_a)[ends[0]], b.edge(edge_b)[ends[1]]
            distance = math.hypot(*(c2 - c1))
            n = (c2 - c1) / distance
            names = (f"v{a.ends(edge_a)[ends[0]]}", f"v{b.ends(edge_b)[ends[1]]}")
            return [(names, 0.5 * (c1 + a.border * n + c2 - b.border * n), radius - distance)]
    (v11, v12), (v21, v22), normal = reference.edge(edge), incident.edge(other), reference.normals[edge]
    (i11, i12), (i21, i22) = reference.ends(edge), incident.ends(other)
    tangent = np.array((-normal[1], normal[0]))
    upper1, upper2, lower2 = float((v12 - v11) @ tangent), float((v21 - v11) @ tangent), float((v22 - v11) @ tangent)
    lower = v22 + (0.0 - lower2) / (upper2 - lower2) * (v21 - v22) if lower2 < 0.0 else v22
    upper = v22 + (upper1 - lower2) / (upper2 - lower2) * (v21 - v22) if upper2 > upper1 else v21
    rows: list[Row] = []
    for point, names in ((lower, (f"v{i11}", f"v{i22}")), (upper, (f"v{i12}", f"v{i21}"))):
        separation = float((point - v11) @ normal)
        at = point + 0.5 * (reference.border - incident.border - separation) * normal
        rows.append((names[::-1] if flip else names, at, radius - separation))
    return rows[::-1] if flip else rows


Oracle = Callable[[Ring, Ring, Point], list[Row]]
ORACLES: dict[ContactPolicy, Oracle] = {
    ContactPolicy.DYN4J: by_dyn4j,
    ContactPolicy.CHIPMUNK: by_chipmunk,
    ContactPolicy.BOX2D: by_box2d,
    ContactPolicy.BOX2D_2: by_box2d_2,
}


def pair(rng: np.random.Generator, gap: float, *, border: bool) -> Scene | None:
    """Two polygons whose cores are `gap` apart, or overlap, along the best axis; None where two axes nearly tie."""
    bodies = [body(rng, polygon(rng) if rng.random() < 0.9 else SEGMENT) for _ in range(2)]
    rings = [Ring.of(one) for one in bodies]
    on = [over(rings[0], rings[1]), over(rings[1], rings[0])]
    of_a = on[0].max() > on[1].max()
    best = float(on[0 if of_a else 1].max())
    n = rings[0].normals[on[0].argmax()] if of_a else -rings[1].normals[on[1].argmax()]
    x, y = (np.array(bodies[1].position[:2]) + (gap - best) * n).tolist()
    moved = Body.in_plane(bodies[1].shape, (x, y), bodies[1].angle)
    tops = np.sort(np.concatenate((over(rings[0], Ring.of(moved)), over(Ring.of(moved), rings[0]))))
    if abs(tops[-1] - gap) > 1e-9 or tops[-1] - tops[-2] < 2e-3:
        return None
    if border:
        grown = [Body.in_plane(Rounded(one.shape, 0.02), one.position[:2], one.angle) for one in (bodies[0], moved)]
        return Scene(*grown)
    return Scene(bodies[0], moved)


def same_rows(found: Manifold, rows: list[Row], *, ordered: bool = True) -> None:
    told = [(c.feature_a, c.feature_b) for c in found.contacts]
    places = {names: (at, depth) for names, at, depth in rows}
    assert told == [names for names, _, _ in rows] if ordered else set(told) == set(places)
    for contact in found.contacts:
        at, depth = places[contact.feature_a, contact.feature_b]
        assert contact.position[:2] == pytest.approx(at, abs=1e-9)
        assert contact.depth == pytest.approx(depth, abs=1e-9)


@pytest.mark.parametrize("border", [False, True])
@pytest.mark.parametrize("policy", ENGINES)
def test_contacts_are_those_of_the_engines_rule_told_anew(policy: ContactPolicy, border: bool) -> None:
    rng, counts = np.random.default_rng(41), set()
    if border and policy is ContactPolicy.DYN4J:
        return
    for _ in range(some(400)):
        scene = pair(rng, float(rng.uniform(-0.3, 0.02 if border else -1e-3)), border=border)
        if scene is None or analyse(scene).separation > 0.0:
            continue
        a, b = Ring.of(scene.a), Ring.of(scene.b)
        rows = ORACLES[policy](a, b, analyse(scene).normal[:2])
        same_rows(manifold(scene, policy), rows)
        counts.add(len(rows))
    # Corners alone, and edges; Box2D's other point is always there.
    assert counts >= {1, 2} or (policy is ContactPolicy.BOX2D and 2 in counts)


@pytest.mark.parametrize("border", [False, True])
def test_chipmunk_itself_gives_the_same_contacts(border: bool) -> None:
    pymunk = pytest.importorskip("pymunk", reason="Chipmunk is of the extra `engines`")
    rng = np.random.default_rng(45)
    for _ in range(some(200)):
        scene = pair(rng, float(rng.uniform(-0.3, 0.02 if border else -1e-3)), border=border)
        if scene is None or analyse(scene).separation > 0.0:
            continue
        shapes = []
        for one in (scene.a, scene.b):
            holder = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
            holder.position, holder.angle = one.position[:2], one.angle
            sharp, radius = (one.shape.sharp, 0.02) if isinstance(one.shape, Rounded) else (one.shape, 0.0)
            assert isinstance(sharp, Polygon)
            points = [sharp.points[k] for k in sharp.ring]
            made = (
                pymunk.Segment(holder, *points, radius)
                if len(points) == 2
                else pymunk.Poly(holder, points, None, radius)
            )
            made.cache_bb()
            shapes.append(made)
        told = shapes[0].shapes_collide(shapes[1])
        n = np.array(told.normal)
        theirs = [
            (0.5 * (np.array(p.point_a) + p.point_b), float((np.array(p.point_a) - p.point_b) @ n)) for p in told.points
        ]
        found = manifold(scene, ContactPolicy.CHIPMUNK)
        assert len(found.contacts) == len(theirs)
        for contact in found.contacts:
            assert any(
                np.abs(contact.position[:2] - at).max() < 1e-12 and abs(contact.depth - depth) < 1e-12
                for at, depth in theirs
            )


@pytest.mark.parametrize("family", FAMILIES)
def test_no_pair_has_more_than_two_contacts_or_two_of_one_name(family: Family) -> None:
    rng = np.random.default_rng(46)
    for _ in range(some(40)):
        scene = family(rng)
        analysis = analyse(scene)
        for policy in PLANE_RULES:
            for speculative in (0.0, 0.02):
                found = manifold(scene, policy, speculative)
                assert len(found.contacts) <= 2
                assert len({contact.name for contact in found.contacts}) == len(found.contacts)
                assert all(np.isfinite((*contact.position, contact.depth)).all() for contact in found.contacts)
                assert not found.contacts or analysis.separation <= max(analysis.band, speculative)


def test_specks_a_thousandth_apart_meet_at_two_corners_in_box2d() -> None:
    speck = rectangle(1e-170, 1e-170)
    found = manifold(Scene(Body(speck), Body(speck, (1e-3, 0.0, 0.0))), ContactPolicy.BOX2D, 0.02)
    (contact,) = found.contacts
    assert contact.depth == pytest.approx(-1e-3, rel=1e-12)
    wide = manifold(Scene(Body(rectangle(1.0, 1.0)), Body(speck, (0.501, 0.2, 0.0))), ContactPolicy.BOX2D, 0.02)
    assert [contact.depth for contact in wide.contacts] == pytest.approx([-1e-3] * 2, rel=1e-9)


def moved_by(scene: Scene, x: float, y: float) -> Scene:
    """The scene with B moved."""
    at = (scene.b.position[0] + x, scene.b.position[1] + y)
    return scene.with_body(1, Body.in_plane(scene.b.shape, at, scene.b.angle))


@pytest.mark.parametrize("policy", ENGINES)
def test_bodies_exchanged_or_nudged_have_the_same_contacts(policy: ContactPolicy) -> None:
    rng, looked = np.random.default_rng(42), 0
    for _ in range(some(200)):
        scene = pair(rng, float(rng.uniform(-0.3, -0.01)), border=False)
        if scene is None:
            continue
        looked += 1
        found, turned = manifold(scene, policy), manifold(scene.swapped(), policy)
        assert turned.normal == pytest.approx(-found.normal, abs=1e-9)
        rows = [((c.feature_b, c.feature_a), c.position[:2], c.depth) for c in found.contacts]
        same_rows(turned, rows, ordered=False)
        near = manifold(moved_by(scene, *rng.uniform(-1e-12, 1e-12, 2).tolist()), policy)
        assert [c.name for c in near.contacts] == [c.name for c in found.contacts]
        for one, other in zip(near.contacts, found.contacts, strict=True):
            assert one.position == pytest.approx(other.position, abs=1e-9)
            assert one.depth == pytest.approx(other.depth, abs=1e-9)
    assert looked > 20


@pytest.mark.parametrize("policy", ENGINES)
def test_edges_that_just_touch_have_both_ends_of_what_they_share(policy: ContactPolicy) -> None:
    unit = rectangle(1.0, 1.0)
    for angle in (0.0, 0.3, 2.0, 4.0):
        c, s = math.cos(angle), math.sin(angle)
        for gap in (-1e-13, 0.0, 1e-13):
            x, y = 0.3, 1.0 + gap
            scene = Scene(Body.in_plane(unit, angle=angle), Body.in_plane(unit, (c * x - s * y, s * x + c * y), angle))
            found = manifold(scene, policy)
            assert [contact.depth for contact in found.contacts] == pytest.approx([0.0, 0.0], abs=1e-12)
            assert not any(contact.gap for contact in found.contacts)
            ends = sorted(float(contact.position[0] * c + contact.position[1] * s) for contact in found.contacts)
            assert ends == pytest.approx([-0.2, 0.5], abs=1e-9)


CORNERED = Scene(Body(rectangle(1.0, 1.0)), Body(rectangle(1.0, 1.0), (1.0, 1.0, 0.0)))
"""Two squares that share one corner."""
NONE_LEFT = (ContactPolicy.BOX2D_2, ContactPolicy.DYN4J)
"""Those that want two points of the incident edge behind each line."""


@pytest.mark.parametrize("policy", ENGINES)
def test_where_two_corners_meet_one_point_is_told_twice_or_not_at_all(policy: ContactPolicy) -> None:
    found = manifold(CORNERED, policy)
    assert len(found.contacts) == (0 if policy in NONE_LEFT else 2)
    assert len({contact.name for contact in found.contacts}) == len(found.contacts)
    for contact in found.contacts:
        assert contact.position[:2].tolist() == pytest.approx([0.5, 0.5], abs=1e-12)
        assert contact.depth == pytest.approx(0.0, abs=1e-12)
    # A hundredth deeper each way the edges share a hundredth.
    deeper = manifold(moved_by(CORNERED, -0.01, -0.01), policy)
    assert [contact.depth for contact in deeper.contacts] == pytest.approx([0.01, 0.01], abs=1e-12)


@pytest.mark.parametrize("policy", ENGINES)
def test_a_circle_has_one_contact_the_answers(policy: ContactPolicy) -> None:
    rng = np.random.default_rng(43)
    for _ in range(some(100)):
        scene = Scene(body(rng, polygon(rng), 0.5), body(rng, Circle(float(rng.uniform(0.1, 1.0))), 0.5))
        analysis = analyse(scene if rng.random() < 0.5 else scene.swapped())
        found = manifold(analysis.scene, policy)
        if analysis.separation > analysis.band:
            assert not found.contacts
            continue
        (contact,) = found.contacts
        assert contact.depth == pytest.approx(-analysis.separation, abs=1e-12)
        assert contact.position == pytest.approx(0.5 * (analysis.witness_a + analysis.witness_b), abs=1e-12)
        assert found.normal == pytest.approx(analysis.normal, abs=1e-12)


@pytest.mark.parametrize("policy", ENGINES)
def test_the_steps_end_with_the_contacts(policy: ContactPolicy) -> None:
    rng = np.random.default_rng(44)
    for _ in range(some(60)):
        scene = pair(rng, float(rng.uniform(-0.3, -0.01)), border=False)
        if scene is None:
            continue
        steps = contact_steps(analyse(scene), AlgorithmSettings(preference=policy))
        assert steps is not None
        trace = record(steps)
        kinds = [type(step) for step in trace.steps]
        if policy is ContactPolicy.CHIPMUNK:
            assert kinds == [FeaturesStep, EndsStep]
        elif trace.result.contacts:
            assert kinds == [FeaturesStep, ClipStep, ClipStep, DepthStep]
        last = trace.steps[-1]
        if isinstance(last, DepthStep | EndsStep):
            kept = [k for k, stays in enumerate(last.kept) if stays]
            assert [c.name for c in trace.result.contacts] == ["|".join(last.names[k]) for k in kept]
            assert [c.depth for c in trace.result.contacts] == [float(last.depths[k]) for k in kept]
        if isinstance(last, EndsStep):
            middles = 0.5 * (last.points_a + last.points_b)
            for contact, k in zip(trace.result.contacts, kept, strict=True):
                assert contact.position == pytest.approx(middles[k], abs=1e-12)


def test_a_policy_refuses_bodies_that_its_engine_does_not_have() -> None:
    box = Box((1.0, 1.0, 1.0))
    flat, solid = (Scene(Body(shape), Body(shape, (0.2, 0.3, 0.0))) for shape in (SQUARE, box))
    for scene, own in ((flat, POLICIES[2]), (solid, POLICIES[3])):
        for policy in ContactPolicy:
            told = refusal(policy, scene.a, scene.b)
            assert bool(told) is (policy not in own)
            assert (contacts_by(analyse(scene), AlgorithmSettings(preference=policy)) is None) is bool(told)
    assert refusal(ContactPolicy.JOLT, flat.a, flat.b) == (
        "Jolt makes contacts in space; in the plane the policies are tolerant, narrow, exact, Box2D, Box2D 2.4, dyn4j, "
        "Chipmunk."
    )
    assert refusal(ContactPolicy.DYN4J, solid.a, solid.b) == (
        "dyn4j makes contacts in the plane; in space the policies are tolerant, narrow, exact, Jolt, ODE, FCL, Bullet, "
        "Box3D, MuJoCo."
    )
    border = Body(Rounded(SQUARE, 0.1))
    assert refusal(ContactPolicy.DYN4J, flat.a, border) == "dyn4j has no polygons with a border."
    assert not refusal(ContactPolicy.DYN4J, flat.a, Body(Rounded(Circle(0.5), 0.1)))
    assert not refusal(ContactPolicy.CHIPMUNK, flat.a, border)
