"""A film to a file: of what, how large, in which format; how far one has come; and the sign while recording."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager
from pathlib import Path

from imgui_bundle import ImVec2, imgui

from ..export.film_file import FORMATS
from ..io.mesh_file import STAGES
from ..state.figure import LARGEST
from ..state.film import FilmSource
from ..state.panel_state import PanelState
from ..state.requests import CancelFilm, CancelLoading, Invoke, MakeFilm
from .file_browser import exists, is_folder, resolved
from .panel import Ask
from .screenshot import SIZES
from .text import em, explain, flow, say, write
from .viewport_top import MARGIN, NOTE_EMS, VERDICT_WINDOW
from .widgets import FLOATING, button_width, card, choice, dialog, drawn_height, radio_row, usable_button

TIPS = {
    FilmSource.STEPS: "Every step of the algorithms, one after another; with their sub-steps if Slow is on",
    FilmSource.MOTION: "The bodies on their way, from the start to the end",
    FilmSource.TURN: "The camera goes once round the bodies",
    FilmSource.RECORDING: "What you did while recording, at the speed at which you did it",
}
STEP_SECONDS = 1.5
QUICKEST, SLOWEST = 0.05, 60.0
"""Seconds of a step at the least and at the most."""
RATES = (10, 25, 50)
"""Pictures a second; a GIF shows no more than the last."""
SCALES = (1, 2)
QUALITY = 90


class FilmPanel:
    """A window that remembers its choices."""

    def __init__(self) -> None:
        self._source = FilmSource.STEPS
        self._known: tuple[FilmSource, ...] = ()
        self._ending = ".gif"
        self._size = (0, 0)
        self._scale = 1
        self._seconds = STEP_SECONDS
        self._fps = RATES[1]
        self._once = False
        self._quality: int | None = None
        self._name = ""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Shown while `dialogs.film` is set."""
        with dialog(ui, "film", "Film", (27.0, 0.0), imgui.WindowFlags_.no_resize) as shown:
            if shown:
                self._draw_source(ui)
                self._draw_size(ui)
                self._draw_name(ui, ask)

    def _draw_source(self, ui: PanelState) -> None:
        sources = ui.film_sources
        if FilmSource.RECORDING in sources and FilmSource.RECORDING not in self._known:
            self._source = FilmSource.RECORDING
        self._known = sources
        if self._source not in sources:
            self._source = sources[0]
        self._source = radio_row([(source, source.value, TIPS[source]) for source in sources], self._source)
        if self._source is FilmSource.STEPS:
            imgui.set_next_item_width(6.0 * em())
            _, seconds = imgui.input_double("Seconds for each step", self._seconds, 0.0, 0.0, "%.2f")
            self._seconds = min(max(seconds, QUICKEST), SLOWEST)
        names = {ending: f"{kind.name}: {kind.about}" for ending, kind in FORMATS.items()}
        if self._source in (FilmSource.TURN, FilmSource.MOTION):
            rates = {rate: f"{rate} a second" for rate in RATES}
            self._fps = choice("Pictures", rates, self._fps, 10.0 * em())
        self._ending = choice("Format", names, self._ending, 21.0 * em())
        self._draw_playing()

    def _draw_playing(self) -> None:
        """How the file plays and how exact it is, where its format knows of that."""
        kind = FORMATS[self._ending]
        if kind.loops:
            _, self._once = imgui.checkbox("Play once", self._once)
            explain("Else it begins again at its end, for ever")
        if not kind.quality:
            return
        if kind.loops:
            flow(10.0 * em())
        _, smaller = imgui.checkbox("Smaller file", self._quality is not None)
        explain("Colours and edges are a little less exact. WebP is exact without it; AVIF has quality 90")
        self._quality = (self._quality or QUALITY) if smaller else None
        if self._quality is not None:
            imgui.set_next_item_width(10.0 * em())
            _, self._quality = imgui.slider_int("Quality", self._quality, 1, 100, "%d of 100")

    def _draw_size(self, ui: PanelState) -> None:
        self._size = radio_row(SIZES, self._size)
        for k, scale in enumerate(SCALES):
            if k:
                flow(4.0 * em())
            if imgui.radio_button(f"{scale}×", self._scale == scale):
                self._scale = scale
            explain("Lines and text keep their size in points at any number of pixels")
        width, height = self._points(ui)
        say(f"{width * self._scale} × {height * self._scale} pixels")

    def _points(self, ui: PanelState) -> tuple[int, int]:
        """The pictures' size in points; the viewport's until another is chosen."""
        width, height = self._size
        return (width or max(1, round(ui.viewport.width)), height or max(1, round(ui.viewport.height)))

    def _draw_name(self, ui: PanelState, ask: Ask) -> None:
        imgui.set_next_item_width(-1.0)
        _, self._name = imgui.input_text_with_hint("##film name", "File name; empty for a numbered one", self._name)
        path = self._path(ui)
        width, height = self._points(ui)
        usable = max(width, height) * self._scale <= LARGEST
        if path is not None and is_folder(path):
            usable = False
            say("This is a folder: a film in it needs a name.", ui.theme.overlap)
        elif path is not None and exists(path):
            say(f"{path.name} exists already; making the film replaces it.", ui.theme.dim_text)
        if self._ending == ".mp4" and shutil.which("ffmpeg") is None:
            usable = False
            say("MP4 needs the program ffmpeg, and there is none on the PATH.", ui.theme.overlap)
        if usable_button("Make film", usable and ui.film is None):
            size = width, height, float(self._scale)
            kind = FORMATS[self._ending]
            loop, quality = int(self._once and kind.loops), self._quality if kind.quality else None
            ask.append(MakeFilm(self._source, self._ending, path, *size, self._seconds, self._fps, loop, quality))
            ui.dialogs.film = False
        flow(button_width("Cancel"))
        if imgui.button("Cancel"):
            ui.dialogs.film = False

    def _path(self, ui: PanelState) -> Path | None:
        """Where the film goes: beside the scene's file, else in the current folder; None for a numbered name."""
        if not self._name.strip():
            return None
        folder = ui.document.path.parent if ui.document.path is not None else Path.cwd()
        path = resolved(folder, self._name)
        return path if path.suffix.lower() == self._ending or is_folder(path) else Path(f"{path}{self._ending}")


