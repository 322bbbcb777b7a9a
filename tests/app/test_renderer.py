"""Pixels of the renderer, on software GL without a display."""

import moderngl
import numpy as np
import pytest

from app.draw.draw_list import Dash, Marker
from app.draw.placed import Rect
from app.draw.text import measure
from app.draw.theme import DARK
from app.render import GraphicsUnavailable, Renderer, make_context
from app.render.context import ShaderError, load_program, resolve, with_file_names
from app.render.passes import round_about
from tests.app.placed_samples import label, lines, marks, placed, show_piece, stacked, triangles

WHITE, BLACK = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0)
RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
SIZE = 64


@pytest.fixture(scope="module")
def renderer():
    context = make_context(standalone=True)
    with context:
        renderer = Renderer(context)
        yield renderer
        renderer.release()
    context.release()


def pixels(renderer, panes, background=(BLACK, BLACK), size=(SIZE, SIZE)):
    """(h, w, 4) as bytes, top row first, as integers."""
    if not isinstance(panes, list):
        panes = [(Rect(0, 0, *size), panes)]
    renderer.draw(panes, background, size)
    data = renderer.target.framebuffer.read(components=4, alignment=1)
    return np.frombuffer(data, np.uint8).reshape(size[1], size[0], 4)[::-1].astype(int)


def line_picture(renderer, *args, **kwargs):
    return pixels(renderer, placed(SIZE, SIZE, lines_=lines(*args, **kwargs)))[..., 0] / 255


@pytest.mark.parametrize("width", [1.0, 1.5, 2.0, 3.0, 5.5])
@pytest.mark.parametrize("angle", [0.0, 0.3, np.pi / 4, 1.2])
def test_lines_are_as_wide_as_they_say_in_every_direction(renderer, width, angle):
    along = np.array([np.cos(angle), np.sin(angle)])
    middle = np.array([32.2, 31.7])
    picture = line_picture(renderer, middle - 90 * along, middle + 90 * along, WHITE, width)
    y, x = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    u = (x - middle[0]) * along[0] + (y - middle[1]) * along[1]
    # The ink per pixel of length is the width.
    band = np.abs(u) < 15
    assert picture[band].sum() / 30 == pytest.approx(width, rel=0.08)


@pytest.mark.parametrize("hole", [(3, 4, 5, 6), (0, 0, 12, 9), (0, 4, 12, 2), (9, 7, 3, 2), (0, 0, 1, 1)])
def test_strips_round_a_hole_cover_the_rest_once(hole):
    covered = np.zeros((9, 12), dtype=int)
    whole, inside = (5, 7, 12, 9), (hole[0] + 5, hole[1] + 7, *hole[2:])
    for x, y, width, height in [*round_about(inside, whole), inside]:
        assert min(width, height) > 0
        covered[y - 7 : y - 7 + height, x - 5 : x - 5 + width] += 1
    assert (covered == 1).all()


def test_thin_lines_fade_instead_of_vanishing(renderer):
    ink = [line_picture(renderer, (0, 20.3), (64, 30.9), WHITE, width).sum() for width in (0.1, 0.25, 0.5, 1.0)]
    assert ink == pytest.approx([ink[3] * width for width in (0.1, 0.25, 0.5, 1.0)], rel=0.05)


def test_anti_aliasing_grows_steadily_as_a_line_moves_over_a_pixel(renderer):
    values = [
        line_picture(renderer, (0, 30 + step), (64, 30 + step), WHITE, 2.0)[32, 32] for step in np.arange(0, 2, 0.1)
    ]
    assert (np.diff(values) >= 0).all()
    assert values[0] == 0
    assert values[-1] == pytest.approx(0.9, abs=0.02)


def test_colours_run_from_one_end_to_the_other(renderer):
    row = pixels(renderer, placed(SIZE, SIZE, lines_=lines((0, 32), (64, 32), RED, 4, end_rgba=BLUE)))[32]
    assert row[1, 0] > 240 > 15 > row[1, 2]
    assert row[62, 2] > 240 > 15 > row[62, 0]
    assert (np.diff(row[:, 0]) <= 0).all()


def runs(row):
    """Start and length of the lit stretches of a row of coverages."""
    lit = np.concatenate(([0], (row > 0.5).astype(int), [0]))
    change = np.diff(lit)
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    return list(zip(starts.tolist(), (ends - starts).tolist(), strict=True))


