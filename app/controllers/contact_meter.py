"""Records contacts over time, from frame to frame, while the panel of this name is in sight."""

from __future__ import annotations

from time import perf_counter, thread_time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.scene import Scene

from ..state.panel_state import Dialogs, LogPosition
from ..state.work import Work
from .background import AnswerCache

if TYPE_CHECKING:
    from ..state.contact_times import ContactTimes

PANEL = "contact_times"
"""The panel's id among the docked ones."""
FRAME_SECONDS = 0.0035
"""Processor seconds in a frame of a drag after which no further policy is compared; 5 ms with the panel's drawing."""
PAUSE = 0.1
"""The most seconds that count between two frames: time in which nothing changes does not count."""


class ContactMeter:
    """Records the contacts. The first frame of a pair, and the first after the panel was hidden, compares nothing."""

    def __init__(self, work: Work, answers: AnswerCache, dialogs: Dialogs) -> None:
        self._work, self._answers, self._dialogs = work, answers, dialogs
        self._times: ContactTimes | None = None
        self._source: object = None
        self._page = 0
        self._last = 0.0
        self._looked_away = False

    @property
    def times(self) -> ContactTimes | None:
        """The record; None while the panel is out of sight."""
        return self._times if self._dialogs.meter_panel else None

    def clear(self) -> None:
        """Clears the record."""
        self._times = None

    def look(self, log: LogPosition | None) -> None:
        """Records a changed pair or another page of a log; called once a frame.

        Records nothing while the panel is out of sight, nor at a page that cannot be shown; once the panel is closed
        the record is cleared.
        """
        if not self._dialogs.meter_panel:
            self._looked_away = True
            if PANEL not in self._dialogs.docked:
                self._times = None
            return
        if log is not None and log.fault:
            # The previous page is still shown, and the next page will be too far from it.
            return
        scene = self._work.scene
        source, page = (self._work.opened, 0) if log is None or log.away else (log.path, log.index)
        preference, settings, times = (
            self._work.algorithm_settings.preference,
            _but_for_the_policy(self._work.algorithm_settings),
            self._times,
        )
        if times is None or source is not self._source or settings != times.algorithm_settings:
            from ..state.contact_times import begun

            self._times = begun(self._answers.analysis, preference, settings, pages=log is not None)
        elif page != self._page or not scene.stands_as(times.scene):
            self._times = self._next(times, joined=abs(page - self._page) <= 1 and not self._looked_away)
        elif times.behind and not self._work.dragged:
            from ..state.contact_times import caught_up

            self._times = caught_up(times, self._answers.analysis)
        if self._times is not None and self._times.active is not preference:
            self._times = replace(self._times, active=preference)
        self._source, self._page, self._looked_away = source, page, False

    def _next(self, times: ContactTimes, *, joined: bool) -> ContactTimes:
        """The record with the present frame; `joined`: it directly follows the previous frame."""
        from ..state.contact_times import times_after, times_restarted

        analysis, since = self._answers.analysis, thread_time()
        same = _same_pair(analysis.scene, times.scene)
        if self._work.dragged and not same:
            # During a resize each frame has another pair; the pair counts after the release.
            return times
        now = times.now + (1.0 if times.pages else self._passed())
        if not (joined and same):
            return times_restarted(times, analysis, now)
        limit = FRAME_SECONDS if self._work.dragged else float("inf")
        return times_after(times, analysis, now, lambda: thread_time() - since < limit)

    def _passed(self) -> float:
        """The seconds since the last frame, at most PAUSE."""
        last, self._last = self._last, perf_counter()
        return min(max(self._last - last, 0.0), PAUSE)


def _but_for_the_policy(settings: AlgorithmSettings) -> AlgorithmSettings:
    """The settings that contacts depend on, without the policy."""
    return replace(DEFAULT_SETTINGS, contacts=settings.contacts, reduce=settings.reduce)


def _same_pair(scene: Scene, before: Scene) -> bool:
    """Whether the bodies have the same shapes as before, or are the same bodies exchanged."""
    shapes = (scene.a.shape, scene.b.shape)
    return shapes == (before.a.shape, before.b.shape) or scene.swapped().stands_as(before)
