"""Who asks the engines for their panel: asked once a pose, judged beside the truth, ended when the panel closes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

from app.controllers.background import AnswerCache
from app.controllers.engines import Engines
from app.controllers.notices import Notices
from app.controllers.preferences import Preferences
from app.draw.draw_list import DrawList
from app.draw.theme import DARK, ENGINE_COLOURS
from app.engines.catalogue import EngineSpec, FoundEngine
from app.overlays.context import Context
from app.overlays.engine_answer import OVERLAY
from app.state.engines import EngineRow, EngineTable
from app.state.panel_state import Dialogs
from app.state.playback import Playback
from app.state.settings import Settings
from app.state.view import View
from app.state.work import Document, Work
from core.analysis.analysis import analyse
from core.scene import Body, Scene
from core.shapes import Box, Sphere
from core.study.differential import classes
from core.study.differential.answers import Answer, Engine, EngineAnswer, EngineContact, Failed, NotAsked, Unsupported
from core.study.differential.classes import Judgement, Kind
from core.verdict import Verdict

from . import stand_in_modes as told
from .patience import wait_for

STAND_IN = Path(__file__).with_name("stand_in_engine.py")


def pair(mode: int = 1, x: float = 3.0) -> Scene:
    return Scene(Body(Sphere(1.0)), Body(Sphere(float(mode)), (x, 0.0, 0.0)))


class Rig(NamedTuple):
    engines: Engines
    work: Work
    dialogs: Dialogs

    def frame(self) -> None:
        self.engines.look()
        time.sleep(0.005)

    def until(self, reached: Callable[[], bool]) -> None:
        """Frames until something is so."""
        wait_for(reached, "the engines", meanwhile=self.frame)

    def shows(self, scene: Scene) -> bool:
        """Whether every engine's answer is that about a scene."""
        return self.engines.shown is not None and all(row.is_of(scene) for row in self.engines.shown.rows)

    def rest(self) -> EngineTable:
        self.until(lambda: self.engines.shown is not None and not self.engines.waiting)
        assert self.engines.shown is not None
        return self.engines.shown


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Scene, int], Rig]]:
    made: list[Engines] = []

    def rig(scene: Scene, engines: int = 2) -> Rig:
        entries = [
            EngineSpec(f"e{number}", f"Engine {number}", str(STAND_IN), "m", f"p{number}") for number in range(engines)
        ]
        found = tuple(FoundEngine(entry, sys.executable) for entry in entries)
        monkeypatch.setattr("app.engines.catalogue.found_engines", lambda _pythons: (found, ("A refusal.",)))
        work = Work(Document.new(scene), scene, Playback())
        dialogs = Dialogs(docked=("engines",), engine_panel=True)
        preferences = Preferences(Settings(), work, Notices())
        made.append(Engines(work, AnswerCache(work), preferences, dialogs, Notices()))
        return Rig(made[-1], work, dialogs)

    yield rig
    for engines in made:
        engines.close()


def stand_ins() -> int:
    """How many this process has started; other workers have theirs."""
    listed = subprocess.run(["ps", "-wweo", "ppid,args"], capture_output=True, text=True, check=True).stdout
    ours = (line.split(maxsplit=1)[1] for line in listed.splitlines() if line.split(maxsplit=1)[0] == str(os.getpid()))
    return sum(str(STAND_IN) in command for command in ours)


def test_every_engine_is_asked_and_judged(make: Callable[[Scene, int], Rig]) -> None:
    rig = make(pair(), 2)
    shown = rig.rest()
    assert shown.refused == ("A refusal.",)
    assert [row.name for row in shown.rows] == ["e0", "e1"]
    for row in shown.rows:
        assert row.is_of(rig.work.scene)
        # Its number is that of its process, and the spheres are 1 apart.
        assert row.judgement is not None
        assert row.judgement.kind is Kind.DISTANCE_LARGE
        assert row.engine is not None
        assert row.engine.version == "1"
    again = rig.rest()
    assert again is shown, "nothing new, so nothing is drawn anew"
    rig.work.document = Document.new(pair(x=4.0))
    assert not any(row.is_of(rig.work.scene) for row in shown.rows)
    rig.engines.look()
    assert rig.engines.waiting
    assert all(row.is_of(rig.work.scene) for row in rig.rest().rows)


def test_an_engine_that_crashes_says_so_and_the_others_answer(make: Callable[[Scene, int], Rig]) -> None:
    (row,) = make(pair(told.CRASH), 1).rest().rows
    assert isinstance(row.answer, Failed)
    assert "SIGSEGV" in row.answer.words
    assert row.judgement is not None
    assert row.judgement.kind is Kind.FAILED


def test_the_processes_end_when_the_panel_closes_and_start_again_with_it(make: Callable[[Scene, int], Rig]) -> None:
    rig = make(pair(), 2)
    before = stand_ins()
    rig.rest()
    assert stand_ins() == before + 2
    rig.dialogs.engine_panel = False
    rig.engines.look()
    assert stand_ins() == before + 2, "behind another tab they stay"
    assert rig.engines.shown is None
    rig.dialogs.docked = ()
    rig.until(lambda: stand_ins() == before)
    rig.dialogs.docked, rig.dialogs.engine_panel = ("engines",), True
    assert len(rig.rest().rows) == 2


