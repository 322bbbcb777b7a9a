"""What the plane's methods say, one by one: the numbers of `core.planar` with their vectors raised into space."""

from __future__ import annotations

from math import nan

from .algorithms.closed_form import closed_form
from .flat import FlatAnalysis, FlatScene
from .geometry.vector import Array
from .in_space import knobs_of_plane, raised
from .knobs import Knobs
from .planar.analysis import analyse2
from .planar.gjk_epa import SignedDistance2, signed_distance2
from .planar.minkowski import NearestPoint2, minkowski_difference, nearest_point
from .planar.pair import Pair2
from .planar.planes_test import PlanesTest
from .planar.scene import Scene2
from .planar.support import Difference2
from .planar.vec2 import negated
from .through_zero import Sample


def flat_separation(scene: FlatScene) -> float:
    """The answer's signed separation alone."""
    return _nearest(scene.planar).separation


def flat_closing(scene: FlatScene, knobs: Knobs) -> SignedDistance2:
    """What GJK and EPA say under the knobs, with no step kept."""
    planar, turned = scene.planar, knobs_of_plane(knobs)
    return signed_distance2(Difference2.of(planar.a, planar.b, rounded=turned.rounded), turned.gjk, turned.epa)


def explicit_answer(analysis: FlatAnalysis) -> tuple[float, Array]:
    """The signed separation by the difference's polygon, and the normal (3,) from A to B."""
    found = _nearest(analysis.planar.scene)
    return found.separation, raised(found.normal)


def planes_answer(test: PlanesTest) -> tuple[float, Array]:
    """The widest gap of the planes test, negative if none parts the two, and its normal (3,) from A to B."""
    normal = test.best.plane.normal
    return test.gap, raised(normal if test.best.body == 0 else negated(normal))


def flat_sample(scene: FlatScene, at: float, knobs: Knobs) -> Sample:
    """What every method says about the scene: see `core.through_zero.sample`."""
    found = analyse2(scene.planar)
    scale = Pair2.of(scene.planar.a, scene.planar.b).scale
    distance = flat_closing(scene, knobs)
    closed = closed_form(scene.a, scene.b)
    numbers = (
        found.separation,
        found.sat.separation,
        nan if found.planes is None else found.planes.gap,
        distance.separation,
        nan if closed is None else closed.separation,
        _nearest(scene.planar).separation,
    )
    return Sample(
        at=at,
        verdict=found.verdict,
        separations=numbers,
        winner=found.sat.candidates[found.sat.winner].label,
        normal=raised(found.normal),
        contacts=len(found.contacts.contacts),
        gjk=distance.gjk.iterations,
        epa=None if distance.epa is None else distance.epa.iterations,
        slack=2.0 * (scale.agreement + distance.certainty.gap),
    )


def _nearest(scene: Scene2) -> NearestPoint2:
    pair = Pair2.of(scene.a, scene.b)
    return nearest_point(minkowski_difference(scene.a, scene.b), pair.offset, pair.scale.rounding)
