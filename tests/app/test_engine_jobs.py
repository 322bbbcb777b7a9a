"""The search near a pair and the bundle, beside the window: no frame waits, results come, a stop leaves no process."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from zipfile import ZipFile

import pytest

from app.controllers.engine_jobs import EngineJobs, _end_words, _Run
from app.controllers.notices import Notices
from app.engines.catalogue import EngineSpec
from app.engines.catalogue import FoundEngine as Installed
from app.io import scene_file
from app.state.engines import Hunt
from core.scene import Body, Scene
from core.shapes import Sphere
from core.study.differential.numbers import numbers_left
from tests.app import stand_in_modes as told
from tests.app.command_rig import run
from tests.app.patience import wait_for
from tests.core.engine_faults import fault
from tests.counting import calls

pytest.importorskip("coal")
pytest.importorskip("fcl")

FAULT = "coal-sphere-cylinder-depth-too-large"
MOST_CALLS = 3_000
"""Of functions in a frame's look: a millisecond."""
ENGINES = {"coal": "Coal", "fcl": "FCL"}


def frames(jobs: EngineJobs, ended: Callable[[], bool]) -> tuple[list[Hunt], int]:
    """Looks until it has ended; each state that was shown, and how many functions the costliest look called."""
    shown: list[Hunt] = []
    most = 0

    def frame() -> None:
        nonlocal most
        most = max(most, calls(jobs.look))
        if jobs.hunt is not None and (not shown or jobs.hunt is not shown[-1]):
            shown.append(jobs.hunt)
        time.sleep(0.005)

    wait_for(ended, "the end", meanwhile=frame)
    return shown, most


@pytest.mark.nightly("commands")
def test_a_search_shows_each_result_as_it_comes_and_then_shrunk() -> None:
    scene = fault(FAULT)[0]
    jobs = EngineJobs(Notices())
    jobs.search(scene, ENGINES)
    shown, most = frames(jobs, lambda: not jobs.searching)
    assert most < MOST_CALLS
    assert {hunt.title for hunt in shown} == {"Coal", "FCL"}
    asked = [hunt.asked for hunt in shown if hunt.title == "Coal"]
    assert asked == sorted(asked)
    assert asked[-1] == shown[-1].most
    early = next(hunt.found[0] for hunt in shown if hunt.found)
    last = shown[-1].found
    assert not early.final
    assert all(found.final for found in last)
    coal = next(found for found in last if found.engine == "coal")
    assert coal.words.startswith("depth too large")
    assert numbers_left(coal.scene) <= 6 < numbers_left(early.scene)
    assert shown[-1].ending == f"{len(last)} kinds of wrong answers near this pair."


@pytest.mark.parametrize(
    ("not_asked", "words"),
    [
        ({"a": 0}, "Nothing wrong was found near this pair."),
        (
            {"a": 1},
            "Nothing wrong was found near this pair. One question was not asked: such pairs had ended the engine",
        ),
        ({"a": 2, "b": 3}, "Nothing wrong was found near this pair. 5 questions were not asked: such pairs had ended"),
    ],
)
def test_a_search_says_at_its_end_how_much_was_not_asked(not_asked: dict[str, int], words: str) -> None:
    run = SimpleNamespace(status=0, said="")
    assert _end_words(Hunt(not_asked=not_asked), cast("_Run", run)).startswith(words)


def test_a_search_that_is_stopped_leaves_no_process_and_keeps_what_it_found() -> None:
    jobs = EngineJobs(Notices())
    jobs.search(fault(FAULT)[0], ENGINES)
    frames(jobs, lambda: jobs.hunt is not None and bool(jobs.hunt.found))
    assert jobs._searching is not None
    child, folder = jobs._searching._child, Path(jobs._searching._folder.name)
    jobs.stop()
    assert jobs.hunt is not None
    assert jobs.hunt.ending == "Stopped."
    assert jobs.hunt.found
    wait_for(lambda: not child.alive and not folder.exists(), "its end")


