"""Single precision's wrong answer, drawn beside the right one."""

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import DrawList
from app.draw.theme import SINGLE_COLOURS
from app.io.presets import load_preset
from app.overlays.context import Context
from app.render.legend import legend_of
from app.render.pictures import DrawLists, build
from app.render.still import FrameBuilder, fitted_view, laid_out, prepared
from app.state.view import DEFAULT_OVERLAYS, SINGLE_OVERLAY, Seen, View
from core.analysis.analysis import analyse
from core.float32 import analyse_single

from .test_legend import theme_of_roles

WRONG = SINGLE_COLOURS[theme_of_roles().suits]


def seen_of(name: str, *, shown: bool = True) -> Seen:
    scene = load_preset(name).scene
    view = View(shown=DEFAULT_OVERLAYS | {SINGLE_OVERLAY} if shown else DEFAULT_OVERLAYS)
    return Seen(scene, analyse(scene), view, theme_of_roles())


def pictures_of(name: str, *, shown: bool = True) -> DrawLists:
    return build(Context(**seen_of(name, shown=shown).facts))


def texts(draw: DrawList) -> list[str]:
    return [label.text for label in draw.labels if "single precision" in label.text]


def test_it_is_off_by_default() -> None:
    assert SINGLE_OVERLAY not in DEFAULT_OVERLAYS
    pictures = pictures_of("far-from-origin", shown=False)
    assert not texts(pictures.world) + texts(pictures.difference)


def test_its_point_and_normal_are_named_with_its_number() -> None:
    pictures = pictures_of("far-from-origin")
    assert texts(pictures.world) == ["SAT in single precision: −0.324, normal"]
    assert texts(pictures.difference) == ["SAT in single precision: −0.324"]
    (label,) = (label for label in pictures.difference.labels if label.text in texts(pictures.difference))
    said = analyse_single(load_preset("far-from-origin").scene).answers[0]
    # The nearest point of A − B is −separation · normal; double's lies 0.0112 nearer the origin.
    assert label.point == pytest.approx(-said.separation * said.normal)
    analysis = analyse(load_preset("far-from-origin").scene)
    assert np.linalg.norm(label.point) - np.linalg.norm(analysis.nearest) == pytest.approx(0.01124, abs=1e-5)


def test_another_verdict_is_told() -> None:
    (told,) = texts(pictures_of("fcl-391").difference)
    assert told.startswith("GJK and EPA in single precision: TOUCHING, −1.19")


def test_nothing_is_drawn_where_both_agree_or_tie() -> None:
    # Of the second single precision takes another normal, which is as good.
    for name in ("skew-edges", "coincident-centres"):
        with_it, without = pictures_of(name), pictures_of(name, shown=False)
        assert [len(part.labels) + len(part.segments) for part in (with_it.world, with_it.difference)] == [
            len(part.labels) + len(part.segments) for part in (without.world, without.difference)
        ]


@pytest.mark.parametrize(("name", "told"), [("far-from-origin", 1), ("skew-edges", 0)])
def test_the_legend_names_it_where_it_is_drawn(name: str, told: int) -> None:
    shot = prepared(seen_of(name))
    shot = replace(shot, view=fitted_view(shot, (900, 600), 1.0))
    placed = [placed for _, placed in laid_out(shot, (900, 600), 1.0, FrameBuilder())]
    assert sum(entry.name == "single precision" for entry in legend_of(shot, placed)) == told
