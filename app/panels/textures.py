"""Textures managed by imgui's renderer: uploaded with the next frame, freed after they are dropped."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

_REGISTERED: list[imgui.ImTextureData] = []
"""Keeps registered textures alive: imgui has only raw pointers to them."""


def uploaded(pixels: NDArray[np.uint8]) -> imgui.ImTextureData:
    """A texture of RGBA `pixels` (h, w, 4) with straight alpha, top row first."""
    texture = imgui.ImTextureData()
    texture.create(imgui.ImTextureFormat.rgba32, pixels.shape[1], pixels.shape[0])
    np.asarray(texture.get_pixels_array()).reshape(-1)[:] = pixels.reshape(-1)
    texture.use_colors = True
    texture.set_status(imgui.ImTextureStatus.want_create)
    imgui.internal.register_user_texture(texture)
    _REGISTERED.append(texture)
    return texture


class Going(list[imgui.ImTextureData]):
    """Dropped textures that the renderer has not freed yet."""

    def drop(self, texture: imgui.ImTextureData) -> None:
        """Asks the renderer to free `texture`."""
        texture.want_destroy_next_frame = True
        texture.unused_frames = 1
        texture.set_status(imgui.ImTextureStatus.want_destroy)
        self.append(texture)

    def forget_destroyed(self) -> None:
        """Unregisters freed textures from imgui; called at the start of a frame."""
        for texture in [gone for gone in self if gone.status == imgui.ImTextureStatus.destroyed]:
            imgui.internal.unregister_user_texture(texture)
            self.remove(texture)
            _REGISTERED.remove(texture)
