"""The sources of the algorithms: full citations, and what each is used for."""

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
    """A source.

    `authors` is "" if unknown; `where` is journal or publisher, and year; `about` says what it is used for;
    `rows` names, in words, the ids of its mistakes in the gallery.
    """

    title: str
    about: str
    authors: str = ""
    where: str = ""
    rows: str = ""

    @property
    def citation(self) -> str:
        """Authors, title, publication and year."""
        return " ".join(part for part in (f"{self.authors}:" if self.authors else "", self.title, self.where) if part)


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """Sources under one heading."""

    group: str
    sources: tuple[Source, ...]


@cache
def sources() -> tuple[Group, ...]:
    """All sources, from assets/sources.json."""
    return msgspec.json.decode(resource("assets", "sources.json").read_bytes(), type=tuple[Group, ...])


class Sources(Docked):
    """The list of sources; a click copies a citation."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws each citation and, below it, what the source is used for."""
        for group in sources():
            imgui.separator_text(group.group)
            for source in group.sources:
                say(source.citation)
                copies_on_click(source.citation, "the citation", ask)
                say(source.about, ui.theme.dim_text)
                imgui.spacing()
