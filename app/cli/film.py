"""`separatrix film`: makes films of a scene's steps, of its motion, of a turn round it, or of a log's scenes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache, lru_cache
from pathlib import Path

from msgspec.structs import replace
from PIL import Image

from core.toi.motion import moves

from ..export.ffmpeg import FilmError
from ..export.film_file import Recipe, write_film
from ..forms.files import load_pair
from ..io.scene_file import Loaded, SceneError, load_view, text_of
from ..io.scene_log import SceneLog, is_log
from ..overlays.registry import UNAVAILABLE
from ..render import GraphicsUnavailable
from ..render.borne_names import NoSuchLabelError, governed_pictures
from ..render.film import (
    Film,
    FilmPictures,
    FilmSize,
    of_motion,
    of_scenes,
    of_slides,
    of_steps,
    of_turn,
    suited,
)
from ..render.still import Stills
from ..stages.placed_steps import NoSuchStepError, places_of
from ..state.export_options import (
    GAUSS,
    GAUSS_LARGE,
    MOST_PICTURES,
    SLIDE_SECONDS,
    TURN_SECONDS,
    ExportOptions,
)
from ..state.named_steps import ALL, read_steps
from ..state.view import View
from ..storage.files import png_bytes, reason_of, write_atomic
from .faults import FaultGuard
from .picture import NO_GAUSS_MAP, check_place, refused, seen_of, steps_query
from .progress_bar import status_line


def make_films(targets: Sequence[tuple[str, Path | None]], options: ExportOptions) -> int:
    """Makes the film of each scene or log; returns the exit status.

    A target is a scene or log and the film's file, None if only single pictures are wanted. Single pictures are written
    to the folder `options.frames`. A film is written whole or not at all.
    """
    status = 0
    with ExitStack() as means:
        stills = cache(lambda: means.enter_context(Stills()))

        options = options.suited(".gif")

        def make(scene: str, out: Path | None) -> None:
            with ExitStack() as files:
                source = source_of(scene, options, files)
                check_distance(source, options, scene)
                source = governed_pictures(suited(source, options), options)
                if out is not None:
                    check_place(out)
                captioned = bool(options.steps) and not options.no_captions
                film = Film(stills(), source, FilmSize.of(options), captioned=captioned, legend=options.legend)
                _write(film, scene, out, options)

        for scene, out in targets:
            where = out or options.frames
            with FaultGuard(scene) as attempt:
                try:
                    make(scene, out)
                except (SceneError, NoSuchStepError, NoSuchLabelError) as error:
                    status = refused(str(error) if isinstance(error, SceneError) else f"{scene}: {error}")
                except GraphicsUnavailable as error:
                    return refused(f"No film was made. {error}")
                except FilmError as error:
                    status = refused(f"{where}: {error}")
                except MemoryError as error:
                    why = str(error) or "there is not enough memory for a film of that size"
                    status = refused(f"{where}: {why}")
                except OSError as error:
                    status = refused(f"{where}: {reason_of(error)}")
            if attempt.fault:
                status = refused(attempt.fault)
    return status


def _write(film: Film, scene: str, out: Path | None, options: ExportOptions) -> None:
    pictures = film.pictures()
    if options.frames:
        folder = Path(options.frames)
        folder.mkdir(exist_ok=True)
        pictures = _kept(film, pictures, folder, Path(scene).stem)
    pictures = _told(pictures, film.source.count, out or Path(options.frames))
    if out is None:
        for _ in pictures:
            pass
        return
    kept = options.loop, options.fps, options.quality
    recipe = Recipe(film.look.pixels, film.source.seconds, options.themed(), *kept, scene=text_of(film.seen(0)))
    write_film(out, pictures, film.samples(), recipe)


def _kept(film: Film, pictures: Iterator[Image.Image], folder: Path, stem: str) -> Iterator[Image.Image]:
    """Yields the pictures; first writes each one that has a name to its own file in `folder`, with its scene inside."""
    for number, picture in enumerate(pictures):
        if not film.source.names[number]:
            yield picture
            continue
        data = png_bytes(picture, text_of(film.seen(number)))
        write_atomic(folder / f"{stem}-{film.source.names[number]}.png", data)
        yield picture


def _told(pictures: Iterator[Image.Image], count: int, out: Path | None) -> Iterator[Image.Image]:
    """Yields the pictures; a line on a terminal counts them."""
    with status_line() as say:
        for number, picture in enumerate(pictures, start=1):
            say(f"{out}: picture {number} of {count}")
            yield picture


def source_of(scene: str, options: ExportOptions, files: ExitStack) -> FilmPictures:
    """The source of the film's pictures; `files` closes the log it reads.

    Remarks on a scene are printed on standard error. Raises SceneError for a file without a scene and for options that
    do not suit the scene, and NoSuchStepError for steps that it lacks.
    """
    if is_log(scene):
        return _log(scene, options, files)
    loaded, theme = load_pair(scene, options.form), options.themed()
    for remark in loaded.remarks:
        print(f"{scene}: {remark}", file=sys.stderr)
    if options.panes == GAUSS and GAUSS_LARGE in UNAVAILABLE[loaded.scene.dimension]:
        raise SceneError("", NO_GAUSS_MAP, scene)
    loaded = looked_at(loaded, options)
    if options.steps:
        return steps_source(loaded, options, transitions=not options.cut)
    if options.turn is not None:
        seen, _ = seen_of(loaded, theme, options.step)
        if seen.view.facing(loaded.scene) is not seen.view:
            raise SceneError("", "is a scene of the plane, which is looked at straight on: no --turn", scene)
        return of_turn(seen, options.turn or round(TURN_SECONDS * options.fps), options.fps)
    assert options.times is not None
    if not (moves(loaded.scene.a) or moves(loaded.scene.b)):
        raise SceneError("", "has no motion for --times", scene)
    view = replace(loaded.view or View(), motion=True)
    return of_motion(seen_of(replace(loaded, view=view), theme, "0")[0], options.times, options.fps)


def looked_at(loaded: Loaded, options: ExportOptions) -> Loaded:
    """The scene with the options' cameras, panes and overlays.

    Raises SceneError for a camera in a scene of the plane, and for a file of `--view` without a view. A scene of the
    plane has no Gauss map and keeps its own panes.
    """
    view = loaded.view or View()
    if options.panes == GAUSS and GAUSS_LARGE in UNAVAILABLE[loaded.scene.dimension]:
        options = options.having(panes=None)
    if options.camera is not None and view.facing(loaded.scene) is not view:
        raise SceneError("", "is a scene of the plane, which is looked at straight on: no --camera", loaded.scene.name)
    if not LOOK_OPTIONS & options.given().keys():
        return loaded
    return replace(loaded, view=options.looked_at(view, _view_of(options.view)))


def check_distance(source: FilmPictures, options: ExportOptions, file: str) -> None:
    """Raises SceneError where slides, each with its own cameras, are to be seen from one distance.

    `file`: the name in the error.
    """
    if source.apart and options.camera is not None and len(options.camera) > 2:
        raise SceneError("", "has pictures of different pairs: --camera turns them, and takes no distance", file)


LOOK_OPTIONS = {"panes", "camera", "view", "show", "hide", "hatch"}
"""Options of the look of a picture's contents."""


