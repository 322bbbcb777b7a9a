"""The legend of a figure: each coloured family that is drawn has its entry, and no entry is about nothing.

Held against the theme of roles, in which no two roles look alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Dash, Marker
from app.draw.layout.lines import FAINT_MARK
from app.draw.placed import COVERS, HALF_SQUARE, PlacedPane, moved_pane
from app.draw.theme import DARK, LIGHT, PRINT, Theme
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.overlays.gauss_drawing import arc_rgba, behind_rgba
from app.overlays.registry import OVERLAYS
from app.probes import PointProbe, RayLook
from app.render.captions import caption_lines
from app.render.frame import FrameBuilder
from app.render.legend import LegendEntry, alt_of, answer_words, joined_legends, legend_of, legend_strip, summary_of
from app.render.looks import LegendSymbol, colour_key, has, looks_of
from app.render.pictures import build
from app.render.still import fitted_view, laid_out, prepared
from app.state.export_options import GAUSS_LARGE
from app.state.view import HATCH, Panes, Seen, View
from app.words.axis_words import verdict_line
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.contact.contact import CornerDepthsStep
from core.query.motion_steps import with_motion
from core.query.query import Phase, query

from ..snapshot_kit.roles import role_of, theme_of_roles
from ..snapshot_kit.scenes import SETTINGS

EVERYTHING = frozenset(overlay.id for overlay in OVERLAYS) - {"gauss_large"}
NEUTRAL = {
    *("background_top", "background_bottom", "text", "dim_text", "halo", "grid", "origin", "hover", "white", "black"),
    *("world_x", "world_y", "world_z"),
}
"""Roles without a meaning of their own: ground, words, what has its name beside it always."""
SAME = {"edge_a": "body_a", "edge_b": "body_b", "difference_edge": "difference"}
"""What has the colour of a body or a solid, and its entry."""
SIZE = (500, 320)
PRESETS = [preset.id for preset in presets()]
OF_EACH_KIND = (
    *("skew-edges", "capsule-box-edge", "tunnelling", "portal-right-depth", "sphere-past-a-box", "tilted-egg-falls"),
    *("flat-worked-example", "flat-turning", "flat-round-corner", "box-lands-on-a-plane", "balls-head-on"),
    *("point-in-convex", "plane-through-three-points", "ray-through-a-cube", "ellipsoid-and-plane", "face-touch"),
)


def opaque_role(rgba: tuple[float, ...]) -> str:
    return role_of(rgba).split("@")[0] if not role_of(rgba).startswith("text+") else role_of(rgba)


def seen_of(name: str, shown: frozenset[str] | None = None) -> Seen:
    loaded = load_preset(name)
    view = loaded.view or View()
    view = replace(view, shown=view.shown if shown is None else shown, fitted=True)
    return Seen(loaded.scene, analyse(loaded.scene), view, theme_of_roles(), sweep=sweep(loaded.scene))


def placed_of(seen: Seen) -> tuple[Seen, list[PlacedPane]]:
    shot = prepared(seen)
    shot = replace(shot, view=fitted_view(shot, SIZE, 1.0))
    return shot, [placed for _, placed in laid_out(shot, SIZE, 1.0, FrameBuilder())]


def lines_seen(placed: PlacedPane) -> np.ndarray:
    """The mask of a pane's lines that do not lie below its filled marks, each sixteenth of a line below one of them."""
    lines, marks = placed.lines, placed.marks
    reach = np.array([COVERS.get(Marker(shape), 0.0) for shape in marks.shape.tolist()]) * marks.radius
    covers = (reach > 0.0) & (marks.fill[:, 3] == 1.0)
    along = lines.start[:, None] + (np.arange(16)[:, None] + 0.5) / 16 * (lines.end - lines.start)[:, None]
    out = np.ones(along.shape[:2], dtype=bool)
    for centre, radius in zip(marks.centre[covers], reach[covers], strict=True):
        out &= np.hypot(*np.moveaxis(along - centre, -1, 0)) > radius
    return out.any(axis=1)


