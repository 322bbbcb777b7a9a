"""The table of options of pictures, films and handouts: each field of `ExportOptions` is an option with its row.

The command line (`app/cli/export.py`), the dialogs (`app/panels/export_fields.py`), the settings, the refusals and the
guide (`app/packaging/option_guide.py`) use the table. The drawing code receives an ExportOptions.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from math import radians
from typing import Any

from msgspec.structs import replace as replaced

from ..draw.label_kinds import KIND_IDS
from ..draw.theme import THEMES, Palette, Theme, theme_named
from .named_steps import ALL
from .option import (
    ALL_ENDINGS,
    FILM_ENDINGS,
    HANDOUT_ENDINGS,
    PICTURE_ENDINGS,
    AspectKind,
    CameraKind,
    ChoiceKind,
    Conflict,
    FlagKind,
    FormKind,
    LengthKind,
    MovesKind,
    NameKind,
    NumberKind,
    Option,
    OptionGroup,
    OverlaysKind,
    RenamesKind,
    SizeKind,
    StepPlaceKind,
    StepsKind,
    TextKind,
    for_files,
)
from .purposes import GIVES_WAY, LABEL_SIZE, PANES_BY_ROOM, PRINT_SCALE, PURPOSES, SHAPE, set_for
from .view import HATCH, Panes, View

PICTURE_POINTS, PAGE_POINTS = (1280, 800), (760, 540)
"""The default sizes in points of a picture, and of one on a handout's page on the screen, where it is beside its text.

In a window 1280 pixels wide the smallest labels on the page are 12 pixels high.
"""
ONE_PANE_POINTS, LEGEND_POINTS = (420, 540), 380
"""The default size of a handout's picture with one pane on the screen, and the width of a legend on a narrow screen.

On a phone, whose page is 360 pixels wide, letters have 9.
"""
SHEET_POINTS = {"1": (900, 640), "4": (800, 270), "6": (590, 280)}
"""The default sizes of a handout's picture on paper by `per_page`.

