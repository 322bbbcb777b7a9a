"""Delays the buffer swap until GL has drawn the picture, so that the program can compute the next one meanwhile.

With software GL the processor draws. A swap right after the last command would block the interpreter until the last
pixel is drawn. So the commands are flushed with a fence after them (ARB_sync, part of GL 3.2). The buffers are swapped
when GL has passed the fence: between the parts of the next frame, at the latest before that frame draws anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyglet import gl

SIGNALED = (gl.GL_ALREADY_SIGNALED, gl.GL_CONDITION_SATISFIED)


class LateSwap:
    """The delayed swap of one window. Its GL context must be current at every call. `swap`: swaps the buffers."""

    def __init__(self, swap: Callable[[], None]) -> None:
        self._swap = swap
        self._fence: Any = None
        self._fails = False

    @property
    def waits(self) -> bool:
        """Whether a picture is drawn, but its swap is still delayed."""
        return self._fence is not None

    def drawn(self, *, late: bool) -> None:
        """Swaps at once, or delays the swap if `late` and fences work. Called after a picture's last command.

        An earlier picture that is still delayed is shown first.
        """
        self.show()
        if late and not self._fails:
            self._fence = self._sent_off()
        if self._fence is None:
            self._swap()

    def show_if_ready(self) -> None:
        """Swaps a delayed picture if GL has finished it."""
        if self._fence is not None and gl.glClientWaitSync(self._fence, 0, 0) in SIGNALED:
            self.show()

    def show(self) -> None:
        """Swaps a delayed picture at once, waiting for GL. Must be called before anything is drawn into the window."""
        if self._fence is not None:
            fence, self._fence = self._fence, None
            gl.glDeleteSync(fence)
            self._swap()

    def _sent_off(self) -> Any:
        """Flushes the commands with a fence after them. Returns the fence, or None if the driver has no fences."""
        try:
            fence = gl.glFenceSync(gl.GL_SYNC_GPU_COMMANDS_COMPLETE, 0)
            gl.glFlush()
        except Exception:  # pyglet raises its own exception for a missing function
            fence = None
        self._fails = not fence
        return fence or None
