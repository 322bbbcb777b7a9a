"""The part that Jolt, PhysX, Box3D and FCL share: the first pose of a text is the first shape's, and so on."""

from __future__ import annotations

from core.geometry.vector import Array

from .bodies import Given, hull
from .code import Call, Items, Name, Number, Value, words
from .form import NotUnderstoodError
from .program import Program, matched


class Ordered(Program):
    """The shapes, poses and whole bodies of a text so far. `named`: the shapes by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.shapes: list[Given] = []
        self.poses: list[Given] = []

    def add_shape(self, given: Given) -> None:
        """A shape in the order of the text."""
        if given.name in self.named and given.name:
            raise NotUnderstoodError(f"{given.name} is given twice", given.line)
        self.shapes.append(given)
        self.named[given.name] = given

    def add_points(self, name: str, points: list[list[float]], line: int) -> None:
        """Points are a hull of their own, until a hull's call takes them by name."""
        self.add_shape(Given(line, name, hull(points)))

    def owner(self, call: Call) -> Given | None:
        """The shape on whose name a method is called; None where there is none."""
        return self.named.get(call.path.rpartition(".")[0])

    def taken(self, value: Value) -> Given | None:
        """The shape that a value names, taken out of the order; None for a value that names none."""
        path = value.path.split(".")[0] if isinstance(value, Name | Call) else ""
        given = self.named.get(path) if path else None
        if given is not None:
            self.shapes = [one for one in self.shapes if one is not given]
        return given

    def add_pose(self, name: str, line: int, position: Array | None, turn: Array | None) -> None:
        """A pose in the order of the text."""
        self.poses.append(Given(line, name, position=position, turn=turn))

    def all(self) -> list[Given]:
        """The bodies: the whole ones, or the shapes with their poses."""
        self.variables.finish()
        if not self.bodies:
            return matched(self.shapes, self.poses)
        if left := (*self.shapes, *self.poses):
            raise NotUnderstoodError(f"{left[0].name or 'this'} belongs to no body", left[0].line)
        return self.bodies


def points_of(value: Items, one: type[Items] | type[Call]) -> bool:
    """Whether a list holds points alone."""
    return bool(value.items) and all(isinstance(item, one) for item in value.items)


def check_count(value: Value, count: int) -> None:
    """Raises NotUnderstoodError where the count of points that a call takes is not that of the list before it."""
    if isinstance(value, Call) and value.last in ("B2_ARRAY_COUNT", "B3_ARRAY_COUNT", "ARRAY_COUNT", "size"):
        return
    if not isinstance(value, Number):
        raise NotUnderstoodError(f"the count of points must be a number, got {words(value)}", value.line)
    if value.value != count:
        raise NotUnderstoodError(f"the call takes {value.value:g} points, and the list has {count}", value.line)
