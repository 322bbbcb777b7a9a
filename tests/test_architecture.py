"""The walls of the house: who may import whom, what lies at the top level, and what stays out of the start."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import pytest

from .copies import copies
from .imports import LATE, Module, graph, modules
from .sources import ROOT, files, syntax, texts

TOP_LEVEL = {"app", "core", "shaders", "assets", "tests"} | {
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "requirements.lock",
}

# The rooms of each top folder from the ground up: a module imports from its own room and from those before it, also for
# type checking and in the middle of a function. A room is a folder or file directly below the top folder.
ROOMS: dict[str, tuple[str, ...]] = {
    "core": (
        "geometry",
        "shapes",
        "scene",
        "verdict",
        "trace",
        "naming",
        "pair",
        "closed_form",
        "sat",
        "minkowski",
        "gjk",
        "mpr",
        "rays",
        "contact",
        "toi",
        "analysis",
        "batch",
        "float32",
        "query",
        "library",
        "study",
        "articles",
        "differential",
    ),
    "app": (
        "storage",
        "words",
        "shapes",
        "draw",
        "export",
        "probes",
        "state",
        "overlays",
        "stages",
        "quiz",
        "input",
        "render",
        "io",
        "forms",
        "lessons",
        "engines",
        "controllers",
        "cli",
        "panels",
        "commands",
        "platform",
        "application",
    ),
}

# Outside libraries with a room of their own: each is imported there and nowhere else.
HOMES = {
    "pyglet": ("app.platform", "app.application"),
    "moderngl": ("app.render",),
    "imgui_bundle": ("app.panels", "app.platform"),
}


def _modules() -> tuple[Module, ...]:
    return modules("app", "core")


Trees = dict[str, ast.Module]


@pytest.fixture(scope="module")
def trees() -> Trees:
    """The syntax of every file of `app` and `core` by its path."""
    return {path.relative_to(ROOT).as_posix(): syntax(path) for top in ("app", "core") for path in files(top)}


def _nodes(trees: Trees, *tops: str) -> Iterator[tuple[str, ast.AST]]:
    """Each part of the files below some folders, with the file's path; the scripts of the installation are none."""
    for path, tree in trees.items():
        if path.startswith(tuple(f"{top}/" for top in tops)) and not path.startswith("app/packaging/"):
            for node in ast.walk(tree):
                yield path, node


def _arrows(top: str) -> dict[tuple[str, str], set[str]]:
    """From which room of `top` to which something is imported, and by which modules."""
    found: dict[tuple[str, str], set[str]] = {}
    for module in _modules():
        if module.within(top) and module.room:
            for name in module.knows:
                room = name.split(".")[1] if name.startswith(f"{top}.") else ""
                if room in ROOMS[top] and room != module.room:
                    found.setdefault((module.room, room), set()).add(module.name)
    return found


def tracked() -> list[Path]:
    """Every file of the project."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


@pytest.mark.slow
def test_core_imports_only_the_standard_library_numpy_scipy_msgspec_and_itself() -> None:
    allowed = set(sys.stdlib_module_names) | {"numpy", "scipy", "msgspec", "core"}
    outside = {
        (module.name, name)
        for module in _modules()
        if module.within("core")
        for name in module.imports
        if name.split(".")[0] not in allowed
    }
    assert not outside


def test_core_imports_itself_relatively(trees: Trees) -> None:
    absolute = [
        path
        for path, node in _nodes(trees, "core")
        if (isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "core")
        or (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "core" for alias in node.names))
    ]
    assert not absolute


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_imported_only_at_its_home(library: str) -> None:
    importers = {m.name for m in _modules() if any(name.split(".")[0] == library for name in m.imports)}
    strangers = {m.name for m in _modules() if m.name in importers and not m.within(*HOMES[library])}
    assert not strangers
    assert importers, f"nothing imports {library}: the rule watches nothing"


@pytest.mark.parametrize("top", ROOMS)
def test_every_room_stands_in_the_table(top: str) -> None:
    rooms = {module.room for module in _modules() if module.within(top)} - {""}
    assert set(ROOMS[top]) == rooms


@pytest.mark.parametrize("top", ROOMS)
def test_nothing_points_upwards(top: str) -> None:
    order = ROOMS[top].index
    assert not {arrow: by for arrow, by in _arrows(top).items() if order(arrow[0]) < order(arrow[1])}


def test_every_row_of_a_table_can_be_imported(trees: Trees) -> None:
    """What is imported by its name in a string is read by the tests above, and is there."""
    late = {text for tree in trees.values() for text in texts(tree) if LATE.fullmatch(text)}
    assert len(late) > 50
    assert not [text for text in late if resolve_name(text) is None]


def test_no_import_hides_in_a_string_but_those_of_the_tables(trees: Trees) -> None:
    hiding = {
        path
        for path, node in _nodes(trees, "app", "core")
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("import_module", "__import__")
    }
    assert not hiding


# What is there to be set.
TO_BE_SET = ("pyglet.options.", "os.environ[", "sys.path[", "sys.stderr")


def test_no_library_is_patched(trees: Trees) -> None:
    """Nothing sets an attribute of what it imported, replaces a module, or steers the garbage collector."""
    patched = {
        (path, told) for path, tree in trees.items() for told in _patched(tree) if not told.startswith(TO_BE_SET)
    }
    assert not patched


def _patched(tree: ast.AST) -> Iterator[str]:
    """The targets of all that is set in what `tree` imports, as written; `gc` where it imports that."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {(alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names}
    yield from names & {"gc"}
    for node in ast.walk(tree):
        root: ast.AST
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            root = node
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("setattr", "delattr"):
            root = node.args[0]
        else:
            continue
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if isinstance(root, ast.Name) and root.id in names:
            yield ast.unparse(node)


