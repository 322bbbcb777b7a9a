"""`separatrix render` into a figure of a real size, with a legend and a caption, and into sheets of several steps."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..draw.camera import DISTANCE_LIMITS
from ..draw.text import lacking
from ..draw.theme import Theme
from ..io.deck_file import Slide
from ..io.scene_file import Loaded, SceneError, load_view
from ..overlays.registry import OVERLAYS, STRANGE
from ..render.figure import FigureError, NoRoomError, figure_plan, kept_view
from ..render.film import MOST_ON_A_SHEET, Steps, on_a_sheet
from ..render.still import Plan
from ..state.figure import DPI, FONT, GAUSS, GAUSS_LARGE, MARGIN, OUTLINES, PANES, TEXTS, Figure
from ..state.view import View
from ..storage.files import reason_of
from .film import all_steps
from .picture import refused, seen_of

MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.0}


class Sheet(Struct, frozen=True):
    """Several steps of a scene, on one picture."""

    steps: Steps


class FigureOptions(Struct, frozen=True):
    """What is asked for on the command line. `given`: the options by their names; `view`: the file of `--view`."""

    figure: Figure
    given: frozenset[str]
    view: str | None = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of a figure, in a group of their own; one that is not given is None."""
    group = parser.add_argument_group("figure", "for .png, .svg and .pdf")
    group.add_argument("--width", type=_length(10.0, 2000.0), metavar="L", help="on paper, as 8.5cm, 3.3in, 240pt")
    group.add_argument("--font", type=_font, metavar="N", help=f"size of its letters with --width, {FONT:g}pt")
    group.add_argument("--dpi", type=_number(30.0, 2400.0, "pixels to the inch"), metavar="N", help=f"PNG, {DPI:g}")
    group.add_argument("--digits", type=_digits, metavar="N", help="significant digits of its numbers, 2 to 17")
    group.add_argument("--crop", action="store_true", default=None, help="to what is drawn")
    group.add_argument("--margin", type=_length(0.0, 100.0), metavar="L", help=f"round it, {MARGIN:g}mm")
    group.add_argument("--text", choices=TEXTS, help="letters as a font inside, as outlines, or none")
    group.add_argument("--panes", choices=PANES, help="which panes, as kept")
    group.add_argument("--camera", type=_camera, metavar="YAW,PITCH[,DISTANCE]", help="degrees, scene units")
    group.add_argument("--view", type=_named, metavar="FILE", help="cameras, panes and overlays of another scene")
    group.add_argument("--show", type=_overlays, metavar="A,B", help="overlays by their ids")
    group.add_argument("--hide", type=_overlays, metavar="A,B", help="overlays by their ids")
    group.add_argument("--hatch", action="store_true", default=None, help="lines on faces of A - B, by family")
    group.add_argument("--legend", action="store_true", default=None, help="what its colours stand for")
    group.add_argument("--caption", type=_words, metavar="TEXT", help="below it; auto: name, step and verdict")
    group.add_argument("--alt", metavar="TEXT", help="what a screen reader says; else the same in more words")
    group.add_argument("--label", type=_words, metavar="TEXT", help="below the picture, as '(a)'")
    group.add_argument("--columns", type=_columns, metavar="N", help="with --steps: a sheet of several pictures")


def options_of(words: argparse.Namespace) -> FigureOptions:
    """What was asked for, of the parsed command line."""
    names = [*Figure.__struct_fields__]
    asked = {name: value for name in names if (value := getattr(words, name)) is not None}
    figure = Figure(**{name: value for name, value in asked.items() if name != "view"})
    return FigureOptions(figure, frozenset(asked), asked.get("view"))


def _length(least: float, most: float) -> Callable[[str], float]:
    """Reader of a length in millimetres."""

    def read(text: str) -> float:
        match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,6})?)(mm|cm|in|pt)", text, re.ASCII)
        length = float(match[1]) * MILLIMETRES[match[2]] if match else -1.0
        if not least <= length <= most:
            wanted = f"a length such as 8.5cm, 85mm, 3.3in or 240pt, from {least:g} to {most:g} mm"
            raise argparse.ArgumentTypeError(f"must be {wanted}; got {text!r}")
        return length

    return read


def _number(least: float, most: float, unit: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = float(text) if re.fullmatch(r"\d{1,5}(\.\d{1,6})?", text, re.ASCII) else -1.0
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be from {least:g} to {most:g} {unit}, got {text!r}")
        return value

    return read


def _font(text: str) -> float:
    return _number(3.0, 72.0, "pt")(text.removesuffix("pt"))


def _digits(text: str) -> int:
    if re.fullmatch(r"\d{1,2}", text, re.ASCII) is None or not 2 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"must be a whole number from 2 to 17, got {text!r}")
    return int(text)


def _columns(text: str) -> int:
    if re.fullmatch(r"\d{1,2}", text, re.ASCII) is None or not 1 <= int(text) <= MOST_ON_A_SHEET:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MOST_ON_A_SHEET}, got {text!r}")
    return int(text)


