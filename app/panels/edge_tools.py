"""The panel with buttons that make edge cases of the pair; each press is one undo entry."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from imgui_bundle import imgui

from core.geometry.triple import Triple, scaled, triple
from core.scene import Scene

from ..controllers.edits import EDGE_ACTIONS, EXPONENTS, Made, nudged, random_pair, shifted, touching
from ..shapes import FLAT_KINDS, SHAPE_KINDS
from ..state.ask import Ask
from ..state.panel_state import PanelState
from ..words.terms import terms_of
from .panel import Docked
from .rows import Button, Flow, draw_more, draw_rows
from .text import em, explain, flow
from .widgets import choice

ALIGNING = ("parallel", "faces", "centres")
"""The ids of the actions under the heading Align."""
SIGNS = (-1.0, "−"), (1.0, "+")
"""The two directions along a line: sign and label."""


class EdgeTools(Docked):
    """The docked panel with the edge-case tools."""

    def __init__(self) -> None:
        self._exponent = -9
        self._kinds: tuple[str, ...] = ()

    def draw(self, ui: PanelState, ask: Ask) -> None:
        """Draws the tools; the panel stores only the power of ten and the kinds of random bodies."""
        scene = ui.document.committed
        imgui.begin_disabled(ui.document.preview is not None)
        _draw_ulps(scene, ask)
        self._draw_powers(ui, ask)
        _draw_touching(scene, ways_of(scene), ask)
        imgui.separator_text("Align")
        said = terms_of(scene.dimension).worded
        aligning = [action for action in EDGE_ACTIONS if action.id in ALIGNING]
        draw_rows([Flow(tuple(_tool(said(action.title), action.make, scene, action.tip) for action in aligning))], ask)
        self._draw_random(scene, ask)
        imgui.end_disabled()

    def _draw_powers(self, ui: PanelState, ask: Ask) -> None:
        """Draws buttons that move B by a power of ten of the size, along each axis and the normal."""
        imgui.separator_text("Move B by a power of ten of the size")
        explain("The size is the larger of the two bodies' bounding radii.")
        self._exponent = choice("##power", {k: f"1e{k}" for k in EXPONENTS}, self._exponent, 6.0 * em())
        scene = ui.document.committed
        ways = ways_of(scene) | {"normal": triple(ui.analysis.normal)}
        tools = []
        for name, way in ways.items():
            for sign, mark in SIGNS:
                make = partial(shifted, direction=way, exponent=self._exponent, sign=sign)
                tools.append(_tool(f"{mark}{name}", make, scene, key="power"))
        draw_more(tools, ask)

    def _draw_random(self, scene: Scene, ask: Ask) -> None:
        imgui.separator_text("Random pair")
        offered = KINDS[scene.dimension]
        ticked = tuple(name for name in self._kinds if name in offered) or tuple(offered)
        for number, (kind, title) in enumerate(offered.items()):
            if number:
                flow(imgui.calc_text_size(title).x + 2.0 * em())
            changed, on = imgui.checkbox(title, kind in ticked)
            if changed:
                elsewhere = tuple(name for name in self._kinds if name not in offered)
                here = (*ticked, kind) if on else tuple(name for name in ticked if name != kind)
                self._kinds = (*elsewhere, *here)
        tip = "A random pair of these shapes; about half of them overlap."
        draw_rows([_tool("Random pair", partial(random_pair, kinds=ticked), scene, tip)], ask)


KINDS = {of: {kind.name: kind.title for kind in kinds} for of, kinds in ((2, FLAT_KINDS), (3, SHAPE_KINDS))}
"""The titles of the kinds of shapes by name, for each dimension."""


def ways_of(scene: Scene) -> dict[str, Triple]:
    """Unit vectors along the world's axes, by name; B can be moved along them. A 2D scene has two."""
    ways: tuple[Triple, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return dict(zip(terms_of(scene.dimension).axes, ways, strict=False))


def _draw_ulps(scene: Scene, ask: Ask) -> None:
    imgui.separator_text("Move B by one floating-point step")
    explain("The next double-precision number up or down. If the coordinate is 0: one floating-point step of B's size.")
    tools = []
    for axis, name in enumerate(terms_of(scene.dimension).axes):
        for sign, mark in SIGNS:
            make, tip = partial(nudged, axis=axis, ulps=round(sign)), f"B's {name} is {scene.b.position[axis]!r}"
            tools.append(_tool(f"{mark}{name}", make, scene, tip, "ulp"))
    draw_rows([Flow(tuple(tools))], ask)


def _draw_touching(scene: Scene, ways: dict[str, Triple], ask: Ask) -> None:
    imgui.separator_text("Bring to touching")
    explain("Moves B by bisection until the separation is zero, as exactly as floats allow.")
    about = "overlapping bodies are separated, separated ones brought together, along this line."
    tools = [_tool("along the normal", touching, scene)]
    for name, way in ways.items():
        for sign, mark in SIGNS:
            make, tip = partial(touching, direction=scaled(way, sign)), f"Along {mark}{name}: {about}"
            tools.append(_tool(f"{mark}{name}", make, scene, tip, "touch"))
    draw_rows([Flow(tuple(tools))], ask)


def _tool(label: str, make: Callable[[Scene], Made], scene: Scene, tip: str = "", key: str = "") -> Button:
    """A button that runs a tool on the scene; `key` distinguishes buttons with the same label."""
    return Button(label, partial(_carry_out, make, scene), tip, small=False, key=key)


def _carry_out(make: Callable[[Scene], Made], scene: Scene, ask: Ask) -> None:
    """Runs a tool; asks for its edit, or for a notice if the tool refuses."""
    try:
        made = make(scene)
    except ValueError as refusal:
        ask.notify(str(refusal))
        return
    ask.edit(made.scene, made.label, made.told)
