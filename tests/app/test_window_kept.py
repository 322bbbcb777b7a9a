"""What a run leaves to the next one, and what is told while stepping: in the real application without a display."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PIL import Image

from app.application import Application
from app.overlays.context import Overlay
from app.overlays.registry import OVERLAYS
from app.stages import hidden_steps_text, overlay_is_shown
from app.state.export_options import ExportOptions
from app.state.prediction import Kind
from app.state.settings import load_settings
from core.query.query import Phase, query

from .window_rig import Driver, driver

__all__ = ["driver"]


def test_open_panels_and_the_pace_are_there_again_in_the_next_run(driver: Driver) -> None:
    app = driver.app
    app.invoke("panel.knobs")
    app.invoke("panel.through_zero")
    app.ask.play(replace(app.work.playback, speed=8.0, loop=True))
    driver.frame(2)
    kept = load_settings()[0]
    assert (set(kept.open_panels), kept.steps_per_second, kept.loop) == ({"knobs", "through_zero"}, 8.0, True)
    app.close()
    after = driver.app = Application(app.window, app.context)
    assert set(after.dialogs.docked) == {"knobs", "through_zero"}
    playback = after.work.playback
    assert (playback.speed, playback.loop, playback.open) == (8.0, True, False)
    after.dialogs.dock("knobs", shown=False)
    driver.frame(2)
    assert load_settings()[0].open_panels == ("through_zero",)


@pytest.mark.parametrize(
    "overlay", [it for it in OVERLAYS if 3 not in it.unavailable_in], ids=lambda overlay: overlay.id
)
@pytest.mark.sampled(3, "windows")
def test_a_switch_that_shows_nothing_at_a_step_says_so(driver: Driver, overlay: Overlay) -> None:
    app = driver.app
    app.steps.toggle_timeline()
    for moment in (query(app.answers.analysis).moments[place] for place in (0, 16)):
        app.steps.play(replace(app.work.playback, phase=moment.phase, index=moment.index))
        app.cameras.look(replace(app.work.view, shown=app.work.view.shown - {overlay.id}))
        app.notices._standing.clear()
        app.ask.invoke(f"overlay.{overlay.id}")
        told = [notice.message for notice in app.notices.now()]
        assert bool(told) == (not overlay_is_shown(overlay, moment.phase))
        assert all(hidden_steps_text(overlay) in message and overlay.title in message for message in told)
    assert hidden_steps_text(overlay) in app.commands.named(f"overlay.{overlay.id}").tip


def test_a_step_of_sat_is_told_for_what_stays_at_sat() -> None:
    told = {overlay.id: hidden_steps_text(overlay) for overlay in OVERLAYS}
    assert told["axes"] == "While stepping, shown only at the steps of SAT."
    assert told["mtv"] == (
        "While stepping, shown only at SAT's last step, or earlier if the eye beside the verdict is open."
    )
    assert told["contacts"] == "Hidden while stepping, so as not to give the result away."
    assert told["difference"] == "Hidden at the steps of the difference."
    assert told["grid"] == ""


@pytest.mark.painted
def test_a_screenshot_taken_while_a_question_is_open_keeps_the_answer_back(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    driver.key("S")
    assert app.quiz.asked is not None
    assert app.quiz.asked.question.kind is Kind.AXIS
    pictures = {}
    for name in ("asked", "shown"):
        app.ask.take_picture(ExportOptions(size=(320, 200)), path=tmp_path / f"{name}.png")
        pictures[name] = np.asarray(Image.open(tmp_path / f"{name}.png").convert("RGB")).astype(int)
        app.quiz.show_answer()
        driver.frame(2)
    # The winner's colour stands out in the picture with the answer only.
    winner = np.array(app.preferences.theme.winner[:3]) * 255.0
    seen = {name: int((np.abs(rgb - winner).max(axis=2) < 12.0).sum()) for name, rgb in pictures.items()}
    assert seen["asked"] == 0
    assert seen["shown"] > 50
    assert Phase.SAT in {moment.phase for moment in app.steps.all.moments}
