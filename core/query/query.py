"""One whole query as a trace: every step of every algorithm that applies to a pair, in the order of `Phase`.

The order is: the difference's construction (if asked for), SAT axis by axis, GJK simplex by simplex, EPA expansion by
expansion, MPR (if asked for), the contact manifold cut by cut. In the plane, the planes test comes before SAT, and the
article's GJK before GJK. The steps of GJK and EPA under the default settings, and SAT's table, come from the analysis,
within its limits; the other algorithms run here. Points are relative to A's position; those of the contacts' steps are
in the world. The steps of the methods about the bodies' motion may follow (motion_steps).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from ..analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, acting, setting_at, with_setting
from ..analysis.analysis import Analysis, contact_steps, of
from ..analysis.methods import OwnRuns
from ..analysis.motion_answers import SweepAnswer
from ..contact.contact import Manifold, ManifoldStep
from ..geometry.vector import Array
from ..gjk.epa import EpaStep
from ..gjk.gjk import GjkStep, WarmStart
from ..gjk.gjk_epa import SignedDistance, signed_distance_steps
from ..minkowski.difference import BuildStep
from ..mpr import MprResult, MprStep, mpr_steps
from ..pair.candidate_axes import AxisKind
from ..pair.pair import half_space_of
from ..pair.support import Difference, support_maps
from ..rays.raycast import GjkRaycastStep
from ..sat.sat import SatStep, sat_steps
from ..toi.advancement import AdvancementStep
from ..toi.half_spaces import PlaneStep, ScaledPlaneStep
from ..toi.intervals import IntervalStep, SweptAxisStep
from ..toi.plane import ArcStep, GrownEdgeStep
from ..toi.spheres import SphereBoxStep, SpheresStep
from ..trace import PlanarStep, Recording, record
from .beside import SingleRun, single_run


class MotionStep(Struct, frozen=True, eq=False):
    """A step of a method about the bodies' motion, and the `time` (0 to 1) that it is about."""

    motion: (
        PlaneStep
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


QueryStep: TypeAlias = BuildStep | SatStep | GjkStep | EpaStep | MprStep | ManifoldStep | PlanarStep | MotionStep


class Phase(StrEnum):
    """The parts of a query, in their order; PLANES and ARTICLE are in the plane only.

    The phases from SCALED on, `MOTION_PHASES`, are those of the methods about the bodies' motion.
    """

    BUILD = "difference"
    PLANES = "planes test"
    SAT = "SAT"
    ARTICLE = "the article's GJK"
    GJK = "GJK"
    EPA = "EPA"
    MPR = "MPR"
    """Only in space, if asked for."""
    CONTACTS = "contacts"
    SCALED = "space scaled to a sphere"
    PLANE = "motion against a plane"
    SPHERES = "motion of two spheres"
    REGIONS = "sphere against the grown box"
    ROUNDED = "path against the grown difference"
    """Only in the plane."""
    INTERVALS = "entry and exit times"
    SWEPT = "twenty-one axes"
    RAY = "GJK ray cast"
    ADVANCEMENT = "conservative advancement"


GJK_EPA = (Phase.GJK, Phase.EPA)
"""The phases of GJK's and EPA's run, which can also be in single precision."""

MOTION_PHASES = frozenset(list(Phase)[list(Phase).index(Phase.SCALED) :])
"""The phases whose steps are MotionSteps."""


class Moment(Struct, frozen=True, eq=False):
    """One step of a query: the `index`-th, from 0, of the `count` steps of its phase."""

    phase: Phase
    index: int
    count: int
    step: QueryStep

    @property
    def last(self) -> bool:
        """Whether the step is the last of its phase."""
        return self.index == self.count - 1

    @property
    def sentence(self) -> str:
        """One sentence with the step's phase, its number and its result."""
        from .sentences import sentence

        found = self.step.motion if isinstance(self.step, MotionStep) else self.step
        return f"{self.phase.value}, {self.index + 1} of {self.count}: {sentence(found)}"


class Query(Struct, frozen=True, eq=False):
    """All steps about the pair of `analysis`, under `settings`.

    `moments`: the steps, never empty. `support_maps`: of GJK and EPA, None with a half-space. `results`: the result of
    each phase's run; GJK and EPA share one. `sweep`: the answer about the bodies' motion, if the steps of its methods
    follow the others, else None. `single`: the run of GJK and EPA in single precision, None unless the setting
    `single.steps` is on. The moments of GJK and EPA are then its steps, or those of double if it has none.
    """

    analysis: Analysis
    settings: AlgorithmSettings
    moments: tuple[Moment, ...]
    support_maps: Difference | None
    results: Mapping[Phase, Any]
    sweep: SweepAnswer | None = None
    single: SingleRun | None = None

    @property
    def phases(self) -> tuple[tuple[Phase, int, int], ...]:
        """Each phase with the index of its first moment and its number of moments, in order."""
        found, place = [], 0
        while place < len(self.moments):
            first = self.moments[place]
            found.append((first.phase, place, first.count))
            place += first.count
        return tuple(found)

    @property
    def distance(self) -> SignedDistance | None:
        """The answer of GJK and EPA under the settings; None with a half-space."""
        found: SignedDistance | None = self.results.get(Phase.GJK)
        return found

    @property
    def in_double(self) -> Recording[Any, SignedDistance] | None:
        """The run of GJK and EPA in double precision, if the query's steps are those in single precision; else None."""
        return None if self.single is None or self.single.steps is None else self.single.double

    @property
    def parted(self) -> Moment | None:
        """The first step of the run in single precision that differs from double's; None if there is none."""
        single = self.single
        if single is None or single.steps is None or single.parting is None:
            return None
        step = single.steps.steps[single.parting.index]
        return next(moment for moment in self.moments if moment.step is step)

    def origin_of(self, phase: Phase) -> Array:
        """A's position (3,) in the frame of a phase's points: zero, unless float32 steps are in the world's frame.

        It is zero for CONTACTS too, although the points of its steps are in the world.
        """
        single = self.single
        return np.zeros(3) if single is None or single.steps is None or phase not in GJK_EPA else single.position_a

    @property
    def manifold(self) -> Manifold | None:
        """The contacts under the settings; None if the policy has no contacts for such shapes."""
        found: Manifold | None = self.results.get(Phase.CONTACTS)
        return found

    @property
    def warm_start(self) -> WarmStart | None:
        """GJK's start for the next query about nearly the same pair; None with a half-space."""
        return None if self.distance is None else self.distance.gjk.warm_start


class Asked(Struct, frozen=True, eq=False, dict=True):
    """The input of a run: the `analysis`, the `settings` for its scene's dimension, and GJK's `start`, or None.

    `before`: the query of an earlier moment of a drag, or None.
    """

    analysis: Analysis
    settings: AlgorithmSettings
    start: WarmStart | None
    before: Query | None = None

    @cached_property
    def maps(self) -> Difference | None:
        """The support maps of both bodies; None with a half-space."""
        a, b = self.analysis.scene.a, self.analysis.scene.b
        return support_maps(a, b, rounded=self.settings.rounded) if half_space_of(a, b) is None else None

    @cached_property
    def double(self) -> Recording[Any, SignedDistance] | None:
        """The run of GJK and EPA in double precision; None with a half-space.

        Under the default settings and without a start it is the analysis' own run.
        """
        settings, default = self.settings, DEFAULT_SETTINGS
        if self.maps is None:
            return None
        if self._start is None and (settings.gjk, settings.epa, settings.rounded) == (
            default.gjk,
            default.epa,
            default.rounded,
        ):
            return self.analysis.gjk_epa
        return record(signed_distance_steps(self.maps, settings.gjk, settings.epa, self._start))

    @cached_property
    def single(self) -> SingleRun | None:
        """The run of GJK and EPA in single precision, with `double` beside it; None unless the setting is on."""
        settings = self.settings
        if not settings.single.steps or self.double is None:
            return None
        return single_run(
            self.analysis.scene,
            self.double,
            world_space=settings.single.world,
            away=settings.single.away,
            gjk_settings=settings.gjk,
            epa_settings=settings.epa,
            rounded=settings.rounded,
            start=self._start,
        )

    @property
    def _start(self) -> WarmStart | None:
        return self.start if self.settings.warm_start else None

    @cached_property
    def own(self) -> OwnRuns:
        """The runs of the methods for the plane only."""
        return of(self.analysis.scene.dimension).own_runs(self.analysis.scene.a, self.analysis.scene.b, self.settings)


class Run(Struct, frozen=True):
    """The run of an algorithm, for one phase; for two in the case of GJK and EPA.

    `phases`: each phase with the types of its steps. `steps`: runs the algorithm and records its steps; returns None if
    the algorithm does not apply. `setting`: the path of the setting that must be on for the run; "" if it always runs.
    """

    phases: Mapping[Phase, type[Any] | tuple[type[Any], ...]]
    steps: Callable[[Asked], Recording[Any, Any] | None]
    setting: str = ""


def _build(asked: Asked) -> Recording[BuildStep, object]:
    analysis, scene = asked.analysis, asked.analysis.scene
    explicit = analysis.difference or analysis.polygon
    steps = of(scene.dimension).build_steps(scene.a, scene.b, explicit, analysis.sat.candidates)
    return Recording(steps, explicit)


def _sat(asked: Asked) -> Recording[SatStep, object]:
    table, rows = asked.analysis.sat, None
    if asked.settings.faces_only:
        rows = [row for row, candidate in enumerate(table.candidates) if candidate.kind is not AxisKind.EDGES]
    return record(sat_steps(table, rows))


def _gjk_epa(asked: Asked) -> Recording[Any, SignedDistance] | None:
    """The run of GJK and EPA: in single precision if the setting is on and all numbers are finite, else in double.

    None with a half-space.
    """
    single = None if asked.single is None else asked.single.steps
    return asked.double if single is None else single


def _mpr(asked: Asked) -> Recording[MprStep, MprResult]:
    return record(mpr_steps(asked.analysis.scene.a, asked.analysis.scene.b))


def _contacts(asked: Asked) -> Recording[Any, Any] | None:
    analysis, before = asked.analysis, asked.before
    if analysis.contacts_earlier and before is not None:
        made: tuple[Any, ...] = tuple(it.step for it in before.moments if it.phase is Phase.CONTACTS)
        return Recording(made, before.manifold)
    steps = contact_steps(analysis, asked.settings)
    return None if steps is None else record(steps)


RUNS = (
    Run({Phase.BUILD: BuildStep}, _build, "build"),
    Run({Phase.PLANES: PlanarStep}, lambda asked: asked.own.planes),
    Run({Phase.SAT: SatStep}, _sat),
    Run({Phase.ARTICLE: PlanarStep}, lambda asked: asked.own.article, "article"),
    Run({Phase.GJK: GjkStep, Phase.EPA: (EpaStep, PlanarStep)}, _gjk_epa),
    Run({Phase.MPR: object}, _mpr, "mpr"),
    Run({Phase.CONTACTS: object}, _contacts),
)
"""Every run about the bodies at their positions, in the order of their phases."""


def query(
    analysis: Analysis,
    settings: AlgorithmSettings = DEFAULT_SETTINGS,
    start: WarmStart | None = None,
    before: Query | None = None,
) -> Query:
    """Every step about the analysis' pair; a pure function.

    `start`: GJK's first simplex, if `settings.warm_start` is on; None for GJK's own. `before`: an earlier query under
    the same settings; its contact steps are reused if the analysis has contacts of an earlier moment.
    """
    asked = Asked(analysis, acting(settings, analysis.scene.dimension), start, before)
    wanted = [run for run in RUNS if not run.setting or setting_at(asked.settings, run.setting)]
    found, single = [(run, made) for run in wanted if (made := run.steps(asked)) is not None], asked.single
    return Query(
        analysis=analysis,
        settings=settings,
        moments=tuple(
            moment
            for run, made in found
            for phase, kinds in run.phases.items()
            for moment in moments_of(phase, tuple(step for step in made.steps if isinstance(step, kinds)))
        ),
        support_maps=asked.maps if single is None or single.steps is None else single.maps,
        single=single,
        results={phase: made.result for run, made in found for phase in run.phases},
    )


def settings_for(phase: Phase | None, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> AlgorithmSettings:
    """The settings with the one turned on that the phase's algorithm needs to run; unchanged if it always runs.

    Unchanged too without a phase, and for a phase about motion.
    """
    path = next((run.setting for run in RUNS if phase in run.phases), "")
    return with_setting(settings, path, True) if path else settings


def phase_named(name: str) -> Phase | None:
    """The phase whose member name in small letters is `name`, such as `gjk`; None if there is none."""
    return next((phase for phase in Phase if phase.name.lower() == name), None)


def moments_of(phase: Phase, steps: tuple[QueryStep, ...]) -> list[Moment]:
    """The moments of a phase's steps, in order."""
    return [Moment(phase, index, len(steps), step) for index, step in enumerate(steps)]
