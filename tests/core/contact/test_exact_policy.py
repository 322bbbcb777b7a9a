"""The policy `exact` told anew: which faces face each other, what clipping leaves of them, how each corner is named."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from msgspec import Struct
from msgspec.structs import replace

from core import Body, Box, HalfSpace, Hull, Rounded, Shape
from core.contact.contact import ClipStep, ContactCase, DepthStep, FeaturesStep, ReduceStep
from core.contact.policies.exact import exact_steps, spread_of_four
from core.geometry.quaternion import from_axis_angle, multiply
from core.pair.pair import PairScale
from core.trace import record
from tests.core.contact_oracle import across, hull_polygon, intersection, matrix_of
from tests.core.polyhedra_samples import antiprism, prism, turn


class Solid(Struct, frozen=True, eq=False):
    """A body's vertices (k, 3), world; its faces' normals (f, 3) and loops, its edges, and its border radius."""

    boxed: bool
    vertices: np.ndarray
    normals: np.ndarray
    faces: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, ...], ...]
    border: float

    @staticmethod
    def of(body: Body) -> Solid:
        shape = body.shape
        sharp, border = (shape.sharp, shape.border_radius) if isinstance(shape, Rounded) else (shape, 0.0)
        assert isinstance(sharp, Box | Hull)
        own, turned = sharp.polyhedron, matrix_of(body)
        vertices = own.vertices @ turned.T + np.array(body.position)
        edges = tuple(tuple(edge) for edge in own.edges.tolist())
        return Solid(isinstance(sharp, Box), vertices, own.normals @ turned.T, own.faces, edges, border)

    def corners(self, name: str) -> np.ndarray:
        """The vertices (k, 3) of a feature by its name: of a vertex one, of an edge two, of a face all."""
        if name[0] in "+-":
            return self.vertices[list(self.faces[2 * "xyz".index(name[1]) + (name[0] == "-")])]
        if name.startswith("face"):
            return self.vertices[list(self.faces[int(name[4:])])]
        if name.startswith("edge"):
            return self.vertices[list(self.edges[int(name[4:])])]
        numbers = [int(part[1:]) for part in name.split("-")]
        assert len(numbers) == 1 or tuple(numbers) in {tuple(sorted(edge)) for edge in self.edges}
        return self.vertices[numbers]

    def face_name(self, face: int) -> str:
        return f"{'+-'[face % 2]}{'xyz'[face // 2]}" if self.boxed else f"face{face}"


def at_least(solid: Solid, face: int, point: np.ndarray, sides: np.ndarray) -> int:
    """How many vertices the smallest part of a face has at a point: 1 a vertex, 2 an edge, 3 and more the face."""
    loop = solid.vertices[list(solid.faces[face])] @ sides.T
    w = point @ sides.T
    if np.hypot(*(loop - w).T).min() < 1e-8:
        return 1
    ways = np.roll(loop, -1, axis=0) - loop
    heights = (ways[:, 0] * (w - loop)[:, 1] - ways[:, 1] * (w - loop)[:, 0]) / np.hypot(*ways.T)
    assert np.abs(heights).min() < 1e-8 or (heights > 0.0).all() or (heights < 0.0).all()
    return 2 if np.abs(heights).min() < 1e-8 else len(loop)


def lies_at(corners: np.ndarray, point: np.ndarray, sides: np.ndarray) -> bool:
    """Whether a point lies at a feature with these vertices, seen along the normal."""
    shadow, w = corners @ sides.T, point @ sides.T
    if len(shadow) == 1:
        return bool(np.hypot(*(shadow[0] - w)) < 1e-8)
    way = (shadow[1] - shadow[0]) / np.hypot(*(shadow[1] - shadow[0]))
    off = way[0] * (w - shadow[0])[1] - way[1] * (w - shadow[0])[0]
    return len(shadow) > 2 or bool(abs(off) < 1e-8)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Box((1.0, 1.4, 0.8)), Box((0.7, 1.0, 1.2))),
        (prism(5), Box((1.2, 1.0, 1.6))),
        (antiprism(4), prism(6, 0.7)),
        (Rounded(prism(3), 0.1), Rounded(Box((1.2, 1.0, 1.6)), 0.2)),
    ],
    ids=["boxes", "prism and box", "hulls", "rounded"],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_faces_sides_cut_the_face_most_against_it_and_every_corner_is_named_by_what_meets_there(
    one: Shape, other: Shape, swapped: bool
) -> None:
    rng, cuts_seen = np.random.default_rng(81), 0
    for number in range(12):
        # The first stands on a face of its own, the other on a face that is nearly level.
        first = Body(one, (2.0, -1.0, 0.5), turn(rng))
        solid = Solid.of(first)
        face = int(rng.integers(len(solid.normals)))
        n = solid.normals[face]
        second, way = Body(other, (0.0, 0.0, 0.0), turn(rng)), Solid.of(Body(other))
        under = way.normals[int(rng.integers(len(way.normals)))]
        axis = np.cross(under, -n)
        angle = float(np.arctan2(np.linalg.norm(axis), -under @ n)) - 0.02 * (number % 2)
        second = replace(second, rotation=from_axis_angle(tuple((axis / np.linalg.norm(axis)).tolist()), angle))
        spin = from_axis_angle(tuple(n.tolist()), float(rng.uniform(0.0, 6.0)))
        second = replace(second, rotation=multiply(spin, second.rotation))
        low = (Solid.of(second).vertices @ n).min()
        middle = solid.vertices[list(solid.faces[face])].mean(axis=0)
        height = middle @ n + solid.border + way.border - 0.01 - low
        base = height * n + (middle - (middle @ n) * n) + 0.2 * across(n).T @ rng.normal(size=2)
        second = replace(second, position=tuple(base.tolist()))
        a, b, normal = (second, first, -n) if swapped else (first, second, n)
        recording = record(exact_steps(a, b, normal))
        found = recording.result
        assert found is not None
        solids, band = (Solid.of(a), Solid.of(b)), PairScale.of(a, b).touching_band()
        level = number % 2 == 0
        of_a = found.case is ContactCase.FACE_OF_A
        assert of_a is not swapped or level
        reference, incident = solids if of_a else solids[::-1]
        up = found.normal if of_a else -found.normal
        assert found.normal == pytest.approx(normal, abs=1e-9)
        facing = int((reference.normals @ up).argmax())
        deepest = int((incident.vertices @ up).argmin())
        around = [k for k, loop in enumerate(incident.faces) if deepest in loop]
        against = min(around, key=lambda k: float(incident.normals[k] @ up))
        step, *cuts, last = recording.steps
        assert isinstance(step, FeaturesStep)
        assert isinstance(last, DepthStep)
        names = (reference.face_name(facing), incident.face_name(against))
        assert (step.case, step.feature_a, step.feature_b) == (found.case, *(names if of_a else names[::-1]))
        points = (step.points_a, step.points_b) if of_a else (step.points_b, step.points_a)
        for own, loop in ((points[0], reference.corners(names[0])), (points[1], incident.corners(names[1]))):
            assert own == pytest.approx(loop, abs=1e-12)
        # Each cut leaves what lies behind it, and tells of each corner what meets there.
        sides, before = across(up), points[1]
        assert len(cuts) == len(reference.faces[facing])
        for cut, (p, q) in zip(cuts, pairwise([*points[0], points[0][0]]), strict=True):
            assert isinstance(cut, ClipStep)
            assert np.array(sorted(reference.corners(cut.side).tolist())) == pytest.approx(
                np.array(sorted([p.tolist(), q.tolist()])), abs=1e-12
            )
            outward = np.cross(q - p, up) / np.linalg.norm(q - p)
            assert cut.normal == pytest.approx(outward, abs=1e-9)
            assert cut.offset == pytest.approx(outward @ p, abs=1e-9)
            assert cut.before == pytest.approx(before, abs=0.0)
            assert (cut.after @ outward <= cut.offset + 1e-8).all()
            assert list(cut.cut) == [not any((point == old).all() for old in cut.before) for point in cut.after]
            kept = [old for old in cut.before if old @ outward <= cut.offset - 1e-8]
            assert all(any((old == point).all() for point in cut.after) for old in kept)
            cuts_seen += sum(cut.cut)
            before = cut.after
            for point, pair in zip(cut.after, cut.names, strict=True):
                own = pair if of_a else pair[::-1]
                for solid_, number_, name in ((reference, facing, own[0]), (incident, against, own[1])):
                    assert lies_at(solid_.corners(name), point, sides)
                    if solid_ is incident or cut is cuts[-1]:
                        assert len(solid_.corners(name)) == at_least(solid_, number_, point, sides)
        # What is left are the corners of what both faces share, seen along the reference face's normal.
        shadows = [
            hull_polygon(reference.corners(names[0]) @ sides.T),
            hull_polygon(incident.corners(names[1]) @ sides.T),
        ]
        shared = intersection(*shadows)
        assert len(before) == len(shared)
        assert all(np.hypot(*(shared - point @ sides.T).T).min() < 1e-8 for point in before)
        assert last.points == pytest.approx(before - incident.border * up, abs=1e-12)
        assert last.normal == pytest.approx(up, abs=1e-12)
        assert last.offset == pytest.approx(points[0][0] @ up + reference.border, abs=1e-9)
        assert last.depths == pytest.approx(last.offset - last.points @ up, abs=1e-9)
        assert last.kept == tuple(depth >= -band for depth in last.depths)
        rows = [
            (name, point + 0.5 * depth * up, depth)
            for name, point, depth, keep in zip(last.names, last.points, last.depths, last.kept, strict=True)
            if keep
        ]
        assert [(contact.feature_a, contact.feature_b) for contact in found.contacts] == [name for name, _, _ in rows]
        for contact, (_, at, depth) in zip(found.contacts, rows, strict=True):
            assert contact.position == pytest.approx(at, abs=1e-12)
            assert contact.depth == depth
            assert contact.gap is bool(depth < -band)
        if level:
            assert [contact.depth for contact in found.contacts] == pytest.approx([0.01] * len(before), abs=1e-9)
        whole = record(exact_steps(a, b, normal, reduce=True))
        assert whole.result is not None
        if len(rows) > 4:
            final = whole.steps[-1]
            assert isinstance(final, ReduceStep)
            assert len(final.kept) <= 4
            everything = {contact.name for contact in found.contacts}
            assert {contact.name for contact in (*final.kept, *final.dropped)} == everything
            assert len(final.kept) + len(final.dropped) == len(rows)
            for some in (final.kept, final.dropped):
                assert [one.name for one in some] == [
                    it.name for it in found.contacts if it.name in {n.name for n in some}
                ]
            assert final.kept == whole.result.contacts
            assert final.chosen[0].depth == pytest.approx(max(depth for _, _, depth in rows), abs=1e-9)
    assert cuts_seen >= 12


@pytest.mark.parametrize("swapped", [False, True])
def test_on_a_half_space_every_corner_of_the_face_above_it_is_named_with_the_plane(swapped: bool) -> None:
    rng = np.random.default_rng(82)
    ground = Body(HalfSpace((0.0, 1.0, 0.0), 0.25), (3.0, 1.0, -2.0))
    for shape in (prism(5), Rounded(prism(5), 0.1), Box((1.0, 1.5, 1.0))):
        height = 1.25 + 0.75 + (0.1 if isinstance(shape, Rounded) else 0.0)
        above = Body(shape, (0.5, height - 0.01, 4.0), from_axis_angle((0.0, 1.0, 0.0), float(rng.uniform(0.0, 6.0))))
        a, b, normal = (above, ground, (0.0, -1.0, 0.0)) if swapped else (ground, above, (0.0, 1.0, 0.0))
        found = record(exact_steps(a, b, np.array(normal))).result
        assert found is not None
        assert found.case is (ContactCase.FACE_OF_B if swapped else ContactCase.FACE_OF_A)
        solid = Solid.of(above)
        low = np.flatnonzero(solid.vertices[:, 1] < 2.0)
        rows = {contact.feature_a if swapped else contact.feature_b: contact for contact in found.contacts}
        assert {contact.feature_b if swapped else contact.feature_a for contact in found.contacts} == {"plane"}
        assert rows.keys() == {f"v{k}" for k in low}
        for k in low:
            x, _, z = solid.vertices[k]
            assert rows[f"v{k}"].position == pytest.approx((x, 1.245, z), abs=1e-9)
            assert rows[f"v{k}"].depth == pytest.approx(0.01, abs=1e-9)


@pytest.mark.parametrize(
    "shift", [(0.0, 0.0), (0.25, 0.0), (0.0, -0.25), (0.25, 0.5), (1.0, 0.25), (1.0, 1.0), (-0.5, 1.0)]
)
@pytest.mark.parametrize(
    "other", [Box((1.0, 1.0, 1.0)), Box((0.5, 1.0, 0.5)), Hull.of(Box((0.5, 1.0, 1.0)).polyhedron.vertices)]
)
def test_where_corners_and_sides_lie_over_each_other_each_contact_is_named_by_the_smallest_of_both(
    shift: tuple[float, float], other: Shape
) -> None:
    """And the same whichever body is A, whose face is the reference of two that are as level."""
    bodies = Body(Box((1.0, 1.0, 1.0))), Body(other, (shift[0], 0.99, shift[1]))
    told = []
    for a, b, normal in ((*bodies, (0.0, 1.0, 0.0)), (*bodies[::-1], (0.0, -1.0, 0.0))):
        found = record(exact_steps(a, b, np.array(normal))).result
        assert found is not None
        assert found.case is ContactCase.FACE_OF_A
        for contact in found.contacts:
            for body, name, way in ((a, contact.feature_a, 1.0), (b, contact.feature_b, -1.0)):
                solid = Solid.of(body)
                face = int((solid.normals @ normal * way).argmax())
                sides = np.array(((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
                assert lies_at(solid.corners(name), contact.position, sides)
                assert len(solid.corners(name)) == at_least(solid, face, contact.position, sides)
        pairs = {(contact.feature_a, contact.feature_b) for contact in found.contacts}
        assert len(pairs) == len(found.contacts)
        told.append(pairs if a is bodies[0] else {pair[::-1] for pair in pairs})
    assert told[0] == told[1]


@pytest.mark.parametrize(("gap", "count"), [(0.0, 4), (0.1, 4), (0.2, 0)])
def test_up_to_the_speculative_distance_there_are_contacts_which_are_gaps(gap: float, count: int) -> None:
    cube = Box((1.0, 1.0, 1.0))
    up = np.array((0.0, 1.0, 0.0))
    for speculative in (gap - 1e-6, gap + 1e-6, 0.15):
        found = record(exact_steps(Body(cube), Body(cube, (0.25, 1.0 + gap, 0.25)), up, speculative=speculative)).result
        assert found is not None
        assert len(found.contacts) == (4 if gap <= max(speculative, 0.0) + 1e-10 else 0)
        assert all(contact.gap is (gap > 0.0) for contact in found.contacts)
        assert [contact.depth for contact in found.contacts] == pytest.approx([-gap] * len(found.contacts))
    assert count == len(found.contacts)


@pytest.mark.parametrize("seed", range(6))
def test_four_of_many_are_the_deepest_the_farthest_and_the_widest_on_either_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    normal = np.array(((0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (0.6, 0.8, 0.0))[seed % 3])
    spots, depths = rng.normal(size=(9, 3)), rng.uniform(size=9)
    flat = spots @ across(normal).T
    first = int(depths.argmax())
    second = int(np.hypot(*(flat - flat[first]).T).argmax())
    way = flat[second] - flat[first]
    areas = way[0] * (flat - flat[first])[:, 1] - way[1] * (flat - flat[first])[:, 0]
    chosen = spread_of_four(spots, depths, normal)
    assert chosen[:2] == (first, second)
    assert set(chosen) == {first, second, int(areas.argmax()), int(areas.argmin())}
    # Of equal ones the first, and twice the same is kept once.
    square = np.array(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0), (0.5, 0.0, 0.5)))
    assert spread_of_four(square, np.full(5, 0.1), np.array((0.0, 1.0, 0.0)))[:2] == (0, 2)
    assert sorted(spread_of_four(square, np.full(5, 0.1), np.array((0.0, 1.0, 0.0)))) == [0, 1, 2, 3]
    line = square[:1] + np.arange(5.0)[:, None] * np.array((1.0, 0.0, 0.0))
    assert spread_of_four(line, np.array((0.0, 0.0, 0.0, 0.0, 1.0)), np.array((0.0, 1.0, 0.0))) == (4, 0)
