"""The contact policies by name, and the axis of the SAT table on which each builds a manifold.

Engines prefer faces to edges: of two boxes, a face contact has up to eight points and an edge contact one, so a stack
that flickers between both shakes. The price of the preference is a depth that is not the least: ODE's is more than 1 %
too deep in 8 % of pairs. The reported depth of a pair does not depend on the policy; the policy is for the manifold
only.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from math import radians

import numpy as np
from msgspec.structs import replace

from ...geometry.elementary import cos
from ...geometry.vector import Array, dots
from ...minkowski.plane import MinkowskiPolygon, NearestPoint
from ...pair.candidate_axes import AxisKind
from ...pair.cores import FlatCore
from ...sat.table import SatTable
from ...scene import Body
from ...trace import Steps
from ..contact import ContactSettings, Manifold, ManifoldStep
from ..manifold import has_manifold
from .box2d import box2d_2_steps, box2d_steps
from .chipmunk import chipmunk_steps
from .dyn4j import dyn4j_steps
from .exact import clips, exact_manifold
from .plane import contact_steps_of

ODE_FACTOR = 1.05
"""ODE, FCL and Bullet: an edge pair wins if this many times its overlap is less than the best face's."""

MUJOCO_ANGLE = radians(8.0)
"""MuJoCo: the face whose normal is nearest to the winning edge axis is taken instead, if within this angle."""

BOX3D_SLOP = 0.005
"""Box3D's linear slop, in metres: an edge pair wins if its separation exceeds that of the face's deepest clipped point
by more than this.

`B3_LINEAR_SLOP` in include/box3d/constants.h, as `b3CollideHulls` in src/convex_manifold.c takes it (erincatto/box3d,
commit 30c67b5 of 2026-08-12). In the release 0.1.0 it was 0.9 of the face's depth and half the slop."""


NARROW_ALPHA = 1.6e-3
"""α of the policy `narrow`, radians: MuJoCo's for two edges."""


class ContactPolicy(StrEnum):
    """The policies by which contacts are made; most have the name of the engine whose rule they follow."""

    # PhysX's rules, and how Bullet and Box3D clip, are not implemented here.
    TOLERANT = "tolerant"
    """The default, defined in `manifold`: nearly flat parts are flat, and nearly touching places are contacts."""
    NARROW = "narrow"
    """The same with an α of NARROW_ALPHA."""
    EXACT = "exact"
    """Clipping along the answer's own normal: only parts that are level up to rounding count as flat."""
    JOLT = "Jolt"
    ODE = "ODE, FCL, Bullet"
    BOX3D = "Box3D"
    MUJOCO = "MuJoCo"
    BOX2D = "Box2D"
    BOX2D_2 = "Box2D 2.4"
    DYN4J = "dyn4j"
    CHIPMUNK = "Chipmunk"


BY_OVERLAP_REGION = (ContactPolicy.TOLERANT, ContactPolicy.NARROW)
"""Policies whose contacts are the overlap region's corners; the others pair one face or edge of each body."""

PlaneRule = Callable[[Body, Body, MinkowskiPolygon, NearestPoint, float], Steps[ManifoldStep, Manifold]]
"""A function that yields the steps of a policy in the plane. Its arguments are both bodies, their difference, the
boundary point of the difference nearest the origin, and the speculative distance in scene units."""

PLANE_RULES: dict[ContactPolicy, PlaneRule] = {
    ContactPolicy.EXACT: contact_steps_of,
    ContactPolicy.BOX2D: box2d_steps,
    ContactPolicy.BOX2D_2: box2d_2_steps,
    ContactPolicy.DYN4J: dyn4j_steps,
    ContactPolicy.CHIPMUNK: chipmunk_steps,
}
"""The rules that clip edges in the plane, by policy."""

POLICIES = {
    2: (*BY_OVERLAP_REGION, *PLANE_RULES),
    3: (
        *BY_OVERLAP_REGION,
        *(ContactPolicy(name) for name in ("exact", "Jolt", "ODE, FCL, Bullet", "Box3D", "MuJoCo")),
    ),
}
"""The policies by dimension, 2 or 3; an engine's policy is in the dimension of the engine's bodies."""

WORLDS = {2: "the plane", 3: "space"}
"""The names of the dimensions."""


def refusal(preference: ContactPolicy, a: Body, b: Body) -> str:
    """One sentence on why a policy has no contacts of two bodies, whatever their poses; empty if it has."""
    dimension = a.shape.dimension
    if preference not in POLICIES[dimension]:
        theirs = next(WORLDS[other] for other in POLICIES if preference in POLICIES[other])
        choices = ", ".join(policy.value for policy in POLICIES[dimension])
        return f"{preference} makes contacts in {theirs}; in {WORLDS[dimension]} the policies are {choices}."
    if not has_manifold(a, b):
        return "Two half-spaces have no contacts."
    if preference is ContactPolicy.DYN4J and any(_bordered(body) for body in (a, b)):
        return "dyn4j has no polygons with a border."
    if preference not in (*BY_OVERLAP_REGION, ContactPolicy.JOLT) and not clips(a, b):
        return f"{preference} has no contacts for cylinders, cones and ellipsoids."
    return ""


def _bordered(body: Body) -> bool:
    flat = FlatCore.of(body.shape)
    return flat.radius > 0.0 and len(flat.normals) > 0


def settings_for(preference: ContactPolicy, settings: ContactSettings) -> ContactSettings:
    """The settings with the policy's own α, if it is `narrow`; unchanged for the others."""
    return replace(settings, alpha=NARROW_ALPHA) if preference is ContactPolicy.NARROW else settings


def preferred_row(a: Body, b: Body, table: SatTable, preference: ContactPolicy) -> int:
    """The table's row on whose axis the manifold is built: the winner, or a face that the policy prefers to edges."""
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