@pytest.mark.parametrize(
    "source",
    [
        "import sys\nsys.modules['numpy'] = None",
        "from enum import EnumType\nEnumType.__setattr__ = type.__setattr__",
        "import ctypes.util\nctypes.util.find_library, found = None, None",
        "import pyglet\nsetattr(pyglet.app, 'run', None)",
        "import gc",
    ],
)
def test_a_patch_is_seen(source: str) -> None:
    assert list(_patched(ast.parse(source)))
    assert not list(_patched(ast.parse("import sys\nsys.stdout.flush()\nfound = [sys.path]\nfound[0] = None")))


def test_no_modules_import_each_other_in_a_ring() -> None:
    arrows = graph(_modules())
    while leaves := {name for name, wants in arrows.items() if not wants & arrows.keys()}:
        arrows = {name: wants for name, wants in arrows.items() if name not in leaves}
    assert not arrows


def test_no_table_but_the_registry_is_keyed_by_phase(trees: Trees) -> None:
    def by_phase(node: ast.AST) -> bool:
        keys = node.keys if isinstance(node, ast.Dict) else []
        return any(isinstance(k, ast.Attribute) and getattr(k.value, "id", "") == "Phase" for k in keys if k)

    assert not {path for path, node in _nodes(trees, "app") if by_phase(node)}


# Where space and the plane part; all else asks these, or does the same for both.
OF_A_DIMENSION = {
    "app/io/scene_file.py",
    "app/draw/meshes/mesh.py",
    "app/input/gestures.py",
    "app/state/view.py",
    "app/state/work.py",
    "core/gjk/gjk_epa.py",
    "core/pair/cores.py",
    "core/analysis/analysis.py",
    "core/contact/flat_parts.py",
    "core/study/lab/edge_cases.py",
    "core/scene.py",
    "core/float32/answers.py",
    "core/float32/steps.py",
}


def _compares_dimension(tree: ast.AST) -> bool:
    """Whether it compares a `dimension` with 2, 3 or another one; `axis < dimension` only counts."""

    def dimension(side: ast.expr) -> bool:
        return getattr(side, "id", getattr(side, "attr", "")) == "dimension"

    for node in ast.walk(tree):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        if any(map(dimension, sides)) and all(dimension(side) or isinstance(side, ast.Constant) for side in sides):
            return True
        if isinstance(node, ast.Match) and dimension(node.subject):
            return True
    return False


@pytest.mark.parametrize(
    "source",
    ["scene.dimension == 2", "2 < dimension", "match a.dimension:\n    case 2: pass", "a.dimension != b.dimension"],
)
def test_a_comparison_of_a_dimension_is_seen(source: str) -> None:
    assert _compares_dimension(ast.parse(source))
    assert not _compares_dimension(ast.parse("of(scene.dimension) is axis < dimension"))


def test_no_other_module_compares_a_dimension(trees: Trees) -> None:
    assert {path for path, tree in trees.items() if _compares_dimension(tree)} == OF_A_DIMENSION


COPIES = {
    ("app/words/expression.py", "app/words/expression.py"): "records with a field or two, one after the other",
    ("core/gjk/gjk.py", "core/rays/raycast.py"): "the reasons why an algorithm stopped, with a sentence each",
}
"""Runs of statements that are equal but for names and numbers, by file, and why they stay."""


def test_nothing_stands_twice_without_a_reason(trees: Trees) -> None:
    found = copies(trees)
    assert set(found) == set(COPIES), found


