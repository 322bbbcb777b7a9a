"""Every pair of shapes in every family, judged without the core's algorithms; what once failed stays right.

The bench prints the same for ten thousand pairs of each (tests/bench/accuracy.py).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from core import (
    Body,
    Box,
    Cone,
    Cylinder,
    Ellipsoid,
    Hull,
    Provenance,
    Rounded,
    Scene,
    Shape,
    Verdict,
    analyse,
)
from core.analysis.analysis import separation_of
from tests.bench import corpus, explore
from tests.bench.contact_judge import contact_faults
from tests.bench.depth import Pair
from tests.bench.families import FAMILIES, KINDS, PAIRS, Posed, posed
from tests.bench.judge import Judgement, judge
from tests.shape_truths import truth_of
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
@pytest.mark.sampled(3, "random")
def test_no_answer_is_wrong(pair: int) -> None:
    faults = []
    for family, make in enumerate(FAMILIES):
        for number in range(FIRST, FIRST + EACH):
            faults += _faults(judge(posed(pair, family, number)), f"{make.__name__} {number}")
    assert not faults


@pytest.mark.parametrize("row", range(len(corpus.ROWS)), ids=[row.__name__ for row in corpus.ROWS])
@pytest.mark.sampled(3, "random")
def test_no_answer_about_what_was_missed_once_is_wrong(row: int) -> None:
    faults = []
    for number in range(FIRST, FIRST + EACH_OF_THE_CORPUS):
        faults += _faults(judge(corpus.posed(row, number)), str(number))
    assert not faults


@pytest.mark.parametrize("row", range(len(corpus.ROWS)), ids=[row.__name__ for row in corpus.ROWS])
def test_the_corpus_has_what_its_rows_say(row: int) -> None:
    pairs = [corpus.posed(row, number).scene for number in range(40)]
    shapes = [body.shape for scene in pairs for body in (scene.a, scene.b)]
    longest = max(_aspect(shape) for shape in shapes)
    sizes = [sorted((scene.a.shape.bounding_radius, scene.b.shape.bounding_radius)) for scene in pairs]
    seen = {
        "needles": longest > 1e18,
        "flat_cones": longest > 1e10,
        "collinear": longest > 1e5,
        "sizes": max(large / max(small, 1e-30) for small, large in sizes) > 1e10,
        "far_off": max(np.abs(scene.a.position).max() for scene in pairs) > 1e7,
        "borders": sum(isinstance(shape, Rounded) for shape in shapes) > 40,
        "apexes": sum(isinstance(shape, Cone) for shape in shapes) >= 40,
        "triangles": sum(len(shape.points) == 3 for shape in shapes if isinstance(shape, Hull)) > 40,
        "rims": sum(isinstance(shape, Cone | Cylinder) for shape in shapes) >= 40,
    }
    hulls = sum(isinstance(shape, Hull) for shape in shapes)
    assert seen.get(corpus.ROWS[row].__name__, hulls >= 15)
    # And neither all apart nor all deep.
    meeting = [separation_of(scene) < 0.0 for scene in pairs[:32]]
    assert 0.05 < np.mean(meeting) <= 1.0


def _aspect(shape: Shape) -> float:
    """The largest extent along an axis of the shape's frame over the smallest, were it no flat one."""
    extents = shape.reach(np.eye(3)) + shape.reach(-np.eye(3))
    return float(extents.max() / max(extents.min(), 1e-30))


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
        for direction in directions:
            farthest = shape.support(direction)
            assert truth_of(shape).reach(direction) == pytest.approx(farthest @ direction, abs=1e-14)
            assert truth_of(shape).beyond(farthest) <= 1e-14
            assert 0.0 < truth_of(shape).beyond(farthest + 0.1 * direction) <= 0.1 + 1e-14


def test_the_judge_sees_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = posed(0, 0, 1), posed(0, 0, 3)
    wrong = replace(analyse(other.scene), scene=one.scene)
    monkeypatch.setattr("tests.bench.judge.analyse", lambda _: wrong)
    found = judge(one)
    assert found.provenance is Provenance.EXACT
    assert "separation" in {fault.split()[0] for fault in found.faults}


