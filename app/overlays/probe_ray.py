"""The picking ray, seen from any side: the eye, the pixel in the near plane, and the bodies that the ray meets.

There are three ways to show it: the points where it enters and leaves both bodies; the article's one axis of a box,
beside the three slabs that decide; the steps of the GJK ray cast.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from core.geometry.vector import cross, dot
from core.rays.raycast import RayHit
from core.scene import Scene

from ..draw.draw_list import Dash, DrawList, Hidden, Layer, Marker, Subject
from ..draw.theme import faded
from ..probes import RayLook, RayProbe
from ..probes.ray import Cast, OneAxis, Unprojection, crossing, drawn_look, gjk_cast, one_axis, picked_words, ray_of
from ..words.digits import plain
from .context import Context, square_of
from .rail import Rail
from .solids import draw_sheet
from .style import PLAIN, STRONG

RAY_SUBJECT = Subject("probe", 3)
"""Subject of the lines that show the ray and are no handles."""
SLAB_NAMES = "xyz"
_SHOT = {
    "text.diamond": "eye",
    "text.sheet": "near plane",
    "winner": "ray",
    "winner.arrow": "ray",
    "winner.square": "pixel",
    "overlap": "the article's shortcut",
}
_CROSSINGS = {
    f"{kind}:{edge}.{form}": meaning
    for edge in ("edge_a", "edge_b")
    for kind, form, meaning in (
        ("probe", "bold", "ray inside a body"),
        ("none", "disc", "where the ray enters or leaves"),
        ("none", "arrow", "outward normal"),
    )
}
_CAST = {
    "gap": "part of the ray known to be free",
    "winner.line": "simplex",
    "winner.disc": "simplex",
    "text.dashed": "to the closest point of the simplex",
    "text.disc": "to the closest point of the simplex",
    "overlap.sheet": "support plane",
    "overlap.line": "support plane",
    "overlap.disc": "support point",
}


def colours(scene: Scene, probe: RayProbe) -> dict[str, str]:
    """The legend's meanings of the ray's looks in the world (`app/render/looks.py`), as it is drawn."""
    body, letter, ray = scene.body(probe.body), "AB"[probe.body], ray_of(probe)
    match drawn_look(body, probe, ray):
        case RayLook.CAST:
            return _SHOT | _CAST
        case RayLook.ONE_AXIS:
            measured = f"centre of {letter} and nearest point of the ray, |a| apart"
            found = {"text.disc": measured, "text.arrow": measured, "probe:winner.line": "latest entry, earliest exit"}
            for rgba in ("gap", "overlap"):
                found[f"{rgba}.bold"] = f"effective radius re of {letter}"
                found[f"{rgba}.sheet"] = found[f"{rgba}.line"] = "plane at the end of re"
            slabs = {f"probe:world_{name}.bold": f"ray in the slab across {letter}'s x, y, z" for name in SLAB_NAMES}
            return _SHOT | found | {"probe:gap.line": "latest entry, earliest exit"} | slabs
        case RayLook.CROSSINGS:
            return _SHOT | _CROSSINGS


def draw_ray(context: Context, draw: DrawList, probe: RayProbe) -> None:
    """Draws the ray, from its origin to beyond the pair, in the way of `drawn_look`."""
    ray = ray_of(probe)
    end = _end(context, ray)
    _draw_shot(context, draw, probe, ray, end)
    body = context.scene.body(probe.body)
    look = drawn_look(body, probe, ray)
    if look is RayLook.ONE_AXIS and (test := one_axis(body, ray)) is not None:
        _draw_one_axis(context, draw, probe, ray, test)
    elif look is RayLook.CAST and (cast := gjk_cast(body, ray)) is not None:
        _draw_cast(context, draw, probe, ray, cast)
    else:
        _draw_crossings(context, draw, ray)


def _end(context: Context, ray: Unprojection) -> float:
    """The length of the ray as drawn: past the pair and past the near plane, scene units."""
    past = dot(context.extent.centre - ray.origin, ray.direction) + 1.2 * context.extent.radius
    return max(past, 1.6 * ray.near_distance)


def _draw_shot(context: Context, draw: DrawList, probe: RayProbe, ray: Unprojection, end: float) -> None:
    """Draws the eye, the near plane's window with the pixel, lines from the eye to its corners, and the ray."""
    theme = context.theme
    tip = ray.origin + end * ray.direction
    draw.polyline(ray.corners, faded(theme.text, 0.7), 1.4, closed=True, hidden=Hidden.FAINT, subject=RAY_SUBJECT)
    draw.sheet(ray.corners, faded(theme.text, 0.05))
    words = "near plane, off centre" if probe.shift else "near plane"
    draw.label(words, ray.corners[3], theme.dim_text, size=PLAIN, offset=(0.0, -12.0), priority=32, brief="near plane")
    if not probe.camera.orthographic:
        starts = np.repeat(ray.eye[None], 4, axis=0)
        draw.lines(starts, ray.corners, faded(theme.text, 0.35), 1.0, hidden=Hidden.FAINT)
    draw.strong(ray.origin, tip, theme.winner, 2.2, subject=RAY_SUBJECT, arrow_end=11.0)
    draw.spots(ray.eye, theme.text, 6.0, theme.halo, 1.5, shape=Marker.DIAMOND)
    draw.label("eye", ray.eye, theme.text, size=STRONG, offset=(0.0, -16.0), priority=72, bold=True)
    if ray.shortcut_differs:
        _draw_shortcut(context, draw, ray, end)
    subject = Subject("probe", 0)
    hot = context.view.hover == subject
    fill, size = (theme.hover, 7.5) if hot else (theme.winner, 6.0)
    draw.spots(ray.near, fill, size, theme.halo, 2.0, shape=Marker.SQUARE, subject=subject)
    draw.label("pixel", ray.near, theme.text, size=PLAIN, offset=(0.0, 15.0), priority=73, subject=subject)


