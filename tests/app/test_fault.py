"""A fault of the program: one sentence in the place of an answer, the details in a file, and the rest goes on."""

from __future__ import annotations

import multiprocessing
import re
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

import pytest

from app.__main__ import main
from app.cli.check import CheckOptions, check
from app.cli.faults import AT_FIRST
from app.cli.scenes import LONG_LOG
from app.engines import workers
from app.engines.catalogue import ENGINES, FoundEngine
from app.io.fault_report import LARGEST_LOG, keep_report
from app.io.scene_file import load
from app.lessons import check as lesson_check
from core.analysis import in_space
from core.scene import Body, Scene
from core.shapes import Sphere
from core.study.differential import hunt
from core.study.differential.answers import EngineAnswer
from tests.core.own_engine import OURS, SPACE, ask_ours

from .command_rig import GOOD, line, objects, run
from .lesson_samples import LESSON
from .stand_in_modes import ANSWER

STRANGE = 1.25
"""B's place along x in the scene that the core fails on here."""


class BrokenError(Exception):
    """What the core raises here."""


@pytest.fixture
def broken_core(monkeypatch: pytest.MonkeyPatch, fault_log: Path) -> Path:
    """A core that cannot answer scenes with B at STRANGE; the file of faults."""
    methods = in_space.methods_of

    def methods_of(a: Body, b: Body, *more: Any) -> Any:
        if b.position[0] == STRANGE:
            raise BrokenError(f"no answer at\n{b.position[0]}")
        return methods(a, b, *more)

    monkeypatch.setattr(in_space, "methods_of", methods_of)
    return fault_log


def failed(place: object, log: Path) -> str:
    return (
        f"{place}: failed because of a fault in the program (BrokenError: no answer at {STRANGE}); "
        f"the details are in {log}"
    )


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    path = tmp_path / "strange.json"
    path.write_text(line("strange", STRANGE))
    return path


def test_a_fault_about_a_line_of_a_log_is_its_answer(tmp_path: Path, broken_core: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("one") + line("two", STRANGE) + line("three", 1.0))
    for words in ([], ["--brief"], ["--single", "--articles", "--steps"]):
        done = run("check", "--json", *words, log)
        assert (done.returncode, done.stderr) == (1, "")
        one, two, three = objects(done)
        assert (one["verdict"], three["verdict"]) == ("SEPARATED", "OVERLAPPING")
        place = {"file": str(log), "line": 2, "schema": 1}
        assert two == {"name": "two", "error": failed(f"{log}:2", broken_core)} | place
    done = run("check", "--brief", log)
    assert (done.returncode, done.stderr) == (1, failed(f"{log}:2", broken_core) + "\n")
    assert [text.split()[-1] for text in done.stdout.splitlines()] == ["one", "three"]


def test_a_fault_is_reported_once_with_its_traceback_and_scene(tmp_path: Path, broken_core: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("one", STRANGE) + line("two", STRANGE))
    run("check", "--json", log)
    report = broken_core.read_text("utf-8")
    assert report.startswith(f"{log}:1 failed.\n")
    assert report.count("Traceback") == report.count("in methods_of") == 1
    assert report.count('"name": "one"') == 1
    assert report.endswith(f"\n\n{log}:2 failed with a traceback that stands above.\n")


def test_a_fault_in_judging_is_the_scenes_answer_too(
    tmp_path: Path, fault_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, earlier = tmp_path / "log.jsonl", tmp_path / "earlier.jsonl"
    log.write_text(line("one") + line("two") + line("three"))
    earlier.write_text(run("check", "--json", log).stdout)

    def differences(*_: object) -> NoReturn:
        raise BrokenError(f"no answer at {STRANGE}")

    monkeypatch.setattr("app.cli.outcomes.differences", differences)
    done = run("check", "--json", log, "--expect", earlier)
    assert done.returncode == 1
    assert [answer["error"] for answer in objects(done)] == [failed(f"{log}:{k}", fault_log) for k in (1, 2, 3)]
    assert done.stderr == "3 scenes: 3 refused; 0 failed\n"


@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="workers must inherit the broken core")
def test_workers_say_so_too(tmp_path: Path, broken_core: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(line(f"pair {k}", STRANGE if k % 400 == 7 else 2.0) for k in range(1200)))
    assert log.stat().st_size > LONG_LOG
    one, two = (run("check", "--json", "--brief", "--jobs", jobs, log) for jobs in ("1", "2"))
    assert (one.returncode, one.stdout, one.stderr) == (two.returncode, two.stdout, two.stderr) == (1, two.stdout, "")
    assert [answer["line"] for answer in objects(two) if "error" in answer] == [8, 408, 808]


