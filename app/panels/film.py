"""The dialog to make a film, the progress of a film or a loading mesh, and the card of a recording."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from imgui_bundle import ImVec2, imgui
from msgspec.structs import replace

from ..export.film_file import FORMATS
from ..io.mesh_file import STAGES
from ..state.ask import Ask, Press
from ..state.export_options import ExportOptions
from ..state.export_shown import FilmSource
from ..state.named_steps import ALL
from ..state.option import LARGEST_SIDE, OptionGroup
from ..state.panel_state import PanelState
from .cards import CARDS, Card
from .export_fields import draw_options, with_viewport_size
from .file_browser import exists, is_folder, resolved
from .rows import Button, Flow, Own, Row, Words, command
from .text import em, flow, say
from .viewport_top import MARGIN_EMS, NOTE_EMS, VERDICT_WINDOW, draw_at_top
from .widgets import FLOATING, button_width, choice, dialog, radio_row, usable_button

TIPS = {
    FilmSource.STEPS: "Every step of the algorithms, one after another; with their sub-steps if wanted",
    FilmSource.MOTION: "The bodies on their way, from the start to the end",
    FilmSource.TURN: "The camera goes once round the bodies",
    FilmSource.RECORDING: "What you did while recording, at the speed at which you did it",
}
FOLDED = dict.fromkeys((OptionGroup.LOOK, OptionGroup.CAMERA, OptionGroup.SHOWN), "as in the window")
WIDTH_EMS = 30.0
IMPLIED_OPTIONS: dict[FilmSource, dict[str, Any]] = {
    FilmSource.STEPS: {"steps": ALL},
    FilmSource.MOTION: {"times": True},
    FilmSource.TURN: {"turn": True},
    # A recording has its own order and pace.
    FilmSource.RECORDING: {"steps": ALL, "times": True, "turn": True},
}
"""The options that each source implies. They decide which others apply."""


class FilmPanel:
    """The dialog to make a film. Making one keeps its options in the settings."""

    def __init__(self) -> None:
        self._source = FilmSource.STEPS
        self._known: tuple[FilmSource, ...] = ()
        self._ending = ".gif"
        self._chosen: ExportOptions | None = None
        self._name = ""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the dialog while `dialogs.film` is true."""
        if self._chosen is None:
            self._chosen = ui.settings.film_options
        if not ui.dialogs.film:
            return
        width, most = WIDTH_EMS * em(), 0.94 * imgui.get_main_viewport().work_size.y
        # The height follows the open groups.
        imgui.set_next_window_size_constraints(ImVec2(width, 0.0), ImVec2(width, most))
        flags = imgui.WindowFlags_.no_resize | imgui.WindowFlags_.always_auto_resize
        with dialog(ui, "film", "Film", (WIDTH_EMS, 0.0), flags) as shown:
            if shown:
                self._draw_source(ui)
                # The name and the button stand above the options, because these scroll in a low window.
                self._draw_name(self._chosen, ui, ask)
                self._chosen = draw_options(self._chosen, ui, self._ending, FOLDED, IMPLIED_OPTIONS[self._source])

    def _draw_source(self, ui: PanelState) -> None:
        sources = ui.film_sources
        if FilmSource.RECORDING in sources and FilmSource.RECORDING not in self._known:
            self._source = FilmSource.RECORDING
        self._known = sources
        if self._source not in sources:
            self._source = sources[0]
        if len(sources) > 1:
            # An id of its own, since the group of options below is called Steps too.
            imgui.push_id("source")
            self._source = radio_row([(source, source.value, TIPS[source]) for source in sources], self._source)
            imgui.pop_id()
        names = {ending: f"{kind.name}: {kind.about}" for ending, kind in FORMATS.items()}
        self._ending = choice("Format", names, self._ending, 21.0 * em())

    def _draw_name(self, chosen: ExportOptions, ui: PanelState, ask: Ask) -> None:
        wanted = with_viewport_size(chosen, ui).in_force(self._ending)
        suited = wanted.suited(self._ending)
        width, height = (round(side * suited.scale) for side in suited.points)
        say(f"{width} × {height} pixels")
        imgui.set_next_item_width(-1.0)
        _, self._name = imgui.input_text_with_hint("##film name", "File name; empty for a numbered one", self._name)
        path = self._path(ui)
        usable = max(width, height) <= LARGEST_SIDE
        if path is not None and is_folder(path):
            usable = False
            say("This is a folder: a film in it needs a name.", ui.theme.overlap)
        elif path is not None and exists(path):
            say(f"{path.name} exists already; making the film replaces it.", ui.theme.dim_text)
        if self._ending == ".mp4" and shutil.which("ffmpeg") is None:
            usable = False
            say("MP4 needs the program ffmpeg, and there is none on the PATH.", ui.theme.overlap)
        if usable_button("Make film", usable and ui.film is None):
            if chosen != ui.settings.film_options:
                ask.configure(replace(ui.settings, film_options=chosen))
            ask.make_film(self._source, self._ending, path, wanted)
            ui.dialogs.film = False
        flow(button_width("Cancel"))
        if imgui.button("Cancel"):
            ui.dialogs.film = False

    def _path(self, ui: PanelState) -> Path | None:
        """The film's path: beside the scene's file, else in the current folder. None if the field is empty.

        The film then gets a numbered name.
        """
        if not self._name.strip():
            return None
        folder = ui.document.path.parent if ui.document.path is not None else Path.cwd()
        path = resolved(folder, self._name)
        return path if path.suffix.lower() == self._ending or is_folder(path) else Path(f"{path}{self._ending}")


