"""The hull that a body has, with fewer corners: asked for, found beside the window, and undone."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.controllers import mesh_loading
from core.scene import Body, Scene
from core.shapes import Box, Hull, Rounded, sharp_of

from .panel_rig import PAIR
from .window_rig import Driver, driver

__all__ = ["driver"]


def ball(count: int) -> Hull:
    rows = np.random.default_rng(1).normal(size=(count, 3))
    return Hull(tuple(map(tuple, (rows / np.linalg.norm(rows, axis=1)[:, None]).tolist())))


@pytest.fixture(autouse=True)
def _waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh_loading, "WAIT_SECONDS", 30.0)


def test_a_hull_keeps_fewer_corners_and_its_border_and_it_can_be_undone(driver: Driver) -> None:
    app, hull = driver.app, ball(300)
    before = Scene(Body(Rounded(hull, 0.1)), PAIR.b)
    app.ask.edit(before, "Ball")
    assert app.commands.named("hull.simplify_a").runs(app)
    assert not app.commands.named("hull.simplify_b").runs(app), "B is no hull"
    app.invoke("hull.simplify_a")
    asked = app.questions.pending
    assert asked is not None
    assert asked.message.startswith("A's hull has 300 corners.")
    assert [choice.id for choice in asked.choices] == ["200", "50", "none"]
    app.ask.answer("50")
    found, border = sharp_of(app.work.scene.a.shape)
    assert isinstance(found, Hull)
    assert (len(found.points), border) == (50, 0.1)
    assert set(found.points) <= set(hull.points)
    told = app.notices.now()[-1].message
    assert told.startswith("A has a simpler hull now: 50 corners of 300 points. Simplified from 300: it lies inside")
    heights = np.array(hull.points) @ found.polyhedron.normals.T - found.polyhedron.offsets
    assert float(told.split()[-3]) == pytest.approx(heights.max(axis=1).max(), rel=0.02)
    assert app.work.document.undo_label == "Simplify A's hull"
    app.invoke("edit.undo")
    assert app.work.scene == before


def test_a_hull_that_was_changed_meanwhile_stays_as_it_is(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(replace(PAIR, b=Body(ball(100), (3.0, 0.0, 0.0))), "Ball")
    app.invoke("hull.simplify_b")
    changed = replace(PAIR, b=Body(Box((1.0, 1.0, 1.0)), (3.0, 0.0, 0.0)))
    app.ask.edit(changed, "Box")
    app.ask.answer("50")
    assert app.work.scene == changed
    assert app.notices.now()[-1].message == "B's hull has been changed since."


def test_of_other_shapes_and_small_hulls_nothing_is_offered(driver: Driver) -> None:
    app = driver.app
    app.ask.edit(replace(PAIR, a=Body(ball(20))), "Small")
    for name in "ab":
        assert not app.commands.named(f"hull.simplify_{name}").runs(app)
    app.files.meshes.offer_simpler(1)
    assert app.questions.pending is None
