"""Option, a row of the table of export options in `app/state/export_options.py`, and the kinds of values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from ..draw.camera import DISTANCE_LIMITS
from ..draw.label_names import Called
from ..storage.carried import HANDOUT
from ..storage.carried import OPENED_PICTURES as CARRIERS
from .named_steps import STEP_WANTED, STEPS_WANTED, read_step, read_steps

T = TypeVar("T")

LARGEST_SIDE = 32768
"""The longest side of a picture in pixels. There positions in single precision are exact to a hundredth of a pixel.

Such a picture was made and opened. `refuse_beyond` checks the memory before a picture is drawn.
"""
AUTO = "auto"
MOST_LETTERS = 2000
"""The most characters of a text."""
LARGEST_MOVE = 2000
"""The largest move of a label by hand along each axis, in points."""
ASPECT_LIMITS = 0.1, 10.0
"""The least and the largest ratio of a picture's width to its height."""
MOST_ASPECT, SAME_ASPECT = 1000, 1e-9
"""The largest H of a ratio's text W:H, and the largest error of that text; other ratios are written as numbers."""
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.0}


class Usage(NamedTuple):
    """The texts on a kind of value. `form`: in usage; `wanted`: follows "must be"; `limits`: with their unit, or ""."""

    form: str
    wanted: str
    limits: str = ""


class ValueKind(Struct, frozen=True):
    """A kind of values of options, with their text on the command line and their limits."""

    def usage(self) -> Usage:
        """The texts on the values; empty for a switch."""
        return Usage("", "")

    def parsed(self, text: str) -> Any:
        """The value of a text, also beyond the limits; None if the text is no value.

        TextKind raises ValueError for letters that the font lacks.
        """
        return text

    def formatted(self, value: Any) -> str:
        """The value as text of the command line; numbers have at most six digits."""
        return str(value)

    def fits(self, value: Any) -> bool:  # noqa: ARG002 - a kind without limits accepts all
        """Whether the value is within the limits."""
        return True

    def unfit(self, value: Any, ending: str) -> str:  # noqa: ARG002 - most values are allowed in every file
        """Why the value is not allowed for files of this ending, to follow the option's name; "" if it is."""
        return ""

    def fault(self, value: Any) -> str:
        """The words on a value outside the limits, to follow the option's name; "" if it fits."""
        return "" if self.fits(value) else f"must be {self.usage().wanted}, got {self.formatted(value)}"

    def read(self, text: str) -> Any:
        """The value of a text on the command line.

        Raises ValueError, with words to follow the option's name, for no value and for one beyond the limits.
        """
        value = self.parsed(text)
        if why := f"must be {self.usage().wanted}, got {text!r}" if value is None else self.fault(value):
            raise ValueError(why)
        return value


class FlagKind(ValueKind, frozen=True):
    """A switch, which has no value on the command line."""

    def formatted(self, value: bool) -> str:  # noqa: ARG002 - a switch has no value
        return ""


class NumberKind(ValueKind, frozen=True):
    """A number from `least` to `most`, perhaps followed by `unit`. `whole`: without sign, at most six digits.

    `offers`: the values that a dialog offers, with their titles; without them the dialog has a field for a number.
    `most_for`: the largest value for files of some endings.
    """

    least: float
    most: float
    unit: str = ""
    whole: bool = False
    offers: Mapping[Any, str] = {}
    most_for: Mapping[str, float] = {}

    def usage(self) -> Usage:
        limits = f"{self.least:g} to {self.most:g} {self.unit}".rstrip()
        return Usage("N", f"{'a whole number' if self.whole else 'a number'} from {limits}", limits)

    def parsed(self, text: str) -> float | None:
        bare = text.removesuffix(self.unit)
        if self.whole:
            return int(bare) if re.fullmatch(r"\d{1,6}", bare, re.ASCII) else None
        try:
            return float(bare)
        except ValueError:
            return None

    def formatted(self, value: float) -> str:
        return f"{value:g}"

    def fits(self, value: float) -> bool:
        return self.least <= value <= self.most

    def unfit(self, value: float, ending: str) -> str:
        most = self.most_for.get(ending, self.most)
        return "" if value <= most else f"must be at most {most:g} {self.unit} for {ending}, got {value:g}"


