"""Cameras that show everything: the pair in the world, the difference with its origin, one body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.analysis import Analysis
from core.geometry.vector import Array
from core.scene import Body, Scene
from core.shapes import Box

from .camera import Camera
from .pane import arrange
from .placed import Rect
from .view import Panes, View

ROOM = 1.35
"""Margin round the pair: its rails, arrows and labels stand beside it."""


def body_points(body: Body) -> Array:
    """Points (n, 3) whose extent along the world's axes is the body's."""
    if isinstance(body.shape, Box):
        return body.pose.to_world(body.shape.polyhedron.vertices)
    centre, radius = body.pose.position, body.shape.radius
    return centre + radius * np.concatenate((np.eye(3), -np.eye(3)))


def pair_points(scene: Scene) -> Array:
    """Points (n, 3) round both bodies."""
    return np.concatenate((body_points(scene.a), body_points(scene.b)))


def difference_points(analysis: Analysis) -> Array:
    """Points (n, 3) round the difference and its origin."""
    vertices, radius = analysis.difference.core.vertices, analysis.difference.radius
    grown = [vertices + radius * step for step in (*np.eye(3), *-np.eye(3))] if radius > 0.0 else [vertices]
    return np.concatenate((*grown, np.zeros((1, 3))))


def framed(scene: Scene, analysis: Analysis, view: View, size: tuple[int, int], divider: float = 0.5) -> View:
    """The view from the same side with all of pair and difference in sight; `size` of the viewport in pixels."""
    panes = arrange(view, Rect(0, 0, *size), divider)
    shapes = {pane.kind: pane.aspect for pane in panes}
    aspect = shapes.get("world", shapes.get("difference", 1.0))
    world = pair_points(scene)
    if view.panes is Panes.OVERLAID:
        world = np.concatenate((world, difference_points(analysis)))
    return replace(
        view,
        world=_framed(view.world, world, aspect),
        difference=_framed(view.difference, difference_points(analysis), shapes.get("difference", aspect)),
    )


def framed_body(scene: Scene, view: View, index: int, aspect: float) -> View:
    """The view with one body filling the world's pane."""
    return replace(view, world=_framed(view.world, body_points(scene.body(index)), aspect))


def _framed(camera: Camera, points: Array, aspect: float) -> Camera:
    return camera.framed(points, aspect, ROOM)
