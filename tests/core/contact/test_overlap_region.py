"""The contact manifold against its definition: where, how deep, how many, and what moves it and what must not.

By polygons clipped side by side and by each surface's own formula (`contact_oracle`). `tests/bench` has longer runs.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Scene, Shape, Sphere, collide
from core.analysis.analysis import LIMITED, analyse
from core.closed_form import Proximity
from core.contact.contact import ContactCase, ContactSettings, Manifold
from core.contact.manifold import has_manifold, manifold
from core.geometry.quaternion import IDENTITY, from_axis_angle, multiply, normalized
from core.geometry.vector import Array
from core.shapes import Rounded
from tests.core.contact_oracle import (
    across,
    area,
    contact_area,
    faces_overlap,
    hull_polygon,
    intersection,
    off_surface,
    vertices_of,
)
from tests.counting import calls
from tests.selection import some
from tests.strategies import carried, random_rotation

CUBE = Box((1.0, 1.0, 1.0))
UP = np.array((0.0, 1.0, 0.0))
GROUND = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))


def answer(a: Body, b: Body) -> Proximity:
    return analyse(Scene(a, b), LIMITED).proximity


def contacts(a: Body, b: Body, **settings: float) -> Manifold:
    return manifold(a, b, answer(a, b), ContactSettings(**settings))


def moved(body: Body, by: Array) -> Body:
    x, y, z = (np.array(body.position) + by).tolist()
    return replace(body, position=(x, y, z))


def overlapping(a: Body, b: Body, depth: float) -> Body:
    """B moved along the normal until the bodies overlap by `depth`."""
    found = answer(a, b)
    return moved(b, -(found.separation + depth) * found.normal)


def positions(found: Manifold) -> Array:
    return np.array([contact.position for contact in found.contacts])


def depths(found: Manifold) -> list[float]:
    return [contact.depth for contact in found.contacts]


def names(found: Manifold) -> list[str]:
    return sorted(contact.name for contact in found.contacts)


def turned(axis: tuple[float, float, float], angle: float, after: tuple = IDENTITY) -> tuple:
    return normalized(multiply(from_axis_angle(axis, angle), after))


def off_both(a: Body, b: Body, found: Manifold) -> float:
    """How far the two ends of the worst needle are from the two surfaces."""
    return max(
        abs(off_surface(body, contact.position + side * contact.depth * found.normal))
        for contact in found.contacts
        for body, side in ((a, 0.5), (b, -0.5))
    )


# ---- tilt and noise ----

TILTS = (1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4)


@pytest.mark.parametrize("depth", [1e-3, 1e-2])
def test_a_tilt_changes_neither_count_nor_area(depth: float) -> None:
    rng = np.random.default_rng(61)
    for _ in range(6):
        yaw = from_axis_angle((0.0, 1.0, 0.0), float(rng.choice((0.0, rng.uniform(0.0, 3.0)))))
        way, (x, z) = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(-0.6, 0.6, 2)
        counts = []
        for tilt in (0.0, *TILTS):
            rotation = turned((float(np.cos(way)), 0.0, float(np.sin(way))), tilt, yaw)
            a, b = Body(CUBE), Body(CUBE, (float(x), 1.0, float(z)), rotation)
            b = overlapping(a, b, depth)
            found = contacts(a, b)
            counts.append(len(found.contacts))
            assert contact_area(positions(found), found.normal) >= 0.999 * faces_overlap(a, b, found.normal, 0.1)
        assert len(set(counts)) == 1


def test_of_two_faces_the_more_level_one_is_the_reference_and_of_equally_level_ones_that_of_a() -> None:
    """Boxes on each other under random turns of both together, which leave rounding between their faces' angles."""
    rng = np.random.default_rng(12)
    for _ in range(20):
        spin = from_axis_angle((0.0, 1.0, 0.0), float(rng.uniform(0.0, np.pi)))
        for tilt, cases in (
            (0.0, (ContactCase.FACE_OF_A, ContactCase.FACE_OF_A)),
            # The lower box is the larger, so that its face has the normal, whichever of them is A.
            (1e-3, (ContactCase.FACE_OF_A, ContactCase.FACE_OF_B)),
        ):
            lower = Body(Box((4.0, 1.0, 4.0)))
            upper = Body(CUBE, (0.0, 1.0, 0.0), multiply(from_axis_angle((1.0, 0.0, 0.0), tilt), spin))
            level = carried(Scene(lower, upper), random_rotation(rng), rng.normal(size=3))
            a, b = level.a, overlapping(level.a, level.b, 1e-4)
            assert (contacts(a, b).case, contacts(b, a).case) == cases


