"""An answer as one line of text, and as a small SVG picture for a notebook, made without a window or a library.

Both bodies are seen along one fixed direction, without perspective. A polyhedron is drawn by its faces towards the
viewer, a half-space by a square. Any other body is drawn by its outline, from support points along directions
perpendicular to the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import pi

import numpy as np

from ..contact.contact import Contact, Manifold
from ..geometry.elementary import cos, sin, sin_cos_rows
from ..geometry.vector import Array, cross, dot, dots, length, product
from ..scene import Body, Scene
from ..verdict import Certainty, Provenance, Verdict

WIDTH, HEIGHT, MARGIN = 360, 240, 32
"""Size of the picture and of its empty border, pixels."""

ROUND = 72
"""The number of support points of an outline."""

COLOURS = ("#3f8fe0", "#e8913a")
NORMAL = "#2f9e6e"

_YAW, _PITCH = 0.6, 0.4
_IN_SPACE = np.array(
    (
        (cos(_YAW), 0.0, -sin(_YAW)),
        (-sin(_YAW) * sin(_PITCH), cos(_PITCH), -cos(_YAW) * sin(_PITCH)),
        (sin(_YAW) * cos(_PITCH), sin(_PITCH), cos(_YAW) * cos(_PITCH)),
    )
)
_VIEWS = {2: np.eye(3), 3: _IN_SPACE}
"""The view by dimension, (3, 3); its rows are the picture's right, its up, and the direction towards the viewer."""


def in_a_line(
    scene: Scene,
    verdict: Verdict,
    separation: float,
    certainty: Certainty,
    normal: Array,
    contacts: Manifold | None = None,
) -> str:
    """An answer in one line: `OVERLAPPING, separation -0.25 (exact), normal (0, 1, 0), 4 contacts`.

    `normal` (3,): world. Without `contacts`, or with none in it, the count is left out.
    """
    within = "" if certainty.provenance is Provenance.EXACT else f" within {certainty.gap:.2g}"
    number = f"separation {separation:.6g} ({certainty.provenance}{within})"
    parts = [str(verdict), number, f"normal ({', '.join(f'{x + 0.0:.6g}' for x in normal.tolist())})"]
    if contacts is not None and (count := len(contacts.contacts)):
        parts.append(f"{count} contact{'s' * (count > 1)}")
    if scene.of_hulls:
        parts.append(scene.of_hulls)
    return ", ".join(parts)


def picture(
    scene: Scene, line: str, normal: Array, witness_a: Array, witness_b: Array, contacts: Iterable[Contact] = ()
) -> str:
    """The picture of two bodies above the answer in one `line`, as HTML.

    `normal` (3,), unit, and the witness points (3,) are in world space. A is blue, B orange, and the normal green.
    `contacts`: drawn as points.
    """
    view = _VIEWS[scene.dimension]
    # A half-space is drawn as a square in its plane, about the foot of the witness points' middle.
    # The square is 1.5 times as wide as the other body's bounding sphere.
    middle, size = 0.5 * (witness_a + witness_b), _size_beside(scene)
    loops = [_loops(body, view, middle, size) for body in (scene.a, scene.b)]
    seen = [product(np.array(loop), view[:2].T) for loops_of_body in loops for loop in loops_of_body]
    ends = np.concatenate([*seen, product(np.array((witness_a, witness_b)), view[:2].T)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    room = np.array((WIDTH, HEIGHT)) - 2.0 * MARGIN
    scale = float((room / np.maximum(high - low, 1e-300)).min())
    centre = 0.5 * (low + high)

    def at(point: Array) -> str:
        x, y = (dots(view[:2], point) - centre) * scale
        return f"{WIDTH / 2 + x:.1f},{HEIGHT / 2 - y:.1f}"

    parts = [
        f'<polygon points="{" ".join(at(np.array(point)) for point in loop)}" fill="{colour}" fill-opacity="0.3" '
        f'stroke="{colour}" stroke-width="1.5" stroke-linejoin="round"/>'
        for colour, loops_of_body in zip(COLOURS, loops, strict=True)
        for loop in loops_of_body
    ]
    tip = witness_a + normal * (28.0 / scale)
    parts.append(_line(at(witness_a), at(witness_b), "currentColor", 'stroke-dasharray="3 2"'))
    parts.append(_line(at(witness_a), at(tip), NORMAL, 'stroke-width="2"'))
    parts += [_dot(at(tip), NORMAL, 3.0)]
    parts += [_dot(at(contact.position), "currentColor", 2.0) for contact in contacts]
    parts += [_dot(at(point), colour, 3.5) for point, colour in zip((witness_a, witness_b), COLOURS, strict=True)]
    size_words = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    escaped = escape(line)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size_words}><title>{escaped}</title>'
    return f"<div>{head}{''.join(parts)}</svg><br/><code>{escaped}</code></div>"


def _size_beside(scene: Scene) -> float:
    """The bounding radius of the bounded body; of two bounded bodies, the larger one."""
    return max(it.shape.bounding_radius for it in (scene.a, scene.b) if it.shape.plane is None)


def _loops(body: Body, view: Array, middle: Array, size: float) -> list[Array]:
    """Closed loops (k, 3), world: a polyhedron's faces towards the viewer, a half-space's square, or an outline."""
    shape, pose = body.shape, body.pose
    if shape.plane is not None:
        normal = pose.direction_to_world(shape.plane.normal)
        foot = middle - normal * dot(normal, middle - pose.to_world(shape.plane.point()))
        first = cross(normal, np.eye(3)[int(abs(normal[0]) > 0.7)])
        first *= 1.5 * size / length(first)
        second = cross(normal, first)
        return [np.array([foot + first + second, foot - first + second, foot - first - second, foot + first - second])]
    solid = shape.polyhedron
    if solid is not None:
        corners, looks = pose.to_world(solid.vertices), dots(pose.direction_to_world(solid.normals), view[2])
        return [corners[list(loop)] for loop, towards in zip(solid.faces, looks, strict=True) if towards > 0.0]
    sines, cosines = sin_cos_rows(np.linspace(0.0, 2.0 * pi, ROUND, endpoint=False))
    ways = product(np.stack((cosines, sines), axis=1), view[:2])
    return [np.array([pose.to_world(shape.support(pose.direction_to_local(way))) for way in ways])]


def _line(start: str, end: str, colour: str, more: str) -> str:
    (x1, y1), (x2, y2) = start.split(","), end.split(",")
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" {more}/>'


def _dot(at: str, colour: str, radius: float) -> str:
    x, y = at.split(",")
    return f'<circle cx="{x}" cy="{y}" r="{radius:g}" fill="{colour}"/>'
