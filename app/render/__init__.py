"""The only room, with capture, that uses OpenGL: it turns laid-out panes into pixels."""

from moderngl import Context

from .context import GraphicsUnavailable, Target, make_context
from .renderer import Background, PositionedPane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "PositionedPane", "Renderer", "Target", "make_context"]
