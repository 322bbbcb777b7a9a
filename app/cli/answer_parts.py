"""The parts of an answer of `check --json`: the objects under `sat`, `gjk`, `contacts` and so on.

A field is a key. Its type, its description and the record's docstring go into the schema. A vector has as
many coordinates as the scene has dimensions, zeros have no sign, and a number that is not finite is written as null.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct

from core.analysis.analysis import Analysis
from core.analysis.motion_answers import SweepAnswer
from core.contact.contact import Contact, Manifold
from core.float32 import SingleAnswer, SinglePrecision
from core.geometry.vector import Array
from core.sat.sat import AxisStatus, SatTable
from core.scene import Scene
from core.shapes import MeshSource, mesh_source
from core.toi.motion import MotionOutcome
from core.verdict import Certainty, Provenance, Verdict, formula

from ..words.quantities import Vector
from ..words.terms import terms_of

if TYPE_CHECKING:
    from core.sat.separating_planes import PlanesTest

Interval = Annotated[list[float | None], Meta(min_length=2, max_length=2)]
"""Both ends in world values; null for an infinite end."""


class MeshPart(Struct, frozen=True):
    """A mesh that is not convex, whose hull stands for it."""

    file: Annotated[str, Meta(description="its name, without folders")]
    parts: Annotated[int, Meta(ge=1, description="parts of its surface that have no point in common")]

    @staticmethod
    def all_of(scene: Scene) -> dict[Literal["a", "b"], MeshPart]:
        """The meshes of the bodies that have one."""
        meshes: dict[Literal["a", "b"], MeshSource | None] = {
            "a": mesh_source(scene.a.shape),
            "b": mesh_source(scene.b.shape),
        }
        return {key: MeshPart(mesh.file, mesh.parts) for key, mesh in meshes.items() if mesh is not None}


class AxisPart(Struct, frozen=True):
    """A candidate axis; the vector and all numbers are null if its edges are parallel, so that it has no direction."""

    label: str
    kind: str
    axis: Vector | None
    interval_a: Interval | None
    interval_b: Interval | None
    side: Annotated[
        Literal[1, -1, None],
        Meta(
            description="side * axis runs from A towards B, and so do the intervals times side: "
            "then separation = min B - max A"
        ),
    ]
    separation: float | None
    status: str


class Sat(Struct, frozen=True):
    """SAT's table; where SAT does not apply its one row is the normal that GJK or EPA found."""

    applies: bool
    separation: float
    normal: Vector
    winner: str
    ties: list[str]
    axes: list[AxisPart]

    @staticmethod
    def of(table: SatTable, d: int) -> Sat:
        """The part for a SAT table; `d`: the dimension."""
        return Sat(
            applies=table.applies,
            separation=float(table.separation),
            normal=floats(table.normal[:d]),
            winner=table.candidates[table.winner].label,
            ties=[table.candidates[row].label for row in table.ties],
            axes=_axes(table, d),
        )


def _axes(table: SatTable, d: int) -> list[AxisPart]:
    """The rows of the table; a degenerate axis has no numbers, and a half-space's interval has one end."""
    offset = table.offset[:, None]
    intervals = _ends(table.interval_a + offset), _ends(table.interval_b + offset)
    columns = floats(table.axes[:, :d]), *intervals, table.sides.tolist(), table.separations.tolist()
    return [
        AxisPart(
            label=candidate.label,
            kind=candidate.kind if d == 3 else terms_of(d).worded(candidate.kind),
            axis=None if degenerate else axis,
            interval_a=None if degenerate else of_a,
            interval_b=None if degenerate else of_b,
            side=None if degenerate else side,
            separation=None if degenerate else separation,
            status=status,
        )
        for candidate, status, axis, of_a, of_b, side, separation in zip(
            table.candidates, table.statuses, *columns, strict=True
        )
        for degenerate in (status is AxisStatus.DEGENERATE,)
    ]


def _ends(intervals: Array) -> list[list[float | None]]:
    """Intervals (n, 2) as lists, with None for an infinite end."""
    ends: list[list[float | None]] = intervals.tolist()
    if isfinite(intervals.sum()):
        return ends
    return [[end if end is not None and isfinite(end) else None for end in interval] for interval in ends]


class Planes(Struct, frozen=True):
    """The planes test of two polygons; null with what is round or a point."""

    verdict: Verdict
    gap: float
    best: str
    first: str | None

    @staticmethod
    def of(planes: PlanesTest | None) -> Planes | None:
        """The part for a planes test; None if the test does not apply."""
        if planes is None:
            return None
        return Planes(verdict=planes.verdict, gap=planes.gap, best=planes.best.label, first=planes.first)


