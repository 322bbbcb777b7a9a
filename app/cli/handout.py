"""`separatrix handout`: writes the steps of a scene, a deck's slides or a lesson on one page, with their texts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..draw.label_names import Renames, renamed, typed, unicode_text
from ..draw.placed import Rect
from ..draw.theme import PRINT, Theme, theme_named
from ..export.picture import picture_of
from ..io.deck_file import Slide
from ..io.scene_file import Loaded, SceneError, text_of
from ..io.scene_log import SceneLog, is_log
from ..render.borne_names import NoSuchLabelError, governed_pictures
from ..render.captions import Legend
from ..render.film import FilmPictures, FilmSize, Shots, of_slides, without_axes
from ..render.legend import answer_words, legend_strip, panes_of
from ..render.panes_by_room import by_room
from ..render.still import SUPERSAMPLING, vector_picture
from ..stages import step_text
from ..stages.placed_steps import NoSuchStepError
from ..state.export_options import (
    LEGEND_POINTS,
    ONE_PANE_POINTS,
    PAGE_POINTS,
    SHEET_HEIGHTS,
    SHEET_POINTS,
    ExportOptions,
)
from ..state.purposes import PANES_BY_ROOM
from ..state.view import TRANSITION_SECONDS, WHOLE, Panes, Seen
from ..storage.carried import HANDOUT, OPENED_PICTURES
from ..storage.files import reason_of, write_atomic
from ..words.formula import other_names
from .faults import FaultGuard
from .film import check_distance, looked_at, steps_source
from .picture import accepted, check_place, is_lesson, refused, seen_of

if TYPE_CHECKING:
    from ..export.handout import DrawnPages, Page
    from ..export.operations import Picture


LEGEND_LINES = 1.2
"""About the height of a legend on a sheet that pages share, mm for each point of the letters."""


SHRUNK = 1.2
"""A picture on such a sheet may be so many times as high as its room, and is printed smaller."""


class HandoutPlan(Struct, frozen=True, eq=False):
    """A handout before it is drawn: its title, the source of its pictures, the text beside each, and its author."""

    title: str
    source: FilmPictures
    pages: Sequence[Page]
    author: str = ""


def make_handouts(targets: Sequence[tuple[str, Path]], options: ExportOptions) -> int:
    """Writes the handout of each scene, deck or lesson to its file, whole or not at all; returns the exit status."""
    from ..export.handout import handout_bytes

    status, theme = 0, options.suited(HANDOUT).themed()
    for file, out in targets:
        with FaultGuard(file) as attempt:
            try:
                check_place(out)
                planned = _planned(file, out, options)
                check_distance(planned.source, options, file)
                points = _page_points(planned.source, options)
                governed = _governed(planned.source, options, points)
                drawn = _drawn(governed, options, points, shown=True)
                data = handout_bytes(
                    [_renamed(page, options.rename) for page in planned.pages],
                    drawn.pictures,
                    planned.title,
                    drawn.scene,
                    theme,
                    planned.author,
                    drawn.turned,
                    legends=drawn.legends,
                    narrow=drawn.narrow,
                    paper=_on_paper(planned, options, theme),
                    per_page=int(options.per_page),
                    transition=0.0 if options.cut else TRANSITION_SECONDS,
                )
                write_atomic(out, data)
            except SceneError as error:
                status = refused(str(error))
            except (NoSuchStepError, NoSuchLabelError) as error:
                status = refused(f"{file}: {error}")
            except OSError as error:
                status = refused(f"{out}: {reason_of(error)}")
        if attempt.fault:
            status = refused(attempt.fault)
    return status


def _on_paper(planned: HandoutPlan, options: ExportOptions, theme: Theme) -> DrawnPages | None:
    """The pictures for print: on white ground; of pages that share a sheet smaller, without axes.

    None if they would be the same as those for the screen. Raises NoSuchLabelError for a label that no picture has.
    """
    source, points, white = planned.source, _sheet_points(options), theme.name == PRINT.name
    if points == _page_points(source, options) and white:
        return None
    source = source if white else _in_print(source)
    if options.size is None and options.per_page != "1":
        # The pictures are so small that the axes would stand before the bodies.
        source = without_axes(source, options)
    source = _governed(source, options, points)
    if options.size is None and options.aspect is None and options.per_page in SHEET_HEIGHTS:
        return _drawn_by_room(source, planned.pages, options, points[0])
    return _drawn(source, options, points)


def _drawn_by_room(source: FilmPictures, pages: Sequence[Page], options: ExportOptions, across: int) -> DrawnPages:
    """`_drawn`, each picture as high as its page's words leave room, so that its letters keep their size."""
    from ..export.handout import SHEETS, DrawnPages, room_for_picture

    heights, sheet = SHEET_HEIGHTS[options.per_page], SHEETS[int(options.per_page)]
    legend = LEGEND_LINES * sheet.letters if options.legend else 0.0
    rooms = [(room_for_picture(page, sheet) - legend) * across / sheet.wide for page in pages]
    chosen = [next((high for high in heights if high <= SHRUNK * room), heights[-1]) for room in rooms]
    pictures: dict[int, Picture] = {}
    legends: dict[int, Picture] = {}
    for high in dict.fromkeys(chosen):
        numbers = [number for number, each in enumerate(chosen) if each == high]
        drawn = _drawn(source.only(numbers), options, (across, high))
        pictures |= zip(numbers, drawn.pictures, strict=True)
        legends |= zip(numbers, drawn.legends, strict=False)
    return DrawnPages([pictures[k] for k in sorted(pictures)], legends=[legends[k] for k in sorted(legends)])


