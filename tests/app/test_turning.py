"""A handout's picture turned by whoever reads it, in a browser engine: beside the layout's own from the same side."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from math import radians
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Marker
from app.draw.layout import lay_out
from app.draw.placed import PlacedPane
from app.draw.text import measure
from app.draw.theme import theme_named
from app.draw.turnable import TurnablePane
from app.export.handout import Page, handout_bytes
from app.export.svg import Definitions
from app.export.turning import LARGEST, turning_script
from app.io.presets import load_preset
from app.render.film import FilmSize, Shots, of_steps
from app.render.frame import FrameBuilder
from app.render.still import planned, vector_picture
from app.stages.placed_steps import PlacedStep
from app.state.export_options import PAGE_POINTS
from app.state.view import Seen, View
from core.analysis.analysis import analyse
from core.geometry.vector import Array
from core.query.query import query

from .command_rig import SCENES, run
from .test_extremes import PAIRS, some_scene

pytestmark = pytest.mark.nightly("pictures")

PRESETS = ("skew-edges", "stacked-cubes", "containment", "sphere-face-region", "ellipsoids")
PLACES = (-1, 3)
KEYS = 7
"""Presses of Shift and the right arrow, and as many of the upper one less two."""
WHOLE_TURN = 72
NEAR = 0.6
"""Fine pixels, of two to a point, that a point may be from where the layout has it: its coordinates are rounded."""
VIEWS = (
    "[...document.querySelectorAll('.shown .turned g[stroke-linejoin]')].filter(view=>view.parentNode.hasAttribute"
    "('clip-path')).map(view=>[view.getAttribute('transform'),[...view.querySelectorAll('path[stroke-linecap]')]"
    ".map(path=>path.getAttribute('d')),[...view.querySelectorAll('g[transform]')].filter(mark=>!mark.querySelector"
    "('text')).map(mark=>mark.getAttribute('transform'))])"
)
SHOWN = (
    "document.querySelector('.shown svg').classList.contains('turning'),document.querySelector('.shown button').hidden"
)
STATE = f"[{SHOWN}]"


def pages_of(preset: str) -> tuple[list[Page], list[list[TurnablePane]], bytes]:
    loaded = load_preset(preset)
    answer = Seen(loaded.scene, analyse(loaded.scene), loaded.view or View(), theme_named("print"))
    source = of_steps(answer, query(answer.analysis), [PlacedStep(place) for place in PLACES], 1.0)
    shots = Shots(source, FilmSize(*PAGE_POINTS))
    pictures, panes = [], []
    for plan in shots.plans():
        pictures.append(vector_picture(plan)())
        panes.append(shots.turnable())
    pages = [Page(str(k), str(k), "") for k in range(len(PLACES))]
    return pages, panes, handout_bytes(pages, pictures, preset, "{}", answer.theme, "", panes)


def pressed(key: str, times: int) -> str:
    event = f"new KeyboardEvent('keydown',{{key:'{key}',shiftKey:true}})"
    return f"([...Array({times})].forEach(()=>dispatchEvent({event})),0)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("turning")


@pytest.fixture(scope="module")
def panes(folder: Path) -> dict[str, list[list[TurnablePane]]]:
    """The panes of each preset's pages, whose handouts are then in the folder."""
    found = {}
    for preset in PRESETS:
        _, found[preset], data = pages_of(preset)
        (folder / f"{preset}.html").write_bytes(data)
    assert run("handout", SCENES / "flat-one-gap.json", "-o", folder / "flat.html").returncode == 0
    return found