class LengthKind(ValueKind, frozen=True):
    """A length on paper from `least` to `most`, in millimetres."""

    least: float
    most: float

    def usage(self) -> Usage:
        limits = f"{self.least:g} to {self.most:g} mm"
        return Usage("LENGTH", f"a length such as 8.5cm, 85mm, 3.3in or 240pt, from {limits}", limits)

    def parsed(self, text: str) -> float | None:
        match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,17})?)(mm|cm|in|pt)", text, re.ASCII)
        return float(match[1]) * MILLIMETRES[match[2]] if match else None

    def formatted(self, value: float) -> str:
        return f"{value:g}mm"

    def fits(self, value: float) -> bool:
        return self.least <= value <= self.most


class SizeKind(ValueKind, frozen=True):
    """A width and a height in points, 1 to LARGEST_SIDE each."""

    def usage(self) -> Usage:
        return Usage("WxH", f"WIDTHxHEIGHT such as 1280x800, at most {LARGEST_SIDE} each")

    def parsed(self, text: str) -> tuple[int, int] | None:
        match = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text)
        return (int(match[1]), int(match[2])) if match else None

    def formatted(self, value: Sequence[int]) -> str:
        return f"{value[0]}x{value[1]}"

    def fits(self, value: Sequence[int]) -> bool:
        return all(1 <= side <= LARGEST_SIDE for side in value)


class AspectKind(ValueKind, frozen=True):
    """Width over height, written as 16:9, or as a number."""

    def usage(self) -> Usage:
        low, high = ASPECT_LIMITS
        return Usage("W:H", f"width to height such as 16:9, or their ratio, from {low:g} to {high:g}")

    def parsed(self, text: str) -> float | None:
        match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,17})?)(?::(\d{1,5}(?:\.\d{1,17})?))?", text, re.ASCII)
        if match is None or not float(match[2] or 1.0):
            return None
        return float(match[1]) / float(match[2] or 1.0)

    def formatted(self, value: float) -> str:
        from fractions import Fraction  # seldom needed

        found = Fraction(value).limit_denominator(MOST_ASPECT)
        if abs(found - value) < SAME_ASPECT:
            return f"{found.numerator}:{found.denominator}"
        short = f"{value:.6f}".rstrip("0")
        return short if float(short) == value else f"{1000.0 * value:.6f}".rstrip("0") + ":1000"

    def fits(self, value: float) -> bool:
        return ASPECT_LIMITS[0] <= value <= ASPECT_LIMITS[1]


class ChoiceKind(ValueKind, frozen=True):
    """One of a set of words.

    `titles`: the words, with their titles in a dialog. `only`: for a word that not all files accept, the endings of
    those that do.
    """

    titles: Mapping[str, str]
    only: Mapping[str, tuple[str, ...]] = {}

    def usage(self) -> Usage:
        return Usage("|".join(self.titles), f"one of {', '.join(self.titles)}")

    def fits(self, value: str) -> bool:
        return value in self.titles

    def unfit(self, value: str, ending: str) -> str:
        only = self.only.get(value, (ending,))
        return "" if ending in only else f"{value} is for {for_files(only)}, not for {for_files([ending])}"


class TextKind(ValueKind, frozen=True):
    """A text that the program's font can write. `auto`: title in dialogs of the value AUTO, a generated text; "": none.

    `parsed` raises ValueError, with words to follow the option's name, for letters that the font lacks.
    """

    auto: str = ""

    def usage(self) -> Usage:
        return Usage("TEXT|auto" if self.auto else "TEXT", f"a text of 1 to {MOST_LETTERS} characters")

    def parsed(self, text: str) -> str | None:
        # Imported here because the command `check` needs no font.
        from ..draw.text import lacking

        if missing := lacking(text):
            raise ValueError(f"has characters that the program's font has no letters for: {missing}")
        return text if text.strip() and len(text) <= MOST_LETTERS else None


