"""The user's settings, which are kept between runs, and their file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from ..draw.theme import Palette
from ..storage.files import config_folder, read_bounded, reason_of, write_atomic
from ..storage.strict_json import DataError, convert, json_text, parse
from ..words.digits import Digits
from .export_options import ExportOptions

THEMES = ("dark", "light", "print")
UI_SCALE_LIMITS = (0.5, 4.0)
PACE_LIMITS = (0.1, 60.0)
"""Limits of `ui_scale`, and of `steps_per_second`."""


class Settings(Struct, frozen=True):
    """The settings that are kept between runs.

    `theme`: dark, light or print, with the colours of `palette`. `ui_scale`: size of text and panels, 1 is normal.
    `z_up`: z points up in the pictures; no coordinate changes. `panels`: the docked panels are shown. `hint`: the hint
    at the viewport's bottom is shown. `snap_*`: steps of snapping with Ctrl; lengths in scene units. `algorithm`: the
    listing of the algorithm is shown beside the steps. `open_panels`: open docked panels, by the ids in
    `Dialogs.docked`. `steps_per_second`, `loop`: the speed of playing steps, and whether it repeats. `verdict_told`:
    the verdict is shown at the steps that lead up to it. `slow_steps`: a step forward or back is a sub-step.
    `animations`: the picture of a step changes smoothly to that of the next, and sub-steps begin with a short
    animation. `digits`: how many digits numbers have in the window. `picture_options`, `film_options`: the options of
    the last screenshot and film. `swap_late`: the next frame is computed while GL draws the last. `engine_pythons`:
    interpreters whose collision engines are asked, besides the program's own. `show_frame_times`: a panel lists the
    milliseconds of a frame.
    """

    theme: str = "dark"
    palette: Palette = Palette.THEME
    ui_scale: float = 1.0
    z_up: bool = False
    panels: bool = False
    hint: bool = True
    snap_length: float = 0.1
    snap_angle_degrees: float = 15.0
    show_frame_times: bool = False
    algorithm: bool = False
    open_panels: tuple[str, ...] = ()
    steps_per_second: float = 2.0
    loop: bool = False
    verdict_told: bool = False
    slow_steps: bool = False
    animations: bool = True
    digits: Digits = Digits.DESCRIBED
    picture_options: ExportOptions = ExportOptions(scale=2.0, columns=3)
    film_options: ExportOptions = ExportOptions()
    swap_late: bool = True
    engine_pythons: tuple[str, ...] = ()


LAYOUT_FILE = "layout.ini"
"""The file of the panels' layout, beside the settings."""


def settings_path() -> Path:
    """The path of the settings' file."""
    return config_folder() / "settings.json"


def kept_layout() -> str:
    """The panels' layout at the end of the last run, a text of Dear ImGui; "" if none can be read."""
    try:
        return read_bounded(config_folder() / LAYOUT_FILE).decode()
    except ValueError:
        return ""


def load_settings(path: Path | None = None) -> tuple[Settings, str | None]:
    """The settings, and None; without a file the defaults, and None. `path`: None for the user's file. Never raises.

    If the file cannot be read, or a value is refused: the defaults, and a sentence why. Unknown keys are ignored.
    """
    file = path or settings_path()
    try:
        if not file.exists():
            return Settings(), None
        kept = parse(read_bounded(file).decode("utf-8-sig"))
        if isinstance(kept, dict) and kept.get("colour_blind") is True:
            # Older versions had one palette for colour blindness, with this key.
            kept.setdefault("palette", Palette.COLOUR_BLIND)
        if isinstance(kept, dict) and isinstance(kept.get("picture"), dict):
            kept.setdefault("picture_options", _of_choices(kept["picture"]))
        for key in ("picture_options", "film_options"):
            options = kept.get(key) if isinstance(kept, dict) else None
            if isinstance(options, dict) and "purpose" not in options and options.get("width", 0) is None:
                # In older versions the font applied only with a width on paper: a font kept without one is dropped.
                options.pop("font", None)
        # Unknown keys are ignored, so that two versions can share one file.
        settings = convert(kept, Settings)
        _check(settings)
    except (DataError, UnicodeDecodeError, OSError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        return Settings(), f"The settings could not be read, so the defaults are used: {file}: {why}"
    return settings, None


def _of_choices(kept: dict[str, Any]) -> dict[str, Any]:
    """The options of a picture from the settings of versions without ExportOptions."""
    options = {key: value for key, value in kept.items() if key not in ("camera", "size", "width")}
    size, distance = kept.get("size"), kept.get("distance")
    if isinstance(size, list) and 0 not in size:
        options["size"] = size
    if kept.get("on_paper") is True:
        options["width"] = kept.get("width")
    else:
        options.pop("font", None)
    if kept.get("camera") == "turned":
        options["camera"] = [kept.get("yaw"), kept.get("pitch"), *([distance] if distance else [])]
    if kept.get("camera") == "file":
        options["view"] = kept.get("view_file")
    return options


def save_settings(settings: Settings, path: Path | None = None) -> str | None:
    """Writes the settings; never raises. Returns None, or a sentence why the file cannot be written.

    `path`: None for the user's file.
    """
    file = path or settings_path()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, json_text(to_builtins(settings)).encode(), durable=False)
    except (OSError, UnicodeEncodeError) as error:  # the latter for a path that is not UTF-8
        return f"The settings are not kept: {file}: {reason_of(error)}"
    return None


def _check(settings: Settings) -> None:
    if settings.theme not in THEMES:
        raise DataError("theme", f"must be one of {', '.join(THEMES)}, got {settings.theme}")
    low, high = UI_SCALE_LIMITS
    if not low <= settings.ui_scale <= high:
        raise DataError("ui_scale", f"must lie between {low:g} and {high:g}, got {settings.ui_scale:g}")
    for key in ("snap_length", "snap_angle_degrees"):
        value = getattr(settings, key)
        if not 0.0 < value <= 1e6:
            raise DataError(key, f"must be > 0 and at most 1e6, got {value:g}")
    for key in ("picture_options", "film_options"):
        if (fault := getattr(settings, key).fault()) is not None:
            raise DataError(f"{key}.{fault[0]}", fault[1])
    slowest, fastest = PACE_LIMITS
    if not slowest <= settings.steps_per_second <= fastest:
        raise DataError(
            "steps_per_second", f"must lie between {slowest:g} and {fastest:g}, got {settings.steps_per_second:g}"
        )
