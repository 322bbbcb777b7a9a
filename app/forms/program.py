"""The part that forms of code share: a reader of statements, variables, and poses matched with shapes."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar, Self

import numpy as np

from .bodies import Given, World, pair_of
from .code import (
    Assign,
    Call,
    Declare,
    Items,
    Name,
    Record,
    Statement,
    Value,
    number_in,
    numbers_in,
    statements,
    value_name,
)
from .form import NotUnderstoodError, ReadPair

_NAMES = r"[\w$\s,:]*+"
_IMPORT = re.compile(
    rf"^[ \t]*(?:(?:import|from|using)\b[^\n;{{(]*(?:[{{(]{_NAMES}[)}}])?[^\n;]*"
    rf"|(?:const|var|let)\b(?:\s*\{{{_NAMES}\}}\s*|[^\n=;]*)= *require\([^\n;]*)",
    re.MULTILINE,
)
"""Import statements. A list of names in brackets may run over several lines; its brackets have nothing else in them."""
_END = re.compile(r"([abAB]|[0-9])$")


def without_imports(text: str) -> str:
    """The text without import statements, also over several lines. The line numbers stay the same."""
    return _IMPORT.sub(lambda found: "\n" * found[0].count("\n"), text)


HARMLESS = {"friction", "restitution", "mass", "density", "dt", "gravity"}
"""Variables that neither place nor size a body."""


class Variables:
    """The values of variables, by name. A variable that nothing uses is refused: it may be a pose that was missed."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._unused: dict[str, int] = {}

    def keep(self, name: str, value: Value, line: int) -> None:
        """Stores a value. Raises NotUnderstoodError if it replaces an unused value of a variable not in HARMLESS."""
        self._check(name)
        self._values[name] = value
        self._unused[name] = line

    def put(self, value: Value) -> Value:
        """The value with the names of variables replaced by their values, which count as used. Other names stay."""
        match value:
            case Name(path) if path in self._values:
                self._unused.pop(path, None)
                return self._values[path]
            case Items(items, line):
                return Items(tuple(self.put(one) for one in items), line)
            case Record(named, line):
                return Record({key: self.put(one) for key, one in named.items()}, line)
            case Call(path, args, named, line, of):
                own = {key: self.put(one) for key, one in named.items()}
                return Call(path, tuple(self.put(one) for one in args), own, line, None if of is None else self.put(of))
        return value

    def finish(self) -> None:
        """Raises NotUnderstoodError for a variable that nothing used, except those of HARMLESS."""
        for name in self._unused:
            self._check(name)

    def _check(self, name: str) -> None:
        if name in self._unused and name not in HARMLESS:
            raise NotUnderstoodError(f"{name} is given and nothing uses it", self._unused[name])


class BodyReader(ABC):
    """The bodies that were read so far. A form's class implements `known`, which reads one statement."""

    world: ClassVar[World]
    passed_over: ClassVar[Collection[str]] = ()
    """The last names of calls that neither place nor size a body."""

    real_quotients: ClassVar[bool] = False
    """Whether 1 / 2 is a half in every language of the form. If not, `statements` decides by the text."""

    def __init__(self) -> None:
        self.variables = Variables()
        self.bodies: list[Given] = []
        self.named: dict[str, Given] = {}

    @classmethod
    def of(cls, text: str) -> Self:
        """The reader after a whole text. Raises NotUnderstoodError for a statement that the form does not accept."""
        reader = cls()
        for statement in statements(without_imports(text), real_quotients=cls.real_quotients):
            reader.take(statement)
        return reader

    @classmethod
    def read(cls, text: str) -> ReadPair:
        """The pair of a text.

        Raises NotUnderstoodError for a statement that is not understood, an unused variable, and bodies that are no
        pair.
        """
        return pair_of(cls.of(text).all(), cls.world)

    def take(self, statement: Statement) -> None:
        """Reads a statement; `kind name;` as `kind name();`.

        Raises NotUnderstoodError for one that is not understood.
        """
        target, kind = "", ""
        value = statement if not isinstance(statement, Assign | Declare) else statement.value
        if isinstance(statement, Assign | Declare):
            target, kind = statement.target, (statement.kind.split() or [""])[-1]
        value = self.variables.put(Call(kind, (), {}, statement.line) if value is None else value)
        if self.known(Assign(target, value, statement.line, kind)):
            return
        if not (isinstance(value, Call) and value.last in self.passed_over):
            # `x = f(1)` is refused as f(…) and `x = a.b` as a.b; `x = 1` and `x = [1]` as x.
            said = value if isinstance(statement, Assign) and isinstance(value, Call | Name) else statement
            raise NotUnderstoodError(f"{value_name(said)} is not understood", statement.line)

    @abstractmethod
    def known(self, one: Assign) -> bool:
        """Reads the statement `kind target = value`; `kind` or `target` is "" if it is missing.

        Returns False if the form does not know the statement. Variables in `value` are already replaced.
        """

    def all(self) -> list[Given]:
        """The bodies. Raises NotUnderstoodError for a variable that nothing used."""
        self.variables.finish()
        return self.bodies

    def add(self, given: Given) -> None:
        """Adds a body. Raises NotUnderstoodError if another body has its name."""
        if given.name in self.named:
            raise NotUnderstoodError(f"{given.name} is given twice", given.line)
        self.bodies.append(given)
        if given.name:
            self.named[given.name] = given

    def member(self, path: str) -> tuple[Given | None, str]:
        """The body named by the first part of a path, and the rest of the path, "" for a path of one part.

        None for the body if none has that name, and for a path of one part.
        """
        head, _, rest = path.partition(".")
        return (self.named.get(head), rest) if rest else (None, "")