The picture's letters are 6 points of print there.
"""
SHEET_HEIGHTS = {"4": (350, 270, 200, 150), "6": (280, 210, 160)}
"""Heights in points, the highest first, that a picture may have where pages share a sheet: as its words leave room."""
GAUSS = "gauss"
GAUSS_LARGE = "gauss_large"
FONT, OUTLINES = "font", "outlines"
NO_TEXT = "none"
MOST_PICTURES = 10_000
"""The most pictures of a film."""
MOST_ON_A_SHEET, MOST_COLUMNS = 200, 26
"""The most pictures on a sheet, and in a row of it."""
USUAL_FONT = 7.0
"""The default size of letters on paper, points of print."""
STEP_SECONDS, SLIDE_SECONDS, TURN_SECONDS = 1.5, 6.0, 6.0
WORD_SECONDS, MOST_STEP_SECONDS = 0.25, 8.0
"""Seconds for which a step of a film stands for each word below it, if they exceed STEP_SECONDS; and the most."""
WHOLE_TURN = 0
"""The value of `turn` that means as many pictures as TURN_SECONDS need."""
GIF_FPS = 50
"""The highest rate of a GIF: players show pictures of less than 20 ms for 100 ms."""

_THEMES = {theme.name: theme.name.capitalize() for theme in THEMES}
_PALETTES = {palette.value: palette.value.capitalize() for palette in Palette}
_PANES = {panes.value: panes.value.capitalize() for panes in Panes} | {GAUSS: "Gauss map", PANES_BY_ROOM: "By room"}
_PURPOSES = {name: purpose.title for name, purpose in PURPOSES.items()}
_LETTERS = {
    "auto": "Text, alike in all viewers",
    FONT: "Text, as a font inside",
    OUTLINES: "Outlines (SVG, PDF)",
    NO_TEXT: "No words",
}
_DIGITS = {3: "3 digits", 4: "4 digits", 6: "6 digits", 17: "17 digits"}
_SCALES = {1.0: "1×", 2.0: "2×", 3.0: "3×", 4.0: "4×"}
_COLUMNS = {count: f"{count}" for count in range(1, 7)}
_PER_PAGE = {"1": "One", "4": "Four", "6": "Six"}
_FPS = {10.0: "10 a second", 25.0: "25 a second", 50.0: "50 a second"}
_PLAYS = {0: "Plays for ever", 1: "Plays once"}


SCENE, SIZE, LOOK, WORDS, CAMERA, SHOWN, STEPS, FILM = OptionGroup


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """The options of a picture, a film or a handout. Lengths are in millimetres, sizes in points of the layout."""

    form: str = Option(
        FormKind(),
        "the form of a text with a pair, as bullet, where none or more than one is found",
        ALL_ENDINGS,
        SCENE,
        plain=True,
    ).default("")
    purpose: str | None = Option(
        ChoiceKind(_PURPOSES),
        "its purpose, which sets size, letters, colours and panes that are not given",
        ALL_ENDINGS,
        SIZE,
        "For",
        none="No purpose",
        word="for",
    ).default(None)
    size: tuple[int, int] | None = Option(
        SizeKind(),
        "width and height in points",
        ALL_ENDINGS,
        SIZE,
        "Size in points",
        plain=True,
        unset=f"{SizeKind().formatted(PICTURE_POINTS)}, of a handout {SizeKind().formatted(PAGE_POINTS)}, "
        f"on paper {SizeKind().formatted(SHEET_POINTS['1'])}",
    ).default(None)
    scale: float = Option(
        NumberKind(0.1, 32.0, offers=_SCALES),
        "pixels to the point; lines and text keep their size in points",
        (*PICTURE_ENDINGS, *FILM_ENDINGS),
        SIZE,
        "Pixels to the point",
        plain=True,
        why="the pictures of a page are no pixels",
    ).default(1.0)
    width: float | None = Option(
        LengthKind(10.0, 2000.0),
        "exact width on paper",
        PICTURE_ENDINGS,
        SIZE,
        "mm wide",
        tick="On paper",
        start=85.0,
        unset="as large as --size",
        why="films and pages have no size on paper of their own",
    ).default(None)
    height: float | None = Option(
        LengthKind(10.0, 2000.0),
        "exact height on paper",
        PICTURE_ENDINGS,
        SIZE,
        "mm high",
        needs="width",
        tick="This high on paper",
        start=60.0,
        unset="five eighths of the width",
        why="films and pages have no size on paper of their own",
    ).default(None)
    aspect: float | None = Option(
        AspectKind(),
        "width to height",
        ALL_ENDINGS,
        SIZE,
        "Width to height",
        unset="that of --size; on paper 8:5",
    ).default(None)
    font: float | None = Option(
        NumberKind(3.0, 144.0, "pt"),
        "size of the letters; without a width on paper 72 pt are 96 pixels",
        (*PICTURE_ENDINGS, *FILM_ENDINGS),
        SIZE,
        "pt letters",
        tick="Letters of",
        start=12.0,
        unset="on paper 7, else 9.75",
        why="letters of a page have the size that its reader sets",
    ).default(None)
    dpi: float = Option(
        NumberKind(30.0, 2400.0),
        "pixels to the inch on paper",
        (".png",),
        SIZE,
        "pixels to the inch",
        needs="width",
        why="it turns a size on paper into pixels",
    ).default(300.0)

    theme: str | None = Option(
        ChoiceKind(_THEMES), "ground and colours", ALL_ENDINGS, LOOK, "Theme", unset="dark", plain=True
    ).default(None)
    palette: str | None = Option(
        ChoiceKind(_PALETTES),
        "colours that carry meaning; those of the theme have one lightness, and look alike in grey",
        ALL_ENDINGS,
        LOOK,
        "Colours",
        unset="theme",
        plain=True,
    ).default(None)
    panes: str | None = Option(
        ChoiceKind(_PANES),
        "which panes; auto: both, or below 12 cm with letters of 7 pt the one that the step is about",
        ALL_ENDINGS,
        LOOK,
        "Panes",
        unset="as the scene was kept",
    ).default(None)
    transparent: bool = Option(
        FlagKind(),
        "no background",
        PICTURE_ENDINGS,
        LOOK,
        "Transparent background",
        plain=True,
        why="films and pages have a ground",
    ).default(False)
    crop: bool = Option(
        FlagKind(),
        "cut at what is drawn, but for the grid",
        PICTURE_ENDINGS,
        LOOK,
        "Crop to what is drawn",
        why="all pictures of a film or a page have one size",
    ).default(False)
    margin: float = Option(
        LengthKind(0.0, 100.0),
        "left round what is drawn",
        PICTURE_ENDINGS,
        LOOK,
        "mm margin",
        needs="crop",
        why="it goes round a cropped picture",
    ).default(2.0)
    hatch: bool = Option(
        FlagKind(), "lines on the faces of A − B, by what makes them, for grey print", ALL_ENDINGS, LOOK, "Hatches"
    ).default(False)

    text: str = Option(
        ChoiceKind(_LETTERS, {OUTLINES: (".svg", ".pdf")}),
        "text that looks alike in all viewers, in a font inside, outlines alone, or no words",
        PICTURE_ENDINGS,
        WORDS,
        "Letters",
        why="films have no letters but pixels, and a page's words can be searched",
    ).default("auto")
    digits: int | None = Option(
        NumberKind(2, 17, whole=True, offers=_DIGITS),
        "significant digits of its numbers",
        PICTURE_ENDINGS,
        WORDS,
        "Numbers",
        unset="3, in formulas 4",
        why="films and pages have as many as their words",
    ).default(None)
    legend: bool = Option(FlagKind(), "what its colours stand for", ALL_ENDINGS, WORDS, "Legend").default(False)
    caption: str = Option(
        TextKind("Name, and verdict or step"),
        "words below it; auto: name, and verdict or step",
        PICTURE_ENDINGS,
        WORDS,
        "Caption",
        why="films and pages have the words of their steps",
    ).default("")
    formulas: bool = Option(
        FlagKind(),
        "the formulas of its step below it, if it has some, in symbols and with their numbers",
        PICTURE_ENDINGS,
        WORDS,
        "Formulas",
        why="a page has them anyway, and a film has no room for them",
    ).default(False)
    label: str = Option(
        TextKind(),
        "words in the middle below it, as (a)",
        PICTURE_ENDINGS,
        WORDS,
        "Label, such as (a)",
        why="it is for one picture among others",
    ).default("")
    alt: str | None = Option(
        TextKind(),
        "what a screen reader says",
        PICTURE_ENDINGS,
        WORDS,
        "For screen readers",
        unset="scene, step and verdict",
        why="each page has its own words",
    ).default(None)

    camera: tuple[float, ...] | None = Option(
        CameraKind(),
        "where it is seen from: degrees, and scene units for a distance other than one that has all in sight",
        ALL_ENDINGS,
        CAMERA,
        "Turned by angles",
        unset="as the scene was kept",
    ).default(None)
    view: str = Option(
        NameKind("FILE"),
        "cameras, panes and overlays of another scene, or of a file that holds a view alone",
        ALL_ENDINGS,
        CAMERA,
        "Scene or view",
    ).default("")

    show: frozenset[str] = Option(
        OverlaysKind(), "overlays and kinds of labels by their ids, as well", ALL_ENDINGS, SHOWN, "Overlays"
    ).default(frozenset())
    hide: frozenset[str] = Option(
        OverlaysKind(), "overlays and kinds of labels left out; --list-overlays tells them", ALL_ENDINGS, SHOWN
    ).default(frozenset())
    rename: tuple[tuple[str, str], ...] = Option(
        RenamesKind(),
        "a label's name in other words, which may hold TeX between dollar signs; several by comma, or one by one; "
        "difference:w_1 is the one in A − B, w_1#2 the second in each pane",
        ALL_ENDINGS,
        SHOWN,
        "Names, as A.v4=$a_4$",
        plain=True,
    ).default(())
    move: tuple[tuple[str, tuple[float, float]], ...] = Option(
        MovesKind(),
        "a label moved from its place, by points (letters have 13) to the right and down; several, and which of "
        "several labels of a name, as for --rename",
        ALL_ENDINGS,
        SHOWN,
        "Moved, as A.v4=3,-2",
        plain=True,
    ).default(())

    step: str | None = Option(
        StepPlaceKind(),
        "one step, as 12, gjk:3, epa:stop or gjk:3:support-A; 0 is the answer",
        (*PICTURE_ENDINGS, *FILM_ENDINGS),
        STEPS,
        unset="as the scene was kept",
        plain=True,
        why="a page is made of --steps",
    ).default(None)
    steps: str = Option(
        StepsKind(),
        "these steps, as 3-7, gjk or gjk:1-4,epa: on one sheet, as a film, or as pages",
        ALL_ENDINGS,
        STEPS,
        "Steps",
        bare=ALL,
    ).default("")
    columns: int = Option(
        NumberKind(1, MOST_COLUMNS, whole=True, offers=_COLUMNS),
        "pictures of a sheet side by side",
        PICTURE_ENDINGS,
        STEPS,
        "Pictures side by side",
        needs="steps",
        why="films and pages show one picture at a time",
    ).default(1)
    slow: bool = Option(
        FlagKind(),
        "each step with its sub-steps",
        (*FILM_ENDINGS, *HANDOUT_ENDINGS),
        STEPS,
        "Sub-steps",
        why="a picture shows one sub-step, as --step gjk:3:support-A",
    ).default(False)

    no_captions: bool = Option(
        FlagKind(),
        "steps without their words below them",
        FILM_ENDINGS,
        STEPS,
        "No captions",
        needs="steps",
        why="other products have words where they are asked for, or beside the picture",
    ).default(False)
    cut: bool = Option(
        FlagKind(),
        "steps without motion between them",
        (*FILM_ENDINGS, *HANDOUT_ENDINGS),
        STEPS,
        "No motion between",
        why="a picture does not move",
    ).default(False)
    per_page: str = Option(
        ChoiceKind(_PER_PAGE),
        "steps on a printed page",
        HANDOUT_ENDINGS,
        STEPS,
        "Steps on a printed page",
        why="only a handout is printed page by page",
    ).default("1")

    times: int | None = Option(
        NumberKind(2, MOST_PICTURES, whole=True),
        "the bodies' motion, in so many pictures",
        FILM_ENDINGS,
        FILM,
        why="pictures and pages do not play",
    ).default(None)
    turn: int | None = Option(
        NumberKind(WHOLE_TURN, MOST_PICTURES, whole=True),
        f"once round the bodies, in so many pictures, or in {TURN_SECONDS:g} seconds",
        FILM_ENDINGS,
        FILM,
        bare=WHOLE_TURN,
        why="a picture stands still, and whoever reads a page can turn it",
    ).default(None)
    seconds_per_step: float | None = Option(
        NumberKind(0.02, 60.0, "seconds"),
        "how long a step or a slide stands",
        FILM_ENDINGS,
        FILM,
        "Seconds for each step",
        unset=f"{STEP_SECONDS:g}, longer for more words, a slide {SLIDE_SECONDS:g}",
        start=STEP_SECONDS,
        why="pictures and pages do not play",
    ).default(None)
    fps: float = Option(
        NumberKind(1.0, 120.0, "a second", offers=_FPS, most_for={".gif": GIF_FPS}),
        "pictures of a motion, a turn or a log, and between steps",
        FILM_ENDINGS,
        FILM,
        "Pictures",
        why="pictures and pages do not play",
    ).default(25.0)
    loop: int = Option(
        NumberKind(0, 10000, whole=True, offers=_PLAYS),
        "how often it plays, 0 for ever",
        (".gif", ".webp"),
        FILM,
        "Plays",
    ).default(0)
    quality: int | None = Option(
        NumberKind(1, 100, whole=True),
        "smaller, and a little less exact in colours and edges",
        (".webp", ".avif"),
        FILM,
        "of 100",
        tick="Smaller file",
        start=90,
        unset="WebP is exact, AVIF 90",
    ).default(None)
    frames: str = Option(
        NameKind("DIR"), "the pictures as files in a folder too, or alone without -o", FILM_ENDINGS, FILM
    ).default("")

    @property
    def points(self) -> tuple[int, int]:
        """The width and height in points."""
        return self.points_of(PICTURE_POINTS)

    def points_of(self, usual: tuple[int, int]) -> tuple[int, int]:
        """The width and height in points. `usual`: those without the option `size`; `aspect` sets the height."""
        width, height = self.size or usual
        return width, height if self.aspect is None else max(1, round(width / self.aspect))

    @property
    def letters(self) -> float:
        """The size of letters on paper in points of print."""
        return USUAL_FONT if self.font is None else self.font

    @property
    def density(self) -> float:
        """Pixels to a point of the layout, in a picture without a width on paper."""
        return self.scale if self.font is None else self.scale * self.font / (PRINT_SCALE * LABEL_SIZE)

    @property
    def shape(self) -> float:
        """Height over width of a picture with a width on paper."""
        if self.height is not None and self.width is not None:
            return self.height / self.width
        return SHAPE if self.aspect is None else 1.0 / self.aspect

    @property
    def figured(self) -> bool:
        """Whether the picture is a figure, rather than drawn as in the window."""
        return any(not OPTIONS[name].plain for name in self.given())

    def given(self) -> dict[str, Any]:
        """The values that differ from the defaults, by name."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {name: value for name, value in values.items() if value != DEFAULTS[name]}

    def having(self, **values: Any) -> ExportOptions:
        """The options with these values replaced."""
        return replace(self, **values)

    def suited(self, ending: str) -> ExportOptions:
        """The options with those that the purpose sets for a file of this ending."""
        values = set_for(self.purpose, self.given())
        return self.having(**{name: value for name, value in values.items() if ending in OPTIONS[name].takes})

    def in_force(self, ending: str) -> ExportOptions:
        """The options without those that do not apply to a file of this ending, or that conflict with others."""
        return self.having(**{name: DEFAULTS[name] for name, _ in refusals(self.given(), ending)})

    def of_scene(self, overlays: Container[str], *, turns: bool) -> ExportOptions:
        """The options that apply to a scene with these `overlays`; `turns`: whether its camera can turn."""
        return replace(
            self,
            camera=self.camera if turns else None,
            panes=None if self.panes == GAUSS and GAUSS_LARGE not in overlays else self.panes,
            show=frozenset(each for each in self.show if each in overlays or each in KIND_IDS),
            hide=frozenset(each for each in self.hide if each in overlays or each in KIND_IDS),
        )

    def themed(self, theme: str = "dark", palette: str = Palette.THEME) -> Theme:
        """The theme of the options. `theme`, `palette`: used if the options give none."""
        return theme_named(self.theme or theme, Palette(self.palette or palette))

    def looked_at(self, view: View, other: View | None = None) -> View:
        """The view with the options' cameras, panes and overlays; its step, axis, probe and time stay.

        `other`: the view in the file that the option `view` names, if any.
        """
        if other is not None:
            looks = {name: getattr(other, name) for name in ("world", "difference", "fitted", "axis_view", "family")}
            view = replaced(view, **looks, panes=other.panes, shown=other.shown, hidden=other.hidden)
        if self.panes == GAUSS:
            view = replaced(view, panes=Panes.WORLD, shown=view.shown | {GAUSS_LARGE})
        elif self.panes not in (None, PANES_BY_ROOM):
            view = replaced(view, panes=Panes(self.panes), shown=view.shown - {GAUSS_LARGE})
        if self.camera is not None:
            view = replaced(view.turned(*map(radians, self.camera[:2])), fitted=True)
        hatched = {HATCH} if self.hatch else set[str]()
        shown = (view.shown | (self.show - {*KIND_IDS}) | hatched) - self.hide
        return self.governed(replaced(view, shown=shown))

    def governed(self, view: View) -> View:
        """The view with the options' names and places of labels, and the kinds of labels that they hide."""
        hide, show = ({*KIND_IDS} & each for each in (self.hide, self.show))
        return replaced(view, hidden=(view.hidden | hide) - show, renames=self.rename, moves=self.move)

    def largest_side(self, ending: str) -> float:
        """The picture's longer side in pixels; 0 for a vector file with a width on paper."""
        if self.width is None:
            return max(self.points) * self.scale
        return max(1.0, self.shape) * self.width / 25.4 * self.dpi if ending == ".png" else 0.0

    def fault(self) -> tuple[str, str] | None:
        """The name of the first option whose value is outside its limits, and the reason; None if there is none."""
        for name, value in self.given().items():
            if value is not None and (why := OPTIONS[name].kind.fault(value)):
                return name, why
        return None


