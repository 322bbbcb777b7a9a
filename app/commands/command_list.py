"""The list of all commands, menu by menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Literal

from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, with_setting
from core.query.query import Phase
from core.scene import Scene

from ..controllers.edits import EDGE_ACTIONS, EXPONENTS, EdgeAction, Made, shifted
from ..draw.draw_list import Subject
from ..draw.label_kinds import LABEL_KINDS, TITLES_ID, LabelKind
from ..draw.theme import Palette
from ..input.gizmo import GizmoTool
from ..overlays.context import Overlay
from ..overlays.registry import OVERLAYS
from ..panels.panel import Opens
from ..panels.registry import DOCKED
from ..stages import hidden_steps_text, overlay_is_shown, tip_of
from ..state.away import farther, nearer
from ..state.view import AxisView, Panes
from ..words.digits import Digits
from .copy_commands import EARLIER_IDS, copy_commands
from .engine_commands import engine_commands
from .file_commands import file_commands, opening
from .hull_commands import hull_commands
from .lesson_commands import lesson_commands
from .probe_commands import free_axis_commands, probe_commands
from .stage_commands import stage_commands
from .step_commands import motion_commands, quiz_commands, step_commands
from .table import Action, Command, CommandTable, InMenu, Program, Question

FREE_TIP = "In a scene whose bodies turn about one axis or move along one axis alone"
VIEW_MENU, COMPARE_MENU = InMenu("View"), InMenu("Compare")


def command_table(presets: Iterable[tuple[str, str]]) -> CommandTable:
    """The table of all commands; `presets`: id and title of each preset, in order."""
    return CommandTable(
        (
            worded(command)
            for command in (
                *file_commands(),
                *_edit_commands(),
                *_tool_commands(),
                *_view_commands(),
                *_pane_commands(),
                *_axis_commands(),
                *free_axis_commands(),
                *step_commands(),
                *quiz_commands(),
                *motion_commands(),
                *probe_commands(),
                *compare_commands(),
                *engine_commands(),
                *(_overlay(overlay) for overlay in OVERLAYS),
                *(_labels(kind) for kind in LABEL_KINDS if kind.id != TITLES_ID),
                *_preset_commands(presets),
                *_window_commands(),
                *lesson_commands(),
                *_help_commands(),
            )
        ),
        EARLIER_IDS,
    )


TIPS = {
    "file.new_flat": "Two polygons in the plane, to drag and to edit vertex by vertex; a body may also be a circle",
    "file.open": "A scene, a log, a screenshot, a text with a pair, or a mesh, whose hull becomes the selected body",
    "file.screenshot": "Save the viewport without panels as a numbered PNG, with the scene inside",
    "file.record": "Keep what is seen while you drag or step; again to stop, and to make a film of it",
    "file.film": "The steps, the motion, a turn of the camera or what was recorded, as a GIF and in other formats",
    "edit.paste_pair": "Two bodies as an engine or a robot's file has them, or numbers in an order of your own",
    **dict.fromkeys(("hull.a", "hull.b"), "An OBJ or STL mesh: the body becomes the hull of its points"),
    "edit.reset_a": "A as it was opened",
    "edit.reset_b": "B as it was opened",
    "view.motion": "The picture of one step turns into that of the next; any key or click ends it",
    "view.z_up": "Only the picture turns: no coordinate changes",
    "free.axis": "An axis of your own: turn it by its ends and try to beat the one that decides",
    "steps.timeline": "Watch SAT, GJK, EPA, the contacts and every method for the motion work, step by step",
    "steps.next": "On the timeline; with it closed, in a probe's ray cast, else in the open log",
    "steps.back": "On the timeline; with it closed, in a probe's ray cast, else in the open log",
    "steps.stop": "Jump to where this algorithm stops; press again for the next",
    "steps.build": "Adds steps: all vertex differences, then their hull, and how many of them GJK needed",
    "steps.single": "GJK and EPA with numbers of 24 bits (float32), and at each step how double precision has it",
    "steps.algorithm": "Shows the algorithm in a dozen lines, with the current one marked",
    "predict.ask": "Predict by a click in the picture what the algorithms find, then see it. Press again to stop",
    "motion.show": "Shows each body's displacement as an arrow to drag, and when the bodies first touch",
    "motion.impact": "Jump to the first contact, also while you drag an arrow; without one, to the end",
    "probe.point": "A point to drag, with its signed distance to every plane of A and B; planes that have it "
    "outside are lit",
    "probe.plane": "Three points to drag, with the normal (b − a) × (c − a), the offset, and the side of both bodies",
    "ray.shoot": "Then click a pixel of the world: the picking ray step by step, with entry and exit points",
    "scaling.space": "Scale space until the ellipsoid is a unit sphere; the plane's normal is scaled by the inverse "
    "transpose",
    "single.world": "As many engines compute; otherwise relative to A's position",
    "single.farther": "Moves both bodies away from the origin before their positions are rounded to float32; the scene "
    "stays",
    "single.nearer": "Moves both bodies back towards where they stand, for single precision alone",
    "mpr": "Adds the steps of portal refinement after EPA. Its depth lies where the ray leaves A − B, so it may not "
    "be the least",
}
"""Tips by command id, for commands whose title needs one. Overlays, panels and edge-case tools bring their own."""

VIEW_KEYS = (("front", "1"), ("back", "Ctrl+1"), ("right", "3"), ("left", "Ctrl+3"), ("top", "7"), ("bottom", "Ctrl+7"))
STRAIGHT_ON = "A 2D scene is always seen straight on."
OF_SPACE = {
    **{f"view.{name}": STRAIGHT_ON for name in (*(side for side, _ in VIEW_KEYS), "orthographic")},
    "hull": "The hull of a mesh is a 3D body; this scene is 2D.",
    **dict.fromkeys(("probe", "plane"), "Probes are for 3D scenes; this scene is 2D."),
    "ray": "Rays are for 3D scenes; this scene is 2D.",
    "mpr": "MPR is for 3D scenes; this scene is 2D.",
}
"""Why commands are unavailable in scenes of the plane, by id or by the beginning of ids."""


def worded(command: Command) -> Command:
    """The command with its tip from TIPS and its reason from OF_SPACE, if they have one for it."""
    reason = OF_SPACE.get(command.id) or OF_SPACE.get(command.id.partition(".")[0], "")
    return replace(
        command, tip=TIPS.get(command.id, command.tip), unavailable_in={2: reason} if reason else command.unavailable_in
    )


def _dialog(name: str) -> tuple[Action, Question]:
    def toggle(app: Program) -> None:
        setattr(app.dialogs, name, not getattr(app.dialogs, name))

    return toggle, lambda app: bool(getattr(app.dialogs, name))


def _edit_commands() -> tuple[Command, ...]:
    edit = InMenu("Edit")

    def can_undo(app: Program) -> bool:
        return app.work.document.undo_label is not None

    def can_redo(app: Program) -> bool:
        return app.work.document.redo_label is not None

    def swap(app: Program) -> None:
        app.edits.edit(app.work.document.scene.swapped(), "Swap A and B")

    def copy(app: Program) -> None:
        app.window.copy(app.files.scene_text)
        app.notices.notify("Copied the scene as text")

    return (
        edit("edit.undo", "Undo", "Ctrl+Z", lambda app: app.edits.undo(), enabled=can_undo),
        edit("edit.redo", "Redo", "Ctrl+Shift+Z Ctrl+Y", lambda app: app.edits.redo(), enabled=can_redo),
        edit("edit.copy", "Copy scene as text", "Ctrl+C", copy),
        *copy_commands(),
        edit("edit.paste", "Paste scene", "Ctrl+V", lambda app: app.files.paste(app.window.paste())),
        edit("edit.paste_pair", "Paste a pair …", "Ctrl+Shift+V", opening("paste")),
        edit("edit.swap", "Swap A and B", "Ctrl+Shift+X", swap),
        *hull_commands(0),
        *hull_commands(1),
        edit("edit.reset_a", "Reset A", "", lambda app: app.edits.reset_body(0)),
        edit("edit.reset_b", "Reset B", "", lambda app: app.edits.reset_body(1)),
    )


def _tool_commands() -> tuple[Command, ...]:
    menu = InMenu("Tools")

    def tool(which: GizmoTool, title: str, key: str) -> Command:
        def choose(app: Program) -> None:
            app.edits.tool = which
            if app.work.selection is None:
                app.work.selection = 1

        def chosen(app: Program) -> bool:
            return app.work.selection is not None and app.edits.tool is which

        return menu(f"tool.{which}", title, key, choose, checked=chosen)

    def are_local(app: Program) -> bool:
        return app.edits.local_axes

    def toggle_local(app: Program) -> None:
        app.edits.local_axes = not app.edits.local_axes

    def select(body: int | None) -> Action:
        return lambda app: setattr(app.work, "selection", body)

    def is_held(app: Program) -> bool:
        return app.work.view.hold is not None and not app.lessons.open

    def let_go(app: Program) -> None:
        app.cameras.look(replace(app.work.view, hold=None))

    def nudge(side: str, *, turn: bool) -> Command:
        def carry_out(app: Program) -> None:
            app.edits.nudge(side, turn=turn)

        verb, keys = ("Turn", "Ctrl+Shift") if turn else ("Move", "Alt")
        unnamed = (f"Alt+Shift+{side.capitalize()}",) if turn else ()
        tip = "The selected body, else B, by one step of snapping"
        name = f"{verb.lower()}.{side}"
        made = menu(name, f"{verb} the body {side}", f"{keys}+{side.capitalize()}", carry_out, tip)
        return replace(made, unnamed_keys=unnamed)

    return (
        tool(GizmoTool.MOVE, "Move with handles", "W"),
        tool(GizmoTool.ROTATE, "Turn with handles", "E"),
        tool(GizmoTool.SIZE, "Resize with handles", "R"),
        menu("tool.local", "Handles along the body's axes", "Q", toggle_local, checked=are_local),
        menu("select.a", "Select A", "", select(0), checked=lambda app: app.work.selection == 0),
        menu("select.b", "Select B", "", select(1), checked=lambda app: app.work.selection == 1),
        menu("select.none", "Select nothing", "", select(None), enabled=lambda app: app.work.selection is not None),
        menu("tool.free_drag", "Drag freely again", "", let_go, FREE_TIP, enabled=is_held),
        *(nudge(side, turn=turn) for turn in (False, True) for side in ("left", "right", "up", "down")),
    )


def _view_commands() -> tuple[Command, ...]:
    def look_from(side: str, key: str) -> Command:
        return VIEW_MENU(f"view.{side}", f"Look from the {side}", key, lambda app: app.cameras.look_from(side))

    def pin_next(count: int) -> Action:
        def pin(app: Program) -> None:
            view, rows = app.work.view, len(app.cameras.seen.analysis.sat.candidates)
            at = view.pin.number if view.pin is not None and view.pin.kind == "axis" else min(-count, 0)
            if rows:
                app.cameras.look(replace(view, pin=Subject("axis", (at + count) % rows)))

        return pin

    def is_orthographic(app: Program) -> bool:
        return app.work.view.world.orthographic

    def toggle_projection(app: Program) -> None:
        app.cameras.toggle_projection()

    return (
        *(look_from(*look) for look in VIEW_KEYS),
        VIEW_MENU("axes.pin_next", "Pin the next axis", "Shift+Down", pin_next(1)),
        VIEW_MENU("axes.pin_previous", "Pin the previous axis", "Shift+Up", pin_next(-1)),
        VIEW_MENU("view.orthographic", "Orthographic", "5", toggle_projection, checked=is_orthographic),
        VIEW_MENU("view.frame", "Frame the selection or the pair", "F", lambda app: app.cameras.frame_selection()),
        VIEW_MENU("view.home", "Reset the view", "Home Shift+F", lambda app: app.cameras.go_home()),
    )


def _pane_commands() -> tuple[Command, ...]:
    def arrange(panes: Panes, title: str) -> Command:
        def shown(app: Program) -> bool:
            return app.work.view.panes is panes

        return VIEW_MENU(f"panes.{panes}", title, "", lambda app: app.cameras.show_panes(panes), checked=shown)

    def show_next(app: Program) -> None:
        order = tuple(Panes)
        app.cameras.show_panes(order[(order.index(app.work.view.panes) + 1) % len(order)])

    return (
        arrange(Panes.BOTH, "World and difference"),
        arrange(Panes.WORLD, "World alone"),
        arrange(Panes.DIFFERENCE, "Difference alone"),
        arrange(Panes.OVERLAID, "Difference in the world"),
        VIEW_MENU("panes.next", "Next arrangement of panes", "M", show_next),
    )


def _axis_commands() -> tuple[Command, ...]:
    def axis_view(shown: AxisView, title: str) -> Command:
        def show(app: Program) -> None:
            app.cameras.look(replace(app.work.view, axis_view=shown))

        return VIEW_MENU(f"axes.{shown}", title, "", show, checked=lambda app: app.work.view.axis_view is shown)

    def show_next(app: Program) -> None:
        order, view = tuple(AxisView), app.work.view
        app.cameras.look(replace(view, axis_view=order[(order.index(view.axis_view) + 1) % len(order)]))

    def unpin(app: Program) -> None:
        app.cameras.look(replace(app.work.view, pin=None))

    def pin_winner(app: Program) -> None:
        app.cameras.look(replace(app.work.view, pin=Subject("axis", app.answers.whole_analysis.sat.winner)))

    return (
        axis_view(AxisView.FOCUSED, "Axes: the one in focus"),
        axis_view(AxisView.CAGE, "Axes: cage around the pair"),
        axis_view(AxisView.FAMILY, "Axes: one family"),
        axis_view(AxisView.FAN, "Axes: fan next to the pair"),
        VIEW_MENU("axes.next", "Next axis view", "V", show_next),
        VIEW_MENU("axes.unpin", "Unpin the axis", "", unpin, enabled=lambda app: app.work.view.pin is not None),
        VIEW_MENU("axes.pin_winner", "Pin the axis that decides", "", pin_winner),
    )


def _overlay(overlay: Overlay) -> Command:
    def toggle(app: Program) -> None:
        app.cameras.look(app.work.view.with_toggled(overlay.id))
        seen = app.cameras.seen
        moment = seen.moment
        hidden = moment is not None and not overlay_is_shown(overlay, moment.phase, at_end=seen.reveal.at_end)
        if overlay.id in app.work.view.shown and hidden:
            app.notices.notify(f"{overlay.title} is switched on. {hidden_steps_text(overlay)}")

    return Command(
        f"overlay.{overlay.id}",
        overlay.title,
        "Overlays",
        tuple(overlay.key.split()),
        toggle,
        tip_of(overlay),
        checked=lambda app: overlay.id in app.work.view.shown,
        unavailable_in=overlay.unavailable_in,
    )


def _labels(kind: LabelKind) -> Command:
    def toggle(app: Program) -> None:
        view = app.work.view
        app.cameras.look(replace(view, hidden=view.hidden ^ {kind.id}))

    return Command(
        f"label.{kind.id}",
        f"Labels: {kind.title}",
        "Overlays",
        (),
        toggle,
        kind.tip,
        checked=lambda app: kind.id not in app.work.view.hidden,
    )


def compare_commands() -> tuple[Command, ...]:
    """The commands of the menu Compare, but for the other engines'."""

    def to_defaults(app: Program) -> None:
        app.work.algorithm_settings = DEFAULT_SETTINGS

    def are_changed(app: Program) -> bool:
        return app.work.algorithm_settings != DEFAULT_SETTINGS

    def clear(app: Program) -> None:
        app.meter.clear()

    def counted(app: Program) -> bool:
        return app.meter.times is not None

    return (
        *_panel_commands("Compare"),
        COMPARE_MENU("mpr", "MPR beside EPA", "", _toggle_mpr, checked=lambda app: app.work.algorithm_settings.mpr),
        *_single_commands(),
        COMPARE_MENU("contact_times.clear", "Clear contacts over time", "", clear, enabled=counted),
        COMPARE_MENU("knobs.default", "Restore the default settings", "", to_defaults, enabled=are_changed),
        *(_edge_tool(action) for action in EDGE_ACTIONS),
        *(_nudge(exponent) for exponent in EXPONENTS),
    )


