"""The command line: open a scene, check scenes without a display, render a picture without one.

Exit status: 0, 1 when a scene was refused or a file could not be written, 2 for bad usage, 3 when a scene fails what
`check` was told to expect of it (and none was refused); without a word 130 after Ctrl-C, 141 when nobody reads on.
"""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .cli.arguments import conditions as _conditions
from .cli.arguments import corners as _corners
from .cli.arguments import engine_names as _engine_names
from .cli.arguments import file_name as _file
from .cli.arguments import jobs as _jobs
from .cli.streams import make_readable

if TYPE_CHECKING:
    from .engines.asked import Asked
    from .io.scene_file import Loaded
    from .render.still import Plan
    from .state.figure import Figure
    from .state.view import View
    from .storage.doctor import Graphics

USAGE = """separatrix [SCENE] | MESH [--simplify N]
       separatrix check FILE... [--json | --fields KEYS | --brief] [--single] [--articles] [--steps] [--jobs N]
                        [--engines coal,mujoco] [--expect FILE [--tolerance X]] [--fail-on CONDITIONS] [--junit FILE]
       separatrix render SCENE... -o OUT.png|.svg|.pdf [--size WxH] [--scale N] [--transparent]
                         [--theme dark|light|print] [--step N] [--width 8.5cm] [--font 7pt] [--dpi N] [--digits N]
                         [--crop] [--margin 2mm] [--text font|outlines|none] [--camera YAW,PITCH[,DISTANCE]]
                         [--panes both|world|difference|overlaid|gauss] [--view FILE] [--show A,B] [--hide A,B]
                         [--hatch] [--legend] [--caption TEXT] [--alt TEXT] [--label TEXT] [--steps A,B --columns N]
       separatrix render SCENE... -o OUT.png --thumbnail [--theme dark|light|print]
       separatrix render SCENE... -o OUT.gif|webp|apng|avif|mp4 --steps [FIRST-LAST|PHASE] | --times N | --turn [N]
                         [--frames DIR] [--seconds-per-step S] [--fps N] [--loop N] [--quality N] [--slow]
       separatrix render SCENE|DECK|LESSON... -o OUT.html [--steps FIRST-LAST|PHASE] [--slow] [--size WxH]
       separatrix steps SCENE [--json] [--sub-steps]
       separatrix lesson FILE... [--open] | NUMBER | --new FILE
       separatrix engines
       separatrix doctor [--json]
       separatrix desktop --install | --remove
       separatrix hunt --engines coal,mujoco [--seed N] [--questions N | --seconds S] [--families NAMES]
                       [--around SCENE] [--out DIR] [--json [--live]]
       separatrix bundle SCENE --engine NAME -o OUT.zip
       separatrix shrink SCENE --fail-on CONDITIONS | --engine NAME -o OUT.json"""

ABOUT = """Watch collision algorithms work on two convex bodies: SAT, the Minkowski difference, GJK, EPA and contacts.

  separatrix [SCENE]    open the window; SCENE is a .json scene, a .jsonl log, or a picture that carries one
  separatrix check      print every algorithm's answer about scenes, without a display
  separatrix render     draw the picture of a scene into a PNG, SVG or PDF, a film, or a page of all steps
  separatrix steps      list the steps of a scene, by the numbers and names that render --step takes
  separatrix lesson     check lesson files without a display, open one, or begin a new one
  separatrix engines    list the collision engines that are found, and ask each ten pairs
  separatrix doctor     say what this machine has of what the program needs, and what mends the rest
  separatrix desktop    put the program into the menu of a Linux desktop, with an icon and a file type, or out of it
  separatrix hunt       look for pairs about which engines are wrong
  separatrix bundle     put all that a bug report about an engine needs into one zip
  separatrix shrink     find a scene with few digits of which the same is true"""

