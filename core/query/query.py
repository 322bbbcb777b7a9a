"""One whole query as a trace: every step of every algorithm that applies to a pair, in the order an engine runs them.

The difference built by hand (if asked for), SAT axis by axis, GJK simplex by simplex, EPA expansion by expansion, MPR
portal by portal (if asked for), the contact manifold cut by cut. Only MPR, the manifold, and under changed knobs GJK
and EPA, are run here; the rest is the analysis', with Detail.LIVE to its limit of expansions. Everything in a step is
relative to A's position, but for the manifold's, in the world. What the methods about the bodies' motion did can follow
(`motion_steps`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from ..analysis.analysis import Analysis
from ..analysis.dimensions import of
from ..analysis.knobs import DEFAULT_KNOBS, Knobs, acting
from ..analysis.methods import Closing
from ..contact.contact import Manifold, ManifoldStep
from ..gjk.epa import EpaStep
from ..gjk.gjk import GjkStep, WarmStart
from ..gjk.gjk_epa import SignedDistance, signed_distance_steps
from ..minkowski.build_steps import BuildStep
from ..pair.candidate_axes import AxisKind
from ..pair.special_pairs import half_space_of
from ..pair.support import Difference, support_maps
from ..sat.steps import SatStep, sat_steps
from ..sat.table import SatTable
from ..scene import Body
from ..trace import PlanarStep, Recording, record

if TYPE_CHECKING:
    from ..analysis.motion_answers import SweepAnswer
    from ..mpr.answer import MprResult, MprStep
    from ..rays.gjk_raycast import GjkRaycastStep
    from ..toi import AdvancementStep, IntervalStep, ScaledPlaneStep, SphereBoxStep, SpheresStep, SweptAxisStep
    from ..toi import PlaneStep as MotionPlaneStep
    from ..toi.plane import ArcStep, GrownEdgeStep


class MotionStep(Struct, frozen=True, eq=False):
    """A step of a method about the bodies' motion, as it is there, and the `time` (0 to 1) that it looks at."""

    motion: (
        MotionPlaneStep
        | ScaledPlaneStep
        | SpheresStep
        | SphereBoxStep
        | IntervalStep
        | SweptAxisStep
        | GjkRaycastStep
        | AdvancementStep
        | GrownEdgeStep
        | ArcStep
    )
    time: float


QueryStep: TypeAlias = "BuildStep | SatStep | GjkStep | EpaStep | MprStep | ManifoldStep | PlanarStep | MotionStep"


class Phase(StrEnum):
    """The parts of a query, in their order; the planes test and the article's GJK are of the plane only.

    Those from SCALED on are the methods about the bodies' motion: `MOTION_PHASES`.
    """

    BUILD = "difference"
    PLANES = "planes test"
    SAT = "SAT"
    ARTICLE = "the article's GJK"
    GJK = "GJK"
    EPA = "EPA"
    MPR = "MPR"
    """Only if asked for, in space."""
    CONTACTS = "contacts"
    SCALED = "space scaled to a sphere"
    PLANE = "motion against a plane"
    SPHERES = "motion of two spheres"
    REGIONS = "sphere against the grown box"
    ROUNDED = "path against the grown difference"
    """In the plane only."""
    INTERVALS = "entry and exit times"
    SWEPT = "twenty-one axes"
    RAY = "GJK ray cast"
    ADVANCEMENT = "conservative advancement"


MOTION_PHASES = frozenset(list(Phase)[list(Phase).index(Phase.SCALED) :])
"""The phases whose steps are MotionSteps."""


class Moment(Struct, frozen=True, eq=False):
    """One step: the `index`-th of its phase's `count`, counted from 0. `last`: the phase ends with it."""

    phase: Phase
    index: int
    count: int
    step: QueryStep

    @property
    def last(self) -> bool:
        """Whether it ends its phase."""
        return self.index == self.count - 1


