"""Settings: every one is read, set and told by its path, acts where it should, and changes what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Circle, Cone, Cylinder, Ellipsoid, Hull, Polygon, Rounded, Scene, Sphere
from core.analysis.algorithm_settings import (
    DEFAULT_SETTINGS,
    SETTING_NAMES,
    AlgorithmSettings,
    ChangedSetting,
    acting,
    changed_settings,
    contact_settings,
    setting_at,
    with_setting,
)
from core.analysis.analysis import analyse, contacts_by, gjk_epa_of, separation_of, too_slow
from core.analysis.in_space import LIMITED
from core.contact.contact import ContactSettings
from core.contact.policies.policy import NARROW_ALPHA, POLICIES, ContactPolicy
from core.geometry.quaternion import from_axis_angle
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings, SubDistance
from core.pair.candidate_axes import AxisKind
from core.verdict import Provenance
from tests.oracles import support_gap
from tests.shape_truths import truth_of

OTHERS: dict[str, Any] = {"gjk.first_direction": (1.0, -2.0, 3.0), "rounded": "full", "preference": ContactPolicy.JOLT}
OTHERS["gjk.sub_distance"] = SubDistance.SIGNED_VOLUMES
"""Other values than the defaults, where these are neither switches nor numbers."""


def other(path: str) -> Any:
    value: Any = setting_at(DEFAULT_SETTINGS, path)
    if path in OTHERS:
        return OTHERS[path]
    return not value if isinstance(value, bool) else value + 1


def paths_of(settings: AlgorithmSettings) -> set[str]:
    """Every number and switch of the settings, by the records' own fields."""
    found = set()
    for name in settings.__struct_fields__:
        inner = getattr(getattr(settings, name), "__struct_fields__", None)
        found |= {name} if inner is None else {f"{name}.{field}" for field in inner}
    return found


def test_every_setting_has_a_name_of_its_own() -> None:
    shown = paths_of(DEFAULT_SETTINGS) - {"contacts.lateral", "contacts.witness"}
    assert len(set(SETTING_NAMES.values())) == len(SETTING_NAMES)
    assert {path for path in SETTING_NAMES if "." not in path} == {path for path in shown if "." not in path}
    assert set(SETTING_NAMES) <= shown


@pytest.mark.parametrize("path", SETTING_NAMES)
def test_one_setting_changes_and_no_other(path: str) -> None:
    value = other(path)
    settings = with_setting(DEFAULT_SETTINGS, path, value)
    assert setting_at(settings, path) == value
    assert changed_settings(settings) == (
        ChangedSetting(path, SETTING_NAMES[path], value, setting_at(DEFAULT_SETTINGS, path)),
    )
    assert with_setting(settings, path, setting_at(DEFAULT_SETTINGS, path)) == DEFAULT_SETTINGS
    # A second one beside it is told too, in the order in which they are shown.
    beside = "epa.iterations" if path != "epa.iterations" else "single.away"
    both = with_setting(settings, beside, other(beside))
    assert [it.path for it in changed_settings(both)] == [it for it in SETTING_NAMES if it in (path, beside)]
    # Where it acts: those of the other dimension alone have their defaults.
    planar, spatial = {"article", "third_point"}, {"reduce", "mpr", "faces_only"}
    assert (acting(settings, 3) == settings) is (path not in planar)
    assert (acting(settings, 2) == settings) is (path not in spatial | {"gjk.first_direction"})


@pytest.mark.parametrize(
    ("first", "in_plane"),
    [
        (None, None),
        ((1.0, -2.0, 3.0), (1.0, -2.0, 0.0)),
        ((0.0, -2.0, 3.0), (0.0, -2.0, 0.0)),
        ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        ((0.0, 0.0, 3.0), None),
    ],
)
def test_a_first_direction_lies_in_the_plane_or_is_left_out(first: Any, in_plane: Any) -> None:
    settings = AlgorithmSettings(gjk=GjkSettings(first_direction=first))
    assert acting(settings, 2).gjk.first_direction == in_plane
    assert acting(settings, 3).gjk.first_direction == first


def test_the_narrow_policy_alone_has_an_alpha_of_its_own() -> None:
    wide = ContactSettings(alpha=0.2, delta=0.3)
    for policy in ContactPolicy:
        found = contact_settings(AlgorithmSettings(preference=policy, contacts=wide))
        assert found == (replace(wide, alpha=NARROW_ALPHA) if policy is ContactPolicy.NARROW else wide)


# ---- contacts under the policies ----

STACK = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Box((1.0, 1.0, 1.0)), (0.25, 1.375, -0.25)))
CROSSED = Scene(
    Body(Box((2.0, 2.0, 2.0)), rotation=from_axis_angle((0.0, 0.0, 1.0), 0.8)),
    Body(Box((2.0, 2.0, 2.0)), (0.1, 2.7, 0.05), from_axis_angle((1.0, 0.0, 0.0), 0.77)),
)
TIPPED = Scene(
    Body(Box((2.0, 2.0, 2.0))), Body(Box((2.0, 2.0, 2.0)), (1.9, 1.85, 0.1), from_axis_angle((1, 2, 3), 0.1))
)
FLAT = Scene(
    Body.in_plane(Polygon.of([(-1, -1), (1, -1), (1, 1), (-1, 1)])),
    Body.in_plane(Polygon.of([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]), (0.25, 1.375), 0.02),
)