def _governed(source: FilmPictures, options: ExportOptions, points: tuple[int, int]) -> FilmPictures:
    """The pictures, `points` across and down, with the options' cameras, panes, and names of labels.

    Raises NoSuchLabelError for a label that no picture has.
    """
    return governed_pictures(_in_room(source, options, FilmSize(*points)), options)


def _drawn(source: FilmPictures, options: ExportOptions, points: tuple[int, int], *, shown: bool = False) -> DrawnPages:
    """The pages' pictures, `points` across and down, with their legends; `source`: `_governed`.

    `shown`: on a screen, where readers can turn them and which may be narrow.
    """
    from ..export.handout import DrawnPages

    shots = Shots(source, FilmSize(*points))
    pictures, turned, legends, narrow = [], [], [], []
    for number, plan in enumerate(shots.plans()):
        pictures.append(vector_picture(plan)())
        seen = shots.seen(number)
        if shown:
            turned.append(shots.turnable() if seen.analysis.polygon is None else [])
        if options.legend:
            entries = shots.legend(number, SUPERSAMPLING)
            legends.append(_legend(entries, points[0], seen.theme))
            narrow += [_legend(entries, LEGEND_POINTS, seen.theme)] if shown else []
    return DrawnPages(pictures, turned, legends, narrow, text_of(shots.seen(0)))


def _legend(entries: Legend, across: int, theme: Theme) -> Picture:
    """A legend as a picture of its own, `across` points wide."""
    strip = legend_strip(entries, across * SUPERSAMPLING, SUPERSAMPLING, theme)
    size = strip.width // SUPERSAMPLING, strip.height // SUPERSAMPLING
    return picture_of([(Rect(0, 0, strip.width, strip.height), strip)], size, SUPERSAMPLING, 1.0, None, "")


def _in_print(source: FilmPictures) -> FilmPictures:
    """The pictures on white ground, in their palette."""

    def seen(number: int) -> Seen:
        shown = source.seen(number)
        return replace(shown, theme=theme_named(PRINT.name, shown.theme.palette))

    return replace(source, seen=seen)


def _in_room(source: FilmPictures, options: ExportOptions, look: FilmSize) -> FilmPictures:
    """The pictures with the options' distance of cameras, and the panes that have room where that is asked for."""
    if options.camera is not None and len(options.camera) > 2:
        source = replace(source, distance=options.camera[2])
    if options.panes != PANES_BY_ROOM or source.apart:
        return source
    shots = [source.seen(number) for number in source.samples()]
    panes = by_room(shots, look.width, look.height / look.width)[0].view.panes

    def seen(number: int) -> Seen:
        shown = source.seen(number)
        return replace(shown, view=replace(shown.view, panes=panes))

    return replace(source, seen=seen)


def _page_points(source: FilmPictures, options: ExportOptions) -> tuple[int, int]:
    """The size of the pictures on the screen in points."""
    both = any(source.seen(number).view.panes is Panes.BOTH for number in range(source.count))
    return _sized(options) or options.points_of(PAGE_POINTS if both else ONE_PANE_POINTS)


