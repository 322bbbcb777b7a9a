"""The gallery keeps its promises: what the notes say is what the analysis finds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.cli.articles_report import versions
from app.io.presets import (
    DEFAULT,
    FLAT_DEFAULT,
    default_scene,
    load_preset,
    phase_about,
    presets,
    reported_cases,
    shelves,
)
from app.probes import Lens
from app.probes.planes import Scaling, point_against, through
from app.probes.ray import article_answers, crossing, picked_words, ray_of, with_lens
from app.state.playback import scene_at
from app.storage.files import resource
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import sweep
from core.gjk.gjk import GjkStop
from core.mpr import MprStop, mpr
from core.query.motion_steps import with_motion
from core.query.query import query
from core.sat.sat import AxisKind, AxisStatus
from core.study.articles import motion_articles
from core.study.articles.motion_book import p3_zero_by_equality
from core.study.lab.side_by_side.row import Reason
from core.toi import MotionMethod
from core.verdict import Provenance, Verdict

from .course_promises import PROMISES_OF_THE_COURSE, kind, labels

IDS = [preset.id for preset in presets()]


def analysis_of(name: str) -> Analysis:
    return analyse(load_preset(name).scene)


def features(analysis: Analysis) -> tuple[str, str]:
    return analysis.contact_vertices.a.kind, analysis.contact_vertices.b.kind


def portal_depth(analysis: Analysis) -> float | None:
    return mpr(analysis.scene.a, analysis.scene.b).depth


def stop_of(analysis: Analysis) -> GjkStop | None:
    return None if analysis.gjk is None else analysis.gjk.stop


def one_holds_the_other(analysis: Analysis) -> bool:
    a, b = analysis.sat.interval_a, analysis.sat.interval_b
    return bool(((a[:, 0] < b[:, 0]) & (b[:, 1] < a[:, 1])).all())


def test_there_are_enough_and_every_file_is_listed_once() -> None:
    assert {DEFAULT, FLAT_DEFAULT} <= set(IDS)
    assert len({preset.title for preset in presets()}) == len(IDS)
    files = {path.stem for path in resource("assets", "scenes").glob("*.json")} - {"index"}
    assert sorted(IDS) == sorted(files)


@pytest.mark.parametrize("name", IDS)
def test_a_preset_is_clean_and_says_what_to_look_at(name: str) -> None:
    loaded = load_preset(name)
    preset = next(preset for preset in presets() if preset.id == name)
    assert loaded.remarks == ()
    assert loaded.view is not None
    assert (preset.title, preset.text) == (loaded.scene.name, loaded.scene.notes)
    assert len(preset.title) <= 44
    sentences = [part for part in loaded.scene.notes.replace("ifc-lite PR 2536: ", "").split(". ") if part]
    assert 2 <= len(sentences) <= 6
    assert max(len(part.split()) for part in re.split(r"(?<=[.?:;]) ", loaded.scene.notes)) <= 20
    assert analyse(loaded.scene).disagreements == ()


@pytest.mark.parametrize("name", IDS)
def test_the_steps_that_a_preset_is_about_are_among_its_steps(name: str) -> None:
    analysis = analysis_of(name)
    asked = with_motion(query(analysis, AlgorithmSettings(mpr=True)), sweep(analysis.scene))
    assert phase_about(name) in {None, *(phase for phase, _, _ in asked.phases)}


def test_an_unknown_preset_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load_preset("none")


def test_the_first_screen_overlaps_along_a_skew_edge_pair() -> None:
    analysis = analyse(default_scene().scene)
    assert kind(analysis) is AxisKind.EDGES
    assert analysis.sat.ties == ()
    assert features(analysis) == ("edge", "edge")
    assert -analysis.separation == pytest.approx(0.3, abs=0.05)
    # It wins clearly: the next axis overlaps by as much again.
    assert np.sort(analysis.sat.separations)[-2] < 2.0 * analysis.separation


def meets(a, stop: str) -> bool:
    return sweep(a.scene).result.stop.value == stop and not sweep(a.scene).disagreements


def met_features(a) -> tuple[str, str]:
    contact = sweep(a.scene).result.contact
    return contact.a.kind, contact.b.kind


def axis(a) -> str | None:
    return sweep(a.scene).result.axis


def discriminant(a) -> float:
    return sweep(a.scene).traces[0].steps[-1].discriminant


def regions(a) -> list[str]:
    """Those that the sphere's centre is in until the impact."""
    steps = next(trace.steps for trace in sweep(a.scene).traces if trace.method is MotionMethod.SPHERE_BOX)
    return [step.crossing.name for step in steps if step.crossing is not None]