def _panel_commands(menu: Literal["Compare", "Help", "Window"]) -> Iterator[Command]:
    """Yields the commands that show or hide the docked panels of a menu."""
    return (_panel(opens) for entry in DOCKED if (opens := entry.opens) is not None and opens.menu == menu)


def _single_commands() -> Iterator[Command]:
    """The commands that set single precision's frame, and the bodies' distance from the origin in it."""

    def toggle_world(app: Program) -> None:
        app.work.algorithm_settings = with_setting(
            app.work.algorithm_settings, "single.world", not app.work.algorithm_settings.single.world
        )

    def to(move: Callable[[Scene, float], float]) -> Action:
        def go(app: Program) -> None:
            away = move(app.work.scene, app.work.algorithm_settings.single.away)
            app.work.algorithm_settings = with_setting(app.work.algorithm_settings, "single.away", away)

        return go

    def is_away(app: Program) -> bool:
        return app.work.algorithm_settings.single.away > 0.0

    def in_world(app: Program) -> bool:
        return app.work.algorithm_settings.single.world

    yield COMPARE_MENU("single.world", "Single precision in the world's frame", "", toggle_world, checked=in_world)
    yield COMPARE_MENU("single.farther", "Single precision ten times farther out", "", to(farther))
    yield COMPARE_MENU("single.nearer", "Single precision ten times nearer", "", to(nearer), enabled=is_away)


