"""The algorithms about bodies at rest, in single precision beside double; they show where an engine's floats fail."""

from typing import Any
from warnings import warn

from .answers import SingleAnswer, SinglePrecision, analyse_single
from .bodies import DoubleAnswer, away_from_origin, farthest_coordinate, spacing_at
from .steps import single_gjk_epa

__all__ = [
    "DoubleAnswer",
    "SingleAnswer",
    "SinglePrecision",
    "analyse_single",
    "away_from_origin",
    "farthest_coordinate",
    "single_gjk_epa",
    "spacing_at",
]


def __getattr__(name: str) -> Any:
    if name != "single_closing":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn("the name is single_gjk_epa now, single_closing goes with the next release", DeprecationWarning, stacklevel=2)
    return single_gjk_epa
