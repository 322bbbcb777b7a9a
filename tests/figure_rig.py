"""A still as pixels, and as vectors that somebody else's programs turned into pixels: how far they are from each other.

SVG is drawn by resvg and librsvg, PDF by pdfium, all twice as fine as the picture. pdfium sets letters on whole pixels;
resvg measures lines of up to one pixel along a row or column and not across them, so that a slanted one has 0.71 of its
ink. librsvg knows no fonts inside a file: it is given the program's own.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import moderngl
import numpy as np
import pypdfium2
import resvg_py
from msgspec import Struct
from numpy.typing import NDArray
from PIL import Image

from app.draw.placed import PlacedPane
from app.draw.text import font_path
from app.render.still import SUPERSAMPLING, expose_still, planned, vector_still
from app.state.view import Seen
from core.trace import run

SIZE = (1200, 750)
FAR = 32
"""Levels of 255 by which a pixel is off."""
FONTS = [str(font_path(bold)) for bold in (False, True)]


class Compared(Struct, frozen=True):
    """One picture four times: (h, w, 3) levels each, the files, and the seconds of processor time each file took.

    `svg`: as resvg draws it, `rsvg`: as librsvg does.
    """

    gl: NDArray[np.uint8]
    svg: NDArray[np.uint8]
    rsvg: NDArray[np.uint8]
    pdf: NDArray[np.uint8]
    svg_file: bytes
    pdf_file: bytes
    svg_seconds: float
    pdf_seconds: float
    placed: list[PlacedPane]

    def mean(self, kind: str) -> float:
        """Difference from the GL picture, levels of 255."""
        return float(self._off(kind).mean())

    def far(self, kind: str) -> float:
        """Percentage of the pixels that are off by more than FAR."""
        return 100.0 * float((self._off(kind).max(axis=2) > FAR).mean())

    def _off(self, kind: str) -> NDArray[np.int64]:
        return np.abs(self.gl.astype(np.int64) - getattr(self, kind))


def compare(seen: Seen, context: moderngl.Context, size: tuple[int, int] = SIZE, scene: str = "{}") -> Compared:
    """The view as a picture of `size` points and pixels."""
    plan = planned(seen, *size, 1.0)
    gl = np.asarray(run(expose_still(plan, context=context)).convert("RGB"))
    svg, svg_seconds = _timed(plan, ".svg", scene, seen.scene.name)
    pdf, pdf_seconds = _timed(plan, ".pdf", scene, seen.scene.name)
    placed = [placed for _, placed in plan.lay_out(SUPERSAMPLING)]
    drawn = (levels(image) for image in (svg_image(svg), rsvg_image(svg), pdf_image(pdf)))
    return Compared(gl, *drawn, svg, pdf, svg_seconds, pdf_seconds, placed)


def _timed(plan, ending: str, scene: str, title: str) -> tuple[bytes, float]:
    began = time.process_time()
    data = vector_still(plan, ending, scene, title)()
    return data, time.process_time() - began


def svg_image(data: bytes) -> Image.Image:
    drawn = resvg_py.svg_to_bytes(svg_string=data.decode(), zoom=2, skip_system_fonts=True, font_files=FONTS)
    return Image.open(io.BytesIO(drawn)).convert("RGB").reduce(2)


def rsvg(*words: str | Path, data: bytes = b"", fonts: bool = True) -> bytes:
    """What rsvg-convert (Debian's librsvg2-bin) writes; it must refuse nothing, and have nothing to say.

    `fonts`: it has the program's own, else the machine's.
    """
    command = [shutil.which("rsvg-convert") or "rsvg-convert", *map(str, words)]
    done = subprocess.run(
        command, input=data, env=os.environ | (_fonts() if fonts else {}), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout


def rsvg_image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(rsvg("--zoom", "2", data=data))).convert("RGB").reduce(2)


@cache
def _fonts() -> dict[str, str]:
    """The variables by which fontconfig finds the program's fonts, and no others."""
    home = Path(mkdtemp(prefix="separatrix-fonts-"))
    config = home / "fonts.conf"
    places = f"<dir>{font_path(bold=False).parent}</dir><cachedir>{home}</cachedir>"
    config.write_text(f'<?xml version="1.0"?><fontconfig>{places}</fontconfig>', "utf-8")
    return {"FONTCONFIG_FILE": str(config)}


def pdf_image(data: bytes) -> Image.Image:
    document = pypdfium2.PdfDocument(data)
    page = document[0]
    image = page.render(scale=2.0 * 96.0 / 72.0).to_pil().convert("RGB").reduce(2)
    page.close()
    document.close()
    return image


def levels(image: Image.Image) -> NDArray[np.uint8]:
    return np.asarray(image.convert("RGB"))


def font_sizes(svg: bytes) -> list[int]:
    """Bytes of each font that is inside, as text."""
    return [len(data) for data in re.findall(rb"base64,([A-Za-z0-9+/=]*)", svg)]
