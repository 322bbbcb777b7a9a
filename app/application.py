"""The program with its window: builds the parts and runs the frame.

input -> command or gesture -> request -> Workbench.apply -> document and view
analyse -> overlays -> layout -> renderer, and the panels beside it
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from . import panels
from .atomic import write_atomic, write_numbered
from .bounded_read import reason_of
from .draw_list import Subject
from .folders import config_folder
from .frame import FrameBuilder, FrameTimes, Shown
from .gestures import Button, Gestures, Held, Situation, zoomed
from .imgui_host import ImguiHost
from .pane import Pane
from .panel_state import Area, MenuEntry, PanelState, PresetCard
from .picking import pick
from .placed import Rect
from .png_scene import png_bytes
from .renderer import GraphicsUnavailable, Renderer, make_context
from .requests import Point, Request, Screenshot
from .scene_file import write
from .settings import load_settings
from .still import render_still
from .theme import theme_named
from .workbench import Workbench

if TYPE_CHECKING:
    import moderngl

    from .window import ProgramWindow

REACH = 6.0
"""Points round markers and lines within which they are pointed at."""

DISK_SECONDS = 2.0
"""How often the open file is looked at for changes from outside."""

LAYOUT_FILE = "layout.ini"

AXIS_KEYS = {
    **{letter: (axis, False) for axis, letter in enumerate("XYZ")},
    **{f"Shift+{letter}": (axis, True) for axis, letter in enumerate("XYZ")},
}


class Application(Workbench):
    """A workbench in a window. Hears the window's events (window.Listener)."""

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
        self.gestures = Gestures()
        self.builder = FrameBuilder()
        self.times = FrameTimes()
        self._hot: Subject | None = None
        self._pointer: tuple[float, float] | None = None
        self._held = Held()
        self._follow = False
        self._divider_held = False
        self._painted: tuple[object, ...] = ()
        self._caption = ""
        self._area = Area(0.0, 0.0, *window.extent.pixels)
        window.listener = self
        window.ui_scale = settings.ui_scale
        if problem is not None:
            self.notify(problem, error=True)

    # The frame.

    def draw_frame(self) -> float | None:
        """Draws one frame; answers with the seconds until the next is wanted anyway, or None."""
        times = self.times = FrameTimes()
        self._follow_pointer()
        since = perf_counter()
        _ = self.analysis
        since = times.add("analysis", since)
        requests = self._draw_panels()
        times.add("imgui", since)
        self._carry_out(requests)
        self.refit()
        self._draw_viewport(times)
        since = perf_counter()
        self.host.draw()
        times.add("imgui", since)
        self._dress_window()
        return self._next_frame()

    def _draw_panels(self) -> list[Request]:
        extent = self.window.extent
        self.host.begin(*extent.pixels, extent.scale, self.theme)
        self._area = self.host.dock_space()
        requests = panels.draw_all(self.panel_state(), self.panels)
        self.host.end()
        return requests

    def _carry_out(self, requests: list[Request]) -> None:
        pointed = [request.subject for request in requests if isinstance(request, Point)]
        for request in requests:
            self.apply(request)
        if not pointed and not self._over_viewport():
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
            self._area_pixels(),
            extent.scale,
            self.divider,
            self.gizmo,
            self._hot,
        )
        changed = self.builder.build(shown, times)
        since = perf_counter()
        painted = (extent.pixels, shown.theme)
        if changed or painted != self._painted:
            self._painted = painted
            pairs = zip(self.builder.panes, self.builder.placed, strict=True)
            self.renderer.upload([(pane.rect, placed) for pane, placed in pairs])
            since = times.add("upload", since)
            self.renderer.resize(extent.pixels)
            self.renderer.paint((shown.theme.background_top, shown.theme.background_bottom), self.renderer.target)
        self.renderer.present(extent.pixels)
        times.add("draw", since)

    def _next_frame(self) -> float | None:
        if self.host.held:
            return 1.0 / 60.0
        waits = [0.1] if self.dialogs.waiting else []
        notice = self.next_notice_end()
        if notice is not None:
            waits.append(notice)
        return min(waits, default=None)

    def _dress_window(self) -> None:
        self.window.ui_scale = self.settings.ui_scale
        self.window.show_cursor("resize_ew" if self._on_divider() else self.host.cursor)
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
            commands=tuple(
                MenuEntry(
                    command.id,
                    command.title,
                    command.group,
                    command.keys,
                    command.tip,
                    command.enabled(self),
                    None if command.checked is None else command.checked(self),
                )
                for command in self.commands.commands
            ),
            notices=self.notices_now(),
            pending=self.pending,
            log=self.log_position,
            presets=tuple(PresetCard(p.id, p.title, p.group, p.text) for p in self.presets),
            preset=self.preset,
            recent=self.filing.recent,
            frame_times=self.times.parts,
            selection=self.selection,
            tool=str(self.tool),
            local_axes=self.local_axes,
            dialogs=self.dialogs,
            drag_readout=self.gestures.readout,
            pointer=self._pointer or (-1.0, -1.0),
            viewport=self._area,
            panes=tuple((pane.title, _area(pane.rect)) for pane in self.builder.panes),
            labels_dropped=sum(placed.labels_dropped for placed in self.builder.placed),
        )

    # Where things are.

    def _area_pixels(self) -> Rect:
        area = self._area
        return Rect(round(area.x), round(area.y), max(1, round(area.width)), max(1, round(area.height)))

    def viewport_size(self) -> tuple[int, int]:
        """Size of the viewport in pixels."""
        area = self._area_pixels()
        return area.width, area.height

    def _over_viewport(self) -> bool:
        if self._pointer is None:
            return False
        x, y = self._pointer
        area = self._area
        inside = area.x <= x < area.x + area.width and area.y <= y < area.y + area.height
        return inside and not self.host.covers(x, y)

    def _situation(self) -> Situation:
        scale = self.window.extent.scale
        scene, analysis = self.document.committed, self.analysis
        return Situation(self.builder.panes, scale, scene, analysis, self.view, self.settings, self.gizmo, self._picked)

    def _picked(self, pane: Pane, x: float, y: float) -> Subject | None:
        for shown, placed in zip(self.builder.panes, self.builder.placed, strict=True):
            if shown is pane:
                return pick(placed, x - pane.rect.x, y - pane.rect.y, REACH * self.window.extent.scale)
        return None

    def _on_divider(self) -> bool:
        if self._divider_held:
            return True
        if len(self.builder.panes) != 2 or self._pointer is None or self.gestures.busy or not self._over_viewport():
            return False
        return abs(self._pointer[0] - self.builder.panes[1].rect.x) <= 4.0 * self.window.extent.scale

    # Events, in framebuffer pixels.

    def pointer_moved(self, x: float, y: float, held: Held) -> None:
        """The pointer moved; what that means is worked out once for each frame."""
        self._pointer, self._held, self._follow = (x, y), held, True
        self.host.pointer(x, y)

    def pointer_left(self) -> None:
        """The pointer left the window."""
        if not self.gestures.busy:
            self._pointer, self._hot = None, None
            self.point_at(None)
        self.host.pointer_left()

    def _follow_pointer(self) -> None:
        if not self._follow or self._pointer is None:
            return
        self._follow = False
        x, y = self._pointer
        if self._divider_held:
            area = self._area_pixels()
            self.divider = min(max((x - area.x) / area.width, 0.15), 0.85)
        elif self.gestures.busy:
            for request in self.gestures.move(x, y, self._held, self._situation()):
                self.apply(request)
        elif not self.host.held:
            self._hover(x, y)

    def _hover(self, x: float, y: float) -> None:
        subject = None
        if self._over_viewport():
            pane = self._situation().pane_at(x, y)
            subject = None if pane is None else self._picked(pane, x, y)
        else:
            self._hot = None
            return
        self._hot = subject if subject is not None and subject.kind == "gizmo" else None
        self.point_at(None if self._hot is not None else subject)

    def pressed(self, button: Button, x: float, y: float, held: Held) -> None:
        """A button went down: on a panel, on the divider, or in the viewport."""
        self.pointer_moved(x, y, held)
        self._follow_pointer()
        if self.pending is None and self._over_viewport():
            if button is Button.LEFT and self._on_divider():
                self._divider_held = True
                return
            for request in self.gestures.press(button, x, y, held, self._situation()):
                self.apply(request)
        self.host.button(button.value, True)

    def released(self, button: Button, x: float, y: float, held: Held) -> None:
        """A button came up."""
        self.pointer_moved(x, y, held)
        self._follow_pointer()
        self.host.button(button.value, False)
        if button is Button.LEFT:
            self._divider_held = False
        for request in self.gestures.release(button, x, y, held, perf_counter(), self._situation()):
            self.apply(request)
        self._follow = True

    def scrolled(self, x: float, y: float, across: float, up: float, held: Held) -> None:
        """The wheel turned."""
        self.pointer_moved(x, y, held)
        if self._over_viewport() and self.pending is None:
            for request in zoomed(x, y, up, self._situation()):
                self.apply(request)
            self._follow = True
        else:
            self.host.wheel(across, up)

    def key_changed(self, chord: str, name: str, down: bool, held: Held) -> None:
        """A key went down or up: text fields come first, then the drag under way, then the commands."""
        self._held = held
        self.host.modifiers(held.ctrl, held.shift, held.alt, False)
        self.host.key(name, down)
        if self.gestures.dragging:
            self._key_in_drag(chord, down, held)
        elif down and chord and not self.host.typing and self.pending is None:
            self._key_command(chord)

    def _key_in_drag(self, chord: str, down: bool, held: Held) -> None:
        chord = chord.removeprefix("Ctrl+")
        if not down or not chord:
            requests = self.gestures.held_changed(held, self._situation())
        elif chord == "Escape":
            requests = self.gestures.cancel()
        elif chord in AXIS_KEYS:
            requests = self.gestures.key(*AXIS_KEYS[chord], held, self._situation())
        else:
            return
        for request in requests:
            self.apply(request)

    def _key_command(self, chord: str) -> None:
        if chord == "Escape":
            undone = self.gestures.cancel()
            for request in undone:
                self.apply(request)
            if not undone:
                self.cancel_layer()
            return
        command = self.commands.on_key(chord)
        if command is not None:
            self.invoke(command.id)

    def key_repeated(self, name: str) -> None:
        """A held editing key repeats: imgui sees it go up and down."""
        self.host.key(name, False)
        self.host.key(name, True)

    def typed(self, text: str) -> None:
        """Text was typed."""
        self.host.text(text)

    def focused(self, focused: bool) -> None:
        """The window gained or lost the keyboard."""
        self.host.focus(focused)
        if focused:
            self.filing.look_at_disk()

    def dropped(self, paths: tuple[Path, ...]) -> None:
        """Files were dropped on the window: the first is opened."""
        if paths:
            self.filing.open(paths[0])

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
        self.window.set_fullscreen(not self.window.fullscreen)

    def restore_layout(self) -> None:
        """Puts the panels where they stood at first."""
        self.host.restore_default_layout()

    def quick_screenshot(self) -> None:
        """A numbered screenshot of the viewport as it is."""
        width, height = self.viewport_size()
        scale = self.window.extent.scale
        self.take_picture(Screenshot(round(width / scale), round(height / scale), scale=scale))

    def take_picture(self, request: Screenshot) -> None:
        """Writes a screenshot with the scene inside."""
        theme = self.theme
        if request.theme is not None:
            theme = theme_named(request.theme, colour_blind=self.settings.colour_blind)
        scene, view = self.scene, self.view
        picture = render_still(
            scene,
            view,
            request.width,
            request.height,
            request.scale,
            theme,
            request.transparent,
            context=self.context,
            analysis=self.analysis,
        )
        self._painted = ()
        data = png_bytes(picture, write(scene, replace(view, hover=None), ascii_only=True))
        try:
            if request.path is not None:
                write_atomic(request.path, data)
                path = request.path
            else:
                path = write_numbered(self._picture_folder() / f"{_file_name(self.title_stem)}.png", data)
        except OSError as error:
            self.notify(f"The screenshot could not be written: {reason_of(error)}", error=True)
            return
        self.notify(f"Screenshot written: {path}")

    @property
    def title_stem(self) -> str:
        """What a picture of the document is called."""
        document = self.document
        return document.path.stem if document.path is not None else document.scene.name or "separatrix"

    def _picture_folder(self) -> Path:
        return self.document.path.parent if self.document.path is not None else Path.cwd()

    def leave(self) -> None:
        """Ends the program: keeps the layout of the panels and leaves nothing to recover."""
        from .window import stop_loop

        with suppress(OSError):
            config_folder().mkdir(parents=True, exist_ok=True)
            write_atomic(config_folder() / LAYOUT_FILE, self.host.layout().encode(), durable=False)
        self.filing.close()
        stop_loop()

    def close(self) -> None:
        """Frees what the parts hold in GL; the window's context must be current."""
        self.filing.close()
        self.renderer.release()
        self.host.close()


def main(path: Path | None) -> int:
    """Opens the window on a scene, or on the first one, and runs until it is closed. Raises GraphicsUnavailable."""
    try:
        from . import window as windows

        window = windows.open_window()
    except Exception as error:  # pyglet has no common base for no display, no configuration and no context
        raise GraphicsUnavailable(f"No window could be opened here ({_first_line(error)}).") from error
    application = Application(window)
    application.open_first(path)
    windows.every(DISK_SECONDS, application.filing.look_at_disk)
    window.mark_dirty()
    windows.run_loop()
    application.close()
    window.close()
    return 0


def _area(rect: Rect) -> Area:
    return Area(rect.x, rect.y, rect.width, rect.height)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0].rstrip(".")


def _kept_layout() -> str:
    try:
        return (config_folder() / LAYOUT_FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "separatrix"