class Query(Struct, frozen=True, eq=False):
    """All steps about the pair of `analysis`, under `knobs`.

    `moments`: never empty. `support_maps`: what GJK and EPA were asked about, None with a half-space. `distance`: their
    result under the knobs, None with a half-space or when they failed. `manifold`: the contacts under the knobs, None
    where there are none to be had. `failures`: one sentence for each algorithm that raised; its steps up to there are
    kept. `sweep`: the answer about the bodies' motion, where its methods' steps follow the others. `mpr`: MPR's answer,
    if it was asked for.
    """

    analysis: Analysis
    knobs: Knobs
    moments: tuple[Moment, ...]
    support_maps: Difference | None
    distance: SignedDistance | None
    manifold: Manifold | None
    failures: tuple[str, ...]
    sweep: SweepAnswer | None = None
    mpr: MprResult | None = None

    @property
    def phases(self) -> tuple[tuple[Phase, int, int], ...]:
        """Each phase with the place of its first moment and its number of moments, in order."""
        found, place = [], 0
        while place < len(self.moments):
            first = self.moments[place]
            found.append((first.phase, place, first.count))
            place += first.count
        return tuple(found)

    @property
    def warm_start(self) -> WarmStart | None:
        """For the next query, about nearly the same pair."""
        return None if self.distance is None else self.distance.gjk.warm_start


def query(analysis: Analysis, knobs: Knobs = DEFAULT_KNOBS, start: WarmStart | None = None) -> Query:
    """Every step about the analysis' pair. `start`: where GJK begins if `knobs.warm_start`; pure."""
    a, b = analysis.scene.a, analysis.scene.b
    dimension, asked = of(analysis.scene.dimension), acting(knobs, analysis.scene.dimension)
    maps = support_maps(a, b, rounded=asked.rounded) if half_space_of(a, b) is None else None
    closing = None if maps is None else _closing(analysis, asked, maps, start if asked.warm_start else None)
    own = dimension.own_runs(a, b, asked)
    steps = dimension.contact_steps(a, b, analysis.normal, analysis.sat, asked)
    contacts = None if steps is None else record(steps)
    explicit = analysis.difference or analysis.polygon
    portals = _mpr(a, b) if asked.mpr else None
    built = dimension.build_steps(a, b, explicit, analysis.sat.candidates) if asked.build else ()
    parts = (
        *_moments(Phase.BUILD, built),
        *_moments(Phase.PLANES, () if own.planes is None else own.planes.steps),
        *_moments(Phase.SAT, record(sat_steps(analysis.sat, _rows(analysis.sat, asked))).steps),
        *_moments(Phase.ARTICLE, () if own.article is None else own.article.steps),
        *_moments(Phase.GJK, () if closing is None else tuple(s for s in closing.steps if isinstance(s, GjkStep))),
        *_moments(Phase.EPA, () if closing is None else tuple(s for s in closing.steps if not isinstance(s, GjkStep))),
        *_moments(Phase.MPR, () if portals is None else portals.steps),
        *_moments(Phase.CONTACTS, () if contacts is None else contacts.steps),
    )
    runs: tuple[tuple[str, Recording[Any, Any] | None], ...]
    runs = (
        ("GJK and EPA", closing),
        ("MPR", portals),
        ("the contact manifold", contacts),
        ("the article's GJK", own.article),
    )
    return Query(
        analysis=analysis,
        knobs=knobs,
        moments=parts,
        support_maps=maps,
        distance=None if closing is None else closing.result,
        manifold=None if contacts is None else contacts.result,
        mpr=None if portals is None else portals.result,
        failures=tuple(sentence for who, run in runs if run is not None for sentence in run.failure(who)),
    )


def _rows(table: SatTable, knobs: Knobs) -> list[int] | None:
    """Rows of the table that SAT tries; None: all of them."""
    if not knobs.faces_only:
        return None
    return [row for row, candidate in enumerate(table.candidates) if candidate.kind is not AxisKind.EDGES]


def _moments(phase: Phase, steps: tuple[QueryStep, ...]) -> Iterator[Moment]:
    return (Moment(phase, index, len(steps), step) for index, step in enumerate(steps))


def _mpr(a: Body, b: Body) -> Recording[MprStep, MprResult]:
    # Imported when it is first asked for.
    from ..mpr.mpr import mpr_steps

    return record(mpr_steps(a, b))


def _closing(analysis: Analysis, knobs: Knobs, maps: Difference, start: WarmStart | None) -> Closing | None:
    """GJK and EPA under the knobs; under the default ones it is the analysis' own run."""
    default = DEFAULT_KNOBS
    if start is None and (knobs.gjk, knobs.epa, knobs.rounded) == (default.gjk, default.epa, default.rounded):
        return analysis.closing
    return record(signed_distance_steps(maps, knobs.gjk, knobs.epa, start))
