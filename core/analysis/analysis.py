"""`analyse(scene)`: every answer of the algorithms about one scene.

The headline, which is the answer that is reported, is computed at once; every other answer when it is first read.
`gjk_epa_of` returns the answer of GJK and EPA. Only `of` chooses between the modules for space and for the plane.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import Proximity
from ..contact.contact import Manifold, ManifoldStep
from ..geometry.vector import Array, frozen
from ..gjk.epa import EpaResult
from ..gjk.gjk import GjkResult
from ..gjk.gjk_epa import SignedDistance, signed_distance
from ..minkowski.difference import BuildStep
from ..minkowski.plane import MinkowskiPolygon
from ..minkowski.polyhedron_difference import MinkowskiDifference
from ..naming import old_name, plain
from ..pair.candidate_axes import CandidateAxis
from ..pair.features import ContactVertices
from ..pair.pair import PairScale
from ..pair.support import support_maps
from ..sat.sat import SatTable
from ..sat.separating_planes import PlanesTest
from ..scene import Body, Scene
from ..trace import Steps, run
from ..verdict import Certainty, Sentence, Verdict, verdict_of
from . import in_space
from .algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings, acting
from .in_space import LIMITED as LIMITED
from .methods import NO_LIMITS, GjkEpaRun, Headline, Limits, Methods, OwnRuns, axis_table, disagreements, headline

if TYPE_CHECKING:
    from ..toi import Method
    from ..toi.motion import Motion


class Dimension(Protocol):
    """The functions that both `in_space` and `in_plane` have; details are in their docstrings."""

    def methods_of(self, a: Body, b: Body, scale: PairScale, limits: Limits) -> Methods:
        """The methods that apply; none is computed yet."""

    def too_slow(self, a: Body, b: Body) -> str:
        """One sentence about what LIMITED leaves out; empty if nothing."""

    def contact_vertices(self, a: Body, b: Body, normal: Array) -> ContactVertices:
        """The supporting features along a unit normal (3,), from A to B."""

    def contact_steps(
        self,
        a: Body,
        b: Body,
        found: Proximity,
        band: float,
        table_of: Callable[[], SatTable],
        settings: AlgorithmSettings = ...,
    ) -> Steps[ManifoldStep, Manifold] | None:
        """The contact manifold's steps; None if the policy has none for the pair. `table_of`: returns SAT's table."""

    def build_steps(
        self,
        a: Body,
        b: Body,
        explicit: MinkowskiDifference | MinkowskiPolygon | None,
        candidates: tuple[CandidateAxis, ...],
    ) -> tuple[BuildStep, ...]:
        """The steps of the construction of `explicit`, the pair's difference; none for None."""

    def own_runs(self, a: Body, b: Body, settings: AlgorithmSettings) -> OwnRuns:
        """The runs of methods that only this dimension has."""

    def motion_of(self, a: Body, b: Body) -> Motion:
        """The motion of two bodies."""

    def motion_methods(self, motion: Motion) -> list[Method]:
        """The methods that apply to a motion, the strongest first."""


def of(dimension: int) -> Dimension:
    """The module for scenes of this dimension, 2 or 3."""
    if dimension == 2:
        # Imported for the first scene of the plane only, to keep the program's start fast.
        from . import in_plane

        return in_plane
    return in_space


