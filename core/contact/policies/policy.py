"""The policies by name, and the axis of the table that each builds a manifold on: engines prefer faces to edges.

A face contact has up to eight points and an edge contact one, so a stack of boxes that flickers between them shakes.
The price of the preference is a depth that is not the least: ODE's is more than 1 % too deep in 8 % of pairs. The
reported depth of a pair does not depend on the policy; the policy is for the manifold only.
"""

from __future__ import annotations

from enum import StrEnum
from math import radians

import numpy as np
from msgspec.structs import replace

from ...geometry.elementary import cos
from ...geometry.vector import Array, dots
from ...pair.candidate_axes import AxisKind
from ...sat.table import SatTable
from ...scene import Body
from ..contact import ContactSettings
from .exact import exact_manifold

ODE_FACTOR = 1.05
"""ODE, FCL and Bullet: an edge pair must overlap by 5 % less than the best face to win."""

MUJOCO_ANGLE = radians(8.0)
"""MuJoCo: a face whose normal lies within this of the winning edge axis stands in for it."""

BOX3D_SLOP = 0.005
"""Box3D's linear slop, in metres: an edge pair must be this much better than the face's deepest clipped point.

`B3_LINEAR_SLOP` in include/box3d/constants.h, as `b3CollideHulls` in src/convex_manifold.c takes it (erincatto/box3d,
commit 30c67b5 of 2026-08-12). In the release 0.1.0 it was 0.9 of the face's depth and half the slop."""


NARROW_ALPHA = 1.6e-3
"""α of the policy `narrow`, radians: MuJoCo's for two edges."""


class ContactPolicy(StrEnum):
    """The policies by which contacts are made, most named by the engine whose rule they follow."""

    # PhysX, Box2D, and how Bullet and Box3D clip, are left out: their rules are not rebuilt from their source.
    TOLERANT = "tolerant"
    """The default, as `manifold` defines it: nearly flat parts are flat, nearly touching places are contacts."""
    NARROW = "narrow"
    """The same with an α of NARROW_ALPHA."""
    EXACT = "exact"
    """Clipping along the answer's own normal: only parts that are level up to rounding are flat."""
    JOLT = "Jolt"
    ODE = "ODE, FCL, Bullet"
    BOX3D = "Box3D"
    MUJOCO = "MuJoCo"


BY_OVERLAP_REGION = (ContactPolicy.TOLERANT, ContactPolicy.NARROW)
"""Policies whose contacts are the overlap region's corners; the others clip faces, along an axis that they choose."""

POLICIES = {
    2: (ContactPolicy.TOLERANT, ContactPolicy.NARROW, ContactPolicy.EXACT),
    3: tuple(ContactPolicy),
}
"""The policies that differ, by dimension: in the plane there is one way to clip."""


def settings_for(preference: ContactPolicy, settings: ContactSettings) -> ContactSettings:
    """The tolerances under a policy of BY_OVERLAP_REGION."""
    return replace(settings, alpha=NARROW_ALPHA) if preference is ContactPolicy.NARROW else settings


def preferred_row(a: Body, b: Body, table: SatTable, preference: ContactPolicy) -> int:
    """The row of the axis that the manifold is built on: the winner, unless a face is preferred to winning edges."""
    winner = table.winner
    kinds = [candidate.kind for candidate in table.candidates]
    faces = np.array([k for k, kind in enumerate(kinds) if kind in (AxisKind.FACE_A, AxisKind.FACE_B)], dtype=np.int64)
    by_answer = (ContactPolicy.EXACT, ContactPolicy.JOLT, *BY_OVERLAP_REGION)
    if preference in by_answer or kinds[winner] is not AxisKind.EDGES or not len(faces):
        return winner
    best = int(faces[np.argmax(table.separations[faces])])
    if preference is ContactPolicy.ODE:
        return winner if table.separation * ODE_FACTOR > table.separations[best] else best
    if preference is ContactPolicy.MUJOCO:
        cosines = np.abs(dots(table.axes[faces], table.axes[winner]))
        return int(faces[np.argmax(cosines)]) if cosines.max() >= cos(MUJOCO_ANGLE) else winner
    contacts = exact_manifold(a, b, axis_normal(table, best)).contacts
    clipped = -max((contact.depth for contact in contacts), default=np.inf)
    return winner if table.separation > clipped + BOX3D_SLOP else best


def axis_normal(table: SatTable, row: int) -> Array:
    """The axis of a row as a normal (3,), from A to B."""
    normal: Array = table.sides[row] * table.axes[row]
    return normal
