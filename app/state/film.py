"""What there is to say about films: of what one can be made, and how far one has come."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class FilmSource(StrEnum):
    """Of what a film is made; the value is how a dialog names it."""

    STEPS = "Steps"
    MOTION = "Motion"
    TURN = "Turn"
    RECORDING = "Recording"


class FilmShown(Struct, frozen=True):
    """A recording (`recorded` seconds, `pictures`), or a film being made: `drawn` pictures of `count`."""

    recorded: float | None = None
    pictures: int = 0
    drawn: int = 0
    count: int = 0
