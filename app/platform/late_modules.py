"""What libraries import of their own and a start does not need: loaded when something is asked of it, if ever.

That is numpy's documentation and hints, what pyglet draws with (all is drawn by moderngl here), and what the standard
library needs for files, processes and archives. It is a tenth of the start.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from threading import Lock
from types import ModuleType


class _Inside:
    """Where a package's modules lie. Any `from` asks whether there is such a place; only a search loads the package."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __iter__(self) -> Iterator[str]:
        return iter(_loaded(self._name).__path__)


def _later(module: str, name: str) -> Callable[..., object]:
    return lambda *given, **named: getattr(_loaded(module), name)(*given, **named)


LATER: Mapping[str, Mapping[str, object]] = {
    "msgspec._json_schema": {name: _later("msgspec._json_schema", name) for name in ("schema", "schema_components")},
    "msgspec.inspect": {},
    "msgspec.toml": {},
    "msgspec.yaml": {},
    "numpy._core._add_newdocs": {},
    "numpy._core._add_newdocs_scalars": {},
    # Hints that nothing evaluates. numpy.typing itself, which takes its own from here, numpy looks for in its own way.
    "numpy._typing": dict.fromkeys(("ArrayLike", "DTypeLike", "NBitBase"), object)
    | {"NDArray": list, "__path__": _Inside("numpy._typing")},
    "numpy._typing._add_docstring": {"_docstrings": ""},
    "pickle": {},
    "platform": {"system": (lambda: "Linux") if sys.platform == "linux" else _later("platform", "system")},
    # GL's numbers for two kinds of texture, which pyglet takes from there as it is imported.
    "pyglet.gl.gl_compat": {"GL_INTENSITY": 0x8049, "GL_LUMINANCE": 0x1909},
    "pyglet.graphics": {"__path__": _Inside("pyglet.graphics")},
    "pyglet.graphics.shader": {},
    "shutil": {},
    "subprocess": {},
    "tempfile": {"gettempdir": _later("tempfile", "gettempdir")},
    "textwrap": {},
    "unicodedata": {},
    "zipfile": {},
}
"""The modules, with what of them is known without loading them."""

_DELETING = Lock()


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
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return getattr(_loaded(name), attribute)


def _loaded(name: str) -> ModuleType:
    with _DELETING:
        if isinstance(sys.modules.get(name), _Later):
            del sys.modules[name]
    return import_module(name)
