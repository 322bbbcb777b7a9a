"""pyglet's window without what else pyglet brings to draw with: its meshes, its shaders and the oldest GL functions.

All is drawn by moderngl here. Bare modules stand in place of those, with the names that pyglet's window takes from them
as it is imported: a fiftieth of the start. Import this module before anything of pyglet that draws.
"""

from __future__ import annotations

import sys
from types import ModuleType

import pyglet

# A hidden second window would take the GL context, and checking every call is slow.
pyglet.options.shadow_window = False
pyglet.options.debug_gl = False

NAMES: dict[str, dict[str, object]] = {
    "pyglet.graphics": {},
    "pyglet.graphics.shader": {},
    # Of textures, by their numbers in GL.
    "pyglet.gl.gl_compat": {"GL_INTENSITY": 0x8049, "GL_LUMINANCE": 0x1909},
}


def _stand_in() -> None:
    if any(name in sys.modules for name in NAMES):
        return  # imported whole already
    for name, values in NAMES.items():
        module = sys.modules[name] = ModuleType(name)
        vars(module).update(values)
    vars(sys.modules["pyglet.graphics"])["shader"] = sys.modules["pyglet.graphics.shader"]


_stand_in()