class CameraKind(ValueKind, frozen=True):
    """Yaw and pitch in degrees, and optionally the distance in scene units."""

    def usage(self) -> Usage:
        low, high = DISTANCE_LIMITS
        angles = "YAW,PITCH in degrees, such as 35,22, within ±360 and ±90"
        return Usage("YAW,PITCH[,DISTANCE]", f"{angles}, and perhaps a distance of {low:g} to {high:g} scene units")

    def parsed(self, text: str) -> tuple[float, ...] | None:
        try:
            return tuple(float(part) for part in text.split(","))
        except ValueError:
            return None

    def formatted(self, value: Sequence[float]) -> str:
        return ",".join(f"{part:g}" for part in value)

    def fits(self, value: Sequence[float]) -> bool:
        low, high = DISTANCE_LIMITS
        turned = len(value) in (2, 3) and abs(value[0]) <= 360.0 and abs(value[1]) <= 90.0
        return turned and all(low <= distance <= high for distance in value[2:])


class OverlaysKind(ValueKind, frozen=True):
    """Ids of overlays and kinds of labels. The command line checks them, because this package does not know them."""

    def usage(self) -> Usage:
        return Usage("A,B", "ids of overlays and labels")

    def parsed(self, text: str) -> frozenset[str]:
        return frozenset(text.split(","))

    def formatted(self, value: frozenset[str]) -> str:
        return ",".join(sorted(value))


class PairsKind(ValueKind, frozen=True):
    """Names of labels, each with a value: `--rename A=P,B=Q`. The option may also be repeated for each name."""

    def parsed(self, text: str) -> tuple[tuple[str, Any], ...] | None:
        pairs = [part.partition("=") for part in re.split(r",(?=[^,=$]+=)", text)]
        found = [(name.strip(), self.given(value.strip())) for name, _, value in pairs]
        if not all(name and value is not None for name, value in found) or len(text) > MOST_LETTERS:
            return None
        return tuple(found)

    def fault(self, value: Sequence[tuple[str, Any]]) -> str:
        called = [Called.of(name) for name, _ in value]
        again = [name for k, (name, _) in enumerate(value) if called[k] in called[:k]]
        return f"must have each name once, got {again[0]!r} twice" if again else super().fault(value)

    def given(self, value: str) -> Any:
        """The value of the text after a name; None if the text is no value."""
        return value or None

    def formatted(self, value: Sequence[tuple[str, Any]]) -> str:
        return ",".join(f"{name}={self.written(given)}" for name, given in value)

    def written(self, given: Any) -> str:
        """The value of a name as text of the command line."""
        return str(given)


class RenamesKind(PairsKind, frozen=True):
    """Names of labels and the names that replace them, which may contain TeX between dollar signs."""

    def usage(self) -> Usage:
        return Usage("NAME=TEXT", "a label's name and its other one, such as A.v4=$a_4$")


class MovesKind(PairsKind, frozen=True):
    """Names of labels, and the move of each: points to the right and down."""

    def usage(self) -> Usage:
        return Usage(
            "NAME=X,Y", f"a label's name and points to the right and down, such as A.v4=3,-2, at most {LARGEST_MOVE}"
        )

    def given(self, value: str) -> tuple[float, float] | None:
        found = re.fullmatch(r"([+-]?\d{1,4}(?:\.\d{1,6})?),([+-]?\d{1,4}(?:\.\d{1,6})?)", value, re.ASCII)
        return (float(found[1]), float(found[2])) if found else None

    def written(self, given: tuple[float, float]) -> str:
        return ",".join(f"{part:g}" for part in given)

    def fits(self, value: Sequence[tuple[str, tuple[float, float]]]) -> bool:
        return all(abs(part) <= LARGEST_MOVE for _, by in value for part in by)


