"""What an option of an export is: a row of the table in `app/state/export_options.py`, and the kinds of values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from ..draw.camera import DISTANCE_LIMITS
from ..storage.carried import HANDOUT, PICTURES

T = TypeVar("T")

LARGEST = 32768
"""Longest side of a picture in pixels. In single precision a place on it is exact to a hundredth of a pixel; such a
picture was made and opened. The memory that it takes is asked about before it is drawn (`refuse_beyond`)."""
AUTO = "auto"
ALL = "all"
"""All steps."""
MOST_LETTERS = 2000
MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.0}

Steps = str | tuple[int, int] | list[int]
"""ALL, a phase, the first and the last step, or the numbers of some."""


class Usage(NamedTuple):
    """A value as usage shows it, and what it must be, in words; its limits, with their unit, where it has some."""

    form: str
    wanted: str
    limits: str = ""


class Kind(Struct, frozen=True):
    """The values of an option, and how they are written."""

    def usage(self) -> Usage:
        """How a value is told."""
        return Usage("", "")

    def parsed(self, text: str) -> Any:
        """The value that is written so; None where none is."""
        return text

    def said(self, value: Any) -> str:
        """The value as the command line takes it."""
        return str(value)

    def fits(self, value: Any) -> bool:  # noqa: ARG002 - what has no limits always does
        """Whether the value lies within the limits."""
        return True

    def unfit(self, value: Any, ending: str) -> str:  # noqa: ARG002 - most values are for every file
        """A sentence that follows the option's name: why a value is not for files of this ending; "" where it is."""
        return ""

    def fault(self, value: Any) -> str:
        """The same about every file."""
        return "" if self.fits(value) else f"must be {self.usage().wanted}, got {self.said(value)}"

    def read(self, text: str) -> Any:
        """The value of a text on the command line. Raises ValueError with a sentence that follows the option's name."""
        value = self.parsed(text)
        if why := f"must be {self.usage().wanted}, got {text!r}" if value is None else self.fault(value):
            raise ValueError(why)
        return value


class Flag(Kind, frozen=True):
    """Given or not: without a value on the command line."""

    def said(self, value: bool) -> str:  # noqa: ARG002 - its name says all
        return ""


class Number(Kind, frozen=True):
    """A number from `least` to `most`.

    `offers`: the values that a dialog offers, with their titles; where there are none a number is typed.
    `most_for`: a lower limit for files of some endings.
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

    def said(self, value: float) -> str:
        return f"{value:g}"

    def fits(self, value: float) -> bool:
        return self.least <= value <= self.most

    def unfit(self, value: float, ending: str) -> str:
        most = self.most_for.get(ending, self.most)
        return "" if value <= most else f"must be at most {most:g} {self.unit} for {ending}, got {value:g}"


class Length(Kind, frozen=True):
    """A length on paper from `least` to `most`, in millimetres."""

    least: float
    most: float

    def usage(self) -> Usage:
        limits = f"{self.least:g} to {self.most:g} mm"
        return Usage("LENGTH", f"a length such as 8.5cm, 85mm, 3.3in or 240pt, from {limits}", limits)

    def parsed(self, text: str) -> float | None:
        match = re.fullmatch(r"(\d{1,5}(?:\.\d{1,6})?)(mm|cm|in|pt)", text, re.ASCII)
        return float(match[1]) * MILLIMETRES[match[2]] if match else None

    def said(self, value: float) -> str:
        return f"{value:g}mm"

    def fits(self, value: float) -> bool:
        return self.least <= value <= self.most


class Size(Kind, frozen=True):
    """Points across and down."""

    def usage(self) -> Usage:
        return Usage("WxH", f"WIDTHxHEIGHT such as 1280x800, at most {LARGEST} each")

    def parsed(self, text: str) -> tuple[int, int] | None:
        match = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text)
        return (int(match[1]), int(match[2])) if match else None

    def said(self, value: Sequence[int]) -> str:
        return f"{value[0]}x{value[1]}"

    def fits(self, value: Sequence[int]) -> bool:
        return all(1 <= side <= LARGEST for side in value)


class Choice(Kind, frozen=True):
    """One of some words.

    `titles`: the words, with what a dialog calls them. `only`: the endings of the files that a word is for, where it is
    not for all.
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


class Words(Kind, frozen=True):
    """A text that the program's font can write; AUTO for one that the program makes, whose title is `auto`."""

    auto: str = ""

    def usage(self) -> Usage:
        return Usage("TEXT|auto" if self.auto else "TEXT", f"a text of 1 to {MOST_LETTERS} characters")

    def parsed(self, text: str) -> str | None:
        # Imported with the first words: `check` needs no font.
        from ..draw.text import lacking

        if missing := lacking(text):
            raise ValueError(f"has characters that the program's font has no letters for: {missing}")
        return text if text.strip() and len(text) <= MOST_LETTERS else None


