"""Films: cameras that stand still, labels that keep their places, and every picture in sight."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import pi

import numpy as np
import pytest
from msgspec.structs import replace

from app.cli.film import steps_source
from app.draw.draw_list import Marker, Subject
from app.draw.layout import anchors
from app.draw.layout.labels import marker_boxes
from app.draw.placed import PlacedPane, box_about, boxes_overlap, middle_of
from app.draw.theme import theme_named
from app.forms.files import load_pair
from app.io.scene_file import load
from app.overlays.context import Context
from app.render.film import (
    Film,
    FilmPictures,
    FilmSize,
    Shots,
    of_motion,
    of_scenes,
    of_turn,
    steady_view,
    without_axes,
)
from app.render.frame import FrameBuilder
from app.render.moving_labels import shown_labels
from app.render.pictures import build
from app.render.still import Stills, planned, prepared
from app.state.export_options import ExportOptions
from app.state.playback import body_at, impact_of
from app.state.view import TRIAD, Panes, Seen, View
from app.words.digits import instant
from core.analysis.analysis import analyse
from core.geometry.vector import Array
from core.trace import run

from .command_rig import SCENES
from .film_samples import psnr, steps_of

LOOK = FilmSize(960, 600)


@pytest.fixture(scope="module")
def stills() -> Iterator[Stills]:
    with Stills() as stills:
        yield stills


def seen_of(name: str) -> Seen:
    loaded = load(SCENES / f"{name}.json")
    return Seen(loaded.scene, analyse(loaded.scene), View(), theme_named("print"))


def laid(seen: Seen, builder: FrameBuilder) -> list[PlacedPane]:
    return [placed for _, placed in planned(seen, LOOK.width, LOOK.height, LOOK.scale, builder=builder).lay_out(2)]


def changes(pictures: list[list[PlacedPane]]) -> int:
    """How often a label stands at another of its places than in the picture before that had it."""
    last: dict[tuple[object, ...], int] = {}
    count = 0
    for panes in pictures:
        now: dict[tuple[object, ...], tuple[int, int]] = {}
        for pane, placed in enumerate(panes):
            for label in placed.labels:
                now.setdefault((pane, label.subject, label.text), (label.anchor, label.place))
        count += sum(last.get(name, place) != place for name, place in now.items())
        last |= now
    return count


@pytest.mark.nightly("pictures")
def test_labels_keep_their_places_twice_as_well_as_in_single_pictures(stills: Stills) -> None:
    source = steps_of("skew-edges")
    film, builder = Film(stills, source, LOOK), FrameBuilder(steady=True)
    single = changes([laid(source.seen(k), FrameBuilder()) for k in range(source.count)])
    steady = changes([laid(film.seen(k), builder) for k in range(source.count)])
    assert single > 30
    assert steady <= min(0.4 * single, 26)


def test_a_label_that_comes_back_stands_where_it_stood(stills: Stills) -> None:
    source = steps_of("skew-edges", first=15, last=19)
    film, builder = Film(stills, source, LOOK), FrameBuilder(steady=True)
    first = laid(film.seen(0), builder)
    laid(film.seen(3), builder)
    again = laid(film.seen(0), builder)
    assert [pane.labels for pane in again] == [pane.labels for pane in first]


def labels_of(source: FilmPictures) -> list[dict[Hashable, tuple[Array, float]]]:
    """For each picture of a film its labels: the way from anchor to middle, pixels, and the opacity."""
    shots, pictures = Shots(source, LOOK), []
    for plan in shots.plans():
        plan.lay_out(2)
        found: dict[Hashable, tuple[Array, float]] = {}
        for pane in shots.laid:
            for view, inside in enumerate(pane.views):
                for shown in shown_labels(inside.viewport, inside.placed):
                    name = pane.pane.kind, view, shown.label.number
                    found[name] = middle_of(shown.label) - shown.anchor, shown.label.rgba[3]
        pictures.append(found)
    return pictures


def moves(pictures: list[dict[Hashable, tuple[Array, float]]]) -> list[float]:
    """How far a label moves about its anchor from the picture before each, the last before the first.

    The most of any label, pixels; of one that is faint only a part counts, as little is seen of it.
    """
    full: dict[Hashable, float] = {}
    for picture in pictures:
        for name, (_, alpha) in picture.items():
            full[name] = max(alpha, full.get(name, 0.0))
    found = []
    for before, after in zip(pictures[-1:] + pictures[:-1], pictures, strict=True):
        both = [(name, before[name], after[name]) for name in before.keys() & after.keys()]
        seen = [np.hypot(*(there - here)) * min(a, b) / full[name] for name, (here, a), (there, b) in both]
        found.append(float(max(seen, default=0.0)))
    return found


@pytest.mark.parametrize("name", ["skew-edges", "crossed-edges"])
def test_labels_of_a_turn_slide_or_fade_also_where_it_closes(name: str) -> None:
    seen = seen_of(name)
    source = of_turn(replace(seen, view=replace(seen.view, panes=Panes.WORLD)), 24, 25.0)
    cut = moves(labels_of(replace(source, flows=False)))
    calm = moves(labels_of(source))
    assert max(cut) > 60.0, "the layout alone lets labels jump"
    assert max(calm) < 0.5 * max(cut)
    assert calm[0] <= max(calm[1:])


@pytest.mark.parametrize("name", ["skew-edges", "two-hulls", "tetrahedra-cross"])
def test_no_label_of_a_turns_first_picture_is_faded_though_some_change_there(name: str) -> None:
    seen = seen_of(name)
    pictures = labels_of(of_turn(seen, 60, 25.0))
    whole = {key: max(picture[key][1] for picture in pictures if key in picture) for key in pictures[0]}
    assert {key: alpha for key, (_, alpha) in pictures[0].items()} == whole
    beside = pictures[-3:] + pictures[1:3]
    near = [alpha / whole[key] for picture in beside for key, (_, alpha) in picture.items() if key in whole]
    assert min(near) < 0.7


@pytest.mark.parametrize("name", ["tunnelling", "turning-boxes"])
def test_the_distance_of_a_motion_is_whole_in_each_picture_and_no_label_slides_over_a_mark(name: str) -> None:
    source = of_motion(prepared(replace_motion(seen_of(name))), 24, 20.0)
    shots, told = Shots(source, LOOK), 0
    for plan in shots.plans():
        plan.lay_out(2)
        for pane in shots.laid:
            kinds = [label.kind for label in pane.viewport.draw.labels]
            for label in pane.placed.labels:
                if kinds[label.number] == "distance":
                    assert label.rgba[3] == pane.viewport.draw.labels[label.number].rgba[3]
                    told += 1
            boxes = np.array([box_about(middle_of(label), label) for label in pane.placed.labels])
            assert not boxes_overlap(boxes, marker_boxes(pane.placed.marks)[:, None])
    # At the impact there is no distance.
    assert told == source.count - 1


def strides(source: FilmPictures) -> float:
    """The largest way, in heights of the pane, of a rail's label's anchor from a picture to the next, all round."""
    shots, places = Shots(replace(source, flows=False), LOOK), []
    for plan in shots.plans():
        plan.lay_out(2)
        view = shots.laid[0].viewport
        lifted = [number for number, label in enumerate(view.draw.labels) if label.group >= 0]
        places.append(anchors(view)[lifted] / view.height)
    ways = np.roll(places, -1, axis=0) - places
    return float(np.hypot(ways[..., 0], ways[..., 1]).max())


def test_the_rail_of_a_turn_glides_round_the_bodies_where_that_of_single_pictures_changes_sides() -> None:
    seen = seen_of("skew-edges")
    source = of_turn(replace(seen, view=replace(seen.view, panes=Panes.WORLD)), 36, 25.0)
    assert strides(replace(source, turning=False)) > 0.45
    assert strides(source) < 0.25


def test_the_worlds_axes_are_left_out_unless_they_are_asked_for() -> None:
    source = of_turn(seen_of("skew-edges"), 2, 25.0)
    assert TRIAD in source.seen(0).view.shown
    for show in (frozenset[str](), frozenset({TRIAD})):
        shown = without_axes(source, ExportOptions(show=show)).seen(1).view.shown
        assert shown == source.seen(1).view.shown - ({TRIAD} - show)


def test_all_pictures_have_the_same_cameras(stills: Stills) -> None:
    for source in (steps_of("skew-edges"), of_motion(replace_motion(seen_of("turning-boxes")), 7, 25.0)):
        film = Film(stills, source, LOOK)
        views = [film.seen(k).view for k in range(source.count)]
        assert {(view.world, view.difference) for view in views} == {(views[0].world, views[0].difference)}
        # Of the steps they are those that each picture of a step has by itself.
        assert source.seen(0).query is None or film.seen(0).view.world == single_camera(source)


def replace_motion(seen: Seen) -> Seen:
    return replace(seen, view=replace(seen.view, motion=True))


def single_camera(source: FilmPictures) -> object:
    from app.render.still import fitted_view

    return fitted_view(prepared(source.seen(0)), LOOK.pixels, LOOK.scale, titled=True).world


def outside(placed: PlacedPane) -> float:
    """By how many pixels corners of solids and ends of lines, but for the ground's, lie outside of the pane."""
    lines = placed.lines
    points = np.concatenate(
        (
            placed.triangles.corners[..., :2].reshape(-1, 2),
            lines.start[lines.ground_lines :],
            lines.end[lines.ground_lines :],
        )
    )
    return float(max(-points.min(initial=0.0), (points - (placed.width, placed.height)).max(initial=0.0)))


