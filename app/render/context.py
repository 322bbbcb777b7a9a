"""Graphics contexts: the window's, or one without any display."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import moderngl

REQUIRED = 330


class GraphicsUnavailable(Exception):  # noqa: N818 - a state of the machine that is reported, not an error of the program
    """No context with OpenGL 3.3 core can be had here; the text is one sentence for the user."""


def make_context(*, standalone: bool = False) -> moderngl.Context:
    """The current context wrapped (`standalone` False: a window must have been made first), or one without display.

    Raises GraphicsUnavailable.
    """
    if not standalone:
        return _checked(moderngl.create_context)
    # An X server without EGL: moderngl's own choice may still do. If not, EGL's reason is the one that counts.
    ways: tuple[dict[str, Any], ...] = ({"backend": "egl"}, {}) if sys.platform.startswith("linux") else ({},)
    refusals = []
    for settings in ways:
        try:
            return _checked(partial(moderngl.create_context, standalone=True, **settings))
        except GraphicsUnavailable as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _checked(create: Callable[[], moderngl.Context]) -> moderngl.Context:
    try:
        context = create()
    except Exception as error:  # moderngl raises bare Exception for every failure of the driver
        reason = (str(error) or type(error).__name__).strip().splitlines()[0].rstrip(".")
        raise GraphicsUnavailable(f"OpenGL 3.3 could not be started here ({reason}).") from error
    if context.version_code < REQUIRED:
        version = f"{context.version_code // 100}.{context.version_code // 10 % 10}"
        context.release()
        raise GraphicsUnavailable(f"OpenGL 3.3 is needed, this machine offers {version}.")
    return context
