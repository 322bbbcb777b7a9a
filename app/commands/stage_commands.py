"""The commands and keys of stage mode; no other key has an effect there."""

from __future__ import annotations

from .table import Command, InMenu, Program

KEY_COMMANDS = {
    "PageDown": "log.next",
    "PageUp": "log.previous",
    "Right": "steps.next",
    "Left": "steps.back",
    "Space": "steps.play",
    "B": "stage.black",
    ".": "stage.black",
    "F11": "window.full_screen",
    "Ctrl++": "stage.larger",
    "Ctrl+=": "stage.larger",
    "Ctrl+-": "stage.smaller",
    "Ctrl+0": "stage.normal",
    "?": "stage.keys",
    "F1": "stage.keys",
    "F5": "stage.mode",
    "Escape": "stage.mode",
}


def stage_commands() -> tuple[Command, ...]:
    """The commands of stage mode."""
    window = InMenu("Window")

    def is_on(app: Program) -> bool:
        return app.stage.shown is not None

    def is_black(app: Program) -> bool:
        return app.stage.shown is not None and app.stage.shown.black

    def black(app: Program) -> None:
        app.stage.toggle_black()

    def no_lesson(app: Program) -> bool:
        return not app.lessons.open

    tip = "The picture alone with larger text and a slide's words; PageDown turns, B is a black screen, Esc leaves"
    return (
        window("stage.mode", "Stage mode", "F5", lambda app: app.stage.toggle(), tip, enabled=no_lesson, checked=is_on),
        window("stage.black", "Stage: black screen", "", black, enabled=is_on, checked=is_black),
        window("stage.keys", "Stage: keys", "", lambda app: app.stage.toggle_keys(), enabled=is_on),
        window("stage.larger", "Stage: larger text", "", lambda app: app.stage.scale_text(1), enabled=is_on),
        window("stage.smaller", "Stage: smaller text", "", lambda app: app.stage.scale_text(-1), enabled=is_on),
        window("stage.normal", "Stage: text as at first", "", lambda app: app.stage.scale_text(0), enabled=is_on),
    )


def press_on_stage(app: Program, chord: str) -> None:
    """Runs the command of a key in stage mode, if it has one there.

    Escape first ends a black screen, then the list of keys, then the mode.
    """
    command = KEY_COMMANDS.get(chord)
    if command is None:
        return
    app.stage.echo(chord)
    shown = app.stage.shown
    if chord == "Escape" and shown is not None and (shown.black or shown.keys):
        command = "stage.black" if shown.black else "stage.keys"
    app.invoke(command)