def _camera(text: str) -> tuple[float, ...]:
    try:
        values = tuple(float(part) for part in text.split(","))
    except ValueError:
        values = ()
    low, high = DISTANCE_LIMITS
    turned = len(values) in (2, 3) and abs(values[0]) <= 360.0 and abs(values[1]) <= 90.0
    if not turned or not all(low <= distance <= high for distance in values[2:]):
        raise argparse.ArgumentTypeError(
            "must be YAW,PITCH in degrees, such as 35,22, within ±360 and ±90, and perhaps a distance of "
            f"{low:g} to {high:g} scene units; got {text!r}"
        )
    return values


def _overlays(text: str) -> frozenset[str]:
    known = [overlay.id for overlay in OVERLAYS]
    if unknown := [name for name in text.split(",") if name not in known]:
        raise argparse.ArgumentTypeError(f"must be of {', '.join(known)}; got {unknown[0]!r}")
    return frozenset(text.split(","))


def _named(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("must be a file's name, got an empty one")
    return text


def _words(text: str) -> str:
    if missing := lacking(text):
        raise argparse.ArgumentTypeError(f"has characters that the program's font has no letters for: {missing}")
    if not text.strip() or len(text) > 2000:
        raise argparse.ArgumentTypeError(f"must be a text of 1 to 2000 characters, got {len(text)}")
    return text


def nonsense(options: FigureOptions, ending: str, *, sized: bool, scaled: bool, film: bool, steps: bool) -> str | None:
    """Why no figure can be made so, in a sentence; None where one can.

    `sized`, `scaled`: --size and --scale are there; `film`: it would move; `steps`: --steps is there.
    """
    given, figure = options.given, options.figure
    if film:
        return f"--{min(given)} is for a picture: a film does not take it" if given else None
    if "columns" in given and not steps:
        return "--columns goes with --steps"
    if "label" in given and steps:
        return "--label is for one picture: those of a sheet have (a), (b) and so on"
    if "width" in given and (sized or scaled):
        return f"--width goes without --{'size' if sized else 'scale'}: the width and --font say both"
    if "width" not in given and (alone := sorted(given & {"font", "dpi"})):
        return f"--{alone[0]} goes with --width"
    if "dpi" in given and ending != ".png":
        return "--dpi is for .png: there are no pixels in .svg and .pdf"
    if "margin" in given and not figure.crop:
        return "--margin goes with --crop"
    if figure.text == OUTLINES and ending == ".png":
        return "--text outlines is for .svg and .pdf"
    if figure.text == "none" and (worded := sorted(given & {"legend", "caption", "label"})):
        return f"--text none leaves no words: --{worded[0]} does not go with it"
    if "view" in given and (twice := sorted(given & {"panes", "camera"})):
        return f"--view has panes and cameras of its own: --{twice[0]} does not go with it"
    if both := sorted(figure.show & figure.hide):
        return f"--show and --hide both name {both[0]}"
    return None


def with_view(options: FigureOptions) -> Figure | None:
    """The figure with the view of its file, if it has one; None where that is refused, which is told."""
    try:
        return options.figure if options.view is None else replace(options.figure, view=load_view(options.view))
    except SceneError as error:
        refused(str(error))
    except OSError as error:
        refused(f"{options.view}: {reason_of(error)}")
    return None


def figure_of(
    loaded: Loaded,
    figure: Figure,
    size: tuple[int, int],
    scale: float,
    theme: Theme,
    *,
    transparent: bool,
    step: int | str | Sheet | None,
    ending: str,
) -> tuple[Plan, View | None]:
    """The plan of a scene's figure, or of the sheet of its steps, and the view that travels inside.

    Raises NoSuchStepError, and FigureError for what the scene has not.
    """
    if isinstance(step, Sheet) and isinstance(loaded, Slide):
        raise FigureError("is a deck: each of its slides has its own step, so a sheet of --steps does not go with it")
    view = figure.looked_at(loaded.view or View())
    loaded = replace(loaded, view=view)
    if figure.camera is not None and view.facing(loaded.scene) is not view:
        raise FigureError("is a scene of the plane, which is looked at straight on: no --camera")
    if figure.panes == GAUSS and GAUSS_LARGE in STRANGE[loaded.scene.dimension]:
        raise FigureError("is a scene of the plane: its Gauss map has no picture of its own")
    seen, kept = seen_of(loaded, theme, 0 if isinstance(step, Sheet) else step)
    shots = on_a_sheet(seen, all_steps(seen), step.steps) if isinstance(step, Sheet) else [seen]
    plan = figure_plan(shots, figure, size, scale, transparent, vectors=ending != ".png")
    return plan, kept if kept is None else kept_view(kept, shots, figure, size)


def with_words(
    slide: Loaded, figure: Figure, made: Callable[[Figure], tuple[Plan, View | None]]
) -> tuple[Plan, View | None] | None:
    """What is `made` of the figure with a slide's words below it; None where it has none or another caption.

    None also where they have no room, or the program's font cannot write them, which is told: the picture counts more.
    """
    words, name = slide.scene.notes, slide.scene.name or "A slide"
    if figure.caption or figure.text == "none" or not words.strip():
        return None
    if missing := lacking(words):
        print(f"{name}: its words are left out, the program's font has no letters for {missing}", file=sys.stderr)
        return None
    try:
        # Led by a space, which is not drawn: a slide may say "auto".
        return made(replace(figure, caption=f" {words}"))
    except NoRoomError as error:
        print(f"{name} {error}: its words are left out", file=sys.stderr)
        return None
