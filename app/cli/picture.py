"""Pictures without a display: `separatrix picture`, and `separatrix [SCENE]` if no window can be opened.

A picture is a PNG, an SVG or a PDF that carries the scene. If no window opens, the answers are printed as text and
the picture is written to a file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace as changed
from functools import cache, partial
from pathlib import Path

from msgspec.structs import replace
from PIL import Image

from core.analysis.algorithm_settings import DEFAULT_SETTINGS
from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import sweep
from core.query.query import MOTION_PHASES, Query, query, settings_for

from ..draw.text import lacking
from ..draw.theme import Theme
from ..forms.files import load_pair
from ..io.deck_file import Slide
from ..io.presets import default_scene
from ..io.scene_file import Loaded, SceneError, load_view, write
from ..io.scene_log import SceneLog, is_log
from ..overlays.registry import UNAVAILABLE
from ..render import GraphicsUnavailable
from ..render.borne_names import NoSuchLabelError, check_names
from ..render.figure import FigureError, NoRoomError, figure_plan, kept_view
from ..render.film import on_a_sheet, padded_numbers
from ..render.still import Plan, Stills, planned, tex_still, vector_pages, vector_still, with_question
from ..stages.placed_steps import NoSuchStepError, places_of, query_with
from ..state.export_options import GAUSS, GAUSS_LARGE, NO_TEXT, ExportOptions
from ..state.named_steps import NamedSteps, read_step, read_steps
from ..state.option import TEX
from ..state.playback import Playback, part_name, place_of
from ..state.view import WHOLE, Seen, StepPlace, View
from ..storage.files import png_bytes, reason_of, refuse_device, write_atomic, write_numbered
from .faults import FaultGuard
from .progress_bar import status_line
from .report import to_text

Say = Callable[[str], object]
"""Takes how far a picture is, in words that follow its file's name."""
Planner = Callable[[Loaded, str], tuple[Plan, View | None]]
"""Maps a scene and its file's ending, in small letters, to the picture's plan and the view stored inside."""

NO_GAUSS_MAP = "is a scene of the plane: its Gauss map has no picture of its own"
"""The refusal of the panes `gauss` for a 2D scene."""


def draw_pictures(targets: Sequence[tuple[str, Path]], options: ExportOptions) -> int:
    """Draws each scene file of `targets` into its picture file, whole or not at all; returns the exit status.

    All share one graphics context. A refused scene does not stop the others, but a PNG without graphics does.
    """
    status = 0
    with ExitStack() as means:
        say = means.enter_context(status_line())
        # Created for the first picture, since a refused scene needs no graphics.
        stills = cache(lambda: means.enter_context(Stills()))
        try:
            other = load_view(options.view) if options.view else None
        except SceneError as error:
            return refused(str(error))
        except OSError as error:
            return refused(f"{options.view}: {reason_of(error)}")

        def draw(attempt: FaultGuard, scene: str, out: Path) -> None:
            if is_log(scene):
                for file, data in pictures_of_deck(stills, scene, out, options, other, say):
                    write_atomic(file, data)
                return
            loaded = accepted(scene, out, options.form)
            attempt.scene = loaded.scene
            for file, data in files_of(stills, loaded, plan_of(options, other), out, say):
                write_atomic(file, data)

        for scene, out in targets:
            with FaultGuard(scene) as attempt:
                try:
                    draw(attempt, scene, out)
                except SceneError as error:
                    status = refused(str(error))
                except (NoSuchStepError, NoSuchLabelError, FigureError) as error:
                    status = refused(f"{scene}: {error}")
                except GraphicsUnavailable as error:
                    return refused(f"No picture was drawn. {error}")
                except MemoryError as error:
                    status = refused(f"{out}: {str(error) or 'there is not enough memory for a picture of that size'}")
                except OSError as error:
                    status = refused(f"{out}: {reason_of(error)}")
            if attempt.fault:
                status = refused(attempt.fault)
    return status


NAME_PLACEHOLDER = "{name}"
"""Placeholder in an output file's name for the scene file's name without its ending. Several scenes need it."""


def targets(scenes: Sequence[str], out: Path) -> list[tuple[str, Path]]:
    """Each scene with its output file; {name} in `out` becomes the scene's file name without its ending.

    Raises ValueError, with a sentence, for other braces, for several scenes without {name}, and for two scenes with one
    output file.
    """
    if unknown := re.search(r"[{}]", str(out).replace(NAME_PLACEHOLDER, "")):
        raise ValueError(f"of names in braces {NAME_PLACEHOLDER} is the only one, got {unknown[0]} in {str(out)!r}")
    if len(scenes) > 1 and NAME_PLACEHOLDER not in str(out):
        raise ValueError(
            f"several scenes need {NAME_PLACEHOLDER} in the file's name, "
            f"such as 'DIR/{NAME_PLACEHOLDER}{out.suffix}', got '{out}'"
        )
    files = [Path(str(out).replace(NAME_PLACEHOLDER, Path(scene).stem)) for scene in scenes]
    for number, file in enumerate(files):
        if file in files[:number]:
            first = scenes[files.index(file)]
            raise ValueError(f"{first} and {scenes[number]} would both become {file}")
    return list(zip(scenes, files, strict=True))