@lru_cache(maxsize=1)
def _view_of(file: str) -> View | None:
    return load_view(file) if file else None


def _log(file: str, options: ExportOptions, files: ExitStack) -> FilmPictures:
    log, theme = SceneLog(file), options.themed()
    files.callback(log.close)
    if len(log) == 0:
        raise SceneError("", "holds no scene", file)
    if len(log) > MOST_PICTURES:
        raise SceneError("", f"holds {len(log)} scenes; a film shows at most {MOST_PICTURES}", file)
    if log.deck is not None:
        seconds = options.seconds_per_step or SLIDE_SECONDS
        return of_slides(len(log), lambda k: seen_of(looked_at(log.scene(k), options), theme)[0], seconds)
    seconds = options.seconds_per_step or 1.0 / options.fps
    scenes = [log.scene(k).scene for k in range(len(log))]
    return of_scenes(scenes, lambda k: seen_of(looked_at(log.scene(k), options), theme)[0], seconds)


def steps_source(loaded: Loaded, options: ExportOptions, *, transitions: bool = False) -> FilmPictures:
    """The source of the steps that `options.steps` names, or of all steps; `transitions`: with those between them.

    Raises NoSuchStepError if the scene has no such step.
    """
    without_step, _ = seen_of(loaded, options.themed(), "0")
    steps = read_steps(options.steps or ALL)
    asked = steps_query(without_step, steps)
    seconds, fps = options.seconds_per_step, options.fps if transitions else None
    return of_steps(without_step, asked, places_of(steps, asked), seconds, slow=options.slow, fps=fps)
