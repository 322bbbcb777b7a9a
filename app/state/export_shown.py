"""The state of pictures and films for the panels: a preview, the sources of a film, and its progress."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class FilmSource(StrEnum):
    """The source of a film; the value is its name in a dialog."""

    STEPS = "Steps"
    MOTION = "Motion"
    TURN = "Turn"
    RECORDING = "Recording"


class FilmShown(Struct, frozen=True):
    """A recording (`recorded` seconds, `pictures`), or a film in the making: `drawn` pictures of `count`."""

    recorded: float | None = None
    pictures: int = 0
    drawn: int = 0
    count: int = 0


class PreviewLabel(Struct, frozen=True):
    """A label in a preview that can be moved: its name, and its box as left, top, right, bottom in shares of it."""

    name: str
    box: tuple[float, float, float, float]


class PreviewImage(Struct, frozen=True, eq=False):
    """A preview of a picture: small `pixels` (h, w, 4) with straight alpha; or `fault`, why there is none.

    `size`: the picture's own width and height in pixels. `labels`: those that can be moved; `points`: the width of the
    picture in points of the layout, in which they move.
    """

    size: tuple[int, int]
    pixels: NDArray[np.uint8] | None = None
    fault: str = ""
    labels: tuple[PreviewLabel, ...] = ()
    points: float = 0.0