def test_half_a_degree_is_flat_where_the_overlap_is_deeper() -> None:
    rng = np.random.default_rng(62)
    for _ in range(20):
        way, (x, z) = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(-0.2, 0.2, 2)
        b = Body(Box((0.5, 0.5, 0.5)), (float(x), 0.75, float(z)), turned((np.cos(way), 0.0, np.sin(way)), 1e-2))
        b = overlapping(Body(CUBE), b, 1e-2)
        found = contacts(Body(CUBE), b)
        assert len(found.contacts) == 4
        assert contact_area(positions(found), found.normal) >= 0.99 * faces_overlap(Body(CUBE), b, found.normal, 0.1)


def grid_cube(count: int) -> np.ndarray:
    steps = np.linspace(-0.5, 0.5, count)
    points = np.array(list(product(steps, repeat=3)))
    return points[(np.abs(points) == 0.5).any(axis=1)]


def prism(sides: int) -> np.ndarray:
    turns = 2.0 * np.pi * np.arange(sides) / sides
    return np.array([(0.6 * np.cos(t), y, 0.6 * np.sin(t)) for y in (-0.5, 0.5) for t in turns])


@pytest.mark.parametrize("points", [grid_cube(3), grid_cube(7), prism(12)], ids=["3x3x3", "7x7x7", "prism"])
@pytest.mark.parametrize("noise", [0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6, "single"])
@pytest.mark.sampled(3, "random")
def test_noise_of_a_mesh_costs_no_area(points: np.ndarray, noise: float | str) -> None:
    rng = np.random.default_rng(63)
    b_turn, a = from_axis_angle((0.0, 1.0, 0.0), 0.4), Body(Box((1.0, 0.4, 1.0)))
    clean = Body(Hull.of(points), (0.2, 0.65, 0.1), b_turn)
    few = len(contacts(a, overlapping(a, clean, 1e-3)).contacts)
    for _ in range(2):
        spun = from_axis_angle(tuple(rng.normal(size=3)), 1.0)
        if noise == "single":
            # A mesh turned and rounded to single precision, turned back by the body.
            matrix = Body(CUBE, rotation=spun).pose.matrix
            mesh = Hull.of((points @ matrix.T).astype(np.float32).astype(float))
            back = (spun[0], -spun[1], -spun[2], -spun[3])
            b = Body(mesh, (0.2, 0.65, 0.1), normalized(multiply(b_turn, back)))
        else:
            b = Body(Hull.of(points + float(noise) * rng.normal(size=points.shape)), (0.2, 0.65, 0.1), b_turn)
        b = overlapping(a, b, 1e-3)
        found = contacts(a, b)
        shadows = [hull_polygon(v @ across(found.normal).T) for v in (vertices_of(a), vertices_of(b))]
        assert contact_area(positions(found), found.normal) >= 0.999 * area(intersection(*shadows))
        assert len(found.contacts) <= few + 10
        assert off_both(a, b, found) <= 2e-6


# ---- every pair ----


