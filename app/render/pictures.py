"""The draw lists of a context: those of the overlays that are switched on, and of the step shown.

`build(context)` fills four draw lists: for the panes of the world and of the difference, and for two small insets that
turn with the camera, the triad of world axes and the globe of candidate axes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pkgutil import resolve_name

from msgspec import Struct, field

from core.query.query import MotionStep

from ..draw.draw_list import DrawList
from ..overlays.context import Context, Overlay
from ..overlays.lit_symbol import lit
from ..overlays.registry import OVERLAYS, SUPPORTING, UNAVAILABLE
from ..stages import at_its_step, overlay_is_shown, part_of, stage_of
from ..state.view import SINGLE_OVERLAY, View
from ..words.digits import written_of

SOURCES_ID = "axis_sources"
"""Id of the overlay that lights, on the bodies, the source of the axis that is pointed at or tried."""
STEP_ID = "step"
"""Id of the overlay of the step shown."""
OF_THE_START = frozenset(
    {"closest", "mtv", "contacts", "manifold", "resolved", "plane", "axes", "in_view", SINGLE_OVERLAY}
)
"""Ids of overlays about the bodies at their start, not drawn while the bodies are shown on their way."""


class DrawLists(Struct, frozen=True):
    """One draw list for each pane and inset; an inset's fits into the unit ball and is empty if switched off."""

    world: DrawList = field(default_factory=DrawList)
    difference: DrawList = field(default_factory=DrawList)
    triad: DrawList = field(default_factory=DrawList)
    globe: DrawList = field(default_factory=DrawList)


class LateOverlay(Struct, frozen=True, eq=False):
    """An overlay that is imported when it is first wanted.

    `overlay`: its place, as `pkgutil.resolve_name` reads it; `wanted`: whether a context needs it.
    """

    overlay: str
    wanted: Callable[[Context], bool]


LATE = (
    LateOverlay("app.overlays.flat_shapes:OVERLAY", lambda context: context.analysis.polygon is not None),
    LateOverlay("app.overlays.contact_ids:OVERLAY", lambda context: context.contact_times is not None),
    LateOverlay("app.overlays.engine_answer:OVERLAY", lambda context: context.engine is not None),
    LateOverlay("app.overlays.single_precision:OVERLAY", lambda context: SINGLE_OVERLAY in context.view.shown),
    LateOverlay(
        "app.stages.supporting:OVERLAY",
        lambda context: SUPPORTING in context.view.shown and context.moment is not None,
    ),
    LateOverlay("app.overlays.free_axis:OVERLAY", lambda context: context.view.free is not None),
    LateOverlay("app.overlays.probe:OVERLAY", lambda context: context.view.probe is not None),
    LateOverlay(
        "app.overlays.motion:OVERLAY",
        lambda context: context.view.shows_motion(context.scene) and context.asked is None,
    ),
    LateOverlay("app.quiz.picture:OVERLAY", lambda context: context.asked is not None),
)
"""Overlays that are not wanted at the start, in the order of drawing."""


def _late(context: Context) -> Iterator[Overlay]:
    if context.source is not None and context.lit is not None:
        yield resolve_name("app.overlays.axis_sources:OVERLAY")
    if context.moment is not None:
        yield _step_overlay(context)
    yield from (resolve_name(late.overlay) for late in LATE if late.wanted(context))


def _step_overlay(context: Context) -> Overlay:
    """The overlay of the step or sub-step shown, drawn by its stage. It cannot be switched."""
    assert context.query is not None
    assert context.moment is not None
    moment, name, tip = context.moment, "Step", "The step shown"
    stage, part = stage_of(moment.phase), part_of(context.query, moment, context.part)
    if part is not None:
        return Overlay(STEP_ID, name, "", tip, lit(part.world), lit(part.difference))
    step = moment.step.motion if isinstance(moment.step, MotionStep) else moment.step
    return Overlay(
        STEP_ID,
        name,
        "",
        tip,
        lit(lambda context, draw: stage.world(context, draw, step)),
        lit(lambda context, draw: stage.difference(context, draw, step)),
    )


def _hidden_overlays(context: Context) -> frozenset[str]:
    """Ids of overlays hidden by the dimension, an open question, a lesson, the motion, the step or the probe."""
    away = UNAVAILABLE[context.scene.dimension]
    if context.asked is not None or context.reveal.veiled:
        away |= context.reveal.overlays | {SINGLE_OVERLAY}
    if context.under_way:
        away |= OF_THE_START
    if context.moment is not None:
        away |= stage_of(context.moment.phase).hides(context)
        if any(name.startswith("step_") for name in away):
            # A question about a step hides the step's picture: its own overlay has an id `step_...`.
            away |= {STEP_ID}
    if context.view.probe is not None:
        from ..overlays.probe import hidden_overlays

        away |= hidden_overlays(context)
    return away | {SOURCES_ID} if "axes" in away else away


def build(context: Context) -> DrawLists:
    """Draws the overlays that are switched on, and those of the step, free axis, probe, motion and question."""
    with written_of(context.scene):
        return _built(at_its_step(context))


def _built(context: Context) -> DrawLists:
    pictures, asked, shown, away = DrawLists(), context.asked, context.view.shown, _hidden_overlays(context)
    phase = None if context.moment is None else context.moment.phase
    if asked is not None:
        shown |= asked.question.needed
    for overlay in (*(overlay for overlay in OVERLAYS if overlay.id in shown), *_late(context)):
        if overlay.id in away or not overlay_is_shown(overlay, phase, at_end=context.reveal.at_end):
            continue
        for part, draw in (
            (overlay.world, pictures.world),
            (overlay.difference, pictures.difference),
            (overlay.triad, pictures.triad),
            (overlay.globe, pictures.globe),
        ):
            if part is not None:
                part(context, draw)
    for place in ("world", "difference", "triad", "globe"):
        _govern(getattr(pictures, place), place, context.view)
    return pictures


def _govern(draw: DrawList, place: str, view: View) -> None:
    """Removes hidden labels, renames and moves the others; `place`: the name of the list's picture, as "world"."""
    if view.hidden:
        # Imported here because the window hides none, renames none.
        from ..draw.label_kinds import without_kinds

        without_kinds(draw, view.hidden)
    if view.renames or view.moves:
        from ..draw.label_names import told_otherwise

        told_otherwise(draw, place, view.renames, view.moves)