def accepted(scene: str, out: Path, form: str = "") -> Loaded:
    """Loads a file's scene, prints its remarks, and checks the place `out`.

    `form`: the name of a text's format, "" to try all. Raises SceneError for a log and for a file without a scene, and
    OSError as `check_place`.
    """
    if is_log(scene):
        raise SceneError("", "is a log; a picture shows one scene", scene)
    loaded = load_pair(scene, form)
    for remark in loaded.remarks:
        print(f"{scene}: {remark}", file=sys.stderr)
    check_place(out)
    return loaded


def check_place(out: Path) -> None:
    """Raises OSError for a folder, a name in a missing folder, and for a .tex a name that LaTeX does not read.

    On Windows it does so for a device's name too. Whether the folder may be written to is not checked.
    """
    refuse_device(out)
    if not out.parent.is_dir() or out.is_dir():
        raise OSError(f"{'is a folder' if out.is_dir() else 'no such folder'}")
    if out.suffix.lower() == TEX and (letter := re.search(r"[%#{}~\"\\]", out.name)):
        raise OSError(f"LaTeX reads no file with {letter[0]} in its name")


def pictures_of_deck(
    stills: Callable[[], Stills], deck: str, out: Path, options: ExportOptions, other: View | None, say: Say
) -> Iterator[tuple[Path, bytes]]:
    """Yields a deck's files with their bytes: one PDF of all slides, else OUT-1.svg and so on.

    Numbers have equally many digits. Each slide's text is below its picture. Raises as `picture` does, OSError as
    `check_place`, and SceneError for a log, for a deck without slides, and for `--step`.
    """
    with closing(SceneLog(deck)) as log:
        if log.deck is None:
            raise SceneError("", "is a log; a picture shows one scene", deck)
        if options.step is not None:
            raise SceneError("", "is a deck: each of its slides has its own step, so --step does not go with it", deck)
        if not len(log):
            raise SceneError("", "holds no scene", deck)
        check_place(out)
        slides, ending = [log.scene(k) for k in range(len(log))], out.suffix.lower()
        planned_slide = partial(_with_words, options=options, other=other)
        if ending != ".pdf":
            for number, slide in zip(padded_numbers(len(slides)), slides, strict=True):
                file = out.with_name(f"{out.stem}-{number}{out.suffix}")
                yield from files_of(stills, slide, planned_slide, file, say)
            return
        pages = []
        for slide in slides:
            plan, view = planned_slide(slide, ending)
            pages.append((plan, write(slide.scene, view, ascii_only=True), slide.scene.name))
        yield out, vector_pages(pages, log.deck.title or Path(deck).stem, log.deck.author)


def picture(stills: Callable[[], Stills], loaded: Loaded, options: ExportOptions, ending: str = ".png") -> bytes:
    """The PNG, SVG or PDF of a scene, with the scene inside.

    `stills`: asked for a PNG only. `ending`: the file's, in small letters. Raises as `planned_picture`, and
    GraphicsUnavailable for a PNG without OpenGL 3.3.
    """
    return _drawn(stills, loaded, plan_of(options), ending)


def plan_of(options: ExportOptions, other: View | None = None) -> Planner:
    """The function that plans pictures with these options; `other`: the view of the file that `--view` names."""
    return lambda loaded, ending: planned_picture(loaded, ending, options, other)


