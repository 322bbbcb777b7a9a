"""One entry for arrays of pairs: `analyse_pairs(a, b)`, row k of `a` against row k of `b`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace
from numpy.typing import DTypeLike

from .answers import (
    Answers,
    Boxes,
    Found,
    Hulls,
    Positive,
    Reals,
    Scale,
    Spheres,
    axes_of,
    chunks,
    columns,
    lengths,
    sphere_box,
    sphere_sphere,
)
from .boxes import BoxPairs, BoxSat, box_distances, box_sat
from .hulls import hull_pairs

Bodies = Boxes | Spheres | Hulls

CHUNK = 2048
"""Pairs at once: their arrays stay in the processor's caches."""

HULL_CHUNK = 2048
"""The same for hulls, whose polytopes need some ten kilobytes each."""

Kernel = Callable[[slice], tuple[Found, Scale]]


def analyse_pairs(a: Bodies, b: Bodies, *, positive: Positive = Positive.DISTANCE, single: bool = False) -> Answers:
    """Verdict, separation and normal of each pair of rows: boxes, spheres, a sphere and a box, or hulls.

    The answers are those of `analyse(scene)` pair by pair, to tolerances.AGREEMENT (L + |T|); of normals that tie,
    either may come. `positive`: what the number of boxes apart means, see there. Spheres always give the distance,
    hulls too. `single`: everything in single precision, from the rounded sizes, positions and rotations on; the
    answers are float32 numbers in float64 arrays, and the bands are those of single precision. Time grows with the
    number of pairs, memory beyond the answers not at all.

    Raises TypeError for other combinations, ValueError for two arrays of different length.
    """
    if len(a) != len(b):
        raise ValueError(f"expected as many bodies B as A, got {len(b)} and {len(a)}")
    real = np.float32 if single else np.float64
    if isinstance(a, Boxes) and isinstance(b, Boxes):
        return _in_chunks(len(a), CHUNK, lambda part: _boxes(a, b, part, positive, real))
    if isinstance(a, Spheres) and isinstance(b, Spheres):
        return _in_chunks(len(a), CHUNK, lambda part: _spheres(a, b, part, real))
    if isinstance(a, Spheres) and isinstance(b, Boxes):
        return _in_chunks(len(a), CHUNK, lambda part: _sphere_and_box(a, b, part, real))
    if isinstance(a, Boxes) and isinstance(b, Spheres):
        return _in_chunks(len(a), CHUNK, lambda part: _turned(_sphere_and_box(b, a, part, real)))
    if isinstance(a, Hulls) and isinstance(b, Hulls):
        return _in_chunks(len(a), HULL_CHUNK, lambda part: hull_pairs(a, b, part, real))
    raise TypeError(f"no batch for {type(a).__name__} against {type(b).__name__}")


def _in_chunks(count: int, size: int, kernel: Kernel) -> Answers:
    answers = Answers.blank(count)
    for part in chunks(count, size):
        answers.fill(part, *kernel(part))
    return answers


def _turned(answer: tuple[Found, Scale]) -> tuple[Found, Scale]:
    found, scale = answer
    return replace(found, normals=-found.normals), scale


def _offsets(a: Bodies, b: Bodies, part: slice, real: DTypeLike) -> Reals:
    offsets: Reals = columns(b.positions[part], real) - columns(a.positions[part], real)
    return offsets


def _spheres(a: Spheres, b: Spheres, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    offsets, radii_a, radii_b = _offsets(a, b, part, real), a.radii[part].astype(real), b.radii[part].astype(real)
    return sphere_sphere(radii_a, radii_b, offsets), Scale.of(offsets, radii_a, radii_b, radii_a, radii_b)


def _sphere_and_box(a: Spheres, b: Boxes, part: slice, real: DTypeLike) -> tuple[Found, Scale]:
    offsets, radii = _offsets(a, b, part, real), a.radii[part].astype(real)
    half = 0.5 * columns(b.sizes[part], real)
    found = sphere_box(radii, offsets, half, axes_of(b.rotations[part], real))
    return found, Scale.of(offsets, radii, lengths(half), radii, half.max(axis=0))


def _boxes(a: Boxes, b: Boxes, part: slice, positive: Positive, real: DTypeLike) -> tuple[Found, Scale]:
    pairs = BoxPairs.of(
        0.5 * columns(a.sizes[part], real),
        0.5 * columns(b.sizes[part], real),
        axes_of(a.rotations[part], real),
        axes_of(b.rotations[part], real),
        _offsets(a, b, part, real),
    )
    scale = pairs.scale()
    return box_answers(pairs, scale, positive), scale


def box_answers(pairs: BoxPairs, scale: Scale, positive: Positive) -> Found:
    """SAT for all pairs, and the distance for those apart.

    For a bound only where a gap within the touching band leaves the verdict open.
    """
    sat = box_sat(pairs, scale)
    apart = sat.separations > 0.0
    found = Found(sat.separations, sat.normals, np.zeros_like(sat.separations), apart & (positive is Positive.BOUND))
    asked = np.flatnonzero(apart if positive is Positive.DISTANCE else apart & (sat.separations <= scale.bands))
    if len(asked):
        some = BoxSat(sat.separations[asked], sat.normals[:, asked], sat.winners[asked])
        distances = box_distances(pairs.take(asked), some, scale.take(asked))
        found.separations[asked], found.normals[:, asked] = distances.separations, distances.normals
        found.gaps[asked], found.lower_bounds[asked] = distances.gaps, False
    return found