def test_what_ends_the_reading_of_a_file_leaves_the_next(
    tmp_path: Path, fault_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line("one"))

    def slides(*_: object) -> NoReturn:
        raise BrokenError(f"no answer at {STRANGE}")

    monkeypatch.setattr("app.cli.scenes.slides", slides)
    done = run("check", "--json", "--brief", log, GOOD)
    assert (done.returncode, done.stderr) == (1, failed(log, fault_log) + "\n")
    assert ["error" in answer for answer in objects(done)] == [True, False]


OF_SEVERAL = {
    "check": lambda bad, _: ("check", bad, GOOD),
    "picture": lambda bad, out: ("render", bad, GOOD, "-o", out / "{name}.svg"),
    "sheet": lambda bad, out: ("render", bad, GOOD, "-o", out / "{name}.svg", "--steps", "16,17"),
    "handout": lambda bad, out: ("render", bad, GOOD, "-o", out / "{name}.html", "--steps", "16"),
    "frames": lambda bad, out: ("render", bad, GOOD, "--frames", out, "--steps", "16", "--size", "60x40"),
}
OF_ONE = {
    "steps": lambda bad, _: ("steps", bad),
    "turn": lambda bad, out: ("render", bad, "-o", out / "turn.gif", "--turn", "2", "--size", "60x40"),
    "shrink": lambda bad, out: ("shrink", bad, "--fail-on", "depth:0", "-o", out / "small.json"),
    "bundle": lambda bad, out: ("bundle", bad, "--engine", "fcl", "-o", out / "out.zip"),
}
Words = Callable[[Path, Path], tuple[str | Path, ...]]


