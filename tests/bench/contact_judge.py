"""How wrong contacts are, by each surface's own formula: on both bodies, as deep as these overlap, and no jitter."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from core import Analysis, HalfSpace, Provenance, Scene, Verdict
from core.analysis.analysis import LIMITED, analyse
from core.geometry.quaternion import from_axis_angle, multiply, normalized
from tests.core.contact_oracle import off_surface
from tests.oracles import farthest, offset_of
from tests.shape_truths import truth_of
from tests.strategies import moved, triple

from .depth import EPS

OFF_SURFACE = 2e-6
"""How far off a surface a contact may be, in units of L."""
OFF_DEPTH = 1e-6
"""How far the deepest contact may be from the depth, in units of L."""
NUDGE = 1e-13
"""What must not change how many contacts there are: a turn in radians, and a move in units of L."""
THINNEST = 1e-6
"""How large a nudge may be in units of the thinnest extent of either body: a larger one is none."""
ONE_PLACE = 2e-5
"""Contacts this close count as one, in units of L: where shadows meet in a corner, tolerances have made the second."""
SAME_NORMAL = 1e-9
"""Where the normal turns by more than this with a nudge it is that which jumps, not the contacts."""


def contact_faults(found: Analysis) -> list[str]:
    """What is plainly wrong about the contacts, in words."""
    made = found.contacts
    if made is None or found.verdict is Verdict.SEPARATED:
        return ["contacts of what is apart"] if made is not None and made.contacts else []
    if not made.contacts:
        return ["contacts are missing"]
    scene = found.scene
    larger, extent = _sizes(scene)
    place = 4.0 * EPS * (extent + farthest(scene))
    slack = found.certainty.gap + place
    depths = np.array([contact.depth for contact in made.contacts])
    off = max(
        abs(off_surface(body, contact.position + side * contact.depth * made.normal))
        for contact in made.contacts
        for body, side in ((scene.a, 0.5), (scene.b, -0.5))
    )
    faults = []
    if off > OFF_SURFACE * larger + slack:
        faults.append(f"contacts {off / larger:.3g} L off a surface")
    if (wrong := abs(float(depths.max()) + found.separation)) > OFF_DEPTH * larger + slack:
        faults.append(f"contacts are {wrong / larger:.3g} L off the depth")
    if len({contact.name for contact in made.contacts}) < len(depths):
        faults.append("contacts share a name")
    return [*faults, *_jitter(found)]


def _sizes(scene: Scene) -> tuple[float, float]:
    """L, of two points 1, and L + |T|."""
    larger = max(truth_of(scene.a.shape).size(), truth_of(scene.b.shape).size()) or 1.0
    return larger, larger + float(np.linalg.norm(offset_of(scene)))


def _jitter(found: Analysis) -> list[str]:
    """Whether a nudge of B changes the count, though neither the normal nor what is known of it."""
    scene = found.scene
    larger, extent = _sizes(scene)
    step = max(NUDGE * larger, 8.0 * EPS * extent)
    if found.certainty.provenance is Provenance.BOUND or step > THINNEST * _thinnest(scene):
        return []
    rng = np.random.default_rng(1)
    turn = from_axis_angle(triple(rng.normal(size=3)), NUDGE)
    b = replace(moved(scene.b, step * rng.normal(size=3)), rotation=normalized(multiply(turn, scene.b.rotation)))
    again = analyse(replace(scene, b=b), LIMITED)
    same = again.verdict is found.verdict and float(np.linalg.norm(again.normal - found.normal)) <= SAME_NORMAL
    places = [_places(it) for it in (found, again)]
    counts = [_count(rows, ONE_PLACE * larger) for rows in places]
    if not same or counts[0] == counts[1] or _off(*places) <= ONE_PLACE * larger:
        return []
    return [f"jitter: {counts[0]} contacts, {counts[1]} after a nudge"]


def _places(found: Analysis) -> np.ndarray:
    """Where the contacts are (k, 3)."""
    contacts = () if found.contacts is None else found.contacts.contacts
    return np.array([contact.position for contact in contacts]).reshape(-1, 3)


def _off(first: np.ndarray, second: np.ndarray) -> float:
    """How far the loneliest place of either is from the other ones' nearest (Hausdorff); of a patch about as wide as
    one place, how many are counted depends on their order and on rounding, but none is lonely.
    """
    if not (len(first) and len(second)):
        return float("inf")
    apart = np.linalg.norm(first[:, None] - second, axis=2)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


def _thinnest(scene: Scene) -> float:
    """The smallest extent along an axis of a body that is bounded."""
    sides = np.vstack((np.eye(3), -np.eye(3)))
    bounded = [body.shape for body in (scene.a, scene.b) if not isinstance(body.shape, HalfSpace)]
    extents = [truth_of(shape).reaches(sides) for shape in bounded]
    return float(min((it[:3] + it[3:]).min() for it in extents))


def _count(rows: np.ndarray, one: float) -> int:
    """How many of the places (k, 3) are more than `one` apart."""
    places: list[np.ndarray] = []
    for row in rows:
        if all(float(np.linalg.norm(row - place)) > one for place in places):
            places.append(row)
    return len(places)
