"""Waiting for a state: as long as it takes, up to a limit that no machine needs."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds after which something is waited for in vain."""


def _rest() -> None:
    time.sleep(0.01)


def wait_for(
    true: Callable[[], bool],
    what: str,
    alive: Callable[[], bool] = lambda: True,
    meanwhile: Callable[[], object] = _rest,
) -> None:
    """Calls `meanwhile` until `true()`. Raises TimeoutError in the end, AssertionError once `alive()` is no more."""
    end = time.monotonic() + PATIENCE
    while not true():
        if not alive():
            raise AssertionError(f"the program ended before {what}")
        if time.monotonic() > end:
            raise TimeoutError(f"waited in vain for {what}")
        meanwhile()
