"""Minkowski portal refinement."""
