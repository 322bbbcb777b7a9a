"""A probe as it stands in a view of a scene file, and back; as strict as the rest of the view."""

from __future__ import annotations

from math import hypot, pi
from typing import Any

import msgspec

from ..draw.camera import DISTANCE_LIMITS, Camera
from ..draw.meshes.shape_kinds import LARGEST
from ..probes import PlaneProbe, PointProbe, Probe, RayLook, RayProbe, ScaleProbe
from ..storage.strict_json import require

LARGEST_PANE = 1e5
"""Pixels: no pane is wider or higher."""
LARGEST_CAST_STEP = 10**4

_Triple = tuple[float, float, float]


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
    """A probe as JSON values; None for none, and for a ray that is still aimed."""
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
    """The probe of checked JSON values. Raises DataError with the path of what is wrong."""
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
    if probe.look is not RayLook.CROSSINGS:
        tree["look"] = probe.look.value
    if probe.body:
        tree["body"] = "b"
    if probe.step:
        tree["step"] = probe.step
    if probe.shift:
        tree["shift"] = probe.shift
    return tree


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
    return RayProbe(camera, data.pixel, data.size, RayLook(data.look), "ab".index(data.body), data.step, data.shift)


def _eye(data: _EyeData, path: str) -> Camera:
    low, high = DISTANCE_LIMITS
    _near(data.target, f"{path}.target")
    require(low <= data.distance <= high, f"{path}.distance", f"must lie between {low:g} and {high:g}", data.distance)
    require(abs(data.pitch) <= 0.5 * pi, f"{path}.pitch", "must lie between -pi/2 and pi/2", data.pitch)
    require(abs(data.yaw) <= 1e6, f"{path}.yaw", "must lie within ±1e6", data.yaw)
    require(0.0 < data.field_of_view < pi, f"{path}.field_of_view", "must lie between 0 and pi", data.field_of_view)
    return Camera(data.target, data.distance, data.yaw, data.pitch, data.field_of_view, data.orthographic, data.z_up)


def _near(point: _Triple, path: str) -> _Triple:
    require(hypot(*point) <= LARGEST, path, f"must lie within {LARGEST:g} of the origin", list(point))
    return point
