"""The probe that is held against the pair, each kind in a module of its own."""

from __future__ import annotations

from ..draw.draw_list import DrawList
from ..probes import Aim, PlaneProbe, PointProbe, RayProbe, ScaleProbe
from .context import Context, Overlay


def _world(context: Context, draw: DrawList) -> None:
    match context.view.probe:
        case PointProbe() as probe:
            from .probe_point import draw_point

            draw_point(context, draw, probe)
        case PlaneProbe() as probe:
            from .probe_plane import draw_plane

            draw_plane(context, draw, probe)
        case RayProbe() as probe:
            from .probe_ray import draw_ray

            draw_ray(context, draw, probe)
        case ScaleProbe() as probe:
            from .probe_scaling import draw_scaled

            draw_scaled(context, draw, probe)


OF_THE_ANSWER = frozenset(("plane", "resolved", "contacts", "axes", "mtv", "closest"))
"""What is about the answer, and no part of a probe's question."""
OF_THE_WORLD = frozenset(("grid", "bodies", "labels", "normals", "half_space"))
"""What is drawn anew where space is scaled, or is about the world as it is."""


def put_away(context: Context) -> frozenset[str]:
    """Overlays that do not go with the probe."""
    probe = context.view.probe
    if context.moment is not None or isinstance(probe, Aim):
        return frozenset()
    if isinstance(probe, ScaleProbe):
        from ..probes.planes import Scaling

        return frozenset() if Scaling.of(context.scene) is None else OF_THE_ANSWER | OF_THE_WORLD
    # An axis that is asked for by pointing at it or pinning it is shown.
    pointed = any(subject is not None and subject.kind == "axis" for subject in (context.view.hover, context.view.pin))
    return OF_THE_ANSWER - {"axes"} if pointed else OF_THE_ANSWER


OVERLAY = Overlay("probe", "Probe", "", "What is held against the pair by hand", world=_world, of_answer=True)
