"""Who imports whom: the modules of the house and what each takes from others, read from their text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .sources import ROOT, files, syntax

DOORS = ("__init__", "__main__", "packaging", "run")


@dataclass(frozen=True)
class Module:
    """A Python file of the house: `name` dotted, `imports` the dotted names it takes at run time.

    `knows`: those and the names that only its types need.
    """

    name: str
    path: Path
    imports: frozenset[str]
    knows: frozenset[str]

    @property
    def room(self) -> str:
        """Its folder or file below the top folder; "" for a door."""
        room = self.path.relative_to(ROOT).with_suffix("").parts[1]
        return "" if room in DOORS else room

    def within(self, *names: str) -> bool:
        return any(self.name == name or self.name.startswith(name + ".") for name in names)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and getattr(node.test, "id", getattr(node.test, "attr", "")) == "TYPE_CHECKING"


LATE = re.compile(r"(?:app|core)(?:\.\w+)+:\w+")
"""How a table names what `pkgutil.resolve_name` imports for it."""


def _imported(tree: ast.AST, package: str, typing: set[str]) -> set[str]:
    """Absolute dotted names that `tree` imports, or names in a table; relative ones are resolved against `package`.

    Those that only type checking imports are added to `typing`.
    """
    names = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parts, *([node.module] if node.module else [])])
            names |= {f"{base}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant):
            names |= {node.value.replace(":", ".")} if LATE.fullmatch(str(node.value)) else set()
        elif _is_type_checking(node):
            typing |= _imported(node, package, typing)
        else:
            names |= _imported(node, package, typing)
    return names


def _read(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    package = ".".join(parts[:-1])
    name = package if parts[-1] == "__init__" else ".".join(parts)
    typing: set[str] = set()
    imports = frozenset(_imported(syntax(path), package, typing))
    return Module(name, path, imports, imports | typing)


@cache
def _read_all(folder: str) -> tuple[Module, ...]:
    return tuple(_read(path) for path in files(folder) if "packaging" not in path.parts)


def modules(*folders: str) -> tuple[Module, ...]:
    """Those below some of the top folders; what lies under `app/packaging` is none."""
    return tuple(module for folder in folders for module in _read_all(folder))


def graph(found: Iterable[Module]) -> dict[str, set[str]]:
    """Of each module by its name the others that it knows; an imported name stands for the module that defines it."""
    known = {module.name: module for module in found}

    def home(name: str) -> str:
        return name if name in known else name.rpartition(".")[0]

    return {name: {home(other) for other in module.knows} & known.keys() - {name} for name, module in known.items()}
