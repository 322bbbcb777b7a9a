"""Stage mode: the picture alone, larger text, a slide's words, a black screen, and the last key pressed."""

from __future__ import annotations

from time import monotonic

from msgspec.structs import replace

from ..state.panel_state import Dialogs, OnStage

ECHO_SECONDS = 1.5
"""Seconds for which the name of a key is shown."""
FIRST_FACTOR, LARGEST_FIRST_SIZE = 1.5, 1.75
"""The factor on the text's size in stage mode at first, and the size that it does not exceed then."""
SIZE_FACTOR, LEAST_SIZE, MOST_SIZE = 1.2, 0.8, 4.0
"""The factor from one size to the next by the keys of stage mode, and the least and the largest size."""


class StageMode:
    """The state of stage mode. While the mode is off, `echo`, `toggle_black` and `toggle_keys` do nothing."""

    def __init__(self, dialogs: Dialogs) -> None:
        self._dialogs = dialogs
        self._on: OnStage | None = None
        self._until = 0.0
        self._scale = 1.0

    @property
    def shown(self) -> OnStage | None:
        """The state for the panels; None while the mode is off."""
        if self._on is not None and self._on.echo and monotonic() >= self._until:
            self._on = replace(self._on, echo="")
        return self._on

    def text_size(self, size: float) -> float:
        """The size of text for the setting `size`; `size` itself while the mode is off.

        `size`: a factor, as in UI_SCALES.
        """
        if self._on is None:
            return size
        return min(max(self._scale * max(size, min(FIRST_FACTOR * size, LARGEST_FIRST_SIZE)), LEAST_SIZE), MOST_SIZE)

    def scale_text(self, steps: int) -> None:
        """Makes the text larger by this number of steps, smaller if negative; 0: as it was at first.

        A step is the factor SIZE_FACTOR; the size stays between LEAST_SIZE and MOST_SIZE.
        """
        self._scale = (
            min(max(self._scale * SIZE_FACTOR**steps, LEAST_SIZE / LARGEST_FIRST_SIZE), MOST_SIZE) if steps else 1.0
        )

    @property
    def next_in(self) -> float | None:
        """Seconds until the key's name disappears; None while none is shown."""
        return max(0.0, self._until - monotonic()) if self._on is not None and self._on.echo else None

    def toggle(self) -> None:
        """Toggles stage mode, and closes open windows."""
        while self._dialogs.close_one():
            pass
        self._on = OnStage() if self._on is None else None

    def echo(self, chord: str) -> None:
        """Shows the name of a key for a while."""
        if self._on is not None:
            self._on, self._until = replace(self._on, echo=chord), monotonic() + ECHO_SECONDS

    def toggle_black(self) -> None:
        """Toggles the black screen."""
        if self._on is not None:
            self._on = replace(self._on, black=not self._on.black)

    def toggle_keys(self) -> None:
        """Toggles the list of keys."""
        if self._on is not None:
            self._on = replace(self._on, keys=not self._on.keys)
