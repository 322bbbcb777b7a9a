"""Waiting for a state: as long as it takes, up to a limit that no machine needs."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which something is waited for in vain."""


def wait_for(true: Callable[[], bool], what: str, alive: Callable[[], bool] = lambda: True) -> None:
    """Returns once `true()`; fails when that takes too long, and at once where `alive()` is no more."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert alive(), f"the program ended before {what}"
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)
