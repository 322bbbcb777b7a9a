"""What vector pictures are made of: outlines, shades, hidden parts, lines, marks and letters, each held on its own."""

from __future__ import annotations

import io

import numpy as np
import pytest
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from app.draw.draw_list import Dash, DrawList, Marker
from app.draw.layout import layout
from app.draw.placed import Rect
from app.draw.text import font_path, measure
from app.draw.theme import LIGHT
from app.export import fonts
from app.export.pdf import pdf_bytes
from app.export.picture import picture_of
from app.export.polygons import areas, cut, thinned, union_outlines
from app.export.shading import shaded
from app.export.solids import PaintedBody, hidden_part
from app.export.svg import svg_bytes
from app.overlays.solids import draw_sphere
from app.render import make_context
from app.render.frame import INSET_CAMERA
from app.render.still import SUPERSAMPLING, Plan, expose_still
from core.trace import run
from tests.figure_rig import levels, pdf_image, svg_image

from .placed_samples import joined_lines, lines, marks, placed, triangles

WHITE = (1.0, 1.0, 1.0, 1.0)
INK = (0.1, 0.2, 0.7, 1.0)


@pytest.fixture(scope="module")
def context():
    context = make_context(standalone=True)
    yield context
    context.release()


def drawn(context, pane, size: int = 200):
    """GL's, the SVG's and the PDF's levels of one pane on white, laid out twice as fine as the picture."""

    def lay_out(fineness: int):
        assert fineness == SUPERSAMPLING
        return [(Rect(0, 0, 2 * size, 2 * size), pane)]

    gl = levels(run(expose_still(Plan((size, size), 1.0, (WHITE, WHITE), lay_out), context=context)))
    picture = picture_of(lay_out(2), (size, size), 2, 1.0, (WHITE, WHITE), "{}")
    return gl.astype(int), levels(svg_image(svg_bytes(picture))).astype(int), levels(pdf_image(pdf_bytes(picture)))


def near(first, second, *, mean: float, far: float) -> None:
    off = np.abs(first - second)
    assert off.mean() <= mean
    assert 100.0 * (off.max(axis=2) > 48).mean() <= far


def test_every_mark_has_the_shape_of_the_shaders(context) -> None:
    found = []
    for row, shape in enumerate(Marker):
        for column, (fill, stroke, width) in enumerate(
            ((INK, (0, 0, 0, 0), 0.0), (INK, (0.9, 0.3, 0.0, 1.0), 3.0), ((0, 0, 0, 0), (0.9, 0.3, 0.0, 1.0), 3.0))
        ):
            place, angle = (60.0 + 120.0 * column, 30.0 + 55.0 * row), 0.4 * row
            found.append(marks(place, shape, fill, 20.0, stroke=stroke, stroke_width=width, angle=angle))
    rows = ("centre", "radius", "shape", "angle", "fill", "stroke", "stroke_width")
    joined = type(found[0])(
        *(np.concatenate([getattr(part, name) for part in found]) for name in rows),
        subjects=tuple(subject for part in found for subject in part.subjects),
    )
    gl, svg, pdf = drawn(context, placed(400, 400, marks_=joined))
    near(gl, svg, mean=0.8, far=0.1)
    near(gl, pdf, mean=0.8, far=0.2)
    assert gl.std() > 30


def test_dashes_fading_lines_and_joints_are_those_of_the_shaders(context) -> None:
    parts = [lines((20, 30 + 30 * dash), (380, 60 + 30 * dash), INK, 5.0, dash=dash, phase=7.0 * dash) for dash in Dash]
    way = np.linspace((20.0, 200.0), (380.0, 230.0), 13)
    fades = np.linspace(1.0, 0.0, 13)
    for k in range(12):
        first, last = (*INK[:3], fades[k]), (*INK[:3], fades[k + 1])
        parts.append(lines(way[k], way[k + 1], first, 4.0, end_rgba=last))
    corners = np.array(((30.0, 280.0), (120.0, 380.0), (200.0, 270.0), (300.0, 390.0), (370.0, 290.0)))
    parts += [lines(corners[k], corners[k + 1], INK, 12.0) for k in range(4)]
    gl, svg, pdf = drawn(context, placed(400, 400, lines_=joined_lines(*parts)))
    near(gl, svg, mean=0.6, far=0.05)
    near(gl, pdf, mean=0.6, far=0.1)
    assert gl.std() > 30


