"""Contacts from frame to frame: what is born, dies and jumps, counted by hand and in seeded nudges, by policy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.analysis.analysis import analyse, contacts_by
from core.contact.contact import Contact
from core.contact.policies.policy import ContactPolicy
from core.contact.tracking import Change, TrackedFrame, first_frame, next_frame, relative_motion
from core.geometry.quaternion import from_axis_angle, multiply
from core.geometry.vector import vec
from core.scene import Body, Scene
from core.shapes import Box, Circle, Cylinder, HalfSpace, Polygon

CUBE = Box((1.0, 1.0, 1.0))
GROUND = Body(HalfSpace((0.0, 1.0, 0.0), 0.0))
UP = (0.0, 1.0, 0.0)


def made(scene: Scene, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> tuple[Contact, ...]:
    found = contacts_by(analyse(scene), settings)
    assert found is not None
    return found.contacts


def followed(scenes: Iterable[Scene], settings: AlgorithmSettings = DEFAULT_SETTINGS) -> list[Change]:
    """The changes between each scene and the next."""
    changes: list[Change] = []
    frame: TrackedFrame | None = None
    for scene in scenes:
        contacts = made(scene, settings)
        if frame is None:
            frame = first_frame(scene.a, scene.b, contacts)
        else:
            changes.append(next_frame(frame, scene.a, scene.b, contacts))
            frame = changes[-1].frame
    return changes


def counts(changes: Iterable[Change]) -> list[tuple[int, int, int]]:
    """Births, deaths and jumps of each change."""
    return [(len(change.born), len(change.died), len(change.jumped)) for change in changes]


def nudged(seed: int, count: int = 12) -> list[Scene]:
    """A cube on another, turned by 0.3 on it, that a solver leaves a billionth elsewhere and 1e-8 askew each frame."""
    rng = np.random.default_rng(seed)
    scenes = []
    for _ in range(count):
        way = rng.normal(size=3)
        tilt = from_axis_angle(tuple((way / np.linalg.norm(way)).tolist()), 1e-8 * float(rng.normal()))
        x, y, z = (1e-9 * rng.normal(size=3) + (0.1, 0.999, 0.05)).tolist()
        scenes.append(Scene(Body(CUBE), Body(CUBE, (x, y, z), multiply(tilt, from_axis_angle(UP, 0.3)))))
    return scenes


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("preference", [ContactPolicy.TOLERANT, ContactPolicy.NARROW, ContactPolicy.JOLT])
def test_a_resting_box_that_is_nudged_keeps_its_contacts(seed: int, preference: ContactPolicy) -> None:
    changes = followed(nudged(seed), AlgorithmSettings(preference=preference))
    assert counts(changes) == [(0, 0, 0)] * 11
    # The corners' order round the patch may begin elsewhere.
    assert {tuple(sorted(change.frame.ids)) for change in changes} == {(1, 2, 3, 4, 5, 6, 7, 8)}


@pytest.mark.parametrize("seed", [2, 3])
def test_the_exact_policy_flickers_at_the_same_nudges(seed: int) -> None:
    # Half of these poses have one contact of two edges in the place of eight.
    changes = followed(nudged(seed), AlgorithmSettings(preference=ContactPolicy.EXACT))
    sizes = [len(change.frame.contacts) for change in changes]
    assert set(sizes) == {1, 8}
    flips = sum(one != other for one, other in pairwise(sizes))
    assert flips >= 2
    assert sum(len(change.born) + len(change.died) for change in changes) >= 7 * flips


@pytest.mark.parametrize("seed", [2, 3])
def test_four_of_eight_stay_the_same_four(seed: int) -> None:
    changes = followed(nudged(seed), AlgorithmSettings(reduce=True))
    assert counts(changes) == [(0, 0, 0)] * 11
    assert {len(change.frame.ids) for change in changes} == {4}


def rolled(degrees: float) -> Scene:
    """A cube on the ground, turned about its lower edge along z, which is as deep as before at every angle."""
    angle = float(np.radians(degrees))
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    # The edge at (0.5, -0.5) of the cube's frame stays where it is.
    x, y = 0.5 * cos + 0.5 * sin, 0.5 * sin - 0.5 * cos
    return Scene(GROUND, Body(CUBE, (0.5 - x, -1e-4 - y, 0.0), from_axis_angle((0.0, 0.0, 1.0), angle)))


def test_a_box_is_rolled_over_its_edge() -> None:
    scenes = [rolled(degrees) for degrees in (0.0, -2.0, -10.0, -80.0, -88.0, -90.0)]
    # At 2° the face still counts as flat; the two corners that are lifted give way to the two ends of where the
    # clearance is δ. Beyond α the edge is left. On the other side the same again, the other way round.
    assert counts(followed(scenes)) == [(2, 2, 0), (0, 2, 0), (0, 0, 0), (2, 0, 0), (2, 2, 0)]
    exact = followed(scenes, AlgorithmSettings(preference=ContactPolicy.EXACT))
    assert counts(exact) == [(0, 2, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0), (2, 0, 0)]
    # The edge's own two are there from first to last, and an id is never given twice.
    assert len({1, 2, 3, 4} & set(exact[-1].frame.ids)) == 2
    assert set(exact[-1].born) == {5, 6}


def test_a_disc_that_spins_keeps_its_contacts() -> None:
    standing = Cylinder(0.5, 1.0)
    scenes = [
        Scene(Body(CUBE), Body(standing, (0.0, 0.999, 0.0), from_axis_angle(UP, 0.01 * turn))) for turn in range(6)
    ]
    assert counts(followed(scenes)) == [(0, 0, 0)] * 5


def test_a_polygon_that_slides_keeps_its_contacts_in_the_plane() -> None:
    square = Polygon(((0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)))
    scenes = [Scene(Body.in_plane(square), Body.in_plane(square, (0.01 * k, 0.99))) for k in range(2, 6)]
    assert counts(followed(scenes)) == [(0, 0, 0)] * 3
    scenes = [Scene(Body.in_plane(square), Body.in_plane(Circle(0.5), (x, 0.99))) for x in (0.0, 0.01, 3.0)]
    assert counts(followed(scenes)) == [(0, 0, 0), (0, 1, 0)]


# By hand: a cube at rest on a ground at rest, and contacts that are made up.


def point(name: str, x: float, depth: float = 0.01) -> Contact:
    feature_a, feature_b = name.split("|")
    return Contact(vec(x, 0.0, 0.0), depth, feature_a, feature_b)


def at(x: float) -> Body:
    return Body(CUBE, (x, 0.49, 0.0))


@pytest.mark.parametrize(
    ("now", "moved", "expected"),
    [
        # With the cube, with the ground, and anywhere within ten times as far.
        (point("+y|v0", 0.01), 0.01, (0, 0, 0)),
        (point("+y|v0", 0.0), 0.01, (0, 0, 0)),
        (point("+y|v0", 0.09), 0.01, (0, 0, 0)),
        (point("+y|v0", 0.5), 0.01, (0, 0, 1)),
        (point("+y|v0", 0.5), 0.1, (0, 0, 0)),
        (point("+y|v0", 0.5), 0.0, (0, 0, 1)),
        # Its depth alone.
        (point("+y|v0", 0.01, 0.2), 0.01, (0, 0, 1)),
        # Another name: the same contact as long as it lies where the cube or the ground has carried it.
        (point("+y|v0v1", 0.01), 0.01, (0, 0, 0)),
        (point("+y|v0v1", 0.05), 0.01, (1, 1, 0)),
        (point("+y|v0v1", 0.0), 0.5, (0, 0, 0)),
        (point("+y|v0v1", 0.25), 0.5, (1, 1, 0)),
    ],
)
def test_a_contact_stays_jumps_or_is_another(now: Contact, moved: float, expected: tuple[int, int, int]) -> None:
    before = first_frame(GROUND, at(0.0), (point("+y|v0", 0.0),))
    assert counts([next_frame(before, GROUND, at(moved), (now,))]) == [expected]


def test_names_go_before_places() -> None:
    # Two that have changed places: each jumped, though the other's name is where it was.
    was = (point("+y|v0", 0.0), point("+y|v1", 0.3))
    before = first_frame(GROUND, at(0.0), was)
    change = next_frame(before, GROUND, at(0.0), (point("+y|v1", 0.0), point("+y|v0", 0.3)))
    assert change.frame.ids == (2, 1)
    assert change.jumped == (1, 2)


def test_a_motion_that_both_share_is_none() -> None:
    # Both go 5 to the right and turn a quarter about y, the contact with them: nothing happened to the pair.
    turn = from_axis_angle(UP, 0.5 * np.pi)
    ground, cube = (Body(body.shape, (5.0, body.position[1], 0.0), turn) for body in (GROUND, at(0.0)))
    before = first_frame(GROUND, at(0.0), (point("+y|v0", 0.4),))
    carried = replace(point("+y|v0", 0.4), position=vec(5.0, 0.0, -0.4))
    assert relative_motion(before, ground, cube) == pytest.approx(0.0, abs=1e-14)
    assert counts([next_frame(before, ground, cube, (carried,))]) == [(0, 0, 0)]


def test_how_far_the_bodies_went() -> None:
    before = first_frame(GROUND, at(0.0), ())
    assert relative_motion(before, GROUND, at(0.3)) == pytest.approx(0.3)
    # Half a turn: the ends of a bounding radius go its double, as chords.
    turned = Body(CUBE, (0.0, 0.49, 0.0), from_axis_angle(UP, np.pi))
    assert relative_motion(before, GROUND, turned) == pytest.approx(2.0 * CUBE.bounding_radius)


@pytest.mark.parametrize("seed", [5, 6])
def test_exchanged_bodies_have_the_same_ids(seed: int) -> None:
    scenes = nudged(seed, 6)
    for preference in (ContactPolicy.TOLERANT, ContactPolicy.NARROW):
        settings = AlgorithmSettings(preference=preference)
        there, back = followed(scenes, settings), followed([scene.swapped() for scene in scenes], settings)
        assert counts(there) == counts(back)
        for one, other in zip(there, back, strict=True):
            assert _by_id(one.frame) == pytest.approx(_by_id(other.frame), abs=1e-12)


def test_ids_outlive_an_exchange_of_the_bodies() -> None:
    scene = nudged(5)[0]
    before = first_frame(scene.a, scene.b, made(scene))
    other = scene.swapped()
    change = next_frame(before, other.a, other.b, made(other))
    assert counts([change]) == [(0, 0, 0)]
    assert _by_id(before) == pytest.approx(_by_id(change.frame), abs=1e-12)


def _by_id(frame: TrackedFrame) -> np.ndarray:
    found = dict(zip(frame.ids, (contact.position.tolist() for contact in frame.contacts), strict=True))
    return np.array([found[identity] for identity in sorted(found)])


def test_far_from_the_origin_rounding_is_no_jump() -> None:
    # At 1e8 the coordinates of a contact come in steps of 1.5e-8, more than the bodies go.
    rng = np.random.default_rng(7)
    scenes = []
    for _ in range(8):
        x, y, z = (1e8 + 1e-7 * rng.normal(size=3)).tolist()
        scenes.append(Scene(Body(CUBE, (1e8, 1e8, 1e8)), Body(CUBE, (x + 0.3, y + 0.99, z + 0.2))))
    assert counts(followed(scenes)) == [(0, 0, 0)] * 7


@pytest.mark.parametrize(("ground", "cube"), [(0.0, 0.0), (1e8, 0.0), (0.0, 1e8), (1e8, 1e8)])
def test_wherever_one_body_lies_far_out_its_rounding_is_no_jump(ground: float, cube: float) -> None:
    """Of two at rest: 1.4e-6 is more than corners that are one, but not with the rounding of 1e8 there and between."""
    a = Body(GROUND.shape, (ground, 0.0, 0.0))
    contacts = tuple(replace(point("+y|v0", 0.0), position=vec(x, 0.0, 0.0)) for x in (cube, cube + 1.4e-6))
    away = contacts[1].position[0] - contacts[0].position[0]
    assert away == pytest.approx(1.4e-6, abs=2e-8)
    for one, other in ((a, at(cube)), (at(cube), a)):
        change = next_frame(first_frame(one, other, contacts[:1]), one, other, contacts[1:])
        assert counts([change]) == [(0, 0, int(ground == cube))]


@pytest.mark.parametrize("fresh", [1, 7])
def test_ids_are_given_by_features_and_places_and_go_on_from_the_first_that_is_free(fresh: int) -> None:
    many = point("+y|v3", 0.3), point("+y|v1", 0.1), point("+y|v2", 0.2)
    before = first_frame(GROUND, at(0.0), many, fresh)
    assert before.ids == (fresh + 2, fresh, fresh + 1)
    change = next_frame(before, GROUND, at(0.0), (point("+y|v9", 0.9), point("+y|v2", 0.2), point("+y|v0", -0.5)))
    assert change.frame.ids == (fresh + 4, fresh + 1, fresh + 3)
    assert (change.born, change.died, change.jumped) == ((fresh + 3, fresh + 4), (fresh, fresh + 2), ())
    assert (before.next_id, change.frame.next_id) == (fresh + 3, fresh + 5)
    # None at all, and none before.
    empty = next_frame(change.frame, GROUND, at(0.0), ())
    assert (empty.frame.ids, empty.died, empty.frame.next_id) == ((), (fresh + 1, fresh + 3, fresh + 4), fresh + 5)
    assert next_frame(empty.frame, GROUND, at(0.0), many[:1]).born == (fresh + 5,)
