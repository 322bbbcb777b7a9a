"""The overlays of the steps about a motion, one for each phase: imported with the first of them that is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from core.query.query import Phase
from core.rays.gjk_raycast import GjkRaycastStep
from core.toi import (
    AdvancementStep,
    IntervalStep,
    Motion,
    PlaneStep,
    ScaledPlaneStep,
    SphereBoxStep,
    SpheresStep,
    SweptAxisStep,
)

from ...draw.draw_list import DrawList
from ...overlays.context import Build, Context, Overlay, step_overlay
from ...overlays.probe import OF_THE_WORLD
from .axes_picture import draw_intervals_difference, draw_intervals_world, draw_swept_difference, draw_swept_world
from .closed_picture import (
    draw_plane_difference,
    draw_plane_world,
    draw_scaled_difference,
    draw_scaled_world,
    draw_spheres_difference,
    draw_spheres_world,
    shows_scaled_space,
)
from .paths_picture import draw_advancement_difference, draw_advancement_world, draw_ray_difference, draw_ray_world
from .regions_picture import draw_regions_difference, draw_regions_world

Kind = TypeVar("Kind")
Draw = Callable[[Context, DrawList, Kind, Motion, float], None]
"""Draws a step about the motion: with the motion itself, and the time that the step looks at."""


def _at(kind: type[Kind], part: Draw[Kind]) -> Build:
    """Draws while a step of that kind is shown."""

    def build(context: Context, draw: DrawList) -> None:
        step, query = context.of_motion, context.query
        if step is not None and query is not None and query.sweep is not None and isinstance(step.motion, kind):
            part(context, draw, step.motion, query.sweep.motion, step.time)

    return build


def _overlay(phase: Phase, title: str, kind: type[Kind], world: Draw[Kind], difference: Draw[Kind]) -> Overlay:
    tip = "The bodies on their way, and what the step found"
    return step_overlay(f"step_{phase.name.lower()}", title, tip, phase, _at(kind, world), _at(kind, difference))


def _draw_rounded_world(context: Context, draw: DrawList, step: object, motion: Motion, time: float) -> None:
    # Imported with the first such step, as below: nothing of the plane is wanted in space.
    from .rounded_picture import draw_rounded_world

    draw_rounded_world(context, draw, step, motion, time)


def _draw_rounded_difference(context: Context, draw: DrawList, step: object, motion: Motion, time: float) -> None:
    from .rounded_picture import draw_rounded_difference

    draw_rounded_difference(context, draw, step, motion, time)


MOTION_STEPS: tuple[Overlay, ...] = (
    _overlay(Phase.SCALED, "Scaled space's steps", ScaledPlaneStep, draw_scaled_world, draw_scaled_difference),
    _overlay(Phase.PLANE, "The plane's steps", PlaneStep, draw_plane_world, draw_plane_difference),
    _overlay(Phase.SPHERES, "The spheres' steps", SpheresStep, draw_spheres_world, draw_spheres_difference),
    _overlay(Phase.REGIONS, "The regions' steps", SphereBoxStep, draw_regions_world, draw_regions_difference),
    _overlay(Phase.ROUNDED, "The grown difference's steps", object, _draw_rounded_world, _draw_rounded_difference),
    _overlay(
        Phase.INTERVALS, "Entry and exit, axis by axis", IntervalStep, draw_intervals_world, draw_intervals_difference
    ),
    _overlay(Phase.SWEPT, "Twenty-one axes, one by one", SweptAxisStep, draw_swept_world, draw_swept_difference),
    _overlay(Phase.RAY, "The ray cast's steps", GjkRaycastStep, draw_ray_world, draw_ray_difference),
    _overlay(
        Phase.ADVANCEMENT,
        "The advancement's steps",
        AdvancementStep,
        draw_advancement_world,
        draw_advancement_difference,
    ),
)


def beside(context: Context) -> frozenset[str]:
    """Overlays that do not go with the step: the world where scaled space stands, A - B where it has turned."""
    if shows_scaled_space(context):
        return OF_THE_WORLD
    step = context.of_motion
    turned = (
        step is not None
        and isinstance(step.motion, AdvancementStep)
        and any(any(body.angular_displacement) for body in (context.scene.a, context.scene.b))
    )
    return frozenset({"difference"}) if turned else frozenset()