def test_shades_are_those_of_the_shader(context) -> None:
    chance = np.random.default_rng(5)
    normals = chance.normal(size=(40, 3))
    normals[:, 2] = np.abs(normals[:, 2]) + 0.01
    normals[::4, 2] *= -1.0
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    rgba = np.concatenate((chance.uniform(size=(40, 3)), chance.uniform(0.2, 1.0, size=(40, 1))), axis=1)
    corners = [[(20 * k, 0, 0.5), (20 * k, 60, 0.5), (20 * k + 20, 0, 0.5)] for k in range(40)]
    turned = np.repeat(normals[:, None], 3, axis=1)
    pane = placed(800, 40, triangles=triangles(corners, rgba, normals=turned, front=0))
    plan = Plan((400, 20), 1.0, (WHITE, WHITE), lambda _: [(Rect(0, 0, 800, 40), pane)])
    picture = levels(run(expose_still(plan, context=context)))
    lit, alpha = shaded(np.floor(rgba * 255.0 + 0.5) / 255.0, turned)
    expected = 255.0 * (1.0 - alpha[:, :1] + alpha[:, :1] * lit[:, 0])
    told = picture[3, 10 * np.arange(40) + 3]
    assert np.abs(told - expected).max() < 1.0
    assert np.ptp(expected) > 100


def test_a_translucent_ball_is_as_smooth_as_in_pixels(context) -> None:
    draw = DrawList()
    draw_sphere(draw, LIGHT, 0.84, 0.16)
    pane = layout(draw, INSET_CAMERA, 800, 800, 2.0, measure, LIGHT.halo)
    gl, svg, pdf = drawn(context, pane, 400)
    for image in (svg, pdf):
        # From the middle outward to the right, but for the outline; a coat in place of the haze was a step of 5.
        row, own = image[200, 200:345].mean(axis=1), gl[200, 200:345].mean(axis=1)
        assert np.abs(row - own).max() <= 7.0
        assert np.abs(np.diff(row)).max() <= np.abs(np.diff(own)).max() + 1.0
    assert np.ptp(gl[200, 200:345].mean(axis=1)) > 10.0


def test_a_translucent_ball_that_is_seen_as_a_point_is_at_most_the_dot_of_its_outline(context) -> None:
    draw = DrawList()
    draw_sphere(draw, LIGHT, 1e-30, 0.16)
    for image in drawn(context, layout(draw, INSET_CAMERA, 200, 200, 2.0, measure, LIGHT.halo), 100):
        assert (image < 250).any(axis=2).sum() <= 16


def test_a_cut_keeps_what_lies_on_one_side_and_both_sides_make_the_whole() -> None:
    chance = np.random.default_rng(2)
    polygons = chance.uniform(-1.0, 1.0, size=(200, 3, 2))
    line = chance.normal(size=(200, 3))
    total = np.zeros(200)
    for sign in (1.0, -1.0):
        parts, rows = cut(polygons, sign * line)
        held = parts @ line[rows, :2, None] + line[rows, None, 2:]
        assert (sign * held >= -1e-9).all()
        np.add.at(total, rows, np.abs(areas(parts)))
    assert total == pytest.approx(np.abs(areas(polygons)))


def test_an_outline_goes_round_what_lies_side_by_side() -> None:
    x, y = np.meshgrid(np.arange(6.0), np.arange(4.0))
    corner = np.stack((x, y), axis=-1).reshape(-1, 2)
    squares = corner[:, None] + np.array(((0, 0), (1, 0), (1, 1), (0, 1)))
    hole = (corner == (2.0, 2.0)).all(axis=1)
    (first, second) = union_outlines([squares[~hole], squares[:0]])
    sizes = sorted(areas(np.array(loop)[None])[0] for loop in (first, second))
    assert sizes == pytest.approx([-1.0, 24.0])
    # One corner more at the most: the one that the way round began with.
    assert max(map(len, (first, second))) <= 5
    assert union_outlines([squares[:0]]) == ()


def test_a_thinned_circle_stays_within_the_tolerance() -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 2000, endpoint=False)
    circle = 100.0 * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    kept = thinned(circle, 0.12)
    assert 40 < len(kept) < 150
    assert np.pi * 100.0**2 - areas(kept[None])[0] < 0.12 * 2.0 * np.pi * 100.0


def body(corners: np.ndarray) -> PaintedBody:
    """Triangles (m, 3, 3), their planes from three equations each."""
    flat = corners[..., :2]
    turned = areas(flat) < 0.0
    corners = np.where(turned[:, None, None], corners[:, ::-1], corners)
    ones = np.concatenate((corners[..., :2], np.ones((len(corners), 3, 1))), axis=2)
    planes = np.linalg.solve(ones, corners[..., 2:])[..., 0]
    return PaintedBody(np.arange(len(corners)), corners[..., :2], corners[..., 2], planes, False)