def test_without_an_engine_that_can_be_asked_a_search_says_so() -> None:
    jobs = EngineJobs(Notices())
    jobs.search(fault(FAULT)[0], {})
    assert not jobs.searching
    assert jobs.hunt is not None
    assert jobs.hunt.ending == "No engine here can be asked about this pair."


@pytest.mark.nightly("commands")
def test_a_bundle_is_that_of_the_command_and_its_place_is_told(tmp_path: Path) -> None:
    notices, scene = Notices(), fault(FAULT)[0]
    jobs = EngineJobs(notices)
    jobs.bundle(scene, "coal", tmp_path / "mine.zip")
    assert frames(jobs, lambda: not jobs.bundling)[1] < MOST_CALLS
    (told,) = notices.now()
    assert told.message.startswith(f"Bundle written: {tmp_path / 'mine.zip'}: Coal")
    scene_file.save(tmp_path / "scene.json", scene)
    assert run("bundle", tmp_path / "scene.json", "--engine", "coal", "-o", tmp_path / "theirs.zip").returncode == 0
    with ZipFile(tmp_path / "mine.zip") as mine, ZipFile(tmp_path / "theirs.zip") as theirs:
        for name in ("report.md", "repro.py", "scene.json"):
            assert mine.read(name) == theirs.read(name)
    jobs.bundle(scene, "fcl", tmp_path / "none.zip")
    frames(jobs, lambda: not jobs.bundling)
    assert notices.now()[-1].message.startswith("There is nothing to report: FCL")
    assert notices.now()[-1].error
    assert not (tmp_path / "none.zip").exists()


def stand_ins(count: int) -> tuple[Installed, ...]:
    stand_in = str(Path(__file__).with_name("stand_in_engine.py"))
    return tuple(
        Installed(EngineSpec(f"e{number}", f"Engine {number}", stand_in, "m", "p"), sys.executable)
        for number in range(count)
    )


def way(*modes: int) -> tuple[Scene, ...]:
    """Two balls at a distance of 2, 3, ..., B of radius 1: what the stand-in is told to do, by B's radius."""
    return tuple(
        Scene(Body(Sphere(1.0)), Body(Sphere(float(mode)), (2.0 + place, 0.0, 0.0))) for place, mode in enumerate(modes)
    )


def test_every_engine_is_asked_about_each_scene_and_gaps_stay_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engines.catalogue.found_engines", lambda _pythons: (stand_ins(2), ()))
    jobs, scenes = EngineJobs(Notices()), way(told.ANSWER, told.NOT_FINITE, told.EXIT, told.ANSWER)
    jobs.ask_along(scenes, ())
    _, most = frames(jobs, lambda: jobs.path_answers is not None and jobs.path_answers.done)
    assert most < MOST_CALLS
    assert jobs.path_answers is not None
    assert jobs.path_answers.scenes is scenes
    assert jobs.path_answers.engines == 2
    assert [curve.title for curve in jobs.path_answers.curves] == ["Engine 0", "Engine 1"]
    for curve in jobs.path_answers.curves:
        first, none, neither, last = curve.values
        # Its number is that of its process, which the third question has ended.
        assert 0.0 < first != last > 0.0
        assert none != none
        assert neither != neither


def test_asking_along_a_way_can_be_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engines.catalogue.found_engines", lambda _pythons: (stand_ins(2), ()))
    jobs = EngineJobs(Notices())
    jobs.ask_along(way(told.ANSWER, *[told.SLEEP] * 50), ())
    asking = jobs._asking
    assert asking is not None
    frames(jobs, lambda: jobs.path_answers is not None and any(curve.values for curve in jobs.path_answers.curves))
    jobs.close()
    assert jobs.path_answers is not None
    assert jobs.path_answers.done
    wait_for(lambda: asking.done, "the thread that asks")
    assert len(asking.curves) == 1
    assert asking._asked is not None
    assert not asking._asked.worker._thread.is_alive()
