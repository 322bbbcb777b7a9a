"""The gallery's shelves: a card for each lesson, preset or group of presets, reported pair and published mistake.

The last two shelves are long, and stay closed until the user opens them or searches.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui
from msgspec import Struct

from ..io.lesson_index import lesson_titles
from ..io.presets import PresetCard, ReportedCase, presets, reported_cases, shelves
from ..state.ask import Ask, Press
from ..state.panel_state import PanelState
from ..words.digits import column_number, full, plain
from .rows import command
from .text import copyable, say

if TYPE_CHECKING:
    from ..io.presets import ArticleCase


class GalleryCard(Struct, frozen=True, eq=False):
    """One card. It shows the first sentence of `text`; `search_words` are only for the search.

    `key`: names the card's cached layout. `picture`: a PNG, 352 by 220 pixels. `done`, 0 to 1: the share of the scenes
    that were opened, or of the lesson that was learnt; 1 draws a tick, less a ring, 0 nothing. `current`: the card's
    scene or lesson is open. `press`: the request of a click; `below`: draws the part under the card while it is
    `current`.
    """

    key: str
    title: str
    text: str
    press: Press
    tags: tuple[str, ...] = ()
    search_words: str = ""
    picture: Path | None = None
    done: float = 0.0
    current: bool = False
    below: Callable[[PanelState, Ask], None] | None = None

    def matches(self, words: list[str]) -> bool:
        """Whether title, text, tags and `search_words` contain all of `words`, which are in lower case."""
        told = f"{self.title} {self.text} {' '.join(self.tags)} {self.search_words}".lower()
        return all(word in told for word in words)

    @property
    def sentence(self) -> str:
        """The first sentence of `text`."""
        return first_sentence(self.text)


def first_sentence(text: str) -> str:
    """`text` up to the first full stop that is followed by a space, with it; all of `text` if there is none."""
    head, stop, _ = text.strip().partition(". ")
    return head + "." if stop else head


class Shelf(Struct, frozen=True, eq=False):
    """Cards under a title. `cards` makes them when they are drawn: on a `shut` shelf, once it is opened or searched."""

    title: str
    subtitle: str
    cards: Callable[[], list[GalleryCard]]
    shut: bool = False


def gallery_shelves(ui: PanelState) -> list[Shelf]:
    """Every shelf in order, also one without cards, which the gallery does not draw."""
    course = [
        Shelf(shelf.title, shelf.subtitle, partial(_preset_cards, ui, shelf.title, shelf.cards)) for shelf in shelves()
    ]
    return [
        Shelf("Lessons", "start here", partial(_lesson_cards, ui)),
        *course,
        Shelf("Reported bugs", "every pair, with its exact answer", partial(_reported_cards, ui), shut=True),
        Shelf("Published mistakes", "every slip and the right answer", partial(_article_cards, ui), shut=True),
    ]


def _lesson_cards(ui: PanelState) -> list[GalleryCard]:
    """A card for each lesson, with the picture of its shelf's first preset, else of its own first one."""
    theme = "dark" if ui.theme.dark_panels else "light"
    shown = {lesson.id: preset for lesson in lesson_titles() for preset in presets() if preset.id == lesson.preset}
    shown |= {shelf.lesson: shelf.cards[0].presets[0] for shelf in reversed(shelves()) if shelf.lesson}
    under_way = None if ui.lesson is None else ui.lesson.lesson.id
    return [
        GalleryCard(
            key=f"lesson {lesson.id}",
            title=f"{lesson.order}. {lesson.title}",
            text=f"{lesson.steps} steps, about {lesson.minutes} minutes.",
            press=partial(_open_lesson, lesson.id),
            tags=("2D" if lesson.world == "plane" else "3D", "lesson"),
            search_words=lesson.id,
            picture=shown[lesson.id].thumbnail(theme) if lesson.id in shown else None,
            done=ui.learnt.get(lesson.id, 0.0),
            current=lesson.id == under_way,
        )
        for lesson in lesson_titles()
    ]


def _open_lesson(lesson: str, ask: Ask) -> None:
    ask.open_lesson(lesson)


def _preset_cards(ui: PanelState, shelf: str, cards: tuple[PresetCard, ...]) -> list[GalleryCard]:
    return [_preset_card(ui, shelf, card) for card in cards]


def _preset_card(ui: PanelState, shelf: str, card: PresetCard) -> GalleryCard:
    first, ids = card.presets[0], [preset.id for preset in card.presets]
    folded = len(ids) > 1
    names = [f"{preset.title} {preset.text}" for preset in card.presets] if folded else []
    codes = [code for preset in card.presets for code in preset.codes]
    return GalleryCard(
        key=f"{shelf}: {first.id if not folded else card.title}",
        title=card.title,
        text=card.text,
        press=command(f"preset.{first.id}"),
        tags=first.tags if not folded else (f"{len(ids)} scenes",),
        search_words=" ".join((*ids, *codes, *names, shelf)),
        picture=first.thumbnail("dark" if ui.theme.dark_panels else "light"),
        done=sum(name in ui.opened_presets for name in ids) / len(ids),
        current=ui.preset in ids,
        below=partial(_draw_folded, card) if folded else None,
    )


def _draw_folded(card: PresetCard, ui: PanelState, ask: Ask) -> None:
    for preset in card.presets:
        if imgui.selectable(preset.title, preset.id == ui.preset)[0]:
            ask.invoke(f"preset.{preset.id}")


def _reported_cards(ui: PanelState) -> list[GalleryCard]:
    return [
        GalleryCard(
            f"reported {case.id}",
            case.title,
            case.story,
            partial(_load, case),
            (case.source,),
            case.lesson,
            current=case.is_shown(ui.document.scene),
            below=partial(_draw_reported, case),
        )
        for case in reported_cases()
    ]


def _load(case: ReportedCase, ask: Ask) -> None:
    ask.open_scene(case.scene, None, case.title)


def _draw_reported(case: ReportedCase, ui: PanelState, ask: Ask) -> None:
    """Draws the rest of the story, the lesson, what is wrong today, and the exact answer beside ours."""
    if rest := case.story.removeprefix(first_sentence(case.story)).strip():
        say(rest)
    if case.lesson:
        say(case.lesson, ui.theme.dim_text)
    for wrong in case.wrong_today:
        say(f"Wrong today: {wrong}", ui.theme.overlap)
    exact, ours = case.answer.separation, ui.analysis.separation
    copyable(f"exact  {column_number(exact)}  {case.answer.state}", case.answer.digits, "exact separation", ask)
    copyable(f"ours    {column_number(ours)}  {ui.analysis.verdict}", full(ours), "our separation", ask)
    say(f"They differ by {plain(abs(exact - ours))}.", ui.theme.dim_text)


def _article_cards(ui: PanelState) -> list[GalleryCard]:
    # Imported when first drawn: nothing else in the gallery needs the articles.
    from ..io.presets import article_cases

    return [
        GalleryCard(
            case.id,
            case.title,
            case.why,
            partial(_load_article, case),
            (case.scene.name,),
            case.system,
            current=ui.document.scene == case.scene,
            below=partial(_draw_article, case),
        )
        for case in article_cases()
    ]


def _load_article(case: ArticleCase, ask: Ask) -> None:
    ask.open_scene(case.scene, case.view, case.title)


def _draw_article(case: ArticleCase, ui: PanelState, _ask: Ask) -> None:
    """Draws both answers and the rest of the reason."""
    say(f"published  {case.article}", ui.theme.overlap)
    say(f"right  {case.right}")
    if rest := case.why.removeprefix(first_sentence(case.why)).strip():
        say(rest, ui.theme.dim_text)
