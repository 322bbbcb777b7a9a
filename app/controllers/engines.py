"""Other engines' answers about the pair shown, while their panel is open: who asks, and who takes in what they say.

A frame asks without waiting and looks at slots; processes start and end in threads of their own. The search near the
pair and the bundle of an answer are processes beside the program, too.
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
from .background import Answers
from .keeping import Preferences
from .notices import Notices

if TYPE_CHECKING:
    from core.study.differential.classes import Truth

    from ..engines.catalogue import Found
    from ..engines.workers import Reply, Worker
    from ..state.engines import Along, Bench, EngineRow
    from .engine_jobs import EngineJobs

PANEL = "engines"
"""The panel's id among the docked ones."""
FRAME_SECONDS = 0.002
"""Processor time of a frame of a drag after which no other answer is judged."""
KEPT = 8
"""Pairs of which is kept what is true: an answer comes some frames after its question."""


class EngineBench:
    """The engines' processes, from when the panel opens until it closes."""

    def __init__(
        self, work: Work, answers: Answers, preferences: Preferences, dialogs: Dialogs, notices: Notices
    ) -> None:
        self._work, self._answers, self._preferences, self._dialogs = work, answers, preferences, dialogs
        self._bench: Bench | None = None
        self._search: _Search | None = None
        self._workers: dict[str, tuple[Found, Worker]] = {}
        self._truths: list[tuple[Scene, Truth]] = []
        self._asked: dict[str, int] = {}
        self._turn = 0
        self._notices = notices
        self._jobs: EngineJobs | None = None
        self._search_wanted = False

    @property
    def shown(self) -> Bench | None:
        """What they said; None while the panel is out of sight."""
        return self._bench if self._dialogs.bench else None

    @property
    def drawn(self) -> EngineRow | None:
        """The engine whose answer is drawn beside ours, if it has one."""
        row = None if self.shown is None else self.shown.row(self._dialogs.engine)
        return None if row is None or row.said is None else row

    @property
    def waiting(self) -> bool:
        """Whether an answer is still to come."""
        if self.searching or self.bundling or (self.along is not None and not self.along.done):
            return True
        if self.shown is None:
            return False
        return self.shown.searching or any(self._asked.get(row.name, 0) > row.number for row in self.shown.rows)

    @property
    def searching(self) -> bool:
        """Whether a search near the pair is under way, or begins with the answers about the pair itself."""
        return self._search_wanted or (self._jobs is not None and self._jobs.searching)

    @property
    def bundling(self) -> bool:
        """Whether a bundle is being made."""
        return self._jobs is not None and self._jobs.bundling

    @property
    def along(self) -> Along | None:
        """The engines' curves over the scenes that they were last asked about."""
        return None if self._jobs is None else self._jobs.along

    def ask_along(self, scenes: tuple[Scene, ...]) -> None:
        """Asks every engine about each of the scenes; none gives up what is being asked."""
        self._at_work().ask_along(scenes, self._preferences.settings.engine_pythons)

    def search(self) -> None:
        """Looks for pairs near the one shown about which an engine is wrong, once all have answered."""
        self._search_wanted = True

    def stop(self) -> None:
        """Gives the search up; what it has found stays."""
        self._search_wanted = False
        if self._jobs is not None:
            self._jobs.stop()

    def make_bundle(self, path: Path) -> None:
        """Writes the report of the chosen engine's answer about the pair shown."""
        self._at_work().bundle(self._work.document.committed, self._dialogs.engine, path)

    def _at_work(self) -> EngineJobs:
        from .engine_jobs import EngineJobs

        if self._jobs is None:
            self._jobs = EngineJobs(self._notices)
        return self._jobs

    def look(self) -> None:
        """Once in each frame: asks about a pair that stands otherwise, and takes in what has been answered."""
        if self._jobs is not None:
            self._jobs.look()
        if not self._dialogs.bench:
            if PANEL not in self._dialogs.docked:
                self._shut()
            return
        if self._bench is None or self._bench.searching:
            self._find()
        scene = self._work.scene
        if self._workers and not (self._truths and self._truths[-1][0].stands_as(scene)):
            self._ask(scene)
        self._take_in()
        self._look_at_jobs()

    def close(self) -> None:
        """Ends every process; nothing waits for it but the end of the program."""
        self._shut()
        if self._jobs is not None:
            self._jobs.close()

    def _shut(self) -> None:
        """Of a panel that is shut; a bundle is made to its end."""
        self.stop()
        workers = [worker for _, worker in self._workers.values()]
        if workers:
            Thread(target=_end, args=(workers,), name="engines end").start()
        self._workers, self._asked, self._truths = {}, {}, []
        self._bench, self._search = None, None

    def _look_at_jobs(self) -> None:
        """Begins the search that is wanted as soon as it is known who can be asked, and shows what comes of it."""
        bench = self._bench
        if bench is None or bench.searching:
            return
        if self._search_wanted and all(row.number >= self._asked.get(row.name, 1) for row in bench.rows):
            self._search_wanted = False
            able = {row.name: row.title for row in bench.rows if row.can}
            self._at_work().search(self._work.document.committed, able)
        if self._jobs is not None and (bench.hunt, bench.bundling) != (self._jobs.hunt, self._jobs.bundling):
            self._bench = replace(bench, hunt=self._jobs.hunt, bundling=self._jobs.bundling)

    def _find(self) -> None:
        from ..engines.catalogue import ENGINES
        from ..engines.workers import Worker
        from ..state.engines import Bench, EngineRow

        if self._search is None:
            self._search, self._bench = _Search(self._preferences.settings.engine_pythons), Bench(searching=True)
        if self._search.found is None:
            return
        found, refused = self._search.found
        self._workers = {one.entry.name: (one, Worker(one.entry.command(one.python), one.entry.name)) for one in found}
        packages = {one.entry.package for one in found}
        missing = {entry.package: (entry.title, entry.how_to_get) for entry in reversed(ENGINES)}
        self._bench = Bench(
            tuple(EngineRow(one.entry.name, one.entry.title) for one in found),
            tuple(how for package, how in reversed(missing.items()) if package not in packages),
            refused,
        )

    def _ask(self, scene: Scene) -> None:
        from core.study.differential.classes import Truth

        found = self._answers.analysis
        truth = Truth(found.separation, found.certainty.gap, found.normal, found.witness_a, found.witness_b)
        self._truths = [*self._truths[1 - KEPT :], (scene, truth)]
        self._asked = {name: worker.ask(scene) for name, (_, worker) in self._workers.items()}

    def _take_in(self) -> None:
        """Judges the newest answers, in a drag as many as there is time for; the others have the next frame."""
        bench, since, count = self._bench, thread_time(), len(self._workers)
        if bench is None or not count:
            return
        rows = list(bench.rows)
        for index in ((self._turn + step) % count for step in range(count)):
            row, (found, worker) = rows[index], self._workers[rows[index].name]
            reply = worker.latest
            if reply is None or reply.number == row.number:
                continue
            if self._work.dragged and thread_time() - since > FRAME_SECONDS:
                self._turn = index
                break
            rows[index] = self._judged(row, found, reply, "" if worker.ready is None else worker.ready.version)
        if any(new is not old for new, old in zip(rows, bench.rows, strict=True)):
            self._bench = replace(bench, rows=tuple(rows))

    def _judged(self, row: EngineRow, found: Found, reply: Reply, version: str) -> EngineRow:
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


class _Search:
    """Which engines there are, asked in a thread: an interpreter of the settings may take seconds to say."""

    def __init__(self, pythons: tuple[str, ...]) -> None:
        self.found: tuple[tuple[Found, ...], tuple[str, ...]] | None = None
        Thread(target=self._find, args=(pythons,), name="engines found", daemon=True).start()

    def _find(self, pythons: tuple[str, ...]) -> None:
        from ..engines import catalogue

        self.found = catalogue.found_engines(pythons)
