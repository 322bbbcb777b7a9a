"""Stills: tiles, transparency and files."""

import json
from functools import partial
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from app.draw.placed import Rect
from app.draw.theme import LIGHT
from app.render.still import Plan, Stills
from app.storage.files import png_bytes, scene_text
from core.trace import run
from tests.app.placed_samples import placed, show_piece

SIZE = (220, 160)
WHITE = ((1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.0))


@pytest.fixture(scope="module")
def capture():
    with Stills() as stills:
        yield partial(drawn, stills)


def drawn(stills, lay_out, size, background, **tile):
    return run(stills.expose(Plan(size, 1.0, background, lay_out), **tile))


def two_panes(fineness):
    w, h = SIZE[0] * fineness, SIZE[1] * fineness
    left = w // 2
    return [
        (Rect(0, 0, left, h), show_piece(left, h, LIGHT, fineness)),
        (Rect(left, 0, w - left, h), show_piece(w - left, h, LIGHT, fineness, round_b=True)),
    ]


def test_a_still_has_the_size_asked_for_and_no_hole(capture):
    image = capture(two_panes, SIZE, (LIGHT.background_top, LIGHT.background_bottom))
    assert image.size == SIZE
    assert image.mode == "RGBA"
    assert np.asarray(image)[..., 3].min() == 255


def test_a_transparent_still_on_white_is_the_still_on_white(capture):
    clear = np.asarray(capture(two_panes, SIZE, None)).astype(float)
    solid = np.asarray(capture(two_panes, SIZE, WHITE)).astype(float)
    alpha = clear[..., 3:] / 255
    assert alpha.min() == 0
    assert alpha.max() == 1
    assert np.abs(clear[..., :3] * alpha + 255 * (1 - alpha) - solid[..., :3]).max() <= 2


@pytest.mark.parametrize("tile", [100, 128, 250])
def test_tiles_leave_no_seam(capture, tile):
    background = (LIGHT.background_top, LIGHT.background_bottom)
    whole = np.asarray(capture(two_panes, SIZE, background)).astype(int)
    tiled = np.asarray(capture(two_panes, SIZE, background, tile=tile)).astype(int)
    off = np.abs(whole - tiled).max(axis=2)
    # The rasteriser rounds corners to parts of a pixel, and differently in each tile: a few pixels of an edge tip over.
    assert off.max() <= 12
    assert (off > 1).mean() < 0.001


def test_an_empty_transparent_still_is_all_clear(capture):
    image = capture(lambda n: [(Rect(0, 0, 20 * n, 10 * n), placed(20 * n, 10 * n))], (20, 10), None)
    assert np.asarray(image).max() == 0


def test_a_scene_of_five_megabytes_travels_inside_the_picture():
    text = json.dumps({"separatrix": 1, "notes": "×→ " * 900_000}, ensure_ascii=False)
    assert len(text.encode()) > 5_000_000
    picture = png_bytes(Image.new("RGBA", (8, 8), (1, 2, 3, 4)), text)
    assert scene_text(picture) == text
    with Image.open(BytesIO(picture)) as image:
        assert image.getpixel((0, 0)) == (1, 2, 3, 4)
