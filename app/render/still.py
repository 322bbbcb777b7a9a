"""Still pictures of a scene, supersampled or as vectors, of any size: no window, no panels, no gizmo.

Used by `separatrix picture` and for screenshots.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Self

import moderngl
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from PIL import Image

from core.query.query import Query
from core.scene import Scene
from core.toi.motion import moves

from ..draw.placed import Rect
from ..state.export_options import FONT, OUTLINES, ExportOptions
from ..state.prediction import CurrentQuestion, Prediction, QuestionKind
from ..state.view import Seen, View
from ..storage.memory import refuse_beyond
from . import Background, PositionedPane, Renderer, RenderTarget, make_context
from .context import largest_side, load_program
from .frame import FrameBuilder, FrameTimings, PictureInput, taken_corner, title_strip
from .framing import NOTHING_COVERED, Covered, framed

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

    from ..export.operations import Picture


SUPERSAMPLING = 2
"""Fine pixels to a pixel of a picture, in each direction."""
BYTES = 9.0
"""Bytes of memory for each pixel, as measured, for the picture and for its file while that is written."""
LARGEST_TILE = 2048
"""Tile side in supersampled pixels: 67 MB on the graphics side. A picture of no more pixels is one tile."""


class Plan(Struct, frozen=True, eq=False):
    """A still before it is drawn, as pixels or as vectors.

    `size`: width and height in pixels, `scale` of them to the point. `background`: None for a transparent picture.
    `lay_out(fineness)`: the panes, in pixels that are finer than the picture's by this factor. `figure`: options for
    width and kind of text. `alt`: text for a screen reader, or "". `suits`: the ground that a transparent picture is
    for, as `Theme.suits`.
    """

    size: tuple[int, int]
    scale: float
    background: Background | None
    lay_out: Callable[[int], Sequence[PositionedPane]]
    figure: ExportOptions = ExportOptions()
    alt: str = ""
    suits: str = ""

    @property
    def dpi(self) -> float | None:
        """Pixels to the inch if the picture has a width on paper, else None."""
        return None if self.figure.width is None else self.figure.dpi

    @property
    def texts(self) -> dict[str, str]:
        """The texts in a PNG besides the scene, by keywords of the PNG specification."""
        comment = {"Comment": f"Transparent, for a {self.suits} ground."} if self.transparent_for else {}
        return comment | ({"Description": self.alt} if self.alt else {})

    @property
    def transparent_for(self) -> str:
        """The ground that a transparent picture is for; "" for a picture with a background."""
        return self.suits if self.background is None else ""


class Stills:
    """Draws stills in one context, one after the other; programs, glyphs and targets are kept between them.

    `context`: must be current if given; without it an own context is made, which `release` frees. Raises
    GraphicsUnavailable if OpenGL 3.3 cannot be started for that.
    """

    def __init__(self, context: moderngl.Context | None = None) -> None:
        self._own = make_context(standalone=True) if context is None else None
        self._context = self._own or context
        assert self._context is not None
        self._renderer = Renderer(self._context)
        self._mean = load_program(self._context, "still")
        self._triangle = self._context.vertex_array(self._mean, [])
        self._targets: tuple[RenderTarget, RenderTarget] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def expose(self, plan: Plan, *, tile: int | None = None) -> Generator[float, None, Image.Image]:
        """Draws the planned picture, RGBA with straight alpha, anti-aliased by supersampling.

        `tile`: side of a tile in finer pixels. Yields the share drawn, and returns the picture. Raises MemoryError,
        with a sentence, if the memory that it needs is not free; then none is taken.
        """
        width, height = plan.size
        refuse_beyond(BYTES * width * height, f"a picture of {width}x{height} pixels")
        if tile is None and SUPERSAMPLING**2 * width * height <= LARGEST_TILE**2:
            # One tile is enough: with several, lines and faces that lie in more than one are drawn repeatedly.
            tile = SUPERSAMPLING * max(plan.size)
        side = min(tile or LARGEST_TILE, largest_side(self._renderer.context)) // SUPERSAMPLING
        picture = np.zeros((height, width, 4), dtype=np.uint8)
        self._renderer.upload(plan.lay_out(SUPERSAMPLING))
        fine, coarse = self._targets_of((min(side, width), min(side, height)))
        for top in range(0, height, side):
            for left in range(0, width, side):
                self._renderer.paint(plan.background, fine, (left * SUPERSAMPLING, top * SUPERSAMPLING))
                rows, columns = min(side, height - top), min(side, width - left)
                picture[top : top + rows, left : left + columns] = self._averaged(fine, coarse)[:rows, :columns]
                yield (top * width + rows * (left + columns)) / (width * height)
        return Image.fromarray(picture)

    def _targets_of(self, size: tuple[int, int]) -> tuple[RenderTarget, RenderTarget]:
        """A target in finer pixels and one of `size`; those of the last still if they have this size."""
        if self._targets is None or self._targets[1].size != size:
            self._release_targets()
            context, (width, height) = self._renderer.context, size
            fine = RenderTarget(context, (width * SUPERSAMPLING, height * SUPERSAMPLING), exact=True)
            self._targets = fine, RenderTarget(context, size)
        return self._targets

    def _averaged(self, fine: RenderTarget, coarse: RenderTarget) -> NDArray[np.uint8]:
        """Means of the blocks of SUPERSAMPLING by SUPERSAMPLING pixels, (h, w, 4), from the top row down."""
        coarse.framebuffer.use()
        coarse.framebuffer.viewport = coarse.framebuffer.scissor = (0, 0, *coarse.size)
        coarse.framebuffer.color_mask = (True,) * 4
        self._renderer.context.enable_only(moderngl.NOTHING)
        fine.colour.use(0)
        self._triangle.render(moderngl.TRIANGLES, vertices=3)
        data = coarse.framebuffer.read(components=4, alignment=1)
        return np.frombuffer(data, dtype=np.uint8).reshape(*coarse.size[::-1], 4)[::-1]

    def _release_targets(self) -> None:
        for target in self._targets or ():
            target.release()
        self._targets = None

    def release(self) -> None:
        """Frees the GPU's objects, and the context if it was made here."""
        self._release_targets()
        for part in (self._triangle, self._mean, self._renderer, self._own):
            if part is not None:
                part.release()


