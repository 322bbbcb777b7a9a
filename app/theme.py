"""Colours of the three themes, and the colour-blind set. The only place that names a colour."""

from __future__ import annotations

from dataclasses import dataclass

from .draw_list import Rgba


def hex_rgba(code: str, alpha: float = 1.0) -> Rgba:
    """`#rrggbb` with an alpha, as components 0..1."""
    value = int(code.removeprefix("#"), 16)
    return ((value >> 16 & 255) / 255.0, (value >> 8 & 255) / 255.0, (value & 255) / 255.0, alpha)


def faded(rgba: Rgba, alpha: float) -> Rgba:
    """The same colour with its alpha multiplied."""
    return (rgba[0], rgba[1], rgba[2], rgba[3] * alpha)


@dataclass(frozen=True, slots=True)
class Theme:
    """Everything that has a colour in the viewport, and whether the panels are dark."""

    name: str
    dark_panels: bool
    background_top: Rgba
    background_bottom: Rgba
    text: Rgba
    dim_text: Rgba
    halo: Rgba
    grid: Rgba
    body_a: Rgba
    body_b: Rgba
    edge_a: Rgba
    edge_b: Rgba
    difference: Rgba
    difference_edge: Rgba
    winner: Rgba
    gap: Rgba
    overlap: Rgba
    normal: Rgba
    origin: Rgba
    hover: Rgba
    family_a: Rgba
    family_b: Rgba
    family_edges: Rgba
    family_closest: Rgba
    world_x: Rgba
    world_y: Rgba
    world_z: Rgba
    face_alpha: float
