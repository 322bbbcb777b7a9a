"""The only place, with capture, that knows GL: Placed to pixels."""

from moderngl import Context

from .context import GraphicsUnavailable, make_context
from .renderer import Background, Pane, Renderer
from .targets import Target

__all__ = ["Background", "Context", "GraphicsUnavailable", "Pane", "Renderer", "Target", "make_context"]
