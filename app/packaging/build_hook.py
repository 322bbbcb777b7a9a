"""Build hook that puts app, core, shaders and assets under the one name `separatrix` in a wheel.

In the tree the packages are `app` and `core`; a wheel with those two names at its top could overwrite other wheels'
files. An editable install does not use the hook: it puts `app/packaging/site` on the path, whose `separatrix` finds the
working tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = ("app", "core", "shaders", "assets")
LEFT_OUT = ("app/packaging", "app/run", "app/run.py", "assets/guide/pictures", "assets/readme")


def _shipped_files(root: Path) -> Iterator[Path]:
    for path in sorted(path for folder in SHIPPED for path in (root / folder).rglob("*") if path.is_file()):
        name = path.relative_to(root)
        if "__pycache__" not in name.parts and not any(name.is_relative_to(left_out) for left_out in LEFT_OUT):
            yield name


class OneName(BuildHookInterface):  # type: ignore[type-arg]  # hatchling's own config type is not public
    """The hook that hatchling finds in this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Sets every shipped file's place in a standard wheel; changes nothing for an editable install."""
        if version != "standard":
            return
        root = Path(self.root)
        include = {str(root / name): f"separatrix/{name.as_posix()}" for name in _shipped_files(root)}
        site = root / "app" / "packaging" / "site" / "separatrix"
        include |= {str(site / name): f"separatrix/{name}" for name in ("__init__.py", "__main__.py", "py.typed")}
        build_data["force_include"].update(include)
