"""The sub-steps: each step has its own, in order, each with a short sentence and a picture that tells nothing early."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, product

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.overlays.context import Context
from app.stages import at_its_step, parts_of, spec_of, stage_of, step_text
from app.stages.contacts.cut import Cut
from app.stages.epa.pictures import EpaPictures as Expansion
from app.stages.gjk.pictures import plane_regions
from app.stages.stage import At, SubStep
from app.state.view import View
from app.words.contact_words import contact_numbers
from app.words.digits import Digits, written_with
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.contact.contact import CutStep, LevelStep, ReduceStep
from core.contact.policies.policy import ContactPolicy
from core.geometry.vector import Array
from core.gjk.gjk import GjkStop
from core.pair.support import Difference
from core.query.query import Moment, Phase, Query, query

from .point_oracle import corners, name_of, points_of

SHOWN = (
    *("skew-edges", "two-hulls", "capsule-box-edge", "tunnelling", "face-touch", "coincident-centres", "two-spheres"),
    *("ellipsoids", "fcl-545", "flat-third-point", "flat-inside", "flat-worked-example", "flat-circle-corner"),
)
DIVIDED = (Phase.GJK, Phase.EPA, Phase.MPR)
NAMED = re.compile(r"w[₀-₉]+")
FOUND = ("nearest", "direction", "support A", "support B")
"""GJK's sub-steps before w is known."""


@cache
def asked(name: str) -> Query:
    return query(analyse(load_preset(name).scene), AlgorithmSettings(mpr=True))


def divided(name: str) -> list[tuple[Moment, tuple[SubStep, ...]]]:
    found = asked(name)
    return [(moment, parts_of(found, moment)) for moment in found.moments if moment.phase in DIVIDED]


def drawn(name: str, moment: Moment, part: SubStep, progress: float = 1.0) -> tuple[DrawList, DrawList]:
    """What the part alone draws in the world and in the difference."""
    found = asked(name)
    place, scene = found.moments.index(moment), found.analysis.scene
    context = Context(scene, found.analysis, View(), DARK, found, place, part=part.name, progress=progress)
    world, difference = DrawList(), DrawList()
    part.world(context, world)
    part.difference(context, difference)
    return world, difference


def places(draw: DrawList) -> Array:
    """Every point that is drawn or named, (n, 3)."""
    found = [marks.points for marks in draw.marks]
    found += [end for lines in draw.segments for end in (lines.start, lines.end)]
    found += [label.point.reshape(1, 3) for label in draw.labels]
    return np.concatenate([np.zeros((0, 3)), *found])