def roles_in(panes: list[PlacedPane]) -> set[str]:
    """Roles of all that is seen, but for the ground, the words and what leads to them.

    A mixture has the roles that are mixed, the part of an arc behind the Gauss map's sphere that of the part before it.
    An arrow's head belongs to its line, which a dot may cover.
    """
    theme, found = theme_of_roles(), set[str]()
    fronts = [theme.winner, *(rgba for index in (0, 1) for rgba in (theme.edge(index), arc_rgba(theme, index)))]
    front_of = {colour_key(behind_rgba(theme, rgba)): rgba for rgba in fronts}
    for placed in panes:
        lines, marks, own = placed.lines, placed.marks, lines_seen(placed)
        own[: placed.lines.ground_lines] = own[len(own) - placed.leaders :] = False
        firm = marks.shape != Marker.TRIANGLE
        drawn = (placed.triangles.rgba, lines.start_rgba[own], marks.fill[firm], marks.stroke[firm])
        for rgba in np.unique(np.concatenate(drawn), axis=0):
            if rgba[3] > 0.0:
                role = role_of(front_of.get(colour_key(rgba.tolist()), tuple(rgba.tolist())))
                found |= {"light"} if role.startswith("text+edge") else set(role.split("@")[0].split("*")[0].split("+"))
    return found


