"""`analyse(scene)`: every answer about one scene, from the algorithms; no ideas of its own.

`separation_of` and `closing_of` are one number of it, for those who ask about hundreds of scenes in a row.
`of` is the one place that chooses between the two modules that answer for space and for the plane.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from ..closed_form import Proximity
from ..contact.contact import Manifold, ManifoldStep
from ..geometry.tolerances import touching_band
from ..geometry.vector import Array, frozen
from ..gjk.epa import EpaResult
from ..gjk.gjk import GjkResult
from ..gjk.gjk_epa import SignedDistance, signed_distance
from ..minkowski.difference import BuildStep
from ..minkowski.plane import MinkowskiPolygon
from ..minkowski.polyhedron_difference import MinkowskiDifference
from ..pair.candidate_axes import CandidateAxis
from ..pair.pair import PairScale
from ..pair.support import ContactVertices, support_maps
from ..sat.planes_test import PlanesTest
from ..sat.sat import SatTable
from ..scene import Body, Scene
from ..trace import Steps, run
from ..verdict import Certainty, Sentence, Verdict, verdict_of
from . import in_space
from .knobs import DEFAULT_KNOBS, Knobs, acting
from .methods import Closing, Detail, Headline, Methods, OwnRuns, axis_table, disagreements, headline

if TYPE_CHECKING:
    from ..toi import Method
    from ..toi.motion import Motion


class Dimension(Protocol):
    """What `in_space` and `in_plane` both offer; the docstrings are theirs."""

    def methods_of(self, a: Body, b: Body, detail: Detail) -> Methods:
        """Every method's answer."""

    def too_slow(self, a: Body, b: Body) -> str:
        """One sentence about what Detail.LIVE leaves out; empty if nothing."""

    def contact_vertices(self, a: Body, b: Body, normal: Array) -> ContactVertices:
        """The supporting features along a unit normal (3,), from A to B."""

    def contact_steps(
        self, a: Body, b: Body, found: Proximity, band: float, table: SatTable, knobs: Knobs = ...
    ) -> Steps[ManifoldStep, Manifold] | None:
        """The contact manifold's steps; None where there is no manifold."""

    def build_steps(
        self,
        a: Body,
        b: Body,
        explicit: MinkowskiDifference | MinkowskiPolygon | None,
        candidates: tuple[CandidateAxis, ...],
    ) -> tuple[BuildStep, ...]:
        """The difference built by hand."""

    def own_runs(self, a: Body, b: Body, knobs: Knobs) -> OwnRuns:
        """The runs of methods that this dimension alone has."""

    def motion_of(self, a: Body, b: Body) -> Motion:
        """Two bodies in motion."""

    def motion_methods(self, motion: Motion) -> list[Method]:
        """The methods that apply to a motion, the strongest first."""


def of(dimension: int) -> Dimension:
    """The module for scenes of this dimension, 2 or 3."""
    if dimension == 2:
        # Imported with the first scene of the plane: nothing of it is wanted at the start.
        from . import in_plane

        return in_plane
    return in_space


class Analysis(Struct, frozen=True, eq=False):
    """The answers for `scene`, in world space.

    `separation` signed (positive apart); `normal` unit, from A towards B; `mtv` = depth * normal, None when
    separated; witnesses with `|b - a| = |separation|` on the two surfaces, but for the certainty's gap; `proximity`:
    these relative to A's position; `certainty` of the separation and `band`, the half width of the touching band;
    `nearest` (3,): the boundary point of the difference nearest the origin, `-separation * normal`; `disagreements`:
    one sentence per pair of algorithms that differ beyond tolerance.

    `sat`: one row, the final normal, where SAT does not apply or was left out (`sat.applies`). `difference`: None
    where there is no explicit solid (cylinder, cone, ellipsoid) or it was left out. In the plane `polygon` takes its
    place, beside `planes`, the planes test of two polygons; both are None in space. `gjk`: None with a half-space;
    `epa`: None where GJK sufficed. Both results are relative to A's position and keep radii apart from cores.
    `closing`: the run that they are the results of, with every step.
    `contacts`: None for pairs that have no manifold (see has_manifold), without contacts when apart.
    `contacts_earlier`: they are of an earlier moment of a drag, as making them takes too long; all else is of this one.
    `detail`: what was asked for; `left_out`: one sentence about what Detail.LIVE did not compute, else empty;
    `refused`: about what would take too much memory.
    """

    scene: Scene
    verdict: Verdict
    separation: float
    normal: Array
    mtv: Array | None
    witness_a: Array
    witness_b: Array
    nearest: Array
    proximity: Proximity
    certainty: Certainty
    band: float
    sat: SatTable
    difference: MinkowskiDifference | None
    polygon: MinkowskiPolygon | None
    planes: PlanesTest | None
    gjk: GjkResult | None
    epa: EpaResult | None
    closing: Closing | None
    contacts: Manifold | None
    contact_vertices: ContactVertices
    detail: Detail
    left_out: str
    refused: str
    disagreements: tuple[Sentence, ...]
    contacts_earlier: bool = False

    def __repr__(self) -> str:
        """One line."""
        from .picture import in_a_line

        return f"Analysis({in_a_line(self.verdict, self.separation, self.certainty, self.normal, self.contacts)})"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from .picture import picture

        contacts = () if self.contacts is None else self.contacts.contacts
        return picture(self.scene, repr(self), self.normal, self.witness_a, self.witness_b, contacts)

    def about(self, scene: Scene) -> Analysis:
        """The same answers about a `scene` whose bodies stand as these do."""
        return replace(self, scene=scene)

    def same_as(self, other: Analysis) -> bool:
        """Whether these are the very answers of `other`, if about bodies that move otherwise."""
        return self.sat is other.sat


