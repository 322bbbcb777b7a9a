"""The search near a pair, the bug report of an answer, and the engines' curves along a way.

The first two run the program's own command line in a separate process. A frame reads the output that is there and does
not wait; giving a job up ends its process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isfinite, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from msgspec.structs import replace

from core.scene import Scene
from core.study.differential.answers import Answer, EngineAnswer, NotAsked, Unsupported

from ..engines import catalogue
from ..engines.asked import EngineSession
from ..engines.workers import Child
from ..io.scene_file import from_tree, write
from ..state.engines import EngineCurve, Hunt, PathAnswers, WrongPair
from .notices import Notices

PROGRAM = __name__.rpartition(".controllers")[0]
ROOT = Path(__file__).resolve().parents[__name__.count(".")]
"""The folder from which PROGRAM, the package with the command line, is imported."""
QUESTION_COUNT = 200
"""The number of questions to each engine; they take some seconds."""
FOUND_STATUS = 3
"""The exit status of a search that found something."""


class _Run:
    """A command about a scene, running in a separate process.

    `status`: the exit status; None while it runs. `last`: the last line of its output, "" before.
    """

    def __init__(self, command: str, scene: Scene, *words: str) -> None:
        self.status: int | None = None
        self.last = ""
        self._folder = TemporaryDirectory(prefix="separatrix-")
        file = Path(self._folder.name) / "scene.json"
        file.write_text(write(scene), "utf-8")
        about = ("--around", str(file)) if command == "hunt" else (str(file),)
        self._child = Child([sys.executable, "-m", PROGRAM, command, *about, *words], ROOT)
        self._silent = False

    def lines(self) -> list[str]:
        """The lines written since the last call; sets `status` once the process has ended."""
        found: list[str] = []
        with suppress(TimeoutError):
            while not self._silent:
                line = self._child.line(0.0).decode("utf-8", "replace").strip()
                self._silent = not line
                found += [line] if line else []
                self.last = line or self.last
        if self._silent and not self._child.alive:
            self.status = self._ended()
        return found

    @property
    def last_words(self) -> str:
        """The last line of its standard error."""
        return self._child.noise.strip().rpartition("\n")[2]

    def give_up(self) -> None:
        """Ends the process in a thread, without waiting."""
        Thread(target=self._ended, name="engine job ends").start()

    def _ended(self) -> int:
        status = self._child.end()
        self._folder.cleanup()
        return status


class _Asking:
    """Computes every engine's separation for each of some scenes, one engine after the other, in a thread.

    `engines`: the number of engines, 0 until it is known. `curves`: the titles and signed separations so far, NaN
    without one; a curve ends early if its engine lacks a shape or does not start.
    """

    def __init__(self, scenes: tuple[Scene, ...], pythons: Sequence[str]) -> None:
        self.scenes = scenes
        self.engines = 0
        self.curves: list[tuple[str, list[float]]] = []
        self.done = False
        self._given_up = False
        self._asked: EngineSession | None = None
        Thread(target=self._ask, args=(pythons,), name="engines along", daemon=True).start()

    def give_up(self) -> None:
        """Stops asking, and ends the engine's process without waiting."""
        self._given_up = True
        if self._asked is not None:
            Thread(target=self._asked.worker.close, name="engine along ends").start()

    def shown(self, before: PathAnswers | None) -> PathAnswers:
        """The curves so far; `before` itself while nothing new has come."""
        counts = [len(values) for _, values in self.curves]
        state = self.scenes, self.engines, self.done, counts
        if before and state == (before.scenes, before.engines, before.done, [len(one.values) for one in before.curves]):
            return before
        curves = (EngineCurve(title, tuple(values)) for title, values in self.curves)
        return PathAnswers(self.scenes, self.engines, tuple(curves), self.done)

    def _ask(self, pythons: Sequence[str]) -> None:
        found, _ = catalogue.found_engines(tuple(pythons))
        self.engines = len(found)
        for one in found:
            if self._given_up:
                break
            values: list[float] = []
            self.curves.append((one.entry.title, values))
            with EngineSession(one) as ask:
                self._asked = ask
                for scene in self.scenes:
                    answer = ask(scene)
                    if self._given_up or _is_the_last(answer):
                        break
                    values.append(_separation(answer))
        self.done = True


def _is_the_last(answer: Answer) -> bool:
    """Whether to stop asking the engine, since it has no such shape or does not start."""
    return isinstance(answer, Unsupported) or (isinstance(answer, NotAsked) and answer.kind == "start")


def _separation(answer: Answer) -> float:
    number = answer.signed if isinstance(answer, EngineAnswer) else None
    return nan if number is None or not isfinite(number) else number