def shots_of(name: str) -> Iterator[Seen]:
    for shown in (None, EVERYTHING):
        yield seen_of(name, shown)
    seen = seen_of(name)
    asked = with_motion(query(seen.analysis, replace(SETTINGS, mpr=seen.scene.dimension == 3)), seen.sweep)
    first = {phase: first for phase, first, _ in asked.phases}
    for phase, start, count in asked.phases:
        for place in sorted({first[phase], start + count // 2, start + count - 1}):
            yield replace(seen, query=asked, place=place)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(16, "scenes")
def test_each_coloured_family_has_an_entry_and_no_entry_is_about_nothing(name: str) -> None:
    for seen in shots_of(name):
        shot, panes = placed_of(seen)
        entries = legend_of(shot, panes)
        symbols = [symbol for entry in entries for symbol in entry.symbols]
        shown = [rgba for symbol in symbols for rgba in (symbol.rgba, symbol.stroke) if rgba is not None]
        named = {"light" if role.startswith("text+edge") else role for role in map(opaque_role, shown)}
        where = name, None if seen.moment is None else seen.moment.phase, sorted(seen.view.shown)
        drawn = roles_in(panes)
        wanted = {SAME.get(role, role) for role in drawn - NEUTRAL}
        if {"family_a", "family_b", "family_edges"} & drawn and "difference" not in drawn:
            # The edges between faces of the families are no family of their own.
            wanted -= {"difference"}
        assert not wanted - {SAME.get(role, role) for role in named}, where
        assert not named - drawn - {"origin", *SAME.values()}, where
        assert len({entry.name for entry in entries}) == len(entries), where
        assert len(set(symbols)) == len(symbols), where
        assert not unexplained(shot, panes, entries), where
        assert [entry.name for entry in entries if entry.symbols and not of_one_look(entry)] == [], where


def of_one_look(entry: LegendEntry) -> bool:
    """Whether an entry has one mark, one line, or one of each, and the same ones in another body's colour.

    Of a short edge only the thin part may be seen, beside the dots at its ends, and of the other body's the bold line.
    """
    looks = dict[tuple[float, ...], list[tuple[bool, int, bool]]]()
    for symbol in entry.symbols:
        looks.setdefault(colour_key(symbol.rgba), []).append((symbol.is_line, symbol.shape, symbol.hollow))
    lines = [[line for line, *_ in drawn] for drawn in looks.values()]
    return len(set(map(tuple, looks.values()))) == 1 and lines[0] in ([False], [True], [False, True])


PLAINEST = {Dash.SOLID.name}
"""Solid lines have the colour of the fill or the mark that they belong to."""
EXPLAINED = ("winner", "gap", "overlap", "normal")


def unexplained(shot: Seen, panes: list[PlacedPane], entries: tuple[LegendEntry, ...]) -> set[tuple[str, str, bool]]:
    """The marks, fills and broken lines, by role, shape and whether they are hollow, that no entry shows."""
    theme = shot.theme
    drawn, shown = set(), {symbol for entry in entries for symbol in entry.symbols}
    for role in EXPLAINED:
        for look in looks_of(getattr(theme, role), dict(enumerate(panes)), theme.halo, 1.0):  # type: ignore[arg-type]
            drawn.add((role, look.symbol.shape.name, look.symbol.hollow))
    told = {(opaque_role(symbol.rgba), symbol.shape.name, symbol.hollow) for symbol in shown}
    return {look for look in drawn - told if look[1] not in PLAINEST}


def test_every_phase_has_words_of_its_own_for_the_colours_that_mean_other_things_there() -> None:
    phases = set[Phase]()
    for name in OF_EACH_KIND:
        for seen in shots_of(name):
            if seen.moment is not None:
                phases.add(seen.moment.phase)
    assert phases == set(Phase)


@pytest.mark.parametrize(
    ("phase", "role", "shape"),
    [
        (Phase.GJK, "winner", Marker.DISC),
        (Phase.GJK, "overlap", Marker.DIAMOND),
        (Phase.GJK, "gap", Marker.RING),
        (Phase.SAT, "overlap", Marker.SQUARE),
    ],
)
def test_marks_have_their_true_shapes(phase: Phase, role: str, shape: Marker) -> None:
    seen = seen_of("skew-edges")
    asked = query(seen.analysis)
    place = next(first + 1 for each, first, _ in asked.phases if each is phase)
    entries = legend_of(*placed_of(replace(seen, query=asked, place=place)))
    symbols = [symbol for entry in entries for symbol in entry.symbols if opaque_role(symbol.rgba) == role]
    assert shape in {symbol.shape for symbol in symbols}


def names_of(seen: Seen) -> set[str]:
    return {entry.name for entry in legend_of(*placed_of(seen))}


def test_the_ghost_is_named_in_the_picture_and_in_the_legend() -> None:
    seen = seen_of("skew-edges")
    shown = replace(seen, view=replace(seen.view, shown=seen.view.shown | {"resolved"}))
    assert "B moved out by the depth" in names_of(shown) - names_of(seen)
    words = [{label.text for placed in placed_of(each)[1] for label in placed.labels} for each in (seen, shown)]
    assert "B moved out" in words[1] - words[0]


@pytest.mark.parametrize("name", ["cube-over-rim", "cube-flat", "face-touch", "stacked-cubes", "near-tie"])
def test_a_line_below_a_mark_has_no_entry(name: str) -> None:
    """The depths of contacts are lines, which a small depth leaves below the contacts' discs."""
    seen = seen_of(name)
    asked = query(seen.analysis)
    place = next(place for place, moment in enumerate(asked.moments) if isinstance(moment.step, CornerDepthsStep))
    shot, panes = placed_of(replace(seen, query=asked, place=place))
    (placed, _), key = panes, colour_key(shot.theme.normal)
    drawn = np.array([colour_key(rgba) == key for rgba in placed.lines.start_rgba.tolist()])
    assert drawn.any()
    told = any(entry.name == "depth along the normal" for entry in legend_of(shot, panes))
    assert told == (drawn & lines_seen(placed)).any() == (name in {"stacked-cubes", "near-tie"})


def test_what_is_out_of_the_pane_has_no_entry() -> None:
    shot, panes = placed_of(seen_of("skew-edges"))
    assert {"body A", "body B"} <= {entry.name for entry in legend_of(shot, panes)}
    away = [moved_pane(placed, 2.0 * SIZE[0], 0.0) for placed in panes]
    assert {entry.name for entry in legend_of(shot, away)} == set()


def test_a_probe_gives_the_colours_another_meaning() -> None:
    seen = seen_of("skew-edges")
    probed = replace(seen, view=replace(seen.view, probe=PointProbe((3.0, 0.0, 0.0))))
    assert "distance outside" in names_of(probed)
    assert "the axis that decides" not in names_of(probed)


def test_the_legend_of_a_ray_tells_what_is_drawn_of_it_and_nothing_else() -> None:
    shot = {"eye", "near plane", "pixel", "ray"}
    through = names_of(seen_of("ray-through-a-cube"))
    assert through == shot | {
        *("body A", "body B", "latest entry, earliest exit", "ray in the slab across A's x, y, z"),
        *("centre of A and nearest point of the ray, |a| apart", "effective radius re of A", "plane at the end of re"),
    }
    crossings = {"where the ray enters or leaves", "ray inside a body", "outward normal", "the article's shortcut"}
    assert names_of(seen_of("off-centre-window")) == shot | crossings | {"body A", "body B"}


@pytest.mark.parametrize(
    ("name", "changes", "told"),
    [
        ("ray-past-a-cube", {"look": RayLook.CAST}, {"support plane", "support point"}),
        ("ray-past-a-cube", {"look": RayLook.CAST, "step": 9}, {"simplex", "support plane", "support point"}),
        ("ray-past-a-cube", {"look": RayLook.CAST, "step": 9, "body": 1}, {"simplex"}),
        ("ellipsoid-and-plane", {"share": 1.0}, {"n, by the inverse transpose", "n scaled like a point"}),
    ],
)
def test_the_legend_of_a_probe_tells_its_look(name: str, changes: dict[str, object], told: set[str]) -> None:
    seen = seen_of(name)
    shot, panes = placed_of(replace(seen, view=replace(seen.view, probe=replace(seen.view.probe, **changes))))
    entries = legend_of(shot, panes)
    of_all = {"support plane", "support point", "simplex", "n, by the inverse transpose", "n scaled like a point"}
    assert {entry.name for entry in entries} & of_all == told
    assert not unexplained(shot, panes, entries)
    assert all(map(of_one_look, entries))


def test_in_the_difference_beside_a_probe_the_colours_keep_the_meaning_of_the_answer() -> None:
    seen = seen_of("ray-through-a-cube")
    both = names_of(replace(seen, view=replace(seen.view, panes=Panes.BOTH)))
    assert {"ray", "gap, distance"} <= both


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "ray-through-a-cube",
            "The ray hits A from t = 4.91 to t = 7.33: in all three slabs. One axis decides for the box: hit.",
        ),
        (
            "ray-past-a-cube",
            "The ray misses A: latest entry after earliest exit. One axis decides for the box: hit, wrong.",
        ),
        ("ray-before-and-behind", "The ray misses A and hits B from t = 2.88 to t = 3.46."),
        (
            "off-centre-window",
            "The ray hits A from t = 5.39 to t = 6.61 and misses B. The ray picks A, the shortcut B, wrong.",
        ),
        (
            "point-in-convex",
            "Inside A: it is behind all 6 planes. Nearest: A.+y, 0.245 away. "
            "Outside B: it is in front of 3 of 8 planes.",
        ),
        ("plane-through-three-points", "A is behind the plane. B is in front of the plane."),
        ("ellipsoid-and-plane", "s0 − h = −0.353. Overlapping: 0.353 units along ⊥B.plane, exact."),
    ],
)
def test_captions_and_texts_for_screen_readers_tell_what_a_probe_finds(name: str, told: str) -> None:
    seen = seen_of(name)
    assert summary_of(seen) == f"{seen.scene.name}. {told}"
    assert told in alt_of(seen)
    assert " ".join(caption_lines(seen, 1e6, 1.0)) == told
    # Beside the difference the verdict follows; without the world there is no probe.
    both, difference = (replace(seen, view=replace(seen.view, panes=panes)) for panes in (Panes.BOTH, Panes.DIFFERENCE))
    verdict = verdict_line(seen.analysis)
    assert answer_words(both) == f"{told.removesuffix(f' {verdict}.')} {verdict}"
    assert answer_words(difference) == verdict


