"""The overlay of the supporting half-space: all of A − B lies on its shaded side, at GJK's and EPA's steps alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.draw.draw_list import DrawList, Layer
from app.draw.theme import DARK
from app.io.presets import load_preset
from app.lessons.shelf import shelf
from app.overlays.context import Context
from app.render.pictures import build
from app.stages import parts_of
from app.state.view import WHOLE, View
from core.analysis.analysis import analyse
from core.query.query import Moment, Phase, Query, query

from .window_rig import Driver, driver

__all__ = ["driver"]

SHOWN = View(shown=frozenset({"supporting", "difference"}))


def drawn(found: Query, place: int, view: View, part: str = WHOLE) -> DrawList:
    scene = found.analysis.scene
    return build(Context(scene, found.analysis, view, DARK, query=found, place=place, part=part)).difference


def differences(found: Query) -> np.ndarray:
    a, b = (
        body.pose.to_world(np.array(body.shape.core.points))
        for body in (found.analysis.scene.a, found.analysis.scene.b)
    )
    return (a[:, None] - b).reshape(-1, 3)


def bounding(moment: Moment) -> bool:
    step = moment.step
    return moment.phase in (Phase.GJK, Phase.EPA) and step.support is not None and step.closest is not None


@pytest.mark.parametrize("name", ["flat-gjk-walk", "flat-epa-growth", "crossed-edges", "skew-edges"])
def test_all_of_the_difference_lies_on_the_shaded_side(name: str) -> None:
    found = query(analyse(load_preset(name).scene))
    corners, tested = differences(found), 0
    for place, moment in enumerate(found.moments):
        plain, shown = (drawn(found, place, view) for view in (View(shown=SHOWN.shown - {"supporting"}), SHOWN))
        if not bounding(moment):
            assert len(shown.sheets) == len(plain.sheets)
            continue
        point, tested = moment.step.support, tested + 1
        edge = next(lines for lines in shown.segments if lines.layer is Layer.GROUND)
        assert (np.concatenate((edge.start, edge.end)) @ point.direction).max() == pytest.approx(
            point.w @ point.direction
        )
        assert (corners @ point.direction).max() <= point.w @ point.direction + 1e-9
        # The shade lies on that side too.
        before = {sheet.points.tobytes() for sheet in plain.sheets}
        shade = np.concatenate([sheet.points for sheet in shown.sheets if sheet.points.tobytes() not in before])
        assert (shade @ point.direction).max() <= point.w @ point.direction + 1e-9
        assert len(shown.labels) == len(plain.labels) + 1
        if found.analysis.polygon is not None:
            # The line's band on the far side would contradict the shade.
            beyond = [(sheet.points @ point.direction).max() for sheet in shown.sheets]
            assert max(beyond) <= point.w @ point.direction + 1e-9
    assert tested


def test_the_line_crosses_every_pane_and_tells_why_gjk_stops() -> None:
    found = query(analyse(load_preset("flat-gjk-walk").scene))
    steps = [place for place, moment in enumerate(found.moments) if moment.phase is Phase.GJK]
    line = next(lines for lines in drawn(found, steps[0], SHOWN).segments if lines.layer is Layer.GROUND)
    size = np.abs(differences(found)).max()
    assert np.abs(line.start - line.end).max() > 20.0 * size
    texts = [[label.text for label in drawn(found, place, SHOWN).labels] for place in steps]
    assert "line through w₁" in texts[0]
    assert "w₃ is no farther along d than v" in texts[-1]


def test_it_waits_until_the_point_is_found() -> None:
    found = query(analyse(load_preset("flat-gjk-walk").scene))
    place = next(place for place, moment in enumerate(found.moments) if moment.phase is Phase.GJK)
    known = {
        part.name: any(lines.layer is Layer.GROUND for lines in drawn(found, place, SHOWN, part.name).segments)
        for part in parts_of(found, found.moments[place])
    }
    assert {name for name, there in known.items() if there} == {"lower", "bounds"}


def test_a_lesson_sees_the_origin_from_near_and_the_next_steps_the_edge_that_they_name(driver: Driver) -> None:
    app = driver.app
    app.lessons.begin(next(lesson for lesson in shelf() if lesson.id == "gjk-walks"), "leaves")
    driver.frame(4)
    far = app.work.view.difference.distance
    app.lessons.next()
    driver.frame(4)
    near = app.work.view.difference
    assert near.distance < 0.5 * far
    pane, step = driver.pane("difference"), app.steps.moment.step
    points = np.array([np.zeros(3), step.closest, step.support.w])
    x, y, _ = pane.projection.project(points).T
    for place, size in ((x, pane.rect.width), (y, pane.rect.height)):
        assert ((place > 0.0) & (place < size)).all()
    assert np.hypot(x[1] - x[0], y[1] - y[0]) > 0.3 * min(pane.rect.width, pane.rect.height)
    app.lessons.next()
    driver.frame(4)
    driver.key("Right")
    pane, found = driver.pane("difference"), app.steps.moment.step.simplex
    x, y, _ = pane.projection.project(np.array([point.w for point in found])).T
    for place, size in ((x, pane.rect.width), (y, pane.rect.height)):
        assert ((place > 0.0) & (place < size)).all(), "v is on the edge w₀w₃"