def _sheet_points(options: ExportOptions) -> tuple[int, int]:
    """The size of the pictures on paper in points: of pages that share a sheet, that of a purpose has no room."""
    sized = _sized(options) if options.size is not None or options.per_page == "1" else None
    return sized or options.points_of(SHEET_POINTS[options.per_page])


def _sized(options: ExportOptions) -> tuple[int, int] | None:
    """The size in points by `--size`, or that of a purpose in the points of its letters; None without either."""
    if options.size is not None:
        return options.points_of(options.size)
    suited = options.suited(OPENED_PICTURES[0])
    if suited.size is None:
        return None
    look = FilmSize.of(suited)
    return round(look.width), round(look.height)


def _planned(file: str, out: Path, options: ExportOptions) -> HandoutPlan:
    """The contents of a file's handout.

    Raises SceneError for a file without a scene and for options that do not suit it, NoSuchStepError for steps that it
    lacks, and OSError if `out` cannot be written.
    """
    options = options.suited(HANDOUT)
    theme = options.themed()
    if is_log(file):
        return _of_deck(file, theme, options)
    if is_lesson(file):
        from .lesson_handout import of_lesson

        title, shown, pages = of_lesson(file, theme)
        shown = [
            replace(seen, view=looked_at(Loaded(seen.scene, seen.view), options).view or seen.view) for seen in shown
        ]
        return HandoutPlan(title, _one_by_one(shown), pages)
    loaded = looked_at(accepted(file, out, options.form), options)
    source = steps_source(loaded, options)
    pages = [_step_page(source.seen(number)) for number in range(source.count)]
    return HandoutPlan(loaded.scene.name or Path(file).stem, source, pages)


def _renamed(page: Page, renames: Renames) -> Page:
    """The page with other names in its texts and formulas."""
    letters = {typed(name): unicode_text(value) for name, value in renames}
    return replace(
        page,
        title=renamed(page.title, renames),
        alt=renamed(page.alt, renames),
        words=tuple([(heading, renamed(text, renames)) for heading, text in page.words]),
        formulas=tuple([tuple([other_names(part, letters) for part in parts]) for parts in page.formulas]),
    )


def _step_page(seen: Seen) -> Page:
    """The page of a step with the text of its card, or of the answer with its verdict."""
    from ..export.handout import Page

    if seen.query is None or seen.moment is None:
        return Page("0", "The answer", panes_of(seen), (("", answer_words(seen)),))
    text = step_text(seen.query, seen.moment, seen.part)
    words = [("So far", text.known), ("This step", text.decided), ("Why", text.why)]
    if text.stop is not None:
        words.append(("Result", text.stop.meaning))
    return Page(
        f"{seen.place + 1}" + ("" if seen.part == WHOLE else f":{seen.part.replace(' ', '-')}"),
        text.title,
        f"{text.title}. {panes_of(seen)}",
        tuple(words),
        tuple([formula.lines for formula in text.formulas]),
    )


def _one_by_one(shown: Sequence[Seen]) -> FilmPictures:
    return of_slides(len(shown), shown.__getitem__, 0.0)


def _of_deck(file: str, theme: Theme, options: ExportOptions) -> HandoutPlan:
    from ..export.handout import Page

    with closing(SceneLog(file)) as log:
        if log.deck is None:
            raise SceneError("", "is a log; a handout shows the steps of a scene, a deck or a lesson", file)
        if not len(log):
            raise SceneError("", "holds no scene", file)
        slides = [looked_at(log.scene(number), options) for number in range(len(log))]
    shown, pages = [], []
    for number, slide in enumerate(slides, start=1):
        assert isinstance(slide, Slide)
        seen, _ = seen_of(slide, theme)
        asked = "" if seen.asked is None else seen.asked.question.text
        title = slide.scene.name or f"Slide {number}"
        words = (("", slide.scene.notes), ("Question", asked))
        shown.append(seen)
        pages.append(Page(f"{number}", title, f"{title}. {panes_of(seen)}", words, notes=slide.printed))
    return HandoutPlan(log.deck.title or Path(file).stem, _one_by_one(shown), pages, log.deck.author)
