"""The command line: opens a scene, and runs the commands that check scenes, make pictures, and ask engines.

Exit status: 0; 1 for a refusal or a fault; 2 for bad usage; 3 when `check` finds a failed condition, or an unexpected
or missing answer (and no scene was refused), or `hunt` finds a wrong answer. The statuses 130 after Ctrl-C, except in
`hunt`, and 141 for a closed pipe come without a message.
"""

from __future__ import annotations

import argparse
import errno
import os
import sys
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from .cli.arguments import Parser, add_form
from .cli.arguments import conditions as _conditions
from .cli.arguments import corner_count as _corners
from .cli.arguments import engine_names as _engine_names
from .cli.arguments import file_name as _file
from .cli.arguments import jobs as _jobs
from .cli.arguments import step_list as _step_list
from .cli.streams import make_readable

if TYPE_CHECKING:
    from .engines.asked import EngineSession
    from .storage.doctor import Graphics

USAGE = """separatrix [SCENE] | MESH [--simplify N]
       separatrix check FILE... [--json | --fields KEYS | --brief] [--single] [--articles] [--steps] [--jobs N]
                        [--engines coal,mujoco] [--expect FILE [--tolerance X]] [--fail-on CONDITIONS] [--junit FILE]
       separatrix picture SCENE... -o OUT.png|.svg|.pdf|.tex [OPTIONS]
       separatrix film SCENE|LOG|DECK... -o OUT.gif|.webp|.avif|.mp4 --steps [STEPS] | --times N | --turn
                       [OPTIONS]
       separatrix handout SCENE|DECK|LESSON... -o OUT.html [OPTIONS]
       separatrix steps SCENE [--of STEPS] [--json] [--sub-steps]
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
  separatrix picture    draw a scene into a PNG, SVG or PDF; --help lists the options
  separatrix film       make a film of its steps, its motion or a turn round it
  separatrix handout    make one offline page of its steps, of a deck or of a lesson
  separatrix render     one of these three, as the ending of the file says
  separatrix steps      list the steps of a scene, by the numbers and names that --step takes
  separatrix lesson     check lesson files without a display, open one, or begin a new one
  separatrix engines    list the collision engines that are found, and ask each ten pairs
  separatrix doctor     say what this machine has of what the program needs, and what mends the rest
  separatrix desktop    put the program into the menu of a Linux desktop, with an icon and a file type, or out of it
  separatrix hunt       look for pairs about which engines are wrong
  separatrix bundle     put all that a bug report about an engine needs into one zip
  separatrix shrink     find a scene with few digits of which the same is true"""

SAID = ("check", "steps", "engines", "doctor")
"""Commands that are useless without standard output."""
READER_GONE = 141
INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line; returns the exit status. `arguments`: None for the process's own."""
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
        # Commands report the errors of their files; another OSError is mostly of standard output, closed or full.
        # Windows reports a closed pipe as an invalid argument.
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
    commands = {"check": _check, "steps": _steps, "lesson": _lesson}
    commands |= {verb: partial(_export, verb) for verb in ("picture", "film", "handout", "render")}
    if words and words[0] in ("engines", "hunt", "bundle", "shrink"):
        from .cli.engine_commands import COMMANDS

        commands |= COMMANDS
    if words and words[0] in ("doctor", "desktop"):
        from .cli.desk_commands import COMMANDS

        commands |= COMMANDS
    return commands[words[0]](words[1:]) if words and words[0] in commands else _open(words)


def _drop_output() -> None:
    with suppress(AttributeError, OSError):  # standard output is None or no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes standard output again at exit


