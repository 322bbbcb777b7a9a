"""MPR's steps in words and pictures: every way it ends, each line of its listing, and nothing of it by default."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.quiz import questions
from app.render.pictures import build
from app.stages import stage_of, step_text
from app.stages.mpr.steps import STOPS
from app.state.prediction import QuestionKind
from app.state.view import View
from core import Scene, analyse
from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.mpr import MprAction, MprStep, MprStop
from core.query.query import Moment, Phase, Query, query
from tests.core.mpr.test_mpr import CASE_SCENES

ASKED = replace(DEFAULT_SETTINGS, mpr=True)
NAMES = [preset.id for preset in presets() if "3D" in preset.tags]


def asked(scene: Scene) -> Query:
    return query(analyse(scene), ASKED)


def moments(found: Query) -> list[Moment]:
    return [moment for moment in found.moments if moment.phase is Phase.MPR]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sampled(3, "scenes")
def test_it_follows_epa_if_it_is_asked_for_and_says_and_draws_every_step(name: str) -> None:
    scene = load_preset(name).scene
    without, found = query(analyse(scene)), asked(scene)
    assert Phase.MPR not in without.results
    assert Phase.MPR not in [phase for phase, _, _ in without.phases]
    mine = moments(found)
    assert [moment.phase for moment in found.moments if moment.phase is not Phase.MPR] == [
        moment.phase for moment in without.moments
    ]
    order = [phase for phase, _, _ in found.phases]
    assert order == sorted(order, key=list(Phase).index)
    lines = stage_of(Phase.MPR).listing(3).lines
    for moment in mine:
        assert isinstance(moment.step, MprStep)
        text = step_text(found, moment)
        assert text.title.startswith(f"MPR, step {moment.index + 1} of {len(mine)}: ")
        assert (text.stop is not None) == moment.last
        if text.stop is not None:
            assert text.stop.name in lines[stage_of(Phase.MPR).line(moment.step)]
        for words in (text.known, text.decided, text.why):
            assert "  " not in words
            assert words == words.strip()
        context = Context(scene, found.analysis, View(), DARK, found, found.moments.index(moment))
        drawn = build(context)
        for draw in (drawn.world, drawn.difference):
            labels = [label.text for label in draw.labels]
            assert len(set(labels)) == len(labels), labels
        assert ("v₀" in [label.text for label in drawn.difference.labels]) == (moment.step.action is not MprAction.STOP)


@pytest.mark.parametrize("stop", MprStop)
def test_every_stop_has_its_meaning_and_its_line(stop: MprStop) -> None:
    found = asked(CASE_SCENES["libccd-cylcyl-pen3"])
    last = moments(found)[-1]
    assert isinstance(last.step, MprStep)
    ended = replace(last.step, stop=stop)
    text = step_text(found, replace(last, step=ended))
    assert text.stop is not None
    assert text.stop.name == stop.value
    assert text.stop.meaning.startswith(STOPS[stop].meaning)
    assert text.stop.good is STOPS[stop].good
    if stop is not MprStop.SPACE_ONLY:
        assert stop.value in stage_of(Phase.MPR).listing(3).lines[stage_of(Phase.MPR).line(ended)]


def test_the_nudge_and_the_depth_beside_epa_are_told() -> None:
    found = asked(CASE_SCENES["libccd-boxcyl-pen7"])
    first, last = moments(found)
    assert "Both coincide, so v₀ is moved by" in step_text(found, first).decided
    stop = step_text(found, last).stop
    assert stop is not None
    assert "MPR's depth is 1.32. Its planes prove that the least depth is at most 1.19." in stop.meaning
    assert "The least depth is 0.751" in stop.meaning


def test_the_depth_drawn_ends_at_the_portal() -> None:
    found = asked(CASE_SCENES["libccd-cylcyl-pen3"])
    place = len([m for m in found.moments if m.phase is not Phase.CONTACTS]) - 1
    answer = found.results[Phase.MPR]
    drawn = build(Context(found.analysis.scene, found.analysis, View(), DARK, found, place)).difference
    label = next(label for label in drawn.labels if label.text == "MPR's depth")
    np.testing.assert_allclose(label.point, answer.depth * answer.normal, atol=1e-12)


def test_in_the_plane_it_is_not_asked() -> None:
    found = asked(load_preset("flat-hexagon-pentagon").scene)
    assert Phase.MPR not in found.results
    assert moments(found) == []


def test_the_corner_that_is_replaced_can_be_asked() -> None:
    found = asked(load_preset("portal-right-depth").scene)
    question = next(question for question in questions(found) if question.kind is QuestionKind.LEAVES)
    assert question.text == "Which corner of the portal does w replace?"
    assert question.place is not None
    step = found.moments[question.place].step
    assert isinstance(step, MprStep)
    assert step.placed is not None
    assert question.right == {Subject("simplex", step.placed - 1)}
    for subject in question.candidates:
        assert subject in question.right or question.why_wrong(subject)
