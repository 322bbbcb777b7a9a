"""Framebuffers of our own, and the window's: moderngl sees that in the size it had at the start."""

from __future__ import annotations

import moderngl
from msgspec import Struct


class Target:
    """A colour texture and a depth buffer of one size. `exact`: half floats, for many layers without rounding."""

    def __init__(self, context: moderngl.Context, size: tuple[int, int], *, exact: bool = False) -> None:
        self.size = size
        self.colour = context.texture(size, 4, dtype="f2" if exact else "f1")
        self.colour.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.depth = context.depth_renderbuffer(size)
        self.framebuffer = context.framebuffer([self.colour], self.depth)

    def release(self) -> None:
        """Free what the GPU holds."""
        for part in (self.framebuffer, self.colour, self.depth):
            part.release()


class WindowTarget(Struct, frozen=True, eq=False):
    """The window's framebuffer in the size that it has now."""

    framebuffer: moderngl.Framebuffer
    size: tuple[int, int]


def largest_side(context: moderngl.Context) -> int:
    """The longest side in pixels that a target can have on this machine."""
    limits = context.info
    return int(min(limits["GL_MAX_TEXTURE_SIZE"], limits["GL_MAX_RENDERBUFFER_SIZE"], *limits["GL_MAX_VIEWPORT_DIMS"]))