def test_dash_patterns_in_pixels(renderer):
    def row(dash, width=2.0, phase=0.0):
        return runs(line_picture(renderer, (0, 32), (64, 32), WHITE, width, dash=dash, phase=phase)[32])

    assert row(Dash.SOLID) == [(0, 64)]
    assert row(Dash.DASHED)[:4] == [(0, 8), (14, 8), (28, 8), (42, 8)]
    assert row(Dash.DOTTED)[:3] == [(0, 2), (6, 2), (12, 2)]
    assert row(Dash.DASH_DOT)[:4] == [(0, 12), (17, 2), (24, 12), (41, 2)]
    assert row(Dash.DASHED, width=4.0)[:2] == [(0, 16), (28, 16)]
    # Five pixels of the first dash are already spent.
    assert row(Dash.DASHED, phase=5.0)[:2] == [(0, 3), (9, 8)]


def test_a_dashed_line_cut_in_two_looks_like_one(renderer):
    whole = line_picture(renderer, (3, 20), (60, 44), WHITE, 2.0, dash=Dash.DASH_DOT)
    cut = np.array([3, 20]) + 0.37 * np.array([57, 24])
    spent = float(np.hypot(*(cut - (3, 20))))
    halves = lines([(3, 20), cut], [cut, (60, 44)], WHITE, 2.0, dash=Dash.DASH_DOT, phase=[0, spent])
    picture = pixels(renderer, placed(SIZE, SIZE, lines_=halves))[..., 0] / 255
    assert np.abs(picture - whole).max() < 0.15


def test_ends_are_exact_and_joints_are_closed(renderer):
    free = line_picture(renderer, (10, 32), (50, 32), WHITE, 6.0)[32]
    assert runs(free) == [(10, 40)]
    corner = lines([(10, 10), (50, 10)], [(50, 10), (50, 50)], WHITE, 8.0)
    picture = pixels(renderer, placed(SIZE, SIZE, lines_=corner))[..., 0]
    # The outer side of the corner is filled, which two square ends would leave open.
    assert picture[8, 51] > 200


def test_later_lines_lie_over_earlier_ones_and_ground_lies_under_solids(renderer):
    face = triangles([[(0, 0, 0.5), (64, 0, 0.5), (0, 64, 0.5)], [(64, 0, 0.5), (64, 64, 0.5), (0, 64, 0.5)]], BLUE)
    pair = [(0, 20), (0, 40)], [(64, 20), (64, 40)]
    picture = pixels(renderer, placed(SIZE, SIZE, triangles=face, lines_=lines(*pair, RED, 4, ground_lines=1)))
    assert picture[20, 32, 0] < 60
    assert picture[40, 32, 0] == 255
    crossing = lines([(0, 32), (32, 0)], [(64, 32), (32, 64)], [RED, WHITE], 6)
    assert pixels(renderer, placed(SIZE, SIZE, lines_=crossing))[32, 32].tolist() == [255] * 4


def slab(depth_left, depth_right, rgba, **kwargs):
    corners = [
        [(0, 0, depth_left), (64, 0, depth_right), (0, 64, depth_left)],
        [(64, 0, depth_right), (64, 64, depth_right), (0, 64, depth_left)],
    ]
    return triangles(corners, rgba, **kwargs)


def test_two_faces_that_cross_are_parted_by_their_depth(renderer):
    crossing = stacked(slab(0.2, 0.8, (*RED[:3], 0.5)), slab(0.8, 0.2, (*BLUE[:3], 0.5)))
    other_order = stacked(slab(0.8, 0.2, (*BLUE[:3], 0.5)), slab(0.2, 0.8, (*RED[:3], 0.5)))
    for face in (crossing, other_order):
        picture = pixels(renderer, placed(SIZE, SIZE, triangles=face))
        left, right = picture[32, 8], picture[32, 56]
        assert left[0] > 1.5 * left[2]
        assert right[2] > 1.5 * right[0]
        # What is hidden still shines through, fainter.
        assert left[2] > 10
        assert right[0] > 10


def test_an_opaque_face_hides_all_behind_it(renderer):
    scene = stacked(slab(0.6, 0.6, (*RED[:3], 0.5)), slab(0.3, 0.3, BLUE, opaque=1))
    alone = pixels(renderer, placed(SIZE, SIZE, triangles=slab(0.3, 0.3, BLUE, opaque=1)))
    assert (pixels(renderer, placed(SIZE, SIZE, triangles=scene)) == alone).all()


