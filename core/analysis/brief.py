"""The records of the library's answers about a pair: `Distance` and `Collision`."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..contact.contact import Contact, Manifold
from ..geometry.vector import Array
from ..naming import old_name, plain
from ..scene import Scene
from ..verdict import Certainty, Verdict
from .analysis import analyse
from .picture import in_a_line, picture


class Distance(Struct, frozen=True, eq=False):
    """The signed distance of two bodies: how far they are apart, or how deep they overlap.

    `separation`: signed distance, scene units, positive apart; `certainty`: how it is known, and within which gap.
    `normal` (3,): unit, world, from A towards B. `witness_a`, `witness_b` (3,): world, on the two surfaces; their
    distance is |separation|, within the certainty's gap. `band`: the verdict is TOUCHING if |separation| is at most
    this.
    """

    scene: Scene
    verdict: Verdict
    separation: float
    normal: Array
    witness_a: Array
    witness_b: Array
    certainty: Certainty
    band: float

    @property
    def depth(self) -> float:
        """Minus the separation: positive overlapping."""
        return 0.0 - self.separation  # not -0.0

    def to_dict(self) -> dict[str, Any]:
        """The answer in the types of JSON, by its field and property names; without the scene."""
        return _answer(self) | {"band": self.band}

    point_a = old_name("witness_a")
    point_b = old_name("witness_b")

    def __repr__(self) -> str:
        """The answer in one line."""
        return f"Distance({in_a_line(self.scene, self.verdict, self.separation, self.certainty, self.normal)})"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows."""
        return picture(self.scene, repr(self), self.normal, self.witness_a, self.witness_b)


class Collision(Struct, frozen=True, eq=False):
    """Whether two bodies meet, by `verdict`; its truth value is True if they touch or overlap.

    `depth`: scene units, positive overlapping, minus the distance if apart; `certainty`: how it is known. `normal`
    (3,): unit, world, from A towards B. `mtv` (3,): the least move of B that just removes the overlap, None if apart.
    `manifold`: the contact manifold, without contacts if the bodies are apart; never None for a pair that `analyse`
    accepts. `witness_a`, `witness_b` (3,): world, the deepest or nearest points of the two surfaces.
    """

    scene: Scene
    verdict: Verdict
    depth: float
    normal: Array
    mtv: Array | None
    certainty: Certainty
    manifold: Manifold | None
    witness_a: Array
    witness_b: Array

    def __bool__(self) -> bool:
        """Whether the bodies touch or overlap."""
        return self.verdict is not Verdict.SEPARATED

    @property
    def separation(self) -> float:
        """Minus the depth: positive apart."""
        return 0.0 - self.depth  # not -0.0

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """The contacts of the manifold; the deepest has the pair's depth. Empty if the bodies are apart."""
        return () if self.manifold is None else self.manifold.contacts

    def to_dict(self) -> dict[str, Any]:
        """The answer in the types of JSON, by its field and property names; without the scene and the manifold."""
        return _answer(self) | {"mtv": plain(self.mtv), "contacts": plain(self.contacts)}

    point_a = old_name("witness_a")
    point_b = old_name("witness_b")

    def __repr__(self) -> str:
        """The answer in one line."""
        line = in_a_line(self.scene, self.verdict, self.separation, self.certainty, self.normal, self.manifold)
        return f"Collision({line})"

    def _repr_html_(self) -> str:
        """The picture that a notebook shows."""
        return picture(self.scene, repr(self), self.normal, self.witness_a, self.witness_b, self.contacts)


def _answer(found: Distance | Collision) -> dict[str, Any]:
    names = ("verdict", "separation", "depth", "normal", "witness_a", "witness_b", "certainty")
    return {name: plain(getattr(found, name)) for name in names}


def distance_of(scene: Scene) -> Distance:
    """The signed distance of a scene's bodies at their positions. Raises as `analyse`."""
    found = analyse(scene)
    return Distance(
        scene=scene,
        verdict=found.verdict,
        separation=found.separation,
        normal=found.normal,
        witness_a=found.witness_a,
        witness_b=found.witness_b,
        certainty=found.certainty,
        band=found.band,
    )


def collision_of(scene: Scene) -> Collision:
    """Whether a scene's bodies meet at their positions, how deep, and where they touch. Raises as `analyse`."""
    found = analyse(scene)
    return Collision(
        scene=found.scene,
        verdict=found.verdict,
        depth=0.0 - found.separation,  # not -0.0
        normal=found.normal,
        mtv=found.mtv,
        certainty=found.certainty,
        manifold=found.contacts,
        witness_a=found.witness_a,
        witness_b=found.witness_b,
    )
