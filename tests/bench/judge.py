"""How wrong an answer is, without asking any algorithm of the core.

What is known for certain about two convex bodies: no direction n can make them closer than
`s(n) = min_B n·x - max_A n·x`, and no two points of them are nearer than the bodies are. So an answer about bodies
that are apart is enclosed by its own normal and its own witness points. Radii are taken off spheres and capsules first,
so that what overlaps by its radii alone is enclosed too.

A depth is enclosed from one side so: its own normal shows that it is at least deep enough to be one. That no other
direction is a shorter way out follows from all faces and products of edges where the cores have corners; of round ones
many directions are tried, and a polytope inside the difference proves that none is better (depth.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from core import Analysis, Body, Capsule, HalfSpace, Provenance, Rounded, Sphere, Verdict, analyse
from tests.oracles import axes_of, farthest, offset_of
from tests.shape_truths import truth_of

from .contact_judge import contact_faults
from .depth import EPS, Pair
from .families import Posed

EXACT = 1e-12
"""What closed forms and SAT are to be good to, in units of L + |T|."""
CERTIFIED = 1e-9
"""What else is to be certified to, in units of L."""


@dataclass(frozen=True)
class Judgement:
    """Errors in units of L + |T|, gaps in units of L.

    `separation`: how far off the number is at most. `normal`: by how much the answer's own normal proves less than
    its number. `witness`: how far the witness points are off their bodies, or from being `separation` apart along the
    normal. `proved`: of a depth, whether it is enclosed from both sides, else it was tried from one; None of what is
    not deep. `faults`: what is plainly wrong, in words.
    """

    provenance: Provenance | None
    gap: float
    separation: float
    normal: float
    witness: float
    proved: bool | None
    faults: tuple[str, ...]


@dataclass(frozen=True)
class _Truth:
    """The separation is in [lower, upper]; `own`: what the answer's normal proves.

    `proved`: of a depth, that no direction is better by more than the answer may be off; None where nothing is deep.
    """

    lower: float
    upper: float
    own: float
    proved: bool | None = None


def _beyond_plane(found: Analysis) -> _Truth:
    """A half-space has one direction, and so one truth."""
    scene = found.scene
    first = isinstance(scene.a.shape, HalfSpace)
    solid, other = (scene.a, scene.b) if first else (scene.b, scene.a)
    assert isinstance(solid.shape, HalfSpace)
    size = float(np.linalg.norm(solid.shape.normal))
    out = axes_of(solid) @ np.array(solid.shape.normal) / size
    away = np.subtract(other.position, solid.position)
    reach = float(truth_of(other.shape).reaches((-out @ axes_of(other))[None])[0])
    exact = float(out @ away) - reach - solid.shape.offset / size
    turned = float(np.linalg.norm(found.normal - (out if first else -out)))
    return _Truth(exact, exact, exact - (turned if turned > 8 * EPS else 0.0))


def _between(found: Analysis, direction: np.ndarray, place: float, within: float) -> _Truth:
    pair = Pair(found.scene)
    known = np.vstack((found.normal, direction))
    own, built = (float(value) for value in pair.proves(known))
    if found.separation + pair.radius > 0.0:
        ends = [
            _in_core(found.scene.a, found.witness_a),
            _in_core(found.scene.b, found.witness_b),
        ]
        upper = float(np.linalg.norm(ends[1][0] - ends[0][0])) - pair.radius + ends[0][1] + ends[1][1]
        return _Truth(max(own, built), max(upper - 4.0 * place, own), own)
    best, complete = pair.best(known)
    if complete or -best <= within:
        return _Truth(best, best, own, proved=True)
    best, upper = pair.enclosed(best, known, within)
    return _Truth(best, best, own, proved=upper - best <= within)


def _local(body: Body, point: np.ndarray) -> np.ndarray:
    """A world point (3,) in the body's frame."""
    found: np.ndarray = (point - body.position) @ axes_of(body)
    return found


