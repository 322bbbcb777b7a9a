"""MPR's steps in words and pictures: every way it ends, each line of its listing, and nothing of it by default."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.render.pictures import build
from app.stages.listings import listing_of
from app.stages.mpr.words import GOOD_STOPS, STOPS
from app.stages.words import step_text
from app.state.view import View
from core import Scene, analyse
from core.analysis.knobs import DEFAULT_KNOBS
from core.mpr.answer import MprAction, MprStep, MprStop
from core.query.query import Moment, Phase, Query, query
from tests.core.test_mpr import CASE_SCENES

ASKED = replace(DEFAULT_KNOBS, mpr=True)
NAMES = [preset.id for preset in presets() if preset.group != "The flat world"]


def asked(scene: Scene) -> Query:
    return query(analyse(scene), ASKED)


def moments(found: Query) -> list[Moment]:
    return [moment for moment in found.moments if moment.phase is Phase.MPR]


@pytest.mark.parametrize("name", NAMES)
def test_it_follows_epa_if_it_is_asked_for_and_says_and_draws_every_step(name: str) -> None:
    scene = load_preset(name).scene
    without, found = query(analyse(scene)), asked(scene)
    assert without.mpr is None
    assert Phase.MPR not in [phase for phase, _, _ in without.phases]
    mine = moments(found)
    assert [moment.phase for moment in found.moments if moment.phase is not Phase.MPR] == [
        moment.phase for moment in without.moments
    ]
    order = [phase for phase, _, _ in found.phases]
    assert order == sorted(order, key=list(Phase).index)
    lines = listing_of(Phase.MPR, 3).lines
    for moment in mine:
        assert isinstance(moment.step, MprStep)
        text = step_text(found, moment)
        assert text.title.startswith(f"MPR, step {moment.index + 1} of {len(mine)}: ")
        assert (text.stop is not None) == moment.last
        if text.stop is not None:
            assert text.stop.name in lines[text.line]
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
    text = step_text(found, replace(last, step=replace(last.step, stop=stop)))
    assert text.stop is not None
    assert text.stop.name == stop.value
    assert text.stop.meaning.startswith(STOPS[stop])
    assert text.stop.good is (stop in GOOD_STOPS)
    if stop is not MprStop.SPACE_ONLY:
        assert stop.value in listing_of(Phase.MPR, 3).lines[text.line]


def test_the_nudge_and_the_depth_beside_epa_are_told() -> None:
    found = asked(CASE_SCENES["libccd-boxcyl-pen7"])
    first, last = moments(found)
    assert "Both coincide, so v₀ is moved by" in step_text(found, first).decided
    stop = step_text(found, last).stop
    assert stop is not None
    assert "MPR's depth is 1.32192, a bound" in stop.meaning
    assert "The least depth is 0.750636" in stop.meaning


def test_the_depth_drawn_ends_at_the_portal() -> None:
    found = asked(CASE_SCENES["libccd-cylcyl-pen3"])
    place = len([m for m in found.moments if m.phase is not Phase.CONTACTS]) - 1
    assert found.mpr is not None
    assert found.mpr.depth is not None
    assert found.mpr.normal is not None
    drawn = build(Context(found.analysis.scene, found.analysis, View(), DARK, found, place)).difference
    label = next(label for label in drawn.labels if label.text == "MPR's depth")
    np.testing.assert_allclose(label.point, found.mpr.depth * found.mpr.normal, atol=1e-12)


def test_in_the_plane_it_is_not_asked() -> None:
    found = asked(load_preset("flat-hexagon-pentagon").scene)
    assert found.mpr is None
    assert moments(found) == []