def test_a_lit_face_is_across_the_axis_that_decides_as_the_one_opposite_it() -> None:
    """Of the two faces across an axis only one is the nearest to the origin, and both are lit."""
    assert "face of A − B across the axis that decides" in names_of(seen_of("skew-edges"))
    assert "edge of A − B across the axis that decides" in names_of(seen_of("flat-hexagon-pentagon"))


def test_in_the_plane_faces_are_edges() -> None:
    assert "from an edge of A: lines rise" in names_of(seen_of("flat-inside", EVERYTHING))
    assert not any("face" in name for name in names_of(seen_of("flat-inside", EVERYTHING)))


def hatched_entries(name: str) -> tuple[Seen, list[LegendEntry]]:
    seen = seen_of(name)
    shot, panes = placed_of(replace(seen, view=replace(seen.view, shown=seen.view.shown | {HATCH})))
    return shot, [entry for entry in legend_of(shot, panes) if any(symbol.hatch for symbol in entry.symbols)]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.sampled(16, "scenes")
def test_the_legend_has_the_hatches_of_the_picture_and_no_others(name: str) -> None:
    shot, entries = hatched_entries(name)
    # Without the difference's pane, and on faces narrower than the lines are apart, no line of a hatch is seen.
    _, panes = placed_of(shot)
    seen = np.concatenate([placed.lines.start_rgba[lines_seen(placed)] for placed in panes])
    drawn = {
        (colour_key(hatch.rgba), hatch.angles)
        for hatch in build(Context(**shot.facts)).difference.hatches
        if hatch.angles and np.isclose(seen, hatch.rgba).all(axis=1).any()
    }
    assert {(colour_key(symbol.rgba), symbol.hatch) for entry in entries for symbol in entry.symbols} == drawn


