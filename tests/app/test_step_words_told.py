"""What single steps say: what was avoided, skipped, kept apart, begun with, or went wrong."""

from __future__ import annotations

import re

from app.io.presets import load_preset
from app.io.scene_file import load
from app.stages import step_text
from app.words.digits import plain
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.gjk.gjk import GjkSettings, GjkStep
from core.pair.candidate_axes import AxisKind
from core.query.query import Phase, Query, query
from core.sat.sat import SatStep
from core.sat.table import AxisStatus
from core.scene import Body, Scene
from core.shapes import Ellipsoid

from ..strategies import SCENES
from .step_word_samples import asked, every_text


def test_the_construction_counts_what_gjk_avoided() -> None:
    found = asked("skew-edges")
    last = [text for _, moment, text in every_text("skew-edges") if moment.phase is Phase.BUILD][-1]
    pairs = {
        (point.vertex_a, point.vertex_b)
        for moment in found.moments
        if isinstance(moment.step, GjkStep)
        for point in (*moment.step.simplex, *((moment.step.support,) if moment.step.support is not None else ()))
    }
    solid = found.analysis.difference
    assert solid is not None
    assert last.known == "64 differences computed."
    assert last.decided.startswith(f"{len(solid.core.vertices)} of them are corners of the hull")
    assert f"GJK asked for {len(pairs)} of all these" in last.why
    told = sum(int(word) for word in re.findall(r"for (\d+)", last.why))
    assert f"{64 - told} were not needed." in last.why


def test_the_construction_in_the_plane_counts_what_gjk_and_epa_avoided() -> None:
    texts = [text for _, moment, text in every_text("flat-worked-example") if moment.phase is Phase.BUILD]
    # Every edge of B is parallel to one of A: three edges are on at once, and nothing is left for B.
    assert [text.title.partition(": ")[2] for text in texts] == [*["subtract"] * 3, "edges of A", "the hull is closed"]
    assert texts[3].decided == (
        "The edges of A are added: 3 edges of the hull so far. "
        "3 of them are joined with a parallel edge of −B and as long as both together."
    )
    assert texts[-1].known == "9 differences computed."
    assert texts[-1].decided.startswith("3 of them are corners of the hull; the other 6 lie inside, on an edge, ")
    assert texts[-1].why.endswith("GJK asked for 2 of all these, EPA for 2 more: 5 were not needed.")


def test_an_edge_in_the_plane_that_the_origin_is_outside_of_tells_its_distance() -> None:
    found = query(analyse(load(str(SCENES / "planar" / "kiss-on-a-nearly-parallel-side.json")).scene))
    texts = [step_text(found, moment) for moment in found.moments if moment.phase is Phase.EPA]
    told = [formula.plain for text in texts for formula in text.formulas if formula.plain.startswith("−lower")]
    # The distance here is rounding, whose components would be told with many digits.
    assert told == ["−lower ≈ 0"]


def test_a_degenerate_row_says_why() -> None:
    found = asked("aligned boxes")
    texts = {
        moment.step.row: text for _, moment, text in every_text("aligned boxes") if isinstance(moment.step, SatStep)
    }
    degenerate = [k for k, status in enumerate(found.analysis.sat.statuses) if status is AxisStatus.DEGENERATE]
    assert degenerate
    for k in degenerate:
        assert "thick edges are parallel" in texts[k].decided
        assert "no direction" in texts[k].decided
        assert all(
            found.analysis.sat.candidates[j].label in texts[k].why for j in found.analysis.sat.candidates[k].covered_by
        )
        assert not texts[k].formulas


def test_the_first_gap_is_marked_once() -> None:
    texts = [text for _, moment, text in every_text("gap-between-corners") if moment.phase is Phase.SAT]
    assert sum("A yes-or-no test stops here." in text.why for text in texts) == 1


def test_hull_edge_pairs_give_their_reason_from_the_gauss_map() -> None:
    found = asked("two-hulls")
    edges = [
        text
        for _, moment, text in every_text("two-hulls")
        if isinstance(moment.step, SatStep) and found.analysis.sat.candidates[moment.step.row].kind is AxisKind.EDGES
    ]
    assert edges
    assert all("In the Gauss map" in text.why for text in edges)


def test_radii_kept_apart_are_told() -> None:
    texts = [text for _, moment, text in every_text("sphere and capsule") if moment.phase is Phase.GJK]
    said = f"The radii, {plain(0.8)} together"
    assert any("the distance of the cores" in text.why and said in text.why for text in texts)


def test_curved_surfaces_have_no_vertices_to_name() -> None:
    scene = Scene(Body(Ellipsoid((1.0, 0.6, 0.4)), (0.0, 0.0, 0.0)), Body(Ellipsoid((0.5, 0.5, 0.9)), (1.0, 0.4, 0.2)))
    found = query(analyse(scene), AlgorithmSettings())
    for moment in found.moments:
        assert not re.search(r"\.v-?\d", step_text(found, moment).known)


def test_where_the_first_simplex_comes_from_is_told() -> None:
    analysis = analyse(load_preset("skew-edges").scene)
    cold = query(analysis, AlgorithmSettings())

    def known(found: Query) -> str:
        return step_text(found, next(moment for moment in found.moments if moment.phase is Phase.GJK)).known

    assert "in the first direction, from A's position to B's." in known(cold)
    set_first = AlgorithmSettings(gjk=GjkSettings(first_direction=(0.0, 0.0, 1.0)))
    assert "which is set to (0, 0, 1)." in known(query(analysis, set_first))
    warm = query(analysis, AlgorithmSettings(warm_start=True), cold.warm_start)
    assert "Warm start" in known(warm)
    # Without a query before there is nothing to start from.
    assert "from A's position to B's." in known(query(analysis, AlgorithmSettings(warm_start=True)))
    coinciding = query(analyse(load_preset("coincident-centres").scene), AlgorithmSettings())
    assert "along x, as both positions coincide" in known(coinciding)


def test_gjk_takes_the_radii_off_in_the_end() -> None:
    found = asked("capsule-box-edge")
    stops = [
        text.stop for _, moment, text in every_text("capsule-box-edge") if moment.phase is Phase.GJK and moment.last
    ]
    assert stops[0] is not None
    # Cores apart, bodies overlapping: the sentence gives the answer, and a caption has it before all others.
    assert found.analysis.separation < 0.0
    assert stops[0].meaning.endswith(stops[0].answer)
    assert stops[0].answer.endswith(
        f"= {plain(found.analysis.separation)}: A and B overlap by {plain(-found.analysis.separation)}."
    )
