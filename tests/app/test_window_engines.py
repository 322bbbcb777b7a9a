"""The pair as engines' text in the running application: copied by a command, pasted into the dialog."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from app.state.work import Document
from core.scene import Body
from core.shapes import Cone

from .panel_rig import panel_named
from .window_rig import Driver, driver

__all__ = ["driver"]


def test_the_pair_travels_as_an_engines_text(driver: Driver) -> None:
    app, scene = driver.app, driver.app.work.scene
    app.invoke("copy_as.unreal")
    assert app.notices.now()[-1].message == "Copied the pair as text for Unreal"
    driver.key("Ctrl+V")
    driver.frame(2)
    (preview,) = panel_named(app.panels, "paste_pair")._previews
    pair = preview.pair
    assert pair.scene.b.shape == scene.b.shape
    assert pair.scene.b.position == pytest.approx(scene.b.position, abs=1e-12)
    app.work.document = Document.new(replace(scene, b=Body(Cone(1.0, 1.0))))
    app.invoke("copy_as.unreal")
    assert app.notices.now()[-1].message == "Unreal has no cone, so this pair cannot be written for it."
