"""What an algorithm has found in single precision, and what finds double's answer to the same question."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from ..batch.answers import Found, Reals
from ..geometry.vector import Array
from ..scene import Body


class DoubleAnswer(Struct, frozen=True, eq=False):
    """Double's answer: `normal` (3,) unit, from A to B."""

    separation: float
    normal: Array


class Run(Struct, frozen=True, eq=False):
    """An algorithm's answer in single precision, and what finds double's."""

    algorithm: str
    found: Found
    double: Callable[[Body, Body], DoubleAnswer]


def found_one(separation: np.float32, normal: Reals, gap: float = 0.0) -> Found:
    """One pair's answer as a batch has it; `normal` (3,)."""
    return Found(
        np.array([separation], dtype=np.float32),
        normal.reshape(3, 1),
        np.array([gap], dtype=np.float32),
        np.zeros(1, dtype=np.bool_),
    )
