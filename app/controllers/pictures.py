"""Takes screenshots: pictures of the viewport with the scene inside.

Large ones are drawn over several frames, some tiles in each, and the file is encoded in a thread.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace as changed
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from ..draw.label_names import name_of
from ..io.scene_file import SceneError, load_view, write
from ..render import Context, PositionedPane
from ..state.export_options import ExportOptions
from ..state.export_shown import PreviewImage, PreviewLabel
from ..state.named_steps import read_steps
from ..state.option import TEX
from ..state.view import WHOLE, Seen, View
from ..state.work import Document
from ..storage.clipboard import ClipboardError, copy_png
from ..storage.files import png_bytes, reason_of, write_atomic, write_numbered
from .background import Job
from .cameras import Cameras
from .services import Services

if TYPE_CHECKING:
    from PIL import Image

    from ..render.still import Plan

BOTH_PANES = ("world", "difference")
"""The panes of a picture of both, in their order, as `label_names.PLACES` has them."""
MOST_PIXELS_AT_ONCE = 1 << 21
"""The most pixels of a screenshot that is taken at once."""
TILE = 1024
"""Side of a tile of larger pictures, in supersampled pixels; a tile takes a fraction of a second on software GL."""
PICTURE_SECONDS = 0.1
"""Seconds of a frame for a picture in progress."""
PREVIEW, LARGE_PREVIEW = 480.0, 960.0
"""The largest widths of a preview, in pixels."""


def beside(document: Document, ending: str) -> Path:
    """The path of a file without a given name: beside the document's file, named like it.

    Without such a file: in the current folder, or the user's if that cannot be written, named like the scene.
    """
    # Started from a desktop's menu, the current folder may not be writable.
    here = Path.cwd() if os.access(Path.cwd(), os.W_OK) else Path.home()
    folder, name = here, document.scene.name or "separatrix"
    if document.path is not None:
        folder, name = document.path.parent, document.path.stem
    return folder / ((re.sub(r"[^\w.-]+", "-", name).strip("-.") or "separatrix") + ending)


def too_large(error: MemoryError, kind: str = "picture") -> str:
    """A sentence on the lack of memory, with the amount where it is known."""
    return f"No {kind} was made: {error}" if str(error) else f"There is not enough memory for a {kind} of that size."


def _drawn(tiles: Generator[float, None, Image.Image]) -> Image.Image:
    """Draws all tiles and returns the picture."""
    while True:
        try:
            next(tiles)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]  # a generator's value has no type of its own


def _beside_its_pdf(path: Path, made: Callable[[], tuple[bytes, bytes]]) -> bytes:
    """Writes the PDF beside the .tex at `path`; returns the bytes of the .tex.

    Raises OSError if it cannot be written.
    """
    data, words = made()
    write_atomic(path.with_suffix(".pdf"), data)
    return words


def _movable(panes: Sequence[PositionedPane], plan: Plan) -> tuple[PreviewLabel, ...]:
    """The labels of things in the panes, with their boxes in shares of the picture; words below it are left out."""
    from ..render.still import SUPERSAMPLING

    across, down = (SUPERSAMPLING * side for side in plan.size)
    found: list[tuple[int, PreviewLabel]] = []
    for number, (rect, placed) in enumerate(panes):
        for label in placed.labels:
            if label.anchored:
                left, top = rect.x + label.x, rect.y + label.y
                box = left / across, top / down, (left + label.width) / across, (top + label.height) / down
                found.append((number, PreviewLabel(name_of(label.whole or label.text), box)))
    numbers = sorted({number for number, _ in found})
    if len(numbers) != len(BOTH_PANES) or plan.figure.steps:
        return tuple(label for _, label in found)
    # A name that both panes have says which one it is of.
    place = dict(zip(numbers, BOTH_PANES, strict=True))
    pane_of = {name: {number for number, label in found if label.name == name} for name in {e.name for _, e in found}}
    return tuple(
        replace(label, name=f"{place[number]}:{label.name}") if len(pane_of[label.name]) > 1 else label
        for number, label in found
    )


def _scaled(size: tuple[int, int], share: float) -> tuple[int, int]:
    return round(size[0] * share), round(size[1] * share)


class Pictures:
    """Takes one picture at a time, in the thread that owns the GL context.

    `share`: the drawn share of it, 1 while its file is written, None without a picture.
    """

    def __init__(self, context: Context, drawn: Callable[[], None], services: Services, cameras: Cameras) -> None:
        """`drawn`: called after each piece, since drawing it changes the window's GL state."""
        self._context, self._drawn, self._cameras = context, drawn, cameras
        self._work, self._preferences, self._notices = services.work, services.preferences, services.notices
        self._answers, self._motion, self._steps = services.answers, services.motion, services.steps
        self._tiles: Generator[float, None, Image.Image] | None = None
        self._keep: Callable[[bytes], str] | None = None
        self._encode: Callable[[Image.Image], bytes] = png_bytes
        self._job: Job[Callable[[], bytes], tuple[str, bool]] | None = None
        self.share: float | None = None
        self.preview: PreviewImage | None = None

    def quick(self) -> None:
        """Takes a numbered screenshot of the viewport as shown."""
        (width, height), density = self._cameras.size, self._cameras.density
        size = max(1, round(width / density)), max(1, round(height / density))
        self.take(ExportOptions(size=size, scale=density))

    def take(self, options: ExportOptions, path: Path | None = None, *, copy: bool = False) -> None:
        """Takes a screenshot with the scene inside, at once or, if it is large, over several frames.

        It goes to `path`, with `copy` to the clipboard, else to a numbered file. A refusal, as while another picture is
        taken, is shown as a notice.
        """
        if self.share is not None:
            self._notices.notify("One picture at a time: another one is being taken.")
            return
        try:
            self._begin(options, path, copy=copy)
        except MemoryError as error:
            self._notices.notify(too_large(error), error=True)

    def _begin(self, options: ExportOptions, path: Path | None, *, copy: bool) -> None:
        from ..render.figure import FigureError
        from ..render.still import tex_still, vector_still

        ending = ".png" if path is None else path.suffix.lower()
        try:
            plan, view = self._planned(options, ending)
        except FigureError as error:
            self._notices.notify(f"No picture was taken. {error}", error=True)
            return
        scene = self._cameras.seen.scene
        text = write(scene, replace(view, hover=None), ascii_only=True)
        self._keep = self._to_clipboard if copy else self._keeper(path)
        if ending == ".png":
            self._take_pixels(plan, text)
        elif path is not None and ending == TEX:
            self._write(partial(_beside_its_pdf, path, tex_still(plan, text, scene.name, path.stem)), PICTURE_SECONDS)
        else:
            self._write(vector_still(plan, ending, text, scene.name), PICTURE_SECONDS)

    def _planned(self, options: ExportOptions, ending: str = ".png") -> tuple[Plan, View]:
        """The state to draw: what the window shows, with these options, and the view that travels inside.

        Raises FigureError, with a whole sentence, for options that do not suit the scene.
        """
        from ..render.borne_names import NoSuchLabelError, check_names
        from ..render.figure import FigureError, figure_plan, kept_view
        from ..render.still import planned

        settings = self._preferences.settings
        options = options.suited(ending)
        theme = options.themed(settings.theme, settings.palette)
        # A picture waits for the slow answers too.
        whole = self._answers.whole_analysis
        seen = replace(
            self._cameras.seen,
            analysis=whole,
            theme=theme,
            sweep=self._motion.whole_sweep,
            progress=1.0,
            transition=None,
        )
        kept = self._steps.kept_view
        if not options.figured:
            seen = replace(seen, view=options.governed(seen.view))
            try:
                check_names([seen])
            except NoSuchLabelError as error:
                raise FigureError(f"It {error}") from None
            plan = planned(seen, *options.points, options.scale, options.transparent)
            return replace(plan, figure=options), kept
        try:
            other = load_view(options.view) if options.view else None
        except SceneError as error:
            raise FigureError(str(error)) from None
        shots = self._shots(replace(seen, view=options.looked_at(seen.view, other)), options.steps)
        kept = options.looked_at(replace(kept, step=0, at=None) if options.steps else kept, other)
        try:
            plan = figure_plan(shots, options, vectors=ending != ".png", as_tex=ending == TEX)
        except FigureError as error:
            raise FigureError(f"It {error}") from None
        return plan, kept_view(kept, shots, options)

    def _shots(self, seen: Seen, steps: str) -> list[Seen]:
        """The states to draw: those of a sheet of these steps, or the present one.

        Raises FigureError for malformed steps, and for steps that the scene lacks.
        """
        if not steps:
            return [seen]
        # Imported here because few pictures are sheets.
        from ..render.figure import FigureError
        from ..render.film import on_a_sheet
        from ..stages.placed_steps import NoSuchStepError, query_with

        without_step = replace(seen, query=None, place=0, part=WHOLE, asked=None, veil=frozenset())
        try:
            wanted = read_steps(steps)
        except ValueError as error:
            raise FigureError(f"The steps {error}") from None
        moves = seen.sweep is not None and seen.view.shows_motion(seen.scene)
        try:
            asked = query_with(wanted, seen.analysis, self._work.algorithm_settings, seen.sweep, motion=moves)
            return on_a_sheet(without_step, asked, wanted)
        except NoSuchStepError as error:
            raise FigureError(f"The scene {error}") from None

    def show(self, options: ExportOptions, *, large: bool = False) -> None:
        """Draws the preview of a picture, a large one for moving labels in it; a refusal becomes its `fault`."""
        from ..render.figure import FigureError, units
        from ..render.still import SUPERSAMPLING, expose_still, pixels

        options = options.suited(".png")
        across, _ = units(options)
        share = min(1.0, (LARGE_PREVIEW if large else PREVIEW) / across)
        small = changed(options, scale=share * options.scale)
        if options.width is not None:
            small = changed(options, dpi=share * options.dpi)
        try:
            plan, _ = self._planned(small)
            panes = plan.lay_out(SUPERSAMPLING)
            plan = replace(plan, lay_out=lambda _: panes)
            tiles = expose_still(plan, context=self._context, tile=None)
            exact = options.width is None and not options.crop
            size = pixels(*options.points, options.scale) if exact else _scaled(plan.size, 1.0 / share)
            pixels_drawn = np.asarray(_drawn(tiles).convert("RGBA"))
            self.preview = PreviewImage(size, pixels_drawn, "", _movable(panes, plan), plan.size[0] / plan.scale)
        except FigureError as error:
            self.preview = PreviewImage((across, 0), fault=str(error))
        except MemoryError as error:
            self.preview = PreviewImage((across, 0), fault=too_large(error))
        self._drawn()

    def _to_clipboard(self, data: bytes) -> str:
        """Copies a PNG to the system's clipboard; returns a sentence. Raises ClipboardError if it is not taken."""
        copy_png(data)
        return "Picture copied, with its scene inside."

    def _take_pixels(self, plan: Plan, text: str) -> None:
        from ..render.still import expose_still

        self._encode = lambda image: png_bytes(image, text, plan.texts, plan.dpi)
        large = plan.size[0] * plan.size[1] > MOST_PIXELS_AT_ONCE
        self._tiles, self.share = expose_still(plan, context=self._context, tile=TILE if large else None), 0.0
        if not large:
            self._go_on(float("inf"))
            self._tell(waits=True)

    def _keeper(self, path: Path | None) -> Callable[[bytes], str]:
        """The function that writes the requested file and returns a sentence about it.

        `path`: the file; None for a new numbered name beside the document.
        """
        unnamed = beside(self._work.document, ".png")

        def keep(data: bytes) -> str:
            if path is None:
                return f"Screenshot written: {write_numbered(unnamed, data)}"
            write_atomic(path, data)
            return f"Screenshot written: {path}"

        return keep

    def work(self) -> None:
        """Continues a picture; called once a frame. Raises an unexpected error of the thread that writes its file."""
        if self.share is not None:
            self._go_on(PICTURE_SECONDS)

    def _go_on(self, seconds: float) -> None:
        """Draws for about `seconds`, at least one tile; then notifies about a finished picture."""
        end = perf_counter() + seconds
        while self._tiles is not None:
            try:
                self.share = next(self._tiles)
            except StopIteration as done:
                self._tiles = None
                self._write(partial(self._encode, done.value))
            except MemoryError as error:
                self._tiles = self.share = None
                self._notices.notify(too_large(error), error=True)
            if perf_counter() >= end:
                break
        self._drawn()
        self._tell()

    def _tell(self, *, waits: bool = False) -> None:
        """Shows the picture's outcome once its file is written; `waits` for it. Raises the error of its thread."""
        job = self._job
        if job is not None and (waits or job.done):
            self._job = self.share = None
            message, failed = job.outcome()
            self._notices.notify(message, error=failed)

    def _write(self, made: Callable[[], bytes], seconds: float = 0.0) -> None:
        """Encodes and writes the file in a thread, and waits up to `seconds` for it."""
        # The program does not end before it is written.
        self.share, self._job = 1.0, Job(made, self._written, niceness=0, daemon=False)
        if seconds:
            self._job.within(seconds)
            self._tell()

    def _written(self, made: Callable[[], bytes]) -> tuple[str, bool]:
        """The notice's words, and whether it is an error."""
        assert self._keep is not None
        try:
            return self._keep(made()), False
        except MemoryError as error:
            return too_large(error), True
        except ClipboardError as error:
            return f"The picture could not be copied: {error}.", True
        except OSError as error:
            return f"The screenshot could not be written: {reason_of(error)}", True

    def drop(self) -> bool:
        """Gives the picture up; returns False without one, or if its file is being written already."""
        if self._tiles is None:
            return False
        self._tiles.close()
        self._tiles = self.share = None
        return True

    def cancel(self) -> None:
        """Gives up the screenshot with a notice, unless its file is being written already."""
        if self.drop():
            self._drawn()
            self._notices.notify("No screenshot was taken.")