@pytest.mark.parametrize("scene", [STACK, CROSSED, TIPPED, FLAT])
def test_under_every_policy_contacts_lie_between_the_surfaces_along_its_normal(scene: Scene) -> None:
    known = analyse(scene)
    for policy in POLICIES[scene.dimension]:
        found = contacts_by(known, AlgorithmSettings(preference=policy))
        assert found is not None
        assert found.contacts
        # No direction parts the bodies sooner than the answer's, and none of the contacts is deeper than its normal is.
        least = -support_gap(scene, found.normal)
        assert least >= -known.separation - 1e-9
        assert max(contact.depth for contact in found.contacts) <= least + 2e-3
        for contact in found.contacts:
            for body in (scene.a, scene.b) if scene.dimension == 3 else ():
                beyond = truth_of(body.shape).height(body.pose.to_local(contact.position))
                assert beyond <= max(0.0, -0.5 * contact.depth) + 1e-3
    assert contacts_by(known, DEFAULT_SETTINGS) is known.contacts
    if scene.dimension == 3:
        few = contacts_by(known, AlgorithmSettings(preference=ContactPolicy.EXACT, reduce=True))
        assert few is not None
        assert 1 <= len(few.contacts) <= 4


def test_engines_prefer_faces_where_edges_decide_by_little() -> None:
    """Crossed edges are the answer's; ODE, Box3D and MuJoCo take a face only if it is nearly as good."""
    known = analyse(CROSSED)
    assert known.sat.candidates[known.sat.winner].kind is AxisKind.EDGES
    for policy in (ContactPolicy.ODE, ContactPolicy.MUJOCO, ContactPolicy.EXACT):
        found = contacts_by(known, AlgorithmSettings(preference=policy))
        assert abs(found.normal @ known.normal) == pytest.approx(1.0, abs=1e-12)
        assert len(found.contacts) == 1


SPECULATIVE = Scene(Body(Box((2.0, 2.0, 2.0))), Body(Box((1.0, 1.0, 1.0)), (0.25, 1.6, -0.25)))


@pytest.mark.parametrize("policy", [ContactPolicy.TOLERANT, ContactPolicy.EXACT, ContactPolicy.JOLT])
@pytest.mark.parametrize("flat", [False, True])
def test_bodies_apart_have_contacts_within_the_speculative_distance_alone(policy: ContactPolicy, flat: bool) -> None:
    scene = replace(FLAT, b=replace(FLAT.b, position=(0.25, 1.6, 0.0), angle=0.0)) if flat else SPECULATIVE
    if policy not in POLICIES[scene.dimension]:
        return
    known = analyse(scene)
    assert known.separation == pytest.approx(0.1, abs=1e-15)
    for speculative, there in ((0.0, False), (0.0625, False), (0.125, True)):
        found = contacts_by(
            known, AlgorithmSettings(preference=policy, contacts=ContactSettings(speculative=speculative))
        )
        assert found is not None
        assert bool(found.contacts) is there, speculative
        assert all(contact.depth == pytest.approx(-0.1, abs=1e-12) for contact in found.contacts)


def test_a_policy_that_clips_has_no_contacts_of_what_has_no_faces_to_clip() -> None:
    floor = Body(Box((4.0, 1.0, 4.0)))
    for shape, clipped, patched in (
        (Cylinder(0.5, 1.0), False, True),
        (Cone(0.5, 1.0), False, True),
        (Capsule(0.25, 0.5), True, True),
        (Sphere(0.5), True, True),
    ):
        known = analyse(Scene(floor, Body(shape, (0.0, 0.95, 0.0))))
        for policy in POLICIES[3]:
            found = contacts_by(known, AlgorithmSettings(preference=policy))
            wanted = patched if policy in (*POLICIES[2][:2], ContactPolicy.JOLT) else clipped
            assert (found is not None) is wanted, (shape, policy)


# ---- what is asked with settings or limits ----


def test_the_answer_of_gjk_and_epa_is_asked_under_the_settings_that_act() -> None:
    turn = from_axis_angle((1.0, 2.0, 3.0), 0.8)
    scene = Scene(Body(Capsule(0.5, 2.0)), Body(Rounded(Box((1.0, 1.0, 1.0)), 0.25), (0.4, 0.3, 0.2), turn))
    plain = gjk_epa_of(scene)
    assert plain.separation == analyse(scene).gjk_epa.result.separation
    assert gjk_epa_of(scene, AlgorithmSettings(epa=EpaSettings(iterations=1))).epa.iterations == 1
    assert gjk_epa_of(scene, AlgorithmSettings(gjk=GjkSettings(iterations=1))).gjk.iterations == 1
    full = gjk_epa_of(scene, AlgorithmSettings(rounded="full"))
    assert full.certainty.gap > plain.certainty.gap
    assert full.separation == pytest.approx(plain.separation, abs=full.certainty.gap + plain.certainty.gap + 1e-12)
    # A direction out of the plane does not act in it: it is left out, and the answer is that without one.
    flat = Scene(Body.in_plane(Circle(0.5)), Body.in_plane(Polygon.of([(0, 0), (2, 0), (0, 1)]), (0.6, 0.2)))
    upward = AlgorithmSettings(gjk=GjkSettings(first_direction=(0.0, 0.0, 1.0)))
    assert gjk_epa_of(flat, upward).separation == gjk_epa_of(flat).separation


