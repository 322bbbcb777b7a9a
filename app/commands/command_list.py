"""Every command of the program, menu by menu."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ..draw_list import Subject
from ..overlays import OVERLAYS, STRANGE, Overlay
from ..settings import Settings
from ..tools.gizmo import GizmoTool
from ..view import AxisView, Panes, View
from .compare_commands import compare_commands
from .free_axis_commands import free_axis_commands
from .motion_commands import motion_commands
from .prediction_commands import prediction_commands
from .probe_commands import probe_commands
from .step_commands import step_commands
from .table import Action, Command, CommandTable, Question

if TYPE_CHECKING:
    from ..workbench import Workbench


def command_table(presets: Iterable[tuple[str, str]]) -> CommandTable:
    """Every command; `presets`: id and title of each, in order."""
    return CommandTable(
        of_space(command)
        for command in (
            *_file_commands(),
            *_edit_commands(),
            *_tool_commands(),
            *_view_commands(),
            *free_axis_commands(),
            *step_commands(),
            *prediction_commands(),
            *motion_commands(),
            *probe_commands(),
            *compare_commands(),
            *(_overlay(overlay) for overlay in OVERLAYS),
            *_preset_commands(presets),
            *_window_commands(),
            *_help_commands(),
        )
    )


STRAIGHT_ON = "The plane is always seen straight on."
OF_SPACE = {
    "view.front": STRAIGHT_ON,
    "view.back": STRAIGHT_ON,
    "view.right": STRAIGHT_ON,
    "view.left": STRAIGHT_ON,
    "view.top": STRAIGHT_ON,
    "view.bottom": STRAIGHT_ON,
    "view.orthographic": STRAIGHT_ON,
    "hull": "The hull of a mesh is a body of space; this scene is of the plane.",
    "free": "The free axis turns on a sphere; this scene is of the plane, where the fan shows every axis.",
    "probe": "Probes are held against bodies of space; this scene is of the plane.",
    "plane": "Probes are held against bodies of space; this scene is of the plane.",
    "ray": "Rays are shot at bodies of space; this scene is of the plane.",
    "overlay.globe": "The axes of the plane lie in it: they need no globe.",
    "overlay.gauss": "The Gauss map is of polyhedra; this scene is of the plane.",
    "overlay.in_view": "There are no boxes in the plane.",
    "overlay.half_space": "There are no half-spaces in the plane.",
    "overlay.regions": "The regions are those of a box in space; this scene is of the plane.",
}
"""Why a command, or all whose ids begin so, is not for scenes of the plane."""


def of_space(command: Command) -> Command:
    """The command with the reason why it is not for scenes of the plane, if there is one."""
    reason = OF_SPACE.get(command.id) or OF_SPACE.get(command.id.partition(".")[0], "")
    return replace(command, of_space=reason)


def _dialog(name: str) -> tuple[Action, Question]:
    def toggle(app: Workbench) -> None:
        setattr(app.dialogs, name, not getattr(app.dialogs, name))

    def is_open(app: Workbench) -> bool:
        return bool(getattr(app.dialogs, name))

    return toggle, is_open


def _show(name: str) -> Action:
    def show(app: Workbench) -> None:
        setattr(app.dialogs, name, True)

    return show


def _has_log(app: Workbench) -> bool:
    return app.log_position is not None


def _file_commands() -> tuple[Command, ...]:
    return (
        Command("file.new", "New: the first scene", "File", ("Ctrl+N",), lambda app: app.new()),
        Command(
            "file.new_flat",
            "New in the plane (2D)",
            "File",
            ("Ctrl+Shift+N",),
            lambda app: app.new(flat=True),
            "Two polygons of the flat world, to drag and to edit vertex by vertex; a body may also be a circle",
        ),
        Command(
            "file.open",
            "Open …",
            "File",
            ("Ctrl+O",),
            _show("open"),
            "A scene, a log (.jsonl), a screenshot, or a mesh (.obj, .stl) whose hull the selected body takes",
        ),
        Command("file.save", "Save", "File", ("Ctrl+S",), lambda app: app.save()),
        Command("file.save_as", "Save as …", "File", ("Ctrl+Shift+S",), _show("save")),
        Command(
            "file.reload",
            "Reload from disk",
            "File",
            ("Ctrl+R",),
            lambda app: app.reload(),
            enabled=lambda app: app.document.path is not None,
        ),
        Command(
            "log.previous",
            "Previous entry of the log",
            "File",
            ("PageUp",),
            lambda app: app.step_log(-1),
            enabled=_has_log,
        ),
        Command(
            "log.next", "Next entry of the log", "File", ("PageDown",), lambda app: app.step_log(1), enabled=_has_log
        ),
        Command(
            "file.screenshot",
            "Screenshot",
            "File",
            ("Ctrl+P",),
            lambda app: app.quick_screenshot(),
            "The viewport without panels as a numbered PNG, with the scene inside",
        ),
        Command("file.screenshot_as", "Screenshot of another size …", "File", ("Ctrl+Shift+P",), _show("screenshot")),
        Command("file.quit", "Quit", "File", ("Ctrl+Q",), lambda app: app.close_asked()),
    )


def _edit_commands() -> tuple[Command, ...]:
    return (
        Command(
            "edit.undo",
            "Undo",
            "Edit",
            ("Ctrl+Z",),
            lambda app: app.undo(),
            enabled=lambda app: app.document.undo_label is not None,
        ),
        Command(
            "edit.redo",
            "Redo",
            "Edit",
            ("Ctrl+Shift+Z", "Ctrl+Y"),
            lambda app: app.redo(),
            enabled=lambda app: app.document.redo_label is not None,
        ),
        Command("edit.copy", "Copy scene as text", "Edit", ("Ctrl+C",), lambda app: app.copy_scene()),
        Command("edit.paste", "Paste scene", "Edit", ("Ctrl+V",), lambda app: app.paste_scene()),
        Command(
            "edit.paste_pair",
            "Paste a pair from an engine …",
            "Edit",
            ("Ctrl+Shift+V",),
            _show("paste"),
            "Numbers or matrices in any layout of text, with the conventions chosen",
        ),
        Command(
            "edit.swap",
            "Swap A and B",
            "Edit",
            ("Ctrl+Shift+X",),
            lambda app: app.edit(app.document.scene.swapped(), "Swap A and B"),
        ),
        _hull_from_file(0),
        _hull_from_file(1),
        Command("edit.reset_a", "Reset A", "Edit", (), lambda app: app.reset_body(0), "A as it was opened"),
        Command("edit.reset_b", "Reset B", "Edit", (), lambda app: app.reset_body(1), "B as it was opened"),
    )


def _hull_from_file(index: int) -> Command:
    def choose(app: Workbench) -> None:
        # The file opened next goes to the selected body.
        app.selection = index
        app.dialogs.open = True

    tip = "An OBJ or STL mesh: the body becomes the hull of its points"
    return Command(f"hull.{'ab'[index]}", f"Hull from file for {'AB'[index]} …", "Edit", (), choose, tip)


def _tool_commands() -> tuple[Command, ...]:
    def tool(which: GizmoTool, title: str, key: str) -> Command:
        def choose(app: Workbench) -> None:
            app.tool = which
            if app.selection is None:
                app.selection = 1

        def chosen(app: Workbench) -> bool:
            return app.selection is not None and app.tool is which

        return Command(f"tool.{which}", title, "Tools", (key,), choose, checked=chosen)

    def toggle_local(app: Workbench) -> None:
        app.local_axes = not app.local_axes

    def select(body: int | None) -> Action:
        def choose(app: Workbench) -> None:
            app.selection = body

        return choose

    return (
        tool(GizmoTool.MOVE, "Move with handles", "W"),
        tool(GizmoTool.ROTATE, "Turn with handles", "E"),
        tool(GizmoTool.SIZE, "Resize with handles", "R"),
        Command(
            "tool.local",
            "Handles along the body's axes",
            "Tools",
            ("Q",),
            toggle_local,
            checked=lambda app: app.local_axes,
        ),
        Command("select.a", "Select A", "Tools", (), select(0), checked=lambda app: app.selection == 0),
        Command("select.b", "Select B", "Tools", (), select(1), checked=lambda app: app.selection == 1),
        Command(
            "select.none", "Select nothing", "Tools", (), select(None), enabled=lambda app: app.selection is not None
        ),
    )


def _view_commands() -> tuple[Command, ...]:
    looks = (("front", "1"), ("back", "Ctrl+1"), ("right", "3"), ("left", "Ctrl+3"), ("top", "7"), ("bottom", "Ctrl+7"))
    return (
        *(_look_from(name, key) for name, key in looks),
        Command(
            "view.orthographic",
            "Orthographic",
            "View",
            ("5",),
            lambda app: app.toggle_projection(),
            checked=lambda app: app.view.world.orthographic,
        ),
        Command("view.frame", "Frame the selection or the pair", "View", ("F",), lambda app: app.frame_selection()),
        Command("view.home", "Show everything as at first", "View", ("Home",), lambda app: app.go_home()),
        _arrange(Panes.BOTH, "World and difference"),
        _arrange(Panes.WORLD, "World alone"),
        _arrange(Panes.DIFFERENCE, "Difference alone"),
        _arrange(Panes.OVERLAID, "Difference laid over the world"),
        Command(
            "panes.next", "Next arrangement of panes", "View", ("M",), lambda app: app.show_panes(_next_panes(app.view))
        ),
        _axis_view(AxisView.FOCUSED, "Axes: the one in focus"),
        _axis_view(AxisView.CAGE, "Axes: cage round the pair"),
        _axis_view(AxisView.FAMILY, "Axes: one family"),
        _axis_view(AxisView.FAN, "Axes: fan beside the pair"),
        Command("axes.next", "Next axis view", "View", ("V",), lambda app: app.look(_next_axis_view(app.view))),
        Command(
            "axes.unpin",
            "Unpin the axis",
            "View",
            (),
            lambda app: app.look(replace(app.view, pin=None)),
            enabled=lambda app: app.view.pin is not None,
        ),
        Command("axes.pin_winner", "Pin the winning axis", "View", (), _pin_winner),
    )


def _look_from(name: str, key: str) -> Command:
    return Command(f"view.{name}", f"Look from the {name}", "View", (key,), lambda app: app.look_from(name))


def _arrange(panes: Panes, title: str) -> Command:
    return Command(
        f"panes.{panes}",
        title,
        "View",
        (),
        lambda app: app.show_panes(panes),
        checked=lambda app: app.view.panes is panes,
    )


def _axis_view(axis_view: AxisView, title: str) -> Command:
    return Command(
        f"axes.{axis_view}",
        title,
        "View",
        (),
        lambda app: app.look(replace(app.view, axis_view=axis_view)),
        checked=lambda app: app.view.axis_view is axis_view,
    )


def _overlay(overlay: Overlay) -> Command:
    def toggle(app: Workbench) -> None:
        app.look(app.view.with_toggled(overlay.id))
        if overlay.id in app.view.shown and not overlay.stands(app.moment):
            app.notify(f"{overlay.title} is switched on. {overlay.absence}")

    return Command(
        f"overlay.{overlay.id}",
        overlay.title,
        "Overlays",
        (overlay.key,) if overlay.key else (),
        toggle,
        overlay.told,
        enabled=lambda app: app.flat or overlay.id not in STRANGE[3],
        checked=lambda app: overlay.id in app.view.shown,
    )


def _preset(name: str, title: str) -> Command:
    return Command(
        f"preset.{name}",
        title,
        "Presets",
        (),
        lambda app: app.load_preset(name),
        checked=lambda app: app.preset == name,
    )


def _preset_commands(presets: Iterable[tuple[str, str]]) -> tuple[Command, ...]:
    toggle, is_open = _dialog("presets")
    return (
        Command("presets.gallery", "Gallery of presets", "Presets", ("Ctrl+G",), toggle, checked=is_open),
        Command("presets.previous", "Previous preset", "Presets", ("[",), lambda app: app.step_preset(-1)),
        Command("presets.next", "Next preset", "Presets", ("]",), lambda app: app.step_preset(1)),
        *(_preset(name, title) for name, title in presets),
    )


def _window_commands() -> tuple[Command, ...]:
    toggle_options, options_open = _dialog("settings")

    def theme(name: str) -> Command:
        return Command(
            f"theme.{name}",
            f"Theme: {name}",
            "Window",
            (),
            lambda app: app.configure(replace(app.settings, theme=name)),
            checked=lambda app: app.settings.theme == name,
        )

    def switch(field: str, name: str, title: str, keys: tuple[str, ...] = (), tip: str = "") -> Command:
        return Command(
            name,
            title,
            "Window",
            keys,
            lambda app: app.configure(_switched(app.settings, field)),
            tip,
            checked=lambda app: bool(getattr(app.settings, field)),
        )

    return (
        switch("panels", "window.panels", "Panels", ("Tab",)),
        Command("window.options", "View options …", "Window", ("Ctrl+,",), toggle_options, checked=options_open),
        *(theme(name) for name in ("dark", "light", "print")),
        switch("colour_blind", "theme.colour_blind", "Colours for the colour-blind"),
        switch("z_up", "view.z_up", "Z points up", (), "A way of looking: no coordinate changes"),
        Command("scale.larger", "Larger", "Window", ("Ctrl++", "Ctrl+="), lambda app: app.scale_ui(1)),
        Command("scale.smaller", "Smaller", "Window", ("Ctrl+-",), lambda app: app.scale_ui(-1)),
        Command(
            "scale.normal",
            "Normal size",
            "Window",
            ("Ctrl+0",),
            lambda app: app.configure(replace(app.settings, ui_scale=1.0)),
        ),
        Command(
            "window.full_screen",
            "Full screen",
            "Window",
            ("F11",),
            lambda app: app.toggle_full_screen(),
            checked=lambda app: app.full_screen,
        ),
        Command("window.reset_layout", "Restore the panels' places", "Window", (), lambda app: app.restore_layout()),
        switch("show_frame_times", "window.frame_times", "Frame times"),
        switch("hint", "window.hint", "Hints"),
    )


def _help_commands() -> tuple[Command, ...]:
    toggle_help, help_open = _dialog("help")
    return (
        Command("help.keys", "Mouse and keys", "Help", ("F1", "?"), toggle_help, checked=help_open),
        Command("help.palette", "All commands …", "Help", ("Ctrl+K",), _show("palette")),
        Command("help.about", "About Separatrix", "Help", (), _show("about")),
    )


def _switched(settings: Settings, field: str) -> Settings:
    changes: dict[str, Any] = {field: not getattr(settings, field)}
    return replace(settings, **changes)


def _next_panes(view: View) -> Panes:
    order = tuple(Panes)
    return order[(order.index(view.panes) + 1) % len(order)]


def _next_axis_view(view: View) -> View:
    order = tuple(AxisView)
    return replace(view, axis_view=order[(order.index(view.axis_view) + 1) % len(order)])


def _pin_winner(app: Workbench) -> None:
    app.look(replace(app.view, pin=Subject("axis", app.whole_analysis.sat.winner)))