def test_in_a_drag_a_frame_judges_as_many_answers_as_it_has_time_for(
    make: Callable[[Scene, int], Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a clock on which each judgement takes all the time that a frame has."""
    judged, judge = 0, classes.judge

    def counted(*about: Any) -> Judgement:
        nonlocal judged
        judged += 1
        return judge(*about)

    monkeypatch.setattr(classes, "judge", counted)
    monkeypatch.setattr("app.controllers.engines.thread_time", lambda: float(judged))
    rig = make(pair(), 6)
    rig.rest()
    for step in range(1, 9):
        rig.work.document = replace(rig.work.document, preview=pair(x=3.0 + 0.01 * step))
        assert rig.work.dragged

        def frame() -> None:
            before = judged
            rig.frame()
            assert judged <= before + 1

        wait_for(lambda: rig.shows(rig.work.scene), "every engine's answer", meanwhile=frame)
    assert judged >= 6 * 9


def row(answer: Answer | None, scene: Scene, near: float = 1e-6) -> EngineRow:
    return EngineRow(
        name="e", title="E", engine=None, scene=scene, answer=answer, judgement=Judgement(Kind.AGREES, near), number=1
    )


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (EngineAnswer(-0.1), Verdict.OVERLAPPING),
        (EngineAnswer(0.1), Verdict.SEPARATED),
        (EngineAnswer(-1e-7), Verdict.TOUCHING),
        (EngineAnswer(), Verdict.SEPARATED),
        (EngineAnswer(contacts=(EngineContact((0.0, 0.0, 0.0)),)), Verdict.OVERLAPPING),
        (EngineAnswer(float("nan")), None),
        (Unsupported("cone"), None),
        (Failed("crash", "crashed"), None),
        (NotAsked("given up", "ended before"), None),
    ],
)
def test_what_an_answer_says_of_the_pair(answer: Answer, verdict: Verdict | None) -> None:
    assert row(answer, pair()).verdict is verdict


def test_the_vote_counts_answers_about_this_pose_and_of_equals_takes_ours() -> None:
    here, away = pair(), pair(x=9.0)
    said = [row(EngineAnswer(-0.1), here), row(EngineAnswer(0.1), here), row(EngineAnswer(0.1), away)]
    table = EngineTable((*said, row(None, here)))
    assert table.vote(here, Verdict.SEPARATED) == (Verdict.SEPARATED, 1, 2)
    assert table.vote(here, Verdict.OVERLAPPING) == (Verdict.OVERLAPPING, 1, 2)
    assert EngineTable(said[:1] * 3).vote(here, Verdict.SEPARATED) == (Verdict.OVERLAPPING, 3, 3)
    assert EngineTable().vote(here, Verdict.SEPARATED) is None


def test_the_chosen_answer_is_drawn_where_it_says() -> None:
    scene = pair()
    said = EngineAnswer(0.8, (2.0, 0.0, 0.0), (1.1, 0.0, 0.0), (1.9, 0.0, 0.0), (EngineContact((1.5, 0.0, 0.0)),))
    for shown, rgba in ((scene, ENGINE_COLOURS["dark"]), (pair(x=3.5), DARK.dim_text)):
        context = Context(shown, analyse(shown), View(), DARK, engine=row(said, scene))
        world, difference = DrawList(), DrawList()
        assert OVERLAY.world is not None
        assert OVERLAY.difference is not None
        OVERLAY.world(context, world)
        OVERLAY.difference(context, difference)
        assert [label.text for label in world.labels] == ["E, on A", "E, on B", "E, c₀", "E, normal"]
        assert np.concatenate([marks.points for marks in world.marks]).tolist() == [
            [1.1, 0.0, 0.0],
            [1.9, 0.0, 0.0],
            [1.5, 0.0, 0.0],
        ]
        (arrow,) = difference.segments
        assert arrow.end.tolist() == [[-0.8, 0.0, 0.0]]
        assert [label.rgba for label in world.labels] == [rgba] * 4


def test_an_answer_without_a_direction_draws_its_points_alone() -> None:
    scene = pair()
    context = Context(scene, analyse(scene), View(), DARK, engine=row(EngineAnswer(0.8, (0.0, 0.0, 0.0)), scene))
    world, difference = DrawList(), DrawList()
    assert OVERLAY.world is not None
    assert OVERLAY.difference is not None
    OVERLAY.world(context, world)
    OVERLAY.difference(context, difference)
    assert not world.segments
    assert not difference.segments


def test_an_engines_margin_and_its_simplexes_are_drawn() -> None:
    boxes = Scene(Body(Box((1.0, 1.0, 1.0))), Body(Box((1.0, 1.0, 1.0)), (1.5, 0.0, 0.0)))
    corners = ((-0.5, -1.0, 0.0), (-0.5, 1.0, 0.0))
    said = EngineAnswer(0.5, (1.0, 0.0, 0.0), simplexes=((corners[0],), corners))
    rounded = replace(row(said, boxes), engine=Engine("e", rounds={"box": (0.05, 0.05)}))
    context = Context(boxes, analyse(boxes), View(), DARK, engine=rounded)
    world, difference = DrawList(), DrawList()
    assert OVERLAY.world is not None
    assert OVERLAY.difference is not None
    OVERLAY.world(context, world)
    OVERLAY.difference(context, difference)
    # Twelve faces, each with the square that is left flat; one label for both bodies.
    squares = [batch for batch in world.segments if len(batch.start) == 4]
    assert len(squares) == 12
    assert {float(np.round(np.ptp(batch.start, axis=0).max(), 12)) for batch in squares} == {0.9}
    assert [label.text for label in world.labels].count("E: edges of radius 0.05") == 1
    # The edge of the last simplex, and the arrow to the point that its number claims.
    edge, _arrow = difference.segments
    assert (edge.start.tolist(), edge.end.tolist()) == ([list(corners[0])], [list(corners[1])])
    assert [label.text for label in difference.labels][:2] == ["s₀", "s₁"]
