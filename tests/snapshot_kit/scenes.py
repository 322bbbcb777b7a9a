"""Every moment of a scene, as the program's own doors give it: what is drawn, what is said, and the numbers of `check`.

This is the one file of the snapshots that knows how the program is asked; what comes back is draw lists and words. A
change of its inner types is a change here, and of nothing that is stored.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from math import asin, atan2
from pathlib import Path

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.__main__ import main
from app.draw.camera import Camera
from app.draw.draw_list import Subject
from app.draw.placed import Rect
from app.draw.theme import DARK
from app.io.presets import presets
from app.io.scene_file import load
from app.overlays.context import Context
from app.panels.timeline import TrackMarks, step_tooltip
from app.probes import PointProbe, RayLook, RayProbe, ScaleProbe
from app.probes.free_axis import candidate_direction
from app.probes.free_axis import start_of as start_of_axis
from app.probes.planes import plane_start, point_start
from app.quiz import questions
from app.render.framing import framed
from app.render.pictures import build
from app.stages import parts_of, stage_of, step_text
from app.stages.stage import At, SubStep
from app.stages.word_parts import StepText
from app.state.prediction import CurrentQuestion, Prediction, QuizQuestion
from app.state.view import WHOLE, AxisView, Panes, Seen, View, arrange
from app.words.printers import tex
from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.analysis.motion_answers import sweep
from core.geometry.vector import length
from core.query.motion_steps import with_motion
from core.query.query import Phase, query
from tests.everything import EVERYTHING

from .book import Moment
from .digest import digest
from .pieces import Pieces
from .roles import theme_of_roles
from .screen import SIZE, on_screen

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "tests" / "scenes"
SETTINGS = AlgorithmSettings(build=True, reduce=True)
"""The difference built by hand comes first; of many contacts four are kept, which is a step more."""
FULL = frozenset(
    {
        "skew-edges",
        "containment",
        "face-touch",
        "tiny-beside-huge",
        "sphere-face-region",
        "cylinder-on-ground",
        "tunnelling",
        "box-on-plane-vertex",
        "faces-alone-say-apart",
        "flat-worked-example",
        "fcl-391",
    }
)
"""Presets of which nearly all moments are told: one of each kind."""
PORTALS = frozenset({"portal-right-depth", "libccd-boxcyl-pen7", "portal-missed-overlap"})
"""Presets that are stepped through with MPR; none is told in full, as the other steps are like others'."""
DIGITS = 7
"""Of the numbers that `check` prints with all of theirs."""
OF_A_FLOAT = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")
SHOT_THROUGH = ("skew-edges", "tunnelling")
"""Presets in which a ray is shot through both bodies: they overlap, or one stands before the other."""
DIVIDED = ("skew-edges", "capsule-box-edge", "flat-inside", "flat-third-point", "face-touch", "portal-right-depth")
"""Presets whose sub-steps are drawn and said one by one: in space and in the plane, overlapping and apart; one that
touches, whose contacts are cut, and one with MPR."""
TURNED = (0.48, 0.6, 0.64)
"""A direction along which nothing lies: for a free axis."""


class Known(Struct, frozen=True):
    """A scene by its name, in a file. `preset`: of the gallery; `full`: nearly all moments told; `mpr`: with MPR."""

    name: str
    path: Path
    preset: bool
    full: bool
    mpr: bool = False


def scenes() -> list[Known]:
    """All scenes of the snapshots: the gallery's, then those kept for tests, by their paths."""
    kept = sorted(SCENES.rglob("*.json"))
    return [
        *(Known(preset.id, preset.path, True, preset.id in FULL, preset.id in PORTALS) for preset in presets()),
        *(Known("-".join(path.relative_to(SCENES.parent).with_suffix("").parts), path, False, False) for path in kept),
    ]


