"""`separatrix render` into a film: of a scene's steps, its motion or a turn round it, or of a log's scenes."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import IO

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from core.query.query import Query, query

from ..draw.theme import Theme
from ..export.ffmpeg import FilmError
from ..export.film_file import FORMATS, GIF_FPS, Recipe, write_film
from ..io.scene_file import Loaded, SceneError, load, text_of
from ..io.scene_log import SceneLog, is_log
from ..render import GraphicsUnavailable
from ..render.film import (
    ALL,
    Film,
    Look,
    NoSuchStepError,
    Source,
    Steps,
    of_motion,
    of_scenes,
    of_slides,
    of_steps,
    of_turn,
    places_of,
    read_steps,
)
from ..render.still import Stills
from ..state.playback import moves
from ..state.view import Seen, View
from ..storage.files import png_bytes, reason_of, write_atomic
from .faults import Attempt
from .picture import check_place, refused, seen_of, with_its_motion

TURN = 100
"""Pictures of a turn: 4 seconds, at 3.6° each."""
MOST = 10_000
LONGEST = 60.0
"""Pictures of a film, and seconds of a step, at the most."""
STEP_SECONDS = 1.5
SLIDE_SECONDS = 6.0
FPS = 25.0


class FilmOptions(Struct, frozen=True):
    """What is asked for on the command line; None where it is not.

    `steps`: ALL, a phase, or the first and the last. `slow`: with sub-steps. `frames`: the folder for single pictures.
    """

    steps: Steps | None
    slow: bool
    times: int | None
    turn: int | None
    step_seconds: float | None
    fps: float | None
    loop: int | None
    quality: int | None
    frames: Path | None

    @classmethod
    def of_steps(cls, steps: Steps | None) -> FilmOptions:
        """Nothing but these steps."""
        return cls(steps, False, *(None,) * 7)

    @property
    def asked(self) -> bool:
        """Whether any of them is there."""
        return self != FilmOptions.of_steps(None)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of a film, in a group of their own."""
    group = parser.add_argument_group("film", "for .gif, .webp, .apng, .avif, .mp4, or single pictures")
    group.add_argument(
        "--steps", nargs="?", const=ALL, type=_steps, metavar="FIRST-LAST|PHASE|N,N,...", help="its steps, all"
    )
    group.add_argument("--slow", action="store_true", help="with sub-steps, one by one")
    group.add_argument("--times", type=_count(2), metavar="N", help="its motion, at N times")
    group.add_argument("--turn", nargs="?", const=TURN, type=_count(2), metavar="N", help=f"a turn, {TURN} pictures")
    group.add_argument("--seconds-per-step", type=_seconds, metavar="S", help=f"how long a step stands, {STEP_SECONDS}")
    group.add_argument("--fps", type=_fps, metavar="N", help=f"pictures a second otherwise, {FPS:g}")
    group.add_argument("--loop", type=_count(0), metavar="N", help="how often it plays, 0 for ever")
    group.add_argument("--quality", type=_quality, metavar="N", help="1 to 100: .webp, else exact, and .avif")
    group.add_argument("--frames", type=_folder, metavar="DIR", help="the pictures as files too, or without -o")


def _steps(text: str) -> Steps:
    try:
        return read_steps(text)
    except NoSuchStepError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _count(least: int) -> Callable[[str], int]:
    def counted(text: str) -> int:
        if re.fullmatch(r"\d{1,5}", text, re.ASCII) is None or not least <= int(text) <= MOST:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {MOST}, got {text!r}")
        return int(text)

    return counted


def _number(text: str, least: float, most: float, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"must be a number from {least:g} to {most:g} {unit}, got {text!r}")
    return value


def _seconds(text: str) -> float:
    return _number(text, 0.02, LONGEST, "seconds")


def _fps(text: str) -> float:
    return _number(text, 1.0, 120.0, "pictures a second")


def _quality(text: str) -> int:
    return round(_number(text, 1.0, 100.0, "for WebP and AVIF"))


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("must be a folder's name, got an empty one")
    return Path(text)


