"""The table of mouse actions in the viewport, which gestures use and the help lists.

The keys are in another table (command_list.py).
"""

from __future__ import annotations

from enum import Enum, StrEnum

from msgspec import Struct


class MouseButton(Enum):
    """A button of the mouse."""

    LEFT = 0
    RIGHT = 1
    MIDDLE = 2
    BACK = 3
    FORWARD = 4


class Held(Struct, frozen=True):
    """The modifier keys that are held; Command counts as Ctrl."""

    ctrl: bool = False
    shift: bool = False
    alt: bool = False


class PointerTarget(StrEnum):
    """The kind of thing under the pointer at a press. The value is its name in the help."""

    HANDLE = "a handle"
    FREE_AXIS = "an end of the free axis"
    PROBE = "a probe's handle"
    ARROW = "the tip of a motion's arrow"
    BODY = "a body"
    DIFFERENCE = "the difference"
    EMPTY = "empty space"


class Act(Enum):
    """The effect of a drag."""

    HANDLE = 0
    TURN_BODY = 1
    MOVE_BODY = 2
    MOVE_DIFFERENCE = 3
    ORBIT = 4
    PAN = 5
    TURN_AXIS = 6
    MOVE_PROBE = 7
    AIM_ARROW = 9


class Binding(Struct, frozen=True):
    """A row of the table. `effect`: in words. `on`: None for anything under the pointer; `shift`, `alt`: None for any.

    `named`: the help lists the row. It omits drags that some window managers take.
    """

    act: Act
    effect: str
    button: MouseButton
    on: PointerTarget | None = None
    shift: bool | None = None
    alt: bool | None = None
    named: bool = True

    def fits(self, button: MouseButton, held: Held, target: PointerTarget) -> bool:
        """Whether the row applies to this press."""
        return (
            button is self.button
            and self.on in (None, target)
            and self.shift in (None, held.shift)
            and self.alt in (None, held.alt)
        )

    @property
    def input(self) -> str:
        """The input in words: `Shift + left drag on a body`."""
        keys = "Shift + " * bool(self.shift) + "Alt + " * bool(self.alt)
        words = f"{keys}{self.button.name.lower()} drag{f' on {self.on}' if self.on else ''}"
        return words[0].upper() + words[1:]


DRAGS: tuple[Binding, ...] = (
    Binding(Act.ORBIT, "turn the view, whatever is under the pointer", MouseButton.LEFT, alt=True, named=False),
    Binding(Act.MOVE_BODY, "move it in the plane of the screen", MouseButton.LEFT, PointerTarget.BODY, shift=False),
    Binding(Act.TURN_BODY, "turn it", MouseButton.LEFT, PointerTarget.BODY, shift=True),
    Binding(Act.HANDLE, "move, turn or resize along that handle", MouseButton.LEFT, PointerTarget.HANDLE),
    Binding(Act.TURN_AXIS, "turn the axis", MouseButton.LEFT, PointerTarget.FREE_AXIS),
    Binding(Act.AIM_ARROW, "change its body's motion", MouseButton.LEFT, PointerTarget.ARROW),
    Binding(Act.MOVE_PROBE, "move the probe's point, or the pixel of its ray", MouseButton.LEFT, PointerTarget.PROBE),
    Binding(Act.MOVE_DIFFERENCE, "move B the other way", MouseButton.LEFT, PointerTarget.DIFFERENCE),
    Binding(Act.ORBIT, "turn the view", MouseButton.LEFT, PointerTarget.EMPTY),
    Binding(Act.PAN, "shift the view", MouseButton.MIDDLE, shift=True),
    Binding(Act.ORBIT, "turn the view, whatever is under the pointer", MouseButton.MIDDLE),
    Binding(Act.PAN, "shift the view", MouseButton.RIGHT),
)
"""The bindings of drags. The first that fits is used."""

AXIS_KEYS: dict[str, tuple[int, bool]] = {
    **{letter: (axis, False) for axis, letter in enumerate("XYZ")},
    **{f"Shift+{letter}": (axis, True) for axis, letter in enumerate("XYZ")},
}
"""Keys during a drag: the world axis 0..2 to which it restricts the drag; True for the plane across it instead."""

OTHER_MOUSE: tuple[tuple[str, str], ...] = (
    ("Ctrl while dragging", "snap; a turn also to where an edge or face is parallel to an axis or to the other body"),
    ("X, Y or Z while dragging", "restrict the drag to an axis, with Shift to the plane perpendicular to it"),
    ("Drag between the handles for turning", "turn the view: no body moves from there"),
    ("Esc while dragging", "cancel"),
    ("Wheel", "zoom to the pointer"),
    ("Click on a body", "select it"),
    ("Double click on a body", "centre the view on it"),
    ("Point at an axis, bar or face", "light it in the table and in both pictures"),
    ("Click on an axis, bar or face", "pin it"),
    ("Click on a pixel while you aim a ray", "shoot the ray through it"),
    ("Drag the line between the panes", "resize them; a click on a pane's name shows it alone"),
    ("Drop a file on the window", "open it; a mesh becomes the selected body's hull, two meshes A and B"),
)
"""Other inputs of the mouse, with their effects, for the help."""


def act_of(button: MouseButton, held: Held, target: PointerTarget) -> Act | None:
    """The effect of a drag that begins with this press; None if it has none."""
    return next((binding.act for binding in DRAGS if binding.fits(button, held, target)), None)


def mouse_help() -> tuple[tuple[str, str], ...]:
    """The input and effect of each mouse action that the help lists, first drags on a certain thing."""
    drags = sorted((binding for binding in DRAGS if binding.named), key=lambda binding: binding.on is None)
    return (*((binding.input, binding.effect) for binding in drags), *OTHER_MOUSE)
