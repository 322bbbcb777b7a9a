"""The READMEs are true: what they name exists, every room is told, the keys do something, the example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.commands.command_list import command_table
from app.panels.sources import sources
from tests.bench.__main__ import ALONE, PARTS
from tests.bench.table import OF_THE_CORE, Row, keep, text

ROOT = Path(__file__).resolve().parent.parent
READMES = ("README.md", "app/README.md", "core/README.md", "tests/README.md", "assets/README.md")
GUIDE = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "assets" / "guide").glob("*.md"))

IN_A_DRAG = {"Ctrl", "Shift", "X", "Y", "Z", "Esc"}


def words_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def section(name: str, title: str) -> str:
    found = words_of(name).partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    assert found, title
    return found


def keys_in(name: str, title: str) -> list[str]:
    return sorted(set(re.findall(r"`([^`\n]+)`", section(name, title))) - IN_A_DRAG)


@pytest.mark.parametrize("name", [*READMES, *GUIDE, ".github/CONTRIBUTING.md"])
def test_files_that_they_name_exist(name: str) -> None:
    named = re.findall(r"`(\.?[\w./-]+(?:/|\.(?:py|png|json|md|yml|toml|txt)))`", words_of(name))
    linked = re.findall(r"\]\(([\w./-]+)\)", words_of(name))
    assert len(named) + len(linked) >= 1
    assert not [path for path in named if not (ROOT / path).exists()]
    # A link is relative to the page that it stands on.
    assert not [path for path in linked if not (ROOT / name).parent.joinpath(path).exists()]


@pytest.mark.parametrize("top", ["app", "core"])
def test_every_room_is_told(top: str) -> None:
    doors = {"__init__.py", "__main__.py", "__pycache__", "README.md", "run", "run.py"}
    # What an older version left is no room: a folder with nothing but compiled files.
    lived_in = (path for path in (ROOT / top).iterdir() if path.is_file() or any(path.rglob("*.py")))
    rooms = [path for path in lived_in if path.name not in doors]
    told = section(f"{top}/README.md", "The house" if top == "app" else "The rooms")
    assert len(rooms) > 10
    names = {f"`{top}/{room.name}{'/' if room.is_dir() else ''}`" for room in rooms}
    assert not {name for name in names if name not in told}


@pytest.mark.parametrize("chord", keys_in("README.md", "The dozen keys"))
def test_the_dozen_keys_do_something(chord: str) -> None:
    assert command_table([]).on_key(chord) is not None


@pytest.mark.parametrize("chord", keys_in("assets/guide/window.md", "Keys"))
def test_all_keys_that_are_told_do_something(chord: str) -> None:
    assert command_table([]).on_key(chord) is not None


def test_every_shape_of_the_scene_file_is_told() -> None:
    from app.shapes import FLAT_KINDS, SHAPE_KINDS

    told = section("assets/README.md", "Scene file")
    assert not [kind.name for kind in (*SHAPE_KINDS, *FLAT_KINDS) if f"`{kind.name}`" not in told]


def test_the_library_example_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", words_of("README.md"), re.DOTALL)
    assert len([line for line in example.splitlines() if line]) <= 8
    exec(example.replace("separatrix.core", "core"), {})
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("OVERLAPPING -0.3")
    assert second == "exact 1"
    assert third.startswith("0.8333")


def test_what_runs_without_gl_is_there() -> None:
    listed = (ROOT / "tests" / "without_gl.txt").read_text("utf-8").split()
    assert len(listed) > 20
    assert not [path for path in listed if not (ROOT / path).exists()]


@pytest.mark.parametrize("part", [*PARTS, *ALONE])
def test_every_part_of_the_bench_has_its_place(part: str) -> None:
    words = words_of("core/README.md" if part in OF_THE_CORE else "tests/README.md")
    assert (words.count(f"<!-- {part} -->\n"), words.count(f"<!-- /{part} -->\n")) == (
        (0, 0) if part in ("tolerances", "explore", "own-core", "shares") else (1, 1)
    )


def test_a_table_takes_the_place_of_the_last_one(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    readme = tmp_path / "tests" / "README.md"
    readme.write_text("Before.\n\n<!-- idle -->\n\n| old |\n\n<!-- /idle -->\n\nAfter.\n", "utf-8")
    table = text([Row("frames", 2.0, "ms", peer=4.0, aim="0")])
    for _ in range(2):
        keep("idle", f"Of today.\n\n{table}", tmp_path)
    assert readme.read_text("utf-8") == (
        "Before.\n\n<!-- idle -->\n\nOf today.\n\n"
        "| figure | Separatrix | peer | ratio | aim |\n|---|---:|---:|---:|---|\n"
        "| frames | 2 ms | 4 ms | 0.50 | 0 |\n\n<!-- /idle -->\n\nAfter.\n"
    )
    with pytest.raises(ValueError, match="growth"):
        keep("growth", table, tmp_path)


def test_the_sources_of_the_panel_are_those_of_the_core() -> None:
    told = " ".join(section("core/README.md", "Sources").split())
    listed = [source for group in sources() for source in group.sources]
    for source in listed:
        parts = (part.rstrip(".") for part in (source.authors, source.title, source.where))
        assert all(part in told for part in parts), source
    assert told.count(": *") == sum(bool(source.authors) for source in listed), "one is told there that is not listed"
