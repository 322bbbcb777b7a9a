"""Pictures without a display: `separatrix render`, and what `separatrix [SCENE]` does where no window can be opened.

A picture is a PNG, an SVG or a PDF that carries the scene. Instead of a window come the answers as text and the
picture as a file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from core.analysis.analysis import Analysis, analyse
from core.analysis.motion_answers import sweep
from core.query.query import MOTION_PHASES, Query, query
from core.trace import run

from ..draw.theme import DARK, Theme
from ..io.deck_file import Slide
from ..io.presets import default_scene
from ..io.scene_file import Loaded, SceneError, load, write
from ..io.scene_log import SceneLog, is_log
from ..render import GraphicsUnavailable
from ..render.figure import FigureError
from ..render.film import NoSuchStepError, numbers
from ..render.still import Plan, Stills, asking, planned, vector_pages, vector_still
from ..stages import parts_of
from ..state.playback import Playback, place_of
from ..state.playback import part_of as playback_part
from ..state.view import WHOLE, Place, Seen, View
from ..storage.files import png_bytes, reason_of, refuse_device, write_atomic, write_numbered
from ..words.axis_words import listed
from .faults import Attempt
from .report import to_text

Planner = Callable[[Loaded, str], tuple[Plan, View | None]]
"""From a scene and the ending of its file, in small letters, to the picture's plan and the view that travels inside."""


def render(
    targets: list[tuple[str, Path]],
    size: tuple[int, int],
    scale: float,
    theme: Theme,
    *,
    transparent: bool,
    step: int | str | None = None,
    thumbnail: bool = False,
    figured: Planner | None = None,
    slide: Planner | None = None,
) -> int:
    """Draws each scene of `targets`, a file, into the picture beside it, whole or not at all; the exit status.

    All in one graphics context. A scene that is refused keeps none of the others back. `step`: of the query, from 1, or
    of a phase (`gjk:3`, `epa:stop`, `gjk:3:support-A`), or 0 for the answer; None: as the file shows it.
    `thumbnail`: as on the gallery's cards, where neither size nor step is asked about. `figured`: plans each picture,
    in the place of size, scale and theme; `slide`: those of decks, in
    the place of that.
    """
    status = 0
    with ExitStack() as means:
        # Made with the first picture: a scene that is refused needs none.
        stills = cache(lambda: means.enter_context(Stills()))
        plan_of = figured or planner(size, scale, theme, transparent=transparent, step=step)

        def draw(attempt: Attempt, scene: str, out: Path) -> None:
            if is_log(scene) and not thumbnail:
                for file, data in pictures_of_deck(stills, scene, out, slide or plan_of, stepped=step is not None):
                    write_atomic(file, data)
                return
            loaded = accepted(scene, out)
            attempt.scene = loaded.scene
            if thumbnail:
                from ..render.thumbnail import thumbnail as drawn_small

                image = drawn_small(stills(), loaded.scene, loaded.view or View(), theme)
                data = png_bytes(image, write(loaded.scene, loaded.view))
            else:
                data = _drawn(stills, loaded, plan_of, out.suffix.lower())
            write_atomic(out, data)

        for scene, out in targets:
            with Attempt(scene) as attempt:
                try:
                    draw(attempt, scene, out)
                except SceneError as error:
                    status = refused(str(error))
                except (NoSuchStepError, FigureError) as error:
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


NAME = "{name}"
"""What stands for a scene's name in the name of the files made of several."""


def targets(scenes: Sequence[str], out: Path) -> list[tuple[str, Path]]:
    """Each scene with the file that it is drawn into: NAME in `out` is the scene's file name without its ending.

    Raises ValueError, in a sentence.
    """
    if unknown := re.search(r"[{}]", str(out).replace(NAME, "")):
        raise ValueError(f"of names in braces {NAME} is the only one, got {unknown[0]} in {str(out)!r}")
    if len(scenes) > 1 and NAME not in str(out):
        raise ValueError(
            f"several scenes need {NAME} in the file's name, such as 'DIR/{NAME}{out.suffix}', got '{out}'"
        )
    files = [Path(str(out).replace(NAME, Path(scene).stem)) for scene in scenes]
    for number, file in enumerate(files):
        if file in files[:number]:
            first = scenes[files.index(file)]
            raise ValueError(f"{first} and {scenes[number]} would both become {file}")
    return list(zip(scenes, files, strict=True))


