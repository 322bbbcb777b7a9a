"""Turns laid-out panes into pixels. Besides `app/capture` no other package uses OpenGL."""

from moderngl import Context

from .context import GraphicsUnavailable, RenderTarget, make_context
from .renderer import Background, PositionedPane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "PositionedPane", "RenderTarget", "Renderer", "make_context"]
