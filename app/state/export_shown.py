"""What there is to say about pictures and films: what one would be, of what it can be made, how far one has come."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


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


class Preview(Struct, frozen=True, eq=False):
    """What a picture would be: its `pixels` (h, w, 4), small, straight alpha; or `fault`, why there can be none.

    `size`: pixels that the picture itself would have.
    """

    size: tuple[int, int]
    pixels: NDArray[np.uint8] | None = None
    fault: str = ""
