"""Checks that options have something to act on in the picture: labels to rename or move, faces to hatch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..draw.draw_list import DrawList
from ..draw.label_names import PLACES, nobody_bears, renamed, tex_fault, unwritable
from ..draw.placed import Rect
from ..overlays.context import Context
from ..state.export_options import ExportOptions
from ..state.view import Seen, arrange
from .pictures import build
from .still import prepared

if TYPE_CHECKING:
    from .film import FilmPictures

MOST_SEARCHED = 200
"""Most pictures of a film that are all searched for a label's name; of a longer film only the samples are."""


class NoSuchLabelError(ValueError):
    """No label has a name that an option renames or moves, or a new name cannot be written.

    The text is a sentence that follows the scene's name.
    """


def check_names(shots: Sequence[Seen], *, as_tex: bool = False) -> None:
    """Raises NoSuchLabelError for a name that the views rename or move, if no label of the pictures has it.

    It is also raised for TeX that no document could set, and for names that the program's letters cannot write, unless
    LaTeX sets the words (`as_tex`).
    """
    views = [shot.view for shot in shots]
    for value in dict.fromkeys(value for view in views for _, value in view.renames):
        if fault := tex_fault(value):
            raise NoSuchLabelError(f"has a new name {value!r} with {fault}")
        if not as_tex and (part := unwritable(value)):
            raise NoSuchLabelError(f"has no letters for {part} of {value!r}; -o FILE.tex leaves it to LaTeX")
    renames = dict.fromkeys(name for view in views for name, _ in view.renames)
    moves = dict.fromkeys(name for view in views for name, _ in view.moves)
    if not (renames or moves):
        return
    lists = [draw for shot in shots for draw in _lists(shot)]
    titles = {pane.title for view in views for pane in arrange(view, Rect(0, 0, 2, 1), 0.5)}
    others = (
        {renamed(label.text, views[0].renames) for _, draw in lists for label in draw.labels} if renames else set[str]()
    )
    if why := nobody_bears(renames, lists, titles) or nobody_bears(moves, lists, others, whole=True):
        raise NoSuchLabelError(why)


def governed_pictures(source: FilmPictures, options: ExportOptions) -> FilmPictures:
    """The pictures with the options' names and places of labels.

    Raises NoSuchLabelError for a label that no picture has, and for a new name that letters cannot write; of a long
    film only the samples are searched.
    """
    if not (options.rename or options.move):
        return source

    def seen(number: int) -> Seen:
        shown = source.seen(number)
        return replace(shown, view=options.governed(shown.view))

    check_names(
        [seen(number) for number in (range(source.count) if source.count <= MOST_SEARCHED else source.samples())]
    )
    return replace(source, seen=seen)


def hatched(shots: Sequence[Seen]) -> bool:
    """Whether the difference in one of the pictures (`prepared`) has a hatched face."""
    return any(build(Context(**shot.facts)).difference.hatches for shot in shots)


def _lists(shot: Seen) -> Iterator[tuple[str, DrawList]]:
    """The draw lists of a picture, by their places, with all labels under their own names."""
    bare = prepared(replace(shot, view=replace(shot.view, renames=(), moves=(), hidden=frozenset())))
    drawn = build(Context(**bare.facts))
    for place in PLACES:
        yield place, getattr(drawn, place)
