"""The commands of one menu, a line each: the menu's name is given once, and the chords stand in one text."""

from __future__ import annotations

from msgspec import Struct

from .table import Action, Command, Question


class InMenu(Struct, frozen=True):
    """Makes commands of the menu `group`."""

    group: str

    def __call__(
        self,
        name: str,
        title: str,
        keys: str,
        action: Action,
        tip: str = "",
        *,
        enabled: Question = lambda _app: True,
        checked: Question | None = None,
    ) -> Command:
        """As `Command` has them; `keys`: the chords, with spaces between them."""
        return Command(name, title, self.group, tuple(keys.split()), action, tip, enabled, checked)
