"""The window, its events, and the parts that depend on the system: pyglet, X11, Dear ImGui, keys, fonts."""