def _toggle_mpr(app: Program) -> None:
    """Adds MPR and shows its first step, or leaves it out again."""
    app.work.algorithm_settings = replace(app.work.algorithm_settings, mpr=not app.work.algorithm_settings.mpr)
    if app.work.algorithm_settings.mpr:
        app.steps.play(replace(app.work.playback, open=True, phase=Phase.MPR, index=0, playing=False))


def _panel(opens: Opens) -> Command:
    def shown(app: Program) -> bool:
        return (app.lessons.open or app.preferences.settings.panels) and opens.id in app.dialogs.docked

    def toggle(app: Program) -> None:
        opening = not shown(app)
        app.dialogs.dock(opens.id, shown=opening)
        if opening and not app.preferences.settings.panels and not app.lessons.open:
            app.preferences.configure(replace(app.preferences.settings, panels=True))

    return InMenu(opens.menu)(f"panel.{opens.id}", opens.title, "", toggle, opens.tip, checked=shown)


def _edge_tool(action: EdgeAction) -> Command:
    return COMPARE_MENU(f"edge.{action.id}", action.title, "", _making(action.make), action.tip)


def _nudge(exponent: int) -> Command:
    """A small move of B, found in the palette alone: the panel Edge cases has it in all directions."""
    title = f"Move B along +x by 1e{exponent} of the size"
    make = partial(shifted, direction=(1.0, 0.0, 0.0), exponent=exponent, sign=1.0)
    return COMPARE_MENU(f"nudge.{-exponent}", title, "", _making(make))


