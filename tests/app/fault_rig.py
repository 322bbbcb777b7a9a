"""Faults of the program that are meant: how tests make them, and what must stand after each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.application import Application
from app.commands.ask import AskLater
from app.commands.table import Command
from app.state.ask import Ask
from app.state.panel_state import Notice
from app.state.work import Document

from .window_rig import Driver


class BrokenError(Exception):
    """What a fault of the program raises here."""


def broken(*_: object, **__: object) -> None:
    raise BrokenError("on purpose")


def notices(driver: Driver) -> list[Notice]:
    return [notice for notice in driver.app.notices.now() if notice.error]


def told(driver: Driver, words: str) -> Notice:
    """The one notice of the one fault that was meant; it is drawn, and then dismissed."""
    driver.frame(3)
    assert driver.faults
    assert all(isinstance(fault, BrokenError) for fault in driver.faults)
    driver.faults.clear()
    (notice,) = notices(driver)
    assert notice.message.startswith(f"{words} failed because of a fault in the program (BrokenError). ")
    assert "Traceback (most recent call last)" in notice.report
    assert "BrokenError: on purpose" in notice.report
    driver.key("Escape")
    assert notices(driver) == []
    return notice


def stacks_are_level() -> bool:
    context = imgui.get_current_context()
    stacks = (context.current_window_stack, context.color_stack, context.style_var_stack, context.begin_popup_stack)
    return all(len(stack) == 0 for stack in stacks) and context.disabled_stack_size == 0


@contextmanager
def from_a_panel(driver: Driver) -> Iterator[Ask]:
    """What is asked for inside is carried out as if a panel had asked for it."""
    ask = AskLater(driver.app)
    yield ask
    ask.carry_out()


def make_unsaved(driver: Driver) -> Document:
    driver.app.ask.edit(driver.app.work.scene.swapped(), "Swap A and B")
    return driver.app.work.document


def goes_on(driver: Driver) -> None:
    """The window still does what it is for."""
    before = driver.app.work.scene
    driver.app.ask.edit(driver.app.work.scene.swapped(), "Swap A and B")
    driver.frame(2)
    assert driver.app.work.scene != before
    driver.app.edits.undo()
    driver.frame(2)
    assert driver.app.work.scene == before
    assert stacks_are_level()
    assert driver.faults == []


@pytest.fixture
def broken_command(driver: Driver) -> Command:
    """The command that swaps the bodies: it edits, looks elsewhere, and then raises."""

    def action(app: Application) -> None:
        app.edits.edit(app.work.scene.swapped(), "Swap")
        app.work.view = replace(app.work.view, shown=frozenset())
        app.work.selection = 1
        raise BrokenError("on purpose")

    table = driver.app.commands
    command = replace(table.named("edit.swap"), action=action)
    table._by_id[command.id] = command
    for chord in command.keys:
        table._by_chord[chord] = command
    return command