def vertices(found: Query, index: int) -> Array:
    """The core's points of a body, relative to A's position."""
    scene = found.analysis.scene
    body = scene.body(index)
    return body.pose.to_world(body.shape.core.points) - np.array(scene.a.position)


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.sampled(3, "scenes")
def test_every_step_has_its_sub_steps_in_order_each_with_a_short_sentence(name: str) -> None:
    steps = divided(name)
    assert steps
    for moment, parts in steps:
        names, order = [part.name for part in parts], spec_of(moment.phase).parts
        assert names
        assert names == sorted(names, key=order.index)
        assert len(set(names)) == len(names)
        lines = stage_of(moment.phase).listing_of(At(asked(name), moment)).lines
        for part in parts:
            assert part.line in lines
            assert len(part.sentence.split()) <= 40
            assert max(len(one.split()) for one in re.split(r"(?<=[.:]) ", part.sentence)) <= 20, part.sentence
            assert part.sentence.endswith(".")
            text = step_text(asked(name), moment, part.name)
            assert (text.known, text.why) == ("", "")
            # What a stop means begins with its sentence, which the card says once.
            assert text.decided == part.sentence or (not text.decided and text.stop.meaning.startswith(part.sentence))
            assert text.title.endswith(f": {part.name}")
            assert (text.stop is not None) == (part.name == "stop")
        assert ("stop" in names) == moment.last


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.sampled(3, "scenes")
def test_every_sub_step_is_drawn_in_both_panes_and_asks_no_support_point(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = divided(name)

    def refuse(*_: object) -> None:
        raise AssertionError("a second search")

    monkeypatch.setattr(Difference, "support", refuse)
    for moment, _ in steps:
        for part in parts_of(asked(name), moment):
            world, difference = drawn(name, moment, part)
            assert len(places(difference))
            assert np.isfinite(places(difference)).all()
            assert np.isfinite(places(world)).all()


@pytest.mark.parametrize("name", SHOWN)
def test_w_is_hidden_until_both_bodies_have_been_asked(name: str) -> None:
    told = 0
    for moment, parts in divided(name):
        if moment.phase is not Phase.GJK or moment.step.support is None:
            continue
        step, by_name = moment.step, {part.name: part for part in parts}
        w = step.support.w
        size = max(np.abs(w).max(), 1e-9)
        apart = all(np.abs(point.w - w).max() > 1e-6 * size for point in step.simplex)
        for hidden in FOUND:
            _, difference = drawn(name, moment, by_name[hidden])
            assert not [label.text for label in difference.labels if re.match(r"w\b[ :]", label.text)]
            assert not apart or np.abs(places(difference) - w).max(axis=1).min() > 1e-7 * size
        _, difference = drawn(name, moment, by_name["subtract"])
        assert np.abs(places(difference) - w).max(axis=1).min() == 0.0
        told += apart
    assert told or name in ("two-spheres", "face-touch", "flat-circle-corner", "coincident-centres")


@pytest.mark.parametrize("name", ["skew-edges", "flat-inside", "face-touch", "two-spheres"])
@pytest.mark.parametrize("progress", [0.0, 0.3, 0.999])
def test_what_moves_differs_on_the_way_and_does_not_tell_w_before_it_is_there(name: str, progress: float) -> None:
    for moment, parts in divided(name):
        for part in parts:
            if not part.moves:
                continue
            world, difference = drawn(name, moment, part, progress)
            there, there_too = drawn(name, moment, part)
            assert (look(world), look(difference)) != (look(there), look(there_too)), part.name
            for way, rest in ((world, there), (difference, there_too)):
                assert {label.text for label in way.labels} <= {label.text for label in rest.labels}
            assert np.isfinite(places(world)).all()
            # At the faces that join it w is known.
            if moment.phase in (Phase.GJK, Phase.EPA) and moment.step.support is not None:
                own = name_of(asked(name), moment.step.support)
                told = [label for label in difference.labels if label.text.startswith(f"{own} =")]
                known = any(corners(moment.step.support) == corners(point) for point in points_of(moment)[:-1])
                assert known or bool(told) == (part.name == "join")


def look(draw: DrawList) -> list[object]:
    """Everything that is drawn, with its colours."""
    found: list[object] = [
        (lines.start.tolist(), lines.end.tolist(), lines.start_rgba.tolist()) for lines in draw.segments
    ]
    found += [(sheet.points.tolist(), sheet.rgba) for sheet in draw.sheets]
    found += [(marks.points.tolist(), marks.radius, marks.fill, marks.stroke) for marks in draw.marks]
    return found


@pytest.mark.parametrize("name", [*SHOWN, "stacked-cubes", "edge-touch", "parallel-bars"])
def test_support_points_that_tie_are_ringed_together_and_named(name: str) -> None:
    for moment, parts in divided(name):
        step = moment.step
        if moment.phase is Phase.EPA or getattr(step, "support", None) is None:
            continue
        for index, letter in enumerate("AB"):
            (part,) = (part for part in parts if part.name == f"support {letter}")
            chosen = (step.support.vertex_a, step.support.vertex_b)[index]
            if chosen < 0:
                assert "equally far" not in part.sentence
                continue
            points = vertices(asked(name), index)
            along = points @ step.support.direction * (1.0, -1.0)[index]
            level = set(np.flatnonzero(along >= along.max() - 1e-9 * np.abs(points).max()).tolist())
            assert chosen in level
            if len(level) == 1:
                assert "equally far" not in part.sentence
            elif len(level) <= 4:
                named = {int(number) for number in re.findall(rf"{letter}\.(?:v|end)(\d+)", part.sentence)}
                assert named == level
            else:
                assert f"{len(level) - 1} others are equally far" in part.sentence
            world, _ = drawn(name, moment, part)
            kind = ("vertex_a", "vertex_b")[index]
            rings = [label.subject.number for label in world.labels if label.subject.kind == kind]
            assert sorted(rings) == sorted(level)


@pytest.mark.parametrize(
    ("name", "policy"),
    [("squares-turned", "tolerant"), ("cylinder-on-ground", "tolerant"), ("squares-turned", "exact")],
)
def test_reduce_numbers_the_contacts_in_the_order_in_which_they_were_chosen(name: str, policy: str) -> None:
    found = query(analyse(load_preset(name).scene), AlgorithmSettings(reduce=True, preference=ContactPolicy(policy)))
    place, moment = next((k, one) for k, one in enumerate(found.moments) if isinstance(one.step, ReduceStep))
    context = Context(found.analysis.scene, found.analysis, View(), DARK, found, place)
    world = DrawList()
    stage_of(Phase.CONTACTS).world(at_its_step(context), world, moment.step)
    ordinals = {label.text: label.point.tolist() for label in world.labels if re.match(r"\d(st|nd|rd|th)$", label.text)}
    assert list(ordinals) == ["1st", "2nd", "3rd", "4th"]
    assert list(ordinals.values()) == [contact.position.tolist() for contact in moment.step.chosen]
    words = step_text(found, moment).decided
    told = [ord(sign) - ord("₀") for sign in re.findall("c([₁-₈])", words)]
    assert told == [contact_numbers(found)[contact.name] + 1 for contact in moment.step.chosen]
    assert f"{len(moment.step.dropped)} are dropped" in words
    hollow = [marks for marks in world.marks if marks.fill == DARK.halo and marks.radius == 4.0]
    assert {tuple(point) for marks in hollow for point in marks.points.tolist()} == {
        tuple(contact.position.tolist()) for contact in moment.step.dropped
    }


@pytest.mark.parametrize("name", ["skew-edges", "two-hulls", "face-touch", "fcl-545"])
def test_new_faces_join_round_the_rim_each_next_to_the_one_before(name: str) -> None:
    joined = [moment for moment, parts in divided(name) if "join" in {part.name for part in parts}]
    assert joined
    for moment in joined:
        faces = Expansion(At(asked(name), moment)).round_the_rim
        assert {face.number for face in faces} == {face.number for face in moment.step.added}
        for face, other in pairwise([*faces, faces[0]]):
            assert len(set(face.vertices) & set(other.vertices)) == 2


@written_with(Digits.SIX)
@pytest.mark.parametrize("name", ["skew-edges", "two-hulls", "tunnelling", "flat-third-point", "flat-inside"])
def test_what_lower_and_upper_say_is_what_all_differences_of_vertices_reach(name: str) -> None:
    found = asked(name)
    differences = np.array([a - b for a, b in product(vertices(found, 0), vertices(found, 1))])
    told = 0
    for moment, parts in divided(name):
        by_name = {part.name: part for part in parts}
        told += bool({"lower", "upper"} & by_name.keys())
        if moment.phase is Phase.GJK and "lower" in by_name:
            proved = -(differences @ moment.step.direction).max()
            if proved > 0.0:
                assert numbers(by_name["lower"].sentence)[0] == pytest.approx(proved, rel=1e-5)
            else:
                assert "proves no distance" in by_name["lower"].sentence
        if moment.phase is Phase.EPA and "upper" in by_name:
            normal = Expansion(At(found, moment)).normal
            assert numbers(by_name["upper"].sentence)[0] == pytest.approx((differences @ normal).max(), rel=1e-5)
            nearest = numbers(by_name["closest"].sentence)[0]
            assert nearest <= (differences @ normal).max() * (1 + 1e-5)
    assert told


def numbers(sentence: str) -> list[float]:
    return [float(word) for word in re.findall(r"(?<![\w₀-₉.])\d+(?:\.\d+)?", sentence)]


@pytest.mark.parametrize("name", SHOWN)
def test_what_drop_says_leaves_is_gone_from_the_next_simplex_and_what_joins_is_in_it(name: str) -> None:
    found, steps = asked(name), [(moment, parts) for moment, parts in divided(name) if moment.phase is Phase.GJK]
    for (moment, parts), (after, _) in pairwise(steps):
        (words,) = (part.sentence for part in parts if part.name == "drop")
        following = {point.xyz for point in after.step.simplex}
        gone, _, joins = words.partition(". ")
        for point in moment.step.simplex:
            assert (name_of(found, point) in NAMED.findall(gone)) == (point.xyz not in following)
        joined = f"{name_of(found, moment.step.support)} joins." == joins
        assert joined == (moment.step.support.xyz in following)


def test_what_does_not_apply_has_no_sub_step() -> None:
    for name in SHOWN:
        for moment, parts in divided(name):
            names = {part.name for part in parts}
            if moment.phase is Phase.GJK and moment.step.encloses:
                assert names - {"start"} == {"nearest", "stop"}
            if moment.phase is Phase.GJK and moment.step.stop is GjkStop.OVERLAP_TOUCHING:
                assert names - {"start"} == {"nearest", "direction", "stop"}
            if moment.phase is Phase.EPA and asked(name).analysis.polygon is not None:
                assert not names & {"visible", "horizon"}
    parallel = asked("stacked-cubes").moments[6]
    assert parallel.step.separation is None
    assert parts_of(asked("stacked-cubes"), parallel) == ()


def test_a_warm_start_begins_with_every_point_it_was_given() -> None:
    scene = load_preset("skew-edges").scene
    before = query(analyse(scene), AlgorithmSettings(warm_start=True))
    moved = replace(scene, b=replace(scene.b, position=(1.2, 0.4, 0.0)))
    warm = query(analyse(moved), AlgorithmSettings(warm_start=True), before.warm_start)
    first = next(moment for moment in warm.moments if moment.phase is Phase.GJK)
    starts = [part for part in parts_of(warm, first) if part.name.startswith("start")]
    assert [part.name for part in starts] == ["start", *(f"start {k + 2}" for k in range(len(first.step.simplex) - 1))]
    assert len(starts) > 1
    assert starts[0].sentence.startswith("Warm start")
    assert [part.sentence.split()[-1] for part in starts] == ["first.", "second.", "third.", "fourth."][: len(starts)]


@pytest.mark.parametrize("seed", range(12))
def test_the_regions_in_the_plane_hold_what_is_nearest_to_their_feature(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = 2 + seed % 2
    corners = [np.array((x, y, 0.0)) for x, y in random.normal(size=(count, 2))]
    features = dict(plane_regions(corners, 0.7))
    assert len(features) == {2: 3, 3: 6}[count]
    for feature, loop in features.items():
        shares = random.dirichlet(np.ones(len(loop)), size=20)
        for point in shares @ loop:
            assert feature == nearest_feature(point, corners)


def nearest_feature(point: Array, corners: list[Array]) -> tuple[int, ...]:
    """The corner or side nearest a point outside, by looking at every side's own nearest point."""
    sides = [(0, 1)] if len(corners) == 2 else [(0, 1), (1, 2), (2, 0)]
    found = []
    for i, j in sides:
        along = corners[j] - corners[i]
        share = float(np.clip((point - corners[i]) @ along / (along @ along), 0.0, 1.0))
        feature = (i,) if share == 0.0 else (j,) if share == 1.0 else (i, j)
        found.append((float(np.linalg.norm(point - corners[i] - share * along)), feature))
    return min(found)[1]


@pytest.mark.parametrize("name", ["face-touch", "corner-touch", "nearly-parallel-edges", "search-from-10000"])
def test_what_a_cut_takes_and_what_it_leaves_are_together_what_was_there(name: str) -> None:
    found = query(analyse(load_preset(name).scene))
    cuts = [moment for moment in found.moments if isinstance(moment.step, CutStep | LevelStep)]
    assert cuts
    for moment in cuts:
        side, left = parts_of(found, moment)
        assert (side.name, left.name) == ("side", "cut")
        cut = Cut(moment.step)
        assert cut.cuts
        before, after = (area(loop.points) for loop in (moment.step.before, moment.step.after))
        assert area(cut._gone) + after == pytest.approx(before, rel=1e-9)
        assert f"{len(cut.new_corners)} new" in left.sentence


def area(loop: Array) -> float:
    middle = loop.mean(axis=0)
    arms = loop - middle
    return float(np.linalg.norm(np.cross(arms, np.roll(arms, -1, axis=0)).sum(axis=0))) / 2.0
