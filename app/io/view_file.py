"""Reads and writes the View with its probe in a scene file, as strictly as the scene.

The two cameras have the same orientation, which is written once. The cameras' targets and distances are left out if the
cameras are fitted to the scene. The hovered item is not saved, nor what `View` says that files do not store, nor a ray
that is still being aimed. A step number above the last one means the last step: the number of steps depends on the
algorithms, not on the file.
"""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, pi
from typing import Any

import msgspec
from msgspec.structs import replace

from ..draw.camera import DISTANCE_LIMITS, Camera
from ..draw.draw_list import Subject
from ..probes import PlaneProbe, PointProbe, Probe, RayLook, RayProbe, ScaleProbe
from ..shapes import LARGEST_NUMBER
from ..state.hold import Hold, hold_from
from ..state.view import WHOLE, AxisView, Panes, StepPlace, View
from ..storage.strict_json import DataError, convert, require

_Triple = tuple[float, float, float]
LARGEST_PANE = 1e5
"""The largest width and height of a pane, in pixels."""
LARGEST_CAST_STEP = 10**4


class _PointData(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="point"):
    at: _Triple


class _PlaneData(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="plane"):
    points: tuple[_Triple, _Triple, _Triple]
    flipped: bool = False


class _EyeData(msgspec.Struct, forbid_unknown_fields=True):
    target: _Triple
    distance: float
    yaw: float
    pitch: float
    field_of_view: float = Camera().field_of_view
    orthographic: bool = False
    z_up: bool = False


class _RayData(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="ray"):
    camera: _EyeData
    pixel: tuple[float, float]
    size: tuple[float, float]
    look: str = RayLook.CROSSINGS.value
    body: str = "a"
    step: int = 0
    shift: float = 0.0


class _ScaleData(msgspec.Struct, forbid_unknown_fields=True, tag_field="kind", tag="scaling"):
    share: float


ProbeData = _PointData | _PlaneData | _RayData | _ScaleData


def probe_tree(probe: Probe | None) -> dict[str, Any] | None:
    """A probe as JSON values; None without a probe, and for a ray that is still being aimed."""
    match probe:
        case PointProbe(at):
            return {"kind": "point", "at": at}
        case PlaneProbe(points, flipped):
            return {"kind": "plane", "points": points} | ({"flipped": True} if flipped else {})
        case RayProbe():
            return _ray_tree(probe)
        case ScaleProbe(share):
            return {"kind": "scaling", "share": share}
    return None


def probe_from(data: ProbeData, path: str) -> Probe:
    """The probe that a record of the file describes. `path`: the record's.

    Raises DataError for a value out of its range, with its path.
    """
    match data:
        case _PointData(at):
            return PointProbe(_near(at, f"{path}.at"))
        case _PlaneData(points, flipped):
            for index, point in enumerate(points):
                _near(point, f"{path}.points[{index}]")
            return PlaneProbe(points, flipped)
        case _RayData():
            return _ray(data, path)
        case _ScaleData(share):
            require(0.0 <= share <= 1.0, f"{path}.share", "must lie between 0 and 1", share)
            return ScaleProbe(share)


def _ray_tree(probe: RayProbe) -> dict[str, Any]:
    camera = probe.camera
    eye: dict[str, Any] = {key: getattr(camera, key) for key in ("target", "distance", "yaw", "pitch")}
    if camera.field_of_view != Camera().field_of_view:
        eye["field_of_view"] = camera.field_of_view
    eye |= {key: True for key in ("orthographic", "z_up") if getattr(camera, key)}
    tree: dict[str, Any] = {"kind": "ray", "camera": eye, "pixel": probe.pixel, "size": probe.size}
    look = "" if probe.look is RayLook.CROSSINGS else probe.look.value
    rest = {"look": look, "body": "b" * probe.body, "step": probe.step, "shift": probe.shift}
    return tree | {key: value for key, value in rest.items() if value}


