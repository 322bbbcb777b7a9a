"""Everything that is computed before a picture is rendered: draw list, camera, theme, text, layout, meshes. No GL."""