def random_shape(rng: np.random.Generator, k: int) -> Shape:
    def r() -> float:
        return float(10.0 ** -rng.uniform(0.0, 0.8))

    makers = (
        lambda: Box((r(), r(), r())),
        lambda: Sphere(r() / 2),
        lambda: Capsule(r() / 3, r()),
        lambda: Cylinder(r() / 2, r()),
        lambda: Cone(r() / 2, r()),
        lambda: Ellipsoid((r() / 2, r() / 2, r() / 2)),
        lambda: Hull.of(0.5 * r() * rng.normal(size=(int(rng.integers(4, 30)), 3))),
        lambda: HalfSpace((float(rng.normal()), 1.0, float(rng.normal())), 0.1),
        lambda: Rounded(Box((r(), r(), r())), 0.1 * r()),
        lambda: Rounded(Cylinder(r() / 2, r()), 0.1 * r()),
    )
    return makers[k]()


def random_turn(rng: np.random.Generator) -> tuple:
    """The identity, nearly a quarter turn, or any."""
    match rng.integers(4):
        case 0:
            return IDENTITY
        case 1:
            axis = tuple(np.eye(3)[rng.integers(3)].tolist())
            return from_axis_angle(axis, np.pi / 2 * rng.integers(4) + 10.0 ** -rng.uniform(1.0, 16.0))
        case _:
            return normalized(tuple(rng.normal(size=4).tolist()))


def random_pair(rng: np.random.Generator) -> tuple[Body, Body, float] | None:
    """Two bodies that overlap, and L; None for two half-spaces."""
    kinds = rng.integers(10, size=2)
    a, b = (Body(random_shape(rng, int(k)), rotation=random_turn(rng)) for k in kinds)
    b = moved(b, 0.3 * rng.normal(size=3))
    if not has_manifold(a, b):
        return None
    if answer(a, b).separation > 0.0:
        b = overlapping(a, b, 10.0 ** -rng.uniform(1.0, 8.0))
    if answer(a, b).separation > 0.0:
        return None
    return a, b, max(body.shape.bounding_radius for body in (a, b) if body.shape.plane is None)


def test_every_pair_has_contacts_on_both_surfaces_and_as_deep_as_it_is() -> None:
    rng, tried = np.random.default_rng(64), 0
    for _ in range(some(320)):
        pair = random_pair(rng)
        if pair is None:
            continue
        a, b, size = pair
        gap = analyse(Scene(a, b), LIMITED).certainty.gap
        found, tried = contacts(a, b), tried + 1
        assert max(depths(found)) == pytest.approx(-answer(a, b).separation, abs=1e-6 * size)
        assert len(set(names(found))) == len(found.contacts) <= 33
        assert off_both(a, b, found) <= 2e-6 * size + gap
        assert found.flatness is not None
        assert found.flatness.gaps == sum(contact.gap for contact in found.contacts)
        assert all(contact.depth < 0.0 for contact in found.contacts if contact.gap)
        assert min(depths(found)) >= -found.flatness.delta * (1.0 + 2e-6) - 1e-9 * size
    assert tried > some(300)


def test_swapping_the_bodies_swaps_the_names_and_nothing_else() -> None:
    rng = np.random.default_rng(65)
    for _ in range(some(150)):
        pair = random_pair(rng)
        if pair is None:
            continue
        a, b, size = pair
        found = answer(a, b)
        offset = np.subtract(b.position, a.position)
        back = Proximity(found.separation, -found.normal, found.witness_b - offset, found.witness_a - offset)
        there, here = manifold(a, b, found), manifold(b, a, back)
        at = {f"{contact.feature_b}|{contact.feature_a}": contact for contact in here.contacts}
        assert set(at) == {contact.name for contact in there.contacts}
        for contact in there.contacts:
            assert at[contact.name].position == pytest.approx(contact.position, abs=1e-13 * size)
            assert at[contact.name].depth == pytest.approx(contact.depth, abs=1e-13 * size)


def test_bodies_apart_have_none_and_two_half_spaces_never() -> None:
    apart = Body(CUBE, (0.0, 1.01, 0.0))
    assert contacts(Body(CUBE), apart).contacts == ()
    assert contacts(Body(CUBE), Body(CUBE, (0.0, 1.0, 0.0))).contacts
    assert not has_manifold(GROUND, GROUND)
    assert has_manifold(GROUND, Body(Ellipsoid((1.0, 2.0, 3.0))))


