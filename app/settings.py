"""What the user chose once and for all runs: theme, scale, layout."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """`theme`: dark, light or print. `ui_scale`: 1 is normal. `snap_*`: steps while Ctrl is held."""

    theme: str = "dark"
    colour_blind: bool = False
    ui_scale: float = 1.0
    z_up: bool = False
    panels: bool = False
    hint: bool = True
    snap_length: float = 0.1
    snap_angle_degrees: float = 15.0
    show_frame_times: bool = False
