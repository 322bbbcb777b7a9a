"""What a finding is filed under, and when another scene shows the same fault: each part by its definition."""

from __future__ import annotations

from collections import Counter
from math import floor, isnan, log10, nan

import numpy as np
import pytest
from msgspec.structs import replace

from core import Body, Box, Capsule, Scene, Sphere
from core.analysis.brief import distance_of
from core.geometry.quaternion import from_axis_angle
from core.pair.pair import PairScale
from core.study.differential.answers import Answer, Engine, EngineAnswer, EngineContact, Failed, NotAsked, Unsupported
from core.study.differential.classes import Kind, Truth, judge
from core.study.differential.hunt import features_of, hunt, is_concentric, is_degenerate, question
from core.study.differential.numbers import digits_of, numbers_left
from core.study.differential.shrink import SameFault, shrunk
from tests.core.own_engine import ask_ours

LIAR = Engine("liar", "2.1")


def lying(scene: Scene) -> EngineAnswer:
    """A part of every depth is missing, more in some pairs than in others."""
    answer = ask_ours(scene)
    assert answer.separation is not None
    part = 0.5 + 0.4 * float(np.sin(1e3 * scene.b.position[0]))
    return replace(answer, separation=part * answer.separation) if answer.separation < 0.0 else answer


def test_a_finding_is_filed_under_shapes_and_features_in_one_order_its_size_and_its_engine() -> None:
    found = list(hunt(LIAR, lying, ("box", "capsule"), most=48, of=("general", "kissing")))
    best: dict[object, float] = {}
    turned = 0
    for progress in found:
        one = progress.found
        if one is None:
            continue
        scene, key = one.question.scene, one.key
        assert (one.question, one.answer) == (progress.question, progress.answer)
        words = scene.a.shape.word, scene.b.shape.word
        features = features_of(scene, distance_of(scene).normal)
        if words[0] > words[1]:
            words, features = words[::-1], features[::-1]
            turned += features[0] != features[1]
        assert (key.engine, key.version, key.shapes) == ("liar", "2.1", words)
        assert (key.kind, key.failure, key.title) == (Kind.DEPTH_SMALL, "", "depth too small")
        assert key.features == features
        assert key.degenerate == is_degenerate(scene)
        severity = one.judgement.severity
        assert key.power == floor(log10(severity))
        # In units of L: how much of the depth is missing.
        missing = one.judgement.error / PairScale.of(scene.a, scene.b).largest_radius
        assert 0.0 < severity <= missing + 1e-12
        assert severity > best.get(key, 0.0)
        best[key] = severity
    assert turned
    assert len({key.power for key in best}) >= 2


@pytest.mark.parametrize("kind", ["crash", "hang", "garbage"])
def test_a_failure_is_filed_under_its_kind_and_told_once(kind: str) -> None:
    answer = Failed(kind, "words")
    found = [one.found for one in hunt(LIAR, lambda _: answer, ("sphere",), most=40) if one.found is not None]
    keys = Counter(one.key for one in found)
    assert set(keys.values()) == {1}
    for key in keys:
        assert (key.kind, key.failure, key.title, key.power) == (Kind.FAILED, kind, kind, 0)
        assert key.features == ("surface", "surface")
        assert key.shapes == ("sphere", "sphere")
    # Concentric or not is all that tells two of them apart: a ball's own turn is seen in its axes.
    assert len(keys) <= 2


def test_what_was_not_asked_or_refused_counts_and_is_no_finding() -> None:
    for answer, kind in ((NotAsked("start", "none"), Kind.NOT_ASKED), (Unsupported("box"), Kind.UNSUPPORTED)):
        found = list(hunt(LIAR, lambda _, a=answer: a, ("box",), most=12))
        assert [one.asked for one in found] == list(range(1, 13))
        assert {(one.kind, one.found, one.unproved) for one in found} == {(kind, None, 0)}
        assert all(one.answer is answer for one in found)


def test_an_engines_own_number_is_its_separation_else_its_deepest_contact() -> None:
    contacts = (
        EngineContact((0.0, 0.0, 0.0), 0.25),
        EngineContact((1.0, 0.0, 0.0), -0.5),
        EngineContact((2.0, 0.0, 0.0)),
    )
    for answer, signed in (
        (EngineAnswer(0.125, contacts=contacts), 0.125),
        (EngineAnswer(contacts=contacts), -0.5),
        (EngineAnswer(contacts=contacts[2:]), None),
        (EngineAnswer(0.0), 0.0),
        (EngineAnswer(), None),
    ):
        assert answer.signed == signed
    judged = judge(
        Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (1.5, 0.0, 0.0))),
        Truth.of(distance_of(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (1.5, 0.0, 0.0))))),
        Engine("contacts"),
        EngineAnswer(contacts=contacts),
    )
    assert judged.kind is Kind.AGREES
    assert judged.error == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("share", "expected"), [(0.5, True), (2.0, False)])
