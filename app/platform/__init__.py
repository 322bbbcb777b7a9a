"""The window and all that depends on the system: pyglet, X11, the host of Dear ImGui, keys, fonts."""
