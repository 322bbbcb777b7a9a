"""A plugin of pytest for a tree with a fault: which test first fails by an assert on what is public.

An exception that comes out of the program is none, nor is an assert of the program's own, nor one of a test that looks
at private names. The verdict is written as JSON into the file that FAULT_VERDICT names.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = tuple(str(ROOT / top) + os.sep for top in ("app", "core"))
VERDICT = os.environ.get("FAULT_VERDICT")

_others: list[str] = []


def by_an_assert(error: pytest.ExceptionInfo[BaseException]) -> bool:
    """Whether a test says so itself, and not the program."""
    return isinstance(error.value, AssertionError | pytest.fail.Exception) and not str(
        error.traceback[-1].path
    ).startswith(OURS)


def is_public(test: pytest.Item) -> bool:
    """Whether a test's own text names nothing private: no attribute and no name of the program with a `_` before it."""
    function = getattr(test, "function", None)
    if function is None:
        return False
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            return False
        if isinstance(node, ast.Name) and node.id.startswith("_"):
            value = inspect.unwrap(function).__globals__.get(node.id)
            if getattr(value, "__module__", "").split(".")[0] in ("app", "core"):
                return False
    return True


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("slow") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    report = yield
    if report.failed and call.excinfo is not None:
        said = f"{item.nodeid}: {call.excinfo.exconly().splitlines()[0][:200]}"
        if by_an_assert(call.excinfo) and is_public(item):
            _write(caught=said)
            item.session.shouldstop = "caught"
        else:
            _others.append(said)
    return report


def pytest_sessionfinish() -> None:
    if VERDICT and not Path(VERDICT).exists():
        _write(caught="")


def _write(caught: str) -> None:
    if VERDICT:
        Path(VERDICT).write_text(json.dumps({"caught": caught, "others": _others[:3]}), "utf-8")
