"""Contacts stay which they are where A and B are exchanged, and where rounding moves bodies or the points of a mesh.

And the deepest has the depth of the answer, by as much as that is told to be good to.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, HalfSpace, Hull, Scene, Shape
from core.analysis.analysis import LIMITED, analyse
from core.analysis.methods import Headline
from core.contact.contact import Manifold
from core.contact.manifold import manifold
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.tolerances import EXACT
from core.geometry.vector import Array
from core.pair.pair import PairScale
from core.shapes import Rounded, sharp_of, with_border
from tests.bench.corpus import posed
from tests.core.contact.test_overlap_region import off_both, random_pair

NUDGE = 1e-13
SAME = 1e-9
"""How far contacts may move with a nudge, in units of the smaller bounding radius."""


def answer(a: Body, b: Body) -> Headline:
    return analyse(Scene(a, b), LIMITED).answer


def made(a: Body, b: Body) -> Manifold:
    return manifold(a, b, answer(a, b).proximity)


def radius(a: Body, b: Body) -> float:
    return min(body.shape.bounding_radius for body in (a, b))


def nudged(body: Body, rng: np.random.Generator) -> Body:
    """The body moved by up to NUDGE along each axis, and each point of a hull as well."""
    if body.shape.plane is not None:
        return body
    x, y, z = (np.array(body.position) + NUDGE * rng.uniform(-1.0, 1.0, 3)).tolist()
    sharp, border = sharp_of(body.shape)
    if isinstance(sharp, Hull):
        points = np.array(sharp.points)
        sharp = Hull.of(points + NUDGE * rng.uniform(-1.0, 1.0, points.shape))
    return Body(with_border(sharp, border), (x, y, z), body.rotation)


def off(first: Manifold, second: Manifold) -> float:
    """How far the contacts of the one are from the nearest of the other, in place and in depth; inf of two counts."""
    if len(first.contacts) != len(second.contacts):
        return float("inf")
    rows = [np.array([(*contact.position, contact.depth) for contact in it.contacts]) for it in (first, second)]
    apart = np.linalg.norm(rows[0][:, None] - rows[1], axis=2)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


# ---- two scenes, which lost their contacts ----


def patch_of_gaps() -> Scene:
    """A prism on the edge of a box with a border: of its patch all corners are at the level."""
    loop = (
        (-0.13707959115317556, 0.38467373037567576),
        (-0.28890274958215506, 0.3264697977174569),
        (-0.33987044115741455, 0.2933809354160172),
        (-0.4212053358923112, 0.215534409341388),
        (-0.24315270945052775, -0.34951555949284296),
        (-0.19514612548244575, -0.3682764089836346),
        (-0.008475691097099114, -0.3999425259992653),
        (0.16918922496822933, -0.3764040434678883),
        (0.23878168738240674, -0.35143892171089813),
        (0.25645284512869254, -0.343377984827588),
        (0.30655069196856544, -0.3160016944294761),
        (0.39193482743172764, -0.24837016380692672),
        (0.43864365686773427, -0.191986236656196),
    )
    turn = (-0.600612525831606, -0.2361299364748314, -0.7623472459374757, -0.04831069784340283)
    other = (0.6512578632626368, -0.5952088152122061, -0.21364077679019905, 0.4194607017644761)
    return Scene(
        Body(Rounded(Box((0.7955619518921522, 3.0, 3.0)), 0.05), rotation=turn),
        Body(
            Hull(tuple((x, y, z) for y in (-0.3, 0.3) for x, z in loop)),
            (-1.816632843528476, 0.05936030932658565, 0.9177947585125033),
            other,
        ),
    )


def face_on_a_border() -> Scene:
    """A face of a hull on that of another with a border, with the same."""
    grid = (
        *((0.0, 0.5, -0.5), (0.5, 0.5, 0.0), (-0.5, -0.5, -0.5), (-0.5, 0.0, 0.5), (0.5, 0.0, -0.5), (0.5, -0.5, 0.0)),
        *((0.5, -0.5, 0.5), (0.5, -0.5, -0.5), (0.0, 0.0, -0.5), (-0.5, 0.5, -0.5), (0.0, 0.5, 0.5)),
    )
    points = (
        (0.24256258409803758, 0.07808662150368094, -0.21512834493204203),
        (0.024545695981455964, 0.03750934962101522, -0.20472040891308538),
        (-0.036393626815262904, 0.6465594378597289, -0.15749016788936293),
        (-0.3862692508216836, -0.3494817495872131, 0.36625002896365805),
        (-0.0235348838348526, -0.4950529398198871, -0.19041199218411792),
    )
    turn = (-0.66406191735097, 0.5151602968178594, 0.5414071950007665, 0.022580693259737175)
    other = (0.898980204673897, 0.28638011909467753, -0.325639437907853, -0.06148150511213877)
    place = (-0.13717616883679076, -0.52050582009707, 0.6490583213000134)
    return Scene(Body(Rounded(Hull(grid), 0.05), rotation=turn), Body(Hull(points), place, other))


@pytest.mark.parametrize(("scene", "count"), [(patch_of_gaps(), 5), (face_on_a_border(), 4)], ids=["gaps", "face"])
def test_a_patch_whose_corners_are_all_at_the_level_keeps_them(scene: Scene, count: int) -> None:
    """To rounding they lay beyond it, and went."""
    a, b = scene.a, scene.b
    found, rng = made(a, b), np.random.default_rng(38)
    assert len(found.contacts) == count
    assert off(found, made(b, a)) <= SAME * radius(a, b)
    for _ in range(60):
        assert off(found, made(nudged(a, rng), nudged(b, rng))) <= SAME * radius(a, b)


def sheets(rng: np.random.Generator | None = None) -> tuple[Body, Body]:
    """Two triangles in one plane, their points moved by up to NUDGE each way."""
    loops = (((0.75, -0.2), (0.03, 0.95), (-0.3, -0.2)), ((-0.7, -0.9), (0.85, -0.1), (0.02, 0.8)))
    points = np.array([[(u, v, 0.0) for u, v in loop] for loop in loops])
    if rng is not None:
        points = points + NUDGE * rng.uniform(-1.0, 1.0, points.shape)
    return Body(Hull.of(points[0])), Body(Hull.of(points[1]))


def test_flat_bodies_in_one_plane_touch_where_they_overlap() -> None:
    """A sheet's width, and with it δ, is rounding: of their corners noise left one to four, anywhere."""
    found, rng = made(*sheets()), np.random.default_rng(41)
    for _ in range(30):
        assert off(found, made(*sheets(rng))) <= 1e-11


