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

from app.draw.camera import Projection
from app.draw.draw_list import DrawList, Marker
from app.draw.layout import Viewport, in_view, lay_out
from app.draw.layout.frame import sides
from app.draw.text import measure
from app.draw.theme import theme_named
from app.draw.turnable import TurnablePane
from app.export.handout import Page, handout_bytes
from app.export.svg import Definitions
from app.export.turning import MOST_BYTES, turning_script
from app.io.presets import load_preset
from app.render.film import FilmSize, Shots, of_steps
from app.render.frame import FrameBuilder
from app.render.still import planned, vector_picture
from app.stages.placed_steps import PlacedStep
from app.state.export_options import PAGE_POINTS
from app.state.view import HATCH, Seen, View
from core.analysis.analysis import analyse
from core.geometry.vector import Array, length_rows
from core.query.query import query

from .command_rig import SCENES, run
from .test_extremes import PAIRS, some_scene
from .test_rail_beside import ROUND, surfaces

pytestmark = pytest.mark.nightly("pictures")

PRESETS = ("skew-edges", "stacked-cubes", "containment", "sphere-face-region", "ellipsoids")
PLACES = (-1, 3)
KEYS = 7
"""Presses of Shift and the right arrow, and as many of the upper one less two."""
WHOLE_TURN = 72
LEAST = 0.7
"""Least factor by which a picture becomes smaller as it turns."""
BAR = 14.0
"""Width of a rail's bar, fine pixels."""
NEAR = 0.6
"""Fine pixels, of two to a point, that a point may be from where the layout has it: its coordinates are rounded."""
VIEWS = (
    "[...document.querySelectorAll('.shown .turned g[stroke-linejoin]')].filter(view=>view.parentNode.hasAttribute"
    "('clip-path')).map(view=>[view.getAttribute('transform'),[...view.querySelectorAll('path[stroke-linecap]')]"
    ".map(path=>path.getAttribute('d')),[...view.querySelectorAll('g[transform]')].filter(mark=>!mark.querySelector"
    "('text')).map(mark=>mark.getAttribute('transform'))])"
)
BARS = "[...document.querySelectorAll('.shown .turned [stroke-width=\"14.00\"]')].map(bar=>bar.getAttribute('d'))"
"""The ends of the bars of rails, 7 points wide, A's before B's."""
RAILS = ("skew-edges", "stacked-cubes", "containment")
ROUNDS = [(-25 * k, 5 * min(k, 14 - k)) for k in range(1, 14)]
"""Yaws and pitches, degrees, by which pictures are turned: once round, up and down again."""
LEADERS = "document.querySelectorAll('.shown .turned path[stroke]:not([stroke-linecap],[fill],[d=\"\"])').length"
HATCHES = (
    "[...document.querySelectorAll('.shown .turned path[fill^=url]')]"
    ".map(path=>[path.getAttribute('fill'),path.getAttribute('d')])"
)
HATCHED = "skew-edges"
SQUEEZED, SMALL = "turning-boxes", (520, 300)
"""A preset whose second axis has no room for its rail in a small pane, so the layout shrinks and moves the rail."""
FIRST_BARS = (
    "[...document.querySelectorAll('.shown svg>:not(.turned) [stroke-width=\"14\"]')].map(bar=>bar.getAttribute('d'))"
)
SHOWN = (
    "document.querySelector('.shown svg').classList.contains('turning'),document.querySelector('.shown button').hidden"
)
STATE = f"[{SHOWN}]"


def pages_of(
    preset: str, *overlays: str, places: tuple[int, ...] = PLACES, size: tuple[int, int] = PAGE_POINTS
) -> tuple[list[Page], list[list[TurnablePane]], bytes]:
    loaded = load_preset(preset)
    view = loaded.view or View()
    view = replace(view, shown=view.shown.union(overlays))
    answer = Seen(loaded.scene, analyse(loaded.scene), view, theme_named("print"))
    source = of_steps(answer, query(answer.analysis), [PlacedStep(place) for place in places], 1.0)
    shots = Shots(source, FilmSize(*size))
    pictures, panes = [], []
    for plan in shots.plans():
        pictures.append(vector_picture(plan)())
        panes.append(shots.turnable())
    pages = [Page(str(k), str(k), "") for k in range(len(places))]
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
    _, found[HATCH], data = pages_of(HATCHED, HATCH)
    (folder / f"{HATCH}.html").write_bytes(data)
    _, found[SQUEEZED], data = pages_of(SQUEEZED, places=(4,), size=SMALL)
    (folder / f"{SQUEEZED}.html").write_bytes(data)
    assert run("handout", SCENES / "flat-one-gap.json", "-o", folder / "flat.html").returncode == 0
    return found


