"""The probes' card without a window: what it says, that its numbers copy with every digit, and what its buttons ask."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from app.io.presets import load_preset
from app.panels.numbers import short, short_vector, vector17
from app.panels.panel import PROBE_WINDOW
from app.panels.probe import MOST_PLANES
from app.panels.viewport_top import TITLE_WINDOWS
from app.probes import Aim, Lens, PlaneProbe, PointProbe, RayLook, RayProbe, ScaleProbe
from app.probes.planes import Scaling, point_against, through, verdict_words
from app.probes.ray import article_answers, crossing, gjk_cast, one_axis, ray_of, with_lens, with_shift
from app.state.panel_state import Dialogs, PanelState
from app.state.settings import Settings
from app.state.view import View
from app.words.digits import full
from app.words.names import shown_name
from core.scene import Scene
from core.shapes import Cone
from tests.app.panel_rig import PAIR, Rig, drawn_size, panel_state

from .asked import asks, of


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch)
    made.watch("text_unformatted", "text_disabled", "arrow_button", "slider_float")
    yield made
    made.close()


def state(probe, scene: Scene = PAIR, dialogs: Dialogs | None = None) -> PanelState:
    ui = panel_state(scene, settings=Settings(panels=False), view=View(probe=probe))
    return ui if dialogs is None else replace(ui, dialogs=dialogs)


def said(rig: Rig) -> str:
    return "\n".join(rig.rects)


def copied(rig: Rig, ui: PanelState, label: str) -> str:
    (request,) = of("copy", rig.click(ui, label))
    rig.point_away()
    return request.text


def looked(requests) -> object:
    return next(asked.view.probe for asked in requests if asked.kind == "look")


POINT = PointProbe((1.0 / 3.0, 0.9, 1.1))


def test_the_point_tells_what_every_plane_says(rig: Rig) -> None:
    ui = state(POINT)
    rig.settle(ui)
    for index, body in enumerate((PAIR.a, PAIR.b)):
        against = point_against(body, POINT.position)
        assert verdict_words(index, against) in rig.rects
        for side in against.sides:
            name = shown_name(f"{'AB'[index]}.{side.name}")
            shown = f"{name} {'+' if side.distance > 0.0 else ''}{short(side.distance)}"
            assert copied(rig, ui, shown) == full(side.distance)
    assert copied(rig, ui, short_vector(POINT.position)) == vector17(POINT.position)
    assert asks.invoke("probe.away") in rig.click(ui, "×", -1)


def test_of_a_hull_with_many_planes_the_first_are_listed(rig: Rig) -> None:
    scene = load_preset("two-hulls").scene
    rig.settle(state(PointProbe((0.2, 0.9, 0.1)), scene))
    count = len(scene.a.shape.polyhedron.faces)
    assert count > MOST_PLANES
    assert f"and {count - MOST_PLANES} more, all lower" in rig.rects


def test_of_a_round_body_the_nearest_point_is_told(rig: Rig) -> None:
    scene = replace(PAIR, a=replace(PAIR.a, shape=Cone(0.5, 1.2)))
    ui = state(POINT, scene)
    rig.settle(ui)
    nearest = point_against(scene.a, POINT.position).nearest
    assert verdict_words(0, point_against(scene.a, POINT.position)) in rig.rects
    for vector in (nearest.point, nearest.normal):
        assert copied(rig, ui, short_vector(vector)) == vector17(vector)
    assert copied(rig, ui, f"+{short(nearest.distance)}") == full(nearest.distance)


def test_the_plane_tells_its_numbers_and_flips(rig: Rig) -> None:
    probe = PlaneProbe(((-0.1, -0.3, 1.2), (0.3, -0.2, -1.3), (0.1, 1.8, 0.3)))
    ui, found = state(probe), through(PAIR, probe)
    rig.settle(ui)
    assert copied(rig, ui, short_vector(found.plane.normal)) == vector17(found.plane.normal)
    assert copied(rig, ui, f"+{short(found.plane.offset)}") == full(found.plane.offset)
    for letter, side in zip("AB", found.sides, strict=True):
        assert f"{letter} is {side.words}" in rig.rects
        assert copied(rig, ui, short_vector(side.vertices)) == vector17(side.vertices)
    assert asks.invoke("plane.flip") in rig.click(ui, "flip")


def test_three_points_on_a_line_are_told_in_words(rig: Rig) -> None:
    rig.settle(state(PlaneProbe(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0)))))
    assert "Three points on one line span no plane." in rig.rects
    assert "flip" not in rig.rects


CUBE = load_preset("ray-past-a-cube")
RAY = CUBE.view.probe


def test_the_ray_tells_its_way_step_by_step(rig: Rig) -> None:
    ui, ray = state(replace(RAY, look=RayLook.CROSSINGS), CUBE.scene), ray_of(RAY)
    rig.settle(ui)
    assert {"1 pixel", "2 device", "3 view", "4 world", "5 ray"} <= set(rig.rects)
    assert copied(rig, ui, "400.0, 300.0 of 800 × 600") == vector17(RAY.pixel)
    for vector in (ray.view_near, ray.near, ray.eye, ray.direction):
        assert copied(rig, ui, short_vector(vector)) == vector17(vector)
    assert "The ray misses A." in rig.rects
    cast = crossing(CUBE.scene.b, ray)
    for hit in (cast.entry, cast.exit):
        assert copied(rig, ui, f"t = {short(hit.t)}") == full(hit.t)
        assert copied(rig, ui, short_vector(hit.point)) == vector17(hit.point)
        assert copied(rig, ui, f"n {short_vector(hit.normal)}") == vector17(hit.normal)
    for label, command in (("from the side", "ray.side"), ("from the eye", "ray.eye"), ("another ray", "ray.shoot")):
        assert asks.invoke(command) in rig.click(ui, label)


def test_the_articles_answers_stand_beside_the_right_one(rig: Rig) -> None:
    ui, ray = state(RAY, CUBE.scene), ray_of(RAY)
    rig.settle(ui)
    assert "Right: the ray misses A." in rig.rects
    answers = article_answers(CUBE.scene.a, ray)
    wrong = [answer.id for answer in answers if answer.says != answer.hits]
    assert wrong == ["P12-box-one-axis", "P12-box-as-printed", "P12-box-not-unit"]
    for answer in answers:
        wrong = answer.says != answer.hits
        words = (
            f"{'×' if wrong else '='} {answer.title}: {'hit' if answer.says else 'miss'}{', wrong' if wrong else ''}"
        )
        assert words in rig.rects
    test = one_axis(CUBE.scene.a, ray)
    assert copied(rig, ui, f"t = {short(test.enters)}") == full(test.enters)
    assert looked(rig.click(ui, "entry and exit")).look is RayLook.CROSSINGS
    assert looked(rig.click(ui, "against B")).body == 1


def test_an_orthographic_camera_shows_where_the_shortcut_fails(rig: Rig) -> None:
    flat = replace(RAY, camera=replace(RAY.camera, orthographic=True), pixel=(500.0, 200.0))
    rig.settle(state(flat, CUBE.scene))
    assert "The article's shortcut shoots from the eye: right in perspective only." in rig.rects
    rig.settle(state(RAY, CUBE.scene))
    assert "shortcut" not in rig.rects


OFF_CENTRE = load_preset("off-centre-window")


def test_a_window_off_centre_shows_where_the_shortcut_fails(rig: Rig) -> None:
    probe = OFF_CENTRE.view.probe
    ui = state(probe, OFF_CENTRE.scene)
    rig.settle(ui)
    assert "The article's shortcut assumes that the window is straight ahead of the eye." in rig.rects
    assert "The ray picks A, the shortcut B, wrong." in rig.rects
    assert copied(rig, ui, short_vector(ray_of(probe).shortcut)) == vector17(ray_of(probe).shortcut)
    assert looked(rig.click(ui, "perspective")) == with_lens(probe, Lens.PERSPECTIVE)
    assert looked(rig.click(ui, "orthographic")) == with_lens(probe, Lens.ORTHOGRAPHIC)
    assert not of("look", rig.click(ui, "off-centre window"))
    moved = looked(rig.click(ui, "##aside"))
    assert moved == with_shift(probe, moved.shift)
    assert moved.shift != probe.shift


def test_a_centred_window_can_be_put_aside(rig: Rig) -> None:
    ui = state(RAY, CUBE.scene)
    rig.settle(ui)
    assert "##aside" not in rig.rects
    assert looked(rig.click(ui, "off-centre window")) == with_lens(RAY, Lens.OFF_CENTRE)


def test_the_steps_of_the_cast_are_listed_and_chosen(rig: Rig) -> None:
    probe = replace(RAY, look=RayLook.CAST, body=1)
    ui, steps = state(probe, CUBE.scene), gjk_cast(CUBE.scene.b, ray_of(RAY)).steps
    rig.settle(ui)
    assert f"step 1 of {len(steps)}" in rig.rects
    lines = [label for label in rig.rects if " left: " in label]
    assert len(lines) == len(steps) > 1
    assert lines[-1].endswith("arrived: a hit")
    assert looked(rig.click(ui, "##Next step")).step == 1
    assert looked(rig.click(ui, lines[-1])).step == len(steps) - 1
    assert not of("look", rig.click(ui, "##Step back"))


ELLIPSOID = load_preset("ellipsoid-and-plane").scene


def test_scaled_space_tells_the_right_and_the_mistaken_answer(rig: Rig) -> None:
    ui, scaling = state(ScaleProbe(1.0), ELLIPSOID), Scaling.of(ELLIPSOID)
    space = scaling.at(1.0)
    rig.settle(ui)
    for number in (scaling.distance, scaling.stretch, space.distance):
        assert copied(rig, ui, f"+{short(number)}") == full(number)
    for vector in (scaling.contact, space.normal, space.mistaken):
        assert copied(rig, ui, short_vector(vector)) == vector17(vector)
    assert "more than h′: apart." in said(rig)


def test_playing_scales_space_until_the_end(rig: Rig) -> None:
    dialogs = Dialogs()
    ui = state(ScaleProbe(0.0), ELLIPSOID, dialogs)
    rig.settle(ui)
    shares = [asked.view.probe.share for asked in rig.click(ui, "Play") if asked.kind == "look"]
    assert dialogs.busy
    assert shares
    assert all(share > 0.0 for share in shares)
    for _ in range(400):
        asked = of("look", rig.frame(ui))
        ui = state(asked[-1].view.probe, ELLIPSOID, dialogs) if asked else ui
        if not dialogs.busy:
            break
    assert ui.view.probe.share == 1.0
    assert np.all(np.diff(shares) >= 0.0)


def test_there_is_no_card_while_aiming_or_without_a_probe(rig: Rig) -> None:
    for probe, there in ((None, False), (POINT, True), (Aim(), False), (RAY, True)):
        rig.settle(state(probe))
        assert (drawn_size(PROBE_WINDOW)[0] > 0.0) == there
        assert (rig.covered.left > 0.0) == there
        # Beside the name of the pane.
        cards = [card for card in rig.covered.cards if card[2:] != drawn_size(TITLE_WINDOWS[0])]
        assert len(cards) == there
        for x, y, width, height in cards:
            assert (width, height) == drawn_size(PROBE_WINDOW)
            assert x > 0.0
            assert y > 0.0


@pytest.mark.parametrize("size", [(1280.0, 800.0), (700.0, 420.0)])
def test_the_card_stays_in_its_pane(monkeypatch: pytest.MonkeyPatch, size: tuple[float, float]) -> None:
    made = Rig(monkeypatch, *size)
    for probe in (POINT, replace(RAY, look=RayLook.ONE_AXIS), replace(RAY, look=RayLook.CAST)):
        assert isinstance(probe, PointProbe | RayProbe)
        made.settle(state(probe, CUBE.scene))
        width, height = drawn_size(PROBE_WINDOW)
        assert 0.0 < width < size[0]
        assert 0.0 < height < size[1]
    made.close()
