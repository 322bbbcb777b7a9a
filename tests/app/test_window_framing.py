"""In the real window another scene is framed once: its first picture stands still."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from .window_rig import Driver, driver

__all__ = ["driver"]

NAMES = ("box-on-plate", "two-spheres", "flat-worked-example", "point-in-convex", "mujoco-thin-grazing")


@pytest.mark.parametrize("name", NAMES)
def test_the_first_picture_of_another_scene_stands_still(driver: Driver, name: str) -> None:
    app = driver.app
    app.load_preset(name)
    driver.frame()
    first = app.view.world, app.view.difference, app.covered.card
    assert app.covered.card > (0.0, 0.0), "the card of the notes is known to the first picture"
    for _ in range(6):
        driver.frame()
        assert (app.view.world, app.view.difference, app.covered.card) == first


def test_opening_the_steps_frames_once(driver: Driver) -> None:
    app = driver.app
    app.load_preset("skew-edges")
    driver.frame(4)
    app.play(replace(app.playback, open=True))
    driver.frame()
    assert app.query is not None
    first = app.view.world, app.view.difference
    driver.frame(6)
    assert (app.view.world, app.view.difference) == first
