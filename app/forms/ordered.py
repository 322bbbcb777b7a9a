"""The part that Jolt, PhysX, Box3D, Bullet, FCL and Coal share: the n-th pose of a text is that of the n-th shape."""

from __future__ import annotations

from collections.abc import Iterable

from core.geometry.vector import Array

from .bodies import Given, hull
from .code import Call, Items, Name, Number, Value, value_name
from .form import NotUnderstoodError
from .program import BodyReader, matched


class Ordered(BodyReader):
    """The shapes, poses and bodies of a text that were read so far. `named`: the shapes and bodies by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes: list[Given] = []
        self.poses: list[Given] = []

    def add_shape(self, given: Given) -> None:
        """Adds a shape after those before it. Raises NotUnderstoodError if its name is taken."""
        if given.name in self.named and given.name:
            raise NotUnderstoodError(f"{given.name} is given twice", given.line)
        self.shapes.append(given)
        self.named[given.name] = given

    def add_points(self, name: str, points: list[list[float]], line: int) -> None:
        """Adds points (n, 3) as a hull, until a hull's call takes them by name. Raises as `add_shape`."""
        self.add_shape(Given(line, name, hull(points)))

    def owner(self, call: Call) -> Given | None:
        """The shape or body whose method a call is; None if there is none."""
        return self.named.get(call.path.rpartition(".")[0])

    def taken(self, value: Value) -> Given | None:
        """The shape that a value names; None if it names none. The shape is removed from `shapes`."""
        path = value.path.split(".")[0] if isinstance(value, Name | Call) else ""
        given = self.named.get(path) if path else None
        if given is not None:
            self.shapes = [one for one in self.shapes if one is not given]
        return given

    def add_pose(
        self, name: str, line: int, position: Array | None, turn: Array | None, notes: Iterable[str] = ()
    ) -> None:
        """Adds a pose after those before it. `position` (3,) and `turn` (3, 3): None if the text gives none.

        `notes`: sentences on what was assumed.
        """
        self.poses.append(Given(line, name, position=position, rotation=turn, notes=list(notes)))

    def all(self) -> list[Given]:
        """The bodies; if there are none, the shapes with their poses. Raises NotUnderstoodError if a part is left."""
        self.variables.finish()
        if not self.bodies:
            return matched(self.shapes, self.poses)
        if left := (*self.shapes, *self.poses):
            raise NotUnderstoodError(f"{left[0].name or 'this'} belongs to no body", left[0].line)
        return self.bodies


def points_of(value: Items, one: type[Items] | type[Call]) -> bool:
    """Whether a list has items, each of the class `one`."""
    return bool(value.items) and all(isinstance(item, one) for item in value.items)


def check_count(value: Value, count: int) -> None:
    """Raises NotUnderstoodError if `value`, a call's argument for the count of points, is another number than `count`.

    `count`: the length of the list of points. An expression for the length of an array is accepted.
    """
    if isinstance(value, Call) and value.last in ("B2_ARRAY_COUNT", "B3_ARRAY_COUNT", "ARRAY_COUNT", "size"):
        return
    if not isinstance(value, Number):
        raise NotUnderstoodError(f"the count of points must be a number, got {value_name(value)}", value.line)
    if value.value != count:
        raise NotUnderstoodError(f"the call takes {value.value:g} points, and the list has {count}", value.line)