def accepted(scene: str, out: Path) -> Loaded:
    """The scene of a file, of which a picture can be written to `out`. Raises SceneError, OSError."""
    if is_log(scene):
        raise SceneError("", "is a log; a picture shows one scene", scene)
    loaded = load(scene)
    for remark in loaded.remarks:
        print(f"{scene}: {remark}", file=sys.stderr)
    check_place(out)
    return loaded


def check_place(out: Path) -> None:
    """Raises OSError where no file can be written to `out`."""
    refuse_device(out)
    if not out.parent.is_dir() or out.is_dir():
        raise OSError(f"{'is a folder' if out.is_dir() else 'no such folder'}")


def pictures_of_deck(
    stills: Callable[[], Stills],
    deck: str,
    out: Path,
    plan_of: Planner,
    *,
    stepped: bool,
) -> Iterator[tuple[Path, bytes]]:
    """The files of a deck's slides, with their bytes: a PDF of all, else OUT-01.svg and so on, in their order.

    `stepped`: a step was asked for. Raises as `picture` does, and SceneError, OSError.
    """
    with closing(SceneLog(deck)) as log:
        if log.deck is None:
            raise SceneError("", "is a log; a picture shows one scene", deck)
        if stepped:
            raise SceneError("", "is a deck: each of its slides has its own step, so --step does not go with it", deck)
        if not len(log):
            raise SceneError("", "holds no scene", deck)
        check_place(out)
        slides, ending = [log.scene(k) for k in range(len(log))], out.suffix.lower()
        if ending != ".pdf":
            for number, slide in zip(numbers(len(slides)), slides, strict=True):
                yield out.with_name(f"{out.stem}-{number}{out.suffix}"), _drawn(stills, slide, plan_of, ending)
            return
        pages = []
        for slide in slides:
            plan, view = plan_of(slide, ending)
            pages.append((plan, write(slide.scene, view, ascii_only=True), slide.scene.name))
        yield out, vector_pages(pages, log.deck.title or Path(deck).stem, log.deck.author)


def picture(
    stills: Callable[[], Stills],
    loaded: Loaded,
    size: tuple[int, int],
    scale: float,
    theme: Theme,
    *,
    transparent: bool,
    step: int | str | None = None,
    ending: str = ".png",
) -> bytes:
    """The PNG, SVG or PDF of a scene, with the scene inside. Raises GraphicsUnavailable, NoSuchStepError.

    `ending`: of the file, in small letters. Vectors need no graphics.
    """
    return _drawn(stills, loaded, planner(size, scale, theme, transparent=transparent, step=step), ending)


def planner(size: tuple[int, int], scale: float, theme: Theme, *, transparent: bool, step: int | str | None) -> Planner:
    """What plans pictures as the window shows them."""

    def plan_of(loaded: Loaded, _: str) -> tuple[Plan, View | None]:
        seen, view = seen_of(loaded, theme, step)
        return planned(seen, *size, scale, transparent), view

    return plan_of


def _drawn(stills: Callable[[], Stills], loaded: Loaded, plan_of: Planner, ending: str) -> bytes:
    """The PNG, SVG or PDF that is planned, with the scene and the view inside. Raises GraphicsUnavailable."""
    plan, view = plan_of(loaded, ending)
    if ending == ".png":
        return png_bytes(run(stills().expose(plan)), write(loaded.scene, view), plan.texts, plan.dpi)
    return vector_still(plan, ending, write(loaded.scene, view, ascii_only=True), loaded.scene.name)()


