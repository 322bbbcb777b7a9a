"""The commands that open the panels of comparison and make edge cases."""

from __future__ import annotations

from msgspec.structs import replace

from core.analysis.knobs import DEFAULT_KNOBS

from ..controllers.edge_actions import EDGE_ACTIONS, EdgeAction
from .table import Command, InMenu, Program

MENU = InMenu("Compare")


def compare_commands() -> tuple[Command, ...]:
    """The panels, the knobs' defaults, and every edge-case tool that needs no number."""
    return (
        _panel("compare", "Answers side by side", "Every method in double and single precision, and the articles'"),
        _panel("knobs", "Knobs of the algorithms", "Tolerances, limits and methods, live"),
        _panel("edge_tools", "Edge-case tools", "Nudge by a last place, bring to touching, align"),
        _panel("through_zero", "Through-zero plot", "Slide or turn B, and see where each method's answer breaks"),
        MENU(
            "knobs.default",
            "All knobs to their defaults",
            "",
            lambda app: setattr(app.work, "knobs", DEFAULT_KNOBS),
            enabled=lambda app: app.work.knobs != DEFAULT_KNOBS,
        ),
        *(_edge_tool(action) for action in EDGE_ACTIONS),
    )


def _panel(name: str, title: str, tip: str) -> Command:
    """Shows a panel among the docked ones, which come with it, or puts it away."""

    def shown(app: Program) -> bool:
        return app.preferences.settings.panels and bool(getattr(app.dialogs, name))

    def toggle(app: Program) -> None:
        opening = not shown(app)
        setattr(app.dialogs, name, opening)
        if opening and not app.preferences.settings.panels:
            app.preferences.configure(replace(app.preferences.settings, panels=True))

    return MENU(f"panel.{name}", title, "", toggle, tip, checked=shown)


def _edge_tool(action: EdgeAction) -> Command:
    def make(app: Program) -> None:
        try:
            made = action.make(app.work.document.committed)
        except ValueError as refusal:
            app.notices.notify(str(refusal))
            return
        app.edits.edit(made.scene, made.label, made.told)

    return MENU(f"edge.{action.id}", action.title, "", make, action.tip)
