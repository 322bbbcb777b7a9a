"""The distance of the witness points: held against the number where the gap blurs it least, and never blind to it."""

from __future__ import annotations

import json
from math import cos, sin
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Scene
from core.analysis.analysis import analyse
from core.analysis.methods import _against_witnesses, disagreements
from core.closed_form import Proximity
from core.sat import sat as axis_tables
from core.sat.closest import ClosestAxis
from core.shapes import Rounded
from core.verdict import Sentence
from tests.shape_truths import truth_of
from tests.strategies import SCENES, read_scene, sample, sphere_box

PAIRS = sorted((SCENES / "pairs").glob("*.json"))
SHIFT = 1e-6
"""How far a witness point is moved, in units of L."""


def _contradictions(scene: Scene, shift: np.ndarray | None = None) -> tuple[Sentence, ...]:
    """The sentences about a scene without contacts, its second witness point moved by `shift` (3,)."""
    found = analyse(scene)
    answer = found.answer
    if shift is not None:
        it = answer.proximity
        moved = Proximity(it.separation, it.normal, it.witness_a, it.witness_b + shift)
        answer = replace(answer, proximity=moved)
    return disagreements(found.methods, None, answer)


def _check_mutants(scene: Scene, rng: np.random.Generator) -> None:
    found = analyse(scene)
    answer, methods = found.answer, found.methods
    larger = max(truth_of(scene.a.shape).size(), truth_of(scene.b.shape).size())
    assert answer.certainty.gap <= 1e-3 * SHIFT * larger
    assert _contradictions(scene) == ()
    for _ in range(10):
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        # Across the normal, points of cores that are apart are as far apart but for the shift's square: not these.
        if answer.proximity.separation + methods.radius <= 0.0 or abs(way @ answer.proximity.normal) > 0.1:
            said = _contradictions(scene, SHIFT * larger * way)
            assert any("witness points" in sentence.text for sentence in said)


@pytest.mark.parametrize("path", [it for it in PAIRS if it.stem.endswith(("apart", "next-triangle"))])
def test_a_witness_that_is_off_is_contradicted_where_it_was_once_hard_to_tell(path: Path) -> None:
    scene = read_scene(json.loads(path.read_text(encoding="utf-8")))
    _check_mutants(scene, np.random.default_rng(7))


def test_a_witness_that_is_off_is_contradicted() -> None:
    rng = np.random.default_rng(8)
    for scene in sample(sphere_box, 10):
        _check_mutants(scene, rng)


def test_meeting_cores_do_not_let_a_witness_slip_aside() -> None:
    scene = read_scene(json.loads((SCENES / "pairs" / "cone-on-a-box-at-a-far-face.json").read_text(encoding="utf-8")))
    found = analyse(scene).proximity
    assert found.separation < 0.0
    across = np.cross(found.normal, (0.3, 0.5, 0.8))
    assert any("off the separation" in it.text for it in _contradictions(scene, 1e-9 * across))


@pytest.mark.parametrize("along_normal", [False, True])
def test_the_gap_allows_for_every_turn_that_it_leaves(along_normal: bool) -> None:
    """Points moved out along the way d between the cores, or along a normal n that a lower bound of u - gap allows."""
    rng = np.random.default_rng(9)
    for _ in range(2000):
        u, radius = 10.0 ** rng.uniform(-6, 0), 10.0 ** rng.uniform(-3, 2)
        turn = 10.0 ** rng.uniform(-9, 0)
        d, n = np.array((1.0, 0.0, 0.0)), np.array((cos(turn), sin(turn), 0.0))
        points = u * d - radius * (n if along_normal else d)
        found = Proximity(u - radius, n, np.zeros(3), points)
        gap = u * 2.0 * sin(turn / 2) ** 2
        rounding = 1e-14 * (u + radius)
        assert _against_witnesses(found, radius, rounding + gap, gap) is None
        # Twice what is allowed, and what the turn may take off it; one near a right angle leaves a gap as large as u.
        aside = Proximity(u - radius, n, np.zeros(3), points + (6.0 * gap + 4.0 * rounding) * d)
        assert turn > 0.1 or _against_witnesses(aside, radius, rounding + gap, gap) != ""


def test_sat_without_the_closest_points_axis_contradicts_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where SAT says that its number is the distance, it is held against the answer also of bodies apart."""
    box = Rounded(Box((1.0, 1.0, 1.0)), 0.1)
    scene = Scene(Body(box), Body(box, (1.5, 1.6, 1.7)))
    assert not analyse(scene).disagreements
    lost = ClosestAxis(np.array((1.0, 0.0, 0.0)), 0.5, "A.+x→B.-x")
    monkeypatch.setattr(axis_tables, "_closest", lambda *_: lost)
    assert [it.text.count("SAT") for it in analyse(scene).disagreements] == [1]
