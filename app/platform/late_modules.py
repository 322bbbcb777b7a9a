"""What libraries import of their own and a start does not need: loaded when something is asked of it, if ever.

That is numpy's documentation of its compiled functions, and what pyglet draws with: all is drawn by moderngl here. It
is a fortieth of the start.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

LATER: Mapping[str, Mapping[str, object]] = {
    "numpy._core._add_newdocs": {},
    "numpy._core._add_newdocs_scalars": {},
    "pyglet.graphics": {},
    "pyglet.graphics.shader": {},
    # GL's numbers for two kinds of texture, which pyglet takes from there as it is imported.
    "pyglet.gl.gl_compat": {"GL_INTENSITY": 0x8049, "GL_LUMINANCE": 0x1909},
}
"""The modules, with what of them is known without loading them."""


def leave_for_later(modules: Mapping[str, Mapping[str, object]] = LATER) -> None:
    """To be called before anything imports them; a module that is there already stays."""
    for name, known in modules.items():
        if name not in sys.modules:
            sys.modules[name] = _Later(name, known)


class _Later(ModuleType):
    """Stands in a module's place until it is asked for what is not known."""

    def __init__(self, name: str, known: Mapping[str, object]) -> None:
        super().__init__(name)
        vars(self).update(known)

    def __getattr__(self, attribute: str) -> object:
        name = self.__name__
        inner = sys.modules.get(f"{name}.{attribute}")
        if inner is not None:
            return inner
        if attribute.startswith("__") and attribute != "__path__":
            raise AttributeError(attribute)
        if sys.modules.get(name) is self:
            del sys.modules[name]
        return getattr(import_module(name), attribute)
