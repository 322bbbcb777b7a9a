"""The hunt asks the same questions every time, proves what it reports, and finds nothing wrong with the core itself."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from math import nan

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Scene, Sphere
from core.analysis.analysis import separation_of
from core.pair.pair import PairScale, half_space_of
from core.study.differential.answers import Answer, Engine, EngineAnswer, Failed, Unsupported
from core.study.differential.classes import Kind
from core.study.differential.hunt import (
    FAMILIES,
    Finding,
    HuntProgress,
    features_of,
    hunt,
    is_concentric,
    is_degenerate,
    question,
    questions,
)
from core.study.lab.random_pair import FLAT_MAKERS
from tests.core.coal_engine import COAL, KINDS, ask_coal
from tests.core.own_engine import OURS, SPACE, ask_ours
from tests.core.study.differential.test_certificates import refutes, scene_file
from tests.shape_truths import truth_of

PLANE = tuple(FLAT_MAKERS)


def is_proved(finding: Finding) -> bool:
    """By the script of numpy alone."""
    parts = {
        "scene": scene_file.to_tree(finding.question.scene),
        "answer": finding.answer,
        "certificate": finding.certificate,
        "tolerance": finding.judgement.tolerance,
    }
    return bool(refutes(json.loads(msgspec.json.encode(parts))))


@pytest.mark.parametrize("kinds", [SPACE, PLANE])
def test_the_same_words_make_the_same_pairs(kinds: tuple[str, ...]) -> None:
    listed = list(islice(questions("coal", kinds, 7), 60))
    assert listed == list(islice(questions("coal", kinds, 7), 90))[:60]
    for one in listed:
        assert question(one.engine, kinds, one.seed, one.family, one.index) == one
    others = [list(islice(questions(name, kinds, seed), 60)) for name, seed in (("coal", 8), ("fcl", 7))]
    assert all(one.scene != other.scene for other_list in others for one, other in zip(listed, other_list, strict=True))
    assert len({one.scene for one in listed}) == 60


def of_family(family: str, count: int = 60, kinds: tuple[str, ...] = SPACE) -> list[Scene]:
    return [question("any", kinds, 3, family, index).scene for index in range(count)]


@pytest.mark.nightly("random")
def test_families_are_what_they_say() -> None:
    sizes = {
        family: [PairScale.of(scene.a, scene.b).largest_radius for scene in of_family(family)] for family in FAMILIES
    }
    assert all(map(is_concentric, of_family("concentric")))
    assert min(sizes["scales"]) < 1e-2
    assert max(sizes["scales"]) > 1e2
    for scene in of_family("far"):
        assert 999.0 < float(np.linalg.norm(scene.a.position)) < 1.01e6
    for scene, larger in zip(of_family("kissing"), sizes["kissing"], strict=True):
        assert abs(separation_of(scene)) <= 1.01e-2 * larger
    deep = [scene for scene in of_family("deep") if half_space_of(scene.a, scene.b) is None]
    assert sum(separation_of(scene) < -0.1 * truth_of(scene.a.shape).size() for scene in deep) > 0.8 * len(deep)
    general = [separation_of(scene) < 0.0 for scene in of_family("general")]
    assert 0.4 < np.mean(general) < 0.9
    bounded = [scene for scene in of_family("aligned") if half_space_of(scene.a, scene.b) is None]
    assert all(map(is_degenerate, bounded))
    near = [scene for scene in of_family("near-aligned") if half_space_of(scene.a, scene.b) is None]
    turns = [np.sort(np.abs(scene.a.pose.matrix.T @ scene.b.pose.matrix).ravel()) for scene in near]
    assert all(0.0 < turn[5] < 0.02 < 0.999 < turn[6] for turn in turns)
    flat = [
        min(size) / max(size)
        for scene in of_family("thin")
        if isinstance(scene.a.shape, Box)
        for size in (scene.a.shape.size,)
    ]
    assert max(flat) < 0.4


def test_two_half_spaces_are_never_asked_about() -> None:
    for one in islice(questions("any", ("box", "halfspace"), 1), 200):
        assert sum(body.shape.plane is not None for body in (one.scene.a, one.scene.b)) <= 1
    with pytest.raises(ValueError, match="no pair of halfspace"):
        next(questions("any", ("halfspace",)))


def classes(found: list[HuntProgress]) -> Counter[Kind]:
    return Counter(one.kind for one in found)


@pytest.mark.slow
@pytest.mark.nightly("commands")
def test_the_core_agrees_with_itself() -> None:
    assert classes(list(hunt(OURS, ask_ours, SPACE, most=900))) == {Kind.AGREES: 900}


def test_the_core_agrees_with_itself_in_the_plane_and_round_a_scene() -> None:
    assert classes(list(hunt(OURS, ask_ours, PLANE, most=150))) == {Kind.AGREES: 150}
    scene = question("any", SPACE, 3, "general", 4).scene
    assert classes(list(hunt(OURS, ask_ours, SPACE, most=60, around=scene))) == {Kind.AGREES: 60}


def test_round_a_scene_all_are_near_it() -> None:
    scene = question("any", SPACE, 3, "general", 2).scene
    larger = PairScale.of(scene.a, scene.b).largest_radius
    near = [one.scene for one in islice(questions("any", SPACE, 1, scene), 50)]
    assert len(set(near)) == 50
    for other in near:
        assert (other.a.shape.word, other.b.shape.word) == (scene.a.shape.word, scene.b.shape.word)
        assert float(np.linalg.norm(np.subtract(other.b.position, scene.b.position))) < 3.0 * larger
    assert min(float(np.abs(np.subtract(other.b.position, scene.b.position)).max()) for other in near) < 1e-5 * larger


def lying(scene: Scene) -> Answer:
    """Right but for boxes: too shallow by a tenth, and apart too near by a hundredth."""
    answer = ask_ours(scene)
    assert answer.separation is not None
    if isinstance(scene.a.shape, Sphere):
        return Unsupported("sphere")
    if not (isinstance(scene.a.shape, Box) and isinstance(scene.b.shape, Box)):
        return answer
    return replace(answer, separation=answer.separation * (0.9 if answer.separation < 0.0 else 0.99))


def test_a_planted_fault_is_found_proved_and_told_once() -> None:
    found = list(hunt(Engine("lying", "1.0"), lying, ("box", "capsule", "sphere"), most=500))
    findings = [one.found for one in found if one.found is not None]
    assert {(finding.key.shapes, finding.key.kind) for finding in findings} == {
        (("box", "box"), Kind.DEPTH_SMALL),
        (("box", "box"), Kind.DISTANCE_SMALL),
    }
    assert all(map(is_proved, findings))
    faults = sum(one.kind in (Kind.DEPTH_SMALL, Kind.DISTANCE_SMALL) for one in found)
    assert len({finding.key for finding in findings}) < len(findings) < faults
    for key in {finding.key for finding in findings}:
        severities = [finding.judgement.severity for finding in findings if finding.key == key]
        assert severities == sorted(severities)
    assert [one.asked for one in found] == list(range(1, 501))


def test_a_crash_and_a_number_that_is_none_prove_themselves() -> None:
    for answer in (Failed("crash", "SIGSEGV"), EngineAnswer(nan)):
        found = [one.found for one in hunt(OURS, lambda _, a=answer: a, ("box",), most=5) if one.found]
        assert found
        assert all(one.certificate is None and one.judgement.kind is Kind.FAILED for one in found)


def test_a_fault_without_a_proof_is_no_finding_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.study.differential.hunt.certified", lambda *_: None)
    found = list(hunt(OURS, lying, ("box",), most=60))
    assert not any(one.found for one in found)
    assert 0 < found[-1].unproved < sum(one.kind is not Kind.AGREES for one in found)


def test_it_ends_between_two_questions() -> None:
    asked: list[Scene] = []

    def ask(scene: Scene) -> Answer:
        asked.append(scene)
        return ask_ours(scene)

    found = list(hunt(OURS, ask, ("box",), going=lambda: len(asked) < 5))
    assert len(found) == len(asked) == 5
    assert [one.question for one in found] == list(islice(questions("ours", ("box",)), 5))
    running = hunt(OURS, ask, ("box",))
    next(running)
    running.close()
    assert len(asked) < 50


def test_degenerate_pairs_and_features() -> None:
    cube = Body(Box((2.0, 2.0, 2.0)))
    turned = replace(cube, position=(2.5, 0.0, 0.0)).turned((0.3, 0.4, 0.5))
    assert is_degenerate(Scene(cube, replace(cube, position=(2.5, 0.3, 0.1)).turned((0.7, 0.0, 0.0))))
    assert not is_degenerate(Scene(cube, turned))
    assert is_degenerate(Scene(cube, replace(turned, position=(0.0, 0.0, 0.0))))
    assert features_of(Scene(cube, turned), np.array((1.0, 0.0, 0.0))) == ("face", "vertex")


@pytest.mark.slow
@pytest.mark.nightly("random")
def test_coals_faults_are_found_and_proved() -> None:
    coal = pytest.importorskip("coal", reason="Coal has no wheel for Windows")
    found = list(hunt(COAL, lambda scene: ask_coal(coal, scene), KINDS, most=600))
    findings = [one.found for one in found if one.found is not None]
    assert (("cylinder", "sphere"), Kind.DEPTH_LARGE) in {(one.key.shapes, one.key.kind) for one in findings}
    assert all(map(is_proved, findings))
    assert classes(found)[Kind.AGREES] > 0.85 * len(found)
