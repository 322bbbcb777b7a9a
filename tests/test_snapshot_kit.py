"""The snapshots' own parts: colours by role, pieces, books, and what a comparison says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from app.draw.camera import Camera, Projection
from app.draw.draw_list import DrawList, Hidden, Subject
from app.draw.meshes.mesh import ball_mesh
from app.draw.theme import faded, mixed
from tests.snapshot_kit.book import Moment, read, written
from tests.snapshot_kit.compare import differences, same
from tests.snapshot_kit.digest import digest
from tests.snapshot_kit.pieces import Pieces
from tests.snapshot_kit.roles import role_of, theme_of_roles
from tests.snapshot_kit.screen import on_screen

THEME = theme_of_roles()
ZERO, ONE = np.zeros(3), np.array((1.0, 0.5, 0.25))


def arrow(start=ZERO, end=ONE, rgba=THEME.overlap) -> Counter[str]:
    draw = DrawList()
    draw.lines(start, end, rgba, 3.0, subject=Subject("mtv"), arrow_end=12.0)
    return Counter(Pieces(1.0).of(draw))


def said(old: Counter[str], new: Counter[str]) -> list[str]:
    moments = [[Moment("answer", {"world": pieces})] for pieces in (old, new)]
    return [change.said for change in differences("pair", *moments, 1.0)]


def test_every_role_has_a_colour_of_its_own_and_keeps_its_name_when_faded():
    names = {name: getattr(THEME, name) for name in THEME.__struct_fields__ if name.startswith(("body", "edge", "gap"))}
    for name, rgba in names.items():
        assert role_of(rgba) == name
        assert role_of(faded(rgba, 0.35)) == f"{name}@0.35"
    assert role_of(mixed(THEME.text, THEME.winner, 0.25)).startswith("text+winner*0.25")


def test_an_arrow_turned_round_a_moved_one_and_another_colour_are_told_apart():
    (turned,) = said(arrow(), arrow(ONE, ZERO))
    assert turned == "pair, answer, world: arrow overlap is reversed: 0 0 0 > 1 0.5 0.25 of mtv:0 → 1 0.5 0.25 > 0 0 0"
    (moved,) = said(arrow(), arrow(end=-ONE))
    assert "arrow overlap has moved" in moved
    (coloured,) = said(arrow(), arrow(rgba=THEME.gap))
    assert "arrow was overlap, is now gap" in coloured
    assert "new" in said(Counter(), arrow())[0]
    assert "gone" in said(arrow(), Counter())[0]


@pytest.mark.parametrize(("shift", "count"), [(0.9e-6, 0), (1e-5, 1)])
def test_places_may_differ_by_a_millionth_of_the_size(shift, count):
    assert len(said(arrow(), arrow(end=ONE + shift))) == count


def test_a_solid_turned_inside_out_shows():
    corners = np.array(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    faces = corners[np.array(((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))]
    told = []
    for triangles in (faces, faces[:, ::-1]):
        draw = DrawList()
        draw.solid(triangles, np.zeros((4, 3, 3)), THEME.body_a)
        told.append(Counter(Pieces(1.0).of(draw)))
    assert any("inside out" in change for change in said(*told))


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [
        ("depth 0.313121", "depth 0.313122", True),
        ("depth 0.31312", "depth 0.31313", False),
        ("depth 0.5", "depth 0.500001", True),
        ("depth 0.5", "depth 0.6", False),
        ("3 faces", "4 faces", False),
        ("left over 2.2e−16", "left over 1.1e−16", True),
        ("at 1.5e−3", "at 1.6e−3", False),
        ("at 1.50001e−3", "at 1.50002e−3", True),
    ],
)
def test_numbers_in_words_may_differ_in_the_last_digit_shown(old, new, alike):
    assert same(old, new, 1.0) is alike


def test_a_book_is_read_as_it_was_written():
    pieces = arrow() + arrow() + Counter(["label text ¦ - “a > b”” ¦ 0 0 0"])
    moments = [
        Moment("answer", {"world": pieces, "difference": Counter()}),
        Moment("GJK 1", {"world": arrow(ONE, ZERO), "difference": arrow()}),
        Moment("GJK 2", {}, told=False, digests=digest({"world": pieces}, 1.0)),
        Moment("GJK 3", {"world": pieces, "difference": arrow()}),
        Moment("question 1", {"world": arrow(), "difference": Counter()}, after="answer"),
    ]
    looks: dict[str, str] = {}
    found = read(written(moments, looks), looks)
    assert [moment.name for moment in found] == [moment.name for moment in moments]
    for mine, other in zip(found, moments, strict=True):
        assert mine.told is other.told
        assert mine.digests == other.digests
        for place, pieces in other.places.items():
            assert mine.places.get(place, Counter()) == pieces


def test_a_digest_is_steady_against_rounding_and_sees_what_moves():
    sums = [digest({"world": arrow(end=ONE + shift)}, 1.0) for shift in (0.0, 1e-12, 1e-3)]
    assert sums[0] == sums[1] != sums[2]
    words = [digest({"words": Counter([text])}, 1.0) for text in ("depth 0.5", "depth 0.50000000001", "height 0.5")]
    assert words[0] == words[1] != words[2]


def test_the_screen_tells_what_a_solid_hides_and_which_way_a_head_points():
    draw = DrawList()
    mesh = ball_mesh(ZERO, 1.0)
    draw.solid(mesh.corners, mesh.normals, THEME.body_a, ball=(0.0, 0.0, 0.0, 1.0), smooth=True)
    ends = np.array((3.0, 0.0, 0.0))
    draw.lines(-ends, ends, THEME.gap, 2.0, hidden=Hidden.FAINT)
    draw.lines(-ends, ends, THEME.overlap, 3.0, hidden=Hidden.SHOW, arrow_end=12.0)
    camera = Camera(yaw=0.0, pitch=0.0, distance=10.0, orthographic=True)
    told = dict(line.split(": ") for line in on_screen(draw, Projection(camera, 600, 600)))
    seen, hidden, whole = (told[f"line {look}"] for look in ("gap w2", "gap@0.25 w2", "overlap w3"))
    assert float(seen[:-3]) == pytest.approx(2.0 * float(hidden[:-3]), rel=1e-3)
    assert float(whole[:-3]) < float(seen[:-3]) + float(hidden[:-3])
    assert abs(float(told["head overlap"].split()[-2])) == pytest.approx(1.0)


def test_the_screen_tells_where_labels_stand_and_from_where_their_leaders_run():
    draw = DrawList()
    for priority, text in ((90, "what stands in the middle"), *((80 - row, "pushed aside") for row in range(4))):
        draw.label(text, ZERO, THEME.gap, offset=(0.0, 0.0), priority=priority, subject=Subject("axis", priority))
    projection = Projection(Camera(yaw=0.0, pitch=0.0, distance=10.0), 600, 400)
    first, second, *_, leader = on_screen(draw, projection, labels=True)
    assert first.startswith("label “what stands in the middle” of axis 90: ")
    assert second.startswith("label “pushed aside” of axis 80: ")
    assert leader.startswith("leader gap@0.8 of axis 77: 300 200 to ")
    assert not on_screen(draw, projection)
