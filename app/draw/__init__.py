"""A picture before it has pixels: draw list, camera, theme, text, layout and meshes. No GL."""
