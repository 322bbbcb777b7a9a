"""The knob that leaves the products of edges out of SAT (V5 in three dimensions), beside what P6 does with faces."""

from __future__ import annotations

import pytest

from app.files.presets import load_preset, presets
from app.step_words import StepText, step_text
from core.algorithms.candidate_axes import AxisKind
from core.answer import Verdict
from core.article_variants import p6_bounded_faces, v5_faces_only
from core.flat import FlatScene
from core.knobs import Knobs
from core.query import Phase, Query
from core.scene import Scene
from core.shapes import Box
from core.worlds import analyse, query

PAIRS = [
    (preset.id, scene)
    for preset in presets()
    if not isinstance(scene := load_preset(preset.id).scene, FlatScene)
    and isinstance(scene.a.shape, Box)
    and isinstance(scene.b.shape, Box)
]


def by_faces(scene: Scene) -> Query:
    return query(analyse(scene), Knobs(faces_only=True))


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
    rows = [moment.step.row for moment in found.moments if moment.phase is Phase.SAT]  # type: ignore[union-attr]
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


def test_the_words_tell_what_was_missed() -> None:
    missed = last_words(by_faces(load_preset("faces-alone-say-overlapping").scene)).stop
    assert missed is not None
    # By hand: 2.875 less twice the half diagonal of a face.
    assert f"A.y×B.z, a product of edges, shows a gap of {2.875 - 8.0**0.5:.7f}" in missed.meaning
    shorter = last_words(by_faces(load_preset("faces-alone-say-apart").scene)).stop
    assert shorter is not None
    assert "the way out along A.y×B.z, a product of edges, is 0.0784271" in shorter.meaning
    touch = last_words(by_faces(load_preset("tetrahedra-kiss").scene)).stop
    assert touch is not None
    assert touch.meaning.endswith("of two edges, they touch.")
    assert not touch.good