class Pictured:
    """One scene, analysed; `geometry`, `words` and `numbers` are its books."""

    def __init__(self, known: Known) -> None:
        loaded = load(str(known.path))
        self.known, self.scene = known, loaded.scene
        self.flat = json.loads(known.path.read_text(encoding="utf-8")).get("dimension") == 2
        view = replace(loaded.view or View(), hover=None, pin=None)
        self.opened = view.facing(self.scene)
        self.view = replace(self.opened, shown=EVERYTHING, probe=None, free=None, time=None)
        self.analysis = analyse(self.scene)
        self.sweep = sweep(self.scene)
        self.query = with_motion(query(self.analysis, replace(SETTINGS, mpr=known.mpr)), self.sweep)
        self.questions = questions(self.query)
        self.pieces = Pieces(self.size)
        self.steps = [f"{m.phase.value} {m.index + 1}" for m in self.query.moments]
        self.marks = TrackMarks.of(self.query)

    @property
    def size(self) -> float:
        """L, the pair's size: the radius about its position of the larger body that ends."""
        radii = (body.shape.bounding_radius for body in (self.scene.a, self.scene.b))
        return max(radius for radius in radii if radius < float("inf"))

    # What is drawn.

    def geometry(self) -> list[Moment]:
        """Both panes at every moment, with every overlay on; the insets with the answer."""
        steps = *self._stepped(), *self._divided()
        found = (*self._answers(), *self._probed(), *self._under_way(), *steps, *self._asked())
        return [self.shortened(moment) for moment in found]

    def shortened(self, moment: Moment) -> Moment:
        """With its digest where it is not told in full."""
        return replace(moment, digests={} if moment.told else digest(moment.places, self.size))

    def _picture(
        self, name: str, view: View, place: int | None = None, asked: CurrentQuestion | None = None, part: str = WHOLE
    ) -> Moment:
        asked_of = None if place is None else self.query
        theme = theme_of_roles()
        context = Context(
            scene=self.scene,
            analysis=self.analysis,
            view=view,
            theme=theme,
            query=asked_of,
            place=place or 0,
            asked=asked,
            sweep=self.sweep,
            part=part,
        )
        pictures = build(context)
        places = {name: getattr(pictures, name) for name in ("world", "difference", "triad", "globe")}
        return Moment(name, {place: Counter(self.pieces.of(draw)) for place, draw in places.items()})

    def _on_screen(self, moment: Moment) -> Moment:
        """With what the screen has of both panes in the view that a file opens with."""
        view = framed(Seen(self.scene, self.analysis, self.opened, DARK, sweep=self.sweep), SIZE)
        pictures = build(
            Context(
                scene=self.scene,
                analysis=self.analysis,
                view=view,
                theme=theme_of_roles(),
                query=None,
                place=0,
                asked=None,
                sweep=self.sweep,
            )
        )
        panes = arrange(replace(view, panes=Panes.BOTH), Rect(0, 0, *SIZE), 0.5)
        told = {
            f"{pane.kind}-on-screen": on_screen(getattr(pictures, pane.kind), pane.projection, labels=self.known.full)
            for pane in panes
        }
        return replace(moment, places=moment.places | {place: Counter(lines) for place, lines in told.items()})

    def _answers(self) -> Iterator[Moment]:
        yield replace(self._picture("answer", self.view), told=self.known.preset)
        yield self._beside(self._on_screen(self._picture("answer as opened", self.opened)))
        for axis_view in AxisView:
            if axis_view is not AxisView.FOCUSED:
                yield self._beside(self._picture(f"axes as {axis_view.value}", replace(self.view, axis_view=axis_view)))
        for hover in (Subject("body", 0), Subject("body", 1), Subject("axis", 0)):
            pointed = self._picture(f"pointing at {hover.kind} {hover.number}", replace(self.view, hover=hover))
            yield self._beside(pointed)

    def _beside(self, moment: Moment) -> Moment:
        return replace(moment, after="answer" if self.known.full else "", told=self.known.full)

    def _probed(self) -> Iterator[Moment]:
        """The free axis, and the probes, which scenes of the plane have not."""
        if not self.known.preset:
            return
        winner = candidate_direction(self.analysis, self.analysis.sat.winner)
        axes = {"start": start_of_axis(self.analysis), "winner": winner, "turned": TURNED}
        for name, free in axes.items() if not self.flat else [("start", axes["start"])]:
            yield self._beside(self._picture(f"free axis, {name}", replace(self.view, free=free)))
        for name, probe in self.probes():
            yield self._beside(self._picture(f"probe, {name}", replace(self.view, probe=probe)))

    def probes(self) -> Iterator[tuple[str, object]]:
        """What is held against a pair of space, by name."""
        if self.flat or not self.known.preset:
            return
        if self.opened.probe is not None:
            yield "of the file", self.opened.probe
        yield "point", PointProbe(point_start(self.scene))
        yield "plane", plane_start(self.scene)
        x, y, z = self.scene.b.position
        camera = replace(self.opened.world, target=(x, y, z), distance=6.0 * self.size)
        for body, look in enumerate(RayLook):
            ray = RayProbe(camera, (330.0, 290.0), (640.0, 600.0), look, body % 2, step=body)
            yield f"ray, {look.value}", ray
        if self.known.name in SHOT_THROUGH:
            yield "ray through both", self._through_both(camera)
        if {type(body.shape).__name__ for body in (self.scene.a, self.scene.b)} == {"Ellipsoid", "HalfSpace"}:
            for share in (0.0, 0.5, 1.0):
                yield f"scaled by {share}", ScaleProbe(share)

    def _through_both(self, camera: Camera) -> RayProbe:
        """A ray along the line from A's position to B's, shot so that the article's shortcut is another one."""
        back = np.array(self.scene.a.position) - np.array(self.scene.b.position)
        x, y, z = (back / length(back)).tolist()
        along = replace(camera, yaw=atan2(x, z), pitch=asin(y), orthographic=True)
        return RayProbe(along, (322.0, 299.0), (640.0, 600.0))

    def _under_way(self) -> Iterator[Moment]:
        if self.sweep is None:
            return
        impact = self.sweep.result.time
        times = {"start": 0.0, "middle": 0.5 if impact is None else 0.5 * impact, "impact": None, "end": 1.0}
        for name, time in times.items():
            yield self._beside(self._picture(f"motion at its {name}", replace(self.view, motion=True, time=time)))
        pinned = replace(self.view, motion=True, time=0.3, pin=Subject("axis", self.analysis.sat.winner))
        yield self._beside(self._picture("motion with an axis pinned", pinned))

    def _stepped(self) -> Iterator[Moment]:
        for place, name in enumerate(self.steps):
            yield replace(self._picture(name, self.view, place), told=self.told(place))

    def _divided(self) -> Iterator[Moment]:
        for place, part in self.parts:
            yield replace(
                self._picture(f"{self.steps[place]}, {part.name}", self.view, place, part=part.name), told=False
            )

    @property
    def parts(self) -> Iterator[tuple[int, SubStep]]:
        """The sub-steps of every step, where they are told."""
        if self.known.name in DIVIDED:
            for place, moment in enumerate(self.query.moments):
                # Of SAT's rows, which are all alike, those of the first and the last.
                if moment.phase is not Phase.SAT or moment.index == 0 or moment.last:
                    for part in parts_of(self.query, moment):
                        yield place, part

    def told(self, place: int) -> bool:
        """Whether a step is told in full: nearly all in the full scenes, none in the others."""
        moment = self.query.moments[place]
        return self.known.full and (moment.last or moment.index < 40 or moment.index % 4 == 0)

    def _words_told(self, place: int) -> bool:
        """Whether a step's words are told in full: also those of the last of each phase in the presets."""
        return self.told(place) or (self.known.preset and self.query.moments[place].last)

    def _asked(self) -> Iterator[Moment]:
        for number, question in enumerate(self.questions):
            view = replace(self.view, axis_view=AxisView.FOCUSED, panes=Panes.BOTH)
            other = "answer" if question.place is None else self.steps[question.place]
            for name, prediction in self.predictions(number, question):
                asked = self.standing(prediction, question)
                picture = self._picture(f"question {number + 1} {name}", view, question.place, asked)
                told = self.known.full or (name == "open" and self.known.preset)
                told &= question.place is None or self.told(question.place)
                yield replace(picture, after=other if told else "", told=told)
                other = picture.name

    def predictions(self, number: int, question: QuizQuestion) -> Iterator[tuple[str, Prediction]]:
        """How far a question can come: open, a wrong answer tried, settled."""
        start = Prediction(number)
        yield "open", start
        if self.known.preset:
            wrong = next((answer for answer in question.candidates if answer not in question.right), None)
            tried = start if wrong is None else start.guessed(question, wrong)
            yield "tried", tried
            yield "settled", start.guessed(question, min(question.right))

    def standing(self, prediction: Prediction, question: QuizQuestion) -> CurrentQuestion:
        """The question as the program holds it."""
        later = frozenset(after.kind for after in self.questions[prediction.number + 1 :])
        return CurrentQuestion(question, prediction, len(self.questions), later)

    # What is said.

    def words(self) -> list[Moment]:
        """The words of `check`, of every step, and of every question."""
        return [
            Moment("check", {"words": Counter(_columns(_run("check", self._file)))}),
            *(
                self.shortened(Moment(name, {"words": Counter(self._step(place))}, told=self._words_told(place)))
                for place, name in enumerate(self.steps)
            ),
            *(self._part_words(place, part) for place, part in self.parts),
            *(self._question(number, question) for number, question in enumerate(self.questions)),
        ]

    def _part_words(self, place: int, part: SubStep) -> Moment:
        lines = [part.sentence, *(formula.plain for formula in part.formulas), f"line: {part.line}"]
        return Moment(f"{self.steps[place]}, {part.name}", {"words": Counter(lines)})

    @property
    def _file(self) -> str:
        return self.known.path.relative_to(ROOT).as_posix()

    def _step(self, place: int) -> Iterator[str]:
        moment = self.query.moments[place]
        text, stage = step_text(self.query, moment), stage_of(moment.phase)
        at = At[object](self.query, moment)
        lines, line = stage.listing_of(at).lines, stage.line(at.step)
        yield f"line {list(lines).index(line) + 1} of {len(lines)}: {lines[line].strip()}"
        yield from _step_lines(text, with_tex=self.known.full)
        # Which step it is stands in its name.
        yield from (f"on the timeline: {line}" for line in step_tooltip(self.query, place, self.marks).split("\n")[1:])

    def _question(self, number: int, question: QuizQuestion) -> Moment:
        lines = {
            "asks": question.text,
            "hint": question.hint,
            "how": question.how,
            "pane": question.pane,
            "right": ", ".join(sorted(question.candidates[answer] for answer in question.right)),
            "candidates": ", ".join(question.candidates.values()),
            "explains": question.explanation,
            "holds back": ", ".join(sorted(question.hidden_overlays)),
            "covers": ", ".join(sorted(question.hidden_panels)),
        }
        wrong = [answer for answer in question.candidates if answer not in question.right][:4]
        lines |= {f"of {question.candidates[answer]}": question.why_wrong(answer) for answer in wrong}
        told = Counter(f"{name}: {line}" for name, line in lines.items() if line)
        return self.shortened(Moment(f"question {number + 1}", {"words": told}, told=self.known.full))

    # Numbers.

    def numbers(self) -> list[Moment]:
        """What `check --json` prints, a line for each of its parts, with `--single` and `--articles`."""
        told = json.loads(_run("check", self._file, "--json", "--single", "--articles"))
        sat = told["sat"] if told["sat"] is not None else {}
        told["axes"] = sat.pop("axes", None)
        more = {"axes": ("axes",), "--single": ("single",), "--articles": ("articles",)}
        moments = [
            Moment(f"check --json, {option}", {"numbers": Counter(_number_lines({key: told.pop(key) for key in keys}))})
            for option, keys in more.items()
        ]
        answers = Moment("check --json", {"numbers": Counter(_number_lines(told))})
        return [answers, *(self.shortened(replace(moment, told=self.known.full)) for moment in moments)]