class FilmProgress:
    """While a film is being made, how far it is; while recording, a sign with the time and the number of pictures."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Under the verdict, in the middle."""
        if ui.film is None:
            return
        with progress_card("##film progress", ui):
            if ui.film.recorded is None:
                done = ui.film.drawn / max(1, ui.film.count)
                # A GIF looks at a few pictures first.
                picture = f"picture {ui.film.drawn} of {ui.film.count}" if ui.film.drawn else "choosing its colours"
                say(f"Making the film: {picture}")
                imgui.progress_bar(done, ImVec2(18.0 * em(), 0.0), f"{100.0 * done:.0f} %")
                if imgui.button("Cancel"):
                    ask.append(CancelFilm())
                return
            imgui.align_text_to_frame_padding()
            write("Recording", ui.theme.overlap)
            imgui.same_line()
            say(f"{ui.film.recorded:.0f} s, {ui.film.pictures} pictures")
            imgui.same_line()
            if imgui.button("Stop"):
                ask.append(Invoke("file.record"))


class LoadingProgress:
    """While a mesh is being loaded, how far it is."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """In the same place."""
        loading = ui.loading
        if loading is None or ui.film is not None:
            return
        with progress_card("##loading", ui):
            which = f" ({loading.number} of {loading.count})" if loading.count > 1 else ""
            say(f"Loading {loading.name}{which}")
            done = (STAGES.index(loading.stage) if loading.stage in STAGES else 0) / len(STAGES)
            imgui.progress_bar(done, ImVec2(18.0 * em(), 0.0), loading.stage)
            if imgui.button("Cancel"):
                ask.append(CancelLoading())


def progress_card(name: str, ui: PanelState) -> AbstractContextManager[object]:
    """Under the verdict, in the middle."""
    area = ui.viewport
    below = area.y + (MARGIN + NOTE_EMS) * em() + drawn_height(VERDICT_WINDOW)
    at, flags = ImVec2(area.x + 0.5 * area.width, below), FLOATING | imgui.WindowFlags_.always_auto_resize
    fixed = imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
    return card(name, at, ImVec2(0.5, 0.0), flags=flags | fixed)
