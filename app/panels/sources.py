"""Where the algorithms are from: every source with its full citation, and what it is used for."""

from __future__ import annotations

from functools import cache

import msgspec
from imgui_bundle import imgui
from msgspec import Struct

from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..storage.files import resource
from .panel import Docked
from .text import copies_on_click, say


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """One of them.

    `authors`: "" where they are not known; `where`: journal or publisher, and year; `about`: what it is used for;
    `rows`: ids of its mistakes in the gallery, in words.
    """

    title: str
    about: str
    authors: str = ""
    where: str = ""
    rows: str = ""

    @property
    def citation(self) -> str:
        """Authors, title, where and when."""
        return " ".join(part for part in (f"{self.authors}:" if self.authors else "", self.title, self.where) if part)


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """Sources under one heading."""

    group: str
    sources: tuple[Source, ...]


@cache
def sources() -> tuple[Group, ...]:
    """All of them, as assets/sources.json has them."""
    return msgspec.json.decode(resource("assets", "sources.json").read_bytes(), type=tuple[Group, ...])


class Sources(Docked):
    """The list; a click copies a citation."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """What each is used for stands under it."""
        for group in sources():
            imgui.separator_text(group.group)
            for source in group.sources:
                say(source.citation)
                copies_on_click(source.citation, "the citation", ask)
                say(source.about, ui.theme.dim_text)
                imgui.spacing()