def prepared(seen: Seen) -> Seen:
    """`seen` as a still shows it: without pointer and handles, with the answer about the motion if that is shown."""
    view = replace(seen.view, hover=None).facing(seen.scene)
    swept = seen.sweep or (None if seen.query is None else seen.query.sweep) or _swept(seen.scene, view)
    return replace(seen, view=view, sweep=swept, handles=())


def fitted_view(
    seen: Seen, size: tuple[int, int], scale: float, also: Sequence[Seen] = (), *, titled: bool = False
) -> View:
    """The view with everything of `seen` (`prepared`) in view in `size` pixels, clear of the inset in the corner.

    `scale`: pixels to the point. `also`: as in `framed`. `titled`: in view above the panes' names.
    """
    corner = taken_corner(seen.scene, seen.view, Rect(0, 0, *size), scale, 0.5, NOTHING_COVERED)
    title = title_strip(seen.view, scale) if titled else 0.0
    return framed(seen, size, covered=Covered(corner=corner, title=title), also=also, as_shown=True)


def pixels(width: float, height: float, scale: float) -> tuple[int, int]:
    """Width and height in pixels of a still whose size is given in points; each is at least 1.

    `scale`: pixels to the point.
    """
    return max(1, round(width * scale)), max(1, round(height * scale))


def planned(
    seen: Seen,
    width: float,
    height: float,
    scale: float,
    transparent: bool = False,
    *,
    builder: FrameBuilder | None = None,
    titled: bool = True,
    legible: bool = False,
) -> Plan:
    """The plan of a still of `width` by `height` points at `scale` pixels to the point.

    A `fitted` view, as a new view is, gets cameras that frame everything drawn. `builder`: that of a film, which keeps
    labels at their earlier places. `titled`, `legible`: as in PictureInput. `transparent`: without background and
    ground.
    """
    size, seen = pixels(width, height, scale), prepared(seen)
    if seen.view.fitted:
        seen = replace(seen, view=fitted_view(seen, size, scale, titled=titled))
    theme = seen.theme
    background = None if transparent else (theme.background_top, theme.background_bottom)
    if transparent:
        seen = replace(seen, theme=theme.without_ground())

    def lay_out(fineness: int) -> Sequence[PositionedPane]:
        fine = size[0] * fineness, size[1] * fineness
        return laid_out(seen, fine, scale * fineness, builder or FrameBuilder(), titled=titled, legible=legible)

    return Plan(size, scale, background, lay_out, suits=theme.suits)


