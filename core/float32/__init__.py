"""The algorithms about bodies at rest, in single precision beside double; they show where an engine's floats fail."""

from .answers import SingleAnswer, SinglePrecision, analyse_single
from .bodies import DoubleAnswer, away_from_origin, farthest_coordinate, spacing_at
from .steps import single_closing

__all__ = [
    "DoubleAnswer",
    "SingleAnswer",
    "SinglePrecision",
    "analyse_single",
    "away_from_origin",
    "farthest_coordinate",
    "single_closing",
    "spacing_at",
]
