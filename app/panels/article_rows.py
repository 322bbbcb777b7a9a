"""The articles' mistaken versions in a panel: the wrong ones with their reasons, the right ones counted."""

from __future__ import annotations

from imgui_bundle import imgui

from ..draw.draw_list import Rgba
from ..draw.theme import Theme
from .widgets import coloured, explain, say, wrapped_at

ARTICLES_TITLE = "The articles' versions"


def draw_sentence(heading: str, words: str, rgba: Rgba) -> None:
    """A heading and what is to say about it, as one item."""
    imgui.begin_group()
    with coloured(rgba), wrapped_at():
        imgui.text_unformatted(heading)
    with wrapped_at():
        imgui.text_unformatted(words)
    imgui.end_group()


def right_words(right: int, wrong: int, what: str) -> str:
    """`9 more are right about this pair`, as a sentence."""
    if not wrong:
        return f"All {right} are right about {what}." if right > 1 else f"The only one is right about {what}."
    return f"{f'{right} more are' if right > 1 else 'One more is'} right about {what}."


def draw_right(headings: list[str], wrong: int, what: str, theme: Theme) -> None:
    """How many are right, each by name on hover; `wrong`: how many are not, `what`: about what."""
    if headings:
        say(right_words(len(headings), wrong, what), theme.dim_text)
        explain("\n".join(headings))
