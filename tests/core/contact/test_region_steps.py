"""The steps to the contacts in space: each flat part, shadow, cut, level and needle is what its fields say it is.

By the bodies' corners and planes, in any pose, and with A and B swapped.
"""

from __future__ import annotations

from math import acos, cos, sin

import numpy as np
import pytest

from core import Body, Box, Capsule, Cone, Cylinder, Rounded, Scene, Shape, Sphere, analyse
from core.contact import contact as records
from core.contact.contact import ContactCase, ContactSettings, Flatness, Manifold
from core.contact.manifold import manifold_steps
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from core.geometry.vector import Array
from core.pair.pair import PairScale
from core.trace import Recording, record
from tests.core.contact_oracle import off_surface
from tests.core.polyhedra_samples import prism

TILT = 0.003
CUBE, SMALL = Box((2.0, 2.0, 2.0)), Box((1.0, 1.0, 1.0))
LEANING, LYING = from_axis_angle((1.0, 0.0, 2.0), TILT), from_axis_angle((0.0, 0.0, 1.0), 1.568)
ABOVE: dict[str, tuple[Body, str, str, float | None]] = {
    "box": (Body(SMALL, (0.7, 1.5, 0.2), LEANING), "polygon", "-y", TILT),
    "prism": (Body(prism(5, 0.7, 1.0), (0.7, 1.498, 0.1), LEANING), "polygon", "face", TILT),
    "cylinder": (Body(Cylinder(0.5, 1.0), (0.7, 1.5, 0.2), LEANING), "disc", "cap -y", TILT),
    "cone": (Body(Cone(0.5, 1.0), (0.7, 1.5, 0.2), LEANING), "disc", "base", TILT),
    "capsule": (Body(Capsule(0.25, 1.0), (0.7, 1.2495, 0.2), LYING), "segment", "axis", 0.0),
    "sphere": (Body(Sphere(0.5), (0.7, 1.4375, 0.2)), "point", "centre", None),
    "round box": (Body(Rounded(SMALL, 0.25), (0.7, 1.75, 0.2), LEANING), "polygon", "-y", TILT),
}
"""Above a cube, over its side +x: the body, its flat part's kind and name, and its angle from level."""
POSES = [((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), (normalized((0.3, 0.5, -0.2, 0.8)), (3.0, -2.0, 1.0))]


def placed(body: Body, turn: tuple[float, float, float, float], at: tuple[float, float, float]) -> Body:
    moved = Body(body.shape, at, turn).pose.to_world(np.array(body.position))
    return Body(body.shape, tuple(moved.tolist()), multiply(turn, body.rotation))


DEFAULTS = ContactSettings()


def told(a: Body, b: Body, settings: ContactSettings = DEFAULTS) -> Recording[records.ManifoldStep, Manifold]:
    return record(manifold_steps(a, b, analyse(Scene(a, b)).proximity, settings))


def across(normal: Array, points: Array) -> Array:
    """The points without their part along the normal."""
    return points - np.outer(points @ normal, normal)


def same_places(one: Array, other: Array, within: float = 1e-12) -> bool:
    """Whether each point of either lies at one of the other's."""
    away = np.linalg.norm(one[:, None] - other, axis=2)
    return len(one) == len(other) and away.min(axis=0).max() <= within and away.min(axis=1).max() <= within


def contained(inner: Array, outer: Array, normal: Array, within: float) -> bool:
    """Whether each point lies in a convex loop, seen along the normal."""
    middle = outer.mean(axis=0)
    for p, q in zip(outer, np.roll(outer, -1, axis=0), strict=True):
        side = np.cross(normal, q - p)
        if np.linalg.norm(side) <= 1e-9:
            continue
        side /= np.linalg.norm(side) * np.sign(side @ (middle - p))
        if ((inner - p) @ side).min() < -within:
            return False
    return True


def area(points: Array, normal: Array) -> float:
    return 0.5 * abs(float(np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0) @ normal))


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("pose", POSES, ids=["as it lies", "turned"])
@pytest.mark.parametrize("kind", ABOVE)
def test_every_step_tells_what_it_did(
    kind: str, pose: tuple[tuple[float, float, float, float], tuple[float, float, float]], swapped: bool
) -> None:
    above, shape_kind, name, angle = ABOVE[kind]
    pair = [placed(Body(CUBE), *pose), placed(above, *pose)]
    up = pair[0].pose.direction_to_world(np.array((0.0, 1.0, 0.0)))
    kinds, names, angles = ["polygon", shape_kind], ["+y", name], [0.0, angle]
    if kind == "capsule":  # whose normal is its own
        angles = [np.pi / 2 - 1.568, 0.0]
    if swapped:
        for row in (pair, kinds, names, angles):
            row.reverse()
    a, b = pair
    found = analyse(Scene(a, b))
    recording = told(a, b)
    steps, normal, result = list(recording.steps), found.normal, recording.result
    assert (normal @ up > 0.9) is not swapped
    first = steps.pop(0)
    assert isinstance(first, records.NormalStep)
    assert (first.normal.tolist(), first.separation) == (normal.tolist(), found.separation)
    nearest = first.witness_a, first.witness_b
    assert np.array(nearest) == pytest.approx(np.array((found.witness_a, found.witness_b)), abs=1e-14)

    flats = []
    for body in (0, 1):
        step = steps.pop(0)
        assert isinstance(step, records.FlatStep)
        flats.append(step)
        assert (step.body, step.kind, step.alpha) == (body, kinds[body], DEFAULTS.alpha)
        assert step.name.rstrip("0123456789") == names[body]
        assert step.angle == (None if angles[body] is None else pytest.approx(angles[body], abs=1e-9))
        assert step.normal.tolist() == normal.tolist()
        assert step.point.tolist() == nearest[body].tolist()
        _on_its_body(pair[body], step, normal if body == 0 else -normal)
    assert result.normal.tolist() == normal.tolist()
    _flatness(a, b, found.separation, flats, result)

    if "point" in kinds:
        step = steps.pop(0)
        assert isinstance(step, records.WitnessStep)
        assert step.deepest is None
        (only,) = result.contacts
        assert (only, only.depth) == (step.contact, -found.separation)
        assert only.position == pytest.approx(0.5 * (nearest[0] + nearest[1]), abs=1e-14)
        assert not steps
        return
    shadows = steps.pop(0)
    assert isinstance(shadows, records.ShadowsStep)
    middle = 0.5 * (nearest[0] + nearest[1]) @ normal
    for shadow, flat in zip((shadows.of_a, shadows.of_b), flats, strict=True):
        assert shadow.points @ normal == pytest.approx(middle, abs=1e-12)
        assert same_places(across(normal, shadow.points), across(normal, flat.outline.points))
    _cuts(pair, steps, flats, shadows, normal, result)

    needles = steps.pop(0)
    assert isinstance(needles, records.CornerDepthsStep)
    assert (needles.normal.tolist(), needles.dropped) == (normal.tolist(), 0)
    on_b, on_a = needles.ends
    for contact, of_b, of_a in zip(needles.contacts, on_b, on_a, strict=True):
        assert contact.position == pytest.approx(0.5 * (of_a + of_b), abs=1e-14)
        assert (of_a - of_b) @ normal == pytest.approx(contact.depth, abs=1e-14)
        # At a level's end one of the two bodies goes on.
        assert abs(off_surface(a, of_a)) <= 1e-6
        assert abs(off_surface(b, of_b)) <= 1e-6
        assert contact.gap == (contact.depth < -1e-9)
        if "level" in (contact.feature_a, contact.feature_b):
            assert contact.depth == pytest.approx(-result.flatness.delta, abs=1e-9)
    deepest = max(contact.depth for contact in needles.contacts)
    if deepest < -found.separation - 1e-6:
        step = steps.pop(0)
        assert isinstance(step, records.WitnessStep)
        assert step.deepest == deepest
        assert step.contact is result.contacts[-1]
        assert step.contact.depth == pytest.approx(-found.separation, abs=1e-9)
    assert not steps
    assert max(contact.depth for contact in result.contacts) == pytest.approx(-found.separation, abs=1e-9)


