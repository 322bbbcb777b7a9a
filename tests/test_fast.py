"""What `tests/run --fast` takes: by the imports, nearest first, and a test a room."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fast import REACHED, distances, first_test, rooms
from .imports import Module, modules
from .selection import PARTS, part_named
from .test_architecture import ROOMS

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def known() -> tuple[Module, ...]:
    return modules("app", "core", "tests")


def test_every_room_has_a_test_that_stands_for_it() -> None:
    found = rooms()
    assert set(found) == {f"{top}/{room}" for top, names in ROOMS.items() for room in names}
    for file in found.values():
        assert f"def {first_test(file)}(" in file.read_text("utf-8")


def test_the_table_names_what_there_is(known: tuple[Module, ...]) -> None:
    names = {module.path.stem for module in known}
    for start, tests in REACHED:
        assert (ROOT / start).exists(), start
        assert names >= set(tests.split()), start


def away(known: tuple[Module, ...], *paths: str) -> dict[str, int]:
    return {path.stem: steps for path, steps in distances(paths, known).items()}


def test_a_change_reaches_who_imports_it_and_who_imports_those(known: tuple[Module, ...]) -> None:
    found = away(known, "core/contact/reduction.py")
    assert found["test_contact_reduction"] == 1
    assert found["test_contact_reduction"] < found["test_every_pair"]
    assert "test_architecture" not in found


def test_a_changed_test_comes_first_and_its_rig_reaches_all_who_use_it(known: tuple[Module, ...]) -> None:
    assert away(known, "tests/app/test_deck.py") == {"test_deck": 0}
    found = away(known, "tests/app/command_rig.py")
    assert found["test_render_command"] == found["test_bundle"] == 1
    assert "test_simplex" not in found


def test_what_is_no_module_reaches_what_the_table_says(known: tuple[Module, ...]) -> None:
    assert set(away(known, "shaders/lines/line.frag")) == {"test_renderer", "test_export", "test_window_headless"}
    assert set(away(known, "README.md")) >= {"test_architecture", "test_readme", "test_citations"}


@pytest.mark.parametrize("number", [0, 3, len(PARTS), 7 * len(PARTS) + 1])
def test_the_parts_of_the_nightly_tests_take_turns(number: int) -> None:
    assert part_named(str(number)) == PARTS[number % len(PARTS)]
    assert part_named(PARTS[1]) == PARTS[1]
