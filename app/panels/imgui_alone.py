"""Dear ImGui out of imgui_bundle, without the rest of the bundle.

The bundle's own package imports everything that it carries beside Dear ImGui: ninety modules, asyncio and ssl among
them, a twentieth of the start. A bare package stands in its place here, with the names that the panels take from it.
Import this module before anything that imports imgui_bundle.
"""

from __future__ import annotations

import sys
from enum import EnumType
from importlib import import_module
from importlib.util import find_spec, module_from_spec


def _stand_in() -> None:
    if "imgui_bundle" in sys.modules:
        return  # imported whole already: all the names are there
    spec = find_spec("imgui_bundle")
    if spec is None:
        return  # missing: the import below says so
    package = module_from_spec(spec)
    sys.modules["imgui_bundle"] = package
    # It sets nine thousand attributes of 250 enumerations. A tenth of its import went into asking each time whether
    # that is a member already, which none of them is.
    asks = EnumType.__setattr__
    EnumType.__setattr__ = type.__setattr__  # type: ignore[method-assign]
    try:
        bundle = import_module("imgui_bundle._imgui_bundle")
    finally:
        EnumType.__setattr__ = asks  # type: ignore[method-assign]
    names = {
        "imgui": bundle.imgui,
        "ImVec2": bundle.imgui.ImVec2,
        "ImVec4": bundle.imgui.ImVec4,
        "imgui_microtex": bundle.imgui_microtex,
        "implot": bundle.implot,
        "portable_file_dialogs": bundle.portable_file_dialogs,
    }
    vars(package).update(names)


_stand_in()

from imgui_bundle import imgui as imgui  # noqa: E402 - from the stand-in
