"""Meshes that load beside the window: it goes on, what is on its way is given up, and huge hulls are simplified."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from app.io.mesh_file import STAGES, load_hull
from app.io.presets import default_scene
from app.io.scene_file import save
from app.state.panel_state import Loading
from app.state.requests import Answer, CancelLoading, Open
from app.state.view import View
from core.shapes import Hull

from .patience import PATIENCE, wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]


def ball(points: int, path: Path) -> Path:
    """An OBJ file of points on a sphere."""
    rows = np.random.default_rng(points).normal(size=(points, 3))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    path.write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in rows.tolist()))
    return path


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Meshes are not waited for, and wait themselves before their hull is built."""
    go = threading.Event()

    def slow(path, most, tell):
        tell(STAGES[2])
        go.wait(PATIENCE)
        return load_hull(path, most, tell)

    monkeypatch.setattr("app.controllers.mesh_loading.AT_ONCE", 0.0)
    monkeypatch.setattr("app.controllers.mesh_loading.load_hull", slow)
    return go


def loaded(driver: Driver) -> bool:
    driver.frame()
    return driver.app.files.meshes.shown is None


def test_a_mesh_loads_beside_the_window_which_goes_on(driver: Driver, tmp_path: Path, held: threading.Event) -> None:
    app, path = driver.app, ball(60, tmp_path / "ball.obj")
    app.apply(Open(path))
    wait_for(lambda: app.files.meshes.shown == Loading("ball.obj", STAGES[2], 1, 1), "the hull is begun")
    assert app.panel_state().loading is not None
    before = app.work.scene.b.position
    driver.drag(driver.on_b, (500.0, 400.0))
    assert app.work.scene.b.position != before
    position, a = app.work.scene.b.position, app.work.scene.a
    assert app.draw_frame() is not None
    held.set()
    wait_for(lambda: loaded(driver), "the mesh is there")
    assert app.work.scene.a == a
    assert app.work.scene.b.position == position
    assert len(app.work.scene.b.shape.points) == 60


def test_a_mesh_that_is_there_waits_until_a_drag_ends(driver: Driver, tmp_path: Path, held: threading.Event) -> None:
    app, path = driver.app, ball(30, tmp_path / "ball.obj")
    app.apply(Open(path))
    driver.drag(driver.on_b, (500.0, 400.0), release=False)
    held.set()
    wait_for(lambda: app.files.meshes._job.done, "the mesh is there")
    driver.frame()
    assert not isinstance(app.work.scene.b.shape, Hull)
    driver.release(500.0, 400.0)
    driver.frame()
    assert isinstance(app.work.scene.b.shape, Hull)


@pytest.mark.parametrize("way", ["button", "Escape", "another file", "a preset"])
def test_loading_is_given_up(driver: Driver, tmp_path: Path, held: threading.Event, way: str) -> None:
    app, path = driver.app, ball(30, tmp_path / "ball.obj")
    scene = tmp_path / "pair.json"
    save(scene, default_scene().scene, View())
    app.apply(Open(path))
    threads = [each for each in threading.enumerate() if each.name == "hulls"]
    assert threads
    if way == "button":
        app.apply(CancelLoading())
    elif way == "Escape":
        driver.key("Escape")
    elif way == "another file":
        app.apply(Open(scene))
    else:
        driver.key("]")
    assert app.files.meshes.shown is None
    told = [notice.message for notice in app.notices.now()]
    assert told == (["ball.obj was not loaded."] if way in ("button", "Escape") else [])
    before = app.work.scene
    held.set()
    for thread in threads:
        thread.join(PATIENCE)
    driver.frame(2)
    assert app.work.scene == before


def test_a_second_mesh_takes_the_first_ones_place(driver: Driver, tmp_path: Path, held: threading.Event) -> None:
    app = driver.app
    for points in (30, 40):
        app.apply(Open(ball(points, tmp_path / f"{points}.obj")))
    held.set()
    wait_for(lambda: loaded(driver), "the mesh is there")
    assert len(app.work.scene.b.shape.points) == 40
    assert app.work.document.undo_label == "Hull from 40.obj"


def test_above_the_limit_fewer_corners_are_offered(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.io.mesh_file.MOST_POINTS", 300)
    monkeypatch.setattr("app.controllers.mesh_loading.OFFERED", (100, 50))
    app, path = driver.app, ball(400, tmp_path / "ball.obj")
    before = app.work.scene
    monkeypatch.setattr("app.controllers.mesh_loading.AT_ONCE", 0.0)
    app.apply(Open(path))
    following = app.draw_frame()
    while app.questions.pending is None:
        assert following is not None
        following = app.draw_frame()
    # A question is seen in the frame after.
    assert following is not None
    monkeypatch.setattr("app.controllers.mesh_loading.AT_ONCE", PATIENCE)
    asked = app.questions.pending
    assert asked is not None
    assert asked.message.startswith("ball.obj: its hull must have at most 300 corners, got 400.")
    assert [choice.id for choice in asked.choices] == ["100", "50", "none"]
    app.apply(Answer("none"))
    assert app.work.scene == before
    app.apply(Open(path))
    app.apply(Answer("100"))
    hull = app.work.scene.b.shape
    assert len(hull.points) == 100
    rows = np.loadtxt(path, usecols=(1, 2, 3))
    heights = rows @ hull.polyhedron.normals.T - hull.polyhedron.offsets
    told = app.notices.now()[-1].message
    assert told.startswith(
        "B is now the hull of ball.obj: 100 corners of 400 points. Simplified from 400: it lies inside"
    )
    # The farthest corner's nearest point lies within the face that it is highest over.
    assert float(told.split()[-3]) == pytest.approx(heights.max(axis=1).max(), rel=0.01)


def test_the_command_line_says_how_many_corners_are_enough(driver: Driver, tmp_path: Path) -> None:
    driver.app.open_first(ball(200, tmp_path / "ball.obj"), 50)
    assert len(driver.app.work.scene.b.shape.points) == 50
