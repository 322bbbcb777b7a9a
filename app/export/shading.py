"""Draws faces in the colours of `shaders/solids/`, as fills and as strokes for seams.

Flat faces of one colour are one fill. A round face, whose brightness varies, becomes nested bands, each a little
brighter than the band around it. The bands are opaque, in a group with the least opacity of the face. A translucent
body is more opaque near its rim. So translucent fills, the coats, are drawn over the group, each smaller than the one
before and nearer to the rim. A ball that is seen as a disc has one haze in place of coats, whose steps would be seen.
"""

from __future__ import annotations

from functools import lru_cache
from math import pi

import numpy as np
from msgspec import Struct

from core.geometry.vector import Array, dots, length_rows

from ..draw.draw_list import BoolArray, IntArray, Rgba
from ..draw.placed import PlacedTriangles
from .operations import Fill, Haze, Loops, Operation, OperationGroup, Stroke
from .polygons import areas, at_least, union_outlines

KEY_LIGHT = np.array((-0.48, 0.62, 0.62))
HALFWAY = np.array((-0.267, 0.344, 0.900))
"""KEY_LIGHT: unit direction to the light.
HALFWAY: unit direction halfway between light and viewer. As in the shader.
"""
FAINTEST = 0.03
"""Opacity below which a face is fading in or out between two steps; its rim then fades too. As in the shader."""
BRIGHTNESS_STEP = 2.0 / 255.0
"""The step of brightness, multiplied by opacity, from one band to the next."""
COAT = 0.05
"""The step of opacity from coat to coat.

PDF viewers round the colour under each coat by up to 1/255: with a step of 0.03 a body became 5/255 darker.
"""
FLAT_DIFFERENCE = 1e-4
"""A triangle is flat if its corner normals differ by less than this in each component."""
SEAM = 0.6
"""The opacity of a seam, a line drawn between two faces, as a share of the face's; as in the shader."""
RINGS = 64
"""The number of rings into which the opacities of a disc are sorted, and of its haze's stops without the middle."""
RING_DIFFERENCE, LEAST_DISC = 0.01, 0.98
"""The largest difference of opacity in a ring of a disc, and the least share of a circle's area that a disc has."""
ROUND_KEPT = 32
"""The number of round faces whose operations are cached, about 300 kB each."""
COLOUR_DECIMALS = 6
"""The decimals to which the colours of flat faces must agree to become one fill."""


class Faces(Struct, frozen=True, eq=False):
    """Shaded triangles.

    `corners` (m, 3, 2): pixels. `lit` (m, 3, 3): colours at the corners. `alpha` (m, 3): opacities at the corners, if
    painted once. `flat_shaded` (m,): whether the three normals agree: the triangle has one colour. `paint` (m,):
    equal numbers for triangles of the same colour before shading. `seams` (m, 3): whether the side opposite each corner
    is drawn as a seam.
    """

    corners: Array
    lit: Array
    alpha: Array
    flat_shaded: BoolArray
    paint: IntArray
    seams: BoolArray


def faces_of(triangles: PlacedTriangles, rows: IntArray) -> Faces:
    """The triangles of these rows, shaded."""
    rgba = np.floor(np.clip(triangles.rgba[rows], 0.0, 1.0) * 255.0 + 0.5) / 255.0
    normals = triangles.normals[rows]
    lit, alpha = shaded(rgba, normals)
    flat = np.asarray((np.abs(normals - normals[:, :1]) < FLAT_DIFFERENCE).all(axis=(1, 2)))
    none = np.zeros((len(rows), 3), dtype=bool)
    seams = none if triangles.seams is None else np.isfinite(triangles.seams[rows]) & (triangles.front[rows, None] > 0)
    _, paint = np.unique(rgba, axis=0, return_inverse=True)
    return Faces(triangles.corners[rows, :, :2], lit, alpha, flat, paint, seams)