# ---- discs ----

DISC = Cylinder(0.5, 1.0)


@pytest.mark.parametrize("spin", [0.0, 0.3, 2.0])
@pytest.mark.parametrize(
    ("a", "most"),
    [
        (GROUND, 8),
        (Body(Box((4.0, 1.0, 4.0)), (0.0, -0.5, 0.0)), 8),
        (Body(Box((1.0, 1.0, 1.0)), (-0.2, -0.5, -0.1)), 13),
        (Body(Box((0.7, 1.0, 0.9)), (0.1, -0.5, 0.0)), 13),
        (Body(Cylinder(0.6, 1.0), (0.3, -0.5, 0.2)), 13),
        (Body(DISC, (0.0, -0.5, 0.0)), 13),
        (Body(Hull.of(prism(7)), (0.1, -0.5, 0.0)), 22),
    ],
)
@pytest.mark.sampled(3, "random")
def test_a_disc_keeps_its_area_and_forgets_its_turn(a: Body, most: int, spin: float) -> None:
    b = Body(DISC, (0.0, 0.49, 0.0))
    still, found = contacts(a, b), contacts(a, replace(b, rotation=from_axis_angle((0.0, 1.0, 0.0), spin)))
    assert 3 <= len(found.contacts) <= most
    assert depths(found) == pytest.approx([0.01] * len(found.contacts))
    turns = 2.0 * np.pi * np.arange(400) / 400
    round_one = 0.5 * np.stack((np.cos(turns), np.zeros(400), np.sin(turns)), axis=1)
    u = across(found.normal).T
    true = hull_polygon(round_one @ u)
    if isinstance(a.shape, Cylinder):
        other = 2.0 * a.shape.radius * round_one + (a.position[0], 0.0, a.position[2])
        true = intersection(true, hull_polygon(other @ u))
    elif a.shape.plane is None:
        true = intersection(true, hull_polygon(vertices_of(a) @ u))
    assert contact_area(positions(found), found.normal) >= 0.88 * area(true)
    there, here = ({contact.name: contact.position for contact in it.contacts} for it in (still, found))
    assert there.keys() == here.keys()
    assert all(here[name] == pytest.approx(place, abs=1e-5) for name, place in there.items())


def test_a_tilted_disc_is_cut_by_the_level() -> None:
    b = overlapping(GROUND, Body(DISC, (0.0, 0.5, 0.0), from_axis_angle((0.0, 0.0, 1.0), 0.01)), 2e-3)
    found = contacts(GROUND, b)
    # Half of the disc's 0.01 of rise is 2.5 times the overlap and δ: contacts at the level, with negative depth.
    assert min(depths(found)) == pytest.approx(-5e-4, rel=1e-5)
    assert max(depths(found)) == pytest.approx(2e-3)
    assert sum("level" in name for name in names(found)) == 2
    assert off_both(GROUND, b, found) <= 1e-9


@pytest.mark.parametrize("tilt", [0.0, 1e-9, 1e-3, 0.05])
@pytest.mark.parametrize("lying", [True, False])
def test_flat_cones(tilt: float, lying: bool) -> None:
    """Apex up their side is within α all round: the base where it lies on it, the apex and a level about it else."""
    cone = Body(Cone(0.5, 0.01), rotation=from_axis_angle((0.0, 0.0, 1.0), tilt + (np.pi if lying else 0.0)))
    cone = overlapping(GROUND, moved(cone, UP), 1e-3)
    found = contacts(GROUND, cone)
    assert max(depths(found)) == pytest.approx(1e-3, abs=1e-9)
    assert off_both(GROUND, cone, found) <= 1e-9
    assert 1 <= len(found.contacts) <= 33


# ---- lines ----