def _ray(data: _RayData, path: str) -> RayProbe:
    (x, y), (width, height) = data.pixel, data.size
    for index, side in enumerate(data.size):
        require(1.0 <= side <= LARGEST_PANE, f"{path}.size[{index}]", f"must lie between 1 and {LARGEST_PANE:g}", side)
    for index, (place, side) in enumerate(((x, width), (y, height))):
        require(0.0 <= place <= side, f"{path}.pixel[{index}]", "must lie within the size", place)
    require(data.look in tuple(RayLook), f"{path}.look", f"must be one of {', '.join(RayLook)}", data.look)
    require(data.body in ("a", "b"), f"{path}.body", "must be one of a, b", data.body)
    require(
        0 <= data.step <= LARGEST_CAST_STEP, f"{path}.step", f"must lie between 0 and {LARGEST_CAST_STEP}", data.step
    )
    require(abs(data.shift) <= 1.0, f"{path}.shift", "must lie between -1 and 1", data.shift)
    camera = _eye(data.camera, f"{path}.camera")
    require(not (data.shift and camera.orthographic), f"{path}.shift", "must be 0 if orthographic", data.shift)
    return RayProbe(
        camera=camera,
        pixel=data.pixel,
        size=data.size,
        look=RayLook(data.look),
        body="ab".index(data.body),
        step=data.step,
        shift=data.shift,
    )


def _eye(data: _EyeData, path: str) -> Camera:
    low, high = DISTANCE_LIMITS
    _near(data.target, f"{path}.target")
    require(low <= data.distance <= high, f"{path}.distance", f"must lie between {low:g} and {high:g}", data.distance)
    require(abs(data.pitch) <= 0.5 * pi, f"{path}.pitch", "must lie between -pi/2 and pi/2", data.pitch)
    require(abs(data.yaw) <= 1e6, f"{path}.yaw", "must lie within ±1e6", data.yaw)
    require(0.0 < data.field_of_view < pi, f"{path}.field_of_view", "must lie between 0 and pi", data.field_of_view)
    return Camera(
        target=data.target,
        distance=data.distance,
        yaw=data.yaw,
        pitch=data.pitch,
        field_of_view=data.field_of_view,
        orthographic=data.orthographic,
        z_up=data.z_up,
    )


def _near(point: _Triple, path: str) -> _Triple:
    require(hypot(*point) <= LARGEST_NUMBER, path, f"must lie within {LARGEST_NUMBER:g} of the origin", list(point))
    return point


FAMILIES = ("face of A", "face of B", "edge × edge", "closest points")
PINNED_KINDS = ("axis", "body", "vertex_a", "vertex_b", "face", "contact", "pair")
LARGEST_STEP = 10**6
UNIT_LENGTH = 1e-3
"""The largest accepted difference of a free axis's length from 1: an axis typed with three digits is accepted."""
ROUNDED_LENGTH = 1e-15
"""The largest difference from 1 of the length of a vector that was normalised in doubles."""
_LARGEST_ANGLE = 1e6


