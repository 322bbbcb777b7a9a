"""What stands twice in the house: runs of statements that are equal but for names, numbers and texts."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

RUN = 8
"""Consecutive statements that make a copy."""


def _shape(node: object) -> object:
    """A syntax tree without its names, numbers and texts."""
    if isinstance(node, ast.AST):
        return type(node).__name__, *(_shape(value) for name, value in ast.iter_fields(node) if name != "ctx")
    return tuple(map(_shape, node)) if isinstance(node, list) else node is None


def _statements(body: list[ast.stmt], depth: int = 0) -> Iterator[tuple[int, int, object]]:
    """Each with its depth, line and shape, of one with a body that of its head.

    Left out are imports, docstrings, and what only declares: a field of a record, a name for a number or a text.
    """
    for node in body:
        value = getattr(node, "value", None)
        declares = isinstance(node, ast.AnnAssign) and (value is None or isinstance(value, ast.Constant | ast.Call))
        declares |= isinstance(node, ast.Expr | ast.Assign) and isinstance(value, ast.Constant)
        if declares or isinstance(node, ast.Import | ast.ImportFrom):
            continue
        blocks = {name: part for name, part in ast.iter_fields(node) if name in ("body", "orelse", "finalbody")}
        cases = [*getattr(node, "handlers", []), *getattr(node, "cases", [])]
        head = [(name, part) for name, part in ast.iter_fields(node) if name not in (*blocks, "handlers", "cases")]
        yield (
            depth,
            node.lineno,
            (type(node).__name__, *(_shape(part) for name, part in head if name != "decorator_list")),
        )
        for block in (*blocks.values(), *(case.body for case in cases)):
            yield from _statements(block if isinstance(block, list) else [], depth + 1)


def copies(trees: Mapping[str, ast.Module]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Pairs of files with runs of RUN statements of one shape: the lines at which they begin, overlapping runs once."""
    numbers: dict[object, int] = defaultdict(lambda: len(numbers))  # a shape's number is compared sooner than the shape
    places: dict[object, list[tuple[str, int, int]]] = defaultdict(list)
    for path, tree in trees.items():
        rows = [(depth, line, numbers[shape]) for depth, line, shape in _statements(tree.body)]
        for k in range(len(rows) - RUN + 1):
            key = tuple((depth - rows[k][0], shape) for depth, _, shape in rows[k : k + RUN])
            places[key].append((path, k, rows[k][1]))
    found: dict[tuple[str, str], dict[tuple[int, int], tuple[int, int]]] = defaultdict(dict)
    for same in places.values():
        for (first, k, line), (second, m, other) in combinations(same, 2):
            if first != second or abs(k - m) >= RUN:
                found[first, second][k, m] = line, other
    return {files: _apart(runs) for files, runs in sorted(found.items())}


def _apart(runs: dict[tuple[int, int], tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for k, m in sorted(runs):
        if not any(abs(k - a) < RUN or abs(m - b) < RUN for a, b in kept):
            kept.append((k, m))
    return [runs[place] for place in kept]
