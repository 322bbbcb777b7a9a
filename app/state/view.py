"""The View: the cameras, panes and overlays of a scene. Seen: the scene with its answers, view and theme.

The View is saved with the scene; undo does not cover it, and it never makes the scene unsaved. Overlays, panels, input
and pictures read Seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property
from math import hypot
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from core.analysis.algorithm_settings import DEFAULT_SETTINGS, SingleSettings
from core.analysis.analysis import Analysis
from core.geometry.triple import Triple
from core.query.query import Moment, Phase, Query
from core.scene import Scene

from ..draw.camera import Camera, Projection, Sight
from ..draw.draw_list import Subject
from ..draw.placed import Rect
from ..draw.theme import Theme
from .hold import Hold
from .prediction import CurrentQuestion
from .reveal import Reveal
from .sat_progress import SatProgress

if TYPE_CHECKING:
    from core.analysis.motion_answers import SweepAnswer

    from ..probes import Probe
    from .contact_times import ContactTimes
    from .engines import EngineRow


class Panes(StrEnum):
    """The panes in the viewport."""

    BOTH = "both"
    WORLD = "world"
    DIFFERENCE = "difference"
    OVERLAID = "overlaid"
    """The difference drawn in the world's pane, with its origin at the world's origin."""


class AxisView(StrEnum):
    """The arrangement of the candidate axes round the pair."""

    FOCUSED = "focused"
    """One rail beside the bodies: the axis pointed at, else the pinned one, else the winner."""
    CAGE = "cage"
    """The focused rail, and up to `MOST_RAILS` others, those closest to winning, as hairline rails round the pair."""
    FAMILY = "family"
    """The cage of one family only: A's faces, B's faces or the edge pairs."""
    FAN = "fan"
    """The axes of CAGE as parallel rails beside the bodies, in order of separation, on one scale."""


def in_plane(axis: Triple | None) -> Triple | None:
    """The unit vector along the part of an axis in the plane z = 0; None if that part is zero. None stays None."""
    if axis is None or axis[2] == 0.0:
        return axis
    size = hypot(axis[0], axis[1])
    return (axis[0] / size, axis[1] / size, 0.0) if size > 0.0 else None


DEFAULT_OVERLAYS = frozenset(
    {"grid", "bodies", "axes", "mtv", "closest", "contacts", "half_space", "difference", "labels", "triad"}
)

HATCH = "hatch"
"""Id of the overlay that draws lines on the faces of the difference."""
TRIAD = "triad"
"""Id of the overlay of the world's axes in the corner."""
GAUSS_BODY = "gauss_body"
"""Id of the overlay with which the Gauss map is that of A alone."""
SINGLE_OVERLAY = "single"

WHOLE = "whole"
"""The last part of every step: the whole step."""


TRANSITION_SECONDS = 0.4
"""The duration of the transition from one step to the next, seconds."""


class Transition(Struct, frozen=True):
    """The change of the picture from another step's to the shown one's (`app/draw/between/`).

    `place`, `part`: those of the other step; `share`: the share of the transition's time that has passed, 0 to 1.
    """

    place: int
    part: str = WHOLE
    share: float = 0.0


def near(first: int, second: int) -> bool:
    """Whether the steps at two places are neighbours or equal, so that there is a transition from one to the other."""
    return abs(first - second) <= 1


class StepPlace(Struct, frozen=True):
    """A place in the steps: step `index` of a phase, from 1, and its part."""

    phase: Phase
    index: int
    part: str = WHOLE


class View(Struct, frozen=True):
    """The cameras, panes, overlays, focus and pin. The two cameras always share their orientation (`turned`).

    `axis_view`, `family`: the axes that have rails. `shown`: ids of the overlays that are switched on. `hover`, `pin`:
    the subjects that are pointed at and pinned. `fitted`: targets and distances are chosen so that everything is in
    sight (framing.py), and are chosen again when the viewport's shape changes; panning or zooming by hand ends it.
    `step`: the step of the query in a file, from 1; 0 for the answer (in the window `Playback` has the step). `at`: the
    step's phase and index, which win over the number; None if only the number is known. `free`: the free axis, a unit
    vector in the world; None for none. `probe`: the probe, if any. `motion`: whether the bodies' motion is shown; None:
    if a body moves. `time`: the motion's time, 0 to 1; None: the impact's, else the end. `hold`: the one degree of
    freedom of a drag; None if bodies are dragged freely. `hidden`: kinds of labels that are not drawn
    (app/draw/label_kinds.py).

    Files do not store the following, nor `hover`. `swapped`: the difference's pane comes first, as in some lessons.
    `close`: the difference is fitted to the shown step's points near the origin. `renames`: names in labels and the
    names that replace them. `moves`: names of labels, and the move of each in points, right and down.
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
    at: StepPlace | None = None
    free: Triple | None = None
    probe: Probe | None = None
    motion: bool | None = None
    time: float | None = None
    swapped: bool = False
    close: bool = False
    hold: Hold | None = None
    hidden: frozenset[str] = frozenset()
    renames: tuple[tuple[str, str], ...] = ()
    moves: tuple[tuple[str, tuple[float, float]], ...] = ()

    @property
    def framed_by(self) -> tuple[object, ...]:
        """The parts of the view on which fitted cameras depend: the panes, and the things drawn beside the bodies."""
        return (
            self.panes,
            self.swapped,
            self.axis_view,
            self.free is not None,
            self.motion,
            "sum" in self.shown,
            self.close,
        )

    def shows_motion(self, scene: Scene) -> bool:
        """Whether the motion is shown in a scene: `motion`, or if that is None whether a body moves."""
        if self.motion is not None:
            return self.motion
        return any(any(body.displacement) or any(body.angular_displacement) for body in (scene.a, scene.b))

    def facing(self, scene: Scene) -> View:
        """The view for a scene: unchanged in space; in the plane straight on, x to the right, y up, orthographic.

        In the plane it also has no probe, no hold that the plane does not allow, and a free axis in the plane.
        """
        if scene.dimension == 3:
            return self

        def facing(camera: Camera) -> Camera:
            target = (*camera.target[:2], 0.0)
            return replace(camera, target=target, yaw=0.0, pitch=0.0, orthographic=True, z_up=False)

        free = in_plane(self.free)
        hold = None if self.hold is None or scene.dimension not in self.hold.dimensions else self.hold
        panes = {"world": facing(self.world), "difference": facing(self.difference)}
        return replace(self, **panes, free=free, probe=None, hold=hold)

    def pointing(self) -> View:
        """The view, without its hover if that is on a free axis or a probe that is gone."""
        kind = None if self.hover is None else self.hover.kind
        gone = (kind == "free_axis" and self.free is None) or (kind == "probe" and self.probe is None)
        return replace(self, hover=None) if gone else self

    def with_cameras(self, **changes: Any) -> View:
        """The view with the same changes to both cameras."""
        return replace(self, world=replace(self.world, **changes), difference=replace(self.difference, **changes))

    def with_toggled(self, overlay: str) -> View:
        """The view with one overlay toggled."""
        return replace(self, shown=self.shown ^ {overlay})

    def turned(self, yaw: float, pitch: float) -> View:
        """The view with both cameras turned to these angles, radians: `yaw` and `pitch` as in Camera."""
        return self.with_cameras(yaw=yaw, pitch=pitch)


NARROWEST = 0.15
"""The smallest share of the viewport to which the divider shrinks a pane."""
STACKED_FROM = 0.95
"""The ratio of the viewport's height to its width above which two panes are stacked."""