def _on_its_body(body: Body, step: records.FlatStep, out: Array) -> None:
    """The outline runs on the surface (of a round body: of its core), as far out as anything, but for its tilt."""
    points = step.outline.points
    if step.kind == "point":
        assert not len(points)
        return
    sharp = body if not isinstance(body.shape, Rounded) else Body(body.shape.sharp, body.position, body.rotation)
    if step.kind != "segment":
        assert max(abs(off_surface(sharp, p)) for p in points) <= 1e-9 or isinstance(body.shape, Rounded)
    core = body.shape.core
    farthest = float(body.pose.position @ out + body.shape.reach(body.pose.direction_to_local(out)))
    farthest -= 0.0 if core is None else core.radius
    heights = points @ out
    assert farthest - 1.1 * np.ptp(heights) - 1e-9 <= heights.max() <= farthest + 1e-9
    corners = {"+y": 4, "-y": 4, "axis": 2}.get(step.name, 5 if step.name.startswith("face") else None)
    assert corners is None or len(points) == corners


def _flatness(a: Body, b: Body, separation: float, flats: list[records.FlatStep], result: Manifold) -> None:
    scale = PairScale.of(a, b)
    wanted = Flatness(
        kinds=(flats[0].kind, flats[1].kind),
        angles=(flats[0].angle, flats[1].angle),
        alpha=DEFAULTS.alpha,
        delta=max(separation, 0.0) + DEFAULTS.delta * scale.least_half_extent,
        gaps=sum(contact.depth < -1e-9 for contact in result.contacts),
        dropped=0,
    )
    assert result.flatness == wanted


