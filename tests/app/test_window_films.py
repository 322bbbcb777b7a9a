"""Films from the window: what is seen while dragging or stepping is recorded, and made into a file while it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from app.controllers import films
from app.io.presets import presets
from app.io.scene_file import save
from app.state.export_options import ExportOptions
from app.state.export_shown import FilmSource
from app.storage.files import write_atomic
from core.scene import Body, Scene
from core.shapes import Sphere

from .film_samples import opened, psnr
from .patience import wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]

pytestmark = [pytest.mark.painted, pytest.mark.nightly("pictures")]
"""pytest finds the fixture by its name here."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which recordings go, in seconds."""
    now = [100.0]
    monkeypatch.setattr(films, "perf_counter", lambda: now[0])
    return now


def moved(driver: Driver, clock: list[float], count: int = 3, seconds: float = 0.5) -> None:
    """Body B moves `count` times, and each place stands so long."""
    for _ in range(count):
        scene = driver.app.work.scene
        x, y, z = scene.b.position
        driver.app.ask.edit(replace(scene, b=replace(scene.b, position=(x + 0.1, y, z))), "Move B")
        driver.frame()
        clock[0] += seconds


def done(driver: Driver) -> bool:
    driver.frame()
    return not driver.app.films.making


def test_a_recording_is_a_film_of_what_was_seen(driver: Driver, tmp_path: Path, clock: list[float]) -> None:
    app, path = driver.app, tmp_path / "drag.webp"
    driver.app.invoke("file.record")
    clock[0] += 0.25
    assert app.films.recording
    moved(driver, clock)
    driver.frame(4)
    shown = app.films.shown
    assert shown is not None
    assert (shown.recorded, shown.pictures) == (1.75, 4)
    assert app.panel_state().film == shown
    driver.app.invoke("file.record")
    assert (app.films.recording, app.dialogs.film) == (False, True)
    assert FilmSource.RECORDING in app.panel_state().film_sources
    app.dialogs.film = False
    app.ask.make_film(FilmSource.RECORDING, ".webp", path, ExportOptions(size=(160, 100)))
    wait_for(lambda: done(driver), "the film")
    assert app.notices.now()[-1].message == f"Film written: {path} ({path.stat().st_size / 1e6:.1f} MB)"
    pictures, durations, size, _ = opened(path)
    assert size == (160, 100)
    assert durations == [250, 500, 500, 500]
    assert len({picture.tobytes() for picture in pictures}) == 4


def test_while_recording_steps_are_seen_too_and_quick_changes_are_one_picture(
    driver: Driver, tmp_path: Path, clock: list[float]
) -> None:
    app, path = driver.app, tmp_path / "steps.webp"
    driver.key("T")
    driver.app.invoke("file.record")
    for seconds in (1.0, 0.001, 1.0):
        clock[0] += seconds
        driver.key("Right")
    driver.app.invoke("file.record")
    app.dialogs.film = False
    shown = [each.step[1] for each in app.films._recorded if each.step is not None]
    assert shown == [0, 2, 3]
    app.ask.make_film(FilmSource.RECORDING, ".webp", path, ExportOptions(size=(160, 100)))
    wait_for(lambda: done(driver), "the film")
    assert len(opened(path)[0]) == 3


def test_a_recording_in_which_nothing_moves_is_none(driver: Driver) -> None:
    driver.app.invoke("file.record")
    driver.frame(3)
    driver.app.invoke("file.record")
    app = driver.app
    assert not app.dialogs.film
    assert app.notices.now()[-1].message.startswith("Nothing has moved while recording")
    assert FilmSource.RECORDING not in app.films.sources


def test_a_recording_ends_by_itself(driver: Driver, clock: list[float]) -> None:
    driver.app.invoke("file.record")
    moved(driver, clock, 2)
    clock[0] += films.LONGEST_RECORDING
    moved(driver, clock, 1)
    assert not driver.app.films.recording
    assert driver.app.dialogs.film