CATCH_EVERYTHING = {
    "app/application.py": "no common base for a missing display; emptying the picture, keeping the layout may fail",
    "app/commands/table.py": "a command that cannot say whether it runs is off, and the menu stands",
    "app/controllers/background.py": "a thread's fault is raised again where its answer is asked for",
    "app/controllers/faults.py": "telling of a fault, and going back to simpler work, must not fail themselves",
    "app/panels/panel_host.py": "one for each panel",
    "app/platform/graphics.py": "a program of its own that says what is wrong with the graphics, whatever it is",
    "app/platform/late_swap.py": "pyglet's own exception for a function that is missing",
}
"""Who catches every exception in the window's rooms, beside the one context of `Faults.caught`."""


def test_nobody_else_in_the_window_catches_everything(trees: Trees) -> None:
    def everything(node: ast.AST) -> bool:
        if isinstance(node, ast.ExceptHandler):
            return node.type is None or getattr(node.type, "id", "") in ("Exception", "BaseException")
        return (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") == "suppress"
            and any(getattr(argument, "id", "") in ("Exception", "BaseException") for argument in node.args)
        )

    rooms = ("state", "input", "controllers", "panels", "commands", "platform")
    found = {path for path, node in _nodes(trees, *(f"app/{room}" for room in rooms)) if everything(node)}
    found |= {"app/application.py" for node in ast.walk(trees["app/application.py"]) if everything(node)}
    assert found == set(CATCH_EVERYTHING)


CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "time", "time_ns", "default_timer", "getrusage"}
ASK_THE_TIME = {
    "tests/app/patience.py": "it gives up waiting in the end",
    "tests/figure_rig.py": "it says for tests/bench how long a file took",
    "tests/selection.py": "it begins no test when the time of a run is up",
}


def _asks_the_time(path: Path) -> bool:
    """Whether it calls a clock of the standard library. What a test calls by such a name is its own."""
    text = path.read_text("utf-8")
    if not re.search(r"^ *(import|from) (time|timeit|resource)\b", text, re.MULTILINE):
        return False
    tree = ast.parse(text)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(getattr(func, "attr", getattr(func, "id", "")) in CLOCKS - own for func in called)


def test_no_test_depends_on_how_long_something_takes() -> None:
    """What must not grow is counted (tests/counting.py); times stand in tests/bench."""
    tests = [path for path in sorted((ROOT / "tests").rglob("*.py")) if "bench" not in path.parts]
    assert {path.relative_to(ROOT).as_posix() for path in tests if _asks_the_time(path)} == set(ASK_THE_TIME)


def test_the_top_level_holds_only_what_was_agreed() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert not {name for name in names - TOP_LEVEL if not name.startswith(".")}


def test_no_file_names_a_package_registry() -> None:
    hosts = [first + second for first, second in (("pyp", "i.org"), ("python", "hosted"), ("debian", ".org"))]
    naming = [
        path.relative_to(ROOT)
        for path in tracked()
        if any(host.encode() in path.read_bytes().lower() for host in hosts)
    ]
    assert not naming


def _modules_after(code: str, *arguments: str) -> set[str]:
    """Names in sys.modules after `code` ran in a fresh interpreter."""
    program = f"import sys\n{code}\nprint('modules:', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    return set(done.stdout.rpartition("modules:")[2].split())


@pytest.mark.slow
def test_starting_the_window_leaves_qhull_and_the_mesh_reader_asleep() -> None:
    loaded = _modules_after("import app.application")
    assert not {"scipy", "trimesh"} & loaded
    # The panels that are closed at the start.
    closed = {"axis_table", "bodies", "answers", "paste_pair", "file_browser", "dialogs"}
    assert not {f"app.panels.{name}" for name in closed} & loaded
    # The menu "Copy as" asks a form whether it has the pair's shapes when it is opened.
    assert not {"app.forms.registry", "app.forms.writer"} & loaded
    # Pictures are taken when they are asked for, and steps are closed.
    assert not {"app.render.figure", "app.render.still", "app.draw.between"} & loaded
    # Other engines are asked when somebody wants them.
    assert not {name for name in loaded if name.startswith(("app.engines", "core.study.differential"))}
    # The timeline is closed at the start: neither words nor pictures of steps.
    assert not {name for name in loaded if name.startswith(("app.stages.", "core.article"))}
    # The list of presets is made at the start: no hull of theirs may bring scipy with it.
    assert "scipy" not in _modules_after("from app.io.presets import presets\npresets()")


def test_check_touches_no_graphics() -> None:
    scene = ROOT / "assets" / "scenes" / "skew-edges.json"
    loaded = _modules_after("from app.__main__ import main\nmain()", "check", str(scene))
    assert not loaded & {"pyglet", "moderngl", "imgui_bundle", "PIL"}
