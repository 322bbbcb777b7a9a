"""Vectors, matrices, quaternions, poses and planes; elementary functions; the tolerances, in one place."""
