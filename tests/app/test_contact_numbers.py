"""A contact keeps its number under every policy, with the reduction, in the overlay, at the steps, in their words."""

from __future__ import annotations

import re

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.lessons.shelf import shelf
from app.overlays.context import Context
from app.render.pictures import build
from app.state.view import View
from app.words.contact_words import contact_name, contact_numbers
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, with_setting
from core.analysis.analysis import analyse
from core.contact.policies.policy import POLICIES
from core.contact.tracking import MERGED
from core.query.query import Phase, Query, query
from core.scene import Scene

LESSON = next(lesson for lesson in shelf() if lesson.id == "faces-to-points")
NAME = re.compile(r"c[₀-₉]+")


def asked(scene: Scene, policy: str = "tolerant", *, reduce: bool = False) -> Query:
    settings = replace(with_setting(DEFAULT_SETTINGS, "preference", policy), reduce=reduce)
    return query(analyse(scene), settings)


def places_of(found: Query) -> dict[str, np.ndarray]:
    """The place (3,) of each contact of the query, kept or dropped, by its name."""
    assert found.manifold is not None
    numbers = contact_numbers(found)
    return {contact_name(numbers[it.name]): it.position for it in (*found.manifold.contacts, *found.manifold.dropped)}


@pytest.mark.parametrize("name", [preset.id for preset in presets()])
@pytest.mark.sampled(4, "scenes")
def test_a_name_means_one_contact_under_every_policy(name: str) -> None:
    scene = load_preset(name).scene
    answer = analyse(scene).contacts
    if answer is None:
        return
    near = MERGED * min(scene.a.shape.bounding_radius, scene.b.shape.bounding_radius)
    own = {contact_name(number): contact for number, contact in enumerate(answer.contacts)}
    for policy in POLICIES[scene.dimension]:
        for reduce in (False, True):
            found = asked(scene, policy, reduce=reduce)
            if found.manifold is None:
                continue
            contacts = (*found.manifold.contacts, *found.manifold.dropped)
            assert len(places_of(found)) == len(contacts)
            for contact in contacts:
                told = contact_name(contact_numbers(found)[contact.name])
                same = [
                    known
                    for known, it in own.items()
                    if it.name == contact.name or np.linalg.norm(it.position - contact.position) <= near
                ]
                # Of two contacts in one place the second has a number of its own.
                assert told in same or (told not in own and set(same) <= set(places_of(found))), (policy, contact.name)


def test_the_contacts_of_the_answer_are_numbered_in_their_order() -> None:
    for name in ("overhang", "turned"):
        found = asked(LESSON.scenes[name].scene)
        assert found.manifold is not None
        assert list(contact_numbers(found).values()) == list(range(len(found.manifold.contacts)))


def test_the_lessons_contacts_keep_their_names_where_four_are_kept() -> None:
    """Steps 6.7 and 6.8, in their pictures: every name stands at the same contact."""
    scene = LESSON.scenes["turned"].scene
    before = Context(scene, analyse(scene), View(shown=frozenset({"bodies", "manifold"})), DARK)
    stood = {label.text: label.point for label in build(before).world.labels if NAME.fullmatch(label.text)}
    assert len(stood) == 8
    after = asked(scene, reduce=True)
    last = max(place for place, moment in enumerate(after.moments) if moment.phase is Phase.CONTACTS)
    shown = build(Context(scene, after.analysis, View(), DARK, after, last)).world.labels
    kept = [label for label in shown if NAME.fullmatch(label.text)]
    assert len(kept) >= 4
    for label in kept:
        assert np.abs(np.subtract(label.point, stood[label.text])).max() < 1e-9