@pytest.mark.parametrize("name", ["skew-edges", "tetrahedra-cross", "flat-gjk-walk", "flat-epa-growth"])
def test_a_lectures_film_keeps_most_of_its_frame_for_the_picture_and_cuts_no_words(name: str) -> None:
    look = FilmSize.of(ExportOptions(purpose="film").suited(".gif"))
    source = steps_of(name)
    shots, width, height = Shots(source, look, captioned=True, legend=True), *look.pixels
    for number, plan in enumerate(shots.plans()):
        panes = plan.lay_out(2)
        pictures, around = panes[: len(shots.laid)], panes[len(shots.laid) :]
        assert sum(rect.width * rect.height for rect, _ in pictures) > 0.65 * 4 * width * height
        *_, (words, _), (legend, _) = panes
        # A legend at the right ends above words that take the width below it.
        assert legend.x in (0, words.width) or legend.y + legend.height <= words.y
        labels = [(rect, label) for rect, placed in around for label in placed.labels]
        assert all(label.x + label.width <= rect.width for rect, label in labels)
        assert all(label.y + label.height <= rect.height for rect, label in labels)
        told = {label.text for _, label in labels}
        own = {line for entry in shots.legend(number, 2) for line in entry.name.split(" ")}
        assert own <= {word for text in told for word in text.split()}, "each mark of the picture has its row"


