"""Docstrings and comments of `app` and `core` are plain: they name their subject, and their sentences are short.

Docstrings also name the errors that their function raises, and say when it raises each, when it returns None, and what
None means for an argument. The rest of house style, such as one meaning for each name, needs a reader.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(path for top in ("app", "core") for path in (ROOT / top).rglob("*.py"))

RIDDLE = re.compile(
    r"(?:It|Its|They|Their|Them|This|That|These|Those|What|Who|Where|How|Whether (?:it|they|there|that))\b"
)
"""An opening that does not name its subject. `Whether this is ...` may stand in a property, about `self`."""

CHECKS = ("__init__", "__post_init__")
"""Methods whose errors the docstring of their class may tell."""
COMPLETE = ("app", "core")
"""The folders whose docstrings name errors and None."""

OF_NONE = re.compile(r"\bNone\b|\bif any\b|\bor nothing\b|\bwhile\b")
"""Words that tell when a function returns None."""

WHEN = re.compile(r"\b(?:if|when|where|unless|for|while|without|beyond|otherwise|as)\b", re.IGNORECASE)
"""Words that open the condition of an error."""

ELSEWHERE = re.compile(r"\b(?:as|arguments?) (?:in|from|for|with)\b|\bas `", re.IGNORECASE)
"""Words that refer to another docstring for an argument."""

MOST_WORDS = 40
"""The largest number of words of a sentence, or of its part between semicolons."""


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and text of each string that stands alone: docstrings, and those below constants and fields."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for line in body if isinstance(body, list) else ():
            match line:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield line.lineno, inspect.cleandoc(text)


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yields the line and text of each comment; comments on adjacent lines of their own are one."""
    previous = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line, alone = token.start[0], token.line.lstrip().startswith("#")
            if not (alone and previous == line - 1):
                yield line, token.string.lstrip("#:! ")
            previous = line if alone else None


def riddles(source: str) -> list[tuple[int, str]]:
    """The docstrings and comments that open without naming their subject."""
    return [(line, text) for line, text in (*docstrings(source), *comments(source)) if RIDDLE.match(text)]


def long_sentences(source: str) -> list[tuple[int, str]]:
    """The sentences of docstrings with more than MOST_WORDS words, without indented paragraphs, such as a grammar's."""
    return [
        (line, sentence)
        for line, text in docstrings(source)
        for paragraph in text.split("\n\n")
        if not paragraph.startswith(" ")
        for sentence in re.split(r"(?<=[.!?;])\s", paragraph)
        if len(sentence.split()) > MOST_WORDS
    ]


FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def documented(tree: ast.Module) -> Iterator[tuple[FUNCTION, str]]:
    """Yields the functions that have docstrings, with these; of a class's checks with the class's own docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            of_class = ast.get_docstring(node) or ""
            checks = [each for each in node.body if isinstance(each, FUNCTION) and each.name in CHECKS]
            yield from ((each, f"{of_class} {text}") for each in checks if (text := ast.get_docstring(each)))
        if isinstance(node, FUNCTION) and node.name not in CHECKS and (text := ast.get_docstring(node)):
            yield node, text


def without_none(source: str) -> list[tuple[int, str]]:
    """The docstrings that do not say when their function returns None, although its annotation has `| None`."""
    return [
        (function.lineno, text)
        for function, text in documented(ast.parse(source))
        if function.returns and "| None" in ast.unparse(function.returns) and not OF_NONE.search(text)
    ]


def last_name(node: ast.expr | None) -> str:
    """The class of an exception without its module; "" for other expressions, such as a caught error."""
    node = node.func if isinstance(node, ast.Call) else node
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name if name[:1].isupper() else ""


def bases_by_class() -> dict[str, set[str]]:
    """The direct bases of every class of the program, by name."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in FILES)
    classes = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return {node.name: {last_name(base) for base in node.bases} for node in classes}


BASES = bases_by_class()


def kinds(error: str) -> set[str]:
    """The class of this name and all its bases but Exception."""
    if error in BASES:
        return {error}.union(*map(kinds, BASES[error]))
    known = getattr(builtins, error, None)
    names = {base.__name__ for base in known.__mro__} if isinstance(known, type) else {error}
    return names - {"Exception", "BaseException", "object"}


