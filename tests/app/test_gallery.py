"""The gallery's window: what stands on its shelves, its search and keys, and what stands where."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.io.lesson_index import lesson_titles
from app.io.presets import article_cases, presets, reported_cases, shelves
from app.panels.gallery_cards import GalleryCard, first_sentence, gallery_shelves
from app.panels.preset_gallery import MOST_TEXTURES, PresetGallery
from app.state.panel_state import Dialogs, PanelState

from .asked import asks, of
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]
LEARNT = dict.fromkeys((lesson.id for lesson in lesson_titles()), 1.0)
OF_PAIRS, OF_SLIPS = "every pair, with its exact answer", "every slip and the right answer"


def opened(rig: Rig, **changes: object) -> PanelState:
    """The gallery in sight, with the focus in its search."""
    ui = panel_state(dialogs=Dialogs(presets=True), **changes)
    rig.settle(ui)
    return ui


def gallery(rig: Rig) -> PresetGallery:
    return rig.panels_named("preset_gallery")


def typed(rig: Rig, ui: PanelState, text: str) -> None:
    imgui.get_io().add_input_characters_utf8(text)
    rig.settle(ui)


def test_the_search_has_the_focus_at_once_and_enter_opens_the_first_hit(rig: Rig) -> None:
    ui = opened(rig)
    typed(rig, ui, "g5")
    assert gallery(rig)._filter == "g5"
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke("preset.flat-worked-example")]


def test_without_a_word_enter_opens_the_first_that_was_not_opened(rig: Rig) -> None:
    ids = [preset.id for preset in presets()]
    ui = opened(rig, opened_presets=frozenset(ids[:9]), learnt=LEARNT)
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke(f"preset.{ids[9]}")]


def test_arrows_choose_among_what_is_found(rig: Rig) -> None:
    ui = opened(rig, learnt=LEARNT)
    typed(rig, ui, "ellipsoids overlapping")
    rig.settle(ui)
    typed_for = [preset.id for preset in presets()]
    rig.press(ui, imgui.Key.up_arrow)
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke("preset.ellipsoids-overlapping")]
    gallery(rig)._filter = ""
    ui.dialogs.presets = False
    rig.settle(ui)
    ui.dialogs.presets = True
    rig.settle(ui)
    rig.press(ui, imgui.Key.down_arrow)
    rig.press(ui, imgui.Key.down_arrow)
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke(f"preset.{typed_for[2]}")]


def test_escape_closes_it_from_its_search(rig: Rig) -> None:
    ui = opened(rig)
    rig.press(ui, imgui.Key.escape)
    assert not ui.dialogs.presets


def test_a_click_opens_a_card(rig: Rig) -> None:
    ui = opened(rig)
    assert of("open_lesson", rig.click(ui, "##card", 1)) == [asks.open_lesson(lesson_titles()[1].id)], (
        "the lessons stand first"
    )


def test_every_card_on_the_shelf_of_lessons_has_a_picture_of_its_own(rig: Rig) -> None:
    lessons = gallery_shelves(opened(rig))[0].cards()
    assert len({card.picture for card in lessons} - {None}) == len(lessons)


def test_a_click_opens_what_was_searched_for(rig: Rig) -> None:
    ui = opened(rig)
    typed(rig, ui, "flat-late-gap")
    assert of("invoke", rig.click(ui, "##card", 0)) == [asks.invoke("preset.flat-late-gap")]


@pytest.mark.parametrize("word", ["Faces alone: a false", "V6", "overlapping ellipsoids", "drake 21673", "nobody asks"])
def test_titles_codes_tags_and_words_are_found(rig: Rig, word: str) -> None:
    ui = opened(rig)
    cards = [card for shelf in gallery_shelves(ui) if not shelf.shut for card in shelf.cards()]
    found = [card for card in cards if card.matches(word.lower().split())]
    assert 0 < len(found) < 12
    typed(rig, ui, word)
    assert len(rig.rects["##card"]) >= 1
    typed(rig, ui, " that nobody wrote")
    assert not rig.rects["##card"]


def test_eight_presets_about_one_slip_are_one_card_that_lists_them(rig: Rig) -> None:
    ui = opened(rig)
    typed(rig, ui, "ask about the start first")
    assert len(rig.rects["##card"]) == 1
    assert of("invoke", rig.click(ui, "##card", 0)) == [asks.invoke("preset.ball-leaves-the-ground")]
    shown = replace(ui, preset="ball-from-inside")
    rig.settle(shown)
    last = "Boxes overlap at the start, then separate"
    assert of("invoke", rig.click(shown, last)) == [asks.invoke("preset.boxes-that-part")]


def test_reported_pairs_and_published_mistakes_stand_on_shelves_of_their_own(rig: Rig) -> None:
    rig.watch("text_unformatted", "invisible_button")
    ui = opened(rig)
    # Not read as long as their shelves are shut.
    assert not any(gallery(rig)._unfolded)
    case, slip = reported_cases()[0], article_cases()[0]
    typed(rig, ui, case.title)
    rig.click(ui, f"##{OF_PAIRS}")
    assert OF_PAIRS in gallery(rig)._unfolded
    last = len(rig.rects["##card"]) - 1
    assert of("open_scene", rig.click(ui, "##card", last)) == [asks.open_scene(case.scene, None, case.title)]
    rig.settle(panel_state(case.scene, dialogs=ui.dialogs))
    assert any(text.startswith("exact") for text in rig.rects)
    gallery(rig)._filter = slip.title.lower()
    rig.settle(ui)
    last = len(rig.rects["##card"]) - 1
    assert of("open_scene", rig.click(ui, "##card", last)) == [asks.open_scene(slip.scene, slip.view, slip.title)]
    rig.settle(panel_state(slip.scene, dialogs=ui.dialogs))
    assert {f"published  {slip.article}", f"right  {slip.right}"} <= set(rig.rects)


def test_what_was_opened_has_a_tick_and_a_card_of_several_a_share(rig: Rig) -> None:
    def cards(*names: str) -> dict[str, GalleryCard]:
        ui = panel_state(opened_presets=frozenset(names))
        return {card.key: card for shelf in gallery_shelves(ui) if not shelf.shut for card in shelf.cards()}

    assert {card.done for card in cards().values()} == {0.0}
    found = cards("tunnelling", "ball-from-inside", "balls-abreast")
    assert {key: card.done for key, card in found.items() if card.done} == {
        "Motion: tunnelling": 1.0,
        "Published mistakes: Ask about the start first": 0.25,
    }


def test_it_opens_at_the_first_shelf_with_something_unopened(rig: Rig) -> None:
    first = frozenset(preset.id for shelf in shelves()[:4] for card in shelf.cards for preset in card.presets)
    opened(rig)
    at_top = rig.rects["##card"][0][1]
    gallery(rig)._open = False
    opened(rig, opened_presets=first, learnt=LEARNT)
    # Cards above are out of sight: the first one drawn is of a shelf further on, or the one before it.
    # The place is a sum that the scroll is taken from again: good to a hundredth of a pixel.
    assert rig.rects["##card"][0][1] <= at_top + 0.01
    assert gallery(rig)._chosen == len(LEARNT) + sum(len(shelf.cards) for shelf in shelves()[:4])


@pytest.mark.parametrize(("size", "scale"), [((1280.0, 800.0), 1.0), ((1024.0, 768.0), 1.5), ((1024.0, 768.0), 2.0)])
def test_nothing_reaches_out_of_a_card(
    monkeypatch: pytest.MonkeyPatch, size: tuple[float, float], scale: float
) -> None:
    rig = Rig(monkeypatch, *size)
    try:
        imgui.get_style().font_scale_main = scale
        ui = opened(rig)
        shapes = gallery(rig)._shapes
        width = gallery(rig)._measured[0]
        assert len(shapes) == len(
            {card.key for shelf in gallery_shelves(ui) if not shelf.shut for card in shelf.cards()}
        )
        for shape in shapes.values():
            words = shape.top + shape.title + shape.sentence + shape.tags
            assert words < shape.high
            assert shape.picture[1] < shape.high
            assert shape.left + shape.inner < width
            assert shape.inner > 8.0 * imgui.get_font_size()
        for left, top, right, bottom in rig.rects["##card"]:
            assert 0.0 <= left < right <= size[0]
            assert top < bottom
    finally:
        rig.close()


def test_only_pictures_in_sight_are_read_and_none_is_kept_when_it_is_shut(rig: Rig) -> None:
    ui = opened(rig)
    pictures = gallery(rig)._pictures
    assert 0 < len(pictures._textures) == len(rig.rects["##card"]) < MOST_TEXTURES
    ui.dialogs.presets = False
    rig.settle(ui)
    assert not pictures._textures


def test_the_first_sentence() -> None:
    assert first_sentence("One two. Three.") == "One two."
    assert first_sentence("One 2.5 two") == "One 2.5 two"


def test_it_opens_with_the_old_words_selected_so_that_letters_replace_them(rig: Rig) -> None:
    ui = opened(rig)
    typed(rig, ui, "epa")
    ui.dialogs.presets = False
    rig.settle(ui)
    ui.dialogs.presets = True
    rig.settle(ui)
    typed(rig, ui, "edge")
    assert gallery(rig)._filter == "edge"


def test_an_enter_without_a_hit_says_so_and_keeps_the_keyboard(rig: Rig) -> None:
    ui = opened(rig)
    typed(rig, ui, "qqqq")
    assert not of("invoke", rig.press(ui, imgui.Key.enter))
    rig.settle(ui)
    assert imgui.get_io().want_text_input
    typed(rig, ui, "g5")
    assert gallery(rig)._filter == "g5", "the words without a hit are replaced"
    assert of("invoke", rig.press(ui, imgui.Key.enter)) == [asks.invoke("preset.flat-worked-example")]
