"""Nothing that is said, in a comment or to a user, points at a file or a code that is not in the project."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from pathlib import Path

import pytest

from .sources import ROOT, files, syntax

CODE = re.compile(r"\b[SPGV]\d{1,2}\b(?!-)")
"""A row of a source article; alone (`"P12"`) or before an id's words (`P12-endless-line`) it is a name in the code."""
FILE = re.compile(r"[\w./-]*\w\.md\b")


def said(path: Path) -> list[str]:
    """The comments of a file, its docstrings and what it says elsewhere: every text of more than one word."""
    source = path.read_text("utf-8")
    texts = [node.value for node in ast.walk(syntax(path)) if isinstance(node, ast.Constant)]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    return [text for text in texts if isinstance(text, str) and " " in text.strip()] + comments


@pytest.mark.parametrize("top", ["app", "core", "tests"])
def test_no_text_cites_a_row_of_an_article_or_a_file_that_is_not_here(top: str) -> None:
    assert CODE.search("as P12 has it")
    assert not CODE.search("P12-endless-line")
    for path in files(top):
        source = path.read_text("utf-8")
        if path != Path(__file__) and (CODE.search(source) or FILE.search(source)):
            for text in said(path):
                assert not CODE.search(text), (path, text)
                assert all((ROOT / name).exists() for name in FILE.findall(text)), (path, text)


def test_no_scene_says_one_to_its_reader() -> None:
    scenes = [path for path in sorted((ROOT / "assets" / "scenes").glob("*.json")) if path.stem != "index"]
    assert len(scenes) >= 100
    for path in scenes:
        scene = json.loads(path.read_text("utf-8"))
        assert not CODE.search(f"{scene['name']} {scene['notes']}"), path
