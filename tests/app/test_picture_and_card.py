"""What the picture of a step and its card say of one thing: the same names, the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.stages import step_text
from app.stages.word_parts import curved
from app.words.contact_words import contact_numbers
from app.words.digits import Digits, plain, written_with
from app.words.names import difference_name
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.contact.contact import ContactSettings, EdgesStep
from core.contact.policies.policy import ContactPolicy
from core.geometry.quaternion import from_axis_angle
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box

from .point_oracle import corners, discovered, name_of
from .test_step_pictures import PRESETS, asked, picture, places


@pytest.mark.parametrize("name", ["ellipsoids", "cylinder-on-ground", "cone-tip", "skew-edges", "capsule-box-edge"])
def test_points_have_the_same_names_in_the_picture_and_on_the_card(name):
    found = asked(name)
    scene = found.analysis.scene
    for place in places(found, Phase.GJK):
        step, told = found.moments[place].step, step_text(found, found.moments[place]).known
        drawn = {label.text for label in picture(found, place, shown=frozenset()).difference.labels}
        for point in step.simplex:
            name = name_of(found, point)
            number = list(discovered(found)).index(corners(point))
            sources = difference_name(scene, point, number)
            if curved(point):
                assert name in told
            else:
                assert f"{name} = {sources}" in told
                assert any(text.endswith(f"{name} = {sources}") for text in drawn) or len(
                    {p.xyz for p in step.simplex}
                ) < len(step.simplex)


@pytest.mark.parametrize("name", ["skew-edges", "containment", "far-from-origin", "stacked-cubes"])
def test_the_witnesses_of_epa_are_as_far_apart_as_its_nearest_face(name):
    """The face may hold its own foot only together with its neighbour in the same plane."""
    found = asked(name)
    for place in places(found, Phase.EPA):
        step = found.moments[place].step
        if step.nearest is None or step.nearest.offset <= 0.0:
            continue
        vertices, foot = step.held
        assert np.linalg.norm(step.closest) == pytest.approx(step.nearest.offset, abs=1e-12)
        rows = [step.vertices[vertices[k]] for k in foot.region]
        between = np.array(foot.weights) @ np.array([row.a - row.b for row in rows])
        assert np.linalg.norm(between - step.closest) < 1e-12
        names = {label.text for label in picture(found, place, shown=frozenset()).world.labels}
        assert f"|a − b| {plain(float(np.linalg.norm(between)))}" in names


def test_the_closed_hull_of_round_bodies_is_shown_with_its_radius():
    for name, radius in (("two-spheres", 1.5), ("capsule-box-edge", None), ("skew-edges", 0.0)):
        found = asked(name)
        place = places(found, Phase.BUILD)[-1]
        solid = found.analysis.difference
        draw = picture(found, place, shown=frozenset()).difference
        told = [label.text for label in draw.labels if label.text.startswith("+ radius")]
        why = step_text(found, found.moments[place]).why
        assert solid.radius == pytest.approx(radius if radius is not None else solid.radius)
        assert told == ([f"+ radius {plain(solid.radius)}"] if solid.radius else [])
        assert (f"both radii, {plain(solid.radius)}" in why) == bool(solid.radius)
        drawn = [np.asarray(s.corners).reshape(-1, 3) for s in draw.solids]
        if solid.radius:
            # The surface lies a radius outside the points.
            assert max(points[:, 1].max() for points in drawn) == pytest.approx(
                solid.core.vertices[:, 1].max() + solid.radius, rel=0.02
            )


@written_with(Digits.SIX)
@pytest.mark.parametrize("name", ["skew-edges", "two-spheres", "capsule-box-edge", "crossed-edges"])
def test_the_contact_of_two_features_has_the_depth_of_the_card(name):
    found = asked(name, AlgorithmSettings(preference=ContactPolicy.EXACT))
    place = next(p for p in places(found, Phase.CONTACTS) if isinstance(found.moments[p].step, EdgesStep))
    (formula,) = (f for f in step_text(found, found.moments[place]).formulas if f.plain.startswith("depth"))
    told = float(formula.plain.split()[-1].replace("−", "-"))
    (drawn,) = (label.text for label in picture(found, place, shown=frozenset()).world.labels if "depth" in label.text)
    assert float(drawn.split("depth ")[1].replace("−", "-")) == pytest.approx(told, rel=1e-5)
    assert [contact.depth for contact in found.manifold.contacts] in ([], [pytest.approx(told, rel=1e-5)])


def test_what_did_not_converge_is_told_with_both_bounds():
    """A learner must not take the bound that an algorithm ended with for a distance or a depth."""
    short = AlgorithmSettings(gjk=GjkSettings(iterations=2), epa=EpaSettings(iterations=2))
    found = asked("skew-edges", short)
    gjk, epa = found.distance.gjk, found.distance.epa
    for phase, low, high in (
        (Phase.GJK, gjk.distance - gjk.gap, gjk.distance),
        (Phase.EPA, epa.depth - epa.gap, epa.depth),
    ):
        stop = step_text(found, found.moments[places(found, phase)[-1]]).stop
        assert stop.name == "ITERATION_LIMIT"
        assert f"at least {plain(low)} and at most {plain(high)}" in stop.meaning
        assert not stop.good
        whole = asked("skew-edges")
        assert "certified within" in step_text(whole, whole.moments[places(whole, Phase.EPA)[-1]]).stop.meaning


CUBE = Box((1.0, 1.0, 1.0))
TURNED = Scene(Body(CUBE), Body(CUBE, (0.1, 0.9, 0.05), from_axis_angle((0.0, 1.0, 0.0), np.pi / 4)))
"""One on the other, turned by 45°: eight contacts."""


def last_of_contacts(found: Query) -> int:
    return places(found, Phase.CONTACTS)[-1]


def test_many_contacts_go_by_number_and_the_one_pointed_at_by_its_features_too():
    found = query(analyse(load_preset("cylinder-on-ground").scene))
    place = last_of_contacts(found)
    names = [f"c{digit}" for digit in "₁₂₃₄₅₆₇₈"]
    labels = picture(found, place, shown=frozenset()).world.labels
    assert sorted(label.text for label in labels) == [*names, "depth 0 each"]
    assert sorted(label.brief for label in labels) == [*names, "depth 0"]
    assert [label.subject for label in labels if label.text in names] == [Subject("contact", k) for k in range(8)]
    hovered = picture(found, place, shown=frozenset(), hover=Subject("contact", 2)).world.labels
    assert [label.text for label in hovered if len(label.text) > 14] == ["c₃  A.plane | B.rim −y.2"]
    assert "c₃ A.plane | B.rim −y.2 (0)" in step_text(found, found.moments[place]).decided


def numbered(found):
    contacts = (*found.manifold.contacts, *found.manifold.dropped)
    return {contact_numbers(found)[contact.name]: contact for contact in contacts}


@pytest.mark.parametrize("policy", ContactPolicy)
@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(16, "scenes")
def test_a_depth_that_all_contacts_have_is_said_once(name, policy):
    found = asked(name, AlgorithmSettings(preference=policy, reduce=True))
    for place in places(found, Phase.CONTACTS):
        labels = picture(found, place, shown=frozenset()).world.labels
        named = [label for label in labels if label.subject.kind == "contact"]
        contacts = numbered(found)
        depths = [plain(contacts[label.subject.number].depth) for label in named]
        once = [label.text for label in labels if label.text.endswith(" each")]
        if len(named) > 1 and len(set(depths)) == 1:
            assert once == [f"depth {depths[0]} each"]
            assert not any("depth" in label.text for label in named)
        else:
            assert once == []
            assert [label.text.rpartition("  depth ")[2] for label in named] == depths


@pytest.mark.parametrize("policy", [ContactPolicy.TOLERANT, ContactPolicy.EXACT])
def test_contacts_keep_their_numbers_when_some_are_dropped(policy):
    found = query(analyse(TURNED), AlgorithmSettings(preference=policy, reduce=True))
    every = numbered(found)
    assert len(every) == 8
    for place in places(found, Phase.CONTACTS)[-2:]:
        numbers = {
            label.subject.number: label.point
            for label in picture(found, place, shown=frozenset()).world.labels
            if label.subject.kind == "contact"
        }
        assert sorted(numbers) == list(range(8))
        for k, contact in every.items():
            assert numbers[k] == pytest.approx(contact.position, abs=0.06)


def test_contacts_of_an_earlier_moment_are_dim_and_told():
    live = query(analyse(TURNED))
    later = replace(analyse(TURNED), earlier=live.manifold)
    found = query(later, live.settings, before=live)
    place = last_of_contacts(found)
    for asked_for, rgba in ((live, DARK.overlap), (found, DARK.dim_text)):
        labels = picture(asked_for, place, shown=frozenset()).world.labels
        assert {label.rgba for label in labels} == {rgba}
    assert step_text(found, found.moments[place]).known.startswith("Contacts of an earlier moment")
    assert "earlier" not in step_text(live, live.moments[place]).known


@pytest.mark.parametrize("policy", [ContactPolicy.TOLERANT, ContactPolicy.JOLT, ContactPolicy.BOX3D])
def test_speculative_contacts_are_hollow(policy):
    apart = Scene(TURNED.a, replace(TURNED.b, position=(0.1, 1.01, 0.05)))
    found = query(analyse(apart), AlgorithmSettings(preference=policy, contacts=ContactSettings(speculative=0.02)))
    assert found.manifold.contacts
    draw = picture(found, last_of_contacts(found), shown=frozenset()).world
    spots = [marks for marks in draw.marks if len(marks.points) == 1]
    hollow = [marks for marks in spots if marks.fill == DARK.halo]
    assert len(hollow) == len(found.manifold.contacts)
