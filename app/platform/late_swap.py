"""The picture comes to the screen when the graphics have drawn it; meanwhile the program computes the next.

On software GL the processor draws: a swap right after the last command would wait until the last pixel is there, and
the interpreter with it. So the commands are sent off with a fence behind them (ARB_sync, part of GL 3.2). The swap is
made where the fence is found passed, between the parts of the next frame, and at the latest before that draws anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyglet import gl

PASSED = (gl.GL_ALREADY_SIGNALED, gl.GL_CONDITION_SATISFIED)


class LateSwap:
    """Of one window, whose context is current at every call. `swap`: brings what was drawn to the screen."""

    def __init__(self, swap: Callable[[], None]) -> None:
        self._swap = swap
        self._fence: Any = None
        self._fails = False

    @property
    def waits(self) -> bool:
        """Whether a picture is not on the screen yet."""
        return self._fence is not None

    def drawn(self, *, late: bool) -> None:
        """Everything of a picture has been asked for: it is shown, later where that is wanted and can be had."""
        self.show()
        if late and not self._fails:
            self._fence = self._sent_off()
        if self._fence is None:
            self._swap()

    def show_if_ready(self) -> None:
        """Shows the picture if it has been drawn to the end."""
        if self._fence is not None and gl.glClientWaitSync(self._fence, 0, 0) in PASSED:
            self.show()

    def show(self) -> None:
        """Shows the picture, however long it takes; before anything else is drawn into the window."""
        if self._fence is not None:
            fence, self._fence = self._fence, None
            gl.glDeleteSync(fence)
            self._swap()

    def _sent_off(self) -> Any:
        """A fence behind all commands so far, which are on their way; None from then on where a driver has none."""
        try:
            fence = gl.glFenceSync(gl.GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
            gl.glFlush()
        except Exception:  # pyglet raises an exception of its own for a function that is missing
            fence = None
        self._fails = not fence
        return fence or None