def chained(call: Call) -> list[Call]:
    """The calls of a chain `a().b().c()` in the order of the text."""
    chain = [call]
    while isinstance(of := chain[-1].of, Call):
        chain.append(of)
    return chain[::-1]


def set_coordinate(given: Given, letter: str, number: float) -> None:
    """Sets one coordinate, x, y or z, of a body's position. The others become 0 if there is no position yet."""
    given.position = np.zeros(3) if given.position is None else given.position
    given.position["xyz".index(letter)] = number


def target_and_value(statement: Statement) -> tuple[str, Value]:
    """The target of an assignment or declaration, "" for neither, and its value.

    Raises NotUnderstoodError for a declaration without a value.
    """
    if not isinstance(statement, Assign | Declare):
        return "", statement
    if statement.value is None:
        raise NotUnderstoodError(f"{value_name(statement)} without a value is not understood", statement.line)
    return statement.target, statement.value


def vector_in(value: Value, calls: Collection[str], what: str, count: int = 3) -> list[float]:
    """The `count` numbers in a list, in a record {x, y, z}, or in a call whose last name is in `calls`.

    The call's argument may be one list. `what`: the vector's name in the error. Raises NotUnderstoodError for another
    value, and for a record with its names in another order.
    """
    if isinstance(value, Record) and count == 3 and list(value.items) == list("xyz"):
        return [number_in(one, what) for one in value.items.values()]
    if isinstance(value, Call) and value.last in calls and value.of is None and not value.named:
        if len(value.args) == 1 and isinstance(value.args[0], Items):
            return vector_in(value.args[0], calls, what, count)
        return numbers_in(value.args, count, what, value.line)
    if isinstance(value, Items):
        return numbers_in(value.items, count, what, value.line)
    raise NotUnderstoodError(f"{what} must be {count} numbers, got {value_name(value)}", value.line)


def only(call: Call) -> Value:
    """The one argument of a call. Raises NotUnderstoodError for another count, and for an argument with a name."""
    if len(call.args) != 1 or call.named:
        got = "without a name" if call.named else f"got {len(call.args)}"
        raise NotUnderstoodError(f"{call.last}(…) needs one value, {got}", call.line)
    return call.args[0]


def matched(shapes: Sequence[Given], poses: Sequence[Given]) -> list[Given]:
    """The shapes, of which the n-th is given the n-th pose; without poses they are returned as they are.

    Raises NotUnderstoodError if the counts differ, if the names of a shape and its pose end differently in A, B or a
    digit, or if a shape has what its pose gives.
    """
    if len(poses) > len(shapes):
        raise NotUnderstoodError("there are more poses than shapes", poses[len(shapes)].line)
    if poses and len(poses) < len(shapes):
        raise NotUnderstoodError("there are more shapes than poses", shapes[len(poses)].line)
    for shape, pose in zip(shapes, poses, strict=False):
        ends = [_END.search(one.name) for one in (shape, pose)]
        own, other = ("" if end is None else end[0].lower() for end in ends)
        if own and other and own != other and own.isdigit() == other.isdigit():
            raise NotUnderstoodError(f"{pose.name} stands where the pose of {shape.name} belongs", pose.line)
        if pose.position is not None:
            shape.give("position", pose.position, pose.line)
        if pose.rotation is not None:
            shape.give("rotation", pose.rotation, pose.line)
        shape.notes += pose.notes
    return list(shapes)