def test_slender_bodies_touch_where_they_are() -> None:
    rng, worst = np.random.default_rng(66), 0.0
    for _ in range(60):
        shapes = []
        for _ in range(2):
            radius, size = 10.0 ** rng.uniform(-3.0, -0.5), rng.uniform(0.5, 3.0)
            shapes.append((Capsule(radius, size), Cylinder(radius, size), Box((radius, size, radius)))[rng.integers(3)])
        angle = float(rng.choice((0.0, 1e-6, 1e-3, 0.03, rng.uniform(0.0, np.pi / 2))))
        flat = from_axis_angle((0.0, 0.0, 1.0), np.pi / 2)
        a = Body(shapes[0], (0.0, 0.0, 0.0), flat)
        b = Body(shapes[1], tuple(rng.uniform(-0.3, 0.3, 3).tolist()), turned((0.0, 1.0, 0.0), angle, flat))
        b = overlapping(a, b, min(1e-3, 0.3 * min(shape.largest_half_extent for shape in shapes)))
        found = contacts(a, b)
        smaller = min(shape.bounding_radius for shape in shapes)
        worst = max(worst, off_both(a, b, found) / smaller)
        assert max(depths(found)) == pytest.approx(-answer(a, b).separation, abs=1e-6 * smaller)
    assert worst <= 2e-6


def test_a_capsule_on_a_box_has_its_two_ends_cast_on_it() -> None:
    for tilt in (0.0, 1e-4, 1e-3):
        b = Body(Capsule(0.2, 1.2), (0.3, 0.69, 0.3), from_axis_angle((0.0, 0.0, 1.0), np.pi / 2 + tilt))
        found = contacts(Body(CUBE), b)
        assert len(found.contacts) == 2
        # Clipped but for the lateral tolerance, a millionth of the capsule's radius.
        assert off_both(Body(CUBE), b, found) <= 1e-6


# ---- many faces, and sizes far apart ----


def dome(count: int) -> Hull:
    """Points of a flat cap of a sphere, and its rim far below."""
    k = np.arange(count)
    high = 1.0 - 0.02 * k / count
    turn = np.pi * (1.0 + 5.0**0.5) * k
    rho = np.sqrt(1.0 - high**2)
    cap = np.stack((rho * np.cos(turn), high, rho * np.sin(turn)), axis=1)
    return Hull.of(np.vstack((cap, cap[-40:] * (1.0, 0.2, 1.0))))


def ball(count: int) -> Hull:
    """Points spread over a sphere, as of a fine mesh."""
    k = np.arange(count) + 0.5
    high, turn = 1.0 - 2.0 * k / count, np.pi * (1.0 + 5.0**0.5) * k
    rho = np.sqrt(1.0 - high**2)
    return Hull.of(np.stack((rho * np.cos(turn), high, rho * np.sin(turn)), axis=1))


@pytest.mark.parametrize(
    ("shape", "other", "rim"),
    [
        (dome(500), None, 500),
        (dome(2500), None, 2500),
        (ball(500), None, 0),
        (ball(2500), ball(2500), 0),
        (Hull.of(prism(500)), None, 500),
        (Hull.of(prism(500)), Hull.of(prism(500)), 1000),
    ],
    ids=["dome500", "dome2500", "ball500", "balls", "500-gon", "500-gons"],
)
@pytest.mark.sampled(2, "random")
def test_many_faces_cost_what_their_patch_does(shape: Hull, other: Hull | None, rim: int) -> None:
    """`rim`: how many corners the touching faces have, at the most."""
    below = Body(Box((4.0, 1.0, 4.0)), (0.0, -0.5, 0.0)) if other is None else Body(other)
    above = Body(shape, (0.1, 2.2, 0.05), from_axis_angle((1.0, 0.0, 0.0), np.pi if other is None else 0.2))
    if other is not None and len(shape.points) == 1000:
        above = Body(shape, (0.1, 0.99, 0.05), from_axis_angle((0.0, 1.0, 0.0), 0.003))
    found = answer(below, above)
    above = moved(above, -(found.separation + 1e-3) * found.normal)
    found = answer(below, above)
    made = manifold(below, above, found)
    assert calls(lambda: manifold(below, above, found)) <= 10_000 + 50 * rim
    assert made.flatness is not None
    assert len(made.contacts) <= 33
    assert max(depths(made)) == pytest.approx(-found.separation, abs=1e-6)
    if len(shape.points) == 1000:
        shadows = [hull_polygon(vertices_of(body) @ across(made.normal).T) for body in (below, above)]
        assert contact_area(positions(made), made.normal) >= 0.98 * area(intersection(*shadows))
        assert made.flatness.dropped > 0


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9, 1e12])
def test_a_small_body_on_a_large_one(ratio: float) -> None:
    ground, size = Body(Box((ratio, ratio, ratio)), (0.0, -0.5 * ratio, 0.0)), 1.0
    b = Body(Box((size, size, size)), (0.25, 0.5, 0.125), from_axis_angle((0.0, 1.0, 0.0), 0.3))
    found = contacts(ground, b)
    assert len(found.contacts) == 4
    assert contact_area(positions(found), found.normal) == pytest.approx(1.0, rel=1e-3)


