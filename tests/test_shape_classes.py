"""Nobody outside asks a shape for its class: what is different about it, its contract says."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from core.shapes import SHAPES

from .sources import ROOT, files, syntax

CHECKED = ("core", "app")
"""Packages that keep to the rule."""

ALLOWED = (
    "core/shapes/",
    "app/io/",
    "app/shapes.py",
    "app/draw/meshes/",
    "core/closed_form/pairs.py",
    "core/closed_form/parallel_axes.py",
)
"""Where classes are asked for: what a shape is, how it is written and drawn, and the table of closed forms by pair."""


def asked_classes(tree: ast.Module) -> Iterator[int]:
    """Lines of a module that ask a shape for its class."""
    classes = {shape.__name__ for shape in SHAPES}
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("core", "shapes")
        for alias in node.names
        if alias.name in classes
    }

    def names(node: ast.AST) -> bool:
        return any(isinstance(it, ast.Name) and it.id in imported for it in ast.walk(node))

    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("isinstance" | "issubclass"), [_, wanted]) if names(wanted):
                yield node.lineno
            case ast.MatchClass(wanted) if names(wanted):
                yield wanted.lineno
            case ast.Compare() if names(node) and "type(" in ast.unparse(node):
                yield node.lineno
            case ast.Call(ast.Name("type"), [asked]) | ast.Attribute(asked, "__class__"):
                if ast.unparse(asked).lower().endswith("shape"):
                    yield node.lineno


@pytest.mark.parametrize(
    "question",
    [
        "isinstance(body.shape, Box)",
        "isinstance(body.shape, Ball | Box)",
        "isinstance(x, (Ball, int))",
        "issubclass(kind, Box)",
        "type(x) is Box",
        "{type(x), type(y)} == {Box, Ball}",
        "TABLE[type(body.shape)]",
        "type(shape).__name__",
        "body.shape.__class__",
        "match x:\n    case Box(): pass",
        "match x, y:\n    case Ball(r), Box(): pass",
    ],
)
def test_the_rule_sees_a_question_for_a_class(question: str) -> None:
    for origin in ("core.shapes", "..shapes", ".shapes.box", "core"):
        assert list(asked_classes(ast.parse(f"from {origin} import Box, Sphere as Ball\n{question}\n")))


def test_the_rule_lets_other_questions_pass() -> None:
    source = "from core.shapes import Box\nshape = Box((1, 1, 1))\nisinstance(step, Step)\ntype(step) is Step\n"
    assert not list(asked_classes(ast.parse(source)))


@pytest.mark.parametrize("package", CHECKED)
def test_nobody_outside_asks_a_shape_for_its_class(package: str) -> None:
    found = []
    for path in files(package):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(ALLOWED):
            found += [f"{place}:{line}" for line in asked_classes(syntax(path))]
    assert not found
