"""The commands that give a body a hull: from a file, or its own with fewer corners."""

from __future__ import annotations

from ..shapes import hull_points
from .table import Command, InMenu, Program

FEW_CORNERS = 50
"""Only a hull with more corners than this can be simplified."""


def hull_commands(index: int) -> tuple[Command, ...]:
    """The commands of a body, in the menu Edit."""
    edit, name, body = InMenu("Edit"), "ab"[index], "AB"[index]

    def choose(app: Program) -> None:
        # A mesh file becomes the shape of the selected body.
        app.work.selection = index
        app.dialogs.open = True

    def simplify(app: Program) -> None:
        app.files.meshes.offer_simpler(index)

    def can_simplify(app: Program) -> bool:
        return len(hull_points(app.work.document.committed.body(index).shape)) > FEW_CORNERS

    return (
        edit(f"hull.{name}", f"Hull from file for {body} …", "", choose),
        edit(
            f"hull.simplify_{name}",
            f"Simplify {body}'s hull …",
            "",
            simplify,
            "Keeps fewer corners, whose hull lies inside this one; how far inside is told",
            enabled=can_simplify,
        ),
    )
