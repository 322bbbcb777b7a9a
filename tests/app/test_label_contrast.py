"""Every label of a picture is readable on whatever lies under it, its halo between them; and its leader is seen."""

from __future__ import annotations

import pytest

from app.draw.draw_list import Rgba
from app.draw.placed import LEADER_OPACITY
from app.draw.theme import Theme, faded
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.overlays.registry import OVERLAYS
from app.render.pictures import build
from app.stages import parts_of
from app.state.view import AxisView, View
from core.analysis.analysis import analyse
from core.query.query import query

from .test_theme import ALL, contrast

EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS)
LEAST, LEAST_OF_LINES = 4.5, 3.0
"""WCAG 2's least contrasts: of text, and of lines."""


def over(top: Rgba, ground: Rgba) -> Rgba:
    """A colour laid over an opaque one."""
    r, g, b = (top[k] * top[3] + ground[k] * (1.0 - top[3]) for k in range(3))
    return (r, g, b, 1.0)


def grounds(theme: Theme) -> list[Rgba]:
    """What a label may stand on: the picture's ground, bodies, the difference, faces that are lit, bars and arrows."""
    fills = (theme.body_a, theme.body_b, theme.difference, theme.edge_a, theme.edge_b, theme.winner, theme.overlap)
    return [theme.background_top, theme.background_bottom, *((*rgba[:3], 1.0) for rgba in fills)]


@pytest.mark.parametrize("name", [preset.id for preset in presets()])
@pytest.mark.sampled(8, "scenes")
def test_labels_stand_out_from_all_that_may_lie_under_them(name: str) -> None:
    scene = load_preset(name).scene
    analysis = analyse(scene)
    steps = query(analysis)
    for theme in ALL:
        lying = [over(theme.halo, ground) for ground in grounds(theme)]
        for place in range(0, len(steps.moments), 4):
            views = [View(), *(View(shown=EVERYTHING, axis_view=axes) for axes in AxisView if not place)]
            pictures = [build(Context(scene, analysis, view, theme, steps, place)) for view in views]
            parts = parts_of(steps, steps.moments[place])
            pictures += [build(Context(scene, analysis, View(), theme, steps, place, part=part.name)) for part in parts]
            for label in (one for both in pictures for one in (*both.world.labels, *both.difference.labels)):
                least = min(contrast(over(label.rgba, halo), halo) for halo in lying)
                assert least >= LEAST, (theme.name, theme.palette, label.text, least)
                leader = faded(label.rgba, LEADER_OPACITY)
                least = min(contrast(over(leader, rim), rim) for rim in lying)
                assert least >= LEAST_OF_LINES, (theme.name, theme.palette, label.text, least)