def options_of(words: argparse.Namespace) -> FilmOptions:
    """What was asked for, of the parsed command line."""
    return FilmOptions(
        words.steps,
        words.slow,
        words.times,
        words.turn,
        words.seconds_per_step,
        words.fps,
        words.loop,
        words.quality,
        words.frames,
    )


def nonsense(options: FilmOptions, scenes: Sequence[str], ending: str, *, stepped: bool, clear: bool) -> str | None:
    """Why no film can be made so, in a sentence; None where one can.

    `ending`: of the file, "" where there are only single pictures; `stepped`: --step is there; `clear`: --transparent.
    """
    kind = FORMATS.get(ending)
    sources = [name for name in ("steps", "times", "turn") if getattr(options, name) is not None]
    logs = [is_log(scene) for scene in scenes]
    if ending and kind is None:
        return f"a film ends in one of {', '.join(FORMATS)}, not {ending}; --frames DIR writes single pictures"
    if len(sources) > 1:
        return f"a film shows one thing: --{sources[0]} or --{sources[1]}, not both"
    if all(logs) and sources:
        return f"--{sources[0]} is for a scene; the film of a log shows its scenes one after another"
    if not all(logs) and not sources:
        return "a film of a scene shows its --steps, its motion at --times N, or a --turn round it"
    if options.slow and options.steps is None:
        return "--slow goes with --steps"
    if stepped and options.turn is None:
        return "--step goes with a picture or with --turn; a film of steps takes --steps FIRST-LAST"
    if clear:
        return "a film has a background: --transparent does not go with it"
    if options.step_seconds is not None and (options.times or options.turn):
        return "--seconds-per-step is for steps; the other films take --fps"
    if options.fps is not None and options.steps is not None and ending != ".mp4":
        return "--fps is for motion; steps take --seconds-per-step"
    if options.fps is not None and ending == ".gif" and options.fps > GIF_FPS:
        return f"a GIF shows at most {GIF_FPS} pictures a second, got --fps {options.fps:g}"
    if options.loop is not None and (kind is None or not kind.loops):
        return f"--loop is not for {kind.name if kind else 'single pictures'}: that leaves it to the player"
    if options.quality is not None and (kind is None or not kind.quality):
        return f"--quality is for WebP and AVIF, not for {kind.name if kind else 'single pictures'}"
    return None


def render_films(
    targets: Sequence[tuple[str, Path | None]],
    options: FilmOptions,
    size: tuple[int, int],
    scale: float,
    theme: Theme,
    step: int | str | None,
) -> int:
    """Makes the film of each scene or log, into the file beside it and into the folder for single pictures.

    Whole or not at all; the exit status.
    """
    status = 0
    with ExitStack() as means:
        stills = cache(lambda: means.enter_context(Stills()))

        def make(scene: str, out: Path | None) -> None:
            with ExitStack() as files:
                source = _source(scene, options, theme, step, files)
                if out is not None:
                    check_place(out)
                _write(Film(stills(), source, Look(*size, scale)), scene, out, options, theme)

        for scene, out in targets:
            with Attempt(scene) as attempt:
                try:
                    make(scene, out)
                except (SceneError, NoSuchStepError) as error:
                    status = refused(str(error) if isinstance(error, SceneError) else f"{scene}: {error}")
                except GraphicsUnavailable as error:
                    return refused(f"No film was made. {error}")
                except FilmError as error:
                    status = refused(f"{out or options.frames}: {error}")
                except MemoryError as error:
                    why = str(error) or "there is not enough memory for a film of that size"
                    status = refused(f"{out or options.frames}: {why}")
                except OSError as error:
                    status = refused(f"{out or options.frames}: {reason_of(error)}")
            if attempt.fault:
                status = refused(attempt.fault)
    return status