def raised(node: ast.AST, caught: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yields the errors that leave the code of `node`; functions and classes inside it are passed over."""
    if isinstance(node, ast.Raise):
        error = last_name(node.exc)
        if error and not kinds(error) & caught and not error.startswith("_"):
            yield error
    inside: frozenset[str] = frozenset()
    if isinstance(node, ast.Try):
        types = [handler.type for handler in node.handlers]
        each = [one for kind in types for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind])]
        inside = frozenset(map(last_name, each))
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTION | ast.ClassDef | ast.Lambda):
            guarded = isinstance(node, ast.Try) and child in node.body
            yield from raised(child, caught | inside if guarded else caught)


def without_errors(source: str) -> list[tuple[int, str]]:
    """The docstrings that lack the name of an error that their function raises; a base of it may stand instead."""
    return [
        (function.lineno, f"{error}: {text}")
        for function, text in documented(ast.parse(source))
        for error in dict.fromkeys(raised(function))
        if error not in ("AssertionError", "NotImplementedError", "StopIteration")
        and not any(re.search(rf"\b{kind}\b", text) for kind in kinds(error))
    ]


def without_conditions(source: str) -> list[tuple[int, str]]:
    """The docstrings that name an error without its condition: neither before `raises`, nor before the next error.

    Errors joined by commas, `and` or `or` share the condition that follows them.
    """
    found = []
    for line, text in docstrings(source):
        for sentence in re.split(r"(?<=[.!?;])\s", " ".join(text.split())):
            before, verb, errors = re.split(r"(\b[Rr]aises (?=\w*[A-Z])|$)", sentence, maxsplit=1)
            conditions = re.split(r"(?:\b\w*(?:Error|Unavailable)\b(?:,? (?:and |or )?)?)+", errors)[1:]
            if verb and not WHEN.search(before) and not all(map(WHEN.search, conditions)):
                found.append((line, sentence))
    return found


def may_be_none(annotation: ast.expr | None) -> bool:
    """Whether an argument with this annotation may be None; the parts of a list or a tuple do not count."""
    if not isinstance(annotation, ast.BinOp):
        return False
    return "None" in (ast.unparse(annotation.left), ast.unparse(annotation.right)) or may_be_none(annotation.left)


def without_optional(source: str) -> list[tuple[int, str]]:
    """The docstrings of public functions that do not tell of an argument that may be None.

    They tell of it by its name, or by the words for None or for another docstring.
    """
    found = []
    for function, text in documented(ast.parse(source)):
        given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        optional = [argument.arg for argument in given if may_be_none(argument.annotation)]
        untold = [name for name in optional if not re.search(rf"\b{name}s?\b", text, re.IGNORECASE)]
        refers = OF_NONE.search(text) or ELSEWHERE.search(text) or re.search(r"\bwithout\b", text, re.IGNORECASE)
        if untold and not refers and (function.name in CHECKS or not function.name.startswith("_")):
            found.append((function.lineno, f"{untold[0]}: {text}"))
    return found


@pytest.mark.parametrize("find", [without_none, without_errors, without_conditions, without_optional])
def test_docstrings_are_complete(find) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {' '.join(text.split())}"
        for path in FILES
        if path.relative_to(ROOT).parts[0] in COMPLETE
        for line, text in find(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("find", [riddles, long_sentences])
def test_prose_is_plain(find) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {' '.join(text.split())}"
        for path in FILES
        for line, text in find(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        '"""How often is looked for changes."""',
        'def done():\n    """Whether it is there after at most so long."""',
        'LIMIT = 3\n"""Where it ends."""',
        "# It is imported later.\nx = 1",
        "x = 1  # That is enough.",
    ],
)
def test_riddles_are_found(source) -> None:
    assert len(riddles(source)) == 1


def test_a_comment_over_several_lines_has_one_opening() -> None:
    assert riddles("# The rail is left out.\n# It would hide the bodies.\nx = 1") == []


def test_long_sentences_are_found_but_not_in_indented_paragraphs() -> None:
    words = " ".join(["word"] * MOST_WORDS)
    assert long_sentences(f'"""{words} more."""') == [(1, f"{words} more.")]
    assert long_sentences(f'"""{words}; {words}."""') == []
    assert long_sentences(f'"""A grammar.\n\n    {words} more\n\nThe end."""') == []


def test_a_docstring_says_when_none_is_returned() -> None:
    source = 'def row(label: str) -> int | None:\n    """The row{}."""'
    assert len(without_none(source.format(" of the axis with this label"))) == 1
    assert without_none(source.format("; None for an unknown label")) == []
    assert without_none(source.format("").replace(" | None", "")) == []


@pytest.mark.parametrize(
    ("text", "body", "count"),
    [
        ("The row.", "raise ValueError('no row')", 1),
        ("The row. Raises ValueError without one.", "raise ValueError('no row')", 0),
        ("The row. Raises OSError.", "raise IsADirectoryError(path)", 0),
        ("The row. Raises SceneError.", "raise TooLargeSceneError(path)", 0),
        ("The row.", "raise scene_file.SceneError(path)", 1),
        ("The row.", "try:\n        raise SceneError(path)\n    except ValueError:\n        pass", 0),
        ("The row.", "try:\n        pass\n    except ValueError:\n        raise SceneError(path) from None", 1),
        ("The row.", "def inner():\n        raise ValueError('no row')", 0),
        ("The row.", "raise error", 0),
    ],
)
def test_a_docstring_names_the_errors(text, body, count) -> None:
    assert len(without_errors(f'def row(path):\n    """{text}"""\n    {body}')) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The pair. Raises ValueError.", 1),
        ("The pair. Raises ValueError with the line.", 1),
        ("The pair. Raises ValueError, TypeError.", 1),
        ("The pair. Raises ValueError for no numbers, TypeError.", 1),
        ("The pair. Raises ValueError, TypeError for no numbers.", 0),
        ("The pair. Raises ValueError if a number is missing, and TypeError for no numbers.", 0),
        ("The pair. For no numbers raises ValueError.", 0),
        ("The pair that `raises` names.", 0),
    ],
)
def test_a_docstring_says_when_errors_are_raised(text, count) -> None:
    assert len(without_conditions(f'"""{text}"""')) == count


@pytest.mark.parametrize(
    ("text", "argument", "count"),
    [
        ("The view of a scene.", "other: View | None", 1),
        ("The view of a scene.", "other: View | Scene | None = None", 1),
        ("The view of a scene. `other`: a view to keep.", "other: View | None", 0),
        ("The view of a scene; of the document's for None.", "other: View | None", 0),
        ("The view of a scene. The arguments are as in View.", "other: View | None", 0),
        ("The view of a scene.", "others: Sequence[View | None]", 0),
        ("The view of a scene.", "other: View", 0),
    ],
)
def test_a_docstring_tells_of_optional_arguments(text, argument, count) -> None:
    assert len(without_optional(f'def row(scene: Scene, {argument}):\n    """{text}"""')) == count
