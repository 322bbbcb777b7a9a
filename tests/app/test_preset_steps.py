"""A preset's steps: its timeline opens at its algorithm, its words count them, and it is left without a question."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from app.io.presets import load_preset, phase_about, presets
from core.analysis.analysis import analyse
from core.query.query import Phase, query

from .test_window_lessons import moved
from .window_rig import Driver, driver

__all__ = ["driver"]

NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6}
COUNTED = re.compile(r"(\w+) (expansions|steps)\b", re.IGNORECASE)


def test_every_preset_with_a_phase_names_one() -> None:
    assert {preset.about for preset in presets()} <= {"", *(phase.name.lower() for phase in Phase)}


@pytest.mark.parametrize(
    "name",
    [
        preset.id
        for preset in presets()
        if phase_about(preset.id) in (Phase.GJK, Phase.EPA) and "polygons" in preset.tags
    ],
)
def test_titles_and_notes_count_the_steps_that_there_are(name: str) -> None:
    scene = load_preset(name).scene
    steps = {phase: [m.step for m in query(analyse(scene)).moments if m.phase is phase] for phase in Phase}
    told = {
        (word.lower(), NUMBERS[number.lower()])
        for number, word in COUNTED.findall(f"{scene.name}. {scene.notes}")
        if number.lower() in NUMBERS
    }
    grown = sum(step.nearest is not None and step.stop is None for step in steps[Phase.EPA])
    assert told
    assert told <= {("expansions", grown), ("steps", len(steps[Phase.GJK]))}


@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("flat-epa-growth", Phase.EPA),
        ("flat-gjk-walk", Phase.GJK),
        ("squares-turned", Phase.CONTACTS),
        ("skew-edges", Phase.SAT),
    ],
)
def test_the_timeline_opens_at_what_the_preset_is_about(driver: Driver, name: str, phase: Phase) -> None:
    app = driver.app
    app.files.load_preset(name)
    app.invoke("steps.timeline")
    driver.frame(3)
    moment = app.steps.moment
    assert (moment.phase, moment.index) == (phase, 0)


def test_a_preset_that_was_only_moved_is_left_unasked_and_undo_brings_it_back(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(moved(app.work.scene, 1.2), "Move B")
    driver.frame(2)
    mine, preset = app.work.document.entries, app.work.preset
    app.files.load_preset("two-spheres")
    driver.frame(2)
    assert app.questions.pending is None
    assert app.work.preset == "two-spheres"
    app.invoke("edit.undo")
    driver.frame(2)
    assert (app.work.document.entries, app.work.preset) == (mine, preset)
    app.invoke("edit.undo")
    driver.frame(2)
    assert not app.work.document.unsaved
    # What was changed in it otherwise is asked about.
    app.ask.edit(replace(app.work.scene, notes="mine"), "Edit notes")
    app.files.load_preset("two-spheres")
    assert app.questions.pending is not None


def test_leaving_the_program_still_asks(driver: Driver) -> None:
    driver.app.ask.edit(moved(driver.app.work.scene, 1.2), "Move B")
    driver.app.close_asked()
    assert driver.app.questions.pending is not None