@pytest.fixture(scope="module")
def found(folder: Path, panes: dict[str, list[list[TurnablePane]]]) -> dict[str, Any]:
    """Every answer by its name, and `console`."""
    orders: list[tuple[str, list[object]]] = []

    def ask(name: str, verb: str, *arguments: object) -> None:
        orders.append((name, [verb, *arguments]))

    for preset in PRESETS:
        for page in range(len(PLACES)):
            ask("", "open", str(folder / f"{preset}.html"), f"step={page}")
            # A picture is taken when all is drawn, and so is the script's data unpacked.
            ask("", "picture", str(folder / "first.png"))
            ask("", "js", pressed("ArrowRight", WHOLE_TURN))
            ask("", "picture", str(folder / "first.png"))
            ask(f"{preset} {page} first", "js", VIEWS)
            ask(f"{preset} {page} leaders", "js", LEADERS)
            ask("", "js", pressed("ArrowRight", KEYS))
            ask("", "js", pressed("ArrowUp", KEYS - 2))
            ask("", "picture", str(folder / "turned.png"))
            ask(f"{preset} {page} turned", "js", VIEWS)
    for preset in RAILS:
        for page in range(len(PLACES)):
            ask("", "open", str(folder / f"{preset}.html"), f"step={page}")
            ask("", "picture", str(folder / "first.png"))
            for k, (_, pitch) in enumerate(ROUNDS):
                ask("", "js", pressed("ArrowRight", 5))
                ask("", "js", pressed("ArrowUp" if pitch > ROUNDS[k - 1][1] or not k else "ArrowDown", 1))
                ask("", "frames")
                ask(f"{preset} {page} bars {k}", "js", f"[{BARS},{VIEWS}]")
    ask("", "open", str(folder / f"{SQUEEZED}.html"))
    ask("squeezed", "js", FIRST_BARS)
    ask("", "picture", str(folder / "first.png"))
    ask("", "js", pressed("ArrowRight", WHOLE_TURN))
    ask("", "frames")
    ask("squeezed turned", "js", BARS)
    ask("", "open", str(folder / f"{HATCH}.html"), "step=0")
    ask("", "picture", str(folder / "first.png"))
    ask("", "js", pressed("ArrowRight", KEYS))
    ask("", "frames")
    ask("hatches", "js", HATCHES)
    ask("", "open", str(folder / f"{PRESETS[0]}.html"))
    ask("", "pdf", str(folder / "before.pdf"))
    ask("at first", "js", STATE)
    ask("", "drag", 200, 300, 260, 280)
    ask("dragged", "js", STATE)
    ask("dragged views", "js", VIEWS)
    ask("", "pdf", str(folder / "after.pdf"))
    ask("", "key", "Right")
    ask("next step", "js", STATE)
    ask("", "js", "(document.querySelector('.shown .turn button').click(),0)")
    ask("", "frames")
    ask("back", "js", STATE)
    ask("", "swipe", 200, 300, 320, 304)
    ask("swiped", "js", STATE)
    ask("", "js", "(document.querySelector('.shown .turn button').click(),0)")
    ask("", "resize", 700, 500)
    ask("", "swipe", 200, 300, 204, 180)
    ask("scrolled", "js", f"[scrollY>40,{STATE}]")
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


def views_of(panes: list[TurnablePane], yaw: float, pitch: float) -> list[tuple[Array, Viewport]]:
    """The corner of each pane and inset on the page, and its viewport from another side; angles in degrees."""
    turn = radians(yaw), radians(pitch)
    inside = [(pane, x, y, view) for pane in panes for x, y, view in pane.inside]
    return [
        (np.array((pane.rect.x + x, pane.rect.y + y)), replace(view, camera=view.camera.orbited(*turn)))
        for pane, x, y, view in inside
    ]


