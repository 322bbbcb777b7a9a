"""Overlays: pure functions from what is known to what is drawn, one file per thing shown, in drawing order.

`build(context)` fills the draw lists of all four pictures: the world and the difference pane, and two small insets
that turn with the camera: the triad of world axes and the globe of candidate axes.
"""

from __future__ import annotations

from msgspec import Struct, field

from ..draw_list import DrawList
from . import (
    axes,
    bodies,
    closest,
    contacts,
    difference,
    faces_in_view,
    flat_sum,
    gauss,
    globe,
    grid,
    half_space,
    mtv,
    normals,
    plane,
    resolved,
    triad,
)
from .context import Context, Overlay

__all__ = ["OVERLAYS", "STRANGE", "Context", "Overlay", "Pictures", "build"]

OVERLAYS: tuple[Overlay, ...] = (
    grid.OVERLAY,
    bodies.OVERLAY,
    normals.OVERLAY,
    plane.OVERLAY,
    half_space.OVERLAY,
    faces_in_view.OVERLAY,
    resolved.OVERLAY,
    difference.OVERLAY,
    contacts.OVERLAY,
    axes.OVERLAY,
    mtv.OVERLAY,
    closest.OVERLAY,
    bodies.NAMES,
    globe.OVERLAY,
    gauss.OVERLAY,
    triad.OVERLAY,
    flat_sum.OVERLAY,
    Overlay("regions", "All 27 regions of a box", "Shift+R", "As a sphere that moves past sees them"),
)
"""Every overlay that can be switched, in drawing order; ids and keys are unique (a test holds it)."""


STRANGE = {2: frozenset({"globe", "gauss", "half_space", "in_view", "regions"}), 3: frozenset({flat_sum.OVERLAY.id})}
"""By dimension the overlays that have nothing to show of its scenes."""

OF_THE_START = frozenset({"closest", "mtv", "contacts", "resolved", "plane", "axes", "in_view"})
"""Overlays about the bodies where they start: not drawn while they are shown on their way."""


class Pictures(Struct, frozen=True):
    """One draw list per pane and inset; the insets fit into the unit ball and are empty when switched off."""

    world: DrawList = field(default_factory=DrawList)
    difference: DrawList = field(default_factory=DrawList)
    triad: DrawList = field(default_factory=DrawList)
    globe: DrawList = field(default_factory=DrawList)


def _of_steps(context: Context) -> tuple[Overlay, ...]:
    # Imported with the first step: nothing of it is wanted at the start.
    if context.moment is None:
        return ()
    if context.of_motion is not None:
        from .step_motion import MOTION_STEPS

        return MOTION_STEPS
    from .steps import STEP_OVERLAYS

    return (*STEP_OVERLAYS, *_steps_of_plane(context))


def _steps_of_plane(context: Context) -> tuple[Overlay, ...]:
    if context.analysis.polygon is None:
        return ()
    from .flat_steps import FLAT_STEPS

    return FLAT_STEPS


def _of_plane(context: Context) -> tuple[Overlay, ...]:
    # Imported with the first scene of the plane: nothing of it is wanted at the start.
    if context.analysis.polygon is None:
        return ()
    from .flat_pairs import OVERLAY

    return (OVERLAY,)


def _of_free_axis(context: Context) -> tuple[Overlay, ...]:
    # Imported with the first one: nothing of it is wanted at the start.
    if context.view.free is None:
        return ()
    from .free_axis import OVERLAY

    return (OVERLAY,)


def _of_motion(context: Context) -> tuple[Overlay, ...]:
    # Imported with the first motion: nothing of it is wanted at the start.
    if context.asked is not None or not context.view.shows_motion(context.scene):
        return ()
    from .motion import OVERLAYS as OF_MOTION

    return OF_MOTION


def _under_way(context: Context) -> frozenset[str]:
    return OF_THE_START if context.under_way else frozenset()


def _beside_step(context: Context) -> frozenset[str]:
    """What is not drawn at a step of the motion that shows another space, or A - B at another time."""
    if context.of_motion is None:
        return frozenset()
    from .step_motion import beside

    return beside(context)


def _of_probe(context: Context) -> tuple[Overlay, ...]:
    # Imported with the first one: nothing of it is wanted at the start.
    if context.view.probe is None:
        return ()
    from .probe import OVERLAY

    return (OVERLAY,)


def _beside_probe(context: Context) -> frozenset[str]:
    """What is not drawn beside the probe."""
    if context.view.probe is None:
        return frozenset()
    from .probe import put_away

    return put_away(context)


def _of_prediction(context: Context) -> tuple[Overlay, ...]:
    # Imported with the first question: nothing of it is wanted at the start.
    if context.asked is None:
        return ()
    from .prediction import OVERLAY

    return (OVERLAY,)


def _shown(context: Context) -> tuple[frozenset[str], frozenset[str]]:
    """Overlays that are switched on, or needed for the question that stands; and what it holds back."""
    asked = context.asked
    if asked is None:
        return context.view.shown, frozenset()
    return context.view.shown | asked.question.needed, asked.held_back


def build(context: Context) -> Pictures:
    """Everything that is switched on, the step shown, the free axis and the question that stands, drawn."""
    pictures = Pictures()
    shown, held_back = _shown(context)
    held_back |= _under_way(context)
    held_back |= _beside_probe(context)
    held_back |= _beside_step(context) | STRANGE[context.scene.dimension]
    switched_on = [overlay for overlay in OVERLAYS if overlay.id in shown]
    late = (_of_steps, _of_plane, _of_free_axis, _of_probe, _of_motion, _of_prediction)
    for overlay in (*switched_on, *(overlay for found in late for overlay in found(context))):
        if overlay.id in held_back or not overlay.stands(context.moment):
            continue
        for part, draw in (
            (overlay.world, pictures.world),
            (overlay.difference, pictures.difference),
            (overlay.triad, pictures.triad),
            (overlay.globe, pictures.globe),
        ):
            if part is not None:
                part(context, draw)
    return pictures
