"""The panels without a window or GPU: a headless imgui context driven by io events, and where each widget was drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest
from imgui_bundle import imgui
from msgspec.structs import replace

from app.draw.placed import Rect
from app.draw.text import font_path
from app.draw.theme import theme_named
from app.panels import Shield, apply_style, build_default_layout, covered, draw_all, make_panels
from app.panels.panel_host import PanelHost
from app.render.framing import Covered
from app.state.panel_state import Dialogs, MenuEntry, PanelState
from app.state.settings import Settings
from app.state.view import View
from app.state.work import Document
from core.analysis.analysis import analyse
from core.geometry import quaternion
from core.scene import Body, Scene
from core.shapes import Box

from .asked import Asked, Kept

WATCHED = (
    "input_text",
    "input_text_with_hint",
    "button",
    "small_button",
    "selectable",
    "radio_button",
    "checkbox",
    "menu_item",
    "begin_combo",
    "input_text_multiline",
)
PAIR = Scene(
    Body(Box((2.0, 1.0, 1.4)), (0.1, 0.2, 0.3), quaternion.from_euler_xyz(0.3, 0.5, 0.2)),
    Body(Box((1.0, 1.6, 1.0)), (0.9, 0.8, 0.6), quaternion.from_euler_xyz(-0.6, 0.3, 0.9)),
    name="Pair",
    notes="First. Second.",
)
COMMANDS = (
    MenuEntry(id="file.open", title="Open…", group="File", keys=("Ctrl+O",), tip="", enabled=True, checked=None),
    MenuEntry(id="file.save", title="Save", group="File", keys=("Ctrl+S",), tip="", enabled=True, checked=None),
    MenuEntry(id="edit.redo", title="Redo", group="Edit", keys=("Ctrl+Y",), tip="", enabled=False, checked=None),
    MenuEntry(id="view.panels", title="Panels", group="View", keys=("Tab",), tip="", enabled=True, checked=True),
)


def panel_state(scene: Scene = PAIR, **changes: object) -> PanelState:
    """A state with the docked side shown; any field can be replaced by name."""
    settings = changes.pop("settings", Settings(panels=True))
    assert isinstance(settings, Settings)
    state = PanelState(
        scene,
        analyse(scene),
        View(),
        theme_named(settings.theme, settings.palette),
        document=Document.new(scene),
        settings=settings,
        commands=lambda: COMMANDS,
        menus=tuple(dict.fromkeys(one.group for one in COMMANDS)),
        command_on=lambda chord: next((one for one in COMMANDS if chord in one.keys), None),
        notices=(),
        pending=None,
        log=None,
        preset=None,
        recent=(),
        frame_times={},
        selection=None,
        tool="move",
        local_axes=False,
        dialogs=Dialogs(),
        drag_readout=None,
        over=None,
        pointer=(0.0, 0.0),
        viewport=Rect(0, 0, 100, 100),
    )
    document = changes.get("document")
    return replace(state, **({"scene": document.scene} if isinstance(document, Document) else {}) | changes)


def drawn_height(window: str) -> float:
    """Height of a window as imgui has drawn it last, 0 when it is not shown."""
    return drawn_size(window)[1]


def drawn_size(window: str) -> tuple[float, float]:
    """Width and height of a window as imgui has drawn it last, 0 when it is not shown."""
    found = _shown_window(window)
    return (0.0, 0.0) if found is None else (float(found.size.x), float(found.size.y))


def drawn_place(window: str) -> tuple[float, float] | None:
    """The upper left corner of a window as imgui has drawn it last, None when it is not shown."""
    found = _shown_window(window)
    return None if found is None else (float(found.pos.x), float(found.pos.y))


def _shown_window(name: str) -> imgui.internal.Window | None:
    found = imgui.internal.find_window_by_name(name)
    return None if found is None or not found.was_active or found.hidden else found


def panel_named(panels: Iterable[PanelHost], name: str):
    """The panel of this class, whether or not it has been opened yet."""
    for panel in panels:
        if panel.spec.name == name:
            return panel.panel
    raise KeyError(name)


class Rig:
    """One imgui context with fresh panels."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        width: float = 1280.0,
        height: float = 800.0,
        watched: Iterable[str] = WATCHED,
    ) -> None:
        self.size = (width, height)
        self.rects: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
        self._context = imgui.create_context()
        self.panels = make_panels()
        self.shield: Shield | None = None
        self.covered = Covered()
        self.ask = Kept()
        self._built = False
        self._area = Rect(0, 0, 1, 1)
        io = imgui.get_io()
        io.set_ini_filename(None)
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        io.config_input_trickle_event_queue = False
        io.fonts.add_font_from_file_ttf(str(font_path()), 14.0)
        io.display_size = imgui.ImVec2(width, height)
        apply_style(theme_named("dark"))
        self._patch = monkeypatch
        self.watch(*watched)

    def close(self) -> None:
        imgui.destroy_context(self._context)

    def panels_named(self, name: str):
        """The panel of this class."""
        return panel_named(self.panels, name)

    def watch(self, *names: str) -> None:
        """Notes where imgui's widgets of these kinds are drawn, in `rects` by their label."""
        for name in names:
            self._patch.setattr(imgui, name, self._watched(getattr(imgui, name)))

    def _watched(self, draw):
        def watched(label, *rest, **named):
            result = draw(label, *rest, **named)
            low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
            self.rects[label].append((low.x, low.y, high.x, high.y))
            return result

        return watched

    def frame(self, ui: PanelState) -> list[Asked]:
        """Draws one frame; what the panels asked for."""
        self.rects.clear()
        imgui.get_io().delta_time = 1.0 / 60.0
        imgui.new_frame()
        draw_all(ui, self.panels, self._placed, self.ask, self.shield)
        self.covered = covered(self._area)
        imgui.render()
        return self.ask.taken()

    def _placed(self, ui: PanelState) -> PanelState:
        main, left = imgui.get_main_viewport(), imgui.get_current_context().viewports[0].get_build_work_rect()
        main.work_pos, main.work_size = left.min, left.get_size()
        dock = imgui.get_id("dock")
        if not self._built:
            self._built = True
            build_default_layout(dock, self.size)
        imgui.dock_space_over_viewport(dock, flags=imgui.DockNodeFlags_.passthru_central_node)
        node = imgui.internal.dock_builder_get_central_node(dock)
        size = max(round(node.size.x), 1), max(round(node.size.y), 1)
        self._area = Rect(round(node.pos.x), round(node.pos.y), *size)
        return replace(ui, viewport=self._area, panes=(("World", self._area),))

    def settle(self, ui: PanelState, frames: int = 4) -> list[Asked]:
        return [asked for _ in range(frames) for asked in self.frame(ui)]

    def point_at(self, label: str, number: int = 0, at: float = 0.5) -> None:
        """The pointer onto the widget drawn last under this label, `at` a share of its width."""
        left, top, right, bottom = self.rects[label][number]
        imgui.get_io().add_mouse_pos_event(left + at * (right - left), 0.5 * (top + bottom))

    def point_away(self) -> None:
        imgui.get_io().add_mouse_pos_event(-1e9, -1e9)

    def click(self, ui: PanelState, label: str, number: int = 0, at: float = 0.5) -> list[Asked]:
        """Presses and releases the left button on a widget."""
        self.point_at(label, number, at)
        asked = self.settle(ui, 2)
        imgui.get_io().add_mouse_button_event(0, True)
        asked += self.frame(ui)
        imgui.get_io().add_mouse_button_event(0, False)
        return asked + self.settle(ui, 2)

    def type(self, ui: PanelState, text: str) -> list[Asked]:
        imgui.get_io().add_input_characters_utf8(text)
        return self.settle(ui, 2)

    def press(self, ui: PanelState, key: imgui.Key) -> list[Asked]:
        imgui.get_io().add_key_event(key, True)
        asked = self.frame(ui)
        imgui.get_io().add_key_event(key, False)
        return asked + self.frame(ui)


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """Panels in a window of the usual size, where the system has no file dialogs of its own."""
    monkeypatch.setattr("app.panels.file_browser.native_dialogs_exist", lambda: False)
    made = Rig(monkeypatch)
    yield made
    made.close()
