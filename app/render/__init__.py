"""The only room, with capture, that uses OpenGL: it turns laid-out panes into pixels."""

from moderngl import Context

from .context import GraphicsUnavailable, Target, make_context
from .renderer import Background, Pane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "Pane", "Renderer", "Target", "make_context"]
