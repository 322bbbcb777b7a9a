"""The commands of the menu File: scenes, logs, decks, pictures and films."""

from __future__ import annotations

from .deck_commands import deck_commands
from .lesson_commands import writing_commands
from .table import Action, Command, InMenu, Program


def opening(name: str) -> Action:
    """The action that opens the dialog of this name."""
    return lambda app: setattr(app.dialogs, name, True)


def file_commands() -> tuple[Command, ...]:
    """The commands of the menu File."""
    file = InMenu("File")

    def has_file(app: Program) -> bool:
        return app.work.document.path is not None

    def has_log(app: Program) -> bool:
        return app.files.log_position is not None

    def record(app: Program) -> None:
        app.dialogs.film = app.films.record()

    return (
        file("file.new", "New 3D scene", "Ctrl+N", lambda app: app.files.new()),
        file("file.new_flat", "New 2D scene", "Ctrl+Shift+N", lambda app: app.files.new(flat=True)),
        file("file.open", "Open …", "Ctrl+O", opening("open")),
        file("file.save", "Save", "Ctrl+S", lambda app: app.files.save()),
        file("file.save_as", "Save as …", "Ctrl+Shift+S", opening("save")),
        file("file.reload", "Reload from disk", "Ctrl+R", lambda app: app.files.reload(), enabled=has_file),
        file("log.previous", "Previous entry of the log", "PageUp", lambda app: app.files.step_by(-1), enabled=has_log),
        file("log.next", "Next entry of the log", "PageDown", lambda app: app.files.step_by(1), enabled=has_log),
        *deck_commands(),
        *writing_commands(),
        file("file.screenshot", "Screenshot", "Ctrl+P", lambda app: app.pictures.quick()),
        file("file.screenshot_as", "Screenshot with options …", "Ctrl+Shift+P", opening("screenshot")),
        file("file.record", "Record", "", record, checked=lambda app: app.films.recording),
        file("file.film", "Film …", "", opening("film")),
        file("file.quit", "Quit", "Ctrl+Q", lambda app: app.close_asked()),
    )