def _making(make: Callable[[Scene], Made]) -> Callable[[Program], None]:
    """The action of a command that edits the scene with an edge-case tool; the tool's refusal becomes a notice."""

    def run(app: Program) -> None:
        try:
            made = make(app.work.document.committed)
        except ValueError as refusal:
            app.notices.notify(str(refusal))
            return
        app.edits.edit(made.scene, made.label, made.told)

    return run


def _preset_commands(presets: Iterable[tuple[str, str]]) -> tuple[Command, ...]:
    menu, (toggle, is_open) = InMenu("Presets"), _dialog("presets")

    def no_lesson(app: Program) -> bool:
        return not app.lessons.open

    def preset(name: str, title: str) -> Command:
        def is_shown(app: Program) -> bool:
            return app.work.preset == name

        return menu(f"preset.{name}", title, "", lambda app: app.files.load_preset(name), checked=is_shown)

    return (
        menu("presets.gallery", "Gallery", "Ctrl+G", toggle, checked=is_open),
        menu("presets.previous", "Previous preset", "[", lambda app: app.files.step_preset(-1), enabled=no_lesson),
        menu("presets.next", "Next preset", "]", lambda app: app.files.step_preset(1), enabled=no_lesson),
        *(preset(name, title) for name, title in presets),
    )