class EngineJobs:
    """Runs one job of each kind at a time. `hunt`: the search's findings; `path_answers`: the curves; None at first."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._searching: _Run | None = None
        self._bundling: _Run | None = None
        self._titles: Mapping[str, str] = {}
        self._asking: _Asking | None = None
        self.hunt: Hunt | None = None
        self.path_answers: PathAnswers | None = None

    @property
    def searching(self) -> bool:
        """Whether a search is under way."""
        return self._searching is not None

    @property
    def bundling(self) -> bool:
        """Whether a bundle is being made."""
        return self._bundling is not None

    def search(self, scene: Scene, titles: Mapping[str, str]) -> None:
        """Starts a search near the scene with these engines (titles by name), and stops the previous search.

        Without engines no search starts, and `hunt` says so.
        """
        self.stop()
        if not titles:
            self.hunt = Hunt(ending="No engine here can be asked about this pair.")
            return
        self._titles = titles
        budget = "--questions", str(QUESTION_COUNT)
        self._searching = _Run("hunt", scene, "--engines", ",".join(titles), *budget, "--json", "--live")
        self.hunt = Hunt(next(iter(titles.values())), most=QUESTION_COUNT)

    def stop(self) -> None:
        """Stops the search; its findings stay."""
        if self._searching is not None and self.hunt is not None:
            self._searching.give_up()
            self._searching, self.hunt = None, replace(self.hunt, ending="Stopped.")

    def ask_along(self, scenes: tuple[Scene, ...], pythons: Sequence[str]) -> None:
        """Starts to ask every engine about these scenes, and gives up the previous request; no scenes only give up.

        `pythons`: interpreters in which engines are looked for, besides the program's own.
        """
        if self._asking is not None:
            self._asking.give_up()
            self._asking = None
            self.path_answers = None if self.path_answers is None else replace(self.path_answers, done=True)
        if scenes:
            self._asking, self.path_answers = _Asking(scenes, pythons), PathAnswers(scenes)

    def bundle(self, scene: Scene, engine: str, path: Path) -> None:
        """Starts to write the bug report about an engine's answer; refuses with a notice while another is made.

        `engine`: its name; `path`: the report's file.
        """
        if self._bundling is not None:
            self._notices.notify("One bundle at a time: another one is being made.")
            return
        self._bundling = _Run("bundle", scene, "--engine", engine, "-o", str(path))

    def look(self) -> None:
        """Reads new findings and curves, and notifies about a finished bundle; called once a frame."""
        run = self._searching
        if run is not None and self.hunt is not None:
            for line in run.lines():
                self.hunt = self._taken_in(self.hunt, json.loads(line))
            if run.status is not None:
                self._searching, self.hunt = None, replace(self.hunt, ending=_end_words(self.hunt, run))
        if self._asking is not None:
            self.path_answers = self._asking.shown(self.path_answers)
            if self.path_answers.done:
                self._asking = None
        run = self._bundling
        if run is not None:
            run.lines()
            if run.status is not None:
                self._bundling = None
                words = f"Bundle written: {run.last}" if run.last else run.last_words or "No bundle was written."
                self._notices.notify(words, error=not run.last)

    def close(self) -> None:
        """Gives up all jobs."""
        self.stop()
        self.ask_along((), ())
        if self._bundling is not None:
            self._bundling.give_up()
            self._bundling = None

    def _taken_in(self, hunt: Hunt, tree: dict[str, object]) -> Hunt:
        """The hunt after a line of `hunt --live`: its progress, or a finding, which replaces its earlier version."""
        name = str(tree["engine"])
        if "scene" not in tree:
            counts = {
                "asked": tree["asked"],
                "most": tree["most"],
                "not_asked": hunt.not_asked | {name: tree["not_asked"]},
            }
            return replace(hunt, title=self._titles[name], **counts)
        found = WrongPair(
            engine=name,
            title=self._titles[name],
            number=int(str(tree["number"])),
            words=str(tree["words"]),
            scene=from_tree(tree["scene"]).scene,
            reported=str(tree["reported"] or ""),
            final=bool(tree["final"]),
        )
        places = {(one.engine, one.number): one for one in hunt.found} | {(name, found.number): found}
        return replace(hunt, title=found.title, found=tuple(places.values()))


def _end_words(hunt: Hunt, run: _Run) -> str:
    """A sentence on the end of a search."""
    if run.status not in (0, FOUND_STATUS):
        return run.last_words or f"The search ended with exit status {run.status}."
    count, untold = len(hunt.found), sum(hunt.not_asked.values())
    kinds = f"{count} {'kind' if count == 1 else 'kinds'} of wrong answers near this pair."
    found = kinds if count else "Nothing wrong was found near this pair."
    if not untold:
        return found
    were, was = f"{untold} questions were", "One question was"
    return f"{found} {was if untold == 1 else were} not asked: such pairs had ended the engine too often before."