def _open(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix", usage=USAGE, description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scene", nargs="?", type=_file, metavar="SCENE", help="what to open, else the first preset")
    parser.add_argument(
        "--simplify", type=_corners, metavar="N", help="of a mesh whose hull has more corners keep N, 4 or more"
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and exit")
    options, more = parser.parse_known_args(words)
    if more and options.scene is not None and not Path(options.scene).exists():
        parser.error(f"{options.scene} is neither a command nor a file")
    if more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if options.simplify is not None and Path(options.scene or "").suffix.lower() not in (".obj", ".stl"):
        parser.error("--simplify is for a mesh (.obj, .stl)")
    return _open_window(None if options.scene is None else Path(options.scene), options.simplify)


def _open_window(path: Path | None, most: int | None = None) -> int:
    from .application import main as open_window
    from .render import GraphicsUnavailable

    try:
        return open_window(path, most)
    except GraphicsUnavailable as error:
        from .cli.picture import show_without_window

        return show_without_window(None if path is None else str(path), str(error))
    except Exception as error:
        from .storage.doctor import asked_graphics

        # A fault leaves the autosave in place, so the next start offers the unsaved work.
        return _stopped(error, asked_graphics(), " Unsaved work is offered at the next start.")


def _stopped(error: Exception, graphics: Graphics | None = None, rest: str = "") -> int:
    """Prints one sentence on the fault that ended the program and where the details are; returns the exit status."""
    try:
        from .cli.faults import details, exception_words
        from .io.fault_report import keep_report, report

        where = details(*keep_report(report("Separatrix", error, graphics or {"window": "not asked"})))
        said = f"stopped by a fault of its own ({exception_words(error)}); {where}."
    except ImportError as missing:
        said = f"stopped by a fault of its own ({type(error).__name__}: {error}); no details were written: {missing}."
    if sys.stderr is not None:
        print(f"separatrix: {said}{rest}", file=sys.stderr)
    return 1


def _check(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix check", description="Print every algorithm's answer about scenes. Needs no display."
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=_file,
        metavar="FILE",
        help="scene, text of a pair, .jsonl log (one scene a line), or -",
    )
    add_form(parser)
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
    from .cli.check import CheckOptions, check
    from .cli.outcomes import Conditions, asked_for

    conditions = options.fail_on or Conditions()
    outcomes = None
    if options.expect or options.fail_on or options.junit:
        outcomes = asked_for(conditions, options.expect, options.tolerance)
        if outcomes is None:
            return 1
    with ExitStack() as stack:
        engines: tuple[EngineSession, ...] | None = ()
        if options.engines:
            from .cli.engines import engine_sessions

            engines = engine_sessions(options.engines, stack)
        if engines is None:
            return 1
        wanted = CheckOptions(
            single=options.single or conditions.single,
            articles=options.articles,
            steps=options.steps,
            brief=options.brief,
            fields=options.fields,
            engines=engines,
            form=options.form or "",
        )
        as_json = options.json or bool(options.fields)
        status = check(options.files, as_json=as_json, options=wanted, outcomes=outcomes, jobs=options.jobs)
    if outcomes is not None and options.junit:
        return outcomes.write_junit(Path(options.junit))
    return status


def _export(verb: str, words: list[str]) -> int:
    from .cli.export import export

    return export(verb, words)


def _steps(words: list[str]) -> int:
    parser = Parser(
        prog="separatrix steps",
        description="List the steps of a scene, as --step takes them. Needs no display.",
    )
    parser.add_argument("scene", type=_file, metavar="SCENE", help="scene, picture that carries one, or text of a pair")
    named = "these steps alone, as gjk, mpr, gjk:1-4 or epa:stop"
    parser.add_argument("--of", "--steps", type=_step_list, default="all", metavar="STEPS", help=named)
    add_form(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line instead of text, with sub-steps")
    parser.add_argument("--sub-steps", action="store_true", help="the sub-steps of each as well")
    options = parser.parse_args(words)
    from .cli.steps import steps

    form = options.form or ""
    return steps(options.scene, form, of=options.of, as_json=options.json, sub_steps=options.sub_steps)


def _lesson(words: list[str]) -> int:
    parser = Parser(
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
    from .cli.answer_keys import ANSWER_NAMES, CUT

    for key in text.split(","):
        if key in CUT:
            raise argparse.ArgumentTypeError(f"{key} is not told any more: {CUT[key]}")
    if unknown := [key for key in text.split(",") if key not in ANSWER_NAMES]:
        raise argparse.ArgumentTypeError(f"must be of {', '.join(ANSWER_NAMES)}; got {unknown[0]!r}")
    return tuple(text.split(","))


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number from 0 in scene units, got {text!r}")
    return value


class _ShowVersion(argparse.Action):
    """Prints the version; looks the version up only when the user asks."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from .storage.files import version

        print(f"separatrix {version()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