def mistaken(a, name: str) -> tuple[float | None, str]:
    """Which time of contact an article's mistaken version finds within the motion, and what it says instead."""
    wrong = {answer.id: answer for answer in motion_articles(a.scene, sweep(a.scene)) if not answer.right}[name]
    return wrong.time, str(wrong.words).partition(" instead")[0]


def p4_right_with_a_at_rest(a) -> bool:
    """Whether the sum of the velocities agrees as soon as A rests, be B's way too short or long enough."""
    still_a = replace(a.scene.a, displacement=(0.0, 0.0, 0.0))
    moved = [replace(a.scene, a=still_a, b=replace(a.scene.b, displacement=(way, 0.0, 0.0))) for way in (-2.4, -7.2)]
    assert [sweep(scene).outcome.value for scene in moved] == ["SEPARATED", "HIT"]
    answers = [answer for scene in moved for answer in motion_articles(scene, sweep(scene)) if answer.id == "P4-sum"]
    return all(answer.right for answer in answers)


def late(a, name: str) -> float:
    """By how much later than the impact it finds it."""
    return mistaken(a, name)[0] - sweep(a.scene).result.time


def still(a) -> set[str]:
    """Axes across the motion."""
    axes = sweep(a.scene).axes
    return {candidate.label for candidate, speed in zip(axes.candidates, axes.speeds, strict=True) if speed == 0.0}


def probe(name: str):
    return load_preset(name).view.probe


def on_plane(a) -> tuple[str, int]:
    met = a.contact_vertices.b
    return met.kind, len(met.points)


def seems_an_edge(a) -> bool:
    """Whether the turn leaves a product that is not 0, which the article takes for one."""
    return p3_zero_by_equality(a.scene.swapped()) == 2


def picks(a, probe) -> tuple[bool, bool, bool]:
    """Whether the ray hits A, whether the article's one axis says so, and whether it hits B."""
    ray = ray_of(probe)
    says = next(answer.says for answer in article_answers(a.scene.a, ray) if answer.id == "P12-box-one-axis")
    return crossing(a.scene.a, ray) is not None, says, crossing(a.scene.b, ray) is not None


def picks_by_pixel(a, probe) -> tuple[str, str]:
    """What the pixel's ray picks, and what the article's shortcut does."""
    ray = ray_of(probe)
    return picked_words(a.scene, ray.origin, ray.direction), picked_words(a.scene, ray.eye, ray.shortcut)


def mistaken_gap(a) -> float:
    """What is between ellipsoid and plane in the scaled space with the normal scaled like a point."""
    space = Scaling.of(a.scene).at(1.0)
    return space.mistaken_distance - space.reach


def wrong(a) -> set[str]:
    """Published mistakes whose mistakes show."""
    return {version.id for version in versions(a, sweep(a.scene)) if version.reason is Reason.ARTICLE}


def flipped(a) -> Analysis:
    return analyse(a.scene.swapped())


def fooled(body, name: str) -> set[str]:
    """The articles' tests that are wrong about the ray."""
    return {answer.id for answer in article_answers(body, ray_of(probe(name))) if answer.says != answer.hits}


