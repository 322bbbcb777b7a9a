"""Space or plane: the one place that chooses between the two modules that answer for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from . import in_space

if TYPE_CHECKING:
    from ..closed_form import Proximity
    from ..contact.contact import Manifold, ManifoldStep
    from ..geometry.vector import Array
    from ..minkowski.difference import BuildStep, MinkowskiDifference
    from ..minkowski.plane import MinkowskiPolygon
    from ..pair.candidate_axes import CandidateAxis
    from ..pair.features import ContactVertices
    from ..sat.table import SatTable
    from ..scene import Body
    from ..toi.methods import Method
    from ..toi.relative import Motion
    from ..trace import Steps
    from .knobs import Knobs
    from .methods import Detail, Methods, OwnRuns


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
