"""The program with its window: creates the controllers and draws each frame.

event -> command or gesture -> Ask (state/ask.py) -> the controller whose part it is -> the work
analyse -> overlays -> layout -> renderer, and the panels beside it
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from . import panels
from .commands.ask import AskLater, AskNow
from .commands.command_list import command_table
from .commands.table import Menu
from .controllers.autosaves import Autosaves
from .controllers.background import AnswerCache
from .controllers.cameras import Cameras
from .controllers.contact_meter import ContactMeter
from .controllers.edits import Edits
from .controllers.engines import Engines
from .controllers.faults import SHUT, Faults, SafeFrame
from .controllers.files import Files
from .controllers.films import Films
from .controllers.lesson_writing import LessonWriting
from .controllers.lessons import Lessons
from .controllers.notices import Notices, Questions
from .controllers.pictures import Pictures
from .controllers.playback import MotionControl, Steps
from .controllers.preferences import Preferences
from .controllers.quiz import Quiz
from .controllers.services import Services
from .controllers.stage_mode import StageMode
from .draw.placed import Rect
from .io.presets import DEFAULT, default_scene, presets
from .platform.events import Events
from .platform.imgui_host import ImguiHost
from .render import GraphicsUnavailable, Renderer, make_context
from .render.context import no_window
from .render.frame import FrameBuilder, FrameTimings, PictureInput, taken_corner
from .state.ask import Ask
from .state.panel_state import Dialogs, PanelState
from .state.playback import Playback
from .state.settings import LAYOUT_FILE, kept_layout, load_settings
from .state.view import Seen, arrange, panes_stacked
from .state.work import Document, Work, title_of
from .storage.files import config_folder, readable, write_atomic
from .words.digits import show_digits

if TYPE_CHECKING:
    import moderngl

    from .platform.window import ProgramWindow

DISK_SECONDS, COMPUTING_SECONDS = 2.0, 0.05
"""Polling intervals, seconds: for changes of the open file on disk, and for answers computed in the background."""


class Application:
    """The work, the controllers that change it, and the window that shows it."""

    def __init__(self, window: ProgramWindow, context: moderngl.Context | None = None) -> None:
        """Makes the controllers. `context`: the wrapped GL context of the window, if there is one already.

        Raises GraphicsUnavailable if OpenGL 3.3 cannot be started.
        """
        settings, problem = load_settings()
        first = default_scene().scene
        playback = Playback(speed=settings.steps_per_second, loop=settings.loop, slow=settings.slow_steps)
        self.work = work = Work(Document.new(first), first, playback)
        self.dialogs = Dialogs(docked=settings.open_panels)
        self.notices, self.questions, self.stage = Notices(), Questions(), StageMode(self.dialogs)
        self.autosaves = Autosaves(work, self.notices)
        self.context = make_context() if context is None else context
        self.faults = Faults(work, self.notices, self.autosaves, self.context)
        self.preferences = Preferences(settings, work, self.notices)
        self.answers = AnswerCache(work)
        self.motion = MotionControl(work, self.preferences)
        self.steps = Steps(work, self.preferences, self.answers, self.motion)
        self.quiz = Quiz(work, self.answers, self.steps)
        self.meter = ContactMeter(work, self.answers, self.dialogs)
        self.engines = Engines(work, self.answers, self.preferences, self.dialogs, self.notices)
        known = self.preferences, self.answers, self.motion, self.steps, self.quiz, self.meter, self.engines
        services = Services(work, self.notices, self.autosaves, *known)
        self.cameras = Cameras(services)
        self.lessons = Lessons(services, self.cameras, self.dialogs)
        self.edits = Edits(services, self.cameras, self.lessons)
        self.files = Files(services, self.questions, self.edits, self.lessons, self.dialogs)
        self.lesson_writing = LessonWriting(services, self.files)
        self.commands = command_table((preset.id, preset.title) for preset in presets())
        self.menu = Menu(self.commands)
        self.window = window
        self.pictures = Pictures(self.context, self.paint_anew, services, self.cameras)
        self.films = Films(self.context, services, self.cameras)
        self.renderer = Renderer(self.context)
        self.host = ImguiHost(kept_layout(), window.paste, window.copy, panels.apply_style, panels.build_default_layout)
        self.panels = panels.make_panels()
        self._shield = panels.Shield(partial(self.faults.tell, rest=SHUT, steady=True))
        self.builder = FrameBuilder()
        self.ask: Ask = AskNow(self)
        self.events = Events(self)
        self.times = FrameTimings()
        self._painted: tuple[object, ...] = ()
        self._safe = SafeFrame(work, self.faults, self.answers, self._look_at_answers, self._rest, self._blank)
        self._caption = ""
        window.listener = self.events
        window.ui_scale = settings.ui_scale
        self.cameras.area, self.cameras.density = Rect(0, 0, *window.extent.pixels), window.extent.scale
        if problem is not None:
            self.notices.notify(problem, error=True)

    def invoke(self, name: str) -> None:
        """Runs a command of the table, if it is enabled; else shows why it is not, if there is a reason.

        Raises KeyError for an unknown id.
        """
        command = self.commands.named(name)
        with self.faults.doing(f"The command {command.title}"):
            if command.runs(self):
                command.action(self)
            elif reason := command.refusal(self):
                self.notices.notify(reason)

    # The frame.

    def draw_frame(self) -> float | None:
        """Draws one frame. Returns the seconds until the next frame is due, or None if only an event makes one due."""
        times, safe = FrameTimings(between=self.window.show_if_ready), self._safe
        seen: Seen | None = None
        wanted: float | None = None
        show_digits(self.preferences.settings.digits, self.work.scene)
        safe.begin()
        with safe.part("What goes on by itself"):
            self.pictures.work()
            self.files.meshes.work()
            if self.films.work():
                self.paint_anew()
            self.events.follow()
            self.steps.play_on(perf_counter())
            self.lessons.play_on(perf_counter())
        since = perf_counter()
        with safe.answers():
            seen = self._look_at_answers()
        since = times.add("analysis", since)
        with safe.panels(self.host.recover):
            seen = self._draw_panels(seen)
            if self.host.held and self.steps.transition is not None:
                # A pointer that is dragged along the timeline sees each step at once.
                self.steps.end_transition()
                seen = self._now(None)
        times.add("imgui", since)
        with safe.picture():
            self.cameras.refit()
            seen = self._now(seen)
            self._draw_viewport(seen, times)
        with safe.part("Recording"):
            if self.films.look():
                self.invoke("file.record")
        with safe.part("Drawing the window"):
            since = perf_counter()
            self.host.draw()
            times.add("imgui", since)
            # The panels above showed the times of the previous frame, which are complete.
            self.times = times
            self._dress_window()
            wanted = self._next_frame(seen)
        was_blank, after_fault = safe.picture_failed, safe.end()
        if safe.picture_failed is not was_blank:
            self.window.mark_dirty()
        return wanted if after_fault is None else after_fault

    def _look_at_answers(self) -> Seen:
        """The state shown in this frame, with all that the panels and the picture ask about the scene."""
        self.meter.look(self.files.log_position)
        self.engines.look()
        # A held slider counts as dragging: the values it passes do not count as the learner's.
        self.lessons.follow(dragging=self.events.gestures.dragging or self.host.held)
        seen = self.cameras.seen
        _ = seen.moment, self.motion.curve
        return seen

    def _now(self, seen: Seen | None) -> Seen:
        """The record `seen` with the present view; without `seen` a record gathered anew."""
        if seen is None:
            return self.cameras.seen
        return seen if seen.view is self.work.view else replace(seen, view=self.work.view)

    def _rest(self) -> None:
        """Ends drags, pictures and films in progress, after a fault."""
        self.pictures.drop()
        self.films.drop()
        self.events.let_go()

    def _blank(self) -> None:
        """Clears the viewport after a fault: the old picture would show other numbers than the panels."""
        self.builder = FrameBuilder()
        self.paint_anew()
        with suppress(Exception):  # the graphics may be what failed
            self.window.show()
            screen = self.context.screen
            screen.use()
            screen.viewport = screen.scissor = (0, 0, *self.window.extent.pixels)
            screen.clear(*self.preferences.theme.background_top)

    def paint_anew(self) -> None:
        """Makes the next frame draw its picture again."""
        self._painted = ()

    def _draw_panels(self, seen: Seen | None) -> Seen | None:
        """Runs one frame of the panels, and another if a panel came or went, or lacks room.

        imgui's layout is a frame late. `seen`, and the returned record or None: as in `run_panels`.
        """
        before = [panel.was_open for panel in self.panels]
        seen = self.run_panels(seen)
        changed = [panel.was_open for panel in self.panels] != before
        if changed:
            seen = self.run_panels(seen)
        if self.host.makes_room(changed=changed):
            seen = self.run_panels(seen)
        return seen

    def run_panels(self, seen: Seen | None = None) -> Seen | None:
        """Runs one frame of the panels: they handle the input, and their requests are carried out.

        `seen`: the record of the picture, if it is known. Returns it if only the view can have changed, else None.
        """
        extent = self.window.extent
        scene, cameras, theme = self.work.scene, self.cameras, self.preferences.theme
        told = (notice.message for notice in self.notices.now())
        files = (self.dialogs.names, *map(str, self.files.recent), *self.files.decks.texts)
        self.host.cover("".join((self.title, scene.name, scene.notes, *told, *files)))
        self.host.begin(*extent.pixels, extent.scale, theme)
        cameras.density = extent.scale
        in_sight = self.dialogs.in_sight
        ask, seen = AskLater(self), self._now(seen)
        panels.draw_all(self.panel_state(seen), self.panels, self._placed, ask, self._shield)
        same = self.dialogs.in_sight == in_sight and not ask.calls
        if self.dialogs.in_sight != in_sight:
            # Glyphs, contacts over time and engines for newly visible panels are handled in the next frame.
            self.window.mark_dirty()
        covered = panels.covered(cameras.area)
        corner = taken_corner(scene, self.work.view, cameras.area, extent.scale, cameras.divider, covered)
        cameras.covered = replace(covered, corner=corner)
        self.host.end()
        self.events.panels_drawn()
        self._carry_out(ask)
        if self.dialogs.docked != self.preferences.settings.open_panels and not self.lessons.open:
            # Panels can be closed by their own button: the settings follow.
            self.preferences.configure(replace(self.preferences.settings, open_panels=self.dialogs.docked))
        return seen if same else None

    def _placed(self, ui: PanelState) -> PanelState:
        """Computes the viewport's area and panes for this frame; returns the panels' state with them."""
        self.cameras.area = area = self.host.dock_space()
        panes = arrange(self.work.view, area, self.cameras.divider)
        return replace(ui, viewport=area, panes=tuple((pane.title, pane.rect) for pane in panes))

    def _carry_out(self, ask: AskLater) -> None:
        ask.carry_out()
        if not (self.dialogs.save or self.dialogs.deck):
            self.files.no_name_asked()
        if not self.events.over_viewport() and not ask.asks_to_point:
            self.cameras.point_at(None)
        if ask.calls:
            self.window.mark_dirty()

    def _draw_viewport(self, seen: Seen, times: FrameTimings) -> None:
        extent = self.window.extent
        area = self.cameras.area
        shown = PictureInput(
            **seen.facts,
            area=area,
            density=extent.scale,
            divider=self.cameras.divider,
            gizmo=self.edits.gizmo,
            hot=self.events.hot,
            covered=self.cameras.covered,
            dragged=self.work.dragged,
        )
        changed = self.builder.build(shown, times)
        self.window.show()
        since = perf_counter()
        painted = (extent.pixels, shown.theme)
        if changed or painted != self._painted:
            self._painted = painted
            pairs = zip(self.builder.panes, self.builder.placed, strict=True)
            self.renderer.upload([(pane.rect, placed) for pane, placed in pairs])
            since = times.add("upload", since)
        background = shown.theme.background_top, shown.theme.background_bottom
        self.renderer.present(background, extent.pixels, area, panels.background(shown.theme))
        times.add("draw", since)

    def _next_frame(self, seen: Seen | None) -> float | None:
        """Seconds until the next frame is due after one that showed `seen`; None if only an event makes one due."""
        if self.host.digesting or self.dialogs.busy:
            return 0.0
        if seen is not None and (seen.analysis is not self.answers.analysis or seen.sweep is not self.motion.sweep):
            # Answers arrived after the frame was drawn.
            return 0.0
        if self.host.held:
            return 1.0 / 60.0
        if self.pictures.share is not None:
            return 0.0 if self.pictures.share < 1.0 else 0.1
        waits = [0.1] * self.dialogs.waiting + [COMPUTING_SECONDS] * self.engines.waiting
        if self.answers.computing:
            waits.append(COMPUTING_SECONDS)
        ends = [self.films.next_in, self.notices.next_end(), self.steps.next_in(perf_counter())]
        ends += [self.lessons.next_in, self.stage.next_in, self.files.meshes.next_in, self.host.tip_in]
        return min([*waits, *(end for end in ends if end is not None)], default=None)

    def _dress_window(self) -> None:
        settings = self.preferences.settings
        self.window.ui_scale, self.window.swaps_late = self.stage.text_size(settings.ui_scale), settings.swap_late
        across = "resize_ns" if panes_stacked(self.cameras.area) else "resize_ew"
        cursor = across if self.events.on_divider() else "hand" if self.events.hot is not None else self.host.cursor
        self.window.show_cursor(cursor)
        if self.title != self._caption:
            self._caption = self.title
            self.window.set_caption(self.title)

    @property
    def title(self) -> str:
        """The window's title: the lesson's, or else the document's name with a star while work is unsaved."""
        if self.lessons.shown is not None:
            # The scene's name may give away the answer to the step's question.
            return f"{self.lessons.shown.lesson.title} - Separatrix"
        name = readable(title_of(self.work.document, self.work.deck))
        return f"{'*' if self.work.unsaved else ''}{name} - Separatrix"

    def panel_state(self, seen: Seen | None = None) -> PanelState:
        """The state that the panels read in this frame. `seen`: what the frame shows; None makes it anew."""
        work = self.work
        return PanelState(
            **self._now(seen).facts,
            document=work.document,
            settings=self.lessons.settings(self.preferences.settings),
            commands=partial(self.menu.entries, self),
            command_on=partial(self.menu.on_key, app=self),
            menus=self.menu.titles,
            notices=self.notices.now(),
            pending=self.questions.pending,
            log=self.files.log_position,
            preset=work.preset,
            recent=self.files.recent,
            opened_presets=self.files.opened_presets,
            learnt=self.lessons.keeper.learnt if self.dialogs.presets else {},
            frame_times=self.times.parts,
            selection=work.selection,
            tool=str(self.edits.tool),
            local_axes=self.edits.local_axes,
            dialogs=self.dialogs,
            drag_readout=self.events.gestures.readout,
            drag_holdable=self.events.gestures.holdable,
            picture=self.pictures.share,
            preview=self.pictures.preview,
            film=self.films.shown,
            loading=self.files.meshes.shown,
            film_sources=self.films.sources if self.dialogs.film else (),
            phases=self.steps.phases if self.dialogs.film or self.dialogs.screenshot else (),
            over=self.events.over,
            pointer=self.events.pointer or (-1.0, -1.0),
            viewport=self.cameras.area,
            playback=work.playback,
            algorithm_settings=work.algorithm_settings,
            sweep_waits=self.motion.sweep_waits,
            curve=self.motion.curve,
            lesson=self.lessons.shown,
            only=self.steps.only,
            offer="" if self.lessons.open else self.lessons.keeper.offer,
            stage=self.stage.shown,
            stepped=self.steps.stepped,
            deck=work.deck,
            motion_playing=work.motion_playing,
            computing=self.answers.computing,
            engine_table=self.engines.shown,
            path_answers=self.engines.path_answers,
            picture_fault=self._safe.picture_failed,
            labels_dropped=sum(placed.labels_dropped for placed in self.builder.placed),
        )

    def look_at_disk(self) -> None:
        """Offers to reload the document's or deck's file when another program has written it; reloads a lesson's."""
        before = self.questions.pending
        with self.faults.doing("Looking at the file on disk", steady=True):
            self.files.look_at_disk()
        if self.questions.pending is not before:
            self.window.mark_dirty()

    def restore_layout(self) -> None:
        """Restores the panels' default layout."""
        self.host.restore_default_layout()

    # From the first scene to the last.

    def open_first(self, path: Path | None, most: int | None = None) -> None:
        """Opens `path`, or the default preset if it is None; then offers to recover unsaved work.

        `most`: the number of corners above which a mesh's hull is simplified.
        """
        first = default_scene()
        self.edits.show(Document.new(first.scene), first.view, DEFAULT)
        if path is not None:
            with self.faults.caught(f"Opening {path.name}"):
                self.files.open_now(path, most)
        with self.faults.caught("Looking for unsaved work"):
            self.files.recovery.offer()

    def close_asked(self) -> None:
        """Asks about unsaved work, then closes. With failed panels closes at once; the next start offers the work."""
        if self._safe.panels_failed:
            self.autosaves.let_go()
            self.leave()
        else:
            self.files.guard(self.leave, deck=True)

    def leave(self) -> None:
        """Ends the program: keeps the layout of the panels and leaves nothing to recover."""
        from .platform.loop import stop_loop

        with suppress(Exception):  # the window must close even if the layout cannot be written
            config_folder().mkdir(parents=True, exist_ok=True)
            write_atomic(config_folder() / LAYOUT_FILE, self.host.layout().encode(), durable=False)
        self.files.close()
        stop_loop()

    def close(self) -> None:
        """Releases GL objects, workers and files; the window's context must be current."""
        held = self.engines.close, self.films.drop, self.pictures.drop, self.files.close
        for let_go in (*held, self.renderer.release, self.host.close):
            let_go()


def main(path: Path | None, most: int | None) -> int:
    """Opens the window and runs until it is closed; returns the exit status, 0.

    `path`: the file to open, None for the default preset. `most`: the number of corners above which a mesh's hull is
    simplified. Raises GraphicsUnavailable if no window can be opened, or OpenGL 3.3 cannot be started.
    """
    try:
        from .platform.loop import every, run_loop
        from .platform.window import open_window

        window = open_window()
    except Exception as error:  # pyglet's errors for no display, no configuration and no context have no common base
        raise no_window(error) from error
    try:
        application = Application(window)
    except GraphicsUnavailable:
        window.close()
        raise
    application.open_first(path, most)
    every(DISK_SECONDS, application.events.disk_due)
    window.mark_dirty()
    run_loop()
    application.close()
    window.close()
    return 0