def planned_picture(
    loaded: Loaded, ending: str, options: ExportOptions, other: View | None = None
) -> tuple[Plan, View | None]:
    """The plan of a scene's picture, or of the sheet of its steps, and the view stored inside; None to store no view.

    `ending`: the file's, in small letters. `other`: as in `plan_of`. Raises NoSuchStepError, NoSuchLabelError, and
    FigureError if the options do not fit the scene.
    """
    options = options.suited(ending)
    if not options.figured:
        seen, view = seen_of(with_names(loaded, options), options.themed(), options.step)
        check_names([seen], as_tex=ending == TEX)
        return replace(planned(seen, *options.points, options.scale, options.transparent), figure=options), view
    if options.steps and isinstance(loaded, Slide):
        raise FigureError("is a deck: each of its slides has its own step, so a sheet of --steps does not go with it")
    view = options.looked_at(loaded.view or View(), other)
    loaded = replace(loaded, view=view)
    if options.camera is not None and view.facing(loaded.scene) is not view:
        raise FigureError("is a scene of the plane, which is looked at straight on: no --camera")
    if options.panes == GAUSS and GAUSS_LARGE in UNAVAILABLE[loaded.scene.dimension]:
        raise FigureError(NO_GAUSS_MAP)
    seen, kept = seen_of(loaded, options.themed(), "0" if options.steps else options.step)
    steps = read_steps(options.steps) if options.steps else ()
    shots = on_a_sheet(seen, steps_query(seen, steps), steps) if steps else [seen]
    plan = figure_plan(shots, options, vectors=ending != ".png", as_tex=ending == TEX)
    return plan, kept if kept is None else kept_view(kept, shots, options)


def with_names(loaded: Loaded, options: ExportOptions) -> Loaded:
    """The scene with the options' names of labels in its view."""
    return replace(loaded, view=options.governed(loaded.view or View())) if options.rename or options.move else loaded


def _with_words(slide: Loaded, ending: str, options: ExportOptions, other: View | None) -> tuple[Plan, View | None]:
    """The plan of a slide with its text below it, unless the options set a caption or leave text out; and the view.

    The whole text is left out, with a printed note, if it has no room or if the font lacks one of its letters. Raises,
    and returns None for the view, as `planned_picture` does.
    """
    words, name = slide.scene.notes, slide.scene.name or "A slide"
    if options.caption or options.text == NO_TEXT or not words.strip():
        return planned_picture(slide, ending, options, other)
    if missing := lacking(words):
        print(f"{name}: its words are left out, the program's font has no letters for {missing}", file=sys.stderr)
        return planned_picture(slide, ending, options, other)
    try:
        # The leading space is not drawn; it keeps a slide's text "auto" from being read as the option's word.
        return planned_picture(slide, ending, changed(options, caption=f" {words}"), other)
    except NoRoomError as error:
        print(f"{name} {error}: its words are left out", file=sys.stderr)
        return planned_picture(slide, ending, options, other)


def _unsaid(_: str) -> None:
    pass


def files_of(
    stills: Callable[[], Stills], loaded: Loaded, plan_of: Planner, out: Path, say: Say = _unsaid
) -> Iterator[tuple[Path, bytes]]:
    """Yields a picture's file with its bytes; of a .tex first the PDF that it needs beside it.

    `stills`: asked for a PNG only. `say`: told, with the file's name, how much of a PNG is drawn. Raises as
    `planned_picture`, and GraphicsUnavailable for a PNG without OpenGL 3.3.
    """
    if out.suffix.lower() != TEX:
        yield out, _drawn(stills, loaded, plan_of, out.suffix.lower(), lambda words: say(f"{out}: {words}"))
        return
    plan, view = plan_of(loaded, TEX)
    data, words = tex_still(plan, write(loaded.scene, view, ascii_only=True), loaded.scene.name, out.stem)()
    yield out.with_suffix(".pdf"), data
    yield out, words


def _drawn(stills: Callable[[], Stills], loaded: Loaded, plan_of: Planner, ending: str, say: Say = _unsaid) -> bytes:
    """The planned PNG, SVG or PDF, with the scene and the view inside.

    Raises as `planned_picture`, and GraphicsUnavailable for a PNG without OpenGL 3.3.
    """
    plan, view = plan_of(loaded, ending)
    if ending == ".png":
        drawn = _watched(stills().expose(plan), say)
        say("writing")
        return png_bytes(drawn, write(loaded.scene, view), plan.texts, plan.dpi)
    return vector_still(plan, ending, write(loaded.scene, view, ascii_only=True), loaded.scene.name)()


def _watched(drawing: Generator[float, None, Image.Image], say: Say) -> Image.Image:
    """The picture in the end; says each share that is drawn."""
    while True:
        try:
            say(f"{100.0 * next(drawing):.0f} %")
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # a generator's value has no type of its own


def seen_of(loaded: Loaded, theme: Theme, step: str | None = None) -> tuple[Seen, View | None]:
    """The state that a picture of a scene shows, and the view to store inside it.

    Raises NoSuchStepError for a step that the query lacks. `step`: a number in the query, from 1, a step of a phase
    (`gjk:3`, `epa:stop`, `gjk:3:support-A`), or 0 for the answer; None: the step in the file's view.
    """
    view, analysis = loaded.view, analyse(loaded.scene)
    number = int(step) if step is not None and step.isdigit() else None
    if number is not None and (number or view is not None):
        view = replace(view or View(), step=number, at=None)
    elif step is not None and number is None:
        view = _called(step, analysis, view or View())
    asked, place, part = (None, 0, WHOLE)
    if view is not None and (view.step or view.at is not None):
        asked, place, part = _moment(analysis, view, strictly=number != 0 and step is not None)
    seen = Seen(loaded.scene, analysis, view or View(), theme, asked, place, part=part)
    if isinstance(loaded, Slide) and loaded.question is not None:
        seen = with_question(seen, asked or query(analysis), loaded.question)
    return seen, view