OPTIONS: dict[str, Option] = {field.name: field.metadata["option"] for field in fields(ExportOptions)}
"""The rows by name."""
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(ExportOptions)}
CONFLICTS = (
    Conflict("size", "width", "--height or --aspect sets the height"),
    Conflict("aspect", "size", "it has its own"),
    Conflict("aspect", "height"),
    Conflict("aspect", "crop", "the picture is as high as what is drawn"),
    Conflict("height", "crop", "the picture is as high as what is drawn"),
    *(Conflict("crop", f"purpose={name}", "its pictures have one size") for name in ("slide", "film", "web")),
    Conflict("scale", "width", "a figure has --dpi"),
    Conflict("label", "steps", "the pictures of a sheet have (a), (b) and so on"),
    Conflict("step", "steps"),
    Conflict("legend", f"text={NO_TEXT}"),
    Conflict("caption", f"text={NO_TEXT}"),
    Conflict("formulas", f"text={NO_TEXT}"),
    Conflict("label", f"text={NO_TEXT}"),
    Conflict("panes", "view", "the file has its own"),
    Conflict("camera", "view", "the file has its own"),
    Conflict("steps", "times", "a film shows one thing"),
    Conflict("steps", "turn", "a film shows one thing"),
    Conflict("times", "turn", "a film shows one thing"),
    Conflict("step", "times"),
    Conflict("slow", "times"),
    Conflict("cut", "times"),
    Conflict("cut", "turn"),
    Conflict("slow", "turn"),
    Conflict("seconds_per_step", "times", "it takes --fps"),
    Conflict("seconds_per_step", "turn", "it takes --fps"),
)


