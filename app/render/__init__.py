"""The only room, with capture, that uses OpenGL: it turns laid-out panes into pixels."""

from moderngl import Context

from .context import GraphicsUnavailable, RenderTarget, make_context
from .renderer import Background, PositionedPane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "PositionedPane", "RenderTarget", "Renderer", "make_context"]