def test_faces_in_one_plane_do_not_break_up(renderer):
    scene = stacked(slab(0.31, 0.77, (*RED[:3], 0.5)), slab(0.31, 0.77, (*BLUE[:3], 0.5)))
    picture = pixels(renderer, placed(SIZE, SIZE, triangles=scene))
    assert np.ptp(picture[2:-2, 2:-2].reshape(-1, 4), axis=0).max() <= 2


def test_a_sheet_hides_nothing_and_is_dimmed_behind_a_solid(renderer):
    face = slab(0.5, 0.5, (*BLUE[:3], 0.5))
    before = pixels(renderer, placed(SIZE, SIZE, triangles=stacked(face, slab(0.3, 0.3, (*RED[:3], 0.4), sheet=1))))
    behind = pixels(renderer, placed(SIZE, SIZE, triangles=stacked(face, slab(0.7, 0.7, (*RED[:3], 0.4), sheet=1))))
    assert before[32, 32, 0] > 2 * behind[32, 32, 0] > 20
    assert before[32, 32, 2] > 20


@pytest.mark.parametrize("shape", list(Marker))
def test_marks_stay_within_their_size_and_have_ink(renderer, shape):
    mark = marks((32, 32), shape, WHITE, 10)
    picture = pixels(renderer, placed(SIZE, SIZE, marks_=mark))[..., 0] / 255
    y, x = np.mgrid[0:SIZE, 0:SIZE] + 0.5
    reach = np.hypot(x - 32, y - 32)
    assert picture[reach > 14].max() == 0
    assert 50 < picture.sum() < np.pi * 11**2
    assert (picture[32, 32] < 0.1) == (shape == Marker.RING)
    if shape == Marker.DISC:
        assert picture.sum() == pytest.approx(np.pi * 100, rel=0.02)


def test_a_triangle_points_right_and_turns_clockwise(renderer):
    def heaviest_side(angle):
        picture = pixels(renderer, placed(SIZE, SIZE, marks_=marks((32, 32), Marker.TRIANGLE, WHITE, 12, angle=angle)))
        lit = picture[..., 0] > 128
        return {"right": lit[:, 42:].sum(), "down": lit[42:].sum(), "left": lit[:, :22].sum(), "up": lit[:22].sum()}

    right, down = heaviest_side(0.0), heaviest_side(np.pi / 2)
    assert right["right"] > 0 == right["left"]
    assert down["down"] > 0 == down["up"]


def test_a_stroke_lies_round_a_filled_mark_and_on_the_outline_of_an_empty_one(renderer):
    filled = pixels(renderer, placed(SIZE, SIZE, marks_=marks((32, 32), 0, RED, 10, stroke=BLUE, stroke_width=4)))[32]
    assert filled[40].tolist() == [255, 0, 0, 255]
    assert filled[43].tolist() == [0, 0, 255, 255]
    empty = marks((32, 32), 0, (0, 0, 0, 0), 10, stroke=BLUE, stroke_width=4)
    row = pixels(renderer, placed(SIZE, SIZE, marks_=empty))[32]
    assert row[32, 2] == 0
    assert row[40:44, 2].min() > 245


@pytest.mark.parametrize("size", [11.0, 13.0, 26.0])
@pytest.mark.parametrize("bold", [False, True])
def test_text_takes_the_room_that_was_measured(renderer, size, bold):
    # Letters without side bearings to speak of at either end, and one that reaches down.
    text = "|−0.2347 A.y×B.zg|"
    width, height = measure(text, size, bold)
    area = (320, 60)
    picture = pixels(
        renderer, placed(*area, labels=[label(text, 10.3, 9.6, WHITE, size, bold)], halo=(0, 0, 0, 0)), size=area
    )
    ink = picture[..., 0] > 60
    columns, rows = np.flatnonzero(ink.any(axis=0)), np.flatnonzero(ink.any(axis=1))
    bearing = 0.13 * size
    assert columns[0] == pytest.approx(10 + bearing, abs=1.3)
    assert columns[-1] + 1 == pytest.approx(10 + width - bearing, abs=1.3)
    assert rows[0] >= 10
    assert rows[-1] + 1 <= 10 + height


def test_text_is_the_same_wherever_it_stands(renderer):
    def ink(x, y):
        area = (120, 40)
        return pixels(renderer, placed(*area, labels=[label("B.z 0.5", x, y)]), size=area)

    assert (ink(10, 5)[3:30, 8:80] == np.roll(ink(17.4, 8.2), (-3, -7), axis=(0, 1))[3:30, 8:80]).all()


