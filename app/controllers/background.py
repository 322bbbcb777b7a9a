"""Answers that take longer than a frame may: computed on a thread of their own while the window goes on.

The scene and the answers about it are immutable, so nothing is shared but what is handed over. numpy lets go of the
interpreter while it works on large arrays, which is what these answers are made of.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Thread, get_native_id
from typing import Generic, TypeVar

from core.analysis.analysis import Analysis, analyse, too_slow
from core.analysis.methods import Detail
from core.scene import Scene

from ..state.work import Work

T = TypeVar("T")

NICENESS = 5
"""Of the thread, so that a drag that begins meanwhile has the processor first."""


class Answers:
    """Everything that is known about the scene to show."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._known: Analysis | None = None
        self._whole: Analysis | None = None
        self._job: Job[Analysis] | None = None

    @property
    def analysis(self) -> Analysis:
        """The answers about the scene to show; while a drag lasts, or they are computed, only what is fast."""
        return self.about(self._work.scene, dragging=self._work.dragged)

    @property
    def whole_analysis(self) -> Analysis:
        """All the answers about the scene to show, waited for."""
        return self.whole(self._work.scene)

    @property
    def computing(self) -> bool:
        """Whether the rest of the answers is being computed."""
        return bool(self.analysis.left_out) and not self._work.dragged

    def about(self, scene: Scene, *, dragging: bool) -> Analysis:
        """The answers about `scene`, computed once for each: what is fast at once, the rest when it is there.

        While `dragging` only what is fast. How the bodies move changes nothing.
        """
        known = _about(scene, self._known) or _about(scene, self._whole)
        if known is None:
            known = analyse(scene, Detail.LIVE if dragging or too_slow(scene) else Detail.FULL)
        if known.detail is Detail.LIVE and not dragging:
            whole = self._in_background(scene) if known.left_out else analyse(scene)
            known = known if whole is None else whole
        return self._keep(known)

    def whole(self, scene: Scene) -> Analysis:
        """All answers about `scene`; waits for them."""
        known, job = _about(scene, self._known), self._job
        if known is None or known.detail is Detail.LIVE:
            same = job is not None and job.scene.stands_as(scene)
            known = job.outcome().about(scene) if job is not None and same else analyse(scene)
        return self._keep(known)

    def _keep(self, known: Analysis) -> Analysis:
        self._known = known
        if known.detail is Detail.FULL:
            self._whole = known
        return known

    def _in_background(self, scene: Scene) -> Analysis | None:
        """All answers about `scene` when they are there. One job runs at a time: for the scene that is asked last."""
        job = self._job
        if job is None or (job.done and not job.scene.stands_as(scene)):
            job = self._job = Job(scene, analyse)
        if not (job.done and job.scene.stands_as(scene)):
            return None
        self._job = None
        return job.outcome().about(scene)


def _about(scene: Scene, known: Analysis | None) -> Analysis | None:
    """What is known, about `scene`: None where that is about bodies that stand otherwise."""
    if known is None or not known.scene.stands_as(scene):
        return None
    return known if known.scene == scene else known.about(scene)


class Job(Generic[T]):
    """A thread with its answer about a scene."""

    def __init__(self, scene: Scene, work: Callable[[Scene], T]) -> None:
        self.scene = scene
        self._work = work
        self._answers: list[T] = []
        self._error: BaseException | None = None
        # The program may end while it runs.
        self._thread = Thread(target=self._run, name=getattr(work, "__name__", "answer"), daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the answer, or an error, is there."""
        return not self._thread.is_alive()

    def within(self, seconds: float) -> bool:
        """Whether it is there after at most so long; waits as long as it is not."""
        self._thread.join(seconds)
        return self.done

    def outcome(self) -> T:
        """The answer, waited for. Raises what the computation raised."""
        self._thread.join()
        if not self._answers:
            raise self._error or RuntimeError("the computation ended without an answer")
        return self._answers[0]

    def _run(self) -> None:
        if sys.platform == "linux":  # elsewhere a thread has no niceness of its own
            os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)
        try:
            self._answers.append(self._work(self.scene))
        except BaseException as error:  # it is raised again where the answer is asked for
            self._error = error
