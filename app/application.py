"""The program with its window: builds the parts and runs the frame.

input -> command or gesture -> request -> Workbench.apply -> document and view
analyse -> overlays -> layout -> renderer, and the panels beside it
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import panels
from .commands.table import Menu
from .controllers.safe_frame import SHUT, SafeFrame
from .controllers.workbench import Workbench
from .draw.placed import Rect
from .draw.theme import theme_named
from .input.hand import Hand
from .io.scene_file import write
from .platform.imgui_host import ImguiHost
from .render import GraphicsUnavailable, Renderer, make_context
from .render.darkroom import Darkroom, Outcome
from .render.frame import FrameBuilder, FrameTimes, Shown
from .render.insets import taken_corner
from .render.still import expose_still
from .state.panel_state import Area, Notice, PanelState, PresetCard
from .state.panes import stacked
from .state.requests import Point, Request, Screenshot
from .state.settings import load_settings
from .storage.atomic import write_atomic, write_numbered
from .storage.folders import config_folder
from .storage.png_scene import png_bytes

if TYPE_CHECKING:
    import moderngl
    from PIL import Image

    from .platform.window import ProgramWindow

DISK_SECONDS = 2.0
"""How often the open file is looked at for changes from outside."""

COMPUTING_SECONDS = 0.05
"""How often is looked whether the answers that take long are there."""

SETTLING = 4
"""Times that the panels are drawn for another scene before its first picture, at the most."""

AT_ONCE = 1 << 21
"""Pixels of a screenshot that is taken without a window of its own on the way."""

TILE = 1024
"""Side of a tile of larger ones, in supersampled pixels: a fraction of a second without a graphics card."""

PICTURE_SECONDS = 0.1
"""How long of a frame goes to a picture that is being taken."""

LAYOUT_FILE = "layout.ini"

_NO_WINDOW = {
    "NoSuchDisplayException": "there is no display",
    "NoSuchConfigException": "the display offers no OpenGL",
    "ContextException": "the display offers no OpenGL 3.3",
}
"""pyglet's exceptions by name, in words."""