@pytest.fixture(scope="module")
def found(folder: Path, panes: dict[str, list[list[TurnablePane]]]) -> dict[str, Any]:
    """Every answer by its name, and `console`."""
    orders: list[tuple[str, list[object]]] = []

    def ask(name: str, verb: str, *arguments: object) -> None:
        orders.append((name, [verb, *arguments]))

    for preset in panes:
        for page in range(len(PLACES)):
            ask("", "open", str(folder / f"{preset}.html"), f"step={page}")
            # A picture is taken when all is drawn, and so is the script's data unpacked.
            ask("", "picture", str(folder / "first.png"))
            ask("", "js", pressed("ArrowRight", WHOLE_TURN))
            ask("", "picture", str(folder / "first.png"))
            ask(f"{preset} {page} first", "js", VIEWS)
            ask("", "js", pressed("ArrowRight", KEYS))
            ask("", "js", pressed("ArrowUp", KEYS - 2))
            ask("", "picture", str(folder / "turned.png"))
            ask(f"{preset} {page} turned", "js", VIEWS)
    ask("", "open", str(folder / f"{PRESETS[0]}.html"))
    ask("", "pdf", str(folder / "before.pdf"))
    ask("at first", "js", STATE)
    # A finger that goes up or down scrolls the page.
    ask("touch", "js", "getComputedStyle(document.querySelector('.shown svg')).touchAction")
    ask("", "drag", 200, 300, 260, 280)
    ask("dragged", "js", STATE)
    ask("dragged views", "js", VIEWS)
    ask("", "pdf", str(folder / "after.pdf"))
    ask("", "key", "Right")
    ask("next step", "js", STATE)
    ask("", "js", "(document.querySelector('.shown .turn button').click(),0)")
    ask("back", "js", STATE)
    ask("", "swipe", 200, 300, 320, 304)
    ask("swiped", "js", STATE)
    ask("", "open", str(folder / "flat.html"))
    ask("flat", "js", "document.querySelectorAll('.turn,.turns,.turned').length")
    (folder / "orders.json").write_text(json.dumps([order for _, order in orders]), "utf-8")
    command = [sys.executable, str(Path(__file__).with_name("browser.py")), "orders.json", "answers.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads((folder / "answers.json").read_text("utf-8"))
    named = {name: value for (name, _), value in zip(orders, answers["values"], strict=True) if name}
    return named | {"console": answers["console"]}


def numbers(text: str) -> Array:
    return np.array([float(part) for part in re.findall(r"-?\d+(?:\.\d+)?", text)]).reshape(-1, 2)


def layout_of(panes: list[TurnablePane], yaw: float, pitch: float) -> list[tuple[Array, PlacedPane]]:
    """The corner of each pane and inset on the page, and what the layout has in it from another side."""
    inside = [(pane, x, y, view) for pane in panes for x, y, view in pane.inside]
    views = [replace(view, camera=view.camera.orbited(yaw, pitch)) for _, _, _, view in inside]
    corners = [np.array((pane.rect.x + x, pane.rect.y + y)) for pane, x, y, _ in inside]
    return list(zip(corners, lay_out(views, measure, (0.0, 0.0, 0.0, 0.0)), strict=True))


def share_near(points: Array, others: Array) -> float:
    """The share of points (n, 2) that have one of the others within NEAR."""
    return float(np.mean([np.abs(others - point).max(axis=1).min() <= NEAR for point in points]))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("name", "turn"), [("first", (0, 0)), ("turned", (-5 * KEYS, 5 * KEYS - 10))])
def test_points_are_where_the_layout_has_them(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]], preset: str, name: str, turn: tuple[int, int]
) -> None:
    for page, of_page in enumerate(panes[preset]):
        views = found[f"{preset} {page} {name}"]
        wanted = layout_of(of_page, radians(turn[0]), radians(turn[1]))
        assert len(views) == len(wanted)
        for (corner, paths, marks), (place, placed) in zip(views, wanted, strict=True):
            assert numbers(corner)[0].tolist() == place.tolist()
            size = np.array((placed.width, placed.height))
            # Arrow heads are triangles among the layout's marks; a round body's outline is coarser here.
            points = placed.marks.centre[placed.marks.shape != Marker.TRIANGLE]
            if len(points):
                assert share_near(points, np.concatenate([numbers(mark) for mark in marks])) == 1.0
            ends = np.concatenate((placed.lines.start, placed.lines.end))
            ends = ends[((ends > 0.0) & (ends < size)).all(axis=1)]
            drawn = np.concatenate([numbers(path) for path in paths] or [np.zeros((1, 2))])
            if preset in ("skew-edges", "stacked-cubes", "containment"):
                assert share_near(ends, drawn) > 0.97


def test_it_turns_by_mouse_and_finger_and_comes_back(found: dict[str, Any]) -> None:
    assert found["console"] == []
    assert (found["at first"], found["dragged"]) == ([False, True], [True, False])
    # The turn stays from step to step.
    assert (found["next step"], found["back"]) == ([True, False], [False, True])
    assert found["touch"] == "pan-y pinch-zoom"
    assert found["swiped"] == [True, False]
    assert found["flat"] == 0


def test_the_first_view_is_printed(found: dict[str, Any], folder: Path) -> None:
    assert found
    before, after = (
        [page.render().to_numpy() for page in pypdfium2.PdfDocument(folder / name)]
        for name in ("before.pdf", "after.pdf")
    )
    assert len(before) == len(after) == len(PLACES)
    for one, other in zip(before, after, strict=True):
        assert (one == other).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_it_takes_little_room(panes: dict[str, list[list[TurnablePane]]], folder: Path, preset: str) -> None:
    assert panes
    script = (folder / f"{preset}.html").read_text("utf-8").rpartition("<script>")[2]
    assert "DecompressionStream" in script
    assert len(script) < LARGEST + 3000


def test_nothing_that_a_scene_may_hold_stops_it() -> None:
    rng = random.Random(7)
    for pair in PAIRS[::4]:
        scene = some_scene(rng, pair)
        seen = Seen(scene, analyse(scene), View(), theme_named("dark"))
        builder = FrameBuilder()
        picture = vector_picture(planned(seen, 320, 200, 1.0, builder=builder))()
        assert 0 < len(turning_script([builder.turnable()], [picture], Definitions())) <= LARGEST
