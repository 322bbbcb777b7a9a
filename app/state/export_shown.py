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
    """A recording of `recorded` seconds and `pictures` pictures, or a film being made: `drawn` of `count` pictures.

    `recorded`: None for a film.
    """

    recorded: float | None = None
    pictures: int = 0
    drawn: int = 0
    count: int = 0


class PreviewLabel(Struct, frozen=True):
    """A label that can be moved in a preview. `box`: left, top, right and bottom as shares of the preview's size."""

    name: str
    box: tuple[float, float, float, float]


class PreviewImage(Struct, frozen=True, eq=False):
    """A preview of a picture. `pixels`: (h, w, 4) with straight alpha; None if `fault` says why there is no preview.

    `size`: the picture's own width and height in pixels. `labels`: those that can be moved; `points`: the width of the
    picture in points of the layout, the unit of the labels' moves.
    """

    size: tuple[int, int]
    pixels: NDArray[np.uint8] | None = None
    fault: str = ""
    labels: tuple[PreviewLabel, ...] = ()
    points: float = 0.0
