"""The commands of the probes and the free axis."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, radians

from msgspec.structs import replace

from ..probes import Aim, PlaneProbe, PointProbe, Probe, RayLook, RayProbe, ScaleProbe
from ..render.framing import framed
from ..state.view import Panes, Seen
from .table import Action, Command, InMenu, Program, Question

PROBES_MENU, VIEW_MENU = InMenu("Probes"), InMenu("View")
FROM_THE_SIDE = radians(72.0), radians(18.0)
"""The view from the side: its yaw relative to the ray's camera, and its pitch, in radians."""
DISTANCE_FACTOR = 1.12
"""The factor on the distance from which that view frames everything, since the ray's eye may be close."""


def probe_commands() -> tuple[Command, ...]:
    """The commands of the probes: a switch for each, and its actions."""

    def is_held(app: Program) -> bool:
        return app.work.view.probe is not None

    def put(kind: type, made: Callable[[Program], Probe]) -> Action:
        return lambda app: _show(app, None if isinstance(app.work.view.probe, kind) else made(app))

    def point(app: Program) -> Probe:
        from ..probes.planes import point_start

        return PointProbe(point_start(app.work.scene))

    def plane(app: Program) -> Probe:
        from ..probes.planes import plane_start

        return plane_start(app.work.scene)

    title = "Ellipsoid and plane: scale space"
    aim, scale = put(Aim, lambda _app: Aim()), put(ScaleProbe, lambda _app: ScaleProbe())
    return (
        PROBES_MENU(
            "probe.point", "Point: signed distances", "Shift+P", put(PointProbe, point), checked=_has(PointProbe)
        ),
        PROBES_MENU(
            "probe.plane", "Plane through three points", "Shift+T", put(PlaneProbe, plane), checked=_has(PlaneProbe)
        ),
        PROBES_MENU("plane.flip", "Flip the plane", "", _flip, enabled=_has(PlaneProbe)),
        PROBES_MENU("ray.shoot", "Shoot a ray through a pixel", "Shift+C", aim, checked=_has(RayProbe, Aim)),
        PROBES_MENU("ray.side", "Look at the ray from the side", "Shift+L", _from_the_side, enabled=_has(RayProbe)),
        PROBES_MENU("ray.eye", "Look from the ray's eye", "", _from_the_eye, enabled=_same_way_up),
        PROBES_MENU("scaling.space", title, "Shift+E", scale, enabled=_can_scale, checked=_has(ScaleProbe)),
        PROBES_MENU("probe.away", "Close the probe", "", lambda app: _show(app, None), enabled=is_held),
    )


def casts(app: Program) -> bool:
    """Whether the steps of a ray cast are shown."""
    probe = app.work.view.probe
    return isinstance(probe, RayProbe) and probe.look is RayLook.CAST


def step_cast(app: Program, count: int) -> None:
    """Goes `count` steps on in the ray cast, within its steps; does nothing without a ray."""
    probe = app.work.view.probe
    if not isinstance(probe, RayProbe):
        return
    from ..probes.ray import gjk_cast, ray_of

    cast = gjk_cast(app.work.scene.body(probe.body), ray_of(probe))
    last = 0 if cast is None else max(len(cast.steps) - 1, 0)
    shown = min(max(min(probe.step, last) + count, 0), last)
    app.cameras.look(replace(app.work.view, probe=replace(probe, step=shown)))


def _has(*kinds: type) -> Question:
    return lambda app: isinstance(app.work.view.probe, kinds)


def _same_way_up(app: Program) -> bool:
    # With another axis upright the world's camera cannot take the ray camera's orientation.
    probe = app.work.view.probe
    return isinstance(probe, RayProbe) and probe.camera.z_up == app.work.view.world.z_up


def _show(app: Program, probe: Probe | None) -> None:
    # A probe needs the answer shown instead of a step, and the world pane.
    if probe is not None:
        app.quiz.stop()
        app.steps.play(replace(app.work.playback, open=False))
        if app.work.view.panes is Panes.DIFFERENCE:
            app.cameras.show_panes(Panes.BOTH)
    app.cameras.look(replace(app.work.view, probe=probe))


def _flip(app: Program) -> None:
    probe = app.work.view.probe
    if isinstance(probe, PlaneProbe):
        app.cameras.look(replace(app.work.view, probe=replace(probe, flipped=not probe.flipped)))


def _from_the_side(app: Program) -> None:
    probe = app.work.view.probe
    if not isinstance(probe, RayProbe):
        return
    turn, height = FROM_THE_SIDE
    yaw = (probe.camera.yaw + turn + pi) % (2.0 * pi) - pi
    turned = app.work.view.turned(yaw, height)
    # Frames everything drawn, the ray's eye too; `fitted` ends, so that the cameras then stay as the user leaves them.
    cameras, seen = app.cameras, Seen(app.work.scene, app.answers.analysis, turned, app.preferences.theme)
    whole = framed(seen, cameras.size, cameras.divider, cameras.covered)
    far = replace(whole.world, distance=DISTANCE_FACTOR * whole.world.distance)
    cameras.look(replace(whole, world=far, fitted=False))


def _from_the_eye(app: Program) -> None:
    probe = app.work.view.probe
    if isinstance(probe, RayProbe):
        turned = app.work.view.turned(probe.camera.yaw, probe.camera.pitch)
        app.cameras.look(replace(turned, world=probe.camera, fitted=False))


def _can_scale(app: Program) -> bool:
    a, b = app.work.scene.a.shape, app.work.scene.b.shape
    pairs = ((a, b), (b, a))
    return isinstance(app.work.view.probe, ScaleProbe) or any(
        one.radii is not None and other.plane is not None for one, other in pairs
    )


def free_axis_commands() -> tuple[Command, ...]:
    """The commands of the free axis, in the menu View."""
    return (
        VIEW_MENU("free.axis", "Free axis", "O", _toggle_free, checked=_is_free),
        VIEW_MENU("free.winner", "Free axis from the best axis", "Shift+O", _to_winner),
        VIEW_MENU("free.nearest", "Free axis to the nearest candidate", "", _to_nearest, enabled=_is_free),
    )


def _is_free(app: Program) -> bool:
    return app.work.view.free is not None


def _toggle_free(app: Program) -> None:
    from ..probes.free_axis import start_of

    app.cameras.look(replace(app.work.view, free=None if _is_free(app) else start_of(app.answers.analysis)))


def _to_winner(app: Program) -> None:
    from ..probes.free_axis import candidate_direction

    analysis = app.answers.whole_analysis
    app.cameras.look(replace(app.work.view, free=candidate_direction(analysis, analysis.sat.winner)))


def _to_nearest(app: Program) -> None:
    from ..probes.free_axis import FreeAxis, candidate_direction

    analysis, view = app.answers.analysis, app.work.view
    if view.free is None:
        return
    attempt = FreeAxis.of(analysis, view.free)
    if attempt.nearest is not None:
        app.cameras.look(replace(view, free=candidate_direction(analysis, attempt.nearest, attempt.axis)))
