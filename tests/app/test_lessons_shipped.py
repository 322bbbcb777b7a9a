"""The lessons that ship: each is played to its end, and what it claims is computed once more."""

from __future__ import annotations

import re
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from scipy.spatial import ConvexHull

from app.io.presets import load_preset
from app.lessons.check import check_file, texts_of
from app.lessons.goals import ticked, unmet
from app.lessons.lesson_file import load_lesson
from app.lessons.markup import shown_text
from app.lessons.shelf import shelf, shipped_files
from app.lessons.situation import opening_situation
from app.lessons.solution import applied
from app.stages.point_names import point_names
from app.state.lesson import Lesson
from app.storage.strict_json import DataError
from app.words.glossary import glossary, read_glossary, term_of
from core.analysis.algorithm_settings import DEFAULT_SETTINGS, with_setting
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.float32 import analyse_single
from core.geometry.quaternion import from_axis_angle
from core.query.beside import Differs, Parting
from core.query.query import Phase, query
from core.sat.sat import AxisStatus
from core.scene import Scene
from core.verdict import Verdict

FILES = shipped_files()


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_lesson_that_ships_has_no_fault_and_no_warning(path: Path) -> None:
    """Played by the check: every goal false at the start, and true after the solution."""
    reading = check_file(path)
    assert [fault.text(path.name) for fault in reading.faults] == []
    assert reading.lesson is not None


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_step_is_played_from_its_start_to_its_goals(path: Path) -> None:
    lesson, left = load_lesson(path), None
    for step in lesson.steps:
        now = opening_situation(lesson, step, left)
        ticks = ticked(step, unmet(step), now)
        assert not step.goals or not all(ticks)
        for action in step.solution:
            now = applied(now, action)
            ticks = ticked(step, ticks, now)
        assert all(ticks), step.id
        left = now.scene


def test_the_shelf() -> None:
    assert [lesson.order for lesson in shelf()] == list(range(1, 10))
    assert [Path(lesson.file).name[:2] for lesson in shelf()] == [f"0{number}" for number in range(1, 10)]
    ids = [lesson.id for lesson in shelf()]
    assert len(set(ids)) == len(ids)
    for lesson in shelf():
        assert set(lesson.needs) <= set(ids[: ids.index(lesson.id)])
        assert lesson.steps[-1].id == "recap" or lesson.id == "faces-to-points"
    assert sum(lesson.minutes for lesson in shelf()) <= 75


BANNED = ("knob", "held back", "parted", "flat world", "what of", "sought", "to rounding", "!")


@pytest.mark.parametrize("lesson", shelf(), ids=lambda lesson: lesson.id)
def test_the_texts_keep_to_the_language(lesson: Lesson) -> None:
    for step in lesson.steps:
        for text in texts_of(step):
            assert not [word for word in BANNED if word in text.casefold()], text
            assert (
                max((len(sentence.split()) for sentence in re.split(r"(?<=[.?:;]) ", shown_text(text))), default=0)
                <= 20
            ), text


def test_no_text_of_a_step_tells_its_answer() -> None:
    """The right option's number does not stand in the text or the hints of its own step."""
    right = [
        (step, choice.label)
        for lesson in shelf()
        for step in lesson.steps
        for choice in step.options
        if choice.right and re.fullmatch(r"\d+", choice.label)
    ]
    assert len(right) >= 3
    for step, label in right:
        told = " ".join((step.title, step.text, *step.hints))
        assert label not in re.findall(r"\d+", told), step.id


def test_every_term_has_a_lesson_that_ships_or_none() -> None:
    ids = {lesson.id for lesson in shelf()} | {""}
    assert {term.lesson for term in glossary()} <= ids
    for lesson in shelf():
        for word in lesson.teaches:
            assert term_of(word) is not None