def _cuts(
    pair: list[Body],
    steps: list[records.ManifoldStep],
    flats: list[records.FlatStep],
    shadows: records.ShadowsStep,
    normal: Array,
    result: Manifold,
) -> None:
    """Each cut goes on from the one before, along the side that it names; at the level the planes are δ apart."""
    before: Array | None = None
    while isinstance(steps[0], records.CutStep | records.LevelStep):
        step = steps.pop(0)
        start, after = step.before.points, step.after.points
        if before is None and isinstance(step, records.CutStep):
            other = (shadows.of_a, shadows.of_b)[1 - step.body]
            assert same_places(across(normal, start), across(normal, other.points), 2e-6)
        elif before is not None:
            assert same_places(across(normal, start), across(normal, before), 1e-9)
        assert contained(after, start, normal, 1e-3 if len(start) > 8 else 1e-9)
        assert area(after, normal) < area(start, normal) - 1e-6
        before = after
        if isinstance(step, records.CutStep):
            own = pair[step.body]
            assert step.side == "v4-v7"  # of the cube, at x = 1 above
            ends = own.pose.to_world(own.shape.polyhedron.vertices[[4, 7]])
            inward = np.cross(normal, ends[1] - ends[0])
            inward /= np.linalg.norm(inward) * np.sign(inward @ (own.pose.position - ends[0]))
            assert ((start - ends[0]) @ inward).min() < -0.1
            assert ((after - ends[0]) @ inward).min() == pytest.approx(0.0, abs=1e-9)
        else:
            assert step.faces == (flats[0].name, flats[1].name)
            assert step.delta == result.flatness.delta