@pytest.mark.parametrize("name", ["skew-edges", "flat-inside"])
def test_a_hatched_symbol_has_its_lines_within_its_square_in_every_product(name: str) -> None:
    shot, entries = hatched_entries(name)
    assert entries
    for entry in entries:
        (symbol,) = entry.symbols
        strip = legend_strip([entry], 400, 2.0, shot.theme)
        ends = np.concatenate((strip.lines.start, strip.lines.end)) - strip.marks.centre[0]
        assert np.abs(ends).max() == pytest.approx(HALF_SQUARE * strip.marks.radius[0])
        x, y = (strip.lines.end - strip.lines.start).T
        angles = np.round(np.degrees(np.arctan2(-y, x)) % 180.0)
        assert set(angles) == set(symbol.hatch)
        assert all((angles == angle).sum() >= 3 for angle in symbol.hatch)
        # The lines can be seen on the ground below them, and the ground is no other family's colour.
        assert strip.marks.fill[0, 3] <= 0.5
        assert (strip.lines.start_rgba[:, 3] == 1.0).all()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("skew-edges", r"in w. = a(.) − b(.), a\1 is vertex A\.v. and b\2 is vertex B\.v."),
        ("libccd-boxcyl-pen7", r"in w(.) = a(.) − b\1, a\2 is vertex A\.v. and b\1 is the point of B found with w\1"),
        ("capsules-crossed", r"in w. = a(.) − b(.), a\1 is A\.end. and b\2 is B\.end."),
        ("two-spheres", r"in w. = a − b, a is A\.centre and b is B\.centre"),
    ],
)
def test_the_sources_in_a_points_name_are_told_once_and_as_the_bodies_have_them(name: str, said: str) -> None:
    seen = seen_of(name)
    asked = query(seen.analysis, SETTINGS)
    legends = []
    for place in (place for place, moment in enumerate(asked.moments) if moment.phase is Phase.GJK):
        shot, panes = placed_of(replace(seen, query=asked, place=place))
        legends.append(legend_of(shot, panes))
    (told,) = [entry.name for entry in joined_legends(legends) if not entry.symbols]
    assert re.fullmatch(said, told)
    # The vertices' numbers are those of the name.
    pairs = re.findall(r"[ab](.) is (?:vertex )?[AB]\.(?:v|end)(.)", told)
    assert all(ord(low) - ord("₀") == int(number) for low, number in pairs)


