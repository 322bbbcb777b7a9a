"""The window and all that depends on the system: pyglet and its events, X11, the host of Dear ImGui, keys, fonts."""
