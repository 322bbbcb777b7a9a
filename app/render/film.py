"""Films: the steps, the motion, a turn of the camera or a recorded drag, picture by picture.

The cameras are the same for the whole film, except in a turn and for slides. A label that comes back prefers the place
that it had in an earlier picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import pi

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from core.query.query import Query
from core.scene import Scene
from core.trace import run

from ..draw.label_names import renamed
from ..draw.turnable import TurnablePane
from ..stages import parts_of
from ..stages.placed_steps import NoSuchStepError, PlacedStep, places_of
from ..state.export_options import MOST_ON_A_SHEET, STEP_SECONDS, ExportOptions
from ..state.named_steps import NamedSteps
from ..state.playback import impact_of
from ..state.purposes import PANES_BY_ROOM
from ..state.view import TRANSITION_SECONDS, TRIAD, WHOLE, Panes, Seen, Transition, View, near
from .captions import Captions, Legend
from .frame import FrameBuilder, title_strip
from .framing import framed_turning
from .label_flow import LabelFlow
from .legend import joined_legends, legend_of
from .panes_by_room import by_room
from .still import SUPERSAMPLING, Plan, Stills, fitted_view, pixels, planned, prepared
from .transition import LaidPane

MOST_IN_A_LEGEND = 60
"""Most pictures that all add to the legend that they share; of more only some do, evenly spread."""
SAMPLES = 9
"""Number of samples, besides the first and the last picture, for choices about a whole film, as of its cameras."""
IMPACT_SECONDS = END_SECONDS = 1.0
"""Seconds for which a film of the motion stands at the impact, and at its end, before it begins again."""
FIRST_ROUND = 48
"""About how many pictures of a turn are laid out before its first one, all round."""


class FilmPictures(Struct, frozen=True, eq=False):
    """The pictures of a film before they are drawn.

    `seen(k)`: the content of picture k, from 0; asked for in any order. `seconds`: how long each picture is shown.
    `read`: pictures with a name are shown for as long as the words below them take to read, where they have words.
    `names`: of the pictures as single files; "" for pictures between two steps, which are only in the film. `turning`:
    all pictures show one scene, and only the cameras turn, once round. `flows`: each picture follows closely on the one
    before, so that labels do not change their places at once. `outermost`: numbers of pictures in which a body is
    farthest out; the cameras have them in view besides the samples. `apart`: each picture has its own cameras and
    labels. `distance`: of the cameras from their targets, scene units; None: as far as brings all into view.
    """

    seen: Callable[[int], Seen]
    seconds: Sequence[float]
    names: Sequence[str]
    read: bool = False
    turning: bool = False
    flows: bool = False
    outermost: Sequence[int] = ()
    apart: bool = False
    distance: float | None = None

    @property
    def count(self) -> int:
        """Number of pictures."""
        return len(self.seconds)

    def only(self, numbers: Sequence[int]) -> FilmPictures:
        """Some of the pictures, by their numbers, as a film of their own."""
        return replace(
            self,
            seen=lambda number: self.seen(numbers[number]),
            seconds=[self.seconds[number] for number in numbers],
            names=[self.names[number] for number in numbers],
            outermost=[place for place, number in enumerate(numbers) if number in self.outermost],
        )

    def samples(self) -> list[int]:
        """Numbers of a few pictures spread evenly over the film, in order, with the first and the last."""
        return spread(range(self.count))


def spread(numbers: Sequence[int]) -> list[int]:
    """A few of the numbers, evenly spread, in order, with the first and the last."""
    last = len(numbers) - 1
    return [numbers[k] for k in sorted({round(k * last / (SAMPLES + 1)) for k in range(SAMPLES + 2)})]


def without_axes(source: FilmPictures, options: ExportOptions) -> FilmPictures:
    """The pictures without the world's axes, unless the options ask for these."""
    away = frozenset({TRIAD}) - options.show

    def seen(number: int) -> Seen:
        shot = source.seen(number)
        return replace(shot, view=replace(shot.view, shown=shot.view.shown - away))

    return replace(source, seen=seen)


