"""What our window shows of the first screen's scene, for the peer: geometry.py OUT.npz [all].

`all`: every overlay and every axis; without it, the first screen as it opens. pyvista_scene.py describes the file.
"""

from __future__ import annotations

import sys

import numpy as np
from msgspec.structs import replace

from app.draw.draw_list import DrawList
from app.draw.theme import theme_named
from app.io.presets import default_scene
from app.overlays.context import Context
from app.overlays.globe import LARGE
from app.overlays.registry import OVERLAYS
from app.render.pictures import build
from app.state.view import AxisView, View
from core.analysis.analysis import analyse


def everything(view: View) -> View:
    """The same view with every overlay on and every axis shown; not the large Gauss map, which hides the bodies."""
    return replace(view, shown=frozenset(overlay.id for overlay in OVERLAYS) - {LARGE.id}, axis_view=AxisView.CAGE)


def arrays(name: str, draw: DrawList) -> dict[str, np.ndarray]:
    """Triangles and lines of one pane."""
    return {
        f"{name}_corners": np.concatenate([solid.corners for solid in draw.solids]),
        f"{name}_rgba": np.concatenate([solid.rgba for solid in draw.solids]),
        f"{name}_start": np.concatenate([lines.start for lines in draw.segments]),
        f"{name}_end": np.concatenate([lines.end for lines in draw.segments]),
        f"{name}_line_rgba": np.concatenate([lines.start_rgba for lines in draw.segments]),
    }


def main(path: str, view: View) -> None:
    """Write the file."""
    scene = default_scene().scene
    pictures = build(Context(scene, analyse(scene), view, theme_named("dark")))
    np.savez(path, **arrays("world", pictures.world), **arrays("difference", pictures.difference))


if __name__ == "__main__":
    main(sys.argv[1], everything(View()) if "all" in sys.argv[2:] else View())
    print("{}")
