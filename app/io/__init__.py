"""Reads and writes the program's files: scenes, logs, presets, meshes, decks, reports on faults, the session."""
