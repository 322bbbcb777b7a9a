"""What is known at a step of SAT: which rows, which of them leads, and that no more is said or drawn."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from app.draw.draw_list import Subject
from app.draw.theme import DARK
from app.io.presets import load_preset, presets
from app.overlays.context import Context
from app.panels.timeline import TrackMarks, bests, step_tooltip
from app.panels.viewport_bottom import hint_for
from app.render.pictures import DrawLists, build
from app.stages import at_its_step, stage_of, step_text
from app.stages.stage import At
from app.state.panel_state import PanelState
from app.state.playback import Playback, at_place
from app.state.sat_progress import SatProgress
from app.state.settings import Settings
from app.state.view import WHOLE, View
from app.words.axis_words import reason_so_far
from app.words.digits import plain
from app.words.names import axis_name, shown_name
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.pair.candidate_axes import AxisKind
from core.query.query import Phase, Query, query
from core.sat.table import AxisStatus
from tests.everything import EVERYTHING

from .asked import of
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]

NAMES = [preset.id for preset in presets()]


@cache
def asked(name: str, *, faces_only: bool = False, build: bool = False) -> Query:
    return query(analyse(load_preset(name).scene), AlgorithmSettings(faces_only=faces_only, build=build))


def sat_places(found: Query) -> list[int]:
    return [place for place, moment in enumerate(found.moments) if moment.phase is Phase.SAT]


def at(found: Query, place: int, view: View | None = None, part: str = WHOLE) -> Context:
    seen = Context(found.analysis.scene, found.analysis, view or View(), DARK, found, place, part=part)
    return at_its_step(seen)


def picture(found: Query, place: int, view: View | None = None, part: str = WHOLE) -> DrawLists:
    return build(at(found, place, replace(view or View(), shown=EVERYTHING), part))


def stepping(name: str, place: int, **settings: bool) -> PanelState:
    found = asked(name)
    playback = at_place(Playback(open=True), found, place)
    ui = panel_state(found.analysis.scene, settings=Settings(panels=True, **settings), playback=playback)
    return replace(ui, analysis=found.analysis, query=found, place=place)


def test_without_a_step_and_at_other_phases_every_row_is_known() -> None:
    found = asked("skew-edges")
    table = found.analysis.sat
    for tried in (SatProgress(table), SatProgress.of(table, found, len(found.moments) - 1)):
        assert tried.rows.all()
        assert tried.best == table.winner
        assert tried.overtaken is None
        assert tried.has(14)


@pytest.mark.parametrize("name", NAMES)
def test_a_step_knows_the_rows_up_to_its_own_and_the_best_of_them(name: str) -> None:
    found = asked(name)
    table = found.analysis.sat
    for place in sat_places(found):
        tried, row = at(found, place).sat_progress, found.moments[place].step.row
        assert tried.rows.tolist() == [k <= row for k in range(len(table.candidates))]
        assert [tried.has(k) for k in range(len(table.candidates))] == tried.rows.tolist()
        assert (tried.number, tried.count) == (row + 1, len(table.candidates))
        known = table.separations[: row + 1]
        if np.isnan(known).all():
            assert tried.best is None
        else:
            assert table.separations[tried.best] == np.nanmax(known)
        assert tried.separates == any(status is AxisStatus.SEPARATING for status in table.statuses[: row + 1])


def test_faces_alone_leave_the_edge_pairs_unknown_for_good() -> None:
    found = asked("crossed-edges", faces_only=True)
    kinds = [candidate.kind for candidate in found.analysis.sat.candidates]
    tried = at(found, sat_places(found)[-1]).sat_progress
    assert tried.rows.tolist() == [kind is not AxisKind.EDGES for kind in kinds]
    assert (tried.number, tried.count) == (6, 6)


def test_what_was_the_best_until_the_step_is_overtaken_there_alone() -> None:
    found = asked("skew-edges")
    places = sat_places(found)
    overtaken = [at(found, place).sat_progress.overtaken for place in places]
    # A.x leads from the first row on, until A.z×B.y takes over at the fourteenth.
    assert overtaken == [*[None] * 13, 0, None]


def test_rows_to_come_stand_last_in_the_tables_order_whatever_it_is_sorted_by() -> None:
    found = asked("skew-edges")
    tried = at(found, sat_places(found)[3]).sat_progress
    order = np.argsort(-found.analysis.sat.separations)
    assert tried.ordered(order) == [row for row in order.tolist() if row <= 3] + list(range(4, 15))
    assert SatProgress(found.analysis.sat).ordered(order) == order.tolist()


@pytest.mark.parametrize("name", ["flat-one-gap", "flat-squares-kiss", "flat-inside", "flat-nine-points"])
def test_the_planes_test_knows_no_row_before_its_end_and_then_all(name: str) -> None:
    found = asked(name)
    places = [place for place, moment in enumerate(found.moments) if moment.phase is Phase.PLANES]
    assert len(places) > 1
    for index, place in enumerate(places[:-1]):
        tried = at(found, place).sat_progress
        assert not tried.rows.any()
        assert (tried.best, tried.row, tried.number, tried.last) == (None, index, 0, False)
        assert [tried.reached(row) for row in range(len(tried.table.candidates))] == [
            row <= index for row in range(len(tried.table.candidates))
        ]
        steps = [found.moments[k].step for k in places[: index + 1]]
        assert tried.separates == any(step.gap > found.analysis.band for step in steps)
    last = at(found, places[-1]).sat_progress
    assert last.rows.all()
    assert last.best == found.analysis.sat.winner


@pytest.mark.parametrize("name", ["skew-edges", "flat-one-gap", "capsule-box-edge"])
def test_the_difference_by_hand_knows_no_row_before_its_end_and_then_all(name: str) -> None:
    found = asked(name, build=True)
    places = [place for place, moment in enumerate(found.moments) if moment.phase is Phase.BUILD]
    assert len(places) > 1
    for place in places:
        tried = at(found, place).sat_progress
        assert tried.last == (place == places[-1])
        assert tried.rows.any() == tried.last
        assert tried.row is None


# Words


def test_the_verdicts_place_counts_then_tells_the_gap_then_the_largest() -> None:
    found = asked("crossed-edges")
    told = [stage_of(Phase.SAT).verdict_so_far(At(found, found.moments[place])) for place in sat_places(found)]
    assert told[6] == ("SAT:", "7 of 15 axes tried. No gap yet.")
    assert told[8] == ("Gap of 0.05 on A.x × B.z:", "the bodies are apart.")
    assert told[9] == ("Separated:", "largest gap so far 0.05 on A.x × B.z. 10 of 15 axes tried.")
    assert told[14] is None
    gjk = next(moment for moment in found.moments if moment.phase is Phase.GJK)
    assert stage_of(Phase.GJK).verdict_so_far(At(found, gjk)) is None


@pytest.mark.parametrize("name", ["flat-one-gap", "flat-inside"])
def test_the_planes_tests_place_counts_its_edges_and_tells_the_first_gap_and_the_largest(name: str) -> None:
    found = asked(name)
    moments = [moment for moment in found.moments if moment.phase is Phase.PLANES]
    said = [stage_of(Phase.PLANES).verdict_so_far(At(found, moment)) for moment in moments]
    assert said[-1] is None
    best = (-np.inf, "")
    for index, (moment, words) in enumerate(zip(moments[:-1], said, strict=False)):
        gap, before = (moment.step.gap, f"in front of {shown_name(moment.step.label)}"), best[0] > found.analysis.band
        best = max(best, gap)
        if best[0] <= found.analysis.band:
            assert words == ("Planes test:", f"{index + 1} of {len(moments)} edges tried. No gap yet.")
        elif not before:
            assert words == (f"Gap of {plain(gap[0])} {gap[1]}:", "the bodies are apart.")
        else:
            tried = f"{index + 1} of {len(moments)} edges tried."
            assert words == ("Separated:", f"largest gap so far {plain(best[0])} {best[1]}. {tried}")


def test_the_difference_by_hand_tells_nothing_of_the_origin_before_its_last_step() -> None:
    found = asked("skew-edges", build=True)
    moments = [moment for moment in found.moments if moment.phase is Phase.BUILD]
    said = [stage_of(Phase.BUILD).verdict_so_far(At(found, moment)) for moment in moments]
    assert said[0] == ("Difference:", f"step 1 of {len(moments)}. Whether the origin is inside is not known yet.")
    assert [words is None for words in said] == [moment.last for moment in moments]


def test_the_card_says_what_was_so_far_what_this_step_does_and_why() -> None:
    found = asked("skew-edges")
    text = step_text(found, found.moments[sat_places(found)[7]])
    assert text.title == "SAT 8 of 15: A.x × B.y"
    assert text.known == "Seven of 15 tried; A.x leads with an overlap of 0.687."
    assert text.decided == (
        "A.x × B.y is perpendicular to the two thick edges. The shadows overlap by 1.53: no gap here, and no better."
    )
    assert text.why == "One overlap proves nothing. The bodies overlap only if every axis shows one."


def test_a_duplicate_says_which_axis_it_repeats() -> None:
    found = asked("flat-hexagon-pentagon")
    text = step_text(found, found.moments[sat_places(found)[3]])
    assert text.decided == (
        "⊥A.e3 is the normal of A's thick edge. The shadows overlap by 0.552. Same direction as ⊥A.e0: nothing new."
    )


@pytest.mark.parametrize("name", NAMES)
def test_no_word_of_a_step_names_an_axis_that_is_not_tried(name: str) -> None:
    found = asked(name)
    table = found.analysis.sat
    for place in sat_places(found)[:-1]:
        moment = found.moments[place]
        text, so_far = step_text(found, moment), stage_of(Phase.SAT).verdict_so_far(At(found, moment))
        said = f"{text.title} {text.known} {text.decided} {' '.join(so_far)} "
        said += reason_so_far(table, moment.step.row, moment.step.best)
        ahead = {axis_name(table, row) for row in range(moment.step.row + 1, len(table.candidates))}
        words = set(said.replace(":", " ").replace(",", " ").replace(".  ", " ").split(" "))
        assert not {label for label in ahead if " " not in label} & words
        assert text.stop is None


# Timeline and verdict bar


def test_a_tick_that_is_not_reached_says_which_it_is_and_nothing_else() -> None:
    found = asked("crossed-edges")
    marks, place = TrackMarks.of(found), sat_places(found)[8]
    assert step_tooltip(found, place, marks, reached=False) == "SAT 9 of 15: A.x × B.z"
    assert "first gap" in step_tooltip(found, place, marks).lower()


def test_the_star_stands_at_the_step_that_found_the_best_so_far() -> None:
    found = asked("skew-edges")
    places = sat_places(found)
    assert [bests(found, place) for place in (places[0], places[12], places[13], places[14])] == [[0], [0], [13], [13]]
    assert bests(found, len(found.moments) - 1) == [13]
    faces = asked("crossed-edges", faces_only=True)
    last = sat_places(faces)[-1]
    assert bests(faces, last) == [faces.moments[last].step.best]


def test_the_bar_tells_the_verdict_at_the_last_step_or_with_its_eye_open(rig: Rig) -> None:
    rig.watch("text_unformatted", "invisible_button")
    places = sat_places(asked("skew-edges"))

    def said(ui: PanelState) -> str:
        rig.settle(ui)
        return " ".join(rig.rects)

    depth = plain(-asked("skew-edges").analysis.separation)
    shut = stepping("skew-edges", places[6])
    assert "7 of 15 axes tried. No gap yet." in said(shut)
    assert depth not in said(shut)
    (asks,) = of("configure", rig.click(shut, "##eye"))
    assert asks.settings.verdict_told
    opened = stepping("skew-edges", places[6], verdict_told=True)
    assert depth in said(opened)
    assert "##eye" in rig.rects
    for told in (stepping("skew-edges", places[14]), panel_state(shut.scene)):
        assert depth in said(told)
        assert "##eye" not in rig.rects


def test_the_table_fills_in(rig: Rig) -> None:
    rig.watch("text_unformatted")
    places = sat_places(asked("skew-edges"))
    # Without the step card, which would stand before it.
    rig.panels = [panel for panel in rig.panels if panel.spec.name != "step_card"]
    ui = stepping("skew-edges", places[6])
    rig.settle(ui)
    numbers = [text for text in rig.rects if text.startswith("−") and text[1:2].isdigit()]
    assert len(numbers) == 7
    assert len(rig.rects["overlap"]) == 7
    pointed = replace(ui, view=View(hover=Subject("axis", 13)))
    assert hint_for(pointed).endswith(": not tried yet.")
    # While the bars of the row that is tried grow, it has neither number nor word.
    rig.settle(replace(ui, progress=0.5))
    numbers = [text for text in rig.rects if text.startswith("−") and text[1:2].isdigit()]
    assert (len(numbers), len(rig.rects["overlap"]), len(rig.rects["…"])) == (6, 6, 1)


def test_the_table_is_empty_at_the_planes_test_and_does_not_name_the_winner(rig: Rig) -> None:
    rig.watch("text_unformatted")
    rig.panels = [panel for panel in rig.panels if panel.spec.name != "step_card"]
    found = asked("flat-one-gap")
    rig.settle(stepping("flat-one-gap", 0))
    assert "gap" not in rig.rects
    assert "overlap" not in rig.rects
    assert plain(found.analysis.separation) not in " ".join(rig.rects)
    assert "⊥A.e0: SAT has not tried it yet" in rig.rects


# Pictures


@pytest.mark.parametrize(
    ("name", "kind"), [("skew-edges", "mtv"), ("crossed-edges", "closest"), ("flat-inside", "mtv")]
)
def test_the_answers_arrow_comes_with_the_verdict_or_its_open_eye(name: str, kind: str) -> None:
    found = asked(name, build=True)
    for place, moment in enumerate(found.moments):
        for eye in (False, True):
            context = at(found, place, View(shown=View().shown | {kind}))
            drawn = build(replace(context, eye=eye)).world
            kinds = {subject.kind for part in (*drawn.segments, *drawn.marks) for subject in part.subjects}
            told = moment.phase in (Phase.BUILD, Phase.PLANES, Phase.SAT) and (eye or moment.last)
            assert (kind in kinds) == told


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sampled(3, "scenes")
def test_nothing_in_the_pictures_belongs_to_an_axis_that_is_not_tried(name: str) -> None:
    found = asked(name)
    table = found.analysis.sat
    for place in sat_places(found)[:-1]:
        row, shown = found.moments[place].step.row, picture(found, place)
        lines = {int(table.same_as[k]) for k in range(row + 1)}
        for pane in (shown.world, shown.difference, shown.globe):
            subjects = [label.subject for label in pane.labels]
            subjects += [s for marks in pane.marks for s in marks.subjects]
            for subject in subjects:
                assert subject.kind != "axis" or subject.number <= row or int(table.same_as[subject.number]) in lines


def test_pointing_at_an_axis_to_come_lights_its_origin_and_keeps_the_rail_of_the_one_tried() -> None:
    found = asked("skew-edges")
    place = sat_places(found)[6]
    plain_view, pointed = picture(found, place), picture(found, place, View(hover=Subject("axis", 13)))
    rails = [
        [label.text for label in shown.world.labels if label.subject.kind == "axis"] for shown in (plain_view, pointed)
    ]
    assert rails[0] == rails[1]
    context = at(found, place, View(hover=Subject("axis", 13)))
    assert (context.focus, context.source) == (6, 13)
    assert at(found, place, View(hover=Subject("axis", 2))).focus == 2
    assert at(found, place).source == 6
    answer = Context(found.analysis.scene, found.analysis, View(), DARK)
    assert answer.source is None