PROMISES: dict[str, Callable[[Analysis], bool]] = {
    "skew-edges": lambda a: kind(a) is AxisKind.EDGES,
    "box-on-plate": lambda a: labels(a) == {"A.y"} and features(a) == ("face", "vertex"),
    "stacked-cubes": lambda a: (
        labels(a) == {"A.y", "B.y", "A.x×B.z", "A.z×B.x"}
        and np.isclose(a.separation, -0.1)
        and len(a.difference.core.faces) == 6
    ),
    "crossed-edges": lambda a: (
        np.isclose(a.separation, 0.05)
        and a.sat.statuses.count(AxisStatus.SEPARATING) == 1
        and kind(a) is AxisKind.EDGES
    ),
    "gap-between-corners": lambda a: np.isclose(a.separation, 0.3 * sqrt(3.0)) and np.isclose(a.sat.separation, 0.3),
    "containment": lambda a: all(
        row_a[0] < row_b[0] and row_b[1] < row_a[1]
        for row_a, row_b, status in zip(a.sat.interval_a, a.sat.interval_b, a.sat.statuses, strict=True)
        if status is not AxisStatus.DEGENERATE
    ),
    "coincident-centres": lambda a: np.isclose(a.separation, -1.2) and len(labels(a)) == 12,
    "nearly-parallel-edges": lambda a: any(c.nearly_parallel for c in a.sat.candidates) and kind(a) is AxisKind.EDGES,
    "quarter-turns": lambda a: np.isclose(a.separation, -0.05) and kind(a) is AxisKind.EDGES,
    "face-touch": lambda a: a.separation == 0.0 and features(a) == ("face", "face"),
    "edge-touch": lambda a: a.separation == 0.0 and {"A.x", "A.y"} <= labels(a),
    "corner-touch": lambda a: a.separation == 0.0 and {"A.x", "A.y", "A.z"} <= labels(a),
    "tiny-beside-huge": lambda a: 0.0025 < a.separation < 0.0035,
    "far-from-origin": lambda a: abs(a.separation - analysis_of("skew-edges").separation) < 1e-9,
    "sphere-face-region": lambda a: kind(a) is AxisKind.FACE_A and a.separation < 0.0,
    "sphere-edge-region": lambda a: (
        kind(a) is AxisKind.CENTRES and a.separation > 0.0 and a.sat.statuses.count(AxisStatus.SEPARATING) == 1
    ),
    "sphere-corner-region": lambda a: kind(a) is AxisKind.CENTRES and round(a.separation, 2) == -0.08,
    "sphere-centre-inside": lambda a: -a.separation > load_preset("sphere-centre-inside").scene.b.shape.bounding_radius,
    "two-spheres": lambda a: len(a.sat.candidates) == 1,
    "cylinder-on-ground": lambda a: a.separation == 0.0 and features(a) == ("plane", "disc"),
    "cone-tip": lambda a: np.isclose(a.separation, -0.05) and features(a) == ("plane", "vertex"),
    "capsule-box-edge": lambda a: labels(a) == {"A.z×B.axis", "A.v4-v7→B.axis"} and features(a) == ("edge", "edge"),
    "ellipsoids": lambda a: (
        not a.sat.applies and a.certainty.provenance is Provenance.CERTIFIED and 0.05 < a.separation < 0.2
    ),
    "two-hulls": lambda a: len(a.sat.candidates) == 68 and a.separation < 0.0,
    "tunnelling": lambda a: (
        meets(a, "HIT") and a.separation > 1.0 and analyse(scene_at(a.scene, 1.0)).separation > 1.0 and axis(a) == "A.x"
    ),
    "grazing-spheres": lambda a: np.isclose(sweep(a.scene).result.time, 0.6) and discriminant(a) == 0.0,
    "sphere-past-a-box": lambda a: regions(a) == ["<-1, +1, 0>", "<0, +1, 0>", "<0, +1, +1>"],
    "box-lands-on-a-plane": lambda a: meets(a, "HIT") and len(sweep(a.scene).contacts) == 1,
    "turning-boxes": lambda a: meets(a, "HIT") and sweep(a.scene).axes is None,
    "resting-and-sliding": lambda a: meets(a, "TOUCHING_AT_START") and "A.y" in still(a),
    "balls-head-on": lambda a: (
        meets(a, "HIT") and mistaken(a, "P4-sum") == (None, "No contact") and p4_right_with_a_at_rest(a)
    ),
    "latest-axis-by-one-sign": lambda a: meets(a, "HIT") and late(a, "P9-as-printed") > 0.1,
    "tilted-egg-falls": lambda a: meets(a, "HIT") and late(a, "P13-normal") > 0.1,
    "box-on-plane-vertex": lambda a: a.separation == 0.0 and on_plane(a) == ("vertex", 1),
    "box-on-plane-edge": lambda a: a.separation == 0.0 and on_plane(a) == ("edge", 2),
    "box-on-plane-face": lambda a: a.separation == 0.0 and on_plane(a) == ("face", 4) and seems_an_edge(a),
    "point-in-convex": lambda a: (
        not point_against(a.scene.a, probe("point-in-convex").position).outside
        and len(point_against(a.scene.b, probe("point-in-convex").position).outside) == 3
    ),
    "plane-through-three-points": lambda a: (
        [side.words for side in through(a.scene, probe("plane-through-three-points")).sides]
        == ["behind the plane", "in front of the plane"]
    ),
    "ray-past-a-cube": lambda a: picks(a, probe("ray-past-a-cube")) == (False, True, True),
    "off-centre-window": lambda a: (
        picks_by_pixel(a, probe("off-centre-window")) == ("A", "B")
        and picks_by_pixel(a, with_lens(probe("off-centre-window"), Lens.PERSPECTIVE)) == ("A", "A")
    ),
    "ellipsoid-and-plane": lambda a: a.separation < 0.0 and mistaken_gap(a) > 0.0,
    "faces-alone-say-apart": lambda a: (
        kind(a) is AxisKind.EDGES and "P6-bounded-faces" in wrong(a) and "V5-faces-only" not in wrong(a)
    ),
    "faces-alone-say-overlapping": lambda a: (
        kind(a) is AxisKind.EDGES
        and a.sat.statuses.count(AxisStatus.SEPARATING) == 1
        and "V5-faces-only" in wrong(a)
        and "P6-bounded-faces" not in wrong(a)
    ),
    "tetrahedra-kiss": lambda a: wrong(a) == {"V6-touching-edges-overlapping"} and a.verdict is Verdict.TOUCHING,
    "lowest-end": lambda a: (
        wrong(a) == {"S6-lowest-end", "S6-middle-ends"} and a.normal[0] == -1.0 and np.isclose(a.separation, -0.5)
    ),
    "search-from-10000": lambda a: a.separation == -3e4 and wrong(a) == {"S6-search-from-10000"},
    "float32-radius-form": lambda a: a.separation < -0.8 and wrong(a) == {"P7-float32-radius-form"},
    "no-absolute-value": lambda a: (
        {"P7-absolute-value", "P8-absolute-value"} <= wrong(a)
        and not {"P7-absolute-value", "P8-absolute-value"} & wrong(analyse(a.scene.swapped()))
    ),
    "ball-falls-on-a-plane": lambda a: meets(a, "HIT") and wrong(a) == {"P1-backwards"},
    "ball-leaves-the-ground": lambda a: (
        meets(a, "OVERLAPPING_AT_START") and mistaken(a, "P1-initial-overlap") == (None, "No contact")
    ),
    "box-slides-on-a-plane": lambda a: (
        meets(a, "TOUCHING_AT_START") and on_plane(flipped(a)) == ("face", 4) and "P2-zero-motion" in wrong(a)
    ),
    "balls-abreast": lambda a: meets(a, "NO_MOTION") and wrong(a) == {"P4-sum", "P4-zero-motion"},
    "balls-that-part": lambda a: (
        meets(a, "OVERLAPPING_AT_START") and mistaken(a, "P4-initial-overlap") == (None, "No contact")
    ),
    "ball-to-a-corner": lambda a: meets(a, "HIT") and mistaken(a, "P5-corner-radius") == (None, "No contact"),
    "ball-from-inside": lambda a: (
        meets(a, "OVERLAPPING_AT_START") and np.isclose(mistaken(a, "P5-initial-overlap")[0], 0.375)
    ),
    "boxes-that-part": lambda a: (
        meets(a, "OVERLAPPING_AT_START")
        and mistaken(a, "P9-initial-overlap") == (None, "No contact")
        and bool((sweep(a.scene).axes.entries < 0.0).all())
    ),
    "orthographic-pixel": lambda a: picks_by_pixel(a, probe("orthographic-pixel")) == ("A", "B"),
    "ball-rolls-along-a-plane": lambda a: meets(a, "TOUCHING_AT_START") and "P1-zero-motion" in wrong(a),
    "ball-along-an-edge": lambda a: sweep(a.scene).result.time is None and wrong(a) == {"P5-zero-motion"},
    "ray-through-a-cube": lambda a: (
        crossing(a.scene.a, ray_of(probe("ray-through-a-cube"))) is not None
        and "P12-box-turned-round" in fooled(a.scene.a, "ray-through-a-cube")
    ),
    "ray-before-and-behind": lambda a: (
        fooled(a.scene.a, "ray-before-and-behind") == {"P12-endless-line"}
        and "P12-capsule-same-parameter" in fooled(a.scene.b, "ray-before-and-behind")
    ),
    "portal-right-depth": lambda a: np.allclose((-a.separation, portal_depth(a)), 0.1616515222852941, rtol=1e-14),
    "libccd-boxcyl-pen7": lambda a: (
        np.isclose(-a.separation, 0.7506362462294328) and np.isclose(portal_depth(a), 1.321922, atol=5e-7)
    ),
    "portal-missed-overlap": lambda a: (
        np.isclose(-a.separation, 5e-5) and mpr(a.scene.a, a.scene.b).stop is MprStop.WITHIN_TOLERANCE
    ),
    "fcl-391": lambda a: (
        np.isclose(a.separation, -1.5333941276823533e-07) and a.certainty.provenance is Provenance.EXACT
    ),
    "fcl-493": lambda a: a.verdict.value == "TOUCHING" and len(labels(a)) == 4,
    "fcl-545": lambda a: np.isclose(a.separation, -0.15, rtol=1e-12) and len(labels(a)) == 12,
    "fcl-508": lambda a: a.separation == 3.0,
    "mujoco-thin-grazing": lambda a: np.isclose(a.separation, 7.693272353965538e-07, rtol=1e-9),
    "ifclite-duct": lambda a: np.isclose(a.separation, -1.1176896353095724),
    "drake-21673": lambda a: np.isclose(a.separation, -0.15005968486978194),
    "flat-worked-example": lambda a: a.verdict is Verdict.OVERLAPPING and stop_of(a) is GjkStop.OVERLAP_TOUCHING,
    "flat-hexagon-pentagon": lambda a: len(a.sat.candidates) == 11 and a.epa is not None and a.epa.iterations > 1,
    "flat-circle-corner": lambda a: kind(a) is AxisKind.CENTRES and a.verdict is Verdict.SEPARATED,
    "flat-squares-kiss": lambda a: a.verdict is Verdict.TOUCHING and a.separation == 0.0,
    "flat-corner-gap": lambda a: not a.sat.exact and a.sat.separation < a.separation and features(a) == ("vertex",) * 2,
    "flat-third-point": lambda a: a.verdict is Verdict.SEPARATED,
    "flat-inside": lambda a: a.verdict is Verdict.OVERLAPPING and one_holds_the_other(a),
    "flat-tunnelling": lambda a: (
        meets(a, "HIT")
        and a.separation > 1.0
        and analyse(scene_at(a.scene, 1.0)).separation > 1.0
        and met_features(a) == ("edge", "vertex")
    ),
    "flat-round-corner": lambda a: (
        meets(a, "HIT")
        and axis(a) == "A.v3→B"
        and np.isclose(sweep(a.scene).axes.entries.max(), 0.25)
        and np.isclose(sweep(a.scene).result.time, 0.275)
    ),
    "flat-turning": lambda a: (
        meets(a, "HIT") and [trace.method for trace in sweep(a.scene).traces] == [MotionMethod.ADVANCEMENT]
    ),
}


