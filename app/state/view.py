"""The View: how the scene is looked at, in which panes; and the one record of what is seen.

Saved with the scene, never undone, never makes it unsaved. Overlays, panels, input, the window's pictures and stills
read what is seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from math import hypot
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from core.analysis.analysis import Analysis
from core.analysis.knobs import DEFAULT_KNOBS, SingleSettings
from core.query.query import Moment, Phase, Query
from core.scene import Scene, Triple

from ..draw.camera import Camera, Projection, Sight
from ..draw.draw_list import Subject
from ..draw.placed import Rect
from ..draw.theme import Theme
from .prediction import Asked
from .reveal import Reveal
from .tried import Tried

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

    from ..probes import Probe
    from .contact_times import ContactTimes
    from .engines import EngineRow


class Panes(StrEnum):
    """Which panes share the viewport."""

    BOTH = "both"
    WORLD = "world"
    DIFFERENCE = "difference"
    OVERLAID = "overlaid"
    """The difference drawn into the world, its origin at the world's origin."""


class AxisView(StrEnum):
    """How the candidate axes stand round the pair."""

    FOCUSED = "focused"
    """One rail beside the bodies: the axis pointed at, else the pinned one, else the winner."""
    CAGE = "cage"
    """The focused rail, and every other axis as a hairline rail round the pair, brighter the closer to winning."""
    FAMILY = "family"
    """The cage of one family only: A's faces, B's faces or the edge pairs."""
    FAN = "fan"
    """All axes as parallel rails beside the bodies, in order of separation, on one scale."""


def in_plane(axis: Triple | None) -> Triple | None:
    """The unit vector along that part of an axis which lies in the plane; None where there is no such part."""
    if axis is None or axis[2] == 0.0:
        return axis
    size = hypot(axis[0], axis[1])
    return (axis[0] / size, axis[1] / size, 0.0) if size > 0.0 else None


DEFAULT_OVERLAYS = frozenset(
    {"grid", "bodies", "axes", "mtv", "closest", "contacts", "half_space", "difference", "labels", "triad"}
)

HATCH = "hatch"
SINGLE = "single"
"""Id of the overlay that puts lines on the faces of the difference."""

WHOLE = "whole"
"""The last part of every step: all of it at once."""


class Place(Struct, frozen=True):
    """A place in the steps: step `index` of a phase, from 1, and which part of it."""

    phase: Phase
    index: int
    part: str = WHOLE


class View(Struct, frozen=True):
    """Cameras, panes, overlays, focus and pin. The two cameras always share their orientation (`turned`).

    `fitted`: targets and distances were chosen so that everything is in sight (framing.py), and are chosen again when
    the viewport's shape changes; panning or zooming by hand ends it. `step`: which step of the query a file shows,
    from 1; 0 for the answer (in the window `Playback` has the place). `at`: the same by its phase, which outranks the
    number; None where only that is known. `free`: the axis turned by hand, a unit vector in
    the world; None while there is none. `probe`: what is held against the pair, if anything. `motion`: whether the
    bodies' motion is shown; None: where there is any. `time`: when of it, 0 to 1; None: when the bodies first meet,
    else the end. `swapped`: of both panes the difference stands first, as a lesson may have it; no file keeps that.
    """

    world: Camera = field(default_factory=Camera)
    difference: Camera = field(default_factory=Camera)
    panes: Panes = Panes.BOTH
    axis_view: AxisView = AxisView.FOCUSED
    family: str = "edge × edge"
    shown: frozenset[str] = DEFAULT_OVERLAYS
    hover: Subject | None = None
    pin: Subject | None = None
    fitted: bool = True
    step: int = 0
    at: Place | None = None
    free: Triple | None = None
    probe: Probe | None = None
    motion: bool | None = None
    time: float | None = None
    swapped: bool = False

    @property
    def framed_by(self) -> tuple[object, ...]:
        """What of the view fitted cameras are chosen for: the arrangement, and what stands beside the bodies."""
        return (self.panes, self.swapped, self.axis_view, self.free is not None, self.motion, "sum" in self.shown)

    def shows_motion(self, scene: Scene) -> bool:
        """Whether the motion of a scene's bodies is shown: where it was switched on, or where there is any."""
        if self.motion is not None:
            return self.motion
        return any(any(body.displacement) or any(body.angular_displacement) for body in (scene.a, scene.b))

    def facing(self, scene: Scene) -> View:
        """The same view; of a scene of the plane straight on: x to the right, y up, without perspective."""
        if scene.dimension == 3:
            return self

        def facing(camera: Camera) -> Camera:
            target = (*camera.target[:2], 0.0)
            return replace(camera, target=target, yaw=0.0, pitch=0.0, orthographic=True, z_up=False)

        free = in_plane(self.free)
        return replace(self, world=facing(self.world), difference=facing(self.difference), free=free, probe=None)

    def pointing(self) -> View:
        """The same view, pointing at nothing where the free axis or the probe that was pointed at is put away."""
        kind = None if self.hover is None else self.hover.kind
        gone = (kind == "free_axis" and self.free is None) or (kind == "probe" and self.probe is None)
        return replace(self, hover=None) if gone else self

    def with_cameras(self, **changes: Any) -> View:
        """The same view with both cameras changed alike."""
        return replace(self, world=replace(self.world, **changes), difference=replace(self.difference, **changes))

    def with_toggled(self, overlay: str) -> View:
        """The same view with one overlay shown or hidden."""
        return replace(self, shown=self.shown ^ {overlay})

    def turned(self, yaw: float, pitch: float) -> View:
        """Both cameras turned to the same angles, radians."""
        return self.with_cameras(yaw=yaw, pitch=pitch)