def _columns(text: str) -> list[str]:
    """Lines without the blanks that bring columns into line: a longer number elsewhere would change them all."""
    return [re.sub(r" {2,}", "  ", line) for line in text.splitlines()]


def _run(*words: str) -> str:
    with redirect_stdout(io.StringIO()) as printed:
        main(list(words))
    return printed.getvalue()


def _number_lines(told: object, name: str = "") -> Iterator[str]:
    """`sat.separation: -0.3`: a line for each part that is short; of a list of records the keys once, then values."""
    text = json.dumps(told, ensure_ascii=False)
    if isinstance(told, dict) and len(text) > 160:
        for key, value in told.items():
            yield from _number_lines(value, f"{name}.{key}" if name else key)
    elif isinstance(told, list) and len(text) > 160 and all(isinstance(value, dict) for value in told):
        for number, value in enumerate(told):
            if number == 0 or list(value) != list(told[number - 1]):
                yield f"{name}[{number}] has {', '.join(value)}"
            yield f"{name}[{number}]: " + _rounded(json.dumps(list(value.values()), ensure_ascii=False))
    else:
        yield f"{name}: {_rounded(text)}"


def _rounded(text: str) -> str:
    return OF_A_FLOAT.sub(lambda found: f"{float(found[0]):.{DIGITS}g}", text)


def _step_lines(text: StepText, *, with_tex: bool) -> Iterator[str]:
    yield f"title: {text.title}"
    yield f"known: {text.known}"
    yield f"decided: {text.decided}"
    yield f"why: {text.why}"
    for formula in text.formulas:
        yield f"formula: {formula.plain}"
        if with_tex:
            symbols, numbers, result = (*map(tex, formula.lines), "")[:3]
            yield f"TeX: {symbols}"
            yield f"TeX: {_in_plain(f'{tex(formula.name)} {numbers} {result}', formula.plain)}"
    if text.stop is not None:
        yield f"stop: {text.stop.name}, {'good' if text.stop.good else 'bad'}: {text.stop.meaning}"


_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def _in_plain(written: str, plain: str) -> str:
    """TeX with `#` for its numbers where they are those of the plain line: that has them already."""
    numbers = _DIGITS.findall(plain)
    return _DIGITS.sub(lambda found: "#" if found[0] in numbers else found[0], written)