@pytest.mark.parametrize("words", OF_SEVERAL.values(), ids=OF_SEVERAL)
def test_of_several_scenes_the_others_are_answered(
    words: Words, strange: Path, tmp_path: Path, broken_core: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    done = run(*words(strange, out))
    assert (done.returncode, done.stderr) == (1, failed(strange, broken_core) + "\n")
    assert done.stdout.startswith("Two boxes") or [GOOD.stem in file.name for file in out.iterdir()] == [True]


@pytest.mark.parametrize("words", OF_ONE.values(), ids=OF_ONE)
def test_the_fault_of_one_scene_is_a_sentence(words: Words, strange: Path, tmp_path: Path, broken_core: Path) -> None:
    if "bundle" in words(strange, tmp_path):
        pytest.importorskip("fcl")
    out = tmp_path / "out"
    out.mkdir()
    done = run(*words(strange, out))
    assert (done.returncode, done.stdout, done.stderr) == (1, "", failed(strange, broken_core) + "\n")
    assert not list(out.iterdir())


def test_a_simpler_scene_that_cannot_be_answered_is_left_out(
    strange: Path, tmp_path: Path, broken_core: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "STRANGE", 0.0)  # B in A's middle, which is tried first
    out = tmp_path / "small.json"
    done = run("shrink", strange, "--fail-on", "depth:0", "-o", out)
    assert done.returncode == 1
    (strange_line, *_) = done.stderr.splitlines()
    assert strange_line == failed(f"{strange}, made simpler", broken_core)
    assert done.stdout.startswith(f"{out}: 0 numbers are neither 0 nor 1")
    assert load(out).scene.b.position == (1.0, 0.0, 0.0)


class OwnEngine:
    """The core, asked as an engine is."""

    entry, engine = ENGINES[0], OURS

    def __call__(self, scene: Scene) -> Any:
        return ask_ours(scene)

    def kinds(self, _: Scene) -> tuple[str, ...]:
        return SPACE


def test_a_hunt_goes_on_after_a_question_that_the_core_cannot_answer(
    fault_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [hunt.question(OURS.name, SPACE, 1, "deep", index).scene for index in range(64)]
    analyse_pairs, distance_of, judge = hunt.analyse_pairs, hunt.distance_of, hunt.judge

    def of_many(first: list[Body], second: list[Body]) -> Any:
        return broken() if asked[5].a in first else analyse_pairs(first, second)

    def of_one(scene: Scene) -> Any:
        return broken() if scene == asked[5] else distance_of(scene)

    def of_answer(scene: Scene, *more: Any) -> Any:
        return broken() if scene == asked[40] else judge(scene, *more)

    def broken() -> NoReturn:
        raise BrokenError(f"no answer at {STRANGE}")

    for name, function in (("analyse_pairs", of_many), ("distance_of", of_one), ("judge", of_answer)):
        monkeypatch.setattr(hunt, name, function)
    monkeypatch.setattr("app.cli.hunt.engine_sessions", lambda *_: (OwnEngine(),))
    done = run("hunt", "--engines", "coal", "--families", "deep", "--questions", "64", "--json", "--live")
    assert done.returncode == 1
    places = [f"Coal, seed 1, deep {which}" for which in ("0 to deep 31", "5", "40")]
    assert done.stderr.splitlines()[:-1] == [failed(place, fault_log) for place in places]
    assert done.stderr.splitlines()[-1] == "0 kinds of wrong answers were found."
    assert objects(done)[-1]["asked"] == 64


def test_an_engine_that_cannot_be_described_leaves_the_others(fault_log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def about(engine: FoundEngine) -> list[str]:
        if engine.entry.title == "FCL":
            raise BrokenError(f"no answer at {STRANGE}")
        return [f"there is {engine.entry.title}"]

    monkeypatch.setattr(
        "app.cli.engines.found_engines", lambda _: ([FoundEngine(entry, "") for entry in ENGINES[:3]], [])
    )
    monkeypatch.setattr("app.cli.engines._about", about)
    done = run("engines")
    assert (done.returncode, done.stderr) == (1, failed("FCL", fault_log) + "\n")
    assert done.stdout.splitlines()[:2] == ["there is Coal", "there is FCL, contacts"]


def test_a_fault_in_an_engines_thread_is_raised_where_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (Scene(Body(Sphere(1.0)), Body(Sphere(float(ANSWER)), (x, 0.0, 0.0))) for x in (STRANGE, 3.0))
    question_of = workers.engine_question

    def of_most(scene: Scene, *more: Any) -> Any:
        if scene == one:
            raise BrokenError("on purpose")
        return question_of(scene, *more)

    monkeypatch.setattr(workers, "engine_question", of_most)
    worker = workers.Worker((sys.executable, "-S", str(Path(__file__).with_name("stand_in_engine.py"))), "stand-in")
    for _ in range(2):
        with pytest.raises(BrokenError):
            worker.answer(one)
        assert isinstance(worker.answer(other).answer, EngineAnswer)
    worker.close()


def test_a_lesson_that_cannot_be_played_leaves_the_others(
    tmp_path: Path, fault_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = tmp_path / "bad.md", tmp_path / "good.md"
    bad.write_text(LESSON.replace("id: ", "id: bad-", 1))
    good.write_text(LESSON)
    play = lesson_check.check_lesson

    def check_lesson(lesson: Any, *more: Any, **options: Any) -> None:
        if lesson.id.startswith("bad-"):
            raise BrokenError(f"no answer at {STRANGE}")
        play(lesson, *more, **options)

    monkeypatch.setattr(lesson_check, "check_lesson", check_lesson)
    done = run("lesson", bad, good)
    assert (done.returncode, done.stderr) == (1, failed(bad, fault_log) + "\n")
    assert done.stdout.startswith(f"{good}: ")


LAST = {
    ("doctor",): "app.cli.desk_commands.examined",
    ("desktop", "--remove"): "app.cli.desktop.remove",
    ("engines",): "app.cli.engines.list_engines",
    ("check", str(GOOD), "--expect", str(GOOD)): "app.cli.outcomes.asked_for",
    ("lesson", "1"): "app.cli.lesson.lesson_to_open",
    ("render", str(GOOD), "-o", "out.svg"): "app.cli.export.targets",
}


@pytest.mark.parametrize(("words", "broken"), LAST.items(), ids=[words[0] for words in LAST])
@pytest.mark.sampled(2, "scenes")
def test_no_command_ends_in_a_traceback(
    words: tuple[str, ...], broken: str, fault_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise BrokenError("on purpose")

    monkeypatch.setattr(broken, fail)
    done = run(*words)
    said = f"separatrix: stopped by a fault of its own (BrokenError: on purpose); the details are in {fault_log}.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)
    assert "in fail" in fault_log.read_text("utf-8")


def test_what_is_no_fault_of_a_scene_ends_the_command_as_ever(strange: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for error, status in ((KeyboardInterrupt(), 130), (BrokenPipeError(), 141), (ImportError("No module named x"), 1)):

        def analyse(*_: object, error: BaseException = error) -> NoReturn:
            raise error

        monkeypatch.setattr("app.cli.check.analyse", analyse)
        done = run("check", "--json", strange)
        assert (done.returncode, done.stdout) == (status, "")
        assert ("No module named x; `separatrix doctor`" in done.stderr) == isinstance(error, ImportError)


def test_too_little_memory_is_a_sentence_and_no_fault(strange: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in ("", "the polytope takes 9 MB of memory, and 1 MB are free"):

        def analyse(*_: object, words: str = words) -> NoReturn:
            raise MemoryError(*([words] if words else []))

        monkeypatch.setattr("app.cli.check.analyse", analyse)
        done = run("check", strange)
        assert (done.returncode, done.stderr) == (1, f"{strange}: {words or 'there is not enough memory'}\n")


def test_the_windows_fault_is_a_sentence_with_the_details_in_a_file(
    monkeypatch: pytest.MonkeyPatch, fault_log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> int:
        raise ZeroDivisionError("nothing to divide by")

    monkeypatch.setattr("app.application.main", fail)
    assert main([]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "ZeroDivisionError: nothing to divide by" in told
    assert str(fault_log) in told
    assert told.endswith("Unsaved work is offered at the next start.\n")
    report = fault_log.read_text(encoding="utf-8")
    assert "in fail" in report
    assert f"ok       numpy                 {metadata.version('numpy')}\n" in report


def test_reports_follow_one_another_up_to_a_size(fault_log: Path) -> None:
    keep_report("the first\n")
    keep_report("the second\n")
    assert fault_log.read_text("utf-8") == "the first\n\nthe second\n"
    keep_report("x" * LARGEST_LOG)
    keep_report("the last\n")
    assert fault_log.read_text("utf-8") == "the last\n"


def test_of_a_thousand_lines_with_one_fault_three_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, other = tmp_path / "log.jsonl", tmp_path / "other.jsonl"
    log.write_text("".join(line().replace('"radius": 1', f'"radius": -{k + 1}') for k in range(1000)))
    other.write_text("broken\n" + line() + line().replace('"radius": 1', '"radius": -5') + "[]\n")
    done = run("check", "--brief", log, other)
    assert done.returncode == 1
    told = done.stderr.splitlines()
    radius = "b.shape.radius: must be > 0, got -"
    assert [re.sub(r"^(\S+): (.*?-)\d+$", r"\1: \2", text) for text in told[:AT_FIRST]] == [
        f"{log}:{number}: {radius}" for number in (1, 2, 3)
    ]
    assert [text.partition(": ")[0] for text in told[AT_FIRST:-1]] == [f"{other}:1", f"{other}:4"]
    assert told[-1] == f"998 more scenes have the same fault as {log}:1; check --json tells each"
    check([str(log)], as_json=True, options=CheckOptions(brief=True), jobs=2)
    answers, errors = capsys.readouterr()
    assert (answers.count('"error": '), errors) == (1000, "")
