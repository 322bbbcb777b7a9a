"""`analyse_pairs(a, b)`: the answers about each row of `a` against the same row of `b`, arrays or bodies.

Bodies are grouped into arrays for the kernels, by the members of their shapes. The other pairs are answered by the
single algorithms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import StrEnum
from reprlib import repr as shortened

import numpy as np

from ..analysis.analysis import analyse
from ..geometry.vector import Array
from ..scene import Body, Scene
from ..shapes import Shape, ball_radius
from .answers import VERDICTS, Answers, Boxes, Hulls, OfRow, PairError, Positive, Spheres
from .pairs import Bodies, analyse_arrays


def analyse_pairs(
    a: Bodies | Iterable[Body],
    b: Bodies | Iterable[Body],
    *,
    positive: Positive = Positive.DISTANCE,
    single: bool = False,
) -> Answers:
    """Verdict, separation, normal and witness points of each pair of rows.

    `a`, `b`: both arrays (boxes, spheres, a sphere and a box, or hulls), or both sequences of bodies of any shapes. The
    pairs may be 2D or 3D in any mixture. Boxes, balls and hulls among bodies are answered by the arrays' kernels if
    there are enough of a kind to make that quicker. Every other pair is answered alone, as by `core.distance`.
    `Answers.vectorised` shows which way was used.

    The answers equal those of `analyse(scene)` for each pair, to tolerances.AGREEMENT times (L + |T|). If normals tie,
    or witness points form a patch, any of them may be returned. `positive`: the meaning of a positive separation of two
    boxes, see `Positive`; all other pairs get the distance. `single`: computes in single precision, from the rounded
    sizes, positions and rotations of arrays. The answers are then float32 numbers in float64 arrays, and the bands are
    those of single precision. Time grows with the number of pairs; memory beyond bodies and answers does not.

    Raises TypeError for values that are neither arrays nor bodies, for other combinations of arrays, and for bodies in
    single precision. Raises ValueError for different lengths, a 2D body paired with a 3D one, two half-spaces, and
    another `positive`. Raises PairError, with the row, if the analysis of a pair fails: by a fault of this library, or
    because the pair is too large.
    """
    if positive not in tuple(Positive):
        raise ValueError(f"positive must be Positive.BOUND or Positive.DISTANCE, got {shortened(positive)}")
    arrays = [isinstance(given, Bodies) for given in (a, b)]
    if any(arrays) and not all(arrays):
        raise TypeError(f"no batch for {type(a).__name__} against {type(b).__name__}: both must be arrays, or neither")
    if single and not any(arrays):
        raise TypeError("single precision is for arrays of boxes, spheres and hulls, not for sequences of bodies")
    first, second = _checked("a", a), _checked("b", b)
    if len(first) != len(second):
        raise ValueError(f"expected as many bodies B as A, got {len(second)} and {len(first)}")
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = enumerate(zip(first, second, strict=True))
        return _of_scenes([_scene(row, *pair) for row, pair in pairs], Positive(positive))
    assert isinstance(first, Bodies)
    assert isinstance(second, Bodies)
    return analyse_arrays(first, second, Positive(positive), np.float32 if single else np.float64)


def _checked(name: str, given: Bodies | Iterable[Body]) -> Bodies | tuple[Body, ...]:
    """Returns arrays as they are, and bodies as a tuple. Raises TypeError for any other value."""
    if isinstance(given, Bodies):
        return given
    try:
        bodies = tuple(given)
    except TypeError:
        wanted = "Boxes, Spheres, Hulls or a sequence of bodies"
        raise TypeError(f"{name}: expected {wanted}, got {shortened(given)}") from None
    for row, body in enumerate(bodies):
        if not isinstance(body, Body):
            raise TypeError(f"{name}: expected a body in every row, got {shortened(body)} in row {row}")
    return bodies


def _scene(row: int, a: Body, b: Body) -> Scene:
    try:
        scene = Scene(a, b)
    except ValueError as error:
        raise ValueError(f"row {row}: {error}") from None
    if a.shape.plane is not None and b.shape.plane is not None:
        raise ValueError(f"row {row}: only one of the two bodies may be a half-space")
    return scene


class _ArrayKind(StrEnum):
    """The kind of array into which a body's shape goes."""

    BOX = "box"
    BALL = "ball"
    SOLID = "solid"
    """A hull with a volume; a box against a hull goes into the same arrays."""
    OTHER = "other"
    """A shape that no kernel accepts."""