def test_the_halo_parts_text_from_what_is_behind_it(renderer):
    area = (120, 40)
    stripes = lines([(x, 0) for x in range(0, 120, 4)], [(x, 40) for x in range(0, 120, 4)], WHITE, 2)
    text = [label("HHHH", 30, 10, WHITE, 18)]
    bare = pixels(renderer, placed(*area, lines_=stripes, labels=text, halo=(0, 0, 0, 0)), size=area)[12:30, 30:80, 0]
    haloed = pixels(renderer, placed(*area, lines_=stripes, labels=text, halo=BLACK), size=area)[12:30, 30:80, 0]
    assert haloed.mean() < 0.8 * bare.mean()
    assert (haloed > 250).sum() > 50


def test_each_pane_keeps_to_its_rectangle(renderer):
    wild = placed(32, 64, lines_=lines((-100, 30), (100, 30), WHITE, 4))
    picture = pixels(renderer, [(Rect(32, 0, 32, 64), wild)])
    assert picture[:, :32].max() == 0
    assert picture[30, 32:, 0].min() == 255


def test_the_background_runs_from_top_to_bottom_and_may_be_left_out(renderer):
    picture = pixels(renderer, placed(SIZE, SIZE), (WHITE, BLACK))
    assert picture[0, 0, 0] > 250
    assert picture[-1, 0, 0] < 5
    assert (np.diff(picture[:, 0, 0]) <= 0).all()
    assert pixels(renderer, placed(SIZE, SIZE), None).max() == 0


def test_a_second_picture_replaces_the_first_whatever_its_size(renderer):
    size = (200, 150)
    piece = [(Rect(0, 0, *size), show_piece(*size))]
    first = pixels(renderer, piece, size=size)
    pixels(renderer, placed(SIZE, SIZE))
    assert pixels(renderer, placed(SIZE, SIZE))[..., :3].max() == 0
    assert (pixels(renderer, piece, size=size) == first).all()


def test_buffers_are_kept_between_frames(renderer):
    size = (200, 150)
    panes = [(Rect(0, 0, *size), show_piece(*size, DARK))]
    renderer.draw(panes, None, size)
    batch = renderer._panes[0].lines
    buffer, array = batch._buffer, batch._array
    renderer.draw(panes, None, size)
    assert batch._buffer is buffer
    assert batch._array is array


def test_a_context_that_cannot_be_had_is_told_in_one_sentence(monkeypatch):
    def fail(**settings):
        # Without EGL the X library is asked, whose refusal says nothing about what is wrong.
        raise Exception("eglInitialize failed (0x3001)\nmore" if "backend" in settings else "XOpenDisplay")

    monkeypatch.setattr(moderngl, "create_context", fail)
    with pytest.raises(GraphicsUnavailable, match=r"^[^\n]*eglInitialize failed \(0x3001\)[^\n]*\.$"):
        make_context(standalone=True)


def test_an_old_context_is_refused(monkeypatch):
    class Old:
        version_code = 210

        def release(self):
            pass

    monkeypatch.setattr(moderngl, "create_context", Old)
    with pytest.raises(GraphicsUnavailable, match=r"3\.3.*2\.1"):
        make_context()


def test_includes_keep_line_numbers(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "a.vert").write_text('#version 330 core\n#include "a/one.glsl"\n#include "a/one.glsl"\nlast\n')
    (tmp_path / "a" / "one.glsl").write_text("first\nsecond\n")
    text, names = resolve("a/a.vert", tmp_path)
    assert names == ("a/a.vert", "a/one.glsl")
    assert text.splitlines() == [
        "#version 330 core", "#line 1 1", "first", "second", "#line 3 0", "#line 4 0", "last",
    ]  # fmt: skip
    with pytest.raises(ShaderError, match=r"a/none\.vert"):
        resolve("a/none.vert", tmp_path)


def test_a_shader_error_names_file_and_line(renderer, tmp_path, monkeypatch):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "bad.vert").write_text("#version 330 core\nvoid main() { gl_Position = vec4(0.0); }\n")
    (tmp_path / "bad" / "bad.frag").write_text('#version 330 core\n#include "bad/part.glsl"\nvoid main() {}\n')
    (tmp_path / "bad" / "part.glsl").write_text("float f() {\n    return nothing;\n}\n")
    monkeypatch.setattr("app.render.context.resolve", lambda name: resolve(name, tmp_path))
    with pytest.raises(ShaderError, match=r"bad/part\.glsl:2"):
        load_program(renderer.context, "bad")
    assert with_file_names("ERROR: 0:7: oh", ("x.vert",)) == "ERROR: x.vert:7: oh"
