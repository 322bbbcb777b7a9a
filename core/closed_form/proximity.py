"""`Proximity`: the answer of every closed form."""

from __future__ import annotations

from msgspec import Struct

from ..geometry.vector import Array, vec

X_AXIS = vec(1.0, 0.0, 0.0)
"""The normal if all directions are equally good, as for concentric spheres."""


class Proximity(Struct, frozen=True, eq=False):
    """The signed distance of two bodies, and the direction and points of it.

    `separation`: positive apart. `normal` (3,): unit, from the first body to the second. `witness_a`, `witness_b` (3,):
    on the surfaces, `witness_b - witness_a = separation * normal`.
    """

    separation: float
    normal: Array
    witness_a: Array
    witness_b: Array

    def swapped(self) -> Proximity:
        """The answer for the bodies in the other order."""
        return Proximity(self.separation, -self.normal, self.witness_b, self.witness_a)

    def grown(self, first: float, second: float) -> Proximity:
        """The answer for the same bodies grown by balls of the radii `first` and `second`."""
        if first == second == 0.0:
            return self
        witness_a = self.witness_a + first * self.normal
        witness_b = self.witness_b - second * self.normal
        return Proximity(self.separation - first - second, self.normal, witness_a, witness_b)
