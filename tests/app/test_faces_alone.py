"""The setting that leaves the products of edges out of SAT, beside the test of visible faces."""

from __future__ import annotations

import numpy as np
import pytest

from app.draw.draw_list import DrawList
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.overlays.faces_in_view import face_name, findings
from app.render.pictures import build
from app.stages import step_text
from app.stages.word_parts import StepText
from app.state.view import View
from app.words.digits import Digits, written_with
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.geometry.quaternion import from_axis_angle
from core.pair.candidate_axes import AxisKind
from core.query.query import Phase, Query, query
from core.scene import Body, Scene
from core.shapes import Box, Sphere
from core.study.articles.motion_book import p6_bounded_faces
from core.study.articles.separating_axes import faces_in_view, v5_faces_only
from core.verdict import Verdict

PAIRS = [
    (preset.id, scene)
    for preset in presets()
    if (scene := load_preset(preset.id).scene).dimension == 3
    and isinstance(scene.a.shape, Box)
    and isinstance(scene.b.shape, Box)
]


def picture(scene: Scene, shown: frozenset[str]) -> DrawList:
    """The world, in which bodies are not drawn."""
    return build(Context(scene, analyse(scene), View(shown=shown), DARK)).world


def by_faces(scene: Scene) -> Query:
    return query(analyse(scene), AlgorithmSettings(faces_only=True))


def last_words(found: Query) -> StepText:
    return step_text(found, [moment for moment in found.moments if moment.phase is Phase.SAT][-1])


def test_they_err_in_opposite_ways() -> None:
    apart, overlapping = (load_preset(f"faces-alone-say-{word}").scene for word in ("apart", "overlapping"))
    assert (p6_bounded_faces(apart), analyse(apart).verdict) == ("SEPARATED", Verdict.OVERLAPPING)
    assert (v5_faces_only(overlapping), analyse(overlapping).verdict) == ("OVERLAPPING", Verdict.SEPARATED)
    # Each is right about the other's scene.
    assert (p6_bounded_faces(overlapping), v5_faces_only(apart)) == ("SEPARATED", "OVERLAPPING")


@pytest.mark.parametrize(("name", "scene"), PAIRS, ids=[name for name, _ in PAIRS])
def test_the_steps_try_faces_only_and_say_what_the_manual_says(name: str, scene: Scene) -> None:
    found = by_faces(scene)
    rows = [moment.step.row for moment in found.moments if moment.phase is Phase.SAT]
    assert rows == list(range(6))
    stop = last_words(found).stop
    assert stop is not None
    table = found.analysis.sat
    if v5_faces_only(scene) == "OVERLAPPING" and table.verdict is not Verdict.OVERLAPPING:
        assert stop.name == "OVERLAPPING" if table.candidates[table.winner].kind is AxisKind.EDGES else "TOUCHING"
        assert stop.good is (stop.name == "TOUCHING")
    else:
        assert stop.name == v5_faces_only(scene)
    # The answer itself leaves nothing out.
    assert found.analysis.verdict is analyse(scene).verdict


@written_with(Digits.SIX)
def test_the_words_tell_what_was_missed() -> None:
    missed = last_words(by_faces(load_preset("faces-alone-say-overlapping").scene)).stop
    assert missed is not None
    # By hand: 2.875 less twice the half diagonal of a face.
    assert f"A.y × B.z, a cross product of edges, shows a gap of {2.875 - 8.0**0.5:.7f}" in missed.meaning
    shorter = last_words(by_faces(load_preset("faces-alone-say-apart").scene)).stop
    assert shorter is not None
    assert "the overlap along A.y × B.z, a cross product of edges, is 0.0784271" in shorter.meaning
    touch = last_words(by_faces(load_preset("tetrahedra-kiss").scene)).stop
    assert touch is not None
    assert touch.meaning.endswith("of two edges, they touch.")
    assert not touch.good


def test_the_chapters_faces_are_found_by_hand() -> None:
    overlapping = faces_in_view(load_preset("faces-alone-say-apart").scene)
    # A's edge towards B is between two faces, B's too; the centres are as high as each other, so no other face is seen.
    assert [face_name(face) for face in overlapping] == ["A.+x", "A.+z", "B.−x", "B.+y"]
    assert [len(face.points) for face in overlapping] == [1, 1, 1, 1]
    assert not any(face.meets for face in overlapping)
    # By hand: the end (2.75 - √2, 0, ±1) of the other's edge along a normal at 45 degrees, less the half extent 1.
    assert [face.distance for face in overlapping] == pytest.approx([(2.75 - 2.0**0.5 - 1.0) / 2.0**0.5 - 1.0] * 4)
    words = [words for words, _, _ in findings(overlapping)]
    assert words == [f"behind {name}, out of bounds" for name in ("A.+x", "A.+z", "B.−x", "B.+y")]


def test_a_corner_inside_is_a_hit_of_the_chapters() -> None:
    cube = Box((2.0, 2.0, 2.0))
    faces = faces_in_view(Scene(Body(cube), Body(cube, (1.75, 1.5, 1.25), from_axis_angle((1.0, 0.0, 0.0), 0.3))))
    of_a = [face for face in faces if face.body == 0]
    # By hand: B's corner (0.75, 0.84, -0.001) is in A; its lowest point along y, (0.75, 0.25, 1.91), is off A's top.
    assert [(face.axis, face.side, face.meets) for face in of_a] == [(0, 1.0, True), (1, 1.0, False), (2, 1.0, True)]
    assert of_a[0].distance == pytest.approx(-0.25)
    ((words, point, _),) = findings(of_a)
    assert words == "behind A.+x, A.+z within bounds: a hit"
    assert point == pytest.approx((0.75, 0.84018, -0.00086), abs=1e-4)


def test_the_picture_shows_the_faces_only_where_it_is_switched_on() -> None:
    scene = load_preset("faces-alone-say-apart").scene
    plain, shown = (picture(scene, overlays) for overlays in (frozenset(), frozenset({"in_view"})))
    assert not plain.sheets
    assert len(shown.sheets) == 4
    for sheet, face in zip(shown.sheets, faces_in_view(scene), strict=True):
        body = scene.body(face.body)
        assert body.pose.to_local(sheet.points.mean(axis=0)) == pytest.approx(face.side * np.eye(3)[face.axis])
    assert [label.text for label in shown.labels] == [words for words, _, _ in findings(faces_in_view(scene))]
    assert not picture(Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (3.0, 0.0, 0.0))), frozenset({"in_view"})).sheets
