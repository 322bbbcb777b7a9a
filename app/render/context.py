"""Graphics: contexts (the window's, or one without a display), framebuffers, shader programs and buffers.

Shaders: `#include "folder/file.glsl"` (path from shaders/) is replaced by that file, once per shader. `#line`
directives number the sources, so that the compiler's line numbers remain those of the files. Buffers live as long as
the renderer: they are filled in place and grow by doubling; none is made per frame.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ..storage.files import resource

REQUIRED = 330
"""The lowest version of OpenGL that is accepted, as moderngl counts: 3.3."""


class GraphicsUnavailable(Exception):  # noqa: N818 - a state of the machine that is reported, not an error of the program
    """No OpenGL 3.3 core context is available on this machine; the text is one sentence for the user."""


_NO_WINDOW = {
    "NoSuchDisplayException": "there is no display",
    "NoSuchConfigException": "the display offers no OpenGL",
    "ContextException": "the display offers no OpenGL 3.3",
}
"""The reasons why no window opens, by the names of pyglet's exceptions."""


def no_window(error: Exception) -> GraphicsUnavailable:
    """The error with the reason why no window could be opened, from the exception that pyglet raised."""
    name = type(error).__name__
    why = _NO_WINDOW.get(name) or (str(error) or name).strip().splitlines()[0].rstrip(".")
    return GraphicsUnavailable(f"No window could be opened here: {why}.")


def make_context(*, standalone: bool = False) -> moderngl.Context:
    """Wraps the current context, or with `standalone` makes one without a display.

    Without `standalone` a window must have been made first. Raises GraphicsUnavailable if OpenGL 3.3 cannot be started.
    """
    if not standalone:
        return _checked(moderngl.create_context)
    # An X server may lack EGL. Then moderngl's own choice may still work. If both fail, the error has EGL's reason.
    ways: tuple[dict[str, Any], ...] = ({"backend": "egl"}, {}) if sys.platform.startswith("linux") else ({},)
    refusals = []
    for settings in ways:
        try:
            return _checked(partial(moderngl.create_context, standalone=True, **settings))
        except GraphicsUnavailable as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _checked(create: Callable[[], moderngl.Context]) -> moderngl.Context:
    try:
        context = create()
    except Exception as error:  # moderngl raises bare Exception for every failure of the driver
        reason = (str(error) or type(error).__name__).strip().splitlines()[0].rstrip(".")
        raise GraphicsUnavailable(f"OpenGL 3.3 could not be started here ({reason}).") from error
    if context.version_code < REQUIRED:
        version = f"{context.version_code // 100}.{context.version_code // 10 % 10}"
        context.release()
        raise GraphicsUnavailable(f"OpenGL 3.3 is needed, this machine offers {version}.")
    return context


def renderer_words(context: moderngl.Context) -> str:
    """The renderer, the OpenGL version and the vendor."""
    about = context.info
    return f"{about['GL_RENDERER']}, OpenGL {about['GL_VERSION']}, {about['GL_VENDOR']}"


class RenderTarget:
    """A framebuffer of a colour texture and a depth buffer. `exact`: half floats, so that many layers round less."""

    def __init__(self, context: moderngl.Context, size: tuple[int, int], *, exact: bool = False) -> None:
        self.size = size
        self.colour = context.texture(size, 4, dtype="f2" if exact else "f1")
        self.colour.filter = (moderngl.NEAREST, moderngl.NEAREST)
        self.depth = context.depth_renderbuffer(size)
        self.framebuffer = context.framebuffer([self.colour], self.depth)

    def release(self) -> None:
        """Frees the GPU's objects."""
        for part in (self.framebuffer, self.colour, self.depth):
            part.release()


class WindowTarget(Struct, frozen=True, eq=False):
    """The window's framebuffer and its current size, pixels."""

    framebuffer: moderngl.Framebuffer
    size: tuple[int, int]


def largest_side(context: moderngl.Context) -> int:
    """The longest side in pixels that a target can have on this machine."""
    limits = context.info
    return int(min(limits["GL_MAX_TEXTURE_SIZE"], limits["GL_MAX_RENDERBUFFER_SIZE"], *limits["GL_MAX_VIEWPORT_DIMS"]))


SHADERS = resource("shaders")
INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$')
NUMBERED = re.compile(r"^(\s*(?:ERROR:|WARNING:)?\s*)(\d+)([:(])(\d+)", re.MULTILINE)


class ShaderError(Exception):
    """A shader does not compile or an include is missing; the text names file and line."""