class Pane(Struct, frozen=True, eq=False, dict=True):
    """A pane of the viewport. `kind`: "world" or "difference"; `rect`: its area in framebuffer pixels."""

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
        """The width divided by the height."""
        return self.rect.width / max(1, self.rect.height)

    def sight(self, x: float, y: float) -> Sight:
        """The line of sight through the pixel (x, y) of the framebuffer."""
        return Sight.through(self.projection, x - self.rect.x, y - self.rect.y)


def pane_at(panes: Iterable[Pane], x: float, y: float) -> Pane | None:
    """The pane under the pixel (x, y) of the framebuffer, if any."""
    return next((pane for pane in panes if pane.rect.contains(x, y)), None)


def panes_stacked(area: Rect) -> bool:
    """Whether two panes in `area` are placed one above the other, because side by side both would be too narrow."""
    return area.height > STACKED_FROM * area.width


def arrange(view: View, area: Rect, divider: float) -> tuple[Pane, ...]:
    """The panes in `area`. `divider`: the share of the first pane, at the left or above, if both are shown."""
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
    whole = area.height if panes_stacked(area) else area.width
    first = max(1, round(whole * share))
    second = max(1, whole - first)
    if panes_stacked(area):
        return replace(area, height=first), replace(area, y=area.y + first, height=second)
    return replace(area, width=first), replace(area, x=area.x + first, width=second)


class Seen(Struct, frozen=True, eq=False):
    """The scene with its answers, its view and the theme, for pictures, panels and input.

    `query`, `place`: the shown step is the query's moment at the place; without a query the answer is shown. `part`:
    the shown part of that step, a name (app/stages/stage.py) or WHOLE; `progress`: the progress of its animation, 0 to
    1. `asked`: the current question, if any. `veil`: overlays that a lesson's step hides, beside its question's.
    `sweep`: the answer about the bodies' motion, if it is shown. `contact_times`: the contacts over time, while their
    panel is visible. `eye`: the verdict is shown at the steps that lead up to it. `engine`: another engine's answer
    that is shown, if any. `single`: the settings for single precision. `transition`: that from the step before,
    while it lasts. `handles`: the bodies, A (0) and B (1), whose arrows have a mark that can be
    dragged. `filmed`: the picture belongs to a film of the motion, in which the bodies are on their way from its first
    picture on. `few_names`: the picture is a narrow one of a sheet; only the points that its step speaks of have names.
    Pictures are reused while these fields except the cameras stay the same (app/render/frame.py).
    """

    scene: Scene
    analysis: Analysis
    view: View
    theme: Theme
    query: Query | None = None
    place: int = 0
    asked: CurrentQuestion | None = None
    sweep: SweepAnswer | None = None
    contact_times: ContactTimes | None = None
    part: str = WHOLE
    progress: float = 1.0
    eye: bool = False
    engine: EngineRow | None = None
    veil: frozenset[str] = frozenset()
    single: SingleSettings = DEFAULT_SETTINGS.single
    transition: Transition | None = None
    handles: tuple[int, ...] = (0, 1)
    filmed: bool = False
    few_names: bool = False

    @property
    def moment(self) -> Moment | None:
        """The moment of the shown step; None if the answer is shown."""
        return None if self.query is None else self.query.moments[self.place]

    @property
    def reveal(self) -> Reveal:
        """The parts of the answer that may be shown."""
        moment, tried = self.moment, self.sat_progress
        at_end = moment is not None and ((moment.last and tried.last) or self.eye)
        verdict, at_step = tried.last or self.eye, moment is not None
        return Reveal.of(self.asked, self.veil, at_step=at_step, verdict=verdict, at_end=at_end)

    @property
    def sat_progress(self) -> SatProgress:
        """The known part of the axis table at the shown step."""
        return SatProgress.of(self.analysis.sat, self.query, self.place, self.part)

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of Seen by name, the arguments for a record of a subclass."""
        return {name: getattr(self, name) for name in Seen.__struct_fields__}
