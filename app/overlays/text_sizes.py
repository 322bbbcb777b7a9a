"""Sizes of text in the picture, points: few, so that it reads as one hand, the largest numbers as in the panels."""

FINE = 11.0
"""Names of which there are many: rails of the cage, pins of the globe, normals."""

PLAIN = 12.5
"""Vertices, planes, the origin."""

STRONG = 14.0
"""What the picture is about: the axis in focus, its number, the depth, the distance."""

NAME = 19.0
"""The bodies."""
