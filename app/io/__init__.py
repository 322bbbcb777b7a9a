"""Reads and writes the program's files: scenes, logs, presets, meshes, engines' numbers, the session."""
