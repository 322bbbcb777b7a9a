"""The commands for other engines: a search near the pair, and the bundle of an answer."""

from __future__ import annotations

from ..panels.panel import BUNDLE, BUNDLE_TIP, SEARCH, SEARCH_TIP
from .table import Command, InMenu, Program

PANEL = "panel.engines"


def engine_commands() -> tuple[Command, ...]:
    """The commands, in the menu Compare."""
    menu = InMenu("Compare")

    def search(app: Program) -> None:
        if not (app.preferences.settings.panels and "engines" in app.dialogs.docked):
            app.invoke(PANEL)
        app.engines.search()

    def stop(app: Program) -> None:
        app.engines.stop()

    def ask_place(app: Program) -> None:
        app.dialogs.bundle = True

    return (
        menu(
            "engines.search",
            SEARCH,
            "",
            search,
            SEARCH_TIP,
            enabled=lambda app: not app.engines.searching,
        ),
        menu("engines.stop", "Stop the search near here", "", stop, enabled=lambda app: app.engines.searching),
        menu(
            "engines.bundle",
            BUNDLE,
            "",
            ask_place,
            BUNDLE_TIP,
            enabled=lambda app: app.engines.drawn is not None and not app.engines.bundling,
        ),
    )