def ball(count: int, seed: int) -> Hull:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return Hull.of(points / np.linalg.norm(points, axis=1)[:, None])


@pytest.mark.parametrize(("vertices", "said"), [((64, 64), ""), ((64, 65), "129"), ((1200, 8), "1,208")])
def test_what_is_too_slow_is_said_from_one_vertex_more_than_the_limit_on(vertices: tuple[int, int], said: str) -> None:
    scene = Scene(Body(ball(vertices[0], 1)), Body(ball(vertices[1], 2), (1.5, 1.25, 1.0)))
    told = too_slow(scene)
    assert told == (
        said and f"SAT's table and the Minkowski difference of {said} vertices follow when you stop dragging."
    )
    limited = analyse(scene, LIMITED)
    assert limited.limits is LIMITED
    assert limited.beyond_limits == told
    assert (limited.difference is None) is bool(told)
    assert limited.sat.applies is not bool(told)
    assert separation_of(scene) == limited.separation


def test_what_needs_no_table_is_never_too_slow() -> None:
    many = Body(ball(200, 3))
    for other in (Body(Cylinder(0.5, 1.0), (2.0, 0.0, 0.0)), Body(Cone(0.5, 1.0), (2.0, 0.0, 0.0))):
        assert too_slow(Scene(many, other)) == too_slow(Scene(other, many)) == ""
    assert too_slow(FLAT) == ""
    assert analyse(FLAT, LIMITED).beyond_limits == ""


def test_epa_stops_at_the_limit_that_it_is_given_and_says_so() -> None:
    scene = Scene(Body(Cone(1.0, 2.0)), Body(Cone(1.0, 2.0), (0.0, 0.2, 0.0)))
    whole, live = analyse(scene), analyse(scene, LIMITED)
    assert (whole.epa.iterations, live.epa.iterations) == (256, LIMITED.epa.iterations)
    rounder = Scene(Body(Ellipsoid((0.5, 3.0, 0.5))), Body(Cylinder(0.2, 2.0)))
    whole, live = analyse(rounder), analyse(rounder, LIMITED)
    assert live.certainty.provenance is Provenance.BOUND
    assert live.epa.iterations <= LIMITED.epa.iterations
    assert live.certainty.gap > whole.certainty.gap


# ---- answers handed on ----


def test_the_same_answers_about_a_scene_that_moves_otherwise() -> None:
    found = analyse(TIPPED)
    contacts = found.contacts
    moving = replace(TIPPED, b=replace(TIPPED.b, displacement=(1.0, 0.0, 0.0)), name="moving")
    there = found.about(moving)
    assert there.scene is moving
    assert there.contacts is contacts
    assert (there.separation, there.normal.tolist()) == (found.separation, found.normal.tolist())
    assert there.same_as(found)
    assert found.same_as(there)
    assert not analyse(TIPPED).same_as(found) or analyse(TIPPED).answer is found.answer
    assert not analyse(STACK).same_as(found)


def test_contacts_of_an_earlier_moment_are_shown_and_do_not_contradict() -> None:
    found = analyse(STACK)
    assert not found.contacts_earlier
    deeper = replace(STACK, b=replace(STACK.b, position=(0.25, 1.25, -0.25)))
    later = replace(analyse(deeper), earlier=found.contacts)
    assert later.contacts_earlier
    assert later.contacts is found.contacts
    assert later.disagreements == ()


def test_plain_values_are_those_of_the_answer() -> None:
    for scene in (STACK, SPECULATIVE, FLAT):
        found = analyse(scene)
        told = found.to_dict()
        assert set(told) == {
            *("verdict", "separation", "normal", "mtv", "witness_a", "witness_b", "certainty", "contacts"),
            "disagreements",
        }
        assert told["verdict"] == found.verdict.value
        assert told["separation"] == found.separation
        assert told["certainty"] == {"provenance": found.certainty.provenance.value, "gap": found.certainty.gap}
        for name in ("normal", "witness_a", "witness_b"):
            assert told[name] == getattr(found, name).tolist()
        assert told["mtv"] == (None if found.mtv is None else found.mtv.tolist())
        depths = [contact["depth"] for contact in told["contacts"]["contacts"]]
        assert depths == [contact.depth for contact in found.contacts.contacts]
        assert told["disagreements"] == []