def laid_out(
    seen: Seen,
    size: tuple[int, int],
    density: float,
    builder: FrameBuilder,
    *,
    titled: bool = True,
    bordered: bool = True,
    legible: bool = False,
) -> list[PositionedPane]:
    """The panes of `seen` (`prepared`) in a picture of `size` pixels, `density` of them to the point.

    `titled`, `bordered`, `legible`: as in PictureInput.
    """
    area = Rect(0, 0, *size)
    builder.build(
        PictureInput(**seen.facts, area=area, density=density, titled=titled, bordered=bordered, legible=legible),
        FrameTimings(),
    )
    return [(pane.rect, placed) for pane, placed in zip(builder.panes, builder.placed, strict=True)]


def expose_still(
    plan: Plan, *, context: moderngl.Context | None = None, tile: int | None = None
) -> Generator[float, None, Image.Image]:
    """Draws a single picture, as `Stills.expose` does with `tile`; `context` as in Stills. Raises as both do."""
    with Stills(context) as stills:
        return (yield from stills.expose(plan, tile=tile))


def vector_still(plan: Plan, ending: str, scene: str, title: str) -> Callable[[], bytes]:
    """Lays the picture out, as finely as for pixels; returns a function that makes the file in any thread.

    `ending`: `.svg` or `.pdf`. `scene`: the JSON text that is embedded. `title`: the scene's name.
    """
    # Imported with the first such picture.
    from ..export.pdf import pdf_bytes
    from ..export.svg import svg_bytes

    picture = vector_picture(plan, scene, title)
    embedded = plan.figure.text == FONT
    return lambda: svg_bytes(picture(), embedded=embedded) if ending == ".svg" else pdf_bytes(picture())


def tex_still(plan: Plan, scene: str, title: str, name: str) -> Callable[[], tuple[bytes, bytes]]:
    """Like `vector_still`; makes the PDF without words, and the LaTeX that sets the words over `name`.pdf."""
    from ..export.pdf import pdf_bytes
    from ..export.tex import tex_bytes, without_texts

    picture = vector_picture(plan, scene, title)

    def made() -> tuple[bytes, bytes]:
        whole = picture()
        return pdf_bytes(without_texts(whole)), tex_bytes(whole, name, plan.figure.rename)

    return made


def vector_pages(plans: Sequence[tuple[Plan, str, str]], title: str, author: str = "") -> bytes:
    """A PDF with a page for each of `plans`: the plan, the JSON text of its scene, the scene's name.

    `title` and `author` are those of the whole document.
    """
    from ..export.pdf import pdf_bytes

    pictures = [vector_picture(plan, scene, name)() for plan, scene, name in plans]
    return pdf_bytes(*pictures, title=title, author=author)


def vector_picture(plan: Plan, scene: str = "", title: str = "") -> Callable[[], Picture]:
    """Lays the picture out, as finely as for pixels; returns a function that makes its operations in any thread.

    `scene`, `title`: as in `vector_still`.
    """
    from ..export.picture import picture_of

    panes = plan.lay_out(SUPERSAMPLING)
    size, ground, figure = plan.size, plan.background, plan.figure
    outlines = figure.text == OUTLINES

    def made() -> Picture:
        picture = picture_of(panes, size, SUPERSAMPLING, plan.scale, ground, scene, title, outlines)
        return replace(picture, width_mm=figure.width, alt=plan.alt, transparent_for=plan.transparent_for)

    return made


def with_question(seen: Seen, query: Query, kind: QuestionKind) -> Seen:
    """`seen` with the question of this kind open, at the question's step if it is about one.

    Unchanged if the pair has no such question.
    """
    # Imported with the first question.
    from ..quiz import question_of

    question = question_of(query, kind)
    if question is None:
        return seen
    seen = replace(seen, asked=CurrentQuestion(question, Prediction(), 1))
    return seen if question.place is None else replace(seen, query=query, place=question.place)


def _swept(scene: Scene, view: View) -> SweepAnswer | None:
    """The answer about the bodies' motion; None if neither body moves or the view does not show the motion."""
    if not view.shows_motion(scene) or not (moves(scene.a) or moves(scene.b)):
        return None
    from core.analysis.motion_answers import sweep

    return sweep(scene)
