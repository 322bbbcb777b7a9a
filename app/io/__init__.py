"""The files the program reads and writes: scenes, logs, presets, meshes, engines' numbers, the session."""
