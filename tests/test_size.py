"""The size of the house: lines, files, and what stands in it twice."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from .test_architecture import tracked

ROOT = Path(__file__).resolve().parent.parent

MOST_LINES, MOST_FILES = 93_898, 511
"""Of `app` and `core`: what they came to when this was written. Before the contacts and the library 55,949 and 306,
before the lessons with their card, the gallery as a course, SAT's story, sub-steps and contacts over time 61,226 and
327; before names, digits, the step's card in colour and the motions of sub-steps 70,520 and 377, before SVG, PDF
and films about 72,300 and 389, before options of figures, palettes, handouts, decks and stage mode 76,400 and 408,
before decks made in the window, engines' texts, the bench of other engines (adapters, judge, panel, bundles), and the
search for crossing arcs 79,900 and 428; before engines' margins, simplexes and curves 91,900 and 500; before glyphs
were kept and the driver loaded beside the imports 92,600 and 503; before scenes with too many points were offered
simpler 92,700 and 504; before all panes were laid out in one pass 92,900 and 505; before the solids of a body that
stands still were kept from picture to picture 93,700 and 511; before a start left hints, processes and archives for
later 93,850 and 511.
"""
LONGEST = 450
RUN = 8
"""Consecutive statements that make a copy."""

COPIES = {
    ("app/io/shape_file.py", "app/state/requests.py"): "records with a field or two, one after the other",
    ("app/panels/registry.py", "app/panels/registry.py"): "two lines a panel, which import and make it",
    ("app/state/requests.py", "app/state/requests.py"): "records with a field or two, one after the other",
    ("core/gjk/gjk.py", "core/rays/raycast.py"): "the reasons why an algorithm stopped, with a sentence each",
}
"""Runs of statements that are equal but for names and numbers, by file, and why they stay."""


def _python(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_it_grows_no_further() -> None:
    files = _python("app", "core")
    lines = sum(map(_lines, files))
    print(f"app and core: {lines} lines in {len(files)} files")
    assert lines <= MOST_LINES
    assert len(files) <= MOST_FILES


def test_no_file_outgrows_its_reader() -> None:
    files = [path for path in tracked() if path.suffix == ".py" or path.parent.name == ".github"]
    assert not {path.relative_to(ROOT): count for path in files if (count := _lines(path)) > LONGEST}


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


def copies() -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Pairs of files with runs of RUN statements of one shape: the lines at which they begin, overlapping runs once."""
    places: dict[object, list[tuple[str, int, int]]] = defaultdict(list)
    for path in _python("app", "core"):
        rows = list(_statements(ast.parse(path.read_text("utf-8")).body))
        for k in range(len(rows) - RUN + 1):
            key = tuple((depth - rows[k][0], shape) for depth, _, shape in rows[k : k + RUN])
            places[key].append((path.relative_to(ROOT).as_posix(), k, rows[k][1]))
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


def test_nothing_stands_twice_without_a_reason() -> None:
    found = copies()
    assert set(found) == set(COPIES), found
    count = sum(map(len, found.values()))
    print(f"{count} copies: {found}")
    assert count <= 20
