"""Modules that are left for later: nothing is loaded before something is asked of it, and then all of it is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from app.platform.late_modules import LATER

NO_DISPLAY = "import pyglet; pyglet.options.headless = True\n"


def _said(program: str) -> str:
    """What a fresh interpreter prints."""
    left = "from app.platform.late_modules import LATER, leave_for_later; import sys; leave_for_later()\n"
    done = subprocess.run(
        [sys.executable, "-c", left + program], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_numpy_works_without_its_documentation() -> None:
    program = (
        "import numpy as np; print(np.dot([1, 2], [3, 4]), type(sys.modules['numpy._core._add_newdocs']).__name__)"
    )
    assert _said(program) == "11 _Later"


ASKED = {
    "msgspec._json_schema": "_get_doc",
    "msgspec.inspect": "type_info",
    "msgspec.toml": "decode",
    "msgspec.yaml": "decode",
    "numpy._core._add_newdocs": "add_newdoc",
    "numpy._core._add_newdocs_scalars": "add_newdoc",
    "numpy._typing": "_NestedSequence",
    "numpy._typing._add_docstring": "add_newdoc",
    "pickle": "dumps",
    "platform": "python_version",
    "pyglet.gl.gl_compat": "glBegin",
    "pyglet.graphics": "Batch",
    "pyglet.graphics.shader": "ShaderProgram",
    "shutil": "which",
    "subprocess": "run",
    "tempfile": "mkstemp",
    "textwrap": "wrap",
    "unicodedata": "category",
    "zipfile": "ZipFile",
}


@pytest.mark.parametrize("name", LATER)
def test_what_is_asked_for_is_loaded(name: str) -> None:
    asked = f"import {name.partition('.')[0]}; from {name} import {ASKED[name]}\n"
    assert _said(f"{NO_DISPLAY}{asked}print(type(sys.modules['{name}']).__name__)") == "module"


def test_the_imports_of_a_start_ask_for_none_of_them() -> None:
    program = (
        "from app.platform.early_graphics import EarlyGraphics; EarlyGraphics()\n"
        "import app.application, pyglet.window\n"
        "print([name for name in LATER if type(sys.modules[name]).__name__ != '_Later'])"
    )
    assert _said(NO_DISPLAY + program) == "[]"


@pytest.mark.parametrize(
    ("module", "call"),
    [("tempfile", "gettempdir()"), ("platform", "system()"), ("msgspec._json_schema", "schema(int)")],
)
def test_a_function_known_without_its_module_answers_as_it_does(module: str, call: str) -> None:
    known = _said(f"import msgspec; print(LATER['{module}']['{call.partition('(')[0]}']({call.partition('(')[2]})")
    assert known == _said(f"del sys.modules['{module}']; import msgspec; import {module} as it; print(it.{call})")


@pytest.mark.parametrize(
    ("first", "inside"),
    [
        ("from pyglet.graphics import shader", "pyglet.graphics.vertexdomain"),
        ("from numpy.typing import NDArray", "numpy._typing._shape"),
        ("import numpy.linalg", "numpy.typing.mypy_plugin"),
    ],
)
def test_what_is_inside_of_one_is_found(first: str, inside: str) -> None:
    assert _said(f"{NO_DISPLAY}{first}; import {inside} as it; print(it.__name__)") == inside


def test_the_numbers_that_are_known_are_those_of_the_module() -> None:
    name = "pyglet.gl.gl_compat"
    known = f"from app.platform.late_modules import LATER; print(dict(LATER['{name}']))"
    real = (
        f"del sys.modules['{name}']; import {name} as it; print({{key: getattr(it, key) for key in LATER['{name}']}})"
    )
    assert _said(known) == _said(NO_DISPLAY + real)


@pytest.mark.parametrize(
    "library",
    ["concurrent.futures", "multiprocessing.pool", "numpy.typing as hints", "PIL.Image", "scipy.spatial", "trimesh"],
)
def test_libraries_that_are_imported_with_their_first_use_are_none_the_worse(library: str) -> None:
    assert _said(f"import numpy, msgspec, {library}; print('there')") == "there"


def test_what_is_there_already_stays() -> None:
    program = "import numpy; numpy._core\nleave_for_later({'numpy': {}}); print(type(sys.modules['numpy']).__name__)"
    assert _said(program) == "module"
