"""Stage mode: the picture alone, larger text, a slide's words, a black screen, and the key last pressed."""

from __future__ import annotations

from time import monotonic

from msgspec.structs import replace

from ..state.panel_state import Dialogs, OnStage

ECHO_SECONDS = 1.5
"""How long the name of a key stands."""
LARGER, LARGEST = 1.5, 1.75
"""Size of text on the stage beside the one set, and from where on it grows no more by that."""


class StageMode:
    """Whether it is on, and what it shows."""

    def __init__(self, dialogs: Dialogs) -> None:
        self._dialogs = dialogs
        self._on: OnStage | None = None
        self._until = 0.0

    @property
    def shown(self) -> OnStage | None:
        """What stands on the stage now; None while the mode is off."""
        if self._on is not None and self._on.echo and monotonic() >= self._until:
            self._on = replace(self._on, echo="")
        return self._on

    def text_size(self, size: float) -> float:
        """The size of text, of which `size` is set."""
        return size if self._on is None else max(size, min(LARGER * size, LARGEST))

    @property
    def next_in(self) -> float | None:
        """Seconds until the key's name goes; None while none stands."""
        return max(0.0, self._until - monotonic()) if self._on is not None and self._on.echo else None

    def toggle(self) -> None:
        """On and off; windows that were open are closed."""
        while self._dialogs.close_one():
            pass
        self._on = OnStage() if self._on is None else None

    def echo(self, chord: str) -> None:
        """Shows the name of a key for a while."""
        if self._on is not None:
            self._on, self._until = replace(self._on, echo=chord), monotonic() + ECHO_SECONDS

    def toggle_black(self) -> None:
        """The black screen, on and off."""
        if self._on is not None:
            self._on = replace(self._on, black=not self._on.black)

    def toggle_keys(self) -> None:
        """The table of keys, on and off."""
        if self._on is not None:
            self._on = replace(self._on, keys=not self._on.keys)