def test_centres_coincide_and_axes_are_parallel_to_a_billionth(share: float, expected: bool) -> None:
    """Of the larger body's size, and of the sine between axes of one kind or another."""
    box = Box((2.0, 4.0, 4.0))
    askew = from_axis_angle((1.0, 2.0, 3.0), 0.7)
    for a, b in ((Sphere(0.5), box), (box, Sphere(0.5))):
        scene = Scene(Body(a), Body(b, (share * 1e-9 * 3.0, 0.0, 0.0), askew))
        assert is_concentric(scene) is expected
        assert is_degenerate(scene) is expected
    for quarter in (0.0, np.pi / 2):
        turn = from_axis_angle((0.3, 1.0, 0.2), 0.0) if not quarter else from_axis_angle((0.0, 1.0, 0.0), quarter)
        scene = Scene(Body(box), Body(box, (5.0, 1.0, 1.0), turn))
        by = share * 1e-9 * np.array((1.0, 1.0, 1.0)) / 2.0**0.5
        assert is_degenerate(replace(scene, b=scene.b.turned(tuple(by.tolist())))) is expected


def condition(scene: Scene, ask: object = lying) -> SameFault:
    truth = Truth.of(distance_of(scene))
    return SameFault.of(LIAR, ask, scene, truth, judge(scene, truth, LIAR, ask(scene)))


def balls(x: float, radius: float = 0.5) -> Scene:
    return Scene(Body(Sphere(1.0)), Body(Sphere(radius), (x, 0.0, 0.0)))


def half(scene: Scene) -> EngineAnswer:
    answer = ask_ours(scene)
    return replace(answer, separation=0.5 * answer.separation)


def test_another_scene_shows_the_same_fault_where_every_part_of_it_is_the_same() -> None:
    same = condition(balls(0.5), half)
    assert (same.concentric, same.features, same.judgement.kind) == (False, ("surface", "surface"), Kind.DEPTH_SMALL)
    assert same.depth == pytest.approx(-1.0)
    assert same(balls(0.5))
    assert same(balls(0.25))
    # As deep in units of the larger body to a factor of 2.5, on the same side, and nearly as bad.
    for depth, expected in ((0.41, True), (0.39, False)):
        assert same(balls(1.5 - depth)) is expected
    assert not same(balls(2.0))
    assert not same(balls(0.0))
    assert condition(balls(0.0), half)(balls(0.0))
    assert condition(balls(0.0), half)(balls(0.01))
    # The same depth at another feature, or another class of fault.
    assert not same(Scene(Body(Sphere(1.0)), Body(Box((1.0, 1.0, 1.0)), (0.5, 0.0, 0.0))))
    deeper = replace(same, ask=lambda scene: replace(half(scene), separation=2.0 * ask_ours(scene).separation))
    assert not deeper(balls(0.5))
    milder = replace(same, ask=lambda scene: replace(half(scene), separation=0.85 * ask_ours(scene).separation))
    assert not milder(balls(0.5))
    crash = replace(
        same,
        ask=lambda _: Failed("crash", ""),
        judgement=replace(same.judgement, kind=Kind.FAILED, failure="hang", severity=0.0),
    )
    assert not crash(balls(0.5))
    assert replace(crash, ask=lambda _: Failed("hang", ""))(balls(0.5))


def test_shrinking_counts_its_questions_and_keeps_the_simplest_scene() -> None:
    scene = question("any", ("box", "capsule"), 3, "general", 5).scene
    asked: list[Scene] = []

    def still(other: Scene) -> bool:
        asked.append(other)
        return distance_of(other).separation < 0.0

    start = (
        scene if distance_of(scene).separation < 0.0 else replace(scene, b=replace(scene.b, position=scene.a.position))
    )
    for most in (0, 1, 7, 200):
        asked.clear()
        found = shrunk(start, still, most)
        assert found.calls == len(asked) <= most
        assert found.numbers_left == numbers_left(found.scene)
        taken = [other for other in asked if distance_of(other).separation < 0.0]
        assert found.scene == (taken[-1] if taken else start)
        counts = [digits_of(other) for other in (start, *taken)]
        assert counts == sorted(set(counts), reverse=True)
    assert most == 200
    assert digits_of(found.scene) < 0.5 * digits_of(start)


def test_a_judgement_of_a_number_has_its_difference_and_share() -> None:
    scene = balls(1.0)
    truth = Truth.of(distance_of(scene))
    for off in (0.25, -0.25):
        answer: Answer = EngineAnswer(truth.separation + off, tuple(truth.normal.tolist()))
        found = judge(scene, truth, LIAR, answer)
        assert found.kind is (Kind.DEPTH_SMALL if off > 0.0 else Kind.DEPTH_LARGE)
        assert (found.error, found.share) == (pytest.approx(off), pytest.approx(0.5))
        assert found.severity == pytest.approx(0.25, abs=1e-5)
        assert not found.opposite
        assert isnan(found.off)
    turned = judge(scene, truth, LIAR, EngineAnswer(truth.separation, (-1.0, 0.0, 0.0)))
    assert (turned.kind, turned.opposite) == (Kind.WRONG, True)
    assert turned.proves == pytest.approx(-2.5)
    assert judge(scene, truth, LIAR, EngineAnswer(nan)).failure == "not finite"
    lying_capsule = Scene(Body(Capsule(0.5, 1.0)), Body(Sphere(0.5), (2.0, 0.0, 0.0)))
    near = Truth.of(distance_of(lying_capsule))
    for off, kind in ((0.25, Kind.DISTANCE_LARGE), (-0.25, Kind.DISTANCE_SMALL), (-1.25, Kind.FALSE)):
        assert judge(lying_capsule, near, LIAR, EngineAnswer(near.separation + off, (1.0, 0.0, 0.0))).kind is kind