def test_the_legend_of_a_film_is_that_of_the_algorithm_shown() -> None:
    look = FilmSize.of(ExportOptions(purpose="film").suited(".gif"))
    source = steps_of("skew-edges", first=13, last=21)
    shots, found = Shots(source, look, legend=True), {}
    for number, plan in enumerate(shots.plans()):
        *_, (_, legend) = plan.lay_out(2)
        moment = source.seen(number).moment
        assert moment is not None
        found.setdefault(moment.phase.name, set()).add(tuple(label.text for label in legend.labels))
    assert {phase: len(legends) for phase, legends in found.items()} == {"SAT": 1, "GJK": 1, "EPA": 1}
    words = {phase: " ".join(*legends) for phase, legends in found.items()}
    assert {phase for phase, text in words.items() if "simplex" in text} == {"GJK"}
    assert {phase for phase, text in words.items() if "polytope" in text} == {"EPA"}


@pytest.mark.parametrize("panes", [Panes.BOTH, Panes.OVERLAID])
def test_a_turn_has_everything_in_sight_from_every_side(stills: Stills, panes: Panes) -> None:
    seen = seen_of("skew-edges")
    source = of_turn(replace(seen, view=replace(seen.view, panes=panes)), 16, 25.0)
    film = Film(stills, source, LOOK)
    views = [film.seen(k).view for k in range(source.count)]
    assert {(view.world.target, view.world.distance, view.world.pitch) for view in views} == {
        (views[0].world.target, views[0].world.distance, views[0].world.pitch)
    }
    turned = np.unwrap([view.world.yaw for view in views])
    assert np.allclose(np.diff(turned), 2.0 * pi / 16)
    assert max(outside(pane) for k in range(source.count) for pane in laid(film.seen(k), FrameBuilder())) == 0.0


@pytest.mark.parametrize("name", ["turning-boxes", "tunnelling"])
@pytest.mark.nightly("pictures")
def test_a_motion_has_every_time_in_sight(stills: Stills, name: str) -> None:
    source = of_motion(replace_motion(seen_of(name)), 23, 25.0)
    film = Film(stills, source, LOOK)
    assert [film.seen(k).view.time for k in (0, 11, 22)] == [0.0, 0.5, 1.0]
    assert max(outside(pane) for k in range(23) for pane in laid(film.seen(k), FrameBuilder())) == 0.0