FEWEST_PAIRS = 8
"""The least number of pairs of boxes or hulls for which a kernel is quicker than the single algorithms.

It holds even for hard pairs: EPA's steps and the search of all edges take some milliseconds for any number of pairs.
Pairs with a ball have no such limit.
"""

_Group = tuple[_ArrayKind, _ArrayKind, int]
"""The kinds of A and of B, and the number of points to which hulls are padded."""


def _of_scenes(scenes: Sequence[Scene], positive: Positive) -> Answers:
    """The answers about scenes: groups of pairs by their kernels, the others one by one.

    Raises PairError with the scene's row if the analysis of a pair fails.
    """
    groups: dict[_Group, list[int]] = defaultdict(list)
    for row, scene in enumerate(scenes):
        groups[_group_of(scene.a.shape, scene.b.shape)].append(row)
    answers = Answers.blank(len(scenes))
    for (kind_a, kind_b, points), rows in groups.items():
        if kind_a is _ArrayKind.OTHER or (_ArrayKind.BALL not in (kind_a, kind_b) and len(rows) < FEWEST_PAIRS):
            for row in rows:
                with OfRow(row):
                    _answer_alone(answers, row, scenes[row])
        else:
            first = _array(kind_a, [scenes[row].a for row in rows], points)
            second = _array(kind_b, [scenes[row].b for row in rows], points)
            try:
                answers.place(np.array(rows), analyse_arrays(first, second, positive, np.float64))
            except PairError as fault:
                raise PairError(rows[fault.row], fault.__cause__) from fault.__cause__
    return answers


def _group_of(a: Shape, b: Shape) -> _Group:
    first, second = _kind(a), _kind(b)
    if _ArrayKind.OTHER in (first, second) or {first, second} == {_ArrayKind.BALL, _ArrayKind.SOLID}:
        return _ArrayKind.OTHER, _ArrayKind.OTHER, 0
    if _ArrayKind.SOLID not in (first, second):
        return first, second, 0
    assert a.core is not None
    assert b.core is not None
    # Hulls are padded to a power of two points, so that hulls of all sizes make few groups.
    most = max(len(a.core.points), len(b.core.points))
    return _ArrayKind.SOLID, _ArrayKind.SOLID, 1 << (most - 1).bit_length()


def _kind(shape: Shape) -> _ArrayKind:
    if shape.half_extents is not None:
        return _ArrayKind.BOX
    if ball_radius(shape):  # 0 for a hull of one point, which is not a `Spheres`
        return _ArrayKind.BALL
    solid = shape.polyhedron
    # A flat hull has two faces, and no volume.
    return _ArrayKind.OTHER if solid is None or len(solid.faces) < 4 else _ArrayKind.SOLID


def _array(kind: _ArrayKind, bodies: Sequence[Body], points: int) -> Bodies:
    positions = np.array([body.position for body in bodies])
    if kind is _ArrayKind.BALL:
        return Spheres(np.array([ball_radius(body.shape) for body in bodies]), positions)
    rotations = np.array([body.rotation for body in bodies])
    if kind is _ArrayKind.BOX:
        half = [body.shape.half_extents for body in bodies]
        return Boxes(2.0 * np.array(half), positions, rotations)
    return Hulls(np.array([_filled(body.shape, points) for body in bodies]), positions, rotations)


def _filled(shape: Shape, count: int) -> Array:
    """The points of a hull or box, padded to (count, 3) with copies of the first."""
    assert shape.core is not None
    points = shape.core.points
    return np.concatenate((points, np.broadcast_to(points[0], (count - len(points), 3))))


def _answer_alone(answers: Answers, row: int, scene: Scene) -> None:
    """Fills one row by the single algorithms, as `core.distance` does."""
    found = analyse(scene)
    answers.verdicts[row], answers.bands[row] = VERDICTS.index(found.verdict), found.band
    answers.separations[row], answers.normals[row] = found.separation, found.normal
    answers.gaps[row] = found.certainty.gap if found.certainty.gap > found.methods.scale.rounding else 0.0
    answers.witnesses_a[row], answers.witnesses_b[row] = found.witness_a, found.witness_b