@pytest.mark.parametrize("kinds", [("box", "hull"), ("cone", "ellipsoid")])
def test_the_judge_sees_a_depth_that_another_direction_beats(
    kinds: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose normal proves it, so that only a better one shows."""
    found = next(
        found
        for number in range(50)
        if (found := analyse(posed(PAIRS.index(kinds), 3, number).scene)).verdict is Verdict.OVERLAPPING
    )
    normal = np.cross(found.normal, (0.6, 0.8, 0.0))
    normal /= np.linalg.norm(normal)
    worse = float(Pair(found.scene).proves(normal[None])[0])
    assert worse < 1.01 * found.separation
    proximity = replace(found.proximity, separation=worse, normal=normal)
    wrong = replace(found, answer=replace(found.answer, proximity=proximity))
    monkeypatch.setattr("tests.bench.judge.analyse", lambda _: wrong)
    assert "separation" in {fault.split()[0] for fault in judge(Posed(found.scene, normal)).faults}


def test_the_judge_encloses_depths_that_are_known() -> None:
    small, large = Body(Cylinder(0.5, 0.5)), Body(Cylinder(1.0, 1.0))
    for scene, depth in (
        (Scene(small, large), 0.75),
        (Scene(replace(small, position=(0.0, 0.1, 0.0)), large), 0.65),
        (Scene(Body(Ellipsoid((1.0, 2.0, 3.0))), Body(Ellipsoid((0.5, 1.0, 0.25)), (0.1, 0.0, 0.0))), 1.4),
    ):
        along = np.array(((1.0, 0.0, 0.0),))
        pair = Pair(scene)
        best, complete = pair.best(along)
        assert not complete
        assert best == pytest.approx(-depth, abs=1e-9)
        lower, upper = pair.enclosed(float(pair.proves(along)[0]), along, 1e-9)
        assert lower - 1e-12 <= -depth <= upper + 1e-12
        assert upper - lower <= 1e-9


def test_the_judge_sees_wrong_contacts() -> None:
    crate = Body(Box((1.0, 1.0, 1.0)))
    found = analyse(Scene(crate, replace(crate, position=(0.3, 0.9, 0.2))))
    made = found.contacts
    assert made is not None
    assert contact_faults(found) == []
    first, *others = made.contacts
    for wrong, word in (
        ((replace(first, position=np.add(first.position, (0.0, 1e-4, 0.0))), *others), "surface"),
        (tuple(replace(contact, depth=0.5 * contact.depth) for contact in made.contacts), "depth"),
        ((first, first, *others), "name"),
        ((), "missing"),
        ((first, *others[1:]), "jitter"),
    ):
        faults = contact_faults(replace(found, earlier=replace(made, contacts=wrong)))
        assert any(word in fault for fault in faults), word


def test_what_is_explored_comes_from_its_seed_and_is_judged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(explore, "EXAMPLES", 15)
    assert explore.main(["--seed", "5", "--minutes", "0.01", "--save", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "seed 5"
    assert "nothing was wrong" in said[-1]


@pytest.mark.nightly("random")
def test_what_exploring_finds_is_made_simple_and_opens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An answer that is wrong for every cone, and only there."""

    def wrong(posed: Posed) -> Judgement:
        cones = [body for body in (posed.scene.a, posed.scene.b) if isinstance(body.shape, Cone)]
        return Judgement(
            provenance=Provenance.EXACT,
            gap=0.0,
            separation=0.0,
            normal=0.0,
            witness=0.0,
            proved=None,
            faults=("cone is wrong",) if cones else (),
        )

    monkeypatch.setattr("tests.bench.explore.judge", wrong)
    monkeypatch.setattr(explore, "EXAMPLES", 30)
    assert explore.main(["--seed", "7", "--minutes", "0.02", "--save", str(tmp_path)]) == 1
    paths = sorted(tmp_path.glob("explore-7-*.json"))
    assert 1 <= len(paths) <= explore.OF_A_KIND
    scene = _scene(paths[0])
    assert Cone(1.0, 1.0) in (scene.a.shape, scene.b.shape)
    assert scene.a.position == (0.0, 0.0, 0.0)