@pytest.mark.parametrize(
    ("place", "ends"),
    [
        ((1.0, 1.0, 1.0), {(0.5, 0.5, 0.5)}),
        ((1.0, 1.0, 0.3), {(0.5, 0.5, -0.2), (0.5, 0.5, 0.5)}),
        ((0.3, 1.0, 1.0), {(-0.2, 0.5, 0.5), (0.5, 0.5, 0.5)}),
        ((1.0, 0.0, 1.0), {(0.5, -0.5, 0.5), (0.5, 0.5, 0.5)}),
    ],
    ids=["corner", "edges along z", "edges along x", "edges along y"],
)
def test_corners_that_touch_are_told_where_they_are(
    place: tuple[float, float, float], ends: set[tuple[float, float, float]]
) -> None:
    """By up to the lateral tolerance, half of a millionth, they were beside it."""
    cube = Box((1.0, 1.0, 1.0))
    for a, b in ((Body(cube), Body(cube, place)), (Body(cube, place), Body(cube))):
        places = [tuple(contact.position.tolist()) for contact in made(a, b).contacts]
        assert len(places) == len(ends)
        for end in ends:
            assert min(np.linalg.norm(np.subtract(end, it)) for it in places) <= 4e-16


@pytest.mark.parametrize("seed", range(8))
def test_corners_that_touch_anywhere_are_told_where_they_are(seed: int) -> None:
    """Boxes turned alike, and a rim's circle: at the vertices to rounding, and on the edge that it touches."""
    rng = np.random.default_rng((42, seed))
    turn = normalized(tuple(rng.normal(size=4).tolist()))
    half = rng.uniform(0.2, 2.0, (2, 3))
    a = Body(Box(tuple((2.0 * half[0]).tolist())), tuple(rng.normal(size=3).tolist()), turn)
    corner = a.pose.to_world(half[0])
    x, y, z = a.pose.to_world(half[0] + half[1]).tolist()
    (contact,) = made(a, Body(Box(tuple((2.0 * half[1]).tolist())), (x, y, z), turn)).contacts
    assert np.linalg.norm(contact.position - corner) <= 1e-14 * (1.0 + np.linalg.norm(corner))
    x, y, z = a.pose.to_world(np.array((half[0][0] + 0.5, half[0][1] + 0.3, 0.0))).tolist()
    for contact in made(a, Body(Cylinder(0.5, 0.6), (x, y, z), turn)).contacts:
        u, v, _ = a.pose.to_local(contact.position).tolist()
        assert (u, v) == pytest.approx(tuple(half[0][:2].tolist()), abs=1e-13)


# ---- their kind ----


