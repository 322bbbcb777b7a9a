"""All answers about one pair side by side: every method, in double and in single precision, and the articles' mistakes.

Each is compared with the analysis's answer. A difference comes with its size, its reason in words, and the step of the
query where it arises.
"""

from __future__ import annotations

from typing import Any
from warnings import warn

from ....query.query import Query
from .articles import article_rows
from .methods import double_rows, single_rows, wrong_in_single
from .row import FLOAT32, FLOAT64, IN_SINGLE, LAST, AnswerRow, Reason, Reference

__all__ = [
    "FLOAT32",
    "FLOAT64",
    "IN_SINGLE",
    "LAST",
    "AnswerRow",
    "Reason",
    "articles_of",
    "methods_of",
    "side_by_side",
    "wrong_in_single",
]


def side_by_side(query: Query) -> tuple[AnswerRow, ...]:
    """The rows of `methods_of`, then those of `articles_of`."""
    return (*methods_of(query), *articles_of(query))


def methods_of(query: Query) -> tuple[AnswerRow, ...]:
    """Two rows for each method: in double, then in single precision."""
    to = Reference.asked(query)
    doubles = tuple(double_rows(to))
    singles = tuple(single_rows(to, doubles))
    return tuple(row for pair in zip(doubles, singles, strict=True) for row in pair)


def articles_of(query: Query) -> tuple[AnswerRow, ...]:
    """One row for each of the articles' mistaken versions that applies to the pair."""
    return tuple(article_rows(Reference.asked(query)))


def __getattr__(name: str) -> Any:
    renamed = {"DOUBLE": "FLOAT64", "SINGLE": "FLOAT32"}.get(name)
    if renamed is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(f"the name is {renamed} now, {name} goes with the next release", DeprecationWarning, stacklevel=2)
    return globals()[renamed]