def test_a_mark_and_its_broken_line_are_one_swatch() -> None:
    seen = seen_of("skew-edges")
    asked = query(seen.analysis)
    place = next(first + count - 1 for phase, first, count in asked.phases if phase is Phase.SAT)
    shot, panes = placed_of(replace(seen, query=asked, place=place))
    (entry,) = [each for each in legend_of(shot, panes) if each.name.startswith("gap or overlap on")]
    strip = legend_strip([entry], 400, 1.0, shot.theme)
    middle = 0.5 * (strip.lines.start + strip.lines.end)
    assert len(strip.marks.radius) == len(strip.lines.width) == 1
    assert middle == pytest.approx(strip.marks.centre)
    assert strip.lines.end[0, 0] - strip.lines.start[0, 0] > 4.0 * strip.marks.radius[0]


def test_a_mark_and_an_unbroken_line_are_two_swatches() -> None:
    theme = seen_of("skew-edges").theme
    square, line = LegendSymbol(Marker.SQUARE, theme.winner), LegendSymbol(Dash.SOLID, theme.winner, is_line=True)
    strip = legend_strip([LegendEntry("simplex", (square, line))], 400, 1.0, theme)
    assert strip.marks.centre[0, 0] + strip.marks.radius[0] < strip.lines.start[0, 0]


def test_a_meaning_stands_once_in_a_row() -> None:
    """A look with two meanings in one pane and one of them in the other told "normal n" twice."""
    line = LegendSymbol(Dash.SOLID, seen_of("skew-edges").theme.gap, is_line=True)
    pictures = [[LegendEntry(name, (line,))] for name in ("normal n / free part", "normal n")]
    assert [entry.name for entry in joined_legends(pictures)] == ["normal n / free part"]
    pictures = [[LegendEntry(name, (line,))] for name in ("space passed, ghost", "space passed", "origin")]
    assert [entry.name for entry in joined_legends(pictures)] == ["origin / space passed, ghost"]


def test_the_words_of_a_column_have_one_indent_whatever_their_swatches() -> None:
    theme = seen_of("skew-edges").theme
    square, disc, line = (
        LegendSymbol(Marker.SQUARE, theme.winner),
        LegendSymbol(Marker.DISC, theme.overlap),
        LegendSymbol(Dash.SOLID, theme.gap, is_line=True),
    )
    entries = [LegendEntry("body", (square,)), LegendEntry("a long name in lines", (square, disc, line))]
    strip = legend_strip(entries, 160, 1.0, theme, column=True)
    (indent,) = {label.x for label in strip.labels}
    assert len(strip.labels) > len(entries)
    assert max(strip.marks.centre[:, 0].max(), strip.lines.end[:, 0].max()) < indent
    assert len({label.x for label in legend_strip(entries, 200, 1.0, theme).labels}) == 2


@pytest.mark.parametrize("name", ["skew-edges", "containment", "two-spheres", "flat-worked-example"])
def test_faces_of_a_minus_b_have_a_rim_that_bodies_lack(name: str) -> None:
    """In gray the fills of bodies and of A − B are too alike: less than 15 apart in L* in each theme and palette."""
    shot, panes = placed_of(seen_of(name))
    squares = {
        entry.name: symbol.stroke
        for entry in legend_of(shot, panes)
        for symbol in entry.symbols
        if symbol.shape is Marker.SQUARE and not symbol.is_line
    }
    assert (squares.pop("body A"), squares.pop("body B")) == (None, None)
    rims = {stroke for said, stroke in squares.items() if said.startswith(("face of A − B, from", "difference"))}
    assert rims == {shot.theme.difference_edge}


def test_the_legend_of_several_pictures_keeps_a_colour_together_and_the_order_of_each_picture() -> None:
    seen = seen_of("flat-gjk-walk")
    asked = query(seen.analysis)
    first, count = next((first, count) for phase, first, count in asked.phases if phase is Phase.GJK)
    legends = [legend_of(*placed_of(replace(seen, query=asked, place=first + k))) for k in range(count)]
    # The entry without a symbol is the last, and one of a picture is enough.
    *joined, plain = joined_legends(legends)
    assert plain in [legend[-1] for legend in legends]
    assert not plain.symbols
    legends = [legend[:-1] for legend in legends]
    colours = [colour_key(entry.symbols[0].rgba) for entry in joined]
    assert len(set(colours)) == 1 + sum(one != other for one, other in pairwise(colours))
    assert {entry.name for entry in joined} == {entry.name for legend in legends for entry in legend}
    assert all(legend[-1].name == joined[-1].name == "origin" for legend in legends)


