"""`analyse_single(scene)`: each algorithm's answer in single precision, with double's answer beside it.

Sizes, positions and rotations are rounded to float32, and every operation of the algorithms is on float32: SAT of
polyhedra, the closed forms of spheres against spheres and boxes and of any shape against a half-space, GJK and EPA. GJK
and EPA are those of `core.gjk`, step by step (`steps`). The sphere's closed forms are those of `core.batch`, which take
their precision from their arrays. Tolerances scale with the spacing of floats. Only the comparison of the answers and
the topology of hulls are in double. Scenes of the plane use `plane`, and the same records.

By default everything is computed relative to A's position, as in the core; the two rounded positions are subtracted
first. With `world_space`, vertices, projections and support points are in the world's frame, where floats fail first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import degrees, isfinite, nan

import numpy as np
from msgspec import Struct

from ..batch.answers import Found, sphere_box, sphere_sphere
from ..geometry.tolerances import AGREEMENT, SINGLE, TOUCHING
from ..geometry.triple import components, length
from ..geometry.vector import Array, angle, dots, frozen, product
from ..geometry.vector import length as vector_length
from ..pair.pair import PairScale, SpaceAndBody, box_and_ball, certificate, half_space_of, two_balls
from ..sat.sat import sat
from ..scene import Body, Scene
from ..verdict import Sentence, Verdict, verdict_of
from .bodies import (
    DoubleAnswer,
    Single,
    SingleBody,
    SingleMethod,
    away_from_origin,
    double_closed_form,
    double_gjk_and_epa,
    found_one,
    reach,
    single,
    single_sat,
    unit_columns,
)
from .plane import plane_runs
from .steps import single_gjk_epa


class SingleAnswer(Struct, frozen=True, eq=False):
    """One algorithm in single precision, and in double.

    `algorithm`: "SAT", "closed form" or "GJK and EPA"; in the plane "planes test" and "explicit hull" as well.
    `separation`: a float32 value, signed; `normal` (3,): float32 values, A to B; `verdict` is None and the numbers NaN
    if single precision overflows or underflows. `gap`: the distance of the algorithm's two bounds (0 for all but GJK
    and EPA). `double_verdict`, `double_separation`, `double_normal`: the answers of double. `error`: single's
    separation less double's. `turned`: the angle between both normals, radians. `proven`: the separation along single's
    normal, in double; with a half-space, double's separation. `words`: one sentence on the difference.
    """

    algorithm: str
    verdict: Verdict | None
    separation: float
    normal: Array
    gap: float
    double_verdict: Verdict
    double_separation: float
    double_normal: Array
    error: float
    turned: float
    proven: float
    words: Sentence


class SinglePrecision(Struct, frozen=True, eq=False):
    """The answers of all algorithms that apply, in single precision.

    `world_space`: see `analyse_single`. `band`: half width of the touching band. The first of `answers` is the one to
    report; SAT's separation, if positive, is only a lower bound of the distance.
    """

    scene: Scene
    world_space: bool
    band: float
    answers: tuple[SingleAnswer, ...]


def analyse_single(
    scene: Scene,
    *,
    world_space: bool = False,
    away: float = 0.0,
    known: Mapping[str, DoubleAnswer] | None = None,
) -> SinglePrecision:
    """The answers of every algorithm that applies to the scene's bodies, in single precision.

    `world_space`: whether to compute in the world's frame instead of relative to A's position. `away`: how far both
    bodies are moved along each axis before they are rounded (`away_from_origin`). `known`: double's answers by
    algorithm, as far as they are computed already, else None. Raises ValueError for two half-spaces.
    """
    a, b = scene.a, scene.b
    pair = PairScale.of(a, b)
    # An overflow or underflow in single precision is part of the answer, so numpy's warnings are turned off.
    with np.errstate(all="ignore"):
        band = _band(pair)
        runs = list(_runs(away_from_origin(scene, away), world_space=world_space))
    doubles = [(known or {}).get(run.algorithm) or run.double(a, b) for run in runs]
    answers = tuple(
        _answer(scene, pair, band, run.algorithm, run.found, double) for run, double in zip(runs, doubles, strict=True)
    )
    return SinglePrecision(scene, world_space, band, answers)


def _runs(scene: Scene, *, world_space: bool) -> Iterator[SingleMethod]:
    """Yields the answer of each algorithm that applies, the one to report first."""
    if scene.dimension == 2:
        yield from plane_runs(scene, _gjk_epa(scene, world_space=world_space), world_space=world_space)
        return
    a, b = SingleBody.both(scene, world_space=world_space)
    if (found := half_space_of(a, b)) is not None:
        yield SingleMethod("closed form", _half_space(found), double_closed_form)
        return
    if (round_pair := _round_pair(a, b)) is not None:
        yield SingleMethod("closed form", round_pair, double_closed_form)
    elif all(body.shape.polyhedron is not None and body.shape.polyhedron.faces for body in (a, b)):
        yield SingleMethod("SAT", found_one(*single_sat(a, b)), _sat)
    yield _gjk_epa(scene, world_space=world_space)


def _band(pair: PairScale) -> float:
    """Half width of the touching band in single precision."""
    extent = single(pair.largest_radius) + length(components(pair.offset.astype(Single)))
    return float(max(TOUCHING * single(pair.least_half_extent), SINGLE.rounding * extent))


def _round_pair(a: SingleBody, b: SingleBody) -> Found | None:
    """The closed form of a sphere against a sphere or a box; None for other pairs."""
    offset = (b.place - a.place)[:, None]
    if two_balls(a, b) is not None:
        return sphere_sphere(a.radius.reshape(1), b.radius.reshape(1), offset)
    mixed = box_and_ball(a, b)
    if mixed is None:
        return None
    side, half = np.float32(mixed.side), mixed.half_extents.astype(np.float32)[:, None]
    found = sphere_box(mixed.ball.radius.reshape(1), -side * offset, half, mixed.box.axes[:, :, None])
    return Found(found.separations, -side * found.normals, found.gaps, found.lower_bounds)


def _half_space(found: SpaceAndBody[SingleBody]) -> Found:
    """The closed form with a half-space: `min n·p` over the other body's points p, less the plane's offset."""
    space, plane = found.space, found.plane
    normal = unit_columns(product(plane.normal.astype(np.float32), space.axes)[:, None])[:, 0]
    height = np.float32(dots(normal, space.place) + np.float32(plane.offset))
    separation = np.float32(-reach(found.body, -normal) - height)
    return found_one(separation, normal if found.side > 0.0 else -normal)


def _gjk_epa(scene: Scene, *, world_space: bool) -> SingleMethod:
    """The answer of GJK, continued by EPA if GJK does not prove the cores apart."""
    found = single_gjk_epa(scene, world_space=world_space).result
    gap = float(found.upper - found.lower)
    answer = found_one(Single(found.separation), found.normal.astype(Single), gap)
    return SingleMethod("GJK and EPA", answer, double_gjk_and_epa)


def _sat(a: Body, b: Body) -> DoubleAnswer:
    table = sat(a, b)
    return DoubleAnswer(table.separation, table.normal)


def _answer(
    scene: Scene, pair: PairScale, band: float, algorithm: str, found: Found, double: DoubleAnswer
) -> SingleAnswer:
    separation, normal = float(found.separations[0]), frozen(found.normals[:, 0].astype(np.float64))
    if not (isfinite(separation) and np.isfinite(normal).all() and normal.any()):
        return _nothing(algorithm, verdict_of(double.separation, pair.touching_band()), double)
    proven = certificate(scene.a, scene.b, normal / vector_length(normal))
    if half_space_of(scene.a, scene.b) is not None:
        # Along any direction but its own normal a half-space is unbounded.
        proven = double.separation
    verdict, wanted = verdict_of(separation, band), verdict_of(double.separation, pair.touching_band())
    in_double = (wanted, double.separation, double.normal)
    off = (separation - double.separation, angle(normal, double.normal), proven)
    words = _words(pair, algorithm, verdict, wanted, double.separation, *off)
    return SingleAnswer(algorithm, verdict, separation, normal, float(found.gaps[0]), *in_double, *off, words)


def _nothing(algorithm: str, wanted: Verdict, double: DoubleAnswer) -> SingleAnswer:
    """The answer without numbers, if single precision overflows or underflows."""
    unknown, words = frozen(np.full(3, nan)), Sentence(f"{algorithm} finds no number in single precision.")
    return SingleAnswer(
        algorithm=algorithm,
        verdict=None,
        separation=nan,
        normal=unknown,
        gap=nan,
        double_verdict=wanted,
        double_separation=double.separation,
        double_normal=double.normal,
        error=nan,
        turned=nan,
        proven=nan,
        words=words,
    )


def _words(
    pair: PairScale,
    algorithm: str,
    verdict: Verdict,
    wanted: Verdict,
    separation: float,
    error: float,
    turned: float,
    proven: float,
) -> Sentence:
    """One sentence on the worst error."""
    off: str
    by: tuple[float, ...]
    off, by = "off by {:.2g}", (abs(error),)
    if pair.largest_radius > 0.0:  # two points have no size
        off, by = f"{off}, {{:.2g}} % of the larger body", (*by, 100.0 * by[0] / pair.largest_radius)
    if verdict is not wanted and Verdict.TOUCHING not in (verdict, wanted):
        return Sentence(f"{algorithm} says {verdict} where double says {wanted}: {off}.", by)
    if verdict is not wanted:
        return Sentence(f"{algorithm} cannot tell {wanted} from {verdict} in single precision: {off}.", by)
    lost = separation - proven
    # A positive separation of SAT may be only a lower bound, and another normal may prove as much: both are no errors.
    if lost > max(4.0 * abs(error), AGREEMENT * pair.extent) and turned > 1e-3:
        turn = "and its normal is turned by {:.2g}°: along it the separation is {:.6g} instead of {:.6g}."
        return Sentence(f"{algorithm} is {off}, {turn}", (*by, degrees(turned), proven, separation))
    return Sentence(f"{algorithm} is {off}.", by)
