"""`separatrix picture`, `film` and `handout`, and `render`, which chooses one of them by the file's ending.

Makes a parser from the option table of `app/state/export_options.py` and an ExportOptions from the command line.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..draw.label_kinds import KIND_IDS, LABEL_KINDS
from ..io.scene_log import is_log
from ..overlays.registry import OVERLAYS
from ..state.export_options import OPTIONS, ExportOptions, option_name, refusals, usual
from ..state.option import (
    ALL_ENDINGS,
    FILM_ENDINGS,
    HANDOUT_ENDINGS,
    LARGEST_SIDE,
    PRODUCTS,
    FlagKind,
    FormKind,
    Option,
    OptionGroup,
    OverlaysKind,
    PairsKind,
    ValueKind,
)
from ..storage.strict_json import json_line
from .arguments import Parser, file_name, form_name
from .picture import draw_pictures, is_lesson, targets

ABOUT = {
    "picture": "Draw a scene, or each slide of a deck, into a PNG, SVG or PDF, or for LaTeX.",
    "film": "Make a film of a scene's steps, its motion or a turn round it, or of the scenes of a log.",
    "handout": "Make one offline page of a scene's steps, a deck or a lesson.",
    "render": "Make a picture, a film or a handout, as the ending of the file says.",
}
SCENES = {
    "picture": "scene, picture that carries one, text of a pair, or deck",
    "film": "scene, picture that carries one, text of a pair, log or deck",
    "handout": "scene, picture that carries one, text of a pair, deck or lesson",
    "render": "scene, picture that carries one, text of a pair, log, deck or lesson",
}
MOVING = ("times", "turn")
KNOWN_IDS = (*(overlay.id for overlay in OVERLAYS), *KIND_IDS)
CUT_ENDINGS = {".apng": "APNG is not written any more: .webp is as exact and smaller"}
THUMBNAIL = (
    "--thumbnail is not there any more: --size 352x220 --panes world --text none makes a small picture without words"
)


class ExportCommand(Struct, frozen=True):
    """A parsed command line.

    `files`: each scene with its output file; empty if only `--frames` is given. `ending`: the output files', "" for
    none.
    """

    scenes: Sequence[str]
    files: Sequence[tuple[str, Path]]
    options: ExportOptions
    ending: str


def export(verb: str, words: list[str]) -> int:
    """Runs `separatrix VERB`, one of PRODUCTS or render; returns the exit status.

    `words`: the arguments after VERB. A command line that is refused ends the program.
    """
    if "--list-overlays" in words:
        list_overlays(as_json="--json" in words)
        return 0
    asked = parsed(verb, words)
    if asked.ending in HANDOUT_ENDINGS:
        from .handout import make_handouts

        return make_handouts(asked.files, asked.options)
    if asked.ending in FILM_ENDINGS:
        from .film import make_films

        return make_films(asked.files or [(scene, None) for scene in asked.scenes], asked.options)
    return draw_pictures(asked.files, asked.options)


def parsed(verb: str, words: list[str]) -> ExportCommand:
    """Parses the command line. Prints a sentence and ends the program if the options do not fit together."""
    parser = parser_of(verb)
    given = vars(parser.parse_args(words))
    scenes, out = given.pop("scenes"), given.pop("output", None)
    ending = "" if out is None else out.suffix.lower()
    if out is None and "frames" not in given:
        parser.error("the following arguments are required: -o/--output")
    options = ExportOptions(**given)
    for sentence in (*(why for _, why in refusals(given, ending)), *nonsense(options, scenes, ending)):
        parser.error(sentence)
    try:
        files = [] if out is None else targets(scenes, out)
    except ValueError as error:
        parser.error(f"argument -o/--output: {error}")
    return ExportCommand(scenes, files, options, ending)


def nonsense(options: ExportOptions, scenes: Sequence[str], ending: str) -> Iterator[str]:
    """Yields a sentence for each conflict between options, or between an option and the kind of file."""
    if both := sorted(options.show & options.hide):
        yield f"--show and --hide both name {both[0]}"
    if options.suited(ending).largest_side(ending) > LARGEST_SIDE:
        yield f"the picture must be at most {LARGEST_SIDE} pixels wide and high"
    logs = [scene for scene in scenes if is_log(scene)]
    of_a_scene = [
        option_name(name) for name in options.given() if OPTIONS[name].group is OptionGroup.STEPS or name in MOVING
    ]
    if ending in FILM_ENDINGS and len(logs) == len(scenes) and of_a_scene:
        yield f"{of_a_scene[0]} is for a scene; the film of a log shows its scenes one after another"
    if (
        ending in FILM_ENDINGS
        and len(logs) < len(scenes)
        and not (options.steps or options.times or options.turn is not None)
    ):
        yield "a film of a scene shows its --steps, its motion at --times N, or a --turn round it"
    paged = [scene for scene in scenes if is_log(scene) or is_lesson(scene)]
    if ending in HANDOUT_ENDINGS and paged and of_a_scene:
        yield f"{of_a_scene[0]} is for a scene; {paged[0]} has its own pages"


def parser_of(verb: str) -> argparse.ArgumentParser:
    """The parser of `verb`. Options of other verbs are parsed but not listed, so that their refusal can say why."""
    mine = PRODUCTS.get(verb, ALL_ENDINGS)
    parser = Parser(prog=f"separatrix {verb}", description=f"{ABOUT[verb]} Needs no display.")
    parser.add_argument("scenes", nargs="+", type=file_name, metavar="SCENE", help=SCENES[verb])
    parser.add_argument(
        "-o",
        "--output",
        type=_output(verb),
        metavar="OUT",
        required="" not in mine,
        default=argparse.SUPPRESS,
        help="file to write; several scenes: 'DIR/{name}" + mine[0] + "'",
    )
    parser.add_argument(
        "--list-overlays",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print the ids of overlays and kinds of labels, with --json as JSON",
    )
    parser.add_argument("--thumbnail", action=_Cut, nargs=0, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    groups = {group: parser.add_argument_group(group.lower()) for group in OptionGroup}
    for name, option in OPTIONS.items():
        groups[option.group].add_argument(
            option_name(name), dest=name, **argument(name, option, listed=bool({*mine} & {*option.takes}))
        )
    return parser


def argument(name: str, option: Option, *, listed: bool) -> dict[str, Any]:
    """The arguments of `add_argument` for an option; an option that is not given sets nothing.

    `listed`: whether the help has it.
    """
    said = ", ".join(filter(None, (option.help, option.kind.usage().limits)))
    said += f" (default: {usual(name)})" if usual(name) else ""
    told = said.replace("%", "%%") if listed else argparse.SUPPRESS
    words: dict[str, Any] = {"default": argparse.SUPPRESS, "help": told}
    if isinstance(option.kind, FlagKind):
        return words | {"action": "store_true"}
    if isinstance(option.kind, PairsKind):
        words["action"] = _More
    bare = {} if option.bare is None else {"nargs": "?", "const": option.bare}
    return words | bare | {"type": reader(option.kind), "metavar": option.kind.usage().form}


def _near(name: str) -> str:
    near = get_close_matches(name, KNOWN_IDS, 3, 0.4)
    return f", as {' or '.join(near)}; got {name!r}" if near else f"; got {name!r}"


def reader(kind: ValueKind) -> Callable[[str], Any]:
    """The function that reads a value of the command line.

    It raises ArgumentTypeError, with a sentence, for a refused text.
    """

    def read(text: str) -> Any:
        try:
            if isinstance(kind, OverlaysKind) and (
                unknown := [name for name in text.split(",") if name not in KNOWN_IDS]
            ):
                raise ValueError(f"must be {kind.usage().wanted} (--list-overlays tells them){_near(unknown[0])}")
            return form_name(text) if isinstance(kind, FormKind) else kind.read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def wrong_ending(file: str, endings: Iterable[str]) -> str:
    """The words on a file with none of these endings, to follow what it is."""
    *most, last = filter(None, endings)
    return f"must end in {' or '.join(filter(None, (', '.join(most), last)))}, got {file!r}"


def _output(verb: str) -> Callable[[str], Path]:
    def read(text: str) -> Path:
        ending, mine = Path(text).suffix.lower(), PRODUCTS.get(verb, ALL_ENDINGS)
        if ending in CUT_ENDINGS:
            raise argparse.ArgumentTypeError(CUT_ENDINGS[ending])
        if not ending or ending not in mine:
            other = [f"; separatrix {each} makes that" for each, made in PRODUCTS.items() if ending and ending in made]
            raise argparse.ArgumentTypeError(f"{wrong_ending(text, mine)}{''.join(other[:1])}")
        return Path(text)

    return read


class _Cut(argparse.Action):
    """Action of the removed option `--thumbnail`: refuses it with what to use instead."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(THUMBNAIL)


