"""Vectors, quaternions, poses and planes; and every tolerance, in one place."""