class _PinData(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    number: int


class _AtData(msgspec.Struct, forbid_unknown_fields=True):
    phase: str
    index: int
    part: str = WHOLE


class _CameraData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    target: _Triple | msgspec.UnsetType = msgspec.UNSET
    distance: float | msgspec.UnsetType = msgspec.UNSET
    field_of_view: float = Camera().field_of_view
    orthographic: bool = False


class _ViewData(msgspec.Struct, forbid_unknown_fields=True):
    yaw: float
    pitch: float
    world: _CameraData = _CameraData()
    difference: _CameraData = _CameraData()
    z_up: bool = False
    panes: str = Panes.BOTH.value
    axis_view: str = AxisView.FOCUSED.value
    family: str = View().family
    shown: list[str] | msgspec.UnsetType = msgspec.UNSET
    pin: _PinData | msgspec.UnsetType = msgspec.UNSET
    step: int | msgspec.UnsetType = msgspec.UNSET
    at: _AtData | msgspec.UnsetType = msgspec.UNSET
    free_axis: tuple[float, ...] | msgspec.UnsetType = msgspec.UNSET
    probe: ProbeData | msgspec.UnsetType = msgspec.UNSET
    motion: bool | msgspec.UnsetType = msgspec.UNSET
    time: float | msgspec.UnsetType = msgspec.UNSET
    hold: str | msgspec.UnsetType = msgspec.UNSET
    hidden: list[str] | msgspec.UnsetType = msgspec.UNSET


def to_tree(view: View) -> dict[str, Any]:
    """The view as JSON values; angles in radians, overlays in alphabetical order."""
    tree: dict[str, Any] = {"yaw": view.world.yaw, "pitch": view.world.pitch}
    for key, camera in (("world", view.world), ("difference", view.difference)):
        if camera_tree := _camera_tree(camera, view.fitted):
            tree[key] = camera_tree
    if view.world.z_up:
        tree["z_up"] = True
    tree |= {"panes": view.panes.value, "axis_view": view.axis_view.value, "family": view.family}
    tree["shown"] = sorted(view.shown)
    if view.pin is not None:
        tree["pin"] = {"kind": view.pin.kind, "number": view.pin.number}
    rest: dict[str, Any] = {"step": view.step or None, "at": _at_tree(view.at)}
    rest |= {"free_axis": view.free, "probe": probe_tree(view.probe), "motion": view.motion, "time": view.time}
    rest["hold"] = None if view.hold is None else view.hold.text
    rest["hidden"] = sorted(view.hidden) or None
    return tree | {key: value for key, value in rest.items() if value is not None}


def from_tree(tree: object, path: str = "view") -> View:
    """The view that JSON values describe.

    Raises DataError for a value that the format refuses, with its path, which begins with `path`.
    """
    data = convert(tree, _ViewData, path)
    view = View(
        world=_camera(data, data.world, f"{path}.world", path),
        difference=_camera(data, data.difference, f"{path}.difference", path),
        panes=Panes(_one_of(data.panes, [p.value for p in Panes], f"{path}.panes")),
        axis_view=AxisView(_one_of(data.axis_view, [a.value for a in AxisView], f"{path}.axis_view")),
        family=_one_of(data.family, FAMILIES, f"{path}.family"),
        fitted=msgspec.UNSET in (data.world.target, data.difference.target),
    )
    # A key that the file leaves out has the default of a new view.
    readers: dict[str, Callable[[Any, str], Any]] = {"shown": _overlays, "pin": _pin, "step": _step, "free_axis": _free}
    readers |= {"at": _at, "probe": probe_from, "motion": lambda motion, _path: motion, "time": _time}
    readers |= {"hold": _hold, "hidden": _kinds}
    given = [(key, getattr(data, key)) for key in readers if getattr(data, key) is not msgspec.UNSET]
    kept = {key.removesuffix("_axis"): readers[key](value, f"{path}.{key}") for key, value in given}
    return replace(view, **kept)


def _camera_tree(camera: Camera, fitted: bool) -> dict[str, Any]:
    tree: dict[str, Any] = {} if fitted else {"target": camera.target, "distance": camera.distance}
    if camera.field_of_view != Camera().field_of_view:
        tree["field_of_view"] = camera.field_of_view
    if camera.orthographic:
        tree["orthographic"] = True
    return tree


def _camera(data: _ViewData, camera: _CameraData, path: str, view_path: str) -> Camera:
    target, distance = _standpoint(camera, path)
    require(0.0 < camera.field_of_view < pi, f"{path}.field_of_view", "must lie between 0 and pi", camera.field_of_view)
    require(abs(data.pitch) <= pi / 2, f"{view_path}.pitch", "must lie between -pi/2 and pi/2", data.pitch)
    require(abs(data.yaw) <= _LARGEST_ANGLE, f"{view_path}.yaw", "must lie within ±1e6", data.yaw)
    angle, flat = camera.field_of_view, camera.orthographic
    return Camera(
        target=target,
        distance=distance,
        yaw=data.yaw,
        pitch=data.pitch,
        field_of_view=angle,
        orthographic=flat,
        z_up=data.z_up,
    )


def _standpoint(camera: _CameraData, path: str) -> tuple[_Triple, float]:
    """Returns target and distance; the default camera's if both are left out, as that is fitted to the scene later.

    Raises DataError if one is missing beside the other, or is out of range.
    """
    target, distance = camera.target, camera.distance
    if isinstance(target, msgspec.UnsetType) and isinstance(distance, msgspec.UnsetType):
        return Camera().target, Camera().distance
    if isinstance(target, msgspec.UnsetType):
        raise DataError(f"{path}.target", "missing beside distance")
    if isinstance(distance, msgspec.UnsetType):
        raise DataError(f"{path}.distance", "missing beside target")
    low, high = DISTANCE_LIMITS
    for index, coordinate in enumerate(target):
        require(abs(coordinate) <= high, f"{path}.target[{index}]", f"must lie within ±{high:g}", coordinate)
    require(low <= distance <= high, f"{path}.distance", f"must lie between {low:g} and {high:g}", distance)
    return target, distance


def _at_tree(at: StepPlace | None) -> dict[str, Any] | None:
    if at is None:
        return None
    part = {} if at.part == WHOLE else {"part": at.part}
    return {"phase": at.phase.name, "index": at.index, **part}


def _at(data: _AtData, path: str) -> StepPlace:
    # Imported on demand, as in `_overlays`.
    from core.query.query import Phase

    from ..stages import spec_of

    phase = Phase[_one_of(data.phase, Phase.__members__, f"{path}.phase")]
    require(1 <= data.index <= LARGEST_STEP, f"{path}.index", f"must lie between 1 and {LARGEST_STEP}", data.index)
    return StepPlace(phase, data.index, _one_of(data.part, (*spec_of(phase).parts, WHOLE), f"{path}.part"))


def _one_of(value: str, known: Any, path: str) -> str:
    require(value in known, path, f"must be one of {', '.join(known)}", value)
    return value


def _overlays(ids: list[str], path: str) -> frozenset[str]:
    # Imported on demand: `check` draws nothing, and most of its thousands of scenes have no view.
    from ..overlays.registry import OVERLAYS

    known = tuple(overlay.id for overlay in OVERLAYS)
    for index, overlay in enumerate(ids):
        _one_of(overlay, known, f"{path}[{index}]")
        require(overlay not in ids[:index], f"{path}[{index}]", "must not repeat an overlay", overlay)
    return frozenset(ids)


def _kinds(ids: list[str], path: str) -> frozenset[str]:
    # Imported on demand, as in `_overlays`.
    from ..draw.label_kinds import KIND_IDS

    for index, kind in enumerate(ids):
        _one_of(kind, KIND_IDS, f"{path}[{index}]")
        require(kind not in ids[:index], f"{path}[{index}]", "must not repeat a kind of labels", kind)
    return frozenset(ids)


def _step(step: int, path: str) -> int:
    require(1 <= step <= LARGEST_STEP, path, f"must be a step's number, from 1 to {LARGEST_STEP}", step)
    return step


def _free(axis: tuple[float, ...], path: str) -> _Triple:
    """The axis as (x, y, z), normalised unless its length is 1 to rounding: writing and reading change no digit.

    Two numbers are x and y of a 2D scene. Raises DataError for another length or count.
    """
    size = hypot(*axis)
    require(len(axis) in (2, 3), path, "must be a list of 3, in the plane of 2", list(axis))
    require(abs(size - 1.0) <= UNIT_LENGTH, path, "must be a unit vector", list(axis))
    x, y, z = (*axis, 0.0)[:3]
    return (x, y, z) if abs(size - 1.0) <= ROUNDED_LENGTH else (x / size, y / size, z / size)


def _hold(text: str, path: str) -> Hold:
    try:
        return hold_from(text)
    except ValueError as error:
        raise DataError(path, str(error)) from None


def _time(time: float, path: str) -> float:
    require(0.0 <= time <= 1.0, path, "must lie between 0 and 1", time)
    return time


def _pin(data: _PinData, path: str) -> Subject:
    require(0 <= data.number < 10**6, f"{path}.number", "must be a row number, 0 or more", data.number)
    return Subject(_one_of(data.kind, PINNED_KINDS, f"{path}.kind"), data.number)