@pytest.mark.parametrize("source", [FilmSource.STEPS, FilmSource.TURN, FilmSource.MOTION])
def test_each_source_makes_a_film_and_the_window_goes_on(
    driver: Driver, tmp_path: Path, source: FilmSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(films, "TURN_SECONDS", 0.16)
    monkeypatch.setattr(films, "FILM_SECONDS", 0.08)
    app, path = driver.app, tmp_path / "film.gif"
    if source is FilmSource.STEPS:
        # They have few.
        app.ask.edit(Scene(Body(Sphere(1.0)), Body(Sphere(0.5), (2.0, 0.0, 0.0))), "Balls")
    if source is FilmSource.MOTION:
        app.ask.open(next(preset.path for preset in presets() if preset.id == "tunnelling"))
        driver.frame(2)
    assert source in app.films.sources
    app.ask.make_film(source, ".gif", path, ExportOptions(size=(160, 100), seconds_per_step=0.5))
    driver.frame(3)
    shown = app.films.shown
    assert shown is not None
    before = app.work.scene
    app.ask.edit(replace(before, b=replace(before.b, position=(0.0, 3.0, 0.0))), "Away")
    assert app.work.scene != before
    wait_for(lambda: done(driver), "the film")
    pictures, durations, *_ = opened(path)
    assert len(pictures) == shown.count == {FilmSource.TURN: 4, FilmSource.MOTION: 3}.get(source, len(pictures))
    # Between steps the picture moves, in pictures of 40 ms; a motion stands at the impact and at its end.
    standing = {FilmSource.STEPS: {500}, FilmSource.MOTION: {1000}}.get(source, set())
    assert set(durations) == {40} | standing
    # What was begun is finished as it was.
    assert psnr(pictures[0], pictures[-1]) < 40.0


def test_pace_repetition_and_quality_are_kept(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "TURN_SECONDS", 0.2)
    app, sizes = driver.app, []
    for quality in (None, 30):
        path = tmp_path / f"{quality}.webp"
        app.ask.make_film(
            FilmSource.TURN, ".webp", path, ExportOptions(size=(160, 100), fps=10.0, loop=1, quality=quality)
        )
        wait_for(lambda: done(driver), "the film")
        _, durations, _, told = opened(path)
        assert (set(durations), len(durations), told["loop"]) == ({100}, 2, 1)
        sizes.append(path.stat().st_size)
    assert sizes[1] < 0.7 * sizes[0]


def test_without_a_name_a_number_is_found(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "TURN_SECONDS", 0.08)
    app = driver.app
    save(tmp_path / "pair.json", app.work.scene)
    app.ask.open(tmp_path / "pair.json")
    (tmp_path / "pair.gif").write_text("mine")
    app.ask.make_film(FilmSource.TURN, ".gif", None, ExportOptions(size=(40, 30)))
    wait_for(lambda: done(driver), "the film")
    assert (tmp_path / "pair.gif").read_text() == "mine"
    assert len(opened(tmp_path / "pair-1.gif")[0]) == 2


def test_a_film_is_given_up_by_cancel_and_by_escape(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    for give_up in (lambda: app.ask.cancel_film(), lambda: driver.key("Escape"), app.films.drop):
        app.ask.make_film(FilmSource.TURN, ".webp", tmp_path / "film.webp", ExportOptions(size=(80, 50)))
        driver.frame(3)
        app.ask.make_film(FilmSource.TURN, ".webp", tmp_path / "film.webp", ExportOptions(size=(80, 50)))
        assert app.notices.now()[-1].message == "One film at a time: another one is being made."
        give_up()
        wait_for(lambda: done(driver), "the film to be given up")
        assert app.notices.now()[-1].message == "No film was made."
    assert list(tmp_path.iterdir()) == []
    assert app.films.shown is None


NO_MEMORY = "There is not enough memory for a film of that size."


def test_a_film_beyond_the_memory_is_refused_before_any_picture_is_drawn(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    monkeypatch.setattr("app.storage.memory.free_memory", lambda: 40 * 30 * 39)
    app.ask.make_film(FilmSource.TURN, ".gif", tmp_path / "film.gif", ExportOptions(size=(40, 30)))
    wait_for(lambda: done(driver), "the end of the film")
    notice = app.notices.now()[-1]
    assert notice.message.startswith("No film was made: a film of 40x30 pixels takes 0 MB of memory, and ")
    assert notice.error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [MemoryError, ZeroDivisionError])
def test_a_fault_and_too_little_memory_end_a_film_and_the_window_goes_on(
    driver: Driver, tmp_path: Path, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = driver.app
    monkeypatch.setattr(films, "TURN_SECONDS", 0.08)

    def broken(*_: object, **__: object) -> None:
        raise error

    app.ask.make_film(FilmSource.TURN, ".gif", tmp_path / "film.gif", ExportOptions(size=(40, 30)))
    # In the thread that draws, or in the one that writes.
    if error is MemoryError:
        monkeypatch.setattr(app.films._stills, "expose", broken)
    else:
        monkeypatch.setattr(films, "write_atomic", broken)
    wait_for(lambda: done(driver), "the end of the film")
    told = [notice.message for notice in app.notices.now()]
    assert NO_MEMORY in told if error is MemoryError else "ZeroDivisionError" in told[-1]
    assert [type(fault) for fault in driver.faults] == ([] if error is MemoryError else [ZeroDivisionError])
    driver.faults.clear()
    assert list(tmp_path.iterdir()) == []
    driver.frame(2)


def test_a_film_that_cannot_be_written_is_told(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = driver.app
    monkeypatch.setattr(films, "TURN_SECONDS", 0.08)
    monkeypatch.setenv("PATH", str(tmp_path))

    def no_room(*_: object, **__: object) -> None:
        raise MemoryError

    for path, words in (
        (tmp_path / "none" / "film.gif", "The film could not be written: no such file or folder"),
        (tmp_path / "film.mp4", "No film was made: MP4 needs the program ffmpeg"),
        (tmp_path / "film.gif", NO_MEMORY),
    ):
        monkeypatch.setattr(films, "write_atomic", no_room if words is NO_MEMORY else write_atomic)
        app.ask.make_film(FilmSource.TURN, path.suffix, path, ExportOptions(size=(40, 30)))
        wait_for(lambda: done(driver), "the film")
        notice = app.notices.now()[-1]
        assert notice.message.startswith(words)
        assert notice.error
    assert list(tmp_path.iterdir()) == []