def share_near(points: Array, others: Array) -> float:
    """The share of points (n, 2) that have one of the others within NEAR."""
    return float(np.mean([np.abs(others - point).max(axis=1).min() <= NEAR for point in points]))


def factor_of(points: Array, drawn: Array, size: Array) -> float:
    """The factor by which the page draws a pane of `size` (2,) smaller, rather than cut it off, about its middle.

    `points` (n, 2): marks as the layout has them; `drawn` (n, 2): as the page has them.
    """
    middle = 0.5 * size
    arms = points - middle
    factors = length_rows(drawn[:1] - middle) / np.maximum(length_rows(arms), 1e-9)
    near = [float(factor) for factor in factors if LEAST < factor < 1.0]
    return max((1.0, *near), key=lambda factor: share_near(middle + factor * arms, drawn))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("name", "turn"), [("first", (0, 0)), ("turned", (-5 * KEYS, 5 * KEYS - 10))])
def test_points_are_where_the_layout_has_them(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]], preset: str, name: str, turn: tuple[int, int]
) -> None:
    for page, of_page in enumerate(panes[preset]):
        views, wanted = found[f"{preset} {page} {name}"], views_of(of_page, *turn)
        assert len(views) == len(wanted)
        for (corner, paths, marks), (place, view) in zip(views, wanted, strict=True):
            if name == "turned":
                # Rails have a rule of their own: see below.
                view = replace(view, draw=without_rails(view.draw))
            # The leaders of labels depend on the labels of earlier pages.
            view = replace(view, draw=replace(view.draw, labels=[]))
            (placed,) = lay_out([view], measure, (0.0, 0.0, 0.0, 0.0))
            assert numbers(corner)[0].tolist() == place.tolist()
            size = np.array((placed.width, placed.height))
            drawn = np.concatenate([np.zeros((0, 2)), *(numbers(path) for path in paths)])
            ends = np.concatenate((placed.lines.start, placed.lines.end))
            ends = ends[((ends > 0.0) & (ends < size)).all(axis=1)]
            # Arrow heads are triangles among the layout's marks; a round body's outline is coarser here.
            points = placed.marks.centre[placed.marks.shape != Marker.TRIANGLE]
            if len(points):
                at = np.concatenate([numbers(mark) for mark in marks])
                factor = factor_of(points, at, size)
                points, ends = (0.5 * size + factor * (each - 0.5 * size) for each in (points, ends))
                assert share_near(points, at) == 1.0
            if preset in ("skew-edges", "stacked-cubes", "containment"):
                assert share_near(ends, drawn) > 0.97


def without_rails(draw: DrawList) -> DrawList:
    rails = {number for number, group in enumerate(draw.groups) if group.bars}
    segments = [batch for batch in draw.segments if not (set(np.ravel(batch.group).tolist()) & rails)]
    return replace(draw, segments=segments)


@pytest.mark.parametrize("preset", RAILS)
def test_a_rail_lies_on_no_body_stays_in_the_pane_and_keeps_its_side(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]], preset: str
) -> None:
    bodies, count = surfaces(load_preset(preset).scene), 0
    for page, of_page in enumerate(panes[preset]):
        turned_to = set()
        for k, turn in enumerate(ROUNDS):
            _, view = views_of(of_page, *turn)[0]
            projection = Projection(view.camera, view.width, view.height)
            size = np.array((view.width, view.height))
            bars, ((_, _, marks), *_) = found[f"{preset} {page} bars {k}"]
            ends = [numbers(bar) for bar in bars]
            count += len(ends)
            at, *outlines = (
                projection.project(points)[:, :2]
                for points in (np.concatenate([each.points for each in view.draw.marks]), *bodies)
            )
            factor = factor_of(at, np.concatenate([numbers(mark) for mark in marks]), size)
            outlines = [0.5 * size + factor * (points - 0.5 * size) for points in outlines]
            assert all(((bar > 0.0) & (bar < size)).all() for bar in ends)
            # Two convex sets are apart where a line lies between them.
            for bar in ends:
                for points in outlines:
                    gap = ((bar @ ROUND.T).min(axis=0) - (points @ ROUND.T).max(axis=0)).max()
                    assert gap > 0.5 * BAR, (page, turn)
            group = next(number for number, group in enumerate(view.draw.groups) if group.bars)
            rail, side = view.draw.groups[group], sides(view.draw.groups, projection)[group]
            foot = projection.to_view(rail.origin[None])[0]
            along = projection.turned(rail.axis[None])[0]
            origin, tip, beside = projection.screen(np.array((foot, foot + 0.01 * along, foot + 0.01 * side)))[:, :2]
            if np.hypot(*(tip - origin)) < 1.0:
                continue
            out = ends[1].mean(axis=0) - ends[0].mean(axis=0)
            turned_to.add(np.sign(cross2(tip - origin, out)) == np.sign(cross2(tip - origin, beside - origin)))
        assert len(turned_to) == 1
    assert count == 2 * len(ROUNDS) * len(PLACES)