def resolve(name: str, root: Path = SHADERS) -> tuple[str, tuple[str, ...]]:
    """The text of a shader with its includes, and the names of the sources in order of their `#line` numbers.

    Raises ShaderError for a file that cannot be read.
    """
    names: list[str] = []

    def text_of(current: str) -> list[str]:
        number = len(names)
        names.append(current)
        try:
            lines = (root / current).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise ShaderError(f"{current}: {error.strerror}") from error
        result: list[str] = []
        for position, line in enumerate(lines, start=1):
            found = INCLUDE.match(line)
            if found is None:
                result.append(line)
                continue
            if found[1] not in names:
                result.append(f"#line 1 {len(names)}")
                result += text_of(found[1])
            result.append(f"#line {position + 1} {number}")
        return result

    return "\n".join(text_of(name)) + "\n", tuple(names)


def load_program(context: moderngl.Context, name: str) -> moderngl.Program:
    """The program `shaders/<name>/<name>.vert` and `.frag`.

    Raises ShaderError, with the file's name, if one cannot be read or does not compile.
    """
    vertex, vertex_names = resolve(f"{name}/{name}.vert")
    fragment, fragment_names = resolve(f"{name}/{name}.frag")
    try:
        return context.program(vertex_shader=vertex, fragment_shader=fragment)
    except moderngl.Error as error:
        message = str(error)
        names = fragment_names if "fragment_shader" in message else vertex_names
        raise ShaderError(with_file_names(message, names)) from error


def with_file_names(message: str, names: tuple[str, ...]) -> str:
    """A compiler's message with source numbers replaced by file names."""

    def replaced(found: re.Match[str]) -> str:
        number = int(found[2])
        return f"{found[1]}{names[number]}{found[3]}{found[4]}" if number < len(names) else found[0]

    return NUMBERED.sub(replaced, message)


BufferRows = NDArray[np.void]
LEAST_CAPACITY = 64
"""Rows for which a buffer has room at least."""
FORMATS = {("<f4", ()): "1f", ("<f4", (2,)): "2f", ("<f4", (3,)): "3f", ("<f4", (4,)): "4f", ("|u1", (4,)): "4f1"}


def layout_of(row: np.dtype[np.void], per_instance: bool) -> tuple[str, tuple[str, ...]]:
    """The format string for moderngl and the attribute names of one row dtype.

    `per_instance`: a row is read for each instance, not for each vertex. Raises KeyError for a dtype that is not in
    FORMATS.
    """
    names = row.names or ()
    formats = [FORMATS[row[name].base.str, row[name].shape] for name in names]
    return " ".join(formats) + (" /i" if per_instance else ""), names


class Batch:
    """Rows of one dtype in one buffer, drawn by one program: vertices, or instances of a four-cornered strip."""

    def __init__(
        self, context: moderngl.Context, program: moderngl.Program, row: np.dtype[np.void], *, per_instance: bool
    ) -> None:
        self._context = context
        self._program = program
        self._row = row
        self._per_instance = per_instance
        self._rows: BufferRows = np.zeros(0, dtype=row)
        self._buffer: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None
        self.count = 0

    def room(self, count: int) -> BufferRows:
        """Rows for the next upload, `count` of them, to be filled in place."""
        if count > len(self._rows):
            self._grow(max(LEAST_CAPACITY, 1 << (count - 1).bit_length()))
        self.count = count
        return self._rows[:count]

    def upload(self) -> None:
        """Sends the filled rows. The old contents are orphaned first, so that no drawing call has to be waited for."""
        if self.count and self._buffer is not None:
            self._buffer.orphan()
            self._buffer.write(self._rows[: self.count])

    def draw(self, first: int = 0, count: int | None = None) -> None:
        """Draws all rows, if any, or `count` vertices from `first`; of instances the first `count`."""
        count = self.count if count is None else count
        if not count or self._array is None:
            return
        if self._per_instance:
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=count)
        else:
            self._array.render(moderngl.TRIANGLES, vertices=count, first=first)

    def release(self) -> None:
        """Frees the GPU's objects."""
        for part in (self._array, self._buffer):
            if part is not None:
                part.release()
        self._array = self._buffer = None

    def _grow(self, capacity: int) -> None:
        self.release()
        self._rows = np.zeros(capacity, dtype=self._row)
        self._buffer = self._context.buffer(reserve=capacity * self._row.itemsize, dynamic=True)
        layout, names = layout_of(self._row, self._per_instance)
        self._array = self._context.vertex_array(self._program, [(self._buffer, layout, *names)])