def shaded(rgba: Array, normals: Array) -> tuple[Array, Array]:
    """Colours (m, 3, 3) and opacities (m, 3) at the corners of triangles of `rgba` (m, 4), `normals` (m, 3, 3).

    The normals are unit, in the viewer's axes: x to the right, y up, z towards the viewer.
    """
    inside = normals[..., 2] < 0.0
    n = np.where(inside[..., None], -normals, normals)
    lit = _studio_light(rgba[:, None, :3], n) * np.where(inside, 0.9, 1.0)[..., None]
    rim = 1.0 - n[..., 2]
    own = rgba[:, None, 3]
    alpha = (own + (1.0 - own) * 0.22 * rim * rim) * np.minimum(own / FAINTEST, 1.0) * np.where(inside, 0.6, 1.0)
    return lit, np.clip(alpha, 0.0, 1.0)


def _studio_light(base: Array, n: Array) -> Array:
    key = np.maximum(dots(n, KEY_LIGHT), 0.0)
    shade = 0.60 + 0.38 * key + 0.14 * (0.5 + 0.5 * n[..., 1])
    dim = np.minimum(shade, 1.0)[..., None]
    gleam = (0.16 * np.maximum(dots(n, HALFWAY), 0.0) ** 24.0 + np.maximum(shade - 1.0, 0.0))[..., None]
    lit = base * dim + 0.6 * (base ** (1.0 / dim) - base * dim)
    mixed: Array = lit + (1.0 - lit) * gleam
    return mixed


def painted(faces: Faces, coats: int, density: float) -> tuple[Operation, ...]:
    """Operations for faces that do not cover one another, as opaque as if each were painted `coats` times.

    `density`: pixels to a point, the width of a seam.
    """
    alpha = 1.0 - (1.0 - faces.alpha) ** coats
    flat = np.flatnonzero(faces.flat_shaded & (alpha[:, 0] > 0.0))
    colours = np.concatenate((faces.lit[:, 0], alpha[:, :1]), axis=1)
    found: list[Operation] = []
    if len(flat):
        kinds, which = np.unique(np.round(colours[flat], COLOUR_DECIMALS), axis=0, return_inverse=True)
        for number in dict.fromkeys(which.tolist()):
            found += _flat(faces, flat[which == number], _rgba(kinds[number]), density)
    round_ = np.flatnonzero(~faces.flat_shaded & (alpha.max(axis=1) > 0.0))
    for number in dict.fromkeys(faces.paint[round_].tolist()):
        part = round_[faces.paint[round_] == number]
        found += _round(*[values[part].tobytes() for values in (faces.corners, faces.lit, alpha)])
    return tuple(found)


def _flat(faces: Faces, rows: IntArray, rgba: Rgba, density: float) -> list[Operation]:
    fill = Fill(union_outlines([faces.corners[rows]]), rgba)
    triangle, corner = np.nonzero(faces.seams[rows])
    if not len(triangle):
        return [fill]
    corners = faces.corners[rows][triangle]
    row = np.arange(len(triangle))
    ends = np.stack((corners[row, (corner + 1) % 3], corners[row, (corner + 2) % 3]), axis=1)
    # Both triangles at a seam have it, so one of the two is removed; at the border of `rows` there is only one.
    _, once = np.unique(np.sort(np.round(ends, 3).view(np.complex128)[..., 0], axis=1), axis=0, return_index=True)
    seam = Stroke(tuple(ends[np.sort(once)]), density, (*rgba[:3], SEAM * rgba[3]), round_ends=False)
    return [fill, seam]