def test_the_large_maps_legend_names_its_marks_as_the_labels_do_and_tells_the_pale_ones() -> None:
    shown = View().shown | {GAUSS_LARGE}
    shot, panes = placed_of(replace(seen_of("two-hulls", shown), view=replace(View(shown=shown), panes=Panes.WORLD)))
    entries = {entry.name: entry.symbols for entry in legend_of(shot, panes)}
    assert "face of B, mirrored" in entries
    assert not any("−B" in name for name in entries)
    (pale,) = entries.pop("pale: behind")
    assert pale.rgba[3] == FAINT_MARK
    assert all(symbol.rgba[3] == 1.0 for symbols in entries.values() for symbol in symbols if not symbol.is_line)


@pytest.mark.parametrize("theme", [LIGHT, DARK, PRINT])
@pytest.mark.parametrize("name", ["skew-edges", "cube-over-rim", "flat-worked-example"])
def test_a_square_is_as_its_faces_are_in_the_picture(name: str, theme: Theme) -> None:
    """Faces are translucent: a square in their full colour would be darker, or brighter, than all of them."""
    shot, panes = placed_of(replace(seen_of(name), theme=theme))
    faces = [
        symbol
        for entry in legend_of(shot, panes)
        for symbol in entry.symbols
        if symbol.fill is not None and entry.name.startswith(("body", "face", "difference"))
    ]
    assert len(faces) > 2
    for symbol in faces:
        drawn = np.concatenate([placed.triangles.rgba[has(symbol.rgba, placed.triangles.rgba)] for placed in panes])
        # The front is painted twice at most, and one more face is behind it.
        assert symbol.fill is not None
        assert (
            drawn[:, 3].min() - 0.01 <= symbol.fill[3] <= 1.0 - (1.0 - min(drawn[:, 3].max() + 0.15, 1.0)) ** 3 + 0.01
        )
        # Light moves each part of the colour by less than half of it.
        assert symbol.fill[:3] == pytest.approx(symbol.rgba[:3], abs=0.3)


def test_parallel_faces_of_both_bodies_are_told_as_one_face_of_both() -> None:
    """The sides of A − B of two boxes with the same axes are sums of a face of A and one of B."""
    assert "face of A − B, from a face of A and one of B" in names_of(seen_of("cube-over-rim"))
    assert "face of A − B, from a face of A" in names_of(seen_of("skew-edges"))
    assert "from an edge of A and one of B" in names_of(seen_of("flat-worked-example"))


def test_an_arrow_is_an_arrow_in_the_legend_and_a_line_beside_it_is_none() -> None:
    seen = seen_of("flat-epa-growth")
    asked = query(seen.analysis)
    place = next(first + 1 for phase, first, _ in asked.phases if phase is Phase.EPA)
    entries = {entry.name: entry.symbols for entry in legend_of(*placed_of(replace(seen, query=asked, place=place)))}
    assert [symbol.head for symbol in entries["search direction"]] == [True]
    assert [symbol.head for symbol in entries["upper bound"]] == [False]
    assert [symbol.shape for symbol in entries["lower bound"]] == [Dash.DASHED]


def test_the_steps_of_contacts_tell_nearest_points_and_flat_parts() -> None:
    """The nearest point of a body may be inside of a face: a corner it is not."""
    seen = seen_of("cube-over-rim")
    asked = query(seen.analysis)
    first = next(first for phase, first, _ in asked.phases if phase is Phase.CONTACTS)
    told = [names_of(replace(seen, query=asked, place=first + k)) for k in range(3)]
    assert all("nearest point of a body" in names and "corner that touches" not in names for names in told)
    assert ["flat part of a body" in names for names in told] == [False, True, True]
    assert "plane across the normal" in told[0]
