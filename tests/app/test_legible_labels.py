"""Every label can be read on what lies under it: in each theme and palette, on the worst ground under its halo."""

from __future__ import annotations

from functools import cache

import pytest

from app.draw.draw_list import Rgba, Subject
from app.draw.theme import LEGIBLE, contrast, legible, mixed, worst_ground
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.overlays.registry import OVERLAYS
from app.render.pictures import build
from app.state.view import AxisView, View
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import Analysis, analyse
from core.query.query import Query, query

from .test_theme import ALL, NAMES
from .test_theme import contrast as by_definition

EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS)
STEPPED = ("flat-gjk-walk", "skew-edges", "box-on-plate", "edge-touch")
"""Presets of which every step is drawn too."""


@cache
def answered(name: str) -> Analysis:
    return analyse(load_preset(name).scene)


@cache
def asked(name: str) -> Query:
    analysis = answered(name)
    return query(analysis, AlgorithmSettings(mpr=True, reduce=analysis.scene.dimension == 3))


def contexts(theme) -> list[Context]:
    found = []
    for preset in presets():
        analysis = answered(preset.id)
        for axis_view in AxisView:
            view = View(shown=EVERYTHING, axis_view=axis_view, hover=Subject("axis", 0))
            found.append(Context(analysis.scene, analysis, view, theme))
    for name in STEPPED:
        moments = asked(name).moments
        found += [
            Context(answered(name).scene, answered(name), View(shown=EVERYTHING), theme, asked(name), number)
            for number in range(len(moments))
        ]
    return found


def colours(theme) -> dict[Rgba, str]:
    """The colours of all labels of pictures, each with one of its texts."""
    found: dict[Rgba, str] = {}
    for context in contexts(theme):
        pictures = build(context)
        for draw in (pictures.world, pictures.difference, pictures.globe, pictures.triad):
            found |= {label.rgba: label.text for label in draw.labels}
    return found


@pytest.mark.parametrize("theme", ALL, ids=NAMES)
def test_every_label_of_pictures_can_be_read_on_every_ground(theme) -> None:
    # The halo's opacity counts: through it shows the body, face or edge under it.
    found = colours(theme)
    assert len(found) > 8
    grounds = [theme.background_top, theme.background_bottom, theme.body_a, theme.body_b, theme.edge_a, theme.edge_b]
    grounds += [theme.difference, theme.winner]
    under = [(*mixed(ground, theme.halo, theme.halo[3])[:3], 1.0) for ground in grounds]
    under.append(worst_ground(theme.halo))
    dark = {}
    for rgba, text in found.items():
        ink = legible(rgba, theme.halo)
        seen = min(by_definition(mixed(ground, ink, ink[3]), ground) for ground in under)
        if seen < LEGIBLE:
            dark[text] = round(seen, 2)
    assert dark == {}


def test_a_colour_that_is_legible_stays_and_without_a_halo_each_does() -> None:
    black, clear = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 0.0)
    assert legible(black, (1.0, 1.0, 1.0, 0.95)) == black
    assert legible((0.5, 0.5, 0.5, 0.4), clear) == (0.5, 0.5, 0.5, 0.4)
    assert contrast(black, (1.0, 1.0, 1.0, 1.0)) == pytest.approx(21.0)