class Application(Workbench):
    """A workbench in a window."""

    def __init__(self, window: ProgramWindow, context: moderngl.Context | None = None) -> None:
        """`context`: the window's, where it has been wrapped before."""
        settings, problem = load_settings()
        super().__init__(settings)
        self.window = window
        self.context = make_context() if context is None else context
        self.renderer = Renderer(self.context)
        self.host = ImguiHost(
            _kept_layout(), window.paste, window.copy, panels.apply_style, panels.build_default_layout
        )
        self.panels = panels.make_panels()
        self._shield = panels.Shield(partial(self.faults.tell, rest=SHUT, steady=True))
        self.menu = Menu(self.commands)
        self.hand = Hand(self)
        self.builder = FrameBuilder()
        self.darkroom = Darkroom()
        self.times = FrameTimes()
        self._painted: tuple[object, ...] = ()
        self._safe = SafeFrame(self)
        self._was_computing = False
        self._told: tuple[Notice, ...] = ()
        self._caption = ""
        self.area = Rect(0, 0, *window.extent.pixels)
        window.listener = self.hand
        window.ui_scale = settings.ui_scale
        if problem is not None:
            self.notify(problem, error=True)

    # The frame.

    def draw_frame(self) -> float | None:
        """Draws one frame; answers with the seconds until the next is wanted anyway, or None."""
        times, safe, wanted = FrameTimes(), self._safe, None
        safe.begin()
        with safe.part("What goes on by itself"):
            self._work_on_picture()
            self.hand.follow()
            self.play_on(perf_counter())
        since = perf_counter()
        with safe.answers():
            safe.look_at_answers()
        since = times.add("analysis", since)
        with safe.panels(self.host.recover):
            self.run_panels()
            self._settle_panels()
        times.add("imgui", since)
        with safe.picture():
            self.refit()
            self._draw_viewport(times)
        with safe.part("Drawing the window"):
            since = perf_counter()
            self.host.draw()
            times.add("imgui", since)
            # Until then the panels have those of the frame before, which are whole.
            self.times = times
            self._dress_window()
            wanted = self._next_frame()
        after_fault = safe.end()
        return wanted if after_fault is None else after_fault

    def paint_anew(self) -> None:
        """The next frame sends its picture to the graphics again."""
        self._painted = ()

    def run_panels(self) -> None:
        """One frame of the panels: they take in what happened, and what they ask for is carried out."""
        extent = self.window.extent
        scene = self.document.scene
        told = (notice.message for notice in self.notices_now())
        files = (self.dialogs.names, *map(str, self.filing.recent))
        self.host.cover("".join((self.title, scene.name, scene.notes, *told, *files)))
        self.host.begin(*extent.pixels, extent.scale, self.theme)
        self.area = self.host.dock_space()
        names = self.dialogs.names
        requests = panels.draw_all(self.panel_state(), self.panels, self._shield)
        if self.dialogs.names != names:
            # Their letters are seen to with the next frame.
            self.window.mark_dirty()
        covered = panels.covered(_area(self.area))
        corner = taken_corner(self.scene, self.view, self.area, extent.scale, self.divider, covered)
        self.covered = replace(covered, corner=corner)
        self.host.end()
        self.hand.panels_drawn()
        self._carry_out(requests)
        self.keep_panels()

    def _settle_panels(self) -> None:
        """Of another scene the panels are drawn until its cards have their sizes: then it is framed once, and stays."""
        for turn in range(SETTLING):
            if not self.another_shown:
                return
            before = self.covered, self.area
            self.run_panels()
            # Its words are laid out at the first turn, and a window is as large as they are at the next.
            if turn and before == (self.covered, self.area):
                return

    def _carry_out(self, requests: list[Request]) -> None:
        pointed = [request.subject for request in requests if isinstance(request, Point)]
        for request in requests:
            self.apply(request)
        if not self.dialogs.save:
            self.filing.no_name_asked()
        if not pointed and not self.hand.over_viewport():
            self.point_at(None)
        if requests:
            self.window.mark_dirty()

    def _draw_viewport(self, times: FrameTimes) -> None:
        extent = self.window.extent
        shown = Shown(
            self.scene,
            self.analysis,
            self.view,
            self.theme,
            self.area,
            extent.scale,
            self.divider,
            self.gizmo,
            self.hand.hot,
            covered=self.covered,
            query=self.query,
            place=self.place,
            asked=self.asked,
            sweep=self.sweep,
        )
        changed = self.builder.build(shown, times)
        since = perf_counter()
        painted = (extent.pixels, shown.theme)
        if changed or painted != self._painted:
            self._painted = painted
            pairs = zip(self.builder.panes, self.builder.placed, strict=True)
            self.renderer.upload([(pane.rect, placed) for pane, placed in pairs])
            since = times.add("upload", since)
        background = shown.theme.background_top, shown.theme.background_bottom
        self.renderer.present(background, extent.pixels, self.area, panels.ground(self.theme))
        times.add("draw", since)

    def _next_frame(self) -> float | None:
        if self.host.digesting or self.dialogs.busy:
            return 0.0
        if self.host.held:
            return 1.0 / 60.0
        if self.darkroom.share is not None:
            return 0.0 if self.darkroom.share < 1.0 else 0.1
        waits = [0.1] if self.dialogs.waiting else []
        if self.computing:
            waits.append(COMPUTING_SECONDS)
        elif self._was_computing:
            # The panels find their sizes for the new answers.
            self.window.mark_dirty()
        self._was_computing = self.computing
        told = self.notices_now()
        if told != self._told:
            # So do they for a notice that went by itself.
            self._told = told
            self.window.mark_dirty()
        ends = (self.next_notice_end(), self.next_step_in(perf_counter()))
        return min([*waits, *(end for end in ends if end is not None)], default=None)

    def _dress_window(self) -> None:
        self.window.ui_scale = self.settings.ui_scale
        across = "resize_ns" if stacked(self.area) else "resize_ew"
        cursor = across if self.hand.on_divider() else "hand" if self.hand.hot is not None else self.host.cursor
        self.window.show_cursor(cursor)
        if self.title != self._caption:
            self._caption = self.title
            self.window.set_caption(self.title)

    def panel_state(self) -> PanelState:
        """What the panels see in this frame."""
        return PanelState(
            document=self.document,
            view=self.view,
            analysis=self.analysis,
            settings=self.settings,
            theme=self.theme,
            commands=self.menu.entries(self),
            notices=self.notices_now(),
            pending=self.pending,
            log=self.log_position,
            presets=tuple(PresetCard(p.id, p.title, p.group, p.text, p.keywords) for p in self.presets),
            preset=self.preset,
            recent=self.filing.recent,
            frame_times=self.times.parts,
            selection=self.selection,
            tool=str(self.tool),
            local_axes=self.local_axes,
            dialogs=self.dialogs,
            drag_readout=self.hand.gestures.readout,
            drag_holdable=self.hand.gestures.holdable,
            picture=self.darkroom.share,
            pointer=self.hand.pointer or (-1.0, -1.0),
            viewport=_area(self.area),
            panes=tuple((pane.title, _area(pane.rect)) for pane in self.builder.panes),
            playback=self.playback,
            knobs=self.knobs,
            query=self.query,
            moment=self.moment,
            asked=self.asked,
            sweep=self.sweep,
            sweep_waits=self.sweep_waits,
            curve=self.curve,
            motion_playing=self.motion_playing,
            computing=self.computing,
            picture_fault=self._safe.picture_failed,
            labels_dropped=sum(placed.labels_dropped for placed in self.builder.placed),
        )

    def viewport_size(self) -> tuple[int, int]:
        """Size of the viewport in pixels."""
        return self.area.width, self.area.height

    def look_at_disk(self) -> None:
        """Offers to reload the document's file when another program has written it."""
        before = self.pending
        with self.faults.caught("Looking at the file on disk", steady=True):
            self.filing.look_at_disk()
        if self.pending is not before:
            self.window.mark_dirty()

    # What only a window can do.

    def copy(self, text: str) -> None:
        """Puts text on the clipboard."""
        self.window.copy(text)

    def clipboard(self) -> str:
        """Text on the clipboard."""
        return self.window.paste()

    @property
    def full_screen(self) -> bool:
        """Whether the window fills the screen."""
        return bool(self.window.fullscreen)

    def toggle_full_screen(self) -> None:
        """Fills the screen with the window, or takes it back."""
        self.window.toggle_full_screen()

    def restore_layout(self) -> None:
        """Puts the panels where they stood at first."""
        self.host.restore_default_layout()

    def quick_screenshot(self) -> None:
        """A numbered screenshot of the viewport as it is."""
        width, height = self.viewport_size()
        scale = self.window.extent.scale
        self.take_picture(Screenshot(round(width / scale), round(height / scale), scale=scale))

    def take_picture(self, request: Screenshot) -> None:
        """Takes a screenshot with the scene inside: at once, or in the course of some frames where it is large."""
        if self.darkroom.share is not None:
            self.notify("One picture at a time: another one is being taken.")
            return
        theme = self.theme
        if request.theme is not None:
            theme = theme_named(request.theme, colour_blind=self.settings.colour_blind)
        scene, view = self.scene, self.view
        size = (round(request.width * request.scale), round(request.height * request.scale))
        large = size[0] * size[1] > AT_ONCE
        tiles = expose_still(
            scene,
            view,
            request.width,
            request.height,
            request.scale,
            theme,
            request.transparent,
            context=self.context,
            analysis=self.whole_analysis,
            query=self.query,
            place=self.place,
            asked=self.asked,
            sweep=self.whole_sweep,
            tile=TILE if large else None,
        )
        text = write(scene, replace(self.kept_view, hover=None), ascii_only=True)
        unnamed = self._picture_folder() / f"{_file_name(self.title_stem)}.png"

        def develop(picture: Image.Image) -> str:
            data = png_bytes(picture, text)
            if request.path is None:
                return f"Screenshot written: {write_numbered(unnamed, data)}"
            write_atomic(request.path, data)
            return f"Screenshot written: {request.path}"

        self.darkroom.begin(tiles, develop)
        if large:
            self.window.mark_dirty()
        else:
            self._tell_picture(self.darkroom.finish())

    def _work_on_picture(self) -> None:
        if self.darkroom.share is not None:
            self._tell_picture(self.darkroom.work(PICTURE_SECONDS))

    def _tell_picture(self, outcome: Outcome | None) -> None:
        self._painted = ()
        if outcome is not None:
            self.notify(outcome.message, error=outcome.error)

    def cancel_picture(self) -> None:
        """Gives up the screenshot that is being taken."""
        if self.darkroom.cancel():
            self._tell_picture(Outcome("No screenshot was taken."))

    def cancel_layer(self) -> bool:
        """Escape: a picture that is being taken is given up first."""
        if self.darkroom.share is not None:
            self.cancel_picture()
            return True
        return super().cancel_layer()

    @property
    def title_stem(self) -> str:
        """What a picture of the document is called."""
        document = self.document
        return document.path.stem if document.path is not None else document.scene.name or "separatrix"

    def _picture_folder(self) -> Path:
        if self.document.path is not None:
            return self.document.path.parent
        # Started from a menu, the current folder may be one where nothing can be written.
        return Path.cwd() if os.access(Path.cwd(), os.W_OK) else Path.home()

    def close_asked(self) -> None:
        """As ever; where no question can be drawn, the program ends and offers the work at the next start."""
        if self._safe.panels_failed:
            self.filing.let_go()
            self.leave()
        else:
            super().close_asked()

    def leave(self) -> None:
        """Ends the program: keeps the layout of the panels and leaves nothing to recover."""
        from .platform.window import stop_loop

        with suppress(Exception):  # whatever is wrong, the window closes
            config_folder().mkdir(parents=True, exist_ok=True)
            write_atomic(config_folder() / LAYOUT_FILE, self.host.layout().encode(), durable=False)
        self.filing.close()
        stop_loop()

    def close(self) -> None:
        """Frees what the parts hold in GL; the window's context must be current."""
        self.darkroom.cancel()
        self.filing.close()
        self.renderer.release()
        self.host.close()


def main(path: Path | None) -> int:
    """Opens the window on a scene, or on the first one, and runs until it is closed. Raises GraphicsUnavailable."""
    try:
        from .platform import window as windows

        window = windows.open_window()
    except Exception as error:  # pyglet has no common base for no display, no configuration and no context
        raise GraphicsUnavailable(f"No window could be opened here: {_why(error)}.") from error
    try:
        application = Application(window)
    except GraphicsUnavailable:
        window.close()
        raise
    application.open_first(path)
    windows.every(DISK_SECONDS, application.look_at_disk)
    window.mark_dirty()
    windows.run_loop()
    application.close()
    window.close()
    return 0


def _area(rect: Rect) -> Area:
    return Area(rect.x, rect.y, rect.width, rect.height)


def _why(error: Exception) -> str:
    name = type(error).__name__
    return _NO_WINDOW.get(name) or (str(error) or name).strip().splitlines()[0].rstrip(".")


def _kept_layout() -> str:
    try:
        return (config_folder() / LAYOUT_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "separatrix"
