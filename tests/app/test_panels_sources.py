"""The panel of sources: every one is listed with a full citation, and a click copies it."""

from __future__ import annotations

import re

from app.panels.sources import sources
from app.state.panel_state import Dialogs
from app.state.settings import Settings

from .asked import asks
from .panel_rig import Rig, panel_state, rig  # noqa: F401


def test_every_source_says_who_what_where_and_what_for() -> None:
    articles, *groups = sources()
    assert len(articles.sources) == 4
    assert all(source.rows for source in articles.sources)
    known = [source for group in groups for source in group.sources]
    assert len(known) > 25
    for source in known:
        assert source.authors
        assert source.about.endswith(".")
        assert re.search(r"\b(19|20)\d\d\.$|Geometric Tools\.$", source.where), source
    assert len({source.citation for source in known}) == len(known)


def test_a_click_copies_a_citation(rig: Rig) -> None:  # noqa: F811
    ui = panel_state(settings=Settings(panels=True), dialogs=Dialogs(docked=("sources",)))
    rig.watch("text_unformatted")
    rig.settle(ui)
    first = sources()[0].sources[0].citation
    assert asks.copy(first, "the citation") in rig.click(ui, first, at=0.1)