class Camera(Kind, frozen=True):
    """Yaw and pitch in degrees, and perhaps the distance in scene units."""

    def usage(self) -> Usage:
        low, high = DISTANCE_LIMITS
        angles = "YAW,PITCH in degrees, such as 35,22, within ±360 and ±90"
        return Usage("YAW,PITCH[,DISTANCE]", f"{angles}, and perhaps a distance of {low:g} to {high:g} scene units")

    def parsed(self, text: str) -> tuple[float, ...] | None:
        try:
            return tuple(float(part) for part in text.split(","))
        except ValueError:
            return None

    def said(self, value: Sequence[float]) -> str:
        return ",".join(f"{part:g}" for part in value)

    def fits(self, value: Sequence[float]) -> bool:
        low, high = DISTANCE_LIMITS
        turned = len(value) in (2, 3) and abs(value[0]) <= 360.0 and abs(value[1]) <= 90.0
        return turned and all(low <= distance <= high for distance in value[2:])


class Overlays(Kind, frozen=True):
    """Ids of overlays. Which there are is known to higher rooms: the command line asks for their names itself."""

    def usage(self) -> Usage:
        return Usage("A,B", "ids of overlays")

    def parsed(self, text: str) -> frozenset[str]:
        return frozenset(text.split(","))

    def said(self, value: frozenset[str]) -> str:
        return ",".join(sorted(value))


class Name(Kind, frozen=True):
    """The name of a file or of a folder, as `form` has it."""

    form: str

    def usage(self) -> Usage:
        return Usage(self.form, "a name")

    def parsed(self, text: str) -> str | None:
        return text or None


class Step(Kind, frozen=True):
    """A step by its number or its phase, or a part of it."""

    def usage(self) -> Usage:
        named = "one such as gjk:3, epa:stop or gjk:3:support-A"
        return Usage("N|PHASE:N", f"a step's number, 0 for the answer or from 1, or {named}")

    def parsed(self, text: str) -> str | None:
        named = re.fullmatch(r"\d{1,6}|[a-z]+:(\d{1,6}|stop)(:[A-Za-z0-9-]{1,20})?", text, re.ASCII)
        return text if named else None


class StepList(Kind, frozen=True):
    """Several steps, as `read_steps` knows them."""

    def usage(self) -> Usage:
        return Usage("FIRST-LAST|PHASE|N,N,...", "a range such as 16-24, or a phase such as gjk")

    def parsed(self, text: str) -> str | None:
        try:
            read_steps(text)
        except ValueError:
            return None
        return text


def read_steps(text: str) -> Steps:
    """Steps as they are typed: `16-24`, `16,18,24`, a phase. Raises ValueError, in a sentence without its subject."""
    text = "".join(text.split())
    if match := re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text, re.ASCII):
        return int(match[1]), int(match[2] or match[1])
    if re.fullmatch(r"\d{1,6}(,\d{1,6})+", text, re.ASCII):
        return [int(number) for number in text.split(",")]
    if re.fullmatch(r"[a-z]+", text) is None:
        raise ValueError(f"must be {StepList().usage().wanted}; got {text!r}")
    return text


class Group(StrEnum):
    """Options that belong together; the value is their heading in the dialogs, in `--help` and in the guide."""

    SIZE = "Size"
    LOOK = "Look"
    WORDS = "Words"
    CAMERA = "Camera"
    SHOWN = "Shown"
    STEPS = "Steps"
    FILM = "Film"


class Option(Struct, frozen=True):
    """A row.

    `help`: what it is for, a phrase without its default. `takes`: endings of the files that take it. `label`: the title
    of its field in the dialogs, "" for none. `needs`: an option without which it means nothing. `unset`: what holds
    where the default is None, in words. `bare`: the value where the command line has the name alone. `tick`: where the
    default is None, the title of a box that is ticked to give a value; `start`: the value that it has then. `plain`:
    with this option a picture still has the ground and the words of the window; any other makes a figure of it.
    """

    kind: Kind
    help: str
    takes: tuple[str, ...]
    group: Group
    label: str = ""
    needs: str = ""
    unset: str = ""
    bare: Any = None
    tick: str = ""
    start: Any = None
    plain: bool = False

    def default(self, value: T) -> T:
        """The field of a record with this row and this default."""
        return field(default=value, metadata={"option": self})


class Conflict(Struct, frozen=True):
    """Two options of which `first` gives way; of the second perhaps one value alone, as `text=none`.

    `why`: what holds instead. `unless`: endings of files for which both go together.
    """

    first: str
    second: str
    why: str = ""
    unless: tuple[str, ...] = ()


FILMS = (".gif", ".webp", ".avif", ".mp4", "")
"""The last for single pictures in a folder."""
HANDOUTS = (HANDOUT,)
PRODUCTS = {"picture": PICTURES, "film": FILMS, "handout": HANDOUTS}
"""What can be made, each a verb of the command line, by the endings of the files that it may be."""
EVERY = (*PICTURES, *FILMS, *HANDOUTS)


def for_files(takes: Sequence[str]) -> str:
    """`pictures and .html`: what files these endings are."""
    words, left = [], list(takes)
    for product, endings in PRODUCTS.items():
        if set(endings) <= set(left):
            words.append(f"{product}s")
            left = [each for each in left if each not in endings]
    words += [each or "single pictures" for each in left]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