def _draw_shortcut(context: Context, draw: DrawList, ray: Unprojection, end: float) -> None:
    """Draws the article's ray, which differs from the pixel's, and the other window, if any, for which it is right."""
    theme = context.theme
    rgba, far = theme.overlap, ray.eye + end * ray.shortcut
    draw.lines(ray.eye, far, rgba, 1.8, dash=Dash.DASHED, hidden=Hidden.SHOW, arrow_end=9.0)
    brief = f"shortcut picks {picked_words(context.scene, ray.eye, ray.shortcut)}"
    draw.label(f"the article's {brief}", far, rgba, size=PLAIN, offset=(0.0, -14.0), priority=76, brief=brief)
    if np.array_equal(ray.corners, ray.supposed):
        return
    draw.polyline(ray.supposed, faded(rgba, 0.8), 1.2, closed=True, dash=Dash.DASHED, hidden=Hidden.FAINT)
    place = ray.near + ray.supposed[0] - ray.corners[0]
    draw.spots(place, rgba, 4.4, theme.halo, 1.5, shape=Marker.SQUARE)
    draw.label("as if centred", ray.supposed[0], rgba, size=PLAIN, offset=(0.0, 13.0), priority=34)


def _draw_crossings(context: Context, draw: DrawList, ray: Unprojection) -> None:
    """Draws the stretch inside each body, with the points and normals where the ray enters and leaves."""
    missed, beyond = [], ray.origin + _end(context, ray) * ray.direction
    for index, body in enumerate((context.scene.a, context.scene.b)):
        cast = crossing(body, ray)
        if cast is None:
            missed.append("AB"[index])
            continue
        start = ray.origin if cast.entry is None else cast.entry.point
        end = beyond if cast.exit is None else cast.exit.point
        draw.strong(start, end, context.theme.edge(index), 4.2, subject=RAY_SUBJECT)
        for hit, word, offset in ((cast.entry, "enters", -18.0), (cast.exit, "leaves", 18.0)):
            if hit is not None:
                _draw_hit(context, draw, index, hit, f"{word} {'AB'[index]}", offset)
    if missed:
        words = f"misses {' and '.join(missed)}"
        draw.label(words, beyond, context.theme.dim_text, size=PLAIN, offset=(0.0, 16.0), priority=52)


def _draw_hit(context: Context, draw: DrawList, index: int, hit: RayHit, words: str, offset: float) -> None:
    theme, rgba = context.theme, context.theme.edge(index)
    tip = hit.point + 0.24 * context.extent.radius * hit.normal
    draw.lines(hit.point, tip, faded(rgba, 0.9), 1.6, hidden=Hidden.SHOW, arrow_end=8.0)
    draw.spots(hit.point, rgba, 5.0, theme.halo, 1.5)
    whole = f"{words}, t = {plain(hit.t)}"
    draw.label(
        whole,
        hit.point,
        rgba,
        size=STRONG,
        offset=(0.0, offset),
        priority=78,
        bold=True,
        brief=words,
        kind="time-words",
    )


def _draw_one_axis(context: Context, draw: DrawList, probe: RayProbe, ray: Unprojection, test: OneAxis) -> None:
    """Draws the article's axis through the box's centre, the effective radius, and the three slabs beside the ray."""
    theme, centre = context.theme, np.array(context.scene.body(probe.body).position)
    says = test.distance <= test.radius
    rgba = theme.overlap if says else theme.gap
    direction = test.away / test.distance if test.distance > 0.0 else test.away
    # Beside the line to the nearest point, so that both lengths can be compared.
    aside = cross(direction, ray.direction) * 0.05 * context.extent.radius
    reach = centre + test.radius * direction
    draw.strong(centre, test.nearest, theme.text, 2.0, arrow_end=8.0)
    draw.strong(centre + aside, reach + aside, rgba, 4.0)
    corners = square_of(reach, direction, 0.45 * context.extent.radius) if test.distance > 0.0 else None
    if corners is not None:
        draw_sheet(draw, corners, rgba, 0.14, 0.8)
    draw.spots(np.array((centre, test.nearest)), theme.text, 4.0, theme.halo, 1.2)
    draw.label(
        f"|a| = {plain(test.distance)}",
        test.nearest,
        theme.text,
        size=PLAIN,
        offset=(0.0, -15.0),
        priority=70,
        kind="distance",
    )
    words = f"re = {plain(test.radius)}: {'not missed on this axis' if says else 'missed'}"
    draw.label(words, reach, rgba, size=STRONG, offset=(0.0, 18.0), priority=80, bold=True)
    _draw_slabs(context, draw, ray, test)


