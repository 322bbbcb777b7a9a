"""A lesson written from the window: its views become steps, the file passes the check and opens at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.io.presets import load_preset
from app.lessons.check import check_file
from app.lessons.lesson_file import load_lesson
from app.lessons.skeleton import Pinned, skeleton_of
from app.state.lesson import LessonPlace
from app.state.view import AxisView, Panes, View
from app.state.view import StepPlace as At
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, with_setting
from core.query.query import Phase

from .window_rig import Driver, driver

__all__ = ["driver"]

SPACE, PLANE, MOVES = (load_preset(name).scene for name in ("skew-edges", "flat-one-gap", "tunnelling"))
VIEWS = {
    "plain": Pinned(SPACE, View(), DEFAULT_SETTINGS),
    "turned": Pinned(SPACE, View().turned(-0.5, 0.25), DEFAULT_SETTINGS),
    "panes": Pinned(SPACE, View(panes=Panes.BOTH, swapped=True, axis_view=AxisView.FAN), DEFAULT_SETTINGS),
    "family": Pinned(SPACE, View(axis_view=AxisView.FAMILY, family="face of B"), DEFAULT_SETTINGS),
    "overlays": Pinned(SPACE, View(shown=frozenset({"bodies", "gauss"})), DEFAULT_SETTINGS),
    "step": Pinned(SPACE, View(step=20, at=At(Phase.GJK, 3)), DEFAULT_SETTINGS),
    "mpr": Pinned(SPACE, View(at=At(Phase.MPR, 2)), with_setting(DEFAULT_SETTINGS, "mpr", True)),
    "settings": Pinned(
        SPACE, View(), with_setting(with_setting(DEFAULT_SETTINGS, "gjk.iterations", 3), "preference", "Jolt")
    ),
    "free": Pinned(PLANE, View(free=(0.6, 0.8, 0.0)), DEFAULT_SETTINGS),
    "time": Pinned(MOVES, View(time=0.25), DEFAULT_SETTINGS),
    "still": Pinned(MOVES, View(motion=False), DEFAULT_SETTINGS),
}


@pytest.mark.parametrize("names", [*((name,) for name in VIEWS), tuple(VIEWS)])
def test_a_lesson_of_views_passes_the_check(names: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "a-lesson.md"
    path.write_text(skeleton_of([VIEWS[name] for name in names], path.stem), encoding="utf-8")
    reading = check_file(path)
    assert [fault.text(path.name) for fault in reading.faults] == []
    assert reading.lesson is not None
    assert (reading.lesson.id, reading.lesson.title, len(reading.lesson.steps)) == ("a-lesson", "A lesson", len(names))
    for name, step in zip(names, reading.lesson.steps, strict=True):
        pinned = VIEWS[name]
        look = step.look
        assert reading.lesson.scenes[step.scene or ""].scene == pinned.scene
        assert (look.panes, look.swapped, look.axes) == (pinned.view.panes, pinned.view.swapped, pinned.view.axis_view)
        assert (look.free, look.time) == (pinned.view.free, pinned.view.time)
        at = pinned.view.at
        assert look.timeline == (None if at is None else LessonPlace(at.phase, at.index))
        if isinstance(look.camera, tuple):
            cosine = pytest.approx(0.0, abs=1e-3)
            turn = (look.camera[0] - pinned.view.world.yaw + 1.0) % 6.283185307 - 1.0
            assert (turn, look.camera[1] - pinned.view.world.pitch) == (cosine, cosine)


def test_views_are_pinned_written_and_opened(driver: Driver, tmp_path: Path) -> None:
    app, path = driver.app, tmp_path / "mine.md"
    driver.key("Ctrl+L")
    driver.key("T")
    driver.key("End")
    driver.frame(2)
    driver.key("Ctrl+L")
    app.ask.look(replace(app.work.view, panes=Panes.WORLD))
    driver.key("Ctrl+L")
    assert app.lesson_writing.pinned == 3
    assert app.lesson_writing.write(path)
    driver.frame(2)
    assert app.lessons.open
    steps = load_lesson(path).steps
    assert [step.look.timeline is None for step in steps] == [True, False, False]
    assert [step.look.panes for step in steps] == [Panes.BOTH, Panes.BOTH, Panes.WORLD]
    assert app.lesson_writing.pinned == 0, "the next lesson begins anew"
    driver.key("Ctrl+L")
    assert app.lesson_writing.pinned == 0, "a lesson's own steps are not pinned"


def test_without_a_pin_the_view_shown_is_the_step_and_a_folder_that_is_not_there_is_told(
    driver: Driver, tmp_path: Path
) -> None:
    app = driver.app
    assert not app.lesson_writing.write(tmp_path / "none" / "mine.md")
    assert "could not be written" in app.notices.now()[-1].message
    assert app.lesson_writing.write(tmp_path / "mine.md")
    assert len(load_lesson(tmp_path / "mine.md").steps) == 1