def _moment(analysis: Analysis, view: View, *, strictly: bool) -> tuple[Query, int, str]:
    """The query, the index of the view's step, and its part.

    A step beyond the last means the last; if `strictly`, it raises NoSuchStepError. The steps about the motion come
    last and are computed only when the step is among them.
    """
    asked, step = query(analysis, settings_for(None if view.at is None else view.at.phase)), view.step
    if view.at is not None:
        if view.at.phase in MOTION_PHASES:
            asked = with_its_motion(asked)
        there = Playback(phase=view.at.phase, index=view.at.index - 1, part=view.at.part)
        return asked, place_of(there, asked), part_name(there, asked)
    if step > len(asked.moments) and view.shows_motion(analysis.scene):
        asked = with_its_motion(asked)
    count = len(asked.moments)
    if strictly and step > count:
        raise NoSuchStepError(f"has no step {step}: its query has {count}, from 1 to {count}; step 0 is the answer")
    return asked, min(step, count) - 1, WHOLE


def _called(step: str, analysis: Analysis, view: View) -> View:
    """The view at the step named `gjk:3` or `epa:stop`, or at a sub-step: `gjk:3:support-A`.

    Raises NoSuchStepError if the analysis has no such step.
    """
    named = (read_step(step),)
    asked = query_with(named, analysis)
    ((place, part),) = places_of(named, asked)
    moment = asked.moments[place]
    # Step numbers count under the default settings; a step that those lack is stored by phase and number in it.
    numbered = part == WHOLE and asked.settings == DEFAULT_SETTINGS
    return replace(view, step=place + 1, at=None if numbered else StepPlace(moment.phase, moment.index + 1, part))


def steps_query(seen: Seen, steps: tuple[NamedSteps, ...]) -> Query:
    """The query with the steps that `--steps` names, under default settings or those that turn their algorithm on.

    It has the steps of the scene's motion if the view shows the motion.
    """
    return query_with(steps, seen.analysis, motion=seen.view.shows_motion(seen.scene))


def with_its_motion(asked: Query) -> Query:
    """The query with the steps about the bodies' motion added."""
    # Imported here because only a picture of motion steps needs it.
    from core.analysis.motion_answers import sweep
    from core.query.motion_steps import with_motion

    return with_motion(asked, sweep(asked.analysis.scene))


def refused(sentence: str) -> int:
    """Prints the reason of a refusal; returns the exit status."""
    print(sentence, file=sys.stderr)
    return 1


DEFAULT_NAME = "separatrix"
LESSON = ".md"


def is_lesson(file: str) -> bool:
    """Whether the file's name has a lesson's ending."""
    return Path(file).suffix.lower() == LESSON


def show_without_window(scene: str | None, reason: str) -> int:
    """Prints the answers and `reason`, and draws NAME.png, never over a file.

    Refuses a lesson. Returns the exit status, 1 after a refusal or without a picture.
    """
    if scene is not None and is_lesson(scene):
        print(f"{reason} A lesson needs one; separatrix handout {scene} -o lesson.html makes a page of it.")
        return 1
    try:
        loaded = _loaded(scene)
    except SceneError as error:
        print(error, file=sys.stderr)
        return 1
    shown = loaded.scene
    print(to_text(analyse(shown), sweep(shown), shown.name or str(scene), loaded.remarks))
    name = DEFAULT_NAME if scene is None else Path(scene).stem
    try:
        with Stills() as stills:
            data = picture(lambda: stills, loaded, ExportOptions())
        file = write_numbered(Path(f"{name}.png"), data)
    except GraphicsUnavailable:
        print(f"{reason} No picture could be drawn either.")
        return 1
    except OSError as error:
        print(f"{reason} The picture could not be written either: {name}.png: {reason_of(error)}")
        return 1
    print(f"{reason} The picture is in {file} instead.")
    return 0


def _loaded(scene: str | None) -> Loaded:
    if scene is None:
        return default_scene()
    if not is_log(scene):
        return load_pair(scene)
    log = SceneLog(scene)
    try:
        if len(log) == 0:
            raise SceneError("", "is empty", scene)
        return log.scene(0)
    finally:
        log.close()