class Gjk(Struct, frozen=True):
    """GJK's own answer; null with a half-space. Once the cores meet its witnesses are one point of both cores."""

    stop: str
    iterations: int
    separation: Annotated[float | None, Meta(description="null once the cores meet")]
    witness_a: Vector
    witness_b: Vector

    @staticmethod
    def of(analysis: Analysis) -> Gjk | None:
        """The part for GJK's answer; None if GJK did not run."""
        found, origin, d = analysis.gjk, np.array(analysis.scene.a.position), analysis.scene.dimension
        if found is None:
            return None
        return Gjk(
            stop=found.stop.value,
            iterations=found.iterations,
            separation=found.separation,
            witness_a=floats((origin + found.witness_a)[:d]),
            witness_b=floats((origin + found.witness_b)[:d]),
        )


class Epa(Struct, frozen=True):
    """EPA's own answer; null where GJK sufficed."""

    stop: str
    iterations: int
    depth: float
    normal: Vector

    @staticmethod
    def of(analysis: Analysis) -> Epa | None:
        """The part for EPA's answer; None if EPA did not run."""
        found = analysis.epa
        if found is None:
            return None
        normal = floats(found.normal[: analysis.scene.dimension])
        return Epa(stop=found.stop.value, iterations=found.iterations, depth=float(found.depth), normal=normal)


class ContactVerticesPart(Struct, frozen=True):
    """The part of each body nearest the separating plane: its points, and its kind."""

    a: list[Vector]
    b: list[Vector]
    feature_a: str
    feature_b: str

    @staticmethod
    def of(analysis: Analysis) -> ContactVerticesPart:
        """The part for an answer's contact vertices."""
        contact, d = analysis.contact_vertices, analysis.scene.dimension
        return ContactVerticesPart(
            a=floats(contact.a.points[:, :d]),
            b=floats(contact.b.points[:, :d]),
            feature_a=contact.a.kind,
            feature_b=contact.b.kind,
        )


class ContactPoint(Struct, frozen=True):
    """A point of contact, midway between both surfaces, and the features that made it."""

    position: Vector
    depth: Annotated[float, Meta(description="along the normal")]
    feature_a: str
    feature_b: str

    @staticmethod
    def all_of(contacts: Sequence[Contact], dimension: int) -> list[ContactPoint]:
        """The points of a manifold."""
        return [
            ContactPoint(
                position=floats(contact.position[:dimension]),
                depth=float(contact.depth) + 0.0,  # no -0.0
                feature_a=contact.feature_a,
                feature_b=contact.feature_b,
            )
            for contact in contacts
        ]


class SweepPart(Struct, frozen=True):
    """When the bodies first meet on their way; null where neither moves or turns."""

    outcome: MotionOutcome
    time: Annotated[float | None, Meta(description="0: start, 1: end; null without a meeting")]
    axis: str | None
    normal: Vector | None
    contacts: Annotated[list[ContactPoint] | None, Meta(description="at that time")]
    separation: Annotated[float | None, Meta(description="left at that time")]
    free_until: Annotated[float, Meta(description="the bodies are proved apart until this time")]
    method: str
    stop: str

    @staticmethod
    def of(moving: SweepAnswer | None, dimension: int) -> SweepPart | None:
        """The part for an answer about the motion; None if neither body moves or turns. `dimension`: of the scene."""
        if moving is None:
            return None
        found = moving.result
        return SweepPart(
            outcome=found.outcome,
            time=found.time,
            axis=found.axis,
            normal=None if found.normal is None else floats(found.normal[:dimension]),
            contacts=ContactPoint.all_of(moving.contacts, dimension) if moving.contacts else None,
            separation=None if found.separation is None else found.separation + 0.0,  # no -0.0
            free_until=found.free,
            method=moving.method.value,
            stop=found.stop.value,
        )


class Known(Struct, frozen=True):
    """The provenance of a number; null if there is no number."""

    kind: Provenance
    gap: Annotated[float, Meta(description="how far off it may be")]

    @staticmethod
    def of(certainty: Certainty) -> Known:
        """The part for one certainty."""
        return Known(kind=certainty.provenance, gap=float(certainty.gap))

    @staticmethod
    def all_of(analysis: Analysis) -> dict[str, Known | None]:
        """The certainty of each method's separation; None for a method that gives none."""
        table, gjk, epa = analysis.sat, analysis.gjk, analysis.epa
        return {
            "separation": Known.of(analysis.certainty),
            "sat": Known.of(formula(table.separation, reached=table.exact)) if table.applies else None,
            "gjk": None if gjk is None or gjk.separation is None else Known.of(gjk.certainty),
            "epa": None if epa is None else Known.of(epa.certainty),
        }