class FilmProgress:
    """The progress of a film in the making, or the recording's time and number of pictures."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card under the verdict, in the middle, while a film is made or recorded."""
        if ui.film is None:
            return
        film = ui.film
        if film.recorded is not None:
            said = Words(f"{film.recorded:.0f} s, {film.pictures} pictures")
            stop = Button("Stop", command("file.record"), small=False)
            _draw_card("##film progress", [Flow((Words("Recording", ui.theme.overlap), said, stop))], ui, ask)
            return
        # A GIF samples a few pictures for its colours first.
        picture = f"picture {film.drawn} of {film.count}" if film.drawn else "choosing its colours"
        share = film.drawn / max(1, film.count)
        rows = _progress(f"Making the film: {picture}", share, f"{100.0 * share:.0f} %", lambda ask: ask.cancel_film())
        _draw_card("##film progress", rows, ui, ask)


class LoadingProgress:
    """The progress of a mesh being loaded."""

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the card in the same place, unless a film's progress is shown there."""
        loading = ui.loading
        if loading is None or ui.film is not None:
            return
        which = f" ({loading.number} of {loading.count})" if loading.count > 1 else ""
        share = (STAGES.index(loading.stage) if loading.stage in STAGES else 0) / len(STAGES)
        rows = _progress(f"Loading {loading.name}{which}", share, loading.stage, lambda ask: ask.cancel_loading())
        _draw_card("##loading", rows, ui, ask)


def _progress(words: str, share: float, said: str, cancel: Press) -> list[Row]:
    """The rows of a progress card: the text `words`, a bar with the text `said`, and a button to cancel."""
    size = 18.0 * em(), imgui.get_frame_height()
    bar = Own(size, lambda _ask: imgui.progress_bar(share, ImVec2(size[0], 0.0), said))
    return [Words(words), bar, Button("Cancel", cancel, small=False)]


def _draw_card(name: str, rows: list[Row], ui: PanelState, ask: Ask) -> None:
    """Draws a card under the verdict, in the middle."""
    fixed = imgui.WindowFlags_.no_title_bar | imgui.WindowFlags_.no_move | imgui.WindowFlags_.no_saved_settings
    flags = FLOATING | imgui.WindowFlags_.always_auto_resize | fixed
    below = MARGIN_EMS + NOTE_EMS + CARDS.height(VERDICT_WINDOW) / em()
    draw_at_top(ui.viewport, Card(name, rows, ui.viewport.width, flags=flags), ask, below)
