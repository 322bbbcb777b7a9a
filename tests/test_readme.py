"""The README is true: what it names exists, and the keys it lists do something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.commands.command_list import command_table

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
CODE = re.findall(r"`([^`\n]+)`", README)

IN_A_DRAG = {"Ctrl", "Shift", "X", "Y", "Z", "Esc"}


def _section(title: str) -> str:
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_files_that_it_names_exist() -> None:
    named = [word for word in CODE if re.fullmatch(r"[\w./-]+(/|\.(py|png|json|md))", word)]
    missing = [name for name in named if not any((ROOT / folder / name).exists() for folder in (".", "app", "core"))]
    assert len(named) > 20
    assert not missing


@pytest.mark.parametrize("top", ["app", "core"])
def test_every_room_is_named(top: str) -> None:
    told = _section("Which file holds what")
    rooms = [path for path in (ROOT / top).iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(rooms) > 10
    assert not {room.name for room in rooms if f"`{top}/{room.name}/`" not in told}


@pytest.mark.parametrize("chord", sorted(set(re.findall(r"`([^`\n]+)`", _section("Mouse and keys"))) - IN_A_DRAG))
def test_keys_that_it_lists_do_something(chord: str) -> None:
    assert command_table([]).on_key(chord) is not None
