"""A mesh that is not convex is answered by its hull, and every place that tells a number about it says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.cli.report import to_text
from app.io.mesh_file import load_hull
from app.io.scene_file import write
from app.panels.answers import number_values
from app.panels.viewport_top import verdict_in_short
from app.words.axis_words import verdict_line
from core import collide, distance
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Box, Hull, MeshSource, mesh_source, sharp_of

from .asked import of
from .command_rig import run
from .panel_rig import Rig, panel_state, rig
from .window_rig import Driver, driver

__all__ = ["driver", "rig"]

FACES = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))


def cube(number: int) -> str:
    """A unit cube in an OBJ's letters, from x = 3 `number` on."""
    points = [(3 * number + x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    lines = [f"o cube{number}", *(f"v {x} {y} {z}" for x, y, z in points)]
    return "\n".join([*lines, *(f"f {' '.join(str(8 * number + c) for c in face)}" for face in FACES), ""])


TWO_CUBES = cube(0) + cube(1)
OF = "of the hull of two_cubes.obj"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two_cubes.obj"
    path.write_text(TWO_CUBES)
    return path


@pytest.fixture
def between(file: Path) -> Scene:
    """The hull of both cubes and a box in the middle of their gap."""
    return Scene(Body(load_hull(file).hull), Body(Box((0.5, 0.5, 0.5)), (2.0, 0.5, 0.5)), "Between")


@pytest.mark.parametrize("y", [0.5, 1.25, 3.0])
def test_the_verdict_says_whose_hull_it_is_about(between: Scene, y: float) -> None:
    scene = between.with_body(1, replace(between.b, position=(2.0, y, 0.5)))
    analysis = analyse(scene)
    for told in (verdict_line(analysis), verdict_in_short(analysis)):
        assert told.endswith(OF)
    text = to_text(analysis, None, scene.name)
    assert [OF in line for line in text.splitlines()[1:3]] == [True, True]
    for answer in (analysis, distance(scene.a, scene.b), collide(scene.a, scene.b)):
        assert OF in repr(answer)
    plain = analyse(scene.with_body(0, Body(Hull(sharp_of(scene.a.shape)[0].points))))
    assert (plain.separation, OF in verdict_line(plain)) == (analysis.separation, False)


def test_the_values_of_the_panel_say_it(between: Scene) -> None:
    ui = panel_state(between)
    assert sum(OF in value.shown for value in number_values(ui.analysis, ui.theme)) == 1


def test_check_says_it_in_text_and_json(between: Scene, tmp_path: Path) -> None:
    path = tmp_path / "between.json"
    path.write_text(write(between))
    for options in ([], ["--brief"]):
        assert run("check", *options, path).stdout.count(OF) >= 1
    for options in (["--json"], ["--json", "--fields", "separation"], ["--json", "--brief"]):
        answer = json.loads(run("check", *options, path).stdout)
        assert answer["hull_of"] == {"a": {"file": "two_cubes.obj", "parts": 2}}
    path.write_text(write(between.with_body(0, between.b)))
    assert "hull_of" not in json.loads(run("check", "--json", path).stdout)


def test_moving_and_scaling_keep_it_and_other_points_or_another_shape_remove_it(rig: Rig, between: Scene) -> None:
    ui = panel_state(between)
    rig.settle(ui)
    assert mesh_source(between.a.shape) == MeshSource("two_cubes.obj", 2)

    def typed(label: str, number: str) -> Scene:
        rig.click(ui, label)
        rig.type(ui, number)
        (edit,) = of("edit", rig.click(ui, "Copy pose"))
        return edit.scene

    for label in ("##position0", "##scale0", "##border_radius0"):
        assert typed(label, "0.5").of_hulls == OF, label
    rig.click(ui, "Paste points …")
    rig.type(ui, "0 0 0\n1 0 0\n0 1 0\n0 0 1")
    (edit,) = of("edit", rig.click(ui, "Use these points"))
    assert edit.scene.of_hulls == ""


def test_a_mesh_that_is_opened_says_it_in_the_window(driver: Driver, file: Path) -> None:
    app = driver.app
    app.ask.select(0)
    app.ask.open(file)
    driver.frame(4)
    assert app.work.scene.of_hulls == OF
    assert app.notices.now()[-1].message.endswith(
        "The mesh has 2 parts: its hull is used, of which the mesh fills 50 %."
    )