def depth_at(shape: PaintedBody, point: np.ndarray) -> float | None:
    for corners, plane in zip(shape.corners, shape.planes, strict=True):
        after = np.roll(corners, -1, axis=0)
        turns = (after[:, 0] - corners[:, 0]) * (point[1] - corners[:, 1]) - (after[:, 1] - corners[:, 1]) * (
            point[0] - corners[:, 0]
        )
        if (turns > 0.0).all():
            return float(plane[:2] @ point + plane[2])
    return None


def winding(loops, point: np.ndarray) -> int:
    total = 0.0
    for loop in loops:
        to = loop - point
        angle = np.arctan2(to[:, 1], to[:, 0])
        total += ((np.diff(np.append(angle, angle[0])) + np.pi) % (2.0 * np.pi) - np.pi).sum()
    return round(total / (2.0 * np.pi))


def pyramid(chance: np.random.Generator) -> np.ndarray:
    """Three facing triangles about a near tip."""
    rim = chance.uniform(150.0, 250.0, 2) + 150.0 * np.array([(np.cos(a), np.sin(a)) for a in (0.3, 2.4, 4.5)])
    tip = rim.mean(axis=0)
    depths = chance.uniform(0.5, 0.6, 3)
    points = np.column_stack((np.vstack((rim, tip)), np.append(depths, depths.min() - 0.05)))
    return np.array([points[[k, (k + 1) % 3, 3]] for k in range(3)])


def test_what_is_hidden_is_what_lies_behind_at_every_point() -> None:
    chance = np.random.default_rng(11)
    looked = 0
    for _ in range(12):
        first, second = body(pyramid(chance)), body(pyramid(chance))
        hidden = hidden_part(first, second)
        for point in chance.uniform(0.0, 400.0, size=(60, 2)):
            depth, other = depth_at(first, point), depth_at(second, point)
            if depth is None or other is None or abs(depth - other) < 2e-3:
                continue
            looked += 1
            assert (winding(hidden.seen, point) != 0) == (depth > other)
    assert looked > 60


def test_faces_in_one_plane_hide_each_other_in_the_first_pass_only() -> None:
    square = np.array((((0, 0, 0.5), (90, 0, 0.5), (0, 90, 0.5)), ((90, 90, 0.5), (0, 90, 0.5), (90, 0, 0.5))), float)
    hidden = hidden_part(body(square), body(square + np.array((30.0, 30.0, 0.0))))
    assert hidden.seen == ()
    assert areas(np.array(hidden.first))[0] == pytest.approx(60.0**2, rel=1e-3)


LETTERS = "Aé0123456789.− depth overlap winner×→A.v4B·≈ǻÅőñ|∥名"


@pytest.mark.parametrize("bold", [False, True])
def test_the_letters_inside_are_those_of_the_font(bold: bool) -> None:
    whole = TTFont(font_path(bold))
    inside = TTFont(io.BytesIO(fonts.woff("".join(sorted(set(LETTERS))), bold=bold)))
    mine, theirs = inside.getGlyphSet(), whole.getGlyphSet()
    characters, names = whole.getBestCmap(), inside.getBestCmap()
    assert names.keys() == {ord(letter) for letter in LETTERS if ord(letter) in characters}
    for code, name in names.items():
        drawn_, expected = DecomposingRecordingPen(mine), DecomposingRecordingPen(theirs)
        mine[name].draw(drawn_), theirs[characters[code]].draw(expected)
        assert drawn_.value == expected.value
        assert mine[name].width == theirs[characters[code]].width
    assert whole["name"].getBestFamilyName() == inside["name"].getBestFamilyName() == fonts.FAMILY


def test_outlines_are_those_that_another_reader_finds() -> None:
    for bold in (False, True):
        font, whole = fonts.font(bold), TTFont(font_path(bold))
        order = whole.getReverseGlyphMap()
        named = whole.getBestCmap()
        assert {ord(letter): glyph for letter, glyph in font.glyphs.items()} == {c: order[n] for c, n in named.items()}
        for code, name in named.items():
            places, _, flags = whole["glyf"][name].getCoordinates(whole["glyf"])
            points = [point for contour in fonts.outline(font, font.glyphs[chr(code)]) for point in contour]
            assert [bool(flag & 1) for flag in flags] == [on for _, _, on in points]
            assert np.array([(x, y) for x, y, _ in points]).reshape(-1, 2) == pytest.approx(
                np.array(places, dtype=float).reshape(-1, 2), abs=1.0
            )
