"""Buffers that live as long as the renderer: filled in place, grown by doubling, never made per frame."""

from __future__ import annotations

import moderngl
import numpy as np

from .packing import Rows

SMALLEST = 64
FORMATS = {("<f4", ()): "1f", ("<f4", (2,)): "2f", ("<f4", (3,)): "3f", ("<f4", (4,)): "4f", ("|u1", (4,)): "4f1"}


def layout_of(row: np.dtype[np.void], per_instance: bool) -> tuple[str, tuple[str, ...]]:
    """The format string for moderngl and the attribute names of one row."""
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
        self._rows: Rows = np.zeros(0, dtype=row)
        self._buffer: moderngl.Buffer | None = None
        self._array: moderngl.VertexArray | None = None
        self.count = 0

    def room(self, count: int) -> Rows:
        """The rows to fill for the next upload, `count` of them."""
        if count > len(self._rows):
            self._grow(max(SMALLEST, 1 << (count - 1).bit_length()))
        self.count = count
        return self._rows[:count]

    def upload(self) -> None:
        """Send the filled rows; the old contents are orphaned, so that no drawing is waited for."""
        if self.count and self._buffer is not None:
            self._buffer.orphan()
            self._buffer.write(self._rows[: self.count])

    def draw(self, first: int = 0, count: int | None = None) -> None:
        """Draw all rows, or for vertices the range given."""
        count = self.count if count is None else count
        if not count or self._array is None:
            return
        if self._per_instance:
            self._array.render(moderngl.TRIANGLE_STRIP, vertices=4, instances=count)
        else:
            self._array.render(moderngl.TRIANGLES, vertices=count, first=first)

    def release(self) -> None:
        """Free what the GPU holds."""
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