def _window_commands() -> tuple[Command, ...]:
    menu, (toggle_options, options_open) = InMenu("Window"), _dialog("settings")

    def choice(field: str, value: str, name: str, title: str) -> Command:
        def choose(app: Program) -> None:
            changes: dict[str, Any] = {field: value}
            app.preferences.configure(replace(app.preferences.settings, **changes))

        return menu(name, title, "", choose, checked=lambda app: getattr(app.preferences.settings, field) == value)

    def switch(field: str, name: str, title: str, key: str = "") -> Command:
        def is_on(app: Program) -> bool:
            return bool(getattr(app.preferences.settings, field))

        def toggle(app: Program) -> None:
            changes: dict[str, Any] = {field: not is_on(app)}
            app.preferences.configure(replace(app.preferences.settings, **changes))

        return menu(name, title, key, toggle, checked=is_on)

    def fill(app: Program) -> None:
        app.window.toggle_full_screen()

    def normal_size(app: Program) -> None:
        app.preferences.configure(replace(app.preferences.settings, ui_scale=1.0))

    return (
        replace(switch("panels", "window.panels", "Panels", "Tab"), enabled=lambda app: not app.lessons.open),
        menu("window.options", "View options …", "Ctrl+,", toggle_options, checked=options_open),
        *(choice("theme", name, f"theme.{name}", f"Theme: {name}") for name in ("dark", "light", "print")),
        *(choice("palette", which, f"palette.{which.name.lower()}", f"Colours: {which}") for which in Palette),
        *(choice("digits", which, f"digits.{which.name.lower()}", f"Digits: {which}") for which in Digits),
        switch("z_up", "view.z_up", "Z points up"),
        switch("animations", "view.motion", "Motion between steps"),
        menu("scale.largest_radius", "Larger text", "Ctrl++ Ctrl+=", lambda app: app.preferences.scale_ui(1)),
        menu("scale.least_half_extent", "Smaller text", "Ctrl+-", lambda app: app.preferences.scale_ui(-1)),
        menu("scale.normal", "Text at normal size", "Ctrl+0", normal_size),
        menu("window.full_screen", "Full screen", "F11 Ctrl+Shift+F", fill, checked=lambda app: app.window.fullscreen),
        *stage_commands(),
        *_panel_commands("Window"),
        menu("window.reset_layout", "Reset the panels' places", "", lambda app: app.restore_layout()),
        switch("show_frame_times", "window.frame_times", "Frame times"),
        switch("hint", "window.hint", "Hints"),
    )


def _help_commands() -> tuple[Command, ...]:
    menu, (toggle_help, help_open) = InMenu("Help"), _dialog("help")
    return (
        menu("help.keys", "Mouse and keys", "F1 ?", toggle_help, checked=help_open),
        menu("help.palette", "All commands …", "Ctrl+K", opening("palette")),
        *_panel_commands("Help"),
        menu("help.about", "About Separatrix", "", opening("about")),
    )