def option_name(name: str) -> str:
    """The option's name on the command line."""
    return f"--{OPTIONS[name].word or name.replace('_', '-')}"


def usual(name: str) -> str:
    """The default in words; "" if it needs none."""
    option, value = OPTIONS[name], DEFAULTS[name]
    if value is None:
        return option.unset
    return option.kind.formatted(value) if isinstance(option.kind, NumberKind | LengthKind | ChoiceKind) else ""


def refusals(given: Mapping[str, Any], ending: str) -> Iterator[tuple[str, str]]:
    """Yields each given option that is refused for a file of this ending, with a sentence."""
    for name, value in given.items():
        if why := refusal(name, given, ending) or OPTIONS[name].kind.unfit(value, ending):
            yield name, f"{option_name(name)} {why}"


def refusal(name: str, given: Mapping[str, Any], ending: str) -> str:
    """The words why the option does not apply, with any value, to such a file or beside the given ones; "" if it does.

    They follow the option's name.
    """
    option = OPTIONS[name]
    whole = {**set_for(given.get("purpose"), given), **given}
    beside = given if name in GIVES_WAY else whole
    if ending not in option.takes:
        reason = f": {option.why}" if option.why else ""
        return f"is for {for_files(option.takes)}, not for {for_files([ending])}{reason}"
    if option.needs and not whole.get(option.needs):
        return f"goes with {option_name(option.needs)}"
    for conflict in CONFLICTS:
        second, _, value = conflict.second.partition("=")
        if conflict.first != name or second not in beside or ending in conflict.unless:
            continue
        if value in ("", beside[second]):
            said = " ".join(filter(None, (option_name(second), value)))
            return f"does not go with {said}{conflict.why and f': {conflict.why}'}"
    return ""
