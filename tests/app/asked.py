"""What panels and gestures ask for, kept in a list where the program would carry it out."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from app.input.gestures import Gestures
from app.state.ask import Ask


class Asked:
    """One thing asked for: `kind`, a method of Ask, and its arguments as attributes."""

    def __init__(self, kind: str, arguments: dict[str, Any]) -> None:
        self.kind = kind
        self.__dict__ |= arguments

    def put(self, ask: Ask) -> None:
        """Asks for it."""
        named = vars(self).copy()
        getattr(ask, named.pop("kind"))(**named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Asked) and vars(self) == vars(other)

    __hash__ = None

    def __repr__(self) -> str:
        return f"Asked({vars(self)!r})"


class Asking:
    """`asks.edit(scene, "Move B")` is what a panel that calls `ask.edit(scene, "Move B")` is kept as."""

    def __getattr__(self, kind: str) -> Callable[..., Asked]:
        known = signature(getattr(Ask, kind))

        def asked(*arguments: Any, **named: Any) -> Asked:
            bound = known.bind(None, *arguments, **named)
            bound.apply_defaults()
            return Asked(kind, {name: value for name, value in bound.arguments.items() if name != "self"})

        return asked


asks = Asking()


class Kept:
    """An AskList whose `calls` say what was asked for."""

    def __init__(self) -> None:
        self.calls: list[Asked] = []

    def __getattr__(self, kind: str) -> Callable[..., None]:
        made = getattr(asks, kind)
        return lambda *arguments, **named: self.calls.append(made(*arguments, **named))

    def taken(self) -> list[Asked]:
        """All of it so far, which begins anew."""
        taken, self.calls = self.calls, []
        return taken


class Hand:
    """The gestures of the viewport; its methods answer with what they asked for."""

    def __init__(self) -> None:
        self._ask = Kept()
        self._gestures = Gestures(self._ask)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._gestures, name)
        if not callable(found):
            return found

        def told(*arguments: Any) -> list[Asked]:
            found(*arguments)
            return self._ask.taken()

        return told


def of(kind: str, asked: list[Asked]) -> list[Asked]:
    """What was asked for by one method."""
    return [one for one in asked if one.kind == kind]
