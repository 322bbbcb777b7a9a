"""Contacts over time: for each policy the contacts that persist from frame to frame, are born, die or jump.

A frame is a change of the pair, or another page of a log. The module is imported when its panel opens.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import Analysis, contacts_by
from core.contact.policies.policy import POLICIES, ContactPolicy
from core.contact.tracking import TrackedFrame, first_frame, next_frame
from core.scene import Scene

SECOND = 1.0
"""Rates count the events of this last time, seconds in which the pair changed. A log's rates are not shown."""
SPAN = {False: 10.0, True: 100.0}
"""The length of the kept history. False: seconds in which the pair changes; True: pages of a log."""
MOST_RUNS = 600
"""The most ended contacts that each policy keeps; those that ended in the last frame come on top."""


class ContactLife(Struct, frozen=True):
    """A contact's life. `slot`: its line in a chart; `start`: the time of its birth; `jumps`: the times of its jumps.

    `end`: the time of its death, or of the last frame while it lives.
    """

    id: int
    slot: int
    start: float
    end: float
    jumps: tuple[float, ...] = ()


class ContactEvent(Struct, frozen=True):
    """The numbers of contacts that were born, died and jumped at a time."""

    time: float
    born: int
    died: int
    jumped: int


class PolicyTimes(Struct, frozen=True, eq=False):
    """One policy's contacts over time.

    `frame`: the last frame compared, None if the policy has no contacts for such shapes; `time`: its time. `alive`,
    `ended`: the lives of its contacts in the history. `recent`: the last events, those within SECOND of the newest.
    `born`, `died`, `jumped`: sums over all `compared` frames.
    """

    policy: ContactPolicy
    frame: TrackedFrame | None
    time: float = 0.0
    alive: tuple[ContactLife, ...] = ()
    ended: tuple[ContactLife, ...] = ()
    recent: tuple[ContactEvent, ...] = ()
    born: int = 0
    died: int = 0
    jumped: int = 0
    compared: int = 0

    def rates(self, now: float) -> tuple[int, int, int]:
        """The counts of births, deaths and jumps within SECOND before `now`."""
        last = [event for event in self.recent if event.time > now - SECOND]
        return sum(e.born for e in last), sum(e.died for e in last), sum(e.jumped for e in last)


class ContactTimes(Struct, frozen=True, eq=False):
    """All policies' contacts over time.

    `scene`: the last frame's. `active`: the policy that the pictures show. `algorithm_settings`: those of the contacts,
    except for the policy. `pages`: a log is open, and the unit of time is a page; else a second in which the pair
    changes. `now`: the time. `frames`: the count of frames compared. `cuts`: the times at which a frame was not
    compared with the one before, because it shows another pair or a page that is not next.
    """

    scene: Scene
    active: ContactPolicy
    algorithm_settings: AlgorithmSettings
    pages: bool
    policies: tuple[PolicyTimes, ...]
    now: float = 0.0
    frames: int = 0
    cuts: tuple[float, ...] = ()

    @property
    def shown(self) -> PolicyTimes | None:
        """The active policy's contacts; None if it has none in this dimension."""
        return next((own for own in self.policies if own.policy is self.active), None)

    @property
    def behind(self) -> tuple[PolicyTimes, ...]:
        """The policies left out in the last frame. Those without contacts for such shapes do not count."""
        return tuple(own for own in self.policies if own.frame is not None and own.time < self.now)


def begun(analysis: Analysis, active: ContactPolicy, settings: AlgorithmSettings, *, pages: bool) -> ContactTimes:
    """The times at the first frame, with nothing compared. The next frame is compared with this one.

    `pages`: the frames are the pages of a log.
    """
    scene = analysis.scene
    policies = POLICIES[scene.dimension]
    started = tuple(_restarted(PolicyTimes(policy, None), analysis, settings, 0.0) for policy in policies)
    return ContactTimes(scene, active, settings, pages, started)