def test_the_glossary_is_found_by_alias_and_whatever_the_capitals() -> None:
    found = term_of("SHADOW")
    assert found is not None
    assert found.term == "interval"
    assert term_of("shadows") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"term": "gap"}]', r"\[0\].sentence: missing"),
        ('[{"term": "gap", "sentence": "x", "lesson": 1}]', r"\[0\].lesson: must be text, got 1"),
        ('[{"term": "gap", "sentence": ""}]', r"\[0\].sentence: must have 1 to 240 characters, got 0"),
        ('[{"term": "a", "sentence": "x"}, {"term": "b", "sentence": "x", "aliases": ["A"]}]', r"\[1\]: each word"),
    ],
)  # fmt: skip
def test_a_wrong_glossary_is_refused(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_glossary(text)


# What the lessons claim.


def scene(lesson: str, name: str) -> Scene:
    return next(known for known in shelf() if known.id == lesson).scenes[name].scene


def preset(name: str) -> Scene:
    return load_preset(name).scene


def steps_of(found: Scene, phase: Phase, **changes: object) -> list:
    settings = DEFAULT_SETTINGS
    for path, value in changes.items():
        settings = with_setting(settings, path, value)
    return [moment.step for moment in query(analyse(found), settings).moments if moment.phase is phase]


def corners(found: Scene, body: str) -> np.ndarray:
    part = getattr(found, body)
    points = np.array(part.shape.core.points)[:, :2]
    turn = np.array([[np.cos(part.angle), -np.sin(part.angle)], [np.sin(part.angle), np.cos(part.angle)]])
    return points @ turn.T + np.array(part.position[:2])


def test_one_gap_is_proof() -> None:
    apart, meeting = (scene("one-gap-is-proof", name) for name in ("apart", "meeting"))
    table = analyse(apart).sat
    statuses = [status is AxisStatus.SEPARATING for status in table.statuses]
    assert statuses == [False, False, True, False, False, False, False]
    assert len({int(row) for row in table.same_as}) == 7
    # The depth by definition: over all edge normals, computed from the corners, the least overlap.
    a, b = corners(meeting, "a"), corners(meeting, "b")
    ways = [
        np.array((-(q - p)[1], (q - p)[0])) for loop in (a, b) for p, q in zip(loop, np.roll(loop, -1, 0), strict=True)
    ]
    units = [way / np.hypot(*way) for way in ways]
    overlaps = [min((a @ n).max() - (b @ n).min(), (b @ n).max() - (a @ n).min()) for n in units]
    assert min(overlaps) == pytest.approx(0.205, abs=5e-4)
    # The question of the way out is about another edge than the one that the steps before it have shown to decide.
    assert np.argmin(overlaps) == 3
    assert table.winner == 2
    gap = analyse(preset("flat-corner-gap"))
    assert gap.sat.separation == pytest.approx(0.319, abs=5e-4)
    p, q = corners(gap.scene, "a"), corners(gap.scene, "b")
    assert np.sqrt(((p[:, None] - q) ** 2).sum(axis=2)).min() == pytest.approx(0.337, abs=5e-4)


def test_if_a_wall_fits_between_two_convex_polygons_one_fits_flat_on_an_edge() -> None:
    """A wall fits if the origin lies outside the hull of all differences of corners, by Qhull."""
    rng, apart = np.random.default_rng(5), 0
    for _ in range(400):
        a, b = (points[ConvexHull(points).vertices] for points in rng.normal(size=(2, 6, 2)))
        b = b + rng.normal(scale=2.0, size=2)
        fits = (ConvexHull((a[:, None] - b).reshape(-1, 2)).equations[:, 2] > 0.0).any()
        apart += fits
        assert fits == (flat_on_an_edge(a, b) or flat_on_an_edge(b, a))
    assert 100 < apart < 300


def flat_on_an_edge(polygon: np.ndarray, other: np.ndarray) -> bool:
    """Whether all of the other polygon lies beyond the line through an edge; corners (n, 2), counter-clockwise."""
    return any(
        ((other - p) @ np.array([(q - p)[1], -(q - p)[0]]) > 0.0).all()
        for p, q in zip(polygon, np.roll(polygon, -1, axis=0), strict=True)
    )


def test_fifteen_axes() -> None:
    bars = scene("fifteen-axes", "crossed")
    table = analyse(bars).sat
    assert all(separation < 0.0 for separation in table.separations[:6])
    # How rare: directions drawn evenly, and the shadows of the corners by hand.
    a, b = (np.array(body.pose.to_world(np.array(body.shape.core.points))) for body in (bars.a, bars.b))
    ways = np.random.default_rng(1).normal(size=(200_000, 3))
    ways /= np.sqrt((ways**2).sum(axis=1))[:, None]
    along_a, along_b = ways @ a.T, ways @ b.T
    open_ = np.maximum(along_b.min(1) - along_a.max(1), along_a.min(1) - along_b.max(1)) > 0.0
    assert 1 / 175 < open_.mean() < 1 / 160
    off = np.degrees(np.arccos(np.minimum(1.0, np.abs(ways[open_] @ table.axes[table.winner]))))
    assert 7.5 < off.max() < 8.5
    # Pushed together they touch: by hand, no corner's shadow passes the other body's along the wall's axis.
    for name, axis in (("crossing", (0.0, 1.0, 0.0)), ("on-corner", (0.0, 1.0, 0.0))):
        pair = scene("fifteen-axes", name)
        low, high = (np.array(body.pose.to_world(np.array(body.shape.core.points))) @ axis for body in (pair.a, pair.b))
        assert high.min() - low.max() == pytest.approx(0.0, abs=1e-9), name
        assert analyse(pair).verdict is Verdict.TOUCHING
    # Corner on corner, the wall is stuck on a face of A, on a face of B, or on two edges that cross, one of each body.
    pair = scene("fifteen-axes", "corners")
    a, b = (np.array(body.pose.to_world(np.array(body.shape.core.points))) for body in (pair.a, pair.b))
    corner, found = a[np.argmin(((a[:, None] - b) ** 2).sum(axis=2).min(axis=1))], analyse(pair)
    assert found.verdict is Verdict.TOUCHING
    lain_on = []
    for row, side in zip(found.sat.axes, found.sat.sides, strict=True):
        below, above = (a - corner) @ row * side, (b - corner) @ row * side
        if below.max() < 1e-9 and above.min() > -1e-9:
            lain_on.append(tuple(int((np.abs(heights) < 1e-9).sum()) for heights in (below, above)))
    assert sorted(lain_on) == [(1, 4), (2, 2), (2, 2), (4, 1)]
    turned = analyse(scene("faces-become-points", "turned"))
    assert turned.difference is not None
    assert (
        len(
            {
                int(row)
                for k, row in enumerate(turned.sat.same_as)
                if turned.sat.statuses[k] is not AxisStatus.DEGENERATE
            }
        )
        == 5
    )


def test_one_point_tells_all() -> None:
    apart = scene("one-point-tells-all", "apart")
    points = (corners(apart, "a")[:, None] - corners(apart, "b")).reshape(-1, 2)
    assert len(points) == 9
    # On the outline: those that some direction prefers.
    ways = np.array([(np.cos(t), np.sin(t)) for t in np.linspace(0, 2 * np.pi, 3600)])
    assert len(set(np.argmax(points @ ways.T, axis=0).tolist())) == 6
    assert analyse(scene("one-point-tells-all", "near")).separation == pytest.approx(0.0742, abs=5e-5)


def test_gjk_walks() -> None:
    apart = scene("gjk-walks", "apart")
    found = steps_of(apart, Phase.GJK)
    bounds = [(round(one.lower, 3), round(one.upper, 3)) for one in found]
    assert bounds == [(0.0, 1.182), (0.217, 0.732), (0.396, 0.556), (0.451, 0.451)]
    # The names that the texts use, and the points of the corners' coordinates.
    names = point_names(query(analyse(apart)), Phase.GJK)
    sources = {names.name(point): (point.vertex_a, point.vertex_b) for one in found for point in one.simplex}
    assert sources == {"w₀": (2, 1), "w₁": (0, 0), "w₂": (1, 0), "w₃": (1, 1)}
    a, b = corners(apart, "a"), corners(apart, "b")
    reach = {name: np.hypot(*(a[first] - b[second])) for name, (first, second) in sources.items()}
    assert (reach["w₀"], reach["w₁"]) == pytest.approx((1.18, 2.82), abs=5e-3)
    # The eye sees, too, which corner is farthest along the first direction, from A to B, and which along d.
    first = np.subtract(apart.b.position, apart.a.position)[:2] / np.hypot(*apart.b.position[:2])
    d = found[0].direction[:2]
    for along in (a @ first, -b @ first, a @ d, -b @ d):
        best, second = np.sort(along)[:-3:-1]
        assert best - second > 0.2
    # At the stop the support point is a corner again, no farther along d than v; and by definition nothing is.
    last, differences = found[-1], (a[:, None] - b).reshape(-1, 2)
    assert names.name(last.support) == "w₃"
    along = differences @ last.direction[:2]
    assert along.max() == pytest.approx(float(last.closest @ last.direction))
    assert len(differences) == 25
    in_space = steps_of(preset("skew-edges"), Phase.GJK)
    assert [len(one.simplex) for one in in_space] == [1, 2, 3, 4]


def test_epa_grows() -> None:
    found = steps_of(scene("epa-grows", "deep"), Phase.EPA)
    bounds = [(round(one.lower, 3), round(one.upper, 3)) for one in found[1:]]
    assert bounds == [(0.383, 1.909), (0.509, 1.909), (1.129, 1.135), (1.133, 1.133)]
    tetrahedron = steps_of(preset("skew-edges"), Phase.EPA)[1]
    assert sorted(round(face.offset, 4) for face in tetrahedron.faces)[0] == 0.0309
    assert (len(tetrahedron.removed), len(tetrahedron.horizon), len(tetrahedron.added)) == (2, 4, 4)
    smooth = steps_of(scene("epa-grows", "ellipsoids"), Phase.EPA, rounded="full")
    assert f"{smooth[20].lower:.3f}" == f"{smooth[20].upper:.3f}"
    assert len(smooth) > 40


def test_faces_to_points() -> None:
    counts = {name: analyse(scene("faces-to-points", name)).contacts for name in ("corner", "overhang", "turned")}
    assert {name: len(found.contacts) for name, found in counts.items() if found} == {
        "corner": 1,
        "overhang": 4,
        "turned": 8,
    }
    assert len(steps_of(scene("faces-to-points", "overhang"), Phase.CONTACTS)) == 6
    corner = scene("faces-to-points", "corner")
    tilted = {}
    for degrees in (30.0, 6.0, 3.0):
        turn = from_axis_angle((0.0, 0.0, 1.0), np.radians(degrees))
        height = 0.5 * (np.cos(np.radians(degrees)) + np.sin(np.radians(degrees)))
        body = replace(corner.b, rotation=turn, position=(0.2, 0.2 + float(height) - 0.043, 0.1))
        found = analyse(replace(corner, b=body)).contacts
        assert found is not None
        tilted[degrees] = len(found.contacts)
    # Within about 5° a face counts as flat.
    assert tilted == {30.0: 2, 6.0: 2, 3.0: 4}
    reduced = query(
        analyse(scene("faces-to-points", "turned")), with_setting(DEFAULT_SETTINGS, "reduce", True)
    ).manifold
    assert reduced is not None
    assert (len(reduced.contacts), len(reduced.dropped)) == (4, 4)


def test_between_two_frames() -> None:
    for name in ("flat-tunnelling", "tunnelling", "flat-turning"):
        found = sweep(preset(name))
        assert found is not None
        assert found.result.time == pytest.approx(
            {"flat-tunnelling": 0.388, "tunnelling": 0.422, "flat-turning": 0.625}[name], abs=6e-4
        )
    found = sweep(preset("tunnelling"))
    assert found is not None
    assert found.axes is not None
    # The second photograph is the first one's dart, a whole displacement later, and neither touches the board.
    dart, before, after = preset("flat-tunnelling").b, *(scene("between-two-frames", k) for k in ("before", "after"))
    assert before.b.position == dart.position
    assert np.array(after.b.position) == pytest.approx(np.array(dart.position) + np.array(dart.displacement))
    assert analyse(before).verdict is analyse(after).verdict is Verdict.SEPARATED
    entries = {
        candidate.label: round(float(entry), 3)
        for candidate, entry in zip(found.axes.candidates, found.axes.entries, strict=True)
    }
    assert sorted(entries, key=entries.__getitem__)[-3:] == ["A.y×B.z", "A.z×B.y", "A.x"]
    assert (entries["A.x"], entries["A.z×B.y"], entries["B.x"]) == (0.422, 0.407, 0.387)


def test_when_floats_fail() -> None:
    band = analyse(preset("face-touch")).band
    assert band == pytest.approx(5e-13)
    assert 1500 < band / float(np.spacing(1.0)) < 2500
    far = analyse_single(preset("far-from-origin")).answers[0]
    assert -far.separation == pytest.approx(0.324, abs=5e-4)
    assert abs(far.error / far.double_separation) == pytest.approx(0.036, abs=5e-4)
    assert (float(np.spacing(np.float32(1e6))), float(np.spacing(1e6))) == pytest.approx((0.0625, 1.2e-10), rel=0.05)
    near, here = analyse(preset("far-from-origin")), analyse(preset("skew-edges"))
    assert 1e-12 < abs(near.separation - here.separation) < 1e-9
    _assert_digits_go(preset("near-tie"))
    ties = analyse(preset("coincident-centres")).sat
    assert len(ties.ties) + 1 == 12
    spot, diagonal = analyse(preset("fcl-508")), analyse(preset("fcl-545"))
    assert (spot.separation, diagonal.separation) == pytest.approx((3.0, -0.15))
    assert (sqrt(10), sqrt(11), 0.15 * sqrt(2), 0.15 * sqrt(3)) == pytest.approx(
        (3.162, 3.317, 0.212, 0.2598), abs=5e-4
    )
    assert analyse(preset("float32-radius-form")).verdict is Verdict.OVERLAPPING


def _assert_digits_go(scene: Scene) -> None:
    """One percent off at a million units and not before; there the runs part at the first step, by another corner."""
    size, off = max(body.shape.bounding_radius for body in (scene.a, scene.b)), {}
    for away in (0.0, 1e4, 5e5, 1e6):
        answers = analyse_single(scene, away=away).answers
        off[away] = abs(next(answer.error for answer in answers if answer.algorithm == "GJK and EPA")) / size
    assert off[0.0] < 1e-6
    assert off[1e4] < off[5e5] < 0.01 < off[1e6]
    assert float(np.spacing(np.float32(1e6))) == 0.0625
    settings = with_setting(with_setting(DEFAULT_SETTINGS, "single.steps", True), "single.away", 1e6)
    asked = query(analyse(scene), settings)
    assert asked.single is not None
    assert asked.single.steps is not None
    assert asked.single.parting == Parting(0, Differs.SUPPORT)
    double, single = (run.steps[0].support for run in (asked.single.double, asked.single.steps))
    assert double is not None
    assert single is not None
    assert double.vertex_a == single.vertex_a
    corners = (scene.b.pose.to_world(scene.b.shape.core.points[point.vertex_b]) for point in (double, single))
    behind, ahead = (float(-double.direction @ corner) for corner in corners)
    assert behind - ahead == pytest.approx(0.00264, abs=5e-6)
    at_a, at_b = (np.array(body.position) for body in (scene.a, scene.b))
    moved = (at_b + 1e6).astype(np.float32) - (at_a + 1e6).astype(np.float32)
    assert np.abs(moved - (at_b - at_a)).max() > 0.003


def test_ids_of_steps_are_short_and_their_titles_differ() -> None:
    for lesson in shelf():
        assert not [pair for pair in combinations(lesson.steps, 2) if pair[0].title == pair[1].title]
