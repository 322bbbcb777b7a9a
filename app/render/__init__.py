"""The only place, with capture, that knows GL: Placed to pixels."""

from moderngl import Context

from .context import GraphicsUnavailable, Target, make_context
from .renderer import Background, Pane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "Pane", "Renderer", "Target", "make_context"]
