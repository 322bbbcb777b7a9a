"""One number of a scene of space or of the plane, for those who ask about hundreds of scenes in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .algorithms.gjk_epa import SignedDistance, signed_distance
from .algorithms.pair import PairScale
from .algorithms.support import support_maps
from .flat import FlatScene
from .knobs import DEFAULT_KNOBS, Knobs
from .methods import Detail, headline, methods_of
from .scene import Scene

if TYPE_CHECKING:
    from .planar.gjk_epa import SignedDistance2


def separation_of(scene: Scene) -> float:
    """The answer's signed separation alone."""
    if isinstance(scene, FlatScene):
        from .flat_methods import flat_separation

        return flat_separation(scene)
    a, b = scene.a, scene.b
    return headline(a, b, PairScale.of(a, b), methods_of(a, b, Detail.LIVE)).proximity.separation


def closing_of(scene: Scene, knobs: Knobs = DEFAULT_KNOBS) -> SignedDistance | SignedDistance2:
    """What GJK and EPA say about two bounded bodies under the knobs, with no step kept."""
    if isinstance(scene, FlatScene):
        from .flat_methods import flat_closing

        return flat_closing(scene, knobs)
    return signed_distance(support_maps(scene.a, scene.b, rounded=knobs.rounded), knobs.gjk, knobs.epa)