DEFAULT_SIZE = (1280, 800)
LARGEST_SIDE = 32768
"""Pixels; beyond it the picture alone takes more than 4 GB."""
SAID = ("check", "steps", "engines", "doctor")
"""Commands whose answer is on standard output."""
READER_GONE = 141
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line; the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        make_readable()
        status = _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        elif status == 0 and words and words[0] in SAID:
            print("separatrix: nothing could be said: standard output is closed", file=sys.stderr)
            return 1
    except ImportError as error:
        print(f"separatrix: {error}; `separatrix doctor` says what is missing and how to get it", file=sys.stderr)
        return 1
    except OSError as error:
        # Each file that is read or written has its own sentence; what comes here is a closed or full output. Windows
        # calls a pipe that nobody reads an invalid argument.
        _drop_output()
        if isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL):
            return READER_GONE
        print(f"separatrix: {error.filename or 'standard output'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _stopped(error)
    return status


def _run(words: list[str]) -> int:
    commands = {"check": _check, "render": _render, "steps": _steps, "lesson": _lesson}
    if words and words[0] in ("engines", "hunt", "bundle", "shrink"):
        from .cli.engine_commands import COMMANDS

        commands |= COMMANDS
    if words and words[0] in ("doctor", "desktop"):
        from .cli.desk_commands import COMMANDS

        commands |= COMMANDS
    return commands[words[0]](words[1:]) if words and words[0] in commands else _open(words)


def _drop_output() -> None:
    with suppress(AttributeError, OSError):  # there is none, or it is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes it once more at its end


def _open(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="separatrix", usage=USAGE, description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scene", nargs="?", type=_file, metavar="SCENE", help="what to open, else the first preset")
    parser.add_argument(
        "--simplify", type=_corners, metavar="N", help="of a mesh whose hull has more corners keep N, 4 or more"
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and exit")
    told = parser.parse_args(words)
    if told.simplify is not None and Path(told.scene or "").suffix.lower() not in (".obj", ".stl"):
        parser.error("--simplify is for a mesh (.obj, .stl)")
    return _open_window(None if told.scene is None else Path(told.scene), told.simplify)


def _open_window(path: Path | None, most: int | None = None) -> int:
    from .application import main as open_window
    from .render import GraphicsUnavailable

    try:
        return open_window(path, most)
    except GraphicsUnavailable as error:
        from .cli.render import show_without_window

        return show_without_window(None if path is None else str(path), str(error))
    except Exception as error:
        from .storage.doctor import asked_graphics

        # The autosave stays.
        return _stopped(error, asked_graphics(), " Unsaved work is offered at the next start.")


def _stopped(error: Exception, graphics: Graphics | None = None, rest: str = "") -> int:
    """Says in one sentence that a fault of the program ended it, and where the details are; the exit status."""
    try:
        from .cli.faults import details, named
        from .io.fault_report import keep_report, report

        where = details(*keep_report(report("Separatrix", error, graphics or {"window": "not asked"})))
        said = f"stopped by a fault of its own ({named(error)}); {where}."
    except ImportError as missing:
        said = f"stopped by a fault of its own ({type(error).__name__}: {error}); no details were written: {missing}."
    if sys.stderr is not None:
        print(f"separatrix: {said}{rest}", file=sys.stderr)
    return 1


def _check(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="separatrix check", description="Print every algorithm's answer about scenes. Needs no display."
    )
    parser.add_argument(
        "files", nargs="+", type=_file, metavar="FILE", help="scene, .jsonl log (one scene a line), or - for stdin"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of text")
    parser.add_argument("--single", action="store_true", help="also in single precision, next to double")
    parser.add_argument("--articles", action="store_true", help="also published mistakes")
    parser.add_argument("--steps", action="store_true", help="also each step of every algorithm")
    parser.add_argument("--engines", type=_engine_names, default=(), metavar="NAMES", help="also these, as coal,mujoco")
    parser.add_argument("--brief", action="store_true", help="name, verdict and separation alone")
    parser.add_argument("--fields", type=_fields, default=(), metavar="KEYS", help="JSON with these keys, as a,b")
    parser.add_argument("--expect", type=_file, metavar="FILE", help="earlier answers of check --json to compare with")
    parser.add_argument("--tolerance", type=_tolerance, metavar="X", help="of separations, scene units; 1e-9 (L + |T|)")
    parser.add_argument(
        "--fail-on",
        type=_conditions,
        metavar="CONDITIONS",
        help="exit 3 on disagreement, single, bound, verdict-change or depth:X, several with commas",
    )
    parser.add_argument("--junit", type=_file, metavar="FILE", help="write a JUnit report as well")
    parser.add_argument("--jobs", type=_jobs, metavar="N", help="processes at once for a long log; one a core")
    options = parser.parse_args(words)
    if options.tolerance is not None and options.expect is None:
        parser.error("argument --tolerance: needs --expect")
    if options.brief and options.fields:
        parser.error("argument --fields: not with --brief")
    from .cli.check import More, check
    from .cli.outcomes import Conditions, asked_for

    conditions = options.fail_on or Conditions()
    outcomes = None
    if options.expect or options.fail_on or options.junit:
        outcomes = asked_for(conditions, options.expect, options.tolerance)
        if outcomes is None:
            return 1
    with ExitStack() as stack:
        engines: tuple[Asked, ...] | None = ()
        if options.engines:
            from .cli.engines import asking

            engines = asking(options.engines, stack)
        if engines is None:
            return 1
        more = More(
            single=options.single or conditions.single,
            articles=options.articles,
            steps=options.steps,
            brief=options.brief,
            fields=options.fields,
            engines=engines,
        )
        as_json = options.json or bool(options.fields)
        status = check(options.files, as_json=as_json, more=more, outcomes=outcomes, jobs=options.jobs)
    if outcomes is not None and options.junit:
        return outcomes.write_junit(Path(options.junit))
    return status


def _render(words: list[str]) -> int:
    from .cli import figure as figures
    from .cli.film import FilmOptions, add_options, nonsense, options_of, render_films
    from .cli.handout import SIZE, render_handouts
    from .cli.handout import nonsense as no_handout
    from .cli.render import planner, render, targets
    from .draw.theme import Palette, theme_named
    from .export.film_file import FORMATS
    from .storage.carried import HANDOUT

    parser = argparse.ArgumentParser(
        prog="separatrix render",
        description="Draw a scene into a PNG, SVG or PDF, a film, or a page of its steps. Needs no display.",
    )
    width, height = DEFAULT_SIZE
    parser.add_argument("scenes", nargs="+", type=_file, metavar="SCENE", help="scene, picture, log, deck or lesson")
    parser.add_argument(
        "-o", "--output", type=_picture_path, metavar="OUT", help="file to write; several scenes: 'DIR/{name}.png'"
    )
    parser.add_argument("--size", type=_size, metavar="WxH", help=f"points, {width}x{height}")
    parser.add_argument("--scale", type=_scale, metavar="N", help="pixels to the point, 1")
    parser.add_argument("--transparent", action="store_true", help="no background")
    parser.add_argument("--theme", choices=("dark", "light", "print"), default="dark", help="ground and colours, dark")
    palettes = [palette.value for palette in Palette]
    parser.add_argument("--palette", choices=palettes, default=Palette.THEME, help="colours that carry meaning, theme")
    parser.add_argument(
        "--step", type=_step, metavar="N", help="step from 1, or as gjk:3 or epa:stop, or 0 for the answer; as kept"
    )
    parser.add_argument(
        "--thumbnail", action="store_true", help="as in the gallery: the world alone, no words, 352x220 pixels"
    )
    figures.add_options(parser)
    add_options(parser)
    options = parser.parse_args(words)
    film, out, drawn = options_of(options), options.output, figures.options_of(options)
    page = out is not None and out.suffix.lower() == HANDOUT
    sized, scaled = options.size is not None, options.scale is not None
    options.size, options.scale = options.size or (SIZE if page else DEFAULT_SIZE), options.scale or 1.0
    if out is None and film.frames is None:
        parser.error("the following arguments are required: -o/--output")
    still = out is not None and not page and out.suffix.lower() not in FORMATS
    # A film's option with a picture: its steps stand on one sheet.
    sheet = (
        still
        and film == FilmOptions.of_steps(film.steps)
        and (isinstance(film.steps, list) or "columns" in drawn.given)
    )
    moving = not page and not sheet and (film.asked or not still)
    if options.thumbnail and (
        moving
        or sheet
        or drawn.given
        or (options.size, options.scale, options.transparent, options.step) != (DEFAULT_SIZE, 1.0, False, None)
    ):
        parser.error(
            "a thumbnail has its own size and shows the answer: of the other options --theme and --palette go with it"
        )
    if options.thumbnail and options.output.suffix.lower() != ".png":
        parser.error("a thumbnail is a PNG")
    if max(options.size) * options.scale > LARGEST_SIDE:
        parser.error(f"the picture must be at most {LARGEST_SIDE} pixels wide and high")
    ending = "" if out is None else out.suffix.lower()
    said = nonsense(film, options.scenes, ending, stepped=options.step is not None, clear=options.transparent)
    if page:
        given = [*drawn.given, *(["scale"] if scaled else []), *(["transparent"] if options.transparent else [])]
        said = no_handout(film, options.scenes, given, stepped=options.step is not None)
    if (moving or page) and said:
        parser.error(said)
    if said := figures.nonsense(drawn, ending, sized=sized, scaled=scaled, film=moving, steps=film.steps is not None):
        parser.error(said)
    if sheet and options.step is not None:
        parser.error("--step goes with one picture; a sheet has its --steps")
    if still and drawn.figure.width is not None and drawn.figure.width / 25.4 * drawn.figure.dpi > LARGEST_SIDE:
        parser.error(f"the picture must be at most {LARGEST_SIDE} pixels wide and high")
    try:
        files = [] if out is None else targets(options.scenes, out)
    except ValueError as error:
        parser.error(f"argument -o/--output: {error}")
    look = options.size, options.scale, theme_named(options.theme, Palette(options.palette))
    if page:
        return render_handouts(files, film, options.size, look[2])
    if moving:
        films = files if out is not None else [(scene, None) for scene in options.scenes]
        return render_films(films, film, *look, options.step)
    clear, thumbnail = options.transparent, options.thumbnail
    figure = figures.with_view(drawn)
    if figure is None:
        return 1
    step = figures.Sheet(film.steps) if sheet and film.steps else options.step

    def made(figure: Figure, loaded: Loaded, ending: str) -> tuple[Plan, View | None]:
        return figures.figure_of(loaded, figure, *look, transparent=clear, step=step, ending=ending)

    # Without options of a figure a picture is as the window shows it; words below a slide are a figure's.
    figured = partial(made, figure)
    plan_of = figured if drawn.given or sheet else planner(*look, transparent=clear, step=options.step)

    def slide(loaded: Loaded, ending: str) -> tuple[Plan, View | None]:
        worded = figures.with_words(loaded, figure, lambda worded: made(worded, loaded, ending))
        return plan_of(loaded, ending) if worded is None else worded

    return render(files, *look, transparent=clear, step=options.step, thumbnail=thumbnail, figured=plan_of, slide=slide)


def _steps(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="separatrix steps",
        description="List the steps of a scene, as render --step takes them. Needs no display.",
    )
    parser.add_argument("scene", type=_file, metavar="SCENE", help="scene, or a screenshot that carries one")
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of text, with sub-steps")
    parser.add_argument("--sub-steps", action="store_true", help="the sub-steps of each as well")
    options = parser.parse_args(words)
    from .cli.steps import steps

    return steps(options.scene, as_json=options.json, sub_steps=options.sub_steps)


def _lesson(words: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="separatrix lesson",
        usage="separatrix lesson FILE... [--open] | NUMBER | --new FILE",
        description="Check lesson files: every goal must be reached by its solution. Needs no display but with --open.",
    )
    parser.add_argument(
        "files", nargs="*", type=_file, metavar="FILE", help="lesson; or a shipped one's number, to open"
    )
    parser.add_argument("--open", action="store_true", help="open the lesson in the window")
    parser.add_argument("--new", type=_file, metavar="FILE", help="write a lesson of three steps to begin with")
    options = parser.parse_args(words)
    if bool(options.files) == bool(options.new) or (options.new and options.open):
        parser.error("needs FILE... or --new FILE alone")
    from .cli.lesson import check_lessons, lesson_to_open, write_skeleton

    if options.new:
        return write_skeleton(options.new)
    numbered = len(options.files) == 1 and options.files[0].isdigit()
    if not options.open and not numbered:
        return check_lessons(options.files)
    if len(options.files) > 1:
        parser.error("argument --open: with one FILE")
    path = lesson_to_open(options.files[0])
    return 1 if path is None else _open_window(path)


def _fields(text: str) -> tuple[str, ...]:
    from .cli.answer_keys import CUT, FIELDS

    for key in text.split(","):
        if key in CUT:
            raise argparse.ArgumentTypeError(f"{key} is not told any more: {CUT[key]}")
    if unknown := [key for key in text.split(",") if key not in FIELDS]:
        raise argparse.ArgumentTypeError(f"must be of {', '.join(FIELDS)}; got {unknown[0]!r}")
    return tuple(text.split(","))


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number from 0 in scene units, got {text!r}")
    return value


def _picture_path(text: str) -> Path:
    from .export.film_file import FORMATS
    from .storage.carried import HANDOUT, PICTURES

    endings = (*PICTURES, HANDOUT, *FORMATS)
    if Path(text).suffix.lower() not in endings:
        raise argparse.ArgumentTypeError(f"must end in {', '.join(endings[:-1])} or {endings[-1]}, got {text!r}")
    return Path(text)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text)
    if match is None or not (int(match[1]) and int(match[2])):
        raise argparse.ArgumentTypeError(f"must be WIDTHxHEIGHT such as 1280x800, got {text!r}")
    return int(match[1]), int(match[2])


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 32.0:
        raise argparse.ArgumentTypeError(f"must be a number from 0.1 to 32, got {text!r}")
    return scale


def _step(text: str) -> int | str:
    if re.fullmatch(r"[a-z]+:(\d{1,6}|stop)(:[A-Za-z0-9-]{1,20})?", text, re.ASCII):
        return text
    if re.fullmatch(r"\d{1,6}", text, re.ASCII) is None:
        wanted = "a step's number, 0 for the answer or from 1, or one such as gjk:3, epa:stop or gjk:3:support-A"
        raise argparse.ArgumentTypeError(f"must be {wanted}; got {text!r}")
    return int(text)


class _ShowVersion(argparse.Action):
    """Shows the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from .storage.files import version

        print(f"separatrix {version()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