Contacts = Callable[[Steps[ManifoldStep, Manifold]], Manifold | None]
"""Makes the manifold of its steps, or leaves it out."""


def analyse(scene: Scene, detail: Detail = Detail.FULL, contacts_of: Contacts = run) -> Analysis:
    """All answers about the scene's two bodies as they stand; pure.

    `contacts_of`: makes the manifold of bodies that are not apart; None leaves it out.

    Raises ValueError for two half-spaces, and for bodies larger or farther apart than 1e100.
    """
    a, b, dimension = scene.a, scene.b, of(scene.dimension)
    scale, methods, answer = headline_of(scene, detail)
    table = axis_table(a, b, scale, methods, answer)
    found, origin = answer.proximity, a.pose.position
    band = band_of(scale, answer)
    steps = dimension.contact_steps(a, b, found, band, table)
    verdict = verdict_of(found.separation, band)
    way_out = frozen(-found.separation * found.normal + 0.0)
    # Of bodies apart there is nothing to make.
    contacts = None if steps is None else (run if verdict is Verdict.SEPARATED else contacts_of)(steps)
    return Analysis(
        scene=scene,
        verdict=verdict,
        separation=found.separation,
        normal=frozen(found.normal),
        mtv=None if verdict is Verdict.SEPARATED else way_out,
        witness_a=frozen(origin + found.point_first),
        witness_b=frozen(origin + found.point_second),
        nearest=way_out,
        proximity=found,
        certainty=answer.certainty,
        band=band,
        sat=table,
        difference=methods.solid,
        polygon=methods.polygon,
        planes=methods.planes,
        gjk=None if methods.distance is None else methods.distance.gjk,
        epa=None if methods.distance is None else methods.distance.epa,
        closing=methods.closing,
        contacts=contacts,
        contact_vertices=dimension.contact_vertices(a, b, found.normal),
        detail=detail,
        left_out=methods.left_out,
        refused=methods.refused,
        disagreements=disagreements(a, b, scale, methods, table, contacts, answer),
    )


def contacts_by(known: Analysis, knobs: Knobs) -> Manifold | None:
    """The contacts of an analysed pair under other knobs; None where their policy has none for such shapes."""
    scene = known.scene
    knobs = acting(knobs, scene.dimension)
    if knobs == DEFAULT_KNOBS:
        return known.contacts
    steps = of(scene.dimension).contact_steps(scene.a, scene.b, known.proximity, known.band, known.sat, knobs)
    return None if steps is None else run(steps)


def too_slow(scene: Scene) -> str:
    """One sentence about what Detail.LIVE leaves out of the answers about a scene; empty if nothing."""
    return of(scene.dimension).too_slow(scene.a, scene.b)


def separation_of(scene: Scene) -> float:
    """The answer's signed separation alone."""
    return headline_of(scene, Detail.LIVE)[2].proximity.separation


def headline_of(scene: Scene, detail: Detail) -> tuple[PairScale, Methods, Headline]:
    """The answer alone, relative to A's position, with what it is measured by and all that the methods said.

    Raises ValueError for two half-spaces, and for bodies larger or farther apart than LARGEST_EXTENT.
    """
    scale = PairScale.answered(scene.a, scene.b)
    methods = of(scene.dimension).methods_of(scene.a, scene.b, detail)
    return scale, methods, headline(scene.a, scene.b, scale, methods)


def band_of(scale: PairScale, answer: Headline) -> float:
    """Half width of the touching band about an answer."""
    return touching_band(scale.smaller, scale.larger, scale.extent - scale.larger, answer.certainty.gap)


def closing_of(scene: Scene, knobs: Knobs = DEFAULT_KNOBS) -> SignedDistance:
    """What GJK and EPA say about two bounded bodies under the knobs, with no step kept."""
    knobs = acting(knobs, scene.dimension)
    return signed_distance(support_maps(scene.a, scene.b, rounded=knobs.rounded), knobs.gjk, knobs.epa)
