"""The commands that make and change a deck, in the menu File."""

from __future__ import annotations

from .table import Command, InMenu, Program


def deck_commands() -> tuple[Command, ...]:
    """The commands of a deck, which are unavailable while a lesson is open."""
    file = InMenu("File")

    def free(app: Program) -> bool:
        return not app.lessons.open

    def is_open(app: Program) -> bool:
        return free(app) and app.work.deck is not None

    def at_slide(app: Program) -> bool:
        return free(app) and app.work.deck is not None and bool(app.work.deck.slides)

    def readable(app: Program) -> bool:
        return at_slide(app) and app.work.deck is not None and not app.work.deck.fault

    def can_move(by: int, app: Program) -> bool:
        return at_slide(app) and app.work.deck is not None and 0 <= app.work.deck.index + by < len(app.work.deck.slides)

    def can_undo(app: Program) -> bool:
        return is_open(app) and app.work.deck is not None and bool(app.work.deck.undo_label)

    def can_redo(app: Program) -> bool:
        return is_open(app) and app.work.deck is not None and bool(app.work.deck.redo_label)

    def new(app: Program) -> None:
        app.files.guard(app.files.new_deck, ask=False, deck=True)

    def replace(app: Program) -> None:
        app.files.decks.replace()

    def up(app: Program) -> None:
        app.files.decks.move(-1)

    def down(app: Program) -> None:
        app.files.decks.move(1)

    def write(app: Program) -> None:
        app.files.decks.open_panel()
        app.dialogs.deck_texts = True

    def save_as(app: Program) -> None:
        app.dialogs.deck = True

    def back(app: Program) -> None:
        app.files.guard(app.files.decks.back, ask=not app.work.document.slide_without_file)

    def close(app: Program) -> None:
        app.files.guard(app.files.decks.leave, ask=False, deck=True)

    added = "A slide after the present one, with the scene, its step or answer, time, question, camera and overlays"
    replaced = "The slide keeps its words and notes, and takes this scene, step, time, question, camera and overlays"
    return (
        file("deck.new", "New deck", "", new, "An empty deck of slides; what is shown stays", enabled=free),
        file("deck.add", "Add this view to the deck", "", lambda app: app.files.decks.add(), added, enabled=free),
        file("deck.replace", "Replace the slide with this view", "", replace, replaced, enabled=readable),
        file("deck.back", "Back to the slide's own view", "", back, "As the deck has it", enabled=at_slide),
        file("deck.write", "Words and notes of the slide", "", write, "To type in the panel Deck", enabled=readable),
        file("deck.up", "Move the slide up", "", up, enabled=lambda app: can_move(-1, app)),
        file("deck.down", "Move the slide down", "", down, enabled=lambda app: can_move(1, app)),
        file("deck.remove", "Remove the slide", "", lambda app: app.files.decks.remove(), enabled=at_slide),
        file("deck.undo", "Deck: undo the last change", "", lambda app: app.files.decks.undo(), enabled=can_undo),
        file("deck.redo", "Deck: redo the change", "", lambda app: app.files.decks.redo(), enabled=can_redo),
        file("deck.save", "Save the deck", "", lambda app: app.files.decks.save(), enabled=is_open),
        file("deck.save_as", "Save the deck as …", "", save_as, enabled=is_open),
        file("deck.close", "Close the deck", "", close, "What is shown stays", enabled=is_open),
    )
