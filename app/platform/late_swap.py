"""Delays the buffer swap until GL has drawn the picture, so that the program can compute the next one meanwhile.

On software GL the processor draws: a swap right after the last command would block the interpreter until the last pixel
is drawn. So the commands are flushed with a fence after them (ARB_sync, part of GL 3.2). The swap is made once the
fence is passed, between the parts of the next frame, and at the latest before the next frame draws anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyglet import gl

PASSED = (gl.GL_ALREADY_SIGNALED, gl.GL_CONDITION_SATISFIED)


class LateSwap:
    """The delayed swap of one window, whose context must be current at every call. `swap`: swaps the buffers."""

    def __init__(self, swap: Callable[[], None]) -> None:
        self._swap = swap
        self._fence: Any = None
        self._fails = False

    @property
    def waits(self) -> bool:
        """Whether a drawn picture is not on the screen yet."""
        return self._fence is not None

    def drawn(self, *, late: bool) -> None:
        """Called after the last command of a picture: swaps at once, or later if `late` and fences work."""
        self.show()
        if late and not self._fails:
            self._fence = self._sent_off()
        if self._fence is None:
            self._swap()

    def show_if_ready(self) -> None:
        """Swaps if GL has finished the picture."""
        if self._fence is not None and gl.glClientWaitSync(self._fence, 0, 0) in PASSED:
            self.show()

    def show(self) -> None:
        """Swaps at once, waiting if necessary; to be called before anything is drawn into the window."""
        if self._fence is not None:
            fence, self._fence = self._fence, None
            gl.glDeleteSync(fence)
            self._swap()

    def _sent_off(self) -> Any:
        """Flushes the commands with a fence after them; returns the fence, or None where the driver has no fences."""
        try:
            fence = gl.glFenceSync(gl.GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
            gl.glFlush()
        except Exception:  # pyglet raises its own exception for a missing function
            fence = None
        self._fails = not fence
        return fence or None
