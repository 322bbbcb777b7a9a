"""What the plane's methods say, one by one: the numbers of `core.planar` with their vectors raised into space."""

from __future__ import annotations

from msgspec import Struct

from .algorithms.closed_form import closed_form
from .algorithms.pair import PairScale
from .flat import FlatAnalysis, FlatScene
from .geometry.vector import Array
from .in_space import knobs_of_plane, raised
from .knobs import Knobs
from .planar.analysis import Analysis2, analyse2
from .planar.gjk_epa import SignedDistance2, signed_distance2
from .planar.minkowski import nearest_of_pair
from .planar.pair import Pair2
from .planar.planes_test import PlanesTest
from .planar.support import Difference2


def flat_separation(scene: FlatScene) -> float:
    """The answer's signed separation alone."""
    planar = scene.planar
    return nearest_of_pair(Pair2.of(planar.a, planar.b)).separation


def flat_closing(scene: FlatScene, knobs: Knobs) -> SignedDistance2:
    """What GJK and EPA say under the knobs, with no step kept."""
    planar, turned = scene.planar, knobs_of_plane(knobs)
    return signed_distance2(Difference2.of(planar.a, planar.b, rounded=turned.rounded), turned.gjk, turned.epa)


def explicit_answer(analysis: FlatAnalysis) -> tuple[float, Array]:
    """The signed separation by the difference's polygon, and the normal (3,) from A to B."""
    scene = analysis.planar.scene
    found = nearest_of_pair(Pair2.of(scene.a, scene.b))
    return found.separation, raised(found.normal)


def planes_answer(test: PlanesTest) -> tuple[float, Array]:
    """The widest gap of the planes test, negative if none parts the two, and its normal (3,) from A to B."""
    return test.gap, raised(test.normal)


class FlatNumbers(Struct, frozen=True, eq=False):
    """What every method says at once: the analysis, and beside it what it does not keep; `closed` only of circles."""

    analysis: Analysis2
    closing: SignedDistance2
    closed: float | None
    explicit: float
    scale: PairScale


def flat_numbers(scene: FlatScene, knobs: Knobs) -> FlatNumbers:
    """Every method about one scene, GJK and EPA under the knobs."""
    planar = scene.planar
    pair, closed = Pair2.of(planar.a, planar.b), closed_form(scene.a, scene.b)
    return FlatNumbers(
        analysis=analyse2(planar),
        closing=flat_closing(scene, knobs),
        closed=None if closed is None else closed.separation,
        explicit=nearest_of_pair(pair).separation,
        scale=pair.scale,
    )