NARROWEST = 0.15
"""Share of the viewport below which the divider does not shrink a pane."""
STACKED_FROM = 0.95
"""Height over width of a viewport from which on two panes stand one above the other."""


class Pane(Struct, frozen=True, eq=False, dict=True):
    """Part of the viewport: `kind` is "world" or "difference"; `rect` in framebuffer pixels."""

    kind: str
    title: str
    rect: Rect
    camera: Camera

    @cached_property
    def projection(self) -> Projection:
        """The camera's mapping onto this pane."""
        return Projection(self.camera, self.rect.width, self.rect.height)

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.rect.width / max(1, self.rect.height)

    def sight(self, x: float, y: float) -> Sight:
        """The line of sight through a pixel of the framebuffer."""
        return Sight.through(self.projection, x - self.rect.x, y - self.rect.y)


def pane_at(panes: Iterable[Pane], x: float, y: float) -> Pane | None:
    """The pane under a pixel of the framebuffer, if any."""
    return next((pane for pane in panes if pane.rect.contains(x, y)), None)


def stacked(area: Rect) -> bool:
    """Whether two panes in `area` stand one above the other: side by side both would be too narrow."""
    return area.height > STACKED_FROM * area.width


def arrange(view: View, area: Rect, divider: float) -> tuple[Pane, ...]:
    """The panes of `area`; `divider`: share that the first takes when both are shown, at the left or above."""
    if view.panes is Panes.WORLD:
        return (Pane("world", "World", area, view.world),)
    if view.panes is Panes.OVERLAID:
        return (Pane("world", "World, with A − B at its origin", area, view.world),)
    if view.panes is Panes.DIFFERENCE:
        return (Pane("difference", "Difference A − B", area, view.difference),)
    first, second = _halves(area, min(max(divider, NARROWEST), 1.0 - NARROWEST))
    world, difference = (second, first) if view.swapped else (first, second)
    both = (
        Pane("world", "World", world, view.world),
        Pane("difference", "Difference A − B", difference, view.difference),
    )
    return both[::-1] if view.swapped else both


def _halves(area: Rect, share: float) -> tuple[Rect, Rect]:
    whole = area.height if stacked(area) else area.width
    first = max(1, round(whole * share))
    second = max(1, whole - first)
    if stacked(area):
        return replace(area, height=first), replace(area, y=area.y + first, height=second)
    return replace(area, width=first), replace(area, x=area.x + first, width=second)


class Seen(Struct, frozen=True, eq=False):
    """The scene with its answers, how it is looked at, and the colours.

    `query`, `place`: whose moment is shown step by step; without a query, the answer is. `part`: of that step, a name
    that it has (stages/stage.py), or WHOLE; `progress`: how far its picture has come, 0 to 1. `asked`: the question
    that stands. `veil`: overlays that a step of a lesson hides without a question, empty where it hides nothing.
    `sweep`: the answer about the bodies' motion, if it is shown. `contact_times`: the contacts over time, while their
    panel is in sight. `eye`: whether the verdict is told at the steps that lead up to it. `engine`: another engine's
    answer that is shown beside ours. `single`: how single precision is looked at.
    It is no key for what was drawn: the parts of a picture ask each for what they need of it.
    """

    scene: Scene
    analysis: Analysis
    view: View
    theme: Theme
    query: Query | None = None
    place: int = 0
    asked: Asked | None = None
    sweep: SweepAnswer | None = None
    contact_times: ContactTimes | None = None
    part: str = WHOLE
    progress: float = 1.0
    eye: bool = False
    engine: EngineRow | None = None
    veil: frozenset[str] = frozenset()
    single: SingleSettings = DEFAULT_KNOBS.single

    @property
    def moment(self) -> Moment | None:
        """The step shown, if any."""
        return None if self.query is None else self.query.moments[self.place]

    @property
    def reveal(self) -> Reveal:
        """What may be told of the answer."""
        moment, tried = self.moment, self.tried
        at_end = moment is not None and ((moment.last and tried.last) or self.eye)
        verdict, at_step = tried.last or self.eye, moment is not None
        return Reveal.of(self.asked, self.veil, at_step=at_step, verdict=verdict, at_end=at_end)

    @property
    def tried(self) -> Tried:
        """What is known of the axis table at the step shown."""
        return Tried.of(self.analysis.sat, self.query, self.place, self.part)

    @property
    def facts(self) -> dict[str, Any]:
        """What any such record has, by name: what another one is made of that says more."""
        return {name: getattr(self, name) for name in Seen.__struct_fields__}
