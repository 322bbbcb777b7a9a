"""The questions about every preset, made once for all tests about them."""

from __future__ import annotations

from functools import cache

from app.io.presets import load_preset, presets
from app.quiz import questions
from app.state.prediction import QuestionKind, QuizQuestion
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStep
from core.gjk.epa import EpaStep
from core.gjk.gjk import GjkStep
from core.gjk.plane_epa import EpaPolygonStep
from core.query.query import Query, query

PRESETS = tuple(preset.id for preset in presets())
VERTICES = (QuestionKind.VERTEX_A, QuestionKind.VERTEX_B)


@cache
def asked_of(name: str) -> tuple[Query, tuple[QuizQuestion, ...]]:
    made = query(analyse(load_preset(name).scene))
    return made, questions(made)


ALL = [(name, question.kind) for name in PRESETS for question in asked_of(name)[1]]


def those(*kinds: QuestionKind) -> list[tuple[str, QuestionKind]]:
    found = [(name, kind) for name, kind in ALL if kind in kinds]
    assert found, "no preset has such a question: the test would hold nothing"
    return found


def get(name: str, kind: QuestionKind) -> tuple[Query, QuizQuestion]:
    made, found = asked_of(name)
    return made, next(question for question in found if question.kind is kind)


def step_of(name: str, kind: QuestionKind) -> GjkStep | EpaStep | ArticleStep | EpaPolygonStep:
    made, question = get(name, kind)
    assert question.place is not None
    found = made.moments[question.place].step
    assert isinstance(found, GjkStep | EpaStep | ArticleStep | EpaPolygonStep)
    return found


def is_flat(name: str) -> bool:
    return asked_of(name)[0].analysis.polygon is not None
