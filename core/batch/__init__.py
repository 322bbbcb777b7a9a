"""Separations, normals and witnesses of many pairs at once, given as arrays of boxes, spheres and hulls, or as bodies.

The conventions are those of `core` (A first, `normal` from A to B, `separation` positive apart). Each kernel works on
chunks of pairs with one row per coordinate, so that memory stays bounded and the cost of numpy's calls is paid once a
chunk. The kernels take their precision from their arrays: the same code gives the answers in single precision.
"""

from .answers import VERDICTS, Answers, Boxes, Hulls, PairError, Positive, Spheres
from .bodies import analyse_pairs

__all__ = ["VERDICTS", "Answers", "Boxes", "Hulls", "PairError", "Positive", "Spheres", "analyse_pairs"]