@pytest.mark.parametrize("gap", [2.0**-6, 2.0**-4])
@pytest.mark.parametrize("swapped", [False, True])
def test_bodies_apart_by_no_more_than_the_speculative_distance_have_gaps_alone(gap: float, swapped: bool) -> None:
    shapes: tuple[Shape, ...] = (SMALL, Cylinder(0.5, 1.0), Sphere(0.5), Cone(0.5, 1.0))
    for shape in shapes:
        pair = [Body(CUBE, (1.0, 2.0, 3.0)), Body(shape, (1.0, 3.5 + gap, 3.0))]
        if swapped:
            pair.reverse()
        for speculative in (0.0, 0.5 * gap, gap, 2.0 * gap):
            found = told(*pair, ContactSettings(speculative=speculative)).result
            assert bool(found.contacts) == (speculative >= gap)
            for contact in found.contacts:
                assert (contact.gap, contact.depth) == (True, pytest.approx(-gap, abs=1e-9))
                assert contact.position[1] == pytest.approx(3.0 + 0.5 * gap, abs=1e-12)
            if found.contacts:
                assert found.flatness is not None
                assert found.flatness.gaps == len(found.contacts)
                assert found.flatness.delta == pytest.approx(gap + 0.0005, abs=1e-12)
            else:
                assert (found.case, found.flatness) == (ContactCase.POINT, None)


@pytest.mark.parametrize("off", [-0.5, 0.5, 2.0])
def test_within_the_touching_band_there_are_contacts_and_no_gaps(off: float) -> None:
    for shape in (SMALL, Sphere(0.5), Cylinder(0.5, 1.0)):
        band = PairScale.of(Body(CUBE), Body(shape, (0.0, 1.5, 0.0))).touching_band()
        found = told(Body(CUBE), Body(shape, (0.0, 1.5 + off * band, 0.0))).result
        assert bool(found.contacts) == (off < 1.0)
        if isinstance(shape, Sphere):
            assert not any(contact.gap for contact in found.contacts)


@pytest.mark.parametrize("angle", [0.05, 0.0894, 0.0896, 0.15])
def test_what_leans_by_no_more_than_alpha_is_flat(angle: float) -> None:
    """α has the cosine 0.996; beyond, the lower edge alone is left."""
    leaning = from_axis_angle((0.0, 0.0, 1.0), angle)
    lowest = 0.5 * (cos(angle) + sin(angle))
    a, b = Body(CUBE), Body(SMALL, (0.0, 1.0 + lowest - 1e-3, 0.0), leaning)
    for pair, side in (((a, b), 1), ((b, a), 0)):
        flatness = told(*pair).result.flatness
        assert flatness is not None
        assert flatness.kinds[side] == ("polygon" if angle <= acos(0.996) else "segment")
        assert flatness.kinds[1 - side] == "polygon"
        assert flatness.angles[1 - side] == pytest.approx(0.0, abs=1e-12)
        assert flatness.angles[side] == pytest.approx(angle if angle <= acos(0.996) else 0.0, abs=1e-9)


@pytest.mark.parametrize("kind", ["box", "prism", "cylinder"])
def test_of_four_kept_contacts_the_gaps_are_those_of_the_four(kind: str) -> None:
    a, b = Body(CUBE), ABOVE[kind][0]
    found = analyse(Scene(a, b)).proximity
    every = told(a, b).result
    recording = record(manifold_steps(a, b, found, reduce=True))
    result, last = recording.result, recording.steps[-1]
    assert isinstance(last, records.ReduceStep)
    assert (last.kept, last.dropped) == (result.contacts, result.dropped)
    assert (len(result.contacts), len(result.contacts) + len(result.dropped)) == (4, len(every.contacts))
    names = {contact.name for contact in every.contacts}
    assert {contact.name for contact in (*result.contacts, *result.dropped)} == names
    assert sorted(last.order) == [0, 1, 2, 3]
    assert last.chosen == tuple(result.contacts[place] for place in last.order)
    assert last.chosen[0].depth == max(contact.depth for contact in every.contacts)
    assert result.flatness is not None
    assert result.flatness.gaps == sum(contact.gap for contact in result.contacts)
    assert kind != "cylinder" or result.flatness.gaps < every.flatness.gaps
