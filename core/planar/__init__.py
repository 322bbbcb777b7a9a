"""What the plane has of its own: its axis table, the polygon of all vertex pairs, EPA's polygon, contacts, motion.

Pairs `(x, y)` of plain floats stand for vectors inside; what leaves these files in an answer has z = 0. A polygon's
vertices keep the numbers of its points, whichever way round they are given; its edges are numbered counter-clockwise
from the lowest vertex, and their normals point outwards.
"""