class NameKind(ValueKind, frozen=True):
    """The name of a file or a folder. `form`: the word for it in usage."""

    form: str

    def usage(self) -> Usage:
        return Usage(self.form, "a name")

    def parsed(self, text: str) -> str | None:
        return text or None


class FormKind(ValueKind, frozen=True):
    """The form of a text with a pair, such as bullet.

    The command line checks it, because this package does not know the forms.
    """

    def usage(self) -> Usage:
        return Usage("NAME", "the name of a form")


class StepPlaceKind(ValueKind, frozen=True):
    """A step by its number or its phase, or a sub-step. The value is the text itself."""

    def usage(self) -> Usage:
        return Usage("N|PHASE:N", STEP_WANTED)

    def parsed(self, text: str) -> str | None:
        return _if_read(read_step, text)


class StepsKind(ValueKind, frozen=True):
    """Several steps, as read by `read_steps`. The value is the text itself."""

    def usage(self) -> Usage:
        return Usage("STEPS", STEPS_WANTED)

    def parsed(self, text: str) -> str | None:
        return _if_read(read_steps, text)


def _if_read(read: Callable[[str], Any], text: str) -> str | None:
    try:
        read(text)
    except ValueError:
        return None
    return text


class OptionGroup(StrEnum):
    """Groups of options. The value is the heading in the dialogs and the guide, and in lower case in `--help`."""

    SCENE = "Scene"
    SIZE = "Size"
    LOOK = "Look"
    WORDS = "Words"
    CAMERA = "Camera"
    SHOWN = "Shown"
    STEPS = "Steps"
    FILM = "Film"


class Option(Struct, frozen=True):
    """A row of the table.

    `help`: its purpose, a phrase without the default. `takes`: endings of the files that accept it. `label`: the title
    of its field in the dialogs, "" for none. `needs`: an option without which it does not apply. `unset`: the meaning
    of the default None, in words. `bare`: its value if the command line gives only its name. `tick`: for the default
    None, the title of a check box that sets a value. `start`: the value that it sets; without a check box, the value
    shown for None. `none`: the title of the default None in a list. `plain`: a picture with only plain options keeps
    the window's background and texts; any other option makes it a figure. `word`: its name on the command line, if
    that is not the field's. `why`: the reason why other files do not take it, written after a colon.
    """

    kind: ValueKind
    help: str
    takes: tuple[str, ...]
    group: OptionGroup
    label: str = ""
    needs: str = ""
    unset: str = ""
    bare: Any = None
    tick: str = ""
    start: Any = None
    none: str = ""
    plain: bool = False
    word: str = ""
    why: str = ""

    def default(self, value: T) -> T:
        """A dataclass field with this row and this default."""
        return field(default=value, metadata={"option": self})


class Conflict(Struct, frozen=True):
    """Two options that exclude each other: `first` is refused. `second` may name one value, as in `text=none`.

    `why`: the reason, to follow a colon. `unless`: endings of files for which both are allowed.
    """

    first: str
    second: str
    why: str = ""
    unless: tuple[str, ...] = ()


TEX = ".tex"
"""Ending of a picture for LaTeX. A PDF without the words is written beside it."""
PICTURE_ENDINGS = (*CARRIERS, TEX)
FILM_ENDINGS = (".gif", ".webp", ".avif", ".mp4", "")
"""Endings of films; "" means single pictures in a folder."""
HANDOUT_ENDINGS = (HANDOUT,)
PRODUCTS = {"picture": PICTURE_ENDINGS, "film": FILM_ENDINGS, "handout": HANDOUT_ENDINGS}
"""The products, each a verb of the command line, with the endings of their files."""
ALL_ENDINGS = (*PICTURE_ENDINGS, *FILM_ENDINGS, *HANDOUT_ENDINGS)


def for_files(takes: Sequence[str]) -> str:
    """The files with these endings in words: `pictures and .gif`."""
    words, left = [], list(takes)
    for product, endings in PRODUCTS.items():
        if set(endings) <= set(left):
            words.append(f"{product}s")
            left = [each for each in left if each not in endings]
    words += [each or "single pictures" for each in left]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
