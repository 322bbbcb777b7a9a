"""Makes films in the window, of the steps, the motion, a turn, or a recording of the shown states.

The thread that owns the GL context draws one picture a frame, so that the window stays responsive; another thread
encodes them. A recording keeps scenes, cameras and steps instead of pictures, so that recording costs almost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from core.analysis.algorithm_settings import AlgorithmSettings
from core.analysis.analysis import analyse
from core.query.query import MOTION_PHASES, Phase, query
from core.scene import Scene
from core.toi.motion import moves

from ..draw.theme import Theme
from ..io.scene_file import SceneError, load_view, text_of
from ..render import Context
from ..state.export_options import TURN_SECONDS, ExportOptions
from ..state.export_shown import FilmShown, FilmSource
from ..state.named_steps import ALL, read_steps
from ..state.playback import Playback, place_of
from ..state.prediction import CurrentQuestion
from ..state.view import Seen, Transition, View
from ..storage.files import reason_of, write_atomic, write_numbered
from .background import Job
from .cameras import Cameras
from .pictures import beside, too_large
from .services import Services

if TYPE_CHECKING:
    from PIL.Image import Image

    from ..export.film_file import Recipe
    from ..render.film import Film, FilmPictures

FPS = 25.0
"""The most pictures a second of a recording."""
FILM_SECONDS = 3.0
"""The duration of a motion, in seconds."""
LONGEST_RECORDING = 300.0
"""Seconds after which a recording ends by itself."""


class Glimpse(Struct, frozen=True, eq=False):
    """The state shown at the time `when` (seconds), without the answers, which are computed again.

    `step`: the phase, the step's index in it and the part; None while no step is shown. `asked`: the question posed, if
    any; `veil`: the overlays that a lesson hides.
    """

    when: float
    scene: Scene
    view: View
    algorithm_settings: AlgorithmSettings
    asked: CurrentQuestion | None
    veil: frozenset[str]
    step: tuple[Phase, int, str] | None
    transition: Transition | None = None

    def like(self, other: Glimpse) -> bool:
        """Whether both would be the same picture."""
        mine, others = (
            (
                id(each.scene),
                replace(each.view, hover=None),
                each.algorithm_settings,
                id(each.asked),
                each.veil,
                each.step,
                each.transition,
            )
            for each in (self, other)
        )
        return mine == others

    def seen(self, theme: Theme) -> Seen:
        """The full record of this state, with the same cameras; computes the answers."""
        analysis = analyse(self.scene)
        seen = Seen(self.scene, analysis, replace(self.view, fitted=False), theme, asked=self.asked, veil=self.veil)
        if self.step is None:
            return seen
        phase, index, part = self.step
        asked = query(analysis, self.algorithm_settings)
        if phase in MOTION_PHASES:
            from core.analysis.motion_answers import sweep
            from core.query.motion_steps import with_motion

            asked = with_motion(asked, sweep(self.scene))
        place = place_of(Playback(phase=phase, index=index), asked)
        return replace(seen, query=asked, place=place, part=part, transition=self.transition)


class _GaveUpError(Exception):
    """The film was given up."""


class _Handed:
    """The iterator of pictures in the encoding thread: asks for each picture, and waits until it is drawn."""

    def __init__(self, kind: str, wanted: SimpleQueue[str], given: SimpleQueue[Image | Exception | None]) -> None:
        self._kind, self._wanted, self._given = kind, wanted, given

    def __iter__(self) -> Iterator[Image]:
        return self

    def __next__(self) -> Image:
        self._wanted.put(self._kind)
        picture = self._given.get()
        if picture is None:
            raise StopIteration
        if isinstance(picture, Exception):
            raise picture
        return picture


class _Making:
    """A film in the making."""

    def __init__(self, film: Film, recipe: Recipe, ending: str, keep: Callable[[bytes], Path]) -> None:
        """`keep`: writes the file and returns its path."""
        self.count, self.drawn = film.source.count, 0
        self._rehearsal = film.rehearsal
        self._pictures = {"sample": film.samples(), "picture": film.pictures()}
        self._wanted: SimpleQueue[str] = SimpleQueue()
        self._given: SimpleQueue[Image | Exception | None] = SimpleQueue()
        self._ending, self._keep = ending, keep
        self.job = Job(recipe, self._write, niceness=0)

    def _write(self, recipe: Recipe) -> tuple[str, bool]:
        """Encodes the film and keeps the file; returns a message, and whether it is an error."""
        from ..export.ffmpeg import FilmError
        from ..export.film_file import film_bytes

        samples, pictures = (_Handed(kind, self._wanted, self._given) for kind in ("sample", "picture"))
        try:
            data = film_bytes(self._ending, pictures, samples, recipe)
            return f"Film written: {self._keep(data)} ({len(data) / 1e6:.1f} MB)", False
        except _GaveUpError:
            return "No film was made.", False
        except MemoryError as error:
            return too_large(error, "film"), True
        except FilmError as error:
            return f"No film was made: {error}", True
        except OSError as error:
            return f"The film could not be written: {reason_of(error)}", True

    def draw(self) -> None:
        """Does a part of what comes before the pictures; then draws one if the encoding thread waits for it."""
        if next(self._rehearsal, self) is None:
            return
        try:
            kind = self._wanted.get(timeout=0.01)
        except Empty:
            return
        self._given.put(next(self._pictures[kind], None))
        self.drawn += kind == "picture"

    def give_up(self) -> None:
        """Gives the film up; its thread ends when it asks for the next picture."""
        self._given.put(_GaveUpError())


class Films:
    """Makes one recording and one film at a time."""

    def __init__(self, context: Context, services: Services, cameras: Cameras) -> None:
        self._context, self._cameras = context, cameras
        self._work, self._preferences, self._notices = services.work, services.preferences, services.notices
        self._answers, self._motion = services.answers, services.motion
        self._recorded: list[Glimpse] = []
        self._recording = False
        self._ended = 0.0
        self._making: _Making | None = None
        self._given_up = False

    @property
    def shown(self) -> FilmShown | None:
        """The state for the panels; None without a film or a recording."""
        if self._making is not None:
            return FilmShown(drawn=self._making.drawn, count=self._making.count)
        if self._recording:
            return FilmShown(recorded=perf_counter() - self._recorded[0].when, pictures=len(self._recorded))
        return None

    @property
    def sources(self) -> tuple[FilmSource, ...]:
        """The sources from which a film can be made now."""
        scene, view = self._work.scene, self._work.view
        found = [FilmSource.STEPS]
        found += [FilmSource.MOTION] if view.shows_motion(scene) and (moves(scene.a) or moves(scene.b)) else []
        found += [FilmSource.TURN] if view.facing(scene) is view else []
        found += [FilmSource.RECORDING] if len(self._recorded) > 1 and not self._recording else []
        return tuple(found)

    @property
    def making(self) -> bool:
        """Whether a film is being made."""
        return self._making is not None

    @property
    def recording(self) -> bool:
        """Whether a recording runs."""
        return self._recording

    @property
    def next_in(self) -> float | None:
        """Seconds until the next frame is due; None without a film or a recording."""
        return 0.0 if self.making else 0.25 if self._recording else None

    def record(self) -> bool:
        """Starts or ends a recording; returns whether it is ready for a film. One in which nothing moved is not."""
        if not self._recording:
            self._recorded = [self._glimpse()]
            self._recording = True
            return False
        self._recording, self._ended = False, perf_counter()
        if len(self._recorded) < 2:
            self._notices.notify("Nothing has moved while recording: there is nothing to make a film of.")
            return False
        return True

    def look(self) -> bool:
        """Records this frame while a recording runs; returns whether the recording is longer than LONGEST_RECORDING."""
        if not self._recording:
            return False
        now, last = self._glimpse(), self._recorded[-1]
        if not now.like(last):
            if len(self._recorded) > 1 and now.when - last.when < 1.0 / FPS:
                self._recorded[-1] = replace(now, when=last.when)
            else:
                self._recorded.append(now)
        return now.when - self._recorded[0].when > LONGEST_RECORDING

    def _glimpse(self) -> Glimpse:
        seen = self._cameras.seen
        moment = seen.moment
        step = None if moment is None else (moment.phase, moment.index, seen.part)
        return Glimpse(
            when=perf_counter(),
            scene=seen.scene,
            view=seen.view,
            algorithm_settings=self._work.algorithm_settings,
            asked=seen.asked,
            veil=seen.veil,
            step=step,
            transition=seen.transition,
        )

    def make(self, source: FilmSource, ending: str, path: Path | None, options: ExportOptions) -> None:
        """Starts a film, which is made over many frames; refuses with a notice, as while another film is made.

        `path`: None for a numbered file beside the document's. `ending`: of the file, one of film_file.FORMATS.
        """
        from ..export.film_file import Recipe
        from ..render.borne_names import NoSuchLabelError, governed_pictures
        from ..render.film import Film, FilmSize, suited
        from ..render.still import Stills
        from ..stages.placed_steps import NoSuchStepError

        if self._making is not None:
            self._notices.notify("One film at a time: another one is being made.")
            return
        settings = self._preferences.settings
        options = options.suited(ending)
        theme = options.themed(settings.theme, settings.palette)
        try:
            shown = governed_pictures(suited(self._source(source, options, theme), options), options)
        except (SceneError, OSError) as error:
            self._notices.notify(f"No film was made. {error}", error=True)
            return
        except ValueError as error:
            which = "scene" if isinstance(error, NoSuchStepError | NoSuchLabelError) else "steps"
            self._notices.notify(f"No film was made. The {which} {error}", error=True)
            return
        look = FilmSize.of(options)
        self._stills = Stills(self._context)
        captioned = source is FilmSource.STEPS and not options.no_captions
        film = Film(self._stills, shown, look, captioned=captioned, legend=options.legend)
        self._given_up = False
        unnamed = beside(self._work.document, ending)

        def keep(data: bytes) -> Path:
            if path is None:
                return write_numbered(unnamed, data)
            write_atomic(path, data)
            return path

        recipe = Recipe(
            size=look.pixels,
            seconds=film.source.seconds,
            theme=theme,
            loop=options.loop,
            fps=options.fps,
            quality=options.quality,
            scene=text_of(film.seen(0)),
        )
        self._making = _Making(film, recipe, ending, keep)

    def _source(self, source: FilmSource, options: ExportOptions, theme: Theme) -> FilmPictures:
        """The source of the film's pictures.

        Raises ValueError for malformed steps, NoSuchStepError for steps that the scene lacks, and SceneError for a file
        of the option `view` without a view.
        """
        from ..render.film import FilmPictures, of_motion, of_steps, of_turn, padded_numbers
        from ..stages.placed_steps import places_of, query_with

        other = load_view(options.view) if options.view else None
        if source is FilmSource.RECORDING:
            recorded, ends = self._recorded, [each.when for each in self._recorded[1:]] + [self._ended]
            seconds = [end - each.when for each, end in zip(recorded, ends, strict=True)]

            def was_seen(number: int) -> Seen:
                seen = recorded[number].seen(theme)
                return replace(seen, view=options.looked_at(seen.view, other))

            return FilmPictures(was_seen, seconds, padded_numbers(len(recorded)))
        whole = {"analysis": self._answers.whole_analysis, "sweep": self._motion.whole_sweep}
        seen = replace(self._cameras.seen, theme=theme, **whole)
        seen = replace(seen, view=options.looked_at(seen.view, other))
        if source is FilmSource.TURN:
            return of_turn(replace(seen, transition=None), round(TURN_SECONDS * options.fps), options.fps)
        without_step = replace(seen, query=None, place=0, asked=None, veil=frozenset(), transition=None)
        if source is FilmSource.MOTION:
            return of_motion(without_step, round(FILM_SECONDS * options.fps) + 1, options.fps)
        steps, motion = read_steps(options.steps or ALL), seen.sweep is not None and seen.view.shows_motion(seen.scene)
        asked = query_with(steps, without_step.analysis, self._work.algorithm_settings, seen.sweep, motion=motion)
        fps = options.fps if self._preferences.settings.animations and not options.cut else None
        places, long = places_of(steps, asked), options.seconds_per_step
        return of_steps(without_step, asked, places, long, slow=options.slow, fps=fps)

    def work(self) -> bool:
        """Continues a film, and shows its outcome as a notice once it is done; called once a frame.

        Returns whether a film was in the making. Raises an unexpected error of the encoding thread.
        """
        making = self._making
        if making is None:
            return False
        try:
            if not self._given_up:
                making.draw()
        except MemoryError as error:
            self._notices.notify(too_large(error, "film"), error=True)
            self.cancel()
        if making.job.done:
            self._making = None
            self._stills.release()
            message, failed = making.job.outcome()
            self._notices.notify(message, error=failed)
        return True

    def cancel(self) -> None:
        """Gives up the film that is being made, if any."""
        if self._making is not None and not self._given_up:
            self._given_up = True
            self._making.give_up()

    def drop(self) -> None:
        """Gives up the film, and ends a recording without a film."""
        self._recording = False
        self.cancel()