@pytest.mark.parametrize("name", IDS)
def test_the_notes_tell_the_truth(name: str) -> None:
    assert (PROMISES | PROMISES_OF_THE_COURSE)[name](analysis_of(name))


def test_three_reported_pairs_are_among_them_with_their_source() -> None:
    shelf = next(shelf for shelf in shelves() if shelf.title == "Reported bugs")
    reported = [preset for card in shelf.cards for preset in card.presets]
    assert len(reported) >= 3
    for preset in reported:
        # The library is the first of its tags, and no part of its title.
        library = preset.tags[0].split()[0]
        assert library.lower() in preset.text.lower(), preset.id
        assert library.lower() not in preset.title.lower(), preset.id


def test_reported_cases_carry_source_story_and_exact_answer() -> None:
    cases = reported_cases()
    assert len(cases) == len({case.id for case in cases}) == 81
    for case in cases:
        assert all((case.title, case.source, case.story, case.answer.digits))
        assert float(case.answer.digits) == pytest.approx(case.answer.separation, rel=1e-15)


def test_the_answers_of_the_cases_are_found() -> None:
    for case in reported_cases():
        analysis = analyse(case.scene)
        size = min(case.scene.a.shape.bounding_radius, case.scene.b.shape.bounding_radius)
        assert analysis.separation == pytest.approx(case.answer.separation, abs=1e-12 * (size + 1.0)), case.id
        assert analysis.verdict.value == case.answer.state, case.id


def test_preset_files_are_ones_a_person_could_have_written() -> None:
    for preset in presets():
        tree = json.loads(Path(preset.path).read_text(encoding="utf-8"))
        flat = ["dimension"] * ("2D" in preset.tags)
        assert [key for key in tree if key not in ("a", "b", "view")] == ["separatrix", *flat, "name", "notes"]
        assert "shown" not in tree["view"], "the default set of overlays is the program's to choose"
