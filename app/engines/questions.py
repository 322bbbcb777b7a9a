"""A pair of bodies as an engine is asked about it."""

from __future__ import annotations

from typing import Any

from core.scene import Body, Scene

from ..io.scene_file import to_tree

MARGIN = "default"
"""Engines are judged as they come: what their margins do is a rule of the catalogue."""


def question_of(scene: Scene, margin: str) -> dict[str, Any]:
    """The question, but for its number: bodies as in a scene file; hulls by their corners, with faces by index.

    `margin`: "zero" asks an engine to leave its margins out where it can, "default" takes it as it comes.
    """
    tree = to_tree(scene)
    return {"a": _body(scene.a, tree["a"]), "b": _body(scene.b, tree["b"]), "margin": margin}


def kinds_of(question: dict[str, Any]) -> tuple[str, str]:
    """The shapes' words, A's first."""
    return question["a"]["shape"]["type"], question["b"]["shape"]["type"]


def _body(body: Body, tree: dict[str, Any]) -> dict[str, Any]:
    solid = body.shape.polyhedron
    if tree["shape"]["type"] == "hull" and solid is not None:
        faces = [[int(corner) for corner in face] for face in solid.faces]
        tree["shape"] |= {"points": solid.vertices.tolist(), "faces": faces}
    return tree
