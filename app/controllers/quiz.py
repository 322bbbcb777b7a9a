"""Asks questions about the pair, and changes the picture while a question is open.

A question at a step opens the timeline there, a question about the answer closes it; when the asking stops the previous
state is restored. A question belongs to one scene, and while it is open to one step: it is hidden while the user is
elsewhere, and comes back with them. A lesson's question, put by `ask`, moves neither timeline nor view.
"""

from __future__ import annotations

from msgspec.structs import replace

from core.query.query import Query

from ..draw.draw_list import Subject
from ..state.playback import Playback, at_place
from ..state.prediction import CurrentQuestion, Prediction, QuestionKind, QuizQuestion
from ..state.view import AxisView, Panes, View
from ..state.work import Work
from .background import AnswerCache
from .playback import Steps


def _same_steps(query: Query, other: Query) -> bool:
    """Whether both queries have the same steps in the same places: about one scene, under the same settings.

    After an undo the scene is the same, but its query is computed anew. With a warm start the steps depend on the past.
    """
    if query is other:
        return True
    same = query.analysis.scene == other.analysis.scene and query.settings == other.settings
    return same and not query.settings.warm_start


class Quiz:
    """Asks the questions."""

    def __init__(self, work: Work, answers: AnswerCache, steps: Steps) -> None:
        self._work, self._answers, self._steps = work, answers, steps
        self._prediction: Prediction | None = None
        self._series: tuple[QuizQuestion, ...] = ()
        self._asked_of: Query | None = None
        self._before: tuple[Playback, View] | None = None
        self._put: Playback | None = None

    @property
    def asked(self) -> CurrentQuestion | None:
        """The current question; None while none is asked, another scene is shown, or answers are missing.

        None too while another step than that of an open question is shown; a settled question stays visible there.
        """
        prediction, query = self._prediction, self._asked_of
        if prediction is None or query is None or self._answers.analysis.scene != query.analysis.scene:
            return None
        if self._answers.analysis.beyond_limits:
            # After an undo the slow answers are being computed again.
            return None
        question = self._series[prediction.number]
        later = frozenset(after.kind for after in self._series[prediction.number + 1 :])
        asked = CurrentQuestion(question, prediction, len(self._series), later)
        return asked if not asked.open or self._is_there(question, query) else None

    def _is_there(self, question: QuizQuestion, query: Query) -> bool:
        """Whether the question's moment is shown."""
        if question.place is None:
            return not self._work.playback.open
        now = self._steps.query
        return now is not None and _same_steps(now, query) and self._steps.place == question.place

    def begin(self) -> bool:
        """Ends an earlier asking, then asks the first question about the pair.

        Returns False, and asks nothing, while answers are still being computed.
        """
        self.stop()
        if self._answers.analysis.beyond_limits:
            return False
        from ..quiz import questions

        self._before = self._work.playback, self._work.view
        self._asked_of = self._steps.all
        self._series = questions(self._asked_of)
        self._stand(Prediction())
        return True

    def pose(self, kind: QuestionKind) -> bool:
        """Ends an earlier asking, then asks the question of this kind about the pair.

        Returns False, and asks nothing, if there is no such question or answers are still being computed.
        """
        self.stop()
        if self._answers.analysis.beyond_limits:
            return False
        from ..quiz import question_of

        query = self._steps.all
        question = question_of(query, kind)
        if question is None:
            return False
        self._before = self._work.playback, self._work.view
        self._asked_of, self._series = query, (question,)
        self._stand(Prediction())
        return True

    def ask(self, question: QuizQuestion, query: Query) -> None:
        """Ends an earlier asking, then asks one question where the user is: moves neither the timeline nor the view."""
        self.stop()
        self._asked_of, self._series, self._prediction = query, (question,), Prediction()

    def next(self) -> None:
        """Asks the next question, after the last the first again; does nothing while no question is asked."""
        prediction, query = self._prediction, self._asked_of
        if self.asked is None or prediction is None or query is None:
            return
        if not _same_steps(self._steps.all, query):
            # The settings or GJK's start have changed, and with them the steps and the questions about them.
            from ..quiz import questions

            self._asked_of, self._series = self._steps.all, questions(self._steps.all)
        self._stand(prediction.followed(len(self._series)))

    def _stand(self, prediction: Prediction) -> None:
        question = self._series[prediction.number]
        self._prediction = prediction
        playback = replace(self._work.playback, playing=False, open=question.place is not None)
        if question.place is not None:
            playback = at_place(playback, self._steps.all, question.place)
        self._steps.play(playback)
        self._put = self._work.playback
        view, seen = self._work.view, (Panes.BOTH, Panes.OVERLAID, *(p for p in Panes if p.value == question.pane))
        panes = view.panes if view.panes in seen else Panes.BOTH
        axis_view = AxisView.FOCUSED if question.kind is QuestionKind.AXIS else view.axis_view
        self._work.view = replace(view, panes=panes, axis_view=axis_view, pin=None, hover=None, free=None, probe=None)

    def guess(self, subject: Subject) -> None:
        """Takes an answer; ignores a subject that is no candidate, and any subject while no question is asked."""
        asked = self.asked
        if asked is None:
            return
        candidate = asked.question.meant(subject)
        if candidate is not None:
            self._prediction = asked.prediction.guessed(asked.question, candidate)

    def show_answer(self) -> None:
        """Settles the question, if any, without the user's answer."""
        asked = self.asked
        if asked is not None:
            self._prediction = asked.prediction.shown()

    def stop(self) -> bool:
        """Stops asking; restores what asking changed in the view, and the playback if the user has not changed it.

        Restores nothing, and returns False, if no question was shown.
        """
        stood, before = self.asked is not None, self._before
        if stood and before is not None:
            playback, old = before
            if self._work.playback == self._put:
                self._steps.play(playback)
            self._work.view = replace(
                self._work.view, panes=old.panes, axis_view=old.axis_view, pin=old.pin, free=old.free, probe=old.probe
            )
        self._prediction = self._asked_of = self._before = self._put = None
        self._series = ()
        return stood

    def answers(self, subject: Subject) -> bool:
        """Whether a click on `subject` answers the open question."""
        asked = self.asked
        return asked is not None and asked.open and asked.question.meant(subject) is not None

    @property
    def answering_kinds(self) -> frozenset[str]:
        """The kinds of subjects that a click can answer with; empty without an open question."""
        asked = self.asked
        return asked.question.kinds if asked is not None and asked.open else frozenset()

    def meant(self, subject: Subject | None) -> Subject | None:
        """The subject meant by pointing at `subject`: with an open question the answer that it stands for, else itself.

        None for None.
        """
        asked = self.asked
        if subject is None or asked is None or not asked.open:
            return subject
        return asked.question.meant(subject) or subject
