"""Every number of the core that decides something, found in its source by `ast`, and how to make it another.

Found are: module constants (`NAME = number`, also several at once, and expressions of numbers and other constants),
the numbers among the defaults of settings, and inside functions the literals that look like tolerances: very small or
very large floats, floats that something is compared with (by themselves or as a factor), and the factor in front of a
constant's name or of the spacing of a float type.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
TEN_TIMES, A_TENTH = "times ten", "a tenth"

COMMON = (0.0, 0.5, 1.0, 2.0)
"""Floats that a comparison may name without being a tolerance: signs, middles, ends of an interval."""


@dataclass
class Constant:
    """One number, or the same number several times in one function. `key`: `core/shapes/hull.py LARGEST_SIZE`, or
    for a literal `core/geometry/vec2.py unit 1e-300`. `spans`: where its text stands, first and last byte.
    """

    key: str
    whole: bool
    spans: list[tuple[int, int]] = field(default_factory=list)

    @property
    def file(self) -> str:
        """Path of the module, from the root of the tree."""
        return self.key.split(" ")[0]

    def changed(self, source: bytes, way: str) -> bytes:
        """The module's source with the number ten times as large, or a tenth (of a count at least one)."""
        for start, end in sorted(self.spans, reverse=True):
            text = source[start:end].decode()
            if way == TEN_TIMES:
                other = f"(({text}) * 10)"
            else:
                other = f"max(({text}) // 10, 1)" if self.whole else f"(({text}) / 10)"
            source = source[:start] + other.encode() + source[end:]
        return source


def constants(root: Path = ROOT) -> dict[str, Constant]:
    """All of them by key, module after module."""
    found: dict[str, Constant] = {}
    for path in sorted((root / "core").rglob("*.py")):
        module = path.relative_to(root).as_posix()
        source = path.read_bytes()
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for name, node in _numbers(ast.parse(source)):
            span = (starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset)
            parts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
            whole = all(isinstance(part, int) for part in parts)
            found.setdefault(f"{module} {name}", Constant(f"{module} {name}", whole)).spans.append(span)
    return found


def _numbers(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for statement in tree.body:
        yield from _assigned(statement)
        if isinstance(statement, ast.ClassDef):
            yield from _defaults(statement)
    for function in _functions(tree):
        yield from _literals(*function)


def _assigned(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The constants of one assignment of a module."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets, value = [statement.target], statement.value
    elif isinstance(statement, ast.Assign):
        targets, value = statement.targets, statement.value
    else:
        return
    for target in targets:
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for one, number in pairs:
            if isinstance(one, ast.Name) and one.id.isupper() and _is_number(number):
                yield one.id, number


def _is_number(node: ast.expr) -> bool:
    """Whether a value is made of numbers and public constants by arithmetic, and has a literal in it."""
    allowed = (ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load, ast.Call)
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Name) and part.id.startswith("_") for part in parts):
        return False
    literals = [part for part in parts if isinstance(part, ast.Constant)]
    calls = [part.func for part in parts if isinstance(part, ast.Call)]
    known = all(isinstance(call, ast.Name) and call.id in ("radians", "sqrt") for call in calls)
    return (
        known
        and all(isinstance(part, allowed) for part in parts)
        and bool(literals)
        and all(type(part.value) in (int, float) for part in literals)
    )


def _defaults(statement: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Numbers among the defaults of a class of settings."""
    if "Settings" not in statement.name:
        return
    for part in statement.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value is not None:
            number = part.value
            if isinstance(number, ast.Constant) and type(number.value) in (int, float):
                yield f"{statement.name}.{part.target.id}", number


def _functions(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods with their names, those within a function counted as part of it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{outer}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{node.name}.")


def _literals(name: str, function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    seen: set[tuple[int, int]] = set()

    def new(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        place = (node.lineno, node.col_offset)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and place not in seen:
            seen.add(place)
            yield f"{name} {ast.unparse(node)}", node

    for node in ast.walk(function):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            if 0.0 < abs(node.value) < 1e-2 or abs(node.value) >= 1e6:
                yield from new(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            other = node.right.id if isinstance(node.right, ast.Name) else ""
            spacing = "finfo" in ast.unparse(node.right)
            if (spacing or (other.isupper() and len(other) > 2)) and isinstance(node.left, ast.Constant):
                yield from new(node.left)
        elif isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                for part in ast.walk(side):
                    one = part.left if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult) else part
                    alone = part is side or one is not part
                    if alone and isinstance(one, ast.Constant) and isinstance(one.value, float):
                        yield from () if one.value in COMMON else new(one)
