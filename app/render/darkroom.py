"""Large pictures, taken while the window goes on: some tiles in each frame, then the file in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Thread
from time import perf_counter

from msgspec import Struct
from PIL import Image

from ..storage.bounded_read import reason_of

Tiles = Generator[float, None, Image.Image]
"""Draws a picture tile by tile: yields the share that is done, from 0 to 1, and returns the picture."""


class Outcome(Struct, frozen=True):
    """What has become of a picture, as one sentence."""

    message: str
    error: bool = False


class Darkroom:
    """One picture at a time. Everything but the writing of the file happens in the thread that owns the GL context."""

    def __init__(self) -> None:
        self._tiles: Tiles | None = None
        self._develop: Callable[[Image.Image], str] | None = None
        self._thread: Thread | None = None
        self._share: float | None = None
        self._outcome: Outcome | None = None

    @property
    def share(self) -> float | None:
        """How much of the picture is drawn; 1 while its file is written; None while there is no picture to take."""
        return self._share

    def begin(self, tiles: Tiles, develop: Callable[[Image.Image], str]) -> None:
        """Starts a picture. `develop` makes a file of it and answers with a sentence; it may raise OSError."""
        self._tiles, self._develop, self._share = tiles, develop, 0.0

    def work(self, seconds: float) -> Outcome | None:
        """Draws for about so long, one tile at the least; what has become of the picture, once that is known."""
        end = perf_counter() + seconds
        while self._tiles is not None:
            self._draw_tile(self._tiles)
            if perf_counter() >= end:
                break
        if self._thread is not None and not self._thread.is_alive():
            self._thread.join()
            self._thread = None
        if self._outcome is None or self._thread is not None:
            return None
        outcome, self._outcome, self._share = self._outcome, None, None
        return outcome

    def finish(self) -> Outcome | None:
        """Everything at once, for pictures that are small."""
        outcome = self.work(float("inf"))
        if self._thread is not None:
            self._thread.join()
            outcome = self.work(0.0)
        return outcome

    def cancel(self) -> bool:
        """Gives the picture up; False when its file is being written already, which nothing stops."""
        if self._tiles is None:
            return False
        self._tiles.close()
        self._tiles = self._share = None
        return True

    def _draw_tile(self, tiles: Tiles) -> None:
        try:
            self._share = next(tiles)
        except StopIteration as done:
            self._tiles, self._share = None, 1.0
            self._thread = Thread(target=self._write, args=(done.value,))
            self._thread.start()
        except MemoryError:
            self._tiles, self._outcome = None, TOO_LARGE

    def _write(self, picture: Image.Image) -> None:
        assert self._develop is not None
        try:
            self._outcome = Outcome(self._develop(picture))
        except MemoryError:
            self._outcome = TOO_LARGE
        except OSError as error:
            self._outcome = Outcome(f"The screenshot could not be written: {reason_of(error)}", error=True)


TOO_LARGE = Outcome("There is not enough memory for a picture of that size.", error=True)
