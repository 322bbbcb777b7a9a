"""Every pair of shapes in every family, judged without the core's algorithms; what once failed stays right.

The bench prints the same for ten thousand pairs of each (tests/bench/accuracy.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from core import Cone, Cylinder, Hull, Provenance, Rounded, Scene, Shape, analyse
from core.analysis.methods import Detail
from tests.bench import corpus
from tests.bench.definitions import beyond, reaches
from tests.bench.families import FAMILIES, KINDS, PAIRS, Posed, posed
from tests.bench.judge import Judgement, judge
from tests.oracles import reach_of
from tests.strategies import SCENES, read_scene

FIRST = 100_000
"""Numbers that the bench does not use."""
EACH = 4
EACH_OF_THE_CORPUS = 20

FAILED_ONCE = sorted((SCENES / "pairs").glob("*.json"))


def _scene(path: Path) -> Scene:
    return read_scene(json.loads(path.read_text(encoding="utf-8")))


def _faults(found: Judgement, what: str) -> list[str]:
    return [f"{what}: {fault}" for fault in found.faults]


@pytest.mark.parametrize("pair", range(len(PAIRS)), ids=[" and ".join(pair) for pair in PAIRS])
def test_no_answer_is_wrong(pair: int) -> None:
    faults = []
    for family, make in enumerate(FAMILIES):
        for number in range(FIRST, FIRST + EACH):
            faults += _faults(judge(posed(pair, family, number)), f"{make.__name__} {number}")
    assert not faults


@pytest.mark.parametrize("row", range(len(corpus.ROWS)), ids=[row.__name__ for row in corpus.ROWS])
def test_no_answer_about_what_was_missed_once_is_wrong(row: int) -> None:
    faults = []
    for number in range(FIRST, FIRST + EACH_OF_THE_CORPUS):
        faults += _faults(judge(corpus.posed(row, number)), str(number))
    # Contacts on sides that are flat to noise only are another matter: the depth is judged by itself.
    assert not [fault for fault in faults if "manifold" not in fault]


@pytest.mark.parametrize("row", range(len(corpus.ROWS)), ids=[row.__name__ for row in corpus.ROWS])
def test_the_corpus_has_what_its_rows_say(row: int) -> None:
    pairs = [corpus.posed(row, number).scene for number in range(40)]
    shapes = [body.shape for scene in pairs for body in (scene.a, scene.b)]
    longest = max(_aspect(shape) for shape in shapes)
    ratios = [scene.a.shape.bounding_radius / scene.b.shape.bounding_radius for scene in pairs]
    seen = {
        "needles": longest > 1e18,
        "flat_cones": longest > 1e10,
        "collinear": longest > 1e5,
        "sizes": max(*ratios, *(1.0 / ratio for ratio in ratios)) > 1e10,
        "far_off": max(np.abs(scene.a.position).max() for scene in pairs) > 1e7,
        "borders": sum(isinstance(shape, Rounded) for shape in shapes) > 40,
        "apexes": sum(isinstance(shape, Cone) for shape in shapes) >= 40,
        "rims": sum(isinstance(shape, Cone | Cylinder) for shape in shapes) >= 40,
    }
    hulls = sum(isinstance(shape, Hull) for shape in shapes)
    assert seen.get(corpus.ROWS[row].__name__, hulls >= 15)
    # And neither all apart nor all deep.
    meeting = [analyse(scene, detail=Detail.LIVE).separation < 0.0 for scene in pairs[:32]]
    assert 0.05 < np.mean(meeting) <= 1.0


def _aspect(shape: Shape) -> float:
    """The largest extent along an axis of the shape's frame over the smallest."""
    extents = shape.reach(np.eye(3)) + shape.reach(-np.eye(3))
    return float(extents.max() / extents.min())


@pytest.mark.parametrize("path", FAILED_ONCE, ids=lambda path: path.stem)
def test_what_failed_once_is_right_now(path: Path) -> None:
    scene = _scene(path)
    found = judge(Posed(scene, np.array((1.0, 0.0, 0.0))))
    assert found.faults == ()
    assert found.gap <= 1e-2


def test_there_are_35_pairs_and_either_shape_comes_first() -> None:
    assert len(PAIRS) == 35
    first = [type(posed(PAIRS.index(("cone", "hull")), 0, number).scene.a.shape).__name__ for number in (0, 1)]
    assert first == ["Hull", "Cone"]


def test_about_half_of_general_pairs_meet() -> None:
    meeting = [analyse(posed(k, 0, number).scene).separation < 0.0 for k in range(len(PAIRS)) for number in range(4)]
    assert 0.3 < np.mean(meeting) < 0.8


def test_the_judge_knows_the_shapes() -> None:
    rng = np.random.default_rng(1)
    for kind in range(len(KINDS) - 1):
        shape = posed(kind, 0, 1).scene.b.shape
        directions = rng.normal(size=(20, 3))
        directions /= np.linalg.norm(directions, axis=1)[:, None]
        assert reaches(shape, directions) == pytest.approx([reach_of(shape, n) for n in directions], abs=1e-14)
        for direction in directions:
            farthest = shape.support(direction)
            assert beyond(shape, farthest) <= 1e-14
            assert 0.0 < beyond(shape, farthest + 0.1 * direction) <= 0.1 + 1e-14


def test_the_judge_sees_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = posed(0, 0, 1), posed(0, 0, 3)
    wrong = replace(analyse(other.scene), scene=one.scene)
    monkeypatch.setattr("tests.bench.judge.analyse", lambda _: wrong)
    found = judge(one)
    assert found.provenance is Provenance.EXACT
    assert "separation" in {fault.split()[0] for fault in found.faults}