class Analysis(Struct, frozen=True, eq=False, dict=True):
    """The answers for `scene`, in world space, each computed when it is first read.

    `answer`: the headline, relative to A's position, with its proof; `band`: the half width of the touching band;
    `methods`: each method's own answer. `earlier`: contacts of an earlier moment of a drag, which replace the scene's
    own if these would take too long; None if the contacts are the scene's own.
    """

    scene: Scene
    methods: Methods
    answer: Headline
    band: float
    verdict: Verdict
    earlier: Manifold | None = None

    @property
    def separation(self) -> float:
        """The signed distance, positive apart."""
        return self.answer.proximity.separation + 0.0  # no -0.0

    @property
    def certainty(self) -> Certainty:
        """The provenance of the separation, and the gap within which it is known."""
        return self.answer.certainty

    @property
    def proximity(self) -> Proximity:
        """Separation, normal and witness points relative to A's position."""
        return self.answer.proximity

    @cached_property
    def normal(self) -> Array:
        """The unit direction (3,) from A towards B."""
        return frozen(self.proximity.normal + 0.0)  # no -0.0

    @cached_property
    def witness_a(self) -> Array:
        """The witness point (3,) on A's surface, world; its distance from B's is |separation| within the gap."""
        return frozen(self.scene.a.pose.position + self.proximity.witness_a)

    @cached_property
    def witness_b(self) -> Array:
        """The witness point (3,) on B's surface, world."""
        return frozen(self.scene.a.pose.position + self.proximity.witness_b)

    @cached_property
    def nearest(self) -> Array:
        """The boundary point (3,) of the difference nearest the origin, `-separation * normal`."""
        return frozen(-self.separation * self.normal + 0.0)

    @property
    def mtv(self) -> Array | None:
        """`depth * normal` (3,); None when separated."""
        return None if self.verdict is Verdict.SEPARATED else self.nearest

    @cached_property
    def sat(self) -> SatTable:
        """SAT's table; if there is none, a table with `applies` False, whose one row is the answer's normal."""
        return axis_table(self.methods, self.answer)

    @property
    def difference(self) -> MinkowskiDifference | None:
        """The explicit difference in space; None in the plane, and if left out or refused.

        None too for a curved body, unless the other is a half-space.
        """
        return self.methods.solid

    @property
    def polygon(self) -> MinkowskiPolygon | None:
        """The difference in the plane; None in space."""
        return self.methods.polygon

    @property
    def planes(self) -> PlanesTest | None:
        """The planes test of two polygons, or a polygon and a segment, without a radius; None for other pairs."""
        return self.methods.planes

    @property
    def gjk_epa(self) -> GjkEpaRun | None:
        """GJK's and EPA's run with every step; None with a half-space."""
        return self.methods.gjk_epa

    @property
    def gjk(self) -> GjkResult | None:
        """GJK's own result, relative to A's position, with radii kept apart from cores; None with a half-space."""
        return None if self.methods.distance is None else self.methods.distance.gjk

    @property
    def epa(self) -> EpaResult | None:
        """EPA's own result, relative to A's position; None if GJK sufficed, and with a half-space."""
        return None if self.methods.distance is None else self.methods.distance.epa

    @cached_property
    def contacts(self) -> Manifold | None:
        """The contact manifold, without contacts if the bodies are apart; None for pairs that have no manifold."""
        if self.earlier is not None:
            return self.earlier
        steps = contact_steps(self)
        return None if steps is None else run(steps)

    @property
    def contacts_earlier(self) -> bool:
        """Whether the contacts are those of an earlier moment of a drag."""
        return self.earlier is not None

    @cached_property
    def contact_vertices(self) -> ContactVertices:
        """The supporting features of both bodies along the normal."""
        return of(self.scene.dimension).contact_vertices(self.scene.a, self.scene.b, self.normal)

    @property
    def limits(self) -> Limits:
        """The limits of the slow methods."""
        return self.methods.limits

    @property
    def beyond_limits(self) -> str:
        """One sentence about what the limits leave out, else empty."""
        return self.methods.beyond_limits

    left_out = old_name("beyond_limits")
    closing = old_name("gjk_epa")

    @property
    def refused(self) -> str:
        """One sentence about what would take too much memory, else empty."""
        return self.methods.refused

    @cached_property
    def disagreements(self) -> tuple[Sentence, ...]:
        """One sentence for each pair of algorithms that differ beyond tolerance; computes every method."""
        return disagreements(self.methods, None if self.contacts_earlier else self.contacts, self.answer)

    def __repr__(self) -> str:
        """The answer in one line."""
        from .picture import in_a_line

        line = in_a_line(self.scene, self.verdict, self.separation, self.certainty, self.normal, self.contacts)
        return f"Analysis({line})"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows."""
        from .picture import picture

        contacts = () if self.contacts is None else self.contacts.contacts
        return picture(self.scene, repr(self), self.normal, self.witness_a, self.witness_b, contacts)

    def to_dict(self) -> dict[str, Any]:
        """The headline and the disagreements in the types of JSON; computes every method."""
        names = ("verdict", "separation", "normal", "mtv", "witness_a", "witness_b", "certainty", "contacts")
        return {name: plain(getattr(self, name)) for name in names} | {"disagreements": [*map(str, self.disagreements)]}

    def complete(self) -> Analysis:
        """Computes every answer now, and returns the analysis itself."""
        _ = self.disagreements, self.contact_vertices
        return self

    def about(self, scene: Scene) -> Analysis:
        """The same answers for a `scene` whose bodies have the same shapes and poses."""
        found = replace(self, scene=scene)
        vars(found).update(vars(self))
        return found

    def same_as(self, other: Analysis) -> bool:
        """Whether these are the answers of `other`, possibly about bodies that move differently."""
        return self.answer is other.answer


def analyse(scene: Scene, limits: Limits = NO_LIMITS) -> Analysis:
    """All answers about the scene's two bodies at their positions; a pure function.

    `limits`: of the slow methods. Raises ValueError for two half-spaces, and for a pair whose extent is larger than
    LARGEST_EXTENT.
    """
    scale = PairScale.of_limited(scene.a, scene.b)
    methods = of(scene.dimension).methods_of(scene.a, scene.b, scale, limits)
    answer = headline(methods)
    band = scale.touching_band(answer.certainty.gap)
    return Analysis(scene, methods, answer, band, verdict_of(answer.proximity.separation, band))


def contacts_by(known: Analysis, settings: AlgorithmSettings) -> Manifold | None:
    """The contacts of an analysed pair under `settings`; None if the policy has no contacts for such shapes."""
    settings = acting(settings, known.scene.dimension)
    if settings == DEFAULT_SETTINGS:
        return known.contacts
    steps = contact_steps(known, settings)
    return None if steps is None else run(steps)


def contact_steps(
    known: Analysis, settings: AlgorithmSettings = DEFAULT_SETTINGS
) -> Steps[ManifoldStep, Manifold] | None:
    """The steps of the contacts; None if the policy has no contacts for such shapes.

    `settings`: from `acting`, for the scene's dimension.
    """
    a, b, dimension = known.scene.a, known.scene.b, of(known.scene.dimension)
    return dimension.contact_steps(a, b, known.proximity, known.band, lambda: known.sat, settings)


def too_slow(scene: Scene) -> str:
    """One sentence about what LIMITED leaves out of the answers about a scene; empty if nothing."""
    return of(scene.dimension).too_slow(scene.a, scene.b)


def separation_of(scene: Scene) -> float:
    """The signed separation alone, with the limits LIMITED, for callers that need it for hundreds of scenes.

    Raises as `analyse`.
    """
    return analyse(scene, LIMITED).separation


def gjk_epa_of(scene: Scene, settings: AlgorithmSettings = DEFAULT_SETTINGS) -> SignedDistance:
    """The answer of GJK and EPA about two bounded bodies under `settings`, without the steps.

    Raises ValueError for a half-space.
    """
    settings = acting(settings, scene.dimension)
    return signed_distance(support_maps(scene.a, scene.b, rounded=settings.rounded), settings.gjk, settings.epa)
