"""Meshes that load beside the window: it goes on, what is on its way is given up, and huge hulls are simplified."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.io.mesh_file import STAGES, load_hull
from app.io.presets import default_scene
from app.io.scene_file import Loaded, save
from app.io.simpler_scene import load_simpler
from app.state.panel_state import Loading
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

    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", 0.0)
    monkeypatch.setattr("app.controllers.mesh_loading.load_hull", slow)
    return go


def loaded(driver: Driver) -> bool:
    driver.frame()
    return driver.app.files.meshes.shown is None


def test_a_mesh_loads_beside_the_window_which_goes_on(driver: Driver, tmp_path: Path, held: threading.Event) -> None:
    app, path = driver.app, ball(60, tmp_path / "ball.obj")
    app.ask.open(path)
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
    app.ask.open(path)
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
    app.ask.open(path)
    threads = [each for each in threading.enumerate() if each.name == "hulls"]
    assert threads
    if way == "button":
        app.ask.cancel_loading()
    elif way == "Escape":
        driver.key("Escape")
    elif way == "another file":
        app.ask.open(scene)
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
        app.ask.open(ball(points, tmp_path / f"{points}.obj"))
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
    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", 0.0)
    app.ask.open(path)
    following = app.draw_frame()
    while app.questions.pending is None:
        assert following is not None
        following = app.draw_frame()
    # A question is seen in the frame after.
    assert following is not None
    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", PATIENCE)
    asked = app.questions.pending
    assert asked is not None
    assert asked.message.startswith("ball.obj: its hull must have at most 300 corners, got 400.")
    assert [choice.id for choice in asked.choices] == ["100", "50", "none"]
    app.ask.answer("none")
    assert app.work.scene == before
    app.ask.open(path)
    app.ask.answer("100")
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


def polygon(points: int) -> dict:
    turn = np.linspace(0.0, 2.0 * np.pi, points, endpoint=False)
    return {"type": "polygon", "points": np.column_stack((np.cos(turn), np.sin(turn))).tolist()}


def hull(points: int) -> dict:
    rows = np.random.default_rng(points).normal(size=(points, 3))
    return {"type": "hull", "points": (rows / np.linalg.norm(rows, axis=1)[:, None]).tolist()}


def box_of_points(points: int) -> dict:
    rows = np.random.default_rng(1).uniform(-1.0, 1.0, size=(points - 8, 3))
    return {"type": "hull", "points": [*itertools.product((-1.0, 1.0), repeat=3), *rows.tolist()]}


def pair(path: Path, **shapes: dict) -> Path:
    """A scene file; what is not given is a small shape of the same dimension."""
    flat = any(shape["type"] == "polygon" for shape in shapes.values())
    plain = {"type": "circle", "radius": 1.0} if flat else {"type": "sphere", "radius": 1.0}
    bodies = {
        key: {"shape": shapes.get(key, plain), "position": [place, 0.0, 0.0][: 2 if flat else 3]}
        for key, place in (("a", 0.0), ("b", 3.0))
    }
    path.write_text(json.dumps({"separatrix": 1, "name": "Many", "dimension": 2 if flat else 3, **bodies}))
    return path


@pytest.mark.parametrize(
    ("shapes", "choice", "refused", "told"),
    [
        (
            {"b": hull(400)},
            "200",
            "b.shape.points: must have at most 300 points, got 400",
            "B's hull has 200 corners of",
        ),
        ({"a": hull(400), "b": hull(350)}, "50", "a.shape.points: must have", "A's hull has 50 corners of 400 points."),
        ({"a": box_of_points(400)}, "50", "a.shape.points: must have", "A's hull has 8 corners of 400 points."),
        (
            {"b": polygon(2001)},
            "1000",
            "at most 2,000 points, got 2,001",
            "B's polygon has 1,000 corners of 2,001 points.",
        ),
    ],
)
def test_a_scene_with_too_many_points_is_offered_with_fewer(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shapes: dict, choice: str, refused: str, told: str
) -> None:
    for module in ("shape_file", "simpler_scene"):
        monkeypatch.setattr(f"app.io.{module}.MOST_POINTS", 300)
    app, path = driver.app, pair(tmp_path / "pair.json", **shapes)
    before, original = app.work.scene, path.read_bytes()
    app.ask.open(path)
    driver.frame(2)
    asked = app.questions.pending
    assert asked is not None
    assert refused in asked.message
    assert choice in [each.id for each in asked.choices]
    app.ask.answer("none")
    assert app.work.scene == before
    app.ask.open(path)
    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", PATIENCE)
    app.ask.answer(choice)
    assert app.work.scene.name == "Many"
    notices = [notice.message for notice in app.notices.now()]
    assert any(notice.startswith(told) for notice in notices)
    for key, shape in shapes.items():
        kept, points = np.array(app.work.scene.body("ab".index(key)).shape.points), np.array(shape["points"])
        assert set(map(tuple, kept.tolist())) <= set(map(tuple, points.tolist()))
        words = next(notice for notice in notices if notice.startswith(key.upper())).split()
        off = float(words[-3]) if "inside" in words else 0.0
        # How far the true shape reaches beyond, in many directions, is never more than that.
        ways = np.random.default_rng(2).normal(size=(500, points.shape[1]))
        ways /= np.linalg.norm(ways, axis=1)[:, None]
        beyond = ((ways @ points.T).max(axis=1) - (ways @ kept.T).max(axis=1)).max()
        assert 0.5 * off <= beyond <= 1.01 * off + 1e-12
    # Saving asks for another file, and nothing was written.
    assert app.work.document.path is None
    assert path.read_bytes() == original


def test_a_simpler_scene_does_not_take_the_place_of_unsaved_work(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, go = driver.app, threading.Event()

    def slow(path: Path, most: int, tell: Callable[[str], None]) -> Loaded:
        go.wait(PATIENCE)
        return load_simpler(path, most, tell)

    monkeypatch.setattr("app.io.simpler_scene.load_simpler", slow)
    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", 0.0)
    app.ask.open(pair(tmp_path / "pair.json", b=polygon(2100)))
    app.ask.answer("1000")
    driver.frame(3)
    driver.drag(driver.on_b, (500.0, 400.0))
    mine = app.work.scene
    assert app.work.document.unsaved
    go.set()
    wait_for(lambda: loaded(driver), "the scene is there")
    assert app.work.scene == mine
    asked = app.questions.pending
    assert asked is not None
    assert asked.title == "Unsaved changes"
    app.ask.answer("discard")
    assert app.work.scene.name == "Many"


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ([[0.0, 0.0]] * 2000 + [["x", 1.0]], "b.shape.points[2000][0]: must be a number"),
        ([[float(k % 3), float(k % 2)] for k in range(2001)], "b.shape.points: must go around a convex polygon"),
        ([[0.0, 0.0]] * 2000 + [[1e300, 1.0]], "b.shape.points[2000][0]: must lie within"),
    ],
)
def test_what_cannot_be_simplified_is_refused_by_its_place(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, points: list, fault: str
) -> None:
    app, before = driver.app, driver.app.work.scene
    app.ask.open(pair(tmp_path / "pair.json", b={"type": "polygon", "points": points}))
    monkeypatch.setattr("app.controllers.mesh_loading.WAIT_SECONDS", PATIENCE)
    if app.questions.pending is not None:
        app.ask.answer("200")
    assert fault in app.notices.now()[-1].message
    assert app.work.scene == before
