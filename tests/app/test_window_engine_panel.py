"""The panel of engines in the real application, with Coal and FCL: asked in a drag, drawn by a click, ended with it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from app.io.presets import load_preset
from app.state.work import Document
from core.study.differential.classes import Kind

from ..core.engine_faults import fault
from .patience import wait_for
from .window_rig import Driver, driver

__all__ = ["driver"]

pytest.importorskip("coal")
pytest.importorskip("fcl")


def labels(driver: Driver) -> set[str]:
    return {label.text for placed in driver.app.builder.placed for label in placed.labels}


def rest(driver: Driver) -> None:
    """Frames until every engine has answered about the pair as it stands."""
    engines = driver.app.engines
    wait_for(lambda: engines.shown is not None and not engines.waiting, "the engines", meanwhile=driver.frame)
    driver.frame(2)


def test_engines_answer_a_drag_and_a_chosen_one_is_drawn(driver: Driver) -> None:
    app = driver.app
    app.files.show(Document.new(load_preset("skew-edges").scene), None)
    driver.frame(4)
    app.invoke("panel.engines")
    driver.frame(4)
    rest(driver)
    app.dialogs.engine = "coal"
    driver.frame(3)
    assert {"Coal, on A", "Coal, on B", "Coal, normal", "Coal"} <= labels(driver)
    x, y = driver.on_b
    driver.drag((x, y), (x + 20.0, y))
    rest(driver)
    shown = app.engines.shown
    assert shown is not None
    for name in ("coal", "fcl"):
        row = shown.row_of(name)
        assert row is not None
        assert row.is_of(app.work.scene)
        assert row.number > 1
        assert row.judgement is not None
        assert row.judgement.kind is Kind.AGREES
        assert row.engine is not None
        assert row.engine.version
    app.invoke("panel.engines")
    driver.frame(4)
    assert app.engines.shown is None
    assert not {label for label in labels(driver) if label.startswith("Coal")}
    assert not app.engines._workers


@pytest.mark.nightly("commands")
def test_a_search_from_the_menu_opens_the_panel_and_lists_what_breaks(driver: Driver, tmp_path: Path) -> None:
    app = driver.app
    app.files.show(Document.new(fault("coal-sphere-cylinder-depth-too-large")[0]), None)
    driver.frame(4)
    app.invoke("engines.search")
    driver.frame()
    assert app.engines.searching
    wait_for(lambda: not app.engines.searching, "the search", meanwhile=driver.frame)
    driver.frame(2)
    assert app.engines.shown is not None
    assert app.engines.shown.hunt is not None
    assert "coal" in {found.engine for found in app.engines.shown.hunt.found}
    app.invoke("engines.bundle")
    assert not app.dialogs.bundle, "no engine is chosen"
    app.dialogs.engine = "coal"
    driver.frame(2)
    app.invoke("engines.bundle")
    assert app.dialogs.bundle
    app.dialogs.bundle = False
    app.ask.make_bundle(tmp_path / "coal.zip")
    wait_for(lambda: not app.engines.bundling, "the bundle", meanwhile=driver.frame)
    assert zipfile.is_zipfile(tmp_path / "coal.zip")
    app.invoke("panel.engines")
    driver.frame(2)