class FlatnessPart(Struct, frozen=True):
    """The flat parts of the touching bodies, and the tolerances that decide what is flat; null without contacts."""

    angles: Annotated[list[float | None], Meta(description="off square to the normal, radians; null: round")]
    alpha: Annotated[float, Meta(description="flat within, radians")]
    delta: Annotated[float, Meta(description="contacts may be so far apart, scene units")]
    gaps: Annotated[int, Meta(description="how many are apart")]
    dropped: Annotated[int, Meta(description="corners of the patch that were too many")]

    @staticmethod
    def of(found: Manifold | None) -> FlatnessPart | None:
        """The part for a manifold; None if it has no flatness."""
        flatness = None if found is None else found.flatness
        if flatness is None:
            return None
        return FlatnessPart(
            angles=list(flatness.angles),
            alpha=flatness.alpha,
            delta=flatness.delta,
            gaps=flatness.gaps,
            dropped=flatness.dropped,
        )


class InDouble(Struct, frozen=True):
    """Double precision's answer to the same question."""

    verdict: Verdict
    separation: float | None
    normal: Vector


class InSingle(Struct, frozen=True):
    """One algorithm in single precision beside double; null where single precision finds no number."""

    algorithm: str
    verdict: Verdict | None
    separation: float | None
    normal: Vector | None
    gap: Annotated[float | None, Meta(description="how far the algorithm's own bounds are apart")]
    double: InDouble
    error: Annotated[float | None, Meta(description="its separation less double's")]
    turned: Annotated[float | None, Meta(description="angle between both normals, radians")]
    proven: Annotated[float | None, Meta(description="the separation along its normal, in double")]
    words: str

    @staticmethod
    def of(answer: SingleAnswer, size: int) -> InSingle:
        """The part for one algorithm's answer; `size`: the dimension."""
        return InSingle(
            algorithm=answer.algorithm,
            verdict=answer.verdict,
            separation=_finite(answer.separation),
            normal=floats(answer.normal[:size]) if answer.verdict is not None else None,
            gap=_finite(answer.gap),
            double=InDouble(
                verdict=answer.double_verdict,
                separation=_finite(answer.double_separation),
                normal=floats(answer.double_normal[:size]),
            ),
            error=_finite(answer.error),
            turned=_finite(answer.turned),
            proven=_finite(answer.proven),
            words=str(answer.words),
        )


class Single(Struct, frozen=True):
    """Every algorithm that applies, in single precision; the first is the one to quote."""

    band: Annotated[float | None, Meta(description="the touching tolerance, scene units")]
    answers: list[InSingle]

    @staticmethod
    def of(found: SinglePrecision) -> Single:
        """The part for all algorithms that apply."""
        size = found.scene.dimension
        return Single(_finite(found.band), [InSingle.of(answer, size) for answer in found.answers])


def _finite(value: float) -> float | None:
    return float(value) + 0.0 if isfinite(value) else None  # no -0.0


class ArticleVersion(Struct, frozen=True):
    """A published mistake beside the right answer; of a time null: never."""

    id: str
    system: Annotated[str, Meta(description="the code of its source")]
    title: str
    about: Annotated[str, Meta(description="the pair, its motion, or a ray against A or B")]
    article: Any
    right: Any
    reason: str
    words: str


class StepPart(Struct, frozen=True):
    """A step of an algorithm, as the step card says it."""

    phase: str
    number: Annotated[int, Meta(ge=1)]
    of: Annotated[int, Meta(ge=1)]
    title: str
    known: str
    decided: str
    why: str
    stop: str | None
    formulas: Annotated[list[str], Meta(description="with numbers")]
    values: Annotated[
        dict[str, Any],
        Meta(
            description="the step's own numbers, in full digits; points are relative to A's position, "
            "in the plane they have a z"
        ),
    ]


Steps = list[Annotated[StepPart, Meta(extra_json_schema={"required": ["phase", "number", "of"]})]]
"""The type of the key `steps`; the schema requires some keys of each step."""


def floats(values: Array) -> list[Any]:
    """The numbers of an array (n,) or (m, n) as lists, without negative zeros."""
    if values.ndim == 1:
        return [value + 0.0 for value in values.tolist()]  # no -0.0
    listed: list[Any] = (values + 0.0).tolist()
    return listed