@pytest.mark.parametrize("preset", RAILS)
def test_a_rail_meets_no_inset_as_it_turns(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]], preset: str
) -> None:
    for page, of_page in enumerate(panes[preset]):
        insets = [(left, top, view) for left, top, view in of_page[0].inside[1:]]
        assert insets
        for k in range(len(ROUNDS)):
            for start, end in map(numbers, found[f"{preset} {page} bars {k}"][0]):
                bar = start + np.linspace(0.0, 1.0, 33)[:, None] * (end - start)
                for left, top, view in insets:
                    low, high = (left, top), (left + view.width, top + view.height)
                    assert not ((bar > low) & (bar < high)).all(axis=1).any(), (page, k)


def cross2(a: Array, b: Array) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def test_a_squeezed_rail_stays_where_it_is_as_the_turn_begins(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]]
) -> None:
    (_, _, view) = panes[SQUEEZED][0][0].inside[0]
    assert any(fit.stretch < 1.0 for fit in in_view(view).fits)
    assert len(found["squeezed"]) == 2
    for first, turned in zip(found["squeezed"], found["squeezed turned"], strict=True):
        start, step = numbers(first)
        assert np.abs(numbers(turned) - np.array((start, start + step))).max() <= NEAR


@pytest.mark.parametrize("preset", PRESETS)
def test_a_label_away_from_its_place_has_a_leader(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]], preset: str
) -> None:
    for page, of_page in enumerate(panes[preset]):
        # Each over a rim.
        assert found[f"{preset} {page} leaders"] == 2 * sum(pane.placed.leaders for pane in of_page)


def test_faces_towards_the_viewer_are_hatched(
    found: dict[str, Any], panes: dict[str, list[list[TurnablePane]]]
) -> None:
    wanted = 0
    for _, view in views_of(panes[HATCH][0], -5 * KEYS, 0):
        projection = Projection(view.camera, view.width, view.height)
        for hatch in view.draw.hatches:
            for loop in hatch.loops:
                corners = projection.project(loop)[:, :2]
                turns = cross2(*(corners[1:3] - corners[:1]))
                wanted += len(hatch.angles) * (turns < 0.0)
    assert len({tuple(path) for path in found["hatches"]}) == wanted > 5


def test_it_turns_by_mouse_and_finger_and_comes_back(found: dict[str, Any]) -> None:
    assert found["console"] == []
    assert (found["at first"], found["dragged"]) == ([False, True], [True, False])
    # The turn stays from step to step.
    assert (found["next step"], found["back"]) == ([True, False], [False, True])
    assert found["swiped"] == [True, False]
    # A finger that goes up or down scrolls the page.
    assert found["scrolled"] == [True, [False, True]]
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
    assert len(script) < MOST_BYTES + 3000


def test_nothing_that_a_scene_may_hold_stops_it() -> None:
    rng = random.Random(7)
    for pair in PAIRS[::4]:
        scene = some_scene(rng, pair)
        seen = Seen(scene, analyse(scene), View(), theme_named("dark"))
        builder = FrameBuilder()
        picture = vector_picture(planned(seen, 320, 200, 1.0, builder=builder))()
        assert 0 < len(turning_script([builder.turnable()], [picture], Definitions())) <= MOST_BYTES
