"""The step card, its formulas, its chart and the algorithm beside it, drawn without a window."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from imgui_bundle import imgui, imgui_microtex, implot
from msgspec.structs import replace

from app.io.presets import load_preset
from app.panels import formula, step_card
from app.panels.formula import LEAST_SCALE, Formulas, Typesetter
from app.stages import stage_of, step_text
from app.state.panel_state import PanelState
from app.state.playback import Playback, at_place, place_of
from app.state.settings import Settings
from app.state.work import Document
from app.words.digits import MINUS
from app.words.expression import Norm, symbols
from app.words.formula import Formula
from app.words.printers import tex
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.gjk.epa import EpaSettings
from core.gjk.gjk import GjkSettings
from core.query.query import Phase, query

from .asked import of
from .panel_rig import Rig, panel_state
from .step_word_samples import line_of


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    made = Rig(monkeypatch, 1280.0, 1400.0)
    made.watch("text_unformatted")
    yield made
    made.close()


def stepping(
    preset: str = "skew-edges", place: int = 0, algorithm_settings: AlgorithmSettings | None = None, **settings: object
) -> PanelState:
    """A state with the timeline open, the docked side closed."""
    scene = load_preset(preset).scene
    asked = query(analyse(scene), AlgorithmSettings(build=True) if algorithm_settings is None else algorithm_settings)
    playback = at_place(Playback(open=True), asked, place)
    return panel_state(
        scene,
        document=Document.new(scene),
        analysis=asked.analysis,
        query=asked,
        playback=playback,
        place=place_of(playback, asked),
        settings=Settings(**settings),
    )


def at(ui: PanelState, place: int) -> PanelState:
    assert ui.query is not None
    playback = at_place(ui.playback, ui.query, place)
    return replace(ui, playback=playback, place=place_of(playback, ui.query))


def first_of(ui: PanelState, phase: Phase) -> int:
    assert ui.query is not None
    return next(place for name, place, _ in ui.query.phases if name is phase)


def is_shown(title: str) -> bool:
    window = imgui.internal.find_window_by_name(title)
    return window is not None and window.was_active and not window.hidden


def said(rig: Rig) -> str:
    return " ".join(" ".join(text.split()) for text in rig.rects).replace("\u00a0", " ")


@pytest.mark.parametrize("panels", [False, True])
def test_the_card_stands_while_a_step_is_shown(rig: Rig, panels: bool) -> None:
    ui = stepping(panels=panels)
    rig.settle(replace(ui, query=None))
    assert not is_shown("Step")
    rig.settle(ui)
    assert is_shown("Step")
    rig.settle(replace(ui, query=None))
    assert not is_shown("Step")


def test_it_comes_to_the_front_of_its_tabs(rig: Rig) -> None:
    ui = stepping(panels=True)
    rig.settle(replace(ui, query=None))
    rig.settle(ui)
    text = step_text(ui.query, ui.moment)
    assert text.title in rig.rects


def test_it_leaves_the_panes_alone(rig: Rig) -> None:
    ui = stepping()
    rig.settle(ui)
    window = imgui.internal.find_window_by_name("Step")
    assert window.dock_node is not None
    assert window.pos.x > 0.6 * rig.size[0]


def test_a_layout_kept_from_before_the_card_docks_it_beside_the_table(rig: Rig) -> None:
    ui = stepping(panels=True)
    rig.settle(replace(ui, query=None))
    kept = "\n\n".join(
        part for part in imgui.save_ini_settings_to_memory().split("\n\n") if not part.startswith("[Window][Step]")
    )
    imgui.internal.clear_ini_settings()
    imgui.load_ini_settings_from_memory(kept)
    rig.settle(ui)
    assert imgui.internal.find_window_by_name("Step").dock_id


def test_every_part_of_the_text_is_said(rig: Rig) -> None:
    ui = stepping()
    assert ui.query is not None
    for place in (0, first_of(ui, Phase.SAT), first_of(ui, Phase.GJK) + 1, first_of(ui, Phase.EPA) + 1):
        shown = at(ui, place)
        rig.settle(shown, 2)
        text = step_text(ui.query, shown.moment)
        for part in (text.title, text.known, text.decided, text.why):
            assert part in said(rig)


def test_the_stop_is_said_with_its_meaning(rig: Rig) -> None:
    ui = stepping()
    assert ui.query is not None
    for phase in (Phase.GJK, Phase.EPA):
        _, first, count = next(entry for entry in ui.query.phases if entry[0] is phase)
        shown = at(ui, first + count - 1)
        rig.settle(shown, 2)
        stop = step_text(ui.query, shown.moment).stop
        assert stop is not None
        assert stop.name in rig.rects
        assert stop.meaning in said(rig)


def test_an_iteration_limit_is_red(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    colours = []
    true = step_card.coloured
    monkeypatch.setattr(step_card, "coloured", lambda rgba: colours.append(rgba) or true(rgba))
    ui = stepping(
        "ellipsoids", algorithm_settings=AlgorithmSettings(gjk=GjkSettings(iterations=2), epa=EpaSettings(iterations=2))
    )
    rig.settle(at(ui, first_of(ui, Phase.GJK) + 1), 2)
    assert ui.theme.overlap in colours
    assert "ITERATION_LIMIT" in rig.rects


@pytest.mark.parametrize("size", [(640.0, 480.0), (1280.0, 800.0)])
@pytest.mark.parametrize(
    "preset", ["skew-edges", "stacked-cubes", "sphere-corner-region", "far-from-origin", "fcl-391"]
)
@pytest.mark.sampled(3, "scenes")
def test_no_text_and_no_formula_is_cut_off(
    monkeypatch: pytest.MonkeyPatch, size: tuple[float, float], preset: str
) -> None:
    rig = Rig(monkeypatch, *size)
    try:
        widths: list[tuple[float, float]] = []
        true = formula._draw_line

        def noted(pictures):
            room = imgui.get_content_region_avail().x
            widths.append((max(distance + picture.width for distance, picture in pictures), room))
            true(pictures)

        monkeypatch.setattr(formula, "_draw_line", noted)
        rig.watch("text_unformatted")
        ui = stepping(preset)
        assert ui.query is not None
        rig.settle(ui)
        for place in range(len(ui.query.moments)):
            rig.frame(at(ui, place))
            window = imgui.internal.find_window_by_name("Step")
            right = window.work_rect.max.x
            for text, rects in ((t, r) for t, r in rig.rects.items() if not t.startswith("##")):
                for left, _, end, _ in rects:
                    assert left < window.pos.x or end <= right + 1.0, (text, end, right)
        assert widths
        assert all(width <= room + 1.0 for width, room in widths), max(w - r for w, r in widths)
    finally:
        rig.close()


def test_the_words_do_not_jump_from_step_to_step(rig: Rig) -> None:
    ui = stepping()
    first = first_of(ui, Phase.SAT)
    for place in range(first, first + 15):
        rig.frame(at(ui, place))
    rig.watch("text_disabled")
    tops = []
    for place in range(first, first + 15):
        rig.frame(at(ui, place))
        tops.append(rig.rects["Why"][0][1])
    assert len(set(tops)) == 1


def test_every_formula_of_every_step_can_be_set() -> None:
    if not formula.TYPESETTER.works:
        pytest.skip("MicroTeX does not run here")
    ui = stepping()
    assert ui.query is not None
    for moment in ui.query.moments:
        for found in step_text(ui.query, moment).formulas:
            for written in map(tex, found.lines):
                made = formula.TYPESETTER.picture(written, 16.0)
                assert made is not None
                assert np.asarray(made.pixels_as_array())[..., 3].max() > 200


def test_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCPATH", "somewhere")
    assert Typesetter().works is formula.TYPESETTER.works
    import os

    assert os.environ["LOCPATH"] == "somewhere"


def test_without_mathematics_the_formula_stands_as_text(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("locale::facet::_S_create_c_locale name not valid")

    monkeypatch.setattr(imgui_microtex, "render", broken)
    dumb = Typesetter()
    assert not dumb.works
    rig.panels_named("step_card")._formulas = Formulas(dumb)
    ui = stepping()
    shown = at(ui, first_of(ui, Phase.SAT))
    rig.settle(shown, 2)
    for found in step_text(ui.query, shown.moment).formulas:
        assert found.plain in said(rig)


def test_a_formula_that_cannot_be_set_stands_as_text(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formula.TYPESETTER, "picture", lambda *_: None)
    ui = stepping()
    rig.settle(at(ui, first_of(ui, Phase.SAT)), 2)
    assert f"s = 0.3128 {MINUS} 1 = {MINUS}0.6872" in said(rig)


def test_wide_numbers_are_set_smaller_but_not_without_end(rig: Rig) -> None:
    drawn: list[float] = []
    formulas = Formulas()
    true = formulas._picture
    formulas._picture = lambda tex, pixels: drawn.append(pixels) or true(tex, pixels)
    rig.panels_named("step_card")._formulas = formulas
    ui = stepping()
    rig.settle(at(ui, first_of(ui, Phase.GJK) + 2), 2)
    whole = max(drawn)
    assert min(drawn) >= LEAST_SCALE * whole - formula.SIZE_STEP


def test_pictures_are_kept_and_the_oldest_go(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formula, "MOST_KEPT_PICTURES", 3)
    formulas = Formulas()
    for number in range(6):
        made = formulas._picture(f"x = {number}", 16.0)
        assert made is formulas._picture(f"x = {number}", 16.0)
    # What this frame draws stays until it is drawn.
    assert len(formulas._pictures) == 6
    formulas.begin()
    assert len(formulas._pictures) == 3
    assert len(formulas._going) == 3
    for gone in formulas._going:
        gone.set_status(imgui.ImTextureStatus.destroyed)
    formulas.begin()
    assert not formulas._going


def test_formulas_below_the_fold_wait_until_they_are_scrolled_into_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    low = Rig(monkeypatch, 900.0, 240.0)
    formulas = Formulas()
    low.panels_named("step_card")._formulas = formulas
    set_: list[str] = []
    true = formulas._picture
    formulas._picture = lambda tex, pixels: set_.append(tex) or true(tex, pixels)
    ui = stepping()
    place = first_of(ui, Phase.GJK) + 2
    low.settle(at(ui, place), 4)
    # Once, for its height.
    assert set_
    inner = next(w for w in imgui.get_current_context().windows if "##step" in w.name)
    height = inner.scroll_max.y
    assert height > 0.0
    set_.clear()
    low.settle(at(ui, place), 2)
    assert not set_
    assert inner.scroll_max.y == height
    imgui.internal.set_scroll_y(inner, height)
    low.settle(at(ui, place), 3)
    assert set_
    # Scrolled, imgui rounds the place of the words above, and of each formula, by a pixel.
    formulas_below = step_text(ui.query, ui.query.moments[place]).formulas
    assert inner.scroll_max.y == pytest.approx(height, abs=1.0 + len(formulas_below))
    low.close()


def test_a_click_copies_the_formula_as_tex(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ui = stepping()
    shown = at(ui, first_of(ui, Phase.SAT))
    spots: list[tuple[float, float]] = []
    notes: list[str] = []
    true = formula.copies_on_click

    def noted(copied: str, what: str, ask: list[object], note: str, **named: bool) -> None:
        notes.append(note)
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        spots.append((0.5 * (low.x + high.x), 0.5 * (low.y + high.y)))
        true(copied, what, ask, note, **named)

    monkeypatch.setattr(formula, "copies_on_click", noted)
    rig.settle(shown)
    imgui.get_io().add_mouse_pos_event(*spots[-1])
    rig.settle(shown, 2)
    imgui.get_io().add_mouse_button_event(0, True)
    asked = rig.settle(shown, 2)
    imgui.get_io().add_mouse_button_event(0, False)
    rig.settle(shown, 2)
    (copy,) = of("copy", asked)
    assert copy.text == r"s = \min B - \max A = 0.3128 - 1 = -0.6872"
    assert ui.query is not None
    start = float(ui.query.analysis.sat.directed.interval_b[0, 0])
    assert any(note.startswith(f"s = {start:.17g} {MINUS} 1 ") for note in notes)


def test_a_root_of_powers_of_ten_has_the_line_to_itself() -> None:
    """With its result behind it, it would be set too small to read in a card of the usual width."""
    (v,) = symbols("v")
    tiny = Formula.of(Norm(v), 5e-9, {v: (0.0, 3e-9, 4e-9)})
    assert [tex(line) for line in tiny.lines[2:]] == [r"= 5\cdot 10^{-9}"]
    usual = Formula.of(Norm(v), 0.5, {v: (0.3, 0.0, 0.4)})
    assert len(usual.lines) == 2


# The chart.


def test_a_click_on_the_chart_goes_to_that_step(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    ui = stepping()
    assert ui.query is not None
    first = first_of(ui, Phase.EPA)
    places: dict[str, tuple[float, float]] = {}
    true = implot.end_plot

    def noted() -> None:
        for number in (2, 4):
            pixels = implot.plot_to_pixels(float(number), 0.5)
            places[str(number)] = (pixels.x, pixels.y)
        true()

    monkeypatch.setattr(implot, "end_plot", noted)
    shown = at(ui, first + 3)
    rig.settle(shown)

    def reached_from(number: str) -> int:
        imgui.get_io().add_mouse_pos_event(*places[number])
        rig.settle(shown, 2)
        imgui.get_io().add_mouse_button_event(0, True)
        asked = rig.settle(shown, 2)
        imgui.get_io().add_mouse_button_event(0, False)
        rig.settle(shown, 2)
        (play,) = of("play", asked)
        return place_of(play.playback, ui.query) - first + 1

    assert reached_from("2") == 2
    assert reached_from("4") == 4


# The listing.


def test_the_algorithm_is_closed_by_default_and_kept_by_the_settings(rig: Rig) -> None:
    assert not Settings().algorithm
    rig.settle(stepping())
    assert not is_shown("Algorithm")
    ui = stepping(algorithm=True)
    rig.settle(ui)
    assert is_shown("Algorithm")
    rig.settle(replace(ui, query=None))
    assert not is_shown("Algorithm")


def test_exactly_one_line_is_marked(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.panels import step_card

    marked: list[tuple[str, bool]] = []
    true = step_card._draw_line

    def noted(line, ground):
        marked.append((line, ground is not None))
        true(line, ground)

    monkeypatch.setattr(step_card, "_draw_line", noted)
    ui = stepping(algorithm=True)
    assert ui.query is not None
    rig.settle(ui)
    for place, moment in enumerate(ui.query.moments):
        marked.clear()
        rig.frame(at(ui, place))
        assert [line for line, _ in marked] == list(stage_of(moment.phase).listing(3).lines.values())
        assert [line for line, lit in marked if lit] == [line_of(ui.query, moment)]
