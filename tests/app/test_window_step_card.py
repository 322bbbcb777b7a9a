"""The step card in the real application: formulas on the graphics side, the algorithm kept by the settings."""

from __future__ import annotations

import numpy as np
import pytest
from imgui_bundle import imgui

from app.panels import formula
from app.panels.step_card import StepCard
from app.state.playback import Playback, at_place
from app.state.settings import load_settings
from core.analysis.algorithm_settings import AlgorithmSettings

from .window_rig import Driver, driver

__all__ = ["driver"]


def card(driver: Driver) -> StepCard:
    """The card itself, which is made when a step is first shown."""
    (late,) = [panel for panel in driver.app.panels if panel.spec.name == "step_card"]
    found = late.panel
    assert isinstance(found, StepCard)
    return found


def show(driver: Driver, place: int) -> None:
    driver.app.ask.play(at_place(Playback(open=True), driver.app.steps.all, place))
    driver.frame(2)


def is_shown(title: str) -> bool:
    window = imgui.internal.find_window_by_name(title)
    return window is not None and window.was_active and not window.hidden


def screen(driver: Driver) -> np.ndarray:
    """The window's pixels (h, w, 3), the top row first."""
    width, height = driver.window.extent.pixels
    driver.window.on_draw()
    data = driver.app.context.screen.read(viewport=(0, 0, width, height), components=3, alignment=1)
    return np.frombuffer(data, dtype=np.uint8).reshape(height, width, 3)[::-1]


@pytest.mark.slow
@pytest.mark.nightly("windows")
def test_every_step_is_drawn_with_its_formulas(driver: Driver) -> None:
    if not formula.TYPESETTER.works:
        pytest.skip("MicroTeX does not run here")
    driver.app.ask.tune(AlgorithmSettings(build=True))
    for place in range(len(driver.app.steps.all.moments)):
        show(driver, place)
    pictures = card(driver)._formulas._pictures
    assert len(pictures) > 20
    assert all(picture.texture.status == imgui.ImTextureStatus.ok for picture in pictures.values())


@pytest.mark.nightly("windows")
def test_pictures_given_up_are_freed_on_the_graphics_side(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    if not formula.TYPESETTER.works:
        pytest.skip("MicroTeX does not run here")
    for place in range(16):
        show(driver, place)
    formulas = card(driver)._formulas
    monkeypatch.setattr(formula, "MOST_KEPT_PICTURES", 16)
    assert len(formulas._pictures) > 16
    driver.frame(4)
    assert len(formulas._pictures) == 16
    assert not formulas._going


@pytest.mark.painted
def test_a_formula_shows_in_the_ink_of_the_theme(driver: Driver) -> None:
    if not formula.TYPESETTER.works:
        pytest.skip("MicroTeX does not run here")
    show(driver, 0)
    driver.frame(3)
    window = imgui.internal.find_window_by_name("Step")
    left, right = round(window.pos.x), round(window.pos.x + window.size.x)
    with_formulas = screen(driver)[:, left:right].astype(int)
    card(driver)._text = None
    card(driver)._formulas._typesetter = formula.Typesetter()
    card(driver)._formulas._typesetter._state = False
    card(driver)._formulas._pictures.clear()
    driver.frame(3)
    assert np.abs(with_formulas - screen(driver)[:, left:right]).max() > 100


def test_the_card_comes_and_goes_with_the_timeline_and_not_with_the_panels(driver: Driver) -> None:
    app = driver.app
    width = app.cameras.area.width
    driver.key("T")
    driver.frame(3)
    assert is_shown("Step")
    assert app.cameras.area.width < width
    driver.key("Tab")
    driver.frame(3)
    assert is_shown("Step")
    driver.key("Tab")
    driver.key("T")
    driver.frame(3)
    assert not is_shown("Step")
    assert app.cameras.area.width == width


def test_the_algorithm_is_switched_by_a_command_and_kept(driver: Driver) -> None:
    driver.key("T")
    driver.frame(3)
    assert not is_shown("Algorithm")
    driver.app.ask.invoke("steps.algorithm")
    driver.frame(3)
    assert is_shown("Algorithm")
    assert load_settings()[0].algorithm
    assert driver.app.commands.named("steps.algorithm").checked(driver.app)


def test_the_card_stands_between_the_table_and_the_bodies_and_gives_its_room_back(driver: Driver) -> None:
    driver.key("Tab")
    driver.frame(4)

    def heights() -> dict[str, float]:
        driver.frame(4)
        found = {name: imgui.internal.find_window_by_name(name) for name in ("Axes", "Step", "Bodies")}
        return {name: w.size.y for name, w in found.items() if w is not None and w.active}

    before = heights()
    driver.key("T")
    shown = heights()
    assert set(before) == {"Axes", "Bodies"}
    assert set(shown) == {"Axes", "Step", "Bodies"}
    # The heading and fifteen rows of the table, of 14 pixels and more; the card has room for its words.
    assert shown["Axes"] > 16.0 * 18.0
    assert min(shown["Step"], shown["Axes"]) > 18.0 * 14.0 > shown["Bodies"] > 4.0 * 14.0
    driver.key("T")
    assert heights() == pytest.approx(before, abs=2.0)
    driver.key("T")
    assert heights() == pytest.approx(shown, abs=2.0), "each arrangement is kept"
