"""The table of commands: name, keys and action of everything that can be asked for by name.

Menu, palette, keyboard, help and the README read this one table, so a key that is listed works.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .application import Application


@dataclass(frozen=True, eq=False, slots=True)
class Command:
    """One entry. `id`: stable dotted name, for `Invoke`. `keys`: chords such as `Ctrl+Shift+S`, `F1`, `[`, none or more.

    `group`: menu it stands in, in table order. `enabled` and `checked` look at the application; `checked` is None for
    commands that are no switch.
    """

    id: str
    title: str
    group: str
    keys: tuple[str, ...]
    action: Callable[[Application], None]
    tip: str = ""
    enabled: Callable[[Application], bool] = lambda _: True
    checked: Callable[[Application], bool] | None = None