def test_the_deepest_point_is_no_second_contact_beside_a_corner_on_a_steep_wall() -> None:
    # An end of the triangle's edge lies on the box's wall, which falls 11 to 1 along the normal: the lateral tolerance
    # beside it is 2e-5 of depth.
    corners = ((-1.0, -1.0, 0.0), (1.2, -0.8, 0.3), (0.0, 1.3, 0.2))
    scene = Scene(Body(Box((2.0, 1.0, 2.0))), Body(Hull(corners), (0.3, 0.4, 0.5)))
    for pair in (scene, scene.swapped()):
        found = collide(pair)
        assert [round(contact.depth, 6) for contact in found.contacts] == [0.402828, 0.489457]
        assert max(contact.depth for contact in found.contacts) == pytest.approx(found.depth, abs=1e-12)


@pytest.mark.parametrize("radius", [1e9, 1e12])
def test_a_vast_short_capsule_is_no_endless_cylinder(radius: float) -> None:
    """Tilted by 0.1°, an endless cylinder is 1.6e-6 r higher than its ball over where the line through an end runs."""
    tilted = normalized((0.7064778394038639, 5.1847399635471864e-05, 0.0005667235994031186, 0.7077349352458571))
    capsule = Body(Capsule(radius, 3.7e-12 * radius), (0.0, radius, 0.0), tilted)
    sunk = overlapping(Body(CUBE), capsule, 0.1 * radius)
    found, near = contacts(Body(CUBE), sunk), answer(Body(CUBE), sunk)
    assert max(depths(found)) == pytest.approx(-near.separation, abs=1e-9 * radius)


@pytest.mark.parametrize("thickness", [1e-4, 1e-3, 0.02])
@pytest.mark.parametrize("lower", [True, False])
def test_a_thin_plate_has_no_contacts_as_far_off_as_it_is_thick(thickness: float, lower: bool) -> None:
    """Tilted so that its far edge is as high above the floor as the plate is thick: the near one alone touches."""
    floor = Body(Box((6.0, 6.0, 1.0)), (0.0, 0.0, -0.5))
    tilt = from_axis_angle((0.0, 1.0, 0.0), -0.5 * thickness)
    plate = Body(Box((2.0, 2.0, thickness)), rotation=tilt)
    lowest = float(plate.shape.reach(plate.pose.direction_to_local(np.array((0.0, 0.0, -1.0)))))
    plate = replace(plate, position=(0.0, 0.0, lowest - 1e-7))
    found = collide(Scene(plate, floor) if lower else Scene(floor, plate)).contacts
    depths = [contact.depth for contact in found]
    assert min(depths) >= -0.1001 * 2.0 * lowest
    assert max(depths) == pytest.approx(1e-7, rel=1e-6)
    assert max(abs(contact.position[0]) for contact in found) > 0.9
    # Nothing of its far half: that is higher above the floor.
    assert len({contact.position[0] > 0.0 for contact in found}) == 1
