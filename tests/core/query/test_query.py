"""A query's run of GJK and EPA: the analysis' own under the default settings, one of its own under others."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, with_setting
from core.analysis.analysis import LIMITED, analyse
from core.gjk.gjk_epa import signed_distance_steps
from core.pair.support import support_maps
from core.query.query import Phase, query
from core.scene import Body, Scene
from core.shapes import Box, Cone, Ellipsoid, HalfSpace
from core.trace import record

APART = Scene(Body(Ellipsoid((1.0, 2.0, 0.5))), Body(Box((1.0, 1.0, 1.0)), (2.5, 0.4, 0.1)))
DEEP = Scene(Body(Box((2.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (0.6, 0.3, 0.2)))


def gjk_epa_steps(asked):
    return [moment.step for moment in asked.moments if moment.phase in (Phase.GJK, Phase.EPA)]


@pytest.mark.parametrize("scene", [APART, DEEP])
def test_under_the_default_settings_it_is_the_analysis_own_run(scene: Scene) -> None:
    analysis = analyse(scene)
    asked = query(analysis)
    assert analysis.gjk_epa is not None
    assert asked.distance is analysis.gjk_epa.result
    assert asked.distance.gjk is analysis.gjk
    assert asked.distance.epa is analysis.epa
    assert gjk_epa_steps(asked) == list(analysis.gjk_epa.steps)


@pytest.mark.parametrize("scene", [APART, DEEP])
def test_the_run_kept_is_what_a_fresh_one_finds(scene: Scene) -> None:
    closing = analyse(scene).gjk_epa
    fresh = record(signed_distance_steps(support_maps(scene.a, scene.b)))
    assert closing is not None
    assert closing.result is not None
    assert fresh.result is not None
    assert closing.result.separation == fresh.result.separation
    assert [repr(step) for step in closing.steps] == [repr(step) for step in fresh.steps]


@pytest.mark.parametrize(
    ("path", "value"), [("gjk.iterations", 2), ("epa.iterations", 1), ("rounded", "full"), ("gjk.gap", 1e-3)]
)
def test_under_a_changed_setting_it_runs_anew(path: str, value: object) -> None:
    analysis = analyse(DEEP)
    asked = query(analysis, with_setting(DEFAULT_SETTINGS, path, value))
    assert analysis.gjk_epa is not None
    assert asked.distance is not analysis.gjk_epa.result


def test_with_a_warm_start_it_runs_anew_only_if_there_is_one() -> None:
    analysis, settings = analyse(APART), replace(DEFAULT_SETTINGS, warm_start=True)
    first = query(analysis, settings)
    assert analysis.gjk_epa is not None
    assert first.distance is analysis.gjk_epa.result
    second = query(analysis, settings, first.warm_start)
    assert second.distance is not first.distance
    assert len(gjk_epa_steps(second)) < len(gjk_epa_steps(first))


def test_while_live_the_steps_end_where_the_answer_s_do() -> None:
    # Coaxial cones one in the other: EPA reaches its limit.
    scene = Scene(Body(Cone(1.0, 2.0)), Body(Cone(0.9, 1.7), (0.0, 0.1, 0.0)))
    live = analyse(scene, LIMITED)
    asked = query(live)
    assert asked.distance is not None
    assert asked.distance.epa is live.epa
    assert len(gjk_epa_steps(asked)) <= len(gjk_epa_steps(query(analyse(scene))))


def test_a_half_space_has_no_run() -> None:
    analysis = analyse(Scene(Body(Box((1.0, 1.0, 1.0))), Body(HalfSpace((0.0, 1.0, 0.0), -0.4))))
    assert analysis.gjk_epa is None
    assert query(analysis).distance is None
