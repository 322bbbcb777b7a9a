"""Makes the question about a pair of bodies for an engine's adapter."""

from __future__ import annotations

from typing import Any

from core.scene import Body, Scene

from ..io.scene_file import to_tree

OWN_MARGIN = "default"
"""The margin of questions: engines keep their own margins. The catalogue has rules for the effect of the margins."""


def engine_question(scene: Scene, margin: str) -> dict[str, Any]:
    """The question without its id: bodies as in a scene file, but hulls have their corners, and faces as indices.

    `margin`: "zero" asks an engine to set its margins to zero if it can; "default" keeps them.
    """
    tree = to_tree(scene)
    return {"a": _body(scene.a, tree["a"]), "b": _body(scene.b, tree["b"]), "margin": margin}


def kinds_of(question: dict[str, Any]) -> tuple[str, str]:
    """The kinds of the shapes, A's first."""
    return question["a"]["shape"]["type"], question["b"]["shape"]["type"]


def _body(body: Body, tree: dict[str, Any]) -> dict[str, Any]:
    solid = body.shape.polyhedron
    if tree["shape"]["type"] == "hull" and solid is not None:
        faces = [[int(corner) for corner in face] for face in solid.faces]
        tree["shape"] |= {"points": solid.vertices.tolist(), "faces": faces}
    return tree
