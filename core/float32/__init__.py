"""The static algorithms in single precision beside double, which shows where an engine's floats break."""

from .answers import SingleAnswer, SinglePrecision, analyse_single
from .beside import (
    Differs,
    Parting,
    SingleRun,
    corners_of,
    farthest_coordinate,
    nearest_corners,
    parting,
    single_run,
    spacing_at,
)
from .bodies import DoubleAnswer, away_from_origin
from .steps import single_closing

__all__ = [
    "Differs",
    "DoubleAnswer",
    "Parting",
    "SingleAnswer",
    "SinglePrecision",
    "SingleRun",
    "analyse_single",
    "away_from_origin",
    "corners_of",
    "farthest_coordinate",
    "nearest_corners",
    "parting",
    "single_closing",
    "single_run",
    "spacing_at",
]
