"""Shapes and differences as triangles and lines."""
