"""The whole query of the plane as one trace."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import Struct

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, AlgorithmSettings
from core.analysis.analysis import analyse
from core.gjk.article_gjk import ArticleStep, ArticleStop
from core.gjk.gjk import GjkSettings
from core.gjk.gjk_epa import signed_distance, signed_distance_steps
from core.gjk.plane_epa import EpaStop
from core.pair.support import support_maps
from core.query.query import Moment, Phase, query
from core.sat.sat import SatStep
from core.scene import Body, Scene
from core.shapes import Circle
from core.study.articles.plane import WORKED_EXAMPLE
from core.trace import run
from tests.core.planar_samples import FAMILIES, general, scenes, size_of, worked_example
from tests.selection import some


def test_the_worked_example_as_one_trace() -> None:
    settings = AlgorithmSettings(gjk=GjkSettings(first_direction=(0.0, 1.0, 0.0)))
    found = query(analyse(WORKED_EXAMPLE), settings)
    assert [(phase, count) for phase, _, count in found.phases] == [
        (Phase.PLANES, 6), (Phase.SAT, 6), (Phase.ARTICLE, 3),
        (Phase.GJK, 2), (Phase.EPA, 3), (Phase.CONTACTS, 5),
    ]  # fmt: skip
    article, own = worked_example()
    articles, ours = (
        [moment.step for moment in found.moments if moment.phase is phase] for phase in (Phase.ARTICLE, Phase.GJK)
    )
    assert [told(step) for step in articles] == [told(step) for step in article.steps]
    assert [told(step) for step in ours] == [told(step) for step in own.steps]
    assert isinstance(articles[-1], ArticleStep)
    assert articles[-1].stop is ArticleStop.ENCLOSED
    places = [place for _, place, _ in found.phases]
    assert [found.moments[place].index for place in places] == [0] * 6
    assert all(found.moments[place - 1].last for place in places[1:])


@pytest.mark.parametrize(
    "settings", [AlgorithmSettings(article=False), DEFAULT_SETTINGS, AlgorithmSettings(third_point=True)]
)
def test_every_scene_has_a_trace_that_agrees_with_its_analysis(settings: AlgorithmSettings) -> None:
    for scene in scenes(180, 20, FAMILIES):
        analysis = analyse(scene)
        found = query(analysis, settings)
        assert found.distance is not None
        assert found.distance.separation == pytest.approx(analysis.separation, abs=1e-12 * size_of(scene))
        assert found.manifold is not None
        assert analysis.contacts is not None
        assert told(found.manifold) == told(analysis.contacts)
        articles = [moment.step for moment in found.moments if moment.phase is Phase.ARTICLE]
        assert bool(articles) is settings.article
        assert all(isinstance(step, ArticleStep) and step.stop is not None for step in articles[-1:])
        assert_best_so_far(found.moments)


def told(value: object) -> object:
    """All that a step or a result holds, as plain numbers and words."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [told(part) for part in value]
    if isinstance(value, Struct):
        return type(value), [told(getattr(value, name)) for name in value.__struct_fields__]
    return value


def assert_best_so_far(moments: tuple[Moment, ...]) -> None:
    steps = [moment.step for moment in moments if isinstance(moment.step, SatStep)]
    known = [step.separation for step in steps if step.separation is not None]
    if known:
        assert steps[-1].best is not None
        assert steps[steps[-1].best].separation == max(known)
    assert sum(step.first_gap for step in steps) <= 1


def test_a_circle_has_no_planes_and_may_be_asked_as_a_curve() -> None:
    analysis = analyse(Scene(Body.in_plane(Circle(1.0)), Body.in_plane(Circle(0.5), (0.25, 0.0))))
    core, full = (query(analysis, AlgorithmSettings(rounded=rounded, article=False)) for rounded in ("core", "full"))
    assert [phase for phase, _, _ in core.phases] == [Phase.SAT, Phase.GJK, Phase.CONTACTS]
    assert full.distance is not None
    assert full.distance.epa is not None
    assert full.distance.epa.stop in (EpaStop.CONVERGED, EpaStop.ITERATION_LIMIT)
    assert full.distance.lower <= analysis.separation + 1e-12
    assert analysis.separation <= full.distance.upper + 1e-12


def test_a_warm_start_ends_where_a_cold_one_does_and_sooner() -> None:
    saved = 0
    for scene in scenes(120, 57, (general,)):
        difference = support_maps(scene.a, scene.b)
        cold = signed_distance(difference)
        warm = run(signed_distance_steps(difference, start=cold.gjk.warm_start))
        assert warm.gjk.overlapping == cold.gjk.overlapping
        assert abs(warm.separation - cold.separation) <= 1e-12 * size_of(scene)
        saved += cold.gjk.iterations - warm.gjk.iterations
    assert saved > some(100)


def test_the_setting_and_the_last_query_make_the_warm_start_of_the_window() -> None:
    settings = AlgorithmSettings(warm_start=True)
    fewer = 0
    for scene in scenes(30, 58, (general,)):
        analysis = analyse(scene)
        first = query(analysis, settings)
        again = query(analysis, settings, first.warm_start)
        # Without the setting, or without another query before, all is as by default.
        plain = query(analysis, DEFAULT_SETTINGS, first.warm_start)
        assert [moment.phase for moment in first.moments] == [moment.phase for moment in plain.moments]
        assert first.distance is not None
        assert again.distance is not None
        assert abs(first.distance.separation - again.distance.separation) <= 1e-12 * size_of(scene)
        steps = [sum(moment.phase is Phase.GJK for moment in one.moments) for one in (first, again)]
        fewer += steps[1] < steps[0]
    assert fewer >= some(10)
