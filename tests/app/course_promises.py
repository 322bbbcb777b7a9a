"""What the notes of the presets claim that the lessons' shelves begin with, as `test_presets.py` holds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import sqrt

import numpy as np
from msgspec.structs import replace
from scipy.spatial import ConvexHull

from app.io.scene_file import read, write
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import Analysis, analyse
from core.query.query import Phase, query
from core.sat.sat import AxisKind, AxisStatus
from core.verdict import Provenance


def labels(a) -> set[str]:
    return {a.sat.candidates[row].label for row in (a.sat.winner, *a.sat.ties)}


def kind(a) -> AxisKind:
    return a.sat.candidates[a.sat.winner].kind


def separating(a) -> list[str]:
    return [
        candidate.label
        for candidate, status in zip(a.sat.candidates, a.sat.statuses, strict=True)
        if status is AxisStatus.SEPARATING
    ]


def directions(a) -> list[np.ndarray]:
    """The lines among the axes that have a direction."""
    found: list[np.ndarray] = []
    for axis, status in zip(a.sat.axes, a.sat.statuses, strict=True):
        if status is not AxisStatus.DEGENERATE and all(abs(axis @ other) < 1.0 - 1e-9 for other in found):
            found.append(axis)
    return found


def corners_of_difference(a) -> tuple[int, int]:
    """How many differences of vertices there are, and how many of them are corners of their hull, by Qhull."""
    points_a, points_b = (body.pose.to_world(body.shape.core.points)[:, :2] for body in (a.scene.a, a.scene.b))
    points = (points_a[:, None] - points_b).reshape(-1, 2)
    return len(points), len(ConvexHull(points).vertices)


def share_of_a_turn(a) -> float:
    """Of B about its position: in which it overlaps A."""
    tree = json.loads(write(a.scene, None))
    scenes = [read(json.dumps(tree | {"b": tree["b"] | {"rotation": k * np.pi / 90.0}})).scene for k in range(180)]
    return sum(analyse(scene).separation < 0.0 for scene in scenes) / len(scenes)


def bounds_of(a, phase: Phase, name: str) -> list[float]:
    """The bounds at the steps of a phase that have them."""
    steps = [moment.step for moment in query(a).moments if moment.phase is phase]
    return [bound for step in steps if (bound := getattr(step, name)) is not None]


def contacts(a) -> int:
    return len(a.contacts.contacts)


def kept_contacts(a) -> int:
    """How many are left by reduction."""
    return len(query(a, AlgorithmSettings(reduce=True)).manifold.contacts)


def new_points(a) -> int:
    """Contacts that are no vertex of either body."""
    corners = np.concatenate([body.pose.to_world(body.shape.core.points) for body in (a.scene.a, a.scene.b)])
    found = [np.array(contact.position)[[0, 2]] for contact in a.contacts.contacts]
    return sum(np.abs(corners[:, [0, 2]] - at).max(axis=1).min() > 1e-9 for at in found)


def lifted(a) -> Analysis:
    x, y, z = a.scene.b.position
    return analyse(replace(a.scene, b=replace(a.scene.b, position=(x, y + 0.04, z))))


PROMISES_OF_THE_COURSE: dict[str, Callable[[Analysis], bool]] = {
    "flat-one-gap": lambda a: (
        np.isclose(a.separation, 0.355371, atol=1e-6) and separating(a) == ["A.edge1"] and len(a.sat.candidates) == 7
    ),
    "flat-late-gap": lambda a: np.isclose(a.separation, 0.1 * sqrt(2.0)) and separating(a) == ["B.edge1", "B.edge3"],
    "flat-repeated-axes": lambda a: np.isclose(a.separation, 0.5) and len(directions(a)) == 2 and len(a.sat.axes) == 8,
    "flat-nine-points": lambda a: np.isclose(a.separation, 0.5 * sqrt(5.0)) and corners_of_difference(a) == (9, 6),
    "flat-turn-in-place": lambda a: np.isclose(a.separation, 0.264999, atol=1e-6) and 0.3 < share_of_a_turn(a) < 0.35,
    "flat-triangle-circle": lambda a: (
        np.isclose(a.separation, 0.697798, atol=1e-6)
        and [candidate.kind for candidate in a.sat.candidates].count(AxisKind.CENTRES) == 1
        and len(a.sat.candidates) == 4
    ),
    "flat-two-circles": lambda a: np.isclose(a.separation, sqrt(3.2) - 1.3) and len(a.sat.candidates) == 1,
    "flat-gjk-walk": lambda a: (
        np.allclose(bounds_of(a, Phase.GJK, "upper"), [0.994, 0.667, 0.312, 0.309], atol=5e-4)
        and np.isclose(a.separation, 0.308834, atol=1e-6)
    ),
    "flat-epa-growth": lambda a: (
        np.allclose(bounds_of(a, Phase.EPA, "lower"), [0.383, 0.509, 1.129, 1.133], atol=5e-4)
        and np.isclose(a.separation, -1.132675, atol=1e-6)
    ),
    "parallel-bars": lambda a: (
        np.isclose(a.separation, 0.15)
        and len(directions(a)) == 3
        and a.sat.statuses.count(AxisStatus.DEGENERATE) == 3
        and len(a.difference.core.faces) == 6
    ),
    "tetrahedra-cross": lambda a: (
        np.isclose(a.separation, -0.415167, atol=1e-6)
        and kind(a) is AxisKind.EDGES
        and len(a.sat.candidates) == 14
        and a.gjk.iterations == 4
    ),
    "ellipsoids-overlapping": lambda a: (
        np.isclose(a.separation, -0.672043, atol=1e-6)
        and a.certainty.provenance is Provenance.CERTIFIED
        and a.epa.iterations == 62
    ),
    "cube-on-corner": lambda a: np.isclose(a.separation, -0.075442, atol=1e-6) and contacts(a) == 1,
    "cube-flat": lambda a: np.isclose(a.separation, -0.02) and contacts(a) == 4 and new_points(a) == 0,
    "cube-over-rim": lambda a: np.isclose(a.separation, -0.02) and contacts(a) == 4 and new_points(a) == 2,
    "squares-turned": lambda a: np.isclose(a.separation, -0.02) and contacts(a) == 8 and kept_contacts(a) == 4,
    "capsules-crossed": lambda a: np.isclose(a.separation, 0.120567, atol=1e-6) and "A.axis×B.axis" in labels(a),
    "past-the-middle": lambda a: np.isclose(a.separation, -0.33) and a.normal[1] == -1.0 and lifted(a).normal[1] == 1.0,
    "near-tie": lambda a: (
        labels(a) == {"A.z×B.z"}
        and np.allclose(np.sort(a.sat.separations)[[-1, -2]], (-0.481509, -0.481530), atol=1e-6)
        and a.sat.candidates[int(np.argsort(a.sat.separations)[-2])].kind is AxisKind.FACE_B
    ),
}
