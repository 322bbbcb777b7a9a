"""Our first frame: the program's own start, closed when the first frame is on the screen.

Prints {"shown": time.monotonic() when it stands}.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

WINDOW = "app.platform.window"


class WithFirstFrame(SourceFileLoader):
    """Loads the window's module where the program imports it, which is part of what is measured."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)

        class FirstFrame(module.ProgramWindow):  # type: ignore[misc,name-defined]  # of a module made just now
            """The program's window, which is closed after the first frame."""

            has_shown = False

            def swap(self) -> None:
                super().swap()
                if not self.has_shown:
                    self.has_shown = True
                    print(json.dumps({"shown": time.monotonic()}), flush=True)
                    module.clock.schedule_once(lambda _: self.on_close(), 0.0)

        module.ProgramWindow = FirstFrame  # type: ignore[attr-defined]


class Finder:
    """Finds that one module."""

    @staticmethod
    def find_spec(name: str, path: list[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != WINDOW:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = WithFirstFrame(name, spec.origin)
        return spec


sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]  # its method is static

from app.__main__ import main  # noqa: E402 - with the finder in place

main([])
