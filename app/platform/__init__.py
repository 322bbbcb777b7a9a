"""The window and the parts that depend on the system: pyglet and its events, X11, Dear ImGui, keys, fonts."""
