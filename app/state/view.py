"""The View: how the scene is looked at. Saved with the scene, never undone, never makes it unsaved."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from core.scene import Scene, Triple

from ..draw.camera import Camera
from ..draw.draw_list import Subject

if TYPE_CHECKING:
    from ..probes import Probe


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


DEFAULT_OVERLAYS = frozenset(
    {"grid", "bodies", "axes", "mtv", "closest", "contacts", "half_space", "difference", "labels", "triad"}
)


class View(Struct, frozen=True):
    """Cameras, panes, overlays, focus and pin. The two cameras always share their orientation (`turned`).

    `fitted`: targets and distances were chosen so that everything is in sight (framing.py), and are chosen again when
    the viewport's shape changes; panning or zooming by hand ends it. `step`: which step of the query a file shows,
    from 1; 0 for the answer (in the window `Playback` has the place). `free`: the axis turned by hand, a unit vector in
    the world; None while there is none. `probe`: what is held against the pair, if anything. `motion`: whether the
    bodies' motion is shown; None: where there is any. `time`: when of it, 0 to 1; None: when the bodies first meet,
    else the end.
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
    free: Triple | None = None
    probe: Probe | None = None
    motion: bool | None = None
    time: float | None = None

    @property
    def framed_by(self) -> tuple[object, ...]:
        """What of the view fitted cameras are chosen for: the arrangement, and what stands beside the bodies."""
        return (self.panes, self.axis_view, self.free is not None, self.motion, "sum" in self.shown)

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

        return replace(self, world=facing(self.world), difference=facing(self.difference), free=None, probe=None)

    def pointing(self) -> View:
        """The same view, pointing at nothing where the free axis or the probe that was pointed at is put away."""
        kind = None if self.hover is None else self.hover.kind
        gone = (kind == "free_axis" and self.free is None) or (kind == "probe" and self.probe is None)
        return replace(self, hover=None) if gone else self

    def upright(self, z_up: bool) -> View:
        """The same view with z pointing up, or y."""
        return replace(self, world=replace(self.world, z_up=z_up), difference=replace(self.difference, z_up=z_up))

    def with_toggled(self, overlay: str) -> View:
        """The same view with one overlay shown or hidden."""
        return replace(self, shown=self.shown ^ {overlay})

    def turned(self, yaw: float, pitch: float) -> View:
        """Both cameras turned to the same angles, radians."""
        return replace(
            self,
            world=replace(self.world, yaw=yaw, pitch=pitch),
            difference=replace(self.difference, yaw=yaw, pitch=pitch),
        )
