"""Runs a lesson: shows its steps in place of the user's work, and restores the work afterwards.

A lesson changes nothing in the user's document, its undo, the file or the settings. While a lesson is open, the work
has a document of the lesson's own, which is never saved; the user's comes back when the lesson is left. Goals are
judged once a frame, on the frame's answers; the learner's actions are detected from one frame to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from time import monotonic
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from ..state.lesson import LOG_SCALE, CameraRule, Lesson, LessonStep
from ..state.lesson_shown import LessonShown
from ..state.panel_state import Dialogs
from ..state.reveal import AnswerShown
from ..state.settings import Settings
from ..state.view import Seen, View
from ..state.work import Document
from .cameras import Cameras
from .lesson_events import WITHOUT_ATTEMPT, Before, Facts, LastFrame, UnderWay, answer_at, noticed
from .lesson_progress import LessonProgressKeeper
from .playback import PACE
from .services import Services

if TYPE_CHECKING:
    from ..lessons.situation import Situation

PANEL_IDS = {"settings": "knobs", "side_by_side": "compare", "edge_tools": "edge_tools", "through_zero": "through_zero"}
"""Ids of docked panels by their names in lesson files."""


class Lessons:
    """Runs the open lesson. Without one, only `begin`, `resume` and `replaced` do something.

    At its end only the requests about the step shown do nothing.

    In an unchecked lesson a step may not open, or its solution may not be playable: then a notice says why.
    """

    def __init__(self, services: Services, cameras: Cameras, dialogs: Dialogs) -> None:
        self._work, self._steps = services.work, services.steps
        self._quiz, self._answers = services.quiz, services.answers
        self._motion, self._notices, self._preferences = services.motion, services.notices, services.preferences
        self._cameras, self._dialogs = cameras, dialogs
        self._under_way: UnderWay | None = None
        self._situation: Situation | None = None
        self._last_frame: LastFrame | None = None
        self.keeper = LessonProgressKeeper(services.notices)
        self._clock: Callable[[], float] = monotonic

    # The lesson's state.

    @property
    def open(self) -> bool:
        """Whether a lesson is under way."""
        return self._under_way is not None

    @property
    def step(self) -> LessonStep | None:
        """The step shown; None without a lesson, and at its end."""
        return None if self._under_way is None else self._under_way.step

    @property
    def met(self) -> bool:
        """Whether all goals of the step shown are met.

        True for a step without goals and at the end, false without a lesson.
        """
        return self._under_way is not None and all(self._under_way.ticks)

    @property
    def shown(self) -> LessonShown | None:
        """The lesson as the panels see it; None without one."""
        at = self._under_way
        if at is None:
            return None
        progress, following = self.keeper.of(at.lesson), self.keeper.following(at.lesson)
        return LessonShown(
            lesson=at.lesson,
            number=at.number,
            reached=at.reached,
            ticks=at.ticks,
            helped=at.helped,
            chosen="" if self._situation is None else self._situation.events.chosen,
            wrong_options=at.wrong_options,
            feedback=at.feedback,
            hints=at.hints,
            offers_hint=at.wants_help(self._clock()),
            answer=self.answer,
            number_of=self._number_of,
            minutes=max(1, round(at.spent / 60.0)),
            alone_in=frozenset(progress.done),
            shown_in=frozenset(progress.shown),
            following="" if following is None else following.title,
            term=at.term,
            defined=at.defined,
        )

    @property
    def answer(self) -> AnswerShown:
        """The part of the pair's answer that may be shown now; all of it without a lesson and at its end."""
        return AnswerShown.FULL if self.step is None else answer_at(self.step, self._steps.moment, met=self.met)

    @property
    def movable(self) -> tuple[int, ...]:
        """The bodies that can be dragged, A (0) and B (1): both without a lesson, else those of `UnderWay.movable`."""
        return (0, 1) if self._under_way is None else self._under_way.movable

    def settings(self, settings: Settings) -> Settings:
        """The settings as the panels see them; `settings` itself without a lesson.

        In a lesson docked panels are shown if one is open or the step has any. The listing and the hint at the
        viewport's bottom are hidden.
        """
        if self._under_way is None:
            return settings
        shown = bool(self._dialogs.docked) or (self.step is not None and bool(self.step.look.panels))
        return replace(settings, panels=shown, algorithm=False, hint=False)

    def own(self, asked: Settings, kept: Settings) -> Settings:
        """The settings `asked`, but with the values of `kept` for those that an open lesson overrides."""
        if self._under_way is None:
            return asked
        return replace(asked, panels=kept.panels, algorithm=kept.algorithm, hint=kept.hint)

    @property
    def next_in(self) -> float | None:
        """Seconds until the next frame is due; None if none is due before the next event.

        One is due when pointing at an axis counts, when help is offered, and while a solution is played.
        """
        at, last, now = self._under_way, self._last_frame, self._clock()
        if at is None or last is None or at.step is None or all(at.ticks):
            return None
        if at.demonstration is not None:
            return PACE
        from ..lessons.situation import POINTING

        waits = [at.attempted + WITHOUT_ATTEMPT - now]
        if last.view.hover is not None and last.view.hover.kind == "axis":
            waits.append(last.since + POINTING - now)
        return min((wait for wait in waits if wait > 0.0), default=None)

    # Opening and leaving.

    def begin(self, lesson: Lesson, step: str = "") -> bool:
        """Opens a lesson at the step with this id, else at its first step. Stops an asking, and ends a drag unfinished.

        Returns False, with a notice, if that step cannot be opened; then the lesson before it stays open.
        """
        self._keep_time()
        before, progress, previous = self._before(), self.keeper.of(lesson), self._under_way
        self._under_way = UnderWay(lesson, before, self._clock(), attempted=self._clock())
        self._under_way.reached = progress.reached([known.id for known in lesson.steps])
        self._under_way.spent = 0.0 if progress.finished else progress.seconds
        number = next((k for k, known in enumerate(lesson.steps) if known.id == step), 0)
        if not self._show(number):
            self._under_way = previous
            return False
        self._dialogs.presets = False
        return True

    def resume(self, name: str = "") -> None:
        """Opens the shipped lesson with this id where it was left.

        Without an id: the lesson opened last or, if that is finished, the next. For an unknown id, the first. Shows a
        notice if there are no shipped lessons.
        """
        found = self.keeper.resumed(name)
        if found is None:
            self._notices.notify("There are no lessons in this copy of the program.", error=True)
        else:
            self.begin(*found)

    def replaced(self, lesson: Lesson) -> None:
        """Opens the lesson as rewritten by its author, at the step with the same id, as `begin`."""
        self.begin(lesson, "" if self.step is None else self.step.id)

    def leave(self) -> bool:
        """Closes the lesson and restores the work, except for the deck; returns False without a lesson."""
        at, work = self._under_way, self._work
        if at is None:
            return False
        self._keep_time()
        self._quiz.stop()
        self._under_way = self._situation = self._last_frame = None
        self._steps.only, self._steps.until, self._motion.panel_taught = None, None, False
        self._cameras.forget()
        work.put_back(replace(at.before.work, deck=work.deck))
        self._dialogs.docked, self._dialogs.log_scale = at.before.docked, at.before.log_scale
        self._cameras.put_back(at.before.cameras)
        self._steps.play(work.playback)
        return True

    def _keep_time(self) -> None:
        """Stores the time spent in the open lesson, if any."""
        at = self._under_way
        if at is not None:
            at.spend(self._clock())
            spent = at.spent
            self.keeper.change(at.lesson.id, lambda progress: replace(progress, seconds=spent))

    def _before(self) -> Before:
        self._quiz.stop()
        if self._under_way is not None:
            return self._under_way.before
        work = self._work
        if work.dragged:
            work.document = work.document.previewed(None)
        return Before(work.saved_state(), self._dialogs.docked, self._dialogs.log_scale, self._cameras.saved_state())

    # Going through it.

    def go(self, number: int) -> None:
        """Shows a step by its number, from 0; ignores a step that was not reached before."""
        if self._under_way is not None and 0 <= number <= self._under_way.reached:
            self._show(number)

    def back(self) -> None:
        """Shows the previous step, if any."""
        if self._under_way is not None:
            self.go(self._under_way.number - 1)

    def next(self) -> None:
        """Shows the next step, or the lesson's end, whether the goals are met or not."""
        at = self._under_way
        if at is None or at.step is None:
            return
        left = self._work.document.committed
        at.starts.setdefault(at.number + 1, left)
        if all(at.ticks):
            at.starts[at.number + 1] = left
        self._show(at.number + 1)

    def begin_following(self) -> bool:
        """Opens the next lesson of the shelf at its first step; returns False if there is none."""
        following = None if self._under_way is None else self.keeper.following(self._under_way.lesson)
        return following is not None and self.begin(following)

    def restart(self) -> None:
        """Shows the step again as it began, with its first scene and view."""
        if self._under_way is not None:
            self._show(self._under_way.number, again=True)

    def begin_anew(self) -> None:
        """Opens the lesson at its first step, and deletes its stored progress."""
        if self._under_way is not None:
            lesson = self._under_way.lesson
            self._keep_time()
            self._under_way.spent = 0.0
            self.keeper.forget(lesson.id)
            self.begin(lesson)

    def press(self, chord: str) -> bool:
        """Handles a key for the card; returns whether it was used.

        1 to 9: the option with this number, or the question's answer that the key means. While there are options or
        answers and a goal is open, all of 1 to 9 are used, and none otherwise; 0 if it is an answer. `Tab`, `Enter`,
        `Space` and `Escape`: the terms.
        """
        at, asked = self._under_way, self._quiz.asked
        if at is None or at.step is None:
            return False
        if not chord.isdigit():
            return at.key_at_terms(chord)
        if all(at.ticks):
            return False
        options, question = at.step.options, None if asked is None or not asked.open else asked.question
        answer = None if question is None else question.at_key(chord)
        if 0 < int(chord) <= len(options):
            self.choose(options[int(chord) - 1].id)
        elif answer is not None:
            self._quiz.guess(answer)
        return answer is not None or (chord != "0" and (bool(options) or question is not None))

    def linked(self, chord: str) -> str:
        """The chord that `chord` means: `Enter` and `Space` mean the key whose name in the card has the focus."""
        key = "" if self._under_way is None or chord not in ("Enter", "Space") else self._under_way.key
        return key or chord

    def choose(self, name: str) -> None:
        """Chooses the option with this id, if the step has it and a goal is open.

        Without effect otherwise. A wrong option is drawn as wrong from then on, and can be chosen again.
        """
        at, situation = self._under_way, self._situation
        option = None if at is None or at.step is None else at.step.option(name)
        if at is None or situation is None or option is None or all(at.ticks):
            return
        self._situation = replace(situation, events=replace(situation.events, chosen=name))
        if not option.right:
            at.wrong_options |= {name}

    def hint(self) -> None:
        """Shows the next hint; after the last one the solution, or a notice why it cannot be played."""
        at = self._under_way
        if at is not None and at.step is not None and at.hints < len(at.step.hints):
            at.hints += 1
        elif at is not None and at.step is not None and at.demonstration is None:
            self._show_solution(at, at.step)

    def _show_solution(self, at: UnderWay, step: LessonStep) -> None:
        """Starts the move to the solution's end; without animations goes there at once."""
        from .lesson_demonstration import demonstrated

        try:
            end, move = demonstrated(self._judged(), step)
        except ValueError as error:
            self._notices.notify(f"This step's solution cannot be played: {error}.", error=True)
            return
        at.demonstration = end, move
        if move.start == move.end or not self._preferences.settings.animations:
            self.end_animation()

    def play_on(self, now: float) -> None:
        """Advances the animation of a solution, if one runs, to `now` (seconds)."""
        at, work = self._under_way, self._work
        if at is None or at.demonstration is None:
            return
        pose = at.demonstration[1].at(now)
        if pose is None:
            self.end_animation()
            return
        work.document = work.document.previewed(pose.scene)
        work.view = replace(work.view, free=pose.free, time=work.view.time if pose.time is None else pose.time)

    def end_animation(self) -> None:
        """Ends the animation of a solution, if one runs, at its end."""
        at = self._under_way
        if at is not None and at.step is not None and at.demonstration is not None:
            end, at.demonstration = at.demonstration[0], None
            self._put_solution(at, at.step, end)

    def _put_solution(self, at: UnderWay, step: LessonStep, end: Situation) -> None:
        self._work.document = self._work.document.edited(end.scene, "Show me")
        self._work.algorithm_settings = end.algorithm_settings
        self._work.view = end.view
        self._steps.play(replace(self._work.playback, open=end.playback.open, phase=end.playback.phase))
        if end.playback.open:
            self._steps.play(replace(self._work.playback, index=end.playback.index, part=end.playback.part))
        self._dock(end.panels)
        if self._quiz.asked is not None:
            self._quiz.show_answer()
        at.helped, at.feedback = True, ""
        at.ticks = tuple(True for _ in step.goals)
        self._situation = replace(self._judged(), events=end.events)
        self._settle(at, step)

    def _opening(self, at: UnderWay, number: int) -> Situation | None:
        """The situation as a step opens, whose scene joins `at.starts`; None after a notice if it cannot be opened.

        A step without a scene of its own begins with the scene that was left in the step before it, else with the one
        that the previous steps' solutions leave.
        """
        from ..lessons.situation import opening_situation
        from ..lessons.solution import led_to

        step = at.lesson.steps[number]
        try:
            if step.scene is None and number not in at.starts:
                at.starts |= led_to(at.lesson, number)
            situation = opening_situation(at.lesson, step, at.starts.get(number))
        except ValueError as error:
            self._notices.notify(f"The step {step.title} cannot be opened: {error}.", error=True)
            return None
        at.starts[number] = situation.scene
        return situation

    def _show(self, number: int, *, again: bool = False) -> bool:
        """Shows a step, or the lesson's end for the number after the last step; returns False if it cannot be opened.

        `again`: restarts the step shown, with the cameras that it had at first.
        """
        at, work = self._under_way, self._work
        assert at is not None
        ends = number == len(at.lesson.steps)
        situation = None if ends else self._opening(at, number)
        if situation is None and not ends:
            return False
        self._quiz.stop()
        at.spend(self._clock())
        at.number, at.reached = number, max(at.reached, number)
        at.ticks, at.wrong_options, at.feedback, at.hints, at.wrong, at.helped = (), frozenset(), "", 0, 0, False
        at.attempted, at.demonstration, at.term, at.defined = self._clock(), None, None, False
        step = at.step
        self._steps.only = self._steps.until = None
        self._motion.panel_taught = step is not None and "motion" in step.look.panels
        self._cameras.forget()
        if step is None or situation is None:
            self._situation = self._last_frame = None
            self._steps.play(replace(work.playback, open=False))
            self._dialogs.docked = ()
            today, spent = date.today().isoformat(), at.spent
            self.keeper.change(at.lesson.id, lambda progress: replace(progress, step="", finished=today, seconds=spent))
            return True
        from ..lessons.goals import unmet
        from ..lessons.situation import playback_at

        at.ticks = unmet(step)
        if not again:
            at.came = None if self._last_frame is None else (work.view, work.document.committed == situation.scene)
        before, rule, same = at.came is not None, step.look.camera, at.came is not None and at.came[1]
        if again and at.came is not None:
            work.view = at.came[0]
        keeps = before and step.keeps_camera
        alike = before and not again and rule is CameraRule.FIT and self._cameras.alike(situation.scene, situation.view)
        work.document, work.opened = Document.new(situation.scene, scratch=True), situation.scene
        work.preset = None
        if not ((same or step.keeps_camera) and work.selection in at.movable):
            work.selection = None
        work.motion_playing, work.algorithm_settings = False, situation.algorithm_settings
        work.view = self._looked(rule, situation.view, stays=keeps or alike or (same and rule is CameraRule.KEEP))
        if keeps:
            self._cameras.keep()
        self._steps.only = situation.playback.phase if situation.playback.open else None
        self._steps.play(replace(situation.playback, speed=work.playback.speed, loop=work.playback.loop))
        if step.look.until is not None:
            self._steps.until = playback_at(step.look.until, lambda: self._steps.all)
        self._dock(situation.panels)
        self._cameras.divider, self._cameras.promised = 0.5, step.look.revealed
        self._cameras.opened_view, self._cameras.handles = situation.view, step.look.draggable
        self._situation = situation
        self._last_frame = LastFrame(situation.scene, work.playback, work.view)
        self._ask(step)
        self._cameras.also = self._also_seen(at.lesson, number, situation)
        if alike:
            self._cameras.stay()
        spent = at.spent
        self.keeper.change(at.lesson.id, lambda progress: replace(progress.at(step.id), seconds=spent))
        return True

    def _also_seen(self, lesson: Lesson, number: int, situation: Situation) -> tuple[Seen, ...]:
        """The later scenes that a step's cameras must show; none if its solution cannot be played."""
        from .lesson_demonstration import shown_later

        try:
            later = shown_later(lesson, number, situation)
        except ValueError:
            return ()  # `separatrix lesson` reports it, and so does "Show me".
        wide, theme = replace(self._work.view, shown=lesson.steps[number].look.revealed), self._preferences.theme
        return tuple(Seen(each.scene, each.analysis, replace(wide, free=each.view.free), theme) for each in later)

    def _looked(self, rule: CameraRule | tuple[float, float], wanted: View, *, stays: bool) -> View:
        """The view of a step, whose cameras the next frame frames anew. `stays`: with the previous step's cameras."""
        if stays:
            before = self._work.view
            return replace(
                wanted, world=before.world, difference=before.difference, fitted=before.fitted, close=before.close
            )
        self._cameras.frame_anew()
        return replace(wanted.turned(*rule) if isinstance(rule, tuple) else wanted, fitted=True)

    def _dock(self, panels: frozenset[str]) -> None:
        self._dialogs.docked = tuple(PANEL_IDS[name] for name in sorted(panels) if name in PANEL_IDS)
        self._dialogs.log_scale = LOG_SCALE in panels

    def _ask(self, step: LessonStep) -> None:
        """Asks the step's question, and sets the overlays that are hidden until the goals are met."""
        from ..lessons.asking import asked_at, veil_at

        try:
            asked = asked_at(step, lambda: self._steps.all)
        except ValueError as error:
            # `separatrix lesson` reports it; here the lesson goes on without the question.
            self._notices.notify(f"This step's question cannot be asked: {error}.", error=True)
            return
        self._cameras.veil = veil_at(step)
        if asked is not None:
            self._quiz.ask(asked.question, self._steps.all)

    # Judging.

    def follow(self, *, dragging: bool) -> None:
        """Detects the learner's actions since the last frame, ticks the goals, and sets an attempt's feedback.

        Nothing is judged once all goals are met, or while a solution is played. `dragging`: as in `ticked`.
        """
        at, last, work = self._under_way, self._last_frame, self._work
        if at is None or last is None or at.step is None:
            return
        doing = work.scene, work.view, work.playback, at.hints
        if doing != at.doing:
            at.doing, at.feedback = doing, "" if dragging else at.feedback  # it was about the previous attempt
            at.spend(self._clock())
        if all(at.ticks) or at.demonstration is not None:
            return
        from ..lessons.goals import feedback, newly_stuck, ticked

        judged = self._judged()
        facts = Facts(work.document.committed, self._quiz.asked, self._steps.moment, at.step.about_axes)
        # Moving on the timeline is an attempt, but not a wrong one.
        stepped, chosen = work.playback != last.playback, last.chosen
        events, attempted = noticed(last, judged, facts, self._clock(), dragging=dragging)
        self._situation = replace(judged, events=events)
        ticks = ticked(at.step, at.ticks, self._situation, dragging=dragging)
        if attempted:
            at.attempted = self._clock()
        # The ticks of goals that must hold together come and go with every drag: they are news only when all hold.
        news = ticks != at.ticks and (all(ticks) or not at.step.together)
        if (row := newly_stuck(at.step, at.ticks, ticks, self._situation)) is not None:
            self._lay_wall(row)
        at.ticks = ticks
        if news:
            at.feedback = ""
        elif attempted and not all(ticks):
            at.wrong += not stepped
            at.feedback = feedback(at.step, ticks, self._situation, chosen=events.chosen != chosen)
        if at.ticks and all(at.ticks):
            self._settle(at, at.step)

    def _lay_wall(self, row: int) -> None:
        """Snaps the free axis to the one of SAT's table on which its wall is stuck. This counts as no attempt."""
        from ..probes.free_axis import candidate_direction

        work, free = self._work, self._work.view.free
        assert free is not None
        axis = candidate_direction(self._answers.analysis, row, np.array(free))
        work.view = replace(work.view, free=axis)
        if self._last_frame is not None:
            self._last_frame.view = work.view

    def _judged(self) -> Situation:
        """The present situation, with the learner's actions so far."""
        situation, work, answers = self._situation, self._work, self._answers
        assert situation is not None
        panels = frozenset(name for name, opened in PANEL_IDS.items() if opened in self._dialogs.docked)
        scaled = frozenset({LOG_SCALE} if self._dialogs.log_scale else ())
        listed = frozenset() if self.step is None else frozenset(self.step.look.panels) - frozenset(PANEL_IDS)
        return replace(
            situation,
            analysis=answers.analysis,
            view=work.view,
            playback=work.playback,
            algorithm_settings=work.algorithm_settings,
            panels=panels | listed | scaled,
            find_query=lambda: self._steps.all,
            find_sweep=lambda: self._motion.sweep,
        )

    def _settle(self, at: UnderWay, step: LessonStep) -> None:
        """Handles met goals: shows the answer if the step does so, and stores the step as done.

        After "Show me" it is stored as shown.
        """
        from ..lessons.asking import veil_at

        at.feedback = ""
        self._cameras.veil = veil_at(step, met=True)
        before = self._work.view.shown
        self._work.view = replace(self._work.view, shown=before | step.look.revealed)
        if self._last_frame is not None:
            self._last_frame.view = self._work.view
        self._cameras.reveal(step.look.revealed - before)
        self.keeper.change(at.lesson.id, lambda progress: progress.met(step.id, shown=at.helped))

    def _number_of(self, name: str) -> tuple[str, str]:
        from ..lessons.numbers import live_number

        return ("–", "") if self._situation is None else live_number(name, self._judged())
