"""A point of A − B keeps its name from GJK's first step to EPA's last, in pictures, words, formulas and questions."""

from __future__ import annotations

import re

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.quiz import questions
from app.render.pictures import build
from app.stages import parts_of, step_text
from app.stages.step_drawing import SHARED_LABEL_DISTANCE
from app.state.view import WHOLE, View
from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.analysis.analysis import analyse
from core.query.query import Query, query

from .point_oracle import closing, discovered, name_of, points_of

PRESETS = [preset.id for preset in presets()]
NAMED = re.compile(r"\b[wp][₀-₉]+")


def asked(name: str) -> Query:
    return query(analyse(load_preset(name).scene))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(4, "scenes")
def test_a_point_has_one_name_in_all_pictures_and_words(name: str) -> None:
    found = asked(name)
    names = {name_of(found, point): point for point in discovered(found).values()}
    known: set[str] = set()
    for moment in closing(found):
        place = found.moments.index(moment)
        known |= {name_of(found, point) for point in points_of(moment)}
        for part in (WHOLE, *(part.name for part in parts_of(found, moment))):
            text = step_text(found, moment, part)
            said = " ".join((text.known, text.decided, text.why, *(formula.plain for formula in text.formulas)))
            assert set(NAMED.findall(said)) <= known
            context = Context(found.analysis.scene, found.analysis, View(), DARK, found, place, part=part)
            if part is not WHOLE and moment.index > 3:
                continue  # the pictures of sub-steps are made alike at every step
            for label in build(context).difference.labels:
                assert set(NAMED.findall(label.text)) <= known
                # A label that begins with names stands at their point; others tell of a feature, as "v on edge w₀w₂".
                if label.text.startswith("w"):
                    for own in NAMED.findall(label.text.partition("=")[0]):
                        off = np.abs(np.subtract(label.point, names[own].w)).max()
                        assert off <= SHARED_LABEL_DISTANCE * context.extent.radius, (label.text, place, part)
    assert sorted(known, key=lambda own: (len(own), own)) == list(names)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(4, "scenes")
def test_a_new_point_is_shown_with_its_source_and_an_old_one_as_such(name: str) -> None:
    found = asked(name)
    for moment in closing(found):
        support = moment.step.support
        if support is None:
            continue
        context = Context(found.analysis.scene, found.analysis, View(), DARK, found, found.moments.index(moment))
        own = name_of(found, support)
        texts = [label.text for label in build(context).difference.labels]
        if any(support.xyz == point.xyz for point in points_of(moment)[:-1]):
            assert f"{own}: found before" in texts
        elif max(support.vertex_a, support.vertex_b) < 0:
            assert own in texts
        else:
            assert any(text.startswith(f"{own} = a") and " − b" in text for text in texts), texts


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(8, "scenes")
def test_questions_name_the_points_as_pictures_do(name: str) -> None:
    found = asked(name)
    names = {name_of(found, point) for point in discovered(found).values()}
    closing_places = {found.moments.index(moment) for moment in closing(found)}
    for question in questions(found):
        if question.place is not None and question.place not in closing_places:
            continue  # the ray cast along a motion counts its points by itself
        told = " ".join((*question.candidates.values(), question.hint, question.explanation))
        assert {own for own in NAMED.findall(told) if own[0] == "p" or own not in names} == set()


def test_a_warm_start_and_single_precision_count_from_nought() -> None:
    scene = load_preset(PRESETS[0]).scene
    settings = replace(DEFAULT_SETTINGS, single=replace(DEFAULT_SETTINGS.single, steps=True))
    for found in (query(analyse(scene), replace(DEFAULT_SETTINGS, warm_start=True)), query(analyse(scene), settings)):
        first = closing(found)[0]
        assert "w₀" in step_text(found, first).known
        assert step_text(found, closing(found)[-1]).known