def times_after(times: ContactTimes, analysis: Analysis, now: float, within: Callable[[], bool]) -> ContactTimes:
    """The times after the next frame, at the time `now`.

    The active policy's contacts are always compared, the other policies' while `within()` returns True, starting with
    another policy in each frame. A policy that is left out is compared over more than one frame later.
    """
    count = len(times.policies)
    first = 0 if times.shown is None else times.policies.index(times.shown)
    order = [first, *((first + 1 + (times.frames + k) % (count - 1)) % count for k in range(count - 1))]
    policies = list(times.policies)
    for place in order:
        if place == first or within():
            policies[place] = _followed(policies[place], analysis, times, now)
    return replace(times, scene=analysis.scene, policies=tuple(policies), now=now, frames=times.frames + 1)


def caught_up(times: ContactTimes, analysis: Analysis) -> ContactTimes:
    """Compares the last frame for the policies left out. `analysis` must be that of the last frame."""
    policies = tuple(
        _followed(own, analysis, times, times.now) if own in times.behind else own for own in times.policies
    )
    return replace(times, policies=policies)


def times_restarted(times: ContactTimes, analysis: Analysis, now: float) -> ContactTimes:
    """The times after a frame at the time `now` that is not compared.

    Every contact gets a new id, and none counts as born or died.
    """
    policies = tuple(_restarted(own, analysis, times.algorithm_settings, now) for own in times.policies)
    cuts = tuple(at for at in (*times.cuts, now) if at > now - SPAN[times.pages])
    return replace(times, scene=analysis.scene, policies=policies, now=now, cuts=cuts)


def _restarted(own: PolicyTimes, analysis: Analysis, settings: AlgorithmSettings, now: float) -> PolicyTimes:
    found, ended = contacts_by(analysis, replace(settings, preference=own.policy)), (own.ended + own.alive)[-MOST_RUNS:]
    if found is None:
        return replace(own, frame=None, alive=(), ended=ended)
    scene, next_id = analysis.scene, 1 if own.frame is None else own.frame.next_id
    frame = first_frame(scene.a, scene.b, found.contacts, next_id)
    alive = tuple(ContactLife(identity, slot, now, now) for slot, identity in enumerate(sorted(frame.ids)))
    return replace(own, frame=frame, time=now, alive=alive, ended=ended)


def _followed(own: PolicyTimes, analysis: Analysis, times: ContactTimes, now: float) -> PolicyTimes:
    scene = analysis.scene
    found = contacts_by(analysis, replace(times.algorithm_settings, preference=own.policy))
    if found is None or own.frame is None:
        return own
    change = next_frame(own.frame, scene.a, scene.b, found.contacts)
    since = now - SPAN[times.pages]
    alive, ended = _lives(own.alive, change.frame.ids, change.jumped, now, since)
    recent = own.recent
    if change.born or change.died or change.jumped:
        happened = ContactEvent(now, len(change.born), len(change.died), len(change.jumped))
        recent = (*(event for event in recent if event.time > now - SECOND), happened)
    return PolicyTimes(
        policy=own.policy,
        frame=change.frame,
        time=now,
        alive=alive,
        ended=tuple(run for run in own.ended if run.end > since)[-MOST_RUNS:] + ended,
        recent=recent,
        born=own.born + len(change.born),
        died=own.died + len(change.died),
        jumped=own.jumped + len(change.jumped),
        compared=own.compared + 1,
    )


def _lives(
    alive: tuple[ContactLife, ...], ids: tuple[int, ...], jumped: tuple[int, ...], now: float, since: float
) -> tuple[tuple[ContactLife, ...], tuple[ContactLife, ...]]:
    """The lives that go on or begin, and those that ended. A new life takes the lowest free slot.

    `ids`, `jumped`: the ids of the frame's contacts, and of those that jumped. `since`: older jumps are dropped.
    """
    runs = {run.id: run for run in alive}
    taken = {run.slot for run in alive if run.id in ids}
    living = []
    for identity in sorted(ids):
        run = runs.pop(identity, None)
        if run is None:
            slot = next(k for k in range(len(taken) + 1) if k not in taken)
            taken.add(slot)
            run = ContactLife(identity, slot, now, now)
        jumps = tuple(at for at in run.jumps if at > since) + ((now,) if identity in jumped else ())
        living.append(replace(run, end=now, jumps=jumps))
    return tuple(living), tuple(replace(run, end=now) for run in runs.values())
