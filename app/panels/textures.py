"""Pictures on the graphics side, by imgui's renderer: uploaded with the next frame, freed when they are dropped."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

_REGISTERED: list[imgui.ImTextureData] = []
"""imgui keeps bare pointers: a texture lives for as long as it is registered, whoever forgets it."""


def uploaded(pixels: NDArray[np.uint8]) -> imgui.ImTextureData:
    """A texture of RGBA `pixels` (h, w, 4) with straight alpha, from the upper row down."""
    texture = imgui.ImTextureData()
    texture.create(imgui.ImTextureFormat.rgba32, pixels.shape[1], pixels.shape[0])
    np.asarray(texture.get_pixels_array()).reshape(-1)[:] = pixels.reshape(-1)
    texture.use_colors = True
    texture.set_status(imgui.ImTextureStatus.want_create)
    imgui.internal.register_user_texture(texture)
    _REGISTERED.append(texture)
    return texture


class Going(list[imgui.ImTextureData]):
    """Textures that no frame draws any more, until the graphics side has freed them."""

    def drop(self, texture: imgui.ImTextureData) -> None:
        """The graphics side is to free it."""
        texture.want_destroy_next_frame = True
        texture.unused_frames = 1
        texture.set_status(imgui.ImTextureStatus.want_destroy)
        self.append(texture)

    def forget_destroyed(self) -> None:
        """Takes those that are freed out of imgui's list; at the beginning of a frame."""
        for texture in [gone for gone in self if gone.status == imgui.ImTextureStatus.destroyed]:
            imgui.internal.unregister_user_texture(texture)
            self.remove(texture)
            _REGISTERED.remove(texture)