def suited(source: FilmPictures, options: ExportOptions) -> FilmPictures:
    """The pictures for the options' purpose: with the panes that have room, and the world's axes only if asked for.

    The cameras have the options' distance, if one is given, also without a purpose.
    """
    if options.camera is not None and len(options.camera) > 2:
        source = replace(source, distance=options.camera[2])
    if options.purpose is None:
        return source
    source, look, panes = without_axes(source, options), FilmSize.of(options), None
    if options.panes in (None, PANES_BY_ROOM) and not source.apart:
        shots = [source.seen(number) for number in source.samples()]
        panes = by_room(shots, look.width, look.height / look.width)[0].view.panes

    def seen(number: int) -> Seen:
        shot = source.seen(number)
        return replace(shot, view=replace(shot.view, panes=panes or shot.view.panes))

    return replace(source, seen=seen)


class FilmSize(Struct, frozen=True):
    """The size of the pictures: points across and down, and pixels to the point; `legible`: as in PictureInput."""

    width: float
    height: float
    scale: float = 1.0
    legible: bool = False

    @staticmethod
    def of(options: ExportOptions) -> FilmSize:
        """The size of a film with these options: pixels by `--size`, points by the size of the letters."""
        (width, height), share = options.points, options.scale / options.density
        return FilmSize(share * width, share * height, options.density, options.purpose is not None)

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of a picture in pixels."""
        return pixels(self.width, self.height, self.scale)


class Shots:
    """Plans a source's pictures, without graphics.

    `captioned`: with the words of each picture below it. `legend`: with a legend, of each algorithm's steps or of each
    slide its own, else one of all pictures; it is at the right or below the words, where it leaves more room.
    """

    def __init__(self, source: FilmPictures, look: FilmSize, *, captioned: bool = False, legend: bool = False) -> None:
        self.source, self.look = source, look
        self._flow: LabelFlow | None = None
        self.rehearsal = self._rehearsed()
        """The work before the first plan, in small parts; `plans` does the parts that are left."""
        self._captions = Captions(look.width, look.height, look.scale, both=source.seen(0).view.panes is Panes.BOTH)
        self._legends: dict[object, Legend] = {}
        shown = [source.seen(number) for number in range(source.count)] if captioned else []
        self._look_through([self._captions], shown)
        if legend:
            self._legends = self._all_legends()
            self._look_through(self._captions.with_legends(list(self._legends.values())), shown)
        if captioned and source.read:
            times = zip(shown, source.names, source.seconds, strict=True)
            seconds = [self._captions.reading_seconds(seen) if name else short for seen, name, short in times]
            self.source = replace(source, seconds=seconds)

    def _look_through(self, captions: Sequence[Captions], shown: Sequence[Seen]) -> None:
        """Takes the captions that leave most room beside words about `shown`; sets the pictures' size and cameras."""
        with_words = [each.with_words(shown) if shown else each for each in captions]
        self._captions = max(with_words, key=lambda each: each.room)
        self._picture = replace(self.look, width=self._captions.picture[0], height=self._captions.picture[1])
        self._view = (
            None if self.source.apart else steady_view(self.source, self._picture, titled=not self._captions.named)
        )
        if self.source.distance is not None and self._view is not None:
            self._view = self._view.with_cameras(distance=self.source.distance)
        self._builder = self._new_builder()

    def _new_builder(self) -> FrameBuilder:
        return FrameBuilder(steady=not self.source.apart, turning=self.source.turning)

    def _builder_for_next(self) -> FrameBuilder:
        """The builder for the next picture: pictures apart have nothing of each other, so each has one of its own."""
        if self.source.apart:
            self._builder = self._new_builder()
        return self._builder

    def _legend_key(self, number: int) -> object:
        """The same for all pictures that share a legend: the number of a slide, else the algorithm shown, if any."""
        moment = None if self.source.apart else self.source.seen(number).moment
        return number if self.source.apart else None if moment is None else moment.phase

    def _all_legends(self) -> dict[object, Legend]:
        """The legends by `_legend_key`. Of more than MOST_IN_A_LEGEND pictures that share one only some add to it.

        The transitions between steps have no marks of their own.
        """
        sharing: dict[object, list[int]] = {}
        for number, name in enumerate(self.source.names):
            if name:
                sharing.setdefault(self._legend_key(number), []).append(number)
        legends = {}
        for key, numbered in sharing.items():
            found = []
            for number in numbered if len(numbered) <= MOST_IN_A_LEGEND else spread(numbered):
                self._plan(number, self._builder_for_next()).lay_out(1)
                found.append(self.legend(number))
            legends[key] = joined_legends(found)
        return legends

    def legend(self, number: int, fineness: int = 1) -> Legend:
        """The legend of this picture, which must be the last one laid out; `fineness`: as it was laid out."""
        entries = legend_of(self.seen(number), self._builder.placed, fineness * self.look.scale)
        renames = self.source.seen(number).view.renames
        # A line about one point's name would be about a name that most pictures do not have.
        return tuple(replace(entry, name=renamed(entry.name, renames)) for entry in entries if entry.symbols)

    def seen(self, number: int) -> Seen:
        """The content of a picture, with the film's cameras unless its own cameras were set by hand."""
        seen, steady = prepared(self.source.seen(number)), self._view
        if steady is None or not seen.view.fitted:
            return seen
        turned = steady.turned(seen.view.world.yaw, seen.view.world.pitch)
        view = replace(seen.view, world=turned.world, difference=turned.difference, fitted=False)
        return replace(seen, view=view)

    def plans(self) -> Iterator[Plan]:
        """Yields the plans in order, made on demand; each must be laid out before the next is asked for."""
        for _ in self.rehearsal:
            pass
        for number in range(self.source.count):
            builder = self._builder_for_next()
            builder.written = None if self._flow is None else self._flow.at(number)
            yield self._plan(number, builder)

    def _rehearsed(self) -> Iterator[None]:
        """Lays out the pictures of a film that flows before they are drawn, one for each item that is asked for.

        Before a turn some pictures all round are laid out, so that labels begin nearly where they end.
        """
        source = self.source
        half_change = round(0.5 * TRANSITION_SECONDS / min(source.seconds)) if source.flows else 0
        if half_change == 0:
            return
        flow = LabelFlow(source.count, half_change, closed=source.turning)
        for number in range(0, source.count, max(1, source.count // FIRST_ROUND)) if source.turning else ():
            self._plan(number, self._builder).lay_out(SUPERSAMPLING)
            yield
        for number in range(source.count):
            self._plan(number, self._builder).lay_out(SUPERSAMPLING)
            flow.add(self._builder.laid)
            yield
        self._flow = flow

    @property
    def laid(self) -> list[LaidPane]:
        """The panes of the picture that was laid out last, before their insets are drawn into them."""
        return self._builder.laid

    def turnable(self) -> list[TurnablePane]:
        """The panes of the picture that was laid out last."""
        return self._builder.turnable()

    def _plan(self, number: int, builder: FrameBuilder) -> Plan:
        look, seen, words = self._picture, self.seen(number), self._captions
        titled = not words.named
        plan = planned(seen, look.width, look.height, look.scale, builder=builder, titled=titled, legible=look.legible)
        plan = replace(plan, background=(seen.theme.plain_ground,) * 2)
        if plan.size == self.look.pixels:
            return plan
        return words.around(plan, seen, self._legends.get(self._legend_key(number), ()))


class Film(Shots):
    """Draws a source's pictures with `stills`, which the caller releases."""

    def __init__(
        self,
        stills: Stills,
        source: FilmPictures,
        look: FilmSize,
        *,
        captioned: bool = False,
        legend: bool = False,
    ) -> None:
        super().__init__(source, look, captioned=captioned, legend=legend)
        self._stills = stills

    def pictures(self) -> Iterator[Image.Image]:
        """Yields all pictures in order, RGB, drawn on demand."""
        return (self._drawn(plan) for plan in self.plans())

    def samples(self) -> Iterator[Image.Image]:
        """Yields the samples, drawn without effect on the labels of the film's pictures."""
        builder, apart = self._new_builder(), self.source.apart
        return (
            self._drawn(self._plan(number, self._new_builder() if apart else builder))
            for number in self.source.samples()
        )

    def _drawn(self, plan: Plan) -> Image.Image:
        return run(self._stills.expose(plan)).convert("RGB")


def steady_view(source: FilmPictures, look: FilmSize, *, titled: bool = False) -> View | None:
    """The view whose cameras have all pictures in view; None if all pictures have cameras that were set by hand.

    `titled`: in view above the panes' names.
    """
    chosen = [prepared(source.seen(number)) for number in sorted({*source.samples(), *source.outermost})]
    fitting = [seen for seen in chosen if seen.view.fitted]
    if not fitting:
        return None
    if source.turning:
        title = title_strip(fitting[0].view, look.scale) if titled else 0.0
        return framed_turning(fitting[0], look.pixels, [seen.view.world.yaw for seen in fitting], title)
    # Each step is kept in view as a whole; sub-steps of one phase are framed alike, so that one of them is enough.
    apart = {
        (id(seen.analysis), seen.view.time, seen.view.shown, seen.view.panes, *_framed_apart(seen)): seen
        for seen in fitting
    }
    first, *others = apart.values()
    return fitted_view(first, look.pixels, look.scale, others, titled=titled)


def _framed_apart(seen: Seen) -> tuple[object, ...]:
    """The key of stills that are framed alike: a whole step's place, a sub-step's phase, () for the answer."""
    if seen.moment is None:
        return ()
    return (seen.place,) if seen.part == WHOLE else (seen.moment.phase,)


def of_steps(
    without_step: Seen,
    asked: Query,
    steps: Sequence[PlacedStep],
    seconds: float | None,
    *,
    slow: bool = False,
    fps: float | None = None,
) -> FilmPictures:
    """Steps one after another, by their places in the query; -1 is `without_step`, the picture of the answer.

    `seconds`: how long each stands; None: as long as its words take to read. `slow`: with their sub-steps. `fps`:
    pictures a second of the transition between two neighbouring steps; None for steps without transitions.
    """
    shown, long = [], STEP_SECONDS if seconds is None else seconds
    for place, only in steps:
        if place < 0:
            shown.append(("0", without_step))
            continue
        moment = asked.moments[place]
        parts = [part.name for part in parts_of(asked, moment)] if slow and only == WHOLE else []
        for index, part in enumerate((*parts, only), start=1):
            number = f"{place + 1:0{len(str(len(asked.moments)))}}" + (f"-{index:02}" if parts else "")
            name = f"{number}-{moment.phase.name.lower()}-{moment.index + 1}"
            named = name if part == WHOLE else f"{name}-{part.replace(' ', '-')}"
            shown.append((named, replace(without_step, query=asked, place=place, part=part)))
    pictures = (
        [(name, seen, long) for name, seen in shown] if fps is None else list(_with_transitions(shown, long, fps))
    )
    of_each = {_framed_apart(seen): k for k, (_, seen, _) in enumerate(pictures)}
    return FilmPictures(
        lambda k: pictures[k][1],
        [each[2] for each in pictures],
        [each[0] for each in pictures],
        read=seconds is None,
        outermost=sorted(of_each.values()),
    )


def _with_transitions(
    shown: Sequence[tuple[str, Seen]], seconds: float, fps: float
) -> Iterator[tuple[str, Seen, float]]:
    """Yields names, contents and seconds of the pictures of steps, each after the pictures of the transition to it."""
    count = round(TRANSITION_SECONDS * fps)
    for number, (name, seen) in enumerate(shown):
        left = shown[number - 1][1] if number else seen
        if left is not seen and left.query is not None and left.query is seen.query and near(left.place, seen.place):
            for k in range(1, count):
                yield "", replace(seen, transition=Transition(left.place, left.part, k / count)), 1.0 / fps
        yield name, seen, seconds


def of_motion(seen: Seen, count: int, fps: float) -> FilmPictures:
    """The bodies' motion at `count` times, evenly from 0 to 1, in `fps` pictures a second.

    One of the times between the first and the last is that of the impact, if there is one between these, instead of the
    time nearest to it. The picture of the impact stands for IMPACT_SECONDS, the last one for END_SECONDS.
    """
    times, seconds = [k / max(1, count - 1) for k in range(count)], [1.0 / fps] * count
    impact = impact_of(prepared(seen).sweep)
    if impact is not None and 0.0 < impact < 1.0 and count > 2:
        times[min(max(round(impact * (count - 1)), 1), count - 2)] = impact
    if impact in times:
        seconds[times.index(impact)] = max(IMPACT_SECONDS, 1.0 / fps)
    seconds[-1] = max(END_SECONDS, 1.0 / fps)

    def at(number: int) -> Seen:
        return replace(seen, view=replace(seen.view, time=times[number]), filmed=True)

    return FilmPictures(at, seconds, padded_numbers(count), flows=True)


def of_turn(seen: Seen, count: int, fps: float) -> FilmPictures:
    """One turn of the camera in `count` pictures, `fps` a second; no last picture repeats the first."""
    world = seen.view.world

    def side(number: int) -> Seen:
        yaw = (world.yaw + 2.0 * pi * number / count + pi) % (2.0 * pi) - pi
        return replace(seen, view=replace(seen.view.turned(yaw, world.pitch), fitted=True))

    return FilmPictures(side, [1.0 / fps] * count, padded_numbers(count), turning=True, flows=True)


def of_slides(count: int, seen: Callable[[int], Seen], seconds: float) -> FilmPictures:
    """A deck's slides one after another, each shown for `seconds`; `seen(k)`: the content of slide k."""
    return FilmPictures(seen, [seconds] * count, padded_numbers(count), apart=True)


def of_scenes(scenes: Sequence[Scene], seen: Callable[[int], Seen], seconds: float) -> FilmPictures:
    """Scenes one after another, each shown for `seconds`; `seen(k)`: the content of picture k."""
    places = np.array([scene.a.position + scene.b.position for scene in scenes])
    outermost = {*places.argmin(axis=0).tolist(), *places.argmax(axis=0).tolist()}
    return FilmPictures(
        seen, [seconds] * len(scenes), padded_numbers(len(scenes)), flows=True, outermost=sorted(outermost)
    )


def padded_numbers(count: int) -> list[str]:
    """`1` to `count`, all of the same length, as `01` of 10: names of pictures without names of their own."""
    return [f"{number:0{len(str(count))}}" for number in range(1, count + 1)]


def on_a_sheet(without_step: Seen, asked: Query, steps: tuple[NamedSteps, ...]) -> list[Seen]:
    """The contents of a sheet's pictures of these steps; `without_step`: the picture of the answer.

    Raises NoSuchStepError if the query lacks one, or if there are more than MOST_ON_A_SHEET.
    """
    places = places_of(steps, asked)
    if len(places) > MOST_ON_A_SHEET:
        raise NoSuchStepError(f"has {len(places)} steps of these; a sheet holds {MOST_ON_A_SHEET}")
    with_steps = replace(without_step, query=asked)
    return [without_step if place < 0 else replace(with_steps, place=place, part=part) for place, part in places]
