"""The commands that open the panels of comparison and make edge cases."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from core.analysis.knobs import DEFAULT_KNOBS
from core.query.query import Phase

from ..controllers.edits import EDGE_ACTIONS, EdgeAction
from ..panels.panel import Opens
from ..panels.registry import DOCKED
from .table import Command, InMenu, Program

MENU = InMenu("Compare")


def compare_commands() -> tuple[Command, ...]:
    """The panels, the knobs' defaults, and every edge-case tool that needs no number."""

    def to_defaults(app: Program) -> None:
        app.work.knobs = DEFAULT_KNOBS

    def are_changed(app: Program) -> bool:
        return app.work.knobs != DEFAULT_KNOBS

    return (
        *panel_commands("Compare"),
        MENU("mpr", "MPR beside EPA", "", _toggle_mpr, checked=lambda app: app.work.knobs.mpr),
        MENU("knobs.default", "All knobs to their defaults", "", to_defaults, enabled=are_changed),
        *(_edge_tool(action) for action in EDGE_ACTIONS),
    )


def panel_commands(menu: str) -> Iterator[Command]:
    """Of each docked panel that a command opens, the command: shows it with the others, or puts it away."""
    for entry in DOCKED:
        if entry.opens is not None and entry.opens.menu == menu:
            yield _panel(entry.opens, menu)


def _toggle_mpr(app: Program) -> None:
    """Shows MPR from its first step; or leaves it out again."""
    app.work.knobs = replace(app.work.knobs, mpr=not app.work.knobs.mpr)
    if app.work.knobs.mpr:
        app.steps.play(replace(app.work.playback, open=True, phase=Phase.MPR, index=0, playing=False))


def _panel(opens: Opens, menu: str) -> Command:
    def shown(app: Program) -> bool:
        return app.preferences.settings.panels and opens.id in app.dialogs.docked

    def toggle(app: Program) -> None:
        opening = not shown(app)
        app.dialogs.dock(opens.id, shown=opening)
        if opening and not app.preferences.settings.panels:
            app.preferences.configure(replace(app.preferences.settings, panels=True))

    return InMenu(menu)(f"panel.{opens.id}", opens.title, "", toggle, opens.tip, checked=shown)


def _edge_tool(action: EdgeAction) -> Command:
    def make(app: Program) -> None:
        try:
            made = action.make(app.work.document.committed)
        except ValueError as refusal:
            app.notices.notify(str(refusal))
            return
        app.edits.edit(made.scene, made.label, made.told)

    return MENU(f"edge.{action.id}", action.title, "", make, action.tip)
