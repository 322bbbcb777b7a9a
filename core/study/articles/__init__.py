"""The articles' mistakes, each with the right answer, for learners who copy the articles' code and then debug it.

Each variant answers its question as the article does, with one mistake and no other, and has scenes on which it is
wrong. The correct versions are in the algorithms' own packages, which never call these. `motion_articles` returns the
variants' answers about one motion, in words.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import Any
from warnings import warn

import numpy as np
from msgspec import Struct

from ...analysis.motion_answers import SweepAnswer
from ...geometry.vector import length
from ...scene import Scene
from ...toi.motion import MotionStop
from ...verdict import Sentence
from .comparison import ArticleValue, ArticleVariant, Comparison, compared, registry
from .motion_book import MOTION_BOOK, SCALED_SPACE
from .moving_boxes import MOVING_BOXES
from .moving_rounds import MOVING_BOX_PLANE, MOVING_ROUNDS
from .moving_sphere_box import MOVING_SPHERE_BOX
from .picking import PICKING, PickedPixel, pixel_ray
from .separating_axes import ENGINE_MANUAL, SEPARATING_AXES, planes_and_edges

__all__ = [
    "ARTICLE_VARIANTS",
    "MOTION_VARIANTS",
    "ArticleValue",
    "ArticleVariant",
    "Comparison",
    "PickedPixel",
    "compared",
    "pixel_ray",
    "planes_and_edges",
]

ARTICLE_VARIANTS = registry(*SEPARATING_AXES, *MOTION_BOOK, *PICKING, *SCALED_SPACE, *ENGINE_MANUAL)
"""Every mistake in 3D about bodies at rest, and about picking, article by article."""

MOTION_VARIANTS = registry(*MOVING_ROUNDS, *MOVING_BOX_PLANE, *MOVING_SPHERE_BOX, *MOVING_BOXES)
"""Every mistake about bodies in motion, all in 3D."""


MERELY_TOUCHING = (MotionStop.GRAZING, MotionStop.TOUCHING_AT_START)
"""For these results, rounding decides whether a formula without a tolerance finds a contact."""


_VARIANTS = {2: (), 3: MOTION_VARIANTS}
"""The variants by dimension. No article treats motion in 2D."""


class ArticleAnswer(Struct, frozen=True):
    """The answer of one variant about a motion.

    `id` and `title`: of the variant. `right`: whether the answer is right despite the mistake. `words`: one or more
    sentences; a wrong answer comes with its reason. `time`: the variant's wrong time of contact if it is in [0, 1];
    None for another time, for an answer of another kind, and for a right one.
    """

    id: str
    title: str
    right: bool
    words: Sentence
    time: float | None = None


def motion_articles(scene: Scene, found: SweepAnswer) -> tuple[ArticleAnswer, ...]:
    """Returns the answers of all variants that apply to the scene's shapes, wrong ones first.

    `found`: the right answer about `scene`. Returns () if a body turns, and in 2D: no article treats these motions.
    """
    if found.motion.rotates:
        return ()
    answers = []
    # The mistaken formulas may divide by zero, and may overflow for large shapes.
    with np.errstate(all="ignore"):
        for variant in _VARIANTS[scene.dimension]:
            both = compared(variant, scene)
            if both is not None:
                answers.append(_answer(variant, both, found.result.stop))
    return tuple(sorted(answers, key=lambda answer: answer.right))


def _answer(variant: ArticleVariant, both: Comparison, stop: MotionStop) -> ArticleAnswer:
    if both.agree:
        return ArticleAnswer(variant.id, variant.title, True, Sentence("Correct for this motion, despite the mistake."))
    words = _instead(both.article, both.right) + Sentence(f" {both.why}")
    if stop in MERELY_TOUCHING:
        words += Sentence(" (They only touch, so rounding may play a part.)")
    time = both.article
    shown = float(time) if type(time) is float and 0.0 <= time <= 1.0 else None
    return ArticleAnswer(variant.id, variant.title, False, words, shown)


def _instead(article: ArticleValue, right: ArticleValue) -> Sentence:
    """One sentence about the wrong answer and the right one; for contact points, about the distance between them."""
    if isinstance(article, tuple) and isinstance(right, tuple):
        return Sentence("The contact point is {:.6g} off.", (length(np.subtract(article, right)),))
    if isinstance(article, bool):
        said = "a contact, but there is none" if article else "no contact, but there is one"
        return Sentence(f"It reports {said}.")
    if isinstance(article, float) and isinstance(right, float):
        digits = next((n for n in (6, 12) if f"{article:.{n}g}" != f"{right:.{n}g}"), 17)
        first = Sentence("No contact") if article == inf else _time_words(article, digits)
        return first + Sentence(" instead of ") + _time_words(right, digits) + Sentence(".")
    if isinstance(article, int):
        return Sentence(f"{article} vertices of A in contact instead of {right}.")
    return Sentence(f"{article} instead of {right}.")


def _time_words(time: float, digits: int) -> Sentence:
    """A time in words: `t = 0.25`, `t = 13.5, after the end,`, `no contact` for infinity, else `t = −∞`."""
    if not isfinite(time):
        return Sentence("no contact" if time > 0.0 else "t = −∞")
    outside = ", before the start," if time < 0.0 else ", after the end," if time > 1.0 else ""
    return Sentence(f"t = {'−' if time < 0.0 else ''}{{:.{digits}g}}{outside}", (abs(time),))


def __getattr__(name: str) -> Any:
    if name != "Answer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn("the name is ArticleValue now, Answer goes with the next release", DeprecationWarning, stacklevel=2)
    return ArticleValue
