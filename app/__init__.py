"""The program round the core: input, view, overlays, layout, renderer and panels."""