def prism(rng: np.random.Generator) -> Hull:
    """Over a polygon of many sides, or over some of its corners."""
    turns = 2.0 * np.pi * np.arange(count := int(rng.integers(3, 40))) / count
    turns = turns[(np.arange(count) < 3) | (rng.random(count) < rng.choice((0.6, 1.0)))]
    return Hull.of([(0.4 * np.cos(t), y, 0.4 * np.sin(t)) for y in (-0.3, 0.3) for t in turns])


def gridded(rng: np.random.Generator) -> Hull:
    """Over points of a grid: many lie in the same planes."""
    steps = (-0.5, 0.0, 0.5)
    grid = np.array([(x, y, z) for x in steps for y in steps for z in steps])
    while True:
        hull = Hull.of(grid[rng.permutation(27)[: int(rng.integers(6, 15))]])
        if len(hull.polyhedron.faces) > 2:
            return hull


MAKERS: tuple[Callable[[np.random.Generator], Shape], ...] = (
    lambda rng: Box(tuple(rng.choice((0.3, 0.5, 1.0, 3.0), 3).tolist())),
    prism,
    gridded,
    lambda rng: Hull.of(0.3 * rng.normal(size=(int(rng.integers(4, 12)), 3))),
)


def facing(shape: Shape, rng: np.random.Generator) -> Array:
    """The normal of a face, or of an edge, as a unit direction (3,) of the frame."""
    core = shape.core
    assert core is not None
    assert core.solid is not None
    edge = core.solid.edge_faces[int(rng.integers(len(core.solid.edge_faces)))]
    share = float(rng.choice((0.0, rng.random())))
    direction: Array = core.solid.normals[edge[0]] + share * core.solid.normals[edge[1]]
    return direction / np.linalg.norm(direction)


def onto(first: Array, second: Array) -> tuple[float, float, float, float]:
    """The shortest turn that takes one unit direction to another."""
    return normalized((1.0 + 1e-9 + float(first @ second), *np.cross(first, second).tolist()))


def laid(rng: np.random.Generator) -> tuple[Body, Body]:
    """A polyhedron on another or on the ground, face or edge to face or edge but for a tilt, with borders at times."""
    shapes = [MAKERS[k](rng) for k in rng.integers(len(MAKERS), size=2)]
    shapes = [Rounded(shape, float(rng.choice((1e-3, 0.05)))) if rng.random() < 0.5 else shape for shape in shapes]
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    spin = from_axis_angle(tuple(n.tolist()), float(rng.uniform(0.0, 6.0)))
    tilt = from_axis_angle(tuple(rng.normal(size=3).tolist()), float(rng.choice((0.0, 0.0, 1e-12, 1e-3, 0.05, 0.1))))
    a = Body(shapes[0], rotation=onto(facing(shapes[0], rng), n))
    if rng.random() < 0.2:
        a, n = Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), np.array((0.0, 1.0, 0.0))
    b = Body(shapes[1], rotation=normalized(multiply(multiply(tilt, spin), onto(facing(shapes[1], rng), -n))))
    x, y, z = (3.0 * n + 0.2 * np.cross(n, rng.normal(size=3))).tolist()
    b = replace(b, position=(x, y, z))
    found = answer(a, b).proximity
    depth = float(rng.choice((0.0, 1e-9, 1e-4, 1e-2)))
    x, y, z = (np.array(b.position) - (found.separation + depth) * found.normal).tolist()
    return a, replace(b, position=(x, y, z))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.sampled(2, "random")
def test_neither_a_swap_nor_rounding_changes_the_contacts_of_polyhedra(seed: int) -> None:
    """One in seven changed with the points of a mesh: a face that these had split had edges where there are none."""
    rng, tried = np.random.default_rng((38, seed)), 0
    while tried < 20:
        a, b = laid(rng)
        found = answer(a, b)
        if found.proximity.separation > PairScale.of(a, b).touching_band():
            continue
        tried += 1
        contacts = manifold(a, b, found.proximity)
        for again_a, again_b, side in ((b, a, -1.0), *((nudged(a, rng), nudged(b, rng), 1.0) for _ in range(3))):
            again = answer(again_a, again_b)
            # Where the normal jumps between tied axes, so do the contacts.
            if np.linalg.norm(side * again.proximity.normal - found.proximity.normal) <= SAME:
                assert off(contacts, manifold(again_a, again_b, again.proximity)) <= SAME * radius(a, b)