@pytest.mark.parametrize("name", ["turning-boxes", "tunnelling", "flat-turning"])
def test_the_first_picture_of_a_motion_shows_the_bodies_on_their_way(name: str) -> None:
    source = of_motion(prepared(replace_motion(seen_of(name))), 1000, 25.0)
    labelled = [{label.kind for label in build(Context(**source.seen(k).facts)).world.labels} for k in (0, 1)]
    assert labelled[0] == labelled[1] >= {"distance"}
    # A single picture of the start shows the answer there.
    alone = replace(source.seen(0), filmed=False)
    assert "interval-numbers" in {label.kind for label in build(Context(**alone.facts)).world.labels} - labelled[0]


@pytest.mark.parametrize("name", ["turning-boxes", "tunnelling"])
def test_a_body_at_the_start_gives_way_to_itself_on_its_way_in_a_film_of_the_motion(name: str) -> None:
    source = of_motion(prepared(replace_motion(seen_of(name))), 3, 25.0)
    pictures = [build(Context(**source.seen(k).facts)).world.solids for k in range(3)]
    opacity = [{solid.subjects[0]: solid.rgba[0, 3] for solid in solids} for solids in pictures]
    for index in (0, 1):
        start, ghost = Subject("body", index), Subject("ghost", index)
        moving = ghost in opacity[1]
        assert opacity[1][start] == opacity[2][start] == pytest.approx((0.35 if moving else 1.0) * opacity[0][start])
        assert not moving or opacity[2][ghost] == pytest.approx(opacity[0][start])


@pytest.mark.parametrize("name", ["tunnelling", "turning-boxes", "flat-tunnelling"])
def test_a_letter_goes_with_its_body_in_a_film_of_the_motion(name: str) -> None:
    source, scene = of_motion(prepared(replace_motion(seen_of(name))), 5, 25.0), seen_of(name).scene
    for index in (0, 1):
        letters = [
            next(label for label in build(Context(**source.seen(k).facts)).world.labels if label.text == "AB"[index])
            for k in range(5)
        ]
        poses = [body_at(scene.body(index), source.seen(k).view.time or 0.0).pose for k in range(5)]
        for pose, letter in zip(poses, letters, strict=True):
            for point, first in (
                (letter.point, letters[0].point),
                (letter.other_anchors[:, :3], letters[0].other_anchors[:, :3]),
            ):
                np.testing.assert_allclose(pose.to_local(point), poses[0].to_local(first), atol=1e-12)


@pytest.mark.parametrize("name", ["tunnelling", "turning-boxes", "flat-turning"])
@pytest.mark.parametrize("count", [3, 24, 50])
def test_a_film_of_the_motion_stands_for_a_second_at_the_impact_and_its_end(name: str, count: int) -> None:
    source = of_motion(prepared(replace_motion(seen_of(name))), count, 25.0)
    times, impact = [source.seen(k).view.time for k in range(count)], impact_of(source.seen(0).sweep)
    even = np.linspace(0.0, 1.0, count)
    assert impact is not None
    met = times.index(impact)
    assert list(source.seconds) == [1.0 if k in (met, count - 1) else 0.04 for k in range(count)]
    assert abs(even[met] - impact) <= 0.5 / (count - 1)
    np.testing.assert_allclose(np.delete(times, met), np.delete(even, met), atol=1e-15)
    assert {"impact at t = " + instant(impact)} <= {
        label.text for label in build(Context(**source.seen(met).facts)).world.labels
    }


def test_a_film_of_a_motion_that_misses_has_even_times() -> None:
    seen = replace_motion(seen_of("tunnelling"))
    scene = replace(seen.scene, b=replace(seen.scene.b, displacement=(0.0, 5.0, 0.0)))
    source = of_motion(prepared(replace(seen, scene=scene, analysis=analyse(scene))), 5, 25.0)
    assert [source.seen(k).view.time for k in range(5)] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert list(source.seconds) == [0.04] * 4 + [1.0]


def test_a_film_of_a_motion_from_a_contact_stands_at_the_start_and_flows_all_the_same() -> None:
    seen = replace_motion(seen_of("tunnelling"))
    scene = replace(seen.scene, b=replace(seen.scene.b, position=seen.scene.a.position))
    source = of_motion(prepared(replace(seen, scene=scene, analysis=analyse(scene))), 5, 25.0)
    assert list(source.seconds) == [1.0] + [0.04] * 3 + [1.0]
    assert len([*Shots(source, LOOK).rehearsal]) == source.count


