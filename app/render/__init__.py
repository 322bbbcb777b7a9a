"""Turns laid-out panes into pixels; the only package that draws with moderngl."""

from moderngl import Context

from .context import GraphicsUnavailable, RenderTarget, make_context
from .renderer import Background, PositionedPane, Renderer

__all__ = ["Background", "Context", "GraphicsUnavailable", "PositionedPane", "RenderTarget", "Renderer", "make_context"]
