"""The panel of engines: rows, classes in words, a click that draws an answer, and what is not installed."""

from __future__ import annotations

import csv
from math import nan

import numpy as np
import pytest
from msgspec.structs import replace

from app.panels import through_zero
from app.panels.engines import as_text, class_words, number_words, rule_words, vote_words
from app.panels.panel import BUNDLE, SEARCH
from app.state.engines import NO_ENGINE, EngineCurve, EngineRow, EngineTable, Hunt, PathAnswers, WrongPair
from app.state.panel_state import Dialogs, PanelState
from app.state.settings import Settings
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Sphere
from core.study.differential.answers import (
    Answer,
    Design,
    DesignRule,
    Engine,
    EngineAnswer,
    EngineContact,
    Failed,
    NotAsked,
    Unsupported,
)
from core.study.differential.classes import Judgement, Kind, Truth, judge
from tests.strategies import cubes

from .asked import asks, of
from .compare_rig import drawn_texts, opened, plotted
from .panel_rig import Rig, panel_state, rig

__all__ = ["rig"]

PAIR = Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (1.5, 0.0, 0.0)))
OLD = Scene(Body(Sphere(1.0)), Body(Sphere(1.0), (9.0, 0.0, 0.0)))
FOUND = analyse(PAIR)
TRUE = Truth(FOUND.separation, FOUND.certainty.gap, FOUND.normal, FOUND.witness_a, FOUND.witness_b)


def row(name: str, answer: Answer, scene: Scene = PAIR) -> EngineRow:
    engine = Engine(name, "1.2")
    return EngineRow(
        name=name,
        title=name.title(),
        engine=engine,
        scene=scene,
        answer=answer,
        judgement=judge(PAIR, TRUE, engine, answer),
        number=1,
    )


GOOD = EngineAnswer(
    -0.5, (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 0.0, 0.0), (EngineContact((0.75, 0.0, 0.0)),), us=12.0
)
ROWS = (
    row("good", GOOD),
    row("deep", EngineAnswer(-0.75)),
    row("cube", Unsupported("cone")),
    row("dead", Failed("crash", "crashed: SIGSEGV")),
    row("late", EngineAnswer(7.0), OLD),
)


def state(table: EngineTable | None, engine: str = "") -> PanelState:
    dialogs = Dialogs(docked=("engines",), engine=engine)
    return panel_state(PAIR, settings=Settings(panels=True), dialogs=dialogs, engine_table=table)


def test_the_vote_in_words() -> None:
    assert vote_words(EngineTable(ROWS), state(None)) == "2 of 2 say overlapping, so do we."
    against = EngineTable((row("off", EngineAnswer(0.5)),))
    assert vote_words(against, state(None)) == "1 of 1 says separated; we say overlapping."
    assert vote_words(EngineTable(ROWS[-1:]), state(None)) == "No engine has answered about this pose yet."


def test_cells() -> None:
    assert [number_words(one.answer) for one in ROWS] == ["−0.5", "−0.75", "–", "–", "7"]
    assert [class_words(one) for one in ROWS[:4]] == [
        "✓\u00a0agrees",
        "≠\u00a0depth too large",
        "no cone",
        "crashed: SIGSEGV",
    ]
    silent = row("silent", NotAsked("given up", "ended before"))
    assert (class_words(silent), number_words(silent.answer), silent.verdict) == ("not asked: ended before", "–", None)
    assert class_words(row("near", EngineAnswer(-0.5 + 0.9e-6))) == "✓\u00a0agrees"
    near = EngineRow(
        name="e",
        title="E",
        engine=None,
        scene=PAIR,
        answer=GOOD,
        judgement=Judgement(Kind.AGREES, 1e-2, 0.0015, 1e-2, share=0.003),
        number=1,
    )
    assert class_words(near) == "✓\u00a0agrees, 0.3 %"
    assert near.judgement is not None
    assert rule_words(near.judgement) == "Off by 0.0015, 0.3 % of the answer; at most 0.01 is allowed."
    assert number_words(EngineAnswer()) == "no contact"
    assert number_words(EngineAnswer(contacts=(EngineContact((0.0, 0.0, 0.0)),))) == "contact"
    assert number_words(EngineAnswer(float("nan"))) == "nan"


@pytest.mark.parametrize("kind", Kind)
def test_every_class_has_its_rule_in_words_with_its_bound(kind: Kind) -> None:
    rule = DesignRule(Design.FACE, "prefers faces") if kind is Kind.DESIGN else None
    said = rule_words(
        Judgement(
            kind=kind, tolerance=0.125, error=-0.25, bound=0.375, proves=-0.75, off=0.0625, by="number", rule=rule
        )
    )
    assert "{" not in said
    if kind not in (Kind.NOT_ASKED, Kind.UNSUPPORTED, Kind.FAILED, Kind.DESIGN):
        assert any(number in said for number in ("0.125", "0.375", "−0.75"))
    assert said.endswith("Judged by number.")


def test_a_verdict_alone_is_told_as_one() -> None:
    answer = EngineAnswer(contacts=(EngineContact((0.75, 0.0, 0.0)),))
    said = row("quiet", answer).judgement
    assert said is not None
    assert rule_words(said) == "It gives no number, and its verdict agrees. Judged by verdict."


