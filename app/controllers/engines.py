"""Asks other engines about the shown pair while their panel is in sight, and judges their answers.

It also runs the search near the pair, the bundle of an answer and the curves along a way, each in separate processes. A
frame asks without waiting and reads the newest replies. The engines' processes start and end in threads.
"""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from time import thread_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.scene import Scene

from ..state.panel_state import Dialogs
from ..state.work import Work
from .background import AnswerCache
from .notices import Notices
from .preferences import Preferences

if TYPE_CHECKING:
    from core.study.differential.classes import Truth

    from ..engines.catalogue import FoundEngine
    from ..engines.workers import Reply, Worker
    from ..state.engines import EngineRow, EngineTable, PathAnswers
    from .engine_jobs import EngineJobs

PANEL = "engines"
"""The panel's id among the docked ones."""
FRAME_SECONDS = 0.002
"""Processor seconds in a frame of a drag after which no further answer is judged."""
MOST_TRUE_ANSWERS = 8
"""The number of pairs whose true answers are kept, since an engine's answer comes some frames after its question."""


class Engines:
    """The engines' processes, from the panel's first sight until its closing, and the jobs about a pair (EngineJobs).

    The closing of the panel stops a search; a bundle and the engines' curves go on without the panel.
    """

    def __init__(
        self, work: Work, answers: AnswerCache, preferences: Preferences, dialogs: Dialogs, notices: Notices
    ) -> None:
        self._work, self._answers, self._preferences, self._dialogs = work, answers, preferences, dialogs
        self._table: EngineTable | None = None
        self._detection: _EngineDetection | None = None
        self._workers: dict[str, tuple[FoundEngine, Worker]] = {}
        self._truths: list[tuple[Scene, Truth]] = []
        self._asked: dict[str, int] = {}
        self._turn = 0
        self._notices = notices
        self._jobs: EngineJobs | None = None
        self._search_wanted = False

    @property
    def shown(self) -> EngineTable | None:
        """The panel's data; None while the panel is out of sight."""
        return self._table if self._dialogs.engine_panel else None

    @property
    def drawn(self) -> EngineRow | None:
        """The row of the engine whose answer is drawn beside ours; None without an answer of finite numbers.

        None too while the panel is out of sight.
        """
        row = None if self.shown is None else self.shown.row_of(self._dialogs.engine)
        return None if row is None or row.finite_answer is None else row

    @property
    def waiting(self) -> bool:
        """Whether a list of engines, a finding, a curve, a bundle or an answer is still to come.

        Answers and the list count only while the panel is in sight.
        """
        if self.searching or self.bundling or (self.path_answers is not None and not self.path_answers.done):
            return True
        if self.shown is None:
            return False
        return self.shown.detecting or any(self._asked.get(row.name, 0) > row.number for row in self.shown.rows)

    @property
    def searching(self) -> bool:
        """Whether a search near the pair runs, or waits for the answers about the pair itself."""
        return self._search_wanted or (self._jobs is not None and self._jobs.searching)

    @property
    def bundling(self) -> bool:
        """Whether a bundle is being made."""
        return self._jobs is not None and self._jobs.bundling

    @property
    def path_answers(self) -> PathAnswers | None:
        """The engines' curves over the scenes that they were last asked about; None before the first request."""
        return None if self._jobs is None else self._jobs.path_answers

    def ask_along(self, scenes: tuple[Scene, ...]) -> None:
        """Asks every engine about each of the scenes in place of the previous request; without scenes gives it up."""
        self._at_work().ask_along(scenes, self._preferences.settings.engine_pythons)

    def search(self) -> None:
        """Starts a search for pairs near the shown one that an engine answers wrongly.

        It waits until the panel is in sight and all engines have answered about the shown pair.
        """
        self._search_wanted = True

    def stop(self) -> None:
        """Stops the search; its findings stay."""
        self._search_wanted = False
        if self._jobs is not None:
            self._jobs.stop()

    def make_bundle(self, path: Path) -> None:
        """Starts to write the bug report about the chosen engine's answer on the shown pair, in a separate process.

        `path`: the zip. A notice follows when it is written or failed, or at once if another one is being made.
        """
        self._at_work().bundle(self._work.document.committed, self._dialogs.engine, path)

    def _at_work(self) -> EngineJobs:
        from .engine_jobs import EngineJobs

        if self._jobs is None:
            self._jobs = EngineJobs(self._notices)
        return self._jobs

    def look(self) -> None:
        """Finds the engines, asks about a changed pair and reads the answers; called once a frame.

        It also reads what the jobs have found, and stops the search and ends the engines once the panel is closed.
        Raises a fault of a worker's thread.
        """
        if self._jobs is not None:
            self._jobs.look()
        if not self._dialogs.engine_panel:
            if PANEL not in self._dialogs.docked:
                self._shut()
            return
        if self._table is None or self._table.detecting:
            self._find()
        scene = self._work.scene
        if self._workers and not (self._truths and self._truths[-1][0].stands_as(scene)):
            self._ask(scene)
        self._take_in()
        self._look_at_jobs()

    def close(self) -> None:
        """Ends every process, without waiting here."""
        self._shut()
        if self._jobs is not None:
            self._jobs.close()

    def _shut(self) -> None:
        """Stops the search, ends the engines and forgets their answers; a bundle and the curves still go on."""
        self.stop()
        workers = [worker for _, worker in self._workers.values()]
        if workers:
            Thread(target=_end, args=(workers,), name="engines end").start()
        self._workers, self._asked, self._truths = {}, {}, []
        self._table, self._detection = None, None

    def _look_at_jobs(self) -> None:
        """Starts a wanted search once it is known which engines can be asked, and shows its findings."""
        table = self._table
        if table is None or table.detecting:
            return
        if self._search_wanted and all(row.number >= self._asked.get(row.name, 1) for row in table.rows):
            self._search_wanted = False
            able = {row.name: row.title for row in table.rows if row.can}
            self._at_work().search(self._work.document.committed, able)
        if self._jobs is not None and (table.hunt, table.bundling) != (self._jobs.hunt, self._jobs.bundling):
            self._table = replace(table, hunt=self._jobs.hunt, bundling=self._jobs.bundling)

    def _find(self) -> None:
        from ..engines.catalogue import ENGINES
        from ..engines.workers import Worker
        from ..state.engines import EngineRow, EngineTable

        if self._detection is None:
            self._detection, self._table = (
                _EngineDetection(self._preferences.settings.engine_pythons),
                EngineTable(detecting=True),
            )
        if self._detection.found is None:
            return
        found, refused = self._detection.found
        self._workers = {one.entry.name: (one, Worker(one.entry.command(one.python), one.entry.name)) for one in found}
        packages = {one.entry.package for one in found}
        missing = {entry.package: (entry.title, entry.how_to_get) for entry in reversed(ENGINES)}
        self._table = EngineTable(
            tuple(EngineRow(one.entry.name, one.entry.title) for one in found),
            tuple(how for package, how in reversed(missing.items()) if package not in packages),
            refused,
        )

    def _ask(self, scene: Scene) -> None:
        from core.study.differential.classes import Truth

        found = self._answers.analysis
        truth = Truth(found.separation, found.certainty.gap, found.normal, found.witness_a, found.witness_b)
        self._truths = [*self._truths[1 - MOST_TRUE_ANSWERS :], (scene, truth)]
        self._asked = {name: worker.ask(scene) for name, (_, worker) in self._workers.items()}

    def _take_in(self) -> None:
        """Judges the newest answers; in a drag as many as there is time for, the others in the next frame."""
        table, since, count = self._table, thread_time(), len(self._workers)
        if table is None or not count:
            return
        rows = list(table.rows)
        for index in ((self._turn + step) % count for step in range(count)):
            row, (found, worker) = rows[index], self._workers[rows[index].name]
            reply = worker.latest
            if reply is None or reply.number == row.number:
                continue
            if self._work.dragged and thread_time() - since > FRAME_SECONDS:
                self._turn = index
                break
            rows[index] = self._judged(row, found, reply, "" if worker.ready is None else worker.ready.version)
        if any(new is not old for new, old in zip(rows, table.rows, strict=True)):
            self._table = replace(table, rows=tuple(rows))

    def _judged(self, row: EngineRow, found: FoundEngine, reply: Reply, version: str) -> EngineRow:
        from core.study.differential.classes import judge

        engine = found.entry.engine(version)
        truth = next((truth for scene, truth in self._truths if scene is reply.scene), None)
        judgement = None if truth is None else judge(reply.scene, truth, engine, reply.answer)
        return replace(
            row,
            engine=engine,
            scene=reply.scene,
            answer=reply.answer,
            judgement=judgement,
            number=reply.number,
            noise=reply.noise,
        )


def _end(workers: list[Worker]) -> None:
    for worker in workers:
        worker.close()


class _EngineDetection:
    """Finds the installed engines in a thread, since an interpreter of the settings may take seconds to answer."""

    def __init__(self, pythons: tuple[str, ...]) -> None:
        self.found: tuple[tuple[FoundEngine, ...], tuple[str, ...]] | None = None
        Thread(target=self._find, args=(pythons,), name="engines found", daemon=True).start()

    def _find(self, pythons: tuple[str, ...]) -> None:
        from ..engines import catalogue

        self.found = catalogue.found_engines(pythons)