@pytest.mark.parametrize("name", ["tunnelling", "flat-tunnelling", "turning-boxes", "flat-turning"])
def test_a_film_of_the_motion_marks_and_names_the_impact_from_then_on(name: str) -> None:
    source = of_motion(prepared(replace_motion(seen_of(name))), 9, 25.0)
    sweep = source.seen(0).sweep
    assert sweep is not None
    assert sweep.result.time is not None
    for k in range(9):
        pictures, time = build(Context(**source.seen(k).facts)), instant(sweep.result.time)
        met = (source.seen(k).view.time or 0.0) >= sweep.result.time
        diamonds = [marks.points[0] for marks in pictures.difference.marks if marks.shape is Marker.DIAMOND]
        assert len(diamonds) == met
        if met and sweep.motion.rotates:
            # A − B comes to the origin, which stands.
            assert not diamonds[0].any()
        for draw, words in ((pictures.world, "impact"), (pictures.difference, "enters A − B")):
            assert (f"{words} at t = {time}" in {label.text for label in draw.labels}) is met


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_film_has_a_plain_ground(theme: str) -> None:
    seen = prepared(replace_motion(replace(seen_of("turning-boxes"), theme=theme_named(theme))))
    ground = seen.theme.plain_ground
    assert ground in (seen.theme.background_top, seen.theme.background_bottom)
    for source, captioned in (
        (of_motion(seen, 3, 25.0), False),
        (of_turn(seen, 3, 25.0), False),
        (steps_of("skew-edges", theme=theme, last=2), True),
    ):
        assert [plan.background for plan in Shots(source, LOOK, captioned=captioned).plans()] == [
            (ground, ground)
        ] * source.count


@pytest.mark.parametrize(
    ("name", "phase"),
    [("skew-edges", "epa"), ("two-spheres", "gjk"), ("tetrahedra-cross", "epa"), ("flat-squares-kiss", "epa")],
)
def test_a_slow_film_has_the_rings_of_all_bounds_in_sight(name: str, phase: str) -> None:
    steps = ExportOptions(steps=phase, slow=True)
    shots = Shots(steps_source(load_pair(str(SCENES / f"{name}.json")), steps), LOOK, captioned=True)
    cut = []
    for plan, part in zip(shots.plans(), shots.source.names, strict=True):
        plan.lay_out(2)
        cut += [part for laid in shots.laid if laid.pane.kind == "difference" and outside(laid.placed) > 0.0]
    assert not cut


def test_a_body_that_is_far_out_for_a_moment_is_in_sight_then(stills: Stills) -> None:
    seen = seen_of("skew-edges")
    far = [(0.01 * k if k != 13 else 9.0, 0.3, 0.0) for k in range(40)]
    scenes = [replace(seen.scene, b=replace(seen.scene.b, position=position)) for position in far]
    all_seen = [replace(seen, scene=scene, analysis=analyse(scene)) for scene in scenes]
    source = of_scenes(scenes, all_seen.__getitem__, 0.04)
    assert 13 not in source.samples()
    film = Film(stills, source, LOOK)
    assert max(outside(pane) for k in (0, 13, 39) for pane in laid(film.seen(k), FrameBuilder())) == 0.0


def test_a_picture_is_the_single_picture_with_the_films_camera(stills: Stills) -> None:
    look = FilmSize(240, 150, 2.0)
    film = Film(stills, steps_of("skew-edges", first=16, last=18), look)
    first = next(film.pictures())
    from app.render.still import expose_still

    alone = run(expose_still(planned(film.seen(0), look.width, look.height, look.scale))).convert("RGB")
    assert first.size == look.pixels == (480, 300)
    assert psnr(first, alone) > 60.0


def test_a_camera_that_was_set_by_hand_stays(stills: Stills) -> None:
    seen = seen_of("skew-edges")
    by_hand = replace(seen, view=replace(seen.view.turned(0.3, 0.1), fitted=False))
    source = FilmPictures(lambda k: (seen, by_hand)[k], [0.04, 0.04], ["1", "2"])
    film = Film(stills, source, LOOK)
    assert film.seen(1).view == by_hand.view
    assert film.seen(0).view.fitted is False
    assert steady_view(FilmPictures(lambda _: by_hand, [0.04], ["1"]), LOOK) is None


def test_samples_leave_no_trace_in_the_film(stills: Stills) -> None:
    look = FilmSize(120, 80)
    pictures = []
    for sampled in (False, True):
        film = Film(stills, steps_of("skew-edges", first=14, last=20), look)
        if sampled:
            assert len(list(film.samples())) == 6
        pictures.append([picture.tobytes() for picture in film.pictures()])
    assert pictures[0] == pictures[1]