def _in_core(body: Body, point: np.ndarray) -> tuple[np.ndarray, float]:
    """The core's point (3,) nearest a point of what has a radius, else the point; and how far it lies outside."""
    local = _local(body, point)
    match body.shape:
        case Sphere():
            return np.array(body.position), 0.0
        case Capsule(_, length):
            core = np.array((0.0, np.clip(local[1], -length / 2, length / 2), 0.0))
        case Rounded(sharp):
            core = truth_of(sharp).nearest(local) if truth_of(sharp).beyond(local) > 0.0 else local
        case _:
            return point, truth_of(body.shape).beyond(local)
    return axes_of(body) @ core + body.position, 0.0


def _verdict_fault(found: Analysis, truth: _Truth, slack: float) -> str:
    band = max(found.band, found.certainty.gap)
    right = {
        Verdict.SEPARATED: truth.upper > -slack,
        Verdict.TOUCHING: truth.lower <= band + slack and truth.upper >= -band - slack,
        Verdict.OVERLAPPING: truth.lower < slack,
    }[found.verdict]
    return "" if right else f"{found.verdict} at a separation within [{truth.lower:.17g}, {truth.upper:.17g}]"


def _finite(found: Analysis) -> bool:
    numbers = [np.array((found.separation, found.certainty.gap, found.band)), found.normal, found.nearest]
    numbers += [found.witness_a, found.witness_b]
    numbers += [] if found.mtv is None else [found.mtv]
    if found.contacts is not None:
        numbers += [np.append(contact.position, contact.depth) for contact in found.contacts.contacts]
    return all(bool(np.isfinite(row).all()) for row in numbers)


def _witness_error(found: Analysis, place: float) -> float:
    between = found.witness_b - found.witness_a
    off = [
        truth_of(body.shape).beyond(_local(body, point))
        for body, point in ((found.scene.a, found.witness_a), (found.scene.b, found.witness_b))
    ]
    apart = abs(float(np.linalg.norm(between)) - abs(found.separation))
    return max(0.0, max(*off, apart, abs(float(between @ found.normal) - found.separation)) - 4.0 * place)


def judge(posed: Posed) -> Judgement:
    """Analyses the scene and judges the answer."""
    scene = posed.scene
    try:
        found = analyse(scene)
    except Exception as error:
        return Judgement(
            provenance=None,
            gap=0.0,
            separation=inf,
            normal=inf,
            witness=inf,
            proved=None,
            faults=(f"raised {type(error).__name__}: {error}",),
        )
    larger = max(truth_of(scene.a.shape).size(), truth_of(scene.b.shape).size())
    extent = (larger + float(np.linalg.norm(offset_of(scene)))) or 1.0  # two points in one place have no size
    certainty = found.certainty
    if not _finite(found):
        return Judgement(
            provenance=certainty.provenance,
            gap=inf,
            separation=inf,
            normal=inf,
            witness=inf,
            proved=None,
            faults=("not finite",),
        )
    within = max(CERTIFIED * larger + EXACT * extent, certainty.gap)
    # A position is only good to its last place, and so are witness points that far out.
    place = 2.0 * EPS * farthest(scene)
    flat = isinstance(scene.a.shape, HalfSpace) or isinstance(scene.b.shape, HalfSpace)
    truth = _beyond_plane(found) if flat else _between(found, posed.direction, place, within)
    separation = max(found.separation - truth.lower, truth.upper - found.separation)
    normal = max(0.0, found.separation - truth.own)
    witness = _witness_error(found, place)
    allowed = EXACT * extent + certainty.gap
    faults = [_verdict_fault(found, truth, EXACT * extent), *(f"disagreement: {it}" for it in found.disagreements)]
    for name, error in (("separation", separation), ("normal", normal), ("witness", witness)):
        if error > allowed:
            faults.append(f"{name} off by {error / extent:.3g} (L + |T|), gap {certainty.gap / extent:.3g}")
    if certainty.provenance is Provenance.CERTIFIED and certainty.gap > CERTIFIED * larger + EXACT * extent:
        faults.append(f"certified to {certainty.gap / (larger or 1.0):.3g} L only")
    faults += contact_faults(found)
    return Judgement(
        provenance=certainty.provenance,
        gap=certainty.gap / (larger or 1.0),
        separation=max(0.0, separation) / extent,
        normal=normal / extent,
        witness=witness / extent,
        proved=truth.proved,
        faults=tuple(fault for fault in faults if fault),
    )