def _draw_slabs(context: Context, draw: DrawList, ray: Unprojection, test: OneAxis) -> None:
    """Draws bars where the ray is between the faces across x, y and z; where all three overlap, it is in the box."""
    theme = context.theme
    middle, size = dot(context.extent.centre - ray.origin, ray.direction), context.extent.radius
    centre, limit = ray.origin + middle * ray.direction, 1.6 * size
    lifts = [0.28 * size + k * 0.1 * size for k in range(3)]
    ends = tuple((end, lift) for end in (-limit, limit) for lift in (lifts[0], lifts[2] + 0.1 * size))
    group = draw.turned(centre, ray.direction, ends)
    rail = Rail(draw, group, centre, ray.direction, RAY_SUBJECT, limit)
    colours = (theme.world_x, theme.world_y, theme.world_z)
    for name, span, lift, rgba in zip(SLAB_NAMES, test.spans - middle, lifts, colours, strict=True):
        low, high = float(span[0]), float(span[1])
        if low > high:
            rail.label(f"{name}: never", 0.0, lift, rgba, size=PLAIN, offset=(0.0, 0.0), priority=60)
            continue
        rail.line((max(low, -limit), min(high, limit)), lift, rgba, 6.0, Layer.STRONG)
        rail.label(
            name,
            max(low, -limit),
            lift,
            rgba,
            size=PLAIN,
            offset=(-12.0, 0.0),
            priority=64,
            bold=True,
            kind="axis-names",
        )
    enters, leaves = test.enters - middle, test.leaves - middle
    if isfinite(enters) and isfinite(leaves):
        rgba = theme.winner if test.in_all_slabs else theme.gap
        for end in (enters, leaves):
            rail.rung(end, (0.0, lifts[2] + 0.08 * size), rgba, 1.4, Layer.STRONG)
        words = test.words if test.in_all_slabs else f"{test.words}: a miss"
        middle, lift = 0.5 * (enters + leaves), lifts[2] + 0.12 * size
        rail.label(words, middle, lift, rgba, size=STRONG, offset=(0.0, 12.0), priority=79, bold=True)


def _draw_cast(context: Context, draw: DrawList, probe: RayProbe, ray: Unprojection, cast: Cast) -> None:
    """Draws a step of the GJK ray cast: the part of the ray proved free, the simplex, and the plane that proves it."""
    theme, body = context.theme, context.scene.body(probe.body)
    step, centre = cast.steps[min(probe.step, len(cast.steps) - 1)], np.array(body.position)
    at = ray.origin + step.t * ray.direction
    draw.strong(ray.origin, at, theme.gap, 4.2, subject=RAY_SUBJECT)
    draw.spots(at, theme.gap, 5.4, theme.halo, 1.5)
    words = f"free up to t = {plain(step.t)}"
    draw.label(words, at, theme.gap, size=STRONG, offset=(0.0, -18.0), priority=80, bold=True, kind="time-words")
    corners = np.array([support.point for support in step.simplex]) + centre
    rows, columns = np.triu_indices(len(corners), 1)
    draw.strong(corners[rows], corners[columns], theme.winner, 2.0)
    draw.spots(corners, theme.winner, 4.8, theme.halo, 1.2)
    closest = step.closest + centre
    draw.lines(at, closest, faded(theme.text, 0.9), 1.6, dash=Dash.DASHED, hidden=Hidden.SHOW)
    draw.points(closest, theme.text, 3.6, hidden=Hidden.SHOW)
    if step.normal is None or step.support is None:
        return
    core = body.shape.core
    # The planes of a rounded body are moved out by its radius.
    support = step.support.point + centre + (0.0 if core is None else core.radius) * step.normal
    plane = square_of(support, step.normal, 0.55 * context.extent.radius)
    draw_sheet(draw, plane, theme.overlap, 0.16, 0.8)
    tip = support + 0.3 * context.extent.radius * step.normal
    draw.strong(support, tip, theme.overlap, 2.0, arrow_end=9.0)
    draw.spots(support, theme.overlap, 5.0, theme.halo, 1.2)
    draw.label("support plane", tip, theme.overlap, size=PLAIN, offset=(0.0, -12.0), priority=62)
