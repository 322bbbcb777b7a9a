"""Meshes of shapes and of differences A - B, and outlines of shapes of the plane."""