def test_a_click_on_a_row_draws_it_and_another_one_ends_that(rig: Rig) -> None:
    ui = state(EngineTable(ROWS))
    rig.settle(ui)
    assert ui.dialogs.engine_panel
    rig.click(ui, "##good", at=0.1)
    assert ui.dialogs.engine == "good"
    rig.watch("text_unformatted")
    rig.settle(ui)
    assert "1, 0, 0" in rig.rects
    assert [one.text for one in of("copy", rig.click(ui, "1, 0, 0", at=0.2))] == ["1.0, 0.0, 0.0"]
    rig.click(ui, "##good", at=0.1)
    assert ui.dialogs.engine == ""


def test_the_table_is_copied_with_all_digits(rig: Rig) -> None:
    ui = state(EngineTable(ROWS))
    rig.settle(ui)
    (copied,) = of("copy", rig.click(ui, "Copy table"))
    assert copied.text == as_text(EngineTable(ROWS), PAIR)
    head, *lines = csv.reader(copied.text.splitlines())
    assert all(len(line) == len(head) for line in lines)
    assert dict(zip(head, lines[0], strict=True))["normal"] == "1.0, 0.0, 0.0"
    assert [line[head.index("current")] for line in lines] == ["yes"] * 4 + ["no"]
    assert float(lines[1][head.index("separation")]) == -0.75
    assert [line[head.index("share")] for line in lines][:3] == ["0", "0.5", ""]


def test_without_an_engine_it_says_where_to_get_them(rig: Rig) -> None:
    ui = state(EngineTable(missing=(("Rapier", "pip install rapier3d"),)))
    rig.watch("text_unformatted", "collapsing_header")
    rig.settle(ui)
    assert NO_ENGINE in rig.rects
    rig.click(ui, "Not installed")
    assert "Rapier: not installed. pip install rapier3d" in rig.rects
    ui.dialogs.docked = ()
    rig.settle(ui)
    assert not ui.dialogs.engine_panel


SEARCHING = Hunt("Good", 40, 200, (WrongPair("good", "Good", 1, "depth too large: by 0.25, more than 1e-6", OLD),))


def test_the_search_and_the_bundle_are_asked_for_by_buttons(rig: Rig) -> None:
    ui = state(EngineTable(ROWS))
    rig.settle(ui)
    assert [asked.command for asked in of("invoke", rig.click(ui, SEARCH))] == ["engines.search"]
    assert not of("invoke", rig.click(ui, BUNDLE)), "no engine is chosen"
    ui = state(EngineTable(ROWS), "deep")
    rig.settle(ui)
    assert [asked.command for asked in of("invoke", rig.click(ui, BUNDLE))] == ["engines.bundle"]
    rig.settle(state(EngineTable(ROWS, hunt=SEARCHING), "deep"))
    assert not of("invoke", rig.click(state(EngineTable(ROWS, hunt=SEARCHING), "deep"), SEARCH)), "one search at a time"


def test_a_search_has_its_progress_a_cancel_and_results_that_open(rig: Rig) -> None:
    ui = state(EngineTable(ROWS, hunt=SEARCHING))
    rig.watch("text_unformatted")
    rig.settle(ui)
    assert "Good, sphere and sphere: depth too large: by 0.25, more than 1e-6. New to us." in rig.rects
    (stopped,) = of("invoke", rig.click(ui, "Cancel"))
    assert stopped.command == "engines.stop"
    (opened,) = of("open_scene", rig.click(ui, "##good 1"))
    assert opened.scene is OLD
    rig.rects.clear()
    rig.settle(state(EngineTable(ROWS, hunt=replace(SEARCHING, ending="1 kind of wrong answers near this pair."))))
    assert "Cancel" not in rig.rects


def test_engines_are_asked_about_each_sample_and_drawn_beside_ours(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.panels import through_zero_chart as chart

    ui = opened("through_zero", cubes(1.0, 1.0, (1.5, 0.3, 0.2)))
    plotted(rig, ui)
    (asked,) = of("ask_engines", rig.click(ui, through_zero.ASK_ENGINES))
    assert asked.kind == "ask_engines"
    assert len(asked.scenes) == 121
    rows = tuple(EngineCurve(title, (value,) * count) for title, value, count in (("P", 0.25, 121), ("Q", nan, 121)))
    ui = replace(ui, path_answers=PathAnswers(asked.scenes, 3, (*rows, EngineCurve("R", (7.0,) * 60))))
    drawn: dict[str, list[float]] = {}
    original = chart.implot.plot_line
    monkeypatch.setattr(
        chart.implot, "plot_line", lambda name, at, *rest: (drawn.update({name: rest[0]}), original(name, at, *rest))
    )
    rig.settle(ui)
    assert "Q" not in drawn
    assert list(drawn["P"]) == [0.25] * 121
    assert np.isnan(drawn["R"][60:]).all()
    assert list(drawn["R"][:60]) == [7.0] * 60
    (given_up,) = of("ask_engines", rig.click(ui, "Cancel"))
    assert given_up == asks.ask_engines(())
    ui = replace(ui, path_answers=PathAnswers(asked.scenes, 3, rows, done=True))
    assert "No number on this way: Q." in drawn_texts(rig, ui, monkeypatch)
    # A panel that is shut gives them up.
    ui.dialogs.dock("through_zero", shown=False)
    assert of("ask_engines", rig.frame(ui)) == [asks.ask_engines(())]
