"""Bars and cards over the viewport are as large as imgui finds them after drawing, and that in their first frame."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.draw.theme import theme_named
from app.io.presets import load_preset
from app.overlays.globe import LARGE
from app.panels import apply_style
from app.panels.cards import CARDS
from app.panels.panel import CHIP_WINDOW, PROBE_WINDOW
from app.panels.viewport_bottom import NOTICES_WINDOW
from app.probes import PlaneProbe, PointProbe, RayLook
from app.state.panel_state import LogPosition, Notice, PanelState
from app.state.prediction import Prediction, QuestionKind
from app.state.settings import Settings
from app.state.view import View
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.verdict import Sentence

from .panel_rig import PAIR, Rig, panel_state
from .test_panels_motion import moving
from .test_panels_predictions import asking
from .test_panels_probes import RAY, state

CALM = Settings(panels=False)


def shown() -> Iterator[PanelState]:
    """Every card at least once, and those whose words wrap with long ones."""
    yield panel_state(settings=CALM)
    yield panel_state(replace(PAIR, notes="A long note on GJK and its support points. " * 9), settings=CALM, offer="Go")
    saying = analyse(PAIR)
    vars(saying)["disagreements"] = (Sentence("SAT says {:.17g}, the difference says {:.17g}.", (1.0, 2.0)),)
    yield panel_state(analysis=saying, settings=replace(CALM, show_frame_times=True), frame_times={"analysis": 1.0})
    yield moving(load_preset("tunnelling").scene, settings=CALM)
    yield from (
        state(PointProbe((0.3, 0.9, 1.1))),
        state(PlaneProbe(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))),
    )
    yield from (state(replace(RAY, look=look)) for look in RayLook)
    yield panel_state(settings=CALM, view=View(free=(0.0, 1.0, 0.0), shown=View().shown | {LARGE.id}))
    yield asking(QuestionKind.AXIS, Prediction(at_once=1, settled=2))
    yield asking(QuestionKind.CONTACTS)
    notices = Notice(4, "Saved.", False), Notice(9, "It failed. " * 12, True, "the report")
    yield panel_state(settings=CALM, notices=notices, log=LogPosition("pairs.jsonl: entry", 3, 9), picture_fault=True)
    yield panel_state(settings=CALM, drag_readout="moved 0.5 along x", pointer=(300.0, 300.0))


@pytest.mark.parametrize(("size", "scale"), [((1280.0, 800.0), 1.0), ((1024.0, 768.0), 2.0), ((640.0, 480.0), 1.0)])
def test_a_card_has_its_size_in_its_first_frame(
    monkeypatch: pytest.MonkeyPatch, size: tuple[float, float], scale: float
) -> None:
    known: set[str] = set()
    for ui in shown():
        rig = Rig(monkeypatch, *size)
        apply_style(theme_named("dark"))
        imgui.get_style().scale_all_sizes(scale)
        imgui.get_style().font_scale_main = scale
        try:
            for _ in range(3):
                rig.frame(ui)
                for name in CARDS:
                    known.add(name)
                    window = imgui.internal.find_window_by_name(name)
                    fits, (width, height) = imgui.internal.calc_window_next_auto_fit_size(window), CARDS.size(name)
                    assert window.active
                    assert not window.hidden
                    assert (window.size.x, window.size.y) == (width, height)
                    # Pixels are rounded, and a text with terms ends with a gap that nothing follows.
                    gap = imgui.get_style().item_spacing.y
                    assert abs(fits.x - width) <= 1.5, (name, fits.x, width)
                    # That of a probe scrolls where there is no room for it.
                    if name != PROBE_WINDOW or height >= fits.y:
                        assert -2.5 <= fits.y - height <= gap + 1.5, (name, fits.y, height)
        finally:
            rig.close()
    cards = {"verdict", "pane0", "hint", "notes", "frame times", "probe", "free axis", "question"}
    assert known >= {f"##{name}" for name in (*cards, "gauss map", "notices", "log", "picture fault", "readout")}


@pytest.mark.parametrize(("size", "scale"), [((1024.0, 768.0), 2.0), ((640.0, 480.0), 1.0)])
def test_notices_leave_the_chip_of_changed_settings_in_sight(
    monkeypatch: pytest.MonkeyPatch, size: tuple[float, float], scale: float
) -> None:
    notices = tuple(Notice(number, "It failed. " * 12, True, "the report") for number in range(6))
    rig = Rig(monkeypatch, *size)
    apply_style(theme_named("dark"))
    imgui.get_style().scale_all_sizes(scale)
    imgui.get_style().font_scale_main = scale
    try:
        for _ in range(2):
            rig.frame(panel_state(settings=CALM, notices=notices, algorithm_settings=AlgorithmSettings(mpr=True)))
        chip, low = CARDS.corner(CHIP_WINDOW), CARDS.corner(NOTICES_WINDOW)
        assert chip is not None
        assert low is not None
        assert low[1] >= chip[1] + CARDS.height(CHIP_WINDOW)
        assert low[1] + CARDS.height(NOTICES_WINDOW) <= size[1]
    finally:
        rig.close()