class _More(argparse.Action):
    """Action of an option that may be given several times: joins the values, and refuses what they are together."""

    def __call__(self, _parser: object, namespace: argparse.Namespace, values: Any, _name: object = None) -> None:
        joined = *getattr(namespace, self.dest, ()), *values
        if why := OPTIONS[self.dest].kind.fault(joined):
            raise argparse.ArgumentError(self, why)
        setattr(namespace, self.dest, joined)


def list_overlays(*, as_json: bool) -> None:
    """Prints each id that `--show` and `--hide` accept with a sentence; in JSON each on a line."""
    for group, rows in listed_ids().items():
        if as_json:
            print(*[json_line({"id": name, "of": group, "shows": tip}) for name, tip in rows.items()], sep="\n")
        else:
            print(f"{group}:", *[f"  {name:<18}{tip}" for name, tip in rows.items()], sep="\n")


def listed_ids() -> dict[str, dict[str, str]]:
    """The ids that `--show` and `--hide` accept, each with a sentence, under `overlays` and `labels`."""
    overlays = {overlay.id: f"{overlay.title}. {overlay.tip}." for overlay in OVERLAYS}
    labels = {kind.id: f"{kind.title}. {kind.tip}." for kind in LABEL_KINDS}
    return {"overlays": overlays, "labels": labels}
