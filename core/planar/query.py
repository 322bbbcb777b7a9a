"""One whole query of the plane as a trace: every step of every algorithm, in the order an engine runs them.

The planes test and SAT edge by edge, GJK simplex by simplex, EPA expansion by expansion, the contacts cut by cut; and
if asked for the article's own GJK before ours. Steps are relative to A's position, but for the planes and the contacts,
which are in the world.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from ..algorithms.epa import EpaSettings
from ..algorithms.sat_steps import SatStep, sat_steps
from ..algorithms.support import Rounding
from ..trace import record
from .analysis import Analysis2
from .article_gjk import ArticleResult, ArticleStep, Outward, article_gjk_steps
from .contact import Contacts2, ContactStep2, contact_steps2
from .epa import EpaStep2
from .gjk import GjkSettings2, GjkStep2
from .gjk_epa import SignedDistance2, signed_distance_steps2
from .minkowski import nearest_point
from .pair import Pair2
from .planes_test import PlaneStep, planes_test_steps
from .support import Difference2
from .vec2 import Vec2

QueryStep2 = PlaneStep | SatStep | ArticleStep | GjkStep2 | EpaStep2 | ContactStep2


class Phase2(StrEnum):
    """The parts of a query, in their order."""

    PLANES = "planes test"
    SAT = "SAT"
    ARTICLE = "the article's GJK"
    GJK = "GJK"
    EPA = "EPA"
    CONTACTS = "contacts"


class Knobs2(Struct, frozen=True):
    """What may be turned. `rounded`: circles as "core" (a point) or "full" (a curve).

    `article`: whether the article's GJK is run as well, from `article_direction` with the perpendicular `outward`; it
    knows no radii, so its circles are always curves.
    """

    gjk: GjkSettings2 = GjkSettings2()
    epa: EpaSettings = EpaSettings()
    rounded: Rounding = "core"
    article: bool = False
    article_direction: Vec2 = (0.0, 1.0)
    outward: Outward = Outward.FROM_EDGE


DEFAULT_KNOBS2 = Knobs2()


class Moment2(Struct, frozen=True):
    """One step: the `index`-th of its phase's `count`, counted from 0. `last`: the phase ends with it."""

    phase: Phase2
    index: int
    count: int
    step: QueryStep2

    @property
    def last(self) -> bool:
        """Whether it ends its phase."""
        return self.index == self.count - 1


class Query2(Struct, frozen=True, eq=False):
    """All steps about the pair of `analysis`, under `knobs`.

    `moments`: never empty. `distance`: GJK's and EPA's result, `contacts` the contacts', `article` the article's; None
    where one failed or was not asked. `failures`: one sentence for each algorithm that raised; its steps are kept.
    """

    analysis: Analysis2
    knobs: Knobs2
    moments: tuple[Moment2, ...]
    distance: SignedDistance2 | None
    contacts: Contacts2 | None
    article: ArticleResult | None
    failures: tuple[str, ...]

    @property
    def phases(self) -> tuple[tuple[Phase2, int, int], ...]:
        """Each phase with the place of its first moment and its number of moments, in order."""
        found, place = [], 0
        while place < len(self.moments):
            first = self.moments[place]
            found.append((first.phase, place, first.count))
            place += first.count
        return tuple(found)


def query2(analysis: Analysis2, knobs: Knobs2 = DEFAULT_KNOBS2, start: Sequence[Vec2] = ()) -> Query2:
    """Every step about the analysis' pair; `start`: where our GJK begins, see `gjk_steps2`; pure."""
    a, b = analysis.scene.a, analysis.scene.b
    pair = Pair2.of(a, b)
    difference = Difference2.of(a, b, rounded=knobs.rounded)
    closing = record(signed_distance_steps2(difference, knobs.gjk, knobs.epa, start))
    nearest = nearest_point(analysis.difference, pair.offset, pair.scale.rounding)
    contacts = record(contact_steps2(a, b, analysis.difference, nearest))
    full = Difference2.of(a, b, rounded="full")
    article = record(article_gjk_steps(full, knobs.article_direction, knobs.outward)) if knobs.article else None
    moments = (
        *_moments(Phase2.PLANES, () if analysis.planes is None else record(planes_test_steps(a, b)).steps),
        *_moments(Phase2.SAT, record(sat_steps(analysis.sat)).steps),
        *_moments(Phase2.ARTICLE, () if article is None else article.steps),
        *_moments(Phase2.GJK, tuple(step for step in closing.steps if isinstance(step, GjkStep2))),
        *_moments(Phase2.EPA, tuple(step for step in closing.steps if isinstance(step, EpaStep2))),
        *_moments(Phase2.CONTACTS, contacts.steps),
    )
    return Query2(
        analysis=analysis,
        knobs=knobs,
        moments=moments,
        distance=closing.result,
        contacts=contacts.result,
        article=None if article is None else article.result,
        failures=(
            *closing.failure("GJK and EPA"),
            *contacts.failure("the contacts"),
            *(() if article is None else article.failure("the article's GJK")),
        ),
    )


def _moments(phase: Phase2, steps: tuple[QueryStep2, ...]) -> Iterator[Moment2]:
    return (Moment2(phase, index, len(steps), step) for index, step in enumerate(steps))