def seen_of(loaded: Loaded, theme: Theme, step: int | str | None = None) -> tuple[Seen, View | None]:
    """What a picture of a scene shows, and the view that says so; `step` as of `render`. Raises NoSuchStepError."""
    view, analysis = loaded.view, analyse(loaded.scene)
    if isinstance(step, str):
        view = _called(step, analysis, view or View())
    elif step is not None and (step or view is not None):
        view = replace(view or View(), step=step, at=None)
    asked, place, part = (None, 0, WHOLE)
    if view is not None and (view.step or view.at is not None):
        asked, place, part = _moment(analysis, view, strictly=bool(step))
    seen = Seen(loaded.scene, analysis, view or View(), theme, asked, place, part=part)
    if isinstance(loaded, Slide) and loaded.question is not None:
        seen = asking(seen, asked or query(analysis), loaded.question)
    return seen, view


def _moment(analysis: Analysis, view: View, *, strictly: bool) -> tuple[Query, int, str]:
    """The query, the place of the view's step, and its part; beyond the last means the last, unless it is asked for.

    The steps about the motion, where it is shown, come last: they are asked for only when they are wanted.
    """
    asked, step = query(analysis), view.step
    if view.at is not None:
        if view.at.phase in MOTION_PHASES:
            asked = with_its_motion(asked)
        there = Playback(phase=view.at.phase, index=view.at.index - 1, part=view.at.part)
        return asked, place_of(there, asked), playback_part(there, asked)
    if step > len(asked.moments) and view.shows_motion(analysis.scene):
        asked = with_its_motion(asked)
    count = len(asked.moments)
    if strictly and step > count:
        raise NoSuchStepError(f"has no step {step}: its query has {count}, from 1 to {count}; step 0 is the answer")
    return asked, min(step, count) - 1, WHOLE


def _called(step: str, analysis: Analysis, view: View) -> View:
    """The view at the step that is called `gjk:3` or `epa:stop`, or at a part of it: `gjk:3:support-A`."""
    name, which, part = (*step.split(":"), WHOLE)[:3]
    asked = query(analysis)
    if name not in [phase.name.lower() for phase, _, _ in asked.phases]:
        asked = with_its_motion(asked)
    phases = {phase.name.lower(): (first, count) for phase, first, count in asked.phases}
    if name not in phases:
        raise NoSuchStepError(f"has no steps of {name}: its query has those of {listed(list(phases))}")
    first, count = phases[name]
    number = count if which == "stop" else int(which)
    if not 1 <= number <= count:
        raise NoSuchStepError(f"has no step {step}: there are {count}, from {name}:1 to {name}:{count}")
    moment = asked.moments[first + number - 1]
    names = {known.name.replace(" ", "-"): known.name for known in parts_of(asked, moment)} | {WHOLE: WHOLE}
    if part not in names:
        raise NoSuchStepError(f"has no part {part} of step {name}:{which}: it has {listed(list(names))}")
    at = None if part == WHOLE else Place(moment.phase, number, names[part])
    return replace(view, step=first + number, at=at)


def with_its_motion(asked: Query) -> Query:
    """The query with the steps about its bodies' motion."""
    # Imported with the first motion: nothing of it is wanted for other pictures.
    from core.analysis.motion_answers import sweep
    from core.query.motion_steps import with_motion

    return with_motion(asked, sweep(asked.analysis.scene))


def refused(sentence: str) -> int:
    """Tells why nothing comes of it; the exit status."""
    print(sentence, file=sys.stderr)
    return 1


SIZE = (1280, 800)
DEFAULT_NAME = "separatrix"
LESSON = ".md"


def is_lesson(file: str) -> bool:
    """Whether the file's name says that it is a lesson."""
    return Path(file).suffix.lower() == LESSON


def show_without_window(scene: str | None, reason: str) -> int:
    """Prints the scene's answers, renders NAME.png into the current folder and says why; the exit status."""
    if scene is not None and is_lesson(scene):
        print(f"{reason} A lesson needs one; separatrix render {scene} -o lesson.html makes a page of it.")
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
            data = picture(lambda: stills, loaded, SIZE, 1.0, DARK, transparent=False)
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
        return load(scene)
    log = SceneLog(scene)
    try:
        if len(log) == 0:
            raise SceneError("", "is empty", scene)
        return log.scene(0)
    finally:
        log.close()
