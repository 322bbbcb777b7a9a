"""Rays against a shape, in closed form and by GJK."""