def _write(film: Film, scene: str, out: Path | None, options: FilmOptions, theme: Theme) -> None:
    pictures = film.pictures()
    if options.frames is not None:
        options.frames.mkdir(exist_ok=True)
        pictures = _kept(film, pictures, options.frames, Path(scene).stem)
    pictures = _told(pictures, film.source.count, out or options.frames, sys.stderr)
    if out is None:
        for _ in pictures:
            pass
        return
    recipe = Recipe(
        film.look.pixels,
        film.source.seconds,
        theme,
        loop=options.loop or 0,
        fps=options.fps or FPS,
        quality=options.quality,
        scene=text_of(film.seen(0)),
    )
    write_film(out, pictures, film.samples(), recipe)


def _kept(film: Film, pictures: Iterator[Image.Image], folder: Path, stem: str) -> Iterator[Image.Image]:
    """The pictures, each of which is a file of its own by then, with its scene inside."""
    for number, picture in enumerate(pictures):
        data = png_bytes(picture, text_of(film.seen(number)))
        write_atomic(folder / f"{stem}-{film.source.names[number]}.png", data)
        yield picture


def _told(pictures: Iterator[Image.Image], count: int, out: Path | None, terminal: IO[str]) -> Iterator[Image.Image]:
    """The pictures, with a line on a terminal that says how many there are; it is gone when they end."""
    if not terminal.isatty():
        yield from pictures
        return
    try:
        for number, picture in enumerate(pictures, start=1):
            terminal.write(f"\r\x1b[K{out}: picture {number} of {count}")
            terminal.flush()
            yield picture
    finally:
        terminal.write("\r\x1b[K")
        terminal.flush()


def _source(scene: str, options: FilmOptions, theme: Theme, step: int | str | None, files: ExitStack) -> Source:
    """What the film shows. Raises SceneError, NoSuchStepError; `files` close what stays open for it."""
    if is_log(scene):
        return _log(scene, options, theme, files)
    loaded = load(scene)
    for remark in loaded.remarks:
        print(f"{scene}: {remark}", file=sys.stderr)
    fps = options.fps or FPS
    if options.steps is not None:
        return steps_source(loaded, options, theme)
    if options.turn is not None:
        seen, _ = seen_of(loaded, theme, step)
        if seen.view.facing(loaded.scene) is not seen.view:
            raise SceneError("", "is a scene of the plane, which is looked at straight on: no --turn", scene)
        return of_turn(seen, options.turn, fps)
    assert options.times is not None
    if not (moves(loaded.scene.a) or moves(loaded.scene.b)):
        raise SceneError("", "has no motion for --times", scene)
    view = replace(loaded.view or View(), motion=True)
    return of_motion(seen_of(replace(loaded, view=view), theme, 0)[0], options.times, fps)


def _log(file: str, options: FilmOptions, theme: Theme, files: ExitStack) -> Source:
    log = SceneLog(file)
    files.callback(log.close)
    if len(log) == 0:
        raise SceneError("", "holds no scene", file)
    if len(log) > MOST:
        raise SceneError("", f"holds {len(log)} scenes; a film shows at most {MOST}", file)
    if log.deck is not None:
        return of_slides(len(log), lambda k: seen_of(log.scene(k), theme)[0], options.step_seconds or SLIDE_SECONDS)
    seconds = options.step_seconds or 1.0 / (options.fps or FPS)
    return of_scenes([log.scene(k).scene for k in range(len(log))], lambda k: seen_of(log.scene(k), theme)[0], seconds)


def steps_source(loaded: Loaded, options: FilmOptions, theme: Theme) -> Source:
    """The steps asked for, with their sub-steps if they are."""
    answer, _ = seen_of(loaded, theme, 0)
    asked = all_steps(answer)
    places = places_of(options.steps or ALL, asked)
    return of_steps(answer, asked, places, options.step_seconds or STEP_SECONDS, slow=options.slow)


def all_steps(answer: Seen) -> Query:
    """The steps about a scene, with those of its motion where that is shown."""
    asked = query(answer.analysis)
    return with_its_motion(asked) if answer.view.shows_motion(answer.scene) else asked
