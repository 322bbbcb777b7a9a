"""Makes frames, figures and films from scenes and views, and their pixels; only this package draws with moderngl."""

from moderngl import Context

from .context import GraphicsUnavailable, RenderTarget, make_context
from .renderer import Background, PositionedPane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "PositionedPane", "RenderTarget", "Renderer", "make_context"]
