"""Objects of game engines: a shape with sizes, a pose and a scale, each given by a statement or line of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct, field

from core.geometry.vector import Array

from .bodies import Given, ball_of, box, capsule_in_all, cone, cylinder, hull
from .code import Call, Name, Value, numbers_in, value_name
from .form import NotUnderstoodError


class Thing(Struct):
    """An object as a text gives it. `kind`: box, sphere, capsule, cylinder, cone or hull; `given` refuses others.

    `sizes` has, by name: `size` (3,) of a box, full; `radius`; `height`, of a capsule with its caps; `points` (n, 3) of
    a hull. `values` has position, rotation (3, 3), scale and centre. The scale (3,) multiplies the sizes and the centre
    along the object's own axes; a kind in `even` is refused unless its three numbers are equal.
    """

    line: int
    name: str = ""
    kind: str = ""
    sizes: dict[str, Any] = field(default_factory=dict)
    axis: str = "y"
    values: dict[str, Array] = field(default_factory=dict)
    even: tuple[str, ...] = ("sphere",)

    def size(self, key: str, value: Any, line: int) -> None:
        """Sets a size. Raises NotUnderstoodError if it is already set."""
        if key in self.sizes:
            raise NotUnderstoodError(f"the {key} of {self.name or 'this body'} is given twice", line)
        self.sizes[key] = value

    def give(self, key: str, value: Array, line: int) -> None:
        """Sets position, rotation, scale or centre. Raises NotUnderstoodError if it is already set."""
        if key in self.values:
            raise NotUnderstoodError(f"the {key} of {self.name or 'this body'} is given twice", line)
        self.values[key] = value

    def given(self) -> Given:
        """The body, scaled.

        Raises NotUnderstoodError for a scale that is not positive, for a missing or a wrong size, and if the scaled
        shape is not of `kind`.
        """
        scale = self.values.get("scale", np.ones(3))
        if not (scale > 0.0).all():
            raise NotUnderstoodError(f"the scale of {self.name or 'this body'} must be positive", self.line)
        body = Given(self.line, self.name, self._shape(scale), self.axis)
        body.position, body.rotation = self.values.get("position"), self.values.get("rotation")
        body.centre = self.values.get("centre", np.zeros(3)) * scale
        return body

    def _shape(self, scale: Array) -> dict[str, Any]:
        wanted = {
            "box": ("size",),
            "sphere": ("radius",),
            "capsule": ("radius", "height"),
            "cylinder": ("radius", "height"),
            "cone": ("radius", "height"),
            "hull": ("points",),
        }
        if self.kind not in wanted:
            raise NotUnderstoodError(f"the shape of {self.name or 'this body'} is missing", self.line)
        for key in wanted[self.kind]:
            if key not in self.sizes:
                raise NotUnderstoodError(f"the {key} of {self.name or 'this body'} is missing", self.line)
        for key in self.sizes:
            if key not in wanted[self.kind]:
                raise NotUnderstoodError(f"a {self.kind} has no {key}", self.line)
        if self.kind == "box":
            return box(self.sizes["size"] * scale)
        if self.kind == "hull":
            return hull((np.array(self.sizes["points"]).reshape(-1, 3) * scale).tolist())
        along = "xyz".index(self.axis)
        across = [float(value) for k, value in enumerate(scale) if k != along]
        if self.kind in self.even and not across[0] == across[1] == scale[along]:
            raise NotUnderstoodError(f"a {self.kind} cannot be scaled by different numbers", self.line)
        if across[0] != across[1]:
            raise NotUnderstoodError(f"a {self.kind} cannot be scaled by different numbers across", self.line)
        radius = self.sizes["radius"] * across[0]
        if self.kind == "sphere":
            return ball_of(radius)
        if self.kind == "capsule":
            return capsule_in_all(radius, self.sizes["height"] * float(scale[along]), self.line)
        return (cone if self.kind == "cone" else cylinder)(radius, self.sizes["height"] * float(scale[along]))


def named_vector(value: Value, names: set[str], constants: Mapping[str, tuple[float, ...]], what: str) -> Array:
    """The vector (3,) of a call of one of the `names`, or of a name in `constants`.

    `what`: the vector's name in the error. Raises NotUnderstoodError for any other value.
    """
    if isinstance(value, Call) and value.path in names and value.of is None and not value.named:
        return np.array(numbers_in(value.args, 3, what, value.line))
    if isinstance(value, Name) and value.path in constants:
        return np.array(constants[value.path])
    raise NotUnderstoodError(f"{what} must be three numbers, got {value_name(value)}", value.line)
