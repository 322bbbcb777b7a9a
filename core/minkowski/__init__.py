"""The Minkowski difference A - B and the distance that it gives."""