@pytest.mark.parametrize(("spin", "count"), [(0.0, 4), (np.pi / 23, 2)], ids=["on a side", "on an edge"])
@pytest.mark.parametrize("noise", [0.0, 1e-13, 1e-10, 1e-6])
def test_a_level_line_in_a_steep_face_is_no_edge(spin: float, count: int, noise: float) -> None:
    """Noise splits the ends of a prism that lies, and level diagonals of them led to contacts 0.06 above the ground."""
    turns = 2.0 * np.pi * np.arange(23) / 23 + spin
    points = np.array([(x, 0.4 * np.cos(t), 0.4 * np.sin(t)) for x in (-0.3, 0.3) for t in turns])
    for seed in range(6):
        mesh = Hull.of(points + noise * np.random.default_rng(seed).normal(size=points.shape))
        b = Body(mesh, (0.0, float(mesh.reach(np.array((0.0, -1.0, 0.0)))) - 1e-4, 0.0))
        found = made(Body(HalfSpace((0.0, 1.0, 0.0), 0.0)), b)
        assert [contact.depth for contact in found.contacts] == pytest.approx([1e-4] * count, abs=1e-12 + 6.0 * noise)


# ---- the deepest ----


APEX = Scene(
    Body(
        Cone(0.7976175392586234, 1.608922970990875),
        rotation=(-0.888018220024795, 0.42832784815461533, 0.16707250906962487, 0.006758114560414816),
    ),
    Body(
        Cone(0.16607569148048518, 0.6367561759169601),
        (0.3773163136912937, 0.7347537422497055, -0.7297682263679971),
        (-0.8460940963594985, -0.0003955631747541562, 0.053819403837402156, 0.5303094336384796),
    ),
)
"""5.98e-9 deep; a point beside the base's rim was 2e-8 deep, where the base's plane goes on."""


def check_the_deepest(a: Body, b: Body) -> bool:
    """Whether the pair has contacts, of which the deepest has the depth: what the answer is told to be good to.

    No surface is higher than the support along n, so no contact is deeper than n proves; and that is the depth but for
    the answer's gap. Nor is the deepest less deep but for what an exact answer is good to.
    """
    found = answer(a, b)
    scale = PairScale.of(a, b)
    if found.proximity.separation > scale.touching_band():
        return False
    depth = -found.proximity.separation
    deepest = max(contact.depth for contact in manifold(a, b, found.proximity).contacts)
    rounding = EXACT * scale.extent
    assert depth - rounding <= deepest <= depth + found.certainty.gap + rounding
    return True


def test_no_contact_is_deeper_than_the_bodies() -> None:
    assert check_the_deepest(APEX.a, APEX.b)


ROWS = {"coplanar": 0, "single precision": 1, "needles": 3, "flat cones": 5, "rims": 6, "apexes": 7, "triangles": 12}


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.sampled(2, "random")
def test_the_deepest_has_the_depth_of_the_answer(row: str) -> None:
    """By 1e-8 it had not, in one of 700: over the lateral tolerance beside a side, planes went on."""
    tried = 0
    for number in range(60):
        scene = posed(ROWS[row], number).scene
        tried += check_the_deepest(scene.a, scene.b)
    assert tried > 20


def test_the_deepest_has_the_depth_whatever_the_shapes() -> None:
    rng = np.random.default_rng(39)
    for _ in range(150):
        pair = random_pair(rng)
        if pair is not None:
            check_the_deepest(pair[0], pair[1])


def test_a_round_body_in_a_corner_has_the_depth_and_stays_on_the_surfaces() -> None:
    """Cylinders, cones and capsules on flat hulls and slivers, their rims by the lateral tolerance beside an edge."""
    rng, tried = np.random.default_rng(40), 0
    for _ in range(120):
        shape = (Cylinder, Cone, Capsule)[int(rng.integers(3))](
            float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.2, 1))
        )
        flat = Hull.of(rng.normal(size=(int(rng.integers(2, 5)), 3)) * (0.4, 0.4, float(rng.choice((0.0, 1e-11)))))
        turns = [
            from_axis_angle(tuple(rng.normal(size=3).tolist()), float(rng.choice((0.0, 0.02, 2.0)))) for _ in (0, 1)
        ]
        a, b = Body(shape, rotation=turns[0]), Body(flat, tuple((0.3 * rng.normal(size=3)).tolist()), turns[1])
        found = answer(a, b).proximity
        depth = float(rng.choice((1e-12, 1e-6, 1e-2)))
        x, y, z = (np.array(b.position) - (found.separation + depth) * found.normal).tolist()
        b = replace(b, position=(x, y, z))
        if check_the_deepest(a, b):
            tried += 1
            size = max(body.shape.bounding_radius for body in (a, b))
            assert off_both(a, b, made(a, b)) <= 2e-6 * size + answer(a, b).certainty.gap
    assert tried > 80