@lru_cache(maxsize=ROUND_KEPT)
def _round(*data: bytes) -> tuple[Operation, ...]:
    """A group of bands, and the coats over it, for a round face.

    `data`: the bytes of the corners (m, 3, 2), of `lit` (m, 3, 3) and of `alpha` (m, 3), which are the cache's key. A
    round body takes half a second, and one that does not move is the same in all pictures of a handout.
    """
    shapes = ((-1, 3, 2), (-1, 3, 3), (-1, 3))
    corners, lit, alpha = (np.frombuffer(values).reshape(shape) for values, shape in zip(data, shapes, strict=True))
    least, most = float(alpha.min()), float(alpha.max())
    bright = lit.mean(axis=2)
    first, last = float(bright.min()), float(bright.max())
    count = max(1, round((last - first) * max(least, 0.2) / BRIGHTNESS_STEP))
    edges = first + (last - first) * np.arange(count) / count
    silhouette = union_outlines([corners])
    bands = [Fill(silhouette, _mean_colour(lit, bright, edges, 0))]
    for number in range(1, count):
        loops = union_outlines(at_least(corners, bright, float(edges[number])))
        if loops:
            bands.append(Fill(loops, _mean_colour(lit, bright, edges, number)))
    group = OperationGroup(tuple(bands), least)
    haze = _haze(corners, lit, alpha, silhouette)
    if haze is not None:
        return group, haze
    coats = _coats(corners, alpha, least, most)
    return (
        group,
        *[Fill(loops, (*_rim_colour(lit, alpha, density), more)) for density, more, loops in coats],
    )


def _coats(corners: Array, alpha: Array, least: float, most: float) -> list[tuple[float, float, Loops]]:
    """For each coat: the least opacity of the face under it, the coat's own opacity, and its outline.

    `corners` (m, 3, 2) and `alpha` (m, 3): the triangles and the opacities at their corners, which are from `least` to
    `most`.
    """
    count = round((most - least) / COAT)
    found, had = [], least
    for number in range(count):
        density = least + (number + 0.5) * (most - least) / count
        reached = least + (number + 1.0) * (most - least) / count
        loops = union_outlines(at_least(corners, alpha, density))
        if loops and reached < 1.0:
            found.append((density, 1.0 - (1.0 - reached) / (1.0 - had), loops))
            had = reached
    return found


def _haze(corners: Array, lit: Array, alpha: Array, silhouette: Loops) -> Haze | None:
    """The haze that adds the opacity missing to the least one; None if the face is no disc with rings of one opacity.

    `corners` (m, 3, 2), `lit` (m, 3, 3), `alpha` (m, 3): as in Faces; `silhouette`: the outline of the triangles.
    """
    points, opacity, least = corners.reshape(-1, 2), alpha.ravel(), float(alpha.min())
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    distance = length_rows(points - centre)
    radius = float(distance.max())
    area = sum(abs(float(areas(loop[None])[0])) for loop in silhouette)
    # A ball that is seen as a point has no area.
    if least >= 1.0 or area == 0.0 or area < LEAST_DISC * pi * radius * radius:
        return None
    share, ring = np.unique(np.rint(RINGS * distance / radius), return_inverse=True)
    count = np.bincount(ring)
    rings = np.column_stack(
        [np.bincount(ring, values) / count for values in (*lit.reshape(-1, 3).T, np.sqrt(opacity - least))]
    )
    if np.abs(rings[ring, 3] ** 2 + least - opacity).max() > RING_DIFFERENCE:
        return None
    # The opacity grows with the square of what the surface is turned away, which grows nearly evenly between two rings.
    stops = np.column_stack([np.interp(np.linspace(0.0, RINGS, RINGS + 1), share, values) for values in rings.T])
    stops[:, 3] = stops[:, 3] ** 2 / (1.0 - least)
    return Haze(centre, radius, tuple([_rgba(stop) for stop in stops]))


def _mean_colour(lit: Array, bright: Array, edges: Array, number: int) -> Rgba:
    """The mean colour of the corners in a band; for an empty band, of the corners nearest to its edge in brightness.

    `lit` (m, 3, 3), `bright` (m, 3): at the corners; `edges` (k,): the bands' least brightness; `number`: the band's.
    """
    above = bright >= edges[number]
    within = above if number + 1 == len(edges) else above & (bright < edges[number + 1])
    if not within.any():
        within = bright == bright.flat[int(np.argmin(np.abs(bright - edges[number])))]
    return _rgba(np.append(lit[within].mean(axis=0), 1.0))


def _rim_colour(lit: Array, alpha: Array, density: float) -> tuple[float, float, float]:
    red, green, blue = lit[alpha >= density].mean(axis=0)
    return float(red), float(green), float(blue)


def _rgba(values: Array) -> Rgba:
    r, g, b, a = (float(v) for v in values)
    return r, g, b, a
